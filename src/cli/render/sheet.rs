//! A sheet: poses of every clip in one picture, a row for each clip.

use anyhow::Context as _;

use super::{
    Scene,
    lettering::{Ink, Lettering},
    look::{Look, PictureMaker},
    motion::{self, Motion},
};
use crate::{
    app::{Actor, interrupt},
    cli::meter::Meter,
    cli::render::Framing,
    output::Kind,
    render::{Gpu, Picture},
    scene::Background,
};

/// Height of the line with a clip's name.
const LINE: u32 = 24;
/// Left of the name.
const INDENT: u32 = 8;
const POINTS: f32 = 14.0;
/// What is written on dark grounds and on light ones (sRGB).
const LIGHT: [u8; 3] = [224; 3];
const DARK: [u8; 3] = [32; 3];
/// Pixels of a sheet: a GiB.
const MAX_PIXELS: u64 = 1 << 28;

/// Draws `poses` poses of the clip that is meant, or of each clip: from 0 to its end, evenly spread. Fails before that if the
/// picture does not go into a file of its kind.
pub(super) fn draw(
    scene: &mut Scene<'_>,
    gpu: &Gpu,
    maker: &mut PictureMaker,
    (kind, poses): (Kind, u32),
) -> anyhow::Result<Picture> {
    let look = scene.look;
    let clips: Vec<Option<usize>> = match scene.clip {
        Some(clip) => vec![Some(clip)],
        None if scene.actor.model().clips.is_empty() => vec![None],
        None => (0..scene.actor.model().clips.len()).map(Some).collect(),
    };
    let color = ground_color(look.background);
    let look = Look {
        background: color.map_or(look.background, |[red, green, blue]| {
            Background::Plain([red, green, blue].map(|signal| f32::from(signal) / 255.0))
        }),
        ..look
    };
    let [width, height] = look.size;
    let sheet_size = size_of(look.size, poses, clips.len())?;
    kind.check_size(sheet_size)?;
    let rows = clips.len() as u32;
    let mut sheet = blank(sheet_size, color);
    let lettering = Lettering::new();
    let meter = Meter::new("sheet", (rows * poses) as usize);
    for (row, &clip) in (0..).zip(&clips) {
        let top = row * (LINE + height);
        scene.clip = clip;
        let (actor, eye) = (&mut scene.actor, &mut scene.eye);
        let motion = motion_of(actor, clip, poses);
        let aspect = look.aspect();
        let framing = look.arguments.framing.unwrap_or(Framing::Motion);
        let bounds = motion::frame(eye, actor, clip, &motion, framing, aspect);
        let look = Look {
            ground: Some(bounds),
            ..look
        };
        for pose in 0..poses {
            interrupt::check()?;
            meter.set((row * poses + pose) as usize);
            let picture = scene.draw(gpu, maker, &motion, pose, look)?;
            put(&picture, [pose * width, top + LINE], &mut sheet);
        }
        let name = label(&scene.actor, clip);
        let place = [INDENT, top + 3, (width * poses).saturating_sub(INDENT)];
        lettering.draw(&mut sheet, &name, POINTS, place, ink(color));
    }
    Ok(sheet)
}

/// Width and height of so many poses beside each other, in so many rows. Fails if that is too much.
fn size_of([width, height]: [u32; 2], poses: u32, rows: usize) -> anyhow::Result<[u32; 2]> {
    let size = || {
        let width = width.checked_mul(poses)?;
        let height = height.checked_add(LINE)?;
        let height = height.checked_mul(u32::try_from(rows).ok()?)?;
        let pixels = u64::from(width) * u64::from(height);
        (pixels <= MAX_PIXELS).then_some([width, height])
    };
    size().with_context(|| {
        format!(
            "a sheet of {poses} poses of {width} x {height} pixels in {rows} rows is too large: choose one clip with \
             --clip, or a smaller --size"
        )
    })
}

