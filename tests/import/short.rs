//! Attributes that lack their last elements: these alone are lost, and others stand for them.

use glam::{Vec2, Vec3, Vec4};
use rigscope::import::{Import, Severity};
use serde_json::json;

use super::{
    file::{File, UNSIGNED_BYTE, assert_found},
    mending::{assert_errors, said},
};

/// Takes the last `bytes` away from what an accessor has.
fn cut(file: &mut File, accessor: usize, bytes: u64) {
    let view = file.json["accessors"][accessor]["bufferView"].as_u64();
    let view = &mut file.json["bufferViews"][view.unwrap() as usize];
    view["byteLength"] = (view["byteLength"].as_u64().unwrap() - bytes).into();
}

/// Checks that the accessor is an error, the attribute a warning with this action, and that nothing else is wrong.
#[track_caller]
fn assert_cut(import: &Import, accessor: usize, attribute: &str, action: &str) {
    let pointer = format!("/accessors/{accessor}/byteOffset");
    assert_errors(import, &[("ACCESSOR_TOO_LONG", &pointer)]);
    let pointer = format!("/meshes/0/primitives/0/{attribute}");
    assert_found(import, Severity::Warning, "ACCESSOR_TOO_LONG", &pointer);
    let lost = "the element of vertex 2 is lost";
    assert_eq!(said(import, &pointer), (lost, action));
}

#[test]
fn the_last_weight_costs_its_vertex_and_not_the_skin() {
    for (attribute, bytes) in [("WEIGHTS_0", 16), ("JOINTS_0", 4)] {
        let joints = [1, 0, 0, 0].repeat(3);
        let mut file = File::skinned(&joints, &[1.0, 0.0, 0.0, 0.0].repeat(3));
        let accessor = file.primitive()["attributes"][attribute].as_u64();
        let accessor = accessor.unwrap() as usize;
        cut(&mut file, accessor, bytes);
        let import = file.load();
        let place = format!("attributes/{attribute}");
        let action = "weights that are missing in this set count as none";
        assert_cut(&import, accessor, &place, action);
        let primitive = &import.model.meshes[0].primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        assert_eq!(influences.weights, [1.0, 0.0, 0.0, 0.0].repeat(3));
        assert_eq!(influences.joints, [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    }
}

#[test]
fn the_last_elements_of_what_is_seen_leave_the_others() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    file.primitive()["attributes"]["NORMAL"] = normals.into();
    cut(&mut file, normals, 4);
    let import = file.load();
    assert_cut(
        &import,
        normals,
        "attributes/NORMAL",
        "their normals are +Y",
    );
    let vertices = &import.model.meshes[0].primitives[0].vertices;
    assert_eq!(vertices.normals, [Vec3::Z, Vec3::Z, Vec3::Y]);

    let mut file = File::triangle();
    let coordinates = file.floats("VEC2", &[1.0; 6]);
    file.primitive()["attributes"]["TEXCOORD_0"] = coordinates.into();
    cut(&mut file, coordinates, 4);
    let import = file.load();
    let action = "they are at the corner of the picture";
    assert_cut(&import, coordinates, "attributes/TEXCOORD_0", action);
    let vertices = &import.model.meshes[0].primitives[0].vertices;
    assert_eq!(vertices.tex_coords[0], [Vec2::ONE, Vec2::ONE, Vec2::ZERO]);

    let mut file = File::triangle();
    let colors = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[0; 12]);
    file.json["accessors"][colors]["normalized"] = true.into();
    file.primitive()["attributes"]["COLOR_0"] = colors.into();
    cut(&mut file, colors, 4);
    let import = file.load();
    assert_cut(&import, colors, "attributes/COLOR_0", "they are white");
    let colors = &import.model.meshes[0].primitives[0].vertices.colors;
    let last = colors.iter().last();
    assert_eq!((colors.len(), last), (3, Some(Vec4::ONE)));
}

#[test]
fn where_most_normals_are_lost_there_are_none() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    file.primitive()["attributes"]["NORMAL"] = normals.into();
    cut(&mut file, normals, 24);
    let import = file.load();
    let said = said(&import, "/meshes/0/primitives/0/attributes/NORMAL");
    let lost = "the elements of the last 2 vertices are lost";
    assert_eq!(said, (lost, "the attribute is ignored"));
    let vertices = &import.model.meshes[0].primitives[0].vertices;
    assert!(vertices.normals.is_empty());
}

#[test]
fn the_last_delta_costs_its_vertex_and_not_the_target() {
    let mut file = File::triangle();
    let deltas = file.floats("VEC3", &[1.0; 9]);
    file.primitive()["targets"] = json!([{"POSITION": deltas}]);
    cut(&mut file, deltas, 12);
    let import = file.load();
    let action = "the target leaves them alone";
    assert_cut(&import, deltas, "targets/0/POSITION", action);
    let target = &import.model.meshes[0].primitives[0].targets[0];
    let expected = vec![Vec3::ONE, Vec3::ONE, Vec3::ZERO];
    assert_eq!(target.positions, expected.into());
}

/// What is not there of the positions is no fault of the normals.
#[test]
fn lost_positions_blame_nothing_else() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    file.primitive()["attributes"]["NORMAL"] = normals.into();
    cut(&mut file, 0, 12);
    let import = file.load();
    assert_errors(&import, &[("ACCESSOR_TOO_LONG", "/accessors/0/byteOffset")]);
}
