//! One picture of a posed actor: what is the same for all pictures of a command, and what is the same for those of a model.

use anyhow::{anyhow, bail};

use super::RenderArguments;
use crate::{
    anim::{PaletteLayout, Skinning},
    app::{Actor, MachineFault},
    cli::{find_node, find_variant},
    model::{Aabb, Model, NodeId},
    output::shrink,
    render::{Gpu, Pace, Pair, Picture, PictureTooLarge, Renderer, Subject},
    scene::{
        Background, CameraView, Frame, GHOST_COLOR, Grid, JointPlaces, Sight, SkeletonLook, Split,
        ViewMode, dim_alike,
    },
};

/// Draws the pictures of a command, of one model after the other.
#[derive(Debug)]
pub struct PictureMaker {
    renderer: Renderer,
    /// Whether the environment is the built-in one.
    in_studio: bool,
}

impl PictureMaker {
    /// A renderer in the environment that is asked for.
    pub fn new(gpu: &Gpu, arguments: &RenderArguments) -> anyhow::Result<Self> {
        let mut renderer = Renderer::new(gpu, Picture::FORMAT);
        let is_dual = arguments.skinning == Skinning::DualQuaternion;
        let quality = arguments.light.settings().quality;
        renderer.prepare_for(quality, is_dual, arguments.view);
        let panorama = arguments.light.panorama()?;
        if let Some(panorama) = &panorama {
            renderer.set_environment(gpu, panorama);
        }
        Ok(Self {
            renderer,
            in_studio: panorama.is_none(),
        })
    }

    /// Pictures are wanted one after the other from now on, or one alone.
    pub(super) fn set_pace(&mut self, pace: Pace) {
        self.renderer.set_pace(pace);
    }

    /// Pictures are about this model from now on.
    pub(super) fn set_model(&mut self, gpu: &Gpu, model: &Model) {
        self.renderer.set_model(gpu, model);
    }

    /// The second subject of pictures is about this model from now on, or about the same as the first.
    pub(super) fn set_other_model(&mut self, gpu: &Gpu, model: Option<&Model>) {
        self.renderer.set_other_model(gpu, model);
    }

