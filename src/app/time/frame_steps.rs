//! Steps from frame to frame.

/// How far from a frame a time may lie and still be its own, in frames: clips end at times of single precision.
const TOLERANCE_FRAMES: f64 = 0.02;

/// Where a step from `from_secs` to `to_secs` leads in what loops: from its last frame to its first, and back. A step that
/// comes from within stops at the end first, so that the last frame is seen.
pub(super) fn go_round(
    from_secs: f64,
    to_secs: f64,
    (first_secs, last_secs): (f64, f64),
    frames_per_sec: f64,
) -> f64 {
    let near = TOLERANCE_FRAMES / frames_per_sec;
    let is_at = |end: f64| (from_secs - end).abs() <= near;
    if to_secs > last_secs + near && from_secs <= last_secs + near {
        if is_at(last_secs) {
            first_secs
        } else {
            last_secs
        }
    } else if to_secs < first_secs - near && from_secs >= first_secs - near {
        if is_at(first_secs) {
            last_secs
        } else {
            first_secs
        }
    } else {
        to_secs
    }
}

/// The time that lies `frames` after `time_secs`. From between two frames the first step goes to the one or the other.
pub(super) fn step_frames(time_secs: f64, frames_per_sec: f64, frames: i32) -> f64 {
    let at = time_secs * frames_per_sec;
    let frame = if (at - at.round()).abs() <= TOLERANCE_FRAMES {
        at.round()
    } else if frames > 0 {
        at.floor()
    } else {
        at.ceil()
    };
    (frame + f64::from(frames)) / frames_per_sec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_in_a_loop_go_round_at_its_ends() {
        // 2.4 s at 30 frames a second: frames 0 to 72, as files end.
        let last = f64::from(2.4_f32);
        let step = |from: f64, frames: i32| {
            let to = step_frames(from, 30.0, frames);
            go_round(from, to, (0.0, last), 30.0)
        };
        assert_eq!(step(last, 1), 0.0);
        assert_eq!(step(2.4, 1), 0.0);
        assert_eq!(step(0.0, -1), last);
        assert_eq!(step(0.0, -10), last);
        assert!((step(71.0 / 30.0, 1) - 2.4).abs() < 1e-6, "the last first");
        assert_eq!(step(70.0 / 30.0, 10), last);
        assert_eq!(step(3.0 / 30.0, -10), 0.0);
        assert!((step(1.0, 1) - 31.0 / 30.0).abs() < 1e-9);
        // A clip that ends between frames, and a range that time has not entered yet.
        let between = |from, to| go_round(from, to, (0.5, 1.01), 30.0);
        assert_eq!(between(1.0, 31.0 / 30.0), 1.01);
        assert_eq!(between(1.01, 31.0 / 30.0), 0.5);
        assert_eq!(between(0.2, 0.3), 0.3);
    }

    #[test]
    fn frame_steps_leave_out_no_frame() {
        let step = |frame: f64, frames| step_frames(frame / 30.0, 30.0, frames) * 30.0;
        for (from, frames, to) in [
            (3.0, 1, 4.0),
            (3.0, -1, 2.0),
            (3.4, 1, 4.0),
            (3.6, 1, 4.0),
            (3.4, -1, 3.0),
            (3.6, -1, 3.0),
            (3.6, -10, -6.0),
            (2.999_99, 1, 4.0),
            (3.000_01, -1, 2.0),
        ] {
            let found = step(from, frames);
            assert!((found - to).abs() < 1e-9, "{from} {frames:+}: {found}");
        }
    }
}
