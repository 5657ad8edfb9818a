//! JSON text in front of data that are there: buffer 0 has 4 KiB of small floats.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    let bin: Vec<u8> = (0..1024)
        .flat_map(|i| (i as f32 / 64.0).to_le_bytes())
        .collect();
    for (kind, data) in [(b"JSON", text), (b"BIN\0", &bin)] {
        file.extend((data.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(data);
    }
    let length = file.len() as u32;
    file[8..12].copy_from_slice(&length.to_le_bytes());
    if let Some(model) = rigscope::load(&file) {
        rigscope::play(&model, &[]);
    }
});
