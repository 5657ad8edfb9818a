//! Properties that a clip may move, with values for a clip and where they are found in a model.

use rigscope::model::{AlphaMode, LightKind, Material, Projection, PropertyValues, TextureRef};

/// A channel: its pointer, the type of its output, and the values at 0 s and at 1 s.
pub(crate) type Channel<'a> = (&'a str, &'a str, &'a [f32]);

fn perspective(values: &PropertyValues) -> [f32; 4] {
    match values.cameras[0].projection {
        Projection::Perspective {
            fov_y_radians,
            aspect,
            near,
            far,
        } => [aspect.unwrap(), fov_y_radians, near, far.unwrap()],
        Projection::Orthographic { .. } => panic!(),
    }
}

fn orthographic(values: &PropertyValues) -> [f32; 4] {
    match values.cameras[1].projection {
        Projection::Orthographic {
            half_width,
            half_height,
            near,
            far,
        } => [half_width, half_height, near, far],
        Projection::Perspective { .. } => panic!(),
    }
}

pub(crate) fn cones(values: &PropertyValues) -> [f32; 2] {
    match values.lights[1].kind {
        LightKind::Spot {
            inner_radians,
            outer_radians,
        } => [inner_radians, outer_radians],
        _ => panic!(),
    }
}

pub(crate) type Reading = fn(&PropertyValues) -> Vec<f32>;

fn of(values: &PropertyValues) -> &Material {
    &values.materials[0]
}

/// Factors, and where they are found.
#[rustfmt::skip] // A table is read by lines.
pub(crate) const FACTORS: &[(Channel<'static>, Reading)] = &[
    (("alphaCutoff", "SCALAR", &[0.25, 0.75]), |v| match of(v).alpha_mode { AlphaMode::Mask { cutoff } => vec![cutoff], _ => panic!() }),
    (("emissiveFactor", "VEC3", &[0.0, 0.25, 0.5, 1.0, 0.75, 0.0]), |v| of(v).emissive.to_array().to_vec()),
    (("normalTexture/scale", "SCALAR", &[-1.0, 3.0]), |v| vec![of(v).normal_texture.unwrap().scale]),
    (("occlusionTexture/strength", "SCALAR", &[0.0, 1.0]), |v| vec![of(v).occlusion_texture.unwrap().strength]),
    (("pbrMetallicRoughness/baseColorFactor", "VEC4", &[0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0]), |v| of(v).base_color.to_array().to_vec()),
    (("pbrMetallicRoughness/metallicFactor", "SCALAR", &[0.0, 0.5]), |v| vec![of(v).metallic]),
    (("pbrMetallicRoughness/roughnessFactor", "SCALAR", &[1.0, 0.5]), |v| vec![of(v).roughness]),
    (("extensions/KHR_materials_anisotropy/anisotropyStrength", "SCALAR", &[0.0, 1.0]), |v| vec![of(v).anisotropy.unwrap().strength]),
    (("extensions/KHR_materials_anisotropy/anisotropyRotation", "SCALAR", &[-4.0, 4.0]), |v| vec![of(v).anisotropy.unwrap().rotation_radians]),
    (("extensions/KHR_materials_clearcoat/clearcoatFactor", "SCALAR", &[0.0, 1.0]), |v| vec![of(v).clearcoat.unwrap().factor]),
    (("extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor", "SCALAR", &[0.5, 1.0]), |v| vec![of(v).clearcoat.unwrap().roughness]),
    (("extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale", "SCALAR", &[0.0, 2.0]), |v| vec![of(v).clearcoat.unwrap().normal_texture.unwrap().scale]),
    (("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor", "SCALAR", &[0.5, 1.0]), |v| vec![of(v).diffuse_transmission.unwrap().factor]),
    (("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor", "VEC3", &[0.0, 0.0, 0.0, 1.0, 0.5, 0.25]), |v| of(v).diffuse_transmission.unwrap().color.to_array().to_vec()),
    (("extensions/KHR_materials_dispersion/dispersion", "SCALAR", &[0.0, 4.0]), |v| vec![of(v).dispersion]),
    (("extensions/KHR_materials_emissive_strength/emissiveStrength", "SCALAR", &[1.0, 9.0]), |v| vec![of(v).emissive_strength]),
    (("extensions/KHR_materials_ior/ior", "SCALAR", &[1.0, 2.0]), |v| vec![of(v).ior]),
    (("extensions/KHR_materials_iridescence/iridescenceFactor", "SCALAR", &[0.0, 1.0]), |v| vec![of(v).iridescence.unwrap().factor]),
    (("extensions/KHR_materials_iridescence/iridescenceIor", "SCALAR", &[1.0, 3.0]), |v| vec![of(v).iridescence.unwrap().ior]),
    (("extensions/KHR_materials_iridescence/iridescenceThicknessMinimum", "SCALAR", &[0.0, 400.0]), |v| vec![of(v).iridescence.unwrap().thickness_min_nm]),
    (("extensions/KHR_materials_iridescence/iridescenceThicknessMaximum", "SCALAR", &[400.0, 0.0]), |v| vec![of(v).iridescence.unwrap().thickness_max_nm]),
    (("extensions/KHR_materials_sheen/sheenColorFactor", "VEC3", &[0.0, 0.5, 1.0, 1.0, 0.5, 0.0]), |v| of(v).sheen.unwrap().color.to_array().to_vec()),
    (("extensions/KHR_materials_sheen/sheenRoughnessFactor", "SCALAR", &[0.0, 1.0]), |v| vec![of(v).sheen.unwrap().roughness]),
    (("extensions/KHR_materials_specular/specularFactor", "SCALAR", &[1.0, 0.0]), |v| vec![of(v).specular.unwrap().factor]),
    (("extensions/KHR_materials_specular/specularColorFactor", "VEC3", &[0.0, 1.0, 2.0, 2.0, 1.0, 0.0]), |v| of(v).specular.unwrap().color.to_array().to_vec()),
    (("extensions/KHR_materials_transmission/transmissionFactor", "SCALAR", &[0.0, 1.0]), |v| vec![of(v).transmission.unwrap().factor]),
    (("extensions/KHR_materials_volume/thicknessFactor", "SCALAR", &[0.0, 8.0]), |v| vec![of(v).volume.unwrap().thickness]),
    (("extensions/KHR_materials_volume/attenuationDistance", "SCALAR", &[1.0, 2.0]), |v| vec![of(v).volume.unwrap().attenuation_distance]),
    (("extensions/KHR_materials_volume/attenuationColor", "VEC3", &[1.0, 0.5, 0.0, 0.0, 0.5, 1.0]), |v| of(v).volume.unwrap().attenuation_color.to_array().to_vec()),
];

/// Where a texture is found.
type TextureReading = fn(&Material) -> Option<TextureRef>;

/// Textures, and where they are found.
#[rustfmt::skip] // A table is read by lines.
pub(crate) const TEXTURES: &[(&str, TextureReading)] = &[
    ("normalTexture", |m| Some(m.normal_texture?.texture)),
    ("occlusionTexture", |m| Some(m.occlusion_texture?.texture)),
    ("emissiveTexture", |m| m.emissive_texture),
    ("pbrMetallicRoughness/baseColorTexture", |m| m.base_color_texture),
    ("pbrMetallicRoughness/metallicRoughnessTexture", |m| m.metallic_roughness_texture),
    ("extensions/KHR_materials_anisotropy/anisotropyTexture", |m| m.anisotropy?.texture),
    ("extensions/KHR_materials_clearcoat/clearcoatTexture", |m| m.clearcoat?.texture),
    ("extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture", |m| m.clearcoat?.roughness_texture),
    ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture", |m| Some(m.clearcoat?.normal_texture?.texture)),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture", |m| m.diffuse_transmission?.texture),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture", |m| m.diffuse_transmission?.color_texture),
    ("extensions/KHR_materials_iridescence/iridescenceTexture", |m| m.iridescence?.texture),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessTexture", |m| m.iridescence?.thickness_texture),
    ("extensions/KHR_materials_sheen/sheenColorTexture", |m| m.sheen?.color_texture),
    ("extensions/KHR_materials_sheen/sheenRoughnessTexture", |m| m.sheen?.roughness_texture),
    ("extensions/KHR_materials_specular/specularTexture", |m| m.specular?.texture),
    ("extensions/KHR_materials_specular/specularColorTexture", |m| m.specular?.color_texture),
    ("extensions/KHR_materials_transmission/transmissionTexture", |m| m.transmission?.texture),
    ("extensions/KHR_materials_volume/thicknessTexture", |m| m.volume?.thickness_texture),
];

