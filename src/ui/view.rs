//! What the panels read: plain values, made anew for every frame that is drawn.

use std::borrow::Cow;

use super::CameraPane;
use super::CompareView;
use super::FilesView;
use super::SavingView;
use super::SkeletonView;
use super::TimeSpan;
use super::clip_names::{parts_names, without_prefix};
use super::message::{Message, MessageKind};
use super::mix_view::MixView;
use super::morphs::MorphsView;
use super::posing::PosingView;
use super::text;
use super::{Marker, SheetView};
use crate::{
    anim::LoopMode,
    scene::{Backdrop, Inspectable, LightSettings, SurfaceLines, ViewMode, WeightColors},
};

/// All that the interface shows.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Another number for every model that is shown, so that what was folded or searched in the last one is forgotten.
    pub model_generation: u64,
    /// Name of the model, such as `Fox.glb`.
    pub model_name: &'a str,
    /// Clips in file order.
    pub clips: &'a [ClipRow],
    /// How the names of all clips begin, in bytes: what is left out where they are told.
    pub clip_prefix: usize,
    /// The clips in which something is odd, in the order of clips, as far as it is known.
    pub odd_clips: &'a [OddClip],
    /// How fast clips go over the ground, as far as that is known and they do, in the order of clips.
    pub ground_speeds: &'a [super::GroundSpeed],
    /// Index of the clip in force; none for the file's own pose.
    pub clip: Option<usize>,
    /// Names of the file's scenes.
    pub scenes: &'a [String],
    /// Index of the scene that is shown.
    pub scene: usize,
    /// Names of the variants of the file's materials.
    pub variants: &'a [String],
    /// Index of the variant that is shown; none for the file's own choice.
    pub variant: Option<usize>,
    /// All nodes, parents before children, depth first.
    pub nodes: &'a [NodeRow],
    /// Index of the chosen node in `nodes`.
    pub selected_node: Option<usize>,
    /// Where the chosen node is now.
    pub selection: Option<Selection>,
    /// Which nodes the user has hidden.
    pub hiding: super::HidingView<'a>,
    /// What there is to say of what is chosen.
    pub details: &'a super::Details,
    /// The clock.
    pub playback: Playback,
    /// Times of the keys of the clip in force (of the chosen node's if it has any), in seconds, sorted, without repeats.
    pub key_times_secs: &'a [f32],
    /// The time axis, and what lies on it.
    pub timeline: TimelineView<'a>,
    /// The skeleton.
    pub skeleton: SkeletonView<'a>,
    /// Poses by hand.
    pub posing: PosingView,
    /// What can be taken back.
    pub history: super::HistoryView<'a>,
    /// What is shown and what is not.
    pub shown: Shown,
    /// Numbers about the model and the last frame.
    pub statistics: Statistics,
    /// What the last frames cost, the latest last.
    pub costs: &'a [super::FrameCost],
    /// What is wrong with the file.
    pub diagnostics: &'a [DiagnosticRow],
    /// A message to be read and put away.
    pub message: Option<&'a Message>,
    /// The files that are being read.
    pub loading: &'a [Loading<'a>],
    /// What is saved.
    pub saving: SavingView<'a>,
    /// The files behind it.
    pub files: FilesView<'a>,
    /// Names of the built-in models.
    pub built_in: &'a [&'static str],
    /// What shines, and how light becomes colours.
    pub light: LightSettings,
    /// Whether light is simple because there is no graphics adapter, and not because the user has said so.
    pub light_is_simple_by_itself: bool,
    /// Whether software draws in place of the graphics adapter, which failed.
    pub misses_adapter: bool,
    /// The factor on the lights of the file where some would leave all white.
    pub dimming: Option<f32>,
    /// What is behind the model.
    pub backdrop: Backdrop,
    /// The name of the file that surrounds the model; none for the studio.
    pub environment: Option<&'a str>,
    /// What is drawn of surfaces.
    pub view_mode: ViewMode,
    /// What there is to inspect.
    pub inspectable: Inspectable,
    /// Colours that stand for weights.
    pub weight_colors: WeightColors,
    /// How motion is shown.
    pub motion: MotionView,
    /// Clips that play beside the chosen one.
    pub mix: MixView<'a>,
    /// The morph weights.
    pub morphs: MorphsView<'a>,
    /// The camera.
    pub camera: CameraPane<'a>,
    /// The second subject.
    pub compare: CompareView<'a>,
    /// Whether the system can drop files on this window.
    pub can_drop: bool,
    /// For what files are read that are held over it, if they are dropped now.
    pub drop_kind: LoadKind,
    /// The theme in force.
    pub dark: bool,
}

