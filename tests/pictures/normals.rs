//! Normals of the vertices and of triangles, under joints and nodes that scale; directions that maps tell.

use std::{f64::consts::FRAC_PI_2, sync::Arc};

use base64::Engine as _;
use glam::{Vec3, Vec4};
use serde_json::{Value, json};

use super::{
    quad::{assert_color, lit_mesh, pixel, quad},
    views::{shown, skinned_with, view_of},
};
use crate::common::gpu;
use rigscope::{
    anim::Skinning,
    app::Actor,
    export::{Still, still_glb},
    model::{
        ClipBuilder, Interpolation, Material, Model, PropertyTarget, TextureSlot, Timeline,
        TransformProperty,
    },
    render::Gpu,
};

/// A mirror whose normal faces away from the eye shows what lies behind it, as one at the outline does.
#[test]
fn what_faces_away_mirrors_like_what_is_seen_from_the_side() {
    let Some(gpu) = gpu() else { return };
    // Downwards, and so far towards the eye.
    let seen = |forward: u8| {
        let mut texel = std::io::Cursor::new(Vec::new());
        let image = image::RgbImage::from_pixel(1, 1, image::Rgb([128, 0, forward]));
        image.write_to(&mut texel, image::ImageFormat::Png).unwrap();
        let texel = base64::engine::general_purpose::STANDARD.encode(texel.into_inner());
        let mut mesh = lit_mesh(0);
        mesh["primitives"][0]["attributes"]["TANGENT"] = json!(4);
        let mut mirror = quad(&[
            (
                "materials",
                json!([{
                    "pbrMetallicRoughness": { "roughnessFactor": 0.0 }, "normalTexture": { "index": 0 }
                }]),
            ),
            ("meshes", json!([mesh])),
            ("extensionsUsed", Value::Null),
            (
                "images",
                json!([{ "uri": format!("data:image/png;base64,{texel}") }]),
            ),
            ("textures", json!([{ "source": 0 }])),
        ]);
        pixel(&gpu, &mut mirror, "none", "0,90,3", [32, 32])[1]
    };
    let [away, aside, toward] = [105, 128, 151].map(seen);
    assert!(away.abs_diff(aside) <= 3, "{away} instead of {aside}");
    assert!(
        toward.abs_diff(aside) > 8,
        "the test tells nothing: {toward}"
    );
}

/// Joints that scale make normals longer or shorter, not of more or less weight: half way between two vertices is the mean of
/// their directions.
#[test]
fn joints_that_scale_leave_normals_their_weight() {
    let Some(gpu) = gpu() else { return };
    let half = 0.5_f32.sqrt();
    let mut actor = skinned_with(|file| {
        // To the left and to the right; the right half hangs on the second joint alone.
        let sides = [-1.0_f32, 1.0, 1.0, -1.0];
        let normals = sides.iter().flat_map(|side| [side * half, 0.0, half]);
        let weights = sides
            .iter()
            .flat_map(|side| [0.5 - 0.5 * side, 0.5 + 0.5 * side, 0.0, 0.0]);
        let bytes: Vec<_> = normals.chain(weights).flat_map(f32::to_le_bytes).collect();
        let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
        let more = [
            (
                "buffers",
                json!({ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }),
            ),
            (
                "bufferViews",
                json!({ "buffer": 1, "byteLength": bytes.len() }),
            ),
            (
                "accessors",
                json!({ "bufferView": 4, "componentType": 5126, "type": "VEC3", "count": 4 }),
            ),
            (
                "accessors",
                json!({ "bufferView": 4, "byteOffset": 48, "componentType": 5126, "type": "VEC4", "count": 4 }),
            ),
        ];
        for (key, value) in more {
            file[key].as_array_mut().unwrap().push(value);
        }
        file["meshes"][0]["primitives"][0]["attributes"] =
            json!({ "POSITION": 0, "JOINTS_0": 1, "NORMAL": 4, "WEIGHTS_0": 5 });
        // Across the quad, so that its corners stay where they are.
        file["nodes"][2]["scale"] = json!([1, 1, 4]);
    });
    let found = shown(&gpu, &mut actor, "normal", &[]);
    let right = Vec3::new(4.0, 0.0, 1.0).normalize();
    let mean = (right + Vec3::new(-half, 0.0, half)).normalize();
    let expected = mean
        .to_array()
        .map(|part| ((0.5 + 0.5 * part) * 255.0) as u8);
    let is_near = found
        .iter()
        .zip(expected)
        .all(|(found, expected)| found.abs_diff(expected) <= 3);
    assert!(is_near, "{found:?}, not {expected:?}");
}

