//! Light that passes through surfaces: a pane of glass before a wall whose colours are known.

use glam::{Affine3A, Vec3};
use rigscope::{
    anim::to_palette_matrix,
    app::Actor,
    model::{
        ClipBuilder, Interpolation, MaterialProperty, Model, NodeId, PropertyTarget, Timeline,
    },
    render::Gpu,
    scene::{OrbitCamera, Overlay, OverlayShape, Reach, ViewMode, pick_bone},
};
use serde_json::{Value, json};

use super::quad::{assert_color, base_color, lit_mesh, quad};
use crate::common::{gpu, picture, to_image};

/// The camera's distance from the pane, which lies in the plane of x and y.
const EYE: f64 = 3.0;
/// How far the wall is behind the pane.
const WALL: f64 = 1.0;
/// Where the wall's colour changes.
const EDGE: f64 = 0.4;
/// Tangent of half the angle of view, 30°.
const HALF_VIEW: f64 = 0.267_949_192;
const SIZE: u32 = 256;

/// A pane of this material before an unlit wall: one colour on the left of `EDGE`, another on its right.
fn pane_before_wall(pane: &Value, scale: f64, left: [f64; 3], right: [f64; 3]) -> Actor {
    let paint = |[red, green, blue]: [f64; 3]| {
        let color = base_color([red, green, blue, 1.0]);
        json!({ "pbrMetallicRoughness": color, "extensions": { "KHR_materials_unlit": {} } })
    };
    let wall = |mesh: u32, side: f64| json!({ "mesh": mesh, "scale": [4, 4, 1], "translation": [EDGE + 4.0 * side, 0, -WALL] });
    let mut nodes = vec![wall(1, -1.0), wall(2, 1.0)];
    let mut used = vec!["KHR_materials_unlit".to_owned()];
    if !pane.is_null() {
        nodes.push(json!({ "mesh": 0, "scale": [scale, scale, scale] }));
        used.extend(pane["extensions"].as_object().unwrap().keys().cloned());
    }
    let roots: Vec<_> = (0..nodes.len()).collect();
    let pane = if pane.is_null() {
        json!({})
    } else {
        pane.clone()
    };
    quad(&[
        ("materials", json!([pane, paint(left), paint(right)])),
        ("meshes", json!([lit_mesh(0), lit_mesh(1), lit_mesh(2)])),
        ("nodes", json!(nodes)),
        ("scenes", json!([{ "nodes": roots }])),
        ("extensionsUsed", json!(used)),
    ])
}

/// Glass that reflects nothing, so that only what passes through it is seen.
fn glass(color: [f64; 3], roughness: f64, ior: f64, more: &Value) -> Value {
    let [red, green, blue] = color;
    let mut extensions = json!({
        "KHR_materials_transmission": { "transmissionFactor": 1.0 },
        "KHR_materials_specular": { "specularFactor": 0.0 },
        "KHR_materials_ior": { "ior": ior }
    });
    for (key, value) in more.as_object().unwrap() {
        extensions[key] = value.clone();
    }
    json!({
        "pbrMetallicRoughness": {
            "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": roughness
        },
        "extensions": extensions
    })
}

fn draw(gpu: &Gpu, actor: &mut Actor) -> image::RgbaImage {
    draw_before(gpu, actor, "none", "none")
}

fn draw_before(gpu: &Gpu, actor: &mut Actor, background: &str, tone: &str) -> image::RgbaImage {
    let (orbit, size) = (format!("0,90,{EYE}"), format!("{SIZE}x{SIZE}"));
    let typed = [
        "--size",
        &size,
        "--background",
        background,
        "--target",
        "0,0,0",
        "--orbit",
        &orbit,
        "--tone",
        tone,
        "--fov",
        "30",
    ];
    to_image(&picture(gpu, actor, &typed))
}

fn middle(gpu: &Gpu, actor: &mut Actor) -> [u8; 4] {
    draw(gpu, actor)[(SIZE / 2, SIZE / 2)].0
}

const WHITE: [f64; 3] = [1.0; 3];
const PAINT: [f64; 3] = [0.5, 0.25, 0.125];

