//! Two bones that reach for a point, as an arm or a leg does: the angles follow from the cosine law, the plane in which
//! they bend from the pose, or from a pole that the middle joint points to.
//!
//! D. Tolani, A. Goswami, N. Badler, "Real-time inverse kinematics techniques for anthropomorphic limbs", 2000, section 3,
//! has the analytic solution of such limbs; here it is written as two turns in the world, so that it fits joints of any
//! orientation. Turns begin from the pose that is there and take the shorter way, so a path that is dragged gives poses
//! that follow one another without a leap. Parents that scale unevenly bend the solution; so it is repeated until it holds.

use glam::{Affine3A, Quat, Vec3};

use super::parent_orientation;
use crate::{
    anim::Pose,
    model::{Hierarchy, NodeId},
};

/// A limb: two bones between three joints, each below the one before, though not always directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limb {
    /// Shoulder or hip.
    pub root: NodeId,
    /// Elbow or knee.
    pub middle: NodeId,
    /// Hand or foot.
    pub end: NodeId,
}

/// How often the solution is repeated at most; without uneven scales twice are enough.
const MAX_ROUNDS: usize = 24;
/// Where it is good enough, as a part of the limb's length.
const NEAR_ENOUGH: f32 = 1e-5;
/// A bone is at least this part of the distance between the end and the root of the model.
const MIN_BONE: f32 = 1e-4;
/// A middle joint nearer to the line from root to end than this part of the limb's length lies on it.
const MIN_BEND: f32 = 1e-3;
/// A stretched limb keeps this part of its length back: straight, it would forget which way it bends.
const SLACK: f32 = 1e-6;

impl Limb {
    /// The limb that ends at a node: the two bones above it, leaving out joints that lie where their children do, such as
    /// those for twist. None if there are no two.
    pub fn ending_at(end: NodeId, hierarchy: &Hierarchy, pose: &Pose) -> Option<Self> {
        let place = |node: NodeId| Vec3::from(pose.world[node.index()].translation);
        let top = hierarchy.upwards(end).last()?;
        let least = MIN_BONE * place(end).distance(place(top));
        let above = |node: NodeId| {
            let mut above = hierarchy.upwards(node).skip(1);
            above.find(|candidate| place(*candidate).distance(place(node)) > least)
        };
        let middle = above(end)?;
        let root = above(middle)?;
        Some(Self { root, middle, end })
    }

    /// Turns root and middle so that the end lies at `target`, or as near to it as the bones let it, and the middle joint
    /// to the side where `pole` is, if there is one. All are points in the world. The pose's world matrices are up to date
    /// before and after. Returns how far the end is from the target.
    pub fn reach(
        &self,
        hierarchy: &Hierarchy,
        pose: &mut Pose,
        target: Vec3,
        pole: Option<Vec3>,
    ) -> f32 {
        let chain = self.chain(hierarchy);
        self.bend(hierarchy, &chain, pose, target, pole);
        pose.update_world(hierarchy, Affine3A::IDENTITY);
        self.places(pose)[2].distance(target)
    }

    /// [`Limb::reach`], of which the limb's chain alone is up to date after.
    fn bend(
        &self,
        hierarchy: &Hierarchy,
        chain: &[NodeId],
        pose: &mut Pose,
        target: Vec3,
        pole: Option<Vec3>,
    ) {
        for _ in 0..MAX_ROUNDS {
            let [root, middle, end] = self.places(pose);
            let (upper, lower) = (root.distance(middle), middle.distance(end));
            let length = upper + lower;
            if length <= 0.0 || !length.is_finite() || !target.is_finite() {
                break;
            }
            let wanted = target - root;
            let nearest = (upper - lower).abs() + SLACK * length;
            let farthest = length * (1.0 - SLACK);
            let distance = wanted.length().clamp(nearest.min(farthest), farthest);
            let is_bent = (root.distance(end) - distance).abs() <= NEAR_ENOUGH * length;
            let direction = wanted.normalize_or((end - root).normalize_or(Vec3::Y));
            let goal = root + direction * distance;
            let is_there = is_bent && end.distance(goal) <= NEAR_ENOUGH * length;
            let is_on_its_side = pole
                .is_none_or(|pole| angle_about(direction, middle - root, pole - root).abs() < 1e-4);
            if is_there && is_on_its_side {
                break;
            }
            let normal = self.plane(pose, pole.map(|pole| pole - root), direction);
            // The angle between the bones at the middle, now and as wanted.
            let now = (root - middle).angle_between(end - middle);
            let cosine =
                (upper * upper + lower * lower - distance * distance) / (2.0 * upper * lower);
            let open = cosine.clamp(-1.0, 1.0).acos();
            let turn = Quat::from_axis_angle(normal, open - now);
            turn_by(hierarchy, chain, pose, self.middle, turn);
            let [root, _, end] = self.places(pose);
            let reached = (end - root).normalize_or(direction);
            let turn = Quat::from_rotation_arc(reached, direction);
            turn_by(hierarchy, chain, pose, self.root, turn);
            if let Some(pole) = pole {
                let [root, middle, _] = self.places(pose);
                let angle = angle_about(direction, middle - root, pole - root);
                let turn = Quat::from_axis_angle(direction, angle);
                turn_by(hierarchy, chain, pose, self.root, turn);
            }
        }
    }

