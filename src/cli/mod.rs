//! The command line: what can be asked, and the commands that need no window.

pub mod bake;
pub mod check;
mod clips_from;
pub mod compare;
pub mod info;
mod inputs;
mod integer_option;
mod light;
pub mod logger;
mod meter;
mod mistakes;
mod names;
pub mod packaging;
mod plain;
pub mod pose;
pub mod render;
mod saved_pose;

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Parser, Subcommand};
use serde::Serialize;

pub use light::LightArguments;
pub use mistakes::{mistake_of, parse};
pub use plain::plain;

pub use crate::app::wanted::{find_clip, find_node, find_scene, find_variant};
use crate::{
    anim::Skinning,
    app::{WindowOptions, built_in, wanted::clip_names},
    import::{self, Consent, Diagnostic, Import, Original, Outside, Progress, Severity, legible},
    model::Model,
    scene::FormChoice,
};
use clips_from::ForeignClips;
use integer_option::integer_in;

/// Does this rig move as it should, and if not, why? A viewer for animated glTF 2.0 models.
#[derive(Debug, Parser)]
#[command(name = "rigscope", version, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 models differ (compare) or files have warnings (check --strict), 2 the input or the \
                        command line is at fault, 3 the machine is (no graphics adapter, no display, a full disk), 130 it was interrupted.\nBuilt-in models \
                        are named builtin:Pip and builtin:Windmill wherever a file is."
)]
pub struct Arguments {
    /// What to do; without a command the viewer opens.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    /// The model to view: a .gltf, .glb, .vrm or .vrma file, a folder or .zip archive with one, or several files of which one
    /// is the model; none: the built-in one
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Show N of the model on a field, each somewhere else in the clip
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in(1..=100_000), allow_negative_numbers = true)]
    pub crowd: u32,
    /// Show another model beside it, on the same clock and in the same camera
    #[arg(long, value_name = "FILE", conflicts_with = "crowd")]
    pub compare: Option<PathBuf>,
    /// How the matrices of a crowd go to the graphics adapter: full, 48 bytes each; compact, 32, also where that changes
    /// them by a ten-thousandth; or auto, compact where it changes nothing
    #[arg(long, value_name = "FORM", default_value = "auto")]
    pub palette: FormChoice,
    /// Show this variant of the materials, by its name or its index, where the model has it
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub variant: Option<String>,
    /// How the joints that move a vertex are blended: linear, as glTF asks, or dual-quaternion
    #[arg(long, value_name = "NAME", default_value = "linear")]
    pub skinning: Skinning,
    /// What shines.
    #[command(flatten)]
    pub light: LightArguments,
    /// What is agreed to.
    #[command(flatten)]
    pub opening: Opening,
    /// Use Wayland even where X11 is there too: sharper on scaled screens, but files cannot be dropped on the window
    #[arg(long)]
    pub wayland: bool,
}

impl Arguments {
    /// The files that the viewer is given.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().chain(&self.compare).cloned().collect()
    }

    /// What the viewer is opened with.
    pub fn window_options(self) -> WindowOptions {
        WindowOptions {
            files: self.files,
            compare: self.compare,
            consent: self.opening.consent(),
            wayland: self.wayland,
            crowd_size: self.crowd as usize,
            crowd_form: self.palette,
            variant: self.variant,
            skinning: self.skinning,
            light: self.light.overrides(),
            environment: self.light.environment,
        }
    }
}

/// The commands that need no window.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Draw pictures of models: still, moving, or many in one call
    Render(Box<render::RenderArguments>),
    /// Print the pose of a model at a time, as JSON
    Pose(pose::PoseArguments),
    /// Save a model with one more animation, as it is played: of another file, retargeted, in place, or all clips at once
    Bake(bake::BakeArguments),
    /// Print what is in a file
    Info(info::InfoArguments),
    /// Compare two models: nodes, meshes, materials and their pictures, the poses of all clips; exit code 1 if they differ
    Compare(compare::CompareArguments),
    /// Print what is wrong with files
    Check(check::CheckArguments),
    /// Print what a shell needs to complete the command line
    #[command(hide = true)]
    Completions(packaging::CompletionArguments),
    /// Write the pages of the manual
    #[command(hide = true)]
    Manual(packaging::ManualArguments),
}

/// Which moment of a model, and what of it.
#[derive(Debug, Clone, Default, Args)]
pub struct Moment {
    /// The scene that is shown, by its name or its index; without it the file's default one
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub scene: Option<String>,
    /// The clip, by its name or its index, or "all" for all of them at once; without it the model is as the file has it. With
    /// --clips-from a name is first looked for there
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub clip: Option<String>,
    /// Which clips there are to choose from.
    #[command(flatten)]
    pub added: AddedClips,
    /// The time within the clip in seconds: clamped to its keys, never looped
    #[arg(
        long,
        value_name = "SECS",
        default_value_t = 0.0,
        allow_negative_numbers = true,
        value_parser = parse_time
    )]
    pub time: f64,
}

