//! What is odd in the motion of clips, as findings. How the ends of a clip meet is said by the rig doctor.

use std::cmp::Ordering;

use crate::{
    anim::analysis::{
        Analyzer,
        oddities::{self, Oddity, OddityKind},
    },
    import::{Diagnostic, Severity},
    model::{Hierarchy, Model, NodeId},
};

/// Of so many of a kind each has a finding of its own in a clip; the rest are counted.
const MOST_OF_CLIP: usize = 3;
/// Findings of a kind in a file; the clips that have more are counted.
const MOST_OF_FILE: usize = 60;
/// What is computed for all clips of a file together: some seconds of work.
const MOST_PLACEMENTS: usize = 1 << 25;

/// A kind of finding.
#[derive(Clone, Copy)]
struct Kind {
    code: &'static str,
    one: &'static str,
    several: &'static str,
    is_of: fn(&OddityKind) -> bool,
}

const KINDS: [Kind; 2] = [
    Kind {
        code: "MOTION_POP",
        one: "pop",
        several: "pops",
        is_of: |kind| matches!(kind, OddityKind::Pop(_)),
    },
    Kind {
        code: "MOTION_FOOT_SLIDES",
        one: "slide of a foot",
        several: "slides of feet",
        is_of: |kind| matches!(kind, OddityKind::Slide { .. }),
    },
];

/// Warnings for the worst of each clip.
pub(super) fn examine(model: &Model) -> Vec<Diagnostic> {
    let analyzer = Analyzer::new(model);
    let of_clip = MOST_PLACEMENTS / model.clips.len().max(1);
    let most = oddities::MOST_PLACEMENTS.min(of_clip);
    let mut found = [const { Vec::new() }; KINDS.len()];
    let mut unlisted = [0; KINDS.len()];
    for (index, clip) in model.clips.iter().enumerate() {
        if clip.duration_secs() <= 0.0 {
            continue;
        }
        let analysis = analyzer.analyze_motion(clip, most);
        let all = oddities::of(&analysis, f64::from(clip.duration_secs()));
        for (kind, (found, unlisted)) in KINDS.iter().zip(found.iter_mut().zip(&mut unlisted)) {
            let told = all.iter().filter(|it| it.is_told && (kind.is_of)(&it.kind));
            let told: Vec<_> = told.collect();
            if found.len() < MOST_OF_FILE {
                found.extend(of_kind(*kind, told, model, index));
            } else {
                *unlisted += told.len();
            }
        }
    }
    let rest = KINDS.iter().zip(unlisted).filter(|(_, count)| *count > 0);
    let rest = rest.map(|(kind, count)| {
        let message = format!("other clips have {}", more(*kind, count));
        warning(*kind, String::new(), message)
    });
    let rest: Vec<_> = rest.collect();
    found.into_iter().flatten().chain(rest).collect()
}

/// The worst of a kind in a clip, in the order of time, and how many more there are.
fn of_kind(kind: Kind, mut told: Vec<&Oddity>, model: &Model, clip: usize) -> Vec<Diagnostic> {
    let pointer = format!("/animations/{clip}");
    let name = clip_name(model, clip);
    told.sort_by(|a, b| worse_first(a, b));
    let rest = told.len().saturating_sub(MOST_OF_CLIP);
    told.truncate(MOST_OF_CLIP);
    told.sort_by(|a, b| a.span_secs.0.total_cmp(&b.span_secs.0));
    let mut found: Vec<_> = told
        .into_iter()
        .map(|oddity| {
            let message = format!("in {name} {}", sentence(oddity, &model.hierarchy));
            warning(kind, pointer.clone(), message)
        })
        .collect();
    if rest > 0 {
        let message = format!("{name} has {}", more(kind, rest));
        found.push(warning(kind, pointer, message));
    }
    found
}

/// `1 more pop`, `2 more pops`.
fn more(kind: Kind, count: usize) -> String {
    let what = if count == 1 { kind.one } else { kind.several };
    format!("{count} more {what}")
}

fn warning(kind: Kind, pointer: String, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: kind.code,
        pointer,
        message,
        action: String::new(),
    }
}

/// Of two of a kind.
fn worse_first(a: &Oddity, b: &Oddity) -> Ordering {
    let badness = |oddity: &Oddity| match oddity.kind {
        OddityKind::Pop(pop) => pop.speed - pop.usual_speed,
        OddityKind::Slide { distance } => distance,
        OddityKind::Seam(seam) => seam.distance,
    };
    badness(b).total_cmp(&badness(a))
}

/// When it is, and what the node does.
fn sentence(oddity: &Oddity, hierarchy: &Hierarchy) -> String {
    let node = node_name(hierarchy, oddity.node);
    let (from_secs, to_secs) = oddity.span_secs;
    match oddity.kind {
        OddityKind::Pop(pop) => format!("at {from_secs:.3} s {}", pop.words(&node)),
        OddityKind::Slide { distance } => {
            format!(
                "from {from_secs:.3} s to {to_secs:.3} s {node} goes {distance:.3} units while it stands"
            )
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

/// A name that leaves room for the rest of a line.
fn shortened(name: &str) -> String {
    const MOST: usize = 80;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}
