//! What can be told from a clip about how it moves: seams, pops, jitter, steps, superfluous keys, the space it takes.
//!
//! [`Analyzer::analyze`] samples the clip once at its frames. It costs O(frames × (nodes + tracks + joints with vertices)), and
//! takes fewer frames rather than more time: clips of minutes with hundreds of joints stay within the limit that it is
//! given. Pops, which a frame in three would miss, are looked for at the keys themselves. Each part says in its own file what
//! it looks for, and where its figures come from.

mod contacts;
mod frames;
mod jitter;
mod limit;
pub mod oddities;
mod own_motion;
mod pops;
mod reach;
mod reduction;
mod seam;
mod span;
mod steady;
mod travel;
mod usual;

pub use contacts::{Contact, FootContacts, Limb, UnevenStep};
pub use jitter::Jitter;
pub use limit::AnalysisLimit;
pub use own_motion::Part;
pub use pops::{Alone, Deed, Pop};
pub use reduction::{Property, Tolerance, TrackReduction};
pub use seam::{JointSeam, LoopSeam, SeamCause, SeamWay};
pub use steady::Steady;
pub use travel::{RootTravel, Travel};

use super::root_motion::{RootChooser, RootMotion};
use crate::model::{Aabb, Clip, Model, NodeId};
use contacts::{Ground, uneven};
use frames::{Measured, Watched};
use own_motion::OwnMotion;
use usual::Looks;

/// A placement of a node, with all that follows from it, costs about as much as so many values of tracks.
const VALUES_A_PLACEMENT: usize = 8;
/// And what is usual around an interval about as much as so many placements.
const PLACEMENTS_A_LOOK: usize = 4;
/// More pops than this are not listed: the worst are.
const MAX_POPS: usize = 1000;

/// What [`Analyzer::analyze`] found out about a clip. Lengths are in the model's units, in the world.
///
/// `rigscope info --json` prints it for each clip as `analysis`, whose fields `docs/info.md` describes.
#[derive(Debug, Clone)]
pub struct ClipAnalysis {
    /// Number of frames that were sampled: at the first key, at the end, and evenly between.
    pub frames: usize,
    /// When the first of them is.
    pub start_secs: f64,
    /// Time between frames.
    pub frame_secs: f64,
    /// Diagonal of the model at rest.
    pub size: f32,
    /// Height of the model at rest.
    pub height: f32,
    /// For each frame a box that holds the model, somewhat larger than the exact one.
    pub bounds: Vec<Aabb>,
    /// What carries the character, if anything does.
    pub root_motion: Option<RootMotion>,
    /// Whether `seam` is what is left without root motion, because the clip travels.
    pub is_seam_in_place: bool,
    /// How the end of the clip meets its beginning.
    pub seam: LoopSeam,
    /// The node that is farthest from where it was, if there is any.
    pub seam_way: Option<SeamWay>,
    /// The fastest motion of a node by itself, if any moves.
    pub speed_peak: Option<SpeedPeak>,
    /// How nodes move outside of their pops, by each [`Part`] of their motion.
    pub steady: [Steady; Part::ALL.len()],
    /// Where nodes jump, the worst first: a thousand at most.
    pub pops: Vec<Pop>,
    /// Nodes that shake, the farthest first: a thousand at most.
    pub jitters: Vec<Jitter>,
    /// When feet stand.
    pub contacts: Vec<FootContacts>,
    /// Where feet on the spot step otherwise than those on the other side, in the order of time.
    pub uneven_steps: Vec<UnevenStep>,
    /// X and Z of the velocity of the ground under a clip that walks on the spot.
    pub ground_velocity: [f32; 2],
    /// How many keys each track needs, by [`Tolerance::for_size`]; none if there are too many to tell, or nobody asked.
    pub reduction: Option<Vec<TrackReduction>>,
}

/// Where a node is fastest: by its own local motion, the shift of its origin plus the turn times its reach, as for a
/// [`Pop`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeedPeak {
    /// The node.
    pub node: NodeId,
    /// When the interval begins in which it is that fast.
    pub time_secs: f64,
    /// In the model's units a second.
    pub speed: f32,
}

impl SpeedPeak {
    /// Where this node is fastest; none if it does not move.
    fn of(motion: &OwnMotion) -> Option<Self> {
        let speeds = motion.speeds.iter().zip(&motion.times_secs);
        let peaks = speeds.map(|(&speed, &time_secs)| Self {
            node: motion.node,
            time_secs,
            speed,
        });
        peaks.reduce(Self::faster).filter(|peak| peak.speed > 0.0)
    }

    /// The faster one; of equals this one.
    fn faster(self, other: Self) -> Self {
        if other.speed > self.speed {
            other
        } else {
            self
        }
    }
}

impl ClipAnalysis {
    /// A box around the model in all frames.
    pub fn swept_bounds(&self) -> Aabb {
        self.bounds.iter().copied().fold(Aabb::EMPTY, Aabb::union)
    }

    /// How fast it goes over the ground, if it does.
    pub fn travel(&self) -> Option<Travel> {
        Travel::of(self)
    }
}

/// Analyses the clips of a model, which it measures once.
#[derive(Debug)]
pub struct Analyzer<'a> {
    model: &'a Model,
    measured: Measured<'a>,
    roots: RootChooser,
}

