//! Cut-outs and layers: where alpha decides what is drawn, and in which order.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::app::Actor;
use serde_json::json;

use super::quad::{base_color, middle, quad, unlit};
use crate::common::{gpu, picture, to_image, try_picture};

/// Alpha goes from 0 to 1 along the quad; masks cover samples, so that the edge is no staircase.
#[test]
fn masks_have_smooth_edges_of_the_right_color() {
    let Some(gpu) = gpu() else { return };
    let mut ramp = std::io::Cursor::new(Vec::new());
    let texel = |x: u32, _| image::Rgba([255, 255, 255, [0, 255][x as usize]]);
    let image = image::RgbaImage::from_fn(2, 1, texel);
    image.write_to(&mut ramp, image::ImageFormat::Png).unwrap();
    let ramp = STANDARD.encode(ramp.into_inner());
    let material = json!({
        "alphaMode": "MASK",
        "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.2, 0.0, 1.0], "baseColorTexture": { "index": 0 } }
    });
    let mut quad = quad(&[
        ("materials", unlit(material)),
        (
            "images",
            json!([{ "uri": format!("data:image/png;base64,{ramp}") }]),
        ),
        ("textures", json!([{ "source": 0, "sampler": 0 }])),
        ("samplers", json!([{ "wrapS": 33071, "wrapT": 33071 }])),
        // Turned by 20°, so that the edge crosses the columns of pixels.
        (
            "nodes",
            json!([{ "mesh": 0, "rotation": [0, 0, 0.173_648_178, 0.984_807_753] }]),
        ),
    ]);
    let typed = [
        "--size",
        "64x64",
        "--background",
        "none",
        "--target",
        "0,0,0",
        "--orbit",
        "0,90,5",
        "--fov",
        "30",
    ];
    let image = to_image(&picture(&gpu, &mut quad, &typed));
    let (mut partly, mut fully) = (0, 0);
    for pixel in image.pixels() {
        match pixel.0 {
            [_, _, _, 0] => {}
            [.., 255] => fully += 1,
            [red, green, blue, _] => {
                partly += 1;
                // Uncovered samples add nothing to the colour: linear 0.5 and 0.2 are 188 and 124.
                let near = red.abs_diff(188) <= 2 && green.abs_diff(124) <= 2 && blue <= 1;
                assert!(near, "{pixel:?}");
            }
        }
    }
    println!("{partly} pixels covered partly, {fully} fully");
    // The outline of the quad itself accounts for some.
    let column = |x: u32| (0..64).map(move |y| (x, y));
    let inside: Vec<_> = (24..40)
        .flat_map(column)
        .filter(|&(_, y)| (16..48).contains(&y))
        .collect();
    let on_edge = inside
        .iter()
        .filter(|&&at| !matches!(image[at].0[3], 0 | 255))
        .count();
    assert!(on_edge >= 20, "{on_edge}");
}

/// Texels of alpha 0 and 1 in turn, about one a pixel: nothing is between, and no cutoff is there that makes an edge.
#[test]
fn cutoffs_beyond_all_alpha_draw_all_or_nothing() {
    let Some(gpu) = gpu() else { return };
    let mut board = std::io::Cursor::new(Vec::new());
    let texel = |x, y| image::Rgba([255, 255, 255, [0, 255][((x + y) % 2) as usize]]);
    let image = image::RgbaImage::from_fn(63, 63, texel);
    image.write_to(&mut board, image::ImageFormat::Png).unwrap();
    let board = STANDARD.encode(board.into_inner());
    for (cutoff, all, none) in [
        (0.0, true, false),
        (0.5, false, false),
        (1.0, false, false),
        (1.5, false, true),
    ] {
        let material = json!({
            "alphaMode": "MASK",
            "alphaCutoff": cutoff,
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } }
        });
        let mut quad = quad(&[
            ("materials", unlit(material)),
            (
                "images",
                json!([{ "uri": format!("data:image/png;base64,{board}") }]),
            ),
            ("textures", json!([{ "source": 0, "sampler": 0 }])),
            (
                "samplers",
                json!([{ "magFilter": 9728, "minFilter": 9728 }]),
            ),
        ]);
        let typed = [
            "--size",
            "63x63",
            "--background",
            "none",
            "--target",
            "0,0,0",
            "--orbit",
            "0,90,4",
            "--fov",
            "30",
        ];
        let image = to_image(&picture(&gpu, &mut quad, &typed));
        let inside = (12..51).flat_map(|y| (12..51).map(move |x| (x, y)));
        let alphas: Vec<_> = inside.map(|at| image[at].0[3]).collect();
        let drawn = alphas.iter().filter(|&&alpha| alpha == 255).count();
        let empty = alphas.iter().filter(|&&alpha| alpha == 0).count();
        println!(
            "cutoff {cutoff}: {drawn} drawn, {empty} empty of {}",
            alphas.len()
        );
        assert_eq!(drawn == alphas.len(), all, "cutoff {cutoff}: {drawn}");
        assert_eq!(empty == alphas.len(), none, "cutoff {cutoff}: {empty}");
        if cutoff == 1.0 {
            // What is wholly there is drawn wholly.
            assert!(
                drawn > 500 && drawn + empty == alphas.len(),
                "{drawn} {empty}"
            );
        }
    }
}

