//! Large GLBs, whose binary chunk stays in the file until something of it is asked for: what is read is the same.

use std::fs;

use rigscope::import::{Progress, load, load_bytes};

use super::{corpus::folder, opening::Sandbox};

/// Files of this size are not read as a whole.
const LARGE: usize = 16 << 20;

/// Loads a GLB that was made large by bytes that nothing refers to: from disk, and from memory.
fn assert_same(sandbox: &Sandbox, name: &str, bytes: &[u8]) {
    let path = sandbox.write("model/large.glb", bytes);
    let progress = Progress::default();
    let from_disk = load(&path, &progress).map_err(|error| format!("{:#}", error.root_cause()));
    let from_memory = load_bytes("large.glb", bytes, &progress);
    let from_memory = from_memory.map_err(|error| format!("{:#}", error.root_cause()));
    let (a, b) = (format!("{from_disk:?}"), format!("{from_memory:?}"));
    assert!(a == b, "{name}");
}

/// Adds zeros to the end of the binary chunk.
fn enlarged(glb: &[u8]) -> Option<Vec<u8>> {
    let number = |at: usize| {
        let bytes = glb.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes) as usize)
    };
    let bin = 20 + number(12)?;
    let mut large = glb.get(..bin + 8 + number(bin)?)?.to_vec();
    large.resize(LARGE + 4096, 0);
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
        let large = enlarged(&glb).unwrap();
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
    let Some(corpus) = folder("RIGSCOPE_CORPUS", "corpus") else {
        return;
    };
    let sandbox = Sandbox::new("large-corpus");
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let names = manifest.lines().filter_map(|line| line.split('\t').next());
    let mut count = 0;
    for name in names.filter(|name| name.ends_with(".glb")).step_by(5) {
        let glb = fs::read(corpus.join("files").join(name)).unwrap();
        // Some have no binary chunk or a damaged one, and some refer to files.
        let refers = glb.windows(5).any(|it| it == b"\"uri\"");
        if let Some(large) = enlarged(&glb).filter(|_| !refers) {
            assert_same(&sandbox, name, &large);
            count += 1;
        }
    }
    println!("{count} files");
    assert!(count > 20);
}
