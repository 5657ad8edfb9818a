//! Clips of other files: what they are called, what is said of them, and what becomes of them when they are read again.

use std::time::Duration;

use glam::Quat;

use super::*;
use crate::{
    app::{ShownFiles, built_in, panels::Rows, time::OddFindings},
    import::{self, Import, Outside, Progress},
    model::{ClipBuilder, Hierarchy, Interpolation, Node, NodeId, Timeline},
    ui::{
        BorrowedCommand, Command, CompareCommand, CompareWith, MixCommand, MixMode,
        PlaybackCommand, SavingCommand,
    },
};

#[test]
fn clips_of_another_file_say_which() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let own = session.clip_names();
    let mut other = built_in::load("Pip").unwrap().model;
    let unnamed = || ClipBuilder::new("").finish();
    let lent = [other.clips[0].clone(), unnamed(), unnamed()];
    other.clips = lent.into();
    session.add_clips("library.glb", other);
    let names = session.clip_names();
    assert_eq!(names[..own.len()], own, "its own are called as before");
    let lent = [
        "Idle (library.glb)",
        "clip 1 (library.glb)",
        "clip 2 (library.glb)",
    ];
    assert_eq!(names[own.len()..], lent);
}

/// Clips that are saved have their whole names.
#[test]
fn the_window_leaves_out_what_all_names_begin_with() {
    let mut import = built_in::load("Pip").unwrap();
    let clips = ["Rig|Walk", "Rig|Run"].map(|name| ClipBuilder::new(name).finish());
    import.model.clips = clips.into();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.apply(Command::SelectClip(Some(0)));
    assert_eq!(session.clip_names(), ["Rig|Walk", "Rig|Run"]);
    assert_eq!(session.short_clip_names(), ["Walk", "Run"]);
    session.apply(Command::Saving(SavingCommand::ToggleAnimation));
    let view = session.saving_view();
    assert_eq!((view.what, view.clip_name), ("Walk", "Rig|Walk 2"));
    let name = view.file_name;
    assert!(name.starts_with("Pip Walk 2."), "{name}");
    session.apply(Command::Mix(MixCommand::ToggleMixed(1)));
    let undo = session.history_view().undo;
    assert_eq!(undo, Some("Run into the mix"));
}

#[test]
fn steps_say_which_of_two_clips_of_one_name() {
    let mut import = built_in::load("Pip").unwrap();
    let clips = ["Rig|Walk", "Rig|Run", "Rig|Run"].map(|name| ClipBuilder::new(name).finish());
    import.model.clips = clips.into();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::Mix(MixCommand::ToggleMixed(2)));
    let undo = session.history_view().undo;
    assert_eq!(undo, Some("Run (2nd) into the mix"));
}

/// In the list, where they conflict, and where they are compared.
#[test]
fn clips_of_two_files_of_one_name_say_which_everywhere() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let own = session.clip_names().len();
    let mut lent = built_in::load("Pip").unwrap().model;
    lent.clips = [lent.clips[0].clone()].into();
    session.add_clips("/x/a/anim.glb", lent.clone());
    assert_eq!(session.clip_names()[own], "Idle (anim.glb)");
    session.add_clips("/x/b/anim.glb", lent);
    let names = session.clip_names();
    assert_eq!(names[own..], ["Idle (a/anim.glb)", "Idle (b/anim.glb)"]);
    let rows = session.document.borrowed.rows().iter();
    let rows = rows.map(|row| &*row.name);
    assert!(rows.eq(["a/anim.glb", "b/anim.glb"]));

    session.apply(Command::SelectClip(Some(own)));
    for command in [
        MixCommand::ToggleMixed(own + 1),
        MixCommand::SetMode(own + 1, MixMode::Together),
    ] {
        session.apply(Command::Mix(command));
    }
    assert_eq!(session.conflicts()[0].names, names[own..]);

    for (clip, with) in [(0, own), (own, 0), (own, own + 1)] {
        session.apply(Command::SelectClip(Some(clip)));
        let with_clip = CompareCommand::With(CompareWith::Clip(with));
        session.apply(Command::Compare(with_clip));
        session.update();
        session.name_compared();
        assert_eq!(session.compare_view().names, [&*names[clip], &names[with]]);
    }
}

