//! An animation shows the clip as it plays: there and back, once, backwards, and as fast.

use super::{words::last_clip_sentence, *};
use crate::{
    anim::LoopMode,
    model::ClipBuilder,
    ui::{MixCommand, MixMode, PoseKind, SavingCommand},
};

/// One in a clip of a second, or in half of one from a quarter on.
fn session_of(mode: LoopMode, speed: f64, is_part: bool) -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.apply(Command::SelectClip(Some(1)));
    session.clock.set_duration(1.0);
    session.clock.set_range(is_part.then_some((0.25, 0.75)));
    session.apply(Command::Playback(PlaybackCommand::SetLoopMode(mode)));
    session.apply(Command::Playback(PlaybackCommand::SetSpeed(speed)));
    session
}

const OF_FOUR: SavingSettings = SavingSettings {
    kind: SavingKind::Picture(PictureKind::Gif),
    size: [64, 48],
    fps: 4.0,
    turntable: false,
    transparent: false,
};

#[track_caller]
fn check(mode: LoopMode, speed: f64, is_part: bool, expected: &[f64]) {
    let session = session_of(mode, speed, is_part);
    let plan = session.plan_saving(OF_FOUR);
    let moment = |frame| plan.film.moment(frame, plan.frames, OF_FOUR.fps);
    let times: Vec<_> = (0..plan.frames)
        .map(|frame| moment(frame).clip_secs)
        .collect();
    let mut pairs = times.iter().zip(expected);
    let are_near = pairs.all(|(time, expected)| (time - expected).abs() < 1e-9);
    let is_so = are_near && times.len() == expected.len();
    assert!(is_so, "{mode:?} at {speed}: {times:?}");
    let repeats = matches!(mode, LoopMode::Loop | LoopMode::PingPong);
    assert_eq!(plan.film.repeats(), repeats, "{mode:?}");
}

#[test]
fn it_is_as_long_as_the_clip_plays_and_ends_as_that_does() {
    let all = [0.0, 0.25, 0.5, 0.75];
    check(LoopMode::Loop, 1.0, false, &all);
    check(LoopMode::Loop, 0.0, false, &all);
    check(LoopMode::Loop, 2.0, false, &[0.0, 0.5]);
    check(LoopMode::Loop, -1.0, false, &[1.0, 0.75, 0.5, 0.25]);
    let slow = [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];
    check(LoopMode::Loop, 0.5, false, &slow);
    let there_and_back = [0.0, 0.25, 0.5, 0.75, 1.0, 0.75, 0.5, 0.25];
    check(LoopMode::PingPong, 1.0, false, &there_and_back);
    check(LoopMode::PingPong, -2.0, false, &[1.0, 0.5, 0.0, 0.5]);
    // For 1.6 s, 6.4 frames, and for 1.25 s, 5.
    let faster = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 2.0 / 3.0, 1.0 / 3.0];
    check(LoopMode::PingPong, 1.25, false, &faster);
    check(LoopMode::PingPong, 1.6, false, &faster);
    check(LoopMode::PingPong, 4.0, false, &[0.0, 1.0]);
    // The clock goes back to the first moment, or stays in the last.
    check(LoopMode::Once, 1.0, false, &[0.0, 0.25, 0.5, 0.75, 0.0]);
    check(LoopMode::Hold, 1.0, false, &[0.0, 0.25, 0.5, 0.75, 1.0]);
    check(LoopMode::Hold, -2.0, false, &[1.0, 0.5, 0.0]);
    check(LoopMode::Loop, 1.0, true, &[0.25, 0.5]);
    check(LoopMode::PingPong, 1.0, true, &[0.25, 0.5, 0.75, 0.5]);
    check(LoopMode::Hold, 1.0, true, &[0.25, 0.5, 0.75]);
}

/// What is seen in it is what the clock of the window shows after so long.
#[test]
fn each_frame_is_when_the_window_would_be() {
    for mode in [LoopMode::Loop, LoopMode::PingPong] {
        for speed in [1.0, 0.7, -1.5] {
            let mut session = session_of(mode, speed, false);
            let settings = SavingSettings {
                fps: 30.0,
                ..OF_FOUR
            };
            let plan = session.plan_saving(settings);
            assert!(plan.frames > 10);
            // There and back, the frames are spread over the whole way.
            let step_secs = match mode {
                LoopMode::PingPong => 2.0 / speed.abs() / f64::from(plan.frames),
                _ => 1.0 / settings.fps,
            };
            assert!((step_secs * settings.fps - 1.0).abs() < 0.01);
            session.clock.restart(1.0);
            session.clock.play();
            for frame in 0..plan.frames {
                let saved = plan.film.moment(frame, plan.frames, settings.fps);
                let shown = session.clock.time_secs();
                let is_same = (saved.clip_secs - shown).abs() < 1e-9;
                assert!(is_same, "{mode:?} at {speed}, {frame}: {saved:?} {shown}");
                session.clock.tick(step_secs);
            }
        }
    }
}

