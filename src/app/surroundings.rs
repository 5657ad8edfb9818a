//! Surroundings from files: read on a thread of their own, then shown; those that cannot be read are a message.

use std::{path::PathBuf, thread};

use winit::event_loop::EventLoopProxy;

use super::{
    Fault,
    window::{UserEvent, Viewer},
};
use crate::{
    import::{is_panorama, read_panorama},
    model::Panorama,
};

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(super) struct ReadSurroundings {
    path: PathBuf,
    result: anyhow::Result<Panorama>,
}

/// Begins to read a file.
pub(super) fn read(proxy: &EventLoopProxy<UserEvent>, path: PathBuf) {
    let proxy = proxy.clone();
    thread::spawn(move || {
        let result = read_panorama(&path);
        let read = ReadSurroundings { path, result };
        // The window may have closed meanwhile.
        let _ = proxy.send_event(UserEvent::Surroundings(Box::new(read)));
    });
}

/// Takes the surroundings out of files that were given together.
pub(super) fn take_from(files: &mut Vec<PathBuf>) -> Option<PathBuf> {
    let found = files.iter().position(|file| is_panorama(file))?;
    Some(files.remove(found))
}

impl Viewer {
    pub(super) fn on_surroundings(&mut self, read: ReadSurroundings) {
        match read.result {
            Ok(panorama) => {
                log::info!("surroundings {}", read.path.display());
                self.session.set_environment(Some((read.path, panorama)));
            }
            Err(error) => {
                let name = read.path.file_name().unwrap_or(read.path.as_os_str());
                let name = name.to_string_lossy();
                log::error!("could not open {name}: {error:#}");
                self.session.report(Fault {
                    title: format!("{name} cannot surround the model"),
                    detail: format!("{error:#}"),
                    offer: None,
                });
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
        assert_eq!(take_from(&mut files), Some(PathBuf::from("b.HDR")));
        assert_eq!(files, [PathBuf::from("a.glb")]);
        assert_eq!(take_from(&mut files), None);
    }
}
