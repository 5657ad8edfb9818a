//! Two subjects in one picture: halves that are pictures of their own, lines between them, ghosts where they differ.

use glam::Vec3;
use rigscope::{
    app::Actor,
    cli::load,
    model::Keyed as _,
    render::{Gpu, Pair, Picture, Subject},
    scene::{
        Background, FormChoice, Frame, GHOST_COLOR, LightSettings, OrbitCamera, Overlay,
        Repertoire, Split, SplitWay, Transparency,
    },
};
use serde_json::json;

use super::{
    quad::renderer,
    transparency::{clear_glass, paint, quads},
};
use crate::common::{gpu, picture, to_image};

const CAMERA: [&str; 6] = ["--orbit", "30,80,4", "--target", "0,1,0", "--fov", "40"];

fn pip(gpu: &Gpu, clip: usize, time_secs: f64, typed: &[&str]) -> image::RgbaImage {
    let mut actor = Actor::new(load("builtin:Pip".as_ref()).unwrap().model);
    actor.pose_at(Some(clip), time_secs);
    actor.measure();
    let typed: Vec<_> = CAMERA.iter().chain(typed).copied().collect();
    to_image(&picture(gpu, &mut actor, &typed))
}

pub(super) fn frame<'a>(actor: &'a Actor, camera: &OrbitCamera, light: LightSettings) -> Frame<'a> {
    Frame {
        inspection: Default::default(),
        camera: camera.view(1.0),
        background: Background::Plain([0.2; 3]),
        variant: None,
        lighting: actor.lighting(light, true, None),
        layout: actor.layout(),
        palette: actor.palette(),
        crowd: actor.crowd(),
        properties: actor.properties(),
        draws: actor.draws(),
        overlay: None,
        grid: None,
        pixels_per_point: 1.0,
    }
}

fn clip_name(clip: usize) -> String {
    let model = load("builtin:Pip".as_ref()).unwrap().model;
    model.clips[clip].name().to_owned()
}

/// How many pixels of these columns differ, and where the first does.
pub(super) fn differing(
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

/// 4 before the origin, which it looks at.
fn from_ahead() -> OrbitCamera {
    OrbitCamera {
        target: Vec3::ZERO,
        azimuth_radians: 0.0,
        polar_radians: std::f32::consts::FRAC_PI_2,
        radius: 4.0,
        ..OrbitCamera::default()
    }
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
        assert_eq!(differing(&both, 81, &second, 1, 119), 0, "B, {background}");
        // Seen on the ground, and a grey where that is not known.
        let grey = if background == "none" { 136 } else { 224 };
        let is_line = |picture: &image::RgbaImage| {
            let mut rows = 0..picture.height();
            rows.all(|y| picture[(80, y)].0 == [grey, grey, grey, 255])
        };
        assert!(is_line(&both), "between them, {background}");

        let wipe = with(
            "200x120",
            &["--compare", &other, "--split", "wipe", "--split-at", "0.4"],
        );
        let wipe = draw(0, wipe);
        let first = draw(0, with("200x120", &[]));
        let second = draw(1, with("200x120", &[]));
        assert_eq!(differing(&wipe, 0, &first, 0, 80), 0, "A left of the line");
        assert_eq!(differing(&wipe, 81, &second, 81, 119), 0, "B right of it");
        assert!(is_line(&wipe), "the line, {background}");
        assert!(
            differing(&first, 0, &second, 0, 200) > 200,
            "the clips differ"
        );
    }
}

/// Halves are drawn larger and averaged: the line lies between two columns of what comes of it.
#[test]
fn the_line_lies_between_averaged_halves() {
    let Some(gpu) = gpu() else { return };
    let other = clip_name(1);
    let wiped = |at: &str| {
        let typed = [
            "--size",
            "201x120",
            "--scale",
            "2",
            "--background",
            "336699",
            "--time",
            "0.4",
            "--compare",
            &other,
            "--split",
            "wipe",
            "--split-at",
            at,
        ];
        pip(&gpu, 0, 0.4, &typed)
    };
    // All but a column at the end is of one.
    let (first, second) = (wiped("1"), wiped("0"));
    assert!(differing(&first, 100, &second, 100, 1) > 0, "they differ");
    // The middle of 201 columns is in one of them.
    let wipe = wiped("0.5");
    assert_eq!(differing(&wipe, 0, &first, 0, 101), 0, "A");
    assert_eq!(differing(&wipe, 102, &second, 102, 99), 0, "B");
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

/// Two of some actors, each with its frame.
pub(super) fn pair<'a>(
    actors: &'a [Actor; 2],
    frames: &'a [Frame<'a>; 2],
    which: [usize; 2],
    way: SplitWay,
    has_other_model: bool,
) -> Pair<'a> {
    let subjects = which.map(|index| Subject {
        model: actors[index].model(),
        frame: &frames[index],
    });
    let split = Split {
        way,
        ..Split::default()
    };
    Pair {
        subjects,
        has_other_model,
        split,
        column_width: 1,
        ghost: GHOST_COLOR,
    }
}

