//! What is said once all is read: what a file breaks, what nobody means, and the names of what findings are about.

pub(super) mod checks;
pub(super) mod doctor;
pub(super) mod names;
