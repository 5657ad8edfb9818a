//! What random files found, each made small.

use glam::Vec3;

use super::file::{File, assert_error};

#[test]
fn a_node_without_its_mesh_has_no_skin() {
    let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
    file.json["nodes"][0]["mesh"] = 1.into();
    assert_error(&file.load(), "UNRESOLVED_REFERENCE", "/nodes/0/mesh");
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
