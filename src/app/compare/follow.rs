//! The file that is compared with, on disk: what becomes of it when it was read, and read again as the model is.

use winit::event_loop::EventLoopProxy;

use crate::{
    app::{
        Session,
        files::{Followed, Known, Loaded, Purpose, Source},
        window::UserEvent,
    },
    ui::LoadKind,
};

/// What is compared with, and what becomes of what is on its way.
#[derive(Debug)]
pub(in crate::app) struct SecondFile {
    /// What is compared with, or would be if it could have been read.
    pub(in crate::app) file: Followed,
}

impl SecondFile {
    /// Nothing yet, for a window that gets events.
    pub(in crate::app) fn for_window(proxy: &EventLoopProxy<UserEvent>) -> Self {
        let changed = || UserEvent::SecondFileChanged;
        let file = Followed::for_window(LoadKind::Compared, proxy, UserEvent::SecondFile, changed);
        Self { file }
    }

    /// Compares with what was read, or says why not. Gives what the message offers to read instead.
    pub(super) fn on_read(&mut self, session: &mut Session, read: Loaded) -> Option<Source> {
        if !self.file.takes(&read) {
            return None;
        }
        let offered = if self.file.is_update(read.purpose) {
            self.update(session, read)
        } else {
            self.show(session, read)
        };
        self.file.make_up_for_missed();
        offered
    }

    fn show(&mut self, session: &mut Session, read: Loaded) -> Option<Source> {
        let is_crowd = session.actor().crowd().is_some();
        let source = read.source.clone();
        let mut known = match &read.result {
            Ok(import) => Known::of(source.settled(import), import),
            Err(_) => Known::unread(source),
        };
        // What was not asked for now does not take the place of what is looked at, nor of what is said.
        let is_by_itself = read.purpose != Purpose::Open;
        if is_by_itself && (read.result.is_err() || !session.may_take_second_file()) {
            known.is_in_use = false;
            self.file.take(known, read.files);
            return None;
        }
        let before = session.compare.generation;
        let offered = session.take_second_file(read.source, read.result);
        known.is_in_use = session.compare.generation != before;
        // What could not be read is compared with as soon as it can be, where nothing else is.
        if known.is_in_use || !self.file.is_in_use() && !is_crowd {
            self.file.take(known, read.files);
        }
        offered
    }

