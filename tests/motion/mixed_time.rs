//! Clips that play together end, begin and loop together.

use glam::Vec3;
use rigscope::anim::LoopMode;
use rigscope::app::Session;
use rigscope::model::{ClipBuilder, Interpolation, Model, NodeId, Timeline};
use rigscope::ui::{Command, MixCommand, MotionCommand, PlaybackCommand, TimelineCommand};

use super::mixing::{ask, puppet, session_of};

/// Times of the clip and of the only one beside it.
fn both_times(session: &mut Session) -> [f64; 2] {
    session.update();
    let hips = session.actor().pose().locals[0].translation.x;
    // The puppet's hips go as far in the clip beside as it is old.
    [session.clock().time_secs(), f64::from(hips)]
}

/// The hand's clip of 1 s, and beside it one of 2 s whose hips are at x after x seconds.
fn walk_beside_wave() -> Session {
    let mut session = session_of(walker());
    session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
    ask(&mut session, MixCommand::ToggleMixed(WALK));
    session
}

/// The walk, without a chosen clip, together with one of 3 s in which nothing moves.
fn walk_beside_pause() -> Session {
    let mut model = walker();
    let mut pause = ClipBuilder::new("pause");
    let timeline = pause.timeline(Timeline::new(vec![0.0, 3.0]).unwrap());
    let still = pause.scale(
        NodeId(0),
        timeline,
        Interpolation::Linear,
        vec![Vec3::ONE; 2],
    );
    still.unwrap();
    model.clips.push(pause.finish());
    let mut session = session_of(model);
    session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
    session.apply(Command::SelectClip(None));
    ask(&mut session, MixCommand::ToggleMixed(WALK));
    ask(&mut session, MixCommand::ToggleMixed(PAUSE));
    session
}

/// Of the hand alone.
const WAVE: usize = 1;
/// Of the hand alone, too.
const PLACE: usize = 2;
const WALK: usize = 5;
const PAUSE: usize = 6;

/// The puppet with its wave, and the walk.
fn walker() -> Model {
    let mut model = puppet();
    let mut walk = ClipBuilder::new("walk");
    let timeline = walk.timeline(Timeline::new(vec![0.0, 2.0]).unwrap());
    let places = vec![Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0)];
    let of_hips = walk.translation(NodeId(0), timeline, Interpolation::Linear, places);
    of_hips.unwrap();
    assert_eq!(model.clips.len(), WALK);
    model.clips.push(walk.finish());
    model
}

#[test]
fn clips_that_have_ended_begin_anew_together() {
    for mode in [LoopMode::Once, LoopMode::Hold] {
        let mut session = walk_beside_wave();
        session.apply(Command::Playback(PlaybackCommand::SetLoopMode(mode)));
        let [clip, mixed] = [1.5, 1.0].map(|secs| {
            session.tick(secs);
            both_times(&mut session)
        })[1];
        assert!((clip - mixed).abs() < 1e-5, "{mode:?}: {clip}, {mixed}");
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        session.tick(0.5);
        let [clip, mixed] = both_times(&mut session);
        assert!(
            (clip - 0.5).abs() < 1e-9 && (mixed - 0.5).abs() < 1e-5,
            "{mode:?}: {mixed}"
        );
    }
}

#[test]
fn another_loop_mode_stops_no_clip() {
    let mut session = walk_beside_wave();
    for _ in 0..10 {
        session.tick(0.55);
    }
    session.apply(Command::Playback(PlaybackCommand::SetLoopMode(
        LoopMode::Hold,
    )));
    session.tick(0.1);
    let [clip, mixed] = both_times(&mut session);
    assert!(clip < 2.0 && (clip - mixed).abs() < 1e-5, "{clip}, {mixed}");
}

#[test]
fn clips_loop_in_a_range_together() {
    let mut session = walk_beside_wave();
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    session.apply(Command::Timeline(TimelineCommand::MarkIn));
    session.apply(Command::Playback(PlaybackCommand::Seek(1.0)));
    session.apply(Command::Timeline(TimelineCommand::MarkOut));
    for _ in 0..7 {
        session.tick(0.3);
        let [clip, mixed] = both_times(&mut session);
        assert!(
            (0.5..=1.0).contains(&clip) && (clip - mixed).abs() < 1e-5,
            "{clip}, {mixed}"
        );
    }
}

