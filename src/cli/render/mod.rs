//! `rigscope render`: pictures of models without a window, still or moving.

mod arguments;
#[cfg(test)]
mod as_typed;
mod batch;
mod compare;
mod empty;
mod eye;
#[cfg(test)]
mod from_window;
mod lettering;
mod loaded;
mod look;
mod motion;
mod needed;
mod posed;
mod sheet;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};

pub use compare::CompareArguments;
pub use look::PictureMaker;
pub use posed::draw;

pub(super) use arguments::parse_rate;
pub use arguments::{
    BatchArguments, CameraChoice, Framing, RenderArguments, SequenceArguments, Shard,
};

use self::{
    compare::SecondSubject,
    empty::{
        is_turned_away, tell_if_empty, tell_if_no_ground_shadow, tell_if_no_normals,
        tell_if_nothing_of_view,
    },
    eye::Eye,
    loaded::{Loaded, load, something_of},
    look::Look,
    motion::{MAX_FRAMES, Motion},
    posed::draw_posed,
};
use super::{ForeignClips, check_that_time_counts, clip_names, inputs::Inputs, meter::Meter};
use crate::{
    anim::{USUAL_FRAME_RATE, guess_frame_rate},
    app::{Actor, MachineFault, PoseFile, interrupt},
    model::{Clip, Keyed as _},
    output::{
        Animation, AnimationWriter, FrameNames, Kind, check_writable, color_sample_size,
        color_samples, write_still,
    },
    render::{Gpu, Pace, Picture},
    scene::{Background, Repertoire, ViewMode},
};

/// Runs the command and returns the exit code: 2 if one of several models failed.
pub fn run(arguments: &RenderArguments) -> anyhow::Result<u8> {
    arguments.check()?;
    if let Some(folder) = &arguments.batch.out_dir {
        return batch::run(arguments, folder);
    }
    interrupt::watch();
    if arguments.batch.list.is_some() || arguments.batch.shard.is_some() {
        bail!("--list and --shard need --out-dir");
    }
    let output = arguments.output.as_deref().unwrap_or(Path::new(""));
    let kind = kind_of(arguments, output)?;
    let pattern = FrameNames::pattern(output)?;
    let is_whole = is_whole_clip(arguments, kind, pattern.as_ref());
    arguments.sequence.check(is_whole)?;
    if arguments.sequence.sheet.is_some() && pattern.is_some() {
        bail!(
            "--sheet draws one picture, and {} numbers many",
            output.display()
        );
    }
    check_writable(
        &pattern
            .as_ref()
            .map_or(output.to_owned(), |it| it.of_frame(0)),
    )?;
    // What is wrong with the model is said first, but the adapter says how its textures are wanted.
    let gpu = Gpu::headless().map_err(|error| MachineFault(error.into()));
    let model = arguments.model.as_ref();
    let loaded = load(model, &arguments.others, arguments, gpu.as_ref().ok())?;
    let scene = Scene::new(loaded, arguments, gpu.as_ref().ok())?;
    let gpu = gpu?;
    let mut maker = PictureMaker::new(&gpu, arguments)?;
    let target = Target {
        output,
        names: pattern,
        kind,
        kept: None,
    };
    scene.write(&gpu, &mut maker, target)?;
    Ok(0)
}

/// What a file shall be: as is asked for, or as its name says.
fn kind_of(arguments: &RenderArguments, output: &Path) -> anyhow::Result<Kind> {
    let by_name = || Kind::from_path(output);
    let kind = arguments.sequence.format.or_else(by_name);
    let kind = kind.with_context(|| {
        let all = Kind::ALL.iter();
        let names: Vec<_> = all.map(|kind| format!(".{}", kind.key())).collect();
        let names = names.join(", ");
        format!(
            "{} needs --format, or a name with one of {names}",
            output.display()
        )
    })?;
    if !kind.holds_alpha() && arguments.background() == Background::Transparent {
        bail!("a JPEG cannot be transparent: .png and .webp can");
    }
    // How large a sheet is follows from the clips of a model.
    if arguments.sequence.sheet.is_none() {
        kind.check_size(arguments.size())?;
    }
    Ok(kind)
}

