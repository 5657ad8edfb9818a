//! Files of all kinds that are decoded here, beside what the `image` crate makes of them.

mod encoder;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

use encoder::{Noise, Plan, Scan, segment, usual_scans, whole_scan};

use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

use super::*;

const SUBSAMPLED: [(usize, usize); 3] = [(2, 2), (1, 1), (1, 1)];

fn plan(width: usize, height: usize, components: &[(usize, usize)]) -> Plan {
    Plan {
        width,
        height,
        components: components.to_vec(),
        scans: usual_scans(components.len()),
        interval: 0,
        zeros: 190,
    }
}

/// What comes out, with so many cores.
fn ours(file: &[u8], cores: usize) -> Option<Vec<u8>> {
    let used = AtomicUsize::new(1);
    let free_core = || (used.fetch_add(1, Ordering::Relaxed) < cores).then_some(());
    // With the least that a processor of this kind can do, or with what this one can.
    let level = if cores > 2 {
        Level::baseline()
    } else {
        Level::new()
    };
    let marked = open(file)?.read_markers().ok()?;
    marked.decode_at(level, &free_core).ok()
}

fn theirs(file: &[u8]) -> Option<Vec<u8>> {
    Some(image::load_from_memory(file).ok()?.into_rgb8().into_raw())
}

fn check(plan: &Plan) {
    let file = encoder::file(plan);
    let expected = theirs(&file);
    assert!(expected.is_some(), "{plan:?}");
    for cores in 1..4 {
        assert!(ours(&file, cores) == expected, "{cores} {plan:?}");
    }
}

#[test]
fn pictures_are_what_the_image_crate_makes_of_them() {
    let kinds: [&[(usize, usize)]; 5] = [
        &[(1, 1)],
        &[(1, 1); 3],
        &[(2, 1), (1, 1), (1, 1)],
        &[(1, 2), (1, 1), (1, 1)],
        &SUBSAMPLED,
    ];
    for components in kinds {
        for (width, height) in [(1, 1), (8, 8), (17, 9), (15, 33), (40, 16), (231, 250)] {
            for (interval, zeros) in [(0, 0), (0, 190), (0, 250), (1, 190), (7, 240)] {
                let plan = Plan {
                    interval,
                    zeros,
                    ..plan(width, height, components)
                };
                check(&plan);
                let scans = whole_scan(components.len());
                check(&Plan { scans, ..plan });
            }
        }
    }
}

#[test]
fn scans_come_in_many_orders() {
    let each = |component| {
        [
            Scan::new(&[component], (0, 0), (0, 0)),
            Scan::new(&[component], (1, 1), (0, 3)),
            Scan::new(&[component], (2, 63), (0, 0)),
            Scan::new(&[component], (1, 1), (3, 2)),
            Scan::new(&[component], (1, 1), (2, 1)),
            Scan::new(&[component], (1, 1), (1, 0)),
        ]
    };
    let one_by_one = [each(2), each(0), each(1)].concat();
    let unfinished = vec![
        Scan::new(&[0, 2], (0, 0), (0, 3)),
        Scan::new(&[1], (0, 0), (0, 2)),
        Scan::new(&[0], (9, 40), (0, 1)),
        Scan::new(&[0, 2], (0, 0), (3, 2)),
        Scan::new(&[1], (0, 0), (2, 1)),
    ];
    let only_means = vec![Scan::new(&[0, 1, 2], (0, 0), (0, 0))];
    for scans in [one_by_one, unfinished, only_means] {
        for components in [[(1, 1); 3], SUBSAMPLED] {
            for interval in [0, 5] {
                check(&Plan {
                    scans: scans.clone(),
                    interval,
                    ..plan(100, 70, &components)
                });
            }
        }
    }
}

