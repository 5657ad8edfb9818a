//! Key times and rotations that the loader has not read, since no channel that is played has them: whether times rise from
//! zero or later on, and rotations have length 1 (glTF 2.0 §3.11).

use glam::Quat;
use gltf::json::accessor::{ComponentType, Type};

use crate::import::{
    arrays::{accessor::Accessor, source::Source},
    base::{hashing::HashSet, wording::counted},
    scene::rotations::is_nearly_unit,
};

use super::{Report, elements::allowance, fields::Pointer};

/// Looks at the elements of accessors, at each once.
pub(super) struct Keys<'s, 'd> {
    source: &'s Source<'d>,
    seen: HashSet<usize>,
    /// How many components may still be looked at.
    left: usize,
}

impl<'s, 'd> Keys<'s, 'd> {
    pub(super) fn of(source: &'s Source<'d>) -> Self {
        Self {
            source,
            seen: HashSet::default(),
            left: allowance(source),
        }
    }

    /// Looks at the key times of a sampler, unless the loader did.
    pub(super) fn times(&mut self, index: usize, at: &Pointer<'_>, report: &mut Report<'_>) {
        let is_read = |accessor: &Accessor| {
            accessor.component == ComponentType::F32 && !accessor.is_compared()
        };
        if !self.is_due(index, Type::Scalar, is_read) {
            return;
        }
        let (mut is_negative, mut is_falling, mut last) = (false, false, f32::NEG_INFINITY);
        let look = |[time]: [f32; 1]| {
            is_negative |= time < 0.0;
            is_falling |= time <= last;
            last = time;
        };
        let Source {
            accessors,
            buffers,
            budget,
            ..
        } = self.source;
        // What cannot be read is said where all elements are looked at.
        if accessors.raw_numbers(index, buffers, budget, look).is_err() {
            return;
        }
        if is_negative {
            let code = "ACCESSOR_ANIMATION_INPUT_NEGATIVE";
            report.error(code, at, "a key time is negative");
        }
        if is_falling {
            let code = "ACCESSOR_ANIMATION_INPUT_NON_INCREASING";
            report.error(code, at, "a key time is not later than the one before it");
        }
    }

    /// Looks at rotations that no channel plays; of splines, only every third value is one.
    pub(super) fn rotations(
        &mut self,
        index: usize,
        is_spline: bool,
        at: &Pointer<'_>,
        report: &mut Report<'_>,
    ) {
        let is_rotation =
            |accessor: &Accessor| accessor.component == ComponentType::F32 || accessor.normalized;
        if !self.is_due(index, Type::Vec4, is_rotation) {
            return;
        }
        let (mut uneven, mut place) = (0_usize, 0_usize);
        let look = |quaternion: [f32; 4]| {
            let is_value = !is_spline || place.rem_euclid(3) == 1;
            place = place.saturating_add(1);
            if is_value && !is_nearly_unit(Quat::from_array(quaternion)) {
                uneven = uneven.saturating_add(1);
            }
        };
        let Source {
            accessors,
            buffers,
            budget,
            ..
        } = self.source;
        let looked = accessors.floats::<4, _, Vec<_>>(index, buffers, budget, look);
        if looked.is_ok() && uneven > 0 {
            let quaternions = counted(uneven, "quaternion", "quaternions");
            let message = format!("the length of {quaternions} is not 1");
            let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
            report.error(code, at, message);
        }
    }

    /// Whether an accessor has such elements and is to be looked at now.
    fn is_due(&mut self, index: usize, shape: Type, is_fit: impl Fn(&Accessor) -> bool) -> bool {
        let Ok(accessor) = self.source.accessors.get(index) else {
            return false;
        };
        if accessor.shape != shape || accessor.is_all_zero() || !is_fit(accessor) {
            return false;
        }
        let components = accessor.count.saturating_mul(shape.multiplicity());
        if !self.seen.insert(index) {
            return false;
        }
        match self.left.checked_sub(components) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}
