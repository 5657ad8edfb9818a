//! What is to be drawn, as plain data: the narrow waist between animation and rendering.
//!
//! A [`Frame`] borrows all that one picture needs. The renderer sees nothing else of the program but the
//! [`crate::model::Model`] that it uploaded before.

mod bones;
mod camera;
mod crowd;
mod draws;
mod grid;
mod inspection;
mod picking;

pub use bones::{BONE_WAIST, Overlay, OverlayShape, Skeleton};
pub use camera::{CameraView, OrbitCamera};
pub use crowd::{Crowd, Individual, Repertoire};
pub use draws::{Draw, collect_draws};
pub use grid::Grid;
pub use inspection::{Inspection, JointPlaces, ViewMode, WeightColors};
pub use picking::{Ray, SurfaceHit, pick_bone, pick_surface, strongest_joint};

use crate::anim::{Palette, PaletteLayout, Properties};

/// One picture.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// From where.
    pub camera: CameraView,
    /// What fills the space behind everything.
    pub background: Background,
    /// Index of the variant whose materials are shown; none is the file's own choice.
    pub variant: Option<usize>,
    /// What is drawn of surfaces.
    pub inspection: Inspection,
    /// Where the matrices of each mesh are.
    pub layout: &'a PaletteLayout,
    /// The matrices and active morphs.
    pub palette: &'a Palette,
    /// The materials, lights and cameras in force.
    pub properties: &'a Properties,
    /// For each placement of the layout, what the renderer must know to draw it.
    pub draws: &'a [Draw],
    /// The skeleton, over everything.
    pub overlay: Option<&'a Overlay>,
    /// The ground grid.
    pub grid: Option<Grid>,
}

/// What fills the space behind everything; colours as in a style sheet (sRGB, 0..1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Background {
    /// From the upper to the lower edge.
    Gradient {
        /// At the upper edge.
        top: [f32; 3],
        /// At the lower edge.
        bottom: [f32; 3],
    },
    /// One colour.
    Plain([f32; 3]),
    /// Nothing: the picture's alpha says what was drawn.
    Transparent,
}

impl Background {
    /// The viewer's own, dark.
    pub const DARK: Self = Self::Gradient {
        top: [0.235, 0.255, 0.290],
        bottom: [0.130, 0.140, 0.160],
    };
    /// The viewer's own, light.
    pub const LIGHT: Self = Self::Gradient {
        top: [0.865, 0.885, 0.905],
        bottom: [0.700, 0.725, 0.755],
    };
}
