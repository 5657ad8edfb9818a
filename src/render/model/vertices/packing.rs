//! Vertices in few bytes: directions fold into two numbers.

use glam::{Vec2, Vec3, Vec4};

use super::{Attributes, EACH, GpuInfluences};
use crate::model::{Influences, Vertices};

/// What vertices have beside their positions, vertex by vertex, as 32-bit words. Where `attributes` has what they lack, texture
/// coordinates are 0 and colours white.
pub fn packed_vertices(vertices: &Vertices, attributes: Attributes) -> Vec<u32> {
    let width = attributes.bytes() as usize / 4;
    let mut words = vec![0; width * vertices.positions.len()];
    let mut offset = 0;
    for (attribute, format) in EACH.into_iter().filter(|(each, _)| attributes.has(*each)) {
        let count = format.size() as usize / 4;
        let places = words
            .chunks_exact_mut(width)
            .map(|vertex| &mut vertex[offset..offset + count]);
        match attribute {
            Attributes::NORMALS => {
                let normals = vertices.normals.iter();
                places
                    .zip(normals)
                    .for_each(|(place, &normal)| place[0] = packed_direction(normal));
            }
            Attributes::TANGENTS => {
                let tangents = vertices.tangents.iter();
                places
                    .zip(tangents)
                    .for_each(|(place, &tangent)| place[0] = packed_tangent(tangent));
            }
            Attributes::COLORS if vertices.colors.is_empty() => {
                places.for_each(|place| place.fill(u32::MAX));
            }
            Attributes::COLORS => {
                let colors = vertices.colors.iter();
                places.zip(colors).for_each(|(place, color)| {
                    let color = color.to_array().map(|it| (it * 65_535.0 + 0.5) as u16);
                    place.copy_from_slice(bytemuck::cast_slice::<u16, u32>(&color));
                });
            }
            _ => {
                let set = usize::from(attribute == Attributes::TEX_COORDS_1);
                let tex_coords = vertices.tex_coords[set].iter();
                places.zip(tex_coords).for_each(|(place, uv)| {
                    place.copy_from_slice(&[uv.x.to_bits(), uv.y.to_bits()]);
                });
            }
        }
        offset += count;
    }
    words
}

/// Greatest 16-bit number with a sign: it stands for 1.
const ONE: f32 = 32_767.0;
/// What stands for 1 on each side of zero, where the sign has another meaning.
const HALF: f32 = 16_383.0;

/// A direction on an octahedron that is folded into a square. The undoing is `unfolded` in `shaders/mesh.wgsl`; what comes out
/// is off by less than 1/15,000.
fn folded(direction: Vec3) -> Vec2 {
    let sum = direction.abs().element_sum();
    // What has no direction is not told from +Z.
    let on_octahedron = direction / sum.max(f32::MIN_POSITIVE);
    let flat = on_octahedron.truncate();
    if on_octahedron.z >= 0.0 {
        return flat;
    }
    let side = Vec2::select(flat.cmpge(Vec2::ZERO), Vec2::ONE, Vec2::NEG_ONE);
    (1.0 - Vec2::new(flat.y, flat.x).abs()) * side
}

fn packed_direction(direction: Vec3) -> u32 {
    let [x, y] = (folded(direction) * ONE).round().to_array();
    bytemuck::cast([x as i16, y as i16])
}

/// A tangent as a direction, whose w is the sign of the second number.
fn packed_tangent(tangent: Vec4) -> u32 {
    let [x, y] = folded(tangent.truncate()).to_array();
    // From 1 on.
    let above = (y * HALF).round() + HALF + 1.0;
    let y = if tangent.w < 0.0 { -above } else { above };
    bytemuck::cast([(x * ONE).round() as i16, y as i16])
}

/// Joints and weights, vertex by vertex. Weights are not rounded: a vertex that is off by nothing one can see may cover another
/// sample at an edge.
pub fn packed_influences(influences: &Influences) -> Vec<GpuInfluences> {
    let joints = influences.joints.as_chunks().0;
    let fours = joints.iter().zip(influences.weights.as_chunks().0);
    fours
        .map(|(&joints, &weights)| GpuInfluences { joints, weights })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Colors;

    /// `unfolded` of the shader.
    fn unfolded(folded: Vec2) -> Vec3 {
        let z = 1.0 - folded.abs().element_sum();
        let over = (-z).max(0.0);
        let side = Vec2::select(
            folded.cmpge(Vec2::ZERO),
            Vec2::splat(-over),
            Vec2::splat(over),
        );
        (folded + side).extend(z).normalize()
    }

    fn numbers(word: u32) -> Vec2 {
        let [x, y]: [i16; 2] = bytemuck::cast(word);
        Vec2::new(x.into(), y.into())
    }

    /// Directions all around, those along axes and diagonals among them.
    fn directions() -> impl Iterator<Item = Vec3> {
        let steps = || -20..=20;
        let all = steps().flat_map(move |x| {
            steps().flat_map(move |y| steps().map(move |z| Vec3::new(x as f32, y as f32, z as f32)))
        });
        all.filter(|it| *it != Vec3::ZERO).map(Vec3::normalize)
    }

    #[test]
    fn directions_come_back() {
        for direction in directions() {
            let back = unfolded(numbers(packed_direction(direction)) / ONE);
            assert!(back.distance(direction) < 6.6e-5, "{direction} → {back}");
            for w in [1.0, -1.0] {
                let packed = numbers(packed_tangent(direction.extend(w)));
                let y = (packed.y.abs() - 1.0 - HALF) / HALF;
                let back = unfolded(Vec2::new(packed.x / ONE, y));
                assert!(back.distance(direction) < 1.1e-4, "{direction} → {back}");
                assert_eq!(packed.y.signum(), w, "{direction}");
            }
        }
        for axis in Vec3::AXES {
            for axis in [axis, -axis] {
                assert_eq!(unfolded(numbers(packed_direction(axis)) / ONE), axis);
            }
        }
    }

    #[test]
    fn vertices_take_what_they_have() {
        let mut vertices = Vertices {
            positions: vec![Vec3::ZERO; 3],
            normals: vec![Vec3::Y; 3],
            tex_coords: [vec![Vec2::new(0.25, 1e6); 3], Vec::new()],
            ..Vertices::default()
        };
        let own = Attributes::of(&vertices);
        let packed = packed_vertices(&vertices, own);
        let uv = [0.25_f32.to_bits(), 1e6_f32.to_bits()];
        assert_eq!(packed, [packed_direction(Vec3::Y), uv[0], uv[1]].repeat(3));
        assert_eq!(own.bytes(), 12);
        let more = own.with(Attributes::COLORS).with(Attributes::TANGENTS);
        let packed = packed_vertices(&vertices, more);
        let white = u32::MAX;
        let expected = [packed_direction(Vec3::Y), 0, uv[0], uv[1], white, white];
        assert_eq!(packed, expected.repeat(3));
        vertices.colors = Colors::Bytes(vec![[255, 0, 51, 255]; 3]);
        let packed = packed_vertices(&vertices, Attributes::COLORS);
        let color: [u32; 2] = bytemuck::cast([65_535_u16, 0, 51 * 257, 65_535]);
        assert_eq!(packed, color.repeat(3));
        assert!(packed_vertices(&vertices, Attributes::NONE).is_empty());
    }
}
