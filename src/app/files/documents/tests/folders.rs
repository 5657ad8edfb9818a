//! Folders and archives, and the one model of each that is shown.

use std::io::Write as _;

use rawzip::{ZipArchiveWriter, path::EntryPath};

use super::*;
use crate::app::files::browsing::viewer_consent;
use crate::app::picture::TRIANGLE;

/// Opens the folder, or what is in it.
fn open(desk: &mut Desk, path: impl Fn(&Path) -> PathBuf) {
    let files = vec![path(&desk.folder)];
    let consent = viewer_consent();
    desk.documents.open(Source::Files { files, consent });
    desk.wait("the first that is in it", |desk| {
        desk.session.model().vertex_count() > 0
    });
}

#[test]
fn the_files_of_a_folder_are_gone_through() {
    let mut desk = Desk::new("folder");
    for (number, name) in ["a2.glb", "a10.GLB", "b.vrm", "notes.txt", ".c.glb"]
        .iter()
        .enumerate()
    {
        fs::write(desk.folder.join(name), version(number)).unwrap();
    }
    fs::write(desk.folder.join("c.gltf"), "broken").unwrap();
    open(&mut desk, Path::to_owned);
    assert!(!desk.documents.is_passing);
    let step = |desk: &mut Desk, steps| {
        assert!(desk.documents.open_neighbour(steps), "there are others");
        desk.wait("a neighbour", |desk| {
            desk.documents.file.purpose().is_none()
        });
        let path = desk.documents.model_path().unwrap();
        path.file_name().unwrap().to_string_lossy().into_owned()
    };
    let first = desk
        .documents
        .model_path()
        .unwrap()
        .file_name()
        .unwrap()
        .to_owned();
    assert_eq!(first, "a2.glb");
    assert_eq!(step(&mut desk, 1), "a10.GLB");
    assert_eq!(step(&mut desk, 1), "b.vrm");
    assert!(desk.documents.is_passing, "it is no recent file");
    // The broken one is said to be broken, and passed.
    assert_eq!(step(&mut desk, 1), "b.vrm");
    assert!(desk.session.message().is_some());
    assert_eq!(step(&mut desk, 1), "a2.glb");
    assert_eq!(step(&mut desk, 1), "a10.GLB");
    assert_eq!(step(&mut desk, -1), "a2.glb");
    open(&mut desk, |folder| folder.join("b.vrm"));
    desk.wait("what was chosen", |desk| !desk.documents.is_passing);

    // Nor is it in passing that one is opened which was broken when it was gone to.
    assert!(desk.documents.open_neighbour(1));
    desk.wait("the broken one", |desk| {
        desk.documents.file.purpose().is_none()
    });
    fs::write(desk.folder.join("c.gltf"), version(7)).unwrap();
    open(&mut desk, |folder| folder.join("c.gltf"));
    desk.wait("what was mended", |desk| desk.is_shown(7));
    assert!(!desk.documents.is_passing, "it is a recent file");
}

#[test]
fn that_a_folder_has_more_models_is_said_with_the_key_that_shows_them() {
    let mut desk = Desk::new("more");
    for (number, name) in ["a.glb", "b.glb", "c.glb"].iter().enumerate() {
        fs::write(desk.folder.join(name), version(number)).unwrap();
    }
    open(&mut desk, Path::to_owned);
    let message = desk.session.message().expect("it is said").clone();
    assert_eq!(message.title, "Only a.glb was opened");
    let words = "There are 3 models in the folder: one is shown at a time; F3 goes through those beside it.";
    assert_eq!((&*message.detail, message.offer), (words, None));
    assert!(desk.documents.open_neighbour(1));
    desk.wait("the next", |desk| desk.is_shown(1));
    assert_eq!(desk.session.message(), None, "that is known by now");

    // Where F3 shows none of them, they are named.
    let mut desk = Desk::new("apart");
    for (number, name) in ["a", "b"].iter().enumerate() {
        let folder = desk.folder.join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("model.glb"), version(number)).unwrap();
    }
    open(&mut desk, Path::to_owned);
    let message = desk.session.message().expect("it is said").clone();
    assert_eq!(message.title, "Only a/model.glb was opened");
    assert!(message.detail.contains("not b/model.glb"), "{message:?}");
    assert!(!message.detail.contains("F3"), "{message:?}");
    desk.documents.step(&mut desk.session, 1);
    let title = &desk.session.message().expect("it is said").title;
    assert_eq!(title, "There is no other model in the folder a");
}

