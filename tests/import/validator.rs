//! The verdicts of the Khronos validator on the corpus, and ours beside them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use rigscope::import::{self, Consent, Diagnostic, Progress, Severity};

use super::corpus::table;
use crate::common::folder;

/// Pairs of a file and a code of the validator that is reported here too, at the least.
const SAME_CODES: usize = 407;

#[test]
fn agrees_with_the_validator() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (mut valid, mut clean, mut refused) = (0, 0, Vec::new());
    let (mut faulty, mut missed, mut wronged) = (0, Vec::new(), Vec::new());
    let (mut same, mut all) = (0, 0);
    let mut other_codes: BTreeMap<String, usize> = BTreeMap::new();
    for (name, verdict) in table(&corpus.join("VALIDATOR.tsv")) {
        let result = check(&corpus.join("files").join(&name));
        if verdict["errors"] == "0" {
            valid += 1;
            match &result {
                Ok(found) if errors(found).is_empty() => clean += 1,
                Ok(found) => wronged.push(format!("{name}: {}", errors(found)[0])),
                Err(error) => refused.push(format!("{name}: {error:#}")),
            }
            continue;
        }
        faulty += 1;
        let Ok(found) = result else {
            continue;
        };
        let ours: BTreeSet<_> = errors(&found).iter().map(|found| found.code).collect();
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
    assert!(missed.is_empty());
}

/// As `rigscope check` does: what is required and unknown is no fault of the file.
fn check(path: &Path) -> anyhow::Result<Vec<Diagnostic>> {
    let consent = Consent {
        unknown_features: true,
        ..Consent::default()
    };
    import::check(&[path.to_owned()], &consent, &Progress::default())
}

fn errors(found: &[Diagnostic]) -> Vec<&Diagnostic> {
    let found = found.iter();
    found.filter(|it| it.severity == Severity::Error).collect()
}