#[test]
fn what_is_said_of_two_files_of_one_name_says_which() {
    let path = Some("/x/Pip.glb".into());
    let mut session = Session::new(built_in::load("Pip").unwrap(), path, Duration::ZERO);
    let mut lent = built_in::load("Pip").unwrap().model;
    lent.clips = [lent.clips[1].clone()].into();
    let mut stranger = lent.clone();
    stranger.hierarchy = Hierarchy::new(
        vec![Node::default(); lent.hierarchy.len()],
        &vec![None; lent.hierarchy.len()],
        &vec![Vec::new(); lent.hierarchy.len()],
    )
    .unwrap();
    let titles = |session: &Session| session.message().unwrap().title.clone();
    for (path, title) in [
        ("/x/a/anim.glb", "1 clip of anim.glb added"),
        ("/x/b/anim.glb", "1 clip of b/anim.glb added"),
        // The model's own file counts.
        ("/x/b/Pip.glb", "1 clip of b/Pip.glb added"),
    ] {
        session.add_clips(path, lent.clone());
        assert_eq!(titles(&session), title);
    }
    let notes = session.document.findings.iter();
    let notes = notes.filter(|it| it.code == UNMOVED).map(|it| &*it.message);
    let notes: Vec<_> = notes.collect();
    for file in ["a/anim.glb", "b/anim.glb", "b/Pip.glb"] {
        let start = format!("no clip of {file} moves");
        let mut of_file = notes.iter().filter(|it| it.starts_with(&start));
        assert!(of_file.next().is_some(), "{notes:?}");
    }
    assert!(!notes.iter().any(|it| it.contains(" of anim.glb")));
    session.add_clips("/x/c/anim.glb", stranger);
    let refused = "The clips of c/anim.glb do not fit this model";
    assert_eq!(titles(&session), refused);
}

/// A triangle that is hidden, with what `more` has to say of animations.
fn hidden_triangle(more: &str) -> Import {
    let data = "AAAAvwAAAAAAAAAAAAAAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8BAQAA";
    let text = format!(
        r#"{{
            "asset": {{ "version": "2.0" }},
            "extensionsUsed": ["KHR_node_visibility", "KHR_animation_pointer"],
            "scenes": [{{ "nodes": [0] }}],
            "nodes": [{{
                "name": "blade", "mesh": 0, "extensions": {{ "KHR_node_visibility": {{ "visible": false }} }}
            }}],
            "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }} }}] }}],
            "accessors": [
                {{
                    "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                    "min": [-0.5, 0, 0], "max": [0.5, 1, 0]
                }},
                {{ "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] }},
                {{ "bufferView": 2, "componentType": 5121, "count": 2, "type": "SCALAR" }}
            ],
            "bufferViews": [
                {{ "buffer": 0, "byteLength": 36 }},
                {{ "buffer": 0, "byteOffset": 36, "byteLength": 8 }},
                {{ "buffer": 0, "byteOffset": 44, "byteLength": 2 }}
            ],
            "buffers": [{{ "byteLength": 48, "uri": "data:application/octet-stream;base64,{data}" }}]
            {more}
        }}"#
    );
    import::load_bytes("blade.gltf", text.as_bytes(), &Progress::default()).unwrap()
}

#[test]
fn a_clip_of_another_file_shows_what_is_hidden() {
    let mut session = Session::new(hidden_triangle(""), None, Duration::ZERO);
    assert!(session.actor().layout().placements().is_empty());
    let mut rows = Rows::default();
    rows.update(&session, OddFindings::default());
    assert!(!rows.nodes.list()[0].in_scene);
    let clip = r#", "animations": [{
        "samplers": [{ "input": 1, "output": 2, "interpolation": "STEP" }],
        "channels": [{ "sampler": 0, "target": { "path": "pointer", "extensions": {
            "KHR_animation_pointer": { "pointer": "/nodes/0/extensions/KHR_node_visibility/visible" }
        } } }]
    }]"#;
    session.add_clips("shows.gltf", hidden_triangle(clip).model);
    session.update();
    let actor = session.actor();
    assert_eq!(actor.layout().placements().len(), 1);
    assert!(!actor.draws()[0].is_hidden);
    rows.update(&session, OddFindings::default());
    assert!(rows.nodes.list()[0].in_scene);
}

/// Clips of these names and lengths for Pip.
fn lent(clips: &[(&str, f32)]) -> Model {
    lent_for(NodeId(0), clips)
}

/// Clips of these names and lengths that move one node of Pip's.
fn lent_for(node: NodeId, clips: &[(&str, f32)]) -> Model {
    let mut model = built_in::load("Pip").unwrap().model;
    let clips = clips.iter().map(|&(name, secs)| {
        let mut clip = ClipBuilder::new(name);
        let timeline = clip.timeline(Timeline::new(vec![0.0, secs]).unwrap());
        let (kind, turns) = (Interpolation::Linear, vec![Quat::IDENTITY; 2]);
        clip.rotation(node, timeline, kind, turns).unwrap();
        clip.finish()
    });
    model.clips = clips.collect();
    model
}

