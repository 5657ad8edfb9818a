//! Small files of which a careless loader would go through a part again and again, or which unpack to much text.

use std::io::Write as _;

use rawzip::{CompressionMethod, ZipArchiveWriter, path::EntryPath};
use serde_json::{Value, json};

use super::{
    Rng,
    bombs::{Bomb, document, glb},
};

/// All of them.
pub fn all() -> Vec<Bomb> {
    let (many, long) = (empty_objects(2_000_000), strings(10_000_000));
    let (few, short) = (empty_objects(450_000), strings(5_000_000));
    vec![
        ("skins_in_one_place", skins_in_one_place(8_000, 500)),
        ("placed_primitives", placed_primitives(50_000, 50_000)),
        ("long_key", long_key(1_400_000, 190)),
        ("draco_tails", draco_tails(1_500, 1_000_000)),
        ("draco_symbols", draco_symbols(3_000, 300_000)),
        ("passing_targets", passing_targets(40_000, 250, 140)),
        ("sparse_targets", sparse_targets(60_000, 20_000, 60, 1_500)),
        ("packed_objects", packed(&many)),
        ("packed_strings", packed(&long)),
        ("noisy_objects", packed(&noisy(&few, 900_000))),
        ("noisy_strings", packed(&noisy(&short, 3_000_000))),
    ]
}

/// Skins of one joint each, which all stand where the others do, of a mesh of so many primitives.
fn skins_in_one_place(count: usize, primitives: usize) -> Vec<u8> {
    let positions: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let weights = [[1.0_f32, 0.0, 0.0, 0.0]; 3];
    let bytes = |numbers: &[f32]| -> Vec<u8> {
        let numbers = numbers.iter();
        numbers.flat_map(|number| number.to_le_bytes()).collect()
    };
    let bin = [
        bytes(&positions),
        bytes(weights.as_flattened()),
        vec![0; 12],
    ]
    .concat();
    let mut document = document();
    document["bufferViews"] = json!([
        {"buffer": 0, "byteLength": 36},
        {"buffer": 0, "byteOffset": 36, "byteLength": 48},
        {"buffer": 0, "byteOffset": 84, "byteLength": 12},
    ]);
    document["accessors"] = json!([
        {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [1, 1, 0]},
        {"bufferView": 1, "componentType": 5126, "type": "VEC4", "count": 3},
        {"bufferView": 2, "componentType": 5121, "type": "VEC4", "count": 3},
    ]);
    let primitive = json!({"attributes": {"POSITION": 0, "WEIGHTS_0": 1, "JOINTS_0": 2}});
    document["meshes"] = json!([{"primitives": vec![primitive; primitives]}]);
    document["skins"] = vec![json!({"joints": [0]}); count].into();
    let nodes = (0..count).map(|skin| json!({"mesh": 0, "skin": skin}));
    document["nodes"] = [json!({})].into_iter().chain(nodes).collect();
    document["scenes"] = json!([{"nodes": (0..=count).collect::<Vec<_>>()}]);
    glb(document, &bin)
}

/// A mesh of so many primitives that so many nodes place, without a skin.
fn placed_primitives(primitives: usize, nodes: usize) -> Vec<u8> {
    let positions: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bin: Vec<u8> = positions.iter().flat_map(|it| it.to_le_bytes()).collect();
    let mut document = document();
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": 36}]);
    document["accessors"] = json!([
        {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [1, 1, 0]},
    ]);
    let primitive = json!({"attributes": {"POSITION": 0}});
    document["meshes"] = json!([{"primitives": vec![primitive; primitives]}]);
    document["nodes"] = vec![json!({"mesh": 0}); nodes].into();
    document["scenes"] = json!([{"nodes": [0]}]);
    glb(document, &bin)
}

