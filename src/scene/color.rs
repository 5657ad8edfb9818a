//! Colours as they are written, and as light adds up.

/// The light of a channel of sRGB, both 0..=1 (IEC 61966-2-1).
pub fn linear_from_srgb(signal: f32) -> f32 {
    if signal <= 0.04045 {
        signal / 12.92
    } else {
        ((signal + 0.055) / 1.055).powf(2.4)
    }
}

/// The channel of sRGB that shows so much light, both 0..=1 (IEC 61966-2-1). What a screen cannot show is clamped.
pub fn srgb_from_linear(light: f32) -> f32 {
    let light = light.clamp(0.0, 1.0);
    if light <= 0.003_130_8 {
        12.92 * light
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    }
}
