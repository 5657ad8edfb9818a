//! rigscope: does this rig move as it should, and if not, why?
//!
//! The chain a reader follows, module by module:
//!
//! - [`import`]: bytes → container → JSON → checked accessors → [`model::Model`]
//! - [`anim`]: clock → time → sample → pose → world matrices → palette (plain mathematics)
//! - [`scene`]: camera, palette, skeleton, grid → [`scene::Frame`], the narrow waist
//! - [`render`]: frame → storage buffers → WGSL skinning → pixels
//! - [`export`]: a pose → a file that others open
//! - [`output`]: pictures → files, still or moving
//! - [`ui`]: a [`ui::View`] → panels → [`ui::Command`]s
//! - [`app`]: the session, and the window that shows it
//! - [`cli`]: the commands that need no window

pub mod anim;
pub mod app;
pub mod cli;
pub mod export;
pub mod import;
pub mod model;
pub mod output;
pub mod render;
pub mod scene;
pub mod ui;
