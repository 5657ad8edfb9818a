//! Files that stay where they are until something of them is asked for, such as the binary chunk of a GLB: what is read is
//! the same.

use std::{fs, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use rigscope::import::{Import, Progress, load, load_bytes};
use serde_json::json;

use super::{file::File, opening::Sandbox};
use crate::common::folder;

/// Files of this size are not read as a whole.
const LARGE: usize = 1 << 16;

/// Loads a GLB that was made large by bytes that nothing refers to: from disk, and from memory.
fn assert_same(sandbox: &Sandbox, name: &str, bytes: &[u8]) {
    let path = sandbox.write("model/large.glb", bytes);
    let progress = Progress::default();
    let from_disk = load(&path, &progress).map_err(|error| format!("{:#}", error.root_cause()));
    let from_disk = from_disk.map(|import| {
        assert_eq!(import.path.as_ref(), Some(&path));
        Import {
            path: None,
            ..import
        }
    });
    let from_memory = load_bytes("large.glb", bytes, &progress);
    let mut from_memory = from_memory.map_err(|error| format!("{:#}", error.root_cause()));
    if let (Ok(from_disk), Ok(from_memory)) = (&from_disk, &mut from_memory) {
        // What nothing refers to is not read from disk.
        let (read, there) = (from_disk.model.data_bytes, from_memory.model.data_bytes);
        assert!(read <= there, "{name}: {read} of {there}");
        from_memory.model.data_bytes = read;
    }
    let (a, b) = (format!("{from_disk:?}"), format!("{from_memory:?}"));
    assert!(a == b, "{name}");
}

/// Adds zeros to the end of the binary chunk, if it is not that long.
fn enlarged(glb: &[u8], length: usize) -> Option<Vec<u8>> {
    let number = |at: usize| {
        let bytes = glb.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes) as usize)
    };
    let bin = 20 + number(12)?;
    let mut large = glb.get(..bin + 8 + number(bin)?)?.to_vec();
    large.resize(large.len().max(length + 4096), 0);
    let length = large.len();
    large[8..12].copy_from_slice(&(length as u32).to_le_bytes());
    large[bin..bin + 4].copy_from_slice(&((length - bin - 8) as u32).to_le_bytes());
    Some(large)
}

#[test]
fn are_read_as_from_memory() {
    let sandbox = Sandbox::new("large-own");
    for name in ["pip", "windmill"] {
        let glb = fs::read(format!("assets/{name}.glb")).unwrap();
        let large = enlarged(&glb, LARGE).unwrap();
        assert_same(&sandbox, name, &large);
        // Chunks that are not as they should be are said as ever.
        let mut longer = large.clone();
        longer.extend([0; 8]);
        assert_same(&sandbox, name, &longer);
        let mut other = large.clone();
        other[8] ^= 4;
        assert_same(&sandbox, name, &other);
        assert_same(&sandbox, name, &large[..large.len() - 4]);
    }
}

#[test]
fn of_the_corpus_are_read_as_from_memory() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let sandbox = Sandbox::new("large-corpus");
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let names = manifest.lines().filter_map(|line| line.split('\t').next());
    let mut count = 0;
    for name in names.filter(|name| name.ends_with(".glb")).step_by(3) {
        let glb = fs::read(corpus.join("files").join(name)).unwrap();
        // Some have no binary chunk or a damaged one, and some refer to files.
        let refers = glb.windows(5).any(|it| it == b"\"uri\"");
        if let Some(large) = enlarged(&glb, LARGE).filter(|_| !refers) {
            assert_same(&sandbox, name, &large);
            count += 1;
        }
    }
    println!("{count} files");
    assert!(count > 20);
}

/// A picture that does not compress.
fn noise() -> Vec<u8> {
    const SIDE: u32 = 350;
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let pixels: Vec<u8> = (0..SIDE * SIDE * 3).map(|_| random()).collect();
    let mut png = Vec::new();
    PngEncoder::new(&mut png)
        .write_image(&pixels, SIDE, SIDE, ExtendedColorType::Rgb8)
        .unwrap();
    png
}

