//! What the user has before them and does to it; neither GPU nor window.

use std::{path::PathBuf, time::Duration};

use super::frame_steps::step_frames;
use super::transition::{MotionSettings, Part, Transition};
use crate::{
    anim::{Clock, guess_frame_rate},
    app::Actor,
    import::{Diagnostic, Import},
    model::{Aabb, Model, NodeId},
    scene::{Background, Frame, Grid, OrbitCamera, Repertoire, ViewMode, WeightColors},
    ui::{Command, Message, MessageKind, Offer, Panel},
};

/// What could not be done, in words for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What was to be done.
    pub title: String,
    /// Why it could not.
    pub detail: String,
    /// What could be done about it.
    pub offer: Option<Offer>,
}

/// A model, a clock, a camera, and what the user chose.
#[derive(Debug)]
pub struct Session {
    pub(super) actor: Actor,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where the model came from; none if it is built in.
    pub(super) path: Option<PathBuf>,
    pub(super) load_time: Duration,
    pub(super) clock: Clock,
    pub(super) clip: Option<usize>,
    pub(super) frames_per_sec: f64,
    pub(super) rate_is_guessed: bool,
    pub(super) selected: Option<NodeId>,
    pub(super) camera: OrbitCamera,
    pub(super) shown: Toggles,
    pub(super) message: Option<Message>,
    /// Width over height of the viewport; none before the first frame.
    aspect: Option<f32>,
    grid: Grid,
    pub(super) motion: MotionSettings,
    pub(super) transition: Transition,
    /// How many of the model are shown.
    crowd_size: usize,
    /// The crowd's time: it runs on where the clip starts again.
    crowd_secs: f64,
    /// The camera and the aspect of the view volume that the crowd was last posed for.
    crowd_view: Option<(OrbitCamera, f32)>,
    /// Whose materials are shown.
    variant: Option<usize>,
    /// The variant that models are to show which have it: a name or an index.
    wanted_variant: Option<String>,
    /// Whether the pose must be taken anew.
    pub(super) is_stale: bool,
    /// Counts the models, so that the window knows when to upload one.
    model_generation: u64,
}

/// What the user switches on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Toggles {
    pub(super) skeleton: bool,
    pub(super) grid: bool,
    pub(super) scene_panel: bool,
    pub(super) inspector_panel: bool,
    pub(super) keys: bool,
    pub(super) dark: bool,
    pub(super) view_mode: ViewMode,
    pub(super) weight_colors: WeightColors,
}

/// The rate of frame numbers where neither keys nor the user say one.
const DEFAULT_FRAMES_PER_SEC: f64 = 30.0;

impl Session {
    /// A session that shows `import` and plays its first clip.
    pub fn new(import: Import, path: Option<PathBuf>, load_time: Duration) -> Self {
        let mut this = Self {
            actor: Actor::new(Model::default()),
            diagnostics: Vec::new(),
            path: None,
            load_time,
            clock: Clock::new(0.0),
            clip: None,
            frames_per_sec: DEFAULT_FRAMES_PER_SEC,
            rate_is_guessed: false,
            selected: None,
            camera: OrbitCamera::default(),
            shown: Toggles {
                skeleton: false,
                grid: true,
                scene_panel: true,
                inspector_panel: true,
                keys: false,
                dark: true,
                view_mode: ViewMode::Lit,
                weight_colors: WeightColors::Heat,
            },
            message: None,
            aspect: None,
            grid: Grid::for_bounds(&Aabb::EMPTY),
            motion: MotionSettings::default(),
            transition: Transition::default(),
            crowd_size: 1,
            crowd_secs: 0.0,
            crowd_view: None,
            variant: None,
            wanted_variant: None,
            is_stale: true,
            model_generation: 0,
        };
        this.replace_model(import, path, load_time);
        this
    }

    /// Shows another model from the front and plays its first clip; speed, loop mode and what is shown stay as they are.
    pub fn replace_model(&mut self, import: Import, path: Option<PathBuf>, load_time: Duration) {
        self.actor = Actor::new(import.model);
        self.diagnostics = import.diagnostics;
        self.path = path;
        self.load_time = load_time;
        self.selected = None;
        self.variant = self.find_wanted_variant();
        self.message = None;
        self.model_generation += 1;
        self.transition.cut();
        self.follow_settings();
        // A file without anything to draw but joints is about its joints.
        let has_mesh = !self.actor.layout().placements().is_empty();
        if !has_mesh && !self.actor.skeleton().is_empty() {
            self.shown.skeleton = true;
        }
        let first_clip = (!self.model().clips.is_empty()).then_some(0);
        self.select_clip(first_clip);
        if first_clip.is_some() {
            self.clock.play();
        }
        self.camera = OrbitCamera::default();
        self.frame_model();
        self.grid = Grid::for_bounds(&self.actor.bounds());
    }

