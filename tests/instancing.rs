//! Copies that a node places by instancing, beside a twin file that has a node for each: the same picture, pixel by pixel,
//! the same vertices, the same bounds, and one draw call instead of many.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "common/mod.rs"]
mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::{Quat, Vec3};
use rigscope::{
    anim::{Palette, PaletteLayout},
    app::Actor,
    cli::pose::{PoseOptions, evaluate},
    render::{Picture, Renderer},
    scene::{Background, Crowd, Frame, LightSettings, OrbitCamera, Repertoire},
};
use serde_json::{Value, json};

struct Placement {
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
}

/// Seven copies, two of which mirror and so stand between others that do not.
fn placements() -> Vec<Placement> {
    (0..7)
        .map(|place| {
            let at = place as f32;
            let mirror = if place % 3 == 1 { -1.0 } else { 1.0 };
            Placement {
                translation: Vec3::new(1.5 * at, 0.4 * at, -0.3 * at),
                rotation: Quat::from_euler(glam::EulerRot::XYZ, 0.3 * at, 0.5 * at, 0.1 * at),
                scale: Vec3::new(1.0 + 0.1 * at, mirror, 1.0),
            }
        })
        .collect()
}

/// A file with a clip that turns the node, morphs its mesh, and leaves the copies where they are below it.
fn file(is_instanced: bool, node_scale: f32) -> PathBuf {
    let placements = placements();
    let mut bin = Vec::new();
    let (mut views, mut accessors) = (Vec::new(), Vec::new());
    let mut floats = |kind: &str, width: usize, values: &[f32]| {
        let offset = bin.len();
        bin.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let bound = |of: fn(f32, f32) -> f32| -> Vec<f32> {
            let column = |c| values.iter().copied().skip(c).step_by(width);
            (0..width).map(|c| column(c).reduce(of).unwrap()).collect()
        };
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": 4 * values.len()}));
        accessors.push(json!({
            "bufferView": views.len() - 1, "componentType": 5126, "type": kind,
            "count": values.len() / width, "min": bound(f32::min), "max": bound(f32::max),
        }));
        accessors.len() - 1
    };
    // A crooked tetrahedron, so that no two sides look alike; each face on its own, so that light shows how it stands.
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y * 0.7, Vec3::new(0.2, 0.1, 0.9)];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let positions: Vec<f32> = faces
        .as_flattened()
        .iter()
        .flat_map(|&corner: &usize| corners[corner].to_array())
        .collect();
    let deltas: Vec<f32> = positions.iter().map(|number| 0.3 * number).collect();
    let positions = floats("VEC3", 3, &positions);
    let deltas = floats("VEC3", 3, &deltas);
    let times = floats("SCALAR", 1, &[0.0, 1.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turns = floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half]);
    let weights = floats("SCALAR", 1, &[0.0, 1.0]);
    let of =
        |part: fn(&Placement) -> Vec<f32>| placements.iter().flat_map(part).collect::<Vec<_>>();
    let translations = floats("VEC3", 3, &of(|p| p.translation.to_array().to_vec()));
    let rotations = floats("VEC4", 4, &of(|p| p.rotation.to_array().to_vec()));
    let scales = floats("VEC3", 3, &of(|p| p.scale.to_array().to_vec()));
    let root = json!({"rotation": [0.1, 0.0, 0.0, 0.995], "scale": [node_scale, 1.0, 1.0]});
    let mut nodes = vec![root];
    let channel = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let mut channels = vec![channel(0, 0, "rotation")];
    if is_instanced {
        nodes[0]["mesh"] = 0.into();
        nodes[0]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": {
            "TRANSLATION": translations, "ROTATION": rotations, "SCALE": scales,
        }}});
        channels.push(channel(1, 0, "weights"));
    } else {
        let children: Vec<usize> = (1..=placements.len()).collect();
        channels.extend(children.iter().map(|&child| channel(1, child, "weights")));
        nodes[0]["children"] = json!(children);
        nodes.extend(placements.iter().map(|placement| {
            json!({
                "mesh": 0,
                "translation": placement.translation.to_array(),
                "rotation": placement.rotation.to_array(),
                "scale": placement.scale.to_array(),
            })
        }));
    }
    let primitive = |material: usize| json!({"attributes": {"POSITION": positions}, "targets": [{"POSITION": deltas}], "material": material});
    let file = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_mesh_gpu_instancing"],
        "buffers": [{"byteLength": bin.len(),
                     "uri": format!("data:application/octet-stream;base64,{}", STANDARD.encode(&bin))}],
        "bufferViews": views,
        "accessors": accessors,
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.9, 0.4, 0.1, 1.0]}}],
        "meshes": [{"primitives": [primitive(0)]}],
        "nodes": nodes,
        "scenes": [{"nodes": [0]}],
        "animations": [{"channels": channels, "samplers": [
            {"input": times, "output": turns}, {"input": times, "output": weights},
        ]}],
    });
    let name = format!(
        "{}_{node_scale}.gltf",
        if is_instanced {
            "instanced"
        } else {
            "expanded"
        }
    );
    // Tests run side by side and must not write what another reads.
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{number}_{name}"));
    fs::write(&path, file.to_string()).unwrap();
    path
}

