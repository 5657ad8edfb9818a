//! Materials, pictures and lights of files: which differ, and in what.

use std::{fs, io::Cursor, path::PathBuf};

use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};
use rigscope::cli::compare::Comparison;
use serde_json::{Value, json};

use super::{Glb, PIP, common, lost::run};

#[test]
fn a_changed_material_is_named_with_both_values() {
    let first = common::actor(std::path::Path::new(PIP));
    let mut glb = Glb::read(PIP);
    let material = &mut glb.json["materials"][0];
    let name = material["name"].as_str().unwrap().to_owned();
    let own = material["pbrMetallicRoughness"]["roughnessFactor"]
        .as_f64()
        .unwrap();
    material["pbrMetallicRoughness"]["roughnessFactor"] = json!(own - 0.125);
    material["doubleSided"] = json!(true);
    let second = glb.write("rough.glb");
    let comparison = Comparison::new([&first, &second], 1e-4);
    assert!(!comparison.is_same());
    let (text, report) = (comparison.to_text(), comparison.to_json());
    let [a, b] = [own, own - 0.125].map(|it| it as f32);
    for line in [
        format!("  material {name:?}: roughnessFactor {a} and {b}\n"),
        format!("  material {name:?}: doubleSided no and yes\n"),
    ] {
        assert!(text.contains(&line), "{text}");
    }
    let properties = report["properties"].as_array().unwrap();
    assert_eq!(properties.len(), 2, "{properties:?}");
    let expected = json!({
        "kind": "material",
        "name": name,
        "index": [0, 0],
        "property": "doubleSided",
        "values": [false, true],
        "difference": null,
        "note": "",
    });
    assert_eq!(properties[0], expected);
    assert_eq!(
        properties[1]["property"],
        "pbrMetallicRoughness/roughnessFactor"
    );
    assert_eq!(properties[1]["values"], json!([a, b]));
    assert!((properties[1]["difference"].as_f64().unwrap() - 0.125).abs() < 1e-6);
    // What is tolerated is no difference; yes and no always are.
    let tolerant = Comparison::new([&first, &second], 0.2).to_json();
    assert_eq!(tolerant["properties"], json!([expected]));
}

#[test]
fn what_one_alone_has_of_materials_and_lights_is_listed() {
    let first = common::actor(std::path::Path::new(PIP));
    let mut glb = Glb::read(PIP);
    glb.json["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    let lights = json!([{ "type": "point", "name": "Lamp" }, { "type": "directional" }]);
    glb.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": lights } });
    let head = glb.node("Pip_Head");
    glb.json["nodes"][head]["extensions"] = json!({ "KHR_lights_punctual": { "light": 0 } });
    let second = glb.write("lit.glb");
    let comparison = Comparison::new([&first, &second], 1e-4);
    let (text, report) = (comparison.to_text(), comparison.to_json());
    assert_eq!(
        report["parts"]["lights"]["only_second"],
        json!(["Lamp", "light 1"])
    );
    assert_eq!(report["parts"]["materials"]["only_first"], json!([]));
    assert!(
        text.contains("has the lights \"Lamp\", light 1\n"),
        "{text}"
    );
    let line = "  node \"Pip_Head\": light none and \"Lamp\"\n";
    assert!(text.contains(line), "{text}");
    assert!(!comparison.is_same());
}

/// What `--scene` shows is compared, whichever scene is the file's own.
#[test]
fn scenes_that_are_not_shown_at_first_are_compared() {
    let write = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut glb = Glb::read(PIP);
        let root = glb.json["scenes"][0]["nodes"][0].clone();
        let lamps = json!([{ "name": "Left" }, { "name": "Right" }]);
        let nodes = glb.json["nodes"].as_array_mut().unwrap();
        let place = nodes.len();
        nodes.extend(lamps.as_array().unwrap().iter().cloned());
        glb.json["scenes"] = json!([
            { "name": "Stage", "nodes": [root] },
            { "name": "Lamps", "nodes": [place] },
        ]);
        change(&mut glb.json);
        glb.write(name)
    };
    let first = write("scenes.glb", &|_| {});
    let second = write("scenes-other-root.glb", &|json| {
        let place = json["scenes"][1]["nodes"][0].as_u64().unwrap();
        json["scenes"][1]["nodes"] = json!([place + 1]);
    });
    let comparison = Comparison::new([&first, &second], 1e-4);
    let (text, report) = (comparison.to_text(), comparison.to_json());
    let line = "  scene \"Lamps\": nodes 1 and 1, only the first shows \"Left\", only the second shows \"Right\"\n";
    assert!(text.contains(line), "{text}");
    assert!(!comparison.is_same());
    assert_eq!(report["properties"][0]["kind"], "scene");
    assert_eq!(report["parts"]["scenes"]["matched"], 2);
    let third = write("scenes-one-more.glb", &|json| {
        let roots = json["scenes"][1]["nodes"].clone();
        let more = json!({ "name": "More", "nodes": roots });
        json["scenes"].as_array_mut().unwrap().push(more);
    });
    let comparison = Comparison::new([&first, &third], 1e-4);
    let (text, report) = (comparison.to_text(), comparison.to_json());
    assert!(text.contains("has the scene \"More\"\n"), "{text}");
    assert_eq!(report["parts"]["scenes"]["only_second"], json!(["More"]));
    assert!(!comparison.is_same());
}