/// Whatever else there is to say: else the picture would be empty without a reason.
#[test]
fn that_all_faces_look_away_is_said_first() {
    let mut desk = Desk::new("backs");
    desk.session.set_aspect(1.0);
    let files = ["a.gltf", "b.gltf"].map(|name| desk.folder.join(name));
    let mirrored = r#"{ "mesh": 0, "scale": [1, 1, -1] }"#;
    for file in &files {
        fs::write(file, TRIANGLE.replace(r#"{ "mesh": 0 }"#, mirrored)).unwrap();
    }
    let saved = Message::info("x.png is saved", "");
    desk.session.messages.tell(Topic::Saving, saved);
    desk.documents.open(Source::Files {
        files: files.to_vec(),
        consent: viewer_consent(),
    });
    desk.wait("the model", |desk| desk.session.model().vertex_count() > 0);
    let message = desk.session.message().expect("it is said");
    assert!(message.title.starts_with("All faces"), "{message:?}");
    assert!(message.passes);
    desk.session.apply(Command::DismissMessage);
    let message = desk.session.message().expect("it comes back");
    assert_eq!(message.title, "Only a.gltf was opened");
}

/// A library is not refused for the sake of one file.
#[test]
fn a_folder_whose_first_model_is_broken_shows_the_next() {
    let mut desk = Desk::new("broken-first");
    for (name, bytes) in [("a.glb", &b"broken"[..]), ("b.gltf", b"{}")] {
        fs::write(desk.folder.join(name), bytes).unwrap();
    }
    let source = |desk: &Desk| Source::Files {
        files: vec![desk.folder.clone()],
        consent: viewer_consent(),
    };
    let all_broken = source(&desk);
    desk.documents.open(all_broken);
    desk.wait("the word that nothing is", |desk| {
        desk.session.message().is_some()
    });
    let message = desk.session.message().unwrap();
    assert!(message.detail.contains("a.glb"), "{message:?}");

    for number in [1, 2] {
        let name = format!("c{number}.glb");
        fs::write(desk.folder.join(name), version(number)).unwrap();
    }
    open(&mut desk, Path::to_owned);
    assert!(desk.is_shown(1));
    let message = desk.session.message().expect("it is said").clone();
    assert_eq!(message.title, "Only c1.glb was opened");
    let words = "Before it a.glb, b.gltf could not be read. There are 4 models in the folder: one is shown at a time; F3 goes through those beside it.";
    assert_eq!(message.detail, words);
    assert!(desk.documents.open_neighbour(1));
    desk.wait("the next", |desk| desk.is_shown(2));
}

/// The folder's namesake comes before all that precede it by name, and without one the first as people count.
#[test]
fn the_model_that_was_meant_is_named_where_it_is_broken() {
    for (folder, broken, shown) in [
        ("Fox", "Fox.glb", "a.glb"),
        ("Cat", "scene.gltf", "a.glb"),
        ("Hen", "a2.glb", "a10.glb"),
        ("Owl", "a.glb", "a.gltf"),
    ] {
        let mut desk = Desk::new(&format!("meant-{folder}"));
        let path = desk.folder.join(folder);
        fs::create_dir(&path).unwrap();
        fs::write(path.join(broken), "broken").unwrap();
        fs::write(path.join(shown), version(1)).unwrap();
        open(&mut desk, |parent| parent.join(folder));
        assert!(desk.is_shown(1));
        let message = desk.session.message().expect("it is said").clone();
        assert_eq!(message.title, format!("Only {shown} was opened"));
        let words = format!("Before it {broken} could not be read. There are 2 models in ");
        assert!(message.detail.starts_with(&words), "{message:?}");

        let mut desk = Desk::new(&format!("both-{folder}"));
        let path = desk.folder.join(folder);
        fs::create_dir(&path).unwrap();
        for name in [broken, shown] {
            fs::write(path.join(name), "broken").unwrap();
        }
        let files = vec![path];
        let consent = viewer_consent();
        desk.documents.open(Source::Files { files, consent });
        desk.wait("the word that nothing is", |desk| {
            desk.session.message().is_some()
        });
        let message = desk.session.message().unwrap();
        let named = format!("{folder}: {broken}: ");
        assert!(message.detail.contains(&named), "{message:?}");
    }
}

/// An archive whose files are stored as they are.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, data) in files {
        let file = archive.new_file(EntryPath::verbatim(name.as_bytes()));
        let (mut entry, config) = file.start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(data).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

#[test]
fn broken_models_are_passed_in_archives_and_in_folders_of_folders() {
    let files: [(&str, &[u8]); 3] = [
        ("props/cup.glb", b"broken"),
        ("props/hat.glb", &version(1)),
        ("props/more/pen.glb", &version(2)),
    ];
    let mut packed = Desk::new("packed");
    fs::write(packed.folder.join("props.zip"), archive(&files)).unwrap();
    open(&mut packed, |folder| folder.join("props.zip"));
    let mut nested = Desk::new("nested");
    for (name, data) in files {
        let path = nested.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, data).unwrap();
    }
    open(&mut nested, Path::to_owned);
    for (desk, rest) in [
        (
            packed,
            "archive: one is shown at a time; F3 goes through them.",
        ),
        (
            nested,
            "folder: one is shown at a time; F3 goes through those beside it.",
        ),
    ] {
        assert!(desk.is_shown(1));
        let message = desk.session.message().expect("it is said");
        assert_eq!(message.title, "Only hat.glb was opened");
        let words = "Before it props/cup.glb could not be read. There are 2 models in the ";
        assert_eq!(message.detail, format!("{words}{rest}"));
    }
}

/// And not through what lies beside it, from where there was no way back.
#[test]
fn the_models_of_an_archive_are_gone_through() {
    let mut desk = Desk::new("archive");
    let files: [(&str, &[u8]); 4] = [
        ("a.glb", &version(1)),
        ("b.glb", b"broken"),
        ("c.glb", &version(3)),
        ("more/d.glb", &version(4)),
    ];
    fs::write(desk.folder.join("props.zip"), archive(&files)).unwrap();
    fs::write(desk.folder.join("beside.glb"), version(9)).unwrap();
    open(&mut desk, |folder| folder.join("props.zip"));
    assert!(desk.is_shown(1));
    let message = desk.session.message().expect("it is said").clone();
    assert_eq!(message.title, "Only a.glb was opened");
    let words = "There are 3 models in the archive: one is shown at a time; F3 goes through them.";
    assert_eq!(message.detail, words);
    let step = |desk: &mut Desk, steps| {
        desk.documents.step(&mut desk.session, steps);
        desk.wait("a neighbour", |desk| {
            desk.documents.file.purpose().is_none()
        });
        let source = desk.documents.source().unwrap();
        source.title()
    };
    // The broken one is said to be broken, and passed.
    assert_eq!(step(&mut desk, 1), "a.glb in props.zip");
    let message = desk.session.message().expect("it is said").clone();
    assert_eq!(message.title, "b.glb in props.zip could not be opened");
    assert_eq!(step(&mut desk, 1), "c.glb in props.zip");
    assert!(desk.is_shown(3) && desk.documents.is_passing);
    // Saved anew it is the same model, and others are beside it.
    let files: [(&str, &[u8]); 3] = [
        ("a.glb", &version(1)),
        ("c.glb", &version(5)),
        ("d.glb", &version(6)),
    ];
    fs::write(desk.folder.join("props.zip"), archive(&files)).unwrap();
    desk.wait("what was saved", |desk| desk.is_shown(5));
    assert_eq!(step(&mut desk, 1), "d.glb in props.zip");
    assert_eq!(step(&mut desk, 1), "a.glb in props.zip");
    assert_eq!(step(&mut desk, -2), "c.glb in props.zip");
}

/// An archive is left out like a model: what it holds is not even looked for.
#[test]
fn an_archive_that_was_given_together_with_a_model_is_named() {
    let mut desk = Desk::new("archive-beside");
    let zip = desk.folder.join("props.zip");
    fs::write(&zip, archive(&[("a.glb", &version(1))])).unwrap();
    fs::write(desk.path(), version(2)).unwrap();
    let source = |files: &[PathBuf]| Source::Files {
        files: files.to_vec(),
        consent: viewer_consent(),
    };
    desk.documents.open(source(&[zip.clone(), desk.path()]));
    desk.wait("the model", |desk| desk.is_shown(2));
    let message = desk.session.message().expect("it is said").clone();
    assert_eq!(message.title, "Only model.glb was opened");
    assert!(message.detail.starts_with("props.zip "), "{message:?}");
    assert_eq!(desk.documents.accept_offer(), Some(source(&[zip])));
}

#[test]
fn that_a_folder_has_no_other_model_is_said() {
    let mut desk = Desk::new("alone");
    fs::write(desk.folder.join("walk.glb"), version(1)).unwrap();
    desk.documents.step(&mut desk.session, 1);
    assert_eq!(desk.session.message(), None, "nothing is shown");
    open(&mut desk, |folder| folder.join("walk.glb"));
    for steps in [1, -1] {
        desk.session.apply(Command::DismissMessage);
        desk.documents.step(&mut desk.session, steps);
        let message = desk.session.message().expect("it is said");
        assert_eq!(message.title, "There is no other model in this folder");
        assert_eq!(desk.documents.file.purpose(), None);
    }
    let worse = Message::error("worse", "");
    desk.session.tell(worse.clone());
    desk.documents.step(&mut desk.session, 1);
    assert_eq!(desk.session.message(), Some(&worse));
}

/// The next to be saved there may come first by its name.
#[test]
fn the_model_of_a_folder_stays_the_one_that_is_shown() {
    let mut desk = Desk::new("joined");
    fs::write(desk.folder.join("walk.glb"), version(1)).unwrap();
    open(&mut desk, Path::to_owned);
    assert!(desk.is_shown(1));
    let title = |desk: &Desk| desk.documents.source().unwrap().title();
    let folder = desk.folder.file_name().unwrap().to_string_lossy();
    let expected = format!("walk.glb in {folder}");
    assert_eq!(title(&desk), expected);
    let remembered = desk.documents.source().unwrap().clone();
    let Source::Files { files, .. } = remembered else {
        panic!("it is no file")
    };
    assert_eq!(files, [desk.folder.clone()], "what the user opened");

    fs::write(desk.folder.join("run.glb"), version(2)).unwrap();
    desk.documents.file.reload();
    desk.wait("it is read again", |desk| {
        desk.documents.file.purpose().is_none()
    });
    assert!(desk.is_shown(1), "and not what has come beside it");
    fs::write(desk.folder.join("walk.glb"), version(3)).unwrap();
    desk.wait("what was saved", |desk| desk.is_shown(3));
    fs::remove_file(desk.folder.join("walk.glb")).unwrap();
    desk.wait("the word that it is gone", Desk::is_held);
    assert!(desk.is_shown(3));
}

#[test]
fn what_is_allowed_is_allowed_to_the_model_that_asked() {
    let mut desk = Desk::new("asked");
    fs::write(desk.folder.join("walk.glb"), version(1)).unwrap();
    open(&mut desk, Path::to_owned);
    let outside = [PathBuf::from("/elsewhere/skin.png")];
    let source = desk.documents.source().unwrap().clone();
    desk.documents.offer(&source, &outside);
    fs::write(desk.folder.join("run.glb"), version(2)).unwrap();
    desk.documents.accept_offer();
    desk.wait("it is opened again", |desk| {
        desk.documents.file.purpose().is_none()
    });
    assert!(desk.is_shown(1), "and not what has come beside it");
}

/// The message about the file that is compared with outlives the model, and so does what it offers.
#[test]
fn what_is_offered_last_is_accepted() {
    let mut desk = Desk::new("offers");
    fs::write(desk.path(), version(1)).unwrap();
    let outside = [PathBuf::from("/elsewhere/skin.png")];
    let other = Source::Files {
        files: vec![desk.folder.join("other.glb")],
        consent: viewer_consent(),
    };
    assert_eq!(other.allowing(&[]), None);
    let other = other.allowing(&outside);
    desk.documents.offer_other(other.clone());
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(1));
    assert_eq!(desk.documents.accept_offer(), other);
    assert_eq!(desk.documents.accept_offer(), None, "once is once");

    desk.documents.offer_other(other);
    let source = desk.documents.source().unwrap().clone();
    desk.documents.offer(&source, &outside);
    desk.documents.offer_other(None);
    assert_eq!(desk.documents.accept_offer(), None);
    assert_eq!(desk.documents.file.purpose(), Some(Purpose::Open));
}

