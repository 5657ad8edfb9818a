//! Files are written in all the ways that programs save in; each is told once.

use super::{as_read::TICK, *};

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
    watcher.watch(as_read(vec![folder.join("a.bin")], SystemTime::now()));
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
    // Most of it is waiting.
    thread::scope(|scope| {
        scope.spawn(|| each_way_is_told_once("told", telling));
        scope.spawn(|| each_way_is_told_once("polled", Watcher::start_blind));
    });
}

fn each_way_is_told_once(name: &str, start: fn(Tell) -> Watcher) {
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
    let mut longest = Duration::ZERO;
    for part in 0..10 {
        let begun = Instant::now();
        fs::write(&file, vec![0; part]).unwrap();
        thread::sleep(SETTLE / 3);
        longest = longest.max(begun.elapsed());
    }
    if longest < SETTLE {
        hears_once(&heard, "written slowly");
    } else {
        // This thread had to wait for so long that the file had settled in between.
        let first = heard.recv_timeout(Duration::from_secs(10));
        assert!(first.is_ok(), "written slowly: nothing was told");
        while heard.recv_timeout(2 * SETTLE_GONE).is_ok() {}
    }
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

#[test]
fn what_was_written_while_it_was_read_is_told() {
    let (folder, watcher, heard) = watched("late", telling);
    let read_at = SystemTime::now();
    thread::sleep(2 * TICK);
    let file = folder.join("b.bin");
    fs::write(&file, "after the reader looked").unwrap();
    thread::sleep(2 * TICK);
    watcher.watch(as_read(vec![file.clone()], read_at));
    hears_once(&heard, "written after reading began");
    let later = SystemTime::now() + Duration::from_secs(1);
    watcher.watch(as_read(vec![file], later));
    assert!(heard.recv_timeout(3 * SETTLE).is_err(), "it is known");
    drop(watcher);
    fs::remove_dir_all(&folder).unwrap();
}

/// It does not say when it went.
#[test]
fn what_is_gone_since_it_was_read_is_told() {
    let (folder, watcher, heard) = watched("gone", telling);
    let file = folder.join("b.bin");
    fs::write(&file, "read").unwrap();
    let files = as_read(vec![file.clone()], SystemTime::now());
    fs::remove_file(&file).unwrap();
    watcher.watch(files);
    assert_eq!(hears_once(&heard, "gone since it was read"), [file]);
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
    let mut files = as_read(vec![a.clone(), b.clone()], read_at);
    watcher.watch(files.clone());
    assert!(heard.recv_timeout(3 * SETTLE).is_err(), "nothing happened");
    fs::write(&b, "saved").unwrap();
    assert_eq!(hears_once(&heard, "one of two"), std::slice::from_ref(&b));
    // What was not read again is not told again, and what had not settled is not lost.
    fs::remove_file(&a).unwrap();
    thread::sleep(2 * TICK);
    files.extend(as_read(vec![b], SystemTime::now()));
    watcher.watch(files);
    assert_eq!(hears_once(&heard, "the other one"), [a]);
    drop(watcher);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_that_never_comes_is_looked_for_less_and_less() {
    let nowhere = std::env::temp_dir().join(format!("rigscope-nowhere-{}", std::process::id()));
    let _ = fs::remove_dir_all(&nowhere);
    let mut watch = Watch::without_system();
    let file = nowhere.join("a.bin");
    watch.watch(as_read(vec![file], SystemTime::now()));
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
