//! What takes longer than a frame to find out about A and B is found on a thread of its own, one thing after the other: what
//! is asked does not wait for an answer that nobody wants any more.

use super::{
    clips::{ClipDifferences, Files},
    differences::{ComparedPair, Differences},
};
use crate::{
    app::{
        Session,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    ui::Message,
};

/// What was found.
#[derive(Debug)]
pub(in crate::app) enum FoundDifferences {
    /// About what is shown.
    Pair(Box<Differences>),
    /// About all clips.
    Clips(ClipDifferences),
}

impl FoundDifferences {
    fn asked(&self) -> Asked {
        match self {
            Self::Pair(found) => Asked::Pair(found.compared),
            Self::Clips(found) => Asked::Clips(found.files),
        }
    }
}

/// What is to be found out.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Asked {
    /// About this pair.
    Pair(ComparedPair),
    /// About all clips of these files.
    Clips(Files),
}

/// How many threads there are at most: one about what is asked, and one that goes on about what was asked before. What a
/// thread finds out is bounded, so one of them ends soon.
const MAX_RUNNING: usize = 2;

/// What threads find out.
#[derive(Debug, Default)]
pub(in crate::app) struct Looking {
    /// What each of them is about.
    running: Vec<Asked>,
    /// None could be started. It is not tried again until nobody asks any more.
    has_failed: bool,
}

impl Looking {
    /// Whether a thread is to be started about what is asked, if anything is.
    fn begins(&mut self, asked: Option<Asked>) -> bool {
        self.has_failed &= asked.is_some();
        let is_new = asked.is_some_and(|asked| !self.running.contains(&asked));
        is_new && !self.has_failed && self.running.len() < MAX_RUNNING
    }

    /// A thread has found out what was asked.
    fn end(&mut self, asked: Asked) {
        self.running.retain(|running| *running != asked);
    }
}

type Search = Box<dyn FnOnce() -> FoundDifferences + Send>;

impl Session {
    /// What is to be found out next, unless it is known or nobody asks.
    fn asked(&self) -> Option<Asked> {
        let pair = self.asked_pair().map(Asked::Pair);
        pair.or_else(|| self.asked_clips().map(Asked::Clips))
    }

    fn search(&self) -> Option<Search> {
        if let Some(job) = self.difference_job() {
            return Some(Box::new(move || {
                FoundDifferences::Pair(Box::new(job.run()))
            }));
        }
        let job = self.clips_job()?;
        Some(Box::new(move || FoundDifferences::Clips(job.run())))
    }
}

impl Viewer {
    /// Begins to find out how far A and B lie apart, unless that is known. When it is, the window draws again.
    pub(in crate::app) fn look_for_differences(&mut self) {
        let asked = self.session.asked();
        if !self.looking.begins(asked) {
            return;
        }
        let (Some(asked), Some(search)) = (asked, self.session.search()) else {
            return;
        };
        let proxy = self.proxy.clone();
        let work = move || {
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Differences(Box::new(search())));
        };
        match spawn("differences", work) {
            Ok(_) => self.looking.running.push(asked),
            Err(error) => {
                let reason = no_thread(&error);
                log::warn!("A and B cannot be compared: {reason}");
                let message = Message::error("A and B cannot be compared", reason).in_sentences();
                self.session.tell(message);
                self.looking.has_failed = true;
            }
        }
    }

    pub(in crate::app) fn on_differences(&mut self, found: FoundDifferences) {
        self.looking.end(found.asked());
        match found {
            FoundDifferences::Pair(found) => self.session.take_differences(*found),
            FoundDifferences::Clips(found) => self.session.take_clip_differences(found),
        }
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        ui::{Command, CompareCommand, CompareWith},
    };

    /// Pip, some of whose clips are compared.
    fn session() -> Session {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspects([1.0; 2]);
        session.apply(Command::SelectClip(Some(0)));
        session.apply(Command::Compare(CompareCommand::ToggleDifferences));
        session
    }

    fn with_clip(session: &mut Session, clip: usize) -> Option<Asked> {
        let with = CompareCommand::With(CompareWith::Clip(clip));
        session.apply(Command::Compare(with));
        session.update();
        session.asked()
    }

    #[test]
    fn what_could_not_be_begun_is_not_tried_in_every_frame() {
        let mut looking = Looking::default();
        let asked = with_clip(&mut session(), 1);
        assert!(!looking.begins(None) && looking.begins(asked));
        looking.has_failed = true;
        assert!(!looking.begins(asked) && !looking.begins(asked));
        assert!(!looking.begins(None), "the list was closed");
        assert!(looking.begins(asked), "and opened again");
    }

    #[test]
    fn what_is_asked_waits_for_no_answer_that_nobody_wants() {
        let (mut session, mut looking) = (session(), Looking::default());
        let first = with_clip(&mut session, 1);
        let late = session.difference_job().unwrap();
        assert!(looking.begins(first));
        looking.running.extend(first);
        assert!(!looking.begins(first), "it goes on");
        let second = with_clip(&mut session, 2);
        assert!(looking.begins(second));
        looking.running.extend(second);
        // Whoever goes through many clips starts no thread for each.
        let third = with_clip(&mut session, 3);
        assert!(third.is_some() && !looking.begins(third));
        let found = session.difference_job().unwrap().run();
        session.take_differences(found);
        assert_eq!(session.asked(), None);
        let late = FoundDifferences::Pair(Box::new(late.run()));
        assert_eq!(Some(late.asked()), first);
        looking.end(late.asked());
        assert!(looking.begins(third));
        let FoundDifferences::Pair(late) = late else {
            unreachable!("it is about a pair");
        };
        session.take_differences(*late);
        assert_eq!(session.asked(), None, "what came late takes no place");
    }
}
