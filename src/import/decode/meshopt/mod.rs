//! The meshopt codec of the glTF extensions `EXT_meshopt_compression` and `KHR_meshopt_compression`, by their
//! specification: what a view of a buffer holds, in three modes, and filters that follow the first of them.

mod attributes;
mod filters;
mod indices;

use serde::Deserialize;

use super::{invalid, take, take_array, take_byte, too_long, too_short};
use crate::import::base::{budget::Budget, diagnostics::Fault, wording::counted};

/// How the data are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::import) enum Mode {
    /// Elements of any kind.
    Attributes,
    /// Indices of a list of triangles.
    Triangles,
    /// Indices of anything else.
    Indices,
}

/// What is done with elements after they are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::import) enum Filter {
    /// Nothing.
    #[default]
    None,
    /// Unit vectors, from octahedral coordinates.
    Octahedral,
    /// Unit quaternions, from their three smallest components.
    Quaternion,
    /// Floats, from mantissa and exponent.
    Exponential,
    /// Colours, from luma and chroma.
    Color,
}

/// What a stream says about itself outside of it.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Layout {
    /// Number of elements or indices.
    pub count: usize,
    /// Bytes of each.
    pub stride: usize,
    /// How they are laid out.
    pub mode: Mode,
    /// What is done with them afterwards.
    pub filter: Filter,
}

/// Whether a stream is of version 1, which is another one for elements of any kind alone.
pub(in crate::import) fn is_newer(bytes: &[u8], layout: Layout) -> bool {
    layout.mode == Mode::Attributes && bytes.first() == Some(&attributes::VERSION_1)
}

/// Decodes a stream; the result has `count * stride` bytes.
pub(in crate::import) fn decode(
    bytes: &[u8],
    layout: Layout,
    budget: &Budget,
) -> Result<Vec<u8>, Fault> {
    let Layout {
        count,
        stride,
        mode,
        filter,
    } = layout;
    let is_fit = match mode {
        Mode::Attributes => stride.is_multiple_of(4) && (4..=256).contains(&stride),
        Mode::Triangles | Mode::Indices => stride == 2 || stride == 4,
    };
    if !is_fit {
        let bytes = counted(stride, "byte", "bytes");
        let message = format!("elements of {bytes} cannot be in mode {mode:?}");
        return Err(invalid(message));
    }
    let is_fit = match filter {
        Filter::Octahedral | Filter::Color => stride == 4 || stride == 8,
        Filter::Quaternion => stride == 8,
        Filter::None | Filter::Exponential => true,
    };
    if !is_fit || (filter != Filter::None && mode != Mode::Attributes) {
        let bytes = counted(stride, "byte", "bytes");
        let message =
            format!("filter {filter:?} does not go with mode {mode:?} and elements of {bytes}");
        return Err(invalid(message));
    }
    let mut decoded = match mode {
        Mode::Attributes => attributes::decode(bytes, count, stride, budget)?,
        Mode::Triangles => indices::decode_triangles(bytes, count, stride, budget)?,
        Mode::Indices => indices::decode_sequence(bytes, count, stride, budget)?,
    };
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => filters::octahedral_8(&mut decoded),
        (Filter::Octahedral, _) => filters::octahedral_16(&mut decoded),
        (Filter::Quaternion, _) => filters::quaternion(&mut decoded),
        (Filter::Exponential, _) => filters::exponential(&mut decoded),
        (Filter::Color, 4) => filters::color_8(&mut decoded),
        (Filter::Color, _) => filters::color_16(&mut decoded),
    }
    Ok(decoded)
}

