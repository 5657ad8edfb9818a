//! Crowds against the plain evaluator: sample, concatenate, bind, write 48 bytes a matrix, one thread, all nodes.
//!
//! Nanoseconds depend on the machine and on what else it does, ratios hardly: both are timed in turn, in fresh processes,
//! and the median of all rounds counts. Every round is printed.
//!
//!     cargo bench --bench crowd                      the built-in model; with RIGSCOPE_CORPUS the Fox and others
//!     cargo bench --bench crowd -- FILE ...          these models
//!     cargo bench --bench crowd -- --work FILE LANES TIMES   poses 1000 instances TIMES times and says nothing: for callgrind

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a bench that cannot run shall stop"
)]

mod plain;
mod rig;

use std::{
    env,
    hint::black_box,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use glam::{Affine3A, Vec3};
use rigscope::{
    anim::{
        CompactMatrix, PaletteLayout, PaletteMatrix,
        crowd::{CrowdClip, Member},
        to_affine, to_compact, to_palette_matrix,
    },
    model::Model,
};

const ROUNDS: usize = 9;
const INSTANCES: usize = 1000;
const LANES: [usize; 3] = [4, 8, 16];
/// Models of the corpus that are measured if it is there.
const OF_CORPUS: [&str; 5] = [
    "khronos-samples/Fox/glTF-Binary/Fox.glb",
    "kaykit/Characters/gltf/Knight.glb",
    "khronos-samples/CesiumMan/glTF-Binary/CesiumMan.glb",
    // Many matrices for few joints: where a thousand instances outgrow the second-level cache, writing bounds all widths.
    "raylib/robot.glb",
    "quaternius/cyberpunk_pack/Character.glb",
];

/// Instances of up to three clips, at phases of their own.
struct Stage {
    model: Model,
    layout: PaletteLayout,
    troupes: Vec<(usize, Vec<Member>)>,
    matrices: Vec<PaletteMatrix>,
    one_thread: rayon::ThreadPool,
}

impl Stage {
    fn new(path: &str, instances: usize) -> Self {
        let model = match path {
            rig::NAME => rig::make(),
            path => rigscope::cli::load(Path::new(path)).unwrap().model,
        };
        let layout = PaletteLayout::of_all_nodes(&model);
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
            (clip, (0..instances / clips).map(member).collect::<Vec<_>>())
        };
        let troupes: Vec<_> = (0..clips).map(troupe).collect();
        let count: usize = troupes.iter().map(|(_, members)| members.len()).sum();
        let matrices = vec![PaletteMatrix::default(); count * layout.matrices_per_instance()];
        Self {
            model,
            layout,
            troupes,
            matrices,
            one_thread: rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .unwrap(),
        }
    }

    /// Joints of all instances; of rigid models, the meshes.
    fn joints(&self) -> usize {
        let instances = self.troupes.iter().map(|(_, members)| members.len());
        let in_skins = self
            .layout
            .skins()
            .iter()
            .map(|slot| slot.joint_count as usize);
        let joints = match in_skins.sum() {
            0 => self.layout.matrices_per_instance(),
            joints => joints,
        };
        instances.sum::<usize>() * joints
    }

    fn baked(&self, lanes: usize) -> Vec<CrowdClip> {
        let bake = |(clip, _): &(usize, Vec<Member>)| {
            CrowdClip::new(&self.model, &self.layout, Some(*clip)).with_lanes(lanes)
        };
        self.troupes.iter().map(bake).collect()
    }

    fn pose_crowd(&mut self, baked: &[CrowdClip], on_all_threads: bool) {
        let mut rest = &mut self.matrices[..];
        for ((_, members), baked) in self.troupes.iter().zip(baked) {
            let length = members.len() * self.layout.matrices_per_instance();
            let (matrices, others) = rest.split_at_mut(length);
            if on_all_threads {
                let out: &mut [[f32; 4]] = bytemuck::cast_slice_mut(matrices);
                baked.write(&self.model, members, out);
            } else {
                baked.pose(&self.model, members, matrices);
            }
            rest = others;
        }
        black_box(&self.matrices);
    }

    /// Poses the crowd in compact form, on the one thread of a pool; nothing where a clip has none.
    fn pose_compact(
        &self,
        baked: &[CrowdClip],
        members: &[Vec<Member<CompactMatrix>>],
        matrices: &mut [CompactMatrix],
    ) {
        let mut rest = &mut matrices[..];
        for (members, baked) in members.iter().zip(baked) {
            let length = members.len() * self.layout.matrices_per_instance();
            let (own, others) = rest.split_at_mut(length);
            let out: &mut [[f32; 4]] = bytemuck::cast_slice_mut(own);
            self.one_thread
                .install(|| baked.write_compact(&self.model, members, out));
            rest = others;
        }
        black_box(matrices);
    }

    fn compact_members(&self) -> Vec<Vec<Member<CompactMatrix>>> {
        let compact = |member: &Member| Member {
            time_secs: member.time_secs,
            world_from_root: to_compact(&to_affine(&member.world_from_root)).unwrap(),
        };
        let troupes = self.troupes.iter();
        troupes
            .map(|(_, members)| members.iter().map(compact).collect())
            .collect()
    }

    fn pose_plain(&mut self, plain: &mut plain::Plain) {
        let stride = self.layout.matrices_per_instance();
        let mut shares = self.matrices.chunks_mut(stride);
        for (clip, members) in &self.troupes {
            for (member, share) in members.iter().zip(&mut shares) {
                plain.pose(
                    *clip,
                    member.time_secs,
                    to_affine(&member.world_from_root),
                    share,
                );
            }
        }
        black_box(&self.matrices);
    }

    /// Goes on by a frame, or to moments anywhere.
    fn advance(&mut self, seek: bool, frame: usize) {
        for (clip, members) in &mut self.troupes {
            let duration = f64::from(self.model.clips[*clip].duration_secs());
            for (index, member) in members.iter_mut().enumerate() {
                let time = if seek {
                    ((index * 7919 + frame * 104_729) as f64 * 0.618_033_988_75).fract() * duration
                } else {
                    member.time_secs + 1.0 / 60.0
                };
                member.time_secs = if time < duration {
                    time
                } else {
                    time - duration
                };
            }
        }
    }
}

