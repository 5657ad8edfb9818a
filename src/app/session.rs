//! What the user has before them and does to it; neither GPU nor window.

use std::{path::PathBuf, time::Duration};

use super::{
    Actor,
    camera::CameraRig,
    compare::Compare,
    files::{Document, FilesState},
    history::History,
    messages::{Messages, Topic},
    motion::{ClipPart, CrowdState, Mix, MotionSettings, Transition},
    panels::{Front, Inspected},
    picture::{ChosenVariant, SkeletonState, Surroundings},
    posing::Posing,
    saving::SavingState,
    time::TimelineState,
};
use crate::{
    anim::Clock,
    import::Import,
    model::{Model, NodeId},
    scene::{CameraView, Frame, Grid, OrbitCamera, SurfaceLines, ViewMode, WeightColors},
};

/// A model, a clock, a camera, and what the user chose.
#[derive(Debug)]
pub struct Session {
    pub(super) actor: Actor,
    pub(super) document: Document,
    pub(super) variant: ChosenVariant,
    // What plays.
    pub(super) clock: Clock,
    /// Index of the clip in force; none is the file's own pose.
    pub(super) clip: Option<usize>,
    pub(super) timeline: TimelineState,
    pub(super) transition: Transition,
    pub(super) mix: Mix,
    pub(super) crowd: CrowdState,
    pub(super) motion: MotionSettings,
    // How it is seen.
    pub(super) camera: CameraRig,
    pub(super) surroundings: Surroundings,
    pub(super) shown: Toggles,
    pub(super) skeleton: SkeletonState,
    pub(super) compare: Compare,
    // What is done to it.
    pub(super) selected: Option<NodeId>,
    pub(super) inspected: Inspected,
    pub(super) posing: Posing,
    pub(super) history: History,
    // Files and words.
    pub(super) files: FilesState,
    pub(super) saving: SavingState,
    pub(super) front: Front,
    pub(super) messages: Messages,
    stale: Stale,
}

/// What does not show yet what was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Stale {
    #[default]
    Nothing,
    /// What lies over the scene.
    Overlay,
    /// The pose, with all that follows from it.
    Pose,
}

/// What the user switches on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Toggles {
    pub(super) skeleton: bool,
    pub(super) grid: bool,
    pub(super) lines: SurfaceLines,
    pub(super) scene_panel: bool,
    pub(super) inspector_panel: bool,
    pub(super) keys: bool,
    pub(super) dark: bool,
    pub(super) view_mode: ViewMode,
    pub(super) weight_colors: WeightColors,
    /// Figures of the chosen node are those in the world.
    pub(super) world_figures: bool,
}

impl Default for Toggles {
    fn default() -> Self {
        Self {
            skeleton: false,
            grid: true,
            lines: SurfaceLines::default(),
            scene_panel: true,
            inspector_panel: true,
            keys: false,
            dark: true,
            view_mode: ViewMode::Lit,
            weight_colors: WeightColors::Heat,
            world_figures: false,
        }
    }
}

impl Session {
    /// A session that shows `import` and plays its first clip.
    pub fn new(import: Import, path: Option<PathBuf>, load_time: Duration) -> Self {
        let mut this = Self {
            actor: Actor::new(Model::default()),
            document: Document::default(),
            variant: ChosenVariant::default(),
            clock: Clock::new(0.0),
            clip: None,
            timeline: TimelineState::default(),
            transition: Transition::default(),
            mix: Mix::default(),
            crowd: CrowdState::default(),
            motion: MotionSettings::default(),
            camera: CameraRig::new(),
            surroundings: Surroundings::default(),
            shown: Toggles::default(),
            skeleton: SkeletonState::default(),
            compare: Compare::default(),
            selected: None,
            inspected: Inspected::default(),
            posing: Posing::default(),
            history: History::default(),
            files: FilesState::default(),
            saving: SavingState::default(),
            front: Front::default(),
            messages: Messages::default(),
            stale: Stale::Pose,
        };
        this.replace_model(import, path, load_time);
        this
    }

    /// Shows another model from the front and plays its first clip; speed, loop mode and what is shown stay as they are.
    pub fn replace_model(&mut self, import: Import, path: Option<PathBuf>, load_time: Duration) {
        self.put_model(import, path, load_time);
        self.camera.jump(OrbitCamera::first_of(self.model().facing));
        self.frame_first();
        self.lay_ground();
        if self.saving.is_open {
            self.propose_place();
        }
    }

