//! Pictures: a few with an answer that is known without any picture, and a few golden ones of the built-in models.
//!
//! A golden test that fails leaves `NAME.new.png` and `NAME.diff.png` in `target/golden`. If the new one is right (look at
//! it!), run the test with `UPDATE_GOLDEN=1`. The tolerances leave room for other drivers' rasterisation; Mesa 22.3's
//! software Vulkan made the pictures.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod common;
mod pictures {
    mod adapters;
    mod alpha;
    mod bones;
    mod compared;
    mod copies;
    mod corpus;
    mod crowds;
    mod environment;
    mod far;
    mod films;
    mod furnace;
    mod glass;
    mod kept;
    mod lamps;
    mod layer_views;
    mod layers;
    mod light;
    mod line_widths;
    mod lobe_twins;
    mod lobes;
    mod many_pipelines;
    mod many_textures;
    mod materials;
    mod morphs;
    mod normals;
    mod odd_sizes;
    mod parallel;
    pub(crate) mod quad;
    mod shadows;
    mod surface_lines;
    mod transparency;
    mod unlit;
    mod unlit_pairs;
    mod vertices;
    mod views;
}

use std::path::Path;

use base64::Engine as _;
use common::{actor, artefacts, gpu, picture, to_image};
use image::{ImageEncoder as _, RgbaImage};
use rigscope::app::Actor;
use serde_json::{Value, json};

use pictures::quad::{assert_color, base_color, middle, pixel, quad, unlit};

#[test]
fn unlit_colors_come_out_exactly() {
    let Some(gpu) = gpu() else { return };
    // Linear 0.5 is sRGB 0.735 (IEC 61966-2-1), linear 0.2 is 0.484.
    let materials = unlit(json!({ "pbrMetallicRoughness": base_color([0.5, 0.2, 0.0, 1.0]) }));
    let mut quad = quad(&[("materials", materials)]);
    assert_color(middle(&gpu, &mut quad, "none"), [188, 124, 0, 255]);
}

