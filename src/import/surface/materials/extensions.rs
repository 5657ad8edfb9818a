//! `KHR_materials_*`: what extensions add to a material. Each is a list of properties with their defaults, whose names and
//! ranges are those of the table of properties; what one is read by, and what is said of one that is wrong, is below that.

use std::ops::RangeInclusive;

use glam::{Vec3, Vec4};
use gltf::json::Index;
use serde_json::{Map, Value};

use super::Reader;
use crate::{
    import::{
        base::{diagnostics::Fault, extension, wording::counted},
        json::extensions::ObjectExtensions,
    },
    model::{
        Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Material, MaterialProperty as P,
        NormalTexture, Sheen, Specular, SpecularGlossiness, TextureRef, Transmission, Volume,
        property_names::{MATERIAL, line},
    },
};

const UNIT: RangeInclusive<f32> = 0.0..=1.0;
const AT_LEAST_ONE: RangeInclusive<f32> = 1.0..=f32::MAX;
pub(super) const ANY: RangeInclusive<f32> = f32::MIN..=f32::MAX;

/// Reads what extensions add to `material`; `text` is the material's.
pub(super) fn read(reader: &mut Reader<'_, '_>, text: &str, material: &mut Material) {
    let extensions = ObjectExtensions::of(text);
    let mut layers = Layers { reader, extensions };
    material.unlit = layers.find(extension::KHR_MATERIALS_UNLIT).is_some();
    if let Some(mut layer) = layers.find(extension::KHR_MATERIALS_EMISSIVE_STRENGTH) {
        material.emissive_strength = layer.number(P::EmissiveStrength, 1.0);
    }
    if let Some(mut layer) = layers.find(extension::KHR_MATERIALS_IOR) {
        material.ior = layer.ior("ior", material.ior);
    }
    if let Some(mut layer) = layers.find(extension::KHR_MATERIALS_DISPERSION) {
        material.dispersion = layer.number(P::Dispersion, 0.0);
    }
    material.specular = layers.find(extension::KHR_MATERIALS_SPECULAR).map(specular);
    material.clearcoat = layers
        .find(extension::KHR_MATERIALS_CLEARCOAT)
        .map(clearcoat);
    material.sheen = layers.find(extension::KHR_MATERIALS_SHEEN).map(sheen);
    material.transmission = layers
        .find(extension::KHR_MATERIALS_TRANSMISSION)
        .map(transmission);
    material.volume = layers.find(extension::KHR_MATERIALS_VOLUME).map(volume);
    material.iridescence = layers
        .find(extension::KHR_MATERIALS_IRIDESCENCE)
        .map(iridescence);
    material.anisotropy = layers
        .find(extension::KHR_MATERIALS_ANISOTROPY)
        .map(anisotropy);
    let name = extension::KHR_MATERIALS_DIFFUSE_TRANSMISSION;
    material.diffuse_transmission = layers.find(name).map(diffuse_transmission);
    let name = extension::KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS;
    let surface = layers.find(name).map(specular_glossiness);
    // Unlit surfaces show their base colour (`KHR_materials_unlit`, "Definition").
    material.specular_glossiness = surface.filter(|_| !material.unlit);
}

fn specular(mut layer: Layer<'_, '_, '_>) -> Specular {
    let default = Specular::default();
    Specular {
        factor: layer.number(P::SpecularFactor, default.factor),
        texture: layer.texture("specularTexture"),
        color: layer.color(P::SpecularColor, default.color),
        color_texture: layer.texture("specularColorTexture"),
    }
}

fn clearcoat(mut layer: Layer<'_, '_, '_>) -> Clearcoat {
    Clearcoat {
        factor: layer.number(P::Clearcoat, 0.0),
        texture: layer.texture("clearcoatTexture"),
        roughness: layer.number(P::ClearcoatRoughness, 0.0),
        roughness_texture: layer.texture("clearcoatRoughnessTexture"),
        normal_texture: layer.normal_texture("clearcoatNormalTexture"),
    }
}

fn sheen(mut layer: Layer<'_, '_, '_>) -> Sheen {
    Sheen {
        color: layer.color(P::SheenColor, Vec3::ZERO),
        color_texture: layer.texture("sheenColorTexture"),
        roughness: layer.number(P::SheenRoughness, 0.0),
        roughness_texture: layer.texture("sheenRoughnessTexture"),
    }
}

fn transmission(mut layer: Layer<'_, '_, '_>) -> Transmission {
    Transmission {
        factor: layer.number(P::Transmission, 0.0),
        texture: layer.texture("transmissionTexture"),
    }
}

