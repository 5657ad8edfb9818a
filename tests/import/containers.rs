//! Bytes, containers, JSON and versions.

use rigscope::{
    import::{self, Diagnostic, Import, Progress, Severity},
    model::Projection,
};
use serde_json::json;

use super::file::{
    File, assert_clean, assert_error, assert_found, glb, load, loaded_or_refused, refusal,
};

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

/// They cost memory even if they have no bytes.
#[test]
fn so_many_unknown_chunks_are_kept_and_that_is_said() {
    let plain_file = File::triangle();
    let plain = plain_file.to_glb();
    let json = &plain[20..20 + u32::from_le_bytes(plain[12..16].try_into().unwrap()) as usize];
    let empty: (&[u8; 4], &[u8]) = (b"ABCD", b"");
    for (count, is_said) in [(1000, false), (1001, true)] {
        let known: [(&[u8; 4], &[u8]); 2] = [(b"JSON", json), (b"BIN\0", &plain_file.bin)];
        let chunks = [&known[..], &vec![empty; count]].concat();
        let file = glb(&chunks);
        assert_eq!(import::original_of_bytes(&file).unwrap().chunks.len(), 1000);
        let mut found = load(&file).diagnostics.into_iter();
        let said = found.any(|it| it.action.contains("saved again are the first 1000"));
        assert_eq!(said, is_said, "{count}");
    }
}

/// By its characters, or by the number that they are where they cannot be shown.
#[test]
fn unknown_chunks_are_named_as_people_write_them() {
    let file = File::triangle();
    let plain = file.to_glb();
    let json = &plain[20..20 + u32::from_le_bytes(plain[12..16].try_into().unwrap()) as usize];
    for (kind, named) in [(b"AB D", "\"AB D\""), (b"\x01\x02\x03\xff", "0xff030201")] {
        let chunks: [(&[u8; 4], &[u8]); 3] =
            [(b"JSON", json), (b"BIN\0", &file.bin), (kind, b"1234")];
        let import = load(&glb(&chunks));
        let expected = format!("chunk 2 is of the unknown kind {named}");
        let mut found = import.diagnostics.iter();
        assert!(found.any(|it| it.message == expected), "{named}");
    }
}

#[test]
fn a_container_without_json_says_what_is_wrong() {
    let whole = File::triangle().to_glb();
    let header = &whole[..12];
    let empty = glb(&[(b"JSON", b""), (b"BIN\0", b"1234")]);
    let mut other = whole.clone();
    other[..4].copy_from_slice(b"glTG");
    for (bytes, code) in [
        (header, "GLB_LENGTH_TOO_SMALL"),
        (&empty, "GLB_EMPTY_CHUNK"),
        (&other, "GLB_INVALID_MAGIC"),
    ] {
        let error = import::load_bytes("test", bytes, &Progress::default()).unwrap_err();
        assert_eq!(import::finding_of(&error).code, code, "{error:#}");
    }
}

#[test]
fn survives_a_glb_cut_anywhere() {
    let bytes = File::triangle().to_glb();
    let text_end = 20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    for length in 0..bytes.len() {
        let result = import::load_bytes("cut", &bytes[..length], &Progress::default());
        match loaded_or_refused(result) {
            Ok(import) => assert_error(&import, "GLB_LENGTH_MISMATCH", ""),
            Err(error) => assert!(length < text_end, "{length}: {error}"),
        }
    }
}

#[test]
fn believes_no_length_of_a_glb() {
    let mut bytes = File::triangle().to_glb();
    for (length, code) in [
        (0, "GLB_LENGTH_TOO_SMALL"),
        (12, "GLB_LENGTH_TOO_SMALL"),
        (u32::MAX, "GLB_LENGTH_MISMATCH"),
    ] {
        bytes[8..12].copy_from_slice(&u32::to_le_bytes(length));
        let import = load(&bytes);
        assert_eq!(import.model.triangle_count(), 1);
        assert_error(&import, code, "");
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
    let unknown = load(br#"{"asset": {}}"#);
    assert_error(&unknown, "UNDEFINED_PROPERTY", "/asset");
}

#[test]
fn refuses_what_is_no_json() {
    assert!(refusal(b"").contains("empty"));
    assert!(refusal(b"solid cube").contains("some other text"));
    assert!(refusal(b"(cube)").contains("JSON"));
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

/// One that is just above the middle of two floats, and nearer to it than a double can tell.
#[test]
fn large_integers_leave_other_numbers_as_they_are() {
    let load_with = |far: &str| {
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [0]}}],
            "nodes": [{{"camera": 0, "translation": [1.00000005960464477539062500001, 0, 0]}}],
            "cameras": [{{"type": "perspective", "perspective": {{"yfov": 1, "znear": 1, "zfar": {far}}}}}]}}"#
        );
        let import = load(text.as_bytes());
        let Projection::Perspective { far, .. } = import.model.cameras[0].projection else {
            panic!("{:?}", import.model.cameras);
        };
        (import.model.hierarchy.nodes()[0].rest.translation.x, far)
    };
    assert_eq!(load_with("100"), (1.000_000_1, Some(100.0)));
    assert_eq!(load_with("10000000000"), (1.000_000_1, Some(1e10)));
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

