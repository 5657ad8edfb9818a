//! Large scenes in portions, and their shadows. A software driver keeps all of what it is told to draw until it is drawn, some
//! 800 bytes for each triangle, up to gigabytes: so it is told no more at once than fits a file of its size, and drawn before
//! there is more. Systems take a graphics processor for hung that is busy with one thing for two seconds: so it is told no more
//! at once than covers so many pixels.

use super::indices_a_shape;
use crate::{
    model::Model,
    render::{Gpu, Renderer, draw_lists::PrimitiveDraw, split::flush},
};

/// Points, lines and triangles of a portion at least by software: some 50 MB.
const LEAST: u64 = 1 << 16;
/// Bytes of the file for each more.
const BYTES: u64 = 100;
/// Pixels that a portion covers by hardware: half a second on a small adapter. Models that are made to be looked at cover the
/// largest pictures ten times.
const PIXELS: u64 = 500_000_000;

/// Points, lines and triangles of a portion of a model by software.
pub(in crate::render) fn portion_of(model: &Model) -> u64 {
    LEAST + model.data_bytes / BYTES
}

/// Has what was recorded drawn, and begins anew. What software draws is waited for.
pub(in crate::render) fn finish(gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
    flush(gpu, encoder);
    if gpu.is_software() {
        // A device that is lost draws nothing any more, as others will say.
        let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
    }
}

/// One of the portions of what is drawn.
pub(in crate::render) struct Portion<'p, 'd> {
    pub(in crate::render) draws: &'p mut dyn Iterator<Item = &'d PrimitiveDraw>,
    pub(in crate::render) is_first: bool,
    pub(in crate::render) is_last: bool,
}

impl Renderer {
    /// Records the portions of what is drawn, one after the other; all but the last are drawn.
    pub(in crate::render) fn in_portions<'d>(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        mut draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
        mut record: impl FnMut(&mut wgpu::CommandEncoder, Portion<'_, '_>),
    ) {
        let portions = self.portions(gpu, draws.clone());
        if portions.is_empty() {
            let all = Portion {
                draws: &mut draws,
                is_first: true,
                is_last: true,
            };
            record(encoder, all);
            return;
        }
        for (index, portion) in portions.iter().enumerate() {
            if index > 0 {
                finish(gpu, encoder);
            }
            let portion = Portion {
                draws: &mut portion.iter(),
                is_first: index == 0,
                is_last: index + 1 == portions.len(),
            };
            record(encoder, portion);
        }
    }

    /// The portions of what is drawn, in its order; none if one will do.
    pub(in crate::render) fn portions<'d>(
        &self,
        gpu: &Gpu,
        draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
    ) -> Vec<Vec<PrimitiveDraw>> {
        let width = self.line_width;
        self.portions_of_copies(gpu, draws, |draw| width.copies(draw.key.topology))
    }

    /// [`Self::portions`] where edges or normals of surfaces are drawn.
    pub(in crate::render) fn portions_of_edges<'d>(
        &self,
        gpu: &Gpu,
        draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
    ) -> Vec<Vec<PrimitiveDraw>> {
        let copies = self.line_width.lines_a_triangle();
        self.portions_of_copies(gpu, draws, |_| copies)
    }

    /// [`Self::portions`] of what is drawn so many times.
    fn portions_of_copies<'d>(
        &self,
        gpu: &Gpu,
        draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
        copies: impl Fn(&PrimitiveDraw) -> u64,
    ) -> Vec<Vec<PrimitiveDraw>> {
        let Some(uploaded) = &self.model else {
            return Vec::new();
        };
        if !gpu.is_software() {
            return portions_by_pixels(draws, copies);
        }
        let shapes = |draw: &PrimitiveDraw| {
            let on_gpu = uploaded.meshes[draw.mesh][draw.primitive].as_ref();
            on_gpu.map_or(1, |it| it.shapes) * copies(draw)
        };
        // A primitive that is drawn once fits.
        let parts = |draw: &PrimitiveDraw| match copies(draw) {
            1 => 1,
            _ => shapes(draw).div_ceil(uploaded.portion),
        };
        portions(uploaded.portion, draws, shapes, parts)
    }
}

fn portions_by_pixels<'d>(
    draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
    copies: impl Fn(&PrimitiveDraw) -> u64,
) -> Vec<Vec<PrimitiveDraw>> {
    let pixels = |draw: &PrimitiveDraw| {
        let each = draw.pixels / f64::from(draw.records.1 - draw.records.0);
        (each as u64).max(1).saturating_mul(copies(draw))
    };
    let parts = |draw: &PrimitiveDraw| pixels(draw).div_ceil(PIXELS);
    portions(PIXELS, draws, pixels, parts)
}

