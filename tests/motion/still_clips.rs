//! Clips without their root motion: with the keys and curves that they have, or with keys that are near enough.

use std::f32::consts::{PI, TAU};

use glam::{Affine3A, Quat, Vec3};
use rigscope::anim::root_motion::{RootMotion, Turning};
use rigscope::anim::{Cursors, Pose, sample};
use rigscope::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, Model, Moved, Node, NodeId, Skin, Timeline,
    Transform,
};

use crate::rng::Rng;

const ARMATURE: NodeId = NodeId(0);
const ROOT: NodeId = NodeId(1);

/// An armature that lies, in centimetres, with a root and hips a metre above.
fn model() -> Model {
    let armature = Transform {
        translation: Vec3::new(0.3, -2.0, 1.0),
        rotation: Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.5 * PI),
        scale: Vec3::splat(0.01),
    };
    let hips = Transform {
        translation: Vec3::Z * 100.0,
        ..Transform::IDENTITY
    };
    let nodes = [armature, Transform::IDENTITY, hips].map(|rest| Node {
        rest,
        ..Node::default()
    });
    let parents = [None, Some(0), Some(1)];
    Model {
        hierarchy: Hierarchy::new(nodes.into(), &parents, &vec![vec![]; 3]).unwrap(),
        skins: vec![Skin {
            joint_from_mesh: vec![Affine3A::IDENTITY; 2],
            joints: vec![ROOT, NodeId(2)],
            ..Skin::default()
        }],
        ..Model::default()
    }
}

/// A clip whose tracks share a timeline.
struct Tracks {
    builder: ClipBuilder,
    timeline: usize,
}

impl Tracks {
    fn at(times: Vec<f32>) -> Self {
        let mut builder = ClipBuilder::new("made");
        let timeline = builder.timeline(Timeline::new(times).unwrap());
        Self { builder, timeline }
    }

    fn places(mut self, node: NodeId, way: Interpolation, values: Vec<Vec3>) -> Self {
        let added = self.builder.translation(node, self.timeline, way, values);
        added.unwrap();
        self
    }

    fn turns(mut self, node: NodeId, way: Interpolation, values: Vec<Quat>) -> Self {
        let added = self.builder.rotation(node, self.timeline, way, values);
        added.unwrap();
        self
    }

    fn finish(self) -> Clip {
        self.builder.finish()
    }
}

fn world(model: &Model, pose: &Pose) -> Vec<Affine3A> {
    let mut pose = pose.clone();
    pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
    pose.world
}

fn sampled(model: &Model, clip: &Clip, time_secs: f64) -> Pose {
    let mut pose = Pose::new(&model.hierarchy);
    sample(clip, time_secs, &mut Cursors::default(), &mut pose);
    pose
}

/// How far nodes are in a still clip from where they are held in place, at most.
fn is_off(model: &Model, clip: &Clip, motion: &RootMotion, still: &Clip, times: &[f64]) -> f32 {
    let mut worst = 0.0_f32;
    for &time in times {
        let mut held = sampled(model, clip, time);
        motion.hold_in_place(&model.hierarchy, &mut held, time);
        let held = world(model, &held);
        for (a, b) in held.iter().zip(world(model, &sampled(model, still, time))) {
            worst = worst.max(a.translation.distance(b.translation));
        }
    }
    worst
}

fn times_until(end: f32, count: usize) -> Vec<f64> {
    let mut rng = Rng::new(11);
    (0..count).map(|_| f64::from(rng.float(0.0, end))).collect()
}

/// Ten minutes that go forward, and up and down between keys, in units of the armature.
fn bouncing() -> Clip {
    let times: Vec<f32> = (0..=1200).map(|key| key as f32 * 0.5).collect();
    let parts = times.iter().enumerate().flat_map(|(key, &time)| {
        let up = if key % 2 == 0 { 400.0 } else { -400.0 };
        let slope = Vec3::new(10.0, 3.0, up);
        [slope, Vec3::new(10.0 * time, 3.0 * time, 0.0), slope]
    });
    let parts = parts.collect();
    let spline = Interpolation::CubicSpline;
    Tracks::at(times).places(ROOT, spline, parts).finish()
}

