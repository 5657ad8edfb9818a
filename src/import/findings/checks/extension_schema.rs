//! What the objects of extensions may hold, and in which places each extension may stand.

use super::schema::{
    ANY, NORMAL_TEXTURE, NOT_NEGATIVE, Object, POSITIVE, Place, Range, Rule, TEXTURE_INFO, UNIT,
    object,
};

/// What is known of an extension at a place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Known {
    /// It may stand here and looks like this.
    Here(&'static Object),
    /// It may not stand here.
    Elsewhere,
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
    here.map_or(Known::Elsewhere, |(_, _, object)| Known::Here(object))
}

/// Name, places, and what the object holds.
type Extension = (&'static str, &'static [Place], &'static Object);

const MATERIAL: &[Place] = &[Place::Material];
const TEXTURE: &[Place] = &[Place::Texture];

static EXTENSIONS: &[Extension] = &[
    ("KHR_lights_punctual", &[Place::Root], &LIGHTS),
    ("KHR_lights_punctual", &[Place::Node], &NODE_LIGHT),
    ("KHR_materials_variants", &[Place::Root], &VARIANTS),
    ("KHR_materials_variants", &[Place::Primitive], &MAPPINGS),
    (
        "KHR_animation_pointer",
        &[Place::ChannelTarget],
        &ANIMATION_POINTER,
    ),
    // It has no object of its own at all.
    ("KHR_mesh_quantization", &[], &VISIBILITY),
    ("KHR_node_visibility", &[Place::Node], &VISIBILITY),
    (
        "KHR_texture_transform",
        &[Place::TextureInfo],
        &TEXTURE_TRANSFORM,
    ),
    ("EXT_texture_webp", TEXTURE, &TEXTURE_SOURCE),
    ("KHR_texture_basisu", TEXTURE, &TEXTURE_SOURCE),
    ("KHR_materials_anisotropy", MATERIAL, &ANISOTROPY),
    ("KHR_materials_clearcoat", MATERIAL, &CLEARCOAT),
    (
        "KHR_materials_diffuse_transmission",
        MATERIAL,
        &DIFFUSE_TRANSMISSION,
    ),
    ("KHR_materials_dispersion", MATERIAL, &DISPERSION),
    (
        "KHR_materials_emissive_strength",
        MATERIAL,
        &EMISSIVE_STRENGTH,
    ),
    ("KHR_materials_ior", MATERIAL, &IOR),
    ("KHR_materials_iridescence", MATERIAL, &IRIDESCENCE),
    (
        "KHR_materials_pbrSpecularGlossiness",
        MATERIAL,
        &SPECULAR_GLOSSINESS,
    ),
    ("KHR_materials_sheen", MATERIAL, &SHEEN),
    ("KHR_materials_specular", MATERIAL, &SPECULAR),
    ("KHR_materials_transmission", MATERIAL, &TRANSMISSION),
    ("KHR_materials_unlit", MATERIAL, &NOTHING),
    ("KHR_materials_volume", MATERIAL, &VOLUME),
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
object!(
    TEXTURE_TRANSFORM,
    Other,
    [],
    [
        ("offset", Rule::Numbers(&[2], ANY)),
        ("rotation", Rule::Number(ANY)),
        ("scale", Rule::Numbers(&[2], ANY)),
        ("texCoord", Rule::Index),
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
