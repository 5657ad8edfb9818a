//! Small files for which a careless loader does much that comes to nothing, and does it again for each that asks.

use serde_json::{Value, json};

use super::{
    bombs::{Bomb, document, glb},
    picture_bombs::{Bits, images, segment},
};

/// All of them.
pub fn all() -> Vec<Bomb> {
    let points = json!({"attributes": {"POSITION": 0}, "mode": 7});
    let flat = json!({"attributes": {"POSITION": 1}, "indices": 0});
    let bare = json!({"attributes": {"NORMAL": 0, "TANGENT": 0, "COLOR_0": 0}});
    vec![
        (
            "undrawn_zeros",
            undrawn_zeros(15_000_000, "VEC3", 5126, &points),
        ),
        (
            "flat_zeros",
            undrawn_zeros(60_000_000, "SCALAR", 5123, &flat),
        ),
        (
            "placeless_zeros",
            undrawn_zeros(15_000_000, "VEC3", 5126, &bare),
        ),
        ("influences_of_none", influences_of_none(5_000_000, 10_000)),
        ("inflated_zeros", inflated_zeros(120 << 20, 300)),
        ("missing_names", missing_names(1_000, 500)),
        ("variants_beside_much", variants_beside_much(5_000, 150_000)),
        ("names_of_streams", names_of_streams(40_000)),
        ("meshes_of_two_skins", meshes_of_two_skins(20_000)),
        ("tables_in_tables", tables_in_tables(6_000, 1_500)),
        ("many_tables", many_tables(4_000, 2_500)),
        ("empty_chunks", empty_chunks(20_000, 20_000)),
        ("a_bit_a_pixel", a_bit_a_pixel(3_400, 2_200)),
    ]
}

