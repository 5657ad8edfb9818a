//! What the user sees of the skeleton: shapes, the joint under the pointer, names.

use super::{influence_card::CardKeeper, selection::MeshBoxes, trails::TrailKeeper};
use crate::{
    app::Session,
    model::NodeId,
    scene::{
        ControlJoints, JointChoice, Overlay, ReferencePose, SkeletonLook, SkeletonSettings,
        pick_bone,
    },
    ui::{JointLabel, SkeletonView},
};

/// The skeleton's part of the session.
#[derive(Debug)]
pub(in crate::app) struct SkeletonState {
    pub(in crate::app) settings: SkeletonSettings,
    /// The pose that is held, or was last.
    pub(in crate::app) reference: Option<ReferencePose>,
    pub(in crate::app) is_held: bool,
    pub(in crate::app) trail: TrailKeeper,
    pub(in crate::app) card: CardKeeper,
    /// Whether the chosen node is marked where it is no joint that is shown: in the window, and not in pictures of it.
    pub(in crate::app) marks_selection: bool,
    pub(super) chosen_boxes: MeshBoxes,
    /// The joint under the pointer.
    pub(in crate::app) hovered: Option<NodeId>,
    /// Names to be shown, as of the last [`Session::update_labels`].
    labels: Vec<JointLabel>,
    /// Names as they would be shown now.
    next_labels: Vec<JointLabel>,
    pub(in crate::app) pixels_per_point: f32,
}

impl Default for SkeletonState {
    fn default() -> Self {
        Self {
            settings: SkeletonSettings::default(),
            reference: None,
            is_held: false,
            trail: TrailKeeper::default(),
            card: CardKeeper::default(),
            marks_selection: true,
            chosen_boxes: MeshBoxes::default(),
            hovered: None,
            labels: Vec::new(),
            next_labels: Vec::new(),
            pixels_per_point: 1.0,
        }
    }
}

impl SkeletonState {
    /// Lets go of what belongs to a model.
    pub(in crate::app) fn forget_model(&mut self) {
        self.hovered = None;
        self.is_held = false;
        self.trail = TrailKeeper::default();
        self.card = CardKeeper::default();
        self.chosen_boxes = MeshBoxes::default();
        self.labels.clear();
    }
}

impl Session {
    /// The pose that is shown instead of what the clip makes. A crowd shows none.
    pub(in crate::app) fn held_pose(&self) -> Option<ReferencePose> {
        if !self.skeleton.is_held || self.actor.crowd().is_some() {
            return None;
        }
        let otherwise = if self.model().skins.is_empty() {
            ReferencePose::Rest
        } else {
            ReferencePose::Bind
        };
        let held = self.skeleton.reference.unwrap_or(otherwise);
        let is_possible = held != ReferencePose::Tee || self.actor.why_no_t_pose().is_none();
        Some(if is_possible { held } else { otherwise })
    }

    /// Shows what the clip makes again.
    pub(in crate::app) fn release_pose(&mut self) {
        self.skeleton.is_held = false;
    }

    /// The joint under the pointer.
    pub(in crate::app) fn hovered_joint(&self) -> Option<NodeId> {
        self.skeleton.hovered
    }

    /// The joint whose shapes lie at a point of the picture, if they are shown.
    pub(super) fn bone_at(&self, at: [f32; 2], reach: f32) -> Option<NodeId> {
        if !self.shown.skeleton || self.actor.crowd().is_some() {
            return None;
        }
        let view = self.camera_view();
        let surfaces = self
            .actor
            .surfaces(self.variant.shown, self.shown.view_mode);
        let (ray, reach) = (view.ray(at), view.reach(reach));
        pick_bone(self.actor.overlay(), &surfaces, &ray, reach)
    }

    /// Says how many pixels a point of the interface has, for the width of lines.
    pub fn set_pixels_per_point(&mut self, pixels_per_point: f32) {
        if self.skeleton.pixels_per_point != pixels_per_point {
            self.skeleton.pixels_per_point = pixels_per_point;
            self.overlay_changed();
        }
    }

    /// Brings what lies over the scene, of A and of B, up to date with the pose.
    pub(in crate::app) fn shape_overlay(&mut self) {
        self.shape_second_overlay();
        self.actor.overlay_mut().clear();
        self.mark_selection();
        self.add_onion_skins();
        if self.shown.skeleton {
            // Onion skins keep the colours of past and future.
            let first = self.actor.overlay().lines.len();
            self.actor.shape_skeleton(&SkeletonLook {
                settings: self.skeleton.settings,
                selected: self.selected,
                hovered: self.skeleton.hovered,
                pixels_per_point: self.skeleton.pixels_per_point,
                ..SkeletonLook::default()
            });
            self.color_by_difference(first);
        }
        self.add_trails();
        self.add_ghost_lines();
    }

