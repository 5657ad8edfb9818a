//! What takes longer than a frame to find out about A and B is found on a thread of its own, one thing after the other.

use super::{clips::ClipDifferences, differences::Differences};
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

/// Whether a thread finds something out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) enum Looking {
    /// None does.
    #[default]
    Idle,
    /// One does.
    Busy,
    /// None could be started. It is not tried again until nobody asks any more.
    Failed,
}

impl Looking {
    /// Whether a thread is to be started, where something is asked or nothing is.
    fn begins(&mut self, is_asked: bool) -> bool {
        if *self == Self::Failed && !is_asked {
            *self = Self::Idle;
        }
        *self == Self::Idle && is_asked
    }
}

type Search = Box<dyn FnOnce() -> FoundDifferences + Send>;

impl Session {
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
        if self.looking == Looking::Busy {
            return;
        }
        let search = self.session.search();
        let begins = self.looking.begins(search.is_some());
        let Some(search) = search.filter(|_| begins) else {
            return;
        };
        let proxy = self.proxy.clone();
        let work = move || {
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Differences(Box::new(search())));
        };
        self.looking = match spawn("differences", work) {
            Ok(_) => Looking::Busy,
            Err(error) => {
                let reason = no_thread(&error);
                log::warn!("A and B cannot be compared: {reason}");
                let message = Message::error("A and B cannot be compared", reason).in_sentences();
                self.session.tell(message);
                Looking::Failed
            }
        };
    }

    pub(in crate::app) fn on_differences(&mut self, found: FoundDifferences) {
        self.looking = Looking::Idle;
        match found {
            FoundDifferences::Pair(found) => self.session.take_differences(*found),
            FoundDifferences::Clips(found) => self.session.take_clip_differences(found),
        }
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_begun_is_not_tried_in_every_frame() {
        let mut looking = Looking::default();
        assert!(!looking.begins(false) && looking.begins(true));
        looking = Looking::Busy;
        assert!(!looking.begins(true));
        looking = Looking::Failed;
        assert!(!looking.begins(true) && !looking.begins(true));
        assert!(!looking.begins(false), "the list was closed");
        assert!(looking.begins(true), "and opened again");
    }
}
