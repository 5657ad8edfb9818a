//! What the program says while it works: a line for each message, above the bar of a command that has one.

use std::{
    fmt::{Arguments, Write as _},
    io::Write as _,
};

use log::{Level, Log, Metadata, Record};

use super::{meter, plain::plain};

/// Who speaks: not what draws letters, nor what looks for adapters, whose failures are told by who asked for them.
const FILTER: &str =
    "warn,rigscope=warn,epaint=off,wgpu_hal::vulkan::instance=off,wgpu_hal::gles::egl=off";

/// Prints messages to standard error, such as `rigscope: warning: …`: warnings and errors, unless `RUST_LOG` says otherwise,
/// which names the modules that speak, too.
pub fn start() {
    let names_modules = std::env::var_os(env_logger::DEFAULT_FILTER_ENV).is_some();
    let filter = env_logger::Env::default().default_filter_or(FILTER);
    let logger = env_logger::Builder::from_env(filter)
        .format(move |into, record| {
            let (severity, text) = (severity(record.level()), record.args());
            let module = record.target();
            if names_modules || !module.starts_with(env!("CARGO_PKG_NAME")) {
                writeln!(into, "rigscope: {severity}: [{module}] {text}")
            } else {
                writeln!(into, "rigscope: {severity}: {text}")
            }
        })
        .build();
    log::set_max_level(logger.filter());
    // There is one already only where this was called before.
    let _ = log::set_boxed_logger(Box::new(AboveBars(logger)));
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warn => "warning",
        Level::Info => "note",
        Level::Debug => "debug",
        Level::Trace => "trace",
    }
}

/// A logger whose lines no bar is mixed with.
struct AboveBars(env_logger::Logger);

impl Log for AboveBars {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if !self.0.matches(record) {
            return;
        }
        // Not while the line is held: what is printed may log, too.
        let mut text = String::new();
        let written = write!(text, "{}", record.args());
        if written.is_err() {
            return;
        }
        // Further lines are indented, so that none looks like a message.
        let lines: Vec<_> = text.split('\n').map(plain).collect();
        let text = lines.join("\n");
        let log = |args: Arguments<'_>| {
            let metadata = record.metadata().clone();
            let record = Record::builder().metadata(metadata).args(args).build();
            self.0.log(&record);
        };
        meter::above(|| log(format_args!("{text}")));
    }

    fn flush(&self) {
        self.0.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_packages_have_to_say_is_not_said() {
        let logger = env_logger::Builder::new().parse_filters(FILTER).build();
        for (target, is_said) in [
            ("rigscope::import", true),
            ("wgpu_core::device", true),
            ("wgpu_hal::vulkan::device", true),
            ("wgpu_hal::gles", true),
            ("wgpu_hal::vulkan::instance", false),
            ("wgpu_hal::gles::egl", false),
            ("epaint::text::font_provider", false),
        ] {
            let metadata = Metadata::builder()
                .target(target)
                .level(Level::Warn)
                .build();
            assert_eq!(logger.enabled(&metadata), is_said, "{target}");
        }
    }
}
