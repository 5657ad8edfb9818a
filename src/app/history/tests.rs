//! One history of all that is changed, in the order in which it was.

use std::time::Duration;

use super::*;
use crate::{
    app::built_in,
    ui::{DragCommand, HistoryCommand, MixMode, PlaybackCommand, PosingCommand, TimeSpan},
};

fn session() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.5);
    ask(&mut session, Command::Playback(PlaybackCommand::TogglePlay));
    session
}

fn ask(session: &mut Session, command: Command) {
    session.apply(command);
    session.update();
}

fn undo(session: &mut Session) -> Option<String> {
    let words = session.history_view().undo.map(str::to_owned);
    ask(session, Command::History(HistoryCommand::Undo));
    assert_eq!(session.history_view().redo, words.as_deref());
    words
}

fn node(session: &Session, name: &str) -> usize {
    let nodes = session.model().hierarchy.nodes();
    nodes.iter().position(|node| node.name == name).unwrap()
}

fn clip(session: &Session, name: &str) -> usize {
    let mut clips = session.model().clips.iter();
    clips.position(|clip| clip.name() == name).unwrap()
}

/// All that there is of each kind.
fn state(session: &Session) -> [Edit; 5] {
    [
        Edit::Pose(session.hand_pose()),
        session.edit_now(Kind::Weights),
        session.edit_now(Kind::Hiding),
        session.edit_now(Kind::Mix),
        session.edit_now(Kind::Range),
    ]
}

fn range(from_secs: f64, to_secs: f64) -> Command {
    let span = TimeSpan { from_secs, to_secs };
    Command::Timeline(TimelineCommand::SetRange(Some(span)))
}

#[test]
fn all_that_is_changed_is_taken_back_in_its_order() {
    let mut session = session();
    let head = node(&session, "head");
    let wave = clip(&session, "Wave");
    let place = DragCommand::Place(crate::anim::PosingPart::Rotation, 1, 40.0);
    let morph = session.morph(1);
    ask(&mut session, Command::SelectNode(Some(head)));
    let changes = [
        (Command::Nodes(NodesCommand::ToggleHidden(2)), None),
        (
            Command::Nodes(NodesCommand::ToggleChosenHidden),
            Some("hide head".to_owned()),
        ),
        (
            Command::Nodes(NodesCommand::ToggleHidden(head)),
            Some("show head".to_owned()),
        ),
        (
            Command::Morphs(MorphCommand::Hold(1, 0.5)),
            Some(format!("set {morph}")),
        ),
        (
            Command::Posing(PosingCommand::Drag(place)),
            Some("rotation of head".to_owned()),
        ),
        (
            Command::Mix(MixCommand::ToggleMixed(wave)),
            Some("Wave into the mix".to_owned()),
        ),
        (
            Command::Mix(MixCommand::SetMode(wave, MixMode::Add)),
            Some("how Wave is mixed".to_owned()),
        ),
        (
            Command::Mix(MixCommand::SetWeight(wave, 0.25)),
            Some("weight of Wave".to_owned()),
        ),
        (Command::Mix(MixCommand::SetBelow(wave, Some(head))), None),
        (range(0.1, 0.4), Some("part of Idle that loops".to_owned())),
        (
            Command::Timeline(TimelineCommand::SetRange(None)),
            Some("loop all of Idle".to_owned()),
        ),
        (
            Command::Mix(MixCommand::EndMix),
            Some("end the mix".to_owned()),
        ),
        (
            Command::Morphs(MorphCommand::Release(1)),
            Some(format!("release {morph}")),
        ),
        (
            Command::Nodes(NodesCommand::ShowAll),
            Some("show all nodes".to_owned()),
        ),
        (
            Command::Posing(PosingCommand::ResetAll),
            Some("reset all joints".to_owned()),
        ),
    ];
    let mut states = vec![state(&session)];
    for (place, (command, words)) in changes.iter().enumerate() {
        ask(&mut session, command.clone());
        assert_eq!(session.history.len(), place + 1, "{command:?}");
        if let Some(words) = words {
            assert_eq!(session.history_view().undo, Some(&**words));
        }
        states.push(state(&session));
    }
    for before in states.iter().rev().skip(1) {
        undo(&mut session).unwrap();
        assert_eq!(state(&session), *before);
    }
    assert_eq!(session.history_view().undo, None);
    for after in &states[1..] {
        ask(&mut session, Command::History(HistoryCommand::Redo));
        assert_eq!(state(&session), *after);
    }
    assert_eq!(session.history_view().redo, None);
    undo(&mut session);
    ask(&mut session, Command::Nodes(NodesCommand::ToggleHidden(4)));
    assert_eq!(session.history_view().redo, None, "another way is taken");
}

