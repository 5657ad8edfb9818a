//! The vertices of a pose, morphed then skinned, in the world: what `shaders/mesh.wgsl` computes, normals and tangents too.

use glam::Vec3;
use serde_json::{Value, json};

use super::glb::GlbWriter;
use crate::{
    anim::{
        Movers, Palette, PaletteLayout, dual_quaternion,
        skinning::{
            is_mirroring, morph_color, morph_normal, morph_position, morph_tangent,
            morph_tex_coord, transform_normal, transform_point, transform_vector, unit_or_zero,
            volume_factor,
        },
    },
    model::{Model, Primitive, Topology},
};

/// All that a pose shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surfaces<'a> {
    pub(super) model: &'a Model,
    pub(super) layout: &'a PaletteLayout,
    pub(super) palette: &'a Palette,
}

/// A primitive in the world.
#[derive(Debug)]
pub(super) struct Surface {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    tex_coords: [Vec<[f32; 2]>; 2],
    colors: Vec<[f32; 4]>,
    /// Whether the front of its triangles is on the other side now (glTF 2.0 §3.7.4).
    is_mirrored: bool,
    /// How much the thickness of what is inside has grown: as the shader has it, the cube root of the volume's.
    pub(super) thickness_scale: f32,
}

impl Surfaces<'_> {
    /// How many vertices are shown, those of all copies together.
    pub(super) fn vertex_count(&self) -> usize {
        self.count(|primitives| primitives.iter().map(|p| p.vertices.positions.len()).sum())
    }

    /// How many primitives are shown, those of all copies together.
    pub(super) fn part_count(&self) -> usize {
        self.count(<[Primitive]>::len)
    }

    /// The sum of what `of_mesh` counts in each mesh, over all copies that are shown.
    fn count(&self, of_mesh: impl Fn(&[Primitive]) -> usize) -> usize {
        let placements = self.layout.placements().iter().enumerate();
        let counts = placements.map(|(index, placement)| {
            let of_mesh = of_mesh(&self.model.meshes[placement.mesh].primitives);
            self.copies_shown(index).len().saturating_mul(of_mesh)
        });
        counts.fold(0, usize::saturating_add)
    }

    /// Places in [`PaletteLayout::copies_of`] of those copies of a placement that can be seen: all or none.
    pub(super) fn copies_shown(&self, placement: usize) -> std::ops::Range<usize> {
        let copies = self.layout.placements()[placement].copies as usize;
        0..if self.palette.is_hidden(placement) {
            0
        } else {
            copies
        }
    }

    /// A primitive of a copy of a placement; none if it has nothing to draw or a vertex is nowhere.
    pub(super) fn pose(
        &self,
        placement: usize,
        copy: usize,
        primitive: &Primitive,
    ) -> Option<Surface> {
        let record = self.palette.record_of_copy(placement, copy, 0);
        let morphs = self.palette.morphs_of(record);
        let rigid = &self.palette.matrices()[record.rigid as usize];
        let is_skinned = self.layout.placements()[placement].skin.is_some();
        let influences = primitive.influences.as_ref().filter(|_| is_skinned);
        let first_joint = record.first_joint as usize;
        let vertices = &primitive.vertices;
        let count = vertices.positions.len();
        let mut surface = Surface {
            positions: Vec::with_capacity(count),
            normals: Vec::with_capacity(vertices.normals.len()),
            tangents: Vec::with_capacity(vertices.tangents.len()),
            tex_coords: [Vec::new(), Vec::new()],
            colors: Vec::new(),
            is_mirrored: false,
            thickness_scale: 1.0,
        };
        let mut volumes = 0.0;
        for (vertex, &position) in vertices.positions.iter().enumerate() {
            let rows = match influences {
                Some(influences) => {
                    dual_quaternion::blend(self.palette, first_joint, influences, vertex)
                }
                None => *rigid,
            };
            let volume = volume_factor(&rows);
            volumes += volume.abs();
            let targets = &primitive.targets;
            let morphed = morph_position(position, vertex, targets, morphs);
            let posed = transform_point(&rows, morphed);
            if !posed.is_finite() {
                return None;
            }
            surface.positions.push(posed.to_array());
            if let Some(&normal) = vertices.normals.get(vertex) {
                let normal = morph_normal(normal, vertex, targets, morphs);
                let normal = unit_or(Vec3::Y, transform_normal(&rows, normal));
                surface.normals.push(normal.to_array());
            }
            if let Some(&tangent) = vertices.tangents.get(vertex) {
                let along = tangent.truncate();
                let along = morph_tangent(along, vertex, targets, morphs);
                let along = unit_or(Vec3::X, transform_vector(&rows, along));
                // Normals keep their side under a mirroring matrix, so the bitangent must change its own.
                let side = if is_mirroring(&rows) {
                    -tangent.w
                } else {
                    tangent.w
                };
                surface.tangents.push(along.extend(side).to_array());
            }
        }
        let targets = &primitive.targets;
        for (set, tex_coords) in vertices.tex_coords.iter().enumerate() {
            let morphed = tex_coords.iter().enumerate().map(|(vertex, &tex_coord)| {
                morph_tex_coord(tex_coord, set, vertex, targets, morphs).to_array()
            });
            surface.tex_coords[set] = morphed.collect();
        }
        let colors = vertices.colors.iter().enumerate();
        let colors =
            colors.map(|(vertex, color)| morph_color(color, vertex, targets, morphs).to_array());
        surface.colors = colors.collect();
        if primitive.indices.is_empty() || count == 0 {
            return None;
        }
        // The same rule as where it is drawn.
        let matrices = self.palette.matrices();
        surface.is_mirrored = match influences {
            Some(influences) => {
                Movers::new(influences).mirror(|joint| is_mirroring(&matrices[first_joint + joint]))
            }
            None => is_mirroring(rigid),
        };
        let scale = (volumes / count as f32).cbrt();
        surface.thickness_scale = if scale.is_finite() { scale } else { 1.0 };
        Some(surface)
    }
}

