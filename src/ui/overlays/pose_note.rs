//! A note in a corner of the picture: which pose is held instead of the clip, or what a trail still lacks.

use egui::{Align2, Rect, RichText, Ui};

use crate::ui::{
    Command, SkeletonCommand, View,
    keys::{Action, written},
    menus::view::corner_ui,
    theme::colors_of,
    widgets,
};

/// Smaller pictures have no room for it.
const MIN_SIZE: egui::Vec2 = egui::vec2(200.0, 140.0);

/// Draws the note, if there is anything to say.
pub fn pose_note_ui(ui: &Ui, view: &View<'_>, viewport: Rect, commands: &mut Vec<Command>) {
    if viewport.width() < MIN_SIZE.x || viewport.height() < MIN_SIZE.y {
        return;
    }
    let skeleton = &view.skeleton;
    let has_trail = view.nodes.selected.is_some() || !skeleton.trails.is_empty();
    let lacks_node = skeleton.settings.trail && !has_trail && view.unseen_motion().is_empty();
    if skeleton.held.is_none() && !lacks_node {
        return;
    }
    let corner = Align2::LEFT_TOP;
    corner_ui(ui, "rigscope_pose_note", viewport, corner, |ui| {
        let text = colors_of(ui).text;
        if let Some(held) = skeleton.held {
            ui.horizontal(|ui| {
                let words = format!("{} pose", held.label());
                ui.label(RichText::new(words).color(text));
                let button = ui.small_button("Back to the clip");
                let keys = written(Action::HeldPose, 0);
                if widgets::tooltip(button, "Show what the clip makes", &keys).clicked() {
                    commands.push(Command::Skeleton(SkeletonCommand::Hold(None)));
                }
            });
        } else {
            let words = "Motion trail: select a node";
            ui.label(RichText::new(words).color(text));
        }
    });
}
