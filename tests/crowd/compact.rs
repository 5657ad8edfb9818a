//! Compact palettes: beside full ones, where they are used, and on the GPU.

use glam::{Affine3A, Quat, Vec3};
use rigscope::{
    anim::{
        CompactMatrix, InstanceRecord, Palette, PaletteForm, PaletteLayout, PaletteMatrix,
        Skinning,
        crowd::{CrowdClip, Member},
        from_compact, skinning, to_affine, to_compact, to_palette_matrix,
    },
    model::{Clip, Model},
    render::PoseVertices,
    scene::{Crowd, FormChoice, Repertoire},
};

use super::{LANES, chains::chain, crowd, plain, written};
use crate::common::gpu;

/// The matrices of a clip by its compact steps, as three rows each; none if they would not say the same, or not nearly.
pub fn compact_crowd(
    model: &Model,
    layout: &PaletteLayout,
    clip: Option<usize>,
    members: &[Member],
    lanes: usize,
    is_asked_for: bool,
) -> Option<Vec<PaletteMatrix>> {
    let says = clip.map(|clip| CrowdClip::form_of(model, layout, clip));
    let clip = CrowdClip::new(model, layout, clip).with_lanes(lanes);
    // What `info` says of a clip is what crowds do.
    let is_compact = says.map(|form| form == PaletteForm::Compact);
    assert!(is_compact.is_none_or(|says| clip.is_compact(false) == says));
    if !clip.is_compact(is_asked_for) {
        return None;
    }
    let compact = |member: &Member| {
        Some(Member {
            time_secs: member.time_secs,
            world_from_root: to_compact(&to_affine(&member.world_from_root))?,
        })
    };
    let members = members.iter().map(compact).collect::<Option<Vec<_>>>()?;
    let count = layout.matrices_per_instance() * members.len();
    let mut matrices = vec![CompactMatrix::default(); count];
    let out: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut matrices);
    clip.write_compact(model, &members, out);
    Some(matrices.iter().map(from_compact).collect())
}

/// Members all over a clip, each somewhere else, turned and scaled.
fn scattered(count: usize) -> Vec<Member> {
    let member = |index: usize| {
        let seed = index as f32;
        let place = Affine3A::from_scale_rotation_translation(
            Vec3::splat(0.5 + 0.1 * (index % 9) as f32),
            Quat::from_rotation_y(seed) * Quat::from_rotation_x(0.3 * seed),
            Vec3::new(seed.sin(), 0.2 * seed, seed.cos()),
        );
        Member {
            time_secs: 0.037 * f64::from(seed),
            world_from_root: to_palette_matrix(&place),
        }
    };
    (0..count).map(member).collect()
}

fn off(a: &[PaletteMatrix], b: &[PaletteMatrix]) -> f32 {
    assert_eq!(a.len(), b.len());
    let rows = a.iter().flatten().zip(b.iter().flatten());
    rows.map(|(a, b)| (*a - *b).abs().max_element())
        .fold(0.0, f32::max)
}

#[test]
fn places_that_turn_and_scale_are_composed_as_matrices_are() {
    let model = chain(12, vec![Clip::default()]);
    let layout = PaletteLayout::of_all_nodes(&model);
    for count in [1, 7, 16, 37] {
        let members = scattered(count);
        for lanes in LANES {
            let full = crowd(&model, &layout, None, &members, lanes);
            let compact = compact_crowd(&model, &layout, None, &members, lanes, false).unwrap();
            let off = off(&full, &compact);
            assert!(off < 2e-5, "{count} members, {lanes} lanes: {off:e}");
        }
    }
}

