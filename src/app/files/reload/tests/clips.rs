//! Which clips are which after a save: those of the file, and those that were added from others.

use super::*;
use crate::{
    model::{Clip, ClipBuilder, Interpolation, NodeId, Timeline},
    ui::Message,
};

/// The model with the first of its clips, as many as this, all of one name.
fn own(count: usize, name: &str) -> Import {
    import(|json| {
        let clips = json["animations"].as_array_mut().unwrap();
        clips.truncate(count);
        clips.iter_mut().for_each(|clip| clip["name"] = name.into());
    })
}

fn part(from_secs: f64, to_secs: f64) -> Command {
    let span = TimeSpan { from_secs, to_secs };
    Command::Timeline(TimelineCommand::SetRange(Some(span)))
}

/// All that some programs write has one name, or none: of what was added it is known which it is.
#[test]
fn clips_of_other_files_stay_the_same_whatever_the_file_has_of_its_own() {
    for name in ["mixamo.com", ""] {
        let mut session = Session::new(own(1, name), None, Duration::ZERO);
        session.set_aspect(1.5);
        for (path, place) in [("run.glb", 1), ("jump.glb", 2)] {
            let mut lent = own(3, name).model;
            lent.clips = [lent.clips[place].clone()].into();
            session.add_clips(path, lent);
        }
        for command in [
            Command::SelectClip(Some(1)),
            Command::Mix(MixCommand::ToggleMixed(2)),
            part(0.125, 0.375),
            Command::Compare(CompareCommand::With(CompareWith::Clip(2))),
        ] {
            session.apply(command);
        }
        let state = |session: &Session| {
            let names = session.clip_names();
            let mixed = session.mix.clip_indices().map(Some);
            let clips = [session.clip(), session.compare.clip()];
            let clips = clips.into_iter().chain(mixed);
            let named = clips.map(|clip| clip.map(|clip| names[clip].clone()));
            (named.collect::<Vec<_>>(), session.clock().range_secs())
        };
        let before = state(&session);
        let files = before.0.iter().map(|name| {
            let name = name.as_deref().unwrap_or_default();
            name.rsplit(' ').next().unwrap_or_default()
        });
        assert!(files.eq(["(run.glb)", "(jump.glb)", "(jump.glb)"]));
        let told = session.message().cloned();
        for count in [2, 1, 3] {
            session.reload_model(own(count, name), Duration::ZERO);
            assert_eq!(session.clip(), Some(count), "{name:?}");
            assert_eq!(state(&session), before, "{name:?}, {count}");
            assert_eq!(session.message(), told.as_ref(), "nothing is gone");
        }
        session.apply(Command::History(HistoryCommand::Undo));
        assert_eq!(state(&session), (before.0.clone(), None));
        session.apply(Command::History(HistoryCommand::Undo));
        assert_eq!(state(&session).0, before.0[..2]);
    }
}

#[test]
fn a_frame_rate_that_was_set_goes_with_its_clip() {
    let mut session = session();
    let lent = |names: &[&str]| {
        let mut model = import(|_| {}).model;
        model.clips.retain(|clip| names.contains(&clip.name()));
        model
    };
    session.add_clips("run.glb", lent(&["Run"]));
    session.add_clips("jump.glb", lent(&["Jump"]));
    let select = |session: &mut Session, name: &str| {
        let clip = session.clip_names().iter().position(|it| it == name);
        assert!(clip.is_some(), "{name}");
        session.apply(Command::SelectClip(clip));
    };
    for (name, rate) in [("Walk", 24.0), ("Jump (jump.glb)", 12.0)] {
        select(&mut session, name);
        session.apply(Command::Playback(PlaybackCommand::SetFrameRate(rate)));
    }
    let check = |session: &mut Session| {
        for (name, rate) in [
            ("Walk", Some(24.0)),
            ("Run", None),
            ("Jump (jump.glb)", Some(12.0)),
        ] {
            select(session, name);
            assert_eq!(session.timeline.rate.set_per_sec(), rate, "{name}");
        }
        session.apply(Command::SelectClip(None));
        assert_eq!(session.timeline.rate, FrameRate::Unknown);
    };
    check(&mut session);
    session.reload_model(import(turned), Duration::ZERO);
    check(&mut session);
    session.add_clips("jump.glb", lent(&["Idle", "Jump"]));
    check(&mut session);
    session.apply(Command::Borrowed(BorrowedCommand::TakeOut(0)));
    check(&mut session);
    // Of another version of the rig its own have theirs.
    select(&mut session, "Walk");
    session.open_model(import(turned), None, Duration::ZERO);
    assert_eq!(session.timeline.rate, FrameRate::Set(24.0));
    session.replace_model(import(|_| {}), None, Duration::ZERO);
    select(&mut session, "Walk");
    assert_eq!(
        session.timeline.rate,
        FrameRate::Guessed(30.0),
        "another file"
    );
}

/// A clip of so many seconds.
fn clip(name: &str, secs: f32) -> Clip {
    let mut clip = ClipBuilder::new(name);
    let timeline = clip.timeline(Timeline::new(vec![0.0, secs]).unwrap());
    let places = vec![glam::Vec3::ZERO, glam::Vec3::X];
    let moved = clip.translation(NodeId(0), timeline, Interpolation::Linear, places);
    assert!(moved.is_ok());
    clip.finish()
}

