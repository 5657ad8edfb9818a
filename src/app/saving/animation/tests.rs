//! What plays is what is saved.

use std::{
    cell::{Cell, RefCell},
    path::PathBuf,
    time::Duration,
};

use anyhow::ensure;

use super::*;
use crate::{
    anim::LoopMode,
    app::{built_in, interrupt::Interrupted},
    import::{self, Progress},
    model::{ClipBuilder, Interpolation, NodeId, Timeline},
    scene::ReferencePose,
    ui::{
        Command, MixCommand, MorphCommand, MotionCommand, PlaybackCommand, SavingCommand,
        SkeletonCommand,
    },
};

/// Pip, paused in its walk, with the box open.
fn pip() -> Session {
    let import = built_in::load("Pip").unwrap();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.0);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.apply(Command::SelectClip(Some(1)));
    while !session.transition.is_over() {
        session.tick(0.5);
    }
    session.apply(Command::Saving(SavingCommand::ToggleAnimation));
    session
}

fn written(session: &Session) -> AnimationSnapshot {
    session.animation_snapshot(Some(Source::BuiltIn("Pip")))
}

/// The file that is written, opened again, and which of its clips is the one.
fn saved(session: &Session, name: &str) -> (Actor, usize) {
    let file = format!("rigscope-animation-{}-{name}.glb", std::process::id());
    let path: PathBuf = std::env::temp_dir().join(file);
    written(session).write(&path, &|_, _| Ok(())).unwrap();
    let import = import::load(&path, &Progress::default()).unwrap();
    std::fs::remove_file(&path).unwrap();
    let last = import.model.clips.len() - 1;
    (Actor::new(import.model), last)
}

/// The session shows at `from_secs` and later what the clip has from its beginning on, at the frames of such a rate.
#[track_caller]
fn assert_saved_as_shown(session: &mut Session, name: &str, from_secs: f64, rate: f64) {
    let (mut actor, clip) = saved(session, name);
    let steps = (actor.model().clip_secs(Some(clip)) * rate).floor() as u32;
    assert!(steps > 3, "{steps}");
    for step in 0..=steps {
        let secs = f64::from((f64::from(step) / rate) as f32);
        actor.pose_at(Some(clip), secs);
        let seek = PlaybackCommand::Seek(from_secs + secs);
        session.apply(Command::Playback(seek));
        session.update();
        let (shown, saved) = (session.actor.pose(), actor.pose());
        for (a, b) in shown.world.iter().zip(&saved.world) {
            assert!(a.abs_diff_eq(*b, 1e-5), "{secs} s: {a:?} {b:?}");
        }
        for (a, b) in shown.weights.iter().zip(&saved.weights) {
            assert!((a - b).abs() < 1e-5, "{secs} s: {a} {b}");
        }
    }
}

#[test]
fn a_clip_that_plays_alone_keeps_its_keys() {
    let mut session = pip();
    let view = session.saving_view();
    assert_eq!((view.clip_name, view.keeps_keys), ("Walk 2", true));
    assert!(!view.is_name_taken && view.is_open);
    let (actor, clip) = saved(&session, "walk");
    let [before, after] = [&session.model().clips[1], &actor.model().clips[clip]];
    assert_eq!(after.name(), "Walk 2");
    assert_eq!(after.key_count(), before.key_count());
    assert_eq!(
        written(&session).words(),
        "Its last clip is \"Walk 2\": Walk."
    );
    assert_saved_as_shown(&mut session, "walk-frames", 0.0, 30.0);
    // The name is the user's.
    session.apply(Command::Saving(SavingCommand::SetClipName("Run".into())));
    assert!(session.saving_view().is_name_taken);
    session.apply(Command::Saving(SavingCommand::TogglePose));
    assert_eq!(session.saving_view().clip_name, "Pose");
    session.apply(Command::Saving(SavingCommand::ToggleAnimation));
    assert_eq!(session.saving_view().clip_name, "Run");
    // What was proposed follows what plays.
    let set = |name: &str| Command::Saving(SavingCommand::SetClipName(name.to_owned()));
    session.apply(set("Walk 2"));
    session.apply(Command::SelectClip(Some(0)));
    session.propose_place();
    assert_eq!(session.saving_view().clip_name, "Idle 2");
}

