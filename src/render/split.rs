//! Two frames as one picture: each in its part of it, or the second as a ghost over the first.
//!
//! Both go through the same renderer, one after the other: what the first has written is submitted before the second writes
//! to the same buffers.

use super::{
    Destination, Gpu, Renderer, SceneTarget, Viewport,
    model::GpuModel,
    passes::ghost::Ghost,
    targets::{intermediates::Intermediates, kept::Keeps, scene::SceneSamples},
};
use crate::{
    model::Model,
    scene::{
        Background, Columns, Frame, Inspection, Lighting, Shadow, Split, SplitWay, SurfaceLines,
        linear_from_srgb,
    },
};

/// One of two subjects.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// What `frame` is about.
    pub model: &'a Model,
    /// What is to be drawn of it, for the columns of [`Split::drawn_columns`].
    pub frame: &'a Frame<'a>,
}

/// Two subjects, and how they share a picture.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// A, about the model last given to [`Renderer::set_model`], and B.
    pub subjects: [Subject<'a>; 2],
    /// Whether B is about a model of its own, the one last given to [`Renderer::set_other_model`].
    pub has_other_model: bool,
    /// How they share it.
    pub split: Split,
    /// How many pixels wide the columns are that the line lies between: more than 1 if so many are to be averaged, and then
    /// the picture has whole columns.
    pub column_width: u32,
    /// The ghost's colour, as in a style sheet (sRGB, 0..1), and how opaque it is.
    pub ghost: [f32; 4],
}

/// What split pictures need besides.
#[derive(Debug, Default)]
pub(super) struct SplitKeeper {
    /// That of the second subject, where it is about a model of its own.
    other: Option<GpuModel>,
    /// What the second subject is drawn into, where it cannot be that of the first.
    target: Option<SceneTarget>,
    /// What the second subject has for itself, where it is of another size.
    pub(super) intermediates: Intermediates,
}

/// Which part of a drawn frame is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half<'a> {
    /// None: it is not shown by itself.
    pub(super) shown: Option<Viewport>,
    /// What becomes of the rest of the output.
    pub(super) load: wgpu::LoadOp<wgpu::Color>,
    /// The scene that lies over it.
    pub(super) ghost: Option<Ghost<'a>>,
    /// Whether another part of the same picture follows.
    pub(super) goes_on: bool,
}

impl Half<'_> {
    /// All of it, and nothing else.
    pub(super) fn whole(viewport: Viewport) -> Self {
        Self {
            shown: Some(viewport),
            load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
            ghost: None,
            goes_on: false,
        }
    }

    /// What it is drawn into, of which the rest may stay empty.
    pub(super) fn samples<'s>(&self, into: Destination<'s>) -> SceneSamples<'s> {
        SceneSamples {
            target: into.scene,
            shown: None,
            drawn: self.shown.and_then(|shown| into.viewport.part(shown)),
        }
    }
}

impl Viewport {
    /// Some columns of it.
    pub fn columns(self, columns: Columns) -> Self {
        Self {
            x: self.x + columns.left,
            width: columns.width,
            ..self
        }
    }

    /// Where some pixels of it are, seen from its corner; none if they are all of it.
    fn part(self, pixels: Self) -> Option<Self> {
        (pixels != self).then(|| Self {
            x: pixels.x - self.x,
            y: pixels.y - self.y,
            ..pixels
        })
    }
}

impl Renderer {
    /// Uploads the model that the second of two subjects is about, or lets go of it.
    pub fn set_other_model(&mut self, gpu: &Gpu, model: Option<&Model>) {
        self.split.other = None;
        self.split.other = model.map(|model| {
            self.next_model();
            GpuModel::new(gpu, &mut self.meshes, &self.mipmaps, model)
        });
    }

    /// Lets go of what pictures of two subjects were drawn into, which is as large as the picture itself: once one is drawn
    /// alone. The models stay.
    pub(super) fn let_go_of_pairs(&mut self) {
        self.split.target = None;
        self.split.intermediates.let_go();
        if let Some(ghost) = &mut self.ghost {
            ghost.let_go();
        }
    }

    /// Draws two subjects into one picture. What `encoder` holds is submitted on the way.
    pub fn draw_pair(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        pair: &Pair<'_>,
        scene: &mut SceneTarget,
        output: &wgpu::TextureView,
        viewport: Viewport,
    ) {
        self.canvas = None;
        if pair.split.way == SplitWay::Overlay {
            self.draw_overlaid(gpu, encoder, pair, scene, output, viewport);
        } else {
            self.draw_apart(gpu, encoder, pair, scene, output, viewport);
        }
        let ghost = self.ghost.as_mut().map_or(0, Keeps::end_picture);
        let by_size = self.intermediates.end_picture() + self.split.intermediates.end_picture();
        self.counts.made += by_size + ghost;
    }

