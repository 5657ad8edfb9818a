//! How many pipelines a picture of a model is drawn by: each takes a driver a moment, and a small file can ask for thousands.

use std::collections::HashMap;

use crate::{
    render::{
        model::samplers::Bindings,
        pipelines::{ColorKind, MeshKey},
    },
    scene::Quality,
};

/// Most pipelines, beside those that draw the same in another way. Real models need up to 20, and as many again where they are
/// mirrored. Each takes a tenth of a second.
const MOST: usize = 256;
/// Most shaders by software, where a pipeline has one for each of its [`Bindings`]. Each takes up to a second and 7 MB.
const MOST_BY_SOFTWARE: usize = 40;

/// How many times as many a model gets in all, whatever it shows one after the other: they stay until another one comes.
const IN_ALL: usize = 4;

/// What a model is drawn by.
#[derive(Debug, Default)]
pub(in crate::render) struct PipelineRoom {
    most: usize,
    /// With the frame in which it was last drawn by each.
    drawn: HashMap<(MeshKey, Bindings), u64>,
    frame: u64,
    /// How many this frame is drawn by.
    now: usize,
}

impl PipelineRoom {
    pub(in crate::render) fn new(is_software: bool) -> Self {
        Self {
            most: if is_software { MOST_BY_SOFTWARE } else { MOST },
            ..Self::default()
        }
    }

    /// Those of `keys` that are made before anything is drawn.
    pub(in crate::render) fn first(&self, mut keys: Vec<MeshKey>) -> Vec<MeshKey> {
        keys.truncate(self.most);
        keys
    }

    /// Says that another frame begins.
    pub(in crate::render) fn next_frame(&mut self) {
        self.frame += 1;
        self.now = 0;
    }

    /// Whether there is room in this frame for all pipelines that draw a primitive, with what they bind; takes it.
    pub(in crate::render) fn take(
        &mut self,
        keys: impl Iterator<Item = MeshKey> + Clone,
        bindings: Bindings,
    ) -> bool {
        let wanted = keys.map(|key| (of_any_frame(key), bindings));
        let (mut unseen, mut unknown) = (0, 0);
        for wanted in wanted.clone() {
            let last = self.drawn.get(&wanted);
            unseen += usize::from(last != Some(&self.frame));
            unknown += usize::from(last.is_none());
        }
        let has_room =
            self.now + unseen <= self.most && self.drawn.len() + unknown <= IN_ALL * self.most;
        if has_room {
            self.now += unseen;
            self.drawn.extend(wanted.map(|wanted| (wanted, self.frame)));
        }
        has_room
    }
}

/// A key without what depends on how all of a frame is drawn: users change that, and it is the same for all of a model.
fn of_any_frame(key: MeshKey) -> MeshKey {
    MeshKey {
        is_dual: false,
        has_near_lights: false,
        quality: Quality::default(),
        colors: ColorKind::Light,
        ..key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{
        draw_lists::tests::draw,
        pipelines::{Faces, Winding},
    };

    fn key(flags: usize, faces: Faces) -> MeshKey {
        let mut key = draw(false, [0.0, 1.0]).key;
        key.features.flags = flags as u32;
        MeshKey {
            winding: Winding {
                faces,
                ..key.winding
            },
            ..key
        }
    }

    /// Primitives of these kinds, each of two pipelines: how many of them are drawn.
    fn drawn(room: &mut PipelineRoom, kinds: std::ops::Range<usize>, is_dual: bool) -> usize {
        room.next_frame();
        let keys = |kind: usize| {
            let faces = [Faces::Back, Faces::Front].into_iter();
            faces.map(move |faces| MeshKey {
                is_dual,
                ..key(kind, faces)
            })
        };
        kinds
            .filter(|&kind| room.take(keys(kind), Bindings::default()))
            .count()
    }

    #[test]
    fn a_picture_is_drawn_by_so_many_and_a_primitive_whole() {
        let mut room = PipelineRoom::new(true);
        for is_dual in [false, true] {
            // Again and again the same ones.
            assert_eq!(drawn(&mut room, 0..30, is_dual), 20);
        }
        assert_eq!(drawn(&mut PipelineRoom::new(false), 0..200, false), 128);
        let odd = &mut PipelineRoom::new(true);
        odd.next_frame();
        assert!(odd.take(std::iter::once(key(999, Faces::Both)), Bindings::default()));
        assert_eq!(
            (0..30)
                .filter(|&kind| {
                    let faces = [Faces::Back, Faces::Front].into_iter();
                    odd.take(faces.map(|faces| key(kind, faces)), Bindings::default())
                })
                .count(),
            19,
            "of the next there is room for one side alone"
        );
    }

    /// Variants, and nodes that are shown and hidden.
    #[test]
    fn what_is_no_longer_drawn_leaves_its_room() {
        let mut room = PipelineRoom::new(true);
        for first in [0, 15, 30, 0] {
            assert_eq!(drawn(&mut room, first..first + 15, false), 15, "{first}");
        }
        // But not for ever: 80 kinds have two pipelines each.
        for first in (45..75).step_by(15) {
            assert_eq!(drawn(&mut room, first..first + 15, false), 15, "{first}");
        }
        assert_eq!(drawn(&mut room, 75..90, false), 5);
        assert_eq!(drawn(&mut room, 0..15, false), 15, "these are there");
    }
}
