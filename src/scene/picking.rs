//! Picking: what lies under the pointer, exact on the posed model.

use glam::{DVec3, Vec3, Vec3A};

use super::{Draws, Overlay, OverlayShape, ViewMode, bones::BONE_WAIST, cutout::Cutout};
use crate::{
    anim::{InstanceRecord, Palette, PaletteLayout, skinning, to_affine},
    model::{AlphaMode, Material, Model, NodeId, Primitive, Topology},
};

/// A half-line in the world, of which a part counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: Vec3,
    /// Where it goes, of length 1.
    pub direction: Vec3,
    /// The distances from its origin between which something is met, 0 or more: what a camera's planes leave of it.
    pub range: [f32; 2],
}

/// How far beside a ray something still counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Where the ray begins.
    pub at_origin: f32,
    /// What is added for each unit of distance.
    pub per_distance: f32,
}

impl Reach {
    /// That far along the ray.
    fn at(self, distance: f32) -> f32 {
        self.at_origin + self.per_distance * distance
    }
}

/// Where a ray first meets a surface that is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceHit {
    /// From the ray's origin.
    pub distance: f32,
    /// Index of the placement in the layout.
    pub placement: usize,
    /// Index among the primitives of its mesh.
    pub primitive: usize,
    /// The triangle's vertices.
    pub vertices: [u32; 3],
    /// How much of each of them is in the point; sums to 1.
    pub parts: [f32; 3],
}

/// The surfaces of a posed model that can be picked from, as they are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Surfaces<'a> {
    /// Whose they are.
    pub model: &'a Model,
    /// Where the palette has what.
    pub layout: &'a PaletteLayout,
    /// The pose. Of crowds nothing is picked.
    pub palette: &'a Palette,
    /// How the placements of the layout are drawn.
    pub draws: &'a Draws,
    /// The materials in force: as many as the model's own.
    pub materials: &'a [Material],
    /// Which variant of the materials is shown.
    pub variant: Option<usize>,
    /// Faces that it does not draw do not count.
    pub view: ViewMode,
}

impl Surfaces<'_> {
    /// The first surface that `ray` meets.
    pub fn pick(&self, ray: &Ray) -> Option<SurfaceHit> {
        self.pick_of(ray, |_| true)
    }

    /// How far away `ray` meets the first surface that hides what is behind it: infinitely, if there is none.
    fn hide_from(&self, ray: &Ray) -> f32 {
        let hides = |material: &Material| {
            material.alpha_mode != AlphaMode::Blend && material.transmission.is_none()
        };
        let hit = self.pick_of(ray, hides);
        hit.map_or(f32::INFINITY, |hit| hit.distance)
    }

    fn pick_of(&self, ray: &Ray, counts: impl Fn(&Material) -> bool) -> Option<SurfaceHit> {
        let Self {
            model,
            layout,
            palette,
            draws,
            materials,
            variant,
            view,
        } = *self;
        if palette.instance_count() != 1 {
            return None;
        }
        let mut first: Option<SurfaceHit> = None;
        let mut posed = Vec::new();
        for (index, (placement, draw)) in layout.placements().iter().zip(&**draws).enumerate() {
            if draw.is_hidden {
                continue;
            }
            let straight = (placement.copies - placement.mirrored_copies) as usize;
            for copy in 0..placement.copies as usize {
                let record = palette.record_of_copy(index, copy, 0);
                for (place, primitive) in model.meshes[placement.mesh].primitives.iter().enumerate()
                {
                    let material = &materials[primitive.material_in(variant)];
                    if primitive.topology != Topology::Triangles || !counts(material) {
                        continue;
                    }
                    let is_skinned = placement.skin.is_some() && primitive.influences.is_some();
                    let is_mirrored = if is_skinned {
                        draws.is_mirrored(index, place, true)
                    } else {
                        draw.is_node_mirrored != (copy >= straight)
                    };
                    let drawn = DrawnPrimitive {
                        model,
                        primitive,
                        material,
                        palette,
                        record,
                        is_skinned,
                        sides: Sides {
                            front: if is_mirrored { -1.0 } else { 1.0 },
                            both: material.double_sided || view.shows_both_sides(),
                        },
                    };
                    let nearest = first.map_or(f64::INFINITY, |hit| f64::from(hit.distance));
                    if let Some((vertices, meeting)) = drawn.pick(ray, nearest, &mut posed) {
                        first = Some(SurfaceHit {
                            distance: meeting.distance as f32,
                            placement: index,
                            primitive: place,
                            vertices,
                            parts: meeting.parts.as_vec3().to_array(),
                        });
                    }
                }
            }
        }
        first
    }
}

/// A primitive of triangles, as one copy of its mesh is drawn.
struct DrawnPrimitive<'a> {
    model: &'a Model,
    primitive: &'a Primitive,
    material: &'a Material,
    palette: &'a Palette,
    /// Where the palette has the copy.
    record: &'a InstanceRecord,
    is_skinned: bool,
    sides: Sides,
}

