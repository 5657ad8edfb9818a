//! Foot contacts: when a foot stands on the ground.
//!
//! A joint is a foot if its lowest place of the clip is within 8 % of the model's height above the lowest of all joints
//! that may be feet, which are those on which no more than a quarter of the model's size hangs.
//! It stands while it is low, within 2.5 % of the height above its own lowest place, and slow, below 0.2 heights a second
//! over the ground (both criteria are those of J. Lee, J. Chai, P. S. A. Reitsma, J. K. Hodgins, N. S. Pollard,
//! "Interactive control of avatars animated with human motion data", 2002; the figures are ours, found on the corpus).
//! Spans of a single interval, two frames, are dropped, and gaps of a single one closed, unless the foot jumps in it. What
//! slides faster than that is found by its height (`slid`).
//!
//! In a clip that walks on the spot standing feet glide back with a ground that is not there. Its velocity is estimated as
//! the mode, along X and Z, of the velocities of low feet, which the roll of a foot from heel to toe does not pull along as
//! it would a mean or a median (the half-sample mode: T. Robertson, J. D. Cryer, "An iterative procedure for estimating the
//! mode", 1974). It is used if it is above 0.05 heights a second and more low feet are slow over a ground that moves so than
//! over one at rest; slow then means within 0.2 heights a second and a quarter of the ground's own speed. In a run, whose feet
//! are low for a few frames only and go up or down in these, it is enough that most of them are so slow beside it. Cost:
//! O(n log n) for n = frames × feet.
//!
//! In a clip whose root travels, feet stand on a ground at rest. Where its root goes at another speed than the feet step, they
//! all glide alike, so that they are told from feet in the air in the same way; but then the velocity that they share is
//! no ground's: it is the error, and what they go while they stand is how far they slide. Feet that move with the root, within
//! 0.1 heights a second, do not count there: they are carried. Nor does what they share if it is faster than the root is on the
//! whole, as in a dodge; or, where none of them steps, comes down, lifts and comes down again, if it is more than three
//! quarters as fast: who slides over the ground glides on purpose.

mod ground;
mod limb;
mod slid;
mod stance;
pub(super) mod uneven;

use glam::Vec3;

use crate::model::NodeId;
use ground::{mean_step, usual_step};
pub use limb::Limb;
use slid::Terms;
use stance::Stance;
pub use uneven::UnevenStep;

/// How much higher than the lowest joint a foot may be at its lowest, in heights of the model.
const FOOT: f32 = 0.08;
/// How much higher than at its lowest a foot is that is low, in heights of the model.
const LOW: f32 = 0.025;
/// How fast a foot may be that stands, in heights of the model a second.
const SLOW: f32 = 0.2;
/// How fast a ground is at least that is said to glide, in heights of the model a second.
const GLIDES: f32 = 0.05;
/// How much slower or faster than the root a foot may be that is carried along, in heights of the model a second.
const CARRIED: f32 = 0.1;
/// What feet share that do not step is less than this part of the speed of the root: what is faster is carried by it.
const BEHIND_ROOT: f32 = 0.75;
/// What is added to [`SLOW`], as a part of the speed of the ground: feet on the spot do not glide evenly.
const UNEVEN: f32 = 0.25;
/// In how many intervals at least feet are low in a run, all feet together: two of each of two.
const RUN: usize = 4;

/// When a foot stands.
#[derive(Debug, Clone, PartialEq)]
pub struct FootContacts {
    /// The joint.
    pub node: NodeId,
    /// The topmost joint above it that may be a foot and carries no other limb, itself included: all joints below that are one
    /// hand or foot. What carries several, as short hips do, is by itself.
    pub top: NodeId,
    /// What it is of.
    pub limb: Limb,
    /// In order, at least one. A contact over the seam of a loop is two.
    pub contacts: Vec<Contact>,
}