/// Whether all of a clip is drawn where nobody says how many frames.
fn is_whole_clip(arguments: &RenderArguments, kind: Kind, pattern: Option<&FrameNames>) -> bool {
    match pattern {
        None => matches!(kind, Kind::Gif | Kind::Apng),
        Some(_) => arguments.moment.clip.is_some(),
    }
}

/// What shall be written.
struct Target<'a> {
    output: &'a Path,
    /// Of pictures that are files each, where these do not follow from their number.
    names: Option<FrameNames>,
    kind: Kind,
    /// What may not be written over beside what the pictures are made of.
    kept: Option<&'a Inputs>,
}

/// Where frames go.
enum Files<'a> {
    /// Where all go to one after the other: a single one, unless it is standard output.
    One(&'a Path),
    Numbered(FrameNames),
    Moving(AnimationWriter),
}

/// A model, and what is to be drawn of it.
struct Scene<'a> {
    actor: Actor,
    clip: Option<usize>,
    look: Look<'a>,
    eye: Eye,
    /// What is drawn beside it.
    second: Option<SecondSubject>,
    inputs: Inputs,
    /// Whether something could be seen in a picture that was drawn.
    is_seen: bool,
}

impl<'a> Scene<'a> {
    fn new(
        loaded: Loaded,
        arguments: &'a RenderArguments,
        gpu: Option<&Gpu>,
    ) -> anyhow::Result<Self> {
        let Loaded {
            import,
            foreign,
            mut inputs,
        } = loaded;
        let clip = match &arguments.moment.clip {
            Some(wanted) => Some(foreign.find(&import.model, wanted)?),
            None => None,
        };
        let look = Look::new(arguments, &import.model)?;
        let mut actor = Actor::new(import.model);
        tell_if_empty(&actor);
        tell_if_no_normals(&actor, &look);
        tell_if_nothing_of_view(&actor, &look);
        let eye = Eye::new(arguments, &actor)?;
        if let Some(file) = &arguments.pose {
            PoseFile::read(file)?.hold(&mut actor)?;
        }
        actor.set_skinning(arguments.skinning);
        actor.show_difference(arguments.view == ViewMode::SkinningDifference);
        let repertoire = clip.map_or(Repertoire::All, |clip| Repertoire::One(Some(clip)));
        actor.set_form_choice(arguments.crowd_form());
        actor.set_crowd(repertoire, arguments.crowd as usize);
        let second = SecondSubject::new(arguments, (&actor, &foreign), clip, &look, gpu)?;
        inputs.extend(second.iter().flat_map(|second| &second.files));
        if let Some(second) = &second {
            second.check_phase(actor.model(), clip)?;
        }
        tell_if_no_ground_shadow(&actor, second.as_ref(), &look);
        let this = Self {
            actor,
            clip,
            look,
            eye,
            is_seen: second.is_some(),
            second,
            inputs,
        };
        if !this.plays() {
            check_that_time_counts(this.actor.model(), arguments.moment.time)?;
            ensure!(
                arguments.framing != Some(Framing::Motion) || this.actor.model().clips.is_empty(),
                "--framing motion needs --clip ({})",
                clip_names(this.actor.model())
            );
        }
        Ok(this)
    }

    /// Whether anything is in a clip.
    fn plays(&self) -> bool {
        let is_crowd = self.actor.crowd().is_some() && !self.actor.model().clips.is_empty();
        self.clip.is_some() || is_crowd || self.second.as_ref().is_some_and(SecondSubject::plays)
    }

