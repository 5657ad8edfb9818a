//! Filters of the meshopt codec: what becomes of decoded elements (`KHR_meshopt_compression`, appendix B).

use std::f32::consts::FRAC_1_SQRT_2;

/// Unit vectors of signed bytes; the fourth component stays as it is.
pub(super) fn octahedral_8(bytes: &mut [u8]) {
    for [x, y, z, _] in bytes.as_chunks_mut().0 {
        let [a, b, one] = [*x, *y, *z].map(|byte: u8| f32::from(byte.cast_signed()));
        // A cast of floats to integers takes the nearest of their range, and 0 for what is not a number.
        let bytes = unit_vector(a, b, one).map(|c| ((c * 127.0).round() as i8).cast_unsigned());
        [*x, *y, *z] = bytes;
    }
}

/// Unit vectors of signed 16-bit words; the fourth component stays as it is.
pub(super) fn octahedral_16(bytes: &mut [u8]) {
    for element in words(bytes) {
        let [a, b, one, rest] = *element;
        let [x, y, one] = [a, b, one].map(|word| f32::from(i16::from_le_bytes(word)));
        let [x, y, z] =
            unit_vector(x, y, one).map(|c| ((c * 32_767.0).round() as i16).to_le_bytes());
        *element = [x, y, z, rest];
    }
}

fn unit_vector(x: f32, y: f32, one: f32) -> [f32; 3] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    // The lower half is folded outwards.
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length]
}

/// Unit quaternions of signed 16-bit words.
pub(super) fn quaternion(bytes: &mut [u8]) {
    for element in words(bytes) {
        let [x, y, z, scale] = element.map(i16::from_le_bytes);
        let one = f32::from(scale | 3);
        let [x, y, z] = [x, y, z].map(|c| f32::from(c) / one * FRAC_1_SQRT_2);
        let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
        let mut components = [w, x, y, z].map(|c| ((c * 32_767.0).round() as i16).to_le_bytes());
        // The greatest component comes first; two bits say where it belongs.
        components.rotate_right(usize::from(scale.cast_unsigned() & 3));
        *element = components;
    }
}

/// Floats of a signed exponent of 8 bits and a signed mantissa of 24 bits.
pub(super) fn exponential(bytes: &mut [u8]) {
    for element in bytes.as_chunks_mut::<4>().0 {
        let packed = i32::from_le_bytes(*element);
        let exponent = (packed >> 24).clamp(-100, 100);
        let mantissa = packed.wrapping_shl(8) >> 8;
        let power = f32::from_bits(exponent.wrapping_add(127).cast_unsigned().wrapping_shl(23));
        *element = (power * mantissa as f32).to_le_bytes();
    }
}

/// Colours of bytes.
pub(super) fn color_8(bytes: &mut [u8]) {
    for element in bytes.as_chunks_mut::<4>().0 {
        let [luma, orange, green, alpha] = *element;
        let chroma = [orange, green].map(|byte| f32::from(byte.cast_signed()));
        let color = color(luma.into(), chroma, alpha.into(), 255.0);
        *element = color.map(|component| component as u8);
    }
}

/// Colours of 16-bit words.
pub(super) fn color_16(bytes: &mut [u8]) {
    for element in words(bytes) {
        let [luma, orange, green, alpha] = *element;
        let chroma = [orange, green].map(|word| f32::from(i16::from_le_bytes(word)));
        let luma = u16::from_le_bytes(luma).into();
        let color = color(luma, chroma, u16::from_le_bytes(alpha), 65_535.0);
        *element = color.map(|component| (component as u16).to_le_bytes());
    }
}

/// Red, green, blue and alpha in 0..=`most` from luma, chroma and alpha (`YCoCg`). The highest bit of `alpha` tells the
/// number of bits. All sums are exact: none needs more than 18 bits.
fn color(luma: f32, [orange, green]: [f32; 2], alpha: u16, most: f32) -> [f32; 4] {
    // All bits up to the highest one.
    let mask = u16::MAX.checked_shr(alpha.leading_zeros()).unwrap_or(0);
    let alpha = alpha & (mask >> 1);
    let alpha = alpha.wrapping_shl(1) | (alpha & 1);
    let scale = most / f32::from(mask);
    let red = luma + orange - green;
    let blue = luma - orange - green;
    [red, luma + green, blue, f32::from(alpha)].map(|component| (component * scale).round())
}

/// Elements of four 16-bit words.
fn words(bytes: &mut [u8]) -> &mut [[[u8; 2]; 4]] {
    bytes.as_chunks_mut().0.as_chunks_mut().0
}
