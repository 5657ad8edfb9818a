//! Tell clips from those of before: what is known of them, or made of them, counts as long as they are the same.

use crate::app::Session;

/// Another one whenever there may be other clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) struct ClipsKey {
    /// Which model it is.
    pub(in crate::app) model: u64,
    /// Which clips are borrowed from other files.
    pub(in crate::app) borrowed: u64,
}

/// Another one whenever a clip may be another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct ClipState {
    model: u64,
    /// When it was last changed, if it is one of another file.
    changed: u64,
}

/// Another one for every clip that may be in force, or that the timeline may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct ClipKey {
    /// Among which clips it is.
    pub(in crate::app) clips: ClipsKey,
    /// Its index there; none is the file's own pose.
    pub(in crate::app) clip: Option<usize>,
}

impl Session {
    pub(in crate::app) fn clip_key(&self) -> ClipKey {
        ClipKey {
            clips: self.clips_key(),
            clip: self.clip(),
        }
    }

    /// The clip whose time the timeline shows: the one in force, or over the file's own pose the one that gives the time.
    pub(in crate::app) fn timeline_clip(&self) -> Option<usize> {
        self.clip().or_else(|| self.mix.lead())
    }

    /// [`Self::timeline_clip`] where what moves is that clip as it is: what is measured of it is true of the picture.
    pub(super) fn measured_clip(&self) -> Option<usize> {
        let chosen = self.clip();
        // Crowds play no mix.
        if self.actor.crowd().is_some() {
            return chosen;
        }
        let moves_as_it_is = match chosen {
            Some(_) => !self.mix.has_weight(),
            None => self.mix.sole() == self.mix.lead(),
        };
        self.timeline_clip().filter(|_| moves_as_it_is)
    }

    /// [`Self::clip_key`] of the clip whose time the timeline shows.
    pub(in crate::app) fn timeline_key(&self) -> ClipKey {
        ClipKey {
            clips: self.clips_key(),
            clip: self.timeline_clip(),
        }
    }

    pub(in crate::app) fn clips_key(&self) -> ClipsKey {
        self.document.clips_key()
    }

    /// For each clip.
    pub(super) fn clip_states(&self) -> Vec<ClipState> {
        let state = |clip| ClipState {
            model: self.model_generation(),
            changed: self.document.borrowed.changed(clip),
        };
        (0..self.model().clips.len()).map(state).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Vec3;

    use super::*;
    use crate::{
        app::{
            panels::Rows,
            time::{FrameRate, OddFindings, Sheet},
        },
        import::Import,
        model::{Clip, ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, Timeline},
        ui::{Command, MixCommand, PlaybackCommand, SheetKind, TimelineCommand},
    };

    /// Shifts a node, with a key in each frame.
    fn shift(node: u32, frames: u16, frames_per_sec: f32) -> Clip {
        let mut builder = ClipBuilder::new("shift");
        let times = (0..=frames).map(|frame| f32::from(frame) / frames_per_sec);
        let timeline = builder.timeline(Timeline::new(times.collect()).unwrap());
        let values = (0..=frames).map(|frame| Vec3::X * f32::from(frame));
        let (linear, values) = (Interpolation::Linear, values.collect::<Vec<_>>());
        builder
            .translation(NodeId(node), timeline, linear, values)
            .unwrap();
        builder.finish()
    }

    #[test]
    fn over_the_own_pose_the_timeline_is_about_the_clip_that_gives_the_time() {
        let hierarchy = Hierarchy::new(vec![Node::default(); 3], &[None; 3], &vec![vec![]; 3]);
        let model = Model {
            hierarchy: hierarchy.unwrap(),
            clips: vec![shift(0, 60, 60.0), shift(1, 12, 24.0), shift(2, 25, 25.0)],
            ..Model::default()
        };
        let import = Import {
            model,
            ..Import::default()
        };
        let mut session = Session::new(import, None, Duration::ZERO);
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        let sheet = TimelineCommand::ShowSheet(Some(SheetKind::Dope));
        session.apply(Command::Timeline(sheet));
        let (mut rows, mut sheet) = (Rows::default(), Sheet::default());
        let mut check = |session: &Session, clip: Option<usize>, rate: f64, keys: usize| {
            rows.update(session, OddFindings::default());
            sheet.update(session);
            let of_clip = sheet.with_clip(session);
            assert_eq!(session.timeline_view(&[], (&[], None), &of_clip).clip, clip);
            assert_eq!(of_clip.rows.len(), usize::from(clip.is_some()));
            // One node moves, and without a clip none.
            assert_eq!(of_clip.title.is_empty(), clip.is_none());
            let is_all = of_clip.title.starts_with("All that moves: ");
            assert_eq!(is_all, clip.is_some(), "{}", of_clip.title);
            assert_eq!(rows.key_times.secs().len(), keys, "{clip:?}");
            let animated = rows.nodes.list().iter().position(|row| row.is_animated);
            assert_eq!(animated, clip, "each moves the node of its number");
            assert_eq!(session.playback_view().frames_per_sec, rate);
        };
        let mix = |clip| Command::Mix(MixCommand::ToggleMixed(clip));
        check(&session, Some(0), 60.0, 61);
        session.apply(mix(1));
        check(&session, Some(0), 60.0, 61);
        session.apply(Command::SelectClip(None));
        check(&session, Some(1), 24.0, 13);
        session.apply(Command::Timeline(TimelineCommand::StepKey(1)));
        assert_eq!(session.clock().time_secs(), f64::from(1.0_f32 / 24.0));
        // The longer one, and of equals the first.
        session.apply(mix(2));
        check(&session, Some(2), 25.0, 26);
        session.apply(mix(0));
        check(&session, Some(2), 25.0, 26);
        session.apply(Command::Mix(MixCommand::EndMix));
        check(&session, None, 30.0, 0);
        // What was set stays.
        session.apply(Command::Playback(PlaybackCommand::SetFrameRate(7.0)));
        session.apply(mix(1));
        assert_eq!(session.timeline.rate, FrameRate::Set(7.0));
        check(&session, Some(1), 7.0, 13);
    }
}
