//! What is wrong with the file.

use egui::{
    Align, CursorIcon, FontId, Layout, Response, RichText, Role, Sense, Shape, Ui, WidgetInfo, vec2,
};

use super::meanings;
use crate::scene::{ReferencePose, ViewMode};
use crate::ui::{
    Command, Culprit, DiagnosticRow, InspectCommand, MessageKind, PictureCommand, SkeletonCommand,
    TimelineCommand, View,
    keys::focus,
    text,
    theme::{self, Colors, colors_of},
    widgets::{
        self, IconButton,
        icons::{self, Icon},
    },
};

/// What the list itself remembers.
#[derive(Debug, Default)]
pub struct FindingsState {
    /// Whether the list is to be brought into sight.
    wants_sight: bool,
    /// Whether the first that is listed is to have the focus.
    wants_focus: bool,
    /// Whether all of a long list are shown.
    shows_all: bool,
    /// Kinds that are not listed, of the file of this number.
    hidden_kinds: Vec<MessageKind>,
    hidden_of: u64,
    /// Of which model at which width these are.
    heights_of: (u64, f32),
    /// How high each finding was when it was last drawn.
    heights: Vec<f32>,
    /// The finding that was clicked, for a moment.
    held: Option<Held>,
}

/// A finding that stays where it was clicked while what stands above it becomes another.
#[derive(Debug)]
struct Held {
    index: usize,
    /// Where it was, and is now.
    top: f32,
    now: f32,
    /// For how many frames it is still held.
    frames: u8,
}

/// A choice is there in the next frame, and what hangs on it soon after.
const HELD_FRAMES: u8 = 6;

impl FindingsState {
    /// Brings the list into sight, with the errors and the warnings in it; for who uses keys, with the focus in it.
    pub fn show(&mut self, has_focus: bool) {
        self.wants_sight = true;
        self.wants_focus = has_focus;
        self.hidden_kinds.retain(|kind| *kind == MessageKind::Info);
    }

    /// Whether the list is to be brought into sight, asked once.
    pub fn take_wish(&mut self) -> bool {
        std::mem::take(&mut self.wants_sight)
    }

    /// Gives up what was to have the focus and is not there. To be called when the list was drawn where it came into sight.
    pub fn end_wish(&mut self) {
        self.wants_focus = false;
    }

    /// Lists all kinds of findings of another file.
    fn follow_file(&mut self, document: u64) {
        if std::mem::replace(&mut self.hidden_of, document) != document {
            self.hidden_kinds.clear();
        }
    }

    /// Forgets the heights of another model, or at another width.
    fn follow_width(&mut self, view: &View<'_>, width: f32) {
        let heights_of = (view.model.generation, width);
        if self.heights_of.0 != heights_of.0 {
            self.shows_all = false;
        }
        let count = view.diagnostics.len();
        if self.heights_of != heights_of || self.heights.len() != count {
            self.heights_of = heights_of;
            self.heights = vec![USUAL_HEIGHT; count];
        }
    }

    /// Whether a finding was clicked just now.
    pub fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// How much farther the panel is to be scrolled, so that the finding that was clicked stays under the pointer.
    pub fn slipped(&mut self, ui: &Ui) -> Option<f32> {
        let is_scrolled = ui.input(|input| {
            let mut events = input.events.iter();
            let is_wheel = |it: &egui::Event| matches!(it, egui::Event::MouseWheel { .. });
            input.pointer.any_pressed() || events.any(is_wheel)
        });
        // A click may come and go within one frame.
        let held = self.held.as_mut();
        let held = held.filter(|held| held.frames == HELD_FRAMES || !is_scrolled);
        let Some(held) = held.filter(|held| held.frames > 0) else {
            self.held = None;
            return None;
        };
        held.frames -= 1;
        ui.ctx().request_repaint();
        let slipped = held.now - held.top;
        (slipped.abs() > 0.5).then_some(slipped)
    }
}

