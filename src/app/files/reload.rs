//! A file that was read again: its model takes the place of the one that is shown, and all that the user chose stays.

use std::time::Duration;

use crate::{
    anim::difference::NodeMatch,
    app::{
        Session, camera::camera_nodes, compare::size_note, history::Edit, messages::Topic,
        session::FrameRate,
    },
    import::Import,
    model::{Clip, Model, NodeId, namesake, pair_by_name},
    scene::Grid,
    ui::Message,
};

/// How many times larger or smaller a model is that was saved in another unit.
const OTHER_UNIT: f32 = 10.0;

/// The place of what has the same name in another list, or else the same place.
fn matching(place: usize, from: &[&str], to: &[&str]) -> Option<usize> {
    let names = [from, to].map(|names| names.iter().copied());
    let same = from.get(place).filter(|name| !name.is_empty());
    let same = same.and_then(|_| namesake(place, names[0].clone(), names[1].clone()));
    same.or((place < to.len() && place < from.len()).then_some(place))
}

/// Where a morph weight of a node is in another model: that of the same name, or else of the same place in its mesh.
fn weight_place(place: usize, (from, to): (&Model, &Model), nodes: &NodeMatch) -> Option<usize> {
    let mut all = from.hierarchy.iter();
    let (old, node) = all.find(|(_, node)| node.weights.contains(&place))?;
    let same = to.hierarchy.node(nodes.second_of(old)?);
    let target = place - node.weights.start;
    let [old_names, new_names] = [(from, node), (to, same)].map(|(model, node)| {
        let mesh = node.mesh.and_then(|mesh| model.meshes.get(mesh));
        let names = (0..node.weights.len()).map(|target| mesh.map(|mesh| mesh.target_name(target)));
        names.map(Option::unwrap_or_default).collect::<Vec<_>>()
    });
    let [old_names, new_names] =
        [&old_names, &new_names].map(|names| names.iter().map(String::as_str));
    Some(same.weights.start + namesake(target, old_names, new_names)?)
}

