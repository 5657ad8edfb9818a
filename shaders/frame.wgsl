// What all passes of a frame share (group 0). Twins: render/layout.rs `FrameUniform`, `LightUniform`.

// A light, as KHR_lights_punctual has it.
struct LightUniform {
    // xyz: where it stands, from the eye; w: 1 over the square of its range, or 0.
    position: vec4<f32>,
    // xyz: against the way it shines, of length 1; w: 0 if it is infinitely far away, 1 if not.
    direction: vec4<f32>,
    // rgb: lux of one that is infinitely far away, candela of others; w: 1 if it throws the shadow.
    intensity: vec4<f32>,
    // x, y: the cone's fading is (x cos + y)², clamped to 0..1.
    cone: vec4<f32>,
}

struct FrameUniform {
    // Read by no shader: Mesa 22.3 compiles a fragment shader of surfaces that reads what its first uniform buffer begins with
    // anew for each material that is bound.
    unread: vec4<f32>,
    // Of what is told from the eye, as all that is drawn is: far from the world's origin, a matrix that added the eye's
    // place would lose the model's size beside it.
    clip_from_eye: mat4x4<f32>,
    // From points of the picture at depth 0 to the directions in which the environment is seen there.
    direction_from_clip: mat4x4<f32>,
    // xyz: the eye in the world.
    eye: vec4<f32>,
    // xyz: against the way the camera looks, of length 1; w: 1 if its projection is parallel, 0 if not.
    backward: vec4<f32>,
    // x: distance of fine grid lines, y: where the grid has faded away, z: grey of the lines, w: height of the ground.
    grid: vec4<f32>,
    // rgb: what a white Lambertian surface gives back of the environment, as a polynomial of its normal.
    harmonics: array<vec4<f32>, 9>,
    // x, y: cosine and sine of the environment's turn, z: factor on its radiance, w: its last level.
    environment: vec4<f32>,
    // From the eye to the shadow map's texture coordinates, and depth in z.
    shadow_from_eye: mat4x4<f32>,
    // x: width of a texel in texture coordinates, y: how much of the light a shadow takes from the ground,
    // z: width of a texel in the world, w: 1 where the picture keeps its alpha.
    shadow: vec4<f32>,
    // Where the ground may be in shadow, from the eye: least x, least z, greatest x, greatest z.
    ground: vec4<f32>,
    // x: exposure as a factor, y: the tone curve, z: blur of the environment behind everything.
    output: vec4<f32>,
    // x: number of lights, z, w: width and height of the picture in pixels.
    counts: vec4<u32>,
    lights: array<LightUniform, 16>,
    // Distance from the eye to the near end of the model, and from there to its far end.
    depth_range: vec2<f32>,
    // Twin: scene::WeightColors.
    weight_colors: u32,
    matrices_per_instance: u32,
    // Where the chosen joint's matrices are in an instance's share of the palette: two of (first, number) each.
    chosen_count: u32,
    // World units that the view of the skinning difference draws in the last of its colours.
    difference_scale: f32,
    // How long normals are as lines, in world units.
    normal_length: f32,
    // How many pixels wide a line of the grid is.
    pixels_per_point: f32,
    // x and z of the grid's middle in the world.
    grid_middle: vec2<f32>,
    chosen: array<vec4<u32>, 4>,
}

@group(0) @binding(0) var<uniform> frame: FrameUniform;

// Towards the viewer from a place, which is told from the eye. Of length 1.
fn towards_viewer(position_from_eye: vec3<f32>) -> vec3<f32> {
    return select(normalize(-position_from_eye), frame.backward.xyz, frame.backward.w > 0.0);
}

// How far a place is from the eye or, in parallel projection, from the plane that it lies in.
fn distance_from_viewer(position_from_eye: vec3<f32>) -> f32 {
    return select(length(position_from_eye), -dot(position_from_eye, frame.backward.xyz), frame.backward.w > 0.0);
}

// The direction of a vector of any length; none if it has none. Twin: anim::skinning.
fn unit_or_zero(vector: vec3<f32>) -> vec3<f32> {
    let longest = max(abs(vector.x), max(abs(vector.y), abs(vector.z)));
    // Made smaller or larger first: the squares of very large and very small numbers are none.
    let scaled = vector / longest;
    return select(vec3(0.0), scaled * inverseSqrt(dot(scaled, scaled)), longest > 0.0 && longest < 3e38);
}
