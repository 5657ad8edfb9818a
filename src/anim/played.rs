//! A pose that a clip plays in: from moment to moment only what the clip moves is evaluated.

use std::ops::{Deref, DerefMut};

use glam::Affine3A;

use super::{Cursors, Pose, sample};
use crate::model::{Clip, Hierarchy, Model, NodeId};

/// A pose that a clip plays in: from one of its moments to the next only those nodes are evaluated that the clip moves, and
/// those that hang on them. Whoever else changes the pose gets it by [`DerefMut`]; then all of it is evaluated anew.
#[derive(Debug, Clone)]
pub struct PlayedPose {
    pose: Pose,
    /// The clip of the last moment (an index; none is the file's own pose), unless something else has changed the pose since.
    played: Option<Option<usize>>,
    /// What that clip moves, parents first: all other nodes are as the file has them.
    moving: Vec<NodeId>,
    /// For [`find_moving`].
    is_moving: Vec<bool>,
}

impl PlayedPose {
    /// The file's own pose.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        Self {
            pose: Pose::new(hierarchy),
            played: None,
            moving: Vec::new(),
            is_moving: Vec::new(),
        }
    }

    /// Takes the pose of a clip of the model (an index; none is the file's own pose) at a time, clamped to its keys, with world
    /// matrices: whatever was there before, to the bit what [`Pose::reset`], [`sample()`] and [`Pose::update_world`] give.
    pub fn play(
        &mut self,
        model: &Model,
        clip: Option<usize>,
        time_secs: f64,
        cursors: &mut Cursors,
    ) {
        let (hierarchy, pose) = (&model.hierarchy, &mut self.pose);
        let tracks = clip.and_then(|clip| model.clips.get(clip));
        let goes_on = self.played == Some(clip);
        if !goes_on {
            pose.reset(hierarchy);
        }
        // It writes all that it moves, whatever the time.
        if let Some(tracks) = tracks {
            sample(tracks, time_secs, cursors, pose);
        }
        if goes_on {
            pose.update_world_of(hierarchy, &self.moving);
        } else {
            pose.update_world(hierarchy, Affine3A::IDENTITY);
            find_moving(hierarchy, tracks, &mut self.is_moving, &mut self.moving);
            self.played = Some(clip);
        }
    }

    /// Evaluates all of it the next time, since the model is another one, or has other clips.
    pub fn forget(&mut self) {
        self.played = None;
    }
}

impl Deref for PlayedPose {
    type Target = Pose;

    fn deref(&self) -> &Pose {
        &self.pose
    }
}

impl DerefMut for PlayedPose {
    fn deref_mut(&mut self) -> &mut Pose {
        self.forget();
        &mut self.pose
    }
}

