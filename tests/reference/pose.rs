//! Evaluates a document at a time: sampled channels, world and joint matrices, vertices.

use super::document::{Channel, Clip, Document, Local, Primitive};
use super::math::{self, Mat4, Vec3};

pub struct Pose {
    pub world: Vec<Mat4>,
    pub weights: Vec<Vec<f64>>,
    pub skins: Vec<(usize, usize, Vec<Mat4>)>,
    /// Of all nodes, whichever scene shows them.
    pub meshes: Vec<PosedPrimitive>,
}

pub struct PosedPrimitive {
    pub node: usize,
    pub primitive: usize,
    /// Which of the node's instances, if it has any.
    pub instance: Option<usize>,
    /// Whether the default scene shows it: only then it counts for the bounds.
    pub is_shown: bool,
    /// `None` where the file gives no usable position: weights of sum 0 or not a number, joints out of range.
    pub positions: Vec<Option<Vec3>>,
}

impl Document {
    /// The pose at a time, or the nodes' own transforms without a clip.
    pub fn pose(&self, clip: Option<&Clip>, time_secs: f64, with_vertices: bool) -> Pose {
        let mut locals: Vec<Local> = self.nodes.iter().map(|node| node.local.clone()).collect();
        let mut weights: Vec<Vec<f64>> = self
            .nodes
            .iter()
            .map(|node| self.rest_weights(node))
            .collect();
        for channel in clip.map_or(&[][..], |clip| &clip.channels) {
            let value = channel.sample(time_secs);
            match (&mut locals[channel.node], channel.path.as_str()) {
                (Local::Trs { translation, .. }, "translation") => {
                    translation.copy_from_slice(&value);
                }
                (Local::Trs { rotation, .. }, "rotation") => rotation.copy_from_slice(&value),
                (Local::Trs { scale, .. }, "scale") => scale.copy_from_slice(&value),
                _ => weights[channel.node] = value,
            }
        }
        let mut world = vec![math::IDENTITY; self.nodes.len()];
        for &(node, parent) in &self.order {
            let local = locals[node].matrix();
            world[node] = parent.map_or(local, |parent| math::mul(&world[parent], &local));
        }
        let skins = self.joint_matrices(&world);
        let meshes = if with_vertices {
            self.vertices(&world, &weights, &skins)
        } else {
            Vec::new()
        };
        Pose {
            world,
            weights,
            skins,
            meshes,
        }
    }

    fn joint_matrices(&self, world: &[Mat4]) -> Vec<(usize, usize, Vec<Mat4>)> {
        let mut all = Vec::new();
        // A skin does something only where there is a mesh.
        let skinned = self.nodes.iter().enumerate();
        let skinned = skinned.filter_map(|(i, node)| node.mesh.and(Some((i, node.skin?))));
        for (node, skin_index) in skinned {
            let skin = &self.skins[skin_index];
            let matrix = |(i, joint): (usize, &usize)| match &skin.joint_from_mesh {
                Some(inverse_bind) => math::mul(&world[*joint], &inverse_bind[i]),
                None => world[*joint],
            };
            all.push((
                node,
                skin_index,
                skin.joints.iter().enumerate().map(matrix).collect(),
            ));
        }
        all
    }

    fn vertices(
        &self,
        world: &[Mat4],
        weights: &[Vec<f64>],
        skins: &[(usize, usize, Vec<Mat4>)],
    ) -> Vec<PosedPrimitive> {
        let mut meshes = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let primitives = node.mesh.and_then(|m| self.meshes.get(m)?.as_ref().ok());
            let joints = skins
                .iter()
                .find(|skin| skin.0 == i)
                .map(|skin| skin.2.as_slice());
            // What deforms with a skin has no place that instances could move.
            let instances = node.instances.as_ref().filter(|_| joints.is_none());
            let copies: Vec<_> = match instances {
                Some(instances) => {
                    let world = instances.iter().map(|own| math::mul(&world[i], own));
                    world
                        .enumerate()
                        .map(|(copy, world)| (Some(copy), world))
                        .collect()
                }
                None => vec![(None, world[i])],
            };
            let primitives = primitives.into_iter().flatten();
            for (primitive, (instance, world)) in
                primitives.flat_map(|primitive| copies.iter().map(move |copy| (primitive, copy)))
            {
                let positions = (0..primitive.positions.len())
                    .map(|vertex| {
                        let morphed = primitive.morphed(vertex, &weights[i]);
                        match (joints, &primitive.influences) {
                            // The transform of the skinned mesh's own node is ignored (glTF 2.0 §3.7.3.3).
                            (Some(joints), Some(influences)) => {
                                blend(morphed, &influences[vertex], joints)
                            }
                            _ => Some(math::transform_point(world, morphed)),
                        }
                    })
                    .map(|p| p.filter(|p| p.iter().all(|x| x.is_finite())))
                    .collect();
                meshes.push(PosedPrimitive {
                    node: i,
                    primitive: primitive.index,
                    instance: *instance,
                    is_shown: self.shown[i],
                    positions,
                });
            }
        }
        meshes
    }
}

