//! The crowd evaluator against the double-precision reference, against the plain evaluator, and against itself.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

use std::path::Path;

use glam::Affine3A;
use rigscope::{
    anim::{
        CompactMatrix, Cursors, Palette, PaletteForm, PaletteLayout, PaletteMatrix, Pose,
        crowd::{CrowdClip, Member},
        from_compact, sample, to_palette_matrix,
    },
    model::Model,
    scene::{Crowd, Repertoire},
};

#[path = "crowd/chains.rs"]
mod chains;
mod common;
#[path = "crowd/compact.rs"]
mod compact;
#[allow(dead_code, reason = "tests/pose_reference.rs uses the rest")]
mod reference;
#[path = "crowd/sides.rs"]
mod sides;

use common::folder;
use reference::{
    compare::{matrix_error, raise, region_error, rest_region, size},
    corpus,
    document::{self, Document},
    math::Mat4,
    rng::Rng,
};

const LANES: [usize; 3] = [4, 8, 16];

/// The plain evaluator's matrices.
fn plain(
    model: &Model,
    layout: &PaletteLayout,
    clip: Option<usize>,
    members: &[Member],
) -> Palette {
    let mut palette = Palette::default();
    palette.clear(layout, members.len());
    let (mut pose, mut cursors) = (Pose::new(&model.hierarchy), Cursors::default());
    for member in members {
        pose.reset(&model.hierarchy);
        if let Some(clip) = clip {
            sample(
                &model.clips[clip],
                member.time_secs,
                &mut cursors,
                &mut pose,
            );
        }
        pose.update_world(
            &model.hierarchy,
            rigscope::anim::to_affine(&member.world_from_root),
        );
        palette.push(model, layout, &pose);
    }
    palette
}

fn crowd(
    model: &Model,
    layout: &PaletteLayout,
    clip: Option<usize>,
    members: &[Member],
    lanes: usize,
) -> Vec<PaletteMatrix> {
    let mut matrices =
        vec![PaletteMatrix::default(); layout.matrices_per_instance() * members.len()];
    let clip = CrowdClip::new(model, layout, clip).with_lanes(lanes);
    clip.pose(model, members, &mut matrices);
    matrices
}

/// The matrices that a crowd writes, as three rows each.
fn written(crowd: &Crowd, model: &Model, layout: &PaletteLayout) -> Vec<PaletteMatrix> {
    let count = crowd.in_sight() * layout.matrices_per_instance();
    match crowd.form() {
        PaletteForm::Full => {
            let mut matrices = vec![PaletteMatrix::default(); count];
            let rows = bytemuck::cast_slice_mut(&mut matrices[..]);
            crowd.write::<&mut [[f32; 4]]>(model, layout, rows);
            matrices
        }
        PaletteForm::Compact => {
            let mut matrices = vec![CompactMatrix::default(); count];
            let rows = bytemuck::cast_slice_mut(&mut matrices[..]);
            crowd.write::<&mut [[f32; 4]]>(model, layout, rows);
            matrices.iter().map(from_compact).collect()
        }
    }
}

/// Members at these times, none where the other is.
fn members_at(times: &[f64]) -> Vec<Member> {
    let member = |&time_secs: &f64| Member {
        time_secs,
        world_from_root: to_palette_matrix(&Affine3A::IDENTITY),
    };
    times.iter().map(member).collect()
}

/// Around, on and between the keys of a clip.
fn times(clip: &document::Clip, rng: &mut Rng) -> Vec<f64> {
    let keys = clip.key_times();
    let Some((&first, &last)) = keys.first().zip(keys.last()) else {
        return vec![0.0];
    };
    let mut times = vec![first - 0.5, first, last, last + 1.0];
    for _ in 0..4 {
        times.push(keys[rng.index(keys.len())]);
    }
    for _ in 0..5 {
        times.push(first + f64::from(rng.float(0.0, 1.0)) * (last - first));
    }
    times
}

fn to_mat4(rows: &PaletteMatrix) -> Mat4 {
    let row = |row: usize| rows[row].to_array().map(f64::from);
    let rows = [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]];
    std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]))
}