/// The matrices of crowds are written where the renderer reads them: those of the second must not come before the first is
/// drawn, nor be lost, however often the memory is used again.
#[test]
fn two_crowds_share_a_renderer() {
    let Some(gpu) = gpu() else { return };
    let crowd = |choice, time_secs| {
        let mut actor = Actor::new(load("builtin:Pip".as_ref()).unwrap().model);
        actor.set_form_choice(choice);
        actor.set_crowd(Repertoire::All, 20);
        actor.pose_crowd(time_secs, None);
        actor.estimate_bounds();
        actor
    };
    let actors = [(FormChoice::Full, 0.1), (FormChoice::Compact, 0.6)]
        .map(|(choice, time_secs)| crowd(choice, time_secs));
    let mut camera = OrbitCamera::default();
    camera.frame(&actors[0].bounds(), std::iter::empty(), 1.0);
    let frames = (actors.each_ref()).map(|actor| frame(actor, &camera, LightSettings::default()));
    let mut renderer = renderer(&gpu, &actors[0], None);
    let alone = [0, 1].map(|index| {
        let (model, frame) = (actors[index].model(), &frames[index]);
        to_image(&Picture::draw(&gpu, &mut renderer, model, frame, [80, 80]).unwrap())
    });
    assert!(
        differing(&alone[0], 0, &alone[1], 0, 80) > 200,
        "they are told apart"
    );
    let pair = pair(&actors, &frames, [0, 1], SplitWay::SideBySide, false);
    for turn in 0..5 {
        let both = Picture::draw_pair(&gpu, &mut renderer, &pair, [160, 80]).unwrap();
        let both = to_image(&both);
        for (index, alone) in alone.iter().enumerate() {
            let differing = differing(&both, 80 * index as u32, alone, 0, 80);
            assert_eq!(differing, 0, "turn {turn}, subject {index}");
        }
    }
}

/// What blends writes no depth by itself, yet has a ghost, in both ways of blending; and none over itself.
#[test]
fn blended_surfaces_have_ghosts() {
    let Some(gpu) = gpu() else { return };
    let at = |x: f64| {
        let place = json!({ "translation": [x, 0, 0], "scale": [0.4, 0.4, 1] });
        let mut actor = quads(&[(paint([0.2, 0.7, 0.2, 0.6]), place)]);
        actor.measure();
        actor
    };
    let actors = [at(-0.6), at(0.6)];
    let mut camera = OrbitCamera::default();
    let mut bounds = actors[0].bounds();
    bounds.max.x = 1.2;
    camera.frame(&bounds, std::iter::empty(), 1.0);
    for &transparency in Transparency::ALL {
        let light = LightSettings {
            transparency,
            ..LightSettings::default()
        };
        let frames = actors.each_ref().map(|actor| frame(actor, &camera, light));
        let mut renderer = renderer(&gpu, &actors[0], None);
        let alone = Picture::draw(&gpu, &mut renderer, actors[0].model(), &frames[0], [80, 80]);
        let alone = to_image(&alone.unwrap());
        for (above, least, most) in [(0, 0, 0), (1, 200, 6400)] {
            renderer.set_other_model(&gpu, Some(actors[above].model()));
            let pair = pair(&actors, &frames, [0, above], SplitWay::Overlay, true);
            let both = Picture::draw_pair(&gpu, &mut renderer, &pair, [80, 80]).unwrap();
            let differing = differing(&alone, 0, &to_image(&both), 0, 80);
            assert!((least..=most).contains(&differing), "{above}: {differing}");
        }
    }
}

