//! What of two rest poses decides how motion of the one becomes motion of the other.

use std::f32::consts::FRAC_1_SQRT_2;

use glam::{Affine3A, Mat3, Mat3A, Quat, Vec3, Vec3Swizzles as _};

use super::{
    Binding, ClipSource,
    standing::{Standing, turned_to},
};
use crate::{
    anim::{Arms, Pose, orientation::Orientation, t_pose::stretch_arms},
    model::{Aabb, Clip, Hierarchy, Model, NodeId, Track, Transform},
};

/// A hierarchy at rest, or in its bind pose, in a world that stands as that of the model, its arms stretched out if there are
/// any.
pub(super) struct Rest {
    world_from_root: Quat,
    orientations: Vec<Orientation>,
    pose: Pose,
}

impl Rest {
    pub(super) fn of(
        hierarchy: &Hierarchy,
        mut pose: Pose,
        world_from_root: Quat,
        arms: Option<&Arms>,
    ) -> Self {
        for world_from_node in &mut pose.world {
            *world_from_node = Affine3A::from_quat(world_from_root) * *world_from_node;
        }
        if let Some(arms) = arms {
            let joints = arms.joints().flatten().flatten();
            let before = joints.map(|joint| (joint, pose.locals[joint.index()]));
            let before: Vec<_> = before.collect();
            stretch_arms(hierarchy, arms, &mut pose);
            for (joint, before) in before {
                let local = &mut pose.locals[joint.index()];
                if *local != before {
                    // Nothing is above a root that could hold the turn of the whole.
                    let above = match hierarchy.node(joint).parent {
                        Some(_) => Quat::IDENTITY,
                        None => world_from_root,
                    };
                    *local = turned_to(&before, above.conjugate() * local.rotation);
                }
            }
        }
        let mut orientations: Vec<Orientation> = Vec::with_capacity(hierarchy.len());
        for (node, local) in hierarchy.nodes().iter().zip(&pose.locals) {
            let parent = node.parent.map(|parent| orientations[parent.index()]);
            let parent = parent.unwrap_or(world_from_root.into());
            orientations.push(parent * Orientation::of_transform(local));
        }
        Self {
            world_from_root,
            orientations,
            pose,
        }
    }

    /// Orientation and linear part of a node's parent in the world.
    pub(super) fn parent(&self, hierarchy: &Hierarchy, node: NodeId) -> (Orientation, Mat3A) {
        let parent = hierarchy.node(node).parent;
        let root = self.world_from_root;
        parent.map_or((root.into(), Mat3A::from_quat(root)), |parent| {
            let world = self.pose.world[parent.index()];
            (self.orientations[parent.index()], world.matrix3)
        })
    }

    fn place(&self, node: NodeId) -> Vec3 {
        self.pose.world[node.index()].translation.into()
    }
}

/// From one rest pose into another.
pub(super) struct Retarget<'a> {
    pub(super) from: &'a Rest,
    pub(super) to: &'a Rest,
    pub(super) gait: Gait,
}

/// How a clip carries a model along.
pub(super) struct Gait {
    /// How much longer the legs are.
    stride: f32,
    /// The node that carries the others, and where it would stand at rest, as its parent sees it, if the file's own rest pose
    /// is taken from elsewhere than where its clips are.
    standpoint: Option<(NodeId, Vec3)>,
}

impl Retarget<'_> {
    /// The placements of a node and of its counterpart at rest.
    pub(super) fn locals(&self, from: NodeId, to: NodeId) -> [Transform; 2] {
        [
            self.from.pose.locals[from.index()],
            self.to.pose.locals[to.index()],
        ]
    }

    /// What the translations of a node differ from.
    pub(super) fn standpoint(&self, from: NodeId) -> Vec3 {
        match self.gait.standpoint {
            Some((node, place)) if node == from => place,
            _ => self.from.pose.locals[from.index()].translation,
        }
    }

    /// What becomes of differences of translations.
    pub(super) fn linear(
        &self,
        from: NodeId,
        to: NodeId,
        source: &ClipSource,
        model: &Model,
    ) -> Mat3A {
        let there = self.from.parent(&source.hierarchy, from).1;
        let here = self.to.parent(&model.hierarchy, to).1;
        let linear = here.inverse() * there * self.gait.stride;
        if linear.is_finite() {
            linear
        } else {
            Mat3A::IDENTITY
        }
    }

    /// For each axis of a node of the model that of its counterpart which lies within 45° of it in the world at rest, in
    /// whichever direction; all as they are named unless there is one for each.
    pub(super) fn axes(&self, from: NodeId, to: NodeId) -> [usize; 3] {
        let there = self.from.orientations[from.index()];
        let here = self.to.orientations[to.index()];
        // Mirrors change signs alone.
        let change = Mat3::from_quat((here.inverse() * there).rotation);
        let nearest = |axis| {
            let row = change.row(axis).abs();
            let nearest = row.max_position();
            (row[nearest] > FRAC_1_SQRT_2).then_some(nearest)
        };
        match [0, 1, 2].map(nearest) {
            [Some(x), Some(y), Some(z)] => [x, y, z],
            _ => [0, 1, 2],
        }
    }
}