    /// What lies over the scene.
    pub(in crate::app) fn overlay(&self) -> Option<&Overlay> {
        let overlay = self.actor.overlay();
        let has_lines = !overlay.lines.is_empty() || !overlay.top_lines.is_empty();
        (self.shown.skeleton || has_lines).then_some(overlay)
    }

    /// Brings the names up to date with the pose and the camera. True if any has changed or moved.
    pub fn update_labels(&mut self) -> bool {
        let mut labels = std::mem::take(&mut self.skeleton.next_labels);
        labels.clear();
        self.place_labels(&mut labels);
        let has_changed =
            labels != self.skeleton.labels || std::mem::take(&mut self.skeleton.card.has_changed);
        self.skeleton.next_labels = std::mem::replace(&mut self.skeleton.labels, labels);
        has_changed
    }

    fn place_labels(&self, labels: &mut Vec<JointLabel>) {
        /// How much nearer each doubling of what hangs from a joint makes it count: a hip matters more than a finger.
        const NEARER_A_DOUBLING: f32 = 0.05;
        let names = self.skeleton.settings.names;
        let has_bones = self.shown.skeleton;
        let is_nameless = names == JointChoice::None || !has_bones && self.selected.is_none();
        if is_nameless || self.actor.crowd().is_some() {
            return;
        }
        let view = self.camera_view();
        let world = &self.actor.pose().world;
        let middle = view.eye.distance(self.actor.bounds().center());
        let unit = middle.max(f32::MIN_POSITIVE).recip();
        let (settings, skeleton) = (self.skeleton.settings, self.actor.skeleton());
        // Whatever is left out, the chosen joint is marked.
        let all = SkeletonSettings {
            end_joints: true,
            controls: ControlJoints::Full,
            ..settings
        };
        let is_chosen = |node| self.selected == Some(node);
        let chosen = skeleton.shown_joints(all).filter(|it| is_chosen(it.0));
        let others = skeleton
            .shown_joints(settings)
            .filter(|it| !is_chosen(it.0));
        for (node, descendants, is_faint) in others.chain(chosen) {
            let is_chosen = is_chosen(node);
            let is_hovered = has_bones && self.skeleton.hovered == Some(node);
            // Without bones a name says where the chosen joint is, and others would say nothing.
            let is_any = has_bones && names == JointChoice::All;
            if !(is_any || is_chosen || is_hovered) {
                continue;
            }
            if !self.actor.pose().shown[node.index()] {
                continue;
            }
            let position = world[node.index()].translation;
            let clip = view.to_clip(position.into());
            // Depth is reversed: what is before the near plane has z > w.
            if !(clip.is_finite() && clip.w > 0.0 && clip.z < clip.w) {
                continue;
            }
            let distance = view.eye.distance(position.into()) * unit;
            labels.push(JointLabel {
                node: node.index(),
                at: [clip.x / clip.w, clip.y / clip.w],
                rank: distance - NEARER_A_DOUBLING * (1.0 + descendants as f32).log2()
                    + f32::from(u8::from(is_faint)),
                is_chosen,
                is_hovered,
            });
        }
    }

    /// What panels read of the skeleton.
    pub(in crate::app) fn skeleton_view(&self) -> SkeletonView<'_> {
        SkeletonView {
            settings: self.skeleton.settings,
            held: self.held_pose(),
            has_bind_pose: !self.model().skins.is_empty(),
            why_no_t_pose: self.actor.why_no_t_pose(),
            trails: self.skeleton.trail.kept(),
            hovered: self.skeleton.hovered.map(NodeId::index),
            waits_for_rest: self.is_long_to_pick() && !self.is_moving(),
            influences: self.skeleton.card.view(),
            labels: &self.skeleton.labels,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::{Affine3A, Vec3};

    use super::*;
    use crate::{
        app::built_in,
        import::Import,
        model::{Aabb, Hierarchy, Influences, Mesh, Model, Node, Primitive, Scene, Skin, Vertices},
        ui::{CameraCommand, Command, MotionCommand, PictureCommand, SkeletonCommand},
    };

    fn colors(session: &Session) -> Vec<[f32; 4]> {
        let overlay = session.actor().overlay();
        let shapes = overlay.bones.iter().chain(&overlay.joints);
        shapes.map(|shape| shape.color).collect()
    }

    /// The clock is elsewhere meanwhile, unsaid, as another pose would show.
    #[test]
    fn a_bone_is_chosen_and_pointed_at_in_the_pose_that_is_there() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspect(1.0);
        session.clock.pause();
        session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
        session.update();
        let plain = colors(&session);
        let world = session.actor().pose().world.clone();
        let joint = session.actor().overlay().joints[0].node;
        let place = world[joint.index()].translation;
        let clip = session.camera_view().to_clip(place.into());
        session.clock.seek(0.4);

        let hover = |at| {
            Command::Skeleton(SkeletonCommand::Hover {
                at,
                reach: 0.01,
                is_resting: true,
            })
        };
        session.apply(hover(Some([clip.x / clip.w, clip.y / clip.w])));
        assert!(session.hovered_joint().is_some());
        assert!(!session.update());
        let hovered = colors(&session);
        assert_ne!(hovered, plain);
        session.apply(hover(None));
        session.apply(Command::SelectNode(Some(joint.index())));
        assert!(!session.update());
        let chosen = colors(&session);
        assert!(chosen != plain && chosen != hovered);
        assert_eq!(session.actor().pose().world, world);

        // The camera goes along with another one that is chosen.
        session.apply(Command::Camera(CameraCommand::ToggleFollow));
        let other = session.actor().overlay().joints[1].node;
        session.apply(Command::SelectNode(Some(other.index())));
        assert!(!session.update());
        assert_eq!(session.camera.held().followed(), Some(other));

        session.pose_changed();
        assert!(session.update());
        assert_ne!(session.actor().pose().world, world);
    }