#[test]
fn who_seeks_on_the_way_back_goes_on_forwards_with_all_clips() {
    let mut session = walk_beside_wave();
    session.apply(Command::Playback(PlaybackCommand::SetLoopMode(
        LoopMode::PingPong,
    )));
    session.tick(1.5);
    session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
    session.tick(0.25);
    let [clip, mixed] = both_times(&mut session);
    assert!(
        (clip - 0.75).abs() < 1e-9 && (mixed - 0.75).abs() < 1e-5,
        "{clip}, {mixed}"
    );
}

#[test]
fn where_the_longest_of_a_mix_goes_the_others_and_the_clock_go_on_together() {
    for mode in [LoopMode::Hold, LoopMode::Once, LoopMode::PingPong] {
        let mut session = walk_beside_pause();
        session.apply(Command::Playback(PlaybackCommand::SetLoopMode(mode)));
        session.tick(2.75);
        ask(&mut session, MixCommand::ToggleMixed(PAUSE));
        let [clip, mixed] = both_times(&mut session);
        assert!((clip - mixed).abs() < 1e-5, "{mode:?}: {clip}, {mixed}");
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        session.tick(0.25);
        let [clip, mixed] = both_times(&mut session);
        assert!((clip - mixed).abs() < 1e-5, "{mode:?}: {clip}, {mixed}");
    }
}

#[test]
fn the_part_that_loops_stays_where_it_fits_what_is_left_of_a_mix() {
    let mut session = walk_beside_pause();
    for (secs, command) in [
        (0.5, TimelineCommand::MarkIn),
        (1.0, TimelineCommand::MarkOut),
    ] {
        session.apply(Command::Playback(PlaybackCommand::Seek(secs)));
        session.apply(Command::Timeline(command));
    }
    assert_eq!(session.clock().range_secs(), Some((0.5, 1.0)));
    ask(&mut session, MixCommand::ToggleMixed(PAUSE));
    assert_eq!(session.clock().duration_secs(), 2.0);
    assert_eq!(session.clock().range_secs(), Some((0.5, 1.0)));
}

/// As a clip does that another one follows.
#[test]
fn the_last_of_a_mix_goes_on_while_it_fades_out() {
    for (mode, secs, later_secs) in [
        (LoopMode::Loop, 1.0, 1.1),
        (LoopMode::Loop, 1.95, 0.05),
        (LoopMode::PingPong, 1.95, 1.95),
        (LoopMode::Hold, 1.0, 1.1),
        // Its first pose would be a leap.
        (LoopMode::Once, 1.95, 2.0),
    ] {
        for is_in_step in [false, true] {
            let mut session = session_of(walker());
            session.apply(Command::SelectClip(None));
            session.apply(Command::Playback(PlaybackCommand::SetLoopMode(mode)));
            ask(&mut session, MixCommand::SetInStep(is_in_step));
            ask(&mut session, MixCommand::ToggleMixed(WALK));
            session.tick(secs);
            ask(&mut session, MixCommand::ToggleMixed(WALK));
            let [clock_secs, hips] = both_times(&mut session);
            let what = format!("{mode:?} from {secs}, in step: {is_in_step}");
            assert_eq!(clock_secs, 0.0, "{what}");
            assert!((hips - secs).abs() < 1e-5, "{what}: {hips} at once");
            session.tick(0.1);
            let hips = both_times(&mut session)[1];
            assert!((hips - later_secs / 2.0).abs() < 1e-5, "{what}: {hips}");
            session.tick(0.2);
            assert_eq!(both_times(&mut session), [0.0, 0.0], "{what}");
            assert!(!session.is_model_moving(), "{what}");
        }
    }
}