/// Clips that are added to a model's own.
#[derive(Debug, Clone, Default, Args)]
pub struct AddedClips {
    /// Add the clips of another file to the model's own, by the names of nodes; may be given several times. They count before
    /// the model's own: where both have a clip of one name, and with --clip all where both move the same
    #[arg(long, value_name = "FILE")]
    pub clips_from: Vec<PathBuf>,
    /// Turn the clips of --clips-from into the model's own rest pose, and scale their steps to its size
    #[arg(long, requires = "clips_from")]
    pub retarget: bool,
}

impl Moment {
    /// Makes the scene that is asked for the one that is shown.
    fn choose_scene(&self, model: &mut Model) -> anyhow::Result<()> {
        if let Some(wanted) = &self.scene {
            model.default_scene = find_scene(model, wanted)?;
        }
        Ok(())
    }
}

/// What a model may do that is refused else.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Opening {
    /// Read the model even if it requires extensions, or a minor version of glTF, that are unknown here
    #[arg(long)]
    pub open_anyway: bool,
    /// Open files that the model names outside of its own folder, too (never from the net)
    #[arg(long)]
    pub allow_outside: bool,
}

impl Opening {
    /// As the importer wants it.
    pub fn consent(self) -> Consent {
        Consent {
            unknown_features: self.open_anyway,
            first_of_several: false,
            model: None,
            outside: if self.allow_outside {
                Outside::Allowed
            } else {
                Outside::Refused
            },
        }
    }
}

fn parse_time(text: &str) -> Result<f64, String> {
    let time = text.parse::<f64>().ok();
    time.filter(|time| time.is_finite())
        .ok_or_else(|| "a time is a number of seconds, like 1.25".to_owned())
}

/// Loads a file or a built-in model.
pub fn load(path: &Path) -> anyhow::Result<Import> {
    open(path, &[], Opening::default())
}

/// Loads a file, a folder, an archive or a built-in model; `others` are files that the model may name.
pub fn open(path: &Path, others: &[PathBuf], opening: Opening) -> anyhow::Result<Import> {
    let mut import = open_with(path, others, opening, &Progress::default())?;
    import.model.name = import.model.file_name().to_owned();
    Ok(import)
}

/// [`open`], with the name as it was typed.
fn open_with(
    path: &Path,
    others: &[PathBuf],
    opening: Opening,
    progress: &Progress,
) -> anyhow::Result<Import> {
    open_by(import::open, path, others, opening, progress)
}

/// [`open`] for those who want to know where everything is, and not what it looks like.
fn open_to_pose(path: &Path, others: &[PathBuf], opening: Opening) -> anyhow::Result<Import> {
    let progress = Progress::default();
    open_by(import::open_to_pose, path, others, opening, &progress)
}

/// [`open`] for those who want to know what differs, images as they are in the file.
fn open_to_compare(path: &Path, opening: Opening) -> anyhow::Result<Import> {
    let progress = Progress::default();
    open_by(import::open_to_compare, path, &[], opening, &progress)
}

/// One of the importer's ways to read files.
type Read = fn(&[PathBuf], &Consent, &Progress) -> anyhow::Result<Import>;

/// Loads files in a way, or a built-in model whole. Files are named as they were typed.
fn open_by(
    read: Read,
    path: &Path,
    others: &[PathBuf],
    opening: Opening,
    progress: &Progress,
) -> anyhow::Result<Import> {
    if let Some(name) = built_in::name_of(path) {
        return built_in::load(name);
    }
    let given = [&[path.to_owned()], others].concat();
    let mut import = read(&given, &opening.consent(), progress).map_err(|error| {
        if import::is_unsupported(&error) {
            anyhow!("{error:#}; --open-anyway reads it without")
        } else {
            error
        }
    })?;
    let mut found = import.diagnostics.iter();
    if let Some(found) = found.find(|found| found.code == import::SEVERAL_MODELS) {
        log::warn!("{}; {}", found.message, found.action);
    }
    if let Some(typed) = as_typed(path, &import) {
        import.model.name = legible(typed.as_os_str()).into_owned();
    }
    Ok(import)
}

/// The path of a model as it was typed; of a folder or an archive the model within it.
fn as_typed(given: &Path, import: &Import) -> Option<PathBuf> {
    let path = import.path.as_ref()?;
    Some(match &import.within {
        None => path.clone(),
        // Of a folder links are resolved.
        Some(within) if path.ends_with(within) => given.join(within),
        // Its name is no text.
        Some(_) if path != given && path.starts_with(given) => path.clone(),
        Some(within) => path.join(within),
    })
}

/// The file that a model is read from, as it is.
fn read_original(
    model: &Path,
    others: &[PathBuf],
    opening: Opening,
    progress: &Progress,
) -> anyhow::Result<Original> {
    if let Some(name) = built_in::name_of(model) {
        return built_in::original(name);
    }
    let given = [&[model.to_owned()], others].concat();
    import::read_original(&given, &opening.consent(), progress)
}

/// Errors that cost a file the end of its data.
const CUT_OFF: [&str; 3] = [
    "BUFFER_BYTE_LENGTH_MISMATCH",
    "BUFFER_MISSING_GLB_DATA",
    "GLB_UNEXPECTED_END_OF_CHUNK_DATA",
];

