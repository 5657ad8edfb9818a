//! Which shapes stand for which joints, and which joints are shown.

use std::time::Duration;

use super::*;
use crate::model::{
    Hierarchy, Influences, Mesh, Node, Primitive, Skin, Transform, processor_time::timed,
};

fn look() -> SkeletonLook {
    SkeletonLook {
        size: 4.0,
        ..SkeletonLook::default()
    }
}

/// A chain of joints 0 → (plain node) → 1 → 2, each one unit above the last.
fn model() -> Model {
    let node = Node {
        rest: Transform {
            translation: Vec3::Y,
            ..Transform::IDENTITY
        },
        ..Node::default()
    };
    let parents = [None, Some(0), Some(1), Some(2)];
    let hierarchy = Hierarchy::new(vec![node; 4], &parents, &[]).unwrap();
    let skin = Skin {
        joints: vec![NodeId(0), NodeId(2), NodeId(3)],
        joint_from_mesh: vec![Affine3A::IDENTITY; 3],
        ..Skin::default()
    };
    Model {
        hierarchy,
        skins: vec![skin],
        ..Model::default()
    }
}

#[test]
fn bones_skip_nodes_that_are_no_joints() {
    let model = model();
    let skeleton = Skeleton::new(&model);
    let mut overlay = Overlay::default();
    let pose = Pose::new(&model.hierarchy);
    skeleton.shapes(&pose, &look(), &mut overlay);
    assert_eq!((overlay.bones.len(), overlay.joints.len()), (2, 3));
    // From joint 0 at y = 1 straight to joint 1 at y = 3.
    let rows = overlay.bones[0].world_from_shape;
    assert_eq!((rows[1].y, rows[1].w), (2.0, 1.0));
}

#[test]
fn sticks_are_lines_and_joints_stand_alone() {
    let model = model();
    let skeleton = Skeleton::new(&model);
    let pose = Pose::new(&model.hierarchy);
    for (shape, bones, lines) in [
        (BoneShape::Octahedra, 2, 0),
        (BoneShape::Sticks, 2, 2),
        (BoneShape::Joints, 0, 0),
    ] {
        let mut look = look();
        look.settings.shape = shape;
        let mut overlay = Overlay::default();
        skeleton.shapes(&pose, &look, &mut overlay);
        assert_eq!(
            (overlay.bones.len(), overlay.lines.len()),
            (bones, lines),
            "{shape:?}"
        );
        assert_eq!(overlay.joints.len(), 3, "{shape:?}");
    }
}

/// A bone of a hundredth of the skeleton's size.
#[test]
fn joints_of_small_bones_leave_them_to_be_seen() {
    let model = model();
    let skeleton = Skeleton::new(&model);
    let pose = Pose::new(&model.hierarchy);
    let mut overlay = Overlay::default();
    let look = SkeletonLook {
        size: 100.0,
        ..look()
    };
    skeleton.shapes(&pose, &look, &mut overlay);
    let radii = overlay.joints.iter().map(|it| it.world_from_shape[0].x);
    // Bones of 2, 2 and 1 units meet at them.
    for (radius, most) in radii.zip([0.4, 0.4, 0.2]) {
        assert!((0.1..=most + 1e-6).contains(&radius), "{radius} {most}");
    }
}

#[test]
fn axes_are_those_of_the_chosen_joint_or_of_all() {
    let model = model();
    let skeleton = Skeleton::new(&model);
    let pose = Pose::new(&model.hierarchy);
    for (axes, lines) in [
        (JointChoice::None, 0),
        (JointChoice::Chosen, 3),
        (JointChoice::All, 9),
    ] {
        let mut look = look();
        look.settings.axes = axes;
        look.selected = Some(NodeId(2));
        let mut overlay = Overlay::default();
        skeleton.shapes(&pose, &look, &mut overlay);
        assert_eq!(overlay.lines.len(), lines, "{axes:?}");
        if axes == JointChoice::Chosen {
            let up = overlay.lines[1];
            let end = Vec3::Y * (3.0 + 4.0 * AXIS_LENGTH * SELECTED_GROWTH);
            assert_eq!(up.from, Vec3::Y * 3.0);
            assert!(up.to.abs_diff_eq(end, 1e-5), "{}", up.to);
        }
    }
}

#[test]
fn idle_ends_can_be_left_out() {
    let model = model();
    let mut skeleton = Skeleton::new(&model);
    let pose = Pose::new(&model.hierarchy);
    skeleton.find_uses(&model);
    let count = |end_joints| {
        let mut look = look();
        look.settings.end_joints = end_joints;
        let mut overlay = Overlay::default();
        skeleton.shapes(&pose, &look, &mut overlay);
        (overlay.bones.len(), overlay.joints.len())
    };
    assert_eq!((count(true), count(false)), ((2, 3), (1, 2)));
    let shown = skeleton.shown_joints(SkeletonSettings::default());
    let shown: Vec<_> = shown.collect();
    let expected = [(0, 2), (2, 1), (3, 0)].map(|(node, below)| (NodeId(node), below, false));
    assert_eq!(shown, expected, "where nothing is moved nothing is faint");
}

