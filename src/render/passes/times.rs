//! How long passes take on the GPU, for those who ask; what is not asked for costs nothing.

use std::sync::{
    Arc,
    atomic::{AtomicU8, AtomicU32, Ordering},
};

use crate::render::{Gpu, Renderer};

/// A pass of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// The shadow map.
    Shadow,
    /// Meshes, ground, grid.
    Scene,
    /// What is seen through glass: a copy with smaller levels, and on it what blends behind glass.
    Copy,
    /// What light passes through, if it takes a pass of its own.
    Through,
    /// Blended surfaces, if they are summed up in no order.
    Blended,
    /// A second subject over the first.
    Ghost,
    /// Edges and normals over surfaces.
    Lines,
    /// The skeleton.
    Overlay,
    /// From light to colours.
    Tone,
}

/// Which of several passes that count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PassPart {
    pub(in crate::render) is_first: bool,
    pub(in crate::render) is_last: bool,
}

impl PassPart {
    /// The only one.
    pub(super) const WHOLE: Self = Self {
        is_first: true,
        is_last: true,
    };
    /// The first one of several.
    pub(super) const FIRST: Self = Self {
        is_first: true,
        is_last: false,
    };
    /// The last one of several.
    pub(super) const LAST: Self = Self {
        is_first: false,
        is_last: true,
    };
}

impl Pass {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Shadow,
        Self::Scene,
        Self::Copy,
        Self::Through,
        Self::Blended,
        Self::Ghost,
        Self::Lines,
        Self::Overlay,
        Self::Tone,
    ];

    /// Its name, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shadow => "Shadow",
            Self::Scene => "Scene",
            Self::Copy => "Copy for glass",
            Self::Through => "Glass",
            Self::Blended => "Blended",
            Self::Ghost => "Ghost",
            Self::Lines => "Edges and normals",
            Self::Overlay => "Overlay",
            Self::Tone => "Tone curve",
        }
    }
}

/// What passes took, in milliseconds, in the order of [`Pass::ALL`]; 0 for those that the frame did without.
pub type PassMillis = [f64; Pass::ALL.len()];

/// Timestamps around the passes of frames, read back some frames later so that nobody waits for them.
#[derive(Debug)]
pub(in crate::render) struct PassTimes {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    slots: [Slot; SLOTS],
    /// A bit for each pass that the frame being recorded has.
    used: AtomicU32,
    /// The number of the frame that is being recorded.
    frame: u64,
    /// Whether parts of it were recorded: then so are the others.
    is_begun: Option<bool>,
    latest: Option<FrameMillis>,
}

/// A frame's number, and what its passes took.
type FrameMillis = (u64, PassMillis);

/// A frame, or one of two parts of one, whose timestamps are on their way.
#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    frame: u64,
    used: u32,
    /// One of the states below.
    state: Arc<AtomicU8>,
}

const FREE: u8 = 0;
const RECORDED: u8 = 1;
const MAPPING: u8 = 2;
const READY: u8 = 3;
const FAILED: u8 = 4;

/// Parts of frames, of which those of pairs have two, that may be on their way at once; while all are, others go unmeasured.
const SLOTS: usize = 8;
const COUNT: u32 = 2 * Pass::ALL.len() as u32;
/// Each pass is resolved to a place of its own: those that a frame does without have no timestamps to resolve.
const STRIDE: u64 = wgpu::QUERY_RESOLVE_BUFFER_ALIGNMENT;
const SIZE: u64 = STRIDE * Pass::ALL.len() as u64;

