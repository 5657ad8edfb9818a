//! What an actor plays is what it would be if it were posed for the first time, whatever was done to it before.

use glam::Quat;

use super::*;
use crate::{
    anim::posing::Offset,
    app::{built_in, motion::ClipPart},
    model::Transform,
    scene::ReferencePose,
};

/// What is set of an actor, for all poses to come.
#[derive(Debug, Clone, Copy, Default)]
struct Settings {
    hidden: Option<usize>,
    offset: Option<NodeId>,
    weight: Option<f32>,
    is_in_place: bool,
}

impl Settings {
    fn apply(self, actor: &mut Actor) {
        let mut offsets = Offsets::default();
        if let Some(node) = self.offset {
            let offset = Offset {
                translation: Vec3::X,
                rotation: Quat::from_rotation_y(0.5),
                scale: Vec3::ONE,
            };
            offsets.set(node, offset);
        }
        actor.replace_offsets(offsets);
        actor.hold_weight(0, self.weight);
        actor.set_in_place(self.is_in_place);
        actor.hiding = Hiding::default();
        if let Some(node) = self.hidden {
            actor.toggle_hidden(node);
        }
    }
}

#[test]
fn what_was_done_before_leaves_nothing_in_what_is_played() {
    let model = built_in::load("Pip").unwrap().model;
    let nodes = model.hierarchy.len();
    let clips = model.clips.len();
    let mut actor = Actor::new(model.clone());
    let mut state = 7_u64;
    let mut below = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    let mut settings = Settings::default();
    let mut clip = None;
    for step in 0..200 {
        let time_secs = below(1000) as f64 / 500.0;
        match below(20) {
            0 => clip = None,
            1..=3 => clip = Some(below(clips)),
            4 => settings.hidden = Some(below(nodes)),
            5 => settings.offset = Some(NodeId(below(nodes) as u32)),
            6 => settings.weight = Some(0.75),
            7 => settings.is_in_place = true,
            8..=11 => settings = Settings::default(),
            12 => actor.hold(ReferencePose::Bind),
            13 => actor.hold(ReferencePose::Rest),
            14 => actor.pose_by(|_, pose| pose.place(NodeId(1), Transform::IDENTITY)),
            15 => {
                let part = |clip| ClipPart {
                    clip,
                    time_secs,
                    weight: 0.5,
                };
                let parts = [part(Some(below(clips))), part(clip)];
                actor.pose_mix(parts.into_iter(), std::iter::empty());
            }
            16 => {
                let mut other = actor.twin();
                other.pose_at(Some(below(clips)), time_secs);
                actor.pose_like(&other);
            }
            17 => {
                let mut all = model.clips.clone();
                all.rotate_left(below(clips));
                actor.replace_clips(0, all);
            }
            _ => {}
        }
        settings.apply(&mut actor);
        actor.pose_at(clip, time_secs);
        let mut anew = Actor::new(actor.model().clone());
        settings.apply(&mut anew);
        anew.pose_at(clip, time_secs);
        assert_eq!(actor.pose(), anew.pose(), "{step}: {clip:?}, {settings:?}");
        let matrices = [&actor, &anew].map(|it| it.palette().matrices());
        assert_eq!(matrices[0], matrices[1], "{step}");
    }
}
