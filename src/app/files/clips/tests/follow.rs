//! Files whose clips were added are read again when they are saved, one at a time, and for what they name.

use super::*;
use crate::ui::BorrowedCommand;

/// Pip with so many of his clips.
fn with_clips(count: usize) -> Vec<u8> {
    edited(0, |json| {
        json["animations"].as_array_mut().unwrap().truncate(count);
    })
}

#[test]
fn files_whose_clips_were_added_are_followed() {
    let mut bench = Bench::new("followed");
    let own = bench.clip_count();
    let files = bench.files(2);
    bench.reader.read(files.clone(), &mut bench.session);
    bench.take();
    bench.take();
    bench.session.apply(Command::DismissMessage);
    fs::write(&files[0], with_clips(2)).unwrap();
    bench.wait("what was saved", |bench| bench.clip_count() == 2 * own + 2);
    assert_eq!(bench.names(), ["walks 0.glb", "walks 1.glb"]);
    assert_eq!(bench.session.message(), None);

    // Half a file takes nothing, and the message goes by itself.
    let bytes = with_clips(1);
    fs::write(&files[0], &bytes[..bytes.len() - 1000]).unwrap();
    bench.wait("the message", Bench::is_kept);
    fs::remove_file(&files[1]).unwrap();
    let both = "The clips of 2 files stay as they were";
    bench.wait("that of both", |bench| {
        let message = bench.session.message();
        message.is_some_and(|it| it.title == both)
    });
    assert_eq!(bench.clip_count(), 2 * own + 2);
    fs::write(&files[0], bytes).unwrap();
    bench.wait("the whole file", |bench| bench.clip_count() == 2 * own + 1);
    let message = bench.session.message().unwrap();
    assert_eq!(message.title, "The clips of walks 1.glb stay as they were");
    fs::write(&files[1], with_clips(1)).unwrap();
    bench.wait("the other one", |bench| bench.clip_count() == own + 2);
    assert!(!bench.is_kept());

    // What it names may come later; who asks for it gets it as it is.
    let naming = |name: &str, count| {
        edited(0, |json| {
            json["animations"].as_array_mut().unwrap().truncate(count);
            let buffer = serde_json::json!({ "byteLength": 4, "uri": name });
            json["buffers"].as_array_mut().unwrap().push(buffer);
        })
    };
    fs::write(&files[0], naming("late.bin", 3)).unwrap();
    bench.wait("the message", Bench::is_kept);
    assert_eq!(bench.clip_count(), own + 2);
    fs::write(bench.folder.join("late.bin"), [0; 4]).unwrap();
    bench.wait("what it names", |bench| bench.clip_count() == own + 4);
    assert!(!bench.is_kept());
    fs::write(&files[0], naming("nowhere.bin", 4)).unwrap();
    bench.wait("the message", Bench::is_kept);
    bench.reader.read_again(&mut bench.session);
    bench.wait("the file as it is", |bench| bench.clip_count() == own + 5);
    assert!(!bench.is_kept());

    // What was taken out is not read any more.
    bench.wait("what is read", |bench| !bench.reader.is_reading());
    bench
        .session
        .apply(Command::Borrowed(BorrowedCommand::TakeOut(0)));
    bench.taken.clear();
    fs::write(&files[0], with_clips(2)).unwrap();
    fs::write(&files[1], with_clips(2)).unwrap();
    bench.wait("what is left", |bench| bench.clip_count() == own + 2);
    assert_eq!(bench.names(), ["walks 1.glb"]);
    assert!(!bench.taken.contains(&files[0]), "{:?}", bench.taken);
}

/// However long what is read before it takes.
#[test]
fn what_is_read_again_is_said_once_it_takes_long_itself() {
    let mut bench = Bench::new("unsaid");
    let files = bench.files(2);
    bench.reader.read(files, &mut bench.session);
    bench.take();
    bench.take();
    bench.reader.read_again(&mut bench.session);
    let said = |bench: &Bench| bench.reader.shown().map(|it| it.name.to_owned());
    std::thread::sleep(RELOAD_UNSAID);
    assert_eq!(said(&bench).as_deref(), Some("walks 0.glb"));
    let before = Instant::now();
    bench.take();
    let just_begun = said(&bench);
    // However long this thread has waited meanwhile.
    if before.elapsed() < RELOAD_UNSAID {
        assert_eq!(just_begun, None, "it has only just begun");
    }
    std::thread::sleep(RELOAD_UNSAID);
    assert_eq!(said(&bench).as_deref(), Some("walks 1.glb"));
    bench.take();
    assert_eq!(said(&bench), None);
}

