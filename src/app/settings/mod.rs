//! What the viewer remembers from one time to the next: how it looks, and which files were opened. Headless commands never
//! read it.

mod asked;
mod desk;
mod merge;
#[cfg(test)]
mod tests;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use etcetera::BaseStrategy as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::{asked::AskedLight, desk::DeskRecord};
use super::{Session, window::Viewer};
use crate::{
    scene::{Backdrop, Choice, LightSettings, Quality, ToneCurve, Transparency, WeightColors},
    ui::{Command, MotionCommand, PanelMemory},
};

/// Names the folder of the settings, in place of the system's.
const FOLDER_VARIABLE: &str = "RIGSCOPE_CONFIG_DIR";
/// What is changed is not written more often than this.
const PAUSE: Duration = Duration::from_secs(2);
/// Longer files are none of ours.
const LARGEST_FILE: u64 = 1 << 20;

/// What is remembered. What a file does not say is as it is without one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    dark: bool,
    ui_scale: f32,
    /// In points.
    window_size: [f32; 2],
    scene_panel: bool,
    inspector_panel: bool,
    /// Of the left and of the right one, in points.
    panel_widths: [f32; 2],
    desk: DeskRecord,
    grid: bool,
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
    Surroundings { blur: f32 },
}

impl Default for Settings {
    fn default() -> Self {
        let session = Session::new(Default::default(), None, Duration::ZERO);
        let window = WindowState {
            ui_scale: 1.0,
            size: [1280.0, 800.0],
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
            scene_panel: shown.scene_panel,
            inspector_panel: shown.inspector_panel,
            panel_widths: window.panels.widths,
            desk: DeskRecord::of(session, &window.panels),
            grid: shown.grid,
            weight_colors: shown.weight_colors.name().to_owned(),
            fade_secs: session.motion.fade_secs,
            light: LightRecord::of(session.light, session.is_quality_settled()),
            backdrop: match session.backdrop {
                Backdrop::Theme => BackdropRecord::Theme,
                Backdrop::Plain(color) => BackdropRecord::Plain(color),
                Backdrop::Surroundings { blur } => BackdropRecord::Surroundings { blur },
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
        let colors = [WeightColors::Heat, WeightColors::Viridis];
        let mut colors = colors.into_iter();
        if let Some(colors) = colors.find(|colors| colors.name() == self.weight_colors) {
            shown.weight_colors = colors;
        }
        session.apply(Command::Motion(MotionCommand::SetFade(self.fade_secs)));
        session.set_light(self.light.settings());
        if self.light.is_quality_settled() {
            session.settle_quality();
        }
        session.backdrop = match self.backdrop {
            BackdropRecord::Theme => Backdrop::Theme,
            BackdropRecord::Plain(color) => Backdrop::Plain(color),
            BackdropRecord::Surroundings { blur } => Backdrop::Surroundings { blur },
        }
        .clamped();
        for path in self.recent.iter().rev() {
            session.add_recent(path);
        }
    }
}

const CHOICES: [(Choice, &str); 3] = [
    (Choice::Auto, "auto"),
    (Choice::On, "on"),
    (Choice::Off, "off"),
];

impl LightRecord {
    fn of(light: LightSettings, is_quality_settled: bool) -> Self {
        let mut choices = CHOICES.into_iter();
        let choice = choices.find(|(choice, _)| *choice == light.key_light);
        Self {
            environment_strength: light.environment_strength,
            environment_turn_degrees: light.environment_turn_radians.to_degrees(),
            key_light: choice.map_or("auto", |(_, name)| name).to_owned(),
            shadows: light.shadows,
            exposure_stops: light.exposure_stops,
            tone: light.tone.name().to_owned(),
            transparency: light.transparency.name().to_owned(),
            quality: match light.quality {
                _ if !is_quality_settled => "auto".to_owned(),
                Quality::Full => "full".to_owned(),
                Quality::Low => "low".to_owned(),
            },
        }
    }

    fn is_quality_settled(&self) -> bool {
        ["full", "low"].contains(&&*self.quality)
    }

    fn settings(&self) -> LightSettings {
        let default = LightSettings::default();
        let mut choices = CHOICES.into_iter();
        let choice = choices.find(|(_, name)| *name == self.key_light);
        let mut tones = ToneCurve::ALL.into_iter();
        let tone = tones.find(|tone| tone.name() == self.tone);
        let mut kinds = Transparency::ALL.into_iter();
        let kind = kinds.find(|kind| kind.name() == self.transparency);
        LightSettings {
            environment_strength: self.environment_strength,
            environment_turn_radians: self.environment_turn_degrees.to_radians(),
            key_light: choice.map_or(default.key_light, |(choice, _)| choice),
            shadows: self.shadows,
            exposure_stops: self.exposure_stops,
            tone: tone.unwrap_or(default.tone),
            transparency: kind.unwrap_or(default.transparency),
            quality: if self.quality == "low" {
                Quality::Low
            } else {
                Quality::Full
            },
        }
        .clamped()
    }
}

impl Viewer {
    /// Writes what has changed, if it is time to look for that, or the last moment to.
    pub(super) fn keep_settings(&mut self, is_last: bool) {
        let Some(stage) = &self.stage else { return };
        if is_last || self.settings.is_due(Instant::now()) {
            let scale = stage.scale_factor.max(0.1) as f32;
            let window = WindowState {
                ui_scale: stage.painter.context().zoom_factor(),
                size: stage.size.map(|side| side as f32 / scale),
                panels: self.ui_state.memory(),
            };
            let mut now = Settings::of(&self.session, window);
            // What one start asked for by options is not what the user settled on.
            now.light = self.settings.asked_light.written(now.light);
            self.settings.keep(now);
        }
    }
}

/// The file of the settings, and what is known to be in it.
#[derive(Debug)]
pub(super) struct SettingsFile {
    /// None where the system has no place for it.
    path: Option<PathBuf>,
    written: Settings,
    /// What could not be written last.
    failed: Option<Settings>,
    looked_at: Option<Instant>,
    asked_light: AskedLight,
}

impl SettingsFile {
    /// Says that the command line asked for the light that there is now.
    pub(super) fn set_asked(&mut self, session: &Session) {
        let now = LightRecord::of(session.light, session.is_quality_settled());
        self.asked_light = AskedLight::new(&self.written.light, &now);
    }

    /// Reads the file in the system's own place, or where the environment says.
    pub(super) fn open() -> (Self, Settings) {
        Self::open_in(folder())
    }

    /// A file that cannot be understood is put aside, and all is as it is without one.
    fn open_in(folder: Option<PathBuf>) -> (Self, Settings) {
        let path = folder.map(|folder| folder.join("settings.json"));
        let read = path.as_deref().map(read);
        let settings = match (read, &path) {
            (Some(Ok(settings)), _) => settings,
            (Some(Err(error)), Some(path)) if error.kind() == io::ErrorKind::InvalidData => {
                let aside = path.with_extension("broken.json");
                log::warn!("{} is put aside: {error}", path.display());
                if let Err(error) = fs::rename(path, aside) {
                    log::warn!("{} cannot be put aside: {error}", path.display());
                }
                Settings::default()
            }
            _ => Settings::default(),
        };
        let this = Self {
            path,
            written: settings.clone(),
            failed: None,
            looked_at: None,
            asked_light: AskedLight::default(),
        };
        (this, settings)
    }

    /// Whether it is time to look for changes.
    pub(super) fn is_due(&mut self, now: Instant) -> bool {
        let is_due = self.looked_at.is_none_or(|last| now - last >= PAUSE);
        if is_due {
            self.looked_at = Some(now);
        }
        is_due
    }

    /// Writes what has changed.
    pub(super) fn keep(&mut self, mut settings: Settings) {
        // A minimised window has none on some systems, and has its own again when it comes back.
        if settings.window_size.contains(&0.0) {
            settings.window_size = self.written.window_size;
        }
        if settings == self.written {
            return;
        }
        if let Some(path) = &self.path {
            // Another window may have written meanwhile.
            let found = read(path).unwrap_or_else(|_| self.written.clone());
            let merged = merge::merged(&self.written, &settings, found);
            if let Err(error) = write(path, &merged) {
                // It is tried again, and said once.
                if self.failed.as_ref() != Some(&settings) {
                    log::warn!("{} cannot be written: {error}", path.display());
                }
                self.failed = Some(settings);
                return;
            }
        }
        self.failed = None;
        self.written = settings;
    }
}

/// Where settings are kept: in the folder that the environment names, or in the system's own place.
fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        return (!folder.is_empty()).then(|| PathBuf::from(folder));
    }
    let strategy = etcetera::base_strategy::choose_native_strategy().ok()?;
    // On a Mac, preferences are for the system's own property lists.
    let folder = if cfg!(target_os = "macos") {
        strategy.data_dir()
    } else {
        strategy.config_dir()
    };
    Some(folder.join("rigscope"))
}

