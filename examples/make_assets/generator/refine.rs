//! Finer triangles where a shape is too small for the grid that the rest of the body is meshed on.

use std::collections::BTreeMap;

use glam::DVec3;

use super::mesh::Surface;
use super::sdf::Field;
use super::weights::blend;

/// Halves every edge whose ends both lie in the region, and puts the new vertices on the field.
pub fn refine(surface: &mut Surface, field: &Field, within: impl Fn(DVec3) -> bool) {
    let inside: Vec<bool> = surface.positions.iter().map(|&p| within(p)).collect();
    let mut middles = BTreeMap::new();
    let triangles = std::mem::take(&mut surface.triangles);
    let materials = std::mem::take(&mut surface.materials);
    for (corners, material) in triangles.into_iter().zip(materials) {
        let mut middle = |a: u32, b: u32| {
            let halved = inside[a as usize] && inside[b as usize];
            halved.then(|| {
                *middles
                    .entry((a.min(b), a.max(b)))
                    .or_insert_with(|| split(surface, field, a, b, 0.5))
            })
        };
        let [a, b, c] = corners;
        let pieces = match [middle(a, b), middle(b, c), middle(c, a)] {
            [Some(ab), Some(bc), Some(ca)] => {
                vec![[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            }
            // At the border of the region a triangle has one inner edge: its neighbour's new vertex cuts it in two.
            [Some(ab), None, None] => vec![[a, ab, c], [ab, b, c]],
            [None, Some(bc), None] => vec![[a, b, bc], [a, bc, c]],
            [None, None, Some(ca)] => vec![[a, b, ca], [ca, b, c]],
            _ => vec![corners],
        };
        surface.materials.extend(pieces.iter().map(|_| material));
        surface.triangles.extend(pieces);
    }
}

/// Adds the vertex that lies a fraction `t` of the way from `a` to `b`, on the field, and returns its index.
pub fn split(surface: &mut Surface, field: &Field, a: u32, b: u32, t: f64) -> u32 {
    // Always from the lower index, so that both triangles at an edge would compute the same vertex.
    let (a, b, t) = if a < b {
        (a as usize, b as usize, t)
    } else {
        (b as usize, a as usize, 1.0 - t)
    };
    let p = field.project(surface.positions[a].lerp(surface.positions[b], t), 0.01);
    surface.positions.push(p);
    surface.normals.push(field.normal(p));
    surface
        .influences
        .push(blend(&surface.influences[a], &surface.influences[b], t));
    surface.positions.len() as u32 - 1
}
