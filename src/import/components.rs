//! Components: the numbers that elements of accessors are made of, and how they lie in them.

use gltf::json::accessor::{ComponentType, Type};

/// The size of an element, and where in it each component lies: columns of matrices start at multiples of four bytes
/// (glTF 2.0 §3.6.2.4).
pub(super) fn element_layout<const N: usize>(shape: Type, size: usize) -> (usize, [usize; N]) {
    let rows = match shape {
        Type::Mat2 => 2,
        Type::Mat3 => 3,
        Type::Mat4 => 4,
        Type::Scalar | Type::Vec2 | Type::Vec3 | Type::Vec4 => N.max(1),
    };
    let packed = size.saturating_mul(rows);
    let is_matrix = matches!(shape, Type::Mat2 | Type::Mat3 | Type::Mat4);
    let column = if is_matrix {
        packed.next_multiple_of(4)
    } else {
        packed
    };
    let mut offsets = [0; N];
    for (component, offset) in offsets.iter_mut().enumerate() {
        let (in_column, in_row) = (component.div_euclid(rows), component.rem_euclid(rows));
        *offset = in_column
            .saturating_mul(column)
            .saturating_add(in_row.saturating_mul(size));
    }
    (column.saturating_mul(N.div_ceil(rows)), offsets)
}

/// Reads any component as a float; normalised integers become 0..1 or −1..1 (glTF 2.0 §3.6.2.2).
pub(super) fn float_reader(component: ComponentType, normalized: bool) -> fn(&[u8]) -> f32 {
    fn i8_at(bytes: &[u8]) -> f32 {
        bytes.first().map_or(0.0, |&b| f32::from(b.cast_signed()))
    }
    fn u8_at(bytes: &[u8]) -> f32 {
        bytes.first().map_or(0.0, |&b| f32::from(b))
    }
    fn i16_at(bytes: &[u8]) -> f32 {
        let chunk = bytes.first_chunk();
        chunk.map_or(0.0, |b| f32::from(i16::from_le_bytes(*b)))
    }
    fn u16_at(bytes: &[u8]) -> f32 {
        let chunk = bytes.first_chunk();
        chunk.map_or(0.0, |b| f32::from(u16::from_le_bytes(*b)))
    }
    fn u32_at(bytes: &[u8]) -> f32 {
        let chunk = bytes.first_chunk();
        chunk.map_or(0.0, |b| u32::from_le_bytes(*b) as f32)
    }
    match (component, normalized) {
        (ComponentType::I8, false) => i8_at,
        (ComponentType::U8, false) => u8_at,
        (ComponentType::I16, false) => i16_at,
        (ComponentType::U16, false) => u16_at,
        (ComponentType::I8, true) => |bytes| (i8_at(bytes) / 127.0).max(-1.0),
        (ComponentType::U8, true) => |bytes| u8_at(bytes) / 255.0,
        (ComponentType::I16, true) => |bytes| (i16_at(bytes) / 32_767.0).max(-1.0),
        (ComponentType::U16, true) => |bytes| u16_at(bytes) / 65_535.0,
        (ComponentType::U32, _) => u32_at,
        (ComponentType::F32, _) => {
            |bytes| bytes.first_chunk().map_or(0.0, |b| f32::from_le_bytes(*b))
        }
    }
}

/// Reads unsigned integers; none if the components are of another kind.
pub(super) fn integer_reader(component: ComponentType) -> Option<fn(&[u8]) -> u32> {
    match component {
        ComponentType::U8 => Some(|bytes| bytes.first().map_or(0, |&b| u32::from(b))),
        ComponentType::U16 => Some(|bytes| {
            let chunk = bytes.first_chunk();
            chunk.map_or(0, |b| u32::from(u16::from_le_bytes(*b)))
        }),
        ComponentType::U32 => {
            Some(|bytes| bytes.first_chunk().map_or(0, |b| u32::from_le_bytes(*b)))
        }
        ComponentType::I8 | ComponentType::I16 | ComponentType::F32 => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pads_the_columns_of_matrices() {
        assert_eq!(element_layout::<3>(Type::Vec3, 2), (6, [0, 2, 4]));
        assert_eq!(element_layout::<4>(Type::Mat2, 1), (8, [0, 1, 4, 5]));
        let (size, offsets) = element_layout::<9>(Type::Mat3, 2);
        assert_eq!((size, offsets), (24, [0, 2, 4, 8, 10, 12, 16, 18, 20]));
        assert_eq!(element_layout::<16>(Type::Mat4, 4).0, 64);
    }

    #[test]
    fn normalises_integers() {
        let read = |component, bytes: &[u8]| float_reader(component, true)(bytes);
        assert_eq!(read(ComponentType::I8, &[0x80]), -1.0);
        assert_eq!(read(ComponentType::I8, &[0x7f]), 1.0);
        assert_eq!(read(ComponentType::U8, &[255]), 1.0);
        assert_eq!(read(ComponentType::I16, &[0, 0x80]), -1.0);
        assert_eq!(read(ComponentType::U16, &[0xff, 0xff]), 1.0);
    }
}