/// A triangle with a picture that lies beside it.
fn with_picture(name: &str, picture: Option<&[u8]>, sampler: Value) -> PathBuf {
    let folder = common::artefacts("compare");
    if let Some(picture) = picture {
        fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }
    let text = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "hip" }],
        "materials": [{
            "name": "Skin",
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } },
            "emissiveTexture": { "index": 0 },
        }],
        "textures": [{ "source": 0, "sampler": 0 }],
        "samplers": [sampler],
        "images": [{ "uri": format!("{name}.png") }],
    });
    let path = folder.join(format!("{name}.gltf"));
    fs::write(&path, text.to_string()).unwrap();
    path
}

fn png(picture: impl Into<DynamicImage>) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture
        .into()
        .write_to(&mut file, ImageFormat::Png)
        .unwrap();
    file.into_inner()
}

/// Exit code, and standard output without its first and its last line.
fn compared(files: [&PathBuf; 2]) -> (Option<i32>, Vec<String>) {
    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = process.arg("compare").args(files).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("  material"));
    (output.status.code(), lines.map(str::to_owned).collect())
}

#[test]
fn pictures_are_told_apart_by_their_texels() {
    let color = |x: u32, y: u32| [(4 * x) as u8, (4 * y) as u8, 70];
    let rgb = RgbImage::from_fn(64, 64, |x, y| image::Rgb(color(x, y)));
    let mut rgba = RgbaImage::from_fn(64, 64, |x, y| {
        let [red, green, blue] = color(x, y);
        image::Rgba([red, green, blue, 255])
    });
    let usual = || json!({});
    let first = with_picture("first", Some(&png(rgb)), usual());
    let repacked = with_picture("repacked", Some(&png(rgba.clone())), usual());
    assert_eq!(compared([&first, &repacked]), (Some(0), Vec::new()));
    rgba.get_pixel_mut(7, 9).0[2] = 70 + 51;
    let other = with_picture("other", Some(&png(rgba)), usual());
    let line = |slot: &str| {
        format!(
            "  material \"Skin\": {slot} \"first.png\" and \"other.png\", another picture, 0.024% of the texels differ by up \
             to 0.200"
        )
    };
    let lines = ["baseColorTexture", "emissiveTexture"].map(line);
    assert_eq!(compared([&first, &other]), (Some(1), lines.to_vec()));
    let small = RgbImage::from_pixel(2, 1, image::Rgb([0; 3]));
    let small = with_picture("small", Some(&png(small)), json!({ "wrapS": 33071 }));
    let (code, lines) = compared([&first, &small]);
    assert_eq!((code, lines.len()), (Some(1), 4), "{lines:?}");
    assert!(
        lines[0].ends_with("another picture, 64 × 64 and 2 × 1 texels large"),
        "{lines:?}"
    );
    let sampler = "  material \"Skin\": baseColorTexture/sampler/wrapS REPEAT and CLAMP_TO_EDGE";
    assert_eq!(lines[1], sampler);
}

#[test]
fn pictures_that_are_not_there_are_no_match() {
    let lost = ["picture_lost", "picture_lost_too"].map(|name| with_picture(name, None, json!({})));
    let (code, said) = run("compare", &[&lost[0], &lost[1]]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("picture_lost.png"), "{said}");
    let there = RgbImage::from_pixel(2, 1, image::Rgb([0; 3]));
    let there = with_picture("picture_there", Some(&png(there)), json!({}));
    let (code, lines) = compared([&lost[0], &there]);
    // Without its picture there is no map of emission.
    assert_eq!((code, lines.len()), (Some(1), 2), "{lines:?}");
    assert!(lines[0].ends_with("another picture"), "{lines:?}");
}
