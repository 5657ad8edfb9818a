//! Picking: what lies under the pointer, exact on the posed model.

mod cutout;
mod meeting;
mod turned_away;

use std::{cell::LazyCell, collections::HashSet};

use glam::{DVec3, Vec3};

use super::{Draws, Overlay, OverlayShape, ViewMode};
use crate::{
    anim::{InstanceRecord, Palette, PaletteLayout, skinning, to_affine},
    model::{Aabb, AlphaMode, Material, Model, NodeId, Primitive, SeenLayers, Topology},
};

use cutout::Cutout;
use meeting::{Meeting, Sides, enter_box, meet_ball, meet_bone, meet_triangle};

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

/// Vertices and triangles that are looked at of what was looked at before, since it is placed more than once where the ray
/// goes: a tenth of a second's work for what stands as it is in the file, the nearest first, and a second's for what is
/// posed, whose boxes are not known. Of what is beyond that nothing is picked.
const MAX_REPEATED: usize = 1 << 23;
const MAX_REPEATED_POSED: usize = 1 << 26;

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
    /// Faces that it does not draw do not count, nor do holes that it fills.
    pub view: ViewMode,
}

impl Surfaces<'_> {
    /// The first surface that `ray` meets.
    pub fn pick(&self, ray: &Ray) -> Option<SurfaceHit> {
        self.pick_of(ray, |_| true)
    }

    /// How far away `ray` meets the first surface that hides what is behind it: infinitely, if there is none.
    fn hide_from(&self, ray: &Ray) -> f32 {
        // Seldom asked: few materials let light pass.
        let seen = LazyCell::new(|| SeenLayers::of(self.model));
        let hides = |index: usize| {
            let material = &self.model.materials[index];
            let may_be_glass = material.transmission.is_some();
            material.alpha_mode != AlphaMode::Blend
                && !(may_be_glass && seen.is_glass(index, material))
        };
        let hit = self.pick_of(ray, hides);
        hit.map_or(f32::INFINITY, |hit| hit.distance)
    }

    /// The first surface that `ray` meets of those whose materials (indices) count.
    fn pick_of(&self, ray: &Ray, counts: impl Fn(usize) -> bool) -> Option<SurfaceHit> {
        if self.palette.instance_count() != 1 {
            return None;
        }
        let mut met = self.boxes_met(ray, counts);
        // What is posed comes last: by then there may be something near that it is behind.
        let key = |place: &Place| place.enter.unwrap_or(f32::INFINITY);
        met.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let mut first: Option<SurfaceHit> = None;
        let (mut visited, mut posed) = (HashSet::new(), Vec::new());
        let (mut left_rigid, mut left_posed) = (MAX_REPEATED, MAX_REPEATED_POSED);
        for place in met {
            let nearest = first.map_or(f32::INFINITY, |hit| hit.distance);
            if place.enter.is_some_and(|enter| enter > nearest) {
                continue;
            }
            let mesh = self.layout.placements()[place.placement].mesh;
            let drawn = self.drawn(&place);
            let left = match place.enter {
                Some(_) => &mut left_rigid,
                None => &mut left_posed,
            };
            // Each is looked at once in any case: that costs what the file does.
            if !visited.insert((mesh, place.primitive)) {
                let cost = drawn.cost();
                if cost > *left {
                    continue;
                }
                *left -= cost;
            }
            if let Some((vertices, meeting)) = drawn.pick(ray, f64::from(nearest), &mut posed) {
                first = Some(SurfaceHit {
                    distance: meeting.distance as f32,
                    placement: place.placement,
                    primitive: place.primitive,
                    vertices,
                    parts: meeting.parts.as_vec3().to_array(),
                });
            }
        }
        first
    }

    /// Where what is drawn may be met: all whose boxes are, and all whose boxes are not known.
    fn boxes_met(&self, ray: &Ray, counts: impl Fn(usize) -> bool) -> Vec<Place> {
        let mut met = Vec::new();
        for place in self.places() {
            let drawn = self.drawn(&place);
            let material = drawn.primitive.material_in(self.variant);
            if drawn.primitive.topology != Topology::Triangles || !counts(material) {
                continue;
            }
            let Some(bounds) = drawn.known_bounds() else {
                met.push(place);
                continue;
            };
            let enter = enter_box(ray, &bounds);
            met.extend(enter.map(|_| Place { enter, ..place }));
        }
        met
    }

    /// All that is drawn.
    fn places(&self) -> impl Iterator<Item = Place> {
        let placements = self.layout.placements().iter().zip(&**self.draws);
        let drawn = placements
            .enumerate()
            .filter(|(_, (_, draw))| !draw.is_hidden);
        drawn.flat_map(|(index, (placement, _))| {
            let primitives = self.model.meshes[placement.mesh].primitives.len();
            (0..placement.copies as usize).flat_map(move |copy| {
                (0..primitives).map(move |primitive| Place {
                    enter: None,
                    placement: index,
                    copy,
                    primitive,
                })
            })
        })
    }

    fn drawn(&self, place: &Place) -> DrawnPrimitive<'_> {
        let placement = &self.layout.placements()[place.placement];
        let primitive = &self.model.meshes[placement.mesh].primitives[place.primitive];
        let material = &self.materials[primitive.material_in(self.variant)];
        let is_skinned = placement.skin.is_some() && primitive.influences.is_some();
        let straight = (placement.copies - placement.mirrored_copies) as usize;
        let is_mirrored = if is_skinned {
            self.draws
                .is_mirrored(place.placement, place.primitive, true)
        } else {
            self.draws[place.placement].is_node_mirrored != (place.copy >= straight)
        };
        DrawnPrimitive {
            model: self.model,
            primitive,
            material,
            palette: self.palette,
            record: self.palette.record_of_copy(place.placement, place.copy, 0),
            is_skinned,
            sides: Sides {
                front: if is_mirrored { -1.0 } else { 1.0 },
                both: material.double_sided || self.view.shows_both_sides(),
            },
            has_holes: !self.view.shows_cut_outs(),
        }
    }
}

