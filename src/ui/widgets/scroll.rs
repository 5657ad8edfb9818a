//! How a list of rows is scrolled: what is chosen in it comes into sight, and stays there when another panel takes of the height.

use egui::{Rect, Ui, scroll_area::ScrollAreaOutput};

use crate::ui::{theme, widgets};

/// What a list of rows remembers of how it was last drawn.
#[derive(Debug, Default)]
pub struct Scroll {
    /// Whether the row of the choice was in sight, and the heights of list and panel.
    choice_was_seen: bool,
    heights: [f32; 2],
    /// How far the list was scrolled.
    offset: f32,
    /// How far it could be scrolled.
    farthest: f32,
    /// Where it is to be scrolled to in the next frame.
    wanted: Option<f32>,
}

/// Whether the row of the choice is brought into sight, and why.
#[derive(Debug, Clone, Copy)]
pub struct Bringing {
    is_wanted: bool,
    is_new_choice: bool,
    is_other_panel: bool,
}

/// Heights in a list, in points.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Of all rows, with what is between them.
    pub rows: f32,
    /// What is seen of them at once.
    pub room: f32,
}

impl Extent {
    /// How far the list can be scrolled.
    fn farthest(self) -> f32 {
        (self.rows - self.room).max(0.0)
    }
}

impl Scroll {
    /// Another list is seen from its top.
    pub fn start_at_top(&mut self) {
        self.offset = 0.0;
        self.wanted = Some(0.0);
        self.choice_was_seen = false;
    }

    /// Finds whether the row of the choice is brought into sight of a list of which `room` points are seen.
    pub fn bringing(&mut self, ui: &Ui, is_new_choice: bool, room: f32) -> Bringing {
        let heights = [room, ui.clip_rect().height()];
        let before = std::mem::replace(&mut self.heights, heights);
        Bringing {
            is_wanted: is_new_choice || before != heights && self.choice_was_seen,
            is_new_choice,
            is_other_panel: before[1] != heights[1],
        }
    }

    /// Where the list is scrolled to in this frame, if anywhere, so that the row at `top` is seen: by as little as it needs.
    pub fn offset_by_least(
        &mut self,
        ui: &Ui,
        bringing: Bringing,
        top: Option<f32>,
        extent: Extent,
    ) -> Option<f32> {
        // What was wanted in the last frame: a list that has grown, or has less room, knows only now how far it can go.
        let offset = self.wanted.take();
        let Some(top) = top.filter(|_| bringing.is_wanted) else {
            return offset;
        };
        // What is clicked stays under the pointer.
        let wanted = offset.unwrap_or(self.offset);
        let wanted = wanted.max(top + theme::ROW_HEIGHT - extent.room).min(top);
        // Beyond its end it would spring back.
        let wanted = wanted.clamp(0.0, extent.farthest());
        self.want(ui, wanted);
        // From farther than it could go before, it would spring back for many frames.
        Some(wanted.min(self.farthest))
    }

    /// [`Self::offset_by_least`], where a row that is out of sight comes in with the next frame: that of a new choice in the
    /// middle, another at the lower edge.
    pub fn offset_to_middle(
        &mut self,
        ui: &Ui,
        bringing: Bringing,
        top: Option<f32>,
        extent: Extent,
    ) -> Option<f32> {
        // What was wanted in the last frame: the list knows only now how far it can go, and springs back from farther.
        let offset = self.wanted.take();
        let now = offset.unwrap_or(self.offset);
        let is_in_sight = |top: f32| top >= now && top + theme::ROW_HEIGHT <= now + extent.room;
        if let Some(top) = top.filter(|top| bringing.is_wanted && !is_in_sight(*top)) {
            let wanted = if bringing.is_new_choice {
                top - 0.5 * extent.room
            } else {
                top + theme::ROW_HEIGHT - extent.room
            };
            self.want(ui, wanted.clamp(0.0, extent.farthest()));
        }
        offset
    }

    fn want(&mut self, ui: &Ui, offset: f32) {
        self.wanted = Some(offset);
        ui.ctx().request_repaint();
    }

    /// Takes note of how the list was drawn with the row of the choice at `top`, and brings that into sight where the list
    /// itself lies in what scrolls. `offset` is how far the list comes to be scrolled, unless that is what it was drawn with.
    pub fn finish<R>(
        &mut self,
        ui: &Ui,
        bringing: Bringing,
        top: Option<f32>,
        offset: Option<f32>,
        output: &ScrollAreaOutput<R>,
    ) {
        let list = output.inner_rect;
        let comes_to = self.wanted.or(offset);
        self.offset = comes_to.unwrap_or_else(|| output.state.clamped_offset().y);
        self.farthest = (output.content_size.y - list.height()).max(0.0);
        let row = top.map(|top| {
            let top = list.top() + top - self.offset;
            list.with_min_y(top).with_max_y(top + theme::ROW_HEIGHT)
        });
        let sight = list.intersect(ui.clip_rect()).expand(0.5);
        let is_seen = |row: &Rect| sight.contains_rect(*row);
        self.choice_was_seen = row.is_some_and(|row| bringing.is_wanted || is_seen(&row));
        // In a low panel the list itself lies out of sight. Only for another choice, or in another panel: what was clicked in
        // this one stays under the pointer. Who begins a mix above the list goes on there.
        let is_followed = bringing.is_new_choice || bringing.is_wanted && bringing.is_other_panel;
        if let Some(row) = row.filter(|row| is_followed && !is_seen(row)) {
            widgets::scroll_to_row(ui, row, list);
        }
    }
}
