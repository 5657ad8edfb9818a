//! Saving what plays as one more animation of the model's own file, aside from the frames: with the keys of the clip where it
//! plays alone, and else moment by moment.

use std::{path::Path, sync::Arc};

use anyhow::{Context as _, bail};

use crate::{
    anim::Clock,
    app::{
        Actor, ClipPart, Session,
        actor::{ByHand, as_played},
        files::Source,
        motion::Mix,
    },
    export::{AddedClip, SourceFile, check_addable, clip_glb},
    model::{Clip, Model, free_name},
    output::write_whole,
    ui::SavingKind,
};

/// Letters that are proposed for the name of an animation.
const NAME_CHARS: usize = 60;

/// What plays, as it was when saving was asked for: what is shown goes on.
#[derive(Debug)]
pub(super) struct AnimationSnapshot {
    model: Arc<Model>,
    clip: Option<usize>,
    /// The clip, if it plays alone and whole.
    alone: Option<usize>,
    mix: Mix,
    clock: Clock,
    /// How much time of the clip passes in a second.
    pace: f64,
    is_in_place: bool,
    by_hand: ByHand,
    /// Moments a second, where it is saved by moments.
    rate: f64,
    /// Why nothing plays; none if something does.
    unplayed: Option<&'static str>,
    name: String,
    /// In words.
    what: String,
    /// Where the model's own file is.
    source: Option<Source>,
}

impl Session {
    /// The clip that plays alone and whole, so that its own keys are saved.
    pub(super) fn clip_alone(&self) -> Option<usize> {
        let has_others = self.mix.clip_indices().next().is_some();
        let is_whole = self.clock.range_secs().is_none();
        let is_played = self.held_pose().is_none() && !self.has_part_by_hand();
        self.clip.filter(|_| is_played && is_whole && !has_others)
    }

    /// Why nothing plays that could be saved; none if something does.
    pub(super) fn unplayed(&self) -> Option<&'static str> {
        if self.held_pose().is_some() {
            Some("A pose is held, and no clip plays")
        } else if self.clip.is_none() && self.mix.is_empty() {
            Some("No clip plays")
        } else {
            None
        }
    }

    /// Whether a clip of the model's own file has this name.
    pub(super) fn is_own_clip_name(&self, name: &str) -> bool {
        let own = self.model().clips.iter().take(self.own_clip_count());
        own.map(Clip::name).any(|own| own == name)
    }

    /// Proposes for what plays the name of its clips, as none of the model's own file is called, unless the user has written
    /// another.
    pub(super) fn propose_animation_name(&mut self) {
        let model = self.model();
        let playing = self.clip.into_iter().chain(self.mix.clip_indices());
        let names = playing.map(|clip| model.own_clip_name(clip));
        let names = names.collect::<Vec<_>>().join(" + ");
        let short: String = names.chars().take(NAME_CHARS).collect();
        let wanted = match short.trim() {
            "" => "Animation",
            short => short,
        };
        let proposed = free_name(wanted, |name| self.is_own_clip_name(name));
        let state = &mut self.saving;
        let before = std::mem::replace(&mut state.proposed_animation_name, proposed);
        if state.animation_name == before {
            state
                .animation_name
                .clone_from(&state.proposed_animation_name);
        }
    }

    /// What plays, the part that loops if there is one, with what was changed by hand.
    pub(super) fn animation_snapshot(&self, source: Option<Source>) -> AnimationSnapshot {
        let mut mix = self.mix.clone();
        mix.settle();
        AnimationSnapshot {
            model: self.actor.shared_model(),
            clip: self.clip,
            alone: self.clip_alone(),
            pace: mix.settled_pace(self.clock.duration_secs()),
            mix,
            clock: self.clock.clone(),
            is_in_place: self.motion.is_in_place,
            by_hand: self.actor.by_hand(),
            rate: self.saving.settings.fps,
            unplayed: self.unplayed(),
            name: self.saving.animation_name.clone(),
            what: self.words_of_saved(SavingKind::Animation).said,
            source,
        }
    }
}

impl AnimationSnapshot {
    /// Writes it to a file; what is not in it, in words.
    pub(super) fn write(&self, path: &Path) -> anyhow::Result<Vec<String>> {
        let source = self.source.as_ref().context("the model has no file")?;
        let original = source.original()?;
        let bin = original.bin.as_deref();
        let source = SourceFile::new(&original.json, bin, &original.named);
        let source = source.with_context(|| self.model.name.clone())?;
        check_addable(&source, &self.model, &self.name)?;
        let clip = self.played()?;
        let added = AddedClip {
            model: &self.model,
            clip: &clip,
            name: &self.name,
        };
        let saved = clip_glb(source, &added)?;
        write_whole(path, &saved.bytes)?;
        Ok(saved.left_out)
    }

    /// What the file has, for the message.
    pub(super) fn words(&self) -> String {
        format!("Its last clip is \"{}\"\n{}", self.name, self.what)
    }

    /// What plays, as a clip.
    fn played(&self) -> anyhow::Result<Clip> {
        if let Some(reason) = self.unplayed {
            bail!(reason);
        }
        if let Some(clip) = self.alone {
            return Ok(as_played(&self.model, clip, self.is_in_place)?);
        }
        let mut actor = Actor::new(Model::clone(&self.model));
        actor.set_in_place(self.is_in_place);
        actor.set_by_hand(self.by_hand.clone());
        let (mut clock, mut mix) = (self.clock.clone(), self.mix.clone());
        let (from_secs, to_secs) = clock.bounds_secs();
        // In a part all loop together.
        let is_part = clock.range_secs().is_some();
        let clips = self.clip.into_iter().chain(self.mix.clip_indices());
        actor.record(
            clips,
            (to_secs - from_secs) / self.pace,
            self.rate,
            |actor, secs| {
                let time_secs = (from_secs + secs * self.pace).min(to_secs);
                clock.seek(time_secs);
                mix.swap_time(if is_part { time_secs } else { secs });
                if mix.is_empty() {
                    actor.pose_at(self.clip, time_secs);
                } else {
                    let now = ClipPart {
                        clip: self.clip,
                        time_secs,
                        weight: 1.0,
                    };
                    actor.pose_mix(std::iter::once(now), mix.layers(&clock));
                }
                Ok(())
            },
        )
    }
}

#[cfg(test)]
mod tests;
