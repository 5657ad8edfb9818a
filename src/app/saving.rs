//! Saving what the window shows, frame by frame between those of the screen: with the same pose, clips together and all, by
//! a renderer of its own.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::{Fault, Session, stage::Stage, timeline::ClipKey, window::Viewer};
use crate::{
    anim::Skinning,
    output::{Animation, AnimationWriter, FrameNames, Kind, write_still},
    render::{Gpu, Picture, Renderer},
    scene::{Background, Frame, OrbitCamera, studio},
    ui::{
        Clash, Command, Message, MessageKind, SavingCommand, SavingKind, SavingSettings, SavingView,
    },
};

/// How long a turn takes where nothing else says it.
const TURN_SECS: f64 = 4.0;
/// Frames that say which colours a GIF needs, and how many pixels each has at most.
const SAMPLES: u32 = 12;
const SAMPLE_PIXELS: f64 = 40_000.0;

/// What of saving is before the user.
#[derive(Debug)]
pub(super) struct SavingState {
    is_open: bool,
    pub(super) settings: SavingSettings,
    /// What was saved last: a picture or an animation, and a pose.
    last: [SavingKind; 2],
    /// What a clip with the pose will be called.
    pub(super) clip_name: String,
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
            last: [SavingKind::Picture, SavingKind::PoseJson],
            clip_name: "Pose".to_owned(),
            clash: None,
            job: None,
        }
    }
}

impl SavingState {
    /// Opens the dialog for pictures or for poses, or closes it if it is open for these.
    fn toggle(&mut self, is_pose: bool) {
        let is_that = self.settings.kind.is_pose() == is_pose;
        self.is_open = !(self.is_open && is_that);
        self.settings.kind = self.last[usize::from(is_pose)];
    }
}

impl Session {
    /// Opens, closes and sets; all else is the window's.
    pub(super) fn apply_saving(&mut self, command: SavingCommand) -> Option<Command> {
        let state = &mut self.saving;
        match command {
            SavingCommand::Toggle => state.toggle(false),
            SavingCommand::TogglePose => state.toggle(true),
            SavingCommand::Close => state.is_open = false,
            SavingCommand::Set(settings) => {
                state.settings = SavingSettings {
                    size: settings.size.map(|side| side.clamp(16, 8192)),
                    fps: if settings.fps.is_finite() {
                        settings.fps.clamp(1.0, 120.0)
                    } else {
                        state.settings.fps
                    },
                    ..settings
                };
                state.last[usize::from(settings.kind.is_pose())] = settings.kind;
            }
            SavingCommand::SetClipName(name) => state.clip_name = name,
            SavingCommand::Choose
            | SavingCommand::Stop
            | SavingCommand::Replace
            | SavingCommand::Keep => {
                state.is_open = false;
                state.clash = None;
                return Some(Command::Saving(command));
            }
        }
        None
    }

    /// Closes the question or the dialog. False if both were closed.
    pub(super) fn close_saving(&mut self) -> bool {
        self.saving.clash.take().is_some() || std::mem::take(&mut self.saving.is_open)
    }

    /// For the panels.
    pub(super) fn saving_view(&self) -> SavingView<'_> {
        let state = &self.saving;
        let job = state.job.as_ref();
        let is_taken = || {
            let mut clips = self.model().clips.iter();
            clips.any(|clip| clip.name() == state.clip_name)
        };
        SavingView {
            is_open: state.is_open,
            settings: state.settings,
            frames: self.frames_to_save(&state.settings),
            clip_name: &state.clip_name,
            is_name_taken: state.is_open && is_taken(),
            clash: state.clash.as_ref(),
            job: job.map(|(name, done, all)| (&**name, *done, *all)),
        }
    }

    /// Says what has come of saving a file.
    pub(super) fn tell_saved(&mut self, path: &Path, result: anyhow::Result<()>) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match result {
            Ok(()) => {
                log::info!("saved {}", path.display());
                self.message = Some(Message {
                    kind: MessageKind::Info,
                    title: format!("{name} is saved"),
                    detail: path.display().to_string(),
                    offer: None,
                });
            }
            Err(error) => self.report(Fault {
                title: format!("{name} cannot be saved"),
                detail: format!("{error:#}"),
                offer: None,
            }),
        }
    }

    /// Once through the clip, or the part of it that plays.
    pub(super) fn frames_to_save(&self, settings: &SavingSettings) -> u32 {
        let (from, to) = self.clock.bounds_secs();
        let secs = match settings.kind {
            SavingKind::Picture => return 1,
            kind if kind.is_pose() => return 1,
            _ if to > from => to - from,
            _ if settings.turntable => TURN_SECS,
            _ => return 1,
        };
        (secs * settings.fps).round().clamp(1.0, 100_000.0) as u32
    }

    /// A picture at a time of the clip, or at the present one. What is on screen stays as it is.
    fn picture_at(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        time_secs: Option<f64>,
        camera: OrbitCamera,
        size: [u32; 2],
        settings: &SavingSettings,
    ) -> anyhow::Result<Picture> {
        let (clock, aspect) = (self.clock.clone(), self.aspect());
        let mut was_secs = None;
        // What was posed by hand is in all frames, and stays: time comes back.
        let moment = self.posing.moment.take();
        if let Some(time_secs) = time_secs {
            self.clock.seek(time_secs);
            let crowd_secs = std::mem::replace(&mut self.crowd_secs, time_secs);
            was_secs = Some((self.mix.swap_time(time_secs), crowd_secs));
            self.is_stale = true;
        }
        self.set_aspect(size[0] as f32 / size[1] as f32);
        self.update();
        // Through a file's camera it is seen as on screen, animated too.
        let by_file = self
            .view_through_file(self.aspect())
            .filter(|_| !settings.turntable);
        let view = by_file.unwrap_or_else(|| camera.view_of(self.aspect(), &self.extent()));
        let frame = self.frame();
        let background = if settings.transparent {
            Background::Transparent
        } else {
            frame.background
        };
        let (mode, colors) = (self.shown.view_mode, self.shown.weight_colors);
        let frame = Frame {
            camera: view,
            inspection: self.actor.inspection(mode, self.selected, colors, &view),
            background,
            ..frame
        };
        let picture = Picture::draw(gpu, renderer, self.actor.model(), &frame, size);
        self.set_aspect(aspect);
        self.posing.moment = moment;
        if let Some((mix_secs, crowd_secs)) = was_secs {
            self.clock = clock;
            self.crowd_secs = crowd_secs;
            self.mix.swap_time(mix_secs);
            self.is_stale = true;
            self.update();
        }
        picture
    }
}

