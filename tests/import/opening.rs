//! Which files are opened for a model: its own folder's, those that were given, and what the user agreed to.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use rawzip::{CompressionMethod, ZipArchiveWriter, path::EntryPath};
use rigscope::import::{self, Consent, Import, Outside, Progress, Severity};
use serde_json::json;

use super::file::{File, assert_error, assert_found};

/// A folder with a file outside of it, for as long as this lives.
pub(crate) struct Sandbox(pub(crate) PathBuf);

impl Sandbox {
    pub(crate) fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("rigscope-{name}-{}", std::process::id()));
        fs::create_dir_all(root.join("model/textures")).unwrap();
        let sandbox = Self(root);
        sandbox.write("outside.bin", &[0; 36]);
        sandbox
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Loads a triangle whose buffer has this URI.
    fn load(&self, uri: &str) -> Import {
        self.open(uri, Outside::Refused)
    }

    fn open(&self, uri: &str, outside: Outside) -> Import {
        let path = self.write("model/a.gltf", triangle_with(uri).as_bytes());
        let consent = Consent {
            outside,
            ..Consent::default()
        };
        import::open(&[path], &consent, &Progress::default()).unwrap()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A triangle whose buffer has this URI.
pub(crate) fn triangle_with(uri: &str) -> String {
    let mut file = File::triangle();
    file.json["buffers"] = json!([{"byteLength": 36, "uri": uri}]);
    file.json.to_string()
}

fn open(given: &[&Path]) -> anyhow::Result<Import> {
    let given: Vec<_> = given.iter().map(|&path| path.to_owned()).collect();
    import::open(&given, &Consent::default(), &Progress::default())
}

#[track_caller]
fn refusal(given: &[&Path]) -> String {
    format!("{:#}", open(given).unwrap_err())
}

#[test]
fn opens_files_in_the_models_own_folder() {
    let sandbox = Sandbox::new("opens");
    let positions = File::triangle().bin;
    for (name, uri) in [
        ("model/plain.bin", "plain.bin"),
        ("model/a b.bin", "a%20b.bin"),
        ("model/c d.bin", "c d.bin"),
        ("model/100%.bin", "100%.bin"),
        ("model/e%20f.bin", "e%20f.bin"),
        ("model/ünï.bin", "ünï.bin"),
        ("model/textures/g.bin", "textures/g.bin"),
        ("model/textures/h.bin", r"textures\h.bin"),
        ("model/i.bin", "./textures/../i.bin"),
    ] {
        sandbox.write(name, &positions);
        let import = sandbox.load(uri);
        assert_eq!(import.model.triangle_count(), 1, "{uri}");
    }
}

#[test]
fn opens_no_other_files() {
    let sandbox = Sandbox::new("shuts");
    let outside = sandbox.0.join("outside.bin");
    let outside = outside.to_str().unwrap();
    let code = "URI_OUTSIDE_FOLDER";
    for uri in [
        "../outside.bin",
        "%2e%2e/outside.bin",
        "textures/../../outside.bin",
        outside,
    ] {
        assert_error(&sandbox.load(uri), code, "/buffers/0/uri");
    }
    let file = format!("file://{outside}");
    let others = ["http://localhost/a.bin", "FILE:outside.bin", "//host/a.bin"];
    for uri in others
        .into_iter()
        .chain([&*file, r"\\host\share\a.bin", "%2F%2Fhost/a"])
    {
        assert_error(&sandbox.load(uri), "NON_RELATIVE_URI", "/buffers/0/uri");
    }
    for uri in ["missing.bin", "textures", "%00", "."] {
        assert_error(&sandbox.load(uri), "IO_ERROR", "/buffers/0/uri");
    }
}

#[cfg(unix)]
#[test]
fn follows_links_only_within_the_folder() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new("links");
    sandbox.write("model/inside.bin", &File::triangle().bin);
    symlink("inside.bin", sandbox.0.join("model/good")).unwrap();
    symlink("../outside.bin", sandbox.0.join("model/bad")).unwrap();
    symlink("/dev/zero", sandbox.0.join("model/endless")).unwrap();
    assert_eq!(sandbox.load("good").model.triangle_count(), 1);
    for uri in ["bad", "endless"] {
        assert_error(&sandbox.load(uri), "URI_OUTSIDE_FOLDER", "/buffers/0/uri");
    }
}

