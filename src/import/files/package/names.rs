//! What files are, by their names.

use std::path::Path;

/// Extensions of models.
pub const MODEL_EXTENSIONS: [&str; 4] = ["glb", "gltf", "vrm", MOTION_EXTENSION];
/// The extension of those that are motions of a person alone (`VRMC_vrm_animation`).
const MOTION_EXTENSION: &str = "vrma";
/// The extension of archives, which may hold one.
pub const ARCHIVE_EXTENSION: &str = "zip";

/// Whether a path is named like a model.
pub fn is_model_name(path: &Path) -> bool {
    // What macOS puts beside files has names that begin with a dot.
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && MODEL_EXTENSIONS.iter().any(|it| has_extension(path, it))
}

/// Whether a path is named like a model that has clips and nothing to be seen in them.
pub fn is_motion_name(path: &Path) -> bool {
    has_extension(path, MOTION_EXTENSION)
}

/// Whether a path is named like an archive.
pub fn is_archive_name(path: &Path) -> bool {
    has_extension(path, ARCHIVE_EXTENSION)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    let found = path.extension();
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
