//! The smallest and the greatest value of each component that accessors state (glTF 2.0 §3.6.2.5).

use std::{fmt, ops::Deref, sync::Arc};

use gltf::json::accessor::ComponentType;

use super::components::limits;

/// The least values, the greatest, or both: each is of use alone.
#[derive(Debug, PartialEq)]
pub(in crate::import) struct Bounds {
    pub min: Option<Numbers>,
    pub max: Option<Numbers>,
}

/// The words for one of the two.
struct Side {
    /// The property of the accessor.
    key: &'static str,
    which: &'static str,
    /// Where elements beyond it lie.
    way: &'static str,
    /// The validator's name for one that is another than that of the elements.
    mismatch: &'static str,
    /// And for elements that lie beyond it.
    out_of_bound: &'static str,
    /// How far beyond the stated number another is.
    excess: fn(f32, f32) -> f32,
}

const LEAST: Side = Side {
    key: "min",
    which: "smallest",
    way: "down",
    mismatch: "ACCESSOR_MIN_MISMATCH",
    out_of_bound: "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND",
    excess: |stated, found| stated - found,
};

const GREATEST: Side = Side {
    key: "max",
    which: "greatest",
    way: "up",
    mismatch: "ACCESSOR_MAX_MISMATCH",
    out_of_bound: "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND",
    excess: |stated, found| found - stated,
};

impl Bounds {
    /// The bounds that are stated, if any are.
    pub(in crate::import) fn of(min: Option<Numbers>, max: Option<Numbers>) -> Option<Arc<Self>> {
        let is_any = min.is_some() || max.is_some();
        is_any.then(|| Arc::new(Self { min, max }))
    }

    /// The bounds that are farther than this from what was found: the code and the property of each, and what to say. One
    /// beyond which elements lie has a second code.
    pub(in crate::import) fn mismatches(
        &self,
        min: &[f32],
        max: &[f32],
        tolerance: f32,
    ) -> Vec<(&'static str, &'static str, String)> {
        let mut all = Vec::new();
        for (side, stated, found) in [(&LEAST, &self.min, min), (&GREATEST, &self.max, max)] {
            let stated = stated.as_ref();
            let Some(stated) = stated.filter(|stated| stated.differ(found, tolerance)) else {
                continue;
            };
            let Side { key, which, .. } = side;
            let message = format!("{stated:?} is stated, and the {which} values are {found:?}");
            all.push((side.mismatch, *key, message));
            let mut pairs = stated.iter().map(|stated| *stated as f32).zip(found);
            let beyond = pairs.find(|(stated, found)| (side.excess)(*stated, **found) > tolerance);
            if let Some((stated, found)) = beyond {
                let way = side.way;
                let message =
                    format!("elements reach {way} to {found}, beyond the {stated} that is stated");
                all.push((side.out_of_bound, *key, message));
            }
        }
        all
    }

    /// Whether both are stated.
    pub(in crate::import) fn are_both(&self) -> bool {
        self.min.is_some() && self.max.is_some()
    }
}

/// Whether these can be numbers of so many components.
pub(in crate::import) fn fits(numbers: &[f64], component: ComponentType, length: usize) -> bool {
    let limits = limits(component);
    let is_float = component == ComponentType::F32;
    let is_whole = |number: f64| is_float || number.fract() == 0.0;
    let mut each = numbers.iter();
    numbers.len() == length && each.all(|&number| is_whole(number) && limits.contains(&number))
}

/// Some numbers, of which there is most often one: key times are most of what has bounds.
#[derive(Clone, PartialEq)]
pub(in crate::import) enum Numbers {
    One(f64),
    Several(Box<[f64]>),
}

impl Numbers {
    /// Whether others are farther than this from them, as floats.
    pub(in crate::import) fn differ(&self, found: &[f32], tolerance: f32) -> bool {
        let mut pairs = self.iter().zip(found);
        pairs.any(|(&stated, &found)| {
            let stated = stated as f32;
            stated != found && (stated - found).abs() > tolerance
        })
    }
}

impl Deref for Numbers {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Several(numbers) => numbers,
        }
    }
}

impl From<&[f64]> for Numbers {
    fn from(numbers: &[f64]) -> Self {
        match numbers {
            [number] => Self::One(*number),
            numbers => Self::Several(numbers.into()),
        }
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_fit_their_components() {
        assert!(fits(&[0.0, 255.0], ComponentType::U8, 2));
        assert!(fits(&[0.5], ComponentType::F32, 1));
        assert!(fits(&[1e39], ComponentType::F32, 1));
        assert!(fits(&[4_294_967_295.0], ComponentType::U32, 1));
        for (numbers, component) in [
            (&[0.0, 256.0][..], ComponentType::U8),
            (&[0.0, -129.0], ComponentType::I8),
            (&[0.5, 0.0], ComponentType::U16),
            (&[0.0], ComponentType::F32),
            (&[0.0, 0.0, 0.0], ComponentType::F32),
        ] {
            assert!(!fits(numbers, component, 2), "{numbers:?}");
        }
    }

    #[test]
    fn one_alone_is_kept() {
        assert!(Bounds::of(None, None).is_none());
        let least = Numbers::from(&[1.0][..]);
        let bounds = Bounds::of(Some(least), None).unwrap();
        assert!(!bounds.are_both());
        let min = bounds.min.as_ref().unwrap();
        assert!(min.differ(&[2.0], 0.0) && min.differ(&[2.0], 0.5));
        assert!(!min.differ(&[2.0], 1.0) && !min.differ(&[1.0], 0.0));
    }

    #[test]
    fn elements_beyond_are_told_from_bounds_that_are_loose() {
        let numbers = |numbers: [f64; 2]| Some(Numbers::from(&numbers[..]));
        let bounds = Bounds::of(numbers([0.0, 0.0]), numbers([1.0, 1.0])).unwrap();
        let codes = |min: [f32; 2], max: [f32; 2], tolerance| {
            let found = bounds.mismatches(&min, &max, tolerance).into_iter();
            found.map(|(code, ..)| code).collect::<Vec<_>>()
        };
        let (min, max) = (LEAST.mismatch, GREATEST.mismatch);
        assert_eq!(codes([0.0, 0.0], [1.0, 1.0], 0.0), [""; 0]);
        assert_eq!(codes([0.5, 0.0], [1.0, 0.5], 0.0), [min, max]);
        let below = [min, LEAST.out_of_bound];
        assert_eq!(codes([0.5, -1.0], [1.0, 1.0], 0.0), below);
        let above = [max, GREATEST.out_of_bound];
        assert_eq!(codes([0.0, 0.0], [2.0, 0.5], 0.0), above);
        // As far beyond as may be, and another that is too far within.
        assert_eq!(codes([0.0, 0.0], [1.25, 0.5], 0.25), [max]);
        let (.., message) = &bounds.mismatches(&[-2.5, 0.0], &[1.0, 1.0], 0.0)[1];
        assert!(message.contains("down to -2.5"), "{message}");
    }
}
