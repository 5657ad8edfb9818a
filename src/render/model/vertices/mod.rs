//! How vertices lie on the adapter: positions by themselves, which is all that shadows are drawn from; what else they have side
//! by side, in as many bytes as that takes; and which joints move them.
//!
//! Pipelines are fixed to what vertices have. Twin of the inputs in `shaders/mesh.wgsl`.

mod alike;
mod chosen;
mod packing;

use wgpu::VertexFormat;

use crate::{model::Vertices, render::layout::GpuInstance};

pub(in crate::render) use alike::{AlikeBuffers, Source};
pub(in crate::render) use chosen::ChosenAttributes;
pub use packing::{packed_influences, packed_vertices};

/// What vertices have beside their positions: the bits of `ATTRIBUTES` in the shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Attributes(u32);

/// Those that there are, in the order in which they lie, with their formats. The first is at location 1.
const EACH: [(Attributes, VertexFormat); 5] = [
    (Attributes::NORMALS, VertexFormat::Snorm16x2),
    (Attributes::TANGENTS, VertexFormat::Snorm16x2),
    (Attributes::TEX_COORDS_0, VertexFormat::Float32x2),
    (Attributes::TEX_COORDS_1, VertexFormat::Float32x2),
    (Attributes::COLORS, VertexFormat::Unorm16x4),
];

impl Attributes {
    /// Nothing but positions.
    pub const NONE: Self = Self(0);
    /// Normals.
    pub const NORMALS: Self = Self(1);
    /// Tangents.
    pub const TANGENTS: Self = Self(2);
    /// The first set of texture coordinates.
    pub const TEX_COORDS_0: Self = Self(4);
    /// The second one.
    pub const TEX_COORDS_1: Self = Self(8);
    /// Colours.
    pub const COLORS: Self = Self(16);
    /// All of these.
    pub const ALL: Self = Self(31);

    /// What these vertices have.
    pub fn of(vertices: &Vertices) -> Self {
        let [first, second] = &vertices.tex_coords;
        let is_there = [
            !vertices.normals.is_empty(),
            !vertices.tangents.is_empty(),
            !first.is_empty(),
            !second.is_empty(),
            !vertices.colors.is_empty(),
        ];
        let all = EACH.iter().zip(is_there);
        let there = all.filter_map(|(&(attribute, _), is_there)| is_there.then_some(attribute));
        there.fold(Self::NONE, Self::with)
    }

    /// As bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether all of `others` are among these.
    pub fn has(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// These and `others`.
    #[must_use]
    pub fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Bytes that they take for each vertex.
    pub fn bytes(self) -> u64 {
        self.each().map(|(_, format)| format.size()).sum()
    }

    /// Those that are here, in the order in which they lie.
    fn each(self) -> impl Iterator<Item = (Self, VertexFormat)> {
        EACH.into_iter()
            .filter(move |(attribute, _)| self.has(*attribute))
    }
}

/// Four joints and weights; vertices with eight have two of them.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct GpuInfluences {
    /// Indices into the skin's joints.
    pub joints: [u16; 4],
    /// Their weights.
    pub weights: [f32; 4],
}

/// Bytes of a position.
const POSITION_STRIDE: u64 = 12;

const fn attribute(
    shader_location: u32,
    offset: u64,
    format: VertexFormat,
) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute {
        format,
        offset,
        shader_location,
    }
}

const POSITION: wgpu::VertexAttribute = attribute(0, 0, VertexFormat::Float32x3);
const RECORD: [wgpu::VertexAttribute; 1] = [attribute(6, 0, VertexFormat::Uint32x4)];
const INFLUENCES: [wgpu::VertexAttribute; 4] = [
    attribute(7, 0, VertexFormat::Uint16x4),
    attribute(8, 8, VertexFormat::Float32x4),
    attribute(9, 24, VertexFormat::Uint16x4),
    attribute(10, 32, VertexFormat::Float32x4),
];

/// The buffers that a pipeline of meshes reads.
#[derive(Debug)]
pub struct MeshBuffers {
    of_positions: Vec<wgpu::VertexAttribute>,
    side_by_side: Vec<wgpu::VertexAttribute>,
    attributes: Attributes,
    sets_of_four: usize,
}

impl MeshBuffers {
    /// For vertices that have so much, and as many joints in fours. What they lack has inputs all the same, which have to read
    /// something: the position, whose bytes the shader takes no notice of.
    pub fn new(attributes: Attributes, sets_of_four: usize) -> Self {
        let mut this = Self::of_positions(sets_of_four);
        this.attributes = attributes;
        let mut offset = 0;
        for (location, (each, format)) in (1..).zip(EACH) {
            if attributes.has(each) {
                (this.side_by_side).push(attribute(location, offset, format));
                offset += format.size();
            } else {
                this.of_positions.push(attribute(location, 0, format));
            }
        }
        this
    }

    /// For shaders that look at positions alone, whatever else vertices have.
    pub fn of_positions(sets_of_four: usize) -> Self {
        Self {
            of_positions: vec![POSITION],
            side_by_side: Vec::new(),
            attributes: Attributes::NONE,
            sets_of_four,
        }
    }

    /// Positions, records of instances, influences if there are any, and the rest if there is any.
    pub fn layouts(&self) -> Vec<Option<wgpu::VertexBufferLayout<'_>>> {
        use wgpu::VertexStepMode::{Instance, Vertex};
        let layout = |array_stride, step_mode, attributes| {
            Some(wgpu::VertexBufferLayout {
                array_stride,
                step_mode,
                attributes,
            })
        };
        let mut layouts = vec![
            layout(POSITION_STRIDE, Vertex, &self.of_positions[..]),
            layout(size_of::<GpuInstance>() as u64, Instance, &RECORD),
        ];
        let sets = self.sets_of_four.min(2);
        if sets > 0 {
            let stride = (sets * size_of::<GpuInfluences>()) as u64;
            layouts.push(layout(stride, Vertex, &INFLUENCES[..2 * sets]));
        }
        if self.attributes != Attributes::NONE {
            layouts.push(layout(self.attributes.bytes(), Vertex, &self.side_by_side));
        }
        layouts
    }

    /// The buffers of [`MeshBuffers::layouts`] for pipelines that draw something at each vertex, as one of several instances.
    /// All of them have the record that the buffer of records begins with.
    pub fn layouts_at_vertices(&self) -> Vec<Option<wgpu::VertexBufferLayout<'_>>> {
        use wgpu::VertexStepMode::{Instance, Vertex};
        let mut layouts = self.layouts();
        for layout in layouts.iter_mut().flatten() {
            match layout.step_mode {
                Vertex => layout.step_mode = Instance,
                Instance => layout.array_stride = 0,
            }
        }
        layouts
    }
}

/// Which of [`MeshBuffers::layouts`] is that of the records.
pub(in crate::render) const RECORDS_SLOT: u32 = 1;