/// More text than may be repaired, with numbers in it that would be no indices.
#[test]
fn long_texts_with_large_integers_are_read() {
    let numbers = vec!["1700000000000"; 1_100_000].join(",");
    let extras = format!(r#""extras":{{"index":[{numbers}]}}"#);
    let text = File::triangle().to_text();
    let long = |before: &str, after: &str| load(text.replace(before, after).as_bytes());
    let import = long(r#""nodes":[0]"#, &format!(r#""nodes":[0],{extras}"#));
    assert_eq!(import.model.scenes.len(), 1);
    assert_eq!(import.model.triangle_count(), 1);
    assert_clean(&import);
    let node = format!(r#""name":"4294967296","mesh":4294967296,{extras}"#);
    let import = long(r#""mesh":0"#, &node);
    assert_eq!(import.model.hierarchy.nodes()[0].name, "4294967296");
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
    file.json["extensionsRequired"] =
        json!(["KHR_materials_unlit", "KHR_materials_volume_scatter"]);
    let import = file.load();
    let code = "EXTENSION_NOT_DRAWN";
    assert_found(&import, Severity::Warning, code, "/extensionsRequired/1");
}

/// What avatars have beyond plain glTF is not worth a refusal.
#[test]
fn opens_avatars_whatever_they_require() {
    let mut file = File::triangle();
    let names = ["VRM", "VRMC_vrm", "VRMC_springBone", "VRMC_materials_mtoon"];
    file.json["extensionsUsed"] = json!(names);
    let of = |import: &Import| -> Vec<_> {
        let all = import.diagnostics.iter();
        let named = all.filter(|it| it.pointer.starts_with("/extensions"));
        // "VRM" has no prefix.
        let is_misnamed = |it: &&Diagnostic| it.code == "INVALID_EXTENSION_NAME_FORMAT";
        let (misnamed, named): (Vec<_>, Vec<_>) = named.partition(is_misnamed);
        let misnamed: Vec<_> = misnamed.iter().map(|it| &*it.pointer).collect();
        assert_eq!(misnamed, ["/extensionsUsed/0"]);
        named.into_iter().map(|it| (it.severity, it.code)).collect()
    };
    let (part, none) = ("EXTENSION_READ_IN_PART", "EXTENSION_NOT_DRAWN");
    let expected = |severity| [part, part, none, none].map(|code| (severity, code));
    assert_eq!(of(&file.load()), expected(Severity::Info));
    file.json["extensionsRequired"] = json!(names);
    assert_eq!(of(&file.load()), expected(Severity::Warning));
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

/// What lies within the length that the header states must be chunks, zeros too.
#[test]
fn bytes_that_are_no_chunk_are_named() {
    let mut glb = File::triangle().to_glb();
    glb.extend([0; 4]);
    let length = u32::try_from(glb.len()).unwrap();
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    assert_error(&load(&glb), "GLB_UNEXPECTED_END_OF_CHUNK_HEADER", "");
    // Beyond that length nobody looks.
    let length = length - 4;
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    let import = load(&glb);
    assert_found(&import, Severity::Warning, "GLB_EXTRA_DATA", "");
    assert!(
        import
            .diagnostics
            .iter()
            .all(|it| it.severity != Severity::Error)
    );
}

/// The validator's own words for what a GLB may be.
#[test]
fn chunks_are_judged_by_their_places_lengths_and_padding() {
    let file = File::triangle();
    let plain = file.to_glb();
    let json = &plain[20..20 + u32::from_le_bytes(plain[12..16].try_into().unwrap()) as usize];
    let first = glb(&[(b"BIN\0", &file.bin), (b"JSON", json)]);
    assert_error(&load(&first), "GLB_UNEXPECTED_FIRST_CHUNK", "");
    let mut cut = plain.clone();
    cut.truncate(plain.len() - 4);
    assert_error(&load(&cut), "GLB_UNEXPECTED_END_OF_CHUNK_DATA", "");
    let padded = [json, &[0; 4]].concat();
    let padded = glb(&[(b"JSON", &padded), (b"BIN\0", &file.bin)]);
    assert_error(&load(&padded), "INVALID_JSON", "");
    assert_eq!(load(&padded).model.triangle_count(), 1);
}

#[test]
fn a_least_version_that_is_none_is_ignored() {
    for least in [json!("2"), json!(""), json!("2.0.0"), json!([])] {
        let mut file = File::triangle();
        file.json["asset"]["minVersion"] = least;
        let import = file.load();
        assert_eq!(import.model.triangle_count(), 1);
        assert_error(&import, "PATTERN_MISMATCH", "/asset/minVersion");
    }
}

#[test]
fn text_in_utf_16_is_called_so() {
    let text = File::triangle().to_text();
    let units: Vec<u16> = text.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [
        [&b"\xff\xfe"[..], &little].concat(),
        [&b"\xfe\xff"[..], &big].concat(),
        little,
        big,
    ] {
        let refusal = refusal(&bytes);
        assert!(refusal.contains("UTF-16"), "{refusal}");
    }
}
