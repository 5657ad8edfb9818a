//! The environment on the GPU: a cube whose levels are prefiltered for rougher and rougher reflections.

use std::f64::consts::PI;

use glam::Vec3;
use half::f16;
use wgpu::util::DeviceExt as _;

use crate::{
    model::{Panorama, dimmed_to},
    render::{Gpu, layout::LobeSample, pipelines::PrefilterPipeline},
    scene::Harmonics,
};

/// An environment, ready to be reflected.
#[derive(Debug)]
pub(in crate::render) struct Environment {
    /// All levels of the cube.
    pub(in crate::render) cube: wgpu::TextureView,
    /// The last level: that of roughness 1.
    pub(super) last_level: u32,
    pub(in crate::render) harmonics: Harmonics,
}

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Texels along a face of the last level: what a rough lobe sees is smooth.
const LAST_FACE: u32 = 8;
/// Texels along a face of the first level, at most: 512 are as many as a picture of 2048 × 1024 has.
const LARGEST_FACE: u32 = 512;
/// Samples of a texel of the first rough level. They are spread evenly and each looks into a level of the source that is as
/// coarse as they are sparse, so that a few are enough. Each further level has a quarter of the texels and gets twice as many
/// samples: with 24 for all, roughness 1 was off by 7 % in a photographed interior, a rough lobe being as wide as its
/// samples are coarse; with these by 1 %.
const SAMPLES: usize = 24;

impl Environment {
    /// Prefilters `panorama`.
    pub(in crate::render) fn new(
        gpu: &Gpu,
        pipeline: &PrefilterPipeline,
        panorama: &Panorama,
    ) -> Self {
        let source = upload(gpu, panorama);
        let face = (panorama.width() as u32 / 4)
            .next_power_of_two()
            .clamp(4 * LAST_FACE, LARGEST_FACE);
        let last_level = (face / LAST_FACE).ilog2();
        let cube = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("Environment::cube"),
            size: wgpu::Extent3d {
                width: face,
                height: face,
                depth_or_array_layers: 6,
            },
            mip_level_count: last_level + 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for level in 0..=last_level {
            let roughness = f64::from(level) / f64::from(last_level);
            let width = panorama.width() as f64;
            let samples = if level == 0 {
                // A mirror: one direction, as coarse as the face's own texels.
                let coarser = (width / f64::from(4 * face)).log2().max(0.0);
                vec![lobe_sample([0.0, 0.0, 1.0], coarser)]
            } else {
                lobe_samples(roughness, width, SAMPLES << (level - 1))
            };
            let samples = gpu
                .device
                .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some("Environment::samples"),
                    contents: bytemuck::cast_slice(&samples),
                    usage: wgpu::BufferUsages::STORAGE,
                });
            let target = cube.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                base_mip_level: level,
                mip_level_count: Some(1),
                ..Default::default()
            });
            pipeline.filter(gpu, &mut encoder, &source, &samples, &target, face >> level);
        }
        gpu.queue.submit([encoder.finish()]);
        Self {
            cube: cube.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::Cube),
                ..Default::default()
            }),
            last_level,
            harmonics: Harmonics::of(panorama),
        }
    }
}