/// Marked in a file manager and dropped together, with a picture that any of them may name.
#[test]
fn what_was_given_together_and_is_not_shown_is_said() {
    let mut desk = Desk::new("together");
    let path = |name: &str| desk.folder.join(name);
    let files = ["walk.glb", "run.glb", "skin.png"].map(path);
    for (number, file) in files.iter().enumerate() {
        fs::write(file, version(number)).unwrap();
    }
    let mut files = files.to_vec();
    let source = |files: &[PathBuf]| Source::Files {
        files: files.to_vec(),
        consent: viewer_consent(),
    };
    desk.documents.open(source(&files));
    desk.wait("the model", |desk| desk.is_shown(0));
    let message = desk.session.message().expect("it is said").clone();
    assert_eq!(message.title, "Only walk.glb was opened");
    assert!(message.detail.starts_with("run.glb "), "{message:?}");
    assert_eq!(message.offer, Some(Offer::Compare));
    let with_parts = source(&[files[1].clone(), files[2].clone()]);
    assert_eq!(desk.documents.accept_offer(), Some(with_parts));

    let third = desk.folder.join("jump.glb");
    fs::write(&third, version(3)).unwrap();
    files.push(third);
    desk.documents.open(source(&files));
    desk.wait("the model", |desk| desk.documents.file.purpose().is_none());
    let message = desk.session.message().expect("it is said").clone();
    assert!(message.detail.contains("run.glb, jump.glb"), "{message:?}");
    assert_eq!(message.offer, None);
    assert_eq!(desk.documents.accept_offer(), None);

    desk.documents.open(source(&files[..1]));
    desk.wait("the model", |desk| desk.documents.file.purpose().is_none());
    assert_eq!(desk.session.message(), None);
}

