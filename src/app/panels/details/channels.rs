//! What a clip does to a node.

use crate::{
    model::{Clip, Interpolation, Model, NodeId, PropertyTarget, Track},
    ui::ChannelRow,
};

/// The channels of a clip that move a node; none without one of the two.
pub(super) fn of_node(
    model: &Model,
    clip: Option<usize>,
    node: Option<NodeId>,
) -> Option<Vec<ChannelRow>> {
    let (clip, node) = (model.clips.get(clip?)?, node?);
    let mut rows = Vec::new();
    let mut add = |path: String, timeline: usize, interpolation| {
        let timeline = &clip.timelines()[timeline];
        rows.push(ChannelRow {
            path,
            interpolation: match interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            },
            keys: timeline.times_secs().len(),
            secs: [timeline.first_secs(), timeline.last_secs()],
        });
    };
    tracks(clip.translations(), "translation", node, &mut add);
    tracks(clip.rotations(), "rotation", node, &mut add);
    tracks(clip.scales(), "scale", node, &mut add);
    tracks(clip.weights(), "weights", node, &mut add);
    properties(clip, node, &mut add);
    Some(rows)
}

fn tracks<T>(
    tracks: &[Track<T>],
    path: &str,
    node: NodeId,
    add: &mut impl FnMut(String, usize, Interpolation),
) {
    for track in tracks.iter().filter(|track| track.node() == node) {
        add(path.to_owned(), track.timeline(), track.interpolation());
    }
}

fn properties(clip: &Clip, node: NodeId, add: &mut impl FnMut(String, usize, Interpolation)) {
    for track in clip.properties() {
        let path = match track.target() {
            PropertyTarget::Visibility(of) if of == node => "visible".to_owned(),
            PropertyTarget::NodeWeight(of, weight) if of == node => format!("weights/{weight}"),
            _ => continue,
        };
        add(path, track.timeline(), track.interpolation());
    }
}
