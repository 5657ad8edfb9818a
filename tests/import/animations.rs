//! Animations.

use std::ptr;

use glam::{Quat, Vec3};
use rigscope::{
    import::{Diagnostic, Import, Severity},
    model::{Clip, Interpolation},
};
use serde_json::json;

use super::file::{
    BYTE, File, UNSIGNED_BYTE, assert_clean, assert_error, assert_found, assert_sound, message,
    place,
};

fn clip(import: &Import) -> &Clip {
    &import.model.clips[0]
}

const RISE: [f32; 6] = [0.0, 0.0, 0.0, 0.0, 2.0, 0.0];

#[test]
fn reads_translations() {
    let import = File::animated("translation", "VEC3", &[0.5, 1.0], &RISE).load();
    let clip = clip(&import);
    assert_eq!(clip.name(), "");
    assert_eq!(clip.timelines()[0].times_secs(), [0.5, 1.0]);
    let track = &clip.translations()[0];
    assert_eq!(track.interpolation(), Interpolation::Linear);
    assert_eq!(track.values(), [Vec3::ZERO, Vec3::Y * 2.0]);
    assert_sound(&import);
}

#[test]
fn shares_timelines() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
    file.json["animations"][0]["channels"] = json!([
        {"sampler": 0, "target": {"node": 0, "path": "translation"}},
        {"sampler": 1, "target": {"node": 0, "path": "scale"}}
    ]);
    file.json["animations"][0]["samplers"] = json!([
        {"input": 1, "output": 2}, {"input": 1, "output": 2, "interpolation": "STEP"}
    ]);
    let import = file.load();
    assert_eq!(clip(&import).timelines().len(), 1);
    assert_eq!(clip(&import).track_count(), 2);
    assert_eq!(
        clip(&import).scales()[0].interpolation(),
        Interpolation::Step
    );
}

/// A clip in which so many nodes are moved by the same 200,000 keys, through one sampler or each through its own.
fn moved_alike(count: usize, samplers: usize) -> Import {
    let mut file = File::empty();
    let zeros = |kind: &str| json!({"componentType": 5126, "type": kind, "count": 200_000});
    file.json["accessors"] = json!([zeros("SCALAR"), zeros("VEC3")]);
    file.json["nodes"] = vec![json!({}); count].into();
    let channel = |node: usize| {
        let target = json!({"node": node, "path": "translation"});
        json!({"sampler": node % samplers, "target": target})
    };
    let channels: Vec<_> = (0..count).map(channel).collect();
    let samplers = vec![json!({"input": 0, "output": 1}); samplers];
    file.json["animations"] = json!([{"channels": channels, "samplers": samplers}]);
    file.load()
}

#[test]
fn tracks_with_the_same_values_share_them() {
    const NODES: usize = 300;
    for samplers in [1, NODES] {
        let import = moved_alike(NODES, samplers);
        let tracks = clip(&import).translations();
        assert_eq!(tracks.len(), NODES);
        let first = tracks[0].values();
        assert!(tracks.iter().all(|it| ptr::eq(it.values(), first)));
        assert_eq!(first.len(), 200_000);
    }
}

/// What is shared is gone through by each who has it, and so has an end too.
#[test]
fn each_channel_that_is_lost_for_want_of_memory_is_told() {
    const NODES: usize = 360;
    let import = moved_alike(NODES, 1);
    let kept = clip(&import).translations().len();
    let lost = import.diagnostics.iter();
    let lost = lost.filter(|it| it.code == "MEMORY_BUDGET_EXCEEDED");
    let lost: Vec<_> = lost.map(|it| it.pointer.clone()).collect();
    let expected = (kept..NODES).map(|channel| format!("/animations/0/channels/{channel}"));
    assert_eq!(lost, expected.collect::<Vec<_>>());
    assert!(300 < kept && kept < NODES, "{kept}");
}

