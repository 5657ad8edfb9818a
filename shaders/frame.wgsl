// What all passes of a frame share (group 0). Twin: render/layout.rs `FrameUniform`.

struct FrameUniform {
    clip_from_world: mat4x4<f32>,
    world_from_clip: mat4x4<f32>,
    // xyz: the eye in the world.
    eye: vec4<f32>,
    // x: distance of fine grid lines, y: where the grid has faded away, z: grey of the lines.
    grid: vec4<f32>,
    // Distance from the eye to the near end of the model, and from there to its far end.
    depth_range: vec2<f32>,
    // Twin: scene::WeightColors.
    weight_colors: u32,
    matrices_per_instance: u32,
    // Places of the chosen joint's matrices in an instance's share of the palette.
    chosen_count: u32,
    chosen: array<vec4<u32>, 2>,
}

@group(0) @binding(0) var<uniform> frame: FrameUniform;
