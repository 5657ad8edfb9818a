//! Another version of the rig that is shown, in whatever way it is opened, as one goes through the files of a folder or drops
//! another export: what was played and where it was seen from go on.

use std::{path::PathBuf, time::Duration};

use super::reload::own_names;
use crate::{
    anim::{Clock, difference::NodeMatch},
    app::{Session, camera::camera_nodes, messages::Topic, time::ClipTimes},
    import::Import,
    model::{Model, NodeId, pair_by_name},
    scene::OrbitCamera,
    ui::{Action, Message, TimeSpan, written},
};

/// From which ratio of sizes on, larger or smaller, another model is looked at anew.
const OTHER_SIZE: f32 = 2.0;

/// What goes on.
struct Kept {
    clip: Option<usize>,
    clock: Clock,
    span: Option<TimeSpan>,
    times: ClipTimes,
    /// None as long as nobody has moved it.
    camera: Option<OrbitCamera>,
    file_camera: Option<NodeId>,
    size: f32,
}

impl Kept {
    /// None if the model that comes is another one, or has no such clip.
    fn of(session: &Session, new: &Model) -> Option<Self> {
        let old = session.model();
        // Clips of other files go with the model that they were added to.
        let own = own_names(old, session.own_clip_count());
        let same_clips = pair_by_name(own, own_names(new, new.clips.len()));
        let clip_of = |clip: usize| *same_clips.get(clip)?;
        let clip = match session.clip() {
            Some(clip) => Some(clip_of(clip)?),
            // Its own pose, and not for want of a clip.
            None if !old.clips.is_empty() => None,
            None => return None,
        };
        let nodes = NodeMatch::new(&old.hierarchy, &new.hierarchy);
        let most = old.hierarchy.len().max(new.hierarchy.len());
        if most == 0 || 2 * nodes.pairs.len() < most {
            return None;
        }
        let rig = &session.camera;
        let cameras = camera_nodes(new, new.default_scene);
        let file_camera = rig.file_camera().and_then(|node| nodes.second_of(node));
        Some(Self {
            clip,
            clock: session.clock().clone(),
            span: session.timeline.shown(),
            times: session.clip_times().carried_to(clip_of),
            camera: (!rig.is_first()).then(|| rig.destination()),
            file_camera: file_camera.filter(|node| cameras.contains(node)),
            size: session.actor().bounds().diagonal(),
        })
    }
}

impl Session {
    /// Shows a file that was opened: from the front, or as the one before was shown, if it is another version of that. Says
    /// that what was posed by hand is gone, turned or held.
    pub fn open_model(&mut self, import: Import, path: Option<PathBuf>, load_time: Duration) {
        let kept = Kept::of(self, &import.model);
        let was_turned = !self.actor.offsets().is_empty();
        let was_held = !self.actor.held_weights().is_empty();
        self.replace_model(import, path, load_time);
        if let Some(kept) = kept {
            self.go_on(kept);
        }
        let gone = match (was_turned, was_held) {
            (false, false) => None,
            (true, false) => Some("The pose made by hand is"),
            (false, true) => Some("The morph weights set by hand are"),
            (true, true) => Some("The pose and the morph weights made by hand are"),
        };
        if let Some(gone) = gone {
            self.messages.tell_if_quiet(Topic::DroppedPose, || {
                let keys = written(Action::SavePose, 0);
                Message::info(
                    format!("{gone} gone with the model before"),
                    format!("{keys} saves a pose, before another file is opened."),
                )
            });
        }
    }