#[cfg(unix)]
#[test]
fn waits_for_no_fifo() {
    let sandbox = Sandbox::new("fifo");
    let fifo = sandbox.0.join("model/fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: no mkfifo");
        return;
    }
    assert_error(&sandbox.load("fifo"), "IO_ERROR", "/buffers/0/uri");
    let error = import::load(&fifo, &Progress::default()).unwrap_err();
    assert!(format!("{error:#}").contains("regular file"));
}

#[test]
fn names_what_lies_outside_and_opens_exactly_what_is_allowed() {
    let sandbox = Sandbox::new("allows");
    let root = sandbox.0.canonicalize().unwrap();
    sandbox.write("outside.bin", &File::triangle().bin);
    let absolute = root.join("outside.bin");
    let file = format!("file://{}", absolute.display());
    for uri in ["../outside.bin", absolute.to_str().unwrap(), &file] {
        let refused = sandbox.load(uri);
        assert_eq!(refused.outside, [absolute.as_path()], "{uri}");
        assert_eq!(refused.model.triangle_count(), 0);
        let others = Outside::These(vec![root.join("other.bin")]);
        let still = sandbox.open(uri, others);
        assert_eq!(still.outside, [absolute.as_path()]);
        assert_eq!(still.model.triangle_count(), 0);
        assert!(!still.files.contains(&absolute), "{uri}");
        for consent in [Outside::These(refused.outside), Outside::Allowed] {
            let import = sandbox.open(uri, consent);
            assert_eq!(import.model.triangle_count(), 1, "{uri}");
            assert!(import.outside.is_empty());
            // So that it is followed.
            assert!(import.files.contains(&absolute), "{uri}");
        }
    }
    assert!(sandbox.load("http://localhost/a.bin").outside.is_empty());
    assert!(sandbox.load("inside.bin").outside.is_empty());
}

#[cfg(unix)]
#[test]
fn consent_opens_no_devices_and_nothing_from_the_net() {
    let sandbox = Sandbox::new("devices");
    for uri in [
        "/dev/zero",
        "../..",
        "file:///dev/tty",
        "http://localhost/a.bin",
        "//localhost/a",
    ] {
        let import = sandbox.open(uri, Outside::Allowed);
        assert_eq!(import.model.triangle_count(), 0);
        let code = if uri.contains("//localhost") {
            "NON_RELATIVE_URI"
        } else {
            "IO_ERROR"
        };
        assert_error(&import, code, "/buffers/0/uri");
    }
}

fn names_an_option(import: &Import) -> bool {
    import.diagnostics.iter().any(|it| it.action.contains("--"))
}

#[test]
fn unknown_extensions_are_a_refusal_that_consent_lifts() {
    let sandbox = Sandbox::new("unknown");
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["ACME_gizmo", "ACME_other"]);
    file.json["extensionsRequired"] = json!(["ACME_gizmo", "ACME_other"]);
    let path = sandbox.write("model/a.gltf", file.to_text().as_bytes());
    let error = open(&[&path]).unwrap_err();
    assert!(import::is_unsupported(&error));
    assert!(format!("{error:#}").contains("ACME_gizmo, ACME_other"));
    let consent = Consent {
        unknown_features: true,
        ..Consent::default()
    };
    let import = import::open(&[path], &consent, &Progress::default()).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
    let place = "/extensionsRequired/1";
    assert_found(&import, Severity::Warning, "UNSUPPORTED_EXTENSION", place);
    assert!(!names_an_option(&import), "in the window there is none");
    let other = import::load_bytes("a", b"", &Progress::default()).unwrap_err();
    assert!(!import::is_unsupported(&other));
}

