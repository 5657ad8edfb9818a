//! What is drawn over the scene: shapes of bones and joints, and lines as wide on the screen wherever they are.

use glam::Vec3;

use crate::{anim::PaletteMatrix, model::NodeId};

/// A shape of the overlay, as the GPU reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverlayShape {
    /// From the unit shape into the world.
    pub world_from_shape: PaletteMatrix,
    /// Linear red, green, blue, and opacity.
    pub color: [f32; 4],
    /// The joint that it stands for; of a bone the one where it begins.
    pub node: NodeId,
}

/// A line with round ends; one that ends where it begins is a dot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverlayLine {
    /// Where it begins in the world.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// Its width in pixels.
    pub width_px: f32,
    /// Linear red, green, blue, and opacity.
    pub color: [f32; 4],
    /// Of a bone the joint where it begins.
    pub joint: Option<NodeId>,
}

/// What lies over one picture. Buffers are kept from frame to frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    /// Unit octahedra from the origin to (0, 1, 0), widest at [`crate::scene::BONE_WAIST`].
    pub bones: Vec<OverlayShape>,
    /// Unit balls around the origin.
    pub joints: Vec<OverlayShape>,
    /// Lines, drawn after the shapes: later ones over earlier ones.
    pub lines: Vec<OverlayLine>,
    /// Lines that are seen through the shapes: what they hide would be lost.
    pub top_lines: Vec<OverlayLine>,
    /// Whether `bones` are only there to be picked: lines stand for them.
    pub bones_are_lines: bool,
    /// Whether the scene hides what is behind it. Else all of this is seen through the scene.
    pub is_hidden_by_scene: bool,
}

impl Overlay {
    /// Takes everything out.
    pub fn clear(&mut self) {
        self.bones.clear();
        self.joints.clear();
        self.lines.clear();
        self.top_lines.clear();
    }

    /// Adds a line.
    pub fn line(&mut self, from: Vec3, to: Vec3, width_px: f32, color: [f32; 4]) {
        push_line(&mut self.lines, from, to, width_px, color);
    }

    /// Adds a line that stands for a bone, by the joint where it begins.
    pub fn bone_line(
        &mut self,
        from: Vec3,
        to: Vec3,
        width_px: f32,
        color: [f32; 4],
        joint: NodeId,
    ) {
        let before = self.lines.len();
        self.line(from, to, width_px, color);
        for line in &mut self.lines[before..] {
            line.joint = Some(joint);
        }
    }

    /// Adds a line that is seen through the shapes.
    pub fn top_line(&mut self, from: Vec3, to: Vec3, width_px: f32, color: [f32; 4]) {
        push_line(&mut self.top_lines, from, to, width_px, color);
    }
}

fn push_line(lines: &mut Vec<OverlayLine>, from: Vec3, to: Vec3, width_px: f32, color: [f32; 4]) {
    if from.is_finite() && to.is_finite() {
        lines.push(OverlayLine {
            from,
            to,
            width_px,
            color,
            joint: None,
        });
    }
}
