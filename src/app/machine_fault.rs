//! What the exit code tells apart from a fault of the input.

use std::{error::Error, fmt, io};

/// The machine keeps the program from doing its work, and not what it was given: there is no display, or no graphics adapter.
#[derive(Debug)]
pub struct MachineFault(pub anyhow::Error);

impl fmt::Display for MachineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl Error for MachineFault {}

/// Whether the machine is at fault: as a [`MachineFault`], or for want of room for what is written.
pub fn is_of_machine(error: &anyhow::Error) -> bool {
    error.is::<MachineFault>() || is_full(error)
}

/// Whether there is no room for what is written, whatever it is made of.
pub fn is_full(error: &anyhow::Error) -> bool {
    error.chain().any(is_out_of_room)
}

fn is_out_of_room(cause: &(dyn Error + 'static)) -> bool {
    let of_image = || match cause.downcast_ref()? {
        image::ImageError::IoError(error) => Some(error),
        _ => None,
    };
    let of_png = || match cause.downcast_ref()? {
        png::EncodingError::IoError(error) => Some(error),
        _ => None,
    };
    let io: Option<&io::Error> = cause.downcast_ref();
    let io = io.or_else(of_image).or_else(of_png);
    io.is_some_and(|error| {
        let kind = error.kind();
        matches!(
            kind,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        )
    })
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn a_full_disk_is_no_fault_of_the_input() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let in_context = |error: anyhow::Error| error.context("out.png cannot be written");
        for error in [
            full().into(),
            image::ImageError::IoError(full()).into(),
            png::EncodingError::IoError(full()).into(),
            MachineFault(anyhow!("no adapter")).into(),
        ] {
            let error: anyhow::Error = error;
            assert!(is_of_machine(&error), "{error:?}");
            if !error.is::<MachineFault>() {
                assert!(is_of_machine(&in_context(error)));
            }
        }
        let missing = io::Error::from(io::ErrorKind::NotFound);
        assert!(!is_of_machine(&in_context(missing.into())));
    }
}
