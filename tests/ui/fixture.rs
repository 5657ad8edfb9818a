//! A made-up view.

use rigscope::anim::LoopMode;
use rigscope::ui::{
    ClipRow, ClipsView, Culprit, Details, DiagnosticRow, FilesView, FrameCost, HidingView,
    InfluenceCard, JointLabel, LightView, LoadKind, Loading, LoadingView, Marker, Message,
    MessageKind, ModelView, NodeKind, NodeRow, NodesView, OddClip, Picker, Placement, Playback,
    RecentRow, Selection, SheetKind, SheetRow, Shown, Sight, SkeletonView, Statistics,
    SurfacesView, TimeSpan, TimelineView, View,
};

pub use crate::driver::{Window, settled};
use crate::mixed::{Mix, Morphs};

/// Owns what a [`View`] borrows.
pub struct Fixture {
    /// Of the model.
    pub size: [f32; 3],
    pub model_name: String,
    /// Another number for every file that is opened.
    pub document: u64,
    /// How often it was read again.
    pub saves: u64,
    pub moved_nodes: Vec<Option<usize>>,
    pub clips: Vec<ClipRow>,
    pub odd_clips: Vec<OddClip>,
    pub ground_speeds: Vec<rigscope::ui::GroundSpeed>,
    pub clip: Option<usize>,
    /// Whether others play with it.
    pub plays_mix: bool,
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
    pub history: rigscope::ui::HistoryView<'static>,
    /// Of the chosen node, relative to its parent.
    pub rotation_degrees: [f32; 3],
    pub skeleton: rigscope::scene::SkeletonSettings,
    pub labels: Vec<JointLabel>,
    pub hovered_joint: Option<usize>,
    pub influences: Option<Vec<rigscope::ui::InfluenceRow>>,
    pub moved_by: Option<usize>,
    /// Parts of meshes that have neither tangents nor texture coordinates nor colours.
    pub without: usize,
    pub held: Option<rigscope::scene::ReferencePose>,
    pub markers: Vec<Marker>,
    pub sheet: Option<SheetKind>,
    pub sheet_rows: Vec<SheetRow>,
    /// Whether the rows are those of the one node that moves, which is not the chosen one.
    pub sheet_alone: bool,
    pub sheet_numbers: crate::sheet::Waves,
    pub shown: Shown,
    pub is_sheared: bool,
    pub costs: Vec<FrameCost>,
    pub trails: Vec<usize>,
    pub why_no_t_pose: Option<&'static str>,
    pub diagnostics: Vec<DiagnosticRow>,
    pub message: Option<Message>,
    pub loading: Vec<Loading<'static>>,
    pub light: rigscope::scene::LightSettings,
    pub light_is_simple_by_itself: bool,
    pub misses_adapter: bool,
    pub dimming: Option<f32>,
    pub backdrop: rigscope::scene::Backdrop,
    pub motion: rigscope::ui::MotionView,
    pub view_mode: rigscope::scene::ViewMode,
    pub inspectable: rigscope::scene::Inspectable,
    pub mix: Mix,
    pub morphs: Morphs,
    pub camera: rigscope::ui::CameraPane<'static>,
    pub compare: rigscope::ui::CompareView<'static>,
    pub can_drop: bool,
    pub drop_kind: LoadKind,
    pub dark: bool,
    pub picker: Option<Picker>,
    pub saving: rigscope::ui::SavingView<'static>,
    pub crowd: Option<(usize, usize)>,
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
            size: [25.6, 78.1, 155.0],
            model_name: "Fox.glb".to_owned(),
            document: 1,
            saves: 0,
            moved_nodes: Vec::new(),
            clips: clips
                .into_iter()
                .map(|(name, duration_secs)| ClipRow {
                    name: name.to_owned(),
                    duration_secs,
                    channel_count: 59,
                    key_count: 4874,
                })
                .collect(),
            odd_clips: Vec::new(),
            ground_speeds: Vec::new(),
            clip: Some(1),
            plays_mix: false,
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
                can_play: true,
                speed: 1.0,
                loop_mode: LoopMode::Loop,
                frames_per_sec: 30.0,
                rate_is_guessed: true,
                rate_is_assumed: false,
            },
            key_times_secs: vec![0.0, 0.2, 0.4, 0.6, 1.0, 1.03, 1.06, 1.1, 1.5, 2.0],
            shown_span: None,
            range: None,
            posing: Default::default(),
            history: Default::default(),
            rotation_degrees: [0.0, 45.0, 0.0],
            skeleton: Default::default(),
            labels: Vec::new(),
            hovered_joint: None,
            influences: None,
            moved_by: None,
            without: 0,
            held: None,
            markers: Vec::new(),
            sheet: None,
            sheet_rows: Vec::new(),
            sheet_alone: false,
            sheet_numbers: crate::sheet::Waves {
                reach: 1.0,
                timelines: vec![&[0.0, 0.4, 0.8, 1.5, 2.0]],
            },
            shown: Shown {
                skeleton: true,
                has_skeleton: true,
                grid: true,
                lines: Default::default(),
                scene_panel: true,
                inspector_panel: true,
                keys: false,
                world_figures: false,
                dark: true,
            },
            is_sheared: false,
            costs: Vec::new(),
            trails: Vec::new(),
            why_no_t_pose: None,
            diagnostics: Vec::new(),
            message: None,
            loading: Vec::new(),
            light: Default::default(),
            backdrop: rigscope::scene::Backdrop::Theme,
            light_is_simple_by_itself: false,
            misses_adapter: false,
            dimming: None,
            motion: Default::default(),
            view_mode: Default::default(),
            inspectable: Default::default(),
            mix: Mix::default(),
            morphs: Morphs::default(),
            camera: Default::default(),
            compare: Default::default(),
            can_drop: true,
            drop_kind: LoadKind::Model,
            dark: true,
            picker: None,
            saving: Default::default(),
            crowd: None,
            recent: Vec::new(),
        }
    }
}

