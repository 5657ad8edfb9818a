//! What morph targets change of vertices that are shared, kept small: most of a face's targets leave most of it alone.

use crate::{
    import::base::{budget::Budget, diagnostics::Fault},
    model::{Deltas, MorphTarget},
};

/// Keeps what is not zero of a target, where that takes less memory.
pub(super) fn few(target: MorphTarget, budget: &Budget) -> MorphTarget {
    MorphTarget {
        positions: few_of(target.positions, budget),
        normals: few_of(target.normals, budget),
        tangents: few_of(target.tangents, budget),
        tex_coords: target.tex_coords.map(|set| few_of(set, budget)),
        colors: few_of(target.colors, budget),
    }
}

fn few_of<T: Copy + Default + PartialEq>(deltas: Deltas<T>, budget: &Budget) -> Deltas<T> {
    let Deltas::Each(values) = deltas else {
        return deltas;
    };
    let before = size_of_val(&values[..]);
    // Few take half, and both are there for a moment.
    let Ok(_held) = budget.hold_data(1, before / 2) else {
        return Deltas::Each(values);
    };
    let few = Deltas::of(values);
    budget.let_data_go(before.saturating_sub(few.bytes()));
    few
}

/// What a target does to the vertices with these numbers, in order. `taken` counts the memory that was taken for it.
pub(super) fn take(
    target: &MorphTarget,
    named: &[u32],
    budget: &Budget,
    taken: &mut usize,
) -> Result<MorphTarget, Fault> {
    let [first, second] = &target.tex_coords;
    Ok(MorphTarget {
        positions: take_of(&target.positions, named, budget, taken)?,
        normals: take_of(&target.normals, named, budget, taken)?,
        tangents: take_of(&target.tangents, named, budget, taken)?,
        tex_coords: [
            take_of(first, named, budget, taken)?,
            take_of(second, named, budget, taken)?,
        ],
        colors: take_of(&target.colors, named, budget, taken)?,
    })
}

/// What is added to the vertices with these numbers, in order; nothing if that is zero for all of them.
fn take_of<T: Copy + Default + PartialEq>(
    deltas: &Deltas<T>,
    named: &[u32],
    budget: &Budget,
    taken: &mut usize,
) -> Result<Deltas<T>, Fault> {
    let mut pay = |count: usize, size: usize| {
        budget.charge_data(count, size)?;
        *taken = taken.saturating_add(count.saturating_mul(size));
        Ok(())
    };
    match deltas {
        Deltas::Each(all) => {
            let each = named.iter().map(|index| value_at(all, *index));
            if each.clone().all(|value| value == T::default()) {
                return Ok(Deltas::default());
            }
            pay(named.len(), size_of::<T>())?;
            Ok(each.collect())
        }
        Deltas::Few(rows) => {
            let few = find(rows, named);
            if few.is_empty() {
                return Ok(Deltas::default());
            }
            let dense = named.len().saturating_mul(size_of::<T>());
            let few = Deltas::Few(few);
            // As where they are read: adapters have all of them.
            if few.bytes() <= dense / 2
                && let Ok(zeros) = budget.hold_zeros(dense)
            {
                pay(few.len(), size_of::<(u32, T)>())?;
                zeros.keep();
                return Ok(few);
            }
            pay(named.len(), size_of::<T>())?;
            Ok(few.dense(named.len()).into_owned().into())
        }
    }
}

/// The rows of vertices that are named, by their places among these. Both are in order, and the shorter is gone through: a
/// thousand primitives may name a few vertices each.
fn find<T: Copy>(rows: &[(u32, T)], named: &[u32]) -> Vec<(u32, T)> {
    if rows.len() < named.len() {
        let places = rows.iter();
        let places = places.filter_map(|(index, value)| {
            let place = named.binary_search(index).ok()?;
            Some((u32::try_from(place).ok()?, *value))
        });
        return places.collect();
    }
    let found = (0..).zip(named).filter_map(|(place, index)| {
        let row = rows.binary_search_by_key(index, |(index, _)| *index).ok()?;
        rows.get(row).map(|(_, value)| (place, *value))
    });
    found.collect()
}

fn value_at<T: Copy + Default>(values: &[T], index: u32) -> T {
    let place = usize::try_from(index).unwrap_or(usize::MAX);
    values.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn of_few_are_taken_those_of_all() {
        let budget = Budget::default();
        let mut values = vec![Vec3::ZERO; 1000];
        for (place, x) in [(3, 1.0), (500, 2.0), (998, f32::INFINITY)] {
            values[place] = Vec3::new(x, 0.0, 0.0);
        }
        let all = Deltas::Each(values.clone());
        let few = few_of(all.clone(), &budget);
        assert!(matches!(&few, Deltas::Few(rows) if rows.len() == 3));
        let hundred: Vec<u32> = (450..550).collect();
        for named in [
            &[0, 3, 4][..],
            &[500],
            &[1, 2],
            &[997, 998, 999],
            &[2, 3, 4, 5, 500, 999],
            &hundred,
            &[],
        ] {
            let [few, all] = [&few, &all].map(|it| {
                let mut taken = 0;
                let own = take_of(it, named, &budget, &mut taken).unwrap();
                assert_eq!(taken, own.bytes());
                own
            });
            assert_eq!(matches!(&few, Deltas::Few(_)), named.len() > 2);
            let expected: Vec<_> = named.iter().map(|it| values[*it as usize]).collect();
            let is_zero = expected.iter().all(|it| *it == Vec3::ZERO);
            let expected = if is_zero { Vec::new() } else { expected };
            assert_eq!(*few.dense(named.len()), expected);
            assert_eq!(all, Deltas::Each(expected));
        }
    }

    #[test]
    fn few_take_less_memory() {
        let budget = Budget::default();
        budget.charge_data(1000, size_of::<Vec3>()).unwrap();
        let mut values = vec![Vec3::ZERO; 1000];
        values[7] = Vec3::ONE;
        let few = few_of(values.into(), &budget);
        assert_eq!(budget.spent()[0], few.bytes() as u64);
        assert_eq!(few, Deltas::Few(vec![(7, Vec3::ONE)]));
    }
}
