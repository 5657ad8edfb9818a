//! Primitives that share their vertices: legal however many they are, and in however many meshes.

use glam::Vec3;
use rigscope::model::{Aabb, MorphTarget, Primitive};
use serde_json::{Value, json};

use super::{
    file::{File, UNSIGNED_BYTE, load},
    tangents,
};

const UNSIGNED_INT: u32 = 5125;

const VERTICES: u16 = 60_000;
const PRIMITIVES: u16 = 120;
const OWN: u16 = VERTICES / PRIMITIVES;

/// What the file has for a vertex.
fn place(vertex: u32) -> Vec3 {
    Vec3::new(vertex as f32, (vertex % 7) as f32, (vertex % 31) as f32)
}

/// A mesh whose primitives each name a stretch of all its vertices, from the last to the first.
fn file() -> File {
    let mut file = File::skinned(&[0; 12], &[1.0; 12]);
    let all = || (0..u32::from(VERTICES)).map(place);
    let places: Vec<f32> = all().flat_map(|it| it.to_array()).collect();
    let normals: Vec<f32> = all().flat_map(|_| [0.0, 1.0, 0.0]).collect();
    let moved: Vec<f32> = all().flat_map(|it| (-it).to_array()).collect();
    let joints: Vec<u8> = (0..VERTICES)
        .flat_map(|it| [(it % 2) as u8, 0, 0, 0])
        .collect();
    let weights: Vec<f32> = all().flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
    let count = usize::from(VERTICES);
    let attributes = json!({
        "POSITION": file.floats("VEC3", &places),
        "NORMAL": file.floats("VEC3", &normals),
        "JOINTS_0": file.accessor("VEC4", UNSIGNED_BYTE, count, &joints),
        "WEIGHTS_0": file.floats("VEC4", &weights),
    });
    let target = json!({"POSITION": file.floats("VEC3", &moved)});
    let primitives: Vec<Value> = (0..PRIMITIVES)
        .map(|primitive| {
            let own = primitive * OWN..(primitive + 1) * OWN;
            // Triangles over each three neighbours.
            let corners = own.clone().skip(2).rev();
            let corners: Vec<u16> = corners.flat_map(|it| [it, it - 1, it - 2]).collect();
            json!({
                "attributes": attributes,
                "targets": [target],
                "indices": file.shorts(&corners),
            })
        })
        .collect();
    file.json["meshes"] = json!([{"primitives": primitives}]);
    file
}

/// Whether a primitive has what the file says, where so many joints move it.
fn check(primitive: &Primitive, number: u16, joints: u32) {
    let own = u32::from(number * OWN)..u32::from((number + 1) * OWN);
    let expected = own.skip(2).rev().flat_map(|it| [it, it - 1, it - 2]);
    let (vertices, target) = (&primitive.vertices, &primitive.targets[0]);
    let influences = primitive.influences.as_ref().unwrap();
    let count = vertices.positions.len();
    let moved = target.positions.dense(count);
    assert_eq!([vertices.normals.len(), moved.len()], [count; 2]);
    assert_eq!(
        [influences.joints.len(), influences.weights.len()],
        [4 * count; 2]
    );
    assert!(expected.clone().eq(primitive.indices.iter().map(|index| {
        let vertex = vertices.positions[index as usize].x as u32;
        assert_eq!(vertices.positions[index as usize], place(vertex));
        assert_eq!(moved[index as usize], -place(vertex));
        let joint = influences.joints[4 * index as usize];
        assert_eq!(u32::from(joint), vertex % joints);
        vertex
    })));
    assert!(vertices.positions.is_sorted_by_key(|it| it.x), "file order");
    assert_eq!(primitive.file_vertex_count(), usize::from(VERTICES));
    for (index, position) in (0..).zip(&vertices.positions) {
        assert_eq!(primitive.file_vertex(index), position.x as u32);
    }
    let drawn = primitive.indices.iter();
    let drawn = drawn.map(|index| vertices.positions[index as usize]);
    assert_eq!(primitive.rest_bounds, Aabb::of_points(drawn));
}

#[test]
fn a_mesh_of_many_primitives_over_the_same_vertices_loads_whole() {
    let file = file();
    let bytes = file.to_glb();
    let import = load(&bytes);
    let lost = import
        .diagnostics
        .iter()
        .filter(|it| it.code == "MEMORY_BUDGET_EXCEEDED");
    assert_eq!(lost.count(), 0);
    let primitives = &import.model.meshes[0].primitives;
    assert_eq!(primitives.len(), usize::from(PRIMITIVES));
    for (number, primitive) in (0..).zip(primitives) {
        check(primitive, number, 2);
    }
    // A few copies keep all; then each has its own alone.
    assert_eq!(primitives[0].left_out_vertices, 0);
    assert_eq!(primitives[100].vertices.positions.len(), usize::from(OWN));
    assert_few_kept(primitives.iter());
}

