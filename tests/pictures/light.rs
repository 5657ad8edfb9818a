//! Light whose answer is known: an even environment, lights by their formulas, shadows by geometry, tone curves by numbers.

use std::{f64::consts::PI, path::PathBuf};

use image::{ExtendedColorType, ImageEncoder as _};
use rigscope::{
    app::Actor,
    import::{Progress, read_panorama},
    render::Gpu,
};
use serde_json::{Value, json};

use super::{
    environment::{charlie, ggx},
    quad::{base_color, quad},
};
use crate::common::{gpu, picture, to_image};

/// Arguments under which light comes out as it is.
const AS_IT_IS: [&str; 2] = ["--tone", "none"];
const DARK: [&str; 4] = ["--environment-strength", "0", "--key-light", "off"];

/// The linear light of a pixel of a 64 × 64 picture.
pub(super) fn light(
    gpu: &Gpu,
    actor: &mut Actor,
    more: &[&str],
    orbit: &str,
    at: [u32; 2],
) -> [f64; 3] {
    let mut typed = vec![
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
    ];
    typed.extend(more);
    let pixel = to_image(&picture(gpu, actor, &typed))[(at[0], at[1])].0;
    [0, 1, 2].map(|channel| {
        let signal = f64::from(pixel[channel]) / 255.0;
        if signal <= 0.04045 {
            signal / 12.92
        } else {
            ((signal + 0.055) / 1.055).powf(2.4)
        }
    })
}

#[track_caller]
fn assert_near(found: f64, expected: f64, part: f64, what: &str) {
    // Half a step of eight bits is a large part of little light.
    let tolerance = part * expected.abs() + 0.002;
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: {found:.4}, not {expected:.4}"
    );
}

/// An environment as a .hdr file, in a folder of its own.
pub(super) fn hdr(name: &str, width: u32, radiance: impl Fn(u32, u32) -> [f32; 3]) -> PathBuf {
    let height = width / 2;
    let texels = (0..width * height).map(|at| image::Rgb(radiance(at % width, at / width)));
    let texels: Vec<_> = texels.collect();
    let mut bytes = Vec::new();
    image::codecs::hdr::HdrEncoder::new(&mut bytes)
        .encode(&texels, width as usize, height as usize)
        .unwrap();
    written(name, &bytes)
}

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("rigscope-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    path
}

fn surface(metallic: f64, roughness: f64) -> Value {
    json!([{ "pbrMetallicRoughness": {
        "metallicFactor": metallic, "roughnessFactor": roughness
    } }])
}

#[test]
fn even_an_environment_comes_back_as_it_is() {
    let Some(gpu) = gpu() else { return };
    let file = hdr("even.hdr", 64, |_, _| [0.5, 0.5, 0.5]);
    let mut more = vec!["--environment", file.to_str().unwrap()];
    more.extend(AS_IT_IS);
    for metallic in [0.0, 1.0] {
        for roughness in [0.0, 0.15, 0.3, 0.5, 0.7, 1.0] {
            // From straight ahead, and from 60 degrees aside.
            for orbit in ["0,90,3", "60,90,3"] {
                let mut quad = quad(&[("materials", surface(metallic, roughness))]);
                let [red, ..] = light(&gpu, &mut quad, &more, orbit, [32, 32]);
                let what = format!("metallic {metallic}, roughness {roughness}, {orbit}");
                assert_near(red, 0.5, 0.02, &what);
            }
        }
    }
    std::fs::remove_file(file).unwrap();
}

