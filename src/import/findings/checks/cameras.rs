//! Cameras: one kind of projection each (glTF 2.0 §3.10).

use crate::import::{
    base::diagnostics::Severity,
    json::document::{Document, Section},
};

use super::{Report, facts::objects, fields::Pointer};

pub(super) fn check(document: &Document<'_>, report: &mut Report<'_>) {
    let at = &Pointer::Root.key(Section::Cameras.name());
    for (index, camera) in objects(document, Section::Cameras).enumerate() {
        if camera.has("perspective") && camera.has("orthographic") {
            let message = "it has both perspective and orthographic";
            report.error("ONE_OF_MISMATCH", &at.item(index), message);
        }
        let at = &at.item(index);
        let at = &at.key("orthographic");
        let orthographic = camera.object("orthographic");
        for name in ["xmag", "ymag"] {
            if orthographic.number(name).is_some_and(|number| number < 0.0) {
                let code = "CAMERA_XMAG_YMAG_NEGATIVE";
                let message =
                    format!("a negative {name} should not be used; it counts as positive");
                report.add(Severity::Warning, code, &at.key(name), message);
            }
        }
    }
}
