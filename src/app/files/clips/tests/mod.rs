//! Clips are read for a document: in order, on one thread, and also while it is read again.

mod follow;

use std::{
    collections::HashSet,
    fs,
    sync::Mutex,
    thread::ThreadId,
    time::{Duration, Instant},
};

use super::*;
use crate::{
    app::{built_in, files::edited},
    import::Import,
    ui::{Command, DragCommand, PosingCommand},
};

/// A reader, what it delivers, and the threads that it does so on.
struct Bench {
    reader: ClipReader,
    read: Receiver<Box<ReadClips>>,
    changed: Receiver<Vec<PathBuf>>,
    /// What has been taken.
    taken: Vec<PathBuf>,
    threads: Arc<Mutex<HashSet<ThreadId>>>,
    session: Session,
    folder: PathBuf,
}

impl Bench {
    fn new(name: &str) -> Self {
        let folder = format!("rigscope-clips-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let (send, read) = mpsc::channel();
        let (send_changes, changed) = mpsc::channel();
        let threads = Arc::<Mutex<HashSet<ThreadId>>>::default();
        let seen = Arc::clone(&threads);
        let reader = ClipReader::new(move |news| match news {
            ClipNews::Read(read) => {
                seen.lock().unwrap().insert(std::thread::current().id());
                let _ = send.send(read);
            }
            ClipNews::Changed(files) => drop(send_changes.send(files)),
        });
        Self {
            reader,
            read,
            changed,
            taken: Vec::new(),
            threads,
            session: Session::new(pip(), None, Duration::ZERO),
            folder,
        }
    }

    fn files(&self, count: usize) -> Vec<PathBuf> {
        let paths = (0..count).map(|place| self.folder.join(format!("walks {place}.glb")));
        let paths: Vec<_> = paths.collect();
        for path in &paths {
            fs::write(path, include_bytes!("../../../../../assets/pip.glb")).unwrap();
        }
        paths
    }

    /// Waits for one more file.
    fn take(&mut self) {
        let read = self.read.recv_timeout(Duration::from_secs(30)).unwrap();
        self.take_read(read);
    }

    fn take_read(&mut self, read: Box<ReadClips>) {
        self.taken.push(read.file.path.clone());
        self.reader.take(&mut self.session, ClipNews::Read(read));
    }

    /// Takes all that comes, also of changes, until this is so.
    #[track_caller]
    fn wait(&mut self, what: &str, is_done: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !is_done(self) {
            assert!(Instant::now() < deadline, "waited in vain: {what}");
            if let Ok(read) = self.read.recv_timeout(Duration::from_millis(10)) {
                self.take_read(read);
            }
            for files in self.changed.try_iter() {
                let news = ClipNews::Changed(files);
                self.reader.take(&mut self.session, news);
            }
        }
    }

    fn clip_count(&self) -> usize {
        self.session.model().clips.len()
    }

    fn is_kept(&self) -> bool {
        let message = self.session.message();
        message.is_some_and(|it| it.title.ends_with("stay as they were"))
    }

    fn names(&self) -> Vec<String> {
        let rows = self.session.document.borrowed.rows().iter();
        rows.map(|row| row.name.clone()).collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn pip() -> Import {
    built_in::load("Pip").unwrap()
}

#[test]
fn many_files_are_read_in_order_on_one_thread() {
    let mut bench = Bench::new("many");
    let files = bench.files(5);
    bench.reader.read(files, &mut bench.session);
    for left in (0..5).rev() {
        assert!(bench.reader.is_reading());
        bench.take();
        assert_eq!(bench.reader.asked.len(), left);
    }
    let more = bench.files(6).split_off(5);
    bench.reader.read(more, &mut bench.session);
    bench.take();
    let names = [0, 1, 2, 3, 4, 5].map(|place| format!("walks {place}.glb"));
    assert_eq!(bench.names(), names);
    assert_eq!(bench.threads.lock().unwrap().len(), 1);
}

#[test]
fn clips_are_added_also_if_the_model_was_read_again_meanwhile() {
    let mut bench = Bench::new("again");
    let files = bench.files(1);
    bench.reader.read(files, &mut bench.session);
    bench.session.reload_model(pip(), Duration::ZERO);
    bench.take();
    assert_eq!(bench.names(), ["walks 0.glb"]);
}

#[test]
fn clips_for_another_model_are_given_up_with_all_that_were_asked_for_with_them() {
    let mut bench = Bench::new("late");
    let files = bench.files(40);
    let last = 40;
    bench.reader.read(files, &mut bench.session);
    bench.session.replace_model(pip(), None, Duration::ZERO);
    let before = bench.session.model().clips.len();
    bench.take();
    let mut given_up = 0;
    for _ in 1..last {
        let read = bench.read.recv_timeout(Duration::from_secs(30)).unwrap();
        given_up += usize::from(read.result.is_err());
        bench.take_read(read);
    }
    assert!(given_up > 0, "all were read for nothing");
    assert_eq!(bench.session.model().clips.len(), before);
    // The next ones are wanted.
    let files = bench.files(1);
    bench.reader.read(files, &mut bench.session);
    bench.take();
    assert_eq!(bench.names(), ["walks 0.glb"]);
}

#[test]
fn what_is_given_up_is_neither_added_nor_said() {
    let mut bench = Bench::new("given up");
    let files = bench.files(6);
    bench.reader.read(files, &mut bench.session);
    let before = bench.session.message().cloned();
    bench.reader.cancel();
    assert_eq!(bench.reader.shown(), None);
    for _ in 0..6 {
        bench.take();
    }
    assert!(bench.names().is_empty() && !bench.reader.is_reading());
    assert_eq!(bench.session.message(), before.as_ref());
    let files = bench.files(1);
    bench.reader.read(files, &mut bench.session);
    bench.take();
    assert_eq!(bench.names(), ["walks 0.glb"]);
}

#[test]
fn late_clips_of_one_model_do_not_cost_those_of_the_next() {
    let mut bench = Bench::new("next");
    let files = bench.files(8);
    bench.reader.read(files, &mut bench.session);
    bench.session.replace_model(pip(), None, Duration::ZERO);
    let files = bench.files(2);
    bench.reader.read(files, &mut bench.session);
    for _ in 0..10 {
        bench.take();
    }
    assert_eq!(bench.names(), ["walks 0.glb", "walks 1.glb"]);
}

#[test]
fn what_comes_while_something_is_saved_waits() {
    let mut bench = Bench::new("held");
    let files = bench.files(2);
    bench.reader.read(files, &mut bench.session);
    assert!(!bench.reader.hold(true, &mut bench.session));
    let saved = bench.session.clip_key();
    bench.take();
    bench.take();
    assert!(bench.names().is_empty() && bench.reader.is_reading());
    assert_eq!(bench.session.clip_key(), saved);
    assert!(bench.reader.hold(false, &mut bench.session));
    assert_eq!(bench.names(), ["walks 0.glb", "walks 1.glb"]);
    assert!(!bench.reader.is_reading());
    assert!(!bench.reader.hold(false, &mut bench.session));
}

#[test]
fn the_first_clip_is_played_unless_another_was_chosen_since_the_file_was_asked_for() {
    let mut bench = Bench::new("chosen");
    let own = bench.session.model().clips.len();
    let files = bench.files(3);
    bench.reader.read(files, &mut bench.session);
    // Of files that are given together that of the first one.
    for _ in 0..2 {
        bench.take();
        assert_eq!(bench.session.clip(), Some(own));
    }
    bench.session.apply(Command::SelectClip(Some(0)));
    bench.take();
    assert_eq!(bench.session.clip(), Some(0));
    // What was chosen before does not count, what was since does.
    let files = bench.files(4).split_off(3);
    bench.reader.read(files, &mut bench.session);
    bench.take();
    assert_eq!(bench.session.clip(), Some(4 * own));
    let files = bench.files(5).split_off(4);
    bench.reader.read(files, &mut bench.session);
    bench.session.apply(Command::SelectClip(Some(1)));
    bench.take();
    assert_eq!(bench.session.clip(), Some(1));
    // Nor is a pose lost that was made meanwhile.
    let files = bench.files(6).split_off(5);
    bench.reader.read(files, &mut bench.session);
    for command in [
        Command::SelectNode(Some(1)),
        Command::Posing(PosingCommand::BeginDrag),
        Command::Posing(PosingCommand::Drag(DragCommand::Turn(1, 0.5))),
        Command::Posing(PosingCommand::EndDrag),
    ] {
        bench.session.apply(command);
    }
    bench.take();
    bench.session.update();
    assert_eq!(bench.session.clip(), Some(1));
    assert_eq!(bench.session.posing_view().changed, 1);
    assert_eq!(bench.names().len(), 6);
}

#[test]
fn files_that_are_read_again_have_their_clips_as_they_are_now() {
    let mut bench = Bench::new("anew");
    let own = bench.session.model().clips.len();
    let files = bench.files(2);
    bench.reader.read(files.clone(), &mut bench.session);
    bench.take();
    bench.take();
    bench.session.apply(Command::DismissMessage);
    let fewer = edited(0, |json| {
        json["animations"].as_array_mut().unwrap().pop();
    });
    fs::write(&files[0], fewer).unwrap();
    bench.reader.read_again(&mut bench.session);
    bench.take();
    bench.take();
    assert_eq!(bench.session.model().clips.len(), 3 * own - 1);
    assert_eq!(bench.names(), ["walks 0.glb", "walks 1.glb"]);
    assert_eq!(bench.session.message(), None);
    // What is not there any more stays as it was read.
    fs::remove_file(&files[0]).unwrap();
    bench.reader.read_again(&mut bench.session);
    bench.take();
    bench.take();
    let message = bench.session.message().unwrap();
    assert_eq!(message.title, "The clips of walks 0.glb stay as they were");
    assert_eq!(bench.session.model().clips.len(), 3 * own - 1);
    // They do so as well where reading it once more is given up.
    bench.reader.read_again(&mut bench.session);
    bench.reader.cancel();
    bench.take();
    bench.take();
    assert!(bench.is_kept());
}

#[test]
fn what_cannot_be_read_is_said() {
    let mut bench = Bench::new("broken");
    let file = bench.folder.join("torn.glb");
    fs::write(&file, "glTF").unwrap();
    bench.reader.read(vec![file], &mut bench.session);
    bench.take();
    let message = bench.session.message().unwrap();
    let said = "The clips of torn.glb could not be read";
    assert_eq!(message.title, said);
    bench.reader.read(Vec::new(), &mut bench.session);
    let message = bench.session.message();
    assert_eq!(message.unwrap().title, said, "nothing else was chosen");
}

/// Which of many are missing is to be read after all others were added.
#[test]
fn all_that_cannot_be_read_is_said_whatever_is_added_between() {
    let mut bench = Bench::new("several");
    let mut files = bench.files(3);
    // Some have one name.
    let broken = ["torn.glb", "a/cut.glb", "b/cut.glb"].map(|name| bench.folder.join(name));
    for file in &broken {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "glTF").unwrap();
        files.insert(1, file.clone());
    }
    bench.reader.read(files, &mut bench.session);
    for _ in 0..6 {
        bench.take();
    }
    let added = bench.session.message().unwrap();
    assert!(added.title.ends_with("of walks 2.glb added"), "{added:?}");
    bench.session.apply(Command::DismissMessage);
    let message = bench.session.message().unwrap();
    assert_eq!(message.title, "The clips of 3 files are not added");
    for file in broken {
        let file = file.display().to_string();
        assert!(message.detail.contains(&file), "{message:?}");
    }
    bench.session.apply(Command::DismissMessage);
    assert_eq!(bench.session.message(), None);
}

/// Dropped together, as a file manager does with all that is marked.
#[test]
fn files_that_a_model_names_are_no_models() {
    let mut bench = Bench::new("parts");
    let original = built_in::original("Pip").unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&original.json).unwrap();
    json["buffers"][0]["uri"] = "walk.bin".into();
    // Each has a buffer of that name beside it, or in a folder of its own.
    let mut files = Vec::new();
    for (model, buffer) in [("a/walk.gltf", "a/walk.bin"), ("b/run.gltf", "c/walk.bin")] {
        for (path, bytes) in [
            (buffer, original.bin.clone().unwrap()),
            (model, json.to_string().into_bytes()),
        ] {
            let path = bench.folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
            files.push(path);
        }
    }
    bench.reader.read(files, &mut bench.session);
    assert_eq!(bench.reader.asked.len(), 2);
    bench.take();
    bench.take();
    assert_eq!(bench.names(), ["walk.gltf", "run.gltf"]);
    // What is not named like a model may be one.
    let file = bench.folder.join("swim");
    fs::write(&file, include_bytes!("../../../../../assets/pip.glb")).unwrap();
    bench.reader.read(vec![file], &mut bench.session);
    bench.take();
    assert_eq!(bench.names().last().unwrap(), "swim");
}

#[test]
fn of_a_folder_with_several_models_the_first_is_taken_as_when_it_is_opened() {
    let mut bench = Bench::new("folder");
    bench.files(2);
    let folder = bench.folder.clone();
    bench.reader.read(vec![folder], &mut bench.session);
    bench.take();
    assert_eq!(bench.names().len(), 1, "{:?}", bench.session.message());
}

#[test]
fn a_thread_that_looks_at_the_model_meanwhile_costs_no_copy_of_what_is_seen() {
    let mut bench = Bench::new("lent");
    let lent = bench.session.actor().shared_model();
    let files = bench.files(1);
    bench.reader.read(files, &mut bench.session);
    bench.take();
    let model = bench.session.model();
    assert!(
        model.clips.len() > lent.clips.len(),
        "the thread keeps its own"
    );
    assert!(Arc::ptr_eq(&lent.meshes, &model.meshes));
    assert!(Arc::ptr_eq(&lent.images, &model.images));
}
