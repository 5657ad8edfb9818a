//! A file that was read again: its model takes the place of the one that is shown, and all that the user chose stays.

use std::{path::Path, time::Duration};

use crate::{
    anim::{Clock, difference::NodeMatch},
    app::{
        Session,
        actor::HeldWeights,
        camera::camera_nodes,
        compare::{Compare, size_note},
        history::History,
        messages::{Messages, Topic},
        motion::{Borrowings, Mix, MixMoment},
        panels::Inspected,
        picture::Hiding,
        posing::{HandPose, NodesAgain, PosedAt},
        session::Toggles,
        time::ClipTimes,
    },
    import::Import,
    model::{Model, NodeId, pair_again},
    scene::OrbitCamera,
    ui::{Message, TimeSpan},
};

mod clip_match;
mod gone_clip;
mod losses;
mod moved_nodes;
mod steps;
mod weight_match;
mod without_clips;

pub(super) use self::{
    clip_match::own_names, gone_clip::GoneClip, moved_nodes::MovedNodes, without_clips::ClipsBefore,
};
use self::{
    clip_match::{ClipMatch, OwnClips},
    losses::Losses,
    steps::Carry,
    weight_match::WeightMatch,
    without_clips::Bridge,
};

/// How many times larger or smaller a model is that was saved in another unit.
const OTHER_UNIT: f32 = 10.0;

/// The place of one thing in the list as it is now.
fn matching(place: usize, from: &[&str], to: &[&str]) -> Option<usize> {
    *pair_again(from, to).get(place)?
}

fn scene_names(model: &Model) -> Vec<&str> {
    model.scenes.iter().map(|scene| &*scene.name).collect()
}

fn variant_names(model: &Model) -> Vec<&str> {
    model.variants.iter().map(|name| &**name).collect()
}

fn material_names(model: &Model) -> Vec<&str> {
    model.materials.iter().map(|it| &*it.name).collect()
}

/// The names of the images of textures.
fn texture_names(model: &Model) -> Vec<&str> {
    let images = &model.images;
    let name = |image: usize| images.get(image).map_or("", |image| &*image.name);
    model.textures.iter().map(|it| name(it.image)).collect()
}

/// What the user chose, as it is of the model that comes.
struct Chosen {
    had_clips: bool,
    clip: Option<usize>,
    /// What the chosen clip is called, if it is gone.
    gone: Option<String>,
    /// How it is chosen again, if it may come back.
    awaited: Option<GoneClip>,
    /// Which one was gone and is there again.
    returned: Option<usize>,
    /// Whether there are no clips for a moment, or were none.
    is_bridged: bool,
    /// For each clip of the model that goes.
    clips: ClipMatch,
    scene: Option<usize>,
    variant: Option<usize>,
    selected: Option<NodeId>,
    inspected: Inspected,
    pose: HandPose,
    /// Its moment; none if the clip is gone.
    posed_at: Option<PosedAt>,
    /// Nodes that were posed by hand and are gone.
    lost: Vec<String>,
    /// Whether all that were are there again.
    have_nodes_returned: bool,
    hiding: Hiding,
    held_weights: HeldWeights,
    history: History,
    trails: Vec<NodeId>,
    is_pose_held: bool,
    compare: Compare,
    mix: Mix,
    /// What is to play beside the clip instead of that.
    mix_before: Option<MixMoment>,
    clock: Clock,
    span: Option<TimeSpan>,
    times: ClipTimes,
    camera: OrbitCamera,
    /// Whether nobody has moved it.
    is_camera_first: bool,
    file_camera: Option<NodeId>,
    shown: Toggles,
    crowd_secs: f64,
    messages: Messages,
    document: u64,
    /// Of the model that goes.
    size: f32,
}

