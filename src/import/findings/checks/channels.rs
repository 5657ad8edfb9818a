//! Channels: a node that they move must not have a matrix (glTF 2.0 §3.11).

use crate::import::json::document::{Document, Section};

use super::{
    Report,
    facts::objects,
    fields::{Fields, Pointer},
};

pub(super) fn check(document: &Document<'_>, report: &mut Report<'_>) {
    let nodes = objects(document, Section::Nodes);
    let has_matrix: Vec<bool> = nodes.map(|node| node.has("matrix")).collect();
    if !has_matrix.contains(&true) {
        return;
    }
    let at = &Pointer::Root.key(Section::Animations.name());
    for (index, animation) in objects(document, Section::Animations).enumerate() {
        let at = &at.item(index);
        let at = &at.key("channels");
        for (place, channel) in animation.list("channels").into_iter().enumerate() {
            let target = Fields::of(channel).unwrap_or_default().object("target");
            let node = target.index("node");
            let has_matrix = node.is_some_and(|node| has_matrix.get(node) == Some(&true));
            let path = target.text("path");
            if has_matrix && matches!(path.as_deref(), Some("translation" | "rotation" | "scale")) {
                let message = "it moves a node that has a matrix";
                let code = "ANIMATION_CHANNEL_TARGET_NODE_MATRIX";
                let at = &at.item(place);
                report.error(code, &at.key("target"), message);
            }
        }
    }
}
