//! Whether a camera has nothing before it but the backs of faces, which are not drawn.

use glam::DVec3;

use super::{MAX_REPEATED_POSED, Surfaces};
use crate::{model::Topology, scene::CameraView};

impl Surfaces<'_> {
    /// Whether there are faces, all of them look away from the camera, and none is drawn from its back: then nothing is seen of
    /// them, in the picture or beside it. False of crowds, and where it would take seconds to know.
    pub fn are_turned_away(&self, camera: &CameraView) -> bool {
        if self.palette.instance_count() != 1 {
            return false;
        }
        let (mut posed, mut left, mut is_any_away) = (Vec::new(), MAX_REPEATED_POSED, false);
        for place in self.places() {
            let drawn = self.drawn(&place);
            let has_one_side = drawn.primitive.topology == Topology::Triangles && !drawn.sides.both;
            let Some(rest) = left.checked_sub(drawn.cost()).filter(|_| has_one_side) else {
                return false;
            };
            left = rest;
            drawn.pose(&mut posed);
            for triangle in drawn.primitive.indices.triangles() {
                let corners = triangle.map(|vertex| posed[vertex as usize].as_dvec3());
                let facing = drawn.sides.front * facing(corners, camera);
                if facing > 0.0 {
                    return false;
                }
                is_any_away |= facing < 0.0;
            }
        }
        is_any_away
    }
}

/// Positive where a triangle is seen from the side from which its corners run counter-clockwise.
fn facing([a, b, c]: [DVec3; 3], camera: &CameraView) -> f64 {
    let towards_eye = if camera.is_parallel() {
        camera.backward().as_dvec3()
    } else {
        camera.eye.as_dvec3() - a
    };
    (b - a).cross(c - a).dot(towards_eye)
}
