//! The clock: the one place where time runs, loops and stops.

/// What happens when the clip ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LoopMode {
    /// Start again.
    #[default]
    Loop,
    /// Go back the way it came, and so on.
    PingPong,
    /// Stop, and return to the first frame.
    Once,
    /// Stop at the last frame.
    Hold,
}

/// Time within a clip: from 0 to `duration_secs`, moved by [`Clock::tick`] alone. Where a range is set, it runs there only;
/// the loop mode is then about the range's ends.
///
/// It does not know the system's clock, so that every test and every exported frame is exact:
///
/// ```
/// use rigscope::anim::{Clock, LoopMode};
/// let mut clock = Clock::new(2.0);
/// clock.set_loop_mode(LoopMode::PingPong);
/// clock.play();
/// clock.tick(2.5);
/// assert_eq!(clock.time_secs(), 1.5);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Clock {
    time_secs: f64,
    duration_secs: f64,
    /// Where time runs, if not all over the clip: longer than nothing, and within it.
    range_secs: Option<(f64, f64)>,
    /// See [`Self::wanted_range_secs`].
    wanted_range_secs: Option<(f64, f64)>,
    speed: f64,
    loop_mode: LoopMode,
    is_playing: bool,
    /// Whether ping-pong is on its way back.
    is_returning: bool,
}

/// The fastest speed of a [`Clock`], forwards and backwards.
pub const MAX_SPEED: f64 = 4.0;

impl Clock {
    /// Shorter ranges are none.
    pub const SHORTEST_RANGE_SECS: f64 = 1e-4;

    /// A stopped clock at 0 for a clip of `duration_secs`.
    pub fn new(duration_secs: f64) -> Self {
        Self {
            time_secs: 0.0,
            duration_secs: duration_secs.max(0.0),
            range_secs: None,
            wanted_range_secs: None,
            speed: 1.0,
            loop_mode: LoopMode::default(),
            is_playing: false,
            is_returning: false,
        }
    }

