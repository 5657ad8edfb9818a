//! Options that take a whole number.

use std::ops::RangeInclusive;

/// Reads a number of this range.
pub(super) fn integer_in(
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("it is a whole number from {least} to {most}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_number_is_told_which_ones_there_are() {
        let scale = integer_in(1..=8);
        assert_eq!(scale("8"), Ok(8));
        for wrong in ["2.5", "0", "9", "-1", "two", ""] {
            let expected = Err("it is a whole number from 1 to 8".to_owned());
            assert_eq!(scale(wrong), expected, "{wrong}");
        }
    }
}
