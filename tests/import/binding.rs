//! The rig doctor about how meshes are bound: inverse bind matrices that do not fit, and vertices that follow a joint by
//! mistake.

use rigscope::{
    anim::{MisplacedWeights, StrayWeights},
    import::{self, Consent, Progress, Severity},
};
use serde_json::json;

use super::{
    file::{File, UNSIGNED_BYTE, assert_clean, assert_found, message},
    opening::Sandbox,
};

/// A chain of ten joints, one unit above the other, and the matrices that bind them so.
fn chain() -> (File, Vec<f32>) {
    let joints = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2]].concat();
    let mut file = File::skinned(&joints, &[0.25; 12]);
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.truncate(1);
    for joint in 0..10 {
        let mut node =
            json!({"name": format!("j{joint}"), "translation": [0, f32::from(joint != 0), 0]});
        if joint < 9 {
            node["children"] = json!([joint + 2]);
        }
        nodes.push(node);
    }
    let matrices = (0..10_u8).flat_map(|joint| {
        let mut matrix = [0.0; 16];
        for diagonal in [0, 5, 10, 15] {
            matrix[diagonal] = 1.0;
        }
        matrix[13] = -f32::from(joint);
        matrix
    });
    let matrices: Vec<f32> = matrices.collect();
    file.json["skins"][0]["joints"] = json!((1..=10).collect::<Vec<_>>());
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    (file, matrices)
}

/// Turns what a matrix of the chain makes about a joint's own axis: 0 across the chain, 1 along it.
fn turn(matrices: &mut [f32], joint: usize, axis: usize, degrees: f32) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let matrix = &mut matrices[16 * joint..16 * joint + 16];
    for column in matrix.chunks_mut(4) {
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let before = (column[a], column[b]);
        column[a] = cos * before.0 - sin * before.1;
        column[b] = sin * before.0 + cos * before.1;
    }
}

#[test]
fn a_joint_that_is_turned_though_what_hangs_on_it_fits_is_a_fault() {
    let found = |joint: usize, axis: usize| {
        let (mut file, mut matrices) = chain();
        turn(&mut matrices, joint, axis, 40.0);
        let matrices = file.floats("MAT4", &matrices);
        file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
        file.load()
    };
    let (code, rest) = ("SKIN_JOINTS_TURNED", "SKIN_REST_IS_NOT_BIND_POSE");
    let import = found(6, 0);
    assert_found(&import, Severity::Warning, code, "/skins/0/joints/6");
    let text = message(&import, code);
    assert!(
        text.contains("1 joint of 10 is turned by 40°") && text.ends_with("\"j6\""),
        "{text}"
    );
    // The last one may be posed like that, and what is twisted along its bone takes nothing along.
    for (joint, axis) in [(9, 0), (6, 1)] {
        let import = found(joint, axis);
        assert!(import.diagnostics.iter().all(|found| found.code != code));
        let place = format!("/skins/0/joints/{joint}");
        assert_found(&import, Severity::Info, rest, &place);
    }
}

#[test]
fn few_joints_far_from_all_others_are_a_fault_and_a_pose_is_not() {
    let code = "SKIN_JOINTS_MISPLACED";
    let load = |file: &mut File, matrices: &[f32]| {
        let matrices = file.floats("MAT4", matrices);
        file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
        file.load()
    };
    let (mut file, matrices) = chain();
    assert_clean(&load(&mut file, &matrices));

    // One matrix is wrong.
    let (mut file, mut matrices) = chain();
    matrices[6 * 16 + 12] = 3.0;
    let import = load(&mut file, &matrices);
    let place = "/skins/0/joints/6";
    assert_found(&import, Severity::Warning, code, place);
    let text = message(&import, code);
    assert!(
        text.contains("1 joint of 10") && text.ends_with("\"j6\""),
        "{text}"
    );

    // Two joints are exchanged.
    let (mut file, matrices) = chain();
    let joints = file.json["skins"][0]["joints"].as_array_mut().unwrap();
    joints.swap(3, 8);
    let import = load(&mut file, &matrices);
    assert_found(&import, Severity::Warning, code, "/skins/0/joints/3");
    let text = message(&import, code);
    assert!(text.ends_with("\"j8\", \"j3\""), "{text}");

    // An arm that is raised at rest takes all along that hangs on it; and most of a rig may rest otherwise.
    for bent in [8, 2] {
        let (mut file, matrices) = chain();
        file.json["nodes"][bent + 1]["rotation"] = json!([0.6, 0, 0, 0.8]);
        let import = load(&mut file, &matrices);
        assert!(import.diagnostics.iter().all(|found| found.code != code));
        let rest = "SKIN_REST_IS_NOT_BIND_POSE";
        assert!(message(&import, rest).contains("elsewhere"));
    }
}