#[test]
fn the_picture_is_that_of_a_node_for_each_copy() {
    let Some(gpu) = common::gpu() else { return };
    // A node that mirrors turns the copies that mirror the right way round again.
    for (node_scale, time_secs) in [(1.0, 0.0), (1.0, 0.7), (-1.0, 0.7)] {
        let draw = |is_instanced: bool| {
            let mut actor = common::actor(&file(is_instanced, node_scale));
            actor.pose_at(Some(0), time_secs);
            let mut camera = OrbitCamera::default();
            actor.frame_camera(&mut camera, 4.0 / 3.0);
            let mut renderer = Renderer::new(&gpu, Picture::FORMAT);
            renderer.set_model(&gpu, actor.model());
            let frame = Frame {
                inspection: Default::default(),
                camera: camera.view(4.0 / 3.0),
                background: Background::DARK,
                variant: None,
                lighting: actor.lighting(LightSettings::default(), true, None),
                layout: actor.layout(),
                palette: actor.palette(),
                crowd: None,
                properties: actor.properties(),
                draws: actor.draws(),
                overlay: None,
                grid: None,
                pixels_per_point: 1.0,
            };
            let picture =
                Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [640, 480]).unwrap();
            (picture, renderer.draw_count())
        };
        let (instanced, few) = draw(true);
        let (expanded, many) = draw(false);
        let name = format!("{node_scale}_{time_secs}");
        let folder = common::artefacts("instancing");
        for (kind, picture) in [("instanced", &instanced), ("expanded", &expanded)] {
            let image = common::to_image(picture);
            image
                .save(folder.join(format!("{kind}_{name}.png")))
                .unwrap();
        }
        assert!(
            instanced.rgba8 == expanded.rgba8,
            "{name}: the pictures differ"
        );
        // One call for the copies that are the right way round, and one for those that mirror. Nodes share one with the next
        // that is the same way round.
        assert_eq!((few, many), (2, 5), "{name}");
        let colors: std::collections::HashSet<_> = instanced.rgba8.chunks(4).collect();
        assert!(colors.len() > 20, "{name}: something is seen");
    }
}

#[test]
fn vertices_and_bounds_are_those_of_a_node_for_each_copy() {
    let has_gpu = common::gpu().is_some();
    for gpu in [false, true] {
        if gpu && !has_gpu {
            continue;
        }
        let options = PoseOptions {
            clip: Some("0".to_owned()),
            time_secs: 0.7,
            vertices: true,
            gpu,
            ..PoseOptions::default()
        };
        let instanced = evaluate(&file(true, 1.0), &options).unwrap();
        let expanded = evaluate(&file(false, 1.0), &options).unwrap();
        assert_eq!(instanced["bounds"], expanded["bounds"]);
        assert_eq!(instanced["nodes"][0]["instances"], 7);
        assert_eq!(expanded["nodes"][1].get("instances"), None);
        let positions = |report: &Value| -> Vec<Value> {
            let meshes = report["meshes"].as_array().unwrap();
            meshes
                .iter()
                .map(|mesh| mesh["positions"].clone())
                .collect()
        };
        assert_eq!(positions(&instanced), positions(&expanded));
        let copies = instanced["meshes"].as_array().unwrap();
        let numbers: Vec<_> = copies
            .iter()
            .map(|mesh| mesh["instance"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6]);
    }
}