/// Whether a finding says that bytes of a buffer are not there.
fn costs_data(found: &Diagnostic) -> bool {
    // A `data:` URI that cannot be decoded: of one that only breaks rules nothing is done.
    let has_none = found.code == "INVALID_URI"
        && found.pointer.starts_with("/buffers/")
        && !found.action.is_empty();
    has_none || CUT_OFF.contains(&found.code)
}

/// Says which of the files that a model names could not be read, but for those that are among its findings. Returns whether
/// all its data are there.
fn tell_unread(original: &Original, name: &str, told: &[Diagnostic]) -> bool {
    for reason in &original.unread {
        // A finding may name what is concerned, too.
        if !told.iter().any(|it| it.message.starts_with(reason)) {
            log::warn!("{name}: {reason}");
        }
    }
    original.unread.is_empty() && !told.iter().any(costs_data)
}

/// The exit code of what has saved a model's own file: 2 if that lacks data, which is said.
fn code_of_saved(output: &Path, is_whole: bool) -> u8 {
    if is_whole {
        return 0;
    }
    let output = output.display();
    log::warn!("{output}: what could not be read of the model is not in it");
    2
}

fn has_extension(file: &Path, extension: &str) -> bool {
    let found = file.extension();
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// What to do about files that were not opened.
const OUTSIDE: &str = "files outside of its folder are read with --allow-outside";

/// Says what is wrong with a model that was read, on standard error.
fn tell_findings(import: &Import) {
    let name = &import.model.name;
    for diagnostic in &import.diagnostics {
        let told = diagnostic.unrated();
        match diagnostic.severity {
            Severity::Error => log::error!("{name}: {told}"),
            Severity::Warning => log::warn!("{name}: {told}"),
            // What is merely odd is for `check`.
            _ => log::info!("{name}: {told}"),
        }
    }
    if !import.outside.is_empty() {
        log::warn!("{name}: {OUTSIDE}");
    }
}

/// Fails if a time is asked for and no clip: without one the pose is the file's own at any time. Models without clips have no
/// other, and one time may be said for many models.
fn check_that_time_counts(model: &Model, time_secs: f64) -> anyhow::Result<()> {
    if time_secs != 0.0 && !model.clips.is_empty() {
        bail!("--time {time_secs} needs --clip ({})", clip_names(model));
    }
    Ok(())
}

/// Writes to standard output; a closed pipe is not an error.
fn print_text(text: &str) -> anyhow::Result<()> {
    print_for_reader(text).map(drop)
}

/// Writes to standard output. False if nobody reads any more.
fn print_for_reader(text: &str) -> anyhow::Result<bool> {
    print(|out| out.write_all(text.as_bytes()))
}

/// Writes a line of JSON to standard output, piece by piece: large reports are never there as text as a whole.
fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(|out| {
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")
    })
    .map(drop)
}

fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<bool> {
    let mut out = BufWriter::new(io::stdout().lock());
    as_read(write(&mut out).and_then(|()| out.flush()))
}

/// What came of writing to standard output: false if nobody reads any more.
fn as_read(written: io::Result<()>) -> anyhow::Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("standard output cannot be written"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_numbers() {
        assert_eq!(parse_time("-0.5"), Ok(-0.5));
        for text in ["nan", "inf", "1s", ""] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn models_are_called_as_they_were_typed() {
        let called = |given: &str, path: &str, within: Option<&str>| {
            let import = Import {
                path: Some(path.into()),
                within: within.map(str::to_owned),
                ..Import::default()
            };
            as_typed(Path::new(given), &import)
        };
        let typed = |path: &str| Some(PathBuf::from(path));
        assert_eq!(called("a/b.glb", "a/b.glb", None), typed("a/b.glb"));
        // Beside what it names, which was given first.
        assert_eq!(called("b.bin", "a/b.gltf", None), typed("a/b.gltf"));
        let within = Some("models/b.gltf");
        assert_eq!(
            called("./pack", "/home/pack/models/b.gltf", within),
            typed("./pack/models/b.gltf")
        );
        assert_eq!(
            called("pack.zip", "pack.zip", within),
            typed("pack.zip/models/b.gltf")
        );
        assert_eq!(as_typed(Path::new("builtin:Pip"), &Import::default()), None);
    }

    /// They are refused for what they are, not taken for options.
    #[test]
    fn numbers_below_zero_are_values() {
        use clap::Parser as _;
        for typed in [
            "compare a b --tolerance -1",
            "pose a --clip -1",
            "bake a -o b --clip -1",
            "bake a -o b --fps -1",
            "render a -o b --frames -1",
            "render a -o b --fps -1",
            "render a -o b --size -1",
            "render a -o b --scale -1",
            "render a -o b --crowd -1",
            "render a -o b --camera -1",
            "render a -o b --fov -1",
            "render a -o b --blur -1",
            "--crowd -1",
        ] {
            let words = ["rigscope"].into_iter().chain(typed.split(' '));
            if let Err(error) = Arguments::try_parse_from(words) {
                let error = error.to_string();
                assert!(error.contains("'-1' for '--"), "{error}");
            }
        }
    }
}
