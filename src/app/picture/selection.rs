//! Where the chosen node is, if it is no joint that is shown.

use glam::Affine3A;

use crate::{
    anim::{InstanceRecord, Palette, bounds::PrimitiveBox, skinning, to_affine},
    app::{Actor, Session},
    model::{Aabb, Mesh, Model, NodeId},
    scene::{OrientedBox, SkeletonLook, add_outline, mark_node},
};

/// Copies of a mesh that are outlined at most.
const MAX_COPIES: usize = 64;
/// Vertices of a skinned mesh that are posed for its box, in each picture; of more the boxes of joints tell, which hold it
/// with room to spare.
const MAX_VERTICES: usize = 1 << 16;

/// What bounds the skinned primitives of the mesh that was chosen last: made once, since it visits every vertex.
#[derive(Debug, Default)]
pub(super) struct MeshBoxes {
    of: Option<usize>,
    /// Empty where all vertices are posed instead.
    skinned: Vec<PrimitiveBox>,
    /// The boxes that are drawn.
    drawn: Vec<OrientedBox>,
}

impl MeshBoxes {
    fn look_at(&mut self, model: &Model, mesh: usize) {
        if self.of.replace(mesh) != Some(mesh) {
            let primitives = model.meshes[mesh].primitives.iter();
            let skinned = primitives.filter(|it| it.influences.is_some());
            let vertices = skinned.clone().map(|it| it.vertices.positions.len());
            let is_large = vertices.sum::<usize>() > MAX_VERTICES;
            self.skinned = skinned
                .filter(|_| is_large)
                .map(PrimitiveBox::new)
                .collect();
        }
    }
}

impl Session {
    /// Marks the chosen node by the box of its mesh, or by a cross. Joints that are shown are marked by their shapes, and
    /// those of a skeleton that is hidden are not.
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
        let is_joint = self.actor.skeleton().joints().any(|joint| joint == node);
        let overlay = self.actor.overlay_mut();
        overlay.is_hidden_by_scene = !settings.x_ray;
        for bounds in &boxes.drawn {
            add_outline(bounds, &look, overlay);
        }
        if !is_joint {
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
        if is_skinned {
            kept.look_at(model, placement.mesh);
        }
        let primitives = model.meshes[placement.mesh].primitives.iter();
        let rigid = primitives.filter(|it| !is_skinned || it.influences.is_none());
        let rigid = rigid.fold(Aabb::EMPTY, |all, it| all.union(it.rest_bounds));
        for copy in 0..(placement.copies as usize).min(MAX_COPIES) {
            let record = palette.record_of_copy(index, copy, 0);
            if let Some(matrix) = palette.matrices().get(record.rigid as usize)
                && !rigid.is_empty()
            {
                kept.drawn
                    .push(OrientedBox::new(&rigid, &to_affine(matrix)));
            }
            if is_skinned {
                let posed = skinned_box(&model.meshes[placement.mesh], kept, palette, record);
                if !posed.is_empty() {
                    kept.drawn
                        .push(OrientedBox::new(&posed, &Affine3A::IDENTITY));
                }
            }
        }
    }
}

/// The box of what joints move of a mesh that `kept` has looked at: by the boxes that are known of it or, without any, by its
/// vertices.
fn skinned_box(mesh: &Mesh, kept: &MeshBoxes, palette: &Palette, record: &InstanceRecord) -> Aabb {
    if !kept.skinned.is_empty() {
        let known = kept.skinned.iter();
        let known = known.filter_map(|it| it.in_world(palette, record, true));
        return known.fold(Aabb::EMPTY, Aabb::union);
    }
    let mut posed = Aabb::EMPTY;
    let primitives = mesh.primitives.iter();
    for primitive in primitives.filter(|it| it.influences.is_some()) {
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

    use super::*;
    use crate::{
        app::built_in,
        scene::{JointChoice, SkeletonSettings},
        ui::{Command, SkeletonCommand},
    };

    /// The lines over Pip while a node is chosen.
    fn lines(session: &mut Session, node: Option<NodeId>) -> Vec<crate::scene::OverlayLine> {
        session.apply(Command::SelectNode(node.map(NodeId::index)));
        session.is_stale = true;
        session.update();
        session.actor.overlay().lines.clone()
    }

    #[test]
    fn a_chosen_mesh_has_its_box_and_an_empty_a_cross() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.shown.skeleton = false;
        session.clock.pause();
        assert!(lines(&mut session, None).is_empty());
        let joints: Vec<_> = session.actor.skeleton().joints().collect();
        let mut outline = Aabb::EMPTY;
        let nodes: Vec<_> = session.model().hierarchy.iter().collect();
        let nodes = nodes.iter().map(|(id, node)| (*id, node.mesh.is_some()));
        for (id, has_mesh) in nodes.collect::<Vec<_>>() {
            let found = lines(&mut session, Some(id));
            let expected = match has_mesh {
                true => 12,
                false if joints.contains(&id) => 0,
                false => 3,
            };
            assert_eq!(found.len(), expected, "{id:?}");
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