/// A model that is being loaded, so much of it done.
pub fn loading(fraction: f32) -> Vec<Loading<'static>> {
    vec![Loading {
        kind: LoadKind::Model,
        name: "Sponza with a very long name that goes on and on and on, and then some more.glb",
        stage: "images 12 of 69",
        fraction,
    }]
}

impl Fixture {
    pub fn view(&self) -> View<'_> {
        View {
            model: ModelView {
                generation: self.document + self.saves,
                name: &self.model_name,
                scenes: &self.scenes,
                scene: 0,
                variants: &self.variants,
                variant: self.variant,
            },
            clips: ClipsView {
                rows: &self.clips,
                prefix: rigscope::ui::common_prefix(self.clips.iter().map(|clip| &*clip.name)),
                odd: &self.odd_clips,
                ground_speeds: &self.ground_speeds,
                chosen: self.clip,
            },
            nodes: NodesView {
                rows: &self.nodes,
                selected: self.selected_node,
                selection: self.selected_node.map(|_| Selection {
                    local: Placement {
                        translation: [0.0, -12.345_678, 1234.5],
                        rotation: [0.0, 0.382_683_43, 0.0, 0.923_879_5],
                        rotation_degrees: self.rotation_degrees,
                        scale: [1.0; 3],
                        is_sheared: false,
                    },
                    world: Placement {
                        translation: [-0.000_01, 87.25, 0.5],
                        rotation: [0.0, 0.0, 0.707_106_77, 0.707_106_77],
                        rotation_degrees: [0.0, 0.0, 90.0],
                        scale: [2.0; 3],
                        is_sheared: self.is_sheared,
                    },
                }),
                hiding: HidingView {
                    sight: &self.sight,
                    count: self.sight.iter().filter(|it| **it == Sight::Hidden).count(),
                },
                details: &self.details,
            },
            playback: self.playback,
            timeline: self.timeline(),
            skeleton: SkeletonView {
                settings: self.skeleton,
                held: self.held,
                has_bind_pose: true,
                why_no_t_pose: self.why_no_t_pose,
                trails: &self.trails,
                hovered: self.hovered_joint,
                waits_for_rest: false,
                influences: self.influences.as_deref().map(|rows| InfluenceCard {
                    vertex: 1234,
                    rows,
                    moved_by: self.moved_by,
                }),
                labels: &self.labels,
            },
            posing: self.posing,
            history: self.history,
            shown: Shown {
                dark: self.dark,
                ..self.shown
            },
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
                crowd: self.crowd,
                crowd_joints: 42,
                palette_bytes: [1200; 2],
                draws: 3,
                gpu_bytes: 3_456_789,
                pose_micros: 12.4,
                frame_millis: 3.2,
                frames_per_sec: 60.0,
                load_millis: 84.0,
                size: self.size,
                parts: 3,
                without_tangents: self.without,
                without_tex_coords: self.without,
                without_colors: self.without,
                costs: &self.costs,
            },
            diagnostics: &self.diagnostics,
            message: self.message.as_ref(),
            loading: LoadingView {
                files: &self.loading,
                can_drop: self.can_drop,
                drop_kind: self.drop_kind,
            },
            saving: self.saving,
            files: FilesView {
                document: self.document,
                moved_nodes: (self.document, &self.moved_nodes),
                is_file: true,
                picker: self.picker,
                recent: &self.recent,
                built_in: &["Robot", "Windmill"],
            },
            light: LightView {
                settings: self.light,
                is_simple_by_itself: self.light_is_simple_by_itself,
                misses_adapter: self.misses_adapter,
                dimming: self.dimming,
                backdrop: self.backdrop,
                environment: None,
            },
            surfaces: SurfacesView {
                mode: self.view_mode,
                inspectable: self.inspectable,
                weight_colors: Default::default(),
            },
            motion: self.motion,
            mix: self.mix.view(),
            morphs: self.morphs.view(),
            camera: self.camera,
            compare: self.compare,
        }
    }

    fn timeline(&self) -> TimelineView<'_> {
        let all = TimeSpan {
            from_secs: 0.0,
            to_secs: self.playback.duration_secs,
        };
        TimelineView {
            clip: self.clip,
            measured_clip: self.clip.filter(|_| !self.plays_mix),
            span: self.shown_span.unwrap_or(all),
            range: self.range,
            key_times_secs: &self.key_times_secs,
            markers: &self.markers,
            ground_speed: {
                let mut speeds = self.ground_speeds.iter();
                speeds.find(|it| Some(it.clip) == self.clip).copied()
            },
            sheet: crate::sheet::view(self),
        }
    }

    pub fn without_clip(mut self) -> Self {
        self.clips.clear();
        self.odd_clips.clear();
        self.clip = None;
        self.key_times_secs.clear();
        self.playback.duration_secs = 0.0;
        self.playback.can_play = false;
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
                others: Vec::new(),
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
            passes: false,
            in_full: String::new(),
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
            has_namesake: false,
            file_index: index,
            depth: *depth,
            descendants: descendants(index),
            kind: *kind,
            is_animated: *kind == Joint,
            in_scene: index != 25,
        })
        .collect()
}
