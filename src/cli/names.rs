//! What is named on the command line: the values of options that have but a few.

use clap::{ValueEnum, builder::PossibleValue};

use crate::{
    anim::Skinning,
    output::Kind,
    scene::{
        Choice, FormChoice, Quality, SplitWay, ToneCurve, Transparency, ViewMode, WeightColors,
    },
};

/// Types that list their values, each of which says its name.
macro_rules! named_as_they_are {
    ($($named:ty),*) => {$(
        impl ValueEnum for $named {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.name()))
            }
        }
    )*};
}

named_as_they_are!(FormChoice, Skinning, SplitWay, ViewMode, WeightColors);

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.name());
        Some(match self {
            Self::Jpeg => value.alias("jpeg"),
            _ => value,
        })
    }
}

impl ValueEnum for Choice {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.key()).help(match self {
            Self::Auto => "As the model asks",
            Self::On => "On",
            Self::Off => "Off",
        }))
    }
}

impl ValueEnum for ToneCurve {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.key()).help(self.explanation()))
    }
}

impl ValueEnum for Transparency {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.key()).help(self.explanation()))
    }
}

impl ValueEnum for Quality {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.key()).help(match self {
            Self::Full => "Everything",
            Self::Low => "What software draws quickly",
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_found() {
        assert_eq!(Kind::from_str("JPEG", true), Ok(Kind::Jpeg));
        assert_eq!(ToneCurve::from_str("agx", false), Ok(ToneCurve::Agx));
        let view = ViewMode::from_str("geometric-normal", false);
        assert_eq!(view, Ok(ViewMode::GeometricNormal));
        assert!(Skinning::from_str("cubic", false).is_err());
    }
}
