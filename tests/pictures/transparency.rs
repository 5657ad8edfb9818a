//! Blended surfaces: sorted, or in no order; before and behind what is opaque, and behind glass.

use rigscope::{
    app::Actor,
    render::{Gpu, Picture},
    scene::{LightSettings, OrbitCamera, ViewMode},
};
use serde_json::{Value, json};

use super::{
    compared::frame,
    quad::{assert_color, base_color, lit_mesh, quad, renderer},
    views::skinned_with,
};
use crate::common::{gpu, picture, to_image};

const SORTED: [&str; 2] = ["--transparency", "sorted"];
const WEIGHTED: [&str; 2] = ["--transparency", "weighted"];

/// An unlit material, blended unless its alpha is 1.
pub(super) fn paint(color: [f64; 4]) -> Value {
    json!({
        "pbrMetallicRoughness": base_color(color),
        "alphaMode": if color[3] < 1.0 { "BLEND" } else { "OPAQUE" },
        "doubleSided": true,
        "extensions": { "KHR_materials_unlit": {} }
    })
}

/// Glass that reflects nothing and leaves colours as they are.
pub(super) fn clear_glass() -> Value {
    json!({
        "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.0 },
        "extensions": {
            "KHR_materials_transmission": { "transmissionFactor": 1.0 },
            "KHR_materials_specular": { "specularFactor": 0.0 }
        }
    })
}

/// Quads of these materials, one a node.
pub(super) fn quads(parts: &[(Value, Value)]) -> Actor {
    let node = |(index, (_, place)): (usize, &(Value, Value))| {
        let mut node = place.clone();
        node["mesh"] = json!(index);
        node
    };
    let mut used = vec![
        "KHR_materials_unlit",
        "KHR_materials_emissive_strength",
        "EXT_mesh_gpu_instancing",
    ];
    let others = ["KHR_materials_transmission", "KHR_materials_specular"];
    used.extend(others.into_iter().filter(|name| {
        let mut extensions = parts.iter().map(|(material, _)| &material["extensions"]);
        extensions.any(|extensions| !extensions[*name].is_null())
    }));
    let materials: Vec<_> = parts.iter().map(|(material, _)| material).collect();
    quad(&[
        ("materials", json!(materials)),
        ("meshes", (0..parts.len()).map(lit_mesh).collect()),
        ("nodes", parts.iter().enumerate().map(node).collect()),
        (
            "scenes",
            json!([{ "nodes": (0..parts.len()).collect::<Vec<_>>() }]),
        ),
        ("extensionsUsed", json!(used)),
    ])
}

fn draw(gpu: &Gpu, actor: &mut Actor, more: &[&str]) -> image::RgbaImage {
    let mut typed = vec!["--size", "64x64", "--tone", "none"];
    typed.extend(more);
    for option in [["--target", "0,0,0"], ["--fov", "30"]] {
        if !more.contains(&option[0]) {
            typed.extend(option);
        }
    }
    if !more.contains(&"--orbit") {
        typed.extend(["--orbit", "0,90,5"]);
    }
    if !more.contains(&"--background") {
        typed.extend(["--background", "none"]);
    }
    to_image(&picture(gpu, actor, &typed))
}

fn middle(gpu: &Gpu, actor: &mut Actor, more: &[&str]) -> [u8; 4] {
    draw(gpu, actor, more)[(32, 32)].0
}

fn at(z: f64) -> Value {
    json!({ "translation": [0, 0, z] })
}

const RED: [f64; 4] = [1.0, 0.0, 0.0, 0.5];
const GREEN: [f64; 4] = [0.0, 1.0, 0.0, 0.5];
const WALL: [f64; 4] = [0.2, 0.2, 0.8, 1.0];

/// Two quads through each other: whichever comes first in the file, sorted by their middles one of them is wholly before the
/// other.
#[test]
fn crossing_quads_give_the_same_picture_from_both_orders() {
    let Some(gpu) = gpu() else { return };
    let turned = |degrees: f64| {
        let half = degrees.to_radians() / 2.0;
        json!({ "rotation": [0.0, half.sin(), 0.0, half.cos()] })
    };
    let one = (paint(RED), turned(40.0));
    let other = (paint(GREEN), turned(-40.0));
    let pictures = |more: &[&str]| {
        [[&one, &other], [&other, &one]].map(|parts| {
            let parts = parts.map(Clone::clone);
            draw(&gpu, &mut quads(&parts), more)
        })
    };
    let most = |[a, b]: [image::RgbaImage; 2]| {
        let differences = a.iter().zip(b.iter()).map(|(a, b)| a.abs_diff(*b));
        differences.max().unwrap()
    };
    assert!(most(pictures(&WEIGHTED)) <= 1);
    assert!(most(pictures(&SORTED)) > 40, "the order decides");
    // Where red is nearer it weighs more; there both hide three quarters.
    let [picture, _] = pictures(&WEIGHTED);
    let [left, right] = [20, 43].map(|x| picture[(x, 32)].0);
    assert_eq!(left[3], right[3]);
    assert!(left[3].abs_diff(191) <= 1, "{left:?}");
    assert!(left[0].abs_diff(left[1]) > 60, "{left:?}");
    assert!(left[0].abs_diff(right[1]) <= 3, "{left:?} {right:?}");
}

