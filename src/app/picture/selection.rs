//! Where the chosen node is, if it is no joint that is shown.

use glam::Affine3A;

use crate::{
    anim::{ActiveMorph, InstanceRecord, Palette, bounds::PrimitiveBox, skinning, to_affine},
    app::{Actor, Session},
    model::{Aabb, Mesh, Model, NodeId, Primitive},
    scene::{OrientedBox, SkeletonLook, add_outline, mark_node},
};

/// Copies of a mesh that are outlined at most.
const MAX_COPIES: usize = 64;
/// What posing all vertices of a mesh for its box may cost in each picture, in vertices times morph targets that are on; of
/// more the boxes of joints and targets tell, which hold it with room to spare.
const MAX_COST: usize = 1 << 20;
/// As many morph targets cost what joints do.
const JOINTS_COST: usize = 16;

/// What bounds the mesh that was chosen last: made once, since it visits every vertex.
#[derive(Debug, Default)]
pub(super) struct MeshBoxes {
    /// The mesh, and whether joints move it.
    of: Option<(usize, bool)>,
    /// For each primitive; none for what nothing deforms. Empty as long as all vertices could be posed instead.
    known: Vec<Option<PrimitiveBox>>,
    /// Whether what is known tells now: else all vertices are posed.
    tells: bool,
    /// The boxes that are drawn.
    drawn: Vec<OrientedBox>,
}

impl MeshBoxes {
    /// Turns to a mesh of which `morphs` morph targets are on.
    fn look_at(&mut self, model: &Model, mesh: usize, is_skinned: bool, morphs: usize) {
        if self.of.replace((mesh, is_skinned)) != Some((mesh, is_skinned)) {
            self.known.clear();
        }
        let primitives = &model.meshes[mesh].primitives;
        let cost = |primitive: &Primitive| {
            let joints = usize::from(has_joints(primitive, is_skinned)) * JOINTS_COST;
            let has_targets = !primitive.targets.is_empty();
            let morphs = usize::from(has_targets) * morphs;
            // Of what nothing deforms now the box is known.
            let each = joints.max(usize::from(morphs > 0)) + morphs;
            primitive.vertices.positions.len().saturating_mul(each)
        };
        let costs = primitives.iter().map(cost);
        self.tells = costs.fold(0, usize::saturating_add) > MAX_COST;
        if self.tells && self.known.is_empty() {
            let is_deformed =
                |it: &&Primitive| has_joints(it, is_skinned) || !it.targets.is_empty();
            let deformed = primitives.iter().map(|it| Some(it).filter(is_deformed));
            self.known
                .extend(deformed.map(|it| it.map(PrimitiveBox::new)));
        }
    }

    /// What tells of a primitive, unless its vertices are posed.
    fn of_primitive(&self, primitive: usize) -> Option<&PrimitiveBox> {
        let known = self.known.get(primitive).filter(|_| self.tells);
        known?.as_ref()
    }
}

/// Whether joints move a primitive of a mesh that has a skin, or has none.
fn has_joints(primitive: &Primitive, is_skinned: bool) -> bool {
    is_skinned && primitive.influences.is_some()
}

impl Session {
    /// Marks the chosen node by the box of its mesh, or by a cross. Joints that are shown are marked by their shapes.
    pub(super) fn mark_selection(&mut self) {
        let is_wanted = self.skeleton.marks_selection && self.actor.crowd().is_none();
        let Some(node) = self.selected.filter(|_| is_wanted) else {
            return;
        };
        if !self.actor.pose().shown[node.index()] {
            return;
        }
        let mut settings = self.skeleton.settings;
        if !self.shown.skeleton {
            settings.axes = crate::scene::JointChoice::None;
        }
        let size = self.actor.bounds().diagonal();
        let look = SkeletonLook {
            settings,
            size: if size > 0.0 { size } else { 1.0 },
            selected: Some(node),
            pixels_per_point: self.skeleton.pixels_per_point,
            ..SkeletonLook::default()
        };
        let boxes = &mut self.skeleton.chosen_boxes;
        find_boxes(&self.actor, boxes, node);
        let world_from_node = self.actor.pose().world[node.index()];
        let has_shape = self.shown.skeleton && self.actor.shows_joint(node, settings);
        let overlay = self.actor.overlay_mut();
        overlay.is_hidden_by_scene = !settings.x_ray;
        for bounds in &boxes.drawn {
            add_outline(bounds, &look, overlay);
        }
        if !has_shape {
            mark_node(&world_from_node, &look, !boxes.drawn.is_empty(), overlay);
        }
    }
}