#[test]
fn a_root_that_shifts_keeps_its_curves() {
    let (model, clip) = (model(), bouncing());
    let motion = RootMotion::find(&model, &clip).unwrap();
    assert!(motion.keeps_curves());
    let still = motion.still_clip(&model, &clip).unwrap();
    let [before, after] = [&clip, &still].map(|clip| &clip.translations()[0]);
    assert_eq!(after.interpolation(), Interpolation::CubicSpline);
    assert_eq!(after.values().len(), before.values().len());
    assert_eq!(still.timelines(), clip.timelines());
    let times = times_until(600.0, 3000);
    let start = world(&model, &sampled(&model, &clip, 0.0))[1].translation;
    for &time in &times {
        let [moves, held] = [&clip, &still].map(|clip| {
            let pose = sampled(&model, clip, time);
            world(&model, &pose)[1].translation
        });
        assert!(
            (held.y - moves.y).abs() < 1e-4,
            "at {time} it is {held}, not {moves}"
        );
        let gone = (held - start) * glam::Vec3A::new(1.0, 0.0, 1.0);
        assert!(gone.length() < 1e-4, "at {time} it has gone {gone}");
    }
    // Hips that sway are turned as before.
    let sways = Tracks::at(vec![0.0, 0.5, 1.0])
        .places(
            ROOT,
            Interpolation::Linear,
            vec![Vec3::ZERO, Vec3::ONE * 90.0, Vec3::X * 200.0],
        )
        .turns(
            ROOT,
            Interpolation::Linear,
            [0.0, 0.1, 0.0].map(Quat::from_rotation_z).to_vec(),
        )
        .finish();
    let motion = RootMotion::find(&model, &sways).unwrap();
    let still = motion.still_clip(&model, &sways).unwrap();
    assert_eq!(still.rotations(), sways.rotations());
    let off = is_off(&model, &sways, &motion, &still, &times_until(1.0, 50));
    assert!(off < 1e-5, "{off}");
}

/// Exporters write keys of what stands still, too.
#[test]
fn keys_that_move_nothing_above_the_root_change_no_curves() {
    let model = model();
    let rest = model.hierarchy.node(ARMATURE).rest;
    let linear = Interpolation::Linear;
    let clip = |armature: [Quat; 2]| {
        Tracks::at(vec![0.0, 1.0])
            .turns(ARMATURE, linear, armature.to_vec())
            .places(ROOT, Interpolation::Step, vec![Vec3::ZERO, Vec3::X * 100.0])
            .finish()
    };
    let near = Quat::from_vec4(glam::Vec4::from(rest.rotation) * (1.0 + 1e-7));
    for (last, is_kept) in [
        (rest.rotation, true),
        (near, true),
        (Quat::from_rotation_y(0.01) * rest.rotation, false),
    ] {
        let clip = clip([rest.rotation, last]);
        let motion = RootMotion::find(&model, &clip).unwrap();
        assert_eq!(motion.keeps_curves(), is_kept, "{last}");
        let still = motion.still_clip(&model, &clip).unwrap();
        let way = still.translations()[0].interpolation();
        assert_eq!(way == Interpolation::Step, is_kept);
    }
}

/// A step that became a ramp would be off by what it rises.
#[test]
fn steps_stay_steps() {
    let model = model();
    let steps: Vec<_> = [0.0, 100.0, 0.0, 100.0]
        .into_iter()
        .zip(0_u8..)
        .map(|(up, key)| Vec3::new(70.0 * f32::from(key), 0.0, up))
        .collect();
    let turns: Vec<_> = (0..4)
        .map(|key| Quat::from_rotation_z(key as f32))
        .collect();
    let step = Interpolation::Step;
    let shifts = Tracks::at(vec![0.0, 0.51, 1.02, 1.5]).places(ROOT, step, steps.clone());
    let turned = Tracks::at(vec![0.0, 0.51, 1.02, 1.5])
        .places(ROOT, step, steps)
        .turns(ROOT, Interpolation::Linear, turns);
    let times = [
        0.0, 0.3, 0.505, 0.5099, 0.511, 1.0, 1.0199, 1.021, 1.4999, 1.5,
    ];
    for (clip, is_kept) in [(shifts.finish(), true), (turned.finish(), false)] {
        let motion = RootMotion::find(&model, &clip).unwrap();
        assert_eq!(motion.keeps_curves(), is_kept);
        let still = motion.still_clip(&model, &clip).unwrap();
        let off = is_off(&model, &clip, &motion, &still, &times);
        assert!(off < 1e-3, "{off}, {is_kept}");
    }
}