impl PassTimes {
    /// Timestamps, if the device has them.
    fn new(gpu: &Gpu) -> Option<Self> {
        let device = &gpu.device;
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: SIZE,
                usage,
                mapped_at_creation: false,
            })
        };
        let resolved = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let slot = |_| Slot {
            buffer: buffer(
                "PassTimes::slots",
                wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            ),
            frame: 0,
            used: 0,
            state: Arc::new(AtomicU8::new(FREE)),
        };
        Some(Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("PassTimes::queries"),
                ty: wgpu::QueryType::Timestamp,
                count: COUNT,
            }),
            resolved: buffer("PassTimes::resolved", resolved),
            slots: std::array::from_fn(slot),
            used: AtomicU32::new(0),
            frame: 0,
            is_begun: None,
            latest: None,
        })
    }

    /// What a descriptor asks for: of several passes that count as one the first begins it, and the last ends it.
    fn within(&self, pass: Pass, part: PassPart) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let PassPart { is_first, is_last } = part;
        self.used.fetch_or(1 << pass as u32, Ordering::Relaxed);
        let first = 2 * pass as u32;
        (is_first || is_last).then_some(wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: is_first.then_some(first),
            end_of_pass_write_index: is_last.then_some(first + 1),
        })
    }

    /// Sends the timestamps of what was recorded on their way: a frame, or a part of one that goes on.
    pub(in crate::render) fn record(&mut self, encoder: &mut wgpu::CommandEncoder, goes_on: bool) {
        let used = self.used.swap(0, Ordering::Relaxed);
        let frame = self.frame;
        self.frame += u64::from(!goes_on);
        let is_free = |slot: &Slot| slot.state.load(Ordering::Acquire) == FREE;
        let free = self.slots.iter().filter(|slot| is_free(slot)).count();
        let is_recorded = self.is_begun.unwrap_or(has_room(free, goes_on));
        self.is_begun = goes_on.then_some(is_recorded);
        let Some(slot) = (self.slots.iter_mut()).find(|slot| is_recorded && is_free(slot)) else {
            return;
        };
        for (pass, at) in Pass::ALL.into_iter().zip((0..).step_by(STRIDE as usize)) {
            if used & 1 << pass as u32 != 0 {
                let first = 2 * pass as u32;
                encoder.resolve_query_set(&self.queries, first..first + 2, &self.resolved, at);
            }
        }
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &slot.buffer, 0, SIZE);
        (slot.frame, slot.used) = (frame, used);
        slot.state.store(RECORDED, Ordering::Release);
    }

    /// What the latest frame took of which all timestamps have arrived.
    fn latest(&mut self, gpu: &Gpu) -> Option<PassMillis> {
        for slot in &self.slots {
            if slot.state.load(Ordering::Acquire) == RECORDED {
                slot.state.store(MAPPING, Ordering::Release);
                let state = Arc::clone(&slot.state);
                slot.buffer
                    .map_async(wgpu::MapMode::Read, .., move |result| {
                        let reached = if result.is_ok() { READY } else { FAILED };
                        state.store(reached, Ordering::Release);
                    });
            }
        }
        // Devices that are lost say so elsewhere.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        let millis_a_tick = f64::from(gpu.queue.get_timestamp_period()) * 1e-6;
        let parts = self.slots.each_ref();
        let parts = parts.map(|slot| (slot.frame, slot.state.load(Ordering::Acquire)));
        for (slot, (frame, state)) in self.slots.iter().zip(parts) {
            let Some(is_whole) = arrived(&parts, frame, self.frame) else {
                continue;
            };
            if state == READY {
                if is_whole && let Ok(bytes) = slot.buffer.get_mapped_range(..) {
                    let millis = millis(&bytes, slot.used, millis_a_tick);
                    self.latest = Some(newest(self.latest, (frame, millis)));
                }
                slot.buffer.unmap();
            }
            slot.state.store(FREE, Ordering::Release);
        }
        self.latest.map(|(_, millis)| millis)
    }
}

/// Whether all of a frame can be recorded of which this is the first part, in so many free slots.
fn has_room(free: usize, goes_on: bool) -> bool {
    free > usize::from(goes_on)
}

/// Whether `frame` is whole, once nothing of it is to come: of `parts`, the numbers of frames and how far they have come,
/// while `recording` is being recorded. One of two parts would pass for a frame that took half as long.
fn arrived(parts: &[(u64, u8)], frame: u64, recording: u64) -> Option<bool> {
    let mut states = (parts.iter().filter(|part| part.0 == frame)).map(|part| part.1);
    let is_waiting = |state| matches!(state, RECORDED | MAPPING);
    let is_over = frame < recording && !states.clone().any(is_waiting);
    is_over.then(|| !states.any(|state| state == FAILED))
}

