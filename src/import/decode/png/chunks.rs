//! The chunks of a PNG (PNG, third edition, §5), one after the other: finds the compressed data, if all of them are as
//! usual.

use flate2::Crc;

use super::Shape;
use crate::import::files::bytes::{Bytes, Stream};

/// More before the data are unusual, and so are chunks of more bytes: pictures that share them must not be looked through
/// ten thousand times.
const MOST_BEFORE: usize = 256;
const MOST_BYTES_BEFORE: usize = 256 << 10;

pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Reads the compressed data from the front. Each part of a chunk is added to its checksum when it is met.
#[derive(Debug)]
pub(super) struct Chunks<'b> {
    stream: Stream<'b>,
    /// The checksum of what was met of the current chunk.
    sum: Crc,
    /// What was met of it and not taken yet.
    met: usize,
    /// What is still to come of it.
    left: usize,
    /// Whether a chunk of another kind follows, with nothing wrong.
    is_over: bool,
}

impl<'b> Chunks<'b> {
    /// Goes to the first data; none if anything is unusual up to there.
    pub(super) fn open(bytes: Bytes<'b>) -> Option<(Self, Shape)> {
        let mut this = Self {
            stream: Stream::new(bytes),
            sum: Crc::new(),
            met: 0,
            left: 0,
            is_over: false,
        };
        (this.stream.take()? == SIGNATURE).then_some(())?;
        (this.start()? == *b"IHDR").then_some(())?;
        let header = this.stream.take()?;
        this.sum.update(&header);
        (this.left == header.len()).then_some(())?;
        let shape = shape_of(header)?;
        this.left = 0;
        let mut bytes = MOST_BYTES_BEFORE;
        for _ in 0..MOST_BEFORE {
            this.end()?;
            let kind = this.start()?;
            if kind == *b"IDAT" {
                return Some((this, shape));
            }
            // Without this bit it must be known (§5.4).
            let [first, ..] = kind;
            (is_allowed(kind) && first & 0x20 != 0).then_some(())?;
            bytes = bytes.checked_sub(this.left)?;
            this.skip()?;
        }
        None
    }

    /// Some of the data that come next; none behind the last, and where something is wrong.
    pub(super) fn data(&mut self) -> Option<&[u8]> {
        while self.met == 0 {
            if self.is_over {
                return None;
            }
            if self.left == 0 {
                self.end()?;
                // Without an end there may be data missing.
                let kind = self.start()?;
                if kind != *b"IDAT" {
                    is_allowed(kind).then_some(())?;
                    self.skip()?;
                    self.end()?;
                    self.is_over = true;
                }
                continue;
            }
            self.meet()?;
        }
        self.stream.peek(self.met)
    }

    /// Goes on behind so many bytes of the data.
    pub(super) fn advance(&mut self, count: usize) {
        self.met = self.met.saturating_sub(count);
        self.stream.advance(count);
    }

    /// Goes through all data that are left; none if anything is wrong with them, or with the chunk that follows.
    pub(super) fn finish(&mut self) -> Option<()> {
        while let Some(data) = self.data() {
            let count = data.len();
            self.advance(count);
        }
        self.is_over.then_some(())
    }

    /// The kind of the next chunk.
    fn start(&mut self) -> Option<[u8; 4]> {
        self.left = usize::try_from(u32::from_be_bytes(self.stream.take()?)).ok()?;
        let kind = self.stream.take()?;
        self.sum = Crc::new();
        self.sum.update(&kind);
        Some(kind)
    }

    /// Adds some of the current chunk to its checksum.
    fn meet(&mut self) -> Option<()> {
        let part = self.stream.peek(self.left)?;
        self.sum.update(part);
        self.met = part.len();
        self.left = self.left.checked_sub(self.met)?;
        Some(())
    }

    /// Goes to the end of the current chunk.
    fn skip(&mut self) -> Option<()> {
        while self.left > 0 {
            self.meet()?;
            self.advance(self.met);
        }
        Some(())
    }

    /// Goes on behind the checksum, if it is right.
    fn end(&mut self) -> Option<()> {
        (u32::from_be_bytes(self.stream.take()?) == self.sum.sum()).then_some(())
    }
}

/// Whether nothing is read otherwise with such a chunk outside of the data.
fn is_allowed(kind: [u8; 4]) -> bool {
    let odd = [b"tRNS", b"acTL", b"fcTL", b"fdAT", b"PLTE", b"IHDR"];
    !odd.contains(&&kind)
}

/// What the header says of a picture with 8 bits a channel, not interlaced (§11.2.1); none of another.
fn shape_of(header: [u8; 13]) -> Option<Shape> {
    let [w0, w1, w2, w3, h0, h1, h2, h3, 8, color, 0, 0, 0] = header else {
        return None;
    };
    let channels = match color {
        0 => 1,
        2 => 3,
        6 => 4,
        _ => return None,
    };
    Some(Shape {
        width: u32::from_be_bytes([w0, w1, w2, w3]),
        height: u32::from_be_bytes([h0, h1, h2, h3]),
        channels,
    })
}
