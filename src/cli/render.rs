//! `rigscope render`: a picture of a model at a time, without a window.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use glam::Vec3;

use super::{
    LightArguments, MachineFault, Moment, Opening, find_clip, find_node, find_variant, open_with,
    parse_skinning,
};
use crate::{
    anim::Skinning,
    app::{Actor, built_in, nothing_left},
    import::Progress,
    render::{Gpu, Picture, Renderer},
    scene::{
        Background, Frame, Grid, OrbitCamera, Repertoire, SkeletonLook, ViewMode, WeightColors,
    },
};

/// Arguments of `render`.
#[derive(Debug, Clone, Args)]
pub struct RenderArguments {
    /// The model: a file, or a folder or .zip archive with one; none: the built-in one
    pub model: Option<PathBuf>,
    /// Files that the model may name, wherever they lie
    #[arg(value_name = "FILE")]
    pub others: Vec<PathBuf>,
    /// What is agreed to.
    #[command(flatten)]
    pub opening: Opening,
    /// Where the picture goes: a .png file
    #[arg(short, long, value_name = "OUT.png")]
    pub output: PathBuf,
    /// Which moment of it.
    #[command(flatten)]
    pub moment: Moment,
    /// Show this variant of the materials, by its name or its index
    #[arg(long, value_name = "NAME|INDEX")]
    pub variant: Option<String>,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    pub size: [u32; 2],
    /// Draw N of the model on a field, each somewhere else in its clip; without --clip in all clips
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub crowd: u32,
    /// What to draw of surfaces: lit, wireframe, faces, base-color, alpha, vertex-color, metallic, roughness, occlusion,
    /// emissive, normal, geometric-normal, tangent, uv, weights, joints, influences, depth or overdraw
    #[arg(long, value_name = "NAME", default_value = "lit", value_parser = parse_view)]
    pub view: ViewMode,
    /// The joint that --view weights is about
    #[arg(long, value_name = "NAME|INDEX")]
    pub joint: Option<String>,
    /// Colours of --view weights: heat, or viridis (told apart by colour-blind eyes)
    #[arg(long, value_name = "NAME", default_value = "heat", value_parser = parse_weight_colors)]
    pub weight_colors: WeightColors,
    /// How the joints that move a vertex are blended: linear, as glTF asks, or dual-quaternion
    #[arg(long, value_name = "NAME", default_value = "linear", value_parser = parse_skinning)]
    pub skinning: Skinning,
    /// Draw the skeleton, too
    #[arg(long)]
    pub skeleton: bool,
    /// Draw the ground grid, too
    #[arg(long)]
    pub grid: bool,
    /// What shines.
    #[command(flatten)]
    pub light: LightArguments,
    /// Draw the model's shadow on the ground, too
    #[arg(long)]
    pub ground: bool,
    /// One colour behind the model, "environment" for the surroundings, or "none" for a picture with alpha
    #[arg(long, value_name = "RRGGBB|environment|none", value_parser = parse_background)]
    pub background: Option<Background>,
    /// How blurred the surroundings are behind the model, from 0 to 1
    #[arg(long, value_name = "BLUR", default_value_t = 0.0, value_parser = parse_blur)]
    pub blur: f32,
    /// The point that the camera looks at; without it the posed model is framed
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_numbers::<3>, allow_hyphen_values = true)]
    pub target: Option<[f32; 3]>,
    /// Where the camera stands: degrees around (0 from +Z, growing towards +X), degrees from +Y, distance
    #[arg(long, value_name = "AZIMUTH,POLAR,RADIUS", value_parser = parse_numbers::<3>, allow_hyphen_values = true)]
    pub orbit: Option<[f32; 3]>,
    /// Full vertical angle of view in degrees
    #[arg(long, value_name = "DEGREES")]
    pub fov: Option<f32>,
}

/// Runs the command.
pub fn run(arguments: &RenderArguments) -> anyhow::Result<()> {
    // What is wrong with the model is said first, but the adapter says how its textures are wanted.
    let gpu = Gpu::headless().map_err(|error| MachineFault(error.into()));
    let progress = Progress::default();
    if let Ok(gpu) = &gpu {
        progress.set_block_formats(gpu.block_formats());
    }
    let import = match &arguments.model {
        Some(path) => open_with(path, &arguments.others, arguments.opening, &progress)?,
        None => built_in::load(built_in::NAMES[0])?,
    };
    for diagnostic in &import.diagnostics {
        log::warn!("{diagnostic}");
    }
    if let Some(reason) = nothing_left(&import) {
        bail!("{}: {reason}", import.model.name);
    }
    let clip = match &arguments.moment.clip {
        Some(wanted) => Some(find_clip(&import.model, wanted)?),
        None => None,
    };
    let mut actor = Actor::new(import.model);
    actor.set_skinning(arguments.skinning);
    actor.pose_at(clip, arguments.moment.time);
    let repertoire = clip.map_or(Repertoire::All, |clip| Repertoire::One(Some(clip)));
    actor.set_crowd(repertoire, arguments.crowd as usize);
    let gpu = gpu?;
    let picture = draw(&gpu, &mut actor, arguments)?;
    let file = &arguments.output;
    image::save_buffer(
        file,
        &picture.rgba8,
        picture.width,
        picture.height,
        image::ColorType::Rgba8,
    )
    .with_context(|| format!("{} cannot be written", file.display()))
}

