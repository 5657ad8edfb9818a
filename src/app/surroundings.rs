//! Surroundings from files: read on a thread of their own, then shown; those that cannot be read are a message.

use std::{io, path::PathBuf, thread};

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
    number: u64,
    path: PathBuf,
    result: anyhow::Result<Panorama>,
}

/// Which surroundings were asked for last. Reads may end in another order than they began.
#[derive(Debug, Default)]
pub(super) struct Asked(u64);

impl Asked {
    /// A number for what is asked for now; what was asked for before is not wanted any more.
    pub(super) fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }

    fn is_last(&self, number: u64) -> bool {
        number == self.0
    }
}

/// Begins to read a file.
fn read(proxy: &EventLoopProxy<UserEvent>, number: u64, path: PathBuf) -> io::Result<()> {
    let proxy = proxy.clone();
    let work = move || {
        let result = read_panorama(&path);
        let read = ReadSurroundings {
            number,
            path,
            result,
        };
        // The window may have closed meanwhile.
        let _ = proxy.send_event(UserEvent::Surroundings(Box::new(read)));
    };
    let thread = thread::Builder::new().name("surroundings".to_owned());
    thread.spawn(work).map(drop)
}

/// Takes the surroundings out of files that were given together: of several the last, as if they came one after the other.
pub(super) fn take_from(files: &mut Vec<PathBuf>) -> Option<PathBuf> {
    files.extract_if(.., |file| is_panorama(file)).last()
}

impl Viewer {
    /// Reads surroundings from this file, whatever its name.
    pub(super) fn read_surroundings(&mut self, path: PathBuf) {
        let number = self.surroundings.next();
        if let Err(error) = read(&self.proxy, number, path) {
            self.session.report(Fault {
                title: "The environment map cannot be read".to_owned(),
                detail: format!("There is no thread to read them on: {error}"),
                offer: None,
            });
        }
    }

    pub(super) fn on_surroundings(&mut self, read: ReadSurroundings) {
        if !self.surroundings.is_last(read.number) {
            log::info!("surroundings {} came too late", read.path.display());
            return;
        }
        match read.result {
            Ok(panorama) => {
                log::info!("surroundings {}", read.path.display());
                self.session.set_environment(Some((read.path, panorama)));
            }
            Err(error) => {
                let name = read.path.file_name().unwrap_or(read.path.as_os_str());
                let name = name.to_string_lossy();
                log::error!("could not open {name}: {error:#}");
                let fault = Fault {
                    title: format!("{name} cannot surround the model"),
                    detail: format!("{error:#}"),
                    offer: None,
                };
                self.session.say_lasting(fault.into());
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

    #[test]
    fn of_several_surroundings_the_last_are_taken_and_none_is_left() {
        let mut files = ["a.hdr", "b.glb", "c.exr"].map(PathBuf::from).to_vec();
        assert_eq!(take_from(&mut files), Some(PathBuf::from("c.exr")));
        assert_eq!(files, [PathBuf::from("b.glb")]);
    }

    #[test]
    fn what_was_asked_for_last_is_wanted() {
        let mut asked = Asked::default();
        let (first, second) = (asked.next(), asked.next());
        assert!(asked.is_last(second) && !asked.is_last(first));
        // The studio is asked for, and nothing is read.
        asked.next();
        assert!(!asked.is_last(second));
    }
}