/// The shortest of several runs, in nanoseconds a joint.
fn time(joints: usize, mut run: impl FnMut(usize)) -> f64 {
    let mut best = Duration::MAX;
    for frame in 0..12 {
        let started = Instant::now();
        run(frame);
        best = best.min(started.elapsed());
    }
    best.as_secs_f64() * 1e9 / joints as f64
}

/// One round, in a process of its own: figures in the order of `COLUMNS`.
fn round(path: &str) {
    let mut stage = Stage::new(path, INSTANCES);
    let joints = stage.joints();
    let mut plain = plain::Plain::new(&stage.model, &stage.layout);
    let mut figures = vec![time(joints, |_| stage.pose_plain(&mut plain))];
    for lanes in LANES {
        let baked = stage.baked(lanes);
        figures.push(time(joints, |_| stage.pose_crowd(&baked, false)));
    }
    let baked = stage.baked(16);
    let members = stage.compact_members();
    let mut matrices = vec![CompactMatrix::default(); stage.matrices.len()];
    let has_compact = baked.iter().all(|baked| baked.is_compact(true));
    figures.push(if has_compact {
        time(joints, |_| {
            stage.pose_compact(&baked, &members, &mut matrices);
        })
    } else {
        f64::NAN
    });
    let baked = stage.baked(8);
    for seek in [false, true] {
        let mut all = Duration::ZERO;
        for frame in 0..24 {
            stage.advance(seek, frame);
            let started = Instant::now();
            stage.pose_crowd(&baked, false);
            all += started.elapsed();
        }
        figures.push(all.as_secs_f64() * 1e9 / (24 * joints) as f64);
    }
    let mut stage = Stage::new(path, 10 * INSTANCES);
    let joints = stage.joints();
    let baked = stage.baked(16);
    figures.push(time(joints, |_| stage.pose_crowd(&baked, false)));
    figures.push(time(joints, |_| stage.pose_crowd(&baked, true)));
    let figures: Vec<_> = figures
        .iter()
        .map(|figure| format!("{figure:.3}"))
        .collect();
    println!("{}", figures.join(" "));
}

const COLUMNS: [&str; 9] = [
    "plain",
    "4 lanes",
    "8 lanes",
    "best",
    "compact",
    "8, playback",
    "8, seek",
    "best, N = 10,000",
    "the same, all threads",
];

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn compare(path: &str) {
    let stage = Stage::new(path, 3);
    let per_instance = stage.joints() / stage.troupes.iter().map(|(_, m)| m.len()).sum::<usize>();
    let name = Path::new(path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    println!(
        "\n{name}: {} nodes, {per_instance} joints; nanoseconds a joint",
        stage.model.hierarchy.len()
    );
    println!("  {}", COLUMNS.join(" | "));
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    for _ in 0..ROUNDS {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--round", path])
            .output()
            .unwrap();
        let line = String::from_utf8(output.stdout).unwrap();
        println!("  {}", line.trim());
        rounds.push(
            line.split_whitespace()
                .map(|figure| figure.parse().unwrap())
                .collect(),
        );
    }
    let column = |index: usize| median(rounds.iter().map(|round| round[index]).collect());
    let ratio =
        |a: usize, b: usize| median(rounds.iter().map(|round| round[a] / round[b]).collect());
    let medians: Vec<_> = (0..COLUMNS.len())
        .map(|index| format!("{:.2}", column(index)))
        .collect();
    println!("  medians: {}", medians.join(" "));
    println!(
        "  times the plain evaluator: {:.2} (4 lanes), {:.2} (8), {:.2} (best), {:.2} (compact); seek / playback {:.3}; N = 10,000 / 1,000 {:.3}; all threads {:.2} x",
        ratio(0, 1),
        ratio(0, 2),
        ratio(0, 3),
        ratio(0, 4),
        ratio(6, 5),
        ratio(7, 3),
        ratio(7, 8),
    );
}

fn main() {
    let arguments: Vec<String> = env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--round", path] => round(path),
        ["--work", path, lanes, times] => {
            let mut stage = Stage::new(path, INSTANCES);
            let baked = stage.baked(lanes.parse().unwrap());
            for _ in 0..times.parse().unwrap() {
                stage.pose_crowd(&baked, false);
            }
            println!("{}", stage.joints());
        }
        [] => {
            compare("builtin:Pip");
            compare(rig::NAME);
            if let Some(corpus) = env::var_os("RIGSCOPE_CORPUS") {
                for file in OF_CORPUS {
                    let path = Path::new(&corpus).join("files").join(file);
                    compare(path.to_str().unwrap());
                }
            }
        }
        _ => words.into_iter().for_each(compare),
    }
}