impl DrawnPrimitive<'_> {
    /// The triangle that `ray` meets first, before `nearest`; `posed` is filled with vertices if any could be.
    fn pick(&self, ray: &Ray, nearest: f64, posed: &mut Vec<Vec3>) -> Option<([u32; 3], Meeting)> {
        let Self {
            primitive,
            palette,
            record,
            ..
        } = *self;
        if !self.is_skinned && record.morph_count == 0 {
            // The box of what stands as it is in the file is known.
            let rigid = to_affine(&palette.matrices()[record.rigid as usize]);
            let bounds = primitive.rest_bounds.transformed(&rigid);
            if !meets_box(ray, bounds.min, bounds.max) {
                return None;
            }
        }
        posed.clear();
        skinning::for_each_posed_position(primitive, palette, record, self.is_skinned, |point| {
            posed.push(point);
        });
        let cutout = Cutout::of(self.model, self.material, primitive);
        let is_there = |vertices, parts: DVec3| {
            let morphs = palette.morphs_of(record);
            let cutout = cutout.as_ref();
            cutout.is_none_or(|it| it.is_there(vertices, parts.as_vec3(), morphs))
        };
        pick_triangle(primitive, posed, self.sides, ray, nearest, is_there)
    }
}

/// The joint that moves the point of `hit` most; none if its primitive has no joints.
pub fn strongest_joint(model: &Model, layout: &PaletteLayout, hit: &SurfaceHit) -> Option<NodeId> {
    let placement = &layout.placements()[hit.placement];
    let skin = &model.skins[placement.skin?.skin];
    let primitive = &model.meshes[placement.mesh].primitives[hit.primitive];
    let influences = primitive.influences.as_ref()?;
    let mut sums: Vec<(u16, f32)> = Vec::new();
    for (vertex, part) in hit.vertices.into_iter().zip(hit.parts) {
        let first = vertex as usize * influences.per_vertex;
        for lane in first..first + influences.per_vertex {
            let (joint, weight) = (influences.joints[lane], part * influences.weights[lane]);
            match sums.iter_mut().find(|(known, _)| *known == joint) {
                Some((_, sum)) => *sum += weight,
                None => sums.push((joint, weight)),
            }
        }
    }
    let strongest = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(skin.joints[strongest.0 as usize])
}

/// The joint of the skeleton's shapes that `ray` meets first; joints come before bones that they do not lie behind. `reach` is
/// how far beside a shape still counts: half a dozen pixels, say. `surfaces` hide shapes that are not drawn over everything.
pub fn pick_bone(
    overlay: &Overlay,
    surfaces: &Surfaces<'_>,
    ray: &Ray,
    reach: Reach,
) -> Option<NodeId> {
    let found = first_bone(overlay, ray, reach)?;
    if !overlay.is_hidden_by_scene {
        return Some(found);
    }
    let [nearest, farthest] = ray.range;
    let seen = Ray {
        range: [nearest, farthest.min(surfaces.hide_from(ray))],
        ..*ray
    };
    first_bone(overlay, &seen, reach)
}

fn first_bone(overlay: &Overlay, ray: &Ray, reach: Reach) -> Option<NodeId> {
    let met = |shape: &OverlayShape, [enter, leave]: [f32; 2]| Met {
        enter,
        leave,
        node: shape.node,
    };
    let joints = overlay.joints.iter();
    let joints = joints.filter_map(|shape| Some(met(shape, meet_ball(shape, ray, reach)?)));
    let bones = overlay.bones.iter();
    let bones = bones.filter_map(|shape| Some(met(shape, meet_bone(shape, ray, reach)?)));
    let joint = joints.min_by(|a, b| (a.enter + a.leave).total_cmp(&(b.enter + b.leave)));
    let bone = bones.min_by(|a, b| a.enter.total_cmp(&b.enter));
    match (joint, bone) {
        // A joint lies within the ends of its bones, so it must come first to be reached at all.
        (Some(joint), Some(bone)) if joint.enter <= bone.leave => Some(joint.node),
        (joint, bone) => bone.or(joint).map(|met| met.node),
    }
}

/// Where a ray goes through a shape of the skeleton.
struct Met {
    enter: f32,
    leave: f32,
    node: NodeId,
}

/// Which sides of triangles are drawn.
#[derive(Debug, Clone, Copy)]
struct Sides {
    /// 1 if fronts run counter-clockwise, −1 if clockwise.
    front: f64,
    both: bool,
}

/// Where a ray meets a triangle.
struct Meeting {
    distance: f64,
    parts: DVec3,
}

