//! Two subjects in one session: on one clock, in one camera, by name.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use crate::{
    anim::Skinning,
    app::{Actor, Session, built_in},
    render::Pair,
    scene::{FUTURE_COLOR, PAST_COLOR, ReferencePose, SplitWay, ViewMode},
    ui::{
        CameraCommand, Command, CompareCommand, CompareWith, MorphCommand, MotionCommand,
        NodesCommand, PictureCommand, PlaybackCommand, SkeletonCommand, TimelineCommand,
    },
};

fn session(name: &str) -> Session {
    let mut session = Session::new(built_in::load(name).unwrap(), None, Duration::ZERO);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.set_aspects([1.0, 1.5]);
    session
}

fn compare(session: &mut Session, command: CompareCommand) {
    assert_eq!(session.apply(Command::Compare(command)), None);
    session.update();
}

/// Both as they are drawn: palettes and cameras.
fn drawn<R>(session: &Session, look: impl FnOnce(&Pair<'_>) -> R) -> R {
    session.with_pair(look).unwrap()
}

#[test]
fn the_key_goes_through_the_ways_and_back() {
    let mut session = session("Pip");
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(session.split().map(|split| split.way));
        compare(&mut session, CompareCommand::Step);
    }
    let [side, wipe] = [SplitWay::SideBySide, SplitWay::Wipe].map(Some);
    assert_eq!(seen, [None, side, wipe, Some(SplitWay::Overlay), None]);
}

/// Who has not moved the camera yet sees all of both, whatever their clips do, and all of A again afterwards.
#[test]
fn halves_hold_all_of_the_motion() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_window_aspect(0.8);
    let alone = session.camera();
    session.apply(Command::Compare(CompareCommand::Step));
    assert!(session.split().is_some(), "not a frame later");
    session.set_aspects([0.4; 2]);
    session.update();
    let both = session.camera();
    assert!(both.radius > 1.05 * alone.radius, "{both:?} {alone:?}");
    session.frame_first();
    assert_eq!(session.camera(), both, "as if it had begun with them");
    // Over the whole width both have the same shape as A alone.
    session.apply(Command::Compare(CompareCommand::Step));
    session.set_aspects([0.8; 2]);
    session.apply(Command::Compare(CompareCommand::Show(None)));
    session.set_window_aspect(0.8);
    session.update();
    let again = session.camera();
    assert!((again.radius - alone.radius).abs() < 0.01 * alone.radius);
}

#[test]
fn another_clip_is_posed_at_the_same_time_or_the_same_phase() {
    let mut session = session("Pip");
    session.apply(Command::SelectClip(Some(0)));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.update();
    let mut alone = Actor::new(built_in::load("Pip").unwrap().model);
    let lengths = [0, 1].map(|clip| f64::from(alone.model().clips[clip].duration_secs()));
    alone.pose_at(Some(1), 0.3);
    let matrices = |session: &Session| {
        drawn(session, |it| {
            it.subjects[1].frame.palette.matrices().to_vec()
        })
    };
    assert_eq!(matrices(&session), alone.palette().matrices());
    compare(&mut session, CompareCommand::TogglePhase);
    alone.pose_at(Some(1), 0.3 / lengths[0] * lengths[1]);
    assert_eq!(matrices(&session), alone.palette().matrices());
    alone.pose_at(Some(0), 0.3);
    drawn(&session, |it| {
        assert_eq!(
            it.subjects[0].frame.palette.matrices(),
            alone.palette().matrices()
        );
    });
}

#[test]
fn both_are_seen_by_one_camera_each_in_its_own_shape() {
    let mut session = session("Pip");
    compare(&mut session, CompareCommand::Step);
    session.apply(Command::Camera(CameraCommand::Orbit {
        right: 0.2,
        down: 0.1,
    }));
    drawn(&session, |it| {
        let [first, second] = it.subjects.map(|it| it.frame.camera);
        assert_eq!(first.eye, second.eye);
        assert_eq!(first.view_from_world, second.view_from_world);
        assert_ne!(
            first.clip_from_eye(),
            second.clip_from_eye(),
            "1 and 1.5 wide"
        );
    });
}

