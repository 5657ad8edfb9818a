// The fragment stage of meshes: textures, alpha, normal, light. Output: linear, alpha premultiplied.

// Twin: render/layout.rs `MaterialUniform`.
struct MaterialUniform {
    base_color: vec4<f32>,
    // xyz: emissive colour.
    emissive: vec4<f32>,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    alpha_cutoff: f32,
    flags: u32,
    // For each texture, in the order of their bindings, a bit: which set of texture coordinates.
    tex_coord_bits: u32,
    padding: u32,
}

const ALPHA_MASK: u32 = 1u;
const ALPHA_BLEND: u32 = 2u;
const UNLIT: u32 = 4u;
const HAS_NORMAL_TEXTURE: u32 = 8u;
const DOUBLE_SIDED: u32 = 16u;

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

// The texture coordinates of the texture whose bit in `tex_coord_bits` is `bit`.
fn tex_coord(in: VertexOut, bit: u32) -> vec2<f32> {
    return select(in.tex_coords.xy, in.tex_coords.zw, (material.tex_coord_bits >> bit & 1u) != 0u);
}

// Before normals are interpolated or given at all: the triangle's own, towards the eye.
fn flat_normal(in: VertexOut) -> vec3<f32> {
    // Down the picture and to its right: their cross product points out of it.
    return normalize(cross(dpdy(in.position_from_eye), dpdx(in.position_from_eye)));
}

// The frame in which a normal map is meant: along u, against v, and out of the surface.
fn mapped_normal(in: VertexOut, normal: vec3<f32>, is_front: bool, texel: vec3<f32>) -> vec3<f32> {
    let uv = tex_coord(in, 2u);
    var tangent = in.tangent.xyz;
    var bitangent = cross(normal, tangent) * in.tangent.w * select(-1.0, 1.0, is_front);
    if (in.flags & HAS_TANGENTS) == 0u {
        // From how position and texture coordinates change over the picture (M. Mittring, "Bump Mapping Unparametrized
        // Surfaces on the GPU", 2010, solved for the two directions).
        let across = cross(dpdy(in.position_from_eye), normal);
        let down = cross(normal, dpdx(in.position_from_eye));
        tangent = across * dpdx(uv).x + down * dpdy(uv).x;
        // glTF counts v downwards, normal maps count y upwards.
        bitangent = -(across * dpdx(uv).y + down * dpdy(uv).y);
        let side = select(-1.0, 1.0, dot(cross(dpdy(in.position_from_eye), dpdx(in.position_from_eye)), normal) > 0.0);
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

@fragment
fn fs_mesh(in: VertexOut, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    // All textures are sampled, and all derivatives taken, before anything branches.
    let base_texel = textureSample(base_color_texture, base_color_sampler, tex_coord(in, 0u));
    let metallic_roughness = textureSample(metallic_roughness_texture, metallic_roughness_sampler, tex_coord(in, 1u));
    let normal_texel = textureSample(normal_texture, normal_sampler, tex_coord(in, 2u)).xyz;
    let occlusion_texel = textureSample(occlusion_texture, occlusion_sampler, tex_coord(in, 3u)).r;
    let emissive_texel = textureSample(emissive_texture, emissive_sampler, tex_coord(in, 4u)).rgb;

    let facet = flat_normal(in);
    let has_normals = (in.flags & HAS_NORMALS) != 0u;
    // Back faces are lit from their own side (glTF 2.0 §3.9.5).
    let smooth_normal = normalize(in.normal) * select(-1.0, 1.0, is_front);
    var normal = select(facet, smooth_normal, has_normals && dot(in.normal, in.normal) > 0.0);
    let bent = mapped_normal(in, normal, is_front, normal_texel);
    if (material.flags & HAS_NORMAL_TEXTURE) != 0u {
        normal = bent;
    }

    let base = material.base_color * base_texel * in.color;
    var alpha = 1.0;
    if (material.flags & ALPHA_MASK) != 0u {
        if base.a < material.alpha_cutoff {
            discard;
        }
    } else if (material.flags & ALPHA_BLEND) != 0u {
        alpha = base.a;
    }
    if (material.flags & UNLIT) != 0u {
        return vec4(base.rgb * alpha, alpha);
    }

    let metallic = clamp(material.metallic * metallic_roughness.b, 0.0, 1.0);
    // Roughness 0 would make a highlight without width (glTF 2.0 §3.9.2 leaves the lower bound to us).
    let roughness = clamp(material.roughness * metallic_roughness.g, 0.045, 1.0);
    let occlusion = 1.0 + material.occlusion_strength * (occlusion_texel - 1.0);
    let surface = Reflectance(
        base.rgb * (1.0 - metallic),
        mix(vec3(0.04), base.rgb, metallic),
        roughness * roughness,
        roughness,
    );
    let lit = light_surface(surface, normal, normalize(-in.position_from_eye), occlusion);
    let emitted = material.emissive.rgb * emissive_texel;
    return vec4((lit + emitted) * alpha, alpha);
}