/// Four attributes and one that is moved, none of more than 16 bytes.
fn assert_few_kept<'p>(primitives: impl Iterator<Item = &'p Primitive>) {
    let kept: usize = primitives.map(|it| it.vertices.positions.len()).sum();
    assert!(kept * 5 * 16 <= (64 << 20) + (10 << 20), "{kept}");
}

/// The primitives in a mesh each, under two skins in turns, of which the second has one joint.
fn in_meshes(mut file: File) -> File {
    let primitives = file.json["meshes"][0]["primitives"].take();
    let primitives = primitives.as_array().unwrap();
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    let first = nodes.len();
    nodes[0] = json!({});
    nodes.extend((0..primitives.len()).map(|mesh| json!({"mesh": mesh, "skin": mesh % 2})));
    let shown: Vec<usize> = (0..nodes.len())
        .filter(|node| *node == 1 || *node >= first)
        .collect();
    file.json["scenes"] = json!([{"nodes": shown}]);
    let meshes = primitives.iter().map(|it| json!({"primitives": [it]}));
    file.json["meshes"] = meshes.collect();
    file.json["skins"] = json!([{"joints": [1, 2]}, {"joints": [1]}]);
    file
}

/// As drawings have it: a mesh for each part. Meshes are read apart or, where accessors are short on average, one by one.
#[test]
fn many_meshes_over_the_same_vertices_load_whole() {
    for short_accessors in [0, 2000] {
        let mut file = in_meshes(file());
        let accessors = file.json["accessors"].as_array_mut().unwrap();
        let short = json!({"componentType": 5126, "type": "SCALAR", "count": 1});
        accessors.extend(vec![short; short_accessors]);
        let import = load(&file.to_glb());
        let mut said = import.diagnostics.iter().map(|it| it.code);
        assert!(said.all(|code| code != "MEMORY_BUDGET_EXCEEDED"));
        let meshes = &import.model.meshes;
        for (number, mesh) in (0..PRIMITIVES).zip(meshes.iter()) {
            let joints = if number % 2 == 0 { 2 } else { 1 };
            check(&mesh.primitives[0], number, joints);
        }
        assert_eq!(meshes[0].primitives[0].left_out_vertices, 0);
        assert_few_kept(meshes.iter().flat_map(|mesh| &mesh.primitives));
    }
}

/// Meshes without indices name all vertices: what they keep is no reason for others to keep less.
#[test]
fn what_cannot_be_shared_does_not_count_as_copies() {
    let mut file = file();
    let places: Vec<f32> = (0..u32::from(VERTICES))
        .flat_map(|it| place(it).to_array())
        .collect();
    let places = file.floats("VEC3", &places);
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(zeros());
    let still = accessors.len() - 1;
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.truncate(2);
    for primitive in &mut *primitives {
        // More than half of what copies of an accessor may take.
        let targets = primitive["targets"].as_array_mut().unwrap();
        targets.extend(vec![json!({"POSITION": still}); 52]);
    }
    let points = json!({"attributes": {"POSITION": places}, "mode": 0});
    primitives.extend(vec![points; 40]);
    let import = load(&in_meshes(file).to_glb());
    assert_eq!(import.model.meshes.len(), 42);
    for mesh in &*import.model.meshes {
        assert_eq!(mesh.primitives[0].left_out_vertices, 0);
    }
}

/// One geometry in several materials: each primitive names all vertices, which keep their numbers.
#[test]
fn primitives_that_name_all_of_the_vertices_that_they_share_take_no_more_than_these() {
    let mut file = file();
    let corners: Vec<u16> = (0..VERTICES).rev().collect();
    let corners = file.shorts(&corners);
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(zeros());
    let still = accessors.len() - 1;
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.truncate(3);
    for primitive in primitives {
        primitive["indices"] = corners.into();
        let targets = primitive["targets"].as_array_mut().unwrap();
        targets.extend(vec![json!({"POSITION": still}); 80]);
    }
    let import = load(&file.to_glb());
    let primitives = &import.model.meshes[0].primitives;
    assert_eq!(primitives.len(), 3);
    for primitive in primitives {
        assert_eq!(primitive.left_out_vertices, 0);
        assert!(primitive.file_vertices.is_empty());
        assert_eq!(primitive.vertices, primitives[0].vertices);
        assert_eq!(primitive.file_vertex_count(), usize::from(VERTICES));
        assert!(primitive.indices.iter().eq(primitives[0].indices.iter()));
        assert_eq!(primitive.file_vertex(3), 3);
    }
}