/// In the last frame of what stops there, a turntable has turned all around; what begins again would show the first one twice.
#[test]
fn a_turntable_turns_all_around_once() {
    for (mode, last) in [(LoopMode::Loop, 0.75), (LoopMode::Hold, 1.0)] {
        let plan = session_of(mode, 1.0, false).plan_saving(OF_FOUR);
        let turned = |frame| plan.film.turn_radians(frame, plan.frames) / std::f32::consts::TAU;
        for (frame, expected) in [(0, 0.0), (1, 0.25), (plan.frames - 1, last)] {
            let turn = turned(frame);
            assert!((turn - expected).abs() < 1e-6, "{mode:?}, {frame}: {turn}");
        }
    }
}

/// Clips of other lengths and crowds run on where the clip in force turns.
#[test]
fn what_plays_beside_the_clip_runs_on() {
    let plan = session_of(LoopMode::PingPong, 0.5, false).plan_saving(OF_FOUR);
    let moment = plan.film.moment(12, plan.frames, OF_FOUR.fps);
    assert_eq!(moment.clip_secs, 0.5);
    assert_eq!([moment.mix_secs, moment.crowd_secs], [1.5; 2]);
    // But all begin again with a part of it, and stop together.
    let plan = session_of(LoopMode::PingPong, 1.0, true).plan_saving(OF_FOUR);
    assert_eq!(plan.film.moment(3, plan.frames, OF_FOUR.fps).mix_secs, 0.5);
    let plan = session_of(LoopMode::Once, 1.0, false).plan_saving(OF_FOUR);
    assert_eq!(plan.film.moment(4, plan.frames, OF_FOUR.fps).mix_secs, 0.0);
}

/// In step the clips take a time between their lengths, also in what is saved while one of them comes in.
#[test]
fn clips_in_step_are_as_fast_as_they_play() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.apply(Command::SelectClip(Some(1)));
    session.apply(Command::Mix(MixCommand::ToggleMixed(2)));
    let settings = SavingSettings {
        fps: 100.0,
        ..OF_FOUR
    };
    let alone = session.frames_to_save(&settings);
    for command in [
        MixCommand::SetMode(2, MixMode::Blend),
        MixCommand::SetWeight(2, 0.5),
        MixCommand::SetInStep(true),
    ] {
        session.apply(Command::Mix(command));
    }
    let lengths = [1, 2].map(|clip| f64::from(session.model().clips[clip].duration_secs()));
    let mean = 50.0 * (lengths[0] + lengths[1]);
    let in_step = session.frames_to_save(&settings);
    assert_ne!(in_step, alone);
    assert!((f64::from(in_step) - mean).abs() <= 1.0, "{in_step} {mean}");
}

/// Pip in its walk, with its wave blended in.
fn session_of_two() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.apply(Command::SelectClip(Some(1)));
    session.apply(Command::Mix(MixCommand::ToggleMixed(2)));
    session.apply(Command::Mix(MixCommand::SetMode(2, MixMode::Blend)));
    session
}

#[test]
fn clips_that_do_not_end_with_what_is_saved_are_named() {
    let mut session = session_of_two();
    let length = f64::from(session.model().clips[2].duration_secs());
    let name = session.clip_names().swap_remove(2);
    let expected =
        format!("{name} ({length:.2} s) jumps where this begins again: put the clips in step.");
    let said = |session: &Session, kind| session.seam_words(kind);
    for kind in [OF_FOUR.kind, SavingKind::Animation] {
        assert_eq!(said(&session, kind), expected);
    }
    // One moment of it has no end.
    for kind in [
        SavingKind::Picture(PictureKind::Still),
        SavingKind::Pose(PoseKind::Clip),
    ] {
        assert_eq!(said(&session, kind), "");
    }
    let in_step = |on| Command::Mix(MixCommand::SetInStep(on));
    session.apply(in_step(true));
    assert_eq!(said(&session, OF_FOUR.kind), "");
    session.apply(in_step(false));
    assert_eq!(said(&session, OF_FOUR.kind), expected);
    // What stops there is followed by nothing, and with a part all begin again.
    let mode = |mode| Command::Playback(PlaybackCommand::SetLoopMode(mode));
    session.apply(mode(LoopMode::Once));
    assert_eq!(said(&session, OF_FOUR.kind), "");
    session.apply(mode(LoopMode::Loop));
    session.clock.set_range(Some((0.2, 0.6)));
    assert_eq!(said(&session, OF_FOUR.kind), "");
    session.clock.set_range(None);
    // Two whole rounds of it close as well.
    session.clock.set_duration(2.0 * length);
    assert_eq!(said(&session, OF_FOUR.kind), "");
    session.clock.set_duration(1.5 * length);
    assert_eq!(said(&session, OF_FOUR.kind), expected);
}