    fn draw_apart(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        pair: &Pair<'_>,
        scene: &mut SceneTarget,
        output: &wgpu::TextureView,
        viewport: Viewport,
    ) {
        let column_count = viewport.width / pair.column_width;
        let of_pixels = |columns: Columns| columns.enlarged(pair.column_width);
        let drawn = pair.split.drawn_columns(column_count).map(of_pixels);
        let shown = pair.split.columns(column_count).map(of_pixels);
        // Halves may be of different widths: with one target for both its textures would be made anew for every frame.
        let mut second = (pair.split.way == SplitWay::SideBySide).then(|| {
            let kept = self.split.target.take();
            kept.unwrap_or_else(|| SceneTarget::new(gpu, [drawn[1].width, viewport.height]))
        });
        let mut draw_count = 0;
        for index in [0, 1] {
            let drawn = viewport.columns(drawn[index]);
            let scene = match &mut second {
                Some(second) if index == 1 => second,
                _ => &mut *scene,
            };
            scene.fit(gpu, [drawn.width, drawn.height], false);
            let is_first = index == 0;
            if !is_first {
                flush(gpu, encoder);
            }
            let part = Half {
                load: if is_first {
                    wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT)
                } else {
                    wgpu::LoadOp::Load
                },
                goes_on: is_first,
                ..Half::whole(viewport.columns(shown[index]))
            };
            let into = Destination {
                scene,
                output,
                viewport: drawn,
            };
            self.draw_subject(gpu, encoder, pair, index, into, part);
            draw_count += self.counts.draws;
        }
        self.counts.draws = draw_count;
        self.split.target = second;
    }

    fn draw_overlaid(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        pair: &Pair<'_>,
        scene: &mut SceneTarget,
        output: &wgpu::TextureView,
        viewport: Viewport,
    ) {
        let size = [viewport.width, viewport.height];
        let new = || SceneTarget::new(gpu, size);
        let mut ghost = self.split.target.take().unwrap_or_else(new);
        ghost.fit(gpu, size, true);
        scene.fit(gpu, size, true);
        let [red, green, blue, opacity] = pair.ghost;
        let [red, green, blue] = [red, green, blue].map(linear_from_srgb);
        let tint = [red, green, blue, opacity];
        let is_swapped = usize::from(pair.split.is_swapped);
        let (below, above) = (is_swapped, 1 - is_swapped);

        let frame = pair.subjects[above].frame;
        let frame = Frame {
            background: Background::Transparent,
            inspection: Inspection {
                lines: SurfaceLines::default(),
                ..frame.inspection
            },
            overlay: None,
            grid: None,
            lighting: Lighting {
                shadow: frame.lighting.shadow.map(|shadow| Shadow {
                    ground: None,
                    ..shadow
                }),
                ..frame.lighting
            },
            ..*frame
        };
        let mut alone = *pair;
        alone.subjects[above].frame = &frame;
        let into = Destination {
            scene: &ghost,
            output,
            viewport,
        };
        let unshown = Half {
            shown: None,
            goes_on: true,
            ..Half::whole(viewport)
        };
        self.draw_subject(gpu, encoder, &alone, above, into, unshown);
        let draw_count = self.counts.draws;
        flush(gpu, encoder);

        let into = Destination { scene, ..into };
        let part = Half {
            ghost: Some(Ghost {
                scene: &ghost,
                tint,
                depth_of_height: pair.subjects[below].frame.camera.depth_of_height(),
                pixels_per_point: pair.subjects[below].frame.pixels_per_point,
            }),
            ..Half::whole(viewport)
        };
        self.draw_subject(gpu, encoder, pair, below, into, part);
        self.counts.draws += draw_count;
        self.split.target = Some(ghost);
    }

    fn draw_subject(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        pair: &Pair<'_>,
        index: usize,
        into: Destination<'_>,
        part: Half<'_>,
    ) {
        let Subject { model, frame } = pair.subjects[index];
        let is_other = index == 1 && pair.has_other_model;
        // Only side by side their scenes may be of different sizes.
        let is_apart = index == 1 && pair.split.way == SplitWay::SideBySide;
        let exchange = |renderer: &mut Self| {
            if is_other {
                std::mem::swap(&mut renderer.model, &mut renderer.split.other);
            }
            if is_apart {
                let theirs = &mut renderer.split.intermediates;
                std::mem::swap(&mut renderer.intermediates, theirs);
            }
        };
        exchange(self);
        let mut subjects = pair.subjects.iter();
        let has_crowd = subjects.any(|subject| subject.frame.crowd.is_some());
        self.write_subject(gpu, model, frame, has_crowd);
        self.draw_part(gpu, encoder, model, frame, into, part);
        exchange(self);
    }
}

/// Submits what was recorded, and begins anew.
pub(super) fn flush(gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
    let next = gpu.device.create_command_encoder(&Default::default());
    let recorded = std::mem::replace(encoder, next);
    gpu.queue.submit([recorded.finish()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a wipe both sides are whole pictures, of which no more is drawn than is shown.
    #[test]
    fn no_more_is_drawn_than_is_shown() {
        let window = Viewport {
            x: 300,
            y: 20,
            width: 100,
            height: 50,
        };
        let parts = |way| {
            let split = Split {
                way,
                at: 0.33,
                is_swapped: false,
            };
            let [drawn, shown] = [split.drawn_columns(100), split.columns(100)];
            [0, 1].map(|index| {
                let drawn = window.columns(drawn[index]);
                drawn.part(window.columns(shown[index]))
            })
        };
        let part = |x, width| Viewport {
            x,
            y: 0,
            width,
            height: 50,
        };
        let sides = [part(0, 33), part(33, 67)].map(Some);
        assert_eq!(parts(SplitWay::Wipe), sides);
        for way in [SplitWay::SideBySide, SplitWay::Overlay] {
            assert_eq!(parts(way), [None; 2], "{way:?}");
        }
    }
}
