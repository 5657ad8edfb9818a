//! What packages and shells want to know of the command line: completions, and pages of the manual.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{ArgAction, Args, Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

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
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let commands = command.get_subcommands().filter(|it| !it.is_hide_set());
    let mut written = fs::create_dir_all(folder);
    for command in commands.chain([&command]) {
        written = written.and_then(|()| write_page(command, folder));
    }
    written.with_context(|| format!("the manual cannot be written to {}", folder.display()))
}

fn write_page(command: &Command, folder: &Path) -> io::Result<()> {
    let source = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let manual = Man::new(command.clone()).source(source);
    let mut page = Vec::new();
    manual.render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    for argument in command.get_positionals() {
        let names = argument.get_value_names().unwrap_or_default();
        if matches!(argument.get_action(), ArgAction::Append) {
            for (before, after) in [("[", "]"), ("<", ">")] {
                let one = format!("{before}\\fI{}\\fR{after}", names.join(" "));
                page = page.replace(&one, &format!("{one}..."));
            }
        }
    }
    fs::write(folder.join(manual.get_filename()), with_exit_status(&page))
}

/// A page whose exit codes, which help ends with, have the heading that is customary.
fn with_exit_status(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\nExit codes: ") else {
        return page.to_owned();
    };
    let (codes, after) = extra.split_once('\n').unwrap_or((extra, ""));
    let notes = match after.is_empty() || after.starts_with(".SH ") {
        true => "",
        false => ".SH NOTES\n",
    };
    format!("{before}.SH \"EXIT STATUS\"\n{codes}\n{notes}{after}")
}