/// What glass shows of the other side of a wipe's line is drawn there; the line may cut a block of four pixels.
#[test]
fn glass_looks_across_the_line_of_a_wipe() {
    let Some(gpu) = gpu() else { return };
    let mut rough = clear_glass();
    rough["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.7);
    let left = json!({ "translation": [-1, 0, 0] });
    let pane = json!({ "translation": [0, 0, 0.5], "scale": [2, 2, 1] });
    for covered in [rough, paint([0.2, 0.2, 0.8, 0.5])] {
        let [first, second] = [0, 1].map(|_| {
            let thing = (paint([0.9, 0.7, 0.2, 1.0]), left.clone());
            let mut actor = quads(&[thing, (covered.clone(), pane.clone())]);
            actor.measure();
            actor
        });
        let actors = [first, second];
        let camera = from_ahead();
        let light = LightSettings::default();
        let frames = actors.each_ref().map(|actor| frame(actor, &camera, light));
        let mut renderer = renderer(&gpu, &actors[0], None);
        let size = [66, 66];
        let alone = Picture::draw(&gpu, &mut renderer, actors[0].model(), &frames[0], size);
        let pair = pair(&actors, &frames, [0, 1], SplitWay::Wipe, false);
        let wipe = Picture::draw_pair(&gpu, &mut renderer, &pair, size);
        let [alone, wipe] = [alone, wipe].map(|picture| to_image(&picture.unwrap()));
        assert_eq!(differing(&alone, 0, &wipe, 0, 66), 0);
    }
}

/// A faint pane before both is not what they show: behind it they differ as much as without it.
#[test]
fn what_differs_behind_a_faint_pane_has_a_ghost() {
    let Some(gpu) = gpu() else { return };
    let at = |x: f64| {
        let thing = json!({ "translation": [x, 0, 0], "scale": [0.4, 0.4, 1] });
        let pane = json!({ "translation": [0, 0, 0.5], "scale": [2, 2, 1] });
        let mut actor = quads(&[
            (paint([0.2, 0.7, 0.2, 1.0]), thing),
            (paint([0.8, 0.8, 0.8, 0.1]), pane),
        ]);
        actor.measure();
        actor
    };
    let actors = [at(-0.6), at(0.6)];
    let mut camera = OrbitCamera::default();
    camera.frame(&actors[0].bounds(), std::iter::empty(), 1.0);
    for &transparency in Transparency::ALL {
        let light = LightSettings {
            transparency,
            ..LightSettings::default()
        };
        let frames = actors.each_ref().map(|actor| frame(actor, &camera, light));
        let mut renderer = renderer(&gpu, &actors[0], Some(&actors[1]));
        let alone = Picture::draw(&gpu, &mut renderer, actors[0].model(), &frames[0], [80, 80]);
        let alone = to_image(&alone.unwrap());
        let pair = pair(&actors, &frames, [0, 1], SplitWay::Overlay, true);
        let both = Picture::draw_pair(&gpu, &mut renderer, &pair, [80, 80]).unwrap();
        let differing = differing(&alone, 0, &to_image(&both), 0, 80);
        assert!(differing > 100, "{transparency:?}: {differing}");
    }
}

/// The skeleton without x-ray: glass and what blends never hide it, alone or under a ghost; what is opaque does.
#[test]
fn only_what_is_opaque_hides_bones() {
    let Some(gpu) = gpu() else { return };
    let before = json!({ "translation": [0, 0, 0.5] });
    let aside = json!({ "translation": [0.1, 0, 0.5] });
    let materials = [
        (paint([0.2, 0.7, 0.2, 0.7]), true),
        (clear_glass(), true),
        (paint([0.2, 0.7, 0.2, 1.0]), false),
    ];
    let mut bone = Overlay {
        is_hidden_by_scene: true,
        ..Overlay::default()
    };
    bone.line(-Vec3::X, Vec3::X, 9.0, [1.0, 0.0, 0.0, 1.0]);
    for (material, is_seen) in materials {
        let actors = [before.clone(), aside.clone()].map(|place| {
            let mut actor = quads(&[(material.clone(), place)]);
            actor.measure();
            actor
        });
        for &transparency in Transparency::ALL {
            let light = LightSettings {
                transparency,
                ..LightSettings::default()
            };
            let camera = from_ahead();
            let frames = actors.each_ref().map(|actor| Frame {
                overlay: Some(&bone),
                ..frame(actor, &camera, light)
            });
            let mut renderer = renderer(&gpu, &actors[0], Some(&actors[1]));
            let alone = Picture::draw(&gpu, &mut renderer, actors[0].model(), &frames[0], [80, 80]);
            let pair = pair(&actors, &frames, [0, 1], SplitWay::Overlay, true);
            let both = Picture::draw_pair(&gpu, &mut renderer, &pair, [80, 80]);
            for picture in [alone.unwrap(), both.unwrap()] {
                let [red, green, blue, _] = to_image(&picture)[(40, 40)].0;
                let is_red = red > 200 && green < 60 && blue < 60;
                assert_eq!(
                    is_red, is_seen,
                    "{material} {transparency:?}: {red} {green} {blue}"
                );
            }
        }
    }
}
