//! The second subject beside the shown model: another of its clips, the same pose skinned the other way, or another file; on
//! one clock and in one camera.

mod clips;
mod colors;
mod commands;
mod differences;
mod file;
mod follow;
mod kept;
mod looking;
mod shown;
#[cfg(test)]
mod tests;
mod words;

use glam::Vec3;

pub use self::words::size_note;
use self::{
    clips::{ClipDifferences, stretch},
    differences::Differences,
    words::Labels,
};
pub(super) use self::{
    follow::SecondFile,
    kept::{KeptPair, ShownBefore},
    looking::{FoundDifferences, Looking},
};
use super::{Actor, Session, time::ClipsKey};
use crate::{
    anim::difference::{NodeMatch, pair_clips},
    import::Import,
    model::{Aabb, Model, NodeId},
    scene::{CameraView, Split, SplitWay, ViewMode},
    ui::{self, Action, CompareWith, Message},
};

/// The session's part for what is compared.
#[derive(Debug, Default)]
pub(super) struct Compare {
    is_on: bool,
    pub(super) split: Split,
    with: Option<CompareWith>,
    by_phase: bool,
    /// The shown model once more, for what needs no other file.
    twin: Option<Actor>,
    file: Option<SecondOfFile>,
    /// Counts the other files, so that the window knows when to upload one.
    generation: u64,
    /// Width over height of B's picture.
    second_aspect: f32,
    /// How much of the model was seen before its picture became narrower.
    seen: Seen,
    labels: Labels,
    shows_differences: bool,
    /// As of the pair that was compared last.
    differences: Option<Differences>,
    /// Whether all clips are listed, and not the joints of one.
    lists_clips: bool,
    /// As of the files that were compared last.
    clips: Option<ClipDifferences>,
}

/// How much of a model the camera sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Seen {
    /// Not all.
    #[default]
    Part,
    /// The whole pose.
    Pose,
    /// All that a model does which is first seen: nobody has moved the camera yet.
    First,
}

/// The second subject, where it comes from another file.
#[derive(Debug)]
pub(super) struct SecondOfFile {
    pub(super) actor: Actor,
    /// Which nodes of the shown model are the same; made for a model with this number.
    nodes: NodeMatch,
    made_for: u64,
    /// For each clip of the shown model the one that is like it; made for these clips.
    clips: Vec<Option<usize>>,
    clips_made_for: Option<ClipsKey>,
}

impl Compare {
    /// Lets go of what belongs to the shown model, of which another comes; another file stays.
    pub(super) fn forget_model(&mut self) {
        self.twin = None;
        if self.with != Some(CompareWith::File) {
            self.is_on = false;
            self.with = None;
        }
    }

    /// This comparison for the model of the same file as it is now, whose clip that is compared with is `clip`.
    pub(super) fn carried_to(mut self, clip: Option<usize>, has_skin: bool) -> Self {
        self.twin = None;
        self.labels.forget();
        self.with = match self.with {
            Some(CompareWith::Clip(_)) => clip.map(CompareWith::Clip),
            Some(CompareWith::Skinning) => has_skin.then_some(CompareWith::Skinning),
            with => with,
        };
        self.is_on &= self.with.is_some();
        self
    }

    /// The clip that is compared with, if it is one.
    pub(super) fn clip(&self) -> Option<usize> {
        match self.with {
            Some(CompareWith::Clip(clip)) => Some(clip),
            _ => None,
        }
    }

    /// [`Self::clip`], and whether it is shown.
    pub(super) fn shown_clip(&self) -> Option<(usize, bool)> {
        self.clip().map(|clip| (clip, self.is_on))
    }

    /// Compares with a clip again that was not there for a while, unless something else was chosen meanwhile.
    pub(super) fn take_up(&mut self, (clip, is_on): (usize, bool)) {
        if self.with.is_none() {
            self.with = Some(CompareWith::Clip(clip));
            self.is_on = is_on;
        }
    }

    /// The second subject, if it is there.
    pub(super) fn second(&self) -> Option<&Actor> {
        match self.with? {
            CompareWith::File => self.file.as_ref().map(|file| &file.actor),
            CompareWith::Clip(_) | CompareWith::Skinning => self.twin.as_ref(),
        }
    }

    fn second_mut(&mut self) -> Option<&mut Actor> {
        match self.with? {
            CompareWith::File => self.file.as_mut().map(|file| &mut file.actor),
            CompareWith::Clip(_) | CompareWith::Skinning => self.twin.as_mut(),
        }
    }
}

