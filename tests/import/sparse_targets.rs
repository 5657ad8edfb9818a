//! Morph targets of sparse accessors, which keep what they hold.

use glam::{Vec2, Vec3};
use rigscope::{import::Import, model::Deltas};
use serde_json::{Value, json};

use super::{
    file::{BYTE, FLOAT, File, SHORT, UNSIGNED_INT, assert_error},
    tangents,
};

const POSITION: &str = "/meshes/0/primitives/0/targets/0/POSITION";

/// An accessor of so many vectors, all zero but for these.
fn sparse(file: &mut File, count: usize, rows: &[(u32, Vec3)]) -> usize {
    let places: Vec<u32> = rows.iter().map(|(place, _)| *place).collect();
    let values = rows.iter().flat_map(|(_, delta)| delta.to_array());
    let values: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
    let accessor = json!({
        "componentType": FLOAT, "type": "VEC3", "count": count,
        "min": [0, 0, 0], "max": [9, 9, 9],
    });
    replacing(file, accessor, &places, &values)
}

/// An accessor of which these elements are replaced by values that lie in these bytes.
fn replacing(file: &mut File, mut accessor: Value, places: &[u32], values: &[u8]) -> usize {
    let indices: Vec<u8> = places.iter().flat_map(|it| it.to_le_bytes()).collect();
    let (indices, values) = (file.view(&indices), file.view(values));
    accessor["sparse"] = json!({
        "count": places.len(),
        "indices": {"bufferView": indices, "componentType": UNSIGNED_INT},
        "values": {"bufferView": values},
    });
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(accessor);
    accessors.len() - 1
}

/// A primitive of so many vertices with a target of each of these rows.
fn with_targets(count: usize, targets: &[&[(u32, Vec3)]]) -> File {
    let mut file = File::triangle();
    let places: Vec<f32> = (0..3 * count).map(|number| (number % 7) as f32).collect();
    let places = file.floats("VEC3", &places);
    file.primitive()["attributes"]["POSITION"] = places.into();
    let targets = targets.iter();
    let targets = targets.map(|rows| json!({"POSITION": sparse(&mut file, count, rows)}));
    let targets: Vec<_> = targets.collect();
    file.primitive()["targets"] = targets.into();
    file
}

fn moved(import: &Import, target: usize) -> &Deltas<Vec3> {
    &tangents::primitive(import).targets[target].positions
}

/// As faces have them: in full they would take 240 MB.
#[test]
fn hundreds_of_a_large_mesh_load_whole() {
    const ROWS: u32 = 50;
    let rows = |target: u32| -> Vec<(u32, Vec3)> {
        let vertices = target * ROWS..(target + 1) * ROWS;
        vertices
            .map(|it| (it, Vec3::splat(1.0 + it as f32)))
            .collect()
    };
    let targets: Vec<_> = (0..400).map(rows).collect();
    let all: Vec<_> = targets.iter().map(Vec::as_slice).collect();
    let import = with_targets(50_000, &all).load();
    let mut said = import.diagnostics.iter();
    assert!(said.all(|it| it.code != "MEMORY_BUDGET_EXCEEDED"));
    for (target, rows) in targets.into_iter().enumerate() {
        assert_eq!(*moved(&import, target), Deltas::Few(rows), "{target}");
    }
}

#[test]
fn bad_rows_cost_no_more_than_themselves() {
    for (code, rows, expected) in [
        (
            "ACCESSOR_SPARSE_INDICES_NON_INCREASING",
            &[(5, Vec3::X), (2, Vec3::Y), (5, Vec3::Z)][..],
            &[(2, Vec3::Y), (5, Vec3::Z)][..],
        ),
        (
            "ACCESSOR_SPARSE_INDEX_OOB",
            &[(1, Vec3::X), (40, Vec3::Y)],
            &[(1, Vec3::X)],
        ),
        (
            "ACCESSOR_INVALID_FLOAT",
            &[(1, Vec3::new(f32::NAN, 1.0, 0.0)), (3, Vec3::Z)],
            &[(1, Vec3::Y), (3, Vec3::Z)],
        ),
    ] {
        let import = with_targets(12, &[rows]).load();
        assert_error(&import, code, POSITION);
        assert_eq!(*moved(&import, 0), Deltas::Few(expected.to_vec()), "{code}");
    }
}