    fn go_on(&mut self, kept: Kept) {
        self.select_clip(kept.clip);
        self.restore_times(kept.times);
        let duration_secs = self.clock.duration_secs();
        self.clock = kept.clock;
        self.clock.renew(duration_secs);
        self.recall_times();
        self.crowd.time_secs = self.clock.time_secs();
        self.show_again_of_axis(kept.span);
        self.pose_changed();
        self.update();
        let size = self.actor.bounds().diagonal();
        let is_other_size = size.min(kept.size) * OTHER_SIZE <= size.max(kept.size);
        match kept.camera.filter(|_| !is_other_size) {
            Some(camera) => self.camera.jump(camera),
            None => self.frame_first(),
        }
        if let Some(node) = kept.file_camera {
            self.camera.go_on_through(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        anim::LoopMode,
        app::{built_in, files::documents::tests::edited},
        import::{Progress, load_bytes},
        model::ClipBuilder,
        ui::{CameraCommand, Command, MorphCommand, PlaybackCommand, TimelineCommand},
    };

    /// Pip with his clips in another order, and without one of them.
    fn other_version() -> Import {
        let mut import = built_in::load("Pip").unwrap();
        import.model.clips.reverse();
        import.model.clips.retain(|clip| clip.name() != "Jump");
        import
    }

    fn walking() -> Session {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspect(1.5);
        let mut clips = session.model().clips.iter();
        let walk = clips.position(|clip| clip.name() == "Walk");
        for command in [
            Command::SelectClip(walk),
            Command::Playback(PlaybackCommand::TogglePlay),
            Command::Playback(PlaybackCommand::SetSpeed(0.5)),
            Command::Playback(PlaybackCommand::SetLoopMode(LoopMode::PingPong)),
            Command::Playback(PlaybackCommand::Seek(0.4)),
            Command::Timeline(TimelineCommand::SetRange(Some(TimeSpan {
                from_secs: 0.2,
                to_secs: 0.6,
            }))),
        ] {
            session.apply(command);
        }
        session.update();
        session
    }

    #[test]
    fn another_version_of_the_rig_is_shown_as_the_one_before() {
        let mut session = walking();
        session.apply(Command::Camera(CameraCommand::Orbit {
            right: 0.3,
            down: 0.1,
        }));
        let (clock, camera) = (session.clock().clone(), session.camera());
        assert!(!clock.is_playing());
        session.open_model(other_version(), None, Duration::ZERO);
        let name = session
            .clip()
            .map(|clip| session.model().clips[clip].name());
        assert_eq!(name, Some("Walk"));
        assert_eq!(*session.clock(), clock);
        assert_eq!(session.camera(), camera);

        // His own pose, too.
        session.apply(Command::SelectClip(None));
        session.open_model(other_version(), None, Duration::ZERO);
        assert_eq!((session.clip(), session.camera()), (None, camera));
    }

    #[test]
    fn what_is_another_model_or_lacks_the_clip_begins_from_the_front() {
        let mut session = walking();
        let mut clips = session.model().clips.iter();
        let jump = clips.position(|clip| clip.name() == "Jump");
        session.apply(Command::SelectClip(jump));
        session.open_model(other_version(), None, Duration::ZERO);
        assert!(session.clip() == Some(0) && session.clock().is_playing());

        // That of another file is not the one that the next version has.
        let mut session = Session::new(other_version(), None, Duration::ZERO);
        let mut lent = built_in::load("Pip").unwrap().model;
        lent.clips.retain(|clip| clip.name() == "Jump");
        session.add_clips("jump.glb", lent);
        assert_eq!(session.clip(), Some(session.own_clip_count()));
        session.open_model(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        assert!(session.clip() == Some(0) && session.clock().is_playing());

        // Of another rig a clip of the same name is another clip.
        let mut session = walking();
        let mut other = built_in::load("Windmill").unwrap();
        other.model.clips = ["Jump", "Walk"]
            .map(|name| ClipBuilder::new(name).finish())
            .into();
        session.open_model(other, None, Duration::ZERO);
        assert!(session.clip() == Some(0) && session.clock().is_playing());
    }

    #[test]
    fn held_weights_that_are_gone_with_the_model_are_said() {
        let mut session = walking();
        session.open_model(other_version(), None, Duration::ZERO);
        assert_eq!(session.message(), None);
        session.apply(Command::Morphs(MorphCommand::Hold(0, 0.5)));
        session.open_model(other_version(), None, Duration::ZERO);
        assert!(session.actor().held_weights().is_empty());
        let title = session.message().map(|message| &*message.title);
        let gone = "The morph weights set by hand are gone with the model before";
        assert_eq!(title, Some(gone));
    }

    #[test]
    fn a_camera_that_nobody_moved_sees_all_of_the_next_one_and_so_does_one_of_another_size() {
        let mut session = walking();
        session.open_model(other_version(), None, Duration::ZERO);
        assert!(session.camera.is_first());

        let huge = edited(0, |json| {
            let root = json["scenes"][0]["nodes"][0].as_u64().unwrap() as usize;
            json["nodes"][root]["scale"] = serde_json::json!([100, 100, 100]);
        });
        let huge = load_bytes("huge.glb", &huge, &Progress::default()).unwrap();
        session.apply(Command::Camera(CameraCommand::Zoom {
            notches: 3.0,
            toward: [0.0; 2],
        }));
        session.open_model(huge, None, Duration::ZERO);
        assert!(
            session.camera.is_first(),
            "it would be all around the camera"
        );
        assert_eq!(session.clock().time_secs(), 0.4);
    }
}