fn volume(mut layer: Layer<'_, '_, '_>) -> Volume {
    let default = Volume::default();
    let distance = default.attenuation_distance;
    Volume {
        thickness: layer.number(P::Thickness, default.thickness),
        thickness_texture: layer.texture("thicknessTexture"),
        attenuation_distance: layer.number(P::AttenuationDistance, distance),
        attenuation_color: layer.color(P::AttenuationColor, default.attenuation_color),
    }
}

fn iridescence(mut layer: Layer<'_, '_, '_>) -> Iridescence {
    let default = Iridescence::default();
    let (min, max) = (default.thickness_min_nm, default.thickness_max_nm);
    Iridescence {
        factor: layer.number(P::Iridescence, default.factor),
        texture: layer.texture("iridescenceTexture"),
        ior: layer.number(P::IridescenceIor, default.ior),
        thickness_min_nm: layer.number(P::IridescenceThicknessMin, min),
        thickness_max_nm: layer.number(P::IridescenceThicknessMax, max),
        thickness_texture: layer.texture("iridescenceThicknessTexture"),
    }
}

fn anisotropy(mut layer: Layer<'_, '_, '_>) -> Anisotropy {
    Anisotropy {
        strength: layer.number(P::AnisotropyStrength, 0.0),
        rotation_radians: layer.number(P::AnisotropyRotation, 0.0),
        texture: layer.texture("anisotropyTexture"),
    }
}

fn diffuse_transmission(mut layer: Layer<'_, '_, '_>) -> DiffuseTransmission {
    let default = DiffuseTransmission::default();
    DiffuseTransmission {
        factor: layer.number(P::DiffuseTransmission, default.factor),
        texture: layer.texture("diffuseTransmissionTexture"),
        color: layer.color(P::DiffuseTransmissionColor, default.color),
        color_texture: layer.texture("diffuseTransmissionColorTexture"),
    }
}

fn specular_glossiness(mut layer: Layer<'_, '_, '_>) -> SpecularGlossiness {
    let default = SpecularGlossiness::default();
    SpecularGlossiness {
        diffuse: Vec4::from(layer.numbers("diffuseFactor", UNIT, default.diffuse.into())),
        diffuse_texture: layer.texture("diffuseTexture"),
        specular: Vec3::from(layer.numbers("specularFactor", UNIT, default.specular.into())),
        glossiness: layer.number_in("glossinessFactor", UNIT, default.glossiness),
        texture: layer.texture("specularGlossinessTexture"),
    }
}

/// The extensions of a material.
struct Layers<'l, 'r, 's> {
    reader: &'l mut Reader<'r, 's>,
    extensions: ObjectExtensions<'l>,
}

impl<'r, 's> Layers<'_, 'r, 's> {
    /// The extension of this name; none if the material has not got it.
    fn find(&mut self, name: &str) -> Option<Layer<'_, 'r, 's>> {
        let text = self.extensions.text(name)?;
        let place = format!("/extensions/{name}");
        Some(Layer::new(self.reader, text, place))
    }
}

/// One extension of a material, or of a texture in it.
pub(super) struct Layer<'l, 'r, 's> {
    reader: &'l mut Reader<'r, 's>,
    object: Map<String, Value>,
    /// Where it is in the material.
    place: String,
}

