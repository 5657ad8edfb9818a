//! Cameras: one kind of projection each (glTF 2.0 §3.10).

use crate::import::document::{Document, Section};

use super::{Report, facts::objects, fields::Pointer};

pub(super) fn check(document: &Document<'_>, report: &mut Report<'_>) {
    let at = &Pointer::Root.key(Section::Cameras.name());
    for (index, camera) in objects(document, Section::Cameras).enumerate() {
        if camera.has("perspective") && camera.has("orthographic") {
            let message = "it has both perspective and orthographic";
            report.error("ONE_OF_MISMATCH", &at.item(index), message);
        }
    }
}