/// Of a longer list so many are shown first, the worst of them, so that it does not push away what comes below.
const FIRST: usize = 8;
/// As high as most are that nobody has seen yet.
const USUAL_HEIGHT: f32 = 66.0;

/// Draws the list: of a long one what is in sight.
pub fn diagnostics_ui(
    ui: &mut Ui,
    state: &mut FindingsState,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) {
    let rows = view.diagnostics;
    if let Some(words) = view.instead_of_model() {
        ui.weak(words);
        return;
    }
    if rows.is_empty() {
        nothing_ui(ui);
        return;
    }
    state.follow_file(view.files.document);
    ui.horizontal(|ui| {
        kinds_ui(ui, &mut state.hidden_kinds, rows);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = IconButton::new(Icon::Copy, "Copy all findings as text");
            if copy.side(20.0).show(ui).clicked() {
                ui.copy_text(as_text(rows));
            }
        });
    });
    state.follow_width(view, ui.available_width());
    ui.spacing_mut().item_spacing.y = 0.0;
    let is_listed = |row: &&DiagnosticRow| !state.hidden_kinds.contains(&row.severity);
    let count = rows.iter().filter(is_listed).count();
    let is_long = count > FIRST + 1;
    let most = if is_long && !state.shows_all {
        FIRST
    } else {
        count
    };
    list_ui(ui, state, view, most, commands);
    if is_long {
        length_ui(ui, &mut state.shows_all, count);
    }
}

fn nothing_ui(ui: &mut Ui) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::hover());
        let color = colors_of(ui).accent;
        icons::paint_sized(ui.painter(), rect.center(), 14.0, Icon::Check, color);
        ui.weak("Nothing to complain about");
    });
}

/// Draws so many of what is listed, as far as it is in sight.
fn list_ui(
    ui: &mut Ui,
    state: &mut FindingsState,
    view: &View<'_>,
    most: usize,
    commands: &mut Vec<Command>,
) {
    // With its neighbours, so that the focus can go on to them.
    let sight = ui.clip_rect().expand(2.0 * USUAL_HEIGHT);
    let mut passed = 0.0;
    let is_listed = |row: &DiagnosticRow| !state.hidden_kinds.contains(&row.severity);
    let listed = view.diagnostics.iter().zip(&mut state.heights).enumerate();
    let listed = listed.filter(|(_, (row, _))| is_listed(row));
    for (place, (index, (row, height))) in listed.take(most).enumerate() {
        let top = ui.cursor().top() + passed;
        if let Some(held) = state.held.as_mut().filter(|held| held.index == index) {
            held.now = top;
        }
        if top + *height < sight.top() || top > sight.bottom() {
            passed += *height;
            continue;
        }
        ui.add_space(std::mem::take(&mut passed));
        let top = ui.cursor().top();
        let response = diagnostic_ui(ui, index, (row, view), commands);
        let is_free = ui.memory(|memory| memory.allows_interaction(ui.layer_id()));
        if place == 0 && is_free && std::mem::take(&mut state.wants_focus) {
            response.request_focus();
        }
        if response.clicked() {
            state.held = Some(Held {
                index,
                top,
                now: top,
                frames: HELD_FRAMES,
            });
        }
        *height = ui.cursor().top() - top;
    }
    ui.add_space(passed);
}

/// A button that lists all of a long list, or the first of it only.
fn length_ui(ui: &mut Ui, shows_all: &mut bool, count: usize) {
    ui.add_space(6.0);
    let words = if *shows_all {
        format!("Show the first {FIRST} only")
    } else {
        format!("Show all {}", text::thousands(count as u64))
    };
    if ui.small_button(words).clicked() {
        *shows_all = !*shows_all;
    }
}

