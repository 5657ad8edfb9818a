//! In which order draw calls come.

use std::cmp::Ordering;

use super::{DrawLists, PrimitiveDraw};
use crate::render::pipelines::Faces;

/// Pairs of shells and what may be within them that a frame looks at: a few milliseconds' work.
const MAX_PAIRS: usize = 100_000;

impl DrawLists {
    /// Puts what is ordered in its order: solid glass near to far, since each covers what is behind it, and what blends far to
    /// near, where what encloses others has its back behind them and its front before them, if `minds_shells`.
    pub(super) fn sort(&mut self, minds_shells: bool) {
        let by_distance =
            |a: &PrimitiveDraw, b: &PrimitiveDraw| a.place.distance.total_cmp(&b.place.distance);
        let by_placement = |a: &PrimitiveDraw, b: &PrimitiveDraw| a.placement.cmp(&b.placement);
        self.transmissive
            .sort_by(|a, b| by_distance(a, b).then(by_placement(a, b)));
        if minds_shells {
            enclose(&mut self.transparent);
        }
        self.transparent.sort_by(|a, b| {
            by_distance(b, a)
                .then(by_reach(b, a))
                .then(by_placement(a, b))
        });
    }
}

/// Of two that are equally far away: shells by the end of the box that those faces are at which are drawn, all else by its
/// middle.
fn by_reach(a: &PrimitiveDraw, b: &PrimitiveDraw) -> Ordering {
    let reach = |draw: &PrimitiveDraw| {
        let [nearest, farthest] = draw.place.range;
        match (draw.place.is_shell, is_back(draw)) {
            (false, _) => draw.place.distance,
            (true, false) => nearest,
            (true, true) => farthest,
        }
    };
    reach(a).total_cmp(&reach(b))
}

/// Whether it is the far side of what has two.
fn is_back(draw: &PrimitiveDraw) -> bool {
    draw.key.winding.faces == Faces::Back
}

/// Lets shells be as far away as the nearest of what they enclose, and their backs as the farthest. Of so many that to look at
/// all pairs would take long, some stay where they are.
fn enclose(draws: &mut [PrimitiveDraw]) {
    let mut most = MAX_PAIRS / draws.len().max(1);
    for outer in 0..draws.len() {
        if !draws[outer].place.is_shell {
            continue;
        }
        if most == 0 {
            return;
        }
        most -= 1;
        let this = draws[outer];
        let mut distance = this.place.distance;
        for inner in draws.iter().filter(|inner| encloses(&this, inner)) {
            distance = if is_back(&this) {
                distance.max(inner.place.distance)
            } else {
                distance.min(inner.place.distance)
            };
        }
        draws[outer].place.distance = distance;
    }
}

