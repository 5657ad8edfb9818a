//! What holds the session's camera: it goes from view to view without a jump, goes along with a node, and flies.

use glam::Vec3;

use super::follow::Root;
use crate::{anim::blend::smoothstep, model::NodeId, scene::OrbitCamera, ui::Flight};

/// The camera, where it is going, and what it goes along with.
#[derive(Debug)]
pub(in crate::app) struct CameraRig {
    /// Width over height of the viewport; none before the first frame.
    pub(super) aspect: Option<f32>,
    /// Where it is, or will be when it has arrived; what it follows moves it from there.
    orbit: OrbitCamera,
    /// On its way from another place.
    glide: Option<Glide>,
    /// On its way from another projection, or upright again.
    lens_glide: Option<Glide>,
    /// Whether it glides at all: without a window there is nobody to see it.
    is_smooth: bool,
    /// The node whose camera is looked through; the free one goes along with it.
    file_camera: Option<NodeId>,
    follow: Option<Follow>,
    pub(in crate::app) follows_on_ground: bool,
    pub(super) flies: bool,
    pub(super) flight: Flight,
    /// Speed of a flight, in sizes of the model a second.
    fly_pace: f32,
    pub(super) root: Root,
    pub(in crate::app) shows_path: bool,
    /// Where a model was first seen from.
    first: Option<OrbitCamera>,
}

/// What the camera goes along with. Where it is comes from where the node is alone, so that nothing adds up.
#[derive(Debug, Clone, Copy, Default)]
struct Follow {
    node: Option<NodeId>,
    /// Where the node was when the camera began to follow it.
    anchor: Option<Vec3>,
    /// How far it has gone since.
    shift: Vec3,
}

impl Follow {
    /// How far the node has gone when it is at `place`.
    fn shift_to(&self, place: Vec3, on_ground: bool) -> Vec3 {
        let mut shift = self.anchor.map_or(Vec3::ZERO, |anchor| place - anchor);
        if on_ground {
            shift.y = 0.0;
        }
        shift
    }
}

/// A camera as it was at a moment, whatever a hand does to it from then on: it goes along with what it followed then, and
/// looks through what it looked through.
#[derive(Debug, Clone, Copy)]
pub(in crate::app) struct HeldCamera {
    /// Without what it follows.
    pub(in crate::app) orbit: OrbitCamera,
    pub(in crate::app) file_camera: Option<NodeId>,
    follow: Option<Follow>,
    follows_on_ground: bool,
}

impl HeldCamera {
    /// The node that it goes along with.
    pub(in crate::app) fn followed(&self) -> Option<NodeId> {
        self.follow.and_then(|follow| follow.node)
    }

    /// Where it is while that node is at `place`.
    pub(in crate::app) fn at(&self, place: Option<Vec3>) -> OrbitCamera {
        let shift = self.follow.map(|follow| match place {
            Some(place) => follow.shift_to(place, self.follows_on_ground),
            None => follow.shift,
        });
        let mut camera = self.orbit;
        camera.target += shift.unwrap_or_default();
        camera
    }
}

/// A way to where the camera is going.
#[derive(Debug, Clone, Copy)]
struct Glide {
    from: OrbitCamera,
    elapsed_secs: f64,
}

/// How long the camera is on its way: long enough to see where it goes, too short to wait for.
const GLIDE_SECS: f64 = 0.2;

/// Sizes of the model that an unhurried flight makes in a second, at first, at least and at most.
const USUAL_PACE: f32 = 0.5;
const PACES: [f32; 2] = [0.005, 50.0];
/// How much faster a hurried one is.
const HURRY: f32 = 4.0;
/// How much faster a notch of the wheel makes it.
const PACE_A_NOTCH: f32 = 1.25;

impl Glide {
    fn new(from: OrbitCamera) -> Self {
        Self {
            from,
            elapsed_secs: 0.0,
        }
    }

    /// 0..1 of the way, slow at both ends.
    fn part(&self) -> f32 {
        smoothstep((self.elapsed_secs / GLIDE_SECS) as f32)
    }
}

impl CameraRig {
    /// A rig that looks at nothing in particular.
    pub(in crate::app) fn new() -> Self {
        Self {
            aspect: None,
            orbit: OrbitCamera::default(),
            glide: None,
            lens_glide: None,
            is_smooth: false,
            file_camera: None,
            follow: None,
            follows_on_ground: false,
            flies: false,
            flight: Flight::default(),
            fly_pace: USUAL_PACE,
            root: Root::default(),
            shows_path: false,
            first: None,
        }
    }

    /// Takes note that a model is first seen from here.
    pub(in crate::app) fn note_first(&mut self) {
        self.first = Some(self.orbit);
    }

