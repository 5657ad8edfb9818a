//! What is said of a pose in JSON: where every node is, and what skins make of it. `rigscope pose` prints it and takes it
//! again, and the window saves it.

use glam::{Affine3A, Mat4};
use serde::Serialize;

use crate::{
    anim::{PaletteMatrix, Pose, joint_matrices, to_affine},
    model::{Aabb, Model},
};

/// A pose, as it is printed. Matrices are column-major; indices are the file's.
#[derive(Debug, Serialize)]
pub struct PoseReport {
    model: String,
    clip: Option<String>,
    clip_index: Option<usize>,
    time_secs: f64,
    nodes: Vec<NodeReport>,
    skins: Vec<SkinReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meshes: Option<Vec<MeshReport>>,
    bounds: Option<BoundsReport>,
}

#[derive(Debug, Serialize)]
struct NodeReport {
    index: usize,
    name: String,
    /// `world_from_node`.
    world: [f32; 16],
    /// Relative to its parent.
    translation: [f32; 3],
    /// A quaternion x, y, z, w.
    rotation: [f32; 4],
    scale: [f32; 3],
    /// Morph weights in force.
    weights: Vec<f32>,
    /// How many copies of its mesh it places, where it places any by instancing.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<usize>,
    /// Whether it is hidden by itself, where that is not as the file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<bool>,
}

#[derive(Debug, Serialize)]
struct SkinReport {
    /// The node that carries the skinned mesh.
    node: usize,
    skin: usize,
    /// `world_from_mesh` in the order of the skin's joints.
    joint_matrices: Vec<[f32; 16]>,
}

/// The vertices of a primitive.
#[derive(Debug, Serialize)]
pub struct MeshReport {
    /// The node that places it.
    pub node: usize,
    /// Which of the mesh's.
    pub primitive: usize,
    /// Which of the node's copies of its mesh, where it places any by instancing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<u32>,
    /// Which vertices of the file they are, where it is not all of them: many primitives share those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<u32>,
    /// In the world, in file order.
    pub positions: Vec<[f32; 3]>,
}

#[derive(Debug, Serialize)]
struct BoundsReport {
    min: [f32; 3],
    max: [f32; 3],
}

/// Which moment a pose is of.
#[derive(Debug, Clone, Copy)]
pub struct PoseMoment {
    /// Index of the clip; none for the file's own pose.
    pub clip: Option<usize>,
    /// The time within it.
    pub time_secs: f64,
}

impl PoseReport {
    /// What there is to say of a pose, whose world matrices are up to date, and of the box around it.
    pub fn new(
        model: &Model,
        pose: &Pose,
        bounds: Aabb,
        moment: PoseMoment,
        meshes: Option<Vec<MeshReport>>,
    ) -> Self {
        let nodes = (0..model.hierarchy.len())
            .filter_map(|index| model.hierarchy.by_file_index(index))
            .map(|id| {
                let node = model.hierarchy.node(id);
                let is_hidden = pose.hidden[id.index()];
                NodeReport {
                    index: node.file_index,
                    name: node.name.clone(),
                    world: columns(&pose.world[id.index()]),
                    translation: pose.locals[id.index()].translation.to_array(),
                    rotation: pose.locals[id.index()].rotation.to_array(),
                    scale: pose.locals[id.index()].scale.to_array(),
                    weights: pose.weights_of(id).to_vec(),
                    instances: Some(node.node_from_instances.len()).filter(|&count| count > 0),
                    hidden: (is_hidden != node.is_hidden).then_some(is_hidden),
                }
            });
        let mut skins: Vec<_> = model
            .hierarchy
            .nodes()
            .iter()
            .filter_map(|node| {
                let skin = node.skin.filter(|_| node.mesh.is_some())?;
                let matrices = joint_matrices(&model.skins[skin], pose);
                Some(SkinReport {
                    node: node.file_index,
                    skin,
                    joint_matrices: matrices.map(|matrix| columns_of_rows(&matrix)).collect(),
                })
            })
            .collect();
        skins.sort_by_key(|report| report.node);
        Self {
            model: model.name.clone(),
            clip: moment.clip.map(|clip| model.clips[clip].name().to_owned()),
            clip_index: moment.clip,
            time_secs: moment.time_secs,
            nodes: nodes.collect(),
            skins,
            meshes,
            bounds: (!bounds.is_empty()).then(|| BoundsReport {
                min: bounds.min.to_array(),
                max: bounds.max.to_array(),
            }),
        }
    }
}

fn columns(matrix: &Affine3A) -> [f32; 16] {
    Mat4::from(*matrix).to_cols_array()
}

fn columns_of_rows(matrix: &PaletteMatrix) -> [f32; 16] {
    columns(&to_affine(matrix))
}
