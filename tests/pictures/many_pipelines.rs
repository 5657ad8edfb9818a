//! Models whose materials each have other layers, or are of other kinds.

use std::io::Cursor;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::{
    app::Actor,
    render::{Gpu, NoRoom, Picture, Renderer},
    scene::{LightSettings, OrbitCamera, Quality, ViewMode},
};
use serde_json::{Map, Value, json};

use super::{
    compared::frame,
    quad::{assert_color, lit_mesh, quad, renderer},
};
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

/// Views for inspection shine no light: pipelines for it are made once it is looked at. A view shows all kinds of materials
/// by those that it needs.
#[test]
fn views_need_few_pipelines_and_none_for_light() {
    let Some(gpu) = gpu() else { return };
    let materials: Vec<_> = (0..5).map(material).collect();
    let actor = quads(&materials);
    let mut renderer = Renderer::new(&gpu, Picture::FORMAT);
    renderer.prepare_for(Quality::Full, false, ViewMode::Normal);
    renderer.set_model(&gpu, actor.model());
    let (camera, light) = (OrbitCamera::default(), LightSettings::default());
    let mut frame = frame(&actor, &camera, light);
    let (full, low) = (Quality::Full, Quality::Low);
    for (mode, quality, expected) in [
        (ViewMode::Normal, full, 1),
        (ViewMode::Lit, full, 1 + 5),
        (ViewMode::Faces, full, 2 + 5),
        // What one comes back to is there.
        (ViewMode::Lit, low, 2 + 5 + 5),
        (ViewMode::Lit, full, 2 + 5 + 5),
    ] {
        frame.inspection.mode = mode;
        frame.lighting.settings.quality = quality;
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [16, 16]).unwrap();
        let made = renderer.pipeline_count();
        assert_eq!(made, expected, "{mode:?} {quality:?}");
    }
}

/// The middle of a quad that stands so far to the right, from aside.
fn seen(gpu: &Gpu, actor: &mut Actor, x: usize) -> [u8; 4] {
    let target = format!("{x},0,0");
    let typed = ["--size", "16x16", "--target", &target, "--orbit", "40,70,3"];
    to_image(&picture(gpu, actor, &typed))[(8, 8)].0
}

/// One quad drawn in every way that a pipeline, or a texture of another kind, has to be made for by itself.
fn of_all_kinds() -> Actor {
    let images = [4, 3].map(|side| {
        let mut png = Cursor::new(Vec::new());
        let image = image::RgbImage::from_pixel(side, side, image::Rgb([200, 100, 50]));
        image.write_to(&mut png, image::ImageFormat::Png).unwrap();
        json!({ "uri": format!("data:image/png;base64,{}", STANDARD.encode(png.into_inner())) })
    });
    let (mut materials, mut primitives) = (Vec::new(), Vec::new());
    for texture in [None, Some(0), Some(1)] {
        for alpha_mode in ["OPAQUE", "MASK", "BLEND"] {
            for is_double_sided in [false, true] {
                for mode in [0, 1, 4] {
                    primitives.push(json!({
                        "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "indices": 2, "mode": mode,
                        "material": materials.len()
                    }));
                }
                let mut surface = json!({ "baseColorFactor": [1, 1, 1, 1] });
                if let Some(texture) = texture {
                    surface["baseColorTexture"] = json!({ "index": texture });
                }
                materials.push(json!({
                    "pbrMetallicRoughness": surface, "alphaMode": alpha_mode, "doubleSided": is_double_sided,
                    "extensions": { "KHR_materials_unlit": {} }
                }));
            }
        }
    }
    quad(&[
        ("images", json!(images)),
        ("textures", json!([{ "source": 0 }, { "source": 1 }])),
        ("materials", json!(materials)),
        ("meshes", json!([{ "primitives": primitives }])),
    ])
}

/// A software driver makes a shader of each, which takes up to a second: after some dozens the rest is left out, and said.
#[test]
fn a_software_driver_makes_some_dozens_of_shaders_for_a_model() {
    let Some(gpu) = gpu() else { return };
    let actor = of_all_kinds();
    let mut renderer = renderer(&gpu, &actor, None);
    let camera = OrbitCamera {
        radius: 3.0,
        ..OrbitCamera::default()
    };
    let frame = frame(&actor, &camera, LightSettings::default());
    let picture = Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [16, 16]).unwrap();
    let left_out = renderer.left_out();
    if gpu.is_software() {
        let left_out = left_out.unwrap();
        assert_eq!(left_out.why, NoRoom::Pipelines);
        assert!((30..54).contains(&left_out.primitive), "{left_out}");
    } else {
        assert_eq!(left_out, None);
    }
    // The first is there.
    let [red, green, blue, _] = to_image(&picture)[(8, 8)].0;
    assert!(red > 150 && green > 50 && blue > 20, "{red} {green} {blue}");
}
