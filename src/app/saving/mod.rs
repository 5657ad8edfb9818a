//! Saving what the window shows, frame by frame between those of the screen: with the same pose, clips together, what is
//! compared and all, by a renderer of its own; the pose that is shown; and what plays, as an animation of the model.

use std::path::{Path, PathBuf};

use super::{
    Session,
    camera::HeldCamera,
    messages::Topic,
    window::{Stage, Viewer},
};
use crate::{
    anim::Skinning,
    output::{
        Animation, AnimationWriter, FrameNames, Kind, color_sample_size, color_samples, write_still,
    },
    render::{Gpu, Picture, Renderer},
    scene::{CameraView, studio},
    ui::{Clash, Message, PictureKind, SavingGroup, SavingKind, SavingSettings, SavingView},
};

mod animation;
mod aside;
mod clash;
mod closing;
mod command_line;
mod commands;
mod dialog;
mod film;
mod look;
mod moment;
mod place;
mod plan;
mod pose;
mod pose_report;
mod render_command;
mod shown_files;
mod stopping;
#[cfg(test)]
mod tests;
mod words;
mod written;

pub use command_line::RenderCommand;
pub(super) use dialog::{Outgoing, SaveAsked};
use moment::Moment;
use place::Place;
use plan::SavingPlan;
pub use pose_report::{MeshReport, PoseMoment, PoseReport};
pub use shown_files::ShownFiles;
pub(super) use written::SavedAside;

/// What of saving is before the user.
#[derive(Debug)]
pub(super) struct SavingState {
    pub(super) is_open: bool,
    pub(super) settings: SavingSettings,
    /// What was saved last of each group.
    last: [SavingKind; SavingGroup::ALL.len()],
    /// What a clip with the pose will be called.
    pub(super) clip_name: String,
    /// What an animation with what plays will be called.
    animation_name: String,
    /// What was proposed for that last: another one is the user's own.
    proposed_animation_name: String,
    place: Place,
    /// The rate that was proposed last: another one is the user's own.
    proposed_rate: f64,
    /// Files that would be replaced, until the user says whether they may.
    pub(super) clash: Option<Clash>,
    /// The name of what is being saved, frames done, and all frames; 0 where nobody counts them.
    pub(super) job: Option<(String, u32, u32)>,
}

impl Default for SavingState {
    fn default() -> Self {
        Self {
            is_open: false,
            settings: SavingSettings::default(),
            last: SavingGroup::ALL.map(|group| group.kinds()[0]),
            clip_name: "Pose".to_owned(),
            animation_name: String::new(),
            proposed_animation_name: String::new(),
            place: Place::default(),
            proposed_rate: SavingSettings::default().fps,
            clash: None,
            job: None,
        }
    }
}

impl SavingState {
    /// Opens the dialog for a group, or closes it if it is open for that.
    fn toggle(&mut self, group: SavingGroup) {
        let is_that = self.settings.kind.group() == group;
        self.is_open = !(self.is_open && is_that);
        self.settings.kind = self.last[group as usize];
    }

    /// Saves as this kind.
    fn set_kind(&mut self, kind: SavingKind) {
        self.settings.kind = kind;
        self.last[kind.group() as usize] = kind;
    }

    /// What the clip that is saved will be called.
    fn clip_name_mut(&mut self) -> &mut String {
        match self.settings.kind {
            SavingKind::Animation => &mut self.animation_name,
            SavingKind::Pose(_) | SavingKind::Picture(_) => &mut self.clip_name,
        }
    }

    fn clip_name(&self) -> &str {
        match self.settings.kind {
            SavingKind::Animation => &self.animation_name,
            SavingKind::Pose(_) | SavingKind::Picture(_) => &self.clip_name,
        }
    }
}

impl Session {
    fn toggle_saving(&mut self, group: SavingGroup) {
        self.saving.toggle(group);
        self.propose_rate();
        self.open_place();
    }

    /// Proposes the rate of the clip, whose frames are saved as they are then, unless the user has set another.
    fn propose_rate(&mut self) {
        let (least, most) = SavingSettings::RATES.into_inner();
        let rate = self.timeline.rate.per_sec().clamp(least, most);
        let state = &mut self.saving;
        let before = std::mem::replace(&mut state.proposed_rate, rate);
        if state.settings.fps == before {
            state.settings.fps = rate;
        }
    }

    /// Closes the question, or else the dialog.
    pub(super) fn close_saving(&mut self) {
        if self.saving.clash.take().is_none() {
            self.saving.is_open = false;
        }
    }

