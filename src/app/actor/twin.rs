//! Another actor of the same model: to be seen beside the first, in another pose or with other skinning.

use std::sync::Arc;

use super::Actor;
use crate::{
    anim::Skinning,
    scene::{Overlay, SkeletonSettings, difference_scale},
};

impl Actor {
    /// Another actor of the same model, in the file's own pose.
    pub fn twin(&self) -> Self {
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
    pub fn is_twin_of(&self, other: &Self) -> bool {
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

    /// Says whether the next pose holds what both ways of skinning need, for [`crate::scene::ViewMode::SkinningDifference`].
    pub fn show_difference(&mut self, shows: bool) {
        self.shows_difference = shows;
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

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

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
        let mut other = actor.twin();
        let of_file = format!("{:?}", other.lights);
        other.pose_like(&actor);
        assert_eq!(format!("{:?}", other.lights), format!("{:?}", actor.lights));
        assert_ne!(format!("{:?}", other.lights), of_file);
    }
}
