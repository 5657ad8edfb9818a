//! The morph weights: a slider each, which shows what clips do and holds what the user says.

use std::borrow::Cow;

use egui::{ScrollArea, Slider, SliderClamping, Ui, WidgetInfo, vec2};

use crate::ui::{
    Command, MorphCommand, MorphRow, View,
    keys::focus,
    text,
    theme::{self, colors_of},
    widgets::{
        self, IconButton,
        icons::Icon,
        numbers::moving_number,
        section::{Folds, section},
    },
};

/// From how many weights on the list can be searched.
const SEARCHED_FROM: usize = 13;
/// How many are shown before the list scrolls.
const SHOWN_ROWS: f32 = 12.5;
/// Room for the figure of a weight, and for the button that releases it.
const FIGURE_WIDTH: f32 = 42.0;
const RELEASE_SIDE: f32 = 18.0;
/// How much of the rest the name takes; the slider has what is left.
const NAME_PART: f32 = 0.62;

/// What the list itself remembers.
#[derive(Debug, Default)]
pub struct MorphsState {
    query: String,
    /// For each weight the least and the greatest that was seen of it.
    ranges: Vec<[f32; 2]>,
    model: u64,
    listed: Listed,
}

/// The lines of the list, kept until they are others.
#[derive(Debug, Default)]
struct Listed {
    /// Model, its weights, and what is searched.
    of: Option<(u64, usize, String)>,
    /// Whether names of targets alone do not tell the weights apart.
    has_several_nodes: bool,
    lines: Vec<Line>,
}

impl Listed {
    fn update(&mut self, view: &View<'_>, query: &str) {
        let rows = view.morphs.rows;
        let is_same = self.of.as_ref().is_some_and(|(model, count, asked)| {
            (*model, *count) == (view.model.generation, rows.len()) && asked == query
        });
        if !is_same {
            self.of = Some((view.model.generation, rows.len(), query.to_owned()));
            self.has_several_nodes = rows.iter().any(|row| row.node != rows[0].node);
            self.lines = found(rows, query, self.has_several_nodes);
        }
    }
}

impl MorphsState {
    /// Lets go of what belongs to another model. What is searched for stays: the same file may have been read again.
    fn follow(&mut self, model: u64, weights: usize) {
        if self.model != model || self.ranges.len() != weights {
            *self = Self {
                query: std::mem::take(&mut self.query),
                ranges: vec![[0.0, 1.0]; weights],
                model,
                listed: Listed::default(),
            };
        }
    }
}

/// A line of the list, by the place of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// The name of its node.
    Node(usize),
    Weight(usize),
}

/// Draws the section, if the model has any morph weights.
pub fn morphs_ui(
    ui: &mut Ui,
    (state, folds): (&mut MorphsState, &mut Folds),
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    let morphs = &view.morphs;
    if morphs.rows.is_empty() {
        return;
    }
    state.follow(view.model.generation, morphs.values.len());
    let figure = text::thousands(morphs.rows.len() as u64);
    section(ui, folds, ("Morphs", &figure), |ui| {
        if view.statistics.crowd.is_some() {
            let words = "In a crowd they go by the clips alone.";
            let words = egui::RichText::new(words).weak().size(12.0);
            ui.add(egui::Label::new(words).wrap());
        }
        if morphs.rows.len() >= SEARCHED_FROM {
            widgets::search_field(ui, &mut state.query, "Search morphs");
            ui.add_space(2.0);
        } else {
            state.query.clear();
        }
        state.listed.update(view, &state.query);
        lines_ui(ui, state, view, commands);
        release_ui(ui, morphs.held.len(), commands);
    });
    ui.add_space(8.0);
}

/// What is listed of the weights, with the names of their nodes.
fn lines_ui(ui: &mut Ui, state: &mut MorphsState, view: &View<'_>, commands: &mut Vec<Command>) {
    // Lent out, as rows change the ranges.
    let listed = std::mem::take(&mut state.listed);
    let (lines, has_several_nodes) = (&listed.lines, listed.has_several_nodes);
    if lines.is_empty() {
        ui.weak("No morph of that name");
    }
    let row_height = theme::ROW_HEIGHT + ui.spacing().item_spacing.y;
    ScrollArea::vertical()
        .id_salt("morphs")
        .max_height(SHOWN_ROWS * row_height)
        .auto_shrink([false, true])
        .show_rows(ui, theme::ROW_HEIGHT, lines.len(), |ui, shown| {
            let rows = view.morphs.rows;
            for line in lines.get(shown).unwrap_or_default() {
                match *line {
                    Line::Node(row) => node_ui(ui, &rows[row].node_name),
                    Line::Weight(row) => {
                        let row = WeightRow {
                            row: &rows[row],
                            has_several_nodes,
                        };
                        weight_ui(ui, state, row, view, commands);
                    }
                }
            }
        });
    state.listed = listed;
}

/// Gives all weights back to the clips. Always there, so that nothing moves when the first weight is held.
fn release_ui(ui: &mut Ui, held: usize, commands: &mut Vec<Command>) {
    let button = egui::Button::new(match held {
        0 => "Release all".to_owned(),
        _ => format!("Release all ({held})"),
    });
    let response = ui
        .add_enabled(held > 0, button)
        .on_hover_text("Clips have all morph weights again")
        .on_disabled_hover_text("Weights that are moved here are held until they are released");
    if response.clicked() {
        commands.push(Command::Morphs(MorphCommand::ReleaseAll));
    }
}

