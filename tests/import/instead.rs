//! What is given instead of a model is called what it is, and it is said what to do.

use std::path::PathBuf;

use rigscope::import::{self, Consent, Progress};

use super::{
    file::refusal,
    opening::{Sandbox, triangle_with},
};

#[test]
fn files_that_are_plainly_something_else_are_called_what_they_are() {
    const LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    for (first, what) in [
        (LFS, "a pointer of Git LFS"),
        (b"\x1f\x8b\x08\0\0\0", "gzip"),
        (b"b3dm\x01\0\0\0", "3D Tiles (b3dm)"),
        (
            b"Kaydara FBX Binary  \0\x1a\0",
            "an FBX file: export it as glTF",
        ),
        (
            b"# made by hand\nmtllib a.mtl\n",
            "an OBJ file: export it as glTF",
        ),
        (b"o Cube\r\nv 1 0 -0.5\r\n", "an OBJ file"),
        (b"v 1 0 -0.5\n", "an OBJ file"),
        (b"solid cube\n  facet normal 0 0 1\n", "an STL file"),
        (b"ply\nformat ascii 1.0\n", "a PLY file"),
        (b"HIERARCHY\nROOT Hips\n", "a BVH file"),
        (
            b"{\"model\":\"Fox.glb\",\"clip\":null,\"time_secs\":0.0,\"nodes\":[",
            "a pose that rigscope has saved",
        ),
        (b"<?xml version=\"1.0\"?>\n<COLLADA xmlns", "a COLLADA file"),
        (b"PXR-USDC\0", "USD"),
        (b"#usda 1.0\n", "USD"),
        (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
        (b"\xff\xd8\xff\xe0", "a picture (JPEG)"),
        (b"\n<!DOCTYPE html>\n<html>", "a web page (HTML)"),
        (b"\xef\xbb\xbf<?xml version=\"1.0\"?>", "XML"),
        (b"o what a model", "some other text"),
        (b"not a model", "this is no glTF file, but some other text"),
        (b"\n  Notes:\r\n\t- a caf\xc3\xa9\n", "some other text"),
    ] {
        let told = refusal(first);
        assert!(told.contains(what) && !told.contains("JSON"), "{told}");
    }
    for json in [&b"null"[..], b"{\"asset\": ", b"true"] {
        let told = refusal(json);
        assert!(!told.contains("some other text"), "{told}");
    }
}

/// What to do is said: open the model, not its buffer; save what is on the net.
#[test]
fn what_was_given_instead_of_a_model_is_named() {
    let sandbox = Sandbox::new("instead");
    let refusal = |path: PathBuf| {
        let error = import::open(&[path], &Consent::default(), &Progress::default()).unwrap_err();
        (import::finding_of(&error).code, format!("{error:#}"))
    };
    let buffer = refusal(sandbox.write("model/walk.bin", &[0, 0, 128, 63]));
    assert_eq!(buffer.0, "FILE_FORMAT_UNKNOWN");
    assert!(
        buffer.1.contains("walk.bin: this is the buffer"),
        "{buffer:?}"
    );
    assert!(buffer.1.contains(".gltf"), "{buffer:?}");
    // By any name a model is one.
    let model = sandbox.write("model/model.bin", triangle_with("a.bin").as_bytes());
    let import = import::open(&[model], &Consent::default(), &Progress::default()).unwrap();
    let told = import.diagnostics[0].to_string();
    assert!(
        told.contains("\"a.bin\" is not there: it must lie beside"),
        "{told}"
    );
    // A file cannot be called so, wherever it lies.
    let model = sandbox.write("model/bytes.gltf", triangle_with("%FF.bin").as_bytes());
    let import = import::open(&[model], &Consent::default(), &Progress::default()).unwrap();
    let words = "\"%FF.bin\" names no file: the bytes that it encodes are not UTF-8";
    let mut told = import.diagnostics.iter();
    assert!(
        told.any(|it| it.message.contains(words)),
        "{:?}",
        import.diagnostics
    );
    let remote = refusal(PathBuf::from("HTTPS://example.org/walk.glb"));
    assert_eq!(remote.0, "IO_ERROR");
    assert!(
        remote.1.contains("nothing is fetched from the net"),
        "{remote:?}"
    );
    let missing = refusal(sandbox.0.join("model/no.glb"));
    assert!(!missing.1.contains("net"), "{missing:?}");
}
