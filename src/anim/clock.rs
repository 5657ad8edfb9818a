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

/// Time within a clip: from 0 to `duration_secs`, moved by [`Clock::tick`] alone.
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
    speed: f64,
    loop_mode: LoopMode,
    is_playing: bool,
    /// Whether ping-pong is on its way back.
    is_returning: bool,
}

impl Clock {
    /// The fastest speed, forwards and backwards.
    pub const MAX_SPEED: f64 = 4.0;

    /// A stopped clock at 0 for a clip of `duration_secs`.
    pub fn new(duration_secs: f64) -> Self {
        Self {
            time_secs: 0.0,
            duration_secs: duration_secs.max(0.0),
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

    /// Changes to a clip of `duration_secs` and goes to its beginning; whether time runs stays as it is.
    pub fn restart(&mut self, duration_secs: f64) {
        self.duration_secs = duration_secs.max(0.0);
        self.time_secs = if self.speed < 0.0 {
            self.duration_secs
        } else {
            0.0
        };
        self.is_returning = false;
    }

    /// Lets time run. At an end that it could not leave, it first goes to the other end.
    pub fn play(&mut self) {
        let at_end = self.time_secs >= self.duration_secs;
        let at_start = self.time_secs <= 0.0;
        if matches!(self.loop_mode, LoopMode::Once | LoopMode::Hold) {
            if self.speed > 0.0 && at_end {
                self.time_secs = 0.0;
            } else if self.speed < 0.0 && at_start {
                self.time_secs = self.duration_secs;
            }
        }
        self.is_playing = true;
    }

    /// Stops time.
    pub fn pause(&mut self) {
        self.is_playing = false;
    }

    /// Goes to a time, clamped to the clip; whether time runs stays as it is.
    pub fn seek(&mut self, time_secs: f64) {
        if time_secs.is_finite() {
            self.time_secs = time_secs.clamp(0.0, self.duration_secs);
        }
    }

    /// Sets the speed, clamped to −4..=4.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(-Self::MAX_SPEED, Self::MAX_SPEED);
        }
    }

    /// Says what happens at the end.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.loop_mode = loop_mode;
        self.is_returning = false;
    }

    /// Lets `elapsed_secs` of the user's time pass.
    pub fn tick(&mut self, elapsed_secs: f64) {
        if !self.is_moving() || !elapsed_secs.is_finite() || elapsed_secs <= 0.0 {
            return;
        }
        let direction = if self.is_returning { -1.0 } else { 1.0 };
        let time = self.time_secs + elapsed_secs * self.speed * direction;
        let duration = self.duration_secs;
        match self.loop_mode {
            LoopMode::Loop => self.time_secs = time.rem_euclid(duration).min(duration),
            LoopMode::PingPong => {
                // On the way back, time is the mirror image of a time that runs on: unfold, advance, fold.
                let period = 2.0 * duration;
                let unfolded = if self.is_returning {
                    period - time
                } else {
                    time
                };
                let phase = unfolded.rem_euclid(period);
                self.is_returning = phase > duration;
                self.time_secs = if self.is_returning {
                    period - phase
                } else {
                    phase
                };
            }
            LoopMode::Once if !(0.0..duration).contains(&time) => {
                self.time_secs = if self.speed < 0.0 { duration } else { 0.0 };
                self.is_playing = false;
            }
            LoopMode::Hold if !(0.0..duration).contains(&time) => {
                self.time_secs = time.clamp(0.0, duration);
                self.is_playing = false;
            }
            LoopMode::Once | LoopMode::Hold => self.time_secs = time,
        }
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
        clock.play();
        for &(elapsed, expected) in ticks {
            clock.tick(elapsed);
            let time = clock.time_secs();
            assert!(
                (time - expected).abs() < 1e-12,
                "{mode:?} ×{speed}: {time} instead of {expected}"
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
