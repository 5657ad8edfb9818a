//! The times of keys that the timeline marks: those of the chosen node, or of all nodes if it has none.

use crate::{
    app::{
        Session,
        time::{ClipKey, timelines_of},
    },
    model::{Clip, NodeId, Timeline},
};

/// Times in seconds, sorted, without repeats, and what they are of.
#[derive(Debug, Default)]
pub(in crate::app) struct KeyTimes {
    /// Of all keys of a clip, once they were asked for: there may be millions, and most nodes have none of their own.
    all_secs: Vec<f32>,
    all_of: Option<ClipKey>,
    /// Of the chosen node, if it has keys.
    node_secs: Vec<f32>,
    node_of: Option<(ClipKey, Option<NodeId>)>,
}

impl KeyTimes {
    /// Brings the times up to date.
    pub(super) fn update(&mut self, session: &Session) {
        let (key, node) = (session.timeline_key(), session.selected);
        if self.node_of.replace((key, node)) == Some((key, node)) {
            return;
        }
        let model = session.model();
        let clip = key.clip.and_then(|clip| model.clips.get(clip));
        let of_node = clip.zip(node);
        let of_node = of_node.map(|(clip, node)| timelines_of(model, clip, node));
        self.node_secs = times_of(of_node.into_iter().flatten());
        if self.node_secs.is_empty() && self.all_of.replace(key) != Some(key) {
            self.all_secs = times_of(clip.into_iter().flat_map(Clip::timelines));
        }
    }

    pub(in crate::app) fn secs(&self) -> &[f32] {
        if self.node_secs.is_empty() {
            &self.all_secs
        } else {
            &self.node_secs
        }
    }
}

/// The times of all keys of timelines, sorted, without repeats.
fn times_of<'a>(timelines: impl Iterator<Item = &'a Timeline>) -> Vec<f32> {
    let mut times: Vec<f32> = timelines.flat_map(Timeline::times_secs).copied().collect();
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        model::{
            ClipBuilder, Hierarchy, Interpolation, LightProperty, MaterialProperty, Mesh, Model,
            Node, Primitive, PropertyTarget,
        },
        ui::Command,
    };

    /// A clip with keys at 0 and 1 second of one property, and at 0 and 2 of another.
    fn clip_of(targets: [PropertyTarget; 2]) -> Clip {
        let mut builder = ClipBuilder::new("");
        for (end, target) in (1_u8..).zip(targets) {
            let timeline = Timeline::new(vec![0.0, f32::from(end)]).unwrap();
            let timeline = builder.timeline(timeline);
            let values = vec![0.0, 1.0];
            builder
                .property(target, timeline, Interpolation::Step, values)
                .unwrap();
        }
        builder.finish()
    }

    /// Pip with a clip that shows nodes 1 and 2.
    fn session() -> Session {
        let mut import = built_in::load("Pip").unwrap();
        let shown = [1, 2].map(|node| PropertyTarget::Visibility(NodeId(node)));
        import.model.clips = vec![clip_of(shown)];
        let mut session = Session::new(import, None, Duration::ZERO);
        session.apply(Command::SelectClip(Some(0)));
        session
    }

    #[test]
    fn nodes_whose_properties_move_are_animated_and_have_keys() {
        let clip = clip_of([
            PropertyTarget::NodeWeight(NodeId(1), 0),
            PropertyTarget::Visibility(NodeId(2)),
        ]);
        let model = built_in::load("Pip").unwrap().model;
        let animated = clip.animated_nodes(&model);
        let expected = (0..animated.len()).map(|node| (1..=2).contains(&node));
        assert!(animated.iter().copied().eq(expected));
        let times = |node: u32| times_of(timelines_of(&model, &clip, NodeId(node)).into_iter());
        assert_eq!(times(1), [0.0, 1.0]);
        assert_eq!(times(2), [0.0, 2.0]);
    }

    #[test]
    fn keys_of_a_light_and_of_a_material_are_those_of_the_nodes_where_they_are() {
        let lit_by = |light: usize| Node {
            light: Some(light),
            ..Node::default()
        };
        let mesh = Node {
            mesh: Some(0),
            ..Node::default()
        };
        let nodes = vec![lit_by(0), lit_by(1), mesh];
        let model = Model {
            hierarchy: Hierarchy::new(nodes, &[None; 3], &[const { Vec::new() }; 3]).unwrap(),
            meshes: std::sync::Arc::new(vec![Mesh {
                primitives: vec![Primitive::default()],
                ..Mesh::default()
            }]),
            ..Model::default()
        };
        let clip = clip_of([
            PropertyTarget::Light(1, LightProperty::Intensity),
            PropertyTarget::Material(0, MaterialProperty::Roughness),
        ]);
        assert_eq!(clip.animated_nodes(&model), [false, true, true]);
        let times = |node: u32| times_of(timelines_of(&model, &clip, NodeId(node)).into_iter());
        assert_eq!(times(0), [0.0; 0]);
        assert_eq!(times(1), [0.0, 1.0]);
        assert_eq!(times(2), [0.0, 2.0]);
    }

    #[test]
    fn a_node_without_keys_shows_those_of_all() {
        let mut session = session();
        let mut times = KeyTimes::default();
        for (node, expected) in [
            (None, &[0.0, 1.0, 2.0][..]),
            (Some(1), &[0.0, 1.0]),
            (Some(2), &[0.0, 2.0]),
            (Some(3), &[0.0, 1.0, 2.0]),
        ] {
            session.apply(Command::SelectNode(node));
            times.update(&session);
            assert_eq!(times.secs(), expected, "{node:?}");
        }
        session.apply(Command::SelectClip(None));
        times.update(&session);
        assert_eq!(times.secs(), [0.0; 0]);
    }

    #[test]
    fn times_of_all_are_collected_once_a_clip() {
        let mut session = session();
        let mut times = KeyTimes::default();
        let mut places = Vec::new();
        for node in [None, Some(3), Some(4)] {
            session.apply(Command::SelectNode(node));
            times.update(&session);
            places.push(times.secs().as_ptr());
        }
        assert!(places.iter().all(|place| *place == places[0]));
    }
}
