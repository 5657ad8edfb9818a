//! What a morph target adds to an attribute of vertices.

use std::borrow::Cow;

/// What is added to an attribute: a value for each vertex or, where most are zero, those of a few. Two are equal if the same
/// values are kept in the same form.
#[derive(Debug, Clone, PartialEq)]
pub enum Deltas<T> {
    /// As many as there are vertices; none at all if the attribute stays as it is.
    Each(Vec<T>),
    /// Those of some vertices, one at least, sorted by these, each at most once; others stay as they are.
    Few(Vec<(u32, T)>),
}

impl<T> Default for Deltas<T> {
    fn default() -> Self {
        Self::Each(Vec::new())
    }
}

impl<T> From<Vec<T>> for Deltas<T> {
    fn from(values: Vec<T>) -> Self {
        Self::Each(values)
    }
}

impl<T> FromIterator<T> for Deltas<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::Each(values.into_iter().collect())
    }
}

impl<T> Deltas<T> {
    /// Whether the attribute stays as it is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of values that are kept.
    pub fn len(&self) -> usize {
        match self {
            Self::Each(values) => values.len(),
            Self::Few(rows) => rows.len(),
        }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Each(values) => size_of_val(&values[..]),
            Self::Few(rows) => size_of_val(&rows[..]),
        }
    }
}

impl<T: Copy> Deltas<T> {
    /// What is added to a vertex; none if nothing is.
    pub fn get(&self, vertex: usize) -> Option<T> {
        match self {
            Self::Each(values) => values.get(vertex).copied(),
            Self::Few(rows) => {
                let row = rows.binary_search_by_key(&vertex, |(vertex, _)| *vertex as usize);
                row.ok().map(|row| rows[row].1)
            }
        }
    }

    /// All that are kept, with their vertices, in the order of these.
    pub fn iter(&self) -> impl Iterator<Item = (usize, T)> + '_ {
        let (each, few) = match self {
            Self::Each(values) => (&values[..], &[][..]),
            Self::Few(rows) => (&[][..], &rows[..]),
        };
        let few = few.iter().map(|(vertex, value)| (*vertex as usize, *value));
        each.iter().copied().enumerate().chain(few)
    }
}

impl<T: Copy + Default + PartialEq> Deltas<T> {
    /// Keeps those alone that are not zero, if that takes half the memory at most.
    pub fn of(values: Vec<T>) -> Self {
        let count = values.iter().filter(|value| !is_zero(*value)).count();
        if count == 0 {
            return Self::default();
        }
        if count * size_of::<(u32, T)>() > size_of_val(&values[..]) / 2 {
            return Self::Each(values);
        }
        let rows = (0..).zip(values).filter(|(_, value)| !is_zero(value));
        let mut few = Vec::with_capacity(count);
        few.extend(rows);
        Self::Few(few)
    }

    /// A value for each of so many vertices; none if the attribute stays as it is.
    pub fn dense(&self, count: usize) -> Cow<'_, [T]> {
        match self {
            Self::Each(values) => Cow::Borrowed(values),
            Self::Few(rows) if rows.is_empty() => Cow::Borrowed(&[]),
            Self::Few(rows) => {
                let mut values = vec![T::default(); count];
                for (vertex, value) in rows {
                    values[*vertex as usize] = *value;
                }
                Cow::Owned(values)
            }
        }
    }
}

fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_those_of_each() {
        let mut values = vec![[0.0_f32; 3]; 1000];
        for (vertex, x) in [(3, 1.0), (500, 2.0), (999, -0.0), (998, f32::INFINITY)] {
            values[vertex][0] = x;
        }
        let (few, each) = (Deltas::of(values.clone()), Deltas::from(values.clone()));
        assert!(matches!(&few, Deltas::Few(rows) if rows.len() == 3));
        assert_eq!((few.len(), few.bytes()), (3, 48));
        assert_eq!(*few.dense(1000), values);
        for vertex in [0, 2, 3, 4, 499, 500, 998, 999, 1000] {
            let [few, each] = [&few, &each].map(|it| it.get(vertex).unwrap_or_default());
            assert_eq!(few, each, "{vertex}");
        }
        let kept = each.iter().filter(|(_, value)| *value != [0.0; 3]);
        assert!(few.iter().eq(kept));
    }

    #[test]
    fn many_stay_as_they_are() {
        let values = vec![1_u32, 0, 0, 0, 1];
        assert_eq!(Deltas::of(values.clone()), Deltas::Each(values));
    }

    #[test]
    fn zeros_are_nothing() {
        let nothing = Deltas::of(vec![0_u32; 4]);
        assert_eq!(nothing, Deltas::default());
        assert_eq!(nothing.dense(4).len(), 0);
    }
}
