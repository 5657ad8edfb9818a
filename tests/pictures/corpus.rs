//! Every corpus file with material extensions, drawn; `target/materials` has the pictures and a sheet of them all, to be
//! looked at.

use std::{fmt::Write as _, fs};

use image::{RgbaImage, imageops};
use rigscope::{app::Actor, app::nothing_left, cli};

use crate::common::{artefacts, folder, gpu, picture, to_image};

const TILE: [u32; 2] = [240, 180];
const COLUMNS: u32 = 8;

/// Files of the manifest that use material extensions beyond unlit, with those extensions.
fn files(manifest: &str) -> Vec<(&str, String)> {
    let mut lines = manifest
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let titles = lines.next().unwrap();
    let column = titles
        .iter()
        .position(|title| *title == "extensionsUsed")
        .unwrap();
    let with_layers = lines.filter_map(|line| {
        let all = line[column].split(',');
        let layers = all.filter_map(|name| name.strip_prefix("KHR_materials_"));
        let layers: Vec<_> = layers.filter(|name| *name != "unlit").collect();
        (!layers.is_empty()).then(|| (line[0], layers.join(" ")))
    });
    with_layers.collect()
}

#[test]
fn all_files_with_material_extensions_are_drawn() {
    let (Some(gpu), Some(corpus)) = (gpu(), folder("RIGSCOPE_CORPUS")) else {
        return;
    };
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let out = artefacts("materials");
    let (mut tiles, mut index) = (Vec::new(), String::new());
    let mut empty = Vec::new();
    let size = format!("{}x{}", TILE[0], TILE[1]);
    for (path, layers) in files(&manifest) {
        // Files with nothing to show, or that the importer refuses, are for other tests.
        let Ok(import) = cli::load(&corpus.join("files").join(path)) else {
            continue;
        };
        let has_faces = import
            .model
            .meshes
            .iter()
            .any(|mesh| !mesh.primitives.is_empty());
        if nothing_left(&import).is_some() || !has_faces {
            continue;
        }
        let mut actor = Actor::new(import.model);
        let image = to_image(&picture(
            &gpu,
            &mut actor,
            &["--size", &size, "--background", "none"],
        ));
        assert_eq!(gpu.first_error(), None, "{path}");
        if !actor.layout().placements().is_empty() && image.pixels().all(|pixel| pixel.0[3] == 0) {
            empty.push(path);
        }
        let place = tiles.len();
        let _ = writeln!(
            index,
            "{}, {}: {path} ({layers})",
            place as u32 / COLUMNS + 1,
            place as u32 % COLUMNS + 1
        );
        tiles.push(image);
    }
    let rows = (tiles.len() as u32).div_ceil(COLUMNS);
    let grey = image::Rgba([90, 92, 96, 255]);
    let mut sheet = RgbaImage::from_pixel(COLUMNS * TILE[0], rows * TILE[1], grey);
    for (place, tile) in (0..).zip(&tiles) {
        let (x, y) = (place % COLUMNS * TILE[0], place / COLUMNS * TILE[1]);
        imageops::overlay(&mut sheet, tile, x.into(), y.into());
    }
    sheet.save(out.join("sheet.png")).unwrap();
    fs::write(out.join("sheet.txt"), index).unwrap();
    println!(
        "{} files drawn, of which nothing is seen: {empty:?}",
        tiles.len()
    );
    assert!(tiles.len() >= 30, "{}", tiles.len());
    assert!(empty.is_empty(), "{empty:?}");
}
