//! Pictures of two files, told apart by their bytes, and decoded only where these are others.

use std::{borrow::Cow, sync::Arc, thread};

use crate::{
    anim::difference::{PictureDifference, compare_pictures},
    import,
    model::{Image, Model},
};

/// What two pictures differ in, each by its index; of those that cannot be read it is not known.
pub(super) fn compare(
    models: [&Model; 2],
    undecoded: [&[Option<Arc<Vec<u8>>>]; 2],
    places: [usize; 2],
    tolerance: f64,
) -> Option<PictureDifference> {
    let bytes = [0, 1].map(|side: usize| undecoded[side].get(places[side]));
    if let [Some(first), Some(second)] = bytes
        && first == second
    {
        return None;
    }
    let decode = |side: usize| match bytes[side] {
        None => models[side].images.get(places[side]).map(Cow::Borrowed),
        Some(bytes) => decode(bytes.as_deref()?).map(Cow::Owned),
    };
    let (first, second) = thread::scope(|scope| {
        let there = thread::Builder::new().spawn_scoped(scope, || decode(1));
        let first = decode(0);
        let second = match there {
            Ok(there) => there.join().ok().flatten(),
            Err(_) => decode(1),
        };
        (first, second)
    });
    let (Some(first), Some(second)) = (first, second) else {
        return Some(PictureDifference::Unknown);
    };
    compare_pictures([&first, &second], tolerance)
}

/// What cannot be decoded is another picture, and why is for the log.
fn decode(bytes: &[u8]) -> Option<Image> {
    let decoded = import::decode_image(bytes);
    decoded
        .inspect_err(|error| log::warn!("a picture cannot be read: {error:#}"))
        .ok()
}