#[test]
fn a_slider_that_is_dragged_is_one_step() {
    let mut session = session();
    let wave = clip(&session, "Wave");
    ask(&mut session, Command::Mix(MixCommand::ToggleMixed(wave)));
    let hold = |weight: usize, value| Command::Morphs(MorphCommand::Hold(weight, value));
    let mix = |value| Command::Mix(MixCommand::SetWeight(wave, value));
    let drags = [
        [hold(0, 0.1), hold(0, 0.2), hold(0, 0.3)],
        [hold(0, 0.4), hold(0, 0.5), hold(0, 0.6)],
        [mix(0.1), mix(0.2), mix(0.3)],
        [range(0.1, 0.5), range(0.2, 0.5), range(0.3, 0.5)],
    ];
    let mut states = Vec::new();
    for drag in drags {
        states.push(state(&session));
        for command in drag {
            ask(&mut session, command);
            assert!(session.history_view().goes_on);
        }
        ask(&mut session, Command::History(HistoryCommand::EndStep));
        assert!(!session.history_view().goes_on);
    }
    assert_eq!(session.history.len(), 1 + states.len());
    for before in states.iter().rev() {
        undo(&mut session).unwrap();
        assert_eq!(state(&session), *before);
    }
    // Another slider is another step, be the first one still held.
    for weight in [0, 1, 0] {
        ask(&mut session, hold(weight, 0.9));
        ask(&mut session, hold(weight, 0.8));
    }
    assert_eq!(session.history.len(), 4);
}

#[test]
fn what_changes_nothing_is_no_step() {
    let mut session = session();
    let wave = clip(&session, "Wave");
    for command in [
        Command::Nodes(NodesCommand::ShowAll),
        Command::Nodes(NodesCommand::ToggleChosenHidden),
        Command::Nodes(NodesCommand::ToggleHidden(9999)),
        Command::Morphs(MorphCommand::Hold(9999, 0.5)),
        Command::Morphs(MorphCommand::Hold(0, f32::NAN)),
        Command::Morphs(MorphCommand::ReleaseAll),
        Command::Mix(MixCommand::EndMix),
        Command::Mix(MixCommand::SetWeight(wave, 0.5)),
        Command::Timeline(TimelineCommand::SetRange(None)),
        Command::Timeline(TimelineCommand::ToggleSheet),
    ] {
        ask(&mut session, command.clone());
        assert_eq!(
            session.history_view(),
            HistoryView::default(),
            "{command:?}"
        );
    }
}

#[test]
fn a_part_that_loops_goes_with_its_clip() {
    let mut session = session();
    let (idle, walk) = (clip(&session, "Idle"), clip(&session, "Walk"));
    ask(&mut session, range(0.1, 0.4));
    ask(&mut session, Command::SelectClip(Some(walk)));
    // That drag is over, though nobody said so.
    ask(&mut session, range(0.2, 0.3));
    ask(&mut session, range(0.2, 0.5));
    assert_eq!(session.history.len(), 2);
    ask(&mut session, Command::SelectClip(Some(idle)));
    assert_eq!(session.clock.range_secs(), Some((0.1, 0.4)));
    // What is taken back is seen.
    let now = |session: &Session| (session.clip, session.clock.range_secs());
    assert_eq!(undo(&mut session).unwrap(), "part of Walk that loops");
    assert_eq!(now(&session), (Some(walk), None));
    assert_eq!(undo(&mut session).unwrap(), "part of Idle that loops");
    assert_eq!(now(&session), (Some(idle), None));
    for seen in [
        (idle, Some((0.1, 0.4))),
        (walk, None),
        (walk, Some((0.2, 0.5))),
        (idle, Some((0.1, 0.4))),
    ] {
        ask(&mut session, Command::History(HistoryCommand::Redo));
        assert_eq!(now(&session), (Some(seen.0), seen.1));
    }
    assert_eq!(session.history_view().redo, None);
}