/// A primitive of a copy of a mesh.
struct Place {
    /// How far away the ray enters its box, if that is known.
    enter: Option<f32>,
    placement: usize,
    copy: usize,
    primitive: usize,
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
    /// Whether it ends where alpha cuts it out.
    has_holes: bool,
}

impl DrawnPrimitive<'_> {
    /// The box of what stands as it is in the file.
    fn known_bounds(&self) -> Option<Aabb> {
        if self.is_skinned || self.record.morph_count > 0 {
            return None;
        }
        let rigid = to_affine(&self.palette.matrices()[self.record.rigid as usize]);
        Some(self.primitive.rest_bounds.transformed(&rigid))
    }

    /// Vertices and active morphs of vertices that are posed to pick from it, and triangles.
    fn cost(&self) -> usize {
        let posed = 1 + self.record.morph_count as usize;
        let vertices = self
            .primitive
            .vertices
            .positions
            .len()
            .saturating_mul(posed);
        vertices.saturating_add(self.primitive.indices.len() / 3)
    }

    /// The triangle that `ray` meets first, before `nearest`; `posed` is filled with vertices.
    fn pick(&self, ray: &Ray, nearest: f64, posed: &mut Vec<Vec3>) -> Option<([u32; 3], Meeting)> {
        self.pose(posed);
        let cutout = Cutout::of(self.model, self.material, self.primitive);
        let cutout = cutout.filter(|_| self.has_holes);
        let is_there = |vertices, parts: DVec3| {
            let morphs = self.palette.morphs_of(self.record);
            let cutout = cutout.as_ref();
            cutout.is_none_or(|it| it.is_there(vertices, parts.as_vec3(), morphs))
        };
        pick_triangle(self.primitive, posed, self.sides, ray, nearest, is_there)
    }

    /// Fills `posed` with its vertices in the world.
    fn pose(&self, posed: &mut Vec<Vec3>) {
        let Self {
            primitive,
            palette,
            record,
            is_skinned,
            ..
        } = *self;
        posed.clear();
        skinning::for_each_posed_position(primitive, palette, record, is_skinned, |point| {
            posed.push(point);
        });
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

#[cfg(test)]
mod tests {
    use super::meeting::tests::ray;
    use super::*;
    use crate::anim::to_palette_matrix;
    use glam::{Affine3A, Quat};

    fn shape(world_from_shape: Affine3A, node: u32) -> OverlayShape {
        OverlayShape {
            world_from_shape: to_palette_matrix(&world_from_shape),
            color: [0.0; 4],
            node: NodeId(node),
        }
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
