//! Morph targets of colours and of texture coordinates (glTF 2.0 §3.7.2.2), against values by hand.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::{
    anim::Skinning,
    app::Actor,
    export::{Still, still_glb},
    import::{Progress, load_bytes},
    render::Gpu,
};
use serde_json::{Value, json};

use super::quad::{assert_color, quad, unlit};
use crate::common::{gpu, picture, to_image};

const COLOR: [f32; 4] = [0.2, 0.4, 0.6, 1.0];
/// Of the first target, and of the second one.
const DELTAS: [[f32; 4]; 2] = [[0.4, -0.4, 0.6, -0.5], [0.0, 0.2, 0.0, 0.0]];

/// An unlit quad of a colour, whose targets change colours and move the texture from red to green.
fn morphing(weights: [f64; 2], material: &Value) -> Actor {
    let positions = [
        [-1.0_f32, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    let each = |values: &[f32]| values.repeat(4);
    let arrays = [
        positions.concat(),
        each(&COLOR),
        each(&[0.25, 0.5]),
        each(&DELTAS[0]),
        // The second one moves the colour alone, without alpha.
        each(&DELTAS[1][..3]),
        each(&[0.5, 0.0]),
    ];
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    for array in &arrays {
        views
            .push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": 4 * array.len() }));
        bytes.extend(array.iter().flat_map(|number| number.to_le_bytes()));
    }
    views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": 6 }));
    bytes.extend([0, 1, 2, 0, 2, 3]);
    let floats = |view: usize, shape: &str| json!({ "bufferView": view, "componentType": 5126, "type": shape, "count": 4 });
    let mut first = floats(0, "VEC3");
    first["min"] = json!([-1, -1, 0]);
    first["max"] = json!([1, 1, 0]);
    let image = image::RgbaImage::from_fn(2, 1, |x, _| {
        image::Rgba([[255, 0, 0, 255], [0, 255, 0, 255]][x as usize])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let png = STANDARD.encode(png.into_inner());
    let has_texture = !material["pbrMetallicRoughness"].is_null();
    let textured = |value: Value| if has_texture { value } else { Value::Null };
    let data = STANDARD.encode(&bytes);
    quad(&[
        ("materials", unlit(material.clone())),
        (
            "meshes",
            json!([{ "weights": weights, "primitives": [{
                "attributes": { "POSITION": 0, "COLOR_0": 1, "TEXCOORD_0": 2 }, "indices": 6, "material": 0,
                "targets": [{ "COLOR_0": 3, "TEXCOORD_0": 5 }, { "COLOR_0": 4 }]
            }] }]),
        ),
        (
            "images",
            textured(json!([{ "uri": format!("data:image/png;base64,{png}") }])),
        ),
        ("textures", textured(json!([{ "source": 0, "sampler": 0 }]))),
        (
            "samplers",
            textured(json!([{ "magFilter": 9728, "minFilter": 9728 }])),
        ),
        (
            "buffers",
            json!([{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }]),
        ),
        ("bufferViews", json!(views)),
        (
            "accessors",
            json!([
                first,
                floats(1, "VEC4"),
                floats(2, "VEC2"),
                floats(3, "VEC4"),
                floats(4, "VEC3"),
                floats(5, "VEC2"),
                { "bufferView": 6, "componentType": 5121, "type": "SCALAR", "count": 6 }
            ]),
        ),
    ])
}

fn middle(gpu: &Gpu, actor: &mut Actor) -> [u8; 4] {
    let typed = [
        "--size",
        "16x16",
        "--background",
        "none",
        "--tone",
        "none",
        "--target",
        "0,0,0",
        "--orbit",
        "0,90,3",
        "--fov",
        "30",
    ];
    to_image(&picture(gpu, actor, &typed))[(8, 8)].0
}

fn signal(linear: f32) -> u8 {
    let linear = f64::from(linear);
    let signal = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (255.0 * signal).round() as u8
}

fn shown([red, green, blue, alpha]: [f32; 4]) -> [u8; 4] {
    let [red, green, blue] = [red, green, blue].map(signal);
    [red, green, blue, (255.0 * alpha).round() as u8]
}

/// What is drawn, the file that is saved of it, and that file's picture.
#[test]
fn colors_follow_their_targets_and_stay_in_range() {
    let Some(gpu) = gpu() else { return };
    let blended = json!({ "alphaMode": "BLEND" });
    for (weights, expected) in [
        ([0.0, 0.0], COLOR),
        ([0.5, 0.0], [0.4, 0.2, 0.9, 0.75]),
        ([0.5, 1.0], [0.4, 0.4, 0.9, 0.75]),
        // 1.2 of blue are 1.
        ([1.0, 0.0], [0.6, 0.0, 1.0, 0.5]),
        // Clamped at the end, and not target by target.
        ([1.0, 1.0], [0.6, 0.2, 1.0, 0.5]),
    ] {
        let mut actor = morphing(weights, &blended);
        actor.pose_at(None, 0.0);
        assert_color(middle(&gpu, &mut actor), shown(expected));
        let model = actor.model();
        let glb = still_glb(&Still {
            model,
            scene: 0,
            pose: actor.pose(),
            skinning: Skinning::Linear,
            materials: &model.materials,
            lights: &[],
            cameras: &[],
            variant: None,
            json: "",
            pictures: None,
        });
        let saved = load_bytes("saved", &glb.unwrap().bytes, &Progress::default()).unwrap();
        let primitive = &saved.model.meshes[0].primitives[0];
        assert_eq!(primitive.targets.len(), 0);
        for color in primitive.vertices.colors.iter() {
            let far = (color - glam::Vec4::from(expected)).abs().max_element();
            assert!(far < 1e-6, "{color}, not {expected:?}");
        }
        let mut saved = Actor::new(saved.model);
        saved.pose_at(None, 0.0);
        assert_color(middle(&gpu, &mut saved), shown(expected));
    }
}

#[test]
fn texture_coordinates_follow_their_targets() {
    let Some(gpu) = gpu() else { return };
    let textured = json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    // Red at a quarter of the picture, green at three quarters.
    for (weight, expected) in [
        (0.0, [0.2, 0.0, 0.0, 1.0]),
        (0.25, [0.3, 0.0, 0.0, 1.0]),
        (1.0, [0.0, 0.0, 0.0, 1.0]),
        (0.75, [0.0, 0.1, 0.0, 1.0]),
    ] {
        let mut actor = morphing([weight, 0.0], &textured);
        actor.pose_at(None, 0.0);
        assert_color(middle(&gpu, &mut actor), shown(expected));
    }
}
