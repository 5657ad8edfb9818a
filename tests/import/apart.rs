//! Meshes and clips of large files, which are read on several threads: to the same end as one after the other.

use rigscope::import::{Diagnostic, Import};
use serde_json::{Value, json};

use super::file::{FLOAT, File, load};

/// Vertices of a mesh: with 40 such meshes there is enough to read for more than one thread.
const VERTICES: usize = 1200;
const MESHES: usize = 40;
/// Files with so many accessors of no length are read by one thread.
const SHORT: usize = 2000;

/// Meshes and clips of which every third has something wrong, and in each mesh so many primitives that must be repaired.
fn faulty(short: usize, repairs: usize) -> File {
    let mut file = File::empty();
    let (mut meshes, mut nodes, mut clips) = (Vec::new(), Vec::new(), Vec::new());
    for mesh in 0..MESHES {
        let wave = |i: usize| ((i * 7 + mesh) % 31) as f32;
        let mut positions: Vec<f32> = (0..VERTICES * 3).map(wave).collect();
        let mut indices: Vec<u16> = (0..VERTICES as u16).collect();
        if mesh % 3 == 0 {
            positions[mesh] = f32::NAN;
            indices[2] = 5000;
        }
        let (positions, indices) = (file.floats("VEC3", &positions), file.shorts(&indices));
        let mut normals = vec![0.0; VERTICES * 3];
        normals
            .chunks_mut(3)
            .for_each(|normal| normal[mesh % 2] = 1.0);
        let normals = file.floats("VEC3", &normals);
        let mut primitive = json!({
            "attributes": {"POSITION": positions, "NORMAL": normals}, "indices": indices,
        });
        if mesh % 5 == 0 {
            // Two properties that have to be left out.
            primitive["mode"] = json!("triangles");
            primitive["material"] = json!({});
        }
        let bad = json!({"attributes": {"POSITION": positions}, "mode": 0, "material": {}});
        let mut primitives = vec![bad; repairs];
        primitives.push(primitive);
        meshes.push(json!({"name": format!("mesh {mesh}"), "primitives": primitives}));
        nodes.push(json!({"mesh": mesh}));

        let mut times: Vec<f32> = (0..VERTICES).map(|key| key as f32).collect();
        if mesh % 3 == 1 {
            times.swap(7, 8);
        }
        let (input, output) = (file.floats("SCALAR", &times), positions);
        clips.push(json!({
            "name": format!("clip {mesh}"),
            "samplers": [{"input": input, "output": output}],
            "channels": [
                {"sampler": 0, "target": {"node": mesh, "path": "translation"}},
                {"sampler": 0, "target": {"node": mesh, "path": "weights"}},
            ],
        }));
    }
    file.json["meshes"] = Value::Array(meshes);
    file.json["scenes"] = json!([{"nodes": (0..MESHES).collect::<Vec<_>>()}]);
    file.json["nodes"] = Value::Array(nodes);
    file.json["animations"] = Value::Array(clips);
    for _ in 0..short {
        file.floats("SCALAR", &[0.0]);
    }
    file
}

/// What is said of meshes and clips, and of what they name.
fn said(import: Import) -> Vec<Diagnostic> {
    let said = import.diagnostics.into_iter();
    said.filter(|it| !it.code.starts_with("UNUSED_")).collect()
}

#[test]
fn meshes_and_clips_are_read_as_one_after_the_other() {
    assert_same(0);
}

/// More than are tried: the first ones are repaired, whichever thread was there first.
#[test]
fn what_is_repaired_does_not_depend_on_threads() {
    assert_same(60);
}

/// Loads a file several times, and one like it whose meshes are read by one thread.
fn assert_same(repairs: usize) {
    let in_order = load(&faulty(SHORT, repairs).to_glb());
    let glb = faulty(0, repairs).to_glb();
    let faults = in_order.diagnostics.len();
    assert!(faults > MESHES, "{faults}");
    for _ in 0..4 {
        let import = load(&glb);
        assert_eq!(import.model.clips.len(), MESHES);
        let meshes = |import: &Import| format!("{:?}", import.model.meshes);
        assert!(meshes(&import) == meshes(&in_order));
        let clips = |import: &Import| format!("{:?}", import.model.clips);
        assert!(clips(&import) == clips(&in_order));
        assert_eq!(said(import), said(in_order.clone()));
    }
}

/// Where memory does not suffice, the first ones get it, whichever thread was there first.
#[test]
fn what_is_lost_for_want_of_memory_does_not_depend_on_threads() {
    // 12 bytes each, and as much for the shapes; 192 MiB are allowed.
    const COUNT: usize = 1 << 19;
    let mut file = File::empty();
    file.json["accessors"] = json!([{"componentType": FLOAT, "type": "VEC3", "count": COUNT}]);
    let mesh = json!({"primitives": [{"attributes": {"POSITION": 0}, "mode": 0}]});
    file.json["meshes"] = Value::Array(vec![mesh; MESHES]);
    for _ in 0..4 {
        let import = load(file.to_text().as_bytes());
        let meshes = import.model.meshes.iter();
        let read: Vec<bool> = meshes.map(|mesh| !mesh.primitives.is_empty()).collect();
        let expected: Vec<bool> = (0..MESHES).map(|mesh| mesh < 16).collect();
        assert_eq!(read, expected);
        let lost = import.diagnostics.iter();
        let lost = lost.filter(|it| it.code == "MEMORY_BUDGET_EXCEEDED");
        assert_eq!(lost.count(), MESHES - 16);
    }
}
