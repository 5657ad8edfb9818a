//! Reads what a crowd needs from a GLB file whose clips are all LINEAR: nodes, skins and clips. The viewer's importer stays
//! out of it, since it would have to be built.

use std::collections::HashMap;

use glam::{Affine3A, Mat4, Quat, Vec3};
use gltf::animation::util::ReadOutputs;

use crate::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, Mesh, Model, Node, NodeId, Skin, Timeline,
    Transform,
};

/// The model in a file that is known to be in order.
pub fn model(path: &str) -> Model {
    let file = gltf::Gltf::open(path).expect("a GLB file");
    let blob = file.blob.clone().expect("a file with its buffer");
    let mut parents = vec![None; file.nodes().len()];
    let mut nodes = Vec::new();
    for node in file.nodes() {
        for child in node.children() {
            parents[child.index()] = Some(node.index());
        }
        let (translation, rotation, scale) = node.transform().decomposed();
        nodes.push(Node {
            rest: Transform {
                translation: translation.into(),
                rotation: Quat::from_array(rotation),
                scale: scale.into(),
            },
            mesh: node.mesh().map(|mesh| mesh.index()),
            skin: node.skin().map(|skin| skin.index()),
            ..Node::default()
        });
    }
    let weights = vec![Vec::new(); nodes.len()];
    let hierarchy = Hierarchy::new(nodes, &parents, &weights).expect("a tree");
    let skins = file.skins().map(|skin| read_skin(&skin, &blob, &hierarchy));
    let clips = file
        .animations()
        .map(|animation| read_clip(&animation, &blob, &hierarchy));
    Model {
        skins: skins.collect(),
        clips: clips.collect(),
        meshes: file
            .meshes()
            .map(|_| Mesh::default())
            .collect::<Vec<_>>()
            .into(),
        hierarchy,
        ..Model::default()
    }
}

fn node(hierarchy: &Hierarchy, index: usize) -> NodeId {
    hierarchy.by_file_index(index).expect("a node")
}

fn read_skin(skin: &gltf::Skin<'_>, blob: &[u8], hierarchy: &Hierarchy) -> Skin {
    let binds = skin.reader(|_| Some(blob)).read_inverse_bind_matrices();
    let affine = |matrix| Affine3A::from_mat4(Mat4::from_cols_array_2d(&matrix));
    Skin {
        joints: skin
            .joints()
            .map(|joint| node(hierarchy, joint.index()))
            .collect(),
        joint_from_mesh: binds.expect("bind matrices").map(affine).collect(),
        ..Skin::default()
    }
}

fn read_clip(animation: &gltf::Animation<'_>, blob: &[u8], hierarchy: &Hierarchy) -> Clip {
    let mut clip = ClipBuilder::new("");
    let mut timelines = HashMap::new();
    for channel in animation.channels() {
        let reader = channel.reader(|_| Some(blob));
        let input = channel.sampler().input().index();
        let timeline = *timelines.entry(input).or_insert_with(|| {
            let times = reader.read_inputs().expect("times").collect();
            clip.timeline(Timeline::new(times).unwrap_or_else(|_| panic!("times in order")))
        });
        let node = node(hierarchy, channel.target().node().index());
        let linear = Interpolation::Linear;
        let added = match reader.read_outputs().expect("values") {
            ReadOutputs::Translations(values) => {
                clip.translation(node, timeline, linear, values.map(Vec3::from).collect::<Vec<_>>())
            }
            ReadOutputs::Scales(values) => {
                clip.scale(node, timeline, linear, values.map(Vec3::from).collect::<Vec<_>>())
            }
            ReadOutputs::Rotations(values) => {
                let values = values.into_f32().map(Quat::from_array);
                clip.rotation(node, timeline, linear, values.collect::<Vec<_>>())
            }
            ReadOutputs::MorphTargetWeights(_) => continue,
        };
        assert!(added.is_ok(), "as many values as times");
    }
    clip.finish()
}
