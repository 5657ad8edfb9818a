//! Opening what is more than one file, and what the viewer asks about first.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::input::{CONTROL, SHIFT};
use crate::viewer::{Viewer, artefacts};

pub(crate) fn follows_the_file(viewer: &Viewer) {
    let file = artefacts().join("followed.glb");
    let asset = |name| {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets");
        fs::read(folder.join(name)).unwrap()
    };
    let (windmill, pip) = (asset("windmill.glb"), asset("pip.glb"));
    fs::write(&file, &windmill).unwrap();
    let mark = viewer.log_length();
    let place = viewer.place("viewport", 0.5, 0.5);
    viewer
        .display
        .drag_file(&file, viewer.window, place)
        .release();
    viewer.wait_for_line(mark, "opened followed.glb");
    let before = viewer.pause();

    // As most programs save: beside it, then in its place.
    let mark = viewer.log_length();
    fs::write(file.with_extension("part"), &pip).unwrap();
    fs::rename(file.with_extension("part"), &file).unwrap();
    viewer.wait_for_line(mark, "reloaded followed.glb");
    viewer.wait_for_change(&before, 0.002, "the other model shows");
    let after = viewer.still_picture();
    viewer.keep("file_followed", &after);

    let mark = viewer.log_length();
    fs::write(&file, &windmill[..windmill.len() / 2]).unwrap();
    viewer.wait_for_line(mark, "could not reload followed.glb");
    viewer.wait("the message", |viewer| {
        viewer.rect("message").filter(|rect| !rect.is_empty())
    });
    viewer.keep("broken_save", &viewer.still_picture());
    viewer.wait_for_same(&after, 0.001, "the last good model stays");

    let mark = viewer.log_length();
    fs::write(&file, &windmill).unwrap();
    viewer.wait_for_line(mark, "reloaded followed.glb");
    viewer.wait("the message to go by itself", |viewer| {
        viewer.rect("message").filter(|rect| rect.is_empty())
    });
    viewer.wait_for_same(&before, 0.001, "the same file looks the same");
}

pub(crate) fn opens_what_is_dropped_together(viewer: &Viewer) {
    let folder = new_folder("together");
    let model = write_model(&folder, "parted.gltf", "data/corners.bin", &[]);
    let buffer = folder.join("elsewhere/corners.bin");
    fs::create_dir_all(folder.join("elsewhere")).unwrap();
    fs::write(&buffer, corners()).unwrap();
    let place = viewer.place("viewport", 0.5, 0.5);

    let mark = viewer.log_length();
    let files = [buffer.as_path(), model.as_path()];
    viewer
        .display
        .drag_files(&files, viewer.window, place)
        .release();
    viewer.wait_for_line(mark, "opened parted.gltf");
    viewer.keep("several_files_opened", &viewer.still_picture());

    // The folder has all of it, too, once the buffer lies where the model looks for it.
    fs::rename(folder.join("elsewhere"), folder.join("data")).unwrap();
    let mark = viewer.log_length();
    viewer
        .display
        .drag_file(&folder, viewer.window, place)
        .release();
    viewer.wait_for_line(mark, "opened together");
    viewer.wait("the title of the model in it", |viewer| {
        let title = viewer.display.title(viewer.window);
        title.starts_with("parted.gltf in together").then_some(())
    });
    viewer.keep("folder_opened", &viewer.still_picture());
}