    /// For the panels.
    pub(super) fn saving_view(&self) -> SavingView<'_> {
        let state = &self.saving;
        let job = state.job.as_ref();
        SavingView {
            is_open: state.is_open,
            settings: state.settings,
            frames: match state.settings.kind {
                SavingKind::Animation => self.moments_to_save(),
                _ => self.frames_to_save(&state.settings),
            },
            play_secs: self.film().play_secs().unwrap_or_default(),
            seam: state.place.seam(),
            clip_name: state.clip_name(),
            is_name_taken: state.is_open && self.is_own_clip_name(state.clip_name()),
            unplayed: self.unplayed(),
            keeps_keys: state.is_open && self.clip_alone().is_some(),
            samples_root: self.clip.is_some_and(|clip| self.actor.samples_root(clip)),
            file_name: state.place.name(),
            folder: state.place.folder(),
            fault: state.place.fault(),
            what: state.place.what(),
            has_no_chooser: state.place.has_no_chooser,
            clash: state.clash.as_ref(),
            compares: self.split().is_some(),
            job: job.map(|(name, done, all)| (&**name, *done, *all)),
        }
    }

    /// Says what has come of saving a file, and what is in it.
    pub(super) fn tell_saved(&mut self, path: &Path, what: &str, result: anyhow::Result<()>) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.end_job();
        match result {
            Ok(()) => {
                log::info!("saved {}", path.display());
                self.messages.take_back(Topic::Saving);
                self.tell(Message::info(
                    format!("{name} is saved"),
                    format!("{what}\n{}", path.display()),
                ));
            }
            Err(error) => {
                let title = format!("{name} cannot be saved");
                let message = Message::error(title, format!("{error:#}")).in_sentences();
                self.messages.tell(Topic::Saving, message);
            }
        }
    }

    /// A picture at a moment. What is on screen stays as it is.
    fn picture_at(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        shot: &Shot,
        plan: &SavingPlan,
    ) -> anyhow::Result<Picture> {
        let [width, height] = shot.size;
        let widths = match &plan.pair {
            Some(pair) => pair.split.drawn_columns(width).map(|part| part.width),
            None => [width; 2],
        };
        let aspects = widths.map(|width| width as f32 / height as f32);
        let aside = self.put_aside(plan, shot.moment, aspects);
        let cameras = self.cameras_of(shot, plan, aspects);
        // Whom the window does not show may be seen here.
        self.pose_crowd_for(cameras[0]);
        let picture = self.draw_seen(gpu, renderer, cameras, plan, shot.size);
        self.take_up(aside);
        picture
    }

    /// What A and B are seen by, as they are posed.
    fn cameras_of(&self, shot: &Shot, plan: &SavingPlan, aspects: [f32; 2]) -> [CameraView; 2] {
        let held = &shot.camera;
        let place = held.followed().and_then(|node| self.place_of(node));
        let mut camera = held.at(place);
        if let Some(pair) = &plan.pair {
            camera.radius *= pair.step_back(aspects[0].min(aspects[1]));
        }
        // Through a file's camera it is seen as on screen, animated too.
        let by_file = held.file_camera.filter(|_| !plan.settings.turntable);
        aspects.map(|aspect| {
            let by_file = by_file.and_then(|node| self.actor.file_camera(node, aspect));
            by_file.unwrap_or_else(|| camera.view_of(aspect, &self.extent()))
        })
    }

    /// Draws what is posed: A, or A and B.
    fn draw_seen(
        &self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        cameras: [CameraView; 2],
        plan: &SavingPlan,
        size: [u32; 2],
    ) -> anyhow::Result<Picture> {
        let pair = self.with_pair_seen(
            cameras,
            |frame| plan.before(frame),
            |pair| Picture::draw_pair(gpu, renderer, pair, size),
        );
        pair.unwrap_or_else(|| {
            let frame = plan.before(self.frame_seen(cameras[0]));
            Picture::draw(gpu, renderer, self.actor.model(), &frame, size)
        })
    }
}

/// One picture of those that are saved.
struct Shot {
    moment: Moment,
    camera: HeldCamera,
    size: [u32; 2],
}

/// What is being saved.
pub(super) struct SavingJob {
    renderer: Renderer,
    path: PathBuf,
    kind: PictureKind,
    plan: SavingPlan,
    next: u32,
    samples: Vec<Picture>,
    writer: Option<AnimationWriter>,
}

impl SavingJob {
    pub(super) fn new(
        session: &mut Session,
        gpu: &Gpu,
        path: PathBuf,
        kind: PictureKind,
        plan: SavingPlan,
    ) -> anyhow::Result<Self> {
        plan.check(session)?;
        // What the device refused before has nothing to do with what it is asked now.
        gpu.forget_errors();
        Ok(Self {
            renderer: renderer_for(session, gpu, &plan),
            plan,
            path,
            kind,
            next: 0,
            samples: Vec::new(),
            writer: None,
        })
    }

    /// Goes on with another device: what was drawn so far stays.
    fn renew(&mut self, session: &Session, gpu: &Gpu) {
        self.renderer = renderer_for(session, gpu, &self.plan);
    }

