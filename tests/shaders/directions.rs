//! Normals and tangents: the shader's own functions beside their twins on the CPU, which saved meshes have theirs from.

use glam::{Mat3, Quat, Vec3, Vec4};
use rigscope::{
    anim::{
        ActiveMorph, PaletteMatrix,
        skinning::{
            is_mirroring, morph_normal, morph_tangent, transform_normal, transform_vector,
            unit_or_zero,
        },
    },
    model::MorphTarget,
    render::{Gpu, layout::morph_flags, shaders},
};
use wgpu::util::DeviceExt as _;

use crate::common::gpu;

const HARNESS: &str = include_str!("directions.wgsl");

struct Case {
    matrix: PaletteMatrix,
    normal: Vec3,
    tangent: Vec3,
}

/// Turned, sheared, mirrored, of all sizes, and flattened.
fn cases() -> Vec<Case> {
    let turn = |index: usize| {
        let index = index as f32;
        Quat::from_scaled_axis(Vec3::new(0.7 * index, -0.4 * index, 0.3 + index))
    };
    let shapes = [
        Vec3::ONE,
        Vec3::new(1.0, 3.0, 0.5),
        Vec3::new(-1.0, 2.0, 0.7),
        Vec3::new(-1.0, -1.0, -2.0),
        Vec3::new(1.0, 0.0, 1.0),
    ];
    let sizes = [1e-10, 1e-4, 1.0, 1e4, 1e10];
    let mut cases = Vec::new();
    for shape in shapes {
        for size in sizes {
            let index = cases.len();
            let matrix = Mat3::from_quat(turn(index))
                * Mat3::from_diagonal(shape * size)
                * Mat3::from_quat(turn(index + 7));
            let rows = matrix.transpose();
            let shift = Vec3::new(3.0, -2.0, 5.0);
            cases.push(Case {
                matrix: [
                    rows.x_axis.extend(shift.x),
                    rows.y_axis.extend(shift.y),
                    rows.z_axis.extend(shift.z),
                ],
                normal: turn(index + 1) * Vec3::Z,
                tangent: turn(index + 1) * Vec3::X,
            });
        }
    }
    cases
}

/// Two targets that move normals and tangents, one between them that moves nothing, and their weights.
fn targets(vertex_count: usize) -> ([MorphTarget; 3], [ActiveMorph; 3]) {
    let deltas = |seed: f32| {
        let delta = move |vertex: usize| {
            let phase = seed + vertex as f32;
            Vec3::new(phase.sin(), (2.0 * phase).cos(), (3.0 * phase).sin())
        };
        (0..vertex_count).map(delta).collect()
    };
    let target = |seed: f32| MorphTarget {
        normals: deltas(seed),
        tangents: deltas(seed + 0.5),
        ..MorphTarget::default()
    };
    let morph = |target, weight| ActiveMorph { target, weight };
    let targets = [target(0.1), MorphTarget::default(), target(0.7)];
    (targets, [morph(0, 0.4), morph(1, 0.5), morph(2, -0.25)])
}

/// What the shader makes of all cases: normal and side, and tangent.
fn by_shader(gpu: &Gpu, cases: &[Case]) -> Vec<[Vec4; 2]> {
    let device = &gpu.device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("directions"),
        source: wgpu::ShaderSource::Wgsl((shaders::MESHES.source() + "\n" + HARNESS).into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("directions"),
        layout: None,
        module: &module,
        entry_point: Some("cs_directions"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let buffer = |contents: &[u8], usage| {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("directions"),
            contents,
            usage,
        })
    };
    let storage = wgpu::BufferUsages::STORAGE;
    let numbers = cases.iter().flat_map(|case| {
        let directions = [case.normal.extend(0.0), case.tangent.extend(0.0)];
        case.matrix.into_iter().chain(directions)
    });
    let numbers: Vec<[f32; 4]> = numbers.map(|row| row.to_array()).collect();
    let (targets, active) = targets(cases.len());
    let morphs = active.map(|morph| [morph.target, morph.weight.to_bits()]);
    let deltas = targets.iter().flat_map(|target| {
        let both = target.normals.iter().zip(target.tangents.iter());
        both.flat_map(|((_, normal), (_, tangent))| [normal.to_array(), tangent.to_array()])
    });
    let deltas = deltas.flatten().map(f32::to_bits);
    let moved = morph_flags::NORMALS | morph_flags::TANGENTS;
    let header = [moved, 6, 5, u32::MAX, 5 + 6 * cases.len() as u32];
    let deltas: Vec<u32> = header.into_iter().chain(deltas).collect();
    let zeros = vec![0_u8; 32 * cases.len()];
    let results = buffer(&zeros, storage | wgpu::BufferUsages::COPY_SRC);
    let back = buffer(
        &zeros,
        wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
    );
    let groups: [&[(u32, wgpu::Buffer)]; 4] = [
        &[
            (20, buffer(bytemuck::cast_slice(&numbers), storage)),
            (21, results.clone()),
        ],
        &[(1, buffer(bytemuck::cast_slice(&morphs), storage))],
        &[],
        &[(1, buffer(bytemuck::cast_slice(&deltas), storage))],
    ];
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    for (group, buffers) in (0..).zip(groups) {
        let entries = buffers.iter();
        let entries: Vec<_> = entries
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("directions"),
            layout: &pipeline.get_bind_group_layout(group),
            entries: &entries,
        });
        pass.set_bind_group(group, &bind_group, &[]);
    }
    pass.dispatch_workgroups(cases.len() as u32, 1, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&results, 0, &back, 0, 32 * cases.len() as u64);
    gpu.queue.submit([encoder.finish()]);
    back.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    assert_eq!(gpu.first_error(), None);
    let mapped = back.get_mapped_range(..).unwrap();
    let rows: Vec<[[f32; 4]; 2]> = bytemuck::pod_collect_to_vec(&mapped);
    rows.into_iter()
        .map(|both| both.map(Vec4::from_array))
        .collect()
}

#[test]
fn directions_turn_as_their_twins_do() {
    let Some(gpu) = gpu() else { return };
    let cases = cases();
    let (targets, morphs) = targets(cases.len());
    let found = by_shader(&gpu, &cases);
    for (vertex, (case, [normal, tangent])) in cases.iter().zip(found).enumerate() {
        let expected = morph_normal(case.normal, vertex, &targets, &morphs);
        let expected = unit_or_zero(transform_normal(&case.matrix, expected));
        assert!((expected.length() - 1.0).abs() < 1e-5, "{vertex}");
        let error = normal.truncate().distance(expected);
        assert!(error < 1e-4, "normal {vertex}: {normal}, not {expected}");
        let expected = morph_tangent(case.tangent, vertex, &targets, &morphs);
        let expected = unit_or_zero(transform_vector(&case.matrix, expected));
        let error = tangent.truncate().distance(expected);
        assert!(error < 1e-4, "tangent {vertex}: {tangent}, not {expected}");
        // Those of the third and fourth shape. What is flat, of the last, has no sides, however it was rounded.
        let mirrors = (10..20).contains(&vertex);
        assert_eq!(normal.w == 1.0, mirrors, "{vertex}");
        assert_eq!(is_mirroring(&case.matrix), mirrors, "{vertex}");
    }
}
