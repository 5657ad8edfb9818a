//! Which materials, lights, cameras, variants or clips of two models are the same.

use crate::model::pair_by_name;

/// Which things of a kind are the same in two models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartMatch {
    /// Matches: one of the first and one of the second model, in the order of the first.
    pub pairs: Vec<[usize; 2]>,
    /// What only the first model has.
    pub only_first: Vec<usize>,
    /// What only the second model has.
    pub only_second: Vec<usize>,
    /// The match of each thing of either.
    of_first: Vec<Option<usize>>,
    of_second: Vec<Option<usize>>,
}

impl PartMatch {
    /// Those of one name, and of the others those of one index.
    pub(super) fn new<'n>(first: &[&'n str], second: &[&'n str]) -> Self {
        let mut of_first = pair_by_name(first.iter().copied(), second.iter().copied());
        // Without a name there is only the index.
        for (name, same) in first.iter().zip(&mut of_first) {
            *same = same.filter(|_| !name.is_empty());
        }
        let mut of_second = vec![None; second.len()];
        for (place, same) in of_first.iter().enumerate() {
            if let Some(same) = *same {
                of_second[same] = Some(place);
            }
        }
        for (place, sides) in of_first.iter_mut().zip(&mut of_second).enumerate() {
            if let (first @ None, second @ None) = sides {
                (*first, *second) = (Some(place), Some(place));
            }
        }
        Self::of_matches(of_first, of_second.len())
    }

    /// By the match of each thing of the first model, no two of which are the same, and how many the second one has.
    pub fn of_matches(of_first: Vec<Option<usize>>, second_count: usize) -> Self {
        let mut of_second = vec![None; second_count];
        for (place, same) in of_first.iter().enumerate() {
            if let Some(same) = *same {
                of_second[same] = Some(place);
            }
        }
        let left = |matches: &[Option<usize>]| {
            let all = matches.iter().enumerate();
            let left = all.filter(|(_, same)| same.is_none());
            left.map(|(place, _)| place).collect()
        };
        let pairs = of_first.iter().enumerate();
        Self {
            pairs: pairs
                .filter_map(|(place, same)| Some([place, (*same)?]))
                .collect(),
            only_first: left(&of_first),
            only_second: left(&of_second),
            of_first,
            of_second,
        }
    }

    /// Whether each has a match.
    pub fn is_complete(&self) -> bool {
        self.only_first.is_empty() && self.only_second.is_empty()
    }

    /// The one of the second model that is the same as one of the first.
    pub(in crate::anim::difference) fn second_of(&self, place: usize) -> Option<usize> {
        *self.of_first.get(place)?
    }

    /// The one of the first model that is the same as one of the second.
    pub(in crate::anim::difference) fn first_of(&self, place: usize) -> Option<usize> {
        *self.of_second.get(place)?
    }

    /// Whether these are the same, or there is neither.
    pub(super) fn is_same(&self, places: [Option<usize>; 2]) -> bool {
        match places {
            [None, None] => true,
            [Some(first), Some(second)] => self.second_of(first) == Some(second),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_indices() {
        let found = PartMatch::new(&["Skin", "Eye", "", "Hair"], &["Eye", "Skin", "", "Fur"]);
        assert_eq!(found.pairs, [[0, 1], [1, 0], [2, 2], [3, 3]]);
        assert!(found.is_complete());
        assert!(found.is_same([Some(0), Some(1)]) && found.is_same([None, None]));
        assert!(!found.is_same([Some(0), Some(0)]) && !found.is_same([Some(0), None]));
    }

    #[test]
    fn what_has_no_match_is_told() {
        let found = PartMatch::new(&["", "Skin"], &["Skin", "", "Fur"]);
        assert_eq!(found.pairs, [[1, 0]]);
        assert_eq!(found.only_first, [0]);
        assert_eq!(found.only_second, [1, 2]);
        assert_eq!((found.second_of(1), found.first_of(0)), (Some(0), Some(1)));
    }
}
