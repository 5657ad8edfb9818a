//! Small parametric parts: balls, sweeps, smooth normals, mirror images.

use glam::{DQuat, DVec3};

use crate::generator::math::{cos, sin};
use crate::generator::mesh::{Primitive, Vertex};
use crate::generator::rig::Rig;
use crate::generator::weights::Influences;

/// A vertex without a normal yet.
pub fn vertex(position: DVec3, influences: &Influences) -> Vertex {
    Vertex {
        position,
        normal: DVec3::ZERO,
        color: DVec3::ONE,
        influences: influences.clone(),
    }
}

/// An ellipsoid of `columns` by `rows`, on one joint.
pub fn ball(
    material: usize,
    joint: usize,
    center: DVec3,
    radii: DVec3,
    turned: DQuat,
    size: [u32; 2],
) -> Primitive {
    let [columns, rows] = size;
    let influences = vec![(joint, 1.0)];
    let mut ball = Primitive {
        material,
        ..Primitive::default()
    };
    for row in 0..rows {
        let polar = std::f64::consts::PI * (1.0 - f64::from(row) / f64::from(rows - 1));
        for column in 0..columns {
            let around = std::f64::consts::TAU * f64::from(column) / f64::from(columns);
            let on_sphere = DVec3::new(
                sin(polar) * sin(around),
                cos(polar),
                sin(polar) * cos(around),
            );
            ball.vertices.push(Vertex {
                normal: (turned * (on_sphere / radii)).normalize(),
                ..vertex(center + turned * (on_sphere * radii), &influences)
            });
        }
    }
    ball.push_lattice(0, columns, rows, true);
    ball.drop_slivers();
    ball
}

/// One cross-section of a sweep: an ellipse.
pub struct Ring {
    /// Centre.
    pub center: DVec3,
    /// Half axis across.
    pub across: DVec3,
    /// Half axis through.
    pub through: DVec3,
    /// Joint weights.
    pub influences: Influences,
}

/// Skins rings with a tube; `closed` joins the last ring to the first.
pub fn sweep(material: usize, rings: &[Ring], sides: u32, closed: bool) -> Primitive {
    let mut tube = Primitive {
        material,
        ..Primitive::default()
    };
    let repeat = rings.first().filter(|_| closed);
    // Seen along the path the cross-section runs clockwise, so that the triangles face outwards.
    let ahead = rings[1].center - rings[0].center;
    let sense = rings[0].across.cross(rings[0].through).dot(ahead).signum();
    for ring in rings.iter().chain(repeat) {
        for side in 0..sides {
            let around = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
            let position =
                ring.center + ring.across * cos(around) + ring.through * (sense * sin(around));
            tube.vertices.push(vertex(position, &ring.influences));
        }
    }
    tube.push_lattice(0, sides, rings.len() as u32 + u32::from(closed), true);
    smooth_normals(&mut tube);
    if closed {
        // The doubled seam: both copies take the mean.
        let last = tube.vertices.len() - sides as usize;
        for i in 0..sides as usize {
            let mean = (tube.vertices[i].normal + tube.vertices[last + i].normal).normalize();
            tube.vertices[i].normal = mean;
            tube.vertices[last + i].normal = mean;
        }
    }
    tube
}

/// Normals from the triangles around each vertex, weighted by area.
pub fn smooth_normals(primitive: &mut Primitive) {
    let normals = normals_of(primitive, |vertex, _| vertex.position);
    for (vertex, normal) in primitive.vertices.iter_mut().zip(normals) {
        vertex.normal = normal;
    }
}

/// The normals that the primitive would have if its vertices stood where `place` says.
pub fn normals_of(primitive: &Primitive, place: impl Fn(&Vertex, usize) -> DVec3) -> Vec<DVec3> {
    let points: Vec<DVec3> = primitive
        .vertices
        .iter()
        .enumerate()
        .map(|(i, v)| place(v, i))
        .collect();
    let mut sums = vec![DVec3::ZERO; points.len()];
    for triangle in &primitive.triangles {
        let [a, b, c] = triangle.map(|i| points[i as usize]);
        for &i in triangle {
            sums[i as usize] += (b - a).cross(c - a);
        }
    }
    sums.into_iter()
        .map(|sum| sum.normalize_or(DVec3::Z))
        .collect()
}

/// The other side's part: mirrored in x, `_L` joints exchanged for `_R`, and the two blink targets for each other.
pub fn mirrored(primitive: &Primitive, rig: &Rig) -> Primitive {
    let flip = DVec3::new(-1.0, 1.0, 1.0);
    let mut twin = primitive.clone();
    for vertex in &mut twin.vertices {
        vertex.position *= flip;
        vertex.normal *= flip;
        for influence in &mut vertex.influences {
            let name = &rig.joints[influence.0].name;
            if let Some(stem) = name.strip_suffix("_L") {
                influence.0 = rig.index(&format!("{stem}_R"));
            }
        }
    }
    for triangle in &mut twin.triangles {
        triangle.swap(1, 2);
    }
    for delta in twin.targets.iter_mut().flatten() {
        delta.position *= flip;
        delta.normal *= flip;
    }
    if twin.targets.len() > super::BLINK_R {
        twin.targets.swap(super::BLINK_L, super::BLINK_R);
    }
    twin
}
