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
    picture::{SkeletonState, Surroundings},
    posing::Posing,
    saving::SavingState,
    time::TimelineState,
    wanted::find_variant,
};
use crate::{
    anim::{Clock, USUAL_FRAME_RATE, guess_frame_rate},
    import::Import,
    model::{Clip, Model, NodeId},
    scene::{CameraView, Frame, Grid, OrbitCamera, SurfaceLines, ViewMode, WeightColors},
};

/// A model of more triangles is not framed anew while the window is pulled into another shape.
const MAX_TRIANGLES: usize = 1_000_000;

/// A model, a clock, a camera, and what the user chose.
#[derive(Debug)]
pub struct Session {
    pub(super) actor: Actor,
    pub(super) document: Document,
    pub(super) clock: Clock,
    pub(super) clip: Option<usize>,
    pub(super) rate: FrameRate,
    pub(super) selected: Option<NodeId>,
    pub(super) camera: CameraRig,
    pub(super) inspected: Inspected,
    pub(super) shown: Toggles,
    pub(super) surroundings: Surroundings,
    pub(super) messages: Messages,
    /// Width over height of the viewport; none before the first frame.
    aspect: Option<f32>,
    pub(super) mix: Mix,
    pub(super) motion: MotionSettings,
    pub(super) transition: Transition,
    pub(super) timeline: TimelineState,
    pub(super) front: Front,
    pub(super) files: FilesState,
    pub(super) skeleton: SkeletonState,
    pub(super) posing: Posing,
    pub(super) history: History,
    pub(super) saving: SavingState,
    pub(super) compare: Compare,
    pub(super) crowd: CrowdState,
    /// Whose materials are shown.
    pub(super) variant: Option<usize>,
    /// The variant that models are to show which have it: a name or an index.
    wanted_variant: Option<String>,
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

/// The rate of frame numbers, and who says it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FrameRate {
    /// Nobody.
    Unknown,
    /// The keys of the clip: frames a second.
    Guessed(f64),
    /// The user: frames a second.
    Set(f64),
}

impl FrameRate {
    /// As the keys of a clip say it.
    pub(super) fn of(clip: Option<&Clip>) -> Self {
        let guess = clip.and_then(guess_frame_rate);
        guess.map_or(Self::Unknown, Self::Guessed)
    }

    /// Frames a second, if the user says it.
    pub(super) fn set_per_sec(self) -> Option<f64> {
        match self {
            Self::Set(rate) => Some(rate),
            Self::Unknown | Self::Guessed(_) => None,
        }
    }

    /// Frames a second.
    pub(super) fn per_sec(self) -> f64 {
        match self {
            Self::Unknown => USUAL_FRAME_RATE,
            Self::Guessed(rate) | Self::Set(rate) => rate,
        }
    }
}

impl Session {
    /// A session that shows `import` and plays its first clip.
    pub fn new(import: Import, path: Option<PathBuf>, load_time: Duration) -> Self {
        let mut this = Self {
            actor: Actor::new(Model::default()),
            document: Document::default(),
            clock: Clock::new(0.0),
            clip: None,
            rate: FrameRate::Unknown,
            selected: None,
            camera: CameraRig::new(),
            inspected: Inspected::default(),
            shown: Toggles {
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
            },
            surroundings: Surroundings::default(),
            messages: Messages::default(),
            aspect: None,
            mix: Mix::default(),
            motion: MotionSettings::default(),
            transition: Transition::default(),
            front: Front::default(),
            timeline: TimelineState::default(),
            files: FilesState::default(),
            saving: SavingState::default(),
            skeleton: SkeletonState::default(),
            posing: Posing::default(),
            history: History::default(),
            compare: Compare::default(),
            crowd: CrowdState::default(),
            variant: None,
            wanted_variant: None,
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
        let wanted = self.wanted_variant.as_deref();
        self.variant = wanted.and_then(|wanted| find_variant(self.model(), wanted).ok());
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

    /// Shows a variant, by its name or its index, on all models from now on that have it.
    pub fn want_variant(&mut self, wanted: Option<String>) {
        self.wanted_variant = wanted;
    }

    /// Index of the variant whose materials are shown.
    pub fn variant(&self) -> Option<usize> {
        self.variant
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

    /// Says how wide the viewport is for its height.
    pub fn set_aspect(&mut self, aspect: f32) {
        let is_first = self.aspect.replace(aspect).is_none();
        if is_first {
            // A model that was loaded before the first frame was framed for a viewport that nobody knew.
            self.frame_first();
        }
    }

    /// [`Self::set_aspect`] of a window in another shape: as long as the camera is where the model was first seen from, all of
    /// the model stays in the picture.
    pub(super) fn set_window_aspect(&mut self, aspect: f32) {
        let before = self.aspect;
        self.set_aspect(aspect);
        self.look_at_first_alone();
        let has_changed = before.is_some_and(|before| before != aspect);
        // Of very large models that takes too long to go along with a hand. They are not counted in every frame either.
        let is_quick = |session: &Self| session.model().triangle_count() <= MAX_TRIANGLES;
        if has_changed && self.camera.is_first() && is_quick(self) {
            self.frame_first();
        }
    }

    pub(super) fn aspect(&self) -> f32 {
        self.aspect.unwrap_or(1.0)
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
        self.pose_compared();
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
            variant: self.variant,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::built_in,
        ui::{CameraCommand, Command},
    };

    #[test]
    fn a_model_loaded_before_the_first_frame_is_framed_for_it() {
        let new = || Session::new(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        let (mut early, mut late) = (new(), new());
        early.set_aspect(0.3);
        late.set_aspect(0.3);
        late.replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        assert_eq!(early.camera(), late.camera());
        early.apply(Command::Camera(CameraCommand::Zoom {
            notches: 1.0,
            toward: [0.0; 2],
        }));
        let zoomed = early.camera();
        early.set_aspect(2.0);
        early.set_window_aspect(0.7);
        assert_eq!(early.camera(), zoomed, "later sizes leave the view alone");
        // But where nobody has moved it yet.
        late.set_window_aspect(2.0);
        let mut wide = new();
        wide.set_aspect(2.0);
        assert_eq!(late.camera(), wide.camera());
    }
}