impl Session {
    /// Shows A and B in a way, or A alone.
    fn show_compared(&mut self, way: Option<SplitWay>) {
        let was_on = std::mem::take(&mut self.compare.is_on);
        self.pose_changed();
        let Some(way) = way else {
            if was_on && self.camera.is_first() {
                self.compare.seen = Seen::First;
            }
            return;
        };
        let with = self.compare.with.filter(|with| self.is_comparable(*with));
        let with = with.or_else(|| self.natural_choice());
        let Some(with) = with else {
            let keys = ui::written(Action::CompareFile, 0);
            return self.tell(Message::error(
                "There is nothing to compare with",
                format!("This model has one clip at most, and no skin. {keys} opens another file beside it."),
            ));
        };
        if self.refuses_to_compare() {
            return;
        }
        let radius = self.camera.destination().radius;
        self.compare.seen = match way {
            SplitWay::SideBySide if self.camera.is_first() => Seen::First,
            SplitWay::SideBySide if self.framing_pose().radius <= 1.05 * radius => Seen::Pose,
            _ => Seen::Part,
        };
        self.compare.with = Some(with);
        self.compare.split.way = way;
        self.compare.is_on = true;
        // The picture is divided from this frame on. Looking how much is seen may have posed A alone.
        self.ready_twin(with);
        self.pose_changed();
    }

    /// Makes the twin, which plays another clip or is skinned otherwise, if there is none of it yet.
    fn ready_twin(&mut self, with: CompareWith) {
        if with != CompareWith::File {
            let twin = self.compare.twin.take();
            let kept = twin.filter(|twin| twin.is_twin_of(&self.actor));
            self.compare.twin = Some(kept.unwrap_or_else(|| self.actor.twin()));
        }
    }

    /// Whether a crowd is shown, which has nothing beside it. The user is told.
    fn refuses_to_compare(&mut self) -> bool {
        let is_crowd = self.actor.crowd().is_some();
        if is_crowd {
            let message = Message::info(
                "A crowd is not compared",
                "Show one of the model to see something beside it.",
            );
            self.tell(message.passing());
        }
        is_crowd
    }

    fn is_comparable(&self, with: CompareWith) -> bool {
        match with {
            CompareWith::Clip(clip) => clip < self.model().clips.len() && self.clip != Some(clip),
            CompareWith::Skinning => !self.model().skins.is_empty(),
            CompareWith::File => self.compare.file.is_some(),
        }
    }

    /// What is compared if nobody says: a file that was opened for it, or else the next clip, or the other way of skinning.
    fn natural_choice(&self) -> Option<CompareWith> {
        [
            CompareWith::File,
            self.with_next_clip(),
            CompareWith::Skinning,
        ]
        .into_iter()
        .find(|with| self.is_comparable(*with))
    }

    /// The clip after the chosen one, which may be the same one.
    fn with_next_clip(&self) -> CompareWith {
        let clips = self.model().clips.len();
        CompareWith::Clip(self.clip.map_or(0, |clip| (clip + 1) % clips.max(1)))
    }

    /// Nothing is compared with itself: a clip that is now A gives its place as B to the next one, or to something else if
    /// there is none.
    pub(super) fn keep_apart(&mut self) {
        if self.compare.clip().is_some() && self.compare.clip() == self.clip {
            let next = Some(self.with_next_clip()).filter(|with| self.is_comparable(*with));
            self.compare.with = next.or_else(|| self.natural_choice());
            self.compare.is_on &= self.compare.with.is_some();
        }
    }

    /// Compares with a model of another file from now on.
    pub fn compare_with(&mut self, import: Import) {
        self.replace_second_file(import);
        self.compare.with = Some(CompareWith::File);
        let way = self.compare.split.way;
        self.show_compared(Some(way));
    }

    /// Puts a model of another file, which may be the same one as it is now, in the place of the last: whether it is compared
    /// with, and how, stays as it is.
    fn replace_second_file(&mut self, import: Import) {
        let compare = &mut self.compare;
        compare.file = Some(SecondOfFile {
            actor: Actor::new(import.model),
            nodes: NodeMatch::default(),
            made_for: 0,
            clips: Vec::new(),
            clips_made_for: None,
        });
        compare.generation += 1;
        self.pose_changed();
    }

    /// How A and B share the picture, if both are shown.
    pub fn split(&self) -> Option<Split> {
        let is_there = self.compare.is_on && self.compare.second().is_some();
        (is_there && self.actor.crowd().is_none()).then_some(self.compare.split)
    }

    /// The model of another file that is compared with, and its number.
    pub fn second_file_model(&self) -> Option<(u64, &Model)> {
        let is_file = self.split().is_some() && self.compare.with == Some(CompareWith::File);
        let file = self.compare.file.as_ref().filter(|_| is_file)?;
        Some((self.compare.generation, file.actor.model()))
    }

    /// Says how wide the pictures of A and of B are for their height.
    pub fn set_aspects(&mut self, [first, second]: [f32; 2]) {
        self.set_aspect(first);
        self.compare.second_aspect = second;
        // Who saw all of the model goes on seeing all of both.
        let seen = std::mem::take(&mut self.compare.seen);
        let camera = match seen {
            Seen::Part => return,
            Seen::Pose => self.framing_pose(),
            Seen::First => self.framing_first(),
        };
        if camera.radius > self.camera.destination().radius {
            self.camera.go(camera);
            if seen == Seen::First {
                self.camera.note_first();
            }
        }
    }

