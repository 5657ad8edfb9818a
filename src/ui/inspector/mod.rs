//! The right panel, in sections that fold: what is chosen, what is wrong with the file, and how much there is of everything.

mod badge;
mod channels;
mod costs;
mod diagnostics;
mod facts;
mod meanings;
pub mod morphs;
mod notes;
mod pictures;
mod statistics;
mod transform;

use egui::{Align, ScrollArea, Sense, Ui, style::ScrollAnimation, vec2};

use super::{
    Command, Details, FactSection, InspectCommand, UiState, View,
    keys::focus,
    text,
    theme::colors_of,
    widgets::{
        self,
        section::{self, Folds},
    },
};
use facts::facts_ui;
use pictures::Pictures;

pub use badge::{badge_ui, take_wish};
pub use diagnostics::{is_of_motion, severity};

/// What the inspector itself remembers.
#[derive(Debug, Default)]
pub struct InspectorState {
    pictures: Pictures,
    findings: diagnostics::FindingsState,
    /// Where the panel is to be scrolled to in the next frame.
    wanted_offset: Option<f32>,
    /// Of which model which node was shown in the last frame.
    shown: (u64, Option<usize>),
}

impl InspectorState {
    /// Whether another node has been chosen, and not by a click on a finding, which is to stay under the pointer.
    fn is_newly_chosen(&mut self, view: &View<'_>) -> bool {
        let now = (view.model.generation, view.nodes.selected);
        let before = std::mem::replace(&mut self.shown, now);
        let is_other = before.0 == now.0 && before.1 != now.1;
        is_other && now.1.is_some() && !self.findings.holds()
    }
}

/// Draws the panel, in an area that scrolls.
pub fn inspector_ui(
    ui: &mut Ui,
    mut area: ScrollArea,
    state: &mut UiState,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    let details = view.nodes.details;
    let is_newly_chosen = state.inspector.is_newly_chosen(view);
    let pictures = &state.inspector.pictures;
    let folds = &mut state.folds;
    if let Some(offset) = state.inspector.wanted_offset.take() {
        area = area.vertical_scroll_offset(offset);
    }
    let output = area
        .id_salt("inspector")
        // Else it would reach over what lies below a low panel.
        .min_scrolled_height(0.0)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            if let Some(part) = &details.file
                && view.instead_of_model().is_none()
            {
                section(ui, folds, ("File", ""), |ui| {
                    part_ui(ui, part, pictures, commands);
                });
            }
            let node_top = ui.cursor().top();
            section(ui, folds, ("Node", ""), |ui| {
                node_ui(ui, view, pictures, commands);
            });
            morphs::morphs_ui(ui, (&mut state.morphs, folds), view, commands);
            for (title, part) in [("Mesh", &details.mesh), ("Skin", &details.skin)] {
                if let Some(part) = part {
                    section(ui, folds, (title, ""), |ui| {
                        part_ui(ui, part, pictures, commands);
                    });
                }
            }
            surface_ui(ui, folds, details, pictures, commands);
            if !details.notes.is_empty() {
                section(ui, folds, ("Extras", ""), |ui| {
                    notes::notes_ui(ui, &details.notes);
                });
            }
            if let Some(channels) = &details.channels {
                let figure = channels.len().to_string();
                section(ui, folds, ("Channels", &figure), |ui| {
                    channels::channels_ui(ui, channels);
                });
            }
            if is_newly_chosen {
                show_chosen(ui, node_top);
            }
            // For egui the palette that asked is in front for one more frame.
            let is_free = ui.memory(|memory| memory.allows_interaction(ui.layer_id()));
            let wants_findings = is_free && state.inspector.findings.take_wish();
            let top = ui.cursor().top();
            if wants_findings {
                folds.0.remove("Diagnostics");
            }
            section(ui, folds, ("Diagnostics", ""), |ui| {
                let findings = &mut state.inspector.findings;
                diagnostics::diagnostics_ui(ui, findings, view, commands);
            });
            if wants_findings {
                let list = ui.min_rect().with_min_y(top);
                ui.scroll_to_rect_animation(list, Some(Align::TOP), ScrollAnimation::none());
            } else if is_free {
                state.inspector.findings.end_wish();
            }
            section(ui, folds, ("Statistics", ""), |ui| {
                statistics::statistics_ui(ui, view);
            });
            focus::keep_in_sight(ui);
            focus::scroll_panel_by_keys(ui);
        });
    if let Some(slipped) = state.inspector.findings.slipped(ui) {
        // Beyond its end it would spring back.
        let most = (output.content_size.y - output.inner_rect.height()).max(0.0);
        let offset = output.state.clamped_offset().y + slipped;
        state.inspector.wanted_offset = Some(offset.clamp(0.0, most));
    }
}