    /// Whether nobody has moved the camera since, nor lets it go along with anything.
    pub(in crate::app) fn is_first(&self) -> bool {
        let is_still = self.glide.is_none() && self.lens_glide.is_none();
        let is_free = self.file_camera.is_none() && self.follow.is_none() && !self.flies;
        is_still && is_free && self.first == Some(self.orbit)
    }

    /// Says whether the camera glides from view to view.
    pub(super) fn set_smooth(&mut self, is_smooth: bool) {
        self.is_smooth = is_smooth;
    }

    /// The camera as it is now.
    pub(super) fn camera(&self) -> OrbitCamera {
        self.followed(self.unfollowed())
    }

    /// The camera as it is now, whatever happens to the rig from now on.
    pub(in crate::app) fn held(&self) -> HeldCamera {
        HeldCamera {
            orbit: self.unfollowed(),
            file_camera: self.file_camera,
            follow: self.follow,
            follows_on_ground: self.follows_on_ground,
        }
    }

    /// The camera as it is now, but for what it follows.
    fn unfollowed(&self) -> OrbitCamera {
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

    fn followed(&self, mut camera: OrbitCamera) -> OrbitCamera {
        camera.target += self.shift();
        camera
    }

    fn shift(&self) -> Vec3 {
        self.follow.map_or(Vec3::ZERO, |follow| follow.shift)
    }

    /// Where the camera will be when it has arrived.
    pub(in crate::app) fn destination(&self) -> OrbitCamera {
        self.followed(self.orbit)
    }

    /// Whether the camera is on its way to where it will be.
    pub(in crate::app) fn is_gliding(&self) -> bool {
        self.glide.is_some() || self.lens_glide.is_some()
    }

    /// Whether the next moment's picture is another one.
    pub(in crate::app) fn is_moving(&self) -> bool {
        self.is_gliding() || !self.flight.is_still()
    }

    /// Lets time pass; `size` is that of the model.
    pub(in crate::app) fn tick(&mut self, elapsed_secs: f64, size: f32) {
        for glide in [&mut self.glide, &mut self.lens_glide] {
            if let Some(way) = glide {
                way.elapsed_secs += elapsed_secs;
            }
            glide.take_if(|glide| glide.elapsed_secs >= GLIDE_SECS);
        }
        if !self.flight.is_still() && elapsed_secs > 0.0 {
            let hurry = if self.flight.is_fast { HURRY } else { 1.0 };
            let length = self.fly_speed(size) * hurry * elapsed_secs as f32;
            let [right, up, ahead] = self.flight.way;
            self.moved_by_hand(|camera| {
                let rotation = camera.world_from_view_rotation();
                let way = rotation * Vec3::new(right, 0.0, -ahead) + Vec3::Y * up;
                camera.target += way.normalize_or_zero() * length;
            });
        }
    }

    /// Units a second of an unhurried flight.
    pub(super) fn fly_speed(&self, size: f32) -> f32 {
        let has_size = size > 0.0 && size.is_finite();
        self.fly_pace * if has_size { size } else { 1.0 }
    }

    /// Flies faster by notches of the wheel.
    pub(super) fn fly_faster(&mut self, notches: f32) {
        let [least, most] = PACES;
        let factor = PACE_A_NOTCH.powf(notches.clamp(-50.0, 50.0));
        self.fly_pace = (self.fly_pace * factor).clamp(least, most);
    }

    /// Sets out, or stops. Ahead means nothing to a parallel projection, so there is none.
    pub(super) fn fly(&mut self, flight: Flight) {
        self.flight = flight;
        if !flight.is_still() && self.orbit.is_parallel() {
            let to = OrbitCamera {
                flatness: 0.0,
                ..self.destination()
            };
            self.go(to);
        }
    }

    /// Is there at once.
    pub(in crate::app) fn jump(&mut self, mut to: OrbitCamera) {
        to.target -= self.shift();
        self.orbit = to;
        self.glide = None;
        self.lens_glide = None;
        self.file_camera = None;
    }

    /// Goes there.
    pub(in crate::app) fn go(&mut self, mut to: OrbitCamera) {
        if !self.is_smooth {
            return self.jump(to);
        }
        let from = self.unfollowed();
        to.target -= self.shift();
        let turns = (from.flatness, from.roll_radians) != (to.flatness, to.roll_radians);
        self.orbit = to;
        self.glide = (from != to).then(|| Glide::new(from));
        self.lens_glide = turns.then(|| Glide::new(from));
        self.file_camera = None;
    }

    /// Lets a hand move the camera from where it is now; a change of projection goes on.
    pub(super) fn moved_by_hand(&mut self, act: impl FnOnce(&mut OrbitCamera)) {
        let now = self.unfollowed();
        self.glide = None;
        self.file_camera = None;
        self.orbit = OrbitCamera {
            flatness: self.orbit.flatness,
            roll_radians: self.orbit.roll_radians,
            ..now
        };
        act(&mut self.orbit);
    }

    /// The node whose camera is looked through.
    pub(in crate::app) fn file_camera(&self) -> Option<NodeId> {
        self.file_camera
    }

    /// Looks through the camera of a node as if it had always done so.
    pub(in crate::app) fn go_on_through(&mut self, node: NodeId) {
        self.file_camera = Some(node);
    }

    /// Looks through the camera of a node, or freely from where it is.
    pub(super) fn look_through(&mut self, node: Option<NodeId>) {
        let from = self.unfollowed();
        self.file_camera = node;
        if self.is_smooth && node.is_some() {
            self.glide = Some(Glide::new(from));
            self.lens_glide = Some(Glide::new(from));
        }
    }

    /// Goes along with the camera that is looked through.
    pub(super) fn keep_up(&mut self, mut orbit: OrbitCamera) {
        orbit.target -= self.shift();
        self.orbit = orbit;
    }

    /// Whether it follows anything.
    pub(super) fn follows(&self) -> bool {
        self.follow.is_some()
    }

    /// Begins to follow, or stays where it is.
    pub(super) fn toggle_follow(&mut self) {
        self.settle_down();
        self.follow = match self.follow {
            Some(_) => None,
            None => Some(Follow::default()),
        };
    }

    /// Follows over the ground only, or up and down too.
    pub(super) fn toggle_follow_height(&mut self) {
        self.settle_down();
        self.follows_on_ground = !self.follows_on_ground;
    }

    /// Forgets what belongs to a model, before another one is shown.
    pub(in crate::app) fn forget_model(&mut self) {
        self.settle_down();
        self.file_camera = None;
    }

    /// Follows a node, which is there now. Where it begins to, nothing moves.
    pub(super) fn follow(&mut self, node: Option<NodeId>, place: Option<Vec3>) {
        if self.follow.is_some_and(|follow| follow.node != node) {
            self.settle_down();
        }
        let (Some(follow), Some(place)) = (&mut self.follow, place) else {
            return;
        };
        follow.node = node;
        follow.anchor.get_or_insert(place);
        follow.shift = follow.shift_to(place, self.follows_on_ground);
    }

    /// Makes the place where the camera has followed to its own.
    fn settle_down(&mut self) {
        let Some(follow) = &mut self.follow else {
            return;
        };
        let Follow { shift, .. } = std::mem::take(follow);
        self.orbit.target += shift;
        for glide in [&mut self.glide, &mut self.lens_glide]
            .into_iter()
            .flatten()
        {
            glide.from.target += shift;
        }
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
            rig.tick(0.002_000_1, 1.0);
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
        rig.tick(0.1, 1.0);
        let before = rig.camera();
        rig.moved_by_hand(|_| {});
        assert_eq!(rig.camera(), before);
        rig.tick(1.0, 1.0);
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

    #[test]
    fn what_is_followed_keeps_its_place_and_nothing_adds_up() {
        let mut rig = CameraRig::new();
        let start = rig.camera();
        rig.toggle_follow();
        let node = Some(NodeId(3));
        let mut expected = start.target;
        for loops in 0..1000_u16 {
            for step in 0..10_u8 {
                let place = Vec3::new(f32::from(step) * 0.37, 1.0, f32::from(loops % 7) * 1e3);
                rig.follow(node, Some(place));
                expected = start.target + place - Vec3::Y;
                assert_eq!(rig.camera().target, expected);
            }
        }
        // Another node, elsewhere: the picture stays.
        rig.follow(Some(NodeId(4)), Some(Vec3::new(50.0, 60.0, 70.0)));
        assert_eq!(rig.camera().target, expected);
        rig.toggle_follow_height();
        rig.follow(Some(NodeId(4)), Some(Vec3::new(50.0, 60.0, 70.0)));
        rig.follow(Some(NodeId(4)), Some(Vec3::new(51.0, 99.0, 70.0)));
        assert_eq!(rig.camera().target, expected + Vec3::X);
        rig.toggle_follow();
        assert_eq!(rig.camera().target, expected + Vec3::X);
    }

    #[test]
    fn a_flight_goes_where_it_looks_and_leaves_a_parallel_projection() {
        let mut rig = CameraRig::new();
        rig.jump(OrbitCamera {
            azimuth_radians: 0.0,
            polar_radians: std::f32::consts::FRAC_PI_2,
            flatness: 1.0,
            ..OrbitCamera::default()
        });
        let ahead = Flight {
            way: [0.0, 0.0, 1.0],
            is_fast: false,
        };
        rig.fly(ahead);
        let eye = rig.camera().eye();
        assert!(rig.is_moving() && !rig.camera().is_parallel());
        rig.tick(0.5, 4.0);
        let gone = rig.camera().eye() - eye;
        assert!(gone.abs_diff_eq(Vec3::NEG_Z, 1e-5), "{gone}");
        rig.fly(Flight::default());
        assert!(!rig.is_moving());
    }
}