    /// Draws all that is asked for; returns the first file.
    fn write(
        mut self,
        gpu: &Gpu,
        maker: &mut PictureMaker,
        target: Target<'_>,
    ) -> anyhow::Result<PathBuf> {
        let Target {
            output,
            names,
            kind,
            kept,
        } = target;
        maker.set_model(gpu, self.actor.model());
        if let Some(second) = &self.second {
            second.prepare(gpu, maker);
        }
        if let Some(poses) = self.look.arguments.sequence.sheet {
            self.check_kept(output, kept)?;
            maker.set_pace(Pace::Frames);
            let sheet = sheet::draw(&mut self, gpu, maker, (kind, poses))?;
            write_still(output, kind, &sheet)?;
            self.tell_if_unseen();
            return Ok(output.to_owned());
        }
        let is_numbered = !kind.holds_motion() || names.is_some();
        let arguments = self.look.arguments;
        let is_whole = is_whole_clip(arguments, kind, names.as_ref());
        let motion = self.motion(&arguments.sequence, is_whole);
        self.check_frames(&motion, is_whole)?;
        self.frame(&motion);
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        maker.set_pace(match motion.frames {
            1 => Pace::Still,
            _ => Pace::Frames,
        });
        let meter = Meter::new(&name, motion.frames as usize);
        let mut files = if let Some(names) = names {
            Files::Numbered(names)
        } else if output == Path::new("-") && is_numbered {
            Files::One(output)
        } else if motion.frames > 1 && is_numbered {
            Files::Numbered(FrameNames::literal(output))
        } else if motion.frames == 1 {
            self.check_kept(output, kept)?;
            Files::One(output)
        } else {
            self.check_kept(output, kept)?;
            let samples = match kind {
                Kind::Gif => self.samples(gpu, maker, &motion)?,
                _ => Vec::new(),
            };
            let animation = Animation {
                size: self.look.size,
                frames: motion.frames,
                fps: motion.fps,
                is_transparent: self.look.background == Background::Transparent,
                repeats: !motion.ends,
            };
            Files::Moving(AnimationWriter::create(output, kind, animation, &samples)?)
        };
        if let Files::Numbered(names) = &files {
            // All of them before the first is written: half a sequence is of no use.
            for frame in 0..motion.frames {
                self.check_kept(&names.of_frame(frame), kept)?;
            }
        }
        for frame in 0..motion.frames {
            interrupt::check()?;
            meter.set(frame as usize);
            let picture = self.draw(gpu, maker, &motion, frame, self.look)?;
            match &mut files {
                Files::One(path) => write_still(path, kind, &picture)?,
                Files::Numbered(names) => write_still(&names.of_frame(frame), kind, &picture)?,
                Files::Moving(writer) => writer.push(&picture)?,
            }
        }
        self.tell_if_unseen();
        match files {
            Files::Moving(writer) => writer.finish().map(|()| output.to_owned()),
            Files::Numbered(names) => Ok(names.of_frame(0)),
            Files::One(path) => Ok(path.to_owned()),
        }
    }

    /// Fails if a file is needed, here or elsewhere.
    fn check_kept(&self, file: &Path, kept: Option<&Inputs>) -> anyhow::Result<()> {
        self.inputs.check(file)?;
        kept.map_or(Ok(()), |kept| kept.check(file))
    }

    /// The frames that are asked for.
    fn motion(&self, sequence: &SequenceArguments, is_whole: bool) -> Motion {
        let clips = &self.actor.model().clips;
        let secs_of = |clip: &Clip| f64::from(clip.duration_secs());
        let secs = match self.clip {
            Some(clip) => clips.get(clip).map(secs_of),
            // A crowd without a clip plays them all.
            None if self.actor.crowd().is_some() => clips.iter().map(secs_of).reduce(f64::max),
            None => self.second.as_ref().and_then(SecondSubject::duration_secs),
        };
        let start_secs = self.look.arguments.moment.time;
        let rate = self
            .clip
            .and_then(|clip| guess_frame_rate(clips.get(clip)?));
        let rate = rate.unwrap_or(USUAL_FRAME_RATE);
        let clip = secs.map(|secs| (secs, rate));
        let motion = Motion::new(sequence, start_secs, clip, is_whole);
        Motion {
            // A crowd has a time of its own, in which everybody begins again for himself.
            loop_secs: motion.loop_secs.filter(|_| self.actor.crowd().is_none()),
            ..motion
        }
    }

