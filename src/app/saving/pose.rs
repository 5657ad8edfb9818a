//! Saving the pose that is shown, aside from the frames: as JSON, as a mesh that stands still, or as a clip of one key in the
//! model's own file.

use std::{borrow::Cow, path::Path, sync::Arc};

use anyhow::{Context as _, ensure};

use super::words::{Words, last_clip_sentence};
use crate::{
    anim::{Palette, PaletteLayout, Pose, Skinning, bounds::posed_bounds_of_file},
    app::{PoseMoment, PoseReport, Session, files::Source},
    export::{Keyed, PictureSource, SourceFile, Still, StillFile, WithClip, keyed_glb, still_glb},
    import::{Pictures, Progress},
    model::{Image, Model, PropertyValues},
    output::write_whole,
    ui::{PoseKind, SavingKind},
};

/// A pose as it was when saving was asked for: what is shown goes on.
#[derive(Debug)]
pub(super) struct PoseSnapshot {
    model: Arc<Model>,
    scene: usize,
    pose: Pose,
    skinning: Skinning,
    properties: PropertyValues,
    variant: Option<usize>,
    moment: PoseMoment,
    clip_name: String,
    /// In words.
    what: Words,
    /// Where the model's own file is.
    source: Option<Source>,
}

impl Session {
    /// Whether the pose that is shown is that of the chosen clip at its time, and nothing else has a part in it.
    fn is_pose_of_clip(&self) -> bool {
        let is_played = self.held_pose().is_none() && !self.motion.is_in_place;
        let is_alone = self.mix.is_empty() && self.transition.is_over();
        is_played && is_alone && !self.has_part_by_hand()
    }

    /// The pose that is shown, with what was changed by hand; of a crowd the one that stands alone.
    pub(super) fn pose_snapshot(&mut self, source: Option<Source>) -> PoseSnapshot {
        self.update();
        let is_of_clip = self.is_pose_of_clip();
        let clip = self.clip.filter(|_| is_of_clip);
        let actor = &self.actor;
        PoseSnapshot {
            model: actor.shared_model(),
            scene: actor.scene(),
            pose: actor.pose().clone(),
            skinning: self.motion.skinning,
            properties: actor.properties().values().clone(),
            variant: self.variant.shown,
            moment: PoseMoment {
                clip,
                clip_index: clip,
                time_secs: if is_of_clip {
                    self.clock.time_secs()
                } else {
                    0.0
                },
            },
            clip_name: self.saving.clip_name.clone(),
            what: self.words_of_saved(SavingKind::Pose(PoseKind::Json)),
            source,
        }
    }
}

impl PictureSource for Pictures<'_> {
    fn bytes_of(&self, index: usize, image: &Image) -> anyhow::Result<Option<Cow<'_, [u8]>>> {
        self.bytes_of(index, image)
    }
}

impl PoseSnapshot {
    /// Writes it to a file; what is not in it, in words.
    pub(super) fn write(&self, kind: PoseKind, path: &Path) -> anyhow::Result<Vec<String>> {
        let (bytes, left_out) = match kind {
            PoseKind::Mesh => {
                let StillFile { bytes, left_out } = self.mesh()?;
                (bytes, left_out)
            }
            PoseKind::Clip => {
                let WithClip { bytes, left_out } = self.clip(path)?;
                (bytes, left_out)
            }
            PoseKind::Json => (self.json()?, Vec::new()),
        };
        write_whole(path, &bytes)?;
        Ok(left_out)
    }

    /// What the file has, for the message.
    pub(super) fn words(&self, kind: PoseKind) -> String {
        match kind {
            PoseKind::Clip => {
                last_clip_sentence(&self.clip_name, self.what.beside(&self.clip_name))
            }
            PoseKind::Json | PoseKind::Mesh => self.what.sentence(),
        }
    }

    fn mesh(&self) -> anyhow::Result<StillFile> {
        let model = &*self.writable_model()?;
        // Without its file all of it is made anew.
        let original = self.source().and_then(Source::original).unwrap_or_default();
        still_glb(&Still {
            model,
            scene: self.scene,
            pose: &self.pose,
            skinning: self.skinning,
            materials: &self.properties.materials,
            lights: &self.properties.lights,
            cameras: &self.properties.cameras,
            variant: self.variant,
            json: &original.json,
            pictures: Some(&original.pictures(&Progress::default())),
        })
    }

