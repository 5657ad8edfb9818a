//! The reference against figures worked out by hand, on a file made here.

use base64::Engine as _;
use serde_json::{Value, json};

use super::document::Document;
use super::math::{self, Vec3};
use super::pose::Pose;

/// One buffer with the given floats; each accessor is `[offset in floats, count, type]`.
fn document(floats: &[f32], accessors: &[(usize, usize, &str)], rest: &Value) -> Document {
    let bytes: Vec<u8> = floats.iter().flat_map(|x| x.to_le_bytes()).collect();
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        base64::engine::general_purpose::STANDARD.encode(&bytes)
    );
    let accessors: Vec<Value> = accessors
        .iter()
        .map(|(offset, count, kind)| {
            json!({
                "bufferView": 0, "byteOffset": 4 * offset,
                "componentType": 5126, "count": count, "type": kind,
            })
        })
        .collect();
    let mut json = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"uri": uri, "byteLength": bytes.len()}],
        "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
        "accessors": accessors,
    });
    for (key, value) in rest.as_object().unwrap() {
        json[key] = value.clone();
    }
    Document::from_json(json, std::path::Path::new(".")).unwrap()
}

#[track_caller]
fn near(got: &[f64], want: &[f64]) {
    let far = got.iter().zip(want).any(|(a, b)| (a - b).abs() > 1e-7);
    assert!(
        got.len() == want.len() && !far,
        "{got:?} instead of {want:?}"
    );
}

fn origin(pose: &Pose, node: usize) -> Vec3 {
    math::transform_point(&pose.world[node], [0.0; 3])
}

#[test]
fn step_linear_and_spline_as_worked_out_by_hand() {
    // Keys at 1 and 3 s. Values 0 and 4 along x; for the spline with out-tangent 1 and in-tangent 2 along x.
    let floats = [
        1.0, 3.0, // times
        0.0, 0.0, 0.0, 4.0, 0.0, 0.0, // values
        9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 1.0, 0.0,
        0.0, // in-tangent (unused), value, out-tangent
        2.0, 0.0, 0.0, 4.0, 0.0, 0.0, 9.0, 9.0,
        9.0, // in-tangent, value, out-tangent (unused)
    ];
    let channel =
        |node: usize| json!({"sampler": node, "target": {"node": node, "path": "translation"}});
    let sampler = |output: usize, interpolation: &str| json!({"input": 0, "output": output, "interpolation": interpolation});
    let rest = json!({
        "nodes": [{}, {}, {}],
        "animations": [{
            "channels": [channel(0), channel(1), channel(2)],
            "samplers": [sampler(1, "STEP"), sampler(1, "LINEAR"), sampler(2, "CUBICSPLINE")],
        }],
    });
    let document = document(
        &floats,
        &[(0, 2, "SCALAR"), (2, 2, "VEC3"), (8, 6, "VEC3")],
        &rest,
    );
    let clip = document.clip(0).unwrap();
    // The spline at u = 1/2, keys 2 s apart: 4 * (1/2) + 2 * (1 * 1/8 + 2 * -1/8) = 1.75.
    for (time, want) in [
        (0.0, [0.0; 3]),
        (1.0, [0.0; 3]),
        (2.0, [0.0, 2.0, 1.75]),
        (3.0, [4.0; 3]),
        (9.0, [4.0; 3]),
    ] {
        let pose = document.pose(Some(&clip), time, false);
        near(
            &[
                origin(&pose, 0)[0],
                origin(&pose, 1)[0],
                origin(&pose, 2)[0],
            ],
            &want,
        );
    }
}

#[test]
fn rotations_take_the_short_way() {
    // From no rotation to 90 degrees about z, written as -q: a third of the way is 30 degrees.
    let h = std::f32::consts::FRAC_1_SQRT_2;
    let floats = [0.0, 3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -h, -h];
    let rest = json!({
        "nodes": [{"children": [1]}, {"translation": [1, 0, 0]}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": 0, "output": 1}],
        }],
    });
    let document = document(&floats, &[(0, 2, "SCALAR"), (2, 2, "VEC4")], &rest);
    let pose = document.pose(Some(&document.clip(0).unwrap()), 1.0, false);
    near(&origin(&pose, 1), &[0.75_f64.sqrt(), 0.5, 0.0]);
}

