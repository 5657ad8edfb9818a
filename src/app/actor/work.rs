//! How much work it is to pose an actor, and to find what is under a pointer.

use super::Actor;
use crate::{
    anim::{PaletteLayout, Placement, bounds},
    model::{Model, Primitive},
};

impl Actor {
    /// How many vertices a pose visits, each as often as targets move it.
    pub(in crate::app) fn posed_vertices(&self) -> usize {
        bounds::posed_vertices(&self.model, &self.layout)
    }

    /// How many triangles looking for the surface under a pointer visits.
    pub(in crate::app) fn triangles_to_pick(&self) -> usize {
        self.triangles_to_pick
    }
}

/// Every triangle of the model is visited, and those of copies that joints or morph targets move again.
pub(super) fn triangles_to_pick(model: &Model, layout: &PaletteLayout) -> usize {
    let is_posed = |it: &&Placement| {
        let mut primitives = model.meshes[it.mesh].primitives.iter();
        it.skin.is_some() || primitives.any(|it| !it.targets.is_empty())
    };
    let posed = layout.placements().iter().filter(is_posed).map(|it| {
        let primitives = model.meshes[it.mesh].primitives.iter();
        let triangles: usize = primitives.map(Primitive::triangle_count).sum();
        triangles.saturating_mul(it.copies as usize)
    });
    let posed = posed.fold(0, usize::saturating_add);
    model.triangle_count().max(posed)
}
