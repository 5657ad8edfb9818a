//! What the panels read: plain values, put together for every frame that is drawn. Lists and details in them are made anew
//! only when what they tell of changes.

mod camera;
mod clip_names;
mod clips;
mod compare;
mod details;
mod diagnostics;
mod files;
mod history;
mod light;
mod loading;
mod message;
mod mix;
mod model;
mod morphs;
mod motion;
mod nodes;
mod playback;
mod posing;
mod saving;
mod sheet;
mod shown;
mod skeleton;
mod statistics;
mod surfaces;
mod timeline;

pub use camera::{CameraPane, PathPane};
pub use clip_names::{common_prefix, without_prefix};
pub use clips::{ClipRow, ClipsView, GroundSpeed, OddClip};
pub use compare::{
    ClipDifferenceRow, ClipListView, CompareView, DifferenceRow, DifferencesView, places_by_figure,
};
pub use details::{ChannelRow, Culprit, Details, Fact, FactSection, GoTo, NoteText, Picture};
pub use diagnostics::DiagnosticRow;
pub use files::{FilesView, RecentRow};
pub use history::HistoryView;
pub use light::LightView;
pub use loading::{LoadKind, Loading, LoadingView};
pub use message::{Message, MessageKind, Offer};
pub(crate) use message::{as_sentence, sentences};
pub use mix::{BorrowedRow, ConflictRow, MixRow, MixView};
pub use model::ModelView;
pub use morphs::{MorphRow, MorphsView};
pub use motion::MotionView;
pub use nodes::{HidingView, NodeKind, NodeRow, NodesView, Placement, Selection, Sight};
pub use playback::Playback;
pub use posing::{GIZMO_PART_OF_HEIGHT, GizmoView, PosingView, STEP_DEGREES};
pub use saving::{Clash, SavingView};
pub use sheet::{Between, Lanes, NumberKind, Numbers, SheetRow, SheetView};
pub use shown::Shown;
pub use skeleton::{InfluenceCard, InfluenceRow, JointLabel, SkeletonView};
pub use statistics::{FrameCost, Statistics};
pub use surfaces::SurfacesView;
pub use timeline::{Marker, MarkerKind, TimeSpan, TimelineView};

/// All that the interface shows.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The model as a whole.
    pub model: ModelView<'a>,
    /// Its clips.
    pub clips: ClipsView<'a>,
    /// Its nodes, and what is chosen.
    pub nodes: NodesView<'a>,
    /// The clock.
    pub playback: Playback,
    /// The time axis, and what lies on it.
    pub timeline: TimelineView<'a>,
    /// The skeleton.
    pub skeleton: SkeletonView<'a>,
    /// Poses by hand.
    pub posing: PosingView,
    /// What can be taken back.
    pub history: HistoryView<'a>,
    /// What is shown and what is not.
    pub shown: Shown,
    /// Numbers about the model and the last frames.
    pub statistics: Statistics<'a>,
    /// What is wrong with the file.
    pub diagnostics: &'a [DiagnosticRow],
    /// A message to be read and put away.
    pub message: Option<&'a Message>,
    /// The files that are being read.
    pub loading: LoadingView<'a>,
    /// What is saved.
    pub saving: SavingView<'a>,
    /// The files behind what is shown.
    pub files: FilesView<'a>,
    /// The light.
    pub light: LightView<'a>,
    /// How surfaces are drawn.
    pub surfaces: SurfacesView,
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
}

impl View<'_> {
    /// What there is to say instead of a model, if there is none: the first file is on its way, or could not be read.
    pub(in crate::ui) fn instead_of_model(&self) -> Option<&'static str> {
        let is_empty = self.model.name.is_empty() && self.nodes.rows.is_empty();
        is_empty.then_some(if !self.loading.files.is_empty() {
            "Loading…"
        } else {
            "No file is open"
        })
    }

    /// Why trails and onion skins cannot be seen, as the end of a sentence; empty where they can.
    pub(in crate::ui) fn unseen_motion(&self) -> &'static str {
        match self.clips.chosen {
            _ if self.statistics.crowd.is_some() => ", but not in a crowd",
            None => ", but no clip is selected",
            Some(_) if self.skeleton.held.is_some() => ", but a pose is held",
            Some(_) if !self.mix.clips.is_empty() => ", but not in a mix",
            Some(_) => "",
        }
    }

    /// What there is to say of a clip without keys: that it has none, or that a finding says how they were lost.
    pub(in crate::ui) fn instead_of_keys(&self) -> &'static str {
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