/// The largest angle between arms of both in the poses that are compared.
pub(super) fn angle_between_arms(standing: &Standing, arms: [&Arms; 2]) -> f32 {
    let [there, here] = [0, 1].map(|side| arms[side].ways(&standing.poses[side]));
    let pairs = there.into_iter().zip(here);
    let angles = pairs.filter_map(|(there, here)| {
        let there = standing.turn * there?;
        Some(there.angle_between(here?))
    });
    angles.fold(0.0, f32::max)
}

/// The boxes around all nodes that are bound, and around their counterparts, at rest.
pub(super) fn boxes_of_bound(
    from: &Hierarchy,
    binding: &Binding,
    [rest, own]: &[Rest; 2],
) -> [Aabb; 2] {
    let pairs = || {
        let nodes = from.iter().map(|(id, _)| id);
        nodes.filter_map(|id| Some((id, binding.of(id)?.node)))
    };
    [
        Aabb::of_points(pairs().map(|(id, _)| rest.place(id))),
        Aabb::of_points(pairs().map(|(_, id)| own.place(id))),
    ]
}

impl Gait {
    /// Legs are as much longer as the hips (the first node that the clip shifts at a height, or else those of its file) are
    /// higher over the lowest bound node, or where there are no hips, as the bound nodes reach further. The boxes are those of
    /// [`boxes_of_bound`].
    pub(super) fn of(
        clip: &Clip,
        binding: &Binding,
        rests: &[Rest; 2],
        boxes: &[Aabb; 2],
        footing: &Footing,
    ) -> Self {
        let reaches = boxes.each_ref().map(Aabb::diagonal);
        let hips = hips(clip, binding, rests, boxes, varies).or(footing.hips);
        let [there, here] = hips.map_or(reaches, |(_, heights)| heights);
        let ratio = here / there;
        let is_ratio = ratio.is_finite() && ratio > 0.0;
        Self {
            stride: if is_ratio { ratio } else { 1.0 },
            standpoint: footing.standpoint,
        }
    }
}

/// What the clips of a file have in common of how they carry a model along.
pub(super) struct Footing {
    /// The hips, and how high they and their counterpart are over the lowest bound node at rest.
    hips: Option<Hips>,
    standpoint: Option<(NodeId, Vec3)>,
}

type Hips = (NodeId, [f32; 2]);

fn varies(track: &Track<Vec3>) -> bool {
    track.varies(|first, value| first != value)
}

/// The first node at a height that a clip has such translations of, and how high it and its counterpart are over the lowest
/// bound node at rest.
fn hips(
    clip: &Clip,
    binding: &Binding,
    [rest, own]: &[Rest; 2],
    [there, here]: &[Aabb; 2],
    is_such: impl Fn(&Track<Vec3>) -> bool,
) -> Option<Hips> {
    let moved = clip.translations().iter();
    let moved = moved
        .filter(|track| is_such(track))
        .filter_map(|track| Some((track.node(), binding.of(track.node())?.node)));
    let heights = moved.map(|(node, here_id)| {
        let height = |place: Vec3, bounds: &Aabb| place.y - bounds.min.y;
        let heights = [
            height(rest.place(node), there),
            height(own.place(here_id), here),
        ];
        (node, heights)
    });
    let reaches = [there.diagonal(), here.diagonal()];
    // What moves on the ground, and carries the hips, says nothing of legs.
    let is_high = |[a, b]: &[f32; 2]| *a > 0.05 * reaches[0] && *b > 0.05 * reaches[1];
    let hips = heights.filter(|(_, heights)| is_high(heights));
    hips.min_by_key(|(node, _)| *node)
}