/// Primitives of a triangle each that share so many vertices, and targets that move so many of these.
fn sparse_targets(vertices: u32, moved: u32, targets: usize, primitives: usize) -> Vec<u8> {
    let numbers = |count: u32| (0..count).flat_map(u32::to_le_bytes);
    let mut bin: Vec<u8> = numbers(vertices).collect();
    let positions = bin.len();
    bin.resize(positions + 12 * vertices as usize, 0);
    let values = bin.len();
    bin.extend([0, 0, 0x80, 0x3f].repeat(3 * moved as usize));
    let mut document = document();
    document["bufferViews"] = json!([
        {"buffer": 0, "byteLength": positions},
        {"buffer": 0, "byteOffset": positions, "byteLength": values - positions},
        {"buffer": 0, "byteOffset": values, "byteLength": bin.len() - values},
    ]);
    let sparse = json!({
        "count": moved,
        "indices": {"bufferView": 0, "componentType": 5125},
        "values": {"bufferView": 2},
    });
    let vector = json!({"componentType": 5126, "type": "VEC3", "count": vertices, "min": [0, 0, 0], "max": [1, 1, 1]});
    let (mut whole, mut target) = (vector.clone(), vector);
    (whole["bufferView"], target["sparse"]) = (json!(1), sparse);
    whole["max"] = json!([0, 0, 0]);
    let mut accessors = vec![whole];
    accessors.extend(vec![target; targets]);
    let targets: Vec<_> = (1..=targets).map(|it| json!({"POSITION": it})).collect();
    let mut drawn = Vec::new();
    for place in 0..primitives {
        drawn.push(json!({
            "attributes": {"POSITION": 0}, "indices": accessors.len(), "targets": targets,
        }));
        accessors.push(json!({
            "bufferView": 0, "byteOffset": 12 * place, "componentType": 5125, "type": "SCALAR", "count": 3,
        }));
    }
    (document["accessors"], document["meshes"]) =
        (accessors.into(), json!([{"primitives": drawn}]));
    glb(document, &bin)
}

/// A node to be repaired, with so many properties under a key of such a length.
fn long_key(length: usize, properties: usize) -> Vec<u8> {
    let below = (0..properties).map(|it| (it.to_string(), json!(it)));
    let below: serde_json::Map<String, Value> = below.collect();
    json!({
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": "x", "extras": {"k".repeat(length): below}}],
    })
    .to_string()
    .into_bytes()
}

/// The front of a Draco stream whose triangles are all the same and take no bits. What follows must be attributes.
fn draco_front(triangles: u32, points: u32) -> Vec<u8> {
    let mut stream = b"DRACO\x02\x02\x01\0\0\0".to_vec();
    put(&mut stream, triangles);
    put(&mut stream, points);
    // Indices that are coded, by words of up to a bit, of which there is one, of all the chances and no bytes.
    stream.extend([0, 1, 1, 1, 1, 64, 0]);
    stream
}

/// A number of seven bits in each byte, the lowest first.
fn put(stream: &mut Vec<u8>, mut number: u32) {
    while number > 127 {
        stream.push(number as u8 | 128);
        number >>= 7;
    }
    stream.push(number as u8);
}

/// Primitives with a stream each, of which all have the same tail.
fn draco_tails(count: usize, triangles: u32) -> Vec<u8> {
    let fronts = draco_front(triangles, 1).repeat(count);
    // As many bytes as are asked for so many symbols.
    let tail = vec![0xff; triangles as usize * 3 / 8];
    let each = fronts.len() / count;
    let length = fronts.len() + tail.len();
    let views = (0..count).map(|it| (it * each, length - it * each));
    draco(views, triangles, &[fronts, tail].concat())
}

/// Primitives with a short stream each, of so many points.
fn draco_symbols(count: usize, triangles: u32) -> Vec<u8> {
    let stream = draco_stream_of_points(triangles);
    let views = (0..count).map(|it| (it * stream.len(), stream.len()));
    draco(views, triangles, &stream.repeat(count))
}

/// A Draco stream of two triangles and so many points, whose places take no bits. It ends before all is said of them.
fn draco_stream_of_points(points: u32) -> Vec<u8> {
    let mut stream = draco_front(2, points);
    // One decoder of two attributes: places and something else, of three whole numbers each.
    stream.extend([1, 2, 0, 5, 3, 0, 0, 4, 5, 3, 0, 1, 1, 1]);
    // Those of the first are not predicted, and coded as above.
    stream.extend([0xfe, 1, 1, 1, 1, 1, 64, 0]);
    stream
}

