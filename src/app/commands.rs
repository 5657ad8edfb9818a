//! Where commands arrive: each goes to its folder.

use std::path::PathBuf;

use super::Session;
use crate::ui::{Command, Offer, WindowCommand};

/// What is left to the window once a session has done its part of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// What the interface asks of the window itself.
    Window(WindowCommand),
    /// Do what the message offered, which is put away.
    AcceptOffer,
    /// Find out which files of before are gone: their list was opened.
    LookForRecent,
    /// Ask where to save, and save.
    Save,
    /// Save to this file; its name may lack what says the kind.
    SaveAt(PathBuf),
    /// Save, and replace the files that are there.
    ReplaceSaved,
    /// Save nothing, and leave these files as they are.
    KeepSaved,
    /// Stop saving.
    StopSaving,
}

impl Session {
    /// Does what the panels ask for in a frame, but for another theme, and says whether they ask for that: they are painted in
    /// the old one, and so is the picture. Both change with the next frame.
    pub(super) fn apply_in_frame(&mut self, asked: Vec<Command>) -> (Vec<Errand>, bool) {
        let mut changes_theme = false;
        let errands = asked.into_iter().filter_map(|command| match command {
            Command::ToggleTheme => {
                changes_theme = !changes_theme;
                None
            }
            command => self.apply(command),
        });
        (errands.collect(), changes_theme)
    }

    /// Does what the user asks. What only the window can do is handed back.
    pub fn apply(&mut self, command: Command) -> Option<Errand> {
        self.note_dialogs();
        let step = self.begin_step(&command);
        let errand = self.act_on(command);
        self.end_step(step);
        errand
    }

    fn act_on(&mut self, command: Command) -> Option<Errand> {
        match command {
            Command::Playback(command) => self.apply_playback(command),
            Command::Timeline(command) => self.apply_timeline(command),
            Command::SelectClip(clip) => self.choose_clip(clip),
            Command::SelectScene(scene) => self.choose_scene(scene),
            Command::SelectVariant(variant) => self.variant.choose(variant, self.actor.model()),
            Command::SelectNode(node) => self.choose_node(node),
            Command::Nodes(command) => self.apply_nodes(command),
            Command::Inspect(command) => self.apply_inspect(command),
            Command::Skeleton(command) => self.apply_skeleton(command),
            Command::Compare(command) => self.apply_compare(command),
            Command::Posing(command) => self.apply_posing(command),
            Command::History(command) => self.apply_history(command),
            Command::Picture(command) => self.apply_picture(command),
            Command::TogglePanel(panel) => self.toggle_panel(panel),
            Command::UseStudio => return Some(self.use_studio()),
            Command::Camera(command) => self.apply_camera(command),
            Command::Pick { at, reach } => self.pick(at, reach),
            Command::DismissMessage => drop(self.messages.dismiss()),
            Command::ExpireMessage(message) => self.messages.expire(&message),
            Command::AcceptOffer => match self.messages.accept_offer()? {
                Offer::OpenAnyway | Offer::AllowOnce | Offer::Compare => {
                    return Some(Errand::AcceptOffer);
                }
                Offer::Retarget(file) => {
                    self.set_retarget(file, true);
                }
                Offer::UndoPose => self.undo_pose(),
                Offer::UseAdapter => return Some(Errand::Window(WindowCommand::UseAdapter)),
            },
            Command::Files(command) => return self.apply_files(command),
            Command::Saving(command) => return self.apply_saving(command),
            Command::CloseFront => return self.close_front(),
            Command::Motion(command) => self.apply_motion(command),
            Command::Mix(command) => self.apply_mix(command),
            Command::Borrowed(command) => self.apply_borrowed(command),
            Command::Morphs(command) => self.apply_morphs(command),
            Command::ToggleTheme => self.shown.dark = !self.shown.dark,
            Command::Window(command) => return Some(Errand::Window(command)),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{app::built_in, ui::PictureCommand};

    /// Else the picture has the new theme while the panels still have the old one.
    #[test]
    fn the_theme_changes_after_the_frame_in_which_it_is_asked_for() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        let (is_dark, has_skeleton) = (session.is_dark(), session.shown.skeleton);
        let toggle_skeleton = Command::Picture(PictureCommand::ToggleSkeleton);
        let asked = vec![Command::ToggleTheme, toggle_skeleton];
        let (errands, changes_theme) = session.apply_in_frame(asked);
        assert!(errands.is_empty() && changes_theme);
        assert_eq!(session.is_dark(), is_dark);
        assert_ne!(session.shown.skeleton, has_skeleton, "what else is asked");
        let asked = vec![Command::ToggleTheme; 2];
        assert!(!session.apply_in_frame(asked).1);
    }
}