/// Else what was mixed with one clip, and posed at a moment of it, would come to the other one.
#[test]
fn after_a_part_that_loops_of_another_clip_all_is_made_again_where_it_was() {
    let mut session = session();
    let [idle, walk, wave] = ["Idle", "Walk", "Wave"].map(|name| clip(&session, name));
    let head = node(&session, "head");
    ask(&mut session, Command::SelectClip(Some(walk)));
    ask(&mut session, range(0.2, 0.5));
    ask(&mut session, Command::SelectClip(Some(idle)));
    for clip in [walk, wave] {
        ask(&mut session, Command::Mix(MixCommand::ToggleMixed(clip)));
    }
    ask(
        &mut session,
        Command::Mix(MixCommand::SetWeight(walk, 0.25)),
    );
    ask(&mut session, Command::Playback(PlaybackCommand::Seek(0.3)));
    ask(&mut session, Command::SelectNode(Some(head)));
    let place = DragCommand::Place(crate::anim::PosingPart::Rotation, 1, 40.0);
    ask(&mut session, Command::Posing(PosingCommand::Drag(place)));
    let now = |session: &Session| {
        let offsets = session.actor.offsets().clone();
        (
            session.clip,
            session.mix.choice(),
            session.clock.time_secs(),
            offsets,
        )
    };
    let (before, ranges) = (now(&session), session.range_of(Some(walk)));
    for _ in 0..2 {
        while session.history_view().undo.is_some() {
            undo(&mut session);
        }
        assert_eq!(session.range_of(Some(walk)), None);
        while session.history_view().redo.is_some() {
            ask(&mut session, Command::History(HistoryCommand::Redo));
        }
        assert_eq!(now(&session), before);
        assert_eq!(session.range_of(Some(walk)), ranges);
    }
}

#[test]
fn a_part_that_loops_as_before_brings_no_clip_before_the_user() {
    let mut session = session();
    let [idle, walk] = ["Idle", "Walk"].map(|name| clip(&session, name));
    ask(&mut session, Command::Nodes(NodesCommand::ToggleHidden(2)));
    ask(&mut session, Command::SelectClip(Some(walk)));
    // In one drag it is drawn, and back to all of the clip.
    let all = session.clock.duration_secs();
    for command in [range(0.2, 0.5), range(0.0, all)] {
        ask(&mut session, command);
    }
    assert_eq!(session.history.len(), 2);
    assert_eq!(session.range_of(Some(walk)), None);
    ask(&mut session, Command::SelectClip(Some(idle)));
    ask(&mut session, Command::Playback(PlaybackCommand::Seek(0.3)));
    ask(&mut session, Command::History(HistoryCommand::Undo));
    assert_eq!(session.actor.hiding().count, 0);
    let seen = (session.clip, session.clock.time_secs());
    assert_eq!(seen, (Some(idle), 0.3));
}

/// The longest clip gives the time where none is chosen: what loops of it may be more than there is of the others.
#[test]
fn a_part_that_loops_comes_back_with_the_clip_that_had_it() {
    let mut session = session();
    ask(&mut session, Command::SelectClip(None));
    let clips = session.model().clips.iter().enumerate();
    let mut clips: Vec<_> = clips
        .map(|(place, clip)| (clip.duration_secs(), place))
        .collect();
    clips.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(short_secs, short), .., (long_secs, long)] = clips[..] else {
        unreachable!()
    };
    assert!(short_secs < long_secs);
    for clip in [short, long] {
        ask(&mut session, Command::Mix(MixCommand::ToggleMixed(clip)));
    }
    let [short_secs, long_secs] = [short_secs, long_secs].map(f64::from);
    let span = (0.5 * short_secs, 0.5 * (short_secs + long_secs));
    ask(&mut session, range(span.0, span.1));
    ask(&mut session, Command::Mix(MixCommand::ToggleMixed(long)));
    assert_ne!(session.clock.range_secs(), Some(span));
    let without = session.clock.range_secs();
    undo(&mut session).unwrap();
    assert_eq!(session.clock.range_secs(), Some(span));
    ask(&mut session, Command::History(HistoryCommand::Redo));
    assert_eq!(session.clock.range_secs(), without);
    for _ in 0..2 {
        undo(&mut session).unwrap();
    }
    assert_eq!(session.clock.range_secs(), None);
    assert_eq!(session.clock.duration_secs(), long_secs);
}

#[test]
fn the_message_about_a_pose_that_is_gone_brings_that_back() {
    let mut session = session();
    let head = node(&session, "head");
    ask(&mut session, Command::SelectNode(Some(head)));
    let place = DragCommand::Place(crate::anim::PosingPart::Rotation, 1, 40.0);
    ask(&mut session, Command::Posing(PosingCommand::Drag(place)));
    let posed = session.actor.offsets().clone();
    ask(&mut session, Command::Playback(PlaybackCommand::Seek(0.5)));
    assert!(session.actor.offsets().is_empty());
    assert_eq!(session.history_view().undo, Some("leave the pose"));
    ask(&mut session, Command::Nodes(NodesCommand::ToggleHidden(2)));
    ask(&mut session, Command::AcceptOffer);
    assert_eq!(*session.actor.offsets(), posed);
    assert_eq!(session.actor.hiding().count, 1, "that was not asked for");
    assert!(undo(&mut session).unwrap().starts_with("hide"));
}

