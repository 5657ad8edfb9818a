//! What panels read of light.

use crate::scene::{Backdrop, LightSettings};

/// The light, what is behind the model, and what draws both.
#[derive(Debug, Clone, Copy)]
pub struct LightView<'a> {
    /// What shines, and how light becomes colours.
    pub settings: LightSettings,
    /// Whether light is simple because there is no graphics adapter, and not because the user has said so.
    pub is_simple_by_itself: bool,
    /// Whether software draws in place of the graphics adapter, which failed.
    pub misses_adapter: bool,
    /// The factor on the lights of the file where some would leave all white.
    pub dimming: Option<f32>,
    /// What is behind the model.
    pub backdrop: Backdrop,
    /// The name of the file that surrounds the model; none for the studio.
    pub environment: Option<&'a str>,
}
