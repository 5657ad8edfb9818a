//! What a click in the picture chooses.

use crate::{
    app::{Actor, Session, messages::Topic},
    model::NodeId,
    scene::{Ray, ViewMode, strongest_joint},
    ui::Message,
};

/// Of larger models what is under the pointer is not looked for in every frame.
const MAX_TRIANGLES: usize = 200_000;

impl Session {
    /// Whether the model is too large for looking at its surface wherever the pointer passes.
    pub(super) fn is_long_to_pick(&self) -> bool {
        self.actor.triangles_to_pick() > MAX_TRIANGLES
    }

    /// How deep in the picture the surface lies that is seen at a point (−1..1, right and up). Of crowds, of two models and of
    /// very large ones it is not looked for, nor in parallel projections, which show the same from everywhere.
    pub(in crate::app) fn depth_at(&mut self, at: [f32; 2]) -> Option<f32> {
        if self.is_long_to_pick() || self.split().is_some() || self.actor.crowd().is_some() {
            return None;
        }
        self.update();
        let view = self.camera_view();
        let ray = view.ray(at);
        let surfaces = self
            .actor
            .surfaces(self.variant.shown, self.shown.view_mode);
        let hit = surfaces.pick(&ray).filter(|_| !view.is_parallel())?;
        Some(-hit.distance * ray.direction.dot(view.backward()))
    }

    /// Chooses what lies at a point of the picture (−1..1, right and up), or nothing. `reach` is how far beside the point a
    /// joint may lie, as a part of the picture's height.
    ///
    /// Where the skeleton is shown, its shapes come first, if no surface hides them. In views about joints a click on
    /// the surface chooses the joint that moves it most there; else the node that carries the mesh.
    ///
    /// Crowds are not picked from: a click leaves the choice as it is.
    pub(in crate::app) fn pick(&mut self, at: [f32; 2], reach: f32) {
        if self.actor.crowd().is_some() {
            return;
        }
        self.update();
        let view = self.camera_view();
        let bone = self.bone_at(at, reach);
        self.selected =
            bone.or_else(|| self.node_on_surface(&self.actor, self.variant.shown, &view.ray(at)));
        self.overlay_changed();
    }

    /// Says so for a while if nothing is seen of the model since all of its faces look away.
    pub(in crate::app) fn tell_if_turned_away(&mut self) {
        self.update();
        let surfaces = self
            .actor
            .surfaces(self.variant.shown, self.shown.view_mode);
        if surfaces.are_turned_away(&self.camera_view()) {
            let message = Message::info(
                "All faces look away from the camera",
                format!(
                    "Only their fronts are drawn: turn the camera, or see both sides in the view {}.",
                    ViewMode::Faces.label()
                ),
            );
            self.messages.tell_over(Topic::TurnedAway, message);
        }
    }

    /// What a ray chooses of an actor's surfaces.
    pub(in crate::app) fn node_on_surface(
        &self,
        actor: &Actor,
        variant: Option<usize>,
        ray: &Ray,
    ) -> Option<NodeId> {
        let (model, layout, view) = (actor.model(), actor.layout(), self.shown.view_mode);
        let surfaces = actor.surfaces(variant, view);
        let hit = surfaces.pick(ray)?;
        let is_about_joints = view.is_about_joints();
        let joint = is_about_joints.then(|| strongest_joint(model, layout, &hit));
        let carrier = layout.placements().get(hit.placement)?.node;
        Some(joint.flatten().unwrap_or(carrier))
    }
}

#[cfg(test)]
pub(in crate::app) mod tests {
    use std::time::Duration;

    use crate::{
        app::{Session, built_in},
        import::{self, Progress},
        model::NodeId,
        scene::{Side, SkeletonSettings, ViewMode},
        ui::{CameraCommand, Command, PictureCommand, SkeletonCommand},
    };

