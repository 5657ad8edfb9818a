//! Pip's body: one field of soft solids, meshed, weighted and painted.

use glam::{DQuat, DVec3, dvec3};

use super::looks::{BARK, CREAM, FUR};
use super::{FROWN, SMILE, SURPRISE, TARGETS};
use crate::generator::math::{bump, mix, smooth};
use crate::generator::mesh::{Delta, Primitive, Surface};
use crate::generator::paint::{Marking, paint};
use crate::generator::refine::refine;
use crate::generator::rig::{Rig, Side};
use crate::generator::sdf::{Field, Join, Part, Shape};
use crate::generator::{surface_nets, weights};

/// Edge of a grid cell in metres: about 10,000 triangles before markings are cut.
const CELL: f64 = 0.028;

/// While painting, regions of the head carry their material's number plus this.
const HEAD: usize = 100;
const HEAD_FUR: usize = HEAD + FUR;
const HEAD_CREAM: usize = HEAD + CREAM;
const HEAD_BARK: usize = HEAD + BARK;

/// The primitives of the trunk with its limbs, and those of the head.
pub fn primitives(rig: &Rig) -> (Vec<Primitive>, Vec<Primitive>) {
    let field = field(rig);
    // The grid is symmetric about x = 0, and so the mesh is.
    let half = (0.47 / CELL).ceil() * CELL;
    let mut surface = surface_nets::mesh(
        &field,
        dvec3(-half, -0.06, -0.62),
        dvec3(half, 1.42, 0.42),
        CELL,
    );
    surface_nets::relax(&mut surface, &field, CELL);
    weights::spread(&mut surface, &field, rig.joints.len(), 13);
    refine(&mut surface, &field, |p| p.y > 1.155 && p.x.abs() > 0.125);
    for marking in MARKINGS {
        paint(&mut surface, &field, marking);
    }
    let trunk = [FUR, CREAM, BARK].map(|region| region_primitive(&surface, &field, region));
    let head = [HEAD_FUR, HEAD_CREAM, HEAD_BARK].map(|region| {
        let mut primitive = region_primitive(&surface, &field, region);
        primitive.material -= HEAD;
        primitive.targets = (0..TARGETS.len())
            .map(|target| morph(&primitive, target))
            .collect();
        primitive
    });
    (trunk.into(), head.into())
}

/// The field of the whole body; the face is set upon it.
pub fn field(rig: &Rig) -> Field {
    let mut field = Field {
        sole: 0.012,
        ..Field::default()
    };
    let mut add = |joint: &str, fillet: f64, shape: Shape| {
        field.parts.push(Part {
            shape,
            join: Join::Add(fillet),
            joint: rig.index(joint),
        });
    };
    let egg = |center: [f64; 3], radii: [f64; 3]| Shape::Ellipsoid {
        center: center.into(),
        radii: radii.into(),
        turned: DQuat::IDENTITY,
    };
    add("hips", 0.0, egg([0.0, 0.415, -0.002], [0.145, 0.11, 0.13]));
    add(
        "spine",
        0.06,
        egg([0.0, 0.49, 0.006], [0.138, 0.105, 0.128]),
    );
    add("chest", 0.06, egg([0.0, 0.605, 0.0], [0.112, 0.10, 0.10]));
    add(
        "neck",
        0.04,
        cone([0.0, 0.66, 0.0], [0.0, 0.76, 0.0], [0.07, 0.075]),
    );
    for side in Side::BOTH {
        for (stem, from, to, radii, fillet) in LIMBS {
            let ends = [side.place((*from).into()), side.place((*to).into())];
            let shape = Shape::Cone {
                ends,
                radii: *radii,
                thin: DVec3::Y,
                factor: 1.0,
            };
            add(&side.of(stem), *fillet, shape);
        }
    }
    for (i, pair) in TAIL.windows(2).enumerate() {
        let (a, b) = (pair[0], pair[1]);
        add(
            &format!("tail_{}", (i + 1).min(5)),
            0.03,
            cone([0.0, a[0], a[1]], [0.0, b[0], b[1]], [a[2], b[2]]),
        );
    }

    add(
        "head",
        0.035,
        egg([0.0, 0.965, 0.005], [0.272, 0.222, 0.23]),
    );
    for side in Side::BOTH {
        let ends = [dvec3(0.13, 0.895, 0.06), dvec3(0.29, 0.857, 0.03)].map(|p| side.place(p));
        add(
            "head",
            0.07,
            Shape::Cone {
                ends,
                radii: [0.13, 0.036],
                thin: DVec3::Z,
                factor: 1.1,
            },
        );
    }
    add(
        "head",
        0.07,
        egg([0.0, 0.875, 0.195], [0.105, 0.068, 0.095]),
    );
    for side in Side::BOTH {
        for (joint, from, to, radii) in [
            (
                "ear",
                dvec3(0.145, 1.075, -0.005),
                dvec3(0.21, 1.2, -0.015),
                [0.112, 0.088],
            ),
            (
                "ear_tip",
                dvec3(0.21, 1.2, -0.015),
                dvec3(0.255, 1.29, -0.02),
                [0.088, 0.05],
            ),
        ] {
            let ends = [side.place(from), side.place(to)];
            add(
                &side.of(joint),
                0.03,
                Shape::Cone {
                    ends,
                    radii,
                    thin: DVec3::Z,
                    factor: 1.9,
                },
            );
        }
    }
    for side in Side::BOTH {
        // The hollow of the ear opens forwards.
        let ends = [
            side.place(dvec3(0.192, 1.17, 0.062)),
            side.place(dvec3(0.236, 1.255, 0.035)),
        ];
        let shape = Shape::Cone {
            ends,
            radii: [0.058, 0.034],
            thin: DVec3::Z,
            factor: 1.3,
        };
        field.parts.push(Part {
            shape,
            join: Join::Carve(0.03),
            joint: rig.index(&side.of("ear")),
        });
    }
    field
}

