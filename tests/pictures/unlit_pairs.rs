//! Unlit colours where something lies over the whole scene, or beside it: overlays, two subjects, ghosts.

use glam::Vec3;
use rigscope::{
    model::Keyed as _,
    render::{Picture, Renderer},
    scene::{Frame, LightSettings, OrbitCamera, Overlay, SplitWay, ToneCurve, Transparency},
};
use serde_json::{Value, json};

use super::{
    compared::{differing, frame, pair},
    quad::{base_color, renderer},
    transparency::quads,
    unlit::{BLUE, GREEN, ORANGE, WHITE, assert_shown, at, linear, over, painted, screen},
};
use crate::common::{gpu, to_image};

fn straight_ahead() -> OrbitCamera {
    OrbitCamera {
        target: Vec3::ZERO,
        azimuth_radians: 0.0,
        polar_radians: std::f32::consts::FRAC_PI_2,
        radius: 4.0,
        fov_y_radians: 0.3,
        ..OrbitCamera::default()
    }
}

/// Lines over the scene hide as much of such colours as of light.
#[test]
fn overlays_lie_over_what_is_shown() {
    let Some(gpu) = gpu() else { return };
    let mut scene = quads(&[
        (painted(ORANGE, 0.5), at(0.0)),
        (painted(WHITE, 1.0), at(-1.0)),
    ]);
    scene.measure();
    let camera = straight_ahead();
    for (is_hidden_by_scene, transparency) in [
        (false, Transparency::Sorted),
        (true, Transparency::Weighted),
    ] {
        for &tone in ToneCurve::ALL {
            let light = LightSettings {
                transparency,
                tone,
                ..LightSettings::default()
            };
            for share in [1.0, 0.5] {
                let mut line = Overlay {
                    is_hidden_by_scene,
                    ..Overlay::default()
                };
                let [red, green, blue] = GREEN.map(|part| part as f32);
                let color = [red, green, blue, share as f32];
                line.line(
                    Vec3::new(-1.0, 0.0, 1.0),
                    Vec3::new(1.0, 0.0, 1.0),
                    9.0,
                    color,
                );
                let frame = Frame {
                    overlay: Some(&line),
                    ..frame(&scene, &camera, light)
                };
                let mut renderer = renderer(&gpu, &scene, None);
                let drawn = Picture::draw(&gpu, &mut renderer, scene.model(), &frame, [64, 64]);
                let picture = to_image(&drawn.unwrap());
                let expected = over(GREEN, share, over(ORANGE, 0.5, WHITE));
                let what = format!("{tone:?} {transparency:?} {is_hidden_by_scene}");
                assert_shown(picture[(32, 32)].0, expected, 1.0, &what);
            }
        }
    }
}

/// Two models, of which one alone has such colours: each half is the picture of its own, and none lies over itself.
#[test]
fn halves_and_ghosts_keep_what_is_shown() {
    let Some(gpu) = gpu() else { return };
    let lit = json!({ "pbrMetallicRoughness": base_color([0.2, 0.6, 0.3, 1.0]) });
    let glass = painted(BLUE, 0.6);
    let mut actors = [
        quads(&[(glass.clone(), at(0.3)), (painted(ORANGE, 1.0), at(-0.3))]),
        quads(&[(lit.clone(), at(0.3)), (lit, at(-0.3))]),
    ];
    for actor in &mut actors {
        actor.measure();
    }
    let camera = straight_ahead();
    for (transparency, tone) in [
        (Transparency::Sorted, ToneCurve::Aces),
        (Transparency::Weighted, ToneCurve::Agx),
    ] {
        let light = LightSettings {
            transparency,
            tone,
            ..LightSettings::default()
        };
        let frames = actors.each_ref().map(|actor| frame(actor, &camera, light));
        let mut renderer = Renderer::new(&gpu, Picture::FORMAT);
        let [first, second] = [0, 1].map(|index| {
            renderer.set_model(&gpu, actors[index].model());
            let model = actors[index].model();
            let drawn = Picture::draw(&gpu, &mut renderer, model, &frames[index], [64, 64]);
            to_image(&drawn.unwrap())
        });
        let expected = over(BLUE, 0.6, ORANGE);
        assert_shown(first[(32, 32)].0, expected, 1.0, "alone");
        let alone = [first, second];
        let mut draw = |which: [usize; 2], way| {
            renderer.set_model(&gpu, actors[which[0]].model());
            renderer.set_other_model(&gpu, Some(actors[which[1]].model()));
            let pair = pair(&actors, &frames, which, way, true);
            let size = if way == SplitWay::SideBySide {
                [128, 64]
            } else {
                [64, 64]
            };
            let both = Picture::draw_pair(&gpu, &mut renderer, &pair, size);
            to_image(&both.unwrap())
        };
        for which in [[0, 1], [1, 0]] {
            let [left, right] = which.map(|index| &alone[index]);
            let halves = draw(which, SplitWay::SideBySide);
            assert_eq!(differing(&halves, 0, left, 0, 64), 0, "{which:?} {tone:?}");
            assert_eq!(
                differing(&halves, 64, right, 0, 64),
                0,
                "{which:?} {tone:?}"
            );
            let halves = draw(which, SplitWay::Wipe);
            assert_eq!(differing(&halves, 0, left, 0, 32), 0, "{which:?} {tone:?}");
            assert_eq!(
                differing(&halves, 32, right, 32, 32),
                0,
                "{which:?} {tone:?}"
            );
        }
        let itself = draw([0, 0], SplitWay::Overlay);
        assert_eq!(differing(&itself, 0, &alone[0], 0, 64), 0, "{tone:?}");
    }
}

/// A ghost hides as much of a mixture as of one colour that looks the same.
#[test]
fn ghosts_lie_over_what_is_shown() {
    let Some(gpu) = gpu() else { return };
    let lit = json!({ "pbrMetallicRoughness": base_color([0.2, 0.6, 0.3, 1.0]) });
    let mixed = over(BLUE, 0.6, ORANGE);
    let draw = |parts: &[(Value, Value)]| {
        let nearer = json!({ "translation": [0, 0, 0.6], "scale": [0.2, 0.2, 1] });
        let mut actors = [quads(parts), quads(&[(lit.clone(), nearer)])];
        for actor in &mut actors {
            actor.measure();
        }
        let light = LightSettings {
            tone: ToneCurve::None,
            ..LightSettings::default()
        };
        let camera = straight_ahead();
        let frames = actors.each_ref().map(|actor| frame(actor, &camera, light));
        let mut renderer = renderer(&gpu, &actors[0], Some(&actors[1]));
        let pair = pair(&actors, &frames, [0, 1], SplitWay::Overlay, true);
        to_image(&Picture::draw_pair(&gpu, &mut renderer, &pair, [64, 64]).unwrap())
    };
    let found = draw(&[
        (painted(BLUE, 0.6), at(0.3)),
        (painted(ORANGE, 1.0), at(-0.3)),
    ]);
    let alike = draw(&[(painted(mixed, 1.0), at(0.3))]);
    let mut ghostly = 0;
    for (found, alike) in found.pixels().zip(alike.pixels()) {
        assert_shown(found.0, linear(alike.0), 1.0, "under a ghost or not");
        let is_mixture = alike
            .0
            .into_iter()
            .zip(screen(mixed))
            .all(|(a, b)| (f64::from(a) - b).abs() <= 2.0);
        ghostly += usize::from(!is_mixture);
    }
    assert!(ghostly > 100, "{ghostly}");
}
