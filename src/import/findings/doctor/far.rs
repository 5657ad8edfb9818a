//! Models so far from the origin that their numbers are too coarse for them.

use crate::{import::base::diagnostics::Diagnostics, model::Length};

use super::Size;

/// Coarser steps than this part of the model's size are seen.
const SEEN: f32 = 1.0 / 2000.0;

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
pub(super) fn check(size: &Size<'_>, diagnostics: &mut Diagnostics) {
    let (length, step) = (size.get(), size.step());
    if length == 0.0 || step <= SEEN * length {
        return;
    }
    let away = Length(size.bounds().center().length());
    let step = Length(step);
    diagnostics.warning(
        "MODEL_FAR_FROM_ORIGIN",
        "",
        format_args!(
            "the model stands {away} from the origin, where places are known to {step} only"
        ),
        "it may tremble as it moves",
    );
}
