// Colours that are to be seen as they are, whatever light and exposure are.

fn untoned(color: vec3<f32>) -> vec3<f32> {
    // The other curves show all alike.
    if u32(frame.output.y) == TONE_NEUTRAL {
        return untoned_neutral(color) / frame.output.x;
    }
    return color / frame.output.x;
}
