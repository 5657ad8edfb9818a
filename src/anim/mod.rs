//! Plain mathematics: from a clip and a time to the matrices that the GPU skins with.

mod clock;

pub use clock::{Clock, LoopMode};