    /// Shows `count` of the model on a field instead of one.
    pub fn set_crowd_size(&mut self, count: usize) {
        self.crowd_size = count.max(1);
        self.gather_crowd();
        self.frame_model();
        self.grid = Grid::for_bounds(&self.actor.bounds());
    }

    fn gather_crowd(&mut self) {
        let repertoire = Repertoire::One(self.clip);
        self.actor.set_crowd(repertoire, self.crowd_size);
        self.is_stale = true;
    }

    /// Shows a variant, by its name or its index, on all models that have it.
    pub fn want_variant(&mut self, wanted: Option<String>) {
        self.wanted_variant = wanted;
        self.variant = self.find_wanted_variant();
    }

    fn find_wanted_variant(&self) -> Option<usize> {
        self.model().find_variant(self.wanted_variant.as_deref()?)
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

    /// The camera.
    pub fn camera(&self) -> &OrbitCamera {
        &self.camera
    }

    /// Changes whenever another model is shown.
    pub fn model_generation(&self) -> u64 {
        self.model_generation
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
            self.frame_model();
        }
    }

    pub(super) fn aspect(&self) -> f32 {
        self.aspect.unwrap_or(1.0)
    }

    /// Tells the user that something could not be done; what is shown stays.
    pub fn report(&mut self, fault: Fault) {
        self.message = Some(Message {
            kind: MessageKind::Error,
            title: fault.title,
            detail: fault.detail,
            offer: fault.offer,
        });
    }

    /// Lets time pass.
    pub fn tick(&mut self, elapsed_secs: f64) {
        if self.is_moving() {
            self.transition.tick(elapsed_secs);
            self.clock.tick(elapsed_secs);
            self.crowd_secs += elapsed_secs * self.clock.speed();
            self.is_stale = true;
        }
    }

    /// Takes the pose that the clock asks for, if anything changed. True if it did.
    pub fn update(&mut self) -> bool {
        let view = (self.camera, self.aspect());
        let is_culled_otherwise = self.actor.crowd().is_some() && self.crowd_view != Some(view);
        if !std::mem::take(&mut self.is_stale) && !is_culled_otherwise {
            return false;
        }
        let now = Part {
            clip: self.clip,
            time_secs: self.clock.time_secs(),
            weight: 1.0,
        };
        if self.transition.is_over() {
            self.actor.pose_at(now.clip, now.time_secs);
        } else {
            self.actor.pose_between(self.transition.parts(now));
        }
        let clip_from_world = self.camera.view(self.aspect()).clip_from_world();
        self.actor
            .pose_crowd(self.crowd_secs, Some(clip_from_world));
        self.crowd_view = Some(view);
        self.actor.estimate_bounds();
        if self.shown.skeleton {
            self.actor.shape_skeleton(self.selected);
        }
        true
    }