#[test]
fn a_clip_that_is_selected_out_of_the_mix_comes_back_into_it() {
    let mut session = session();
    let [walk, wave, jump] = ["Walk", "Wave", "Jump"].map(|name| clip(&session, name));
    ask(&mut session, Command::SelectClip(Some(walk)));
    for command in [
        MixCommand::ToggleMixed(wave),
        MixCommand::SetMode(wave, MixMode::Add),
        MixCommand::SetWeight(wave, 0.25),
    ] {
        ask(&mut session, Command::Mix(command));
    }
    let now = |session: &Session| session.edit_now(Kind::Lead);
    let before = now(&session);
    let steps = session.history.len();
    ask(&mut session, Command::SelectClip(Some(wave)));
    assert_eq!(session.history.len(), steps + 1);
    let after = now(&session);
    assert_eq!(after, Edit::Lead(Some(wave), MixChoice::default()));
    for _ in 0..2 {
        assert_eq!(undo(&mut session).as_deref(), Some("select Wave"));
        assert_eq!(now(&session), before);
        ask(&mut session, Command::History(HistoryCommand::Redo));
        assert_eq!(now(&session), after);
    }
    undo(&mut session);
    assert_eq!(undo(&mut session).as_deref(), Some("weight of Wave"));
    // Who is in no mix is selected without a step.
    let steps = session.history.len();
    for clip in [Some(jump), None, Some(walk)] {
        ask(&mut session, Command::SelectClip(clip));
    }
    assert_eq!(session.history.len(), steps);
}

/// The head turned by hand in a mix of two clips, of which the second is chosen then; the session, and the clips.
fn posed_and_left() -> (Session, [usize; 2]) {
    let mut session = session();
    let [walk, wave] = ["Walk", "Wave"].map(|name| clip(&session, name));
    let head = node(&session, "head");
    ask(&mut session, Command::SelectClip(Some(walk)));
    ask(&mut session, Command::Mix(MixCommand::ToggleMixed(wave)));
    ask(&mut session, Command::SelectNode(Some(head)));
    let place = DragCommand::Place(crate::anim::PosingPart::Rotation, 1, 40.0);
    ask(&mut session, Command::Posing(PosingCommand::Drag(place)));
    ask(&mut session, Command::SelectClip(Some(wave)));
    assert!(session.actor.offsets().is_empty());
    (session, [walk, wave])
}

#[test]
fn a_pose_that_was_left_comes_back_with_its_clip() {
    let (mut session, [walk, wave]) = posed_and_left();
    assert_eq!(undo(&mut session).as_deref(), Some("leave the pose"));
    assert_eq!(session.clip, Some(walk));
    let posed = session.actor.offsets().clone();
    assert!(!posed.is_empty());
    assert_eq!(undo(&mut session).as_deref(), Some("rotation of head"));
    ask(&mut session, Command::History(HistoryCommand::Redo));
    assert_eq!(*session.actor.offsets(), posed);
    ask(&mut session, Command::History(HistoryCommand::Redo));
    assert_eq!(session.clip, Some(wave));
    assert!(session.actor.offsets().is_empty());
    assert_eq!(session.history_view().redo, None);
}

#[test]
fn a_step_that_would_change_nothing_is_taken_with_the_next() {
    let (mut session, [walk, wave]) = posed_and_left();
    // The pose goes back to its clip and its mix: nothing is left to be done for the step that chose another one.
    ask(&mut session, Command::AcceptOffer);
    assert_eq!(session.clip, Some(walk));
    let before = session.edit_now(Kind::Lead);
    assert_eq!(session.history_view().undo, Some("rotation of head"));
    ask(&mut session, Command::History(HistoryCommand::Undo));
    assert!(session.actor.offsets().is_empty());
    assert_eq!(session.edit_now(Kind::Lead), before);
    assert_eq!(undo(&mut session).as_deref(), Some("Wave into the mix"));
    for _ in 0..9 {
        ask(&mut session, Command::History(HistoryCommand::Redo));
    }
    assert_eq!(session.history_view().redo, None);
    assert_eq!(session.clip, Some(wave));
}

#[test]
fn a_clip_that_is_chosen_by_now_does_not_join_its_own_mix() {
    let mut session = session();
    let [walk, wave] = ["Walk", "Wave"].map(|name| clip(&session, name));
    for clip in [walk, wave] {
        ask(&mut session, Command::Mix(MixCommand::ToggleMixed(clip)));
    }
    ask(&mut session, Command::Mix(MixCommand::EndMix));
    ask(&mut session, Command::SelectClip(Some(wave)));
    undo(&mut session);
    let mut rows = Vec::new();
    session.mix_rows(&mut rows);
    let clips: Vec<_> = rows.iter().map(|row| row.clip).collect();
    assert_eq!(clips, [walk]);
}
