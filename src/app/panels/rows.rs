//! What the panels list, as plain values: made anew only when what they come from changes.

use super::{culprit, details::DetailRows};
use crate::{
    app::{
        Session,
        camera::CameraRows,
        findings::sentence,
        motion::{CrowdKey, MixRows, MorphRows},
        time::{ClipKey, ClipsKey, OddFindings, Sheet, timelines_of},
    },
    import::{Diagnostic, Severity},
    model::{Clip, Model, Node, NodeId, Vertices, shared_names},
    ui::{
        ClipRow, Culprit, DiagnosticRow, MessageKind, NodeKind, NodeRow, Statistics, as_sentence,
    },
};

/// The lists of the panels, and what they were made from.
#[derive(Debug, Default)]
pub(in crate::app) struct Rows {
    pub(in crate::app) clips: Vec<ClipRow>,
    pub(in crate::app) scenes: Vec<String>,
    pub(in crate::app) variants: Vec<String>,
    pub(in crate::app) nodes: Vec<NodeRow>,
    pub(in crate::app) diagnostics: Vec<DiagnosticRow>,
    pub(in crate::app) key_times_secs: Vec<f32>,
    pub(in crate::app) statistics: Statistics,
    pub(in crate::app) mix: MixRows,
    pub(in crate::app) morphs: MorphRows,
    pub(in crate::app) camera: CameraRows,
    pub(in crate::app) sheet: Sheet,
    /// What is wrong with the file itself: to find who is meant takes poses, so it is not done again for what is found in
    /// motion.
    of_file: Vec<DiagnosticRow>,
    lists_from: Option<ClipsKey>,
    findings_from: Option<FindingsKey>,
    odd: Option<u64>,
    size_from: Option<SizeKey>,
    pub(in crate::app) details: DetailRows,
    nodes_from: Option<NodesKey>,
    keys_from: Option<KeyTimesKey>,
}

/// What is wrong with the file may be something else if any of this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FindingsKey {
    model: u64,
    /// Counts the changes of what was found.
    findings: u64,
}

/// The tree of nodes is another one if any of this is: it says what the clip moves, and what the scene shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NodesKey {
    model: u64,
    clip: Option<usize>,
    scene: usize,
}

/// The times of keys are others if any of this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyTimesKey {
    model: u64,
    clip: Option<usize>,
    node: Option<NodeId>,
}

/// What the size is of: model and scene; of a crowd also what it plays, which says how much room each takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SizeKey {
    model: u64,
    scene: usize,
    crowd: Option<(CrowdKey, ClipKey)>,
}

impl Rows {
    /// Brings the lists up to date; `odd` is what was found in the motion of clips, and how often that has changed.
    pub(in crate::app) fn update(&mut self, session: &Session, odd: OddFindings<'_>) {
        self.camera.update(session);
        let (generation, clip) = (session.model_generation(), session.clip());
        let model = session.model();
        let lists_from = session.clips_key();
        if self.lists_from.replace(lists_from) != Some(lists_from) {
            self.clips = clip_rows(session);
            self.scenes = scene_names(model);
            self.variants = variant_names(model);
            self.statistics = statistics(session);
            self.size_from = None;
            self.findings_from = None;
        }
        let findings_from = FindingsKey {
            model: generation,
            findings: session.diagnostics.generation(),
        };
        if self.findings_from.replace(findings_from) != Some(findings_from) {
            self.of_file = diagnostic_rows(session);
            self.odd = None;
        }
        if self.odd.replace(odd.generation) != Some(odd.generation) {
            self.diagnostics.clone_from(&self.of_file);
            let warnings = |row: &DiagnosticRow| row.severity != MessageKind::Info;
            let place = self.diagnostics.partition_point(warnings);
            let rows = odd.list.iter().map(|it| {
                let culprit = culprit::of_motion(it);
                diagnostic_row(&it.warning.clone().into(), (Some(culprit), Vec::new()))
            });
            self.diagnostics.splice(place..place, rows);
        }
        let size_from = SizeKey {
            model: generation,
            scene: session.actor().scene(),
            crowd: session.crowd_key().map(|key| (key, session.clip_key())),
        };
        if self.size_from.replace(size_from) != Some(size_from) {
            self.statistics.size = size(session);
        }
        self.mix.update(session);
        self.morphs.update(session);
        self.sheet.update(session);
        let nodes_from = NodesKey {
            model: generation,
            clip,
            scene: session.actor().scene(),
        };
        if self.nodes_from.replace(nodes_from) != Some(nodes_from) {
            self.nodes = node_rows(model, clip, nodes_from.scene);
        }
        self.details.update(session);
        let keys_from = KeyTimesKey {
            model: generation,
            clip,
            node: session.selected,
        };
        if self.keys_from.replace(keys_from) != Some(keys_from) {
            let clip = clip.and_then(|clip| model.clips.get(clip));
            self.key_times_secs =
                clip.map_or_else(Vec::new, |clip| key_times(clip, session.selected));
        }
    }
}

