//! Environments from files: read on a thread of their own, then shown; those that cannot be read are a message.

use std::path::{Path, PathBuf};

use super::background::{Arrivals, Latest, TakesArrivals, Ticket, UNSAID};
use crate::{
    app::{
        Session,
        messages::Topic,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    import::{is_panorama, read_panorama},
    model::Panorama,
    ui::{LoadKind, Loading, Message},
};

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(in crate::app) struct ReadEnvironment {
    ticket: Ticket,
    path: PathBuf,
    result: anyhow::Result<Panorama>,
}

/// Takes the environment out of files that were given together: of several the last, as if they came one after the other.
pub(in crate::app) fn take_environment(files: &mut Vec<PathBuf>) -> Option<PathBuf> {
    files.extract_if(.., |file| is_panorama(file)).last()
}

fn shown_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Reads environments, of which the last one that was asked for counts.
#[derive(Debug, Default)]
pub(in crate::app) struct EnvironmentReader {
    /// By the file's name.
    latest: Latest<String>,
    arrivals: Arrivals<ReadEnvironment>,
}

impl EnvironmentReader {
    /// What is said of the one that is being read.
    pub(in crate::app) fn shown(&self) -> Option<Loading<'_>> {
        let running = self.latest.running()?;
        running.shown(LoadKind::Environment, &running.about, UNSAID)
    }

    /// Whether one is on its way.
    pub(super) fn is_reading(&self) -> bool {
        self.latest.running().is_some()
    }

    /// Gives up the one that is being read.
    pub(super) fn cancel(&mut self) {
        self.latest.cancel();
    }
}

impl TakesArrivals for EnvironmentReader {
    type Arrival = ReadEnvironment;

    fn arrivals(&mut self) -> &mut Arrivals<ReadEnvironment> {
        &mut self.arrivals
    }

    /// Shows what was read, or says why not.
    fn take_now(&mut self, session: &mut Session, read: ReadEnvironment) {
        let Some(name) = self.latest.end(read.ticket) else {
            log::info!("environment {} came too late", read.path.display());
            return;
        };
        match read.result {
            Ok(panorama) => {
                log::info!("environment {}", read.path.display());
                session.set_environment(Some((read.path, panorama)));
            }
            Err(error) => {
                log::error!("could not open {name}: {error:#}");
                let message = Message::error(
                    format!("{name} cannot surround the model"),
                    format!("{error:#}"),
                );
                session
                    .messages
                    .tell(Topic::Environment, message.in_sentences());
            }
        }
    }
}

impl Viewer {
    /// Reads an environment from this file, whatever its name.
    pub(in crate::app) fn read_environment(&mut self, path: PathBuf) {
        self.session.messages.take_back(Topic::Environment);
        let (ticket, progress) = self.environment.latest.begin(shown_name(&path));
        let proxy = self.proxy.clone();
        let work = move || {
            let result = read_panorama(&path, &progress);
            let read = ReadEnvironment {
                ticket,
                path,
                result,
            };
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Environment(Box::new(read)));
        };
        if let Err(error) = spawn("environment", work) {
            self.environment.cancel();
            let title = "The environment map cannot be read";
            let message = Message::error(title, no_thread(&error)).in_sentences();
            self.session.messages.tell(Topic::Environment, message);
        }
        self.request_redraw();
    }

    pub(in crate::app) fn on_environment(&mut self, read: ReadEnvironment) {
        // Saving may have begun since that was last asked.
        self.hold_arrivals();
        self.environment.take(&mut self.session, read);
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::import::Import;

    #[test]
    fn an_environment_that_comes_while_something_is_saved_waits() {
        let mut session = Session::new(Import::default(), None, Duration::ZERO);
        let mut reader = EnvironmentReader::default();
        let names = ["a.hdr", "b.hdr"];
        let mut tickets = names.map(|name| reader.latest.begin(name.to_owned()).0);
        // Reads may end in another order than they began.
        tickets.reverse();
        assert!(!reader.hold(true, &mut session));
        for (ticket, name) in tickets.into_iter().zip(["b.hdr", "a.hdr"]) {
            let read = ReadEnvironment {
                ticket,
                path: name.into(),
                result: Ok(Panorama::of(4, |_| glam::Vec3::ONE)),
            };
            reader.take(&mut session, read);
            assert_eq!(session.surroundings.environment_generation(), 0);
        }
        assert!(reader.is_reading());
        assert!(reader.hold(false, &mut session) && !reader.is_reading());
        assert_eq!(session.surroundings.environment_generation(), 1);
        assert_eq!(session.surroundings.environment_name().unwrap(), "b.hdr");
        assert!(!reader.hold(false, &mut session), "nothing waits any more");
    }

    #[test]
    fn environments_are_told_from_models_by_their_names() {
        let mut files = vec![PathBuf::from("a.glb"), PathBuf::from("b.HDR")];
        assert_eq!(take_environment(&mut files), Some(PathBuf::from("b.HDR")));
        assert_eq!(files, [PathBuf::from("a.glb")]);
        assert_eq!(take_environment(&mut files), None);
    }

    #[test]
    fn of_several_environments_the_last_is_taken_and_none_is_left() {
        let mut files = ["a.hdr", "b.glb", "c.exr"].map(PathBuf::from).to_vec();
        assert_eq!(take_environment(&mut files), Some(PathBuf::from("c.exr")));
        assert_eq!(files, [PathBuf::from("b.glb")]);
    }
}
