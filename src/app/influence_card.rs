//! What moves the vertex under the pointer, in views about joints.

use super::Session;
use crate::{
    model::NodeId,
    scene::{
        CameraView, ReferencePose, ViewMode, WeightColors, influences_at, joint_color, pick_surface,
    },
    ui::{InfluenceCard, InfluenceRow},
};

/// Of larger models the card is not kept up to date while they move: looking for the vertex visits every triangle.
const MOST_MOVING_TRIANGLES: usize = 200_000;

/// What is known of the vertex under the pointer.
#[derive(Debug, Default)]
pub(super) struct CardKeeper {
    /// For what it was looked up.
    of: Option<CardOf>,
    vertex: Option<u32>,
    rows: Vec<InfluenceRow>,
    /// Whether it is another one than when that was last asked.
    pub(super) has_changed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct CardOf {
    at: [f32; 2],
    camera: CameraView,
    time_secs: f64,
    clip: Option<usize>,
    mode: ViewMode,
    colors: WeightColors,
    selected: Option<NodeId>,
    held: Option<ReferencePose>,
}

impl CardKeeper {
    /// What panels read of it.
    pub(super) fn view(&self) -> Option<InfluenceCard<'_>> {
        Some(InfluenceCard {
            vertex: self.vertex?,
            rows: &self.rows,
        })
    }

    fn clear(&mut self) {
        self.of = None;
        self.has_changed |= self.vertex.take().is_some();
        self.rows.clear();
    }
}

impl Session {
    /// Looks what moves the vertex at a point of the picture, in views about joints; crowds are not looked at.
    pub(super) fn hover_surface(&mut self, at: Option<[f32; 2]>) {
        let mode = self.shown.view_mode;
        let is_wanted = mode.is_about_joints() && self.actor.crowd().is_none();
        let Some(at) = at.filter(|_| is_wanted) else {
            return self.skeleton.card.clear();
        };
        let is_large = self.model().triangle_count() > MOST_MOVING_TRIANGLES;
        if is_large && self.clock.is_moving() {
            return self.skeleton.card.clear();
        }
        let of = CardOf {
            at,
            camera: self.camera_view(),
            time_secs: self.clock.time_secs(),
            clip: self.clip,
            mode,
            colors: self.shown.weight_colors,
            selected: self.selected,
            held: self.held_pose(),
        };
        if self.skeleton.card.of.replace(of) == Some(of) {
            return;
        }
        let actor = &self.actor;
        let (model, layout) = (actor.model(), actor.layout());
        let (palette, draws) = (actor.palette(), actor.draws());
        let ray = of.camera.ray(at);
        let hit = pick_surface(model, layout, palette, draws, self.variant, &ray);
        let found = hit.map(|hit| influences_at(model, layout, &hit));
        let color = |place, weight| match mode {
            ViewMode::Weights => of.colors.color(weight),
            _ => joint_color(place),
        };
        let card = &mut self.skeleton.card;
        card.vertex = found.as_ref().map(|(vertex, _)| *vertex);
        card.rows.clear();
        let influences = found.into_iter().flat_map(|(_, influences)| influences);
        card.rows.extend(influences.map(|influence| InfluenceRow {
            node: influence.node.index(),
            weight: influence.weight,
            color: color(influence.place, influence.weight),
        }));
        card.has_changed = true;
    }
}
