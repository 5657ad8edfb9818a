//! Formats: which elements an accessor may have where it is used (glTF 2.0 §3.7.2.1, §3.7.2.2 and §3.11, and
//! `KHR_mesh_quantization`).

use gltf::json::accessor::{
    ComponentType::{self, F32, I8, I16, U8, U16, U32},
    Type,
};

use crate::import::numbers::components::{component_name, shape_name};

use super::facts::AccessorFacts;

/// Elements of one of these shapes, whose components have one of these types, as they are or normalised.
#[derive(Debug, Clone, Copy)]
pub(super) struct Format {
    shapes: &'static [Type],
    plain: &'static [ComponentType],
    normalized: &'static [ComponentType],
}

const SCALAR: &[Type] = &[Type::Scalar];
const VEC2: &[Type] = &[Type::Vec2];
const VEC3: &[Type] = &[Type::Vec3];
const VEC4: &[Type] = &[Type::Vec4];
const COLOR: &[Type] = &[Type::Vec3, Type::Vec4];

const FLOATS: &[ComponentType] = &[F32];
const SIGNED: &[ComponentType] = &[I8, I16];
const UNSIGNED: &[ComponentType] = &[U8, U16];
/// Integers of up to 16 bits.
const SMALL: &[ComponentType] = &[I8, U8, I16, U16];
const SIGNED_OR_FLOAT: &[ComponentType] = &[I8, I16, F32];
const SMALL_OR_FLOAT: &[ComponentType] = &[I8, U8, I16, U16, F32];

pub(super) const INDICES: Format = Format {
    shapes: SCALAR,
    plain: &[U8, U16, U32],
    normalized: &[],
};

pub(super) const KEY_TIMES: Format = Format {
    shapes: SCALAR,
    plain: FLOATS,
    normalized: &[],
};

impl Format {
    /// The format of an attribute; none if the specification does not say.
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

    /// The format of what a morph target adds to an attribute; none if the specification does not say.
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

    /// The format of a channel's values; none if the path is no property of nodes.
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
        let is_allowed = |shape| self.shapes.contains(&shape);
        if !accessor.shape.is_some_and(is_allowed) {
            let wanted: Vec<_> = self.shapes.iter().copied().map(shape_name).collect();
            let wanted = wanted.join(" or ");
            let found = accessor.shape.map_or_else(
                || "an unknown type".to_owned(),
                |shape| format!("type {}", shape_name(shape)),
            );
            return Some(format!("accessor {index} is of {found}, not {wanted}"));
        }
        let components = if accessor.normalized {
            self.normalized
        } else {
            self.plain
        };
        let is_allowed = |component| components.contains(&component);
        if accessor.component.is_some_and(is_allowed) {
            return None;
        }
        let normalized = if accessor.normalized {
            "normalised "
        } else {
            ""
        };
        let found = accessor.component.map_or_else(
            || "an unknown type".to_owned(),
            |component| format!("type {}", component_name(component)),
        );
        Some(format!(
            "accessor {index} has {normalized}components of {found}, which is not allowed here"
        ))
    }
}

/// The name of an attribute without the number of its set.
fn semantic(name: &str) -> &str {
    name.split_once('_').map_or(name, |(semantic, _)| semantic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(
        format: Format,
        shape: impl Into<Option<Type>>,
        component: impl Into<Option<ComponentType>>,
        normalized: bool,
    ) -> bool {
        let accessor = AccessorFacts {
            shape: shape.into(),
            component: component.into(),
            normalized,
            ..AccessorFacts::default()
        };
        format.complaint(0, &accessor).is_none()
    }

    #[test]
    fn quantization_allows_directions_that_are_normalised() {
        let vector = Type::Vec3;
        for (name, component, normalized, plain, quantized) in [
            ("NORMAL", F32, false, true, true),
            ("NORMAL", I16, true, false, true),
            ("NORMAL", I16, false, false, false),
            ("NORMAL", U8, true, false, false),
            ("POSITION", I16, false, false, true),
            ("POSITION", U32, false, false, false),
            ("COLOR_3", U8, true, true, true),
            ("COLOR_3", U8, false, false, false),
        ] {
            for (is_quantized, allowed) in [(false, plain), (true, quantized)] {
                let format = Format::of_attribute(name, is_quantized).unwrap();
                let found = is_allowed(format, vector, component, normalized);
                assert_eq!(found, allowed, "{name} {component:?} {is_quantized}");
            }
        }
        assert!(Format::of_attribute("_NORMAL", true).is_none());
    }

    #[test]
    fn what_is_unknown_is_no_format() {
        let format = Format::of_path("weights").unwrap();
        assert!(is_allowed(format, Type::Scalar, I8, true));
        assert!(!is_allowed(format, None, F32, false));
        assert!(!is_allowed(format, Type::Scalar, None, false));
        assert!(Format::of_path("pointer").is_none());
    }
}
