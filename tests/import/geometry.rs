//! Accessors, primitives and their vertices.

use glam::{Vec2, Vec3, Vec4};
use rigscope::{
    import::{Import, Severity},
    model::{Aabb, Colors, Indices, Primitive, Topology, Vertices},
};
use serde_json::json;

use super::file::{
    self, BYTE, FLOAT, File, UNSIGNED_BYTE, UNSIGNED_SHORT, assert_clean, assert_error,
    assert_found,
};

fn primitive(import: &Import) -> &Primitive {
    &import.model.meshes[0].primitives[0]
}

fn vertices(import: &Import) -> &Vertices {
    &primitive(import).vertices
}

const TRIANGLE: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

#[test]
fn names_the_mesh_without_positions() {
    let mut file = File::triangle();
    file.json["meshes"][0]["primitives"] =
        json!([{"attributes": {}}, {"attributes": {"POSITION": 0}}]);
    let import = file.load();
    assert_eq!(import.model.meshes[0].primitives.len(), 1);
    assert_eq!(primitive(&import).file_index, 1);
    let pointer = "/meshes/0/primitives/0/attributes";
    let code = "MESH_PRIMITIVE_NO_POSITION";
    assert_found(&import, Severity::Warning, code, pointer);
}

#[test]
fn leaves_absent_attributes_empty() {
    let import = File::triangle().load();
    let expected = Vertices {
        positions: TRIANGLE.to_vec(),
        ..Vertices::default()
    };
    assert_eq!(vertices(&import), &expected);
    assert!(primitive(&import).indices.iter().eq([0, 1, 2]));
    assert_eq!(primitive(&import).rest_bounds.max, Vec3::new(1.0, 1.0, 0.0));
    assert_eq!(primitive(&import).influences, None);
    assert_eq!(primitive(&import).material, 0);
}

#[test]
fn reads_accessors_without_data_as_zeros() {
    let mut file = File::triangle();
    let accessor = file.json["accessors"][0].as_object_mut().unwrap();
    accessor.remove("bufferView");
    let import = file.load();
    assert_eq!(vertices(&import).positions, [Vec3::ZERO; 3]);
    assert_clean(&import);
}

/// Numbers that are none count as 0.
#[test]
fn boxes_hold_positions_as_they_are_read() {
    let mut file = File::triangle();
    let places = [f32::NAN, 1.0, 5.0, 2.0, 3.0, 6.0, 4.0, f32::INFINITY, 7.0];
    let places = file.floats("VEC3", &places);
    file.primitive()["attributes"]["POSITION"] = places.into();
    let import = file.load();
    let found = primitive(&import);
    let positions = found.vertices.positions.iter().copied();
    assert_eq!(found.rest_bounds, Aabb::of_points(positions));
    assert_eq!(found.rest_bounds.min, Vec3::new(0.0, 0.0, 5.0));
    assert_eq!(found.rest_bounds.max, Vec3::new(4.0, 3.0, 7.0));
}

