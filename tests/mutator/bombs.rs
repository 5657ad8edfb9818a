//! Small files that would cost a careless loader gigabytes or hours, each of a different kind.

use serde_json::{Value, json};

use super::{long_bombs, picture_bombs, repeated_bombs, vain_bombs};

/// A kind of file by its name, and its bytes.
pub type Bomb = (&'static str, Vec<u8>);

/// All of them.
pub fn bombs() -> Vec<Bomb> {
    let mut bombs = picture_bombs::all();
    bombs.extend(repeated_bombs::all());
    bombs.extend(long_bombs::all());
    bombs.extend(vain_bombs::all());
    bombs.extend([
        ("zeros", zeros(20_000_000, false)),
        ("endless_zeros", zeros(1 << 40, false)),
        ("sparse_zeros", zeros(100_000_000, true)),
        ("deep_chain", chain(40_000)),
        ("deeper_chain", chain(400_000)),
        ("shared_children", diamond(40)),
        ("primitives", primitives(50_000, 10_000)),
        ("targets", targets(4_000, 10_000)),
        ("uneven_targets", uneven_targets(3_500, 10_000)),
        ("channels", channels(20_000, 10_000)),
        ("skins", skins(2_000, 1_000)),
        ("strips", strips(200, 60_000)),
        ("nested", nested(100_000)),
        ("digits", digits(1_000_000)),
        ("tangents", tangents(560, 70)),
        ("fans", fans(1_500, 2_000)),
        ("spirals", spirals(850, 1_511)),
        ("bent_tangents", bent_tangents(1_600, 60_000)),
        ("mesh_weights", mesh_weights(25_000, 2_000)),
        ("long_name", long_name(2_000_000)),
        ("extension_lists", extension_lists(60_000)),
        ("tex_coord_sets", tex_coord_sets(4_000, 2_000)),
        (
            "header",
            b"glTF\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffJSON{}".to_vec(),
        ),
    ]);
    for section in [
        "accessors",
        "animations",
        "bufferViews",
        "buffers",
        "cameras",
        "images",
        "materials",
        "meshes",
        "nodes",
        "samplers",
        "scenes",
        "skins",
        "textures",
    ] {
        bombs.push((section, objects(section, "{}", 1_000_000)));
    }
    bombs.push((
        "faults",
        objects("nodes", r#"{"mesh":"x","skin":-1}"#, 40_000),
    ));
    bombs.push(("bad_items", objects("materials", "1", 1_000_000)));
    bombs
}

pub(super) fn document() -> Value {
    json!({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}]})
}

/// A GLB of a document and the bytes of its first buffer; it may list others.
pub(super) fn glb(mut document: Value, bin: &[u8]) -> Vec<u8> {
    let mut buffers = vec![json!({"byteLength": bin.len()})];
    if let Value::Array(others) = document["buffers"].take() {
        buffers.extend(others);
    }
    document["buffers"] = buffers.into();
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    let padded = bin.len().next_multiple_of(4);
    bytes.extend(((28 + text.len() + padded) as u32).to_le_bytes());
    for (kind, data, length) in [(b"JSON", &text[..], text.len()), (b"BIN\0", bin, padded)] {
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
        bytes.resize(bytes.len() + length - data.len(), 0);
    }
    bytes
}

