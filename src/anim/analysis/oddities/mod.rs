//! What is odd in the motion of a clip, out of all that its analysis found: one place decides it for everybody who tells of it.
//!
//! The timeline of a clip that somebody looks at marks whatever may be worth a look ([`Oddity::is_odd`]):
//!
//! - A pop, as `pops` finds it: all but the worst few hundred are left out.
//! - A foot that slides: over a contact by more than 4 % of the model's height. Less is the roll of a foot. Nor does a finger
//!   slide that curls while the wrist stands: another joint of the hand or foot stands for half of that time or more, and of the
//!   time in which it goes the middle half of its way, and goes less than half as fast (`slides`).
//! - A seam that does not meet: the last pose is farther than 0.2 % of the model's size from the first, by the origin of a node
//!   or by the tip of a lever of 5 % of the size along one of its axes.
//!
//! Who has not asked for that clip, in the list of clips and in `check --motion`, is told less ([`Oddity::is_told`]), so that
//! clips which were made with care have nothing to tell. The figures were found on the corpus:
//!
//! - Of pops those that are 3 times as fast as anything else in the clip; a key out of line, there and back, only has to be
//!   faster, or twice as far out of line; several keys faster, and out of line by more than 5 % of the model's size. Who
//!   strikes or dodges jumps from pose to pose on purpose, but other limbs are about as fast then. Scales are left out: eyes
//!   blink by them, and things are shown and hidden. So is what a node that rests does three times or more, one like the
//!   other: eyes blink by other means, too. What stands out by its shift or its turn alone is measured against what all do by
//!   that part, too, where keys are out of line by more than 2 % of the model's size and the part never rests around them: what
//!   appears elsewhere goes there in one jump. Jumps with which a clip begins on purpose are left out as well
//!   (`pops::attack`).
//! - Of what shakes all but scales.
//! - Of slides those that end beyond 8 % of the height from where they began, in clips that go somewhere, or in which most feet
//!   hold: in stances and falls feet shuffle up to 7.5 %, and where all slide on the spot they are fins or wheels. So is what
//!   comes back often enough: tails of fish. Nor is it told of what never lifts from a ground that glides, as chains of tanks.
//!   Of all joints of a hand or a foot that slide at one time, or in a chain in which each overlaps the next, one is told.
//! - Of feet on the spot those that step otherwise than those on the other side, as `contacts::uneven` finds them.
//! - Of seams those from 1 % of the size, as for pops, to 5 %, beyond which a clip ends in another stance. The gap has to be
//!   1.5 times what a frame goes: smaller ones are those of loops whose last frame is the one before the first. And it has to
//!   be a quarter of how far the node goes at most, and turned by 45° at most: else the clip goes from one pose to another.
//!   Where nine of ten nodes that move end where they began, only the last holds, up to 20 % of the size: nobody leaves a stance
//!   with one joint. Of the 350 clips of the corpus that tells of one more, a run that leaves a foot behind.

mod findings;
mod slides;
mod summary;
mod words;

pub use findings::{MAX_OF_FILE, MotionFinding, MotionWarning, examine_motion, findings_of};
pub use summary::Summary;

use super::{
    Alone, ClipAnalysis, Deed, Jitter, JointSeam, Limb, Part, Pop, SeamCause, SeamWay, Steady,
    UnevenStep, pops::rests,
};
use crate::model::NodeId;

/// What the analysis of a clip may cost: about a second. Longer clips are sampled at fewer frames.
pub const MAX_PLACEMENTS: usize = 1 << 21;

/// How many pops are told at most, the worst.
pub const MAX_TOLD_POPS: usize = 500;
/// A part of the model's size: what is less is no jump.
const SEAM_SEEN: f32 = 0.002;
/// A part of the model's size: what is more was not meant to meet.
const SEAM_MEANT: f32 = 0.1;

