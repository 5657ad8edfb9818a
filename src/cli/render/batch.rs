//! Many models in one call: each into a file of its own, one device for all, and no failure that ends it but a full disk.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};

use super::{
    RenderArguments, Scene, Target, is_whole_clip, load, look::PictureMaker, needed::needed_inputs,
};
use crate::{
    app::{MachineFault, Stopwatch, interrupt, is_full, read_text_at_most},
    cli::{inputs::Inputs, meter::Meter, plain, print_text},
    import::{catch_panic, legible},
    model::Keyed as _,
    output::{FrameNames, Kind, check_folder_writable, distinct_names},
    render::Gpu,
};

/// Draws this share of the models into `folder`. Returns the exit code: 2 if any of them failed.
///
/// What becomes of a model depends on nothing but the list of all and the arguments, so that shares add up to the whole.
pub(super) fn run(arguments: &RenderArguments, folder: &Path) -> anyhow::Result<u8> {
    ensure!(
        arguments.pose.as_deref() != Some(Path::new("-")),
        "--pose - is read once, and --out-dir may draw many models: name a file"
    );
    ensure!(
        fs::metadata(folder).map_or(true, |it| it.is_dir()),
        "--out-dir {}: this is a file, and no folder",
        folder.display()
    );
    let models = models(arguments)?;
    let jobs = jobs(arguments, &models, folder)?;
    // Not before: a list that is typed in would go on being waited for.
    interrupt::watch();
    let inputs = needed_inputs(arguments, &models, &there(&jobs, folder))?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    check_folder_writable(folder)?;
    let total = Stopwatch::start();
    let gpu = headless()?;
    // What cannot be read for any model is said once.
    let maker = Some(PictureMaker::new(&gpu, arguments)?);
    let mut desk = Desk { gpu, maker };
    let meter = Meter::new(&folder.display().to_string(), jobs.len());
    let mut failed = 0;
    for (done, job) in jobs.iter().enumerate() {
        interrupt::check()?;
        meter.set(done);
        let watch = Stopwatch::start();
        let drawn = desk.draw(job, arguments, &inputs);
        meter.clear();
        match drawn {
            Ok(first) => {
                let secs = format!("{:.2} s", watch.secs());
                print_row(&["drawn", &shown(&job.model), &shown(&first), &secs])?;
            }
            Err(error) if interrupt::is_asked() => return Err(error),
            Err(error) => {
                failed += 1;
                print_row(&["failed", &shown(&job.model), &format!("{error:#}")])?;
                // The next would find no more room. A device that is lost is made anew.
                if is_full(&error) {
                    return Err(error);
                }
                desk.recover()?;
            }
        }
    }
    let drawn = jobs.len() - failed;
    let secs = total.secs();
    let each = match jobs.len() {
        0 => String::new(),
        count => format!(", {:.2} s each", secs / count as f64),
    };
    meter.say(&format!(
        "{drawn} drawn, {failed} failed in {secs:.1} s{each}"
    ));
    Ok(if failed > 0 { 2 } else { 0 })
}

fn shown(path: &Path) -> String {
    legible(path.as_os_str()).into_owned()
}

/// Prints one line, with tabs between what it says.
fn print_row(columns: &[&str]) -> anyhow::Result<()> {
    let columns: Vec<_> = columns.iter().map(|column| plain(column)).collect();
    print_text(&(columns.join("\t") + "\n"))
}

/// A model and its file, or files.
struct Job {
    model: PathBuf,
    /// What the picture is called, or what a number is added to.
    output: PathBuf,
    /// Of several pictures that are files each.
    names: Option<FrameNames>,
    kind: Kind,
}

/// Where jobs would write over files: of several pictures each file of their folder that is named like one, however many of them
/// there will be.
fn there(jobs: &[Job], folder: &Path) -> Vec<PathBuf> {
    let outputs = jobs.iter().map(|job| &job.output);
    if jobs.iter().all(|job| job.names.is_none()) {
        return outputs.cloned().collect();
    }
    // The case of letters says nothing to some systems.
    let lower = |path: &Path| path.to_string_lossy().to_lowercase();
    let outputs: HashSet<String> = outputs.map(|output| lower(output)).collect();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let is_output = |output: PathBuf| outputs.contains(&lower(&output));
    files
        .filter(|file| FrameNames::unnumbered(file).is_some_and(is_output))
        .collect()
}