impl<'a> View<'a> {
    /// What a clip is called, without what the names of all begin with; none if there is no such clip.
    pub(super) fn clip_name(&self, clip: usize) -> Option<&'a str> {
        let row = self.clips.get(clip)?;
        Some(without_prefix(&row.name, self.clip_prefix))
    }

    /// What of a clip's name is searched for what was typed: what is shown, or the whole name where a sign that parts names
    /// was typed, too.
    pub(super) fn searched_clip_name(
        &self,
        clip: usize,
        mut typed: impl Iterator<Item = char>,
    ) -> Cow<'a, str> {
        let name = if typed.any(parts_names) {
            self.clips.get(clip).map(|row| &*row.name)
        } else {
            self.clip_name(clip)
        };
        text::clean_name(name.unwrap_or_default())
    }

    /// What there is to say instead of a model, if there is none: the first file is on its way, or could not be read.
    pub(super) fn instead_of_model(&self) -> Option<&'static str> {
        let is_empty = self.model_name.is_empty() && self.nodes.is_empty();
        is_empty.then_some(if !self.loading.is_empty() {
            "Loading…"
        } else {
            "No file is open"
        })
    }

    /// What is odd in a clip, if anything is.
    pub(super) fn odd_clip(&self, clip: usize) -> Option<&OddClip> {
        let found = self.odd_clips.binary_search_by_key(&clip, |odd| odd.clip);
        found.ok().and_then(|place| self.odd_clips.get(place))
    }

    /// How fast a clip goes over the ground, if it does and that is known.
    pub fn ground_speed(&self, clip: usize) -> Option<super::GroundSpeed> {
        let all = self.ground_speeds;
        let found = all.binary_search_by_key(&clip, |speed| speed.clip);
        found.ok().and_then(|place| all.get(place)).copied()
    }

    /// Why trails and onion skins cannot be seen, as the end of a sentence; empty where they can.
    pub(super) fn unseen_motion(&self) -> &'static str {
        match self.clip {
            _ if self.statistics.crowd.is_some() => ", but not in a crowd",
            None => ", but no clip is selected",
            Some(_) if self.skeleton.held.is_some() => ", but a pose is held",
            Some(_) if !self.mix.clips.is_empty() => ", but not in a mix",
            Some(_) => "",
        }
    }

    /// What there is to say of a clip without keys: that it has none, or that a finding says how they were lost.
    pub(super) fn instead_of_keys(&self) -> &'static str {
        let clip = self.timeline.clip;
        let place = clip.map(|clip| format!("/animations/{clip}"));
        let is_about = |row: &DiagnosticRow| {
            let rest = place.as_deref().and_then(|it| row.pointer.strip_prefix(it));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut rows = self.diagnostics.iter();
        if rows.any(|row| row.severity != MessageKind::Info && is_about(row)) {
            "The keys of this clip could not be read: see Diagnostics"
        } else {
            "This clip has no keys"
        }
    }
}

/// A clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipRow {
    /// The clip's name, or `clip 3` if it has none.
    pub name: String,
    /// From 0 to the last key.
    pub duration_secs: f64,
    /// Number of its channels.
    pub channel_count: usize,
    /// Number of keys of all channels together.
    pub key_count: usize,
}

/// A clip in whose motion something is odd.
#[derive(Debug, Clone, PartialEq)]
pub struct OddClip {
    /// Its index.
    pub clip: usize,
    /// What is odd, such as "2 pops, 1 foot slides".
    pub words: String,
    /// When the first of it is seen.
    pub at_secs: f64,
    /// The node that does that, by its place in the hierarchy.
    pub node: Option<usize>,
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

/// The clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playback {
    /// Now.
    pub time_secs: f64,
    /// The clip's length; 0 without a clip.
    pub duration_secs: f64,
    /// Whether time runs.
    pub is_playing: bool,
    /// Whether anything moves while time runs: the clip has a length, or a crowd plays them all.
    pub can_play: bool,
    /// 1 is the file's own.
    pub speed: f64,
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Frames a second, for frame steps and frame numbers.
    pub frames_per_sec: f64,
    /// Whether that rate was found in the keys (and not set by hand or assumed).
    pub rate_is_guessed: bool,
    /// Whether it is assumed: there are too few keys to tell, or they lie on the frames of no rate.
    pub rate_is_assumed: bool,
}

