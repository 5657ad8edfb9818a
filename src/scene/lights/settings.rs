//! Light: what the user sets, and the key light of the studio.

use std::{f32::consts::TAU, ops::RangeInclusive};

use glam::{Quat, Vec3};

use super::placed::PlacedLight;
use crate::model::{Keyed, LightKind};

/// Towards the key light.
pub(super) const KEY_DIRECTION: Vec3 = Vec3::new(0.45, 0.74, 0.50);
/// Its illuminance. With the studio it lights a white surface that faces it to about 1.
const KEY_ILLUMINANCE: Vec3 = Vec3::new(2.25, 2.16, 2.02);

/// How a picture is lit and how light becomes colours: what the user can set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LightSettings {
    /// Factor on the light of the environment.
    pub environment_strength: f32,
    /// How far the environment, and the key light with it, is turned about +Y: from +Z towards +X.
    pub environment_turn_radians: f32,
    /// Whether the key light shines.
    pub key_light: Choice,
    /// Whether it throws a shadow, on the model and on the ground.
    pub shadows: bool,
    /// Whether the lights of files that would leave all white are dimmed.
    pub dims_lights: bool,
    /// Powers of two that light is multiplied by.
    pub exposure_stops: f32,
    /// How light becomes colours.
    pub tone: ToneCurve,
    /// How blended surfaces meet.
    pub transparency: Transparency,
    /// What it may cost.
    pub quality: Quality,
}

impl Default for LightSettings {
    fn default() -> Self {
        Self {
            environment_strength: 1.0,
            environment_turn_radians: 0.0,
            key_light: Choice::Auto,
            shadows: true,
            dims_lights: true,
            exposure_stops: 0.0,
            tone: ToneCurve::Neutral,
            transparency: Transparency::Sorted,
            quality: Quality::Full,
        }
    }
}

impl LightSettings {
    /// What the light of the environment may be multiplied by.
    pub const ENVIRONMENT_STRENGTHS: RangeInclusive<f32> = 0.0..=16.0;
    /// What the exposure may be, in stops.
    pub const EXPOSURES: RangeInclusive<f32> = -10.0..=10.0;

    /// Whether the key light throws a shadow where it shines.
    pub fn has_shadows(&self) -> bool {
        self.shadows && self.quality != Quality::Low
    }

    /// These settings with every number in its range.
    pub fn clamped(self) -> Self {
        let number = |value: f32, range: RangeInclusive<f32>, default: f32| {
            if value.is_finite() {
                value.clamp(*range.start(), *range.end())
            } else {
                default
            }
        };
        Self {
            environment_strength: number(
                self.environment_strength,
                Self::ENVIRONMENT_STRENGTHS,
                1.0,
            ),
            environment_turn_radians: number(self.environment_turn_radians, -1e3..=1e3, 0.0)
                .rem_euclid(TAU),
            exposure_stops: number(self.exposure_stops, Self::EXPOSURES, 0.0),
            ..self
        }
    }

    /// The key light, if it shines. By itself it does so in the studio alone, and only on models without lights of their own.
    pub fn key(&self, in_studio: bool, model_has_lights: bool) -> Option<PlacedLight> {
        let shines = match self.key_light {
            Choice::Auto => in_studio && !model_has_lights,
            Choice::On => true,
            Choice::Off => false,
        };
        let toward = Quat::from_rotation_y(self.environment_turn_radians) * KEY_DIRECTION;
        shines.then(|| PlacedLight {
            index: None,
            kind: LightKind::Directional,
            position: Vec3::ZERO,
            backward: toward.normalize(),
            intensity: KEY_ILLUMINANCE,
            range: None,
        })
    }
}

/// What is asked of [`LightSettings`] for once; none is as it was set before.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(missing_docs, reason = "each is what it is in `LightSettings`")]
pub struct LightOverrides {
    pub environment_strength: Option<f32>,
    pub environment_turn_radians: Option<f32>,
    pub key_light: Option<Choice>,
    pub shadows: Option<bool>,
    pub dims_lights: Option<bool>,
    pub exposure_stops: Option<f32>,
    pub tone: Option<ToneCurve>,
    pub transparency: Option<Transparency>,
    pub quality: Option<Quality>,
}