#[test]
fn the_last_of_a_mix_fades_from_where_it_is_whatever_is_chosen_meanwhile() {
    for command in [
        Command::Playback(PlaybackCommand::SetLoopMode(LoopMode::PingPong)),
        Command::SelectClip(Some(WAVE)),
    ] {
        let mut session = session_of(walker());
        session.apply(Command::SelectClip(None));
        ask(&mut session, MixCommand::ToggleMixed(WALK));
        session.tick(1.0);
        ask(&mut session, MixCommand::ToggleMixed(WALK));
        session.apply(command.clone());
        let [_, hips] = both_times(&mut session);
        assert!((hips - 1.0).abs() < 1e-5, "{command:?}: {hips} at once");
        session.tick(0.1);
        let [_, hips] = both_times(&mut session);
        assert!((hips - 1.1 / 2.0).abs() < 1e-5, "{command:?}: {hips}");
    }
}

/// It goes by the clock of the clip that was chosen before.
#[test]
fn what_is_on_its_way_out_goes_on_whatever_is_chosen() {
    for (is_in_step, chosen) in [
        (false, None),
        (true, None),
        (false, Some(PLACE)),
        (true, Some(PLACE)),
    ] {
        let mut session = session_of(walker());
        session.apply(Command::SelectClip(Some(WAVE)));
        session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
        ask(&mut session, MixCommand::SetInStep(is_in_step));
        ask(&mut session, MixCommand::ToggleMixed(WALK));
        let lead_secs = session.clock().duration_secs();
        session.apply(Command::Playback(PlaybackCommand::Seek(0.0)));
        session.tick(0.75);
        session.apply(Command::Motion(MotionCommand::SetFade(0.2)));
        let [_, before] = both_times(&mut session);
        ask(&mut session, MixCommand::EndMix);
        session.apply(Command::SelectClip(chosen));
        let [clock_secs, hips] = both_times(&mut session);
        assert_eq!(clock_secs, 0.0);
        assert!((hips - before).abs() < 1e-5, "{hips} at once, {before}");
        session.tick(0.1);
        let [_, hips] = both_times(&mut session);
        let speed = if is_in_step { 2.0 / lead_secs } else { 1.0 };
        let expected = (before + 0.1 * speed) / 2.0;
        assert!((hips - expected).abs() < 1e-5, "{hips}, not {expected}");
        session.tick(0.2);
        let [clock_secs, hips] = both_times(&mut session);
        assert_eq!(hips, 0.0);
        assert_eq!(clock_secs > 0.0, chosen.is_some(), "{clock_secs}");
    }
}

#[test]
fn what_is_on_its_way_out_goes_as_fast_as_time_is_set_to_run() {
    for speed in [-1.0, 0.5] {
        let mut session = session_of(walker());
        session.apply(Command::SelectClip(None));
        ask(&mut session, MixCommand::ToggleMixed(WALK));
        session.tick(1.0);
        ask(&mut session, MixCommand::EndMix);
        session.apply(Command::Playback(PlaybackCommand::SetSpeed(speed)));
        session.tick(0.1);
        let [_, hips] = both_times(&mut session);
        let expected = (1.0 + 0.1 * speed) / 2.0;
        assert!((hips - expected).abs() < 1e-5, "{hips}, not {expected}");
    }
}

/// What is stopped while it fades is over, as elsewhere, and what is taken out while time stands still does not fade.
#[test]
fn the_last_of_a_mix_does_not_fade_where_time_stands_still() {
    for is_stopped_before in [false, true] {
        let mut session = session_of(walker());
        session.apply(Command::SelectClip(None));
        ask(&mut session, MixCommand::ToggleMixed(WALK));
        session.tick(1.0);
        let stop = Command::Playback(PlaybackCommand::TogglePlay);
        if is_stopped_before {
            session.apply(stop.clone());
        }
        ask(&mut session, MixCommand::ToggleMixed(WALK));
        if !is_stopped_before {
            session.apply(stop);
        }
        assert_eq!(both_times(&mut session), [0.0, 0.0]);
        assert!(!session.is_model_moving());
    }
}
