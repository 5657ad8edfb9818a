//! Data that primitives have of their own: what came out of compressed streams stands for the accessors that they name.

use super::Accessors;
use crate::import::base::hashing::HashMap;

/// What primitives have beside attributes.
pub(in crate::import) const INDICES: &str = "indices";

/// The index of a mesh, and of one of its primitives.
pub(in crate::import) type PrimitivePlace = (usize, usize);

/// Which accessor is meant by a part of a primitive: an attribute of this name, or [`INDICES`].
pub(super) type OwnParts = HashMap<(PrimitivePlace, String), usize>;

impl Accessors {
    /// Lets one that was added stand for what a primitive refers to as `part`: an attribute of this name or [`INDICES`], though
    /// it refers to none.
    pub(in crate::import::arrays) fn use_in(
        &mut self,
        primitive: PrimitivePlace,
        part: &str,
        own: usize,
    ) {
        self.own.insert((primitive, part.to_owned()), own);
    }

    /// Which one a primitive means by `index`, as `part` of it: several attributes may name one accessor, and have data of
    /// their own.
    pub(in crate::import) fn of_primitive(
        &self,
        primitive: PrimitivePlace,
        part: &impl ToString,
        index: usize,
    ) -> usize {
        if self.own.is_empty() {
            return index;
        }
        let own = self.own.get(&(primitive, part.to_string()));
        *own.unwrap_or(&index)
    }

    /// Which one has the indices of a primitive that states none, if it has some.
    pub(in crate::import) fn unstated_indices(&self, primitive: PrimitivePlace) -> Option<usize> {
        self.own.get(&(primitive, INDICES.to_owned())).copied()
    }
}