/// The time axis, and what lies on it.
#[derive(Debug, Clone, Copy)]
pub struct TimelineView<'a> {
    /// The clip whose time and keys it shows: over the file's own pose one that plays there.
    pub clip: Option<usize>,
    /// That clip where it alone moves the model: what is measured of it is true of the picture.
    pub measured_clip: Option<usize>,
    /// What the axis shows.
    pub span: TimeSpan,
    /// What loops, if not all of the clip.
    pub range: Option<TimeSpan>,
    /// What is odd in the motion, in the order of time: nothing is where clips play together.
    pub markers: &'a [Marker],
    /// How fast the motion goes over the ground, if that is known: it is not where clips play together.
    pub ground_speed: Option<super::GroundSpeed>,
    /// The sheet, if it is open.
    pub sheet: Option<SheetView<'a>>,
}

/// What is shown and what is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The skeleton.
    pub skeleton: bool,
    /// Whether there is one to show.
    pub has_skeleton: bool,
    /// The ground grid.
    pub grid: bool,
    /// Which lines lie over surfaces.
    pub lines: SurfaceLines,
    /// The left panel.
    pub scene_panel: bool,
    /// The right panel.
    pub inspector_panel: bool,
    /// The key list.
    pub keys: bool,
    /// Whether the chosen node's figures are those in the world.
    pub world_figures: bool,
}

/// How motion is shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MotionView {
    /// Joints are blended as dual quaternions.
    pub dual_quaternions: bool,
    /// Clips stay where they begin.
    pub in_place: bool,
    /// How long it takes to go over to another clip.
    pub fade_secs: f64,
    /// How many of the model are wanted on the field.
    pub crowd_size: usize,
    /// They play all clips, and not only the chosen one.
    pub crowd_plays_all: bool,
}

/// Numbers about the model and the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics {
    /// Triangles of all meshes.
    pub triangles: usize,
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Nodes of the file.
    pub nodes: usize,
    /// Joints of all skins.
    pub joints: usize,
    /// Skins.
    pub skins: usize,
    /// Meshes.
    pub meshes: usize,
    /// Materials of the file.
    pub materials: usize,
    /// Textures.
    pub textures: usize,
    /// Morph targets of all meshes.
    pub morph_targets: usize,
    /// How many of a crowd are in sight, and how many there are; none if the model is alone.
    pub crowd: Option<(usize, usize)>,
    /// Matrices that each of a crowd has: those of its joints, and of what moves as a whole.
    pub crowd_joints: usize,
    /// Bytes of the matrices in sight, and what they would take as three rows each.
    pub palette_bytes: [u64; 2],
    /// Draw calls of the last frame.
    pub draws: usize,
    /// Bytes in GPU buffers and textures for this model.
    pub gpu_bytes: u64,
    /// Processor time that sampling, world matrices and the palette took for the last frame.
    pub pose_micros: f32,
    /// Processor time of the whole last frame.
    pub frame_millis: f32,
    /// Frames drawn in the last second.
    pub frames_per_sec: f32,
    /// Time from asking for the file to its model.
    pub load_millis: f32,
    /// The size along x, y, z of the model in its own pose, or of the crowd.
    pub size: [f32; 3],
    /// Parts of meshes (primitives), and how many of them have no tangents, no texture coordinates, and no colours.
    pub parts: usize,
    /// See `parts`.
    pub without_tangents: usize,
    /// See `parts`.
    pub without_tex_coords: usize,
    /// See `parts`.
    pub without_colors: usize,
}

/// Something wrong with the file.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnosticRow {
    /// How bad.
    pub severity: MessageKind,
    /// Short upper-case name, such as `NODE_LOOP`.
    pub code: String,
    /// JSON pointer of the culprit, such as `/nodes/3`.
    pub pointer: String,
    /// One sentence.
    pub message: String,
    /// What the viewer did about it.
    pub action: String,
    /// What a click chooses; none if nothing can be.
    pub culprit: Option<super::Culprit>,
    /// What further clicks choose, one after the other, where it is about several objects.
    pub others: Vec<super::Culprit>,
}

/// What a file is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadKind {
    /// To be shown.
    Model,
    /// To be compared with.
    Compared,
    /// For its clips.
    Clips,
    /// To surround the model.
    Environment,
}

impl LoadKind {
    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Model => "Loading",
            Self::Compared => "To compare with",
            Self::Clips => "For its clips",
            Self::Environment => "To surround the model",
        }
    }
}

/// A file on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loading<'a> {
    /// What it is read for.
    pub kind: LoadKind,
    /// Its name.
    pub name: &'a str,
    /// What is being done.
    pub stage: &'a str,
    /// 0..1 of the stages.
    pub fraction: f32,
}
