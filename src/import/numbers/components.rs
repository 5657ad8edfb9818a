//! Elements of accessors, and the components that they are made of: their types, how the specification calls these, and how
//! they lie in memory (glTF 2.0 §3.6.2).

use std::ops::RangeInclusive;

use gltf::json::accessor::{self, ComponentType, Type};

use crate::import::{base::diagnostics::Fault, files::bytes::Bytes};

/// The type of components that has this number.
pub(in crate::import) fn component_of(number: u32) -> Option<ComponentType> {
    Some(match number {
        accessor::BYTE => ComponentType::I8,
        accessor::UNSIGNED_BYTE => ComponentType::U8,
        accessor::SHORT => ComponentType::I16,
        accessor::UNSIGNED_SHORT => ComponentType::U16,
        accessor::UNSIGNED_INT => ComponentType::U32,
        accessor::FLOAT => ComponentType::F32,
        _ => return None,
    })
}

pub(in crate::import) fn component_name(component: ComponentType) -> &'static str {
    match component {
        ComponentType::I8 => "BYTE",
        ComponentType::U8 => "UNSIGNED_BYTE",
        ComponentType::I16 => "SHORT",
        ComponentType::U16 => "UNSIGNED_SHORT",
        ComponentType::U32 => "UNSIGNED_INT",
        ComponentType::F32 => "FLOAT",
    }
}

/// The numbers that a component can hold.
pub(in crate::import) fn limits(component: ComponentType) -> RangeInclusive<f64> {
    match component {
        ComponentType::I8 => f64::from(i8::MIN)..=f64::from(i8::MAX),
        ComponentType::U8 => f64::from(u8::MIN)..=f64::from(u8::MAX),
        ComponentType::I16 => f64::from(i16::MIN)..=f64::from(i16::MAX),
        ComponentType::U16 => f64::from(u16::MIN)..=f64::from(u16::MAX),
        ComponentType::U32 => f64::from(u32::MIN)..=f64::from(u32::MAX),
        ComponentType::F32 => f64::NEG_INFINITY..=f64::INFINITY,
    }
}

/// The type of elements that has this name.
pub(in crate::import) fn shape_of(name: &str) -> Option<Type> {
    Some(match name {
        "SCALAR" => Type::Scalar,
        "VEC2" => Type::Vec2,
        "VEC3" => Type::Vec3,
        "VEC4" => Type::Vec4,
        "MAT2" => Type::Mat2,
        "MAT3" => Type::Mat3,
        "MAT4" => Type::Mat4,
        _ => return None,
    })
}

pub(in crate::import) fn shape_name(shape: Type) -> &'static str {
    match shape {
        Type::Scalar => "SCALAR",
        Type::Vec2 => "VEC2",
        Type::Vec3 => "VEC3",
        Type::Vec4 => "VEC4",
        Type::Mat2 => "MAT2",
        Type::Mat3 => "MAT3",
        Type::Mat4 => "MAT4",
    }
}

/// Number of rows, and of columns, of a matrix; none of what is no matrix.
pub(in crate::import) fn rows_of(shape: Type) -> Option<usize> {
    match shape {
        Type::Scalar | Type::Vec2 | Type::Vec3 | Type::Vec4 => None,
        Type::Mat2 => Some(2),
        Type::Mat3 => Some(3),
        Type::Mat4 => Some(4),
    }
}

/// The size of an element, and where in it each component lies: columns of matrices start at multiples of four bytes
/// (glTF 2.0 §3.6.2.4).
pub(in crate::import) fn element_layout<const N: usize>(
    shape: Type,
    size: usize,
) -> (usize, [usize; N]) {
    let (rows, multiple) = match rows_of(shape) {
        Some(rows) => (rows, 4),
        None => (N.max(1), 1),
    };
    let column = size.saturating_mul(rows).next_multiple_of(multiple);
    let mut offsets = [0; N];
    for (component, offset) in offsets.iter_mut().enumerate() {
        let (in_column, in_row) = (component.div_euclid(rows), component.rem_euclid(rows));
        *offset = in_column
            .saturating_mul(column)
            .saturating_add(in_row.saturating_mul(size));
    }
    (column.saturating_mul(N.div_ceil(rows)), offsets)
}

/// How many bytes an element takes. The last one may lack what only fills up the last column of a matrix.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct ElementSize {
    /// Its bytes with all padding.
    pub padded: usize,
    /// Its bytes up to its last component.
    pub used: usize,
}

impl ElementSize {
    /// The size of an element with components of `size` bytes at these offsets.
    pub(in crate::import) fn new<const N: usize>(
        padded: usize,
        offsets: &[usize; N],
        size: usize,
    ) -> Self {
        let last = offsets.last().copied().unwrap_or(0);
        Self {
            padded,
            used: last.saturating_add(size),
        }
    }

    /// The size of an element without gaps.
    pub(in crate::import) fn packed(size: usize) -> Self {
        Self {
            padded: size,
            used: size,
        }
    }
}

/// Reads an element whose components lie at these offsets.
pub(in crate::import) type ElementReader<const N: usize, C> = fn(&[u8], &[usize; N]) -> [C; N];

