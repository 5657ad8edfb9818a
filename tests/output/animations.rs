//! Frames: how many, how large, how long, and each the still picture of its time.

use std::{fs, path::Path};

use base64::Engine as _;
use image::RgbaImage;

use super::read::{self, Seen};
use crate::{common::gpu, folder, names, render};

const SIZE: [u32; 2] = [96, 72];
const FRAMES: u32 = 5;
/// Neither whole nor a divisor of any format's ticks.
const FPS: f64 = 12.3;
const VIEW: [&str; 10] = [
    "builtin:Pip",
    "--clip",
    "Walk",
    "--size",
    "96x72",
    "--target",
    "0,0.8,0",
    "--orbit",
    "20,75,3",
    "--fov=40",
];

type Read = fn(&Path) -> Vec<Seen>;

/// The still picture of a frame's time.
fn still(folder: &Path, frame: u32, more: &[&str]) -> RgbaImage {
    let file = folder.join(format!("still_{frame}.png"));
    let time = (f64::from(frame) / FPS).to_string();
    let typed = ["--time", &time, "-o", file.to_str().unwrap()];
    render(&[&VIEW[..], &typed, more].concat()).unwrap();
    image::open(file).unwrap().into_rgba8()
}

/// An animation of the same.
fn moving(file: &Path, more: &[&str]) {
    let (frames, fps) = (FRAMES.to_string(), FPS.to_string());
    let typed = [
        "--frames",
        &frames,
        "--fps",
        &fps,
        "-o",
        file.to_str().unwrap(),
    ];
    render(&[&VIEW[..], &typed, more].concat()).unwrap();
}

fn check_times(seen: &[Seen], tick_secs: f64) {
    assert_eq!(seen.len(), FRAMES as usize);
    let mut sum = 0.0;
    for (frame, seen) in (1..).zip(seen) {
        assert_eq!([seen.picture.width(), seen.picture.height()], SIZE);
        sum += seen.secs;
        let exact = f64::from(frame) / FPS;
        assert!((sum - exact).abs() <= 0.51 * tick_secs, "{sum} for {exact}");
    }
}

/// Mean difference of a signal, of 255; that of alpha counts as well.
fn difference(a: &RgbaImage, b: &RgbaImage) -> f64 {
    let pairs = a.as_raw().iter().zip(b.as_raw());
    let sum: f64 = pairs.map(|(&a, &b)| f64::from(a.abs_diff(b))).sum();
    sum / a.as_raw().len() as f64
}

#[test]
fn frames_are_the_still_pictures_of_their_times() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("frames");
    let stills: Vec<_> = (0..FRAMES)
        .map(|frame| still(&folder, frame, &[]))
        .collect();
    assert!(difference(&stills[0], &stills[2]) > 1.0, "Pip walks");
    let file = |name: &str| folder.join(name);
    let formats: [(&str, Read, f64); 2] = [
        ("walk.apng", read::apng, 1e-4),
        ("walk.webp", read::webp, 1e-3),
    ];
    for (name, read, tick_secs) in formats {
        moving(&file(name), &[]);
        let seen = read(&file(name));
        check_times(&seen, tick_secs);
        for (frame, (seen, still)) in seen.iter().zip(&stills).enumerate() {
            assert!(seen.picture == *still, "{name}: frame {frame} is another");
        }
    }
    moving(&file("walk.gif"), &[]);
    let seen = read::gif(&file("walk.gif"));
    check_times(&seen, 1e-2);
    for (frame, (seen, still)) in seen.iter().zip(&stills).enumerate() {
        let difference = difference(&seen.picture, still);
        println!("GIF frame {frame}: mean difference {difference:.2}");
        assert!(difference < 2.5, "frame {frame}: {difference}");
    }
    moving(&file("walk_{:03}.png"), &[]);
    for (frame, still) in stills.iter().enumerate() {
        let numbered = image::open(file(&format!("walk_{frame:03}.png"))).unwrap();
        assert!(numbered.into_rgba8() == *still, "file {frame} is another");
    }
    assert!(names(&folder).iter().all(|name| !name.ends_with(".part")));
}

#[test]
fn what_ends_is_played_once() {
    if gpu().is_none() {
        return;
    }
    let file = folder("once").join("walk.gif");
    for (more, repeats) in [(&[][..], true), (&["--no-loop"], false)] {
        moving(&file, more);
        let bytes = fs::read(&file).unwrap();
        let is_said = bytes.windows(11).any(|it| it == b"NETSCAPE2.0");
        assert_eq!(is_said, repeats, "{more:?}");
    }
}