#[test]
fn a_few_meshes_over_the_same_vertices_keep_all() {
    let mut file = file();
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.truncate(10);
    let import = load(&in_meshes(file).to_glb());
    assert_eq!(import.model.meshes.len(), 10);
    for mesh in &*import.model.meshes {
        assert_eq!(mesh.primitives[0].left_out_vertices, 0);
    }
}

/// Zeros for each vertex, which take no bytes of the file.
fn zeros() -> Value {
    json!({"componentType": 5126, "type": "VEC3", "count": VERTICES, "min": [0, 0, 0], "max": [0, 0, 0]})
}

/// Targets each of which moves one vertex, from this one on.
fn targets_of_one_vertex(file: &mut File, first: u32, count: u32) -> Vec<Value> {
    let moved: Vec<u8> = [1.0_f32; 3].map(f32::to_le_bytes).concat();
    let values = file.view(&moved);
    let targets = (first..first + count).map(|vertex| {
        let indices = file.view(&vertex.to_le_bytes());
        let list = file.json["accessors"].as_array_mut().unwrap();
        let mut accessor = zeros();
        accessor["max"] = json!([1, 1, 1]);
        accessor["sparse"] = json!({
            "count": 1,
            "indices": {"bufferView": indices, "componentType": UNSIGNED_INT},
            "values": {"bufferView": values},
        });
        list.push(accessor);
        json!({"POSITION": list.len() - 1})
    });
    targets.collect()
}

/// Two kinds of primitives over the same vertices that take turns, and more bytes in each vertex than many have.
#[test]
fn surfaces_that_take_turns_are_read_once() {
    const TARGETS: usize = 52;
    let mut file = file();
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    let first = accessors.len();
    accessors.extend(vec![zeros(); TARGETS]);
    let targets = (first..first + TARGETS).map(|target| json!({"POSITION": target}));
    surfaces_take_turns(file, &targets.collect::<Vec<_>>());
}

/// What is read for many is not counted as what each leaves out of it, too.
#[test]
fn surfaces_with_few_rows_that_take_turns_are_read_once() {
    let mut file = file();
    let targets = targets_of_one_vertex(&mut file, 0, 52);
    surfaces_take_turns(file, &targets);
}

/// Rows count as what they take: with a value for each vertex, either kind would leave no room for the other, and could not be
/// read once more.
#[test]
fn surfaces_with_very_many_targets_of_few_rows_that_take_turns_are_read_once() {
    let mut file = file();
    let targets = targets_of_one_vertex(&mut file, 0, 250);
    surfaces_take_turns(file, &targets);
}

fn surfaces_take_turns(mut file: File, targets: &[Value]) {
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    let colors = accessors.len();
    accessors.push(json!({"componentType": 5126, "type": "VEC4", "count": VERTICES}));
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    for (place, primitive) in primitives.iter_mut().enumerate() {
        let own = primitive["targets"].as_array_mut().unwrap();
        own.extend_from_slice(targets);
        if place % 2 == 1 {
            primitive["attributes"]["COLOR_0"] = colors.into();
        }
    }
    let import = load(&file.to_glb());
    let lost = import.diagnostics.iter();
    let mut lost = lost.filter(|it| it.code == "MEMORY_BUDGET_EXCEEDED");
    assert_eq!(lost.next(), None);
    let primitives = &import.model.meshes[0].primitives;
    assert_eq!(primitives.len(), usize::from(PRIMITIVES));
    for (number, primitive) in (0..).zip(primitives) {
        check(primitive, number, 2);
        assert_eq!(primitive.targets.len(), 1 + targets.len());
        assert_eq!(primitive.vertices.colors.is_empty(), number % 2 == 0);
    }
}

