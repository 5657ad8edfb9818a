//! What the sheet reads: rows, and the numbers behind them.

use std::fmt;

use crate::ui::SheetKind;

/// A row of the sheet: a channel, or all that moves a node.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetRow {
    /// Its name, which no other channel of the sheet has.
    pub label: String,
    /// By what pointer the file names a property that is no node's.
    pub pointer: Option<String>,
    /// The node that a row is about which sums its channels up.
    pub node: Option<usize>,
    /// The timelines that its keys are on, as [`Numbers::times_secs`] counts them; a channel has one.
    pub timelines: Vec<usize>,
    /// How values between keys are found.
    pub between: Between,
    /// Number of its keys.
    pub key_count: usize,
    /// What its numbers are.
    pub numbers: NumberKind,
}

/// How values between keys are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// The value of the key before.
    Step,
    /// Straight.
    Linear,
    /// Splines with tangents.
    Cubic,
    /// Several channels that differ.
    Mixed,
}

impl Between {
    /// The specification's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Linear => "linear",
            Self::Cubic => "cubic spline",
            Self::Mixed => "mixed",
        }
    }
}

/// What the numbers of a row are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberKind {
    /// There are none: a row for a whole node.
    None,
    /// A number.
    One,
    /// X, Y, Z, or the first two.
    Axes(usize),
    /// Degrees about X, Y, Z.
    Degrees,
    /// X, Y, Z, W of a quaternion.
    Quaternion,
    /// Red, green, blue, perhaps alpha.
    Color(usize),
}

impl NumberKind {
    /// Names of the numbers.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::One => &["value"],
            Self::Axes(count) => &["X", "Y", "Z"][..count.min(3)],
            Self::Degrees => &["X", "Y", "Z"],
            Self::Quaternion => &["X", "Y", "Z", "W"],
            Self::Color(count) => &["R", "G", "B", "A"][..count.min(4)],
        }
    }

    /// What stands behind a number.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Degrees => "°",
            _ => "",
        }
    }
}

/// As many numbers as the widest row has.
pub type Lanes = [f32; 4];

/// The keys and numbers behind the rows.
pub trait Numbers: fmt::Debug {
    /// Sorted times of the keys of a timeline.
    fn times_secs(&self, timeline: usize) -> Option<&[f32]>;
    /// The numbers of a row at a time, as they are played.
    fn at(&self, row: usize, time_secs: f64) -> Lanes;
    /// The numbers of a key of a row.
    fn key(&self, row: usize, key: usize) -> Lanes;
    /// How fast the numbers change where a spline arrives at a key and where it leaves it, a second; none for others.
    fn tangents(&self, row: usize, key: usize) -> Option<(Lanes, Lanes)>;
    /// The least and the greatest numbers of some keys of a row, from one key up to another that does not count.
    fn extremes(&self, row: usize, from: usize, to: usize) -> (Lanes, Lanes);
    /// The least and the greatest numbers of a row.
    fn bounds(&self, row: usize) -> (Lanes, Lanes);
}

/// The sheet that is open.
#[derive(Debug, Clone, Copy)]
pub struct SheetView<'a> {
    /// What it shows.
    pub kind: SheetKind,
    /// Whether rotations are quaternions instead of degrees.
    pub quaternions: bool,
    /// What the rows are about.
    pub title: &'a str,
    /// The rows: channels of a node, or a row for every node that moves.
    pub rows: &'a [SheetRow],
    /// Whether the rows are those of the chosen node.
    pub of_node: bool,
    /// What they say.
    pub numbers: &'a dyn Numbers,
}