/// Lights and cameras, and where they are found.
#[rustfmt::skip] // A table is read by lines.
pub(crate) const OTHERS: &[(Channel<'static>, Reading)] = &[
    (("/extensions/KHR_lights_punctual/lights/0/color", "VEC3", &[0.0, 0.5, 1.0, 1.0, 0.5, 0.0]), |v| v.lights[0].color.to_array().to_vec()),
    (("/extensions/KHR_lights_punctual/lights/0/intensity", "SCALAR", &[0.0, 100.0]), |v| vec![v.lights[0].intensity]),
    (("/extensions/KHR_lights_punctual/lights/0/range", "SCALAR", &[4.0, 8.0]), |v| vec![v.lights[0].range.unwrap()]),
    (("/extensions/KHR_lights_punctual/lights/1/spot/innerConeAngle", "SCALAR", &[0.0, 0.5]), |v| vec![cones(v)[0]]),
    (("/extensions/KHR_lights_punctual/lights/1/spot/outerConeAngle", "SCALAR", &[0.5, 1.0]), |v| vec![cones(v)[1]]),
    (("/cameras/0/perspective/aspectRatio", "SCALAR", &[1.0, 2.0]), |v| vec![perspective(v)[0]]),
    (("/cameras/0/perspective/yfov", "SCALAR", &[0.5, 0.75]), |v| vec![perspective(v)[1]]),
    (("/cameras/0/perspective/znear", "SCALAR", &[1.0, 2.0]), |v| vec![perspective(v)[2]]),
    (("/cameras/0/perspective/zfar", "SCALAR", &[10.0, 20.0]), |v| vec![perspective(v)[3]]),
    (("/cameras/1/orthographic/xmag", "SCALAR", &[1.0, 3.0]), |v| vec![orthographic(v)[0]]),
    (("/cameras/1/orthographic/ymag", "SCALAR", &[1.0, 2.0]), |v| vec![orthographic(v)[1]]),
    (("/cameras/1/orthographic/znear", "SCALAR", &[0.0, 4.0]), |v| vec![orthographic(v)[2]]),
    (("/cameras/1/orthographic/zfar", "SCALAR", &[10.0, 20.0]), |v| vec![orthographic(v)[3]]),
];
