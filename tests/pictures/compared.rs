//! Two subjects in one picture: halves that are pictures of their own, lines between them, ghosts where they differ.

use rigscope::{app::Actor, cli::load, render::Gpu};

use crate::common::{gpu, picture, to_image};

const CAMERA: [&str; 6] = ["--orbit", "30,80,4", "--target", "0,1,0", "--fov", "40"];

fn pip(gpu: &Gpu, clip: usize, time_secs: f64, typed: &[&str]) -> image::RgbaImage {
    let mut actor = Actor::new(load("builtin:Pip".as_ref()).unwrap().model);
    actor.pose_at(Some(clip), time_secs);
    actor.measure();
    let typed: Vec<_> = CAMERA.iter().chain(typed).copied().collect();
    to_image(&picture(gpu, &mut actor, &typed))
}

fn clip_name(clip: usize) -> String {
    let model = load("builtin:Pip".as_ref()).unwrap().model;
    model.clips[clip].name().to_owned()
}

/// How many pixels of these columns differ, and where the first does.
fn differing(
    a: &image::RgbaImage,
    a_left: u32,
    b: &image::RgbaImage,
    b_left: u32,
    width: u32,
) -> usize {
    let pixels = (0..a.height()).flat_map(|y| (0..width).map(move |x| (x, y)));
    pixels
        .filter(|&(x, y)| a[(a_left + x, y)] != b[(b_left + x, y)])
        .count()
}

#[test]
fn halves_are_pictures_of_their_own_to_the_pixel() {
    let Some(gpu) = gpu() else { return };
    let other = clip_name(1);
    for background in ["none", "336699"] {
        let more = ["--background", background, "--skeleton", "--time", "0.4"];
        let with = |size: &'static str, compare: &[&str]| {
            let typed: Vec<_> = more
                .iter()
                .chain(&["--size", size])
                .chain(compare)
                .copied()
                .collect();
            typed.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()
        };
        let draw = |clip, typed: Vec<String>| {
            let typed: Vec<_> = typed.iter().map(String::as_str).collect();
            pip(&gpu, clip, 0.4, &typed)
        };
        let both = draw(
            0,
            with("200x120", &["--compare", &other, "--split-at", "0.4"]),
        );
        let first = draw(0, with("80x120", &[]));
        let second = draw(1, with("120x120", &[]));
        assert_eq!(differing(&both, 0, &first, 0, 80), 0, "A, {background}");
        assert_eq!(differing(&both, 80, &second, 0, 120), 0, "B, {background}");

        let wipe = with(
            "200x120",
            &["--compare", &other, "--split", "wipe", "--split-at", "0.4"],
        );
        let wipe = draw(0, wipe);
        let first = draw(0, with("200x120", &[]));
        let second = draw(1, with("200x120", &[]));
        assert_eq!(differing(&wipe, 0, &first, 0, 80), 0, "A left of the line");
        assert_eq!(differing(&wipe, 80, &second, 80, 120), 0, "B right of it");
        assert!(
            differing(&first, 0, &second, 0, 200) > 200,
            "the clips differ"
        );
    }
}

#[test]
fn a_ghost_is_there_only_where_the_two_differ() {
    let Some(gpu) = gpu() else { return };
    let (same, other) = (clip_name(0), clip_name(1));
    let draw = |compare: &[&str]| {
        let typed = [
            "--size",
            "160x120",
            "--background",
            "202020",
            "--time",
            "0.4",
        ];
        let typed: Vec<_> = typed.iter().chain(compare).copied().collect();
        pip(&gpu, 0, 0.4, &typed)
    };
    let alone = draw(&[]);
    let itself = draw(&["--compare", &same, "--split", "overlay"]);
    assert_eq!(
        differing(&alone, 0, &itself, 0, 160),
        0,
        "over itself there is none"
    );
    let ghost = draw(&["--compare", &other, "--split", "overlay"]);
    let differs = differing(&alone, 0, &ghost, 0, 160);
    assert!(differs > 200, "{differs}");
    // Where only the ghost is, it is purple over the background.
    let purple = ghost.pixels().zip(alone.pixels()).filter(|(ghost, alone)| {
        let [red, green, blue, _] = ghost.0;
        alone.0[..3] == [0x20; 3] && red > green && blue > green && red > 60
    });
    assert!(purple.count() > 50);
    let background = ghost
        .pixels()
        .filter(|pixel| pixel.0[..3] == [0x20; 3])
        .count();
    assert!(background > 5000, "what neither covers stays: {background}");
}

#[test]
fn the_same_pose_skinned_the_same_way_has_no_ghost() {
    let Some(gpu) = gpu() else { return };
    let draw = |compare: &[&str]| {
        let typed = [
            "--size",
            "160x120",
            "--background",
            "202020",
            "--time",
            "0.4",
        ];
        let typed: Vec<_> = typed.iter().chain(compare).copied().collect();
        let mut actor = Actor::new(load("builtin:Pip".as_ref()).unwrap().model);
        actor.measure();
        to_image(&picture(&gpu, &mut actor, &typed))
    };
    let alone = draw(&[]);
    let linear = draw(&["--compare", "linear", "--split", "overlay"]);
    assert_eq!(differing(&alone, 0, &linear, 0, 160), 0);
}