/// A PNG with its data in chunks of this length.
fn recut(png: &[u8], length: usize) -> Vec<u8> {
    let (signature, mut rest) = png.split_at(8);
    let (mut recut, mut data) = (signature.to_vec(), Vec::new());
    let add = |recut: &mut Vec<u8>, kind_and_content: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(kind_and_content);
        recut.extend((kind_and_content.len() as u32 - 4).to_be_bytes());
        recut.extend(kind_and_content);
        recut.extend(sum.sum().to_be_bytes());
    };
    while let Some((size, after)) = rest.split_first_chunk::<4>() {
        let (chunk, after) = after.split_at(4 + u32::from_be_bytes(*size) as usize);
        rest = &after[4..];
        match &chunk[..4] {
            b"IDAT" => data.extend(&chunk[4..]),
            kind => {
                if kind == b"IEND" {
                    for part in data.chunks(length) {
                        add(&mut recut, &[b"IDAT", part].concat());
                    }
                }
                add(&mut recut, chunk);
            }
        }
    }
    recut
}

/// Pictures in files of their own, whose chunks lie across all that is read at once.
#[test]
fn pictures_are_read_part_by_part_as_if_they_were_within() {
    let sandbox = Sandbox::new("large-pictures");
    let mut file = File::triangle();
    let mut load_with = |uri: &str| {
        file.json["images"] = json!([{"uri": uri, "name": "picture"}]);
        let path = sandbox.write("model/a.gltf", file.json.to_string().as_bytes());
        let import = load(&path, &Progress::default()).unwrap();
        (import.model.images, import.diagnostics)
    };
    let png = noise();
    let mut pictures: Vec<_> = [500, 8192, 65_535, 65_536, 1 << 20]
        .map(|length| recut(&png, length))
        .into();
    // Broken at its end and at its middle, cut off, and not sound behind its data.
    let last = pictures[1].len();
    for place in [last - 30, last / 2, last - 5] {
        let mut broken = pictures[1].clone();
        broken[place] ^= 1;
        pictures.push(broken);
    }
    pictures.push(pictures[1][..last - 13].to_vec());
    let mut sound = 0;
    for png in pictures {
        sandbox.write("model/a.png", &png);
        let found = load_with("a.png");
        let within = format!("data:image/png;base64,{}", STANDARD.encode(&png));
        let expected = load_with(&within);
        assert!(found.0 == expected.0);
        assert_eq!(format!("{:?}", found.1), format!("{:?}", expected.1));
        sound += usize::from(!found.0[0].is_placeholder);
    }
    assert!(sound >= 5, "{sound}");
}

/// More files than are held open at once, one of them named in several ways.
#[test]
fn files_that_are_named_are_read_as_if_they_were_within() {
    const PICTURES: usize = 70;
    let sandbox = Sandbox::new("large-named");
    let mut file = File::triangle();
    let mut buffer = file.bin.clone();
    buffer.resize(LARGE + 100, 0);
    let png = noise();
    assert!(png.len() > LARGE);
    let within =
        |media: &str, bytes: &[u8]| format!("data:{media};base64,{}", STANDARD.encode(bytes));
    let mut load_with = |buffer_uri: String, images: Vec<String>| {
        file.json["buffers"] = json!([{"byteLength": buffer.len(), "uri": buffer_uri}]);
        let images = images.iter().map(|uri| json!({"uri": uri}));
        file.json["images"] = images.collect();
        let path = sandbox.write("model/a.gltf", file.json.to_string().as_bytes());
        load(&path, &Progress::default()).unwrap()
    };
    let expected = load_with(
        within("application/octet-stream", &buffer),
        vec![within("image/png", &png)],
    );
    assert!(!expected.model.images[0].is_placeholder);
    sandbox.write("model/all.bin", &buffer);
    for picture in 0..PICTURES {
        sandbox.write(&format!("model/{picture}.png"), &png);
    }
    let mut images: Vec<_> = (0..PICTURES).map(|it| format!("{it}.png")).collect();
    images.extend(["0.png", "./0.png", "%30.png", "missing.png"].map(String::from));
    let found = load_with("all.bin".to_owned(), images);
    let meshes = |import: &Import| format!("{:?}", import.model.meshes);
    assert_eq!(meshes(&found), meshes(&expected));
    let (last, images) = found.model.images.split_last().unwrap();
    assert!(last.is_placeholder);
    assert_eq!(images.len(), PICTURES + 3);
    let first = &images[0].levels;
    assert!(
        images[PICTURES..]
            .iter()
            .all(|it| Arc::ptr_eq(&it.levels, first))
    );
    for image in images {
        assert!(
            image.levels == expected.model.images[0].levels,
            "{}",
            image.name
        );
    }
}
