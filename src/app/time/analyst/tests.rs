//! The analyst without a window: what is looked at, in which order, and when a frame is asked for.

use std::{sync::mpsc, thread, time::Duration};

use glam::Quat;

use super::*;
use crate::{
    app::{
        built_in,
        panels::Rows,
        time::{Sheet, markers::popping},
    },
    import::Import,
    model::{Clip, ClipBuilder, Interpolation, NodeId, Timeline},
    ui::{Command, MessageKind, MixCommand, MixMode, Panel},
};

/// An analyst, and the times that it asked for a frame.
fn analyst(budget: Duration) -> (Analyst, mpsc::Receiver<()>) {
    let (sender, receiver) = mpsc::channel();
    let mut analyst = Analyst::new(move || {
        let _ = sender.send(());
    });
    analyst.budget = budget;
    (analyst, receiver)
}

fn session(model: Model) -> Session {
    let import = Import {
        model,
        ..Import::default()
    };
    Session::new(import, None, Duration::ZERO)
}

/// A model of several clips of which all but the first jump.
fn jumping(clips: usize) -> Model {
    let mut model = popping();
    let pops = model.clips[0].clone();
    model.clips = vec![pops; clips];
    model.clips[0] = still();
    model
}

/// A second without motion.
fn still() -> Clip {
    let mut builder = ClipBuilder::new("still");
    let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let (kind, turns) = (Interpolation::Linear, vec![Quat::IDENTITY; 2]);
    builder.rotation(NodeId(0), timeline, kind, turns).unwrap();
    builder.finish()
}

/// Waits until the thread has ended, and takes what it has found.
fn settle(analyst: &mut Analyst, session: &Session) {
    analyst.look_at(session);
    while analyst.search.known().has_thread {
        thread::sleep(Duration::from_millis(1));
    }
    analyst.look_at(session);
}

#[test]
fn all_clips_are_looked_at_and_a_frame_is_asked_for_what_is_odd() {
    let session = session(jumping(4));
    let (mut analyst, asked) = analyst(BUDGET);
    settle(&mut analyst, &session);
    assert!(analyst.markers(&session).iter().all(|it| !it.is_odd));
    let clips: Vec<_> = analyst.odd_clips().iter().map(|odd| odd.clip).collect();
    assert_eq!(clips, [1, 2, 3]);
    let odd = &analyst.odd_clips()[0];
    assert_eq!(odd.words, "1 pop");
    assert!((odd.at_secs - 29.0 / 30.0).abs() < 1e-6 && odd.node == Some(0));
    // Each is listed, too.
    let listed = analyst.findings().list.iter();
    let listed: Vec<_> = listed.map(|it| (it.clip, it.warning.code)).collect();
    assert_eq!(listed, [1, 2, 3].map(|clip| (clip, "MOTION_POP")));
    let mut rows = Rows::default();
    rows.update(&session, analyst.findings());
    let pop = &rows.diagnostics[0];
    assert_eq!(pop.severity, MessageKind::Warning);
    let culprit = pop.culprit.unwrap();
    assert_eq!((culprit.clip, culprit.node), (Some(1), Some(0)));
    assert_eq!(culprit.at_secs, Some(odd.at_secs));
    // The seam of the clip in force, which meets, and three signs.
    assert_eq!(asked.try_iter().count(), 4);
    // An idle window is left alone.
    settle(&mut analyst, &session);
    assert_eq!(asked.try_iter().count(), 0);
}

#[test]
fn without_time_only_what_is_chosen_is_looked_at() {
    let mut session = session(jumping(4));
    session.apply(Command::TogglePanel(Panel::Scene));
    let (mut analyst, asked) = analyst(Duration::ZERO);
    settle(&mut analyst, &session);
    assert!(analyst.odd_clips().is_empty());
    session.apply(Command::SelectClip(Some(2)));
    settle(&mut analyst, &session);
    assert_eq!(analyst.odd_clips().len(), 1);
    assert!(analyst.markers(&session).iter().any(|it| it.is_odd));
    assert_eq!(asked.try_iter().count(), 2, "one for each clip");
    session.apply(Command::SelectClip(None));
    assert_eq!(analyst.markers(&session), []);
}

