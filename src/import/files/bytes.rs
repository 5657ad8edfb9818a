//! Bytes in memory or in a file, and elements that lie in them one after the other.

use std::{
    ops::{Deref, Range},
    sync::Arc,
};

use crate::import::base::{
    budget::{Budget, Held},
    diagnostics::Fault,
};

use super::sandbox::{Content, FileRange};

/// Elements that are brought together: so few that they are still near when they are converted.
const GATHERED: usize = 512;
/// Bytes that are looked at together, so that what was read is still near when it is converted.
const TOGETHER: usize = 1 << 18;

/// Bytes, or where they are.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) enum Bytes<'b> {
    Memory(&'b [u8]),
    File {
        file: &'b FileRange,
        offset: usize,
        length: usize,
    },
}

impl<'b> Bytes<'b> {
    /// All of a part of a file.
    pub(super) fn of_file(file: &'b FileRange) -> Self {
        Self::File {
            file,
            offset: 0,
            length: file.len(),
        }
    }

    pub(in crate::import) fn len(self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File { length, .. } => length,
        }
    }

    /// A part of them; none if it reaches beyond.
    pub(in crate::import) fn get(self, range: Range<usize>) -> Option<Self> {
        match self {
            Self::Memory(bytes) => bytes.get(range).map(Self::Memory),
            Self::File {
                file,
                offset,
                length,
            } => {
                let part = range.end.checked_sub(range.start)?;
                (range.end <= length).then_some(())?;
                Some(Self::File {
                    file,
                    offset: offset.checked_add(range.start)?,
                    length: part,
                })
            }
        }
    }

    /// Calls `each` with one part after the other, each but the last a multiple of `step` long. Parts are long, so that it
    /// need not be compiled once more for each who calls.
    pub(in crate::import) fn for_each_part(
        self,
        step: usize,
        each: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Fault> {
        let together = TOGETHER.checked_next_multiple_of(step.max(1));
        let together = together.unwrap_or(usize::MAX);
        match self {
            Self::Memory(bytes) => bytes.chunks(together).for_each(each),
            Self::File {
                file,
                offset,
                length,
            } => {
                let is_done = file.read_few(offset, length, &mut *each)?;
                if is_done || length == 0 {
                    return Ok(());
                }
                let mut room = file.take_spare();
                let longest = together.min(length);
                if room.len() < longest {
                    let more = longest.saturating_sub(room.len());
                    room.try_reserve_exact(more).map_err(|_| no_memory())?;
                    room.resize(longest, 0);
                }
                for start in (0..length).step_by(together) {
                    let count = length.saturating_sub(start).min(together);
                    let bytes = room.get_mut(..count).unwrap_or_default();
                    file.read(offset.saturating_add(start), bytes)?;
                    each(bytes);
                }
                file.give_spare(room);
            }
        }
        Ok(())
    }

    /// Where they begin: others that begin there, in memory or in that file, are the same.
    pub(in crate::import) fn start(self) -> Start {
        match self {
            Self::Memory(bytes) => Start {
                file: None,
                place: bytes.as_ptr().addr(),
            },
            Self::File { file, offset, .. } => Start {
                file: Some(std::ptr::from_ref(file).addr()),
                place: offset,
            },
        }
    }

    /// The first of these bytes, at most so many.
    pub(in crate::import) fn head(self, most: usize) -> Self {
        self.get(0..most.min(self.len())).unwrap_or(self)
    }

    /// Brings them into memory, which is paid for while they are there.
    pub(in crate::import) fn load<'l>(self, budget: &'l Budget) -> Result<Loaded<'l>, Fault>
    where
        'b: 'l,
    {
        self.pay(budget)?.load()
    }

    /// Pays for bringing them into memory.
    pub(in crate::import) fn pay<'l>(self, budget: &'l Budget) -> Result<Paid<'l>, Fault>
    where
        'b: 'l,
    {
        let held = match self {
            Self::Memory(_) => None,
            Self::File { length, .. } => Some(budget.hold_loaded(length)?),
        };
        Ok(Paid { bytes: self, held })
    }
}

/// Where bytes begin, in memory or in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::import) struct Start {
    /// Which of the files that are open; none in memory.
    file: Option<usize>,
    place: usize,
}

/// Bytes that may be brought into memory.
#[derive(Debug)]
pub(in crate::import) struct Paid<'l> {
    bytes: Bytes<'l>,
    held: Option<Held<'l>>,
}

impl<'l> Paid<'l> {
    /// Brings them into memory, which is paid for while they are there.
    pub(in crate::import) fn load(self) -> Result<Loaded<'l>, Fault> {
        let Self { bytes, held } = self;
        match bytes {
            Bytes::Memory(bytes) => Ok(Loaded::Borrowed(bytes)),
            Bytes::File {
                file,
                offset,
                length,
            } => {
                let mut bytes = Vec::new();
                bytes.try_reserve_exact(length).map_err(|_| no_memory())?;
                bytes.resize(length, 0);
                file.read(offset, &mut bytes)?;
                Ok(Loaded::Copied(bytes, held))
            }
        }
    }
}

/// What is read of a file at a time where it is read from its front.
const BLOCK: usize = 1 << 16;

/// Reads bytes from the front; of a file no more than a block is in memory.
#[derive(Debug)]
pub(in crate::import) struct Stream<'b> {
    bytes: Bytes<'b>,
    place: usize,
    /// A block of the file, and where it starts.
    block: Vec<u8>,
    start: usize,
}

