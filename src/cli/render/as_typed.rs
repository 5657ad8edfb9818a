//! Commands that the window puts on the clipboard, taken as far as a picture: the model, clip and camera are those of the window.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{
    Eye, RenderArguments, Scene,
    from_window::{files, said, session, session_of},
    load,
};
use crate::{
    app::{Session, ShownFiles, built_in},
    import::{self, Consent, Import, Progress},
    scene::SplitWay,
    ui::{CameraCommand, Command, CompareCommand, CompareWith, PlaybackCommand},
};

/// A folder for as long as this lives, by a path without links.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = format!("rigscope-typed-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes the buffers of [`model_with`] side by side.
    fn write_buffers(&self, names: [&str; 2]) {
        let bytes = |numbers: &[f32]| -> Vec<u8> {
            let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
            bytes.collect()
        };
        let [shape, moves] = names;
        self.write(shape, bytes(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
        self.write(moves, bytes(&[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A triangle, a camera on two nodes, and three clips of a second; its buffers have these URIs.
fn model_with([shape, moves]: [&str; 2]) -> Value {
    let clip = |name: &str| {
        json!({
            "name": name,
            "samplers": [{"input": 1, "output": 2}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
        })
    };
    json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 36, "uri": shape}, {"byteLength": 32, "uri": moves}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 1, "byteLength": 8},
            {"buffer": 1, "byteOffset": 8, "byteLength": 24}
        ],
        "accessors": [
            {
                "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0, 0, 0], "max": [1, 1, 0]
            },
            {
                "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR",
                "min": [0], "max": [1]
            },
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"}
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "cameras": [
            {"name": "eye", "type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}
        ],
        "nodes": [
            {"name": "body", "mesh": 0},
            {"name": "left", "camera": 0, "translation": [-1, 0, 5]},
            {"name": "right", "camera": 0, "translation": [1, 0, 5]}
        ],
        "scenes": [{"nodes": [0, 1, 2]}],
        "scene": 0,
        "animations": [clip("1"), clip("1"), clip("linear")]
    })
}

fn open(given: &Path, consent: &Consent) -> Import {
    import::open(&[given.to_owned()], consent, &Progress::default()).unwrap()
}

/// What `render` draws of what it is asked.
#[track_caller]
fn scene(arguments: &RenderArguments) -> Scene<'_> {
    let loaded = load(arguments.model.as_ref(), &arguments.others, arguments, None);
    let scene = loaded.and_then(|loaded| Scene::new(loaded, arguments, None));
    scene.unwrap_or_else(|error| panic!("{error:#}"))
}

/// What the window shows of a model in a folder.
fn shown_in(folder: &Path, within: &str) -> (Session, ShownFiles) {
    let consent = Consent {
        first_of_several: true,
        model: Some(within.to_owned()),
        ..Consent::default()
    };
    let import = open(folder, &consent);
    let shown = ShownFiles::of(
        &[folder.to_owned()],
        &consent,
        &import.models,
        import.path.as_deref(),
        import.files.iter().map(PathBuf::as_path),
    );
    (session_of(import), shown)
}

#[test]
fn models_of_a_folder_come_with_what_they_need_of_it() {
    let folder = Folder::new("folder");
    folder.write_buffers(["pack/shared/shape.bin", "pack/shared/moves.bin"]);
    let shared = ["../shared/shape.bin", "../shared/moves.bin"];
    // What only has the name is another file.
    folder.write("pack/models/a/shape.bin", "");
    let text = model_with(shared).to_string();
    for name in ["a", "b", "pack"] {
        folder.write(&format!("pack/models/{name}.gltf"), &text);
    }
    let pack = folder.0.join("pack");
    let (session, shown) = shown_in(&pack, "models/b.gltf");
    let (arguments, left_out) = said(&session, &shown);
    assert_eq!(left_out, "");
    assert_eq!(arguments.model, Some(pack.join("models/b.gltf")));
    let mut parts = ["shape.bin", "moves.bin"].map(|name| pack.join("shared").join(name));
    parts.sort_unstable();
    assert_eq!(arguments.others, parts);
    let drawn = scene(&arguments);
    let model = drawn.actor.model();
    assert_eq!((model.file_name(), model.vertex_count()), ("b.gltf", 3));
    assert_eq!(model.clips.len(), 3);
    // The one that the folder means by itself.
    let (session, shown) = shown_in(&pack, "models/pack.gltf");
    let (arguments, left_out) = said(&session, &shown);
    assert_eq!(left_out, "");
    assert_eq!(arguments.model, Some(pack));
    assert!(arguments.others.is_empty());
    let drawn = scene(&arguments);
    let model = drawn.actor.model();
    assert_eq!((model.file_name(), model.vertex_count()), ("pack.gltf", 3));
}

#[test]
fn of_a_folder_that_is_compared_with_the_model_is_named() {
    let folder = Folder::new("compared");
    folder.write_buffers(["pack/models/shape.bin", "pack/models/moves.bin"]);
    folder.write_buffers(["pack/shared/faces.bin", "pack/shared/steps.bin"]);
    for (name, parts) in [
        ("b", ["shape.bin", "moves.bin"]),
        ("pack", ["shape.bin", "moves.bin"]),
        ("apart", ["../shared/faces.bin", "../shared/steps.bin"]),
    ] {
        let text = model_with(parts).to_string();
        folder.write(&format!("pack/models/{name}.gltf"), text);
    }
    let pack = folder.0.join("pack");
    for (within, path) in [
        ("models/b.gltf", Some(pack.join("models/b.gltf"))),
        // The one that the folder means by itself.
        ("models/pack.gltf", Some(pack.clone())),
        // No option names what it needs besides.
        ("models/apart.gltf", None),
    ] {
        let (_, other) = shown_in(&pack, within);
        let mut session = session();
        session.compare_with(open(&pack.join(within), &Consent::default()));
        session.update();
        let (arguments, left_out) = said(&session, &files().beside(other));
        let named = arguments.compare.compare.as_deref().map(PathBuf::from);
        assert_eq!(named, path, "{within}");
        let is_left_out = left_out.contains("what it is compared with");
        assert_eq!(is_left_out, path.is_none(), "{left_out}");
    }
}

#[test]
fn what_a_model_has_in_its_own_folder_is_not_given() {
    let folder = Folder::new("own");
    folder.write_buffers(["models/data/shape.bin", "models/moves.bin"]);
    for name in ["a", "b"] {
        let model = model_with(["data/shape.bin", "moves.bin"]);
        folder.write(&format!("models/{name}.gltf"), model.to_string());
    }
    let (session, shown) = shown_in(&folder.0, "models/b.gltf");
    let (arguments, left_out) = said(&session, &shown);
    assert_eq!(left_out, "");
    assert!(arguments.others.is_empty());
    let drawn = scene(&arguments);
    let model = drawn.actor.model();
    assert_eq!((model.file_name(), model.vertex_count()), ("b.gltf", 3));
}

#[test]
fn files_of_one_name_cannot_be_given_together() {
    let folder = Folder::new("same");
    folder.write_buffers(["shared/part.bin", "models/part.bin"]);
    for name in ["a", "b"] {
        let model = model_with(["../shared/part.bin", "part.bin"]);
        folder.write(&format!("models/{name}.gltf"), model.to_string());
    }
    let (session, shown) = shown_in(&folder.0, "models/b.gltf");
    let (arguments, left_out) = said(&session, &shown);
    assert_eq!(left_out, "files outside of the model's own folder");
    assert!(arguments.others.is_empty());
}

#[test]
fn a_camera_is_that_of_the_very_node() {
    let folder = Folder::new("camera");
    folder.write_buffers(["shape.bin", "moves.bin"]);
    let mut model = model_with(["shape.bin", "moves.bin"]);
    let look = |model: &Value, place: usize| {
        let path = folder.write("model.gltf", model.to_string());
        let mut session = session_of(open(&path, &Consent::default()));
        let through = CameraCommand::LookThrough(Some(place));
        session.apply(Command::Camera(through));
        session.update();
        let files = ShownFiles {
            model: vec![path],
            ..ShownFiles::default()
        };
        said(&session, &files)
    };
    for (place, name) in ["left", "right"].into_iter().enumerate() {
        let (arguments, left_out) = look(&model, place);
        assert_eq!(left_out, "");
        let scene = scene(&arguments);
        let Eye::OfFile(node) = scene.eye else {
            panic!("{:?}", scene.eye);
        };
        assert_eq!(scene.actor.model().hierarchy.node(node).name, name);
    }
    // Where the name of both nodes is the camera's, only the first can be asked for.
    for node in [1, 2] {
        model["nodes"][node]["name"] = json!("eye");
    }
    assert_eq!(look(&model, 0).1, "");
    let (arguments, left_out) = look(&model, 1);
    let what: Vec<_> = left_out.split(", ").collect();
    assert!(what.contains(&"which of the camera's nodes"), "{left_out}");
    // From there it is drawn all the same.
    let eye = scene(&arguments).eye;
    let place = eye.orbit(0.0).expect("it is around the model").eye();
    let expected = glam::Vec3::new(1.0, 0.0, 5.0);
    assert!((place - expected).length() < 1e-3, "{place}");
}

#[test]
fn a_clip_is_the_one_that_plays_or_none() {
    let folder = Folder::new("numbers");
    folder.write_buffers(["shape.bin", "moves.bin"]);
    let model = model_with(["shape.bin", "moves.bin"]);
    let path = folder.write("model.gltf", model.to_string());
    let mut session = session_of(open(&path, &Consent::default()));
    let files = ShownFiles {
        model: vec![path],
        ..ShownFiles::default()
    };
    for (clip, name) in [(0, Some("1")), (1, None), (2, Some("linear"))] {
        session.apply(Command::SelectClip(Some(clip)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
        session.update();
        let (arguments, left_out) = said(&session, &files);
        assert_eq!(arguments.moment.clip.as_deref(), name);
        let expected = name.map_or("which clip it is", |_| "");
        assert_eq!(left_out, expected);
        assert_eq!(scene(&arguments).clip, name.map(|_| clip));
    }
    // By its name it would be a way of skinning.
    session.apply(Command::SelectClip(Some(0)));
    let with = CompareWith::Clip(2);
    session.apply(Command::Compare(CompareCommand::With(with)));
    session.update();
    let (arguments, left_out) = said(&session, &files);
    assert_eq!(left_out, "");
    assert_eq!(arguments.compare.compare.as_deref(), Some("2"));
    assert!(
        scene(&arguments)
            .second
            .is_some_and(|second| second.plays())
    );
}

#[test]
fn both_begin_and_end_together_only_where_both_play() {
    let mut session = session();
    let with_other = ShownFiles {
        second_file: Some(built_in::path_of("Windmill")),
        ..files()
    };
    let compare = |session: &mut Session, command| {
        session.apply(Command::Compare(command));
        session.update();
    };
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    compare(&mut session, CompareCommand::Show(Some(SplitWay::Wipe)));
    compare(&mut session, CompareCommand::TogglePhase);
    for (clip, is_by_phase) in [(Some(0), true), (None, false)] {
        session.apply(Command::SelectClip(clip));
        session.update();
        let (arguments, _) = said(&session, &with_other);
        assert_eq!(arguments.compare.compare.as_deref(), Some("Walk"));
        assert_eq!(arguments.compare.by_phase, is_by_phase);
        assert!(scene(&arguments).second.is_some());
    }
    // None of its clips is called so.
    session.apply(Command::SelectClip(Some(0)));
    session.compare_with(built_in::load("Windmill").unwrap());
    session.update();
    let (arguments, _) = said(&session, &with_other);
    let file = arguments.compare.compare.as_deref();
    assert_eq!(
        (file, arguments.compare.by_phase),
        (Some("builtin:Windmill"), false)
    );
    assert!(scene(&arguments).second.is_some());
}