    /// The picture of the actor in its pose, which must have been measured.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        actor: &mut Actor,
        look: &Look<'_>,
        camera: CameraView,
    ) -> anyhow::Result<Picture> {
        shape_skeleton(actor, look);
        let frame = self.frame(actor, look, camera);
        let size = look.drawn_size();
        let picture = Picture::draw(gpu, &mut self.renderer, actor.model(), &frame, size);
        finished(gpu, picture, look)
    }

    /// One picture of two actors in their poses, which must have been measured.
    pub(super) fn draw_pair(
        &mut self,
        gpu: &Gpu,
        actors: [(&mut Actor, &Look<'_>); 2],
        cameras: [CameraView; 2],
        (split, has_other_model): (Split, bool),
    ) -> anyhow::Result<Picture> {
        let actors = actors.map(|(actor, look)| {
            shape_skeleton(actor, look);
            (&*actor, look)
        });
        let [first, second] = actors;
        let look = first.1;
        let mut frames = [
            self.frame(first.0, first.1, cameras[0]),
            self.frame(second.0, second.1, cameras[1]),
        ];
        dim_alike(frames.each_mut().map(|frame| &mut frame.lighting));
        let subject = |index: usize| Subject {
            model: actors[index].0.model(),
            frame: &frames[index],
        };
        let pair = Pair {
            subjects: [subject(0), subject(1)],
            has_other_model,
            split,
            column_width: look.scale,
            ghost: GHOST_COLOR,
        };
        let picture = Picture::draw_pair(gpu, &mut self.renderer, &pair, look.drawn_size());
        finished(gpu, picture, look)
    }

    /// What a camera sees, also of those who throw a shadow.
    pub(super) fn sight(&self, actor: &Actor, look: &Look<'_>, view: CameraView) -> Sight {
        let settings = look.arguments.light.settings();
        Sight {
            view,
            to_light: actor.to_shadow_light(settings, self.in_studio),
        }
    }

    /// What is drawn of an actor.
    fn frame<'a>(&self, actor: &'a Actor, look: &Look<'_>, camera: CameraView) -> Frame<'a> {
        let arguments = look.arguments;
        let ground = Grid::for_bounds(&look.ground.unwrap_or(actor.bounds()));
        Frame {
            camera,
            inspection: actor.inspection(
                (arguments.view, arguments.lines()),
                look.joint,
                arguments.weight_colors(),
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
            crowd: actor.crowd(),
            properties: actor.properties(),
            draws: actor.draws(),
            overlay: shows_skeleton(actor, look).then(|| actor.overlay()),
            grid: arguments.grid.then_some(ground),
            pixels_per_point: look.scale as f32,
        }
    }
}

/// Whether bones are drawn: where they are asked for, and where there is nothing else.
fn shows_skeleton(actor: &Actor, look: &Look<'_>) -> bool {
    look.arguments.skeleton || actor.has_only_joints()
}

fn shape_skeleton(actor: &mut Actor, look: &Look<'_>) {
    if shows_skeleton(actor, look) {
        actor.overlay_mut().clear();
        actor.shape_skeleton(&SkeletonLook {
            pixels_per_point: look.scale as f32,
            ..SkeletonLook::default()
        });
    }
}

/// A picture at the size that is asked for; says whose fault it is if there is none.
fn finished(
    gpu: &Gpu,
    picture: anyhow::Result<Picture>,
    look: &Look<'_>,
) -> anyhow::Result<Picture> {
    let picture = picture.map_err(|error| {
        if gpu.is_lost() || gpu.first_error().is_some() {
            MachineFault(advised(error)).into()
        } else {
            error
        }
    })?;
    Ok(shrink(picture, look.scale))
}

/// With what helps, if the picture itself has no room.
fn advised(error: anyhow::Error) -> anyhow::Error {
    if error.is::<PictureTooLarge>() {
        anyhow!("{error:#}; a smaller --size or --scale needs less")
    } else {
        error
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
                bail!("--view weights needs --joint (a name or an index)")
            }
            None => None,
        };
        if let Some(joint) = joint.filter(|_| arguments.view == ViewMode::Weights)
            && moves_nothing(model, joint)
        {
            let joint = model.hierarchy.display_name(joint);
            log::warn!("{}: {joint:?} moves no vertex", model.name);
        }
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

    /// How large pictures are drawn.
    fn drawn_size(&self) -> [u32; 2] {
        self.size.map(|side| side.saturating_mul(self.scale))
    }

    /// Width over height.
    pub(super) fn aspect(&self) -> f32 {
        self.size[0] as f32 / self.size[1] as f32
    }
}

/// Whether a node is neither a joint nor carries a mesh, so that no vertex has its weight.
fn moves_nothing(model: &Model, node: NodeId) -> bool {
    let layout = PaletteLayout::of_all_nodes(model);
    JointPlaces::of(model, &layout, node).ranges().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Hierarchy, Mesh, Node, Primitive};

    /// What else runs out is no smaller in a smaller picture.
    #[test]
    fn a_smaller_size_is_advised_where_the_picture_has_no_room() {
        let too_large = PictureTooLarge {
            size: [9000, 9000],
            reason: "not enough memory left".to_owned(),
        };
        assert_eq!(
            advised(too_large.into()).to_string(),
            "a picture of 9000 × 9000 is too large for the graphics device: not enough memory left; \
             a smaller --size or --scale needs less"
        );
        let refused = "the graphics device refused: not enough memory left";
        assert_eq!(advised(anyhow!(refused)).to_string(), refused);
    }

    #[test]
    fn nodes_without_joint_and_mesh_move_nothing() {
        let pip = crate::app::built_in::load("Pip").unwrap().model;
        let joint = pip.skins[0].joints[0];
        assert!(!moves_nothing(&pip, joint));
        let carrier = Node {
            mesh: Some(0),
            ..Node::default()
        };
        let nodes = vec![carrier, Node::default()];
        let model = Model {
            hierarchy: Hierarchy::new(nodes, &[None; 2], &[vec![], vec![]]).unwrap(),
            meshes: vec![Mesh {
                primitives: vec![Primitive::default()],
                ..Mesh::default()
            }]
            .into(),
            ..Model::default()
        };
        assert!(!moves_nothing(&model, NodeId(0)));
        assert!(moves_nothing(&model, NodeId(1)));
    }
}
