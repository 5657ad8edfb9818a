//! What the objects of extensions may hold, and in which places each extension may stand.

use super::schema::{
    ANY, ANY_SIZE, NORMAL_TEXTURE, NOT_EMPTY, NOT_NEGATIVE, Object, POSITIVE, Place, Range, Rule,
    TEXTURE_INFO, UNIT, object,
};
use crate::import::base::{diagnostics::Severity, extension};

/// What is known of an extension at a place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Known {
    /// It may stand here and looks like this.
    Here(&'static Object),
    /// It may not stand here, and how bad that is.
    Elsewhere(Severity),
    /// Nothing is known of it.
    No,
}

/// What is known of the extension `name` in an object of this place.
pub(super) fn known(name: &str, place: Place) -> Known {
    let mut extensions = EXTENSIONS.iter().filter(|(known, _, _)| *known == name);
    if extensions.clone().next().is_none() {
        return Known::No;
    }
    let here = extensions.find(|(_, places, _)| places.contains(&place));
    here.map_or(Known::Elsewhere(severity_elsewhere(name)), |it| {
        Known::Here(it.2)
    })
}

/// How bad it is that an extension stands where it does not belong: nobody else says so of those that the validator does not
/// know.
fn severity_elsewhere(name: &str) -> Severity {
    match name {
        extension::EXT_MESH_GPU_INSTANCING
        | extension::EXT_MESHOPT_COMPRESSION
        | extension::KHR_DRACO_MESH_COMPRESSION
        | extension::KHR_MESHOPT_COMPRESSION
        | extension::KHR_NODE_VISIBILITY
        | extension::KHR_TEXTURE_BASISU
        | extension::KHR_XMP_JSON_LD => Severity::Warning,
        _ => Severity::Error,
    }
}

/// Extensions that describe a whole material by themselves: beside them others may mean nothing.
pub(super) const STANDING_ALONE: &[&str] = &[
    extension::KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS,
    extension::KHR_MATERIALS_UNLIT,
];

