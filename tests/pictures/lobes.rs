//! What surfaces return of light from everywhere: the shader's own functions, integrated on the GPU, against energy
//! conservation and against the formulas in double precision.

use std::f64::consts::PI;

use rigscope::render::{Gpu, layout, shaders};
use wgpu::util::DeviceExt as _;

use super::lobe_twins::{
    SHARES_SIDE, film, grooved_share, share_table, sheen_share, walked_albedo,
};
use crate::common::gpu;

/// Added to the shader of meshes: environment of radiance 1, exact shares, and an entry point that integrates.
const HARNESS: &str = include_str!("lobes.wgsl");

/// A surface under uniform light; its normal is +Z.
#[derive(Debug, Clone, Copy)]
struct Case {
    n_v: f32,
    roughness: f32,
    /// Of the eye around the normal, from +X.
    azimuth: f32,
    diffuse: f32,
    specular: f32,
    sheen: f32,
    coat: f32,
    anisotropy: f32,
    /// How much of it is white metal; `specular` is about the rest.
    metallic: f32,
}

const BARE: Case = Case {
    n_v: 1.0,
    roughness: 0.5,
    azimuth: 0.0,
    diffuse: 0.0,
    specular: 0.0,
    sheen: 0.0,
    coat: 0.0,
    anisotropy: 0.0,
    metallic: 0.0,
};

/// Runs an entry point of the harness on one thread for each twelve numbers and returns four numbers each.
fn run(gpu: &Gpu, entry: &str, features: u32, cases: &[[f32; 12]]) -> Vec<[f32; 4]> {
    let device = &gpu.device;
    let mut source = shaders::MESHES.source();
    for replaced in [
        "environment_specular",
        "environment_diffuse",
        "specular_share",
        "sheen_share",
    ] {
        let definition = format!("fn {replaced}(");
        assert_eq!(source.matches(&definition).count(), 1, "{replaced}");
        source = source.replace(&definition, &format!("fn replaced_{replaced}("));
    }
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("lobes"),
        source: wgpu::ShaderSource::Wgsl((source + "\n" + HARNESS).into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("lobes"),
        layout: None,
        module: &module,
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &[("FEATURES", f64::from(features))],
            ..Default::default()
        },
        cache: None,
    });
    let buffer = |contents: &[u8], usage| {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("lobes"),
            contents,
            usage,
        })
    };
    let storage = wgpu::BufferUsages::STORAGE;
    let size = 16 * cases.len() as u64;
    let zeros = vec![0_u8; size as usize];
    let results = buffer(&zeros, storage | wgpu::BufferUsages::COPY_SRC);
    let back = buffer(
        &zeros,
        wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
    );
    let material: layout::MaterialUniform = bytemuck::Zeroable::zeroed();
    let bindings = [
        (0, 20, buffer(bytemuck::cast_slice(cases), storage)),
        (0, 21, results.clone()),
        (0, 22, buffer(bytemuck::cast_slice(share_table()), storage)),
        (
            2,
            0,
            buffer(bytemuck::bytes_of(&material), wgpu::BufferUsages::UNIFORM),
        ),
    ];
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    // Others ask for no material and no table.
    let is_whole = entry == "cs_albedo";
    let groups: &[u32] = if is_whole { &[0, 1, 2] } else { &[0] };
    for &group in groups {
        let entries: Vec<_> = bindings
            .iter()
            .filter(|&&(of, binding, _)| of == group && (is_whole || binding != 22))
            .map(|(_, binding, buffer)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("lobes"),
            layout: &pipeline.get_bind_group_layout(group),
            entries: &entries,
        });
        pass.set_bind_group(group, &bind_group, &[]);
    }
    pass.dispatch_workgroups(cases.len() as u32, 1, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&results, 0, &back, 0, size);
    gpu.queue.submit([encoder.finish()]);
    back.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    assert_eq!(gpu.first_error(), None);
    let mapped = back.get_mapped_range(..).unwrap();
    bytemuck::pod_collect_to_vec(&mapped)
}

