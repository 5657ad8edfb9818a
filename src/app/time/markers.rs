//! What the timeline marks of a clip, and what the list of clips says of it.

use crate::{
    anim::analysis::{
        Analyzer, ClipAnalysis,
        oddities::{self, MotionFinding, Oddity, OddityKind, Summary},
    },
    model::{Model, NodeId},
    ui::{GroundSpeed, Marker, MarkerKind, OddClip},
};

/// What was found in a clip.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Marks {
    /// For the timeline, in the order of time.
    pub(super) markers: Vec<Marker>,
    /// For the list, if there is anything to tell.
    pub(super) odd: Option<OddClip>,
    /// How fast the clip goes over the ground, if it does.
    pub(super) ground_speed: Option<GroundSpeed>,
    /// For the list of what is wrong.
    pub(super) findings: Vec<MotionFinding>,
}

impl Marks {
    /// Whether anything of it is seen while the clip is in force, be the list hidden.
    pub(super) fn can_be_seen(&self) -> bool {
        !self.markers.is_empty() || self.ground_speed.is_some()
    }
}

/// How fast a clip goes over the ground, if it does.
fn ground_speed(clip: usize, analysis: &ClipAnalysis) -> Option<GroundSpeed> {
    analysis.travel().map(|travel| GroundSpeed {
        clip,
        units_per_sec: travel.units_per_sec,
        on_the_spot: travel.of_root.is_none(),
        of_sides: travel.of_sides,
    })
}

/// What is to be marked of a clip; none if that did not go on to the end.
pub(super) fn of_clip(
    analyzer: &Analyzer<'_>,
    model: &Model,
    index: usize,
    goes_on: &dyn Fn() -> bool,
) -> Option<Marks> {
    let clip = model.clips.get(index);
    let Some(clip) = clip.filter(|clip| clip.duration_secs() > 0.0) else {
        return Some(Marks::default());
    };
    let most = oddities::MAX_PLACEMENTS;
    let analysis = analyzer.analyze_motion_while(clip, most, goes_on)?;
    let all = oddities::of(&analysis, f64::from(clip.duration_secs()));
    let hierarchy = &model.hierarchy;
    let odd = Summary::of(&all).map(|summary| OddClip {
        clip: index,
        words: summary.words(),
        at_secs: summary.first.span_secs.0,
        node: Some(summary.first.node.index()),
    });
    let marker = |oddity: &Oddity| Marker {
        kind: match oddity.kind {
            OddityKind::Pop(_) | OddityKind::Jitter(_) => MarkerKind::Pop,
            OddityKind::Slide { .. } | OddityKind::Uneven(_) => MarkerKind::Slide,
            OddityKind::Seam(_) => MarkerKind::Seam,
        },
        from_secs: oddity.span_secs.0,
        to_secs: oddity.span_secs.1,
        node: oddity.is_odd.then_some(NodeId::index(oddity.node)),
        is_odd: oddity.is_odd,
        is_told: oddity.is_told,
        words: oddity.words(hierarchy),
    };
    Some(Marks {
        markers: all.iter().map(marker).collect(),
        odd,
        ground_speed: ground_speed(index, &analysis),
        findings: oddities::findings_of(model, index, &all),
    })
}

