//! Where a ray meets triangles, boxes, and the shapes of a skeleton.

use glam::{DVec3, Vec3, Vec3A};

use super::{Ray, Reach};
use crate::{
    anim::to_affine,
    model::Aabb,
    scene::{OverlayShape, bones::BONE_WAIST},
};

/// Which sides of triangles are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides {
    /// 1 if fronts run counter-clockwise, −1 if clockwise.
    pub front: f64,
    pub both: bool,
}

/// Where a ray meets a triangle.
pub(super) struct Meeting {
    pub distance: f64,
    pub parts: DVec3,
}

/// T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997; in double precision, so that no ray
/// slips between two triangles that share an edge of any model that is drawn without a gap.
pub(super) fn meet_triangle([a, b, c]: [DVec3; 3], sides: Sides, ray: &Ray) -> Option<Meeting> {
    let direction = ray.direction.as_dvec3();
    let (to_b, to_c) = (b - a, c - a);
    let across = direction.cross(to_c);
    // Positive where the ray comes from the side from which the corners run counter-clockwise.
    let facing = to_b.dot(across);
    if facing == 0.0 || (!sides.both && facing * sides.front < 0.0) {
        return None;
    }
    let from_a = ray.origin.as_dvec3() - a;
    let part_b = from_a.dot(across) / facing;
    let around = from_a.cross(to_b);
    let part_c = direction.dot(around) / facing;
    let distance = to_c.dot(around) / facing;
    let is_inside = part_b >= 0.0 && part_c >= 0.0 && part_b + part_c <= 1.0;
    let [least, greatest] = ray.range.map(f64::from);
    let is_inside = is_inside && distance > least && distance < greatest;
    is_inside.then(|| Meeting {
        distance,
        parts: DVec3::new(1.0 - part_b - part_c, part_b, part_c),
    })
}

/// The distance at which a ray enters a box or begins in it, if it meets it, the faces included, or a little less (T. Kay,
/// J. Kajiya, "Ray Tracing Complex Scenes", 1986: slabs).
pub(super) fn enter_box(ray: &Ray, bounds: &Aabb) -> Option<f32> {
    let Aabb { min, max } = *bounds;
    let [mut enter, mut leave] = ray.range;
    // Room for the rounding of the box and of the slabs.
    let slack = 1e-4 * (max - min).length() + 1e-6 * max.abs().max(min.abs()).max_element();
    for axis in 0..3 {
        let inverse = ray.direction[axis].recip();
        let one = (min[axis] - slack - ray.origin[axis]) * inverse;
        let other = (max[axis] + slack - ray.origin[axis]) * inverse;
        // `min` and `max` pass over NaN: 0 times infinity, on the very edge of a slab that the ray runs along.
        enter = enter.max(one.min(other));
        leave = leave.min(one.max(other));
    }
    (enter <= leave).then_some(enter)
}

/// The distances at which a ray enters and leaves a ball, widened to `reach`, if it comes near enough.
pub(super) fn meet_ball(shape: &OverlayShape, ray: &Ray, reach: Reach) -> Option<[f32; 2]> {
    let world_from_shape = to_affine(&shape.world_from_shape);
    let radius = world_from_shape.matrix3.x_axis.length();
    let to_center = Vec3::from(world_from_shape.translation) - ray.origin;
    let along = to_center.dot(ray.direction);
    let beside = (to_center - ray.direction * along).length();
    let [least, greatest] = ray.range;
    let is_seen = along > least && along < greatest;
    let radius = radius.max(reach.at(along));
    (is_seen && beside <= radius).then_some([along - radius, along + radius])
}

/// The distances at which a ray enters and leaves a bone: a double pyramid, widened to `reach` if it is thinner.
pub(super) fn meet_bone(shape: &OverlayShape, ray: &Ray, reach: Reach) -> Option<[f32; 2]> {
    let mut world_from_shape = to_affine(&shape.world_from_shape);
    let width = world_from_shape.matrix3.x_axis.length();
    let middle = world_from_shape.transform_point3(Vec3::new(0.0, 0.5, 0.0));
    let wanted = reach.at(middle.distance(ray.origin));
    let wider = (wanted / width.max(f32::MIN_POSITIVE)).max(1.0);
    world_from_shape.matrix3.x_axis *= wider;
    world_from_shape.matrix3.z_axis *= wider;
    let shape_from_world = world_from_shape.inverse();
    let origin = shape_from_world.transform_point3a(Vec3A::from(ray.origin));
    let direction = shape_from_world.transform_vector3a(Vec3A::from(ray.direction));
    // Inside, sx·x + sz·z is at most y / waist and at most (1 − y) / (1 − waist), for both signs of each.
    let [mut enter, mut leave] = ray.range;
    for (x, z) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let below = (Vec3A::new(x, -1.0 / BONE_WAIST, z), 0.0);
        let slope = 1.0 / (1.0 - BONE_WAIST);
        let above = (Vec3A::new(x, slope, z), slope);
        for (normal, limit) in [below, above] {
            let (height, speed) = (limit - normal.dot(origin), normal.dot(direction));
            let at = height / speed;
            if speed > 0.0 {
                leave = leave.min(at);
            } else if speed < 0.0 {
                enter = enter.max(at);
            } else if height < 0.0 {
                return None;
            }
        }
    }
    (enter <= leave).then_some([enter, leave])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::scene::picking) fn ray(origin: Vec3, towards: Vec3) -> Ray {
        Ray {
            origin,
            direction: (towards - origin).normalize(),
            range: [0.0, f32::INFINITY],
        }
    }

    #[test]
    fn triangles_are_met_from_the_sides_that_are_drawn() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let (front, behind) = (Vec3::new(0.2, 0.3, 2.0), Vec3::new(0.2, 0.3, -2.0));
        let inside = Vec3::new(0.2, 0.3, 0.0);
        for (from, front_sign, both, is_met) in [
            (front, 1.0, false, true),
            (behind, 1.0, false, false),
            (front, -1.0, false, false),
            (behind, -1.0, false, true),
            (behind, 1.0, true, true),
        ] {
            let sides = Sides {
                front: front_sign,
                both,
            };
            let met = meet_triangle(corners, sides, &ray(from, inside));
            assert_eq!(met.is_some(), is_met, "{from} {front_sign} {both}");
            if let Some(met) = met {
                assert!((met.distance - 2.0).abs() < 1e-6);
                assert!(met.parts.abs_diff_eq(DVec3::new(0.5, 0.2, 0.3), 1e-6));
            }
            let beside = Vec3::new(0.6, 0.6, 0.0);
            assert!(meet_triangle(corners, sides, &ray(from, beside)).is_none());
        }
    }

    #[test]
    fn boxes_are_met_along_their_faces_too() {
        let bounds = Aabb::EMPTY.with(Vec3::ZERO).with(Vec3::ONE);
        let meets = |origin, towards| enter_box(&ray(origin, towards), &bounds).is_some();
        assert!(meets(Vec3::new(0.5, 0.5, 9.0), Vec3::new(0.5, 0.5, 0.0)));
        assert!(meets(Vec3::new(0.0, 0.5, 9.0), Vec3::new(0.0, 0.5, 0.0)));
        assert!(!meets(Vec3::new(1.5, 0.5, 9.0), Vec3::new(1.5, 0.5, 0.0)));
        assert!(!meets(Vec3::new(0.5, 0.5, 9.0), Vec3::new(0.5, 0.5, 19.0)));
    }
}
