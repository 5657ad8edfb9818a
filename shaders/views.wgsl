// Views for inspection: one value of the surface instead of its light. Values that are no colours leave as what they
// shall read on the screen: 0.5 as 127 of 255.

// Twin: scene::ViewMode.
override VIEW: u32 = 0u;

const BASE_COLOR: u32 = 1u;
const ALPHA: u32 = 2u;
const VERTEX_COLOR: u32 = 3u;
const NORMAL: u32 = 4u;
const GEOMETRIC_NORMAL: u32 = 5u;
const TANGENT: u32 = 6u;
const UV: u32 = 7u;
const METALLIC: u32 = 8u;
const ROUGHNESS: u32 = 9u;
const OCCLUSION: u32 = 10u;
const EMISSIVE: u32 = 11u;
const DEPTH: u32 = 12u;
const WIREFRAME: u32 = 13u;
const FACES: u32 = 14u;
const INFLUENCES: u32 = 15u;
const JOINTS: u32 = 16u;
const WEIGHTS: u32 = 17u;
const OVERDRAW: u32 = 18u;
const SKINNING_DIFFERENCE: u32 = 19u;
const CLEARCOAT: u32 = 20u;
const CLEARCOAT_ROUGHNESS: u32 = 21u;
const SHEEN: u32 = 22u;
const SHEEN_ROUGHNESS: u32 = 23u;
const SPECULAR: u32 = 24u;
const SPECULAR_COLOR: u32 = 25u;
const TRANSMISSION: u32 = 26u;
const DIFFUSE_TRANSMISSION: u32 = 27u;
const DIFFUSE_TRANSMISSION_COLOR: u32 = 28u;
const IRIDESCENCE: u32 = 29u;
const ANISOTROPY: u32 = 30u;
// The lines over WIREFRAME.
const EDGES: u32 = 100u;
// The lines over any view.
const WIRES: u32 = 101u;
const NORMAL_LINES: u32 = 102u;

// What VertexOut has, and what views of the skin need.
struct ViewOut {
    @builtin(position) clip_position: vec4<f32>,
    @location(0) position_from_eye: vec3<f32>,
    @location(1) @interpolate(perspective, centroid) normal: vec3<f32>,
    @location(2) @interpolate(perspective, centroid) tangent: vec4<f32>,
    @location(3) tex_coords: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) scale: f32,
    // rgb: a colour for the joints of this vertex; w: weight of the chosen joint, or the difference as a part of its scale.
    @location(6) influence: vec4<f32>,
}

// What the influences of a vertex come to.
struct InfluenceSum {
    count: u32,
    // Place of its matrix among the skin's.
    strongest: u32,
    greatest: f32,
    // Of the chosen joint.
    chosen: f32,
}

// Whether a matrix of the palette is the chosen joint's, whichever instance it belongs to.
fn is_chosen(index: u32) -> bool {
    let place = (index & ~COMPACT) % max(frame.matrices_per_instance, 1u);
    var found = false;
    for (var i = 0u; i < frame.chosen_count; i++) {
        let pair = frame.chosen[i / 2u];
        let range = select(pair.xy, pair.zw, i % 2u == 1u);
        // A place before the first wraps around to more than any number of matrices.
        found = found || place - range.x < range.y;
    }
    return found;
}

fn add_influences(sum: InfluenceSum, first_joint: u32, joints: vec4<u32>, weights: vec4<f32>) -> InfluenceSum {
    var result = sum;
    for (var lane = 0u; lane < 4u; lane++) {
        let weight = weights[lane];
        if weight > 0.0 {
            result.count++;
            if weight > result.greatest {
                result.greatest = weight;
                result.strongest = joints[lane];
            }
            if is_chosen(first_joint + joints[lane]) {
                result.chosen += weight;
            }
        }
    }
    return result;
}

