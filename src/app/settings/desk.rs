//! How the user left the panels, the sheet and the bones, as written.

use serde::{Deserialize, Serialize};

use crate::{
    app::Session,
    scene::{BoneShape, ControlJoints, JointChoice, SkeletonSettings},
    ui::{Command, PanelMemory, SavingCommand, SavingSettings, SheetKind},
};

/// More titles, or longer ones, are none of ours.
const MAX_FOLDED: usize = 64;
const LONGEST_TITLE: usize = 64;

/// What the desk looks like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DeskRecord {
    /// Titles of the sections that are folded.
    folded: Vec<String>,
    /// Whether the inspector is shown where there is room for one panel.
    inspector_first: bool,
    sheet: SheetRecord,
    /// Whether figures of the chosen node are those in the world.
    world_figures: bool,
    bones: BonesRecord,
    /// Whether the root's path is drawn.
    root_path: bool,
    /// Whether the camera follows over the ground only.
    follows_on_ground: bool,
    /// Of pictures that are saved.
    picture_size: [u32; 2],
    transparent_pictures: bool,
}

/// The sheet, as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SheetRecord {
    is_open: bool,
    /// What it shows, or showed last.
    kind: String,
    /// In points; none for the height that it begins with.
    height: Option<f32>,
    quaternions: bool,
}

/// [`SkeletonSettings`], as written, but for what is about one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct BonesRecord {
    shape: String,
    names: String,
    axes: String,
    x_ray: bool,
    end_joints: bool,
    controls: String,
}

impl Default for DeskRecord {
    fn default() -> Self {
        let session = Session::new(Default::default(), None, Default::default());
        Self::of(&session, &PanelMemory::default())
    }
}

impl Default for SheetRecord {
    fn default() -> Self {
        DeskRecord::default().sheet
    }
}

impl Default for BonesRecord {
    fn default() -> Self {
        Self::of(&SkeletonSettings::default())
    }
}

const SHEETS: [(SheetKind, &str); 2] = [
    (SheetKind::Dope, "dope_sheet"),
    (SheetKind::Curves, "curves"),
];
const SHAPES: [(BoneShape, &str); 3] = [
    (BoneShape::Octahedra, "octahedra"),
    (BoneShape::Sticks, "sticks"),
    (BoneShape::Joints, "joints"),
];
const JOINTS: [(JointChoice, &str); 3] = [
    (JointChoice::None, "none"),
    (JointChoice::Chosen, "chosen"),
    (JointChoice::All, "all"),
];
const CONTROLS: [(ControlJoints, &str); 3] = [
    (ControlJoints::Faint, "faint"),
    (ControlJoints::Full, "full"),
    (ControlJoints::Hidden, "hidden"),
];

/// As written.
fn name_of<T: Copy + PartialEq>(names: &[(T, &str)], value: T) -> String {
    let found = names.iter().find(|(named, _)| *named == value);
    found.map_or_else(String::new, |(_, name)| (*name).to_owned())
}

/// As read; none if nothing is called so.
fn named<T: Copy>(names: &[(T, &str)], name: &str) -> Option<T> {
    let found = names.iter().find(|(_, known)| *known == name);
    found.map(|(value, _)| *value)
}

impl DeskRecord {
    /// What is in force now.
    pub(super) fn of(session: &Session, panels: &PanelMemory) -> Self {
        let timeline = &session.timeline;
        let kind = timeline.last_sheet.unwrap_or(SheetKind::Dope);
        let saving = &session.saving.settings;
        Self {
            folded: panels.folded.iter().cloned().collect(),
            inspector_first: panels.inspector_first,
            sheet: SheetRecord {
                is_open: timeline.sheet.is_some(),
                kind: name_of(&SHEETS, timeline.sheet.unwrap_or(kind)),
                height: panels.sheet_height,
                quaternions: timeline.quaternions,
            },
            world_figures: session.shown.world_figures,
            bones: BonesRecord::of(&session.skeleton.settings),
            root_path: session.camera.shows_path,
            follows_on_ground: session.camera.follows_on_ground,
            picture_size: saving.size,
            transparent_pictures: saving.transparent,
        }
    }

    /// Puts it in force; what is not known stays as it is.
    pub(super) fn apply(&self, session: &mut Session) {
        let timeline = &mut session.timeline;
        if let Some(kind) = named(&SHEETS, &self.sheet.kind) {
            timeline.last_sheet = Some(kind);
            timeline.sheet = self.sheet.is_open.then_some(kind);
        }
        timeline.quaternions = self.sheet.quaternions;
        session.shown.world_figures = self.world_figures;
        self.bones.apply(&mut session.skeleton.settings);
        session.camera.shows_path = self.root_path;
        session.camera.follows_on_ground = self.follows_on_ground;
        let saving = SavingSettings {
            size: self.picture_size,
            transparent: self.transparent_pictures,
            ..session.saving.settings
        };
        session.apply(Command::Saving(SavingCommand::Set(saving)));
    }

    /// What the panels themselves remember.
    pub(super) fn panels(&self, widths: [f32; 2]) -> PanelMemory {
        let folded = self.folded.iter().take(MAX_FOLDED);
        PanelMemory {
            widths,
            inspector_first: self.inspector_first,
            sheet_height: self.sheet.height,
            folded: folded
                .filter(|title| title.len() <= LONGEST_TITLE)
                .cloned()
                .collect(),
        }
    }
}

impl BonesRecord {
    fn of(settings: &SkeletonSettings) -> Self {
        Self {
            shape: name_of(&SHAPES, settings.shape),
            names: name_of(&JOINTS, settings.names),
            axes: name_of(&JOINTS, settings.axes),
            x_ray: settings.x_ray,
            end_joints: settings.end_joints,
            controls: name_of(&CONTROLS, settings.controls),
        }
    }

    fn apply(&self, settings: &mut SkeletonSettings) {
        settings.shape = named(&SHAPES, &self.shape).unwrap_or(settings.shape);
        settings.names = named(&JOINTS, &self.names).unwrap_or(settings.names);
        settings.axes = named(&JOINTS, &self.axes).unwrap_or(settings.axes);
        settings.x_ray = self.x_ray;
        settings.end_joints = self.end_joints;
        settings.controls = named(&CONTROLS, &self.controls).unwrap_or(settings.controls);
    }
}
