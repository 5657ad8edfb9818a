//! Saving what plays as one more animation of the model's own file, aside from the frames: with the keys of the clip where it
//! plays alone, and else moment by moment.

use std::{path::Path, sync::Arc};

use anyhow::{Context as _, bail};

use super::{
    film::Film,
    words::{BETWEEN_CLIPS, Words, last_clip_sentence},
};
use crate::{
    anim::Clock,
    app::{
        Actor, ClipPart, Session,
        actor::{ByHand, as_played},
        files::Source,
        motion::Mix,
    },
    export::{AddedClip, Recorded, SourceFile, check_addable, clip_glb, unread_words},
    model::{Clip, Model, free_name},
    output::write_whole,
    ui::SavingKind,
};

/// Letters that are proposed for the name of an animation.
const NAME_CHARS: usize = 60;

/// Takes note of progress: how many moments are done, and how many there are in all (0 where none are counted); fails if no
/// more are wanted.
pub(super) type Step<'s> = dyn Fn(u32, u32) -> anyhow::Result<()> + 's;

/// What plays, as it was when saving was asked for: what is shown goes on.
#[derive(Debug)]
pub(super) struct AnimationSnapshot {
    model: Arc<Model>,
    clip: Option<usize>,
    /// The clip, if it plays alone, whole and forwards.
    alone: Option<usize>,
    mix: Mix,
    clock: Clock,
    /// How time runs.
    film: Film,
    is_in_place: bool,
    by_hand: ByHand,
    /// Moments a second, where it is saved by moments.
    rate: f64,
    /// Why nothing plays; none if something does.
    unplayed: Option<&'static str>,
    name: String,
    /// In words.
    what: Words,
    /// Where the model's own file is.
    source: Option<Source>,
}

impl Session {
    /// The clip that plays alone, whole and forwards, so that its own keys are saved.
    pub(super) fn clip_alone(&self) -> Option<usize> {
        let has_others = self.mix.clip_indices().next().is_some();
        let is_whole = self.clock.range_secs().is_none();
        let is_played = self.held_pose().is_none() && !self.has_part_by_hand();
        let is_forward = self.film().is_forward();
        self.clip
            .filter(|_| is_played && is_whole && is_forward && !has_others)
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
        let names = names.collect::<Vec<_>>().join(BETWEEN_CLIPS);
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
            film: self.film(),
            mix,
            clock: self.clock.clone(),
            is_in_place: self.motion.is_in_place,
            by_hand: self.actor.by_hand(),
            rate: self.saving.settings.fps,
            unplayed: self.unplayed(),
            name: self.saving.animation_name.clone(),
            what: self.words_of_saved(SavingKind::Animation),
            source,
        }
    }
}

impl AnimationSnapshot {
    /// Writes it to a file; what is not in it, in words. It is told to `step` how many moments of all are taken down, which may
    /// end it.
    pub(super) fn write(&self, path: &Path, step: &Step<'_>) -> anyhow::Result<Vec<String>> {
        let source = self.source.as_ref().context("the model has no file")?;
        let (original, own_file) = (source.original()?, source.own_file());
        let bin = original.bin.as_deref();
        let source = SourceFile::new(&original.json, bin, &original.chunks, &original.named);
        let source = source.with_context(|| self.model.name.clone())?;
        check_addable(&source, &self.model, &self.name)?;
        let mut left_out = unread_words(self.clips().map(|clip| &self.model.clips[clip]));
        left_out.extend(source.lost_files(own_file.as_deref(), path));
        let played = self.played(step)?;
        // From here on no moments are counted, and who stops it still has no file.
        step(0, 0)?;
        let added = AddedClip {
            model: &self.model,
            clip: &played.clip,
            name: &self.name,
        };
        let saved = clip_glb(source, &added)?;
        step(0, 0)?;
        write_whole(path, &saved.bytes)?;
        left_out.extend(played.left_out);
        left_out.extend(saved.left_out);
        Ok(left_out)
    }

    /// The clips that play.
    fn clips(&self) -> impl Iterator<Item = usize> {
        self.clip.into_iter().chain(self.mix.clip_indices())
    }

    /// What the file has, for the message.
    pub(super) fn words(&self) -> String {
        last_clip_sentence(&self.name, self.what.beside(&self.name))
    }

    /// What plays, as a clip.
    fn played(&self, step: &Step<'_>) -> anyhow::Result<Recorded> {
        if let Some(reason) = self.unplayed {
            bail!(reason);
        }
        if let Some(clip) = self.alone {
            let mut played = as_played(&self.model, clip, self.is_in_place)?;
            played.clip = played.clip.at_speed(self.film.clip_speed())?;
            return Ok(played);
        }
        let mut actor = Actor::new(Model::clone(&self.model));
        actor.set_in_place(self.is_in_place);
        actor.set_by_hand(self.by_hand.clone());
        let (mut clock, mut mix) = (self.clock.clone(), self.mix.clone());
        let duration_secs = self.film.play_secs().unwrap_or_default();
        let rate = self.film.rate_with_turn(self.rate);
        let mut taken = 0;
        actor.record(self.clips(), duration_secs, rate, |actor, secs, all| {
            step(taken, all)?;
            taken += 1;
            let moment = self.film.moment_after(secs);
            clock.seek(moment.clip_secs);
            mix.swap_time(moment.mix_secs);
            if mix.is_empty() {
                actor.pose_at(self.clip, moment.clip_secs);
            } else {
                let now = ClipPart {
                    clip: self.clip,
                    time_secs: moment.clip_secs,
                    weight: 1.0,
                };
                actor.pose_mix(std::iter::once(now), mix.layers(&clock));
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
