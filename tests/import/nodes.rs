//! What extensions add to nodes: lights, visibility, instances, and pointers of animations to them.

use glam::{Affine3A, Mat4, Quat, Vec3};
use rigscope::{
    anim::{Pose, Properties},
    import::{Import, Severity},
    model::{
        Interpolation, LightKind, LightProperty, MaterialProperty, NodeId, PropertyTarget,
        PropertyTrack, TextureSlot, Track, TransformProperty,
    },
};
use serde_json::{Value, json};

use super::file::{
    BYTE, File, UNSIGNED_BYTE, assert_clean, assert_error, assert_found, assert_sound,
};

#[test]
fn reads_lights_and_brings_numbers_into_range() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "directional", "name": "sun", "color": [1.0, 0.5, 0.25], "intensity": 3.0, "range": 5.0},
        {"type": "point", "range": 7.5},
        {"type": "spot", "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}},
        {"type": "spot", "spot": {}},
        {"type": "spherical", "intensity": 9.0},
        {"type": "point", "intensity": -1.0, "range": 0.0, "color": [2.0, -1.0, 0.5]},
    ]}});
    file.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 2}});
    file.json["nodes"].as_array_mut().unwrap().push(json!(
        {"extensions": {"KHR_lights_punctual": {"light": 6}}}
    ));
    let import = file.load();
    let lights = &import.model.lights;
    assert_eq!(lights.len(), 6);
    let sun = &lights[0];
    assert_eq!(
        (&*sun.name, sun.kind, sun.intensity),
        ("sun", LightKind::Directional, 3.0)
    );
    assert_eq!(sun.color, Vec3::new(1.0, 0.5, 0.25));
    assert_eq!((sun.range, lights[1].range), (None, Some(7.5)));
    let spot = |inner_radians, outer_radians| LightKind::Spot {
        inner_radians,
        outer_radians,
    };
    assert_eq!(lights[2].kind, spot(0.25, 0.5));
    assert_eq!(lights[3].kind, spot(0.0, std::f32::consts::FRAC_PI_4));
    assert_eq!((lights[1].intensity, lights[4].intensity), (1.0, 0.0));
    let bad = &lights[5];
    assert_eq!(
        (bad.intensity, bad.range, bad.color),
        (0.0, None, Vec3::new(1.0, 0.0, 0.5))
    );
    let nodes = import.model.hierarchy.nodes();
    assert_eq!((nodes[0].light, nodes[1].light), (Some(2), None));
    let at = "/extensions/KHR_lights_punctual/lights";
    assert_error(&import, "VALUE_NOT_IN_RANGE", &format!("{at}/5/intensity"));
    assert_error(&import, "VALUE_NOT_IN_RANGE", &format!("{at}/5/range"));
    let node = "/nodes/1/extensions/KHR_lights_punctual/light";
    assert_error(&import, "UNRESOLVED_REFERENCE", node);
}

#[test]
fn what_is_hidden_hides_all_below() {
    let hidden = json!({"KHR_node_visibility": {"visible": false}});
    let shown = json!({"KHR_node_visibility": {"visible": true}});
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_node_visibility"]);
    file.json["nodes"] = json!([
        {"children": [1, 2], "extensions": {"KHR_node_visibility": {}}},
        {"mesh": 0, "children": [3], "extensions": hidden},
        {"mesh": 0, "extensions": shown},
        {"mesh": 0, "extensions": shown},
    ]);
    let import = file.load();
    assert_clean(&import);
    let model = &import.model;
    let shown = Pose::new(&model.hierarchy).shown;
    let is_shown = |file_index| shown[model.hierarchy.by_file_index(file_index).unwrap().index()];
    assert_eq!([0, 1, 2, 3].map(is_shown), [true, false, true, false]);
    assert_eq!(model.nodes_in_scene(0), [true; 4]);
}

/// A triangle that is placed several times by instancing.
fn instanced(attributes: Value) -> File {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    file.json["nodes"][0]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    file
}

