//! The skeleton's shapes.

use rigscope::{
    app::Actor,
    import::{Progress, load_bytes},
};
use serde_json::json;

use crate::common::{gpu, picture};

/// Shapes have their form however small the model is.
#[test]
fn bones_of_tiny_models_are_shaded_as_those_of_others() {
    let Some(gpu) = gpu() else { return };
    let drawn = |size: f64| {
        let file = json!({
            "asset": { "version": "2.0" },
            "scenes": [{ "nodes": [0] }],
            "nodes": [
                { "children": [1], "scale": [size, size, size] },
                { "children": [2], "translation": [0, 1, 0] }, { "translation": [0, 1, 0] }
            ],
            "skins": [{ "joints": [0, 1, 2] }],
        });
        let import = load_bytes("made", file.to_string().as_bytes(), &Progress::default()).unwrap();
        let mut actor = Actor::new(import.model);
        let typed = ["--size", "64x64", "--background", "none", "--skeleton"];
        picture(&gpu, &mut actor, &typed).rgba8
    };
    let expected = drawn(1.0);
    assert!(expected.iter().any(|&channel| channel > 0));
    for size in [1e-6, 1e-8, 1e-10, 1e-12] {
        let apart = drawn(size)
            .iter()
            .zip(&expected)
            .filter(|(a, b)| a.abs_diff(**b) > 2)
            .count();
        assert_eq!(apart, 0, "{size}");
    }
}
