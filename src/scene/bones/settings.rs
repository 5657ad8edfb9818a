//! What the user sees of the skeleton.

/// How the skeleton is shown, and what else of its motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SkeletonSettings {
    /// What stands for bones.
    pub shape: BoneShape,
    /// Whose axes are shown.
    pub axes: JointChoice,
    /// Whose names are shown.
    pub names: JointChoice,
    /// Whether it is seen through the model.
    pub x_ray: bool,
    /// Whether joints at the ends are shown that move nothing: exporters add them to say how long the last bone is.
    pub end_joints: bool,
    /// How joints are shown that move nothing and stand beside those that do, such as targets of inverse kinematics.
    pub controls: ControlJoints,
    /// Whether the way of the chosen node is shown.
    pub trail: bool,
    /// Whether the skeleton a few frames before and after is shown.
    pub onion_skins: bool,
}

impl SkeletonSettings {
    /// Whether both show the skeleton itself in the same way.
    pub fn shows_same_skeleton(&self, other: &Self) -> bool {
        let (trail, onion_skins) = (self.trail, self.onion_skins);
        *self
            == Self {
                trail,
                onion_skins,
                ..*other
            }
    }
}

impl Default for SkeletonSettings {
    fn default() -> Self {
        Self {
            shape: BoneShape::Octahedra,
            axes: JointChoice::None,
            names: JointChoice::Chosen,
            x_ray: true,
            end_joints: true,
            controls: ControlJoints::Faint,
            trail: false,
            onion_skins: false,
        }
    }
}

/// What stands for bones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BoneShape {
    /// Double pyramids, widest near where they begin.
    #[default]
    Octahedra,
    /// Lines.
    Sticks,
    /// Nothing: there are balls for joints alone.
    Joints,
}

impl BoneShape {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Octahedra, Self::Sticks, Self::Joints];

    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::Octahedra => "Octahedra",
            Self::Sticks => "Sticks",
            Self::Joints => "Joints only",
        }
    }
}

/// How joints are shown that control a rig and move nothing by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ControlJoints {
    /// Thin and pale.
    #[default]
    Faint,
    /// As all others.
    Full,
    /// Not at all.
    Hidden,
}

impl ControlJoints {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Faint, Self::Full, Self::Hidden];

    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::Faint => "Faint",
            Self::Full => "Full",
            Self::Hidden => "Hidden",
        }
    }
}

/// A pose that no clip makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReferencePose {
    /// The file's own.
    Rest,
    /// That in which the skins were bound to their joints.
    Bind,
    /// The arms stretched out to the sides, for rigs of people.
    Tee,
}

impl ReferencePose {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Rest, Self::Bind, Self::Tee];

    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rest => "Rest",
            Self::Bind => "Bind",
            Self::Tee => "T",
        }
    }
}

/// Of which joints something is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JointChoice {
    /// Of none.
    #[default]
    None,
    /// Of the chosen one, and of that under the pointer.
    Chosen,
    /// Of all.
    All,
}

impl JointChoice {
    /// All of them, in the order of menus and keys.
    pub const ALL: [Self; 3] = [Self::None, Self::Chosen, Self::All];

    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Chosen => "Selected",
            Self::All => "All",
        }
    }

    /// The one that follows, going round.
    pub fn next(self) -> Self {
        match self {
            Self::None => Self::Chosen,
            Self::Chosen => Self::All,
            Self::All => Self::None,
        }
    }
}
