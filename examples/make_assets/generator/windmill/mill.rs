//! The mill itself: tower, gallery, cap, sails, vane and flag.

use glam::{DQuat, DVec3, dvec3};

use super::{CANVAS, GLASS, GOLD, Part, RED, STONE, WOOD};
use crate::generator::facets::Facets;
use crate::generator::math::{mix, pitch, roll, yaw};

/// Height of the top of the tower, in metres.
const TOP: f64 = 3.5;
/// Pieces of the flag, each a node that hangs on the one before.
pub const FLAG: [&str; 4] = ["flag_1", "flag_2", "flag_3", "flag_4"];

/// The nodes, parents first.
pub fn parts() -> Vec<Part> {
    let mut parts = vec![
        Part::new("windmill", "", [0.0; 3], None),
        Part::new("tower", "windmill", [0.0, 0.12, 0.0], Some("tower")),
        Part::new("cap", "tower", [0.0, TOP, 0.0], Some("cap")),
        // The shaft leans back, as the shafts of real mills do, so that the sails clear the tower.
        Part::new("shaft", "cap", [0.0, 0.34, 0.62], Some("shaft")).turned(pitch(-8.0)),
        Part::new("sails", "shaft", [0.0, 0.0, 0.55], Some("hub")),
        Part::new("finial", "cap", [0.0, 1.2, 0.0], Some("finial")),
        Part::new("vane", "finial", [0.0, 0.42, 0.0], Some("vane")),
        Part::new("fantail", "cap", [0.0, 0.55, -1.0], Some("fantail")),
        Part::new("flagpole", "windmill", [1.9, 0.12, 0.9], Some("flagpole")),
    ];
    for quarter in 0..4 {
        let turned = roll(90.0 * f64::from(quarter));
        parts.push(
            Part::new(
                format!("sail_{}", quarter + 1),
                "sails",
                [0.0; 3],
                Some("sail"),
            )
            .turned(turned),
        );
    }
    for (i, name) in FLAG.into_iter().enumerate() {
        let parent = if i == 0 { "flagpole" } else { FLAG[i - 1] };
        let at = if i == 0 {
            [0.03, 1.72, 0.0]
        } else {
            [0.2, 0.0, 0.0]
        };
        parts.push(Part::new(name, parent, at, Some(name)));
    }
    parts
}

/// The mesh of that name, if it belongs to the mill.
pub fn mesh(name: &str) -> Option<Facets> {
    Some(match name {
        "tower" => tower(),
        "cap" => cap(),
        "shaft" => shaft(),
        "hub" => hub(),
        "sail" => sail(),
        "finial" => finial(),
        "vane" => vane(),
        "fantail" => fantail(),
        "flagpole" => flagpole(),
        _ => pennant(FLAG.iter().position(|piece| *piece == name)?),
    })
}

fn tower() -> Facets {
    let mut tower = Facets::default();
    let radius = |height: f64| mix(1.18, 0.84, height / TOP);
    tower.lathe(
        STONE,
        DVec3::ZERO,
        &[[1.32, 0.0], [1.32, 0.14], [1.2, 0.2]],
        12,
        0.12,
    );
    let courses: Vec<[f64; 2]> = (0..=9)
        .map(|i| mix(0.2, TOP, f64::from(i) / 9.0))
        .map(|h| [radius(h), h])
        .collect();
    tower.lathe(STONE, DVec3::ZERO, &courses, 12, 0.3);
    door(&mut tower, radius(0.4));
    for (angle, height) in [(0.0, 1.62), (0.0, 2.75), (120.0, 1.4), (-120.0, 2.2)] {
        window(&mut tower, angle, height, radius(height));
    }
    tower.lathe(
        WOOD,
        DVec3::Y * (TOP - 0.08),
        &[[0.88, 0.0], [0.98, 0.02], [0.98, 0.1], [0.86, 0.12]],
        12,
        0.08,
    );
    tower
}

