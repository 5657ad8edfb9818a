//! Models whose materials each have other layers.

use rigscope::{app::Actor, render::Gpu};
use serde_json::{Map, Value, json};

use super::quad::{assert_color, lit_mesh, quad, renderer};
use crate::common::{gpu, picture, to_image};

/// All layers, each with numbers that are seen.
fn layers() -> [(&'static str, Value); 7] {
    [
        ("specular", json!({ "specularFactor": 0.3 })),
        (
            "clearcoat",
            json!({ "clearcoatFactor": 0.8, "clearcoatRoughnessFactor": 0.2 }),
        ),
        (
            "sheen",
            json!({ "sheenColorFactor": [0.2, 0.5, 0.9], "sheenRoughnessFactor": 0.4 }),
        ),
        (
            "iridescence",
            json!({ "iridescenceFactor": 0.7, "iridescenceThicknessMaximum": 300 }),
        ),
        ("anisotropy", json!({ "anisotropyStrength": 0.6 })),
        (
            "diffuse_transmission",
            json!({ "diffuseTransmissionFactor": 0.5, "diffuseTransmissionColorFactor": [1, 0.5, 0.2] }),
        ),
        ("transmission", json!({ "transmissionFactor": 0.6 })),
    ]
}

/// A material of these layers, by bits, and of its own roughness.
fn material(which: usize) -> Value {
    let roughness = (which * 37 % 100) as f64 / 100.0;
    let there = layers().into_iter().enumerate();
    let there = there.filter(|(bit, _)| which >> bit & 1 != 0);
    let named = there.map(|(_, (name, numbers))| (format!("KHR_materials_{name}"), numbers));
    json!({
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.8, 0.4, 0.2, 1], "metallicFactor": 0.3, "roughnessFactor": roughness
        },
        "extensions": named.collect::<Map<_, _>>()
    })
}

/// Quads of these materials, ten metres from one another.
fn quads(materials: &[Value]) -> Actor {
    let count = materials.len();
    let used: Vec<_> = layers()
        .iter()
        .map(|(name, _)| format!("KHR_materials_{name}"))
        .collect();
    let place = |mesh: usize| json!({ "mesh": mesh, "translation": [10 * mesh, 0, 0] });
    quad(&[
        ("materials", json!(materials)),
        ("extensionsUsed", json!(used)),
        (
            "meshes",
            (0..count).map(lit_mesh).collect::<Vec<_>>().into(),
        ),
        ("nodes", (0..count).map(place).collect::<Vec<_>>().into()),
        (
            "scenes",
            json!([{ "nodes": (0..count).collect::<Vec<_>>() }]),
        ),
    ])
}

/// 256 combinations take as many pipelines, or eight, for all layers; and what a material does not have is not seen.
#[test]
fn materials_of_very_many_kinds_share_pipelines_and_look_as_they_are() {
    let Some(gpu) = gpu() else { return };
    let mut all: Vec<_> = (0..128).map(material).collect();
    for index in 0..128 {
        let mut both = all[index].clone();
        both["doubleSided"] = true.into();
        all.push(both);
    }
    let mut together = quads(&all);
    let made = renderer(&gpu, &together, None).pipeline_count();
    assert_eq!(made, 8);
    // Few are as they are.
    let few = quads(&all[..5]);
    assert_eq!(renderer(&gpu, &few, None).pipeline_count(), 5);
    for which in [0, 1, 2, 3, 4, 6, 8, 16, 32, 64, 96, 128 + 85] {
        let found = seen(&gpu, &mut together, 10 * which);
        let expected = seen(&gpu, &mut quads(&all[which..=which]), 0);
        assert_color(found, expected);
    }
}

/// The middle of a quad that stands so far to the right, from aside.
fn seen(gpu: &Gpu, actor: &mut Actor, x: usize) -> [u8; 4] {
    let target = format!("{x},0,0");
    let typed = ["--size", "16x16", "--target", &target, "--orbit", "40,70,3"];
    to_image(&picture(gpu, actor, &typed))[(8, 8)].0
}
