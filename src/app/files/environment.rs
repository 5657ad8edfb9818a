//! Environments from files: read on a thread of their own, then shown; those that cannot be read are a message.

use std::path::{Path, PathBuf};

use super::background::Ticket;
use crate::{
    app::{
        messages::Topic,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    import::{is_panorama, read_panorama},
    model::Panorama,
    ui::Message,
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

impl Viewer {
    /// Reads an environment from this file, whatever its name.
    pub(in crate::app) fn read_environment(&mut self, path: PathBuf) {
        self.session.messages.take_back(Topic::Environment);
        let (ticket, progress) = self.environment.begin(shown_name(&path));
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
            let message = Message::error(title, no_thread(&error));
            self.session.messages.tell(Topic::Environment, message);
        }
        self.request_redraw();
    }

    pub(in crate::app) fn on_environment(&mut self, read: ReadEnvironment) {
        let Some(name) = self.environment.end(read.ticket) else {
            log::info!("environment {} came too late", read.path.display());
            return;
        };
        match read.result {
            Ok(panorama) => {
                log::info!("environment {}", read.path.display());
                self.session.set_environment(Some((read.path, panorama)));
            }
            Err(error) => {
                log::error!("could not open {name}: {error:#}");
                let message = Message::error(
                    format!("{name} cannot surround the model"),
                    format!("{error:#}"),
                );
                self.session.messages.tell(Topic::Environment, message);
            }
        }
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
