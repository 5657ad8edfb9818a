//! The rig doctor: each finding by a small file that has it, and healthy files that have none.

use std::path::Path;

use rigscope::{
    anim::analysis::Analyzer,
    import::{self, Progress, Severity},
};
use serde_json::json;

use super::file::{File, UNSIGNED_BYTE, assert_clean, assert_error, assert_found, message, place};

/// Four weights for each of three vertices.
const WEIGHTS: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0];
const JOINTS: [u8; 12] = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0];

/// Places nodes 1 and 2, which are the joints, and gives the skin matrices that invert these places.
fn bound(weights: &[f32]) -> File {
    let mut file = File::skinned(&JOINTS, weights);
    file.json["nodes"][1]["name"] = "hip".into();
    file.json["nodes"][2]["name"] = "knee".into();
    file.json["nodes"][2]["translation"] = json!([0, 2, 0]);
    let mut matrices = [0.0; 32];
    for diagonal in [0, 5, 10, 15, 16, 21, 26, 31] {
        matrices[diagonal] = 1.0;
    }
    matrices[29] = -2.0;
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    file
}

#[test]
fn finds_nothing_in_healthy_rigs() {
    assert_clean(&bound(&WEIGHTS).load());
    for name in ["pip.glb", "windmill.glb"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("assets")
            .join(name);
        let import = import::load(&path, &Progress::default()).unwrap();
        for found in &import.diagnostics {
            println!("{name}: {found}");
            assert!(found.severity > Severity::Warning, "{name}: {found}");
        }
    }
}

#[test]
fn finds_joints_that_move_nothing() {
    let mut file = bound(&[1.0, 0.0, 0.0, 0.0].repeat(3));
    file.json["accessors"][1]["bufferView"] = file.view(&[0; 12]).into();
    let import = file.load();
    assert_found(
        &import,
        Severity::Hint,
        "SKIN_UNUSED_JOINTS",
        "/skins/0/joints/1",
    );
    let text = message(&import, "SKIN_UNUSED_JOINTS");
    assert!(
        text.contains("1 joint of 2") && text.contains("\"knee\""),
        "{text}"
    );
}

#[test]
fn finds_more_than_four_influences() {
    let mut file = bound(&[0.2; 12]);
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.extend([json!({}), json!({}), json!({})]);
    nodes[2]["children"] = json!([3, 4, 5]);
    file.json["skins"] = json!([{"joints": [1, 2, 3, 4, 5]}]);
    let first = file.view(&[0, 1, 2, 3].repeat(3));
    file.json["accessors"][1]["bufferView"] = first.into();
    let second = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[4, 0, 0, 0].repeat(3));
    let weights = file.floats("VEC4", &[0.2, 0.0, 0.0, 0.0].repeat(3));
    file.primitive()["attributes"]["JOINTS_1"] = second.into();
    file.primitive()["attributes"]["WEIGHTS_1"] = weights.into();
    let import = file.load();
    assert_found(&import, Severity::Info, "MESH_MANY_INFLUENCES", "/meshes/0");
    assert!(message(&import, "MESH_MANY_INFLUENCES").contains("3 vertices"));
}

#[test]
fn finds_a_joint_named_twice() {
    let mut weights = WEIGHTS;
    weights[1] = 0.5;
    weights[0] = 0.5;
    let import = bound(&weights).load();
    let pointer = "/meshes/0/primitives/0/attributes/JOINTS_0";
    assert_error(&import, "ACCESSOR_JOINTS_INDEX_DUPLICATE", pointer);
    let text = message(&import, "ACCESSOR_JOINTS_INDEX_DUPLICATE");
    assert!(
        text.ends_with("vertex 0 names the same joint twice"),
        "{text}"
    );
}

