//! The fuzz targets have a manifest of their own, which must not drift from the project's.

use std::collections::HashSet;

use super::{Only, TABLE, project, read};

/// The fuzz targets build these layers by themselves, from the same packages.
#[test]
fn fuzz_targets_use_the_same_packages() {
    let lines = |manifest: &str| -> Vec<String> {
        let text = read(&project().join(manifest));
        text.lines().map(str::to_owned).collect()
    };
    let (ours, theirs) = (lines("Cargo.toml"), lines("fuzz/Cargo.toml"));
    let mut used: HashSet<&str> = HashSet::new();
    for layer in ["model", "import", "anim"] {
        let row = TABLE.iter().find(|row| row.name == layer).unwrap();
        if let Only(packages) = row.packages {
            used.extend(packages);
        }
    }
    for package in used {
        let name = package.replace('_', "-");
        let of = |line: &&String| {
            let key = line.split(" = ").next().unwrap_or_default();
            key == name || key == package
        };
        let line = ours.iter().find(of).unwrap_or_else(|| panic!("{package}"));
        assert!(theirs.contains(line), "fuzz/Cargo.toml has no {line}");
    }
}
