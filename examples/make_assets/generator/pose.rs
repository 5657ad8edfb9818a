//! A pose of the rig, and the two-bone inverse kinematics that plants its feet.

use glam::{DMat3, DQuat, DVec3};

use super::rig::{Rig, Side};

/// Local transforms of all joints, as a change from the rest pose.
#[derive(Clone)]
pub struct Pose<'a> {
    /// The rig that is posed.
    pub rig: &'a Rig,
    /// Added to each joint's rest translation.
    pub shifts: Vec<DVec3>,
    /// Local rotations.
    pub rotations: Vec<DQuat>,
    /// Local scales.
    pub scales: Vec<DVec3>,
}

impl<'a> Pose<'a> {
    /// The rest pose.
    pub fn rest(rig: &'a Rig) -> Self {
        let count = rig.joints.len();
        Self {
            rig,
            shifts: vec![DVec3::ZERO; count],
            rotations: vec![DQuat::IDENTITY; count],
            scales: vec![DVec3::ONE; count],
        }
    }

    /// Turns a joint further, about axes that its earlier turns have not moved.
    pub fn turn(&mut self, joint: &str, rotation: DQuat) {
        let i = self.rig.index(joint);
        self.rotations[i] = rotation * self.rotations[i];
    }

    /// Moves a joint by a vector in its parent's space.
    pub fn shift(&mut self, joint: &str, by: DVec3) {
        self.shifts[self.rig.index(joint)] += by;
    }

    /// Rotation and position of a joint in the root's space; scale is left out, which the root alone uses.
    pub fn world(&self, joint: &str) -> (DQuat, DVec3) {
        self.world_of(self.rig.index(joint))
    }

    fn world_of(&self, joint: usize) -> (DQuat, DVec3) {
        let (turned, at) = self.parent_of(joint);
        (
            turned * self.rotations[joint],
            at + turned * (self.rig.offset(joint) + self.shifts[joint]),
        )
    }

    fn parent_of(&self, joint: usize) -> (DQuat, DVec3) {
        let parent = self.rig.joints[joint]
            .parent
            .filter(|&parent| self.rig.joints[parent].parent.is_some());
        parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |parent| {
            self.world_of(parent)
        })
    }

    /// Gives a joint a rotation in the root's space.
    pub fn face(&mut self, joint: &str, world: DQuat) {
        let i = self.rig.index(joint);
        self.rotations[i] = (self.parent_of(i).0.inverse() * world).normalize();
    }

    /// Bends a chain of two bones so that its end reaches `target` (root space), the middle joint towards `pole`.
    /// A target out of reach is approached as far as the chain goes, short of snapping straight.
    pub fn reach(&mut self, [upper, lower, end]: [&str; 3], target: DVec3, pole: DVec3) {
        let rig = self.rig;
        let (first, second) = (rig.at(lower) - rig.at(upper), rig.at(end) - rig.at(lower));
        let (a, b) = (first.length(), second.length());
        let from = self.world(upper).1;
        let mut to = target - from;
        to = to.clamp_length((a - b).abs() + 1e-3, (a + b) * 0.9985);
        let direction = to.normalize();
        // The law of cosines, with the cosine used as it is: no angle is ever needed.
        let along = (a * a - b * b + to.length_squared()) / (2.0 * to.length());
        let aside = (a * a - along * along).max(0.0).sqrt();
        let outward = pole.reject_from(direction).normalize_or(DVec3::Z);
        let middle = direction * along + outward * aside;
        let hinge = direction.cross(outward);
        let rest_hinge = (second.cross(first)).normalize_or(DVec3::X);
        // The rest hinge is turned to point the same way as the posed one: `second × first` and `direction × outward`
        // both stand on the side from which the bend looks clockwise.
        self.face(upper, frame_to_frame(first, rest_hinge, middle, hinge));
        self.face(
            lower,
            frame_to_frame(second, rest_hinge, to - middle, hinge),
        );
    }

    /// Sets one arm: direction angles of the upper arm and the bend of the elbow, in degrees, given for the left side.
    pub fn arm(&mut self, side: Side, arm: Arm) {
        use super::math::{pitch, roll, turn, yaw};
        let upper = pitch(-arm.forward) * yaw(-arm.inward) * roll(-arm.lower);
        self.turn(&side.of("upper_arm"), side.mirror(upper));
        // In the rest pose the elbow's hinge lies in the frontal plane, square to the bone.
        let bone = (self.rig.at("hand_L") - self.rig.at("upper_arm_L")).normalize();
        let hinge = bone.cross(DVec3::Z).normalize();
        self.turn(
            &side.of("forearm"),
            side.mirror(turn(hinge, arm.elbow) * turn(bone, arm.twist)),
        );
        self.turn(&side.of("hand"), side.mirror(turn(hinge, arm.wrist)));
    }
}

/// Angles of an arm in degrees, from the rest pose in which it points sideways and down.
#[derive(Clone, Copy, Default)]
pub struct Arm {
    /// Down towards the body.
    pub lower: f64,
    /// Swing to the front.
    pub forward: f64,
    /// Across the chest.
    pub inward: f64,
    /// Bend of the elbow, the hand to the front.
    pub elbow: f64,
    /// Turn of the forearm about its own length.
    pub twist: f64,
    /// Bend of the wrist, the hand to the front.
    pub wrist: f64,
}

/// The rotation that takes `bone` to the direction of `to`, and the hinge with it.
fn frame_to_frame(bone: DVec3, hinge: DVec3, to: DVec3, to_hinge: DVec3) -> DQuat {
    let frame = |y: DVec3, x: DVec3| {
        let y = y.normalize();
        let x = x.reject_from(y).normalize();
        DMat3::from_cols(x, y, x.cross(y))
    };
    DQuat::from_mat3(&(frame(to, to_hinge) * frame(bone, hinge).transpose())).normalize()
}
