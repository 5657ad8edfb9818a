//! Points, lines, edges and the grid are as wide in pictures that are drawn larger and averaged.

use image::RgbaImage;
use rigscope::{app::Actor, render::Gpu};
use serde_json::json;

use super::quad::{lit_mesh, quad};
use crate::common::{gpu, picture, to_image};

/// A quad that is drawn as points, lines or triangles.
fn quad_of(mode: u32) -> Actor {
    let primitive = json!({
        "attributes": { "POSITION": 0 }, "indices": 2, "material": 0, "mode": mode
    });
    quad(&[("meshes", json!([{ "primitives": [primitive] }]))])
}

fn drawn(gpu: &Gpu, actor: &mut Actor, scale: &str, more: &[&str]) -> RgbaImage {
    let typed = [
        "--size",
        "192x192",
        "--background",
        "000000",
        "--orbit",
        "50,75,3.5",
        "--scale",
        scale,
    ];
    to_image(&picture(gpu, actor, &[&typed, more].concat()))
}

/// The sum of all that differs between two pictures, in whole channels.
fn difference(a: &RgbaImage, b: &RgbaImage) -> f64 {
    let pairs = a.as_raw().iter().zip(b.as_raw());
    let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / 255.0
}

#[test]
fn what_is_a_pixel_wide_is_as_wide_when_pictures_are_averaged() {
    let Some(gpu) = gpu() else { return };
    let lit = quad(&[("meshes", json!([lit_mesh(0)]))]);
    // What is drawn, and the option that shows it; none for what there is without.
    let cases = [
        ("points", quad_of(0), None),
        ("lines", quad_of(1), None),
        ("wires", quad_of(4), Some("--wires")),
        ("normals", lit, Some("--normals")),
        ("grid", quad_of(4), Some("--grid")),
        ("skeleton", pip(), Some("--skeleton")),
    ];
    for (what, mut actor, option) in cases {
        let shown = |scale| {
            let with = drawn(&gpu, &mut actor, scale, option.as_slice());
            let without = match option {
                Some(_) => drawn(&gpu, &mut actor, scale, &[]),
                None => {
                    RgbaImage::from_pixel(with.width(), with.height(), image::Rgba([0, 0, 0, 255]))
                }
            };
            difference(&with, &without)
        };
        let [once, four, seven] = ["1", "4", "7"].map(shown);
        assert!(once > 1.0, "{what}: {once}");
        for (scale, found) in [(4, four), (7, seven)] {
            let ratio = found / once;
            assert!((0.7..1.4).contains(&ratio), "{what} at {scale}: {ratio}");
        }
    }
}

fn pip() -> Actor {
    Actor::new(rigscope::cli::load("builtin:Pip".as_ref()).unwrap().model)
}
