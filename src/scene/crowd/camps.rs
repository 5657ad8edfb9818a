//! Who of a crowd is mirrored unlike others: which faces are culled is said once a draw call, so those who are alike in it must
//! have neighbouring records.

use std::collections::HashMap;

use crate::{
    anim::{
        PaletteLayout, PaletteMatrix,
        crowd::{CrowdClip, Member},
        to_affine, to_palette_matrix,
    },
    model::{Model, is_mirroring},
    scene::draws::{Camp, Draws, PlacementSides},
};

/// What is mirrored, for each placement of a layout.
type Sides = Vec<PlacementSides>;

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
        let mut eye = Eye::new(layout);
        Self::Steady(eye.look(model, layout, baked, &at_start))
    }
}

/// Finds what is mirrored in somebody.
#[derive(Debug, Default)]
struct Eye {
    draws: Draws,
    matrices: Vec<PaletteMatrix>,
}

impl Eye {
    fn new(layout: &PaletteLayout) -> Self {
        Self {
            draws: Draws::default(),
            matrices: vec![PaletteMatrix::default(); layout.matrices_per_instance()],
        }
    }

    fn look(
        &mut self,
        model: &Model,
        layout: &PaletteLayout,
        baked: &CrowdClip,
        member: &Member,
    ) -> Sides {
        baked.pose(model, &[*member], &mut self.matrices);
        self.draws.collect(&model.meshes, layout, &self.matrices);
        let placements = layout.placements().iter().enumerate();
        let sides = placements.map(|(index, placement)| {
            let primitives = model.meshes[placement.mesh].primitives.len();
            self.draws.sides_of(index, primitives)
        });
        sides.collect()
    }
}

/// The members of a crowd, for each placement in camps of those who are mirrored alike.
#[derive(Debug, Default)]
pub(super) struct Camps {
    eye: Eye,
    /// For each placement the members in the order of its records; none where they stay in their own.
    orders: Vec<Vec<u32>>,
    /// For each placement its camps; none where all are mirrored alike.
    of_placements: Vec<Vec<Camp>>,
}

impl Camps {
    /// None for a crowd in which all are mirrored alike at all times.
    pub(super) fn new<'a>(
        layout: &PaletteLayout,
        roles: impl Iterator<Item = &'a RoleSides> + Clone,
        does_place_mirror: bool,
    ) -> Option<Self> {
        let first = roles.clone().next()?;
        let is_like_first = |role: &RoleSides| *role != RoleSides::Changing && role == first;
        let is_alike = !does_place_mirror && roles.clone().all(is_like_first);
        (!is_alike).then(|| Self {
            eye: Eye::new(layout),
            ..Self::default()
        })
    }

    /// Divides `members`, who play what is said of each.
    pub(super) fn divide<'a>(
        &mut self,
        model: &Model,
        layout: &PaletteLayout,
        members: &[Member],
        role_of: impl Fn(usize) -> (&'a CrowdClip, &'a RoleSides),
    ) {
        // Few differ: each way of being mirrored has a number.
        let mut known: HashMap<Sides, u32> = HashMap::new();
        let mut ways: Vec<Sides> = Vec::new();
        let mut number = |sides: &Sides| {
            if let Some(&number) = known.get(sides) {
                return number;
            }
            let number = ways.len() as u32;
            known.insert(sides.clone(), number);
            ways.push(sides.clone());
            number
        };
        let way_of = members.iter().enumerate().map(|(index, member)| {
            let (baked, sides) = role_of(index);
            match sides {
                RoleSides::Steady(sides) if !does_mirror(&member.world_from_root) => number(sides),
                _ => number(&self.eye.look(model, layout, baked, member)),
            }
        });
        let way_of: Vec<u32> = way_of.collect();
        self.orders.clear();
        self.of_placements.clear();
        for placement in 0..layout.placements().len() {
            let mut all = ways.iter().map(|way| &way[placement]);
            let first = all.next();
            if all.all(|sides| Some(sides) == first) {
                self.of_placements.push(Vec::new());
                self.orders.push(Vec::new());
                continue;
            }
            let sides = |member: u32| &ways[way_of[member as usize] as usize][placement];
            let mut order: Vec<u32> = (0..members.len() as u32).collect();
            order.sort_by_key(|&member| sides(member));
            let mut start = 0;
            let camps = order.chunk_by(|a, b| sides(*a) == sides(*b)).map(|camp| {
                let end = start + camp.len() as u32;
                let camp = Camp {
                    members: start..end,
                    sides: sides(camp[0]).clone(),
                };
                start = end;
                camp
            });
            self.of_placements.push(camps.collect());
            self.orders.push(order);
        }
    }

    /// Whom the n-th record of a placement is about.
    pub(super) fn member(&self, placement: usize, nth: usize) -> usize {
        let order = self.orders.get(placement);
        let member = order.and_then(|order| order.get(nth));
        member.map_or(nth, |member| *member as usize)
    }

    /// For each placement its camps.
    pub(super) fn of_placements(&self) -> &[Vec<Camp>] {
        &self.of_placements
    }
}

fn does_mirror(world_from_root: &PaletteMatrix) -> bool {
    is_mirroring(&to_affine(world_from_root).matrix3)
}
