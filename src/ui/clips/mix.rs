//! The clips that play beside the chosen one: how much of each, how, where, and what they quarrel about.

use egui::{ComboBox, RichText, Role, Slider, SliderClamping, Ui, WidgetInfo};

use crate::anim::LoopMode;
use crate::ui::{
    Command, MAX_ADDED, MixCommand, MixMode, MixReference, MixRow, View,
    keys::{Action, focus, written},
    text,
    theme::colors_of,
    widgets::{
        self, IconButton,
        icons::Icon,
        section::{Folds, section},
    },
};

/// Quarrels that are shown.
const MAX_CONFLICTS: usize = 3;

/// Draws the section, if anything plays beside the chosen clip.
pub fn mix_ui(ui: &mut Ui, folds: &mut Folds, view: &View<'_>, commands: &mut Vec<Command>) {
    let mix = &view.mix;
    if mix.clips.is_empty() {
        return;
    }
    ui.add_space(6.0);
    let figure = format!("{} beside", mix.clips.len());
    section(ui, folds, ("Mix", &figure), |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        let mut ask = |command| commands.push(Command::Mix(command));
        let base = view
            .clips
            .chosen
            .map_or("File's own pose".into(), |clip| name(view, clip));
        let words = format!("Over {base}");
        let shown = widgets::shortened(ui, &words, ui.available_width());
        let is_whole = shown == words;
        let label = ui.add(egui::Label::new(RichText::new(shown).weak()).truncate());
        if !is_whole {
            label.on_hover_text(words);
        }
        for row in mix.clips {
            ui.push_id(row.clip, |ui| clip_ui(ui, row, view, &mut ask));
        }
        // Below them: what they are chosen by must not move when a quarrel begins or ends.
        conflicts_ui(ui, view, &mut ask);
        if view.statistics.crowd.is_some() {
            weak(ui, "In a crowd everybody plays one clip alone.");
        }
        step_ui(ui, view, &mut ask);
        let button = egui::Button::new("Back to one clip");
        let width = ui.available_width();
        let response = ui.add_sized([width, 24.0], button);
        let keys = written(Action::EndMix, 0);
        let hint = "The selected clip alone; the others fade out";
        if widgets::tooltip(response, hint, &keys).clicked() {
            ask(MixCommand::EndMix);
        }
    });
}

fn name(view: &View<'_>, clip: usize) -> String {
    let name = view.clips.name(clip);
    name.map_or_else(String::new, |name| text::clean_name(name).into_owned())
}

fn weak(ui: &mut Ui, words: &str) {
    ui.add(egui::Label::new(RichText::new(words).weak().size(12.0)).wrap());
}