/// Portions that cost so much each at most, but for parts that cost more. `cost` is that of an instance, which is divided into
/// so many `parts`.
fn portions<'d>(
    most: u64,
    draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
    cost: impl Fn(&PrimitiveDraw) -> u64,
    parts: impl Fn(&PrimitiveDraw) -> u64,
) -> Vec<Vec<PrimitiveDraw>> {
    let instances = |draw: &PrimitiveDraw| u64::from(draw.records.1 - draw.records.0);
    let all = draws.clone().map(|draw| cost(draw) * instances(draw));
    if all.sum::<u64>() <= most {
        return Vec::new();
    }
    let mut portions = vec![Vec::new()];
    let mut left = most;
    let divided = draws.flat_map(|draw| {
        let parts = parts(draw);
        let each = cost(draw).div_ceil(parts);
        divided(*draw, parts).map(move |part| (part, each))
    });
    for (draw, each) in divided {
        let (mut first, end) = draw.records;
        while first < end {
            if left < each && left < most {
                portions.push(Vec::new());
                left = most;
            }
            let fitting = (left / each).clamp(1, u64::from(end - first)) as u32;
            left = left.saturating_sub(u64::from(fitting) * each);
            let records = (first, first + fitting);
            if let Some(portion) = portions.last_mut() {
                let mut part = draw;
                part.records = records;
                portion.push(part);
            }
            first += fitting;
        }
    }
    portions
}

/// A draw call as it is, or if there are to be several parts, each instance in as many, as far as it has shapes.
fn divided(draw: PrimitiveDraw, parts: u64) -> impl Iterator<Item = PrimitiveDraw> {
    let (first, end) = draw.records;
    let (first_index, end_index) = draw.indices;
    let indices_a_shape = indices_a_shape(draw.key.topology);
    let shapes = u64::from((end_index - first_index) / indices_a_shape);
    let parts = parts.clamp(1, shapes.max(1));
    let together = if parts == 1 { (end - first).max(1) } else { 1 };
    (first..end)
        .step_by(together as usize)
        .flat_map(move |record| {
            (0..parts).map(move |part| {
                let index = |part| first_index + (shapes * part / parts) as u32 * indices_a_shape;
                let mut divided = draw;
                divided.records = (record, record + together);
                divided.indices = (index(part), index(part + 1));
                divided
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::draw_lists::tests::draw;

    #[test]
    fn portions_have_everything_once_and_no_more_than_they_may() {
        let of = |records: &[(u32, u32)]| {
            let draws = records.iter().map(|&records| {
                let mut draw = draw(false, [1.0, 2.0]);
                draw.records = records;
                draw
            });
            let draws: Vec<_> = draws.collect();
            let portions = portions(100, draws.iter(), |_| 30, |_| 1);
            let records = portions.iter().map(|portion| {
                let each = portion.iter().map(|draw| draw.records);
                each.collect::<Vec<_>>()
            });
            records.collect::<Vec<_>>()
        };
        assert!(of(&[(0, 3)]).is_empty());
        assert_eq!(
            of(&[(0, 1), (0, 4), (7, 9)]),
            [vec![(0, 1), (0, 2)], vec![(2, 4), (7, 8)], vec![(8, 9)]]
        );
    }

    #[test]
    fn an_instance_that_is_too_large_is_a_portion() {
        let draws = [draw(false, [1.0, 2.0]); 2];
        let portions = portions(100, draws.iter(), |_| 700, |_| 1);
        assert_eq!(portions.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }

    /// A file of thousands of surfaces one behind the other may keep a small adapter busy for twenty seconds.
    #[test]
    fn by_hardware_what_covers_many_pixels_is_in_portions() {
        let covering = |records: (u32, u32), each: f64| {
            let mut draw = draw(false, [1.0, 2.0]);
            draw.records = records;
            draw.pixels = each * f64::from(records.1 - records.0);
            draw
        };
        let of = |draws: &[PrimitiveDraw]| {
            let portions = portions_by_pixels(draws.iter(), |_| 1);
            let each = portions.iter().map(|portion| {
                let each = portion.iter().map(|draw| (draw.records, draw.indices));
                each.collect::<Vec<_>>()
            });
            each.collect::<Vec<_>>()
        };
        let picture = 1920.0 * 1080.0;
        // Ten times the largest picture.
        assert!(of(&[covering((0, 1), 10.0 * 7680.0 * 4320.0)]).is_empty());
        assert!(of(&[covering((0, 100_000), 0.0)]).is_empty());
        let quads: Vec<_> = (0..10_000)
            .map(|record| covering((record, record + 1), picture))
            .collect();
        let portions = of(&quads);
        assert_eq!(portions.len(), 10_000_usize.div_ceil(241));
        let all: Vec<_> = portions.concat();
        let records = all.iter().map(|&((first, _), _)| first);
        assert!(records.eq(0..10_000));
        // All of them in one mesh, twice.
        let sides = [(0, 3), (3, 6)];
        let halves = |record: u32| sides.map(|indices| vec![((record, record + 1), indices)]);
        let [first, second] = [4, 5].map(halves);
        let most = PIXELS as f64;
        let expected = [first, second].concat();
        assert_eq!(of(&[covering((4, 6), 1.9 * most)]), expected);
        // There are two triangles.
        assert_eq!(of(&[covering((4, 6), 9.0 * most)]), expected);
    }
}
