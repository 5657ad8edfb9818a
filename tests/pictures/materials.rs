//! What extensions do to the colours of a material.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::render::Gpu;
use serde_json::{Value, json};

use super::quad::{middle, quad};
use crate::common::gpu;

/// The colour of a lit quad with this material, and one texel of sRGB (0.5, 0.25, 1.0) and alpha 0.5 as texture 0.
fn lit(gpu: &Gpu, material: &Value) -> [u8; 4] {
    let mut texel = std::io::Cursor::new(Vec::new());
    let image = image::RgbaImage::from_pixel(1, 1, image::Rgba([188, 137, 255, 128]));
    image.write_to(&mut texel, image::ImageFormat::Png).unwrap();
    let texel = STANDARD.encode(texel.into_inner());
    let mut quad = quad(&[
        ("materials", json!([material])),
        (
            "images",
            json!([{ "uri": format!("data:image/png;base64,{texel}") }]),
        ),
        ("textures", json!([{ "source": 0 }])),
        (
            "extensionsUsed",
            json!([
                "KHR_materials_emissive_strength",
                "KHR_materials_pbrSpecularGlossiness"
            ]),
        ),
    ]);
    middle(gpu, &mut quad, "none")
}

fn specular_glossiness(properties: &Value) -> Value {
    json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": properties } })
}

fn metallic_roughness(color: [f64; 3], metallic: f64, roughness: f64) -> Value {
    let [red, green, blue] = color;
    json!({ "pbrMetallicRoughness": {
        "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": metallic, "roughnessFactor": roughness
    }})
}

#[track_caller]
fn assert_near(found: [u8; 4], expected: [u8; 4]) {
    let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
    assert!(near, "{found:?} instead of {expected:?}");
}

#[test]
fn specular_glossiness_describes_what_metallic_roughness_does() {
    let Some(gpu) = gpu() else { return };
    // A metal reflects its colour (glTF 2.0 §B.3.5) and has no diffuse colour.
    let gold = [1.0, 0.766, 0.336];
    let found = specular_glossiness(
        &json!({ "diffuseFactor": [0, 0, 0, 1], "specularFactor": gold, "glossinessFactor": 0.4 }),
    );
    let metal = lit(&gpu, &metallic_roughness(gold, 1.0, 0.6));
    assert_near(lit(&gpu, &found), metal);
    // Others reflect 0.04, which specular-glossiness takes off the diffuse colour.
    let found = specular_glossiness(&json!({
        "diffuseFactor": [0.5, 0.25, 0.125, 1], "specularFactor": [0.04, 0.04, 0.04], "glossinessFactor": 0.25
    }));
    let paint = metallic_roughness([0.48, 0.24, 0.12], 0.0, 0.75);
    let paint = lit(&gpu, &paint);
    assert_near(lit(&gpu, &found), paint);
    assert_ne!(metal, paint);
}

#[test]
fn specular_glossiness_textures_are_colours() {
    let Some(gpu) = gpu() else { return };
    let found = specular_glossiness(&json!({
        "diffuseFactor": [0, 0, 0, 1], "specularFactor": [1.0, 0.5, 0.25], "glossinessFactor": 0.8,
        "specularGlossinessTexture": { "index": 0 }
    }));
    // sRGB 188 and 137 are linear 0.503 and 0.251 (IEC 61966-2-1); alpha is linear.
    let color = [0.503, 0.251 * 0.5, 0.25];
    let expected = metallic_roughness(color, 1.0, 1.0 - 0.8 * 128.0 / 255.0);
    assert_near(lit(&gpu, &found), lit(&gpu, &expected));
    let found = specular_glossiness(&json!({
        "specularFactor": [0.04, 0.04, 0.04], "glossinessFactor": 0, "diffuseTexture": { "index": 0 }
    }));
    let expected = metallic_roughness([0.503 * 0.96, 0.251 * 0.96, 0.96], 0.0, 1.0);
    assert_near(lit(&gpu, &found), lit(&gpu, &expected));
}

#[test]
fn emissive_strength_multiplies() {
    let Some(gpu) = gpu() else { return };
    let emissive = |factor: f64, strength: f64| {
        let strength = json!({ "emissiveStrength": strength });
        lit(
            &gpu,
            &json!({
                "emissiveFactor": [factor, factor, 0],
                "extensions": { "KHR_materials_emissive_strength": strength },
                "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 1] }
            }),
        )
    };
    assert_eq!(emissive(0.125, 4.0), emissive(0.5, 1.0));
    assert_ne!(emissive(0.5, 1.0), emissive(0.5, 0.5));
    // However strong, it is a colour: red and green, and no blue to speak of.
    let [red, green, blue, _] = emissive(1.0, 1e30);
    assert!(red > 250 && green > 250, "{red} {green} {blue}");
}