const AT: &str = "/nodes/0/extensions/EXT_mesh_gpu_instancing";

#[test]
fn reads_instances_with_normalised_rotations() {
    let mut file = instanced(json!({"TRANSLATION": 1, "ROTATION": 2, "SCALE": 3, "_ID": 1}));
    file.floats("VEC3", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let quarter: [i8; 4] = [0, 0, 90, 90];
    let bytes: Vec<u8> = [0, 0, 0, 127]
        .into_iter()
        .chain(quarter)
        .map(i8::cast_unsigned)
        .collect();
    let rotations = file.accessor("VEC4", BYTE, 2, &bytes);
    file.json["accessors"][rotations]["normalized"] = true.into();
    file.floats("VEC3", &[1.0, 1.0, 1.0, 2.0, 3.0, -4.0]);
    let import = file.load();
    assert_sound(&import);
    let instances = &import.model.hierarchy.nodes()[0].node_from_instances;
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let second = Affine3A::from_scale_rotation_translation(
        Vec3::new(2.0, 3.0, -4.0),
        quarter,
        Vec3::new(4.0, 5.0, 6.0),
    );
    assert_eq!(instances.len(), 2);
    assert_eq!(
        instances[0],
        Affine3A::from_translation(Vec3::new(1.0, 2.0, 3.0))
    );
    assert!(instances[1].abs_diff_eq(second, 1e-5), "{:?}", instances[1]);
    assert_eq!(import.model.instance_count(), 2);

    // Bytes are rounded.
    let mut file = instanced(json!({"ROTATION": 1}));
    let rotations = file.accessor("VEC4", BYTE, 1, &[64; 4]);
    file.json["accessors"][rotations]["normalized"] = true.into();
    assert_sound(&file.load());
}

#[test]
fn instances_may_differ_in_the_attributes_of_applications_alone() {
    let mut file = instanced(json!({"_ID": 1}));
    file.floats("SCALAR", &[0.0, 1.0, 2.0]);
    let import = file.load();
    assert_sound(&import);
    let instances = &import.model.hierarchy.nodes()[0].node_from_instances;
    assert_eq!(*instances, [Affine3A::IDENTITY; 3]);
}

#[test]
fn says_what_is_wrong_with_instances() {
    let mut file = instanced(json!({"TRANSLATION": 1, "SCALE": 2, "ROTATION": 9}));
    file.floats("VEC3", &[0.0; 6]);
    file.floats("VEC3", &[1.0; 9]);
    let import = file.load();
    assert_eq!(import.model.instance_count(), 2);
    assert_error(&import, "INSTANCING_UNEQUAL_COUNTS", AT);
    assert_error(
        &import,
        "UNRESOLVED_REFERENCE",
        &format!("{AT}/attributes/ROTATION"),
    );

    let mut file = instanced(json!({"TRANSLATION": 1, "ROTATION": 2}));
    file.floats("VEC3", &[f32::NAN, 0.0, 0.0]);
    file.floats("VEC4", &[0.0; 4]);
    let import = file.load();
    let instances = &import.model.hierarchy.nodes()[0].node_from_instances;
    assert_eq!(*instances, [Affine3A::IDENTITY]);
    assert_error(
        &import,
        "ACCESSOR_INVALID_FLOAT",
        &format!("{AT}/attributes/TRANSLATION"),
    );
    assert_error(
        &import,
        "ROTATION_NON_UNIT",
        &format!("{AT}/attributes/ROTATION"),
    );

    let mut file = instanced(json!({"SCALE": 1}));
    file.floats("VEC2", &[1.0; 2]);
    let import = file.load();
    assert_eq!(import.model.instance_count(), 0);
    let code = "INSTANCING_ACCESSOR_INVALID_FORMAT";
    assert_error(&import, code, &format!("{AT}/attributes/SCALE"));

    let mut file = instanced(json!({}));
    file.json["nodes"][0]
        .as_object_mut()
        .unwrap()
        .remove("mesh");
    assert_error(&file.load(), "UNSATISFIED_DEPENDENCY", AT);

    let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let scales = file.floats("VEC3", &[1.0; 6]);
    file.json["nodes"][0]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": {"SCALE": scales}}});
    let import = file.load();
    assert_found(&import, Severity::Warning, "INSTANCED_SKIN", AT);
    assert_eq!(import.model.instance_count(), 0);
}

#[test]
fn more_instances_than_fit_are_not_made() {
    let mut file = instanced(json!({"TRANSLATION": 1}));
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(json!({"componentType": 5126, "type": "VEC3", "count": 500_001}));
    let import = file.load();
    assert_error(&import, "TOO_MANY_OBJECTS", AT);
    assert_eq!(import.model.instance_count(), 500_000);
    file.json["accessors"][1]["count"] = json!(1_u64 << 40);
    let import = file.load();
    assert_error(
        &import,
        "MEMORY_BUDGET_EXCEEDED",
        &format!("{AT}/attributes/TRANSLATION"),
    );
    assert_eq!(import.model.instance_count(), 0);
}

/// A triangle with a clip whose channels have these pointers, and the outputs that they have.
fn pointing(channels: &[(&str, &str, &[f32])]) -> File {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    file.json["materials"] = json!([{"pbrMetallicRoughness": {}}]);
    file.json["cameras"] =
        json!([{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]);
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    let (mut list, mut samplers) = (Vec::new(), Vec::new());
    for (place, (pointer, kind, values)) in channels.iter().enumerate() {
        let output = file.floats(kind, values);
        samplers.push(json!({"input": times, "output": output}));
        list.push(json!({"sampler": place, "target": {
            "path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}},
        }}));
    }
    file.json["animations"] = json!([{"channels": list, "samplers": samplers}]);
    file
}

fn codes(import: &Import) -> impl Iterator<Item = &str> {
    import.diagnostics.iter().map(|found| found.code)
}

#[test]
fn pointers_to_nodes_play_as_plain_channels_do() {
    let mut file = pointing(&[
        (
            "/nodes/0/translation",
            "VEC3",
            &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0],
        ),
        (
            "/nodes/0/rotation",
            "VEC4",
            &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        ),
        ("/nodes/0/scale", "VEC3", &[1.0; 6]),
        ("/nodes/0/weights", "SCALAR", &[0.0, 0.75]),
    ]);
    let deltas = file.floats("VEC3", &[1.0; 9]);
    file.primitive()["targets"] = json!([{"POSITION": deltas}]);
    // A matrix that a clip moves has to be taken apart. It has a translation, and neither rotation nor scale; and a pointer is
    // no target.
    file.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]);
    let import = file.load();
    let at = "/animations/0/channels/1/target/extensions/KHR_animation_pointer/pointer";
    assert_error(&import, "ANIMATION_POINTER_UNRESOLVED", at);
    assert!(codes(&import).all(|code| code != "NODE_MATRIX_ANIMATED"));
    let clip = &import.model.clips[0];
    assert_eq!((clip.track_count(), clip.properties().len()), (4, 0));
    assert_eq!(clip.translations()[0].values(), [Vec3::ZERO, Vec3::Y * 2.0]);
    assert_eq!(clip.weights()[0].values(), [0.0, 0.75]);
    assert!(import.model.hierarchy.nodes()[0].fixed_matrix.is_none());
    let channels = file.json["animations"][0]["channels"].as_array_mut();
    channels.unwrap().truncate(1);
    let import = file.load();
    let faults = ["ANIMATION_POINTER_UNRESOLVED", "NODE_MATRIX_ANIMATED"];
    assert!(codes(&import).all(|code| !faults.contains(&code)));
}

