//! The channels of a clip as its file has them: of one that moves the weights of a mesh each node that takes them has a track.

use std::ops::Range;

use super::{Clip, TrackHead};

/// A channel that moves the weights of a mesh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshChannel {
    /// Index of the mesh.
    pub mesh: usize,
    /// Which of the weights it moves; none: all of them.
    pub weight: Option<usize>,
    /// The tracks, of all weights or of properties.
    tracks: Range<usize>,
}

/// All such channels of a clip, in the order of their tracks.
#[derive(Debug, Clone, Default)]
pub(super) struct MeshChannels {
    /// Those of all weights of a mesh.
    of_all: Vec<MeshChannel>,
    /// Those of one weight, whose tracks are among the properties.
    of_one: Vec<MeshChannel>,
}

/// How many channels a clip has, and how many keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelCounts {
    /// Channels.
    pub channels: usize,
    /// Keys of all channels together.
    pub keys: usize,
    /// Channels by their interpolation: step, linear, cubic spline.
    pub interpolations: [usize; 3],
}

impl MeshChannel {
    /// The pointer by which files name what it moves.
    pub fn pointer(&self) -> String {
        let mesh = self.mesh;
        match self.weight {
            Some(weight) => format!("/meshes/{mesh}/weights/{weight}"),
            None => format!("/meshes/{mesh}/weights"),
        }
    }
}

impl MeshChannels {
    /// Adds a channel, whose tracks come after those of all before it.
    pub(super) fn add(&mut self, mesh: usize, weight: Option<usize>, tracks: Range<usize>) {
        let list = match weight {
            Some(_) => &mut self.of_one,
            None => &mut self.of_all,
        };
        list.push(MeshChannel {
            mesh,
            weight,
            tracks,
        });
    }
}

/// The channel with this track, and whether the track is its first.
fn at(list: &[MeshChannel], track: usize) -> Option<(&MeshChannel, bool)> {
    let place = list.partition_point(|channel| channel.tracks.end <= track);
    let channel = list.get(place)?;
    let is_in = channel.tracks.contains(&track);
    is_in.then_some((channel, channel.tracks.start == track))
}

impl Clip {
    /// The channels of the file that move something, each with its first track, and those that move the weights of a mesh with
    /// what they name.
    pub fn channels(&self) -> impl Iterator<Item = (TrackHead, Option<&MeshChannel>)> {
        let weights = self.translations.len() + self.rotations.len() + self.scales.len();
        let properties = weights + self.weights.len();
        self.heads().enumerate().filter_map(move |(place, head)| {
            let of_mesh = if place >= properties {
                at(&self.mesh_channels.of_one, place - properties)
            } else if place >= weights {
                at(&self.mesh_channels.of_all, place - weights)
            } else {
                None
            };
            match of_mesh {
                Some((channel, is_first)) => is_first.then_some((head, Some(channel))),
                None => Some((head, None)),
            }
        })
    }

    /// How many channels and keys the file has for it.
    pub fn channel_counts(&self) -> ChannelCounts {
        let mut counts = ChannelCounts::default();
        for (head, _) in self.channels() {
            counts.channels += 1;
            counts.keys += self.timelines[head.timeline].times_secs.len();
            counts.interpolations[head.interpolation as usize] += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Interpolation, NodeId, PropertyTarget, Timeline};

    #[test]
    fn a_channel_of_a_mesh_is_one_for_all_its_nodes() {
        let mut builder = ClipBuilder::new("talk");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let linear = Interpolation::Linear;
        let weights = |builder: &mut ClipBuilder, node: u32| {
            let values = vec![0.0; 4];
            builder
                .weights(NodeId(node), timeline, linear, 2, values)
                .unwrap();
        };
        let weight = |builder: &mut ClipBuilder, node: u32| {
            let target = PropertyTarget::NodeWeight(NodeId(node), 1);
            let values = vec![0.0; 2];
            builder
                .property(target, timeline, Interpolation::Step, values)
                .unwrap();
        };
        weights(&mut builder, 0);
        for node in 1..4 {
            weights(&mut builder, node);
        }
        builder.of_mesh(7, None, 3);
        weight(&mut builder, 4);
        for node in 5..7 {
            weight(&mut builder, node);
        }
        builder.of_mesh(8, Some(1), 2);
        builder.of_mesh(9, Some(0), 0);
        weight(&mut builder, 7);
        let clip = builder.finish();
        let channels = clip.channels().map(|(head, mesh)| {
            let node = head.moved.node().unwrap();
            (node.index(), mesh.map(MeshChannel::pointer))
        });
        let pointer = |pointer: &str| Some(pointer.to_owned());
        assert_eq!(
            channels.collect::<Vec<_>>(),
            [
                (0, None),
                (1, pointer("/meshes/7/weights")),
                (4, None),
                (5, pointer("/meshes/8/weights/1")),
                (7, None),
            ]
        );
        let counts = ChannelCounts {
            channels: 5,
            keys: 10,
            interpolations: [3, 2, 0],
        };
        assert_eq!(clip.channel_counts(), counts);
        assert_eq!((clip.track_count(), clip.key_count()), (8, 16));
        let part = clip.of_nodes(|node| node.index() > 1);
        assert_eq!(part.channel_counts().channels, part.track_count());
    }
}