/// What the surfaces return of uniform light: from lamps all around, and from an environment.
fn albedos(gpu: &Gpu, features: u32, cases: &[Case]) -> Vec<[f64; 2]> {
    let numbers: Vec<_> = cases
        .iter()
        .map(|case| {
            [
                case.n_v,
                case.roughness,
                case.azimuth,
                0.0,
                case.diffuse,
                case.specular,
                case.sheen,
                case.coat,
                case.anisotropy,
                case.metallic,
                0.0,
                0.0,
            ]
        })
        .collect();
    let results = run(gpu, "cs_albedo", features, &numbers);
    results
        .iter()
        .map(|of| [f64::from(of[0]), f64::from(of[1])])
        .collect()
}

const COSINES: [f32; 4] = [1.0, 0.6875, 0.40625, 0.15625];

fn each_cosine(cases: impl IntoIterator<Item = Case>) -> Vec<Case> {
    let cases = cases.into_iter();
    cases
        .flat_map(|case| COSINES.map(|n_v| Case { n_v, ..case }))
        .collect()
}

#[track_caller]
fn assert_within(found: f64, expected: f64, tolerance: f64, what: &dyn std::fmt::Debug) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} instead of {expected}: {what:?}"
    );
}

/// The white furnace: what absorbs nothing returns all of a uniform light, at every roughness.
#[test]
fn white_surfaces_return_all_light() {
    let Some(gpu) = gpu() else { return };
    let roughnesses = [0.0625, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];
    let metal = Case {
        specular: 1.0,
        ..BARE
    };
    let dielectric = Case {
        diffuse: 1.0,
        specular: 0.04,
        ..BARE
    };
    // A half of each (glTF 2.0 §B.2).
    let mixed = Case {
        diffuse: 0.5,
        metallic: 0.5,
        ..dielectric
    };
    for white in [metal, dielectric, mixed] {
        let cases = each_cosine(roughnesses.map(|roughness| Case { roughness, ..white }));
        let mut worst: [f64; 2] = [0.0; 2];
        for (case, found) in cases.iter().zip(albedos(&gpu, 0, &cases)) {
            for (worst, found) in worst.iter_mut().zip(found) {
                assert_within(found, 1.0, 0.02, case);
                *worst = worst.max((found - 1.0).abs());
            }
        }
        println!(
            "specular {}, metallic {}: at most {worst:?} from 1, by lamps and by environment",
            white.specular, white.metallic
        );
    }
}

/// Metals of any colour return what walks between their facets say, at every roughness.
#[test]
fn colored_metals_return_what_random_walks_do() {
    let Some(gpu) = gpu() else { return };
    for specular in [0.2, 0.5, 0.8] {
        let metal = Case { specular, ..BARE };
        let cases = each_cosine([0.5, 0.75, 1.0].map(|roughness| Case { roughness, ..metal }));
        for (case, found) in cases.iter().zip(albedos(&gpu, 0, &cases)) {
            let [n_v, roughness] = [case.n_v, case.roughness].map(f64::from);
            let expected = walked_albedo(n_v.min(0.9999), roughness, f64::from(specular));
            for found in found {
                assert_within(found / expected, 1.0, 0.07, &(case, expected));
            }
        }
    }
}

#[test]
fn no_layer_adds_light() {
    let Some(gpu) = gpu() else { return };
    use layout::material_flags::{CLEARCOAT, SHEEN};
    let white = Case {
        diffuse: 1.0,
        specular: 0.04,
        ..BARE
    };
    for (features, case) in [
        (
            SHEEN,
            Case {
                sheen: 1.0,
                ..white
            },
        ),
        (CLEARCOAT, Case { coat: 1.0, ..white }),
        (
            SHEEN | CLEARCOAT,
            Case {
                sheen: 1.0,
                coat: 1.0,
                ..white
            },
        ),
    ] {
        let cases = each_cosine([0.25, 0.5, 0.75, 1.0].map(|roughness| Case { roughness, ..case }));
        for (case, found) in cases.iter().zip(albedos(&gpu, features, &cases)) {
            assert!(found[0] <= 1.02, "{found:?} {case:?}");
            assert_within(found[1], 1.0, 0.02, case);
        }
    }
}