#[test]
fn puts_sparse_elements_in_place() {
    let mut file = File::triangle();
    let indices = file.view(&[2]);
    let values: Vec<u8> = [5.0_f32, 6.0, 7.0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let values = file.view(&values);
    let sparse = json!({
        "count": 1,
        "indices": {"bufferView": indices, "componentType": UNSIGNED_BYTE},
        "values": {"bufferView": values}
    });
    file.json["accessors"][0]["sparse"] = sparse;
    file.json["accessors"][0]["max"] = json!([5, 6, 7]);
    let import = file.load();
    let expected = [TRIANGLE[0], TRIANGLE[1], Vec3::new(5.0, 6.0, 7.0)];
    assert_eq!(vertices(&import).positions, expected);
    assert_clean(&import);

    // Without a view, zeros are replaced.
    let accessor = file.json["accessors"][0].as_object_mut().unwrap();
    accessor.remove("bufferView");
    let import = file.load();
    assert_eq!(vertices(&import).positions[0], Vec3::ZERO);
    assert_eq!(vertices(&import).positions[2], expected[2]);

    file.bin[36] = 3;
    let pointer = "/meshes/0/primitives/0/attributes/POSITION";
    assert_error(&file.load(), "ACCESSOR_SPARSE_INDEX_OOB", pointer);
}

#[test]
fn steps_over_interleaved_data() {
    let mut file = File::empty();
    let rows = [
        [0.0_f32, 0.0, 0.0, 9.0],
        [1.0, 0.0, 0.0, 9.0],
        [0.0, 1.0, 0.0, 9.0],
    ];
    let bytes: Vec<u8> = rows
        .iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let positions = file.accessor("VEC3", FLOAT, 3, &bytes[..44]);
    file.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    file.json["accessors"][positions]["max"] = json!([1, 1, 0]);
    file.json["bufferViews"][0]["byteStride"] = 16.into();
    file.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": 0}}]}]);
    let import = file.load();
    assert_eq!(vertices(&import).positions, TRIANGLE);
    assert_clean(&import);

    file.json["bufferViews"][0]["byteStride"] = 8.into();
    let pointer = "/meshes/0/primitives/0/attributes/POSITION";
    assert_error(&file.load(), "ACCESSOR_SMALL_BYTESTRIDE", pointer);
}

#[test]
fn never_reads_beyond_a_view() {
    for (key, value, left) in [
        ("count", json!(4), 3),
        ("count", json!(u64::MAX), 3),
        ("byteOffset", json!(12), 2),
        ("byteOffset", json!(24), 1),
    ] {
        let mut file = File::triangle();
        file.json["accessors"][0][key] = value;
        file.primitive()["mode"] = 0.into();
        let import = file.load();
        assert_eq!(vertices(&import).positions, TRIANGLE[3 - left..]);
        assert_error(&import, "ACCESSOR_TOO_LONG", "/accessors/0/byteOffset");
    }
    let pointer = "/meshes/0/primitives/0/attributes/POSITION";
    for offset in [28, u64::MAX - 11] {
        let mut file = File::triangle();
        file.json["accessors"][0]["byteOffset"] = offset.into();
        let import = file.load();
        assert!(import.model.meshes[0].primitives.is_empty());
        assert_error(&import, "ACCESSOR_TOO_LONG", pointer);
    }
    let mut file = File::triangle();
    file.json["bufferViews"][0]["byteLength"] = 40.into();
    let import = file.load();
    assert_error(&import, "BUFFER_VIEW_TOO_LONG", "/bufferViews/0/byteLength");
    assert_eq!(import.model.triangle_count(), 1);
}

#[test]
fn pays_before_it_allocates() {
    let mut file = File::triangle();
    let accessor = file.json["accessors"][0].as_object_mut().unwrap();
    accessor.remove("bufferView");
    accessor["count"] = (1_u64 << 40).into();
    let pointer = "/meshes/0/primitives/0/attributes/POSITION";
    assert_error(&file.load(), "MEMORY_BUDGET_EXCEEDED", pointer);
}

#[test]
fn pays_for_every_use_of_an_accessor() {
    let mut file = File::triangle();
    let accessor = file.json["accessors"][0].as_object_mut().unwrap();
    accessor.remove("bufferView");
    accessor["count"] = 1_000_000.into();
    let primitive = file.primitive().clone();
    file.json["meshes"][0]["primitives"] = vec![primitive; 1000].into();
    let import = file.load();
    assert!(import.model.meshes[0].primitives.len() < 40);
}

#[test]
fn trusts_no_bounds() {
    let mut file = File::triangle();
    file.json["accessors"][0]["max"] = json!([1, 2, 0]);
    let import = file.load();
    assert_error(&import, "ACCESSOR_MAX_MISMATCH", "/accessors/0/max");
    assert_eq!(primitive(&import).rest_bounds.max, Vec3::new(1.0, 1.0, 0.0));
    file.json["accessors"][0]["min"] = json!(null);
    let pointer = "/meshes/0/primitives/0/attributes/POSITION";
    let code = "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS";
    assert_error(&file.load(), code, pointer);
}

#[test]
fn replaces_numbers_that_are_not_finite() {
    let mut file = File::triangle();
    file.bin[12..16].copy_from_slice(&f32::NAN.to_le_bytes());
    file.bin[28..32].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let import = file.load();
    assert_eq!(vertices(&import).positions, [Vec3::ZERO; 3]);
    let pointer = "/meshes/0/primitives/0/attributes/POSITION";
    assert_error(&import, "ACCESSOR_INVALID_FLOAT", pointer);
}

#[test]
fn reads_quantized_attributes() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let bytes = [0_i8, 0, 0, 0, 127, 0, 0, 0, 0, -128, 0, 0].map(i8::cast_unsigned);
    let positions = file.accessor("VEC3", BYTE, 3, &bytes);
    file.json["accessors"][positions]["min"] = json!([0, -128, 0]);
    file.json["accessors"][positions]["max"] = json!([127, 0, 0]);
    file.json["bufferViews"][1]["byteStride"] = 4.into();
    file.primitive()["attributes"]["POSITION"] = positions.into();
    let import = file.load();
    let expected = [Vec3::ZERO, Vec3::X * 127.0, Vec3::Y * -128.0];
    assert_eq!(vertices(&import).positions, expected);
    assert_clean(&import);

    file.json["accessors"][1]["normalized"] = true.into();
    let import = file.load();
    assert_eq!(vertices(&import).positions, [Vec3::ZERO, Vec3::X, -Vec3::Y]);

    file.json["extensionsUsed"] = json!([]);
    file.json["extensionsRequired"] = json!([]);
    let pointer = "/meshes/0/primitives/0/attributes/POSITION";
    let code = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";
    let import = file.load();
    assert_error(&import, code, pointer);
    assert_eq!(import.model.triangle_count(), 1);
}