/// The picture of an actor in its pose.
pub fn draw(gpu: &Gpu, actor: &mut Actor, arguments: &RenderArguments) -> anyhow::Result<Picture> {
    let aspect = arguments.size[0] as f32 / arguments.size[1] as f32;
    let camera = camera(arguments, actor, aspect)?;
    actor.pose_crowd(
        arguments.moment.time,
        Some(camera.view(aspect).clip_from_world()),
    );
    if arguments.skeleton {
        actor.shape_skeleton(&SkeletonLook::default());
    }
    let joint = match &arguments.joint {
        Some(wanted) => Some(find_node(actor.model(), wanted)?),
        None if arguments.view == ViewMode::Weights => {
            bail!("--view weights needs a joint: --joint NAME or its index")
        }
        None => None,
    };
    let view = camera.view(aspect);
    let variant = match &arguments.variant {
        Some(wanted) => Some(find_variant(actor.model(), wanted)?),
        None => None,
    };
    let mut renderer = Renderer::new(gpu, Picture::FORMAT);
    let is_dual = arguments.skinning == Skinning::DualQuaternion;
    renderer.prepare_for(arguments.light.settings().quality, is_dual);
    renderer.set_model(gpu, actor.model());
    let panorama = arguments.light.panorama()?;
    if let Some(panorama) = &panorama {
        renderer.set_environment(gpu, panorama);
    }
    let background = match arguments.background {
        Some(Background::Surroundings { .. }) => Background::Surroundings {
            blur: arguments.blur,
        },
        Some(other) => other,
        None => Background::DARK,
    };
    let ground = Grid::for_bounds(&actor.bounds());
    let frame = Frame {
        camera: view,
        inspection: actor.inspection(arguments.view, joint, arguments.weight_colors, &view),
        background,
        variant,
        lighting: actor.lighting(
            arguments.light.settings(),
            panorama.is_none(),
            arguments.ground.then_some(ground.height),
        ),
        layout: actor.layout(),
        palette: actor.palette(),
        properties: actor.properties(),
        draws: actor.draws(),
        overlay: arguments.skeleton.then(|| actor.overlay()),
        grid: arguments.grid.then_some(ground),
    };
    let picture = Picture::draw(gpu, &mut renderer, actor.model(), &frame, arguments.size);
    picture.map_err(|error| {
        if gpu.is_lost() || gpu.first_error().is_some() {
            MachineFault(error).into()
        } else {
            error
        }
    })
}

/// The camera that is asked for; what is left open frames the pose.
fn camera(
    arguments: &RenderArguments,
    actor: &mut Actor,
    aspect: f32,
) -> anyhow::Result<OrbitCamera> {
    let mut camera = OrbitCamera::default();
    if let Some(fov) = arguments.fov {
        if !(0.1..=179.0).contains(&fov) {
            bail!("--fov {fov} is not between 0.1 and 179 degrees");
        }
        camera.fov_y_radians = fov.to_radians();
    }
    if let Some([azimuth, polar, _]) = arguments.orbit {
        camera.azimuth_radians = azimuth.to_radians();
        camera.polar_radians = polar.to_radians();
    }
    actor.frame_camera(&mut camera, aspect);
    if let Some([.., radius]) = arguments.orbit {
        if radius <= 0.0 {
            bail!("--orbit needs a distance above 0, not {radius}");
        }
        camera.radius = radius;
    }
    if let Some(target) = arguments.target {
        camera.target = Vec3::from(target);
    }
    Ok(camera)
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X', '×']);
    let sides = sides.and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    match sides {
        Some([width, height]) if width > 0 && height > 0 => Ok([width, height]),
        _ => Err("a size is written like 1280x720".to_owned()),
    }
}

fn parse_view(text: &str) -> Result<ViewMode, String> {
    ViewMode::from_name(text).ok_or_else(|| {
        let names: Vec<_> = ViewMode::ALL.iter().map(|mode| mode.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

fn parse_weight_colors(text: &str) -> Result<WeightColors, String> {
    [WeightColors::Heat, WeightColors::Viridis]
        .into_iter()
        .find(|colors| colors.name() == text)
        .ok_or_else(|| "there are heat and viridis".to_owned())
}

fn parse_background(text: &str) -> Result<Background, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Background::Transparent);
    }
    if text.eq_ignore_ascii_case("environment") {
        return Ok(Background::Surroundings { blur: 0.0 });
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
    fn parses_sizes_colours_and_numbers() {
        assert_eq!(parse_size("640x480"), Ok([640, 480]));
        assert!(parse_size("640").is_err() && parse_size("0x5").is_err());
        assert_eq!(parse_background("NONE"), Ok(Background::Transparent));
        assert_eq!(
            parse_background("ff0000"),
            Ok(Background::Plain([1.0, 0.0, 0.0]))
        );
        assert_eq!(
            parse_background("environment"),
            Ok(Background::Surroundings { blur: 0.0 })
        );
        assert!(parse_blur("1.5").is_err() && parse_blur("nan").is_err());
        assert!(parse_background("+f0000").is_err() && parse_background("red").is_err());
        assert_eq!(parse_numbers::<3>("-1, 2,3.5"), Ok([-1.0, 2.0, 3.5]));
        assert!(parse_numbers::<3>("1,2").is_err() && parse_numbers::<3>("1,2,nan").is_err());
    }
}