#[test]
fn fibres_return_what_their_formula_says() {
    let Some(gpu) = gpu() else { return };
    let sheen = Case { sheen: 1.0, ..BARE };
    let cases = each_cosine([0.25, 0.5, 0.75, 1.0].map(|roughness| Case { roughness, ..sheen }));
    for (case, found) in cases
        .iter()
        .zip(albedos(&gpu, layout::material_flags::SHEEN, &cases))
    {
        let expected = sheen_share(f64::from(case.n_v), f64::from(case.roughness));
        assert!(expected <= 1.0);
        for found in found {
            assert_within(found, expected, 0.01, case);
        }
    }
}

/// Highlights drawn out along a direction, the eye along and across it and between: what a bounce returns by the formula, and
/// all light once its loss is made up for.
#[test]
fn grooves_return_what_their_formula_says() {
    let Some(gpu) = gpu() else { return };
    let features = layout::material_flags::ANISOTROPY;
    let mut cases = Vec::new();
    for anisotropy in [0.0, 0.25, 0.5, 0.75, 1.0] {
        for azimuth in [0.0, 0.25 * PI as f32, 0.5 * PI as f32] {
            let metal = Case {
                specular: 1.0,
                anisotropy,
                azimuth,
                ..BARE
            };
            cases.extend(each_cosine(
                [0.5, 0.75].map(|roughness| Case { roughness, ..metal }),
            ));
        }
    }
    let numbers: Vec<_> = cases
        .iter()
        .map(|case| {
            let mut numbers = [0.0; 12];
            numbers[..4].copy_from_slice(&[
                case.n_v,
                case.azimuth,
                case.roughness,
                case.anisotropy,
            ]);
            numbers
        })
        .collect();
    let shares = run(&gpu, "cs_grooves", features, &numbers);
    for (case, found) in cases.iter().zip(shares) {
        let [n_v, azimuth, roughness, strength] =
            [case.n_v, case.azimuth, case.roughness, case.anisotropy].map(f64::from);
        let expected = grooved_share(n_v, azimuth, roughness, strength);
        // Some microfacets stand for all.
        assert_within(f64::from(found[0]), expected, 0.025, case);
    }
    for (case, found) in cases.iter().zip(albedos(&gpu, features, &cases)) {
        // White metal returns all light, be it of lamps all around or of an environment.
        assert_within(found[0], 1.0, 0.025, case);
        assert!(found[0] <= 1.02, "{found:?} {case:?}");
        assert_within(found[1], 1.0, 1e-3, case);
    }
}

/// A film's colours against a sum over wave numbers, and within what can be reflected.
#[test]
fn films_interfere_as_the_sum_over_wave_numbers_says() {
    let Some(gpu) = gpu() else { return };
    let mut cases = Vec::new();
    for cosine in [1.0, 0.7, 0.3] {
        for ior in [1.3, 1.8] {
            for thickness in [0.0, 100.0, 250.0, 400.0, 800.0] {
                for base in [0.02, 0.04, 0.5, 0.95] {
                    cases.push([
                        cosine, ior, thickness, base, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                    ]);
                }
            }
        }
    }
    let found = run(&gpu, "cs_film", layout::material_flags::IRIDESCENCE, &cases);
    let mut widest: f32 = 0.0;
    for (case, found) in cases.iter().zip(found) {
        let [cosine, ior, thickness, base] = [case[0], case[1], case[2], case[3]].map(f64::from);
        let expected = film(cosine, ior, thickness, base);
        for (found, expected) in found.iter().zip(expected) {
            assert!((0.0..=1.0).contains(found));
            assert_within(f64::from(*found), expected.clamp(0.0, 1.0), 0.01, case);
        }
        widest = widest.max((found[0] - found[2]).abs());
    }
    assert!(widest > 0.2, "films have colours: {widest}");
}

#[test]
fn the_table_of_shares_has_the_side_that_the_harness_reads() {
    assert!(HARNESS.contains(&format!("SHARES_SIDE: u32 = {SHARES_SIDE}u;")));
}