#[test]
fn the_same_pose_is_skinned_the_other_way_with_offsets_and_all() {
    let mut session = session("Pip");
    compare(&mut session, CompareCommand::With(CompareWith::Skinning));
    for dual in [false, true] {
        drawn(&session, |it| {
            let [first, second] = it.subjects.map(|it| it.frame.palette);
            assert_eq!(first.matrices(), second.matrices());
            let is_dual = |skinning| skinning == Skinning::DualQuaternion;
            assert_eq!(is_dual(first.skinning()), dual);
            assert_eq!(is_dual(second.skinning()), !dual);
            assert_eq!(second.rotations().is_empty(), dual);
        });
        session.apply(Command::Motion(MotionCommand::ToggleDualQuaternions));
        session.update();
    }
}

#[test]
fn another_file_keeps_its_place_when_the_shown_one_changes() {
    let mut session = session("Pip");
    session.compare_with(built_in::load("Windmill").unwrap());
    session.update();
    let names =
        |session: &Session| drawn(session, |it| it.subjects.map(|it| it.model.name.clone()));
    let [pip, windmill] = names(&session);
    assert_ne!(pip, windmill);
    session.reload_model(built_in::load("Pip").unwrap(), Duration::ZERO);
    session.update();
    assert_eq!(names(&session), [pip, windmill.clone()]);
    session.replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
    session.update();
    assert_eq!(names(&session), [windmill.clone(), windmill]);
    assert!(session.second_file_model().is_some());
}

#[test]
fn what_belongs_to_a_model_goes_with_it() {
    let mut session = session("Pip");
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    assert!(session.split().is_some());
    session.reload_model(built_in::load("Pip").unwrap(), Duration::ZERO);
    session.update();
    assert!(session.split().is_some(), "read again, it is the same");
    session.replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
    session.update();
    assert!(session.split().is_none());
}

#[test]
fn a_click_in_b_chooses_the_same_node_of_a() {
    let mut session = session("Pip");
    session.set_aspects([1.0, 1.0]);
    session.apply(Command::Camera(CameraCommand::FrameModel));
    session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
    session.compare_with(built_in::load("Pip").unwrap());
    session.update();
    let (at, reach) = ([0.0, 0.0], 0.1);
    session.apply(Command::Pick { at, reach });
    let chosen = session.selected;
    assert!(chosen.is_some());
    session.apply(Command::SelectNode(None));
    compare(&mut session, CompareCommand::Pick { at, reach });
    assert_eq!(session.selected, chosen);
}

#[test]
fn words_say_what_is_beside_what() {
    let mut session = session("Pip");
    session.apply(Command::SelectClip(Some(0)));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    session.name_compared();
    let clips = session.model().clips.iter();
    let clips: Vec<_> = clips.map(|clip| clip.name().to_owned()).collect();
    assert_eq!(session.compare_view().names, [&*clips[0], &*clips[1]]);
    session.compare_with(built_in::load("Windmill").unwrap());
    session.name_compared();
    let note = session.compare_view().note;
    assert_eq!(
        note,
        format!("6.3 times larger, has no clip {:?}", clips[0])
    );
}

