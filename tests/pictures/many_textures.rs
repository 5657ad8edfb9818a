//! Materials with more textures than any stage is promised.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::{
    app::Actor,
    render::{Renderer, layout},
};
use serde_json::{Value, json};

use super::quad::{middle, quad};
use crate::common::gpu;

/// Maps of one colour each, no two the same.
#[derive(Default)]
struct Maps(Vec<Value>);

impl Maps {
    fn of(&mut self, [red, green, blue]: [u8; 3]) -> Value {
        let image = image::RgbaImage::from_pixel(2, 2, image::Rgba([red, green, blue, 255]));
        let mut png = std::io::Cursor::new(Vec::new());
        image.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let png = STANDARD.encode(png.into_inner());
        self.0
            .push(json!({ "uri": format!("data:image/png;base64,{png}") }));
        json!({ "index": self.0.len() - 1 })
    }
}

/// Thirteen maps that say no more than factors could: nothing of the layers is there.
fn thirteen() -> Actor {
    let mut maps = Maps::default();
    let coat = json!({
        "clearcoatFactor": 1,
        "clearcoatTexture": maps.of([0, 1, 0]),
        "clearcoatRoughnessTexture": maps.of([1, 2, 3]),
        "clearcoatNormalTexture": maps.of([128, 127, 255])
    });
    let sheen = json!({
        "sheenColorFactor": [1, 1, 1],
        "sheenColorTexture": maps.of([0, 0, 1]),
        "sheenRoughnessTexture": maps.of([3, 4, 5])
    });
    let specular = json!({
        "specularTexture": maps.of([7, 7, 7]), "specularColorTexture": maps.of([9, 9, 9])
    });
    let transmission = json!({
        "transmissionFactor": 1, "transmissionTexture": maps.of([0, 0, 0])
    });
    let extensions = [
        ("KHR_materials_clearcoat", coat),
        ("KHR_materials_sheen", sheen),
        ("KHR_materials_specular", specular),
        ("KHR_materials_transmission", transmission),
    ];
    let material = json!({
        "pbrMetallicRoughness": {
            "baseColorTexture": maps.of([255, 0, 0]), "metallicRoughnessTexture": maps.of([0, 255, 0])
        },
        "normalTexture": maps.of([128, 128, 254]),
        "emissiveTexture": maps.of([0, 0, 0]),
        "emissiveFactor": [1, 1, 1],
        "occlusionTexture": maps.of([255, 254, 253]),
        "extensions": extensions.iter().map(|(name, it)| (*name, it)).collect::<std::collections::BTreeMap<_, _>>()
    });
    let textures: Vec<_> = (0..maps.0.len())
        .map(|source| json!({ "source": source }))
        .collect();
    assert_eq!(textures.len(), 13);
    let attributes = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 });
    let used: Vec<_> = extensions.iter().map(|(name, _)| name).collect();
    quad(&[
        ("materials", json!([material])),
        ("images", json!(maps.0)),
        ("textures", json!(textures)),
        ("extensionsUsed", json!(used)),
        (
            "meshes",
            json!([{ "primitives": [{ "attributes": attributes, "indices": 2, "material": 0 }] }]),
        ),
    ])
}

/// A layer whose map is black is not there, however many maps come before it.
#[test]
fn thirteen_maps_of_a_material_are_all_looked_at() {
    let Some(gpu) = gpu() else { return };
    let plain = json!([{ "pbrMetallicRoughness": {
        "baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0, "roughnessFactor": 1
    }, "extensions": { "KHR_materials_specular": { "specularFactor": 1, "specularColorFactor": [0.0027, 0.0027, 0.0027] } } }]);
    let attributes = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 });
    let mut plain = quad(&[
        ("materials", plain),
        ("extensionsUsed", json!(["KHR_materials_specular"])),
        (
            "meshes",
            json!([{ "primitives": [{ "attributes": attributes, "indices": 2, "material": 0 }] }]),
        ),
    ]);
    let expected = middle(&gpu, &mut plain, "none");
    let found = middle(&gpu, &mut thirteen(), "none");
    // Light does not pass.
    assert_eq!(found[3], 255, "{found:?}");
    // A map's least steps of normals and sheen are no factors.
    let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 3);
    assert!(near, "{found:?} instead of {expected:?}");
}

/// What has no room is told, by its name.
#[test]
fn textures_without_room_are_told() {
    let Some(gpu) = gpu() else { return };
    let room = layout::texture_slots(&gpu.device.limits());
    let mut renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm);
    let actor = thirteen();
    renderer.set_model(&gpu, actor.model());
    let left_out: Vec<_> = renderer.textures_left_out().collect();
    let expected = 13_usize.saturating_sub(room);
    assert_eq!(
        left_out.iter().map(|it| it.1.len()).sum::<usize>(),
        expected
    );
    println!("{room} textures, {left_out:?}");
    let promised = wgpu::Limits::default();
    assert_eq!(layout::texture_slots(&promised), 12);
}