/// Whether all of `inner` lies in the box of `outer`, a shell.
fn encloses(outer: &PrimitiveDraw, inner: &PrimitiveDraw) -> bool {
    let (outer, inner) = (&outer.place, &inner.place);
    let [nearest, farthest] = outer.range;
    let boxes = outer.oriented.as_ref().zip(inner.oriented.as_ref());
    // Most are told apart by their distances.
    inner.range[0] <= farthest
        && inner.range[1] >= nearest
        && boxes.is_some_and(|(outer, inner)| outer.holds(inner))
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Quat, Vec3};

    use super::*;
    use crate::{
        model::Aabb,
        render::draw_lists::{Distances, tests::draw},
        scene::OrientedBox,
    };

    /// A cube around a place ahead of an eye that looks from the origin along −Z, in a distance of 10 but for `nearer`.
    fn cube(placement: usize, half: f32, nearer: f32, faces: Faces) -> PrimitiveDraw {
        let distance = 10.0 - nearer;
        let mut draw = draw(false, [distance - half, distance + half]);
        let around = Aabb {
            min: Vec3::splat(-half),
            max: Vec3::splat(half),
        };
        let place = Affine3A::from_translation(Vec3::new(0.0, 0.0, -distance));
        draw.place = Distances {
            distance,
            oriented: Some(OrientedBox::new(&around, &place)),
            ..draw.place
        };
        draw.place = draw.place.of_surface(true);
        draw.key.winding.faces = faces;
        draw.placement = placement;
        draw
    }

    /// A sheet with a box of this half size about its middle, which is `nearer` than that of `place` seen along −Z.
    fn sheet(placement: usize, half: Vec3, nearer: f32, place: &Affine3A) -> PrimitiveDraw {
        let place = Affine3A::from_translation(Vec3::new(0.0, 0.0, nearer)) * *place;
        let around = Aabb {
            min: -half,
            max: half,
        };
        let in_world = around.transformed(&place);
        let mut draw = draw(false, [-in_world.max.z, -in_world.min.z]);
        draw.place = Distances {
            distance: -place.translation.z,
            oriented: Some(OrientedBox::new(&around, &place)),
            ..draw.place
        };
        draw.place = draw.place.of_surface(false);
        draw.placement = placement;
        draw
    }

    /// What is drawn first, and on which side.
    fn order(draws: impl IntoIterator<Item = PrimitiveDraw>) -> Vec<(usize, Faces)> {
        let mut lists = DrawLists {
            transparent: draws.into_iter().collect(),
            ..DrawLists::default()
        };
        lists.sort(true);
        let drawn = lists.transparent.iter();
        drawn
            .map(|draw| (draw.placement, draw.key.winding.faces))
            .collect()
    }

    #[test]
    fn what_is_enclosed_is_drawn_before_the_front_around_it() {
        // In the middle, nearer to the eye, and farther from it.
        for nearer in [0.0, 0.2, -0.2] {
            for [outer, middle, inner] in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
                let single = [
                    cube(outer, 1.0, 0.0, Faces::Front),
                    cube(middle, 0.7, nearer, Faces::Front),
                    cube(inner, 0.4, 1.5 * nearer, Faces::Front),
                ];
                let expected = [inner, middle, outer].map(|it| (it, Faces::Front));
                assert_eq!(order(single), expected, "{nearer}");
                let backs = single.map(|mut draw| {
                    draw.key.winding.faces = Faces::Back;
                    draw
                });
                let behind = [outer, middle, inner].map(|it| (it, Faces::Back));
                let expected = [behind, expected].concat();
                assert_eq!(order(backs.into_iter().chain(single)), expected, "{nearer}");
            }
        }
    }

    #[test]
    fn what_lies_apart_is_drawn_far_to_near() {
        let draws = [
            cube(0, 0.5, 3.0, Faces::Front),
            cube(1, 2.0, 0.0, Faces::Front),
            cube(2, 0.5, -3.0, Faces::Front),
        ];
        assert_eq!(order(draws), [2, 1, 0].map(|it| (it, Faces::Front)));
    }

    /// A pane that goes aslant through the box around it, rigid and turned, rigid and modelled so, or skinned; and a sticker on
    /// the side of its middle that the eye is on.
    #[test]
    fn what_lies_on_a_sheet_is_drawn_after_it() {
        let place = Affine3A::from_translation(Vec3::new(0.0, 0.0, -10.0));
        let turned = place * Affine3A::from_rotation_x(std::f32::consts::FRAC_PI_4);
        let flat = Vec3::new(1.0, 2.0_f32.sqrt(), 0.0);
        let sticker = sheet(1, Vec3::new(0.2, 0.2, 0.0), 0.05, &place);
        for (half, place) in [(flat, &turned), (Vec3::ONE, &place)] {
            let pane = sheet(0, half, 0.0, place);
            for draws in [[pane, sticker], [sticker, pane]] {
                assert_eq!(order(draws), [0, 1].map(|it| (it, Faces::Front)), "{half}");
            }
        }
    }

    /// In one plane and about one middle: whichever reaches nearer to the eye, the file's order counts.
    #[test]
    fn sheets_with_one_middle_keep_the_order_of_the_file() {
        let place = Affine3A::from_rotation_translation(
            Quat::from_rotation_y(std::f32::consts::FRAC_PI_4),
            Vec3::new(0.0, 0.0, -10.0),
        );
        let large = |placement| sheet(placement, Vec3::new(1.0, 1.0, 0.0), 0.0, &place);
        let small = |placement| sheet(placement, Vec3::new(0.5, 0.5, 0.0), 0.0, &place);
        for draws in [[large(0), small(1)], [small(0), large(1)]] {
            assert_eq!(order(draws), [0, 1].map(|it| (it, Faces::Front)));
        }
        // Even what has two sides.
        let closed = [large(0), small(1)].map(|mut draw| {
            draw.place = draw.place.of_surface(true);
            draw
        });
        assert_eq!(order(closed), [0, 1].map(|it| (it, Faces::Front)));
    }

    /// Its walls lie behind all that is in it.
    #[test]
    fn what_is_seen_from_inside_keeps_its_place() {
        let mut room = cube(0, 20.0, 0.0, Faces::Front);
        room.place.range = [0.0, 40.0];
        room.place = room.place.of_surface(true);
        let order = order([cube(1, 0.5, 3.0, Faces::Front), room]);
        assert_eq!(order, [0, 1].map(|it| (it, Faces::Front)));
    }
}
