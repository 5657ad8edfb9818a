//! What stands about the mill: meadow, trees, fence, clouds and three hens.

use glam::{DQuat, DVec3, dvec3};

use super::{CANVAS, EARTH, GOLD, GRASS, LEAF, Part, RED, STONE, WOOD};
use crate::generator::facets::Facets;
use crate::generator::math::{cos, mix, pitch, sin, yaw};

/// The hens: body and head nodes, where they stand and which way they look, in degrees.
pub const HENS: [(&str, &str, &str, [f64; 3], f64); 3] = [
    (
        "hen_1",
        "hen_1_neck",
        "hen_1_head",
        [-1.35, 0.12, 1.9],
        60.0,
    ),
    (
        "hen_2",
        "hen_2_neck",
        "hen_2_head",
        [-0.75, 0.12, 2.35],
        -130.0,
    ),
    ("hen_3", "hen_3_neck", "hen_3_head", [0.0, 0.12, 1.72], 90.0),
];
/// The clouds, each on an arm that turns about the mill.
pub const CLOUDS: [(&str, &str, [f64; 3], f64); 2] = [
    ("cloud_1_arm", "cloud_1", [-2.3, 4.3, -1.2], 0.8),
    ("cloud_2_arm", "cloud_2", [2.2, 3.7, -1.7], 0.6),
];

/// The trees: where they stand, and their size.
const TREES: [([f64; 3], f64); 4] = [
    ([-1.9, 0.12, -0.9], 1.0),
    ([-2.25, 0.12, 0.0], 0.72),
    ([1.55, 0.12, -1.75], 1.12),
    ([2.2, 0.12, -0.9], 0.7),
];

/// The nodes, parents first.
pub fn parts() -> Vec<Part> {
    let mut parts = vec![
        Part::new("meadow", "windmill", [0.0; 3], Some("meadow")),
        Part::new("roost", "windmill", [0.0; 3], None),
    ];
    for (i, (at, size)) in TREES.into_iter().enumerate() {
        let turned = yaw(70.0 * i as f64);
        parts.push(
            Part::new(format!("tree_{}", i + 1), "meadow", at, Some("tree"))
                .turned(turned)
                .sized(size),
        );
    }
    for (hen, neck, head, at, degrees) in HENS {
        // The third hen walks about the mill on a node that turns.
        let parent = if hen == "hen_3" { "roost" } else { "meadow" };
        parts.push(Part::new(hen, parent, at, Some("hen")).turned(yaw(degrees)));
        parts.push(Part::new(neck, hen, [0.0, 0.2, 0.09], None));
        parts.push(Part::new(head, neck, [0.0, 0.07, 0.03], Some("hen_head")));
    }
    for (arm, name, at, size) in CLOUDS {
        parts.push(Part::new(arm, "windmill", [0.0; 3], None));
        parts.push(Part::new(name, arm, at, Some("cloud")).sized(size));
    }
    parts
}

/// The mesh of that name, if it belongs to the scenery.
pub fn mesh(name: &str) -> Option<Facets> {
    Some(match name {
        "meadow" => meadow(),
        "tree" => tree(),
        "hen" => hen(),
        "hen_head" => hen_head(),
        "cloud" => cloud(),
        _ => return None,
    })
}

fn meadow() -> Facets {
    let mut meadow = Facets::default();
    meadow.lathe(
        EARTH,
        DVec3::ZERO,
        &[[2.5, -0.5], [2.9, -0.3], [3.0, 0.0]],
        28,
        0.2,
    );
    meadow.lathe(
        GRASS,
        DVec3::ZERO,
        &[
            [3.0, 0.0],
            [3.06, 0.06],
            [3.0, 0.12],
            [2.1, 0.12],
            [1.2, 0.12],
            [0.0, 0.12],
        ],
        28,
        0.16,
    );
    // A path of flat stones that bends away from the door.
    for i in 0..6 {
        let t = f64::from(i) / 5.0;
        let at = dvec3(
            0.75 * t * t + 0.05 * sin(f64::from(i) * 2.4),
            0.125,
            mix(1.72, 2.78, t),
        );
        meadow.lathe(
            STONE,
            at,
            &[[0.17 - 0.02 * f64::from(i % 2), 0.0], [0.13, 0.03]],
            7,
            0.25,
        );
    }
    fence(&mut meadow);
    for i in 0..20 {
        let (angle, radius) = (2.4 * f64::from(i) + 0.4, mix(1.6, 2.8, meadow.random()));
        let at = dvec3(radius * sin(angle), 0.12, radius * cos(angle));
        // Not on the path.
        if at.z < 1.5 || at.x.abs() > 0.9 {
            let material = [GOLD, CANVAS, RED][i as usize % 3];
            meadow.lathe(
                material,
                at,
                &[[0.0, 0.0], [0.055, 0.06], [0.0, 0.05]],
                4,
                0.1,
            );
        }
    }
    meadow
}