    /// Many pictures of the same are seldom what is meant, nor is an animation of one, or one that lasts for days.
    fn check_frames(&self, motion: &Motion, is_whole: bool) -> anyhow::Result<()> {
        let model = self.actor.model();
        let (frames, asked) = (motion.frames, self.look.arguments.sequence.frames);
        ensure!(
            frames <= MAX_FRAMES,
            "an animation needs --frames here: all of the clip is more than {MAX_FRAMES}"
        );
        if motion.is_turntable {
            ensure!(frames > 1, "--turntable needs --frames with 2 or more");
        } else if !self.plays() && (frames > 1 || is_whole && asked.is_none()) {
            let (what, still) = if frames > 1 {
                (format!("{frames} frames need"), "")
            } else {
                ("an animation needs".to_owned(), ", or --frames 1")
            };
            if model.clips.is_empty() {
                let name = &model.name;
                bail!("{what} --turntable{still}: {name} has no clips");
            }
            let clips = clip_names(model);
            bail!("{what} --clip ({clips}), or --turntable{still}");
        }
        Ok(())
    }

    /// Puts the camera in its place.
    fn frame(&mut self, motion: &Motion) {
        let arguments = self.look.arguments;
        let framing = arguments.framing.unwrap_or(if motion.frames > 1 {
            Framing::Motion
        } else {
            Framing::Pose
        });
        // One picture has its place in the whole of its clip.
        let whole = match framing {
            Framing::Motion if motion.frames == 1 => {
                let sequence = SequenceArguments {
                    frames: None,
                    ..arguments.sequence.clone()
                };
                self.motion(&sequence, true).from(0.0)
            }
            _ => *motion,
        };
        // The narrower half must hold what it shows.
        let width = self.look.size[0];
        let halves = self.second.as_ref().map(|it| it.split.drawn_columns(width));
        let narrowest = halves.map_or(width, |[a, b]| a.width.min(b.width));
        let aspect = narrowest as f32 / self.look.size[1] as f32;
        let bounds = motion::frame(
            &mut self.eye,
            &mut self.actor,
            self.clip,
            &whole,
            framing,
            aspect,
        );
        if let Some(second) = &mut self.second {
            let seen = if framing == Framing::Pose {
                Motion { frames: 1, ..whole }
            } else {
                whole
            };
            let (eye, actor) = (&mut self.eye, &mut self.actor);
            second.frame(eye, actor, self.clip, &seen, whole.turns(), aspect);
        }
        if framing == Framing::Motion {
            self.look.ground = Some(bounds);
        }
    }

    /// One frame.
    fn draw(
        &mut self,
        gpu: &Gpu,
        maker: &mut PictureMaker,
        motion: &Motion,
        frame: u32,
        look: Look<'_>,
    ) -> anyhow::Result<Picture> {
        let time_secs = motion.time_secs(frame);
        self.actor.pose_at(self.clip, time_secs);
        self.actor.measure();
        let turn = motion.turn_radians(frame);
        self.is_seen = self.is_seen || !is_turned_away(&self.actor, &self.eye, &look, turn);
        let posed = (&mut self.actor, self.clip, time_secs);
        let eye = (&self.eye, turn);
        draw_posed(gpu, maker, posed, self.second.as_mut(), &look, eye)
    }

    /// Pictures that say which colours a GIF needs.
    fn samples(
        &mut self,
        gpu: &Gpu,
        maker: &mut PictureMaker,
        motion: &Motion,
    ) -> anyhow::Result<Vec<Picture>> {
        let small = Look {
            size: color_sample_size(self.look.size),
            scale: 1,
            ..self.look
        };
        color_samples(motion.frames)
            .map(|frame| {
                interrupt::check()?;
                self.draw(gpu, maker, motion, frame, small)
            })
            .collect()
    }
}
