//! The skeleton's shapes.

use rigscope::{
    app::Actor,
    import::{Progress, load_bytes},
    render::Gpu,
};
use serde_json::json;

use crate::common::{gpu, picture};

/// Two bones in a row, each as long as `size`, and nothing else.
pub(super) fn two_bones(size: f64) -> Actor {
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
    Actor::new(import.model)
}

fn drawn(gpu: &Gpu, size: f64, side: &str, background: &str) -> Vec<[u8; 4]> {
    let mut actor = two_bones(size);
    let typed = ["--size", side, "--background", background, "--skeleton"];
    let pixels = picture(gpu, &mut actor, &typed).rgba8;
    pixels.as_chunks().0.to_vec()
}

/// Shapes have their form however small the model is.
#[test]
fn bones_of_tiny_models_are_shaded_as_those_of_others() {
    let Some(gpu) = gpu() else { return };
    let expected = drawn(&gpu, 1.0, "64", "none");
    assert!(expected.iter().any(|pixel| *pixel != [0; 4]));
    for size in [1e-6, 1e-8, 1e-10, 1e-12] {
        let pairs = drawn(&gpu, size, "64", "none").into_iter().zip(&expected);
        let apart = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2));
        assert_eq!(apart.count(), 0, "{size}");
    }
}

/// On what is as pale as a bone its edge is dark: the first pixels that are not of the background, from either side.
#[test]
fn bones_stand_out_from_pale_backgrounds() {
    let Some(gpu) = gpu() else { return };
    let pixels = drawn(&gpu, 1.0, "256", "#c8c8c8");
    let (mut rows, mut dark) = (0, 0);
    for row in pixels.chunks(256) {
        let is_ground = |pixel: &&[u8; 4]| pixel[..3].iter().all(|it| it.abs_diff(200) < 8);
        let darkest = |from: Vec<&[u8; 4]>| {
            let shape = from.into_iter().skip_while(is_ground).take(3);
            shape.map(|pixel| pixel[0]).min()
        };
        let sides = [row.iter().collect(), row.iter().rev().collect()].map(darkest);
        if let [Some(left), Some(right)] = sides {
            rows += 1;
            dark += usize::from(left < 170 && right < 170);
        }
    }
    // But for the very ends.
    assert!(rows > 150 && dark * 10 > rows * 9, "{dark} of {rows}");
}

#[test]
fn where_the_surface_on_them_is_lost_bones_are_drawn() {
    let Some(gpu) = gpu() else { return };
    let lost = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "children": [1] }, { "translation": [0, 1, 0] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 99 } }] }],
    });
    let lost = load_bytes("lost", lost.to_string().as_bytes(), &Progress::default()).unwrap();
    let mut lost = Actor::new(lost.model);
    assert!(lost.has_only_joints());
    let drawn = picture(
        &gpu,
        &mut lost,
        &["--size", "64x64", "--background", "none"],
    )
    .rgba8;
    assert!(drawn.iter().any(|&channel| channel > 0));
}

/// Where all nodes rest in one place, as in some files of clips, that place is seen.
#[test]
fn joints_in_one_place_are_drawn() {
    let Some(gpu) = gpu() else { return };
    let file = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "children": [1], "translation": [0, 3, 0] }, {}],
    });
    let import = load_bytes("made", file.to_string().as_bytes(), &Progress::default()).unwrap();
    let mut actor = Actor::new(import.model);
    assert!(actor.has_only_joints());
    let typed = ["--size", "128x128", "--background", "none"];
    let drawn = picture(&gpu, &mut actor, &typed).rgba8;
    assert!(drawn.iter().any(|&channel| channel > 0));
}
