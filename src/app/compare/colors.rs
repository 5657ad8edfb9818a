//! Joints in the colours of how far they are turned: those of both skeletons.

use glam::Vec3;

use super::differences::MIN_DEGREES;
use crate::{
    anim::difference::degrees_apart,
    app::{Actor, Session},
    model::NodeId,
    scene::{Overlay, linear_from_srgb},
};

/// The colours of what is not turned at all, and of what is turned most: light enough to be seen in front of a model.
const STILL: [f32; 3] = [0.8, 0.8, 0.8];
const TURNED: [f32; 3] = [1.0, 0.2, 0.05];

impl Session {
    /// Colours the joints of both skeletons by how far they are turned now; of A's lines those from the `first` on.
    pub(in crate::app) fn color_by_difference(&mut self, first: usize) {
        if self.differences().is_none() {
            return;
        }
        let mut overlay = std::mem::take(self.actor.overlay_mut());
        self.color_shapes(&mut overlay, first, Some);
        *self.actor.overlay_mut() = overlay;
        let Some(second) = self.compare.second_mut() else {
            return;
        };
        let mut overlay = std::mem::take(second.overlay_mut());
        self.color_shapes(&mut overlay, 0, |node| self.node_in_first(node));
        if let Some(second) = self.compare.second_mut() {
            *second.overlay_mut() = overlay;
        }
    }

    /// Colours lines of the one skeleton that lie over the other, from the `first` of the overlay's lines on.
    pub(super) fn color_ghost_lines(&mut self, first: usize, is_of_second: bool) {
        let Some(mut overlay) = self.lower_overlay(is_of_second).map(std::mem::take) else {
            return;
        };
        if let Some(lines) = overlay.lines.get_mut(first..) {
            for line in lines {
                let own = line.joint.and_then(|joint| match is_of_second {
                    true => self.node_in_first(joint),
                    false => Some(joint),
                });
                if let Some(part) = own.and_then(|own| self.turned_part(own)) {
                    line.color = turned_color(part, line.color[3]);
                }
            }
        }
        if let Some(place) = self.lower_overlay(is_of_second) {
            *place = overlay;
        }
    }

    /// Where lines of the one skeleton lie over the other.
    fn lower_overlay(&mut self, is_of_second: bool) -> Option<&mut Overlay> {
        if is_of_second {
            return Some(self.actor.overlay_mut());
        }
        self.compare.second_mut().map(Actor::overlay_mut)
    }

    /// Colours shapes, and lines from the `first` on that stand for bones; `node_in_first` says which joint of A each is.
    fn color_shapes(
        &self,
        overlay: &mut Overlay,
        first: usize,
        node_in_first: impl Fn(NodeId) -> Option<NodeId>,
    ) {
        let shapes = overlay.bones.iter_mut().chain(&mut overlay.joints);
        let shapes = shapes.map(|shape| (Some(shape.node), &mut shape.color));
        let lines = overlay.lines.iter_mut().skip(first);
        let lines = lines.map(|line| (line.joint, &mut line.color));
        for (node, color) in shapes.chain(lines) {
            let own = node.and_then(&node_in_first);
            if let Some(part) = own.and_then(|own| self.turned_part(own)) {
                *color = turned_color(part, color[3]);
            }
        }
    }

    /// How far a joint of A is turned now, as a part of the most that any is at any time; none of those that stand out by a colour
    /// of their own. It is told by the poses that are shown: points of curves have the greatest of the moments around them.
    fn turned_part(&self, node: NodeId) -> Option<f32> {
        if [self.selected, self.hovered_joint()].contains(&Some(node)) {
            return None;
        }
        let curves = &self.differences()?.curves;
        curves.degrees(Some(node))?;
        let [first, second] =
            [&self.actor, self.compare.second()?].map(|actor| &actor.pose().locals);
        let same = self.node_in_second(node)?;
        let degrees = degrees_apart(first.get(node.index())?, second.get(same.index())?);
        let most = curves.most_degrees();
        Some(if most > MIN_DEGREES {
            degrees / most
        } else {
            0.0
        })
    }
}

/// The linear colour of what is turned by a part of the most; it stays as opaque as it is. Small parts are to be seen, too.
fn turned_color(part: f32, alpha: f32) -> [f32; 4] {
    let [still, turned] = [STILL, TURNED].map(|color| Vec3::from(color.map(linear_from_srgb)));
    let color = still.lerp(turned, part.clamp(0.0, 1.0).sqrt());
    color.extend(alpha).to_array()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Quat;

    use super::*;
    use crate::{
        app::built_in,
        import::Import,
        model::{ClipBuilder, Interpolation, Timeline},
        ui::{Command, CompareCommand, PictureCommand, PlaybackCommand},
    };

    /// Pip with a clip of a hundred seconds that turns the first joint only at frame 1501 of 3000, by so many degrees.
    fn pip(degrees: f32) -> Import {
        let mut import = built_in::load("Pip").unwrap();
        let joint = import.model.skins[0].joints[0];
        let mut builder = ClipBuilder::new("turn");
        let times = (0..=3000_u16).map(|frame| f32::from(frame) / 30.0);
        let timeline = builder.timeline(Timeline::new(times.collect()).unwrap());
        let turn = |frame: u16| if frame == 1501 { degrees } else { 0.0 };
        let turns = (0..=3000).map(|frame| Quat::from_rotation_z(turn(frame).to_radians()));
        let turns = turns.collect::<Vec<_>>();
        builder
            .rotation(joint, timeline, Interpolation::Linear, turns)
            .unwrap();
        import.model.clips = vec![builder.finish()];
        import
    }

    /// A point of the curves stands for some frames.
    #[test]
    fn colors_are_those_of_the_moment_that_is_shown() {
        let mut session = Session::new(pip(0.0), None, Duration::ZERO);
        session.set_aspects([1.0, 1.5]);
        session.compare_with(pip(30.0));
        for command in [
            Command::SelectClip(Some(0)),
            Command::Picture(PictureCommand::ToggleSkeleton),
            Command::Compare(CompareCommand::ToggleDifferences),
        ] {
            session.apply(command);
        }
        session.update();
        let found = session.difference_job().unwrap().run();
        session.take_differences(found);
        let joint = session.model().skins[0].joints[0];
        let mut color_at = |frame: u16| {
            let time_secs = f64::from(f32::from(frame) / 30.0);
            session.apply(Command::Playback(PlaybackCommand::Seek(time_secs)));
            session.update();
            let overlay = session.actor().overlay();
            let mut shapes = overlay.bones.iter().chain(&overlay.joints);
            shapes.find(|shape| shape.node == joint).unwrap().color
        };
        let turned = Vec3::from(TURNED.map(linear_from_srgb));
        let [red, green, blue, _] = color_at(1501);
        assert!(Vec3::new(red, green, blue).abs_diff_eq(turned, 1e-3));
        let still = STILL.map(linear_from_srgb);
        for frame in [1498, 1504] {
            assert_eq!(color_at(frame)[..3], still, "{frame}");
        }
    }
}