fn clip_rows(session: &Session) -> Vec<ClipRow> {
    let row = |(name, clip): (String, &Clip)| {
        let counts = clip.channel_counts();
        ClipRow {
            name,
            duration_secs: f64::from(clip.duration_secs()),
            channel_count: counts.channels,
            key_count: counts.keys,
        }
    };
    let names = session.clip_names().into_iter();
    names.zip(&*session.model().clips).map(row).collect()
}

fn scene_names(model: &Model) -> Vec<String> {
    let scenes = model.scenes.iter().enumerate();
    scenes
        .map(|(index, scene)| named(&scene.name, "scene", index))
        .collect()
}

fn variant_names(model: &Model) -> Vec<String> {
    let variants = model.variants.iter().enumerate();
    variants
        .map(|(index, name)| named(name, "variant", index))
        .collect()
}

/// A name, or what stands for one.
pub(in crate::app) fn named(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() {
        format!("{kind} {index}")
    } else {
        name.to_owned()
    }
}

/// What is wrong with the file, the worst first.
fn diagnostic_rows(session: &Session) -> Vec<DiagnosticRow> {
    let (model, size) = (session.model(), session.actor().own_size() as f32);
    let mut all: Vec<_> = session.diagnostics.iter().collect();
    all.sort_by_key(|diagnostic| diagnostic.severity);
    let rows = all.into_iter();
    rows.map(|diagnostic| {
        let culprit = culprit::of(model, diagnostic, size);
        let others = culprit::others_of(model, diagnostic, size);
        diagnostic_row(diagnostic, (culprit, others))
    })
    .collect()
}

fn diagnostic_row(
    diagnostic: &Diagnostic,
    (culprit, others): (Option<Culprit>, Vec<Culprit>),
) -> DiagnosticRow {
    DiagnosticRow {
        severity: match diagnostic.severity {
            Severity::Error => MessageKind::Error,
            Severity::Warning => MessageKind::Warning,
            Severity::Info | Severity::Hint => MessageKind::Info,
        },
        code: diagnostic.code.to_owned(),
        pointer: diagnostic.pointer.clone(),
        message: as_sentence(&sentence(diagnostic)),
        action: as_sentence(&diagnostic.action),
        culprit,
        others,
    }
}

impl NodeKind {
    /// What a node is to the user, who sees its mesh first, and then that it moves others.
    pub(super) fn of(node: &Node, is_joint: bool) -> Self {
        match (node.mesh, node.skin) {
            (Some(_), Some(_)) => Self::SkinnedMesh,
            (Some(_), None) => Self::Mesh,
            _ if is_joint => Self::Joint,
            _ if node.camera.is_some() => Self::Camera,
            _ if node.light.is_some() => Self::Light,
            _ => Self::Group,
        }
    }
}

