//! What `rigscope render` writes: animations and sequences read back by other decoders, many models in one call, sheets,
//! and that nothing is left half written.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod common;
mod output {
    mod animations;
    mod batches;
    mod cameras;
    mod desktop;
    mod memory;
    mod paths;
    mod poses;
    pub(crate) mod read;
    mod scenes;
    mod sizes;
    mod targets;
}

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Parser as _;
use rigscope::cli::{Arguments, CliCommand, render};

/// A folder of its own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = common::artefacts("output").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `rigscope render` as typed; the exit code.
fn render(typed: &[&str]) -> anyhow::Result<u8> {
    let typed = ["rigscope", "render"].iter().chain(typed);
    match Arguments::try_parse_from(typed)?.command {
        Some(CliCommand::Render(arguments)) => render::run(&arguments),
        other => panic!("{other:?}"),
    }
}

/// What is in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
