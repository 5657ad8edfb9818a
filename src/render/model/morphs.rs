//! Morph targets on the GPU: what they add to the vertices of a primitive, and group 3, which says what its vertices have.

use std::collections::HashMap;

use bytemuck::NoUninit;
use wgpu::util::DeviceExt as _;

use crate::{
    model::{Deltas, MorphTarget, Primitive, Topology},
    render::{
        Gpu,
        layout::{PrimitiveUniform, morph_flags, primitive_flags},
    },
};

/// Group 3 of primitives that nothing morphs: it says no more than which attributes there are, so few serve all of a model. A
/// software driver makes some shaders anew each time that another is bound.
#[derive(Debug, Default)]
pub(in crate::render) struct StillGroups(HashMap<u32, wgpu::BindGroup>);

impl StillGroups {
    /// That of a primitive with these targets, of which these are the deltas; one of its own if it has any.
    pub(in crate::render) fn group(
        &mut self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        morph: &MorphData,
        deltas: Option<&wgpu::Buffer>,
    ) -> wgpu::BindGroup {
        if let Some(deltas) = deltas {
            return morph.bind_group(gpu, layout, deltas);
        }
        let group = self.0.entry(morph.uniform.flags);
        let group = group.or_insert_with(|| {
            // A binding cannot be empty; that nothing is moved is said here, too.
            let deltas = deltas_buffer(gpu, &[0; 4]);
            morph.bind_group(gpu, layout, &deltas)
        });
        group.clone()
    }
}

/// What morph targets can move, in the order in which the shader finds it.
const MORPHED: [u32; 6] = [
    morph_flags::POSITIONS,
    morph_flags::NORMALS,
    morph_flags::TANGENTS,
    morph_flags::TEX_COORDS_0,
    morph_flags::TEX_COORDS_1,
    morph_flags::COLORS,
];

/// Numbers that a vertex has of it.
fn floats_of(flag: u32) -> usize {
    match flag {
        morph_flags::TEX_COORDS_0 | morph_flags::TEX_COORDS_1 => 2,
        morph_flags::COLORS => 4,
        _ => 3,
    }
}

/// Whether a target moves it.
fn moves(target: &MorphTarget, flag: u32) -> bool {
    let [first, second] = &target.tex_coords;
    !match flag {
        morph_flags::POSITIONS => target.positions.is_empty(),
        morph_flags::NORMALS => target.normals.is_empty(),
        morph_flags::TANGENTS => target.tangents.is_empty(),
        morph_flags::TEX_COORDS_0 => first.is_empty(),
        morph_flags::TEX_COORDS_1 => second.is_empty(),
        _ => target.colors.is_empty(),
    }
}

/// Writes what a target adds to it, so many numbers from one vertex to the next.
fn write(target: &MorphTarget, flag: u32, numbers: &mut [u32], stride: usize) {
    fn each<T: Copy + NoUninit>(deltas: &Deltas<T>, numbers: &mut [u32], stride: usize) {
        for (vertex, delta) in deltas.iter() {
            let delta = bytemuck::cast_slice(std::slice::from_ref(&delta));
            numbers[vertex * stride..][..delta.len()].copy_from_slice(delta);
        }
    }
    let [first, second] = &target.tex_coords;
    match flag {
        morph_flags::POSITIONS => each(&target.positions, numbers, stride),
        morph_flags::NORMALS => each(&target.normals, numbers, stride),
        morph_flags::TANGENTS => each(&target.tangents, numbers, stride),
        morph_flags::TEX_COORDS_0 => each(first, numbers, stride),
        morph_flags::TEX_COORDS_1 => each(second, numbers, stride),
        _ => each(&target.colors, numbers, stride),
    }
}

/// In the place of a target's deltas: it leaves all vertices alone. Twin: `NO_DELTAS` in `shaders/skinning.wgsl`.
const NO_DELTAS: u32 = u32::MAX;
/// Numbers before those of the targets: what any of them moves, and how many a target holds for a vertex.
const HEADER: usize = 2;

/// The morph targets of a primitive as the shader reads them, and the numbers that say how.
pub(in crate::render) struct MorphData {
    pub(in crate::render) uniform: PrimitiveUniform,
    /// Nothing if no target moves anything.
    pub(in crate::render) deltas: Vec<u32>,
}

impl MorphData {
    /// Lays out target by target, vertex by vertex: what is in [`MORPHED`], as far as any target moves it. Targets that leave
    /// the primitive alone, as most of an avatar's do with most of it, take no more than a number.
    pub(in crate::render) fn new(gpu: &Gpu, primitive: &Primitive, name: &str) -> Self {
        let limits = gpu.device.limits();
        let largest = limits
            .max_storage_buffer_binding_size
            .min(limits.max_buffer_size);
        Self::within(largest, primitive, name)
    }

