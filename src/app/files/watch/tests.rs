//! Files are written in all the ways that programs save in; each is told once.

use super::*;

/// A fresh folder, watched for changes of `a.bin` in it.
fn watched(
    name: &str,
    start: fn(Box<dyn Fn() + Send>) -> Watcher,
) -> (PathBuf, Watcher, Receiver<()>) {
    let folder = std::env::temp_dir().join(format!("rigscope-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.bin"), "before").unwrap();
    thread::sleep(2 * TICK);
    let (told, heard) = mpsc::channel();
    let watcher = start(Box::new(move || {
        let _ = told.send(());
    }));
    watcher.watch(vec![folder.join("a.bin")], SystemTime::now());
    assert!(heard.recv_timeout(3 * SETTLE).is_err(), "nothing happened");
    (folder, watcher, heard)
}

fn telling(tell: Box<dyn Fn() + Send>) -> Watcher {
    Watcher::start(tell).unwrap()
}

#[track_caller]
fn hears_once(heard: &Receiver<()>, what: &str) {
    let first = heard.recv_timeout(Duration::from_secs(10));
    first.unwrap_or_else(|_| panic!("{what}: nothing was told"));
    let again = heard.recv_timeout(2 * SETTLE_GONE);
    assert!(again.is_err(), "{what}: it was told twice");
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

#[test]
fn a_folder_that_never_comes_is_looked_for_less_and_less() {
    let nowhere = std::env::temp_dir().join(format!("rigscope-nowhere-{}", std::process::id()));
    let _ = fs::remove_dir_all(&nowhere);
    let mut watch = Watch::without_system();
    let file = nowhere.join("a.bin");
    watch.watch(vec![file], SystemTime::now(), &[None]);
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
