//! Joints in the colours of how far they are turned: those of both skeletons.

use glam::Vec3;

use super::differences::MIN_DEGREES;
use crate::{
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
        let Some(other) = self.compare.other_mut() else {
            return;
        };
        let mut overlay = std::mem::take(other.overlay_mut());
        self.color_shapes(&mut overlay, 0, |node| self.own_node(node));
        if let Some(other) = self.compare.other_mut() {
            *other.overlay_mut() = overlay;
        }
    }

    /// Colours lines of the one skeleton that lie over the other, from the `first` of the overlay's lines on.
    pub(super) fn color_ghost_lines(&mut self, first: usize, is_of_other: bool) {
        let Some(mut overlay) = self.lower_overlay(is_of_other).map(std::mem::take) else {
            return;
        };
        if let Some(lines) = overlay.lines.get_mut(first..) {
            for line in lines {
                let own = line.joint.and_then(|joint| match is_of_other {
                    true => self.own_node(joint),
                    false => Some(joint),
                });
                if let Some(part) = own.and_then(|own| self.turned_part(own)) {
                    line.color = turned_color(part, line.color[3]);
                }
            }
        }
        if let Some(place) = self.lower_overlay(is_of_other) {
            *place = overlay;
        }
    }

    /// Where lines of the one skeleton lie over the other.
    fn lower_overlay(&mut self, is_of_other: bool) -> Option<&mut Overlay> {
        if is_of_other {
            return Some(self.actor.overlay_mut());
        }
        self.compare.other_mut().map(Actor::overlay_mut)
    }

    /// Colours shapes, and lines from the `first` on that stand for bones; `own_node` says which joint of A each is.
    fn color_shapes(
        &self,
        overlay: &mut Overlay,
        first: usize,
        own_node: impl Fn(NodeId) -> Option<NodeId>,
    ) {
        let shapes = overlay.bones.iter_mut().chain(&mut overlay.joints);
        let shapes = shapes.map(|shape| (Some(shape.node), &mut shape.color));
        let lines = overlay.lines.iter_mut().skip(first);
        let lines = lines.map(|line| (line.joint, &mut line.color));
        for (node, color) in shapes.chain(lines) {
            let own = node.and_then(&own_node);
            if let Some(part) = own.and_then(|own| self.turned_part(own)) {
                *color = turned_color(part, color[3]);
            }
        }
    }

    /// How far a joint of A is turned now, as a part of the most that any is at any time; none of those that stand out by a colour
    /// of their own.
    fn turned_part(&self, node: NodeId) -> Option<f32> {
        if [self.selected, self.hovered_joint()].contains(&Some(node)) {
            return None;
        }
        let curves = &self.differences()?.curves;
        let degrees = curves.degrees_at(node, self.clock.time_secs())?;
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
