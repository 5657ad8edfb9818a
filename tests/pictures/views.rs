//! Views for inspection: what they show of surfaces whose values are known.

use base64::Engine as _;
use rigscope::{
    anim::{PaletteForm, Skinning},
    app::Actor,
    import::{Progress, load_bytes},
    model::Keyed as _,
    render::{Gpu, shaders},
    scene::{Crowd, FormChoice, Repertoire, ViewMode, WeightColors},
};
use serde_json::{Value, json};

use super::{
    bones::two_bones,
    quad::{assert_color, quad},
};
use crate::common::{gpu, picture, to_image};

/// The pixel in the middle of a view, from straight ahead unless `more` says otherwise.
pub(super) fn shown(gpu: &Gpu, actor: &mut Actor, view: &str, more: &[&str]) -> [u8; 4] {
    view_of(gpu, actor, view, more)[(32, 32)].0
}

/// A view, from straight ahead unless `more` says otherwise.
pub(super) fn view_of(gpu: &Gpu, actor: &mut Actor, view: &str, more: &[&str]) -> image::RgbaImage {
    let mut typed = vec![
        "--size",
        "64x64",
        "--background",
        "none",
        "--fov",
        "30",
        "--view",
        view,
    ];
    for (name, value) in [("--orbit", "0,90,3"), ("--target", "0,0,0")] {
        if !more.contains(&name) {
            typed.extend([name, value]);
        }
    }
    typed.extend(more);
    to_image(&picture(gpu, actor, &typed))
}

/// A lit quad with normals and tangents, of a material that has a value for every view.
fn surface() -> Actor {
    let attributes = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3, "TANGENT": 4 });
    quad(&[
        ("extensionsUsed", Value::Null),
        (
            "meshes",
            json!([{ "primitives": [{ "attributes": attributes, "indices": 2, "material": 0 }] }]),
        ),
        (
            "materials",
            json!([{
                "doubleSided": true,
                "alphaMode": "BLEND",
                "emissiveFactor": [0.0, 0.2, 0.5],
                "pbrMetallicRoughness": {
                    "baseColorFactor": [0.5, 0.2, 1.0, 0.25], "metallicFactor": 0.4, "roughnessFactor": 0.6
                }
            }]),
        ),
    ])
}

fn screen([red, green, blue]: [f32; 3]) -> [u8; 4] {
    let [red, green, blue] = [red, green, blue].map(|channel| (channel * 255.0).round() as u8);
    [red, green, blue, 255]
}

#[test]
fn views_show_values_as_they_are() {
    let Some(gpu) = gpu() else { return };
    let mut surface = surface();
    // Linear 0.5 is sRGB 0.735 (IEC 61966-2-1), linear 0.2 is 0.484.
    for (view, expected) in [
        ("base-color", [188, 124, 255, 255]),
        ("alpha", [64, 64, 64, 255]),
        ("vertex-color", [255; 4]),
        ("emissive", [0, 124, 188, 255]),
        ("metallic", [102, 102, 102, 255]),
        ("roughness", [153, 153, 153, 255]),
        ("occlusion", [255; 4]),
        // Towards +Z, and along +X.
        ("normal", [128, 128, 255, 255]),
        ("geometric-normal", [128, 128, 255, 255]),
        ("tangent", [255, 128, 128, 255]),
        ("faces", [64, 115, 230, 255]),
        // The nearest that there is.
        ("depth", [255; 4]),
        ("influences", [115, 115, 115, 255]),
        ("wireframe", [184, 184, 184, 255]),
    ] {
        let found = shown(
            &gpu,
            &mut surface,
            view,
            &["--orbit", "0,90,3", "--target", "0.1,0.2,0"],
        );
        let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(near, "{view}: {found:?} instead of {expected:?}");
    }
}

