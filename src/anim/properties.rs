//! What clips move besides nodes (`KHR_animation_pointer`): materials, lights and cameras, as they are at a moment.
//!
//! Weights and visibility of nodes are parts of the [`super::Pose`], and [`super::sample()`] writes them there.

use super::sample::track_value;
use crate::model::{Clip, Model, PropertyTarget, PropertyValues};

/// Numbers that a property has at most.
const WIDEST: usize = 4;

/// Materials, lights and cameras of a model at a moment. Made once for a model; posing allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    values: PropertyValues,
    /// What any clip moves, and what that limits.
    slots: Vec<Slot>,
    /// For each clip and each of its property tracks the slot that it moves; those of nodes, and of what is not seen, have none.
    places: Vec<Vec<Option<usize>>>,
    moved_materials: Vec<usize>,
    /// Which slots clips have moved since they were last at rest: the first `moved_count`, in any order.
    moved: Vec<usize>,
    moved_count: usize,
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
    /// The slot of what it limits, which goes back to what the file has before it is limited again.
    limited: Option<usize>,
    /// Whether it is among those that clips have moved.
    is_moved: bool,
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
                limited: None,
                is_moved: false,
            });
            Some(slots.len() - 1)
        };
        let clips = model.clips.iter().map(|clip| clip.properties().iter());
        let places = clips
            .map(|tracks| tracks.map(|track| add(track.target())).collect())
            .collect();
        // What it limits must come back with it.
        let clips = model.clips.iter().flat_map(Clip::properties);
        let limiting: Vec<_> = clips
            .filter_map(|track| {
                let target = track.target();
                Some((add(target)?, add(target.limited()?)?))
            })
            .collect();
        for (slot, limited) in limiting {
            slots[slot].limited = Some(limited);
        }
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
            moved: vec![0; slots.len()],
            moved_count: 0,
            slots,
            places,
            moved_materials,
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
        for (clip, time_secs, weight) in motions {
            self.add(model, clip, time_secs, weight);
        }
        for layer in layers {
            let rest = 1.0 - layer.weight;
            if layer.replaces_all {
                // The others have no sum.
                for &place in &self.moved[..self.moved_count] {
                    self.slots[place].fade(rest);
                }
            } else {
                let places = self.places.get(layer.clip).into_iter().flatten();
                for place in places.copied().flatten() {
                    self.slots[place].fade(rest);
                }
            }
            self.add(model, layer.clip, layer.time_secs, layer.weight);
        }
        self.settle();
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
            let Some(place) = *place else {
                continue;
            };
            let slot = &mut self.slots[place];
            let timeline = &clip.timelines()[track.timeline()];
            for (lane, sum) in slot.sum.iter_mut().enumerate().take(track.target().width()) {
                *sum += weight * track_value(track, timeline, time_secs, lane);
            }
            slot.weight += weight;
            note_moved(
                &mut self.slots,
                &mut self.moved,
                &mut self.moved_count,
                place,
            );
        }
    }

    /// Writes the sums to where they belong, and forgets them. What no clip moves, now or at the moment before, is as it was.
    fn settle(&mut self) {
        let Self {
            values,
            slots,
            moved,
            moved_count,
            ..
        } = self;
        for place in 0..*moved_count {
            if let Some(limited) = slots[moved[place]].limited {
                note_moved(slots, moved, moved_count, limited);
            }
        }
        for &place in &moved[..*moved_count] {
            let slot = &slots[place];
            let Some(numbers) = values.numbers_mut(slot.target) else {
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
        }
        let mut kept = 0;
        for at in 0..*moved_count {
            let place = moved[at];
            let slot = &mut slots[place];
            values.reconcile(slot.target);
            slot.is_moved = slot.weight > 0.0;
            slot.sum = [0.0; WIDEST];
            slot.weight = 0.0;
            if slot.is_moved {
                moved[kept] = place;
                kept += 1;
            }
        }
        *moved_count = kept;
    }
}

/// Takes a slot among those that clips have moved, once.
fn note_moved(slots: &mut [Slot], moved: &mut [usize], moved_count: &mut usize, place: usize) {
    if !slots[place].is_moved {
        slots[place].is_moved = true;
        moved[*moved_count] = place;
        *moved_count += 1;
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{
        ClipBuilder, Interpolation, Light, LightKind, LightProperty, Material, MaterialProperty,
        Timeline,
    };

    /// Clips cost what they move themselves, whatever all others do; and all that they move goes back.
    #[test]
    fn only_what_clips_move_is_written() {
        let clip = |targets: &[PropertyTarget], value: f32| {
            let mut builder = ClipBuilder::new("clip");
            let timeline = builder.timeline(Timeline::new(vec![0.0]).unwrap());
            for &target in targets {
                builder
                    .property(target, timeline, Interpolation::Linear, vec![value])
                    .unwrap();
            }
            builder.finish()
        };
        let rough = |material| PropertyTarget::Material(material, MaterialProperty::Roughness);
        let materials: Vec<_> = (0..100).map(rough).collect();
        let cone = PropertyTarget::Light(0, LightProperty::OuterConeAngle);
        let model = Model {
            materials: vec![Material::default(); 101],
            lights: vec![Light {
                name: String::new(),
                kind: LightKind::spot(0.5, 0.7),
                color: Vec3::ONE,
                intensity: 1.0,
                range: None,
            }],
            clips: vec![
                clip(&materials, 0.25),
                clip(&materials[..1], 0.5),
                clip(&[cone], 0.1),
            ],
            ..Model::default()
        };
        let rest = Properties::new(&model);
        let mut properties = rest.clone();
        for (clip, moved) in [(0, 100), (1, 1), (1, 1), (2, 1), (2, 1)] {
            properties.pose(&model, [(clip, 0.0, 1.0)]);
            assert_eq!(properties.moved_count, moved, "{clip}");
            let mut alone = rest.clone();
            alone.pose(&model, [(clip, 0.0, 1.0)]);
            assert_eq!(properties.values(), alone.values(), "{clip}");
        }
        // The inner cone was narrowed with the outer one.
        assert_eq!(
            properties.values().lights[0].kind,
            LightKind::spot(0.5, 0.1)
        );
        properties.pose(&model, []);
        assert_eq!(properties.values(), rest.values());
        assert_eq!(properties.moved_count, 0);
    }
}