/// Finds the boxes of the meshes that a node carries: of what joints move along the axes of the world, of all else along its
/// own.
fn find_boxes(actor: &Actor, kept: &mut MeshBoxes, node: NodeId) {
    let (model, palette) = (actor.model(), actor.palette());
    let placements = actor.layout().placements().iter().enumerate();
    kept.drawn.clear();
    for (index, placement) in placements.filter(|(_, it)| it.node == node) {
        if palette.is_hidden(index) {
            continue;
        }
        let is_skinned = placement.skin.is_some();
        let morphs = palette.morphs_of(palette.record(index, 0));
        kept.look_at(model, placement.mesh, is_skinned, morphs.len());
        let mesh = &model.meshes[placement.mesh];
        let own = own_box(mesh, kept, morphs, is_skinned);
        for copy in 0..(placement.copies as usize).min(MAX_COPIES) {
            let record = palette.record_of_copy(index, copy, 0);
            if let Some(matrix) = palette.matrices().get(record.rigid as usize)
                && !own.is_empty()
            {
                kept.drawn.push(OrientedBox::new(&own, &to_affine(matrix)));
            }
            if is_skinned {
                let posed = skinned_box(mesh, kept, palette, record);
                if !posed.is_empty() {
                    kept.drawn
                        .push(OrientedBox::new(&posed, &Affine3A::IDENTITY));
                }
            }
        }
    }
}

/// The box, in its own space, of what no joints move of a mesh that `kept` has looked at.
fn own_box(mesh: &Mesh, kept: &MeshBoxes, morphs: &[ActiveMorph], is_skinned: bool) -> Aabb {
    let mut own = Aabb::EMPTY;
    let primitives = mesh.primitives.iter().enumerate();
    for (index, primitive) in primitives.filter(|(_, it)| !has_joints(it, is_skinned)) {
        own = own.union(if morphs.is_empty() || primitive.targets.is_empty() {
            primitive.rest_bounds
        } else if let Some(known) = kept.of_primitive(index) {
            known.in_mesh(morphs)
        } else {
            morphed_box(primitive, morphs)
        });
    }
    let is_finite = own.min.is_finite() && own.max.is_finite();
    if is_finite { own } else { Aabb::EMPTY }
}

/// The box of the vertices that are drawn, in the mesh's space.
fn morphed_box(primitive: &Primitive, morphs: &[ActiveMorph]) -> Aabb {
    let positions = primitive.vertices.positions.iter().enumerate();
    let drawn = positions.filter(|(vertex, _)| !primitive.undrawn.has(*vertex));
    let morphed = drawn.map(|(vertex, position)| {
        skinning::morph_position(*position, vertex, &primitive.targets, morphs)
    });
    Aabb::of_points(morphed.filter(|at| at.is_finite()))
}

