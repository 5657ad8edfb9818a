//! Colours that are shown as they are, where they blend: they mix as colours of the screen, in linear numbers, whatever the
//! tone curve and the exposure make of light (`KHR_materials_unlit`).

use rigscope::{app::Actor, render::Gpu};
use serde_json::{Value, json};

use super::{
    quad::{base_color, quad},
    transparency::{clear_glass, paint, quads},
};
use crate::common::{gpu, picture, to_image};

pub(super) type Rgb = [f64; 3];

pub(super) const ORANGE: Rgb = [0.9, 0.35, 0.02];
pub(super) const BLUE: Rgb = [0.05, 0.1, 0.8];
pub(super) const GREEN: Rgb = [0.1, 0.7, 0.2];
pub(super) const WHITE: Rgb = [1.0; 3];

const BLACK: Rgb = [0.0; 3];

/// Tone curves with exposures.
const LIGHTS: [[&str; 3]; 4] = [
    ["--tone", "none", "--exposure=0"],
    ["--tone", "neutral", "--exposure=-2"],
    ["--tone", "aces", "--exposure=1.5"],
    ["--tone", "agx", "--exposure=0"],
];
const SORTED: [&str; 2] = ["--transparency", "sorted"];
const WEIGHTED: [&str; 2] = ["--transparency", "weighted"];

pub(super) fn painted([red, green, blue]: Rgb, alpha: f64) -> Value {
    paint([red, green, blue, alpha])
}

/// Gives light by itself and gets none: black, rough and without reflection.
fn glowing(light: Rgb, alpha: f64) -> Value {
    let strength = light.into_iter().fold(1.0, f64::max);
    json!({
        "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, alpha], "metallicFactor": 0, "roughnessFactor": 1 },
        "doubleSided": true,
        "emissiveFactor": light.map(|part| part / strength),
        "alphaMode": if alpha < 1.0 { "BLEND" } else { "OPAQUE" },
        "extensions": {
            "KHR_materials_specular": { "specularFactor": 0.0 },
            "KHR_materials_emissive_strength": { "emissiveStrength": strength }
        }
    })
}

pub(super) fn at(z: f64) -> Value {
    json!({ "translation": [0, 0, z] })
}

pub(super) fn over(above: Rgb, share: f64, below: Rgb) -> Rgb {
    std::array::from_fn(|part| share * above[part] + (1.0 - share) * below[part])
}

/// As the screen has it (IEC 61966-2-1).
pub(super) fn screen(color: Rgb) -> Rgb {
    color.map(|part| {
        let signal = if part <= 0.003_130_8 {
            12.92 * part
        } else {
            1.055 * part.powf(1.0 / 2.4) - 0.055
        };
        255.0 * signal
    })
}

