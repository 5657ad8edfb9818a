//! Two subjects in one picture: what stands beside the model, and how they share it.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum as _};

use super::{
    ForeignClips, Look, RenderArguments, clip_names,
    eye::Eye,
    look::PictureMaker,
    motion::Motion,
    sheet::{color_on, ground_color},
    something_of,
};
use crate::{
    anim::{
        Skinning,
        difference::{NodeMatch, clip_like, phase_stretch},
    },
    app::{Actor, interrupt},
    cli::{find_variant, open_with},
    model::{Aabb, Model, NodeId},
    render::{Gpu, Picture},
    scene::{Background, Split, SplitWay, ViewMode},
};

/// At how many moments a motion is looked at, to frame it.
const MAX_MOMENTS: u32 = 32;
/// The colour (sRGB) of the line between two subjects where that of the ground is not known.
const LINE_COLOR: [u8; 3] = [136; 3];

/// What is drawn beside the model.
// Options that need `--compare` exclude what it excludes, too: clap asks for nothing that could not be given.
#[derive(Debug, Clone, Args)]
pub struct CompareArguments {
    /// Draw something else beside the model: another of its clips by name, "linear" or "dual-quaternion" for the same pose
    /// skinned in that way, or another file in the clip of the same name
    #[arg(long, value_name = "CLIP|SKINNING|FILE", conflicts_with_all = ["sheet", "crowd"])]
    pub compare: Option<String>,
    /// How the two share the picture: side (by side), wipe (in one place, each on its side of a line), or overlay (the
    /// other as a ghost, where it differs)
    #[arg(long, value_name = "WAY", default_value = "side", requires = "compare", conflicts_with_all = ["sheet", "crowd"])]
    pub split: SplitWay,
    /// Where the line between them is, as a part of the width; by itself 0.5. Beside each other both have a tenth at least
    #[arg(
        long,
        value_name = "PART",
        requires = "compare",
        conflicts_with_all = ["sheet", "crowd"],
        value_parser = parse_part,
        allow_negative_numbers = true
    )]
    pub split_at: Option<f32>,
    /// Both clips begin and end together, however long they are
    #[arg(long, requires = "compare", conflicts_with_all = ["sheet", "crowd"])]
    pub by_phase: bool,
}

impl CompareArguments {
    /// Refuses what nothing comes of.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.split_at.is_none() || self.split != SplitWay::Overlay,
            "--split-at needs a line between the two: --split side or wipe"
        );
        let skinning = self.skinning();
        ensure!(
            !self.by_phase || skinning.is_none(),
            "--by-phase needs two clips: both are in one here"
        );
        Ok(())
    }

    /// The other way of skinning that is asked for.
    fn skinning(&self) -> Option<Skinning> {
        let wanted = self.compare.as_ref()?;
        Skinning::from_str(wanted, false).ok()
    }
}

fn parse_part(text: &str) -> Result<f32, String> {
    let part = text.parse::<f32>().ok();
    part.filter(|part| (0.0..=1.0).contains(part))
        .ok_or_else(|| "a part of the width is a number from 0 to 1".to_owned())
}

/// Draws the line between two subjects, a pixel wide, unless one lies over the other, or has no more than a pixel.
fn draw_line(picture: &mut Picture, split: Split, background: Background) {
    let [first, second] = split.columns(picture.width);
    if split.way == SplitWay::Overlay || first.width.min(second.width) < 2 {
        return;
    }
    let [red, green, blue] = ground_color(background).map_or(LINE_COLOR, color_on);
    let at = 4 * first.left.max(second.left) as usize;
    for row in picture.rgba8.chunks_exact_mut(4 * picture.width as usize) {
        row[at..at + 4].copy_from_slice(&[red, green, blue, 255]);
    }
}

/// The second subject: what stands beside the model.
pub(super) struct SecondSubject {
    actor: Actor,
    clip: Option<usize>,
    pub(super) has_other_model: bool,
    pub(super) variant: Option<usize>,
    pub(super) joint: Option<NodeId>,
    pub(super) split: Split,
    is_by_phase: bool,
    /// What was read for it.
    pub(super) files: Vec<PathBuf>,
}

impl SecondSubject {
    /// Whether it is in a clip.
    pub(super) fn plays(&self) -> bool {
        self.clip.is_some()
    }

    /// What has a ground of its own under a model of its own, and its variant: not a ghost.
    pub(super) fn with_ground(&self) -> Option<(&Actor, Option<usize>)> {
        let has_ground = self.has_other_model && self.split.way != SplitWay::Overlay;
        has_ground.then_some((&self.actor, self.variant))
    }

    /// The length of that clip.
    pub(super) fn duration_secs(&self) -> Option<f64> {
        let clip = self.clip.and_then(|it| self.actor.model().clips.get(it))?;
        Some(f64::from(clip.duration_secs()))
    }

