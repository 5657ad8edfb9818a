//! The steps of the tour, in the order in which it takes them. Each leaves the viewer paused, with nothing in front.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use crate::input::{CONTROL, END, ESCAPE, HOME, LEFT, RIGHT, SHIFT};
use crate::picture::{changed, colors, crop};
use crate::viewer::{SIZE, Viewer, artefacts, nothing_may_be_skipped};

/// A change that is seen: a limb that moves, not a pixel that flickers.
const SEEN: f64 = 0.002;
/// Less than this share of pixels may differ between two pictures of the same thing.
const SAME: f64 = 0.001;

pub(crate) fn opens(viewer: &Viewer) {
    viewer.wait_for_line(0, "opened ");
    let picture = viewer.picture();
    viewer.keep("opened", &picture);
    assert_eq!(picture.dimensions(), SIZE);
    let found = colors(&viewer.viewport(&picture));
    assert!(
        found > 100,
        "a shaded model has many colours, there are {found}"
    );
    let title = viewer.display.title(viewer.window);
    assert!(title.ends_with(" - rigscope"), "{title}");
}

pub(crate) fn plays_and_stops(viewer: &Viewer) {
    let first = viewer.picture();
    viewer.wait_for_change(&first, SEEN, "the built-in model plays from the start");
    let playing = viewer.picture();
    viewer.keep("playing", &playing);

    viewer.display.key(' ');
    let paused = viewer.still_picture();
    viewer.keep("paused", &paused);

    let play_button = viewer.place("play", 0.5, 0.5);
    viewer.display.click(play_button);
    viewer.wait_for_change(&paused, SEEN, "the button plays");
    viewer.display.click(play_button);
    viewer.still_picture();
}

pub(crate) fn scrubs(viewer: &Viewer) {
    let mark = viewer.log_length();
    viewer.display.keys(&[HOME]);
    viewer.wait("the start of the clip", |viewer| {
        viewer
            .last_time_secs(mark)
            .filter(|time_secs| *time_secs == 0.0)
    });
    let at_start = viewer.still_picture();
    viewer.display.keys(&[END]);
    let end_secs = viewer.wait("the time of the clip's end", |viewer| {
        viewer
            .last_time_secs(mark)
            .filter(|time_secs| *time_secs > 0.0)
    });

    let mark = viewer.log_length();
    viewer.display.drag(
        viewer.place("timeline", 0.2, 0.5),
        viewer.place("timeline", 0.6, 0.5),
    );
    viewer.wait("three fifths of the clip", |viewer| {
        viewer
            .last_time_secs(mark)
            .filter(|time_secs| (time_secs / end_secs - 0.6).abs() < 0.03)
    });
    let dragged = viewer.still_picture();
    viewer.keep("timeline_dragged", &dragged);
    let moved = changed(&viewer.viewport(&at_start), &viewer.viewport(&dragged));
    assert!(moved > SEEN, "the pose moved: {moved}");

    // A drag that leaves the window on the left stops at the first time.
    let (_, y) = viewer.place("timeline", 0.5, 0.5);
    let mark = viewer.log_length();
    viewer
        .display
        .drag(viewer.place("timeline", 0.5, 0.5), (2, y));
    viewer.wait("the start of the clip", |viewer| {
        viewer
            .last_time_secs(mark)
            .filter(|time_secs| time_secs.abs() < 1e-3)
    });
    viewer.wait_for_same(&at_start, SAME, "the same time gives the same pose");
}

pub(crate) fn steps_by_keys(viewer: &Viewer) {
    let time_after = |key| {
        let mark = viewer.log_length();
        viewer.display.keys(&[key]);
        viewer.wait("the time after a step", |viewer| {
            viewer.last_time_secs(mark)
        })
    };
    assert_eq!(time_after(HOME), 0.0);
    let (first, second) = (time_after(RIGHT), time_after(RIGHT));
    assert!(
        first > 0.0 && (second - 2.0 * first).abs() < 2e-3,
        "even steps: {first} s, {second} s"
    );
    assert_eq!(time_after(LEFT), first);
}

pub(crate) fn shows_the_skeleton(viewer: &Viewer) {
    let without = viewer.pause();
    viewer.display.key('b');
    viewer.wait_for_change(&without, SEEN, "the skeleton shows");
    let with = viewer.still_picture();
    viewer.keep("skeleton", &with);

    viewer.display.click(viewer.place("skeleton", 0.5, 0.5));
    viewer.wait_for_change(&with, SEEN, "the skeleton's button acts");
    viewer.display.point_at(viewer.place("viewport", 0.5, 0.05));
    viewer.wait_for_same(
        &without,
        SAME,
        "the skeleton's button hides it without a trace",
    );
}