#[test]
fn makes_rotations_unit_quaternions() {
    let values = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];
    let import = File::animated("rotation", "VEC4", &[0.0, 1.0], &values).load();
    assert_eq!(clip(&import).rotations()[0].values(), [Quat::IDENTITY; 2]);
    let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    assert_error(&import, code, "/animations/0/samplers/0/output");
}

#[test]
fn reads_normalized_integers() {
    let mut file = File::animated("rotation", "VEC4", &[0.0], &[0.0, 0.0, 0.0, 1.0]);
    let bytes = [0_i8, 127, 0, 0].map(i8::cast_unsigned);
    let output = file.accessor("VEC4", BYTE, 1, &bytes);
    file.json["accessors"][output]["normalized"] = true.into();
    file.json["animations"][0]["samplers"][0]["output"] = output.into();
    let import = file.load();
    let expected = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
    assert_eq!(clip(&import).rotations()[0].values(), [expected]);
    assert_clean(&import);
}

#[test]
fn leaves_splines_as_they_are() {
    let values: [f32; 12] = [9.0, 9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 5.0];
    let mut file = File::animated("rotation", "VEC4", &[1.0], &values);
    file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
    let import = file.load();
    let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    let mut found = import.diagnostics.iter();
    let found = found.find(|it| it.code == code).unwrap();
    let action = "what is interpolated is normalised, and zero means no rotation";
    assert_eq!(found.action, action);
    let track = &clip(&import).rotations()[0];
    assert_eq!(track.interpolation(), Interpolation::CubicSpline);
    let tangent = |all| Quat::from_xyzw(all, all, all, all);
    assert_eq!(track.values(), [tangent(9.0), Quat::IDENTITY, tangent(5.0)]);
}

#[test]
fn ignores_channels_without_a_node() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
    let channels = json!([
        {"sampler": 0, "target": {"path": "translation"}},
        {"sampler": 0, "target": {"node": 99, "path": "translation"}},
        {"sampler": 7, "target": {"node": 0, "path": "translation"}},
        {"sampler": 0, "target": {"node": 0, "path": "bogus"}},
        {"sampler": 0, "target": {"path": "pointer"}},
        {"sampler": 0, "target": {"node": 0, "path": "translation"}},
        {"sampler": 0, "target": {"node": 0, "path": "translation"}},
        {"target": {"node": 0, "path": "scale"}}
    ]);
    file.json["animations"][0]["channels"] = channels;
    let import = file.load();
    assert_eq!(clip(&import).track_count(), 1);
    let at = |index: usize, rest: &str| format!("/animations/0/channels/{index}{rest}");
    let code = "ANIMATION_CHANNEL_TARGET_NODE_UNDEFINED";
    assert_found(&import, Severity::Info, code, &at(0, "/target"));
    assert_error(&import, "UNRESOLVED_REFERENCE", &at(1, "/target/node"));
    assert_error(&import, "UNRESOLVED_REFERENCE", &at(2, "/sampler"));
    let code = "VALUE_NOT_IN_LIST";
    assert_found(&import, Severity::Warning, code, &at(3, "/target/path"));
    let code = "ANIMATION_POINTER_UNRESOLVED";
    let pointer = "/target/extensions/KHR_animation_pointer/pointer";
    assert_found(&import, Severity::Warning, code, &at(4, pointer));
    assert_error(&import, "ANIMATION_DUPLICATE_TARGETS", &at(6, ""));
    assert_error(&import, "UNDEFINED_PROPERTY", &at(7, ""));
}

#[test]
fn an_unknown_interpolation_is_told_once_used_or_not() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
    let animation = &mut file.json["animations"][0];
    let mut odd = animation["samplers"][0].clone();
    odd["interpolation"] = json!("FOO");
    animation["samplers"].as_array_mut().unwrap().push(odd);
    for used in [false, true] {
        file.json["animations"][0]["channels"][0]["sampler"] = usize::from(used).into();
        let import = file.load();
        let code = "VALUE_NOT_IN_LIST";
        assert_found(
            &import,
            Severity::Warning,
            code,
            "/animations/0/samplers/1/interpolation",
        );
        let told = import.diagnostics.iter().filter(|it| it.code == code);
        let told: Vec<_> = told.map(|it| &*it.message).collect();
        assert!(
            matches!(*told, [told] if told.contains("\"FOO\"")),
            "{told:?}"
        );
    }
}