#[test]
fn weights_of_a_mesh_move_the_nodes_that_have_none_of_their_own() {
    let mut file = pointing(&[("/meshes/0/weights", "SCALAR", &[0.25, 0.75])]);
    let deltas = file.floats("VEC3", &[1.0; 9]);
    file.primitive()["targets"] = json!([{"POSITION": deltas}]);
    file.json["nodes"] = json!([{"mesh": 0}, {"mesh": 0, "weights": [0.5]}, {"mesh": 0}, {}]);
    let import = file.load();
    let clip = &import.model.clips[0];
    let moved: Vec<_> = clip.weights().iter().map(Track::node).collect();
    assert_eq!(moved, [NodeId(0), NodeId(2)]);
}

#[test]
fn pointers_to_other_properties_are_kept() {
    let mut file = pointing(&[
        (
            "/materials/0/pbrMetallicRoughness/baseColorFactor",
            "VEC4",
            &[0.5; 8],
        ),
        (
            "/materials/0/normalTexture/extensions/KHR_texture_transform/offset",
            "VEC2",
            &[0.0; 4],
        ),
        (
            "/extensions/KHR_lights_punctual/lights/0/intensity",
            "SCALAR",
            &[1.0, 2.0],
        ),
        (
            "/nodes/0/extensions/KHR_node_visibility/visible",
            "SCALAR",
            &[0.0, 1.0],
        ),
    ]);
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
    file.json["textures"] = json!([{}]);
    file.json["materials"][0]["normalTexture"] = json!({"index": 0});
    let visible = file.accessor("SCALAR", UNSIGNED_BYTE, 2, &[0, 1]);
    file.json["animations"][0]["samplers"][3]["output"] = visible.into();
    let import = file.load();
    let clip = &import.model.clips[0];
    let targets: Vec<_> = clip
        .properties()
        .iter()
        .map(PropertyTrack::target)
        .collect();
    let transform = TransformProperty::Offset;
    assert_eq!(
        targets,
        [
            PropertyTarget::Material(0, MaterialProperty::BaseColor),
            PropertyTarget::TextureTransform(0, TextureSlot::Normal, transform),
            PropertyTarget::Light(0, LightProperty::Intensity),
            PropertyTarget::Visibility(NodeId(0)),
        ]
    );
    assert_eq!(clip.properties()[2].values(), [1.0, 2.0]);
    assert_eq!(clip.properties()[0].values().len(), 8);
    assert_eq!(clip.properties()[3].interpolation(), Interpolation::Step);
    assert_eq!((clip.track_count(), clip.key_count()), (4, 8));
    assert_eq!(clip.duration_secs(), 1.0);
    let interpolation = "/animations/0/samplers/3/interpolation";
    assert_error(&import, "VALUE_NOT_IN_LIST", interpolation);
}

