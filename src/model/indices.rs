//! Which vertices shapes are made of.

use std::fmt;

/// Numbers of vertices, in two bytes each where these hold all of them.
#[derive(Clone, PartialEq, Eq)]
pub enum Indices {
    /// Each below [`u16::MAX`], which some GPUs take for the end of a strip wherever it stands.
    Short(Vec<u16>),
    /// Numbers of any size.
    Long(Vec<u32>),
}

impl Indices {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Short(indices) => indices.len(),
            Self::Long(indices) => indices.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The one at `place`, if there is one.
    pub fn get(&self, place: usize) -> Option<u32> {
        match self {
            Self::Short(indices) => indices.get(place).map(|&index| index.into()),
            Self::Long(indices) => indices.get(place).copied(),
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (short, long): (&[u16], &[u32]) = match self {
            Self::Short(indices) => (indices, &[]),
            Self::Long(indices) => (&[], indices),
        };
        let short = short.iter().map(|&index| u32::from(index));
        short.chain(long.iter().copied())
    }

    /// All of them three by three: triangles, where the topology is that.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let (short, long): (&[[u16; 3]], &[[u32; 3]]) = match self {
            Self::Short(indices) => (indices.as_chunks().0, &[]),
            Self::Long(indices) => (&[], indices.as_chunks().0),
        };
        let short = short.iter().map(|corners| corners.map(u32::from));
        short.chain(long.iter().copied())
    }

    /// Puts a vertex in the place of others: (which place, which vertex). Places that are not there are passed over.
    pub fn replace(&mut self, changes: &[(u32, u32)]) {
        let is_short = |&(_, vertex): &(u32, u32)| vertex < u16::MAX.into();
        if let Self::Short(_) = self
            && !changes.iter().all(is_short)
        {
            *self = Self::Long(self.iter().collect());
        }
        for &(place, vertex) in changes {
            match self {
                Self::Short(indices) => {
                    if let Some(index) = indices.get_mut(place as usize) {
                        *index = vertex as u16;
                    }
                }
                Self::Long(indices) => {
                    if let Some(index) = indices.get_mut(place as usize) {
                        *index = vertex;
                    }
                }
            }
        }
    }

    /// Gives each vertex a new number, which is not greater than the one it has.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        match self {
            Self::Short(indices) => {
                let numbers = indices.iter_mut();
                numbers.for_each(|index| *index = number((*index).into()) as u16);
            }
            Self::Long(_) => *self = self.iter().map(number).collect::<Vec<_>>().into(),
        }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Short(indices) => size_of_val(&indices[..]),
            Self::Long(indices) => size_of_val(&indices[..]),
        }
    }
}

impl Default for Indices {
    fn default() -> Self {
        Self::Short(Vec::new())
    }
}

impl From<Vec<u32>> for Indices {
    fn from(indices: Vec<u32>) -> Self {
        let greatest = indices.iter().max();
        if greatest.is_none_or(|&greatest| greatest < u16::MAX.into()) {
            Self::Short(indices.into_iter().map(|index| index as u16).collect())
        } else {
            Self::Long(indices)
        }
    }
}

/// The numbers, whatever they take.
impl fmt::Debug for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bytes_are_taken_where_they_hold_all() {
        let least = Indices::from(vec![0, 65_534, 2]);
        assert_eq!(least, Indices::Short(vec![0, 65_534, 2]));
        assert_eq!(
            (least.bytes(), least.len(), least.get(1)),
            (6, 3, Some(65_534))
        );
        let most = Indices::from(vec![0, 65_535, 2]);
        assert_eq!(most, Indices::Long(vec![0, 65_535, 2]));
        assert!(most.triangles().eq([[0, 65_535, 2]]) && least.triangles().eq([[0, 65_534, 2]]));
    }

    #[test]
    fn a_vertex_beyond_two_bytes_widens_all() {
        let mut indices = Indices::from(vec![0, 1, 2, 3]);
        indices.replace(&[(1, 7), (9, 8)]);
        assert_eq!(indices, Indices::Short(vec![0, 7, 2, 3]));
        indices.replace(&[(2, 65_535)]);
        assert_eq!(indices, Indices::Long(vec![0, 7, 65_535, 3]));
    }
}