#[test]
fn an_unknown_interpolation_is_kept_once_for_many_channels() {
    let allocated = |interpolation: &str| {
        let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
        let animation = &mut file.json["animations"][0];
        let mut odd = animation["samplers"][0].clone();
        odd["interpolation"] = json!(interpolation);
        animation["samplers"].as_array_mut().unwrap().push(odd);
        // What is moved already is refused before the interpolation is asked for.
        let channel = animation["channels"][0].clone();
        let mut other = channel.clone();
        other["sampler"] = 1.into();
        let mut channels = vec![other; 3001];
        channels[0] = channel;
        animation["channels"] = json!(channels);
        allocation_counter::measure(|| drop(file.load())).bytes_total
    };
    let (short, long) = (allocated("FOO"), allocated(&"🦴".repeat(80)));
    // A copy for each channel takes 950 kB more.
    let most = short + 300_000;
    assert!(long < most, "{long} bytes, {short} with a short name");
}

#[test]
fn a_channel_that_cannot_be_read_leaves_its_target_to_another() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
    let numbers = file.floats("SCALAR", &[0.0, 1.0]);
    let animation = &mut file.json["animations"][0];
    let channel = animation["channels"][0].clone();
    let mut other = channel.clone();
    other["sampler"] = 1.into();
    animation["samplers"] = json!([{"input": 1, "output": numbers}, {"input": 1, "output": 2}]);
    animation["channels"] = json!([channel, other, other]);
    let import = file.load();
    assert_eq!(rise_of(&import), [(0.0, 0.0), (1.0, 2.0)]);
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT";
    assert_error(&import, code, "/animations/0/samplers/0/output");
    let duplicates = import.diagnostics.iter();
    let duplicates = duplicates.filter(|it| it.code == "ANIMATION_DUPLICATE_TARGETS");
    let places: Vec<_> = duplicates.map(|it| it.pointer.as_str()).collect();
    assert_eq!(places, ["/animations/0/channels/2"]);
}

#[test]
fn sorts_keys_with_their_values() {
    let values = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    let import = File::animated("translation", "VEC3", &[1.0, 0.0, 2.0], &values).load();
    let clip = clip(&import);
    assert_eq!(clip.timelines()[0].times_secs(), [0.0, 1.0, 2.0]);
    let expected = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    assert_eq!(clip.translations()[0].values(), expected);
    let code = "ACCESSOR_ANIMATION_INPUT_NON_INCREASING";
    assert_error(&import, code, "/animations/0/samplers/0/input");
    assert_eq!(place(&import, code), (Some(0), Some(0.0)));
}

#[test]
fn keeps_keys_of_equal_times() {
    let import = File::animated("translation", "VEC3", &[1.0, 1.0], &RISE).load();
    assert_eq!(clip(&import).timelines()[0].times_secs(), [1.0, 1.0]);
    let code = "ACCESSOR_ANIMATION_INPUT_NON_INCREASING";
    assert_error(&import, code, "/animations/0/samplers/0/input");
    assert_eq!(place(&import, code), (Some(0), Some(1.0)));
}

/// What tells the keys of a clip that are left of a translation: their times, and how high they are.
fn rise_of(import: &Import) -> Vec<(f32, f32)> {
    let clip = clip(import);
    let track = &clip.translations()[0];
    let times = clip.timelines()[track.timeline()].times_secs();
    assert_eq!(times.len(), track.values().len());
    let heights = track.values().iter().map(|value| value.y);
    times.iter().copied().zip(heights).collect()
}

/// Values of a translation that goes to these heights.
fn heights(heights: &[f32]) -> Vec<f32> {
    heights.iter().flat_map(|&y| [0.0, y, 0.0]).collect()
}

