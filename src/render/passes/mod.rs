//! The passes of a picture, a file each; which of them a scene takes ([`plan`]), and what passes share.

pub(super) mod furnishings;
pub(super) mod ghost;
pub(super) mod inspection;
pub(super) mod line_width;
pub(super) mod opaque_depth;
pub(super) mod overlay;
mod plan;
pub(super) mod scene;
pub(super) mod scene_copy;
pub(super) mod shadow;
pub(super) mod shown_colors;
mod surface_lines;
pub(super) mod times;
pub(super) mod tone;
pub(super) mod weighted;
