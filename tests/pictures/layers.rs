//! What extensions do to a surface, by pictures that must be the same: an extension at one setting says what another
//! extension, or a texture, says at another.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::{app::Actor, render::Gpu};
use serde_json::{Value, json};

use super::quad::{pixel, quad};
use crate::common::gpu;

/// sRGB of the one texel that textures have: linear 0.503, 0.251 and 1 (IEC 61966-2-1), or 0.737, 0.537 and 1; alpha 0.502.
const TEXEL: [u8; 4] = [188, 137, 255, 128];

/// A quad with normals, tangents and this material; texture 0 has one texel.
pub(super) fn quad_of(material: &Value) -> Actor {
    let mut texel = std::io::Cursor::new(Vec::new());
    let image = image::RgbaImage::from_pixel(1, 1, image::Rgba(TEXEL));
    image.write_to(&mut texel, image::ImageFormat::Png).unwrap();
    let texel = STANDARD.encode(texel.into_inner());
    let extensions = material.get("extensions").and_then(Value::as_object);
    let used: Vec<_> = extensions.map_or_else(Vec::new, |all| all.keys().cloned().collect());
    let mut changes = vec![
        ("materials", json!([material])),
        (
            "meshes",
            json!([{ "primitives": [{
                "attributes": { "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3, "TANGENT": 4 }, "indices": 2, "material": 0
            }] }]),
        ),
        (
            "extensionsUsed",
            if used.is_empty() {
                Value::Null
            } else {
                json!(used)
            },
        ),
    ];
    if material.to_string().contains("\"index\"") {
        let image = format!("data:image/png;base64,{texel}");
        changes.push(("images", json!([{ "uri": image }])));
        changes.push(("textures", json!([{ "source": 0 }])));
    }
    quad(&changes)
}

/// The colours of a quad with this material from three directions.
fn colors(gpu: &Gpu, material: &Value) -> [[u8; 4]; 3] {
    let mut quad = quad_of(material);
    ["0,90,3", "50,70,3", "-70,100,3"].map(|orbit| pixel(gpu, &mut quad, "none", orbit, [32, 32]))
}

/// A material of this colour, metallic factor and roughness, with these extensions.
pub(super) fn material(
    color: [f64; 3],
    metallic: f64,
    roughness: f64,
    extensions: &Value,
) -> Value {
    let [red, green, blue] = color;
    let mut material = json!({ "pbrMetallicRoughness": {
        "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": metallic, "roughnessFactor": roughness
    }});
    if extensions.as_object().is_some_and(|all| !all.is_empty()) {
        material["extensions"] = extensions.clone();
    }
    material
}

const BLACK: [f64; 3] = [0.0; 3];

#[track_caller]
fn assert_same(found: [[u8; 4]; 3], expected: [[u8; 4]; 3], what: &str) {
    let pairs = found.as_flattened().iter().zip(expected.as_flattened());
    let near = pairs.into_iter().all(|(a, b)| a.abs_diff(*b) <= 1);
    assert!(near, "{what}: {found:?} instead of {expected:?}");
}

/// Each factor with a texture that multiplies it says the same as the factor times the channel, without a texture.
#[test]
fn every_texture_multiplies_its_factor() {
    let Some(gpu) = gpu() else { return };
    const RED: f64 = 188.0 / 255.0;
    const GREEN: f64 = 137.0 / 255.0;
    const ALPHA: f64 = 128.0 / 255.0;
    let color = json!([0.503, 0.251, 1.0]);
    // Extension, its other properties, factor, texture, what factor and texture come to.
    let cases = [
        (
            "specular",
            json!({}),
            "specularFactor",
            "specularTexture",
            json!(ALPHA),
        ),
        (
            "specular",
            json!({}),
            "specularColorFactor",
            "specularColorTexture",
            color.clone(),
        ),
        (
            "clearcoat",
            json!({ "clearcoatRoughnessFactor": 0.3 }),
            "clearcoatFactor",
            "clearcoatTexture",
            json!(RED),
        ),
        (
            "clearcoat",
            json!({ "clearcoatFactor": 1.0 }),
            "clearcoatRoughnessFactor",
            "clearcoatRoughnessTexture",
            json!(GREEN),
        ),
        (
            "sheen",
            json!({ "sheenRoughnessFactor": 0.5 }),
            "sheenColorFactor",
            "sheenColorTexture",
            color.clone(),
        ),
        (
            "sheen",
            json!({ "sheenColorFactor": [1.0, 1.0, 1.0] }),
            "sheenRoughnessFactor",
            "sheenRoughnessTexture",
            json!(ALPHA),
        ),
        (
            "transmission",
            json!({}),
            "transmissionFactor",
            "transmissionTexture",
            json!(RED),
        ),
        (
            "iridescence",
            json!({ "iridescenceIor": 1.8 }),
            "iridescenceFactor",
            "iridescenceTexture",
            json!(RED),
        ),
        (
            "diffuse_transmission",
            json!({}),
            "diffuseTransmissionFactor",
            "diffuseTransmissionTexture",
            json!(ALPHA),
        ),
        (
            "diffuse_transmission",
            json!({ "diffuseTransmissionFactor": 1.0 }),
            "diffuseTransmissionColorFactor",
            "diffuseTransmissionColorTexture",
            color,
        ),
    ];
    for (extension, others, factor, texture, expected) in cases {
        let name = format!("KHR_materials_{extension}");
        let of = |more: &[(&str, Value)]| {
            let mut properties = others.clone();
            for (key, value) in more {
                properties[*key] = value.clone();
            }
            // What passes through needs an extension that makes a surface pass light, and a colour to pass.
            colors(
                &gpu,
                &material(
                    [0.4, 0.3, 0.2],
                    0.0,
                    0.4,
                    &json!({ name.clone(): properties }),
                ),
            )
        };
        let one = if expected.is_array() {
            json!([1.0, 1.0, 1.0])
        } else {
            json!(1.0)
        };
        let textured = of(&[(factor, one.clone()), (texture, json!({ "index": 0 }))]);
        assert_same(textured, of(&[(factor, expected)]), texture);
        assert_ne!(textured, of(&[(factor, one)]), "{texture} changes nothing");
    }
}

#[test]
fn reflectance_follows_from_the_index_of_refraction() {
    let Some(gpu) = gpu() else { return };
    let of = |ior: f64, specular: &Value| {
        let extensions =
            json!({ "KHR_materials_ior": { "ior": ior }, "KHR_materials_specular": specular });
        colors(&gpu, &material(BLACK, 0.0, 0.5, &extensions))
    };
    // ((2 − 1) / (2 + 1))² is 2.778 times ((1.5 − 1) / (1.5 + 1))² (KHR_materials_ior).
    let factor = 1.0 / 9.0 / 0.04;
    let more = json!({ "specularColorFactor": [factor, factor, factor] });
    assert_same(of(2.0, &json!({})), of(1.5, &more), "index 2");
    assert_ne!(of(2.0, &json!({})), of(1.5, &json!({})));
    // An index of 0 stands for an infinite one: everything is reflected, as by white metal.
    let mirror = colors(&gpu, &material([1.0; 3], 1.0, 0.5, &json!({})));
    assert_same(of(0.0, &json!({})), mirror, "index 0");
    // What reflects nothing and scatters nothing is black (KHR_materials_specular).
    let nothing = [[0, 0, 0, 255]; 3];
    assert_same(
        of(1.5, &json!({ "specularFactor": 0.0 })),
        nothing,
        "no specular",
    );
    // A metal is not a dielectric: none of this is about it.
    let gold = [1.0, 0.766, 0.336];
    let metal = colors(&gpu, &material(gold, 1.0, 0.5, &json!({})));
    let extensions = json!({ "KHR_materials_ior": { "ior": 2.0 }, "KHR_materials_specular": { "specularFactor": 0.1 } });
    assert_same(
        colors(&gpu, &material(gold, 1.0, 0.5, &extensions)),
        metal,
        "metal",
    );
}

#[test]
fn a_clear_coat_reflects_as_a_dielectric_and_dims_what_is_below() {
    let Some(gpu) = gpu() else { return };
    let nothing = json!({ "specularFactor": 0.0 });
    let coated = json!({
        "KHR_materials_specular": nothing, "KHR_materials_clearcoat": { "clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.3 }
    });
    // Over what returns nothing there is the coat alone: index 1.5, its own roughness.
    let coat = colors(&gpu, &material(BLACK, 0.0, 0.9, &coated));
    assert_same(
        coat,
        colors(&gpu, &material(BLACK, 0.0, 0.3, &json!({}))),
        "coat",
    );
    // Emitted light goes through the coat, which keeps about 4 % of it straight ahead.
    let emitted = |extensions: &Value| {
        let mut material = material(BLACK, 0.0, 0.9, extensions);
        material["emissiveFactor"] = json!([0.5, 0.0, 0.0]);
        colors(&gpu, &material)
    };
    let bare = emitted(&json!({ "KHR_materials_specular": nothing }));
    let dimmed = emitted(&coated);
    // Red above what the coat reflects: linear 0.5 is 188, linear 0.48 is 184.
    let linear = |value: u8| (f64::from(value) / 255.0).powf(2.2);
    let share = (linear(dimmed[0][0]) - linear(coat[0][0])) / linear(bare[0][0]);
    assert!((share - 0.96).abs() < 0.03, "{share}");
    // Without the coat's factor there is no coat.
    let none = json!({ "KHR_materials_clearcoat": { "clearcoatRoughnessFactor": 0.3 } });
    let plain = material([0.4, 0.3, 0.2], 0.0, 0.6, &json!({}));
    assert_same(
        colors(&gpu, &material([0.4, 0.3, 0.2], 0.0, 0.6, &none)),
        colors(&gpu, &plain),
        "no coat",
    );
}

/// The coat's own normal map bends its highlight and leaves what lies below alone; the base's map does the reverse.
#[test]
fn coat_and_base_have_normals_of_their_own() {
    let Some(gpu) = gpu() else { return };
    let map = json!({ "index": 0 });
    let coat = |more: &[(&str, &Value)]| {
        let mut coat = json!({ "clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.3 });
        for (key, value) in more {
            coat[*key] = (*value).clone();
        }
        json!({ "KHR_materials_specular": { "specularFactor": 0.0 }, "KHR_materials_clearcoat": coat })
    };
    let flat = material(BLACK, 0.0, 0.3, &coat(&[]));
    let mut bent_base = flat.clone();
    bent_base["normalTexture"] = map.clone();
    assert_same(
        colors(&gpu, &bent_base),
        colors(&gpu, &flat),
        "the base's map bends the coat",
    );
    let bent_coat = material(BLACK, 0.0, 0.3, &coat(&[("clearcoatNormalTexture", &map)]));
    let mut bent = material(BLACK, 0.0, 0.3, &json!({}));
    bent["normalTexture"] = map;
    assert_same(
        colors(&gpu, &bent_coat),
        colors(&gpu, &bent),
        "the coat's map",
    );
    assert_ne!(
        colors(&gpu, &bent),
        colors(&gpu, &material(BLACK, 0.0, 0.3, &json!({})))
    );
}

#[test]
fn films_and_fibres_of_nothing_are_not_seen() {
    let Some(gpu) = gpu() else { return };
    let color = [0.8, 0.5, 0.3];
    for metallic in [0.0, 1.0] {
        let plain = colors(&gpu, &material(color, metallic, 0.4, &json!({})));
        for (what, extensions) in [
            (
                "no film",
                json!({ "KHR_materials_iridescence": { "iridescenceFactor": 0.0 } }),
            ),
            (
                "a film without thickness",
                json!({ "KHR_materials_iridescence": { "iridescenceFactor": 1.0, "iridescenceThicknessMaximum": 0.0 } }),
            ),
            (
                "no fibres",
                json!({ "KHR_materials_sheen": { "sheenRoughnessFactor": 0.5 } }),
            ),
            (
                "no grooves",
                json!({ "KHR_materials_anisotropy": { "anisotropyRotation": 1.0 } }),
            ),
            (
                "no light passes",
                json!({ "KHR_materials_diffuse_transmission": {} }),
            ),
            (
                "no transmission",
                json!({ "KHR_materials_transmission": {} }),
            ),
        ] {
            let found = colors(&gpu, &material(color, metallic, 0.4, &extensions));
            let near = found.as_flattened().iter().zip(plain.as_flattened());
            let worst = near.map(|(a, b)| a.abs_diff(*b)).max();
            // A film's reflectance at a slant is turned back into one at normal incidence: that rounds.
            assert!(worst <= Some(3), "{what}: {found:?} instead of {plain:?}");
        }
    }
}

/// Turned by 90°, grooves lie across; strength 1 at roughness 1 is as rough both ways as without.
#[test]
fn grooves_draw_highlights_out_along_their_direction() {
    let Some(gpu) = gpu() else { return };
    let metal = |roughness: f64, strength: f64, rotation: f64| {
        let grooves = json!({ "anisotropyStrength": strength, "anisotropyRotation": rotation });
        let material = material(
            [0.9; 3],
            1.0,
            roughness,
            &json!({ "KHR_materials_anisotropy": grooves }),
        );
        colors(&gpu, &material)
    };
    let turned = std::f64::consts::FRAC_PI_2;
    assert_same(
        metal(1.0, 1.0, 0.0),
        metal(1.0, 0.0, 0.0),
        "as rough as can be",
    );
    assert_ne!(metal(0.3, 1.0, 0.0), metal(0.3, 1.0, turned));
    // Half a turn leaves grooves as they are.
    assert_same(
        metal(0.3, 1.0, 0.3),
        metal(0.3, 1.0, 0.3 + 2.0 * turned),
        "half a turn",
    );
}

#[test]
fn light_that_passes_takes_the_color_of_the_inside() {
    let Some(gpu) = gpu() else { return };
    let leaf = |factor: f64, color: [f64; 3]| {
        let passes =
            json!({ "diffuseTransmissionFactor": factor, "diffuseTransmissionColorFactor": color });
        let extensions = json!({
            "KHR_materials_specular": { "specularFactor": 0.0 }, "KHR_materials_diffuse_transmission": passes
        });
        colors(&gpu, &material([1.0; 3], 0.0, 1.0, &extensions))
    };
    // All of it passes: the base colour is not seen, and what lights the far side is.
    let [front, ..] = leaf(1.0, [1.0, 0.0, 0.0]);
    assert!(front[0] > 60 && front[1] == 0 && front[2] == 0, "{front:?}");
    // The far side of the quad looks away from the key light, into the dimmer half of the studio.
    assert!(leaf(1.0, [1.0; 3])[0][0] + 20 < leaf(0.0, [1.0; 3])[0][0]);
}