#[test]
fn sequential_files_are_read_where_they_are_usual() {
    let usual = Plan {
        scans: whole_scan(3),
        ..plan(100, 70, &[(1, 1); 3])
    };
    let file = encoder::file(&usual);
    let head = file.windows(2).position(|it| it == [0xff, 0xda]).unwrap();
    let is_read = |place: usize, bytes: &[u8]| {
        let mut file = file.clone();
        file[place..place + bytes.len()].copy_from_slice(bytes);
        let ours = ours(&file, 1);
        assert!(ours.is_none() || ours == theirs(&file), "{place}");
        ours.is_some()
    };
    assert!(is_read(head, &[0xff, 0xda]));
    let frame = file.windows(2).position(|it| it == [0xff, 0xc0]).unwrap();
    assert!(is_read(frame, &[0xff, 0xc1]), "extended, of 8 bits");
    assert!(!is_read(frame, &[0xff, 0xc1, 0, 17, 12]));
    for (place, byte) in [(11, 1), (12, 62), (13, 1), (13, 0x10), (6, 1), (6, 0x10)] {
        assert!(!is_read(head + place, &[byte]), "{place}");
    }
    let with = |segment: &[u8]| [&file[..file.len() - 2], segment, &[0xff, 0xd9]].concat();
    assert!(ours(&with(&[]), 1).is_some());
    assert!(ours(&with(&segment(0xdd, &[0, 0])), 1).is_none());
    // Each component by itself.
    let scans = [0, 1, 2].map(|it| Scan::new(&[it], (0, 63), (0, 0)));
    let scans = scans.to_vec();
    assert!(ours(&encoder::file(&Plan { scans, ..usual }), 1).is_none());
}

/// What else writes files, with tables that are always the same.
#[test]
fn files_of_other_encoders_are_read() {
    let mut noise = Noise(3);
    let pixels: Vec<u8> = (0..90 * 70 * 3).map(|_| noise.next(256) as u8).collect();
    for quality in [20, 75, 100] {
        for (color, count) in [(ExtendedColorType::Rgb8, 3), (ExtendedColorType::L8, 1)] {
            let mut file = Vec::new();
            let mut encoder = JpegEncoder::new_with_quality(&mut file, quality);
            let pixels = &pixels[..90 * 70 * count];
            encoder.encode(pixels, 90, 70, color).unwrap();
            let ours = ours(&file, 2);
            assert!(ours.is_some() && ours == theirs(&file), "{quality} {count}");
        }
    }
}

/// JPEGs of the corpus that are files of their own. Without the corpus the test passes and says so.
#[test]
fn real_files_are_what_the_image_crate_makes_of_them() {
    let Some(corpus) = std::env::var_os("RIGSCOPE_CORPUS") else {
        println!("skipped: no corpus");
        return;
    };
    let (mut folders, mut found) = (vec![PathBuf::from(corpus)], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "jpg") {
                let file = std::fs::read(&path).unwrap();
                if let Some(ours) = ours(&file, 2) {
                    assert!(theirs(&file) == Some(ours), "{}", path.display());
                    found += 1;
                }
            }
        }
    }
    assert!(found > 0, "there are some in it");
}

/// Runs of blocks in which nothing more comes may be as long as numbers allow.
#[test]
fn long_runs_end() {
    check(&Plan {
        zeros: 256,
        ..plan(1800, 1200, &[(1, 1)])
    });
}

#[test]
fn tables_and_other_segments_may_stand_where_they_do() {
    let file = encoder::file(&plan(30, 20, &[(1, 1); 3]));
    let with = |segments: &[Vec<u8>]| [&file[..2], &segments.concat(), &file[2..]].concat();
    let adobe = |transform| segment(0xee, &[b"Adobe\0\x64\0\0\0\0", &[transform][..]].concat());
    let usual = [
        segment(0xe1, b"Exif\0\0II*\0\x08\0\0\0\0\0"),
        segment(0xe2, b"ICC_PROFILE\0\x01\x01something"),
        segment(0xed, b"Photoshop 3.0\0something"),
        segment(0xee, b"Adobf"),
        segment(0xef, b""),
        segment(0xfe, b"a comment"),
        adobe(1),
    ];
    assert_eq!(ours(&with(&usual), 1), theirs(&with(&usual)));
    assert!(ours(&with(&usual), 1).is_some());
    let unusual = [
        adobe(0),
        adobe(2),
        segment(0xe0, b"AVI1\0\0\0"),
        segment(0xe0, b"AVI"),
        segment(0xdb, &[0; 65]),
        segment(0xdb, &[4; 65]),
        segment(0xcc, &[0, 0]),
        segment(0xdc, &[0, 20]),
        vec![0xff],
        vec![0],
    ];
    for segment in unusual {
        assert!(ours(&with(&[segment]), 1).is_none());
    }
    let frame = file.windows(2).position(|it| it == [0xff, 0xc2]).unwrap();
    let changed = |place: usize, byte: u8| {
        let mut file = file.clone();
        file[frame + place] = byte;
        file
    };
    assert!(ours(&changed(1, 0xc2), 1).is_some());
    let unusual = [
        (1, 0xc0),
        (1, 0xc9),
        (4, 12),
        (6, 0),
        (8, 0),
        (9, 4),
        (10, 2),
        (11, 0x41),
        (11, 0),
        (14, 0x21),
        (12, 3),
    ];
    for (place, byte) in unusual {
        assert!(ours(&changed(place, byte), 1).is_none(), "{place}");
    }
}

