//! A crowd on a field.

use std::collections::BTreeMap;

use glam::{Affine3A, Vec3};

use super::{Crowd, Individual, Reaches, Repertoire, Role};
use crate::{
    anim::{PaletteLayout, bounds::JointBoxes},
    model::{Clip, Model},
};

impl Crowd {
    /// A crowd on a square field around the origin, looking ahead. Each is somewhere else in its clip and up to a tenth
    /// faster or slower; the one in the middle is as the model would be alone. For each clip, `instead_of` may give another
    /// that they play in its place. `boxes` are those of the model's joints, if they are made already.
    pub fn on_field(
        model: &Model,
        layout: &PaletteLayout,
        boxes: Option<&JointBoxes>,
        repertoire: Repertoire,
        count: usize,
        instead_of: impl Fn(usize) -> Option<Clip>,
    ) -> Self {
        let clips = model.clips.len();
        let played = repertoire.played_by(count, clips);
        let reaches = Reaches::new(model, layout, boxes, played.len());
        let part = |clip: Option<usize>| match clip.and_then(&instead_of) {
            Some(own) => Role::of_clip(&reaches, own),
            None => Role::new(&reaches, clip),
        };
        let mut parts: BTreeMap<_, _> = played.into_iter().map(|it| (it, part(it))).collect();
        let spacing = parts
            .values()
            .map(|part| part.reach.sight_box)
            .filter(|sight_box| !sight_box.is_empty())
            .map(|sight_box| (sight_box.max - sight_box.min).with_y(0.0).max_element())
            .fold(0.0, f32::max);
        let spacing = if spacing > 0.0 { spacing } else { 1.0 };
        let individual = |index: usize| {
            // The golden ratio and the root of two spread evenly, however many there are.
            let (phase, haste) = match index {
                0 => (0.0, 0.5),
                _ => (
                    (index as f64 * 0.618_033_988_75).fract(),
                    (index as f64 * 0.414_213_562_37).fract(),
                ),
            };
            let clip = repertoire.clip_of(index, clips);
            let (column, row) = spiral(index);
            let place = Vec3::new(column as f32, 0.0, row as f32) * spacing;
            Individual {
                clip,
                phase_secs: phase * model.clip_secs(clip),
                speed: 0.9 + 0.2 * haste,
                world_from_root: Affine3A::from_translation(place),
            }
        };
        let individuals = (0..count).map(individual).collect();
        Self::with_roles(individuals, |clip| {
            let known = parts.remove(&clip);
            known.unwrap_or_else(|| Role::new(&reaches, clip))
        })
    }
}

/// The `index`-th place of a square spiral around the origin.
fn spiral(index: usize) -> (i32, i32) {
    if index == 0 {
        return (0, 0);
    }
    // Ring `r` has 8 r places, and (2 r − 1)² lie within it.
    let index = index as i64;
    let mut ring = (((index as f64).sqrt() + 1.0) / 2.0) as i64;
    while (2 * ring - 1).pow(2) > index {
        ring -= 1;
    }
    while (2 * ring + 1).pow(2) <= index {
        ring += 1;
    }
    let along = index - (2 * ring - 1).pow(2);
    let (side, step) = (along / (2 * ring), along % (2 * ring));
    let (column, row) = match side {
        0 => (ring, step - ring + 1),
        1 => (ring - step - 1, ring),
        2 => (-ring, ring - step - 1),
        _ => (step - ring + 1, -ring),
    };
    (column as i32, row as i32)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::spiral;

    #[test]
    fn the_spiral_fills_squares_without_a_gap() {
        for ring in 0..20_i32 {
            let count = (2 * ring + 1).pow(2) as usize;
            let places: HashSet<_> = (0..count).map(spiral).collect();
            assert_eq!(places.len(), count);
            assert!(
                places
                    .iter()
                    .all(|(x, y)| x.abs() <= ring && y.abs() <= ring)
            );
        }
    }
}
