//! How much of the motion of a file is looked at where all of its clips are asked for: none keeps that busy.

use crate::{anim::PaletteLayout, model::Model};

/// Placements of nodes that the analysis of all clips computes: a second's work, and a hundred times what most files need.
const MAX_PLACEMENTS: usize = 1 << 22;
/// Poses that the analysis of any clip computes, however short it is: its ends, and the seam between them.
const MIN_POSES: usize = 4;

/// Weights of morph targets that cost the analysis as much as a node.
const WEIGHTS_A_PLACEMENT: usize = 2;

/// What the analysis of each clip of a model may compute where that of all clips is waited for.
#[derive(Debug, Clone, Copy)]
pub struct AnalysisLimit {
    /// Placements that a pose costs: nodes, matrices, weights.
    of_pose: usize,
    clips: usize,
}

impl AnalysisLimit {
    /// That of a model, all of whose nodes `layout` places.
    pub fn of(model: &Model, layout: &PaletteLayout) -> Self {
        let weights = model.hierarchy.rest_weights().len() / WEIGHTS_A_PLACEMENT;
        Self {
            of_pose: model.hierarchy.len() + layout.matrices_per_instance() + weights,
            clips: model.clips.len(),
        }
    }

    /// Placements that the analysis of a clip may compute; none if those before it have taken all.
    pub fn placements(self, clip: usize) -> Option<usize> {
        let before = clip.saturating_mul(MIN_POSES.saturating_mul(self.of_pose));
        (before <= MAX_PLACEMENTS).then(|| MAX_PLACEMENTS / self.clips.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, Hierarchy, Node};

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
