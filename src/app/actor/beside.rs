//! Another actor of the same model: to be seen beside the first, in another pose or with other skinning.

use std::{collections::HashMap, sync::Arc};

use super::Actor;
use crate::{
    anim::{Skinning, difference::PartMatch},
    model::{Clip, Model, namesake, pair_by_name},
    scene::{Overlay, SkeletonSettings, difference_scale},
};

impl Actor {
    /// Another actor of the same model, in the file's own pose.
    pub fn beside(&self) -> Self {
        let boxes = self.joint_boxes.clone();
        let layout = self.layout.clone();
        let mut other = Self::of(Arc::clone(&self.model), self.scene, layout, boxes);
        other.pose_at(None, 0.0);
        other.bounds = self.bounds;
        other.size = self.size;
        other.dimming = self.dimming;
        other.estimate_bounds();
        other
    }

    /// Whether both are actors of one model, as one scene shows it.
    pub fn is_beside(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model) && self.scene == other.scene
    }

    /// The distance that [`crate::scene::ViewMode::SkinningDifference`] draws in the last of its colours.
    pub fn difference_scale(&self) -> f32 {
        difference_scale(self.size)
    }

    /// How joints are blended.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Adds the bones of the pose to another overlay, as lines.
    pub fn add_skeleton_lines(
        &mut self,
        settings: SkeletonSettings,
        width_px: f32,
        color: [f32; 4],
        overlay: &mut Overlay,
    ) {
        self.skeleton.find_uses(&self.model);
        let skeleton = &self.skeleton;
        skeleton.add_lines(&self.pose, settings, width_px, color, overlay);
    }

    /// Hides and holds from the next pose on what another actor of the same model does.
    pub(in crate::app) fn keep_like(&mut self, other: &Self) {
        self.hiding.clone_from(&other.hiding);
        self.held_weights.clone_from(&other.held_weights);
    }

    /// Takes the pose of another actor of the same model, with the materials, lights and cameras of that moment; how joints are
    /// blended stays its own.
    pub fn pose_like(&mut self, other: &Self) {
        self.pose.copy_from(&other.pose);
        self.properties.clone_from(&other.properties);
        self.settle_world();
    }
}

/// What of a clip stays when it gets another name: how long it is, and how many tracks and keys it has.
fn likeness(clip: &Clip) -> (u32, usize, usize) {
    let secs = clip.duration_secs();
    (secs.to_bits(), clip.track_count(), clip.key_count())
}

/// Which clips of two models belong together: those of one name, as [`pair_by_name`] says, or else the only ones without a
/// namesake that are as long and have as many keys.
pub fn pair_clips(models: [&Model; 2]) -> PartMatch {
    let [names, other_names] = models.map(|model| model.clips.iter().map(Clip::name));
    let mut pairs = pair_by_name(names, other_names);
    let mut are_paired = vec![false; models[1].clips.len()];
    for same in pairs.iter().flatten() {
        are_paired[*same] = true;
    }
    // Of each size those without a namesake, on both sides.
    let mut alone: HashMap<_, [Vec<usize>; 2]> = HashMap::new();
    for (place, clip) in models[0].clips.iter().enumerate() {
        if pairs[place].is_none() {
            alone.entry(likeness(clip)).or_default()[0].push(place);
        }
    }
    for (place, clip) in models[1].clips.iter().enumerate() {
        if !are_paired[place] {
            alone.entry(likeness(clip)).or_default()[1].push(place);
        }
    }
    for both in alone.values() {
        if let [[first], [second]] = both.each_ref().map(Vec::as_slice) {
            pairs[*first] = Some(*second);
        }
    }
    PartMatch::of_matches(pairs, models[1].clips.len())
}

/// How much faster the second of two clips runs than the first so that they begin and end together; no faster beside one that
/// has no length. Times of the first are multiplied by it, wherever both are shown or compared.
pub fn phase_stretch(lengths_secs: [f64; 2]) -> f64 {
    let [first, second] = lengths_secs;
    if first > 0.0 { second / first } else { 1.0 }
}

