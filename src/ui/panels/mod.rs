//! The panels beside the picture, and which of them there is room for.

pub mod memory;

use std::ops::RangeInclusive;

use egui::{Frame, ScrollArea, Ui};

use super::{Command, Panel, Shown, UiState, View, clips, inspector, tree};

/// Narrower than this, a window has no room for a panel beside the picture.
const MIN_WIDTH_FOR_PANEL: f32 = INSPECTOR_WIDTHS.0 + MIN_VIEWPORT_WIDTH;
/// The picture keeps at least this width beside one panel.
const MIN_VIEWPORT_WIDTH: f32 = 280.0;
/// Two panels are drawn only where the picture keeps this width between them.
const MIN_WIDTH_BETWEEN: f32 = 380.0;
/// Least and greatest widths of the panels, and the widths that they begin with.
const SCENE_WIDTHS: (f32, f32, f32) = (180.0, 480.0, 284.0);
const INSPECTOR_WIDTHS: (f32, f32, f32) = (232.0, 480.0, 272.0);

/// The tree has at least this height, with its heading.
const MIN_TREE_HEIGHT: f32 = 160.0;

/// What the panels themselves remember.
#[derive(Debug)]
pub struct PanelState {
    /// Of the left and of the right one, as the user drew them.
    pub widths: [f32; 2],
    /// Whether the inspector was asked for last: where only one panel fits, it is that one.
    pub inspector_first: bool,
    /// Whether the user wanted scene and inspector when they were last drawn.
    wanted: Option<(bool, bool)>,
    /// How wide each could be when it was last drawn.
    most: [f32; 2],
    /// Of which file each was when it was last drawn.
    documents: [u64; 2],
}

impl Default for PanelState {
    fn default() -> Self {
        Self {
            widths: [SCENE_WIDTHS.2, INSPECTOR_WIDTHS.2],
            inspector_first: false,
            wanted: None,
            most: [0.0; 2],
            documents: [0; 2],
        }
    }
}

impl PanelState {
    /// Widths that panels may have.
    pub fn set_widths(&mut self, widths: [f32; 2]) {
        for ((width, wanted), (least, most, _)) in self
            .widths
            .iter_mut()
            .zip(widths)
            .zip([SCENE_WIDTHS, INSPECTOR_WIDTHS])
        {
            if wanted.is_finite() {
                *width = wanted.clamp(least, most);
            }
        }
    }

    /// A list of one of the panels; that of another file is seen from its top.
    fn area(&mut self, panel: usize, view: &View<'_>) -> ScrollArea {
        let document = view.files.document;
        let is_other = std::mem::replace(&mut self.documents[panel], document) != document;
        let area = ScrollArea::vertical();
        if is_other {
            area.vertical_scroll_offset(0.0)
        } else {
            area
        }
    }

    /// Between which widths the user may draw a panel. While the window changes it has the width that is wanted, as far as
    /// there is room: egui would keep what was left of it.
    fn range(&mut self, panel: usize, least: f32, most: f32) -> RangeInclusive<f32> {
        let before = std::mem::replace(&mut self.most[panel], most);
        if before == most {
            return least..=most;
        }
        let width = self.widths[panel].clamp(least, most);
        width..=width
    }
}

/// The width of a panel that was drawn `now` wide and could be `most`: where a window is narrow, more may be wanted.
fn wanted_width(now: f32, most: f32, before: f32) -> f32 {
    if now < most - 0.5 {
        now
    } else {
        before.max(now)
    }
}

/// Whether a window of this width has room for a panel.
pub fn has_room(window_width: f32) -> bool {
    window_width >= MIN_WIDTH_FOR_PANEL
}

/// Which panels are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Arrangement {
    /// The left one.
    pub scene: bool,
    /// The right one.
    pub inspector: bool,
    /// Whether there is room for any.
    pub has_room: bool,
    wanted: (bool, bool),
    /// Room for all panels together.
    width: f32,
}

impl Arrangement {
    /// What fits into a window of this width.
    pub fn of(state: &mut PanelState, shown: &Shown, window_width: f32) -> Self {
        let wanted = (shown.scene_panel, shown.inspector_panel);
        match state.wanted.replace(wanted) {
            Some((_, false)) if wanted.1 => state.inspector_first = true,
            Some((false, _)) if wanted.0 => state.inspector_first = false,
            _ => {}
        }
        let has_room = has_room(window_width);
        let width = window_width - MIN_VIEWPORT_WIDTH;
        let fits_both = window_width - MIN_WIDTH_BETWEEN >= SCENE_WIDTHS.0 + INSPECTOR_WIDTHS.0;
        let both = wanted.0 && wanted.1;
        Self {
            scene: has_room && wanted.0 && (fits_both || !both || !state.inspector_first),
            inspector: has_room && wanted.1 && (fits_both || !both || state.inspector_first),
            has_room,
            wanted,
            width,
        }
    }