/// As many bytes as `fill` makes of a stream. If it fails, their memory is given back, and the work counted.
fn filled(
    length: usize,
    budget: &Budget,
    fill: impl FnOnce(&mut Vec<u8>) -> Result<(), Fault>,
) -> Result<Vec<u8>, Fault> {
    let (mut decoded, held) = budget.borrow(length)?;
    match fill(&mut decoded) {
        Ok(()) => {
            held.keep();
            Ok(decoded)
        }
        Err(fault) => {
            budget.count_vain(length);
            Err(fault)
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use serde_json::{Value, from_value};

    use super::*;

    /// Name, compressed bytes, what they are, decoded bytes.
    fn vectors() -> Vec<(String, Vec<u8>, Layout, Vec<u8>)> {
        let text = include_str!("../../../../tests/import/data/meshopt.tsv");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let vector = |line: &str| {
            let cells: Vec<_> = line.split('\t').collect();
            let layout = Layout {
                mode: from_value(Value::from(cells[1])).unwrap(),
                filter: from_value(Value::from(cells[2])).unwrap(),
                count: cells[3].parse().unwrap(),
                stride: cells[4].parse().unwrap(),
            };
            let bytes = |cell: &str| STANDARD.decode(cell).unwrap();
            (
                cells[0].to_owned(),
                bytes(cells[5]),
                layout,
                bytes(cells[6]),
            )
        };
        lines.map(vector).collect()
    }

    /// How far two results are apart: filters may round otherwise in the last place, all else is exact.
    fn differ(layout: Layout, a: &[u8], b: &[u8]) -> u32 {
        let is_exact = matches!(layout.filter, Filter::None | Filter::Exponential);
        let pairs = a.iter().zip(b);
        if is_exact {
            return u32::from(a != b);
        }
        if layout.stride == 4 {
            return pairs.map(|(a, b)| a.abs_diff(*b).into()).max().unwrap();
        }
        let words = |bytes: &[u8]| -> Vec<u16> {
            let words = bytes.as_chunks().0.iter();
            words.map(|&word| u16::from_le_bytes(word)).collect()
        };
        let (a, b) = (words(a), words(b));
        let wrapped = |(a, b): (&u16, &u16)| {
            let difference = a.wrapping_sub(*b);
            u32::from(difference.min(difference.wrapping_neg()))
        };
        a.iter().zip(&b).map(wrapped).max().unwrap()
    }

    #[test]
    fn agrees_with_the_reference_decoder() {
        for (name, bytes, layout, expected) in vectors() {
            let decoded = decode(&bytes, layout, &Budget::default()).unwrap();
            assert_eq!(decoded.len(), expected.len(), "{name}");
            let difference = differ(layout, &decoded, &expected);
            let most = u32::from(layout.filter != Filter::None);
            assert!(difference <= most, "{name}: {difference}");
        }
    }

    /// 160 MB of attributes.
    const VAST: Layout = Layout {
        count: 10_000_000,
        stride: 16,
        mode: Mode::Attributes,
        filter: Filter::None,
    };

    #[test]
    fn what_fails_takes_no_memory() {
        for (name, bytes, layout, _) in vectors() {
            let budget = Budget::default();
            let before = budget.left();
            assert!(decode(&[&bytes[..], &[0]].concat(), layout, &budget).is_err());
            assert_eq!(budget.left(), before, "{name}");
        }
        // Nothing is made of a stream that is much too short.
        for version in [attributes::VERSION_1, 0xa0] {
            let budget = Budget::default();
            let layout = VAST;
            let mut bytes = vec![0; 100];
            bytes[0] = version;
            let fault = decode(&bytes, layout, &budget).unwrap_err();
            assert_eq!(fault, too_short());
            let [.., undone] = budget.spent();
            assert_eq!(undone, 0);
        }
    }

    #[test]
    fn failing_again_and_again_has_an_end() {
        let budget = Budget::default();
        let layout = VAST;
        // All differences are zero, and a byte is left over.
        let blocks = layout.count.div_ceil(256);
        let mut bytes = vec![0xaa; 2 + 4 * blocks + 24];
        bytes[0] = attributes::VERSION_1;
        let end = bytes.len() - 24;
        bytes[end..].fill(0);
        let code = || decode(&bytes, layout, &budget).unwrap_err().code;
        let codes: Vec<_> = (0..6).map(|_| code()).collect();
        assert_eq!(codes[0], "COMPRESSED_DATA_INVALID");
        assert_eq!(codes[5], "MEMORY_BUDGET_EXCEEDED");
    }

    #[test]
    fn names_damage() {
        for (name, bytes, layout, _) in vectors() {
            for length in 0..bytes.len() {
                let cut = decode(&bytes[..length], layout, &Budget::default());
                assert!(cut.is_err(), "{name} cut at {length}");
            }
            let more = [&bytes[..], &[0]].concat();
            assert!(decode(&more, layout, &Budget::default()).is_err(), "{name}");
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                // Not every flipped bit can be noticed, but none may do harm.
                if let Ok(decoded) = decode(&bytes, layout, &Budget::default()) {
                    assert_eq!(decoded.len(), layout.count * layout.stride, "{name}");
                }
            }
        }
    }
}
