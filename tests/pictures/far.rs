//! Models far from the world's origin look as they do there.

use glam::{Mat3, Quat, Vec3};
use rigscope::{
    app::Actor,
    model::Projection,
    render::{Gpu, Picture},
    scene::{CameraView, Frame, LightSettings, OrbitCamera, ViewMode, file_camera_view},
};
use serde_json::json;

use super::{
    compared::frame,
    quad::{lit_mesh, quad, renderer},
};
use crate::common::{gpu, to_image};

/// All numbers of the scene are whole multiples of a 32-bit float's steps here, of 1/64: rounding moves nothing.
const FAR: Vec3 = Vec3::new(131_072.0, 65_536.0, -131_072.0);
const EYE: Vec3 = Vec3::new(3.0, 2.0, 5.0);
const SIDE: u32 = 96;

/// A floor, a wall on it and a pane of thick glass before that, and a lamp: quads whose corners are whole numbers.
fn room(place: Vec3) -> Actor {
    let flat = [-0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    let paint =
        json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.4 } });
    let glass = json!({
        "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.0 },
        "extensions": {
            "KHR_materials_transmission": { "transmissionFactor": 1.0 },
            "KHR_materials_volume": { "thicknessFactor": 0.5 }
        }
    });
    let lamp = json!({ "type": "point", "intensity": 4.0, "color": [1.0, 0.5, 0.2] });
    let mut actor = quad(&[
        ("materials", json!([paint, glass])),
        ("meshes", json!([lit_mesh(0), lit_mesh(1)])),
        (
            "extensionsUsed",
            json!([
                "KHR_lights_punctual",
                "KHR_materials_transmission",
                "KHR_materials_volume"
            ]),
        ),
        (
            "extensions",
            json!({ "KHR_lights_punctual": { "lights": [lamp] } }),
        ),
        (
            "nodes",
            json!([
                { "translation": place.to_array(), "children": [1, 2, 3, 4] },
                { "mesh": 0, "rotation": flat, "scale": [3, 3, 1], "translation": [0, -1, 0] },
                { "mesh": 0, "translation": [0, 0, -1] },
                { "mesh": 1, "translation": [1, 0, 1] },
                { "translation": [-2, 1, 1], "extensions": { "KHR_lights_punctual": { "light": 0 } } }
            ]),
        ),
    ]);
    actor.measure();
    actor
}

/// From `EYE` beside a place to that place.
fn view(place: Vec3, is_parallel: bool) -> CameraView {
    let back = EYE.normalize();
    let right = Vec3::Y.cross(back).normalize();
    let rotation = Quat::from_mat3(&Mat3::from_cols(right, back.cross(right), back));
    let projection = if is_parallel {
        Projection::Orthographic {
            half_width: 2.5,
            half_height: 2.5,
            near: 0.1,
            far: 20.0,
        }
    } else {
        Projection::Perspective {
            fov_y_radians: 0.7,
            aspect: None,
            near: 0.1,
            far: None,
        }
    };
    file_camera_view(place + EYE, rotation, &projection, 1.0)
}

fn drawn(gpu: &Gpu, place: Vec3, is_parallel: bool, mode: ViewMode) -> image::RgbaImage {
    let actor = room(place);
    let light = LightSettings::default();
    let key = light.key(true, false);
    let mut frame: Frame<'_> = frame(&actor, &OrbitCamera::default(), light);
    frame.camera = view(place, is_parallel);
    frame.lighting = actor.lighting(light, true, Some(place.y - 1.0));
    // Beside the lamp of the file, which the studio's would give way to.
    frame.lighting.key = key;
    frame.lighting.shadow = Some(rigscope::scene::Shadow {
        casters: actor.bounds(),
        ground: Some(place.y - 1.0),
    });
    frame.inspection.mode = mode;
    let mut renderer = renderer(gpu, &actor, None);
    to_image(&Picture::draw(gpu, &mut renderer, actor.model(), &frame, [SIDE; 2]).unwrap())
}

#[test]
fn what_is_far_from_the_origin_looks_as_it_does_there() {
    let Some(gpu) = gpu() else { return };
    for is_parallel in [false, true] {
        for mode in [ViewMode::Lit, ViewMode::Wireframe] {
            let near = drawn(&gpu, Vec3::ZERO, is_parallel, mode);
            let far = drawn(&gpu, FAR, is_parallel, mode);
            let colors: std::collections::HashSet<_> = near.pixels().map(|it| it.0).collect();
            assert!(colors.len() > 4, "there is something to see");
            let pairs = near.pixels().zip(far.pixels());
            let differing = pairs.filter(|(near, far)| {
                let mut parts = near.0.iter().zip(far.0);
                parts.any(|(near, far)| near.abs_diff(far) > 2)
            });
            // Shadow maps lie at whole texels of the world, so shadows' edges are theirs.
            let differing = differing.count();
            assert!(
                differing <= (SIDE * SIDE / 100) as usize,
                "{mode:?}, parallel {is_parallel}: {differing}"
            );
        }
    }
}