/// The panorama with all coarser levels. A sun that 16-bit floats do not hold is dimmed where it is too bright for them: in the
/// coarse levels, which rough lobes see, it is as bright as it should be.
fn upload(gpu: &Gpu, panorama: &Panorama) -> wgpu::TextureView {
    let texels = |level: &Panorama| -> Vec<[u16; 4]> {
        let texel = |texel: &Vec3| {
            let stored = dimmed_to(*texel, Panorama::BRIGHTEST).to_array();
            let [red, green, blue] = stored.map(|part| f16::from_f32(part).to_bits());
            [red, green, blue, f16::ONE.to_bits()]
        };
        level.texels().iter().map(texel).collect()
    };
    let mut all = texels(panorama);
    let mut level_count = 1;
    let mut next = panorama.halved();
    while let Some(level) = next {
        all.extend(texels(&level));
        level_count += 1;
        next = level.halved();
    }
    let texture = gpu.device.create_texture_with_data(
        &gpu.queue,
        &wgpu::TextureDescriptor {
            label: Some("Environment::source"),
            size: wgpu::Extent3d {
                width: panorama.width() as u32,
                height: panorama.height() as u32,
                depth_or_array_layers: 1,
            },
            mip_level_count: level_count,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        },
        wgpu::util::TextureDataOrder::LayerMajor,
        bytemuck::cast_slice(&all),
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn lobe_sample(direction: [f64; 3], level: f64) -> LobeSample {
    let [x, y, z] = direction;
    LobeSample {
        direction: [x, y, z, level].map(|number| number as f32),
    }
}

/// Directions in which a GGX lobe of this roughness looks straight ahead (Hammersley points; B. Karis, "Real Shading in Unreal
/// Engine 4", 2013), and the level of a source of `width` texels around whose texels are as large as the sample's share of all
/// directions (J. Křivánek and M. Colbert, "Real-time Shading with Filtered Importance Sampling", 2008).
fn lobe_samples(roughness: f64, width: f64, count: usize) -> Vec<LobeSample> {
    let alpha = roughness * roughness;
    let a2 = alpha * alpha;
    // At the horizon of the source; texels nearer to its poles are smaller.
    let texel = 2.0 * PI * PI / (width * width / 2.0);
    let sample = |index: usize| {
        let u = (index as f64 + 0.5) / count as f64;
        let around = 2.0 * PI * f64::from((index as u32).reverse_bits()) / 4_294_967_296.0;
        let n_h2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        let n_h = n_h2.sqrt();
        // The half vector's angle doubled.
        let (z, side) = (2.0 * n_h2 - 1.0, 2.0 * n_h * (1.0 - n_h2).max(0.0).sqrt());
        let spread = n_h2 * (a2 - 1.0) + 1.0;
        // D (n·h) / (4 (v·h)), where v is n.
        let density = a2 / (PI * spread * spread) / 4.0;
        let share = 1.0 / (count as f64 * density);
        let level = (0.5 * (share / texel).log2() + 0.5).max(0.0);
        lobe_sample([side * around.cos(), side * around.sin(), z], level)
    };
    let all = (0..count).map(sample);
    all.filter(|sample| sample.direction[2] > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_as_the_lobe_does() {
        for roughness in [0.25, 0.5, 0.75, 1.0] {
            let samples = lobe_samples(roughness, 256.0, 4096);
            let weights: f64 = samples.iter().map(|s| f64::from(s.direction[2])).sum();
            let squares = samples.iter().map(|s| f64::from(s.direction[2]).powi(2));
            let found = squares.sum::<f64>() / weights;
            // The mean cosine of the lobe that is weighted by the cosine, by an integral over the half vector's angle.
            let a2 = f64::powi(roughness, 4);
            let (mut over, mut under) = (0.0, 0.0);
            for step in 0..200_000 {
                let n_h2 = 0.5 + 0.5 * (f64::from(step) + 0.5) / 200_000.0;
                let spread = n_h2 * (a2 - 1.0) + 1.0;
                let n_l = 2.0 * n_h2 - 1.0;
                // Half vectors of equal n·h squared: their density is D (n·h) / (n·h).
                over += n_l * n_l / (spread * spread);
                under += n_l / (spread * spread);
            }
            let expected = over / under;
            assert!(
                (found - expected).abs() < 2e-3,
                "{roughness}: {found}, not {expected}"
            );
            let length = |s: &LobeSample| s.direction[..3].iter().map(|x| x * x).sum::<f32>();
            assert!(samples.iter().all(|s| (length(s) - 1.0).abs() < 1e-5));
        }
    }
}