/// Reads elements of any components as floats; normalised integers become 0..1 or −1..1 (glTF 2.0 §3.6.2.2).
pub(in crate::import) fn float_reader<const N: usize>(
    component: ComponentType,
    normalized: bool,
) -> ElementReader<N, f32> {
    fn i8_of([byte]: [u8; 1]) -> f32 {
        f32::from(byte.cast_signed())
    }
    fn i16_of(bytes: [u8; 2]) -> f32 {
        f32::from(i16::from_le_bytes(bytes))
    }
    fn u16_of(bytes: [u8; 2]) -> f32 {
        f32::from(u16::from_le_bytes(bytes))
    }
    // A function for each kind of element, so that none is called for each component.
    match (component, normalized) {
        (ComponentType::I8, false) => |bytes, at| each(bytes, at, i8_of),
        (ComponentType::U8, false) => |bytes, at| each(bytes, at, |[byte]| f32::from(byte)),
        (ComponentType::I16, false) => |bytes, at| each(bytes, at, i16_of),
        (ComponentType::U16, false) => |bytes, at| each(bytes, at, u16_of),
        (ComponentType::I8, true) => {
            |bytes, at| each(bytes, at, |byte| (i8_of(byte) / 127.0).max(-1.0))
        }
        (ComponentType::U8, true) => |bytes, at| each(bytes, at, |[byte]| f32::from(byte) / 255.0),
        (ComponentType::I16, true) => {
            |bytes, at| each(bytes, at, |number| (i16_of(number) / 32_767.0).max(-1.0))
        }
        (ComponentType::U16, true) => {
            |bytes, at| each(bytes, at, |number| u16_of(number) / 65_535.0)
        }
        (ComponentType::U32, _) => {
            |bytes, at| each(bytes, at, |number| u32::from_le_bytes(number) as f32)
        }
        (ComponentType::F32, _) => |bytes, at| each(bytes, at, f32::from_le_bytes),
    }
}

/// Reads elements of unsigned integers; none if the components are of another kind.
pub(in crate::import) fn integer_reader<const N: usize>(
    component: ComponentType,
) -> Option<ElementReader<N, u32>> {
    match component {
        ComponentType::U8 => Some(|bytes, at| each(bytes, at, |[byte]| u32::from(byte))),
        ComponentType::U16 => {
            Some(|bytes, at| each(bytes, at, |number| u32::from(u16::from_le_bytes(number))))
        }
        ComponentType::U32 => Some(|bytes, at| each(bytes, at, u32::from_le_bytes)),
        ComponentType::I8 | ComponentType::I16 | ComponentType::F32 => None,
    }
}

/// Components of `S` bytes each; what is not there is zero.
fn each<const N: usize, const S: usize, C: Default>(
    bytes: &[u8],
    offsets: &[usize; N],
    read: impl Fn([u8; S]) -> C,
) -> [C; N] {
    offsets.map(|offset| {
        let rest = bytes.get(offset..).unwrap_or_default();
        rest.first_chunk()
            .map_or_else(C::default, |component| read(*component))
    })
}

/// Elements as a view has them.
pub(in crate::import) enum Stated<'b> {
    /// The bytes of all, and from one to the next.
    Bytes(Bytes<'b>, usize),
    /// There is none (glTF 2.0 §3.6.2.1).
    Zeros,
}

/// Elements that are read at once: so few that they are still near when something is made of them.
const AT_ONCE: usize = 512;

impl Stated<'_> {
    /// Calls `each` with all of `count` elements, many at once.
    pub(in crate::import) fn for_each<T: Copy>(
        self,
        count: usize,
        element_at: impl Fn(&[u8]) -> T,
        each: &mut dyn FnMut(&[T]),
    ) -> Result<(), Fault> {
        match self {
            Self::Bytes(bytes, stride) => {
                let mut elements = Vec::with_capacity(count.min(AT_ONCE));
                bytes.for_each_part(stride, &mut |bytes| {
                    for bytes in bytes.chunks(stride.saturating_mul(AT_ONCE)) {
                        elements.clear();
                        elements.extend(bytes.chunks(stride).map(&element_at));
                        each(&elements);
                    }
                })
            }
            Self::Zeros => {
                let zeros = vec![element_at(&[]); count.min(AT_ONCE)];
                for start in (0..count).step_by(AT_ONCE) {
                    let count = count.saturating_sub(start).min(AT_ONCE);
                    each(zeros.get(..count).unwrap_or_default());
                }
                Ok(())
            }
        }
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
    fn names_and_numbers_are_those_of_files() {
        let numbers = (0..=0xffff).filter_map(|it| Some((it, component_of(it)?)));
        let numbers: Vec<_> = numbers.collect();
        assert_eq!(numbers.len(), 6);
        for (number, component) in numbers {
            assert_eq!(component.as_gl_enum(), number);
        }
        for name in ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"] {
            assert_eq!(shape_of(name).map(shape_name), Some(name));
        }
    }

    #[test]
    fn normalises_integers() {
        let read = |component, bytes: &[u8]| float_reader(component, true)(bytes, &[0])[0];
        assert_eq!(read(ComponentType::I8, &[0x80]), -1.0);
        assert_eq!(read(ComponentType::I8, &[0x7f]), 1.0);
        assert_eq!(read(ComponentType::U8, &[255]), 1.0);
        assert_eq!(read(ComponentType::I16, &[0, 0x80]), -1.0);
        assert_eq!(read(ComponentType::U16, &[0xff, 0xff]), 1.0);
    }
}
