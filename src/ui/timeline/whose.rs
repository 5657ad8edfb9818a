//! Whose keys the timeline marks.

use egui::{FontId, Rect, Ui, pos2};

use super::axis::Axis;
use crate::ui::{View, theme::colors_of, widgets};

/// Whether the keys that are marked are those of the chosen node alone.
pub fn is_of_node(view: &View<'_>) -> bool {
    match &view.timeline.sheet {
        Some(sheet) => sheet.of_node,
        None => {
            let node = view
                .nodes
                .selected
                .and_then(|node| view.nodes.rows.get(node));
            node.is_some_and(|node| node.is_animated)
        }
    }
}

/// Says so at the bottom of the track, where no sheet does: at its left, or where a marker, an end of
/// the part that loops or the time that is paused at lies there, farther on.
pub fn whose_ui(ui: &Ui, view: &View<'_>, axis: &Axis, track: Rect) {
    let color = colors_of(ui).weak;
    let font = FontId::proportional(10.5);
    let painter = ui.painter_at(track);
    let galley = painter.layout_no_wrap("Keys of the node".to_owned(), font, color);
    let size = galley.size();
    let most = track.right() - size.x - 40.0;
    // What plays goes by behind it.
    let paused_secs = (!view.playback.is_playing).then_some(view.playback.time_secs);
    let is_free = |left: &f32| {
        let taken = left - 6.0..=left + size.x + 6.0;
        let markers = view.timeline.markers.iter().map(|marker| marker.from_secs);
        let ends = view
            .timeline
            .range
            .map(|range| [range.from_secs, range.to_secs]);
        let ends = ends.into_iter().flatten();
        let mut times_secs = markers.chain(ends).chain(paused_secs);
        !times_secs.any(|time_secs| taken.contains(&axis.x_at(time_secs)))
    };
    let mut places = (0..8).map(|place| track.left() + 6.0 + (size.x + 20.0) * place as f32);
    let left = places.find(|left| *left <= most && is_free(left));
    if let Some(left) = left {
        let place = pos2(left, track.bottom() - size.y - 2.0);
        widgets::paint_on_ground(&painter, place, galley, [color, colors_of(ui).sunken]);
    }
}