/// Brings what is said of the chosen node, which has just been drawn from `top` on, into sight where most of what is seen is
/// about something else: else who looks at the skins of several nodes would be sent to the top by each.
fn show_chosen(ui: &Ui, top: f32) {
    let sight = ui.clip_rect();
    let said = ui.min_rect().with_min_y(top);
    if said.intersect(sight).height() < 0.5 * said.height().min(sight.height()) {
        ui.scroll_to_rect_animation(said, Some(Align::TOP), ScrollAnimation::none());
    }
}

/// Uploads the pictures of textures; before anything of them is drawn, be the panel there or not.
pub fn upload_pictures(ctx: &egui::Context, state: &mut InspectorState, view: &View<'_>) {
    state.pictures.update(ctx, view.nodes.details);
}

/// The large picture of a texture, if it is asked for.
pub fn large_picture_ui(
    ui: &Ui,
    state: &InspectorState,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    pictures::large_ui(ui, &state.pictures, view.nodes.details, commands);
}

fn section(ui: &mut Ui, folds: &mut Folds, heading: (&str, &str), contents: impl FnOnce(&mut Ui)) {
    section::section(ui, folds, heading, contents);
    ui.add_space(6.0);
}

fn node_ui(ui: &mut Ui, view: &View<'_>, pictures: &Pictures, commands: &mut Vec<Command>) {
    match &view.nodes.details.node {
        Some(part) => part_ui(ui, part, pictures, commands),
        None if view.shown.scene_panel => {
            name_ui(ui, "Select a node in the tree", colors_of(ui).weak);
        }
        None => name_ui(ui, "Select a node", colors_of(ui).weak),
    }
    if let Some(selection) = &view.nodes.selection {
        transform::transform_ui(ui, view, selection, commands);
    }
}

/// Material and texture.
fn surface_ui(
    ui: &mut Ui,
    folds: &mut Folds,
    details: &Details,
    pictures: &Pictures,
    commands: &mut Vec<Command>,
) {
    let Some((index, part)) = &details.material else {
        return;
    };
    let materials = &details.materials;
    let figure = match materials.len() {
        1 => String::new(),
        count => text::thousands(count as u64),
    };
    section(ui, folds, ("Material", &figure), |ui| {
        if materials.len() > 1 {
            choice_ui(ui, materials, *index, commands);
            facts_ui(ui, &part.facts, pictures, commands);
        } else {
            part_ui(ui, part, pictures, commands);
        }
    });
    let Some((texture, part)) = &details.texture else {
        return;
    };
    section(ui, folds, ("Texture", ""), |ui| {
        pictures::picture_ui(ui, pictures, *texture, &part.name, commands);
        part_ui(ui, part, pictures, commands);
    });
}

/// Which of several materials is shown.
fn choice_ui(
    ui: &mut Ui,
    materials: &[(usize, String)],
    shown: usize,
    commands: &mut Vec<Command>,
) {
    let name = materials.iter().find(|(index, _)| *index == shown);
    let name = name.map_or("", |(_, name)| name);
    let width = ui.available_width();
    let combo = egui::ComboBox::from_id_salt("material")
        .width(width)
        .truncate()
        .selected_text(widgets::shortened(ui, name, width - widgets::COMBO_ROOM))
        .show_ui(ui, |ui| {
            let height = ui.spacing().interact_size.y;
            let area = ScrollArea::vertical().max_height(300.0);
            area.show_rows(ui, height, materials.len(), |ui, rows| {
                for (index, name) in &materials[rows] {
                    let name = text::clean_name(name).into_owned();
                    if ui.selectable_label(*index == shown, name).clicked() {
                        commands.push(Command::Inspect(InspectCommand::Material(*index)));
                        ui.close();
                    }
                }
            });
        });
    focus::note_menu(ui.ctx(), &combo.response);
    combo.response.widget_info(|| {
        let label = format!("Material: {}", text::clean_name(name));
        egui::WidgetInfo::labeled(egui::Role::ComboBox, true, label)
    });
    ui.add_space(2.0);
}

/// A name, and what is known of it.
fn part_ui(ui: &mut Ui, part: &FactSection, pictures: &Pictures, commands: &mut Vec<Command>) {
    name_ui(ui, &part.name, colors_of(ui).strong);
    facts_ui(ui, &part.facts, pictures, commands);
}

fn name_ui(ui: &mut Ui, name: &str, color: egui::Color32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let is_elided = widgets::paint_name(ui, rect, name, color);
    response.widget_info(|| {
        let name = text::clean_name(name);
        egui::WidgetInfo::labeled(egui::Role::Label, true, name)
    });
    if is_elided {
        response.on_hover_text(text::clean_name(name));
    }
}