    /// By how much the middle joint must swivel about the line from root to end to lie where `pole` is, a point in the
    /// world: −π to π; and how far it lies from that line. None for a straight limb, or a pole on the line.
    pub fn swivel_to(&self, pose: &Pose, pole: Vec3) -> Option<(f32, f32)> {
        let [root, middle, end] = self.places(pose);
        let line = (end - root).try_normalize()?;
        let radius = (middle - root).reject_from_normalized(line).length();
        let lever = (pole - root).reject_from_normalized(line).length();
        let length = root.distance(middle) + middle.distance(end);
        let least = MIN_BEND * length;
        let is_usable = radius > least && lever > least && pole.is_finite();
        is_usable.then(|| (angle_about(line, middle - root, pole - root), radius))
    }

    /// Turns the limb about the line from root to end, which stays where it is. The pose's world matrices are up to date
    /// before and after. Returns how far the end is from where it was.
    pub fn swivel(&self, hierarchy: &Hierarchy, pose: &mut Pose, radians: f32) -> f32 {
        let [root, middle, end] = self.places(pose);
        let Some(line) = (end - root).try_normalize() else {
            return 0.0;
        };
        let turn = Quat::from_axis_angle(line, radians);
        turn_by(hierarchy, &self.chain(hierarchy), pose, self.root, turn);
        // Parents that scale unevenly bend what is turned.
        let pole = root + turn * (middle - root);
        self.reach(hierarchy, pose, end, Some(pole))
    }

    fn places(&self, pose: &Pose) -> [Vec3; 3] {
        [self.root, self.middle, self.end]
            .map(|node| Vec3::from(pose.world[node.index()].translation))
    }

    /// The axis about which the end turns away from the root when the angle at the middle grows: a unit vector. A straight
    /// limb bends towards the pole, or else about the axis that it has turned with it.
    fn plane(&self, pose: &Pose, pole: Option<Vec3>, direction: Vec3) -> Vec3 {
        let [root, middle, end] = self.places(pose);
        let (up, down) = (
            (root - middle).normalize_or(Vec3::Y),
            (end - middle).normalize_or(Vec3::NEG_Y),
        );
        let normal = up.cross(down);
        if normal.length() > 1e-4 {
            return normal.normalize();
        }
        let towards_pole = pole.map(|pole| pole.cross(direction));
        let own_axis = Vec3::from(pose.world[self.middle.index()].matrix3.x_axis);
        let candidates = [towards_pole.unwrap_or(Vec3::ZERO), own_axis.reject_from(up)];
        let found = candidates.into_iter().find_map(Vec3::try_normalize);
        found.unwrap_or_else(|| up.any_orthonormal_vector())
    }

    /// Root, end and all between, from the top down.
    fn chain(&self, hierarchy: &Hierarchy) -> Vec<NodeId> {
        let up = hierarchy.upwards(self.end);
        // Parents have smaller ids.
        let mut chain: Vec<_> = up.take_while(|node| *node >= self.root).collect();
        chain.reverse();
        chain
    }
}

/// Turns a node in the world about its own origin, and brings those of `chain` up to date that hang on it.
fn turn_by(hierarchy: &Hierarchy, chain: &[NodeId], pose: &mut Pose, node: NodeId, turn: Quat) {
    let parent = parent_orientation(hierarchy, pose, node);
    let turn = parent.inverse().outside(turn);
    let mut local = pose.locals[node.index()];
    local.rotation = (turn * local.rotation).normalize();
    pose.place(node, local);
    let above = chain.partition_point(|other| *other < node);
    pose.update_world_of(hierarchy, &chain[above..]);
}

/// The angle by which `from` must be turned about a unit `axis` so that it points to where `to` does, −π to π; 0 if either
/// lies along the axis.
fn angle_about(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let (from, to) = (
        from.reject_from_normalized(axis),
        to.reject_from_normalized(axis),
    );
    if from.length() <= 1e-6 * to.length() || to.length_squared() == 0.0 {
        return 0.0;
    }
    axis.dot(from.cross(to)).atan2(from.dot(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Node, Transform};

    /// What does not belong to the limb waits for the end: rounds cost its chain alone.
    #[test]
    fn rounds_bring_the_chain_of_the_limb_up_to_date() {
        let node = |translation| Node {
            rest: Transform {
                translation,
                ..Transform::IDENTITY
            },
            ..Node::default()
        };
        // A shoulder, a twist, an elbow, a hand; a finger below, and a strap on the shoulder.
        let places = [
            Vec3::Y,
            Vec3::X,
            Vec3::ZERO,
            Vec3::X,
            Vec3::new(1.0, -0.1, 0.0),
            Vec3::X,
            Vec3::Z,
        ];
        let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(1)];
        let nodes = places.map(node).into();
        let tree = Hierarchy::new(nodes, &parents, &vec![vec![]; 7]).unwrap();
        let [root, twist, middle, end] = [1, 2, 3, 4].map(|file| tree.by_file_index(file).unwrap());
        let limb = Limb { root, middle, end };
        let chain = limb.chain(&tree);
        assert_eq!(chain, [root, twist, middle, end]);
        let rest = Pose::new(&tree);
        let target = Vec3::new(1.5, 2.0, 0.5);
        let mut bent = rest.clone();
        limb.bend(&tree, &chain, &mut bent, target, None);
        let mut reached = rest.clone();
        let left = limb.reach(&tree, &mut reached, target, None);
        assert!(left < 1e-4, "{left}");
        assert_eq!(bent.locals, reached.locals);
        for (id, _) in tree.iter() {
            let is_of_chain = chain.contains(&id);
            let (bent, rest) = (bent.world[id.index()], rest.world[id.index()]);
            let reached = reached.world[id.index()];
            assert_eq!(bent, if is_of_chain { reached } else { rest }, "{id:?}");
            let is_above = id == tree.by_file_index(0).unwrap();
            assert_eq!(reached == rest, is_above, "{id:?}");
        }
    }
}
