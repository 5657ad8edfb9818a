//! Clips that play together end, begin and loop together.

use glam::Vec3;
use rigscope::anim::LoopMode;
use rigscope::app::Session;
use rigscope::model::{ClipBuilder, Interpolation, NodeId, Timeline};
use rigscope::ui::{ClipsCommand, Command, MotionCommand, PlaybackCommand, TimelineCommand};

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
    let mut model = puppet();
    let mut walk = ClipBuilder::new("walk");
    let timeline = walk.timeline(Timeline::new(vec![0.0, 2.0]).unwrap());
    let places = vec![Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0)];
    let of_hips = walk.translation(NodeId(0), timeline, Interpolation::Linear, places);
    of_hips.unwrap();
    let clip = model.clips.len();
    model.clips.push(walk.finish());
    let mut session = session_of(model);
    session.apply(Command::Motion(MotionCommand::SetFade(0.0)));
    ask(&mut session, ClipsCommand::ToggleMixed(clip));
    session
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