    /// Puts another model in the place of the one before, and plays its first clip; camera and ground stay as they are.
    pub(super) fn put_model(&mut self, import: Import, path: Option<PathBuf>, load_time: Duration) {
        self.camera.forget_model();
        self.actor = Actor::new(import.model);
        self.document.open(path, import.diagnostics, load_time);
        self.list_dimmed_lights();
        self.selected = None;
        self.inspected.forget();
        self.variant.open(self.actor.model());
        self.skeleton.forget_model();
        self.posing.forget_model();
        self.history.forget_model();
        self.forget_times();
        self.compare.forget_model();
        self.messages.forget_model();
        self.transition.cut();
        self.mix.clear();
        self.follow_settings();
        self.shown.skeleton |= self.actor.has_only_joints();
        let first_clip = (!self.model().clips.is_empty()).then_some(0);
        self.select_clip(first_clip);
        if first_clip.is_some() {
            self.clock.play();
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.actor.model()
    }

    /// The model, posed as of the last [`Session::update`].
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Index of the clip in force.
    pub fn clip(&self) -> Option<usize> {
        self.clip
    }

    /// Changes whenever another model is shown.
    pub fn model_generation(&self) -> u64 {
        self.document.model_generation()
    }

    /// Changes whenever another file is shown, and not when the same one was read again.
    pub fn document_generation(&self) -> u64 {
        self.document.generation()
    }

    /// Whether the dark theme is in force.
    pub fn is_dark(&self) -> bool {
        self.shown.dark
    }

    /// Lets time pass.
    pub fn tick(&mut self, elapsed_secs: f64) {
        let size = self.actor.bounds().diagonal();
        self.camera.tick(elapsed_secs, size);
        if self.is_model_moving() {
            self.transition.tick(elapsed_secs);
            // Where nothing but a fade goes on, everybody has arrived.
            if self.clock.is_moving() || self.is_crowd_moving() {
                self.crowd.time_secs += elapsed_secs * self.clock.speed();
            }
            let before_secs = self.clock.time_secs();
            self.tick_clips(elapsed_secs);
            self.follow_time(Some(before_secs));
            self.pose_changed();
        }
    }

    /// Says that the pose is another one, or what is posed, drawn or hidden: it is taken anew with the next update.
    pub(super) fn pose_changed(&mut self) {
        self.stale = Stale::Pose;
    }

    /// Says that bones, lines or their colours are others over the same pose: they are shaped anew with the next update.
    pub(super) fn overlay_changed(&mut self) {
        self.stale = self.stale.max(Stale::Overlay);
    }

    /// Takes the pose that the clock asks for, if that changed, and shapes what lies over it. True if the pose was taken.
    pub fn update(&mut self) -> bool {
        let stale = std::mem::take(&mut self.stale);
        if stale == Stale::Overlay {
            // The camera may go along with another node.
            self.follow_pose();
        }
        let is_culled_otherwise = self.actor.crowd().is_some()
            && !self.crowd.is_posed_for(self.sight(self.camera_view()));
        let is_posed = stale == Stale::Pose || is_culled_otherwise;
        if is_posed {
            self.pose_anew();
        }
        if is_posed || stale == Stale::Overlay {
            self.shape_overlay();
        }
        is_posed
    }

    /// Takes the pose that the clock asks for.
    fn pose_anew(&mut self) {
        self.follow_posing();
        let mode = self.shown.view_mode;
        self.actor
            .show_difference(mode == ViewMode::SkinningDifference);
        let now = ClipPart {
            clip: self.clip,
            time_secs: self.clock.time_secs(),
            weight: 1.0,
        };
        if let Some(held) = self.held_pose() {
            self.actor.hold(held);
        } else if self.transition.is_over() && self.mix.is_empty() {
            self.actor.pose_at(now.clip, now.time_secs);
        } else {
            let parts = self.transition.parts(now);
            self.actor.pose_mix(parts, self.mix.layers(&self.clock));
        }
        self.follow_pose();
        self.pose_crowd_for(self.camera_view());
        self.actor.estimate_bounds();
        self.pose_second();
        self.skeleton.card.follow_pose();
    }

    /// What is to be drawn, as of the last [`Session::update`].
    pub fn frame(&self) -> Frame<'_> {
        self.frame_seen(self.camera_view())
    }

    /// [`Session::frame`] as another camera sees it.
    pub(super) fn frame_seen(&self, camera: CameraView) -> Frame<'_> {
        Frame {
            overlay: self.overlay(),
            ..self.frame_of(&self.actor, camera, self.selected)
        }
    }

    /// What is to be drawn of an actor; views of weights are about `joint`.
    pub(super) fn frame_of<'a>(
        &'a self,
        actor: &'a Actor,
        camera: CameraView,
        joint: Option<NodeId>,
    ) -> Frame<'a> {
        let (shown, surroundings) = (&self.shown, &self.surroundings);
        let (drawn, colors) = ((shown.view_mode, shown.lines), shown.weight_colors);
        Frame {
            inspection: actor.inspection(drawn, joint, colors, &camera),
            camera,
            background: self.background(),
            variant: self.variant.shown,
            lighting: actor.lighting(
                surroundings.light,
                surroundings.is_studio(),
                Some(surroundings.ground.height),
            ),
            layout: actor.layout(),
            palette: actor.palette(),
            crowd: actor.crowd(),
            properties: actor.properties(),
            draws: actor.draws(),
            overlay: None,
            grid: shown.grid.then_some(Grid {
                grey: if shown.dark {
                    Grid::ON_DARK
                } else {
                    Grid::ON_LIGHT
                },
                ..surroundings.ground
            }),
            pixels_per_point: self.skeleton.pixels_per_point,
        }
    }

    pub(super) fn select_clip(&mut self, clip: Option<usize>) {
        self.messages.take_back(Topic::GoneClip);
        self.keep_times();
        self.clip = clip;
        let duration_secs = self.actor.model().clip_secs(clip);
        self.find_rate();
        self.restart_clips(duration_secs);
        self.reset_timeline();
        self.recall_times();
        self.enter_range();
        // Who plays all clips goes on with them.
        if self.actor.crowd().is_none() || !self.plays_all_in_crowd() {
            self.crowd.time_secs = self.clock.time_secs();
            self.gather_crowd();
        }
        self.keep_apart();
    }
}