/// What is being saved.
pub(super) struct SavingJob {
    renderer: Renderer,
    path: PathBuf,
    settings: SavingSettings,
    camera: OrbitCamera,
    /// What is saved: another clip would be another animation.
    whose: ClipKey,
    frames: u32,
    next: u32,
    samples: Vec<Picture>,
    writer: Option<AnimationWriter>,
}

impl SavingJob {
    pub(super) fn new(
        session: &mut Session,
        gpu: &Gpu,
        path: PathBuf,
        settings: SavingSettings,
    ) -> Self {
        // What the device refused before has nothing to do with what it is asked now.
        gpu.forget_errors();
        Self {
            renderer: renderer_for(session, gpu),
            settings,
            camera: session.camera(),
            whose: session.clip_key(),
            frames: session.frames_to_save(&settings),
            path,
            next: 0,
            samples: Vec::new(),
            writer: None,
        }
    }

    /// Goes on with another device: what was drawn so far stays.
    fn renew(&mut self, session: &Session, gpu: &Gpu) {
        self.renderer = renderer_for(session, gpu);
    }

    /// Draws and writes one frame. True if it was the last.
    fn step(&mut self, session: &mut Session, gpu: &Gpu) -> anyhow::Result<bool> {
        ensure!(
            self.whose == session.clip_key(),
            "another model or clip is shown now"
        );
        let size = self.settings.size;
        let kind = match self.settings.kind {
            SavingKind::Picture => {
                let picture = session.picture_at(
                    gpu,
                    &mut self.renderer,
                    None,
                    self.camera,
                    size,
                    &self.settings,
                )?;
                write_still(&self.path, Kind::Png, &picture)?;
                return Ok(true);
            }
            SavingKind::Frames => Kind::Png,
            SavingKind::Gif => Kind::Gif,
            SavingKind::WebP => Kind::WebP,
            SavingKind::Apng => Kind::Apng,
            SavingKind::PoseJson | SavingKind::PoseMesh | SavingKind::PoseClip => {
                anyhow::bail!("a pose is no picture")
            }
        };
        let samples = SAMPLES.min(self.frames);
        if kind == Kind::Gif && (self.samples.len() as u32) < samples {
            let factor = (SAMPLE_PIXELS / f64::from(size[0] * size[1]))
                .sqrt()
                .min(1.0);
            let small = size.map(|side| ((f64::from(side) * factor) as u32).max(1));
            let frame = self.samples.len() as u32 * self.frames / samples;
            let sample = self.draw(session, gpu, frame, small)?;
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
                frames: self.frames,
                fps: self.settings.fps,
                is_transparent: self.settings.transparent,
            };
            let writer = match self.writer.take() {
                Some(writer) => writer,
                None => AnimationWriter::create(&self.path, kind, animation, &self.samples)?,
            };
            self.writer.insert(writer).push(&picture)?;
        }
        self.next += 1;
        if self.next < self.frames {
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
        let (from, _) = session.clock.bounds_secs();
        let time_secs = from + f64::from(frame) / self.settings.fps;
        let mut camera = self.camera;
        if self.settings.turntable {
            camera.azimuth_radians += std::f32::consts::TAU * frame as f32 / self.frames as f32;
        }
        session.picture_at(
            gpu,
            &mut self.renderer,
            Some(time_secs),
            camera,
            size,
            &self.settings,
        )
    }
}

