//! The contract with WGSL: structs as the shaders lay them out, and what the overlay is made of; how the vertices of meshes lie
//! is in [`super::vertices`]. `tests/shaders.rs` compares the structs with what naga makes of the sources.

use bytemuck::{Pod, Zeroable};
use wgpu::VertexFormat;

use crate::model::TextureSlot;

/// `shaders/frame.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct FrameUniform {
    /// Read by no shader.
    pub unread: [f32; 4],
    /// From the eye, along the world's axes, to clip space; column-major.
    pub clip_from_eye: [[f32; 4]; 4],
    /// From points of the picture at depth 0 to directions.
    pub direction_from_clip: [[f32; 4]; 4],
    /// xyz: the eye.
    pub eye: [f32; 4],
    /// xyz: against the way the camera looks; w: 1 if its projection is parallel.
    pub backward: [f32; 4],
    /// Grid spacing, radius, grey, and the ground's height.
    pub grid: [f32; 4],
    /// rgb: irradiance of the environment over pi, as a polynomial.
    pub harmonics: [[f32; 4]; 9],
    /// Cosine and sine of the environment's turn, factor on it, its last level.
    pub environment: [f32; 4],
    /// From the eye to the shadow map's texture coordinates and depth.
    pub shadow_from_eye: [[f32; 4]; 4],
    /// Width of a texel of it; what a shadow takes from the ground; width of a texel in the world; 1 where the picture keeps its
    /// alpha.
    pub shadow: [f32; 4],
    /// Where the ground may be in shadow, from the eye.
    pub ground: [f32; 4],
    /// Exposure as a factor, tone curve, blur of the environment behind everything.
    pub output: [f32; 4],
    /// Number of lights; nothing; width and height of the picture in pixels.
    pub counts: [u32; 4],
    /// The lights, the rest of the array unused.
    pub lights: [LightUniform; MAX_LIGHTS],
    /// From the eye to the near end of the model, and from there to its far end.
    pub depth_range: [f32; 2],
    /// [`crate::scene::WeightColors`].
    pub weight_colors: u32,
    /// Matrices an instance.
    pub matrices_per_instance: u32,
    /// How many of `chosen` there are.
    pub chosen_count: u32,
    /// World units in the last colour of the view of the skinning difference.
    pub difference_scale: f32,
    /// How long normals are as lines, in world units.
    pub normal_length: f32,
    /// How many pixels wide a line of the grid is.
    pub pixels_per_point: f32,
    /// x and z of the grid's middle in the world.
    pub grid_middle: [f32; 2],
    /// Unused.
    pub padding: [u32; 2],
    /// Where the chosen joint's matrices are in an instance's share: the first and their number, two of these a row.
    pub chosen: [[u32; 4]; 4],
}

/// Lights that a picture can have.
pub const MAX_LIGHTS: usize = 16;

/// `shaders/frame.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct LightUniform {
    /// Where it stands, from the eye, and 1 over the square of its range or 0.
    pub position: [f32; 4],
    /// Against the way it shines; w is 0 if it is infinitely far away.
    pub direction: [f32; 4],
    /// rgb; w is 1 if it throws the shadow.
    pub intensity: [f32; 4],
    /// Scale and offset of a cone's fading.
    pub cone: [f32; 4],
}

/// `shaders/prefilter.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct LobeSample {
    /// A direction around +Z; w is the source's level for it.
    pub direction: [f32; 4],
}

/// `shaders/material_data.wgsl`. Colours are linear.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct MaterialUniform {
    /// With alpha; the diffuse colour, if the surface is described by specular colour and glossiness.
    pub base_color: [f32; 4],
    /// xyz.
    pub emissive: [f32; 4],
    /// Specular colour and glossiness, if it is described by them.
    pub specular_glossiness: [f32; 4],
    /// Colour and strength of what dielectrics reflect.
    pub specular: [f32; 4],
    /// Factor, roughness, scale of the normal map.
    pub clearcoat: [f32; 4],
    /// Colour and roughness.
    pub sheen: [f32; 4],
    /// Factor, index of refraction, least and greatest thickness in nanometres.
    pub iridescence: [f32; 4],
    /// Strength, cosine and sine of the rotation.
    pub anisotropy: [f32; 4],
    /// Colour and factor.
    pub diffuse_transmission: [f32; 4],
    /// What is lost a metre, and thickness.
    pub volume: [f32; 4],
    /// Factor.
    pub metallic: f32,
    /// Factor.
    pub roughness: f32,
    /// Factor on x and y of the normal map.
    pub normal_scale: f32,
    /// 0..1.
    pub occlusion_strength: f32,
    /// The least alpha that is drawn, if masked.
    pub alpha_cutoff: f32,
    /// Index of refraction.
    pub ior: f32,
    /// 20 over the Abbe number.
    pub dispersion: f32,
    /// Factor.
    pub transmission: f32,
    /// A bit for each map.
    pub tex_coord_bits: u32,
    /// The map in whose tangent space directions lie.
    pub tangent_map: u32,
    /// Unused.
    pub padding_0: u32,
    /// Unused.
    pub padding_1: u32,
    /// Two rows for each map, applied to `(u, v, 1)`.
    pub tex_coord_rows: [[[f32; 4]; 2]; MAP_COUNT],
}

