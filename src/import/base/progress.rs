//! What a load and the thread that waits for it tell each other: how far it has come, that it is not wanted any more, and
//! which textures can be shown.

use std::{
    fmt,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::model::BlockFormats;

/// How far a load has come; shared by the thread that loads and the one that shows it.
#[derive(Debug, Default)]
pub struct Progress {
    cancelled: AtomicBool,
    stage: Mutex<(&'static str, f32)>,
    block_formats: OnceLock<BlockFormats>,
    #[cfg(test)]
    asked: tests::Asked,
}

impl Progress {
    /// Asks the load to stop; it then returns an error for which [`is_cancelled`] holds.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the load was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        #[cfg(test)]
        self.asked.note(self);
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Says which compressed textures can be shown, so that images need not all be unpacked. It counts for those that are
    /// decoded afterwards, and cannot be taken back.
    pub fn set_block_formats(&self, formats: BlockFormats) {
        // Once is enough.
        let _ = self.block_formats.set(formats);
    }

    /// Which compressed textures can be shown, as far as is known.
    pub(in crate::import) fn block_formats(&self) -> BlockFormats {
        self.block_formats.get().copied().unwrap_or_default()
    }

    /// Says what the load is doing, and how much of the whole is done, 0..1.
    pub fn set_stage(&self, label: &'static str, fraction: f32) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = (label, fraction);
    }

    /// What the load is doing, and how much of the whole is done, 0..1.
    pub fn stage(&self) -> (&'static str, f32) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error if the load was asked to stop. Called for each object, so that a cancel acts at once.
    pub(in crate::import) fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}

/// The load was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("loading was cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// Whether `error` means that the load was cancelled with [`Progress::cancel`].
pub fn is_cancelled(error: &anyhow::Error) -> bool {
    error.is::<Cancelled>()
}

/// How much of `count` objects the first `index` are.
pub(in crate::import) fn fraction(index: usize, count: usize) -> f32 {
    index as f32 / count.max(1) as f32
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use serde_json::json;

    use super::*;
    use crate::import::load_bytes;

    /// How often somebody asked whether to stop, once everything was read; and at which time of these to stop.
    #[derive(Debug, Default)]
    pub(super) struct Asked {
        times: AtomicUsize,
        stop_at: AtomicUsize,
    }

    impl Asked {
        pub(super) fn note(&self, progress: &Progress) {
            if progress.stage().0 != "done" {
                return;
            }
            let before = self.times.fetch_add(1, Ordering::Relaxed);
            if before + 1 == self.stop_at.load(Ordering::Relaxed) {
                progress.cancel();
            }
        }
    }

    /// A file whose nodes and accessors are all looked at by checks, and whose clips the doctor looks at.
    fn file(count: usize) -> Vec<u8> {
        let clip = json!({
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 0, "output": 1}],
        });
        let view =
            |offset, length| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        let uri = format!("data:application/octet-stream;base64,{}", "AAAA".repeat(16));
        let unused = json!({
            "bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 1,
            "min": [0, 0, 0], "max": [0, 0, 0],
        });
        let mut accessors = vec![
            json!({"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0]}),
            json!({"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 1}),
        ];
        accessors.extend(vec![unused; count]);
        let document = json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 48, "uri": uri}],
            "bufferViews": [view(0, 4), view(4, 12)],
            "accessors": accessors,
            "nodes": vec![json!({"extras": {}}); count],
            "animations": vec![clip; count],
        });
        document.to_string().into_bytes()
    }

    #[test]
    fn checks_end_soon_after_they_are_cancelled() {
        const COUNT: usize = 300;
        let bytes = file(COUNT);
        let whole = Progress::default();
        load_bytes("a", &bytes, &whole).unwrap();
        let times = whole.asked.times.load(Ordering::Relaxed);
        // For each node, accessor and clip; and so for whatever a large file has many of.
        assert!(times > 4 * COUNT, "{times}");
        for stop_at in [1, 2, times / 5, times / 2, times - COUNT, times] {
            let progress = Progress::default();
            progress.asked.stop_at.store(stop_at, Ordering::Relaxed);
            let result = load_bytes("a", &bytes, &progress);
            let asked = progress.asked.times.load(Ordering::Relaxed);
            assert!(is_cancelled(&result.unwrap_err()), "{stop_at}");
            // Checks and doctor each notice by themselves, and what they are in the middle of ends first.
            assert!(asked <= stop_at + 8, "{stop_at} of {times}, then {asked}");
        }
    }
}
