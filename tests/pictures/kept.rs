//! What renderers keep from one picture to the next, and what they let go.

use rigscope::{
    app::Actor,
    model::Keyed as _,
    render::{Destination, Gpu, Pair, Picture, Renderer, SceneTarget, Subject, Viewport},
    scene::{Frame, GHOST_COLOR, LightSettings, OrbitCamera, Split, SplitWay, Transparency},
};
use serde_json::json;

use super::{
    compared::frame,
    quad::{quad, renderer},
    transparency::{clear_glass, paint, quads},
};
use crate::common::gpu;

const SIZE: [u32; 2] = [90, 60];

const VIEWPORT: Viewport = Viewport {
    x: 0,
    y: 0,
    width: SIZE[0],
    height: SIZE[1],
};

/// What pictures are drawn on, one after the other.
struct Stage {
    gpu: Gpu,
    renderer: Renderer,
    output: wgpu::TextureView,
}

impl Stage {
    fn new(gpu: Gpu, actor: &Actor) -> Self {
        let renderer = renderer(&gpu, actor, None);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: SIZE[0],
                height: SIZE[1],
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Picture::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        Self {
            output: texture.create_view(&Default::default()),
            gpu,
            renderer,
        }
    }

    /// Draws the same twice, compared this way, and says how much has been made so far.
    fn draw_pair(
        &mut self,
        actor: &Actor,
        frame: &Frame<'_>,
        split: Split,
        scene: &mut SceneTarget,
    ) -> usize {
        let subject = Subject {
            model: actor.model(),
            frame,
        };
        let pair = Pair {
            subjects: [subject; 2],
            has_other_model: false,
            split,
            column_width: 1,
            ghost: GHOST_COLOR,
        };
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.renderer.draw_pair(
            &self.gpu,
            &mut encoder,
            &pair,
            scene,
            &self.output,
            VIEWPORT,
        );
        self.gpu.queue.submit([encoder.finish()]);
        self.renderer.made_count()
    }
}

fn split(way: SplitWay) -> Split {
    Split {
        way,
        at: 0.4,
        ..Split::default()
    }
}

/// Halves of different widths, with all that is kept besides: glass, what blends behind it, sums, ghosts.
#[test]
fn frames_of_the_same_sizes_make_nothing_anew() {
    let Some(gpu) = gpu() else { return };
    let at = |z: f64| json!({ "translation": [0, 0, z] });
    let mut actor = quads(&[
        (paint([0.2, 0.7, 0.2, 0.6]), at(-0.5)),
        (paint([0.2, 0.7, 0.9, 0.6]), at(-1.0)),
        (clear_glass(), at(0.0)),
    ]);
    actor.measure();
    let mut camera = OrbitCamera::default();
    camera.frame(&actor.bounds(), std::iter::empty(), 1.0);
    let light = LightSettings {
        transparency: Transparency::Weighted,
        ..LightSettings::default()
    };
    let frame = frame(&actor, &camera, light);
    let mut stage = Stage::new(gpu, &actor);
    for &way in SplitWay::ALL {
        let split = split(way);
        let mut scene = SceneTarget::new(&stage.gpu, SIZE);
        let before = stage.renderer.made_count();
        let first = stage.draw_pair(&actor, &frame, split, &mut scene);
        assert!(first > before, "{way:?}: what is counted was made");
        for _ in 0..3 {
            let made = stage.draw_pair(&actor, &frame, split, &mut scene);
            assert_eq!(made, first, "{way:?}");
        }
        if way != SplitWay::SideBySide {
            continue;
        }
        // A picture alone, of what the first half has made: what the second had for itself is let go.
        let mut encoder = stage.gpu.device.create_command_encoder(&Default::default());
        let [left, _] = split.drawn_columns(VIEWPORT.width);
        let into = Destination {
            scene: &scene,
            output: &stage.output,
            viewport: VIEWPORT.columns(left),
        };
        stage
            .renderer
            .draw(&stage.gpu, &mut encoder, actor.model(), &frame, into);
        stage.gpu.queue.submit([encoder.finish()]);
        assert_eq!(stage.renderer.made_count(), first, "alone nothing is made");
        let again = stage.draw_pair(&actor, &frame, split, &mut scene);
        assert!(again > first, "what compares is made anew");
        let once_more = stage.draw_pair(&actor, &frame, split, &mut scene);
        assert_eq!(once_more, again);
    }
}

/// A ghost's group holds two scenes as large as the picture.
#[test]
fn a_picture_without_a_ghost_lets_it_go() {
    let Some(gpu) = gpu() else { return };
    let mut actor = quads(&[(paint([0.2, 0.7, 0.2, 1.0]), json!({}))]);
    actor.measure();
    let mut camera = OrbitCamera::default();
    camera.frame(&actor.bounds(), std::iter::empty(), 1.0);
    let frame = frame(&actor, &camera, LightSettings::default());
    let mut stage = Stage::new(gpu, &actor);
    let mut scene = SceneTarget::new(&stage.gpu, SIZE);
    let mut made = |ways: &[SplitWay]| {
        let before = stage.renderer.made_count();
        let draw = |way: &SplitWay| stage.draw_pair(&actor, &frame, split(*way), &mut scene);
        ways.iter().map(draw).last().unwrap_or_default() - before
    };
    let (ghost, wipe) = (SplitWay::Overlay, SplitWay::Wipe);
    made(&[ghost, wipe, wipe]);
    assert!(made(&[ghost]) > 0, "it is made anew");
    assert_eq!(made(&[ghost]), 0, "and kept");
}

