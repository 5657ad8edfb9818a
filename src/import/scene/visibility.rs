//! `KHR_node_visibility`: nodes that are hidden at first, with all below them.

use serde::Deserialize;

use crate::import::{
    arrays::source::Source,
    base::{diagnostics::Diagnostics, extension},
    json::extensions::ObjectExtensions,
};

const NAME: &str = extension::KHR_NODE_VISIBILITY;

#[derive(Debug, Deserialize)]
struct Visibility {
    #[serde(default = "is_visible")]
    visible: bool,
}

fn is_visible() -> bool {
    true
}

/// Whether a node is hidden.
pub(super) fn is_hidden(
    source: &Source<'_>,
    node: usize,
    extensions: &ObjectExtensions<'_>,
    diagnostics: &mut Diagnostics,
) -> bool {
    let Some(text) = extensions.text(NAME) else {
        return false;
    };
    let pointer = format_args!("/nodes/{node}/extensions/{NAME}");
    let action = "the node is shown";
    let object: Option<Visibility> = source.document.read(text, pointer, action, diagnostics);
    object.is_some_and(|object| !object.visible)
}
