//! References: what is said of an index that leads nowhere.

use std::fmt;

use crate::import::base::diagnostics::Fault;

use super::repair;

/// What is said of an index that leads beyond the last of `count` objects.
pub(in crate::import) fn beyond(objects: &str, index: impl fmt::Display, count: usize) -> String {
    match count {
        0 => format!("it refers to {objects}/{index}, but there are none"),
        1 => format!("it refers to {objects}/{index}, but there is only one, 0"),
        _ => format!("it refers to {objects}/{index}, but there are only {count}"),
    }
}

/// What is wrong with an index that leads nowhere, or with what stands where one should.
pub(in crate::import) fn unresolved(objects: &str, index: usize, count: usize) -> Fault {
    match u32::try_from(index) {
        Ok(repair::NO_INDEX) => Fault::new("INVALID_INDEX", "it is no index"),
        Ok(repair::NO_NUMBER) => {
            let message = "the array may only hold indices";
            Fault::new("ARRAY_TYPE_MISMATCH", message)
        }
        _ => Fault::new("UNRESOLVED_REFERENCE", beyond(objects, index, count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_last_is_told_with_their_number() {
        let said = [0, 1, 2].map(|count| beyond("nodes", 2, count));
        assert_eq!(said[0], "it refers to nodes/2, but there are none");
        assert_eq!(said[1], "it refers to nodes/2, but there is only one, 0");
        assert_eq!(said[2], "it refers to nodes/2, but there are only 2");
    }
}
