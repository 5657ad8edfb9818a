//! How the user has lit the session's model.

use std::{borrow::Cow, path::PathBuf};

use crate::{
    app::Session,
    model::Panorama,
    scene::{Backdrop, Background, LightSettings, ViewMode},
};

impl Session {
    /// Puts the model into the environment of a file, or back into the studio.
    pub fn set_environment(&mut self, environment: Option<(PathBuf, Panorama)>) {
        self.environment = environment;
        self.environment_generation += 1;
    }

    /// What surrounds the model; none for the studio.
    pub fn environment(&self) -> Option<&Panorama> {
        self.environment.as_ref().map(|(_, panorama)| panorama)
    }

    /// The name of the file that surrounds the model.
    pub fn environment_name(&self) -> Option<Cow<'_, str>> {
        let (path, _) = self.environment.as_ref()?;
        path.file_name().map(|name| name.to_string_lossy())
    }

    /// Changes whenever the environment does; 0 is the studio that renderers begin with.
    pub fn environment_generation(&self) -> u64 {
        self.environment_generation
    }

    /// Sets how the model is lit.
    pub fn set_light(&mut self, light: LightSettings) {
        if light.quality != self.light.quality {
            self.settle_quality();
        }
        self.light = light.clamped();
    }

    /// What fills the space behind everything.
    pub(in crate::app) fn background(&self) -> Background {
        let of_theme = if self.shown.dark {
            Background::DARK
        } else {
            Background::LIGHT
        };
        match self.backdrop {
            Backdrop::Theme => of_theme,
            Backdrop::Plain(color) => Background::Plain(color),
            // Views for inspection draw no environment.
            Backdrop::Environment { .. } if self.shown.view_mode != ViewMode::Lit => of_theme,
            Backdrop::Environment { blur } => Background::Environment { blur },
        }
    }
}