    /// Puts what was read again in the place of what is compared with, unless it was saved broken.
    fn update(&mut self, session: &mut Session, read: Loaded) -> Option<Source> {
        let name = read.source.name();
        match self.file.take_again(read)? {
            Ok(anew) => session.take_second_file_again(&anew.source, anew.import, anew.may_ask),
            Err(reason) => {
                session.keep_second_file(&name, &reason);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        path::PathBuf,
        sync::mpsc::{self, Receiver},
        time::{Duration, Instant},
    };

    use super::*;
    use crate::{
        app::{built_in, files::edited},
        import::Consent,
        ui::{Command, CompareCommand, CompareWith, Offer},
    };

    enum Event {
        Read(Box<Loaded>),
        Changed,
    }

    /// A window without a window.
    struct Desk {
        folder: PathBuf,
        session: Session,
        second_file: SecondFile,
        events: Receiver<Event>,
    }

    impl Desk {
        fn new(name: &str) -> Self {
            let folder = format!("rigscope-other-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            let (send, events) = mpsc::channel();
            let changes = send.clone();
            let file = Followed::new(
                LoadKind::Compared,
                move |read| drop(send.send(Event::Read(read))),
                move || drop(changes.send(Event::Changed)),
            );
            Self {
                folder,
                session: Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO),
                second_file: SecondFile { file },
                events,
            }
        }

        fn path(&self) -> PathBuf {
            self.folder.join("other.glb")
        }

        fn save(&self, version: usize) {
            fs::write(self.path(), edited(version, |_| {})).unwrap();
        }

        /// All but the end of it.
        fn save_broken(&self, version: usize) {
            let bytes = edited(version, |_| {});
            fs::write(self.path(), &bytes[..bytes.len() - 1000]).unwrap();
        }

        fn open(&mut self) {
            let (files, consent) = (vec![self.path()], Consent::default());
            self.second_file.file.open(Source::Files { files, consent });
        }

        fn next(&mut self, left: Duration) -> bool {
            let Ok(event) = self.events.recv_timeout(left) else {
                return false;
            };
            match event {
                Event::Read(read) => drop(self.second_file.on_read(&mut self.session, *read)),
                Event::Changed => self.second_file.file.follow(),
            }
            self.session.update();
            true
        }

        #[track_caller]
        fn wait(&mut self, what: &str, is_done: impl Fn(&Self) -> bool) {
            let deadline = Instant::now() + Duration::from_secs(30);
            while !is_done(self) {
                let left = deadline.saturating_duration_since(Instant::now());
                assert!(self.next(left), "waited in vain: {what}");
            }
        }

        /// Whether this version is compared with.
        fn compares(&self, version: usize) -> bool {
            let second = self.session.second_file_model();
            let scene = second.and_then(|(_, model)| model.scenes.first());
            scene.is_some_and(|scene| scene.name == format!("version {version}"))
        }

        fn is_kept(&self) -> bool {
            let message = self.session.message();
            message.is_some_and(|it| it.title.contains("what was read last is compared"))
        }
    }

    impl Drop for Desk {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    /// The old file beside the new one, while one saves: it may be either that is saved.
    #[test]
    fn what_is_compared_with_is_followed() {
        let mut desk = Desk::new("followed");
        desk.save(1);
        desk.open();
        desk.wait("the first", |desk| desk.compares(1));
        desk.save(2);
        desk.wait("what was saved", |desk| desk.compares(2));
        assert_eq!(desk.session.message(), None);

        // Half a file is not compared with, unless the user asks for it as it is.
        desk.save_broken(3);
        desk.wait("the message", Desk::is_kept);
        assert!(desk.compares(2));
        desk.second_file.file.reload();
        desk.wait("the file as it is", |desk| desk.compares(3));
        assert!(!desk.is_kept());
        fs::remove_file(desk.path()).unwrap();
        desk.wait("the message", Desk::is_kept);
        assert!(desk.compares(3));
        desk.save(4);
        desk.wait("the whole file", |desk| desk.compares(4));
        assert!(!desk.is_kept(), "it goes by itself");

        // Another model does not end it, nor does what is not shown just now come before the user.
        desk.session
            .replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        desk.save(5);
        desk.wait("beside another model", |desk| desk.compares(5));
    }

    /// What names the others is written first, and they need not be called as before.
    #[test]
    fn a_save_is_waited_for_whose_files_come_one_after_the_other() {
        let mut desk = Desk::new("parts");
        let original = built_in::original("Pip").unwrap();
        let (file, bin) = (desk.folder.join("other.gltf"), original.bin.unwrap());
        let save = |version: usize, buffer: &str| {
            let mut json: serde_json::Value = serde_json::from_str(&original.json).unwrap();
            json["scenes"][0]["name"] = format!("version {version}").into();
            json["buffers"][0]["uri"] = buffer.into();
            fs::write(&file, json.to_string()).unwrap();
        };
        fs::write(desk.folder.join("first.bin"), &bin).unwrap();
        save(1, "first.bin");
        let (files, consent) = (vec![file.clone()], Consent::default());
        desk.second_file.file.open(Source::Files { files, consent });
        desk.wait("the first", |desk| desk.compares(1));
        for (version, buffer) in [(2, "second.bin"), (3, "third.bin")] {
            save(version, buffer);
            desk.wait("the message", Desk::is_kept);
            assert!(!desk.compares(version));
            fs::write(desk.folder.join(buffer), &bin).unwrap();
            desk.wait("what it names", |desk| desk.compares(version));
            assert!(!desk.is_kept());
        }
        // What was read last is watched as well while the file names what is not there.
        save(4, "nowhere.bin");
        desk.wait("the message", Desk::is_kept);
        save(5, "third.bin");
        desk.wait("what was there all the time", |desk| desk.compares(5));
    }

    /// Nobody has answered it.
    #[test]
    fn the_question_comes_back_after_a_broken_save_unless_it_was_put_away() {
        let mut desk = Desk::new("asked");
        let naming = |version| {
            edited(version, |json| {
                json["images"] = serde_json::json!([{ "uri": "../skin.png" }]);
            })
        };
        let is_asked = |desk: &Desk| {
            let message = desk.session.message();
            message.is_some_and(|it| it.offer == Some(Offer::AllowOnce))
        };
        let save_broken_and_whole = |desk: &mut Desk, version| {
            let whole = naming(version);
            fs::write(desk.path(), &whole[..whole.len() - 1000]).unwrap();
            desk.wait("the message", Desk::is_kept);
            fs::write(desk.path(), &whole).unwrap();
            desk.wait("the whole file", |desk| desk.compares(version));
        };
        fs::write(desk.path(), naming(1)).unwrap();
        desk.open();
        desk.wait("the first", |desk| desk.compares(1));
        assert!(is_asked(&desk));
        save_broken_and_whole(&mut desk, 2);
        assert!(is_asked(&desk));
        desk.session.apply(Command::DismissMessage);
        assert_eq!(desk.session.message(), None);
        save_broken_and_whole(&mut desk, 3);
        assert_eq!(desk.session.message(), None);
    }

    #[test]
    fn nothing_is_said_of_what_is_not_compared_now() {
        let mut desk = Desk::new("unseen");
        desk.save(1);
        desk.open();
        desk.wait("the first", |desk| desk.compares(1));
        desk.session
            .apply(Command::Compare(CompareCommand::Show(None)));
        desk.save_broken(2);
        desk.wait("the change", |desk| {
            desk.second_file.file.purpose().is_some()
        });
        desk.wait("the broken one", |desk| {
            desk.second_file.file.purpose().is_none()
        });
        assert_eq!(desk.session.message(), None);

        // Nor does what can be read at last take the place of another comparison.
        let mut desk = Desk::new("unasked");
        fs::write(desk.path(), b"glTF").unwrap();
        desk.open();
        desk.wait("the message", |desk| desk.session.message().is_some());
        let skinning = CompareCommand::With(CompareWith::Skinning);
        desk.session.apply(Command::Compare(skinning));
        desk.save(7);
        desk.wait("the change", |desk| {
            desk.second_file.file.purpose().is_some()
        });
        desk.wait("the file", |desk| desk.second_file.file.purpose().is_none());
        assert!(!desk.compares(7));
    }

    #[test]
    fn what_is_being_saved_stays_as_it_is() {
        let mut desk = Desk::new("held");
        desk.save(1);
        desk.open();
        desk.wait("the first", |desk| desk.compares(1));
        desk.second_file.file.hold(true);
        desk.save(2);
        desk.wait("the change", |desk| desk.second_file.file.has_missed());
        assert!(desk.compares(1) && desk.second_file.file.purpose().is_none());
        assert!(desk.second_file.file.hold(false));
        desk.wait("what was saved", |desk| desk.compares(2));
    }

    #[test]
    fn what_could_not_be_read_is_compared_with_once_it_can_be() {
        let mut desk = Desk::new("late");
        fs::write(desk.path(), b"glTF").unwrap();
        desk.open();
        desk.wait("the message", |desk| desk.session.message().is_some());
        desk.save(7);
        desk.wait("the file", |desk| desk.compares(7));
    }
}
