//! The gltf crate's own readers: what its `import` leaves as bytes becomes numbers.

use gltf::{Document, buffer::Data, mesh::util::ReadIndices};

/// The numbers of a primitive or of a channel.
#[derive(Default)]
pub struct Arrays {
    vectors: Vec<Vec<[f32; 3]>>,
    tangents: Vec<[f32; 4]>,
    tex_coords: Vec<[f32; 2]>,
    indices: Vec<u32>,
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    times: Vec<f32>,
    rotations: Vec<[f32; 4]>,
}

/// Reads all primitives and channels.
pub fn read(document: &Document, buffers: &[Data]) -> Vec<Arrays> {
    let mut all = Vec::new();
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives()) {
        let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(|data| &**data));
        let mut arrays = Arrays::default();
        arrays.vectors.extend(reader.read_positions().map(Iterator::collect));
        arrays.vectors.extend(reader.read_normals().map(Iterator::collect));
        arrays.tangents = reader.read_tangents().map(Iterator::collect).unwrap_or_default();
        let tex_coords = reader.read_tex_coords(0);
        arrays.tex_coords = tex_coords.map(|it| it.into_f32().collect()).unwrap_or_default();
        arrays.indices = reader.read_indices().map(ReadIndices::into_u32).map(Iterator::collect).unwrap_or_default();
        arrays.joints = reader.read_joints(0).map(|it| it.into_u16().collect()).unwrap_or_default();
        arrays.weights = reader.read_weights(0).map(|it| it.into_f32().collect()).unwrap_or_default();
        for (positions, normals, _) in reader.read_morph_targets() {
            arrays.vectors.extend(positions.map(Iterator::collect));
            arrays.vectors.extend(normals.map(Iterator::collect));
        }
        all.push(arrays);
    }
    for channel in document.animations().flat_map(|animation| animation.channels()) {
        use gltf::animation::util::ReadOutputs;
        let reader = channel.reader(|buffer| buffers.get(buffer.index()).map(|data| &**data));
        let mut arrays = Arrays {
            times: reader.read_inputs().map(Iterator::collect).unwrap_or_default(),
            ..Arrays::default()
        };
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(values) | ReadOutputs::Scales(values)) => {
                arrays.vectors.push(values.collect());
            }
            Some(ReadOutputs::Rotations(values)) => arrays.rotations = values.into_f32().collect(),
            Some(ReadOutputs::MorphTargetWeights(values)) => {
                arrays.times.extend(values.into_f32());
            }
            None => {}
        }
        all.push(arrays);
    }
    all
}
