//! What clips move besides nodes (`KHR_animation_pointer`): figures of cameras, lights and materials, as they are at a moment.

use std::collections::HashSet;

use crate::{
    model::{
        Camera, Clip, Light, Material, Model, Node, PropertyTarget, PropertyTrack, PropertyValues,
        TextureTransform, TransformProperty,
    },
    ui::Details,
};

use super::{
    material::{self, Slot},
    node, texture,
};

/// What the details say of a moment, and where.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    camera: Option<Camera>,
    light: Option<Light>,
    material: Option<Material>,
    slots: Vec<Slot>,
    /// What some clip moves, be it the one in force or not: which lines there are does not change while clips play.
    moved: HashSet<PropertyTarget>,
    /// The first `node_facts` of the node's facts stay; `camera_facts` of its camera follow, then those of its light.
    node_facts: usize,
    camera_facts: usize,
    /// The first of the material's facts are its figures.
    figures: usize,
    /// The first of the texture's facts are its uses.
    uses: usize,
}

impl Evaluated {
    /// Nothing yet, of details of a model that were just made.
    pub(super) fn of(model: &Model, details: &Details) -> Self {
        let tracks = model.clips.iter().flat_map(Clip::properties);
        Self {
            moved: tracks.map(PropertyTrack::target).collect(),
            node_facts: details.node.as_ref().map_or(0, |part| part.facts.len()),
            ..Self::default()
        }
    }

    /// Brings the details up to date where `values` are others than they say.
    pub(super) fn follow(
        &mut self,
        model: &Model,
        node: Option<&Node>,
        values: &PropertyValues,
        details: &mut Details,
    ) {
        if let Some(node) = node {
            self.follow_node(node, values, details);
        }
        self.follow_material(model, values, details);
    }

    fn follow_node(&mut self, node: &Node, values: &PropertyValues, details: &mut Details) {
        let Some(part) = &mut details.node else {
            return;
        };
        let camera = node
            .camera
            .and_then(|it| Some((values.cameras.get(it)?, it)));
        let light = node.light.and_then(|it| Some((values.lights.get(it)?, it)));
        if self.camera.as_ref() != camera.map(|it| it.0) {
            self.camera = camera.map(|it| it.0.clone());
            let facts = camera.map(|(camera, index)| node::camera_facts(camera, index));
            let facts = facts.unwrap_or_default();
            let count = facts.len();
            let before = self.node_facts..self.node_facts + self.camera_facts;
            part.facts.splice(before, facts);
            self.camera_facts = count;
        }
        if self.light.as_ref() != light.map(|it| it.0) {
            self.light = light.map(|it| it.0.clone());
            let facts = light.map(|(light, index)| node::light_facts(light, index));
            part.facts.truncate(self.node_facts + self.camera_facts);
            part.facts.extend(facts.into_iter().flatten());
        }
    }

    fn follow_material(&mut self, model: &Model, values: &PropertyValues, details: &mut Details) {
        let Some((index, part)) = &mut details.material else {
            return;
        };
        let index = *index;
        let (Some(rest), Some(now)) = (model.materials.get(index), values.materials.get(index))
        else {
            return;
        };
        if self.material.as_ref() == Some(now) {
            return;
        }
        self.material = Some(now.clone());
        let is_moved = |property| {
            let target = PropertyTarget::Material(index, property);
            self.moved.contains(&target)
        };
        let figures = material::figures(rest, now, &is_moved);
        let count = figures.len();
        part.facts.splice(..self.figures, figures);
        self.figures = count;
        let slots = material::textures(now);
        if let Some((texture, part)) = &mut details.texture
            && self.slots != slots
        {
            let is_placed = |slot: &Slot| {
                let at_rest = rest.texture(slot.slot).unwrap_or_default().transform;
                let properties = [
                    TransformProperty::Offset,
                    TransformProperty::Rotation,
                    TransformProperty::Scale,
                ];
                let mut targets = properties
                    .map(|it| PropertyTarget::TextureTransform(index, slot.slot, it))
                    .into_iter();
                at_rest != TextureTransform::default()
                    || targets.any(|target| self.moved.contains(&target))
            };
            let uses = texture::uses(*texture, &slots, is_placed);
            let count = uses.len();
            part.facts.splice(..self.uses, uses);
            self.uses = count;
            self.slots = slots;
        }
    }
}
