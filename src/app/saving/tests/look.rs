//! All frames look as the window did when they were asked for.

use super::*;
use crate::{
    anim::LoopMode,
    scene::{Backdrop, LightSettings, ReferencePose, SkeletonSettings, ViewMode},
    ui::{
        CameraCommand, Command, MixCommand, MorphCommand, MotionCommand, NodesCommand,
        PictureCommand, PlaybackCommand, SkeletonCommand,
    },
};

#[test]
fn what_is_changed_meanwhile_is_not_in_later_frames() {
    let Some(gpu) = Gpu::for_test() else { return };
    let settings = SavingSettings {
        transparent: false,
        fps: 1.0,
        ..SMALL
    };
    let expected = saved(&mut session_at_rest(), &gpu, settings, |_| ());
    assert!(expected.len() > 2);
    let bones = SkeletonSettings {
        x_ray: false,
        ..SkeletonSettings::default()
    };
    let light = LightSettings {
        exposure_stops: 2.0,
        ..LightSettings::default()
    };
    let mut unseen = Vec::new();
    for command in [
        Command::Picture(PictureCommand::ToggleGrid),
        Command::Picture(PictureCommand::ToggleSkeleton),
        Command::ToggleTheme,
        Command::Picture(PictureCommand::SetViewMode(ViewMode::Normal)),
        Command::Picture(PictureCommand::SetLight(light)),
        Command::Picture(PictureCommand::SetBackdrop(Backdrop::Plain([
            1.0, 0.0, 0.0,
        ]))),
        Command::Motion(MotionCommand::ToggleDualQuaternions),
        Command::Motion(MotionCommand::ToggleInPlace),
        Command::Nodes(NodesCommand::ToggleHidden(1)),
        Command::SelectNode(Some(1)),
        Command::Skeleton(SkeletonCommand::Set(bones)),
        Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Bind))),
        Command::Mix(MixCommand::ToggleMixed(1)),
        Command::Morphs(MorphCommand::Hold(0, 1.0)),
        Command::Camera(CameraCommand::FrameModel),
        Command::Camera(CameraCommand::Zoom {
            notches: 3.0,
            toward: [0.0; 2],
        }),
    ] {
        let mut session = session_at_rest();
        let said = format!("{command:?}");
        let frames = saved(&mut session, &gpu, settings, |session| {
            session.apply(command.clone());
            session.update();
        });
        assert!(frames == expected, "{said}");
        // What is changed before is in all of them, if it can be seen in this model.
        let mut session_of_before = session_at_rest();
        session_of_before.apply(command.clone());
        session_of_before.update();
        let frames = saved(&mut session_of_before, &gpu, settings, |_| ());
        unseen.extend((frames == expected).then(|| said.clone()));
        // And what the user changed stays.
        let mut other = session_at_rest();
        other.apply(command);
        assert_eq!(session.shown, other.shown, "{said}");
        assert_eq!(
            session.surroundings.light, other.surroundings.light,
            "{said}"
        );
        assert_eq!(
            session.surroundings.backdrop, other.surroundings.backdrop,
            "{said}"
        );
        assert_eq!(session.selected, other.selected, "{said}");
        assert_eq!(session.held_pose(), other.held_pose(), "{said}");
        assert_eq!(session.skeleton.settings, other.skeleton.settings, "{said}");
        assert_eq!(session.motion, other.motion, "{said}");
        assert_eq!(session.actor.hiding(), other.actor.hiding(), "{said}");
    }
    assert_eq!(unseen, [""; 0]);
}

/// Where a clip of the mix is at its end, the loop mode says what it does in the rest of the other.
#[test]
fn clips_of_a_mix_end_in_all_frames_alike() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mixed = || {
        let mut session = session_at_rest();
        let clips = &session.model().clips;
        let shorter = (1..clips.len())
            .find(|&clip| clips[clip].duration_secs() < 0.6 * clips[0].duration_secs())
            .unwrap();
        session.apply(Command::Mix(MixCommand::ToggleMixed(shorter)));
        session.update();
        session
    };
    let once = |session: &mut Session| {
        session.apply(Command::Playback(PlaybackCommand::SetLoopMode(
            LoopMode::Once,
        )));
        session.update();
    };
    let expected = saved(&mut mixed(), &gpu, SMALL, |_| ());
    assert!(saved(&mut mixed(), &gpu, SMALL, once) == expected);
    let mut before = mixed();
    once(&mut before);
    assert!(saved(&mut before, &gpu, SMALL, |_| ()) != expected);
}

#[test]
fn another_scene_and_another_environment_end_it() {
    let Some(gpu) = Gpu::for_test() else { return };
    let path = std::env::temp_dir().join(format!("rigscope-other-{}.apng", std::process::id()));
    let mut session = session_at_rest();
    let mut job = begin(&mut session, &gpu, &path, SMALL);
    job.step(&mut session, &gpu).unwrap();
    session.set_environment(None);
    assert!(job.step(&mut session, &gpu).is_err());
}
