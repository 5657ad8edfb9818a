//! `rigscope check`: what is wrong with files, and what the viewer makes of it.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::{OUTSIDE, Opening, open, open_to_pose, plain, print_for_reader, print_text};
use crate::{
    anim::analysis::oddities::examine_motion,
    app::{built_in, dimmed_lights},
    import::{self, Diagnostic, Progress, Severity, is_read_on_request, legible},
    model::Model,
};

/// Arguments of `check`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong but for warnings, 1 there are warnings (--strict), 2 there are errors, or a file cannot be read"
)]
pub struct CheckArguments {
    /// The models: files, or folders or .zip archives with one each
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// Open files that a model names outside of its own folder, too (never from the net)
    #[arg(long)]
    pub allow_outside: bool,
    /// Check models that require unknown extensions, which is done by itself: for those who give it to all commands
    #[arg(long)]
    pub open_anyway: bool,
    /// Warn of what is odd in the motion of clips, too: nodes that jump or shake, feet or hands that slide while they stand
    #[arg(long)]
    pub motion: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Exit with 1 if there are warnings
    #[arg(long)]
    pub strict: bool,
}

/// Runs the command and returns the exit code: 0 clean, 1 warnings (if strict), 2 errors.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<u8> {
    let mut worst = None;
    let mut reports = Vec::new();
    // What is required and unknown is a warning here: nothing is wrong with the file.
    let opening = Opening {
        open_anyway: true,
        allow_outside: arguments.allow_outside,
    };
    // What is found counts also where nobody reads on.
    let mut is_read = true;
    for path in &arguments.models {
        let name = legible(path.as_os_str());
        let (diagnostics, refusal) = match check(path, opening, arguments.motion) {
            Ok(diagnostics) => (diagnostics, None),
            Err(error) => {
                let found = import::finding_of(&error);
                let refusal = found.message.clone();
                (vec![found], Some(refusal))
            }
        };
        let here = diagnostics.iter().map(|diagnostic| diagnostic.severity);
        // Errors come first in the order of severities.
        worst = here.chain(worst).min();
        if arguments.json {
            reports.push(report(&name, &diagnostics, refusal.as_deref()));
        } else if is_read {
            let text = describe(&name, &diagnostics, refusal.as_deref());
            is_read = print_for_reader(&text)?;
        }
    }
    if arguments.json {
        let mut text = serde_json::to_string_pretty(&reports)?;
        text.push('\n');
        print_text(&text)?;
    }
    Ok(match worst {
        Some(Severity::Error) => 2,
        Some(Severity::Warning) if arguments.strict => 1,
        _ => 0,
    })
}

fn check(path: &Path, opening: Opening, with_motion: bool) -> anyhow::Result<Vec<Diagnostic>> {
    let mut diagnostics = if built_in::name_of(path).is_some() {
        let import = open(path, &[], opening)?;
        let mut found = import.diagnostics;
        found.extend(dimmed_lights(&import.model));
        found
    } else {
        let progress = Progress::default();
        let look = |model: &Model| Vec::from_iter(dimmed_lights(model));
        import::check_and(&[path.to_owned()], &opening.consent(), &progress, look)?
    };
    if with_motion {
        let model = open_to_pose(path, &[], opening)?.model;
        diagnostics.extend(examine_motion(&model).into_iter().map(Diagnostic::from));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.severity);
    Ok(diagnostics)
}

/// What is printed of a file as JSON.
fn report(name: &str, diagnostics: &[Diagnostic], refusal: Option<&str>) -> Value {
    json!({
        "model": name,
        "refused": refusal,
        "needs_open_anyway": diagnostics.iter().any(is_read_on_request),
        "diagnostics": diagnostics,
    })
}

fn describe(name: &str, diagnostics: &[Diagnostic], refusal: Option<&str>) -> String {
    let mut lines = Vec::new();
    if let Some(refusal) = refusal {
        let why = refusal
            .strip_prefix(name)
            .and_then(|why| why.strip_prefix(": "));
        lines.push(format!("{name}: refused: {}", why.unwrap_or(refusal)));
        return plain::lines(&lines);
    }
    for diagnostic in diagnostics {
        lines.push(format!("{name}: {diagnostic}"));
    }
    if diagnostics.iter().any(|it| it.code == "URI_OUTSIDE_FOLDER") {
        lines.push(format!("{name}: {OUTSIDE}"));
    }
    if diagnostics.iter().any(is_read_on_request) {
        lines.push(format!("{name}: other commands read it with --open-anyway"));
    }
    let count = |severity| {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let errors = import::counted(errors, "error", "errors");
    let warnings = import::counted(warnings, "warning", "warnings");
    lines.push(format!("{name}: {errors}, {warnings}"));
    plain::lines(&lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is wrong with it, but a script has to know.
    #[test]
    fn what_other_commands_refuse_is_told() {
        let file = std::env::temp_dir().join(format!("rigscope-check-{}.gltf", std::process::id()));
        let opening = Opening {
            open_anyway: true,
            ..Opening::default()
        };
        let gizmo = r#""extensionsUsed": ["ACME_gizmo"], "#;
        let required = r#""extensionsRequired": ["ACME_gizmo"], "#;
        for (text, is_refused) in [
            (String::new(), false),
            (gizmo.to_owned(), false),
            (format!("{gizmo}{required}"), true),
        ] {
            let text = format!(r#"{{{text}"asset": {{"version": "2.0"}}}}"#);
            std::fs::write(&file, text).unwrap();
            let found = check(&file, opening, false).unwrap();
            assert!(found.iter().all(|it| it.severity != Severity::Error));
            let report = report("a", &found, None);
            assert_eq!(report["needs_open_anyway"], is_refused);
            let told = describe("a", &found, None);
            assert_eq!(told.contains("--open-anyway"), is_refused, "{told}");
            let read = open(&file, &[], Opening::default());
            assert_eq!(read.is_err(), is_refused);
        }
        std::fs::remove_file(file).unwrap();
    }
}
