// The fragment stage of meshes: textures, alpha, normal, light. Output: linear, alpha premultiplied.

// Twin: render/layout.rs `MaterialUniform`.
struct MaterialUniform {
    base_color: vec4<f32>,
    // xyz: emissive colour.
    emissive: vec4<f32>,
    // Specular colour and glossiness, if SPECULAR_GLOSSINESS is set; base_color is the diffuse colour then.
    specular_glossiness: vec4<f32>,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    alpha_cutoff: f32,
    // For each texture, in the order of their bindings, a bit: which set of texture coordinates.
    tex_coord_bits: u32,
    padding: vec2<u32>,
    // For each texture two rows, applied to (u, v, 1).
    tex_coord_rows: array<vec4<f32>, 10>,
}

const ALPHA_MASK: u32 = 1u;
const ALPHA_BLEND: u32 = 2u;
const UNLIT: u32 = 4u;
const HAS_BASE_COLOR_TEXTURE: u32 = 8u;
const HAS_METALLIC_ROUGHNESS_TEXTURE: u32 = 16u;
const HAS_NORMAL_TEXTURE: u32 = 32u;
const HAS_OCCLUSION_TEXTURE: u32 = 64u;
const HAS_EMISSIVE_TEXTURE: u32 = 128u;
const SPECULAR_GLOSSINESS: u32 = 256u;

@group(2) @binding(0) var<uniform> material: MaterialUniform;
@group(2) @binding(1) var base_color_texture: texture_2d<f32>;
@group(2) @binding(2) var base_color_sampler: sampler;
@group(2) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(4) var metallic_roughness_sampler: sampler;
@group(2) @binding(5) var normal_texture: texture_2d<f32>;
@group(2) @binding(6) var normal_sampler: sampler;
@group(2) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(8) var occlusion_sampler: sampler;
@group(2) @binding(9) var emissive_texture: texture_2d<f32>;
@group(2) @binding(10) var emissive_sampler: sampler;

// Where the texture of the binding pair `slot` looks.
fn tex_coord(in: VertexOut, slot: u32) -> vec2<f32> {
    let uv = select(in.tex_coords.xy, in.tex_coords.zw, (material.tex_coord_bits >> slot & 1u) != 0u);
    let u_row = material.tex_coord_rows[2u * slot].xyz;
    let v_row = material.tex_coord_rows[2u * slot + 1u].xyz;
    return vec2(dot(u_row, vec3(uv, 1.0)), dot(v_row, vec3(uv, 1.0)));
}

// Where vertices have no normals: the triangle's own, towards the eye.
fn flat_normal(in: VertexOut) -> vec3<f32> {
    // Down the picture and to its right: their cross product points out of it.
    return normalize(cross(dpdy(in.position_from_eye), dpdx(in.position_from_eye)));
}

// The frame in which a normal map is meant: along u, against v, and out of the surface.
fn mapped_normal(in: VertexOut, normal: vec3<f32>, texel: vec3<f32>) -> vec3<f32> {
    let uv = tex_coord(in, 2u);
    var tangent = in.tangent.xyz;
    var bitangent = cross(normal, tangent) * in.tangent.w;
    if (primitive.flags & HAS_TANGENTS) == 0u {
        // From how position and texture coordinates change over the picture (M. Mittring, "Bump Mapping Unparametrized
        // Surfaces on the GPU", 2010, solved for the two directions).
        let across = cross(dpdy(in.position_from_eye), normal);
        let down = cross(normal, dpdx(in.position_from_eye));
        tangent = across * dpdx(uv).x + down * dpdy(uv).x;
        // glTF counts v downwards, normal maps count y upwards.
        bitangent = -(across * dpdx(uv).y + down * dpdy(uv).y);
        // Both are turned about if the picture's axes, right and down, run clockwise around the normal.
        let side = select(1.0, -1.0, dot(cross(dpdx(in.position_from_eye), dpdy(in.position_from_eye)), normal) < 0.0);
        tangent *= side;
        bitangent *= side;
    }
    let longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if longest <= 0.0 {
        return normal;
    }
    let scale = inverseSqrt(longest);
    let bent = vec3((texel.xy * 2.0 - 1.0) * material.normal_scale, texel.z * 2.0 - 1.0);
    return normalize(bent.x * tangent * scale + bent.y * bitangent * scale + bent.z * normal);
}

// The material's flags, fixed when the pipeline is made: some drivers (Mesa's llvmpipe) run both sides of every branch
// that they cannot decide beforehand.
override FEATURES: u32 = 0xffffffffu;

fn has(flag: u32) -> bool {
    return (FEATURES & flag) != 0u;
}

