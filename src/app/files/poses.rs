//! Poses from files: read on a thread of their own, then taken as if they were made by hand.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use super::background::{Arrivals, Latest, TakesArrivals, Ticket};
use crate::{
    app::{
        PoseFile, Session,
        messages::Topic,
        pose_file::LARGEST,
        read_text_at_most,
        threads::{no_thread, spawn},
        window::{UserEvent, Viewer},
    },
    import::{Consent, POSE_LOOKED_AT, is_pose_text},
    ui::Message,
};

/// Whether a file is named like a pose. It may still be a model.
pub(in crate::app) fn is_pose_name(file: &Path) -> bool {
    let extension = file.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(in crate::app) struct ReadPose {
    ticket: Ticket,
    result: anyhow::Result<PoseFile>,
}

/// What was named like a pose is something else, perhaps a model, to be opened with this consent.
#[derive(Debug)]
pub(in crate::app) struct NoPose {
    pub(in crate::app) ticket: Ticket,
    pub(in crate::app) path: PathBuf,
    pub(in crate::app) consent: Consent,
}

fn begins_like_pose(path: &Path) -> bool {
    let mut start = Vec::new();
    let most = POSE_LOOKED_AT as u64;
    let read = fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut start));
    read.is_ok() && is_pose_text(&start)
}

/// Reads poses, of which the last one that was asked for counts.
#[derive(Debug, Default)]
pub(in crate::app) struct PoseReader {
    /// By the file's name, and the document that it is for.
    latest: Latest<(String, u64)>,
    arrivals: Arrivals<ReadPose>,
}

impl PoseReader {
    /// Whether one is on its way.
    pub(super) fn is_reading(&self) -> bool {
        self.latest.running().is_some()
    }

    /// Gives up the one that is being read.
    pub(in crate::app) fn cancel(&mut self) {
        self.latest.cancel();
    }

    /// Whether what was read is what was asked for last, though it is no pose.
    pub(in crate::app) fn ends(&mut self, ticket: Ticket) -> bool {
        self.latest.end(ticket).is_some()
    }
}

impl TakesArrivals for PoseReader {
    type Arrival = ReadPose;

    fn arrivals(&mut self) -> &mut Arrivals<ReadPose> {
        &mut self.arrivals
    }

    /// Takes the pose that was read, or says why not.
    fn take_now(&mut self, session: &mut Session, read: ReadPose) {
        let Some((name, document)) = self.latest.end(read.ticket) else {
            return;
        };
        if document != session.document_generation() {
            log::info!("the pose {name} came too late");
            return;
        }
        let taken = read.result.and_then(|pose| session.take_pose(&pose, &name));
        if let Err(error) = taken {
            log::error!("could not take the pose {name}: {error:#}");
            let title = format!("{name} is not taken as a pose");
            let message = Message::error(title, format!("{error:#}")).in_sentences();
            session.messages.tell(Topic::Pose, message);
        }
    }
}