#[test]
fn one_layer_is_the_same_sorted_and_weighted() {
    let Some(gpu) = gpu() else { return };
    let mut scene = quads(&[(paint(RED), at(0.0)), (paint(WALL), at(-1.0))]);
    // Half red, half of the wall: linear 0.6, 0.1, 0.4.
    for kind in [SORTED, WEIGHTED] {
        assert_color(middle(&gpu, &mut scene, &kind), [203, 89, 170, 255]);
    }
    let mut alone = quads(&[(paint(RED), at(0.0))]);
    for kind in [SORTED, WEIGHTED] {
        let [red, green, blue, alpha] = middle(&gpu, &mut alone, &kind);
        assert_color([red, green, blue, alpha], [255, 0, 0, 128]);
        let on_white = [&kind[..], &["--background", "ffffff"]].concat();
        assert_color(middle(&gpu, &mut alone, &on_white), [255, 188, 188, 255]);
    }
}

#[test]
fn what_is_opaque_hides_what_blends_behind_it() {
    let Some(gpu) = gpu() else { return };
    let mut bare = quads(&[(paint(WALL), at(0.0))]);
    let mut scene = quads(&[(paint(RED), at(-1.0)), (paint(WALL), at(0.0))]);
    for kind in [SORTED, WEIGHTED] {
        assert_eq!(
            middle(&gpu, &mut scene, &kind),
            middle(&gpu, &mut bare, &kind)
        );
    }
}

/// Clear glass changes nothing of what is behind it, be it opaque or blended, nor of what is before it.
#[test]
fn blended_surfaces_are_seen_through_glass_and_before_it() {
    let Some(gpu) = gpu() else { return };
    for (near, far) in [(0.5, -0.5), (-0.4, -0.8), (0.8, 0.4)] {
        let parts = [
            (paint(GREEN), at(near)),
            (paint(RED), at(far)),
            (paint(WALL), at(-1.0)),
        ];
        let without = middle(&gpu, &mut quads(&parts), &SORTED);
        let with = [&parts[..], &[(clear_glass(), at(0.0))]].concat();
        let found = middle(&gpu, &mut quads(&with), &SORTED);
        assert_color(found, without);
    }
    // In no order the nearer of two weighs most, so one at a time is compared.
    for z in [0.5, -0.5] {
        let parts = [(paint(RED), at(z)), (paint(WALL), at(-1.0))];
        let without = middle(&gpu, &mut quads(&parts), &WEIGHTED);
        let with = [&parts[..], &[(clear_glass(), at(0.0))]].concat();
        assert_color(middle(&gpu, &mut quads(&with), &WEIGHTED), without);
    }
}

/// Glass of materials that blend, too.
#[test]
fn blended_surfaces_are_seen_through_glass_that_blends() {
    let Some(gpu) = gpu() else { return };
    let parts = [(paint(RED), at(-0.5)), (paint(WALL), at(-1.0))];
    let without = middle(&gpu, &mut quads(&parts), &SORTED);
    let mut glass = clear_glass();
    glass["alphaMode"] = json!("BLEND");
    let with = [&parts[..], &[(glass, at(0.0))]].concat();
    for kind in [SORTED, WEIGHTED] {
        assert_color(middle(&gpu, &mut quads(&with), &kind), without);
    }
}