/// A chain of two nodes that turns evenly, but for one key; and that ends somewhere else.
#[cfg(test)]
pub(super) fn popping() -> Model {
    use crate::model::{ClipBuilder, Hierarchy, Interpolation, Node, Scene, Timeline};
    use glam::{Quat, Vec3};

    let node = |name: &str, y: f32, parent| Node {
        name: name.to_owned(),
        parent,
        rest: crate::model::Transform {
            translation: Vec3::Y * y,
            ..Default::default()
        },
        ..Node::default()
    };
    let nodes = vec![node("Hip", 0.0, None), node("Knee", 1.0, None)];
    let hierarchy = Hierarchy::new(nodes, &[None, Some(0)], &[vec![], vec![]]).unwrap();
    let mut builder = ClipBuilder::new("turn");
    let times = (0..=60).map(|frame| frame as f32 / 30.0).collect();
    let timeline = builder.timeline(Timeline::new(times).unwrap());
    let turn = |frame: u16| {
        let out_of_line = if frame == 30 { 0.8 } else { 0.0 };
        Quat::from_rotation_z(0.005 * f32::from(frame) + out_of_line)
    };
    let turns = (0..=60).map(turn).collect::<Vec<_>>();
    builder
        .rotation(NodeId(0), timeline, Interpolation::Linear, turns)
        .unwrap();
    Model {
        hierarchy,
        clips: vec![builder.finish()],
        scenes: vec![Scene {
            roots: vec![NodeId(0)],
            ..Scene::default()
        }],
        ..Model::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::built_in;

    #[test]
    fn clips_that_walk_have_a_speed_be_it_on_the_spot() {
        let mut model = built_in::load("Pip").unwrap().model;
        let speed = |model: &Model, name: &str| {
            let mut clips = model.clips.iter();
            let clip = clips.position(|clip| clip.name() == name).unwrap();
            let speed = marks_of(model, clip).ground_speed;
            speed.map(|it| (it.clip == clip, it.on_the_spot, it.units_per_sec))
        };
        assert_eq!(speed(&model, "Idle"), None);
        let (is_its, on_the_spot, walk) = speed(&model, "Walk").unwrap();
        assert!(
            is_its && on_the_spot && (walk - 0.54).abs() < 0.01,
            "{walk}"
        );
        let (.., run) = speed(&model, "Run").unwrap();
        assert!((run - 1.2).abs() < 0.01, "{run}");
        // One that takes the whole figure along, 3 units in 2 s.
        let mut builder = crate::model::ClipBuilder::new("Ride");
        let times = crate::model::Timeline::new(vec![0.0, 2.0]).unwrap();
        let timeline = builder.timeline(times);
        let ways = vec![glam::Vec3::ZERO, glam::Vec3::new(3.0, 0.0, 0.0)];
        let linear = crate::model::Interpolation::Linear;
        let root = model.scenes[0].roots[0];
        builder.translation(root, timeline, linear, ways).unwrap();
        model.clips.push(builder.finish());
        let (_, on_the_spot, ride) = speed(&model, "Ride").unwrap();
        assert!(!on_the_spot && (ride - 1.5).abs() < 1e-3, "{ride}");
    }

    fn markers_of(model: &Model, clip: usize) -> Vec<Marker> {
        marks_of(model, clip).markers
    }

    fn marks_of(model: &Model, clip: usize) -> Marks {
        of_clip(&Analyzer::new(model), model, clip, &|| true).unwrap()
    }

    #[test]
    fn pops_and_seams_are_marked_where_they_are() {
        let model = popping();
        let markers = markers_of(&model, 0);
        let kinds: Vec<_> = markers.iter().map(|marker| marker.kind).collect();
        assert_eq!(kinds, [MarkerKind::Pop, MarkerKind::Seam], "{markers:?}");
        let [pop, seam] = &markers[..] else {
            unreachable!()
        };
        assert!(
            (pop.from_secs - 29.0 / 30.0).abs() < 1e-6 && pop.node == Some(0),
            "{pop:?}"
        );
        // 0.8 rad out of line, beside 0.005 rad a frame: whatever hangs on it, and however far away.
        assert_eq!(
            pop.words,
            "Pop at 0.967 s: Hip turns 46.1° against its parent in 0.033 s and back, where 0.3° are usual"
        );
        // The knee is farther away, and hangs on it.
        assert!(
            seam.is_odd && seam.from_secs == 2.0 && seam.node == Some(0),
            "{seam:?}"
        );
        let odd = marks_of(&model, 0).odd.unwrap();
        assert_eq!(odd.words, "1 pop");
        // The sign and the finding lead where the mark does.
        assert_eq!((odd.at_secs, odd.node), (pop.from_secs, pop.node));
        let found = &marks_of(&model, 0).findings[0];
        assert_eq!(found.at_secs, pop.from_secs);
        // What is printed names the pose that is wrong.
        let (node, at_secs) = found.warning.place.unwrap();
        assert!(node == 0 && (at_secs - 1.0).abs() < 1e-6);
        assert_eq!(marks_of(&model, 9), Marks::default());
    }

    #[test]
    fn a_model_that_was_made_with_care_has_no_pops() {
        let model = built_in::load("Pip").unwrap().model;
        for clip in 0..model.clips.len() {
            let Marks { markers, odd, .. } = marks_of(&model, clip);
            assert_eq!(odd, None);
            let odd: Vec<_> = markers.iter().filter(|marker| marker.is_odd).collect();
            println!("{}: {odd:#?}", model.clips[clip].name());
            assert!(
                odd.iter().all(|marker| marker.kind != MarkerKind::Pop),
                "{odd:?}"
            );
            assert!(markers.iter().any(|marker| marker.kind == MarkerKind::Seam));
        }
    }
}
