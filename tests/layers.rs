//! Holds `src` to the table of layers in ARCHITECTURE.md: which part may name which other part, and which packages.
//! Rules about source text belong here: they read it as tokens, so comments and strings do not count, and grouped imports
//! and paths in the middle of an expression do. The checker itself is tested on made-up sources at the end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

use std::path::{Path, PathBuf};
use std::{collections::HashSet, fs};

#[path = "layers/documents.rs"]
mod documents;
#[path = "layers/fuzz.rs"]
mod fuzz;
#[path = "layers/made_up.rs"]
mod made_up;
#[path = "layers/source.rs"]
mod source;
#[path = "layers/text.rs"]
mod text;
use source::{module_path, paths, tokens};

/// One row of the table.
struct Layer {
    name: &'static str,
    /// Whole layers, or single items of one.
    layers: Allowed,
    packages: Allowed,
}

#[derive(Clone, Copy)]
enum Allowed {
    All,
    Only(&'static [&'static str]),
}
use Allowed::{All, Only};

impl Allowed {
    fn has(self, name: &str) -> bool {
        match self {
            All => true,
            Only(names) => names.contains(&name),
        }
    }
}

/// What our own tangents are compared with, in tests alone.
const IN_TESTS: &str = "bevy_mikktspace";

/// Packages that no other layers use, be they allowed all: beside the roots, and the painter for its own.
const EXCLUSIVE: [(&str, &str); 9] = [
    ("gltf", "import"),
    ("winit", "app"),
    ("x11rb", "app"),
    ("rfd", "app"),
    ("notify", "app"),
    ("etcetera", "app"),
    ("signal_hook", "app"),
    ("clap", "cli"),
    ("clap_complete", "cli"),
];

const TABLE: [Layer; 10] = [
    Layer {
        name: "model",
        layers: Only(&[]),
        packages: Only(&["glam"]),
    },
    Layer {
        name: "import",
        // How the doctor finds that a clip does not meet its beginning, and that vertices follow a joint by mistake.
        layers: Only(&[
            "model",
            "anim::LoopSeam",
            "anim::MisplacedWeights",
            "anim::StrayWeights",
        ]),
        packages: Only(&[
            "gltf",
            "serde",
            "serde_json",
            "glam",
            "image",
            "exr",
            "base64",
            "draco_core",
            "basisu",
            "ruzstd",
            IN_TESTS,
            "flate2",
            // PNGs.
            "fdeflate",
            "fearless_simd",
            "libc",
            "rawzip",
            "unicode_normalization",
            "anyhow",
            "log",
        ]),
    },
    Layer {
        name: "anim",
        layers: Only(&["model"]),
        // The last three for crowds alone.
        packages: Only(&["glam", "bytemuck", "fearless_simd", "rayon"]),
    },
    Layer {
        name: "scene",
        layers: Only(&["model", "anim"]),
        packages: Only(&["glam"]),
    },
    Layer {
        name: "render",
        layers: Only(&[
            "model",
            "scene",
            // What a frame carries to the GPU, made by `anim`.
            "anim::ActiveMorph",
            "anim::InstanceRecord",
            "anim::Palette",
            "anim::PaletteForm",
            "anim::PaletteLayout",
            "anim::Placement",
            // Where a crowd writes its matrices.
            "anim::crowd",
        ]),
        packages: Only(&[
            "wgpu", "bytemuck", "glam", "half", "pollster", "anyhow", "log",
        ]),
    },
    Layer {
        name: "export",
        layers: Only(&["model", "anim"]),
        packages: Only(&[
            "glam",
            "serde",
            "serde_json",
            "base64",
            "image",
            "anyhow",
            "log",
        ]),
    },
    Layer {
        name: "output",
        layers: Only(&[
            "model::Keyed",
            "render::Picture",
            "scene::linear_from_srgb",
            "scene::srgb_from_linear",
        ]),
        packages: Only(&[
            "image",
            "image_webp",
            "png",
            "gif",
            "color_quant",
            "anyhow",
            "log",
        ]),
    },
    Layer {
        name: "ui",
        // Plain values of the view: which loop mode is on, what is drawn of surfaces, and in which light.
        layers: Only(&[
            "anim::LoopMode",
            "anim::MAX_SPEED",
            "anim::PosingPart",
            "anim::PosingSpace",
            "anim::USUAL_FRAME_RATE",
            "model::Keyed",
            "scene::Backdrop",
            "scene::BoneShape",
            "scene::Choice",
            "scene::FIRST_GHOST_COLOR",
            "scene::GHOST_COLOR",
            "scene::ControlJoints",
            "scene::Inspectable",
            "scene::JointChoice",
            "scene::LightSettings",
            "scene::Quality",
            "scene::ReferencePose",
            "scene::Side",
            "scene::SkeletonSettings",
            "scene::Split",
            "scene::SplitWay",
            "scene::SurfaceLines",
            "scene::ToneCurve",
            "scene::Transparency",
            "scene::ViewMode",
            "scene::WeightColors",
            "scene::srgb_from_linear",
        ]),
        packages: Only(&["egui"]),
    },
    Layer {
        name: "app",
        layers: Only(&[
            "model", "import", "anim", "scene", "render", "export", "output", "ui",
        ]),
        packages: All,
    },
    Layer {
        name: "cli",
        layers: All,
        packages: All,
    },
];

