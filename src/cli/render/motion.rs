//! Several frames of a model: at which times, and how the camera holds them all.

use super::{
    arguments::{Framing, SequenceArguments},
    eye::Eye,
};
use crate::{
    anim::USUAL_FRAME_RATE,
    app::Actor,
    model::Aabb,
    output::{self, TURN_SECS},
    scene::OrbitCamera,
};

/// Times nearer to the end than this are at the end: 25 frames at 30 a second are the 0.8333333 s of a clip.
const END_SECS: f64 = 1e-4;
/// Frames that are drawn at most: an hour.
pub(super) const MAX_FRAMES: u32 = 100_000;
/// Sides from which what stands still is looked at.
const MAX_TURNS: u32 = 64;
/// Vertices that are looked at to frame a motion: a second or less.
const MAX_VERTICES: usize = 20_000_000;

/// Frames a second at most where nobody asks for more: some clips have a key each millisecond.
const MOST_FPS: f64 = 60.0;

/// When frames are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Motion {
    pub(super) start_secs: f64,
    pub(super) fps: f64,
    pub(super) frames: u32,
    /// Where it begins again.
    pub(super) loop_secs: Option<f64>,
    pub(super) is_turntable: bool,
    /// Whether the last frame is the end, after which it does not begin again.
    pub(super) ends: bool,
}

impl Motion {
    /// What is asked for of a clip of this length and of so many frames a second; `is_whole` frames are as many as once through
    /// the clip.
    pub(super) fn new(
        arguments: &SequenceArguments,
        start_secs: f64,
        clip: Option<(f64, f64)>,
        is_whole: bool,
    ) -> Self {
        let own_rate = clip.map(|(_, rate)| rate.clamp(1.0, MOST_FPS));
        let fps = arguments.fps.or(own_rate).unwrap_or(USUAL_FRAME_RATE);
        let clip_secs = clip.map(|(secs, _)| secs).filter(|&secs| secs > 0.0);
        let by_itself = match clip_secs {
            Some(secs) if is_whole || arguments.turntable => secs,
            None if arguments.turntable => TURN_SECS,
            _ => 0.0,
        };
        let by_itself = (by_itself * fps).round().max(1.0) as u32;
        let frames = arguments.frames.unwrap_or(by_itself);
        Self {
            start_secs,
            fps,
            frames,
            // A single picture is of the very time that is asked for.
            loop_secs: clip_secs.filter(|_| !arguments.no_loop && frames > 1),
            is_turntable: arguments.turntable,
            ends: arguments.no_loop,
        }
    }

    /// This motion from another moment on.
    pub(super) fn from(self, start_secs: f64) -> Self {
        Self { start_secs, ..self }
    }

    /// The moment of a frame: in a fixed step from the start, and again from the beginning once it is past the end, which
    /// every round reaches.
    pub(super) fn time_secs(&self, frame: u32) -> f64 {
        let time = self.start_secs + f64::from(frame) / self.fps;
        match self.loop_secs {
            Some(end) if time > end + END_SECS => match time.rem_euclid(end) {
                since if since < END_SECS => end,
                since => since,
            },
            _ => time,
        }
    }

    /// How far the camera has gone around: all of it with the last frame, where it ends there, else with the one after.
    pub(super) fn turn_radians(&self, frame: u32) -> f32 {
        if self.is_turntable {
            let steps = self.frames.saturating_sub(self.ends.into());
            std::f32::consts::TAU * frame as f32 / steps.max(1) as f32
        } else {
            0.0
        }
    }

    /// From where all of it is seen, well enough to know how far away that has to be.
    pub(super) fn turns(&self) -> impl Iterator<Item = f32> {
        let most = if self.is_turntable { MAX_TURNS } else { 1 };
        self.spread(most).map(|frame| self.turn_radians(frame))
    }

    /// So many frames at most, the first and the last among them.
    pub(super) fn spread(&self, most: u32) -> impl Iterator<Item = u32> + Clone + use<> {
        output::spread(self.frames, most)
    }
}

