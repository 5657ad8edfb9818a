//! Lengths, and how many times as long they are, in sentences.

use std::fmt;

/// A length in the units of a model, which may be as small as a grain or as large as a planet: with three decimals, or by
/// powers of ten where these would say nothing, or more than is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length(pub f32);

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(length) = *self;
        if length == 0.0 || (0.01..1e5).contains(&length.abs()) {
            write!(f, "{length:.3}")
        } else {
            write!(f, "{length:.2e}")
        }
    }
}

/// How many times as large something is, with two digits, or all before the point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor(pub f32);

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(factor) = *self;
        let decimals = (1.0 - factor.log10().floor()).max(0.0);
        let digits = format!("{factor:.0$}", decimals as usize);
        f.write_str(match digits.split_once('.') {
            Some(_) => digits.trim_end_matches('0').trim_end_matches('.'),
            None => &digits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_left_of_any_length() {
        for (length, shown) in [
            (0.0, "0.000"),
            (1.9544, "1.954"),
            (0.013, "0.013"),
            (0.000_408_43, "4.08e-4"),
            (-0.002, "-2.00e-3"),
            (1328.281, "1328.281"),
            (195_408.95, "1.95e5"),
        ] {
            assert_eq!(Length(length).to_string(), shown);
        }
    }
}
