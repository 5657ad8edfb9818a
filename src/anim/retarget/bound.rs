//! What became of clips that were bound to another model.

use crate::model::{Clip, Factor};

/// Clips that were bound to another model, and what was left out.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// The clips; those of which nothing is left among them.
    pub clips: Vec<Clip>,
    /// How many nodes that the clips move have a counterpart.
    pub matched: usize,
    /// Nodes that the clips move and their counterparts, where the names are not the same.
    pub similar: Vec<[String; 2]>,
    /// Nodes that the clips move and that have no counterpart.
    pub missing: Vec<String>,
    /// Joints of the model that no clip moves.
    pub unmoved: Vec<String>,
    /// Morph targets that the clips move by name and that have no counterpart.
    pub missing_targets: Vec<String>,
    /// Nodes of which no morph target has its name here: these are taken by their places.
    pub targets_by_place: Vec<String>,
    /// Tracks of materials, lights and cameras, which belong to their own file, and of weights that no target fits.
    pub dropped_properties: usize,
    /// The largest angle between the rotations of a node and its counterpart at rest, or in the bind poses, where these are
    /// what is compared.
    pub rest_angle_radians: f32,
    /// Whether the bind poses are what is compared.
    pub compares_bind_poses: bool,
    /// Of the nodes that the clips move away from their parents: how far from its parent each is at rest, divided by how far
    /// its counterpart is. The median; none if there are no such nodes.
    pub length_ratio: Option<f32>,
    /// The first clip that is in another unit than its own skeleton, and how many times as long as at rest it makes bones.
    pub unit: Option<(String, f32)>,
    /// Of people that are bound by their bones: the largest angle between upper arms in the poses that are compared.
    pub arms_angle_radians: f32,
    /// Of such people: whether one looks to +Z, and the other to −Z.
    pub looks_other_way: bool,
}

impl Bound {
    /// Rest poses that differ by more are told of: 5 degrees.
    const NOTABLE_RADIANS: f32 = 0.0873;
    /// Proportions differ by less; units by far more.
    const NOTABLE_RATIO: f32 = 1.5;
    /// T poses differ by less, and poses with hanging arms by more: 15 degrees.
    const NOTABLE_ARMS_RADIANS: f32 = 0.262;

    /// Why the clips may look wrong unless they are retargeted, in words.
    pub fn misfits(&self) -> Vec<String> {
        let mut misfits = Vec::new();
        let [poses, there] = match self.compares_bind_poses {
            true => ["bind poses", "in the bind poses"],
            false => ["rest poses", "at rest"],
        };
        if self.rest_angle_radians > Self::NOTABLE_RADIANS {
            let degrees = self.rest_angle_radians.to_degrees();
            misfits.push(format!("{poses} differ by up to {degrees:.0}°"));
        } else if self.arms_angle_radians > Self::NOTABLE_ARMS_RADIANS {
            let degrees = self.arms_angle_radians.to_degrees();
            misfits.push(format!("arms {there} differ by {degrees:.0}°"));
        }
        if self.looks_other_way {
            misfits.push("the model there looks the other way".to_owned());
        }
        let ratio = self.length_ratio.unwrap_or(1.0);
        let unit = self.unit.as_ref().map_or(1.0, |(_, factor)| *factor);
        let is_notable =
            |ratio: f32| !(Self::NOTABLE_RATIO.recip()..Self::NOTABLE_RATIO).contains(&ratio);
        // What the clip is in may be just the unit of this model.
        if is_notable(ratio * unit) {
            if is_notable(ratio) {
                misfits.push(format!("bones are {} times as long there", Factor(ratio)));
            }
            if let Some((clip, factor)) = &self.unit {
                let clip = match clip.as_str() {
                    "" => "a clip without a name".to_owned(),
                    name => format!("clip {name:?}"),
                };
                let factor = Factor(*factor);
                misfits.push(format!(
                    "in {clip} bones are {factor} times as long as at rest there"
                ));
            }
        }
        misfits
    }
}
