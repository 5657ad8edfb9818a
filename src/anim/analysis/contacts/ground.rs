//! How far a ground glides in an interval under feet that stand on it.

use glam::Vec3;

use super::{super::usual::median, Foot, stance::Stance};

/// How far feet go in each interval of their stances.
fn steps<'a>(feet: &'a [Foot<'_>], stances: &'a [Vec<Stance>]) -> impl Iterator<Item = Vec3> + 'a {
    feet.iter().zip(stances).flat_map(|(foot, own)| {
        let positions = own.iter().map(|stance| &foot.positions[stance.frames()]);
        positions.flat_map(|positions| positions.windows(2).map(|pair| pair[1] - pair[0]))
    })
}

/// The mean: it suits feet best that do not go evenly.
pub(super) fn mean_step(feet: &[Foot<'_>], stances: &[Vec<Stance>]) -> Vec3 {
    let all = steps(feet, stances).count();
    steps(feet, stances).sum::<Vec3>() / all.max(1) as f32
}

/// The median along X and Z: a foot that slides does not pull it along.
pub(super) fn usual_step(feet: &[Foot<'_>], stances: &[Vec<Stance>]) -> Vec3 {
    let usual = |axis: usize| {
        let mut all: Vec<_> = steps(feet, stances).map(|step| step[axis]).collect();
        if all.is_empty() {
            0.0
        } else {
            median(&mut all)
        }
    };
    Vec3::new(usual(0), 0.0, usual(2))
}