#[test]
fn the_box_says_how_long_an_animation_is_and_how_many_moments_it_has() {
    let mut session = session_of_two();
    session.apply(Command::Saving(SavingCommand::ToggleAnimation));
    session.apply(Command::Saving(SavingCommand::Set(SavingSettings {
        kind: SavingKind::Animation,
        fps: 4.0,
        ..OF_FOUR
    })));
    session.clock.set_duration(1.0);
    let view = session.saving_view();
    assert_eq!((view.frames, view.play_secs), (5, 1.0), "at both ends");
    let slow = PlaybackCommand::SetSpeed(0.5);
    session.apply(Command::Playback(slow));
    let view = session.saving_view();
    assert_eq!((view.frames, view.play_secs), (9, 2.0));
}

#[test]
fn what_was_saved_is_told_in_sentences() {
    let said = |name: &str| {
        let mut import = built_in::load("Pip").unwrap();
        import.model.clips = vec![ClipBuilder::new(name).finish()];
        let mut session = Session::new(import, None, Duration::ZERO);
        session.apply(Command::SelectClip(Some(0)));
        let words = session.words_of_saved(OF_FOUR.kind);
        let told = last_clip_sentence("Pose", words.beside("Pose"));
        assert_eq!(words.beside(&words.said), None, "it is said");
        (words.sentence(), told)
    };
    let told = |said: &str| format!("Its last clip is \"Pose\": {said}");
    assert_eq!(said(""), ("Clip 0.".to_owned(), told("clip 0.")));
    // Names stay as they are.
    assert_eq!(said("walk"), ("walk.".to_owned(), told("walk.")));
    assert_eq!(
        said("clip run"),
        ("clip run.".to_owned(), told("clip run."))
    );
    assert_eq!(
        said("Run fast."),
        ("Run fast.".to_owned(), told("Run fast."))
    );
    let once = last_clip_sentence("Walk + Run", None);
    assert_eq!(once, "Its last clip is \"Walk + Run\".");
}

#[test]
fn the_box_says_how_it_plays() {
    let said = |mode, speed, is_part| {
        let session = session_of(mode, speed, is_part);
        session.words_of_saved(OF_FOUR.kind).said
    };
    assert_eq!(said(LoopMode::Loop, 1.0, false), "Walk");
    let there = "Walk, there and back at 0.50×";
    assert_eq!(said(LoopMode::PingPong, 0.5, false), there);
    let once = "Walk from 0.25 s to 0.75 s, once, backwards";
    assert_eq!(said(LoopMode::Once, -1.0, true), once);
    let session = session_of(LoopMode::PingPong, 0.5, false);
    let still = SavingKind::Picture(PictureKind::Still);
    assert!(!session.words_of_saved(still).said.contains("back"));
}

/// It would fail only once it is asked for and a copy of the file is read.
#[test]
fn the_box_refuses_too_many_moments() {
    let mut session = session_of_two();
    session.apply(Command::Saving(SavingCommand::ToggleAnimation));
    let settings = SavingSettings {
        kind: SavingKind::Animation,
        fps: 120.0,
        ..OF_FOUR
    };
    session.apply(Command::Saving(SavingCommand::Set(settings)));
    session.clock.set_duration(1000.0);
    assert!(!session.can_save_frames());
    let fault = session.saving_view().fault;
    let expected = "Of 120001 moments 100000 are saved at most";
    assert!(fault.starts_with(expected), "{fault}");
    session.clock.set_duration(800.0);
    assert!(session.can_save_frames());
    // One that plays alone is not saved by moments.
    let mut session = session_of(LoopMode::Loop, 1.0, false);
    session.apply(Command::Saving(SavingCommand::Set(settings)));
    session.clock.set_duration(1000.0);
    assert!(session.can_save_frames());
}