    /// Goes to where A alone is first seen from, if both were seen until now, and nobody has moved the camera.
    pub(super) fn look_at_first_alone(&mut self) {
        if std::mem::take(&mut self.compare.seen) == Seen::First {
            let camera = self.framing_first();
            self.camera.go(camera);
            self.camera.note_first();
        }
    }

    /// Gives the pictures of A and of B other shapes, and nothing else changes; returns those that they had.
    pub(super) fn swap_aspects(&mut self, [first, second]: [f32; 2]) -> [f32; 2] {
        let first_before = self.aspect();
        self.set_aspect(first);
        [
            first_before,
            std::mem::replace(&mut self.compare.second_aspect, second),
        ]
    }

    /// That of the narrower picture.
    pub(super) fn narrower_aspect(&self) -> f32 {
        let (first, second) = (self.aspect(), self.compare.second_aspect);
        if second > 0.0 {
            first.min(second)
        } else {
            first
        }
    }

    /// The view on B.
    fn second_view(&self) -> CameraView {
        let aspect = self.compare.second_aspect;
        let aspect = if aspect > 0.0 { aspect } else { self.aspect() };
        self.camera_view_for(aspect)
    }

    /// Brings the second subject up to date with the pose in force.
    pub(super) fn pose_second(&mut self) {
        if !self.compare.is_on || self.actor.crowd().is_some() {
            return;
        }
        let Some(with) = self.compare.with else {
            return;
        };
        self.ready_twin(with);
        self.find_same();
        let model = self.actor.shared_model();
        let (held, clock_secs) = (self.held_pose(), self.clock.time_secs());
        let is_phase = self.compare.by_phase;
        let (motion, clip) = (self.motion, self.clip);
        let second_clip = match with {
            CompareWith::Clip(clip) => Some(clip),
            CompareWith::Skinning => clip,
            CompareWith::File => clip.and_then(|clip| self.clip_in_file(clip)),
        };
        let shows_difference = self.shown.view_mode == ViewMode::SkinningDifference;
        let Some(second) = self.compare.second_mut() else {
            return;
        };
        second.set_in_place(motion.is_in_place);
        second.set_skinning(motion.skinning);
        second.show_difference(shows_difference);
        if with != CompareWith::File {
            second.keep_like(&self.actor);
        }
        if with == CompareWith::Skinning {
            second.set_skinning(motion.skinning.other());
            second.pose_like(&self.actor);
        } else if let Some(held) = held {
            second.hold(held);
        } else {
            let lengths = [model.clip_secs(clip), second.model().clip_secs(second_clip)];
            second.pose_at(second_clip, clock_secs * stretch(is_phase, lengths));
        }
        second.estimate_bounds();
    }

    /// Finds the nodes and the clips that the file has in common with the shown model, unless they are known.
    fn find_same(&mut self) {
        let (generation, clips) = (self.model_generation(), self.clips_key());
        let Some(file) = &mut self.compare.file else {
            return;
        };
        if file.made_for != generation {
            let (first, second) = (self.actor.model(), file.actor.model());
            file.nodes = NodeMatch::new(&first.hierarchy, &second.hierarchy);
            file.made_for = generation;
        }
        if file.clips_made_for != Some(clips) {
            let (first, second) = (self.actor.model(), file.actor.model());
            file.clips = vec![None; first.clips.len()];
            for [clip, same] in pair_clips([first, second]).pairs {
                file.clips[clip] = Some(same);
            }
            file.clips_made_for = Some(clips);
        }
    }

    /// The clip of the other file that is like one of A.
    pub(super) fn clip_in_file(&self, clip: usize) -> Option<usize> {
        let file = self.compare.file.as_ref()?;
        *file.clips.get(clip)?
    }

    /// The node of B that is the same as one of A.
    fn node_in_second(&self, node: NodeId) -> Option<NodeId> {
        if self.compare.with != Some(CompareWith::File) {
            return Some(node);
        }
        self.compare.file.as_ref()?.nodes.second_of(node)
    }

    /// The node of A that is the same as one of B.
    fn node_in_first(&self, node: NodeId) -> Option<NodeId> {
        if self.compare.with != Some(CompareWith::File) {
            return Some(node);
        }
        self.compare.file.as_ref()?.nodes.first_of(node)
    }

    /// What must be seen of B, too.
    pub(super) fn add_second_points(&self, points: &mut Vec<Vec3>) {
        if let Some(second) = self.compare.second().filter(|_| self.split().is_some()) {
            second.add_points(points);
        }
    }

    /// The box around B; empty if there is none.
    pub(super) fn second_bounds(&self) -> Aabb {
        let second = self.compare.second().filter(|_| self.split().is_some());
        second.map_or(Aabb::EMPTY, Actor::bounds)
    }
}