/// As the Khronos Sample Viewer shows them: no curve bends what no light falls on.
#[test]
fn unlit_colors_come_out_exactly_under_every_curve_and_exposure() {
    let Some(gpu) = gpu() else { return };
    for color in [
        [0.5, 0.2, 0.0],
        [0.9, 0.0, 0.0],
        [0.0, 0.6, 0.1],
        [0.02, 0.02, 0.5],
        [0.9, 0.9, 0.9],
        [0.0, 0.0, 0.0],
    ] {
        let [red, green, blue] = color;
        let material = json!({ "pbrMetallicRoughness": base_color([red, green, blue, 1.0]) });
        let mut quad = quad(&[("materials", unlit(material))]);
        let expected = color.map(|part: f64| {
            let signal = if part <= 0.003_130_8 {
                12.92 * part
            } else {
                1.055 * part.powf(1.0 / 2.4) - 0.055
            };
            (255.0 * signal).round()
        });
        for tone in ["neutral", "aces", "agx", "none"] {
            for exposure in ["0", "2"] {
                let typed = [
                    "--size",
                    "16x16",
                    "--background",
                    "none",
                    "--target",
                    "0,0,0",
                    "--orbit",
                    "0,90,3",
                    "--tone",
                    tone,
                    "--exposure",
                    exposure,
                ];
                let found = to_image(&picture(&gpu, &mut quad, &typed))[(8, 8)].0;
                for (found, expected) in found.into_iter().zip(expected) {
                    // The scene's 16-bit floats hold 11 digits, of which AgX spends some on saturated colours.
                    let error = (f64::from(found) - expected).abs();
                    assert!(error <= 2.0, "{tone} {exposure}: {found} of {color:?}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_transparent_and_backgrounds_are_exact() {
    let Some(gpu) = gpu() else { return };
    let mut quad = quad(&[("nodes", json!([{ "mesh": 0, "scale": [0.01, 0.01, 1] }]))]);
    let corner = |background, quad: &mut Actor| pixel(&gpu, quad, background, "0,90,3", [2, 2]);
    assert_eq!(corner("none", &mut quad), [0, 0, 0, 0]);
    assert_color(corner("336699", &mut quad), [0x33, 0x66, 0x99, 255]);
}

#[test]
fn blending_mixes_in_linear_light() {
    let Some(gpu) = gpu() else { return };
    let half_red =
        json!({ "pbrMetallicRoughness": base_color([1.0, 0.0, 0.0, 0.5]), "alphaMode": "BLEND" });
    let mut quad = quad(&[("materials", unlit(half_red))]);
    // Half of white's light stays: linear 0.5.
    let found = middle(&gpu, &mut quad, "ffffff");
    assert_color(found, [255, 188, 188, 255]);
}

#[test]
fn opaque_ignores_alpha_and_mask_cuts_at_the_cutoff() {
    let Some(gpu) = gpu() else { return };
    let alpha_of = |mode: &str, cutoff: f64| {
        let material = json!({
            "pbrMetallicRoughness": base_color([0.0, 0.0, 0.0, 0.5]), "alphaMode": mode, "alphaCutoff": cutoff
        });
        let mut material = unlit(material);
        if mode != "MASK" {
            material[0].as_object_mut().unwrap().remove("alphaCutoff");
        }
        let mut quad = quad(&[("materials", material)]);
        middle(&gpu, &mut quad, "none")[3]
    };
    assert_eq!(alpha_of("OPAQUE", 0.9), 255);
    // Alpha equal to the cutoff is drawn (glTF 2.0 §3.9.4).
    assert_eq!(alpha_of("MASK", 0.5), 255);
    assert_eq!(alpha_of("MASK", 0.51), 0);
}

#[test]
fn back_faces_are_culled_unless_double_sided_and_mirroring_turns_them() {
    let Some(gpu) = gpu() else { return };
    let shows = |scale_x: f64, double_sided: bool, azimuth: &str| {
        let mut quad = quad(&[
            ("materials", unlit(json!({ "doubleSided": double_sided }))),
            ("nodes", json!([{ "mesh": 0, "scale": [scale_x, 1, 1] }])),
        ]);
        pixel(
            &gpu,
            &mut quad,
            "none",
            &format!("{azimuth},90,3"),
            [32, 32],
        )[3] > 0
    };
    for scale_x in [1.0, -1.0] {
        assert!(shows(scale_x, false, "0"), "front, scale {scale_x}");
        assert!(!shows(scale_x, false, "180"), "back, scale {scale_x}");
        assert!(
            shows(scale_x, true, "180"),
            "double-sided back, scale {scale_x}"
        );
    }
}

/// Points and lines without normals show base colour and emission, unlit (glTF 2.0 §3.9.7).
#[test]
fn lines_without_normals_are_unlit() {
    let Some(gpu) = gpu() else { return };
    let material = json!({
        "pbrMetallicRoughness": base_color([0.5, 0.2, 0.0, 1.0]), "emissiveFactor": [0.0, 0.0, 0.2]
    });
    let primitive =
        json!({ "attributes": { "POSITION": 0 }, "indices": 2, "material": 0, "mode": 1 });
    let mut lines = quad(&[
        ("materials", json!([material])),
        ("meshes", json!([{ "primitives": [primitive] }])),
    ]);
    // On the diagonal from the lower left to the upper right.
    let [red, green, blue, alpha] = pixel(&gpu, &mut lines, "none", "0,90,3", [31, 32]);
    assert!(alpha > 0, "the line passes there");
    assert_color([red, green, blue, 255], [188, 124, 124, 255]);
}

/// A PNG of 2 × 2 texels: red, green above blue, white.
fn four_texels() -> Value {
    png([
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 255, 255],
        [255, 255, 255, 255],
    ])
}

fn png(texels: [[u8; 4]; 4]) -> Value {
    let mut png = Vec::new();
    image::codecs::png::PngEncoder::new(&mut png)
        .write_image(&texels.concat(), 2, 2, image::ExtendedColorType::Rgba8)
        .unwrap();
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    json!([{ "uri": format!("data:image/png;base64,{data}") }])
}

#[test]
fn textures_stand_upright_and_are_srgb() {
    let Some(gpu) = gpu() else { return };
    let half = json!({ "pbrMetallicRoughness": {
        "baseColorTexture": { "index": 0 }, "baseColorFactor": [0.5, 0.5, 0.5, 1.0]
    } });
    let mut quad = quad(&[
        ("materials", unlit(half)),
        ("textures", json!([{ "source": 0, "sampler": 0 }])),
        (
            "samplers",
            json!([{ "magFilter": 9728, "minFilter": 9728 }]),
        ),
        ("images", four_texels()),
    ]);
    let mut at = |x, y| pixel(&gpu, &mut quad, "none", "0,90,3", [x, y]);
    assert_color(at(16, 16), [188, 0, 0, 255]);
    assert_color(at(48, 16), [0, 188, 0, 255]);
    assert_color(at(16, 48), [0, 0, 188, 255]);
    assert_color(at(48, 48), [188, 188, 188, 255]);
}

/// More than a texel to a pixel, and no mip levels: `minFilter` says whether they are mixed, whatever `magFilter` says.
#[test]
fn textures_without_mip_levels_are_minified_as_they_ask() {
    let Some(gpu) = gpu() else { return };
    let texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": {
        "scale": [64.0, 64.0]
    } } });
    let (nearest, linear) = (9728, 9729);
    for (magnify, minify) in [
        (nearest, nearest),
        (linear, nearest),
        (nearest, linear),
        (linear, linear),
    ] {
        let mut quad = quad(&[
            (
                "extensionsUsed",
                json!(["KHR_materials_unlit", "KHR_texture_transform"]),
            ),
            (
                "materials",
                unlit(json!({ "pbrMetallicRoughness": { "baseColorTexture": texture } })),
            ),
            ("textures", json!([{ "source": 0, "sampler": 0 }])),
            (
                "samplers",
                json!([{ "magFilter": magnify, "minFilter": minify }]),
            ),
            ("images", four_texels()),
        ]);
        let [channels @ .., _] = middle(&gpu, &mut quad, "none");
        let is_mixed = channels.iter().all(|channel| (60..=240).contains(channel));
        assert_eq!(
            is_mixed,
            minify == linear,
            "{magnify} {minify}: {channels:?}"
        );
    }
}

