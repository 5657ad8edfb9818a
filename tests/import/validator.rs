//! The verdicts of the Khronos validator on the corpus, and ours beside them.

use std::collections::{BTreeMap, BTreeSet};

use rigscope::import::Severity;

use super::corpus::{errors, folder, load, table};

/// Files with errors that are loaded without one, with the reason.
const MISSED: &[(&str, &str)] = &[
    (
        "gltf-pipeline/extensions/EXT_meshopt_compression/meshopt-fallback/meshopt-fallback.gltf",
        "the validator reads the fallback, whose normals are short; those that were compressed are not",
    ),
    (
        "gltf-pipeline/extensions/KHR_meshopt_compression/meshopt-fallback/meshopt-fallback.gltf",
        "as before",
    ),
];

/// Pairs of a file and a code of the validator that is reported here too, at the least.
const SAME_CODES: usize = 392;

#[test]
fn agrees_with_the_validator() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS", "corpus") else {
        return;
    };
    let (mut valid, mut clean, mut refused) = (0, 0, Vec::new());
    let (mut faulty, mut missed, mut wronged) = (0, Vec::new(), Vec::new());
    let (mut same, mut all) = (0, 0);
    let mut other_codes: BTreeMap<String, usize> = BTreeMap::new();
    for (name, verdict) in table(&corpus.join("VALIDATOR.tsv")) {
        let (result, _) = load(&corpus.join("files").join(&name));
        if verdict["errors"] == "0" {
            valid += 1;
            match &result {
                Ok(import) if errors(import).is_empty() => clean += 1,
                Ok(import) => wronged.push(format!("{name}: {}", errors(import)[0])),
                Err(error) => refused.push(format!("{name}: {error:#}")),
            }
            continue;
        }
        faulty += 1;
        let Ok(import) = result else {
            continue;
        };
        let diagnostics = import.diagnostics.iter();
        let ours: BTreeSet<_> = diagnostics
            .filter(|found| found.severity == Severity::Error)
            .map(|found| found.code)
            .collect();
        if ours.is_empty() {
            missed.push((name, verdict["codes"].clone()));
            continue;
        }
        for code in verdict["codes"].split(',') {
            all += 1;
            if ours.contains(code) {
                same += 1;
            } else {
                *other_codes.entry(code.to_owned()).or_default() += 1;
                println!("{name}: no {code}, but {ours:?}");
            }
        }
    }
    println!("valid files {valid}, of which without an error {clean}");
    println!("  refused {}: {refused:#?}", refused.len());
    println!("  with an error of ours {}: {wronged:#?}", wronged.len());
    println!(
        "faulty files {faulty}, of which without an error {}: {missed:#?}",
        missed.len()
    );
    println!("codes of the validator in files that are loaded {all}, of which ours too {same}");
    println!("  others {other_codes:#?}");
    assert!(wronged.is_empty());
    assert!(refused.is_empty());
    assert!(same >= SAME_CODES);
    let known: Vec<_> = MISSED.iter().map(|(name, _)| *name).collect();
    let missed: Vec<_> = missed.iter().map(|(name, _)| &**name).collect();
    assert_eq!(missed, known);
}
