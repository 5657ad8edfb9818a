//! Data that primitives have of their own: what came out of compressed streams stands for the accessors that they name.

use super::Accessors;
use crate::import::base::hashing::HashMap;

/// The index of a mesh, and of one of its primitives.
pub(in crate::import) type PrimitivePlace = (usize, usize);

/// Which accessor is meant by a part of a primitive: an attribute of this name or, without one, its indices.
pub(super) type OwnParts = HashMap<(PrimitivePlace, Option<String>), usize>;

impl Accessors {
    /// Lets one that was added stand for what a primitive refers to as `attribute` or, without a name, as its indices, though
    /// it refers to none.
    pub(in crate::import::arrays) fn use_in(
        &mut self,
        primitive: PrimitivePlace,
        attribute: Option<&str>,
        own: usize,
    ) {
        let attribute = attribute.map(str::to_owned);
        self.own.insert((primitive, attribute), own);
    }

    /// Which one a primitive means by `index`, as an attribute or, without a name, as its indices: several attributes may name
    /// one accessor, and have data of their own.
    pub(in crate::import) fn of_primitive(
        &self,
        primitive: PrimitivePlace,
        attribute: Option<&impl ToString>,
        index: usize,
    ) -> usize {
        if self.own.is_empty() {
            return index;
        }
        let attribute = attribute.map(ToString::to_string);
        *self.own.get(&(primitive, attribute)).unwrap_or(&index)
    }

    /// Which one has the indices of a primitive that states none, if it has some.
    pub(in crate::import) fn unstated_indices(&self, primitive: PrimitivePlace) -> Option<usize> {
        self.own.get(&(primitive, None)).copied()
    }
}
