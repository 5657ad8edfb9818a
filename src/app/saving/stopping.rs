//! Stopping what is being saved, and what is left of it.

use std::{path::Path, sync::atomic::Ordering::Relaxed};

use super::SavingJob;
use crate::{
    app::{Session, messages::Topic, window::Viewer},
    output::FrameNames,
    ui::{Message, PictureKind},
};

impl SavingJob {
    /// How many of its frames have files of their own, and of how many; none where all go into one file, once it is whole.
    fn frames_written(&self) -> Option<(u32, u32)> {
        let has_files = self.kind == PictureKind::Frames;
        has_files.then_some((self.next, self.plan.frames))
    }
}

impl Session {
    /// Whether something is being saved that can be stopped: between two of its frames or moments, where these are counted.
    pub(in crate::app) fn can_stop_saving(&self) -> bool {
        self.saving.job.as_ref().is_some_and(|(.., all)| *all > 0)
    }

    /// Says that saving a file was stopped, and how many frames of how many have files of their own.
    pub(super) fn tell_stopped(&mut self, path: &Path, frames: Option<(u32, u32)>) {
        self.end_job();
        // Another file could not be saved because of it.
        self.messages.take_back(Topic::Saving);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let detail = match frames {
            Some((done, all)) if done > 0 => {
                let first = FrameNames::new(path).of_frame(0);
                let folder = first.parent().unwrap_or(path).display();
                let are = if done == 1 { "is" } else { "are" };
                format!("{done} of {all} frames {are} in {folder}.")
            }
            _ => "Nothing was written.".to_owned(),
        };
        self.tell(Message::info(format!("Saving {name} was stopped"), detail));
    }
}

impl Viewer {
    /// Saves no more. A thread that does says when it has stopped.
    pub(in crate::app) fn stop_saving(&mut self) {
        if let Some(stop) = &self.outgoing.stop {
            stop.store(true, Relaxed);
            return;
        }
        match self.outgoing.job.take() {
            Some(job) => {
                let (path, frames) = (job.path.clone(), job.frames_written());
                // What is not whole goes with it.
                drop(job);
                self.session.tell_stopped(&path, frames);
            }
            None => self.session.end_job(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::{Errand, built_in},
        render::Gpu,
        ui::{Command, SavingCommand, SavingKind, SavingSettings},
    };

    fn session() -> Session {
        Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO)
    }

    #[test]
    fn who_stops_it_is_told_what_is_left_of_it() {
        let mut session = session();
        let folder = Path::new("/somewhere");
        let mut told = |name: &str, frames| {
            session.saving.job = Some((name.to_owned(), 3, 50));
            session.tell_stopped(&folder.join(name), frames);
            assert_eq!(session.saving_view().job, None);
            let message = session.message().unwrap();
            (message.title.clone(), message.detail.clone())
        };
        let nothing = "Nothing was written.".to_owned();
        let gif = "Saving walk.gif was stopped".to_owned();
        assert_eq!(told("walk.gif", None), (gif, nothing.clone()));
        let title = "Saving walk.png was stopped".to_owned();
        assert_eq!(told("walk.png", Some((0, 50))), (title.clone(), nothing));
        let some = format!("24 of 50 frames are in {}.", folder.display());
        assert_eq!(told("walk.png", Some((24, 50))), (title.clone(), some));
        let one = format!("1 of 50 frames is in {}.", folder.display());
        assert_eq!(told("walk.png", Some((1, 50))), (title, one));
    }

    #[test]
    fn what_could_not_be_saved_beside_it_is_told_no_more() {
        let mut session = session();
        session.saving.job = Some(("walk.gif".to_owned(), 3, 50));
        let refused = Message::error("fox.png was not saved", "walk.gif is still being saved.");
        session.messages.tell(Topic::Saving, refused);
        session.tell_stopped(Path::new("/somewhere/walk.gif"), None);
        assert!(session.messages.dismiss(), "that it was stopped");
        assert_eq!(session.message(), None);
    }

    /// What was written is counted, and there.
    #[test]
    fn frames_that_were_saved_before_it_was_stopped_stay() {
        let Some(gpu) = Gpu::for_test() else { return };
        let mut session = session();
        session.apply(Command::SelectClip(Some(1)));
        let folder = std::env::temp_dir().join(format!("rigscope-stop-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (kind, name, left) in [
            (PictureKind::Frames, "walk.png", 2),
            (PictureKind::Apng, "walk.apng", 0),
        ] {
            let settings = SavingSettings {
                kind: SavingKind::Picture(kind),
                size: [64, 48],
                ..SavingSettings::default()
            };
            let plan = session.plan_saving(settings);
            let all = plan.frames;
            let path = folder.join(name);
            let mut job = SavingJob::new(&mut session, &gpu, path, kind, plan).unwrap();
            for _ in 0..2 {
                assert!(!job.step(&mut session, &gpu).unwrap());
            }
            let is_counted = kind == PictureKind::Frames;
            assert_eq!(job.frames_written(), is_counted.then_some((2, all)));
            drop(job);
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), left, "{name}");
            std::fs::remove_dir_all(&folder).unwrap();
            std::fs::create_dir_all(&folder).unwrap();
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn escape_stops_it_after_what_lies_in_front() {
        let mut session = session();
        session.saving.job = Some(("walk.gif".to_owned(), 3, 50));
        session.apply(Command::Saving(SavingCommand::Toggle));
        session.tell(Message::info("said", ""));
        assert!(session.apply(Command::CloseFront).is_none(), "the box");
        assert!(!session.saving.is_open);
        assert!(session.apply(Command::CloseFront).is_none(), "the message");
        assert_eq!(session.message(), None);
        let asked = session.apply(Command::CloseFront);
        assert_eq!(asked, Some(Errand::StopSaving));
        // What nobody counts cannot be stopped between two of its steps.
        session.saving.job = Some(("pose.json".to_owned(), 0, 0));
        let asked = session.apply(Command::CloseFront);
        assert!(matches!(asked, Some(Errand::Window(_))), "{asked:?}");
    }
}
