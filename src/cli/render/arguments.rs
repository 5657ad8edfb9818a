//! What `rigscope render` can be asked.

use std::path::PathBuf;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};

use super::motion::MAX_FRAMES;
use crate::{
    anim::Skinning,
    cli::{LightArguments, Moment, Opening, integer_in},
    output::Kind,
    scene::{Background, FormChoice, SurfaceLines, ViewMode, WeightColors},
};

/// Arguments of `render`.
#[derive(Debug, Clone, Args)]
#[command(override_usage = "rigscope render [OPTIONS] [MODEL] [FILE]...")]
pub struct RenderArguments {
    /// The model: a file, or a folder or .zip archive with one; none: the built-in one
    pub model: Option<PathBuf>,
    /// Files that the model may name, wherever they lie; with --out-dir further models
    #[arg(value_name = "FILE")]
    pub others: Vec<PathBuf>,
    /// What is agreed to.
    #[command(flatten)]
    pub opening: Opening,
    /// Where the picture goes: a .png, .jpg or .webp file, or an animation: .gif, .apng, and .webp with several frames.
    /// Several frames as .png or .jpg are files with numbers, where {:04} stands in the name, or at its end; where it stands
    /// there files of all kinds hold one picture. - is standard output, wants --format, and takes several .png or .jpg, too, one
    /// after the other
    #[arg(
        short,
        long,
        value_name = "OUT",
        required_unless_present = "out_dir",
        conflicts_with = "out_dir"
    )]
    pub output: Option<PathBuf>,
    /// What is written of each model.
    #[command(flatten)]
    pub sequence: SequenceArguments,
    /// What is written of several models.
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Which moment of it.
    #[command(flatten)]
    pub moment: Moment,
    /// Draw the pose in a file that `rigscope pose` has printed, or that was saved in the window
    #[arg(
        long,
        value_name = "POSE.json",
        conflicts_with_all = ["clip", "time", "clips_from", "retarget", "sheet", "crowd", "compare"]
    )]
    pub pose: Option<PathBuf>,
    /// What is drawn beside it.
    #[command(flatten)]
    pub compare: super::CompareArguments,
    /// Show this variant of the materials, by its name or its index
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub variant: Option<String>,
    /// Size of the picture in pixels, or the side of a square one; 1280x720, with --sheet 192x192 for each pose
    #[arg(long, value_name = "WxH", value_parser = parse_size, allow_negative_numbers = true)]
    pub size: Option<[u32; 2]>,
    /// Draw so many times as wide and high and average it, for smoother edges
    #[arg(long, value_name = "FACTOR", default_value_t = 1, value_parser = integer_in(1..=8), allow_negative_numbers = true)]
    pub scale: u32,
    /// Draw N of the model on a field, each somewhere else in its clip; without --clip in all clips
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in(1..=100_000), allow_negative_numbers = true)]
    pub crowd: u32,
    /// How the matrices of a crowd go to the graphics adapter: full, 48 bytes each; compact, 32, also where that changes
    /// them by a ten-thousandth; or auto, as by itself: compact where it changes nothing
    #[arg(long, value_name = "FORM")]
    pub palette: Option<FormChoice>,
    /// What to draw of surfaces
    #[arg(long, value_name = "NAME", default_value = "lit")]
    pub view: ViewMode,
    /// The joint that --view weights is about
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub joint: Option<String>,
    /// Colours of --view weights: heat, as by itself, or viridis (told apart by colour-blind eyes)
    #[arg(long, value_name = "NAME")]
    pub weight_colors: Option<WeightColors>,
    /// How the joints that move a vertex are blended: linear, as glTF asks, or dual-quaternion
    #[arg(long, value_name = "NAME", default_value = "linear")]
    pub skinning: Skinning,
    /// Draw the skeleton, too; it is drawn anyway where there is nothing else to draw
    #[arg(long)]
    pub skeleton: bool,
    /// Draw the ground grid, too
    #[arg(long)]
    pub grid: bool,
    /// Draw the edges of all triangles over surfaces, too
    #[arg(long)]
    pub wires: bool,
    /// Draw the normals of vertices as lines, too
    #[arg(long)]
    pub normals: bool,
    /// What shines.
    #[command(flatten)]
    pub light: LightArguments,
    /// Draw the model's shadow on the ground, too
    #[arg(long)]
    pub ground: bool,
    /// One colour behind the model, "environment" for the environment, or "none" for a picture with alpha
    #[arg(long, value_name = "RRGGBB|environment|none", value_parser = parse_background)]
    pub background: Option<Background>,
    /// A picture with alpha: the same as --background none. Shadows on the ground are as dark on a page as with a
    /// background; other colours that let half of it through look otherwise where programs mix them as sRGB, as browsers do
    #[arg(long, conflicts_with = "background")]
    pub transparent: bool,
    /// How blurred the environment is behind the model, from 0 to 1
    #[arg(long, value_name = "BLUR", default_value_t = 0.0, value_parser = parse_blur, allow_negative_numbers = true)]
    pub blur: f32,
    /// The point that the camera looks at; without it the posed model is framed
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_numbers::<3>, allow_hyphen_values = true)]
    pub target: Option<[f32; 3]>,
    /// Where the camera stands: degrees around (0 from +Z, growing towards +X), degrees from +Y, distance
    #[arg(long, value_name = "AZIMUTH,POLAR,RADIUS", value_parser = parse_orbit, allow_hyphen_values = true)]
    pub orbit: Option<[f32; 3]>,
    /// A camera of the file, by its name or its index; or where the camera stands: degrees around, degrees above the
    /// horizon, and the distance, without which the model is framed
    #[arg(
        long,
        value_name = "NAME|AZIMUTH,ELEVATION[,DISTANCE]",
        conflicts_with = "orbit",
        value_parser = parse_camera,
        allow_hyphen_values = true
    )]
    pub camera: Option<CameraChoice>,
    /// Full vertical angle of view in degrees
    #[arg(long, value_name = "DEGREES", value_parser = parse_fov, allow_negative_numbers = true)]
    pub fov: Option<f32>,
    /// What is framed: the pose, or the whole motion, so that the camera stands still; for several frames the motion
    #[arg(long, value_name = "pose|motion")]
    pub framing: Option<Framing>,
}