#[test]
fn leaves_out_keys_whose_times_are_no_numbers() {
    let (times, values) = ([0.0, f32::NAN, 2.0], heights(&[1.0, 9.0, 3.0]));
    let import = File::animated("translation", "VEC3", &times, &values).load();
    assert_eq!(rise_of(&import), [(0.0, 1.0), (2.0, 3.0)]);
    let code = "ACCESSOR_INVALID_FLOAT";
    assert_error(&import, code, "/animations/0/samplers/0/input");

    // What is left need not be in order.
    let times = [f32::INFINITY, 2.0, f32::NAN, 1.0];
    let values = heights(&[9.0, 2.0, 9.0, 1.0]);
    let import = File::animated("translation", "VEC3", &times, &values).load();
    assert_eq!(rise_of(&import), [(1.0, 1.0), (2.0, 2.0)]);
}

#[test]
fn drops_channels_without_any_usable_key() {
    for (times, values) in [
        ([f32::NAN; 2], [0.0; 6]),
        ([0.0, 1.0], [f32::NAN; 6]),
        ([f32::NAN, 1.0], [0.0, 0.0, 0.0, f32::NAN, 0.0, 0.0]),
    ] {
        let import = File::animated("translation", "VEC3", &times, &values).load();
        assert_eq!(clip(&import).track_count(), 0);
        assert!(clip(&import).timelines().is_empty());
        let is_told = |it: &Diagnostic| it.code == "ACCESSOR_INVALID_FLOAT";
        assert!(import.diagnostics.iter().any(is_told));
    }
}

#[test]
fn leaves_out_keys_whose_values_are_no_numbers() {
    let (times, values) = ([0.0, 1.0, 2.0], heights(&[1.0, f32::NAN, 3.0]));
    let mut file = File::animated("translation", "VEC3", &times, &values);
    // Another channel has the same times, and all of its values.
    let others = file.floats("VEC3", &heights(&[1.0, 1.0, 1.0]));
    let animation = &mut file.json["animations"][0];
    let samplers = animation["samplers"].as_array_mut().unwrap();
    samplers.push(json!({"input": 1, "output": others}));
    let channels = animation["channels"].as_array_mut().unwrap();
    channels.push(json!({"sampler": 1, "target": {"node": 0, "path": "scale"}}));
    let import = file.load();
    assert_eq!(rise_of(&import), [(0.0, 1.0), (2.0, 3.0)]);
    assert_eq!(clip(&import).scales()[0].values().len(), 3);
    let code = "ACCESSOR_INVALID_FLOAT";
    assert_error(&import, code, "/animations/0/samplers/0/output");
}

/// What is wrong with values is said of each sampler that has them, not of the channels.
#[test]
fn values_that_replace_none_are_told_of_each_sampler() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
    let (indices, values) = (file.view(&[5]), file.view(&[0; 12]));
    file.json["accessors"][2]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": indices, "componentType": UNSIGNED_BYTE},
        "values": {"bufferView": values},
    });
    file.json["nodes"] = vec![json!({}); 6].into();
    let channel = |node: usize| {
        let target = json!({"node": node, "path": "translation"});
        json!({"sampler": node / 3, "target": target})
    };
    let channels: Vec<_> = (0..6).map(channel).collect();
    let samplers = vec![json!({"input": 1, "output": 2}); 2];
    file.json["animations"] = json!([{"channels": channels, "samplers": samplers}]);
    let import = file.load();
    let code = "ACCESSOR_SPARSE_INDEX_OOB";
    assert_error(&import, code, "/animations/0/samplers/0/output");
    let told = message(&import, code);
    assert!(told.ends_with("as 1 other use of it finds"), "{told}");
    assert_eq!(clip(&import).translations().len(), 6);
}

