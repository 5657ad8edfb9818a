//! Naive surface nets: one vertex per grid cell that the surface crosses, one quad per crossed grid edge.

use std::collections::BTreeMap;

use glam::DVec3;

use super::mesh::Surface;
use super::sdf::Field;

/// Meshes the zero level of `field` inside a box, with cubic cells.
pub fn mesh(field: &Field, min: DVec3, max: DVec3, cell: f64) -> Surface {
    let size = ((max - min) / cell).ceil();
    let (nx, ny, nz) = (
        size.x as usize + 1,
        size.y as usize + 1,
        size.z as usize + 1,
    );
    let corner =
        |x: usize, y: usize, z: usize| min + DVec3::new(x as f64, y as f64, z as f64) * cell;
    let at = |x: usize, y: usize, z: usize| (z * ny + y) * nx + x;
    let mut distance = vec![0.0; nx * ny * nz];
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                distance[at(x, y, z)] = field.distance(corner(x, y, z));
            }
        }
    }

    // A vertex in each crossed cell: the mean of the crossings of its twelve edges.
    let mut surface = Surface::default();
    let mut vertex_of_cell = BTreeMap::new();
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                let (mut sum, mut count) = (DVec3::ZERO, 0.0);
                for [a, b] in CELL_EDGES {
                    let (a, b) = (
                        [x + a[0], y + a[1], z + a[2]],
                        [x + b[0], y + b[1], z + b[2]],
                    );
                    let (da, db) = (
                        distance[at(a[0], a[1], a[2])],
                        distance[at(b[0], b[1], b[2])],
                    );
                    if (da < 0.0) != (db < 0.0) {
                        let (pa, pb) = (corner(a[0], a[1], a[2]), corner(b[0], b[1], b[2]));
                        sum += pa + (pb - pa) * (da / (da - db));
                        count += 1.0;
                    }
                }
                if count > 0.0 {
                    vertex_of_cell.insert(at(x, y, z), surface.positions.len() as u32);
                    surface.positions.push(sum / count);
                }
            }
        }
    }

    // A quad around each crossed grid edge, from the four cells that share it.
    let step = [1, nx, nx * ny];
    for z in 1..nz - 1 {
        for y in 1..ny - 1 {
            for x in 1..nx - 1 {
                let here = at(x, y, z);
                for axis in 0..3 {
                    let (inside, beyond) =
                        (distance[here] < 0.0, distance[here + step[axis]] < 0.0);
                    if inside == beyond {
                        continue;
                    }
                    let (u, v) = (step[(axis + 1) % 3], step[(axis + 2) % 3]);
                    let mut quad =
                        [here - u - v, here - v, here, here - u].map(|cell| vertex_of_cell[&cell]);
                    if !inside {
                        quad.reverse();
                    }
                    surface.push_quad(quad);
                }
            }
        }
    }
    surface
}

const CELL_EDGES: [[[usize; 3]; 2]; 12] = [
    [[0, 0, 0], [1, 0, 0]],
    [[0, 1, 0], [1, 1, 0]],
    [[0, 0, 1], [1, 0, 1]],
    [[0, 1, 1], [1, 1, 1]],
    [[0, 0, 0], [0, 1, 0]],
    [[1, 0, 0], [1, 1, 0]],
    [[0, 0, 1], [0, 1, 1]],
    [[1, 0, 1], [1, 1, 1]],
    [[0, 0, 0], [0, 0, 1]],
    [[1, 0, 0], [1, 0, 1]],
    [[0, 1, 0], [0, 1, 1]],
    [[1, 1, 0], [1, 1, 1]],
];

/// Evens out the vertices along the surface, then sets them and their normals exactly on the field.
pub fn relax(surface: &mut Surface, field: &Field, cell: f64) {
    let neighbors = surface.neighbors();
    for _ in 0..3 {
        let before = surface.positions.clone();
        for (i, around) in neighbors.iter().enumerate() {
            let mean =
                around.iter().map(|&j| before[j as usize]).sum::<DVec3>() / around.len() as f64;
            surface.positions[i] = field.project(before[i].lerp(mean, 0.5), cell * 0.5);
        }
    }
    surface.normals = surface.positions.iter().map(|&p| field.normal(p)).collect();
}
