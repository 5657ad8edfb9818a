//! Posing: sample, world matrices and palette for 1, 100 and 1000 instances, each at a phase of its own; and the same
//! with two clips blended, beside one.
//!
//! Throughput is in joints: nanoseconds a joint are the reciprocal. `RIGSCOPE_CORPUS` adds the Fox.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros have no documentation, and a bench that cannot run shall stop"
)]

use std::{hint::black_box, path::Path};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::{Affine3A, Vec3};
use rigscope::{
    anim::{
        Cursors, Palette, PaletteLayout, Pose,
        blend::{Blender, Layer, Motion},
        sample,
    },
    model::Model,
};

/// Poses `instances` of the model's clip `clip` at the moment `frame`, forwards in time from call to call.
struct Crowd {
    model: Model,
    clip: usize,
    layout: PaletteLayout,
    pose: Pose,
    cursors: Vec<Cursors>,
    palette: Palette,
}

impl Crowd {
    fn new(model: Model, clip: usize, instances: usize) -> Self {
        Self {
            layout: PaletteLayout::new(&model, model.default_scene),
            pose: Pose::new(&model.hierarchy),
            cursors: vec![Cursors::default(); instances],
            palette: Palette::default(),
            clip,
            model,
        }
    }

    fn pose(&mut self, frame: u64) {
        let clip = &self.model.clips[self.clip];
        let duration = f64::from(clip.duration_secs());
        self.palette.clear(&self.layout, self.cursors.len());
        for (instance, cursors) in self.cursors.iter_mut().enumerate() {
            // The golden ratio spreads phases evenly, however many there are.
            let phase = instance as f64 * 0.618_033_988_75 * duration;
            let time = (frame as f64 / 60.0 + phase).rem_euclid(duration);
            self.pose.reset(&self.model.hierarchy);
            sample(clip, time, cursors, &mut self.pose);
            let place = Vec3::new(instance as f32, 0.0, 0.0);
            self.pose
                .update_world(&self.model.hierarchy, Affine3A::from_translation(place));
            self.palette.push(&self.model, &self.layout, &self.pose);
        }
        black_box(self.palette.matrices());
    }
}

fn models() -> Vec<(&'static str, Model, usize)> {
    let pip = rigscope::app::built_in::load("Pip").unwrap().model;
    let mut models = vec![("pip_walk", pip, 1)];
    if let Some(corpus) = std::env::var_os("RIGSCOPE_CORPUS") {
        let fox = Path::new(&corpus).join("files/khronos-samples/Fox/glTF-Binary/Fox.glb");
        models.push(("fox_run", rigscope::cli::load(&fox).unwrap().model, 2));
    }
    models
}

fn posing(criterion: &mut Criterion) {
    for (name, model, clip) in models() {
        let joints: usize = model.skins.iter().map(|skin| skin.joints.len()).sum();
        let mut group = criterion.benchmark_group(format!("pose/{name}"));
        for instances in [1, 100, 1000] {
            group.throughput(Throughput::Elements((joints * instances) as u64));
            let mut crowd = Crowd::new(model.clone(), clip, instances);
            let mut frame = 0;
            group.bench_function(BenchmarkId::from_parameter(instances), |bencher| {
                bencher.iter(|| {
                    frame += 1;
                    crowd.pose(frame);
                });
            });
        }
        group.finish();
    }
}

/// One model, at a moment that differs from call to call: with `clips` blended, half and half.
struct Blend {
    model: Model,
    layout: PaletteLayout,
    blender: Blender,
    pose: Pose,
    palette: Palette,
}

impl Blend {
    fn new(model: Model) -> Self {
        Self {
            layout: PaletteLayout::new(&model, model.default_scene),
            blender: Blender::new(&model.hierarchy),
            pose: Pose::new(&model.hierarchy),
            palette: Palette::default(),
            model,
        }
    }

    fn pose<const N: usize>(&mut self, clips: [usize; N], frame: u64) {
        let motions = clips.map(|clip| {
            let clip = &self.model.clips[clip];
            let time_secs = (frame as f64 / 60.0).rem_euclid(f64::from(clip.duration_secs()));
            Motion::new(clip, time_secs, 0.5)
        });
        self.blender.blend(&[Layer::new(&motions)], &mut self.pose);
        self.pose
            .update_world(&self.model.hierarchy, Affine3A::IDENTITY);
        self.palette.clear(&self.layout, 1);
        self.palette.push(&self.model, &self.layout, &self.pose);
        black_box(self.palette.matrices());
    }
}

fn blending(criterion: &mut Criterion) {
    for (name, model, clip) in models() {
        let mut blend = Blend::new(model);
        let mut group = criterion.benchmark_group(format!("blend/{name}"));
        let mut frame = 0;
        group.bench_function("one", |bencher| {
            bencher.iter(|| {
                frame += 1;
                blend.pose([clip], frame);
            });
        });
        group.bench_function("two", |bencher| {
            bencher.iter(|| {
                frame += 1;
                blend.pose([clip, clip - 1], frame);
            });
        });
        group.finish();
    }
}

criterion_group!(benches, posing, blending);
criterion_main!(benches);
