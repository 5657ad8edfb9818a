//! What each command about the picture, its bones and what is chosen or hidden does to the session.

use crate::{
    app::{Errand, Session},
    model::NodeId,
    scene::ReferencePose,
    ui::{LoadKind, NodesCommand, PictureCommand, SkeletonCommand, WindowCommand},
};

impl Session {
    pub(in crate::app) fn choose_scene(&mut self, scene: usize) {
        if scene < self.model().scenes.len() {
            self.actor.set_scene(scene);
            self.list_dimmed_lights();
            self.gather_crowd();
            self.frame_model();
            self.lay_ground();
        }
    }

    pub(in crate::app) fn choose_node(&mut self, node: Option<usize>) {
        let in_range = |node: &usize| *node < self.model().hierarchy.len();
        self.selected = node.filter(in_range).map(|node| NodeId(node as u32));
        self.overlay_changed();
    }

    /// Puts the model back into the built-in studio.
    pub(in crate::app) fn use_studio(&mut self) -> Errand {
        self.set_environment(None);
        // Others may be on their way, and are not wanted any more.
        Errand::Window(WindowCommand::CancelLoading(Some(LoadKind::Environment)))
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
                self.surroundings.backdrop = backdrop.clamped();
            }
        }
    }

    /// Does what the user asks of the skeleton.
    pub(in crate::app) fn apply_skeleton(&mut self, command: SkeletonCommand) {
        match command {
            SkeletonCommand::Set(settings) => {
                // Whoever sets how it looks wants to see it.
                if !settings.shows_same_skeleton(&self.skeleton.settings) {
                    self.shown.skeleton = true;
                }
                self.skeleton.settings = settings;
                self.overlay_changed();
            }
            SkeletonCommand::KeepTrail(node) => {
                if node < self.model().hierarchy.len() {
                    self.skeleton.trail.toggle(node);
                    // Whoever keeps one wants to see it.
                    self.skeleton.settings.trail |= self.skeleton.trail.kept().contains(&node);
                    self.overlay_changed();
                }
            }
            SkeletonCommand::ForgetTrails => {
                self.skeleton.trail.clear();
                self.overlay_changed();
            }
            SkeletonCommand::Hold(Some(ReferencePose::Tee))
                if self.actor.why_no_t_pose().is_some() => {}
            // It plays clips, and would be found in the pose when it is over.
            SkeletonCommand::Hold(_) | SkeletonCommand::ToggleHeld
                if self.actor.crowd().is_some() => {}
            SkeletonCommand::Hold(held) => {
                self.skeleton.is_held = held.is_some();
                self.skeleton.reference = held.or(self.skeleton.reference);
                self.transition.cut();
                self.pose_changed();
            }
            SkeletonCommand::ToggleHeld => {
                self.skeleton.is_held = !self.skeleton.is_held;
                self.transition.cut();
                self.pose_changed();
            }
            SkeletonCommand::Hover {
                at,
                reach,
                is_resting,
            } => {
                // Where pictures follow each other, it would be looked for in each of them.
                let is_too_long = self.is_long_to_pick() && (!is_resting || self.is_moving());
                self.hover_surface(at.filter(|_| !is_too_long));
                let is_hidden = !self.skeleton.settings.x_ray;
                let at = at.filter(|_| !is_hidden || !is_too_long);
                let hovered = at.and_then(|at| self.bone_at(at, reach));
                if self.skeleton.hovered != hovered {
                    self.skeleton.hovered = hovered;
                    self.overlay_changed();
                }
            }
        }
    }

    /// Does what is asked of nodes. What is the interface's own affair is left to it.
    pub(in crate::app) fn apply_nodes(&mut self, command: NodesCommand) {
        match command {
            NodesCommand::ToggleHidden(node) => self.actor.toggle_hidden(node),
            NodesCommand::ToggleChosenHidden => {
                if let Some(node) = self.selected {
                    self.actor.toggle_hidden(node.index());
                }
            }
            NodesCommand::ShowAll => self.actor.hiding.show_all(),
            NodesCommand::FocusSearch => {}
        }
        self.pose_changed();
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
