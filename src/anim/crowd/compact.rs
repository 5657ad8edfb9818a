//! The steps of a program where every matrix turns, shifts and scales evenly: quaternions instead of matrices.
//!
//! Tables, spans and frames are those of the full program (see [`super::bake`]): frames change basis by turns and even
//! scales, so what is a turn and an even scale stays one. Who wants these steps must know that scales that move are even:
//! see [`crate::anim::evenness`].

use glam::{DMat3, Vec3};

use super::program::{Bind, Linear, Motion, Next, Outputs, Run, Step, Translation};
use crate::anim::{compact::nearly_even, evenness::MAX_TOLERATED};

/// A run of nodes, as [`Run`].
#[derive(Debug, Default)]
pub(super) struct CompactRun {
    pub motions: Vec<Motion>,
    pub steps: Vec<CompactStep>,
}

/// Concatenates one node with its parent and writes its matrices, as [`Step`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CompactStep {
    pub rotation: Rotation,
    pub scale: Scale,
    pub translation: Translation,
    pub depth: u32,
    pub has_children: bool,
    pub outputs: Vec<CompactOutput>,
}

/// The rotation of a node's local matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rotation {
    Fixed([f32; 4]),
    /// Quaternion in this local slot.
    Moving(u32),
}

/// The scale of a node's local matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    One,
    Fixed(f32),
    /// Behind the quaternion in this local slot.
    Moving(u32),
}

/// What is written from a node, and where to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CompactOutput {
    pub place: u32,
    pub bind: CompactBind,
    pub next: Next,
}

/// `node_from_mesh`, seen from the node's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CompactBind {
    /// The identity.
    None,
    /// A translation.
    Point([f32; 3]),
    /// Any of them.
    Any {
        rotation: [f32; 4],
        scale: f32,
        point: [f32; 3],
    },
}

/// The compact form of a program's runs; none if a constant of it has no compact form.
pub(super) fn compact(runs: &[Run]) -> Option<Vec<CompactRun>> {
    runs.iter().map(compact_run).collect()
}

fn compact_run(run: &Run) -> Option<CompactRun> {
    let motions = run.motions.iter().copied();
    // Constant rotations are part of their steps.
    let motions = motions.filter(|motion| !matches!(motion, Motion::Fixed { .. }));
    let steps = run.steps.iter().map(|step| compact_step(run, step));
    Some(CompactRun {
        motions: motions.collect(),
        steps: steps.collect::<Option<_>>()?,
    })
}

fn compact_step(run: &Run, step: &Step) -> Option<CompactStep> {
    let (rotation, scale) = match &step.linear {
        Linear::Fixed(matrix) => {
            let (rotation, scale) = from_rows(matrix)?;
            let is_one = scale == 1.0;
            let scale = if is_one {
                Scale::One
            } else {
                Scale::Fixed(scale)
            };
            (Rotation::Fixed(rotation), scale)
        }
        Linear::Moving(slot) => slot_parts(run, *slot)?,
    };
    let outputs = match &step.outputs {
        Outputs::None => &[],
        Outputs::One(one) => std::slice::from_ref(one),
        Outputs::Many(many) => &many[..],
    };
    let output = |output: &super::program::Output| {
        Some(CompactOutput {
            place: output.place,
            bind: compact_bind(&output.bind)?,
            next: output.next,
        })
    };
    Some(CompactStep {
        rotation,
        scale,
        translation: step.translation,
        depth: step.depth,
        has_children: step.has_children,
        outputs: outputs.iter().map(output).collect::<Option<_>>()?,
    })
}

/// What fills a local slot, as rotation and scale; none if one of both has no compact form.
fn slot_parts(run: &Run, wanted: u32) -> Option<(Rotation, Scale)> {
    let (mut rotation, mut scale) = (Rotation::Moving(wanted), Scale::One);
    for motion in &run.motions {
        match motion {
            Motion::Fixed { matrix, slot } if *slot == wanted => {
                let (fixed, factor) = from_rows(matrix)?;
                // A factor would have to be multiplied by what moves.
                if f64::from((factor - 1.0).abs()) > MAX_TOLERATED {
                    return None;
                }
                rotation = Rotation::Fixed(fixed);
            }
            Motion::Stretch { slot, .. } if *slot == wanted => scale = Scale::Moving(*slot),
            _ => {}
        }
    }
    Some((rotation, scale))
}

fn compact_bind(bind: &Bind) -> Option<CompactBind> {
    let identity = [0.0, 0.0, 0.0, 1.0];
    Some(match *bind {
        Bind::None => CompactBind::None,
        Bind::Point(point) => CompactBind::Point(point),
        Bind::Scaled(scale, point) if scale > 0.0 => CompactBind::Any {
            rotation: identity,
            scale,
            point,
        },
        Bind::Scaled(..) => return None,
        Bind::Affine([[a, b, c, x], [d, e, f, y], [g, h, i, z]]) => {
            let (rotation, scale) = from_rows(&[a, b, c, d, e, f, g, h, i])?;
            CompactBind::Any {
                rotation,
                scale,
                point: [x, y, z],
            }
        }
    })
}

/// Rotation and even scale of a 3×3 matrix, row by row.
fn from_rows(rows: &[f32; 9]) -> Option<([f32; 4], f32)> {
    let [x, y, z] = [0, 1, 2].map(|row| Vec3::from_slice(&rows[3 * row..]).as_dvec3());
    let (rotation, scale, off) = nearly_even(DMat3::from_cols(x, y, z).transpose())?;
    let is_even = off <= MAX_TOLERATED;
    is_even.then(|| (rotation.as_quat().to_array(), scale as f32))
}
