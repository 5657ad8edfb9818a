//! Several clips as one.

use std::collections::HashSet;

use super::{Clip, Moved, NodeId, PropertyTrack, Track, TrackHead};

impl Clip {
    /// A clip in which all of these play at once, each from its beginning, and holds its end. What several of them move, the
    /// first one moves; of how many tracks that takes the place is returned, too.
    pub fn together<'c>(name: &str, clips: impl IntoIterator<Item = &'c Self>) -> (Self, usize) {
        let mut all = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        let (mut taken, mut asked) = (HashSet::new(), 0);
        for clip in clips {
            let is_free = |head: &TrackHead| !taken.contains(&head.moved);
            // Only those that are left in use: the clip is as long as what plays.
            let mut places = vec![None; clip.timelines.len()];
            for head in clip.heads().filter(is_free) {
                places[head.timeline].get_or_insert_with(|| {
                    let timeline = clip.timelines[head.timeline].clone();
                    all.timelines.push(timeline);
                    all.timelines.len() - 1
                });
            }
            add(&mut all.translations, &clip.translations, &places, |node| {
                !taken.contains(&Moved::Translation(node))
            });
            add(&mut all.rotations, &clip.rotations, &places, |node| {
                !taken.contains(&Moved::Rotation(node))
            });
            add(&mut all.scales, &clip.scales, &places, |node| {
                !taken.contains(&Moved::Scale(node))
            });
            add(&mut all.weights, &clip.weights, &places, |node| {
                !taken.contains(&Moved::Weights(node))
            });
            let properties = clip.properties.iter();
            let free = properties.filter(|track| !taken.contains(&Moved::Property(track.target)));
            all.properties.extend(free.filter_map(|track| {
                let timeline = places[track.timeline]?;
                Some(PropertyTrack {
                    timeline,
                    ..track.clone()
                })
            }));
            taken.extend(clip.heads().map(|head| head.moved));
            asked += clip.track_count();
        }
        let left_out = asked - all.track_count();
        (all, left_out)
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
}
