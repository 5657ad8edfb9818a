//! What is said of a pose in JSON: where every node is, and what skins make of it. `rigscope pose` prints it and takes it
//! again, and the window saves it.

use glam::{Affine3A, Mat4};
use serde::{Serialize, Serializer, ser::Error as _};

use crate::{
    anim::{PaletteMatrix, Pose, joint_matrices, to_affine},
    model::{Aabb, Model, Skin},
};

/// More joint matrices than this are not written: each node that carries a skinned mesh repeats those of its skin.
const MAX_MATRICES: usize = 1_000_000;

/// A pose, as it is printed. Matrices are column-major; indices are the file's.
#[derive(Debug, Serialize)]
pub struct PoseReport<'a> {
    model: &'a str,
    clip: Option<&'a str>,
    clip_index: Option<usize>,
    time_secs: f64,
    nodes: Vec<NodeReport<'a>>,
    #[serde(serialize_with = "write_skins")]
    skins: Result<Vec<SkinReport<'a>>, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meshes: Option<Vec<MeshReport>>,
    bounds: Option<BoundsReport>,
}

#[derive(Debug, Serialize)]
struct NodeReport<'a> {
    index: usize,
    name: &'a str,
    /// `world_from_node`.
    world: [f32; 16],
    /// Relative to its parent.
    translation: [f32; 3],
    /// A quaternion x, y, z, w.
    rotation: [f32; 4],
    scale: [f32; 3],
    /// Morph weights in force.
    weights: &'a [f32],
    /// How many copies of its mesh it places, where it places any by instancing.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<usize>,
    /// Whether it is hidden by itself, where that is not as the file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<bool>,
}

#[derive(Debug, Serialize)]
struct SkinReport<'a> {
    /// The node that carries the skinned mesh.
    node: usize,
    skin: usize,
    joint_matrices: JointMatrices<'a>,
}

/// `world_from_mesh` in the order of a skin's joints: computed as they are written.
#[derive(Debug)]
struct JointMatrices<'a> {
    skin: &'a Skin,
    pose: &'a Pose,
}

impl Serialize for JointMatrices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let matrices = joint_matrices(self.skin, self.pose);
        serializer.collect_seq(matrices.map(|matrix| columns_of_rows(&matrix)))
    }
}

/// Fails before anything is written of a pose that is too large.
fn write_skins<S: Serializer>(
    skins: &Result<Vec<SkinReport<'_>>, String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match skins {
        Ok(skins) => skins.serialize(serializer),
        Err(reason) => Err(S::Error::custom(reason)),
    }
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

/// Which moment a pose is of; the default one is that of the file's own pose.
#[derive(Debug, Clone, Copy, Default)]
pub struct PoseMoment {
    /// Index of the clip; none for the file's own pose.
    pub clip: Option<usize>,
    /// The index that is written of it: none where no file has the clip.
    pub clip_index: Option<usize>,
    /// The time within it.
    pub time_secs: f64,
}

impl<'a> PoseReport<'a> {
    /// What there is to say of a pose, whose world matrices are up to date, and of the box around it. One that is too large
    /// cannot be serialized.
    pub fn new(
        model: &'a Model,
        pose: &'a Pose,
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
                    name: &node.name,
                    world: columns(&pose.world[id.index()]),
                    translation: pose.locals[id.index()].translation.to_array(),
                    rotation: pose.locals[id.index()].rotation.to_array(),
                    scale: pose.locals[id.index()].scale.to_array(),
                    weights: pose.weights_of(id),
                    instances: Some(node.node_from_instances.len()).filter(|&count| count > 0),
                    hidden: (is_hidden != node.is_hidden).then_some(is_hidden),
                }
            });
        Self {
            model: model.file_name(),
            clip: moment.clip.map(|clip| model.clips[clip].name()),
            clip_index: moment.clip_index,
            time_secs: moment.time_secs,
            nodes: nodes.collect(),
            skins: skin_reports(model, pose),
            meshes,
            bounds: (!bounds.is_empty()).then(|| BoundsReport {
                min: bounds.min.to_array(),
                max: bounds.max.to_array(),
            }),
        }
    }

    /// Whether all of it can be told in numbers: splines and products of matrices may lead beyond what single precision holds.
    /// What lies beyond is written as null.
    pub fn is_finite(&self) -> bool {
        let are = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
        let nodes = self.nodes.iter().all(|node| {
            let parts: [&[f32]; 5] = [
                &node.world,
                &node.translation,
                &node.rotation,
                &node.scale,
                node.weights,
            ];
            parts.into_iter().all(are)
        });
        let skins = self.skins.iter().flatten().all(|skin| {
            let JointMatrices { skin, pose } = &skin.joint_matrices;
            joint_matrices(skin, pose).all(|matrix| matrix.iter().all(|row| row.is_finite()))
        });
        let mut meshes = self.meshes.iter().flatten();
        let meshes = meshes.all(|mesh| are(mesh.positions.as_flattened()));
        let bounds = self.bounds.as_ref();
        nodes && skins && meshes && bounds.is_none_or(|it| are(&it.min) && are(&it.max))
    }

    /// Fails if the pose is too large to be written.
    pub fn check(&self) -> anyhow::Result<()> {
        let skins = self.skins.as_ref();
        skins
            .map(|_| ())
            .map_err(|reason| anyhow::anyhow!("{reason}"))
    }
}

