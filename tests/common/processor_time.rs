//! How long a thread computes, for tests of what something costs: what else runs on the machine does not count.

use std::{
    fs,
    time::{Duration, Instant},
};

/// What comes of `work`, and how long this thread has computed for it, others not counted; where the system does not say that,
/// what passed on the clock.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (started, before) = (Instant::now(), processor_time());
    let made = work();
    let computed = difference(before, processor_time());
    (made, computed.unwrap_or_else(|| started.elapsed()))
}

/// How long this thread has computed, where the system says it. A thread that has just begun has not computed yet; one that
/// never does is not counted.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// What was computed between two readings, where the thread is counted.
fn difference(before: Option<Duration>, after: Option<Duration>) -> Option<Duration> {
    let after = after.filter(|after| !after.is_zero())?;
    Some(after.saturating_sub(before?))
}

/// Its first reading is zero, as is that of one that is not counted.
#[test]
fn a_thread_that_has_just_begun_is_measured() {
    let [zero, one, three] = [0, 1, 3].map(|secs| Some(Duration::from_secs(secs)));
    assert_eq!(difference(zero, three), three);
    assert_eq!(difference(one, three), Some(Duration::from_secs(2)));
    assert_eq!(difference(zero, zero), None);
    assert_eq!(difference(None, None), None);
}