/// Where all others fit exactly the rig rests as it was bound, and a matrix that is a little off is a fault; where they are
/// all off a little it was posed.
#[test]
fn a_matrix_that_is_a_little_off_is_a_fault_among_those_that_fit_exactly() {
    let (misplaced, turned) = ("SKIN_JOINTS_MISPLACED", "SKIN_JOINTS_TURNED");
    let rest = "SKIN_REST_IS_NOT_BIND_POSE";
    let code = |change: &dyn Fn(&mut File, &mut [f32])| {
        let (mut file, mut matrices) = chain();
        change(&mut file, &mut matrices);
        let matrices = file.floats("MAT4", &matrices);
        file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
        let found = file.load().diagnostics;
        let of_skin = found.into_iter().filter(|it| it.code.starts_with("SKIN_"));
        of_skin.map(|it| it.code).collect::<Vec<_>>()
    };
    // The chain is 9 units long.
    for (part, expected) in [(0.02, misplaced), (0.04, misplaced), (0.008, rest)] {
        for joint in [0, 6, 9] {
            let found = code(&|_, matrices| matrices[joint * 16 + 12] = 9.0 * part);
            assert_eq!(found, [expected], "{part} at {joint}");
        }
    }
    assert_eq!(code(&|_, matrices| turn(matrices, 6, 0, 10.0)), [turned]);
    // Another one is posed, if by little.
    for nudge in [0.03, 0.05] {
        let found = code(&|file, matrices| {
            file.json["nodes"][4]["rotation"] = json!([nudge / 20.0, 0, 0, 1]);
            matrices[6 * 16 + 12] = 0.18;
        });
        assert_eq!(found, [rest], "{nudge}");
    }
    // A joint in the middle that is moved at rest takes those along that hang on it.
    let found = code(&|file, _| file.json["nodes"][9]["translation"] = json!([0.18, 1, 0]));
    assert_eq!(found, [rest]);
}

/// A chain of bones of half a unit and of three times that by turns, whose matrices may be changed.
fn uneven_chain(change: impl FnOnce(&mut File, &mut [f32])) -> File {
    let (mut file, mut matrices) = chain();
    let mut height = 0.0;
    for joint in 1..10 {
        let length = if joint % 2 == 0 { 1.5 } else { 0.5 };
        file.json["nodes"][joint + 1]["translation"] = json!([0, length, 0]);
        height += length;
        matrices[16 * joint + 13] = -height;
    }
    change(&mut file, &mut matrices);
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    file
}