/// A double-sided quad whose normal map leans by (`x`, `y`) everywhere.
fn leaning(has_tangents: bool, node: Value, x: i8, y: i8) -> Actor {
    let z = (127.0_f64.powi(2) - f64::from(x).powi(2) - f64::from(y).powi(2)).sqrt();
    let channel = |value: f64| (value + 127.5).round() as u8;
    let texel = [channel(x.into()), channel(y.into()), channel(z), 255];
    let mut attributes = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 });
    if has_tangents {
        attributes["TANGENT"] = json!(4);
    }
    quad(&[
        ("nodes", json!([node])),
        (
            "meshes",
            json!([{ "primitives": [{ "attributes": attributes, "indices": 2, "material": 0 }] }]),
        ),
        (
            "materials",
            json!([{
                "doubleSided": true,
                "normalTexture": { "index": 0 },
                "pbrMetallicRoughness": { "metallicFactor": 0, "baseColorFactor": [0.3, 0.3, 0.3, 1] }
            }]),
        ),
        ("textures", json!([{ "source": 0 }])),
        ("images", png([texel; 4])),
        ("extensionsUsed", Value::Null),
    ])
}

#[test]
fn normal_maps_lean_the_same_way_with_and_without_tangents_mirrored_or_not() {
    let Some(gpu) = gpu() else { return };
    for scale in [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]] {
        for orbit in ["0,90,3", "180,90,3"] {
            for (x, y) in [(60, 0), (0, 60), (-40, -50)] {
                let mut shown = [true, false].map(|has_tangents| {
                    let node = json!({ "mesh": 0, "scale": scale });
                    let mut quad = leaning(has_tangents, node, x, y);
                    pixel(&gpu, &mut quad, "none", orbit, [32, 32])
                });
                assert_eq!(shown[0][3], 255);
                let [given, derived] = &mut shown;
                let differ = given.iter().zip(derived).any(|(a, b)| a.abs_diff(*b) > 1);
                assert!(!differ, "{scale:?} {orbit} {x},{y}: {shown:?}");
            }
        }
    }
}

/// A back face has its normals reversed (glTF 2.0 §3.9.5): it looks like a front face there that leans the other way.
#[test]
fn what_a_normal_map_raises_is_a_hollow_from_behind() {
    let Some(gpu) = gpu() else { return };
    for has_tangents in [true, false] {
        let seen = |node: Value, y: i8| {
            let mut quad = leaning(has_tangents, node, 30, y);
            pixel(&gpu, &mut quad, "none", "180,90,3", [32, 32])
        };
        let behind = seen(json!({ "mesh": 0 }), 60);
        // Turned around +Y: u runs the other way, v as before.
        let turned = json!({ "mesh": 0, "rotation": [0, 1, 0, 0] });
        assert_color(behind, seen(turned.clone(), -60));
        assert_ne!(behind, seen(turned, 60), "the test tells nothing");
    }
}

