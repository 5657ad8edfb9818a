//! Files are written in all the ways that programs save in; each is told once.

use super::*;

/// Takes the files that were changed.
type Tell = Box<dyn Fn(Vec<PathBuf>) + Send>;

/// A fresh folder, watched for changes of `a.bin` in it.
fn watched(name: &str, start: fn(Tell) -> Watcher) -> (PathBuf, Watcher, Receiver<Vec<PathBuf>>) {
    let folder = std::env::temp_dir().join(format!("rigscope-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.bin"), "before").unwrap();
    thread::sleep(2 * TICK);
    let (told, heard) = mpsc::channel();
    let watcher = start(Box::new(move |changed| {
        let _ = told.send(changed);
    }));
    watcher.watch(vec![folder.join("a.bin")], SystemTime::now());
    assert!(heard.recv_timeout(3 * SETTLE).is_err(), "nothing happened");
    (folder, watcher, heard)
}

fn telling(tell: Tell) -> Watcher {
    Watcher::start(tell).unwrap()
}

#[track_caller]
fn hears_once(heard: &Receiver<Vec<PathBuf>>, what: &str) -> Vec<PathBuf> {
    let first = heard.recv_timeout(Duration::from_secs(10));
    let first = first.unwrap_or_else(|_| panic!("{what}: nothing was told"));
    let again = heard.recv_timeout(2 * SETTLE_GONE);
    assert!(again.is_err(), "{what}: it was told twice");
    first
}

#[test]
fn each_way_to_save_is_told_once() {
    for (name, start) in [
        ("told", telling as fn(_) -> _),
        ("polled", |tell| Watcher::start_blind(tell)),
    ] {
        let (folder, watcher, heard) = watched(name, start);
        let file = folder.join("a.bin");
        fs::write(&file, "in place").unwrap();
        hears_once(&heard, "written in place");
        fs::write(folder.join("new"), "renamed").unwrap();
        fs::rename(folder.join("new"), &file).unwrap();
        hears_once(&heard, "renamed over it");
        fs::remove_file(&file).unwrap();
        hears_once(&heard, "deleted");
        fs::write(&file, "again").unwrap();
        hears_once(&heard, "created");
        for part in 0..10 {
            fs::write(&file, vec![0; part]).unwrap();
            thread::sleep(SETTLE / 3);
        }
        hears_once(&heard, "written slowly");
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        fs::write(&file, "another folder").unwrap();
        hears_once(&heard, "with its folder made anew");
        fs::write(&file, "and again").unwrap();
        hears_once(&heard, "in the new folder");
        fs::write(folder.join("b.bin"), "another").unwrap();
        let _ = fs::read(&file).unwrap();
        assert!(heard.recv_timeout(3 * SETTLE).is_err(), "nothing of ours");
        drop(watcher);
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn what_was_written_while_it_was_read_is_told() {
    let (folder, watcher, heard) = watched("late", telling);
    let read_at = SystemTime::now();
    thread::sleep(2 * TICK);
    let file = folder.join("b.bin");
    fs::write(&file, "after the reader looked").unwrap();
    thread::sleep(2 * TICK);
    watcher.watch(vec![file.clone()], read_at);
    hears_once(&heard, "written after reading began");
    watcher.watch(vec![file], SystemTime::now() + Duration::from_secs(1));
    assert!(heard.recv_timeout(3 * SETTLE).is_err(), "it is known");
    drop(watcher);
    fs::remove_dir_all(&folder).unwrap();
}

/// Of files that were read one after the other, each has its own time.
#[test]
fn it_is_told_which_files_have_changed() {
    let (folder, watcher, heard) = watched("which", telling);
    let [a, b] = ["a.bin", "b.bin"].map(|name| folder.join(name));
    fs::write(&b, "another").unwrap();
    thread::sleep(2 * TICK);
    let read_at = SystemTime::now();
    let both = [(a.clone(), read_at), (b.clone(), read_at)];
    watcher.watch_each(both);
    assert!(heard.recv_timeout(3 * SETTLE).is_err(), "nothing happened");
    fs::write(&b, "saved").unwrap();
    assert_eq!(hears_once(&heard, "one of two"), std::slice::from_ref(&b));
    // What was not read again is not told again, and what had not settled is not lost.
    fs::remove_file(&a).unwrap();
    thread::sleep(2 * TICK);
    watcher.watch_each([(a.clone(), read_at), (b, SystemTime::now())]);
    assert_eq!(hears_once(&heard, "the other one"), [a]);
    drop(watcher);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_that_never_comes_is_looked_for_less_and_less() {
    let nowhere = std::env::temp_dir().join(format!("rigscope-nowhere-{}", std::process::id()));
    let _ = fs::remove_dir_all(&nowhere);
    let mut watch = Watch::without_system();
    watch.watch(vec![Watched {
        path: nowhere.join("a.bin"),
        read_at: SystemTime::now(),
        known: None,
        is_stale: false,
    }]);
    let mut pauses = Vec::new();
    for quiet_pauses in 0..40 {
        watch.quiet_pauses = quiet_pauses;
        pauses.push(watch.pause().unwrap());
    }
    assert_eq!(pauses[..2], [POLL, 2 * POLL]);
    assert_eq!(pauses[39], LONGEST_POLL);
    fs::create_dir(&nowhere).unwrap();
    assert_eq!(watch.pause(), Some(POLL), "it is there, and not watched");
    fs::remove_dir(&nowhere).unwrap();
}
