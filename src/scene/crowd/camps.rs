//! Who of a crowd is mirrored unlike others: which faces are culled is said once a draw call, so those who are alike in it must
//! have neighbouring records.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::BuildHasher as _,
};

use crate::{
    anim::{
        PaletteLayout, PaletteMatrix,
        crowd::{CrowdClip, Member},
        to_affine, to_palette_matrix,
    },
    model::{Model, is_mirroring},
    scene::draws::{CrowdCamps, Draws},
};

/// Members who are posed before they are looked at: enough for all threads.
const AT_ONCE: usize = 256;

/// What is mirrored in somebody: for each placement of a layout whether its node does, then for each primitive of the mesh
/// whether joints do.
type Sides = Vec<bool>;

/// What is mirrored in those who play the same clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RoleSides {
    /// Nothing changes with time, for those whose place does not mirror.
    Steady(Sides),
    /// What mirrors at one time may not do so at another.
    Changing,
}

impl RoleSides {
    pub(super) fn new(model: &Model, layout: &PaletteLayout, baked: &CrowdClip) -> Self {
        if baked.may_change_sides(model) {
            return Self::Changing;
        }
        let at_start = Member {
            time_secs: 0.0,
            world_from_root: to_palette_matrix(&glam::Affine3A::IDENTITY),
        };
        let mut steady = Sides::new();
        Eye::default().look(model, layout, baked, &[at_start], |sides| {
            steady.extend_from_slice(sides);
        });
        Self::Steady(steady)
    }
}

/// Those who play the same clip.
#[derive(Debug, Clone, Copy)]
pub(super) struct Players<'a> {
    pub(super) members: &'a [Member],
    pub(super) baked: &'a CrowdClip,
    pub(super) sides: &'a RoleSides,
}

/// Finds what is mirrored in somebody.
#[derive(Debug, Default)]
struct Eye {
    draws: Draws,
    matrices: Vec<PaletteMatrix>,
    sides: Sides,
}

impl Eye {
    /// Poses members on all threads, and tells what it sees of each in turn.
    fn look(
        &mut self,
        model: &Model,
        layout: &PaletteLayout,
        baked: &CrowdClip,
        members: &[Member],
        mut tell: impl FnMut(&[bool]),
    ) {
        let stride = layout.matrices_per_instance();
        for group in members.chunks(AT_ONCE) {
            let blank = PaletteMatrix::default();
            self.matrices.resize(stride * group.len(), blank);
            baked.pose_all(model, group, &mut self.matrices);
            for member in 0..group.len() {
                let matrices = &self.matrices[stride * member..][..stride];
                self.draws.collect(&model.meshes, layout, matrices);
                self.sides.clear();
                for (index, placement) in layout.placements().iter().enumerate() {
                    let primitives = model.meshes[placement.mesh].primitives.len();
                    self.sides.extend(self.draws.sides_of(index, primitives));
                }
                tell(&self.sides);
            }
        }
    }
}

/// The ways in which members are mirrored: few. One after the other, so that a frame allocates nothing.
#[derive(Debug, Default)]
struct Ways {
    sides: Sides,
    /// How many sides each has.
    stride: usize,
    /// Which one it is, by a hash of its sides or, where another has that, by the next number that is free.
    found: HashMap<u64, usize>,
}

impl Ways {
    fn clear(&mut self, stride: usize) {
        self.sides.clear();
        self.stride = stride;
        self.found.clear();
    }

    fn of(&self, way: usize) -> &[bool] {
        &self.sides[self.stride * way..][..self.stride]
    }

    fn all(&self) -> impl Iterator<Item = &[bool]> {
        (0..self.found.len()).map(|way| self.of(way))
    }

    /// Which one these sides are; a new one if there is none like it.
    fn find(&mut self, sides: &[bool]) -> usize {
        let new = self.found.len();
        let mut key = self.found.hasher().hash_one(sides);
        loop {
            match self.found.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(new);
                    self.sides.extend_from_slice(sides);
                    return new;
                }
                Entry::Occupied(place) => {
                    let way = *place.get();
                    if self.of(way) == sides {
                        return way;
                    }
                    key = key.wrapping_add(1);
                }
            }
        }
    }
}

/// The members of a crowd, for each placement in camps of those who are mirrored alike.
#[derive(Debug, Default)]
pub(super) struct Camps {
    eye: Eye,
    ways: Ways,
    /// Which of them is that of each member.
    way_of: Vec<usize>,
    /// For each placement the members in the order of its records; none where they stay in their own.
    orders: Vec<Vec<u32>>,
    of_placements: CrowdCamps,
}