#[test]
fn finds_bind_matrices_that_do_not_fit() {
    let pointer = "/skins/0/inverseBindMatrices";
    let mut file = bound(&WEIGHTS);
    file.json["nodes"][2]["translation"] = json!([0, 2.5, 0]);
    let import = file.load();
    assert_found(
        &import,
        Severity::Info,
        "SKIN_REST_IS_NOT_BIND_POSE",
        "/skins/0/joints/1",
    );
    let text = message(&import, "SKIN_REST_IS_NOT_BIND_POSE");
    assert!(
        text.contains("0.500") && text.contains("\"knee\""),
        "{text}"
    );

    // Also where the first joint is the one that does not fit.
    let mut file = bound(&WEIGHTS);
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"name": "prop"}));
    nodes[2]["children"] = json!([3]);
    let mut matrices = [0.0; 48];
    for diagonal in (0..48)
        .step_by(16)
        .flat_map(|at| [at, at + 5, at + 10, at + 15])
    {
        matrices[diagonal] = 1.0;
    }
    (matrices[13], matrices[45]) = (-3.0, -2.0);
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"] = json!([{"joints": [3, 1, 2], "inverseBindMatrices": matrices}]);
    let import = file.load();
    let text = message(&import, "SKIN_REST_IS_NOT_BIND_POSE");
    let only = "1 joint of 3 stands elsewhere, by 1.000: \"prop\"";
    assert!(text.ends_with(only), "{text}");

    let mut file = bound(&WEIGHTS);
    file.json["nodes"][2]["scale"] = json!([1, 2, 1]);
    let import = file.load();
    let text = message(&import, "SKIN_REST_IS_NOT_BIND_POSE");
    let scaled = "1 joint of 2 is turned or scaled otherwise: \"knee\"";
    assert!(text.ends_with(scaled), "{text}");

    // Joints in one place are no reason to look closer at roundings.
    let mut file = bound(&WEIGHTS);
    file.json["nodes"][2]["translation"] = json!([0, 0, 0]);
    let mut matrices = [0.0; 32];
    for diagonal in [0, 5, 10, 15, 16, 21, 26, 31] {
        matrices[diagonal] = 1.0;
    }
    matrices[29] = 1e-6;
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    assert_clean(&file.load());

    // The whole rig may stand anywhere.
    let mut file = bound(&WEIGHTS);
    file.json["nodes"][1]["translation"] = json!([5, 0, 1]);
    file.json["nodes"][1]["scale"] = json!([3, 3, 3]);
    assert_clean(&file.load());

    file.json["skins"][0]
        .as_object_mut()
        .unwrap()
        .remove("inverseBindMatrices");
    let import = file.load();
    assert_found(&import, Severity::Warning, "SKIN_IBM_MISSING", pointer);

    let mut file = bound(&WEIGHTS);
    let mut matrices = [0.0; 32];
    (matrices[15], matrices[31]) = (1.0, 1.0);
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    assert_found(
        &file.load(),
        Severity::Warning,
        "SKIN_IBM_SINGULAR",
        "/skins/0/joints/0",
    );
}

#[test]
fn finds_transforms_that_are_ignored() {
    let mut file = bound(&WEIGHTS);
    file.json["nodes"][0]["translation"] = json!([1, 0, 0]);
    let code = "NODE_SKINNED_MESH_LOCAL_TRANSFORMS";
    assert_found(&file.load(), Severity::Warning, code, "/nodes/0");

    let mut file = bound(&WEIGHTS);
    let parent = json!({"children": [0], "scale": [2, 2, 2]});
    file.json["nodes"].as_array_mut().unwrap().push(parent);
    file.json["scenes"] = json!([{"nodes": [1, 3]}]);
    let code = "NODE_SKINNED_MESH_PARENT_TRANSFORMS";
    assert_found(&file.load(), Severity::Warning, code, "/nodes/0");
    // Where the joints hang there, too, nothing is ignored that is seen.
    file.json["nodes"][3]["children"] = json!([0, 1]);
    file.json["scenes"] = json!([{"nodes": [3]}]);
    assert_found(&file.load(), Severity::Hint, code, "/nodes/0");
    // What moves the mesh alone is ignored, though it is equal to what moves the joints.
    file.json["nodes"][3]["children"] = json!([1]);
    let parent = json!({"children": [0], "scale": [2, 2, 2]});
    file.json["nodes"].as_array_mut().unwrap().push(parent);
    file.json["scenes"] = json!([{"nodes": [3, 4]}]);
    assert_found(&file.load(), Severity::Warning, code, "/nodes/0");
}