/// As many moments as there are poses, the first and the last of the clip among them.
fn motion_of(actor: &Actor, clip: Option<usize>, poses: u32) -> Motion {
    let secs = actor.model().clip_secs(clip);
    Motion {
        start_secs: 0.0,
        fps: if secs > 0.0 && poses > 1 {
            f64::from(poses - 1) / secs
        } else {
            1.0
        },
        frames: if secs > 0.0 { poses } else { 1 },
        loop_secs: None,
        is_turntable: false,
        ends: true,
    }
}

fn label(actor: &Actor, clip: Option<usize>) -> String {
    let model = actor.model();
    match clip {
        Some(index) => format!(
            "{} · {:.2} s",
            model.clip_name(index),
            model.clip_secs(clip)
        ),
        None => model.file_name().to_owned(),
    }
}

/// One colour for all of the sheet, sRGB; none if it is transparent, or if cells show the environment.
pub(super) fn ground_color(background: Background) -> Option<[u8; 3]> {
    let color = match background {
        Background::Plain(color) => color,
        Background::Gradient { top, bottom } => [0, 1, 2].map(|i| 0.5 * (top[i] + bottom[i])),
        Background::Transparent | Background::Environment { .. } => return None,
    };
    Some(color.map(|signal| (255.0 * signal).round() as u8))
}

/// What is read on the ground; where that is not known dark letters with a light rim, which are read on any.
fn ink(ground: Option<[u8; 3]>) -> Ink {
    Ink {
        letters: ground.map_or(DARK, color_on),
        rim: ground.is_none().then_some(LIGHT),
    }
}

/// Light or dark, whichever is seen on a ground (sRGB).
pub(super) fn color_on([red, green, blue]: [u8; 3]) -> [u8; 3] {
    let light = 2 * u32::from(red) + 5 * u32::from(green) + u32::from(blue);
    if light < 8 * 128 { LIGHT } else { DARK }
}

fn blank([width, height]: [u32; 2], color: Option<[u8; 3]>) -> Picture {
    let [red, green, blue] = color.unwrap_or_default();
    let alpha = if color.is_some() { 255 } else { 0 };
    Picture {
        width,
        height,
        rgba8: [red, green, blue, alpha].repeat(width as usize * height as usize),
    }
}

/// Copies a picture into a larger one.
fn put(picture: &Picture, [left, top]: [u32; 2], into: &mut Picture) {
    let row_bytes = 4 * picture.width as usize;
    for (y, row) in (0..).zip(picture.rgba8.chunks_exact(row_bytes)) {
        let start = 4 * ((top as usize + y) * into.width as usize + left as usize);
        into.rgba8[start..start + row_bytes].copy_from_slice(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a sheet without a background is laid on nobody knows.
    #[test]
    fn names_are_read_on_any_page() {
        let mut sheet = blank([160, LINE], None);
        let name = "Walk · 0.71 s";
        Lettering::new().draw(&mut sheet, name, POINTS, [INDENT, 3, 152], ink(None));
        for page in [0_u8, 64, 128, 192, 255] {
            let over = |pixel: &[u8]| {
                let alpha = f32::from(pixel[3]) / 255.0;
                f32::from(pixel[0]) * alpha + f32::from(page) * (1.0 - alpha)
            };
            let pixels = sheet.rgba8.chunks_exact(4).map(over);
            let seen = pixels.filter(|it| (it - f32::from(page)).abs() > 60.0);
            let seen = seen.count();
            assert!(seen > 60, "{seen} pixels on {page}");
        }
        assert_eq!(ink(Some([128; 3])).rim, None);
    }

    #[test]
    fn a_sheet_has_bounds() {
        assert_eq!(size_of([10, 20], 3, 2).unwrap(), [30, 88]);
        let most = [1 << 14, (1 << 14) - LINE];
        assert_eq!(size_of(most, 1, 1).unwrap(), [1 << 14; 2]);
        for (size, poses, rows) in [
            (most, 2, 1),
            (most, 1, 2),
            ([1 << 16, 8], 1 << 16, 1),
            ([8, u32::MAX], 1, 1),
            ([8, 8], 1, 1 << 40),
        ] {
            let error = size_of(size, poses, rows).unwrap_err().to_string();
            assert!(error.contains("--clip") && error.contains("--size"));
        }
    }
}