fn door(tower: &mut Facets, radius: f64) {
    let front = radius * 0.985;
    let lean = pitch(-5.5);
    for (x, height) in [(-0.2, 0.86), (0.0, 0.96), (0.2, 0.86)] {
        let half = dvec3(0.095, height * 0.5, 0.05);
        tower.cuboid(RED, dvec3(x, 0.12 + height * 0.5, front), half, lean);
    }
    for x in [-0.36, 0.36] {
        tower.cuboid(
            WOOD,
            dvec3(x, 0.58, front - 0.01),
            dvec3(0.06, 0.48, 0.09),
            lean,
        );
    }
    tower.cuboid(
        WOOD,
        dvec3(0.0, 1.13, front - 0.05),
        dvec3(0.44, 0.065, 0.1),
        lean,
    );
    tower.cuboid(
        GOLD,
        dvec3(0.2, 0.55, front + 0.07),
        DVec3::splat(0.03),
        DQuat::IDENTITY,
    );
    tower.cuboid(
        STONE,
        dvec3(0.0, 0.06, 1.36),
        dvec3(0.42, 0.06, 0.2),
        DQuat::IDENTITY,
    );
}

fn window(tower: &mut Facets, degrees: f64, height: f64, radius: f64) {
    let turned = yaw(degrees) * pitch(-5.5);
    let center = DVec3::Y * height + turned * DVec3::Z * (radius * 0.97);
    tower.cuboid(GLASS, center, dvec3(0.13, 0.18, 0.04), turned);
    tower.cuboid(WOOD, center, dvec3(0.018, 0.18, 0.055), turned);
    tower.cuboid(WOOD, center, dvec3(0.13, 0.018, 0.055), turned);
    tower.cuboid(
        WOOD,
        center + turned * dvec3(0.0, -0.205, 0.02),
        dvec3(0.2, 0.03, 0.08),
        turned,
    );
    tower.cuboid(
        WOOD,
        center + turned * dvec3(0.0, 0.2, 0.01),
        dvec3(0.17, 0.025, 0.06),
        turned,
    );
    for x in [-0.2, 0.2] {
        tower.cuboid(
            RED,
            center + turned * dvec3(x, 0.0, 0.02),
            dvec3(0.065, 0.18, 0.02),
            turned,
        );
    }
}

fn cap() -> Facets {
    let mut cap = Facets::default();
    let profile = [
        [0.98, 0.0],
        [1.06, 0.06],
        [1.0, 0.32],
        [0.86, 0.6],
        [0.62, 0.88],
        [0.3, 1.1],
        [0.0, 1.22],
    ];
    cap.lathe(RED, DVec3::ZERO, &profile, 12, 0.26);
    // The dormer that the shaft comes out of.
    cap.cuboid(
        WOOD,
        dvec3(0.0, 0.34, 0.74),
        dvec3(0.26, 0.25, 0.34),
        pitch(-8.0),
    );
    for side in [-1.0, 1.0] {
        let slope = roll(side * 30.0);
        cap.cuboid(
            RED,
            dvec3(side * -0.16, 0.66, 0.76),
            dvec3(0.24, 0.035, 0.4),
            slope,
        );
    }
    for x in [-0.14, 0.14] {
        cap.beam(WOOD, dvec3(x, 0.5, -0.7), dvec3(x, 0.55, -1.06), 0.06);
    }
    cap
}

fn shaft() -> Facets {
    let mut shaft = Facets::default();
    let mut rod = Facets::default();
    rod.lathe(WOOD, DVec3::ZERO, &[[0.1, 0.0], [0.1, 0.5]], 8, 0.1);
    shaft.place(&rod, DVec3::ZERO, pitch(90.0), 1.0);
    shaft
}

/// One sail, upright: a spar, a lattice beside it, cloth on the lattice.
fn sail() -> Facets {
    let mut sail = Facets::default();
    sail.cuboid(
        WOOD,
        dvec3(0.0, 1.22, 0.0),
        dvec3(0.045, 1.22, 0.045),
        DQuat::IDENTITY,
    );
    // Twisted against the wind, which is what drives it.
    let twist = yaw(-12.0);
    for i in 0..8 {
        let y = DVec3::Y * (0.56 + 0.255 * f64::from(i));
        sail.cuboid(
            WOOD,
            y + twist * dvec3(0.24, 0.0, 0.0),
            dvec3(0.25, 0.016, 0.016),
            twist,
        );
    }
    sail.cuboid(
        WOOD,
        dvec3(0.0, 1.455, 0.0) + twist * DVec3::X * 0.475,
        dvec3(0.02, 0.93, 0.02),
        twist,
    );
    for i in 0..7 {
        let y = dvec3(0.0, 0.6875 + 0.255 * f64::from(i), 0.012);
        sail.cuboid(
            CANVAS,
            y + twist * dvec3(0.26, 0.0, 0.0),
            dvec3(0.2, 0.112, 0.008),
            twist,
        );
    }
    sail
}

