//! Blended copies of one mesh (`EXT_mesh_gpu_instancing`): each has a place of its own in the order.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::app::Actor;
use serde_json::json;

use super::quad::{assert_color, pixel, quad, unlit};
use crate::common::gpu;

/// Blended quads of these heights and colours, in one mesh, in copies at these heights, each turned by 180° about Z or not.
fn copies(double_sided: bool, layers: &[(f32, [[f32; 4]; 2])], places: &[(f32, bool)]) -> Actor {
    let (mut positions, mut colors, mut indices) = (Vec::new(), Vec::new(), Vec::<u16>::new());
    for (layer, (z, sides)) in layers.iter().enumerate() {
        // The far side of a box is seen from behind.
        let is_back = layer % 2 == 1;
        for (side, color) in sides.iter().enumerate() {
            let (left, right) = [(-1.0, 0.0), (0.0, 1.0)][side];
            let first = (positions.len() / 3) as u16;
            for [x, y] in [[left, -1.0], [right, -1.0], [right, 1.0], [left, 1.0_f32]] {
                positions.extend([x, y, *z]);
                colors.extend(color);
            }
            let corners = if is_back {
                [0, 2, 1, 0, 3, 2]
            } else {
                [0, 1, 2, 0, 2, 3]
            };
            indices.extend(corners.map(|corner| first + corner));
        }
    }
    let translations = places.iter().flat_map(|&(z, _)| [0.0, 0.0, z]);
    let rotations = places.iter().flat_map(|&(_, is_turned)| {
        let turned = if is_turned { 1.0 } else { 0.0 };
        [0.0, 0.0, turned, 1.0 - turned]
    });
    let mut bytes = Vec::new();
    let mut views = Vec::new();
    let mut view = |part: Vec<u8>| {
        views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": part.len() }));
        bytes.extend(part);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    };
    let floats = |all: Vec<f32>| {
        all.into_iter()
            .flat_map(f32::to_le_bytes)
            .collect::<Vec<_>>()
    };
    let vertices = positions.len() / 3;
    let depths: Vec<f32> = layers.iter().map(|layer| layer.0).collect();
    let least = depths.iter().copied().fold(f32::INFINITY, f32::min);
    let most = depths.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    view(floats(positions));
    view(floats(colors));
    let count = indices.len();
    view(indices.into_iter().flat_map(u16::to_le_bytes).collect());
    view(floats(translations.collect()));
    view(floats(rotations.collect()));
    let data = STANDARD.encode(&bytes);
    let accessor = |view: usize, kind: &str, component: u32, count: usize| json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
    let mut position = accessor(0, "VEC3", 5126, vertices);
    position["min"] = json!([-1, -1, least]);
    position["max"] = json!([1, 1, most]);
    quad(&[
        (
            "extensionsUsed",
            json!(["KHR_materials_unlit", "EXT_mesh_gpu_instancing"]),
        ),
        (
            "materials",
            unlit(json!({ "alphaMode": "BLEND", "doubleSided": double_sided })),
        ),
        (
            "meshes",
            json!([{ "primitives": [{
                "attributes": { "POSITION": 0, "COLOR_0": 1 }, "indices": 2, "material": 0
            }] }]),
        ),
        (
            "nodes",
            json!([{ "mesh": 0, "extensions": { "EXT_mesh_gpu_instancing": {
                "attributes": { "TRANSLATION": 3, "ROTATION": 4 }
            } } }]),
        ),
        (
            "buffers",
            json!([{
                "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")
            }]),
        ),
        ("bufferViews", json!(views)),
        (
            "accessors",
            json!([
                position,
                accessor(1, "VEC4", 5126, vertices),
                accessor(2, "SCALAR", 5123, count),
                accessor(3, "VEC3", 5126, places.len()),
                accessor(4, "VEC4", 5126, places.len())
            ]),
        ),
    ])
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 0.5];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 0.5];
const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 0.5];

/// Linear 0.5 and 0.25 as signals (IEC 61966-2-1).
const HALF: u8 = 188;
const QUARTER: u8 = 137;

/// Red on the left and green on the right; the near copy is turned, so that its green lies over the far one's red.
#[test]
fn the_near_copy_lies_over_the_far_one_whichever_comes_first() {
    let Some(gpu) = gpu() else { return };
    let (near, far) = ((0.5, true), (-0.5, false));
    for places in [[near, far], [far, near]] {
        let mut quads = copies(false, &[(0.0, [RED, GREEN])], &places);
        let mut at = |x| pixel(&gpu, &mut quads, "000000", "0,90,5", [x, 32]);
        assert_color(at(24), [QUARTER, HALF, 0, 255]);
        assert_color(at(40), [HALF, QUARTER, 0, 255]);
    }
}

/// Thin boxes, red before and blue behind: all of the far one is behind all of the near one, from before and from behind.
#[test]
fn copies_with_two_sides_are_whole_before_the_next_one_comes() {
    let Some(gpu) = gpu() else { return };
    let sides = [(0.2, [RED; 2]), (-0.2, [BLUE; 2])];
    let signal = |light: f64| (255.0 * (1.055 * light.powf(1.0 / 2.4) - 0.055)).round() as u8;
    // Over black, far to near: blue, red, blue, red.
    let (first, second) = (signal(0.625), signal(0.3125));
    for places in [[(-1.0, false), (1.0, false)], [(1.0, false), (-1.0, false)]] {
        let mut boxes = copies(true, &sides, &places);
        let before = pixel(&gpu, &mut boxes, "000000", "0,90,5", [32, 32]);
        assert_color(before, [first, 0, second, 255]);
        let behind = pixel(&gpu, &mut boxes, "000000", "180,90,5", [32, 32]);
        assert_color(behind, [second, 0, first, 255]);
    }
}
