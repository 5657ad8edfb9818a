//! Closing the window while something is being saved: it is said first, and the window closed once more.

use winit::event_loop::ActiveEventLoop;

use crate::{
    app::{Session, messages::Topic, window::Viewer},
    ui::Message,
};

impl Session {
    /// Whether the window may close. While something is being saved it may not, unless that is what the user was told.
    pub(super) fn may_close(&mut self) -> bool {
        let Some((name, ..)) = &self.saving.job else {
            return true;
        };
        let title = format!("{name} is still being saved");
        if self.messages.take_back(Topic::Closing) {
            return true;
        }
        let detail = "Close the window once more to stop that; no file is left half written.";
        self.messages
            .tell(Topic::Closing, Message::warning(title, detail));
        false
    }

    /// Nothing is being saved any more.
    pub(super) fn end_job(&mut self) {
        self.saving.job = None;
        self.messages.take_back(Topic::Closing);
    }
}

impl Viewer {
    /// Whether the window may close; if not, the user is told why.
    pub(in crate::app) fn may_close(&mut self) -> bool {
        let may_close = self.session.may_close();
        self.outgoing.is_given_up |= may_close;
        self.request_redraw();
        may_close
    }

    /// The user closes the window.
    pub(in crate::app) fn close(&mut self, event_loop: &ActiveEventLoop) {
        if self.may_close() {
            event_loop.exit();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use super::*;

    #[test]
    fn who_closes_the_window_while_something_is_saved_is_told_first() {
        let mut session = Session::new(Default::default(), None, Duration::ZERO);
        assert!(session.may_close());
        let begin = |session: &mut Session| {
            session.saving.job = Some(("walk.gif".to_owned(), 3, 90));
        };
        begin(&mut session);
        assert!(!session.may_close());
        let title = session.message().map(|message| &*message.title);
        assert_eq!(title, Some("walk.gif is still being saved"));
        // Who puts that away would rather wait.
        assert!(session.messages.dismiss());
        assert!(!session.may_close());
        assert!(session.may_close(), "the second time");
        // What was said of one file is not said of the next.
        assert!(!session.may_close());
        session.tell_saved(Path::new("walk.gif"), "Walk", Ok(()));
        let title = session.message().map(|message| &*message.title);
        assert_eq!(title, Some("walk.gif is saved"));
        begin(&mut session);
        assert!(!session.may_close());
        session.end_job();
        assert_eq!(session.message(), None);
        assert!(session.may_close());
    }
}
