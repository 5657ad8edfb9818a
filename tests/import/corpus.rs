//! Loads every file of the corpus and of the hostile folder, and compares what comes out with the manifests.

use std::{
    collections::{BTreeMap, HashMap},
    env, fs,
    path::Path,
    time::{Duration, Instant},
};

use rigscope::{
    import::{self, Consent, Import, Progress, Severity},
    model::Clip,
};

use super::{file::loaded_or_refused, invariants};
use crate::{
    common::{folder, hostile_folder},
    mutator::{Rng, damage},
};

/// What no load takes that ends: most take milliseconds, and a hundred times as long where the machine has much else to do.
/// How long a process computes is looked at by `tests/mutations.rs`.
pub(super) const ENDLESS: Duration = Duration::from_secs(8);

/// The rows of a tab-separated file by their first column, each as column name → value.
pub(super) fn table(path: &Path) -> BTreeMap<String, HashMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().unwrap().split('\t').collect();
    let row = |line: &str| {
        let cells = line.split('\t').map(str::to_owned);
        let row: HashMap<_, _> = names
            .iter()
            .map(|&name| name.to_owned())
            .zip(cells)
            .collect();
        (row[names[0]].clone(), row)
    };
    lines.map(row).collect()
}

pub(crate) fn load(path: &Path) -> (anyhow::Result<Import>, Duration) {
    let start = Instant::now();
    // As `rigscope check` does: what is required and unknown is no fault of the file.
    let consent = Consent {
        unknown_features: true,
        ..Consent::default()
    };
    let result = import::open(&[path.to_owned()], &consent, &Progress::default());
    (result, start.elapsed())
}

pub(super) fn errors(import: &Import) -> Vec<String> {
    let diagnostics = import.diagnostics.iter();
    diagnostics
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(ToString::to_string)
        .collect()
}