fn clip_ui(ui: &mut Ui, row: &MixRow, view: &View<'_>, ask: &mut impl FnMut(MixCommand)) {
    let clip_name = name(view, row.clip);
    let clip = row.clip;
    ui.separator();
    ui.horizontal(|ui| {
        let side = 18.0;
        let room = egui::vec2(ui.available_width() - side - 6.0, 20.0);
        let (rect, response) = ui.allocate_exact_size(room, egui::Sense::hover());
        if widgets::paint_name(ui, rect, &clip_name, colors_of(ui).strong) {
            response.on_hover_text(&clip_name);
        }
        let label = format!("Take {clip_name} out of the mix");
        let keys = if clip < 9 {
            written(Action::MixClip, clip)
        } else {
            String::new()
        };
        let button = IconButton::new(Icon::Cross, &label).side(side).keys(keys);
        if button.show(ui).clicked() {
            ask(MixCommand::ToggleMixed(clip));
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let keys = written(Action::MixMode, 0);
        for (mode, label, hint) in [
            (
                MixMode::Together,
                "Together",
                "Moves what it has keys for, and leaves everything else alone".to_owned(),
            ),
            (
                MixMode::Blend,
                "Blend",
                format!("A mean with what is below, by the weight ({keys})"),
            ),
            (
                MixMode::Add,
                "Add",
                format!("Its difference from a pose comes on top ({keys})"),
            ),
        ] {
            let is_on = row.mode == mode;
            let name = format!("{label}: {clip_name}");
            let response = widgets::radio(ui, is_on, label, &name);
            if response.on_hover_text(hint).clicked() && !is_on {
                ask(MixCommand::SetMode(clip, mode));
            }
        }
    });
    weight_ui(ui, row, &clip_name, ask);
    if row.mode == MixMode::Add {
        reference_ui(ui, row, &clip_name, ask);
    }
    below_ui(ui, row, view, &clip_name, ask);
}

fn weight_ui(ui: &mut Ui, row: &MixRow, clip_name: &str, ask: &mut impl FnMut(MixCommand)) {
    let most = match row.mode {
        MixMode::Add => MAX_ADDED,
        MixMode::Together | MixMode::Blend => 1.0,
    };
    let mut weight = row.weight.min(most);
    ui.spacing_mut().slider_width = (ui.available_width() - 62.0).max(40.0);
    let slider = Slider::new(&mut weight, 0.0..=most)
        .clamping(SliderClamping::Always)
        .fixed_decimals(2);
    let response = ui.add(slider);
    let label = format!("Weight of {clip_name}");
    response.widget_info(|| WidgetInfo::slider(true, f64::from(weight), &label));
    let hint = match row.mode {
        MixMode::Blend => format!("0: none of {clip_name}; 1: nothing but it"),
        MixMode::Together | MixMode::Add => format!("How much of {clip_name}"),
    };
    if response.on_hover_text(hint).changed() {
        ask(MixCommand::SetWeight(row.clip, weight));
    }
}

fn reference_ui(ui: &mut Ui, row: &MixRow, clip_name: &str, ask: &mut impl FnMut(MixCommand)) {
    let words = |reference| match reference {
        MixReference::FirstFrame => "its first frame".to_owned(),
        MixReference::RestPose => "the rest pose".to_owned(),
        MixReference::Frame(secs) => format!("its frame at {secs:.2} s"),
    };
    ui.horizontal(|ui| {
        ui.weak("From");
        let list = ComboBox::from_id_salt("reference")
            .width(ui.available_width())
            .selected_text(words(row.reference))
            .truncate()
            .show_ui(ui, |ui| {
                let now = MixReference::Frame(row.time_secs);
                for choice in [MixReference::FirstFrame, MixReference::RestPose, now] {
                    let label = match choice {
                        MixReference::Frame(secs) => format!("its frame now ({secs:.2} s)"),
                        other => words(other),
                    };
                    let is_on = row.reference == choice;
                    if ui.selectable_label(is_on, label).clicked() && !is_on {
                        ask(MixCommand::SetReference(row.clip, choice));
                    }
                }
            });
        let label = format!("Reference pose of {clip_name}");
        let shown = words(row.reference);
        let response = list.response;
        focus::note_menu(ui.ctx(), &response);
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::ComboBox, true, &label);
            info.current_text_value = Some(shown.clone());
            info
        });
        response.on_hover_text("The pose that what is added is the difference from");
    });
}

