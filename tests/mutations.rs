//! Broken files, each in a process of its own, as users meet them: no panic, no signal, no long wait, little memory.
//!
//! Files are damaged at random from a seed (`mutator`): the project's own, and those of the corpus where it is there.
//! `RIGSCOPE_MUTATIONS` says how many, `RIGSCOPE_SEED` how to start. What fails is kept in `target/mutations`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]
#![cfg(target_os = "linux")]

mod common;
mod mutator;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use common::{artefacts, hostile_folder};
use mutator::{Rng, bombs::bombs, damage};

/// A few seconds' worth.
const SMALL_RUN: usize = 60;
/// What one process may take: 2 GiB of addresses.
const ADDRESS_SPACE_KIB: u64 = 2 << 20;
/// What a process may compute before the kernel ends it.
const MAX_SECS: u64 = 10;
/// After this it counts as waiting for something that never comes.
const GIVE_UP: Duration = Duration::from_secs(60);
/// The processor time that a broken file may take, summed over all threads: what passes on the clock depends on what else
/// runs. Builds for debugging get more: the machines that run this differ by a factor, of which half as much again was seen
/// between two days.
const SLOW: Duration = Duration::from_secs(if cfg!(debug_assertions) { 6 } else { 2 });
/// Larger files are left alone: they take time and damage them no better.
const LARGEST: usize = 256 << 10;
/// What the program says when it has caught a panic of its own.
const CAUGHT: &str = "made a mistake";

/// How much memory a file of this size may cost.
fn most_memory(size: usize) -> u64 {
    (256 << 20) + 8 * size as u64
}

/// What became of a process.
#[derive(Debug)]
struct Run {
    status: ExitStatus,
    stderr: String,
    /// Processor time, as far as it was seen.
    time: Duration,
    /// The most memory it had, in bytes, as far as it was seen.
    peak: u64,
}

/// Runs the program and looks at its memory until it ends. None if it had to be ended.
fn run(arguments: &[&str], file: &Path) -> Option<Run> {
    let errors = file.with_extension("stderr");
    let start = Instant::now();
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {ADDRESS_SPACE_KIB}; ulimit -t {MAX_SECS}; exec \"$0\" \"$@\""
        ))
        .arg(env!("CARGO_BIN_EXE_rigscope"))
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&errors).unwrap())
        .spawn()
        .unwrap();
    // The kernel keeps the high-water mark until the process ends, and memory is not filled in less than a millisecond.
    let status_file = format!("/proc/{}/status", child.id());
    let stat_file = format!("/proc/{}/stat", child.id());
    let (mut peak, mut time) = (0, Duration::ZERO);
    let status = loop {
        let stat = fs::read_to_string(&stat_file).unwrap_or_default();
        time = time.max(processor_time(&stat).unwrap_or_default());
        let text = fs::read_to_string(&status_file).unwrap_or_default();
        let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = mark.and_then(|mark| mark.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) << 10);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > GIVE_UP {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    };
    let stderr = String::from_utf8_lossy(&fs::read(&errors).unwrap()).into_owned();
    let _ = fs::remove_file(errors);
    Some(Run {
        status,
        stderr,
        time,
        peak,
    })
}

/// The time that a process has computed by its `/proc/PID/stat`: fields 14 and 15, in hundredths of a second.
fn processor_time(stat: &str) -> Option<Duration> {
    // The name, which comes second, may hold anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (next()? + next()?)))
}

/// What all processes together were like.
#[derive(Debug, Default)]
struct Summary {
    files: usize,
    processes: usize,
    refused: usize,
    slowest: (Duration, String),
    largest: (u64, String),
    faults: Vec<String>,
}

impl Summary {
    /// Runs the commands that users have on a file; `size` is what all its files have together.
    fn look_at(&mut self, file: &Path, size: usize, label: &str) {
        self.files += 1;
        let check = ["check", "--json"];
        // The text of millions of vertices is large, whatever the file is.
        let clip = ["pose", "--time", "0.37", "--clip", "0"];
        let bytes = fs::read(file).unwrap();
        let has_clips = bytes.windows(12).any(|window| window == b"\"animations\"");
        let pose = if has_clips { &clip[..] } else { &clip[..1] };
        for arguments in [&check[..], pose] {
            let result = run(arguments, file);
            self.processes += 1;
            let label = format!("{label}: {}", arguments[0]);
            match result {
                None => self.faults.push(format!("{label} hangs")),
                Some(run) => self.judge(&run, size, &label),
            }
        }
    }