/// How far the crowd's matrices are from the reference, in parts of the model's size.
fn deviation(
    document: &Document,
    clip: Option<&document::Clip>,
    model: &Model,
    index: Option<usize>,
    times: &[f64],
) -> f64 {
    let layout = PaletteLayout::of_all_nodes(model);
    let stride = layout.matrices_per_instance();
    let poses: Vec<_> = times
        .iter()
        .map(|&time| document.pose(clip, time, true))
        .collect();
    let size = poses.iter().map(size).fold(0.0, f64::max);
    let size = if size > 0.0 { size } else { 1.0 };
    let mut worst = 0.0;
    let members = members_at(times);
    let by_lanes = LANES.into_iter().flat_map(|lanes| {
        let full = crowd(model, &layout, index, &members, lanes);
        let compact = compact::compact_crowd(model, &layout, index, &members, lanes, false);
        [Some(full), compact].into_iter().flatten()
    });
    for matrices in by_lanes {
        for (pose, matrices) in poses.iter().zip(matrices.chunks(stride.max(1))) {
            for placement in layout.placements() {
                let file_index = model.hierarchy.node(placement.node).file_index;
                if let Some(rigid) = placement.rigid {
                    let got = to_mat4(&matrices[rigid as usize]);
                    raise(
                        &mut worst,
                        matrix_error(&got, &pose.world[file_index], size),
                    );
                }
                let Some(slot) = placement.skin else { continue };
                let region = rest_region(document, file_index, size);
                let expected = pose
                    .skins
                    .iter()
                    .find(|(node, skin, _)| (*node, *skin) == (file_index, slot.skin));
                let (_, _, expected) = expected.expect("the reference has the skin");
                for (got, expected) in matrices[slot.first as usize..].iter().zip(expected) {
                    raise(
                        &mut worst,
                        region_error(&to_mat4(got), expected, region, size),
                    );
                }
            }
        }
    }
    worst
}

fn load(path: &Path) -> Option<Model> {
    rigscope::cli::load(path).ok().map(|import| import.model)
}

#[test]
fn every_animated_file_agrees_with_the_reference() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (mut entries, _) = corpus::files(&folder);
    entries.retain(|entry| entry.animated && entry.undefined().is_none());
    let (mut worst, mut files, mut clips) = ((0.0, String::new()), 0, 0);
    let mut compact = [0; 2];
    for entry in &entries {
        let (Ok(document), Some(model)) = (Document::open(&entry.path), load(&entry.path)) else {
            println!("skipped: {}", entry.name);
            continue;
        };
        if document.meshes.iter().any(Result::is_err) {
            println!("skipped: {}: a mesh cannot be read", entry.name);
            continue;
        }
        files += 1;
        for index in 0..document.clip_count() {
            let Ok(clip) = document.clip(index) else {
                println!("skipped: {} clip {index}", entry.name);
                continue;
            };
            clips += 1;
            let baked = CrowdClip::new(&model, &PaletteLayout::of_all_nodes(&model), Some(index));
            for (count, is_asked_for) in compact.iter_mut().zip([false, true]) {
                *count += usize::from(baked.is_compact(is_asked_for));
            }
            let times = times(&clip, &mut Rng::new(index as u64));
            let found = deviation(&document, Some(&clip), &model, Some(index), &times);
            if found > worst.0 || found.is_nan() {
                worst = (found, format!("{} clip {index}", entry.name));
            }
        }
    }
    println!(
        "{files} files, {clips} clips, 13 times: off by {:e} at most, in {}",
        worst.0, worst.1
    );
    let [by_itself, asked_for] = compact;
    println!("compact: {by_itself} clips, {asked_for} if that is asked for");
    assert!(worst.0 <= 1e-5, "{worst:?}");
    assert!(by_itself >= 147, "{by_itself} compact clips");
    assert!(asked_for >= 283, "{asked_for} compact clips");
    assert!(files >= 90, "{files} files");
}

/// Files made up from seeds hold what real files seldom do: all interpolations, odd times, mirrored and uneven scales.
#[test]
fn random_files_agree_with_the_reference() {
    let mut worst = 0.0_f64;
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("crowd_{seed}.gltf"));
        std::fs::write(&path, reference::random::document(&mut rng).to_string()).unwrap();
        let document = Document::open(&path).unwrap();
        let model = load(&path).unwrap();
        for index in 0..document.clip_count() {
            let clip = document.clip(index).unwrap();
            let times = times(&clip, &mut rng);
            raise(
                &mut worst,
                deviation(&document, Some(&clip), &model, Some(index), &times),
            );
        }
        raise(&mut worst, deviation(&document, None, &model, None, &[0.0]));
        std::fs::remove_file(&path).unwrap();
    }
    println!("off by {worst:e} at most");
    assert!(worst <= 1e-5, "{worst:e}");
}