#[test]
fn matrices_of_other_joints_or_another_scale_are_a_fault_and_no_pose() {
    let (code, rest) = ("SKIN_BIND_POSE_MISFIT", "SKIN_REST_IS_NOT_BIND_POSE");
    assert_clean(&uneven_chain(|_, _| {}).load());
    let told = |file: File, words: &str| {
        let import = file.load();
        assert!(import.diagnostics.iter().all(|it| it.code != rest));
        let text = message(&import, code);
        assert!(text.ends_with(words), "{text}");
    };
    let shifted = uneven_chain(|file, _| {
        let joints = file.json["skins"][0]["joints"].as_array_mut().unwrap();
        joints.rotate_left(1);
    });
    told(shifted, "they seem to be in another order");
    let scaled = |factor: f32| {
        uneven_chain(move |_, matrices| {
            matrices
                .chunks_mut(16)
                .for_each(|matrix| matrix[13] *= factor);
        })
    };
    told(scaled(100.0), "of a skeleton 100 times as large");
    told(scaled(0.5), "of a skeleton 2.0 times as small");
    // A pose keeps the lengths of bones.
    let posed = uneven_chain(|file, _| {
        for joint in [2, 4, 6, 8] {
            file.json["nodes"][joint]["rotation"] = json!([0.6, 0, 0, 0.8]);
        }
    });
    let import = posed.load();
    assert!(import.diagnostics.iter().all(|it| it.code != code));
    assert!(message(&import, rest).contains("elsewhere"));
}

#[test]
fn a_mesh_beside_its_joints_or_in_other_units_is_a_fault() {
    let code = "SKIN_MESH_ELSEWHERE";
    let load = |aside: f32, factor: f32| {
        let (mut file, mut matrices) = chain();
        for joint in 1..10 {
            file.json["nodes"][joint + 1]["translation"] = json!([0, factor, 0]);
        }
        for matrix in matrices.chunks_mut(16) {
            matrix[12] -= aside;
            matrix[13] *= factor;
        }
        let matrices = file.floats("MAT4", &matrices);
        file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
        file.load()
    };
    assert_clean(&load(0.0, 1.0));
    let beside = load(50.0, 1.0);
    assert_found(&beside, Severity::Warning, code, "/skins/0/joints/0");
    let text = message(&beside, code);
    assert!(text.contains("beside the joints"), "{text}");
    let text = load(0.0, 100.0);
    let text = message(&text, code);
    assert!(text.contains("times as small as the joints"), "{text}");
}

/// A chain whose matrices may be changed, and the findings about skins.
fn skin_codes(change: impl FnOnce(&mut File, &mut [f32])) -> Vec<&'static str> {
    let found = uneven_chain(change).load().diagnostics;
    let codes = found.iter().map(|it| it.code);
    codes.filter(|code| code.starts_with("SKIN_")).collect()
}

/// All other joints hang on it, so that the bones of all are of other lengths.
#[test]
fn one_joint_that_carries_all_others_is_no_disorder() {
    let found = skin_codes(|file, matrices| {
        file.json["nodes"][1]["children"] = json!((2..=10).collect::<Vec<_>>());
        for joint in 1..10_u8 {
            let node = &mut file.json["nodes"][usize::from(joint) + 1];
            node.as_object_mut().unwrap().remove("children");
            node["translation"] = json!([0.1 * f32::from(joint), 1, 0]);
            let matrix = &mut matrices[16 * usize::from(joint)..][..16];
            (matrix[12], matrix[13]) = (-0.1 * f32::from(joint), -1.0);
        }
        matrices[13] = 5.0;
    });
    assert_eq!(found, ["SKIN_JOINTS_MISPLACED"]);
}

/// Clips alone place the joints.
#[test]
fn joints_in_one_place_at_rest_are_no_disorder() {
    let found = skin_codes(|file, _| {
        for node in &mut file.json["nodes"].as_array_mut().unwrap()[1..] {
            node.as_object_mut().unwrap().remove("translation");
        }
    });
    assert!(found.contains(&"SKIN_REST_IS_NOT_BIND_POSE"), "{found:?}");
    assert!(!found.contains(&"SKIN_BIND_POSE_MISFIT"), "{found:?}");
}

/// One matrix that is far off makes the box of the joints large.
#[test]
fn a_misplaced_joint_leaves_no_mesh_elsewhere() {
    let found = skin_codes(|_, matrices| matrices[16 * 6 + 12] = 400.0);
    assert_eq!(found, ["SKIN_JOINTS_MISPLACED"]);
}

