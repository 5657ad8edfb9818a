//! Vertices that no index names: they are kept in the file's order, but nothing is drawn of them, so no box holds them.

use glam::Vec3;
use rigscope::{
    app::Actor,
    model::{Aabb, Primitive},
};
use serde_json::{Value, json};

use super::file::{File, UNSIGNED_BYTE, load};

/// Six vertices: a triangle at the origin, and one far away.
const PLACES: [Vec3; 6] = [
    Vec3::ZERO,
    Vec3::X,
    Vec3::Y,
    Vec3::new(100.0, 0.0, 0.0),
    Vec3::new(101.0, 0.0, 0.0),
    Vec3::new(100.0, 1.0, 0.0),
];

fn near() -> Aabb {
    Aabb::of_points([Vec3::ZERO, Vec3::X, Vec3::Y])
}

/// A file with a mesh for each primitive over the same vertices, the first of which is shown.
fn file(primitives: &[Value]) -> File {
    let mut file = File::empty();
    let places: Vec<f32> = PLACES.iter().flat_map(Vec3::to_array).collect();
    file.floats("VEC3", &places);
    let meshes = primitives.iter().map(|it| json!({"primitives": [it]}));
    file.json["meshes"] = meshes.collect();
    file.json["nodes"] = json!([{"mesh": 0}]);
    file.json["scenes"] = json!([{"nodes": [0]}]);
    file
}

/// The box of the first primitive, and that around the posed model.
fn boxes(file: &File) -> (Primitive, [Aabb; 2]) {
    let import = load(file.to_text().as_bytes());
    let first = import.model.meshes[0].primitives[0].clone();
    let rest = first.rest_bounds;
    let mut actor = Actor::new(import.model);
    (first, [rest, actor.measure()])
}

#[test]
fn boxes_hold_what_is_drawn_alone() {
    let primitive = |indices: usize| json!({"attributes": {"POSITION": 0}, "indices": indices});
    for own in [[0, 1, 2], [2, 0, 1]] {
        let mut file = file(&[primitive(1), primitive(2)]);
        file.shorts(&own);
        file.shorts(&[3, 4, 5]);
        let (first, found) = boxes(&file);
        assert_eq!(found, [near(); 2]);
        assert_eq!(first.vertices.positions, PLACES);
        assert!((0..6).all(|vertex| first.undrawn.has(vertex) == (vertex > 2)));
    }
    let mut whole = file(&[primitive(1)]);
    whole.shorts(&[0, 1, 2, 3, 4, 5]);
    let (first, found) = boxes(&whole);
    assert!(first.undrawn.is_empty());
    assert_eq!(found, [Aabb::of_points(PLACES); 2]);
}

#[test]
fn shapes_that_are_left_out_draw_nothing() {
    // Strips, what names a vertex twice, and what makes no whole triangle.
    for (mode, indices) in [
        (5, &[0, 1, 2][..]),
        (5, &[0, 1, 2, 2, 3, 3]),
        (6, &[0, 1, 2]),
        (4, &[3, 3, 4, 0, 1, 2]),
        (4, &[0, 1, 2, 4, 5]),
        (4, &[0, 1, 2, 4, 5, 6]),
        (3, &[0, 1, 2]),
        (2, &[0, 1, 2]),
        (1, &[0, 1, 1, 2, 3, 3]),
        (0, &[2, 1, 0]),
    ] {
        let mut file = file(&[json!({"attributes": {"POSITION": 0}, "indices": 1, "mode": mode})]);
        file.shorts(indices);
        assert_eq!(boxes(&file).1, [near(); 2], "{mode} {indices:?}");
    }
    // Without indices, too.
    let mut file = file(&[json!({"attributes": {"POSITION": 0}})]);
    file.json["accessors"][0]["count"] = 5.into();
    let (first, found) = boxes(&file);
    assert_eq!(found, [near(); 2]);
    assert!((0..6).all(|vertex| first.undrawn.has(vertex) == (vertex == 3 || vertex == 4)));
}

/// Joints and morph targets move what is not drawn where they like.
#[test]
fn boxes_of_joints_hold_what_is_drawn_alone() {
    let mut file = file(&[json!({
        "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2},
        "targets": [{"POSITION": 3}],
        "indices": 4,
    })]);
    file.accessor("VEC4", UNSIGNED_BYTE, 6, &[0; 24]);
    file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6));
    let moves: Vec<f32> = (0..6)
        .flat_map(|it| [0.0, 0.0, if it > 2 { 50.0 } else { 2.0 }])
        .collect();
    file.floats("VEC3", &moves);
    file.shorts(&[0, 1, 2]);
    file.json["skins"] = json!([{"joints": [1]}]);
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0, "weights": [1]}, {}]);
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    let up = Vec3::new(0.0, 0.0, 2.0);
    let expected = Aabb::of_points([up, up + Vec3::X, up + Vec3::Y]);
    assert_eq!(boxes(&file).1, [near(), expected]);

    // The boxes that are made of joints are somewhat larger.
    let mut actor = Actor::new(load(file.to_text().as_bytes()).model);
    actor.pose_at(None, 0.0);
    let bounds = actor.bounds();
    assert!(
        (bounds.max - expected.max).abs().max_element() < 0.1,
        "{bounds:?}"
    );
}