impl Chosen {
    /// Takes it from the session, which still shows the model that goes.
    fn take(
        session: &mut Session,
        new: &Model,
        nodes: &NodeMatch,
        (clips, bridge, own_clips): (ClipMatch, &Bridge, OwnClips),
    ) -> Self {
        let compare = std::mem::take(&mut session.compare);
        let mix = std::mem::take(&mut session.mix);
        let messages = std::mem::take(&mut session.messages);
        let history = std::mem::take(&mut session.history);
        let old = session.actor.model();
        let variant = session.variant.shown;
        let variant =
            variant.and_then(|variant| matching(variant, &variant_names(old), &variant_names(new)));
        let inspected = session.inspected.carried_to(
            |place| matching(place, &material_names(old), &material_names(new)),
            |place| matching(place, &texture_names(old), &texture_names(new)),
        );
        let node_of = |node| nodes.second_of(node);
        let again = NodesAgain::new(&old.hierarchy, &new.hierarchy, nodes);
        let posed = session.hand_pose();
        let had_lost = [!posed.lost.is_empty(), history.has_lost()];
        let pose = posed.carried_to(&again);
        let weights = WeightMatch::new((old, new), nodes);
        let clip_of = |clip| clips.of(clip);
        let carry = Carry {
            models: (old, new),
            again: &again,
            weights: &weights,
            clips: &clips,
            bridge,
            own_clips,
        };
        let history = history.carried(|edit, waits| carry.edit(edit, waits));
        let trails = session.skeleton.trail.kept().iter();
        let trails = trails.filter_map(|node| node_of(NodeId(*node as u32)));
        let file_camera = session.camera.file_camera();
        let held_weights = session.actor.held();
        Self {
            had_clips: !old.clips.is_empty(),
            clip: session.clip.and_then(clip_of),
            gone: None,
            awaited: None,
            returned: None,
            is_bridged: false,
            compare: {
                let clip = compare.clip().and_then(clip_of);
                compare.carried_to(clip, !new.skins.is_empty())
            },
            scene: matching(session.actor.scene(), &scene_names(old), &scene_names(new)),
            variant,
            selected: session.selected.and_then(node_of),
            inspected,
            have_nodes_returned: pose.lost.is_empty()
                && (had_lost[0] || had_lost[1] && !history.has_lost()),
            pose,
            posed_at: session.posed_now().carried_to(clip_of),
            lost: session.nodes_posed_without(node_of),
            hiding: session.actor.hiding.carried_to(&new.hierarchy, node_of),
            held_weights: held_weights.carried_to(|place| weights.of(place)),
            history,
            trails: trails.collect(),
            is_pose_held: session.skeleton.is_held,
            mix,
            mix_before: None,
            clock: session.clock.clone(),
            span: session.timeline.shown(),
            times: session.clip_times().carried_to(clip_of),
            camera: session.camera.destination(),
            is_camera_first: session.camera.is_first(),
            file_camera: file_camera.and_then(node_of),
            shown: session.shown,
            crowd_secs: session.crowd.time_secs,
            messages,
            document: session.document.generation(),
            size: session.actor.bounds().diagonal(),
            clips,
        }
    }
}

impl Session {
    /// Shows the same file as it is now: clip, time, speed, camera and what was chosen stay.
    pub fn reload_model(&mut self, import: Import, load_time: Duration) {
        let borrowed = self.document.borrowed.clone();
        self.reload_beside(import, borrowed, load_time);
    }

    /// [`Self::reload_model`], with the clips of these files instead of those that were added.
    pub(in crate::app) fn reload_beside(
        &mut self,
        mut import: Import,
        borrowed: Borrowings,
        load_time: Duration,
    ) {
        self.end_drag();
        // What is of another moment is not of the one that stays.
        self.follow_posing();
        let played = self.clip.map(|clip| self.short_clip_name(clip));
        let own_clips = OwnClips {
            old: self.own_clip_count(),
            new: import.model.clips.len(),
        };
        let (borrowed, unmatched) = borrowed.carried_to(&mut import.model);
        import.diagnostics.extend(unmatched);
        let new = &import.model;
        let nodes = NodeMatch::new(&self.actor.model().hierarchy, &new.hierarchy);
        let others = self.document.borrowed.places_in(&borrowed);
        let names = own_names(self.actor.model(), own_clips.old);
        let clips = ClipMatch::new(&names, &own_names(new, own_clips.new), &others);
        let bridge = Bridge::to(self, new, (&own_clips, &others));
        let mut chosen = Chosen::take(self, new, &nodes, (clips, &bridge, own_clips));
        // What was posed while there were no clips is of the file's own pose.
        chosen.is_bridged = match &bridge {
            Bridge::None => false,
            Bridge::Waiting(..) => true,
            Bridge::Crossed(before, _) => before.was_posed,
        };
        match bridge {
            Bridge::None => {
                chosen.gone = played.filter(|_| chosen.clip.is_none());
                let gone = chosen.gone.as_ref();
                chosen.awaited = gone.and_then(|_| GoneClip::of(self, own_clips.old));
            }
            Bridge::Waiting(before, clips) => {
                self.files.clips_before = Some(before.carried_to(&nodes, &clips));
            }
            Bridge::Crossed(before, clips) => {
                chosen.take_up(before, &clips, &nodes, self.timeline.selections);
            }
        }
        let is_own = self.clip.is_none_or(|clip| clip < own_clips.old);
        self.await_clip(&mut chosen, new, own_clips);
        let mut losses = Losses {
            nodes: std::mem::take(&mut chosen.lost),
            clip: chosen.gone.take(),
            is_own,
            have_nodes_returned: chosen.have_nodes_returned,
            returned: chosen.returned.take(),
            has_left_pose: false,
        };
        let size = chosen.size;
        if chosen.have_nodes_returned {
            chosen.messages.take_back(Topic::LostPose);
        }
        let places = self.model().hierarchy.iter();
        let places = places.map(|(node, _)| nodes.second_of(node).map(NodeId::index));
        let places = places.collect();
        let generation = self.model_generation();
        self.files.moved_nodes.move_on(generation, places);
        let path = self.document.path().map(Path::to_owned);
        self.put_model(import, path, load_time);
        if let Some(scene) = chosen.scene.filter(|scene| *scene != self.actor.scene()) {
            self.actor.set_scene(scene);
            self.list_dimmed_lights();
            self.gather_crowd();
        }
        // The ground is that of the first clip's start, whatever plays: nobody shall see it rise and sink.
        self.update();
        self.actor.measure();
        self.lay_ground();
        self.document.borrowed = borrowed;
        losses.has_left_pose = self.choose_again(chosen, &nodes);
        self.tell_losses(&losses);
        self.look_again(size);
        if self.saving.is_open {
            self.propose_place();
        }
    }

