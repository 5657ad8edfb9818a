//! Joints in the colours of how far they are turned: those of both skeletons.

use super::differences::MIN_DEGREES;
use crate::{
    app::{Actor, Session},
    model::NodeId,
    scene::{Overlay, WeightColors, linear_from_srgb},
};

/// Where the colours begin: darker ones are hard to see before the dark background.
const LEAST: f32 = 0.25;

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
                if let Some(color) = own.and_then(|own| self.difference_color(own)) {
                    line.color = [color[0], color[1], color[2], line.color[3]];
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
            if let Some(found) = own.and_then(|own| self.difference_color(own)) {
                *color = [found[0], found[1], found[2], color[3]];
            }
        }
    }

    /// The colour of a joint of A, linear; none of those that stand out by another.
    fn difference_color(&self, node: NodeId) -> Option<[f32; 3]> {
        if [self.selected, self.hovered_joint()].contains(&Some(node)) {
            return None;
        }
        let curves = &self.differences()?.curves;
        let degrees = curves.degrees_at(node, self.clock.time_secs())?;
        let most = curves.most_degrees();
        let part = if most > MIN_DEGREES {
            degrees / most
        } else {
            0.0
        };
        let color = WeightColors::Viridis.color(LEAST + (1.0 - LEAST) * part);
        Some(color.map(linear_from_srgb))
    }
}