/// Where the root turns, or hangs from what moves, there are as many keys as it takes.
#[test]
fn a_root_that_turns_is_near_enough_however_long_the_clip() {
    let (model, spline) = (model(), Interpolation::CubicSpline);
    for seconds in [2.0_f32, 20.0, 600.0] {
        let times: Vec<f32> = (0..=(2.0 * seconds) as usize)
            .map(|key| 0.5 * key as f32)
            .collect();
        let places: Vec<_> = bouncing().translations()[0].values()[..3 * times.len()].to_vec();
        // A turn in ten seconds, about the vertical of the armature.
        let turns: Vec<_> = times
            .iter()
            .map(|time| Quat::from_rotation_z(0.1 * TAU * time))
            .collect();
        let walks = Tracks::at(times.clone())
            .places(ROOT, spline, places.clone())
            .turns(ROOT, Interpolation::Linear, turns)
            .finish();
        let rest = model.hierarchy.node(ARMATURE).rest.rotation;
        let turns: Vec<_> = times
            .iter()
            .map(|time| Quat::from_rotation_y(0.5 * time) * rest)
            .collect();
        let rides = Tracks::at(times)
            .places(ROOT, spline, places)
            .turns(ARMATURE, Interpolation::Linear, turns)
            .finish();
        for (clip, turning) in [(walks, Turning::Followed), (rides, Turning::Ignored)] {
            let motion = RootMotion::extract(&model, &clip, ROOT, turning, 1 << 22);
            assert!(!motion.keeps_curves());
            let still = motion.still_clip(&model, &clip).unwrap();
            let off = is_off(&model, &clip, &motion, &still, &times_until(seconds, 2000));
            // It goes up and down half a metre; over ten minutes with no more than 120 keys a second.
            assert!(off < 1e-3, "{seconds} s: {turning:?} is off by {off}");
            let keys = still.translations()[0].values().len();
            let most = 2048.max((120.0 * seconds) as usize) + clip.key_count();
            assert!(keys < most, "{seconds} s: {keys} keys");
        }
    }
}

/// On a turntable what lies on the axis goes nowhere.
#[test]
fn a_root_that_nothing_is_taken_out_of_keeps_its_curves() {
    let mut model = model();
    let nodes = model.hierarchy.nodes().iter().map(|node| Node {
        rest: Transform::IDENTITY,
        ..node.clone()
    });
    let parents = [None, Some(0), Some(1)];
    model.hierarchy = Hierarchy::new(nodes.collect(), &parents, &vec![vec![]; 3]).unwrap();
    let bobs = [0.0, 1.0, 0.0, 0.0, 2.0, 3.0, 1.0, 1.0, 0.0].map(|up| Vec3::Y * up);
    let turns = [0.0, 1.5, 3.0].map(Quat::from_rotation_y);
    let clip = Tracks::at(vec![0.0, 1.0, 2.0])
        .turns(ARMATURE, Interpolation::Linear, turns.to_vec())
        .places(ROOT, Interpolation::CubicSpline, bobs.to_vec())
        .finish();
    let turning = Turning::Ignored;
    let motion = RootMotion::extract(&model, &clip, ROOT, turning, 1 << 22);
    assert!(!motion.moves() && motion.keeps_curves());
    assert_eq!(motion.keyed_anew().count(), 0);
    let still = motion.still_clip(&model, &clip).unwrap();
    assert_eq!(still.translations(), clip.translations());
    assert_eq!(still.timelines(), clip.timelines());
    // Beside the axis it goes round.
    let beside = bobs.map(|place| place + Vec3::X);
    let clip = Tracks::at(vec![0.0, 1.0, 2.0])
        .turns(ARMATURE, Interpolation::Linear, turns.to_vec())
        .places(ROOT, Interpolation::CubicSpline, beside.to_vec())
        .finish();
    let motion = RootMotion::extract(&model, &clip, ROOT, turning, 1 << 22);
    assert!(motion.moves() && !motion.keeps_curves());
    let keyed: Vec<_> = motion.keyed_anew().collect();
    assert_eq!(keyed, [Moved::Translation(ROOT)]);
}

/// There is no way over the ground that could be taken out.
#[test]
fn what_turns_on_the_spot_goes_on_turning() {
    let model = model();
    let clip = |goes: f32| {
        let places = (0..5).map(|key| Vec3::new(goes * key as f32, 0.0, 10.0 * key as f32));
        let turns = (0..5).map(|key| Quat::from_rotation_z(0.5 * key as f32));
        let linear = Interpolation::Linear;
        Tracks::at((0..5).map(|key| key as f32).collect())
            .places(ROOT, linear, places.collect())
            .turns(ROOT, linear, turns.collect())
            .finish()
    };
    let (spins, walks) = (clip(0.0), clip(50.0));
    for (clip, turns) in [(&spins, true), (&walks, false)] {
        let motion = RootMotion::find(&model, clip).unwrap();
        assert_eq!(motion.turning(), Turning::Followed);
        assert!(motion.travels(1.0), "a loop ends turned");
        let still = motion.still_clip(&model, clip).unwrap();
        assert_eq!(still.rotations() == clip.rotations(), turns);
        let off = is_off(&model, clip, &motion, &still, &times_until(4.0, 50));
        assert!(off < 1e-3, "{off}");
        let mut held = sampled(&model, clip, 4.0);
        motion.hold_in_place(&model.hierarchy, &mut held, 4.0);
        let turned = held.locals[ROOT.index()].rotation;
        let expected = if turns {
            Quat::from_rotation_z(2.0)
        } else {
            Quat::IDENTITY
        };
        assert!(turned.angle_between(expected) < 5e-3, "{turned}");
    }
}