fn hub() -> Facets {
    let (mut hub, mut boss) = (Facets::default(), Facets::default());
    boss.lathe(
        RED,
        DVec3::ZERO,
        &[[0.17, -0.1], [0.17, 0.08], [0.1, 0.16], [0.0, 0.2]],
        8,
        0.1,
    );
    hub.place(&boss, DVec3::ZERO, pitch(90.0), 1.0);
    hub
}

fn finial() -> Facets {
    let mut finial = Facets::default();
    finial.lathe(WOOD, DVec3::ZERO, &[[0.05, -0.06], [0.03, 0.42]], 6, 0.1);
    finial.lathe(
        GOLD,
        DVec3::Y * 0.1,
        &[[0.0, 0.0], [0.07, 0.06], [0.07, 0.1], [0.0, 0.16]],
        8,
        0.1,
    );
    finial
}

/// An arrow that points into the wind.
fn vane() -> Facets {
    let mut vane = Facets::default();
    vane.beam(GOLD, dvec3(0.0, 0.0, -0.34), dvec3(0.0, 0.0, 0.3), 0.03);
    let plate = |vane: &mut Facets, outline: &[[f64; 2]]| {
        for side in [1.0, -1.0] {
            let mut corners: Vec<DVec3> = outline
                .iter()
                .map(|p| dvec3(side * 0.012, p[1], p[0]))
                .collect();
            if side > 0.0 {
                corners.reverse();
            }
            vane.face(GOLD, 1.0, &corners);
        }
    };
    plate(&mut vane, &[[0.24, -0.11], [0.48, 0.0], [0.24, 0.11]]);
    plate(
        &mut vane,
        &[[-0.48, -0.13], [-0.2, -0.02], [-0.2, 0.02], [-0.48, 0.13]],
    );
    vane
}

/// The little wheel at the back that turns a real cap into the wind.
fn fantail() -> Facets {
    let mut wheel = Facets::default();
    for i in 0..6 {
        let turned = roll(60.0 * f64::from(i));
        let blade = turned * yaw(35.0);
        wheel.cuboid(
            CANVAS,
            turned * dvec3(0.0, 0.25, 0.0),
            dvec3(0.085, 0.22, 0.01),
            blade,
        );
    }
    wheel.cuboid(WOOD, DVec3::ZERO, DVec3::splat(0.05), DQuat::IDENTITY);
    wheel
}

fn flagpole() -> Facets {
    let mut pole = Facets::default();
    pole.lathe(WOOD, DVec3::ZERO, &[[0.045, 0.0], [0.03, 1.9]], 6, 0.1);
    pole.lathe(
        GOLD,
        DVec3::Y * 1.88,
        &[[0.0, 0.0], [0.055, 0.05], [0.0, 0.11]],
        6,
        0.1,
    );
    pole
}

/// One stretch of the pennant, narrower than the one before; both sides are drawn.
fn pennant(index: usize) -> Facets {
    let mut piece = Facets::default();
    let height = |k: usize| 0.17 - 0.038 * k as f64;
    let (from, to) = (height(index), height(index + 1));
    let material = if index.is_multiple_of(2) { RED } else { CANVAS };
    let corners = [
        dvec3(0.0, -from, 0.0),
        dvec3(0.2, -to, 0.0),
        dvec3(0.2, to, 0.0),
        dvec3(0.0, from, 0.0),
    ];
    piece.face(material, 1.0, &corners);
    piece.face(
        material,
        1.0,
        &[corners[3], corners[2], corners[1], corners[0]],
    );
    piece
}
