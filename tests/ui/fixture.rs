//! A made-up view, and an egui context that is fed with clicks and keys.

use rigscope::anim::LoopMode;
use rigscope::ui::{
    ClipRow, Command, DiagnosticRow, FilesView, InfluenceCard, JointLabel, Loading, Marker,
    Message, MessageKind, NodeKind, NodeRow, PanelLayout, Picker, Playback, RecentRow, Selection,
    SheetKind, SheetRow, Shown, SkeletonCommand, SkeletonView, Statistics, TimeSpan, TimelineView,
    UiState, View, interface_ui,
};
use rigscope::ui::{Culprit, Details, HidingView, Sight};

use crate::mixed::{Mix, Morphs};

/// Owns what a [`View`] borrows.
pub struct Fixture {
    pub model_name: String,
    pub clips: Vec<ClipRow>,
    pub clip: Option<usize>,
    pub scenes: Vec<String>,
    pub variants: Vec<String>,
    pub variant: Option<usize>,
    pub nodes: Vec<NodeRow>,
    pub selected_node: Option<usize>,
    pub details: Details,
    pub sight: Vec<Sight>,
    pub playback: Playback,
    pub key_times_secs: Vec<f32>,
    pub shown_span: Option<TimeSpan>,
    pub range: Option<TimeSpan>,
    pub posing: rigscope::ui::PosingView,
    pub skeleton: rigscope::scene::SkeletonSettings,
    pub labels: Vec<JointLabel>,
    pub hovered_joint: Option<usize>,
    pub influences: Option<Vec<rigscope::ui::InfluenceRow>>,
    pub held: Option<rigscope::scene::ReferencePose>,
    pub markers: Vec<Marker>,
    pub sheet: Option<SheetKind>,
    pub sheet_rows: Vec<SheetRow>,
    pub sheet_timelines: Vec<&'static [f32]>,
    pub shown: Shown,
    pub diagnostics: Vec<DiagnosticRow>,
    pub message: Option<Message>,
    pub loading: Option<f32>,
    pub light: rigscope::scene::LightSettings,
    pub mix: Mix,
    pub morphs: Morphs,
    pub camera: rigscope::ui::CameraPane<'static>,
    pub can_drop: bool,
    pub dark: bool,
    pub picker: Option<Picker>,
    pub recent: Vec<RecentRow>,
}

impl Default for Fixture {
    fn default() -> Self {
        let clips = [
            ("Survey", 3.4167),
            ("Walk", 0.7083),
            ("Run", 1.1583),
            ("Idle with a long name that says what it is", 12.5),
        ];
        Self {
            model_name: "Fox.glb".to_owned(),
            clips: clips
                .into_iter()
                .map(|(name, duration_secs)| ClipRow {
                    name: name.to_owned(),
                    duration_secs,
                    track_count: 59,
                    key_count: 4874,
                })
                .collect(),
            clip: Some(1),
            scenes: vec!["Scene".to_owned()],
            variants: Vec::new(),
            variant: None,
            nodes: rig(),
            selected_node: None,
            details: Details::default(),
            sight: Vec::new(),
            playback: Playback {
                time_secs: 0.3,
                duration_secs: 2.0,
                is_playing: false,
                speed: 1.0,
                loop_mode: LoopMode::Loop,
                frames_per_sec: 30.0,
                rate_is_guessed: true,
            },
            key_times_secs: vec![0.0, 0.2, 0.4, 0.6, 1.0, 1.03, 1.06, 1.1, 1.5, 2.0],
            shown_span: None,
            range: None,
            posing: Default::default(),
            skeleton: Default::default(),
            labels: Vec::new(),
            hovered_joint: None,
            influences: None,
            held: None,
            markers: Vec::new(),
            sheet: None,
            sheet_rows: Vec::new(),
            sheet_timelines: vec![&[0.0, 0.4, 0.8, 1.5, 2.0]],
            shown: Shown {
                skeleton: true,
                has_skeleton: true,
                grid: true,
                scene_panel: true,
                inspector_panel: true,
                keys: false,
            },
            diagnostics: Vec::new(),
            message: None,
            loading: None,
            light: Default::default(),
            mix: Mix::default(),
            morphs: Morphs::default(),
            camera: Default::default(),
            can_drop: true,
            dark: true,
            picker: None,
            recent: Vec::new(),
        }
    }
}