#[test]
fn clear_glass_shows_what_is_behind_it_and_colored_glass_its_product() {
    let Some(gpu) = gpu() else { return };
    let through = |color: [f64; 3]| {
        let pane = glass(color, 0.0, 1.5, &json!({}));
        middle(&gpu, &mut pane_before_wall(&pane, 0.5, PAINT, PAINT))
    };
    let bare = |[red, green, blue]: [f64; 3]| {
        middle(
            &gpu,
            &mut pane_before_wall(&Value::Null, 0.5, [red, green, blue], [red, green, blue]),
        )
    };
    assert_color(through(WHITE), bare(PAINT));
    assert_color(through([0.5, 1.0, 0.2]), bare([0.25, 0.25, 0.025]));
}

/// A pane of paint before the wall; as the file has it no light passes, but in its clip all does.
fn clearing_pane() -> Actor {
    let mut pane = glass(WHITE, 0.0, 1.5, &json!({}));
    pane["extensions"]["KHR_materials_transmission"] = json!({});
    let mut clip = ClipBuilder::new("clears");
    let times = clip.timeline(Timeline::new(vec![0.0]).unwrap());
    let target = PropertyTarget::Material(0, MaterialProperty::Transmission);
    clip.property(target, times, Interpolation::Step, vec![1.0])
        .unwrap();
    Actor::new(Model {
        clips: vec![clip.finish()],
        ..pane_before_wall(&pane, 0.5, PAINT, PAINT).model().clone()
    })
}

#[test]
fn clips_make_glass_of_what_is_none() {
    let Some(gpu) = gpu() else { return };
    let bare = middle(&gpu, &mut pane_before_wall(&Value::Null, 0.5, PAINT, PAINT));
    let mut pane = clearing_pane();
    let closed = middle(&gpu, &mut pane);
    assert!(closed[2] > bare[2] + 20, "{closed:?} before {bare:?}");
    pane.pose_at(Some(0), 0.0);
    assert_color(middle(&gpu, &mut pane), bare);
}

/// What hides the skeleton in the picture hides it from the pointer: not what may become glass.
#[test]
fn joints_are_picked_behind_glass_alone() {
    let place = Affine3A::from_scale_rotation_translation(
        Vec3::splat(0.2),
        glam::Quat::IDENTITY,
        Vec3::new(0.0, 0.0, -0.5),
    );
    let joint = OverlayShape {
        world_from_shape: to_palette_matrix(&place),
        color: [1.0; 4],
        node: NodeId(7),
    };
    let overlay = Overlay {
        joints: vec![joint],
        is_hidden_by_scene: true,
        ..Overlay::default()
    };
    let camera = OrbitCamera {
        target: Vec3::ZERO,
        azimuth_radians: 0.0,
        polar_radians: std::f32::consts::FRAC_PI_2,
        radius: EYE as f32,
        ..OrbitCamera::default()
    };
    // Beside the edge that the triangles of the pane share.
    let ray = camera.view(1.0).ray([0.05, 0.02]);
    let reach = Reach {
        at_origin: 0.0,
        per_distance: 0.0,
    };
    let picked = |actor: &Actor| {
        let surfaces = actor.surfaces(None, ViewMode::Lit);
        pick_bone(&overlay, &surfaces, &ray, reach)
    };
    let pane = |factor: f64| {
        let mut pane = glass(WHITE, 0.0, 1.5, &json!({}));
        pane["extensions"]["KHR_materials_transmission"] = json!({ "transmissionFactor": factor });
        pane_before_wall(&pane, 0.5, PAINT, PAINT)
    };
    assert_eq!(picked(&pane(1.0)), Some(NodeId(7)));
    assert_eq!(picked(&pane(0.0)), None);
    assert_eq!(picked(&clearing_pane()), Some(NodeId(7)));
}

/// `KHR_materials_volume`, "Attenuation": the share of light that is left is colour^(way / distance).
#[test]
fn the_inside_takes_its_share_by_beers_law() {
    let Some(gpu) = gpu() else { return };
    let color = [0.5, 0.8, 1.0];
    // A scale of the node makes the inside thicker.
    for (thickness, scale) in [(0.2, 0.5), (0.4, 0.5), (0.4, 1.0)] {
        let inside = json!({ "KHR_materials_volume": {
            "thicknessFactor": thickness, "attenuationDistance": 0.1, "attenuationColor": color
        }});
        let pane = glass(WHITE, 0.0, 1.0, &inside);
        let found = middle(&gpu, &mut pane_before_wall(&pane, scale, PAINT, PAINT));
        let left: Vec<_> = color
            .iter()
            .zip(PAINT)
            .map(|(color, paint)| paint * f64::powf(*color, thickness * scale / 0.1))
            .collect();
        let left = [left[0], left[1], left[2]];
        let expected = middle(&gpu, &mut pane_before_wall(&Value::Null, scale, left, left));
        assert_color(found, expected);
    }
}

