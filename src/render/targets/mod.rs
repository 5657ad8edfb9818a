//! What passes draw into, from the samples of the scene to pictures that are read back.

pub(super) mod intermediates;
pub(super) mod kept;
pub(super) mod readback;
pub(super) mod scene;

use self::scene::SceneTarget;

/// Where in a target texture the picture goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// Left edge in pixels.
    pub x: u32,
    /// Upper edge in pixels.
    pub y: u32,
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
}

/// What a frame is drawn into.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    /// Light and depth, of the viewport's size.
    pub scene: &'a SceneTarget,
    /// The picture, in the format that the renderer was made for.
    pub output: &'a wgpu::TextureView,
    /// Where in `output` the picture goes; what lies outside is cleared.
    pub viewport: Viewport,
}
