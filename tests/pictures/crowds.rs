//! Crowds: what is said once for all of them and holds for each.

use glam::Vec3;
use rigscope::{
    app::Actor,
    model::{ClipBuilder, Interpolation, NodeId, Timeline},
};

use super::quad::quad;
use crate::common::{gpu, picture};

/// In one draw call they would be culled as the first of them.
#[test]
fn each_of_a_crowd_shows_its_own_front() {
    let Some(gpu) = gpu() else { return };
    let mut model = quad(&[]).model().clone();
    let mut clip = ClipBuilder::new("turns over");
    let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let values = vec![Vec3::new(-1.0, 1.0, 1.0), Vec3::ONE];
    clip.scale(NodeId(0), times, Interpolation::Linear, values)
        .unwrap();
    model.clips = vec![clip.finish()];
    let seen = |orbit: &str| {
        let view = ["--view", "faces", "--background", "none", "--size", "64x64"];
        let typed = [
            &view[..],
            &["--crowd", "9", "--clip", "0", "--orbit", orbit],
        ]
        .concat();
        let drawn = picture(&gpu, &mut Actor::new(model.clone()), &typed);
        // Fronts are blue, and backs red.
        let pixels = drawn.rgba8.as_chunks().0.iter();
        let count = |is_of: fn(&&[u8; 4]) -> bool| pixels.clone().filter(is_of).count();
        [
            count(|[red, _, blue, _]| blue > red),
            count(|[red, _, blue, _]| red > blue),
        ]
    };
    let [front, back] = seen("30,80,20");
    assert!(front > 60 && back == 0, "{front} and {back}");
    let [front, back] = seen("210,80,20");
    assert!(back > 60 && front == 0, "{front} and {back}");
}