#[test]
fn back_faces_are_red_also_where_they_are_culled() {
    let Some(gpu) = gpu() else { return };
    let behind = ["--orbit", "180,90,3"];
    let [front, back] = [0, 1].map(|place| screen(ViewMode::Faces.swatches()[place].1));
    assert_eq!(back, [217, 56, 51, 255]);
    assert_color(shown(&gpu, &mut surface(), "faces", &behind), back);
    let mut culled = quad(&[]);
    assert_color(shown(&gpu, &mut culled, "faces", &behind), back);
    assert_eq!(shown(&gpu, &mut culled, "base-color", &behind), [0; 4]);
    // A mirrored mesh has its front where its faces point, as when it is lit.
    let mut mirrored = quad(&[("nodes", json!([{ "mesh": 0, "scale": [-1, 1, 1] }]))]);
    assert_color(shown(&gpu, &mut mirrored, "faces", &[]), front);
}

#[test]
fn edges_lie_on_the_surface_and_layers_add_up() {
    let Some(gpu) = gpu() else { return };
    // The diagonal from the lower left to the upper right passes through the middle.
    let edge = shown(&gpu, &mut quad(&[]), "wireframe", &[]);
    let clay = shown(&gpu, &mut quad(&[]), "wireframe", &["--target", "0.3,0,0"]);
    assert!(edge[0] + 15 < clay[0], "{edge:?} on {clay:?}");
    let layers = |count: usize| {
        let nodes: Vec<_> = (0..count)
            .map(|place| json!({ "mesh": 0, "translation": [0, 0, -0.1 * place as f64] }))
            .collect();
        let all: Vec<_> = (0..count).collect();
        let mut stack = quad(&[
            ("nodes", json!(nodes)),
            ("scenes", json!([{ "nodes": all }])),
        ]);
        shown(&gpu, &mut stack, "overdraw", &[])
    };
    // Linear 0.08 is sRGB 0.313; 0.16 is 0.437; 0.24 is 0.527.
    for (count, red) in [(1, 80), (2, 111), (3, 134)] {
        let found = layers(count)[0];
        assert!(found.abs_diff(red) <= 1, "{count} layers: {found}");
    }
}

/// A quad all of whose vertices hang on joint 1 by a quarter and on joint 2 by three.
fn skinned() -> Actor {
    skinned_with(|_| ())
}

pub(super) fn skinned_with(change: impl FnOnce(&mut Value)) -> Actor {
    let corners = [
        [-1.0_f32, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    let mut bytes: Vec<u8> = corners
        .concat()
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    bytes.extend([0, 1, 0, 0].repeat(4));
    bytes.extend(
        [0.25_f32, 0.75, 0.0, 0.0]
            .repeat(4)
            .into_iter()
            .flat_map(f32::to_le_bytes),
    );
    bytes.extend([0, 1, 2, 0, 2, 3]);
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let view = |from: usize, length: usize| json!({ "buffer": 0, "byteOffset": from, "byteLength": length });
    let accessor = |view: usize, component: u32, kind: &str, count: usize| json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
    let mut file = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "mesh": 0, "skin": 0 }, { "name": "upper", "children": [2] }, { "name": "lower" }],
        "skins": [{ "joints": [1, 2] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 }, "indices": 3 }] }],
        "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }],
        "bufferViews": [view(0, 48), view(48, 16), view(64, 64), view(128, 6)],
        "accessors": [
            accessor(0, 5126, "VEC3", 4), accessor(1, 5121, "VEC4", 4), accessor(2, 5126, "VEC4", 4),
            accessor(3, 5121, "SCALAR", 6)
        ]
    });
    file["accessors"][0]["min"] = json!([-1, -1, 0]);
    file["accessors"][0]["max"] = json!([1, 1, 0]);
    change(&mut file);
    let import = load_bytes("skinned", file.to_string().as_bytes(), &Progress::default()).unwrap();
    Actor::new(import.model)
}