/// A later minor version may be read all the same; a later major version is another format.
#[test]
fn later_versions_are_a_refusal_that_consent_lifts() {
    let sandbox = Sandbox::new("later");
    let consent = Consent {
        unknown_features: true,
        ..Consent::default()
    };
    for (least, is_readable) in [("2.1", true), ("3.0", false)] {
        let mut file = File::triangle();
        file.json["asset"] = json!({"version": "2.0", "minVersion": least});
        let path = sandbox.write("model/a.gltf", file.to_text().as_bytes());
        let error = open(&[&path]).unwrap_err();
        assert_eq!(import::is_unsupported(&error), is_readable, "{error:#}");
        let import = import::open(&[path], &consent, &Progress::default());
        assert_eq!(import.is_ok(), is_readable);
        if let Ok(import) = import {
            let place = "/asset/minVersion";
            assert_found(&import, Severity::Warning, "UNSUPPORTED_MIN_VERSION", place);
            assert!(!names_an_option(&import));
        }
    }
}

#[test]
fn a_folder_opens_as_the_model_in_it() {
    let sandbox = Sandbox::new("folder");
    let bin = File::triangle().bin;
    sandbox.write("textures/a.bin", &bin);
    let folder = sandbox.0.as_path();
    assert!(refusal(&[folder]).contains("no .gltf, .glb, .vrm or .vrma"));
    // What lies beside the model's own folder lies in the one that was given.
    sandbox.write(
        "model/deep/a.gltf",
        triangle_with("../../textures/a.bin").as_bytes(),
    );
    let import = open(&[folder]).unwrap();
    assert_eq!(
        (import.model.triangle_count(), &*import.model.name),
        (1, "a.gltf")
    );
    let own = open(&[&folder.join("model/deep/a.gltf")]).unwrap();
    assert_eq!(own.model.triangle_count(), 0);
    sandbox.write("model/deep/b.glb", b"");
    let said = refusal(&[folder]);
    assert!(
        said.contains("model/deep/a.gltf, model/deep/b.glb"),
        "{said}"
    );
    // Nearer to what was given comes first.
    sandbox.write("c.glb", &File::triangle().to_glb());
    assert_eq!(open(&[folder]).unwrap().model.name, "c.glb");
}

#[cfg(unix)]
#[test]
fn a_folder_does_not_lend_itself_to_links_that_lead_out() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new("folder-links");
    let outside = sandbox.write(
        "elsewhere/secret.gltf",
        triangle_with("secret.bin").as_bytes(),
    );
    symlink(&outside, sandbox.0.join("model/a.gltf")).unwrap();
    symlink(sandbox.0.join("elsewhere"), sandbox.0.join("model/b")).unwrap();
    let said = refusal(&[&sandbox.0.join("model")]);
    assert!(said.contains("link to a file outside"), "{said}");
    fs::remove_file(sandbox.0.join("model/a.gltf")).unwrap();
    assert!(refusal(&[&sandbox.0.join("model")]).contains("no .gltf"));
}

#[test]
fn several_files_open_as_the_model_among_them() {
    let sandbox = Sandbox::new("several");
    let bin = sandbox.write("elsewhere/a.bin", &File::triangle().bin);
    let zeros = sandbox.write("elsewhere/zeros/a.bin", &[0; 36]);
    let model = sandbox.write("model/a.gltf", triangle_with("data/a.bin").as_bytes());
    assert_eq!(open(&[&model]).unwrap().model.triangle_count(), 0);
    for given in [[&*bin, &*model], [&*model, &*bin]] {
        let import = open(&given).unwrap();
        assert_eq!(
            (import.model.triangle_count(), &*import.model.name),
            (1, "a.gltf")
        );
        assert!(import.diagnostics.is_empty());
    }
    // A whole folder may be among them.
    let import = open(&[&model, &sandbox.0.join("elsewhere")]).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
    // The file whose folder fits comes before one that only has the name, and before that the model's own folder.
    let data = sandbox.write("elsewhere/data/a.bin", &File::triangle().bin);
    assert_eq!(
        open(&[&zeros, &data, &model])
            .unwrap()
            .model
            .triangle_count(),
        1
    );
    sandbox.write("model/data/a.bin", &File::triangle().bin);
    assert_eq!(open(&[&zeros, &model]).unwrap().model.triangle_count(), 1);
    let other = sandbox.write("model/b.glb", &File::triangle().to_glb());
    let import = open(&[&other, &model]).unwrap();
    assert_eq!(import.model.name, "b.glb");
    assert_found(&import, Severity::Info, "SEVERAL_MODELS", "");
    let said = refusal(&[&sandbox.0.join("missing.glb"), &model]);
    assert!(said.contains("missing.glb"), "{said}");
}

