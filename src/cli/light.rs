//! How pictures are lit: arguments that the viewer and `rigscope render` share.

use std::{ops::RangeInclusive, path::PathBuf};

use clap::Args;

use crate::{
    import::{Progress, read_panorama},
    model::Panorama,
    scene::{Choice, LightOverrides, LightSettings, Quality, ToneCurve, Transparency},
};

/// What shines, and how light becomes colours. What is not said is as it was set in the viewer, and else as in
/// [`LightSettings::default`].
#[derive(Debug, Clone, Args)]
pub struct LightArguments {
    /// The environment: an equirectangular .hdr or .exr picture instead of the built-in studio
    #[arg(long, value_name = "FILE")]
    pub environment: Option<PathBuf>,
    /// How far the environment is turned, from +Z towards +X
    #[arg(long, value_name = "DEGREES", value_parser = parse_number, allow_negative_numbers = true)]
    pub environment_turn: Option<f32>,
    /// Factor on the light of the environment, from 0 to 16
    #[arg(long, value_name = "FACTOR", value_parser = parse_strength, allow_negative_numbers = true)]
    pub environment_strength: Option<f32>,
    /// Whether the key light shines: by itself in the studio, on models that bring no lights along
    #[arg(long, value_name = "auto|on|off")]
    pub key_light: Option<Choice>,
    /// No shadows
    #[arg(long)]
    pub no_shadows: bool,
    /// The lights of the file as bright as it states them: by themselves those that would leave all white are dimmed
    #[arg(long)]
    pub lights_as_stated: bool,
    /// Brighter or darker, in powers of two, from -10 to 10
    #[arg(long, value_name = "STOPS", value_parser = parse_exposure, allow_negative_numbers = true)]
    pub exposure: Option<f32>,
    /// How light becomes colours; by itself neutral
    #[arg(long, value_name = "neutral|aces|agx|none")]
    pub tone: Option<ToneCurve>,
    /// How blended surfaces meet: far ones first, as by itself, or all together, weighted by their distance and in no order
    #[arg(long, value_name = "sorted|weighted")]
    pub transparency: Option<Transparency>,
    /// What pictures may cost: low has no shadows and rough reflections; by itself full, and low in windows without a
    /// graphics adapter
    #[arg(long, value_name = "full|low")]
    pub quality: Option<Quality>,
}

fn parse_number(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok();
    number
        .filter(|number| number.is_finite())
        .ok_or_else(|| "a number is needed, like -0.5".to_owned())
}

fn parse_within(text: &str, range: &RangeInclusive<f32>) -> Result<f32, String> {
    let number = parse_number(text).ok().filter(|it| range.contains(it));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("a number from {least} to {most} is needed")
    })
}

fn parse_strength(text: &str) -> Result<f32, String> {
    parse_within(text, &LightSettings::ENVIRONMENT_STRENGTHS)
}

fn parse_exposure(text: &str) -> Result<f32, String> {
    parse_within(text, &LightSettings::EXPOSURES)
}

impl LightArguments {
    /// The first option that is given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let options = [
            ("--environment", self.environment.is_some()),
            ("--environment-turn", self.environment_turn.is_some()),
            (
                "--environment-strength",
                self.environment_strength.is_some(),
            ),
            ("--key-light", self.key_light.is_some()),
            ("--no-shadows", self.no_shadows),
            ("--lights-as-stated", self.lights_as_stated),
            ("--exposure", self.exposure.is_some()),
            ("--tone", self.tone.is_some()),
            ("--transparency", self.transparency.is_some()),
            ("--quality", self.quality.is_some()),
        ];
        let given = options.into_iter().find(|(_, is_given)| *is_given);
        given.map(|(option, _)| option)
    }

    /// What keeps shadows away.
    pub(super) fn without_shadows(&self) -> Option<&'static str> {
        if self.no_shadows {
            return Some("--no-shadows");
        }
        (self.quality == Some(Quality::Low)).then_some("--quality low")
    }

    /// As the scene has them, where nothing was set before.
    pub fn settings(&self) -> LightSettings {
        self.overrides().over(LightSettings::default())
    }

    /// What is asked for.
    pub fn overrides(&self) -> LightOverrides {
        LightOverrides {
            environment_strength: self.environment_strength,
            environment_turn_radians: self.environment_turn.map(f32::to_radians),
            key_light: self.key_light,
            shadows: self.no_shadows.then_some(false),
            dims_lights: self.lights_as_stated.then_some(false),
            exposure_stops: self.exposure,
            tone: self.tone,
            transparency: self.transparency,
            quality: self.quality,
        }
    }

    /// The environment that is asked for; none for the studio.
    pub fn panorama(&self) -> anyhow::Result<Option<Panorama>> {
        let path = self.environment.as_deref();
        path.map(|path| read_panorama(path, &Progress::default()))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_not_taken_for_the_usual_one() {
        assert_eq!(parse_number("-2.5"), Ok(-2.5));
        assert_eq!(parse_strength("0"), Ok(0.0));
        for text in ["nan", "inf", "1e99", "", "bright"] {
            assert!(parse_number(text).is_err() && parse_strength(text).is_err());
        }
        assert!(parse_strength("-1").is_err());
        // Not changed without a word, either.
        assert!(parse_strength("16.1").is_err() && parse_exposure("11").is_err());
        assert_eq!(parse_exposure("-10"), Ok(-10.0));
    }
}
