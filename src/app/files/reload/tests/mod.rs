//! What stays of clips together, held morph weights and steps to undo.

mod camera;
mod clips;

use std::time::Duration;

use crate::{
    app::{Session, files::documents::tests::edited, time::FrameRate},
    import::{Import, Progress, load_bytes},
    scene::ReferencePose,
    ui::{
        BorrowedCommand, CameraCommand, Command, CompareCommand, CompareWith, DragCommand,
        HistoryCommand, InspectCommand, MixCommand, MixMode, MorphCommand, MotionCommand,
        NodesCommand, PlaybackCommand, PosingCommand, Sight, SkeletonCommand, TimeSpan,
        TimelineCommand,
    },
};

/// The built-in model with a camera on its head, changed by `edit`.
pub(super) fn import(edit: impl FnOnce(&mut serde_json::Value)) -> Import {
    let bytes = edited(0, |json| {
        json["cameras"] = serde_json::json!([{
            "type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1}
        }]);
        let nodes = json["nodes"].as_array_mut().unwrap();
        let head = nodes
            .iter_mut()
            .find(|node| node["name"] == "head")
            .unwrap();
        head["camera"] = 0.into();
        edit(json);
    });
    load_bytes("model.glb", &bytes, &Progress::default()).unwrap()
}

pub(super) fn session() -> Session {
    let mut session = Session::new(import(|_| {}), None, Duration::ZERO);
    session.set_aspect(1.5);
    session
}

pub(super) fn clip_of(session: &Session, name: &str) -> usize {
    let mut clips = session.model().clips.iter();
    clips.position(|clip| clip.name() == name).unwrap()
}

/// Name, how it is mixed, weight and mask of each clip of the mix.
pub(super) fn mixed(session: &Session) -> Vec<(String, MixMode, f32, Option<String>)> {
    let mut rows = Vec::new();
    session.mix_rows(&mut rows);
    let model = session.model();
    let row = |row: &crate::ui::MixRow| {
        let below = row
            .below
            .map(|node| model.hierarchy.nodes()[node].name.clone());
        let name = model.clips[row.clip].name().to_owned();
        (name, row.mode, row.weight, below)
    };
    rows.iter().map(row).collect()
}

/// Clips and morph targets in another order; nodes, too, but the last ones, which carry the meshes.
pub(super) fn turned(json: &mut serde_json::Value) {
    json["animations"].as_array_mut().unwrap().reverse();
}

/// Selects a node, and turns it by hand.
fn turn_by_hand(session: &mut Session, name: &str) {
    let nodes = session.model().hierarchy.nodes();
    let node = nodes.iter().position(|node| node.name == name);
    session.apply(Command::SelectNode(node));
    for command in [
        PosingCommand::BeginDrag,
        PosingCommand::Drag(DragCommand::Turn(1, 0.5)),
        PosingCommand::EndDrag,
    ] {
        session.apply(Command::Posing(command));
    }
}

#[test]
fn the_mix_stays() {
    let mut session = session();
    let [walk, wave, jump] = ["Walk", "Wave", "Jump"].map(|name| clip_of(&session, name));
    let chest = session.model().hierarchy.nodes();
    let chest = chest.iter().position(|node| node.name == "chest");
    for command in [
        Command::SelectClip(Some(walk)),
        Command::Mix(MixCommand::ToggleMixed(wave)),
        Command::Mix(MixCommand::SetMode(wave, MixMode::Add)),
        Command::Mix(MixCommand::SetBelow(wave, chest)),
        Command::Mix(MixCommand::ToggleMixed(jump)),
        Command::Mix(MixCommand::SetMode(jump, MixMode::Blend)),
        Command::Mix(MixCommand::SetWeight(jump, 0.25)),
    ] {
        session.apply(command);
    }
    for _ in 0..60 {
        session.tick(1.0 / 60.0);
    }
    session.update();
    let (before, pose) = (mixed(&session), session.actor().pose().clone());
    assert_eq!(before.len(), 2, "{before:?}");
    let layers = (session.clock().clone(), session.conflicts().to_vec());

    session.reload_model(import(turned), Duration::ZERO);
    session.update();
    assert_eq!(mixed(&session), before);
    assert_eq!(session.clip(), Some(clip_of(&session, "Walk")));
    assert_eq!(*session.clock(), layers.0);
    assert_eq!(session.conflicts().len(), layers.1.len());
    let same = session.actor().pose();
    for (old, new) in pose.world.iter().zip(&same.world) {
        assert!(old.abs_diff_eq(*new, 1e-5), "{old} {new}");
    }

    // What is gone is left out.
    let without = |json: &mut serde_json::Value| {
        let clips = json["animations"].as_array_mut().unwrap();
        clips.retain(|clip| clip["name"] != "Jump");
    };
    session.reload_model(import(without), Duration::ZERO);
    assert_eq!(mixed(&session), before[..1]);
}