#[test]
fn reads_the_corpus() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let manifest = table(&corpus.join("MANIFEST.tsv"));
    let verdicts = table(&corpus.join("VALIDATOR.tsv"));
    let (mut loaded, mut refused, mut clean) = (0, 0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    let mut faults = Vec::new();
    let mut features: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (name, row) in &manifest {
        let (result, elapsed) = load(&corpus.join("files").join(name));
        if elapsed > slowest.0 {
            slowest = (elapsed, name.clone());
        }
        let verdict = &verdicts[name];
        let is_valid = verdict["errors"] == "0";
        let is_clean = result
            .as_ref()
            .is_ok_and(|import| errors(import).is_empty());
        for feature in row["features"].split(',').filter(|it| !it.is_empty()) {
            let counts = features.entry(feature).or_default();
            counts[0] += 1;
            counts[1] += usize::from(is_valid);
            counts[2] += usize::from(is_valid && is_clean);
        }
        match &result {
            Ok(import) => {
                loaded += 1;
                invariants::check(&import.model);
                let errors = errors(import);
                if is_valid && !errors.is_empty() {
                    faults.push(format!("{name}: valid, but {}", errors[0]));
                }
                clean += i32::from(is_valid && errors.is_empty());
                faults.extend(compare(name, row, import));
            }
            Err(error) => {
                refused += 1;
                if is_valid {
                    faults.push(format!("{name}: valid, but {error:#}"));
                }
                println!("refused {name}: {error:#}");
            }
        }
    }
    println!("| feature | files | without errors | of these loaded without |");
    println!("|---|---|---|---|");
    for (feature, [files, valid, clean]) in features {
        println!("| {feature} | {files} | {valid} | {clean} |");
    }
    println!(
        "files {}, loaded {loaded}, refused {refused}",
        manifest.len()
    );
    println!("valid files without an error {clean}");
    println!("slowest {} ms: {}", slowest.0.as_millis(), slowest.1);
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// What differs from the manifest.
fn compare(name: &str, row: &HashMap<String, String>, import: &Import) -> Vec<String> {
    let model = &import.model;
    // What is not quite JSON the manifest does not count.
    if import
        .diagnostics
        .iter()
        .any(|it| it.code == "INVALID_JSON")
        && row["nodes"].is_empty()
    {
        return Vec::new();
    }
    // A placeholder for textures without an image comes last and has no name.
    let last = model.images.last();
    let is_added = last.is_some_and(|image| image.is_placeholder && image.name.is_empty());
    let is_added = is_added && row["images"] != model.images.len().to_string();
    let found = [
        ("nodes", model.hierarchy.len()),
        ("meshes", model.meshes.len()),
        ("skins", model.skins.len()),
        ("animations", model.clips.len()),
        ("materials", model.materials.len() - 1),
        ("images", model.images.len() - usize::from(is_added)),
        ("cameras", model.cameras.len()),
    ];
    // Where something was lost, a channel cannot be played yet or an encoder split vertices, the counts are others.
    let is_whole = import.diagnostics.iter().all(|found| {
        found.severity > Severity::Warning
            && !found.pointer.starts_with("/animations")
            && found.code != "COMPRESSED_LENGTH_MISMATCH"
    });
    let details = [
        ("vertices", model.vertex_count()),
        ("channels", model.clips.iter().map(Clip::track_count).sum()),
        (
            "max_joints",
            model
                .skins
                .iter()
                .map(|skin| skin.joints.len())
                .max()
                .unwrap_or(0),
        ),
    ];
    let found = found
        .into_iter()
        .chain(details.into_iter().filter(|_| is_whole));
    let differs = |&(column, found): &(&str, usize)| row[column] != found.to_string();
    let differing = found.filter(differs);
    differing
        .map(|(column, found)| format!("{name}: {found} {column}, expected {}", row[column]))
        .collect()
}

#[test]
fn survives_the_hostile_files() {
    let Some(hostile) = hostile_folder() else {
        return;
    };
    for (name, row) in table(&hostile.join("INDEX.tsv")) {
        let (result, elapsed) = load(&hostile.join(&name));
        let result = loaded_or_refused(result);
        match &result {
            Ok(import) => {
                let count = import.model.triangle_count();
                println!("{name} ({}): {count} triangles", row["what"]);
                for diagnostic in &import.diagnostics {
                    println!("    {diagnostic}");
                }
            }
            Err(error) => println!("{name} ({}): {error}", row["what"]),
        }
        if row["expected"] == "show" {
            assert!(result.unwrap().model.triangle_count() > 0, "{name}");
        }
        assert!(elapsed < ENDLESS, "{name}: {elapsed:?}");
    }
}

/// A pseudo-random number generator (xorshift, Marsaglia 2003), so that failures can be repeated.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// `RIGSCOPE_ROUNDS` says how many damaged files are made of each small file; `RIGSCOPE_SEED` how to start. Whole
/// processes are looked at by `tests/mutations.rs`; this is about what a damaged model guarantees.
#[test]
fn survives_damaged_files() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let number = |variable, default| {
        let text = env::var(variable).unwrap_or_default();
        text.parse().unwrap_or(default)
    };
    let (rounds, seed) = (number("RIGSCOPE_ROUNDS", 4), number("RIGSCOPE_SEED", 1));
    let mut rng = Rng::new(seed);
    let (mut tried, mut loaded) = (0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    for name in table(&corpus.join("MANIFEST.tsv")).keys() {
        let original = fs::read(corpus.join("files").join(name)).unwrap();
        if original.is_empty() || original.len() > 64 << 10 {
            continue;
        }
        for round in 0..rounds {
            let bytes = damage(&original, &mut rng);
            let label = format!("{name} round {round}");
            let start = Instant::now();
            let result = import::load_bytes(name, &bytes, &Progress::default());
            let elapsed = start.elapsed();
            let result = std::panic::catch_unwind(|| loaded_or_refused(result).is_ok());
            let Ok(is_loaded) = result else {
                let copy = env::temp_dir().join("rigscope-damaged");
                fs::write(&copy, &bytes).unwrap();
                panic!("{label} with seed {seed}; it is kept as {}", copy.display());
            };
            loaded += usize::from(is_loaded);
            tried += 1;
            slowest = slowest.max((elapsed, label));
        }
    }
    println!("damaged files {tried}, loaded {loaded}, slowest {slowest:?}");
    assert!(slowest.0 < ENDLESS, "{slowest:?}");
}

/// A file of the corpus.
pub(super) fn of_corpus(name: &str) -> Option<Vec<u8>> {
    let corpus = folder("RIGSCOPE_CORPUS")?;
    Some(fs::read(corpus.join("files").join(name)).unwrap())
}