pub(crate) fn chooses_another_clip(viewer: &Viewer) {
    viewer.display.key('1');
    viewer.display.keys(&[HOME]);
    let first = viewer.pause();
    viewer.display.key('2');
    viewer.wait_for_change(&first, SEEN, "the second clip has another pose");
    let second = viewer.pause();
    viewer.keep("second_clip", &second);
}

pub(crate) fn lists_the_keys(viewer: &Viewer) {
    let before = viewer.still_picture();
    viewer.display.keys(&[SHIFT, u32::from('/')]);
    viewer.wait_for_change(&before, SEEN, "the list of keys shows");
    let with = viewer.still_picture();
    viewer.keep("keys", &with);
    viewer.display.keys(&[ESCAPE]);
    viewer.wait_for_same(&before, SAME, "Escape closes the list of keys");
}

pub(crate) fn orbits_zooms_and_frames(viewer: &Viewer) {
    viewer.display.key('f');
    let before = viewer.still_picture();
    viewer.display.drag(
        viewer.place("viewport", 0.4, 0.5),
        viewer.place("viewport", 0.7, 0.4),
    );
    viewer.wait_for_change(&before, SEEN, "an orbit turns the model");
    viewer.still_picture();
    viewer.display.key('f');
    let orbited = viewer.still_picture();
    viewer.keep("orbited", &orbited);

    viewer.display.wheel(4);
    viewer.wait_for_change(&orbited, SEEN, "the wheel zooms in");
    let near = viewer.still_picture();
    viewer.keep("zoomed", &near);
    viewer.display.wheel(-8);
    viewer.wait_for_change(&near, SEEN, "the wheel zooms out");
    viewer.still_picture();

    viewer.display.key('f');
    viewer.wait_for_same(
        &orbited,
        SAME,
        "F frames the same pose from the same side as before",
    );
}

pub(crate) fn opens_a_dropped_file(viewer: &Viewer) {
    let before = viewer.still_picture();
    let file = file_to_drop("Wind mühle – 風 1.glb");
    let place = viewer.place("viewport", 0.5, 0.5);

    // First a file that is taken away again: nothing happens.
    let drag = viewer.display.drag_file(&file, viewer.window, place);
    sleep(Duration::from_millis(300));
    let hovering = viewer.picture();
    viewer.keep("file_held_over_the_window", &hovering);
    drag.leave();
    viewer.wait_for_same(&before, SAME, "a drag that left leaves no trace");

    let mark = viewer.log_length();
    viewer
        .display
        .drag_file(&file, viewer.window, place)
        .release();
    let line = viewer.wait_for_line(mark, "opened ");
    assert!(line.contains("Wind mühle – 風 1"), "{line}");
    viewer.wait("the title of the new model", |viewer| {
        viewer
            .display
            .title(viewer.window)
            .starts_with("Wind mühle – 風 1")
            .then_some(())
    });
    viewer.wait_for_change(&before, SEEN, "the new model shows");
    let opened = viewer.pause();
    viewer.keep("dropped_file_opened", &opened);

    if let Some(corpus) = std::env::var_os("RIGSCOPE_CORPUS") {
        let fox = PathBuf::from(corpus).join(FOX);
        let mark = viewer.log_length();
        viewer
            .display
            .drag_file(&fox, viewer.window, place)
            .release();
        viewer.wait_for_line(mark, "opened Fox");
        viewer.wait_for_change(&opened, SEEN, "the fox shows");
        let fox = viewer.pause();
        viewer.keep("fox", &fox);
    } else {
        println!("skipped a part: no corpus");
    }
}

