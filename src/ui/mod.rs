//! The interface: panels that read a [`View`] and return [`Command`]s. They change nothing themselves.

mod bars;
mod clips;
mod command;
mod compare;
mod inspector;
mod keys;
mod menus;
mod overlays;
mod painter;
mod palette;
mod panels;
mod saving;
mod sheet;
mod text;
mod theme;
mod timeline;
mod tree;
mod view;
mod viewport;
mod widgets;

use egui::{Event, Frame, Margin, Rect, Ui, vec2};
use keys::commands;

pub use command::{
    BorrowedCommand, CameraCommand, Command, CompareCommand, CompareWith, DragCommand,
    FilesCommand, Flight, HistoryCommand, InspectCommand, LONGEST_FADE_SECS, MAX_ADDED, MixCommand,
    MixMode, MixReference, MorphCommand, MotionCommand, NodesCommand, Panel, Picker,
    PictureCommand, PictureKind, PlaybackCommand, PoseKind, PoseTool, PosingCommand, SavingCommand,
    SavingGroup, SavingKind, SavingSettings, SheetKind, SkeletonCommand, TimelineCommand,
    WindowCommand,
};
pub use keys::{Action, written};
pub use painter::{PaintJob, Painter, ScreenReaderEvent, ScreenReaders};
pub use panels::memory::PanelMemory;
pub(crate) use text::{
    bytes, capitalized, clean, duration, frame_at, frame_words, number, thousands,
};
pub use theme::apply_theme;
pub use theme::fonts::use_system_fonts;
pub use view::{
    Between, BorrowedRow, CameraPane, ChannelRow, Clash, ClipDifferenceRow, ClipListView, ClipRow,
    ClipsView, CompareView, ConflictRow, Culprit, Details, DiagnosticRow, DifferenceRow,
    DifferencesView, Fact, FactSection, FilesView, FrameCost, GIZMO_PART_OF_HEIGHT, GizmoView,
    GoTo, GroundSpeed, HidingView, HistoryView, InfluenceCard, InfluenceRow, JointLabel, Lanes,
    LightView, LoadKind, Loading, LoadingView, Marker, MarkerKind, Message, MessageKind, MixRow,
    MixView, ModelView, MorphRow, MorphsView, MotionView, NodeKind, NodeRow, NodesView, NoteText,
    NumberKind, Numbers, OddClip, Offer, PathPane, Picture, Placement, Playback, PosingView,
    RecentRow, STEP_DEGREES, SavingView, Selection, SheetRow, SheetView, Shown, Sight,
    SkeletonView, Statistics, SurfacesView, TimeSpan, TimelineView, View, common_prefix,
    places_by_figure, without_prefix,
};
pub(crate) use view::{as_sentence, sentences};

/// State that is the interface's own: what is searched and folded.
#[derive(Debug, Default)]
pub struct UiState {
    panels: panels::PanelState,
    clips: clips::ClipsState,
    tree: tree::TreeState,
    morphs: inspector::morphs::MorphsState,
    inspector: inspector::InspectorState,
    overlays: overlays::OverlayState,
    echo: overlays::echo::EchoState,
    names: overlays::joint_names::NameKeeper,
    picker: palette::picker::PickerState,
    sheet: sheet::SheetState,
    folds: widgets::section::Folds,
}

/// What the panels left over for the picture, and where the named parts are, in points.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelLayout {
    /// Where the picture goes.
    pub viewport: Rect,
    /// Parts by name, for tests: `viewport`, `timeline` (x from first to last time), `play`, `skeleton`, `message`,
    /// `offer` (the button in the message), `view` (the menu of views).
    pub named: Vec<(&'static str, Rect)>,
}

impl Default for PanelLayout {
    fn default() -> Self {
        Self {
            viewport: Rect::ZERO,
            named: Vec::new(),
        }
    }
}

/// In smaller windows there is nothing but the picture.
const MIN_SIZE_FOR_BARS: egui::Vec2 = vec2(140.0, 220.0);

/// The whole interface for one frame: keys, panels, overlays. Commands come in the order in which they were asked for.
pub fn interface_ui(
    ui: &mut Ui,
    state: &mut UiState,
    view: &View<'_>,
) -> (Vec<Command>, PanelLayout) {
    keep_theme(ui, view.shown.dark);
    let window = ui.available_size();
    // Keys first: a control that has the focus must not see a key that was a command.
    let has_bars = window.x >= MIN_SIZE_FOR_BARS.x && window.y >= MIN_SIZE_FOR_BARS.y;
    let has_search = has_bars && panels::has_room(window.x);
    let search = commands::Search {
        is_there: has_search,
        is_awaited: has_search && state.tree.awaits_focus(),
    };
    palette::picker::follow(ui.ctx(), &mut state.picker, view);
    tree::follow(&mut state.tree, view);
    keys::focus::follow_menu(ui.ctx(), keys::front::is_covered(view));
    keys::focus::drop_repeats(ui.ctx());
    keys::front::keep_tooltips(ui.ctx());
    let (mut commands, pressed) = commands::key_commands(ui.ctx(), view, search);
    let mut named = Vec::new();
    let pointer = keys::front::keep_pointer(ui.ctx(), view);
    inspector::upload_pictures(ui.ctx(), &mut state.inspector, view);
    let panels = panels::Arrangement::of(&mut state.panels, &view.shown, window.x);
    if has_bars {
        bars_ui(ui, state, view, &panels, &mut commands, &mut named);
    }
    let viewport = viewport::viewport_ui(ui, view, &mut commands);
    named.push(("viewport", viewport));
    over_picture_ui(
        ui,
        state,
        view,
        viewport,
        &panels,
        &mut commands,
        &mut named,
    );
    pointer.give_back(ui.ctx());
    if view.shown.keys {
        keys::list::key_list_ui(ui, &mut commands);
    }
    let chosen = palette::picker::picker_ui(ui, &mut state.picker, view, &mut commands);
    state.echo.take_note(ui, pressed.or(chosen));
    inspector::large_picture_ui(ui, &state.inspector, view, &mut commands);
    let inspector = &mut state.inspector;
    inspector::take_wish(ui.ctx(), inspector, panels.inspector, &mut commands);
    let tree = (&mut state.tree, &mut state.folds);
    tree::take_focus(ui.ctx(), tree, &panels, &mut commands);
    saving::saving_ui(ui, view, &mut commands);
    state.echo.take_note(ui, overlays::echo::copied(ui.ctx()));
    state.echo.take_note(ui, bars::typed_speed::said(ui.ctx()));
    panels.swap(&mut state.panels, &mut commands, ui.ctx());
    end_step(ui, view, &mut commands);
    keys::front::return_focus(ui.ctx(), view);
    commands::remember_focus(ui.ctx());
    (commands, PanelLayout { viewport, named })
}

