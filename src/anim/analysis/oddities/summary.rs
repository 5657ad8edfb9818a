//! What is odd in a clip, in a line.

use std::collections::BTreeMap;

use super::{Limb, MAX_TOLD_POPS, Oddity, OddityKind, Seam, UnevenStep};

/// What of a clip is worth telling to somebody who has not asked for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How often nodes jump.
    pub pops: usize,
    /// How many nodes shake.
    pub jitters: usize,
    /// How many feet slide; ankle and toe are one.
    pub feet: usize,
    /// How many hands slide; wrist and fingers are one.
    pub hands: usize,
    /// How many nodes slide that are of no arm and no leg.
    pub others: usize,
    /// How far its ends are apart, if they should meet.
    pub gap: Option<Seam>,
    /// The first of all that, in time.
    pub first: Oddity,
}

impl Summary {
    /// Counts what is told of a clip, given in the order of time; none if that is nothing.
    pub fn of(oddities: &[Oddity]) -> Option<Self> {
        let told = oddities.iter().filter(|oddity| oddity.is_told);
        let mut this = Self {
            pops: 0,
            jitters: 0,
            feet: 0,
            hands: 0,
            others: 0,
            gap: None,
            first: *told.clone().next()?,
        };
        // By the tops of hands and feet.
        let mut slides = BTreeMap::new();
        for oddity in told {
            match oddity.kind {
                OddityKind::Pop(_) => this.pops += 1,
                OddityKind::Jitter(_) => this.jitters += 1,
                OddityKind::Slide { top, limb, .. }
                | OddityKind::Uneven(UnevenStep { top, limb, .. }) => {
                    slides.insert(top, limb);
                }
                OddityKind::Seam(seam) => this.gap = Some(seam),
            }
        }
        for limb in slides.values() {
            match limb {
                Limb::Leg => this.feet += 1,
                Limb::Arm => this.hands += 1,
                Limb::Neither => this.others += 1,
            }
        }
        Some(this)
    }

    /// Such as "2 pops, 1 foot slides, its ends do not meet (0.120 apart)".
    pub fn words(&self) -> String {
        let pops = match self.pops {
            0 => None,
            1 => Some("1 pop".to_owned()),
            MAX_TOLD_POPS => Some(format!("{MAX_TOLD_POPS} pops or more")),
            count => Some(format!("{count} pops")),
        };
        let jitters = match self.jitters {
            0 => None,
            1 => Some("1 node shakes".to_owned()),
            count => Some(format!("{count} nodes shake")),
        };
        let slide = |count: usize, one: &str, several: &str| match count {
            0 => None,
            1 => Some(format!("1 {one} slides")),
            count => Some(format!("{count} {several} slide")),
        };
        let feet = slide(self.feet, "foot", "feet");
        let hands = slide(self.hands, "hand", "hands");
        let others = slide(self.others, "node", "nodes");
        let gap = self.gap.map(|seam| {
            let apart = seam.joint.words(seam.size);
            format!("its ends do not meet ({apart})")
        });
        let parts: Vec<_> = [pops, jitters, feet, hands, others, gap]
            .into_iter()
            .flatten()
            .collect();
        parts.join(", ")
    }
}
