//! Several clips as one.

use std::collections::HashSet;

use super::{Clip, Moved, NodeId, PropertyTarget, PropertyTrack, Track};

impl Clip {
    /// A clip in which all of these play at once, each from its beginning, and holds its end. What several of them move, the
    /// first one moves; of how many tracks that takes the place is returned, too.
    pub fn together<'c>(name: &str, clips: impl IntoIterator<Item = &'c Self>) -> (Self, usize) {
        let mut all = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        let (mut taken, mut asked) = (Taken::default(), 0);
        for clip in clips {
            let is_free = |moved: Moved| taken.leaves(moved);
            let free = clip.heads().map(|head| head.moved);
            let free: Vec<Moved> = free.filter(|moved| is_free(*moved)).collect();
            // Only those that are left in use: the clip is as long as what plays.
            let mut places = vec![None; clip.timelines.len()];
            for head in clip.heads().filter(|head| is_free(head.moved)) {
                places[head.timeline].get_or_insert_with(|| {
                    let timeline = clip.timelines[head.timeline].clone();
                    all.timelines.push(timeline);
                    all.timelines.len() - 1
                });
            }
            add(&mut all.translations, &clip.translations, &places, |node| {
                is_free(Moved::Translation(node))
            });
            add(&mut all.rotations, &clip.rotations, &places, |node| {
                is_free(Moved::Rotation(node))
            });
            add(&mut all.scales, &clip.scales, &places, |node| {
                is_free(Moved::Scale(node))
            });
            add(&mut all.weights, &clip.weights, &places, |node| {
                is_free(Moved::Weights(node))
            });
            let properties = clip.properties.iter();
            let properties = properties.filter(|track| is_free(Moved::Property(track.target)));
            all.properties.extend(properties.filter_map(|track| {
                let timeline = places[track.timeline]?;
                Some(PropertyTrack {
                    timeline,
                    ..track.clone()
                })
            }));
            for moved in free {
                taken.add(moved);
            }
            asked += clip.track_count();
            all.unread = all.unread.and(clip.unread);
        }
        let left_out = asked - all.track_count();
        (all, left_out)
    }
}

/// What clips before move.
#[derive(Default)]
struct Taken {
    moved: HashSet<Moved>,
    /// Nodes of which single weights are moved.
    weighted: HashSet<NodeId>,
}

impl Taken {
    /// Whether nothing of this is taken: all weights of a node have single ones among them (`KHR_animation_pointer`).
    fn leaves(&self, moved: Moved) -> bool {
        let overlaps = match moved {
            Moved::Weights(node) => self.weighted.contains(&node),
            Moved::Property(PropertyTarget::NodeWeight(node, _)) => {
                self.moved.contains(&Moved::Weights(node))
            }
            _ => false,
        };
        !overlaps && !self.moved.contains(&moved)
    }

    fn add(&mut self, moved: Moved) {
        if let Moved::Property(PropertyTarget::NodeWeight(node, _)) = moved {
            self.weighted.insert(node);
        }
        self.moved.insert(moved);
    }
}

/// Adds the tracks of nodes that are free; `places` says where their timelines are now.
fn add<T: Clone>(
    all: &mut Vec<Track<T>>,
    tracks: &[Track<T>],
    places: &[Option<usize>],
    is_free: impl Fn(NodeId) -> bool,
) {
    let free = tracks.iter().filter(|track| is_free(track.node));
    all.extend(free.filter_map(|track| {
        let timeline = places[track.timeline]?;
        Some(Track {
            timeline,
            ..track.clone()
        })
    }));
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Timeline};

    /// Moves nodes by one unit along x over so many seconds.
    fn walk(nodes: &[u32], secs: f32) -> Clip {
        let mut builder = ClipBuilder::new("walk");
        let timeline = builder.timeline(Timeline::new(vec![0.0, secs]).unwrap());
        for node in nodes {
            let values = vec![Vec3::ZERO, Vec3::X * secs];
            let linear = Interpolation::Linear;
            builder
                .translation(NodeId(*node), timeline, linear, values)
                .unwrap();
        }
        builder.finish()
    }

    #[test]
    fn each_moves_what_no_clip_before_it_does() {
        let clips = [walk(&[0], 1.0), walk(&[1, 0], 2.0), walk(&[2], 0.5)];
        let (all, left_out) = Clip::together("all", &clips);
        assert_eq!((all.name(), left_out), ("all", 1));
        assert_eq!(all.duration_secs(), 2.0);
        let ends = all.translations().iter().map(|track| {
            let end_secs = all.timelines()[track.timeline()].last_secs();
            (track.node().0, end_secs, track.values()[1].x)
        });
        let expected = [(0, 1.0, 1.0), (1, 2.0, 2.0), (2, 0.5, 0.5)];
        assert_eq!(ends.collect::<Vec<_>>(), expected);
        // What has no part does not make it longer.
        let (all, left_out) = Clip::together("all", &[walk(&[0], 1.0), walk(&[0], 10.0)]);
        assert_eq!((all.duration_secs(), left_out), (1.0, 1));
    }

    /// Moves single weights of node 0, or all three of them.
    fn talk(single: &[usize]) -> Clip {
        let mut builder = ClipBuilder::new("talk");
        let timeline = builder.timeline(Timeline::new(vec![0.0]).unwrap());
        let (node, linear) = (NodeId(0), Interpolation::Linear);
        for weight in single {
            let target = PropertyTarget::NodeWeight(node, *weight);
            builder
                .property(target, timeline, linear, vec![0.5])
                .unwrap();
        }
        if single.is_empty() {
            builder
                .weights(node, timeline, linear, 3, vec![0.5; 3])
                .unwrap();
        }
        builder.finish()
    }

    #[test]
    fn all_weights_of_a_node_and_single_ones_do_not_go_together() {
        let tracks = |clips: &[Clip]| {
            let (all, left_out) = Clip::together("all", clips);
            (all.weights().len(), all.properties().len(), left_out)
        };
        assert_eq!(tracks(&[talk(&[]), talk(&[0, 2])]), (1, 0, 2));
        let clips = [talk(&[0]), talk(&[]), talk(&[0, 2])];
        assert_eq!(tracks(&clips), (0, 2, 2), "another one is free");
    }
}