// The normal that light sees: flat or interpolated, bent by the normal map, then turned to the side that is seen.
fn shading_normal(in: VertexOut, is_front: bool) -> vec3<f32> {
    // Back faces have their normals reversed before they are lit (glTF 2.0 §3.9.5), so that what the normal map raises
    // on one side is a hollow on the other.
    let side = select(-1.0, 1.0, is_front);
    var normal: vec3<f32>;
    if (primitive.flags & HAS_NORMALS) == 0u {
        normal = flat_normal(in) * side;
    } else {
        // Opposite normals can cancel: then any will do.
        normal = in.normal * inverseSqrt(max(dot(in.normal, in.normal), 1e-30));
    }
    if has(HAS_NORMAL_TEXTURE) {
        let texel = textureSample(normal_texture, normal_sampler, tex_coord(in, 2u)).xyz;
        normal = mapped_normal(in, normal, texel);
    }
    return normal * side;
}

// Both between 0 and 1.
fn metallic_and_roughness(in: VertexOut) -> vec2<f32> {
    var factors = vec2(material.metallic, material.roughness);
    if has(HAS_METALLIC_ROUGHNESS_TEXTURE) {
        factors *= textureSample(metallic_roughness_texture, metallic_roughness_sampler, tex_coord(in, 1u)).bg;
    }
    return clamp(factors, vec2(0.0), vec2(1.0));
}

// The surface that metallic and roughness describe (glTF 2.0 §B.2 and §B.3.5).
fn metallic_roughness(in: VertexOut, base: vec3<f32>) -> Reflectance {
    let factors = metallic_and_roughness(in);
    return reflectance(base * (1.0 - factors.x), mix(vec3(0.04), base, factors.x), factors.y);
}

// The surface that diffuse and specular colour describe (KHR_materials_pbrSpecularGlossiness, "Specular - Glossiness").
fn specular_glossiness(in: VertexOut, diffuse: vec3<f32>) -> Reflectance {
    var specular = material.specular_glossiness;
    if has(HAS_METALLIC_ROUGHNESS_TEXTURE) {
        specular *= textureSample(metallic_roughness_texture, metallic_roughness_sampler, tex_coord(in, 1u));
    }
    let strongest = max(max(specular.r, specular.g), specular.b);
    return reflectance(diffuse * (1.0 - strongest), specular.rgb, 1.0 - specular.a);
}

fn reflectance(diffuse: vec3<f32>, specular: vec3<f32>, any_roughness: f32) -> Reflectance {
    // Roughness 0 would make a highlight without width (glTF 2.0 §3.9.2 leaves the lower bound to us).
    let roughness = clamp(any_roughness, 0.045, 1.0);
    return Reflectance(diffuse, specular, roughness * roughness, roughness);
}

// How open the surface is to light from all around.
fn occlusion(in: VertexOut) -> f32 {
    if !has(HAS_OCCLUSION_TEXTURE) {
        return 1.0;
    }
    let texel = textureSample(occlusion_texture, occlusion_sampler, tex_coord(in, 3u)).r;
    return 1.0 + material.occlusion_strength * (texel - 1.0);
}

// Linear, with alpha.
fn base_color(in: VertexOut) -> vec4<f32> {
    let factor = material.base_color * in.color;
    if !has(HAS_BASE_COLOR_TEXTURE) {
        return factor;
    }
    return factor * textureSample(base_color_texture, base_color_sampler, tex_coord(in, 0u));
}

fn emitted(in: VertexOut) -> vec3<f32> {
    if !has(HAS_EMISSIVE_TEXTURE) {
        return material.emissive.rgb;
    }
    return material.emissive.rgb * textureSample(emissive_texture, emissive_sampler, tex_coord(in, 4u)).rgb;
}

// What a surface of this base colour returns of the light that falls on it.
fn reflected_light(in: VertexOut, base: vec3<f32>, is_front: bool) -> vec3<f32> {
    var surface: Reflectance;
    if has(SPECULAR_GLOSSINESS) {
        surface = specular_glossiness(in, base);
    } else {
        surface = metallic_roughness(in, base);
    }
    let normal = shading_normal(in, is_front);
    return light_surface(surface, normal, in.position_from_eye, occlusion(in));
}

// All branches around textures and derivatives depend on uniforms alone, as WGSL asks; what is not there costs nothing.
@fragment
fn fs_mesh(in: VertexOut, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let base = base_color(in);
    var light = base.rgb;
    if !has(UNLIT) {
        // Points and lines without normals show their colour as it is (glTF 2.0 §3.9.7).
        if (primitive.flags & (HAS_NORMALS | HAS_FACES)) != 0u {
            light = reflected_light(in, base.rgb, is_front);
        }
        light += emitted(in);
    }
    var alpha = 1.0;
    if has(ALPHA_MASK) && base.a < material.alpha_cutoff {
        discard;
    }
    if has(ALPHA_BLEND) {
        alpha = base.a;
    }
    return vec4(light * alpha, alpha);
}