/// Linear blend skinning with weights of sum 1.
fn blend(p: Vec3, influences: &[(usize, f64)], joints: &[Mat4]) -> Option<Vec3> {
    let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
    let mut blended = [0.0; 3];
    for (joint, weight) in influences {
        let moved = math::transform_point(joints.get(*joint)?, p);
        (0..3).for_each(|axis| blended[axis] += weight / sum * moved[axis]);
    }
    (sum > 0.0).then_some(blended)
}

impl Primitive {
    fn morphed(&self, vertex: usize, weights: &[f64]) -> Vec3 {
        let mut p = self.positions[vertex];
        for (target, weight) in self
            .targets
            .iter()
            .zip(weights)
            .filter(|(target, _)| !target.is_empty())
        {
            (0..3).for_each(|axis| p[axis] += weight * target[vertex][axis]);
        }
        p
    }
}

impl Local {
    fn matrix(&self) -> Mat4 {
        match self {
            Self::Matrix(matrix) => *matrix,
            Self::Trs {
                translation,
                rotation,
                scale,
            } => math::from_trs(*translation, *rotation, *scale),
        }
    }
}

impl Channel {
    fn value(&self, key: usize) -> &[f64] {
        self.rows.get(if self.interpolation == "CUBICSPLINE" {
            3 * key + 1
        } else {
            key
        })
    }

    /// glTF 2.0 §3.11 (clamping) and Appendix C (the interpolations).
    ///
    /// Times of keys are 32-bit floats, so whether one has come is asked of the time as such a float: n/30 s in 64 bits is
    /// often before the key that was written for it, and where values step that would show the key before. The way from a
    /// key that has come only so is nothing, not less.
    fn sample(&self, time: f64) -> Vec<f64> {
        let last = self.times.len() - 1;
        let as_key = f64::from(time as f32);
        let after = self.times.partition_point(|key| *key <= as_key);
        let value = if after == 0 {
            self.value(0).to_vec()
        } else if after > last {
            self.value(last).to_vec()
        } else {
            self.between(after - 1, time)
        };
        if self.path == "rotation" {
            math::normalize([value[0], value[1], value[2], value[3]]).to_vec()
        } else {
            value
        }
    }

    fn between(&self, k: usize, time: f64) -> Vec<f64> {
        let step = self.times[k + 1] - self.times[k];
        let u = ((time - self.times[k]) / step).max(0.0);
        let (a, b) = (self.value(k), self.value(k + 1));
        match self.interpolation.as_str() {
            "STEP" => a.to_vec(),
            "CUBICSPLINE" => {
                let (out, into) = (self.rows.get(3 * k + 2), self.rows.get(3 * k + 3));
                let (u2, u3) = (u * u, u * u * u);
                let term = |i: usize| {
                    (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                        + step * (u3 - 2.0 * u2 + u) * out[i]
                        + (-2.0 * u3 + 3.0 * u2) * b[i]
                        + step * (u3 - u2) * into[i]
                };
                (0..a.len()).map(term).collect()
            }
            _ if self.path == "rotation" => {
                let unit = |q: &[f64]| math::normalize([q[0], q[1], q[2], q[3]]);
                math::slerp(unit(a), unit(b), u).to_vec()
            }
            _ => (0..a.len()).map(|i| (1.0 - u) * a[i] + u * b[i]).collect(),
        }
    }
}
