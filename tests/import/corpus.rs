//! Loads every file of the corpus and of the hostile folder, and compares what comes out with the manifests.

use std::{
    collections::{BTreeMap, HashMap},
    env, fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rigscope::import::{self, Import, Progress, Severity};

/// A folder named by an environment variable; none, with a word about it, if there is no such variable.
fn folder(variable: &str, what: &str) -> Option<PathBuf> {
    match env::var_os(variable) {
        Some(folder) => Some(PathBuf::from(folder)),
        None if env::var_os("CI").is_some() => panic!("{variable} must name the {what}"),
        None => {
            println!("skipped: no {what}");
            None
        }
    }
}

/// The rows of a tab-separated file by their first column, each as column name → value.
fn table(path: &Path) -> BTreeMap<String, HashMap<String, String>> {
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

fn load(path: &Path) -> (anyhow::Result<Import>, Duration) {
    let start = Instant::now();
    let result = import::load(path, &Progress::default());
    (result, start.elapsed())
}

fn errors(import: &Import) -> Vec<String> {
    let diagnostics = import.diagnostics.iter();
    diagnostics
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(ToString::to_string)
        .collect()
}

#[test]
fn reads_the_corpus() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS", "corpus") else {
        return;
    };
    let manifest = table(&corpus.join("MANIFEST.tsv"));
    let verdicts = table(&corpus.join("VALIDATOR.tsv"));
    let (mut loaded, mut refused, mut clean) = (0, 0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    let mut faults = Vec::new();
    let (mut faulty, mut missed) = (0, Vec::new());
    for (name, row) in &manifest {
        let (result, elapsed) = load(&corpus.join("files").join(name));
        if elapsed > slowest.0 {
            slowest = (elapsed, name.clone());
        }
        let verdict = &verdicts[name];
        let is_valid = verdict["errors"] == "0";
        match &result {
            Ok(import) => {
                loaded += 1;
                let errors = errors(import);
                if is_valid && !errors.is_empty() {
                    faults.push(format!("{name}: valid, but {}", errors[0]));
                }
                clean += i32::from(is_valid && errors.is_empty());
                faults.extend(compare(name, row, import));
            }
            Err(error) => {
                refused += 1;
                if is_valid && row["extensionsRequired"].is_empty() {
                    faults.push(format!("{name}: valid, but {error:#}"));
                }
                println!("refused {name}: {error:#}");
            }
        }
        if !is_valid {
            faulty += 1;
            if result.is_ok_and(|import| errors(&import).is_empty()) {
                missed.push(format!("{name} {}", verdict["codes"]));
            }
        }
    }
    println!("{} faulty files are taken without an error:", missed.len());
    println!("  {}", missed.join("\n  "));
    println!(
        "files {}, loaded {loaded}, refused {refused}",
        manifest.len()
    );
    println!("valid files without an error {clean}");
    println!(
        "faulty files {faulty}, of which named {}",
        faulty - missed.len()
    );
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
    let found = [
        ("nodes", model.hierarchy.len()),
        ("meshes", model.meshes.len()),
        ("skins", model.skins.len()),
        ("animations", model.clips.len()),
        ("materials", model.materials.len() - 1),
        ("images", model.images.len()),
    ];
    let differs = |&(column, found): &(&str, usize)| row[column] != found.to_string();
    let differing = found.into_iter().filter(differs);
    differing
        .map(|(column, found)| format!("{name}: {found} {column}, expected {}", row[column]))
        .collect()
}
