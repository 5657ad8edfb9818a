// Colours that are to be seen as they are, whatever light and exposure are: under Khronos PBR Neutral and without a curve.
// ACES and AgX have no inverse that holds every colour; they bend these like all others.

fn untoned(color: vec3<f32>) -> vec3<f32> {
    // The other curves show all alike.
    if u32(frame.output.y) == TONE_NEUTRAL {
        return min(untoned_neutral(color) / frame.output.x, vec3(BRIGHTEST));
    }
    return min(color / frame.output.x, vec3(BRIGHTEST));
}