/// A mirror that faces +Z shows what lies there; turned by a quarter, what was at -X: turning runs from +Z towards +X.
#[test]
fn the_environment_lies_where_it_should_and_turns() {
    let Some(gpu) = gpu() else { return };
    // The middle is +X, a quarter to the right +Z, the left edge −X.
    let colors = [
        [0.8, 0.0, 0.0],
        [0.0, 0.8, 0.0],
        [0.0, 0.0, 0.8],
        [0.8, 0.8, 0.0],
    ];
    // Quarters around −X, −Z, +X, +Z.
    let file = hdr("quarters.hdr", 128, |x, _| {
        colors[(((x + 16) / 32) % 4) as usize]
    });
    let shows = |turn: &str, expected: usize| {
        let mut more = vec!["--environment", file.to_str().unwrap()];
        more.extend(["--environment-turn", turn]);
        more.extend(AS_IT_IS);
        let mut quad = quad(&[("materials", surface(1.0, 0.0))]);
        let found = light(&gpu, &mut quad, &more, "0,90,3", [32, 32]);
        for (found, expected) in found.iter().zip(colors[expected]) {
            // The smoothest lobe there is still sees a little of what lies around.
            let is_near = (found - f64::from(expected)).abs() < 0.03;
            assert!(is_near, "turn {turn}: {found:.4}, not {expected}");
        }
    };
    shows("0", 3);
    // What stood at −X has come to +Z.
    shows("90", 0);
    shows("180", 1);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn pictures_of_environments_are_decoded_exactly_and_broken_ones_say_why() {
    // Flat pixels of Radiance's format: mantissas over 256, times 2 to the exponent less 128.
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n".to_vec();
    bytes.extend([128, 64, 32, 129, 255, 0, 1, 132]);
    let file = written("flat.hdr", &bytes);
    let panorama = read_panorama(&file, &Progress::default()).unwrap();
    assert_eq!((panorama.width(), panorama.height()), (2, 1));
    let texels: Vec<_> = panorama.texels().iter().map(glam_array).collect();
    assert_eq!(texels, [[1.0, 0.5, 0.25], [15.9375, 0.0, 0.0625]]);
    bytes.truncate(bytes.len() - 3);
    std::fs::write(&file, &bytes).unwrap();
    let error = format!(
        "{:#}",
        read_panorama(&file, &Progress::default()).unwrap_err()
    );
    assert!(
        error.contains("flat.hdr") && error.contains("cannot be read"),
        "{error}"
    );
    std::fs::write(&file, b"\x89PNG\r\n\x1a\n").unwrap();
    let error = format!(
        "{:#}",
        read_panorama(&file, &Progress::default()).unwrap_err()
    );
    assert!(error.contains("neither"), "{error}");
    std::fs::remove_file(&file).unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    let floats: Vec<u8> = [1.5_f32, 0.25, 3.0, 0.0, 100.0, 0.5]
        .iter()
        .flat_map(|float| float.to_ne_bytes())
        .collect();
    image::codecs::openexr::OpenExrEncoder::new(&mut bytes)
        .write_image(&floats, 2, 1, ExtendedColorType::Rgb32F)
        .unwrap();
    let file = written("two.exr", bytes.get_ref());
    let panorama = read_panorama(&file, &Progress::default()).unwrap();
    let texels: Vec<_> = panorama.texels().iter().map(glam_array).collect();
    assert_eq!(texels, [[1.5, 0.25, 3.0], [0.0, 100.0, 0.5]]);
    std::fs::remove_file(file).unwrap();
}

fn glam_array(texel: &glam::Vec3) -> [f32; 3] {
    texel.to_array()
}

/// A quad that a light shines on from straight ahead.
fn lit_quad(light: Value, distance: f64) -> Actor {
    quad(&[
        ("extensionsUsed", json!(["KHR_lights_punctual"])),
        (
            "extensions",
            json!({ "KHR_lights_punctual": { "lights": [light] } }),
        ),
        ("materials", surface(0.0, 1.0)),
        (
            "nodes",
            json!([{ "mesh": 0, "children": [1] }, {
                "translation": [0.0, 0.0, distance],
                "extensions": { "KHR_lights_punctual": { "light": 0 } }
            }]),
        ),
    ])
}

#[test]
fn lights_of_the_file_fade_as_their_formulas_say() {
    let Some(gpu) = gpu() else { return };
    let mut more = AS_IT_IS.to_vec();
    more.extend(["--environment-strength", "0"]);
    let shine = |light_: Value, distance: f64| {
        let [red, ..] = light(
            &gpu,
            &mut lit_quad(light_, distance),
            &more,
            "0,90,3",
            [32, 32],
        );
        red
    };
    let directional = shine(json!({ "type": "directional", "intensity": 2.0 }), 1.0);
    // Straight ahead n·h = v·h = 1; a lobe of roughness 1 is 1/π wide and its visibility 1/4.
    let expected = 2.0 / PI * (0.96 + 0.04 / 4.0);
    assert_near(directional, expected, 0.03, "directional");
    let point = |distance: f64, range: f64| {
        let light = json!({ "type": "point", "intensity": 2.0, "range": range });
        shine(light, distance) / directional
    };
    // The pixel lies beside the middle of the picture by half a pixel: nothing that counts.
    assert_near(point(1.0, 1e6), 1.0, 0.01, "1 m");
    assert_near(point(2.0, 1e6), 0.25, 0.02, "2 m");
    assert_near(point(1.0, 2.0), 1.0 - 0.5_f64.powi(4), 0.02, "range 2");
    assert_near(point(1.0, 0.9), 0.0, 0.0, "out of range");
    // Half a millimetre away it goes on growing brighter, and shines from where it stands.
    let tiny = json!({ "type": "point", "intensity": 2.0 * 0.0005_f64.powi(2) });
    let [near, ..] = light(
        &gpu,
        &mut lit_quad(tiny, 0.0005),
        &more,
        "0,90,0.003",
        [32, 32],
    );
    assert_near(near / directional, 1.0, 0.02, "half a millimetre");
    // A spot that is turned away by 20 degrees.
    let spot = |inner: f64, outer: f64| {
        let half = 10_f64.to_radians();
        let mut quad = quad(&[
            ("extensionsUsed", json!(["KHR_lights_punctual"])),
            (
                "extensions",
                json!({ "KHR_lights_punctual": { "lights": [{
                    "type": "spot", "intensity": 2.0,
                    "spot": { "innerConeAngle": inner.to_radians(), "outerConeAngle": outer.to_radians() }
                }] } }),
            ),
            ("materials", surface(0.0, 1.0)),
            (
                "nodes",
                json!([{ "mesh": 0, "children": [1] }, {
                    "translation": [0.0, 0.0, 1.0],
                    "rotation": [0.0, half.sin(), 0.0, half.cos()],
                    "extensions": { "KHR_lights_punctual": { "light": 0 } }
                }]),
            ),
        ]);
        light(&gpu, &mut quad, &more, "0,90,3", [32, 32])[0] / directional
    };
    assert_near(spot(25.0, 30.0), 1.0, 0.02, "inside the cone");
    assert_near(spot(10.0, 19.0), 0.0, 0.0, "outside the cone");
    // The pixel's middle lies half a pixel to the right and below the axis: of 64 in a picture of 30 degrees from 3 m.
    let aside = 0.5 / 64.0 * 2.0 * 3.0 * 15_f64.to_radians().tan();
    let degrees = |angle: f64| angle.to_radians().cos();
    let along = 20_f64.to_radians();
    let cosine = (along.cos() - aside * along.sin()) / (1.0 + 2.0 * aside * aside).sqrt();
    let fading = (cosine - degrees(30.0)) / (degrees(10.0) - degrees(30.0));
    assert_near(spot(10.0, 30.0), fading * fading, 0.03, "between");
}

/// A floor of 8 × 8 at y = −1 and a plate of 1 × 1 at y = 0; the key light stands towards (0.45, 0.74, 0.5).
#[test]
fn the_shadow_falls_where_geometry_says() {
    let Some(gpu) = gpu() else { return };
    let flat = [-0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    let mut scene = quad(&[
        ("materials", surface(0.0, 1.0)),
        ("scenes", json!([{ "nodes": [0, 1] }])),
        (
            "nodes",
            json!([
                { "mesh": 0, "rotation": flat, "scale": [4.0, 4.0, 4.0], "translation": [0.0, -1.0, 0.0] },
                { "mesh": 0, "rotation": flat, "scale": [0.5, 0.5, 0.5] }
            ]),
        ),
    ]);
    let mut more = AS_IT_IS.to_vec();
    more.extend(["--environment-strength", "0"]);
    // From above, up is −Z; 1 m at the floor's distance of 11 m is 64 / (2 × 11 × tan 15°) pixels.
    let scale = 64.0 / (2.0 * 11.0 * 15_f64.to_radians().tan());
    let mut brightness = |x: f64, z: f64| {
        let at = [32.0 + x * scale, 32.0 + z * scale].map(|pixel| pixel as u32);
        light(&gpu, &mut scene, &more, "0,0,10", at)[0]
    };
    // A metre below the plate its shadow is moved by that much.
    let (x, z) = (-0.45 / 0.74, -0.50 / 0.74);
    let lit = brightness(2.0, 2.0);
    assert!(lit > 0.3, "{lit}");
    // The plate hides part of its shadow from above; these lie beside it.
    for (along, across) in [(-0.3, -0.3), (-0.3, 0.0), (0.0, -0.3), (-0.35, 0.3)] {
        let found = brightness(x + along, z + across);
        assert!(found < 0.01, "in shadow at {along}, {across}: {found}");
    }
    for (along, across) in [(-0.75, 0.0), (0.0, -0.75), (1.4, 0.2), (-0.75, -0.75)] {
        let found = brightness(x + along, z + across);
        assert_near(found, lit, 0.02, &format!("in light at {along}, {across}"));
    }
}

/// A quad that gives light of its own and nothing else.
fn glowing(color: [f64; 3]) -> Actor {
    let strongest = color.into_iter().fold(0.0, f64::max);
    quad(&[
        ("extensionsUsed", json!(["KHR_materials_emissive_strength"])),
        (
            "materials",
            json!([{
                "pbrMetallicRoughness": base_color([0.0, 0.0, 0.0, 1.0]),
                "emissiveFactor": color.map(|part| part / strongest),
                "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": strongest } }
            }]),
        ),
    ])
}