impl Footing {
    /// That of some clips: the hips are the first node that any of them shifts at a height, or where all stand still, places
    /// there at all.
    pub(super) fn of(
        source: &Hierarchy,
        clips: &[Clip],
        binding: &Binding,
        rests: &[Rest; 2],
        boxes: &[Aabb; 2],
    ) -> Self {
        let first = |is_such: fn(&Track<Vec3>) -> bool| {
            let found = clips.iter();
            let found = found.filter_map(|clip| hips(clip, binding, rests, boxes, is_such));
            found.min_by_key(|(node, _)| *node)
        };
        let hips = first(varies).or_else(|| first(|_| true));
        Self {
            hips,
            standpoint: hips.and_then(|(node, [height, _])| {
                let place = standpoint(source, clips, &rests[0], node, height)?;
                Some((node, place))
            }),
        }
    }
}

/// Files of clips alone often have some moment of a walk as their rest pose. If no clip comes as near to that as the hips are
/// high, but nearer to where their parent is, the hips stand there in all clips; at the height that they have at rest.
fn standpoint(
    source: &Hierarchy,
    clips: &[Clip],
    rest: &Rest,
    hips: NodeId,
    height: f32,
) -> Option<Vec3> {
    let world_from_parent = rest.parent(source, hips).1;
    let at_rest = world_from_parent * rest.pose.locals[hips.index()].translation;
    let tracks = clips.iter().flat_map(Clip::translations);
    let tracks = tracks.filter(|track| track.node() == hips);
    let keys = tracks.flat_map(|track| {
        let keys = track.values().iter().enumerate();
        keys.filter(|&(place, _)| !track.interpolation().is_tangent(place))
    });
    let (mut to_rest, mut to_parent) = (f32::INFINITY, f32::INFINITY);
    for place in keys.map(|(_, value)| world_from_parent * *value) {
        to_rest = to_rest.min((place - at_rest).xz().length());
        to_parent = to_parent.min(place.xz().length());
    }
    let place = world_from_parent.inverse() * Vec3::new(0.0, at_rest.y, 0.0);
    (to_rest > height && to_parent < to_rest && place.is_finite()).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{anim::orientation::angle_between, model::Node};

    /// Where upper arms hang on nothing, nothing above them holds the turn of the whole.
    #[test]
    fn arms_that_are_roots_are_turned_once() {
        let nodes = [
            ("LeftUpLeg", Vec3::new(0.1, 1.0, 0.0), None),
            ("RightUpLeg", Vec3::new(-0.1, 1.0, 0.0), None),
            ("LeftArm", Vec3::new(0.2, 1.5, 0.0), None),
            ("LeftForeArm", Vec3::new(0.2, -0.2, 0.0), Some(2)),
            ("LeftHand", Vec3::new(0.2, -0.2, 0.0), Some(3)),
            ("RightArm", Vec3::new(-0.2, 1.5, 0.0), None),
            ("RightForeArm", Vec3::new(-0.2, -0.2, 0.0), Some(5)),
            ("RightHand", Vec3::new(-0.2, -0.2, 0.0), Some(6)),
        ];
        let made = nodes.map(|(name, translation, _)| Node {
            name: name.to_owned(),
            rest: Transform {
                translation,
                ..Transform::IDENTITY
            },
            ..Node::default()
        });
        let parents = nodes.map(|(.., parent)| parent);
        let hierarchy = Hierarchy::new(made.to_vec(), &parents, &vec![vec![]; 8]).unwrap();
        let model = Model {
            hierarchy,
            ..Model::default()
        };
        let arms = Arms::find(&model).unwrap();
        let hierarchy = &model.hierarchy;
        let turn = Quat::from_rotation_y(1.2);
        let rest = Rest::of(hierarchy, Pose::new(hierarchy), turn, Some(&arms));
        for (place, (found, world)) in rest.orientations.iter().zip(&rest.pose.world).enumerate() {
            let expected = Quat::from_mat3a(&world.matrix3);
            let apart = angle_between(found.rotation, expected);
            assert!(apart < 1e-3, "{place}: {apart}");
        }
    }
}
