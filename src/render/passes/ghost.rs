//! A second scene as a ghost over the first.

use crate::render::{
    Gpu, Pass, Renderer, SceneTarget,
    layout::GhostUniform,
    pipelines::{ColorKind, LayerPipeline},
    targets::{
        kept::{Keeps, KeptGroup},
        scene::SceneSamples,
    },
};

/// What lies over a scene.
#[derive(Debug, Clone, Copy)]
pub(in crate::render) struct Ghost<'a> {
    /// The second scene.
    pub(in crate::render) scene: &'a SceneTarget,
    /// Its colour (linear), and how opaque it is.
    pub(in crate::render) tint: [f32; 4],
    /// In parallel projection the depth that the picture's height spans.
    pub(in crate::render) depth_of_height: Option<f32>,
    /// Pixels of a point, by which its stripes are as wide wherever it is shown.
    pub(in crate::render) pixels_per_point: f32,
}

/// The least depth of the picture's height that the shader reckons with: of what it takes for two surfaces, some ten times the
/// precision of depth is left.
const MIN_DEPTH: f32 = 3e-4;

/// What draws ghosts.
#[derive(Debug)]
pub(in crate::render) struct GhostLayer {
    pipeline: LayerPipeline,
    /// Over scenes that hold shown colours; there once one lay under a ghost.
    pipeline_beside: Option<LayerPipeline>,
    uniform: wgpu::Buffer,
    group: KeptGroup<3>,
}

impl GhostLayer {
    fn new(gpu: &Gpu) -> Self {
        Self {
            pipeline: LayerPipeline::ghost(&gpu.device, ColorKind::Light),
            pipeline_beside: None,
            uniform: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("GhostLayer::uniform"),
                size: size_of::<GhostUniform>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            group: KeptGroup::default(),
        }
    }
}

/// Of the scenes that it was drawn from.
impl Keeps for GhostLayer {
    fn let_go(&mut self) {
        self.group.let_go();
    }

    fn end_picture(&mut self) -> usize {
        self.group.end_picture()
    }
}

impl Renderer {
    /// Lays a second scene over the one in `samples`.
    pub(in crate::render) fn ghost_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        ghost: Ghost<'_>,
        samples: SceneSamples<'_>,
    ) {
        let mut layer = self.ghost.take().unwrap_or_else(|| GhostLayer::new(gpu));
        // Where heights are hardly more than depth can tell, surfaces that are the same must not differ.
        let heights = |depth: f32| depth.max(MIN_DEPTH).recip();
        let heights = ghost.depth_of_height.map_or(0.0, heights);
        let uniform = GhostUniform {
            tint: ghost.tint,
            heights,
            pixels_per_point: ghost.pixels_per_point,
            padding: [0.0; 2],
        };
        gpu.queue
            .write_buffer(&layer.uniform, 0, bytemuck::bytes_of(&uniform));
        let views = [
            &ghost.scene.samples,
            &ghost.scene.depth,
            &samples.target.depth,
        ];
        let layout = &layer.pipeline.bind_layout;
        let group = layer.group.of(&gpu.device, layout, &layer.uniform, views);
        let pipeline = match samples.shown {
            Some(_) => layer
                .pipeline_beside
                .get_or_insert_with(|| LayerPipeline::ghost(&gpu.device, ColorKind::LightBeside)),
            None => &layer.pipeline,
        };
        let times = self.timestamps(Pass::Ghost);
        let mut pass = samples.layer_pass(encoder, "Renderer::ghost_pass", times);
        pipeline.draw(&mut pass, group);
        drop(pass);
        self.ghost = Some(layer);
    }
}
