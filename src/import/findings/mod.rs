//! What is said once all is read: what a file breaks, what nobody means, the names of what findings are about, and who uses
//! that.

pub(super) mod checks;
pub(super) mod doctor;
pub(super) mod names;
pub(super) mod users;