// A hue for each number, far from those of its neighbours: steps by the golden section. Twin: scene::joint_color.
fn joint_color(index: u32) -> vec3<f32> {
    let hue = fract(f32(index) * 0.61803399 + 0.05);
    let pure = clamp(abs(fract(vec3(hue) + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, vec3(0.0), vec3(1.0));
    let lightness = 0.62 + 0.25 * f32(index / 3u % 3u) / 2.0;
    return mix(vec3(0.45), pure, 0.72) * lightness;
}

// Grey for none, then from blue over green and yellow to orange; more than four are magenta, which some engines drop.
// Twin: scene::ViewMode::swatches.
fn count_color(count: u32) -> vec3<f32> {
    switch count {
        case 0u: { return vec3(0.45); }
        case 1u: { return vec3(0.20, 0.55, 0.85); }
        case 2u: { return vec3(0.25, 0.70, 0.40); }
        case 3u: { return vec3(0.90, 0.80, 0.25); }
        case 4u: { return vec3(0.90, 0.45, 0.15); }
        default: { return vec3(0.80, 0.20, 0.70); }
    }
}

// Front and back. Twin: scene::ViewMode::swatches.
fn face_color(is_front: bool) -> vec3<f32> {
    return select(vec3(0.85, 0.22, 0.20), vec3(0.25, 0.45, 0.90), is_front);
}

// The depth of a place a little nearer than its own, for the edges of a surface: by a thousandth of its distance where depth is
// near / distance, and by as much of the picture's height where it is even; still behind the near plane.
fn nearer(clip_position: vec4<f32>) -> f32 {
    var z = clip_position.z * 1.001;
    if frame.backward.w > 0.0 {
        let rows = transpose(frame.clip_from_eye);
        let height = 2.0 * length(rows[2].xyz) / length(rows[1].xyz);
        // Never less than depth can tell.
        z = clip_position.z + max(0.001 * height, 4e-7);
    }
    return select(clip_position.z, min(z, clip_position.w), clip_position.z <= clip_position.w);
}

fn view_out(vertex: VertexOut, sum: InfluenceSum) -> ViewOut {
    var color = vec3(0.45);
    if VIEW == INFLUENCES {
        color = count_color(sum.count);
    } else if VIEW == JOINTS && sum.count > 0u {
        color = joint_color(sum.strongest);
    }
    var clip_position = vertex.clip_position;
    if VIEW == EDGES || VIEW == WIRES {
        clip_position.z = nearer(clip_position);
    }
    return ViewOut(
        clip_position,
        vertex.position_from_eye,
        vertex.normal,
        vertex.tangent,
        vertex.tex_coords,
        vertex.color,
        vertex.scale,
        vec4(color, sum.chosen),
    );
}

// How far two ways of skinning place a vertex apart, as a part of the scale.
fn distance_apart(in: VertexIn, linear: Matrix3x4, dual: Matrix3x4) -> f32 {
    let position = morph_position(in.position, in.index, instance_record(in.instance));
    return distance(transform_point(linear, position), transform_point(dual, position)) / frame.difference_scale;
}

@vertex
fn vs_view_rigid(in: VertexIn) -> ViewOut {
    var sum = InfluenceSum(0u, 0u, 0.0, 0.0);
    if VIEW == WEIGHTS && is_chosen(in.instance.y) {
        sum.chosen = 1.0;
    }
    return view_out(place_vertex(in, load_matrix(in.instance.y)), sum);
}

@vertex
fn vs_view_skinned_4(in: VertexIn, by: FourInfluences) -> ViewOut {
    let none = InfluenceSum(0u, 0u, 0.0, 0.0);
    var sum = add_influences(none, in.instance.x, by.joints, by.weights);
    if VIEW == SKINNING_DIFFERENCE {
        let linear = blend_matrices(zero_matrix(), in.instance.x, by.joints, by.weights);
        sum.chosen = distance_apart(in, linear, blend_dual_quaternions_4(in.instance.x, by.joints, by.weights));
    }
    return view_out(place_vertex(in, four_joints(in.instance.x, by)), sum);
}

@vertex
fn vs_view_skinned_8(in: VertexIn, by: EightInfluences) -> ViewOut {
    let none = InfluenceSum(0u, 0u, 0.0, 0.0);
    let half = add_influences(none, in.instance.x, by.joints, by.weights);
    var sum = add_influences(half, in.instance.x, by.more_joints, by.more_weights);
    if VIEW == SKINNING_DIFFERENCE {
        let first = blend_matrices(zero_matrix(), in.instance.x, by.joints, by.weights);
        let linear = blend_matrices(first, in.instance.x, by.more_joints, by.more_weights);
        let dual = blend_dual_quaternions_8(in.instance.x, by.joints, by.weights, by.more_joints, by.more_weights);
        sum.chosen = distance_apart(in, linear, dual);
    }
    return view_out(place_vertex(in, eight_joints(in.instance.x, by)), sum);
}

// A direction as a colour; grey for none.
fn direction_color(direction: vec3<f32>) -> vec3<f32> {
    let length = length(direction);
    if length < 1e-12 {
        return vec3(0.5);
    }
    return direction / length * 0.5 + 0.5;
}

// Eighths of a tile light and dark, fading into their mean where they are finer than pixels.
fn uv_color(uv: vec2<f32>) -> vec3<f32> {
    let eighths = uv * 8.0;
    let parity = floor(eighths.x) + floor(eighths.y);
    let is_light = f32(i32(parity) & 1);
    let fineness = max(fwidth(eighths.x), fwidth(eighths.y));
    let light = mix(is_light, 0.5, smoothstep(0.35, 1.0, fineness));
    return vec3(fract(uv.x), fract(uv.y), 0.35) * mix(0.55, 1.0, light);
}

// Colours for 0..1, on the screen: five stops, evenly apart. Twin: scene::WeightColors::stops.
fn weight_color(weight: f32) -> vec3<f32> {
    var stops = array(
        vec3(0.10, 0.16, 0.60), vec3(0.10, 0.62, 0.82), vec3(0.25, 0.75, 0.30), vec3(0.98, 0.85, 0.20), vec3(0.88, 0.12, 0.10),
    );
    if frame.weight_colors == 1u {
        // Viridis at 0, 1/4, 1/2, 3/4 and 1.
        stops = array(
            vec3(0.267, 0.005, 0.329), vec3(0.229, 0.322, 0.546), vec3(0.128, 0.567, 0.551), vec3(0.369, 0.789, 0.383), vec3(0.993, 0.906, 0.144),
        );
    }
    let at = clamp(weight, 0.0, 1.0) * 4.0;
    let below = min(u32(at), 3u);
    return mix(stops[below], stops[below + 1u], at - f32(below));
}

// Whether its normals mean anything: points and lines without any have none.
fn has_direction() -> bool {
    return (primitive.flags & (HAS_NORMALS | HAS_FACES)) != 0u;
}

// Form, for colours that say nothing of it: brightest where the surface faces the eye.
fn form(in: VertexOut, surface: MaterialSurface) -> f32 {
    if !has_direction() {
        return 1.0;
    }
    let facing = abs(dot(surface.geometric_normal, towards_viewer(in.position_from_eye)));
    return mix(0.45, 1.0, facing);
}

// What is reflected at normal incidence: of dielectrics as a factor on what their index of refraction says.
fn specular_color(in: VertexOut, surface: MaterialSurface) -> vec3<f32> {
    if has(HAS_SPECULAR_GLOSSINESS) {
        return surface.dielectric;
    }
    return specular_tint(in);
}

@fragment
fn fs_view(
    in: VertexOut,
    @location(6) influence: vec4<f32>,
    @builtin(front_facing) is_front: bool,
) -> @location(0) vec4<f32> {
    let surface = gather_surface(in, is_front);
    if has(ALPHA_MASK) && surface.alpha < material.alpha_cutoff {
        discard;
    }
    var shown = vec3(0.5);
    if VIEW == BASE_COLOR {
        shown = srgb_from_linear(surface.base_color);
    } else if VIEW == ALPHA {
        shown = vec3(surface.alpha);
    } else if VIEW == VERTEX_COLOR {
        shown = srgb_from_linear(in.color.rgb);
    } else if VIEW == NORMAL {
        if has_direction() {
            shown = direction_color(surface.normal);
        }
    } else if VIEW == GEOMETRIC_NORMAL {
        if has_direction() {
            shown = direction_color(surface.geometric_normal);
        }
    } else if VIEW == TANGENT {
        if (primitive.flags & HAS_TANGENTS) != 0u {
            shown = direction_color(in.tangent.xyz);
        }
    } else if VIEW == UV {
        shown = uv_color(in.tex_coords.xy);
    } else if VIEW == METALLIC {
        shown = vec3(surface.metallic);
    } else if VIEW == ROUGHNESS {
        shown = vec3(surface.roughness);
    } else if VIEW == OCCLUSION {
        shown = vec3(surface.occlusion);
    } else if VIEW == EMISSIVE {
        shown = srgb_from_linear(surface.emissive);
    } else if VIEW == CLEARCOAT {
        shown = vec3(surface.clearcoat);
    } else if VIEW == CLEARCOAT_ROUGHNESS {
        // Materials can share layers that they do not have (render/room/few_pipelines.rs): a colour or a roughness of a layer
        // is shown only where there is some of it.
        shown = vec3(select(0.0, surface.clearcoat_roughness, material.clearcoat.x > 0.0));
    } else if VIEW == SHEEN {
        shown = srgb_from_linear(surface.sheen_color);
    } else if VIEW == SHEEN_ROUGHNESS {
        shown = vec3(select(0.0, surface.sheen_roughness, any(material.sheen.rgb > vec3(0.0))));
    } else if VIEW == SPECULAR {
        shown = vec3(surface.dielectric_grazing);
    } else if VIEW == SPECULAR_COLOR {
        shown = srgb_from_linear(specular_color(in, surface));
    } else if VIEW == TRANSMISSION {
        shown = vec3(surface.transmission);
    } else if VIEW == DIFFUSE_TRANSMISSION {
        shown = vec3(surface.diffuse_transmission);
    } else if VIEW == DIFFUSE_TRANSMISSION_COLOR {
        let is_there = material.diffuse_transmission.a > 0.0;
        shown = select(vec3(0.0), srgb_from_linear(surface.diffuse_transmission_color), is_there);
    } else if VIEW == IRIDESCENCE {
        // Whatever the film's thickness, which this view does not look at.
        shown = vec3(iridescence_factor(in));
    } else if VIEW == ANISOTROPY {
        shown = vec3(surface.anisotropy);
    } else if VIEW == DEPTH {
        let from_near = (distance_from_viewer(in.position_from_eye) - frame.depth_range.x) / frame.depth_range.y;
        shown = vec3(1.0 - clamp(from_near, 0.0, 1.0));
    } else if VIEW == WIREFRAME {
        shown = vec3(0.72) * form(in, surface);
    } else if VIEW == EDGES {
        shown = vec3(0.07, 0.09, 0.14);
    } else if VIEW == FACES {
        shown = face_color(is_front) * form(in, surface);
    } else if VIEW == INFLUENCES || VIEW == JOINTS {
        shown = influence.rgb * form(in, surface);
    } else if VIEW == WEIGHTS || VIEW == SKINNING_DIFFERENCE {
        shown = weight_color(influence.a) * form(in, surface);
    } else if VIEW == OVERDRAW {
        // The pipeline adds them up: 12 layers are full red, 50 yellow.
        return vec4(0.08, 0.02, 0.008, 1.0);
    }
    return vec4(linear_from_srgb(clamp(shown, vec3(0.0), vec3(1.0))), 1.0);
}
