//! What a batch may not write over: the files that its models are read from. A picture of one may have the name of a texture of
//! another.

use std::{
    borrow::Cow,
    collections::HashSet,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::RenderArguments;
use crate::{
    app::interrupt,
    cli::{inputs::Inputs, open_to_compare},
    import::catch_panic,
};

/// What may not be written over, since a model needs it. Which other files models are read from is only looked up where
/// some are `there` already that have names of pictures to be written, and for models that name a file of that name.
pub(super) fn needed_inputs(
    arguments: &RenderArguments,
    models: &[PathBuf],
    there: &[PathBuf],
) -> anyhow::Result<Inputs> {
    let mut inputs = Inputs::new(models.iter().chain(&arguments.batch.list));
    let there = there.iter().map(fs::canonicalize);
    let there: Vec<PathBuf> = there.flatten().collect();
    let names = there.iter().filter_map(|file| file.file_name());
    let names: HashSet<String> = names
        .map(|name| name.to_string_lossy().to_lowercase())
        .collect();
    if there.is_empty() {
        return Ok(inputs);
    }
    for model in models {
        interrupt::check()?;
        // What is wrong with it is said where it is drawn.
        if may_name(model, &names)
            && let Ok(import) = catch_panic(|| open_to_compare(model, arguments.opening))
        {
            inputs.extend(&import.files);
        }
    }
    Ok(inputs)
}

/// What a model names.
#[derive(Deserialize)]
struct Named<'t> {
    #[serde(borrow, default)]
    buffers: Vec<Uri<'t>>,
    #[serde(borrow, default)]
    images: Vec<Uri<'t>>,
}

#[derive(Deserialize)]
struct Uri<'t> {
    #[serde(borrow, default)]
    uri: Option<Cow<'t, str>>,
}

/// Whether a model may name a file of one of these names, in small letters: it does, or its text is not as it should be, or it is
/// a folder.
fn may_name(model: &Path, names: &HashSet<String>) -> bool {
    let Some(text) = text_of(model) else {
        return true;
    };
    let Ok(Named { buffers, images }) = serde_json::from_slice(&text) else {
        return true;
    };
    let uris = buffers
        .iter()
        .chain(&images)
        .filter_map(|it| it.uri.as_deref());
    let mut files = uris.filter(|uri| !uri.starts_with("data:"));
    files.any(|uri| {
        let name = uri.rsplit(['/', '\\']).next().unwrap_or_default();
        // What is encoded may be anything.
        name.contains('%') || names.contains(&name.to_lowercase())
    })
}

/// The text of a model, of binary files the first chunk (glTF 2.0 §4.4).
fn text_of(model: &Path) -> Option<Vec<u8>> {
    const HEADERS: usize = 20;
    const LONGEST: u64 = 256 << 20;
    let mut file = fs::File::open(model).ok()?;
    let mut text = Vec::new();
    (&mut file)
        .take(HEADERS as u64)
        .read_to_end(&mut text)
        .ok()?;
    let rest = match text.get(12..16).filter(|_| text.starts_with(b"glTF")) {
        Some(length) => {
            let length = u32::from_le_bytes(length.try_into().ok()?);
            text.clear();
            LONGEST.min(length.into())
        }
        None => LONGEST,
    };
    file.take(rest).read_to_end(&mut text).ok()?;
    Some(text)
}