/// At the frames that its keys lie at, unless another rate is asked for.
#[test]
fn all_frames_of_a_clip_are_those_of_its_keys() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("whole");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let small = ["builtin:Pip", "--clip", "Wave", "--size", "16"];
    render(&[&small[..], &["-o", &file("wave.apng")]].concat()).unwrap();
    let seen = read::apng(&folder.join("wave.apng"));
    // 2.5 s at 24 frames a second.
    assert_eq!(seen.len(), 60);
    assert!(seen.iter().all(|it| (it.secs - 1.0 / 24.0).abs() < 1e-4));
    for (pattern, rate, count) in [
        ("a_{:03}.png", &[][..], 60),
        ("b_{}.png", &["--fps", "4"], 10),
    ] {
        render(&[&small[..], rate, &["-o", &file(pattern)]].concat()).unwrap();
        let first = &pattern[..2];
        let written = names(&folder).into_iter();
        assert_eq!(
            written.filter(|name| name.starts_with(first)).count(),
            count
        );
    }
}

#[test]
fn transparent_frames_leave_nothing_behind() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("transparent");
    let still = still(&folder, 3, &["--transparent"]);
    assert_eq!(still.get_pixel(0, 0).0[3], 0);
    for (name, read) in [("walk.apng", read::apng as Read), ("walk.webp", read::webp)] {
        let file = folder.join(name);
        moving(&file, &["--transparent"]);
        let seen = &read(&file)[3].picture;
        let is_same =
            |(a, b): (&image::Rgba<u8>, &image::Rgba<u8>)| a == b || a.0[3] == 0 && b.0[3] == 0;
        assert!(seen.pixels().zip(still.pixels()).all(is_same), "{name}");
    }
    let file = folder.join("walk.gif");
    moving(&file, &["--transparent"]);
    let seen = &read::gif(&file)[3].picture;
    for (seen, still) in seen.pixels().zip(still.pixels()) {
        assert_eq!(seen.0[3] > 0, still.0[3] >= 128);
    }
}

#[test]
fn two_runs_write_the_same_bytes() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("twice");
    for format in ["gif", "webp", "apng", "png", "jpg"] {
        let files = ["a", "b"].map(|run| folder.join(format!("{run}.{format}")));
        for file in &files {
            let typed = [
                "--frames",
                "3",
                "--turntable",
                "--scale",
                "2",
                "-o",
                file.to_str().unwrap(),
            ];
            let view = ["builtin:Pip", "--clip", "Wave", "--size", "64x48"];
            render(&[&view[..], &typed].concat()).unwrap();
        }
        if matches!(format, "png" | "jpg") {
            continue;
        }
        let [a, b] = files.map(|file| fs::read(file).unwrap());
        assert!(a == b, "{format}: {} and {} bytes", a.len(), b.len());
    }
    for frame in 0..3 {
        for format in ["png", "jpg"] {
            let read = |run| fs::read(folder.join(format!("{run}_{frame:04}.{format}"))).unwrap();
            assert!(read("a") == read("b"), "{format} {frame}");
        }
    }
}

/// The camera of several frames holds all of them and stands still; that of a turntable goes around.
#[test]
fn what_moves_stays_in_the_picture() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("framing");
    let file = folder.join("jump.webp");
    let typed = [
        "--clip",
        "Jump",
        "--size",
        "60x80",
        "--fps",
        "8",
        "--frames",
        "9",
        "--transparent",
    ];
    render(&[&["builtin:Pip", "-o", file.to_str().unwrap()], &typed[..]].concat()).unwrap();
    let jump = read::webp(&file);
    let mut tops = Vec::new();
    for seen in &jump {
        let drawn = seen
            .picture
            .enumerate_pixels()
            .filter(|(.., pixel)| pixel.0[3] > 0);
        let places: Vec<_> = drawn.map(|(x, y, _)| [x, y]).collect();
        let is_inside = |[x, y]: &[u32; 2]| (1..59).contains(x) && (1..79).contains(y);
        assert!(!places.is_empty() && places.iter().all(is_inside));
        tops.push(places.iter().map(|[_, y]| *y).min().unwrap());
    }
    assert!(
        tops.iter().max().unwrap() - tops.iter().min().unwrap() > 8,
        "{tops:?}"
    );
    let file = folder.join("turn.apng");
    let typed = [
        "--turntable",
        "--frames",
        "4",
        "--size",
        "48x48",
        "--transparent",
    ];
    render(&[&["builtin:Pip", "-o", file.to_str().unwrap()], &typed[..]].concat()).unwrap();
    let turn = read::apng(&file);
    assert!(difference(&turn[0].picture, &turn[2].picture) > 2.0);
    assert_eq!(turn.len(), 4);
}

