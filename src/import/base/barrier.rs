//! The barrier around loads: a panic would be a bug of ours, and must cost the file and no more.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::anyhow;

/// Does `work`; a panic in it becomes an error.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    // What the work leaves half done is never looked at: only its result counts.
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(anyhow!("the program made a mistake; please report it")))
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn turns_a_panic_into_a_message() {
        let result: anyhow::Result<()> = catch_panic(|| panic!("as a test"));
        assert!(result.unwrap_err().to_string().contains("made a mistake"));
        assert_eq!(catch_panic(|| Ok(1)).unwrap(), 1);
    }

    /// In release builds, too: a number that wraps would be an offset to anywhere.
    #[test]
    fn overflow_is_caught() {
        let result = catch_panic(|| Ok(black_box(u32::MAX) + black_box(1)));
        assert!(result.is_err());
    }
}
