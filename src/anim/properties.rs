//! What clips move besides nodes (`KHR_animation_pointer`): materials, lights and cameras, as they are at a moment.
//!
//! Weights and visibility of nodes are parts of the [`super::Pose`], and [`super::sample()`] writes them there.

use super::sample::track_value;
use crate::model::{Model, PropertyTarget, PropertyValues};

/// Numbers that a property has at most.
const WIDEST: usize = 4;

/// Materials, lights and cameras of a model at a moment. Made once for a model; posing allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    values: PropertyValues,
    /// What any clip moves, and what that limits.
    slots: Vec<Slot>,
    /// For each clip and each of its property tracks the slot that it moves; those of nodes have none.
    places: Vec<Vec<Option<usize>>>,
    moved_materials: Vec<usize>,
    /// Whether a clip has moved something since the last rest.
    is_moved: bool,
}

/// A property that a clip moves.
#[derive(Debug, Clone, Copy)]
struct Slot {
    target: PropertyTarget,
    /// As the file has it.
    rest: [f32; WIDEST],
    /// The sum of what clips say, each multiplied by its weight.
    sum: [f32; WIDEST],
    /// The sum of these weights.
    weight: f32,
}

impl Slot {
    /// Leaves this part of what clips have said so far.
    fn fade(&mut self, factor: f32) {
        self.sum = self.sum.map(|sum| sum * factor);
        self.weight *= factor;
    }
}

/// A clip over others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PropertyLayer {
    /// Index of the clip.
    pub clip: usize,
    /// The moment in the clip.
    pub time_secs: f64,
    /// How much of it, in 0..=1; the rest is left to what is below.
    pub weight: f32,
    /// Whether what it does not move goes back to what the file has, too.
    pub replaces_all: bool,
}

impl Properties {
    /// The properties of a model, as the file has them.
    pub fn new(model: &Model) -> Self {
        let mut values = PropertyValues {
            materials: model.materials.clone(),
            lights: model.lights.clone(),
            cameras: model.cameras.clone(),
        };
        let mut slots: Vec<Slot> = Vec::new();
        let mut known = std::collections::HashMap::new();
        let mut add = |target: PropertyTarget| {
            if let Some(&slot) = known.get(&target) {
                return Some(slot);
            }
            let numbers = values.numbers_mut(target)?;
            let mut rest = [0.0; WIDEST];
            rest[..numbers.len()].copy_from_slice(numbers);
            known.insert(target, slots.len());
            slots.push(Slot {
                target,
                rest,
                sum: [0.0; WIDEST],
                weight: 0.0,
            });
            Some(slots.len() - 1)
        };
        let mut place = |target: PropertyTarget| {
            let slot = add(target)?;
            // What it limits must come back with it.
            target.limited().and_then(&mut add);
            Some(slot)
        };
        let clips = model.clips.iter().map(|clip| clip.properties().iter());
        let places = clips
            .map(|tracks| tracks.map(|track| place(track.target())).collect())
            .collect();
        let mut moved_materials: Vec<usize> = slots
            .iter()
            .filter_map(|slot| match slot.target {
                PropertyTarget::Material(material, _)
                | PropertyTarget::TextureTransform(material, ..) => Some(material),
                _ => None,
            })
            .collect();
        moved_materials.sort_unstable();
        moved_materials.dedup();
        Self {
            values,
            slots,
            places,
            moved_materials,
            is_moved: false,
        }
    }

    /// Materials, lights and cameras.
    pub fn values(&self) -> &PropertyValues {
        &self.values
    }

    /// The numbers of one of them; none where the model does not have it.
    pub fn numbers(&mut self, target: PropertyTarget) -> Option<&[f32]> {
        self.values.numbers_mut(target).map(|numbers| &*numbers)
    }

    /// The materials that some clip of the model moves, sorted: the others never change.
    pub fn moved_materials(&self) -> &[usize] {
        &self.moved_materials
    }

    /// Like [`Properties::pose`], with more clips on top, the lowest first.
    pub fn pose_layers(
        &mut self,
        model: &Model,
        motions: impl IntoIterator<Item = (usize, f64, f32)>,
        layers: impl IntoIterator<Item = PropertyLayer>,
    ) {
        let was_moved = std::mem::take(&mut self.is_moved);
        for (clip, time_secs, weight) in motions {
            self.add(model, clip, time_secs, weight);
        }
        for layer in layers {
            let rest = 1.0 - layer.weight;
            if layer.replaces_all {
                for slot in &mut self.slots {
                    slot.fade(rest);
                }
            } else {
                let places = self.places.get(layer.clip).into_iter().flatten();
                for place in places.copied().flatten() {
                    self.slots[place].fade(rest);
                }
            }
            self.add(model, layer.clip, layer.time_secs, layer.weight);
        }
        if was_moved || self.is_moved {
            self.settle();
        }
    }

    /// Takes the values of clips (indices) at their times, mixed by their weights; what is left to a sum of 1 goes to
    /// what the file has. No clips: the file's own.
    pub fn pose(&mut self, model: &Model, motions: impl IntoIterator<Item = (usize, f64, f32)>) {
        self.pose_layers(model, motions, []);
    }

    fn add(&mut self, model: &Model, clip: usize, time_secs: f64, weight: f32) {
        let (Some(clip), Some(places)) = (model.clips.get(clip), self.places.get(clip)) else {
            return;
        };
        for (track, place) in clip.properties().iter().zip(places) {
            let Some(slot) = place.map(|place| &mut self.slots[place]) else {
                continue;
            };
            let timeline = &clip.timelines()[track.timeline()];
            for (lane, sum) in slot.sum.iter_mut().enumerate().take(track.target().width()) {
                *sum += weight * track_value(track, timeline, time_secs, lane);
            }
            slot.weight += weight;
            self.is_moved = true;
        }
    }

    /// Writes the sums to where they belong, and forgets them.
    fn settle(&mut self) {
        for slot in &mut self.slots {
            let Some(numbers) = self.values.numbers_mut(slot.target) else {
                continue;
            };
            let left = (1.0 - slot.weight).max(0.0);
            for (number, (sum, rest)) in numbers.iter_mut().zip(slot.sum.iter().zip(slot.rest)) {
                let mixed = if left == 0.0 {
                    *sum
                } else if rest.is_finite() {
                    sum + left * rest
                } else {
                    // Between a number and the infinite there is nothing.
                    sum / slot.weight
                };
                *number = if slot.weight > 0.0 && !mixed.is_nan() {
                    slot.target.legal(mixed)
                } else {
                    rest
                };
            }
            slot.sum = [0.0; WIDEST];
            slot.weight = 0.0;
        }
        for slot in &self.slots {
            self.values.reconcile(slot.target);
        }
    }
}
