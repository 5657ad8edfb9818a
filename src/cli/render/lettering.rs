//! Words on pictures, in the interface's own font (and the system's, for what that lacks).

use egui::{Color32, ColorImage, Context, FontId, RawInput};

use crate::{render::Picture, ui::use_system_fonts};

/// The colours of words (sRGB).
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) letters: [u8; 3],
    /// What is a pixel wide around letters, if anything is.
    pub(super) rim: Option<[u8; 3]>,
}

/// From a pixel to those around it.
const AROUND: &[[f32; 2]] = &[
    [-1.0, -1.0],
    [0.0, -1.0],
    [1.0, -1.0],
    [-1.0, 0.0],
    [1.0, 0.0],
    [-1.0, 1.0],
    [0.0, 1.0],
    [1.0, 1.0],
];
const IN_PLACE: &[[f32; 2]] = &[[0.0; 2]];

/// Draws words. Made once: it keeps the letters.
pub(super) struct Lettering {
    context: Context,
}

impl Lettering {
    pub(super) fn new() -> Self {
        let context = Context::default();
        use_system_fonts(&context);
        Self { context }
    }

    /// Draws one line of text with its upper left corner at a pixel; what would be right of `right` is left out, and an
    /// ellipsis says so.
    pub(super) fn draw(
        &self,
        picture: &mut Picture,
        text: &str,
        points: f32,
        [left, top, right]: [u32; 3],
        ink: Ink,
    ) {
        let rim = ink.rim.map(|color| (color, AROUND));
        let layers = rim.into_iter().chain([(ink.letters, IN_PLACE)]);
        let font = FontId::proportional(points);
        let width = right.saturating_sub(left) as f32;
        let output = self.context.run_ui(RawInput::default(), |ui| {
            ui.fonts_mut(|fonts| {
                let mut job = egui::text::LayoutJob::simple_singleline(
                    text.replace(char::is_control, " "),
                    font.clone(),
                    Color32::WHITE,
                );
                job.wrap = egui::text::TextWrapping::truncate_at_width(width);
                let galley = fonts.layout_job(job);
                let letters = fonts.image();
                let glyphs = galley.rows.iter().flat_map(|row| {
                    let glyphs = row.glyphs.iter();
                    glyphs.map(|glyph| (row.pos + glyph.pos.to_vec2(), glyph.uv_rect))
                });
                for (color, shifts) in layers.clone() {
                    for (at, letter) in glyphs.clone() {
                        let at = at + letter.offset;
                        let [x, y] = [left as f32 + at.x, top as f32 + at.y].map(f32::round);
                        for [right, down] in shifts {
                            let part = [letter.min, letter.max];
                            draw_letter(picture, [x + right, y + down], &letters, part, color);
                        }
                    }
                }
            });
        });
        // There is no screen that would have to learn of new letters.
        output.drop_without_applying_deltas();
    }
}

/// Draws a letter with its upper left corner at a pixel: that part of the picture of all letters
/// between two corners.
fn draw_letter(
    picture: &mut Picture,
    corner: [f32; 2],
    letters: &ColorImage,
    [from, to]: [[u16; 2]; 2],
    color: [u8; 3],
) {
    for y in from[1]..to[1] {
        for x in from[0]..to[0] {
            let texel = usize::from(y) * letters.width() + usize::from(x);
            let Some(letter) = letters.pixels.get(texel) else {
                continue;
            };
            let offset = [x - from[0], y - from[1]].map(f32::from);
            let place = [corner[0] + offset[0], corner[1] + offset[1]];
            paint(picture, place, color, letter.a());
        }
    }
}

/// Puts a colour over a pixel.
fn paint(picture: &mut Picture, [x, y]: [f32; 2], color: [u8; 3], alpha: u8) {
    let is_inside =
        (0.0..picture.width as f32).contains(&x) && (0.0..picture.height as f32).contains(&y);
    if alpha == 0 || !is_inside {
        return;
    }
    let at = 4 * (y as usize * picture.width as usize + x as usize);
    let pixel = &mut picture.rgba8[at..at + 4];
    let (over, under) = (f32::from(alpha) / 255.0, f32::from(pixel[3]) / 255.0);
    let all = over + under * (1.0 - over);
    for (signal, letter) in pixel.iter_mut().zip(color) {
        let mixed = f32::from(letter) * over + f32::from(*signal) * under * (1.0 - over);
        *signal = (mixed / all).round() as u8;
    }
    pixel[3] = (255.0 * all).round() as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_seen_where_they_are_put_and_end_where_they_must() {
        let mut picture = Picture {
            width: 120,
            height: 40,
            rgba8: [10, 20, 30, 255].repeat(120 * 40),
        };
        let lettering = Lettering::new();
        let long = "A walk of a very long name indeed";
        let ink = Ink {
            letters: [255; 3],
            rim: None,
        };
        lettering.draw(&mut picture, long, 14.0, [20, 10, 100], ink);
        let is_lit = |index: usize| picture.rgba8[4 * index] > 128;
        let lit: Vec<[usize; 2]> = (0..120 * 40)
            .filter(|&index| is_lit(index))
            .map(|index| [index % 120, index / 120])
            .collect();
        assert!(lit.len() > 100, "{}", lit.len());
        assert!(
            lit.iter()
                .all(|&[x, y]| (19..101).contains(&x) && (9..30).contains(&y))
        );
    }
}