impl Viewer {
    /// Reads the pose in this file for the model that is shown; what turns out to be a model is opened.
    pub(in crate::app) fn read_pose(&mut self, path: PathBuf, consent: Consent) {
        self.session.messages.take_back(Topic::Pose);
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let document = self.session.document_generation();
        let (ticket, _) = self.pose_reader.latest.begin((name.clone(), document));
        let proxy = self.proxy.clone();
        let work = move || {
            // Whoever reads models says what is wrong with others.
            if !begins_like_pose(&path) {
                let model = NoPose {
                    ticket,
                    path,
                    consent,
                };
                let _ = proxy.send_event(UserEvent::NoPose(Box::new(model)));
                return;
            }
            let text = read_text_at_most(&path, LARGEST);
            let result = text.and_then(|text| PoseFile::of_text(&text, name));
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Pose(Box::new(ReadPose { ticket, result })));
        };
        if let Err(error) = spawn("pose", work) {
            self.pose_reader.cancel();
            let title = "The pose cannot be read";
            let message = Message::error(title, no_thread(&error)).in_sentences();
            self.session.messages.tell(Topic::Pose, message);
        }
        self.request_redraw();
    }

    pub(in crate::app) fn on_pose(&mut self, read: ReadPose) {
        // Saving may have begun since that was last asked.
        self.hold_arrivals();
        self.pose_reader.take(&mut self.session, read);
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::{Quat, Vec3};

    use super::*;
    use crate::{
        app::built_in,
        import::Import,
        model::{Hierarchy, Mesh, Model, Node},
        ui::{Command, HistoryCommand},
    };

    /// Pip, in no clip.
    fn session() -> Session {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::SelectClip(None));
        session.update();
        session
    }

    fn take(session: &mut Session, result: anyhow::Result<PoseFile>) {
        let mut reader = PoseReader::default();
        let about = ("arm.json".to_owned(), session.document_generation());
        let (ticket, _) = reader.latest.begin(about);
        assert!(reader.is_reading());
        reader.take(session, ReadPose { ticket, result });
        assert!(!reader.is_reading());
        session.update();
    }

    fn pose_of(nodes: &str) -> anyhow::Result<PoseFile> {
        let text = format!("{{\"nodes\": [{nodes}]}}");
        PoseFile::of_text(text.as_bytes(), "arm.json".to_owned())
    }

    #[test]
    fn a_pose_from_a_file_is_one_by_hand() {
        let mut session = session();
        let arm = session.model().hierarchy.iter();
        let (arm, node) = arm
            .map(|(id, node)| (id, node.clone()))
            .find(|(_, node)| node.name == "upper_arm_L")
            .unwrap();
        let wanted = node.rest.rotation * Quat::from_rotation_x(0.5);
        let (at, scale) = (node.rest.translation, node.rest.scale);
        let text = format!(
            "{{\"index\": {}, \"name\": \"upper_arm_L\", \"translation\": [{}, {}, {}], \"rotation\": [{}, {}, {}, {}], \
             \"scale\": [{}, {}, {}], \"weights\": []}}",
            node.file_index,
            at.x,
            at.y,
            at.z,
            wanted.x,
            wanted.y,
            wanted.z,
            wanted.w,
            scale.x,
            scale.y,
            scale.z
        );
        take(&mut session, pose_of(&text));
        let turned = session.actor().pose().locals[arm.index()].rotation;
        assert!(turned.angle_between(wanted) < 1e-3, "{turned}");
        assert_eq!(session.actor().offsets().nodes().collect::<Vec<_>>(), [arm]);
        session.apply(Command::History(HistoryCommand::Undo));
        session.update();
        assert!(session.actor().offsets().is_empty());
        assert_eq!(
            session.actor().pose().locals[arm.index()].rotation,
            node.rest.rotation
        );
    }

    /// Morph weights, hidden nodes and joints are one step.
    #[test]
    fn all_of_a_pose_is_taken_back_at_once() {
        let mut session = Session::new(faces(), None, Duration::ZERO);
        session.update();
        let node = |index: usize, more: &str| {
            format!(
                r#"{{"index": {index}, "name": "", "translation": [{index}, 2, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1],
                    "weights": [0.5]{more}}}"#
            )
        };
        let text = format!("{},{}", node(0, ""), node(1, r#", "hidden": true"#));
        let state = |session: &Session| {
            let actor = session.actor();
            let weights: Vec<_> = actor.pose().weights.clone();
            let places = actor.pose().locals.iter();
            let places: Vec<_> = places.map(|local| local.translation).collect();
            (weights, actor.hiding().count, places)
        };
        let before = state(&session);
        take(&mut session, pose_of(&text));
        let posed = state(&session);
        assert_eq!((&posed.0[..], posed.1), (&[0.5, 0.5][..], 1));
        assert_eq!(posed.2[1], Vec3::new(1.0, 2.0, 0.0));
        for (command, expected) in [
            (HistoryCommand::Undo, &before),
            (HistoryCommand::Redo, &posed),
            (HistoryCommand::Undo, &before),
        ] {
            session.apply(Command::History(command));
            session.update();
            assert_eq!(&state(&session), expected);
        }
        // What stands so already is no step.
        session.apply(Command::History(HistoryCommand::Redo));
        session.update();
        let steps = session.history.len();
        take(&mut session, pose_of(&text));
        let told = session.message().unwrap();
        assert!(told.detail.contains("stood so"), "{told:?}");
        assert_eq!(session.history.len(), steps);
    }

    /// Two nodes with a morph target each.
    fn faces() -> Import {
        let node = |weights| Node {
            mesh: Some(0),
            weights,
            ..Node::default()
        };
        let nodes = vec![node(0..1), node(1..2)];
        let weights = vec![vec![0.0], vec![0.0]];
        Import {
            model: Model {
                hierarchy: Hierarchy::new(nodes, &[None; 2], &weights).unwrap(),
                meshes: vec![Mesh::default()].into(),
                ..Model::default()
            },
            ..Import::default()
        }
    }

    #[test]
    fn a_pose_of_another_model_is_not_taken() {
        let mut session = session();
        let mut reader = PoseReader::default();
        let about = ("arm.json".to_owned(), session.document_generation() + 1);
        let (ticket, _) = reader.latest.begin(about);
        let result = pose_of("{}");
        reader.take(&mut session, ReadPose { ticket, result });
        assert!(session.message().is_none());
        assert!(!reader.ends(ticket), "it has ended");
    }

    #[test]
    fn what_does_not_fit_is_said_and_changes_nothing() {
        let mut session = session();
        session.apply(Command::SelectClip(Some(0)));
        session.update();
        assert!(session.is_moving());
        let alien = "{\"index\": 0, \"name\": \"nobody\", \"translation\": [0, 0, 0], \"rotation\": [0, 0, 0, 1], \
                     \"scale\": [1, 1, 1], \"weights\": []}";
        for nodes in [alien, "{}"] {
            take(&mut session, pose_of(nodes));
            let told = session.message().unwrap();
            assert!(told.title.contains("arm.json is not taken"), "{told:?}");
            assert!(session.is_moving(), "it goes on");
            assert!(session.actor().offsets().is_empty());
        }
    }

    #[test]
    fn without_a_model_it_is_said_that_one_is_needed() {
        let mut session = Session::new(Import::default(), None, Duration::ZERO);
        take(&mut session, pose_of(""));
        let told = session.message().unwrap();
        assert!(told.detail.contains("open one first"), "{told:?}");
    }

    #[test]
    fn poses_are_told_from_models_by_names_and_texts() {
        assert!(is_pose_name(Path::new("a/Arm.JSON")) && !is_pose_name(Path::new("a.gltf")));
        for (text, is_pose) in [
            (
                r#"{"model":"Fox.glb","clip":null,"time_secs":0,"nodes":[]}"#,
                true,
            ),
            ("{\n  \"model\": \"a\",\n  \"time_secs\": 1", true),
            (
                r#"{"asset":{"version":"2.0"},"nodes":[{"name":"time_secs"}]}"#,
                false,
            ),
            (
                r#"{"model":1,"asset":{"version":"2.0"},"extras":{"time_secs":0}}"#,
                false,
            ),
            ("", false),
            // As it may be written by hand.
            (
                r#" {"nodes": [{"name": "a\"}", "world": [1], "index": 0}], "comment": "asset"}"#,
                true,
            ),
            ("\u{feff}{\"nodes\":[{\"index\":0,\"name\":\"a\"}]}", true),
            (
                r#"{"skins":[{"world":1}],"time_secs":1,"nodes":[],"model":"a"}"#,
                true,
            ),
            // A model has neither, and says what it is, be it at its end.
            (
                r#"{"nodes":[{"name":"world","index":0}],"asset":{}}"#,
                false,
            ),
            (r#"{"nodes":[{"extras":{"world":1,"index":0}}]}"#, false),
            (r#"{"skins":[{"index":0}],"nodes":[{"mesh":0}]}"#, false),
            (r#"[{"nodes":[{"index":0}]}]"#, false),
            (r#"{"nodes":[{"index"#, false),
            (r#"{"nodes":[{"index":0}],"#, false),
        ] {
            assert_eq!(is_pose_text(text.as_bytes()), is_pose, "{text}");
        }
        // What it is may be said beyond what is looked at.
        let blank = " ".repeat(POSE_LOOKED_AT);
        for start in [r#"{"nodes":[{"index":0}]"#, r#"{"nodes":[{"world":[1]}]"#] {
            let model = format!("{start},{blank}\"asset\":{{\"version\":\"2.0\"}}}}");
            assert!(!is_pose_text(model.as_bytes()), "{start}");
            assert!(
                is_pose_text(format!("{start}}}{blank}").as_bytes()),
                "{start}"
            );
        }
    }
}
