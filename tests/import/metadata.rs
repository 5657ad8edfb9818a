//! What is kept to be shown: extras, XMP packets, titles and authors.

use std::path::PathBuf;

use rigscope::{
    import::{self, Consent, Progress, Severity},
    model::{BodySide, Facing, Finger, HumanBone, Note, Owner},
};
use serde_json::{Value, json};

use super::{
    file::{File, assert_error, load},
    opening::Sandbox,
};
use crate::common::folder;

#[test]
fn keeps_extras_of_all_kinds_of_objects() {
    let mut file = File::triangle();
    file.json["materials"] = json!([{}, {"extras": "wood"}]);
    file.json["asset"]["extras"] = json!({"by": "hand"});
    file.json["scenes"][0]["extras"] = json!([1, 2]);
    file.json["nodes"] = json!([{"mesh": 0, "extras": null}, {"extras": 0.5}]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": []});
    // These belong to nobody who is asked.
    file.primitive()["extras"] = json!(7);
    let metadata = file.load().model.metadata;
    let notes = metadata.notes.iter().map(|note| {
        let extras = note.extras.as_deref().unwrap();
        (note.owner, serde_json::from_str::<Value>(extras).unwrap())
    });
    let expected = [
        (Owner::Asset, json!({"by": "hand"})),
        (Owner::Scene(0), json!([1, 2])),
        (Owner::Node(1), json!(0.5)),
        (Owner::Mesh(0), json!({"targetNames": []})),
        (Owner::Material(1), json!("wood")),
    ];
    assert!(notes.eq(expected), "{metadata:?}");
    assert!(metadata.of(Owner::Node(1)).is_some());
    assert!(metadata.of(Owner::Node(0)).is_none());
    assert_eq!(Owner::Clip(3).to_string(), "/animations/3");
}

#[test]
fn keeps_xmp_packets_once() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_xmp_json_ld"]);
    let packets = json!({"packets": [{"dc:title": "One"}, {"dc:title": "Two"}]});
    file.json["extensions"] = json!({"KHR_xmp_json_ld": packets});
    let packet = |index: usize| json!({"KHR_xmp_json_ld": {"packet": index}});
    file.json["asset"]["extensions"] = packet(1);
    file.json["nodes"][0]["extensions"] = packet(1);
    file.json["meshes"][0]["extensions"] = packet(2);
    let import = file.load();
    let metadata = &import.model.metadata;
    assert_eq!(metadata.xmp_packets.len(), 2);
    let note = |owner| Note {
        owner,
        extras: None,
        xmp_packet: Some(1),
    };
    assert_eq!(metadata.notes, [note(Owner::Asset), note(Owner::Node(0))]);
    let pointer = "/meshes/0/extensions/KHR_xmp_json_ld/packet";
    assert_error(&import, "UNRESOLVED_REFERENCE", pointer);
}

