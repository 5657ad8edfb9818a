//! The order in which files are listed.

use std::{cmp::Ordering, str::Chars};

/// The order in which people count: `walk 9` before `walk 10`.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars(), b.chars());
    while let (Some(x), Some(y)) = (left.clone().next(), right.clone().next()) {
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (x, y) = (take_digits(&mut left), take_digits(&mut right));
            // Without zeros in front a longer number is a greater one.
            (x.len(), x).cmp(&(y.len(), y))
        } else {
            left.next();
            right.next();
            x.to_lowercase().cmp(y.to_lowercase())
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    // What is the same but for case and zeros still has an order.
    let rest = left.as_str().len().cmp(&right.as_str().len());
    rest.then_with(|| a.cmp(b))
}

/// The number that a text begins with, without zeros in front.
fn take_digits<'t>(text: &mut Chars<'t>) -> &'t str {
    let rest = text
        .as_str()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.as_str().strip_suffix(rest).unwrap_or_default();
    *text = rest.chars();
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_the_order_in_which_people_count() {
        let sorted = [
            "a", "A2", "a10", "b 9", "b 009x", "b 10", "ä", "日本1", "日本12",
        ];
        for (place, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(natural_order(a, b), place.cmp(&other), "{a} and {b}");
            }
        }
        let huge = "9".repeat(400);
        assert_eq!(natural_order(&huge, &format!("{huge}0")), Ordering::Less);
    }
}