/// 0 root ─ 1 hip ─ 2 foot ─ 3 its end; under the root 4 a target ─ 5 a pole; 6 a slot ─ 7 a sword without a skin.
#[test]
fn joints_that_control_others_are_faint() {
    let node = |y: f32| Node {
        rest: Transform {
            translation: Vec3::new(0.0, y, 0.0),
            ..Transform::IDENTITY
        },
        ..Node::default()
    };
    let mut nodes: Vec<_> = (0..9).map(|_| node(1.0)).collect();
    nodes[7].mesh = Some(0);
    nodes[8].mesh = Some(1);
    nodes[8].skin = Some(0);
    let parents = [
        None,
        Some(0),
        Some(1),
        Some(2),
        Some(0),
        Some(4),
        Some(0),
        Some(6),
        None,
    ];
    let joints: Vec<_> = (0..7).map(NodeId).collect();
    let skin = Skin {
        joint_from_mesh: vec![Affine3A::IDENTITY; joints.len()],
        joints,
        ..Skin::default()
    };
    let primitive = |influences| Primitive {
        influences,
        ..Primitive::default()
    };
    let influences = Influences {
        per_vertex: 4,
        joints: vec![1, 2, 5, 0],
        weights: vec![0.5, 0.5, 0.0, 0.0],
    };
    let mesh = |influences| Mesh {
        primitives: vec![primitive(influences)],
        ..Mesh::default()
    };
    let model = Model {
        hierarchy: Hierarchy::new(nodes, &parents, &[]).unwrap(),
        skins: vec![skin],
        meshes: vec![mesh(None), mesh(Some(influences))].into(),
        ..Model::default()
    };
    let mut skeleton = Skeleton::new(&model);
    skeleton.find_uses(&model);
    let shown = |controls| {
        let settings = SkeletonSettings {
            controls,
            ..SkeletonSettings::default()
        };
        let shown = skeleton.shown_joints(settings);
        shown
            .map(|(node, _, faint)| (node.0, faint))
            .collect::<Vec<_>>()
    };
    let all = |faint: [u32; 2]| {
        (0..7)
            .map(|node| (node, faint.contains(&node)))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(ControlJoints::Faint), all([4, 5]));
    assert_eq!(shown(ControlJoints::Full), all([9, 9]));
    let without: Vec<_> = shown(ControlJoints::Hidden);
    assert_eq!(without, [0, 1, 2, 3, 6].map(|node| (node, false)));
    // What is chosen is seen as any other.
    let pose = Pose::new(&model.hierarchy);
    let mut overlay = Overlay::default();
    let look = SkeletonLook {
        selected: Some(NodeId(4)),
        ..look()
    };
    skeleton.shapes(&pose, &look, &mut overlay);
    let opacity = |node| {
        let mut balls = overlay.joints.iter();
        balls.find(|ball| ball.node == NodeId(node)).unwrap().color[3]
    };
    assert_eq!([0, 4].map(opacity), [1.0, 1.0]);
    assert!(opacity(5) < 0.5);
}

#[test]
fn a_file_without_mesh_and_skin_shows_all_nodes() {
    let model = Model {
        skins: vec![],
        ..model()
    };
    assert_eq!(Skeleton::new(&model).joints().count(), 4);
}

/// What joints move of a mesh is looked up once, however many nodes carry it.
#[test]
fn a_mesh_on_very_many_nodes_is_looked_at_once() {
    const NODES: usize = 60_000;
    const VERTICES: usize = 20_000;
    let node = Node {
        mesh: Some(0),
        skin: Some(0),
        ..Node::default()
    };
    let hierarchy = Hierarchy::new(vec![node; NODES], &vec![None; NODES], &[]).unwrap();
    let influences = Influences {
        per_vertex: 4,
        joints: [0, 1, 0, 0].repeat(VERTICES),
        weights: [0.5, 0.5, 0.0, 0.0].repeat(VERTICES),
    };
    let primitive = Primitive {
        influences: Some(influences),
        ..Primitive::default()
    };
    let model = Model {
        hierarchy,
        meshes: vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }]
        .into(),
        skins: vec![Skin {
            joints: (0..3).map(NodeId).collect(),
            joint_from_mesh: vec![Affine3A::IDENTITY; 3],
            ..Skin::default()
        }],
        ..Model::default()
    };
    let mut skeleton = Skeleton::new(&model);
    let ((), took) = timed(|| skeleton.find_uses(&model));
    assert!(took < Duration::from_secs(4), "{took:?}");
    let idle: Vec<_> = skeleton.uses.unwrap();
    let idle: Vec<_> = idle.iter().map(|it| it.is_idle_end).collect();
    assert_eq!(idle, [false, false, true]);
}
