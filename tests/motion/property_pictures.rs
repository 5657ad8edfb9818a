//! What pictures show of properties that a clip moves.

use rigscope::app::Actor;
use rigscope::import::{self, Progress};
use rigscope::render::Picture;
use serde_json::{Value, json};

use super::properties::file;
use crate::common;

#[test]
fn the_picture_shows_the_material_in_force() {
    let Some(gpu) = common::gpu() else { return };
    let mut file = file(&[(
        "/materials/0/pbrMetallicRoughness/baseColorFactor",
        "VEC4",
        &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
    )]);
    file["materials"] =
        json!([{"pbrMetallicRoughness": {}, "extensions": {"KHR_materials_unlit": {}}}]);
    let import =
        import::load_bytes("made", file.to_string().as_bytes(), &Progress::default()).unwrap();
    let mut actor = Actor::new(import.model);
    let mut color = |clip, time_secs| {
        actor.pose_at(clip, time_secs);
        let picture: Picture = common::picture(
            &gpu,
            &mut actor,
            &["--size", "64x64", "--background", "none"],
        );
        let mut pixels = picture.rgba8.chunks(4).filter(|pixel| pixel[3] == 255);
        let first = pixels.next().unwrap();
        [first[0] > 128, first[1] > 128, first[2] > 128]
    };
    assert_eq!(color(Some(0), 0.0), [true, false, false]);
    assert_eq!(color(Some(0), 1.0), [false, true, false]);
    assert_eq!(color(None, 0.0), [true, true, true]);
}

#[test]
fn dispersion_that_comes_with_the_clip_is_seen() {
    let Some(gpu) = common::gpu() else { return };
    let pointer = "/materials/0/extensions/KHR_materials_dispersion/dispersion";
    let mut file = file(&[(pointer, "SCALAR", &[0.0, 8.0])]);
    file["extensionsUsed"]
        .as_array_mut()
        .unwrap()
        .push("KHR_materials_unlit".into());
    file["materials"] = json!([
        {
            "doubleSided": true,
            "pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 0},
            "extensions": {
                "KHR_materials_transmission": {"transmissionFactor": 1},
                "KHR_materials_volume": {"thicknessFactor": 0.5},
                "KHR_materials_dispersion": {"dispersion": 0},
            }
        },
        {"pbrMetallicRoughness": {}, "extensions": {"KHR_materials_unlit": {}}},
    ]);
    // Behind a pane of glass a white triangle, seen aslant.
    let mut behind: Value = file["meshes"][0].clone();
    behind["primitives"][0]["material"] = 1.into();
    file["meshes"].as_array_mut().unwrap().push(behind);
    file["nodes"] = json!([
        {"mesh": 0},
        {"mesh": 1, "translation": [0.2, 0.2, -0.3], "scale": [0.3, 0.3, 0.3]},
    ]);
    file["scenes"] = json!([{"nodes": [0, 1]}]);
    let text = file.to_string();
    let import = import::load_bytes("made", text.as_bytes(), &Progress::default()).unwrap();
    let mut actor = Actor::new(import.model);
    let mut shown = |time_secs| {
        actor.pose_at(Some(0), time_secs);
        let typed = [
            "--size",
            "200x200",
            "--background",
            "000000",
            "--orbit",
            "35,65,2",
            "--target",
            "0.3,0.3,0",
        ];
        common::picture(&gpu, &mut actor, &typed).rgba8
    };
    let (without, with) = (shown(0.0), shown(1.0));
    let pixels = without.chunks(4).zip(with.chunks(4));
    let differing = pixels
        .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 16))
        .count();
    assert!(differing > 20, "{differing} pixels differ");
}