impl<'b> Stream<'b> {
    pub(in crate::import) fn new(bytes: Bytes<'b>) -> Self {
        Self {
            bytes,
            place: 0,
            block: Vec::new(),
            start: 0,
        }
    }

    /// Some of the bytes that come next, at most so many; none at the end, and where the file cannot be read.
    pub(in crate::import) fn peek(&mut self, most: usize) -> Option<&[u8]> {
        let left = self.bytes.len().checked_sub(self.place)?;
        let rest = match self.bytes {
            Bytes::Memory(bytes) => bytes.get(self.place..)?,
            Bytes::File { file, offset, .. } => {
                let mut within = self.place.checked_sub(self.start)?;
                if within >= self.block.len() {
                    self.block.resize(left.min(BLOCK), 0);
                    let place = offset.checked_add(self.place)?;
                    file.read(place, &mut self.block).ok()?;
                    (self.start, within) = (self.place, 0);
                }
                self.block.get(within..)?
            }
        };
        let part = rest.get(..most.min(rest.len()))?;
        (!part.is_empty()).then_some(part)
    }

    /// Goes on behind so many bytes.
    pub(in crate::import) fn advance(&mut self, count: usize) {
        self.place = self.place.saturating_add(count);
    }

    /// The next bytes, as many as there must be.
    pub(in crate::import) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        let mut rest = &mut bytes[..];
        while !rest.is_empty() {
            let part = self.peek(rest.len())?;
            let (filled, others) = rest.split_at_mut_checked(part.len())?;
            filled.copy_from_slice(part);
            rest = others;
            let count = filled.len();
            self.advance(count);
        }
        Some(bytes)
    }
}

/// Bytes in memory.
#[derive(Debug)]
pub(in crate::import) enum Loaded<'l> {
    /// They were there.
    Borrowed(&'l [u8]),
    /// They are a copy, and what it costs.
    Copied(
        Vec<u8>,
        #[expect(dead_code, reason = "it is given back with the copy")] Option<Held<'l>>,
    ),
}

impl Deref for Loaded<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Copied(bytes, _) => bytes,
        }
    }
}

/// Bytes, and who keeps them.
#[derive(Debug)]
pub(in crate::import) enum Kept<'a> {
    /// Somebody else.
    Elsewhere(Bytes<'a>),
    /// They were decoded.
    Here(Vec<u8>),
    /// They are a file's, which others may need as well.
    Shared(Arc<Vec<u8>>),
    /// They are still in such a file.
    InFile(Arc<FileRange>),
}

impl From<Content> for Kept<'_> {
    fn from(content: Content) -> Self {
        match content {
            Content::Memory(bytes) => Self::Shared(bytes),
            Content::File(file) => Self::InFile(file),
        }
    }
}

impl Kept<'_> {
    pub(in crate::import) fn bytes(&self) -> Bytes<'_> {
        match self {
            Self::Elsewhere(bytes) => *bytes,
            Self::Here(bytes) => Bytes::Memory(bytes),
            Self::Shared(bytes) => Bytes::Memory(bytes),
            Self::InFile(file) => Bytes::of_file(file),
        }
    }
}

/// The bytes of the components of an element.
pub(super) type Element<const N: usize, const S: usize> = [[u8; S]; N];

/// Elements of `N` components of `S` bytes, the components without gaps between them.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Elements<'b, const N: usize, const S: usize> {
    bytes: Bytes<'b>,
    /// From one element to the next.
    stride: usize,
}

impl<'b, const N: usize, const S: usize> Elements<'b, N, S> {
    /// All elements in these bytes, the last of which may end with its components.
    pub(in crate::import) fn new(bytes: Bytes<'b>, stride: usize) -> Self {
        Self { bytes, stride }
    }

    /// Calls `each` with all elements, many at once. Those with gaps between them are brought together first.
    pub(in crate::import) fn for_each(
        self,
        each: &mut dyn FnMut(&[Element<N, S>]),
    ) -> Result<(), Fault> {
        let Self { bytes, stride } = self;
        let size = S.saturating_mul(N);
        if stride == size {
            return bytes.for_each_part(size, &mut |bytes| {
                let (components, _) = bytes.as_chunks::<S>();
                each(components.as_chunks::<N>().0);
            });
        }
        let components = |element: &[u8]| {
            let (components, _) = element.as_chunks::<S>();
            components.first_chunk::<N>().copied()
        };
        let count = bytes.len().checked_div(stride).unwrap_or(0);
        let mut elements = vec![[[0; S]; N]; GATHERED.min(count.saturating_add(1))];
        bytes.for_each_part(stride, &mut |bytes| {
            for bytes in bytes.chunks(stride.saturating_mul(GATHERED)) {
                // All of the same length, which is looked at once.
                let whole = bytes.chunks_exact(stride);
                let last = components(whole.remainder());
                let mut count = whole.len();
                for (slot, element) in elements.iter_mut().zip(whole) {
                    if let Some(components) = components(element) {
                        *slot = components;
                    }
                }
                if let (Some(slot), Some(last)) = (elements.get_mut(count), last) {
                    *slot = last;
                    count = count.saturating_add(1);
                }
                each(elements.get(..count).unwrap_or_default());
            }
        })
    }
}

fn no_memory() -> Fault {
    Fault::new("MEMORY_BUDGET_EXCEEDED", "there is not enough memory")
}
