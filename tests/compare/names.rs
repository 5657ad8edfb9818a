//! Names: of meshes, by which these are found, and long ones in the text of a comparison.

use std::path::Path;

use rigscope::cli::compare::Comparison;
use serde_json::{Value, json};

use super::{Glb, PIP, common};

/// Names that no line bears are cut in the text, whatever they are of; JSON has them whole.
#[test]
fn long_names_are_cut_in_every_line() {
    let long = "a".repeat(100);
    let write = |file: &str, change: &dyn Fn(&mut Value)| {
        let mut glb = Glb::read(PIP);
        for kind in ["nodes", "meshes", "materials", "animations", "skins"] {
            for it in glb.json[kind].as_array_mut().unwrap() {
                it["name"] = json!(format!("{long}{}", it["name"].as_str().unwrap_or_default()));
            }
        }
        change(&mut glb.json);
        glb.write(file)
    };
    let first = write("long-names.glb", &|_| {});
    let second = write("long-names-too.glb", &|json| {
        let joint = json["skins"][0]["joints"][8].as_u64().unwrap() as usize;
        json["nodes"][joint]["rotation"] = json!([0.6, 0.0, 0.0, 0.8]);
        json["nodes"][joint]["name"] = json!(format!("{long}another"));
        json["animations"][0]["name"] = json!(format!("{long}another"));
        json["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.123);
        json["materials"][1]["name"] = json!(format!("{long}another"));
    });
    let comparison = Comparison::new([&first, &second], 1e-4);
    let (text, report) = (comparison.to_text(), comparison.to_json().to_string());
    let cut = format!("{}…", &long[..80]);
    for line in text.lines().filter(|line| line.contains("aaa")) {
        assert!(!line.contains(&long[..81]) && line.contains(&cut), "{line}");
    }
    for words in ["with other names", "is called", "roughnessFactor", "turned"] {
        let line = text.lines().find(|line| line.contains(words));
        assert!(
            line.is_some_and(|line| line.contains(&cut)),
            "{words}: {text}"
        );
    }
    assert!(report.contains(&long));
}

/// Exporters write meshes in any order: they are found by their names, or else by the nodes that carry them.
#[test]
fn the_order_of_meshes_is_no_difference() {
    let write = |file: &str, change: &dyn Fn(&mut Glb)| {
        let mut glb = Glb::read(PIP);
        change(&mut glb);
        glb.write(file)
    };
    let nameless = |glb: &mut Glb| {
        for mesh in glb.json["meshes"].as_array_mut().unwrap() {
            mesh.as_object_mut().unwrap().remove("name");
        }
    };
    let reversed = |glb: &mut Glb| {
        let meshes = glb.json["meshes"].as_array_mut().unwrap();
        meshes.reverse();
        let last = meshes.len() - 1;
        for node in glb.json["nodes"].as_array_mut().unwrap() {
            if let Some(mesh) = node["mesh"].as_u64() {
                node["mesh"] = json!(last - mesh as usize);
            }
        }
    };
    let pairs = [
        [
            common::actor(Path::new(PIP)),
            write("reversed.glb", &reversed),
        ],
        [
            write("nameless_meshes.glb", &nameless),
            write("nameless_reversed.glb", &|glb| {
                nameless(glb);
                reversed(glb);
            }),
        ],
    ];
    for [first, second] in &pairs {
        let comparison = Comparison::new([first, second], 1e-4);
        assert!(comparison.is_same(), "{}", comparison.to_text());
        let mesh = &comparison.to_json()["meshes"][0];
        assert_eq!(
            (&mesh["index"], &mesh["other_index"]),
            (&json!(0), &json!(1))
        );
    }
}