    /// Takes note of a chosen clip that is gone, and of one that was and is there again: that is chosen again, unless the
    /// user has gone on without it.
    fn await_clip(&mut self, chosen: &mut Chosen, new: &Model, own_clips: OwnClips) {
        let before = self.files.gone_clip.take();
        if chosen.gone.is_some() {
            self.files.gone_clip = chosen.awaited.take();
            return;
        }
        let Some(gone) = before.filter(|gone| gone.is_of(self)) else {
            return;
        };
        let names = own_names(new, own_clips.new);
        let Some(clip) = chosen.clips.returned(gone.name(), &names) else {
            self.files.gone_clip = Some(gone);
            return;
        };
        chosen.returned = Some(clip);
        if gone.is_awaited(self) && chosen.clip.is_none() {
            chosen.take_up_clip(gone, clip);
        }
    }

    /// Chooses again what was chosen. True if a pose made by hand was seen and is left.
    fn choose_again(&mut self, mut chosen: Chosen, nodes: &NodeMatch) -> bool {
        self.play_again(&mut chosen, nodes);
        self.document.go_on_as(chosen.document);
        self.compare = chosen.compare;
        self.keep_apart();
        self.crowd.time_secs = chosen.crowd_secs;
        // It begins to follow anew: what it followed was shown at another time meanwhile.
        self.camera.forget_model();
        self.camera.jump(chosen.camera);
        if chosen.is_camera_first {
            self.camera.note_first();
        }
        let cameras = camera_nodes(self.model(), self.actor.scene());
        if let Some(node) = chosen.file_camera.filter(|node| cameras.contains(node)) {
            self.camera.go_on_through(node);
        }
        self.shown = chosen.shown;
        for node in chosen.trails {
            self.skeleton.trail.toggle(node.index());
        }
        self.skeleton.is_held = chosen.is_pose_held;
        self.selected = chosen.selected;
        self.inspected = chosen.inspected;
        self.variant.shown = chosen.variant;
        self.messages = chosen.messages;
        self.actor.hiding = chosen.hiding;
        self.history = chosen.history;
        // Clips that are gone for a moment come back, and the pose stands over them again.
        let is_there = chosen.is_bridged || chosen.posed_at == Some(self.posed_now());
        let has_left_pose = !(is_there || self.posing.stays() || chosen.pose.offsets.is_empty());
        if is_there || self.posing.stays() {
            self.restore_pose(chosen.pose);
        } else if chosen.pose != HandPose::default() {
            let (at, awaited_clip) = match (chosen.posed_at, &self.files.gone_clip) {
                (None, Some(gone)) => (Some(gone.moment()), Some(gone.name().to_owned())),
                (at, _) => (at, None),
            };
            self.leave_carried(chosen.pose, at, awaited_clip);
        }
        self.pose_changed();
        self.update();
        has_left_pose
    }

    /// Clips and weights, and the time of them.
    fn play_again(&mut self, chosen: &mut Chosen, nodes: &NodeMatch) {
        if chosen.had_clips {
            self.select_clip(chosen.clip);
            self.restore_times(std::mem::take(&mut chosen.times));
        } else {
            self.gather_crowd();
        }
        let clip_of = |clip| chosen.clips.of(clip);
        let mix = std::mem::take(&mut chosen.mix);
        self.mix = mix.carried_to(&mut self.actor, self.clip, clip_of, |node| {
            nodes.second_of(node)
        });
        if let Some(mix) = chosen.mix_before.take() {
            self.go_to_mix(&mix, 0.0);
        }
        self.actor
            .swap_held(std::mem::take(&mut chosen.held_weights));
        let duration_secs = match self.clip {
            Some(_) => self.clock.duration_secs(),
            None => self.mix.longest_secs(),
        };
        if chosen.had_clips {
            self.clock = chosen.clock.clone();
            self.clock.renew(duration_secs);
            // Where the clip is gone, that of the file's own pose.
            self.recall_times();
            self.show_again_of_axis(chosen.span);
        }
        self.find_rate_again();
        self.refresh_conflicts();
    }

    /// Shows all of a model that was saved in another unit, as it would be a dot, or all around the camera; and of one where
    /// there was nothing.
    fn look_again(&mut self, old_size: f32) {
        let size = self.actor.bounds().diagonal();
        if old_size <= 0.0 && size > 0.0 {
            // The camera is still where it saw another one, or nothing.
            return self.frame_model();
        }
        let is_other_unit = size.min(old_size) * OTHER_UNIT <= size.max(old_size);
        if let Some(note) = size_note(old_size, size).filter(|_| is_other_unit) {
            self.frame_model();
            self.messages.tell_if_quiet(Topic::Model, || {
                Message::info(
                    format!("The model is {note} than before"),
                    "The camera shows all of it again.",
                )
            });
        }
    }
}

#[cfg(test)]
mod tests;