#[test]
fn scans_that_do_not_fit_are_left_to_others() {
    let mut plan = plan(30, 20, &[(1, 1); 3]);
    let is_read = |plan: &Plan| ours(&encoder::file(plan), 1).is_some();
    assert!(is_read(&plan));
    let scans = plan.scans.clone();
    for place in 0..4 {
        // Later scans miss it.
        plan.scans.remove(place);
        assert!(!is_read(&plan), "{place}");
        plan.scans = scans.clone();
        plan.scans.insert(place, scans[place].clone());
        assert!(!is_read(&plan), "{place}");
        plan.scans = scans.clone();
    }
    plan.scans = vec![Scan::new(&[0, 1, 2], (0, 0), (0, 13))];
    for low in (0..13).rev() {
        let refined = |component| Scan::new(&[component], (0, 0), (low + 1, low));
        plan.scans.extend([0, 1, 2].map(refined));
    }
    assert!(is_read(&plan));
    for place in 1..40 {
        plan.scans.push(Scan::new(&[0], (place, place), (0, 0)));
    }
    assert!(!is_read(&plan), "an attack has many");
}

#[test]
fn files_that_end_early_are_left_to_others() {
    for (interval, scans) in [
        (0, usual_scans(3)),
        (3, usual_scans(3)),
        (0, whole_scan(3)),
        (3, whole_scan(3)),
    ] {
        let file = encoder::file(&Plan {
            interval,
            scans,
            ..plan(30, 20, &SUBSAMPLED)
        });
        for length in 0..file.len() - 2 {
            assert!(ours(&file[..length], 1).is_none(), "{length}");
        }
        // Its last marker says nothing more.
        for length in file.len() - 2..file.len() {
            assert_eq!(ours(&file[..length], 1), ours(&file, 1), "{length}");
        }
        let longer = [&file[..], b"more"].concat();
        assert_eq!(ours(&longer, 1), ours(&file, 1));
    }
}

/// If something comes out of what is broken, it is what others make of it.
#[test]
fn broken_files_are_as_broken_for_all() {
    let (mut whole, mut noise) = (0, Noise(5));
    for (round, interval) in [0, 4, 0, 4].into_iter().enumerate() {
        let scans = [usual_scans(3), whole_scan(3)];
        let file = encoder::file(&Plan {
            interval,
            scans: scans[round / 2].clone(),
            ..plan(60, 50, &[[(1, 1); 3], SUBSAMPLED][round % 2])
        });
        for round in 0..1500 {
            let mut broken = file.clone();
            for _ in 0..=round % 3 {
                let place = noise.next(file.len() as u32) as usize;
                broken[place] = match noise.next(4) {
                    0 => noise.next(256) as u8,
                    1 => 0xff,
                    _ => broken[place] ^ 1 << noise.next(8),
                };
            }
            if let Some(ours) = ours(&broken, 1 + round % 2) {
                assert!(theirs(&broken) == Some(ours), "{interval} {round}");
                whole += 1;
            }
        }
    }
    assert!(whole > 100, "{whole} of them look whole");
}

#[test]
fn memory_does_not_grow_with_the_height() {
    let memory = |height| {
        let file = encoder::head(&plan(4096, height, &SUBSAMPLED));
        open(&file).unwrap().working_memory()
    };
    assert_eq!(memory(1 << 10), memory(1 << 14));
    assert!(memory(1 << 10) < 8 << 20, "{}", memory(1 << 10));
}

