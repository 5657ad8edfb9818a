//! What each command about saving does to the session.

use crate::{
    app::{Errand, Session},
    ui::{SavingCommand, SavingGroup, SavingSettings},
};

impl Session {
    /// Opens, closes and sets; all else is the window's.
    pub(in crate::app) fn apply_saving(&mut self, command: SavingCommand) -> Option<Errand> {
        let state = &mut self.saving;
        let mut errand = None;
        match command {
            SavingCommand::Toggle => self.toggle_saving(SavingGroup::Pictures),
            SavingCommand::TogglePose => self.toggle_saving(SavingGroup::Poses),
            SavingCommand::ToggleAnimation => self.toggle_saving(SavingGroup::Animations),
            SavingCommand::Close => state.is_open = false,
            SavingCommand::Set(settings) => {
                let (sides, rates) = (SavingSettings::SIDES, SavingSettings::RATES);
                let before = state.settings.kind;
                state.settings = SavingSettings {
                    size: settings
                        .size
                        .map(|side| side.clamp(*sides.start(), *sides.end())),
                    fps: if settings.fps.is_finite() {
                        settings.fps.clamp(*rates.start(), *rates.end())
                    } else {
                        state.settings.fps
                    },
                    ..settings
                };
                state.set_kind(settings.kind);
                state.place.forget_fault();
                if settings.kind != before {
                    self.rename_for_kind(before);
                }
            }
            SavingCommand::SetClipName(name) => {
                *state.clip_name_mut() = name;
                self.propose_unseen();
            }
            SavingCommand::SetFileName(name) => self.set_file_name(name),
            SavingCommand::SetFolder(folder) => self.set_saving_folder(folder),
            SavingCommand::Save => errand = self.checked_place().map(Errand::SaveAt),
            SavingCommand::Choose => errand = self.can_save_frames().then_some(Errand::Save),
            SavingCommand::Replace => errand = Some(Errand::ReplaceSaved),
            SavingCommand::Keep => errand = Some(Errand::KeepSaved),
            SavingCommand::Stop => errand = Some(Errand::StopSaving),
        }
        let state = &mut self.saving;
        if errand.is_some() {
            state.clash = None;
            // Who may not replace a file looks for another name.
            let stays = matches!(errand, Some(Errand::SaveAt(_) | Errand::KeepSaved));
            state.is_open &= stays;
        }
        errand
    }
}
