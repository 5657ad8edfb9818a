//! Pictures that show nothing of a model, and why.

use std::iter;

use super::{Eye, Look, Scene, SecondSubject};
use crate::{
    app::Actor,
    model::{Keyed as _, Primitive, SeenLayers, Topology, Vertices},
    scene::{Choice, Inspectable, ViewMode},
};

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
    let has_any = shown_vertices(actor).any(|vertices| !vertices.normals.is_empty());
    if look.arguments.normals && !has_any {
        log::warn!("{} has no normals to draw", actor.model().name);
    }
}

/// Says so of each subject under which a shadow on the ground is asked for and nothing throws one.
pub(super) fn tell_if_no_ground_shadow(
    actor: &Actor,
    second: Option<&SecondSubject>,
    look: &Look<'_>,
) {
    if !look.arguments.ground {
        return;
    }
    let second = second.and_then(SecondSubject::with_ground);
    for (actor, variant) in iter::once((actor, look.variant)).chain(second) {
        if let Some(why) = why_no_shadow(actor, variant, look) {
            let name = &actor.model().name;
            log::warn!("{name}: --ground shows nothing: {why}");
        }
    }
}

/// Why nothing throws a shadow in this variant of the model, if that is so.
fn why_no_shadow(actor: &Actor, variant: Option<usize>, look: &Look<'_>) -> Option<&'static str> {
    let (model, light) = (actor.model(), &look.arguments.light);
    let (settings, in_studio) = (light.settings(), light.environment.is_none());
    let layers = SeenLayers::of(model);
    let throws_shadow = |primitive: &Primitive| {
        let index = primitive.material_in(variant);
        let is_glass = layers.is_glass(index, &model.materials[index]);
        primitive.topology != Topology::Points && !is_glass
    };
    Some(if !shown_primitives(actor).any(throws_shadow) {
        "there is no surface that throws a shadow"
    } else if actor.to_shadow_light(settings, in_studio).is_some() {
        return None;
    } else if settings.key_light == Choice::Off {
        "without the key light there is no shadow"
    } else if in_studio {
        "the file's own lights throw no shadow; --key-light on does"
    } else {
        "the light of an environment throws no shadow; --key-light on does"
    })
}

/// Each primitive of the scene that is shown.
fn shown_primitives(actor: &Actor) -> impl Iterator<Item = &Primitive> {
    let placements = actor.layout().placements().iter();
    placements.flat_map(|it| &actor.model().meshes[it.mesh].primitives)
}

/// The vertices of each of them.
fn shown_vertices(actor: &Actor) -> impl Iterator<Item = &Vertices> {
    shown_primitives(actor).map(|primitive| &primitive.vertices)
}

/// Says so if a model has nothing of what the view is about: layers by the window's rule, and texture coordinates in the scene
/// that is shown.
pub(super) fn tell_if_nothing_of_view(actor: &Actor, look: &Look<'_>) {
    let (model, view) = (actor.model(), look.arguments.view);
    let is_there = match view {
        ViewMode::Uv => shown_vertices(actor).any(|it| !it.tex_coords[0].is_empty()),
        _ => Inspectable::of(iter::once(model)).has(view),
    };
    if !is_there {
        let (name, view) = (&model.name, view.key());
        log::warn!("{name} has nothing that --view {view} shows");
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