fn node_rows(model: &Model, clip: Option<usize>, scene: usize) -> Vec<NodeRow> {
    let hierarchy = &model.hierarchy;
    let mut is_animated = vec![false; hierarchy.len()];
    if let Some(clip) = clip.and_then(|clip| model.clips.get(clip)) {
        for node in clip.moved_nodes() {
            is_animated[node.index()] = true;
        }
    }
    let mut is_joint = vec![false; hierarchy.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        is_joint[joint.index()] = true;
    }
    let in_scene = model.nodes_ever_shown(scene);
    let shared = shared_names(hierarchy.iter().map(|(_, node)| &*node.name));
    let mut rows: Vec<NodeRow> = Vec::with_capacity(hierarchy.len());
    for (id, node) in hierarchy.iter() {
        let depth = node
            .parent
            .map_or(0, |parent| rows[parent.index()].depth + 1);
        rows.push(NodeRow {
            name: hierarchy.display_name(id),
            has_namesake: !node.name.is_empty() && shared.contains(&*node.name),
            file_index: node.file_index,
            depth,
            descendants: 0,
            kind: NodeKind::of(node, is_joint[id.index()]),
            is_animated: is_animated[id.index()],
            in_scene: in_scene[id.index()],
        });
    }
    // Children stand behind their parents, so from the back every count is complete when it is passed up.
    for (id, node) in hierarchy.iter().collect::<Vec<_>>().into_iter().rev() {
        if let Some(parent) = node.parent {
            rows[parent.index()].descendants += rows[id.index()].descendants + 1;
        }
    }
    rows
}