/// Roundings of their matrices are no size of joints.
#[test]
fn joints_in_one_place_say_nothing_of_the_size_of_a_mesh() {
    let found = skin_codes(|file, matrices| {
        for joint in 1..10 {
            file.json["nodes"][joint + 1]["translation"] = json!([0, 0, 0]);
            matrices[16 * joint + 13] = 1e-5 * joint as f32;
        }
    });
    assert!(!found.contains(&"SKIN_MESH_ELSEWHERE"), "{found:?}");
}

/// What smoothing leaves of weights moves nothing that is seen: eyelashes with a thousandth on a foot.
#[test]
fn joints_with_leftovers_of_weights_say_nothing_of_the_size_of_a_mesh() {
    let (mut file, mut matrices) = chain();
    for joint in 1..10 {
        file.json["nodes"][joint + 1]["translation"] = json!([0, 100, 0]);
        matrices[16 * joint + 13] *= 100.0;
    }
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    let weights = file.floats("VEC4", &[0.94, 0.02, 0.02, 0.02].repeat(3));
    file.primitive()["attributes"]["WEIGHTS_0"] = weights.into();
    let import = file.load();
    let mut codes = import.diagnostics.iter().map(|it| it.code);
    assert!(codes.all(|code| code != "SKIN_MESH_ELSEWHERE"));
}

/// Far from the origin the pose is rounded, which is told instead of what that looks like.
#[test]
fn rounding_far_from_the_origin_is_no_other_pose() {
    let (mut file, mut matrices) = chain();
    for joint in 1..10 {
        file.json["nodes"][joint + 1]["translation"] = json!([0, 0.137, 0]);
        matrices[16 * joint + 13] *= 0.137;
    }
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"name": "far", "translation": [0, 1e5, 0], "children": [1]}));
    file.json["scenes"] = json!([{"nodes": [0, 11]}]);
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    let import = file.load();
    assert_found(&import, Severity::Warning, "MODEL_FAR_FROM_ORIGIN", "");
    let text = message(&import, "MODEL_FAR_FROM_ORIGIN");
    assert!(text.contains("known to 7.81e-3 only"), "{text}");
    assert!(
        import
            .diagnostics
            .iter()
            .all(|it| !it.code.starts_with("SKIN_"))
    );
}

#[test]
fn joints_of_one_name_are_told_once_where_there_are_clips() {
    let code = "SKIN_JOINT_NAMES_SHARED";
    let (mut file, matrices) = chain();
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    for node in [3, 5, 6] {
        file.json["nodes"][node]["name"] = "bone".into();
    }
    assert!(file.load().diagnostics.iter().all(|it| it.code != code));
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    file.json["accessors"][times]["min"] = json!([0]);
    file.json["accessors"][times]["max"] = json!([1]);
    let values = file.floats("VEC3", &[0.0; 6]);
    file.json["animations"] = json!([{
        "samplers": [{"input": times, "output": values}],
        "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
    }]);
    let import = file.load();
    assert_found(&import, Severity::Hint, code, "/nodes/3");
    let text = message(&import, code);
    assert!(text.ends_with("\"bone\" (3 joints)"), "{text}");
}

/// A strip that hangs on three joints, three rungs each.
fn strip(joint_of_astray: u8) -> File {
    strip_of(joint_of_astray, 1.0, -4.0)
}