#[test]
fn reads_normals_tangents_and_texture_coordinates() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
    let tangents = file.floats(
        "VEC4",
        &[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0],
    );
    let shorts: Vec<u8> = [0_u16, 65535, 65535, 0, 0, 0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let tex_coords = file.accessor("VEC2", UNSIGNED_SHORT, 3, &shorts);
    file.json["accessors"][tex_coords]["normalized"] = true.into();
    let attributes = &mut file.primitive()["attributes"];
    attributes["NORMAL"] = normals.into();
    attributes["TANGENT"] = tangents.into();
    attributes["TEXCOORD_1"] = tex_coords.into();
    let import = file.load();
    let vertices = vertices(&import);
    assert_eq!(vertices.normals, [Vec3::Z, Vec3::Z, Vec3::Y]);
    let signs: Vec<_> = vertices.tangents.iter().map(|tangent| tangent.w).collect();
    assert_eq!(signs, [1.0, -1.0, 1.0]);
    assert!(vertices.tex_coords[0].is_empty());
    assert_eq!(vertices.tex_coords[1], [Vec2::Y, Vec2::X, Vec2::ZERO]);
    let pointer = "/meshes/0/primitives/0/attributes/NORMAL";
    assert_error(&import, "ACCESSOR_VECTOR3_NON_UNIT", pointer);
    let pointer = "/meshes/0/primitives/0/attributes/TANGENT";
    assert_error(&import, "ACCESSOR_INVALID_SIGN", pointer);

    let attributes = file.primitive()["attributes"].as_object_mut().unwrap();
    attributes.remove("NORMAL");
    let import = file.load();
    assert!(primitive(&import).vertices.tangents.is_empty());
}