    fn judge(&mut self, run: &Run, size: usize, label: &str) {
        let Run {
            status,
            stderr,
            time,
            peak,
        } = run;
        let mut fault = |what: String| self.faults.push(format!("{label} {what}"));
        if !matches!(status.code(), Some(0..=2)) {
            fault(format!("ends with {status}: {stderr}"));
        } else if stderr.contains("panicked") || stderr.contains(CAUGHT) {
            fault(format!("panics: {stderr}"));
        }
        if *time > SLOW {
            fault(format!("takes {time:?}"));
        }
        if *peak > most_memory(size) {
            fault(format!("takes {} MiB for {size} bytes", peak >> 20));
        }
        if env::var_os("RIGSCOPE_VERBOSE").is_some() {
            println!("{label}: {status}, {time:?}, {} MiB", peak >> 20);
        }
        self.refused += usize::from(status.code() == Some(2));
        self.slowest = self.slowest.clone().max((*time, label.to_owned()));
        self.largest = self.largest.clone().max((*peak, label.to_owned()));
    }

    fn finish(self) {
        println!(
            "files {}, processes {}, with errors {}, slowest {:?}, largest {} MiB: {}",
            self.files,
            self.processes,
            self.refused,
            self.slowest,
            self.largest.0 >> 20,
            self.largest.1
        );
        let faults = self.faults;
        assert!(
            faults.is_empty(),
            "{}:\n{}",
            faults.len(),
            faults.join("\n")
        );
    }
}

/// A model file, and the files it names, by their paths in its folder.
struct Seed {
    name: String,
    bytes: Vec<u8>,
    others: Vec<(String, Vec<u8>)>,
}

impl Seed {
    /// None if it is too large, or needs a file that is not there.
    fn read(path: &Path) -> Option<Self> {
        let is_small = |path: &Path| fs::metadata(path).is_ok_and(|it| it.len() <= LARGEST as u64);
        if !is_small(path) {
            return None;
        }
        let bytes = fs::read(path).ok().filter(|bytes| !bytes.is_empty())?;
        let mut others = Vec::new();
        let document: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
        for section in ["buffers", "images"] {
            for object in document[section].as_array().into_iter().flatten() {
                let Some(uri) = object["uri"].as_str().filter(|it| !it.contains(':')) else {
                    continue;
                };
                let other = path.parent()?.join(uri);
                if !is_small(&other) || uri.contains("..") {
                    return None;
                }
                others.push((uri.to_owned(), fs::read(other).ok()?));
            }
        }
        Some(Self {
            name: path.file_name()?.to_string_lossy().into_owned(),
            bytes,
            others,
        })
    }

    /// Writes the files, one of them damaged; the result is the model file, and the bytes of all.
    fn write_damaged(&self, folder: &Path, rng: &mut Rng) -> (PathBuf, usize) {
        let damaged = rng.index(self.others.len() + 3);
        let mut size = 0;
        let mut write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
            size += bytes.len();
            path
        };
        for (index, (name, bytes)) in self.others.iter().enumerate() {
            if index == damaged {
                write(name, &damage(bytes, rng));
            } else {
                write(name, bytes);
            }
        }
        let model = if damaged < self.others.len() {
            write(&self.name, &self.bytes)
        } else {
            write(&self.name, &damage(&self.bytes, rng))
        };
        (model, size)
    }
}

/// The built-in models, and all small files of the corpus.
fn seeds() -> Vec<Seed> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut paths = vec![assets.join("windmill.glb")];
    if let Some(corpus) = env::var_os("RIGSCOPE_CORPUS").map(PathBuf::from) {
        let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
        let names = manifest
            .lines()
            .skip(1)
            .filter_map(|line| line.split('\t').next());
        paths.extend(names.map(|name| corpus.join("files").join(name)));
    }
    paths.iter().filter_map(|path| Seed::read(path)).collect()
}

fn number(variable: &str, default: usize) -> usize {
    let text = env::var(variable).unwrap_or_default();
    text.parse().unwrap_or(default)
}