#[test]
fn morphs_then_skins_and_ignores_the_mesh_node() {
    // One vertex at (1, 0, 0); the morph target adds (0, 2, 0) at weight 1/2, which the node sets over the mesh's 9.
    // Joint 0 moves by (0, 0, 3), joint 1 by (0, 0, 7); weights 1 and 3 make it (0, 0, 6).
    let floats = [
        1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0,
    ];
    let rest = json!({
        "nodes": [
            {"mesh": 0, "skin": 0, "weights": [0.5], "translation": [100, 0, 0], "scale": [5, 5, 5]},
            {"translation": [0, 0, 3], "children": [2]},
            {"translation": [0, 0, 4]},
        ],
        "skins": [{"joints": [1, 2]}],
        "meshes": [{"weights": [9], "primitives": [{
            "mode": 0,
            "attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3},
            "targets": [{"POSITION": 1}],
        }]}],
    });
    let accessors = [
        (0, 1, "VEC3"),
        (3, 1, "VEC3"),
        (6, 1, "VEC4"),
        (10, 1, "VEC4"),
    ];
    let document = document(&floats, &accessors, &rest);
    let pose = document.pose(None, 0.0, true);
    near(&pose.meshes[0].positions[0].unwrap(), &[1.0, 1.0, 6.0]);
}

#[test]
fn reads_sparse_normalized_and_strided_accessors() {
    // Four normalised unsigned bytes at a stride of 4: two elements of VEC2, then a sparse one over zeros.
    let bytes = [0_u8, 255, 7, 7, 51, 102, 7, 7, 2, 0, 0, 0, 0, 0, 128, 191];
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        base64::engine::general_purpose::STANDARD.encode(bytes)
    );
    let json = json!({
        "buffers": [{"uri": uri}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 8, "byteStride": 4},
            {"buffer": 0, "byteOffset": 8, "byteLength": 8},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5121, "normalized": true, "count": 2, "type": "VEC2"},
            {"componentType": 5126, "count": 3, "type": "SCALAR", "sparse": {
                "count": 1,
                "indices": {"bufferView": 1, "componentType": 5121},
                "values": {"bufferView": 1, "byteOffset": 4},
            }},
        ],
    });
    let document = Document::from_json(json, std::path::Path::new(".")).unwrap();
    near(
        &document.file.accessor(0).unwrap().values,
        &[0.0, 1.0, 0.2, 0.4],
    );
    near(
        &document.file.accessor(1).unwrap().values,
        &[0.0, 0.0, -1.0],
    );
}

#[test]
fn nodes_scale_then_turn_then_move() {
    let h = 0.5_f64.sqrt();
    let json = json!({"nodes": [
        {"children": [1], "translation": [1, 0, 0], "rotation": [0, 0, h, h], "scale": [2, 1, 1]},
        {"children": [2], "translation": [1, 0, 0]},
        {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]},
    ]});
    let document = Document::from_json(json, std::path::Path::new(".")).unwrap();
    let pose = document.pose(None, 0.0, false);
    near(&origin(&pose, 1), &[1.0, 2.0, 0.0]);
    near(&origin(&pose, 2), &[-4.0, 2.0, 0.0]);
}

#[test]
fn spline_weights_are_grouped_by_tangent_and_value() {
    // Two targets, keys at 0 and 1 s: in-tangents, values, out-tangents of both targets, key after key.
    let floats = [
        0.0, 1.0, // times
        0.0, 0.0, 0.0, 1.0, 8.0, 0.0, // at 0 s: values 0 and 1, out-tangents 8 and 0
        0.0, -8.0, 4.0, 3.0, 0.0, 0.0, // at 1 s: in-tangents 0 and -8, values 4 and 3
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // a position and two displacements
    ];
    let rest = json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{
            "mode": 0,
            "attributes": {"POSITION": 2},
            "targets": [{"POSITION": 3}, {"POSITION": 4}],
        }]}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "samplers": [{"input": 0, "output": 1, "interpolation": "CUBICSPLINE"}],
        }],
    });
    let accessors = [
        (0, 2, "SCALAR"),
        (2, 12, "SCALAR"),
        (14, 1, "VEC3"),
        (17, 1, "VEC3"),
        (20, 1, "VEC3"),
    ];
    let document = document(&floats, &accessors, &rest);
    let pose = document.pose(Some(&document.clip(0).unwrap()), 0.5, true);
    // At the middle both values count half, an out-tangent 1/8 and an in-tangent -1/8.
    near(&pose.weights[0], &[3.0, 3.0]);
    near(&pose.meshes[0].positions[0].unwrap(), &[3.0, 3.0, 0.0]);
}
