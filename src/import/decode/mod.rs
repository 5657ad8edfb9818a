//! Decoders of compressed data: bytes in, bytes out. They know nothing of glTF, and believe nothing they read.

pub(super) mod draco;
pub(super) mod jpeg;
pub(super) mod ktx2;
pub(super) mod meshopt;
pub(super) mod png;
pub(super) mod webp;

use super::base::diagnostics::Fault;

/// What is wrong with a picture that is shown all the same, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    pub fault: Fault,
    pub action: String,
}

impl Complaint {
    pub(super) fn new(fault: Fault, action: impl Into<String>) -> Self {
        let action = action.into();
        Self { fault, action }
    }

    /// What is said of a picture that is damaged, in these words.
    pub(super) fn salvaged(what: &str) -> Self {
        let fault = Fault::new(BROKEN, format!("it is damaged: {what}"));
        Self::new(fault, "what could be read of it is drawn")
    }
}

/// What compression did to numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    /// They are not compressed.
    None,
    /// They are what they were.
    Lossless,
    /// They may differ a little from what they were.
    Lossy,
}

/// What is wrong with compressed data.
fn invalid(message: impl Into<String>) -> Fault {
    Fault::new("COMPRESSED_DATA_INVALID", message)
}

/// The validator's name for a picture whose data are wrong.
pub(super) const BROKEN: &str = "IMAGE_DATA_INVALID";

/// How it begins what is said of such a picture.
pub(super) const UNDECODED: &str = "it cannot be decoded: ";

/// What is wrong with a picture, which then cannot be decoded.
fn broken_picture(what: &str) -> Fault {
    let message = format!("{UNDECODED}{what}");
    Fault::new(BROKEN, message)
}

/// The code of pictures in a form that no decoder here reads.
pub(super) const UNSUPPORTED: &str = "IMAGE_FORMAT_UNSUPPORTED";

/// What a picture is that no decoder here reads.
pub(super) fn unsupported_picture(what: &str) -> Fault {
    Fault::warning(UNSUPPORTED, format!("{what} cannot be read"))
}

/// The fault of data that end too early.
fn too_short() -> Fault {
    invalid("the compressed data end too early")
}

/// The fault of data of which some are left over.
fn too_long() -> Fault {
    invalid("there are more compressed data than are needed")
}

/// Takes `count` bytes off the front.
fn take<'a>(input: &mut &'a [u8], count: usize) -> Result<&'a [u8], Fault> {
    let (taken, rest) = input.split_at_checked(count).ok_or_else(too_short)?;
    *input = rest;
    Ok(taken)
}

/// Takes `N` bytes off the front.
fn take_array<const N: usize>(input: &mut &[u8]) -> Result<[u8; N], Fault> {
    let (taken, rest) = input.split_first_chunk().ok_or_else(too_short)?;
    *input = rest;
    Ok(*taken)
}

/// Takes one byte off the front.
fn take_byte(input: &mut &[u8]) -> Result<u8, Fault> {
    take_array(input).map(|[byte]| byte)
}