#[test]
fn what_is_saved_while_something_else_is_waits() {
    let mut bench = Bench::new("changed");
    let own = bench.clip_count();
    let files = bench.files(1);
    bench.reader.read(files.clone(), &mut bench.session);
    bench.take();
    bench.reader.hold(true, &mut bench.session);
    fs::write(&files[0], with_clips(2)).unwrap();
    let changed = bench.changed.recv_timeout(Duration::from_secs(30)).unwrap();
    assert!(changed.contains(&files[0]), "{changed:?}");
    let news = ClipNews::Changed(changed);
    bench.reader.take(&mut bench.session, news);
    assert!(!bench.reader.is_reading());
    assert!(bench.reader.hold(false, &mut bench.session));
    assert!(bench.reader.is_reading());
    bench.wait("what was saved", |bench| bench.clip_count() == own + 2);
}

#[test]
fn a_file_is_read_once_at_a_time_however_often_it_is_asked_for() {
    let mut bench = Bench::new("once");
    let own = bench.clip_count();
    let files = bench.files(1);
    bench.reader.read(files.clone(), &mut bench.session);
    bench.take();
    bench.reader.hold(true, &mut bench.session);
    bench.reader.read_again(&mut bench.session);
    bench.take();
    // It was read before it was asked for again, and is so once more, however often that was.
    fs::write(&files[0], with_clips(2)).unwrap();
    for _ in 0..5 {
        bench.reader.read_again(&mut bench.session);
        assert_eq!(bench.reader.asked.len(), 1);
    }
    bench.reader.hold(false, &mut bench.session);
    assert_eq!((bench.clip_count(), bench.reader.asked.len()), (2 * own, 1));
    bench.take();
    assert_eq!(bench.clip_count(), own + 2);
    assert!(!bench.reader.is_reading() && bench.read.try_recv().is_err());
}

#[test]
fn a_file_is_read_again_only_for_what_it_names_of_all_that_was_given() {
    let mut bench = Bench::new("named");
    let original = built_in::original("Pip").unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&original.json).unwrap();
    let write = |path: &str, bytes: Vec<u8>| {
        let path = bench.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    };
    // One lies where it is named, one elsewhere, and one is written otherwise.
    let given = [
        ("a/walk.gltf", "walk.bin", "a/walk.bin"),
        ("b/run.gltf", "data/run.bin", "c/run.bin"),
        ("b/swim.gltf", "SWIM.bin", "d/swim.bin"),
    ]
    .map(|(model, uri, buffer)| {
        json["buffers"][0]["uri"] = uri.into();
        let model = write(model, json.to_string().into_bytes());
        (model, write(buffer, original.bin.clone().unwrap()))
    });
    let picture = write("c/skin.png", Vec::new());
    let mut files = vec![picture.clone()];
    for (model, buffer) in given.clone() {
        files.extend([model, buffer]);
    }
    bench.reader.read(files, &mut bench.session);
    for _ in 0..3 {
        bench.take();
    }
    assert_eq!(bench.names(), ["walk.gltf", "run.gltf", "swim.gltf"]);
    let Bench {
        reader, session, ..
    } = &mut bench;
    let mut changed = |file: &PathBuf| {
        let files = reader
            .followed
            .changed(std::slice::from_ref(file), &session.document.borrowed);
        files.into_iter().map(|it| it.path).collect::<Vec<_>>()
    };
    for (model, buffer) in &given {
        assert_eq!(changed(buffer), std::slice::from_ref(model));
    }
    assert!(changed(&picture).is_empty());
}

#[test]
fn what_was_saved_is_given_up_only_where_it_is_said() {
    let mut bench = Bench::new("said");
    let read = |name: &str, is_asked| {
        Running::new(Asked {
            document: bench.session.document_generation(),
            path: name.into(),
            name: name.to_owned(),
            why: Why::Again { is_asked },
            asked_at: SystemTime::now(),
        })
    };
    let asked = [("a.glb", false), ("b.glb", false), ("c.glb", true)];
    let asked = asked.map(|(name, is_asked)| read(name, is_asked));
    bench.reader.asked.extend(asked);
    let given_up = |bench: &Bench| {
        let asked = bench.reader.asked.iter();
        asked.map(Running::is_cancelled).collect::<Vec<_>>()
    };
    assert_eq!(bench.reader.shown(), None);
    bench.reader.cancel();
    assert_eq!(given_up(&bench), [false, false, true]);
    // As late as of the model that is shown.
    std::thread::sleep(RELOAD_UNSAID);
    assert_eq!(bench.reader.shown().unwrap().name, "a.glb");
    bench.reader.cancel();
    assert_eq!(given_up(&bench), [true, false, true]);
}
