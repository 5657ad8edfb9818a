// One mip level from the next larger one: each texel is the mean of all that it covers. A side of an odd number of texels
// has half as many, rounded down, of which each covers two and a part of a third.

@group(0) @binding(0) var larger: texture_2d<f32>;

@vertex
fn vs_mipmap(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32(index << 1u & 2u), f32(index & 2u));
    return vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

// What each of three texels in a row counts, from twice `at` on, of `size` texels. Twin: model/panorama.rs `footprint`.
fn footprint(at: u32, size: u32) -> vec3<f32> {
    if size == 1u {
        return vec3(1.0, 0.0, 0.0);
    }
    if size % 2u == 0u {
        return vec3(0.5, 0.5, 0.0);
    }
    let half = size / 2u;
    return vec3(f32(half - at), f32(half), f32(at + 1u)) / f32(size);
}

@fragment
fn fs_mipmap(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<u32>(position.xy);
    let size = textureDimensions(larger);
    let across = footprint(at.x, size.x);
    let down = footprint(at.y, size.y);
    // Sides of even and of one texel need no third tap.
    let taps = select(vec2(2u), vec2(3u), size % 2u == vec2(1u));
    var sum = vec4(0.0);
    for (var y = 0u; y < taps.y; y += 1u) {
        for (var x = 0u; x < taps.x; x += 1u) {
            // Taps beyond the edge count nothing.
            let tap = min(2u * at + vec2(x, y), size - 1u);
            sum += textureLoad(larger, tap, 0) * (across[x] * down[y]);
        }
    }
    return sum;
}