/// What textures of a material are for, in the order of `shaders/material_data.wgsl`: the names of the override constants
/// that say in which slot each is.
pub const MAP_SLOTS: [&str; MAP_COUNT] = [
    "BASE_COLOR_SLOT",
    "METALLIC_ROUGHNESS_SLOT",
    "NORMAL_SLOT",
    "OCCLUSION_SLOT",
    "EMISSIVE_SLOT",
    "SPECULAR_SLOT",
    "SPECULAR_COLOR_SLOT",
    "CLEARCOAT_SLOT",
    "CLEARCOAT_ROUGHNESS_SLOT",
    "CLEARCOAT_NORMAL_SLOT",
    "SHEEN_COLOR_SLOT",
    "SHEEN_ROUGHNESS_SLOT",
    "TRANSMISSION_SLOT",
    "THICKNESS_SLOT",
    "IRIDESCENCE_SLOT",
    "IRIDESCENCE_THICKNESS_SLOT",
    "ANISOTROPY_SLOT",
    "DIFFUSE_TRANSMISSION_SLOT",
    "DIFFUSE_TRANSMISSION_COLOR_SLOT",
];

/// Number of things that textures of a material are for. Those of specular-glossiness take the places of base colour, and of
/// metallic and roughness.
pub const MAP_COUNT: usize = TextureSlot::Diffuse as usize;

/// Textures and samplers that the frame takes of a stage's: environment, shares, shadow map and copy of the scene, with three
/// samplers.
const FRAME_TEXTURES: u32 = 4;
const FRAME_SAMPLERS: u32 = 3;

/// Textures that a material can have at most where a stage can have so many: all that it has a use for, or as many as there is
/// room for. With what WebGPU promises, 16 of both, there is room for 12.
pub fn texture_slots(limits: &wgpu::Limits) -> usize {
    let textures = limits.max_sampled_textures_per_shader_stage;
    let samplers = limits.max_samplers_per_shader_stage;
    let room = textures
        .saturating_sub(FRAME_TEXTURES)
        .min(samplers.saturating_sub(FRAME_SAMPLERS));
    (room as usize).clamp(1, MAP_COUNT)
}

/// The slot of a map without a texture.
pub const NO_SLOT: u8 = 255;

/// The bits of a material's features, which its pipeline is made for: `FEATURES` in `shaders/material_data.wgsl`.
pub mod material_flags {
    /// Alpha below the cutoff is not drawn.
    pub const ALPHA_MASK: u32 = 1;
    /// Alpha mixes.
    pub const ALPHA_BLEND: u32 = 2;
    /// No light.
    pub const UNLIT: u32 = 4;
    /// Specular colour and glossiness take the place of metallic and roughness, also in the texture.
    pub const SPECULAR_GLOSSINESS: u32 = 8;
    /// Strength and colour of what dielectrics reflect.
    pub const SPECULAR: u32 = 16;
    /// A clear layer on top.
    pub const CLEARCOAT: u32 = 32;
    /// Fibres.
    pub const SHEEN: u32 = 64;
    /// Light passes through.
    pub const TRANSMISSION: u32 = 128;
    /// What is inside.
    pub const VOLUME: u32 = 256;
    /// Colours are refracted apart.
    pub const DISPERSION: u32 = 512;
    /// A thin film.
    pub const IRIDESCENCE: u32 = 1024;
    /// Highlights drawn out along a direction.
    pub const ANISOTROPY: u32 = 2048;
    /// Light passes through and leaves in all directions.
    pub const DIFFUSE_TRANSMISSION: u32 = 4096;
}

/// `shaders/skinning.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub struct PrimitiveUniform {
    /// Bits, see [`primitive_flags`].
    pub flags: u32,
    /// Unused.
    pub padding_0: u32,
    /// Unused.
    pub padding_1: u32,
    /// Unused.
    pub padding_2: u32,
}

/// [`PrimitiveUniform::flags`].
pub mod primitive_flags {
    /// Vertices have normals.
    pub const HAS_NORMALS: u32 = 1;
    /// Vertices have tangents.
    pub const HAS_TANGENTS: u32 = 2;
    /// Made of triangles; points and lines have no faces and thus no normals of their own.
    pub const HAS_FACES: u32 = 4;
    /// The material's maps ask for other tangents than vertices have.
    pub const NEEDS_OTHER_TANGENTS: u32 = 8;
}

