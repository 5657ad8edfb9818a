//! What is odd, in words.

use super::{Oddity, OddityKind, SEAM_MEANT, Seam, rests};
use crate::{
    anim::analysis::{Deed, Jitter, Limb, Pop, UnevenStep},
    model::{Hierarchy, Length},
};

impl Oddity {
    /// What it is, when and how much, in a sentence.
    pub fn words(&self, hierarchy: &Hierarchy) -> String {
        let name = hierarchy.display_name(self.node);
        let (from_secs, to_secs) = self.span_secs;
        match &self.kind {
            OddityKind::Pop(pop) => format!("Pop at {from_secs:.3} s: {}", pop.words(&name)),
            OddityKind::Jitter(jitter) => format!(
                "Jitter, {from_secs:.3} s to {to_secs:.3} s: {}",
                jitter.words(&name)
            ),
            OddityKind::Slide { distance, limb, .. } => format!(
                "{}, {from_secs:.3} s to {to_secs:.3} s: {name} goes {} units while it stands",
                limb.slide(),
                Length(*distance)
            ),
            OddityKind::Uneven(step) => {
                let words = step.words(&name, &hierarchy.display_name(step.other));
                let slide = step.limb.slide();
                format!("{slide}, {from_secs:.3} s to {to_secs:.3} s: {words}")
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

impl Limb {
    /// What its slides are called.
    fn slide(self) -> &'static str {
        match self {
            Self::Leg => "Foot slide",
            Self::Arm => "Hand slide",
            Self::Neither => "Slide",
        }
    }
}

impl Pop {
    /// What a node of this name does by itself, as its keys and the inspector show it: not how fast that carries what hangs on
    /// it.
    pub fn words(&self, name: &str) -> String {
        let secs = self.end_secs - self.start_secs;
        let does = self.does.words(name);
        let usual = self.does.usual_words();
        if let Deed::Spin { .. } = self.does {
            return format!("{does} in {secs:.3} s and is where it was, {usual}");
        }
        // What is usual is told of one interval.
        let secs = secs / self.intervals.max(1) as f64;
        let and_back = match self.intervals {
            intervals if intervals > 2 => {
                let later_secs = secs * (intervals - 2) as f64;
                format!(" and back {later_secs:.3} s later")
            }
            _ if self.comes_back => " and back".to_owned(),
            _ => String::new(),
        };
        format!("{does} in {secs:.3} s{and_back}, {usual}")
    }
}

impl Jitter {
    /// What a node of this name does by itself again and again.
    pub fn words(&self, name: &str) -> String {
        let does = self.does.words(name);
        let keys = self.keys;
        format!("{does} and back again and again, at {keys} keys one after the other")
    }
}

impl Deed {
    /// What a node of this name does.
    fn words(self, name: &str) -> String {
        match self {
            Self::Turn { degrees, .. } => format!("{name} turns {degrees:.1}° against its parent"),
            Self::Spin { degrees, .. } => format!("{name} spins {degrees:.1}° against its parent"),
            Self::Shift { distance, .. } => {
                format!("{name} goes {} units against its parent", Length(distance))
            }
            Self::Growth { amount, .. } => format!("the scale of {name} changes by {amount:.3}"),
        }
    }

    /// How much of that is usual: what would be told as nothing is none.
    fn usual_words(self) -> String {
        let usual = match self {
            Self::Turn { usual_degrees, .. } | Self::Spin { usual_degrees, .. } => {
                (usual_degrees >= 0.05).then(|| format!("{usual_degrees:.1}°"))
            }
            Self::Shift {
                distance,
                usual_distance,
            } => (!rests(usual_distance, distance)).then(|| Length(usual_distance).to_string()),
            Self::Growth { usual_amount, .. } => {
                (usual_amount >= 5e-4).then(|| format!("{usual_amount:.3}"))
            }
        };
        match usual {
            Some(usual) => format!("where {usual} are usual"),
            None => "where it rests".to_owned(),
        }
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
