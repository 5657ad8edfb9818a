//! The interface without a window: clicks and keys go in, commands come out.

#[path = "ui/fixture.rs"]
mod fixture;
#[path = "ui/pictures.rs"]
mod pictures;
