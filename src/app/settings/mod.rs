//! What the viewer remembers from one time to the next: how it looks, and which files were opened. Headless commands never
//! read it.

mod asked;
mod desk;
mod file;
mod merge;
#[cfg(test)]
mod tests;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use self::desk::DeskRecord;
pub(super) use self::file::SettingsFile;
use super::{Session, window::Viewer};
use crate::{
    model::Keyed as _,
    scene::{
        Backdrop, Choice, LightSettings, Quality, SurfaceLines, ToneCurve, Transparency,
        WeightColors,
    },
    ui::{Command, MotionCommand, PanelMemory},
};

/// What is remembered. What a file does not say is as it is without one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    dark: bool,
    ui_scale: f32,
    /// In points, while it is not as large as the screen.
    window_size: [f32; 2],
    window_is_maximized: bool,
    scene_panel: bool,
    inspector_panel: bool,
    /// Of the left and of the right one, in points.
    panel_widths: [f32; 2],
    desk: DeskRecord,
    grid: bool,
    wires: bool,
    normals: bool,
    weight_colors: String,
    fade_secs: f64,
    light: LightRecord,
    backdrop: BackdropRecord,
    recent: Vec<PathBuf>,
}

/// [`LightSettings`], as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct LightRecord {
    environment_strength: f32,
    environment_turn_degrees: f32,
    key_light: String,
    shadows: bool,
    dims_lights: bool,
    exposure_stops: f32,
    tone: String,
    transparency: String,
    /// Also `auto`: as the machine can.
    quality: String,
}

/// [`Backdrop`], as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum BackdropRecord {
    Theme,
    Plain([f32; 3]),
    Environment { blur: f32 },
}

impl Default for Settings {
    fn default() -> Self {
        let session = Session::new(Default::default(), None, Duration::ZERO);
        let window = WindowState {
            ui_scale: 1.0,
            size: [1280.0, 800.0],
            is_maximized: false,
            panels: crate::ui::UiState::default().memory(),
        };
        Self::of(&session, window)
    }
}

impl Default for LightRecord {
    fn default() -> Self {
        Self::of(LightSettings::default(), false)
    }
}

/// What of the window is remembered.
#[derive(Debug, Clone)]
pub(super) struct WindowState {
    pub(super) ui_scale: f32,
    pub(super) size: [f32; 2],
    pub(super) is_maximized: bool,
    pub(super) panels: PanelMemory,
}

impl Settings {
    /// What is in force now.
    pub(super) fn of(session: &Session, window: WindowState) -> Self {
        let shown = &session.shown;
        Self {
            dark: shown.dark,
            ui_scale: window.ui_scale,
            window_size: window.size,
            window_is_maximized: window.is_maximized,
            scene_panel: shown.scene_panel,
            inspector_panel: shown.inspector_panel,
            panel_widths: window.panels.widths,
            desk: DeskRecord::of(session, &window.panels),
            grid: shown.grid,
            wires: shown.lines.wires,
            normals: shown.lines.normals,
            weight_colors: shown.weight_colors.key().to_owned(),
            fade_secs: session.motion.fade_secs,
            light: LightRecord::of(
                session.surroundings.light,
                session.surroundings.is_quality_settled(),
            ),
            backdrop: match session.surroundings.backdrop {
                Backdrop::Theme => BackdropRecord::Theme,
                Backdrop::Plain(color) => BackdropRecord::Plain(color),
                // The file of an environment is not opened again, and the studio is not what was looked at.
                Backdrop::Environment { .. } if session.surroundings.environment().is_some() => {
                    BackdropRecord::Theme
                }
                Backdrop::Environment { blur } => BackdropRecord::Environment { blur },
            },
            // Other names cannot be written as text.
            recent: session
                .recent()
                .filter(|path| path.to_str().is_some())
                .map(Path::to_owned)
                .collect(),
        }
    }