impl Surface {
    pub(super) fn leave_out_tangents(&mut self) {
        self.tangents.clear();
    }

    /// Writes its accessors; the primitive's JSON. It gets at least `sets` sets of texture coordinates, which are zero
    /// where the file has none: a material may only name sets that are there.
    pub(super) fn write(
        &self,
        primitive: &Primitive,
        material: usize,
        sets: usize,
        glb: &mut GlbWriter,
    ) -> anyhow::Result<Value> {
        let mut attributes = json!({ "POSITION": glb.add_floats(&self.positions) });
        if !self.normals.is_empty() {
            attributes["NORMAL"] = json!(glb.add_floats(&self.normals));
        }
        if !self.tangents.is_empty() {
            attributes["TANGENT"] = json!(glb.add_floats(&self.tangents));
        }
        let vertices = &primitive.vertices;
        let used = vertices.tex_coords.iter().rposition(|set| !set.is_empty());
        let sets = sets.max(used.map_or(0, |last| last + 1));
        for (set, tex_coords) in self.tex_coords.iter().enumerate().take(sets) {
            let mut tex_coords = tex_coords.clone();
            tex_coords.resize(self.positions.len(), [0.0; 2]);
            attributes[format!("TEXCOORD_{set}")] = json!(glb.add_floats(&tex_coords));
        }
        if !self.colors.is_empty() {
            attributes["COLOR_0"] = json!(glb.add_floats(&self.colors));
        }
        let (mode, is_triangles) = match primitive.topology {
            Topology::Points => (0, false),
            Topology::Lines => (1, false),
            Topology::Triangles => (4, true),
        };
        let mut indices: Vec<u32> = primitive.indices.iter().collect();
        if is_triangles && self.is_mirrored {
            for triangle in indices.chunks_exact_mut(3) {
                triangle.swap(1, 2);
            }
        }
        Ok(json!({
            "attributes": attributes,
            "indices": glb.add_indices(&indices),
            "material": material,
            "mode": mode,
        }))
    }
}

/// A direction of unit length, as files must have it (glTF 2.0 §3.7.2.1): `any` where a surface has shrunk to nothing.
fn unit_or(any: Vec3, vector: Vec3) -> Vec3 {
    let unit = unit_or_zero(vector);
    if unit == Vec3::ZERO { any } else { unit }
}