impl Fixture {
    pub fn view(&self) -> View<'_> {
        View {
            model_generation: 1,
            model_name: &self.model_name,
            clips: &self.clips,
            clip: self.clip,
            scenes: &self.scenes,
            scene: 0,
            variants: &self.variants,
            variant: self.variant,
            nodes: &self.nodes,
            selected_node: self.selected_node,
            selection: self.selected_node.map(|_| Selection {
                translation: [0.0, -12.345_678, 1234.5],
                rotation: [0.0, 0.382_683_43, 0.0, 0.923_879_5],
                scale: [1.0; 3],
                world_position: [-0.000_01, 87.25, 0.5],
            }),
            hiding: HidingView {
                sight: &self.sight,
                count: self.sight.iter().filter(|it| **it == Sight::Hidden).count(),
            },
            details: &self.details,
            playback: self.playback,
            key_times_secs: &self.key_times_secs,
            timeline: self.timeline(),
            posing: self.posing,
            skeleton: SkeletonView {
                settings: self.skeleton,
                held: self.held,
                has_bind_pose: true,
                hovered: self.hovered_joint,
                influences: self.influences.as_deref().map(|rows| InfluenceCard { vertex: 1234, rows }),
                labels: &self.labels,
            },
            shown: self.shown,
            statistics: Statistics {
                triangles: 1_234_567,
                vertices: 1728,
                nodes: self.nodes.len(),
                joints: 24,
                skins: 1,
                meshes: 1,
                materials: 1,
                textures: 1,
                morph_targets: 0,
                crowd: None,
                draws: 3,
                gpu_bytes: 3_456_789,
                pose_micros: 12.4,
                frame_millis: 3.2,
                frames_per_sec: 60.0,
                load_millis: 84.0,
                size: [25.6, 78.1, 155.0],
            },
            diagnostics: &self.diagnostics,
            message: self.message.as_ref(),
            loading: self.loading.map(|fraction| Loading {
                name: "Sponza with a very long name that goes on and on and on, and then some more.glb",
                stage: "images 12 of 69",
                fraction,
            }),
            files: FilesView {
                document: 1,
                is_file: true,
                picker: self.picker,
                recent: &self.recent,
            },
            built_in: &["Robot", "Windmill"],
            light: self.light,
            backdrop: rigscope::scene::Backdrop::Theme,
            environment: None,
            view_mode: Default::default(),
            weight_colors: Default::default(),
            motion: Default::default(),
            mix: self.mix.view(),
            morphs: self.morphs.view(),
            camera: self.camera,
            can_drop: self.can_drop,
            dark: self.dark,
        }
    }

    fn timeline(&self) -> TimelineView<'_> {
        let all = TimeSpan {
            from_secs: 0.0,
            to_secs: self.playback.duration_secs,
        };
        TimelineView {
            span: self.shown_span.unwrap_or(all),
            range: self.range,
            markers: &self.markers,
            sheet: crate::sheet::view(self),
        }
    }

    pub fn without_clip(mut self) -> Self {
        self.clips.clear();
        self.clip = None;
        self.key_times_secs.clear();
        self.playback.duration_secs = 0.0;
        self.playback.time_secs = 0.0;
        self
    }

    pub fn with_diagnostics(mut self) -> Self {
        let row =
            |severity, code: &str, pointer: &str, message: &str, action: &str| DiagnosticRow {
                severity,
                code: code.to_owned(),
                pointer: pointer.to_owned(),
                message: message.to_owned(),
                action: action.to_owned(),
                culprit: pointer.starts_with("/nodes/17").then(|| Culprit {
                    node: Some(17),
                    ..Culprit::default()
                }),
            };
        self.diagnostics = vec![
            row(
                MessageKind::Error,
                "IMAGE_UNREADABLE",
                "/images/2",
                "The image \"skin_diffuse.png\" is cut off after 1 024 bytes.",
                "A checkerboard stands in its place.",
            ),
            row(
                MessageKind::Warning,
                "NODE_LOOP",
                "/nodes/17/children/3",
                "Node 17 is its own ancestor.",
                "The link was cut.",
            ),
            row(
                MessageKind::Info,
                "UNUSED_OBJECT",
                "/accessors/9",
                "The accessor is used by nothing.",
                "",
            ),
        ];
        self
    }

    pub fn with_message(mut self) -> Self {
        self.message = Some(Message {
            offer: None,
            kind: MessageKind::Error,
            title: "broken.glb cannot be shown".to_owned(),
            detail: "The file ends after 2 048 bytes although its header promises 1 245 184.\n\
                     It was probably not copied completely. The model before it stays."
                .to_owned(),
        });
        self
    }
}