/// What alone glues egui to the window, the GPU and the system's screen readers.
const PAINTER: (&str, &[&str]) = (
    "ui/painter",
    &["egui_wgpu", "egui_winit", "wgpu", "winit", "anyhow", "log"],
);

/// The folders of `import`: each may use those above it, and never those below, nor what ties them together at the root.
/// Tests may use all.
const IMPORT: [&str; 11] = [
    "base", "files", "decode", "numbers", "json", "arrays", "surface", "scene", "geometry",
    "motion", "findings",
];

/// The crate's own roots: they tie the layers together.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

const MAX_LINES: usize = 500;

#[test]
fn layers_name_only_what_the_table_allows() {
    let packages = packages(&read(&project().join("Cargo.toml")));
    assert!(
        packages.contains("wgpu") && packages.contains("egui_winit"),
        "Cargo.toml was read: {packages:?}"
    );
    let src = project().join("src");
    let mut found = Vec::new();
    for file in files_under(&src, &["rs"]) {
        let name = name_below(&src, &file);
        found.extend(layer_violations(&name, &read(&file), &packages));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn folders_of_import_use_only_those_above_them() {
    let src = project().join("src");
    let mut found = Vec::new();
    for folder in IMPORT {
        let files = files_under(&src.join("import").join(folder), &["rs"]);
        assert!(!files.is_empty(), "there is no src/import/{folder}");
    }
    for file in files_under(&src.join("import"), &["rs"]) {
        found.extend(import_violations(&name_below(&src, &file), &read(&file)));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// Lints hold for the module that states them and all below it, unless one of these makes an exception.
#[test]
fn import_forbids_what_panics() {
    let folder = project().join("src/import");
    let root = read(&folder.join("mod.rs"));
    let (_, denied) = root.split_once("#![deny(").unwrap();
    let (denied, _) = denied.split_once(")]").unwrap();
    let lints = ["unwrap_used", "expect_used", "panic", "indexing_slicing"];
    for lint in lints.iter().chain(&["arithmetic_side_effects"]) {
        assert!(denied.contains(&format!("clippy::{lint}")), "{lint}");
    }
    for file in files_under(&folder, &["rs"]) {
        let text = read(&file);
        let is_excepted = |lint: &&str| text.contains(&format!("clippy::{lint}"));
        let found: Vec<_> = lints.iter().filter(|lint| is_excepted(lint)).collect();
        assert!(
            file.ends_with("import/mod.rs") || found.is_empty(),
            "{}: {found:?}",
            file.display()
        );
    }
}

#[test]
fn files_stay_short_and_say_what_they_are() {
    let mut found = Vec::new();
    for folder in ["src", "tests", "shaders", "examples", "benches"] {
        for file in files_under(&project().join(folder), &["rs", "wgsl"]) {
            let name = file.strip_prefix(project()).unwrap().display().to_string();
            found.extend(text_violations(&name, &read(&file)));
        }
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn twins_are_where_comments_say() {
    let (mut count, mut lost) = (0, Vec::new());
    for folder in ["src", "shaders"] {
        for file in files_under(&project().join(folder), &["rs", "wgsl"]) {
            let (name, source) = (name_below(&project(), &file), read(&file));
            count += text::twins(&source).len();
            lost.extend(text::lost_twins(&name, &source, &project()));
        }
    }
    assert!(lost.is_empty(), "\n{}\n", lost.join("\n"));
    assert!(count > 20, "{count} twins");
}

#[test]
fn modules_with_files_of_their_own_are_folders() {
    let files = files_under(&project().join("src"), &["rs"]);
    let beside = files.iter().find(|file| file.with_extension("").is_dir());
    assert_eq!(beside, None, "it belongs into its folder, as mod.rs");
}

/// What the file at `name` (relative to `src`) uses and may not.
fn layer_violations(name: &str, source: &str, packages: &HashSet<String>) -> Vec<String> {
    if ROOTS.contains(&name) {
        return Vec::new();
    }
    let own_layer = name.split(['/', '.']).next().unwrap_or_default();
    let Some(row) = TABLE.iter().find(|row| row.name == own_layer) else {
        return vec![format!(
            "src/{name}: `{own_layer}` is no layer of the table in tests/layers.rs"
        )];
    };
    let is_painter = name.strip_suffix(".rs").unwrap_or(name) == PAINTER.0
        || name.starts_with(&format!("{}/", PAINTER.0));
    let tokens = tokens(source);
    let paths = paths(&tokens, &module_path(name));
    let mut found = Vec::new();
    for path in &paths.all {
        let at = format!("src/{name}:{}: `{own_layer}`", path.line);
        match path.segments.first().map(String::as_str) {
            Some("crate") => {
                let layer = path.segments.get(1).map_or("", String::as_str);
                let is_layer = TABLE.iter().any(|row| row.name == layer);
                let item = path.segments[1..].iter().take(2);
                let item = item.map(String::as_str).collect::<Vec<_>>().join("::");
                let allowed = row.layers.has(layer) || row.layers.has(&item);
                if layer != own_layer && !allowed && (is_layer || layer == "*") {
                    found.push(format!("{at} may not use the layer `{layer}`: `{item}`"));
                }
            }
            Some(package) if packages.contains(package) => {
                let allowed =
                    row.packages.has(package) || (is_painter && PAINTER.1.contains(&package));
                let is_others = |(of, layer): &(&str, &str)| *of == package && *layer != own_layer;
                let is_exclusive = EXCLUSIVE.iter().any(is_others) && !is_painter;
                let allowed = allowed && !is_exclusive;
                let shadowed = !path.is_import && paths.local_names.contains(package);
                if !allowed && !shadowed {
                    found.push(format!("{at} may not use the package `{package}`"));
                }
            }
            _ => {}
        }
        let reads_clock = path.segments.ends_with(&["Instant".into(), "now".into()])
            || path
                .segments
                .ends_with(&["SystemTime".into(), "now".into()]);
        let may_read_clock = own_layer == "app" || path.is_test;
        if reads_clock && !may_read_clock {
            found.push(format!(
                "{at} may not read the system clock: only `app` does"
            ));
        }
    }
    found.dedup();
    found
}

/// What the file at `name` (relative to `src`), in a folder of `import`, uses of others there and may not.
fn import_violations(name: &str, source: &str) -> Vec<String> {
    let ["import", own, _, ..] = name.split('/').collect::<Vec<_>>()[..] else {
        return Vec::new();
    };
    let Some(own_place) = IMPORT.iter().position(|folder| *folder == own) else {
        return vec![format!(
            "src/{name}: `{own}` is no folder of `IMPORT` in tests/layers.rs"
        )];
    };
    let mut found = Vec::new();
    for path in paths(&tokens(source), &module_path(name)).all {
        let segments: Vec<_> = path.segments.iter().map(String::as_str).collect();
        let used = match segments[..] {
            ["crate", "import", used, ..] => used,
            // What is not imported says how far something can be seen: `pub(in crate::import)`.
            ["crate", "import"] if path.is_import => "*",
            _ => continue,
        };
        let place = IMPORT.iter().position(|folder| *folder == used);
        if !path.is_test && place.is_none_or(|place| place > own_place) {
            found.push(format!(
                "src/{name}:{}: `{own}` may not use `import::{used}`, which is not above it",
                path.line
            ));
        }
    }
    found.dedup();
    found
}

/// What is wrong with the text of a file, whatever layer it is in.
fn text_violations(name: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = source.lines().count();
    if lines > MAX_LINES {
        found.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
    let opening = if name.ends_with(".rs") { "//!" } else { "//" };
    if !source.starts_with(opening) {
        found.push(format!(
            "{name}: the first line does not say what the file is (`{opening} ...`)"
        ));
    }
    found.extend(text::leaning(name, source));
    if name.ends_with(".rs") {
        for pair in tokens(source).windows(2) {
            if let ["dbg" | "todo" | "unimplemented", "!"] =
                [pair[0].text.as_str(), pair[1].text.as_str()]
            {
                found.push(format!(
                    "{name}:{}: {}! is for drafts",
                    pair[0].line, pair[0].text
                ));
            }
        }
    }
    found
}

/// The packages that Cargo.toml names, as they are written in Rust.
fn packages(manifest: &str) -> HashSet<String> {
    let mut is_dependencies = false;
    let mut names = HashSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_dependencies = line.ends_with("dependencies]");
        } else if let (true, Some((name, _))) = (is_dependencies, line.split_once('=')) {
            names.insert(name.trim().trim_matches('"').replace('-', "_"));
        }
    }
    names
}

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The path of a file below `folder`, with slashes.
fn name_below(folder: &Path, file: &Path) -> String {
    let name = file.strip_prefix(folder).unwrap().to_string_lossy();
    name.replace('\\', "/")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below `folder` with one of these extensions, in the order of their names; none when there is no such folder.
fn files_under(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(files_under(&path, extensions));
        } else if path
            .extension()
            .is_some_and(|found| extensions.iter().any(|wanted| found == *wanted))
        {
            files.push(path);
        }
    }
    files
}
