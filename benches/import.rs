//! Loading: from bytes to a model, of the built-in model and, with `RIGSCOPE_CORPUS`, of three files of the corpus.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros have no documentation, and a bench that cannot run shall stop"
)]

use std::{hint::black_box, path::Path};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rigscope::import::{Progress, load_bytes};

/// Small and skinned, many clips, many textures.
const FILES: [&str; 3] = [
    "khronos-samples/Fox/glTF-Binary/Fox.glb",
    "khronos-samples/CesiumMan/glTF-Binary/CesiumMan.glb",
    "quaternius/cyberpunk_pack/Character.glb",
];

fn loading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    let mut files = vec![("pip".to_owned(), std::fs::read("assets/pip.glb").unwrap())];
    if let Some(corpus) = std::env::var_os("RIGSCOPE_CORPUS") {
        for file in FILES {
            let path = Path::new(&corpus).join("files").join(file);
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            files.push((name, std::fs::read(path).unwrap()));
        }
    }
    for (name, bytes) in files {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(&name, |bencher| {
            bencher.iter(|| load_bytes(&name, black_box(&bytes), &Progress::default()).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, loading);
criterion_main!(benches);
