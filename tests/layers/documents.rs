//! What documents say of the source: files that they name are there, and their table of layers is the one that is checked.

use super::{Allowed, TABLE, project, read};

/// Where the documents begin when they name a file.
const ROOTS: [&str; 5] = ["", "src", "src/import", "shaders", "tests"];

#[test]
fn documents_name_files_that_are_there() {
    let mut missing = Vec::new();
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/rendering.md"] {
        let text = read(&project().join(document));
        let names: Vec<_> = text.split('`').skip(1).step_by(2).collect();
        let files: Vec<_> = names.into_iter().filter(|name| is_file(name)).collect();
        assert!(files.len() > 3, "{document} was read: {files:?}");
        let is_there = |name: &str| {
            let mut roots = ROOTS.iter().map(|root| project().join(root));
            roots.any(|root| root.join(name).exists() || root.join(format!("{name}.rs")).exists())
        };
        let lost = files.into_iter().filter(|name| !is_there(name));
        missing.extend(lost.map(|name| format!("{document} names {name}, which is not there")));
    }
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}

/// Whether what stands in backticks is a file of the project, not a pattern nor what a build makes.
fn is_file(name: &str) -> bool {
    let ends = [".rs", ".wgsl", ".md", ".toml", ".bin"];
    let is_path = name.contains('/') || ends.iter().any(|end| name.ends_with(end));
    is_path && !name.contains([' ', '*', '~', '\n']) && !name.starts_with("target/")
}

/// The last column of each row, whose words may stand behind the part of the layer that uses them.
#[test]
fn the_table_of_the_document_names_the_packages() {
    let text = read(&project().join("ARCHITECTURE.md"));
    for layer in &TABLE {
        let Allowed::Only(packages) = layer.packages else {
            continue;
        };
        let start = format!("| `{}` |", layer.name);
        let row = text.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no row of {}", layer.name));
        let column = row.trim_end_matches('|').rsplit('|').next().unwrap();
        let words = column.split([',', ';', ':']).map(str::trim);
        let mut told: Vec<_> = words
            .filter(|word| !word.is_empty() && !word.starts_with('`') && !word.contains(' '))
            .map(|word| word.replace('-', "_"))
            .collect();
        let mut allowed: Vec<_> = packages
            .iter()
            .filter(|package| **package != super::IN_TESTS)
            .map(|package| (*package).to_owned())
            .collect();
        told.sort();
        allowed.sort();
        assert_eq!(
            told, allowed,
            "the row of {} in ARCHITECTURE.md",
            layer.name
        );
    }
}