    /// A triangle whose material has one side.
    pub(in crate::app) const TRIANGLE: &str = r#"{
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
            session.apply(Command::Picture(PictureCommand::SetViewMode(mode)));
            session.update();
            session.apply(Command::Pick {
                at: [0.0; 2],
                reach: 0.0,
            });
            let expected = is_chosen.then_some(NodeId(0));
            assert_eq!(session.selected, expected, "{side:?} {mode:?}");
        }
    }

    #[test]
    fn holes_are_chosen_where_the_view_fills_them() {
        let hole = r#"{ "materials": [{
            "alphaMode": "MASK", "pbrMetallicRoughness": { "baseColorFactor": [1, 1, 1, 0.1] }
        }],"#;
        let file = TRIANGLE.replace(r#""POSITION": 0 }"#, r#""POSITION": 0 }, "material": 0"#);
        let file = file.replacen('{', hole, 1);
        let import = import::load_bytes("hole.gltf", file.as_bytes(), &Progress::default());
        let mut session = Session::new(import.unwrap(), None, Duration::ZERO);
        session.set_aspect(1.0);
        for (mode, is_chosen) in [(ViewMode::Lit, false), (ViewMode::Wireframe, true)] {
            session.apply(Command::Picture(PictureCommand::SetViewMode(mode)));
            session.update();
            session.apply(Command::Pick {
                at: [0.0; 2],
                reach: 0.0,
            });
            assert_eq!(session.selected.is_some(), is_chosen, "{mode:?}");
        }
    }

    #[test]
    fn a_model_that_shows_nothing_but_backs_is_told() {
        let told = |file: &str| {
            let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
            session.set_aspect(1.0);
            let import = import::load_bytes("one.gltf", file.as_bytes(), &Progress::default());
            session.open_model(import.unwrap(), None, Duration::ZERO);
            session.tell_if_turned_away();
            session.message().map(|message| message.title.clone())
        };
        let placed =
            |how: &str| TRIANGLE.replace(r#"{ "mesh": 0 }"#, &format!(r#"{{ "mesh": 0, {how} }}"#));
        let behind = r#""rotation": [0, 1, 0, 0]"#;
        // A node that mirrors turns faces about (glTF 2.0 §3.7.4).
        let mirrored = r#""scale": [1, 1, -1]"#;
        for away in [behind, mirrored] {
            let title = told(&placed(away));
            assert_eq!(
                title.as_deref(),
                Some("All faces look away from the camera"),
                "{away}"
            );
        }
        let twice = placed(&format!("{behind}, {mirrored}"));
        let both =
            placed(behind).replace(r#""POSITION": 0 }"#, r#""POSITION": 0 }, "material": 0"#);
        let both = both.replacen('{', r#"{ "materials": [{ "doubleSided": true }],"#, 1);
        for seen in [TRIANGLE, &twice, &both] {
            assert_eq!(told(seen), None, "{seen}");
        }
    }

    /// As [`CameraView::ray`](crate::scene::CameraView::ray) says what its planes leave of it.
    #[test]
    fn what_the_planes_of_a_camera_cut_away_is_not_chosen() {
        let seen = |projection: &str| {
            let file = TRIANGLE
                .replace(
                    r#""nodes": [{ "mesh": 0 }]"#,
                    r#""nodes": [{ "mesh": 0 }, { "camera": 0, "translation": [0, 0, 2] }]"#,
                )
                .replace(r#""nodes": [0]"#, r#""nodes": [0, 1]"#)
                .replacen('{', &format!(r#"{{ "cameras": [{{ {projection} }}],"#), 1);
            let import =
                import::load_bytes("one.gltf", file.as_bytes(), &Progress::default()).unwrap();
            let mut session = Session::new(import, None, Duration::ZERO);
            session.set_aspect(1.0);
            session.apply(Command::Camera(CameraCommand::StepCamera(1)));
            session.update();
            // A little to the side, where the planes are farther along the ray.
            session.apply(Command::Pick {
                at: [0.1, 0.0],
                reach: 0.0,
            });
            session.selected == Some(NodeId(0))
        };
        for (near, far, is_seen) in [
            (0.1, 10.0, true),
            (1.999, 2.001, true),
            (2.001, 10.0, false),
            (0.1, 1.999, false),
        ] {
            let planes = format!(r#""znear": {near}, "zfar": {far}"#);
            let perspective =
                format!(r#""type": "perspective", "perspective": {{ "yfov": 1.0, {planes} }}"#);
            let flat = format!(
                r#""type": "orthographic", "orthographic": {{ "xmag": 1, "ymag": 1, {planes} }}"#
            );
            assert_eq!(seen(&perspective), is_seen, "{perspective}");
            assert_eq!(seen(&flat), is_seen, "{flat}");
        }
        let open = r#""type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1 }"#;
        assert!(seen(open), "to infinity");
    }

    /// Without X-ray what lies within the model is neither drawn nor chosen.
    #[test]
    fn bones_that_surfaces_hide_are_not_chosen() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspect(1.0);
        session.apply(Command::Camera(CameraCommand::LookFrom(Side::Front)));
        session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
        let at_chest = |session: &mut Session| {
            session.update();
            let chest = session.model().hierarchy.iter();
            let (chest, _) = chest
                .into_iter()
                .find(|(_, node)| node.name == "chest")
                .unwrap();
            let place = session.actor.pose().world[chest.index()].translation;
            let clip = session.camera_view().to_clip(place.into());
            session.apply(Command::Pick {
                at: [clip.x / clip.w, clip.y / clip.w],
                reach: 0.01,
            });
            let chosen = session.selected.unwrap();
            session.model().hierarchy.node(chosen).mesh.is_some()
        };
        assert!(!at_chest(&mut session), "through the model");
        let settings = SkeletonSettings {
            x_ray: false,
            ..SkeletonSettings::default()
        };
        session.apply(Command::Skeleton(SkeletonCommand::Set(settings)));
        assert!(at_chest(&mut session), "the mesh is before it");
    }
}
