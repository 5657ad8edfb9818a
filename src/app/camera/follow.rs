//! What the camera goes along with, and where the clip takes it.

use glam::{Vec2, Vec3, Vec4};

use super::pane::PathRows;
use crate::{
    anim::root_motion::RootMotion,
    app::{Session, time::ClipKey},
    model::NodeId,
    scene::CameraView,
};

/// Points of a path that are drawn at most.
const MAX_POINTS: usize = 400;

/// A root that comes no farther from where it begins than this part of the model's size stays in place.
const SWAY: f32 = 0.05;

/// What is known of the root of the clip in force.
#[derive(Debug, Default)]
pub(super) struct Root {
    /// The model and the clip that it was found for.
    of: Option<ClipKey>,
    node: Option<NodeId>,
    motion: Option<RootMotion>,
}

impl Session {
    /// The node that is followed: the chosen one, or the one that moves all others.
    fn followed(&self) -> Option<NodeId> {
        let first_joint = || self.actor.skeleton().joints().next();
        let first_mesh = || {
            let placements = self.actor.layout().placements();
            placements.first().map(|placement| placement.node)
        };
        let root = || self.camera.root.node.or_else(first_joint);
        self.selected.or_else(root).or_else(first_mesh)
    }

    /// The node that the camera goes along with, if it does.
    pub(super) fn followed_now(&self) -> Option<NodeId> {
        self.camera.follows().then(|| self.followed())?
    }

    /// Looks for the root of the clip in force, if that is not known.
    fn find_root(&mut self) {
        let of = Some(self.clip_key());
        if self.camera.root.of == of {
            return;
        }
        // Hips that sway go nowhere; who dodges and comes back does.
        let least = f64::from(SWAY * self.actor.size());
        let motion = self.clip.and_then(|clip| self.actor.root_motion(clip));
        self.camera.root = Root {
            of,
            node: motion.map(RootMotion::root),
            motion: motion.filter(|it| it.reach() > least).cloned(),
        };
    }

    /// Where a node is in the world, as of the last pose.
    pub(in crate::app) fn place_of(&self, node: NodeId) -> Option<Vec3> {
        let world = self.actor.pose().world.get(node.index());
        let place = world.map(|world| Vec3::from(world.translation));
        place.filter(|place| place.is_finite())
    }

    /// Lets the camera go along with the pose.
    pub(in crate::app) fn follow_pose(&mut self) {
        self.find_root();
        if self.camera.follows() {
            let node = self.followed();
            let place = node.and_then(|node| self.place_of(node));
            self.camera.follow(node, place);
        }
        self.follow_file_camera();
    }

    /// Where the clip takes the root, as the picture shows it; `pieces` is a buffer for its way.
    pub(super) fn path_rows(&self, mut pieces: Vec<[[f32; 2]; 2]>) -> Option<PathRows> {
        let motion = self.camera.root.motion.as_ref()?;
        // None of a crowd stands where the clip begins.
        if self.actor.crowd().is_some() {
            return None;
        }
        let path = motion.path();
        let view = self.camera_view();
        let height = self.surroundings.ground.height;
        let on_ground = |x: f64, z: f64| Vec3::new(x as f32, height, z as f32);
        pieces.clear();
        if self.camera.shows_path {
            let step = path.len().div_ceil(MAX_POINTS).max(1);
            let last = path.last().into_iter();
            let points = path.iter().step_by(step).chain(last);
            let mut before: Option<Vec3> = None;
            for point in points {
                let now = on_ground(point.position.x, point.position.y);
                let piece = before.and_then(|before| piece(&view, before, now));
                pieces.extend(piece);
                before = Some(now);
            }
        }
        let time_secs = self.clock.time_secs();
        let next = path.partition_point(|point| point.time_secs < time_secs);
        let next = next.min(path.len().saturating_sub(1));
        let (a, b) = (&path[next.saturating_sub(1)], &path[next]);
        let span = b.time_secs - a.time_secs;
        let part = if span > 0.0 {
            ((time_secs - a.time_secs) / span).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let place = a.position.lerp(b.position, part);
        let clip = view.to_clip(on_ground(place.x, place.y));
        let now = (clip.w > NEAREST).then(|| [clip.x / clip.w, clip.y / clip.w]);
        Some(PathRows {
            pieces,
            now: now.filter(|_| self.camera.shows_path),
            speed: motion.speed_at(next) as f32,
            mean_speed: motion.mean_speed() as f32,
        })
    }
}

/// What is nearer than this to the eye's plane is not projected.
const NEAREST: f32 = 1e-6;

/// A straight piece of a way in the picture; none if it lies behind the eye.
fn piece(view: &CameraView, from: Vec3, to: Vec3) -> Option<[[f32; 2]; 2]> {
    let (mut a, mut b) = (view.to_clip(from), view.to_clip(to));
    if a.w <= NEAREST && b.w <= NEAREST {
        return None;
    }
    // Up to a plane just before the eye.
    let least = NEAREST.max(1e-3 * a.w.max(b.w));
    if a.w < least {
        a = a.lerp(b, (least - a.w) / (b.w - a.w));
    } else if b.w < least {
        b = b.lerp(a, (least - b.w) / (a.w - b.w));
    }
    let at = |clip: Vec4| -> [f32; 2] { (Vec2::new(clip.x, clip.y) / clip.w).into() };
    Some([at(a), at(b)])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        model::{ClipBuilder, Interpolation, Timeline},
        ui::Command,
    };

    #[test]
    fn only_a_clip_that_goes_somewhere_has_a_path() {
        let mut import = built_in::load("Pip").unwrap();
        // There and back again.
        let mut builder = ClipBuilder::new("Dodge");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 0.5, 1.0]).unwrap());
        let ways = vec![Vec3::ZERO, Vec3::X, Vec3::ZERO];
        let root = import.model.scenes[0].roots[0];
        let linear = Interpolation::Linear;
        builder.translation(root, timeline, linear, ways).unwrap();
        import.model.clips.push(builder.finish());
        let mut session = Session::new(import, None, Duration::ZERO);
        let mut has_path = |name: &str, crowd: usize| {
            let mut clips = session.model().clips.iter();
            let clip = clips.position(|clip| clip.name() == name);
            session.apply(Command::SelectClip(clip));
            session.set_crowd_size(crowd);
            session.update();
            session.path_rows(Vec::new()).is_some()
        };
        assert!(!has_path("Walk", 1), "its hips sway");
        assert!(has_path("Dodge", 1));
        assert!(!has_path("Dodge", 9), "where nobody stands");
    }
}