fn tree() -> Facets {
    let mut tree = Facets::default();
    tree.lathe(WOOD, DVec3::ZERO, &[[0.09, 0.0], [0.06, 0.5]], 6, 0.1);
    for (height, radius, tall) in [(0.34, 0.46, 0.62), (0.68, 0.37, 0.55), (1.0, 0.26, 0.5)] {
        let profile = [
            [0.0, 0.05],
            [radius, 0.0],
            [radius * 0.55, tall * 0.45],
            [0.0, tall],
        ];
        tree.lathe(LEAF, DVec3::Y * height, &profile, 8, 0.3);
    }
    tree
}

fn fence(meadow: &mut Facets) {
    let post = |i: f64| {
        let angle = (108.0 + 16.0 * i).to_radians();
        dvec3(2.72 * sin(angle), 0.12, 2.72 * cos(angle))
    };
    for i in 0..9 {
        let foot = post(f64::from(i));
        meadow.beam(WOOD, foot, foot + DVec3::Y * 0.4, 0.07);
        if i < 8 {
            let next = post(f64::from(i) + 1.0);
            for height in [0.16, 0.3] {
                meadow.beam(
                    WOOD,
                    foot + DVec3::Y * height,
                    next + DVec3::Y * height,
                    0.035,
                );
            }
        }
    }
}

/// A hen looks along +Z.
fn hen() -> Facets {
    let mut hen = Facets::default();
    let mut plump = Facets::default();
    plump.lathe(
        CANVAS,
        DVec3::ZERO,
        &[
            [0.0, -0.17],
            [0.08, -0.13],
            [0.12, -0.02],
            [0.105, 0.08],
            [0.0, 0.15],
        ],
        8,
        0.1,
    );
    hen.place(&plump, dvec3(0.0, 0.19, 0.0), pitch(78.0), 1.0);
    for x in [-0.045, 0.045] {
        hen.beam(GOLD, dvec3(x, 0.0, 0.0), dvec3(x, 0.1, 0.0), 0.018);
        hen.cuboid(
            GOLD,
            dvec3(x, 0.006, 0.02),
            dvec3(0.02, 0.006, 0.032),
            DQuat::IDENTITY,
        );
        let wing = dvec3(0.02, 0.06, 0.09);
        hen.cuboid(CANVAS, dvec3(x * 2.6, 0.2, -0.02), wing, pitch(14.0));
    }
    for degrees in [-38.0, -58.0] {
        hen.cuboid(
            CANVAS,
            dvec3(0.0, 0.28, -0.15),
            dvec3(0.018, 0.035, 0.08),
            pitch(-degrees),
        );
    }
    hen
}

fn hen_head() -> Facets {
    let mut head = Facets::default();
    head.lathe(
        CANVAS,
        dvec3(0.0, -0.1, -0.02),
        &[[0.065, 0.0], [0.055, 0.1], [0.058, 0.15], [0.0, 0.2]],
        7,
        0.08,
    );
    let mut beak = Facets::default();
    beak.lathe(GOLD, DVec3::ZERO, &[[0.025, 0.0], [0.0, 0.06]], 4, 0.05);
    head.place(&beak, dvec3(0.0, 0.03, 0.03), pitch(95.0), 1.0);
    for (y, z) in [(0.1, 0.015), (0.105, -0.02), (0.09, -0.05)] {
        head.cuboid(
            RED,
            dvec3(0.0, y, z),
            dvec3(0.01, 0.025, 0.018),
            DQuat::IDENTITY,
        );
    }
    head.cuboid(
        RED,
        dvec3(0.0, -0.015, 0.045),
        dvec3(0.01, 0.025, 0.012),
        DQuat::IDENTITY,
    );
    for x in [-0.045, 0.045] {
        head.cuboid(
            WOOD,
            dvec3(x, 0.045, 0.008),
            dvec3(0.008, 0.011, 0.011),
            DQuat::IDENTITY,
        );
    }
    head
}

fn cloud() -> Facets {
    let mut cloud = Facets::default();
    for (x, y, z, radius) in [
        (0.0, 0.06, 0.0, 0.42),
        (-0.42, 0.0, 0.05, 0.3),
        (0.42, 0.0, 0.0, 0.32),
        (-0.75, -0.05, 0.0, 0.17),
    ] {
        // A coarse ball, flattened.
        let puff = [
            [0.0, -0.6],
            [0.8, -0.42],
            [1.0, 0.0],
            [0.72, 0.5],
            [0.0, 0.72],
        ];
        cloud.lathe(
            CANVAS,
            dvec3(x, y, z),
            &puff.map(|p| [p[0] * radius, p[1] * radius]),
            8,
            0.06,
        );
    }
    cloud
}
