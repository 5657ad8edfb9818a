// What all passes of a frame share (group 0). Twin: render/layout.rs `FrameUniform`.

struct FrameUniform {
    clip_from_world: mat4x4<f32>,
    world_from_clip: mat4x4<f32>,
    // xyz: the eye in the world.
    eye: vec4<f32>,
    // x: distance of fine grid lines, y: where the grid has faded away, z: grey of the lines.
    grid: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: FrameUniform;
