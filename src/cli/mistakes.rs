//! What was typed and is no command line: said so that the next try is one.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::anyhow;
use clap::{
    CommandFactory as _, Parser as _,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use super::{Arguments, as_read};
use crate::{
    app::{
        built_in,
        wanted::{nearest, or_meant},
    },
    import,
};

/// The arguments of the program; ends it where there are none to work with.
///
/// # Errors
///
/// If help was asked for and cannot be printed.
pub fn parse() -> anyhow::Result<Arguments> {
    let error = match Arguments::try_parse() {
        Ok(arguments) => return Ok(arguments),
        Err(error) => with_commands(error),
    };
    let printed = error.print().and_then(|()| io::stdout().flush());
    if !error.use_stderr() {
        as_read(printed)?;
    }
    std::process::exit(error.exit_code())
}

/// Says of an option which commands have it, where it was given to another, or to the viewer.
fn with_commands(mut error: Error) -> Error {
    let option = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => option.clone(),
        _ => return error,
    };
    let arguments = Arguments::command();
    let commands = arguments.get_subcommands().filter(|it| !it.is_hide_set());
    let with_it = commands.filter(|command| {
        let mut long = command.get_arguments().filter_map(|it| it.get_long());
        long.any(|long| option.strip_prefix("--") == Some(long))
    });
    let names: Vec<_> = with_it
        .map(|command| format!("`rigscope {}`", command.get_name()))
        .collect();
    if !names.is_empty() {
        let tip = format!("{option} is an option of {}", names.join(" and "));
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// What is wrong with files that the viewer was given: one is not there, and the first may be meant as a command.
pub fn mistake_of(given: &[PathBuf]) -> Option<anyhow::Error> {
    let mut files = given
        .iter()
        .filter(|file| built_in::name_of(file).is_none());
    let (file, error) = files.find_map(|file| Some((file, import::check_is_there(file).err()?)))?;
    Some(match word_of(file) {
        Some(word) if given.first() == Some(file) => {
            let arguments = Arguments::command();
            let commands = arguments.get_subcommands().filter(|it| !it.is_hide_set());
            let names: Vec<_> = commands.map(clap::Command::get_name).collect();
            if names.contains(&word) {
                return Some(anyhow!(
                    "there is no file {word:?}: a command stands before all options, as in `rigscope {word} ...`"
                ));
            }
            let near = nearest(word, names.into_iter());
            anyhow!(
                "there is neither a command nor a file {word:?}{}",
                or_meant(&near)
            )
        }
        _ => error,
    })
}

/// What may have been meant as a command: a word.
fn word_of(file: &Path) -> Option<&str> {
    let text = file.to_str()?;
    let is_word = text
        .chars()
        .all(|letter| letter.is_alphanumeric() || letter == '-');
    (is_word && file.extension().is_none()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(typed: &str) -> Result<Arguments, Error> {
        let words = ["rigscope"].into_iter().chain(typed.split(' '));
        Arguments::try_parse_from(words)
    }

    #[test]
    fn an_option_of_a_command_is_known_as_such() {
        let told = |typed| with_commands(parsed(typed).unwrap_err()).to_string();
        let clip = "--clip is an option of `rigscope render` and `rigscope pose`";
        for typed in ["walk.glb --clip Walk", "info walk.glb --clip Walk"] {
            let told = told(typed);
            assert!(
                told.contains(clip) && !told.contains("'-- --clip'"),
                "{told}"
            );
        }
        let told = told("walk.glb --nonsense");
        assert!(
            told.contains("--nonsense") && !told.contains("option of"),
            "{told}"
        );
    }

    /// Errors show what was typed as if it were needed, unless the usage is said.
    #[test]
    fn what_render_can_do_without_is_not_asked_for() {
        let told = parsed("render walk.glb --clip Walk").unwrap_err();
        let told = told.to_string();
        assert!(told.contains("--output <OUT>"), "{told}");
        assert!(!told.contains("<MODEL>"), "{told}");
        let help = parsed("render --help").unwrap_err().to_string();
        assert!(
            help.contains("Usage: rigscope render [OPTIONS] [MODEL] [FILE]...\n"),
            "{help}"
        );
    }

    #[test]
    fn a_mistyped_command_is_told_before_all_else() {
        let told = |typed| mistake_of(&parsed(typed).unwrap().paths()).map(|it| format!("{it:#}"));
        let chek = told("chek builtin:Pip").unwrap();
        assert_eq!(
            chek,
            "there is neither a command nor a file \"chek\"; \"check\" comes nearest"
        );
        // Behind an option it is a file.
        let info = told("--crowd 5 info builtin:Pip").unwrap();
        assert!(info.ends_with("as in `rigscope info ...`"), "{info}");
        let nothing = told("no/such.glb").unwrap();
        assert!(nothing.starts_with("no/such.glb: "), "{nothing}");
        assert!(
            told("builtin:Pip --compare no.glb")
                .unwrap()
                .starts_with("no.glb")
        );
        assert_eq!(told("builtin:Pip"), None);
        assert_eq!(told("Cargo.toml"), None);
    }
}
