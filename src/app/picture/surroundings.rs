//! What surrounds the model: light, what lies behind it, and the ground.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use super::quality::QualityChooser;
use crate::{
    app::Session,
    model::{Aabb, Panorama},
    scene::{Backdrop, Background, Grid, LightSettings, ViewMode},
};

/// What surrounds the model in the picture, and how both are lit.
#[derive(Debug)]
pub(in crate::app) struct Surroundings {
    pub(in crate::app) light: LightSettings,
    pub(super) quality_chooser: QualityChooser,
    /// Whether the graphics adapter has drawn, or was asked for, and does not draw now.
    pub(in crate::app) misses_adapter: bool,
    pub(in crate::app) backdrop: Backdrop,
    pub(in crate::app) ground: Grid,
    /// With its file; none for the studio.
    environment: Option<(PathBuf, Panorama)>,
    environment_generation: u64,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            light: LightSettings::default(),
            quality_chooser: QualityChooser::default(),
            misses_adapter: false,
            backdrop: Backdrop::Theme,
            ground: Grid::for_bounds(&Aabb::EMPTY),
            environment: None,
            environment_generation: 0,
        }
    }
}

impl Surroundings {
    /// Puts the model into the environment of a file, or back into the studio.
    fn set_environment(&mut self, environment: Option<(PathBuf, Panorama)>) {
        self.environment = environment;
        self.environment_generation += 1;
    }

    /// Whether the studio is the environment.
    pub(in crate::app) fn is_studio(&self) -> bool {
        self.environment.is_none()
    }

    /// What the model is in; none for the studio.
    pub(in crate::app) fn environment(&self) -> Option<&Panorama> {
        self.environment.as_ref().map(|(_, panorama)| panorama)
    }

    /// The file of the environment.
    pub(in crate::app) fn environment_path(&self) -> Option<&Path> {
        let environment = self.environment.as_ref();
        environment.map(|(path, _)| path.as_path())
    }

    /// The name of that file.
    pub(in crate::app) fn environment_name(&self) -> Option<Cow<'_, str>> {
        let name = self.environment_path()?.file_name();
        name.map(|name| name.to_string_lossy())
    }

    /// Changes whenever the environment does, so that the window knows when to prefilter it; 0 is the studio that renderers
    /// begin with.
    pub(in crate::app) fn environment_generation(&self) -> u64 {
        self.environment_generation
    }

    /// Sets how the model is lit. Another quality is the user's choice.
    fn set_light(&mut self, light: LightSettings) {
        if light.quality != self.light.quality {
            self.settle_quality();
        }
        self.light = light.clamped();
    }

    /// What fills the space behind everything.
    fn background(&self, is_dark: bool, view_mode: ViewMode) -> Background {
        let of_theme = if is_dark {
            Background::DARK
        } else {
            Background::LIGHT
        };
        match self.backdrop {
            Backdrop::Theme => of_theme,
            Backdrop::Plain(color) => Background::Plain(color),
            // Views for inspection draw no environment.
            Backdrop::Environment { .. } if view_mode != ViewMode::Lit => of_theme,
            Backdrop::Environment { blur } => Background::Environment { blur },
        }
    }
}

impl Session {
    /// Puts the model into the environment of a file, or back into the studio.
    pub fn set_environment(&mut self, environment: Option<(PathBuf, Panorama)>) {
        self.surroundings.set_environment(environment);
    }

    /// Sets how the model is lit.
    pub fn set_light(&mut self, light: LightSettings) {
        self.surroundings.set_light(light);
    }

    /// Lays the ground under the pose.
    pub(in crate::app) fn lay_ground(&mut self) {
        self.surroundings.ground = Grid::for_bounds(&self.actor.bounds());
    }

    /// What fills the space behind everything.
    pub(in crate::app) fn background(&self) -> Background {
        let shown = &self.shown;
        self.surroundings.background(shown.dark, shown.view_mode)
    }
}