/// All models, those of other shares included.
fn models(arguments: &RenderArguments) -> anyhow::Result<Vec<PathBuf>> {
    let given = arguments.model.iter().chain(&arguments.others);
    let mut models: Vec<PathBuf> = given.cloned().collect();
    if let Some(list) = &arguments.batch.list {
        models.extend(read_list(list)?);
    }
    if models.is_empty() {
        bail!("no models are named, neither on the command line nor by --list");
    }
    Ok(models)
}

/// What this share has to draw.
fn jobs(
    arguments: &RenderArguments,
    models: &[PathBuf],
    folder: &Path,
) -> anyhow::Result<Vec<Job>> {
    let kind = arguments.sequence.format.unwrap_or(Kind::Png);
    // Says what does not go together once, and not for each model.
    super::kind_of(arguments, Path::new("x.png"))?;
    arguments
        .sequence
        .check(is_whole_clip(arguments, kind, None))?;
    let is_numbered = arguments.sequence.is_numbered(kind);
    let names = distinct_names(models);
    let mut seen = HashSet::new();
    let mut jobs = Vec::new();
    for (model, name) in models.iter().zip(names) {
        // The same file twice is one picture.
        if seen.insert(name.clone()) {
            let output = folder.join(format!("{name}.{}", kind.key()));
            jobs.push(Job {
                model: model.clone(),
                names: is_numbered.then(|| FrameNames::literal(&output)),
                output,
                kind,
            });
        }
    }
    if let Some(shard) = arguments.batch.shard {
        let mut place = 0..;
        jobs.retain(|_| place.next().is_some_and(|place| shard.has(place)));
    }
    Ok(jobs)
}

const LONGEST_LIST: u64 = 256 << 20;
/// What any system takes.
const LONGEST_PATH: usize = 1 << 15;

/// One path on each line; empty lines count for nothing.
fn read_list(list: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let cannot = || format!("{} cannot be read", list.display());
    let bytes = read_text_at_most(list, LONGEST_LIST)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let lines = lines.filter(|line| !line.is_empty());
    let paths = lines.map(|line| match line.len() {
        ..=LONGEST_PATH => path_of(line),
        length => bail!("a line of {length} bytes is no path"),
    });
    paths.collect::<anyhow::Result<_>>().with_context(cannot)
}

/// What is no UTF-8 is a path, too.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it fails")]
fn path_of(line: &[u8]) -> anyhow::Result<PathBuf> {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    Ok(PathBuf::from(OsStr::from_bytes(line)))
}

#[cfg(not(unix))]
fn path_of(line: &[u8]) -> anyhow::Result<PathBuf> {
    Ok(PathBuf::from(std::str::from_utf8(line)?))
}

/// The device, and what draws with it.
struct Desk {
    gpu: Gpu,
    /// None after a failure.
    maker: Option<PictureMaker>,
}

impl Desk {
    /// Draws a model, and returns the first of its files, none of which are among `kept`.
    fn draw(
        &mut self,
        job: &Job,
        arguments: &RenderArguments,
        kept: &Inputs,
    ) -> anyhow::Result<PathBuf> {
        if job.names.is_none() {
            // Of several it is known with the model which.
            kept.check(&job.output)?;
        }
        catch_panic(|| {
            let loaded = load(Some(&job.model), &[], arguments, Some(&self.gpu))?;
            let scene = Scene::new(loaded, arguments, Some(&self.gpu))?;
            let mut maker = match self.maker.take() {
                Some(maker) => maker,
                None => PictureMaker::new(&self.gpu, arguments)?,
            };
            let target = Target {
                output: &job.output,
                names: job.names.clone(),
                kind: job.kind,
                kept: Some(kept),
            };
            let first = scene.write(&self.gpu, &mut maker, target)?;
            self.maker = Some(maker);
            Ok(first)
        })
    }

    /// Makes good what a failure has left: a device that refused something, or that is gone.
    fn recover(&mut self) -> anyhow::Result<()> {
        if self.gpu.is_lost() || self.gpu.first_error().is_some() {
            self.maker = None;
            self.gpu = headless()?;
        }
        Ok(())
    }
}

fn headless() -> anyhow::Result<Gpu> {
    Gpu::headless().map_err(|error| MachineFault(error.into()).into())
}