/// A foot stands for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// When that begins.
    pub from_secs: f64,
    /// When it ends.
    pub to_secs: f64,
    /// How far apart the farthest positions are on which the foot stands on the ground. Under a clip that walks on the spot the
    /// ground has the velocity that suits most stances, or the mean of all; under one that travels it is at rest.
    pub slide: f32,
    /// How far the last of these positions is from the first: next to nothing where the foot comes back.
    pub shift: f32,
    /// From when to when it goes the middle half of that.
    pub shifts_secs: (f64, f64),
}

impl FootContacts {
    /// How far the foot slides in each of its contacts.
    pub fn slides(&self) -> impl Iterator<Item = f32> + Clone {
        self.contacts.iter().map(|contact| contact.slide)
    }

    /// Has all of them begin so much later.
    pub(super) fn delay(&mut self, secs: f64) {
        for contact in &mut self.contacts {
            contact.from_secs += secs;
            contact.to_secs += secs;
            contact.shifts_secs.0 += secs;
            contact.shifts_secs.1 += secs;
        }
    }
}

/// The positions of one joint from frame to frame, in the world.
pub(super) struct JointPath {
    pub(super) node: NodeId,
    pub(super) positions: Vec<Vec3>,
}

impl JointPath {
    pub(super) fn new(node: NodeId) -> Self {
        Self {
            node,
            positions: Vec::new(),
        }
    }

    fn lowest(&self) -> f32 {
        let heights = self.positions.iter().map(|place| place.y);
        heights.fold(f32::INFINITY, f32::min)
    }
}

/// What feet stand on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ground<'a> {
    /// The clip goes over it, with this velocity of its root from frame to frame; without any it only turns.
    AtRest(&'a [Vec3]),
    /// The clip stays on the spot, and the ground may go back under it.
    MayGlide,
}

/// The contacts of all feet, and the velocity of the ground: (0, 0) unless the clip walks on the spot.
pub(super) fn find(
    paths: &[JointPath],
    frame_secs: f64,
    height: f32,
    ground: Ground<'_>,
) -> (Vec<FootContacts>, [f32; 2]) {
    let gait = Gait::new(paths, frame_secs, height, ground);
    let shared = gait.shared_velocity();
    let stances = gait.feet.iter().map(|foot| gait.stances(foot, shared));
    let mut stances: Vec<_> = stances.collect();
    let velocity = match ground {
        Ground::AtRest(_) => Vec3::ZERO,
        Ground::MayGlide => shared,
    };
    let mut terms = Terms {
        glide: Vec3::ZERO,
        slow: gait.slow(shared) / gait.rate,
        rate: gait.rate,
        height,
    };
    let glides = velocity != Vec3::ZERO;
    if glides {
        terms.glide = mean_step(&gait.feet, &stances);
        let usual = Terms {
            glide: usual_step(&gait.feet, &stances),
            ..terms
        };
        // With a ground that suits only some it slides under others.
        if slid::hold_as_a_rule(&gait.feet, &usual, &stances) {
            terms = usual;
        }
    }
    // Where feet step at another speed than the root goes, all of them slide; where none of both is known, some seem to.
    let is_known = match ground {
        Ground::AtRest(_) => shared == Vec3::ZERO,
        Ground::MayGlide => glides,
    };
    if is_known {
        slid::add(&gait.feet, &terms, &mut stances);
    }
    let standing = gait.feet.iter().zip(&stances);
    let standing = standing.filter(|(_, stances)| !stances.is_empty());
    let contacts = standing.map(|(foot, stances)| {
        let secs = |frame: usize| frame as f64 * frame_secs;
        let contacts = stances.iter().map(|&stance| {
            let shifts = terms.middle_of_shift(foot, stance);
            Contact {
                from_secs: secs(stance.first),
                to_secs: secs(stance.last),
                slide: terms.slide(foot, stance),
                shift: terms.shift(foot, stance),
                shifts_secs: (secs(shifts.first), secs(shifts.last)),
            }
        });
        FootContacts {
            node: foot.node,
            top: foot.node,
            limb: Limb::default(),
            contacts: contacts.collect(),
        }
    });
    (contacts.collect(), [velocity.x, velocity.z])
}

