//! What the clip of the timeline does to the chosen node.

use egui::Ui;

use super::{facts::facts_ui, pictures::Pictures};
use crate::ui::{ChannelRow, Fact, text};

/// Draws a line for each channel.
pub fn channels_ui(ui: &mut Ui, channels: &[ChannelRow]) {
    if channels.is_empty() {
        ui.weak("The clip leaves this node alone");
        return;
    }
    let line = |channel: &ChannelRow| {
        let keys = text::thousands(channel.keys as u64);
        let one = if channel.keys == 1 { "" } else { "s" };
        let value = format!("{keys} key{one} · {}", channel.interpolation);
        let [first, last] = channel.secs;
        // A long name is cut off in its line.
        let mut hint = format!("{}\n", text::clean(&channel.path, 400));
        if let Some(pointer) = &channel.pointer {
            hint = format!("{hint}{pointer}\n");
        }
        let hint = format!("{hint}From {first:.3} s to {last:.3} s");
        Fact::new(channel.path.clone(), value).hint(hint)
    };
    // A node has a handful of channels, but for single weights of a face.
    let lines: Vec<_> = channels.iter().take(100).map(line).collect();
    facts_ui(ui, &lines, &Pictures::default(), &mut Vec::new());
    if channels.len() > lines.len() {
        ui.weak(format!("… and {} more", channels.len() - lines.len()));
    }
}