/// How many there are of each kind; a click leaves a kind out of the list, or takes it in again.
fn kinds_ui(ui: &mut Ui, hidden_kinds: &mut Vec<MessageKind>, rows: &[DiagnosticRow]) {
    let colors = colors_of(ui);
    for kind in [MessageKind::Error, MessageKind::Warning, MessageKind::Info] {
        let count = rows.iter().filter(|row| row.severity == kind).count();
        if count == 0 {
            continue;
        }
        let one = if count == 1 { "" } else { "s" };
        let words = match kind {
            MessageKind::Error => format!("{count} error{one}"),
            MessageKind::Warning => format!("{count} warning{one}"),
            MessageKind::Info => format!("{count} note{one}"),
        };
        let is_listed = !hidden_kinds.contains(&kind);
        let (_, color) = severity(kind, colors);
        let color = if is_listed { color } else { colors.disabled };
        let label = RichText::new(words).color(color).small();
        // Not in the colour of what is chosen: theirs says how bad it is.
        let ground = if is_listed {
            colors.raised
        } else {
            egui::Color32::TRANSPARENT
        };
        let chip = egui::Button::selectable(is_listed, label).small();
        let button = ui.add(chip.fill(ground));
        if button.on_hover_text("Listed, or left out").clicked() {
            if is_listed {
                hidden_kinds.push(kind);
            } else {
                hidden_kinds.retain(|hidden| *hidden != kind);
            }
        }
    }
}

/// All findings, a line each: where it is, and what is said of it in the list.
fn as_text(rows: &[DiagnosticRow]) -> String {
    let mut all = String::new();
    for row in rows {
        let kind = match row.severity {
            MessageKind::Error => "error",
            MessageKind::Warning => "warning",
            MessageKind::Info => "note",
        };
        let place = joined(&[kind, &row.code, &row.pointer]);
        all += &format!("{place}: {}\n", words_of(row));
    }
    all
}

/// What is said of a finding in the list.
fn words_of(row: &DiagnosticRow) -> String {
    let meaning = meanings::meaning(row).unwrap_or_default();
    joined(&[meaning, &row.message, &row.action])
}

fn joined(parts: &[&str]) -> String {
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.copied().collect::<Vec<_>>().join(" ")
}

/// Where clicks on a finding lead, one after the other.
struct Round {
    /// What the next one chooses.
    next: Option<Culprit>,
    /// Which of them is chosen now.
    now: Option<usize>,
    count: usize,
}

impl Round {
    /// It goes on from the clip in force, and begins anew behind the last.
    fn of(row: &DiagnosticRow, view: &View<'_>) -> Self {
        let all = || row.culprit.iter().chain(&row.others);
        let count = all().count();
        let is_now = |it: &Culprit| it.clip.is_some() && it.clip == view.clips.chosen;
        let now = all().position(is_now);
        let next = now.map_or(0, |now| (now + 1) % count.max(1));
        Self {
            next: all().nth(next).copied(),
            now,
            count,
        }
    }
}

/// Chooses what a finding is about, and stops where it is.
fn choose(culprit: Culprit, commands: &mut Vec<Command>) {
    commands.extend(culprit.clip.map(|clip| Command::SelectClip(Some(clip))));
    let node = culprit.node;
    commands.extend(match culprit.at_secs {
        // What lasts a frame is not seen in what goes on.
        Some(time_secs) => Some(Command::Timeline(TimelineCommand::StopAt {
            time_secs,
            node,
        })),
        None => node.map(|node| Command::SelectNode(Some(node))),
    });
    let material = culprit.material.map(InspectCommand::Material);
    commands.extend(material.map(Command::Inspect));
    if culprit.is_in_weights {
        let weights = PictureCommand::SetViewMode(ViewMode::Weights);
        commands.push(Command::Picture(weights));
        // Where a clip has torn them away from what is around them, nobody finds them.
        let hold = SkeletonCommand::Hold(Some(ReferencePose::Bind));
        commands.push(Command::Skeleton(hold));
    }
}

