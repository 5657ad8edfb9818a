//! Vertices: how many joints move each, and how much joints move any.

use std::collections::HashSet;

use crate::{
    import::{
        base::{diagnostics::Diagnostics, progress::Progress, wording::counted},
        geometry::bad_vertices::BadVertices,
    },
    model::{Model, Primitive},
};

use super::mesh_name;

/// Engines that follow the specification's minimum read one set of four (glTF 2.0 §3.7.2.1).
const EVERYWHERE: usize = 4;
/// Vertices that are looked at without asking whether anybody still wants to know.
const BLOCK: u32 = 1 << 16;

/// What all primitives of one mesh say.
#[derive(Debug, Default)]
struct Findings {
    /// The joints that any vertex has a weight for, each once.
    joints: Vec<u16>,
    /// The greatest weight for each of them.
    greatest: Vec<f32>,
    /// Vertices with more influences than can be expected to work everywhere.
    many: usize,
    most: usize,
}

/// Checks the influences of all meshes. For each skin, gives the greatest weight for each of its joints: 0 if that is not used.
pub(super) fn check(
    model: &Model,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Vec<Vec<f32>> {
    let mut found: Vec<Findings> = Vec::new();
    let mut greatest = vec![0.0; 1 << 16];
    for (index, mesh) in model.meshes.iter().enumerate() {
        let mut findings = Findings::default();
        for primitive in &mesh.primitives {
            let twice = findings.look_at(primitive, &mut greatest, progress);
            if !twice.is_empty() {
                let place = primitive.file_index;
                // Where there are several sets, each may name it once.
                let is_one_set = (primitive.influences.as_ref())
                    .is_some_and(|influences| influences.per_vertex == EVERYWHERE);
                let set = if is_one_set { "/JOINTS_0" } else { "" };
                diagnostics.error(
                    "ACCESSOR_JOINTS_INDEX_DUPLICATE",
                    format_args!("/meshes/{index}/primitives/{place}/attributes{set}"),
                    format!(
                        "in mesh {}, {} {} the same joint twice",
                        mesh_name(&mesh.name, index),
                        twice.named(),
                        twice.verb("names", "name")
                    ),
                    "both weights count",
                );
            }
        }
        if findings.many > 0 {
            diagnostics.info(
                "MESH_MANY_INFLUENCES",
                format_args!("/meshes/{index}"),
                format!(
                    "mesh {} has {} of more than {EVERYWHERE} joints, up to {}; not every engine takes as many",
                    mesh_name(&mesh.name, index),
                    counted(findings.many, "vertex", "vertices"),
                    findings.most
                ),
                "all are drawn",
            );
        }
        for &joint in &findings.joints {
            if let Some(greatest) = greatest.get_mut(usize::from(joint)) {
                findings.greatest.push(std::mem::take(greatest));
            }
        }
        found.push(findings);
    }
    let mut used: Vec<Vec<f32>> = Vec::new();
    used.extend(model.skins.iter().map(|skin| vec![0.0; skin.joints.len()]));
    let mut seen = HashSet::new();
    for node in model.hierarchy.nodes() {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        let (Some(findings), Some(used)) = (found.get(mesh), used.get_mut(skin)) else {
            continue;
        };
        // A mesh may be placed a thousand times.
        if !seen.insert((mesh, skin)) {
            continue;
        }
        for (&joint, &greatest) in findings.joints.iter().zip(&findings.greatest) {
            if let Some(known) = used.get_mut(usize::from(joint)) {
                *known = greatest.max(*known);
            }
        }
    }
    used
}

impl Findings {
    /// Returns which vertices of the file name a joint twice.
    fn look_at(
        &mut self,
        primitive: &Primitive,
        greatest: &mut [f32],
        progress: &Progress,
    ) -> BadVertices {
        let mut twice = BadVertices::default();
        let Some(influences) = &primitive.influences else {
            return twice;
        };
        let per_vertex = influences.per_vertex.max(1);
        let joints = influences.joints.chunks(per_vertex);
        let weights = influences.weights.chunks(per_vertex);
        let of_file = joints.zip(weights).take(primitive.own_vertex_count());
        for (vertex, (joints, weights)) in (0_u32..).zip(of_file) {
            if vertex.is_multiple_of(BLOCK) && progress.is_cancelled() {
                break;
            }
            let mut used = 0_usize;
            let mut is_twice = false;
            for (place, (&joint, &weight)) in joints.iter().zip(weights).enumerate() {
                if weight == 0.0 {
                    continue;
                }
                used = used.saturating_add(1);
                if let Some(greatest) = greatest.get_mut(usize::from(joint)) {
                    if *greatest == 0.0 {
                        self.joints.push(joint);
                    }
                    *greatest = weight.max(*greatest).max(f32::MIN_POSITIVE);
                }
                let before = joints.iter().zip(weights).take(place);
                is_twice |= before
                    .into_iter()
                    .any(|(&other, &weight)| other == joint && weight != 0.0);
            }
            if is_twice {
                twice.add(primitive.file_vertex(vertex) as usize);
            }
            self.most = self.most.max(used);
            self.many = self.many.saturating_add((used > EVERYWHERE).into());
        }
        twice
    }
}
