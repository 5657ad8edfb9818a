//! The models that come with the program, made by `examples/make_assets`.

use anyhow::Context as _;

use crate::import::{self, Import, Progress};

/// What a path begins with that means a built-in model, as in `builtin:Pip`.
pub const SCHEME: &str = "builtin:";

/// Their names, the first of which is shown when no file is given.
pub const NAMES: [&str; 2] = ["Pip", "Windmill"];

const BYTES: [&[u8]; 2] = [
    include_bytes!("../../assets/pip.glb"),
    include_bytes!("../../assets/windmill.glb"),
];

/// Loads a built-in model by its name, in any case.
pub fn load(name: &str) -> anyhow::Result<Import> {
    let index = NAMES
        .iter()
        .position(|known| known.eq_ignore_ascii_case(name))
        .with_context(|| {
            format!(
                "there is no built-in model \"{name}\", only {}",
                NAMES.join(" and ")
            )
        })?;
    import::load_bytes(NAMES[index], BYTES[index], &Progress::default())
}