#[test]
fn a_part_that_loops_is_as_it_was_marked_after_saves_that_lack_some_of_it() {
    let saved = |secs: f32| {
        let mut import = import(|_| {});
        import.model.clips = ["Walk", "Run"].map(|name| clip(name, secs)).into();
        import
    };
    let mut session = Session::new(saved(1.0), None, Duration::ZERO);
    for (clip, to_secs) in [(0, 1.0), (1, 0.75)] {
        session.apply(Command::SelectClip(Some(clip)));
        session.apply(part(0.25, to_secs));
    }
    let mut check = |secs, ranges: [(f64, f64); 2]| {
        session.reload_model(saved(secs), Duration::ZERO);
        // That in force, and the other one.
        for clip in [1, 0, 1] {
            session.apply(Command::SelectClip(Some(clip)));
            let range = session.clock().range_secs();
            assert_eq!(range, Some(ranges[clip]), "{secs} s, {clip}");
        }
    };
    check(0.5, [(0.25, 0.5), (0.25, 0.5)]);
    check(1.0, [(0.25, 1.0), (0.25, 0.75)]);
    // The end of the clip is that of a longer one, too.
    check(2.0, [(0.25, 2.0), (0.25, 0.75)]);
}

fn without_walk() -> Import {
    import(|json| {
        let clips = json["animations"].as_array_mut().unwrap();
        clips.retain(|clip| clip["name"] != "Walk");
    })
}

/// Turns the head by hand.
fn pose_head(session: &mut Session) {
    turn_by_hand(session, "head");
    session.update();
    assert_eq!(session.posing_view().changed, 1);
}

/// Not behind what was done before.
#[test]
fn that_a_clip_is_gone_is_said_until_it_is_there_be_it_chosen_again_or_not() {
    let mut session = session();
    session.apply(Command::SelectClip(Some(clip_of(&session, "Walk"))));
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.tell(Message::info("picture.png is saved", ""));
    session.reload_model(without_walk(), Duration::ZERO);
    let title = session.message().map(|message| &*message.title);
    let is_gone = "The clip \"Walk\" is not in the file any more";
    assert_eq!(title, Some(is_gone));
    pose_head(&mut session);
    session.reload_model(import(|_| {}), Duration::ZERO);
    assert_eq!(session.clip(), None, "what was posed stays");
    assert_eq!(session.posing_view().changed, 1);
    assert_eq!(session.message(), None, "it is there");
}

#[test]
fn a_clip_that_is_gone_is_called_as_in_the_list() {
    let of_rig = |lacks_walk: bool| {
        import(|json| {
            let clips = json["animations"].as_array_mut().unwrap();
            clips.retain(|clip| !lacks_walk || clip["name"] != "Walk");
            for clip in clips {
                let name = clip["name"].as_str().unwrap().to_owned();
                clip["name"] = format!("Rig|{name}").into();
            }
        })
    };
    let mut session = Session::new(of_rig(false), None, Duration::ZERO);
    let walk = clip_of(&session, "Rig|Walk");
    session.apply(Command::SelectClip(Some(walk)));
    session.reload_model(of_rig(true), Duration::ZERO);
    let message = session.message().expect("it is said");
    let is_gone = "The clip \"Walk\" is not in the file any more";
    assert_eq!(message.title, is_gone);
}

/// It is not the model's file that lacks it.
#[test]
fn a_chosen_clip_of_another_file_that_is_taken_out_is_not_said_to_be_gone() {
    for is_posed in [false, true] {
        let mut session = session();
        let own = session.own_clip_count();
        let mut lent = import(|_| {}).model;
        lent.clips.retain(|clip| clip.name() == "Jump");
        session.add_clips("jump.glb", lent);
        session.apply(Command::SelectClip(Some(own)));
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        if is_posed {
            pose_head(&mut session);
        }
        session.apply(Command::Borrowed(BorrowedCommand::TakeOut(0)));
        session.update();
        assert_eq!(session.clip(), None);
        let mut titles = Vec::new();
        while let Some(message) = session.message() {
            titles.push(message.title.clone());
            session.apply(Command::DismissMessage);
        }
        let is_gone = |title: &String| title.starts_with("The clip ");
        assert!(!titles.iter().any(is_gone), "{titles:?}");
        let left = |title: &String| title.starts_with("The pose made by hand is gone");
        assert_eq!(titles.iter().any(left), is_posed, "{titles:?}");
        if is_posed {
            session.undo_pose();
            session.update();
            assert_eq!(session.posing_view().changed, 1);
        }
    }
}

#[test]
fn a_chosen_clip_that_is_gone_is_chosen_again_once_it_is_there() {
    let mut session = session();
    for command in [
        Command::SelectClip(Some(clip_of(&session, "Walk"))),
        Command::Playback(PlaybackCommand::TogglePlay),
        Command::Playback(PlaybackCommand::SetFrameRate(12.0)),
        Command::Playback(PlaybackCommand::Seek(0.4)),
        part(0.2, 0.6),
    ] {
        session.apply(command);
    }
    let clock = session.clock().clone();
    for _ in 0..2 {
        session.reload_model(without_walk(), Duration::ZERO);
        assert_eq!(session.clip(), None);
        assert!(session.message().is_some(), "it is said");
    }
    session.reload_model(import(turned), Duration::ZERO);
    assert_eq!(session.clip(), Some(clip_of(&session, "Walk")));
    assert_eq!(*session.clock(), clock);
    assert_eq!(session.timeline.rate, FrameRate::Set(12.0));
    assert_eq!(session.message(), None, "it is there");

    // What was chosen meanwhile stays.
    for chosen in [Some("Run"), None] {
        let walk = clip_of(&session, "Walk");
        session.apply(Command::SelectClip(Some(walk)));
        session.reload_model(without_walk(), Duration::ZERO);
        let clip = chosen.map(|name| clip_of(&session, name));
        session.apply(Command::SelectClip(clip));
        assert_eq!(session.message(), None, "it is over");
        session.reload_model(import(|_| {}), Duration::ZERO);
        let clip = chosen.map(|name| clip_of(&session, name));
        assert_eq!(session.clip(), clip);
    }
}