    /// A finding may be about a joint of which nothing else is seen.
    #[test]
    fn without_bones_the_chosen_joint_alone_has_its_name() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspect(1.0);
        session.update();
        let joint = session.actor().skeleton().joints().next().unwrap();
        let mut named = |names, chosen: Option<NodeId>| {
            session.skeleton.settings.names = names;
            session.apply(Command::SelectNode(chosen.map(NodeId::index)));
            session.update();
            session.update_labels();
            let labels = session.skeleton_view().labels.iter();
            labels.map(|label| label.node).collect::<Vec<_>>()
        };
        for names in JointChoice::ALL {
            assert!(named(names, None).is_empty(), "{names:?}");
            let expected = match names {
                JointChoice::None => vec![],
                JointChoice::Chosen | JointChoice::All => vec![joint.index()],
            };
            assert_eq!(named(names, Some(joint)), expected, "{names:?}");
        }
    }

    /// 0 root ─ 1 hip, which moves a mesh; under the root 2 a target, which moves nothing.
    fn with_target() -> Import {
        let mut nodes = vec![Node::default(); 4];
        nodes[3].mesh = Some(0);
        nodes[3].skin = Some(0);
        let parents = [None, Some(0), Some(0), None];
        let influences = Influences {
            per_vertex: 4,
            joints: [1, 0, 0, 0].repeat(3),
            weights: [1.0, 0.0, 0.0, 0.0].repeat(3),
        };
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let primitive = Primitive {
            rest_bounds: Aabb::of_points(positions.iter().copied()),
            vertices: Vertices {
                positions,
                ..Vertices::default()
            },
            influences: Some(influences),
            ..Primitive::default()
        };
        let mesh = Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        };
        let skin = Skin {
            joints: [0, 1, 2].map(NodeId).to_vec(),
            joint_from_mesh: vec![Affine3A::IDENTITY; 3],
            ..Skin::default()
        };
        let scene = Scene {
            roots: vec![NodeId(0), NodeId(3)],
            ..Scene::default()
        };
        let model = Model {
            hierarchy: Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap(),
            skins: vec![skin],
            meshes: vec![mesh].into(),
            scenes: vec![scene],
            ..Model::default()
        };
        Import {
            model,
            ..Import::default()
        }
    }

    /// With bones, where it has none, and without.
    #[test]
    fn a_chosen_joint_that_is_left_out_is_marked_and_named() {
        const CROSS: usize = 3;
        for (controls, has_bones, lines) in [
            (ControlJoints::Hidden, true, CROSS),
            (ControlJoints::Hidden, false, CROSS),
            (ControlJoints::Faint, true, 0),
            (ControlJoints::Faint, false, CROSS),
        ] {
            let mut session = Session::new(with_target(), None, Duration::ZERO);
            session.set_aspect(1.0);
            session.shown.skeleton = has_bones;
            session.skeleton.settings.controls = controls;
            session.apply(Command::SelectNode(Some(2)));
            session.update();
            session.update_labels();
            let case = format!("{controls:?}, {has_bones}");
            assert_eq!(session.actor().overlay().lines.len(), lines, "{case}");
            let labels = session.skeleton_view().labels.iter();
            let named: Vec<_> = labels.map(|label| label.node).collect();
            assert_eq!(named, [2], "{case}");
        }
    }

    /// Else it would be found in the pose when it is one again.
    #[test]
    fn a_crowd_is_not_told_to_hold_a_pose() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        for command in [
            SkeletonCommand::ToggleHeld,
            SkeletonCommand::Hold(Some(ReferencePose::Rest)),
        ] {
            session.apply(Command::Motion(MotionCommand::SetCrowdSize(9)));
            session.apply(Command::Skeleton(command));
            session.apply(Command::Motion(MotionCommand::SetCrowdSize(1)));
            assert_eq!(session.held_pose(), None);
            session.apply(Command::Skeleton(command));
            assert!(session.held_pose().is_some());
            session.release_pose();
        }
    }
}
