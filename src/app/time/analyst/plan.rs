//! Which clip is analysed next, and for how long there is time for those that nobody has chosen.

use std::time::Duration;

use super::Marks;

/// What the window wants to know, and what the thread has found. Both look at it, one after the other.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The clip that the timeline shows.
    pub(super) chosen: Option<usize>,
    /// Whether the list of clips can be seen.
    pub(super) is_list_shown: bool,
    /// Whether a thread works; also where none can: it is not tried again and again.
    pub(super) has_thread: bool,
    /// What the window has not taken yet.
    pub(super) found: Vec<(usize, Marks)>,
    is_known: Vec<bool>,
    /// Clips before this one are known.
    first_unknown: usize,
    /// For clips that nobody has chosen.
    time_left: Duration,
}

impl Plan {
    /// A plan for the clips that there are now: whether each is the one that it was here.
    pub(super) fn for_clips(&self, is_same: &[bool], budget: Duration) -> Self {
        let was_known = |clip: usize| self.is_known.get(clip) == Some(&true);
        let clips = is_same.iter().enumerate();
        Self {
            is_known: clips.map(|(clip, same)| *same && was_known(clip)).collect(),
            time_left: budget,
            ..Self::default()
        }
    }

    /// The clip that is to be analysed now: the one in force, or else the first that is not known, while there is time.
    pub(super) fn next(&mut self) -> Option<usize> {
        let unknown = |clip: &usize| self.is_known.get(*clip) == Some(&false);
        if let Some(chosen) = self.chosen.filter(unknown) {
            return Some(chosen);
        }
        if self.time_left.is_zero() {
            return None;
        }
        let known = self.is_known.iter().skip(self.first_unknown);
        self.first_unknown += known.take_while(|is_known| **is_known).count();
        Some(self.first_unknown).filter(|clip| *clip < self.is_known.len())
    }

    /// The next clip for the thread, which ends if there is none.
    pub(super) fn begin(&mut self) -> Option<usize> {
        let next = self.next();
        self.has_thread = next.is_some();
        next
    }

    /// Whether a clip that is being analysed is still to be: not if another one was chosen that is not known.
    pub(super) fn wants(&self, clip: usize) -> bool {
        let goes_first =
            |chosen: usize| chosen != clip && self.is_known.get(chosen) == Some(&false);
        !self.chosen.is_some_and(goes_first)
    }

    /// Takes note of what was found about a clip in that time, unless it was given up. True if that can be seen.
    pub(super) fn end(&mut self, clip: usize, took: Duration, found: Option<Marks>) -> bool {
        let is_chosen = self.chosen == Some(clip);
        if !is_chosen {
            self.time_left = self.time_left.saturating_sub(took);
        }
        let Some(marks) = found else {
            return false;
        };
        if let Some(is_known) = self.is_known.get_mut(clip) {
            *is_known = true;
        }
        // What is wrong is counted beside the file's name and listed, whichever clip is in force.
        let is_seen = is_chosen && marks.can_be_seen()
            || self.is_list_shown && marks.odd.is_some()
            || !marks.findings.is_empty();
        self.found.push((clip, marks));
        is_seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        anim::analysis::oddities::{MotionFinding, MotionWarning},
        model::NodeId,
        ui::{Marker, MarkerKind, OddClip},
    };

    const SECOND: Duration = Duration::from_secs(1);

    fn marks(has_marker: bool, is_odd: bool) -> Option<Marks> {
        let marker = Marker {
            kind: MarkerKind::Seam,
            from_secs: 1.0,
            to_secs: 1.0,
            node: None,
            is_odd,
            is_told: is_odd,
            words: String::new(),
        };
        let odd = OddClip {
            clip: 0,
            words: "1 pop".to_owned(),
            at_secs: 0.5,
            node: None,
        };
        Some(Marks {
            markers: has_marker.then_some(marker).into_iter().collect(),
            odd: is_odd.then_some(odd),
            ..Marks::default()
        })
    }

    fn plan_for(clips: usize, budget: Duration) -> Plan {
        Plan::default().for_clips(&vec![false; clips], budget)
    }

