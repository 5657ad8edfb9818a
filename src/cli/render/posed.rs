//! One picture of an actor in a pose, and of what stands beside it.

use super::{
    RenderArguments,
    compare::SecondSubject,
    eye::Eye,
    look::{Look, PictureMaker},
};
use crate::{
    app::Actor,
    cli::ForeignClips,
    render::{Gpu, Pace, Picture},
};

/// The picture of an actor in its pose, by a maker in the environment that is asked for.
pub fn draw(
    gpu: &Gpu,
    maker: &mut PictureMaker,
    actor: &mut Actor,
    arguments: &RenderArguments,
) -> anyhow::Result<Picture> {
    let look = Look::new(arguments, actor.model())?;
    let mut eye = Eye::new(arguments, actor)?;
    eye.frame_pose(actor, look.aspect(), std::iter::once(0.0));
    maker.set_pace(Pace::Still);
    maker.set_model(gpu, actor.model());
    let foreign = ForeignClips::default();
    let mut second = SecondSubject::new(arguments, (&*actor, &foreign), None, &look, Some(gpu))?;
    if let Some(second) = &second {
        second.prepare(gpu, maker);
    }
    let posed = (actor, None, arguments.moment.time);
    draw_posed(gpu, maker, posed, second.as_mut(), &look, (&eye, 0.0))
}

/// The picture of an actor in the pose that it has at a time of a clip, and has been measured in; and of what stands beside it.
pub(super) fn draw_posed(
    gpu: &Gpu,
    maker: &mut PictureMaker,
    (actor, clip, time_secs): (&mut Actor, Option<usize>, f64),
    second: Option<&mut SecondSubject>,
    look: &Look<'_>,
    (eye, turn): (&Eye, f32),
) -> anyhow::Result<Picture> {
    if let Some(second) = second {
        second.pose(actor, clip, time_secs);
        return second.draw(gpu, maker, actor, look, (eye, turn));
    }
    let view = eye.view(actor, look.aspect(), turn)?;
    let sight = maker.sight(actor, look, view);
    actor.pose_crowd(time_secs, Some(&sight));
    maker.draw(gpu, actor, look, view)
}
