//! What is told of files whose shapes and joints move alike, and which look different all the same.

use base64::Engine as _;
use rigscope::{
    app::Actor,
    cli::{compare::Comparison, load},
};
use serde_json::{Value, json};

use super::common;

/// Floats of the buffer: where each accessor begins, its type and its number of elements.
const ACCESSORS: [(usize, &str, usize); 7] = [
    (0, "VEC3", 4),
    (12, "VEC3", 4),
    (24, "VEC2", 4),
    (32, "VEC4", 4),
    (48, "VEC3", 4),
    (60, "SCALAR", 2),
    (62, "VEC4", 2),
];
const NORMALS: usize = 12;
const TEX_COORDS: usize = 24;
const COLORS: usize = 32;
const LAST_COLOR: usize = 66;

/// A square with all attributes and a morph target, on two nodes, whose material turns green in a second.
fn square(name: &str, change: impl FnOnce(&mut Value, &mut Vec<f32>)) -> Actor {
    let mut floats = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    floats.extend([0.0, 0.0, 1.0].repeat(4));
    floats.extend([0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    floats.extend([1.0; 16]);
    floats.extend([0.0, 0.0, 0.5].repeat(4));
    floats.extend([0.0, 1.0]);
    floats.extend([1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    let ends = ACCESSORS.iter().skip(1).map(|(start, ..)| *start);
    let ends = ends.chain([floats.len()]);
    let views: Vec<_> = ACCESSORS
        .iter()
        .zip(ends)
        .map(|((start, ..), end)| {
            json!({ "buffer": 0, "byteOffset": 4 * start, "byteLength": 4 * (end - start) })
        })
        .collect();
    let mut view = 0;
    let accessors = ACCESSORS.map(|(start, kind, count)| {
        let mut accessor = json!({
            "bufferView": view, "componentType": 5126, "type": kind, "count": count,
        });
        view += 1;
        match start {
            48 => (accessor["min"], accessor["max"]) = (json!([0, 0, 0.5]), json!([0, 0, 0.5])),
            0 => (accessor["min"], accessor["max"]) = (json!([0, 0, 0]), json!([1, 1, 0])),
            60 => (accessor["min"], accessor["max"]) = (json!([0]), json!([1])),
            _ => {}
        }
        accessor
    });
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let mut file = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_animation_pointer"],
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "name": "left", "mesh": 0 }, { "name": "right", "mesh": 0, "translation": [2, 0, 0] }],
        "materials": [{ "name": "Paint", "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }],
        "meshes": [{
            "primitives": [{
                "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "COLOR_0": 3 },
                "targets": [{ "POSITION": 4 }],
                "mode": 6,
                "material": 0,
            }],
            "weights": [0],
            "extras": { "targetNames": ["Smile"] },
        }],
        "animations": [{
            "name": "Turn green",
            "samplers": [{ "input": 5, "output": 6 }],
            "channels": [{
                "sampler": 0,
                "target": { "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } } },
            }],
        }],
        "accessors": accessors,
        "bufferViews": views,
    });
    change(&mut file, &mut floats);
    let bytes: Vec<u8> = floats
        .iter()
        .flat_map(|float| float.to_le_bytes())
        .collect();
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    file["buffers"] = json!([{
        "byteLength": 4 * floats.len(),
        "uri": format!("data:application/octet-stream;base64,{data}"),
    }]);
    let path = common::artefacts("compare").join(name);
    std::fs::write(&path, file.to_string()).unwrap();
    let import = load(&path).unwrap();
    assert!(!import.has_errors(), "{:?}", import.diagnostics);
    Actor::new(import.model)
}

/// The lines between the first, which names the files, and the verdict, but those of the nodes and of clips that are the same.
fn told(second: &Actor) -> Vec<String> {
    // In a file of its own: tests run at once.
    let first = square(&format!("beside_{}", second.model().name), |_, _| ());
    let comparison = Comparison::new([&first, second], 1e-4);
    let text = comparison.to_text();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let lines = &lines[1..lines.len() - 1];
    let is_other = |line: &&&str| !line.starts_with("nodes") && !line.ends_with("the same");
    let lines: Vec<_> = lines
        .iter()
        .filter(is_other)
        .map(|line| (*line).to_owned())
        .collect();
    assert_eq!(comparison.is_same(), lines.is_empty(), "{text}");
    lines
}

#[test]
fn attributes_are_compared_number_by_number() {
    assert!(told(&square("square_again.gltf", |_, _| ())).is_empty());
    let changed = |name: &str, at: usize, to: f32| told(&square(name, |_, floats| floats[at] = to));
    assert_eq!(
        changed("square_uv.gltf", TEX_COORDS, 0.25),
        ["mesh 0: 1 vertex has other texture coordinates by up to 0.250"]
    );
    // A picture that is tiled five hundred times is shifted all the same.
    let tiled = |name: &str, u: f32| square(name, |_, floats| floats[TEX_COORDS] = u);
    let [first, second] =
        [("tiled.gltf", 500.0), ("shifted.gltf", 500.25)].map(|(name, u)| tiled(name, u));
    let text = Comparison::new([&first, &second], 1e-3).to_text();
    assert!(
        text.contains("1 vertex has other texture coordinates by up to 0.250"),
        "{text}"
    );
    assert_eq!(
        changed("square_color.gltf", COLORS + 5, 0.5),
        ["mesh 0: 1 vertex has other colours by up to 0.500"]
    );
    let turned = told(&square("square_normals.gltf", |_, floats| {
        for vertex in 0..4 {
            floats[NORMALS + 3 * vertex + 2] = -1.0;
        }
    }));
    assert_eq!(
        turned,
        ["mesh 0: 4 vertices have other normals by up to 2.000"]
    );
    let bare = square("square_bare.gltf", |file, _| {
        let attributes = file["meshes"][0]["primitives"][0]["attributes"].as_object_mut();
        attributes.unwrap().remove("COLOR_0");
    });
    assert_eq!(
        told(&bare),
        ["mesh 0: 4 vertices have colours in one alone"]
    );
    let first = square("square.gltf", |_, _| ());
    let report = Comparison::new([&first, &bare], 1e-4).to_json();
    let expected = json!([{ "attribute": "COLOR_0", "vertices": 4, "difference": null }]);
    assert_eq!(report["meshes"][0]["attributes"], expected);
}

#[test]
fn what_a_clip_does_to_a_material_is_compared() {
    let blue = square("square_blue.gltf", |_, floats| {
        floats[LAST_COLOR + 1] = 0.0;
        floats[LAST_COLOR + 2] = 1.0;
    });
    let lines = told(&blue);
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let expected = [
        "clip \"Turn green\": differs".to_owned(),
        format!("{pointer}: 1.000000 apart at 1.0000 s"),
    ];
    assert_eq!(lines, expected);
    // One that moves nothing leaves the file's own.
    let still = told(&square("square_still.gltf", |file, _| {
        let pointer = "/materials/0/pbrMetallicRoughness/roughnessFactor";
        let clip = &mut file["animations"][0];
        clip["channels"][0]["target"]["extensions"] =
            json!({ "KHR_animation_pointer": { "pointer": pointer } });
        clip["samplers"][0]["output"] = json!(ACCESSORS.len());
        let times = file["accessors"][5].clone();
        file["accessors"].as_array_mut().unwrap().push(times);
    }));
    assert!(still.iter().any(|line| line == &expected[1]), "{still:?}");
}

#[test]
fn nodes_out_of_the_scene_and_names_of_targets_are_told() {
    let one = square("square_one.gltf", |file, _| {
        file["scenes"][0]["nodes"] = json!([0]);
    });
    let expected = ["node \"right\": in the scene that is shown yes and no"];
    assert_eq!(told(&one), expected);
    let frown = square("square_frown.gltf", |file, _| {
        file["meshes"][0]["extras"]["targetNames"] = json!(["Frown"]);
    });
    assert_eq!(
        told(&frown),
        ["mesh 0: extras/targetNames/0 \"Smile\" and \"Frown\""]
    );
}

#[test]
fn a_clip_of_another_name_is_found_by_its_keys() {
    let other = square("square_renamed.gltf", |file, floats| {
        file["animations"][0]["name"] = json!("Grow green");
        floats[LAST_COLOR + 2] = 0.5;
    });
    let lines = told(&other);
    assert_eq!(
        lines[0],
        "clip \"Turn green\": differs, and is called \"Grow green\""
    );
    assert!(
        lines[1].ends_with("0.500000 apart at 1.0000 s"),
        "{lines:?}"
    );
}

/// The square whose vertices are joined otherwise than by a fan.
fn joined(name: &str, mode: u32, indices: &[u32]) -> Actor {
    square(name, |file, floats| {
        file["bufferViews"].as_array_mut().unwrap().push(json!({
            "buffer": 0, "byteOffset": 4 * floats.len(), "byteLength": 4 * indices.len(),
        }));
        file["accessors"].as_array_mut().unwrap().push(json!({
            "bufferView": ACCESSORS.len(), "componentType": 5125, "type": "SCALAR", "count": indices.len(),
        }));
        let primitive = &mut file["meshes"][0]["primitives"][0];
        primitive["indices"] = json!(ACCESSORS.len());
        primitive["mode"] = json!(mode);
        floats.extend(indices.iter().map(|&index| f32::from_bits(index)));
    })
}

#[test]
fn what_vertices_are_joined_to_is_compared() {
    let told_of = |name: &str, mode: u32, indices: &[u32]| told(&joined(name, mode, indices));
    // The same in another order, and as a strip.
    let nothing: [&str; 0] = [];
    assert_eq!(told_of("square_list.gltf", 4, &[2, 3, 0, 1, 2, 0]), nothing);
    assert_eq!(told_of("square_strip.gltf", 5, &[1, 2, 0, 3]), nothing);
    assert_eq!(
        told_of("square_turned.gltf", 4, &[0, 2, 1, 0, 2, 3]),
        ["mesh 0: 1 triangle faces the other way"]
    );
    assert_eq!(
        told_of("square_hole.gltf", 4, &[0, 1, 2, 1, 2, 3]),
        ["mesh 0: 1 shape joins other vertices"]
    );
    assert_eq!(
        told_of("square_twice.gltf", 4, &[0, 1, 2, 0, 1, 2]),
        ["mesh 0: 1 shape joins other vertices"]
    );
    let [lines, points] = [
        ("square_lines.gltf", 1, &[0, 1, 2, 3][..]),
        ("square_points.gltf", 0, &[0, 1, 2, 3]),
    ]
    .map(|(name, mode, indices)| joined(name, mode, indices));
    let between =
        |a: &Actor, b: &Actor| Comparison::new([a, b], 1e-4).to_json()["meshes"][0].clone();
    assert_eq!(between(&lines, &points)["joined_otherwise"], json!(4));
    assert_eq!(between(&points, &lines)["same"], json!(false));
    // However much vertices may be apart, they are not one place.
    let turned = joined("square_turned_again.gltf", 4, &[0, 2, 1, 0, 2, 3]);
    let square = square("square_unturned.gltf", |_, _| ());
    let tolerant = Comparison::new([&square, &turned], 1.0).to_json();
    assert_eq!(tolerant["meshes"][0]["turned"], json!(1));
    let reversed = joined("square_reversed_lines.gltf", 1, &[3, 2, 1, 0]);
    assert_eq!(between(&lines, &reversed)["same"], json!(true));
}

/// Vertices in another order, and each for one triangle alone.
#[test]
fn what_vertices_are_joined_to_is_compared_by_their_places() {
    let soup = |name: &str, corners: [usize; 6], shift: f32| {
        square(name, |file, floats| {
            for ((start, kind, count), place) in ACCESSORS.into_iter().zip(0..5) {
                let numbers = ["SCALAR", "?", "VEC2", "VEC3", "VEC4"];
                let size = numbers.iter().position(|it| *it == kind).unwrap_or(0);
                assert!(size > 1 && count == 4);
                let at = floats.len();
                if place == 0 {
                    floats[0] += shift;
                }
                for corner in corners {
                    floats.extend_from_within(start + size * corner..start + size * (corner + 1));
                }
                file["bufferViews"].as_array_mut().unwrap().push(json!({
                    "buffer": 0, "byteOffset": 4 * at, "byteLength": 4 * 6 * size,
                }));
                file["accessors"][place]["bufferView"] = json!(ACCESSORS.len() + place);
                file["accessors"][place]["count"] = json!(6);
            }
            file["meshes"][0]["primitives"][0]["mode"] = json!(4);
        })
    };
    let vertices = "vertices      4 and 6";
    let same = told(&soup("soup.gltf", [2, 3, 0, 1, 2, 0], 0.0));
    assert_eq!(same, [vertices]);
    let turned = told(&soup("soup_turned.gltf", [3, 2, 0, 1, 2, 0], 0.0));
    assert_eq!(turned, [vertices, "mesh 0: 1 triangle faces the other way"]);
    let other = told(&soup("soup_other.gltf", [2, 3, 1, 1, 2, 0], 0.0));
    assert_eq!(other, [vertices, "mesh 0: 1 shape joins other vertices"]);
    // What is elsewhere is said once.
    let moved = soup("soup_moved.gltf", [2, 3, 0, 1, 2, 0], 0.1);
    let lines = told(&moved);
    assert_eq!((lines.len(), &*lines[0]), (2, vertices));
    let words = "mesh 0: 2 vertices are elsewhere by up to ";
    assert!(lines[1].starts_with(words), "{lines:?}");
    let first = square("square_unmoved.gltf", |_, _| ());
    let report = Comparison::new([&first, &moved], 1e-4).to_json();
    let distance = report["meshes"][0]["distance"].as_f64().unwrap();
    assert!((distance - 0.1).abs() < 1e-6, "{distance}");
}
