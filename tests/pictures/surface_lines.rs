//! Lines over surfaces, in light and in views.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use image::RgbaImage;
use rigscope::{
    app::Actor,
    model::{Indices, Mesh, Topology, VertexSet},
    render::{Gpu, Pass, Picture},
    scene::{LightSettings, OrbitCamera, SurfaceLines},
};
use serde_json::{Value, json};

use super::{
    compared::frame,
    quad::{assert_color, lit_mesh, quad, renderer},
    views::{skinned_with, view_of},
};
use crate::common::gpu;

fn lit(gpu: &Gpu, actor: &mut Actor, more: &[&str]) -> RgbaImage {
    view_of(gpu, actor, "lit", more)
}

/// Whether a pixel over a grey surface has the colour of wires, or some of it.
fn is_wire([red, green, blue, _]: [u8; 4]) -> bool {
    green > red.saturating_add(25) && blue > red.saturating_add(15)
}

fn wires_of(picture: &RgbaImage) -> usize {
    picture.pixels().filter(|pixel| is_wire(pixel.0)).count()
}

#[track_caller]
fn assert_alike(found: &RgbaImage, expected: &RgbaImage, what: &str) {
    for (x, y, pixel) in found.enumerate_pixels() {
        let pairs = pixel.0.into_iter().zip(expected[(x, y)].0);
        let near = pairs.into_iter().all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(near, "{what}: {x}, {y}");
    }
}

#[test]
fn wires_are_the_edges_of_triangles_whatever_is_drawn_of_them() {
    let Some(gpu) = gpu() else { return };
    for view in ["lit", "base-color", "metallic", "faces", "weights"] {
        let joint: &[&str] = if view == "weights" {
            &["--joint", "0"]
        } else {
            &[]
        };
        let drawn = |wires: &[&str]| view_of(&gpu, &mut quad(&[]), view, &[wires, joint].concat());
        let (bare, wires) = (drawn(&[]), drawn(&["--wires"]));
        // The diagonal goes from the lower left to the upper right.
        let differs = |at: (u32, u32)| bare[at] != wires[at];
        assert!(differs((32, 32)) || differs((32, 31)), "{view}");
        assert!(!differs((20, 20)) && !differs((44, 44)), "{view}");
    }
}

/// Their colour is seen as it is: neither exposure nor light changes it.
#[test]
fn wires_are_as_bright_in_all_light() {
    let Some(gpu) = gpu() else { return };
    let drawn = |exposure| {
        let more = ["--wires", "--tone", "none", "--exposure", exposure];
        lit(&gpu, &mut quad(&[]), &more)
    };
    let usual = drawn("0");
    assert!(wires_of(&usual) >= 60, "{}", wires_of(&usual));
    assert_alike(&drawn("2"), &usual, "brighter");
    assert_alike(&drawn("-2"), &usual, "darker");
}

#[test]
fn wires_are_hidden_by_what_is_before_them() {
    let Some(gpu) = gpu() else { return };
    let large = json!({ "mesh": 0, "scale": [4, 4, 1] });
    let drawn = |place: f64| {
        let small = json!({ "mesh": 0, "translation": [0.2, 0, place], "scale": [0.2, 0.2, 0.2] });
        let mut quads = quad(&[
            ("nodes", json!([large, small])),
            ("scenes", json!([{ "nodes": [0, 1] }])),
        ]);
        lit(&gpu, &mut quads, &["--wires"])
    };
    let alone = lit(&gpu, &mut quad(&[("nodes", json!([large]))]), &["--wires"]);
    assert_alike(&drawn(-0.5), &alone, "behind");
    assert!(wires_of(&drawn(0.5)) > wires_of(&alone) + 20);
}

#[test]
fn the_view_of_edges_shows_what_alpha_cuts_out() {
    let Some(gpu) = gpu() else { return };
    let drawn = |alpha_mode: &str, more: &[&str]| {
        let color = json!({ "baseColorFactor": [1, 1, 1, 0.25] });
        let paint = json!([{ "pbrMetallicRoughness": color, "alphaMode": alpha_mode }]);
        let mut quad = quad(&[("materials", paint), ("extensionsUsed", json!(null))]);
        view_of(&gpu, &mut quad, "wireframe", more)
    };
    assert_eq!(drawn("MASK", &[]), drawn("OPAQUE", &[]));
    let from_above = ["--orbit", "0,70,3"];
    assert_eq!(drawn("MASK", &from_above), drawn("OPAQUE", &from_above));
}

#[test]
fn the_view_of_edges_has_no_other_wires() {
    let Some(gpu) = gpu() else { return };
    let drawn = |more: &[&str]| view_of(&gpu, &mut quad(&[]), "wireframe", more);
    assert_eq!(drawn(&["--wires"]), drawn(&[]));
}