impl RenderArguments {
    /// Size of the picture, or with `--sheet` of a pose.
    pub fn size(&self) -> [u32; 2] {
        self.size.unwrap_or(match self.sequence.sheet {
            Some(_) => [192, 192],
            None => [1280, 720],
        })
    }

    /// What is behind the model.
    pub fn background(&self) -> Background {
        match self.background {
            _ if self.transparent => Background::Transparent,
            Some(Background::Environment { .. }) => Background::Environment { blur: self.blur },
            Some(other) => other,
            None => Background::DARK,
        }
    }

    /// How the matrices of a crowd go to the adapter.
    pub(super) fn crowd_form(&self) -> FormChoice {
        self.palette.unwrap_or_default()
    }

    /// What lies over surfaces.
    pub(super) fn lines(&self) -> SurfaceLines {
        SurfaceLines {
            wires: self.wires,
            normals: self.normals,
        }
    }

    /// The colours of a joint's weights.
    pub(super) fn weight_colors(&self) -> WeightColors {
        self.weight_colors.unwrap_or_default()
    }

    /// Refuses what nothing would come of without another option, or beside one.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.blur > 0.0 && !matches!(self.background, Some(Background::Environment { .. })) {
            bail!("--blur needs --background environment");
        }
        if self.view != ViewMode::Weights {
            ensure!(self.joint.is_none(), "--joint needs --view weights");
            ensure!(
                self.weight_colors.is_none(),
                "--weight-colors needs --view weights"
            );
        }
        if self.view != ViewMode::Lit {
            let ground = self.ground.then_some("--ground");
            let lit = ground.or_else(|| self.light.first_given());
            if let Some(option) = lit {
                bail!("{option} needs --view lit: no light shines in the other views");
            }
        }
        if let (true, Some(option)) = (self.ground, self.light.without_shadows()) {
            bail!("--ground shows the model's shadow, and with {option} there is none");
        }
        self.compare.check()?;
        ensure!(
            self.palette.is_none() || self.crowd > 1,
            "--palette needs --crowd with 2 or more"
        );
        if let Some(CameraChoice::OfFile(_)) = &self.camera {
            let around = [
                ("--turntable", self.sequence.turntable),
                ("--fov", self.fov.is_some()),
                ("--target", self.target.is_some()),
                ("--framing", self.framing.is_some()),
            ];
            if let Some((option, _)) = around.into_iter().find(|(_, is_given)| *is_given) {
                bail!("{option} needs a camera around the model; --camera names one of the file");
            }
        }
        // The ground lies under what is framed.
        let is_placed = self.target.is_some() && self.distance().is_some();
        let is_free = !is_placed || self.ground || self.grid;
        ensure!(
            self.framing.is_none() || is_free,
            "--framing needs a camera that is free: it has a --target and a distance"
        );
        Ok(())
    }

    /// How far from its target the camera shall stand.
    fn distance(&self) -> Option<f32> {
        match (&self.camera, self.orbit) {
            (Some(CameraChoice::Around { distance, .. }), _) => *distance,
            (_, orbit) => orbit.map(|[.., radius]| radius),
        }
    }
}

