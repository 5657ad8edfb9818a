//! How wide points, lines and edges are, which the GPU draws a pixel wide: they are drawn again, so many pixels aside.

use crate::{
    model::Topology,
    render::{Gpu, Renderer, draw_lists::DrawLists, pipelines::Blending, room::Pace},
    scene::{Frame, ViewMode},
};

/// The most pixels of a width: pictures are averaged from no more, and screens have fewer to a point.
const MOST_PIXELS: u32 = 8;

/// Edges of a triangle.
const EDGES: u64 = 3;

/// How many points and lines a frame may draw again for the sake of their width.
const REPEATED: u64 = 50_000_000;
const REPEATED_BY_SOFTWARE: u64 = 1_000_000;
const REPEATED_IN_STILL_BY_SOFTWARE: u64 = 4_000_000;

/// The width of points, lines and edges in passes over one target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::render) struct LineWidth {
    pixels: u32,
    /// Width and height of the target in pixels.
    size: [f32; 2],
}

impl LineWidth {
    /// A pixel, whatever the target.
    pub(in crate::render) const PIXEL: Self = Self {
        pixels: 1,
        size: [0.0; 2],
    };

    /// The whole pixels of a point in a target of `size` pixels, and one at least.
    fn new(pixels_per_point: f32, size: [u32; 2]) -> Self {
        Self {
            pixels: (pixels_per_point as u32).clamp(1, MOST_PIXELS),
            size: size.map(|side| side as f32),
        }
    }

    /// That width, or as much of it as so many points and lines can have of which so many are drawn again at most.
    pub(in crate::render) fn within(self, most: u64, [points, lines]: [u64; 2]) -> Self {
        let is_within = |width: &Self| {
            let again = |count: u64, of| count.saturating_mul(width.copies(of) - 1);
            let repeated = again(points, Topology::Points);
            repeated.saturating_add(again(lines, Topology::Lines)) <= most
        };
        let mut widths = (1..=self.pixels)
            .rev()
            .map(|pixels| Self { pixels, ..self });
        widths.find(is_within).unwrap_or(Self::PIXEL)
    }

    /// How often such primitives are drawn.
    pub(in crate::render) fn copies(self, topology: Topology) -> u64 {
        let side = u64::from(self.pixels);
        match topology {
            Topology::Triangles => 1,
            Topology::Points => side * side,
            Topology::Lines => offsets(self.pixels, topology).count() as u64,
        }
    }

    /// How many lines are drawn for each triangle whose edges are. A pixel wide they count as the triangle does, which costs
    /// about as much.
    pub(in crate::render) fn lines_a_triangle(self) -> u64 {
        if self.pixels == 1 {
            1
        } else {
            EDGES * self.copies(Topology::Lines)
        }
    }

    /// Records `call`, which draws such primitives, as often as it takes.
    pub(in crate::render) fn draw(
        self,
        pass: &mut wgpu::RenderPass<'_>,
        topology: Topology,
        mut call: impl FnMut(&mut wgpu::RenderPass<'_>),
    ) {
        if self.pixels == 1 || topology == Topology::Triangles {
            call(pass);
            return;
        }
        let [width, height] = self.size;
        for [x, y] in offsets(self.pixels, topology) {
            pass.set_viewport(x, y, width, height, 0.0, 1.0);
            call(pass);
        }
        pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
    }
}

impl Renderer {
    /// Makes what is drawn of a frame as wide as it asks, as far as there is not too much of it.
    pub(super) fn set_line_width(
        &mut self,
        gpu: &Gpu,
        frame: &Frame<'_>,
        lists: &DrawLists,
        size: [u32; 2],
    ) {
        self.line_width = LineWidth::new(frame.pixels_per_point, size);
        if self.line_width.pixels == 1 {
            return;
        }
        let inspection = &frame.inspection;
        let has_edges = inspection.mode == ViewMode::Wireframe || inspection.lines.wires;
        let [mut points, mut lines] = [0; 2];
        for draw in lists.all() {
            match draw.key.topology {
                Topology::Points => points += draw.shapes(),
                // What blends is drawn once.
                Topology::Lines if draw.key.blending == Blending::Alpha => {}
                Topology::Lines => lines += draw.shapes(),
                Topology::Triangles if has_edges => lines += EDGES * draw.shapes(),
                Topology::Triangles => {}
            }
        }
        let most = match (gpu.is_software(), self.pace) {
            (false, _) => REPEATED,
            (true, Pace::Frames) => REPEATED_BY_SOFTWARE,
            (true, Pace::Still) => REPEATED_IN_STILL_BY_SOFTWARE,
        };
        self.line_width = self.line_width.within(most, [points, lines]);
    }
}

/// How many pixels aside: points fill a square. For lines a cross is enough, and as thick as they would be a pixel wide in
/// a picture so many times as small, whichever way they run; its bars are two pixels wide where a middle lies between two.
fn offsets(pixels: u32, topology: Topology) -> impl Iterator<Item = [f32; 2]> {
    let middles = [(pixels - 1) / 2, pixels / 2];
    let all = (0..pixels).flat_map(move |y| (0..pixels).map(move |x| [x, y]));
    let drawn = all.filter(move |at| {
        let is_in_cross = at.iter().any(|side| middles.contains(side));
        topology == Topology::Points || is_in_cross
    });
    drawn.map(move |at| at.map(|it| it as f32 - 0.5 * (pixels - 1) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_fill_squares_and_lines_have_crosses() {
        let places = |pixels, topology| offsets(pixels, topology).collect::<Vec<_>>();
        assert_eq!(places(1, Topology::Points), [[0.0; 2]]);
        let square = [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]];
        assert_eq!(places(2, Topology::Points), square);
        let cross = [[0.0, -1.0], [-1.0, 0.0], [0.0; 2], [1.0, 0.0], [0.0, 1.0]];
        assert_eq!(places(3, Topology::Lines), cross);
        assert_eq!(places(2, Topology::Lines), square);
        for pixels in 1..=MOST_PIXELS {
            let places = places(pixels, Topology::Lines);
            // Seen along both diagonals they are alike.
            let mut mirrored = places.iter().map(|[x, y]| [-x, *y]);
            assert!(mirrored.all(|place| places.contains(&place)), "{pixels}");
            let width = LineWidth::new(pixels as f32, [4, 4]);
            assert_eq!(width.copies(Topology::Lines), places.len() as u64);
        }
    }

    #[test]
    fn what_there_is_much_of_is_less_wide() {
        let width = LineWidth::new(4.0, [4, 4]);
        let pixels = |most, counts| width.within(most, counts).pixels;
        assert_eq!(pixels(0, [0, 0]), 4);
        assert_eq!(pixels(1500, [100, 0]), 4);
        assert_eq!(pixels(1499, [100, 0]), 3);
        assert_eq!(pixels(300, [50, 50]), 2);
        assert_eq!(pixels(299, [50, 50]), 1);
        assert_eq!(pixels(u64::MAX - 1, [u64::MAX, u64::MAX]), 1);
    }

    #[test]
    fn widths_are_whole_pixels() {
        let pixels = |per_point| LineWidth::new(per_point, [4, 4]).pixels;
        let widths = [0.5, 1.0, 1.5, 2.0, 3.9, 100.0, f32::NAN].map(pixels);
        assert_eq!(widths, [1, 1, 1, 2, 3, MOST_PIXELS, 1]);
    }
}