#[test]
fn a_crowd_plays_what_it_is_told_to() {
    let model = rigscope::app::built_in::load("Pip").unwrap().model;
    let layout = PaletteLayout::new(&model, model.default_scene);
    let played = |repertoire| {
        let crowd = Crowd::on_field(&model, &layout, None, repertoire, 12, |_| None);
        let clips = crowd.individuals().iter().map(|individual| individual.clip);
        clips.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(played(Repertoire::All).len(), model.clips.len());
    for clip in [Some(2), None] {
        assert_eq!(played(Repertoire::One(clip)), [clip].into());
    }
}

#[test]
fn everyone_of_a_crowd_is_posed_as_if_alone() {
    let model = rigscope::app::built_in::load("Pip").unwrap().model;
    let layout = PaletteLayout::new(&model, model.default_scene);
    let mut crowd = Crowd::on_field(&model, &layout, None, Repertoire::All, 30, |_| None);
    let mut palette = Palette::default();
    crowd.pose(&model, &layout, 0.0, None, &mut palette);
    assert_eq!(palette.instance_count(), 30);
    let all = written(&crowd, &model, &layout);
    let (stride, mut morphs) = (layout.matrices_per_instance(), 0);
    for (index, individual) in crowd.individuals().iter().enumerate() {
        let member = Member {
            time_secs: individual.phase_secs,
            world_from_root: to_palette_matrix(&individual.world_from_root),
        };
        let alone = plain(&model, &layout, individual.clip, &[member]);
        let matrices = &all[index * stride..][..stride];
        let rows = matrices
            .iter()
            .flatten()
            .zip(alone.matrices().iter().flatten());
        let worst = rows.map(|(a, b)| (*a - *b).abs().max_element());
        assert!(worst.fold(0.0, f32::max) < 1e-5, "individual {index}");
        for placement in 0..layout.placements().len() {
            let of = |palette: &Palette, instance| {
                let on = palette
                    .morphs_of(palette.record(placement, instance))
                    .iter();
                on.map(|morph| morph.target).collect::<Vec<_>>()
            };
            let on = of(&palette, index);
            assert_eq!(on, of(&alone, 0), "individual {index}");
            morphs += on.len();
        }
    }
    assert!(morphs > 0, "some of them make faces");
}

/// A frame of a crowd, and of the model alone, in memory that earlier frames have left.
#[test]
fn a_frame_allocates_nothing() {
    let model = rigscope::app::built_in::load("Pip").unwrap().model;
    let layout = PaletteLayout::new(&model, model.default_scene);
    let sight = rigscope::scene::Sight {
        view: rigscope::scene::OrbitCamera::default().view(1.5),
        to_light: Some(glam::Vec3::new(0.45, 0.74, 0.5).normalize()),
    };
    let mut palette = Palette::default();
    let mut crowd = Crowd::on_field(&model, &layout, None, Repertoire::All, 150, |_| None);
    // Everybody once, so that all buffers have grown; then those in sight.
    crowd.pose(&model, &layout, 0.1, None, &mut palette);
    assert_eq!(palette.instance_count(), 150);
    let mut matrices = written(&crowd, &model, &layout);
    let mut frames = 0;
    let counted = allocation_counter::measure(|| {
        for frame in 0..20 {
            let time = f64::from(frame) * 0.05;
            crowd.pose(&model, &layout, time, Some(&sight), &mut palette);
            let matrices = bytemuck::cast_slice_mut(&mut matrices[..]);
            crowd.write::<&mut [[f32; 4]]>(&model, &layout, matrices);
            frames += usize::from(palette.instance_count() > 0);
        }
    });
    assert_eq!((counted.count_total, frames), (0, 20));

    let mut actor = rigscope::app::Actor::new(model);
    actor.pose_at(Some(1), 0.3);
    let counted = allocation_counter::measure(|| {
        for frame in 0..20 {
            actor.pose_at(Some(1), f64::from(frame) * 0.05);
        }
    });
    assert_eq!(counted.count_total, 0);
}