#[test]
fn the_other_way_of_skinning_goes_with_the_skins() {
    let mut session = session();
    let with = CompareCommand::With(CompareWith::Skinning);
    session.apply(Command::Compare(with));
    session.set_aspects([0.75; 2]);
    session.update();
    session.reload_model(import(turned), Duration::ZERO);
    assert!(session.split().is_some(), "it stays as long as it can");
    let without = |json: &mut serde_json::Value| {
        let nodes = json["nodes"].as_array_mut().unwrap();
        for node in nodes {
            node.as_object_mut().unwrap().remove("skin");
        }
        json.as_object_mut().unwrap().remove("skins");
    };
    session.reload_model(import(without), Duration::ZERO);
    session.update();
    assert!(session.model().skins.is_empty());
    assert_eq!(session.split(), None);
    assert_eq!(session.compare_view().with, None);
}

#[test]
fn a_clip_selected_out_of_the_mix_comes_back_also_to_the_model_read_again() {
    let mut session = session();
    let [walk, wave] = ["Walk", "Wave"].map(|name| clip_of(&session, name));
    for command in [
        Command::SelectClip(Some(walk)),
        Command::Mix(MixCommand::ToggleMixed(wave)),
        Command::Mix(MixCommand::SetWeight(wave, 0.25)),
    ] {
        session.apply(command);
    }
    let before = mixed(&session);
    session.apply(Command::SelectClip(Some(wave)));
    assert!(mixed(&session).is_empty());
    session.reload_model(import(turned), Duration::ZERO);
    session.apply(Command::History(HistoryCommand::Undo));
    session.update();
    assert_eq!(session.clip(), Some(clip_of(&session, "Walk")));
    assert_eq!(mixed(&session), before);
}

#[test]
fn a_mix_without_a_chosen_clip_keeps_its_time() {
    let mut session = session();
    let wave = clip_of(&session, "Wave");
    session.apply(Command::SelectClip(None));
    session.apply(Command::Mix(MixCommand::ToggleMixed(wave)));
    for _ in 0..30 {
        session.tick(1.0 / 60.0);
    }
    let clock = session.clock().clone();
    assert!(clock.time_secs() > 0.2);
    session.reload_model(import(turned), Duration::ZERO);
    assert_eq!(*session.clock(), clock);
    assert_eq!(mixed(&session).len(), 1);
}

#[test]
fn each_clip_keeps_the_part_of_it_that_loops() {
    let mut session = session();
    let part = |from_secs: f64, to_secs: f64| {
        let span = TimeSpan { from_secs, to_secs };
        Command::Timeline(TimelineCommand::SetRange(Some(span)))
    };
    for (name, from_secs) in [("Walk", 0.1), ("Run", 0.2)] {
        let clip = clip_of(&session, name);
        session.apply(Command::SelectClip(Some(clip)));
        session.apply(part(from_secs, 0.4));
    }
    session.reload_model(import(turned), Duration::ZERO);
    let check = |session: &mut Session, name: &str, range| {
        let clip = clip_of(session, name);
        session.apply(Command::SelectClip(Some(clip)));
        assert_eq!(session.clock().range_secs(), range, "{name}");
    };
    for _ in 0..2 {
        check(&mut session, "Walk", Some((0.1, 0.4)));
        check(&mut session, "Run", Some((0.2, 0.4)));
        check(&mut session, "Idle", None);
    }
    // What marked them is taken back, too.
    session.apply(Command::History(HistoryCommand::Undo));
    check(&mut session, "Run", None);
    check(&mut session, "Walk", Some((0.1, 0.4)));
    session.open_model(import(|_| {}), None, Duration::ZERO);
    assert_eq!(session.clock().range_secs(), Some((0.1, 0.4)));
    check(&mut session, "Idle", None);
    check(&mut session, "Walk", Some((0.1, 0.4)));
}

/// What lies in its place is another clip that was there before, and the user did not choose that.
#[test]
fn no_other_clip_takes_the_place_of_one_that_is_gone() {
    let mut session = session();
    let clip = clip_of(&session, "Walk");
    session.apply(Command::SelectClip(Some(clip)));
    let without_walk = |json: &mut serde_json::Value| {
        json["animations"].as_array_mut().unwrap().remove(clip);
    };
    session.reload_model(import(without_walk), Duration::ZERO);
    assert_eq!(session.clip(), None);
    let message = session.message().expect("it is said");
    assert_eq!(
        message.title,
        "The clip \"Walk\" is not in the file any more"
    );
    // One that has a new name is the same.
    session.reload_model(import(|_| {}), Duration::ZERO);
    session.apply(Command::SelectClip(Some(clip)));
    let rename = |json: &mut serde_json::Value| {
        json["animations"][clip]["name"] = "Stroll".into();
    };
    session.reload_model(import(rename), Duration::ZERO);
    assert_eq!(session.clip(), Some(clip));
}

