// What throws a shadow although parts of it are cut out or see-through: leaves, hair.

@fragment
fn fs_shadow_caster(in: VertexOut) {
    let alpha = material.base_color.a * in.color.a * texel(in, BASE_COLOR_MAP, BASE_COLOR_SLOT).a;
    // What is half there or more stops the light.
    if alpha < select(0.5, material.alpha_cutoff, has(ALPHA_MASK)) {
        discard;
    }
}
