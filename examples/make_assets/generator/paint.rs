//! Crisp markings without a texture: triangles are cut along the outline of each marking, so colours meet in clean lines.

use std::collections::BTreeMap;

use glam::DVec3;

use super::mesh::Surface;
use super::refine::split;
use super::sdf::Field;
use super::weights::blend;

/// A marking: where `outline` is negative, triangles of one of the materials in `over` become `material`.
pub struct Marking {
    /// The new material.
    pub material: usize,
    /// Materials that may be painted over.
    pub over: &'static [usize],
    /// Negative inside the marking; about a distance in metres.
    pub outline: fn(DVec3) -> f64,
}

/// Applies one marking.
pub fn paint(surface: &mut Surface, field: &Field, marking: &Marking) {
    let mut side: Vec<f64> = surface
        .positions
        .iter()
        .map(|&p| (marking.outline)(p))
        .collect();
    pull_to_outline(surface, field, marking, &mut side);
    let mut cuts = BTreeMap::new();
    let (triangles, materials) = (
        std::mem::take(&mut surface.triangles),
        std::mem::take(&mut surface.materials),
    );
    for (triangle, material) in triangles.into_iter().zip(materials) {
        if !marking.over.contains(&material) {
            surface.triangles.push(triangle);
            surface.materials.push(material);
            continue;
        }
        let sides = triangle.map(|i| side[i as usize]);
        if sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0) {
            let center = triangle
                .iter()
                .map(|&i| surface.positions[i as usize])
                .sum::<DVec3>()
                / 3.0;
            // With all three corners on the outline, only the middle can tell.
            let sum: f64 = sides.iter().sum();
            let within = if sum == 0.0 {
                (marking.outline)(center) < 0.0
            } else {
                sum < 0.0
            };
            surface.triangles.push(triangle);
            surface
                .materials
                .push(if within { marking.material } else { material });
            continue;
        }
        // Walk around the triangle, and add a vertex wherever the outline crosses an edge.
        let (mut within, mut without) = (Vec::new(), Vec::new());
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            let (sa, sb) = (sides[k], sides[(k + 1) % 3]);
            if sa <= 0.0 {
                within.push(a);
            }
            if sa >= 0.0 {
                without.push(a);
            }
            if sa * sb < 0.0 {
                let cut = *cuts
                    .entry((a.min(b), a.max(b)))
                    .or_insert_with(|| split(surface, field, a, b, sa / (sa - sb)));
                within.push(cut);
                without.push(cut);
            }
        }
        for (polygon, material) in [(within, marking.material), (without, material)] {
            for k in 2..polygon.len() {
                surface
                    .triangles
                    .push([polygon[0], polygon[k - 1], polygon[k]]);
                surface.materials.push(material);
            }
        }
    }
}

/// Moves vertices that are close to the outline onto it, so that cutting leaves no slivers.
fn pull_to_outline(surface: &mut Surface, field: &Field, marking: &Marking, side: &mut [f64]) {
    let neighbors = surface.neighbors();
    for i in 0..neighbors.len() {
        let nearest = neighbors[i]
            .iter()
            .map(|&j| j as usize)
            .filter(|&j| side[i] * side[j] < 0.0)
            .map(|j| (side[i] / (side[i] - side[j]), j))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let Some((t, j)) = nearest.filter(|(t, _)| *t < 0.3) {
            let moved = surface.positions[i].lerp(surface.positions[j], t);
            surface.positions[i] = onto_outline(field, marking.outline, moved);
            surface.normals[i] = field.normal(surface.positions[i]);
            surface.influences[i] = blend(&surface.influences[i], &surface.influences[j], t);
            side[i] = 0.0;
        }
    }
}

/// Settles a point where the surface and the outline meet.
fn onto_outline(field: &Field, outline: fn(DVec3) -> f64, start: DVec3) -> DVec3 {
    let mut p = start;
    for _ in 0..3 {
        const STEP: f64 = 0.001;
        let along =
            |axis: DVec3| (outline(p + axis * STEP) - outline(p - axis * STEP)) / (2.0 * STEP);
        let slope = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
        let step = slope * (outline(p) / slope.length_squared().max(0.05));
        p = field.project(p - step.clamp_length_max(0.005), 0.01);
    }
    // A corner of the outline has no good slope; better a slightly ragged corner than a vertex far away.
    if p.distance(start) < 0.012 { p } else { start }
}
