//! Surroundings from files: read on a thread of their own, then shown; those that cannot be read are a message.

use std::path::{Path, PathBuf};

use super::background::{Ticket, no_thread, spawn};
use crate::{
    app::{
        messages::Topic,
        window::{UserEvent, Viewer},
    },
    import::{is_panorama, read_panorama},
    model::Panorama,
    ui::Message,
};

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(in crate::app) struct ReadSurroundings {
    ticket: Ticket,
    path: PathBuf,
    result: anyhow::Result<Panorama>,
}

/// Takes the surroundings out of files that were given together: of several the last, as if they came one after the other.
pub(in crate::app) fn take_surroundings(files: &mut Vec<PathBuf>) -> Option<PathBuf> {
    files.extract_if(.., |file| is_panorama(file)).last()
}

fn shown_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

impl Viewer {
    /// Reads surroundings from this file, whatever its name.
    pub(in crate::app) fn read_surroundings(&mut self, path: PathBuf) {
        self.session.messages.take_back(Topic::Surroundings);
        let (ticket, progress) = self.surroundings.begin(shown_name(&path));
        let proxy = self.proxy.clone();
        let work = move || {
            let result = read_panorama(&path, &progress);
            let read = ReadSurroundings {
                ticket,
                path,
                result,
            };
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Surroundings(Box::new(read)));
        };
        if let Err(error) = spawn("surroundings", work) {
            self.surroundings.cancel();
            let title = "The environment map cannot be read";
            let message = Message::error(title, no_thread(&error));
            self.session.messages.tell(Topic::Surroundings, message);
        }
        self.request_redraw();
    }

    pub(in crate::app) fn on_surroundings(&mut self, read: ReadSurroundings) {
        let Some(name) = self.surroundings.end(read.ticket) else {
            log::info!("surroundings {} came too late", read.path.display());
            return;
        };
        match read.result {
            Ok(panorama) => {
                log::info!("surroundings {}", read.path.display());
                self.session.set_environment(Some((read.path, panorama)));
            }
            Err(error) => {
                log::error!("could not open {name}: {error:#}");
                let message = Message::error(
                    format!("{name} cannot surround the model"),
                    format!("{error:#}"),
                );
                self.session.messages.tell(Topic::Surroundings, message);
            }
        }
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surroundings_are_told_from_models_by_their_names() {
        let mut files = vec![PathBuf::from("a.glb"), PathBuf::from("b.HDR")];
        assert_eq!(take_surroundings(&mut files), Some(PathBuf::from("b.HDR")));
        assert_eq!(files, [PathBuf::from("a.glb")]);
        assert_eq!(take_surroundings(&mut files), None);
    }

    #[test]
    fn of_several_surroundings_the_last_are_taken_and_none_is_left() {
        let mut files = ["a.hdr", "b.glb", "c.exr"].map(PathBuf::from).to_vec();
        assert_eq!(take_surroundings(&mut files), Some(PathBuf::from("c.exr")));
        assert_eq!(files, [PathBuf::from("b.glb")]);
    }
}
