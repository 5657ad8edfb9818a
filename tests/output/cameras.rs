//! Pictures through cameras: those of the file, and those that are typed.

use std::{fs, path::Path};

use base64::Engine as _;
use image::RgbaImage;
use serde_json::json;

use crate::{common::gpu, folder, render};

/// A triangle to look at, with cameras: one 5 in front of it, one at its right hand that looks along −X and whose node is
/// scaled, and one that projects in parallel; two that are wide, one that ends within the triangle, and one of no scene.
fn model(folder: &Path) -> String {
    let corners: [f32; 9] = [-1.0, -0.5, 0.3, 1.2, -0.7, -0.2, 0.1, 0.9, 0.4];
    let bytes: Vec<u8> = corners
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let uri = base64::engine::general_purpose::STANDARD.encode(bytes);
    let half = 0.5_f64.sqrt();
    let document = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, 1, 2, 3, 4, 5, 6] }],
        "nodes": [
            { "mesh": 0 },
            { "camera": 0, "name": "front", "translation": [0, 0, 5] },
            { "camera": 1, "translation": [6, 0, 0], "rotation": [0, half, 0, half], "scale": [2, 2, 2] },
            { "camera": 2, "translation": [0, 0, 3] },
            { "camera": 3, "translation": [0, 0, 5] },
            { "camera": 4, "translation": [0, 0, 3] },
            { "camera": 5, "translation": [0, 0, 5] },
            { "camera": 0, "name": "elsewhere" },
        ],
        "cameras": [
            { "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1 } },
            { "type": "perspective", "name": "side", "perspective": { "yfov": 0.5, "znear": 0.1 } },
            { "type": "orthographic", "name": "flat",
              "orthographic": { "xmag": 2.0, "ymag": 1.5, "znear": 0.1, "zfar": 10.0 } },
            { "type": "perspective", "name": "wide",
              "perspective": { "yfov": 0.5, "aspectRatio": 2.0, "znear": 0.1 } },
            { "type": "orthographic", "name": "wide and flat",
              "orthographic": { "xmag": 3.0, "ymag": 1.0, "znear": 0.1, "zfar": 10.0 } },
            { "type": "perspective", "name": "short",
              "perspective": { "yfov": 0.7, "znear": 0.1, "zfar": 5.0 } },
        ],
        "materials": [{ "doubleSided": true, "extensions": { "KHR_materials_unlit": {} } }],
        "extensionsUsed": ["KHR_materials_unlit"],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "accessors": [{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": [-1.0, -0.7, -0.2], "max": [1.2, 0.9, 0.4]
        }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{ "byteLength": 36, "uri": format!("data:application/octet-stream;base64,{uri}") }],
    });
    let file = folder.join("cameras.gltf");
    fs::write(&file, document.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn picture(model: &str, folder: &Path, typed: &[&str]) -> RgbaImage {
    let file = folder.join("picture.png");
    let all = [
        model,
        "--size",
        "120x90",
        "--transparent",
        "-o",
        file.to_str().unwrap(),
    ];
    render(&[&all[..], typed].concat()).unwrap();
    image::open(file).unwrap().into_rgba8()
}

fn drawn(picture: &RgbaImage) -> Vec<bool> {
    picture.pixels().map(|pixel| pixel.0[3] > 127).collect()
}

/// How many pixels are drawn in one picture and not in the other.
fn others(a: &RgbaImage, b: &RgbaImage) -> usize {
    let (a, b) = (drawn(a), drawn(b));
    a.iter().zip(&b).filter(|(a, b)| a != b).count()
}

#[test]
fn cameras_of_the_file_see_what_typed_ones_see_from_there() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("cameras");
    let model = model(&folder);
    let see = |typed: &[&str]| picture(&model, &folder, typed);
    let typed = |orbit: &str, yfov: f32| {
        let fov = yfov.to_degrees().to_string();
        see(&["--target", "0,0,0", "--orbit", orbit, "--fov", &fov])
    };
    let front = see(&["--camera", "front"]);
    assert!(drawn(&front).iter().filter(|drawn| **drawn).count() > 500);
    assert!(others(&front, &typed("0,90,5", 0.7)) <= 2);
    assert!(
        others(&front, &see(&["--camera", "0"])) == 0,
        "by its index"
    );
    let side = see(&["--camera", "side"]);
    assert!(others(&side, &typed("90,90,6", 0.5)) <= 2);
    assert!(others(&front, &side) > 200);
    // Elevation is the polar angle from the horizon.
    let above = see(&["--camera", "30,20,4", "--target", "0,0,0"]);
    let polar = see(&["--orbit", "30,70,4", "--target", "0,0,0"]);
    assert!(above == polar);
    // Without a distance all of it is seen.
    let framed = see(&["--camera=-30,20"]);
    let (width, height) = framed.dimensions();
    for (x, y, pixel) in framed.enumerate_pixels() {
        let at_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
        assert!(!at_edge || pixel.0[3] == 0);
    }
    // In parallel, 3 units are 90 pixels: the corners, by hand.
    let flat = see(&["--camera", "flat"]);
    let corners = [[-1.0, -0.5], [1.2, -0.7], [0.1, 0.9]];
    let [a, b, c] = corners.map(|[x, y]: [f64; 2]| [60.0 + 30.0 * x, 45.0 - 30.0 * y]);
    let side_of = |p: [f64; 2], q: [f64; 2], at: [f64; 2]| {
        (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0])
    };
    for (x, y, pixel) in flat.enumerate_pixels() {
        let at = [f64::from(x) + 0.5, f64::from(y) + 0.5];
        let sides = [side_of(a, b, at), side_of(b, c, at), side_of(c, a, at)];
        // A pixel's width from the edges, which are up to 66 pixels long.
        let is_inside = sides.iter().all(|side| *side < -66.0);
        let is_outside = sides.iter().any(|side| *side > 66.0);
        assert!(!is_inside || pixel.0[3] == 255, "{x}, {y} is inside");
        assert!(!is_outside || pixel.0[3] == 0, "{x}, {y} is outside");
    }
}

