//! Loop seams: whether the last pose of a clip meets its first.
//!
//! Clips that end somewhere else altogether are not made to loop; those that nearly meet are, and jump. Where a clip carries
//! its character along, that is taken out first: a step later the next loop goes on from there.

use crate::{
    anim::LoopSeam,
    import::base::{
        diagnostics::{Diagnostics, Place, Severity},
        progress::{Cancelled, Progress},
    },
    model::{Clip, Model, NodeId, Track},
};

use super::{ClipNames, Size, carriers::is_set, node_name, place};

/// What is less than this part of the model's size is rounding.
const SEEN: f32 = 0.002;
/// What is more was not meant to meet.
const JUMP: f32 = 0.1;
/// Differences of morph weights that are seen.
const WEIGHT_SEEN: f32 = 0.02;
/// How far from a node's origin turns are measured, as a part of the model's size: leaves have no children to tell.
const LEVER: f32 = 0.05;
/// Up to so many clips of a kind each have a finding of their own.
const MAX_APART: usize = 3;
/// Placements that are computed at most for all clips together, so that a thousand clips of a thousand nodes do not take
/// longer than reading them.
const MAX_PLACEMENTS: usize = 1 << 21;

pub(super) fn check(
    (model, names): (&Model, &ClipNames<'_>),
    size: &Size<'_>,
    carriers: &[bool],
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    if model.clips.is_empty() {
        return Ok(());
    }
    let (size, rounding) = (size.get(), size.rounding());
    // The first pose and the last, the rest pose that root motion begins with, and what it moves.
    let cost = model.hierarchy.len().saturating_mul(4);
    let cost = cost.saturating_add(LoopSeam::MAX_OF_ROOT);
    let mut left = MAX_PLACEMENTS;
    let mut seams = Seams::default();
    for (index, clip) in model.clips.iter().enumerate() {
        progress.check()?;
        if clip.duration_secs() == 0.0 {
            continue;
        }
        let Some(rest) = left.checked_sub(cost) else {
            break;
        };
        // What meets by its values needs no placements.
        if meets_exactly(clip) {
            continue;
        }
        left = rest;
        seams.look_at(model, (index, clip), (size, rounding), carriers);
    }
    for (kind, found) in [
        (Kind::Jumps, seams.jumps),
        (Kind::EndsElsewhere, seams.elsewhere),
        (Kind::Morphs, seams.morphs),
    ] {
        tell((model, names), kind, &found, diagnostics);
    }
    Ok(())
}

/// Whether the first key of every track is the same as its last.
fn meets_exactly(clip: &Clip) -> bool {
    fn meets<T: PartialEq>(tracks: &[Track<T>]) -> bool {
        let mut tracks = tracks.iter();
        tracks.all(|track| track.key_values().next() == track.key_values().next_back())
    }
    meets(clip.translations())
        && meets(clip.rotations())
        && meets(clip.scales())
        && meets(clip.weights())
}

/// A clip whose last pose does not meet its first.
struct Seam {
    clip: usize,
    /// By the tip of the lever, in the model's units, by which seams rank; of morphs the difference of a weight.
    gap: f32,
    /// Where that is, and how far its places are apart.
    at: Option<(NodeId, String)>,
    /// The node that makes most of it, and when the clip ends.
    place: Place,
}

/// All such clips, by what is said of them.
#[derive(Default)]
struct Seams {
    jumps: Vec<Seam>,
    elsewhere: Vec<Seam>,
    morphs: Vec<Seam>,
}

#[derive(Clone, Copy)]
enum Kind {
    Jumps,
    EndsElsewhere,
    Morphs,
}

impl Seams {
    fn look_at(
        &mut self,
        model: &Model,
        (index, clip): (usize, &Clip),
        (size, rounding): (f32, f32),
        carriers: &[bool],
    ) {
        let seam = LoopSeam::of_loop(model, clip, size);
        let (mut distance, mut at) = (0.0_f32, None);
        for (id, here) in seam.tip_distances(LEVER * size) {
            // What nobody sees need not meet.
            if here > distance && !is_set(carriers, id) {
                (distance, at) = (here, Some(id));
            }
        }
        let weight = seam.weights();
        // What is farther than numbers reach cannot be said.
        let node = at.filter(|_| distance.is_finite() && distance > rounding + SEEN * size);
        let joint = node.and_then(|node| seam.joint(node));
        let (kind, gap) = match joint {
            Some(joint) if distance <= JUMP * size && joint.is_nearly_as_it_was() => {
                (&mut self.jumps, distance)
            }
            Some(_) => (&mut self.elsewhere, distance),
            None if weight > WEIGHT_SEEN => (&mut self.morphs, weight),
            None => return,
        };
        let lever = LEVER * size;
        let cause = joint.map(|joint| (joint, seam.cause(&model.hierarchy, joint.node, lever)));
        let cause_node = cause.map(|(_, cause)| cause.node);
        let end_secs = cause.map(|_| clip.duration_secs());
        kind.push(Seam {
            clip: index,
            gap,
            place: place(&model.hierarchy, cause_node, end_secs),
            at: cause.map(|(joint, cause)| {
                let node = joint.node;
                let cause_name = node_name(&model.hierarchy, cause.node);
                let cause = cause.words(&cause_name, node);
                (node, joint.words_with_share(size) + &cause)
            }),
        });
    }
}

/// A finding for each of a few clips; of more one for all, about that which is farthest apart.
fn tell(
    (model, names): (&Model, &ClipNames<'_>),
    kind: Kind,
    found: &[Seam],
    diagnostics: &mut Diagnostics,
) {
    if found.len() <= MAX_APART {
        for seam in found {
            tell_clips((model, names), kind, &[seam.clip], seam, diagnostics);
        }
        return;
    }
    let worst = found.iter().max_by(|a, b| a.gap.total_cmp(&b.gap));
    if let Some(worst) = worst {
        let clips: Vec<usize> = found.iter().map(|seam| seam.clip).collect();
        tell_clips((model, names), kind, &clips, worst, diagnostics);
    }
}

fn tell_clips(
    (model, names): (&Model, &ClipNames<'_>),
    kind: Kind,
    clips: &[usize],
    worst: &Seam,
    diagnostics: &mut Diagnostics,
) {
    let at = (format_args!("/animations/{}", worst.clip), worst.place);
    let code = LoopSeam::CODE;
    let gap = worst.gap;
    let name = names.several(clips);
    let (is_one, worst_name) = (clips.len() == 1, names.one(worst.clip));
    let in_worst = match is_one {
        true => String::new(),
        false => format!("most of all in {worst_name}, "),
    };
    let apart = worst.at.as_ref().map(|(node, apart)| {
        let node = node_name(&model.hierarchy, *node);
        format!("{in_worst}at {node} they are {apart}")
    });
    let apart = apart.unwrap_or_default();
    match kind {
        Kind::Jumps => {
            let poses = if is_one {
                format!("the last pose of {name} does not quite meet its first")
            } else {
                format!("the last poses of {name} do not quite meet their first")
            };
            let action = match is_one {
                true => "it jumps when it loops",
                false => "they jump when they loop",
            };
            let message = format!("{poses}: {apart}");
            diagnostics.add(Severity::Info, code, at, message, action);
        }
        Kind::EndsElsewhere => {
            let ends = if is_one {
                "does not end as it starts"
            } else {
                "do not end as they start"
            };
            let message = format!("{name} {ends}: {apart}");
            diagnostics.add(Severity::Hint, code, at, message, "");
        }
        Kind::Morphs => {
            let message = format!(
                "the morph weights of {name} end up to {gap:.2} from where they start{}",
                match is_one {
                    true => String::new(),
                    false => format!(", most of all in {worst_name}"),
                }
            );
            diagnostics.add(Severity::Hint, code, at, message, "");
        }
    }
    let others = clips.iter().filter(|clip| **clip != worst.clip);
    let others = others.map(|clip| (format!("/animations/{clip}"), Place::default()));
    diagnostics.also_about(code, others);
}
