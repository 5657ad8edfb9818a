//! What vertices take on the adapter, and that no picture shows it.

use std::slice::from_ref;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::Vec3;
use rigscope::{
    app::Actor,
    import::{Progress, load_bytes},
    model::{Indices, Model, Primitive},
    render::{LeftOut, NoRoom, Pace, Picture},
    scene::{LightSettings, OrbitCamera},
};
use serde_json::{Value, json};

use super::{
    compared::frame,
    quad::{quad, renderer},
};
use crate::common::{gpu, picture};

/// A quad of primitives with these attributes.
fn with_attributes(primitives: &[Value]) -> Actor {
    let primitives = primitives
        .iter()
        .map(|attributes| json!({ "attributes": attributes, "indices": 2, "material": 0 }));
    let material =
        json!({ "pbrMetallicRoughness": { "roughnessFactor": 0.2, "metallicFactor": 0.5 } });
    quad(&[
        ("materials", json!([material])),
        ("extensionsUsed", Value::Null),
        (
            "meshes",
            json!([{ "primitives": primitives.collect::<Vec<_>>() }]),
        ),
    ])
}

fn with_model(change: impl FnOnce(&mut Vec<Primitive>)) -> Actor {
    let actor = with_attributes(&[json!({ "POSITION": 0 })]);
    let mut model = actor.model().clone();
    let mut meshes = (*model.meshes).clone();
    change(&mut meshes[0].primitives);
    model.meshes = meshes.into();
    Actor::new(model)
}

#[test]
fn vertices_take_the_bytes_of_what_they_have() {
    let Some(gpu) = gpu() else { return };
    let bytes = |primitives: &[Value]| {
        let actor = with_attributes(primitives);
        renderer(&gpu, &actor, None).model_bytes()
    };
    let plain = json!({ "POSITION": 0 });
    let textured = json!({ "POSITION": 0, "TEXCOORD_0": 1 });
    let bumpy = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3, "TANGENT": 4 });
    let least = bytes(from_ref(&plain));
    // Four vertices, and indices of two bytes, besides what stands for a texture.
    assert!((60..80).contains(&least), "{least}");
    assert_eq!(bytes(&[textured]) - least, 4 * 8);
    assert_eq!(bytes(from_ref(&bumpy)) - least, 4 * 16);
    // What is alike is there once.
    let twice = [bumpy.clone(), bumpy.clone(), bumpy.clone()];
    assert_eq!(bytes(&twice) - least, 4 * 16);
    // Few bytes are filled up, so that both are drawn by one pipeline.
    assert_eq!(bytes(&[plain, bumpy]) - least, 4 * 28 + 4 * 16);
}

/// Whatever other primitives have: flat shading, white, no texture.
#[test]
fn what_vertices_lack_looks_the_same_beside_those_that_have_it() {
    let Some(gpu) = gpu() else { return };
    let typed = ["--size", "64x64", "--orbit", "30,60,4", "--target", "0,0,0"];
    let bumpy = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3, "TANGENT": 4 });
    for own in [
        json!({ "POSITION": 0 }),
        json!({ "POSITION": 0, "TEXCOORD_0": 1 }),
        json!({ "POSITION": 0, "NORMAL": 3 }),
    ] {
        let mut alone = with_attributes(from_ref(&own));
        let mut beside = with_attributes(&[own.clone(), bumpy.clone()]);
        // Nothing of it is seen but what it has.
        let mut model = beside.model().clone();
        let mut meshes = (*model.meshes).clone();
        meshes[0].primitives[1].indices = Indices::Short(vec![0; 6]);
        model.meshes = meshes.into();
        beside = Actor::new(model);
        let (alone, beside) = (
            picture(&gpu, &mut alone, &typed),
            picture(&gpu, &mut beside, &typed),
        );
        assert!(alone == beside, "{own}");
    }
}

