//! Which way a model looks.

/// Which way a model looks that stands upright, with +Y up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Facing {
    /// Towards +Z, as glTF models do (glTF 2.0 §3.4), and those of VRM 1.0.
    #[default]
    PlusZ,
    /// Towards −Z, as models of VRM 0.x do (three-vrm, "Migration Guide v0.6.x -> v1.0.0").
    MinusZ,
}

impl Facing {
    /// How far about +Y what looks towards +Z is turned to look like this.
    pub fn turn_radians(self) -> f32 {
        match self {
            Self::PlusZ => 0.0,
            Self::MinusZ => std::f32::consts::PI,
        }
    }
}