/// A renderer of its own for what a session shows.
fn renderer_for(session: &Session, gpu: &Gpu) -> Renderer {
    let mut renderer = Renderer::new(gpu, Picture::FORMAT);
    let is_dual = session.motion.skinning == Skinning::DualQuaternion;
    renderer.prepare_for(session.light.quality, is_dual);
    renderer.set_model(gpu, session.model());
    match session.environment() {
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

    /// Saves a frame, if any are to be saved. True if more are.
    pub(super) fn step_saving(&mut self, stage: &Stage) -> bool {
        let Some(mut job) = self.outgoing.job.take() else {
            return false;
        };
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
                self.session.saving.job = Some((name, job.next, job.frames));
                self.outgoing.job = Some(job);
                return true;
            }
            Ok(true) => self.session.tell_saved(&job.path, Ok(())),
            Err(error) => self.session.tell_saved(&job.path, Err(error)),
        }
        // What has come of it is to be seen.
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use image::AnimationDecoder as _;

    use super::*;
    use crate::app::built_in;

    /// Frames are those of the clip, and what is on screen stays as it is.
    #[test]
    fn what_is_saved_leaves_the_window_alone() {
        let Ok(gpu) = Gpu::headless() else {
            assert!(std::env::var_os("REQUIRE_GPU").is_none(), "no adapter");
            println!("skipped: no adapter");
            return;
        };
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_aspect(1.7);
        session.apply(Command::SelectClip(Some(1)));
        session.apply(Command::Seek(0.3));
        session.update();
        let settings = SavingSettings {
            kind: SavingKind::Apng,
            size: [64, 48],
            fps: 4.0,
            turntable: false,
            transparent: true,
        };
        let before = (session.clock.clone(), session.camera(), session.aspect());
        let pose = session.actor.pose().world.clone();
        let path = std::env::temp_dir().join(format!("rigscope-{}.apng", std::process::id()));
        let mut job = SavingJob::new(&mut session, &gpu, path.clone(), settings);
        let mut steps = 0;
        while !job.step(&mut session, &gpu).unwrap() {
            assert!(!path.exists(), "it is there once it is whole");
            steps += 1;
        }
        let after = (session.clock.clone(), session.camera(), session.aspect());
        assert!(before == after && pose == session.actor.pose().world);
        let bytes = std::io::Cursor::new(std::fs::read(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
        let decoder = image::codecs::png::PngDecoder::new(bytes).unwrap();
        let frames = decoder.apng().unwrap().into_frames();
        let frames: Vec<_> = frames.map(|frame| frame.unwrap().into_buffer()).collect();
        // A walk of 1.07 s at 4 a second.
        assert_eq!([frames.len(), steps + 1], [4, 4]);
        assert!(frames[0] != frames[1] && frames[1] != frames[2]);
        let mut renderer = job.renderer;
        let still = session.picture_at(
            &gpu,
            &mut renderer,
            Some(0.5),
            before.1,
            [64, 48],
            &settings,
        );
        assert!(still.unwrap().rgba8 == *frames[2].as_raw());
    }

    /// What a device has refused before is over, and another device takes over where one is lost.
    #[test]
    fn saving_outlives_errors_and_devices() {
        let devices = || Gpu::headless().ok().zip(Gpu::headless().ok());
        let Some((first, second)) = devices() else {
            assert!(std::env::var_os("REQUIRE_GPU").is_none(), "no adapter");
            return;
        };
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspect(1.0);
        session.apply(Command::SelectClip(Some(1)));
        let _ = first.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 16,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE,
            mapped_at_creation: false,
        });
        assert!(first.first_error().is_some());
        let settings = SavingSettings {
            kind: SavingKind::Apng,
            size: [64, 48],
            fps: 4.0,
            ..SavingSettings::default()
        };
        let folder = std::env::temp_dir().join(format!("rigscope-renew-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut save = |name: &str, gpus: [&Gpu; 2]| {
            let path = folder.join(name);
            let mut job = SavingJob::new(&mut session, gpus[0], path.clone(), settings);
            job.step(&mut session, gpus[0]).unwrap();
            job.renew(&session, gpus[1]);
            while !job.step(&mut session, gpus[1]).unwrap() {}
            std::fs::read(path).unwrap()
        };
        let whole = save("whole.apng", [&first, &first]);
        assert!(whole == save("renewed.apng", [&first, &second]));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_model_that_comes_in_between_ends_it() {
        let Ok(gpu) = Gpu::headless() else { return };
        let new = || built_in::load("Windmill").unwrap();
        let mut session = Session::new(new(), None, Duration::ZERO);
        session.set_aspect(1.0);
        let path = std::env::temp_dir().join("rigscope-never.png");
        let mut job = SavingJob::new(&mut session, &gpu, path.clone(), SavingSettings::default());
        session.replace_model(new(), None, Duration::ZERO);
        assert!(job.step(&mut session, &gpu).is_err() && !path.exists());
    }
}
