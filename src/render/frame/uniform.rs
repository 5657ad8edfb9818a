//! The frame's uniform: where from, what shines.

use super::environment::Environment;
use crate::{
    model::{LightKind, Model},
    render::{
        Viewport,
        layout::{FrameUniform, LightUniform, MAX_LIGHTS, OutputUniform},
        passes::shadow,
    },
    scene::{Background, Frame, PlacedLight, ShadowFit, ToneCurve, ViewMode, linear_from_srgb},
};

/// What a shadow takes of what is seen through it on the ground: the environment still shines there. Before a dark backdrop
/// it takes more: the same part of little light would hardly be seen.
fn ground_darkness(background: Background) -> f32 {
    let mean = |color: [f32; 3]| color.iter().sum::<f32>() / 3.0;
    let brightness = match background {
        Background::Gradient { top, bottom } => 0.5 * (mean(top) + mean(bottom)),
        Background::Plain(color) => mean(color),
        Background::Transparent | Background::Environment { .. } => 1.0,
    };
    0.8 - 0.35 * (brightness / 0.7).clamp(0.0, 1.0)
}

/// The uniform of a frame, with its shadow if it has one.
pub(in crate::render) fn of(
    frame: &Frame<'_>,
    environment: &Environment,
    shadow: Option<&ShadowFit>,
) -> FrameUniform {
    let eye = frame.camera.eye;
    let settings = frame.lighting.settings;
    let (tone, exposure_stops) = shown_as(frame);
    let strength = settings.environment_strength;
    let turn = settings.environment_turn_radians;
    let mut lights = [bytemuck::Zeroable::zeroed(); MAX_LIGHTS];
    let dimmed = frame.lighting.lights.iter().map(|light| PlacedLight {
        intensity: light.intensity * frame.lighting.lights_strength,
        ..*light
    });
    let all = frame.lighting.key.into_iter().chain(dimmed);
    let count = lights
        .iter_mut()
        .zip(all)
        .map(|(uniform, light)| *uniform = light_uniform(&light, eye))
        .count();
    if shadow.is_some() {
        // The key light is the first.
        lights[0].intensity[3] = 1.0;
    }
    let caught = frame.lighting.shadow.and_then(|shadow| shadow.ground);
    let ground = caught.unwrap_or(0.0);
    FrameUniform {
        unread: [0.0; 4],
        clip_from_eye: frame.camera.clip_from_eye().to_cols_array_2d(),
        direction_from_clip: frame.camera.direction_from_clip().to_cols_array_2d(),
        eye: eye.extend(1.0).to_array(),
        backward: frame
            .camera
            .backward()
            .extend(f32::from(u8::from(frame.camera.is_parallel())))
            .to_array(),
        grid: frame.grid.map_or([1.0, 1.0, 0.0, ground], |grid| {
            [grid.spacing, grid.radius, grid.grey, grid.height]
        }),
        grid_middle: frame.grid.map_or([0.0; 2], |grid| grid.middle.to_array()),
        pixels_per_point: frame.pixels_per_point,
        harmonics: environment
            .harmonics
            .0
            .map(|coefficient| (coefficient * strength).extend(0.0).to_array()),
        environment: [
            turn.cos(),
            turn.sin(),
            strength,
            environment.last_level as f32,
        ],
        shadow_from_eye: shadow
            .map_or(glam::Mat4::ZERO, ShadowFit::texture_from_eye)
            .to_cols_array_2d(),
        shadow: [
            1.0 / shadow::SIDE as f32,
            ground_darkness(frame.background),
            shadow.map_or(0.0, |shadow| shadow.texel),
            f32::from(u8::from(frame.background == Background::Transparent)),
        ],
        ground: shadow.map_or([0.0; 4], |shadow| shadow.ground),
        output: [
            exposure_stops.exp2(),
            tone_number(tone) as f32,
            match frame.background {
                Background::Environment { blur } => blur,
                _ => 0.0,
            },
            0.0,
        ],
        counts: [count as u32, 0, 0, 0],
        lights,
        ..bytemuck::Zeroable::zeroed()
    }
}