fn clip_names(model: &Model) -> Vec<&str> {
    model.clips.iter().map(Clip::name).collect()
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

impl Session {
    /// Shows the same file as it is now: clip, time, speed, camera and what was chosen stay.
    pub fn reload_model(&mut self, mut import: Import, load_time: Duration) {
        let borrowed = std::mem::take(&mut self.borrowed);
        let (borrowed, unmatched) = borrowed.carried_to(&mut import.model);
        import.diagnostics.extend(unmatched);
        let (old, new) = (self.actor.model(), &import.model);
        let clip = self.clip;
        let clip = clip.and_then(|clip| matching(clip, &clip_names(old), &clip_names(new)));
        let compared = self.compare.clip();
        let compared = compared.and_then(|clip| matching(clip, &clip_names(old), &clip_names(new)));
        let variant = self.variant;
        let variant =
            variant.and_then(|variant| matching(variant, &variant_names(old), &variant_names(new)));
        let scene = matching(self.actor.scene(), &scene_names(old), &scene_names(new));
        let had_clips = !old.clips.is_empty();
        let nodes = NodeMatch::new(&old.hierarchy, &new.hierarchy);
        let selected = self.selected.and_then(|node| nodes.second_of(node));
        self.end_drag();
        let (old, new) = (self.actor.model(), &import.model);
        let offsets = self.actor.offsets();
        let offsets = offsets.carried_to(|node| nodes.second_of(node));
        let inspected = self.inspected.carried_to(
            |place| matching(place, &material_names(old), &material_names(new)),
            |place| matching(place, &texture_names(old), &texture_names(new)),
        );
        let hidden = &self.actor.hiding;
        let hidden = hidden.carried_to(&new.hierarchy, |node| nodes.second_of(node));
        let held_pose = self.skeleton.is_held;
        let (clock, camera, shown) = (self.clock.clone(), self.camera.destination(), self.shown);
        let (crowd_secs, messages) = (self.crowd.time_secs, std::mem::take(&mut self.messages));
        let (rate, span) = (self.rate, self.timeline.shown());
        let document = self.document_generation;
        let compare = std::mem::take(&mut self.compare).carried_to(compared);
        let mix = std::mem::take(&mut self.mix);
        let same_clips = pair_by_name(clip_names(old), clip_names(new));
        let place_of = |place| weight_place(place, (old, new), &nodes);
        let held = self.actor.held().carried_to(place_of);
        let history = std::mem::take(&mut self.history).carried(|edit| {
            Some(match edit {
                Edit::Pose(it) => Edit::Pose(it.carried_to(|node| nodes.second_of(node))),
                Edit::Weights(it) => Edit::Weights(it.carried_to(place_of)),
                Edit::Hiding(it) => {
                    let node_of = |node| nodes.second_of(node);
                    Edit::Hiding(it.carried_to(&new.hierarchy, node_of))
                }
                Edit::Mix(it) => Edit::Mix(
                    it.carried_to(|clip| *same_clips.get(clip)?, |node| nodes.second_of(node)),
                ),
                Edit::Range(range) => Edit::Range(range.filter(|_| clip.is_some())),
            })
        });
        let trails = self.skeleton.trail.kept().iter();
        let trails = trails.filter_map(|node| nodes.second_of(NodeId(*node as u32)));
        let trails: Vec<_> = trails.map(NodeId::index).collect();
        let file_camera = self
            .camera
            .file_camera()
            .and_then(|node| nodes.second_of(node));
        let old_size = self.actor.bounds().diagonal();

        self.replace_model(import, self.path.clone(), load_time);
        self.borrowed = borrowed;

        let scene = scene.filter(|scene| *scene != self.actor.scene());
        let is_other_scene = scene.is_some();
        if let Some(scene) = scene {
            self.actor.set_scene(scene);
        }
        if had_clips {
            self.select_clip(clip);
            if let FrameRate::Set(_) = rate {
                self.rate = rate;
            }
        } else {
            self.gather_crowd();
        }
        let clip_of = |clip: usize| *same_clips.get(clip)?;
        self.mix = mix.carried_to(&mut self.actor, self.clip, clip_of, |node| {
            nodes.second_of(node)
        });
        self.actor.swap_held(held);
        let duration_secs = match self.clip {
            Some(_) => self.clock.duration_secs(),
            None => self.mix.longest_secs(),
        };
        if had_clips {
            self.clock = clock;
            self.clock.set_duration(duration_secs);
            self.show_again_of_axis(span);
        }
        self.refresh_conflicts();
        self.document_generation = document;
        self.compare = compare;
        self.keep_apart();
        self.crowd.time_secs = crowd_secs;
        // It begins to follow anew: what it followed was shown at another time meanwhile.
        self.camera.forget_model();
        self.camera.jump(camera);
        let cameras = camera_nodes(self.model(), self.actor.scene());
        if let Some(node) = file_camera.filter(|node| cameras.contains(node)) {
            self.camera.go_on_through(node);
        }
        self.shown = shown;
        for node in trails {
            self.skeleton.trail.toggle(node);
        }
        self.skeleton.is_held = held_pose;
        self.selected = selected;
        self.inspected = inspected;
        self.variant = variant;
        self.messages = messages;
        self.actor.hiding = hidden;
        self.restore_offsets(offsets);
        self.history = history;
        self.is_stale = true;
        self.update();
        if is_other_scene {
            self.grid = Grid::for_bounds(&self.actor.bounds());
        }
        let size = self.actor.bounds().diagonal();
        let is_other_unit = size.min(old_size) * OTHER_UNIT <= size.max(old_size);
        // It would be a dot, or all around the camera.
        if let Some(note) = size_note(old_size, size).filter(|_| is_other_unit) {
            self.grid = Grid::for_bounds(&self.actor.bounds());
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
