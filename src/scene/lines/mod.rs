//! Lines: of the ground's grid, and over the whole scene ([`Overlay`]), where trails and the chosen node are, too.

mod grid;
mod overlay;
mod selection;
mod trail;

pub use grid::Grid;
pub use overlay::{Overlay, OverlayLine, OverlayShape};
pub use selection::{add_outline, mark_node};
pub use trail::{FUTURE_COLOR, PAST_COLOR, add_trail};
