//! What is named on the command line: the values of options that have but a few.

use clap::{ValueEnum, builder::PossibleValue};

use crate::{
    anim::Skinning,
    model::Keyed,
    output::Kind,
    scene::{
        Choice, FormChoice, Quality, SplitWay, ToneCurve, Transparency, ViewMode, WeightColors,
    },
};

/// Options that take the keys of these types; some say more of each value.
macro_rules! keyed {
    ($($option:ty $(, $more:expr)?;)*) => {$(
        impl ValueEnum for $option {
            fn value_variants<'a>() -> &'a [Self] {
                <Self as Keyed>::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let value = PossibleValue::new(self.key());
                $(let value = $more(*self, value);)?
                Some(value)
            }
        }
    )*};
}

keyed! {
    FormChoice;
    Skinning;
    SplitWay;
    ViewMode;
    WeightColors;
    Kind, |kind, value: PossibleValue| match kind {
        Kind::Jpeg => value.alias("jpeg"),
        _ => value,
    };
    ToneCurve, |tone: ToneCurve, value: PossibleValue| value.help(tone.explanation());
    Transparency, |kind: Transparency, value: PossibleValue| value.help(kind.explanation());
    Choice, |choice, value: PossibleValue| value.help(match choice {
        Choice::Auto => "As the model asks",
        Choice::On => "On",
        Choice::Off => "Off",
    });
    Quality, |quality, value: PossibleValue| value.help(match quality {
        Quality::Full => "Everything",
        Quality::Low => "What software draws quickly",
    });
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