#[test]
fn tone_curves_are_those_that_were_published() {
    let Some(gpu) = gpu() else { return };
    for color in [
        [0.02, 0.01, 0.05],
        [0.18, 0.18, 0.18],
        [0.5, 0.3, 0.1],
        [1.0, 1.0, 1.0],
        [4.0, 1.0, 0.2],
        [20.0, 20.0, 5.0],
    ] {
        for (name, curve) in [
            ("none", none as fn([f64; 3]) -> [f64; 3]),
            ("neutral", neutral),
            ("aces", aces),
            ("agx", agx),
        ] {
            let mut more = DARK.to_vec();
            more.extend(["--tone", name]);
            let found = light(&gpu, &mut glowing(color), &more, "0,90,3", [32, 32]);
            for (found, expected) in found.iter().zip(curve(color)) {
                assert_near(*found, expected, 0.015, &format!("{name} of {color:?}"));
            }
        }
    }
}

#[test]
fn a_stop_of_exposure_doubles_light() {
    let Some(gpu) = gpu() else { return };
    let mut more = DARK.to_vec();
    more.extend(["--tone", "none", "--exposure", "1"]);
    let [red, green, blue] = light(
        &gpu,
        &mut glowing([0.25, 0.1, 0.4]),
        &more,
        "0,90,3",
        [32, 32],
    );
    for (found, expected) in [(red, 0.5), (green, 0.2), (blue, 0.8)] {
        assert_near(found, expected, 0.01, "exposure 1");
    }
}