#[test]
fn survives_extras_of_any_depth() {
    let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
    let text = format!(r#"{{"asset": {{"version": "2.0", "extras": {deep}}}}}"#);
    let metadata = load(text.as_bytes()).model.metadata;
    assert_eq!(metadata.notes[0].extras.as_ref(), Some(&deep));
}

/// Licences that are nothing of the kind cost nothing else.
#[test]
fn reads_licences_of_vrm_models() {
    let licence = |extensions: Value| {
        let mut file = File::triangle();
        file.json["extensions"] = extensions;
        let metadata = file.load().model.metadata;
        (metadata.title, metadata.licence)
    };
    let named = |licence: &str| ("Ann".to_owned(), licence.to_owned());
    for (name, other, expected) in [
        (json!("CC0"), json!(""), "CC0"),
        (json!("Other"), json!("https://a.b"), "Other, https://a.b"),
        (json!(7), Value::Null, ""),
    ] {
        let meta = json!({"title": "Ann", "licenseName": name, "otherLicenseUrl": other});
        assert_eq!(licence(json!({"VRM": {"meta": meta}})), named(expected));
        let meta = json!({"name": "Ann", "licenseUrl": name, "otherLicenseUrl": other});
        assert_eq!(
            licence(json!({"VRMC_vrm": {"meta": meta}})),
            named(expected)
        );
    }
}

#[test]
fn reads_titles_and_authors_of_vrm_models() {
    let title_and_authors = |extensions: Value| {
        let mut file = File::triangle();
        file.json["extensions"] = extensions;
        let metadata = file.load().model.metadata;
        (metadata.title, metadata.authors)
    };
    let named = |title: &str, authors: &[&str]| {
        let authors = authors.iter().map(ToString::to_string).collect();
        (title.to_owned(), authors)
    };
    let old = json!({"VRM": {"meta": {"title": "Ann", "author": "Bea"}}});
    assert_eq!(title_and_authors(old), named("Ann", &["Bea"]));
    let new = json!({"VRMC_vrm": {"meta": {"name": "Cy", "authors": ["Dee", "Eve"]}}});
    assert_eq!(title_and_authors(new), named("Cy", &["Dee", "Eve"]));
    for broken in [json!({"VRM": {"meta": 7}}), json!({"VRM": []}), json!([])] {
        assert_eq!(title_and_authors(broken), named("", &[]));
    }
}

#[test]
fn reads_which_nodes_vrm_models_call_bones() {
    let joints = |extensions: Value| {
        let mut file = File::triangle();
        file.json["nodes"] = json!([{"mesh": 0}, {"children": [2]}, {}]);
        file.json["scenes"][0]["nodes"] = json!([0, 1]);
        file.json["extensions"] = extensions;
        let import = file.load();
        let model = &import.model;
        let joints = model.human_joints.iter().map(|joint| {
            let index = model.hierarchy.node(joint.node).file_index;
            (joint.bone, index)
        });
        (joints.collect::<Vec<_>>(), import)
    };
    let little = HumanBone::Finger(BodySide::Right, Finger::Little, 1);
    let expected = [
        (HumanBone::Hips, 0),
        (HumanBone::LowerArm(BodySide::Left), 2),
        (little, 1),
    ];
    let bones = json!({
        "hips": {"node": 0}, "leftEye": {"node": 0}, "leftHand": {"node": "x"},
        "leftIndexMetacarpal": {"node": 0}, "leftLowerArm": {"node": 2}, "rightLittleProximal": {"node": 1}
    });
    for extension in ["VRMC_vrm", "VRMC_vrm_animation"] {
        let (found, _) = joints(json!({extension: {"humanoid": {"humanBones": bones}}}));
        assert_eq!(found, expected, "{extension}");
    }
    let bones = json!([
        {"bone": "hips", "node": 0}, {"bone": "leftLowerArm", "node": 2, "useDefaultValues": true}, 7,
        {"bone": "rightLittleProximal", "node": 1}, {"bone": "leftLowerArm", "node": 0}, {"bone": "leftHand", "node": 9}
    ]);
    let (found, _) = joints(json!({
        "VRM": {"humanoid": {"humanBones": bones}}, "VRMC_vrm": {"humanoid": {"humanBones": 3}}
    }));
    assert_eq!(found, expected, "those that can be read");
    let (found, import) = joints(json!({"VRM": {"humanoid": {"humanBones": bones}}}));
    assert_eq!(found, expected, "each bone once");
    let warned = import.diagnostics.iter().any(|it| {
        it.code == "UNRESOLVED_REFERENCE"
            && it.pointer == "/extensions/VRM/humanoid/humanBones/5/node"
    });
    assert!(warned, "{:?}", import.diagnostics);
    // The bones of a thumb have other names in each version.
    let old = ["Proximal", "Intermediate", "Distal"];
    let new = ["Metacarpal", "Proximal", "Distal"];
    for (extension, names) in [("VRM", old), ("VRMC_vrm", new), ("VRMC_vrm_animation", new)] {
        let names = names.map(|name| format!("leftThumb{name}"));
        let named = names.iter().zip(0..);
        let bones = match extension {
            "VRM" => named
                .map(|(bone, node)| json!({"bone": bone, "node": node}))
                .collect(),
            _ => Value::Object(
                named
                    .map(|(bone, node)| (bone.clone(), json!({"node": node})))
                    .collect(),
            ),
        };
        let (mut found, _) = joints(json!({extension: {"humanoid": {"humanBones": bones}}}));
        found.sort_by_key(|(_, node)| *node);
        let thumb = |segment| HumanBone::Finger(BodySide::Left, Finger::Thumb, segment);
        assert_eq!(
            found,
            [(thumb(1), 0), (thumb(2), 1), (thumb(3), 2)],
            "{extension}"
        );
    }
    for broken in [
        json!({"VRM": {"humanoid": []}}),
        json!({"VRMC_vrm": {"humanoid": {"humanBones": 3}}}),
    ] {
        assert_eq!(joints(broken).0, []);
    }
}

/// No rule of glTF is broken, and bones are lost.
#[test]
fn bones_that_cannot_be_read_are_told_of() {
    let warned = |extensions: Value| {
        let mut file = File::triangle();
        let names = extensions.as_object().unwrap().keys();
        file.json["extensionsUsed"] = names.map(String::as_str).collect();
        file.json["extensions"] = extensions;
        let import = file.load();
        let errors = import.diagnostics.iter();
        assert_eq!(
            errors.filter(|it| it.severity == Severity::Error).count(),
            0
        );
        let found = import.diagnostics.iter();
        let found = found.filter(|it| it.pointer.starts_with("/extensions/"));
        let places = found.map(|it| format!("{} {}", it.code, it.pointer));
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        places
    };
    for name in ["VRMC_vrm", "VRMC_vrm_animation"] {
        let at = format!("/extensions/{name}/humanoid/humanBones");
        let bones = json!({
            "hips": {"node": "a"}, "head": {"node": 9}, "neck": {}, "spine": 3, "leftFoot": {"node": 0},
            "rightFoot": {"node": 0}
        });
        let expected = [
            format!("HUMANOID_BONE_NODE_REUSED {at}/rightFoot/node"),
            format!("TYPE_MISMATCH {at}/hips/node"),
            format!("TYPE_MISMATCH {at}/spine"),
            format!("UNDEFINED_PROPERTY {at}/neck"),
            format!("UNRESOLVED_REFERENCE {at}/head/node"),
        ];
        let found = warned(json!({name: {"humanoid": {"humanBones": bones}}}));
        assert_eq!(found, expected);
    }
    let at = "/extensions/VRM/humanoid/humanBones";
    let bones = json!([
        {"bone": "hips", "node": "a"}, {"bone": 3, "node": 0}, 3, {"bone": "spine", "node": 77}, {"bone": "head"},
        {"node": 0}, {"bone": "neck", "node": 0}
    ]);
    let expected = [
        format!("TYPE_MISMATCH {at}/0/node"),
        format!("TYPE_MISMATCH {at}/1/bone"),
        format!("TYPE_MISMATCH {at}/2"),
        format!("UNDEFINED_PROPERTY {at}/4"),
        format!("UNDEFINED_PROPERTY {at}/5"),
        format!("UNRESOLVED_REFERENCE {at}/3/node"),
    ];
    let found = warned(json!({"VRM": {"humanoid": {"humanBones": bones}}}));
    assert_eq!(found, expected);
    for (extensions, expected) in [
        (
            json!({"VRMC_vrm": {}}),
            Some("UNDEFINED_PROPERTY /extensions/VRMC_vrm"),
        ),
        (json!({"VRMC_vrm_animation": {}}), None),
        (json!({"VRM": {}}), None),
        (
            json!({"VRM": {"humanoid": []}}),
            Some("TYPE_MISMATCH /extensions/VRM/humanoid"),
        ),
        (
            json!({"VRMC_vrm": {"humanoid": {"humanBones": 3}}}),
            Some("TYPE_MISMATCH /extensions/VRMC_vrm/humanoid/humanBones"),
        ),
        (
            json!({"VRMC_vrm": {"humanoid": {}}}),
            Some("UNDEFINED_PROPERTY /extensions/VRMC_vrm/humanoid"),
        ),
    ] {
        let expected: Vec<_> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(warned(extensions.clone()), expected, "{extensions}");
    }
}

/// Models of VRM 0.x look towards −Z, those of VRM 1.0 towards +Z, as all others do.
#[test]
fn vrm_models_say_which_way_they_look() {
    for (extensions, expected) in [
        (json!({}), Facing::PlusZ),
        (json!({"VRM": {}}), Facing::MinusZ),
        (
            json!({"VRM": {"humanoid": {"humanBones": []}}}),
            Facing::MinusZ,
        ),
        (json!({"VRMC_vrm": {"specVersion": "1.0"}}), Facing::PlusZ),
        // The nodes are those of the newer one.
        (json!({"VRMC_vrm": {}, "VRM": {}}), Facing::PlusZ),
        (json!({"VRMC_springBone": {}}), Facing::PlusZ),
    ] {
        let mut file = File::triangle();
        file.json["extensions"] = extensions.clone();
        assert_eq!(file.load().model.facing, expected, "{extensions}");
    }
}

#[test]
fn reads_what_real_files_say() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let load = |name: &str| {
        let path = corpus.join("files").join(name);
        rigscope::cli::load(&path).unwrap().model.metadata
    };
    let metadata = load("vrm/vrm_samples/Godette_vrm_v4.vrm");
    assert_eq!(metadata.title, "Low-Poly Godette");
    assert_eq!(metadata.authors, ["SirRichard94"]);
    let metadata = load("vrm/packages/three-vrm-core/examples/models/cube.gltf");
    assert_eq!(
        (&*metadata.title, &*metadata.authors[0]),
        ("Cube", "FMS_Cat")
    );
    let metadata = load("sharpgltf/tests/Assets/XmpJsonLd.gltf");
    assert!(metadata.xmp_packets[0].contains("dc:contributor"));
    let noted = metadata.notes.iter().map(|note| note.xmp_packet);
    assert!(noted.eq([Some(0); 2]), "{:?}", metadata.notes);
}