/// That with its root at rest turned.
fn turned(mut model: Model) -> Model {
    let mut nodes = model.hierarchy.nodes().to_vec();
    nodes[0].rest.rotation *= Quat::from_rotation_x(1.2);
    let parents = nodes.iter().map(|node| node.parent.map(NodeId::index));
    let parents: Vec<_> = parents.collect();
    let weights = vec![Vec::new(); nodes.len()];
    model.hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
    model
}

fn file(path: &str) -> ClipFile {
    ClipFile {
        path: path.into(),
        parts: Vec::new(),
    }
}

/// First clip and number of clips of each file.
fn places(session: &Session) -> Vec<(usize, usize)> {
    let rows = session.document.borrowed.rows().iter();
    rows.map(|row| (row.first, row.count)).collect()
}

/// Pip with two clips of a file and one of another, which plays beside the second one.
fn borrowing() -> (Session, usize) {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let own = session.model().clips.len();
    session.add_clips("/x/a.glb", lent(&[("Stroll", 1.0), ("Sprint", 2.0)]));
    session.add_clips("/x/b.glb", lent(&[("Swim", 1.5)]));
    for command in [
        Command::SelectClip(Some(own + 1)),
        Command::Playback(PlaybackCommand::TogglePlay),
        Command::Playback(PlaybackCommand::Seek(1.75)),
        Command::Mix(MixCommand::ToggleMixed(own + 2)),
    ] {
        session.apply(command);
    }
    (session, own)
}

fn mixed(session: &Session) -> Vec<usize> {
    let mut rows = Vec::new();
    session.mix_rows(&mut rows);
    rows.iter().map(|row| row.clip).collect()
}

/// In commands a name is first looked for among the clips of other files.
#[test]
fn clips_of_one_name_are_told_apart_in_commands() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let own = session.model().clips.len();
    session.add_clips("/x/a.glb", lent(&[("Walk", 1.0)]));
    let files = ShownFiles {
        model: vec!["/x/pip.glb".into()],
        open_anyway: false,
        outside: Outside::Refused,
        second_file: None,
        left_out: Vec::new(),
    };
    for (clip, wanted) in [(1, "1"), (own, "Walk"), (0, "Idle")] {
        session.apply(Command::SelectClip(Some(clip)));
        let command = session.render_command(&files, [64, 48]);
        let mut words = command.words().iter().skip_while(|word| *word != "--clip");
        assert_eq!(words.nth(1).unwrap(), wanted);
    }
}

#[test]
fn a_file_that_is_added_again_has_its_clips_where_they_were() {
    let (mut session, own) = borrowing();
    let generation = session.model_generation();
    let shorter = || lent(&[("Stroll", 1.0), ("Sprint", 1.25)]);
    session.add_clips("/x/a.glb", shorter());
    assert_eq!(places(&session), [(own, 2), (own + 2, 1)]);
    assert_eq!(session.clip_names()[own..], ["Stroll", "Sprint", "Swim"]);
    assert_eq!(session.clip(), Some(own + 1));
    assert_eq!(session.clock().duration_secs(), 1.25);
    assert_eq!(mixed(&session), [own + 2]);
    let title = &session.message().unwrap().title;
    assert_eq!(title, "2 clips of a.glb read again");
    assert_eq!(
        session.model_generation(),
        generation,
        "nothing is uploaded again"
    );
    // Read again without being asked for, it says nothing.
    session.apply(Command::DismissMessage);
    session.take_clips_again(file("/x/a.glb"), shorter());
    session.take_clips_again(file("/x/c.glb"), shorter());
    assert_eq!(session.message(), None);
    assert_eq!(places(&session), [(own, 2), (own + 2, 1)]);
}

#[test]
fn a_file_that_is_added_again_has_the_keys_of_its_clips_now() {
    let (mut session, _) = borrowing();
    let mut rows = Rows::default();
    for (node, secs) in [(0, 2.0), (1, 1.25)] {
        let clips = [("Stroll", 1.0), ("Sprint", secs)];
        session.add_clips("/x/a.glb", lent_for(NodeId(node), &clips));
        session.update();
        rows.update(&session, OddFindings::default());
        assert_eq!(rows.key_times.secs(), [0.0, secs]);
        let nodes = rows.nodes.list();
        let animated = nodes.iter().map(|row| row.is_animated);
        let expected = (0..nodes.len()).map(|place| place == node as usize);
        assert!(animated.eq(expected), "node {node}");
    }
}