/// Rows that come again take no memory: if these did, there would be none for the points.
#[test]
fn rows_of_one_place_are_charged_once() {
    const COUNT: usize = 55_000;
    let mut file = with_targets(COUNT, &[]);
    let again = sparse(&mut file, COUNT, &vec![(7, Vec3::X); 20_000]);
    file.primitive()["targets"] = vec![json!({"POSITION": again}); 400].into();
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(json!({
        "componentType": FLOAT, "type": "VEC3", "count": 7_500_000,
        "min": [0, 0, 0], "max": [0, 0, 0],
    }));
    let points = json!({"attributes": {"POSITION": accessors.len() - 1}, "mode": 0});
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(points);
    let import = file.load();
    let mut said = import.diagnostics.iter();
    assert!(said.all(|it| it.code != "MEMORY_BUDGET_EXCEEDED"));
    let primitives = &import.model.meshes[0].primitives;
    assert_eq!(primitives.len(), 2);
    let few = Deltas::Few(vec![(7, Vec3::X)]);
    let mut targets = primitives[0].targets.iter();
    assert!(targets.all(|target| target.positions == few));
}

/// Whatever the attributes are made of, and each in a form of its own.
#[test]
fn attributes_of_a_target_keep_few_rows_or_all() {
    const COUNT: usize = 12;
    let mut file = with_targets(COUNT, &[&[(3, Vec3::X)]]);
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(COUNT));
    let tex_coords = file.floats("VEC2", &[0.5, 0.5].repeat(COUNT));
    let attributes = &mut file.primitive()["attributes"];
    attributes["NORMAL"] = normals.into();
    attributes["TEXCOORD_0"] = tex_coords.into();
    // Beside few positions, normals that replace one of others that are not zero, and quantised coordinates.
    let base = file.floats("VEC3", &[1.0, 0.0, 0.0].repeat(COUNT));
    let base = file.json["accessors"][base].clone();
    let one = [0.0_f32, 2.0, 0.0].map(f32::to_le_bytes).concat();
    let normals = replacing(&mut file, base, &[2], &one);
    let shorts =
        json!({"componentType": SHORT, "normalized": true, "type": "VEC2", "count": COUNT});
    let whole = [32_767_i16, 0].map(i16::to_le_bytes).concat();
    let tex_coords = replacing(&mut file, shorts, &[4], &whole);
    let first = &mut file.primitive()["targets"][0];
    first["NORMAL"] = normals.into();
    first["TEXCOORD_0"] = tex_coords.into();
    let bytes = json!({
        "componentType": BYTE, "type": "VEC3", "count": COUNT,
        "min": [0, -3, 0], "max": [1, 0, 2],
    });
    let positions = replacing(&mut file, bytes, &[5], &[1, 253, 2, 0]);
    let normals = sparse(&mut file, COUNT, &[(0, Vec3::Y), (11, Vec3::Z)]);
    let targets = file.primitive()["targets"].as_array_mut().unwrap();
    targets.push(json!({"POSITION": positions, "NORMAL": normals}));
    for list in ["extensionsUsed", "extensionsRequired"] {
        file.json[list] = json!(["KHR_mesh_quantization"]);
    }
    let import = file.load();
    let [first, second] = &tangents::primitive(&import).targets[..] else {
        panic!("a target is missing");
    };
    let mut expected = vec![Vec3::X; COUNT];
    expected[2] = Vec3::Y * 2.0;
    assert_eq!(first.positions, Deltas::Few(vec![(3, Vec3::X)]));
    assert_eq!(first.normals, Deltas::Each(expected));
    assert_eq!(first.tex_coords[0], Deltas::Few(vec![(4, Vec2::X)]));
    let moved = Vec3::new(1.0, -3.0, 2.0);
    assert_eq!(second.positions, Deltas::Few(vec![(5, moved)]));
    let turned = vec![(0, Vec3::Y), (11, Vec3::Z)];
    assert_eq!(second.normals, Deltas::Few(turned));
}

#[test]
fn vertices_that_stay_where_they_are_have_no_rows() {
    let (one, none) = ([(1, Vec3::ZERO), (3, Vec3::X)], [(2, Vec3::ZERO)]);
    let import = with_targets(12, &[&one, &none]).load();
    assert_eq!(*moved(&import, 0), Deltas::Few(vec![(3, Vec3::X)]));
    assert!(moved(&import, 1).is_empty());
    // More than a few are kept for each vertex.
    let many: Vec<_> = (0..6).map(|vertex| (vertex, Vec3::X)).collect();
    let import = with_targets(12, &[&many]).load();
    let expected = [[Vec3::X; 6], [Vec3::ZERO; 6]].concat();
    assert_eq!(*moved(&import, 0), Deltas::Each(expected));
}

#[test]
fn copies_of_vertices_go_where_these_go() {
    let mut file = tangents::mirrored();
    let rows = [(1, Vec3::Y), (4, Vec3::Z)];
    let target = sparse(&mut file, 6, &rows);
    file.primitive()["targets"] = json!([{"POSITION": target}]);
    let import = file.load();
    assert_eq!(tangents::primitive(&import).copies, [1, 4]);
    let copies = [(6, Vec3::Y), (7, Vec3::Z)];
    let expected = [rows, copies].concat();
    assert_eq!(*moved(&import, 0), Deltas::Few(expected));
}