/// What `--camera` names.
#[derive(Debug, Clone, PartialEq)]
pub enum CameraChoice {
    /// One around the model.
    Around {
        /// 0 from +Z, growing towards +X.
        azimuth_degrees: f32,
        /// Above the horizon.
        elevation_degrees: f32,
        /// Above 0; without it the model is framed.
        distance: Option<f32>,
    },
    /// One of the file, by its name or its index.
    OfFile(String),
}

/// What is written of each model: one picture, or many.
#[derive(Debug, Clone, Args)]
pub struct SequenceArguments {
    /// What the files are, whatever their names say
    #[arg(long, value_name = "NAME", ignore_case = true)]
    pub format: Option<Kind>,
    /// Draw N frames, from --time on; past the clip's end it begins again. GIF, APNG, and with --clip files with numbers: once
    /// through the clip
    #[arg(long, value_name = "N", value_parser = integer_in(1..=MAX_FRAMES), allow_negative_numbers = true)]
    pub frames: Option<u32>,
    /// Frames a second; by itself those that the keys of the clip lie at, up to 60, and else 30
    #[arg(long, value_name = "RATE", value_parser = parse_rate, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Past the clip's end its last pose stays; GIF, WebP and APNG play once
    #[arg(long)]
    pub no_loop: bool,
    /// Move the camera once around the model over the frames, of which there are 4 seconds without a clip
    #[arg(long)]
    pub turntable: bool,
    /// One picture with N poses of every clip (or of --clip), a row each
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["frames", "turntable", "crowd", "time", "fps", "no_loop"],
        value_parser = integer_in(1..=100)
    )]
    pub sheet: Option<u32>,
}

impl SequenceArguments {
    /// Whether pictures of a model are files with numbers, if their name does not say so.
    pub(super) fn is_numbered(&self, kind: Kind) -> bool {
        // How many there are of a turn is known with the clip, and one is refused.
        let are_several = self.frames.map_or(self.turntable, |frames| frames > 1);
        are_several && self.sheet.is_none() && !kind.holds_motion()
    }

    /// Refuses what nothing comes of in a single picture; `is_whole` frames are as many as once through the clip.
    pub(super) fn check(&self, is_whole: bool) -> anyhow::Result<()> {
        let is_one = self.frames.map_or(!is_whole, |frames| frames == 1);
        if self.turntable || self.sheet.is_some() || !is_one {
            return Ok(());
        }
        let sequence = [("--fps", self.fps.is_some()), ("--no-loop", self.no_loop)];
        if let Some((option, _)) = sequence.into_iter().find(|(_, is_given)| *is_given) {
            bail!(
                "{option} needs several frames: --frames or --turntable, also for a .webp file that moves, or a .gif or .apng file"
            );
        }
        Ok(())
    }
}

/// What is written of several models.
#[derive(Debug, Clone, Args)]
pub struct BatchArguments {
    /// Draw each of the models into a file of this folder that is named like it, and where several have one name also like its
    /// folders; go on when one fails. Prints a line for each, with tabs: "drawn", the model, its first file and the time, or
    /// "failed", the model and why
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
    /// Draw the models that this file names, one on each line, from the current folder, too; - is standard input
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Of all models draw only each N-th, from the I-th on (counted from 0): a share of the work
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
}

/// A share of a list: those at `index`, `index + count`, ...
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Below `count`.
    pub index: usize,
    /// How many shares there are.
    pub count: usize,
}

impl Shard {
    /// Whether what is at `place` of the list belongs to it.
    pub fn has(self, place: usize) -> bool {
        place % self.count == self.index
    }
}

/// What the camera is made to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Framing {
    /// One pose.
    Pose,
    /// All poses from the first frame to the last; of one picture, all of the clip.
    Motion,
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    if let Some(side) = text.parse().ok().filter(|&side| side > 0) {
        return Ok([side, side]);
    }
    let sides = text.split_once(['x', 'X', '×']);
    let sides = sides.and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    match sides {
        Some([width, height]) if width > 0 && height > 0 => Ok([width, height]),
        _ => Err("a size is written like 1280x720, or 256 for 256x256".to_owned()),
    }
}

/// Reads a number of frames a second.
pub(in crate::cli) fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok();
    rate.filter(|rate| (0.1..=1000.0).contains(rate))
        .ok_or_else(|| "a rate is a number from 0.1 to 1000".to_owned())
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
    match parts {
        Some((index, count)) if index < count => Ok(Shard { index, count }),
        _ => Err("a share is written like 0/16, and the last one is 15/16".to_owned()),
    }
}