/// Times the fastest that moves without a pop.
const TOLD_JUMP: f32 = 3.0;
/// A part of the model's size: eyes blink for some frames, too.
const TOLD_KEYS: f32 = 0.05;
/// A part of the model's size: how far a key goes out of line by its shift or its turn alone.
const TOLD_PART: f32 = 0.02;
/// Times the farthest that is out of line without a pop.
const TOLD_BEND: f32 = 2.0;
/// So often a node that rests does one thing where it blinks.
const BLINKS: usize = 3;
/// A part of its speed: by how much two of them differ.
const ALIKE: f32 = 0.1;
/// Parts of the model's size.
const TOLD_SEAM: std::ops::RangeInclusive<f32> = 0.01..=0.05;
/// Times the way of a frame; a part of the whole way.
const TOLD_SEAM_STEPS: f32 = 1.5;
const TOLD_SEAM_RANGE: f32 = 0.25;
/// Parts of the size where few nodes do not end where they began, and so many times as many do.
const TOLD_SEAM_OF_FEW: std::ops::RangeInclusive<f32> = 0.01..=0.2;
const TOLD_SEAM_OTHERS: usize = 10;

/// Something to know about the motion of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oddity {
    /// What it is.
    pub kind: OddityKind,
    /// When it begins, and when it is over, in seconds of the clip.
    pub span_secs: (f64, f64),
    /// The node that does it.
    pub node: NodeId,
    /// Whether it is worth a look: a seam may well meet.
    pub is_odd: bool,
    /// Whether it is worth telling to somebody who has not asked for this clip.
    pub is_told: bool,
}

impl Oddity {
    /// When its pose is the odd one: that before a jump is as it should be.
    fn seen_at_secs(&self) -> f64 {
        let (from_secs, to_secs) = self.span_secs;
        match self.kind {
            OddityKind::Pop(pop) if pop.comes_back => (from_secs + to_secs) / 2.0,
            OddityKind::Pop(_) => to_secs,
            OddityKind::Jitter(_)
            | OddityKind::Slide { .. }
            | OddityKind::Uneven(_)
            | OddityKind::Seam(_) => from_secs,
        }
    }
}

/// What it is, and how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OddityKind {
    /// A node jumps.
    Pop(Pop),
    /// A node shakes: it turns back at every key.
    Jitter(Jitter),
    /// A foot, or what else stands on the ground, slides while it stands.
    Slide {
        /// So far, in the model's units.
        distance: f32,
        /// The topmost joint of the hand or foot, as [`FootContacts::top`](super::FootContacts::top).
        top: NodeId,
        /// What it is of.
        limb: Limb,
    },
    /// It steps otherwise than the foot on the other side: one of both slides.
    Uneven(UnevenStep),
    /// How the end of the clip meets its beginning.
    Seam(Seam),
}

/// How far the node that is farthest from where it was when the clip began is from there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seam {
    /// By its origin and its turn.
    pub joint: JointSeam,
    /// What makes most of that: the node of the oddity.
    pub cause: SeamCause,
    /// The model's size.
    pub size: f32,
    /// By its origin or the tip of a lever, as a part of the model's size: by which it ranks.
    pub part: f32,
    /// Whether where the clip goes is left out.
    pub is_in_place: bool,
}

/// All that there is to know about the motion of a clip of `duration_secs`, in the order of time.
pub fn of(analysis: &ClipAnalysis, duration_secs: f64) -> Vec<Oddity> {
    let mut all: Vec<_> = pops(analysis)
        .chain(jitters(analysis))
        .chain(steps(analysis))
        .chain(seam(analysis, duration_secs))
        .collect();
    all.sort_by(|a, b| a.span_secs.0.total_cmp(&b.span_secs.0));
    all
}

fn pops(analysis: &ClipAnalysis) -> impl Iterator<Item = Oddity> {
    let worst = &analysis.pops[..analysis.pops.len().min(MAX_TOLD_POPS)];
    worst.iter().map(|pop| Oddity {
        kind: OddityKind::Pop(*pop),
        span_secs: (pop.start_secs, pop.end_secs),
        node: pop.node,
        is_odd: true,
        is_told: is_pop_told(pop, &analysis.steady, analysis.size) && !is_blink(pop, worst),
    })
}

/// Whether a node that rests does that again and again, one time like the other.
fn is_blink(pop: &Pop, all: &[Pop]) -> bool {
    let is_from_rest = |pop: &Pop| pop.comes_back && rests(pop.usual_speed, pop.speed);
    let is_like = |other: &&Pop| {
        other.node == pop.node
            && is_from_rest(other)
            && (other.speed - pop.speed).abs() <= ALIKE * pop.speed
    };
    is_from_rest(pop) && all.iter().filter(is_like).count() >= BLINKS
}