/// Feet, and what they go on.
struct Gait<'a> {
    feet: Vec<Foot<'a>>,
    /// Frames a second.
    rate: f32,
    height: f32,
    ground: Ground<'a>,
}

struct Foot<'a> {
    node: NodeId,
    positions: &'a [Vec3],
    lowest: f32,
}

impl<'a> Gait<'a> {
    fn new(paths: &'a [JointPath], frame_secs: f64, height: f32, ground: Ground<'a>) -> Self {
        let feet = paths.iter().map(|path| Foot {
            node: path.node,
            positions: &path.positions,
            lowest: path.lowest(),
        });
        let mut feet: Vec<_> = feet.collect();
        let lowest_of_all = feet.iter().map(|foot| foot.lowest);
        let lowest_of_all = lowest_of_all.fold(f32::INFINITY, f32::min);
        feet.retain(|foot| foot.lowest <= lowest_of_all + FOOT * height);
        Self {
            feet,
            rate: (1.0 / frame_secs) as f32,
            height,
            ground,
        }
    }

    /// The velocity of a foot in each interval, and whether it is low at both ends.
    fn moves(&self, foot: &Foot<'a>) -> impl Iterator<Item = (Vec3, bool)> {
        let (rate, high) = (self.rate, foot.lowest + LOW * self.height);
        let pairs = foot.positions.windows(2);
        pairs.map(move |pair| {
            let is_low = pair.iter().all(|place| place.y <= high);
            ((pair[1] - pair[0]) * rate, is_low)
        })
    }

    /// In a dodge or a jump feet are carried along, and take no steps whose speed could be wrong.
    fn is_carried(&self, interval: usize, velocity: Vec3) -> bool {
        match self.ground {
            Ground::AtRest(root) => root.get(interval).is_none_or(|root| {
                let past_root = velocity - *root;
                past_root.with_y(0.0).length() <= CARRIED * self.height
            }),
            Ground::MayGlide => false,
        }
    }

    /// What feet share is slower than the root that they carry, clearly if they do not step, or they do not carry it.
    fn is_behind_root(&self, velocity: Vec3) -> bool {
        match self.ground {
            Ground::AtRest(root) => {
                let mean = root.iter().sum::<Vec3>() / root.len().max(1) as f32;
                let part = if self.steps() { 1.0 } else { BEHIND_ROOT };
                velocity.dot(mean) < part * mean.length_squared()
            }
            Ground::MayGlide => true,
        }
    }

    /// Whether any foot comes down again after it has lifted, for more than an interval: it is low before and after.
    fn steps(&self) -> bool {
        self.feet.iter().any(|foot| {
            let low: Vec<_> = self.moves(foot).map(|(_, is_low)| is_low).collect();
            let runs: Vec<_> = low.chunk_by(|a, b| a == b).collect();
            let mut lifts = runs.windows(3).filter(|runs| !runs[1][0]);
            lifts.any(|runs| runs[1].len() > 1)
        })
    }

    /// What feet that stand have in common; zero if they stand still.
    fn shared_velocity(&self) -> Vec3 {
        // Of each interval in which a foot is low, and takes a step.
        let mut low: Vec<Vec3> = Vec::new();
        for foot in &self.feet {
            let moves = self.moves(foot).enumerate();
            let steps = moves.filter(|(interval, (velocity, is_low))| {
                *is_low && !self.is_carried(*interval, *velocity)
            });
            low.extend(steps.map(|(_, (velocity, _))| velocity));
        }
        if low.is_empty() {
            return Vec3::ZERO;
        }
        let usual = |axis: usize| mode(low.iter().map(|v| v[axis]).collect());
        let moving = Vec3::new(usual(0), 0.0, usual(2));
        let slow_over = |ground: Vec3| {
            let speeds = low.iter().map(|velocity| (*velocity - ground).length());
            speeds.filter(|speed| *speed <= SLOW * self.height).count()
        };
        let glides = moving.length() > GLIDES * self.height;
        let suits = || slow_over(moving) > slow_over(Vec3::ZERO) || self.run_over(&low, moving);
        if glides && self.is_behind_root(moving) && suits() {
            moving
        } else {
            Vec3::ZERO
        }
    }