#[test]
fn pointers_that_lead_nowhere_cost_their_channel() {
    let file = pointing(&[
        ("/nodes/7/rotation", "VEC4", &[0.5; 8]),
        ("/materials/3/alphaCutoff", "SCALAR", &[0.5; 2]),
        (
            "/extensions/KHR_lights_punctual/lights/0/range",
            "SCALAR",
            &[0.5; 2],
        ),
        ("/nodes/0/matrix", "MAT4", &[0.5; 32]),
        ("/cameras/0/perspective/yfov", "VEC2", &[0.5; 4]),
        ("/nodes/0/scale", "VEC3", &[1.0; 6]),
        ("/nodes/0/scale", "VEC3", &[1.0; 6]),
        ("/cameras/0/perspective/znear", "SCALAR", &[1.0; 1]),
    ]);
    let import = file.load();
    // The last one has a value for the first of its keys.
    assert_eq!(import.model.clips[0].track_count(), 2);
    let at = |channel: usize| {
        format!("/animations/0/channels/{channel}/target/extensions/KHR_animation_pointer/pointer")
    };
    let code = "ANIMATION_POINTER_UNRESOLVED";
    for channel in [0, 1, 2] {
        assert_error(&import, code, &at(channel));
    }
    assert_found(&import, Severity::Warning, code, &at(3));
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT";
    assert_error(&import, code, "/animations/0/samplers/4/output");
    let (code, again) = ("ANIMATION_DUPLICATE_TARGETS", "/animations/0/channels/6");
    assert_found(&import, Severity::Warning, code, again);
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
    assert_error(&import, code, "/animations/0/channels/7");
}

