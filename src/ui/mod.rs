//! The interface: panels that read a [`View`] and return [`Command`]s. They change nothing themselves.

mod command;
mod view;

pub use command::{Command, Panel};
pub use view::{
    ClipRow, DiagnosticRow, Loading, Message, MessageKind, NodeKind, NodeRow, Playback, Selection,
    Shown, Statistics, View,
};