fn parse_background(text: &str) -> Result<Background, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Background::Transparent);
    }
    if text.eq_ignore_ascii_case("environment") {
        return Ok(Background::Environment { blur: 0.0 });
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err("a colour is written like 20242c; or environment, or none".to_owned());
    }
    let rgb = u32::from_str_radix(digits, 16).map_err(|error| error.to_string())?;
    let channel = |shift: u32| (rgb >> shift & 0xff) as f32 / 255.0;
    Ok(Background::Plain([channel(16), channel(8), channel(0)]))
}

fn parse_blur(text: &str) -> Result<f32, String> {
    let blur = text.parse::<f32>().ok();
    blur.filter(|blur| (0.0..=1.0).contains(blur))
        .ok_or_else(|| "a blur is a number from 0 to 1".to_owned())
}

fn parse_fov(text: &str) -> Result<f32, String> {
    let fov = text.parse::<f32>().ok();
    fov.filter(|fov| (0.1..=179.0).contains(fov))
        .ok_or_else(|| "an angle of view is a number from 0.1 to 179".to_owned())
}

fn parse_orbit(text: &str) -> Result<[f32; 3], String> {
    let orbit = parse_numbers::<3>(text)?;
    check_distance(orbit[2]).map(|()| orbit)
}

fn parse_camera(text: &str) -> Result<CameraChoice, String> {
    let ([azimuth_degrees, elevation_degrees], distance) = if let Ok(angles) = parse_numbers(text) {
        (angles, None)
    } else if let Ok([azimuth, elevation, distance]) = parse_numbers(text) {
        check_distance(distance)?;
        ([azimuth, elevation], Some(distance))
    } else {
        return Ok(CameraChoice::OfFile(text.to_owned()));
    };
    Ok(CameraChoice::Around {
        azimuth_degrees,
        elevation_degrees,
        distance,
    })
}

fn check_distance(distance: f32) -> Result<(), String> {
    if distance > 0.0 {
        Ok(())
    } else {
        Err(format!("a distance is above 0, not {distance}"))
    }
}

/// So many numbers with commas between them.
fn parse_numbers<const N: usize>(text: &str) -> Result<[f32; N], String> {
    let numbers = text.split(',').map(|number| number.trim().parse::<f32>());
    let numbers: Result<Vec<_>, _> = numbers.collect();
    numbers
        .ok()
        .filter(|numbers| numbers.iter().all(|number| number.is_finite()))
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("{N} numbers with commas between them are needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_sizes_colors_and_numbers() {
        assert_eq!(parse_size("640x480"), Ok([640, 480]));
        assert_eq!(parse_size("256"), Ok([256, 256]));
        assert!(parse_size("0").is_err() && parse_size("0x5").is_err());
        assert_eq!(parse_background("NONE"), Ok(Background::Transparent));
        assert_eq!(
            parse_background("ff0000"),
            Ok(Background::Plain([1.0, 0.0, 0.0]))
        );
        assert_eq!(
            parse_background("environment"),
            Ok(Background::Environment { blur: 0.0 })
        );
        let share = parse_shard("2/3").unwrap();
        assert!(share.has(5) && !share.has(6));
        assert!(
            ["3/3", "1", "-1/2", "0/0"]
                .iter()
                .all(|text| parse_shard(text).is_err())
        );
        assert_eq!(parse_rate("23.976"), Ok(23.976));
        assert!(
            ["0", "nan", "-5", "1e9"]
                .iter()
                .all(|text| parse_rate(text).is_err())
        );
        assert!(parse_blur("1.5").is_err() && parse_blur("nan").is_err());
        assert!(parse_background("+f0000").is_err() && parse_background("red").is_err());
        assert_eq!(parse_numbers::<3>("-1, 2,3.5"), Ok([-1.0, 2.0, 3.5]));
        assert_eq!(parse_fov("0.1"), Ok(0.1));
        assert!(
            ["0", "179.5", "nan", "wide"]
                .iter()
                .all(|text| parse_fov(text).is_err())
        );
        assert!(parse_numbers::<3>("1,2").is_err() && parse_numbers::<3>("1,2,nan").is_err());
    }

    #[test]
    fn tells_cameras_around_the_model_from_those_of_the_file() {
        let around = |distance| CameraChoice::Around {
            azimuth_degrees: -30.0,
            elevation_degrees: 20.0,
            distance,
        };
        assert_eq!(parse_camera("-30,20"), Ok(around(None)));
        assert_eq!(parse_camera("-30, 20, 4"), Ok(around(Some(4.0))));
        for name in ["0", "front", "1,2,3,4", "left, far"] {
            assert_eq!(
                parse_camera(name),
                Ok(CameraChoice::OfFile(name.to_owned()))
            );
        }
        assert!(parse_camera("-30,20,0").is_err() && parse_orbit("0,90,-1").is_err());
        assert_eq!(parse_orbit("0,90,2"), Ok([0.0, 90.0, 2.0]));
    }
}