/// Says when what changes is no longer one step: a button of the pointer was let go, or a key outside of a text.
fn end_step(ui: &Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let is_typing = ui.ctx().text_edit_focused();
    let is_released = ui.input(|input| {
        let is_key = |event: &Event| matches!(event, Event::Key { pressed: false, .. });
        input.pointer.any_released() || !is_typing && input.events.iter().any(is_key)
    });
    if is_released && view.history.goes_on {
        commands.push(Command::History(HistoryCommand::EndStep));
    }
}

/// Parts by name, and where they are.
type Named = Vec<(&'static str, Rect)>;

/// What is around the picture: bars, the sheet, differences and panels.
fn bars_ui(
    ui: &mut Ui,
    state: &mut UiState,
    view: &View<'_>,
    panels: &panels::Arrangement,
    commands: &mut Vec<Command>,
    named: &mut Named,
) {
    let colors = theme::colors_of(ui);
    let frame = |margin| Frame::NONE.fill(colors.panel).inner_margin(margin);
    egui::Panel::top("top_bar")
        .exact_size(bars::top::HEIGHT)
        .frame(frame(Margin::symmetric(8, 6)))
        .show(ui, |ui| {
            named.push((
                "skeleton",
                bars::top::top_bar_ui(ui, view, panels, commands),
            ));
        });
    egui::Panel::bottom("transport")
        .exact_size(bars::transport::HEIGHT)
        .frame(frame(Margin {
            left: 10,
            right: 10,
            top: 7,
            bottom: 9,
        }))
        .show(ui, |ui| {
            let (play, timeline) = bars::transport::transport_ui(ui, view, commands);
            named.push(("play", play));
            named.push(("timeline", timeline));
        });
    let sheet = sheet::panel_ui(ui, &mut state.sheet, view, commands);
    named.extend(sheet.map(|rect| ("sheet", rect)));
    let differences = compare::differences_ui(ui, view, commands);
    named.extend(differences.map(|rect| ("differences", rect)));
    let frame = frame(Margin::symmetric(10, 6));
    panels::panels_ui(ui, state, view, panels, frame, commands);
}

/// What lies over the picture: names, cards, menus in the corners, hints and messages.
fn over_picture_ui(
    ui: &mut Ui,
    state: &mut UiState,
    view: &View<'_>,
    viewport: Rect,
    panels: &panels::Arrangement,
    commands: &mut Vec<Command>,
    named: &mut Named,
) {
    let [first, _] = view.compare.drawn(viewport);
    overlays::joint_names::joint_names_ui(ui, &mut state.names, view, first);
    overlays::influence_card::influence_card_ui(ui, view, viewport);
    let below = compare::compare_ui(ui, view, viewport, commands);
    // A message is read while what it is about is dealt with: two subjects by what stands above them.
    let top = if view.compare.is_on {
        below.top()
    } else {
        viewport.top()
    };
    let below = state.overlays.below_message(below);
    overlays::pose_note::pose_note_ui(ui, view, below, commands);
    named
        .extend(menus::view::view_menu_ui(ui, view, viewport, commands).map(|rect| ("view", rect)));
    let corner = menus::camera::corner_menus_ui(ui, view, viewport, commands);
    let corner = ["camera", "light"].into_iter().zip(corner);
    named.extend(corner.filter_map(|(name, rect)| Some((name, rect?))));
    named.extend(
        viewport::gimbal::gimbal_ui(ui, view, viewport, commands).map(|rect| ("gimbal", rect)),
    );
    if overlays::echo::echo_ui(ui, &mut state.echo, view, viewport, panels) {
        state.overlays.end_hint();
    } else {
        viewport::flight::hint_ui(ui, view, viewport);
        menus::posing::hint_ui(ui, view, viewport);
    }
    let overlays = &mut state.overlays;
    let placed = overlays::overlays_ui(ui, overlays, view, viewport, top, commands);
    named.extend(placed.message.map(|rect| ("message", rect)));
    named.extend(placed.offer.map(|rect| ("offer", rect)));
}

/// Applies the theme when it is not yet, or no longer, in force.
fn keep_theme(ui: &mut Ui, dark: bool) {
    let id = egui::Id::unique("rigscope_theme");
    if ui.data(|data| data.get_temp(id)) != Some(dark) {
        apply_theme(ui.ctx(), dark);
        ui.data_mut(|data| data.insert_temp(id, dark));
    }
    if ui.visuals().dark_mode != dark || ui.spacing().scroll.bar_width > 8.0 {
        ui.reset_style();
    }
}
