//! Bytes, containers, JSON and versions.

use std::fs;

use rigscope::import::{self, Progress, Severity};
use serde_json::json;

use super::file::{File, assert_clean, assert_error, assert_found, glb, load, refusal};

#[test]
fn reads_a_glb() {
    let import = load(&File::triangle().to_glb());
    assert_eq!(import.model.triangle_count(), 1);
    assert_clean(&import);
}

#[test]
fn reads_a_gltf() {
    let import = File::triangle().load();
    assert_eq!(import.model.triangle_count(), 1);
    assert_eq!(import.model.name, "test");
    assert_clean(&import);
}

#[test]
fn ignores_unknown_chunks_and_a_second_binary_chunk() {
    let file = File::triangle();
    let plain = file.to_glb();
    let json = &plain[20..20 + u32::from_le_bytes(plain[12..16].try_into().unwrap()) as usize];
    let chunks: [(&[u8; 4], &[u8]); 4] = [
        (b"JSON", json),
        (b"ABCD", b"1234"),
        (b"BIN\0", &file.bin),
        (b"BIN\0", &[9; 36]),
    ];
    let import = load(&glb(&chunks));
    assert_eq!(import.model.triangle_count(), 1);
    assert_found(&import, Severity::Warning, "GLB_UNKNOWN_CHUNK_TYPE", "");
    assert_error(&import, "GLB_DUPLICATE_CHUNK", "");
}

#[test]
fn survives_a_glb_cut_anywhere() {
    let bytes = File::triangle().to_glb();
    for length in 0..bytes.len() {
        let _ = import::load_bytes("cut", &bytes[..length], &Progress::default());
    }
}

#[test]
fn believes_no_length_of_a_glb() {
    let mut bytes = File::triangle().to_glb();
    for length in [0, 11, u32::MAX] {
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        let import = load(&bytes);
        assert_eq!(import.model.triangle_count(), 1);
        assert_error(&import, "GLB_LENGTH_MISMATCH", "");
    }
    bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refusal(&bytes).contains("JSON"));
}

