//! What a click in the picture chooses.

use super::Session;
use crate::scene::{ViewMode, pick_surface, strongest_joint};

impl Session {
    /// Chooses what lies at a point of the picture (−1..1, right and up), or nothing. `reach` is how far beside the point a
    /// joint may lie, as a part of the picture's height.
    ///
    /// Where the skeleton is shown, its shapes come first: they are drawn over everything. In views about joints a click on
    /// the surface chooses the joint that moves it most there; else the node that carries the mesh.
    ///
    /// Crowds are not picked from: a click leaves the choice as it is.
    pub(super) fn pick(&mut self, at: [f32; 2], reach: f32) {
        if self.actor.crowd().is_some() {
            return;
        }
        self.update();
        let view = self.camera_view();
        let ray = view.ray(at);
        let actor = &self.actor;
        let mut chosen = self.bone_at(at, reach);
        if chosen.is_none() {
            let (model, layout) = (actor.model(), actor.layout());
            let (palette, draws) = (actor.palette(), actor.draws());
            let hit = pick_surface(model, layout, palette, draws, self.variant, &ray);
            chosen = hit.map(|hit| {
                let is_about_joints = matches!(
                    self.shown.view_mode,
                    ViewMode::Weights | ViewMode::Joints | ViewMode::Influences
                );
                let joint = is_about_joints.then(|| strongest_joint(model, layout, &hit));
                let carrier = layout.placements()[hit.placement].node;
                joint.flatten().unwrap_or(carrier)
            });
        }
        self.selected = chosen;
        self.is_stale = true;
    }
}