/// Nodes that shake.
fn jitters(analysis: &ClipAnalysis) -> impl Iterator<Item = Oddity> {
    let worst = analysis.jitters.iter().take(MAX_TOLD_POPS);
    worst.map(|jitter| Oddity {
        kind: OddityKind::Jitter(*jitter),
        span_secs: (jitter.start_secs, jitter.end_secs),
        node: jitter.node,
        is_odd: true,
        is_told: !matches!(jitter.does, Deed::Growth { .. }),
    })
}

fn is_pop_told(pop: &Pop, steady: &[Steady; Part::ALL.len()], size: f32) -> bool {
    let jump = |speed: f32| speed * pop.interval_secs() as f32;
    let is_beyond_all = |part: Part, speed: f32, bend: f32| {
        let steady = &steady[part as usize];
        let is_faster = |times: f32| speed > times * steady.speed;
        match pop.intervals {
            0 | 1 => is_faster(TOLD_JUMP),
            2 => is_faster(1.0) || bend > TOLD_BEND * steady.bend,
            _ => is_faster(1.0) && jump(speed) > TOLD_KEYS * size,
        }
    };
    // What appears elsewhere goes there by its shift alone, and what rests jumps on purpose; keys out of line have to be
    // seen beside the rest of the motion.
    let is_beyond_by_part = |alone: Alone| {
        pop.comes_back
            && !rests(alone.usual_speed, alone.speed)
            && jump(alone.speed) > TOLD_PART * size
            && is_beyond_all(alone.part, alone.speed, alone.bend)
    };
    let is_told = is_beyond_all(Part::Whole, pop.speed, pop.bend);
    (is_told || pop.alone.is_some_and(is_beyond_by_part))
        && !matches!(pop.does, Deed::Growth { .. })
        && !pop.is_attack
}

/// Feet that slide. Where those on both sides disagree, and it is not known which of them slides, no ground is known, either.
fn steps(analysis: &ClipAnalysis) -> Vec<Oddity> {
    let slides = slides::of(analysis);
    let uneven = analysis.uneven_steps.iter().map(|step| Oddity {
        kind: OddityKind::Uneven(*step),
        span_secs: step.span_secs,
        node: step.node,
        is_odd: true,
        is_told: true,
    });
    let is_ground_known = analysis.uneven_steps.iter().all(|step| step.is_known);
    if analysis.uneven_steps.is_empty() || slides.iter().any(|slide| slide.is_told) {
        slides
    } else if is_ground_known {
        let is_uneven = |slide: &Oddity| {
            let mut steps = analysis.uneven_steps.iter();
            steps.any(|step| step.node == slide.node && meet(step.span_secs, slide.span_secs))
        };
        let others = slides.into_iter().filter(|slide| !is_uneven(slide));
        let mut all: Vec<_> = others.chain(uneven).collect();
        all.sort_by(|a, b| a.span_secs.0.total_cmp(&b.span_secs.0));
        all
    } else {
        uneven.collect()
    }
}

/// Whether two stretches of time have any in common.
fn meet(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// The node that is farthest from where it was, by its origin or its turn.
fn seam(analysis: &ClipAnalysis, end_secs: f64) -> Option<Oddity> {
    let way = analysis.seam_way?;
    let part = way.distance / analysis.size.max(f32::MIN_POSITIVE);
    let meets = part.is_nan() || part <= SEAM_SEEN;
    let seam = Seam {
        joint: way.joint,
        cause: way.cause,
        size: analysis.size,
        part,
        is_in_place: analysis.is_seam_in_place,
    };
    Some(Oddity {
        kind: OddityKind::Seam(seam),
        span_secs: (end_secs, end_secs),
        node: way.cause.node,
        is_odd: !meets,
        is_told: is_seam_told(&way, part),
    })
}

fn is_seam_told(way: &SeamWay, part: f32) -> bool {
    let is_by_few = TOLD_SEAM_OF_FEW.contains(&part)
        && way.open > 0
        && way.open * TOLD_SEAM_OTHERS <= way.moving
        && way.distance > TOLD_SEAM_STEPS * way.first_step;
    let is_near = || {
        TOLD_SEAM.contains(&part)
            && way.distance > TOLD_SEAM_STEPS * way.step
            && way.distance <= TOLD_SEAM_RANGE * way.range
    };
    way.joint.is_nearly_as_it_was() && (is_by_few || is_near())
}

#[cfg(test)]
mod tests;
