//! What slides while it stands, and which of it is told.

use std::collections::BTreeMap;

use super::{Oddity, OddityKind};
use crate::{
    anim::analysis::{ClipAnalysis, Contact, FootContacts},
    model::NodeId,
};

/// A part of the model's height: what is less is the roll of a foot.
const SLIDES: f32 = 0.04;
/// A part of the model's height.
const TOLD_SLIDES: f32 = 0.08;
/// Parts of how long and how fast a joint slides: so long another one of its hand or foot stands at least, on the whole and
/// while it goes the middle half of its way, and is no faster.
const STANDS: f64 = 0.5;
const PIVOTS: f32 = 0.5;
/// Joints of a hand or a foot that are looked at for that.
const MAX_JOINTS: usize = 64;

/// What slides while it stands.
pub(super) fn of(analysis: &ClipAnalysis) -> Vec<Oddity> {
    let [least, told] = [SLIDES, TOLD_SLIDES].map(|part| part * analysis.height);
    let all = analysis.contacts.iter().flat_map(FootContacts::slides);
    let sliding = all.clone().filter(|slide| *slide > least).count();
    // A clip that goes somewhere at another speed than its feet step has all of them slide.
    let may_tell = analysis.is_seam_in_place || 2 * sliding <= all.count();
    // Chains of tanks never lift from a ground that glides.
    let glides = analysis.ground_velocity != [0.0, 0.0];
    let whole = (analysis.frames.saturating_sub(1)) as f64 * analysis.frame_secs;
    let never_lifts = move |it: &Contact| glides && it.to_secs - it.from_secs >= whole;
    let mut ends: BTreeMap<NodeId, Vec<&FootContacts>> = BTreeMap::new();
    for foot in &analysis.contacts {
        ends.entry(foot.top).or_default().push(foot);
    }
    let mut found = Vec::new();
    for joints in ends.values() {
        let first = found.len();
        for foot in joints {
            let contacts = foot.contacts.iter();
            let sliding = contacts.filter(|contact| contact.slide > least);
            let sliding = sliding.filter(|contact| !pivots(joints, foot.node, contact));
            found.extend(sliding.map(|contact| Oddity {
                kind: OddityKind::Slide {
                    distance: contact.slide,
                    top: foot.top,
                    limb: foot.limb,
                },
                span_secs: (contact.from_secs, contact.to_secs),
                node: foot.node,
                is_odd: true,
                is_told: contact.shift > told && may_tell && !never_lifts(contact),
            }));
        }
        tell_once(&mut found[first..]);
    }
    found
}

/// Whether another one of these joints, which are one hand or foot, stands while this one slides: that turns on it, or curls.
fn pivots(joints: &[&FootContacts], node: NodeId, slide: &Contact) -> bool {
    let (from_secs, to_secs) = (slide.from_secs, slide.to_secs);
    let shifts = slide.shifts_secs;
    let others = joints.iter().filter(|joint| joint.node != node);
    let mut others = others.take(MAX_JOINTS);
    others.any(|other| {
        let contacts = other.contacts.as_slice();
        let first = contacts.partition_point(|it| it.to_secs <= from_secs);
        let within = contacts[first..].iter();
        let mut within = within.take_while(|it| it.from_secs < to_secs);
        within.any(|it| {
            let part_of = |(from_secs, to_secs): (f64, f64)| {
                let both = it.to_secs.min(to_secs) - it.from_secs.max(from_secs);
                both / (to_secs - from_secs)
            };
            let part = part_of((from_secs, to_secs));
            part >= STANDS
                && part_of(shifts) >= STANDS
                && it.shift < PIVOTS * part as f32 * slide.shift
        })
    })
}

/// Of those of one hand or foot that are told, in each chain of which one meets the next in time, the one that goes farthest
/// stays told: the first and the last may lie apart.
fn tell_once(slides: &mut [Oddity]) {
    let distance = |slide: &Oddity| match slide.kind {
        OddityKind::Slide { distance, .. } => distance,
        _ => 0.0,
    };
    let mut told: Vec<_> = slides.iter_mut().filter(|it| it.is_told).collect();
    told.sort_by(|a, b| a.span_secs.0.total_cmp(&b.span_secs.0));
    let mut told = told.into_iter();
    let Some(mut farthest) = told.next() else {
        return;
    };
    let mut end_secs = farthest.span_secs.1;
    for slide in told {
        let (from_secs, to_secs) = slide.span_secs;
        if from_secs >= end_secs {
            (farthest, end_secs) = (slide, to_secs);
            continue;
        }
        end_secs = end_secs.max(to_secs);
        if distance(slide) > distance(farthest) {
            farthest.is_told = false;
            farthest = slide;
        } else {
            slide.is_told = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::analysis::Limb;

    #[test]
    fn of_the_joints_of_a_hand_that_slide_at_one_time_the_farthest_is_told() {
        let slide = |(distance, from_secs, to_secs): (f32, f64, f64)| Oddity {
            kind: OddityKind::Slide {
                distance,
                top: NodeId(0),
                limb: Limb::Arm,
            },
            span_secs: (from_secs, to_secs),
            node: NodeId(0),
            is_odd: true,
            is_told: distance > 0.1,
        };
        let spans = [
            (0.3, 0.0, 1.0),
            (0.5, 0.5, 2.0),
            (0.4, 1.5, 1.8),
            (0.05, 1.9, 2.5),
            (0.2, 2.0, 3.0),
            (0.2, 2.0, 3.0),
        ];
        let mut slides = spans.map(slide);
        tell_once(&mut slides);
        let told = slides.map(|it| it.is_told);
        assert_eq!(told, [false, true, false, false, true, false]);
        assert!(slides.iter().all(|it| it.is_odd));
        let mut chain = [(0.2, 0.0, 1.0), (0.3, 0.9, 2.1), (0.2, 2.0, 3.0)].map(slide);
        tell_once(&mut chain);
        assert_eq!(chain.map(|it| it.is_told), [false, true, false]);
    }

    #[test]
    fn a_joint_pivots_on_another_that_stands_while_it_goes() {
        let joint = |node: u32, contact: Contact| FootContacts {
            node: NodeId(node),
            top: NodeId(0),
            limb: Limb::Arm,
            contacts: vec![contact],
        };
        let contact = |span_secs: (f64, f64), shift: f32, shifts_secs: (f64, f64)| Contact {
            from_secs: span_secs.0,
            to_secs: span_secs.1,
            slide: shift,
            shift,
            shifts_secs,
        };
        let slide = contact((0.0, 2.0), 0.3, (1.4, 1.8));
        for (span_secs, shift, expected) in [
            ((0.0, 2.0), 0.0, true),
            ((0.0, 2.0), 0.2, false),
            // Half of the whole, or while it goes, but not both.
            ((0.0, 1.3), 0.0, false),
            ((1.3, 2.0), 0.0, false),
            ((0.5, 1.7), 0.0, true),
        ] {
            let stands = contact(span_secs, shift, span_secs);
            let joints = [joint(1, slide), joint(2, stands)];
            let found = pivots(&joints.each_ref(), NodeId(1), &slide);
            assert_eq!(found, expected, "{span_secs:?} {shift}");
        }
    }
}
