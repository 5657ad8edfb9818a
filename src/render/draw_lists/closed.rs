//! Which surfaces are shells around something, and which are sheets.

use glam::DVec3;

use crate::model::{Primitive, Topology};

/// Of the sum of all areas so much may be left open: gaps between parts.
const MOST_OPEN: f64 = 0.01;

/// Whether a primitive is closed all around. Triangles of a closed surface look to all sides alike: their areas, as vectors
/// along their normals, add up to nothing.
pub(in crate::render) fn is_closed(primitive: &Primitive) -> bool {
    if primitive.topology != Topology::Triangles {
        return false;
    }
    let positions = &primitive.vertices.positions;
    let at = |index: u32| positions[index as usize].as_dvec3();
    let (mut open, mut all) = (DVec3::ZERO, 0.0);
    for corners in primitive.indices.triangles() {
        let [a, b, c] = corners.map(at);
        let area = (b - a).cross(c - a);
        open += area;
        all += area.length();
    }
    open.length() < MOST_OPEN * all
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Indices, Vertices};

    /// The eight corners of a cube, x changing first, and the triangles of its sides that look outwards.
    fn cube(sides: usize) -> Primitive {
        const SIDES: [[u16; 4]; 6] = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles = SIDES[..sides].iter();
        let indices = triangles.flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
        let corner = |index: u8| {
            let [x, y, z] = [0, 1, 2].map(|axis| f32::from((index >> axis) & 1));
            Vec3::new(x, y, z)
        };
        Primitive {
            topology: Topology::Triangles,
            indices: Indices::Short(indices.collect()),
            vertices: Vertices {
                positions: (0..8).map(corner).collect(),
                ..Vertices::default()
            },
            ..Primitive::default()
        }
    }

    #[test]
    fn a_cube_is_closed_and_a_box_without_a_lid_is_not() {
        assert!(is_closed(&cube(6)));
        // Fewer sides are pairs that look away from each other, or lack one.
        for sides in [0, 1, 3, 5] {
            assert!(!is_closed(&cube(sides)), "{sides}");
        }
        let points = Primitive {
            topology: Topology::Points,
            ..cube(6)
        };
        assert!(!is_closed(&points));
    }

    /// From corner to corner its box is as thick as wide.
    #[test]
    fn a_sheet_aslant_is_open() {
        let mut sheet = cube(6);
        sheet.indices = Indices::Short(vec![0, 1, 7, 0, 7, 6]);
        assert!(!is_closed(&sheet));
    }
}