/// Of copies some may stand before a pane and some behind it, wherever the first is.
#[test]
fn copies_are_seen_through_a_pane_that_others_stand_before() {
    let Some(gpu) = gpu() else { return };
    // The mesh's own corners are where the copies stand: turned, two of them are 0.87 before the pane, two as far behind.
    let half = 30_f64.to_radians();
    let copies = json!({
        "rotation": [0.0, half.sin(), 0.0, half.cos()],
        "extensions": { "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": 0 } } }
    });
    let wall = json!({ "translation": [0, 0, -2.5], "scale": [4, 4, 1] });
    let parts = [(paint(RED), copies), (paint(WALL), wall)];
    // From far away, so that all of the first copy is nearer than all of the pane.
    let pane = json!({ "translation": [0, 0, -0.35], "scale": [6, 6, 1] });
    let with = [&parts[..], &[(clear_glass(), pane)]].concat();
    for target in ["0.5,1,0", "0.5,-1,0"] {
        let there = ["--target", target, "--orbit", "0,90,20", "--fov", "8"];
        let without = middle(&gpu, &mut quads(&parts), &[&SORTED[..], &there].concat());
        assert!(without[0] > 150, "red is there: {without:?}");
        for kind in [SORTED, WEIGHTED] {
            let found = middle(&gpu, &mut quads(&with), &[&kind[..], &there].concat());
            assert_color(found, without);
        }
    }
}

/// A pane so large that its corners are farther away than what is behind its middle hides nothing.
#[test]
fn blended_surfaces_are_seen_through_large_panes() {
    let Some(gpu) = gpu() else { return };
    let near = ["--orbit", "0,90,1.5"];
    let parts = [(paint(RED), at(-1.0)), (paint(WALL), at(-1.5))];
    let without = middle(&gpu, &mut quads(&parts), &[&SORTED[..], &near].concat());
    assert!(without[0] > 150, "red is there: {without:?}");
    let pane = (clear_glass(), json!({ "scale": [6, 6, 1] }));
    let with = [&parts[..], &[pane]].concat();
    for kind in [SORTED, WEIGHTED] {
        let found = middle(&gpu, &mut quads(&with), &[&kind[..], &near].concat());
        assert_color(found, without);
    }
}

/// Joints take a quad behind the pane, although at rest, where all of them have their mean, it would be before it.
#[test]
fn what_joints_move_behind_a_pane_is_seen_through_it() {
    let Some(gpu) = gpu() else { return };
    let near = ["--orbit", "0,90,1.5"];
    let scene = |has_pane: bool| {
        skinned_with(|file| {
            let mesh = |material: usize, mut attributes: Value| {
                attributes["POSITION"] = json!(0);
                json!({ "primitives": [{ "attributes": attributes, "indices": 3, "material": material }] })
            };
            file["materials"] = json!([paint(RED), paint(WALL), clear_glass()]);
            file["meshes"] = json!([
                mesh(0, json!({ "JOINTS_0": 1, "WEIGHTS_0": 2 })),
                mesh(1, json!({})),
                mesh(2, json!({})),
            ]);
            // At 0.25 · 1 − 0.75 · 0.6 = −0.2; the mean of the joints is at 0.2.
            file["nodes"] = json!([
                { "mesh": 0, "skin": 0 },
                at(1.0),
                at(-0.6),
                { "mesh": 1, "translation": [0, 0, -1.5] },
                { "mesh": 2, "scale": [6, 6, 1] },
            ]);
            let nodes = if has_pane { 5 } else { 4 };
            file["scenes"][0]["nodes"] = (0..nodes).collect();
        })
    };
    let sorted = [&SORTED[..], &near].concat();
    let without = middle(&gpu, &mut scene(false), &sorted);
    assert!(without[0] > 150, "red is there: {without:?}");
    for kind in [SORTED, WEIGHTED] {
        let found = middle(&gpu, &mut scene(true), &[&kind[..], &near].concat());
        assert_color(found, without);
    }
}

