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
        let (palette, draws, view) = (actor.palette(), actor.draws(), self.shown.view_mode);
        let hit = pick_surface(model, layout, palette, draws, variant, view, ray)?;
        let is_about_joints = view.is_about_joints();
        let joint = is_about_joints.then(|| strongest_joint(model, layout, &hit));
        let carrier = layout.placements().get(hit.placement)?.node;
        Some(joint.flatten().unwrap_or(carrier))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{
        app::Session,
        import::{self, Progress},
        model::NodeId,
        scene::{Side, ViewMode},
        ui::{CameraCommand, Command},
    };

    /// A triangle whose material has one side.
    const TRIANGLE: &str = r#"{
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0]
        }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{
            "byteLength": 36,
            "uri": "data:application/octet-stream;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA"
        }]
    }"#;

    #[test]
    fn faces_are_chosen_from_the_sides_from_which_the_view_draws_them() {
        let import =
            import::load_bytes("one.gltf", TRIANGLE.as_bytes(), &Progress::default()).unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_aspect(1.0);
        for (side, mode, is_chosen) in [
            (Side::Front, ViewMode::Lit, true),
            (Side::Front, ViewMode::Faces, true),
            (Side::Back, ViewMode::Lit, false),
            (Side::Back, ViewMode::Faces, true),
            (Side::Back, ViewMode::Wireframe, false),
        ] {
            session.apply(Command::Camera(CameraCommand::LookFrom(side)));
            session.apply(Command::SetViewMode(mode));
            session.update();
            session.apply(Command::Pick {
                at: [0.0; 2],
                reach: 0.0,
            });
            let expected = is_chosen.then_some(NodeId(0));
            assert_eq!(session.selected, expected, "{side:?} {mode:?}");
        }
    }
}