#[test]
fn sheets_have_a_row_for_each_clip() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("sheet");
    let file = folder.join("sheet.png");
    render(&[
        "builtin:Pip",
        "--sheet",
        "3",
        "--size",
        "48x40",
        "-o",
        file.to_str().unwrap(),
    ])
    .unwrap();
    let sheet = image::open(&file).unwrap().into_rgba8();
    let clips = rigscope::app::built_in::load("Pip")
        .unwrap()
        .model
        .clips
        .len() as u32;
    assert_eq!(sheet.dimensions(), (3 * 48, clips * (24 + 40)));
    let ground = *sheet.get_pixel(0, 0);
    for clip in 0..clips {
        let rows = |from: u32, to: u32| {
            let pixels = sheet.enumerate_pixels();
            let top = clip * 64;
            pixels.filter(move |(_, y, _)| (top + from..top + to).contains(y))
        };
        let name = rows(0, 24).filter(|(.., pixel)| **pixel != ground).count();
        assert!(name > 20, "clip {clip} has a name of {name} pixels");
        for pose in 0..3 {
            let in_cell = rows(24, 64).filter(|(x, ..)| x / 48 == pose);
            let drawn = in_cell.filter(|(.., pixel)| **pixel != ground).count();
            assert!(drawn > 100, "clip {clip}, pose {pose}: {drawn}");
        }
    }
}

/// A file with a node and a clip that lasts so many seconds.
fn lasting(secs: &str) -> String {
    let time: f32 = secs.parse().unwrap();
    let data = [0.0, time, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0].map(f32::to_le_bytes);
    let data = base64::engine::general_purpose::STANDARD.encode(data.as_flattened());
    format!(
        r#"{{
            "asset": {{ "version": "2.0" }},
            "scenes": [{{ "nodes": [0] }}],
            "nodes": [{{ "name": "a" }}],
            "skins": [{{ "joints": [0] }}],
            "animations": [{{
                "samplers": [{{ "input": 0, "output": 1 }}],
                "channels": [{{ "sampler": 0, "target": {{ "node": 0, "path": "translation" }} }}]
            }}],
            "accessors": [
                {{ "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [{secs}] }},
                {{ "bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3" }}
            ],
            "bufferViews": [{{ "buffer": 0, "byteLength": 32 }}],
            "buffers": [{{ "byteLength": 32, "uri": "data:application/octet-stream;base64,{data}" }}]
        }}"#
    )
}

