//! Clips that play beside the chosen one: what they are, how far each has come in, and when in it each is.

mod all;
mod carried;
mod choice;
mod commands;
mod rows;
mod time;

pub(in crate::app) use choice::{MixChoice, MixMoment};
pub(in crate::app) use rows::MixRows;

use std::cell::LazyCell;

use super::{
    conflicts::{self, Claimant},
    transition::{ClipPart, fading_clock},
};
use crate::{
    anim::{
        Clock, LoopMode, Pose,
        blend::{BlendMode, JointMask, smoothstep},
    },
    app::{
        Session,
        actor::{Actor, MAX_LAYERS, MixLayer},
    },
    model::NodeId,
    ui::{ConflictRow, Message, MixMode, MixReference, MixRow},
};

/// Clips beside the chosen one at most; some more may be on their way out.
const MAX_CLIPS: usize = 63;

/// What plays beside the chosen clip.
#[derive(Debug, Clone, Default)]
pub(in crate::app) struct Mix {
    /// In the order in which they joined; those on their way out among them.
    clips: Vec<MixedClip>,
    in_step: bool,
    /// Time since the beginning, without ends and loops: each clip finds its own place in it.
    running_secs: f64,
    /// What clips on their way out go by once another clip is chosen or nothing else gives a time, as long as there are any.
    past_clock: Option<Clock>,
    conflicts: Vec<ConflictRow>,
}

#[derive(Debug, Clone)]
struct MixedClip {
    clip: usize,
    duration_secs: f64,
    mode: MixMode,
    weight: f32,
    reference: MixReference,
    below: Option<NodeId>,
    in_step: bool,
    /// How far it has come in, 0..=1, so that nothing jumps.
    presence: f32,
    is_leaving: bool,
    mask: Option<JointMask>,
    reference_pose: Option<Pose>,
}

impl MixedClip {
    fn time_secs(&self, clock: &Clock, running_secs: f64) -> f64 {
        let lead_secs = clock.duration_secs();
        if self.in_step && lead_secs > 0.0 {
            return clock.time_secs() / lead_secs * self.duration_secs;
        }
        folded(running_secs, self.duration_secs, clock.loop_mode())
    }

    /// Remembers what its settings mean for this model.
    fn prepare(&mut self, actor: &mut Actor) {
        let hierarchy = &actor.model().hierarchy;
        self.mask = self.below.map(|node| JointMask::subtree(hierarchy, node));
        self.reference_pose = (self.mode == MixMode::Add).then(|| match self.reference {
            MixReference::FirstFrame => actor.reference_pose(Some(self.clip), 0.0),
            MixReference::RestPose => actor.reference_pose(None, 0.0),
            MixReference::Frame(secs) => actor.reference_pose(Some(self.clip), secs),
        });
    }
}

/// The moment of a clip of `duration_secs` after it has run for `running_secs`.
pub(in crate::app) fn folded(running_secs: f64, duration_secs: f64, mode: LoopMode) -> f64 {
    if duration_secs <= 0.0 {
        return 0.0;
    }
    match mode {
        // Its end is not its beginning: who seeks the end shall see it.
        _ if (0.0..=duration_secs).contains(&running_secs) => running_secs,
        LoopMode::Loop => running_secs.rem_euclid(duration_secs),
        LoopMode::PingPong => {
            let phase = running_secs.rem_euclid(2.0 * duration_secs);
            phase.min(2.0 * duration_secs - phase)
        }
        LoopMode::Once | LoopMode::Hold => running_secs.clamp(0.0, duration_secs),
    }
}

/// Whether any of these is on its way out.
fn has_leaving(clips: &[MixedClip]) -> bool {
    clips.iter().any(|clip| clip.is_leaving)
}

