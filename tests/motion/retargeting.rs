//! Clips turned into another rest pose: under mirrors, and how far strides go.

use glam::{Quat, Vec3};
use rigscope::anim::{Pose, retarget::ClipSource};
use rigscope::model::{ClipBuilder, Hierarchy, Interpolation, Model, NodeId, Timeline};

use super::borrowing::{NAMES, leg, pose_of, walk};

/// Scales may mirror (glTF 2.0 §3.5.3): matrices know it, the rotations of nodes alone do not.
#[test]
fn retargeted_nodes_turn_the_same_way_under_mirrors() {
    let source = walk(&leg(
        NAMES,
        1.0,
        [0.0, 0.3, -0.5, 0.2].map(Quat::from_rotation_x),
    ));
    let mirrored = |scales: [Vec3; 4]| {
        let mut nodes = leg(NAMES, 2.0, [1.2, -0.4, 0.9, 0.1].map(Quat::from_rotation_z))
            .nodes()
            .to_vec();
        for (node, scale) in nodes.iter_mut().zip(scales) {
            node.rest.scale = scale;
        }
        let parents = [None, Some(0), Some(1), Some(2)];
        Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap()
    };
    let turns = |model: &Model, time_secs| {
        let rest = Pose::new(&model.hierarchy);
        let posed = pose_of(model, 0, time_secs);
        let pairs = posed.world.into_iter().zip(rest.world);
        pairs
            .map(|(posed, rest)| posed.matrix3 * rest.matrix3.inverse())
            .collect::<Vec<_>>()
    };
    let along = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    for scales in [
        [along(-1.0, 1.0, 1.0), Vec3::ONE, Vec3::ONE, Vec3::ONE],
        [
            along(1.0, -1.0, 1.0),
            along(1.0, 1.0, -1.0),
            Vec3::NEG_ONE,
            Vec3::ONE,
        ],
        [
            Vec3::ONE,
            along(-1.0, -1.0, 1.0),
            along(1.0, -1.0, -1.0),
            Vec3::NEG_ONE,
        ],
    ] {
        let mut model = Model {
            hierarchy: mirrored(scales),
            ..Model::default()
        };
        model.append_clips(ClipSource::of(source.clone()).bind(&model, true).clips);
        for time in [0.0, 0.3, 1.0] {
            for (there, here) in turns(&source, time).iter().zip(turns(&model, time)) {
                assert!(
                    there.abs_diff_eq(here, 1e-4),
                    "{scales}: {there} and {here}",
                    scales = scales[0]
                );
            }
        }
    }
}

/// A spline without slopes moves nothing, whatever stands beside its keys.
#[test]
fn strides_do_not_take_tangents_for_movement() {
    let bound = |kind: Interpolation| {
        let hierarchy = leg(NAMES, 1.0, [Quat::IDENTITY; 4]);
        let mut source = walk(&hierarchy);
        let mut clip = ClipBuilder::new("Walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let root = vec![Vec3::X; 2];
        let root = match kind {
            Interpolation::CubicSpline => [Vec3::ZERO, Vec3::X, Vec3::ZERO].repeat(2),
            _ => root,
        };
        clip.translation(NodeId(0), timeline, kind, root).unwrap();
        let hips = vec![Vec3::Y, Vec3::new(0.0, 1.0, 1.0)];
        clip.translation(NodeId(1), timeline, Interpolation::Linear, hips)
            .unwrap();
        source.clips = vec![clip.finish()];
        // Twice the height, but a foot far ahead: the box around all of it says something else than the hips.
        let mut nodes = leg(NAMES, 2.0, [Quat::IDENTITY; 4]).nodes().to_vec();
        nodes[3].rest.translation.z = 2.0;
        let parents = [None, Some(0), Some(1), Some(2)];
        let mut model = Model {
            hierarchy: Hierarchy::new(nodes, &parents, &vec![vec![]; 4]).unwrap(),
            ..Model::default()
        };
        model.append_clips(ClipSource::of(source).bind(&model, true).clips);
        let hips = |time| pose_of(&model, 0, time).locals[1].translation;
        (hips(1.0) - hips(0.0)).length()
    };
    let linear = bound(Interpolation::Linear);
    assert!(
        (bound(Interpolation::CubicSpline) - linear).abs() < 1e-5,
        "{linear}"
    );
}

/// What is shifted at the height of the ground carries the hips, and is not them.
#[test]
fn strides_go_by_the_hips_whatever_carries_them() {
    let stride = |carried: f32| {
        let hierarchy = |size: f32, ahead: f32| {
            let mut nodes = leg(NAMES, size, [Quat::IDENTITY; 4]).nodes().to_vec();
            // At its foot, so that the box around all is no measure of legs.
            nodes[3].rest.translation.z = ahead;
            Hierarchy::new(nodes, &[None, Some(0), Some(1), Some(2)], &vec![vec![]; 4]).unwrap()
        };
        let mut source = walk(&hierarchy(1.0, 0.0));
        let mut clip = ClipBuilder::new("Walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let at_rest = |node: u32| source.hierarchy.node(NodeId(node)).rest.translation;
        for (node, way) in [(0, carried), (1, 1.0)] {
            let keys = vec![at_rest(node), at_rest(node) + Vec3::Z * way];
            clip.translation(NodeId(node), timeline, Interpolation::Linear, keys)
                .unwrap();
        }
        let clip = clip.finish();
        source.clips = vec![clip];
        let mut model = Model {
            hierarchy: hierarchy(2.0, 2.0),
            ..Model::default()
        };
        model.append_clips(ClipSource::of(source).bind(&model, true).clips);
        let hips = |time| pose_of(&model, 0, time).locals[1].translation;
        (hips(1.0) - hips(0.0)).length()
    };
    let still = stride(0.0);
    assert!((still - 2.0).abs() < 1e-5, "{still}");
    for carried in [1e-9, 1.0] {
        let found = stride(carried);
        assert!((found - still).abs() < 1e-5, "{carried}: {found}");
    }
}

/// Keys of splines may have any length, and the curve between them depends on it (glTF 2.0 appendix C.5).
#[test]
fn splines_through_long_keys_stay_what_they_are() {
    let hierarchy = leg(NAMES, 1.0, [Quat::IDENTITY; 4]);
    let mut source = walk(&hierarchy);
    let mut clip = ClipBuilder::new("Walk");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let key = |value: Quat| {
        [
            Quat::from_rotation_x(0.4),
            value,
            Quat::from_rotation_z(0.9),
        ]
    };
    let keys = [Quat::IDENTITY * 2.0, Quat::from_rotation_y(1.0) * 0.5];
    let kind = Interpolation::CubicSpline;
    clip.rotation(NodeId(1), timeline, kind, keys.map(key).concat())
        .unwrap();
    source.clips = vec![clip.finish()];
    let mut model = Model {
        hierarchy,
        ..Model::default()
    };
    model.append_clips(ClipSource::of(source.clone()).bind(&model, true).clips);
    for time in [0.1, 0.25, 0.5, 0.9] {
        let [there, here] = [&source, &model].map(|it| pose_of(it, 0, time).locals[1].rotation);
        assert!(there.abs_diff_eq(here, 1e-5), "{time}: {there} and {here}");
    }
}
