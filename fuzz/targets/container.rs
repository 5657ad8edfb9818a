//! Whole files: any bytes, as they would lie on a disk.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(model) = rigscope::load(bytes) {
        rigscope::play(&model, &[]);
    }
});