#[test]
fn finds_scales_of_zero_or_less() {
    let mut file = bound(&WEIGHTS);
    file.json["nodes"][2]["scale"] = json!([-1, 1, 1]);
    let import = file.load();
    assert_found(
        &import,
        Severity::Info,
        "NODE_NEGATIVE_SCALE",
        "/nodes/2/scale",
    );
    let mut file = File::triangle();
    file.json["nodes"][0]["scale"] = json!([0, 1, 1]);
    assert_found(
        &file.load(),
        Severity::Info,
        "NODE_ZERO_SCALE",
        "/nodes/0/scale",
    );
    file.json["nodes"][0]["scale"] = json!([1, 1, -1]);
    assert_found(
        &file.load(),
        Severity::Hint,
        "NODE_NEGATIVE_SCALE",
        "/nodes/0/scale",
    );
}

#[test]
fn finds_what_is_odd_about_clips() {
    let clip = "/animations/0";
    let still = [0.0, 0.0, 0.0];
    let file = File::animated("translation", "VEC3", &[0.5, 1.0], &[still, still].concat());
    let import = file.load();
    assert_found(&import, Severity::Info, "ANIMATION_STARTS_LATE", clip);
    let late = place(&import, "ANIMATION_STARTS_LATE");
    assert_eq!(late, (Some(0), Some(0.5)));
    // Beside others that begin at 0.
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[still, still].concat());
    let times = file.floats("SCALAR", &[0.5, 1.0]);
    let clip_object = &mut file.json["animations"][0];
    let output = clip_object["samplers"][0]["output"].clone();
    let samplers = clip_object["samplers"].as_array_mut().unwrap();
    samplers.push(json!({"input": times, "output": output}));
    let channels = clip_object["channels"].as_array_mut().unwrap();
    channels.push(json!({"sampler": 1, "target": {"node": 1, "path": "scale"}}));
    file.json["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!({"name": "tail"}));
    let import = file.load();
    assert_found(&import, Severity::Info, "ANIMATION_STARTS_LATE", clip);
    let text = message(&import, "ANIMATION_STARTS_LATE");
    assert!(
        text.contains("0.500 s") && text.contains("\"tail\""),
        "{text}"
    );
    let late = place(&import, "ANIMATION_STARTS_LATE");
    assert_eq!(late, (Some(1), Some(0.5)));

    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[still, still].concat());
    let times = file.floats("SCALAR", &[0.0, 0.5]);
    let scales = file.floats("VEC3", &[1.0, 1.0, 1.0, -1.0, 1.0, 1.0]);
    let animation = &mut file.json["animations"][0];
    animation["name"] = "walk".into();
    let sampler = json!({"input": times, "output": scales});
    animation["samplers"].as_array_mut().unwrap().push(sampler);
    let channel = json!({"sampler": 1, "target": {"node": 0, "path": "scale"}});
    animation["channels"].as_array_mut().unwrap().push(channel);
    let import = file.load();
    assert_found(&import, Severity::Hint, "ANIMATION_UNEQUAL_LENGTHS", clip);
    assert!(message(&import, "ANIMATION_UNEQUAL_LENGTHS").contains("\"walk\""));
    for code in ["ANIMATION_UNEQUAL_LENGTHS", "ANIMATION_SCALE_CHANGES_SIGN"] {
        assert_eq!(place(&import, code), (Some(0), Some(0.5)), "{code}");
    }
    assert_found(
        &import,
        Severity::Info,
        "ANIMATION_SCALE_CHANGES_SIGN",
        clip,
    );
}

#[test]
fn finds_rotations_that_change_their_sign() {
    let clip = "/animations/0";
    let flip = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]].concat();
    let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &flip);
    let code = "ANIMATION_ROTATION_SIGN_FLIPS";
    let import = file.load();
    assert_found(&import, Severity::Hint, code, clip);
    assert_eq!(place(&import, code), (Some(0), Some(1.0)));

    let (zero, one, other) = ([0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]);
    let spline = file.floats("VEC4", &[zero, one, zero, zero, other, zero].concat());
    file.json["animations"][0]["samplers"][0]["output"] = spline.into();
    file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
    let import = file.load();
    assert_found(&import, Severity::Warning, code, clip);
    assert_eq!(place(&import, code), (Some(0), Some(1.0)));
}