/// What morph targets move: the bits that lead a primitive's deltas.
pub mod morph_flags {
    /// Positions.
    pub const POSITIONS: u32 = 1;
    /// Normals.
    pub const NORMALS: u32 = 2;
    /// Tangents.
    pub const TANGENTS: u32 = 4;
    /// The first set of texture coordinates.
    pub const TEX_COORDS_0: u32 = 8;
    /// The second one.
    pub const TEX_COORDS_1: u32 = 16;
    /// Colours.
    pub const COLORS: u32 = 32;
}

/// `shaders/tonemap.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct OutputUniform {
    /// Linear; w is 1 where the picture keeps its alpha.
    pub background_top: [f32; 4],
    /// Linear.
    pub background_bottom: [f32; 4],
    /// x, y, width, height in pixels.
    pub viewport: [f32; 4],
    /// x is 1 where the target encodes sRGB by itself, y the exposure as a factor.
    pub options: [f32; 4],
}

/// `shaders/ghost.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct GhostUniform {
    /// Linear; w is how much of it there is where it lies in front.
    pub tint: [f32; 4],
    /// In parallel projection the picture's heights in a depth of 1, else 0.
    pub heights: f32,
    /// How many pixels a point has.
    pub pixels_per_point: f32,
    /// Unused.
    pub padding: [f32; 2],
}

/// `shaders/pose_vertices.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct PoseUniform {
    /// An instance record.
    pub instance: [u32; 4],
    /// Influences a vertex, number of vertices, first vertex, whether dual quaternions are blended.
    pub counts: [u32; 4],
}

/// Where an instance finds its data: [`crate::anim::InstanceRecord`] as bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct GpuInstance {
    /// Place of the first joint's matrix.
    pub first_joint: u32,
    /// Place of the rigid matrix.
    pub rigid: u32,
    /// Place of the first active morph.
    pub first_morph: u32,
    /// Number of active morphs.
    pub morph_count: u32,
}

/// [`crate::anim::ActiveMorph`] as bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct GpuMorph {
    /// Index of the morph target.
    pub target_index: u32,
    /// Its weight.
    pub weight: f32,
}

/// A vertex of a unit shape of the overlay.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct ShapeVertex {
    /// In the shape's space.
    pub position: [f32; 3],
    /// Out of it.
    pub normal: [f32; 3],
    /// Where it goes when the shape grows wider, of any length, in axes that are all as long as one another.
    pub outward: [f32; 3],
}

/// [`crate::scene::OverlayShape`] as bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct GpuShape {
    /// Rows.
    pub world_from_shape: [[f32; 4]; 3],
    /// Linear, with opacity.
    pub color: [f32; 4],
}

/// [`crate::scene::OverlayLine`] as bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct GpuLine {
    /// Where it begins.
    pub from: [f32; 3],
    /// In pixels.
    pub width_px: f32,
    /// Where it ends.
    pub to: [f32; 3],
    /// Unused.
    pub padding: f32,
    /// Linear, with opacity.
    pub color: [f32; 4],
}

const fn attribute(
    shader_location: u32,
    offset: usize,
    format: VertexFormat,
) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute {
        format,
        offset: offset as u64,
        shader_location,
    }
}

const SHAPE_ATTRIBUTES: [wgpu::VertexAttribute; 3] = [
    attribute(0, 0, VertexFormat::Float32x3),
    attribute(1, 12, VertexFormat::Float32x3),
    attribute(2, 24, VertexFormat::Float32x3),
];
const SHAPE_INSTANCE_ATTRIBUTES: [wgpu::VertexAttribute; 4] = [
    attribute(3, 0, VertexFormat::Float32x4),
    attribute(4, 16, VertexFormat::Float32x4),
    attribute(5, 32, VertexFormat::Float32x4),
    attribute(6, 48, VertexFormat::Float32x4),
];

const LINE_ATTRIBUTES: [wgpu::VertexAttribute; 3] = [
    attribute(0, 0, VertexFormat::Float32x4),
    attribute(1, 16, VertexFormat::Float32x4),
    attribute(2, 32, VertexFormat::Float32x4),
];

fn buffer_layout<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &'static [wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<T>() as u64,
        step_mode,
        attributes,
    }
}

/// Buffers of the overlay: a unit shape, and its instances.
pub fn overlay_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 2] {
    use wgpu::VertexStepMode::{Instance, Vertex as EachVertex};
    [
        Some(buffer_layout::<ShapeVertex>(EachVertex, &SHAPE_ATTRIBUTES)),
        Some(buffer_layout::<GpuShape>(
            Instance,
            &SHAPE_INSTANCE_ATTRIBUTES,
        )),
    ]
}

/// The buffer of the overlay's lines.
pub fn line_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 1] {
    let step_mode = wgpu::VertexStepMode::Instance;
    [Some(buffer_layout::<GpuLine>(step_mode, &LINE_ATTRIBUTES))]
}
