//! Models in .zip archives, hostile ones too.

use std::io::Write as _;

use rawzip::{CompressionMethod, ZipArchiveWriter, path::EntryPath};
use rigscope::import::{self, Consent, Import, Progress, Severity};

use crate::mutator::Rng;

use super::{
    file::{File, assert_error, assert_found},
    opening::{Sandbox, triangle_with},
};

/// An archive of files that are stored or deflated.
fn zip(method: CompressionMethod, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, data) in files {
        let (mut entry, config) = archive
            .new_file(EntryPath::verbatim(name.as_bytes()))
            .compression_method(method)
            .start()
            .unwrap();
        let descriptor = if method == CompressionMethod::DEFLATE {
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, Default::default());
            let mut writer = config.wrap(encoder);
            writer.write_all(data).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(data).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn open(name: &str, bytes: &[u8]) -> anyhow::Result<Import> {
    let sandbox = Sandbox::new(&format!("zip-{name}"));
    let path = sandbox.write(&format!("{name}.zip"), bytes);
    import::load(&path, &Progress::default())
}

fn refusal(name: &str, bytes: &[u8]) -> String {
    format!("{:#}", open(name, bytes).unwrap_err())
}

/// A model with its buffer in a folder beside its own.
fn model(uri: &str) -> String {
    triangle_with(uri)
}

/// What text says takes more memory than the text, and spaces take next to nothing in an archive.
#[test]
fn a_model_that_unpacks_to_very_much_is_refused() {
    let large = |spaces: usize| {
        let text = model("a.bin") + &" ".repeat(spaces);
        let bin = File::triangle().bin;
        zip(
            CompressionMethod::DEFLATE,
            &[("a.gltf", text.as_bytes()), ("a.bin", &bin)],
        )
    };
    assert!(open("large", &large(3 << 20)).is_ok());
    let refused = refusal("vast", &large(5 << 20));
    assert!(refused.contains("many times as large"), "{refused}");
}

/// Text may be packed well where the archive is large for other reasons.
#[test]
fn a_large_archive_may_hold_much_text() {
    let parts =
        (0..150_000).map(|part| format!(r#"{{"name":"part {part}","scale":[1.0,1.0,1.0]}}"#));
    let mut document: serde_json::Value = serde_json::from_str(&model("a.bin")).unwrap();
    document["extras"] = parts.collect::<Vec<_>>().into();
    let text = document.to_string();
    let mut rng = Rng::new(1);
    let noise: Vec<u8> = (0..1 << 20).map(|_| rng.bits() as u8).collect();
    let bin = File::triangle().bin;
    let files = [
        ("a.gltf", text.as_bytes()),
        ("a.bin", &bin),
        ("b.png", &noise),
    ];
    let bytes = zip(CompressionMethod::DEFLATE, &files);
    assert!(
        text.len() > 7 << 20 && bytes.len() < 2 << 20,
        "{}",
        bytes.len()
    );
    assert_eq!(open("text", &bytes).unwrap().model.triangle_count(), 1);
}

#[test]
fn an_archive_opens_as_the_model_in_it() {
    let (gltf, bin) = (model("../data%20files/a.bin"), File::triangle().bin);
    let files: [(&str, &[u8]); 4] = [
        ("pack/readme.txt", b"hello"),
        ("__MACOSX/pack/._b.gltf", b"x"),
        ("pack/model/b.gltf", gltf.as_bytes()),
        ("pack/data files/a.bin", &bin),
    ];
    for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
        let import = open("opens", &zip(method, &files)).unwrap();
        assert_eq!(import.model.triangle_count(), 1);
        assert_eq!(import.model.name, "b.gltf");
        assert!(import.diagnostics.is_empty(), "{:?}", import.diagnostics);
    }
}

#[test]
fn an_archive_with_several_models_lists_them() {
    let bytes = zip(CompressionMethod::STORE, &[("a.glb", b""), ("b.gltf", b"")]);
    let said = refusal("several", &bytes);
    assert!(
        said.contains("2 models") && said.contains("a.glb, b.gltf"),
        "{said}"
    );
    let glb = File::triangle().to_glb();
    let bytes = zip(
        CompressionMethod::DEFLATE,
        &[("a.glb", b""), ("chosen.glb", &glb)],
    );
    assert_eq!(open("chosen", &bytes).unwrap().model.name, "chosen.glb");
    let bytes = zip(CompressionMethod::STORE, &[("a.txt", b"")]);
    assert!(refusal("none", &bytes).contains("no .gltf, .glb, .vrm or .vrma file in the archive"));
}

#[test]
fn names_that_lead_out_of_an_archive_lead_nowhere() {
    let bin = File::triangle().bin;
    for (name, uri) in [("../a.bin", "../a.bin"), ("..\\a.bin", "../a.bin")] {
        let gltf = model(uri);
        let files: [(&str, &[u8]); 2] = [("b.gltf", gltf.as_bytes()), (name, &bin)];
        let import = open("climbs", &zip(CompressionMethod::STORE, &files)).unwrap();
        assert_eq!(import.model.triangle_count(), 0, "{name}");
        assert_found(&import, Severity::Warning, "ARCHIVE_NAME_OUTSIDE", "");
        assert_error(&import, "URI_OUTSIDE_FOLDER", "/buffers/0/uri");
    }
    // A link would have to be followed.
    let mut bytes = zip(
        CompressionMethod::STORE,
        &[("b.gltf", model("a").as_bytes()), ("a", &bin)],
    );
    let last = directory_entries(&bytes)[1];
    bytes[last + 5] = 3;
    bytes[last + 38..last + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
    let import = open("link", &bytes).unwrap();
    assert_error(&import, "IO_ERROR", "/buffers/0/uri");
}

/// Windows writes the names of its code page, and some archivers the root before all of them.
#[test]
fn names_of_older_archivers_are_read() {
    let bin = File::triangle().bin;
    let opens = |gltf: &str, name: &str, uri: &str, change: &[(u8, u8)]| {
        let gltf_text = model(uri);
        let files: [(&str, &[u8]); 2] = [(gltf, gltf_text.as_bytes()), (name, &bin)];
        let mut bytes = zip(CompressionMethod::STORE, &files);
        // The name stands in its own head and in the directory.
        for (from, to) in change {
            for byte in bytes.iter_mut().filter(|byte| *byte == from) {
                *byte = *to;
            }
        }
        let import = open("older", &bytes).unwrap();
        assert_eq!(import.model.triangle_count(), 1, "{name}");
    };
    opens("/b.gltf", "/a.bin", "a.bin", &[]);
    opens("/pack/b.gltf", "\\pack\\a.bin", "a.bin", &[]);
    opens("b.gltf", "ta~te.bin", "ta%C3%A9te.bin", &[(b'~', 0x82)]);
}

#[test]
fn of_two_entries_of_one_name_the_last_counts() {
    let (gltf, bin) = (model("a.bin"), File::triangle().bin);
    let files: [(&str, &[u8]); 3] = [
        ("a.bin", &bin[..4]),
        ("b.gltf", gltf.as_bytes()),
        ("a.bin", &bin),
    ];
    let import = open("last", &zip(CompressionMethod::STORE, &files)).unwrap();
    assert_eq!(import.model.triangle_count(), 1);
}

/// Where the entries of the central directory begin (APPNOTE.TXT §4.3.12).
fn directory_entries(bytes: &[u8]) -> Vec<usize> {
    let found = bytes.windows(4).enumerate();
    found
        .filter(|(_, window)| window == b"PK\x01\x02")
        .map(|(place, _)| place)
        .collect()
}

/// An archive of a model and its buffer, the entry of which was changed: field offsets within the directory's record.
fn with_changed_buffer(change: impl Fn(&mut [u8])) -> Import {
    let (gltf, bin) = (model("a.bin"), vec![0; 4096]);
    let files: [(&str, &[u8]); 2] = [("b.gltf", gltf.as_bytes()), ("a.bin", &bin)];
    let mut bytes = zip(CompressionMethod::DEFLATE, &files);
    let entry = directory_entries(&bytes)[1];
    change(&mut bytes[entry..]);
    open("changed", &bytes).unwrap()
}

/// Who goes through them need not read it again.
#[test]
fn an_archive_that_was_read_says_which_models_it_has() {
    let text = model("../b.bin");
    let files: [(&str, &[u8]); 5] = [
        ("b.bin", &File::triangle().bin),
        ("in/a10.gltf", text.as_bytes()),
        ("in/a2.gltf", text.as_bytes()),
        ("in/scene.gltf", text.as_bytes()),
        ("in/deep/a1.gltf", text.as_bytes()),
    ];
    let sandbox = Sandbox::new("zip-models");
    let path = sandbox.write("pack.zip", &zip(CompressionMethod::STORE, &files));
    let models = ["in/scene.gltf", "in/a2.gltf", "in/a10.gltf"];
    for chosen in [None, Some("in/a10.gltf"), Some("in/deep/a1.gltf")] {
        let consent = Consent {
            model: chosen.map(str::to_owned),
            ..Consent::default()
        };
        let given = [path.clone()];
        let import = import::open(&given, &consent, &Progress::default()).unwrap();
        assert_eq!(import.within.as_deref(), Some(chosen.unwrap_or(models[0])));
        assert_eq!(import.models, models);
    }
    let file = sandbox.write("alone.gltf", text.as_bytes());
    let import = import::load(&file, &Progress::default()).unwrap();
    assert!(import.models.is_empty(), "{:?}", import.models);
}

#[track_caller]
fn assert_said(import: &Import, words: &str) {
    let found = import
        .diagnostics
        .iter()
        .find(|found| found.pointer.starts_with("/buffers/0"));
    let said = &found.expect("the buffer is named").message;
    assert!(said.contains(words), "{said}");
}

#[test]
fn says_what_it_cannot_read() {
    assert!(
        with_changed_buffer(|_| ())
            .diagnostics
            .iter()
            .all(|d| !d.pointer.starts_with("/buffers/0"))
    );
    assert_said(&with_changed_buffer(|entry| entry[8] |= 1), "encrypted");
    assert_said(
        &with_changed_buffer(|entry| entry[10] = 14),
        "unknown method",
    );
    assert_said(&with_changed_buffer(|entry| entry[16] ^= 1), "damaged");
    assert!(refusal("cut", b"PK\x03\x04").contains("cannot be read"));
}

#[test]
fn bombs_do_not_go_off() {
    let with_size =
        |size: u32| with_changed_buffer(|entry| entry[24..28].copy_from_slice(&size.to_le_bytes()));
    // More than it holds, less than it holds, and more than deflate can make of it.
    assert_said(&with_size(4097), "damaged");
    assert_said(&with_size(100), "damaged");
    assert_said(&with_size(u32::MAX - 1), "cannot hold so many");
    // 600 MB of zeros in 600 kB: more than a file of that size may cost.
    let zeros = vec![0; 600 << 20];
    let gltf = model("a.bin");
    let files: [(&str, &[u8]); 2] = [("b.gltf", gltf.as_bytes()), ("a.bin", &zeros)];
    let bytes = zip(CompressionMethod::DEFLATE, &files);
    drop(zeros);
    assert!(bytes.len() < 1 << 20);
    assert_error(
        &open("zeros", &bytes).unwrap(),
        "MEMORY_BUDGET_EXCEEDED",
        "/buffers/0",
    );
}

#[test]
fn survives_damaged_archives() {
    let (gltf, bin) = (model("a.bin"), File::triangle().bin);
    let files: [(&str, &[u8]); 2] = [("b.gltf", gltf.as_bytes()), ("a.bin", &bin)];
    let sandbox = Sandbox::new("zip-damage");
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let whole = zip(CompressionMethod::DEFLATE, &files);
    let mut opened = 0;
    for round in 0..2000 {
        let mut bytes = whole.clone();
        for _ in 0..=random(4) {
            let place = random(bytes.len());
            bytes[place] = [0, 0xff, random(256) as u8][random(3)];
        }
        if round % 8 == 0 {
            bytes.truncate(random(bytes.len()));
        }
        let path = sandbox.write("model/damaged.zip", &bytes);
        opened += usize::from(import::load(&path, &Progress::default()).is_ok());
    }
    println!("{opened} of 2000 damaged archives opened");
    assert!(opened > 100);
}