    /// What is asked for beside `actor`, which has `foreign` clips, in `clip`, with the textures that `gpu` can show.
    pub(super) fn new(
        arguments: &RenderArguments,
        (actor, foreign): (&Actor, &ForeignClips),
        clip: Option<usize>,
        look: &Look<'_>,
        gpu: Option<&Gpu>,
    ) -> anyhow::Result<Option<Self>> {
        let asked = &arguments.compare;
        let Some(wanted) = &asked.compare else {
            return Ok(None);
        };
        let skinning = asked.skinning();
        let is_clip = || foreign.find(actor.model(), wanted).ok();
        let mut this = Self {
            actor: actor.twin(),
            clip,
            has_other_model: false,
            variant: look.variant,
            joint: look.joint,
            split: Split {
                way: asked.split,
                at: asked.split_at.unwrap_or(0.5),
                is_swapped: false,
            },
            is_by_phase: asked.by_phase,
            files: Vec::new(),
        };
        let shows_difference = arguments.view == ViewMode::SkinningDifference;
        this.actor.show_difference(shows_difference);
        this.actor
            .set_skinning(skinning.unwrap_or(arguments.skinning));
        if skinning.is_some() {
            return Ok(Some(this));
        }
        if let Some(clip) = is_clip() {
            this.clip = Some(clip);
            return Ok(Some(this));
        }
        let import = interrupt::load(|progress| {
            if let Some(gpu) = gpu {
                progress.set_block_formats(gpu.block_formats());
            }
            open_with(Path::new(wanted), &[], arguments.opening, progress)
        });
        let import = match import? {
            Ok(import) => import,
            Err(error) => bail!(
                "{wanted:?} is no clip of {}, no way of skinning, and no file that can be opened: {error:#}",
                actor.model().name
            ),
        };
        let import = something_of(import, arguments)?;
        this.files = import.files;
        let (model, mut second) = (actor.model(), Actor::new(import.model));
        second.set_skinning(arguments.skinning);
        second.show_difference(shows_difference);
        this.clip = clip.and_then(|clip| clip_like(model, clip, second.model()));
        if let (Some(clip), None) = (clip, this.clip) {
            let name = model.clips.get(clip).map_or("", |clip| clip.name());
            log::warn!(
                "{} has no clip {name:?}: it stands still",
                second.model().name
            );
        }
        let variant = arguments.variant.as_ref();
        this.variant = variant.and_then(|wanted| find_variant(second.model(), wanted).ok());
        this.joint = look.joint.and_then(|joint| {
            let nodes = NodeMatch::new(&model.hierarchy, &second.model().hierarchy);
            nodes.second_of(joint)
        });
        this.actor = second;
        this.has_other_model = true;
        Ok(Some(this))
    }

    /// Fails if two clips shall begin and end together and there are not two.
    pub(super) fn check_phase(&self, first: &Model, clip: Option<usize>) -> anyhow::Result<()> {
        if !self.is_by_phase {
            return Ok(());
        }
        if clip.is_none() {
            let name = &first.name;
            ensure!(
                !first.clips.is_empty(),
                "--by-phase needs two clips: {name} has none"
            );
            bail!(
                "--by-phase needs two clips: --clip says which the first is ({})",
                clip_names(first)
            );
        }
        ensure!(
            self.plays(),
            "--by-phase needs two clips: {} has none of that name",
            self.actor.model().name
        );
        Ok(())
    }

    /// Takes the pose that belongs to a time of the first.
    pub(super) fn pose(&mut self, first: &Actor, clip: Option<usize>, time_secs: f64) {
        let own_secs = self.actor.model().clip_secs(self.clip);
        let stretch = match self.is_by_phase {
            true => phase_stretch([first.model().clip_secs(clip), own_secs]),
            false => 1.0,
        };
        self.actor.pose_at(self.clip, time_secs * stretch);
        self.actor.measure();
    }

    /// Puts the eye where it sees both, as far as what is asked for leaves that open.
    pub(super) fn frame(
        &mut self,
        eye: &mut Eye,
        first: &mut Actor,
        clip: Option<usize>,
        motion: &Motion,
        turns_radians: impl Iterator<Item = f32>,
        aspect: f32,
    ) {
        if eye.orbit(0.0).is_none() {
            return;
        }
        let (mut bounds, mut points) = (Aabb::EMPTY, Vec::new());
        for frame in motion.spread(MAX_MOMENTS) {
            let time_secs = motion.time_secs(frame);
            first.pose_at(clip, time_secs);
            self.pose(first, clip, time_secs);
            for actor in [&mut *first, &mut self.actor] {
                let now = actor.measure();
                bounds = bounds.union(now);
                if motion.frames == 1 {
                    actor.add_points(&mut points);
                } else {
                    points.extend(now.corners());
                }
            }
        }
        eye.frame_points(&bounds, &points, aspect, turns_radians);
    }

    /// Both in one picture.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        maker: &mut PictureMaker,
        first: &mut Actor,
        look: &Look<'_>,
        eye: (&Eye, f32),
    ) -> anyhow::Result<Picture> {
        let columns = self.split.drawn_columns(look.size[0]);
        let aspects = columns.map(|it| it.width as f32 / look.size[1] as f32);
        let (eye, turn) = eye;
        // One camera: also where it is that of the file.
        let [first_view, second_view] = aspects.map(|aspect| eye.view(first, aspect, turn));
        let cameras = [first_view?, second_view?];
        let second_look = Look {
            variant: self.variant,
            joint: self.joint,
            ground: Some(look.ground.unwrap_or(first.bounds())),
            ..*look
        };
        let actors = [(first, look), (&mut self.actor, &second_look)];
        let both = (self.split, self.has_other_model);
        let mut picture = maker.draw_pair(gpu, actors, cameras, both)?;
        draw_line(&mut picture, self.split, look.background);
        Ok(picture)
    }

    /// Uploads what it needs.
    pub(super) fn prepare(&self, gpu: &Gpu, maker: &mut PictureMaker) {
        maker.set_other_model(gpu, self.has_other_model.then(|| self.actor.model()));
    }
}