/// Scenes hold colours that are shown as they are beside light where anything is unlit, and glass takes passes of its own.
#[test]
fn wires_lie_over_surfaces_of_all_kinds() {
    let Some(gpu) = gpu() else { return };
    let unlit = json!({ "extensions": { "KHR_materials_unlit": {} } });
    let blended = json!({ "alphaMode": "BLEND", "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.5, 0.5, 0.5] } });
    let glass =
        json!({ "extensions": { "KHR_materials_transmission": { "transmissionFactor": 1.0 } } });
    for (front, extensions) in [
        (&unlit, vec!["KHR_materials_unlit"]),
        (&blended, vec!["KHR_materials_unlit"]),
        (
            &glass,
            vec!["KHR_materials_unlit", "KHR_materials_transmission"],
        ),
    ] {
        let mesh = |material| -> Value { lit_mesh(material) };
        let mut quads = quad(&[
            ("extensionsUsed", json!(extensions)),
            ("materials", json!([unlit, blended, front])),
            ("meshes", json!([mesh(0), mesh(1), mesh(2)])),
            (
                "nodes",
                json!([
                    { "mesh": 0, "translation": [0, 0, -1] },
                    { "mesh": 1, "translation": [0, 0, -0.5] },
                    { "mesh": 2 }
                ]),
            ),
            ("scenes", json!([{ "nodes": [0, 1, 2] }])),
        ]);
        let (bare, wires) = (
            lit(&gpu, &mut quads, &[]),
            lit(&gpu, &mut quads, &["--wires"]),
        );
        let new = bare
            .pixels()
            .zip(wires.pixels())
            .filter(|(a, b)| !is_wire(a.0) && is_wire(b.0));
        let new = new.count();
        assert!(new >= 30, "{front}: {new}");
        assert_color(wires[(10, 40)].0, bare[(10, 40)].0);
    }
}

fn with_meshes(actor: &Actor, change: impl FnOnce(&mut [Mesh])) -> Actor {
    let mut model = actor.model().clone();
    let mut meshes = (*model.meshes).clone();
    change(&mut meshes);
    model.meshes = meshes.into();
    Actor::new(model)
}

/// Two meshes with the same indices are in the scene, and one with others is not.
#[test]
fn edges_take_memory_once_they_are_drawn() {
    let Some(gpu) = gpu() else { return };
    let quads = quad(&[
        ("meshes", json!([lit_mesh(0), lit_mesh(0), lit_mesh(0)])),
        (
            "nodes",
            json!([{ "mesh": 0 }, { "mesh": 1, "translation": [0, 2, 0] }, { "mesh": 2 }]),
        ),
        ("scenes", json!([{ "nodes": [0, 1] }, { "nodes": [2] }])),
    ]);
    let actor = with_meshes(&quads, |meshes| {
        meshes[2].primitives[0].indices = Indices::Short(vec![0, 1, 2]);
    });
    let mut renderer = renderer(&gpu, &actor, None);
    let uploaded = renderer.model_bytes();
    let mut frame = frame(&actor, &OrbitCamera::default(), LightSettings::default());
    let mut bytes = |wires, normals| {
        frame.inspection.lines = SurfaceLines { wires, normals };
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [64, 64]).unwrap();
        renderer.model_bytes() - uploaded
    };
    assert_eq!(bytes(false, true), 0);
    // Three edges for each of two triangles, with two indices of four bytes.
    assert_eq!(bytes(true, false), 2 * 3 * 2 * 4);
    assert_eq!(bytes(true, true), 2 * 3 * 2 * 4, "they are made once");
}

/// A mesh that no scene has is larger than what there is room for in any case.
#[test]
fn edges_have_room_beside_a_model_that_takes_its_own() {
    let Some(gpu) = gpu() else { return };
    let quads = quad(&[("meshes", json!([lit_mesh(0), lit_mesh(0)]))]);
    let actor = with_meshes(&quads, |meshes| {
        let points = &mut meshes[1].primitives[0];
        points.topology = Topology::Points;
        points.indices = Indices::Short(vec![0; 52 << 20]);
    });
    let mut renderer = renderer(&gpu, &actor, None);
    let uploaded = renderer.model_bytes();
    assert!(uploaded > 100 << 20, "{uploaded}");
    let mut frame = frame(&actor, &OrbitCamera::default(), LightSettings::default());
    frame.inspection.lines.wires = true;
    Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [64, 64]).unwrap();
    assert_eq!(renderer.model_bytes() - uploaded, 2 * 3 * 2 * 4);
}

