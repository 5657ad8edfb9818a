//! Poses of several clips, and morph weights that are held whatever clips say.

use std::{cell::OnceCell, sync::Arc};

use super::{Actor, in_place};
use crate::{
    anim::{
        Cursors, Pose, Properties, PropertyLayer,
        blend::{BlendMode, Blender, JointMask, Layer, Motion},
        root_motion::{MAX_PLACEMENTS, RootChooser, RootMotion},
        sample,
    },
    app::motion::{ClipPart, MAX_PARTS},
    model::Clip,
};

/// Layers over the clip in force at most.
pub const MAX_LAYERS: usize = 80;

/// A clip over those below it.
#[derive(Debug, Clone, Copy)]
pub struct MixLayer<'a> {
    /// The clip, and how much of it.
    pub part: ClipPart,
    /// How it goes over what is below.
    pub mode: BlendMode<'a>,
    /// Which part of the body it moves; none is all of it.
    pub mask: Option<&'a JointMask>,
}

/// Morph weights that clips do not have.
#[derive(Debug, Default, PartialEq)]
pub(in crate::app) struct HeldWeights {
    /// Their places among all weights, sorted.
    places: Vec<usize>,
    values: Vec<f32>,
}

impl Clone for HeldWeights {
    fn clone(&self) -> Self {
        Self {
            places: self.places.clone(),
            values: self.values.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.places.clone_from(&other.places);
        self.values.clone_from(&other.values);
    }
}

impl HeldWeights {
    /// Their places among all of the model, and their values.
    pub(in crate::app) fn values(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.places.iter().copied().zip(self.values.iter().copied())
    }

    /// These weights for another model, of which `place_of` says the places.
    pub(in crate::app) fn carried_to(&self, place_of: impl Fn(usize) -> Option<usize>) -> Self {
        let all = self.values();
        let carried = all.filter_map(|(place, value)| Some((place_of(place)?, value)));
        let mut carried: Vec<_> = carried.collect();
        carried.sort_by_key(|(place, _)| *place);
        carried.dedup_by_key(|(place, _)| *place);
        let (places, values) = carried.into_iter().unzip();
        Self { places, values }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn apply(&self, pose: &mut Pose) {
        for (place, value) in self.places.iter().zip(&self.values) {
            if let Some(weight) = pose.weights.get_mut(*place) {
                *weight = *value;
            }
        }
    }
}

impl Actor {
    /// Takes a pose between clips, of more than [`MAX_PARTS`] parts the last ones, with layers on top, the lowest first: not
    /// more than [`MAX_LAYERS`].
    pub fn pose_mix<'a>(
        &mut self,
        parts: impl Iterator<Item = ClipPart>,
        layers: impl Iterator<Item = MixLayer<'a>> + Clone,
    ) {
        let mut last = [None; MAX_PARTS];
        for part in parts {
            last.rotate_left(1);
            last[MAX_PARTS - 1] = Some(part);
            self.find_root_motion(part.clip);
        }
        for layer in layers.clone() {
            self.find_root_motion(layer.part.clip);
        }
        let Self {
            model,
            root_motions,
            own_pose,
            blender,
            pose,
            is_in_place,
            ..
        } = self;
        let fill = |motion: &mut Motion<'_>, part: ClipPart| {
            motion.weight = part.weight;
            motion.time_secs = part.time_secs;
        };
        let clip_of = |part: ClipPart| {
            let index = part.clip?;
            let clip = model.clips.get(index)?;
            let way = in_place(&model.hierarchy, root_motions, *is_in_place, index);
            Some((clip, way))
        };
        let mut motions = [Motion::new(own_pose, 0.0, 0.0); MAX_PARTS];
        for (motion, part) in motions.iter_mut().zip(last) {
            let Some(part) = part else { continue };
            fill(motion, part);
            if let Some((clip, way)) = clip_of(part) {
                (motion.clip, motion.in_place) = (clip, way);
            }
        }
        let mut upper = [Motion::new(own_pose, 0.0, 1.0); MAX_LAYERS];
        for (motion, layer) in upper.iter_mut().zip(layers.clone()) {
            motion.time_secs = layer.part.time_secs;
            if let Some((clip, way)) = clip_of(layer.part) {
                (motion.clip, motion.in_place) = (clip, way);
            }
        }
        let mut stack = [Layer::new(&[]); MAX_LAYERS + 1];
        stack[0] = Layer::new(&motions);
        let mut count = 1;
        let slots = stack[1..].iter_mut().zip(upper.chunks_exact(1));
        for ((slot, motions), layer) in slots.zip(layers.clone()) {
            *slot = Layer {
                motions,
                weight: layer.part.weight,
                mode: layer.mode,
                mask: layer.mask,
            };
            count += 1;
        }
        blender
            .get_or_insert_with(|| Blender::new(&model.hierarchy))
            .blend(&stack[..count], pose);
        let of_clips = last.into_iter().flatten();
        let of_clips = of_clips.filter_map(|part| Some((part.clip?, part.time_secs, part.weight)));
        self.properties
            .pose_layers(&self.model, of_clips, layers.filter_map(property_layer));
        self.settle();
    }