/// Name, places, and what the object holds.
type Extension = (&'static str, &'static [Place], &'static Object);

const MATERIAL: &[Place] = &[Place::Material];
const TEXTURE: &[Place] = &[Place::Texture];
const BUFFER: &[Place] = &[Place::Buffer];
const VIEW: &[Place] = &[Place::BufferView];
/// What packets of XMP may be about.
const NOTED: &[Place] = &[
    Place::Asset,
    Place::Scene,
    Place::Node,
    Place::Mesh,
    Place::Material,
    Place::Image,
    Place::Animation,
];

static EXTENSIONS: &[Extension] = &[
    (extension::KHR_LIGHTS_PUNCTUAL, &[Place::Root], &LIGHTS),
    (extension::KHR_LIGHTS_PUNCTUAL, &[Place::Node], &NODE_LIGHT),
    (extension::KHR_MATERIALS_VARIANTS, &[Place::Root], &VARIANTS),
    (
        extension::KHR_MATERIALS_VARIANTS,
        &[Place::Primitive],
        &MAPPINGS,
    ),
    (
        extension::KHR_ANIMATION_POINTER,
        &[Place::ChannelTarget],
        &ANIMATION_POINTER,
    ),
    (
        extension::EXT_MESH_GPU_INSTANCING,
        &[Place::Node],
        &INSTANCES,
    ),
    (extension::EXT_MESHOPT_COMPRESSION, VIEW, &EXT_MESHOPT_VIEW),
    (extension::EXT_MESHOPT_COMPRESSION, BUFFER, &MESHOPT_BUFFER),
    (extension::KHR_MESHOPT_COMPRESSION, VIEW, &KHR_MESHOPT_VIEW),
    (extension::KHR_MESHOPT_COMPRESSION, BUFFER, &MESHOPT_BUFFER),
    (
        extension::KHR_DRACO_MESH_COMPRESSION,
        &[Place::Primitive],
        &DRACO,
    ),
    (extension::KHR_XMP_JSON_LD, &[Place::Root], &XMP),
    (extension::KHR_XMP_JSON_LD, NOTED, &XMP_NOTE),
    // It has no object of its own at all.
    (extension::KHR_MESH_QUANTIZATION, &[], &NOTHING),
    (extension::KHR_NODE_VISIBILITY, &[Place::Node], &VISIBILITY),
    (
        extension::KHR_TEXTURE_TRANSFORM,
        &[Place::TextureInfo],
        &TEXTURE_TRANSFORM,
    ),
    (extension::EXT_TEXTURE_WEBP, TEXTURE, &TEXTURE_SOURCE),
    (extension::KHR_TEXTURE_BASISU, TEXTURE, &TEXTURE_SOURCE),
    (extension::KHR_MATERIALS_ANISOTROPY, MATERIAL, &ANISOTROPY),
    (extension::KHR_MATERIALS_CLEARCOAT, MATERIAL, &CLEARCOAT),
    (
        extension::KHR_MATERIALS_DIFFUSE_TRANSMISSION,
        MATERIAL,
        &DIFFUSE_TRANSMISSION,
    ),
    (extension::KHR_MATERIALS_DISPERSION, MATERIAL, &DISPERSION),
    (
        extension::KHR_MATERIALS_EMISSIVE_STRENGTH,
        MATERIAL,
        &EMISSIVE_STRENGTH,
    ),
    (extension::KHR_MATERIALS_IOR, MATERIAL, &IOR),
    (extension::KHR_MATERIALS_IRIDESCENCE, MATERIAL, &IRIDESCENCE),
    (
        extension::KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS,
        MATERIAL,
        &SPECULAR_GLOSSINESS,
    ),
    (extension::KHR_MATERIALS_SHEEN, MATERIAL, &SHEEN),
    (extension::KHR_MATERIALS_SPECULAR, MATERIAL, &SPECULAR),
    (
        extension::KHR_MATERIALS_TRANSMISSION,
        MATERIAL,
        &TRANSMISSION,
    ),
    (extension::KHR_MATERIALS_UNLIT, MATERIAL, &NOTHING),
    (extension::KHR_MATERIALS_VOLUME, MATERIAL, &VOLUME),
];

object!(NOTHING, Other, [], []);
object!(
    LIGHTS,
    Other,
    ["lights"],
    [("lights", Rule::Objects(&LIGHT))]
);
object!(
    LIGHT,
    Other,
    ["type"],
    [
        ("name", Rule::Text),
        ("color", Rule::Numbers(&[3], UNIT)),
        ("intensity", Rule::Number(NOT_NEGATIVE)),
        ("range", Rule::Number(POSITIVE)),
        // What `spot` holds matters in lights of that type alone, and is compared where that is known.
        ("type", Rule::Choice(&["directional", "point", "spot"])),
        ("spot", Rule::Any),
    ]
);
object!(
    SPOT,
    Other,
    [],
    [
        (
            "innerConeAngle",
            Rule::Number(Range {
                least: 0.0,
                most: std::f64::consts::FRAC_PI_2,
                is_open: false
            })
        ),
        (
            "outerConeAngle",
            Rule::Number(Range {
                least: 0.0,
                most: std::f64::consts::FRAC_PI_2,
                is_open: true
            })
        ),
    ]
);
object!(NODE_LIGHT, Other, ["light"], [("light", Rule::Index)]);
object!(
    VARIANTS,
    Other,
    ["variants"],
    [("variants", Rule::Objects(&VARIANT))]
);
object!(VARIANT, Other, ["name"], [("name", Rule::Text)]);
object!(
    MAPPINGS,
    Other,
    ["mappings"],
    [("mappings", Rule::Objects(&MAPPING))]
);
object!(
    MAPPING,
    Other,
    ["variants", "material"],
    [
        ("variants", Rule::Indices),
        ("material", Rule::Index),
        ("name", Rule::Text),
    ]
);
object!(
    ANIMATION_POINTER,
    Other,
    ["pointer"],
    [("pointer", Rule::Text)]
);
object!(VISIBILITY, Other, [], [("visible", Rule::Flag)]);
object!(INSTANCES, Other, [], [("attributes", Rule::IndexMap)]);
object!(
    DRACO,
    Other,
    ["bufferView", "attributes"],
    [("bufferView", Rule::Index), ("attributes", Rule::IndexMap)]
);
object!(MESHOPT_BUFFER, Other, [], [("fallback", Rule::Flag)]);
// Which strides and counts go with which mode and filter is known where views are decoded.
macro_rules! meshopt_view {
    ($name:ident, [$($filter:literal),*]) => {
        object!(
            $name,
            Other,
            ["buffer", "byteLength", "byteStride", "count", "mode"],
            [
                ("buffer", Rule::Index),
                ("byteOffset", ANY_SIZE),
                ("byteLength", NOT_EMPTY),
                ("byteStride", NOT_EMPTY),
                ("count", NOT_EMPTY),
                ("mode", Rule::Choice(&["ATTRIBUTES", "TRIANGLES", "INDICES"])),
                ("filter", Rule::Choice(&[$($filter),*])),
            ]
        );
    };
}
meshopt_view!(
    EXT_MESHOPT_VIEW,
    ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"]
);
meshopt_view!(
    KHR_MESHOPT_VIEW,
    ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"]
);
object!(
    XMP,
    Other,
    ["packets"],
    [("packets", Rule::Objects(&XMP_PACKET))]
);
object!(open XMP_PACKET, ["@context"]);
object!(XMP_NOTE, Other, ["packet"], [("packet", Rule::Index)]);
object!(
    TEXTURE_TRANSFORM,
    Other,
    [],
    [
        ("offset", Rule::Numbers(&[2], ANY)),
        ("rotation", Rule::Number(ANY)),
        ("scale", Rule::Numbers(&[2], ANY)),
        ("texCoord", ANY_SIZE),
    ]
);
object!(TEXTURE_SOURCE, Other, [], [("source", Rule::Index)]);
object!(
    ANISOTROPY,
    Other,
    [],
    [
        ("anisotropyStrength", Rule::Number(UNIT)),
        ("anisotropyRotation", Rule::Number(ANY)),
        ("anisotropyTexture", Rule::Object(&TEXTURE_INFO)),
    ]
);
object!(
    CLEARCOAT,
    Other,
    [],
    [
        ("clearcoatFactor", Rule::Number(UNIT)),
        ("clearcoatTexture", Rule::Object(&TEXTURE_INFO)),
        ("clearcoatRoughnessFactor", Rule::Number(UNIT)),
        ("clearcoatRoughnessTexture", Rule::Object(&TEXTURE_INFO)),
        ("clearcoatNormalTexture", Rule::Object(&NORMAL_TEXTURE)),
    ]
);
object!(
    DIFFUSE_TRANSMISSION,
    Other,
    [],
    [
        ("diffuseTransmissionFactor", Rule::Number(UNIT)),
        ("diffuseTransmissionTexture", Rule::Object(&TEXTURE_INFO)),
        ("diffuseTransmissionColorFactor", Rule::Numbers(&[3], UNIT)),
        (
            "diffuseTransmissionColorTexture",
            Rule::Object(&TEXTURE_INFO)
        ),
    ]
);
object!(
    DISPERSION,
    Other,
    [],
    [("dispersion", Rule::Number(NOT_NEGATIVE))]
);
object!(
    EMISSIVE_STRENGTH,
    Other,
    [],
    [("emissiveStrength", Rule::Number(NOT_NEGATIVE))]
);
// 0 stands for a material without refraction; between 0 and 1 there is nothing, which `materials` checks.
object!(IOR, Other, [], [("ior", Rule::Number(NOT_NEGATIVE))]);
object!(
    IRIDESCENCE,
    Other,
    [],
    [
        ("iridescenceFactor", Rule::Number(UNIT)),
        ("iridescenceTexture", Rule::Object(&TEXTURE_INFO)),
        ("iridescenceIor", Rule::Number(Range { least: 1.0, ..ANY })),
        ("iridescenceThicknessMinimum", Rule::Number(NOT_NEGATIVE)),
        ("iridescenceThicknessMaximum", Rule::Number(NOT_NEGATIVE)),
        ("iridescenceThicknessTexture", Rule::Object(&TEXTURE_INFO)),
    ]
);
object!(
    SPECULAR_GLOSSINESS,
    Other,
    [],
    [
        ("diffuseFactor", Rule::Numbers(&[4], UNIT)),
        ("diffuseTexture", Rule::Object(&TEXTURE_INFO)),
        ("specularFactor", Rule::Numbers(&[3], UNIT)),
        ("glossinessFactor", Rule::Number(UNIT)),
        ("specularGlossinessTexture", Rule::Object(&TEXTURE_INFO)),
    ]
);
object!(
    SHEEN,
    Other,
    [],
    [
        ("sheenColorFactor", Rule::Numbers(&[3], UNIT)),
        ("sheenColorTexture", Rule::Object(&TEXTURE_INFO)),
        ("sheenRoughnessFactor", Rule::Number(UNIT)),
        ("sheenRoughnessTexture", Rule::Object(&TEXTURE_INFO)),
    ]
);
object!(
    SPECULAR,
    Other,
    [],
    [
        ("specularFactor", Rule::Number(UNIT)),
        ("specularTexture", Rule::Object(&TEXTURE_INFO)),
        ("specularColorFactor", Rule::Numbers(&[3], NOT_NEGATIVE)),
        ("specularColorTexture", Rule::Object(&TEXTURE_INFO)),
    ]
);
object!(
    TRANSMISSION,
    Other,
    [],
    [
        ("transmissionFactor", Rule::Number(UNIT)),
        ("transmissionTexture", Rule::Object(&TEXTURE_INFO)),
    ]
);
object!(
    VOLUME,
    Other,
    [],
    [
        ("thicknessFactor", Rule::Number(NOT_NEGATIVE)),
        ("thicknessTexture", Rule::Object(&TEXTURE_INFO)),
        ("attenuationDistance", Rule::Number(POSITIVE)),
        ("attenuationColor", Rule::Numbers(&[3], UNIT)),
    ]
);