/// A small file that says the same triangles again and again is drawn as far as an adapter gets in a moment, and what is left
/// out has a name; what has the bytes is drawn whole.
#[test]
fn what_is_said_over_and_over_has_an_end() {
    let Some(gpu) = gpu() else { return };
    if !gpu.is_software() {
        // They can do much more.
        return;
    }
    // Of no size, or seen from behind: to draw them takes but a moment.
    let (small, large) = ([0; 3], [0, 2, 1]);
    let many = |data_bytes: u64, vertices: usize, triangle: [u16; 3]| {
        let actor = with_model(|primitives| {
            let mut first = Primitive {
                indices: Indices::Short(triangle.repeat(1_000_000)),
                ..primitives[0].clone()
            };
            first.vertices.positions.resize(vertices, Vec3::ZERO);
            *primitives = (0..12)
                .map(|file_index| Primitive {
                    file_index,
                    ..first.clone()
                })
                .collect();
        });
        Actor::new(Model {
            data_bytes,
            ..actor.model().clone()
        })
    };
    let left_out_at = |pace: Pace, actor: &Actor| {
        let mut renderer = renderer(&gpu, actor, None);
        renderer.set_pace(pace);
        assert_eq!(renderer.left_out(), None);
        let camera = OrbitCamera {
            radius: 3.0,
            ..OrbitCamera::default()
        };
        let frame = frame(actor, &camera, LightSettings::default());
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [16, 16]).unwrap();
        renderer.left_out().map(|it| it.to_string())
    };
    let left_out = |actor: &Actor| left_out_at(Pace::Frames, actor);
    let of = |primitive: usize| Some(format!("/meshes/0/primitives/{primitive}"));
    let twelve = many(1000, 4, small);
    assert_eq!(left_out(&twelve), of(2));
    // Who waits for one picture gets more.
    assert_eq!(left_out_at(Pace::Still, &twelve), of(8));
    // Half a million pictures one behind the other are too many.
    assert_eq!(left_out(&many(1000, 4, large)), of(0));
    assert_eq!(left_out(&many(12_000_000, 100_000, small)), None);
    // Bytes for all that say the same of four vertices.
    assert_eq!(left_out(&many(12_000_000, 4, small)), of(8));
}