#[test]
fn refuses_other_versions_by_number() {
    let mut bytes = File::triangle().to_glb();
    bytes[4] = 1;
    assert!(refusal(&bytes).contains("glTF 1.0"));
    for (asset, number) in [
        (json!({"version": "1.0"}), "1.0"),
        (json!({"version": "3.0"}), "3.0"),
        (json!({"version": "2.1", "minVersion": "2.1"}), "2.1"),
    ] {
        let file = json!({"asset": asset}).to_string();
        assert!(refusal(file.as_bytes()).contains(number));
    }
    let later = load(br#"{"asset": {"version": "2.1"}}"#);
    let code = "UNKNOWN_ASSET_MINOR_VERSION";
    assert_found(&later, Severity::Warning, code, "/asset/version");
}

#[test]
fn refuses_what_is_no_json() {
    assert!(refusal(b"").contains("empty"));
    assert!(refusal(b"solid cube").contains("JSON"));
    assert!(refusal(b"[]").contains("JSON"));
}

#[test]
fn takes_an_empty_library() {
    let import = load(br#"{"asset": {"version": "2.0"}}"#);
    assert!(import.model.hierarchy.is_empty());
    assert_eq!(import.model.materials.len(), 1);
    assert_clean(&import);
}

#[test]
fn skips_a_byte_order_mark() {
    let text = format!("\u{feff}{}", File::triangle().to_text());
    assert_eq!(load(text.as_bytes()).model.triangle_count(), 1);
}

#[test]
fn takes_the_last_of_duplicate_keys() {
    let text = r#"{"asset": {"version": "2.0"}, "nodes": [{"name": "a", "name": "b"}], "nodes": [{"name": "c", "name": "d"}]}"#;
    let import = load(text.as_bytes());
    assert_eq!(import.model.hierarchy.nodes()[0].name, "d");
}

#[test]
fn takes_whole_numbers_for_integers() {
    let text = File::triangle().to_text();
    let text = text
        .replace(r#""count":3"#, r#""count":3.0"#)
        .replace(r#""mesh":0"#, r#""mesh":0e0"#);
    assert_eq!(load(text.as_bytes()).model.triangle_count(), 1);
}

#[test]
fn does_not_cut_large_indices() {
    let text = File::triangle().to_text();
    let import = load(
        text.replace(r#""mesh":0"#, r#""mesh":4294967296"#)
            .as_bytes(),
    );
    assert_error(&import, "UNRESOLVED_REFERENCE", "/nodes/0/mesh");
}

#[test]
fn loses_only_the_bad_property() {
    let mut file = File::triangle();
    file.json["nodes"][0]["name"] = 5.into();
    file.json["nodes"][0]["translation"] = json!([1, 2, 3]);
    let import = file.load();
    assert_error(&import, "TYPE_MISMATCH", "/nodes/0/name");
    let node = &import.model.hierarchy.nodes()[0];
    assert_eq!(node.rest.translation.to_array(), [1.0, 2.0, 3.0]);
    assert_eq!(import.model.triangle_count(), 1);
}

#[test]
fn survives_deep_nesting() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let file = File::triangle().to_text();
    let text = file.replace(r#""mesh":0"#, &format!(r#""mesh":0,"extras":{deep}"#));
    assert_eq!(load(text.as_bytes()).model.triangle_count(), 1);
}

#[test]
fn reads_a_million_empty_objects_within_the_cap() {
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"materials":[{}{{}}]}}"#,
        "{},".repeat(1_000_000)
    );
    let import = load(text.as_bytes());
    assert_eq!(import.model.materials.len(), 65_536 + 1);
    assert_error(&import, "TOO_MANY_OBJECTS", "/materials");
}

#[test]
fn names_required_extensions_it_does_not_know() {
    let mut file = File::triangle();
    file.json["extensionsRequired"] = json!(["ACME_gizmo"]);
    assert!(refusal(file.to_text().as_bytes()).contains("ACME_gizmo"));
    file.json["extensionsRequired"] =
        json!(["KHR_draco_mesh_compression", "EXT_meshopt_compression"]);
    let import = file.load();
    let code = "UNUSED_EXTENSION_REQUIRED";
    assert_error(&import, code, "/extensionsRequired/1");
    file.json["extensionsUsed"] = file.json["extensionsRequired"].clone();
    assert_clean(&file.load());
    file.json["extensionsRequired"] = json!(["KHR_materials_unlit", "KHR_lights_punctual"]);
    let import = file.load();
    let code = "EXTENSION_NOT_DRAWN";
    assert_found(&import, Severity::Warning, code, "/extensionsRequired/1");
}

#[test]
fn says_that_a_file_is_truncated() {
    let whole = File::triangle().to_glb();
    let message = refusal(&whole[..40]);
    assert!(
        message.contains("truncated") && message.contains("20"),
        "{message}"
    );
}

#[test]
fn stops_when_cancelled() {
    let progress = Progress::default();
    progress.cancel();
    let error = import::load_bytes("test", &File::triangle().to_glb(), &progress).unwrap_err();
    assert!(import::is_cancelled(&error));
    let other = import::load_bytes("test", b"", &Progress::default()).unwrap_err();
    assert!(!import::is_cancelled(&other));
}

#[test]
fn lists_a_flood_of_findings_once() {
    let mut file = File::empty();
    file.json["nodes"] = vec![json!({"mesh": 7}); 1000].into();
    let import = file.load();
    assert!(import.diagnostics.len() < 100);
    let last = import.diagnostics.last().unwrap();
    assert!(last.message.contains("936 more"), "{last}");
}

/// A folder with a file outside of it, for as long as this lives.
struct Sandbox(std::path::PathBuf);

impl Sandbox {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("rigscope-{name}-{}", std::process::id()));
        fs::create_dir_all(root.join("model/textures")).unwrap();
        let sandbox = Self(root);
        sandbox.write("outside.bin", &[0; 36]);
        sandbox
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    /// Loads a triangle whose buffer has this URI.
    fn load(&self, uri: &str) -> import::Import {
        let mut file = File::triangle();
        file.json["buffers"] = json!([{"byteLength": 36, "uri": uri}]);
        self.write("model/a.gltf", file.json.to_string().as_bytes());
        let path = self.0.join("model/a.gltf");
        import::load(&path, &Progress::default()).unwrap()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
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
    for uri in [&*file, "http://localhost/a.bin", "FILE:outside.bin"] {
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