/// Pip in a clip of another file, which carries its root 3 m, and that root.
fn riding(duration_secs: f32) -> (Session, NodeId) {
    let mut session = pip();
    let mut other = built_in::load("Pip").unwrap().model;
    let mut builder = ClipBuilder::new("Ride");
    let timeline = builder.timeline(Timeline::new(vec![0.0, duration_secs]).unwrap());
    let ways = vec![glam::Vec3::ZERO, glam::Vec3::new(3.0, 0.0, 0.0)];
    let root = other.scenes[0].roots[0];
    builder
        .translation(root, timeline, Interpolation::Linear, ways)
        .unwrap();
    other.clips = vec![builder.finish()];
    session.add_clips("ride.glb", other);
    session.propose_animation_name();
    while !session.transition.is_over() {
        session.tick(0.5);
    }
    (session, root)
}

#[test]
fn a_clip_of_another_file_is_saved_under_its_own_name() {
    let (mut session, root) = riding(2.0);
    let view = session.saving_view();
    assert_eq!((view.clip_name, view.is_name_taken), ("Ride", false));
    let (actor, clip) = saved(&session, "ride");
    assert_eq!(clip, 6, "after those of its own file");
    assert_eq!(actor.model().clips[clip].name(), "Ride");
    assert_saved_as_shown(&mut session, "ride-frames", 0.0, 10.0);
    session.apply(Command::Motion(MotionCommand::ToggleInPlace));
    assert!(session.saving_view().keeps_keys && !session.saving_view().samples_root);
    assert_saved_as_shown(&mut session, "ride-still", 0.0, 10.0);
    let (mut actor, clip) = saved(&session, "ride-end");
    actor.pose_at(Some(clip), 2.0);
    let place = actor.pose().world[root.index()].translation;
    assert!(place.length() < 1e-5, "{place}");
}

#[test]
fn a_mix_is_saved_moment_by_moment_with_what_was_changed_by_hand() {
    let mut session = pip();
    session.apply(Command::Mix(MixCommand::ToggleMixed(0)));
    session.apply(Command::Morphs(MorphCommand::Hold(0, 0.5)));
    session.propose_animation_name();
    let view = session.saving_view();
    assert_eq!((view.clip_name, view.keeps_keys), ("Walk + Idle", false));
    let words = written(&session).words();
    assert!(words.ends_with("with what was changed by hand."), "{words}");
    let rate = session.saving.settings.fps;
    assert_saved_as_shown(&mut session, "mix", 0.0, rate);
}

#[test]
fn what_is_called_as_what_plays_is_said_once() {
    let mut import = built_in::load("Pip").unwrap();
    let clips = ["Rig|Walk", "Rig|Run"].map(|name| ClipBuilder::new(name).finish());
    import.model.clips = clips.into();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::Mix(MixCommand::ToggleMixed(1)));
    session.apply(Command::Saving(SavingCommand::ToggleAnimation));
    let words = |session: &Session| written(session).words();
    let once = "Its last clip is \"Rig|Walk + Rig|Run\".";
    assert_eq!(words(&session), once);
    let name = SavingCommand::SetClipName("Both".into());
    session.apply(Command::Saving(name));
    let of_both = "Its last clip is \"Both\": Walk + Run.";
    assert_eq!(words(&session), of_both);
}

#[test]
fn of_a_part_that_loops_that_part_is_saved() {
    let mut session = pip();
    session.clock.set_range(Some((0.2, 0.6)));
    assert!(!session.saving_view().keeps_keys);
    let played = written(&session).played(&|_, _| Ok(())).unwrap();
    let clip = played.clip;
    assert!((clip.duration_secs() - 0.4).abs() < 1e-6);
    let rate = session.saving.settings.fps;
    assert_saved_as_shown(&mut session, "part", 0.2, rate);
}