fn pick_triangle(
    primitive: &Primitive,
    posed: &[Vec3],
    sides: Sides,
    ray: &Ray,
    mut nearest: f64,
    is_there: impl Fn([u32; 3], DVec3) -> bool,
) -> Option<([u32; 3], Meeting)> {
    let mut first = None;
    for vertices in primitive.indices.triangles() {
        let points = vertices.map(|vertex| posed[vertex as usize].as_dvec3());
        if let Some(meeting) = meet_triangle(points, sides, ray)
            && meeting.distance < nearest
            && is_there(vertices, meeting.parts)
        {
            nearest = meeting.distance;
            first = Some((vertices, meeting));
        }
    }
    first
}

/// T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997; in double precision, so that no ray
/// slips between two triangles that share an edge of any model that is drawn without a gap.
fn meet_triangle([a, b, c]: [DVec3; 3], sides: Sides, ray: &Ray) -> Option<Meeting> {
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

/// Whether a ray meets a box, its faces included (T. Kay, J. Kajiya, "Ray Tracing Complex Scenes", 1986: slabs).
fn meets_box(ray: &Ray, min: Vec3, max: Vec3) -> bool {
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
    enter <= leave
}

/// The distances at which a ray enters and leaves a ball, widened to `reach`, if it comes near enough.
fn meet_ball(shape: &OverlayShape, ray: &Ray, reach: Reach) -> Option<[f32; 2]> {
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
fn meet_bone(shape: &OverlayShape, ray: &Ray, reach: Reach) -> Option<[f32; 2]> {
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
mod tests {
    use super::*;
    use crate::anim::to_palette_matrix;
    use glam::{Affine3A, Quat};

    fn ray(origin: Vec3, towards: Vec3) -> Ray {
        Ray {
            origin,
            direction: (towards - origin).normalize(),
            range: [0.0, f32::INFINITY],
        }
    }

    fn shape(world_from_shape: Affine3A, node: u32) -> OverlayShape {
        OverlayShape {
            world_from_shape: to_palette_matrix(&world_from_shape),
            color: [0.0; 4],
            node: NodeId(node),
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
        let meets = |origin, towards| meets_box(&ray(origin, towards), Vec3::ZERO, Vec3::ONE);
        assert!(meets(Vec3::new(0.5, 0.5, 9.0), Vec3::new(0.5, 0.5, 0.0)));
        assert!(meets(Vec3::new(0.0, 0.5, 9.0), Vec3::new(0.0, 0.5, 0.0)));
        assert!(!meets(Vec3::new(1.5, 0.5, 9.0), Vec3::new(1.5, 0.5, 0.0)));
        assert!(!meets(Vec3::new(0.5, 0.5, 9.0), Vec3::new(0.5, 0.5, 19.0)));
    }

    #[test]
    fn joints_come_before_bones_and_near_ones_before_far_ones() {
        let bone = Affine3A::from_scale_rotation_translation(
            Vec3::new(0.1, 2.0, 0.1),
            Quat::IDENTITY,
            Vec3::ZERO,
        );
        let ball =
            |at| Affine3A::from_scale_rotation_translation(Vec3::splat(0.05), Quat::IDENTITY, at);
        let overlay = Overlay {
            bones: vec![shape(bone, 0)],
            joints: vec![shape(ball(Vec3::ZERO), 0), shape(ball(Vec3::Y * 2.0), 1)],
            ..Overlay::default()
        };
        let from = Vec3::new(0.0, 1.0, 10.0);
        let pick = |towards, per_distance| {
            let reach = Reach {
                at_origin: 0.0,
                per_distance,
            };
            first_bone(&overlay, &ray(from, towards), reach)
        };
        assert_eq!(pick(Vec3::new(0.0, 2.0, 0.0), 0.0), Some(NodeId(1)));
        assert_eq!(pick(Vec3::new(0.0, 1.0, 0.0), 0.0), Some(NodeId(0)));
        // Its waist is widest: 0.1 to the sides at y = 0.28; at y = 1 it is 0.058.
        assert_eq!(pick(Vec3::new(0.05, 1.0, 0.0), 0.0), Some(NodeId(0)));
        assert_eq!(pick(Vec3::new(0.07, 1.0, 0.0), 0.0), None);
        assert_eq!(pick(Vec3::new(0.07, 1.0, 0.0), 0.015), Some(NodeId(0)));
        assert_eq!(pick(Vec3::new(0.5, 1.0, 0.0), 0.015), None);
        // What lies behind is hidden.
        let behind = ball(Vec3::new(0.0, 1.0, -2.0));
        let overlay = Overlay {
            joints: vec![shape(behind, 2)],
            ..overlay.clone()
        };
        let reach = Reach {
            at_origin: 0.0,
            per_distance: 0.015,
        };
        let towards = |x| first_bone(&overlay, &ray(from, Vec3::new(x, 1.0, 0.0)), reach);
        assert_eq!(towards(0.0), Some(NodeId(0)));
        let beside = Overlay {
            bones: Vec::new(),
            ..overlay.clone()
        };
        assert_eq!(
            first_bone(&beside, &ray(from, Vec3::Y), reach),
            Some(NodeId(2))
        );
    }
}