    /// The morph targets in so many bytes at most.
    fn within(largest: u64, primitive: &Primitive, name: &str) -> Self {
        let vertices = &primitive.vertices;
        let vertex_count = vertices.positions.len();
        let targets = &primitive.targets;
        let is_moved = |flag: &u32| targets.iter().any(|target| moves(target, *flag));
        let mut moved = MORPHED.into_iter().filter(is_moved).sum::<u32>();
        let each = |moved: u32| {
            let each = MORPHED.into_iter();
            each.filter(move |flag| moved & flag != 0)
        };
        let floats_a_vertex = |moved| each(moved).map(floats_of).sum::<usize>();
        let is_active = |target: &&MorphTarget, moved| each(moved).any(|flag| moves(target, flag));
        let bytes = |moved| {
            let active = targets.iter().filter(|target| is_active(target, moved));
            let numbers = active.count() * vertex_count * floats_a_vertex(moved);
            4 * (HEADER + targets.len() + numbers) as u64
        };
        if bytes(moved) > largest {
            // Positions matter most.
            moved &= morph_flags::POSITIONS;
            if bytes(moved) > largest {
                moved = 0;
            }
            log::warn!(
                "{name}: its {} morph targets do not fit the adapter's {largest} bytes and are shown in part",
                targets.len()
            );
        }
        let mut deltas = Vec::new();
        if moved != 0 {
            deltas.reserve_exact(bytes(moved) as usize / 4);
            deltas.extend([moved, floats_a_vertex(moved) as u32]);
            deltas.resize(HEADER + targets.len(), NO_DELTAS);
        }
        for (place, target) in targets.iter().enumerate() {
            if !is_active(&target, moved) {
                continue;
            }
            let (start, stride) = (deltas.len(), floats_a_vertex(moved));
            deltas[HEADER + place] = start as u32;
            deltas.resize(start + vertex_count * stride, 0);
            let mut first = start;
            for flag in each(moved) {
                write(target, flag, &mut deltas[first..], stride);
                first += floats_of(flag);
            }
        }
        let has = |present: bool, flag: u32| if present { flag } else { 0 };
        Self {
            uniform: PrimitiveUniform {
                flags: has(!vertices.normals.is_empty(), primitive_flags::HAS_NORMALS)
                    | has(!vertices.tangents.is_empty(), primitive_flags::HAS_TANGENTS)
                    | has(
                        primitive.topology == Topology::Triangles,
                        primitive_flags::HAS_FACES,
                    ),
                ..PrimitiveUniform::default()
            },
            deltas,
        }
    }

    /// In a material that needs other tangents.
    pub(super) fn with_other_tangents(mut self) -> Self {
        self.uniform.flags |= primitive_flags::NEEDS_OTHER_TANGENTS;
        self
    }

    /// The deltas on the adapter, if any target moves anything.
    pub(in crate::render) fn upload(&self, gpu: &Gpu) -> Option<wgpu::Buffer> {
        (!self.deltas.is_empty()).then(|| deltas_buffer(gpu, &self.deltas))
    }

    /// Group 3.
    fn bind_group(
        &self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        deltas: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        let uniform = gpu
            .device
            .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("MorphData::uniform"),
                contents: bytemuck::bytes_of(&self.uniform),
                usage: wgpu::BufferUsages::UNIFORM,
            });
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("MorphData::bind_group"),
            layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: uniform.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: deltas.as_entire_binding(),
                },
            ],
        })
    }
}

fn deltas_buffer(gpu: &Gpu, deltas: &[u32]) -> wgpu::Buffer {
    gpu.device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("MorphData::deltas"),
            contents: bytemuck::cast_slice(deltas),
            usage: wgpu::BufferUsages::STORAGE,
        })
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec4};

    use super::*;

    #[test]
    fn targets_that_leave_a_primitive_alone_take_a_number() {
        let one = |x: f32| MorphTarget {
            positions: vec![Vec3::new(x, 0.0, 0.0); 2].into(),
            ..MorphTarget::default()
        };
        let mut primitive = Primitive::default();
        primitive.vertices.positions = vec![Vec3::ZERO; 2];
        primitive.targets = vec![MorphTarget::default(); 100];
        let still = MorphData::within(u64::MAX, &primitive, "");
        assert!(still.deltas.is_empty());
        (primitive.targets[7], primitive.targets[98]) = (one(1.0), one(2.0));
        let moved = MorphData::within(u64::MAX, &primitive, "");
        assert_eq!(moved.deltas.len(), 102 + 2 * 6);
        let (header, numbers) = moved.deltas.split_at(102);
        assert_eq!(header[..2], [morph_flags::POSITIONS, 3]);
        let places = &header[2..];
        assert_eq!((places[7], places[98]), (102, 108));
        let others = places.iter().filter(|&&place| place == NO_DELTAS);
        assert_eq!(others.count(), 98);
        assert_eq!(numbers[6], 2.0_f32.to_bits());
        let bytes = 4 * moved.deltas.len() as u64;
        let fits = |largest| !MorphData::within(largest, &primitive, "").deltas.is_empty();
        assert!(fits(bytes) && !fits(bytes - 1));
    }

    /// The shader does not know which form they have.
    #[test]
    fn few_deltas_are_laid_out_as_each() {
        let target = MorphTarget {
            positions: vec![Vec3::X, Vec3::Y, Vec3::Z].into(),
            normals: vec![Vec3::ZERO, Vec3::ONE, Vec3::ZERO].into(),
            colors: vec![Vec4::ZERO, Vec4::ZERO, Vec4::ONE].into(),
            ..MorphTarget::default()
        };
        let few = MorphTarget {
            normals: Deltas::Few(vec![(1, Vec3::ONE)]),
            colors: Deltas::Few(vec![(2, Vec4::ONE)]),
            ..target.clone()
        };
        let laid_out = |target| {
            let mut primitive = Primitive::default();
            primitive.vertices.positions = vec![Vec3::ZERO; 3];
            primitive.targets = vec![target];
            MorphData::within(u64::MAX, &primitive, "").deltas
        };
        let (each, few) = (laid_out(target), laid_out(few));
        assert_eq!(each.len(), 3 + 3 * 10);
        let one = 1.0_f32.to_bits();
        assert_eq!(each[13..23], [0, one, 0, one, one, one, 0, 0, 0, 0]);
        assert_eq!(few, each);
    }
}
