//! What is odd in the motion of clips, as warnings for lists of all that is wrong with a model. How the ends of a clip meet is
//! said by the rig doctor.

use std::cmp::Ordering;

use super::{MAX_PLACEMENTS, Oddity, OddityKind};
use crate::{
    anim::{
        PaletteLayout,
        analysis::{AnalysisLimit, Analyzer},
    },
    model::{Hierarchy, Length, Model, NodeId, shortened},
};

/// Of so many of a kind each has a finding of its own in a clip; the rest are counted.
const MAX_OF_CLIP: usize = 3;
/// After so many findings of a kind [`examine_motion`] counts those of further clips. The window lists no more clips after so
/// many of all kinds, in the order in which they are analysed.
pub const MAX_OF_FILE: usize = 60;
/// What is computed for all clips of a file together: some seconds of work.
const MAX_PLACEMENTS_OF_FILE: usize = 1 << 25;

/// A kind of finding.
#[derive(Clone, Copy)]
struct Kind {
    code: &'static str,
    one: &'static str,
    several: &'static str,
    is_of: fn(&OddityKind) -> bool,
}

const KINDS: [Kind; 3] = [
    Kind {
        code: "MOTION_POP",
        one: "pop",
        several: "pops",
        is_of: |kind| matches!(kind, OddityKind::Pop(_)),
    },
    Kind {
        code: "MOTION_JITTER",
        one: "node that shakes",
        several: "nodes that shake",
        is_of: |kind| matches!(kind, OddityKind::Jitter(_)),
    },
    Kind {
        code: "MOTION_FOOT_SLIDES",
        one: "slide of a foot or hand",
        several: "slides of feet or hands",
        is_of: |kind| matches!(kind, OddityKind::Slide { .. } | OddityKind::Uneven(_)),
    },
];

/// What is odd in motion, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionWarning {
    /// What kind of thing it is, for programs: this never changes.
    pub code: &'static str,
    /// The clip (index) that it is about; none if it is about several.
    pub clip: Option<usize>,
    /// The node by its index in the file, and the moment whose pose is odd; of several the first.
    pub place: Option<(usize, f64)>,
    /// Which node does what, and when.
    pub message: String,
}

/// A warning of what is odd in the motion of a clip, and where that is.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionFinding {
    /// What is odd.
    pub warning: MotionWarning,
    /// The clip (index).
    pub clip: usize,
    /// The node that is odd.
    pub node: NodeId,
    /// When that begins, just before a jump; of several the first.
    pub at_secs: f64,
}

/// Warnings for the worst of each clip of a model.
pub fn examine_motion(model: &Model) -> Vec<MotionWarning> {
    let analyzer = Analyzer::new(model);
    let of_clip = MAX_PLACEMENTS_OF_FILE / model.clips.len().max(1);
    let most = MAX_PLACEMENTS.min(of_clip);
    let limit = AnalysisLimit::of(model, &PaletteLayout::of_all_nodes(model));
    let mut found = [const { Vec::new() }; KINDS.len()];
    let mut unlisted = [0; KINDS.len()];
    let clips = model.clips.iter().enumerate();
    let moving = clips.filter(|(_, clip)| clip.duration_secs() > 0.0);
    let mut beyond = 0;
    for (place, (index, clip)) in moving.enumerate() {
        // However few frames are taken, each clip takes a look at every node.
        if limit.placements(place).is_none() {
            beyond += 1;
            continue;
        }
        let analysis = analyzer.analyze_motion(clip, most);
        let all = super::of(&analysis, f64::from(clip.duration_secs()));
        for (kind, (found, unlisted)) in KINDS.iter().zip(found.iter_mut().zip(&mut unlisted)) {
            let told = told(*kind, &all);
            if found.len() < MAX_OF_FILE {
                found.extend(of_kind(*kind, told, model, index));
            } else {
                *unlisted += told.len();
            }
        }
    }
    let found = found.into_iter().flatten().map(|found| found.warning);
    let rest = KINDS.iter().zip(unlisted).filter(|(_, count)| *count > 0);
    let rest = rest.map(|(kind, count)| {
        let message = format!("other clips have {}", more(*kind, count));
        MotionWarning {
            code: kind.code,
            clip: None,
            place: None,
            message,
        }
    });
    let beyond = (beyond > 0).then(|| MotionWarning {
        code: "MOTION_NOT_EXAMINED",
        clip: None,
        place: None,
        message: format!(
            "how {beyond} of {} clips move was not looked at: with {} nodes that would take too long",
            model.clips.len(),
            model.hierarchy.len(),
        ),
    });
    found.chain(rest).chain(beyond).collect()
}