/// The times of the keys of `node`, or of all nodes if it has none: sorted, without repeats.
fn key_times(clip: &Clip, node: Option<NodeId>) -> Vec<f32> {
    let is_used = timelines_of(clip, node);
    let used = clip.timelines().iter().zip(is_used);
    let mut times: Vec<f32> = used
        .filter(|(_, is_used)| *is_used)
        .flat_map(|(timeline, _)| timeline.times_secs())
        .copied()
        .collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// What does not change from frame to frame; the window fills in the rest.
fn statistics(session: &Session) -> Statistics {
    let model = session.model();
    let parts = || model.primitives();
    let lacking = |lacks: &dyn Fn(&Vertices) -> bool| {
        let vertices = parts().map(|part| &part.vertices);
        vertices.filter(|vertices| lacks(vertices)).count()
    };
    Statistics {
        parts: parts().count(),
        without_tangents: lacking(&|it| it.tangents.is_empty()),
        without_tex_coords: lacking(&|it| it.tex_coords[0].is_empty()),
        without_colors: lacking(&|it| it.colors.is_empty()),
        triangles: model.triangle_count(),
        vertices: model.vertex_count(),
        nodes: model.hierarchy.len(),
        joints: model.skins.iter().map(|skin| skin.joints.len()).sum(),
        skins: model.skins.len(),
        meshes: model.meshes.len(),
        // The last one is the default material, which is not the file's.
        materials: model.materials.len().saturating_sub(1),
        textures: model.textures.len(),
        morph_targets: model.meshes.iter().map(|mesh| mesh.target_count).sum(),
        load_millis: 1e3 * session.load_time.as_secs_f32(),
        ..Statistics::default()
    }
}

/// The size of the model in the file's own pose, as `info` has it; of a crowd that of all.
fn size(session: &Session) -> [f32; 3] {
    let actor = session.actor();
    let bounds = match actor.own_bounds() {
        Some(bounds) => bounds,
        None if actor.crowd().is_some() => actor.bounds(),
        // Of a scene that was chosen later nobody has measured it.
        None => actor.beside().measure(),
    };
    if bounds.is_empty() {
        return [0.0; 3];
    }
    (bounds.max - bounds.min).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Interpolation, PropertyTarget, Timeline};

    #[test]
    fn a_node_is_of_one_kind_wherever_that_is_said() {
        let node = Node {
            light: Some(0),
            ..Node::default()
        };
        assert_eq!(NodeKind::of(&node, false), NodeKind::Light);
        assert_eq!(NodeKind::of(&node, true), NodeKind::Joint);
        let hierarchy = Hierarchy::new(vec![node], &[None], &[Vec::new()]).unwrap();
        let model = Model {
            hierarchy,
            ..Model::default()
        };
        assert_eq!(node_rows(&model, None, 0)[0].kind, NodeKind::Light);
    }

    /// Boxes of joints are larger, and others in each pose.
    #[test]
    fn the_size_is_that_of_the_own_pose() {
        use crate::app::{Actor, built_in};
        let import = built_in::load("Pip").unwrap();
        let mut alone = Actor::new(import.model.clone());
        alone.pose_at(None, 0.0);
        let exact = alone.measure();
        let mut session = Session::new(import, None, std::time::Duration::ZERO);
        for secs in [0.0, 0.4] {
            session.clock.seek(secs);
            session.is_stale = true;
            session.update();
            assert_eq!(size(&session), (exact.max - exact.min).to_array());
        }
        session.set_crowd_size(9);
        session.update();
        assert!(size(&session)[0] > 2.0 * (exact.max - exact.min).x);
    }

    /// One that leaps needs more room than one that stands, and so does one that goes its way.
    #[test]
    fn the_size_of_a_crowd_is_that_of_what_it_plays() {
        use crate::ui::{Command, MotionCommand};
        let import = crate::app::built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, std::time::Duration::ZERO);
        session.set_crowd_size(9);
        let mut rows = Rows::default();
        let mut seen = std::collections::BTreeSet::new();
        let mut commands: Vec<_> = (0..session.model().clips.len())
            .map(|clip| Command::SelectClip(Some(clip)))
            .collect();
        commands.push(Command::Motion(MotionCommand::ToggleInPlace));
        commands.push(Command::Motion(MotionCommand::ToggleCrowdClips));
        for command in commands {
            session.apply(command.clone());
            session.update();
            rows.update(&session, OddFindings::default());
            let bounds = session.actor().bounds();
            let now = (bounds.max - bounds.min).to_array();
            assert_eq!(rows.statistics.size, now, "{command:?}");
            seen.insert(now.map(f32::to_bits));
        }
        assert!(seen.len() > 1, "they differ");
    }

    #[test]
    fn the_size_of_a_scene_that_is_chosen_later_is_that_of_its_own_pose() {
        use crate::{app::Actor, ui::Command};
        let import = || {
            let mut import = crate::app::built_in::load("Pip").unwrap();
            let scene = import.model.scenes[0].clone();
            import.model.scenes.push(scene);
            import
        };
        let mut session = Session::new(import(), None, std::time::Duration::ZERO);
        let exact = Actor::new(import().model).own_bounds().unwrap();
        let mut rows = Rows::default();
        for (scene, secs) in [(1, 0.0), (0, 0.2), (1, 0.4)] {
            session.clock.seek(secs);
            session.apply(Command::SelectScene(scene));
            session.update();
            rows.update(&session, OddFindings::default());
            let expected = (exact.max - exact.min).to_array();
            assert_eq!(rows.statistics.size, expected, "scene {scene}");
        }
    }

    #[test]
    fn a_list_of_the_same_length_is_not_the_same_list() {
        let import = crate::app::built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, std::time::Duration::ZERO);
        let mut rows = Rows::default();
        for name in ["sheen", "clear coat"] {
            session.list_textures_left_out([(0, vec![name])].into_iter());
            rows.update(&session, OddFindings::default());
            let told = |row: &DiagnosticRow| row.action.contains(name);
            assert!(rows.diagnostics.iter().any(told), "{name}");
        }
    }

    #[test]
    fn findings_are_told_in_sentences() {
        let found = Diagnostic {
            severity: Severity::Warning,
            code: "CODE",
            pointer: "/images/3".to_owned(),
            message: "it is not whole".to_owned(),
            action: "a checkerboard stands in its place".to_owned(),
            others: Vec::new(),
        };
        let row = diagnostic_row(&found, (None, Vec::new()));
        assert_eq!(row.message, "Image 3 is not whole.");
        assert_eq!(row.action, "A checkerboard stands in its place.");
    }

    #[test]
    fn nodes_whose_properties_move_are_animated_and_have_keys() {
        let mut builder = ClipBuilder::new(String::new());
        let targets = [
            PropertyTarget::NodeWeight(NodeId(1), 0),
            PropertyTarget::Visibility(NodeId(2)),
        ];
        for (end, target) in (1_u8..).zip(targets) {
            let timeline = Timeline::new(vec![0.0, f32::from(end)]).unwrap();
            let timeline = builder.timeline(timeline);
            let values = vec![0.0, 1.0];
            builder
                .property(target, timeline, Interpolation::Step, values)
                .unwrap();
        }
        let clip = builder.finish();
        let animated: Vec<_> = clip.moved_nodes().collect();
        assert_eq!(animated, [NodeId(1), NodeId(2)]);
        assert_eq!(key_times(&clip, Some(NodeId(1))), [0.0, 1.0]);
        assert_eq!(key_times(&clip, Some(NodeId(2))), [0.0, 2.0]);
    }
}
