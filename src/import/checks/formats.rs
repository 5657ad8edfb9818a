//! Formats: which elements an accessor may have where it is used (glTF 2.0 §3.7.2.1, §3.7.2.2 and §3.11, and
//! `KHR_mesh_quantization`).

use super::facts::{AccessorFacts, FLOAT, Shape, UNSIGNED_INT};

/// Elements of one of these shapes, whose components have one of these types, as they are or normalised.
#[derive(Debug, Clone, Copy)]
pub(super) struct Format {
    shapes: &'static [Shape],
    plain: &'static [u64],
    normalized: &'static [u64],
}

const BYTE: u64 = 5120;
const UNSIGNED_BYTE: u64 = 5121;
const SHORT: u64 = 5122;
const UNSIGNED_SHORT: u64 = 5123;

const SCALAR: &[Shape] = &[Shape::Scalar];
const VEC2: &[Shape] = &[Shape::Vector(2)];
const VEC3: &[Shape] = &[Shape::Vector(3)];
const VEC4: &[Shape] = &[Shape::Vector(4)];
const COLOR: &[Shape] = &[Shape::Vector(3), Shape::Vector(4)];

const FLOATS: &[u64] = &[FLOAT];
const SIGNED: &[u64] = &[BYTE, SHORT];
const UNSIGNED: &[u64] = &[UNSIGNED_BYTE, UNSIGNED_SHORT];
/// Integers of up to 16 bits.
const SMALL: &[u64] = &[BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT];
const SIGNED_OR_FLOAT: &[u64] = &[BYTE, SHORT, FLOAT];
const SMALL_OR_FLOAT: &[u64] = &[BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, FLOAT];

pub(super) const INDICES: Format = Format {
    shapes: SCALAR,
    plain: &[UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT],
    normalized: &[],
};

pub(super) const KEY_TIMES: Format = Format {
    shapes: SCALAR,
    plain: FLOATS,
    normalized: &[],
};

impl Format {
    /// Of an attribute; none if the specification does not say.
    pub(super) fn of_attribute(name: &str, is_quantized: bool) -> Option<Self> {
        let (shapes, plain, normalized) = match (semantic(name), is_quantized) {
            ("POSITION", true) => (VEC3, SMALL_OR_FLOAT, SMALL),
            ("NORMAL", true) => (VEC3, FLOATS, SIGNED),
            ("POSITION" | "NORMAL", false) => (VEC3, FLOATS, &[][..]),
            ("TANGENT", true) => (VEC4, FLOATS, SIGNED),
            ("TANGENT", false) => (VEC4, FLOATS, &[][..]),
            ("TEXCOORD", true) => (VEC2, SMALL_OR_FLOAT, SMALL),
            ("TEXCOORD", false) => (VEC2, FLOATS, UNSIGNED),
            ("COLOR", _) => (COLOR, FLOATS, UNSIGNED),
            ("JOINTS", _) => (VEC4, UNSIGNED, &[][..]),
            ("WEIGHTS", _) => (VEC4, FLOATS, UNSIGNED),
            _ => return None,
        };
        Some(Self {
            shapes,
            plain,
            normalized,
        })
    }

    /// Of what a morph target adds to an attribute; none if the specification does not say.
    pub(super) fn of_delta(name: &str, is_quantized: bool) -> Option<Self> {
        let (shapes, plain, normalized) = match (semantic(name), is_quantized) {
            ("POSITION", true) => (VEC3, SIGNED_OR_FLOAT, SIGNED),
            ("NORMAL" | "TANGENT", true) => (VEC3, FLOATS, SIGNED),
            ("POSITION" | "NORMAL" | "TANGENT", false) => (VEC3, FLOATS, &[][..]),
            ("TEXCOORD", true) => (VEC2, SIGNED_OR_FLOAT, SMALL),
            ("TEXCOORD", false) => (VEC2, FLOATS, SMALL),
            ("COLOR", _) => (COLOR, FLOATS, SMALL),
            _ => return None,
        };
        Some(Self {
            shapes,
            plain,
            normalized,
        })
    }

