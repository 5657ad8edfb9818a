//! How much of a file's motion is looked at: no file keeps `info` busy.

use crate::{
    anim::PaletteLayout,
    model::{Clip, Model},
};

/// Placements of nodes that the analysis of all clips computes: a second's work, and a hundred times what most files need.
const MAX_PLACEMENTS: usize = 1 << 22;
/// Poses that the analysis of any clip computes, however short it is: its ends, and the seam between them.
const MIN_POSES: usize = 4;

/// Weights of morph targets that cost the analysis as much as a node.
const WEIGHTS_A_PLACEMENT: usize = 2;

/// What the time of a key takes in a file.
const LEAST_BYTES_A_KEY: usize = 4;
/// Keys of all clips together that a file need not hold one by one, and to so many clips at least.
const MAX_SHARED_KEYS: usize = 1 << 22;
const MIN_CLIPS: usize = 4;

/// What the analysis of each clip of a model may compute.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnalysisLimit {
    /// Placements that a pose costs: nodes, matrices, weights.
    of_pose: usize,
    clips: usize,
}

impl AnalysisLimit {
    /// That of a model.
    pub(super) fn of(model: &Model, layout: &PaletteLayout) -> Self {
        let weights = model.hierarchy.rest_weights().len() / WEIGHTS_A_PLACEMENT;
        Self {
            of_pose: model.hierarchy.len() + layout.matrices_per_instance() + weights,
            clips: model.clips.len(),
        }
    }

    /// Placements that the analysis of a clip may compute; none if those before it have taken all.
    pub(super) fn placements(self, clip: usize) -> Option<usize> {
        let before = clip.saturating_mul(MIN_POSES.saturating_mul(self.of_pose));
        (before <= MAX_PLACEMENTS).then(|| MAX_PLACEMENTS / self.clips.max(1))
    }
}

/// Whether the file holds the keys of a clip, or they are few. Small files can say the same over and over for many nodes: to see
/// which are needed then takes seconds, and to lay them out for crowds a hundred bytes each.
pub(super) fn holds_keys(model: &Model, clip: &Clip) -> bool {
    let held = usize::try_from(model.data_bytes).unwrap_or(usize::MAX) / LEAST_BYTES_A_KEY;
    let share = MAX_SHARED_KEYS / model.clips.len().max(MIN_CLIPS);
    clip.key_count() <= held.max(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Hierarchy, Node};

    #[test]
    fn clips_that_move_thousands_of_weights_take_what_there_is_sooner() {
        let model = |weights: usize| {
            let hierarchy =
                Hierarchy::new(vec![Node::default()], &[None], &[vec![0.0; weights]]).unwrap();
            Model {
                hierarchy,
                clips: vec![Clip::default(); 2000],
                ..Model::default()
            }
        };
        let looked_at = |weights: usize| {
            let model = model(weights);
            let limit = AnalysisLimit::of(&model, &PaletteLayout::of_all_nodes(&model));
            (0..2000)
                .take_while(|&clip| limit.placements(clip).is_some())
                .count()
        };
        assert_eq!(looked_at(0), 2000);
        assert_eq!(looked_at(50), 2000);
        assert!((500..600).contains(&looked_at(4096)));
    }
}