/// The other way round.
pub(super) fn linear(pixel: [u8; 4]) -> Rgb {
    let [red, green, blue, _] = pixel.map(|signal| f64::from(signal) / 255.0);
    [red, green, blue].map(|signal| {
        if signal <= 0.040_45 {
            signal / 12.92
        } else {
            ((signal + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// Most tests are about panes that fill the picture.
fn draw(gpu: &Gpu, actor: &mut Actor, typed: &[&str]) -> image::RgbaImage {
    let mut all = vec![
        "--size", "32x32", "--target", "0,0,0", "--orbit", "0,90,5", "--fov", "15",
    ];
    all.extend(typed);
    if !typed.contains(&"--background") {
        all.extend(["--background", "none"]);
    }
    to_image(&picture(gpu, actor, &all))
}

fn middle(gpu: &Gpu, actor: &mut Actor, typed: &[&str]) -> [u8; 4] {
    draw(gpu, actor, typed)[(16, 16)].0
}

#[track_caller]
pub(super) fn assert_shown(found: [u8; 4], color: Rgb, alpha: f64, what: &str) {
    let expected = screen(color);
    for (found, expected) in found.into_iter().zip(expected) {
        let error = (f64::from(found) - expected).abs();
        assert!(error <= 2.0, "{what}: {found} instead of {expected:.1}");
    }
    let error = (f64::from(found[3]) - 255.0 * alpha).abs();
    assert!(error <= 1.0, "{what}: alpha {}", found[3]);
}

#[test]
fn half_transparent_blue_over_orange_is_their_mean() {
    let Some(gpu) = gpu() else { return };
    let pane = (painted(BLUE, 0.5), at(0.0));
    let mut scene = quads(&[pane.clone(), (painted(ORANGE, 1.0), at(-1.0))]);
    let expected = over(BLUE, 0.5, ORANGE);
    for (light, way) in LIGHTS
        .into_iter()
        .flat_map(|it| [(it, SORTED), (it, WEIGHTED)])
    {
        let typed = [&light[..], &way].concat();
        let found = middle(&gpu, &mut scene, &typed);
        assert_shown(found, expected, 1.0, &typed.join(" "));
    }
    let low = ["--quality", "low"];
    assert_shown(middle(&gpu, &mut scene, &low), expected, 1.0, "low");
    let mut cut_out = painted(ORANGE, 1.0);
    cut_out["alphaMode"] = json!("MASK");
    let mut scene = quads(&[pane, (cut_out, at(-1.0))]);
    assert_shown(middle(&gpu, &mut scene, &[]), expected, 1.0, "masked");
}

#[test]
fn layers_lie_one_over_the_other() {
    let Some(gpu) = gpu() else { return };
    let panes = [
        (painted(GREEN, 0.25), at(0.6)),
        (painted(WHITE, 0.3), at(0.3)),
        (painted(BLUE, 0.5), at(0.0)),
    ];
    let shown = over(GREEN, 0.25, over(WHITE, 0.3, over(BLUE, 0.5, BLACK)));
    let left = 0.75 * 0.7 * 0.5;
    let wall = [(painted(WHITE, 1.0), at(-1.0))];
    let mut alone = quads(&panes);
    let mut before_white = quads(&[&panes[..], &wall].concat());
    for light in LIGHTS {
        let what = light.join(" ");
        let found = middle(&gpu, &mut before_white, &light);
        assert_shown(found, shown.map(|part| part + left), 1.0, &what);
        let found = middle(&gpu, &mut alone, &light);
        let unmixed = shown.map(|part| part / (1.0 - left));
        assert_shown(found, unmixed, 1.0 - left, &what);
        let typed = [&light[..], &["--background", "336699"]].concat();
        let background = linear([0x33, 0x66, 0x99, 255]);
        let behind: Rgb = std::array::from_fn(|part| shown[part] + left * background[part]);
        assert_shown(middle(&gpu, &mut alone, &typed), behind, 1.0, &what);
    }
}

/// In no order, and as far away, layers weigh as much as they hide.
#[test]
fn summed_up_layers_mix_by_what_they_hide() {
    let Some(gpu) = gpu() else { return };
    let wall = (painted(ORANGE, 1.0), at(-1.0));
    let mut both = quads(&[
        (painted(BLUE, 0.5), at(0.0)),
        (painted(GREEN, 0.5), at(0.0)),
        wall.clone(),
    ]);
    let glow = [0.6, 0.2, 1.5];
    let mut lit_alone = quads(&[(glowing(glow, 1.0), at(0.0))]);
    let mut with_light = quads(&[
        (painted(BLUE, 0.5), at(0.0)),
        (glowing(glow, 0.5), at(0.0)),
        wall,
    ]);
    for light in LIGHTS {
        let typed = [&light[..], &WEIGHTED].concat();
        let what = typed.join(" ");
        let expected = over(over(BLUE, 0.5, GREEN), 0.75, ORANGE);
        assert_shown(middle(&gpu, &mut both, &typed), expected, 1.0, &what);
        let bent = linear(middle(&gpu, &mut lit_alone, &typed));
        let expected = over(over(BLUE, 0.5, bent), 0.75, ORANGE);
        assert_shown(middle(&gpu, &mut with_light, &typed), expected, 1.0, &what);
    }
}

/// What the tone curve makes of light is one colour, what is shown as it is another: they mix as these.
#[test]
fn light_and_colors_that_are_shown_mix_behind_the_curve() {
    let Some(gpu) = gpu() else { return };
    let glow = [0.4, 0.9, 3.0];
    let mut alone = quads(&[(glowing(glow, 1.0), at(0.0))]);
    let before = |share, wall: Value| quads(&[(glowing(glow, share), at(0.0)), (wall, at(-1.0))]);
    let mut color_before_light = quads(&[
        (painted(ORANGE, 0.5), at(0.0)),
        (glowing(glow, 1.0), at(-1.0)),
    ]);
    let mut light_before_color = before(0.5, painted(WHITE, 1.0));
    let mut light_before_pane = before(0.5, painted(BLUE, 0.5));
    let ways = LIGHTS.map(|light| (light, SORTED)).into_iter();
    for (light, way) in ways.chain([(LIGHTS[2], WEIGHTED)]) {
        let typed = [&light[..], &way].concat();
        let what = typed.join(" ");
        let bent = linear(middle(&gpu, &mut alone, &typed));
        let found = middle(&gpu, &mut color_before_light, &typed);
        assert_shown(found, over(ORANGE, 0.5, bent), 1.0, &what);
        let found = middle(&gpu, &mut light_before_color, &typed);
        assert_shown(found, over(bent, 0.5, WHITE), 1.0, &what);
        if way == SORTED {
            let found = middle(&gpu, &mut light_before_pane, &typed);
            assert_shown(found, over(bent, 2.0 / 3.0, BLUE), 0.75, &what);
        }
    }
}

/// Whatever is behind: environment, grid, shadow on the ground, lit things. The pane takes as much of each pixel.
#[test]
fn a_pane_takes_its_share_of_all_that_is_behind() {
    let Some(gpu) = gpu() else { return };
    let lit = json!({ "pbrMetallicRoughness": { "baseColorFactor": [0.8, 0.5, 0.3, 1.0], "roughnessFactor": 0.3 } });
    let thing = json!({ "translation": [0, 0, -1], "scale": [0.4, 0.4, 1], "rotation": [0.0, 0.38, 0.0, 0.925] });
    // Too thin for a shadow of its own; the other is cut out as a whole, so that bounds are the same.
    let pane = painted(BLUE, 0.4);
    let mut nothing = painted(BLUE, 0.4);
    nothing["alphaMode"] = json!("MASK");
    let place = json!({ "translation": [0, 0, 0.5], "scale": [4, 4, 1] });
    let mut with = quads(&[(lit.clone(), thing.clone()), (pane, place.clone())]);
    let mut without = quads(&[(lit, thing), (nothing, place)]);
    for (background, light, way) in [
        ("environment", LIGHTS[2], SORTED),
        ("c0d0e0", LIGHTS[1], WEIGHTED),
        ("environment", LIGHTS[3], WEIGHTED),
    ] {
        let typed = [
            "--size",
            "64x64",
            "--target",
            "0,-0.4,0",
            "--orbit",
            "20,75,5",
            "--fov",
            "40",
            "--grid",
            "--ground",
            "--background",
            background,
        ];
        let typed = [&typed[..], &light, &way].concat();
        let [with, without] =
            [&mut with, &mut without].map(|actor| to_image(&picture(&gpu, actor, &typed)));
        for (at, (with, without)) in with.pixels().zip(without.pixels()).enumerate() {
            let expected = over(BLUE, 0.4, linear(without.0));
            let place = format!("{} at {}, {}", typed.join(" "), at % 64, at / 64);
            assert_shown(with.0, expected, 1.0, &place);
        }
    }
}

/// Side by side and opaque, colours that files give as sRGB come out as they are, white too, by any curve.
#[test]
fn opaque_colors_are_exact() {
    const SIDE: usize = 16;
    const CELL: usize = 8;
    let Some(gpu) = gpu() else { return };
    let greys = (0..=255).map(|grey| [grey; 3]);
    let parts: &[u8] = &[0, 1, 64, 128, 254, 255];
    let others = parts.iter().flat_map(|red| {
        let green = parts.iter();
        green.flat_map(move |green| parts.iter().map(move |blue| [*red, *green, *blue]))
    });
    let size = format!("{0}x{0}", SIDE * CELL);
    // So much of the plane through the middle is seen.
    let cell = 2.0 * 5.0 * 7.5_f64.to_radians().tan() / SIDE as f64;
    for colors in [greys.collect(), others.collect::<Vec<[u8; 3]>>()] {
        let cells = colors.iter().enumerate().map(|(place, &[red, green, blue])| {
            let [column, row] = [place % SIDE, place / SIDE].map(|it| it as f64 - 7.5);
            let scale = 0.45 * cell;
            let node = json!({ "translation": [column * cell, -row * cell, 0], "scale": [scale, scale, 1] });
            (painted(linear([red, green, blue, 255]), 1.0), node)
        });
        let mut scene = quads(&cells.collect::<Vec<_>>());
        for light in LIGHTS {
            let typed = [
                "--size", &size, "--target", "0,0,0", "--orbit", "0,90,5", "--fov", "15",
            ];
            let picture = to_image(&picture(&gpu, &mut scene, &[&typed[..], &light].concat()));
            for (place, color) in colors.iter().enumerate() {
                let [x, y] = [place % SIDE, place / SIDE].map(|it| (CELL * it + CELL / 2) as u32);
                assert_eq!(picture[(x, y)].0[..3], color[..], "{light:?}");
            }
        }
    }
}

/// At low quality samples of their own are for what blends alone: without them white is a little darker by this curve.
#[test]
fn low_quality_is_exact_where_something_blends() {
    let Some(gpu) = gpu() else { return };
    let wall = (painted(WHITE, 1.0), at(-1.0));
    let beside = (
        painted(BLUE, 0.5),
        json!({ "translation": [0.6, 0, 0], "scale": [0.1, 0.1, 1] }),
    );
    let mut opaque = quads(std::slice::from_ref(&wall));
    let mut mixed = quads(&[wall, beside]);
    for (quality, expected) in [("full", 255), ("low", 253)] {
        let typed = ["--tone", "neutral", "--quality", quality];
        let found = middle(&gpu, &mut opaque, &typed);
        assert_eq!(found, [expected, expected, expected, 255], "{quality}");
        let found = middle(&gpu, &mut mixed, &typed);
        assert_eq!(found, [255; 4], "{quality}");
    }
}

/// Edges of what is shown as it is: each of four samples is one or the other.
#[test]
fn edges_mix_by_their_samples() {
    let Some(gpu) = gpu() else { return };
    let askew = json!({ "scale": [0.4, 0.4, 1], "rotation": [0.0, 0.0, 0.1, 0.995] });
    let mut scene = quads(&[
        (painted(WHITE, 1.0), askew),
        (painted(BLACK, 1.0), at(-1.0)),
    ]);
    for light in LIGHTS {
        let picture = draw(&gpu, &mut scene, &light);
        let mut between = 0;
        for pixel in picture.pixels() {
            let shares = linear(pixel.0).map(|part| 4.0 * part);
            for share in shares {
                assert!(
                    (share - share.round()).abs() < 0.06,
                    "{light:?}: {shares:?}"
                );
            }
            between += usize::from((1.0..=3.0).contains(&shares[0].round()));
        }
        assert!(between > 20, "{light:?}: {between}");
    }
}

/// Clear glass changes nothing of the mixture behind it.
#[test]
fn mixtures_are_the_same_through_clear_glass() {
    let Some(gpu) = gpu() else { return };
    let orange = (painted(ORANGE, 1.0), at(-1.0));
    let glowing = (glowing([0.3, 0.6, 0.1], 1.0), at(-1.0));
    let before = (painted(GREEN, 0.3), at(0.6));
    let behind = (painted(BLUE, 0.5), at(-0.5));
    for mut parts in [
        vec![orange.clone(), before.clone()],
        vec![orange, before.clone(), behind.clone()],
        vec![glowing, before, behind.clone()],
    ] {
        let mut without = quads(&parts);
        parts.push((clear_glass(), at(0.0)));
        let mut with = quads(&parts);
        for light in [LIGHTS[1], LIGHTS[3]] {
            let found = middle(&gpu, &mut with, &light);
            let expected = linear(middle(&gpu, &mut without, &light));
            assert_shown(found, expected, 1.0, &light.join(" "));
        }
    }
    // Nothing but a pane behind it: so much of the picture is seen as the pane hides.
    let mut pane = quads(&[behind, (clear_glass(), at(0.0))]);
    let found = middle(&gpu, &mut pane, &LIGHTS[2]);
    assert_shown(found, BLUE, 0.5, "a pane alone");
}

/// Lines without normals are shown as they are, too (glTF 2.0 §3.9.7).
#[test]
fn blended_lines_without_normals_mix_as_they_are_shown() {
    let Some(gpu) = gpu() else { return };
    let line = json!({
        "pbrMetallicRoughness": base_color([BLUE[0], BLUE[1], BLUE[2], 0.5]), "alphaMode": "BLEND"
    });
    let mesh = |material: usize, mode: u32| json!({ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 2, "material": material, "mode": mode }] });
    let mut scene = quad(&[
        ("materials", json!([line, painted(ORANGE, 1.0)])),
        ("meshes", json!([mesh(0, 1), mesh(1, 4)])),
        (
            "nodes",
            json!([{ "mesh": 0 }, { "mesh": 1, "translation": [0, 0, -1], "scale": [2, 2, 1] }]),
        ),
        ("scenes", json!([{ "nodes": [0, 1] }])),
    ]);
    for light in LIGHTS {
        let picture = draw(&gpu, &mut scene, &light);
        let wall = linear(picture[(4, 16)].0);
        let shares = |pixel: &image::Rgba<u8>| {
            let found = linear(pixel.0);
            [0, 2].map(|part| (found[part] - wall[part]) / (BLUE[part] - wall[part]))
        };
        let most = picture
            .pixels()
            .map(shares)
            .max_by(|a, b| a[0].total_cmp(&b[0]));
        let [red, blue] = most.unwrap();
        assert!(red > 0.2, "{light:?}: the line is there: {red}");
        assert!((red - blue).abs() < 0.02, "{light:?}: {red} {blue}");
    }
}

/// A crowd of them: each pane takes its share of what is behind it, so no pixel is brighter than its colours allow.
#[test]
fn crowds_mix_as_they_are_shown() {
    let Some(gpu) = gpu() else { return };
    let mut scene = quads(&[
        (painted(BLUE, 0.5), at(0.0)),
        (painted(ORANGE, 1.0), at(-1.0)),
    ]);
    for (light, way) in [(LIGHTS[1], SORTED), (LIGHTS[3], WEIGHTED)] {
        let typed = ["--size", "48x48", "--crowd", "4", "--background", "none"];
        let typed = [&typed[..], &light, &way].concat();
        let picture = to_image(&picture(&gpu, &mut scene, &typed));
        let expected = screen(over(BLUE, 0.5, ORANGE));
        let exact = picture.pixels().filter(|pixel| {
            let parts = pixel.0.into_iter().zip(expected);
            pixel.0[3] == 255
                && parts
                    .into_iter()
                    .all(|(a, b)| (f64::from(a) - b).abs() <= 2.0)
        });
        let exact = exact.count();
        assert!(exact > 40, "{}: {exact}", typed.join(" "));
    }
}
