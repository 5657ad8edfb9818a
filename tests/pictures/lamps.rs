//! Lamps at the limits: glaring, dark, behind coloured glass, and over what throws no shadow.

use rigscope::{app::Actor, scene::LightSettings};
use serde_json::{Value, json};

use super::{light::hdr, quad::quad};
use crate::common::{gpu, picture, to_image};

/// A quad of this material under a lamp whose node is turned like this; unturned, it shines along −Z.
fn under(lamp: Value, rotation: [f64; 4], material: Value) -> Actor {
    let of_material = material["extensions"].as_object();
    let mut used: Vec<_> = of_material.into_iter().flatten().map(|it| it.0).collect();
    let lights = "KHR_lights_punctual".to_owned();
    used.push(&lights);
    quad(&[
        ("extensionsUsed", json!(used)),
        (
            "extensions",
            json!({ "KHR_lights_punctual": { "lights": [lamp] } }),
        ),
        (
            "nodes",
            json!([{ "mesh": 0, "children": [1] }, {
                "rotation": rotation,
                "extensions": { "KHR_lights_punctual": { "light": 0 } }
            }]),
        ),
        ("materials", json!([material])),
    ])
}

const STRAIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
const BACKWARDS: [f64; 4] = [0.0, 1.0, 0.0, 0.0];
const FROM_AHEAD: [&str; 11] = [
    "--size",
    "64x64",
    "--target",
    "0,0,0",
    "--orbit",
    "0,90,3",
    "--fov",
    "30",
    "--environment-strength",
    "0",
    "--lights-as-stated",
];

/// The sun in a polished metal is brighter than the scene can hold.
#[test]
fn a_glaring_highlight_is_white_in_every_curve() {
    let Some(gpu) = gpu() else { return };
    let sun = json!({ "type": "directional", "intensity": 1e5 });
    let chrome =
        json!({ "pbrMetallicRoughness": { "metallicFactor": 1.0, "roughnessFactor": 0.0 } });
    let mut chrome = under(sun, STRAIGHT, chrome);
    for tone in ["none", "neutral", "aces", "agx"] {
        let mut typed = FROM_AHEAD.to_vec();
        typed.extend(["--tone", tone]);
        let picture = to_image(&picture(&gpu, &mut chrome, &typed));
        for y in 22..42 {
            for x in 22..42 {
                let [red, green, blue, _] = picture[(x, y)].0;
                let least = red.min(green).min(blue);
                assert!(least > 240, "{tone}: {:?} at {x}, {y}", picture[(x, y)]);
            }
        }
    }
}

/// A sun in lux beside a studio in no unit: what it lights is told apart all the same.
#[test]
fn lights_that_would_leave_all_white_are_dimmed() {
    let Some(gpu) = gpu() else { return };
    let matt = json!({
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.5, 0.5, 1.0], "metallicFactor": 0.0, "roughnessFactor": 1.0
        },
        "extensions": { "KHR_materials_specular": { "specularFactor": 0.0 } }
    });
    for intensity in [683.0, 1e5] {
        let sun = json!({ "type": "directional", "intensity": intensity });
        let mut lit = under(sun, STRAIGHT, matt.clone());
        let mut typed = FROM_AHEAD.to_vec();
        typed.extend(["--tone", "none"]);
        let mut middle = |typed: &[&str]| to_image(&picture(&gpu, &mut lit, typed))[(32, 32)].0[0];
        assert_eq!(middle(&typed), 255, "{intensity}");
        typed.retain(|word| *word != "--lights-as-stated");
        // Linear 0.5 is a signal of 188.
        let dimmed = middle(&typed);
        assert!(dimmed.abs_diff(188) <= 1, "{intensity}: {dimmed}");
    }
}

