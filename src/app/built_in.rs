//! The models that come with the program, made by `examples/make_assets`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::import::{self, Import, Original, Progress};

/// What a path begins with that means a built-in model, as in `builtin:Pip`.
const SCHEME: &str = "builtin:";

/// Their names, the first of which is shown when no file is given.
pub const NAMES: [&str; 2] = ["Pip", "Windmill"];

const BYTES: [&[u8]; 2] = [
    include_bytes!("../../assets/pip.glb"),
    include_bytes!("../../assets/windmill.glb"),
];

/// What follows the scheme, if a path names a built-in model.
pub fn name_of(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(SCHEME)
}

/// The path that names a built-in model.
pub fn path_of(name: &str) -> PathBuf {
    format!("{SCHEME}{name}").into()
}

/// Loads a built-in model by its name, in any case.
pub fn load(name: &str) -> anyhow::Result<Import> {
    let (name, bytes) = find(name)?;
    import::load_bytes(name, bytes, &Progress::default())
}

/// The file of a built-in model, by its name, in any case.
pub fn original(name: &str) -> anyhow::Result<Original> {
    let (_, bytes) = find(name)?;
    import::original_of_bytes(bytes)
}

fn find(name: &str) -> anyhow::Result<(&'static str, &'static [u8])> {
    let mut known = NAMES.into_iter().zip(BYTES);
    let found = known.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.with_context(|| {
        format!(
            "there is no built-in model \"{name}\", only {}",
            NAMES.join(" and ")
        )
    })
}