#[test]
fn weights_are_those_of_the_chosen_joint() {
    let Some(gpu) = gpu() else { return };
    let mut skinned = skinned();
    for colors in [WeightColors::Heat, WeightColors::Viridis] {
        let mut of = |joint| {
            let more = ["--joint", joint, "--weight-colors", colors.key()];
            shown(&gpu, &mut skinned, "weights", &more)
        };
        assert_color(of("upper"), screen(colors.stops()[1]));
        assert_color(of("2"), screen(colors.stops()[3]));
        // The node of the mesh is no joint.
        assert_color(of("0"), screen(colors.stops()[0]));
    }
}

/// A quad all of whose vertices hang on so many joints.
fn hung_on(joints: usize) -> Actor {
    skinned_with(|file| {
        let numbers = |set: usize| [0, 1, 2, 3].map(|lane| 4 * set + lane);
        let weight = |joint: usize| {
            if joint < joints {
                1.0 / joints as f32
            } else {
                0.0
            }
        };
        let mut bytes = Vec::new();
        for set in 0..2 {
            bytes.extend(numbers(set).map(|joint| joint as u8).repeat(4));
        }
        for set in 0..2 {
            let weights = numbers(set).map(|joint| weight(joint).to_le_bytes());
            bytes.extend(weights.concat().repeat(4));
        }
        let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
        let uri = format!("data:application/octet-stream;base64,{data}");
        let push = |list: &mut Value, value| list.as_array_mut().unwrap().push(value);
        push(
            &mut file["buffers"],
            json!({ "byteLength": bytes.len(), "uri": uri }),
        );
        for (place, (from, component)) in [(0, 5121), (16, 5121), (32, 5126), (96, 5126)]
            .into_iter()
            .enumerate()
        {
            let length = if component == 5126 { 64 } else { 16 };
            let view = json!({ "buffer": 1, "byteOffset": from, "byteLength": length });
            push(&mut file["bufferViews"], view);
            let view = 4 + place;
            let accessor = json!({ "bufferView": view, "componentType": component, "type": "VEC4", "count": 4 });
            push(&mut file["accessors"], accessor);
        }
        file["meshes"][0]["primitives"][0]["attributes"] =
            json!({ "POSITION": 0, "JOINTS_0": 4, "JOINTS_1": 5, "WEIGHTS_0": 6, "WEIGHTS_1": 7 });
        for _ in 0..8 {
            push(&mut file["nodes"], json!({}));
        }
        file["skins"][0]["joints"] = json!([3, 4, 5, 6, 7, 8, 9, 10]);
        let all: Vec<_> = (0..11).filter(|node| *node != 2).collect();
        file["scenes"][0]["nodes"] = json!(all);
    })
}

/// The legend in the window shows these.
#[test]
fn influences_are_counted_in_the_colors_of_the_legend() {
    let Some(gpu) = gpu() else { return };
    let swatches = ViewMode::Influences.swatches();
    for (joints, place) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (8, 5)] {
        let found = shown(&gpu, &mut hung_on(joints), "influences", &[]);
        assert_color(found, screen(swatches[place].1));
    }
    assert_color(
        shown(&gpu, &mut quad(&[]), "influences", &[]),
        screen(swatches[0].1),
    );
}

/// A node that places its mesh many times is chosen with all its copies.
#[test]
fn all_copies_of_a_chosen_mesh_are_marked() {
    let Some(gpu) = gpu() else { return };
    // The mesh's own corners are where the copies stand.
    let mut copies = quad(&[
        (
            "extensionsUsed",
            json!(["KHR_materials_unlit", "EXT_mesh_gpu_instancing"]),
        ),
        (
            "nodes",
            json!([{ "mesh": 0, "extensions": { "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": 0 } } } }]),
        ),
    ]);
    for target in ["-1,-1,0", "1,-1,0", "1,1,0", "-1,1,0"] {
        let found = shown(
            &gpu,
            &mut copies,
            "weights",
            &["--joint", "0", "--target", target],
        );
        assert_color(found, screen(WeightColors::Heat.stops()[4]));
    }
}