    /// Who asks for a panel that is on, but had no room, wants it instead of the other one, and not off.
    pub fn swap(&self, state: &mut PanelState, commands: &mut Vec<Command>, ctx: &egui::Context) {
        commands.retain(|command| {
            let inspector_first = match command {
                Command::TogglePanel(Panel::Scene) if self.wanted.0 && !self.scene => false,
                Command::TogglePanel(Panel::Inspector) if self.wanted.1 && !self.inspector => true,
                _ => return true,
            };
            state.inspector_first = inspector_first;
            ctx.request_repaint();
            false
        });
    }
}

/// Draws the panels that there is room for.
pub fn panels_ui(
    ui: &mut Ui,
    state: &mut UiState,
    view: &View<'_>,
    panels: &Arrangement,
    frame: Frame,
    commands: &mut Vec<Command>,
) {
    let mut room = panels.width;
    if panels.scene {
        let (least, greatest, _) = SCENE_WIDTHS;
        let reserved = if panels.inspector {
            INSPECTOR_WIDTHS.0
        } else {
            0.0
        };
        let most = (room - reserved).min(greatest).max(least);
        let shown = egui::Panel::left("scene")
            .default_size(state.panels.widths[0])
            .size_range(state.panels.range(0, least, most))
            .frame(frame)
            .show(ui, |ui| {
                let height = ui.available_height();
                // Where even the least of both lists is too much, they scroll together.
                let area = state.panels.area(0, view);
                let area = area
                    .id_salt("scene")
                    // Else it would reach over what lies below a low panel.
                    .min_scrolled_height(0.0)
                    .auto_shrink([false, false]);
                area.show(ui, |ui| {
                    // The lists are as high as the panel, wherever they are scrolled to.
                    let bottom = ui.min_rect().top() + height;
                    let folds = &mut state.folds;
                    clips::clips_ui(ui, (&mut state.clips, folds), view, height, commands);
                    ui.add_space(6.0);
                    let least = ui.cursor().top() + MIN_TREE_HEIGHT;
                    let lists = (&mut state.tree, folds);
                    tree::tree_ui(ui, lists, view, bottom.max(least), commands);
                });
            });
        let width = shown.response.rect.width();
        state.panels.widths[0] = wanted_width(width, most, state.panels.widths[0]);
        room -= width;
    }
    if panels.inspector {
        let (least, greatest, _) = INSPECTOR_WIDTHS;
        let most = room.min(greatest).max(least);
        let shown = egui::Panel::right("inspector")
            .default_size(state.panels.widths[1])
            .size_range(state.panels.range(1, least, most))
            .frame(frame)
            .show(ui, |ui| {
                let area = state.panels.area(1, view);
                inspector::inspector_ui(ui, area, state, view, commands);
            });
        let width = shown.response.rect.width();
        state.panels.widths[1] = wanted_width(width, most, state.panels.widths[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scene::SurfaceLines, ui::PlaybackCommand};

    const BOTH: Shown = Shown {
        world_figures: false,
        dark: true,
        skeleton: false,
        has_skeleton: false,
        grid: false,
        lines: SurfaceLines {
            wires: false,
            normals: false,
        },
        scene_panel: true,
        inspector_panel: true,
        keys: false,
    };

    #[test]
    fn where_one_fits_it_is_the_one_asked_for_last() {
        let ctx = egui::Context::default();
        let mut state = PanelState::default();
        let panels = Arrangement::of(&mut state, &BOTH, 640.0);
        assert!(panels.scene && !panels.inspector);
        let mut commands = vec![
            Command::TogglePanel(Panel::Inspector),
            Command::Playback(PlaybackCommand::TogglePlay),
        ];
        panels.swap(&mut state, &mut commands, &ctx);
        assert_eq!(commands, [Command::Playback(PlaybackCommand::TogglePlay)]);
        let panels = Arrangement::of(&mut state, &BOTH, 640.0);
        assert!(!panels.scene && panels.inspector);
        let mut commands = vec![Command::TogglePanel(Panel::Inspector)];
        panels.swap(&mut state, &mut commands, &ctx);
        assert_eq!(commands.len(), 1, "a panel that is seen is switched off");
        let panels = Arrangement::of(&mut state, &BOTH, 1280.0);
        assert!(panels.scene && panels.inspector);
        let panels = Arrangement::of(&mut state, &BOTH, 500.0);
        assert!(!panels.scene && !panels.inspector && !panels.has_room);
    }

    #[test]
    fn the_width_that_is_wanted_is_the_last_that_was_drawn_or_more_than_there_is_room_for() {
        assert_eq!(wanted_width(250.0, 400.0, 300.0), 250.0, "drawn narrower");
        assert_eq!(
            wanted_width(400.0, 400.0, 300.0),
            400.0,
            "drawn as wide as can be"
        );
        assert_eq!(wanted_width(260.0, 260.0, 300.0), 300.0, "for want of room");
    }
}