/// [`strip`] in which the vertex astray follows the first joint with the rest of its weight, and the middle joint is bound
/// there.
fn strip_of(joint_of_astray: u8, weight: f32, middle: f32) -> File {
    let (mut points, mut joints, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for level in 0..9_u8 {
        for x in [-0.2, 0.2] {
            points.extend([x, f32::from(level), 0.0]);
            joints.extend([level / 3, 0, 0, 0]);
        }
    }
    joints[4 * 2] = joint_of_astray;
    for low in (0..16_u8).step_by(2) {
        triangles.extend([low, low + 1, low + 2, low + 2, low + 1, low + 3]);
    }
    let mut file = File::empty();
    let positions = file.floats("VEC3", &points);
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 18, &joints);
    let mut weights = [1.0, 0.0, 0.0, 0.0].repeat(18);
    (weights[8], weights[9]) = (weight, 1.0 - weight);
    let weights = file.floats("VEC4", &weights);
    let indices = file.accessor("SCALAR", UNSIGNED_BYTE, triangles.len(), &triangles);
    let mut matrices = [0.0; 48];
    for (matrix, height) in matrices.chunks_mut(16).zip([-1.0, middle, -7.0]) {
        for diagonal in [0, 5, 10, 15] {
            matrix[diagonal] = 1.0;
        }
        matrix[13] = height;
    }
    let matrices = file.floats("MAT4", &matrices);
    file.json["meshes"] = json!([{"name": "Strip", "primitives": [{
        "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights},
        "indices": indices,
    }]}]);
    file.json["nodes"] = json!([
        {"mesh": 0, "skin": 0},
        {"name": "low", "children": [2], "translation": [0, 1, 0]},
        {"name": "middle", "children": [3], "translation": [0, 3, 0]},
        {"name": "high", "translation": [0, 3, 0]},
    ]);
    file.json["skins"] = json!([{"joints": [1, 2, 3], "inverseBindMatrices": matrices}]);
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    file
}

#[test]
fn finds_a_vertex_that_follows_a_joint_by_mistake() {
    let folder = Sandbox::new("stray_weights");
    let check = |file: File| {
        let given = [folder.write("strip.gltf", file.to_text().as_bytes())];
        import::check(&given, &Consent::default(), &Progress::default()).unwrap()
    };
    let found = check(strip(2));
    let [found] = &found[..] else {
        panic!("{found:#?}")
    };
    assert_eq!(found.code, StrayWeights::CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(found.pointer, "/skins/0/joints/2");
    assert_eq!(
        found.message,
        "in mesh \"Strip\", vertex 2 follows \"high\", which is far away (weights up to 1.00), while what is around it follows \"low\""
    );
    assert_eq!(check(strip(0)), []);
    // No load waits for a look at weights.
    assert_clean(&strip(2).load());
}

/// Weights blend into those of the joints beside.
#[test]
fn a_blend_into_the_next_joint_is_not_astray() {
    let folder = Sandbox::new("blended_weights");
    let codes = |weight: f32| {
        let file = strip_of(1, weight, -3.9);
        let given = [folder.write("strip.gltf", file.to_text().as_bytes())];
        let found = import::check(&given, &Consent::default(), &Progress::default()).unwrap();
        let codes = found.iter().map(|it| it.code);
        codes
            .filter(|code| *code == StrayWeights::CODE)
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(0.6), [""; 0]);
    assert_eq!(codes(1.0), [StrayWeights::CODE]);
}

/// The tip of Pip's tail follows a hand.
#[test]
fn a_limb_that_follows_another_is_told() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    let mut model = import::load(&path, &Progress::default()).unwrap().model;
    let found = |model: &_| import::find_stray_weights(model, &|| true);
    assert_eq!(found(&model), []);
    let place = |name: &str| {
        let mut joints = model.skins[0].joints.iter();
        let found = joints.position(|&joint| model.hierarchy.node(joint).name == name);
        found.unwrap_or_else(|| panic!("{name}")) as u16
    };
    let (tail, hand) = (place("tail_4"), place("hand_R"));
    for primitive in &mut std::sync::Arc::make_mut(&mut model.meshes)[0].primitives {
        let influences = primitive.influences.as_mut().unwrap();
        let joints = influences.joints.iter_mut();
        joints
            .filter(|joint| **joint == tail)
            .for_each(|joint| *joint = hand);
    }
    let found = found(&model);
    let [found] = &found[..] else {
        panic!("{found:#?}")
    };
    assert_eq!(found.code, MisplacedWeights::CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(found.pointer, format!("/skins/0/joints/{hand}"));
    let words = "what follows \"hand_R\" lies around \"tail_4\"";
    assert!(found.message.contains(words), "{}", found.message);
}
