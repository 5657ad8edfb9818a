//! Pictures that show nothing of a model, and why.

use super::{Eye, Look, Scene};
use crate::app::Actor;

/// Says so if the scene that is shown has none of the model's meshes.
pub(super) fn tell_if_empty(actor: &Actor) {
    let model = actor.model();
    if model.vertex_count() > 0 && actor.layout().placements().is_empty() {
        let (name, shown, count) = (&model.name, actor.scene(), model.scenes.len());
        let others = match count {
            1 => String::new(),
            _ => format!("; --scene shows another of {count}"),
        };
        log::warn!("{name}: no mesh is in scene {shown}, which is shown{others}");
    }
}

/// Says so if normals are asked for and no mesh of the scene that is shown has any.
pub(super) fn tell_if_no_normals(actor: &Actor, look: &Look<'_>) {
    let model = actor.model();
    let placements = actor.layout().placements();
    let mut shown = (placements.iter()).flat_map(|it| &model.meshes[it.mesh].primitives);
    let has_any = shown.any(|primitive| !primitive.vertices.normals.is_empty());
    if look.arguments.normals && !has_any {
        log::warn!("{} has no normals to draw", model.name);
    }
}

/// Whether nothing of an actor is seen, since all faces of its pose look away from the eye, `turn_radians` farther on.
pub(super) fn is_turned_away(actor: &Actor, eye: &Eye, look: &Look<'_>, turn_radians: f32) -> bool {
    let view = eye.view(actor, look.aspect(), turn_radians);
    let surfaces = actor.surfaces(look.variant, look.arguments.view);
    actor.crowd().is_none() && view.is_ok_and(|view| surfaces.are_turned_away(&view))
}

impl Scene<'_> {
    /// Says so if nothing of the model could be seen in any picture.
    pub(super) fn tell_if_unseen(&self) {
        if !self.is_seen {
            log::warn!(
                "{}: all faces look away from the camera, and only their fronts are drawn: --camera looks from \
                 another side, --view faces shows both",
                self.actor.model().name
            );
        }
    }
}