#[test]
fn lines_have_a_time_of_their_own() {
    let Some(gpu) = gpu() else { return };
    let actor = quad(&[("meshes", json!([lit_mesh(0)]))]);
    let mut renderer = renderer(&gpu, &actor, None);
    if !renderer.time_passes(&gpu, true) {
        println!("skipped: no timestamps");
        return;
    }
    let mut frame = frame(&actor, &OrbitCamera::default(), LightSettings::default());
    frame.inspection.normal_length = 0.1;
    let mut millis = |wires, normals| {
        frame.inspection.lines = SurfaceLines { wires, normals };
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [256, 256]).unwrap();
        renderer.pass_millis(&gpu).unwrap()[Pass::Lines as usize]
    };
    for (wires, normals) in [(true, false), (false, true), (true, true)] {
        assert!(millis(wires, normals) > 0.0, "{wires} {normals}");
    }
    assert_eq!(millis(false, false), 0.0);
}

/// The first and the last column and row of a picture that have the colour of normals.
fn normals_of(picture: &RgbaImage) -> Option<[[u32; 2]; 2]> {
    let pixels = picture.enumerate_pixels();
    let blue = pixels.filter(|(_, _, pixel)| {
        let [red, _, blue, _] = pixel.0;
        blue > red.saturating_add(60)
    });
    let blue: Vec<_> = blue.map(|(x, y, _)| [x, y]).collect();
    let of = |lane: usize| {
        let each = blue.iter().map(|at| at[lane]);
        Some([each.clone().min()?, each.max()?])
    };
    Some([of(0)?, of(1)?])
}

/// Asserts that the only normals of a picture go level from column to column through its middle.
#[track_caller]
fn assert_normals(picture: &RgbaImage, columns: [u32; 2]) {
    let [found, rows] = normals_of(picture).expect("normals");
    let near = |found: u32, expected: u32| found.abs_diff(expected) <= 2;
    assert!(
        near(found[0], columns[0]) && near(found[1], columns[1]),
        "{found:?}"
    );
    assert!(rows.into_iter().all(|row| near(row, 32)), "{rows:?}");
}

/// From half a unit away a picture shows 0.268 units, and a normal is a fiftieth of the model's diagonal: of 4.47 units, as
/// all models here have, 21 pixels.
const CLOSE: &str = "90,90,0.5";

#[test]
fn normals_stand_on_vertices_a_fiftieth_of_the_model_long() {
    let Some(gpu) = gpu() else { return };
    // Two instances of one draw call.
    let mut quads = quad(&[
        ("meshes", json!([lit_mesh(0)])),
        (
            "nodes",
            json!([{ "mesh": 0 }, { "mesh": 0, "translation": [0, 2, 0] }]),
        ),
        ("scenes", json!([{ "nodes": [0, 1] }])),
    ]);
    // From +X, where +Z is on the left.
    for target in ["1,-1,0", "1,3,0"] {
        let more = ["--normals", "--orbit", CLOSE, "--target", target];
        for view in ["lit", "base-color"] {
            assert_normals(&view_of(&gpu, &mut quads, view, &more), [11, 31]);
        }
    }
    let bare = lit(&gpu, &mut quads, &["--orbit", CLOSE, "--target", "1,-1,0"]);
    assert_eq!(normals_of(&bare), None);
}

/// Of a quad with one triangle, seen from the side along its edges: the corner that is nearest has a normal as long as the
/// others, and nothing is drawn of it; that of the corner behind it is a fifth as long.
#[test]
fn vertices_of_which_nothing_is_drawn_show_no_normals() {
    let Some(gpu) = gpu() else { return };
    let quads = quad(&[
        ("meshes", json!([lit_mesh(0)])),
        (
            "nodes",
            json!([{ "mesh": 0 }, { "mesh": 0, "translation": [0, 2, 0] }]),
        ),
        ("scenes", json!([{ "nodes": [0, 1] }])),
    ]);
    // The first vertex, one in the middle, the last, of either instance.
    for (undrawn, drawn, orbit, target) in [
        (0, [1, 2, 3], "270,90,0.5", "-1,-1,0"),
        (2, [0, 1, 3], "90,90,0.5", "1,3,0"),
        (3, [0, 1, 2], "270,90,0.5", "-1,3,0"),
    ] {
        let width = |set: VertexSet| {
            let mut actor = with_meshes(&quads, |meshes| {
                let primitive = &mut meshes[0].primitives[0];
                primitive.indices = Indices::Short(drawn.to_vec());
                primitive.undrawn = set;
            });
            let more = ["--normals", "--orbit", orbit, "--target", target];
            let [columns, _] = normals_of(&lit(&gpu, &mut actor, &more)).expect("normals");
            columns[1] - columns[0]
        };
        let (all, left) = (width(VertexSet::default()), width(only(undrawn)));
        assert!(all > 15, "{undrawn}: {all}");
        assert!((2..8).contains(&left), "{undrawn}: {left}");
    }
}

