// Colours that are to be seen as they are, whatever light, exposure and tone curve are: of materials that KHR_materials_unlit
// takes out of all light, as the Khronos Sample Viewer shows them (three.js bends them like all others, unless a material's
// `toneMapped` is off), of the grid and the skeleton.

fn untoned(color: vec3<f32>) -> vec3<f32> {
    var light = color;
    switch u32(frame.output.y) {
        case TONE_NEUTRAL: { light = untoned_neutral(color); }
        case TONE_ACES: { light = untoned_aces(color); }
        case TONE_AGX: { light = untoned_agx(color); }
        default: {}
    }
    return dimmed_to(max(light / frame.output.x, vec3(-BRIGHTEST)), BRIGHTEST);
}