#[test]
fn differences_are_found_named_and_led_to() {
    let mut session = session("Pip");
    session.apply(Command::SelectClip(Some(0)));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    assert!(session.difference_job().is_none(), "nobody asks");
    compare(&mut session, CompareCommand::ToggleDifferences);
    let found = session.difference_job().unwrap().run();
    session.take_differences(found);
    assert!(session.difference_job().is_none(), "they are known");
    let view = session.compare_view().differences.unwrap();
    assert!(view.is_known && view.most_degrees > 1.0);
    let worst = view.rows[0].clone();
    assert!(worst.degrees > 0.0 || worst.units > 0.0, "{worst:?}");
    let (time_secs, node) = (worst.degrees_at_secs, Some(worst.node));
    let stop = TimelineCommand::StopAt { time_secs, node };
    session.apply(Command::Timeline(stop));
    assert_eq!(session.selected.map(crate::model::NodeId::index), node);
    assert!((session.clock.time_secs() - time_secs).abs() < 1e-6);
    let view = session.compare_view().differences.unwrap();
    assert_eq!(view.node, node);
    let most = view.degrees.iter().copied().fold(0.0, f32::max);
    assert!((most - worst.degrees).abs() < 1e-4, "{most} {worst:?}");
    // Another pair is another question.
    session.apply(Command::SelectClip(None));
    session.update();
    assert!(session.difference_job().is_some());
}

/// Meshes may hang on other matrices where all joints move alike.
#[test]
fn what_differs_besides_motion_is_named() {
    let mut session = session("Pip");
    let mut other = built_in::load("Pip").unwrap();
    let skin = &mut other.model.skins[0];
    let joint = skin.joints[3];
    skin.joint_from_mesh[3].translation.x += 0.5;
    session.compare_with(other);
    compare(&mut session, CompareCommand::ToggleDifferences);
    let found = session.difference_job().unwrap().run();
    session.take_differences(found);
    let view = session.differences_view().unwrap();
    assert!(view.rows.is_empty() && view.alike > 3, "those that are off");
    let name = session.model().hierarchy.display_name(joint);
    let words = format!("bind matrices of skin 0 differ, most of all at {name}");
    assert_eq!(view.words, words);
}

#[test]
fn bones_have_the_color_of_their_difference() {
    let mut session = session("Pip");
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.update();
    let colors = |session: &Session| {
        let shapes = session.actor().overlay().bones.iter();
        shapes.map(|shape| shape.color).collect::<Vec<_>>()
    };
    let plain = colors(&session);
    compare(&mut session, CompareCommand::With(CompareWith::Skinning));
    compare(&mut session, CompareCommand::ToggleDifferences);
    assert_eq!(colors(&session), plain, "nothing is known yet");
    let found = session.difference_job().unwrap().run();
    session.take_differences(found);
    session.update();
    let same = colors(&session);
    assert!(
        same.windows(2).all(|pair| pair[0] == pair[1]),
        "one pose: no difference"
    );
    assert_ne!(same, plain);
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    let found = session.difference_job().unwrap().run();
    session.take_differences(found);
    session.update();
    assert!(colors(&session).windows(2).any(|pair| pair[0] != pair[1]));
    // Onion skins keep theirs.
    session.skeleton.settings.onion_skins = true;
    session.pose_changed();
    session.update();
    let lines = session.actor().overlay().lines.iter();
    let skins: Vec<_> = lines.filter(|line| line.color[3] < 1.0).collect();
    assert!(!skins.is_empty());
    for line in skins {
        let is_kept = [PAST_COLOR, FUTURE_COLOR].map(|color| color[..3] == line.color[..3]);
        assert!(is_kept.contains(&true), "{line:?}");
    }
}

