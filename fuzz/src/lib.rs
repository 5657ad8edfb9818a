//! What fuzz targets drive: the layers of rigscope that need neither window nor GPU, without the packages of those that
//! do, so that it is built in a minute.

#![allow(
    dead_code,
    unused_imports,
    missing_docs,
    reason = "fuzzers use some of it"
)]

// The tests' own check of what a model guarantees names the crate.
extern crate self as rigscope;

#[path = "../../src/anim/mod.rs"]
pub mod anim;
#[path = "../../src/import/mod.rs"]
pub mod import;
#[path = "../../tests/import/invariants.rs"]
mod invariants;
#[path = "../../src/model/mod.rs"]
pub mod model;

use anim::{Cursors, Palette, PaletteLayout, Pose, bounds, sample};
use glam::Affine3A;
use import::Progress;
use model::Model;
use serde_json::Value;

/// Loads a file, which may fail, and checks what a model guarantees.
pub fn load(bytes: &[u8]) -> Option<Model> {
    let import = import::load_bytes("fuzz", bytes, &Progress::default()).ok()?;
    for diagnostic in &import.diagnostics {
        let _ = diagnostic.to_string();
    }
    invariants::check(&import.model);
    Some(import.model)
}

/// Measuring posed vertices takes a second for each few millions of them, under a sanitiser.
const MOST_MEASURED: usize = 1_000_000;

/// Poses a model by each of its clips at each of these times, as the window would.
pub fn play(model: &Model, times_secs: &[f64]) {
    let layout = PaletteLayout::of_all_nodes(model);
    let mut pose = Pose::new(&model.hierarchy);
    let (mut cursors, mut palette) = (Cursors::default(), Palette::default());
    for clip in &model.clips {
        let end = f64::from(clip.duration_secs());
        let ends = [-1.0, 0.0, end * 0.5, end, 1e9];
        for &time_secs in times_secs.iter().chain(&ends) {
            pose.reset(&model.hierarchy);
            sample(clip, time_secs, &mut cursors, &mut pose);
            pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
            palette.clear(&layout, 1);
            palette.push(model, &layout, &pose);
            if model.vertex_count() <= MOST_MEASURED {
                bounds::posed_bounds(model, &layout, &palette, &pose, 0);
            }
        }
    }
}

/// A GLB of a document and its binary chunk.
pub fn glb(document: &Value, bin: &[u8]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8], filler: u8| {
        let length = data.len().next_multiple_of(4);
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
        bytes.resize(bytes.len() + length - data.len(), filler);
    };
    chunk(b"JSON", document.to_string().as_bytes(), b' ');
    chunk(b"BIN\0", bin, 0);
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}