/// A finding for two clips: of each the node whose quaternions change their sign, and when.
#[test]
fn sign_flips_of_each_clip_have_their_own_node_and_moment() {
    let (one, other) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]);
    let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &[one, other].concat());
    let times = file.floats("SCALAR", &[0.0, 0.25, 0.5, 1.0]);
    let turns = file.floats("VEC4", &[one, one, other, one].concat());
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"name": "tail"}));
    let clips = file.json["animations"].as_array_mut().unwrap();
    clips.push(json!({
        "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
        "samplers": [{"input": times, "output": turns}],
    }));
    let import = file.load();
    let code = "ANIMATION_ROTATION_SIGN_FLIPS";
    assert_eq!(place(&import, code), (Some(0), Some(1.0)));
    let mut found = import.diagnostics.iter();
    let found = found.find(|it| it.code == code).unwrap();
    let [(pointer, place)] = &*found.others else {
        panic!("{:?}", found.others);
    };
    assert_eq!(pointer, "/animations/1");
    assert_eq!((place.node_index, place.time_secs), (Some(1), Some(0.5)));
}

#[test]
fn what_many_clips_have_in_common_is_one_finding() {
    let flip = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]].concat();
    let turned = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.28, 0.96]].concat();
    let far = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8]].concat();
    for (values, code, count, words) in [
        (
            &flip,
            "ANIMATION_ROTATION_SIGN_FLIPS",
            1,
            "in 5 clips (\"take 0\", \"take 1\", \"take 2\" and 2 more), quaternions change their sign",
        ),
        (
            &turned,
            "ANIMATION_LOOP_SEAM",
            1,
            "the last poses of 5 clips (\"take 0\", \"take 1\", \"take 2\" and 2 more) do not quite meet their first: most of all",
        ),
        (
            &far,
            "ANIMATION_LOOP_SEAM",
            1,
            "5 clips (\"take 0\", \"take 1\", \"take 2\" and 2 more) do not end as they start: most of all",
        ),
    ] {
        let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], values);
        let clips = file.json["animations"].as_array_mut().unwrap();
        let clip = clips.remove(0);
        for take in 0..5 {
            let mut clip = clip.clone();
            clip["name"] = format!("take {take}").into();
            clips.push(clip);
        }
        let import = file.load();
        let found = import.diagnostics.iter().filter(|it| it.code == code);
        let found: Vec<_> = found.collect();
        assert_eq!(found.len(), count, "{code}");
        let text = message(&import, code);
        assert!(text.starts_with(words), "{text}");
        // All of them can be gone through.
        let others = found[0].others.iter();
        let mut places: Vec<_> = others.map(|(pointer, _)| pointer.clone()).collect();
        places.push(found[0].pointer.clone());
        places.sort();
        let all = [0, 1, 2, 3, 4].map(|clip| format!("/animations/{clip}"));
        assert_eq!(places, all);
    }
}

/// As lists of clips show their names.
#[test]
fn clips_of_one_name_are_told_apart() {
    let turned = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.28, 0.96]].concat();
    let code = "ANIMATION_LOOP_SEAM";
    let found = |names: &[&str]| {
        let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &turned);
        let clips = file.json["animations"].as_array_mut().unwrap();
        let clip = clips.remove(0);
        clips.extend(names.iter().map(|name| {
            let mut clip = clip.clone();
            clip["name"] = (*name).into();
            clip
        }));
        let import = file.load();
        let found = import.diagnostics.iter().filter(|it| it.code == code);
        found.map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    let apart = found(&["take", "jump", "take"]);
    for (text, name) in
        apart
            .iter()
            .zip(["\"take\" (clip 0)", "clip \"jump\"", "\"take\" (clip 2)"])
    {
        let words = format!("the last pose of {name} does not quite meet its first: ");
        assert!(text.starts_with(&words), "{text}");
        assert!(!text.contains("(clip \"take\")"), "{text}");
    }
    let together = found(&["take", "jump", "take", "take"]);
    let words =
        "the last poses of 4 clips (\"take\" (clip 0), \"jump\", \"take\" (clip 2) and 1 more) do";
    assert!(together[0].starts_with(words), "{together:?}");
    assert_eq!((apart.len(), together.len()), (3, 1));
}