    /// Whether a clip runs on the spot: most of the feet that are low go about as fast as a ground of this velocity. They
    /// hardly stand, but go down and up again within a few frames, so only their way over the ground counts.
    fn run_over(&self, low: &[Vec3], ground: Vec3) -> bool {
        if self.ground != Ground::MayGlide {
            return false;
        }
        let slow = self.slow(ground);
        let over = |ground: Vec3| {
            let speeds = low.iter().map(|velocity| velocity.with_y(0.0) - ground);
            speeds.filter(|speed| speed.length() <= slow).count()
        };
        let there = over(ground);
        there >= RUN && 2 * there > low.len() && there > 2 * over(Vec3::ZERO)
    }

    /// How fast a foot may be over a ground of this velocity that it stands on.
    fn slow(&self, velocity: Vec3) -> f32 {
        SLOW * self.height + UNEVEN * velocity.length()
    }

    /// When a foot stands on a ground of this velocity, in order.
    fn stances(&self, foot: &Foot<'a>, velocity: Vec3) -> Vec<Stance> {
        let slow = self.slow(velocity);
        let moves = self.moves(foot).enumerate();
        let stands = moves.map(|(interval, (own, is_low))| {
            is_low
                && (own - velocity).length() <= slow
                && !(velocity != Vec3::ZERO && self.is_carried(interval, own))
        });
        let stands: Vec<_> = stands.collect();
        stances_of(&stands, |interval| {
            let pair = &foot.positions[interval..interval + 2];
            let way = pair[1] - pair[0] - velocity / self.rate;
            way.with_y(0.0).length() <= slid::HOLDS * self.height
        })
    }
}

/// How far apart, over the ground, the farthest of some positions are: to 2 %, in as many directions as that takes.
fn extent(positions: impl Iterator<Item = Vec3>) -> f32 {
    const DIRECTIONS: usize = 8;
    let directions: [(f32, f32); DIRECTIONS] = std::array::from_fn(|index| {
        (index as f32 * std::f32::consts::PI / DIRECTIONS as f32).sin_cos()
    });
    let mut extents = [(f32::INFINITY, f32::NEG_INFINITY); DIRECTIONS];
    for place in positions {
        for ((x, z), (least, most)) in directions.iter().zip(&mut extents) {
            let along = place.x * x + place.z * z;
            (*least, *most) = (least.min(along), most.max(along));
        }
    }
    let lengths = extents.map(|(least, most)| most - least);
    lengths.into_iter().fold(0.0, f32::max)
}

/// Where numbers are densest: of the shortest stretch that holds half of them, the shortest that holds half of those, and
/// so on. There is at least one.
fn mode(mut numbers: Vec<f32>) -> f32 {
    numbers.sort_unstable_by(f32::total_cmp);
    let mut dense = numbers.as_slice();
    while dense.len() > 2 {
        let half = dense.len().div_ceil(2);
        let length = |stretch: &&[f32]| stretch[stretch.len() - 1] - stretch[0];
        let shortest = dense
            .windows(half)
            .min_by(|a, b| length(a).total_cmp(&length(b)));
        dense = shortest.unwrap_or(&dense[..half]);
    }
    dense.iter().sum::<f32>() / dense.len() as f32
}

/// Runs of intervals that stand, with gaps of one closed that may be, and runs of one dropped.
fn stances_of(stands: &[bool], may_close: impl Fn(usize) -> bool) -> Vec<Stance> {
    let mut runs: Vec<Stance> = Vec::new();
    for (interval, _) in stands.iter().enumerate().filter(|(_, stands)| **stands) {
        let goes_on = |end| interval == end || (interval == end + 1 && may_close(end));
        match runs.last_mut() {
            Some(run) if goes_on(run.last) => run.last = interval + 1,
            _ => runs.push(Stance::of_interval(interval)),
        }
    }
    runs.retain(|run| run.intervals() > 1);
    runs
}

#[cfg(test)]
mod tests;
