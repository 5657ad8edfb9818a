//! What the timeline marks: clips are analysed on a thread of their own, one after the other, each once.

use std::{collections::HashMap, sync::Arc, thread};

use winit::event_loop::EventLoopProxy;

use super::timeline::ClipKey;
use crate::{
    anim::analysis::{Analyzer, ClipAnalysis, Deed, Pop},
    app::{Session, window::UserEvent},
    import,
    model::{Hierarchy, Model, NodeId},
    ui::{Marker, MarkerKind},
};

/// Bounds the time of an analysis to about a second: longer clips are sampled at fewer frames.
const MOST_PLACEMENTS: usize = 1 << 21;
/// The worst are marked.
const MOST_POPS: usize = 500;
/// Parts of the model's size: what is less is no jump, and what is more was not meant to meet.
const SEAM_SEEN: f32 = 0.002;
const SEAM_MEANT: f32 = 0.1;
/// How far from a node's origin its turns are measured, as a part of the model's size.
const LEVER: f32 = 0.05;
/// A part of the model's height: what is less is the roll of a foot.
const SLIDES: f32 = 0.04;

/// What a thread has found out about a clip.
#[derive(Debug)]
pub(in crate::app) struct Analyzed {
    whose: ClipKey,
    markers: Vec<Marker>,
}

impl Analyzed {
    /// What fails is found, too: else nothing would be looked for any more.
    fn found(whose: ClipKey, find: impl FnOnce() -> Vec<Marker>) -> Self {
        let markers = import::catch_panic(|| Ok(find())).unwrap_or_else(|error| {
            log::warn!("a clip cannot be analysed: {error}");
            Vec::new()
        });
        Self { whose, markers }
    }
}

/// Knows what is odd in the clips that were played.
pub(in crate::app) struct Analyst {
    proxy: EventLoopProxy<UserEvent>,
    /// Of clips of the model that is shown.
    known: HashMap<ClipKey, Vec<Marker>>,
    busy_with: Option<ClipKey>,
}

impl Analyst {
    pub(in crate::app) fn new(proxy: EventLoopProxy<UserEvent>) -> Self {
        Self {
            proxy,
            known: HashMap::new(),
            busy_with: None,
        }
    }

    /// What is odd in the clip in force, as far as it is known.
    pub(in crate::app) fn markers(&self, session: &Session) -> &[Marker] {
        let markers = self.known.get(&session.clip_key());
        markers.map_or(&[], Vec::as_slice)
    }

    /// Begins to analyse the clip in force, unless it is known. When that is done, the window draws again, and so asks for
    /// the next one.
    pub(in crate::app) fn look_at(&mut self, session: &Session) {
        let whose = session.clip_key();
        let (generation, lent, Some(clip)) = whose else {
            return;
        };
        if self.busy_with.is_some() || self.known.contains_key(&whose) {
            return;
        }
        self.known
            .retain(|key, _| (key.0, key.1) == (generation, lent));
        let model = session.actor().shared_model();
        let proxy = self.proxy.clone();
        let work = move || {
            let found = Analyzed::found(whose, || markers_of(&model, clip));
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Analyzed(found));
        };
        let thread = thread::Builder::new().name("analysis".to_owned());
        match thread.spawn(work) {
            Ok(_) => self.busy_with = Some(whose),
            Err(error) => {
                log::warn!("there is no thread to analyse clips on: {error}");
                self.known.insert(whose, Vec::new());
            }
        }
    }

    /// Takes note of what a thread has found out.
    pub(in crate::app) fn take(&mut self, analyzed: Analyzed) {
        self.busy_with = None;
        log::debug!("{} marks on the clip", analyzed.markers.len());
        self.known.insert(analyzed.whose, analyzed.markers);
    }
}

/// What is odd in a clip, in the order of time.
fn markers_of(model: &Arc<Model>, clip: usize) -> Vec<Marker> {
    let Some(clip) = model
        .clips
        .get(clip)
        .filter(|clip| clip.duration_secs() > 0.0)
    else {
        return Vec::new();
    };
    let analysis = Analyzer::new(model).analyze_motion(clip, MOST_PLACEMENTS);
    let hierarchy = &model.hierarchy;
    let mut markers: Vec<_> = pops(&analysis, hierarchy)
        .chain(slides(&analysis, hierarchy))
        .chain(seam(&analysis, hierarchy, f64::from(clip.duration_secs())))
        .collect();
    markers.sort_by(|a, b| a.from_secs.total_cmp(&b.from_secs));
    markers
}

fn pops(analysis: &ClipAnalysis, hierarchy: &Hierarchy) -> impl Iterator<Item = Marker> {
    analysis.pops.iter().take(MOST_POPS).map(|pop| Marker {
        kind: MarkerKind::Pop,
        from_secs: pop.start_secs,
        to_secs: pop.end_secs,
        node: Some(pop.node.index()),
        is_odd: true,
        words: pop_words(pop, &hierarchy.display_name(pop.node)),
    })
}