/// Files are of any scale: a lamp half a millimetre away in a model of millimetres, and much nearer in smaller ones.
#[test]
fn lamps_are_as_bright_at_every_scale() {
    let Some(gpu) = gpu() else { return };
    for scale in [1.0, 1e-3, 1e-4, 1e-6, 1e4] {
        let near = 0.5 * scale;
        // As a white matt surface right below it gives back a half.
        let intensity = 0.5 * std::f64::consts::PI * near * near;
        let matt = json!({
            "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 },
            "extensions": { "KHR_materials_specular": { "specularFactor": 0.0 } }
        });
        let mut lit = quad(&[
            (
                "extensionsUsed",
                json!(["KHR_lights_punctual", "KHR_materials_specular"]),
            ),
            (
                "extensions",
                json!({ "KHR_lights_punctual": { "lights": [
                    { "type": "point", "intensity": intensity }
                ] } }),
            ),
            ("scenes", json!([{ "nodes": [0, 1] }])),
            (
                "nodes",
                json!([{ "mesh": 0, "scale": [scale, scale, scale] }, {
                    "translation": [0, 0, near],
                    "extensions": { "KHR_lights_punctual": { "light": 0 } }
                }]),
            ),
            ("materials", json!([matt])),
        ]);
        let orbit = format!("0,90,{}", 5.0 * scale);
        let typed = [
            "--size",
            "63x63",
            "--target",
            "0,0,0",
            "--orbit",
            &orbit,
            "--fov",
            "30",
            "--environment-strength",
            "0",
            "--tone",
            "none",
        ];
        let found = to_image(&picture(&gpu, &mut lit, &typed))[(31, 31)].0[0];
        // Linear 0.5 is a signal of 188.
        assert!(found.abs_diff(188) <= 2, "scale {scale}: {found}");
    }
}

/// The bound itself, by a film of it so thin that a thousandth of its light can be shown: adapters differ in what they store
/// beyond.
#[test]
fn what_is_stored_is_bounded() {
    let Some(gpu) = gpu() else { return };
    let sun = json!({ "type": "directional", "intensity": 1e5 });
    let mut film = under(
        sun,
        STRAIGHT,
        json!({
            "alphaMode": "BLEND",
            "pbrMetallicRoughness": {
                "baseColorFactor": [1, 1, 1, 0.01], "metallicFactor": 1.0, "roughnessFactor": 0.0
            }
        }),
    );
    let mut typed = FROM_AHEAD.to_vec();
    // A black environment, so that alpha is 1 in the end.
    typed.extend(["--background", "environment"]);
    typed.extend(["--tone", "none", "--exposure", "-10"]);
    let [red, ..] = to_image(&picture(&gpu, &mut film, &typed))[(32, 32)].0;
    // 32768 / 100 / 1024 = 0.32, which is 0.6029 as a signal (IEC 61966-2-1).
    assert!(red.abs_diff(154) <= 1, "{red}");
}

/// Too bright for what stores it, light is dimmed in all its colours alike: what a surface gives off, what it returns of a
/// lamp, and what is behind everything. Seen through a film, as above.
#[test]
fn what_is_too_bright_keeps_its_hue() {
    let Some(gpu) = gpu() else { return };
    let hue = [1.0, 0.5, 0.25];
    let film = json!([1, 1, 1, 0.01]);
    let glowing = |strength: f64| {
        json!({
            "alphaMode": "BLEND",
            "pbrMetallicRoughness": { "baseColorFactor": film },
            "emissiveFactor": hue,
            "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": strength } }
        })
    };
    let chrome = json!({
        "alphaMode": "BLEND",
        "pbrMetallicRoughness": { "baseColorFactor": film, "metallicFactor": 1.0, "roughnessFactor": 0.0 }
    });
    let sun = |color: [f64; 3], intensity: f64| json!({ "type": "directional", "intensity": intensity, "color": color });
    let faint = sun([1.0; 3], 1e-3);
    let scenes = [
        under(faint.clone(), STRAIGHT, glowing(1e6)),
        under(faint.clone(), STRAIGHT, glowing(1e38)),
        under(sun(hue, 1e6), STRAIGHT, chrome),
    ];
    let environment = hdr("glaring.hdr", 8, |_, _| [20_000.0, 10_000.0, 5_000.0]);
    // 4 times what the file has: more than half floats hold.
    let glaring = [
        "--environment",
        environment.to_str().unwrap(),
        "--environment-strength",
        "4",
    ];
    // It returns next to nothing; an unlit one would dim what is shown, not light.
    let dark = json!({
        "alphaMode": "BLEND",
        "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 0.99] },
        "extensions": { "KHR_materials_specular": { "specularFactor": 0 } }
    });
    let behind = under(faint, STRAIGHT, dark);
    let lit = scenes.into_iter().map(|scene| (scene, &FROM_AHEAD[8..]));
    for (index, (mut scene, more)) in lit.chain([(behind, &glaring[..])]).enumerate() {
        let mut typed = FROM_AHEAD[..8].to_vec();
        typed.extend([
            "--background",
            "environment",
            "--tone",
            "none",
            "--exposure",
            "-10",
        ]);
        typed.extend(more);
        let pixel = to_image(&picture(&gpu, &mut scene, &typed))[(32, 32)].0;
        // 32768 / 100 / 1024 of each, as signals (IEC 61966-2-1).
        for (signal, expected) in pixel.into_iter().zip([153, 111, 80]) {
            assert!(signal.abs_diff(expected) <= 1, "{index}: {pixel:?}");
        }
    }
    std::fs::remove_file(environment).unwrap();
}

