//! Stances that slide so fast that by its speed the foot does not stand.
//!
//! What tells them from a step is their height. A stance holds if the foot shifts by less than 4 % of the model's height in it.
//! The median height of a foot in the stances that hold is where its ground is: it is on the ground up to 1 % of the model's
//! height above that. Take a stretch on the ground between two lifts. It may be a stance that slides in either of two ways:
//!
//! - As a whole. The core of the stretch is the part in which the foot goes no faster than 1.5 times its median speed in the
//!   stretch; the end of the swing before and the beginning of the swing after are not in it. That median speed must be above
//!   half of the greatest speed of a stance, and at most a third of the fastest swing. The core must last at least half as long
//!   as stances usually do, and more than twice as long as the stances in it that hold and go at most half as fast as the core;
//!   and the foot must go a tenth farther in it than in any stance of the stretch, and than 4 % of the height.
//! - From one stance to the next, where the stretch has several and the ground is at rest: the foot goes from one to the other
//!   without a lift. That takes two intervals at least: what is gone in one is a jump.
//!
//! Feet may go low on purpose: who drags a leg, shuffles or skates does it all the time. So these count only in clips where
//! stances hold as a rule, two of three and four at least, and two for each that slides so, and of a foot that lifts twice for
//! each of them and holds at another time. Nor do they count where all other feet go along, as in a dodge.

use glam::Vec3;

use super::{super::usual::median, CARRIED, Foot, extent, stance::Stance};

/// Parts of the model's height.
const ON_GROUND: f32 = 0.01;
pub(super) const HOLDS: f32 = 0.04;
/// Times the median speed of a stance that slides.
const EVENLY: f32 = 1.5;
/// A part of the speed of a stance that slides: what is slower rests in it.
const RESTS: f32 = 0.5;
/// Times what is known to slide in it.
const FARTHER: f32 = 1.1;
/// A part of the fastest swing.
const SWINGS: f32 = 1.0 / 3.0;
/// Intervals.
const MIN_LENGTH: usize = 3;
const MIN_BETWEEN: usize = 2;
/// Stances that hold: at least, and for each that slides.
const MIN_HELD: usize = 4;
const HELD_FOR_EACH: usize = 2;
/// Lifts of the foot for each stance of it that slides.
const LIFTS_FOR_EACH: usize = 2;

/// What all feet go on.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    /// How far the ground goes in an interval.
    pub(super) glide: Vec3,
    /// How far a foot goes in an interval at most that stands.
    pub(super) slow: f32,
    /// Frames a second.
    pub(super) rate: f32,
    /// Of the model.
    pub(super) height: f32,
}

impl Terms {
    /// How far apart the positions of a foot are in a stance, on the ground.
    pub(super) fn slide(&self, foot: &Foot<'_>, stance: Stance) -> f32 {
        let positions = foot.positions[stance.frames()].iter().enumerate();
        extent(positions.map(|(interval, place)| *place - self.glide * interval as f32))
    }

    /// How far the last of them is from the first, on the ground.
    pub(super) fn shift(&self, foot: &Foot<'_>, stance: Stance) -> f32 {
        let Stance { first, last } = stance;
        let way = foot.positions[last] - foot.positions[first];
        (way - self.glide * stance.intervals() as f32)
            .with_y(0.0)
            .length()
    }

    /// The frames between which it goes the middle half of that.
    pub(super) fn middle_of_shift(&self, foot: &Foot<'_>, stance: Stance) -> Stance {
        let first = foot.positions[stance.first];
        let way = |frame: usize| {
            let interval = (frame - stance.first) as f32;
            (foot.positions[frame] - first - self.glide * interval).with_y(0.0)
        };
        let whole = way(stance.last);
        let part = |frame: usize| way(frame).dot(whole) / whole.length_squared();
        let mut frames = stance.frames();
        let from = frames.clone().rfind(|frame| part(*frame) <= 0.25);
        let from = from.unwrap_or(stance.first);
        let to = frames.find(|frame| *frame > from && part(*frame) >= 0.75);
        Stance {
            first: from,
            last: to.unwrap_or(stance.last),
        }
    }

    fn step(&self, foot: &Foot<'_>, interval: usize) -> f32 {
        self.shift(foot, Stance::of_interval(interval))
    }