/// A set of one vertex of a quad.
fn only(vertex: usize) -> VertexSet {
    VertexSet::of((0..4).map(|other| other == vertex))
}

#[test]
fn what_has_no_normals_shows_none() {
    let Some(gpu) = gpu() else { return };
    let drawn = |more: &[&str]| lit(&gpu, &mut quad(&[]), more);
    assert_eq!(drawn(&["--normals"]), drawn(&[]));
}

/// Beside others that have normals, too: their buffers are filled up alike.
#[test]
fn what_has_no_normals_shows_none_beside_what_has_some() {
    let Some(gpu) = gpu() else { return };
    let plain = json!({ "primitives": [{
        "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "indices": 2, "material": 0
    }] });
    let mut quads = quad(&[
        ("meshes", json!([lit_mesh(0), plain])),
        (
            "nodes",
            json!([{ "mesh": 0 }, { "mesh": 1, "translation": [0, 2, 0] }]),
        ),
        ("scenes", json!([{ "nodes": [0, 1] }])),
    ]);
    let mut drawn = |target| {
        let more = ["--normals", "--orbit", CLOSE, "--target", target];
        lit(&gpu, &mut quads, &more)
    };
    assert_normals(&drawn("1,-1,0"), [11, 31]);
    assert_eq!(normals_of(&drawn("1,3,0")), None);
}

/// A skinned quad with normals along +Z, whose third vertex, at (1, 1, 0), a morph target moves to (1, 3, 0).
fn morphed() -> Actor {
    skinned_with(|file| {
        let normals = [[0.0_f32, 0.0, 1.0]; 4].concat();
        let mut moves = [[0.0_f32; 3]; 4];
        moves[2][1] = 2.0;
        let floats = normals.into_iter().chain(moves.concat());
        let bytes: Vec<u8> = floats.flat_map(f32::to_le_bytes).collect();
        let uri = format!(
            "data:application/octet-stream;base64,{}",
            STANDARD.encode(&bytes)
        );
        let push = |list: &mut Value, value| list.as_array_mut().unwrap().push(value);
        push(
            &mut file["buffers"],
            json!({ "byteLength": bytes.len(), "uri": uri }),
        );
        for (place, (from, min, max)) in [
            (0, [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
            (48, [0.0; 3], [0.0, 2.0, 0.0]),
        ]
        .into_iter()
        .enumerate()
        {
            push(
                &mut file["bufferViews"],
                json!({ "buffer": 1, "byteOffset": from, "byteLength": 48 }),
            );
            push(
                &mut file["accessors"],
                json!({
                    "bufferView": 4 + place, "componentType": 5126, "type": "VEC3", "count": 4, "min": min, "max": max
                }),
            );
        }
        let mesh = &mut file["meshes"][0];
        mesh["weights"] = json!([1.0]);
        mesh["primitives"][0]["attributes"]["NORMAL"] = json!(4);
        mesh["primitives"][0]["targets"] = json!([{ "POSITION": 5 }]);
    })
}

/// Each vertex has its own deltas and joints, wherever those begin whose normals are drawn.
#[test]
fn normals_follow_morphs_beside_vertices_of_which_nothing_is_drawn() {
    let Some(gpu) = gpu() else { return };
    let more = ["--normals", "--orbit", CLOSE, "--target", "1,3,0"];
    for (undrawn, drawn) in [(0, [1, 2, 3]), (1, [0, 2, 3])] {
        let mut actor = with_meshes(&morphed(), |meshes| {
            let primitive = &mut meshes[0].primitives[0];
            primitive.indices = Indices::Short(drawn.to_vec());
            primitive.undrawn = only(undrawn);
        });
        assert_normals(&lit(&gpu, &mut actor, &more), [11, 31]);
    }
}

#[test]
fn normals_follow_morphs_and_joints() {
    let Some(gpu) = gpu() else { return };
    let mut morphed = morphed();
    // From +X, where +Z is on the left.
    let rest = ["--normals", "--orbit", CLOSE, "--target", "1,3,0"];
    assert_normals(&lit(&gpu, &mut morphed, &rest), [11, 31]);
    // What points along +Z points along +X then, and (1, 3, 0) is at (0, 3, -1).
    morphed.pose_by(|_, pose| {
        pose.locals[1].rotation = glam::Quat::from_rotation_y(90.0_f32.to_radians());
    });
    morphed.measure();
    let turned = ["--normals", "--orbit", "0,90,0.5", "--target", "0,3,-1"];
    assert_normals(&lit(&gpu, &mut morphed, &turned), [32, 53]);
}