/// Of another shape than the picture, they show all that they show, and nothing behind their planes, as in the window.
#[test]
fn cameras_of_the_file_show_all_that_they_show_and_no_more() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("wide_cameras");
    let model = model(&folder);
    let see = |typed: &[&str]| picture(&model, &folder, typed);
    // The picture is 4 : 3, the camera 2 : 1.
    let fov = 2.0 * (1.5 * 0.25_f32.tan()).atan();
    let fov = fov.to_degrees().to_string();
    let typed = see(&["--target", "0,0,0", "--orbit", "0,90,5", "--fov", &fov]);
    let wide = see(&["--camera", "wide"]);
    assert!(others(&wide, &typed) <= 2, "{}", others(&wide, &typed));
    // 6 units are as wide as the picture. The triangle's area is 1.65.
    let flat = drawn(&see(&["--camera", "wide and flat"]));
    let area = flat.iter().filter(|drawn| **drawn).count() as f64 / (20.0 * 20.0);
    assert!((area - 1.65).abs() < 0.05, "{area}");
    // What lies beyond z = 0 is a corner of 123 pixels, by hand.
    let (front, short) = (see(&["--camera", "front"]), see(&["--camera", "short"]));
    let (front, short) = (drawn(&front), drawn(&short));
    let count = |drawn: &[bool]| drawn.iter().filter(|drawn| **drawn).count();
    let both = front.iter().zip(&short).filter(|(a, b)| **a && **b).count();
    assert_eq!(both, count(&short));
    let cut = count(&front) - both;
    assert!(cut.abs_diff(123) < 15, "{cut}");
    let file = folder.join("none.png");
    let file = file.to_str().unwrap();
    for other in [
        &["--fov", "20"][..],
        &["--target", "0,0,0"],
        &["--framing", "pose"],
        &["--turntable"],
    ] {
        let typed = [&[&*model, "-o", file, "--camera", "front"], other].concat();
        let fault = render(&typed).unwrap_err().to_string();
        assert!(fault.starts_with(other[0]), "{fault}");
    }
    let fault = render(&[&model, "-o", file, "--camera", "elsewhere"]).unwrap_err();
    let fault = fault.to_string();
    let places = "no node of the scene places the camera \"elsewhere\"";
    assert!(fault.starts_with(places), "{fault}");
    assert!(fault.contains("front") && fault.contains("wide"), "{fault}");
}
