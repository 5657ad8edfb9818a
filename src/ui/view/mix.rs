//! What the panels read about clips that play together.

use crate::ui::{MixMode, MixReference};

/// Clips that play beside the chosen one.
#[derive(Debug, Clone, Copy, Default)]
pub struct MixView<'a> {
    /// In the order in which they joined.
    pub clips: &'a [MixRow],
    /// Whether clips of different length go in step.
    pub in_step: bool,
    /// How long a round of all of them takes in step; none if each goes its own way.
    pub round_secs: Option<f64>,
    /// Clips that want the same.
    pub conflicts: &'a [ConflictRow],
    /// Files whose clips were added to the model's own, in the order of their clips.
    pub borrowed: &'a [BorrowedRow],
}

/// A clip of the mix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixRow {
    /// Its index.
    pub clip: usize,
    /// How it goes over the others.
    pub mode: MixMode,
    /// How much of it.
    pub weight: f32,
    /// What it is the difference from, where it is added.
    pub reference: MixReference,
    /// The node that it is confined to, with all below.
    pub below: Option<usize>,
    /// Where it is now.
    pub time_secs: f64,
}

/// Two clips that play together and move the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConflictRow {
    /// The clip that wins: the later one.
    pub clip: usize,
    /// Their names.
    pub names: [String; 2],
    /// Nodes and paths that both move, such as `hand_R rotation`; not more than a tooltip shows.
    pub moved: Vec<String>,
    /// How many there are.
    pub count: usize,
}

impl ConflictRow {
    /// In words.
    pub fn sentence(&self) -> String {
        let [one, other] = &self.names;
        let first = self.moved.first().map_or("", String::as_str);
        match self.count {
            0 | 1 => format!("{one} and {other} both move {first}"),
            count => format!(
                "{one} and {other} both move {first}, and {} more",
                count - 1
            ),
        }
    }
}

/// A file whose clips were added to the model's own.
#[derive(Debug, Clone, PartialEq)]
pub struct BorrowedRow {
    /// The file's name.
    pub name: String,
    /// Index of its first clip.
    pub first: usize,
    /// How many clips it has.
    pub count: usize,
    /// Whether they are turned into the rest pose of this model.
    pub is_retargeted: bool,
    /// Why they may look wrong unless they are, in words.
    pub misfits: Vec<String>,
    /// Nodes that its clips move and that are not here.
    pub missing: Vec<String>,
    /// Joints that none of its clips moves.
    pub unmoved: Vec<String>,
}