#[test]
fn clamps_colors() {
    let mut file = File::triangle();
    let colors = file.floats(
        "VEC4",
        &[2.0, -1.0, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
    );
    file.primitive()["attributes"]["COLOR_0"] = colors.into();
    let import = file.load();
    let expected = [Vec4::new(1.0, 0.0, 0.5, 0.5), Vec4::ONE, Vec4::ZERO];
    assert_eq!(vertices(&import).colors, Colors::Floats(expected.into()));
    let pointer = "/meshes/0/primitives/0/attributes/COLOR_0";
    assert_error(&import, "ACCESSOR_NON_CLAMPED", pointer);
}

#[test]
fn colors_stay_as_small_as_in_the_file() {
    let numbers = [255_u8, 0, 0, 7, 0, 255, 0, 7, 51, 51, 51, 7];
    let shorts: Vec<u8> = numbers
        .iter()
        .flat_map(|&number| (u16::from(number) * 257).to_le_bytes())
        .collect();
    for shape in ["VEC3", "VEC4"] {
        let alpha = if shape == "VEC3" { 255 } else { 7 };
        let expected = [[255, 0, 0, alpha], [0, 255, 0, alpha], [51, 51, 51, alpha]];
        for (component, bytes, colors) in [
            (
                UNSIGNED_BYTE,
                &numbers[..],
                Colors::Bytes(expected.to_vec()),
            ),
            (
                UNSIGNED_SHORT,
                &shorts[..],
                Colors::Shorts(expected.map(|it| it.map(|it| u16::from(it) * 257)).to_vec()),
            ),
        ] {
            let mut file = File::triangle();
            let accessor = file.accessor(shape, component, 3, bytes);
            file.json["bufferViews"][1]["byteStride"] = (bytes.len() / 3).into();
            file.json["accessors"][accessor]["normalized"] = true.into();
            file.primitive()["attributes"]["COLOR_0"] = accessor.into();
            let import = file.load();
            assert_clean(&import);
            assert_eq!(vertices(&import).colors, colors);
            let found: Vec<Vec4> = vertices(&import).colors.iter().collect();
            let expected = expected.map(|it| Vec4::from(it.map(f32::from)) / 255.0);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn ignores_attributes_of_another_length() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0]);
    file.primitive()["attributes"]["NORMAL"] = normals.into();
    let import = file.load();
    assert!(vertices(&import).normals.is_empty());
    let pointer = "/meshes/0/primitives/0/attributes/NORMAL";
    assert_error(&import, "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", pointer);
}

#[test]
fn drops_triangles_with_bad_indices() {
    let mut file = File::triangle();
    let indices = file.shorts(&[0, 1, 2, 0, 1, 3, 65535, 1, 2, 1, 1, 2]);
    file.primitive()["indices"] = indices.into();
    let import = file.load();
    assert!(primitive(&import).indices.iter().eq([0, 1, 2]));
    let pointer = "/meshes/0/primitives/0/indices";
    assert_error(&import, "ACCESSOR_INDEX_OOB", pointer);
    assert_error(&import, "ACCESSOR_INDEX_PRIMITIVE_RESTART", pointer);
    let code = "ACCESSOR_INDEX_TRIANGLE_DEGENERATE";
    assert_found(&import, Severity::Info, code, pointer);
}

#[test]
fn draws_nothing_with_indices_that_are_not_whole() {
    let mut file = File::triangle();
    let indices = file.floats("SCALAR", &[0.0, 1.5, 2.0]);
    file.primitive()["indices"] = indices.into();
    let import = file.load();
    assert!(import.model.meshes[0].primitives.is_empty());
    let code = "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT";
    assert_error(&import, code, "/meshes/0/primitives/0/indices");
}

#[test]
fn makes_lists_of_all_modes() {
    for (mode, topology, indices) in [
        (0, Topology::Points, vec![0, 1, 2]),
        (1, Topology::Lines, vec![0, 1]),
        (2, Topology::Lines, vec![0, 1, 1, 2, 2, 0]),
        (3, Topology::Lines, vec![0, 1, 1, 2]),
        (4, Topology::Triangles, vec![0, 1, 2]),
        (5, Topology::Triangles, vec![0, 1, 2]),
        (6, Topology::Triangles, vec![1, 2, 0]),
    ] {
        let mut file = File::triangle();
        file.primitive()["mode"] = mode.into();
        let import = file.load();
        let primitive = primitive(&import);
        assert_eq!(
            (primitive.topology, &primitive.indices),
            (topology, &Indices::from(indices))
        );
    }
    let mut file = File::triangle();
    file.primitive()["mode"] = 7.into();
    assert_error(
        &file.load(),
        "VALUE_NOT_IN_RANGE",
        "/meshes/0/primitives/0/mode",
    );
}

#[test]
fn begins_strips_anew_where_the_file_says_that_it_does() {
    let strips = |extension: &str, mode: u32| {
        let mut file = File::empty();
        file.floats("VEC3", &[0.5; 21]);
        let indices = file.accessor("SCALAR", UNSIGNED_BYTE, 8, &[0, 1, 2, 3, 255, 4, 5, 6]);
        let attributes = json!({"POSITION": 0});
        file.json["meshes"] = json!([{"primitives": [
            {"attributes": attributes, "indices": indices, "mode": mode},
        ]}]);
        file.json["extensionsUsed"] = json!([extension]);
        file.load()
    };
    const TRIANGLES: u32 = 4;
    const TRIANGLE_STRIP: u32 = 5;
    let extension = "KHR_mesh_primitive_restart";
    let import = strips(extension, TRIANGLE_STRIP);
    file::assert_sound(&import);
    let found = primitive(&import).indices.iter();
    assert!(found.eq([0, 1, 2, 1, 3, 2, 4, 5, 6]));
    let (pointer, code) = (
        "/meshes/0/primitives/0/indices",
        "ACCESSOR_INDEX_PRIMITIVE_RESTART",
    );
    assert_error(&strips("EXT_another", TRIANGLE_STRIP), code, pointer);
    assert_error(&strips(extension, TRIANGLES), code, pointer);
}

#[test]
fn costs_a_bad_primitive_only_itself() {
    let mut file = File::triangle();
    file.json["meshes"][0]["primitives"] = json!([{"attributes": 5}, {"attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 8}}]);
    let import = file.load();
    assert_eq!(import.model.triangle_count(), 1);
    let attributes = "/meshes/0/primitives/0/attributes";
    assert_error(&import, "TYPE_MISMATCH", attributes);
    let pointer = "/meshes/0/primitives/2/attributes/POSITION";
    assert_error(&import, "UNRESOLVED_REFERENCE", pointer);
}

#[test]
fn normalises_vectors_that_are_tiny_or_huge() {
    let mut file = File::triangle();
    let normals = file.floats(
        "VEC3",
        &[3e-23, 0.0, 4e-23, 0.0, 3e38, 3e38, 1e-45, 0.0, 0.0],
    );
    file.primitive()["attributes"]["NORMAL"] = normals.into();
    let import = file.load();
    let found = &import.model.meshes[0].primitives[0].vertices.normals;
    assert_eq!(found.len(), 3);
    let expected = [
        Vec3::new(0.6, 0.0, 0.8),
        Vec3::new(0.0, 1.0, 1.0).normalize(),
        Vec3::X,
    ];
    assert!(
        found
            .iter()
            .zip(expected)
            .all(|(a, b)| a.distance(b) < 1e-6),
        "{found:?}"
    );
    let pointer = "/meshes/0/primitives/0/attributes/NORMAL";
    assert_error(&import, "ACCESSOR_VECTOR3_NON_UNIT", pointer);
}