pub(crate) fn keeps_the_model_when_a_file_is_broken(viewer: &Viewer) {
    let title = viewer.display.title(viewer.window);
    let before = viewer.still_picture();
    // A GLB header that promises more than there is.
    let broken = artefacts().join("broken.glb");
    fs::write(
        &broken,
        b"glTF\x02\x00\x00\x00\xff\xff\x00\x00\x10\x00\x00\x00JSON{\"asset\":",
    )
    .unwrap();

    let mark = viewer.log_length();
    let place = viewer.place("viewport", 0.5, 0.5);
    viewer
        .display
        .drag_file(&broken, viewer.window, place)
        .release();
    let line = viewer.wait_for_line(mark, "could not open broken.glb: ");
    assert!(line.starts_with("rigscope: "), "{line}");
    let message = viewer.wait("the message's place in the window", |viewer| {
        viewer.rect("message").filter(|rect| !rect.is_empty())
    });
    let after = viewer.still_picture();
    viewer.keep("broken_file", &after);
    let shown = changed(&crop(&before, message), &crop(&after, message));
    assert!(shown > 0.1, "the message is seen: {shown}");
    let moved = changed(&viewer.viewport(&before), &viewer.viewport(&after));
    assert!(moved < SAME, "the model before stays as it was: {moved}");
    assert_eq!(viewer.display.title(viewer.window), title);

    viewer.display.keys(&[ESCAPE]);
    viewer.wait("the message to go", |viewer| {
        viewer.rect("message").filter(|rect| rect.is_empty())
    });
    viewer.wait_for_same(&before, SAME, "Escape closes the message");
}

pub(crate) fn opens_a_pasted_path(viewer: &Viewer) {
    let file = file_to_drop("pasted path.glb");
    viewer.display.copy_text(&file.display().to_string());
    let mark = viewer.log_length();
    viewer.display.keys(&[CONTROL, u32::from('v')]);
    viewer.wait_for_line(mark, "opened pasted path");
    let opened = viewer.pause();
    viewer.keep("pasted_path_opened", &opened);
}

pub(crate) fn survives_any_size(viewer: &Viewer) {
    let before = viewer.still_picture();
    for (width, height) in [(640, 480), (40, 30), (1, 1), (300, 1), (640, 480)] {
        let got = viewer.resize(width, height);
        println!("asked for {width}x{height}, got {}x{}", got.0, got.1);
        let picture = viewer.picture();
        viewer.keep(&format!("size_{width}x{height}"), &picture);
    }
    assert_eq!(viewer.resize(SIZE.0, SIZE.1), SIZE);
    viewer.wait_for_same(&before, SAME, "the old size gives the old picture");
}

pub(crate) fn survives_being_minimised(viewer: &Viewer) {
    if !viewer.display.has_window_manager() {
        assert!(
            !nothing_may_be_skipped(),
            "minimising needs a window manager: openbox is not installed"
        );
        println!("skipped a part: no window manager");
        return;
    }
    let before = viewer.still_picture();
    viewer.display.iconify(viewer.window);
    viewer.wait("the window to go", |viewer| {
        (!viewer.display.is_visible(viewer.window)).then_some(())
    });
    let used = busy_share(viewer);
    assert!(used < IDLE, "minimised, the viewer uses {used} of a core");

    viewer.display.focus(viewer.window);
    viewer.wait("the window to come back", |viewer| {
        viewer.display.is_visible(viewer.window).then_some(())
    });
    viewer.wait_for_same(&before, SAME, "the picture is back");
    viewer.display.key(' ');
    viewer.wait_for_change(&before, SEEN, "it plays on");
    viewer.pause();
}

pub(crate) fn is_idle_when_nothing_moves(viewer: &Viewer) {
    viewer.display.point_at(viewer.place("viewport", 0.5, 0.5));
    viewer.still_picture();
    let used = busy_share(viewer);
    println!("idle: {:.1} % of a core", used * 100.0);
    assert!(used < IDLE, "paused, the viewer uses {used} of a core");
}

pub(crate) fn closes(viewer: &Viewer) {
    viewer.display.close(viewer.window);
    let status = viewer.wait_for_exit();
    assert_eq!(
        status.code(),
        Some(0),
        "closing the window ends the program without an error"
    );
    assert!(!viewer.has_panicked(), "no thread of the program panicked");
}

/// The share of one core that counts as none.
const IDLE: f64 = 0.03;

/// How much of one core the program uses over two seconds.
fn busy_share(viewer: &Viewer) -> f64 {
    const SPAN: Duration = Duration::from_secs(2);
    sleep(Duration::from_millis(500));
    let before = viewer.processor_secs();
    sleep(SPAN);
    (viewer.processor_secs() - before) / SPAN.as_secs_f64()
}

/// The Khronos sample model, below the corpus' folder.
const FOX: &str = "files/khronos-samples/Fox/glTF-Binary/Fox.glb";

/// A copy of the project's second model under a name of the test's choice.
fn file_to_drop(name: &str) -> PathBuf {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/windmill.glb");
    let file = artefacts().join(name);
    fs::copy(&model, &file).unwrap_or_else(|error| panic!("{}: {error}", model.display()));
    file
}