/// What the last pass reads: where it draws, before what, and whether the target encodes colours by itself.
pub(in crate::render) fn of_output(
    frame: &Frame<'_>,
    viewport: Viewport,
    is_encoded: bool,
) -> OutputUniform {
    let background = match frame.background {
        // Views draw no environment.
        Background::Environment { .. } if frame.inspection.mode != ViewMode::Lit => {
            Background::DARK
        }
        other => other,
    };
    let (top, bottom, keeps_alpha) = match background {
        Background::Gradient { top, bottom } => (top, bottom, 0.0),
        Background::Plain(color) => (color, color, 0.0),
        Background::Transparent => ([0.0; 3], [0.0; 3], 1.0),
        // It is drawn with the scene.
        Background::Environment { .. } => ([0.0; 3], [0.0; 3], 0.0),
    };
    let [top, bottom] = [top, bottom].map(|color| color.map(linear_from_srgb));
    OutputUniform {
        background_top: [top[0], top[1], top[2], keeps_alpha],
        background_bottom: [bottom[0], bottom[1], bottom[2], 0.0],
        viewport: [viewport.x, viewport.y, viewport.width, viewport.height]
            .map(|pixels| pixels as f32),
        options: [
            f32::from(u8::from(is_encoded)),
            shown_as(frame).1.exp2(),
            0.0,
            0.0,
        ],
    }
}

/// Says so if a scene of a model has more lights than a picture, whose key light is one of them if it is on.
pub(in crate::render) fn warn_of_many_lights(model: &Model) {
    let of_scene = |scene| {
        let shown = model.nodes_ever_shown(scene);
        let nodes = model.hierarchy.iter();
        let lamps = nodes.filter(|(id, node)| node.light.is_some() && shown[id.index()]);
        lamps.count()
    };
    let most = (0..model.scenes.len()).map(of_scene).max().unwrap_or(0);
    if most >= MAX_LIGHTS {
        let beside_key = MAX_LIGHTS - 1;
        log::warn!(
            "\"{}\" has {most} lights: the first {MAX_LIGHTS} that shine are drawn, or {beside_key} beside the key light",
            model.name
        );
    }
}

/// The tone curve and exposure of a frame: views for inspection show their colours as they are.
pub(in crate::render) fn shown_as(frame: &Frame<'_>) -> (ToneCurve, f32) {
    let settings = frame.lighting.settings;
    match frame.inspection.mode {
        ViewMode::Lit => (settings.tone, settings.exposure_stops),
        _ => (ToneCurve::None, 0.0),
    }
}

/// A tone curve as shaders know it.
pub(in crate::render) fn tone_number(tone: ToneCurve) -> u32 {
    match tone {
        ToneCurve::None => 0,
        ToneCurve::Neutral => 1,
        ToneCurve::Aces => 2,
        ToneCurve::Agx => 3,
    }
}

fn light_uniform(light: &PlacedLight, eye: glam::Vec3) -> LightUniform {
    let (is_near, cone) = match light.kind {
        LightKind::Directional => (0.0, [0.0, 1.0]),
        LightKind::Point => (1.0, [0.0, 1.0]),
        LightKind::Spot {
            inner_radians,
            outer_radians,
        } => {
            // KHR_lights_punctual, "Inner and Outer Cone Angles".
            let outer = outer_radians.cos();
            let scale = 1.0 / (inner_radians.cos() - outer).max(0.001);
            (1.0, [scale, -outer * scale])
        }
    };
    let range = light.range.filter(|range| *range > 0.0);
    LightUniform {
        position: (light.position - eye)
            .extend(range.map_or(0.0, |range| 1.0 / (range * range)))
            .to_array(),
        direction: light.backward.extend(is_near).to_array(),
        intensity: light.intensity.extend(0.0).to_array(),
        cone: [cone[0], cone[1], 0.0, 0.0],
    }
}
