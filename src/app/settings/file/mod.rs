//! The file of the settings: read once, written as they change, and never lost for what is wrong with it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use etcetera::BaseStrategy as _;
use serde::Deserialize as _;
use serde_json::Value;

use super::{LightRecord, Settings, asked::AskedLight, merge};
use crate::{app::Session, output::write_whole};

/// Names the folder of the settings, in place of the system's.
const FOLDER_VARIABLE: &str = "RIGSCOPE_CONFIG_DIR";
/// What is changed is not written more often than this.
pub(super) const PAUSE: Duration = Duration::from_secs(2);
/// Longer files are none of ours.
const LARGEST_FILE: u64 = 1 << 20;

/// The file of the settings, and what is known to be in it.
#[derive(Debug)]
pub(in crate::app) struct SettingsFile {
    /// None where the system has no place for it, or it must not be written.
    path: Option<PathBuf>,
    written: Settings,
    /// What could not be written last.
    failed: Option<Settings>,
    looked_at: Option<Instant>,
    /// Whether what may have changed since was not looked at.
    has_passed: bool,
    asked_light: AskedLight,
}

impl SettingsFile {
    /// Says that the command line asked for the light that there is now.
    pub(in crate::app) fn set_asked(&mut self, session: &Session) {
        let now = LightRecord::of(
            session.surroundings.light,
            session.surroundings.is_quality_settled(),
        );
        self.asked_light = AskedLight::new(&self.written.light, &now);
    }

    /// Reads the file in the system's own place, or where the environment says.
    pub(in crate::app) fn open() -> (Self, Settings) {
        Self::open_in(folder())
    }

    /// A file that cannot be understood is put aside, and all is as it is without one; one that cannot be read stays as it is.
    pub(super) fn open_in(folder: Option<PathBuf>) -> (Self, Settings) {
        let mut path = folder.map(|folder| folder.join("settings.json"));
        let mut settings = Settings::default();
        match path.as_deref().map(read_or_put_aside) {
            Some(Ok(Some(read))) => settings = read,
            Some(Ok(None)) | None => {}
            Some(Err(error)) => {
                log::warn!("no settings are read, and none will be written: {error:#}");
                path = None;
            }
        }
        let this = Self {
            path,
            written: settings.clone(),
            failed: None,
            looked_at: None,
            has_passed: false,
            asked_light: AskedLight::default(),
        };
        (this, settings)
    }

    /// Whether it is time to look for changes.
    pub(in crate::app) fn is_due(&mut self, now: Instant) -> bool {
        let is_due = self.looked_at.is_none_or(|last| now - last >= PAUSE);
        if is_due {
            self.looked_at = Some(now);
        }
        self.has_passed = !is_due;
        is_due
    }

    /// When to look for changes although nothing happens any more; none if all were looked at.
    pub(in crate::app) fn due_at(&self) -> Option<Instant> {
        let looked_at = self.looked_at.filter(|_| self.has_passed)?;
        Some(looked_at + PAUSE)
    }

    /// Writes what has changed, but for what one start asked for by options: the user has not settled on that.
    pub(super) fn keep_unasked(&mut self, mut settings: Settings) {
        settings.light = self.asked_light.written(settings.light);
        self.keep(settings);
    }

    /// Writes what has changed.
    pub(super) fn keep(&mut self, mut settings: Settings) {
        // A minimised window has none on some systems, and has its own again when it comes back.
        let is_minimized = settings.window_size.contains(&0.0);
        if is_minimized {
            settings.window_is_maximized = self.written.window_is_maximized;
        }
        if is_minimized || settings.window_is_maximized {
            settings.window_size = self.written.window_size;
        }
        if settings == self.written {
            return;
        }
        if let Some(path) = &self.path
            && let Err(error) = self.write_changes(path, &settings)
        {
            // It is tried again, and said once.
            if self.failed.as_ref() != Some(&settings) {
                log::warn!("settings are not written: {error:#}");
            }
            self.failed = Some(settings);
            return;
        }
        self.failed = None;
        self.written = settings;
    }

    fn write_changes(&self, path: &Path, settings: &Settings) -> anyhow::Result<()> {
        // Another window may have written meanwhile, or somebody by hand.
        let found = read_or_put_aside(path)?.unwrap_or_else(|| self.written.clone());
        let merged = merge::merged(&self.written, settings, found);
        write(path, &merged)
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

/// What a file holds; none if there is none, or one that cannot be understood, which is put aside. An error says that the file
/// may be a fine one, and is not to be replaced.
fn read_or_put_aside(path: &Path) -> anyhow::Result<Option<Settings>> {
    match read(path) {
        Ok(settings) => Ok(Some(settings)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            // A link stays: it is the file that is put aside.
            let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            log::warn!("{} is put aside: {error}", path.display());
            fs::rename(&path, path.with_extension("broken.json"))
                .with_context(|| format!("{} cannot be put aside", path.display()))?;
            Ok(None)
        }
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
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

/// Writes the file as a whole: whoever reads it finds the old one or the new one.
fn write(path: &Path, settings: &Settings) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        let made = fs::create_dir_all(folder);
        made.with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    write_whole(path, &serde_json::to_vec_pretty(settings)?)
}

#[cfg(test)]
mod tests;