/// Triangles one behind the other, which are next to nothing at rest: joints or morph targets make each as large as the picture.
#[test]
fn what_is_spread_until_it_covers_the_picture_has_an_end() {
    let Some(gpu) = gpu() else { return };
    if !gpu.is_software() {
        // They can do much more.
        return;
    }
    const TRIANGLES: usize = 20_000;
    let small = [
        0.0_f32, 0.0, 0.0, 0.001, 0.0, 0.0, 0.0, 0.001, 0.0, 1.0, 1.0, 0.0,
    ];
    let spread = [
        0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0,
    ];
    // The far corner follows a joint of its own.
    let joints = [[0_u8; 4], [0; 4], [0; 4], [1, 0, 0, 0]].concat();
    let weights = [[1.0_f32, 0.0, 0.0, 0.0]; 4].concat();
    let indices = [0_u16, 1, 2].repeat(TRIANGLES).into_iter().chain([0, 1, 3]);
    let mut bytes: Vec<u8> = small
        .iter()
        .chain(&spread)
        .flat_map(|it| it.to_le_bytes())
        .collect();
    bytes.extend(joints);
    bytes.extend(weights.iter().flat_map(|it| it.to_le_bytes()));
    bytes.extend(indices.flat_map(u16::to_le_bytes));
    let data = STANDARD.encode(&bytes);
    let view =
        |at: usize, bytes: usize| json!({ "buffer": 0, "byteOffset": at, "byteLength": bytes });
    let corners = |view: usize, max: f32| {
        json!({
            "bufferView": view, "componentType": 5126, "type": "VEC3", "count": 4, "min": [0, 0, 0], "max": [max, max, 0]
        })
    };
    let count = 3 * TRIANGLES + 3;
    let file = |mesh: Value, node: Value| {
        let document = json!({
            "asset": { "version": "2.0" },
            "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }],
            "bufferViews": [view(0, 48), view(48, 48), view(96, 16), view(112, 64), view(176, 2 * count)],
            "accessors": [
                corners(0, 1.0), corners(1, 1.0),
                { "bufferView": 2, "componentType": 5121, "type": "VEC4", "count": 4 },
                { "bufferView": 3, "componentType": 5126, "type": "VEC4", "count": 4 },
                { "bufferView": 4, "componentType": 5123, "type": "SCALAR", "count": count }
            ],
            "meshes": [{ "primitives": [mesh] }],
            "skins": [{ "joints": [1, 2] }],
            "nodes": [node, { "scale": [1000, 1000, 1000] }, {}],
            "scenes": [{ "nodes": [0, 1, 2] }]
        });
        let bytes = document.to_string();
        let import = load_bytes("spread", bytes.as_bytes(), &Progress::default()).unwrap();
        Actor::new(import.model)
    };
    let left_out = |actor: &Actor| {
        let mut renderer = renderer(&gpu, actor, None);
        let camera = OrbitCamera {
            radius: 3.0,
            ..OrbitCamera::default()
        };
        let frame = frame(actor, &camera, LightSettings::default());
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [512, 512]).unwrap();
        renderer.left_out().map(|it| it.to_string())
    };
    let first = Some("/meshes/0/primitives/0".to_owned());
    let skinned =
        json!({ "attributes": { "POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3 }, "indices": 4 });
    assert_eq!(
        left_out(&file(skinned, json!({ "mesh": 0, "skin": 0 }))),
        first
    );
    let morphed =
        json!({ "attributes": { "POSITION": 0 }, "indices": 4, "targets": [{ "POSITION": 1 }] });
    let with_weight = |weight: u32| json!({ "mesh": 0, "weights": [weight] });
    assert_eq!(left_out(&file(morphed.clone(), with_weight(1))), first);
    // As they are at rest they are nothing.
    assert_eq!(left_out(&file(morphed, with_weight(0))), None);
}

/// A fine floor that a joint moves, and that passes below the eye: some of its triangles reach from before it to behind it.
#[test]
fn what_is_near_the_eye_is_drawn() {
    let Some(gpu) = gpu() else { return };
    const SIDE: u16 = 150;
    let corner = |index: u16| {
        let [x, z] = [index % (SIDE + 1), index / (SIDE + 1)].map(|it| f32::from(it) / 7.5 - 10.0);
        [x, 0.0, z]
    };
    let corners = (0..(SIDE + 1) * (SIDE + 1)).flat_map(corner);
    let quads = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| row * (SIDE + 1) + column));
    let below = SIDE + 1;
    let indices = quads.flat_map(|at| [at, at + below, at + 1, at + 1, at + below, at + below + 1]);
    let vertices = usize::from(SIDE + 1).pow(2);
    let count = 6 * usize::from(SIDE).pow(2);
    let mut bytes: Vec<u8> = corners.flat_map(f32::to_le_bytes).collect();
    bytes.extend([0; 4].repeat(vertices));
    bytes.extend([255, 0, 0, 0].repeat(vertices));
    bytes.extend(indices.flat_map(u16::to_le_bytes));
    let view =
        |at: usize, bytes: usize| json!({ "buffer": 0, "byteOffset": at, "byteLength": bytes });
    let of_joints = |view: usize, is_share: bool| {
        json!({
            "bufferView": view, "componentType": 5121, "normalized": is_share, "type": "VEC4", "count": vertices
        })
    };
    let document = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{}", STANDARD.encode(&bytes)) }],
        "bufferViews": [
            view(0, 12 * vertices), view(12 * vertices, 4 * vertices), view(16 * vertices, 4 * vertices), view(20 * vertices, 2 * count)
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": vertices, "min": [-10, 0, -10], "max": [10, 0, 10] },
            of_joints(1, false), of_joints(2, true),
            { "bufferView": 3, "componentType": 5123, "type": "SCALAR", "count": count }
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 }, "indices": 3 }] }],
        "skins": [{ "joints": [1] }],
        "nodes": [{ "mesh": 0, "skin": 0 }, { "name": "joint" }],
        "scenes": [{ "nodes": [0, 1] }]
    });
    let import = load_bytes(
        "floor",
        document.to_string().as_bytes(),
        &Progress::default(),
    );
    let actor = Actor::new(import.unwrap().model);
    let mut renderer = renderer(&gpu, &actor, None);
    for step in 0..41_u8 {
        let camera = OrbitCamera {
            target: Vec3::new(0.013, 0.5, 0.45 * f32::from(step) - 9.0),
            polar_radians: 85_f32.to_radians(),
            radius: 5.0,
            ..OrbitCamera::default()
        };
        let frame = frame(&actor, &camera, LightSettings::default());
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [320, 180]).unwrap();
        assert_eq!(renderer.left_out(), None, "{step}");
    }
}

