//! The white furnace: in an environment of one radiance, what absorbs nothing cannot be told from it.

use rigscope::render::Gpu;
use serde_json::{Value, json};

use super::quad::quad;
use crate::common::{artefacts, gpu, picture, to_image};

/// An equirectangular picture of radiance 0.5 (Radiance's RGBE: three mantissas of 1/2, exponent 0).
fn uniform_environment() -> String {
    let path = artefacts("furnace").join(format!("half-{}.hdr", std::process::id()));
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16 +X 32\n".to_vec();
    bytes.extend([128; 4].repeat(16 * 32));
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The colours of a quad with this material from four directions, the last along it, in that environment, without other
/// light.
fn colors(gpu: &Gpu, environment: &str, material: &Value) -> [[u8; 4]; 4] {
    let extensions = material.get("extensions").and_then(Value::as_object);
    let used = extensions.map(|all| json!(all.keys().collect::<Vec<_>>()));
    let attributes = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3, "TANGENT": 4 });
    let primitive = json!({ "attributes": attributes, "indices": 2, "material": 0 });
    let mut quad = quad(&[
        ("materials", json!([material])),
        ("meshes", json!([{ "primitives": [primitive] }])),
        ("extensionsUsed", used.unwrap_or(Value::Null)),
    ]);
    ["0,90,3", "50,90,3", "75,80,3", "84,90,3"].map(|orbit| {
        let typed = [
            "--size",
            "64x64",
            "--background",
            "none",
            "--target",
            "0,0,0",
            "--orbit",
            orbit,
            "--fov",
            "30",
            "--environment",
            environment,
            "--key-light",
            "off",
            "--tone",
            "none",
        ];
        to_image(&picture(gpu, &mut quad, &typed))[(32, 32)].0
    })
}

/// All that is white: metals and dielectrics, and with each layer that returns what it does not let through.
#[test]
fn white_surfaces_are_not_seen_in_uniform_light() {
    let Some(gpu) = gpu() else { return };
    let environment = uniform_environment();
    let layers = [
        ("metal", 1.0, json!({})),
        ("dielectric", 0.0, json!({})),
        ("half a metal", 0.5, json!({})),
        ("mostly metal", 0.75, json!({})),
        ("sheen", 0.0, json!({ "sheenColorFactor": [1, 1, 1] })),
        ("clearcoat", 0.0, json!({ "clearcoatFactor": 1 })),
        ("anisotropy", 1.0, json!({ "anisotropyStrength": 1 })),
        (
            "diffuse_transmission",
            0.0,
            json!({ "diffuseTransmissionFactor": 0.5 }),
        ),
        ("iridescence", 0.0, json!({ "iridescenceFactor": 0 })),
    ];
    let mut worst = 0.0_f64;
    for roughness in [0.0, 0.25, 0.5, 0.75, 1.0] {
        for (layer, metallic, properties) in &layers {
            let mut material = json!({
                "pbrMetallicRoughness": { "metallicFactor": metallic, "roughnessFactor": roughness }
            });
            if properties.as_object().is_some_and(|all| !all.is_empty()) {
                let mut properties = properties.clone();
                for key in ["sheenRoughnessFactor", "clearcoatRoughnessFactor"] {
                    if key.starts_with(layer) {
                        properties[key] = json!(roughness);
                    }
                }
                material["extensions"] = json!({ format!("KHR_materials_{layer}"): properties });
            }
            for found in colors(&gpu, &environment, &material) {
                for channel in &found[..3] {
                    // IEC 61966-2-1.
                    let share = ((f64::from(*channel) / 255.0 + 0.055) / 1.055).powf(2.4) / 0.5;
                    worst = worst.max((share - 1.0).abs());
                    assert!(
                        (share - 1.0).abs() <= 0.02,
                        "{layer}, roughness {roughness}: {found:?}"
                    );
                }
            }
        }
    }
    println!("at most {worst} from 1");
}