/// Those of B, too: as shapes beside those of A, and as lines over them, whichever of the two is the ghost.
#[test]
fn bones_of_b_have_the_color_of_their_difference() {
    for is_file in [false, true] {
        let mut session = session("Pip");
        session.apply(Command::SelectClip(Some(0)));
        session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        if is_file {
            let mut other = built_in::load("Pip").unwrap();
            let clips = &mut other.model.clips;
            clips[0] = clips[0].of_nodes(|node| node.index() % 3 == 0);
            session.compare_with(other);
        } else {
            compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
        }
        compare(&mut session, CompareCommand::ToggleDifferences);
        let found = session.difference_job().unwrap().run();
        session.take_differences(found);
        session.update();
        let color_of = |session: &Session, is_of_b: bool| {
            let second = session.compare.second().unwrap();
            let actor = if is_of_b { second } else { session.actor() };
            let shapes = actor.overlay().bones.iter();
            let colors: BTreeMap<_, _> = shapes.map(|it| (it.node, it.color)).collect();
            colors
        };
        let of_a = color_of(&session, false);
        assert_eq!(
            color_of(&session, true),
            of_a,
            "the same joints, one colour each"
        );
        let distinct: BTreeSet<_> = of_a.values().map(|it| it.map(f32::to_bits)).collect();
        assert!(distinct.len() > 2, "{distinct:?}");
        compare(&mut session, CompareCommand::Show(Some(SplitWay::Overlay)));
        for _ in 0..2 {
            let is_swapped = session.split().unwrap().is_swapped;
            let second = session.compare.second().unwrap();
            let below = if is_swapped { second } else { session.actor() };
            let lines = below.overlay().lines.iter();
            let lines: Vec<_> = lines.filter_map(|it| Some((it.joint?, it.color))).collect();
            assert!(!lines.is_empty());
            for (joint, color) in lines {
                assert_eq!(color[..3], of_a[&joint][..3], "{joint:?}");
            }
            compare(&mut session, CompareCommand::Swap);
        }
    }
}

#[test]
fn all_clips_of_another_file_are_listed() {
    let [mut own, mut other] = [0, 1].map(|_| built_in::load("Pip").unwrap());
    let clips = &mut other.model.clips;
    let names: Vec<_> = clips.iter().map(|clip| clip.name().to_owned()).collect();
    // Two have changed, and each side lacks one.
    clips[0] = clips[0].of_nodes(|node| node.index() % 3 == 0);
    clips[1] = clips[1].of_nodes(|_| false);
    let last = names.len() - 1;
    clips.remove(last - 1);
    own.model.clips.remove(last);
    let mut session = Session::new(own, None, Duration::ZERO);
    session.set_aspects([1.0, 1.5]);
    session.compare_with(other);
    session.update();
    compare(&mut session, CompareCommand::ToggleDifferences);
    let list = |session: &Session| {
        let view = session.compare_view();
        let list = view.differences.unwrap().clips.unwrap();
        (list.is_open, list.rows.map(<[_]>::to_vec))
    };
    assert_eq!(list(&session), (false, None));
    assert!(session.clips_job().is_none(), "nobody asks");
    compare(&mut session, CompareCommand::ListClips(true));
    let found = session.clips_job().unwrap().run();
    session.take_clip_differences(found);
    assert!(session.clips_job().is_none(), "they are known");
    let (is_open, rows) = list(&session);
    let rows = rows.unwrap();
    assert!(is_open && rows.len() == names.len());
    let changed: Vec<_> = rows[..2].iter().map(|row| &*row.name).collect();
    assert_eq!(changed, [&*names[1], &*names[0]], "the worst first");
    assert!(rows[0].words.contains("0.00 s long"), "{:?}", rows[0]);
    for row in &rows[..2] {
        let worst = row.worst.as_ref().unwrap();
        assert!(worst.degrees > 1.0 && !worst.name.is_empty(), "{row:?}");
    }
    for row in &rows[2..last - 1] {
        assert!(!row.worst.as_ref().unwrap().is_off(), "{row:?}");
    }
    let alone = rows[last - 1..].iter();
    let alone: Vec<_> = alone
        .map(|row| (row.clip, &*row.name, &*row.words))
        .collect();
    let missing = [
        (Some(last - 1), &*names[last - 1], "only A has it"),
        (None, &*names[last], "only B has it"),
    ];
    assert_eq!(alone, missing);
    // Of the clip that is shown the joints say the same.
    let shown = rows.iter().find(|row| row.clip == session.clip()).unwrap();
    let found = session.difference_job().unwrap().run();
    session.take_differences(found);
    let most = session.compare_view().differences.unwrap().most_degrees;
    let listed = shown.worst.as_ref().unwrap().degrees;
    assert!((most - listed).abs() < 0.02 * most, "{most} {listed}");
    // Clips of one model have no such list.
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    assert!(session.compare_view().differences.unwrap().clips.is_none());
}

