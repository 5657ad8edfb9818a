// What a material says: its numbers, its features, and its textures. Group 2.

// Twin: render/layout.rs `MaterialUniform`. Colours are linear.
struct MaterialUniform {
    // The diffuse colour, if HAS_SPECULAR_GLOSSINESS is set.
    base_color: vec4<f32>,
    // xyz: the light that is given off.
    emissive: vec4<f32>,
    // Specular colour and glossiness, if HAS_SPECULAR_GLOSSINESS is set.
    specular_glossiness: vec4<f32>,
    // Colour and strength of what dielectrics reflect.
    specular: vec4<f32>,
    // Factor, roughness, scale of the normal map.
    clearcoat: vec4<f32>,
    // Colour and roughness.
    sheen: vec4<f32>,
    // Factor, index of refraction, least and greatest thickness in nanometres.
    iridescence: vec4<f32>,
    // Strength, cosine and sine of the rotation.
    anisotropy: vec4<f32>,
    // Colour and factor.
    diffuse_transmission: vec4<f32>,
    // xyz: the share of light that is lost a metre, as a negative exponent of e; w: thickness in the mesh's units.
    volume: vec4<f32>,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    alpha_cutoff: f32,
    ior: f32,
    dispersion: f32,
    transmission: f32,
    // For each map a bit: which set of texture coordinates.
    tex_coord_bits: u32,
    // The map in whose tangent space all directions lie.
    tangent_map: u32,
    padding_0: u32,
    padding_1: u32,
    // For each map two rows, applied to (u, v, 1).
    tex_coord_rows: array<vec4<f32>, 38>,
}

@group(2) @binding(0) var<uniform> material: MaterialUniform;

// The material's features, fixed when the pipeline is made: some drivers (Mesa's llvmpipe) run both sides of every branch
// that they cannot decide beforehand.
override FEATURES: u32 = 0xffffffffu;

const ALPHA_MASK: u32 = 1u;
const ALPHA_BLEND: u32 = 2u;
const UNLIT: u32 = 4u;
const HAS_SPECULAR_GLOSSINESS: u32 = 8u;
const HAS_SPECULAR: u32 = 16u;
const HAS_CLEARCOAT: u32 = 32u;
const HAS_SHEEN: u32 = 64u;
const HAS_TRANSMISSION: u32 = 128u;
const HAS_VOLUME: u32 = 256u;
const HAS_DISPERSION: u32 = 512u;
const HAS_IRIDESCENCE: u32 = 1024u;
const HAS_ANISOTROPY: u32 = 2048u;
const HAS_DIFFUSE_TRANSMISSION: u32 = 4096u;

fn has(flag: u32) -> bool {
    return (FEATURES & flag) != 0u;
}

// What textures are for. Twin: render/model/slots.rs `maps`.
const BASE_COLOR_MAP: u32 = 0u;
const METALLIC_ROUGHNESS_MAP: u32 = 1u;
const NORMAL_MAP: u32 = 2u;
const OCCLUSION_MAP: u32 = 3u;
const EMISSIVE_MAP: u32 = 4u;
const SPECULAR_MAP: u32 = 5u;
const SPECULAR_COLOR_MAP: u32 = 6u;
const CLEARCOAT_MAP: u32 = 7u;
const CLEARCOAT_ROUGHNESS_MAP: u32 = 8u;
const CLEARCOAT_NORMAL_MAP: u32 = 9u;
const SHEEN_COLOR_MAP: u32 = 10u;
const SHEEN_ROUGHNESS_MAP: u32 = 11u;
const TRANSMISSION_MAP: u32 = 12u;
const THICKNESS_MAP: u32 = 13u;
const IRIDESCENCE_MAP: u32 = 14u;
const IRIDESCENCE_THICKNESS_MAP: u32 = 15u;
const ANISOTROPY_MAP: u32 = 16u;
const DIFFUSE_TRANSMISSION_MAP: u32 = 17u;
const DIFFUSE_TRANSMISSION_COLOR_MAP: u32 = 18u;

// In which slot the texture of each map is: some adapters have room for fewer textures than there are maps, and most
// materials have a few. Fixed like the features; `NO_SLOT` where there is no texture.
const NO_SLOT: u32 = 255u;
override BASE_COLOR_SLOT: u32 = NO_SLOT;
override METALLIC_ROUGHNESS_SLOT: u32 = NO_SLOT;
override NORMAL_SLOT: u32 = NO_SLOT;
override OCCLUSION_SLOT: u32 = NO_SLOT;
override EMISSIVE_SLOT: u32 = NO_SLOT;
override SPECULAR_SLOT: u32 = NO_SLOT;
override SPECULAR_COLOR_SLOT: u32 = NO_SLOT;
override CLEARCOAT_SLOT: u32 = NO_SLOT;
override CLEARCOAT_ROUGHNESS_SLOT: u32 = NO_SLOT;
override CLEARCOAT_NORMAL_SLOT: u32 = NO_SLOT;
override SHEEN_COLOR_SLOT: u32 = NO_SLOT;
override SHEEN_ROUGHNESS_SLOT: u32 = NO_SLOT;
override TRANSMISSION_SLOT: u32 = NO_SLOT;
override THICKNESS_SLOT: u32 = NO_SLOT;
override IRIDESCENCE_SLOT: u32 = NO_SLOT;
override IRIDESCENCE_THICKNESS_SLOT: u32 = NO_SLOT;
override ANISOTROPY_SLOT: u32 = NO_SLOT;
override DIFFUSE_TRANSMISSION_SLOT: u32 = NO_SLOT;
override DIFFUSE_TRANSMISSION_COLOR_SLOT: u32 = NO_SLOT;