/// Puts the eye where it sees what is asked for. Returns the box that all of it is in.
pub(super) fn frame(
    eye: &mut Eye,
    actor: &mut Actor,
    clip: Option<usize>,
    motion: &Motion,
    framing: Framing,
    aspect: f32,
) -> Aabb {
    actor.pose_at(clip, motion.time_secs(0));
    if framing == Framing::Pose || actor.crowd().is_some() {
        eye.frame_pose(actor, aspect, motion.turns());
        return actor.bounds();
    }
    let primitives = actor
        .layout()
        .placements()
        .iter()
        .flat_map(|placement| actor.model().meshes[placement.mesh].primitives.iter());
    let vertices: usize = primitives
        .map(|primitive| primitive.vertices.positions.len())
        .sum();
    let most = (MAX_VERTICES / vertices.max(1)).clamp(8, 64) as u32;
    let mut bounds = Aabb::EMPTY;
    for frame in motion.spread(most) {
        actor.pose_at(clip, motion.time_secs(frame));
        bounds = bounds.union(actor.measure());
    }
    if !motion.is_turntable
        && let Some(mut silhouette) = eye.silhouette(&bounds, 0.0, aspect)
    {
        let mut points = Vec::new();
        for frame in motion.spread(most) {
            actor.pose_at(clip, motion.time_secs(frame));
            points.clear();
            actor.add_points(&mut points);
            for point in &points {
                silhouette.add(*point);
            }
        }
        eye.take_middle(&silhouette);
        actor.pose_at(clip, motion.time_secs(0));
        return bounds;
    }
    let mut farthest = 0.0_f32;
    for frame in motion.spread(most) {
        let Some(camera) = eye.orbit(motion.turn_radians(frame)) else {
            break;
        };
        actor.pose_at(clip, motion.time_secs(frame));
        farthest = farthest.max(distance(actor, camera, &bounds, aspect));
    }
    // Without nodes there is nothing to look at.
    if !bounds.is_empty() {
        eye.take(bounds.center(), farthest);
    }
    actor.pose_at(clip, motion.time_secs(0));
    bounds
}

/// How far from the middle of `bounds` the camera has to be to see all of the pose, which lies in them.
fn distance(actor: &Actor, mut camera: OrbitCamera, bounds: &Aabb, aspect: f32) -> f32 {
    let mut points = Vec::new();
    actor.add_points(&mut points);
    camera.frame(bounds, points.into_iter(), aspect);
    camera.radius
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(frames: u32, loop_secs: Option<f64>) -> Motion {
        Motion {
            start_secs: 0.0,
            fps: 30.0,
            frames,
            loop_secs,
            is_turntable: false,
            ends: false,
        }
    }

    #[test]
    fn a_turn_that_ends_is_complete_in_its_last_frame() {
        for (no_loop, expected) in [
            (false, [0.0, 0.25, 0.5, 0.75]),
            (true, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]),
        ] {
            let arguments = SequenceArguments {
                format: None,
                frames: Some(4),
                fps: None,
                no_loop,
                turntable: true,
                sheet: None,
            };
            let turning = Motion::new(&arguments, 0.0, None, false);
            for (frame, part) in (0..).zip(expected) {
                let turn = turning.turn_radians(frame) / std::f32::consts::TAU;
                assert!((turn - part).abs() < 1e-6, "{no_loop} {frame}: {turn}");
            }
        }
    }

    #[test]
    fn time_begins_again_only_past_the_end() {
        let clip = motion(60, Some(f64::from(25.0_f32 / 30.0)));
        assert_eq!(clip.time_secs(7), 7.0 / 30.0);
        assert_eq!(clip.time_secs(25), 25.0 / 30.0);
        assert!((clip.time_secs(26) - 1.0 / 30.0).abs() < 1e-6);
        // All rounds reach the end.
        let second = motion(100, Some(1.0));
        for frame in [30, 60, 90] {
            assert_eq!(second.time_secs(frame), 1.0);
            assert!((second.time_secs(frame + 1) - 1.0 / 30.0).abs() < 1e-6);
        }
        assert_eq!(motion(60, None).time_secs(59), 59.0 / 30.0);
        let late = Motion {
            start_secs: -0.5,
            ..motion(3, Some(1.0))
        };
        assert_eq!(late.time_secs(0), -0.5);
    }

    #[test]
    fn a_single_picture_never_loops() {
        let arguments = |frames| SequenceArguments {
            format: None,
            frames,
            fps: None,
            no_loop: false,
            turntable: false,
            sheet: None,
        };
        let refused = SequenceArguments {
            fps: Some(60.0),
            ..arguments(None)
        };
        let told = refused.check(false).unwrap_err().to_string();
        assert!(
            told.contains("--frames") && told.contains(".webp"),
            "{told}"
        );
        let still = Motion::new(&arguments(None), 5.0, Some((1.0, 30.0)), false);
        assert_eq!((still.frames, still.time_secs(0)), (1, 5.0));
        let moving = Motion::new(&arguments(Some(2)), 5.25, Some((1.0, 30.0)), false);
        assert!((moving.time_secs(0) - 0.25).abs() < 1e-9);
    }
}