/// Views draw no environment: what stood in front of it stands in front of the usual background.
#[test]
fn views_stand_on_no_black_where_the_environment_is_behind() {
    let Some(gpu) = gpu() else { return };
    let corner = |background: &[&str]| {
        let mut typed = vec!["--size", "64x64", "--view", "normal", "--orbit", "0,90,20"];
        typed.extend(background);
        to_image(&picture(&gpu, &mut quad(&[]), &typed))[(2, 2)].0
    };
    assert_color(corner(&["--background", "environment"]), corner(&[]));
}

/// In a crowd each has matrices of their own, and the chosen joint is everybody's.
#[test]
fn weights_are_those_of_everybody_in_a_crowd() {
    let Some(gpu) = gpu() else { return };
    let mut skinned = skinned();
    let typed = [
        "--size",
        "64x64",
        "--background",
        "none",
        "--view",
        "weights",
        "--joint",
        "upper",
        "--crowd",
        "9",
        "--orbit",
        "0,60,30",
    ];
    let arguments = crate::common::render_arguments(&typed);
    skinned.set_crowd(Repertoire::All, arguments.crowd as usize);
    let picture = to_image(&picture(&gpu, &mut skinned, &typed));
    let [red, green, blue] = WeightColors::Heat.stops()[1];
    let mut opaque = 0;
    for [r, g, b, alpha] in picture.pixels().map(|pixel| pixel.0) {
        if alpha == 255 {
            opaque += 1;
            // Form darkens all channels alike.
            let ratio = f32::from(g) / (255.0 * green);
            assert!(
                (f32::from(r) - 255.0 * red * ratio).abs() < 4.0,
                "{r} {g} {b}"
            );
            assert!(
                (f32::from(b) - 255.0 * blue * ratio).abs() < 4.0,
                "{r} {g} {b}"
            );
        }
    }
    assert!(opaque > 30, "{opaque} pixels show the crowd");
}

/// How far both ways of skinning place a vertex of [`skinned`] apart if its lower joint is turned by `degrees`.
fn bent_apart(degrees: f64) -> f64 {
    // In the plane of the quad, as complex numbers: all corners are as far from the axis.
    let angle = degrees.to_radians();
    let blended = [0.25 + 0.75 * angle.cos(), 0.75 * angle.sin()];
    let half = 0.5 * angle;
    let turn = 2.0 * f64::atan2(0.75 * half.sin(), 0.25 + 0.75 * half.cos());
    f64::hypot(blended[0] - turn.cos(), blended[1] - turn.sin()) * 2.0_f64.sqrt()
}

/// A quarter of each vertex stays, three quarters turn: linear blending draws it towards the axis, dual quaternions do not.
#[test]
fn the_skinning_difference_is_as_far_as_both_places_are_apart() {
    let Some(gpu) = gpu() else { return };
    let mut skinned = skinned();
    skinned.show_difference(true);
    let scale = f64::from(skinned.difference_scale());
    let size = f64::from(skinned.bounds().diagonal());
    assert!(
        scale >= size / 100.0 && scale <= size / 40.0,
        "{scale} for {size}"
    );
    for (skinning, upper, lower) in [
        (Skinning::Linear, 0.0, 0.0),
        (Skinning::Linear, 70.0, 0.0),
        (Skinning::Linear, 0.0, 30.0),
        (Skinning::DualQuaternion, 15.0, 30.0),
    ] {
        skinned.set_skinning(skinning);
        skinned.pose_by(|_, pose| {
            for (node, degrees) in [(1, upper), (2, lower)] {
                pose.locals[node].rotation = glam::Quat::from_rotation_z(f32::to_radians(degrees));
            }
        });
        skinned.measure();
        let apart = bent_apart(f64::from(lower));
        let expected = screen(WeightColors::Viridis.color((apart / scale) as f32));
        let found = shown(&gpu, &mut skinned, "skinning-difference", &[]);
        assert_color(found, expected);
        assert_eq!(apart > 0.01, lower != 0.0, "{apart}");
    }
}

