// The fragment stage of meshes in scenes that have colours which are shown as they are.

// Whether it is shown as it is: what no light falls on, as `lit_surface` has it.
// Twin: render/passes/shown_colors.rs `is_shown`.
fn is_shown() -> bool {
    return has(UNLIT) || (primitive.flags & (HAS_NORMALS | HAS_FACES)) == 0u;
}

fn surface_colors(in: VertexOut, surface: MaterialSurface, alpha: f32) -> SceneColors {
    if has(UNLIT) {
        return shown_alone(surface.base_color, alpha);
    }
    if is_shown() {
        return shown_alone(surface.base_color + surface.emissive, alpha);
    }
    return light_alone(shade(surface, in.position_from_eye) * alpha);
}

@fragment
fn fs_mesh_colors(in: VertexOut, @builtin(front_facing) is_front: bool) -> SceneColors {
    let surface = gather_surface(in, is_front);
    let colors = surface_colors(in, surface, select(1.0, surface.alpha, has(ALPHA_BLEND)));
    if has(ALPHA_MASK) && surface.alpha < material.alpha_cutoff {
        discard;
    }
    return colors;
}

struct MaskedColors {
    @location(0) light: vec4<f32>,
    @location(1) shown: vec4<f32>,
    @builtin(sample_mask) samples: u32,
}

@fragment
fn fs_masked_colors(in: VertexOut, @builtin(front_facing) is_front: bool) -> MaskedColors {
    let surface = gather_surface(in, is_front);
    let samples = masked_samples(surface.alpha);
    let colors = surface_colors(in, surface, 1.0);
    return MaskedColors(colors.light, colors.shown, samples);
}

struct WeightedColors {
    @location(0) sum: vec4<f32>,
    @location(1) hidden: f32,
    // Like the first, of what is shown as it is.
    @location(2) shown_sum: vec4<f32>,
}

@fragment
fn fs_weighted_colors(in: VertexOut, @builtin(front_facing) is_front: bool) -> WeightedColors {
    let surface = gather_surface(in, is_front);
    let colors = surface_colors(in, surface, surface.alpha);
    let hidden = colors.light.a;
    let weight = layer_weight(in, hidden);
    if is_shown() {
        return WeightedColors(vec4(0.0), hidden, colors.shown * weight);
    }
    return WeightedColors(summable(colors.light) * weight, hidden, vec4(0.0));
}