/// A motion of a person (.vrma) is a model by itself, and none beside others.
#[test]
fn motions_are_models_where_there_are_no_others() {
    let sandbox = Sandbox::new("motions");
    let open = |given: &[&PathBuf]| {
        let given: Vec<_> = given.iter().map(|&path| path.clone()).collect();
        let import = import::open(&given, &Consent::default(), &Progress::default());
        let said = |import: &import::Import| {
            let mut said = import.diagnostics.iter();
            said.find(|it| it.code == "SEVERAL_MODELS")
                .map(|it| it.message.clone())
        };
        import.map(|import| (said(&import), import.model.name))
    };
    let alone = |name: &str| (None, name.to_owned());
    let glb = include_bytes!("../../assets/pip.glb");
    let motion = sandbox.write("avatar/a_walk.vrma", glb);
    let folder = sandbox.0.join("avatar");
    assert_eq!(open(&[&folder]).unwrap(), alone("a_walk.vrma"));
    sandbox.write("avatar/b_run.vrma", glb);
    let reason = format!("{:#}", open(&[&folder]).unwrap_err());
    assert!(reason.contains("2 models in the folder"), "{reason}");
    let avatar = sandbox.write("avatar/hero.vrm", glb);
    assert_eq!(open(&[&folder]).unwrap(), alone("hero.vrm"));
    // They do not count as models, unless there is no other.
    let archive = sandbox.write("others.zip", glb);
    let run = folder.join("b_run.vrma");
    for (given, message, name) in [
        (
            &[&motion, &avatar][..],
            "1 model and 1 motion were",
            "hero.vrm",
        ),
        (
            &[&avatar, &archive, &run, &motion],
            "2 models and archives and 2 motions were",
            "hero.vrm",
        ),
        (&[&run, &motion], "2 models were", "b_run.vrma"),
        (
            &[&run, &archive],
            "2 models and archives were",
            "b_run.vrma",
        ),
    ] {
        let message = Some(format!("{message} given together"));
        assert_eq!(open(given).unwrap(), (message, name.to_owned()));
    }
}