#[test]
fn nothing_is_compared_with_itself() {
    let mut session = session("Pip");
    // Who compares clips does not ask for the file of before.
    session.compare_with(built_in::load("Windmill").unwrap());
    session.apply(Command::SelectClip(Some(0)));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    session.apply(Command::SelectClip(Some(1)));
    session.update();
    assert_eq!(session.compare.clip(), Some(2));
    assert!(session.split().is_some());
    session.apply(Command::SelectClip(Some(0)));
    assert_eq!(session.compare.clip(), Some(2), "it is another one still");
}

#[test]
fn b_hides_and_holds_what_a_does() {
    let mut session = session("Pip");
    session.apply(Command::SelectClip(Some(0)));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    let weights = session.model().hierarchy.rest_weights().len();
    assert!(weights > 0);
    session.apply(Command::Morphs(MorphCommand::Hold(0, 0.625)));
    for root in session.model().scenes[0].roots.clone() {
        session.apply(Command::Nodes(NodesCommand::ToggleHidden(root.index())));
    }
    session.update();
    drawn(&session, |it| {
        assert!(it.subjects[1].frame.draws.iter().all(|draw| draw.is_hidden));
    });
    assert_eq!(session.compare.second().unwrap().pose().weights[0], 0.625);
    session.apply(Command::Nodes(NodesCommand::ShowAll));
    session.update();
    drawn(&session, |it| {
        assert!(!it.subjects[1].frame.draws.iter().any(|draw| draw.is_hidden));
    });
}

#[test]
fn b_takes_another_pose_where_it_cannot_take_that_of_a() {
    let mut session = session("Pip");
    session.compare_with(built_in::load("Windmill").unwrap());
    session.apply(Command::SelectClip(Some(0)));
    session.update();
    let second_locals = |session: &Session| session.compare.second().unwrap().pose().locals.clone();
    assert!(session.compare.second().unwrap().why_no_t_pose().is_some());
    // It turns where it plays.
    let mut rest = Actor::new(built_in::load("Windmill").unwrap().model);
    rest.pose_at(Some(0), 0.5);
    session.compare.second_mut().unwrap().pose_at(Some(0), 0.5);
    assert_eq!(second_locals(&session), rest.pose().locals);
    let tee = ReferencePose::Tee;
    assert_eq!(session.actor.why_no_t_pose(), None);
    session.apply(Command::Skeleton(SkeletonCommand::Hold(Some(tee))));
    session.update();
    rest.hold(ReferencePose::Bind);
    assert_eq!(second_locals(&session), rest.pose().locals);
}

#[test]
fn in_views_of_joints_a_click_in_b_chooses_the_joint_as_in_a() {
    let mut session = session("Pip");
    session.set_aspects([1.0, 1.0]);
    session.apply(Command::Picture(PictureCommand::SetViewMode(
        ViewMode::Weights,
    )));
    session.apply(Command::Camera(CameraCommand::FrameModel));
    session.compare_with(built_in::load("Pip").unwrap());
    session.update();
    let (at, reach) = ([0.0, 0.0], 0.0);
    session.apply(Command::Pick { at, reach });
    let chosen = session.selected;
    let is_joint = |session: &Session, node| session.actor.skeleton().joints().any(|it| it == node);
    assert!(is_joint(&session, chosen.expect("the model is there")));
    session.apply(Command::SelectNode(None));
    compare(&mut session, CompareCommand::Pick { at, reach });
    assert_eq!(session.selected, chosen);
}

#[test]
fn what_cannot_be_compared_is_not_compared_for_ever() {
    let mut session = session("Pip");
    session.apply(Command::SelectClip(Some(0)));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    compare(&mut session, CompareCommand::ToggleDifferences);
    let found = super::Differences::found(session.compared(), || panic!("as a test"));
    session.take_differences(found);
    assert!(session.difference_job().is_none(), "it is known");
    let view = session.compare_view().differences.unwrap();
    assert!(view.words.contains("cannot be compared"), "{}", view.words);
}
