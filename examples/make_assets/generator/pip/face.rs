//! Pip's face: eyes in their sockets, lids that close, brows, nose and mouth.

use glam::{DQuat, DVec3, dvec3};

use super::looks::{BARK, CREAM, FUR, GLINT, INK, IRIS, MOUTH, SCLERA};
use super::shapes::{ball, mirrored, normals_of, smooth_normals, vertex};
use super::{BLINK_L, FROWN, SMILE, SURPRISE, TARGETS, body};
use crate::generator::math::{cos, mix, roll, sin};
use crate::generator::mesh::{Delta, Primitive, Vertex};
use crate::generator::rig::Rig;
use crate::generator::sdf::Field;

/// Radius of the eyeball; most of it lies inside the head, so that lids sweep a shallow arc and morph well.
const EYE: f64 = 0.155;

/// All parts of the face.
pub fn primitives(rig: &Rig) -> Vec<Primitive> {
    let field = body::field(rig);
    let head = rig.index("head");
    let mut left = eyeball(rig);
    left.extend(lid(rig, Lid::Upper));
    left.extend(lid(rig, Lid::Lower));
    left.push(brow(&field, head));
    let mut parts: Vec<Primitive> = left.iter().map(|part| mirrored(part, rig)).collect();
    parts.extend(left);

    let nose = field.cast(dvec3(0.0, 0.91, 0.6), DVec3::NEG_Z);
    parts.push(ball(
        INK,
        head,
        nose,
        dvec3(0.034, 0.023, 0.022),
        DQuat::IDENTITY,
        [16, 10],
    ));
    parts.push(mouth(&field, head));
    for part in &mut parts {
        part.targets.resize(TARGETS.len(), Vec::new());
    }
    parts
}

/// The eyeball as rings about the gaze, cut into pupil, iris and white, and the catch-light that stays with the head.
fn eyeball(rig: &Rig) -> Vec<Primitive> {
    let (eye, head) = (rig.index("eye_L"), rig.index("head"));
    let center = rig.at("eye_L");
    let gaze = dvec3(0.2, 0.02, 0.97).normalize();
    let shade = |degrees: f64, up: f64| match degrees {
        // The iris is dark at its rim and lit from below, as light pools in an eye.
        d if d > 19.5 => 0.25,
        d if d > 12.0 => mix(1.6, 0.55, 0.5 + 0.5 * up),
        _ => 1.0,
    };
    let cap = |material: usize, joint: usize, axis: DVec3, radius: f64, rings: &[f64]| {
        let columns = if material == GLINT { 12 } else { 22 };
        let (side, up) = frame(axis);
        let mut cap = Primitive {
            material,
            ..Primitive::default()
        };
        for &degrees in rings.iter().rev() {
            let polar = degrees.to_radians();
            for column in 0..columns {
                let around = std::f64::consts::TAU * f64::from(column) / f64::from(columns);
                let ray = axis * cos(polar) + (side * cos(around) + up * sin(around)) * sin(polar);
                let color = if material == IRIS {
                    shade(degrees, sin(around))
                } else {
                    1.0
                };
                let normal = ray;
                cap.vertices.push(Vertex {
                    normal,
                    color: DVec3::splat(color.min(1.0)),
                    ..vertex(center + ray * radius, &vec![(joint, 1.0)])
                });
            }
        }
        cap.push_lattice(0, columns, rings.len() as u32, true);
        cap.drop_slivers();
        cap
    };
    let glint = (gaze + dvec3(-0.12, 0.17, 0.0)).normalize();
    let spark = (gaze + dvec3(0.13, -0.14, 0.0)).normalize();
    vec![
        cap(SCLERA, eye, gaze, EYE, &[21.0, 25.0, 29.0, 34.0, 41.0]),
        cap(
            IRIS,
            eye,
            gaze,
            EYE * 1.001,
            &[12.5, 16.0, 19.2, 20.0, 21.5],
        ),
        cap(INK, eye, gaze, EYE * 1.002, &[0.0, 7.0, 12.7]),
        cap(GLINT, head, glint, EYE * 1.006, &[0.0, 3.5, 5.2]),
        cap(GLINT, head, spark, EYE * 1.006, &[0.0, 2.1]),
    ]
}

/// Directions across (outwards from the nose) and up of something that faces along `axis`.
fn frame(axis: DVec3) -> (DVec3, DVec3) {
    let side = DVec3::Y.cross(axis).normalize();
    (side, axis.cross(side))
}

#[derive(Clone, Copy, PartialEq)]
enum Lid {
    Upper,
    Lower,
}