#[test]
fn what_cannot_be_meant_is_refused() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("refused");
    let refusal = |name: &str, typed: &[&str]| {
        let file = folder.join(name);
        let typed = [&["builtin:Pip", "-o", file.to_str().unwrap()], typed].concat();
        format!("{:#}", render(&typed).unwrap_err())
    };
    assert!(refusal("a.gif", &["--frames", "5"]).starts_with("5 frames need --clip"));
    let still = refusal("a.gif", &[]);
    assert!(
        still.contains("--clip (\"Idle\", ") && still.contains("--frames 1"),
        "{still}"
    );
    assert!(refusal("a.apng", &["--turntable", "--frames", "1"]).contains("needs --frames"));
    assert!(refusal("a.bmp", &[]).contains("--format"));
    let timeless = refusal("a.png", &["--time", "0.3"]);
    assert!(timeless.contains("needs --clip (\"Idle\", "), "{timeless}");
    assert!(refusal("a.jpg", &["--transparent"]).contains("JPEG"));
    assert!(refusal("a.png", &["--camera", "none"]).contains("no camera"));
    assert!(refusal("a.png", &["--blur", "0.5"]).contains("--background environment"));
    assert!(refusal("a.png", &["--joint", "0"]).contains("--view weights"));
    assert!(refusal("a.png", &["--exposure", "nan"]).contains("--exposure"));
    // What nothing would come of is not passed over without a word.
    for (typed, needed) in [
        (&["--weight-colors", "viridis"][..], "--view weights"),
        (&["--palette", "full"], "--crowd"),
        (&["--palette", "full", "--crowd", "1"], "--crowd"),
        (&["--fps", "12"], "several frames"),
        (
            &["--fps", "12", "--clip", "Walk", "--frames", "1"],
            "several frames",
        ),
        (&["--no-loop", "--clip", "Walk"], "several frames"),
        (&["--ground", "--view", "depth"], "--view lit"),
        (&["--exposure", "1", "--view", "normal"], "--view lit"),
        (&["--no-shadows", "--view", "uv"], "--view lit"),
        (
            &[
                "--split-at",
                "0.3",
                "--compare",
                "Walk",
                "--split",
                "overlay",
            ],
            "--split side",
        ),
        (&["--by-phase", "--compare", "dual-quaternion"], "two clips"),
        (&["--by-phase", "--compare", "Walk"], "two clips: --clip"),
        (
            &[
                "--by-phase",
                "--clip",
                "Walk",
                "--compare",
                "builtin:Windmill",
            ],
            "two clips: Windmill",
        ),
        (
            &[
                "--framing",
                "pose",
                "--orbit",
                "0,90,4",
                "--target",
                "0,1,0",
            ],
            "--target",
        ),
    ] {
        let refused = refusal("a.png", typed);
        let says = format!("{} needs ", typed[0]);
        assert!(refused.starts_with(&says), "{refused}");
        assert!(refused.contains(needed), "{refused}");
    }
    let still = refusal("a.png", &["--framing", "motion"]);
    assert!(
        still.starts_with("--framing motion needs --clip (\"Idle\""),
        "{still}"
    );
    for keeps_away in [&["--no-shadows"][..], &["--quality", "low"]] {
        let refused = refusal("a.png", &[&["--ground"], keeps_away].concat());
        assert!(refused.contains(&keeps_away.join(" ")), "{refused}");
    }
    let numbered = refusal("{}.gif", &["--fps", "12"]);
    assert!(numbered.contains("several frames"), "{numbered}");
    assert!(refusal("{:03}.png", &["--sheet", "3"]).contains("one picture"));
    for option in [&["--time", "0.5"][..], &["--fps", "12"], &["--no-loop"]] {
        let refused = refusal("a.png", &[&["--sheet", "3"], option].concat());
        assert!(refused.contains("--sheet"), "{refused}");
    }
    for (kind, number) in [("--sheet", "3"), ("--crowd", "4")] {
        for option in [
            &["--split", "wipe"][..],
            &["--split-at", "0.2"],
            &["--by-phase"],
        ] {
            let refused = refusal("a.png", &[&[kind, number], option].concat());
            assert!(refused.contains("cannot be used with"), "{refused}");
        }
    }
    assert!(refusal("a{}_{:02}.png", &[]).contains("several places"));
    let others = crate::folder("refused_others");
    let (bare, animation) = (others.join("bare.gltf"), others.join("a.webp"));
    let nodes =
        r#""scenes": [{ "nodes": [0] }], "nodes": [{ "name": "a" }], "skins": [{ "joints": [0] }]"#;
    fs::write(
        &bare,
        format!(r#"{{ "asset": {{ "version": "2.0" }}, {nodes} }}"#),
    )
    .unwrap();
    let days = others.join("days.gltf");
    fs::write(&days, lasting("1e6")).unwrap();
    let [bare, animation, days] = [&bare, &animation, &days].map(|path| path.to_str().unwrap());
    let refused = render(&[days, "--clip", "0", "-o", animation, "--format", "apng"]).unwrap_err();
    assert!(refused.to_string().contains("--frames"), "{refused}");
    fs::remove_file(days).unwrap();
    for more in [
        &["--frames", "9"][..],
        &["--format", "gif"],
        &["--frames", "9", "--crowd", "4"],
    ] {
        let refused = render(&[&[bare, "-o", animation], more].concat()).unwrap_err();
        let refused = refused.to_string();
        assert!(refused.contains(" --turntable"), "{refused}");
        assert!(refused.ends_with("has no clips"), "{refused}");
    }
    assert_eq!(names(&others), ["bare.gltf"]);
    let other = others.join("broken.gltf");
    let nodes = r#""scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }]"#;
    let meshes = r#""meshes": [{ "primitives": [{ "attributes": { "POSITION": 7 } }] }]"#;
    let broken = format!(r#"{{ "asset": {{ "version": "2.0" }}, {nodes}, {meshes} }}"#);
    fs::write(&other, broken).unwrap();
    let fault = refusal("a.png", &["--compare", other.to_str().unwrap()]);
    assert!(fault.contains("broken.gltf: Nothing of it"), "{fault}");
    assert!(refusal("none/a.png", &["--size", "8"]).contains("cannot be written"));
    assert!(names(&folder).is_empty());
    assert!(render(&["builtin:Pip"]).is_err());
    assert!(render(&["builtin:Pip", "-o", "a.png", "--shard", "0/2"]).is_err());
}

/// Once through the clip, also where many play it, or only what stands beside.
#[test]
fn moving_pictures_of_crowds_and_of_what_stands_beside_are_once_through_the_clip() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("once_through");
    let frames = |typed: &[&str]| {
        let file = folder.join("a.apng");
        let out = ["builtin:Pip", "-o", file.to_str().unwrap()];
        let small = ["--size", "32x32", "--fps", "6"];
        render(&[&out[..], &small, typed].concat()).unwrap();
        read::apng(&file).len()
    };
    let alone = frames(&["--clip", "Walk"]);
    assert!(alone > 3);
    assert_eq!(frames(&["--clip", "Walk", "--crowd", "4"]), alone);
    assert_eq!(frames(&["--compare", "Walk"]), alone);
    assert!(frames(&["--crowd", "4"]) >= alone, "the longest of all");
    // Beside what stands still another moves.
    assert_eq!(frames(&["--compare", "Walk", "--frames", "3"]), 3);
}
