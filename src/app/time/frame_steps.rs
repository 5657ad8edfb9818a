//! Steps from frame to frame.

/// The time that lies `frames` after `time_secs`. From between two frames the first step goes to the one or the other.
pub(super) fn step_frames(time_secs: f64, frames_per_sec: f64, frames: i32) -> f64 {
    /// How far from a frame a time may lie and still be its own, in frames: clips end at times of single precision.
    const TOLERANCE_FRAMES: f64 = 0.02;
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
