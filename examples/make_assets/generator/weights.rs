//! Skin weights: each vertex starts with the joint of the nearest solid, then weights spread along the surface like heat.
//!
//! Because heat travels along the surface and not through the air, an arm never takes hold of the torso beside it, and
//! the width of every blend follows from the number of steps: about `cell * sqrt(steps)`.

use super::mesh::Surface;
use super::sdf::Field;

/// Up to four joints and their shares, largest first, summing to 1.
pub type Influences = Vec<(usize, f64)>;

/// Fills `surface.influences`.
pub fn spread(surface: &mut Surface, field: &Field, joint_count: usize, steps: usize) {
    let neighbors = surface.neighbors();
    let mut heat: Vec<Vec<f64>> = surface
        .positions
        .iter()
        .map(|&p| {
            let mut row = vec![0.0; joint_count];
            row[field.nearest_joint(p)] = 1.0;
            row
        })
        .collect();
    for _ in 0..steps {
        let before = heat.clone();
        for (i, around) in neighbors.iter().enumerate() {
            for (joint, value) in heat[i].iter_mut().enumerate() {
                let sum: f64 = around.iter().map(|&j| before[j as usize][joint]).sum();
                *value = 0.5 * before[i][joint] + 0.5 * sum / around.len() as f64;
            }
        }
    }
    surface.influences = heat
        .into_iter()
        .map(|row| strongest(row.into_iter().enumerate().collect()))
        .collect();
}

/// Keeps the four largest shares and makes them sum to 1.
pub fn strongest(mut shares: Influences) -> Influences {
    // Equal shares are ordered by joint, so the choice is the same on every run.
    shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    shares.truncate(4);
    let total: f64 = shares.iter().map(|s| s.1).sum();
    shares.retain(|s| s.1 / total > 0.004);
    let total: f64 = shares.iter().map(|s| s.1).sum();
    shares
        .iter()
        .map(|&(joint, share)| (joint, share / total))
        .collect()
}

/// The influences a part of the way from `a` to `b`.
pub fn blend(a: &Influences, b: &Influences, t: f64) -> Influences {
    let mut sum: Influences = a
        .iter()
        .map(|&(joint, share)| (joint, share * (1.0 - t)))
        .collect();
    for &(joint, share) in b {
        match sum.iter_mut().find(|s| s.0 == joint) {
            Some(same) => same.1 += share * t,
            None => sum.push((joint, share * t)),
        }
    }
    strongest(sum)
}

/// The form a file stores: joints, and weights in 255ths that sum to 255 exactly (glTF 2.0 §3.7.3.3).
pub fn quantize(influences: &Influences) -> ([u8; 4], [u8; 4]) {
    let (mut joints, mut weights) = ([0; 4], [0; 4]);
    let mut left = 255;
    for (slot, &(joint, share)) in influences.iter().enumerate().rev() {
        // The largest share comes last and takes what rounding left over.
        let weight = if slot == 0 {
            left
        } else {
            ((share * 255.0).round() as u8).min(left)
        };
        left -= weight;
        weights[slot] = weight;
        // Unused slots name joint 0, as glTF 2.0 §3.7.3.3 asks.
        joints[slot] = if weight == 0 { 0 } else { joint as u8 };
    }
    (joints, weights)
}
