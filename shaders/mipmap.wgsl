// One mip level from the next larger one.

@group(0) @binding(0) var larger: texture_2d<f32>;
@group(0) @binding(1) var larger_sampler: sampler;

struct MipOut {
    @builtin(position) clip_position: vec4<f32>,
    @location(0) tex_coord: vec2<f32>,
}

@vertex
fn vs_mipmap(@builtin(vertex_index) index: u32) -> MipOut {
    let corner = vec2(f32(index << 1u & 2u), f32(index & 2u));
    return MipOut(vec4(corner * 2.0 - 1.0, 0.0, 1.0), vec2(corner.x, 1.0 - corner.y));
}

@fragment
fn fs_mipmap(in: MipOut) -> @location(0) vec4<f32> {
    return textureSample(larger, larger_sampler, in.tex_coord);
}
