//! What a clip does to a node.

use crate::{
    model::{Model, Moved, NodeId, PropertyTarget},
    ui::ChannelRow,
};

/// The channels of a clip that move a node; none without one of the two.
pub(super) fn of_node(
    model: &Model,
    clip: Option<usize>,
    node: Option<NodeId>,
) -> Option<Vec<ChannelRow>> {
    let (clip, node) = (model.clips.get(clip?)?, node?);
    let heads = clip.heads().filter(|head| head.moved.node() == Some(node));
    let rows = heads.map(|head| {
        let timeline = &clip.timelines()[head.timeline];
        ChannelRow {
            path: path(head.moved),
            interpolation: head.interpolation.name(),
            keys: timeline.times_secs().len(),
            secs: [timeline.first_secs(), timeline.last_secs()],
        }
    });
    Some(rows.collect())
}

fn path(moved: Moved) -> String {
    let path = match moved {
        Moved::Translation(_) => "translation",
        Moved::Rotation(_) => "rotation",
        Moved::Scale(_) => "scale",
        Moved::Weights(_) => "weights",
        Moved::Property(PropertyTarget::NodeWeight(_, weight)) => {
            return format!("weights/{weight}");
        }
        // The one other property of a node.
        Moved::Property(_) => "visible",
    };
    path.to_owned()
}