/// Many of a primitive that is not drawn, with so many zeros of a kind that take no bytes.
fn undrawn_zeros(count: usize, kind: &str, component: u32, primitive: &Value) -> Vec<u8> {
    let mut document = document();
    document["accessors"] = json!([
        {"componentType": component, "type": kind, "count": count, "min": [0, 0, 0], "max": [0, 0, 0]},
        {"componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]},
    ]);
    document["meshes"] = json!([{"primitives": vec![primitive; 200]}]);
    glb(document, &[0; 4])
}

/// Primitives of three vertices, with joints and weights for so many that take no bytes.
fn influences_of_none(count: usize, primitives: usize) -> Vec<u8> {
    let mut document = document();
    document["accessors"] = json!([
        {"componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]},
        {"componentType": 5121, "type": "VEC4", "count": count},
        {"componentType": 5126, "type": "VEC4", "count": count},
    ]);
    let primitive = json!({"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}});
    document["meshes"] = json!([{"primitives": vec![primitive; primitives]}]);
    glb(document, &[0; 4])
}

/// Primitives of three vertices of so many, beside compressed zeros of so many bytes.
fn inflated_zeros(length: usize, primitives: usize) -> Vec<u8> {
    const NAME: &str = "KHR_meshopt_compression";
    let count = length / 4;
    // Blocks of 256 elements whose four bytes do not change, and what stands behind all.
    let stream = [vec![0xa1], vec![0xaa; count.div_ceil(256)], vec![0; 24]].concat();
    let compressed = json!({
        "buffer": 0, "byteLength": stream.len(), "byteStride": 4, "count": count, "mode": "ATTRIBUTES",
    });
    let places = json!({
        "componentType": 5126, "type": "VEC3", "count": 4_300_000, "min": [0, 0, 0], "max": [0, 0, 0],
    });
    let primitive = |place: usize| json!({"attributes": {"POSITION": place % 2}, "indices": 2, "mode": if place < 2 { 4 } else { 0 }});
    let primitives: Vec<_> = (0..primitives).map(primitive).collect();
    let mesh = json!({"primitives": primitives});
    let mut document = document();
    document["extensionsUsed"] = json!([NAME]);
    document["extensionsRequired"] = json!([NAME]);
    document["bufferViews"] = json!([
        {"buffer": 1, "byteLength": length, "extensions": {NAME: compressed}},
    ]);
    document["accessors"] = json!([
        places, places,
        {"componentType": 5123, "type": "SCALAR", "count": 3},
    ]);
    document["meshes"] = json!([mesh, mesh]);
    document["buffers"] = json!([
        {"byteLength": length, "extensions": {NAME: {"fallback": true}}},
    ]);
    glb(document, &stream)
}

/// Images that are not there, with names of so many folders.
fn missing_names(count: usize, folders: usize) -> Vec<u8> {
    let name = |index: usize| json!({"uri": format!("{index:04}{}", "/a".repeat(folders))});
    let images: Vec<_> = (0..count).map(name).collect();
    json!({"asset": {"version": "2.0"}, "images": images})
        .to_string()
        .into_bytes()
}

/// Primitives with variants, in a file that has so much else beside their names.
fn variants_beside_much(primitives: usize, others: usize) -> Vec<u8> {
    const NAME: &str = "KHR_materials_variants";
    let primitive = json!({"attributes": {"POSITION": 0}, "extensions": {NAME: {"mappings": []}}});
    let mut document = document();
    document["extensionsUsed"] = json!([NAME, "X_y"]);
    document["extensions"] = json!({
        NAME: {"variants": [{"name": "a"}]},
        "X_y": {"a": vec![json!([]); others]},
    });
    document["accessors"] = json!([
        {"componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]},
    ]);
    document["meshes"] = json!([{"primitives": vec![primitive; primitives]}]);
    glb(document, &[0; 4])
}

/// A primitive and its compressed data, with so many names both.
fn names_of_streams(count: usize) -> Vec<u8> {
    const NAME: &str = "KHR_draco_mesh_compression";
    let names = (0..count).map(|index| (format!("_{index}"), json!(0)));
    let names: serde_json::Map<_, _> = names.chain([("POSITION".to_owned(), json!(0))]).collect();
    let stream = json!({"bufferView": 0, "attributes": names});
    let mut document = document();
    document["extensionsUsed"] = json!([NAME]);
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": 36}]);
    document["accessors"] = json!([
        {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]},
    ]);
    document["meshes"] =
        json!([{"primitives": [{"attributes": names, "extensions": {NAME: stream}}]}]);
    glb(document, &[0; 36])
}

/// Meshes of nothing, each with a skin and with a larger one.
fn meshes_of_two_skins(count: usize) -> Vec<u8> {
    let mut document = document();
    document["meshes"] = vec![json!({}); count].into();
    let placed = |place: usize| json!({"mesh": place / 2, "skin": place % 2});
    document["nodes"] = (0..2 * count).map(placed).collect();
    document["skins"] = json!([{"joints": [0]}, {"joints": [0, 1]}]);
    glb(document, &[0; 4])
}

const FRAME: [u8; 9] = [8, 0, 8, 0, 8, 1, 1, 0x11, 0];

/// A JPEG of 64 pixels in the data of which tables seem to begin that each seem to hold the next ones, named many times.
fn tables_in_tables(tables: usize, count: usize) -> Vec<u8> {
    // It is a table of four symbols, with a marker in it of the longest segment.
    let table = [&[0, 4][..], &[0; 15], &[0xff, 0xc4, 0xff, 0xff]].concat();
    let jpeg = [
        vec![0xff, 0xd8],
        segment(0xdb, &[&[0][..], &[1; 64]].concat()),
        segment(0xc1, &FRAME),
        segment(0xda, &[1, 1, 0, 0, 63, 0]),
        vec![0, 0, 0xff, 0xc4, 0xff, 0xff],
        table.repeat(tables),
        vec![0; 20],
    ];
    images(&jpeg.concat(), "image/jpeg", count)
}

/// A JPEG with so many tables and no data, named many times.
fn many_tables(tables: usize, count: usize) -> Vec<u8> {
    let table = [&[0x10, 1, 1][..], &[0; 14], &[1, 2]].concat();
    let jpeg = [
        vec![0xff, 0xd8],
        segment(0xc4, &table).repeat(tables),
        segment(0xc0, &FRAME),
        vec![0xff, 0xd9, 0, 0],
    ];
    images(&jpeg.concat(), "image/jpeg", count)
}

/// A PNG with so many chunks of nothing before its data, named many times.
fn empty_chunks(chunks: usize, count: usize) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(content);
        let length = (content.len() as u32).to_be_bytes();
        [&length[..], kind, content, &sum.sum().to_be_bytes()].concat()
    };
    let header = [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0];
    let png = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"teXt", b"").repeat(chunks),
        chunk(b"IEND", b""),
    ];
    images(&png.concat(), "image/png", count)
}

/// A lossless WebP of so many pixels a side that are predicted by others of a bit each, behind which it is broken. Named many
/// times.
fn a_bit_a_pixel(side: u32, count: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // Predicted in blocks of 4 × 4.
    bits.put(&[(0x2f, 8), (side - 1, 14), (side - 1, 14), (0, 4)]);
    bits.put(&[(1, 1), (0, 2), (0, 3), (0, 1)]);
    // Two values of green, and one of all else.
    bits.put(&[(0b111, 3), (0, 8), (1, 8)]);
    bits.put(&[(0b101, 11); 4]);
    let blocks = side.div_ceil(4);
    bits.put(&vec![(0, 1); (blocks * blocks) as usize]);
    // Once more what may come once.
    bits.put(&[(1, 1), (0, 2), (0, 32), (0, 32)]);
    images(&bits.into_webp(), "image/webp", count)
}
