//! What a run over the corpus found: worst errors, what was skipped and why, failures.

use super::compare::{Deviation, raise};
use super::corpus::Entry;
use super::file::PLACEHOLDER;

/// In parts of the model's size.
const MATRIX_TOLERANCE: f64 = 1e-5;
pub const VERTEX_TOLERANCE: f64 = 1e-4;
/// Morph weights have no size.
const WEIGHT_TOLERANCE: f64 = 1e-5;

/// Worst values of all files, each with the pose that has it, and everything that went wrong.
#[derive(Default)]
pub struct Summary {
    pub files: usize,
    pub clips: usize,
    poses: usize,
    undefined_vertices: usize,
    worst: [(f64, String); 5],
    skipped: Vec<String>,
    pub failures: Vec<String>,
}

const KINDS: [(&str, f64); 5] = [
    ("world matrix", MATRIX_TOLERANCE),
    ("joint matrix", MATRIX_TOLERANCE),
    ("vertex", VERTEX_TOLERANCE),
    ("bounds", VERTEX_TOLERANCE),
    ("morph weight", WEIGHT_TOLERANCE),
];

fn by_kind(deviation: &Deviation) -> [f64; 5] {
    [
        deviation.world,
        deviation.joint,
        deviation.vertex,
        deviation.bounds,
        deviation.weight,
    ]
}

pub fn too_far(deviation: &Deviation) -> Option<String> {
    let kinds = KINDS.iter().zip(by_kind(deviation));
    let bad: Vec<String> = kinds
        .filter(|((_, limit), error)| error.is_nan() || error > limit)
        .map(|((kind, _), error)| format!("{kind} off by {error:.2e}"))
        .collect();
    (!bad.is_empty()).then(|| bad.join(", "))
}

impl Summary {
    pub fn add(&mut self, pose_name: &str, result: Result<Deviation, String>) {
        self.poses += 1;
        match result {
            Err(error) => self.failures.push(format!("{pose_name}: {error}")),
            Ok(deviation) => {
                if let Some(error) = too_far(&deviation) {
                    self.failures.push(format!("{pose_name}: {error}"));
                }
                for (worst, error) in self.worst.iter_mut().zip(by_kind(&deviation)) {
                    let before = worst.0;
                    raise(&mut worst.0, error);
                    if worst.0.to_bits() != before.to_bits() {
                        worst.1 = pose_name.to_owned();
                    }
                }
                self.undefined_vertices += deviation.undefined_vertices;
            }
        }
    }

    /// Skipping needs the validator's word: an error of the file, else the reference itself is at fault.
    pub fn skip(&mut self, entry: &Entry, what: &str, reason: &str) {
        self.skipped.push(format!("{}{what}: {reason}", entry.name));
        if entry.is_valid && !reason.ends_with(PLACEHOLDER) {
            self.failures.push(format!(
                "{}{what}: valid, but the reference says: {reason}",
                entry.name
            ));
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.files += other.files;
        self.clips += other.clips;
        self.poses += other.poses;
        self.undefined_vertices += other.undefined_vertices;
        for (worst, (error, name)) in self.worst.iter_mut().zip(other.worst) {
            if error.is_nan() || error > worst.0 {
                *worst = (error, name);
            }
        }
        self.skipped.extend(other.skipped);
        self.failures.extend(other.failures);
    }

    pub fn report(mut self, title: &str) {
        self.skipped.sort();
        self.failures.sort();
        println!(
            "{title}: {} files, {} clips, {} poses",
            self.files, self.clips, self.poses
        );
        for ((kind, limit), (error, name)) in KINDS.iter().zip(&self.worst) {
            println!("  worst {kind}: {error:.2e} of {limit:.0e} in {name}");
        }
        println!(
            "  vertices without a defined position: {}",
            self.undefined_vertices
        );
        self.skipped
            .iter()
            .for_each(|skip| println!("  skipped {skip}"));
        assert!(
            self.failures.is_empty(),
            "{} failures:\n{}",
            self.failures.len(),
            self.failures.join("\n")
        );
        assert!(self.files > 0, "nothing was compared");
    }
}