#[test]
fn what_a_picture_does_not_need_is_let_go() {
    let Some(gpu) = gpu() else { return };
    let at = |z: f64| json!({ "translation": [0, 0, z] });
    let blended = (paint([0.2, 0.7, 0.2, 0.6]), at(-0.5));
    let mut lit = paint([0.2, 0.7, 0.2, 1.0]);
    lit.as_object_mut().unwrap().remove("extensions");
    let mut actors = [
        quads(&[blended.clone(), (clear_glass(), at(0.0))]),
        quads(&[blended]),
        quads(&[(lit, at(0.0))]),
    ];
    for actor in &mut actors {
        actor.measure();
    }
    let mut camera = OrbitCamera::default();
    camera.frame(&actors[0].bounds(), std::iter::empty(), 1.0);
    let light = |transparency| LightSettings {
        transparency,
        ..LightSettings::default()
    };
    let mut renderer = Renderer::new(&gpu, Picture::FORMAT);
    let mut made_by = |which: usize, transparency| {
        let actor = &actors[which];
        let before = renderer.made_count();
        renderer.set_model(&gpu, actor.model());
        let frame = frame(actor, &camera, light(transparency));
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [60, 60]).unwrap();
        renderer.made_count() - before
    };
    let (sorted, weighted) = (Transparency::Sorted, Transparency::Weighted);
    made_by(2, sorted);
    let plain = made_by(2, sorted);
    assert_eq!(plain, 0, "what pictures are read back from is kept, too");
    let [glass, sums] = [(0, sorted), (1, weighted)].map(|(which, way)| {
        let first = made_by(which, way);
        assert!(first > plain, "what is counted was made");
        let kept = made_by(which, way);
        assert!(kept < first, "the same size makes it once");
        made_by(2, sorted);
        let again = made_by(which, way);
        made_by(2, sorted);
        (first, again)
    });
    assert_eq!(glass.0, glass.1, "the copy that glass shows");
    assert_eq!(sums.0, sums.1, "the sums");
}

/// The samples for what blends behind glass are as large as the scene's: a camera that goes round to the other side needs none.
#[test]
fn samples_behind_glass_are_let_go_when_nothing_is_behind_it() {
    let Some(gpu) = gpu() else { return };
    let at = |z: f64| json!({ "translation": [0, 0, z] });
    let mut glass = clear_glass();
    let mut lit = paint([0.2, 0.7, 0.2, 0.6]);
    lit.as_object_mut().unwrap().remove("extensions");
    glass["doubleSided"] = json!(true);
    let mut actor = quads(&[(lit, at(-0.5)), (glass, at(0.0))]);
    actor.measure();
    let mut renderer = renderer(&gpu, &actor, None);
    let mut made_from = |azimuth_radians: f32| {
        let mut camera = OrbitCamera {
            azimuth_radians,
            ..OrbitCamera::default()
        };
        camera.frame(&actor.bounds(), std::iter::empty(), 1.0);
        let before = renderer.made_count();
        let frame = frame(&actor, &camera, LightSettings::default());
        Picture::draw(&gpu, &mut renderer, actor.model(), &frame, [60, 60]).unwrap();
        renderer.made_count() - before
    };
    let (front, back) = (0.0, std::f32::consts::PI);
    made_from(back);
    assert_eq!(made_from(back), 0, "the copy is kept");
    assert_eq!(made_from(front), 1, "the samples are made, and counted");
    assert_eq!(made_from(front), 0, "they are kept");
    made_from(back);
    assert_eq!(made_from(front), 1, "they were let go");
}

/// Bind groups that there are once a model is uploaded.
fn bind_groups(gpu: &Gpu, actor: &Actor) -> usize {
    let count = || {
        let report = gpu.instance.generate_report();
        report.map_or(0, |report| report.hub_report().bind_groups.num_allocated)
    };
    let before = count();
    let _renderer = renderer(gpu, actor, None);
    count() - before
}

/// Nor is anything made for primitives that differ in nothing but their vertices.
#[test]
fn nothing_is_made_for_materials_without_a_primitive() {
    let Some(gpu) = gpu() else { return };
    let green = paint([0.2, 0.7, 0.2, 1.0]);
    let with = |materials: usize, primitives: usize| {
        let primitive = json!({ "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "indices": 2, "material": 0 });
        let actor = quad(&[
            ("materials", json!(vec![green.clone(); materials])),
            (
                "meshes",
                json!([{ "primitives": vec![primitive; primitives] }]),
            ),
        ]);
        bind_groups(&gpu, &actor)
    };
    let few = with(1, 1);
    assert!(few > 0);
    assert_eq!(with(400, 1), few, "materials");
    assert_eq!(with(1, 400), few, "primitives");
}