#[test]
fn a_file_that_is_added_again_with_other_clips_takes_the_choice_along() {
    let (mut session, own) = borrowing();
    let found = session.document.findings.len();
    let more = lent(&[("Skip", 1.0), ("Stroll", 1.0), ("Sprint", 1.25)]);
    session.add_clips("/x/a.glb", more);
    assert_eq!(places(&session), [(own, 3), (own + 3, 1)]);
    let names = ["Skip", "Stroll", "Sprint", "Swim"];
    assert_eq!(session.clip_names()[own..], names);
    assert_eq!(session.clip(), Some(own + 2));
    assert_eq!(session.clock().duration_secs(), 1.25);
    assert_eq!(mixed(&session), [own + 3]);
    assert_eq!(session.own_clip_count(), own);
    assert_eq!(
        session.document.findings.len(),
        found,
        "nothing is listed twice"
    );
    // What does not fit any more changes nothing.
    let mut stranger = lent(&[("Swim", 1.0)]);
    let count = stranger.hierarchy.len();
    let nodes = vec![Node::default(); count];
    stranger.hierarchy =
        Hierarchy::new(nodes, &vec![None; count], &vec![Vec::new(); count]).unwrap();
    session.add_clips("/x/b.glb", stranger);
    let message = session.message().unwrap();
    assert_eq!(message.title, "The clips of b.glb stay as they were");
    assert!(message.detail.starts_with("None of the "), "{message:?}");
    assert!(message.detail.ends_with('.'), "{message:?}");
    assert_eq!(session.clip_names()[own..], names);
}

#[test]
fn a_file_that_is_taken_out_leaves_the_others_as_they_were() {
    let (mut session, own) = borrowing();
    session.apply(Command::Borrowed(BorrowedCommand::TakeOut(7)));
    assert_eq!(places(&session), [(own, 2), (own + 2, 1)]);
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::Borrowed(BorrowedCommand::TakeOut(0)));
    assert_eq!(places(&session), [(own, 1)]);
    assert_eq!(session.clip_names()[own..], ["Swim"]);
    assert_eq!((session.clip(), mixed(&session)), (Some(0), vec![own]));
    let title = &session.message().unwrap().title;
    assert_eq!(title, "2 clips of a.glb taken out");
    // What plays goes with its file.
    session.apply(Command::SelectClip(Some(own)));
    session.apply(Command::Borrowed(BorrowedCommand::TakeOut(0)));
    assert_eq!(session.clip(), None);
    assert_eq!(session.model().clips.len(), own);
    assert!(session.document.borrowed.rows().is_empty());
}

/// As exporters call them that give all clips one name.
#[test]
fn clips_of_one_name_stay_those_of_their_files() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let own = session.model().clips.len();
    for (place, path) in ["/x/a.glb", "/x/b.glb", "/x/c.glb"].into_iter().enumerate() {
        session.add_clips(path, lent(&[("Take", 1.0 + place as f32)]));
    }
    session.apply(Command::SelectClip(Some(own + 1)));
    session.apply(Command::Mix(MixCommand::ToggleMixed(own + 2)));
    session.add_clips("/x/a.glb", lent(&[("Take", 1.0), ("Take", 1.5)]));
    assert_eq!(
        (session.clip(), mixed(&session)),
        (Some(own + 2), vec![own + 3])
    );
    session.apply(Command::Borrowed(BorrowedCommand::TakeOut(0)));
    assert_eq!(
        (session.clip(), mixed(&session)),
        (Some(own), vec![own + 1])
    );
    assert_eq!(session.clock().duration_secs(), 2.0);
}

/// A file is read again whenever it is saved: its message may not have been read by then.
#[test]
fn an_offer_to_retarget_stays_while_the_file_needs_it() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let clips = |secs| lent(&[("Stroll", secs)]);
    session.add_clips("/x/a.glb", turned(clips(1.0)));
    let more = lent(&[("Stroll", 1.0), ("Sprint", 2.0)]);
    for saved in [clips(1.25), more, clips(1.5)] {
        session.take_clips_again(file("/x/a.glb"), turned(saved));
        let message = session.message().unwrap();
        assert_eq!(message.offer, Some(Offer::Retarget(0)));
    }
    session.take_clips_again(file("/x/a.glb"), clips(1.0));
    assert_eq!(session.message(), None);
}

#[test]
fn what_is_wrong_with_a_file_is_over_also_if_it_is_called_otherwise_by_then() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let clips = || lent(&[("Stroll", 1.0)]);
    session.add_clips("/x/a/walk.glb", clips());
    session.keep_clips(&file("/x/a/walk.glb"), "torn");
    session.add_clips("/x/b/walk.glb", clips());
    assert_eq!(session.document.borrowed.rows()[0].name, "a/walk.glb");
    session.apply(Command::DismissMessage);
    let message = session.message().unwrap();
    assert_eq!(message.title, "The clips of walk.glb stay as they were");
    assert_eq!(message.detail, "Torn.", "as all messages");
    session.keep_clips(&file("/x/a/walk.glb"), "torn");
    let title = "The clips of a/walk.glb stay as they were";
    assert_eq!(session.message().unwrap().title, title);
    session.take_clips_again(file("/x/a/walk.glb"), clips());
    assert_eq!(session.message(), None);
}