#[test]
fn texture_transforms_scale_then_turn_then_shift() {
    let Some(gpu) = gpu() else { return };
    let texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": {
        "offset": [0.5, 0.0], "rotation": std::f64::consts::FRAC_PI_2, "scale": [1.0, 1.0]
    } } });
    let mut quad = quad(&[
        (
            "extensionsUsed",
            json!(["KHR_materials_unlit", "KHR_texture_transform"]),
        ),
        (
            "materials",
            unlit(json!({ "pbrMetallicRoughness": { "baseColorTexture": texture } })),
        ),
        ("textures", json!([{ "source": 0, "sampler": 0 }])),
        (
            "samplers",
            json!([{ "magFilter": 9728, "minFilter": 9728 }]),
        ),
        ("images", four_texels()),
    ]);
    // A quarter turn takes (u, v) to (v, −u), the offset then to (v + 0.5, −u), and images repeat: the upper left
    // quarter, around (0.25, 0.25), looks at (0.75, 0.75), the lower right texel.
    let mut at = |x, y| pixel(&gpu, &mut quad, "none", "0,90,3", [x, y]);
    let [white, green, blue, red] = [at(16, 16), at(48, 16), at(16, 48), at(48, 48)];
    assert!(white[..3].iter().all(|&channel| channel > 200), "{white:?}");
    assert!(green[1] > 200 && green[0] < 80, "{green:?}");
    assert!(blue[2] > 200 && blue[0] < 80, "{blue:?}");
    assert!(red[0] > 200 && red[1] < 80, "{red:?}");
}

/// Compares a picture with the one in `tests/golden`.
fn check_golden(name: &str, found: &RgbaImage) {
    const MEAN: f64 = 0.6;
    const PERCENTILE_99: u8 = 24;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.png"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        found.save(&file).unwrap();
        let bytes = std::fs::metadata(&file).unwrap().len();
        assert!(
            bytes <= 64 << 10,
            "{name} has {bytes} bytes, too many to keep"
        );
        return;
    }
    let golden = image::open(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; make it with UPDATE_GOLDEN=1", file.display()))
        .to_rgba8();
    assert_eq!(golden.dimensions(), found.dimensions(), "{name}");
    let pairs = golden.iter().zip(found.iter());
    let mut differences: Vec<u8> = pairs.map(|(a, b)| a.abs_diff(*b)).collect();
    let sum: u64 = differences.iter().copied().map(u64::from).sum();
    let mean = sum as f64 / differences.len() as f64;
    let place = differences.len() * 99 / 100;
    let percentile = *differences.select_nth_unstable(place).1;
    if mean > MEAN || percentile > PERCENTILE_99 {
        let folder = artefacts("golden");
        found.save(folder.join(format!("{name}.new.png"))).unwrap();
        let mut diff = found.clone();
        for (pixel, golden) in diff.pixels_mut().zip(golden.pixels()) {
            let channel =
                |channel: usize| pixel[channel].abs_diff(golden[channel]).saturating_mul(8);
            *pixel = image::Rgba([channel(0), channel(1), channel(2), 255]);
        }
        diff.save(folder.join(format!("{name}.diff.png"))).unwrap();
        panic!(
            "{name}: mean difference {mean:.2} (limit {MEAN}), 99 % below {percentile} (limit {PERCENTILE_99}); see {}",
            folder.display()
        );
    }
}

#[track_caller]
fn check_built_in(name: &str, model: &str, clip: &str, time: f64, more: &[&str]) {
    let Some(gpu) = gpu() else { return };
    let mut actor = actor(Path::new(model));
    let clip = rigscope::cli::find_clip(actor.model(), clip).unwrap();
    actor.pose_at(Some(clip), time);
    let typed = [
        &["--size", "256x256", "--fov", "30", "--background", "30353c"],
        more,
    ]
    .concat();
    check_golden(name, &to_image(&picture(&gpu, &mut actor, &typed)));
}

#[test]
fn golden_pip_walks() {
    check_built_in(
        "pip_walks",
        "builtin:pip",
        "Walk",
        0.3,
        &["--target", "0,0.65,0", "--orbit", "30,78,3.6"],
    );
}

#[test]
fn golden_pip_jumps_with_skeleton() {
    check_built_in(
        "pip_skeleton",
        "builtin:pip",
        "Jump",
        0.9,
        &["--target", "0,0.8,0", "--orbit", "-40,80,4", "--skeleton"],
    );
}

#[test]
fn golden_grid() {
    let Some(gpu) = gpu() else { return };
    let mut quad = quad(&[]);
    let typed = [
        "--size",
        "256x128",
        "--background",
        "30353c",
        "--grid",
        "--orbit",
        "30,70,6",
        "--target",
        "0,0,0",
    ];
    check_golden("grid", &to_image(&picture(&gpu, &mut quad, &typed)));
}

#[test]
fn golden_windmill_turns() {
    check_built_in(
        "windmill",
        "builtin:windmill",
        "Breeze",
        1.0,
        &["--target", "0,2.4,0", "--orbit", "35,75,19"],
    );
}