/// Draws a finding. All of them take the focus, so that they are read by keys, too.
fn diagnostic_ui(
    ui: &mut Ui,
    index: usize,
    (row, view): (&DiagnosticRow, &View<'_>),
    commands: &mut Vec<Command>,
) -> Response {
    let colors = colors_of(ui);
    let (icon, color) = severity(row.severity, colors);
    let icon = if is_of_motion(row) { Icon::Pulse } else { icon };
    let can_choose = row.culprit.is_some();
    let round = Round::of(row, view);
    let pointer = match round.now.filter(|_| round.count > 1) {
        // What is chosen now is one of several.
        Some(now) => format!("{} of {}", now + 1, text::thousands(round.count as u64)),
        None => text::clean(&row.pointer, 120).into_owned(),
    };
    let place = format!("{}  {pointer}", text::clean(&row.code, 60));
    // What is about no place of the file ends with its name.
    let place = place.trim_end();
    ui.add_space(6.0);
    let ground = ui.painter().add(Shape::Noop);
    let contents = ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::hover());
        icons::paint_sized(ui.painter(), rect.center(), 13.0, icon, color);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            // What is clicked cannot be selected, too.
            let label = |words: RichText| egui::Label::new(words).selectable(!can_choose).wrap();
            let told = |words: &str| RichText::new(text::clean(words, 400));
            let message = told(&row.message);
            // What the words of the format mean stands before them.
            let (meaning, color) = match meanings::meaning(row) {
                Some(words) => (Some(words), colors.weak),
                None => (None, colors.text),
            };
            if let Some(words) = meaning {
                ui.add(label(RichText::new(words).color(colors.text)));
            }
            ui.add(label(message.color(color)));
            if !row.action.is_empty() {
                ui.add(label(told(&row.action).color(colors.weak)));
            }
            let color = if can_choose {
                colors.accent
            } else {
                colors.weak
            };
            let font = FontId::monospace(10.5);
            // All of its letters are equally wide.
            let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, 'm'));
            let width = place.chars().count() as f32 * letter;
            let words = if width > ui.available_width() {
                // Where both do not fit into a line, the pointer begins one.
                RichText::new(place.replacen("  ", "\n", 1))
            } else {
                RichText::new(place)
            };
            ui.add(label(words.font(font).color(color)));
        });
    });
    let rect = contents.response.rect.with_max_x(ui.max_rect().right());
    let rect = rect.expand2(vec2(3.0, 2.0));
    // By its place in the list, so that the keyboard stays with it while others come into sight.
    let id = ui.scope_id().with(("finding", index));
    let Some(culprit) = round.next else {
        let response = ui.interact(rect, id, Sense::focusable_noninteractive());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::ListItem, true, format!("{place}: {}", words_of(row)))
        });
        focus::outline(ui, &response, rect);
        return response;
    };
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, place));
    if response.hovered() {
        ui.set_cursor_icon(CursorIcon::PointingHand);
        let raised = Shape::rect_filled(rect, f32::from(theme::RADIUS), colors.raised);
        ui.painter().set(ground, raised);
    }
    focus::outline(ui, &response, rect);
    widgets::row_tooltip(&response, |ui| {
        ui.label(match (round.count, round.now) {
            (0 | 1, _) => "Select what this is about".to_owned(),
            (count, None) => format!("Select the first of the {count} that this is about"),
            (count, Some(_)) => format!("Select the next of the {count} that this is about"),
        });
    });
    if response.clicked() {
        choose(culprit, commands);
    }
    response
}

/// Whether it is about motion that looks odd, which the file may well state as it was meant.
pub fn is_of_motion(row: &DiagnosticRow) -> bool {
    row.code.starts_with("MOTION_")
}

/// Icon and colour of a severity.
pub fn severity(kind: MessageKind, colors: &Colors) -> (Icon, egui::Color32) {
    match kind {
        MessageKind::Error => (Icon::Error, colors.error),
        MessageKind::Warning => (Icon::Warning, colors.warning),
        MessageKind::Info => (Icon::Info, colors.info),
    }
}
