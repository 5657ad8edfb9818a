//! What holds the session's camera: it goes from view to view without a jump.

use crate::scene::OrbitCamera;

/// The camera, and where it is going.
#[derive(Debug)]
pub(super) struct CameraRig {
    /// Where it is, or will be when it has arrived.
    orbit: OrbitCamera,
    /// On its way from another place.
    glide: Option<Glide>,
    /// On its way from another projection, or upright again.
    lens_glide: Option<Glide>,
    /// Whether it glides at all: without a window there is nobody to see it.
    is_smooth: bool,
}

/// A way to where the camera is going.
#[derive(Debug, Clone, Copy)]
struct Glide {
    from: OrbitCamera,
    elapsed_secs: f64,
}

/// How long the camera is on its way: long enough to see where it goes, too short to wait for.
const GLIDE_SECS: f64 = 0.2;

impl Glide {
    fn new(from: OrbitCamera) -> Self {
        Self {
            from,
            elapsed_secs: 0.0,
        }
    }

    /// 0..1 of the way, slow at both ends.
    fn part(&self) -> f32 {
        let part = (self.elapsed_secs / GLIDE_SECS).clamp(0.0, 1.0) as f32;
        part * part * (3.0 - 2.0 * part)
    }
}

impl CameraRig {
    /// A rig that looks at nothing in particular.
    pub(super) fn new() -> Self {
        Self {
            orbit: OrbitCamera::default(),
            glide: None,
            lens_glide: None,
            is_smooth: false,
        }
    }

    /// Says whether the camera glides from view to view.
    pub(super) fn set_smooth(&mut self, is_smooth: bool) {
        self.is_smooth = is_smooth;
    }

    /// The camera as it is now.
    pub(super) fn camera(&self) -> OrbitCamera {
        let mut camera = match &self.glide {
            Some(glide) => glide.from.between(&self.orbit, glide.part()),
            None => self.orbit,
        };
        (camera.flatness, camera.roll_radians) = match &self.lens_glide {
            Some(glide) => {
                let between = glide.from.between(&self.orbit, glide.part());
                (between.flatness, between.roll_radians)
            }
            None => (self.orbit.flatness, self.orbit.roll_radians),
        };
        camera
    }

    /// Where the camera will be when it has arrived.
    pub(super) fn destination(&self) -> OrbitCamera {
        self.orbit
    }

    /// Whether the next moment's picture is another one.
    pub(super) fn is_moving(&self) -> bool {
        self.glide.is_some() || self.lens_glide.is_some()
    }

    /// Lets time pass.
    pub(super) fn tick(&mut self, elapsed_secs: f64) {
        for glide in [&mut self.glide, &mut self.lens_glide] {
            if let Some(way) = glide {
                way.elapsed_secs += elapsed_secs;
            }
            glide.take_if(|glide| glide.elapsed_secs >= GLIDE_SECS);
        }
    }

    /// Is there at once.
    pub(super) fn jump(&mut self, to: OrbitCamera) {
        self.orbit = to;
        self.glide = None;
        self.lens_glide = None;
    }

    /// Goes there.
    pub(super) fn go(&mut self, to: OrbitCamera) {
        if !self.is_smooth {
            return self.jump(to);
        }
        let from = self.camera();
        let turns = (from.flatness, from.roll_radians) != (to.flatness, to.roll_radians);
        self.orbit = to;
        self.glide = (from != to).then(|| Glide::new(from));
        self.lens_glide = turns.then(|| Glide::new(from));
    }

    /// Lets a hand move the camera from where it is now; a change of projection goes on.
    pub(super) fn moved_by_hand(&mut self, act: impl FnOnce(&mut OrbitCamera)) {
        let now = self.camera();
        self.glide = None;
        self.orbit = OrbitCamera {
            flatness: self.orbit.flatness,
            roll_radians: self.orbit.roll_radians,
            ..now
        };
        act(&mut self.orbit);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn elsewhere() -> OrbitCamera {
        OrbitCamera {
            target: Vec3::new(3.0, 0.0, -1.0),
            azimuth_radians: 6.0,
            radius: 40.0,
            flatness: 1.0,
            ..OrbitCamera::default()
        }
    }

    #[test]
    fn a_glide_takes_a_fifth_of_a_second_and_never_jumps() {
        let mut rig = CameraRig::new();
        rig.set_smooth(true);
        rig.go(elsewhere());
        let mut before = rig.camera();
        assert_eq!(before, OrbitCamera::default());
        for _ in 0..100 {
            assert!(rig.is_moving());
            rig.tick(0.002_000_1);
            let now = rig.camera();
            // 40 / 4 over a hundred steps, one and a half times as fast in the middle.
            let ratio = now.radius / before.radius;
            assert!((0.999..1.05).contains(&ratio), "{ratio}");
            assert!(now.target.distance(before.target) < 0.06);
            before = now;
        }
        assert!(!rig.is_moving());
        assert_eq!(rig.camera(), elsewhere());
    }

    #[test]
    fn a_hand_takes_the_camera_from_where_it_is_and_the_projection_goes_on() {
        let mut rig = CameraRig::new();
        rig.set_smooth(true);
        rig.go(elsewhere());
        rig.tick(0.1);
        let before = rig.camera();
        rig.moved_by_hand(|_| {});
        assert_eq!(rig.camera(), before);
        rig.tick(1.0);
        let after = rig.camera();
        assert_eq!((after.radius, after.target), (before.radius, before.target));
        assert_eq!(after.flatness, 1.0);
    }

    #[test]
    fn without_a_window_it_is_there_at_once() {
        let mut rig = CameraRig::new();
        rig.go(elsewhere());
        assert!(!rig.is_moving());
        assert_eq!(rig.camera(), elsewhere());
    }
}