impl Mix {
    /// Whether there is anything to play, be it on its way out.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.clips.is_empty()
    }

    /// Whether clips are coming in or going out.
    pub(super) fn is_changing(&self) -> bool {
        let mut clips = self.clips.iter();
        clips.any(|clip| clip.is_leaving || clip.presence < 1.0)
    }

    /// What stands in the list.
    fn listed(&self) -> impl DoubleEndedIterator<Item = &MixedClip> + Clone {
        self.clips.iter().filter(|clip| !clip.is_leaving)
    }

    /// The clips in the list, by their places in the model.
    pub(in crate::app) fn clip_indices(&self) -> impl Iterator<Item = usize> {
        self.listed().map(|clip| clip.clip)
    }

    /// Whether a clip is in the list.
    pub(in crate::app) fn has(&self, clip: usize) -> bool {
        self.clip_indices().any(|listed| listed == clip)
    }

    /// Forgets everything: another model is shown.
    pub(in crate::app) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Ends what is changing, and goes to a time.
    pub(in crate::app) fn seek(&mut self, time_secs: f64) {
        self.running_secs = time_secs;
        self.settle();
    }

    /// Time since the beginning.
    pub(in crate::app) fn running_secs(&self) -> f64 {
        self.running_secs
    }

    /// Goes to another time and back, for a look: returns the time before.
    pub(in crate::app) fn swap_time(&mut self, time_secs: f64) -> f64 {
        std::mem::replace(&mut self.running_secs, time_secs)
    }

    /// Ends what is changing.
    pub(in crate::app) fn settle(&mut self) {
        self.past_clock = None;
        self.clips.retain(|clip| !clip.is_leaving);
        for clip in &mut self.clips {
            clip.presence = 1.0;
        }
    }

    /// Lets `elapsed_secs` of the user's time pass; `clip_secs` of it reach the clips.
    pub(super) fn tick(&mut self, elapsed_secs: f64, clip_secs: f64, fade_secs: f64) {
        self.running_secs += clip_secs;
        if fade_secs <= 0.0 {
            return self.settle();
        }
        let step = (elapsed_secs / fade_secs) as f32;
        for clip in &mut self.clips {
            let way = if clip.is_leaving { -step } else { step };
            clip.presence = (clip.presence + way).clamp(0.0, 1.0);
        }
        self.clips
            .retain(|clip| !clip.is_leaving || clip.presence > 0.0);
        if !has_leaving(&self.clips) {
            self.past_clock = None;
        }
    }

    /// The clip that gives the time where none is chosen: the longest, and of several the first.
    pub(in crate::app) fn lead(&self) -> Option<usize> {
        // Of equals the last is taken.
        let clips = self.listed().rev();
        let lead = clips.max_by(|a, b| a.duration_secs.total_cmp(&b.duration_secs));
        lead.map(|clip| clip.clip)
    }

    /// Whether any clip counts beside the chosen one.
    pub(in crate::app) fn has_weight(&self) -> bool {
        self.listed().any(|clip| clip.weight > 0.0)
    }

    /// The clip that moves the file's own pose alone and as it is, if there is one.
    pub(in crate::app) fn sole(&self) -> Option<usize> {
        let mut clips = self.listed().filter(|clip| clip.weight > 0.0);
        let sole = clips.next().filter(|_| clips.next().is_none())?;
        let is_whole = sole.mode != MixMode::Add && sole.below.is_none() && sole.weight >= 1.0;
        is_whole.then_some(sole.clip)
    }

    /// The length of the longest clip, for a clock without a chosen one.
    pub(in crate::app) fn longest_secs(&self) -> f64 {
        let lengths = self.listed().map(|clip| clip.duration_secs);
        lengths.fold(0.0, f64::max)
    }

    /// What is to be played over the chosen clip, the lowest first.
    pub(in crate::app) fn layers<'a>(
        &'a self,
        clock: &'a Clock,
    ) -> impl Iterator<Item = MixLayer<'a>> + Clone {
        let past = self.clock(clock);
        self.clips.iter().map(move |clip| MixLayer {
            part: ClipPart {
                clip: Some(clip.clip),
                time_secs: {
                    let clock = if clip.is_leaving { past } else { clock };
                    clip.time_secs(clock, self.running_secs)
                },
                weight: clip.weight * smoothstep(clip.presence),
            },
            mode: match (clip.mode, &clip.reference_pose) {
                (MixMode::Together, _) => BlendMode::Together,
                (MixMode::Add, Some(reference)) => BlendMode::Additive { reference },
                (MixMode::Blend | MixMode::Add, _) => BlendMode::Override,
            },
            mask: clip.mask.as_ref(),
        })
    }

    /// Takes a clip in with all its settings; it comes in from nothing.
    fn join(&mut self, clip: MixedClip) {
        if self.clips.len() >= MAX_LAYERS {
            let leaving = self.clips.iter().position(|clip| clip.is_leaving);
            self.clips.remove(leaving.unwrap_or(0));
        }
        self.clips.push(MixedClip {
            presence: 0.0,
            is_leaving: false,
            ..clip
        });
    }

    /// Lets a clip go out.
    fn leave(&mut self, clip: usize) {
        for mixed in &mut self.clips {
            mixed.is_leaving |= mixed.clip == clip;
        }
    }

    /// Changes the settings of a clip: it goes out as it was, and comes in as it is to be, in the same place.
    fn change(&mut self, clip: usize, actor: &mut Actor, change: impl FnOnce(&mut MixedClip)) {
        let is_it = |mixed: &MixedClip| mixed.clip == clip && !mixed.is_leaving;
        let Some(place) = self.clips.iter().position(is_it) else {
            return;
        };
        let mut changed = self.clips[place].clone();
        change(&mut changed);
        changed.prepare(actor);
        self.clips[place].is_leaving = true;
        self.join(changed);
        // The order says who wins, so the place is kept; those that leave stand right below.
        if let Some(changed) = self.clips.pop() {
            let below = self.clips.iter().position(|mixed| mixed.clip == clip);
            let at = below.map_or(self.clips.len(), |below| below + 1);
            self.clips.insert(at.min(self.clips.len()), changed);
        }
    }
}