/// What skins make of a pose, for each node that carries a skinned mesh, in the file's order.
fn skin_reports<'a>(model: &'a Model, pose: &'a Pose) -> Result<Vec<SkinReport<'a>>, String> {
    let nodes = model.hierarchy.nodes().iter();
    let carriers = nodes.filter(|node| node.mesh.is_some());
    let mut skins: Vec<_> = carriers
        .filter_map(|node| {
            let skin = node.skin?;
            let joint_matrices = JointMatrices {
                skin: &model.skins[skin],
                pose,
            };
            Some(SkinReport {
                node: node.file_index,
                skin,
                joint_matrices,
            })
        })
        .collect();
    let counts = skins.iter().map(|it| it.joint_matrices.skin.joints.len());
    let count = counts.fold(0, usize::saturating_add);
    if count > MAX_MATRICES {
        let model = &model.name;
        return Err(format!(
            "{model} has nodes with {count} joint matrices in all; at most {MAX_MATRICES} are written"
        ));
    }
    skins.sort_by_key(|report| report.node);
    Ok(skins)
}

fn columns(matrix: &Affine3A) -> [f32; 16] {
    Mat4::from(*matrix).to_cols_array()
}

fn columns_of_rows(matrix: &PaletteMatrix) -> [f32; 16] {
    columns(&to_affine(matrix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Hierarchy, Mesh, Node, NodeId};

    /// So many nodes that carry a mesh with a skin of a thousand joints.
    fn model(carriers: usize) -> Model {
        let carrier = Node {
            mesh: Some(0),
            skin: Some(0),
            ..Node::default()
        };
        let weights = vec![Vec::new(); carriers];
        let nodes = vec![carrier; carriers];
        Model {
            name: "many".to_owned(),
            hierarchy: Hierarchy::new(nodes, &vec![None; carriers], &weights).unwrap(),
            meshes: vec![Mesh::default()].into(),
            skins: vec![Skin {
                joints: vec![NodeId(0); 1000],
                joint_from_mesh: vec![Affine3A::IDENTITY; 1000],
                ..Skin::default()
            }],
            ..Model::default()
        }
    }

    #[test]
    fn joint_matrices_are_written_for_each_node_up_to_a_million() {
        let moment = PoseMoment::default();
        let few = model(3);
        let pose = Pose::new(&few.hierarchy);
        let report = PoseReport::new(&few, &pose, Aabb::EMPTY, moment, None);
        report.check().unwrap();
        let written = serde_json::to_value(&report).unwrap();
        let skins = written["skins"].as_array().unwrap();
        assert_eq!(skins.len(), 3);
        for (node, skin) in skins.iter().enumerate() {
            assert_eq!((&skin["node"], &skin["skin"]), (&node.into(), &0.into()));
            assert_eq!(skin["joint_matrices"].as_array().unwrap().len(), 1000);
        }
        let many = model(1001);
        let pose = Pose::new(&many.hierarchy);
        let report = PoseReport::new(&many, &pose, Aabb::EMPTY, moment, None);
        let reason =
            "many has nodes with 1001000 joint matrices in all; at most 1000000 are written";
        assert_eq!(report.check().unwrap_err().to_string(), reason);
        // Whoever does not ask gets no file of gigabytes either.
        assert_eq!(serde_json::to_vec(&report).unwrap_err().to_string(), reason);
    }
}
