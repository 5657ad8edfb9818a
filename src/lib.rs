//! rigscope: does this rig move as it should, and if not, why?
//!
//! The chain a reader follows, module by module:
//!
//! - [`import`]: bytes → container → JSON → checked accessors → [`model::Model`]
//! - [`anim`]: clock → time → sample → pose → world matrices → palette (plain mathematics)

pub mod anim;
pub mod model;
pub mod render;
pub mod scene;
pub mod ui;