impl Session {
    /// The clips that play beside the chosen one.
    pub(in crate::app) fn mix_rows(&self, rows: &mut Vec<MixRow>) {
        rows.clear();
        let mix = &self.mix;
        rows.extend(mix.listed().map(|clip| MixRow {
            clip: clip.clip,
            mode: clip.mode,
            weight: clip.weight,
            reference: clip.reference,
            below: clip.below.map(NodeId::index),
            time_secs: clip.time_secs(&self.clock, mix.running_secs),
        }));
    }

    /// Whether clips of different length go in step, and how long a round of them takes then.
    pub(super) fn mix_step(&self) -> (bool, Option<f64>) {
        let round_secs = self.mix.round_secs(self.clock.duration_secs());
        (self.mix.in_step, round_secs)
    }

    /// Clips that play together and move the same, the later one winning.
    pub fn conflicts(&self) -> &[ConflictRow] {
        &self.mix.conflicts
    }

    /// The chosen clip is another one, of this length: it starts anew, but takes the phase over if others go in step, and
    /// it plays no longer beside itself.
    pub(in crate::app) fn restart_clips(&mut self, duration_secs: f64) {
        let lead_secs = self.clock.duration_secs();
        let is_led = lead_secs > 0.0 && self.mix.listed().any(|clip| clip.in_step);
        let phase = is_led.then(|| self.clock.time_secs() / lead_secs);
        if has_leaving(&self.mix.clips) {
            let past = &mut self.mix.past_clock;
            past.get_or_insert_with(|| fading_clock(&self.clock));
        }
        self.clock.restart(duration_secs);
        if let Some(phase) = phase {
            self.clock.seek(phase * duration_secs);
        }
        if let Some(clip) = self.clip {
            self.mix.leave(clip);
        }
        // What is on its way out by a clock of before goes on from where that is.
        if self.mix.listed().next().is_none() && self.mix.past_clock.is_none() {
            self.mix.running_secs = self.clock.time_secs();
        }
        self.finish_change();
    }

