//! What a node is off by at the end of a clip, and how that is said.

use crate::model::{Length, NodeId};

/// How far a node is from where it was when the clip began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointSeam {
    /// The node.
    pub node: NodeId,
    /// Between its origins, in the model's units.
    pub distance: f32,
    /// Between its orientations in the world.
    pub degrees: f32,
    /// By what it is scaled in the world, along the axis where that is most: 1 if it is not, negative if it is mirrored,
    /// infinite if it had no size.
    pub scale: f32,
}

/// A part of the model's size: what is less is rounding, of which deep chains of joints have most.
const MEETS: f32 = 1e-5;
/// Less of a turn is rounding.
const MEETS_DEGREES: f32 = 0.01;
/// Less of a change of scale is rounding.
const MEETS_SCALE: f32 = 1e-4;
/// What is turned or scaled by more was not meant to end as it began.
const MEANT_DEGREES: f32 = 45.0;
const MEANT_SCALE: f32 = 1.25;
/// Beside a turn, or a shift, less is not shown.
const SHOWN: f32 = 1e-4;
pub(super) const SHOWN_DEGREES: f32 = 0.05;
const SHOWN_SCALE: f32 = 5e-4;

impl JointSeam {
    /// Whether it is more than rounding, for a model of this size.
    pub fn is_open(&self, size: f32) -> bool {
        self.distance > MEETS * size
            || self.degrees > MEETS_DEGREES
            || (self.scale - 1.0).abs() > MEETS_SCALE
    }

    /// Whether it is turned and scaled by so little that it may have been meant to end as it began.
    pub fn is_nearly_as_it_was(&self) -> bool {
        let is_as_large = (1.0 / MEANT_SCALE..=MEANT_SCALE).contains(&self.scale);
        self.degrees <= MEANT_DEGREES && is_as_large
    }

    /// How far the two places are apart: `0.030 apart and turned by 12.0°`, or what there is of that.
    pub fn words(&self, size: f32) -> String {
        let apart = format!("{} apart", Length(self.distance));
        self.with_shape(size, apart, " and ")
    }

    /// The gap in words, with the distance as a part of the model's size, too: `0.030 apart, 1.5% of the model's size, and
    /// turned by 12.0°`.
    pub fn words_with_share(&self, size: f32) -> String {
        let percent = 100.0 * self.distance / size;
        // A model without a size has cameras alone.
        if size <= 0.0 || !percent.is_finite() {
            return self.words(size);
        }
        let apart = format!(
            "{} apart, {percent:.1}% of the model's size",
            Length(self.distance)
        );
        self.with_shape(size, apart, ", and ")
    }

    /// Adds to the distance how its axes lie otherwise, or has that alone where the distance is not worth telling.
    fn with_shape(&self, size: f32, apart: String, and: &str) -> String {
        let is_mirrored = self.scale < 0.0;
        // Orientations of the two hands have no turn between them.
        let is_turned = !is_mirrored && self.degrees >= SHOWN_DEGREES;
        let turned = is_turned.then(|| format!("turned by {:.1}°", self.degrees));
        let mirrored = is_mirrored.then(|| "mirrored".to_owned());
        let factor = self.scale.abs();
        let is_scaled = (factor - 1.0).abs() >= SHOWN_SCALE;
        let scaled = is_scaled.then(|| match factor {
            0.0 => "scaled to nothing".to_owned(),
            f32::INFINITY => "scaled from nothing".to_owned(),
            _ => format!("scaled by {factor:.3}"),
        });
        let parts: Vec<String> = [turned, mirrored, scaled].into_iter().flatten().collect();
        let shape = parts.join(" and ");
        let and = if parts.len() > 1 { ", " } else { and };
        match self.distance > SHOWN * size {
            _ if shape.is_empty() => apart,
            true => format!("{apart}{and}{shape}"),
            false => shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_node_is_off_by_is_told_by_its_origin_and_its_turn() {
        let joint = |distance: f32, degrees: f32| JointSeam {
            node: NodeId(0),
            distance,
            degrees,
            scale: 1.0,
        };
        let scaled = |degrees: f32, scale: f32| JointSeam {
            scale,
            ..joint(0.0, degrees)
        };
        for (joint, is_open, words, with_share) in [
            (joint(0.0, 5.0), true, "turned by 5.0°", "turned by 5.0°"),
            (
                joint(0.03, 12.0),
                true,
                "0.030 apart and turned by 12.0°",
                "0.030 apart, 1.5% of the model's size, and turned by 12.0°",
            ),
            (
                joint(0.3, 1e-3),
                true,
                "0.300 apart",
                "0.300 apart, 15.0% of the model's size",
            ),
            (
                joint(1e-6, 1e-3),
                false,
                "1.00e-6 apart",
                "1.00e-6 apart, 0.0% of the model's size",
            ),
            (scaled(0.0, 1.5), true, "scaled by 1.500", "scaled by 1.500"),
            (scaled(180.0, -1.0), true, "mirrored", "mirrored"),
            (
                scaled(0.0, f32::INFINITY),
                true,
                "scaled from nothing",
                "scaled from nothing",
            ),
            (
                scaled(3.0, 0.25),
                true,
                "turned by 3.0° and scaled by 0.250",
                "turned by 3.0° and scaled by 0.250",
            ),
        ] {
            assert_eq!(joint.is_open(2.0), is_open, "{joint:?}");
            assert_eq!(joint.words(2.0), words);
            assert_eq!(joint.words_with_share(2.0), with_share);
        }
        let all = JointSeam {
            distance: 0.03,
            ..scaled(12.0, 2.0)
        };
        assert_eq!(
            all.words(2.0),
            "0.030 apart, turned by 12.0° and scaled by 2.000"
        );
        // Cameras alone have no size.
        assert_eq!(
            joint(8.0, 180.0).words_with_share(0.0),
            "8.000 apart and turned by 180.0°"
        );
    }
}
