//! What the panels list, as plain values: made anew only when what they come from changes, such as figures of the inspector
//! that a clip moves.

use std::iter;

use super::{
    culprit::{self, Culprits},
    details::DetailRows,
    key_times::KeyTimes,
    node_rows::NodeRows,
};
use crate::{
    app::{
        Session,
        camera::CameraRows,
        findings::sentence,
        motion::{CrowdKey, MixRows, MorphRows},
        time::{ClipKey, ClipsKey, OddFindings, Sheet},
    },
    import::{Diagnostic, Severity},
    model::{Clip, Model, Vertices, name_or},
    scene::Inspectable,
    ui::{ClipRow, Culprit, DiagnosticRow, MessageKind, Statistics, as_sentence},
};

/// The lists of the panels, and what they were made from.
#[derive(Debug, Default)]
pub(in crate::app) struct Rows {
    pub(in crate::app) clips: Vec<ClipRow>,
    /// How their names begin, in bytes.
    pub(in crate::app) clip_prefix: usize,
    pub(in crate::app) scenes: Vec<String>,
    pub(in crate::app) variants: Vec<String>,
    pub(in crate::app) nodes: NodeRows,
    pub(in crate::app) diagnostics: Vec<DiagnosticRow>,
    pub(in crate::app) key_times: KeyTimes,
    pub(in crate::app) statistics: Statistics<'static>,
    pub(in crate::app) inspectable: Inspectable,
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
    /// The numbers of the model, and of one beside it.
    inspectable_from: Option<(u64, Option<u64>)>,
    pub(in crate::app) details: DetailRows,
}

/// What is wrong with the file may be something else if any of this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FindingsKey {
    model: u64,
    /// Counts the changes of what was found.
    findings: u64,
}

/// What the size is of: model and scene; of a crowd also what it plays, which says how much room each takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SizeKey {
    model: u64,
    scene: usize,
    crowd: Option<(CrowdKey, ClipKey)>,
}

impl Session {
    /// What there is to inspect of the models that are shown.
    pub(in crate::app) fn inspectable(&self) -> Inspectable {
        let second = self.second_file_model().map(|(_, model)| model);
        Inspectable::of(iter::once(self.model()).chain(second))
    }
}

impl Rows {
    /// Brings the lists up to date; `odd` is what was found in the motion of clips, and how often that has changed.
    pub(in crate::app) fn update(&mut self, session: &Session, odd: OddFindings<'_>) {
        self.camera.update(session);
        let (generation, clip) = (session.model_generation(), session.clip_key());
        let model = session.model();
        let lists_from = session.clips_key();
        if self.lists_from.replace(lists_from) != Some(lists_from) {
            self.clips = clip_rows(session);
            self.clip_prefix = session.clip_prefix();
            self.scenes = scene_names(model);
            self.variants = variant_names(model);
            self.statistics = statistics(session);
            self.size_from = None;
            self.findings_from = None;
        }
        let second = session.second_file_model().map(|(number, _)| number);
        let inspectable_from = (generation, second);
        if self.inspectable_from.replace(inspectable_from) != Some(inspectable_from) {
            self.inspectable = session.inspectable();
        }
        let findings_from = FindingsKey {
            model: generation,
            findings: session.document.findings.generation(),
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
            crowd: session.crowd_key().map(|key| (key, clip)),
        };
        if self.size_from.replace(size_from) != Some(size_from) {
            self.statistics.size = size(session);
        }
        self.mix.update(session);
        self.morphs.update(session);
        self.sheet.update(session);
        self.nodes.update(session);
        self.details.update(session);
        self.key_times.update(session);
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
        .map(|(index, scene)| name_or(&scene.name, "scene", index))
        .collect()
}

fn variant_names(model: &Model) -> Vec<String> {
    let variants = model.variants.iter().enumerate();
    variants
        .map(|(index, name)| name_or(name, "variant", index))
        .collect()
}

/// What is wrong with the file, the worst first.
fn diagnostic_rows(session: &Session) -> Vec<DiagnosticRow> {
    let culprits = Culprits::new(session.model(), session.actor().own_size() as f32);
    let mut all: Vec<_> = session.document.findings.iter().collect();
    all.sort_by_key(|diagnostic| diagnostic.severity);
    let rows = all.into_iter();
    rows.map(|diagnostic| {
        let culprit = culprits.of(diagnostic);
        let others = culprits.others_of(diagnostic);
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

/// What does not change from frame to frame; the window fills in the rest.
fn statistics(session: &Session) -> Statistics<'static> {
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
        load_millis: 1e3 * session.document.load_time().as_secs_f32(),
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
        None => actor.twin().measure(),
    };
    if bounds.is_empty() {
        return [0.0; 3];
    }
    (bounds.max - bounds.min).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{self, Place, Progress};

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
            session.pose_changed();
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

    /// Keys at 0, 0.5 and 0.5 s, which do not move their node.
    #[test]
    fn two_keys_at_a_time_lead_to_their_node_and_to_that_time() {
        let text = r#"{
            "asset": { "version": "2.0" },
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "children": [1] }, {}],
            "animations": [{
                "samplers": [{ "input": 0, "output": 1 }],
                "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }]
            }],
            "accessors": [
                {
                    "bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 3,
                    "min": [0], "max": [0.5]
                },
                { "componentType": 5126, "type": "VEC3", "count": 3 }
            ],
            "bufferViews": [{ "buffer": 0, "byteLength": 12 }],
            "buffers": [{
                "byteLength": 12, "uri": "data:application/octet-stream;base64,AAAAAAAAAD8AAAA/"
            }]
        }"#;
        let progress = Progress::default();
        let import = import::load_bytes("keys.gltf", text.as_bytes(), &progress).unwrap();
        let session = Session::new(import, None, std::time::Duration::ZERO);
        let mut rows = Rows::default();
        rows.update(&session, OddFindings::default());
        let code = "ACCESSOR_ANIMATION_INPUT_NON_INCREASING";
        let row = rows.diagnostics.iter().find(|row| row.code == code);
        let expected = Culprit {
            node: Some(1),
            clip: Some(0),
            at_secs: Some(0.5),
            ..Culprit::default()
        };
        assert_eq!(row.unwrap().culprit, Some(expected));
    }

    #[test]
    fn findings_are_told_in_sentences() {
        let found = Diagnostic {
            severity: Severity::Warning,
            code: "CODE",
            pointer: "/images/3".to_owned(),
            message: "it is not whole".to_owned(),
            action: "a checkerboard stands in its place".to_owned(),
            place: Place::default(),
            others: Vec::new(),
        };
        let row = diagnostic_row(&found, (None, Vec::new()));
        assert_eq!(row.message, "Image 3 is not whole.");
        assert_eq!(row.action, "A checkerboard stands in its place.");
    }
}
