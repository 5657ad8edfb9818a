//! One picture of a posed actor: what is the same for all pictures of a command, and what is the same for those of a model.

use anyhow::bail;

use super::RenderArguments;
use crate::{
    anim::Skinning,
    app::Actor,
    cli::{MachineFault, find_node, find_variant},
    model::{Aabb, Model, NodeId},
    output::shrink,
    render::{Gpu, Picture, Renderer},
    scene::{Background, CameraView, Frame, Grid, SkeletonLook, ViewMode},
};

/// Draws the pictures of a command, of one model after the other.
pub(super) struct PictureMaker {
    renderer: Renderer,
    /// Whether the surroundings are the built-in ones.
    in_studio: bool,
}

impl PictureMaker {
    /// A renderer in the surroundings that are asked for.
    pub(super) fn new(gpu: &Gpu, arguments: &RenderArguments) -> anyhow::Result<Self> {
        let mut renderer = Renderer::new(gpu, Picture::FORMAT);
        let is_dual = arguments.skinning == Skinning::DualQuaternion;
        renderer.prepare_for(arguments.light.settings().quality, is_dual);
        let panorama = arguments.light.panorama()?;
        if let Some(panorama) = &panorama {
            renderer.set_environment(gpu, panorama);
        }
        Ok(Self {
            renderer,
            in_studio: panorama.is_none(),
        })
    }

    /// Pictures are about this model from now on.
    pub(super) fn set_model(&mut self, gpu: &Gpu, model: &Model) {
        self.renderer.set_model(gpu, model);
    }

    /// The picture of the actor in its pose, which must have been measured.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        actor: &mut Actor,
        look: &Look<'_>,
        camera: CameraView,
    ) -> anyhow::Result<Picture> {
        let arguments = look.arguments;
        if arguments.skeleton {
            actor.overlay_mut().clear();
            actor.shape_skeleton(&SkeletonLook::default());
        }
        let ground = Grid::for_bounds(&look.ground.unwrap_or(actor.bounds()));
        let frame = Frame {
            camera,
            inspection: actor.inspection(
                arguments.view,
                look.joint,
                arguments.weight_colors,
                &camera,
            ),
            background: look.background,
            variant: look.variant,
            lighting: actor.lighting(
                arguments.light.settings(),
                self.in_studio,
                arguments.ground.then_some(ground.height),
            ),
            layout: actor.layout(),
            palette: actor.palette(),
            properties: actor.properties(),
            draws: actor.draws(),
            overlay: arguments.skeleton.then(|| actor.overlay()),
            grid: arguments.grid.then_some(ground),
        };
        let size = look.size.map(|side| side.saturating_mul(look.scale));
        let picture = Picture::draw(gpu, &mut self.renderer, actor.model(), &frame, size);
        let picture = picture.map_err(|error| {
            if gpu.is_lost() || gpu.first_error().is_some() {
                MachineFault(error).into()
            } else {
                error
            }
        })?;
        Ok(shrink(&picture, look.scale))
    }
}

/// How a model is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) arguments: &'a RenderArguments,
    pub(super) joint: Option<NodeId>,
    pub(super) variant: Option<usize>,
    pub(super) background: Background,
    pub(super) size: [u32; 2],
    pub(super) scale: u32,
    /// What stands on the ground; else what was last measured.
    pub(super) ground: Option<Aabb>,
}

impl<'a> Look<'a> {
    /// What is asked for, of this model.
    pub(super) fn new(arguments: &'a RenderArguments, model: &Model) -> anyhow::Result<Self> {
        let joint = match &arguments.joint {
            Some(wanted) => Some(find_node(model, wanted)?),
            None if arguments.view == ViewMode::Weights => {
                bail!("--view weights needs a joint: --joint NAME or its index")
            }
            None => None,
        };
        let variant = match &arguments.variant {
            Some(wanted) => Some(find_variant(model, wanted)?),
            None => None,
        };
        Ok(Self {
            arguments,
            joint,
            variant,
            background: arguments.background(),
            size: arguments.size(),
            scale: arguments.scale,
            ground: None,
        })
    }

    /// Width over height.
    pub(super) fn aspect(&self) -> f32 {
        self.size[0] as f32 / self.size[1] as f32
    }
}