/// What others decode gets rid of all that is not the picture.
#[test]
fn bare_files_have_the_same_picture() {
    let plan = plan(100, 70, &SUBSAMPLED);
    let file = encoder::file(&plan);
    let expected = theirs(&file);
    let profile = [&b"http://ns.adobe.com/xmp/extension/\0"[..], &[7; 60]].concat();
    let more = [
        segment(0xe0, b"JFIF"),
        segment(0xe1, &profile).repeat(500),
        segment(0xfe, b"\xff\xc0\xff\xda"),
        vec![0xff, 0xff, 0, 1, 2, 0xff],
    ];
    let with = |more: &[u8]| [&file[..2], more, &file[2..]].concat();
    let behind = [&with(&more.concat())[..], b"\xff\xd8\xff\xda"].concat();
    let bare = bare(&behind).unwrap();
    assert_eq!(bare.kept_components, 3);
    assert!(bare.bytes.len() <= file.len());
    assert!(theirs(&bare.bytes) == expected);
    let adobe = |kind| segment(0xee, &[&b"Adobe\0\x64\0\0\0\0"[..], &[kind]].concat());
    let rgb = with(&adobe(0));
    assert!(theirs(&rgb) != expected);
    // The last one of Adobe's own counts.
    for more in [
        adobe(0),
        [segment(0xee, b"Ducky"), adobe(0)].concat(),
        [adobe(1), adobe(0)].concat(),
    ] {
        let bare = super::bare(&with(&more)).unwrap();
        assert!(theirs(&bare.bytes) == theirs(&rgb));
    }
    let grey = encoder::file(&self::plan(100, 70, &[(1, 1)]));
    let other = [&grey[..2], &adobe(2), &grey[2..]].concat();
    assert!(theirs(&super::bare(&other).unwrap().bytes) == theirs(&grey));
    let video = with(&segment(0xe0, b"AVI1"));
    assert!(theirs(&super::bare(&video).unwrap().bytes) == expected);
    let scans = whole_scan(3);
    let whole = encoder::file(&Plan { scans, ..plan });
    assert_eq!(super::bare(&whole).unwrap().kept_components, 0);
}

#[test]
fn what_would_cost_more_than_the_picture_is_refused() {
    let sound = encoder::file(&plan(16, 16, &[(1, 1)]));
    let code = |file: &[u8]| bare(file).err().map(|fault| fault.code);
    let (broken, unsupported) = (Some("IMAGE_DATA_INVALID"), Some("IMAGE_FORMAT_UNSUPPORTED"));
    assert_eq!(code(&sound), None);
    let end = sound.len() - 2;
    let with = |place: usize, more: &[u8]| [&sound[..place], more, &sound[place..]].concat();
    let work = |more: &[u8]| bare(&with(end, more)).unwrap().unusual_work;
    let scan = [&segment(0xda, &[1, 1, 0, 1, 63, 0])[..], &[0; 3]].concat();
    assert_eq!(work(b""), 0);
    // 16 × 16 pixels are four blocks.
    assert_eq!(
        work(&scan.repeat(60)) - work(&scan.repeat(59)),
        4 * (63 + 8)
    );
    // Also where they stand in what others may or may not take for a segment.
    let hidden = segment(0xe3, &scan.repeat(60));
    assert_eq!(work(&hidden), work(&scan.repeat(60)));
    let tables = segment(0xc4, &[&[0; 16][..], &[0]].concat());
    for place in [2, end] {
        assert_eq!(code(&with(place, &tables.repeat(1000))), None);
        assert_eq!(code(&with(place, &tables.repeat(2000))), unsupported);
        assert!(ours(&with(place, &tables.repeat(2000)), 1).is_none());
    }
    let frame = sound.windows(2).position(|it| it == [0xff, 0xc2]).unwrap();
    let changed = |place: usize, byte: u8| {
        let mut file = sound.clone();
        file[frame + place] = byte;
        code(&file)
    };
    assert_eq!(changed(1, 0xc9), unsupported, "arithmetic");
    assert_eq!(changed(4, 12), unsupported, "12 bits");
    assert_eq!(changed(6, 0), unsupported, "no height");
    assert_eq!(changed(11, 0x31), unsupported, "a factor of 3");
    assert_eq!(changed(9, 2), broken, "components that are not there");
    let head = &sound[..frame];
    let of_frame = &sound[frame..frame + 13];
    assert_eq!(code(&[head, of_frame, &sound[frame..]].concat()), broken);
    assert_eq!(code(&[head, &sound[frame + 13..]].concat()), broken);
    for length in 2..sound.len() {
        if let Ok(bare) = bare(&sound[..length]) {
            assert!(bare.bytes.len() <= length);
        }
    }
}
