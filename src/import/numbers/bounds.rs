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

impl Bounds {
    /// The bounds that are stated, if any are.
    pub(in crate::import) fn of(min: Option<Numbers>, max: Option<Numbers>) -> Option<Arc<Self>> {
        let is_any = min.is_some() || max.is_some();
        is_any.then(|| Arc::new(Self { min, max }))
    }

    /// The bounds that are farther than this from what was found: the code and the property of each, and what to say.
    pub(in crate::import) fn mismatches(
        &self,
        min: &[f32],
        max: &[f32],
        tolerance: f32,
    ) -> Vec<(&'static str, &'static str, String)> {
        let min = ("ACCESSOR_MIN_MISMATCH", "min", "smallest", &self.min, min);
        let max = ("ACCESSOR_MAX_MISMATCH", "max", "greatest", &self.max, max);
        [min, max]
            .into_iter()
            .filter_map(|(code, key, which, stated, found)| {
                let stated = stated.as_ref();
                let stated = stated.filter(|stated| stated.differ(found, tolerance))?;
                let message = format!("{stated:?} is stated, and the {which} values are {found:?}");
                Some((code, key, message))
            })
            .collect()
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
}