    /// The pose that a clip is in at a time; without a clip the file's own.
    pub fn reference_pose(&mut self, clip: Option<usize>, time_secs: f64) -> Pose {
        self.find_root_motion(clip);
        let hierarchy = &self.model.hierarchy;
        let mut pose = Pose::new(hierarchy);
        if let Some((index, clip)) = clip.and_then(|clip| Some((clip, self.model.clips.get(clip)?)))
        {
            sample(clip, time_secs, &mut Cursors::default(), &mut pose);
            if let Some(way) = in_place(hierarchy, &self.root_motions, self.is_in_place, index) {
                way.root_motion
                    .hold_in_place(hierarchy, &mut pose, time_secs);
            }
        }
        pose
    }

    /// Looks where a clip goes, unless that is known or does not matter.
    pub(super) fn find_root_motion(&mut self, clip: Option<usize>) {
        if let Some(clip) = clip.filter(|_| self.is_in_place) {
            self.root_motion(clip);
        }
    }

    /// Where a clip goes. It is looked for once.
    pub(in crate::app) fn root_motion(&mut self, clip: usize) -> Option<&RootMotion> {
        let (way, clip) = (self.root_motions.get(clip)?, &self.model.clips[clip]);
        let model = &self.model;
        let find = || {
            let roots = &mut self.root_chooser;
            let roots = roots.get_or_insert_with(|| RootChooser::new(model));
            RootMotion::find_of_many(roots, model, clip, MAX_PLACEMENTS)
        };
        way.get_or_init(find).as_ref()
    }

    /// Holds a morph weight, by its place among all of the model, at a value from the next pose on, or lets it go.
    pub fn hold_weight(&mut self, place: usize, value: Option<f32>) {
        let held = &mut self.held_weights;
        match (held.places.binary_search(&place), value) {
            (Ok(found), Some(value)) => held.values[found] = value,
            (Ok(found), None) => {
                held.places.remove(found);
                held.values.remove(found);
            }
            (Err(before), Some(value)) if place < self.pose.weights.len() => {
                held.places.insert(before, place);
                held.values.insert(before, value);
            }
            (Err(_), _) => {}
        }
    }

    /// Lets clips have all morph weights from the next pose on.
    pub fn release_weights(&mut self) {
        self.held_weights = HeldWeights::default();
    }

    /// Places of the morph weights that are held, sorted.
    pub fn held_weights(&self) -> &[usize] {
        &self.held_weights.places
    }

    /// Puts clips in the place of all from `first` on. Nodes that they move lose matrices that cannot be moved.
    pub fn replace_clips(&mut self, first: usize, clips: Vec<Clip>) {
        // A copy only while another thread looks at it or something of it stands beside it, and never of meshes and images.
        let model = Arc::make_mut(&mut self.model);
        model.clips.truncate(first);
        model.append_clips(clips);
        self.root_chooser = None;
        self.root_motions.truncate(first);
        self.root_motions.resize(model.clips.len(), OnceCell::new());
        self.properties = Properties::new(model);
        self.pose.forget();
        self.renew_scene();
    }
}

/// What a layer does to materials, lights and cameras. They have no differences, and are no part of a body.
fn property_layer(layer: MixLayer<'_>) -> Option<PropertyLayer> {
    let replaces_all = match layer.mode {
        BlendMode::Additive { .. } => return None,
        BlendMode::Override => true,
        BlendMode::Together => false,
    };
    let clip = layer.part.clip.filter(|_| layer.mask.is_none())?;
    Some(PropertyLayer {
        clip,
        time_secs: layer.part.time_secs,
        weight: layer.part.weight.clamp(0.0, 1.0),
        replaces_all,
    })
}