fn below_ui(
    ui: &mut Ui,
    row: &MixRow,
    view: &View<'_>,
    clip_name: &str,
    ask: &mut impl FnMut(MixCommand),
) {
    let node_name = |node: usize| {
        let node = view.nodes.rows.get(node);
        node.map_or_else(String::new, |node| {
            text::clean_name(&node.name).into_owned()
        })
    };
    ui.horizontal(|ui| match (row.below, view.nodes.selected) {
        (Some(node), _) => {
            let side = 18.0;
            let room = egui::vec2(ui.available_width() - side - 6.0, 20.0);
            let (rect, response) = ui.allocate_exact_size(room, egui::Sense::hover());
            let words = format!("Only {} and below", node_name(node));
            widgets::paint_name(ui, rect, &words, colors_of(ui).text);
            response.on_hover_text(words);
            let label = format!("Let {clip_name} move the whole model");
            let button = IconButton::new(Icon::Cross, &label).side(side);
            if button.show(ui).clicked() {
                ask(MixCommand::SetBelow(row.clip, None));
            }
        }
        (None, chosen) => {
            let words = match chosen {
                Some(node) => format!("Only {} and below", node_name(node)),
                None => "Only a part of the body".to_owned(),
            };
            // The text of the button is smaller than that of names.
            let shown = widgets::shortened(ui, &words, ui.available_width() - 16.0);
            let button = egui::Button::new(RichText::new(shown).size(12.0)).truncate();
            let response = ui.add_enabled(chosen.is_some(), button);
            let response = response
                .on_hover_text(format!(
                    "{clip_name} moves the selected node and its descendants, nothing else"
                ))
                .on_disabled_hover_text(
                    "Select a node first: this clip then moves it and its descendants alone",
                );
            if response.clicked() {
                ask(MixCommand::SetBelow(row.clip, chosen));
            }
        }
    });
}

fn conflicts_ui(ui: &mut Ui, view: &View<'_>, ask: &mut impl FnMut(MixCommand)) {
    let conflicts = view.mix.conflicts;
    if conflicts.is_empty() {
        return;
    }
    ui.separator();
    for conflict in conflicts.iter().take(MAX_CONFLICTS) {
        let color = colors_of(ui).warning;
        let words = text::clean(&conflict.sentence(), 300).into_owned();
        let label = egui::Label::new(RichText::new(words).size(12.0).color(color)).wrap();
        ui.add(label).on_hover_ui(|ui| {
            for moved in &conflict.moved {
                ui.label(text::clean(moved, 100));
            }
            if conflict.count > conflict.moved.len() {
                ui.weak(format!(
                    "and {} more",
                    conflict.count - conflict.moved.len()
                ));
            }
        });
        let later = text::clean(&conflict.names[1], 40).into_owned();
        ui.horizontal_wrapped(|ui| {
            ui.weak(RichText::new("The later one wins.").size(12.0));
            let button = egui::Button::new(RichText::new("Blend instead").size(12.0));
            let hint = format!("Make a mean of both with the weight of {later}");
            if ui.add(button).on_hover_text(hint).clicked() {
                ask(MixCommand::SetMode(conflict.clip, MixMode::Blend));
            }
        });
    }
    if conflicts.len() > MAX_CONFLICTS {
        weak(
            ui,
            &format!("and {} more pairs", conflicts.len() - MAX_CONFLICTS),
        );
    }
}

/// How clips of different length go together.
fn step_ui(ui: &mut Ui, view: &View<'_>, ask: &mut impl FnMut(MixCommand)) {
    let length = |clip: usize| view.clips.rows.get(clip).map(|clip| clip.duration_secs);
    let lengths = view.mix.clips.iter().filter_map(|row| length(row.clip));
    let first = view.clips.chosen.and_then(length);
    let mut lengths = first.into_iter().chain(lengths);
    let Some(one) = lengths.next() else { return };
    if lengths.all(|other| (other - one).abs() < 1e-4) {
        return;
    }
    ui.separator();
    let mut in_step = view.mix.in_step;
    let hint = "Steps fall together: longer clips run faster and shorter ones slower, so that all begin anew at once";
    let response = ui.checkbox(&mut in_step, "In step").on_hover_text(hint);
    if response.clicked() {
        ask(MixCommand::SetInStep(in_step));
    }
    let words = match (view.mix.round_secs, view.playback.loop_mode) {
        (Some(secs), _) => format!("A round of all takes {secs:.2} s."),
        (None, LoopMode::Loop) => "Each starts again when it has ended.".to_owned(),
        (None, LoopMode::PingPong) => "Each turns back at its own end.".to_owned(),
        (None, LoopMode::Once | LoopMode::Hold) => {
            "All stop with the selected clip; shorter ones wait at their end.".to_owned()
        }
    };
    weak(ui, &words);
}