    /// Now, in 0..=duration.
    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }

    /// The clip's length.
    pub fn duration_secs(&self) -> f64 {
        self.duration_secs
    }

    /// From where to where time runs, if not all over the clip.
    pub fn range_secs(&self) -> Option<(f64, f64)> {
        self.range_secs
    }

    /// From where to where time runs: the range, or the clip.
    pub fn bounds_secs(&self) -> (f64, f64) {
        self.range_secs.unwrap_or((0.0, self.duration_secs))
    }

    /// Lets time run from one of these times to the other, or all over the clip. What is no part of the clip, or all of
    /// it, is no range. Where time is stays as it is: it enters the range with the next tick.
    pub fn set_range(&mut self, range_secs: Option<(f64, f64)>) {
        let duration = self.duration_secs;
        self.range_secs = range_secs
            .filter(|(from, to)| from.is_finite() && to.is_finite())
            .map(|(a, b)| (a.min(b).max(0.0), a.max(b).min(duration)))
            .filter(|(from, to)| to - from >= Self::SHORTEST_RANGE_SECS)
            .filter(|(from, to)| *from > 0.0 || *to < duration);
        self.wanted_range_secs = self.range_secs.map(|(from, to)| {
            // Also of a clip that has another length.
            let is_end = to >= duration;
            (from, if is_end { f64::INFINITY } else { to })
        });
    }

    /// The range as it was set, though the clip may have become too short for it: what is the clip's end is infinite.
    pub fn wanted_range_secs(&self) -> Option<(f64, f64)> {
        self.wanted_range_secs
    }

    /// Sets what [`Self::wanted_range_secs`] gave of this clip: time runs there as far as that is within it.
    pub fn set_wanted_range(&mut self, wanted_secs: Option<(f64, f64)>) {
        let duration = self.duration_secs;
        self.set_range(wanted_secs.map(|(from, to)| (from, to.min(duration))));
        self.wanted_range_secs = wanted_secs;
    }

    /// Factor on the passing of time, in −4..=4.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// What happens at the end.
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Whether time runs.
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Whether the next tick will change the time.
    pub fn is_moving(&self) -> bool {
        self.is_playing && self.speed != 0.0 && self.duration_secs > 0.0
    }

    /// Whether time runs towards the beginning, if it runs.
    pub fn is_backward(&self) -> bool {
        (self.speed < 0.0) != self.is_returning
    }

    /// Changes to a clip of `duration_secs`, all of it, and goes to its beginning; whether time runs stays as it is.
    pub fn restart(&mut self, duration_secs: f64) {
        self.set_range(None);
        self.duration_secs = duration_secs.max(0.0);
        self.time_secs = if self.speed < 0.0 {
            self.duration_secs
        } else {
            0.0
        };
        self.is_returning = false;
    }

    /// Says that the clip has another length; time and range stay where they are, as far as that is within the clip.
    pub fn set_duration(&mut self, duration_secs: f64) {
        self.duration_secs = duration_secs.max(0.0);
        self.time_secs = self.time_secs.min(self.duration_secs);
        self.set_range(self.range_secs);
    }

    /// [`Self::set_duration`] of a clip that was saved with another length: its range is the wanted one.
    pub fn renew(&mut self, duration_secs: f64) {
        let wanted_secs = self.wanted_range_secs;
        self.set_duration(duration_secs);
        self.set_wanted_range(wanted_secs);
    }

    /// Lets time run. At an end that it could not leave, it first goes to the other end.
    pub fn play(&mut self) {
        let (start, end) = self.bounds_secs();
        let at_end = self.time_secs >= end;
        let at_start = self.time_secs <= start;
        if matches!(self.loop_mode, LoopMode::Once | LoopMode::Hold) {
            if self.speed > 0.0 && at_end {
                self.time_secs = start;
            } else if self.speed < 0.0 && at_start {
                self.time_secs = end;
            }
        }
        self.is_playing = true;
    }

    /// Stops time.
    pub fn pause(&mut self) {
        self.is_playing = false;
    }

    /// Goes to a time, clamped to the clip; whether time runs stays as it is. Ping-pong goes on from there as on its way
    /// out.
    pub fn seek(&mut self, time_secs: f64) {
        if time_secs.is_finite() {
            self.time_secs = time_secs.clamp(0.0, self.duration_secs);
            self.is_returning = false;
        }
    }

    /// Sets the speed, clamped to −4..=4.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(-MAX_SPEED, MAX_SPEED);
        }
    }

    /// Says what happens at the end.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.loop_mode = loop_mode;
        self.is_returning = false;
    }

    /// Runs as another clock does from now on, from where this one is: with its speed and loop mode, or not at all.
    pub fn run_as(&mut self, other: &Self) {
        self.speed = other.speed;
        self.is_playing = other.is_playing;
        // In the same mode it stays on its way.
        if self.loop_mode != other.loop_mode {
            self.set_loop_mode(other.loop_mode);
        }
    }

    /// Lets `elapsed_secs` of the user's time pass.
    pub fn tick(&mut self, elapsed_secs: f64) {
        if !self.is_moving() || !elapsed_secs.is_finite() || elapsed_secs <= 0.0 {
            return;
        }
        let direction = if self.is_returning { -1.0 } else { 1.0 };
        let (start, end) = self.bounds_secs();
        let length = end - start;
        // Since the start of the range. From outside, time enters it at the nearer end.
        let from = self.time_secs.clamp(start, end) - start;
        let time = from + elapsed_secs * self.speed * direction;
        let time = match self.loop_mode {
            LoopMode::Loop => time.rem_euclid(length).min(length),
            LoopMode::PingPong => {
                // On the way back, time is the mirror image of a time that runs on: unfold, advance, fold.
                let period = 2.0 * length;
                let unfolded = if self.is_returning {
                    period - time
                } else {
                    time
                };
                let phase = unfolded.rem_euclid(period);
                self.is_returning = phase > length;
                if self.is_returning {
                    period - phase
                } else {
                    phase
                }
            }
            LoopMode::Once if !(0.0..length).contains(&time) => {
                self.is_playing = false;
                if self.speed < 0.0 { length } else { 0.0 }
            }
            LoopMode::Hold if !(0.0..length).contains(&time) => {
                self.is_playing = false;
                time.clamp(0.0, length)
            }
            LoopMode::Once | LoopMode::Hold => time,
        };
        self.time_secs = (start + time).min(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mode: LoopMode, speed: f64, ticks: &[(f64, f64)]) {
        let mut clock = Clock::new(2.0);
        clock.set_loop_mode(mode);
        clock.set_speed(speed);
        clock.restart(2.0);
        check_ticks(clock, ticks);
    }

    #[track_caller]
    fn check_ticks(mut clock: Clock, ticks: &[(f64, f64)]) {
        let (mode, speed, from) = (clock.loop_mode(), clock.speed(), clock.time_secs());
        clock.play();
        for &(elapsed, expected) in ticks {
            clock.tick(elapsed);
            let time = clock.time_secs();
            assert!(
                (time - expected).abs() < 1e-12,
                "{mode:?} ×{speed} from {from}: {time} instead of {expected}"
            );
        }
    }

    #[test]
    fn loops() {
        check(LoopMode::Loop, 1.0, &[(1.5, 1.5), (1.0, 0.5), (20.0, 0.5)]);
        check(LoopMode::Loop, -1.0, &[(0.5, 1.5), (2.0, 1.5)]);
        check(LoopMode::Loop, 4.0, &[(0.25, 1.0), (0.5, 1.0)]);
    }

    #[test]
    fn ping_pong_goes_on_forwards_from_where_one_goes() {
        let mut clock = Clock::new(2.0);
        clock.set_loop_mode(LoopMode::PingPong);
        clock.play();
        clock.tick(2.5);
        clock.seek(1.0);
        clock.tick(0.25);
        assert_eq!(clock.time_secs(), 1.25);
    }

    #[test]
    fn ping_pong_returns() {
        check(
            LoopMode::PingPong,
            1.0,
            &[(1.5, 1.5), (1.0, 1.5), (1.0, 0.5), (1.0, 0.5)],
        );
        check(LoopMode::PingPong, -1.0, &[(0.5, 1.5), (2.0, 0.5)]);
        check(LoopMode::PingPong, 1.0, &[(100.5, 0.5)]);
    }

    #[test]
    fn once_stops_at_the_start_and_hold_at_the_end() {
        check(LoopMode::Once, 1.0, &[(1.5, 1.5), (1.0, 0.0), (1.0, 0.0)]);
        check(LoopMode::Hold, 1.0, &[(1.5, 1.5), (1.0, 2.0), (1.0, 2.0)]);
        check(LoopMode::Hold, -1.0, &[(1.5, 0.5), (1.0, 0.0), (1.0, 0.0)]);
    }

    #[track_caller]
    fn check_range(mode: LoopMode, speed: f64, from: f64, ticks: &[(f64, f64)]) {
        let mut clock = Clock::new(10.0);
        clock.set_loop_mode(mode);
        clock.set_speed(speed);
        clock.set_range(Some((4.0, 6.0)));
        clock.seek(from);
        check_ticks(clock, ticks);
    }

    #[test]
    fn a_range_is_all_that_is_played() {
        check_range(
            LoopMode::Loop,
            1.0,
            4.0,
            &[(1.5, 5.5), (1.0, 4.5), (20.0, 4.5)],
        );
        check_range(LoopMode::Loop, -0.5, 4.5, &[(2.0, 5.5)]);
        check_range(LoopMode::PingPong, 1.0, 4.0, &[(3.0, 5.0), (1.5, 4.5)]);
        check_range(LoopMode::Once, 1.0, 5.0, &[(1.5, 4.0), (1.0, 4.0)]);
        check_range(LoopMode::Hold, 1.0, 5.0, &[(1.5, 6.0), (1.0, 6.0)]);
        check_range(LoopMode::Hold, -2.0, 5.0, &[(1.5, 4.0), (1.0, 4.0)]);
        // From outside.
        check_range(LoopMode::Loop, 1.0, 1.0, &[(0.5, 4.5)]);
        check_range(LoopMode::Loop, -1.0, 9.0, &[(0.5, 5.5)]);
        check_range(LoopMode::Hold, 1.0, 9.0, &[(0.5, 4.5)]);
    }

    #[test]
    fn ranges_are_parts_of_the_clip_and_end_with_it() {
        let mut clock = Clock::new(10.0);
        let mut check = |range, expected| {
            clock.set_range(range);
            assert_eq!(clock.range_secs(), expected, "{range:?}");
        };
        check(Some((6.0, 4.0)), Some((4.0, 6.0)));
        check(Some((-3.0, 4.0)), Some((0.0, 4.0)));
        check(Some((4.0, 40.0)), Some((4.0, 10.0)));
        for none in [(4.0, 4.0), (0.0, 10.0), (-1.0, 11.0), (12.0, 13.0)] {
            check(Some(none), None);
        }
        check(Some((f64::NAN, 3.0)), None);
        check(Some((1.0, 2.0)), Some((1.0, 2.0)));
        assert_eq!(clock.bounds_secs(), (1.0, 2.0));
        clock.restart(5.0);
        assert_eq!(clock.bounds_secs(), (0.0, 5.0));
    }

    #[test]
    fn a_range_is_as_it_was_set_once_the_clip_is_long_enough_again() {
        let check = |range, of_shorter, of_longer| {
            let mut clock = Clock::new(1.0);
            clock.set_range(Some(range));
            clock.renew(0.5);
            assert_eq!(clock.range_secs(), of_shorter, "{range:?}");
            clock.renew(1.0);
            assert_eq!(clock.range_secs(), Some(range));
            clock.renew(2.0);
            assert_eq!(clock.range_secs(), Some(of_longer));
            let wanted = clock.wanted_range_secs();
            clock.restart(1.0);
            assert_eq!(clock.wanted_range_secs(), None);
            clock.set_wanted_range(wanted);
            assert_eq!(clock.range_secs(), Some(range));
        };
        // The end of the clip stays that.
        check((0.2, 1.0), Some((0.2, 0.5)), (0.2, 2.0));
        check((0.2, 0.9), Some((0.2, 0.5)), (0.2, 0.9));
        check((0.6, 0.9), None, (0.6, 0.9));
        check((0.0, 0.7), None, (0.0, 0.7));
        // Clips that join a mix and leave it are other ones.
        let mut clock = Clock::new(1.0);
        clock.set_range(Some((0.2, 0.9)));
        for (duration, range) in [(0.5, (0.2, 0.5)), (1.0, (0.2, 0.5))] {
            clock.set_duration(duration);
            assert_eq!(clock.range_secs(), Some(range));
        }
    }

    #[test]
    fn plays_again_after_it_ended() {
        let mut clock = Clock::new(2.0);
        clock.set_loop_mode(LoopMode::Hold);
        clock.play();
        clock.tick(3.0);
        assert!(!clock.is_playing());
        clock.play();
        clock.tick(0.5);
        assert_eq!(clock.time_secs(), 0.5);
    }

    #[test]
    fn a_clip_without_length_stands_still() {
        let mut clock = Clock::new(0.0);
        clock.play();
        clock.tick(1.0);
        assert_eq!(clock.time_secs(), 0.0);
        assert!(!clock.is_moving());
    }

    #[test]
    fn nonsense_is_ignored() {
        let mut clock = Clock::new(2.0);
        clock.play();
        for nonsense in [f64::NAN, f64::INFINITY, -1.0] {
            clock.tick(nonsense);
        }
        clock.seek(f64::NAN);
        clock.set_speed(f64::NAN);
        assert_eq!((clock.time_secs(), clock.speed()), (0.0, 1.0));
        clock.set_speed(9.0);
        assert_eq!(clock.speed(), 4.0);
    }
}
