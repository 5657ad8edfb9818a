//! A model that pictures are made of: read, with the clips of other files, and looked through for what is wrong with it.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::RenderArguments;
use crate::{
    app::{built_in, interrupt, no_mesh_left, nothing_left},
    cli::{ForeignClips, clips_from, inputs::Inputs, open_with, tell_findings},
    import::Import,
    render::Gpu,
};

/// A model, and all files that are read for its pictures.
pub(super) struct Loaded {
    pub(super) import: Import,
    pub(super) foreign: ForeignClips,
    pub(super) inputs: Inputs,
}

/// Loads a model, says what is wrong with it, and fails if there is nothing to show.
pub(super) fn load(
    path: Option<&PathBuf>,
    others: &[PathBuf],
    arguments: &RenderArguments,
    gpu: Option<&Gpu>,
) -> anyhow::Result<Loaded> {
    let mut import = interrupt::load(|progress| {
        if let Some(gpu) = gpu {
            progress.set_block_formats(gpu.block_formats());
        }
        match path {
            Some(path) => open_with(path, others, arguments.opening, progress),
            None => built_in::load(built_in::NAMES[0]),
        }
    })??;
    let files = &arguments.moment.added.clips_from;
    let foreign = interrupt::load(|progress| {
        let (moment, opening) = (&arguments.moment, arguments.opening);
        let clip = moment.clip.as_deref();
        clips_from::add_to(&mut import.model, &moment.added, clip, opening, progress)
    })??;
    arguments.moment.choose_scene(&mut import.model)?;
    let compared = arguments.compare.compare.iter().map(PathBuf::from);
    let compared: Vec<_> = compared.collect();
    let given = path.into_iter().chain(others).chain(files);
    let given = given.chain(&arguments.light.environment).chain(&compared);
    let given = given.chain(&arguments.pose);
    let inputs = Inputs::new(given.chain(&import.files).chain(&foreign.read));
    Ok(Loaded {
        import: something_of(import, arguments)?,
        foreign,
        inputs,
    })
}

/// Says what is wrong with a model, and fails if there is nothing of it to show, by its meshes unless bones are drawn.
pub(super) fn something_of(import: Import, arguments: &RenderArguments) -> anyhow::Result<Import> {
    tell_findings(&import);
    let no_mesh = || no_mesh_left(&import).filter(|_| !arguments.skeleton);
    if let Some(reason) = nothing_left(&import).or_else(no_mesh) {
        let (what, why) = reason.split_first().context("a reason has lines")?;
        let (what, why) = (what.trim_end_matches('.'), why.join("; "));
        bail!("{}: {what}: {why}", import.model.name);
    }
    if import.model.vertex_count() == 0 && import.model.hierarchy.is_empty() {
        log::warn!("{}: there is nothing in it to draw", import.model.name);
    }
    Ok(import)
}
