//! Poses a crowd so many times and says for how many joints: what `scripts/instructions` counts the instructions of.
//!
//!     rigscope-instructions crowd FILE.glb FRAMES     a thousand instances of up to three clips, 8 at a time
//!     rigscope-instructions morphs TARGETS FRAMES     a thousand faces with so many morph targets, of which 4 are on

#![allow(
    dead_code,
    missing_docs,
    unused_imports,
    reason = "only a part of the modules is used here"
)]

#[path = "../../../src/anim/mod.rs"]
pub mod anim;
#[path = "../../../src/model/mod.rs"]
pub mod model;

mod read;

use std::{env, hint::black_box};

use anim::{
    PaletteLayout, PaletteMatrix,
    crowd::{CrowdClip, Member},
    to_palette_matrix,
};
use glam::{Affine3A, Vec3};
use model::{ClipBuilder, Hierarchy, Interpolation, Mesh, Model, Node, NodeId, Timeline};

const INSTANCES: usize = 1000;
const ON: usize = 4;

fn crowd(model: &Model, frames: usize) -> usize {
    let layout = PaletteLayout::of_all_nodes(model);
    let stride = layout.matrices_per_instance();
    let clips = model.clips.len().clamp(1, 3);
    let troupe = |clip: usize| {
        let duration = f64::from(model.clips[clip].duration_secs());
        let member = |index: usize| Member {
            // The golden ratio spreads phases evenly and in no order.
            time_secs: (index as f64 * 0.618_033_988_75).fract() * duration,
            world_from_root: to_palette_matrix(&Affine3A::from_translation(Vec3::new(
                (index % 32) as f32,
                0.0,
                (index / 32) as f32,
            ))),
        };
        let members: Vec<_> = (0..INSTANCES / clips).map(member).collect();
        (
            CrowdClip::new(model, &layout, Some(clip)).with_lanes(8),
            members,
        )
    };
    let troupes: Vec<_> = (0..clips).map(troupe).collect();
    let members: usize = troupes.iter().map(|(_, members)| members.len()).sum();
    let mut matrices = vec![PaletteMatrix::default(); members * stride];
    for _ in 0..frames {
        let mut rest = &mut matrices[..];
        for (clip, members) in &troupes {
            let (own, others) = rest.split_at_mut(members.len() * stride);
            clip.pose(model, members, own);
            rest = others;
        }
        black_box(&matrices);
    }
    let joints: usize = layout
        .skins()
        .iter()
        .map(|skin| skin.joint_count as usize)
        .sum();
    joints * members
}

/// A face whose first targets swing between on and half on; the others stay off.
fn face(targets: usize) -> Model {
    let node = Node {
        mesh: Some(0),
        ..Node::default()
    };
    let hierarchy = Hierarchy::new(vec![node], &[None], &[vec![0.0; targets]])
        .unwrap_or_else(|_| unreachable!("one node is a hierarchy"));
    let keys = 50;
    let mut clip = ClipBuilder::new("face");
    let times = (0..keys).map(|key| key as f32 / 24.0).collect();
    let timeline = Timeline::new(times).unwrap_or_else(|_| unreachable!("times are in order"));
    let timeline = clip.timeline(timeline);
    let weight = |index: usize| {
        let (key, target) = (index / targets, index % targets);
        if target < ON {
            1.0 - 0.5 * (key % 2) as f32
        } else {
            0.0
        }
    };
    let weights: Vec<_> = (0..keys * targets).map(weight).collect();
    clip.weights(NodeId(0), timeline, Interpolation::Linear, targets, weights)
        .unwrap_or_else(|_| unreachable!("as many weights as there are targets"));
    Model {
        hierarchy,
        meshes: vec![Mesh::default()].into(),
        clips: vec![clip.finish()],
        ..Model::default()
    }
}

fn morphs(targets: usize, frames: usize) -> usize {
    let model = face(targets);
    let clip = CrowdClip::new(&model, &PaletteLayout::of_all_nodes(&model), Some(0));
    let mut on = Vec::with_capacity(INSTANCES * ON);
    for _ in 0..frames {
        on.clear();
        for index in 0..INSTANCES {
            let time = (index as f64 * 0.618_033_988_75).fract() * 2.0;
            clip.describe(&model, 0, time, &mut on);
        }
        black_box(&on);
    }
    on.len().max(INSTANCES)
}

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse().expect("a number of frames or targets");
    let count = match words[..] {
        ["crowd", path, frames] => crowd(&read::model(path), number(frames)),
        ["morphs", targets, frames] => morphs(number(targets), number(frames)),
        _ => panic!("crowd FILE FRAMES, or morphs TARGETS FRAMES"),
    };
    println!("{count}");
}