/// Joints take one of the two past the other, be it the pane or what is behind it: each is where it is drawn, not where it is
/// at rest. The pane is so small that all of it is nearer than what is seen at its edges.
#[test]
fn what_is_deformed_is_where_it_is_drawn() {
    let Some(gpu) = gpu() else { return };
    let scene = |is_pane_deformed: bool, has_pane: bool| {
        skinned_with(|file| {
            let mesh = |material: usize, mut attributes: Value| {
                attributes["POSITION"] = json!(0);
                json!({ "primitives": [{ "attributes": attributes, "indices": 3, "material": material }] })
            };
            let skinned = json!({ "JOINTS_0": 1, "WEIGHTS_0": 2 });
            let [blended, pane] = if is_pane_deformed {
                [json!({}), skinned]
            } else {
                [skinned, json!({})]
            };
            file["materials"] = json!([paint(RED), paint(WALL), clear_glass()]);
            file["meshes"] = json!([mesh(0, blended), mesh(1, json!({})), mesh(2, pane)]);
            // A quarter of the first and three of the second; the mean of both is on the other side.
            let joints = if is_pane_deformed {
                [at(-3.0), at(1.7)]
            } else {
                [at(3.0), at(-2.2)]
            };
            let mut nodes = joints.to_vec();
            let place = |mesh: usize, is_deformed: bool| {
                if is_deformed {
                    json!({ "mesh": mesh, "skin": 0 })
                } else {
                    json!({ "mesh": mesh, "scale": [0.3, 0.3, 1] })
                }
            };
            nodes.push(place(0, !is_pane_deformed));
            nodes.push(json!({ "mesh": 1, "translation": [0, 0, -1.5], "scale": [4, 4, 1] }));
            nodes.push(place(2, is_pane_deformed));
            file["nodes"] = json!(nodes);
            file["skins"] = json!([{ "joints": [0, 1] }]);
            let count = if has_pane { 5 } else { 4 };
            file["scenes"][0]["nodes"] = (0..count).collect();
        })
    };
    for is_pane_deformed in [false, true] {
        let without = middle(&gpu, &mut scene(is_pane_deformed, false), &SORTED);
        assert!(without[0] > 150, "red is there: {without:?}");
        for kind in [SORTED, WEIGHTED] {
            let found = middle(&gpu, &mut scene(is_pane_deformed, true), &kind);
            assert_color(found, without);
        }
    }
}

/// Blended surfaces before a pane, upright or askew: what is seen by itself is not seen through the glass as well.
#[test]
fn blended_surfaces_before_large_panes_are_seen_once() {
    let Some(gpu) = gpu() else { return };
    let near = ["--orbit", "0,90,1.5"];
    let before = json!({ "translation": [0, 0, 0.3], "scale": [0.3, 0.3, 1] });
    let parts = [(paint(RED), before), (paint(WALL), at(-2.5))];
    let without = middle(&gpu, &mut quads(&parts), &[&SORTED[..], &near].concat());
    let upright = json!({ "scale": [6, 6, 1] });
    let half = 30_f64.to_radians() / 2.0;
    let askew = json!({ "scale": [3, 3, 1], "rotation": [half.sin(), 0.0, 0.0, half.cos()] });
    for place in [upright, askew] {
        let with = [&parts[..], &[(clear_glass(), place)]].concat();
        for kind in [SORTED, WEIGHTED] {
            let found = middle(&gpu, &mut quads(&with), &[&kind[..], &near].concat());
            assert_color(found, without);
        }
    }
}

/// However many there are and however bright: what is too bright for sums is dimmed in all its colours alike.
#[test]
fn bright_layers_in_no_order_keep_their_hue() {
    let Some(gpu) = gpu() else { return };
    let glowing = json!({
        "pbrMetallicRoughness": base_color([0.0, 0.0, 0.0, 0.5]),
        "alphaMode": "BLEND",
        "emissiveFactor": [1.0, 0.5, 0.25],
        "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 10000.0 } }
    });
    for count in [1, 40] {
        let layers = (0..count).map(|index| (glowing.clone(), at(0.01 * f64::from(index))));
        let mut scene = quads(&layers.collect::<Vec<_>>());
        let more = [&WEIGHTED[..], &["--exposure=-9", "--background", "000000"]].concat();
        let [red, green, blue, _] = middle(&gpu, &mut scene, &more);
        // IEC 61966-2-1, for all but the darkest.
        let linear = |signal: u8| ((f64::from(signal) / 255.0 + 0.055) / 1.055).powf(2.4);
        assert!(red > 90, "{count}: {red}");
        assert!((linear(green) / linear(red) - 0.5).abs() < 0.02, "{count}");
        assert!((linear(blue) / linear(red) - 0.25).abs() < 0.02, "{count}");
    }
}

/// From its back and then from its front, as the lit scene draws what blends and has two sides: a view that shows both sides of
/// everything does so at once.
#[test]
fn the_view_of_sides_draws_what_blends_once() {
    let Some(gpu) = gpu() else { return };
    let mut actor = quads(&[(paint([0.2, 0.7, 0.2, 0.5]), json!({}))]);
    actor.measure();
    let mut renderer = renderer(&gpu, &actor, None);
    for (mode, count) in [
        (ViewMode::Lit, 2),
        (ViewMode::Overdraw, 2),
        (ViewMode::Faces, 1),
    ] {
        let mut frame = frame(&actor, &OrbitCamera::default(), LightSettings::default());
        frame.inspection.mode = mode;
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [16, 16]).unwrap();
        assert_eq!(renderer.draw_count(), count, "{mode:?}");
    }
}
