//! What the user chose about the time of each clip, the part that loops and the frame rate: it is kept while other clips play.

use std::collections::BTreeMap;

use super::frame_rate::FrameRate;
use crate::app::Session;

/// From where to where time runs, in seconds, as [`Clock::wanted_range_secs`](crate::anim::Clock::wanted_range_secs) gives it;
/// none is all of the clip.
pub(in crate::app) type Range = Option<(f64, f64)>;

/// What was chosen of one clip.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Chosen {
    range: Range,
    /// Frames a second, if the user has set them.
    frames_per_sec: Option<f64>,
}

/// That of each clip by its index; none is the file's own pose, beside which clips may play.
#[derive(Debug, Clone, Default)]
pub(in crate::app) struct ClipTimes(BTreeMap<Option<usize>, Chosen>);

impl ClipTimes {
    fn get(&self, clip: Option<usize>) -> Chosen {
        self.0.get(&clip).copied().unwrap_or_default()
    }

    fn swap(&mut self, clip: Option<usize>, chosen: Chosen) -> Chosen {
        let before = if chosen == Chosen::default() {
            self.0.remove(&clip)
        } else {
            self.0.insert(clip, chosen)
        };
        before.unwrap_or_default()
    }

    /// That of clips that another model has; `clip_of` says where.
    pub(in crate::app) fn carried_to(self, clip_of: impl Fn(usize) -> Option<usize>) -> Self {
        let kept = self.0.into_iter().filter_map(|(clip, chosen)| {
            let clip = clip.map(|clip| clip_of(clip).ok_or(())).transpose();
            Some((clip.ok()?, chosen))
        });
        Self(kept.collect())
    }

    /// Takes that of clips up that were not there for a while; `clip_of` says where they are now, if they are.
    pub(in crate::app) fn take_up(
        &mut self,
        before: Self,
        clip_of: impl Fn(usize) -> Option<usize>,
    ) {
        for (clip, chosen) in before.0 {
            if let Some(clip) = clip.and_then(&clip_of) {
                self.0.insert(Some(clip), chosen);
            }
        }
    }
}

impl Session {
    /// What was chosen of all clips.
    pub(in crate::app) fn clip_times(&self) -> ClipTimes {
        let mut times = self.timeline.times.clone();
        let chosen = Chosen {
            range: self.clock.wanted_range_secs(),
            frames_per_sec: self.timeline.rate.set_per_sec(),
        };
        times.swap(self.clip, chosen);
        times
    }

    /// Puts this in the place of what was chosen of all clips but the one in force, whose range the clock has.
    pub(in crate::app) fn restore_times(&mut self, times: ClipTimes) {
        self.timeline.times = times;
    }

    /// Another clip comes into force: what was chosen of this one is kept.
    pub(in crate::app) fn keep_times(&mut self) {
        self.timeline.times = self.clip_times();
    }

    /// The clip that has come into force has the range that it had, and the rate that was set for it.
    pub(in crate::app) fn recall_times(&mut self) {
        let chosen = self.timeline.times.swap(self.clip, Chosen::default());
        self.clock.set_wanted_range(chosen.range);
        if let Some(frames_per_sec) = chosen.frames_per_sec {
            self.timeline.rate = FrameRate::Set(frames_per_sec);
        }
    }

    /// The range of a clip, be it in force or not.
    pub(in crate::app) fn range_of(&self, clip: Option<usize>) -> Range {
        if clip == self.clip {
            self.clock.wanted_range_secs()
        } else {
            self.timeline.times.get(clip).range
        }
    }

    /// Gives a clip, be it in force or not, another range; returns the one that it had.
    pub(in crate::app) fn swap_range(&mut self, clip: Option<usize>, range: Range) -> Range {
        if clip != self.clip {
            let before = self.timeline.times.get(clip);
            let chosen = Chosen { range, ..before };
            return self.timeline.times.swap(clip, chosen).range;
        }
        let before = self.clock.wanted_range_secs();
        self.clock.set_wanted_range(range);
        before
    }

    /// Another model is shown: its clips are others.
    pub(in crate::app) fn forget_times(&mut self) {
        self.timeline.times = ClipTimes::default();
        self.clock.set_range(None);
        self.timeline.rate = FrameRate::Unknown;
    }
}
