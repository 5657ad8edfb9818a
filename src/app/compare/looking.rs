//! What takes longer than a frame to find out about A and B is found on a thread of its own, one thing after the other.

use std::thread;

use super::{clips::ClipDifferences, differences::Differences};
use crate::app::{
    Session,
    window::{UserEvent, Viewer},
};

/// What was found.
#[derive(Debug)]
pub(in crate::app) enum FoundDifferences {
    /// About what is shown.
    Pair(Box<Differences>),
    /// About all clips.
    Clips(ClipDifferences),
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
        if self.is_comparing {
            return;
        }
        let Some(search) = self.session.search() else {
            return;
        };
        let proxy = self.proxy.clone();
        let work = move || {
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Differences(Box::new(search())));
        };
        let thread = thread::Builder::new().name("differences".to_owned());
        match thread.spawn(work) {
            Ok(_) => self.is_comparing = true,
            Err(error) => log::warn!("there is no thread to compare on: {error}"),
        }
    }

    pub(in crate::app) fn on_differences(&mut self, found: FoundDifferences) {
        self.is_comparing = false;
        match found {
            FoundDifferences::Pair(found) => self.session.take_differences(*found),
            FoundDifferences::Clips(found) => self.session.take_clip_differences(found),
        }
        self.request_redraw();
    }
}