/// The newer of two frames, or both parts of one. Slots are not in the order of frames.
fn newest(known: Option<FrameMillis>, (frame, mut millis): FrameMillis) -> FrameMillis {
    match known {
        Some((number, known)) if number > frame => (number, known),
        Some((number, known)) if number == frame => {
            for (sum, part) in millis.iter_mut().zip(known) {
                *sum += part;
            }
            (frame, millis)
        }
        _ => (frame, millis),
    }
}

/// From the timestamps of the passes that a frame had.
fn millis(bytes: &[u8], used: u32, millis_a_tick: f64) -> PassMillis {
    let mut millis = [0.0; Pass::ALL.len()];
    let places = bytes.chunks(STRIDE as usize);
    for ((pass, place), millis) in Pass::ALL.into_iter().zip(places).zip(&mut millis) {
        let (Some(first), Some(last), true) = (
            place.first_chunk::<8>(),
            place.get(8..16).and_then(|bytes| bytes.first_chunk::<8>()),
            used & 1 << pass as u32 != 0,
        ) else {
            continue;
        };
        let ticks = u64::from_le_bytes(*last).saturating_sub(u64::from_le_bytes(*first));
        *millis = ticks as f64 * millis_a_tick;
    }
    millis
}

impl Renderer {
    /// Measures passes from now on, or no more; whether they are measured, which not every device can.
    pub fn time_passes(&mut self, gpu: &Gpu, is_on: bool) -> bool {
        if !is_on {
            self.times = None;
        } else if self.times.is_none() {
            self.times = PassTimes::new(gpu);
        }
        self.times.is_some()
    }

    /// How long passes took in the latest frame that is known of, if they are measured: without waiting, so it lags some
    /// frames behind. To be called when what was drawn is submitted, and not in between.
    pub fn pass_millis(&mut self, gpu: &Gpu) -> Option<PassMillis> {
        self.times.as_mut()?.latest(gpu)
    }

    /// What the descriptor of a pass asks for.
    pub(in crate::render) fn timestamps(
        &self,
        pass: Pass,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.timestamps_within(pass, PassPart::WHOLE)
    }

    /// [`Self::timestamps`] where several passes count as one, of which this is a part.
    pub(super) fn timestamps_within(
        &self,
        pass: Pass,
        part: PassPart,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.times.as_ref()?.within(pass, part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_a_frame_did_without_took_nothing() {
        let mut bytes = vec![0; SIZE as usize];
        for pass in 0..Pass::ALL.len() {
            let at = pass * STRIDE as usize;
            bytes[at..at + 8].copy_from_slice(&1000_u64.to_le_bytes());
            bytes[at + 8..at + 16].copy_from_slice(&(2000 + pass as u64).to_le_bytes());
        }
        assert_eq!(
            millis(&bytes, 0b10010, 1.0),
            [0.0, 1001.0, 0.0, 0.0, 1004.0, 0.0, 0.0, 0.0, 0.0]
        );
    }

    #[test]
    fn pairs_are_shown_when_both_parts_have_arrived() {
        let parts = [(3, READY), (4, READY), (3, MAPPING), (2, FREE), (5, READY)];
        assert_eq!(arrived(&parts, 3, 6), None, "a part is on its way");
        assert_eq!(arrived(&parts, 4, 6), Some(true));
        assert_eq!(arrived(&parts, 5, 5), None, "a part may follow");
        let parts = [(3, READY), (3, READY), (4, FAILED), (4, READY)];
        assert_eq!(arrived(&parts, 3, 5), Some(true));
        assert_eq!(arrived(&parts, 4, 5), Some(false), "half of it is lost");
    }

    #[test]
    fn pairs_are_measured_where_there_is_room_for_both_parts() {
        let found = [(0, false), (1, false), (1, true), (2, true)]
            .map(|(free, goes_on)| has_room(free, goes_on));
        assert_eq!(found, [false, true, false, true]);
    }

    #[test]
    fn the_newest_frame_counts_whichever_slot_it_is_in() {
        let took = |millis| [millis; Pass::ALL.len()];
        let first = newest(None, (7, took(1.0)));
        let second = newest(Some(first), (9, took(2.0)));
        assert_eq!(newest(Some(second), (8, took(4.0))), (9, took(2.0)));
        // Two subjects are two parts of one frame.
        assert_eq!(newest(Some(second), (9, took(4.0))), (9, took(6.0)));
    }
}
