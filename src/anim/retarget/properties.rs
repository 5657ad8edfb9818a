//! Single properties of nodes, of another model: whether they are shown, and morph weights one by one.

use super::{Binding, targets::Targets};
use crate::model::PropertyTarget;

/// The property of a model that is meant by one of another: that of the node's counterpart, and of the morph target that
/// `targets` says.
pub(super) fn property(
    target: PropertyTarget,
    targets: &Targets,
    binding: &Binding,
) -> Option<PropertyTarget> {
    let from = target.node()?;
    let node = binding.of(from)?.node;
    let PropertyTarget::NodeWeight(_, place) = target else {
        return Some(PropertyTarget::Visibility(node));
    };
    let place = *targets.of(from)?.to_counterpart.get(&place)?;
    Some(PropertyTarget::NodeWeight(node, place))
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::*;
    use crate::{
        anim::retarget::ClipSource,
        model::{
            ClipBuilder, Hierarchy, Interpolation, MaterialProperty, Mesh, Model, Node, NodeId,
            PropertyTrack, Timeline, processor_time::timed,
        },
    };

    /// Two nodes: a face with these morph targets, and a hat.
    fn face(names: [&str; 2], targets: &[&str]) -> Model {
        let nodes = names.map(|name| Node {
            name: name.to_owned(),
            mesh: (name == "face").then_some(0),
            ..Node::default()
        });
        let weights = names.map(|name| match name {
            "face" => vec![0.0; targets.len()],
            _ => Vec::new(),
        });
        let hierarchy = Hierarchy::new(nodes.to_vec(), &[None, None], &weights).unwrap();
        let mesh = Mesh {
            target_count: targets.len(),
            target_names: targets.iter().map(|&name| name.to_owned()).collect(),
            ..Mesh::default()
        };
        Model {
            hierarchy,
            meshes: Arc::new(vec![mesh]),
            ..Model::default()
        }
    }

    #[test]
    fn properties_of_nodes_go_with_their_names() {
        let mut from = face(["hat", "face"], &["smile", "blink"]);
        let mut builder = ClipBuilder::new("wink");
        let timeline = builder.timeline(Timeline::new(vec![0.0]).unwrap());
        let (hat, own) = (NodeId(0), NodeId(1));
        for target in [
            PropertyTarget::Visibility(hat),
            PropertyTarget::NodeWeight(own, 1),
            PropertyTarget::NodeWeight(own, 0),
            PropertyTarget::Material(0, MaterialProperty::Roughness),
        ] {
            let kind = Interpolation::Step;
            builder.property(target, timeline, kind, vec![0.0]).unwrap();
        }
        from.clips = vec![builder.finish()];
        let source = ClipSource::of(from);
        let targets = |model: &Model| {
            let bound = source.bind(model, false);
            let tracks = bound.clips[0].properties().iter();
            let targets: Vec<_> = tracks.map(PropertyTrack::target).collect();
            (targets, bound.dropped_properties, bound.missing)
        };
        let blink = PropertyTarget::NodeWeight(NodeId(0), 0);
        let hat = PropertyTarget::Visibility(NodeId(1));
        // Nobody smiles there.
        let (found, dropped, missing) = targets(&face(["face", "hat"], &["blink", "frown"]));
        assert_eq!((found, dropped), (vec![hat, blink], 1));
        assert!(missing.is_empty());
        // Without a name that both have, places count.
        let (found, dropped, _) = targets(&face(["face", "hat"], &["", "x"]));
        let second = PropertyTarget::NodeWeight(NodeId(0), 1);
        assert_eq!((found, dropped), (vec![hat, second, blink], 1));
        let (found, dropped, missing) = targets(&face(["face", "shoe"], &["", "x"]));
        assert_eq!((found, dropped), (vec![second, blink], 1));
        assert_eq!(missing, ["hat"]);
    }

    /// All weights at once go where each goes by itself: by names, or by places where both have as many targets.
    #[test]
    fn weights_together_and_alone_have_one_rule() {
        let bound = |from: &[&str], to: &[&str]| {
            let mut source = face(["face", "hat"], from);
            let mut builder = ClipBuilder::new("wink");
            let timeline = builder.timeline(Timeline::new(vec![0.0]).unwrap());
            let (own, width) = (NodeId(0), from.len());
            let kind = Interpolation::Step;
            let values: Vec<_> = (0..width).map(|target| 1.0 + target as f32).collect();
            builder.weights(own, timeline, kind, width, values).unwrap();
            for target in 0..width {
                let target = PropertyTarget::NodeWeight(own, target);
                let values = vec![1.0];
                builder.property(target, timeline, kind, values).unwrap();
            }
            source.clips = vec![builder.finish()];
            let clip = ClipSource::of(source)
                .bind(&face(["face", "hat"], to), false)
                .clips
                .remove(0);
            let together = clip.weights().first();
            let together = together.map_or(&[][..], |track| track.values());
            let together = together.iter().enumerate();
            let together = together.filter(|(_, value)| **value > 0.0);
            let together: Vec<_> = together.map(|(target, _)| target).collect();
            let alone = clip.properties().iter().map(|track| match track.target() {
                PropertyTarget::NodeWeight(_, target) => target,
                other => panic!("{other:?}"),
            });
            let mut alone: Vec<_> = alone.collect();
            alone.sort_unstable();
            assert_eq!(together, alone, "{from:?} to {to:?}");
            together
        };
        assert_eq!(bound(&["", ""], &["", "", ""]), [0; 0]);
        assert_eq!(bound(&["", "", ""], &["", ""]), [0; 0]);
        assert_eq!(bound(&["", ""], &["x", "y"]), [0, 1]);
        assert_eq!(bound(&["a", "b"], &["x", "b", "a"]), [1, 2]);
        assert_eq!(bound(&["a", "b", "c"], &["b", "x"]), [0]);
    }

    #[test]
    fn targets_that_are_left_out_or_go_by_their_places_are_named() {
        let reported = |from: &[&str], to: &[&str]| {
            let mut source = face(["face", "hat"], from);
            let mut builder = ClipBuilder::new("wink");
            let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            // The last target stays as it is.
            let width = from.len();
            let mut values = vec![0.5; 2 * width];
            values[width - 1] = 0.0;
            values[2 * width - 1] = 0.0;
            let kind = Interpolation::Linear;
            builder
                .weights(NodeId(0), timeline, kind, width, values)
                .unwrap();
            source.clips = vec![builder.finish(); 2];
            let bound = ClipSource::of(source).bind(&face(["face", "hat"], to), false);
            assert_eq!(bound.dropped_properties, 0);
            (bound.missing_targets, bound.targets_by_place)
        };
        let none = Vec::<String>::new;
        let told = |name: &str| vec![name.to_owned()];
        let two = ["smile", "blink"];
        let found = reported(&["smile", "other", "grin"], &two);
        assert_eq!(found, (told("other"), none()));
        let found = reported(&["smile", "", "grin"], &two);
        assert_eq!(found, (told("target 1"), none()));
        let found = reported(&["frown", "wink"], &two);
        assert_eq!(found, (none(), told("face")));
        // Nobody knows what these are called.
        for (from, to) in [([""; 2], two), (two, [""; 2]), (two, two)] {
            assert_eq!(reported(&from, &to), (none(), none()));
        }
    }

    #[test]
    fn targets_that_are_moved_one_by_one_are_named_too() {
        let reported = |from: &[&str], to: &[&str]| {
            let mut source = face(["face", "hat"], from);
            let mut builder = ClipBuilder::new("wink");
            let timeline = builder.timeline(Timeline::new(vec![0.0]).unwrap());
            for target in 0..from.len() {
                let target = PropertyTarget::NodeWeight(NodeId(0), target);
                let kind = Interpolation::Step;
                builder.property(target, timeline, kind, vec![0.5]).unwrap();
            }
            source.clips = vec![builder.finish()];
            let bound = ClipSource::of(source).bind(&face(["face", "hat"], to), false);
            assert_eq!(bound.dropped_properties, 0);
            (bound.missing_targets, bound.targets_by_place)
        };
        let none = Vec::<String>::new;
        let told = |name: &str| vec![name.to_owned()];
        let two = ["smile", "blink"];
        assert_eq!(reported(&["smile", "grin"], &two), (told("grin"), none()));
        assert_eq!(reported(&["frown", "wink"], &two), (none(), told("face")));
        // Of two of one name the first is meant.
        let twice = reported(&["smile", "blink", "blink"], &two);
        assert_eq!(twice, (told("blink"), none()));
    }

    /// Looked for among all others each, they would be thousands of millions of names.
    #[test]
    fn single_weights_of_very_many_targets_are_bound_soon() {
        const COUNT: usize = 60_000;
        let names: Vec<_> = (0..COUNT).map(|target| format!("m{target}")).collect();
        let mut names: Vec<_> = names.iter().map(String::as_str).collect();
        let mut from = face(["face", "hat"], &names);
        let mut builder = ClipBuilder::new("wink");
        let timeline = builder.timeline(Timeline::new(vec![0.0]).unwrap());
        for target in 0..COUNT {
            let target = PropertyTarget::NodeWeight(NodeId(0), target);
            let kind = Interpolation::Step;
            builder.property(target, timeline, kind, vec![0.0]).unwrap();
        }
        from.clips = vec![builder.finish()];
        let source = ClipSource::of(from);
        names.reverse();
        let model = face(["face", "hat"], &names);
        let (bound, took) = timed(|| source.bind(&model, false));
        assert!(took < Duration::from_secs(5), "{took:?}");
        let targets = bound.clips[0].properties().iter();
        let targets = targets.map(PropertyTrack::target);
        let mirrored = (0..COUNT).rev();
        assert!(targets.eq(mirrored.map(|target| PropertyTarget::NodeWeight(NodeId(0), target))));
    }
}
