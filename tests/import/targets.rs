//! The rig doctor about channels that were meant for another node.

use rigscope::import::Severity;
use serde_json::json;

use super::file::{File, assert_found, message, place};

const CODE: &str = "ANIMATION_KEYS_OF_ANOTHER_NODE";
/// Where the joints are at rest, each beside the one before.
pub(super) const PLACES: [[f32; 3]; 6] = [
    [0.0, 1.0, 0.0],
    [0.0, 0.3, 0.1],
    [0.2, 0.4, 0.0],
    [0.5, 0.0, 0.0],
    [0.45, 0.0, 0.02],
    [0.0, 0.1, 0.3],
];

/// Six joints in a chain, from node 1 on, and a clip in which each of some nodes is moved to such places.
pub(super) fn file(channels: &[(usize, [[f32; 3]; 2])]) -> File {
    let joints = [[0, 1, 2, 3], [4, 5, 0, 1], [2, 3, 4, 5]].concat();
    let mut file = File::skinned(&joints, &[0.25; 12]);
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.truncate(1);
    for (joint, place) in PLACES.iter().enumerate() {
        let mut node = json!({"name": format!("j{joint}"), "translation": place});
        if joint < 5 {
            node["children"] = json!([joint + 2]);
        }
        nodes.push(node);
    }
    file.json["skins"] = json!([{"joints": [1, 2, 3, 4, 5, 6]}]);
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    file.json["accessors"][times]["min"] = json!([0]);
    file.json["accessors"][times]["max"] = json!([1]);
    let (mut samplers, mut targets) = (Vec::new(), Vec::new());
    for (joint, places) in channels {
        let output = file.floats("VEC3", &places.concat());
        targets.push(json!({
            "sampler": samplers.len(),
            "target": {"node": joint + 1, "path": "translation"},
        }));
        samplers.push(json!({"input": times, "output": output}));
    }
    file.json["animations"] = json!([{"name": "Walk", "samplers": samplers, "channels": targets}]);
    file
}

fn is_told(file: &File) -> bool {
    file.load()
        .diagnostics
        .iter()
        .any(|found| found.code == CODE)
}

fn at_rest(joint: usize) -> (usize, [[f32; 3]; 2]) {
    (joint, [PLACES[joint]; 2])
}

#[test]
fn keys_that_hold_the_bone_of_another_joint_are_told() {
    // All are moved as they are at rest, but two for one another.
    let all: Vec<_> = (0..6).map(at_rest).collect();
    assert!(!is_told(&file(&all)));
    let mut exchanged = file(&all);
    let channels = exchanged.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels[2]["target"]["node"] = json!(5);
    channels[4]["target"]["node"] = json!(3);
    let import = exchanged.load();
    assert_found(&import, Severity::Warning, CODE, "/animations/0");
    let text = message(&import, CODE);
    assert!(
        text.contains("\"Walk\"") && text.contains("\"j2\"") && text.contains("\"j4\""),
        "{text}"
    );
    assert!(text.ends_with("with 1 node more"), "{text}");
    // One goes to another node, whose own channel is not there.
    let import = file(&[at_rest(1), (3, [PLACES[4]; 2])]).load();
    let text = message(&import, CODE);
    assert!(
        text.contains("moves node \"j3\"") && text.contains("fit node \"j4\""),
        "{text}"
    );
    assert_eq!(place(&import, CODE), (Some(4), None));
}

#[test]
fn bones_that_are_posed_or_go_somewhere_are_not_told() {
    let [x, y, z] = PLACES[3];
    let longer = [x + 0.1, y, z];
    for channels in [
        // Longer than at rest, and where no other is.
        vec![(3, [longer; 2])],
        // Where another is, which is moved as it should be.
        vec![at_rest(4), (3, [PLACES[4]; 2])],
        // On its way past that place.
        vec![(3, [PLACES[4], longer])],
        // About where it is at rest.
        vec![(3, [[x * 1.01, y, z]; 2])],
    ] {
        assert!(!is_told(&file(&channels)), "{channels:?}");
    }
    // No joint, but a prop.
    let mut prop = file(&[(3, [PLACES[4]; 2])]);
    let nodes = prop.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"name": "prop", "translation": PLACES[3]}));
    prop.json["scenes"][0]["nodes"] = json!([0, 1, 7]);
    prop.json["animations"][0]["channels"][0]["target"]["node"] = json!(7);
    assert!(!is_told(&prop));
}

/// In a clip for another body most bones are elsewhere, and one may fit another by chance.
#[test]
fn one_of_many_bones_that_are_elsewhere_is_told_if_two_have_changed_places() {
    let longer = |joint: usize| (joint, [PLACES[joint].map(|it| 1.3 * it); 2]);
    let others = [longer(0), longer(1), longer(2)];
    let by_chance = [&others[..], &[(3, [PLACES[4]; 2])]].concat();
    assert!(!is_told(&file(&by_chance)));
    let exchanged = [(3, [PLACES[4]; 2]), (4, [PLACES[3]; 2])];
    assert!(is_told(&file(&[&others[..], &exchanged].concat())));
}
