//! JPEGs of the usual kinds, quicker than the `image` crate reads them, and progressive ones in a fraction of the memory: 8
//! bits for grey, or for brightness and two differences of colour, with Huffman codes (ITU-T T.81); progressive, or
//! sequential in a single scan. All scans are decoded side by side, a row at a time, so that coefficients are where the
//! processor's cache is and are not kept; where cores are free, several threads take turns.
//!
//! What comes out is the same to the bit. Whatever is unusual about a file, also that it is broken, is left to `image`,
//! which then says what is wrong.

mod bare;
mod bits;
mod colors;
mod frame;
mod huffman;
mod picture;
mod scans;
mod tables;
mod transform;
mod units;
mod work;

use std::thread;

use fearless_simd::Level;

use frame::{Frame, Head};
use work::Work;

pub(in crate::import) use bare::{Bare, bare, length_of_tables};
pub(in crate::import) use tables::MAX_CODED;

/// Larger ones are left to `image` and its limits.
const LARGEST: usize = 256 << 20;

/// The fewest units that threads share: to decode fewer takes less time than to start a thread.
const MIN_SHARED: usize = 512;

/// Why a picture is left to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Odd {
    /// It is of a kind that is not read here.
    Unusual,
    /// Its coded data are damaged, or are not all there: others make of it what they can, and do not say so.
    Broken,
}

/// A file that is a usual one, as far as its frame.
pub(in crate::import) struct Opened<'b> {
    head: Head<'b>,
    /// Bytes of all pixels.
    total: usize,
}

/// A file whose markers are all usual.
pub(in crate::import) struct Marked {
    frame: Frame,
    total: usize,
}

/// Begins with a file, if it is a usual one.
pub(in crate::import) fn open(bytes: &[u8]) -> Option<Opened<'_>> {
    let head = frame::head(bytes)?;
    let (width, height) = head.size();
    let total = width.checked_mul(height)?.checked_mul(3)?;
    (total <= LARGEST).then_some(Opened { head, total })
}

impl Opened<'_> {
    /// The width of the picture, and its height.
    pub(in crate::import) fn size(&self) -> (u32, u32) {
        let (width, height) = self.head.size();
        let number = |side| u32::try_from(side).unwrap_or(u32::MAX);
        (number(width), number(height))
    }

    /// How much memory it takes to decode it, beside what comes out.
    pub(in crate::import) fn working_memory(&self) -> usize {
        // Coded data, and where the parts of scans are: four bytes each, for two bytes there, and as much while they are
        // found.
        let coded = self.head.rest().saturating_mul(5);
        coded.saturating_add(Work::memory(self.head.frame()))
    }

    /// Goes through all markers.
    pub(in crate::import) fn read_markers(self) -> Result<Marked, Odd> {
        Ok(Marked {
            frame: self.head.scans()?,
            total: self.total,
        })
    }
}

impl Marked {
    /// The pixels, three bytes each, if nothing is wrong. `free_core` is asked now and then for a core on which another
    /// thread helps; what it gives is kept until that thread ends.
    pub(in crate::import) fn decode<C: Send>(
        &self,
        free_core: &dyn Fn() -> Option<C>,
    ) -> Result<Vec<u8>, Odd> {
        self.decode_at(Level::new(), free_core)
    }

    fn decode_at<C: Send>(
        &self,
        level: Level,
        free_core: &dyn Fn() -> Option<C>,
    ) -> Result<Vec<u8>, Odd> {
        let mut pixels = vec![0; self.total];
        decode(level, &self.frame, &mut pixels, free_core)?;
        if self.frame.has_odd_end {
            return Err(Odd::Unusual);
        }
        Ok(pixels)
    }
}

fn decode<C: Send>(
    level: Level,
    frame: &Frame,
    pixels: &mut [u8],
    free_core: &dyn Fn() -> Option<C>,
) -> Result<(), Odd> {
    let work = Work::new(level, frame, pixels);
    thread::scope(|scope| {
        work.run(|left| {
            if left.saturating_mul(frame.units) >= MIN_SHARED
                && let Some(core) = free_core()
            {
                let help = || {
                    let _core = core;
                    work.run(|_| {});
                };
                let helper = thread::Builder::new().name("image rows".to_owned());
                // Without a thread the work is done here.
                let _ = helper.spawn_scoped(scope, help);
            }
        });
    });
    work.finish()
}

#[cfg(test)]
mod tests;
