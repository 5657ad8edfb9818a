//! The corpus of real files: which of them can be compared, and why the others cannot.

use std::path::{Path, PathBuf};

/// A file, and what the official validator says about it.
pub struct Entry {
    pub name: String,
    pub path: PathBuf,
    pub animated: bool,
    pub skinned_or_morphed: bool,
    /// A required extension that may change everything (glTF 2.0 §3.12).
    pub unknown_extension: Option<String>,
    /// Without errors, in the official validator's words.
    pub is_valid: bool,
    pub validator_codes: String,
}

/// What the validator calls an error and what leaves parts of the pose to taste: data or references that are not there.
/// What else is undefined, the reference finds clip by clip; all other errors do not touch the pose.
const UNDEFINED: [&str; 6] = [
    "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
    "ARRAY_TYPE_MISMATCH",
    "INVALID_INDEX",
    "IO_ERROR",
    "TYPE_MISMATCH",
    "UNRESOLVED_REFERENCE",
];

/// Compressed data is for the extensions' own tests.
const COMPRESSION: [&str; 3] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

/// All glTF 2.0 files, and how many more animated ones there are that need a compression extension.
pub fn files(folder: &Path) -> (Vec<Entry>, usize) {
    let (manifest, verdicts) = (
        table(&folder.join("MANIFEST.tsv")),
        table(&folder.join("VALIDATOR.tsv")),
    );
    let (mut entries, mut compressed) = (Vec::new(), 0);
    for row in manifest {
        let field = |name: &str| {
            row.iter()
                .find(|(key, _)| key == name)
                .map_or("", |(_, value)| value.as_str())
        };
        let number = |name: &str| field(name).parse().unwrap_or(0);
        let animated = number("animations") > 0;
        if field("version") != "2.0" || field("features").contains("malformed") {
            continue;
        }
        if COMPRESSION.iter().any(|extension| {
            field("extensionsUsed").contains(extension)
                || field("extensionsRequired").contains(extension)
        }) {
            compressed += usize::from(animated);
            continue;
        }
        let name = field("path").to_owned();
        let verdict = verdicts
            .iter()
            .find(|row| row[0].1 == name)
            .expect("a verdict for every file");
        let is_valid = verdict
            .iter()
            .any(|(key, errors)| key == "errors" && errors == "0");
        entries.push(Entry {
            is_valid,
            unknown_extension: field("extensionsRequired")
                .split(',')
                .find(|extension| !extension.is_empty() && !is_harmless(extension))
                .map(str::to_owned),
            path: folder.join("files").join(&name),
            animated,
            skinned_or_morphed: number("skins") + number("morph_targets") > 0,
            validator_codes: verdict
                .iter()
                .find(|(key, _)| key == "codes")
                .map_or("", |(_, codes)| codes)
                .to_owned(),
            name,
        });
    }
    (entries, compressed)
}

/// Extensions that may be required without touching a pose.
fn is_harmless(extension: &str) -> bool {
    let known = ["KHR_mesh_quantization", "KHR_texture_transform"];
    let families = ["KHR_lights_", "KHR_materials_"];
    known.contains(&extension) || families.iter().any(|family| extension.starts_with(family))
}

impl Entry {
    /// Why no pose of the file can be right or wrong.
    pub fn undefined(&self) -> Option<String> {
        let code = self
            .validator_codes
            .split(',')
            .find(|code| UNDEFINED.contains(code))?;
        Some(format!("the validator says {code}"))
    }
}

/// The rows of a file with tabs, each with the names of its columns.
fn table(path: &Path) -> Vec<Vec<(String, String)>> {
    let text = std::fs::read_to_string(path).expect("the corpus has its tables");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    lines
        .map(|line| {
            names
                .iter()
                .zip(line.split('\t'))
                .map(|(n, v)| ((*n).to_owned(), v.to_owned()))
                .collect()
        })
        .collect()
}