/// A mesh of more vertices than there is memory, all zero.
fn zeros(count: u64, is_sparse: bool) -> Vec<u8> {
    let mut document = document();
    let mut accessor = json!({"componentType": 5126, "type": "VEC3", "count": count});
    if is_sparse {
        let indices = json!({"bufferView": 0, "componentType": 5125});
        accessor["sparse"] = json!({"count": 1, "indices": indices, "values": {"bufferView": 0}});
    }
    document["accessors"] = json!([accessor]);
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": 64}]);
    document["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 0}}]}]);
    glb(document, &[0; 64])
}

/// Nodes each under the one before.
fn chain(length: usize) -> Vec<u8> {
    let mut document = document();
    let nodes = (0..length)
        .map(|node| json!({"children": [node + 1]}))
        .chain([json!({})]);
    document["nodes"] = nodes.collect();
    document.to_string().into_bytes()
}

/// Each node twice under the one before: the paths double with each.
fn diamond(length: usize) -> Vec<u8> {
    let mut document = document();
    let nodes = (0..length)
        .map(|node| json!({"children": [node + 1, node + 1]}))
        .chain([json!({})]);
    document["nodes"] = nodes.collect();
    document.to_string().into_bytes()
}

/// Many primitives without the morph targets that one of them has.
fn uneven_targets(count: usize, others: usize) -> Vec<u8> {
    let (mut document, bin) = points(1);
    let mut primitives = vec![json!({"attributes": {"POSITION": 0}}); others];
    primitives[0]["targets"] = vec![json!({"POSITION": 0}); count].into();
    document["meshes"] = json!([{"primitives": primitives}]);
    glb(document, &bin)
}

/// A file with one accessor of points.
fn points(count: usize) -> (Value, Vec<u8>) {
    let mut document = document();
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": 12 * count}]);
    let bounds = json!([0, 0, 0]);
    document["accessors"] = json!([{
        "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": count, "min": bounds, "max": bounds,
    }]);
    (document, vec![0; 12 * count])
}

/// Many primitives that share their vertices.
fn primitives(count: usize, vertices: usize) -> Vec<u8> {
    let (mut document, bin) = points(vertices);
    let primitives = vec![json!({"attributes": {"POSITION": 0}}); count];
    document["meshes"] = json!([{"primitives": primitives}]);
    glb(document, &bin)
}

/// Many morph targets that share their numbers.
fn targets(count: usize, vertices: usize) -> Vec<u8> {
    let (mut document, bin) = points(vertices);
    let targets = vec![json!({"POSITION": 0}); count];
    document["meshes"] =
        json!([{"primitives": [{"attributes": {"POSITION": 0}, "targets": targets}]}]);
    glb(document, &bin)
}

/// Many channels that share their keys.
fn channels(count: usize, keys: usize) -> Vec<u8> {
    let (mut document, mut bin) = points(keys);
    let times: Vec<u8> = (0..keys)
        .flat_map(|key| (key as f32).to_le_bytes())
        .collect();
    document["bufferViews"] = json!([document["bufferViews"][0], {"buffer": 0, "byteOffset": bin.len(), "byteLength": times.len()}]);
    bin.extend(times);
    let times = json!({"bufferView": 1, "componentType": 5126, "type": "SCALAR", "count": keys, "min": [0], "max": [keys - 1]});
    document["accessors"] = json!([document["accessors"][0], times]);
    document["nodes"] = vec![json!({}); count].into();
    let samplers: Vec<_> = (0..count)
        .map(|_| json!({"input": 1, "output": 0}))
        .collect();
    let target = |node: usize| json!({"node": node, "path": "translation"});
    let channels: Vec<_> = (0..count)
        .map(|node| json!({"sampler": node, "target": target(node)}))
        .collect();
    document["animations"] = json!([{"samplers": samplers, "channels": channels}]);
    glb(document, &bin)
}

/// Many skins of the same joints.
fn skins(count: usize, joints: usize) -> Vec<u8> {
    let mut document = document();
    let all: Vec<usize> = (0..joints).collect();
    document["nodes"] = (0..joints)
        .map(|node| json!({"skin": node % count}))
        .collect();
    document["skins"] = vec![json!({"joints": all}); count].into();
    document.to_string().into_bytes()
}

/// Strips: three indices come of one.
fn strips(count: usize, vertices: usize) -> Vec<u8> {
    let (mut document, bin) = points(vertices);
    let primitives = vec![json!({"mode": 5, "attributes": {"POSITION": 0}}); count];
    document["meshes"] = json!([{"primitives": primitives}]);
    glb(document, &bin)
}

/// Arrays in arrays, where anything may stand.
fn nested(depth: usize) -> Vec<u8> {
    let deep = "[".repeat(depth) + &"]".repeat(depth);
    format!(r#"{{"asset":{{"version":"2.0","extras":{deep}}},"nodes":[{{"extras":{deep}}}]}}"#)
        .into_bytes()
}

/// Names that each are to be looked up among the others.
fn extension_lists(count: usize) -> Vec<u8> {
    json!({
        "asset": { "version": "2.0" },
        "extensionsRequired": vec!["KHR_materials_unlit"; count],
        "extensionsUsed": vec!["A"; count],
    })
    .to_string()
    .into_bytes()
}

/// A primitive with so many sets, and variants of which each needs one set more.
fn tex_coord_sets(sets: usize, variants: usize) -> Vec<u8> {
    let attributes: serde_json::Map<String, Value> = (0..sets)
        .map(|set| (format!("TEXCOORD_{set}"), json!(0)))
        .collect();
    let mappings: Vec<_> = (0..variants)
        .map(|variant| json!({ "material": 0, "variants": [variant] }))
        .collect();
    json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_materials_variants"],
        "extensions": { "KHR_materials_variants": {
            "variants": (0..variants).map(|variant| json!({ "name": variant.to_string() })).collect::<Vec<_>>()
        } },
        "materials": [{ "normalTexture": { "index": 0, "texCoord": sets } }],
        "meshes": [{ "primitives": [{
            "attributes": attributes,
            "extensions": { "KHR_materials_variants": { "mappings": mappings } }
        }] }],
    })
    .to_string()
    .into_bytes()
}

