//! Shadows fall on others, and not on what throws them.

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

/// Where a floor and a wall on it are.
fn floor_and_wall() -> [Value; 2] {
    let flat = [-0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    let floor = json!({ "rotation": flat, "scale": [2, 2, 1] });
    let wall = json!({ "translation": [0, 1, 0] });
    [floor, wall]
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

/// A wall's shadow begins at its foot.
#[test]
fn shadows_touch_what_throws_them() {
    let Some(gpu) = gpu() else { return };
    let actor = quads(json!({}), &floor_and_wall());
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
    let [with, without] = [true, false].map(|shadow| drawn(&gpu, &actor, &camera, shadow));
    // Where the wall meets the floor; below that in the picture is the floor, nearer to the eye.
    let middle = SIDE / 2;
    for below in [4, 8, 16, 24] {
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