/// The pixel in the middle row from which on a channel is dark, with what lies between it and the next one.
fn edge_of(image: &image::RgbaImage, channel: usize) -> f64 {
    let row: Vec<_> = (0..SIZE)
        .map(|x| f64::from(image[(x, SIZE / 2)].0[channel]))
        .collect();
    let brightest = row.iter().copied().fold(0.0, f64::max);
    let lit: f64 = row.iter().map(|value| (value / brightest).powf(2.2)).sum();
    lit
}

/// Where the wall's edge is seen through a pane of this index and thickness, in pixels: the ray is bent at the front
/// (Snell), leaves after the thickness, and what the picture has there is shown.
fn bent_edge(ior: f64, thickness: f64) -> f64 {
    let shown = |x: f64| {
        let sine = x / x.hypot(EYE) / ior;
        let (along, deep) = (thickness * sine, thickness * (1.0 - sine * sine).sqrt());
        (x + along) / (EYE + deep)
    };
    let wanted = EDGE / (EYE + WALL);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let half = 0.5 * (low + high);
        if shown(half) < wanted {
            low = half;
        } else {
            high = half;
        }
    }
    (low / EYE / HALF_VIEW + 1.0) * f64::from(SIZE) / 2.0
}

#[test]
fn a_volume_bends_light_and_dispersion_bends_colors_apart() {
    let Some(gpu) = gpu() else { return };
    let edges = |ior: f64, thickness: f64, dispersion: f64| {
        let inside = json!({
            "KHR_materials_volume": { "thicknessFactor": thickness },
            "KHR_materials_dispersion": { "dispersion": dispersion }
        });
        let pane = glass(WHITE, 0.0, ior, &inside);
        let image = draw(&gpu, &mut pane_before_wall(&pane, 1.0, [0.5; 3], [0.0; 3]));
        [0, 1, 2].map(|channel| edge_of(&image, channel))
    };
    let straight = (EDGE / (EYE + WALL) / HALF_VIEW + 1.0) * f64::from(SIZE) / 2.0;
    assert!((bent_edge(1.0, 0.8) - straight).abs() < 1e-6);
    for (ior, thickness) in [(1.0, 0.8), (1.5, 0.8), (2.0, 0.8), (1.5, 0.4)] {
        let found = edges(ior, thickness, 0.0);
        let expected = bent_edge(ior, thickness);
        println!("index {ior}, thickness {thickness}: {found:?}, {expected}");
        assert!(
            found.iter().all(|edge| (edge - expected).abs() < 0.7),
            "{found:?} instead of {expected}"
        );
    }
    // Each colour has an index of its own (KHR_materials_dispersion, "Implementation").
    let (ior, dispersion) = (1.5, 20.0);
    let spread = 0.025 * (ior - 1.0) * dispersion;
    let found = edges(ior, 0.8, dispersion);
    let expected = [ior - spread, ior, ior + spread].map(|ior| bent_edge(ior, 0.8));
    println!("dispersion: {found:?}, {expected:?}");
    assert!(expected[0] + 1.0 < expected[2]);
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 0.7,
            "{found} instead of {expected}"
        );
    }
}

/// Rough glass blurs what is behind it, the more the more it bends light (`KHR_materials_transmission` and
/// `KHR_materials_ior`).
#[test]
fn rough_glass_blurs() {
    let Some(gpu) = gpu() else { return };
    let spread = |roughness: f64, ior: f64| {
        let pane = glass(WHITE, roughness, ior, &json!({}));
        let image = draw(&gpu, &mut pane_before_wall(&pane, 1.0, [0.5; 3], [0.0; 3]));
        let row = (0..SIZE).map(|x| image[(x, SIZE / 2)].0[0]);
        row.filter(|value| (10..180).contains(value)).count()
    };
    let widths = [spread(0.0, 1.5), spread(0.2, 1.5), spread(0.5, 1.5)];
    println!("{widths:?}");
    assert!(
        widths[0] <= 2 && widths[1] > widths[0] && widths[2] > 2 * widths[1],
        "{widths:?}"
    );
    assert!(spread(0.5, 1.0) <= 2);
}

