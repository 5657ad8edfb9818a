//! What desktops are told agrees with what the program does.

use std::{collections::BTreeSet, fs, path::Path};

use clap::{CommandFactory as _, Parser as _};
use rigscope::cli::{Arguments, CliCommand};

fn packaged(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("packaging")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The value of a key of a desktop entry.
fn value<'a>(entry: &'a str, key: &str) -> &'a str {
    let mut lines = entry.lines();
    let line = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    line.unwrap_or_else(|| panic!("no {key}"))
}

/// What stands between two texts, each time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> BTreeSet<&'a str> {
    let parts = text.split(before).skip(1);
    parts
        .map(|part| part.split(after).next().unwrap())
        .collect()
}

fn types(entry: &str) -> BTreeSet<&str> {
    value(entry, "MimeType").split_terminator(';').collect()
}

#[test]
fn all_speak_of_the_same_types() {
    let mime = packaged("rigscope.xml");
    let defined = between(&mime, "<mime-type type=\"", "\"");
    assert_eq!(defined.len(), 3);
    assert_eq!(types(&packaged("rigscope.desktop")), defined);
    assert_eq!(types(&packaged("rigscope.thumbnailer")), defined);
    let component = packaged("io.github.rigscope.rigscope.metainfo.xml");
    assert_eq!(between(&component, "<mediatype>", "<"), defined);
    let version = format!("<release version=\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(component.contains(&version), "the newest release");
    assert_eq!(
        between(&component, "desktop-id\">", "<"),
        ["rigscope.desktop"].into()
    );
}

/// The bundle for macOS says the same.
#[test]
fn the_bundle_agrees() {
    let list = packaged("macos/Info.plist");
    let version = format!("<string>{}</string>", env!("CARGO_PKG_VERSION"));
    assert_eq!(list.matches(&version).count(), 2);
    let mime = packaged("rigscope.xml");
    for extension in between(&mime, "<glob pattern=\"*.", "\"") {
        assert!(
            list.contains(&format!("<string>{extension}</string>")),
            "{extension}"
        );
    }
}

/// Each extension that is said to be a model's is opened.
#[test]
fn all_extensions_are_opened() {
    let mime = packaged("rigscope.xml");
    let globs = between(&mime, "<glob pattern=\"*.", "\"");
    assert_eq!(globs, ["glb", "gltf", "vrm"].into());
    let folder = crate::folder("extensions");
    let pip = include_bytes!("../../assets/pip.glb");
    for extension in globs {
        let file = folder.join(format!("model.{extension}"));
        if extension == "gltf" {
            fs::write(
                &file,
                r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{}]}"#,
            )
            .unwrap();
        } else {
            fs::write(&file, pip).unwrap();
        }
        // A folder is searched for files that are models by their names.
        let alone = folder.join(extension);
        fs::create_dir_all(&alone).unwrap();
        fs::rename(&file, alone.join(file.file_name().unwrap())).unwrap();
        rigscope::cli::load(&alone).unwrap_or_else(|error| panic!("{extension}: {error:#}"));
    }
}

/// The commands of the entries are ones that the program takes.
#[test]
fn entries_call_what_there_is() {
    let thumbnailer = packaged("rigscope.thumbnailer");
    let typed: Vec<String> = value(&thumbnailer, "Exec")
        .split(' ')
        // Some hand over a file without an extension.
        .map(|word| {
            word.replace("%i", "/tmp/in.glb")
                .replace("%o", "/tmp/out")
                .replace("%s", "256")
        })
        .collect();
    let parsed = Arguments::try_parse_from(typed).unwrap();
    let Some(CliCommand::Render(arguments)) = parsed.command else {
        panic!("no render");
    };
    assert_eq!(arguments.size(), [256, 256]);
    let desktop = packaged("rigscope.desktop");
    assert_eq!(value(&desktop, "Exec"), "rigscope %F");
    let parsed = Arguments::try_parse_from(["rigscope", "/tmp/a.glb", "/tmp/b.bin"]).unwrap();
    assert_eq!(parsed.files.len(), 2);
}

#[test]
fn pages_and_completions_know_every_option() {
    let folder = crate::folder("manual");
    clap_mangen::generate_to(Arguments::command(), &folder).unwrap();
    let mut completions = Vec::new();
    clap_complete::generate(
        clap_complete::Shell::Bash,
        &mut Arguments::command(),
        "rigscope",
        &mut completions,
    );
    let completions = String::from_utf8(completions).unwrap();
    for command in Arguments::command()
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        let name = command.get_name();
        if name == "help" {
            continue;
        }
        let page = fs::read_to_string(folder.join(format!("rigscope-{name}.1"))).unwrap();
        for option in command
            .get_arguments()
            .filter_map(|argument| argument.get_long())
        {
            let in_page = format!("\\-\\-{}", option.replace('-', "\\-"));
            assert!(page.contains(&in_page), "{name} --{option}");
            assert!(
                completions.contains(&format!("--{option}")),
                "{name} --{option}"
            );
        }
    }
}

#[test]
fn icons_are_of_their_sizes() {
    for size in [64, 128, 256] {
        let path = format!("assets/icon/rigscope-{size}.png");
        let icon = image::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        assert_eq!([icon.width(), icon.height()], [size, size]);
        assert!(icon.has_alpha());
    }
}

/// A directory of pictures, with the place of each (Microsoft, "The evolution of the ICO file format").
#[test]
fn the_icon_for_windows_has_all_sizes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/icon/rigscope.ico");
    let icon = fs::read(path).unwrap();
    let number = |at: usize| u16::from_le_bytes(icon[at..at + 2].try_into().unwrap());
    let long = |at: usize| u32::from_le_bytes(icon[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!([number(0), number(2)], [0, 1], "an icon");
    let entries = 0..usize::from(number(4));
    let sizes: BTreeSet<_> = entries
        .map(|entry| {
            let at = 6 + 16 * entry;
            assert!(long(at + 12) + long(at + 8) <= icon.len(), "it is there");
            assert_eq!(number(at + 6), 32, "with alpha");
            // 256 does not fit into its byte.
            (usize::from(icon[at]) + 255) % 256 + 1
        })
        .collect();
    assert_eq!(sizes, [16, 24, 32, 48, 64, 256].into());
}