impl<'a> Analyzer<'a> {
    /// Measures the model at rest, as its default scene shows it. It visits every vertex once.
    pub fn new(model: &'a Model) -> Self {
        Self {
            model,
            measured: Measured::new(model),
            roots: RootChooser::new(model),
        }
    }

    /// Analyses a clip. It computes about `most_placements` placements of nodes and values of tracks at most, though
    /// always two frames, and about as much again where it looks for pops from key to key.
    pub fn analyze(&self, clip: &Clip, most_placements: usize) -> ClipAnalysis {
        let tolerance = Tolerance::for_size(self.measured.size);
        let unit = |node| self.measured.unit(node);
        let reduction = reduction::examine(clip, &tolerance, unit);
        ClipAnalysis {
            reduction,
            ..self.analyze_motion(clip, most_placements)
        }
    }

    /// [`Self::analyze`] without a look at which keys are needed.
    pub fn analyze_motion(&self, clip: &Clip, most_placements: usize) -> ClipAnalysis {
        let analysis = self.analyze_motion_while(clip, most_placements, &|| true);
        analysis.unwrap_or_else(|| unreachable!("it goes on"))
    }

    /// [`Self::analyze_motion`] as long as `goes_on` says so, which is asked at every frame and for every node; none if it did
    /// not.
    pub fn analyze_motion_while(
        &self,
        clip: &Clip,
        most_placements: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<ClipAnalysis> {
        let (model, measured) = (self.model, &self.measured);
        let root_motion = RootMotion::find_of_many(&self.roots, model, clip, most_placements);
        let travels = root_motion
            .as_ref()
            .filter(|motion| motion.travels(measured.size));
        let (seam, is_seam_in_place) = LoopSeam::carried(model, clip, travels);
        let mut seam_way = SeamWay::find(&seam, &model.hierarchy, measured.size);
        let watched = seam_way.map(|way| Watched {
            node: way.joint.node,
            beside: travels.map(RootMotion::root),
        });
        let frames = measured.sample(clip, watched, most_placements, goes_on)?;
        if let Some(way) = &mut seam_way {
            way.follow(&frames.watched, measured.size);
        }
        let (mut pops, mut speed_peak) = (Vec::new(), None::<SpeedPeak>);
        let (mut steady, mut is_whole) = ([Steady::default(); Part::ALL.len()], true);
        let mut jitters = Vec::new();
        let most_values = most_placements.saturating_mul(VALUES_A_PLACEMENT);
        // A point has none that rounding could be measured by.
        let size_of_pops = if measured.size > 0.0 {
            measured.size
        } else {
            1.0
        };
        let mut looks = Looks::new(most_placements / PLACEMENTS_A_LOOK);
        measured.look_at_motions(clip, most_values, |motion| {
            let known = pops.len();
            for part in motion.parts() {
                motion.look_at(*part);
                pops::find(motion, size_of_pops, &mut looks, (&mut pops, known));
                steady[*part as usize].look_at(motion, &pops[known..]);
            }
            motion.look_at(Part::Whole);
            pops::join_held(motion, &mut pops, known, &mut looks.window);
            pops::keep_worst(&mut pops, MAX_POPS);
            if jitters.len() < MAX_POPS {
                jitters.extend(jitter::find(motion, size_of_pops, &mut looks.window));
            }
            let travels = travels.is_some_and(|it| it.root() == motion.node);
            if let Some(way) = seam_way.as_mut().filter(|_| !travels) {
                let (range, gap) = motion.range_and_gap();
                way.count(range, gap, measured.size);
            }
            let peaks = [speed_peak, SpeedPeak::of(motion)];
            speed_peak = peaks.into_iter().flatten().reduce(SpeedPeak::faster);
            is_whole = goes_on();
            is_whole
        });
        if !is_whole {
            return None;
        }
        pops.sort_unstable_by(Pop::by_excess);
        pops.truncate(MAX_POPS);
        jitters.sort_by(|a: &Jitter, b| b.way.total_cmp(&a.way));
        let moments = frames.bounds.len();
        let root_velocities =
            travels.map(|motion| motion.velocities(moments, frames.start_secs, measured.size));
        let ground = match &root_velocities {
            Some(velocities) => Ground::AtRest(velocities),
            None => Ground::MayGlide,
        };
        let (mut contacts, ground_velocity) =
            contacts::find(&frames.paths, frames.frame_secs, measured.height, ground);
        let is_loop_on_the_spot = travels.is_none() && travel::meets(&seam, measured.size);
        let (feet, secs) = (&measured.sides_of_feet, frames.frame_secs);
        let mut uneven_steps = match is_loop_on_the_spot {
            true => uneven::find(&frames.paths, feet, secs, measured.height),
            false => Vec::new(),
        };
        // They count from the first frame.
        for foot in &mut contacts {
            foot.delay(frames.start_secs);
            (foot.top, foot.limb) = measured.end_of_limb(foot.node);
        }
        for step in &mut uneven_steps {
            step.delay(frames.start_secs);
            (step.top, step.limb) = measured.end_of_limb(step.node);
        }
        Some(ClipAnalysis {
            frames: frames.bounds.len(),
            start_secs: frames.start_secs,
            frame_secs: frames.frame_secs,
            size: measured.size,
            height: measured.height,
            bounds: frames.bounds,
            root_motion,
            is_seam_in_place,
            seam,
            seam_way,
            speed_peak,
            steady,
            pops,
            jitters,
            contacts,
            uneven_steps,
            ground_velocity,
            reduction: None,
        })
    }
}
