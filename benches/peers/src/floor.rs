//! The least that a loader must do: read the bytes, decode the images on all cores, and turn numbers into the types that
//! are worked with, at the speed of memory. What the JSON text takes beside is told too: it is parsed once, into values.

use std::{
    fs,
    hint::black_box,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use serde_json::Value;

use crate::Outcome;

/// Milliseconds for reading, for images, for vertices, and for the text.
pub fn measure(file: &Path) -> Outcome<Vec<f64>> {
    let start = Instant::now();
    let bytes = fs::read(file)?;
    let parsing = Instant::now();
    let (document, bin) = split(&bytes)?;
    let text_ms = parsing.elapsed().as_secs_f64() * 1e3;
    let read = |object: &Value| -> Vec<u8> {
        let uri = object["uri"].as_str().unwrap_or_default();
        // The corpus lacks some.
        fs::read(file.with_file_name(uri.replace("%20", " "))).unwrap_or_default()
    };
    let list = |name: &str| document[name].as_array().cloned().unwrap_or_default();
    let is_file = |object: &Value| {
        object["uri"]
            .as_str()
            .is_some_and(|uri| !uri.starts_with("data:"))
    };
    let mut buffers: Vec<Vec<u8>> = Vec::new();
    for buffer in list("buffers") {
        buffers.push(if is_file(&buffer) {
            read(&buffer)
        } else {
            Vec::new()
        });
    }
    let mut files: Vec<Vec<u8>> = Vec::new();
    for image in list("images") {
        files.push(if is_file(&image) {
            read(&image)
        } else {
            Vec::new()
        });
    }
    let read_ms = start.elapsed().as_secs_f64() * 1e3 - text_ms;

    let views = list("bufferViews");
    let view = |index: &Value| -> &[u8] {
        let Some(view) = index.as_u64().and_then(|index| views.get(index as usize)) else {
            return &[];
        };
        let number = |name: &str| view[name].as_u64().unwrap_or(0) as usize;
        let buffer = buffers.get(number("buffer")).map_or(&[][..], Vec::as_slice);
        let buffer = if buffer.is_empty() { bin } else { buffer };
        let start = number("byteOffset");
        buffer
            .get(start..start + number("byteLength"))
            .unwrap_or_default()
    };
    let images = list("images");
    let encoded: Vec<&[u8]> = images
        .iter()
        .zip(&files)
        .map(|(image, file)| {
            if file.is_empty() {
                view(&image["bufferView"])
            } else {
                file
            }
        })
        .collect();
    let start = Instant::now();
    black_box(decode(&encoded));
    let images_ms = start.elapsed().as_secs_f64() * 1e3;

    let accessors = list("accessors");
    // A model keeps them, so no memory is used twice.
    let (mut words, mut floats) = (Vec::new(), Vec::new());
    let start = Instant::now();
    for accessor in &accessors {
        let bytes = view(&accessor["bufferView"]);
        let start = accessor["byteOffset"].as_u64().unwrap_or(0) as usize;
        let components = match accessor["type"].as_str() {
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            Some("MAT4") => 16,
            _ => 1,
        };
        let count = accessor["count"].as_u64().unwrap_or(0) as usize * components;
        let bytes = bytes.get(start..).unwrap_or_default();
        match accessor["componentType"].as_u64() {
            Some(5126 | 5125) => {
                let numbers = bytes.as_chunks::<4>().0.iter().take(count);
                floats.push(numbers.map(|b| f32::from_le_bytes(*b)).collect::<Vec<_>>());
            }
            Some(5123 | 5122) => {
                let numbers = bytes.as_chunks::<2>().0.iter().take(count);
                words.push(
                    numbers
                        .map(|b| u32::from(u16::from_le_bytes(*b)))
                        .collect::<Vec<_>>(),
                );
            }
            _ => {
                words.push(
                    bytes
                        .iter()
                        .take(count)
                        .map(|&b| u32::from(b))
                        .collect::<Vec<_>>(),
                );
            }
        }
    }
    black_box((&words, &floats));
    let vertices_ms = start.elapsed().as_secs_f64() * 1e3;
    Ok(vec![read_ms, images_ms, vertices_ms, text_ms])
}

fn split(bytes: &[u8]) -> Outcome<(Value, &[u8])> {
    if !bytes.starts_with(b"glTF") {
        return Ok((serde_json::from_slice(bytes)?, &[]));
    }
    let length = u32::from_le_bytes(bytes[12..16].try_into()?) as usize;
    let (text, rest) = bytes[20..].split_at(length);
    Ok((
        serde_json::from_slice(text)?,
        rest.get(8..).unwrap_or_default(),
    ))
}

fn decode(encoded: &[&[u8]]) -> Vec<Vec<u8>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut decoded = Vec::new();
        while let Some(bytes) = encoded.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Ok(image) = image::load_from_memory(bytes) {
                decoded.push(image.into_rgba8().into_raw());
            }
        }
        decoded
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_default())
            .collect()
    })
}
