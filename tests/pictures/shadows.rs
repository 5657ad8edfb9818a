//! Shadows fall on others, and not on what throws them.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::{Quat, Vec3};
use rigscope::{
    app::Actor,
    render::{Gpu, Picture},
    scene::{LightSettings, OrbitCamera, Shadow},
};
use serde_json::{Value, json};

use super::{
    compared::frame,
    quad::{lit_mesh, quad, renderer},
};
use crate::common::{gpu, picture, to_image};

const SIDE: u32 = 128;

/// Quads of one matt material, placed by these nodes below a node of their own.
fn quads(root: Value, places: &[Value]) -> Actor {
    quads_with(&json!({}), root, places)
}

/// [`quads`] whose material has these extensions.
fn quads_with(extensions: &Value, root: Value, places: &[Value]) -> Actor {
    let places: Vec<_> = places
        .iter()
        .map(|place| {
            let mut node = place.clone();
            node["mesh"] = json!(0);
            node
        })
        .collect();
    let mut root = root;
    root["children"] = (1..=places.len()).collect();
    let nodes: Vec<_> = std::iter::once(root).chain(places).collect();
    let mut paint =
        json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 } });
    let used: Vec<_> = extensions.as_object().unwrap().keys().collect();
    let used = (!used.is_empty()).then(|| json!(used));
    if used.is_some() {
        paint["extensions"] = extensions.clone();
    }
    let mut actor = quad(&[
        ("materials", json!([paint])),
        ("meshes", json!([lit_mesh(0)])),
        ("extensionsUsed", used.unwrap_or_default()),
        ("nodes", json!(nodes)),
    ]);
    actor.measure();
    actor
}

/// The sides of a cube.
fn cube() -> Vec<Value> {
    let quarter = 0.5_f32.sqrt();
    let turns = [
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, quarter, 0.0, quarter],
        [0.0, -quarter, 0.0, quarter],
        [quarter, 0.0, 0.0, quarter],
        [-quarter, 0.0, 0.0, quarter],
    ];
    turns
        .iter()
        .map(|&turn| {
            let outward = Quat::from_array(turn) * Vec3::Z;
            json!({ "rotation": turn, "translation": outward.to_array() })
        })
        .collect()
}

fn drawn(gpu: &Gpu, actor: &Actor, camera: &OrbitCamera, with_shadow: bool) -> image::RgbaImage {
    let key_alone = LightSettings {
        environment_strength: 0.0,
        ..LightSettings::default()
    };
    let mut frame = frame(actor, camera, key_alone);
    frame.lighting.shadow = with_shadow.then(|| Shadow {
        casters: actor.bounds(),
        ground: None,
    });
    let mut renderer = renderer(gpu, actor, None);
    to_image(&Picture::draw(gpu, &mut renderer, actor.model(), &frame, [SIDE; 2]).unwrap())
}

/// Towards the key light.
fn to_light() -> Vec3 {
    LightSettings::default().key(true, false).unwrap().backward
}

/// What faces the light has the same depth all over: nothing but rounding tells it from its own shadow.
#[test]
fn what_faces_the_light_throws_no_shadow_on_itself() {
    let Some(gpu) = gpu() else { return };
    for place in [0.0_f32, 50.0] {
        for degrees in [0.0_f32, 0.01, 0.05, 0.2, 1.0] {
            let facing = Quat::from_rotation_arc(Vec3::Z, to_light());
            let turn = Quat::from_rotation_y(degrees.to_radians()) * facing;
            let root = json!({ "rotation": turn.to_array(), "translation": [place, 0, 0] });
            let camera = OrbitCamera {
                target: Vec3::new(place, 0.0, 0.0),
                radius: 6.0,
                ..OrbitCamera::default()
            };
            for places in [vec![json!({})], cube()] {
                let actor = quads(root.clone(), &places);
                let [with, without] =
                    [true, false].map(|shadow| drawn(&gpu, &actor, &camera, shadow));
                let seen = without.pixels().filter(|it| it.0[0] > 100).count();
                assert!(seen > 500, "{seen} pixels of it are lit");
                let pairs = with.pixels().zip(without.pixels());
                let darker = pairs.filter(|(with, without)| with.0[0] + 2 < without.0[0]);
                let darker = darker.count();
                let sides = places.len();
                assert_eq!(darker, 0, "{sides} sides at {place}, {degrees}° aside");
            }
        }
    }
}

