// The fragment stage of meshes: a surface, its light, its alpha. Output: linear, alpha premultiplied.

// What comes to the eye, and alpha. All branches around textures and derivatives depend on what is fixed alone, as WGSL
// asks; what is not there costs nothing.
fn lit_surface(in: VertexOut, surface: MaterialSurface) -> vec4<f32> {
    if has(UNLIT) {
        return vec4(untoned(surface.base_color), 1.0);
    }
    // Points and lines without normals show their colour as it is (glTF 2.0 §3.9.7).
    if (primitive.flags & (HAS_NORMALS | HAS_FACES)) == 0u {
        return vec4(untoned(surface.base_color + surface.emissive), 1.0);
    }
    return shade(surface, in.position_from_eye);
}

@fragment
fn fs_mesh(in: VertexOut, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let surface = gather_surface(in, is_front);
    let lit = lit_surface(in, surface);
    if has(ALPHA_MASK) && surface.alpha < material.alpha_cutoff {
        discard;
    }
    if has(ALPHA_BLEND) {
        return lit * surface.alpha;
    }
    return lit;
}

struct MaskedOut {
    @location(0) color: vec4<f32>,
    @builtin(sample_mask) samples: u32,
}

// Cut out by alpha, with as many samples as the edge leaves of the pixel: the same as alpha-to-coverage, but alpha stays 1
// in those that are drawn.
@fragment
fn fs_masked(in: VertexOut, @builtin(front_facing) is_front: bool) -> MaskedOut {
    let surface = gather_surface(in, is_front);
    let samples = masked_samples(surface.alpha);
    return MaskedOut(lit_surface(in, surface), samples);
}

// The samples that alpha leaves.
fn masked_samples(alpha: f32) -> u32 {
    // How far the cutoff is away in pixels: textures may be magnified or not (B. Golus, "Anti-aliased Alpha Test: The
    // Esoteric Alpha To Coverage", 2017).
    let slope = max(fwidth(alpha), 1e-4);
    let covered = clamp((alpha - material.alpha_cutoff) / slope + 0.5, 0.0, 1.0);
    // Where alpha does not change the cutoff decides alone (glTF 2.0 §3.9.4: at least as much is drawn), and so it does
    // where no alpha, or all or the greatest alone, is enough: there is no edge between those.
    let is_drawn = alpha >= material.alpha_cutoff;
    let is_whole = slope <= 1e-4 || material.alpha_cutoff <= 0.0 || material.alpha_cutoff >= 1.0;
    let share = select(covered, select(0.0, 1.0, is_drawn), is_whole);
    // In an order that fills the pixel evenly, for any number of them up to four.
    const MASKS = array(0x0u, 0x1u, 0x9u, 0xdu, 0xfu);
    return MASKS[u32(share * 4.0 + 0.5)];
}

struct WeightedOut {
    // Light and alpha, premultiplied, times a weight.
    @location(0) sum: vec4<f32>,
    // What is hidden of all behind.
    @location(1) hidden: f32,
}

// Blended surfaces in no order: what is nearer gets more weight, a thousand times as much at the model's near end as at its
// far end (M. McGuire and L. Bavoil, "Weighted Blended Order-Independent Transparency", 2013, section 4, whose weights
// are for scenes of known size). Sums of 30 layers must fit into 16-bit floats.
@fragment
fn fs_weighted(in: VertexOut, @builtin(front_facing) is_front: bool) -> WeightedOut {
    let surface = gather_surface(in, is_front);
    let lit = lit_surface(in, surface) * surface.alpha;
    return WeightedOut(summable(lit) * layer_weight(in, lit.a), lit.a);
}

fn layer_weight(in: VertexOut, hidden: f32) -> f32 {
    let depth = (distance_from_viewer(in.position_from_eye) - frame.depth_range.x) / frame.depth_range.y;
    return exp2(4.0 - 10.0 * clamp(depth, 0.0, 1.0)) * max(hidden, 0.01);
}

// Light that many layers may have.
fn summable(light: vec4<f32>) -> vec4<f32> {
    return vec4(dimmed_to(light.rgb, BRIGHTEST / 256.0), light.a);
}

// Where a blended surface is, for those who look at depth afterwards. Only what hides more than it shows counts: a faint
// pane before both of two scenes must not take the place of all by which they differ behind it.
@fragment
fn fs_depth(in: VertexOut, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    if gather_surface(in, is_front).alpha < 0.5 {
        discard;
    }
    return vec4(0.0);
}
