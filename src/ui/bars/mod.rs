//! The bars above and under the picture.

mod ground_speed;
pub mod top;
pub mod transport;
pub mod typed_speed;
