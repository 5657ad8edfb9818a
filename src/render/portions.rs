//! Large scenes in portions, and their shadows: a software driver keeps all of what it is told to draw until it is drawn, some
//! 800 bytes for each triangle, up to gigabytes. So it is told no more at once than fits a file of its size, and drawn before
//! there is more. Views for inspection and sums of blended layers are drawn at once.

use super::{Gpu, Renderer, draw_lists::PrimitiveDraw, split::flush};
use crate::model::Model;

/// Points, lines and triangles of a portion at least: some 50 MB.
const LEAST: u64 = 1 << 16;
/// Bytes of the file for each more.
const BYTES: u64 = 100;

/// Points, lines and triangles of a portion of a model.
pub(super) fn portion_of(model: &Model) -> u64 {
    LEAST + model.data_bytes / BYTES
}

/// Has what was recorded drawn, and begins anew.
pub(super) fn finish(gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
    flush(gpu, encoder);
    // A device that is lost draws nothing any more, as others will say.
    let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
}

impl Renderer {
    /// The portions of what is drawn, in its order; none if one will do.
    pub(super) fn portions<'d>(
        &self,
        gpu: &Gpu,
        draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
    ) -> Vec<Vec<PrimitiveDraw>> {
        let Some(uploaded) = self.model.as_ref().filter(|_| gpu.is_software()) else {
            return Vec::new();
        };
        let shapes = |draw: &PrimitiveDraw| {
            let on_gpu = uploaded.meshes[draw.mesh][draw.primitive].as_ref();
            on_gpu.map_or(1, |it| it.shapes)
        };
        portions(uploaded.portion, draws, shapes)
    }
}

/// Portions of so many shapes each at most, but for single instances that have more.
fn portions<'d>(
    most: u64,
    draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
    shapes: impl Fn(&PrimitiveDraw) -> u64,
) -> Vec<Vec<PrimitiveDraw>> {
    let instances = |draw: &PrimitiveDraw| u64::from(draw.records.1 - draw.records.0);
    let all = draws.clone().map(|draw| shapes(draw) * instances(draw));
    if all.sum::<u64>() <= most {
        return Vec::new();
    }
    let mut portions = vec![Vec::new()];
    let mut left = most;
    for draw in draws {
        let each = shapes(draw);
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
                let mut part = *draw;
                part.records = records;
                portion.push(part);
            }
            first += fitting;
        }
    }
    portions
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
            let portions = portions(100, draws.iter(), |_| 30);
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
        let portions = portions(100, draws.iter(), |_| 700);
        assert_eq!(portions.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }
}