    /// A size that a window may begin with, in points.
    pub(super) fn window_size(&self) -> [f64; 2] {
        let in_range = |side: f32, least: f32| {
            if side.is_finite() {
                side.clamp(least, 16_384.0)
            } else {
                least
            }
        };
        [
            in_range(self.window_size[0], 320.0).into(),
            in_range(self.window_size[1], 200.0).into(),
        ]
    }

    /// Whether a window begins as large as the screen.
    pub(super) fn window_is_maximized(&self) -> bool {
        self.window_is_maximized
    }

    /// A scale of the interface that can be read.
    pub(super) fn ui_scale(&self) -> f32 {
        if self.ui_scale.is_finite() {
            self.ui_scale.clamp(0.5, 4.0)
        } else {
            1.0
        }
    }

    /// How the panels were left.
    pub(super) fn panels(&self) -> PanelMemory {
        self.desk.panels(self.panel_widths)
    }

    /// Puts it in force, with every number in its range.
    pub(super) fn apply(&self, session: &mut Session) {
        self.desk.apply(session);
        let shown = &mut session.shown;
        shown.dark = self.dark;
        shown.scene_panel = self.scene_panel;
        shown.inspector_panel = self.inspector_panel;
        shown.grid = self.grid;
        shown.lines = SurfaceLines {
            wires: self.wires,
            normals: self.normals,
        };
        if let Some(colors) = WeightColors::from_key(&self.weight_colors) {
            shown.weight_colors = colors;
        }
        session.apply(Command::Motion(MotionCommand::SetFade(self.fade_secs)));
        session.set_light(self.light.settings());
        if self.light.is_quality_settled() {
            session.surroundings.settle_quality();
        }
        session.surroundings.backdrop = match self.backdrop {
            BackdropRecord::Theme => Backdrop::Theme,
            BackdropRecord::Plain(color) => Backdrop::Plain(color),
            BackdropRecord::Environment { blur } => Backdrop::Environment { blur },
        }
        .clamped();
        for path in self.recent.iter().rev() {
            session.add_recent(path);
        }
    }
}

impl LightRecord {
    fn of(light: LightSettings, is_quality_settled: bool) -> Self {
        Self {
            environment_strength: light.environment_strength,
            environment_turn_degrees: light.environment_turn_radians.to_degrees(),
            key_light: light.key_light.key().to_owned(),
            shadows: light.shadows,
            dims_lights: light.dims_lights,
            exposure_stops: light.exposure_stops,
            tone: light.tone.key().to_owned(),
            transparency: light.transparency.key().to_owned(),
            quality: if is_quality_settled {
                light.quality.key().to_owned()
            } else {
                "auto".to_owned()
            },
        }
    }

    fn is_quality_settled(&self) -> bool {
        Quality::from_key(&self.quality).is_some()
    }

    fn settings(&self) -> LightSettings {
        let default = LightSettings::default();
        // Once the labels of menus were written here: they differ in capital letters.
        LightSettings {
            environment_strength: self.environment_strength,
            environment_turn_radians: self.environment_turn_degrees.to_radians(),
            key_light: Choice::from_key(&self.key_light).unwrap_or(default.key_light),
            shadows: self.shadows,
            dims_lights: self.dims_lights,
            exposure_stops: self.exposure_stops,
            tone: ToneCurve::from_key(&self.tone).unwrap_or(default.tone),
            transparency: Transparency::from_key(&self.transparency)
                .unwrap_or(default.transparency),
            quality: Quality::from_key(&self.quality).unwrap_or_default(),
        }
        .clamped()
    }
}

impl Viewer {
    /// Writes what has changed, if it is time to look for that, or the last moment to.
    pub(super) fn keep_settings(&mut self, is_last: bool) {
        if !self.settings.is_due(Instant::now()) && !is_last {
            return;
        }
        let Some(stage) = &self.stage else { return };
        let scale = stage.scale_factor.max(0.1) as f32;
        let window = WindowState {
            ui_scale: stage.painter.context().zoom_factor(),
            size: stage.size.map(|side| side as f32 / scale),
            is_maximized: stage.window.is_maximized(),
            panels: self.ui_state.memory(),
        };
        self.settings
            .keep_unasked(Settings::of(&self.session, window));
    }
}