/// A small rig with the usual kinds of nodes.
pub fn rig() -> Vec<NodeRow> {
    use NodeKind::{Camera, Group, Joint, Mesh, SkinnedMesh};
    let rows: [(usize, &str, NodeKind); 26] = [
        (0, "Scene root", Group),
        (1, "fox", SkinnedMesh),
        (1, "Armature", Group),
        (2, "mixamorig:Hips", Joint),
        (3, "mixamorig:Spine", Joint),
        (4, "mixamorig:Spine1", Joint),
        (5, "mixamorig:Spine2", Joint),
        (6, "mixamorig:Neck", Joint),
        (7, "mixamorig:Head", Joint),
        (8, "Hat", Mesh),
        (6, "mixamorig:LeftShoulder", Joint),
        (7, "mixamorig:LeftArm", Joint),
        (8, "mixamorig:LeftForeArm", Joint),
        (9, "mixamorig:LeftHand", Joint),
        (10, "mixamorig:LeftHandThumb1", Joint),
        (11, "mixamorig:LeftHandThumb2", Joint),
        (6, "mixamorig:RightShoulder", Joint),
        (7, "mixamorig:RightArm", Joint),
        (8, "mixamorig:RightForeArm", Joint),
        (3, "mixamorig:LeftUpLeg", Joint),
        (4, "mixamorig:LeftLeg", Joint),
        (3, "mixamorig:RightUpLeg", Joint),
        (4, "mixamorig:RightLeg", Joint),
        (1, "Camera", Camera),
        (0, "Ground", Mesh),
        (0, "Unused helper", Group),
    ];
    let descendants = |index: usize| {
        rows[index + 1..]
            .iter()
            .take_while(|(depth, ..)| *depth > rows[index].0)
            .count()
    };
    rows.iter()
        .enumerate()
        .map(|(index, (depth, name, kind))| NodeRow {
            name: (*name).to_owned(),
            file_index: index,
            depth: *depth,
            descendants: descendants(index),
            kind: *kind,
            is_animated: *kind == Joint,
            in_scene: index != 25,
        })
        .collect()
}

/// A window without a window.
pub struct Window {
    pub ctx: egui::Context,
    pub state: UiState,
    pub size: egui::Vec2,
    pub modifiers: egui::Modifiers,
    pub time_secs: f64,
    /// Whether a file is held over the window.
    pub file_is_held: bool,
    pub layout: Option<PanelLayout>,
    /// Where over the picture the pointer was said to be by the last frame: every frame says that, so it is kept apart.
    pub hovers: Vec<Option<[f32; 2]>>,
    /// Changes that nobody has drawn yet.
    pub textures: egui::TexturesDelta,
    events: Vec<egui::Event>,
}

impl Window {
    pub fn new(width: f32, height: f32) -> Self {
        Self {
            ctx: egui::Context::default(),
            state: UiState::default(),
            size: egui::vec2(width, height),
            modifiers: egui::Modifiers::NONE,
            time_secs: 0.0,
            file_is_held: false,
            layout: None,
            hovers: Vec::new(),
            textures: egui::TexturesDelta::default(),
            events: Vec::new(),
        }
    }

