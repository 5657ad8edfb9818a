//! How a clip goes over the ground.

use super::{ClipAnalysis, LoopSeam};
use crate::anim::root_motion::{RootMotion, Turning};

/// How far a node may end from where it began in a clip that goes over the ground on the spot, as a part of the model's size: the
/// last frame of a loop is often left out, and links of a chain end where the next one began. Those that run have 0.06, tanks
/// 0.07; what stands up or falls has more.
const MEETS: f32 = 0.08;

/// How fast a clip goes over the ground: with its root, or on the spot, where its feet push the ground away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Travel {
    /// The mean of a loop, in the model's units a second, above 0.
    pub units_per_sec: f32,
    /// What a loop does to the root; none if the clip stays on the spot.
    pub of_root: Option<RootTravel>,
    /// The least and the most that its feet say, if those of both sides do not say the same.
    pub of_sides: Option<[f32; 2]>,
}

/// What a loop does to the root of a clip that takes it along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootTravel {
    /// How far its end is from its start, in the model's units.
    pub displacement: f32,
    /// By how much it is turned about +Y, if the clip turns it.
    pub turn_degrees: Option<f64>,
}

impl Travel {
    /// That of the clip with this analysis, if it goes anywhere.
    pub(super) fn of(analysis: &ClipAnalysis) -> Option<Self> {
        let root = analysis.root_motion.as_ref();
        let root = root.filter(|motion| motion.travels(analysis.size));
        let goes_on = meets(&analysis.seam, analysis.size);
        let [x, z] = analysis
            .ground_velocity
            .map(|along| if goes_on { along } else { 0.0 });
        let this = Self {
            units_per_sec: root.map_or(x.hypot(z), |motion| motion.mean_speed() as f32),
            of_root: root.map(RootTravel::of),
            of_sides: sides(analysis),
        };
        (this.units_per_sec.is_finite() && this.units_per_sec > 0.0).then_some(this)
    }
}

/// Whether the end of a clip meets its beginning well enough to go on.
pub(super) fn meets(seam: &LoopSeam, size: f32) -> bool {
    let gaps = seam.joints().map(|joint| joint.distance);
    gaps.fold(0.0, f32::max) <= MEETS * size
}

/// The least and the most that feet say which step otherwise than those of the other side, where it is not known which is wrong.
fn sides(analysis: &ClipAnalysis) -> Option<[f32; 2]> {
    let steps = analysis.uneven_steps.iter();
    steps
        .filter(|step| !step.is_known)
        .flat_map(|step| step.speeds)
        .fold(None, |range, speed| {
            let [least, most] = range.unwrap_or([speed; 2]);
            Some([speed.min(least), speed.max(most)])
        })
}

impl RootTravel {
    fn of(motion: &RootMotion) -> Self {
        let turns = motion.turning() == Turning::Followed;
        Self {
            displacement: motion.displacement() as f32,
            turn_degrees: turns.then(|| motion.loop_motion().heading_radians.to_degrees()),
        }
    }
}