/// What the user has made counts more than what the camera does.
#[test]
fn what_is_lost_of_a_pose_is_said_of_a_model_in_another_unit_too() {
    let saved = |scale: f64, has_locator: bool| {
        import(move |json| {
            let roots = json["scenes"][0]["nodes"].take();
            let nodes = json["nodes"].as_array_mut().unwrap();
            let place = nodes.len();
            let scale = [scale; 3];
            nodes.push(serde_json::json!({"name": "unit", "scale": scale, "children": roots}));
            let mut roots = vec![place];
            if has_locator {
                nodes.push(serde_json::json!({"name": "locator"}));
                roots.push(place + 1);
            }
            json["scenes"][0]["nodes"] = serde_json::json!(roots);
        })
    };
    let mut session = Session::new(saved(1.0, true), None, Duration::ZERO);
    session.set_aspect(1.5);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    turn_by_hand(&mut session, "locator");
    assert_eq!(session.posing_view().changed, 1);
    session.reload_model(saved(0.01, false), Duration::ZERO);
    let title = session.message().map(|message| &*message.title);
    assert_eq!(title, Some("The pose made by hand of locator is gone"));
}

/// Steps hold the nodes, weights and clips of the model that was there before.
#[test]
fn what_was_changed_is_taken_back_after_the_file_was_read_again() {
    let mut session = session();
    let hidden = |session: &Session| {
        let hiding = session.actor().hiding();
        let nodes = session.model().hierarchy.nodes().iter().enumerate();
        let names = nodes.filter(|(node, _)| hiding.of(*node) == Sight::Hidden);
        names.map(|(_, node)| node.name.clone()).collect::<Vec<_>>()
    };
    let node = |session: &Session, name: &str| {
        let nodes = session.model().hierarchy.nodes();
        nodes.iter().position(|node| node.name == name).unwrap()
    };
    let [walk, wave] = ["Walk", "Wave"].map(|name| clip_of(&session, name));
    let head = node(&session, "head");
    for command in [
        Command::SelectClip(Some(walk)),
        Command::Nodes(NodesCommand::ToggleHidden(head)),
        Command::Morphs(MorphCommand::Hold(1, 0.75)),
        Command::Mix(MixCommand::ToggleMixed(wave)),
        Command::Mix(MixCommand::EndMix),
        Command::Morphs(MorphCommand::ReleaseAll),
        Command::Nodes(NodesCommand::ShowAll),
    ] {
        session.apply(command);
    }
    let name = session.history_view().undo.map(str::to_owned);
    session.reload_model(import(turned), Duration::ZERO);
    session.update();
    assert_eq!(session.history_view().undo, name.as_deref());
    let undo = Command::History(HistoryCommand::Undo);
    session.apply(undo.clone());
    assert_eq!(hidden(&session), ["head"]);
    session.apply(undo.clone());
    let model = session.model();
    let places = session.actor().held_weights();
    let mut nodes = model.hierarchy.iter();
    let (_, owner) = nodes
        .find(|(_, node)| node.weights.contains(&places[0]))
        .unwrap();
    let mesh = &model.meshes[owner.mesh.unwrap()];
    let held = mesh.target_name(places[0] - owner.weights.start);
    drop(nodes);
    let first = import(|_| {}).model;
    let mut nodes = first.hierarchy.iter();
    let (_, owner) = nodes.find(|(_, node)| node.weights.contains(&1)).unwrap();
    let mesh = &first.meshes[owner.mesh.unwrap()];
    assert_eq!(held, mesh.target_name(1 - owner.weights.start));
    session.apply(undo);
    assert_eq!(mixed(&session)[0].0, "Wave");
}

#[test]
fn held_morph_weights_stay_by_their_names() {
    let mut session = session();
    let places = session.model().hierarchy.rest_weights().len();
    assert_eq!(places, 5);
    session.apply(Command::Morphs(MorphCommand::Hold(1, 0.75)));
    session.apply(Command::Morphs(MorphCommand::Hold(4, 0.5)));
    session.reload_model(
        import(|json| {
            let meshes = json["meshes"].as_array_mut().unwrap();
            let names = meshes[1]["extras"]["targetNames"].as_array_mut().unwrap();
            names.swap(1, 3);
        }),
        Duration::ZERO,
    );
    session.update();
    let held: Vec<_> = session.actor().held().values().collect();
    assert_eq!(held, [(3, 0.75), (4, 0.5)]);
    assert_eq!(session.actor().pose().weights[3], 0.75);
}