impl Lid {
    /// Elevation of the lid's edge in degrees, and how much it rises towards the outer corner: open, then per target.
    fn edge(self, target: Option<usize>) -> (f64, f64) {
        match (self, target) {
            (Self::Upper, None) => (30.0, -3.0),
            (Self::Upper, Some(SMILE)) => (27.0, -2.0),
            (Self::Upper, Some(SURPRISE)) => (37.0, -2.0),
            (Self::Upper, Some(FROWN)) => (18.0, 9.0),
            (Self::Upper, _) => (-14.0, -3.0),
            (Self::Lower, None) => (-35.0, 0.0),
            (Self::Lower, Some(SMILE)) => (-27.0, 2.0),
            (Self::Lower, Some(SURPRISE)) => (-38.0, 0.0),
            (Self::Lower, Some(FROWN)) => (-25.0, 0.0),
            (Self::Lower, _) => (-15.0, -3.0),
        }
    }
}

/// The rims of the lids from below upwards: degrees beyond the edge, and radius in eyeballs.
const UPPER_RIM: &[[f64; 2]] = &[
    [0.0, 1.01],
    [0.0, 1.08],
    [1.6, 1.095],
    [3.4, 1.09],
    [4.2, 1.078],
];
/// Angle from the middle of an eye to its corners, in degrees.
const CORNER: f64 = 36.0;
const LOWER_RIM: &[[f64; 2]] = &[[-3.0, 1.035], [-1.5, 1.04], [0.0, 1.03], [0.0, 1.005]];

/// A lid: a shell about the eyeball that turns like a visor, hidden in the head where it is not needed.
fn lid(rig: &Rig, lid: Lid) -> Vec<Primitive> {
    const COLUMNS: u32 = 15;
    let center = rig.at("eye_L");
    let forward = dvec3(0.3, 0.04, 0.95).normalize();
    let (side, up) = frame(forward);
    let on_head = vec![(rig.index("head"), 1.0)];
    // Rows from the lower to the upper: degrees beyond the edge (or a share of the way to the hidden end), radius.
    let (rim, skin, hidden): (&[[f64; 2]], &[f64], f64) = match lid {
        Lid::Upper => (UPPER_RIM, &[0.0, 0.15, 0.35, 0.6, 1.0], 62.0),
        Lid::Lower => (LOWER_RIM, &[1.0, 0.5, 0.2, 0.0], -60.0),
    };
    // Where the rim ends and the skin takes over.
    let [gap, radius] = if lid == Lid::Upper {
        UPPER_RIM[4]
    } else {
        LOWER_RIM[0]
    };
    let rows = |target: Option<usize>, column: u32, of_rim: bool| -> Vec<DVec3> {
        // Corner to corner; the edge of a lid is an arc that meets the corners.
        let u = mix(-1.0, 1.0, f64::from(column) / f64::from(COLUMNS - 1));
        let across = (u * CORNER).to_radians();
        let (edge, tilt) = lid.edge(target);
        let edge = edge * (1.0 - u * u).max(0.0).sqrt() + tilt * u;
        let point = |degrees: f64, radius: f64| {
            let lift = degrees.to_radians();
            center
                + (side * sin(across) + (forward * cos(lift) + up * sin(lift)) * cos(across))
                    * (EYE * radius)
        };
        if of_rim {
            return rim
                .iter()
                .map(|&[beyond, radius]| point(edge + beyond, radius))
                .collect();
        }

        skin.iter()
            .map(|&share| point(mix(edge + gap, hidden, share), radius))
            .collect()
    };
    [true, false]
        .map(|of_rim| {
            let columns_of = |target| {
                (0..COLUMNS)
                    .map(|column| rows(target, column, of_rim))
                    .collect::<Vec<_>>()
            };
            let open = columns_of(None);
            let row_count = open[0].len();
            let material = if of_rim && lid == Lid::Upper {
                BARK
            } else {
                FUR
            };
            let mut part = Primitive {
                material,
                ..Primitive::default()
            };
            for row in 0..row_count {
                // Darker towards the edge; where the skin of a lid meets the head it has the head's colour.
                let from_edge = if lid == Lid::Upper {
                    row
                } else {
                    row_count - 1 - row
                };
                let shade = if of_rim {
                    0.8
                } else {
                    (0.8 + 0.1 * from_edge as f64).min(1.0)
                };
                for column in &open {
                    part.vertices.push(Vertex {
                        color: DVec3::splat(shade),
                        ..vertex(column[row], &on_head)
                    });
                }
            }
            part.push_lattice(0, COLUMNS, row_count as u32, false);
            smooth_normals(&mut part);
            part.targets = (0..TARGETS.len())
                .map(|target| match target {
                    SMILE | SURPRISE | FROWN | BLINK_L => {
                        let moved = columns_of(Some(target));
                        let row_major: Vec<DVec3> = (0..row_count)
                            .flat_map(|row| moved.iter().map(move |column| column[row]))
                            .collect();
                        deltas(&part, &row_major)
                    }
                    _ => Vec::new(),
                })
                .collect();
            part
        })
        .into()
}