/// Nothing is too small or too large to have a normal.
#[test]
fn normals_survive_every_scale() {
    let Some(gpu) = gpu() else { return };
    let normal = |scale: f64, attributes: Value| {
        let mut quad = quad(&[
            (
                "nodes",
                json!([{ "mesh": 0, "scale": [scale, scale, scale] }]),
            ),
            (
                "meshes",
                json!([{ "primitives": [{ "attributes": attributes, "indices": 2, "material": 0 }] }]),
            ),
        ]);
        let orbit = format!("0,90,{}", 3.0 * scale);
        shown(&gpu, &mut quad, "normal", &["--orbit", &orbit])
    };
    for scale in [1e-8, 1e-6, 1e-3, 1e3, 1e6, 1e8] {
        for attributes in [
            json!({ "POSITION": 0, "TEXCOORD_0": 1 }),
            json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 }),
        ] {
            assert_color(normal(scale, attributes), [128, 128, 255, 255]);
        }
    }
}

/// The only texture, turned.
fn turned(rotation: f64) -> Value {
    json!({ "index": 0, "extensions": { "KHR_texture_transform": { "rotation": rotation } } })
}

/// The quad with a normal map that leans to +u everywhere, in one material as it is and in another turned by a quarter.
fn leaning(mesh: &Value) -> Actor {
    let materials = [0.0, FRAC_PI_2].map(|rotation| json!({ "normalTexture": turned(rotation) }));
    let used = ["KHR_texture_transform", "KHR_materials_variants"];
    let variants = json!({ "KHR_materials_variants": { "variants": [{ "name": "turned" }] } });
    mapped(mesh, &json!(materials), &used, variants)
}

/// Directions that are there beside a normal map.
#[derive(Debug, Clone, Copy)]
enum Other {
    ClearcoatNormal,
    Anisotropy,
    AnisotropyWithoutMap,
}

impl Other {
    const ALL: [Self; 3] = [
        Self::ClearcoatNormal,
        Self::Anisotropy,
        Self::AnisotropyWithoutMap,
    ];
}