    /// Runs a frame, and returns what it looks like too.
    pub fn draw(&mut self, fixture: &Fixture) -> (Vec<Command>, egui::FullOutput) {
        self.time_secs += 1.0 / 60.0;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, self.size)),
            time: Some(self.time_secs),
            events: std::mem::take(&mut self.events),
            hovered_files: vec![egui::HoveredFile::default(); usize::from(self.file_is_held)],
            ..egui::RawInput::default()
        };
        let mut commands = Vec::new();
        self.hovers.clear();
        let mut output = self.ctx.clone().run_ui(input, |ui| {
            let (wanted, layout) = interface_ui(ui, &mut self.state, &fixture.view());
            for command in wanted {
                match command {
                    Command::Skeleton(SkeletonCommand::Hover { at, .. }) => self.hovers.push(at),
                    other => commands.push(other),
                }
            }
            self.layout = Some(layout);
        });
        self.textures
            .append(std::mem::take(&mut output.textures_delta));
        (commands, output)
    }

    /// Runs a frame.
    pub fn frame(&mut self, fixture: &Fixture) -> Vec<Command> {
        self.draw(fixture).0
    }

    /// Runs frames until everything is where it will stay.
    pub fn settle(&mut self, fixture: &Fixture) {
        for _ in 0..4 {
            let commands = self.frame(fixture);
            assert!(commands.is_empty(), "nobody asked for {commands:?}");
        }
    }

    pub fn part(&self, name: &str) -> egui::Rect {
        let layout = self.layout.as_ref().expect("a frame was drawn");
        let part = layout.named.iter().find(|(part, _)| *part == name);
        part.unwrap_or_else(|| panic!("{name} in {layout:?}")).1
    }

    pub fn event(&mut self, event: egui::Event) {
        self.events.push(event);
    }

    pub fn move_to(&mut self, pos: egui::Pos2) {
        self.event(egui::Event::PointerMoved(pos));
    }

    pub fn button(&mut self, pos: egui::Pos2, button: egui::PointerButton, pressed: bool) {
        self.event(egui::Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: self.modifiers,
        });
    }

    /// Presses and releases the left button there, and returns what came of it.
    pub fn click(&mut self, fixture: &Fixture, pos: egui::Pos2) -> Vec<Command> {
        self.move_to(pos);
        let mut commands = self.frame(fixture);
        self.button(pos, egui::PointerButton::Primary, true);
        commands.extend(self.frame(fixture));
        self.button(pos, egui::PointerButton::Primary, false);
        commands.extend(self.frame(fixture));
        commands.extend(self.frame(fixture));
        commands
    }

    /// Presses and releases a key, and returns what came of it.
    pub fn key(&mut self, fixture: &Fixture, key: egui::Key) -> Vec<Command> {
        let modifiers = self.modifiers;
        self.event(egui::Event::ModifiersChanged(modifiers));
        for pressed in [true, false] {
            self.event(egui::Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            });
        }
        self.frame(fixture)
    }

    /// Where a text is painted, and how it is labelled for screen readers.
    pub fn find_text(&mut self, fixture: &Fixture, words: &str) -> Option<egui::Rect> {
        let (_, output) = self.draw(fixture);
        let mut found = None;
        for clipped in &output.shapes {
            visit(&clipped.shape, &mut |shape| {
                if let egui::Shape::Text(text) = shape
                    && text.galley.text() == words
                    && found.is_none()
                {
                    found = Some(text.visual_bounding_rect());
                }
            });
        }
        found
    }

    /// Clicks on a text.
    pub fn click_text(&mut self, fixture: &Fixture, words: &str) -> Vec<Command> {
        let rect = self.find_text(fixture, words);
        let rect = rect.unwrap_or_else(|| panic!("no text \"{words}\""));
        self.click(fixture, rect.center())
    }
}

/// A window in which everything has found its place.
pub fn settled(fixture: &Fixture) -> Window {
    let mut window = Window::new(1280.0, 800.0);
    window.settle(fixture);
    window
}

impl Drop for Window {
    fn drop(&mut self) {
        // egui panics about changes that were never drawn.
        self.textures.clear();
    }
}

fn visit(shape: &egui::Shape, see: &mut impl FnMut(&egui::Shape)) {
    match shape {
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| visit(shape, see)),
        shape => see(shape),
    }
}