    /// Draws and writes one frame. True if it was the last.
    fn step(&mut self, session: &mut Session, gpu: &Gpu) -> anyhow::Result<bool> {
        self.plan.check(session)?;
        let (settings, frames) = (self.plan.settings, self.plan.frames);
        let size = settings.size;
        let kind = match self.kind {
            PictureKind::Still => {
                let shot = Shot {
                    moment: self.plan.now,
                    camera: self.plan.camera,
                    size,
                };
                let picture = session.picture_at(gpu, &mut self.renderer, &shot, &self.plan)?;
                write_still(&self.path, Kind::Png, &picture)?;
                return Ok(true);
            }
            PictureKind::Frames => Kind::Png,
            PictureKind::Gif => Kind::Gif,
            PictureKind::WebP => Kind::WebP,
            PictureKind::Apng => Kind::Apng,
        };
        let mut samples = color_samples(frames).skip(self.samples.len());
        if kind == Kind::Gif
            && let Some(frame) = samples.next()
        {
            let sample = self.draw(session, gpu, frame, color_sample_size(size))?;
            self.samples.push(sample);
            return Ok(false);
        }
        let picture = self.draw(session, gpu, self.next, size)?;
        if kind == Kind::Png {
            let file = FrameNames::new(&self.path).of_frame(self.next);
            write_still(&file, kind, &picture)?;
        } else {
            let animation = Animation {
                size,
                frames,
                fps: settings.fps,
                is_transparent: settings.transparent,
                repeats: self.plan.film.repeats(),
            };
            let writer = match self.writer.take() {
                Some(writer) => writer,
                None => AnimationWriter::create(&self.path, kind, animation, &self.samples)?,
            };
            self.writer.insert(writer).push(&picture)?;
        }
        self.next += 1;
        if self.next < frames {
            return Ok(false);
        }
        self.writer.take().map_or(Ok(()), AnimationWriter::finish)?;
        Ok(true)
    }

    fn draw(
        &mut self,
        session: &mut Session,
        gpu: &Gpu,
        frame: u32,
        size: [u32; 2],
    ) -> anyhow::Result<Picture> {
        let SavingPlan {
            settings,
            frames,
            film,
            ..
        } = &self.plan;
        let (settings, frames) = (*settings, *frames);
        let mut camera = self.plan.camera;
        if settings.turntable {
            camera.orbit.azimuth_radians += film.turn_radians(frame, frames);
        }
        let shot = Shot {
            moment: film.moment(frame, frames, settings.fps),
            camera,
            size,
        };
        session.picture_at(gpu, &mut self.renderer, &shot, &self.plan)
    }
}

/// A renderer of its own for what a session shows, and what is planned to be beside it.
fn renderer_for(session: &Session, gpu: &Gpu, plan: &SavingPlan) -> Renderer {
    let mut renderer = Renderer::new(gpu, Picture::FORMAT);
    let is_dual = plan.look.motion.skinning == Skinning::DualQuaternion;
    renderer.prepare_for(plan.look.light.quality, is_dual, plan.look.shown.view_mode);
    renderer.set_model(gpu, session.model());
    renderer.set_other_model(gpu, session.model_of_kept(plan.pair.as_ref()));
    match session.surroundings.environment() {
        Some(panorama) => renderer.set_environment(gpu, panorama),
        None => renderer.set_environment(gpu, &studio()),
    }
    renderer
}

impl Viewer {
    /// Goes on with another device.
    pub(super) fn renew_saving(&mut self, stage: &Stage) {
        if let Some(job) = &mut self.outgoing.job {
            job.renew(&self.session, &stage.gpu);
        }
    }

    /// Saves a frame, if any are to be saved. True if that was done: who waits for events is to come again at once.
    pub(super) fn step_saving(&mut self) -> bool {
        // A device that is lost is made anew with the next frame of the window.
        let Some(stage) = self.stage.as_ref().filter(|stage| !stage.is_lost()) else {
            return false;
        };
        let Some(mut job) = self.outgoing.job.take() else {
            return false;
        };
        // How far it is, or what has come of it, is to be seen.
        stage.request_redraw();
        let name = job.path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let step = match job.step(&mut self.session, &stage.gpu) {
            // The frame comes from the next device; nothing of it was written.
            Err(_) if stage.gpu.is_lost() => Ok(false),
            step => step,
        };
        self.session.saving.job = None;
        match step {
            Ok(false) => {
                self.session.saving.job = Some((name, job.next, job.plan.frames));
                self.outgoing.job = Some(job);
            }
            ended => {
                let what = job.plan.what.sentence();
                self.session.tell_saved(&job.path, &what, ended.map(|_| ()));
            }
        }
        true
    }
}
