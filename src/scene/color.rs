//! Colours as they are written, and as light adds up.

/// The light of a channel of sRGB, both 0..=1 (IEC 61966-2-1).
pub fn linear_from_srgb(signal: f32) -> f32 {
    if signal <= 0.04045 {
        signal / 12.92
    } else {
        ((signal + 0.055) / 1.055).powf(2.4)
    }
}
