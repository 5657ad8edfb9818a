//! What is to be drawn, as plain data: the narrow waist between animation and rendering.
//!
//! A [`Frame`] borrows all that one picture needs. The renderer sees nothing else of the program but the
//! [`crate::model::Model`] that it uploaded before.

mod bones;
mod camera;
mod color;
mod crowd;
mod draws;
mod inspection;
mod lights;
mod lines;
mod oriented_box;
mod picking;
mod posed_coverage;
mod split;

pub use bones::{
    BONE_WAIST, BoneShape, ControlJoints, JointChoice, ReferencePose, Skeleton, SkeletonLook,
    SkeletonSettings,
};
pub use camera::{CameraView, Extent, OrbitCamera, Side, Silhouette, file_camera_view, orbit_from};
pub use color::{linear_from_srgb, srgb_from_linear};
pub(crate) use crowd::is_out_of_sight;
pub use crowd::{Crowd, FormChoice, Individual, Repertoire, Sight};
pub use draws::{DeformedBox, Draw, Draws, collect_draws, world_from_copy};
pub use inspection::{
    Inspectable, Inspection, JointPlaces, SurfaceLines, VertexInfluence, ViewMode, WeightColors,
    difference_scale, influences_at, joint_carrying, joint_color,
};
pub use lights::{
    Backdrop, Choice, Dimming, Harmonics, LightNodes, LightOverrides, LightSettings, PlacedLight,
    Quality, Shadow, ShadowFit, ToneCurve, Transparency, dim_alike, dimming, studio,
};
pub use lines::{
    FUTURE_COLOR, Grid, Overlay, OverlayLine, OverlayShape, PAST_COLOR, add_outline, add_trail,
    mark_node,
};
pub use oriented_box::OrientedBox;
pub use picking::{Ray, Reach, SurfaceHit, Surfaces, pick_bone, strongest_joint};
pub use posed_coverage::{ShapeSamples, posed_pixels};
pub use split::{Columns, FIRST_GHOST_COLOR, GHOST_COLOR, Split, SplitWay};

use crate::anim::{Palette, PaletteLayout, Properties};

/// One picture.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// From where.
    pub camera: CameraView,
    /// What fills the space behind everything.
    pub background: Background,
    /// What shines, and how light becomes colours.
    pub lighting: Lighting<'a>,
    /// What is drawn of surfaces.
    pub inspection: Inspection,
    /// Index of the variant whose materials are shown; none is the file's own choice.
    pub variant: Option<usize>,
    /// Where the matrices of each mesh are.
    pub layout: &'a PaletteLayout,
    /// The matrices and active morphs.
    pub palette: &'a Palette,
    /// Who writes the matrices, if the palette has none.
    pub crowd: Option<&'a Crowd>,
    /// The materials, lights and cameras in force.
    pub properties: &'a Properties,
    /// For each placement of the layout, what the renderer must know to draw it.
    pub draws: &'a Draws,
    /// The skeleton and other lines, over everything.
    pub overlay: Option<&'a Overlay>,
    /// The ground grid.
    pub grid: Option<Grid>,
    /// How many pixels wide the lines of the grid are, and in whole ones the points, lines and edges of models; of models up to
    /// 8, and one where there are too many, or lines that blend. The overlay has widths of its own.
    pub pixels_per_point: f32,
}

/// What shines, and how light becomes colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lighting<'a> {
    /// What the user has set.
    pub settings: LightSettings,
    /// The key light.
    pub key: Option<PlacedLight>,
    /// The file's lights.
    pub lights: &'a [PlacedLight],
    /// Factor on them.
    pub lights_strength: f32,
    /// What throws the key light's shadow, and where it is caught, if there is to be one.
    pub shadow: Option<Shadow>,
}

impl Lighting<'_> {
    /// The fit of the key light's shadow to a map of `side` texels, told from an eye; `None` if there is none.
    pub fn shadow_fit(&self, side: u32, eye: glam::Vec3) -> Option<ShadowFit> {
        self.shadow?.fit(self.key?.backward, side, eye)
    }
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
    /// What surrounds the model.
    Environment {
        /// 0 sharp … 1 as a matt surface sees them.
        blur: f32,
    },
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