fn cone(from: [f64; 3], to: [f64; 3], radii: [f64; 2]) -> Shape {
    Shape::Cone {
        ends: [from.into(), to.into()],
        radii,
        thin: DVec3::Y,
        factor: 1.0,
    }
}

type Limb = (&'static str, [f64; 3], [f64; 3], [f64; 2], f64);

/// Left limbs: joint, ends, radii, fillet.
#[rustfmt::skip]
const LIMBS: &[Limb] = &[
    ("shoulder",  [0.05,  0.63,  0.0],    [0.10,  0.627, 0.0],    [0.055, 0.055], 0.05),
    ("upper_arm", [0.11,  0.625, 0.0],    [0.21,  0.53,  -0.004], [0.054, 0.046], 0.06),
    ("forearm",   [0.21,  0.53,  -0.004], [0.292, 0.448, 0.004],  [0.046, 0.050], 0.02),
    ("hand",      [0.302, 0.438, 0.006],  [0.338, 0.402, 0.012],  [0.056, 0.050], 0.02),
    ("hand",      [0.296, 0.444, 0.028],  [0.334, 0.418, 0.074],  [0.027, 0.023], 0.025),
    ("thigh",     [0.092, 0.365, 0.0],    [0.098, 0.22,  0.014],  [0.086, 0.066], 0.035),
    ("shin",      [0.098, 0.22,  0.014],  [0.102, 0.085, -0.008], [0.066, 0.060], 0.02),
    ("foot",      [0.102, 0.055, -0.02],  [0.106, 0.052, 0.065],  [0.062, 0.064], 0.02),
    ("toes",      [0.106, 0.05,  0.07],   [0.11,  0.046, 0.12],   [0.064, 0.058], 0.02),
];

/// The tail's centre line: height, depth, radius.
const TAIL: &[[f64; 3]] = &[
    [0.40, -0.08, 0.05],
    [0.385, -0.205, 0.075],
    [0.415, -0.315, 0.098],
    [0.495, -0.395, 0.108],
    [0.605, -0.435, 0.098],
    [0.735, -0.43, 0.045],
];

/// The markings, painted in order.
const MARKINGS: &[Marking] = &[
    // Where head and trunk part, hidden by the scarf. The tail rises higher than that, far behind.
    Marking {
        material: HEAD_FUR,
        over: &[FUR],
        outline: |p| (0.718 - p.y).max(-0.3 - p.z),
    },
    Marking {
        material: CREAM,
        over: &[FUR],
        outline: belly,
    },
    Marking {
        material: BARK,
        over: &[FUR],
        outline: |p| {
            if p.y > 0.65 || p.z < -0.2 {
                0.1
            } else {
                0.255 - p.x.abs()
            }
        },
    },
    Marking {
        material: BARK,
        over: &[FUR],
        outline: |p| if p.x.abs() > 0.24 { 0.1 } else { p.y - 0.235 },
    },
    Marking {
        material: CREAM,
        over: &[FUR],
        outline: |p| tail_ring(p, 0.30, 0.40),
    },
    Marking {
        material: CREAM,
        over: &[FUR],
        outline: |p| tail_ring(p, 0.52, 0.62),
    },
    Marking {
        material: BARK,
        over: &[FUR],
        outline: |p| tail_ring(p, 0.76, 2.0),
    },
    Marking {
        material: HEAD_CREAM,
        over: &[HEAD_FUR],
        outline: mask,
    },
    Marking {
        material: HEAD_CREAM,
        over: &[HEAD_FUR],
        outline: inner_ear,
    },
    Marking {
        material: HEAD_BARK,
        over: &[HEAD_FUR],
        outline: ear_back,
    },
];

fn egg_outline(p: DVec3, center: [f64; 3], radii: [f64; 3]) -> f64 {
    let radii = DVec3::from_array(radii);
    (((p - DVec3::from_array(center)) / radii).length() - 1.0) * radii.min_element()
}

fn belly(p: DVec3) -> f64 {
    egg_outline(p, [0.0, 0.49, 0.15], [0.092, 0.13, 0.12])
}

fn mask(p: DVec3) -> f64 {
    let p = dvec3(p.x.abs(), p.y, p.z);
    let muzzle = egg_outline(p, [0.0, 0.862, 0.24], [0.108, 0.082, 0.16]);
    let cheek = egg_outline(p, [0.235, 0.855, 0.08], [0.105, 0.062, 0.15]);
    muzzle.min(cheek)
}

fn inner_ear(p: DVec3) -> f64 {
    let p = dvec3(p.x.abs(), p.y, p.z);
    let (a, b) = (dvec3(0.186, 1.16, 0.0), dvec3(0.24, 1.262, 0.0));
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    let flat = (p - (a + (b - a) * t)) * dvec3(1.0, 1.0, 0.0);
    let ring = flat.length() - mix(0.054, 0.024, t);
    // Not on the skull, which the ear grows from.
    let skull = egg_outline(p, [0.0, 0.965, 0.005], [0.272, 0.222, 0.23]);
    ring.max(-0.012 - p.z).max(0.012 - skull)
}

fn ear_back(p: DVec3) -> f64 {
    let p = dvec3(p.x.abs(), p.y, p.z);
    // Everything beyond a line across the ear.
    1.225 - p.dot(dvec3(0.45, 0.893, 0.0)) + 0.02
}

/// Negative between two fractions of the tail's length.
fn tail_ring(p: DVec3, from: f64, to: f64) -> f64 {
    if p.z > -0.13 {
        return 0.1;
    }
    let along = tail_fraction(p);
    (from - along).max(along - to) * 0.55
}

/// How far along the tail a point is: smooth, because every stretch of the centre line pulls by nearness.
fn tail_fraction(p: DVec3) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for i in 0..=40 {
        let t = f64::from(i) / 40.0;
        let at = t * (TAIL.len() - 1) as f64;
        let k = (at as usize).min(TAIL.len() - 2);
        let part = at - k as f64;
        let center = dvec3(
            0.0,
            mix(TAIL[k][0], TAIL[k + 1][0], part),
            mix(TAIL[k][1], TAIL[k + 1][1], part),
        );
        let near = 1.0 / (p.distance_squared(center) + 1e-4);
        let pull = near * near * near;
        sum += t * pull;
        total += pull;
    }
    sum / total
}

