//! What is odd, in words.

use super::{Oddity, OddityKind, SEAM_MEANT, Seam};
use crate::{
    anim::analysis::{Deed, Pop, UnevenStep},
    model::{Hierarchy, Length},
};

impl Oddity {
    /// What it is, when and how much, in a sentence.
    pub fn words(&self, hierarchy: &Hierarchy) -> String {
        let name = hierarchy.display_name(self.node);
        let (from_secs, to_secs) = self.span_secs;
        match &self.kind {
            OddityKind::Pop(pop) => format!("Pop at {from_secs:.3} s: {}", pop.words(&name)),
            OddityKind::Slide { distance } => format!(
                "Foot slide, {from_secs:.3} s to {to_secs:.3} s: {name} goes {} units while it stands",
                Length(*distance)
            ),
            OddityKind::Uneven(step) => {
                let words = step.words(&name, &hierarchy.display_name(step.other));
                format!("Foot slide, {from_secs:.3} s to {to_secs:.3} s: {words}")
            }
            OddityKind::Seam(_) if !self.is_odd => {
                "Loop seam: the last pose meets the first".to_owned()
            }
            OddityKind::Seam(seam) if seam.part <= SEAM_MEANT => format!(
                "Loop seam: the last pose does not quite meet the first: {}",
                seam.gap(hierarchy)
            ),
            OddityKind::Seam(seam) => format!(
                "Loop seam: the clip does not end as it starts: {}",
                seam.gap(hierarchy)
            ),
        }
    }
}

impl Pop {
    /// What a node of this name does by itself, as its keys and the inspector show it: not how fast that carries what hangs on
    /// it.
    pub fn words(&self, name: &str) -> String {
        let (does, usual) = match self.does {
            Deed::Turn {
                degrees,
                usual_degrees,
            } => (
                format!("{name} turns {degrees:.1}° against its parent"),
                format!("{usual_degrees:.1}°"),
            ),
            Deed::Shift {
                distance,
                usual_distance,
            } => (
                format!("{name} goes {} units against its parent", Length(distance)),
                Length(usual_distance).to_string(),
            ),
            Deed::Growth {
                amount,
                usual_amount,
            } => (
                format!("the scale of {name} changes by {amount:.3}"),
                format!("{usual_amount:.3}"),
            ),
        };
        // What is usual is told of one interval.
        let secs = (self.end_secs - self.start_secs) / self.intervals.max(1) as f64;
        let and_back = match self.intervals {
            intervals if intervals > 2 => {
                let later_secs = secs * (intervals - 2) as f64;
                format!(" and back {later_secs:.3} s later")
            }
            _ if self.comes_back => " and back".to_owned(),
            _ => String::new(),
        };
        format!("{does} in {secs:.3} s{and_back}, where {usual} are usual")
    }
}

impl UnevenStep {
    /// What a foot of this name does that the one on the other side does not.
    pub(super) fn words(&self, name: &str, other: &str) -> String {
        let distance = Length(self.distance);
        let who = if self.is_known { "it" } else { "one of them" };
        format!(
            "{name} does not go over the ground as {other} does, by up to {distance} units: {who} slides"
        )
    }
}

impl Seam {
    fn gap(&self, hierarchy: &Hierarchy) -> String {
        let name = hierarchy.display_name(self.joint.node);
        let cause = hierarchy.display_name(self.cause.node);
        let cause = self.cause.words(&cause, self.joint.node);
        let gap = self.joint.words_with_share(self.size);
        let in_place = if self.is_in_place {
            ", where it goes left out"
        } else {
            ""
        };
        format!("{name} ends {gap}{in_place}{cause}")
    }
}