impl<'l, 'r, 's> Layer<'l, 'r, 's> {
    /// The extension with this text, at `place` in the material.
    pub(super) fn new(reader: &'l mut Reader<'r, 's>, text: &str, place: String) -> Self {
        let object = match reader.source.document.value(text) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) => Err(Fault::new("TYPE_MISMATCH", "it is not an object")),
            Err(fault) => Err(fault),
        };
        let object = object.unwrap_or_else(|fault| {
            let action = "its defaults are used";
            reader.error(fault.code, &place, &fault.message, action);
            Map::new()
        });
        Self {
            reader,
            object,
            place,
        }
    }

    /// A number of the table of properties.
    fn number(&mut self, property: P, default: f32) -> f32 {
        let (name, allowed) = own_name(property);
        self.number_in(name, allowed, default)
    }

    /// A colour of the same.
    fn color(&mut self, property: P, default: Vec3) -> Vec3 {
        let (name, allowed) = own_name(property);
        Vec3::from(self.numbers(name, allowed, default.into()))
    }

    pub(super) fn number_in(
        &mut self,
        name: &str,
        allowed: RangeInclusive<f32>,
        default: f32,
    ) -> f32 {
        let found = self.object.get(name).map(Value::as_f64);
        match found {
            None => default,
            Some(Some(number)) => {
                let place = self.at(name);
                // What is merely too small for a float is no 0, where that is not allowed.
                let is_tiny = number > 0.0 && number < f64::from(f32::MIN_POSITIVE);
                let single = if is_tiny {
                    (number as f32).max(*allowed.start())
                } else {
                    number as f32
                };
                let [number] = self.reader.limited([single], allowed, [default], &place);
                number
            }
            Some(None) => self.mismatch("TYPE_MISMATCH", name, "it is not a number", default),
        }
    }

    pub(super) fn numbers<const N: usize>(
        &mut self,
        name: &str,
        allowed: RangeInclusive<f32>,
        default: [f32; N],
    ) -> [f32; N] {
        let array = match self.object.get(name) {
            None => return default,
            Some(Value::Array(array)) => array,
            Some(_) => return self.mismatch("TYPE_MISMATCH", name, "it is not an array", default),
        };
        let Ok(array) = <&[Value; N]>::try_from(array.as_slice()) else {
            let count = counted(array.len(), "number", "numbers");
            let message = format!("it has {count}, not {N}");
            return self.mismatch("ARRAY_LENGTH_NOT_IN_LIST", name, &message, default);
        };
        if !array.iter().all(Value::is_number) {
            let message = "not all of it are numbers";
            return self.mismatch("ARRAY_TYPE_MISMATCH", name, message, default);
        }
        let numbers = array.each_ref().map(Value::as_f64);
        let numbers = numbers.map(|number| number.map_or(f32::NAN, |number| number as f32));
        let place = self.at(name);
        self.reader.limited(numbers, allowed, default, &place)
    }

    /// An index of refraction: 0 stands for one without end, and between 0 and 1 there is nothing.
    fn ior(&mut self, name: &str, default: f32) -> f32 {
        match self.object.get(name).and_then(Value::as_f64) {
            Some(0.0) => 0.0,
            _ => self.number_in(name, AT_LEAST_ONE, default),
        }
    }

    fn texture(&mut self, name: &str) -> Option<TextureRef> {
        let info = self.object.get(name)?.as_object();
        let index = info.and_then(|info| info.get("index"));
        let Some(index) = index.and_then(Value::as_f64).and_then(whole) else {
            match index {
                Some(Value::Number(number)) => {
                    let message = format!("{number} is no index");
                    let place = format!("{name}/index");
                    self.mismatch("INVALID_INDEX", &place, &message, ());
                }
                None if info.is_some() => {
                    self.mismatch("UNDEFINED_PROPERTY", name, "it has no index", ());
                }
                _ => self.mismatch("TYPE_MISMATCH", name, "it names no texture", ()),
            }
            return None;
        };
        let tex_coord = info.and_then(|info| info.get("texCoord")?.as_f64());
        let tex_coord = tex_coord.and_then(whole).unwrap_or(0);
        let place = self.at(name);
        self.reader.texture(Index::new(index), tex_coord, &place)
    }

    /// A whole number that is not negative, unless it is absent.
    pub(super) fn integer(&mut self, name: &str) -> Option<u32> {
        let number = self.object.get(name)?.as_f64();
        match number.filter(|number| number.fract() == 0.0) {
            Some(number) => {
                let integer = whole(number);
                if integer.is_none() {
                    let message = format!("{number} is not in 0..={}", u32::MAX);
                    self.mismatch("VALUE_NOT_IN_RANGE", name, &message, ());
                }
                integer
            }
            None => self.mismatch("TYPE_MISMATCH", name, "it is not a whole number", None),
        }
    }

    fn normal_texture(&mut self, name: &str) -> Option<NormalTexture> {
        let texture = self.texture(name)?;
        let scale = self.object.get(name)?.get("scale").and_then(Value::as_f64);
        let scale = scale.map_or(1.0, |scale| scale as f32);
        let scale = if scale.is_finite() { scale } else { 1.0 };
        Some(NormalTexture { texture, scale })
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.place)
    }

    fn mismatch<T>(&mut self, code: &'static str, name: &str, message: &str, default: T) -> T {
        let place = self.at(name);
        let action = "it counts as absent";
        self.reader.error(code, &place, message, action);
        default
    }
}

/// What a property is called in its extension, and where its numbers lie.
fn own_name(property: P) -> (&'static str, RangeInclusive<f32>) {
    line(MATERIAL, property).map_or(("", ANY), |(pointer, _, range)| {
        let (_, name) = pointer.rsplit_once('/').unwrap_or(("", pointer));
        (name, range.clone())
    })
}

/// The whole number that this is; `1.0` is one (glTF 2.0 §2.7).
fn whole(number: f64) -> Option<u32> {
    let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    is_whole.then_some(number as u32)
}