/// What is wrong with other files is theirs.
#[test]
fn clips_of_other_files_are_not_listed() {
    let mut session = session(jumping(1));
    session.add_clips("other.glb", jumping(3));
    assert_eq!(session.own_clip_count(), 1);
    let (mut analyst, _asked) = analyst(BUDGET);
    settle(&mut analyst, &session);
    assert_eq!(analyst.odd_clips().len(), 2);
    assert_eq!(analyst.findings().list, []);
}

/// Many files come one after the other, and own clips are not others for that.
#[test]
fn what_is_known_of_clips_stays_when_those_of_other_files_come() {
    let mut session = session(jumping(4));
    let (mut analyst, _asked) = analyst(BUDGET);
    settle(&mut analyst, &session);
    let own = analyst.odd_clips().to_vec();
    let listed = analyst.findings().generation;
    assert_eq!(own.len(), 3);
    // There is no time for any clip that is not chosen.
    analyst.budget = Duration::ZERO;
    session.add_clips("other.glb", jumping(2));
    session.apply(Command::SelectClip(Some(2)));
    settle(&mut analyst, &session);
    assert_eq!(analyst.odd_clips(), own);
    assert_eq!(analyst.findings().generation, listed);
    assert!(analyst.markers(&session).iter().any(|it| it.is_odd));
    session.apply(Command::SelectClip(Some(5)));
    settle(&mut analyst, &session);
    assert_eq!(analyst.odd_clips()[3].clip, 5);
    // Another file leaves those of the first alone, and what is read again is looked at again.
    session.add_clips("more.glb", jumping(2));
    session.apply(Command::SelectClip(None));
    settle(&mut analyst, &session);
    assert_eq!(analyst.odd_clips().len(), 4);
    session.add_clips("other.glb", jumping(2));
    settle(&mut analyst, &session);
    assert_eq!(analyst.odd_clips(), own);
}

#[test]
fn what_is_measured_of_a_clip_is_shown_where_it_alone_moves_the_model() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let clip_of = |name| {
        let mut clips = session.model().clips.iter();
        clips.position(|clip| clip.name() == name).unwrap()
    };
    let [walk, wave] = ["Walk", "Wave"].map(clip_of);
    let (mut analyst, _asked) = analyst(BUDGET);
    settle(&mut analyst, &session);
    let mut check = |command, is_shown: bool| {
        session.apply(command);
        analyst.look_at(&session);
        let has_markers = !analyst.markers(&session).is_empty();
        let speed = analyst.ground_speed(&session);
        assert_eq!(has_markers, is_shown);
        assert_eq!(speed.map(|it| it.clip), is_shown.then_some(walk));
        let sheet = Sheet::default();
        let of_clip = sheet.with_clip(&session);
        let view = session.timeline_view(&[], (&[], None), &of_clip);
        assert_eq!(view.measured_clip, is_shown.then_some(walk));
    };
    let clips = Command::Mix;
    check(Command::SelectClip(Some(walk)), true);
    check(clips(MixCommand::ToggleMixed(wave)), false);
    check(clips(MixCommand::SetWeight(wave, 0.0)), true);
    check(clips(MixCommand::SetWeight(wave, 0.5)), false);
    check(clips(MixCommand::EndMix), true);
    // Over the file's own pose.
    check(Command::SelectClip(None), false);
    check(clips(MixCommand::ToggleMixed(walk)), true);
    check(clips(MixCommand::SetMode(walk, MixMode::Blend)), false);
    check(clips(MixCommand::SetWeight(walk, 1.0)), true);
    check(clips(MixCommand::ToggleMixed(wave)), false);
}

#[test]
fn another_model_ends_what_goes_on() {
    let mut session = session(jumping(3));
    let (mut analyst, _asked) = analyst(BUDGET);
    analyst.look_at(&session);
    session.replace_model(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    // Marks of a clip of the same number are another one's.
    assert_eq!(analyst.markers(&session), []);
    settle(&mut analyst, &session);
    assert!(!analyst.markers(&session).is_empty());
}

#[test]
fn a_clip_that_cannot_be_analysed_has_no_marks() {
    assert_eq!(caught(|| 1), Some(1));
    assert_eq!(caught(|| -> usize { panic!("as a test") }), None);
    let model = jumping(1);
    let analyzer = Analyzer::new(&model);
    let marks = |goes_on: &dyn Fn() -> bool| markers::of_clip(&analyzer, &model, 0, goes_on);
    assert!(marks(&|| false).is_none(), "given up");
    assert!(marks(&|| true).is_some());
}