/// What takes a primitive's vertices to `moved`, normals included.
fn deltas(part: &Primitive, moved: &[DVec3]) -> Vec<Delta> {
    let before = normals_of(part, |vertex, _| vertex.position);
    let after = normals_of(part, |_, i| moved[i]);
    (0..moved.len())
        .map(|i| Delta {
            position: moved[i] - part.vertices[i].position,
            normal: after[i] - before[i],
        })
        .collect()
}

/// The left brow: a cream tuft that lies on the forehead wherever the morph targets send it.
fn brow(field: &Field, head: usize) -> Primitive {
    let placed = |x: f64, y: f64, degrees: f64| -> Primitive {
        let skin = field.cast(dvec3(x, y, 0.6), DVec3::NEG_Z);
        let normal = field.normal(skin);
        // Proud of the lids, which swell under a lowered brow.
        let at = skin + normal * 0.003;
        let (side, up) = frame(normal);
        let turned = DQuat::from_mat3(&glam::DMat3::from_cols(side, up, normal)) * roll(degrees);
        ball(CREAM, head, at, dvec3(0.044, 0.019, 0.013), turned, [14, 8])
    };
    let mut brow = placed(0.112, 1.082, -14.0);
    brow.targets = (0..TARGETS.len())
        .map(|target| {
            let to = match target {
                SMILE => placed(0.115, 1.09, -18.0),
                SURPRISE => placed(0.115, 1.114, -12.0),
                FROWN => placed(0.098, 1.078, 20.0),
                _ => return Vec::new(),
            };
            let push = body::push(target);
            let places: Vec<DVec3> = to
                .vertices
                .iter()
                .map(|v| v.position + push(v.position))
                .collect();
            deltas(&brow, &places)
        })
        .collect();
    brow
}

/// The mouth in one expression, seen from the front.
struct Lips {
    /// Height of the middle of the upper lip.
    height: f64,
    /// Half the width.
    width: f64,
    /// How far the corners stand above the middle.
    curve: f64,
    /// How far the upper lip is drawn up, and the lower one down.
    rise: f64,
    drop: f64,
}

/// A lens-shaped patch on the muzzle, its border sunk into the fur, its middle just above.
fn mouth(field: &Field, head: usize) -> Primitive {
    const COLUMNS: u32 = 21;
    const ROWS: u32 = 7;
    let shape = |lips: &Lips, push: fn(DVec3) -> DVec3| -> Vec<DVec3> {
        let mut points = Vec::new();
        for row in 0..ROWS {
            let down = 1.0 - f64::from(row) / f64::from(ROWS - 1);
            for column in 0..COLUMNS {
                let u = -cos(std::f64::consts::PI * f64::from(column) / f64::from(COLUMNS - 1));
                let round = (1.0 - u * u).max(0.0).sqrt();
                let y = lips.height + lips.curve * u * u + mix(lips.rise, -lips.drop, down) * round;
                let on_skin = field.cast(dvec3(lips.width * u, y, 0.6), DVec3::NEG_Z);
                let border = row == 0 || row == ROWS - 1 || column == 0 || column == COLUMNS - 1;
                let lift = if border { -0.003 } else { 0.003 };
                points.push(on_skin + push(on_skin) + field.normal(on_skin) * lift);
            }
        }
        points
    };
    let rest = Lips {
        height: 0.852,
        width: 0.05,
        curve: 0.012,
        rise: 0.002,
        drop: 0.007,
    };
    let influences = vec![(head, 1.0)];
    let mut mouth = Primitive {
        material: MOUTH,
        ..Primitive::default()
    };
    for (i, point) in shape(&rest, |_| DVec3::ZERO).into_iter().enumerate() {
        // The tongue: a lighter patch in the lower half, seen once the mouth is open.
        let (row, column) = (i as u32 / COLUMNS, i as u32 % COLUMNS);
        let tongue = (1..=2).contains(&row) && (6..=14).contains(&column);
        let color = if tongue {
            DVec3::ONE
        } else {
            dvec3(0.3, 0.35, 0.35)
        };
        mouth.vertices.push(Vertex {
            color,
            ..vertex(point, &influences)
        });
    }
    mouth.push_lattice(0, COLUMNS, ROWS, false);
    smooth_normals(&mut mouth);
    mouth.targets = (0..TARGETS.len())
        .map(|target| {
            let lips = match target {
                SMILE => Lips {
                    height: 0.853,
                    width: 0.062,
                    curve: 0.024,
                    rise: 0.002,
                    drop: 0.035,
                },
                SURPRISE => Lips {
                    height: 0.846,
                    width: 0.023,
                    curve: 0.0,
                    rise: 0.016,
                    drop: 0.026,
                },
                FROWN => Lips {
                    height: 0.858,
                    width: 0.042,
                    curve: -0.014,
                    rise: 0.002,
                    drop: 0.007,
                },
                _ => return Vec::new(),
            };
            deltas(&mouth, &shape(&lips, body::push(target)))
        })
        .collect();
    mouth
}
