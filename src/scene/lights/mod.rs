//! What shines: the key light and its shadow, the file's own lights, and the environment; and what the user sets of them.

mod harmonics;
mod placed;
mod settings;
mod shadow;
mod studio;

pub use harmonics::Harmonics;
pub use placed::{Dimming, LightNodes, PlacedLight, dim_alike, dimming};
pub use settings::{
    Backdrop, Choice, LightOverrides, LightSettings, Quality, ToneCurve, Transparency,
};
pub use shadow::{Shadow, ShadowFit};
pub use studio::studio;