#[test]
fn what_is_nearly_even_is_compact_only_if_that_is_asked_for() {
    for (by, is_near) in [(0.0, true), (5e-6, true), (1e-3, false)] {
        let mut model = chain(4, vec![Clip::default()]);
        model.skins[0].joint_from_mesh[2] *= Affine3A::from_scale(Vec3::new(1.0, 1.0 + by, 1.0));
        let layout = PaletteLayout::of_all_nodes(&model);
        let clip = CrowdClip::new(&model, &layout, None);
        assert_eq!(clip.is_compact(true), is_near, "{by}");
        assert_eq!(clip.is_compact(false), by == 0.0, "{by}");
        let members = scattered(20);
        let full = crowd(&model, &layout, None, &members, 8);
        if let Some(compact) = compact_crowd(&model, &layout, None, &members, 8, true) {
            let off = off(&full, &compact);
            assert!(off < 1e-4 + 1e-5, "{by}: {off:e}");
        }
        let crowd = || Crowd::on_field(&model, &layout, None, Repertoire::All, 9, |_| None);
        let form = |choice| crowd().with_form(choice).form();
        assert_eq!(form(FormChoice::Full), PaletteForm::Full);
        let expected = |is_compact| {
            if is_compact {
                PaletteForm::Compact
            } else {
                PaletteForm::Full
            }
        };
        assert_eq!(form(FormChoice::Auto), expected(by == 0.0));
        assert_eq!(form(FormChoice::Compact), expected(is_near));
    }
    let mut mirrored = chain(4, vec![Clip::default()]);
    mirrored.skins[0].joint_from_mesh[2] *= Affine3A::from_scale(Vec3::NEG_ONE);
    let layout = PaletteLayout::of_all_nodes(&mirrored);
    assert!(!CrowdClip::new(&mirrored, &layout, None).is_compact(true));
}

/// What crowds write goes to the GPU without a stop: nothing of it is left in the palette, and it is as if the exact
/// evaluator had posed everybody alone.
#[test]
fn the_gpu_gets_what_the_plain_evaluator_would_give_it() {
    let Some(gpu) = gpu() else { return };
    let mut poser = PoseVertices::new(&gpu).unwrap();
    for (name, skinning_way, choice) in [
        ("Pip", Skinning::Linear, FormChoice::Full),
        ("Pip", Skinning::Linear, FormChoice::Compact),
        ("Pip", Skinning::DualQuaternion, FormChoice::Full),
        ("Pip", Skinning::DualQuaternion, FormChoice::Compact),
        ("Windmill", Skinning::Linear, FormChoice::Auto),
    ] {
        let model = rigscope::app::built_in::load(name).unwrap().model;
        let layout = PaletteLayout::new(&model, model.default_scene);
        let mut crowd =
            Crowd::on_field(&model, &layout, None, Repertoire::All, 30, |_| None).with_form(choice);
        let mut palette = Palette::default();
        palette.set_skinning(skinning_way);
        crowd.pose(&model, &layout, 0.0, None, &mut palette);
        palette.find_rotations();
        let needs_rotations =
            skinning_way == Skinning::DualQuaternion && crowd.form() == PaletteForm::Full;
        assert_eq!(palette.matrices().is_empty(), !needs_rotations);
        println!("{name}, {choice:?}: {:?}", crowd.form());
        poser.set_crowd(&gpu, &model, &layout, &palette, &crowd);
        let size = crowd.bounds().diagonal();
        for index in [0, 29] {
            let individual = &crowd.individuals()[index];
            let member = Member {
                time_secs: individual.phase_secs,
                world_from_root: to_palette_matrix(&individual.world_from_root),
            };
            let mut alone = plain(&model, &layout, individual.clip, &[member]);
            alone.set_skinning(skinning_way);
            alone.find_rotations();
            for (place, placement) in layout.placements().iter().enumerate() {
                let (here, there): (&InstanceRecord, _) =
                    (alone.record(place, 0), palette.record(place, index));
                for primitive in &model.meshes[placement.mesh].primitives {
                    let is_skinned = placement.skin.is_some();
                    let found = poser.positions(&gpu, primitive, there, is_skinned).unwrap();
                    let mut expected = Vec::new();
                    skinning::for_each_posed_position(primitive, &alone, here, is_skinned, |at| {
                        expected.push(at);
                    });
                    let pairs = found.iter().zip(&expected);
                    let off = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                    assert_eq!(found.len(), expected.len());
                    assert!(off < 1e-5 * size, "{name} {choice:?} {index}: {off:e}");
                }
            }
        }
        assert_eq!(
            written(&crowd, &model, &layout).len(),
            30 * layout.matrices_per_instance()
        );
    }
}