/// What a corner that was copied for its tangent shows as its number is the file's.
#[test]
fn copies_have_the_numbers_of_what_they_copy() {
    let mut file = tangents::mirrored();
    let import = file.load();
    let alone = tangents::primitive(&import);
    assert_eq!(alone.copies, [1, 4]);
    assert_eq!([0, 5, 6, 7].map(|it| alone.file_vertex(it)), [0, 5, 1, 4]);

    // The same after so many others that one primitive alone keeps them.
    const BEFORE: u32 = 1 << 20;
    let numbers = |all: &[u32]| -> Vec<u8> {
        let all = all.iter().map(|number| number + BEFORE);
        all.flat_map(u32::to_le_bytes).collect()
    };
    let places = file.view(&numbers(&[0, 1, 2, 3, 4, 5]));
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(BEFORE as usize + 6));
    file.primitive()["attributes"]["NORMAL"] = normals.into();
    for name in ["POSITION", "TEXCOORD_0"] {
        let accessor = file.primitive()["attributes"][name].as_u64().unwrap() as usize;
        let accessor = file.json["accessors"][accessor].as_object_mut().unwrap();
        let values = accessor.remove("bufferView").unwrap();
        accessor.insert("count".to_owned(), json!(BEFORE + 6));
        let sparse = json!({
            "count": 6,
            "indices": {"bufferView": places, "componentType": UNSIGNED_INT},
            "values": {"bufferView": values},
        });
        accessor.insert("sparse".to_owned(), sparse);
    }
    let corners = numbers(
        &alone
            .indices
            .iter()
            .map(|it| alone.file_vertex(it))
            .collect::<Vec<_>>(),
    );
    let corners = file.accessor("SCALAR", UNSIGNED_INT, corners.len() / 4, &corners);
    file.primitive()["indices"] = corners.into();
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(primitives[0].clone());
    let import = load(&file.to_glb());
    let [whole, picked] = &import.model.meshes[0].primitives[..] else {
        panic!("a primitive is missing");
    };
    assert_eq!(
        [whole, picked].map(|it| it.left_out_vertices),
        [0, BEFORE as usize]
    );
    for primitive in [whole, picked] {
        assert_eq!(primitive.copies.len(), 2);
        let corners = primitive.indices.iter().map(|it| primitive.file_vertex(it));
        let expected = alone
            .indices
            .iter()
            .map(|it| alone.file_vertex(it) + BEFORE);
        assert!(corners.eq(expected));
    }
}

/// Where vertices are read again and again, that comes to an end, and memory is what bounds the rest.
#[test]
fn work_on_shared_vertices_is_bounded() {
    let mut file = File::triangle();
    let indices = file.shorts(&[0, 1, 2]);
    let zeros = json!({"componentType": 5126, "type": "VEC3", "count": 1 << 20,
        "min": [0, 0, 0], "max": [0, 0, 0]});
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    let first = accessors.len();
    accessors.extend(vec![zeros; 6]);
    let primitives = (0..2000).map(|primitive| {
        let positions = first + primitive % 6;
        json!({"attributes": {"POSITION": positions}, "indices": indices})
    });
    file.json["meshes"] = json!([{"primitives": primitives.collect::<Vec<_>>()}]);
    let import = file.load();
    let primitives = &import.model.meshes[0].primitives;
    let kept: usize = primitives.iter().map(|it| it.vertices.bytes()).sum();
    assert!(kept < 256 << 20, "{kept}");
    assert!(
        primitives.len() < 2000 && primitives.len() > 10,
        "{}",
        primitives.len()
    );
}

/// As avatars have it: all primitives name all targets, which move the face alone.
#[test]
fn targets_that_move_one_of_many_primitives_cost_little() {
    const TARGETS: u32 = 120;
    const FACE: u16 = 7;
    let mut file = file();
    let targets = targets_of_one_vertex(&mut file, u32::from(FACE * OWN), TARGETS);
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    for primitive in primitives {
        primitive["targets"] = json!(targets);
    }
    let import = load(&file.to_glb());
    let mut said = import.diagnostics.iter();
    assert!(said.all(|it| it.code != "MEMORY_BUDGET_EXCEEDED"));
    let primitives = &import.model.meshes[0].primitives;
    assert_eq!(primitives.len(), usize::from(PRIMITIVES));
    for (place, primitive) in primitives.iter().enumerate().skip(1) {
        let bytes: usize = primitive.targets.iter().map(MorphTarget::bytes).sum();
        let rows = if place == usize::from(FACE) {
            TARGETS
        } else {
            0
        };
        assert_eq!(bytes, rows as usize * size_of::<(u32, Vec3)>(), "{place}");
        for (target, moved) in (0..).zip(&primitive.targets) {
            if place != usize::from(FACE) {
                assert!(moved.positions.is_empty(), "{place} {target}");
                continue;
            }
            let changed = moved.positions.iter();
            let changed = changed.filter(|(_, delta)| *delta != Vec3::ZERO);
            let changed = changed.map(|(it, _)| primitive.file_vertex(it as u32));
            let changed: Vec<u32> = changed.collect();
            assert_eq!(changed, [u32::from(FACE * OWN) + target]);
        }
    }
}
