//! The part of each clip that loops: it is kept while other clips play.

use std::collections::BTreeMap;

use crate::app::Session;

/// From where to where time runs, in seconds, as [`Clock::wanted_range_secs`](crate::anim::Clock::wanted_range_secs) gives it;
/// none is all of the clip.
pub(in crate::app) type Range = Option<(f64, f64)>;

/// Ranges by the index of their clip; none is the file's own pose, beside which clips may play.
#[derive(Debug, Clone, Default)]
pub(in crate::app) struct Ranges(BTreeMap<Option<usize>, (f64, f64)>);

impl Ranges {
    fn get(&self, clip: Option<usize>) -> Range {
        self.0.get(&clip).copied()
    }

    fn swap(&mut self, clip: Option<usize>, range: Range) -> Range {
        match range {
            Some(range) => self.0.insert(clip, range),
            None => self.0.remove(&clip),
        }
    }

    /// Those of clips that another model has; `clip_of` says where.
    pub(in crate::app) fn carried_to(self, clip_of: impl Fn(usize) -> Option<usize>) -> Self {
        let kept = self.0.into_iter().filter_map(|(clip, range)| {
            let clip = clip.map(|clip| clip_of(clip).ok_or(())).transpose();
            Some((clip.ok()?, range))
        });
        Self(kept.collect())
    }

    /// Takes those of clips up that were not there for a while; `clip_of` says where they are now, if they are.
    pub(in crate::app) fn take_up(
        &mut self,
        before: Self,
        clip_of: impl Fn(usize) -> Option<usize>,
    ) {
        for (clip, range) in before.0 {
            if let Some(clip) = clip.and_then(&clip_of) {
                self.0.insert(Some(clip), range);
            }
        }
    }
}

impl Session {
    /// The ranges of all clips.
    pub(in crate::app) fn ranges(&self) -> Ranges {
        let mut ranges = self.timeline.ranges.clone();
        ranges.swap(self.clip, self.clock.wanted_range_secs());
        ranges
    }

    /// Puts these in the place of those of all clips but the one in force, whose range the clock has.
    pub(in crate::app) fn restore_ranges(&mut self, ranges: Ranges) {
        self.timeline.ranges = ranges;
    }

    /// Another clip comes into force: the range of this one is kept.
    pub(in crate::app) fn keep_range(&mut self) {
        self.timeline.ranges = self.ranges();
    }

    /// The clip that has come into force has the range that it had.
    pub(in crate::app) fn recall_range(&mut self) {
        let range = self.timeline.ranges.swap(self.clip, None);
        self.clock.set_wanted_range(range);
    }

    /// That of a clip, be it in force or not.
    pub(in crate::app) fn range_of(&self, clip: Option<usize>) -> Range {
        if clip == self.clip {
            self.clock.wanted_range_secs()
        } else {
            self.timeline.ranges.get(clip)
        }
    }

    /// Gives a clip, be it in force or not, another range; returns the one that it had.
    pub(in crate::app) fn swap_range(&mut self, clip: Option<usize>, range: Range) -> Range {
        if clip != self.clip {
            return self.timeline.ranges.swap(clip, range);
        }
        let before = self.clock.wanted_range_secs();
        self.clock.set_wanted_range(range);
        before
    }

    /// Another model is shown: its clips are others.
    pub(in crate::app) fn forget_ranges(&mut self) {
        self.timeline.ranges = Ranges::default();
        self.clock.set_range(None);
    }
}