/// What panels remember of nodes, as which are folded, goes with them.
#[test]
fn it_is_said_where_nodes_are_now() {
    let mut session = session();
    let names = |session: &Session| {
        let nodes = session.model().hierarchy.nodes().iter();
        nodes.map(|node| node.name.clone()).collect::<Vec<_>>()
    };
    let before = names(&session);
    session.note_drawn();
    let drawn = session.model_generation();
    let with_root = |json: &mut serde_json::Value| {
        let nodes = json["nodes"].as_array_mut().unwrap();
        nodes.push(serde_json::json!({"name": "locator"}));
        let place = nodes.len() - 1;
        let roots = json["scenes"][0]["nodes"].as_array_mut().unwrap();
        roots.insert(0, place.into());
    };
    session.reload_model(import(with_root), Duration::ZERO);
    let now = names(&session);
    assert_eq!(now.len(), before.len() + 1);
    let check = |session: &Session, drawn: u64, before: &[String]| {
        let now = names(session);
        let (generation, moved) = session.files_view().moved_nodes;
        assert_eq!((generation, moved.len()), (drawn, before.len()));
        for (name, place) in before.iter().zip(moved) {
            assert_eq!(place.map(|place| &now[place]), Some(name));
        }
    };
    check(&session, drawn, &before);
    // However often it is read again before the panels are drawn once more.
    session.reload_model(import(|_| {}), Duration::ZERO);
    session.reload_model(import(with_root), Duration::ZERO);
    check(&session, drawn, &before);
    session.note_drawn();
    let drawn = session.model_generation();
    let with_two = |json: &mut serde_json::Value| {
        with_root(json);
        with_root(json);
    };
    session.reload_model(import(with_two), Duration::ZERO);
    check(&session, drawn, &now);
}

#[test]
fn a_held_pose_stays() {
    let mut session = session();
    let held = SkeletonCommand::Hold(Some(ReferencePose::Bind));
    session.apply(Command::Skeleton(held));
    session.reload_model(import(turned), Duration::ZERO);
    assert_eq!(session.held_pose(), Some(ReferencePose::Bind));
}

#[test]
fn a_frame_rate_that_was_set_stays() {
    let mut session = session();
    let walk = clip_of(&session, "Walk");
    session.apply(Command::SelectClip(Some(walk)));
    assert_eq!(session.timeline.rate, FrameRate::Guessed(30.0));
    for rate in [30.0, 12.0] {
        session.apply(Command::Playback(PlaybackCommand::SetFrameRate(rate)));
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(session.timeline.rate, FrameRate::Set(rate));
    }
    let other = (0..).find(|clip| *clip != walk);
    session.apply(Command::SelectClip(other));
    session.reload_model(import(|_| {}), Duration::ZERO);
    assert_eq!(
        session.timeline.rate,
        FrameRate::Guessed(30.0),
        "another clip, its own rate"
    );
}

#[test]
fn what_did_not_match_of_added_clips_is_said_again() {
    let mut session = session();
    let other = import(|json| {
        let nodes = json["nodes"].as_array_mut().unwrap();
        let head = nodes.iter_mut().find(|node| node["name"] == "head");
        head.unwrap()["name"] = "beak".into();
    });
    session.add_clips("bird.glb", other.model);
    let said = |session: &Session| {
        let diagnostics = session.document.findings.iter();
        let of_clips = diagnostics.filter(|it| it.code.starts_with("CLIP_NODE_MISSING"));
        of_clips.map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    let before = said(&session);
    assert!(before.iter().any(|it| it.contains("beak")), "{before:?}");
    for _ in 0..2 {
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(said(&session), before);
    }
}

#[test]
fn what_can_be_taken_back_and_what_is_looked_at_stay() {
    let mut session = session();
    session.apply(Command::SelectClip(Some(clip_of(&session, "Walk"))));
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    turn_by_hand(&mut session, "head");
    let span = TimeSpan {
        from_secs: 0.25,
        to_secs: 0.75,
    };
    session.apply(Command::Timeline(TimelineCommand::Show(Some(span))));
    session.apply(Command::Inspect(InspectCommand::Material(1)));
    let inspected = session.inspected;
    session.reload_model(import(turned), Duration::ZERO);
    session.update();
    assert_eq!(session.posing_view().changed, 1);
    session.apply(Command::History(HistoryCommand::Undo));
    session.update();
    assert_eq!(session.posing_view().changed, 0);
    assert_eq!(session.timeline.shown(), Some(span));
    assert_eq!(session.inspected, inspected);
}
