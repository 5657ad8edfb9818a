//! What panels read of saving.

use crate::ui::SavingSettings;

/// What of saving is before the user.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SavingView<'a> {
    /// Whether the dialog is open.
    pub is_open: bool,
    /// How it will be saved.
    pub settings: SavingSettings,
    /// How many frames that will be, or moments with keys.
    pub frames: u32,
    /// How long what plays lasts before it begins again or stops, in seconds; 0 where no clip has a length.
    pub play_secs: f64,
    /// Which clips do not end with what is saved again and again, in words; empty if all do.
    pub seam: &'a str,
    /// What a clip with the pose, or with what plays, will be called.
    pub clip_name: &'a str,
    /// Whether a clip of the model's own file is called so.
    pub is_name_taken: bool,
    /// Why nothing plays that could be saved; none if something does.
    pub unplayed: Option<&'static str>,
    /// Whether what plays has the keys of one clip, so that these are saved.
    pub keeps_keys: bool,
    /// Whether those of its root are others: it is kept in place, and turns, or hangs from what moves.
    pub samples_root: bool,
    /// What the file will be called.
    pub file_name: &'a str,
    /// Where it will be.
    pub folder: &'a str,
    /// What it will show, in words.
    pub what: &'a str,
    /// Why nothing can be saved there; empty if nothing is known to be wrong.
    pub fault: &'a str,
    /// Whether the system is known to have no dialog to choose a file.
    pub has_no_chooser: bool,
    /// Files that would be replaced, until the user says whether they may.
    pub clash: Option<&'a Clash>,
    /// Whether something is compared with the model.
    pub compares: bool,
    /// What is being saved: its name, frames done, and all frames; none where nobody counts them.
    pub job: Option<(&'a str, u32, u32)>,
}

impl SavingView<'_> {
    /// Whether something is being saved that can be stopped: where nobody counts frames, not between them.
    pub fn can_stop(&self) -> bool {
        self.job.is_some_and(|(.., all)| all > 0)
    }
}

/// Files that saving would replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// How many.
    pub count: usize,
    /// The name of the first.
    pub first: String,
    /// Whether it is the file of the model that is shown.
    pub is_model: bool,
}