/// Finds the nodes that a clip moves, and those that hang on them, parents first; and for each node whether it is one of these.
/// Both lists are written anew, in the room that they have.
pub(super) fn find_moving(
    hierarchy: &Hierarchy,
    clip: Option<&Clip>,
    is_moving: &mut Vec<bool>,
    moving: &mut Vec<NodeId>,
) {
    is_moving.clear();
    is_moving.resize(hierarchy.len(), false);
    moving.clear();
    for node in clip.into_iter().flat_map(Clip::moved_nodes) {
        is_moving[node.index()] = true;
    }
    for (id, node) in hierarchy.iter() {
        let is_carried = node.parent.is_some_and(|parent| is_moving[parent.index()]);
        if is_moving[id.index()] || is_carried {
            is_moving[id.index()] = true;
            moving.push(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Node, PropertyTarget, Timeline, Transform};

    const NODES: usize = 40;
    const CLIPS: usize = 5;

    /// Numbers from 0 to below `most`, one after the other (xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % most as u64) as usize
        }

        fn number(&mut self) -> f32 {
            self.below(2000) as f32 / 1000.0 - 1.0
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.number(), self.number(), self.number())
        }

        fn node(&mut self) -> NodeId {
            NodeId(self.below(NODES) as u32)
        }
    }

    /// A clip that moves, turns, scales, morphs and hides some nodes.
    fn clip(random: &mut Random) -> Clip {
        let mut builder = ClipBuilder::new("any");
        let start = random.number().abs();
        let times = vec![start, start + 0.25, start + 1.0];
        let timeline = builder.timeline(Timeline::new(times).unwrap());
        let linear = Interpolation::Linear;
        for _ in 0..1 + random.below(4) {
            let vectors = (0..3).map(|_| random.vector()).collect::<Vec<_>>();
            let turns = (0..3).map(|_| Quat::from_rotation_x(random.number()));
            let turns = turns.collect::<Vec<_>>();
            let numbers = (0..3).map(|_| random.number()).collect::<Vec<_>>();
            let node = random.node();
            match random.below(5) {
                0 => builder.translation(node, timeline, linear, vectors),
                1 => builder.rotation(node, timeline, linear, turns),
                2 => builder.scale(node, timeline, linear, vectors),
                3 => {
                    let target = PropertyTarget::NodeWeight(node, 0);
                    builder.property(target, timeline, linear, numbers)
                }
                _ => {
                    let target = PropertyTarget::Visibility(node);
                    let shown = vec![0.0, 1.0, 0.0];
                    builder.property(target, timeline, Interpolation::Step, shown)
                }
            }
            .unwrap();
        }
        builder.finish()
    }

    /// A model of nodes that hang on one another, some of them hidden.
    fn model(random: &mut Random) -> Model {
        let mut parents = vec![None];
        for node in 1..NODES {
            let parent = random.below(2 * node);
            parents.push(Some(parent).filter(|parent| *parent < node));
        }
        let node = |random: &mut Random| Node {
            rest: Transform {
                translation: random.vector(),
                rotation: Quat::from_rotation_y(random.number()),
                scale: Vec3::ONE,
            },
            is_hidden: random.below(8) == 0,
            ..Node::default()
        };
        let nodes = (0..NODES).map(|_| node(random)).collect();
        let weights: Vec<_> = (0..NODES).map(|_| vec![random.number()]).collect();
        let mut model = Model {
            hierarchy: Hierarchy::new(nodes, &parents, &weights).unwrap(),
            ..Model::default()
        };
        model.append_clips((0..CLIPS).map(|_| clip(random)).collect());
        model
    }

    #[test]
    fn what_is_played_is_what_is_evaluated_anew() {
        for seed in 1..40 {
            let mut random = Random(seed);
            let model = model(&mut random);
            let hierarchy = &model.hierarchy;
            let (mut played, mut cursors) = (PlayedPose::new(hierarchy), Cursors::default());
            let mut clip = None;
            for step in 0..100 {
                match random.below(12) {
                    // One more clip than there are.
                    0 | 1 => clip = Some(random.below(CLIPS + 1)),
                    2 => clip = None,
                    3 => {
                        let local = Transform::IDENTITY;
                        played.place(random.node(), local);
                    }
                    4 => played.hidden[random.node().index()] ^= true,
                    5 => played.shown[random.node().index()] = false,
                    6 => played.weights_of_mut(random.node())[0] = 2.0,
                    _ => {}
                }
                let time_secs = f64::from(random.number()) * 3.0;
                played.play(&model, clip, time_secs, &mut cursors);
                let mut expected = Pose::new(hierarchy);
                if let Some(clip) = clip.and_then(|clip| model.clips.get(clip)) {
                    sample(clip, time_secs, &mut Cursors::default(), &mut expected);
                }
                expected.update_world(hierarchy, Affine3A::IDENTITY);
                assert_eq!(*played, expected, "{seed}, {step}: {clip:?}");
            }
        }
    }

    #[test]
    fn what_a_clip_does_not_move_is_evaluated_once() {
        let nodes = vec![Node::default(); 3];
        let hierarchy =
            Hierarchy::new(nodes, &[None, Some(0), None], &[vec![], vec![], vec![]]).unwrap();
        let ids = [0, 1, 2].map(|node| hierarchy.by_file_index(node).unwrap());
        let [moved, carried, other] = ids;
        let mut builder = ClipBuilder::new("step");
        let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let values = vec![Vec3::ZERO, Vec3::X];
        builder
            .translation(moved, timeline, Interpolation::Linear, values)
            .unwrap();
        let model = Model {
            hierarchy,
            clips: vec![builder.finish()],
            ..Model::default()
        };
        let mut played = PlayedPose::new(&model.hierarchy);
        let mut cursors = Cursors::default();
        played.play(&model, Some(0), 0.0, &mut cursors);
        assert_eq!(played.moving, [moved, carried]);
        // A mark that nothing but a full evaluation takes away.
        let mark = Affine3A::from_translation(Vec3::Z);
        played.pose.world[other.index()] = mark;
        played.play(&model, Some(0), 1.0, &mut cursors);
        assert_eq!(played.world[other.index()], mark);
        assert_eq!(played.world[carried.index()].translation, Vec3::X.into());
        played.forget();
        played.play(&model, Some(0), 1.0, &mut cursors);
        assert_eq!(played.world[other.index()], Affine3A::IDENTITY);
    }
}