    /// What is to be drawn, as of the last [`Session::update`].
    pub fn frame(&self) -> Frame<'_> {
        let camera = self.camera.view(self.aspect());
        let (mode, colors) = (self.shown.view_mode, self.shown.weight_colors);
        Frame {
            inspection: self
                .actor
                .inspection(mode, self.selected, colors, camera.eye),
            camera,
            background: if self.shown.dark {
                Background::DARK
            } else {
                Background::LIGHT
            },
            variant: self.variant,
            layout: self.actor.layout(),
            palette: self.actor.palette(),
            properties: self.actor.properties(),
            draws: self.actor.draws(),
            overlay: self.shown.skeleton.then(|| self.actor.overlay()),
            grid: self.shown.grid.then_some(Grid {
                grey: if self.shown.dark {
                    Grid::ON_DARK
                } else {
                    Grid::ON_LIGHT
                },
                ..self.grid
            }),
        }
    }

    /// Does what the user asks. What only the window can do is handed back.
    pub fn apply(&mut self, command: Command) -> Option<Command> {
        match command {
            Command::TogglePlay => {
                if self.clock.is_playing() {
                    self.clock.pause();
                    self.transition.cut();
                    self.is_stale = true;
                } else {
                    self.clock.play();
                }
            }
            Command::Seek(time_secs) => self.seek(time_secs),
            Command::StepFrames(frames) => {
                self.clock.pause();
                self.seek(step_frames(
                    self.clock.time_secs(),
                    self.frames_per_sec,
                    frames,
                ));
            }
            Command::SeekStart => {
                self.clock.pause();
                self.seek(0.0);
            }
            Command::SeekEnd => {
                self.clock.pause();
                self.seek(self.clock.duration_secs());
            }
            Command::SetSpeed(speed) => self.clock.set_speed(speed),
            Command::SetLoopMode(mode) => self.clock.set_loop_mode(mode),
            Command::SetFrameRate(rate) => {
                if rate.is_finite() {
                    self.frames_per_sec = rate.clamp(1.0, 1000.0);
                    self.rate_is_guessed = false;
                }
            }
            Command::SelectClip(clip) => {
                if clip.is_none_or(|clip| clip < self.model().clips.len()) {
                    if self.clock.is_moving() {
                        let secs = self.motion.fade_secs;
                        self.transition.start(self.clip, &self.clock, secs);
                    }
                    self.select_clip(clip);
                }
            }
            Command::SelectScene(scene) => {
                if scene < self.model().scenes.len() {
                    self.actor.set_scene(scene);
                    self.gather_crowd();
                    self.frame_model();
                    self.grid = Grid::for_bounds(&self.actor.bounds());
                }
            }
            Command::SelectVariant(variant) => {
                if variant.is_none_or(|variant| variant < self.model().variants.len()) {
                    self.variant = variant;
                }
            }
            Command::SelectNode(node) => {
                let in_range = |node: &usize| *node < self.model().hierarchy.len();
                self.selected = node.filter(in_range).map(|node| NodeId(node as u32));
                self.is_stale = true;
            }
            Command::ToggleSkeleton => {
                self.shown.skeleton = !self.shown.skeleton;
                self.is_stale = true;
            }
            Command::SetViewMode(mode) => self.shown.view_mode = mode,
            Command::StepViewMode(steps) => {
                self.shown.view_mode = self.shown.view_mode.neighbour(steps);
            }
            Command::SetWeightColors(colors) => self.shown.weight_colors = colors,
            Command::ToggleGrid => self.shown.grid = !self.shown.grid,
            Command::TogglePanel(panel) => {
                let shown = match panel {
                    Panel::Scene => &mut self.shown.scene_panel,
                    Panel::Inspector => &mut self.shown.inspector_panel,
                    Panel::Keys => &mut self.shown.keys,
                };
                *shown = !*shown;
            }
            Command::FrameModel => self.frame_model(),
            Command::Orbit { right, down } => self.camera.orbit(right, down),
            Command::Pan { right, down } => self.camera.pan(right, down),
            Command::Zoom { notches, toward } => {
                let size = self.actor.bounds().diagonal();
                self.camera.zoom(notches, toward, self.aspect(), size);
            }
            Command::Pick { at, reach } => self.pick(at, reach),
            Command::DismissMessage => self.message = None,
            Command::AcceptOffer => {
                let accepted = self.message.take_if(|message| message.offer.is_some());
                return accepted.map(|_| Command::AcceptOffer);
            }
            Command::CloseFront => {
                if self.shown.keys {
                    self.shown.keys = false;
                } else if self.message.take().is_none() {
                    return Some(Command::CancelLoading);
                }
            }
            Command::ToggleDualQuaternions | Command::ToggleInPlace | Command::SetFade(_) => {
                self.apply_motion(&command);
            }
            Command::ToggleTheme => self.shown.dark = !self.shown.dark,
            Command::OpenDialog
            | Command::PastePath
            | Command::Open(_)
            | Command::OpenBuiltIn(_)
            | Command::CancelLoading
            | Command::ScaleUi(_)
            | Command::Quit => return Some(command),
        }
        None
    }

    fn seek(&mut self, time_secs: f64) {
        self.transition.cut();
        self.clock.seek(time_secs);
        self.crowd_secs = self.clock.time_secs();
        self.is_stale = true;
        log::debug!("time {:.4}", self.clock.time_secs());
    }

    fn select_clip(&mut self, clip: Option<usize>) {
        self.clip = clip;
        let found = clip.and_then(|clip| self.actor.model().clips.get(clip));
        let duration_secs = found.map_or(0.0, |clip| f64::from(clip.duration_secs()));
        let guess = found.and_then(guess_frame_rate);
        self.frames_per_sec = guess.unwrap_or(DEFAULT_FRAMES_PER_SEC);
        self.rate_is_guessed = guess.is_some();
        self.clock.restart(duration_secs);
        self.crowd_secs = self.clock.time_secs();
        self.gather_crowd();
    }

    fn frame_model(&mut self) {
        self.update();
        let aspect = self.aspect();
        self.actor.frame_camera(&mut self.camera, aspect);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::built_in;

    #[test]
    fn a_model_loaded_before_the_first_frame_is_framed_for_it() {
        let new = || Session::new(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        let (mut early, mut late) = (new(), new());
        early.set_aspect(0.3);
        late.set_aspect(0.3);
        late.apply(Command::FrameModel);
        assert_eq!(early.camera(), late.camera());
        early.apply(Command::Zoom {
            notches: 1.0,
            toward: [0.0; 2],
        });
        let zoomed = *early.camera();
        early.set_aspect(2.0);
        assert_eq!(*early.camera(), zoomed, "later sizes leave the view alone");
    }
}