/// Warnings for the worst of what is odd in a clip.
pub fn findings_of(model: &Model, clip: usize, all: &[Oddity]) -> Vec<MotionFinding> {
    let found = KINDS.map(|kind| of_kind(kind, told(kind, all), model, clip));
    found.into_iter().flatten().collect()
}

fn told(kind: Kind, all: &[Oddity]) -> Vec<&Oddity> {
    let told = all.iter().filter(|it| it.is_told && (kind.is_of)(&it.kind));
    told.collect()
}

/// The worst of a kind in a clip, in the order of time, and how many more there are.
fn of_kind(kind: Kind, mut told: Vec<&Oddity>, model: &Model, clip: usize) -> Vec<MotionFinding> {
    let name = clip_name(model, clip);
    told.sort_by(|a, b| worse_first(a, b));
    let rest = told.split_off(told.len().min(MAX_OF_CLIP));
    told.sort_by(|a, b| a.span_secs.0.total_cmp(&b.span_secs.0));
    let file_index = |node| model.hierarchy.node(node).file_index;
    let finding = |oddity: &Oddity, message| MotionFinding {
        warning: MotionWarning {
            code: kind.code,
            clip: Some(clip),
            place: Some((file_index(oddity.node), oddity.seen_at_secs())),
            message,
        },
        clip,
        node: oddity.node,
        at_secs: oddity.span_secs.0,
    };
    let listed = told.into_iter().map(|oddity| {
        let message = format!("in {name} {}", sentence(oddity, &model.hierarchy));
        finding(oddity, message)
    });
    let first = rest
        .iter()
        .min_by(|a, b| a.span_secs.0.total_cmp(&b.span_secs.0));
    let more = first.map(|first| {
        let message = format!("{name} has {}", more(kind, rest.len()));
        finding(first, message)
    });
    listed.chain(more).collect()
}

/// `1 more pop`, `2 more pops`.
fn more(kind: Kind, count: usize) -> String {
    let what = if count == 1 { kind.one } else { kind.several };
    format!("{count} more {what}")
}

/// Of two of a kind.
fn worse_first(a: &Oddity, b: &Oddity) -> Ordering {
    let badness = |oddity: &Oddity| match oddity.kind {
        OddityKind::Pop(pop) => pop.speed - pop.usual_speed,
        OddityKind::Jitter(jitter) => jitter.way,
        OddityKind::Slide { distance, .. } => distance,
        OddityKind::Uneven(step) => step.distance,
        OddityKind::Seam(seam) => seam.part,
    };
    badness(b).total_cmp(&badness(a))
}

/// When it is, and what the node does.
fn sentence(oddity: &Oddity, hierarchy: &Hierarchy) -> String {
    let node = node_name(hierarchy, oddity.node);
    let (from_secs, to_secs) = oddity.span_secs;
    match oddity.kind {
        OddityKind::Pop(pop) => {
            let words = pop.words(&node);
            format!("between {from_secs:.3} s and {to_secs:.3} s {words}")
        }
        OddityKind::Jitter(jitter) => {
            let words = jitter.words(&node);
            format!("from {from_secs:.3} s to {to_secs:.3} s {words}")
        }
        OddityKind::Slide { distance, .. } => {
            format!(
                "from {from_secs:.3} s to {to_secs:.3} s {node} goes {} units while it stands",
                Length(distance)
            )
        }
        OddityKind::Uneven(step) => {
            let other = node_name(hierarchy, step.other);
            let words = step.words(&node, &other);
            format!("from {from_secs:.3} s to {to_secs:.3} s {words}")
        }
        OddityKind::Seam(_) => oddity.words(hierarchy),
    }
}

fn node_name(hierarchy: &Hierarchy, id: NodeId) -> String {
    match &*hierarchy.node(id).name {
        "" => hierarchy.display_name(id),
        name => format!("node \"{}\"", shortened(name)),
    }
}

fn clip_name(model: &Model, index: usize) -> String {
    match model.clips[index].name() {
        "" => format!("clip {index}"),
        name => format!("clip \"{}\"", shortened(name)),
    }
}
