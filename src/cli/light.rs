//! How pictures are lit: arguments that the viewer and `rigscope render` share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{
    import::read_panorama,
    model::Panorama,
    scene::{Choice, LightSettings, Quality, ToneCurve, Transparency},
};

/// What shines, and how light becomes colours.
#[derive(Debug, Clone, Args)]
pub struct LightArguments {
    /// The surroundings: an equirectangular .hdr or .exr picture instead of the built-in studio
    #[arg(long, value_name = "FILE")]
    pub environment: Option<PathBuf>,
    /// How far the surroundings are turned, from +Z towards +X
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub environment_turn: f32,
    /// Factor on the light of the surroundings
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub environment_strength: f32,
    /// Whether the key light shines: by itself in the studio, on models that bring no lights along
    #[arg(long, value_name = "auto|on|off", default_value = "auto")]
    pub key_light: KeyLight,
    /// No shadows
    #[arg(long)]
    pub no_shadows: bool,
    /// Brighter or darker, in powers of two
    #[arg(
        long,
        value_name = "STOPS",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub exposure: f32,
    /// How light becomes colours
    #[arg(long, value_name = "neutral|aces|agx|none", default_value = "neutral")]
    pub tone: Tone,
    /// How blended surfaces meet: far ones first, or all together, weighted by their distance and in no order
    #[arg(long, value_name = "sorted|weighted", default_value = "sorted")]
    pub transparency: TransparencyKind,
    /// What pictures may cost: low has no shadows and rough reflections; by itself full, and low in windows without a
    /// graphics adapter
    #[arg(long, value_name = "full|low")]
    pub quality: Option<QualityChoice>,
}

/// [`Choice`], as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyLight {
    /// As the model asks.
    Auto,
    /// On.
    On,
    /// Off.
    Off,
}

/// [`ToneCurve`], as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tone {
    /// Khronos PBR Neutral.
    Neutral,
    /// The Academy's curve.
    Aces,
    /// `AgX`.
    Agx,
    /// None.
    None,
}

/// [`Transparency`], as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TransparencyKind {
    /// Far ones first.
    Sorted,
    /// In no order.
    Weighted,
}

/// [`Quality`], as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QualityChoice {
    /// Everything.
    Full,
    /// What software draws quickly.
    Low,
}

impl LightArguments {
    /// As the scene has them.
    pub fn settings(&self) -> LightSettings {
        LightSettings {
            environment_strength: self.environment_strength,
            environment_turn_radians: self.environment_turn.to_radians(),
            key_light: match self.key_light {
                KeyLight::Auto => Choice::Auto,
                KeyLight::On => Choice::On,
                KeyLight::Off => Choice::Off,
            },
            shadows: !self.no_shadows,
            exposure_stops: self.exposure,
            tone: match self.tone {
                Tone::Neutral => ToneCurve::Neutral,
                Tone::Aces => ToneCurve::Aces,
                Tone::Agx => ToneCurve::Agx,
                Tone::None => ToneCurve::None,
            },
            transparency: match self.transparency {
                TransparencyKind::Sorted => Transparency::Sorted,
                TransparencyKind::Weighted => Transparency::Weighted,
            },
            quality: match self.quality {
                Some(QualityChoice::Low) => Quality::Low,
                Some(QualityChoice::Full) | None => Quality::Full,
            },
        }
        .clamped()
    }

    /// The surroundings that are asked for; none for the studio.
    pub fn panorama(&self) -> anyhow::Result<Option<Panorama>> {
        self.environment.as_deref().map(read_panorama).transpose()
    }
}