/// What [`pair_clips`] says of one clip alone, which is quicker.
pub fn clip_like(model: &Model, clip: usize, other: &Model) -> Option<usize> {
    let same = |clip: usize, [from, to]: [&Model; 2]| {
        let [from, to] = [from, to].map(|model| model.clips.iter().map(Clip::name));
        namesake(clip, from, to)
    };
    let models = [model, other];
    same(clip, models).or_else(|| {
        let wanted = likeness(model.clips.get(clip)?);
        let alone = |[from, to]: [&Model; 2]| {
            let mut found = (0..from.clips.len()).filter(|place| {
                likeness(&from.clips[*place]) == wanted && same(*place, [from, to]).is_none()
            });
            let first = found.next();
            first.filter(|_| found.next().is_none())
        };
        alone(models)?;
        alone([other, model])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

    use crate::model::{ClipBuilder, Interpolation, NodeId, Timeline};

    fn model(clips: &[(&str, usize)]) -> Model {
        let clip = |&(name, keys): &(&str, usize)| {
            let mut builder = ClipBuilder::new(name);
            let times = (0..keys).map(|key| key as f32).collect();
            let timeline = builder.timeline(Timeline::new(times).unwrap());
            let places = vec![glam::Vec3::ZERO; keys];
            let linear = Interpolation::Linear;
            builder
                .translation(NodeId(0), timeline, linear, places)
                .unwrap();
            builder.finish()
        };
        Model {
            clips: clips.iter().map(clip).collect(),
            ..Model::default()
        }
    }

    #[test]
    fn a_clip_that_was_renamed_is_found_by_what_it_is() {
        let old = model(&[
            ("Walk", 3),
            ("Run", 5),
            ("Idle", 3),
            ("Hop", 7),
            ("Jump", 7),
        ]);
        let new = model(&[
            ("Walk", 3),
            ("Idle", 3),
            ("Running", 5),
            ("Fall", 7),
            ("Leap", 7),
        ]);
        let found = |clip| clip_like(&old, clip, &new);
        assert_eq!([found(0), found(1), found(2)], [Some(0), Some(2), Some(1)]);
        assert_eq!([found(3), found(4)], [None, None], "which is which?");
        assert_eq!(clip_like(&new, 2, &old), Some(1));
        assert_eq!(clip_like(&old, 9, &new), None);
        let one_by_one = (0..5).filter_map(|clip| Some([clip, found(clip)?]));
        let all_at_once = pair_clips([&old, &new]);
        assert!(one_by_one.eq(all_at_once.pairs));
        assert_eq!(
            [all_at_once.only_first, all_at_once.only_second],
            [[3, 4]; 2]
        );
        // One that is there by its name is no other's.
        let twice = model(&[("Walk", 3), ("Run", 5), ("Running", 5)]);
        let once = model(&[("Run", 5)]);
        assert_eq!(clip_like(&twice, 2, &once), None);
        assert_eq!(pair_clips([&twice, &once]).pairs, [[1, 0]]);
    }

    /// The lamp is at 5 in the file, and goes from 0 to 1.
    #[test]
    fn lights_are_those_of_the_pose_that_is_taken() {
        let floats = [0.0_f32, 1.0].repeat(2);
        let bytes: Vec<u8> = floats.iter().flat_map(|it| it.to_le_bytes()).collect();
        let data = format!(
            "data:application/octet-stream;base64,{}",
            BASE64.encode(bytes)
        );
        let pointer = "/extensions/KHR_lights_punctual/lights/0/intensity";
        let text = serde_json::json!({
            "asset": { "version": "2.0" },
            "extensionsUsed": ["KHR_lights_punctual", "KHR_animation_pointer"],
            "extensions": { "KHR_lights_punctual": { "lights": [{ "type": "directional", "intensity": 5 }] } },
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "extensions": { "KHR_lights_punctual": { "light": 0 } } }],
            "animations": [{
                "samplers": [{ "input": 0, "output": 1 }],
                "channels": [{
                    "sampler": 0,
                    "target": { "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } } },
                }],
            }],
            "accessors": [
                { "bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0], "max": [1] },
                { "bufferView": 1, "componentType": 5126, "type": "SCALAR", "count": 2 },
            ],
            "bufferViews": [
                { "buffer": 0, "byteLength": 8 },
                { "buffer": 0, "byteOffset": 8, "byteLength": 8 },
            ],
            "buffers": [{ "byteLength": 16, "uri": data }],
        });
        let import = crate::import::load_bytes(
            "lamp.gltf",
            text.to_string().as_bytes(),
            &crate::import::Progress::default(),
        );
        let mut actor = Actor::new(import.unwrap().model);
        actor.pose_at(Some(0), 0.25);
        let mut other = actor.beside();
        let of_file = format!("{:?}", other.lights);
        other.pose_like(&actor);
        assert_eq!(format!("{:?}", other.lights), format!("{:?}", actor.lights));
        assert_ne!(format!("{:?}", other.lights), of_file);
    }
}
