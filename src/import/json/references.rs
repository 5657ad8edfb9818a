//! References: what is said of an index that leads nowhere.

use crate::import::base::diagnostics::Fault;

use super::repair;

/// What is said of an index that leads beyond the last of `count` objects.
pub(in crate::import) fn beyond(objects: &str, index: usize, count: usize) -> String {
    // Of larger ones nobody knows any more which they were.
    let referred = match u32::try_from(index) {
        Ok(0..repair::NO_NUMBER) => format!("{objects}/{index}"),
        _ => format!("an index in {objects} of {} or more", repair::NO_NUMBER),
    };
    match count {
        0 => format!("it refers to {referred}, but there are none"),
        1 => format!("it refers to {referred}, but there is only one, 0"),
        _ => format!("it refers to {referred}, but there are only {count}"),
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
        let large = beyond("nodes", u32::MAX as usize, 2);
        assert_eq!(
            large,
            "it refers to an index in nodes of 4294967293 or more, but there are only 2"
        );
    }
}
