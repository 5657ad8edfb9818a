//! What packages and shells want to know of the command line: completions, and pages of the manual.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Arguments, print_text};

/// Arguments of `completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionArguments {
    /// Whose
    pub shell: Shell,
}

/// Arguments of `manual`.
#[derive(Debug, Clone, Args)]
pub struct ManualArguments {
    /// The folder where the pages go; it is made if it is not there
    pub folder: PathBuf,
}

/// Prints what a shell needs to complete the command line.
pub fn print_completions(arguments: &CompletionArguments) -> anyhow::Result<()> {
    let mut text = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "rigscope", &mut text);
    print_text(&String::from_utf8_lossy(&text))
}

/// Writes a page for the program, and one for each command.
pub fn write_manual(arguments: &ManualArguments) -> anyhow::Result<()> {
    let folder: &Path = &arguments.folder;
    let written = fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), folder));
    written.with_context(|| format!("the manual cannot be written to {}", folder.display()))
}
