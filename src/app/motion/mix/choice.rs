//! What the user chose of a mix, without what follows from it: to be taken back, and made again.

use super::{Mix, MixedClip};
use crate::{
    app::Session,
    model::NodeId,
    ui::{MixMode, MixReference},
};

/// The clips of a mix, with their settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::app) struct MixChoice {
    clips: Vec<ChosenClip>,
    in_step: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct ChosenClip {
    clip: usize,
    mode: MixMode,
    weight: f32,
    reference: MixReference,
    below: Option<NodeId>,
    in_step: bool,
}

impl ChosenClip {
    fn of(mixed: &MixedClip) -> Self {
        Self {
            clip: mixed.clip,
            mode: mixed.mode,
            weight: mixed.weight,
            reference: mixed.reference,
            below: mixed.below,
            in_step: mixed.in_step,
        }
    }
}

impl MixChoice {
    /// Whether `is_it` holds for any of them.
    pub(in crate::app) fn has_any(&self, is_it: impl Fn(usize) -> bool) -> bool {
        self.clips.iter().any(|chosen| is_it(chosen.clip))
    }

    /// This choice for another model: without clips that are not there any more, and those whose part of the body is gone.
    pub(in crate::app) fn carried_to(
        self,
        clip_of: impl Fn(usize) -> Option<usize>,
        node_of: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Self {
        let carried = self.clips.into_iter().filter_map(|old| {
            let below = match old.below {
                Some(node) => Some(node_of(node)?),
                None => None,
            };
            Some(ChosenClip {
                clip: clip_of(old.clip)?,
                below,
                ..old
            })
        });
        Self {
            clips: carried.collect(),
            ..self
        }
    }
}

/// What plays beside the clip, and for how long it has.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::app) struct MixMoment {
    pub(in crate::app) choice: MixChoice,
    running_secs: f64,
}

impl MixMoment {
    /// [`MixChoice::carried_to`], at this moment.
    pub(in crate::app) fn carried_to(
        self,
        clip_of: impl Fn(usize) -> Option<usize>,
        node_of: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Self {
        let choice = self.choice.carried_to(clip_of, node_of);
        Self { choice, ..self }
    }
}

impl Mix {
    /// What the user chose.
    pub(in crate::app) fn choice(&self) -> MixChoice {
        MixChoice {
            clips: self.listed().map(ChosenClip::of).collect(),
            in_step: self.in_step,
        }
    }

    /// Whether this is what the user chose.
    pub(in crate::app) fn is_choice(&self, choice: &MixChoice) -> bool {
        let chosen = self.listed().map(ChosenClip::of);
        self.in_step == choice.in_step && chosen.eq(choice.clips.iter().copied())
    }
}

impl Session {
    /// What plays beside the chosen clip now.
    pub(in crate::app) fn mix_moment(&self) -> MixMoment {
        MixMoment {
            choice: self.mix.choice(),
            running_secs: self.mix.running_secs,
        }
    }

    /// Goes to a time of the chosen clip at which this played beside it.
    pub(in crate::app) fn go_to_mix(&mut self, mix: &MixMoment, time_secs: f64) {
        if !self.mix.is_choice(&mix.choice) {
            self.choose_mix(&mix.choice);
        }
        self.seek(time_secs);
        if !self.mix.is_empty() {
            self.mix.running_secs = mix.running_secs;
        }
    }

    /// Lets these clips play beside the chosen one, and no others: at once, without a fade.
    pub(in crate::app) fn choose_mix(&mut self, choice: &MixChoice) {
        let Self { mix, actor, .. } = self;
        if mix.is_empty() {
            mix.running_secs = self.clock.time_secs();
        }
        mix.in_step = choice.in_step;
        mix.clips.clear();
        for chosen in &choice.clips {
            let found = actor.model().clips.get(chosen.clip);
            // It may be the chosen one by now.
            let Some(found) = found.filter(|_| self.clip != Some(chosen.clip)) else {
                continue;
            };
            let mut mixed = MixedClip {
                clip: chosen.clip,
                duration_secs: f64::from(found.duration_secs()),
                mode: chosen.mode,
                weight: chosen.weight,
                reference: chosen.reference,
                below: chosen.below,
                in_step: chosen.in_step,
                presence: 1.0,
                is_leaving: false,
                mask: None,
                reference_pose: None,
            };
            mixed.prepare(actor);
            mix.clips.push(mixed);
        }
        self.finish_change();
    }
}
