//! What is uploaded waits in memory of its own until the adapter has copied it to where it stays.

use crate::render::Gpu;

/// Bytes that may wait: until they are copied they take twice their room.
const MOST: u64 = 32 << 20;

/// What waits to be copied.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    bytes: u64,
}

impl Waiting {
    /// Takes note of what was uploaded. Once there is much of it, waits until the adapter has copied it all.
    pub(in crate::render) fn add(&mut self, gpu: &Gpu, bytes: u64) {
        self.bytes += bytes;
        if self.bytes > MOST {
            gpu.queue.submit([]);
            // A device that is lost copies nothing any more, as others will say.
            let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
            self.bytes = 0;
        }
    }

    /// How much waits.
    #[cfg(test)]
    pub(in crate::render) fn bytes(&self) -> u64 {
        self.bytes
    }
}
