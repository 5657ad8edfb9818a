// The two parts of a scene that has colours which are shown as they are: light, which the tone curve bends, and these, which
// it must not. Both have alpha premultiplied.
//
// The first alpha is what both hide together, the second what the shown colours hide. What blends must dim both parts by its
// own alpha, which is therefore in both; whether the second part gains it as well, the pipeline knows (`ColorKind`).

struct SceneColors {
    @location(0) light: vec4<f32>,
    @location(1) shown: vec4<f32>,
}

// Of what is light.
fn light_alone(light: vec4<f32>) -> SceneColors {
    return SceneColors(light, vec4(0.0, 0.0, 0.0, light.a));
}

// Of what is shown as it is.
fn shown_alone(color: vec3<f32>, alpha: f32) -> SceneColors {
    let bounded = clamp(color, vec3(0.0), vec3(1.0));
    return SceneColors(vec4(0.0, 0.0, 0.0, alpha), vec4(bounded * alpha, alpha));
}