/// What is seen through smooth glass is as sharp as without, down to stripes of one pixel.
#[test]
fn clear_glass_keeps_fine_stripes() {
    let Some(gpu) = gpu() else { return };
    let pixel = 2.0 * HALF_VIEW * (EYE + WALL) / f64::from(SIZE);
    // The wall is eight wide, and its middle is between two texels.
    let repeats = 8.0 / (2.0 * pixel);
    let placed = json!({ "scale": [repeats, 1], "offset": [1.0 - (0.5 * repeats).fract(), 0] });
    let stripes = json!({ "index": 0, "extensions": { "KHR_texture_transform": placed } });
    let wall = json!({
        "pbrMetallicRoughness": { "baseColorTexture": stripes },
        "extensions": { "KHR_materials_unlit": {} }
    });
    let pane = glass(WHITE, 0.0, 1.5, &json!({}));
    let mut used: Vec<_> = pane["extensions"].as_object().unwrap().keys().collect();
    let others = ["KHR_materials_unlit", "KHR_texture_transform"].map(str::to_owned);
    used.extend(&others);
    let [black, white] = [[0, 0, 0, 255], [255; 4]];
    let seen = |nodes: &[usize]| {
        let mut actor = quad(&[
            ("materials", json!([wall, pane])),
            ("meshes", json!([lit_mesh(0), lit_mesh(1)])),
            (
                "nodes",
                json!([{ "mesh": 0, "scale": [4, 4, 1], "translation": [0, 0, -WALL] }, { "mesh": 1 }]),
            ),
            ("scenes", json!([{ "nodes": nodes }])),
            ("textures", json!([{ "source": 0, "sampler": 0 }])),
            (
                "samplers",
                json!([{ "magFilter": 9728, "minFilter": 9728 }]),
            ),
            ("images", crate::png([black, white, black, white])),
            ("extensionsUsed", json!(used)),
        ]);
        let image = draw(&gpu, &mut actor);
        let row = (0..SIZE).map(|x| image[(x, SIZE / 2)].0[0]);
        row.collect::<Vec<_>>()
    };
    let (bare, behind) = (seen(&[0]), seen(&[0, 1]));
    let contrasts = bare.windows(2).map(|pair| pair[0].abs_diff(pair[1]));
    assert!(contrasts.min() > Some(240), "the wall has its stripes");
    let worst = bare.iter().zip(&behind).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(worst <= Some(8), "{behind:?}");
}

fn alone(pane: &Value) -> Actor {
    let used: Vec<_> = pane["extensions"].as_object().unwrap().keys().collect();
    quad(&[
        ("materials", json!([pane])),
        ("extensionsUsed", json!(used)),
    ])
}

/// Coloured glass colours the background, as it does a wall that looks the same (`KHR_materials_transmission`, "Tinting").
#[test]
fn a_background_that_is_known_is_as_a_wall() {
    let Some(gpu) = gpu() else { return };
    let volume = json!({ "KHR_materials_volume": {
        "thicknessFactor": 0.3, "attenuationDistance": 0.5, "attenuationColor": [0.2, 0.9, 0.4]
    }});
    let panes = [
        glass(WHITE, 0.0, 1.5, &json!({})),
        glass([1.0, 0.3, 0.05], 0.0, 1.5, &json!({})),
        glass([1.0, 0.3, 0.05], 0.4, 1.5, &json!({})),
        glass(WHITE, 0.0, 1.5, &volume),
    ];
    // Linear, and as it is named: #bc8963.
    let wall = [0.502_886, 0.250_158, 0.124_772];
    for tone in ["none", "neutral", "aces", "agx"] {
        for pane in &panes {
            let before_wall = &mut pane_before_wall(pane, 1.0, wall, wall);
            let [before_wall, before_nothing] = [
                draw_before(&gpu, before_wall, "none", tone),
                draw_before(&gpu, &mut alone(pane), "bc8963", tone),
            ]
            .map(|image| image[(SIZE / 2, SIZE / 2)].0);
            assert_color(before_nothing, before_wall);
        }
    }
}

#[test]
fn what_is_behind_glass_without_anything_is_the_background() {
    let Some(gpu) = gpu() else { return };
    let alpha = |color: [f64; 3]| {
        let pane = glass(color, 0.0, 1.5, &json!({}));
        middle(&gpu, &mut alone(&pane))[3]
    };
    assert_eq!(alpha(WHITE), 0);
    assert_eq!(alpha([0.0; 3]), 255);
    assert!(alpha([0.5; 3]).abs_diff(128) <= 1);
}
