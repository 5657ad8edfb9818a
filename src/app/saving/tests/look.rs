//! All frames look as the window did when they were asked for.

use super::*;
use crate::{
    scene::{Backdrop, LightSettings, ReferencePose, SkeletonSettings, ViewMode},
    ui::{NodesCommand, SkeletonCommand},
};

#[test]
fn what_is_changed_meanwhile_is_not_in_later_frames() {
    let Ok(gpu) = Gpu::headless() else { return };
    let settings = SavingSettings {
        transparent: false,
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
        Command::ToggleGrid,
        Command::ToggleSkeleton,
        Command::ToggleTheme,
        Command::SetViewMode(ViewMode::Normal),
        Command::SetLight(light),
        Command::SetBackdrop(Backdrop::Plain([1.0, 0.0, 0.0])),
        Command::ToggleDualQuaternions,
        Command::ToggleInPlace,
        Command::Nodes(NodesCommand::ToggleHidden(1)),
        Command::SelectNode(Some(1)),
        Command::Skeleton(SkeletonCommand::Set(bones)),
        Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Bind))),
        Command::FrameModel,
        Command::Zoom {
            notches: 3.0,
            toward: [0.0; 2],
        },
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
        assert_eq!(session.light, other.light, "{said}");
        assert_eq!(session.backdrop, other.backdrop, "{said}");
        assert_eq!(session.selected, other.selected, "{said}");
        assert_eq!(session.held_pose(), other.held_pose(), "{said}");
        assert_eq!(session.skeleton.settings, other.skeleton.settings, "{said}");
        assert_eq!(session.motion, other.motion, "{said}");
        assert_eq!(session.actor.hiding(), other.actor.hiding(), "{said}");
    }
    assert_eq!(unseen, [""; 0]);
}