#[test]
fn damaged_files_do_no_harm() {
    let (count, seed) = (
        number("RIGSCOPE_MUTATIONS", SMALL_RUN),
        number("RIGSCOPE_SEED", 1),
    );
    let seeds = seeds();
    println!("{} files to damage, seed {seed}", seeds.len());
    let kept = artefacts("mutations");
    let mut summary = Summary::default();
    for round in 0..count {
        // A generator of its own for each, so that one can be made again without the others.
        let mut rng = Rng::new((seed as u64) << 32 | round as u64);
        let original = &seeds[rng.index(seeds.len())];
        let folder = kept.join(format!("{seed}-{round}"));
        let _ = fs::remove_dir_all(&folder);
        let (model, size) = original.write_damaged(&folder, &mut rng);
        let faults = summary.faults.len();
        summary.look_at(
            &model,
            size,
            &format!("{}/{}", folder.display(), original.name),
        );
        if summary.faults.len() == faults {
            fs::remove_dir_all(&folder).unwrap();
        }
    }
    summary.finish();
}

/// Two at a time: what counts is the time of the processor.
#[test]
fn bombs_do_no_harm() {
    let folder = artefacts("mutations/bombs");
    let bombs = Mutex::new(bombs().into_iter());
    let next = || bombs.lock().unwrap().next();
    let set_off_the_next = || {
        let mut summary = Summary::default();
        while let Some((name, bytes)) = next() {
            let file = folder.join(name);
            fs::write(&file, &bytes).unwrap();
            summary.look_at(&file, bytes.len(), name);
        }
        summary.finish();
    };
    thread::scope(|scope| {
        scope.spawn(set_off_the_next);
        scope.spawn(set_off_the_next);
    });
}

/// More names in one folder than are looked at, and images that are none of them.
#[test]
fn folders_of_many_files_do_no_harm() {
    const FILES: usize = 66_000;
    let folder = artefacts("mutations/names");
    for file in 0..FILES {
        fs::write(folder.join(format!("{file}.txt")), b"").unwrap();
    }
    let images: Vec<_> = (0..400)
        .map(|image| serde_json::json!({"uri": format!("{image}.png")}))
        .collect();
    let document = serde_json::json!({"asset": {"version": "2.0"}, "images": images});
    let file = folder.join("many.gltf");
    let text = document.to_string();
    fs::write(&file, &text).unwrap();
    let mut summary = Summary::default();
    summary.look_at(&file, text.len(), "names");
    let _ = fs::remove_dir_all(folder);
    summary.finish();
}

/// A file that takes no room on disk, and of which a model says that it is short.
#[test]
fn files_of_nothing_do_no_harm() {
    let folder = artefacts("mutations/nothing");
    let nothing = fs::File::create(folder.join("nothing.bin")).unwrap();
    nothing.set_len(1 << 30).unwrap();
    let uri = "nothing.bin";
    let documents = [
        serde_json::json!({"asset": {"version": "2.0"}, "images": [{"uri": uri}, {"uri": uri}]}),
        serde_json::json!({
            "asset": {"version": "2.0"},
            "buffers": [{"uri": uri, "byteLength": 1}, {"uri": uri, "byteLength": 1}],
            "bufferViews": [{"buffer": 0, "byteLength": 1}],
            "accessors": [{"bufferView": 0, "componentType": 5121, "type": "SCALAR", "count": 1}],
        }),
    ];
    let mut summary = Summary::default();
    for (place, document) in documents.iter().enumerate() {
        let file = folder.join(format!("{place}.gltf"));
        let text = document.to_string();
        fs::write(&file, &text).unwrap();
        summary.look_at(&file, text.len(), "nothing");
    }
    let _ = fs::remove_dir_all(folder);
    summary.finish();
}

#[test]
fn hostile_files_do_no_harm() {
    let Some(hostile) = hostile_folder() else {
        return;
    };
    let mut summary = Summary::default();
    let mut entries: Vec<_> = fs::read_dir(hostile)
        .unwrap()
        .flatten()
        .map(|it| it.path())
        .collect();
    entries.sort();
    for path in entries {
        let size = fs::metadata(&path).unwrap().len() as usize;
        summary.look_at(&path, size, &path.display().to_string());
    }
    summary.finish();
}