    /// The model with images that can be written. Where those that are shown are in blocks for the graphics adapter, which
    /// have lost something, its files are read once more, without any blocks.
    fn writable_model(&self) -> anyhow::Result<Cow<'_, Model>> {
        let shown = &self.model.images;
        if shown.iter().all(|image| image.rgba8(0).is_some()) {
            return Ok(Cow::Borrowed(&self.model));
        }
        let images = self.source()?.load(&Progress::default())?.model.images;
        let is_same = |(a, b): (&Image, &Image)| {
            let sizes = [a, b].map(|image| (image.width, image.height));
            a.name == b.name && sizes[0] == sizes[1] && a.is_placeholder == b.is_placeholder
        };
        ensure!(
            images.len() == shown.len() && images.iter().zip(&**shown).all(is_same),
            "the images of {} have changed since it was read",
            self.model.name
        );
        let model = Model::clone(&self.model);
        Ok(Cow::Owned(Model { images, ..model }))
    }

    fn source(&self) -> anyhow::Result<&Source> {
        self.source.as_ref().context("the model has no file")
    }

    /// With what the file that is saved at `path` does not have.
    fn clip(&self, path: &Path) -> anyhow::Result<WithClip> {
        let own_file = self.source()?.own_file();
        let original = self.source()?.original()?;
        let keyed = Keyed {
            model: &self.model,
            pose: &self.pose,
            properties: &self.properties,
            name: &self.clip_name,
        };
        let bin = original.bin.as_deref();
        let source = SourceFile::new(&original.json, bin, &original.chunks, &original.named);
        let source = source.with_context(|| self.model.name.clone())?;
        let lost_files = source.lost_files(own_file.as_deref(), path);
        let mut saved = keyed_glb(source, &keyed)?;
        saved.left_out.extend(lost_files);
        Ok(saved)
    }

    fn json(&self) -> anyhow::Result<Vec<u8>> {
        let layout = PaletteLayout::new(&self.model, self.scene);
        let mut palette = Palette::default();
        palette.clear(&layout, 1);
        palette.set_skinning(self.skinning);
        palette.push(&self.model, &layout, &self.pose);
        palette.find_rotations();
        let bounds = posed_bounds_of_file(&self.model, &layout, &palette, &self.pose, 0);
        let report = PoseReport::new(&self.model, &self.pose, bounds, self.moment, None);
        let mut json = serde_json::to_vec(&report)?;
        json.push(b'\n');
        Ok(json)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        import,
        model::TexelFormat,
        scene::ReferencePose,
        ui::{
            Command, DragCommand, MixCommand, MorphCommand, MotionCommand, PlaybackCommand,
            PoseTool, PosingCommand, SavingCommand, SkeletonCommand,
        },
    };

    fn pip() -> Session {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_aspect(1.0);
        session.apply(Command::SelectClip(Some(1)));
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        while !session.transition.is_over() {
            session.tick(0.5);
        }
        session.update();
        session
    }

    fn edited_pip() -> Session {
        let mut session = pip();
        let hierarchy = &session.actor.model().hierarchy;
        let joint = session.actor.skeleton().joints().nth(3).unwrap();
        let joint = hierarchy.iter().position(|(id, _)| id == joint);
        session.apply(Command::SelectNode(joint));
        for command in [
            PosingCommand::SetTool(PoseTool::Turn),
            PosingCommand::BeginDrag,
            PosingCommand::Drag(DragCommand::Turn(0, 0.7)),
            PosingCommand::EndDrag,
        ] {
            session.apply(Command::Posing(command));
        }
        session.update();
        assert!(!session.actor.offsets().is_empty());
        session
    }

    /// What was changed by hand is in each of the three, and nothing on screen is touched.
    #[test]
    fn the_pose_that_is_shown_is_saved_with_its_changes() {
        let mut session = edited_pip();
        session.apply(Command::Saving(SavingCommand::SetClipName("Bent".into())));
        let shown = session.actor.pose().clone();
        let snapshot = session.pose_snapshot(Some(Source::BuiltIn("Pip")));
        let folder = std::env::temp_dir().join(format!("rigscope-pose-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(name);
        snapshot.write(PoseKind::Json, &file("a.json")).unwrap();
        snapshot.write(PoseKind::Mesh, &file("a.glb")).unwrap();
        snapshot.write(PoseKind::Clip, &file("b.glb")).unwrap();
        assert!(*session.actor.pose() == shown);
        let json: serde_json::Value =
            serde_json::from_slice(&std::fs::read(file("a.json")).unwrap()).unwrap();
        for node in json["nodes"].as_array().unwrap() {
            let index = node["index"].as_u64().unwrap() as usize;
            let id = session.model().hierarchy.by_file_index(index).unwrap();
            let translation = &node["world"][12];
            let expected = shown.world[id.index()].translation.x;
            assert_eq!(translation.as_f64().unwrap() as f32, expected);
        }
        let mesh = import::load(&file("a.glb"), &Progress::default()).unwrap();
        assert!(mesh.model.clips.is_empty() && mesh.model.skins.is_empty());
        let keyed = import::load(&file("b.glb"), &Progress::default()).unwrap();
        let mut reopened = crate::app::Actor::new(keyed.model);
        let bent = reopened.model().clips.len() - 1;
        assert_eq!(reopened.model().clips[bent].name(), "Bent");
        reopened.pose_at(Some(bent), 0.0);
        for (a, b) in reopened.pose().world.iter().zip(&shown.world) {
            assert!(a.abs_diff_eq(*b, 1e-5), "{a:?} {b:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_saved_says_that_it_was_made_by_hand_and_what_the_clip_is_called() {
        let mut session = edited_pip();
        session.apply(Command::Saving(SavingCommand::SetClipName("Bent".into())));
        let snapshot = session.pose_snapshot(None);
        let made = "Pose made by hand, over Walk at 0.300 s, frame 9";
        assert_eq!(snapshot.words(PoseKind::Mesh), format!("{made}."));
        let of_clip = format!("Its last clip is \"Bent\": {made}.");
        assert_eq!(snapshot.words(PoseKind::Clip), of_clip);
        session.apply(Command::Saving(SavingCommand::TogglePose));
        assert_eq!(session.saving_view().what, made);
        // A picture is of the moment, whatever was changed there.
        session.apply(Command::Saving(SavingCommand::Toggle));
        assert_eq!(session.saving_view().what, "Walk at 0.300 s, frame 9");
        let held = Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Rest)));
        session.apply(held.clone());
        let what = |session: &mut Session| session.pose_snapshot(None).what.said;
        // It is the file's own, whatever was turned before.
        assert_eq!(what(&mut session), "Rest pose");
        let mut session = pip();
        assert_eq!(what(&mut session), "Walk at 0.300 s, frame 9");
        // Morphs are held in what plays as in a pose that is held.
        session.apply(Command::Morphs(MorphCommand::Hold(0, 0.5)));
        assert_eq!(what(&mut session), made);
        session.apply(held);
        let over_rest = "Pose made by hand, over the Rest pose";
        assert_eq!(what(&mut session), over_rest);
    }

    /// What is in the file is what is said of it.
    #[test]
    fn a_pose_that_is_held_is_saved_without_what_was_turned() {
        let mut session = edited_pip();
        let held = SkeletonCommand::Hold(Some(ReferencePose::Rest));
        session.apply(Command::Skeleton(held));
        let snapshot = session.pose_snapshot(None);
        let nodes = session.model().hierarchy.nodes().iter();
        let rest: Vec<_> = nodes.map(|node| node.rest).collect();
        assert_eq!(snapshot.pose.locals, rest);
        assert_eq!(snapshot.what.said, "Rest pose");
    }

    /// What is sampled in blocks is written as the file has it; if it has another image by now, that is said.
    #[test]
    fn textures_in_blocks_are_read_once_more() {
        let folder = std::env::temp_dir().join(format!("rigscope-blocks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let texels: Vec<u8> = (0..4 * 4 * 3).map(|byte| byte * 5).collect();
        let color = image::ExtendedColorType::Rgb8;
        let save = |side: u32| {
            let texels = &texels[..3 * (side * side) as usize];
            image::save_buffer(folder.join("a.png"), texels, side, side, color).unwrap();
        };
        save(4);
        let corners = [[0.0_f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        std::fs::write(folder.join("a.bin"), bytemuck::bytes_of(&corners)).unwrap();
        let json = serde_json::json!({
            "asset": { "version": "2.0" },
            "buffers": [{ "uri": "a.bin", "byteLength": 36 }],
            "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
            "accessors": [{
                "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0, 0, 0], "max": [1, 1, 0],
            }],
            "images": [{ "uri": "a.png" }],
            "textures": [{ "source": 0 }],
            "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
            "nodes": [{ "mesh": 0 }],
            "scenes": [{ "nodes": [0] }],
        });
        let file = folder.join("a.gltf");
        std::fs::write(&file, json.to_string()).unwrap();
        let source = Source::Files {
            files: vec![file.clone()],
            consent: import::Consent::default(),
        };
        let mut import = source.load(&Progress::default()).unwrap();
        let shown = Arc::make_mut(&mut import.model.images).first_mut().unwrap();
        shown.format = TexelFormat::Bc7;
        shown.levels = vec![vec![0; 16]; 3].into();
        let mut session = Session::new(import, Some(file), Duration::ZERO);
        let snapshot = session.pose_snapshot(Some(source));
        let saved = folder.join("b.glb");
        snapshot.write(PoseKind::Mesh, &saved).unwrap();
        let reopened = import::load(&saved, &Progress::default()).unwrap().model;
        assert_eq!(*reopened.images[0].levels, std::slice::from_ref(&texels));
        save(2);
        let fault = snapshot.write(PoseKind::Mesh, &saved).unwrap_err();
        assert!(fault.to_string().contains("have changed"), "{fault:#}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// `rigscope pose` of that clip at that time is another pose.
    #[test]
    fn a_pose_in_which_more_has_a_part_is_of_no_clip() {
        let moment = |session: &mut Session| {
            let moment = session.pose_snapshot(None).moment;
            (moment.clip, moment.time_secs)
        };
        assert_eq!(moment(&mut pip()), (Some(1), 0.3));
        assert_eq!(moment(&mut edited_pip()), (None, 0.0), "turned by hand");
        for command in [
            Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Rest))),
            Command::Morphs(MorphCommand::Hold(0, 0.5)),
            Command::Motion(MotionCommand::ToggleInPlace),
            Command::Mix(MixCommand::ToggleMixed(0)),
        ] {
            let mut session = pip();
            session.apply(command.clone());
            assert_eq!(moment(&mut session), (None, 0.0), "{command:?}");
        }
    }

    #[test]
    fn a_file_whose_nodes_have_other_names_is_another() {
        let mut session = edited_pip();
        let snapshot = session.pose_snapshot(None);
        let original = built_in::original("Pip").unwrap();
        let keyed = Keyed {
            model: &snapshot.model,
            pose: &snapshot.pose,
            properties: &snapshot.properties,
            name: "Bent",
        };
        let write = |json: &str| {
            let source = SourceFile::new(json, original.bin.as_deref(), &[], &original.named);
            keyed_glb(source.unwrap(), &keyed)
        };
        assert!(write(&original.json).is_ok());
        let mut nodes = snapshot.model.hierarchy.iter();
        let name = nodes.find_map(|(_, node)| (!node.name.is_empty()).then_some(&node.name));
        let name = format!("\"{}\"", name.unwrap());
        assert!(original.json.contains(&name));
        let fault = write(&original.json.replace(&name, "\"Another\"")).unwrap_err();
        assert!(fault.to_string().contains("has changed"), "{fault:#}");
    }

    #[test]
    fn a_write_that_fails_says_why_and_leaves_what_was_there() {
        let mut session = edited_pip();
        let snapshot = session.pose_snapshot(None);
        let folder = std::env::temp_dir().join(format!("rigscope-fails-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("kept.glb");
        std::fs::write(&path, "kept").unwrap();
        let fault = snapshot.write(PoseKind::Clip, &path).unwrap_err();
        assert!(fault.to_string().contains("no file"), "{fault:#}");
        session.tell_saved(&path, "", Err(fault));
        assert!(session.message().unwrap().detail.contains("no file"));
        let nowhere = folder.join("none").join("pose.json");
        let fault = snapshot.write(PoseKind::Json, &nowhere).unwrap_err();
        assert!(
            format!("{fault:#}").contains("cannot be written"),
            "{fault:#}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"kept");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