#[cfg(unix)]
#[test]
fn consent_to_a_link_is_none_to_what_it_leads_to() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new("agreed-links");
    let root = sandbox.0.canonicalize().unwrap();
    sandbox.write("secret/a.bin", &File::triangle().bin);
    symlink("secret/a.bin", root.join("link.bin")).unwrap();
    let (link, target) = (root.join("link.bin"), root.join("secret/a.bin"));
    for uri in ["../link.bin", link.to_str().unwrap()] {
        let refused = sandbox.load(uri);
        assert_eq!(refused.outside, [link.as_path()], "{uri}");
        let again = sandbox.open(uri, Outside::These(refused.outside));
        assert_eq!(again.outside, [target.as_path()], "{uri}");
        assert_error(&again, "URI_OUTSIDE_FOLDER", "/buffers/0/uri");
        let both = Outside::These(vec![target.clone(), link.clone()]);
        let import = sandbox.open(uri, both);
        assert_eq!(import.model.triangle_count(), 1, "{uri}");
        assert!(import.outside.is_empty());
    }
    // What leads back into the model's own folder needs no further consent.
    sandbox.write("model/own.bin", &File::triangle().bin);
    symlink("model/own.bin", root.join("back.bin")).unwrap();
    let back = Outside::These(vec![root.join("back.bin")]);
    let import = sandbox.open("../back.bin", back);
    assert_eq!(import.model.triangle_count(), 1);
}

#[test]
fn names_that_climb_and_come_back_are_inside() {
    let sandbox = Sandbox::new("comes-back");
    sandbox.write("model/own.bin", &File::triangle().bin);
    let root = sandbox.0.canonicalize().unwrap();
    let above = root.file_name().unwrap().to_str().unwrap();
    for uri in [
        "../model/own.bin".to_owned(),
        "textures/../../model/own.bin".to_owned(),
        format!("../../{above}/model/own.bin"),
    ] {
        let import = sandbox.load(&uri);
        assert_eq!(import.model.triangle_count(), 1, "{uri}");
        assert!(import.outside.is_empty());
    }
    // A folder of a name that only begins alike is another one.
    let other = sandbox.write("models/own.bin", &File::triangle().bin);
    let refused = sandbox.load("../models/own.bin");
    assert_error(&refused, "URI_OUTSIDE_FOLDER", "/buffers/0/uri");
    assert_eq!(refused.outside, [other.canonicalize().unwrap()]);
    assert_error(&sandbox.load("../model"), "IO_ERROR", "/buffers/0/uri");
    // The same from a model below the folder that was given.
    fs::remove_file(root.join("model/a.gltf")).unwrap();
    let gltf = triangle_with("../../model/own.bin");
    sandbox.write("model/deep/a.gltf", gltf.as_bytes());
    let import = open(&[&sandbox.0.join("model")]).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
}

#[cfg(unix)]
#[test]
fn links_are_judged_in_names_that_climb_and_come_back() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new("comes-back-links");
    sandbox.write("outside.bin", &File::triangle().bin);
    symlink("../outside.bin", sandbox.0.join("model/bad")).unwrap();
    let refused = sandbox.load("../model/bad");
    assert_error(&refused, "URI_OUTSIDE_FOLDER", "/buffers/0/uri");
    let target = sandbox.0.join("outside.bin").canonicalize().unwrap();
    assert_eq!(refused.outside, [target]);
}