/// In whichever form the matrices of a crowd are drawn else: this view has the rotations that it needs.
#[test]
fn the_skinning_difference_is_that_of_everybody_in_a_crowd() {
    let Some(gpu) = gpu() else { return };
    for choice in [FormChoice::Full, FormChoice::Compact] {
        let mut skinned = bent(choice);
        skinned.show_difference(true);
        let apart = bent_apart(30.0);
        let part = apart / f64::from(skinned.difference_scale());
        assert!(part > 0.1 && part < 0.9, "{part}");
        let found = shown(&gpu, &mut skinned, "skinning-difference", &[]);
        assert_color(found, screen(WeightColors::Viridis.color(part as f32)));
        let palette = skinned.palette();
        assert_eq!(palette.form(), PaletteForm::Full);
        assert_eq!(palette.rotations().len(), palette.matrices().len());
    }
}

/// Compact matrices bring rotations of their own to where dual quaternions are blended.
#[test]
fn a_crowd_looks_the_same_in_both_forms() {
    let Some(gpu) = gpu() else { return };
    let typed = [
        "--size",
        "64x64",
        "--background",
        "none",
        "--orbit",
        "0,90,9",
    ];
    let draw = |skinning, choice| {
        let mut skinned = bent(choice);
        skinned.set_skinning(skinning);
        to_image(&picture(&gpu, &mut skinned, &typed))
    };
    let ways = [Skinning::Linear, Skinning::DualQuaternion];
    let [linear, dual] = ways.map(|way| {
        let [full, compact] = [FormChoice::Full, FormChoice::Compact].map(|it| draw(way, it));
        let apart = differing(&full, &compact);
        assert!(apart <= 4, "{way:?}: {apart} pixels");
        full
    });
    let apart = differing(&linear, &dual);
    assert!(apart > 20, "both ways show the same but for {apart} pixels");
}

/// Pixels that differ by more than what is rounded.
fn differing(a: &image::RgbaImage, b: &image::RgbaImage) -> usize {
    let pixels = a.pixels().zip(b.pixels());
    let differs = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| {
        a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 2)
    };
    pixels.filter(differs).count()
}

/// Two of [`skinned`], whose lower joint is turned by 30° at rest.
fn bent(choice: FormChoice) -> Actor {
    let half = f64::to_radians(15.0);
    let mut bent = skinned_with(|file| {
        file["nodes"][2]["rotation"] = json!([0.0, 0.0, half.sin(), half.cos()]);
    });
    bent.set_form_choice(choice);
    bent.set_crowd(Repertoire::All, 2);
    let is_compact = bent.crowd().map(Crowd::form) == Some(PaletteForm::Compact);
    assert_eq!(is_compact, choice == FormChoice::Compact);
    bent
}

/// The numbers of the views are the shader's.
#[test]
fn the_shader_numbers_views_as_the_scene_does() {
    let source = shaders::MESH_VIEWS.source();
    for mode in ViewMode::ALL
        .iter()
        .copied()
        .filter(|mode| *mode != ViewMode::Lit)
    {
        let name = mode.key().replace('-', "_").to_uppercase();
        let line = format!("const {name}: u32 = {}u;", mode as u32);
        assert!(source.contains(&line), "{line}");
    }
}

/// As files of clips alone are.
#[test]
fn where_there_are_only_joints_bones_are_drawn() {
    let Some(gpu) = gpu() else { return };
    let mut actor = two_bones(1.0);
    let typed = ["--size", "64x64", "--background", "none"];
    let drawn = picture(&gpu, &mut actor, &typed).rgba8;
    assert!(drawn.iter().any(|&channel| channel > 0));
    let asked_for = picture(&gpu, &mut actor, &[&typed[..], &["--skeleton"]].concat());
    assert_eq!(asked_for.rgba8, drawn);
    let shown = quad(&[]);
    assert!(!shown.has_only_joints());
}
