//! What desktops are told agrees with what the program does.

#[cfg(unix)]
use std::process::Command;
use std::{collections::BTreeSet, fs, path::Path};

use clap::{CommandFactory as _, Parser as _};
use clap_complete::Shell;
use rigscope::cli::{Arguments, CliCommand, packaging::ManualArguments};

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
    assert_eq!(defined.len(), 4);
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
    assert_eq!(globs, ["glb", "gltf", "vrm", "vrma"].into());
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

/// What packages bring along is what the program would write now. `UPDATE_PACKAGING=1` writes it.
#[test]
fn pages_and_completions_are_those_of_the_program() {
    let made = crate::folder("packaging");
    for (shell, name) in [
        (Shell::Bash, "completions/rigscope.bash"),
        (Shell::Zsh, "completions/_rigscope"),
        (Shell::Fish, "completions/rigscope.fish"),
    ] {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "rigscope", &mut text);
        let path = made.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let pages = made.join("man");
    rigscope::cli::packaging::write_manual(&ManualArguments { folder: pages }).unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    for folder in ["completions", "man"] {
        let (made, kept) = (made.join(folder), kept.join(folder));
        if std::env::var_os("UPDATE_PACKAGING").is_some() {
            fs::remove_dir_all(&kept).unwrap();
            fs::create_dir_all(&kept).unwrap();
            for name in crate::names(&made) {
                fs::copy(made.join(&name), kept.join(&name)).unwrap();
            }
        }
        assert_eq!(crate::names(&made), crate::names(&kept), "{folder}");
        for name in crate::names(&made) {
            let [made, kept] = [&made, &kept].map(|it| fs::read_to_string(it.join(&name)).unwrap());
            assert!(
                made == kept,
                "{folder}/{name} is not what the command line says now: \
                 UPDATE_PACKAGING=1 cargo test --test output pages_and_completions"
            );
        }
    }
}

/// Headings and footers as other programs have them, and what may be given several times.
#[test]
fn pages_are_as_those_of_other_programs() {
    let pages = crate::folder("pages");
    let folder = pages.clone();
    rigscope::cli::packaging::write_manual(&ManualArguments { folder }).unwrap();
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    let footer = format!("\"rigscope {}\"", env!("CARGO_PKG_VERSION"));
    for name in crate::names(&pages) {
        let page = page(&name);
        let title = page.lines().find(|line| line.starts_with(".TH "));
        assert!(title.unwrap().contains(&footer), "{name}: {title:?}");
        assert!(!page.contains("EXTRA"), "{name}");
    }
    for (name, several) in [
        ("rigscope.1", "[\\fIFILE\\fR]...\n"),
        ("rigscope-render.1", "[\\fIFILE\\fR]...\n"),
        ("rigscope-check.1", "<\\fIMODEL\\fR>...\n"),
    ] {
        assert!(page(name).contains(several), "{name}");
    }
    for name in ["rigscope.1", "rigscope-check.1", "rigscope-compare.1"] {
        assert!(page(name).contains(".SH \"EXIT STATUS\"\n0 "), "{name}");
    }
    assert!(page("rigscope.1").contains("\n.SH NOTES\nBuilt"));
}

#[test]
fn pages_and_completions_know_every_option() {
    let completions = packaged("completions/rigscope.bash");
    for command in Arguments::command()
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        let name = command.get_name();
        if name == "help" {
            continue;
        }
        let page = packaged(&format!("man/rigscope-{name}.1"));
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

/// The package for Debian brings what scripts/install puts under a prefix, and what the policy asks for.
#[test]
#[cfg(unix)]
fn the_package_has_what_is_installed() {
    use std::os::unix::fs::PermissionsExt;

    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate::folder("installed");
    // Any program will do, as long as it is there on every system.
    let program = root.join("program");
    fs::write(&program, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let done = Command::new(project.join("scripts/install"))
        .args(["--prefix", "/usr", "--binary"])
        .arg(&program)
        .env("DESTDIR", &root)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let mut installed = BTreeSet::new();
    let mut folders = vec![root.join("usr")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap();
                installed.insert(name.to_str().unwrap().to_owned());
            }
        }
    }
    let manifest = fs::read_to_string(project.join("Cargo.toml")).unwrap();
    let table = manifest.split("[package.metadata.deb]").nth(1).unwrap();
    let list = table.split("assets = [").nth(1).unwrap();
    let list = list.split("\n]").next().unwrap();
    let mut packed = BTreeSet::new();
    for line in list.lines().filter(|line| line.contains('"')) {
        let mut words = line.split('"').skip(1).step_by(2);
        let [from, to] = [(); 2].map(|()| words.next().unwrap());
        let mut names = vec![
            Path::new(from)
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned(),
        ];
        if let Some(folder) = from.strip_suffix("/*.1") {
            names = crate::names(&project.join(folder));
        } else if !from.starts_with("target/") {
            assert!(project.join(from).is_file(), "{from}");
        }
        for name in names {
            // Of zsh, Debian keeps what packages bring apart from what administrators do.
            let to = to.replace("zsh/vendor-completions", "zsh/site-functions");
            let name = if to.ends_with('/') { to + &name } else { to };
            assert!(packed.insert(name.clone()), "{name} twice");
        }
    }
    let documents = ["copyright", "changelog"];
    for name in documents.map(|name| format!("usr/share/doc/rigscope/{name}")) {
        assert!(packed.remove(&name), "{name}");
    }
    assert_eq!(packed, installed);
}

/// What Debian wants to read of the release is about this one.
#[test]
fn the_package_is_of_this_version() {
    let changelog = packaged("debian/changelog");
    let version = concat!("rigscope (", env!("CARGO_PKG_VERSION"), "-1) ");
    assert!(changelog.starts_with(version), "{version}");
    let component = packaged("io.github.rigscope.rigscope.metainfo.xml");
    let released = between(&component, "date=\"", "\"").into_iter().next_back();
    let [year, month, day] = [0..4, 5..7, 8..10].map(|part| &released.unwrap()[part]);
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = months[month.parse::<usize>().unwrap() - 1];
    let date = format!(", {day} {month} {year} ");
    assert!(changelog.contains(&date), "{date}");
    let licence = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("LICENSE-MIT"));
    let holder = licence.unwrap();
    let holder = holder
        .lines()
        .find_map(|line| line.strip_prefix("Copyright (c) "));
    assert!(packaged("debian/copyright").contains(holder.unwrap()));
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