    fn toggle_mixed(&mut self, clip: usize) {
        let Some(found) = self.model().clips.get(clip) else {
            return;
        };
        let duration_secs = f64::from(found.duration_secs());
        let mix = &mut self.mix;
        if mix.has(clip) {
            mix.leave(clip);
        } else if self.clip == Some(clip) {
            // It plays.
        } else if mix.listed().count() >= MAX_CLIPS {
            self.tell(Message::info(
                format!("{MAX_CLIPS} clips play beside the selected one"),
                "Take one of them out of the mix first.",
            ));
        } else {
            // Where it would hide the chosen clip, both are seen in a mean of them.
            let model = self.actor.model();
            let hides = self
                .clip
                .is_some_and(|over| conflicts::hides(model, clip, over));
            let (mode, weight) = if hides {
                (MixMode::Blend, 0.5)
            } else {
                (MixMode::Together, 1.0)
            };
            self.join_mix(clip, duration_secs, mode, weight);
        }
    }

    fn join_mix(&mut self, clip: usize, duration_secs: f64, mode: MixMode, weight: f32) {
        let mix = &mut self.mix;
        if mix.is_empty() {
            mix.running_secs = self.clock.time_secs();
        }
        mix.join(MixedClip {
            clip,
            duration_secs,
            mode,
            weight,
            reference: MixReference::default(),
            below: None,
            in_step: mix.in_step,
            presence: 0.0,
            is_leaving: false,
            mask: None,
            reference_pose: None,
        });
    }

    /// What follows from a change of the mix.
    fn finish_change(&mut self) {
        if self.clip.is_none() {
            self.find_rate_again();
        }
        self.refresh_conflicts();
        self.follow_change();
    }

    /// [`Self::finish_change`] where clips move the same as before.
    fn follow_change(&mut self) {
        if self.clip.is_none() {
            // Without a chosen clip the longest one gives the time.
            let longest_secs = self.mix.longest_secs();
            if self.clock.duration_secs() != longest_secs {
                let mode = self.clock.loop_mode();
                let goes_on = longest_secs <= 0.0 && has_leaving(&self.mix.clips);
                self.mix.past_clock = goes_on.then(|| fading_clock(&self.clock));
                self.clock.set_duration(longest_secs);
                let time_secs = folded(self.mix.running_secs, longest_secs, mode);
                self.clock.seek(time_secs);
                if !goes_on && (mode != LoopMode::Loop || self.clock.range_secs().is_some()) {
                    self.mix.running_secs = self.clock.time_secs();
                }
            }
        } else if !has_leaving(&self.mix.clips) {
            self.mix.past_clock = None;
        }
        let is_moving = self.clock.is_moving() || self.mix.clock(&self.clock).is_moving();
        if !is_moving || self.motion.fade_secs <= 0.0 {
            self.mix.settle();
        }
        self.note_posed_mix();
        self.pose_changed();
    }

    /// Looks which clips move the same.
    pub(in crate::app) fn refresh_conflicts(&mut self) {
        let model = self.actor.model();
        let chosen = self.clip.map(|clip| Claimant { clip, mask: None });
        let together = self.mix.listed();
        let together = together.filter(|mixed| mixed.mode == MixMode::Together);
        let together = together.map(|mixed| Claimant {
            clip: mixed.clip,
            mask: mixed.mask.as_ref(),
        });
        let claimants: Vec<_> = chosen.into_iter().chain(together).collect();
        // Most clips have none.
        let names = LazyCell::new(|| self.short_clip_names());
        let name = |clip: usize| names.get(clip).cloned().unwrap_or_default();
        self.mix.conflicts = conflicts::find(model, &claimants, name);
    }

    /// Takes anew what settings of motion change in the poses that added clips are the difference from.
    pub(super) fn refresh_mix(&mut self) {
        let Self { mix, actor, .. } = self;
        for mixed in &mut mix.clips {
            mixed.prepare(actor);
        }
    }
}