#[test]
fn a_rotation_that_is_no_number_hides_no_uneven_one() {
    let values = [
        [f32::NAN, 0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 2.0],
        [0.0, f32::NAN, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    let file = File::animated(
        "rotation",
        "VEC4",
        &[0.0, 1.0, 2.0, 3.0],
        values.as_flattened(),
    );
    let import = file.load();
    let at = "/animations/0/samplers/0/output";
    assert_error(&import, "ACCESSOR_INVALID_FLOAT", at);
    let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    assert_error(&import, code, at);
    let told = message(&import, code);
    assert_eq!(told, "the length of 1 quaternion is not 1");
}

#[test]
fn a_tangent_that_is_no_number_costs_no_key() {
    let values = heights(&[f32::NAN, 1.0, 0.0, 0.0, 2.0, f32::NAN]);
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &values);
    file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
    let import = file.load();
    let track = &clip(&import).translations()[0];
    let found: Vec<f32> = track.values().iter().map(|value| value.y).collect();
    assert_eq!(found, [0.0, 1.0, 0.0, 0.0, 2.0, 0.0]);
}

#[test]
fn leaves_out_keys_without_values() {
    let import = File::animated("translation", "VEC3", &[0.0, 1.0, 2.0], &RISE).load();
    assert_eq!(rise_of(&import), [(0.0, 0.0), (1.0, 2.0)]);
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
    assert_error(&import, code, "/animations/0/channels/0");
}

#[test]
fn drops_channels_whose_values_may_mean_anything() {
    // Values of a spline without its tangents, and weights of fewer targets than there are.
    let mut spline = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
    spline.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
    let mut weights = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.0, 1.0]);
    weights.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    for file in [spline, weights] {
        let import = file.load();
        assert_eq!(clip(&import).track_count(), 0);
        assert!(clip(&import).timelines().is_empty());
        let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
        assert_error(&import, code, "/animations/0/channels/0");
    }
}

#[test]
fn reads_morph_weights() {
    let values = [0.0, 1.0, 0.5, 0.25];
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &values);
    let code = "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS";
    assert_error(&file.load(), code, "/animations/0/channels/0/target");
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    let import = file.load();
    let track = &clip(&import).weights()[0];
    assert_eq!((track.width(), track.values()), (2, &values[..]));
    assert_sound(&import);
}

/// A matrix that shears cannot be kept where something moves the node.
#[test]
fn a_channel_without_data_does_not_take_a_matrix_apart() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &RISE);
    file.json["nodes"][0]["matrix"] = json!([
        1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 7.0, 8.0, 9.0, 1.0
    ]);
    let is_kept = |file: &File| {
        let import = file.load();
        // It is a fault all the same.
        let code = "ANIMATION_CHANNEL_TARGET_NODE_MATRIX";
        assert_error(&import, code, "/animations/0/channels/0/target");
        import.model.hierarchy.nodes()[0].fixed_matrix.is_some()
    };
    assert!(!is_kept(&file));
    let mut without_view = file.json.clone();
    without_view["bufferViews"][2]["buffer"] = 9.into();
    let mut of_other_shape = file.json.clone();
    of_other_shape["accessors"][2]["type"] = "VEC4".into();
    let mut of_other_form = file.json.clone();
    of_other_form["animations"][0]["samplers"][0]["interpolation"] = "HERMITE".into();
    for json in [without_view, of_other_shape, of_other_form] {
        file.json = json;
        assert!(is_kept(&file), "{}", file.json["animations"]);
    }
}

#[test]
fn a_channel_without_data_leaves_weights_to_the_meshs_own() {
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.25, 0.75]);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    file.json["animations"][0]["channels"] = json!([
        {"sampler": 0, "target": {
            "path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": "/meshes/0/weights"}},
        }},
        {"sampler": 1, "target": {"node": 0, "path": "weights"}},
    ]);
    let samplers = |output: u32| json!([{"input": 1, "output": 2}, {"input": 1, "output": output}]);
    let other = file.floats("SCALAR", &[1.0, 0.0]);
    for (output, values) in [(other, [1.0, 0.0]), (0, [0.25, 0.75])] {
        file.json["animations"][0]["samplers"] = samplers(output as u32);
        let import = file.load();
        let weights = clip(&import).weights();
        assert_eq!(weights.len(), 1);
        assert_eq!(weights[0].values(), values);
    }
}
