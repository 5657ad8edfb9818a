//! `rigscope bake`: a clip as it is played, saved with the model as one more of its animations.

use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use clap::Args;

use super::{
    AddedClips, Opening, clips_from, code_of_saved, has_extension, inputs::Inputs, open_by,
    read_original, render::parse_rate, tell_findings, tell_unread,
};
use crate::{
    app::{Actor, as_played, interrupt, wanted::clip_names_from},
    export::{AddedClip, Recorded, SourceFile, check_addable, clip_glb, unread_words},
    import::{self, Import},
    model::Model,
    output::{check_writable, write_whole},
};

/// Arguments of `bake`.
#[derive(Debug, Clone, Args)]
pub struct BakeArguments {
    /// The model: a file, or a folder or .zip archive with one
    pub model: PathBuf,
    /// Files that the model may name, wherever they lie
    #[arg(value_name = "FILE")]
    pub others: Vec<PathBuf>,
    /// What is agreed to.
    #[command(flatten)]
    pub opening: Opening,
    /// Where the whole model goes, as its file has it, with the animation as the last one
    #[arg(short, long, value_name = "OUT.glb")]
    pub output: PathBuf,
    /// The clip, by its name or its index, or "all" for all of them at once; with --clips-from a name is first looked for
    /// there; without it the only one there is, with --clips-from the only one there
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub clip: Option<String>,
    /// Which clips there are to choose from.
    #[command(flatten)]
    pub added: AddedClips,
    /// Leave out where the clip goes over the ground; what turns on the spot goes on turning
    #[arg(long)]
    pub in_place: bool,
    /// Keys so many times a second, straight in between; by itself the keys and curves that the clip has
    #[arg(long, value_name = "RATE", value_parser = parse_rate, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// What the animation is called; by itself as the clip, with a number if the file has one of that name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

/// Runs the command and returns the exit code: 2 if what is saved lacks data that could not be read.
pub fn run(arguments: &BakeArguments) -> anyhow::Result<u8> {
    arguments.check()?;
    interrupt::watch();
    check_writable(&arguments.output)?;
    let (import, chosen) = read(arguments)?;
    let BakeArguments {
        model: path,
        others,
        opening,
        ..
    } = arguments;
    let original = interrupt::load(|progress| read_original(path, others, *opening, progress))??;
    let is_whole = tell_unread(&original, &import.model.name, &import.diagnostics);
    let bin = original.bin.as_deref();
    let source = SourceFile::new(&original.json, bin, &original.chunks, &original.named)
        .with_context(|| path.display().to_string())?;
    let model = &import.model;
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => source.free_clip_name(&model.own_clip_name(chosen)),
    };
    check_addable(&source, model, &name)?;
    let mut left_out = unread_words([&model.clips[chosen]]);
    left_out.extend(source.lost_files(import.own_file(), &arguments.output));
    let model = import.model;
    let (model, recorded) = played(model, chosen, arguments)?;
    left_out.extend(recorded.left_out);
    let added = AddedClip {
        model: &model,
        clip: &recorded.clip,
        name: &name,
    };
    let mut saved = clip_glb(source, &added)?;
    saved.left_out.splice(..0, left_out);
    interrupt::check()?;
    write_whole(&arguments.output, &saved.bytes)?;
    tell_left_out(&model, &saved.left_out);
    Ok(code_of_saved(&arguments.output, is_whole))
}

/// Says what is not in the file that was saved.
pub(super) fn tell_left_out(model: &Model, left_out: &[String]) {
    for words in left_out {
        log::warn!("{}: {words}", model.name);
    }
}

impl BakeArguments {
    /// Refuses what does not go into the file that is asked for.
    fn check(&self) -> anyhow::Result<()> {
        let output = self.output.display();
        ensure!(
            has_extension(&self.output, "glb"),
            "-o {output}: an animation is saved as .glb"
        );
        let is_empty = self.name.as_ref().is_some_and(String::is_empty);
        ensure!(!is_empty, "--name needs a name for the animation");
        Ok(())
    }
}

/// The model with the clips that are added, and which one is meant; fails if what is saved would replace a file that was read.
fn read(arguments: &BakeArguments) -> anyhow::Result<(Import, usize)> {
    let BakeArguments {
        model: path,
        others,
        opening,
        added,
        ..
    } = arguments;
    let open = import::open_to_pose;
    let mut import = interrupt::load(|progress| open_by(open, path, others, *opening, progress))??;
    tell_findings(&import);
    let given = std::iter::once(path).chain(others).chain(&added.clips_from);
    let mut inputs = Inputs::new(given.chain(&import.files));
    inputs.check(&arguments.output)?;
    let model = &mut import.model;
    let own = model.clips.len();
    let wanted = arguments.clip.as_deref();
    let add = |progress: &_| clips_from::add_to(model, added, wanted, *opening, progress);
    let foreign = interrupt::load(add)??;
    inputs.extend(&foreign.read);
    inputs.check(&arguments.output)?;
    let chosen = match wanted {
        Some(wanted) => foreign.find(&import.model, wanted)?,
        None => the_only_one(&import.model, own)?,
    };
    Ok((import, chosen))
}

/// The clip that is meant where none is named: that of other files, or else of the model's `own`.
fn the_only_one(model: &Model, own: usize) -> anyhow::Result<usize> {
    let first = if model.clips.len() > own { own } else { 0 };
    match model.clips.len() - first {
        1 => Ok(first),
        0 => bail!("{} has no clips", model.name),
        _ => {
            let names = clip_names_from(model, first);
            bail!("which clip? --clip says so ({names})")
        }
    }
}

/// The clip as it is played.
fn played(
    model: Model,
    chosen: usize,
    arguments: &BakeArguments,
) -> anyhow::Result<(Model, Recorded)> {
    let Some(rate) = arguments.fps else {
        let played = as_played(&model, chosen, arguments.in_place)?;
        return Ok((model, played));
    };
    let duration_secs = model.clip_secs(Some(chosen));
    let mut actor = Actor::new(model.clone());
    actor.set_in_place(arguments.in_place);
    let recorded = actor.record([chosen], duration_secs, rate, |actor, time_secs, _| {
        actor.pose_at(Some(chosen), time_secs);
        Ok(interrupt::check()?)
    })?;
    Ok((model, recorded))
}