#[cfg(unix)]
#[test]
fn links_in_a_given_folder_are_given_only_if_they_stay_in_it() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new("given-links");
    let bin = File::triangle().bin;
    sandbox.write("secret/a.bin", &bin);
    sandbox.write("secret/x.gltf", &File::triangle().to_text().into_bytes());
    sandbox.write("given/deep/inside.bin", &bin);
    let given = sandbox.0.join("given");
    symlink("../secret/a.bin", given.join("a.bin")).unwrap();
    symlink("../../secret/a.bin", given.join("deep/b.bin")).unwrap();
    symlink("../secret", given.join("data")).unwrap();
    symlink("deep/inside.bin", given.join("c.bin")).unwrap();
    symlink("given", sandbox.0.join("named")).unwrap();
    for (uri, triangles) in [("a.bin", 0), ("b.bin", 0), ("data/a.bin", 0), ("c.bin", 1)] {
        let model = sandbox.write("model/a.gltf", triangle_with(uri).as_bytes());
        // The folder itself may be a link: that one the user named.
        for folder in [&given, &sandbox.0.join("named")] {
            let import = open(&[&model, folder]).unwrap();
            assert_eq!(import.model.triangle_count(), triangles, "{uri}");
        }
    }
    // A link that the user named is one that was agreed to.
    let model = sandbox.write("model/a.gltf", triangle_with("a.bin").as_bytes());
    let import = open(&[&model, &given.join("a.bin")]).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
    // Nor does such a link become the model.
    symlink("../secret/x.gltf", given.join("x.gltf")).unwrap();
    let import = open(&[&given, &model]).unwrap();
    assert_eq!(import.model.name, "a.gltf");
    assert!(
        import
            .diagnostics
            .iter()
            .all(|d| d.code != "SEVERAL_MODELS")
    );
}

#[test]
fn hidden_folders_in_a_given_one_are_not_given() {
    let sandbox = Sandbox::new("hidden");
    let model = sandbox.write("model/a.gltf", triangle_with("a.bin").as_bytes());
    let hidden = sandbox.write("given/.git/a.bin", &File::triangle().bin);
    let given = sandbox.0.join("given");
    assert_eq!(open(&[&model, &given]).unwrap().model.triangle_count(), 0);
    // One that was named is.
    let import = open(&[&model, hidden.parent().unwrap()]).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
}

/// An archive of files as they are.
fn stored(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, data) in files {
        let builder = archive.new_file(EntryPath::verbatim(name.as_bytes()));
        let builder = builder.compression_method(CompressionMethod::STORE);
        let (mut entry, config) = builder.start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(data).unwrap();
        let descriptor = writer.finish().unwrap().1;
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

#[test]
fn an_archive_is_found_among_several_files() {
    let sandbox = Sandbox::new("several-archives");
    let gltf = triangle_with("../a.bin");
    let archive = sandbox.write("pack.ZIP", &stored(&[("b.gltf", gltf.as_bytes())]));
    let readme = sandbox.write("readme.txt", b"hello");
    let bin = sandbox.write("elsewhere/a.bin", &File::triangle().bin);
    for given in [[&*readme, &*bin, &*archive], [&*archive, &*bin, &*readme]] {
        let import = open(&given).unwrap();
        assert_eq!(import.model.name, "b.gltf");
        assert_eq!(import.model.triangle_count(), 1, "the others are given");
    }
    // The archive's own come first.
    let zeros = sandbox.write("elsewhere/zeros/a.bin", &[0; 36]);
    let gltf = triangle_with("a.bin");
    let bin = File::triangle().bin;
    let whole = stored(&[("b.gltf", gltf.as_bytes()), ("a.bin", &bin)]);
    let whole = sandbox.write("whole.zip", &whole);
    let import = open(&[&zeros, &whole]).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
    // Without one, the first file is the model, and the others are what it may name.
    let model = sandbox.write("model/bare", gltf.as_bytes());
    let bin = sandbox.0.join("elsewhere/a.bin");
    let import = open(&[&model, &bin]).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
    assert!(refusal(&[&readme, &model]).contains("readme.txt"));
}