/// A fraction without end.
fn digits(length: usize) -> Vec<u8> {
    let digits = "1".repeat(length);
    format!(r#"{{"asset":{{"version":"2.0"}},"extras":0.{digits}}}"#).into_bytes()
}

/// Many primitives that share a wavy sheet and need tangents: `side` squares a side, most of its triangles twice.
fn tangents(count: usize, side: usize) -> Vec<u8> {
    let width = side + 1;
    let places = (0..width * width).map(|vertex| [vertex % width, vertex / width]);
    let places = places.map(|place| place.map(|it| it as f32));
    let positions = places.clone().map(|[x, y]| [x, y, (x * y).sin()]);
    let coordinates = places.map(|[x, y]| [x / side as f32, y / side as f32]);
    let squares = (0..side * side).map(|square| square % side + square / side * width);
    let triangles = squares.flat_map(|a| {
        let [b, c, d] = [a + 1, a + width, a + width + 1];
        [[a, b, c], [b, d, c], [a, b, d]]
    });
    let vertices = positions.zip(coordinates).collect();
    normal_mapped(count, vertices, triangles.flatten(), 0)
}

/// Triangles that share a vertex and nothing else, half of which say nothing of tangents, in many primitives.
fn fans(count: usize, triangles: usize) -> Vec<u8> {
    let around = (0..2 * triangles).map(|place| (place as f32 * 0.001).sin_cos());
    let positions = around.clone().map(|(x, y)| [x, y, x * y]);
    let is_vague = |place: usize| place / 2 % 2 == 1;
    let coordinates = around
        .enumerate()
        .map(|(place, (x, y))| match is_vague(place) {
            true => [0.0; 2],
            false => [x, y],
        });
    let indices = (0..triangles).flat_map(|triangle| [0, 1 + 2 * triangle, 2 + 2 * triangle]);
    let positions = [[0.0; 3]].into_iter().chain(positions);
    let coordinates = [[0.0; 2]].into_iter().chain(coordinates);
    let vertices = positions.zip(coordinates).collect();
    normal_mapped(count, vertices, indices, 0)
}

/// Triangles that go round a vertex again and again, and contradict each other, in many primitives.
fn spirals(count: usize, triangles: usize) -> Vec<u8> {
    let turned = |turns: f32| [4.0 * turns.cos(), 4.0 * turns.sin()];
    let spoke = |place: usize| {
        let side = if place.is_multiple_of(2) { 1.0 } else { -1.0 };
        let position = [side * (1.0 + place as f32), 0.0, 0.0];
        (position, turned(place as f32 * std::f32::consts::TAU / 5.0))
    };
    let ends = [([0.0; 3], [0.0; 2]), ([50.0, 1.0, 0.0], turned(-0.5))];
    let vertices = ends.into_iter().chain((0..5).map(spoke)).collect();
    let indices = (0..triangles).flat_map(|it| [0, 2 + it % 5, 2 + (it + 1) % 5]);
    normal_mapped(count, vertices, [0, 1, 2].into_iter().chain(indices), 0)
}

/// Many morph targets that bend many triangles, which share their vertices.
fn bent_tangents(targets: usize, triangles: usize) -> Vec<u8> {
    let vertices = vec![
        ([0.0, 0.0, 0.0], [0.0, 0.0]),
        ([1.0, 0.0, 0.0], [1.0, 0.0]),
        ([0.0, 1.0, 0.0], [0.0, 1.0]),
        ([0.0, 0.0, 0.0], [1.0, 1.0]),
    ];
    let others = std::iter::repeat_n([0, 1, 3], triangles).flatten();
    normal_mapped(1, vertices, [0, 1, 2].into_iter().chain(others), targets)
}

/// Many primitives with a normal map and the same vertices: positions, and coordinates on the map. All morph targets add the
/// positions.
fn normal_mapped(
    count: usize,
    vertices: Vec<([f32; 3], [f32; 2])>,
    indices: impl Iterator<Item = usize>,
    targets: usize,
) -> Vec<u8> {
    let (positions, coordinates): (Vec<_>, Vec<_>) = vertices.into_iter().unzip();
    let vertices = positions.len();
    let normals = vec![[0.0, 0.0, 1.0]; vertices];
    let numbers = [
        positions.as_flattened(),
        normals.as_flattened(),
        coordinates.as_flattened(),
    ];
    let numbers = numbers.concat();
    let mut bin: Vec<u8> = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
    let indices = indices.map(|index| index as u32);
    let indices: Vec<u8> = indices.flat_map(u32::to_le_bytes).collect();
    let mut document = document();
    let view = |offset: usize, length: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
    document["bufferViews"] = json!([
        view(0, 12 * vertices),
        view(12 * vertices, 12 * vertices),
        view(24 * vertices, 8 * vertices),
        view(32 * vertices, indices.len()),
    ]);
    let accessor = |view: usize, kind: &str| json!({"bufferView": view, "componentType": 5126, "type": kind, "count": vertices});
    let of_indices = json!({"bufferView": 3, "componentType": 5125, "type": "SCALAR", "count": indices.len() / 4});
    document["accessors"] = json!([
        accessor(0, "VEC3"),
        accessor(1, "VEC3"),
        accessor(2, "VEC2"),
        of_indices
    ]);
    bin.extend(indices);
    let attributes = json!({"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2});
    let mut primitive = json!({"attributes": attributes, "indices": 3, "material": 0});
    if targets > 0 {
        primitive["targets"] = vec![json!({"POSITION": 0}); targets].into();
    }
    document["meshes"] = json!([{"primitives": vec![primitive; count]}]);
    document["textures"] = json!([{}]);
    document["materials"] = json!([{"normalTexture": {"index": 0}}]);
    glb(document, &bin)
}

/// Clips that each move the weights of a mesh, which many nodes place.
fn mesh_weights(nodes: usize, clips: usize) -> Vec<u8> {
    let (mut document, mut bin) = points(3);
    bin.extend([0; 4]);
    let time = json!({"bufferView": 1, "componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0]});
    document["accessors"] = json!([document["accessors"][0], time]);
    let view = json!({"buffer": 0, "byteOffset": 36, "byteLength": 4});
    document["bufferViews"] = json!([document["bufferViews"][0], view]);
    document["meshes"] = json!([{"primitives": [
        {"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]},
    ]}]);
    document["nodes"] = vec![json!({"mesh": 0}); nodes].into();
    document["scenes"] = json!([{"nodes": (0..nodes).collect::<Vec<_>>()}]);
    document["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    let pointer = json!({"KHR_animation_pointer": {"pointer": "/meshes/0/weights"}});
    let channel = json!({"sampler": 0, "target": {"path": "pointer", "extensions": pointer}});
    let clip = json!({"channels": [channel], "samplers": [{"input": 1, "output": 1}]});
    document["animations"] = vec![clip; clips].into();
    glb(document, &bin)
}

fn long_name(length: usize) -> Vec<u8> {
    let name = "\u{202e}a".repeat(length / 4);
    let mut document = document();
    document["nodes"] = json!([{"name": name, "skin": 7, "mesh": 9}]);
    document.to_string().into_bytes()
}

/// A million small objects.
fn objects(section: &str, object: &str, count: usize) -> Vec<u8> {
    let objects = vec![object; count].join(",");
    format!(r#"{{"asset":{{"version":"2.0"}},"{section}":[{objects}]}}"#).into_bytes()
}
