//! What each command about the picture does to the session.

use crate::{app::Session, ui::PictureCommand};

impl Session {
    pub(in crate::app) fn apply_picture(&mut self, command: PictureCommand) {
        match command {
            PictureCommand::SetViewMode(mode) => {
                self.shown.view_mode = mode;
                self.is_stale = true;
            }
            PictureCommand::StepViewMode(steps) => {
                self.shown.view_mode = self.shown.view_mode.neighbour(steps);
                self.is_stale = true;
            }
            PictureCommand::SetWeightColors(colors) => self.shown.weight_colors = colors,
            PictureCommand::ToggleSkeleton => {
                self.shown.skeleton = !self.shown.skeleton;
                self.is_stale = true;
            }
            PictureCommand::ToggleGrid => self.shown.grid = !self.shown.grid,
            PictureCommand::ToggleWires => self.shown.lines.wires = !self.shown.lines.wires,
            PictureCommand::ToggleNormals => self.shown.lines.normals = !self.shown.lines.normals,
            PictureCommand::SetLight(light) => self.set_light(light),
            PictureCommand::SetBackdrop(backdrop) => self.backdrop = backdrop.clamped(),
        }
    }
}