/// The quad with a normal map that bends nothing, turned by an angle, and with other directions, whose map is turned by
/// another.
fn directed(other: Other, normal: f64, rotation: f64) -> Actor {
    let mut flat = turned(normal);
    flat["scale"] = json!(0);
    // A coat reflects little: what lies below it is black.
    let (color, name, properties) = match other {
        Other::ClearcoatNormal => (
            [0, 0, 0, 1],
            "KHR_materials_clearcoat",
            json!({ "clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.3, "clearcoatNormalTexture": turned(rotation) }),
        ),
        Other::Anisotropy => (
            [1; 4],
            "KHR_materials_anisotropy",
            json!({ "anisotropyStrength": 1, "anisotropyTexture": turned(rotation) }),
        ),
        Other::AnisotropyWithoutMap => (
            [1; 4],
            "KHR_materials_anisotropy",
            json!({ "anisotropyStrength": 1 }),
        ),
    };
    let mut material = json!({
        "normalTexture": flat,
        "pbrMetallicRoughness": { "baseColorFactor": color, "roughnessFactor": 0.4 },
        "extensions": {}
    });
    material["extensions"][name] = properties;
    let used = ["KHR_texture_transform", name];
    mapped(&lit_mesh(0), &json!([material]), &used, Value::Null)
}

/// The quad as this mesh, with a texture that leans to +u everywhere.
fn mapped(mesh: &Value, materials: &Value, used: &[&str], extensions: Value) -> Actor {
    quad(&[
        ("extensionsUsed", json!(used)),
        ("extensions", extensions),
        ("materials", materials.clone()),
        ("textures", json!([{ "source": 0 }])),
        ("images", crate::png([[218, 128, 218, 255]; 4])),
        ("meshes", json!([mesh])),
    ])
}

/// One set of tangents is computed, for the file's own choice.
#[test]
fn in_a_variant_a_normal_map_lies_as_in_a_file_of_that_material() {
    let Some(gpu) = gpu() else { return };
    let mesh = |material: usize| {
        let mut mesh = lit_mesh(material);
        let other = json!([{ "material": 1 - material, "variants": [0] }]);
        mesh["primitives"][0]["extensions"] =
            json!({ "KHR_materials_variants": { "mappings": other } });
        mesh
    };
    let shown =
        |material, options: &[&str]| shown(&gpu, &mut leaning(&mesh(material)), "normal", options);
    for material in [0, 1] {
        let own = shown(material, &[]);
        let other = shown(1 - material, &["--variant", "turned"]);
        let is_near = own.iter().zip(other).all(|(a, b)| a.abs_diff(b) <= 2);
        assert!(is_near, "{own:?} {other:?}");
        assert!(
            own[0].abs_diff(128).max(own[1].abs_diff(128)) > 60,
            "{own:?}"
        );
    }
}

/// The view is about the primitive, whatever lies otherwise in a material.
#[test]
fn computed_tangents_are_shown_in_all_variants() {
    let Some(gpu) = gpu() else { return };
    let mut mesh = lit_mesh(0);
    mesh["primitives"][0]["extensions"] = json!({ "KHR_materials_variants": {
        "mappings": [{ "material": 1, "variants": [0] }]
    } });
    for options in [&[][..], &["--variant", "turned"]] {
        let found = shown(&gpu, &mut leaning(&mesh), "tangent", options);
        assert_color(found, [255, 128, 128, 255]);
    }
}

/// The pixel in the middle from two directions, lit.
fn lit(gpu: &Gpu, actor: &mut Actor) -> [u8; 8] {
    let seen = ["0,90,3", "50,60,3"].map(|orbit| pixel(gpu, actor, "none", orbit, [32, 32]));
    [seen[0], seen[1]].concat().try_into().unwrap()
}

fn farthest(a: [u8; 8], b: [u8; 8]) -> u8 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.abs_diff(b)).max().unwrap()
}

/// The quad as if its file had tangents along u of a texture that is turned so, or none and the program had computed none.
fn with_tangents(actor: &Actor, rotation: Option<f64>) -> Actor {
    let mut model = actor.model().clone();
    let primitive = &mut Arc::make_mut(&mut model.meshes)[0].primitives[0];
    let tangent = rotation.map(|rotation| {
        let (sin, cos) = (rotation as f32).sin_cos();
        Vec4::new(cos, -sin, 0.0, 1.0)
    });
    let count = primitive.vertices.positions.len();
    primitive.vertices.tangents = tangent.map_or(vec![], |tangent| vec![tangent; count]);
    primitive.tangents_of = None;
    Actor::new(model)
}

