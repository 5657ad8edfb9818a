//! What `info --json` says about a clip's motion, as [`ClipAnalysis`] has it; `docs/info.md` describes the fields.

use glam::DVec2;
use serde_json::{Value, json};

use crate::{
    anim::{
        analysis::{
            ClipAnalysis, Deed, FootContacts, Jitter, JointSeam, Pop, TrackReduction, UnevenStep,
        },
        root_motion::{RootMotion, Turning},
    },
    model::{Aabb, Hierarchy, NodeId},
};

/// What rounding leaves of a root that goes up and down and nowhere else: of its way, as a part of the model's size, and of
/// its heading, in radians.
const ROUNDING: f64 = 1e-5;

/// The analysis of a clip of a model with these nodes. Of those that do not meet where the clip loops it lists the worst, so
/// many.
pub(super) fn to_json(analysis: &ClipAnalysis, hierarchy: &Hierarchy, most_joints: usize) -> Value {
    let to_file = |node: NodeId| hierarchy.node(node).file_index;
    let pop = |pop: &Pop| {
        let (does, amount, usual_amount) = deed(pop.does);
        json!({
            "node": to_file(pop.node),
            "start_secs": pop.start_secs,
            "end_secs": pop.end_secs,
            "speed": pop.speed,
            "usual_speed": pop.usual_speed,
            "does": does,
            "amount": amount,
            "usual_amount": usual_amount,
            "comes_back": pop.comes_back,
        })
    };
    let jitter = |jitter: &Jitter| {
        let (does, amount, usual_amount) = deed(jitter.does);
        json!({
            "node": to_file(jitter.node),
            "start_secs": jitter.start_secs,
            "end_secs": jitter.end_secs,
            "keys": jitter.keys,
            "does": does,
            "amount": amount,
            "usual_amount": usual_amount,
        })
    };
    let contact = |foot: &FootContacts| {
        let spans = foot.contacts.iter().map(|it| [it.from_secs, it.to_secs]);
        json!({
            "node": to_file(foot.node),
            "spans": spans.collect::<Vec<_>>(),
            "slides": foot.slides().collect::<Vec<_>>(),
        })
    };
    let uneven = |step: &UnevenStep| {
        json!({
            "node": to_file(step.node),
            "other": to_file(step.other),
            "is_known": step.is_known,
            "start_secs": step.span_secs.0,
            "end_secs": step.span_secs.1,
            "distance": step.distance,
            "speeds": step.speeds,
        })
    };
    let moves = |motion: &&RootMotion| {
        let mut headings = motion.path().iter().map(|point| point.heading_radians);
        motion.path_length() > ROUNDING * f64::from(analysis.size)
            || headings.any(|heading| heading.abs() > ROUNDING)
    };
    let root_motion = analysis.root_motion.as_ref().filter(moves);
    let reduction = analysis.reduction.as_deref();
    json!({
        "frames": analysis.frames,
        "frame_secs": analysis.frame_secs,
        "bounds": bounds_to_json(&analysis.swept_bounds()),
        "root_motion": root_motion.map(|motion| motion_to_json(motion, to_file)),
        "loop_seam": seam_to_json(analysis, hierarchy, most_joints, to_file),
        "speed_peak": analysis.speed_peak.map(|peak| json!({
            "node": to_file(peak.node),
            "time_secs": peak.time_secs,
            "speed": peak.speed,
        })),
        "pops": analysis.pops.iter().map(pop).collect::<Vec<_>>(),
        "jitters": analysis.jitters.iter().map(jitter).collect::<Vec<_>>(),
        "ground_velocity": analysis.ground_velocity,
        "foot_contacts": analysis.contacts.iter().map(contact).collect::<Vec<_>>(),
        "uneven_steps": analysis.uneven_steps.iter().map(uneven).collect::<Vec<_>>(),
        "reduction": reduction.map(|tracks| reduction_to_json(tracks, to_file)),
    })
}

/// What a node does, how much, and how much of that is usual.
fn deed(deed: Deed) -> (&'static str, f32, f32) {
    match deed {
        Deed::Turn {
            degrees,
            usual_degrees,
        } => ("turn", degrees, usual_degrees),
        Deed::Spin {
            degrees,
            usual_degrees,
        } => ("spin", degrees, usual_degrees),
        Deed::Shift {
            distance,
            usual_distance,
        } => ("shift", distance, usual_distance),
        Deed::Growth {
            amount,
            usual_amount,
        } => ("growth", amount, usual_amount),
    }
}

/// Smallest and largest corner; null if there is nothing.
pub(super) fn bounds_to_json(bounds: &Aabb) -> Value {
    if bounds.is_empty() {
        return Value::Null;
    }
    json!({ "min": bounds.min.to_array(), "max": bounds.max.to_array() })
}

fn motion_to_json(motion: &RootMotion, to_file: impl Fn(NodeId) -> usize) -> Value {
    let last = motion.path()[motion.path().len() - 1];
    let shift: DVec2 = last.position - motion.path()[0].position;
    json!({
        "node": to_file(motion.root()),
        "displacement": motion.displacement(),
        "path_length": motion.path_length(),
        "mean_speed": motion.mean_speed(),
        "shift": shift.to_array(),
        "heading_degrees": last.heading_radians.to_degrees(),
        "turning": motion.turning() == Turning::Followed,
    })
}

fn seam_to_json(
    analysis: &ClipAnalysis,
    hierarchy: &Hierarchy,
    most_joints: usize,
    to_file: impl Fn(NodeId) -> usize,
) -> Value {
    let seam = &analysis.seam;
    let open = |joint: &JointSeam| joint.is_open(analysis.size);
    let mut joints: Vec<_> = seam.joints().filter(open).collect();
    let greatest = |get: fn(&JointSeam) -> f32| joints.iter().map(get).fold(0.0, f32::max);
    let (distance, degrees) = (
        greatest(|joint| joint.distance),
        greatest(|joint| joint.degrees),
    );
    if joints.len() > most_joints {
        joints.sort_by(|a, b| {
            let order = b.distance.total_cmp(&a.distance);
            order.then(b.degrees.total_cmp(&a.degrees))
        });
        joints.truncate(most_joints);
        joints.sort_by_key(|joint| joint.node);
    }
    let open_way = analysis.seam_way.filter(|way| open(&way.joint));
    let cause = open_way.map(|way| {
        json!({
            "node": to_file(way.cause.node),
            "name": hierarchy.node(way.cause.node).name,
        })
    });
    let joint = |joint: &JointSeam| {
        json!({
            "node": to_file(joint.node),
            "distance": joint.distance,
            "degrees": joint.degrees,
            "scale": joint.scale,
        })
    };
    json!({
        "in_place": analysis.is_seam_in_place,
        "distance": distance,
        "degrees": degrees,
        "weights": seam.weights(),
        "cause": cause,
        "joints": joints.iter().map(joint).collect::<Vec<_>>(),
    })
}

fn reduction_to_json(tracks: &[TrackReduction], to_file: impl Fn(NodeId) -> usize) -> Value {
    let sum = |get: fn(&TrackReduction) -> usize| tracks.iter().map(get).sum::<usize>();
    let channel = |track: &TrackReduction| {
        json!({
            "node": to_file(track.node),
            "path": track.property.path(),
            "keys": track.keys,
            "keys_needed": track.keys_needed,
            "error": track.error,
        })
    };
    json!({
        "keys": sum(|track| track.keys),
        "keys_needed": sum(|track| track.keys_needed),
        "channels": tracks.iter().map(channel).collect::<Vec<_>>(),
    })
}