    /// Of the values of a channel; none if the path is no property of nodes.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        let (shapes, normalized) = match path {
            "translation" | "scale" => (VEC3, &[][..]),
            "rotation" => (VEC4, SMALL),
            "weights" => (SCALAR, SMALL),
            _ => return None,
        };
        Some(Self {
            shapes,
            plain: FLOATS,
            normalized,
        })
    }

    /// What is wrong with the elements of the accessor at `index`.
    pub(super) fn complaint(&self, index: usize, accessor: &AccessorFacts) -> Option<String> {
        if !self.shapes.contains(&accessor.shape) {
            let wanted: Vec<_> = self.shapes.iter().copied().map(shape_name).collect();
            let wanted = wanted.join(" or ");
            return Some(match accessor.shape {
                Shape::Unknown => format!("accessor {index} is of an unknown type, not {wanted}"),
                shape => {
                    let found = shape_name(shape);
                    format!("accessor {index} is of type {found}, not {wanted}")
                }
            });
        }
        let components = if accessor.normalized {
            self.normalized
        } else {
            self.plain
        };
        if components.contains(&accessor.component) {
            return None;
        }
        let normalized = if accessor.normalized {
            "normalised "
        } else {
            ""
        };
        let found = component_name(accessor.component);
        Some(format!(
            "accessor {index} has {normalized}components of {found}, which is not allowed here"
        ))
    }
}

/// The name of an attribute without the number of its set.
fn semantic(name: &str) -> &str {
    name.split_once('_').map_or(name, |(semantic, _)| semantic)
}

fn shape_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Unknown => "",
        Shape::Scalar => "SCALAR",
        Shape::Vector(2) => "VEC2",
        Shape::Vector(3) => "VEC3",
        Shape::Vector(_) => "VEC4",
        Shape::Matrix(2) => "MAT2",
        Shape::Matrix(3) => "MAT3",
        Shape::Matrix(_) => "MAT4",
    }
}

fn component_name(component: u64) -> &'static str {
    match component {
        BYTE => "type BYTE",
        UNSIGNED_BYTE => "type UNSIGNED_BYTE",
        SHORT => "type SHORT",
        UNSIGNED_SHORT => "type UNSIGNED_SHORT",
        UNSIGNED_INT => "type UNSIGNED_INT",
        FLOAT => "type FLOAT",
        _ => "an unknown type",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(format: Format, shape: Shape, component: u64, normalized: bool) -> bool {
        let accessor = AccessorFacts {
            shape,
            component,
            normalized,
            ..AccessorFacts::default()
        };
        format.complaint(0, &accessor).is_none()
    }

    #[test]
    fn quantization_allows_directions_that_are_normalised() {
        let vector = Shape::Vector(3);
        for (name, component, normalized, plain, quantized) in [
            ("NORMAL", FLOAT, false, true, true),
            ("NORMAL", SHORT, true, false, true),
            ("NORMAL", SHORT, false, false, false),
            ("NORMAL", UNSIGNED_BYTE, true, false, false),
            ("POSITION", SHORT, false, false, true),
            ("POSITION", UNSIGNED_INT, false, false, false),
            ("COLOR_3", UNSIGNED_BYTE, true, true, true),
            ("COLOR_3", UNSIGNED_BYTE, false, false, false),
        ] {
            for (is_quantized, allowed) in [(false, plain), (true, quantized)] {
                let format = Format::of_attribute(name, is_quantized).unwrap();
                let found = is_allowed(format, vector, component, normalized);
                assert_eq!(found, allowed, "{name} {component} {is_quantized}");
            }
        }
        assert!(Format::of_attribute("_NORMAL", true).is_none());
    }

    #[test]
    fn what_is_unknown_is_no_format() {
        let format = Format::of_path("weights").unwrap();
        assert!(is_allowed(format, Shape::Scalar, BYTE, true));
        assert!(!is_allowed(format, Shape::Unknown, FLOAT, false));
        assert!(!is_allowed(format, Shape::Scalar, 0, false));
        assert!(Format::of_path("pointer").is_none());
    }
}
