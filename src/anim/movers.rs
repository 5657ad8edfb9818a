//! Which joints move a primitive, and whether they turn it inside out.

use crate::model::Influences;

/// The joints that move a primitive: the others of its skin say nothing about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Movers {
    /// Places in the skin, in order, each with the sum of the weights that the vertices give it.
    weights: Vec<(usize, f64)>,
}

impl Movers {
    /// Visits every vertex.
    pub fn new(influences: &Influences) -> Self {
        let last = influences
            .joints
            .iter()
            .max()
            .copied()
            .map_or(0, usize::from);
        let mut sums = vec![0.0; last + 1];
        for (&joint, &weight) in influences.joints.iter().zip(&influences.weights) {
            sums[usize::from(joint)] += f64::from(weight);
        }
        let weights = sums.into_iter().enumerate();
        Self {
            weights: weights.filter(|(_, weight)| *weight > 0.0).collect(),
        }
    }

    /// Whether the front of the primitive is on the other side (glTF 2.0 §3.7.4): more than half of what moves it are
    /// joints that mirror.
    pub fn mirror(&self, mirrors: impl Fn(usize) -> bool) -> bool {
        let (mut all, mut mirrored) = (0.0, 0.0);
        for &(joint, weight) in &self.weights {
            all += weight;
            if mirrors(joint) {
                mirrored += weight;
            }
        }
        2.0 * mirrored > all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_joints_with_weight_count_and_by_how_much() {
        let movers = Movers::new(&Influences {
            per_vertex: 4,
            joints: vec![5, 2, 0, 0, 5, 9, 0, 0],
            weights: vec![0.75, 0.25, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0],
        });
        assert_eq!(movers.weights, [(2, 0.25), (5, 1.25), (9, 0.5)]);
        for (mirroring, expected) in [
            (&[0, 1, 3][..], false),
            (&[5], true),
            (&[2, 9], false),
            (&[2, 5, 9], true),
            (&[], false),
        ] {
            let found = movers.mirror(|joint| mirroring.contains(&joint));
            assert_eq!(found, expected, "{mirroring:?}");
        }
        assert!(!Movers::new(&Influences::default()).mirror(|_| true));
    }
}
