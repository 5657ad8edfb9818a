//! Arrays: what buffers, views and accessors say of bytes, and the numbers in them (glTF 2.0 §3.6), compressed or not.
//! [`source::Source`] is what all that comes later reads from.

pub(super) mod accessor;
pub(super) mod apart;
pub(super) mod buffers;
pub(super) mod draco;
mod lost;
mod meshopt;
pub(super) mod source;
mod sparse;
mod statistics;