/// That of the normal map (`KHR_materials_clearcoat`, `KHR_materials_anisotropy`): whether a file has the tangents or leaves
/// them out is not to be seen.
#[test]
fn all_maps_of_directions_lie_in_one_tangent_space() {
    let Some(gpu) = gpu() else { return };
    for other in Other::ALL {
        for (normal, rotation) in [(0.0, FRAC_PI_2), (FRAC_PI_2, 0.0)] {
            let mut computed = directed(other, normal, rotation);
            let ways = [Some(normal), Some(FRAC_PI_2 - normal), None];
            let [mut stated, mut across, mut bare] = ways.map(|way| with_tangents(&computed, way));
            let expected = lit(&gpu, &mut stated);
            for (way, actor) in [("computed", &mut computed), ("derived", &mut bare)] {
                let found = lit(&gpu, actor);
                let far = farthest(found, expected);
                assert!(
                    far <= 2,
                    "{way}, {other:?} {normal}: {found:?} {expected:?}"
                );
            }
            let across = lit(&gpu, &mut across);
            assert!(
                farthest(across, expected) > 5,
                "the test tells nothing of {other:?}: {across:?} {expected:?}"
            );
        }
    }
}

#[test]
fn a_clip_that_turns_the_normal_map_turns_the_other_maps_directions() {
    let Some(gpu) = gpu() else { return };
    for other in Other::ALL {
        let mut clip = ClipBuilder::new("turns");
        let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let (slot, property) = (TextureSlot::Normal, TransformProperty::Rotation);
        let target = PropertyTarget::TextureTransform(0, slot, property);
        let turned = vec![0.0, FRAC_PI_2 as f32];
        clip.property(target, times, Interpolation::Step, turned)
            .unwrap();
        let mut actor = Actor::new(Model {
            clips: vec![clip.finish()],
            ..directed(other, 0.0, 0.0).model().clone()
        });
        for (time, rotation) in [(0.0, 0.0), (1.0, FRAC_PI_2)] {
            actor.pose_at(Some(0), time);
            let found = lit(&gpu, &mut actor);
            let still = directed(other, rotation, 0.0);
            let expected = lit(&gpu, &mut with_tangents(&still, Some(rotation)));
            let far = farthest(found, expected);
            assert!(far <= 2, "{other:?} {time}: {found:?} {expected:?}");
        }
    }
}

/// A saved pose has them for those whose tangents they are.
#[test]
fn computed_tangents_are_not_saved_for_a_map_that_lies_otherwise() {
    let has_tangents = |actor: &mut Actor, materials: &[Material]| {
        actor.pose_at(None, 0.0);
        let saved = still_glb(&Still {
            model: actor.model(),
            scene: 0,
            pose: actor.pose(),
            skinning: Skinning::Linear,
            materials,
            lights: &[],
            cameras: &[],
            variant: None,
            json: "",
            pictures: None,
        });
        String::from_utf8_lossy(&saved.unwrap().bytes).contains("TANGENT")
    };
    for (material, is_there) in [(0, true), (1, false)] {
        let mut actor = leaning(&lit_mesh(0));
        let mut materials = actor.model().materials.clone();
        materials[0] = materials[material].clone();
        let found = has_tangents(&mut actor, &materials);
        assert_eq!(found, is_there, "{material}");
    }
    // What else there is lies in the normal map's tangent space.
    let mut actor = directed(Other::ClearcoatNormal, FRAC_PI_2, 0.0);
    let materials = actor.model().materials.clone();
    assert!(has_tangents(&mut actor, &materials));
}

/// Points and lines without tangents are lit by the normals that they have (glTF 2.0 §3.9.7).
#[test]
fn lines_without_tangents_take_nothing_of_normal_maps() {
    let Some(gpu) = gpu() else { return };
    let normal = |attributes: Value| {
        let mesh = json!({ "primitives": [{
            "attributes": attributes, "indices": 2, "mode": 2, "material": 0
        }] });
        let picture = view_of(&gpu, &mut leaning(&mesh), "normal", &[]);
        let drawn = picture.pixels().find(|pixel| pixel[3] == 255);
        drawn.expect("a line").0
    };
    let bare = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3 });
    assert_color(normal(bare), [128, 128, 255, 255]);
    let with_tangents = json!({ "POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 3, "TANGENT": 4 });
    assert!(normal(with_tangents)[0] > 180);
}