impl LightOverrides {
    /// What is asked for, and else what is set, every number in its range.
    pub fn over(&self, set: LightSettings) -> LightSettings {
        LightSettings {
            environment_strength: self
                .environment_strength
                .unwrap_or(set.environment_strength),
            environment_turn_radians: self
                .environment_turn_radians
                .unwrap_or(set.environment_turn_radians),
            key_light: self.key_light.unwrap_or(set.key_light),
            shadows: self.shadows.unwrap_or(set.shadows),
            dims_lights: self.dims_lights.unwrap_or(set.dims_lights),
            exposure_stops: self.exposure_stops.unwrap_or(set.exposure_stops),
            tone: self.tone.unwrap_or(set.tone),
            transparency: self.transparency.unwrap_or(set.transparency),
            quality: self.quality.unwrap_or(set.quality),
        }
        .clamped()
    }
}

/// What the window shows behind the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Backdrop {
    /// What suits the theme.
    Theme,
    /// One colour (sRGB, 0..1).
    Plain([f32; 3]),
    /// The environment.
    Environment {
        /// 0 sharp … 1 as a matt surface sees them.
        blur: f32,
    },
}

impl Backdrop {
    /// This backdrop with every number in its range.
    pub fn clamped(self) -> Self {
        let part = |value: f32| if value > 0.0 { value.min(1.0) } else { 0.0 };
        match self {
            Self::Theme => Self::Theme,
            Self::Plain(color) => Self::Plain(color.map(part)),
            Self::Environment { blur } => Self::Environment { blur: part(blur) },
        }
    }
}

/// Something that is on, off, or as the model asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// As the model asks.
    Auto,
    /// On.
    On,
    /// Off.
    Off,
}

impl Keyed for Choice {
    const ALL: &'static [Self] = &[Self::Auto, Self::On, Self::Off];

    fn key(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// How light becomes colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToneCurve {
    /// Khronos PBR Neutral: colours stay as materials have them, highlights turn white.
    Neutral,
    /// The Academy's curve, as a film would show it.
    Aces,
    /// `AgX`: soft contrast, colours fade in bright light.
    Agx,
    /// None: what is brighter than white is cut off.
    None,
}

impl Keyed for ToneCurve {
    const ALL: &'static [Self] = &[Self::Neutral, Self::Aces, Self::Agx, Self::None];

    fn key(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Aces => "aces",
            Self::Agx => "agx",
            Self::None => "none",
        }
    }
}

impl ToneCurve {
    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::Neutral => "Neutral",
            Self::Aces => "ACES",
            Self::Agx => "AgX",
            Self::None => "None",
        }
    }

    /// What it does, in words.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Neutral => "Khronos PBR Neutral: colours stay as materials have them",
            Self::Aces => "As a film would show it: strong contrast",
            Self::Agx => "Soft contrast; bright colours fade",
            Self::None => "Light as it is; what is too bright is cut off",
        }
    }
}

/// How surfaces meet that blend with what is behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transparency {
    /// Far ones first, by the middles of their primitives: exact where that order is right.
    Sorted,
    /// All together, nearer ones with more weight: never quite exact, but the same from every side, also where surfaces cross
    /// (M. `McGuire` and L. Bavoil, "Weighted Blended Order-Independent Transparency", 2013).
    Weighted,
}

impl Keyed for Transparency {
    const ALL: &'static [Self] = &[Self::Sorted, Self::Weighted];

    fn key(self) -> &'static str {
        match self {
            Self::Sorted => "sorted",
            Self::Weighted => "weighted",
        }
    }
}

impl Transparency {
    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::Sorted => "Sorted",
            Self::Weighted => "Weighted",
        }
    }

    /// What it does, in words.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Sorted => {
                "Far surfaces first, primitive by primitive: exact where these do not cross"
            }
            Self::Weighted => {
                "In no order: nothing pops where surfaces cross, but colours are near misses"
            }
        }
    }
}

/// What a picture may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Quality {
    /// No shadows, and rough reflections: for machines without a graphics adapter.
    Low,
    /// Everything.
    #[default]
    Full,
}

impl Keyed for Quality {
    const ALL: &'static [Self] = &[Self::Full, Self::Low];

    fn key(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Full => "full",
        }
    }
}
