//! The skeleton: named joints in a rest pose in which every joint's own axes are the world's.
//!
//! With identity rest rotations a joint's rotation reads the same everywhere: X pitches, Y turns, Z rolls.

use glam::{DQuat, DVec3};

use super::math::snap3;

/// One joint.
pub struct Joint {
    /// Unique name; `_L` and `_R` tell the sides, left being +X of a character that faces +Z.
    pub name: String,
    /// The parent's index, always smaller than the joint's own.
    pub parent: Option<usize>,
    /// Rest position in the model's space, on the grid of `snap`.
    pub position: DVec3,
}

/// Joints, parents before children.
pub struct Rig {
    /// The joints.
    pub joints: Vec<Joint>,
}

impl Rig {
    /// Builds a rig from `(name, parent, position)` rows; a row that ends in `_L` also makes the mirrored `_R`.
    pub fn new(rows: &[(&str, &str, [f64; 3])]) -> Self {
        let mut rig = Self { joints: Vec::new() };
        for &(name, parent, position) in rows {
            let position = snap3(DVec3::from_array(position));
            rig.push(name, parent, position);
            if let Some(stem) = name.strip_suffix("_L") {
                let parent = parent
                    .strip_suffix("_L")
                    .map_or(parent.to_owned(), |stem| format!("{stem}_R"));
                rig.push(
                    &format!("{stem}_R"),
                    &parent,
                    position * DVec3::new(-1.0, 1.0, 1.0),
                );
            }
        }
        rig
    }

    fn push(&mut self, name: &str, parent: &str, position: DVec3) {
        let parent = (!parent.is_empty()).then(|| self.index(parent));
        self.joints.push(Joint {
            name: name.into(),
            parent,
            position,
        });
    }

    /// The joint of that name.
    pub fn index(&self, name: &str) -> usize {
        let found = self.joints.iter().position(|joint| joint.name == name);
        found.unwrap_or_else(|| panic!("the rig has no joint {name}"))
    }

    /// Rest position of a joint.
    pub fn at(&self, name: &str) -> DVec3 {
        self.joints[self.index(name)].position
    }

    /// Rest translation of a joint in its parent's space.
    pub fn offset(&self, joint: usize) -> DVec3 {
        let Joint {
            parent, position, ..
        } = &self.joints[joint];
        *position - parent.map_or(DVec3::ZERO, |parent| self.joints[parent].position)
    }
}

/// Left or right.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    /// +X.
    Left,
    /// −X.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// +1 for left, −1 for right.
    pub fn sign(self) -> f64 {
        if self == Self::Left { 1.0 } else { -1.0 }
    }

    /// A joint's name with this side's suffix.
    pub fn of(self, stem: &str) -> String {
        format!("{stem}{}", if self == Self::Left { "_L" } else { "_R" })
    }

    /// A rotation given for the left side, mirrored for the right.
    pub fn mirror(self, q: DQuat) -> DQuat {
        if self == Self::Left {
            q
        } else {
            DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
        }
    }

    /// A position or direction given for the left side, mirrored for the right.
    pub fn place(self, v: DVec3) -> DVec3 {
        DVec3::new(v.x * self.sign(), v.y, v.z)
    }
}
