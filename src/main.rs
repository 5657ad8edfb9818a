//! Arguments → a command → an exit code. Errors are printed here, once, with all their reasons.

use std::process::ExitCode;

use rigscope::{
    app::{
        self, MachineFault,
        interrupt::{self, EXIT_INTERRUPTED, Interrupted},
        is_of_machine,
    },
    cli::{self, Arguments, CliCommand},
};

/// The input or the command line is at fault.
const EXIT_INPUT: u8 = 2;
/// The machine is at fault: no graphics adapter, no display, a full disk.
const EXIT_MACHINE: u8 = 3;

fn main() -> ExitCode {
    cli::logger::start();
    interrupt::outlive_size_limits();
    match cli::parse().and_then(run) {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.is::<Interrupted>() || interrupt::is_asked() => {
            interrupt::tell_stopped();
            ExitCode::from(EXIT_INTERRUPTED)
        }
        Err(error) => {
            let code = if is_of_machine(&error) {
                EXIT_MACHINE
            } else {
                EXIT_INPUT
            };
            // `{:#}` prints the whole chain of reasons on one line.
            let text = format!("{error:#}");
            // What is said of the machine has lines of its own.
            let text = if error.is::<MachineFault>() {
                text.into()
            } else {
                cli::plain(&text)
            };
            let text = format!("rigscope: {text}\n");
            let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
            ExitCode::from(code)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<u8> {
    match &arguments.command {
        Some(CliCommand::Render(arguments)) => cli::render::run(arguments),
        Some(CliCommand::Pose(arguments)) => cli::pose::run(arguments),
        Some(CliCommand::Bake(arguments)) => cli::bake::run(arguments),
        Some(CliCommand::Info(arguments)) => cli::info::run(arguments).map(|()| 0),
        Some(CliCommand::Compare(arguments)) => cli::compare::run(arguments),
        Some(CliCommand::Check(arguments)) => cli::check::run(arguments),
        Some(CliCommand::Completions(arguments)) => {
            cli::packaging::print_completions(arguments).map(|()| 0)
        }
        Some(CliCommand::Manual(arguments)) => cli::packaging::write_manual(arguments).map(|()| 0),
        None => run_window(arguments).map(|()| 0),
    }
}

fn run_window(arguments: Arguments) -> anyhow::Result<()> {
    let given = arguments.paths();
    app::run_window(arguments.window_options()).map_err(|error| {
        // Without a window to say so in, what was typed counts first.
        let is_unseen = error.is::<MachineFault>();
        let mistake = is_unseen.then(|| cli::mistake_of(&given)).flatten();
        mistake.unwrap_or(error)
    })
}
