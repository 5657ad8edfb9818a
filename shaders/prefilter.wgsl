// One level of the prefiltered environment: what lobes of one roughness see (split sum, first part; B. Karis, "Real Shading
// in Unreal Engine 4", 2013), by sums over samples that all texels of the level share.

// Twin: render/layout.rs `LobeSample`.
struct LobeSample {
    // xyz: a direction around +Z, of length 1, whose z is its weight; w: the source's level for it.
    direction: vec4<f32>,
}

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;
@group(0) @binding(2) var<storage, read> samples: array<LobeSample>;
@group(0) @binding(3) var filtered: texture_storage_2d_array<rgba16float, write>;

// Towards a texel of a cube's face (the faces lie as WebGPU's cube textures have them).
fn face_direction(face: u32, at: vec2<f32>) -> vec3<f32> {
    let s = 2.0 * at.x - 1.0;
    let t = 2.0 * at.y - 1.0;
    switch face {
        case 0u: { return normalize(vec3(1.0, -t, -s)); }
        case 1u: { return normalize(vec3(-1.0, -t, s)); }
        case 2u: { return normalize(vec3(s, 1.0, t)); }
        case 3u: { return normalize(vec3(s, -1.0, -t)); }
        case 4u: { return normalize(vec3(s, -t, 1.0)); }
        default: { return normalize(vec3(-s, -t, -1.0)); }
    }
}

// Where a direction lies in a picture of all directions: +X in its middle, up above.
fn all_around(direction: vec3<f32>) -> vec2<f32> {
    // Its module is this file alone.
    const PI: f32 = 3.14159265;
    let height = clamp(direction.y, -1.0, 1.0);
    return vec2(atan2(direction.z, direction.x) / (2.0 * PI) + 0.5, acos(height) / PI);
}

@compute @workgroup_size(8, 8)
fn cs_prefilter(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(filtered).x;
    if id.x >= size || id.y >= size {
        return;
    }
    let axis = face_direction(id.z, (vec2<f32>(id.xy) + 0.5) / f32(size));
    let up = select(vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), abs(axis.y) > 0.7);
    let right = normalize(cross(up, axis));
    let down = cross(axis, right);
    var sum = vec3(0.0);
    var weights = 0.0;
    for (var i = 0u; i < arrayLength(&samples); i += 1u) {
        let sample = samples[i].direction;
        let direction = right * sample.x + down * sample.y + axis * sample.z;
        sum += textureSampleLevel(source, source_sampler, all_around(direction), sample.w).rgb * sample.z;
        weights += sample.z;
    }
    textureStore(filtered, id.xy, id.z, vec4(sum / weights, 1.0));
}