/// Other programs may see what this one does not.
#[test]
fn pointers_to_what_is_not_seen_are_no_faults() {
    let mut file = pointing(&[
        ("/nodes/0/extras/charge", "SCALAR", &[0.5; 2]),
        (
            "/nodes/0/extensions/KHR_node_selectability/selectable",
            "SCALAR",
            &[0.0; 2],
        ),
        ("/materials/0/alphaCutoff", "SCALAR", &[0.5; 2]),
        ("/materials/0/alphaCutout", "SCALAR", &[0.5; 2]),
    ]);
    file.json["materials"] = json!([{}]);
    let import = file.load();
    let code = "ANIMATION_POINTER_UNRESOLVED";
    let found = import.diagnostics.iter().filter(|found| found.code == code);
    let mut found: Vec<_> = found.map(|found| found.severity).collect();
    found.sort();
    assert_eq!(found.len(), 3, "{found:?}");
    let warnings = found.iter().filter(|it| **it == Severity::Warning);
    assert_eq!(warnings.count(), 1, "of what is nowhere");
}

/// What is defined is a channel of the clip, seen or not: it counts, and the clip lasts as long (glTF 2.0 §3.11).
#[test]
fn a_cutoff_that_is_not_seen_is_a_channel_all_the_same() {
    let mut file = pointing(&[("/materials/0/alphaCutoff", "SCALAR", &[0.25, 0.75])]);
    file.json["materials"] = json!([{"alphaMode": "BLEND"}]);
    let import = file.load();
    let clip = &import.model.clips[0];
    let cutoff = PropertyTarget::Material(0, MaterialProperty::AlphaCutoff);
    let targets: Vec<_> = clip
        .properties()
        .iter()
        .map(PropertyTrack::target)
        .collect();
    assert_eq!(targets, [cutoff]);
    assert_eq!(clip.properties()[0].values(), [0.25, 0.75]);
    assert_eq!(clip.duration_secs(), 1.0);
    let mut properties = Properties::new(&import.model);
    properties.pose(&import.model, [(0, 0.5, 1.0)]);
    assert_eq!(properties.values().materials, import.model.materials);
}

/// A matrix must be a translation, a rotation and a scale (glTF 2.0 §3.5.3), but for what writing its numbers costs.
#[test]
fn matrices_that_shear_or_flatten_are_named() {
    let found = |changes: &[(usize, f32)]| {
        let mut file = File::triangle();
        let mut matrix = Mat4::IDENTITY.to_cols_array();
        for &(place, number) in changes {
            matrix[place] = number;
        }
        file.json["nodes"][0]["matrix"] = json!(matrix);
        let import = file.load();
        let mut codes = import.diagnostics.iter().map(|found| found.code);
        codes.any(|code| code == "NODE_MATRIX_NON_TRS")
    };
    for place in [1, 2, 4, 6, 8, 9] {
        assert!(found(&[(place, 0.000_2)]), "{place}");
        assert!(!found(&[(place, 0.000_05)]), "{place}");
    }
    // One column is so long that what is wrong with another is little beside it.
    assert!(found(&[(2, 5124.0)]));
    // Numbers of five digits.
    assert!(found(&[(0, 100.0), (5, 100.0), (10, 100.0), (1, 0.01)]));
    // The validator's tolerance does not grow with the numbers.
    assert!(found(&[(0, 100.0), (5, 100.0), (10, 100.0), (1, 0.000_5)]));
    assert!(!found(&[
        (0, 100.0),
        (5, 100.0),
        (10, 100.0),
        (1, 0.000_05)
    ]));
    assert!(found(&[(0, 0.0)]));
    assert!(!found(&[(0, 1e-8), (5, 1e-8), (10, 1e-8)]));
    assert!(found(&[(3, 1e-6)]));
    assert!(found(&[(15, 1.000_001)]));
}
