//! Corpus models beside the pictures that other renderers made of them, from the same camera: the outlines must agree, and
//! colours must be near.
//!
//! Sheets for looking at are left in `target/silhouettes` and `target/colours`: ours first, then the others, best first.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod common;

use std::{fmt::Write as _, path::Path};

use common::{actor, artefacts, folder, gpu, picture, to_image};
use image::{RgbaImage, imageops};
use rigscope::render::Gpu;

/// Least intersection over union with the best of the other renderers.
const MIN_AGREEMENT: f64 = 0.985;

/// All 38 but two: `IridescenceSuzanne`, which all others show before a backdrop, and Lantern, whose buffer is missing.
const MIN_MODELS: usize = 36;

/// A line of `SCENARIOS.tsv`.
struct Scenario {
    model: String,
    target: String,
    orbit: String,
    size: [u32; 2],
    fov: String,
    renderers: Vec<String>,
}

fn scenarios(goldens: &Path) -> Vec<Scenario> {
    let table = std::fs::read_to_string(goldens.join("SCENARIOS.tsv")).unwrap();
    let scenario = |line: &str| {
        let cells: Vec<_> = line.split('\t').collect();
        Scenario {
            model: cells[0].to_owned(),
            target: cells[1].to_owned(),
            orbit: cells[2..5].join(","),
            size: [cells[5].parse().unwrap(), cells[6].parse().unwrap()],
            fov: cells[7].to_owned(),
            renderers: cells[8].split(',').map(str::to_owned).collect(),
        }
    };
    table.lines().skip(1).map(scenario).collect()
}

/// Which pixels a picture covers by more than half.
fn mask(picture: &RgbaImage) -> Vec<bool> {
    picture.pixels().map(|pixel| pixel[3] >= 128).collect()
}

/// Intersection over union.
fn agreement(ours: &[bool], theirs: &[bool]) -> f64 {
    let count = |both: fn(bool, bool) -> bool| {
        let pairs = ours.iter().zip(theirs);
        pairs.filter(|&(&a, &b)| both(a, b)).count() as f64
    };
    count(|a, b| a && b) / count(|a, b| a || b).max(1.0)
}

/// Our picture at twice the size of theirs, halved: their pictures are scaled down as well.
fn ours(
    gpu: &Gpu,
    corpus: &Path,
    scenario: &Scenario,
    [width, height]: [u32; 2],
    more: &[&str],
) -> RgbaImage {
    let size = format!("{}x{}", 2 * width, 2 * height);
    let mut actor = actor(&corpus.join("files").join(&scenario.model));
    let mut typed = vec![
        "--size",
        &size,
        "--background",
        "none",
        "--target",
        &scenario.target,
        "--orbit",
        &scenario.orbit,
        "--fov",
        &scenario.fov,
    ];
    typed.extend(more);
    let large = to_image(&picture(gpu, &mut actor, &typed));
    imageops::resize(&large, width, height, imageops::FilterType::Triangle)
}

/// Pictures side by side on grey.
fn sheet(pictures: &[&RgbaImage]) -> RgbaImage {
    let (width, height) = pictures[0].dimensions();
    let grey = image::Rgba([90, 95, 105, 255]);
    let mut sheet = RgbaImage::from_pixel(width * pictures.len() as u32, height, grey);
    for (place, picture) in pictures.iter().enumerate() {
        imageops::overlay(&mut sheet, *picture, i64::from(width) * place as i64, 0);
    }
    sheet
}

#[test]
fn silhouettes_agree_with_other_renderers() {
    let (Some(goldens), Some(corpus), Some(gpu)) =
        (folder("RIGSCOPE_GOLDENS"), folder("RIGSCOPE_CORPUS"), gpu())
    else {
        return;
    };
    let folder = artefacts("silhouettes");
    let (mut table, mut compared) = (String::new(), 0);
    let mut failures = Vec::new();
    for scenario in scenarios(&goldens) {
        let name = Path::new(&scenario.model)
            .file_stem()
            .unwrap()
            .to_string_lossy();
        let rest = actor(&corpus.join("files").join(&scenario.model));
        if rest.model().vertex_count() == 0 {
            println!("{name}: its buffer is not in the corpus, so it has no vertices");
            continue;
        }
        let mut others: Vec<(f64, &str, RgbaImage)> = Vec::new();
        let mut our_picture: Option<RgbaImage> = None;
        for renderer in &scenario.renderers {
            let file = goldens.join(&*name).join(format!("{renderer}.webp"));
            let theirs = image::open(&file)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
                .to_rgba8();
            let (width, height) = theirs.dimensions();
            let [full_width, full_height] = scenario.size.map(f64::from);
            if theirs.pixels().all(|pixel| pixel[3] == 255) {
                println!("{name}: {renderer} shows a backdrop, so no outline");
                continue;
            }
            let is_whole =
                (f64::from(width) / f64::from(height) - full_width / full_height).abs() < 0.02;
            if !is_whole {
                println!("{name}: {renderer} shows a picture of {width} × {height}, not compared");
                continue;
            }
            let picture = our_picture
                .take_if(|picture| picture.dimensions() == (width, height))
                .unwrap_or_else(|| ours(&gpu, &corpus, &scenario, [width, height], &[]));
            others.push((agreement(&mask(&picture), &mask(&theirs)), renderer, theirs));
            our_picture = Some(picture);
        }
        others.sort_by(|a, b| b.0.total_cmp(&a.0));
        let Some(our_picture) = our_picture else {
            println!("{name}: nothing to compare with");
            continue;
        };
        assert!(
            our_picture.pixels().any(|pixel| pixel[3] > 0),
            "{name} has vertices but no picture"
        );
        compared += 1;
        let same_size = others.iter().map(|(.., theirs)| theirs);
        let same_size = same_size.filter(|theirs| theirs.dimensions() == our_picture.dimensions());
        let pictures: Vec<_> = std::iter::once(&our_picture).chain(same_size).collect();
        sheet(&pictures)
            .save(folder.join(format!("{name}.png")))
            .unwrap();
        let best = others[0].0;
        let list = others
            .iter()
            .map(|(agreement, renderer, _)| format!("{renderer} {agreement:.4}"));
        let list = list.collect::<Vec<_>>().join(", ");
        writeln!(table, "{best:.4}  {name}: {list}").unwrap();
        if best < MIN_AGREEMENT {
            failures.push(format!("{name}: {best:.4} with {}", others[0].1));
        }
    }
    println!("{table}{compared} models compared");
    assert!(
        compared >= MIN_MODELS,
        "only {compared} models could be compared"
    );
    assert!(
        failures.is_empty(),
        "less than {MIN_AGREEMENT}:\n{}",
        failures.join("\n")
    );
}

