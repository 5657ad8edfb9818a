//! What panels read of nodes.

use super::Details;

/// The nodes of the model, and what is chosen.
#[derive(Debug, Clone, Copy)]
pub struct NodesView<'a> {
    /// All nodes, parents before children, depth first.
    pub rows: &'a [NodeRow],
    /// Index of the chosen node in `rows`.
    pub selected: Option<usize>,
    /// Where the chosen node is now.
    pub selection: Option<Selection>,
    /// Which nodes the user has hidden.
    pub hiding: HidingView<'a>,
    /// What there is to say of what is chosen.
    pub details: &'a Details,
}

/// A node in the scene tree.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeRow {
    /// The node's name, or `node 3` if it has none.
    pub name: String,
    /// Whether another node is called so, too.
    pub has_namesake: bool,
    /// Its index in the file.
    pub file_index: usize,
    /// 0 for roots.
    pub depth: usize,
    /// Number of nodes below it, which follow it directly.
    pub descendants: usize,
    /// What it is.
    pub kind: NodeKind,
    /// Whether the clip in force moves it.
    pub is_animated: bool,
    /// Whether the scene in force shows it, and it is not hidden.
    pub in_scene: bool,
}

/// What a node is to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// Only groups others.
    Group,
    /// A joint of a skin.
    Joint,
    /// Places a mesh.
    Mesh,
    /// Places a mesh that a skin deforms.
    SkinnedMesh,
    /// Places a camera.
    Camera,
    /// Places a light.
    Light,
}

impl NodeKind {
    /// What it is called, in lower case.
    pub fn label(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Joint => "joint",
            Self::Mesh => "mesh",
            Self::SkinnedMesh => "skinned mesh",
            Self::Camera => "camera",
            Self::Light => "light",
        }
    }
}

/// Where the chosen node is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// Relative to its parent.
    pub local: Placement,
    /// In the world.
    pub world: Placement,
}

/// Where something is, how it is turned and how large it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Where.
    pub translation: [f32; 3],
    /// A quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// The rotation as turns about X, then Y, then Z.
    pub rotation_degrees: [f32; 3],
    /// How large along its own axes.
    pub scale: [f32; 3],
    /// Whether it is skewed besides, which these cannot say.
    pub is_sheared: bool,
}

/// Which nodes the user has hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HidingView<'a> {
    /// For each node; empty while nothing is hidden.
    pub sight: &'a [Sight],
    /// How many are hidden by themselves.
    pub count: usize,
}

/// Whether a node can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sight {
    /// The user lets it be.
    #[default]
    Shown,
    /// The user has hidden it.
    Hidden,
    /// The user has hidden one that it hangs under.
    UnderHidden,
}

impl HidingView<'_> {
    /// Whether a node can be seen.
    pub fn of(&self, node: usize) -> Sight {
        self.sight.get(node).copied().unwrap_or_default()
    }
}
