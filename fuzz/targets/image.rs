//! The bytes of an image, whatever they say they are.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_texture_basisu", "EXT_texture_webp"],
        "buffers": [{"byteLength": bytes.len()}],
        "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
        "images": [{"bufferView": 0, "mimeType": "image/png"}],
        "textures": [{"source": 0}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
    });
    rigscope::load(&rigscope::glb(&document, bytes));
});