/// A crowd of models that have copies themselves.
#[test]
fn records_of_a_crowd_stay_together() {
    let actor = common::actor(&file(true, 1.0));
    let model = actor.model();
    let layout = PaletteLayout::new(model, 0);
    let mut palette = Palette::default();
    palette.clear(&layout, 3);
    for _ in 0..3 {
        palette.push(model, &layout, actor.pose());
    }
    let placement = &layout.placements()[0];
    assert_eq!((placement.copies, placement.mirrored_copies), (7, 2));
    assert_eq!(layout.copies_of(placement), [0, 2, 3, 5, 6, 1, 4]);
    let rigid: Vec<u32> = palette
        .records()
        .iter()
        .map(|record| record.rigid)
        .collect();
    let of_copy = |copy: u32| [copy, 7 + copy, 14 + copy];
    assert_eq!(rigid, [0, 2, 3, 5, 6, 1, 4].map(of_copy).concat());
}

/// Bounds of very many copies are taken of boxes, which must hold all vertices and not much more.
#[test]
fn bounds_of_very_many_copies_hold_them() {
    let mut model = common::actor(&file(true, 1.0)).model().clone();
    let exact = Actor::new(model.clone()).bounds();
    let mut nodes = model.hierarchy.nodes().to_vec();
    let copies = nodes[0].node_from_instances.clone();
    nodes[0].node_from_instances = copies.iter().copied().cycle().take(7 * 60_000).collect();
    model.hierarchy = rigscope::model::Hierarchy::new(nodes, &[None], &[vec![0.0]]).unwrap();
    let started = std::time::Instant::now();
    let bounds = Actor::new(model).bounds();
    println!("{:?} for {} copies", started.elapsed(), 7 * 60_000);
    assert!(bounds.min.cmple(exact.min).all() && bounds.max.cmpge(exact.max).all());
    assert!(
        bounds.diagonal() < 1.2 * exact.diagonal(),
        "{bounds:?} {exact:?}"
    );
}

/// However many there are, a crowd costs as many draw calls as one.
#[test]
fn draw_calls_do_not_grow_with_a_crowd() {
    let Some(gpu) = common::gpu() else { return };
    let draws = |count: usize| {
        let mut actor = common::actor(Path::new("builtin:Pip"));
        actor.set_crowd(Repertoire::One(Some(1)), count);
        actor.pose_at(Some(1), 0.3);
        actor.pose_crowd(0.3, None);
        let seen = actor.crowd().map_or(1, Crowd::in_sight);
        assert_eq!(seen, count);
        let mut camera = OrbitCamera::default();
        camera.frame(&actor.estimate_bounds(), std::iter::empty(), 1.0);
        let mut renderer = Renderer::new(&gpu, Picture::FORMAT);
        renderer.set_model(&gpu, actor.model());
        let frame = Frame {
            inspection: Default::default(),
            camera: camera.view(1.0),
            background: Background::DARK,
            variant: None,
            lighting: actor.lighting(LightSettings::default(), true, None),
            layout: actor.layout(),
            palette: actor.palette(),
            crowd: actor.crowd(),
            properties: actor.properties(),
            draws: actor.draws(),
            overlay: None,
            grid: None,
            pixels_per_point: 1.0,
        };
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [32, 32]).unwrap();
        renderer.draw_count()
    };
    let alone = draws(1);
    assert!(alone > 0);
    for count in [2, 50, 1_000] {
        assert_eq!(draws(count), alone, "{count}");
    }
}