fn none(color: [f64; 3]) -> [f64; 3] {
    color.map(|part| part.min(1.0))
}

/// "Khronos PBR Neutral Tone Mapper Specification", 2024.
fn neutral(color: [f64; 3]) -> [f64; 3] {
    let least = color.into_iter().fold(f64::INFINITY, f64::min);
    let offset = if least < 0.08 {
        least - 6.25 * least * least
    } else {
        0.04
    };
    let color = color.map(|part| part - offset);
    let peak = color.into_iter().fold(0.0, f64::max);
    if peak < 0.76 {
        return color;
    }
    let new_peak = 1.0 - 0.24 * 0.24 / (peak + 0.24 - 0.76);
    let white = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    color.map(|part| part * new_peak / peak * (1.0 - white) + new_peak * white)
}

fn through(matrix: [[f64; 3]; 3], color: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(color).map(|(a, b)| a * b).sum())
}

/// S. Hill's fit, with the exposure of 1/0.6.
fn aces(color: [f64; 3]) -> [f64; 3] {
    let into = [
        [0.59719, 0.35458, 0.04823],
        [0.07600, 0.90834, 0.01566],
        [0.02840, 0.13383, 0.83777],
    ];
    let back = [
        [1.60475, -0.53108, -0.07367],
        [-0.10208, 1.10813, -0.00605],
        [-0.00327, -0.07276, 1.07602],
    ];
    let fitted = through(into, color.map(|part| part / 0.6))
        .map(|v| (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081));
    through(back, fitted).map(|part| part.clamp(0.0, 1.0))
}

