//! The interface without a window: clicks and keys go in, commands come out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "ui/accessible.rs"]
mod accessible;
#[path = "ui/camera.rs"]
mod camera;
#[path = "ui/clip_list.rs"]
mod clip_list;
#[path = "ui/clips.rs"]
mod clips;
#[path = "ui/compare.rs"]
mod compare;
#[path = "ui/compare_menu.rs"]
mod compare_menu;
#[path = "ui/curves.rs"]
mod curves;
#[path = "ui/diagnostics.rs"]
mod diagnostics;
#[path = "ui/differences.rs"]
mod differences;
#[path = "ui/driver.rs"]
mod driver;
#[path = "ui/echo.rs"]
mod echo;
#[path = "ui/fixture.rs"]
mod fixture;
#[path = "ui/focus.rs"]
mod focus;
#[path = "ui/front.rs"]
mod front;
#[path = "ui/idle_commands.rs"]
mod idle_commands;
#[path = "ui/inspector.rs"]
mod inspector;
#[path = "ui/keyboard.rs"]
mod keyboard;
#[path = "ui/light.rs"]
mod light;
#[path = "ui/menus.rs"]
mod menus;
#[path = "ui/messages.rs"]
mod messages;
#[path = "ui/mixed.rs"]
mod mixed;
#[path = "ui/names.rs"]
mod names;
#[path = "ui/odd_clips.rs"]
mod odd_clips;
#[path = "ui/palette.rs"]
mod palette;
#[path = "ui/palette_choice.rs"]
mod palette_choice;
#[path = "ui/panel_memory.rs"]
mod panel_memory;
#[path = "ui/panels.rs"]
mod panels;
#[path = "ui/pictures.rs"]
mod pictures;
#[path = "ui/pointer.rs"]
mod pointer;
#[path = "ui/posing.rs"]
mod posing;
#[path = "common/processor_time.rs"]
mod processor_time;
#[path = "ui/recent.rs"]
mod recent;
#[path = "ui/robustness.rs"]
mod robustness;
#[path = "ui/room.rs"]
mod room;
#[path = "ui/saving.rs"]
mod saving;
#[path = "ui/saving_look.rs"]
mod saving_look;
#[path = "ui/sheet.rs"]
mod sheet;
#[path = "ui/skeleton.rs"]
mod skeleton;
#[path = "ui/timeline.rs"]
mod timeline;
#[path = "ui/tooltips.rs"]
mod tooltips;
#[path = "ui/transport.rs"]
mod transport;
#[path = "ui/tree.rs"]
mod tree;