impl Camps {
    /// None for a crowd in which all are mirrored alike at all times.
    pub(super) fn new<'a>(
        roles: impl Iterator<Item = &'a RoleSides> + Clone,
        does_place_mirror: bool,
    ) -> Option<Self> {
        let first = roles.clone().next()?;
        let is_like_first = |role: &RoleSides| *role != RoleSides::Changing && role == first;
        let is_alike = !does_place_mirror && roles.clone().all(is_like_first);
        (!is_alike).then(Self::default)
    }

    /// Divides all members, those who play the same clip together.
    pub(super) fn divide<'a>(
        &mut self,
        model: &Model,
        layout: &PaletteLayout,
        all: impl Iterator<Item = Players<'a>>,
    ) {
        let Self {
            eye, ways, way_of, ..
        } = self;
        let sides = (layout.placements().iter())
            .map(|placement| 1 + model.meshes[placement.mesh].primitives.len());
        ways.clear(sides.sum());
        way_of.clear();
        let mut count = |sides: &[bool]| {
            // Neighbours are mostly alike.
            let last = way_of
                .last()
                .copied()
                .filter(|&last| ways.of(last) == sides);
            way_of.push(last.unwrap_or_else(|| ways.find(sides)));
        };
        for players in all {
            let is_known = |member: &Member| !does_mirror(&member.world_from_root);
            let runs = |a: &Member, b: &Member| is_known(a) == is_known(b);
            for run in players.members.chunk_by(runs) {
                match players.sides {
                    RoleSides::Steady(sides) if is_known(&run[0]) => {
                        run.iter().for_each(|_| count(sides));
                    }
                    _ => eye.look(model, layout, players.baked, run, &mut count),
                }
            }
        }
        self.sort(model, layout);
    }

    /// Finds the camps of each placement.
    fn sort(&mut self, model: &Model, layout: &PaletteLayout) {
        let placements = layout.placements();
        self.orders.resize(placements.len(), Vec::new());
        self.of_placements.clear();
        let mut end = 0;
        for (index, placement) in placements.iter().enumerate() {
            let start = end;
            end += 1 + model.meshes[placement.mesh].primitives.len();
            let order = &mut self.orders[index];
            order.clear();
            let ways = &self.ways;
            let mut all = ways.all().map(|way| &way[start..end]);
            let first = all.next();
            if !all.all(|sides| Some(sides) == first) {
                let sides = |member: u32| &ways.of(self.way_of[member as usize])[start..end];
                order.extend(0..self.way_of.len() as u32);
                order.sort_unstable_by(|&a, &b| sides(a).cmp(sides(b)).then(a.cmp(&b)));
                let mut first = 0;
                for camp in order.chunk_by(|a, b| sides(*a) == sides(*b)) {
                    let members = first..first + camp.len() as u32;
                    first = members.end;
                    self.of_placements.add(members, sides(camp[0]));
                }
            }
            self.of_placements.end_placement();
        }
    }

    /// Whom the n-th record of a placement is about.
    pub(super) fn member(&self, placement: usize, nth: usize) -> usize {
        let order = self.orders.get(placement);
        let member = order.and_then(|order| order.get(nth));
        member.map_or(nth, |member| *member as usize)
    }

    /// For each placement its camps; none where all are mirrored alike.
    pub(super) fn of_placements(&self) -> &CrowdCamps {
        &self.of_placements
    }
}

fn does_mirror(world_from_root: &PaletteMatrix) -> bool {
    is_mirroring(&to_affine(world_from_root).matrix3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_found_again_and_goes_with_the_frame() {
        let mut ways = Ways::default();
        ways.clear(2);
        let all = [[false, true], [true, true], [false, true], [false, false]];
        assert_eq!(all.map(|sides| ways.find(&sides)), [0, 1, 0, 2]);
        assert!(ways.all().eq([all[0], all[1], all[3]]));
        // Nobody has sides where nothing is placed.
        ways.clear(0);
        assert_eq!([ways.find(&[]), ways.find(&[])], [0, 0]);
        assert_eq!(ways.all().count(), 1);
    }

    /// Whatever hashes say.
    #[test]
    fn ways_of_one_hash_are_told_apart() {
        let mut ways = Ways::default();
        ways.clear(1);
        let key = ways.found.hasher().hash_one(&[true][..]);
        assert_eq!(ways.find(&[false]), 0);
        ways.found.clear();
        ways.found.insert(key, 0);
        assert_eq!([ways.find(&[true]), ways.find(&[true])], [1, 1]);
    }
}