pub(crate) fn asks_before_it_opens_more(viewer: &Viewer) {
    let folder = new_folder("asks/own");
    fs::write(folder.join("../corners.bin"), corners()).unwrap();
    let place = viewer.place("viewport", 0.5, 0.5);
    let offer = |viewer: &Viewer| viewer.rect("offer").filter(|rect| !rect.is_empty());

    // By its key: what is unknown.
    let unknown = write_model(&folder, "unknown.gltf", "corners.bin", &["ACME_gizmo"]);
    fs::write(folder.join("corners.bin"), corners()).unwrap();
    let mark = viewer.log_length();
    viewer
        .display
        .drag_file(&unknown, viewer.window, place)
        .release();
    let line = viewer.wait_for_line(mark, "could not open unknown.gltf: ");
    assert!(line.contains("ACME_gizmo"), "{line}");
    viewer.wait("the offer to open it anyway", offer);
    viewer.keep("open_anyway", &viewer.still_picture());
    let mark = viewer.log_length();
    viewer.display.key('a');
    viewer.wait_for_line(mark, "opened unknown.gltf");
    viewer.wait("the offer to go", |viewer| {
        viewer.rect("offer").filter(|rect| rect.is_empty())
    });

    // By its button: what lies outside.
    let outside = write_model(&folder, "outside.gltf", "../corners.bin", &[]);
    let mark = viewer.log_length();
    viewer
        .display
        .drag_file(&outside, viewer.window, place)
        .release();
    viewer.wait_for_line(mark, "could not open outside.gltf: ");
    viewer.wait("the offer to allow it", offer);
    viewer.keep("allow_once", &viewer.still_picture());
    let mark = viewer.log_length();
    viewer.display.click(viewer.place("offer", 0.5, 0.5));
    viewer.wait_for_line(mark, "opened outside.gltf");
    viewer.keep("allowed", &viewer.still_picture());

    // Once is once.
    let mark = viewer.log_length();
    viewer
        .display
        .drag_file(&outside, viewer.window, place)
        .release();
    viewer.wait_for_line(mark, "could not open outside.gltf: ");
    viewer.wait("the offer again", offer);
    viewer.display.keys(&[crate::input::ESCAPE]);
    viewer.wait("the message to go", |viewer| {
        viewer.rect("message").filter(|rect| rect.is_empty())
    });
    viewer.display.key('a');
    let folder_again = new_folder("asks/after");
    let model = write_model(&folder_again, "after.gltf", "corners.bin", &[]);
    fs::write(folder_again.join("corners.bin"), corners()).unwrap();
    viewer
        .display
        .drag_file(&model, viewer.window, place)
        .release();
    viewer.wait_for_line(mark, "opened after.gltf");
    assert!(
        viewer.line(mark, "opened outside.gltf").is_none(),
        "an offer that was put away is none"
    );
}

/// Files are dragged from other programs, which have the keyboard meanwhile.
pub(crate) fn heeds_keys_held_by_who_drops(viewer: &Viewer) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    let place = viewer.place("viewport", 0.5, 0.5);
    let other_program = viewer.display.open_small_window();
    viewer.display.focus(other_program);
    viewer.wait("the other window has the focus", |viewer| {
        viewer.display.has_focus(other_program).then_some(())
    });
    for (held, words) in [
        (Some(SHIFT), "clips of pip.glb"),
        (Some(CONTROL), "compares with pip.glb"),
        (None, "opened pip.glb"),
    ] {
        let mark = viewer.log_length();
        let drag = viewer.display.drag_file(&file, viewer.window, place);
        // As most do: after the drag has begun.
        let keys = held.map(|key| viewer.display.hold_key(key));
        drag.release();
        viewer.wait_for_line(mark, words);
        drop(keys);
        assert!(
            held.is_none() || viewer.line(mark, "opened ").is_none(),
            "{words}: what is shown stays"
        );
    }
}

fn new_folder(name: &str) -> PathBuf {
    let folder = artefacts().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A model of one triangle, the corners of which are in a file of their own.
fn write_model(folder: &std::path::Path, name: &str, uri: &str, required: &[&str]) -> PathBuf {
    let mut json = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 36, "uri": uri}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
                       "min": [0, 0, 0], "max": [1, 1, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    });
    if !required.is_empty() {
        json["extensionsUsed"] = json!(required);
        json["extensionsRequired"] = json!(required);
    }
    let path = folder.join(name);
    fs::write(&path, json.to_string()).unwrap();
    path
}

fn corners() -> Vec<u8> {
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    corners
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}