/// Of all models, the mean of the mean distance of colours to the nearest renderer, in the studio and in the interior: 0 is
/// none, 1 from black to white. Others drew in other environments (the interior's walls are green), so it says what is far off
/// and no more. Measured: 0.079 and 0.195.
const MAX_DISTANT: [f64; 2] = [0.09, 0.22];

/// The mean distance of colours where both pictures show the model, 1 from black to white.
fn distance(ours: &RgbaImage, theirs: &RgbaImage) -> f64 {
    let pairs = ours.pixels().zip(theirs.pixels());
    let (mut sum, mut count) = (0.0, 0.0);
    for (a, b) in pairs.filter(|(a, b)| a[3] >= 250 && b[3] >= 250) {
        let squares = (0..3).map(|channel| (f64::from(a[channel]) - f64::from(b[channel])).powi(2));
        sum += (squares.sum::<f64>() / 3.0).sqrt() / 255.0;
        count += 1.0;
    }
    sum / f64::max(count, 1.0)
}

/// Takes minutes: `cargo test --test silhouettes -- --ignored --nocapture` prints the table.
#[test]
#[ignore = "draws all models in two environments"]
fn colors_are_near_those_of_other_renderers() {
    let (Some(goldens), Some(corpus), Some(gpu)) =
        (folder("RIGSCOPE_GOLDENS"), folder("RIGSCOPE_CORPUS"), gpu())
    else {
        return;
    };
    let interior = goldens.join("../environments/st_fagans_interior_1k.hdr");
    let interior = interior.to_str().unwrap();
    let settings: [(&str, &[&str]); 2] = [
        ("studio", &[]),
        (
            "interior",
            &["--environment", interior, "--exposure", "-1.5"],
        ),
    ];
    let folder = artefacts("colours");
    let mut sums = [0.0; 2];
    let mut compared = 0.0;
    for scenario in scenarios(&goldens) {
        let name = Path::new(&scenario.model)
            .file_stem()
            .unwrap()
            .to_string_lossy();
        let mut others: Vec<(&str, RgbaImage)> = Vec::new();
        for renderer in &scenario.renderers {
            let theirs = image::open(goldens.join(&*name).join(format!("{renderer}.webp")));
            let theirs = theirs.unwrap().to_rgba8();
            let [width, height] = scenario.size.map(f64::from);
            let aspect = f64::from(theirs.width()) / f64::from(theirs.height());
            let is_first_size = others
                .first()
                .is_none_or(|(_, first)| first.dimensions() == theirs.dimensions());
            if (aspect - width / height).abs() < 0.02 && is_first_size {
                others.push((renderer, theirs));
            }
        }
        let Some((_, first)) = others.first() else {
            continue;
        };
        let size = first.dimensions().into();
        let (mut pictures, mut line) = (Vec::new(), String::new());
        for ((setting, more), sum) in settings.iter().zip(&mut sums) {
            let picture = ours(&gpu, &corpus, &scenario, size, more);
            if picture.pixels().all(|pixel| pixel[3] == 0) {
                break;
            }
            let distances = others
                .iter()
                .map(|(name, theirs)| (distance(&picture, theirs), *name));
            let nearest = distances.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            *sum += nearest.0;
            write!(line, "  {setting} {:.3} ({})", nearest.0, nearest.1).unwrap();
            pictures.push(picture);
        }
        if pictures.is_empty() {
            continue;
        }
        compared += 1.0;
        println!("{name}:{line}");
        pictures.extend(others.into_iter().map(|(_, theirs)| theirs));
        sheet(&pictures.iter().collect::<Vec<_>>())
            .save(folder.join(format!("{name}.png")))
            .unwrap();
    }
    let means = sums.map(|sum| sum / compared);
    println!(
        "{compared} models: studio {:.4}, interior {:.4}",
        means[0], means[1]
    );
    assert!(
        means[0] < MAX_DISTANT[0] && means[1] < MAX_DISTANT[1],
        "{means:?}, more than {MAX_DISTANT:?}"
    );
}
