//! What `rigscope pose` saves as .glb: the posed mesh, or the model's own file with the pose as a clip.

use std::path::Path;

use anyhow::Context as _;

use super::{bake::tell_left_out, pose::PoseArguments, read_original, tell_unread};
use crate::{
    app::{Actor, interrupt},
    export::{Keyed, SourceFile, Still, keyed_glb, still_glb},
    import::Diagnostic,
};

/// The posed mesh, which needs neither joints nor clips.
pub(super) fn mesh_of(actor: &Actor, arguments: &PoseArguments) -> anyhow::Result<Vec<u8>> {
    let (model, others, opening) = (&arguments.model, &arguments.others, arguments.opening);
    let original = interrupt::load(|progress| read_original(model, others, opening, progress))?;
    // What was opened may be too damaged to be taken as it is.
    let original = original.unwrap_or_default();
    let properties = actor.properties().values();
    let saved = interrupt::load(|progress| {
        still_glb(&Still {
            model: actor.model(),
            scene: actor.scene(),
            pose: actor.pose(),
            skinning: actor.palette().skinning(),
            materials: &properties.materials,
            lights: &properties.lights,
            cameras: &properties.cameras,
            variant: None,
            json: &original.json,
            pictures: Some(&original.pictures(progress)),
        })
    })??;
    tell_left_out(actor.model(), &saved.left_out);
    Ok(saved.bytes)
}

/// The model's own file with the pose as a clip of this name, and whether it has all data.
pub(super) fn clip_of(
    actor: &Actor,
    arguments: &PoseArguments,
    name: &str,
    (own_file, told): (Option<&Path>, &[Diagnostic]),
) -> anyhow::Result<(Vec<u8>, bool)> {
    let (model, others, opening) = (&arguments.model, &arguments.others, arguments.opening);
    let original = interrupt::load(|progress| read_original(model, others, opening, progress))??;
    let is_whole = tell_unread(&original, &actor.model().name, told);
    let bin = original.bin.as_deref();
    let source = SourceFile::new(&original.json, bin, &original.chunks, &original.named)
        .with_context(|| model.display().to_string())?;
    let saved = arguments.save.as_deref().unwrap_or(Path::new(""));
    let lost_files = source.lost_files(own_file, saved);
    let keyed = Keyed {
        model: actor.model(),
        pose: actor.pose(),
        properties: actor.properties().values(),
        name,
    };
    let mut saved = keyed_glb(source, &keyed)?;
    saved.left_out.extend(lost_files);
    tell_left_out(actor.model(), &saved.left_out);
    Ok((saved.bytes, is_whole))
}
