// Colours that are to be seen as they are, whatever light, exposure and tone curve are: of materials that
// KHR_materials_unlit takes out of all light, as the Khronos Sample Viewer shows them (three.js bends them like all others,
// unless a material's `toneMapped` is off), of the grid and the skeleton.

fn untoned(color: vec3<f32>) -> vec3<f32> {
    return light_shown_as(color, u32(frame.output.y), frame.output.x);
}