/// Of those dropped together the first that can be read is shown, as of those in a folder.
#[test]
fn what_was_given_together_and_is_broken_is_passed() {
    let mut desk = Desk::new("together-broken");
    let files = ["skin.png", "a.glb", "b.glb", "c.glb", "d.glb"];
    let files = files.map(|name| desk.folder.join(name));
    for (number, file) in files.iter().enumerate() {
        fs::write(file, version(number)).unwrap();
    }
    fs::write(&files[1], "broken").unwrap();
    let source = |files: &[PathBuf]| Source::Files {
        files: files.to_vec(),
        consent: viewer_consent(),
    };
    let open = |desk: &mut Desk, files: &[PathBuf]| {
        desk.documents.open(source(files));
        desk.wait("what can be read", |desk| {
            desk.documents.file.purpose().is_none()
        });
        let message = desk.session.message().expect("it is said").clone();
        (message.title, message.detail, message.offer)
    };
    let (title, detail, offer) = open(&mut desk, &files[..3]);
    assert!(desk.is_shown(2));
    assert_eq!((&*title, offer), ("Only b.glb was opened", None));
    let words = "Before it a.glb could not be read";
    assert!(detail.starts_with(words), "{detail}");

    let (title, detail, offer) = open(&mut desk, &files[..4]);
    assert_eq!(title, "Only b.glb was opened");
    let words = "Before it a.glb could not be read.\nc.glb was given, too. ";
    assert!(detail.starts_with(words), "{detail}");
    assert_eq!(offer, Some(Offer::Compare));
    let other = source(&[files[3].clone(), files[0].clone()]);
    assert_eq!(desk.documents.accept_offer(), Some(other));

    // What is shown stays when it is saved broken: what was left out does not take its place.
    fs::write(&files[2], "broken").unwrap();
    desk.documents.file.reload();
    desk.wait("the word that it is broken", Desk::is_held);
    assert!(desk.is_shown(2));

    let (_, detail, offer) = open(&mut desk, &files);
    assert!(desk.is_shown(3));
    let words = "Before it a.glb, b.glb could not be read.\nd.glb was given, too. ";
    assert!(detail.starts_with(words), "{detail}");
    assert_eq!(offer, Some(Offer::Compare));
    let (title, ..) = open(&mut desk, &files[..3]);
    assert_eq!(title, "a.glb could not be opened");
    assert!(desk.is_shown(3));
}