/// A matt sphere of radius 1 with so many facets around and half as many from pole to pole, and the normals of a true one.
fn sphere(around: u16) -> Actor {
    let rings = around / 2;
    let mut corners = vec![Vec3::Y];
    for ring in 1..rings {
        let polar = f32::from(ring) / f32::from(rings) * std::f32::consts::PI;
        corners.extend((0..around).map(|place| {
            let azimuth = f32::from(place) / f32::from(around) * std::f32::consts::TAU;
            Quat::from_rotation_y(azimuth) * Quat::from_rotation_x(polar) * Vec3::Y
        }));
    }
    corners.push(Vec3::NEG_Y);
    let at = |ring: u16, place: u16| match ring {
        0 => 0,
        ring if ring == rings => 1 + (rings - 1) * around,
        ring => 1 + (ring - 1) * around + place % around,
    };
    let mut indices = Vec::new();
    for ring in 0..rings {
        for place in 0..around {
            let [above, below] = [ring, ring + 1].map(|it| [at(it, place), at(it, place + 1)]);
            if ring + 1 < rings {
                indices.extend([above[0], below[0], below[1]]);
            }
            if ring > 0 {
                indices.extend([above[0], below[1], above[1]]);
            }
        }
    }
    let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut bytes = Vec::new();
    for corner in &corners {
        (least, most) = (least.min(*corner), most.max(*corner));
        bytes.extend(
            corner
                .to_array()
                .iter()
                .flat_map(|float| float.to_le_bytes()),
        );
    }
    let places = bytes.len();
    bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    let data = STANDARD.encode(&bytes);
    let mut actor = quad(&[
        (
            "materials",
            json!([{ "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 } }]),
        ),
        (
            "meshes",
            json!([{ "primitives": [{ "attributes": { "POSITION": 0, "NORMAL": 0 }, "indices": 1, "material": 0 }] }]),
        ),
        (
            "buffers",
            json!([{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }]),
        ),
        (
            "bufferViews",
            json!([
                { "buffer": 0, "byteLength": places },
                { "buffer": 0, "byteOffset": places, "byteLength": bytes.len() - places }
            ]),
        ),
        (
            "accessors",
            json!([
                {
                    "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": corners.len(),
                    "min": least.to_array(), "max": most.to_array()
                },
                { "bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": indices.len() }
            ]),
        ),
        ("extensionsUsed", Value::Null),
    ]);
    actor.measure();
    actor
}

/// What is bulged throws no shadow on itself: neither do facets on their neighbours, nor where the light passes by a facet
/// whose corners are lit.
#[test]
fn a_sphere_throws_no_shadow_on_itself() {
    let Some(gpu) = gpu() else { return };
    for around in [32, 64] {
        let actor = sphere(around);
        for degrees in [30.0_f32, 120.0, 210.0] {
            let camera = OrbitCamera {
                target: Vec3::ZERO,
                azimuth_radians: degrees.to_radians(),
                radius: 4.0,
                ..OrbitCamera::default()
            };
            let [with, without] = [true, false].map(|shadow| drawn(&gpu, &actor, &camera, shadow));
            let seen = without.pixels().filter(|it| it.0[0] > 50).count();
            assert!(seen > 500, "{seen} pixels of it are lit");
            let pairs = with.pixels().zip(without.pixels());
            let darker = pairs.map(|(with, without)| without.0[0].saturating_sub(with.0[0]));
            let most = darker.max().unwrap();
            assert!(most <= 2, "{around} facets from {degrees}°: {most} darker");
        }
    }
}

/// Where a floor and a wall on it are.
fn floor_and_wall() -> [Value; 2] {
    [floor(), json!({ "translation": [0, 1, 0] })]
}

fn floor() -> Value {
    let flat = [-0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    json!({ "rotation": flat, "scale": [2, 2, 1] })
}

/// Light passes through no surface by default (`KHR_materials_transmission`, "Properties").
#[test]
fn glass_that_nothing_passes_through_throws_a_shadow() {
    let Some(gpu) = gpu() else { return };
    let camera = OrbitCamera {
        azimuth_radians: std::f32::consts::PI,
        polar_radians: 0.6,
        radius: 8.0,
        ..OrbitCamera::default()
    };
    let of = |extensions: Value, with_shadow| {
        let actor = quads_with(&extensions, json!({}), &floor_and_wall());
        drawn(&gpu, &actor, &camera, with_shadow)
    };
    let glass = json!({ "KHR_materials_transmission": {} });
    let paint = of(json!({}), true);
    assert!(of(glass, true) == paint);
    assert!(of(json!({}), false) != paint, "the test tells nothing");
}

/// Browsers and editors lay a picture over a page in sRGB, whatever the light is.
#[test]
fn a_shadow_on_the_ground_is_as_dark_on_any_page() {
    let Some(gpu) = gpu() else { return };
    let mut actor = quads(json!({}), &cube());
    for (page, most) in [(0xff_u8, 2.0), (0xc0, 3.0)] {
        let color = format!("{page:02x}").repeat(3);
        let [over_page, alone] = [&*color, "none"].map(|background| {
            let typed = [
                "--ground",
                "--size",
                "128x128",
                "--target",
                "0,0,0",
                "--camera",
                "120,40,12",
                "--background",
                background,
            ];
            to_image(&picture(&gpu, &mut actor, &typed))
        });
        let mut shadows = 0;
        for (over_page, alone) in over_page.pixels().zip(alone.pixels()) {
            let [red, green, blue, alpha] = alone.0;
            if [red, green, blue] != [0; 3] || alpha == 0 {
                continue;
            }
            let mixed = f32::from(page) * (1.0 - f32::from(alpha) / 255.0);
            let expected = f32::from(over_page.0[0]);
            assert!((mixed - expected).abs() <= most, "{mixed} of {expected}");
            shadows += 1;
        }
        assert!(shadows > 100, "{shadows} pixels of shadow");
    }
}

/// A wall's shadow begins at its foot, however low it is: here some ten texels of the map.
#[test]
fn shadows_touch_what_throws_them() {
    let Some(gpu) = gpu() else { return };
    // From behind the wall, where the light does not come from, and above.
    let behind = to_light() * Vec3::new(-1.0, 0.0, -1.0);
    assert!(behind.z < -0.2, "the wall stands across");
    let camera = OrbitCamera {
        target: Vec3::ZERO,
        azimuth_radians: std::f32::consts::PI,
        polar_radians: 0.6,
        radius: 0.5,
        ..OrbitCamera::default()
    };
    let low = json!({ "translation": [0, 0.05, 0], "scale": [1, 0.05, 1] });
    let low = [floor(), low];
    for (places, looked_at) in [
        (floor_and_wall(), [4, 8, 16, 24].as_slice()),
        (low, &[4, 8]),
    ] {
        let actor = quads(json!({}), &places);
        let [with, without] = [true, false].map(|shadow| drawn(&gpu, &actor, &camera, shadow));
        // Where the wall meets the floor; below that in the picture is the floor, nearer to the eye.
        let middle = SIDE / 2;
        for &below in looked_at {
            let at = (middle, middle + below);
            let (with, without) = (with[at].0[0], without[at].0[0]);
            // Edges are soft over some texels, of which one is two pixels here.
            let most = if below < 16 { without - 40 } else { 5 };
            assert!(
                with < most && without > 100,
                "{below} pixels from the wall: {with}, {without}"
            );
        }
    }
}