/// Primitives whose streams are these parts of the bytes.
fn draco(views: impl Iterator<Item = (usize, usize)>, triangles: u32, bytes: &[u8]) -> Vec<u8> {
    const NAME: &str = "KHR_draco_mesh_compression";
    let mut document = document();
    let view = |(offset, length)| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
    document["bufferViews"] = views.map(view).collect();
    let count = document["bufferViews"].as_array().unwrap().len();
    document["extensionsUsed"] = json!([NAME]);
    document["accessors"] = json!([
        {"componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]},
        {"componentType": 5125, "type": "SCALAR", "count": 3 * triangles},
    ]);
    let primitives = (0..count).map(|view| {
        let stream = json!({"bufferView": view, "attributes": {"POSITION": 0}});
        json!({"attributes": {"POSITION": 0}, "indices": 1, "extensions": {NAME: stream}})
    });
    document["meshes"] = json!([{"primitives": primitives.collect::<Vec<_>>()}]);
    glb(document, bytes)
}

/// Primitives of three of many vertices, which are the same, with many morph targets, which are not the same accessors.
fn passing_targets(vertices: usize, targets: usize, primitives: usize) -> Vec<u8> {
    let mut document = document();
    let length = 12 * vertices;
    document["bufferViews"] = json!([
        {"buffer": 0, "byteLength": length},
        {"buffer": 0, "byteOffset": length, "byteLength": 6},
    ]);
    let places = json!({
        "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": vertices, "min": [0, 0, 0], "max": [0, 0, 0],
    });
    let indices = json!({"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 3});
    document["accessors"] = json!([places, places, indices]);
    let primitive = |number: usize| {
        let of_number = |place: usize| number.checked_shr(place as u32).unwrap_or(0) & 1;
        let targets = (0..targets).map(|place| json!({"POSITION": of_number(place)}));
        let targets: Vec<_> = targets.collect();
        json!({"attributes": {"POSITION": 0}, "indices": 2, "targets": targets})
    };
    let primitives = (0..primitives).map(primitive);
    document["meshes"] = json!([{"primitives": primitives.collect::<Vec<_>>()}]);
    let bin = [vec![0; length], vec![0, 0, 1, 0, 2, 0]].concat();
    glb(document, &bin)
}

/// Text of objects that say nothing.
fn empty_objects(count: usize) -> String {
    let sections = ["nodes", "meshes", "skins", "accessors", "bufferViews"];
    let objects = vec!["{}"; count].join(",");
    let sections = sections.map(|section| format!(r#""{section}":[{objects}]"#));
    format!(r#"{{"asset":{{"version":"2.0"}},{}}}"#, sections.join(","))
}

/// Text of a list of strings where numbers should be.
fn strings(count: usize) -> String {
    let strings = vec![r#""""#; count].join(",");
    format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"children":[{strings}]}}]}}"#)
}

/// `text`, an object, with so many letters more that nothing can pack.
fn noisy(text: &str, length: usize) -> String {
    let mut rng = Rng::new(1);
    let letters = (0..length).map(|_| char::from(b"0Aa"[rng.index(3)] + rng.index(10) as u8));
    let letters: String = letters.collect();
    format!(r#"{{"extras":"{letters}",{}"#, &text[1..])
}

/// An archive of a model of this text.
fn packed(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    let (mut entry, config) = archive
        .new_file(EntryPath::verbatim(b"a.gltf"))
        .compression_method(CompressionMethod::DEFLATE)
        .start()
        .unwrap();
    let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::best());
    let mut writer = config.wrap(encoder);
    writer.write_all(text.as_bytes()).unwrap();
    let (encoder, descriptor) = writer.finish().unwrap();
    encoder.finish().unwrap();
    entry.finish(descriptor).unwrap();
    archive.finish().unwrap();
    bytes
}
