//! The menus in the corners of the picture.

pub mod bones;
pub mod camera;
pub mod light;
pub mod motion;
pub mod posing;
pub mod view;
