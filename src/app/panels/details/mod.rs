//! What the inspector says of what is chosen: made anew only when the choice changes, for a mesh may have millions of
//! vertices and a file thousands of materials.

mod channels;
mod evaluated;
mod material;
mod mesh;
mod node;
mod notes;
mod picture;
mod texture;

use self::evaluated::Evaluated;
use crate::{
    app::{Session, time::ClipsKey},
    model::{Model, NodeId},
    ui::Details,
};

/// Pixels of the small pictures, and of the large one.
const SMALL_SIDE: u32 = 192;
const LARGE_SIDE: u32 = 1024;

/// What the inspector is to show besides the chosen node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::app) struct Inspected {
    pub(super) material: Option<usize>,
    pub(super) texture: Option<usize>,
    /// Whether a texture is to be shown large.
    pub(super) is_large: bool,
}

impl Inspected {
    /// Forgets the wish for a large picture if there is none: it would open by itself once there is.
    pub(in crate::app) fn forget_unshown(&mut self, details: &Details) {
        self.is_large &= details.large.is_some();
    }

    /// What is inspected of a model that was read again; what is gone is not shown any more.
    pub(in crate::app) fn carried_to(
        self,
        material_of: impl FnOnce(usize) -> Option<usize>,
        texture_of: impl FnOnce(usize) -> Option<usize>,
    ) -> Self {
        Self {
            material: self.material.and_then(material_of),
            texture: self.texture.and_then(texture_of),
            ..self
        }
    }

    /// Forgets what was chosen of another model.
    pub(in crate::app) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The details, and what they were made from.
#[derive(Debug, Default)]
pub(in crate::app) struct DetailRows {
    pub(in crate::app) details: Details,
    from: Option<DetailsKey>,
    evaluated: Evaluated,
}

/// Details are others if any of this is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct DetailsKey {
    clips: ClipsKey,
    node: Option<NodeId>,
    /// Whose channels and notes are told: that of the timeline, and of the tree's signs.
    clip: Option<usize>,
    variant: Option<usize>,
    scene: usize,
    inspected: Inspected,
}

impl DetailRows {
    /// Brings the details up to date.
    pub(super) fn update(&mut self, session: &Session) {
        let from = DetailsKey {
            clips: session.clips_key(),
            node: session.selected,
            clip: session.timeline_clip(),
            variant: session.variant(),
            scene: session.actor().scene(),
            inspected: session.inspected,
        };
        if self.from != Some(from) {
            self.renew(session.model(), from);
        }
        if !session.shown.inspector_panel {
            return;
        }
        let actor = session.actor();
        let node = from.node.map(|node| actor.model().hierarchy.node(node));
        let values = actor.properties().values();
        let details = &mut self.details;
        self.evaluated.follow(actor.model(), node, values, details);
    }

    /// Makes what no clip moves anew.
    fn renew(&mut self, model: &Model, from: DetailsKey) {
        let changes_notes_alone = self.from.is_some_and(|old| {
            DetailsKey {
                clip: from.clip,
                scene: from.scene,
                ..old
            } == from
        });
        self.from = Some(from);
        let channels = channels::of_node(model, from.clip, from.node);
        if changes_notes_alone {
            let node = from.node.map(|node| model.hierarchy.node(node));
            let material = self.details.material.as_ref().map(|(index, _)| *index);
            self.details.notes = notes::about(model, node, material, from.clip, from.scene);
            self.details.channels = channels;
            return;
        }
        let generation = self.details.generation + 1;
        self.details = Details {
            channels,
            generation,
            ..made(model, &from)
        };
        self.evaluated = Evaluated::of(model, &self.details);
    }
}

/// All but what clips move: [`Evaluated`] adds that.
fn made(model: &Model, from: &DetailsKey) -> Details {
    let chosen = from.node.map(|node| (node, model.hierarchy.node(node)));
    let mesh = chosen.and_then(|(_, node)| node.mesh);
    let materials = material::to_choose_from(model, mesh, from.node, from.variant);
    let has = |wanted: usize| materials.iter().any(|(index, _)| *index == wanted);
    let material = from.inspected.material.filter(|wanted| has(*wanted));
    let material = material.or_else(|| materials.first().map(|(index, _)| *index));
    let used = material.map_or_else(Vec::new, |material| {
        material::textures(&model.materials[material])
    });
    let is_used = |wanted: usize| used.iter().any(|slot| slot.texture.texture == wanted);
    let texture = from.inspected.texture.filter(|wanted| is_used(*wanted));
    let texture = texture.or_else(|| used.first().map(|slot| slot.texture.texture));
    let mut shown: Vec<usize> = used.iter().map(|slot| slot.texture.texture).collect();
    shown.sort_unstable();
    shown.dedup();
    let picture = |texture: &usize| picture::of_texture(model, *texture, SMALL_SIDE);
    let large = texture.filter(|_| from.inspected.is_large);
    Details {
        file: from.node.is_none().then(|| node::of_file(model)),
        node: from.node.map(|node| node::part(model, node)),
        mesh: mesh.map(|mesh| mesh::part(model, mesh, from.variant)),
        skin: chosen.and_then(|(_, node)| mesh::skin_part(model, node.skin?, node.mesh)),
        material: material.map(|index| (index, material::part(model, index))),
        texture: texture.map(|index| (index, texture::part(model, index))),
        notes: notes::about(
            model,
            chosen.map(|(_, node)| node),
            material,
            from.clip,
            from.scene,
        ),
        pictures: shown.iter().filter_map(picture).collect(),
        large: large.and_then(|texture| picture::of_texture(model, texture, LARGE_SIDE)),
        materials,
        ..Details::default()
    }
}

#[cfg(test)]
mod tests;