#[test]
fn motion_of_what_carries_a_skinned_mesh_is_seen_by_nobody() {
    let code = "ANIMATION_CHANNEL_TARGET_NODE_SKIN";
    // The mesh's own node, and one above it; with a second mesh there it is seen.
    for (moved, has_prop, is_told) in [(0, false, true), (3, false, true), (3, true, false)] {
        let mut file = bound(&WEIGHTS);
        let times = file.floats("SCALAR", &[0.0, 1.0]);
        let values = file.floats("VEC3", &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        file.json["animations"] = json!([{
            "channels": [{"sampler": 0, "target": {"node": moved, "path": "translation"}}],
            "samplers": [{"input": times, "output": values}],
        }]);
        let nodes = file.json["nodes"].as_array_mut().unwrap();
        nodes.push(json!({"children": if has_prop { vec![0, 4] } else { vec![0] }}));
        nodes.push(json!({"mesh": 1}));
        let meshes = file.json["meshes"].as_array_mut().unwrap();
        meshes.push(json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
        file.json["scenes"] = json!([{"nodes": [1, 3]}]);
        let import = file.load();
        let says = |code: &str| import.diagnostics.iter().any(|it| it.code == code);
        assert_eq!(says(code), is_told, "{:?}", import.diagnostics);
        assert_eq!(says("ANIMATION_LOOP_SEAM"), !is_told);
        if is_told {
            assert_eq!(place(&import, code), (Some(moved), None));
        }
    }
}

#[test]
fn measures_the_seam_of_a_loop() {
    let moved = |distance: f32| {
        let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, distance, 0.0, 0.0];
        File::animated("translation", "VEC3", &[0.0, 0.5, 1.0], &values)
    };
    assert_clean(&moved(0.0).load());
    let code = "ANIMATION_LOOP_SEAM";
    let import = moved(0.05).load();
    assert_found(&import, Severity::Info, code, "/animations/0");
    assert!(message(&import, code).contains("0.050 apart, 3.5%"));
    // What turns in its place is told by its turn.
    let half = 5.0_f32.to_radians() / 2.0;
    let still = [0.0, 0.0, 0.0, 1.0];
    let turned = [still, still, [0.0, 0.0, half.sin(), half.cos()]].concat();
    let turns = File::animated("rotation", "VEC4", &[0.0, 0.5, 1.0], &turned).load();
    let said = message(&turns, code);
    assert!(said.contains("they are turned by 5.0°"), "{said}");
    assert!(!said.contains("apart"), "{said}");
    // So far apart it was not made to loop.
    let values = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0];
    let rises = File::animated("translation", "VEC3", &[0.0, 0.5, 1.0], &values);
    assert_found(&rises.load(), Severity::Hint, code, "/animations/0");
    // What goes along the ground carries its character there: the next loop goes on from where it came to. The timeline says
    // the same.
    for distance in [2.0, 3e38] {
        let import = moved(distance).load();
        assert!(import.diagnostics.iter().all(|found| found.code != code));
    }
    let import = moved(2.0).load();
    let analyzer = Analyzer::new(&import.model);
    let found = analyzer.analyze_motion(&import.model.clips[0], 1 << 20);
    assert!(found.is_seam_in_place);
    let mut apart = found.seam.joints().map(|joint| joint.distance);
    assert!(apart.all(|distance| distance < 1e-6));

    // A full turn meets itself.
    let turn = [
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, -1.0],
    ]
    .concat();
    let file = File::animated("rotation", "VEC4", &[0.0, 0.5, 1.0], &turn);
    assert!(
        file.load()
            .diagnostics
            .iter()
            .all(|found| found.code != code)
    );
}