/// Forwards with the clip's own keys, whatever the speed.
#[test]
fn it_is_as_fast_as_it_plays_and_runs_the_same_way() {
    let mut session = pip();
    let walk_secs = session.clock.duration_secs();
    for (mode, speed, keeps_keys) in [
        (LoopMode::Loop, 2.0, true),
        (LoopMode::Hold, 0.5, true),
        (LoopMode::Loop, -1.0, false),
        (LoopMode::PingPong, 0.5, false),
        (LoopMode::PingPong, -1.5, false),
    ] {
        session.apply(Command::Playback(PlaybackCommand::SetLoopMode(mode)));
        session.apply(Command::Playback(PlaybackCommand::SetSpeed(speed)));
        assert_eq!(session.saving_view().keeps_keys, keeps_keys);
        let (mut actor, clip) = saved(&session, "way");
        let way_secs = walk_secs / speed.abs();
        let is_returning = mode == LoopMode::PingPong;
        let all_secs = if is_returning { 2.0 } else { 1.0 } * way_secs;
        let saved_secs = actor.model().clip_secs(Some(clip));
        assert!((saved_secs - all_secs).abs() < 1e-5, "{saved_secs}");
        let timelines = actor.model().clips[clip].timelines();
        let most_keys = timelines.iter().map(Timeline::times_secs);
        let keys = most_keys.max_by_key(|keys| keys.len()).unwrap().to_vec();
        assert!(keys.len() > 3);
        let at_turn = keys
            .iter()
            .any(|&key| (f64::from(key) - way_secs).abs() < 1e-5);
        assert!(at_turn, "{keys:?}");
        for key in keys {
            let run_secs = f64::from(key) * speed.abs();
            let there_secs = run_secs.min(2.0 * walk_secs - run_secs);
            let clip_secs = if speed < 0.0 {
                walk_secs - there_secs
            } else {
                there_secs
            };
            session.apply(Command::Playback(PlaybackCommand::Seek(clip_secs)));
            session.update();
            actor.pose_at(Some(clip), key.into());
            for (a, b) in session.actor.pose().world.iter().zip(&actor.pose().world) {
                assert!(
                    a.abs_diff_eq(*b, 1e-4),
                    "{mode:?} {speed} {key}: {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn it_can_be_stopped_between_two_moments() {
    let mut session = pip();
    let never = |_, _| unreachable!("its own keys are no moments");
    written(&session).played(&never).unwrap();
    session.clock.set_range(Some((0.2, 0.6)));
    let snapshot = written(&session);
    let told = RefCell::new(Vec::new());
    let stopped = snapshot.played(&|done, all| {
        told.borrow_mut().push((done, all));
        ensure!(done < 3, Interrupted);
        Ok(())
    });
    assert!(stopped.unwrap_err().is::<Interrupted>());
    let all = told.borrow()[0].1;
    assert_eq!(*told.borrow(), [0, 1, 2, 3].map(|done| (done, all)));
    let last = Cell::new(0);
    let note = |done, _| {
        last.set(done);
        Ok(())
    };
    snapshot.played(&note).unwrap();
    assert_eq!(last.get() + 1, all, "all are counted");
}

/// Also once all moments are taken down: nothing is written then.
#[test]
fn it_can_be_stopped_until_it_is_written() {
    let mut session = pip();
    session.clock.set_range(Some((0.2, 0.6)));
    let snapshot = written(&session);
    let file = format!("rigscope-animation-{}-stopped.glb", std::process::id());
    let path: PathBuf = std::env::temp_dir().join(file);
    for wanted in [0, 1] {
        let after_all = Cell::new(0);
        let stopped = snapshot.write(&path, &|_, all| {
            if all == 0 {
                ensure!(after_all.get() < wanted, Interrupted);
                after_all.set(after_all.get() + 1);
            }
            Ok(())
        });
        assert!(stopped.unwrap_err().is::<Interrupted>());
        assert_eq!(after_all.get(), wanted);
        assert!(!path.exists());
    }
}

/// More than a counter of moments holds.
#[test]
fn what_lasts_too_long_is_refused() {
    let (mut session, _) = riding(3e8);
    let there_and_back = PlaybackCommand::SetLoopMode(LoopMode::PingPong);
    session.apply(Command::Playback(there_and_back));
    let refused = written(&session).played(&|_, _| Ok(())).unwrap_err();
    assert!(refused.to_string().contains("take fewer"), "{refused}");
}

#[test]
fn where_nothing_plays_nothing_is_saved() {
    let refused = |command: Command| {
        let mut session = pip();
        session.apply(command);
        while !session.transition.is_over() {
            session.tick(0.5);
        }
        let reason = session.saving_view().unplayed.unwrap();
        let refused = written(&session).played(&|_, _| Ok(())).unwrap_err();
        assert_eq!(refused.to_string(), reason);
        reason
    };
    let held = SkeletonCommand::Hold(Some(ReferencePose::Rest));
    assert!(refused(Command::Skeleton(held)).contains("A pose is held"));
    assert!(refused(Command::SelectClip(None)).contains("No clip plays"));
}
