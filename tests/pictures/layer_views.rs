//! Views of what extensions say of a material: factors and textures as they are in force.

use serde_json::{Value, json};

use super::{
    layers::{material, quad_of},
    quad::{assert_color, lit_mesh, quad},
    views::shown,
};
use crate::common::gpu;

/// A material of one extension.
fn with(extension: &str, members: &Value) -> Value {
    let name = format!("KHR_materials_{extension}");
    material([0.5; 3], 0.0, 0.5, &json!({ name: members }))
}

/// A view, an extension with members that it is about, and what is shown.
fn cases() -> [(&'static str, &'static str, Value, [u8; 3]); 11] {
    let texture = json!({ "index": 0 });
    // By a texel of linear 0.503, 0.251 and 1, which is 188, 137 and 255 on the screen; linear 0.5 is 188, too.
    let (factor, color) = (json!([1.0, 1.0, 0.5]), [188, 137, 188]);
    [
        // The red channel, 188.
        (
            "clearcoat",
            "clearcoat",
            json!({ "clearcoatFactor": 0.8, "clearcoatTexture": texture }),
            [150; 3],
        ),
        // The green one, 137.
        (
            "clearcoat-roughness",
            "clearcoat",
            json!({ "clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.6, "clearcoatRoughnessTexture": texture }),
            [82; 3],
        ),
        (
            "sheen",
            "sheen",
            json!({ "sheenColorFactor": factor, "sheenColorTexture": texture }),
            color,
        ),
        // Alpha, 128.
        (
            "sheen-roughness",
            "sheen",
            json!({ "sheenColorFactor": factor, "sheenRoughnessFactor": 0.5, "sheenRoughnessTexture": texture }),
            [64; 3],
        ),
        (
            "specular",
            "specular",
            json!({ "specularFactor": 0.6, "specularTexture": texture }),
            [77; 3],
        ),
        (
            "specular-color",
            "specular",
            json!({ "specularColorFactor": factor, "specularColorTexture": texture }),
            color,
        ),
        (
            "transmission",
            "transmission",
            json!({ "transmissionFactor": 0.75, "transmissionTexture": texture }),
            [141; 3],
        ),
        (
            "diffuse-transmission",
            "diffuse_transmission",
            json!({ "diffuseTransmissionFactor": 0.9, "diffuseTransmissionTexture": texture }),
            [115; 3],
        ),
        (
            "diffuse-transmission-color",
            "diffuse_transmission",
            json!({
                "diffuseTransmissionFactor": 0.9, "diffuseTransmissionColorFactor": factor,
                "diffuseTransmissionColorTexture": texture
            }),
            color,
        ),
        (
            "iridescence",
            "iridescence",
            json!({ "iridescenceFactor": 0.7, "iridescenceTexture": texture }),
            [132; 3],
        ),
        // The blue channel, 255; red and green are a direction.
        (
            "anisotropy",
            "anisotropy",
            json!({ "anisotropyStrength": 0.6, "anisotropyTexture": texture }),
            [153; 3],
        ),
    ]
}

fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

#[test]
fn views_of_layers_show_factor_and_texture() {
    let Some(gpu) = gpu() else { return };
    for (view, extension, members, expected) in cases() {
        let mut quad = quad_of(&with(extension, &members));
        let found = shown(&gpu, &mut quad, view, &[]);
        let near = found.iter().zip(opaque(expected));
        let near = near.into_iter().all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(near, "{view}: {found:?} instead of {expected:?}");
    }
}

/// But for what dielectrics reflect, which they do without any extension.
#[test]
fn views_are_black_where_a_material_lacks_the_layer() {
    let Some(gpu) = gpu() else { return };
    let mut plain = quad_of(&material([0.5; 3], 0.0, 0.5, &json!({})));
    let mut unlit = quad(&[]);
    // A clear coat that covers nothing has no roughness to show.
    let bare = json!({ "clearcoatFactor": 0.0, "clearcoatRoughnessFactor": 0.6 });
    let mut bare = quad_of(&with("clearcoat", &bare));
    for (view, extension, ..) in cases() {
        let expected = if extension == "specular" {
            [255; 4]
        } else {
            opaque([0; 3])
        };
        for without in [&mut plain, &mut unlit, &mut bare] {
            assert_color(shown(&gpu, without, view, &[]), expected);
        }
    }
}

/// A coat that covers nothing, and no other layer, among so many other materials that all get the layers of all.
#[test]
fn views_are_black_where_a_layer_is_shared_that_a_material_lacks() {
    let Some(gpu) = gpu() else { return };
    let layers = [
        ("clearcoat", json!({ "clearcoatFactor": 1.0 })),
        ("sheen", json!({ "sheenColorFactor": [1.0, 1.0, 1.0] })),
        ("specular", json!({ "specularFactor": 0.5 })),
        (
            "diffuse_transmission",
            json!({ "diffuseTransmissionFactor": 0.5 }),
        ),
        ("iridescence", json!({ "iridescenceFactor": 0.5 })),
    ];
    let bare = json!({ "clearcoatFactor": 0.0, "clearcoatRoughnessFactor": 0.6 });
    let bare = with("clearcoat", &bare);
    let others = (0..128_usize).map(|bits| {
        let chosen = layers.iter().enumerate();
        let chosen = chosen.filter(|(place, _)| (bits >> place) & 1 == 1);
        let extensions: serde_json::Map<_, _> = chosen
            .map(|(_, (name, members))| (format!("KHR_materials_{name}"), members.clone()))
            .collect();
        let mut other = material([0.5; 3], 0.0, 0.5, &Value::Object(extensions));
        other["doubleSided"] = json!((bits >> 5) & 1 == 1);
        other["alphaMode"] = json!(["OPAQUE", "MASK"][(bits >> 6) & 1]);
        other
    });
    let materials: Vec<_> = std::iter::once(bare).chain(others).collect();
    let behind: Vec<_> = (1..materials.len())
        .map(|material| lit_mesh(material)["primitives"][0].clone())
        .collect();
    let used: Vec<_> = layers
        .iter()
        .map(|(name, _)| format!("KHR_materials_{name}"))
        .collect();
    let mut quads = quad(&[
        ("extensionsUsed", json!(used)),
        ("materials", json!(materials)),
        ("meshes", json!([lit_mesh(0), { "primitives": behind }])),
        (
            "nodes",
            json!([{ "mesh": 0 }, { "mesh": 1, "translation": [0, 0, -1] }]),
        ),
        ("scenes", json!([{ "nodes": [0, 1] }])),
    ]);
    for view in [
        "clearcoat",
        "clearcoat-roughness",
        "sheen",
        "sheen-roughness",
        "diffuse-transmission",
        "diffuse-transmission-color",
        "iridescence",
    ] {
        let found = shown(&gpu, &mut quads, view, &[]);
        assert_eq!(found, opaque([0; 3]), "{view}");
    }
}

/// Here of 400 nm where its texture is black, and of none where it is white.
#[test]
fn the_view_of_iridescence_is_of_no_thickness() {
    let Some(gpu) = gpu() else { return };
    let texture = json!({ "index": 0 });
    let film = json!({
        "iridescenceFactor": 0.7, "iridescenceTexture": texture, "iridescenceThicknessTexture": texture,
        "iridescenceThicknessMinimum": 400.0, "iridescenceThicknessMaximum": 0.0
    });
    let mut film = quad_of(&with("iridescence", &film));
    assert_color(shown(&gpu, &mut film, "iridescence", &[]), opaque([132; 3]));
}

/// By specular and glossiness a surface reflects its specular colour, whatever `KHR_materials_specular` says.
#[test]
fn the_specular_color_is_what_glossy_materials_reflect() {
    let Some(gpu) = gpu() else { return };
    let mut glossy = quad_of(
        &json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": {
        "specularFactor": [1.0, 1.0, 0.5], "specularGlossinessTexture": { "index": 0 }
    } } }),
    );
    assert_color(
        shown(&gpu, &mut glossy, "specular-color", &[]),
        [188, 137, 188, 255],
    );
    assert_color(shown(&gpu, &mut glossy, "specular", &[]), [255; 4]);
}
