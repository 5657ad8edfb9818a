//! What a click in the picture chooses.

use super::{Actor, Session};
use crate::{
    model::NodeId,
    scene::{Ray, pick_surface, strongest_joint},
};

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
        let bone = self.bone_at(at, reach);
        self.selected =
            bone.or_else(|| self.node_on_surface(&self.actor, self.variant, &view.ray(at)));
        self.is_stale = true;
    }

    /// What a ray chooses of an actor's surfaces.
    pub(super) fn node_on_surface(
        &self,
        actor: &Actor,
        variant: Option<usize>,
        ray: &Ray,
    ) -> Option<NodeId> {
        let (model, layout) = (actor.model(), actor.layout());
        let hit = pick_surface(model, layout, actor.palette(), actor.draws(), variant, ray)?;
        let mode = self.shown.view_mode;
        let joint = mode
            .is_about_joints()
            .then(|| strongest_joint(model, layout, &hit));
        let carrier = layout.placements().get(hit.placement)?.node;
        Some(joint.flatten().unwrap_or(carrier))
    }
}