/// Otherwise the key light flashes whenever an animated lamp goes out.
#[test]
fn a_model_with_a_dark_lamp_has_lights_of_its_own() {
    let key = |intensity: f64| {
        let lamp = json!({ "type": "point", "intensity": intensity });
        let actor = under(lamp, STRAIGHT, json!({}));
        let lighting = actor.lighting(LightSettings::default(), true, None);
        (lighting.key.is_some(), lighting.lights.len())
    };
    assert_eq!(key(1.0), (false, 1));
    assert_eq!(key(0.0), (false, 0));
    let without = quad(&[]);
    let lighting = without.lighting(LightSettings::default(), true, None);
    assert!(lighting.key.is_some());
}

/// `KHR_materials_volume`, "Attenuation": a metre of it leaves the attenuation colour of light.
#[test]
fn a_lamp_behind_colored_glass_is_colored() {
    let Some(gpu) = gpu() else { return };
    let shines = |extensions: Value| {
        let lamp = json!({ "type": "directional", "intensity": 5.0 });
        let glass = json!({
            "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 },
            "extensions": extensions
        });
        let mut typed = FROM_AHEAD.to_vec();
        // A black environment: something to look at through the glass, so that alpha is 1.
        typed.extend(["--tone", "none", "--background", "environment"]);
        let picture = picture(&gpu, &mut under(lamp, BACKWARDS, glass), &typed);
        let [red, green, blue, _] = to_image(&picture)[(32, 32)].0;
        [red, green, blue].map(|signal| {
            // IEC 61966-2-1.
            let signal = f64::from(signal) / 255.0;
            ((signal + 0.055) / 1.055).powf(2.4)
        })
    };
    let transmission = json!({ "transmissionFactor": 1.0 });
    let thin = shines(json!({ "KHR_materials_transmission": transmission }));
    let thick = shines(json!({
        "KHR_materials_transmission": transmission,
        "KHR_materials_volume": {
            "thicknessFactor": 1.0, "attenuationDistance": 1.0, "attenuationColor": [0.5, 1.0, 0.25]
        }
    }));
    assert!(thin.into_iter().all(|light| light > 0.2), "{thin:?}");
    for ((thick, thin), share) in thick.into_iter().zip(thin).zip([0.5, 1.0, 0.25]) {
        let found = thick / thin;
        assert!((found - share).abs() < 0.03, "{found}, not {share}");
    }
}

/// A plate over a floor, under the key light; the pixel lies in the middle of the plate's shadow.
#[test]
fn what_light_passes_through_throws_no_shadow_blended_or_not() {
    let Some(gpu) = gpu() else { return };
    let flat = [-0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    let floor = |plate: Value| {
        let primitive = |material: usize| {
            json!({ "primitives": [{
                "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "indices": 2, "material": material
            }] })
        };
        let mut scene = quad(&[
            (
                "extensionsUsed",
                plate["extensions"]
                    .as_object()
                    .map_or(Value::Null, |_| json!(["KHR_materials_transmission"])),
            ),
            (
                "materials",
                json!([{ "pbrMetallicRoughness": { "metallicFactor": 0.0 } }, plate]),
            ),
            ("meshes", json!([primitive(0), primitive(1)])),
            ("scenes", json!([{ "nodes": [0, 1] }])),
            (
                "nodes",
                json!([
                    { "mesh": 0, "rotation": flat, "scale": [4, 4, 4], "translation": [0, -1, 0] },
                    { "mesh": 1, "rotation": flat, "scale": [0.5, 0.5, 0.5] }
                ]),
            ),
        ]);
        // A metre below the plate its shadow has moved by (−0.45, −0.50) / 0.74; look at it past the plate's edge.
        let mut typed = FROM_AHEAD.to_vec();
        typed.extend(["--tone", "none"]);
        typed[3] = "-0.9,-1,-0.95";
        typed[5] = "0,0,10";
        to_image(&picture(&gpu, &mut scene, &typed))[(32, 32)].0[0]
    };
    let transmission = json!({ "KHR_materials_transmission": { "transmissionFactor": 1.0 } });
    let solid = floor(json!({ "alphaMode": "BLEND" }));
    assert!(solid < 20, "{solid}");
    for alpha_mode in ["OPAQUE", "BLEND"] {
        let lit = floor(json!({ "extensions": transmission, "alphaMode": alpha_mode }));
        assert!(lit > 100, "{alpha_mode}: {lit}");
    }
}