fn region_primitive(surface: &Surface, field: &Field, region: usize) -> Primitive {
    surface.primitive(region, |p, normal| {
        // Hollows are darker and warmer: light that has bounced off fur.
        let open = field.openness(p, normal);
        let shade = mix(0.42, 1.0, smooth(0.1, 0.95, open));
        let mut tint = dvec3(mix(1.0, shade, 0.8), shade, shade);
        if region == HEAD_CREAM && p.y > 1.05 {
            // A blush inside the ears.
            tint *= dvec3(1.0, 0.72, 0.66);
        }
        tint
    })
}

/// How one morph target moves the skin of the head; what lies on the skin moves along.
pub fn push(target: usize) -> fn(DVec3) -> DVec3 {
    match target {
        SMILE => |p| {
            let side = p.x.signum();
            let cheek = bump(p.distance(dvec3(0.15 * side, 0.875, 0.2)), 0.15);
            dvec3(0.012 * side, 0.022, 0.006) * cheek
        },
        SURPRISE => |p| dvec3(0.0, -0.014, 0.004) * bump(p.distance(dvec3(0.0, 0.83, 0.22)), 0.16),
        FROWN => |p| dvec3(0.0, -0.01, 0.006) * bump(p.distance(dvec3(0.0, 1.05, 0.22)), 0.14),
        _ => |_| DVec3::ZERO,
    }
}

fn morph(primitive: &Primitive, target: usize) -> Vec<Delta> {
    let push = push(target);
    let vertices = primitive.vertices.iter();
    vertices
        .map(|vertex| displace(vertex.position, vertex.normal, push))
        .collect()
}

/// The change of a point and its normal under a displacement; normals turn by the cofactor of its Jacobian.
fn displace(p: DVec3, normal: DVec3, push: fn(DVec3) -> DVec3) -> Delta {
    const STEP: f64 = 0.001;
    let column =
        |axis: DVec3| axis + (push(p + axis * STEP) - push(p - axis * STEP)) / (2.0 * STEP);
    let (x, y, z) = (column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
    let turned = y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z;
    let position = push(p);
    if position == DVec3::ZERO {
        Delta::default()
    } else {
        Delta {
            position,
            normal: turned.normalize() - normal,
        }
    }
}