fn found(rows: &[MorphRow], query: &str, has_several_nodes: bool) -> Vec<Line> {
    let query = text::folded(query.trim());
    let mut lines = Vec::with_capacity(rows.len());
    let mut last_node = None;
    for (place, row) in rows.iter().enumerate() {
        if !query.is_empty() && !text::folded(&text::clean_name(&row.name)).contains(&query) {
            continue;
        }
        if has_several_nodes && last_node != Some(row.node) {
            lines.push(Line::Node(place));
            last_node = Some(row.node);
        }
        lines.push(Line::Weight(place));
    }
    lines
}

fn node_ui(ui: &mut Ui, name: &str) {
    let room = vec2(ui.available_width(), theme::ROW_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(room, egui::Sense::hover());
    widgets::paint_name(ui, rect, name, colors_of(ui).weak);
}

/// A weight of the list.
struct WeightRow<'a> {
    row: &'a MorphRow,
    /// Whether the list has weights of other nodes, too.
    has_several_nodes: bool,
}

fn weight_ui(
    ui: &mut Ui,
    state: &mut MorphsState,
    row: WeightRow<'_>,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    let WeightRow {
        row,
        has_several_nodes,
    } = row;
    let place = row.weight;
    let (Some(&value), Some(range)) = (view.morphs.values.get(place), state.ranges.get_mut(place))
    else {
        return;
    };
    // The slider's ends go as far as the weight has gone.
    if value.is_finite() {
        *range = [range[0].min(value), range[1].max(value)];
    }
    let [least, greatest] = *range;
    let is_held = view.morphs.held.binary_search(&place).is_ok();
    let name = text::clean_name(&row.name);
    // Who does not see below which node it stands is told.
    let said = if has_several_nodes {
        Cow::Owned(format!("{name} of {}", text::clean_name(&row.node_name)))
    } else {
        Cow::Borrowed(&*name)
    };
    let mut asked = value;
    let mut is_asked = false;
    ui.push_id((state.model, place), |ui| {
        let room = vec2(ui.available_width(), theme::ROW_HEIGHT);
        let (rect, _) = ui.allocate_exact_size(room, egui::Sense::hover());
        // Fixed places, so that no row is wider than the others.
        let part = |left: f32, right: f32| {
            rect.with_min_x(left)
                .with_max_x(right)
                .shrink2(vec2(0.0, 1.0))
        };
        let release = part(rect.right() - RELEASE_SIDE, rect.right());
        let figure = part(release.left() - 4.0 - FIGURE_WIDTH, release.left() - 4.0);
        let middle = rect.left() + (NAME_PART * (figure.left() - rect.left())).round();
        let label = ui.interact(
            part(rect.left(), middle),
            ui.scope_id().with("name"),
            egui::Sense::hover(),
        );
        let colors = colors_of(ui);
        let color = if is_held { colors.accent } else { colors.text };
        if widgets::paint_name(ui, part(rect.left(), middle - 4.0), &row.name, color) {
            label.on_hover_text(name.as_ref());
        }
        let slider_place = part(middle, figure.left() - 6.0);
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(slider_place));
        child.spacing_mut().slider_width = slider_place.width();
        child.spacing_mut().interact_size.y = slider_place.height();
        let slider = Slider::new(&mut asked, least..=greatest)
            .show_value(false)
            .clamping(SliderClamping::Edits);
        let response = child.add(slider);
        response.widget_info(|| WidgetInfo::slider(true, f64::from(value), said.as_ref()));
        focus::follow(ui, &response, rect);
        is_asked |= response.changed();
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(figure));
        child.spacing_mut().button_padding = vec2(2.0, 0.0);
        child.spacing_mut().interact_size = figure.size();
        let seen = (f64::from(asked) * 100.0).round() / 100.0;
        let title = format!("Value of {said}");
        let (number, typed) = moving_number(&mut child, &title, seen, |ui, drag| {
            ui.put(figure, drag.speed(0.005).fixed_decimals(2))
        });
        focus::follow(ui, &number, rect);
        if let Some(typed) = typed {
            (asked, is_asked) = (typed as f32, true);
        }
        if is_held {
            let label = format!("Release {said}");
            let mut child = ui.new_child(egui::UiBuilder::new().max_rect(release));
            let button = IconButton::new(Icon::Cross, &label).side(RELEASE_SIDE);
            let button = button.show(&mut child);
            focus::follow(ui, &button, rect);
            if button.clicked() {
                commands.push(Command::Morphs(MorphCommand::Release(place)));
            }
        }
    });
    if is_asked && asked != value {
        commands.push(Command::Morphs(MorphCommand::Hold(place, asked)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_for_outlives_the_model() {
        let mut state = MorphsState {
            query: "smile".to_owned(),
            ..MorphsState::default()
        };
        state.follow(7, 3);
        assert_eq!(state.query, "smile");
        assert_eq!(state.ranges.len(), 3);
    }
}