/// The box of what joints move of a mesh that `kept` has looked at: by the boxes that tell of it or, without any, by its
/// vertices.
fn skinned_box(mesh: &Mesh, kept: &MeshBoxes, palette: &Palette, record: &InstanceRecord) -> Aabb {
    let mut posed = Aabb::EMPTY;
    let primitives = mesh.primitives.iter().enumerate();
    for (index, primitive) in primitives.filter(|(_, it)| it.influences.is_some()) {
        if let Some(known) = kept.of_primitive(index) {
            let known = known.in_world(palette, record, true);
            posed = posed.union(known.unwrap_or_default());
            continue;
        }
        skinning::for_each_drawn_position(primitive, palette, record, true, |at| {
            if at.is_finite() {
                posed = posed.with(at);
            }
        });
    }
    posed
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Vec3;

    use super::*;
    use crate::{
        app::built_in,
        model::{Hierarchy, Influences, MorphTarget, Node, Scene, Vertices},
        scene::{JointChoice, SkeletonSettings},
        ui::{Command, SkeletonCommand},
    };

    /// The lines over Pip while a node is chosen.
    fn lines(session: &mut Session, node: Option<NodeId>) -> Vec<crate::scene::OverlayLine> {
        session.apply(Command::SelectNode(node.map(NodeId::index)));
        session.overlay_changed();
        session.update();
        session.actor.overlay().lines.clone()
    }

    #[test]
    fn a_chosen_mesh_has_its_box_and_an_empty_a_cross() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.shown.skeleton = false;
        session.clock.pause();
        assert!(lines(&mut session, None).is_empty());
        let mut outline = Aabb::EMPTY;
        let nodes: Vec<_> = session.model().hierarchy.iter().collect();
        let nodes = nodes.iter().map(|(id, node)| (*id, node.mesh.is_some()));
        for (id, has_mesh) in nodes.collect::<Vec<_>>() {
            let found = lines(&mut session, Some(id));
            assert_eq!(found.len(), if has_mesh { 12 } else { 3 }, "{id:?}");
            if has_mesh {
                let ends = found.iter().flat_map(|line| [line.from, line.to]);
                outline = outline.union(Aabb::of_points(ends));
            }
        }
        // Together they are as large as the model.
        let all = session.actor.measure();
        let most = 0.02 * all.diagonal();
        assert!(outline.min.distance(all.min) < most, "{outline:?} {all:?}");
        assert!(outline.max.distance(all.max) < most, "{outline:?} {all:?}");
        // Joints have shapes that say so where bones are shown.
        session.shown.skeleton = true;
        let joints: Vec<_> = session.actor.skeleton().joints().collect();
        for joint in joints {
            assert!(lines(&mut session, Some(joint)).is_empty(), "{joint:?}");
        }
    }

    /// A node that carries a mesh of one primitive, whose morph targets have these weights.
    fn carrier_of(primitive: &Primitive, weights: Vec<f32>) -> Actor {
        let carrier = Node {
            mesh: Some(0),
            ..Node::default()
        };
        Actor::new(Model {
            hierarchy: Hierarchy::new(vec![carrier], &[None], &[weights]).unwrap(),
            meshes: vec![Mesh {
                primitives: vec![primitive.clone()],
                ..Mesh::default()
            }]
            .into(),
            scenes: vec![Scene {
                roots: vec![NodeId(0)],
                ..Scene::default()
            }],
            ..Model::default()
        })
    }

    /// Triangles that lie on one another, with two morph targets that undo one another, and others that move nothing.
    fn morphing(repeats: usize, others: usize) -> Primitive {
        let repeated = |points: [Vec3; 3]| points.repeat(repeats);
        let target = |moves: [Vec3; 3]| MorphTarget {
            positions: repeated(moves).into(),
            ..MorphTarget::default()
        };
        let mut targets = vec![
            target([Vec3::ZERO, Vec3::Z, 2.0 * Vec3::Y]),
            target([Vec3::ZERO, -Vec3::Z, -2.0 * Vec3::Y]),
        ];
        targets.resize_with(2 + others, MorphTarget::default);
        let positions = repeated([Vec3::ZERO, Vec3::X, Vec3::Y]);
        Primitive {
            targets,
            rest_bounds: Aabb::of_points(positions.iter().copied()),
            vertices: Vertices {
                positions,
                ..Vertices::default()
            },
            ..Primitive::default()
        }
    }

    /// The box around all boxes that are found of [`carrier_of`].
    fn found_of(actor: &Actor, boxes: &mut MeshBoxes) -> Aabb {
        find_boxes(actor, boxes, NodeId(0));
        let corners = boxes.drawn.iter().flat_map(OrientedBox::edges).flatten();
        Aabb::of_points(corners)
    }

    /// Of meshes whose vertices are posed for it, and of larger ones.
    #[test]
    fn the_box_of_a_chosen_mesh_holds_what_morph_targets_make_of_it() {
        for (repeats, is_large) in [(1, false), (MAX_COST / 4, true)] {
            let actor = carrier_of(&morphing(repeats, 0), vec![1.5, 0.0]);
            let mut boxes = MeshBoxes::default();
            let found = found_of(&actor, &mut boxes);
            assert_eq!(boxes.tells, is_large);
            let shown = Aabb {
                min: Vec3::ZERO,
                max: Vec3::new(1.0, 4.0, 1.5),
            };
            assert!(found.min.distance(shown.min) < 1e-5, "{found:?}");
            assert!(found.max.distance(shown.max) < 1e-5, "{found:?}");
        }
    }

    /// The two that are on leave the vertices where they are: only boxes of targets have room to spare.
    #[test]
    fn of_a_chosen_mesh_the_morph_targets_that_are_off_cost_nothing() {
        let count = 52;
        let primitive = morphing(MAX_COST / 100, count - 2);
        let off = || [vec![1.0, 1.0], vec![0.0; count - 2]].concat();
        let mut boxes = MeshBoxes::default();
        for (weights, is_exact) in [(off(), true), (vec![1.0; count], false), (off(), true)] {
            let found = found_of(&carrier_of(&primitive, weights), &mut boxes);
            let room = found.max.distance(Vec3::new(1.0, 1.0, 0.0));
            assert_eq!(room < 1e-5, is_exact, "{found:?}");
            assert_eq!(boxes.tells, !is_exact);
        }
        // What was made once is kept.
        assert_eq!(boxes.known.len(), 1);
    }

    /// Joints cost more than a few of them.
    #[test]
    fn of_a_skinned_mesh_the_morph_targets_that_are_off_cost_nothing() {
        let mut primitive = morphing(MAX_COST / 60, 50);
        primitive.influences = Some(Influences::default());
        let meshes = vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }];
        let model = Model {
            meshes: meshes.into(),
            ..Model::default()
        };
        let mut boxes = MeshBoxes::default();
        boxes.look_at(&model, 0, true, 0);
        assert!(!boxes.tells && boxes.known.is_empty());
        boxes.look_at(&model, 0, true, 4);
        assert!(!boxes.tells && boxes.known.is_empty());
    }

    #[test]
    fn axes_of_the_chosen_are_those_of_any_node() {
        let mut session = Session::new(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        session.clock.pause();
        let node = NodeId(0);
        let before = lines(&mut session, Some(node)).len();
        session.apply(Command::Skeleton(SkeletonCommand::Set(SkeletonSettings {
            axes: JointChoice::Chosen,
            ..SkeletonSettings::default()
        })));
        let after = lines(&mut session, Some(node));
        // Three axes: beside the box of a mesh, in place of the cross of an empty.
        let has_mesh = session.model().hierarchy.node(node).mesh.is_some();
        assert_eq!(after.len(), if has_mesh { before + 3 } else { 3 });
        let axes = &after[after.len() - 3..];
        for (channel, line) in axes.iter().enumerate() {
            let others = [(channel + 1) % 3, (channel + 2) % 3];
            assert!(
                others
                    .iter()
                    .all(|it| line.color[*it] < line.color[channel]),
                "{line:?}"
            );
        }
    }

    #[test]
    fn saved_pictures_show_no_outline() {
        let mut session = Session::new(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        session.shown.skeleton = false;
        let hierarchy = &session.model().hierarchy;
        let carrier = hierarchy.iter().find(|(_, node)| node.mesh.is_some());
        let carrier = carrier.map(|(id, _)| id);
        assert!(!lines(&mut session, carrier).is_empty());
        session.skeleton.marks_selection = false;
        assert!(lines(&mut session, carrier).is_empty());
    }
}
