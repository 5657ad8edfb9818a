//! What each command about the picture does to the session.

use std::iter;

use crate::{app::Session, scene::Inspectable, ui::PictureCommand};

impl Session {
    /// What there is to inspect of the models that are shown.
    pub(in crate::app) fn inspectable(&self) -> Inspectable {
        let other = self.other_model().map(|(_, model)| model);
        Inspectable::of(iter::once(self.model()).chain(other))
    }

    pub(in crate::app) fn apply_picture(&mut self, command: PictureCommand) {
        match command {
            PictureCommand::SetViewMode(mode) => {
                self.shown.view_mode = mode;
                self.pose_changed();
            }
            PictureCommand::StepViewMode(steps) => {
                let mode = self.shown.view_mode;
                self.shown.view_mode = self.inspectable().step(mode, steps);
                self.pose_changed();
            }
            PictureCommand::SetWeightColors(colors) => self.shown.weight_colors = colors,
            PictureCommand::ToggleSkeleton => {
                self.shown.skeleton = !self.shown.skeleton;
                self.overlay_changed();
            }
            PictureCommand::ToggleGrid => self.shown.grid = !self.shown.grid,
            PictureCommand::ToggleWires => self.shown.lines.wires = !self.shown.lines.wires,
            PictureCommand::ToggleNormals => self.shown.lines.normals = !self.shown.lines.normals,
            PictureCommand::SetLight(light) => self.set_light(light),
            PictureCommand::SetBackdrop(backdrop) => {
                self.surroundings.backdrop = backdrop.clamped()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{scene::ViewMode, ui::Command};

    #[test]
    fn views_of_layers_that_no_material_has_are_passed_over() {
        let mut session = Session::new(Default::default(), None, Duration::ZERO);
        let mut after = |command| {
            session.apply(Command::Picture(command));
            session.shown.view_mode
        };
        after(PictureCommand::SetViewMode(ViewMode::Emissive));
        assert_eq!(after(PictureCommand::StepViewMode(1)), ViewMode::Normal);
        assert_eq!(after(PictureCommand::StepViewMode(-1)), ViewMode::Emissive);
    }
}