/// Of bytes, too: primitives that all differ.
#[test]
fn uploads_have_an_end() {
    let Some(gpu) = gpu() else { return };
    let many = |data_bytes: u64| {
        let actor = with_model(|primitives| {
            let first = primitives[0].clone();
            *primitives = (0..5)
                .map(|file_index| {
                    let mut primitive = Primitive {
                        file_index,
                        ..first.clone()
                    };
                    let place = Vec3::splat(file_index as f32);
                    primitive.vertices.positions = vec![place; 4_500_000];
                    primitive
                })
                .collect();
        });
        Actor::new(Model {
            data_bytes,
            ..actor.model().clone()
        })
    };
    let uploaded = |actor: &Actor| {
        let renderer = renderer(&gpu, actor, None);
        (renderer.model_bytes() >> 20, renderer.left_out())
    };
    // By software fewer: they lie in the same memory.
    let fitting = if gpu.is_software() { 1 } else { 2 };
    let next = LeftOut {
        mesh: 0,
        primitive: fitting,
        why: NoRoom::Shapes,
    };
    let most = if gpu.is_software() { 51 } else { 102 };
    assert_eq!(uploaded(&many(1000)), (most, Some(next)));
    assert_eq!(uploaded(&many(5 * 54_000_000)), (257, None));
}

/// A software driver draws what is large in portions, which nobody sees: opaque, blended or summed up, with shadows and lines,
/// and in views for inspection.
#[test]
fn portions_are_not_seen() {
    let Some(gpu) = gpu() else { return };
    const SIDE: u16 = 180;
    let material = |alpha_mode: &str| {
        json!([{ "alphaMode": alpha_mode, "doubleSided": true, "pbrMetallicRoughness": {
            "baseColorFactor": [0.8, 0.5, 0.2, 0.5], "metallicFactor": 0.1, "roughnessFactor": 0.4
        } }])
    };
    for alpha_mode in ["OPAQUE", "BLEND"] {
        let actor = quad(&[
            ("materials", material(alpha_mode)),
            ("extensionsUsed", Value::Null),
        ]);
        let mut model = actor.model().clone();
        let mut meshes = (*model.meshes).clone();
        let first = Primitive {
            indices: Indices::Short(grid(SIDE)),
            ..meshes[0].primitives[0].clone()
        };
        meshes[0].primitives = (0..4)
            .map(|file_index| {
                let mut primitive = Primitive {
                    file_index,
                    ..first.clone()
                };
                let place = |index: u16| {
                    let (x, y) = (f32::from(index % SIDE), f32::from(index / SIDE));
                    let at = Vec3::new(x, y, 0.0) * (2.0 / f32::from(SIDE)) - Vec3::ONE;
                    at.with_z((3.0 * at.x + file_index as f32).sin() * (2.0 * at.y).cos() * 0.5)
                };
                let places: Vec<_> = (0..SIDE * SIDE).map(place).collect();
                let bent = |place: &Vec3| place.with_z(1.0).normalize();
                primitive.vertices.normals = places.iter().map(bent).collect();
                primitive.vertices.positions = places;
                primitive.vertices.tex_coords = Default::default();
                primitive
            })
            .collect();
        model.meshes = meshes.into();
        let ways: [&[&str]; 5] = [
            &[],
            &["--transparency", "weighted"],
            &["--view", "normal"],
            &["--view", "wireframe"],
            &["--wires", "--normals"],
        ];
        for way in ways {
            let pictures = [0, 1 << 40].map(|data_bytes| {
                let mut actor = Actor::new(Model {
                    data_bytes,
                    ..model.clone()
                });
                let typed = ["--size", "96x96", "--orbit", "30,60,4", "--target", "0,0,0"];
                picture(&gpu, &mut actor, &[&typed, way].concat())
            });
            assert!(pictures[0] == pictures[1], "{alpha_mode} {way:?}");
        }
    }
}

/// Indices of a square of `side` × `side` vertices.
fn grid(side: u16) -> Vec<u16> {
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let corners = cells.flat_map(|at| [at, at + 1, at + side, at + 1, at + side + 1, at + side]);
    corners.collect()
}
