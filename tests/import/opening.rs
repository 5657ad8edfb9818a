//! Which files are opened for a model: its own folder's, those that were given, and what the user agreed to.

use std::{
    fs,
    path::{Path, PathBuf},
};

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
        assert_error(&sandbox.load(uri), code, "/buffers/0");
    }
    let file = format!("file://{outside}");
    let others = ["http://localhost/a.bin", "FILE:outside.bin", "//host/a.bin"];
    for uri in others
        .into_iter()
        .chain([&*file, r"\\host\share\a.bin", "%2F%2Fhost/a"])
    {
        assert_error(&sandbox.load(uri), "NON_RELATIVE_URI", "/buffers/0");
    }
    for uri in ["missing.bin", "textures", "%00", "."] {
        assert_error(&sandbox.load(uri), "IO_ERROR", "/buffers/0");
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
        assert_error(&sandbox.load(uri), "URI_OUTSIDE_FOLDER", "/buffers/0");
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
    assert_error(&sandbox.load("fifo"), "IO_ERROR", "/buffers/0");
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
        for consent in [Outside::These(refused.outside), Outside::Allowed] {
            let import = sandbox.open(uri, consent);
            assert_eq!(import.model.triangle_count(), 1, "{uri}");
            assert!(import.outside.is_empty());
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
        assert_error(&import, code, "/buffers/0");
    }
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
        }
    }
}

#[test]
fn a_folder_opens_as_the_model_in_it() {
    let sandbox = Sandbox::new("folder");
    let bin = File::triangle().bin;
    sandbox.write("textures/a.bin", &bin);
    let folder = sandbox.0.as_path();
    assert!(refusal(&[folder]).contains("no .gltf, .glb or .vrm"));
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