/// What a node does by itself, as its keys and the inspector show it: not how fast that carries what hangs on it.
fn pop_words(pop: &Pop, name: &str) -> String {
    let (does, usual) = match pop.does {
        Deed::Turn {
            degrees,
            usual_degrees,
        } => (
            format!("{name} turns {degrees:.1}° against its parent"),
            format!("{usual_degrees:.1}°"),
        ),
        Deed::Shift {
            distance,
            usual_distance,
        } => (
            format!("{name} goes {distance:.3} units against its parent"),
            format!("{usual_distance:.3}"),
        ),
        Deed::Growth {
            amount,
            usual_amount,
        } => (
            format!("the scale of {name} changes by {amount:.3}"),
            format!("{usual_amount:.3}"),
        ),
    };
    let secs = pop.end_secs - pop.start_secs;
    // What is usual is told of one interval.
    let (and_back, secs) = if pop.comes_back {
        (" and back", 0.5 * secs)
    } else {
        ("", secs)
    };
    let start = pop.start_secs;
    format!("Pop at {start:.3} s: {does} in {secs:.3} s{and_back}, where {usual} are usual")
}

fn slides(analysis: &ClipAnalysis, hierarchy: &Hierarchy) -> impl Iterator<Item = Marker> {
    let least = SLIDES * analysis.height;
    analysis.contacts.iter().flat_map(move |foot| {
        let spans = foot.spans.iter().zip(&foot.slides);
        let spans = spans.filter(move |(_, slide)| **slide > least);
        spans.map(move |((from_secs, to_secs), slide)| Marker {
            kind: MarkerKind::Slide,
            from_secs: *from_secs,
            to_secs: *to_secs,
            node: Some(foot.node.index()),
            is_odd: true,
            words: format!(
                "Foot slide, {from_secs:.3} s to {to_secs:.3} s: {} goes {slide:.3} units while it stands",
                hierarchy.display_name(foot.node),
            ),
        })
    })
}

/// The node that is farthest from where it was, by its origin or its turn.
fn seam(analysis: &ClipAnalysis, hierarchy: &Hierarchy, end_secs: f64) -> Option<Marker> {
    let size = analysis.size;
    let tips = analysis.seam.tip_distances(LEVER * size);
    let (node, distance) = tips.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let part = distance / size.max(f32::MIN_POSITIVE);
    let meets = part.is_nan() || part <= SEAM_SEEN;
    let degrees = analysis.seam.joints().find(|joint| joint.node == node);
    let degrees = degrees.map_or(0.0, |joint| joint.degrees);
    let gap = || {
        let name = hierarchy.display_name(node);
        let percent = 100.0 * part;
        let in_place = if analysis.is_seam_in_place {
            ", where it goes left out"
        } else {
            ""
        };
        format!(
            "{name} is off by {distance:.3} units ({percent:.1}% of the model's size) and {degrees:.1}°{in_place}"
        )
    };
    let words = if meets {
        "Loop seam: the last pose meets the first".to_owned()
    } else if part <= SEAM_MEANT {
        format!(
            "Loop seam: the last pose does not quite meet the first: {}",
            gap()
        )
    } else {
        format!("Loop seam: the clip does not end as it starts: {}", gap())
    };
    Some(Marker {
        kind: MarkerKind::Seam,
        from_secs: end_secs,
        to_secs: end_secs,
        node: (!meets).then_some(NodeId::index(node)),
        is_odd: !meets,
        words,
    })
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::{
        app::built_in,
        model::{ClipBuilder, Interpolation, Node, Scene, Timeline},
    };

    /// A chain of two nodes that turns evenly, but for one key; and that ends somewhere else.
    fn popping() -> Model {
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
        let turns = (0..=60).map(turn).collect();
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

    #[test]
    fn pops_and_seams_are_marked_where_they_are() {
        let model = Arc::new(popping());
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
        assert!(
            seam.is_odd && seam.from_secs == 2.0 && seam.node == Some(1),
            "{seam:?}"
        );
        assert_eq!(markers_of(&model, 9), []);
    }

    #[test]
    fn a_clip_that_cannot_be_analysed_has_no_marks() {
        let whose = (1, 2, Some(3));
        let found = Analyzed::found(whose, || panic!("as a test"));
        assert_eq!((found.whose, found.markers), (whose, Vec::new()));
    }

    #[test]
    fn a_model_that_was_made_with_care_has_no_pops() {
        let model = Arc::new(built_in::load("Pip").unwrap().model);
        for clip in 0..model.clips.len() {
            let markers = markers_of(&model, clip);
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