/// B. Wrensch's fit.
fn agx(color: [f64; 3]) -> [f64; 3] {
    let into = [
        [0.842479062253094, 0.0784335999999992, 0.0792237451477643],
        [0.0423282422610123, 0.878468636469772, 0.0791661274605434],
        [0.0423756549057051, 0.0784336, 0.879142973793104],
    ];
    let back = [
        [1.19687900512017, -0.0980208811401368, -0.0990297440797205],
        [-0.0528968517574562, 1.15190312990417, -0.0989611768448433],
        [-0.0529716355144438, -0.0980434501171241, 1.15107367264116],
    ];
    let bent = through(into, color).map(|part| {
        let x = ((part.max(1e-10).log2() + 12.47393) / 16.5).clamp(0.0, 1.0);
        let terms = [-0.00232, 0.1191, 0.4298, -6.868, 31.96, -40.14, 15.5];
        terms.iter().rev().fold(0.0, |sum, term| sum * x + term)
    });
    through(back, bent).map(|part| part.clamp(0.0, 1.0).powf(2.2))
}

/// The table of shares against integrals by another way: over directions of light, not over half vectors.
#[test]
fn the_table_of_shares_holds_the_integrals() {
    let table = include_bytes!("../../assets/shares.bin");
    let side = 32;
    let entry = |row: usize, column: usize, part: usize| {
        let at = 8 * (row * side + column) + 2 * part;
        let bits = u16::from_le_bytes([table[at], table[at + 1]]);
        let (exponent, mantissa) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
        if exponent == 0 {
            mantissa / 1024.0 * 2_f64.powi(-14)
        } else {
            (1.0 + mantissa / 1024.0) * 2_f64.powi(exponent - 15)
        }
    };
    // Between entries, as shaders look it up.
    let looked_up = |n_v: f64, roughness: f64, part: usize| {
        let (x, y) = (n_v * 31.0, roughness * 31.0);
        let (column, row) = (x.floor().min(30.0) as usize, y.floor().min(30.0) as usize);
        let (u, v) = (x - column as f64, y - row as f64);
        let upper = entry(row, column, part) * (1.0 - u) + entry(row, column + 1, part) * u;
        let lower = entry(row + 1, column, part) * (1.0 - u) + entry(row + 1, column + 1, part) * u;
        upper * (1.0 - v) + lower * v
    };
    for roughness in [0.31_f64, 0.5, 0.77, 0.95] {
        for n_v in [0.12_f64, 0.33, 0.61, 0.9, 1.0] {
            let (mut scale, mut bias, mut sheen) = (0.0, 0.0, 0.0);
            let (rings, parts) = (600, 300);
            for ring in 0..rings {
                let n_l = (f64::from(ring) + 0.5) / f64::from(rings);
                for part in 0..parts {
                    let around = PI * (f64::from(part) + 0.5) / f64::from(parts);
                    let v_l =
                        (1.0 - n_v * n_v).max(0.0).sqrt() * (1.0 - n_l * n_l).sqrt() * around.cos()
                            + n_v * n_l;
                    let half = (2.0 + 2.0 * v_l).sqrt();
                    let (n_h, v_h) = ((n_v + n_l) / half, (1.0 + v_l) / half);
                    let fresnel = (1.0 - v_h).powi(5);
                    let returned = ggx(roughness * roughness, n_l, n_v, n_h) * n_l;
                    scale += (1.0 - fresnel) * returned;
                    bias += fresnel * returned;
                    sheen += charlie(roughness * roughness, n_l, n_v, n_h) * n_l;
                }
            }
            let share = 2.0 * PI / f64::from(rings * parts);
            for (part, integral) in [(0, scale), (1, bias), (2, sheen)] {
                let found = looked_up(n_v, roughness, part);
                let expected = (integral * share).min(1.0);
                assert!(
                    (found - expected).abs() < 0.012,
                    "part {part} at n·v {n_v}, roughness {roughness}: {found:.4}, not {expected:.4}"
                );
            }
        }
    }
}
