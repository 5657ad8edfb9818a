// What the scene can hold.

// The brightest that is stored: half of what the scene's 16-bit floats hold. Beyond that they become infinity, and what is
// blended over that or averaged with it is no number any more. Twin: model::Panorama::BRIGHTEST.
const BRIGHTEST: f32 = 32768.0;

// About the greatest number that a float holds.
const ENDLESS: f32 = 3e38;

// What makes it one that can be divided by.
const DIVISIBLE: f32 = 0x1p-16;

// Light that is nowhere brighter than `limit`, of the same hue. Twin: model::dimmed_to.
fn dimmed_to(light: vec3<f32>, limit: f32) -> vec3<f32> {
    let finite = min(light, vec3(ENDLESS));
    // Of dividing by more than 2¹²⁶ Vulkan promises nothing ("Precision of Individual Operations"): some adapters make it 0.
    let within = limit * DIVISIBLE;
    let brightest = max(finite.r, max(finite.g, finite.b)) * DIVISIBLE;
    return finite * (within / max(brightest, within));
}
