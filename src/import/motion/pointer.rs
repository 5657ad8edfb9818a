//! `KHR_animation_pointer`: what the pointer of a channel names, by the templates of the glTF 2.0 Asset Object Model.

use crate::{
    import::json::extensions::{Support, support},
    model::{
        PropertyTarget,
        property_names::{CAMERA, LIGHT, Line, MATERIAL, TEXTURE, TRANSFORM},
    },
};

/// What a pointer names; nodes by their index in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pointed {
    Translation(usize),
    Rotation(usize),
    Scale(usize),
    /// All weights of a node.
    Weights(usize),
    /// All weights of a mesh.
    MeshWeights(usize),
    /// One weight of a node.
    Weight(usize, usize),
    /// One weight of a mesh.
    MeshWeight(usize, usize),
    Visibility(usize),
    Other(PropertyTarget),
}

const LIGHTS: &str = "/extensions/KHR_lights_punctual/lights/";

/// Whether a pointer leads into what is kept for other programs, which they may move: `extras`, or an extension that nothing
/// is seen of here.
pub(super) fn is_for_others(pointer: &str) -> bool {
    let mut steps = pointer.split('/');
    while let Some(step) = steps.next() {
        match step {
            "extras" => return true,
            "extensions" => {
                return steps
                    .next()
                    .is_some_and(|name| support(name) != Support::Full);
            }
            _ => {}
        }
    }
    false
}

/// What a pointer names; none if that is nothing that a clip may move.
pub(super) fn resolve(pointer: &str) -> Option<Pointed> {
    let rest = pointer.strip_prefix('/')?;
    if let Some(rest) = pointer.strip_prefix(LIGHTS) {
        let (light, path) = indexed(rest)?;
        let property = found(LIGHT, path)?;
        return Some(Pointed::Other(PropertyTarget::Light(light, property)));
    }
    let (list, rest) = rest.split_once('/')?;
    let (index, path) = indexed(rest)?;
    match list {
        "nodes" => node(index, path),
        "meshes" => match path.strip_prefix("weights")? {
            "" => Some(Pointed::MeshWeights(index)),
            rest => {
                let weight = number(rest.strip_prefix('/')?)?;
                Some(Pointed::MeshWeight(index, weight))
            }
        },
        "cameras" => {
            let property = found(CAMERA, path)?;
            Some(Pointed::Other(PropertyTarget::Camera(index, property)))
        }
        "materials" => material(index, path).map(Pointed::Other),
        _ => None,
    }
}

/// The pointer that is meant where an exporter wrote a dot for a slash: Blender's does so in `spot.outerConeAngle`.
pub(super) fn without_dot(pointer: &str) -> Option<String> {
    let (owner, property) = pointer.rsplit_once("/spot.")?;
    owner
        .starts_with(LIGHTS)
        .then(|| format!("{owner}/spot/{property}"))
}

fn node(node: usize, path: &str) -> Option<Pointed> {
    Some(match path {
        "translation" => Pointed::Translation(node),
        "rotation" => Pointed::Rotation(node),
        "scale" => Pointed::Scale(node),
        "weights" => Pointed::Weights(node),
        "extensions/KHR_node_visibility/visible" => Pointed::Visibility(node),
        _ => Pointed::Weight(node, number(path.strip_prefix("weights/")?)?),
    })
}

fn material(material: usize, path: &str) -> Option<PropertyTarget> {
    if let Some(property) = found(MATERIAL, path) {
        return Some(PropertyTarget::Material(material, property));
    }
    let (texture, property) = path.rsplit_once("/extensions/KHR_texture_transform/")?;
    let property = found(TRANSFORM, property)?;
    let (_, slot) = *TEXTURE.iter().find(|(known, _)| *known == texture)?;
    Some(PropertyTarget::TextureTransform(material, slot, property))
}

fn found<T: Copy>(table: &[Line<T>], path: &str) -> Option<T> {
    let line = table.iter().find(|line| line.0 == path)?;
    Some(line.1)
}

/// The index at the front of a path, and what follows it.
fn indexed(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.split_once('/')?;
    Some((number(index)?, rest))
}

/// An index as RFC 6901 §4 writes it: digits, without zeros in front.
fn number(text: &str) -> Option<usize> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let has_zeros = text.len() > 1 && text.starts_with('0');
    (is_plain && !has_zeros)
        .then(|| text.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        CameraProperty as Camera, LightProperty as Light, MaterialProperty as Material,
        TextureSlot as Slot, TransformProperty,
    };

    #[test]
    fn pointers_are_resolved_by_the_object_model() {
        let other = |target| Some(Pointed::Other(target));
        for (pointer, target) in [
            ("/nodes/3/rotation", Some(Pointed::Rotation(3))),
            ("/nodes/0/weights", Some(Pointed::Weights(0))),
            ("/nodes/0/weights/12", Some(Pointed::Weight(0, 12))),
            ("/meshes/2/weights", Some(Pointed::MeshWeights(2))),
            ("/meshes/2/weights/1", Some(Pointed::MeshWeight(2, 1))),
            (
                "/nodes/7/extensions/KHR_node_visibility/visible",
                Some(Pointed::Visibility(7)),
            ),
            (
                "/extensions/KHR_lights_punctual/lights/1/spot/outerConeAngle",
                other(PropertyTarget::Light(1, Light::OuterConeAngle)),
            ),
            (
                "/materials/0/pbrMetallicRoughness/baseColorFactor",
                other(PropertyTarget::Material(0, Material::BaseColor)),
            ),
            (
                "/materials/4/extensions/KHR_materials_sheen/sheenColorTexture/extensions/KHR_texture_transform/offset",
                other(PropertyTarget::TextureTransform(
                    4,
                    Slot::SheenColor,
                    TransformProperty::Offset,
                )),
            ),
            (
                "/materials/2/extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture/extensions/KHR_texture_transform/scale",
                other(PropertyTarget::TextureTransform(
                    2,
                    Slot::Diffuse,
                    TransformProperty::Scale,
                )),
            ),
            (
                "/cameras/1/perspective/yfov",
                other(PropertyTarget::Camera(1, Camera::FovY)),
            ),
            ("/nodes/0/matrix", None),
            ("/nodes/00/rotation", None),
            ("/nodes/-1/rotation", None),
            ("/nodes//rotation", None),
            ("/nodes/1", None),
            ("nodes/1/rotation", None),
            ("/materials/5/normalTexture/offset", None),
            ("/nodes/99999999999999999999999/rotation", None),
            ("", None),
        ] {
            assert_eq!(resolve(pointer), target, "{pointer}");
        }
    }

    #[test]
    fn widths_are_those_of_the_object_model() {
        let width = |pointer: &str| match resolve(pointer) {
            Some(Pointed::Other(target)) => target.width(),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            width("/materials/0/pbrMetallicRoughness/baseColorFactor"),
            4
        );
        assert_eq!(width("/materials/0/emissiveFactor"), 3);
        assert_eq!(width("/materials/0/alphaCutoff"), 1);
        assert_eq!(width("/extensions/KHR_lights_punctual/lights/0/color"), 3);
        let transform = "/materials/0/normalTexture/extensions/KHR_texture_transform";
        assert_eq!(width(&format!("{transform}/offset")), 2);
        assert_eq!(width(&format!("{transform}/rotation")), 1);
    }
}
