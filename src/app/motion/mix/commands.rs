//! What each command about the mix does to the session.

use crate::{
    app::Session,
    model::NodeId,
    ui::{MAX_ADDED, MixCommand, MixMode},
};

impl Session {
    pub(in crate::app) fn apply_mix(&mut self, command: MixCommand) {
        let Self { mix, actor, .. } = self;
        match command {
            MixCommand::ToggleMixed(clip) => self.toggle_mixed(clip),
            MixCommand::SetMode(clip, mode) => mix.change(clip, actor, |mixed| {
                mixed.mode = mode;
                // What fades in and out whole is no blend.
                if mode == MixMode::Blend && mixed.weight >= 1.0 {
                    mixed.weight = 0.5;
                }
            }),
            MixCommand::SetWeight(clip, weight) => {
                if !weight.is_finite() {
                    return;
                }
                for mixed in &mut mix.clips {
                    if mixed.clip == clip && !mixed.is_leaving {
                        mixed.weight = weight.clamp(0.0, MAX_ADDED);
                    }
                }
                // Whatever a clip weighs, it moves the same: dragged, it comes with every move of the pointer.
                return self.follow_change();
            }
            MixCommand::SetBelow(clip, node) => {
                let count = actor.model().hierarchy.len();
                let node = node.filter(|node| *node < count);
                mix.change(clip, actor, |mixed| {
                    mixed.below = node.map(|node| NodeId(node as u32));
                });
            }
            MixCommand::SetReference(clip, reference) => {
                mix.change(clip, actor, |mixed| mixed.reference = reference);
            }
            MixCommand::SwitchMode => {
                let last = mix.listed().next_back().map(|last| (last.clip, last.mode));
                if let Some((clip, mode)) = last {
                    let mode = match mode {
                        MixMode::Blend => MixMode::Add,
                        MixMode::Together | MixMode::Add => MixMode::Blend,
                    };
                    return self.apply_mix(MixCommand::SetMode(clip, mode));
                }
            }
            MixCommand::SetInStep(in_step) => {
                mix.in_step = in_step;
                let clips: Vec<_> = mix.listed().map(|mixed| mixed.clip).collect();
                for clip in clips {
                    mix.change(clip, actor, |mixed| mixed.in_step = in_step);
                }
            }
            MixCommand::PlayAll => self.play_all(),
            MixCommand::EndMix => {
                for mixed in &mut mix.clips {
                    mixed.is_leaving = true;
                }
            }
        }
        self.finish_change();
    }
}
