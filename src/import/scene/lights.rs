//! `KHR_lights_punctual`: the lights of a file, and the nodes that place them.
//!
//! Numbers out of range are brought back into it here, and named by the checks that follow.

use std::f32::consts::FRAC_PI_4;

use glam::Vec3;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    import::{
        arrays::source::Source,
        base::{diagnostics::Diagnostics, extension},
        json::{document::Document, extensions::ObjectExtensions},
    },
    model::{Light, LightKind},
};

const NAME: &str = extension::KHR_LIGHTS_PUNCTUAL;
/// Far more than any scene has.
const MAX_LIGHTS: usize = 65_536;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileLights {
    lights: Vec<Box<RawValue>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileLight {
    name: Option<String>,
    color: Option<[f32; 3]>,
    intensity: Option<f32>,
    range: Option<f64>,
    /// Read in lights of that type alone.
    spot: Option<Box<RawValue>>,
    r#type: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FileSpot {
    inner_cone_angle: Option<f32>,
    outer_cone_angle: Option<f32>,
}

#[derive(Debug, Deserialize)]
struct FileNodeLight {
    light: usize,
}

/// Reads all lights; one of an unknown kind is there, but gives no light.
pub(in crate::import) fn read(
    document: &Document<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Light> {
    let Some(text) = ObjectExtensions::of_file(document).text(NAME) else {
        return Vec::new();
    };
    let pointer = format_args!("/extensions/{NAME}");
    let action = "there are no lights";
    let list: FileLights = document
        .read(text, pointer, action, diagnostics)
        .unwrap_or_default();
    if list.lights.len() > MAX_LIGHTS {
        let pointer = format_args!("{pointer}/lights");
        let message = format!("there are {} lights", list.lights.len());
        let action = format!("only the first {MAX_LIGHTS} are read");
        diagnostics.error("TOO_MANY_OBJECTS", pointer, message, action);
    }
    let mut lights = Vec::new();
    for (index, text) in list.lights.iter().enumerate().take(MAX_LIGHTS) {
        let pointer = format_args!("{pointer}/lights/{index}");
        let action = "it gives no light";
        let object = document.read(text.get(), pointer, action, diagnostics);
        let object: FileLight = object.unwrap_or_default();
        let spot = object.spot.as_ref();
        let spot = spot.filter(|_| object.r#type.as_deref() == Some("spot"));
        let spot = spot.and_then(|text| {
            let (pointer, action) = (format_args!("{pointer}/spot"), "its cone is the usual one");
            document.read(text.get(), pointer, action, diagnostics)
        });
        lights.push(light(object, &spot.unwrap_or_default()));
    }
    lights
}

fn light(object: FileLight, spot: &FileSpot) -> Light {
    let FileLight {
        name,
        color,
        intensity,
        range,
        r#type,
        ..
    } = object;
    let kind = match r#type.as_deref() {
        Some("directional") => Some(LightKind::Directional),
        Some("point") => Some(LightKind::Point),
        Some("spot") => Some(cone(spot)),
        _ => None,
    };
    let usual_intensity = if kind.is_some() { 1.0 } else { 0.0 };
    let intensity = match (kind, intensity) {
        (Some(_), Some(intensity)) => intensity.clamp(0.0, f32::MAX),
        _ => usual_intensity,
    };
    let kind = kind.unwrap_or(LightKind::Point);
    let color = color.map_or(Vec3::ONE, Vec3::from_array);
    Light {
        name: name.unwrap_or_default(),
        color: if color.is_finite() {
            color.clamp(Vec3::ZERO, Vec3::ONE)
        } else {
            Vec3::ONE
        },
        intensity,
        range: range
            .filter(|range| *range > 0.0)
            // None is so small that single precision may take it for none at all.
            .map(|range| (range as f32).max(f32::MIN_POSITIVE))
            .filter(|range| range.is_finite() && kind != LightKind::Directional),
        kind,
    }
}

fn cone(spot: &FileSpot) -> LightKind {
    let angle =
        |angle: Option<f32>, usual: f32| angle.filter(|angle| angle.is_finite()).unwrap_or(usual);
    LightKind::spot(
        angle(spot.inner_cone_angle, 0.0),
        angle(spot.outer_cone_angle, FRAC_PI_4),
    )
}

/// The light that a node places. A reference that leads nowhere is named by the checks.
pub(super) fn of_node(
    source: &Source<'_>,
    node: usize,
    extensions: &ObjectExtensions<'_>,
    count: usize,
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let text = extensions.text(NAME)?;
    let pointer = format_args!("/nodes/{node}/extensions/{NAME}");
    let action = "the node has no light";
    let object: FileNodeLight = source.document.read(text, pointer, action, diagnostics)?;
    Some(object.light).filter(|&light| light < count)
}