/// Points and lines have no far side that would be seen through the near one.
#[test]
fn blended_points_and_lines_are_drawn_once() {
    let Some(gpu) = gpu() else { return };
    for mode in [0, 1] {
        let [once, double_sided] = [false, true].map(|double_sided| {
            let material = json!({
                "alphaMode": "BLEND",
                "doubleSided": double_sided,
                "pbrMetallicRoughness": base_color([1.0, 1.0, 1.0, 0.5])
            });
            let primitive = json!({
                "attributes": { "POSITION": 0 }, "indices": 2, "material": 0, "mode": mode
            });
            let mut shapes = quad(&[
                ("materials", unlit(material)),
                ("meshes", json!([{ "primitives": [primitive] }])),
            ]);
            let typed = [
                "--size",
                "63x63",
                "--background",
                "000000",
                "--target",
                "0,0,0",
                "--orbit",
                "0,90,5",
                "--fov",
                "30",
            ];
            to_image(&picture(&gpu, &mut shapes, &typed))
        });
        assert!(once.pixels().any(|pixel| pixel.0[0] > 100), "mode {mode}");
        let brightest = |image: &image::RgbaImage| image.pixels().map(|it| it.0[0]).max();
        assert_eq!(brightest(&once), brightest(&double_sided), "mode {mode}");
        assert_eq!(once, double_sided, "mode {mode}");
    }
}

/// A near red and a far blue layer of one mesh; the near one comes first in the file, and the far one is seen from behind.
fn two_layers(double_sided: bool) -> Actor {
    let mut bytes = Vec::new();
    for (z, turned) in [(0.5_f32, false), (-0.5, true)] {
        let mut corners = [
            [-1.0, -1.0, z],
            [1.0, -1.0, z],
            [1.0, 1.0, z],
            [-1.0, 1.0, z],
        ];
        if turned {
            corners.reverse();
        }
        bytes.extend(
            corners
                .as_flattened()
                .iter()
                .flat_map(|float| float.to_le_bytes()),
        );
    }
    for color in [[1.0_f32, 0.0, 0.0, 0.5], [0.0, 0.0, 1.0, 0.5]] {
        bytes.extend(color.repeat(4).iter().flat_map(|float| float.to_le_bytes()));
    }
    bytes.extend(
        [0_u16, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]
            .iter()
            .flat_map(|index| index.to_le_bytes()),
    );
    let data = STANDARD.encode(&bytes);
    quad(&[
        (
            "materials",
            unlit(json!({ "alphaMode": "BLEND", "doubleSided": double_sided })),
        ),
        (
            "meshes",
            json!([{ "primitives": [{ "attributes": { "POSITION": 0, "COLOR_0": 1 }, "indices": 2, "material": 0 }] }]),
        ),
        (
            "buffers",
            json!([{ "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }]),
        ),
        (
            "bufferViews",
            json!([
                { "buffer": 0, "byteLength": 96 },
                { "buffer": 0, "byteOffset": 96, "byteLength": 128 },
                { "buffer": 0, "byteOffset": 224, "byteLength": 24 }
            ]),
        ),
        (
            "accessors",
            json!([
                { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 8, "min": [-1, -1, -0.5], "max": [1, 1, 0.5] },
                { "bufferView": 1, "componentType": 5126, "type": "VEC4", "count": 8 },
                { "bufferView": 2, "componentType": 5123, "type": "SCALAR", "count": 12 }
            ]),
        ),
    ])
}

#[test]
fn back_faces_of_blended_surfaces_are_behind_their_front_faces() {
    let Some(gpu) = gpu() else { return };
    // Red over blue over black: half of red, a quarter of blue.
    let [red, _, blue, _] = middle(&gpu, &mut two_layers(true), "000000");
    assert!(red > blue + 30 && blue > 100, "{red} {blue}");
    // One-sided, there is no blue but what the tone curve gives to bright red.
    let [_, _, blue, _] = middle(&gpu, &mut two_layers(false), "000000");
    assert!(blue < 40, "{blue}");
}

#[test]
fn variants_change_materials() {
    let Some(gpu) = gpu() else { return };
    let paint = |color| json!({ "extensions": { "KHR_materials_unlit": {} }, "pbrMetallicRoughness": base_color(color) });
    let mappings = json!([{ "material": 1, "variants": [1] }]);
    let primitive = json!({
        "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "indices": 2, "material": 0,
        "extensions": { "KHR_materials_variants": { "mappings": mappings } }
    });
    let mut quad = quad(&[
        (
            "extensionsUsed",
            json!(["KHR_materials_unlit", "KHR_materials_variants"]),
        ),
        (
            "extensions",
            json!({ "KHR_materials_variants": { "variants": [{ "name": "Day" }, { "name": "Night" }] } }),
        ),
        (
            "materials",
            json!([paint([0.5, 0.5, 0.5, 1.0]), paint([0.0, 0.0, 0.5, 1.0])]),
        ),
        ("meshes", json!([{ "primitives": [primitive] }])),
    ]);
    let mut shown = |typed: &[&str]| {
        let base = [
            "--size", "16x16", "--tone", "none", "--target", "0,0,0", "--orbit", "0,90,3", "--fov",
            "30",
        ];
        to_image(&picture(&gpu, &mut quad, &[&base, typed].concat()))[(8, 8)].0
    };
    let (own, night) = ([188, 188, 188, 255], [0, 0, 188, 255]);
    assert_eq!(shown(&[]), own);
    // A variant that says nothing about a primitive leaves it alone.
    assert_eq!(shown(&["--variant", "Day"]), own);
    assert_eq!(shown(&["--variant", "Night"]), night);
    assert_eq!(shown(&["--variant", "1"]), night);
    let error = try_picture(&gpu, &mut quad, &["--variant", "Dusk"]).unwrap_err();
    let message = format!("{error:#}");
    assert!(
        message.contains("Dusk") && message.contains("Night"),
        "{message}"
    );
}