    /// All clips in the order in which they are analysed, each of which takes a second.
    fn order(plan: &mut Plan) -> Vec<usize> {
        let next = std::iter::from_fn(|| {
            let clip = plan.begin()?;
            plan.end(clip, SECOND, marks(true, false));
            Some(clip)
        });
        next.collect()
    }

    #[test]
    fn the_clip_in_force_comes_first_and_then_all_others() {
        let mut plan = plan_for(4, 10 * SECOND);
        plan.chosen = Some(2);
        assert_eq!(order(&mut plan), [2, 0, 1, 3]);
        assert!(!plan.has_thread);
        assert_eq!(plan.next(), None);
        assert_eq!(order(&mut plan_for(3, 10 * SECOND)), [0, 1, 2]);
        assert!(order(&mut plan_for(0, 10 * SECOND)).is_empty());
    }

    #[test]
    fn clips_that_are_as_they_were_are_not_analysed_again() {
        let mut plan = plan_for(3, 2 * SECOND);
        assert_eq!(order(&mut plan), [0, 1]);
        // The second is another one, and two have come.
        let mut plan = plan.for_clips(&[true, false, true, false, false], 10 * SECOND);
        assert!(plan.found.is_empty());
        assert_eq!(order(&mut plan), [1, 2, 3, 4]);
        let mut plan = plan.for_clips(&[true, true], 10 * SECOND);
        assert!(order(&mut plan).is_empty());
    }

    #[test]
    fn when_the_time_is_over_only_chosen_clips_are_looked_at() {
        let mut plan = plan_for(9, 3 * SECOND);
        plan.chosen = Some(4);
        // What was chosen costs nothing.
        assert_eq!(order(&mut plan), [4, 0, 1, 2]);
        for clip in [8, 3] {
            plan.chosen = Some(clip);
            assert_eq!(order(&mut plan), [clip]);
        }
        plan.chosen = None;
        assert!(order(&mut plan).is_empty());
    }

    #[test]
    fn a_clip_that_is_chosen_takes_the_place_of_the_one_at_work() {
        let mut plan = plan_for(3, 10 * SECOND);
        assert_eq!(plan.begin(), Some(0));
        assert!(plan.wants(0));
        plan.chosen = Some(2);
        assert!(!plan.wants(0));
        assert!(!plan.end(0, SECOND, None));
        assert_eq!(plan.time_left, 9 * SECOND);
        assert_eq!(order(&mut plan), [2, 0, 1]);
        // One that is known need not wait.
        let mut plan = plan_for(3, 10 * SECOND);
        plan.chosen = Some(0);
        plan.end(0, SECOND, marks(true, true));
        assert_eq!(plan.begin(), Some(1));
        assert!(plan.wants(1));
        // Nor is the one at work given up when it is chosen itself.
        plan.chosen = Some(1);
        assert!(plan.wants(1));
    }

    #[test]
    fn the_window_is_woken_for_what_can_be_seen_alone() {
        let mut plan = plan_for(9, 10 * SECOND);
        (plan.chosen, plan.is_list_shown) = (Some(0), true);
        assert!(plan.end(0, SECOND, marks(true, false)), "its own mark");
        assert!(!plan.end(0, SECOND, marks(false, false)), "nothing");
        assert!(!plan.end(1, SECOND, marks(true, false)), "of another clip");
        assert!(plan.end(2, SECOND, marks(true, true)), "a sign in the list");
        plan.is_list_shown = false;
        assert!(!plan.end(3, SECOND, marks(true, true)), "no list");
        let finding = MotionFinding {
            warning: MotionWarning {
                code: "CLIP_POP",
                clip: Some(4),
                place: None,
                message: String::new(),
            },
            clip: 4,
            node: NodeId(0),
            at_secs: 0.5,
        };
        let found = Marks {
            findings: vec![finding],
            ..Marks::default()
        };
        assert!(plan.end(4, SECOND, Some(found)), "what is wrong");
        assert_eq!(plan.found.len(), 6);
    }
}