fn read(path: &Path) -> io::Result<Settings> {
    if fs::metadata(path)?.len() > LARGEST_FILE {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is far too long",
        ));
    }
    let text = fs::read(path)?;
    let no_settings = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    let read: Value = serde_json::from_slice(&text).map_err(|why| no_settings(why.to_string()))?;
    if !read.is_object() {
        return Err(no_settings("it holds no settings".to_owned()));
    }
    let mut known = serde_json::to_value(Settings::default())?;
    take_over(&mut known, "", read);
    Ok(serde_json::from_value(known)?)
}

/// Puts what was read into the settings that are known, entry by entry: one that is unknown, or cannot be understood, costs no
/// more than itself. `at` is a JSON pointer.
fn take_over(known: &mut Value, at: &str, read: Value) {
    match (known.pointer_mut(at), read) {
        (Some(Value::Object(_)), Value::Object(entries)) => {
            for (name, entry) in entries {
                take_over(known, &format!("{at}/{name}"), entry);
            }
        }
        (Some(entry), read) => {
            let before = std::mem::replace(entry, read);
            if let Err(error) = Settings::deserialize(&*known) {
                log::warn!("the setting {at} is not understood: {error}");
                if let Some(entry) = known.pointer_mut(at) {
                    *entry = before;
                }
            }
        }
        (None, _) => {}
    }
}

/// Writes beside the file and renames: whoever reads it finds the old one or the new one.
fn write(path: &Path, settings: &Settings) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    let text = serde_json::to_vec_pretty(settings)?;
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}