// Lines that name a slot which the adapter has no room for are left out: render/shaders.rs `Shader::source_for`.
@group(2) @binding(1) var texture_0: texture_2d<f32>;
@group(2) @binding(2) var sampler_0: sampler;
@group(2) @binding(3) var texture_1: texture_2d<f32>;
@group(2) @binding(4) var sampler_1: sampler;
@group(2) @binding(5) var texture_2: texture_2d<f32>;
@group(2) @binding(6) var sampler_2: sampler;
@group(2) @binding(7) var texture_3: texture_2d<f32>;
@group(2) @binding(8) var sampler_3: sampler;
@group(2) @binding(9) var texture_4: texture_2d<f32>;
@group(2) @binding(10) var sampler_4: sampler;
@group(2) @binding(11) var texture_5: texture_2d<f32>;
@group(2) @binding(12) var sampler_5: sampler;
@group(2) @binding(13) var texture_6: texture_2d<f32>;
@group(2) @binding(14) var sampler_6: sampler;
@group(2) @binding(15) var texture_7: texture_2d<f32>;
@group(2) @binding(16) var sampler_7: sampler;
@group(2) @binding(17) var texture_8: texture_2d<f32>;
@group(2) @binding(18) var sampler_8: sampler;
@group(2) @binding(19) var texture_9: texture_2d<f32>;
@group(2) @binding(20) var sampler_9: sampler;
@group(2) @binding(21) var texture_10: texture_2d<f32>;
@group(2) @binding(22) var sampler_10: sampler;
@group(2) @binding(23) var texture_11: texture_2d<f32>;
@group(2) @binding(24) var sampler_11: sampler;
@group(2) @binding(25) var texture_12: texture_2d<f32>;
@group(2) @binding(26) var sampler_12: sampler;
@group(2) @binding(27) var texture_13: texture_2d<f32>;
@group(2) @binding(28) var sampler_13: sampler;
@group(2) @binding(29) var texture_14: texture_2d<f32>;
@group(2) @binding(30) var sampler_14: sampler;
@group(2) @binding(31) var texture_15: texture_2d<f32>;
@group(2) @binding(32) var sampler_15: sampler;
@group(2) @binding(33) var texture_16: texture_2d<f32>;
@group(2) @binding(34) var sampler_16: sampler;
@group(2) @binding(35) var texture_17: texture_2d<f32>;
@group(2) @binding(36) var sampler_17: sampler;
@group(2) @binding(37) var texture_18: texture_2d<f32>;
@group(2) @binding(38) var sampler_18: sampler;

// Where a map looks.
fn tex_coord(in: VertexOut, map: u32) -> vec2<f32> {
    let uv = select(in.tex_coords.xy, in.tex_coords.zw, (material.tex_coord_bits >> map & 1u) != 0u);
    let u_row = material.tex_coord_rows[2u * map].xyz;
    let v_row = material.tex_coord_rows[2u * map + 1u].xyz;
    return vec2(dot(u_row, vec3(uv, 1.0)), dot(v_row, vec3(uv, 1.0)));
}

// What the texture of a map says here; ones without a texture.
fn texel(in: VertexOut, map: u32, slot: u32) -> vec4<f32> {
    let uv = tex_coord(in, map);
    switch slot {
        case 0u { return textureSample(texture_0, sampler_0, uv); }
        case 1u { return textureSample(texture_1, sampler_1, uv); }
        case 2u { return textureSample(texture_2, sampler_2, uv); }
        case 3u { return textureSample(texture_3, sampler_3, uv); }
        case 4u { return textureSample(texture_4, sampler_4, uv); }
        case 5u { return textureSample(texture_5, sampler_5, uv); }
        case 6u { return textureSample(texture_6, sampler_6, uv); }
        case 7u { return textureSample(texture_7, sampler_7, uv); }
        case 8u { return textureSample(texture_8, sampler_8, uv); }
        case 9u { return textureSample(texture_9, sampler_9, uv); }
        case 10u { return textureSample(texture_10, sampler_10, uv); }
        case 11u { return textureSample(texture_11, sampler_11, uv); }
        case 12u { return textureSample(texture_12, sampler_12, uv); }
        case 13u { return textureSample(texture_13, sampler_13, uv); }
        case 14u { return textureSample(texture_14, sampler_14, uv); }
        case 15u { return textureSample(texture_15, sampler_15, uv); }
        case 16u { return textureSample(texture_16, sampler_16, uv); }
        case 17u { return textureSample(texture_17, sampler_17, uv); }
        case 18u { return textureSample(texture_18, sampler_18, uv); }
        default { return vec4(1.0); }
    }
}
