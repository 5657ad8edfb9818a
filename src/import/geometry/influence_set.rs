//! Joints and weights as they stand in the file (glTF 2.0 §3.7.3.3).

use crate::import::base::diagnostics::Diagnostics;

use super::{bad_vertices::BadVertices, meshes::PrimitiveReader};

/// A set of joints and weights, one of each for a vertex that has not lost them.
pub(super) struct InfluenceSet {
    /// As in `JOINTS_1`.
    pub number: u32,
    pub joints: Vec<[u32; 4]>,
    pub weights: Vec<[f32; 4]>,
}

impl InfluenceSet {
    /// The joints and weights of a vertex; no weight where it has lost any of both.
    pub(super) fn at(&self, vertex: usize) -> ([u32; 4], [f32; 4]) {
        let found = self.joints.get(vertex).zip(self.weights.get(vertex));
        found.map_or_else(Default::default, |(joints, weights)| (*joints, *weights))
    }

    /// Whether it moves nothing.
    pub(super) fn is_weightless(&self) -> bool {
        self.weights.iter().flatten().all(|&weight| weight == 0.0)
    }

    /// Says which vertices name joints that have no weight, but for the first joint, which stands for none.
    pub(super) fn report_idle(
        &self,
        primitive: PrimitiveReader<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) {
        let PrimitiveReader {
            mesh,
            place,
            joints: known,
            ..
        } = primitive;
        let mut found = BadVertices::default();
        for (vertex, (joints, weights)) in self.joints.iter().zip(&self.weights).enumerate() {
            let is_idle = |(&joint, &weight): (&u32, &f32)| (joint != 0) & (weight == 0.0);
            let mut pairs = joints.iter().zip(weights);
            let is_any = pairs.clone().fold(false, |any, pair| any | is_idle(pair));
            // Those that are not there are another fault.
            let is_there = |joint: &u32| known.is_none_or(|known| known.has(*joint));
            if is_any && pairs.any(|pair| is_idle(pair) && is_there(pair.0)) {
                found.add(vertex);
            }
        }
        if !found.is_empty() {
            let set = self.number;
            let (named, verb) = (found.named(), found.verb("names", "name"));
            diagnostics.warning(
                "ACCESSOR_JOINTS_USED_ZERO_WEIGHT",
                format_args!("/meshes/{mesh}/primitives/{place}/attributes/JOINTS_{set}"),
                format_args!("{named} {verb} joints that have no weight there"),
                "they move nothing",
            );
        }
    }
}
