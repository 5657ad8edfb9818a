//! What morph targets change of vertices that are shared, kept small: most of a face's targets leave most of it alone.

use glam::{Vec2, Vec3, Vec4};

use crate::{
    import::base::{budget::Budget, diagnostics::Fault},
    model::MorphTarget,
};

/// What is added to an attribute of each vertex.
#[derive(Debug)]
enum Rows<T> {
    /// All of it, or nothing.
    All(Vec<T>),
    /// What is not zero, by vertices.
    Few(Vec<(u32, T)>),
}

impl<T: Copy + Default + PartialEq> Rows<T> {
    /// Keeps what is not zero, if that takes less memory.
    fn of(values: Vec<T>, budget: &Budget) -> Self {
        let is_zero = |value: &T| *value == T::default();
        let count = values.iter().filter(|value| !is_zero(value)).count();
        let (before, after) = (size_of_val(&values[..]), bytes::<(u32, T)>(count));
        // Half, since both are there for a moment.
        if after > before / 2 {
            return Self::All(values);
        }
        let Ok(mut few) = budget.reserve_data(count) else {
            return Self::All(values);
        };
        few.extend(
            (0..)
                .zip(&values)
                .filter(|(_, value)| !is_zero(value))
                .map(|(place, value)| (place, *value)),
        );
        budget.let_data_go(before);
        Self::Few(few)
    }

    fn bytes(&self) -> usize {
        match self {
            Self::All(values) => size_of_val(&values[..]),
            Self::Few(rows) => size_of_val(&rows[..]),
        }
    }

    /// What is added to the vertices with these numbers, in order; nothing if that is zero for all of them.
    fn take(&self, named: &[u32], budget: &Budget, taken: &mut usize) -> Result<Vec<T>, Fault> {
        let is_zero = |value: &T| *value == T::default();
        let mut pay = || {
            budget.charge_data(named.len(), size_of::<T>())?;
            *taken = taken.saturating_add(bytes::<T>(named.len()));
            Ok(())
        };
        match self {
            Self::All(all) => {
                let each = named.iter().map(|index| value_at(all, *index));
                if each.clone().all(|value| is_zero(&value)) {
                    return Ok(Vec::new());
                }
                pay()?;
                Ok(each.collect())
            }
            Self::Few(rows) => {
                let found = find(rows, named);
                if found.is_empty() {
                    return Ok(Vec::new());
                }
                pay()?;
                let mut values = vec![T::default(); named.len()];
                for (place, value) in found {
                    if let Some(to) = values.get_mut(place) {
                        *to = value;
                    }
                }
                Ok(values)
            }
        }
    }
}

/// The rows of vertices that are named, by their places among these. Both are in order, and the shorter is gone through: a
/// thousand primitives may name a few vertices each.
fn find<T: Copy>(rows: &[(u32, T)], named: &[u32]) -> Vec<(usize, T)> {
    if rows.len() < named.len() {
        let places = rows.iter();
        let places = places.filter_map(|(index, value)| {
            let place = named.binary_search(index).ok()?;
            Some((place, *value))
        });
        return places.collect();
    }
    let named = named.iter().enumerate();
    let found = named.filter_map(|(place, index)| {
        let row = rows.binary_search_by_key(index, |(index, _)| *index).ok()?;
        rows.get(row).map(|(_, value)| (place, *value))
    });
    found.collect()
}

fn value_at<T: Copy + Default>(values: &[T], index: u32) -> T {
    let place = usize::try_from(index).unwrap_or(usize::MAX);
    values.get(place).copied().unwrap_or_default()
}

fn bytes<T>(count: usize) -> usize {
    count.saturating_mul(size_of::<T>())
}

/// A morph target of vertices that are shared.
#[derive(Debug)]
pub(super) struct SharedTarget {
    positions: Rows<Vec3>,
    normals: Rows<Vec3>,
    tangents: Rows<Vec3>,
    tex_coords: [Rows<Vec2>; 2],
    colors: Rows<Vec4>,
}

impl SharedTarget {
    pub(super) fn of(target: MorphTarget, budget: &Budget) -> Self {
        Self {
            positions: Rows::of(target.positions, budget),
            normals: Rows::of(target.normals, budget),
            tangents: Rows::of(target.tangents, budget),
            tex_coords: target.tex_coords.map(|set| Rows::of(set, budget)),
            colors: Rows::of(target.colors, budget),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let [first, second] = self.tex_coords.each_ref().map(Rows::bytes);
        let all = [
            self.positions.bytes(),
            self.normals.bytes(),
            self.tangents.bytes(),
            first,
            second,
            self.colors.bytes(),
        ];
        all.into_iter().fold(0, usize::saturating_add)
    }

    /// What it does to the vertices with these numbers, in order. `taken` counts the memory that was taken for it.
    pub(super) fn take(
        &self,
        named: &[u32],
        budget: &Budget,
        taken: &mut usize,
    ) -> Result<MorphTarget, Fault> {
        let [first, second] = &self.tex_coords;
        Ok(MorphTarget {
            positions: self.positions.take(named, budget, taken)?,
            normals: self.normals.take(named, budget, taken)?,
            tangents: self.tangents.take(named, budget, taken)?,
            tex_coords: [
                first.take(named, budget, taken)?,
                second.take(named, budget, taken)?,
            ],
            colors: self.colors.take(named, budget, taken)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_those_of_all() {
        let budget = Budget::default();
        let mut values = vec![Vec3::ZERO; 1000];
        for (place, x) in [(3, 1.0), (500, 2.0), (999, -0.0), (998, f32::INFINITY)] {
            values[place] = Vec3::new(x, 0.0, 0.0);
        }
        let few = Rows::of(values.clone(), &budget);
        assert!(matches!(&few, Rows::Few(rows) if rows.len() == 3));
        let all = Rows::All(values.clone());
        for named in [
            &[0, 3, 4][..],
            &[500],
            &[1, 2],
            &[997, 998, 999],
            &[2, 3, 4, 5, 500, 999],
            &[],
        ] {
            let mut taken = 0;
            let [few, all] = [&few, &all].map(|it| it.take(named, &budget, &mut taken).unwrap());
            assert_eq!(few, all);
            let expected: Vec<_> = named.iter().map(|it| values[*it as usize]).collect();
            let is_zero = expected.iter().all(|it| *it == Vec3::ZERO);
            assert_eq!(few, if is_zero { Vec::new() } else { expected });
            assert_eq!(taken, 2 * 12 * few.len());
        }
    }
}