    /// Whether a foot stays where it stands.
    fn holds(&self, foot: &Foot<'_>, stance: Stance) -> bool {
        self.slide(foot, stance) <= HOLDS * self.height
    }
}

/// Whether two of three stances hold, and four at least.
pub(super) fn hold_as_a_rule(feet: &[Foot<'_>], terms: &Terms, stances: &[Vec<Stance>]) -> bool {
    let (mut all, mut held) = (0, 0);
    for (foot, own) in feet.iter().zip(stances) {
        all += own.len();
        held += own.iter().filter(|it| terms.holds(foot, **it)).count();
    }
    held >= MIN_HELD && 3 * held >= 2 * all
}

/// Adds to the stances of each foot those that slide, in order. They must hold as a rule.
pub(super) fn add(feet: &[Foot<'_>], terms: &Terms, stances: &mut [Vec<Stance>]) {
    if !hold_as_a_rule(feet, terms, stances) {
        return;
    }
    let mut held: Vec<Vec<Stance>> = Vec::new();
    for (foot, own) in feet.iter().zip(&*stances) {
        let own = own.iter().copied();
        held.push(own.filter(|it| terms.holds(foot, *it)).collect());
    }
    let all_held: usize = held.iter().map(Vec::len).sum();
    let lengths = held.iter().flatten().map(|it| it.intervals() as f32);
    let usual_length = median(&mut lengths.collect::<Vec<_>>());
    let mut found: Vec<Vec<Stance>> = Vec::new();
    for (index, foot) in feet.iter().enumerate() {
        let slid = Slid::of(foot, terms, &held[index], &stances[index], usual_length);
        let own = slid.filter(|slid| slid.lifts >= LIFTS_FOR_EACH * slid.spans.len());
        let mut own = own.map_or_else(Vec::new, |slid| slid.spans);
        own.retain(|span| !all_go_along(feet, index, *span, terms));
        found.push(own);
    }
    let all_found: usize = found.iter().map(Vec::len).sum();
    if all_held < HELD_FOR_EACH * all_found {
        return;
    }
    for (stances, found) in stances.iter_mut().zip(found) {
        // Still phases are part of what goes from one to the next.
        stances.retain(|stance| !found.iter().any(|slid| stance.overlaps(*slid)));
        stances.extend(found);
        stances.sort_unstable();
    }
}

/// Whether every other foot goes as this one does, and there is one.
fn all_go_along(feet: &[Foot<'_>], this: usize, span: Stance, terms: &Terms) -> bool {
    let way =
        |foot: &Foot<'_>| (foot.positions[span.last] - foot.positions[span.first]).with_y(0.0);
    let own = way(&feet[this]);
    let secs = span.intervals() as f32 / terms.rate;
    let others = feet.iter().enumerate().filter(|(index, _)| *index != this);
    let mut apart = others.map(|(_, foot)| way(foot).distance(own));
    feet.len() > 1 && apart.all(|apart| apart <= CARRIED * terms.height * secs)
}

/// Of one foot.
struct Slid {
    spans: Vec<Stance>,
    /// How often it leaves the ground.
    lifts: usize,
}

impl Slid {
    fn of(
        foot: &Foot<'_>,
        terms: &Terms,
        held: &[Stance],
        stances: &[Stance],
        usual_length: f32,
    ) -> Option<Self> {
        let heights = held.iter().flat_map(|it| &foot.positions[it.frames()]);
        let mut heights: Vec<_> = heights.map(|place| place.y).collect();
        if heights.is_empty() {
            return None;
        }
        let high = median(&mut heights) + ON_GROUND * terms.height;
        let last = foot.positions.len() - 1;
        let fastest = (0..last).map(|interval| terms.step(foot, interval));
        let fastest = fastest.fold(0.0, f32::max);
        let mut this = Self {
            spans: Vec::new(),
            lifts: 0,
        };
        let mut end = 0;
        for run in foot
            .positions
            .chunk_by(|a, b| (a.y <= high) == (b.y <= high))
        {
            let start = end;
            end += run.len();
            if run[0].y > high {
                this.lifts += 1;
                continue;
            }
            // What began before the clip, or goes on behind its end, is not known.
            let span = Stance {
                first: start,
                last: end - 1,
            };
            if start == 0 || end > last {
                continue;
            }
            // Nor is it by itself alone, as in loops of one step.
            if held.iter().all(|held| held.overlaps(span)) {
                continue;
            }
            let within: Vec<_> = stances.iter().filter(|it| it.overlaps(span)).collect();
            let known = within.iter().map(|span| terms.shift(foot, **span));
            let known = known.fold(HOLDS * terms.height, f32::max);
            let core = core(foot, terms, span, SWINGS * fastest);
            let core = core.filter(|&core| {
                let length = core.intervals();
                let step = |span: Stance| terms.shift(foot, span) / span.intervals() as f32;
                let within = held.iter().filter(|held| held.overlaps(core));
                let rests = within.filter(|held| step(**held) <= RESTS * step(core));
                let rests: usize = rests.map(|it| it.intervals()).sum();
                length >= MIN_LENGTH
                    && length as f32 >= 0.5 * usual_length
                    && length > 2 * rests
                    && terms.shift(foot, core) > FARTHER * known
            });
            if let Some(core) = core {
                this.spans.push(core);
                continue;
            }
            // On the spot, paws and hands of animals go as they like.
            if terms.glide != Vec3::ZERO {
                continue;
            }
            let pairs = within.windows(2).map(|pair| (pair[0], pair[1]));
            for (before, after) in pairs {
                let between = Stance {
                    first: before.last,
                    last: after.first,
                };
                let is_slide = between.intervals() >= MIN_BETWEEN
                    && terms.shift(foot, between) > HOLDS * terms.height;
                if is_slide {
                    this.join(Stance {
                        first: before.first,
                        last: after.last,
                    });
                }
            }
        }
        Some(this)
    }

    /// Adds a span, to the last one if that ends in the same still phase.
    fn join(&mut self, span: Stance) {
        match self.spans.last_mut() {
            Some(last) if last.overlaps(span) => last.last = span.last,
            _ => self.spans.push(span),
        }
    }
}

/// That part of a stretch on the ground in which the foot slides evenly, if it does, slower than `swings` in an interval.
fn core(foot: &Foot<'_>, terms: &Terms, on_ground: Stance, swings: f32) -> Option<Stance> {
    let steps: Vec<_> = (on_ground.first..on_ground.last)
        .map(|interval| terms.step(foot, interval))
        .collect();
    if steps.len() < MIN_LENGTH {
        return None;
    }
    let usual = median(&mut steps.clone());
    if usual <= 0.5 * terms.slow || usual > swings {
        return None;
    }
    let is_even = |step: &f32| *step <= EVENLY * usual;
    let (mut longest, mut at) = (None::<Stance>, on_ground.first);
    for run in steps.chunk_by(|a, b| is_even(a) == is_even(b)) {
        let span = Stance {
            first: at,
            last: at + run.len(),
        };
        at = span.last;
        let is_longer = longest.is_none_or(|longest| span.intervals() > longest.intervals());
        if is_even(&run[0]) && is_longer {
            longest = Some(span);
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::{
        super::{FootContacts, Ground, JointPath, find},
        *,
    };
    use crate::model::NodeId;

    const RATE: f32 = 30.0;
    const DT: f64 = 1.0 / 30.0;
    const SPEED: f32 = 0.8;
    /// The part of a cycle in which a foot stands.
    const STANDS: f32 = 0.6;

    /// Two feet of a character of height 1 that walks for three cycles of so many seconds. While it stands, a foot slides by
    /// what `slide` says of it and the number of its step.
    fn walk(
        cycle_secs: f32,
        on_the_spot: bool,
        slide: &dyn Fn(u32, usize) -> f32,
    ) -> Vec<JointPath> {
        let frames = (3.0 * cycle_secs * RATE).round() as usize;
        let step = SPEED * cycle_secs;
        let feet = [0, 1].map(|foot: u32| {
            let place = |frame: usize| {
                let cycles = frame as f32 / RATE / cycle_secs + 0.5 * foot as f32 + 1e-4;
                let (number, phase) = (cycles.floor(), cycles.fract());
                let slid = slide(foot, number as usize);
                let stands_at = step * number;
                let (y, z) = if phase < STANDS {
                    (0.04, stands_at + slid * phase / STANDS)
                } else {
                    let swing = (phase - STANDS) / (1.0 - STANDS);
                    let eased = swing * swing * (3.0 - 2.0 * swing);
                    let lift = 0.1 * (swing * std::f32::consts::PI).sin();
                    (0.04 + lift, stands_at + slid + (step - slid) * eased)
                };
                let body = SPEED * frame as f32 / RATE;
                Vec3::new(foot as f32, y, if on_the_spot { z - body } else { z })
            };
            JointPath {
                node: NodeId(foot),
                positions: (0..=frames).map(place).collect(),
            }
        });
        feet.into()
    }

    fn contacts(
        cycle_secs: f32,
        on_the_spot: bool,
        slide: &dyn Fn(u32, usize) -> f32,
    ) -> Vec<FootContacts> {
        let paths = walk(cycle_secs, on_the_spot, slide);
        let root = vec![Vec3::Z * SPEED; paths[0].positions.len() - 1];
        let ground = match on_the_spot {
            true => Ground::MayGlide,
            false => Ground::AtRest(&root),
        };
        find(&paths, DT, 1.0, ground).0
    }

    #[test]
    fn a_stance_slides_as_far_as_it_does_however_fast_and_short_it_is() {
        // Stances of 0.6 and of 0.3 s.
        for cycle_secs in [1.0, 0.5] {
            for on_the_spot in [false, true] {
                for slid in [0.09, 0.12, 0.16, 0.2, 0.25] {
                    for sign in [1.0, -1.0] {
                        let slide = |foot: u32, number: usize| match (foot, number) {
                            (0, 1) => sign * slid,
                            _ => 0.0,
                        };
                        let found = contacts(cycle_secs, on_the_spot, &slide);
                        let case = format!("{cycle_secs} s, {on_the_spot}, {sign} * {slid}");
                        let slides = found[0].slides().fold(0.0, f32::max);
                        assert!((slides - slid).abs() < 0.1 * slid, "{case}: {found:?}");
                        let [start, end] = [1.0, 1.0 + STANDS].map(|it| it * cycle_secs);
                        let contacts = found[0].contacts.iter();
                        let worst = contacts.max_by(|a, b| a.shift.total_cmp(&b.shift));
                        let [from, to] = worst.map(|it| [it.from_secs, it.to_secs]).unwrap();
                        assert!((from as f32 - start).abs() < 0.08, "{case}: {found:?}");
                        assert!((to as f32 - end).abs() < 0.08, "{case}: {found:?}");
                        let others = found[1].slides().fold(0.0, f32::max);
                        assert!(others < 0.03, "{case}: {found:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn who_drags_a_leg_or_shuffles_means_it() {
        for on_the_spot in [false, true] {
            let holds = contacts(1.0, on_the_spot, &|_, _| 0.0);
            // All the time, with both feet or with one.
            let drags = contacts(1.0, on_the_spot, &|foot, _| {
                if foot == 0 { 0.3 } else { 0.0 }
            });
            let others: Vec<_> = drags.iter().filter(|foot| foot.node == NodeId(0)).collect();
            assert!(
                others.iter().all(|foot| foot.slides().all(|it| it < 0.1)),
                "{drags:?}"
            );
            assert_eq!(holds.len(), 2);
            let far = holds.iter().flat_map(FootContacts::slides);
            assert!(far.fold(0.0, f32::max) < 0.03, "{holds:?}");
        }
    }

    #[test]
    fn a_foot_that_goes_from_one_still_phase_to_the_next_without_a_lift_slides() {
        let paths = |fast: usize| {
            let mut paths = walk(1.0, false, &|_, _| 0.0);
            // In the middle of its second stance, in so many frames.
            for (frame, place) in paths[0].positions.iter_mut().enumerate() {
                let along = (frame as f32 - 36.0) / fast as f32;
                if (30..60).contains(&frame) {
                    place.x += 0.15 * along.clamp(0.0, 1.0);
                }
            }
            paths
        };
        let root = [Vec3::Z * SPEED; 90];
        let slides = |fast: usize| {
            let (found, _) = find(&paths(fast), DT, 1.0, Ground::AtRest(&root));
            let foot = &found[0];
            foot.slides().fold(0.0, f32::max)
        };
        assert!((slides(4) - 0.15).abs() < 0.02, "{}", slides(4));
        // In one frame it is a jump, which is told as one.
        assert!(slides(1) < 0.03, "{}", slides(1));
    }
}
