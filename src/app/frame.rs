//! One frame, from the clock to the screen.

use std::{
    borrow::Cow,
    collections::VecDeque,
    time::{Duration, Instant},
};

use super::{
    Errand, Session,
    panels::{Costs, millis},
    time::SheetOfClip,
    upload::upload,
    window::{Stage, Viewer},
};
use crate::{
    model::{NodeId, Transform, euler_degrees},
    render::{Acquired, Destination, Viewport},
    ui::{
        ClipsView, Command, LightView, LoadKind, Loading, LoadingView, ModelView, NodesView,
        PaintJob, PanelLayout, Placement, Selection, Shown, Statistics, SurfacesView, UiState,
        View, interface_ui,
    },
};

/// Longest time that one frame may take out of a clip: after a stall it goes on, instead of leaping.
const MAX_STEP_SECS: f64 = 0.5;
/// How often the progress of a load is shown.
const PROGRESS_PAUSE: Duration = Duration::from_millis(50);

/// After how long a picture is tried again that the window system had no room for.
const SKIP_PAUSE: Duration = Duration::from_millis(50);

/// What a frame leaves to be done.
pub(super) struct Aftermath {
    /// What only the window can do.
    pub(super) errands: Vec<Errand>,
    /// After how long the next frame is wanted although nothing happens: zero while something moves, `None` when nothing
    /// does.
    pub(super) wake: Option<Duration>,
}

/// Draws a frame.
pub(super) fn draw(viewer: &mut Viewer, stage: &mut Stage) -> Aftermath {
    let started = Instant::now();

    // tick, sample, pose, palette
    let elapsed_secs = viewer.times.elapsed_secs(started, &viewer.session);
    viewer.session.tick(elapsed_secs);
    let (posing, is_posed) = update(&mut viewer.session);
    if is_posed {
        viewer.times.pose = posing;
    }

    // ui: what the panels ask for is done before the picture is drawn, so that it answers at once
    prepare_interface(viewer, stage);
    let interface_started = Instant::now();
    let (asked, layout, job) = run_interface(viewer, stage, interface_started);
    viewer.session.note_drawn();
    viewer.times.costs.now.interface = millis(interface_started.elapsed());
    let session = &mut viewer.session;
    // What the panels show of it comes with the next frame. That the pointer rests somewhere is said in every frame, and
    // asks for nothing.
    let hovered = session.hovered_joint();
    let mut is_asked = !asked.iter().all(Command::is_hover);
    let (errands, changes_theme) = session.apply_in_frame(asked);
    let viewport = to_pixels(layout.viewport, stage);
    set_shapes(session, stage, viewport);
    is_asked |= session.hovered_joint() != hovered;
    let (posing_again, _) = update(session);
    viewer.times.costs.now.pose = millis(posing + posing_again);
    // Names are painted with the panels: if they have moved since, they must be painted anew.
    let names_lag = session.update_labels();

    // scene, draw
    let mut was_shown = true;
    if !stage.is_hidden() {
        is_asked |= upload(session, stage);
        was_shown = show(session, stage, viewport, &job, &mut viewer.times);
        // The panels list it from the next frame on.
        is_asked |= session.list_meshes_left_out(stage.renderer.left_out());
        log_layout(stage, layout);
    }
    if changes_theme {
        session.apply(Command::ToggleTheme);
    }

    viewer.times.finish(started);
    Aftermath {
        errands,
        wake: if (names_lag || is_asked) && !stage.is_hidden() {
            Some(Duration::ZERO)
        } else {
            next_wake(viewer, stage, was_shown)
        },
    }
}

/// Tells the cameras what shape their pictures have: two of a window that is split.
fn set_shapes(session: &mut Session, stage: &Stage, viewport: Viewport) {
    let height = viewport.height as f32;
    match session.split() {
        // A minimised window has no shape of its own on some systems.
        _ if stage.is_hidden() => {}
        None => session.set_window_aspect(viewport.width as f32 / height),
        Some(split) => {
            let columns = split.drawn_columns(viewport.width);
            session.set_aspects(columns.map(|it| it.width as f32 / height));
        }
    }
}

/// Brings the pose and what lies over it up to date. Says how long that took, and whether the pose was taken.
fn update(session: &mut Session) -> (Duration, bool) {
    let started = Instant::now();
    let is_posed = session.update();
    (started.elapsed(), is_posed)
}

/// Brings up to date what the panels show.
fn prepare_interface(viewer: &mut Viewer, stage: &Stage) {
    viewer.second_look.look_at(&mut viewer.session);
    viewer.analyst.look_at(&viewer.session);
    let odd = viewer.analyst.findings();
    viewer.rows.update(&viewer.session, odd);
    let details = &viewer.rows.details.details;
    viewer.session.inspected.forget_unshown(details);
    viewer
        .session
        .set_pixels_per_point(stage.pixels_per_point());
    viewer.session.update_labels();
    viewer.session.name_compared();
    viewer.look_for_differences();
}

/// Runs the panels, and returns what they ask for, where they are, and how they look.
fn run_interface(
    viewer: &mut Viewer,
    stage: &mut Stage,
    now: Instant,
) -> (Vec<Command>, PanelLayout, PaintJob) {
    // The panels change their own state while they read that of all others.
    let mut ui_state = std::mem::take(&mut viewer.ui_state);
    let gathered = Gathered::of(viewer);
    let view = view(viewer, stage, &gathered);
    let painted = paint_panels(&mut ui_state, &view, stage, now);
    viewer.ui_state = ui_state;
    painted
}

/// Stands in a place where no file is on its way.
const NOT_LOADING: Loading<'static> = Loading {
    kind: LoadKind::Model,
    name: "",
    stage: "",
    fraction: 0.0,
};

/// What a view needs that nobody keeps.
struct Gathered<'a> {
    loading: [Loading<'a>; 4],
    /// How many of these there are.
    loading_count: usize,
    environment: Option<Cow<'a, str>>,
    sheet: SheetOfClip<'a>,
}

impl<'a> Gathered<'a> {
    fn of(viewer: &'a Viewer) -> Self {
        let shown = [
            viewer.documents.file.shown(),
            viewer.clip_reader.shown(),
            viewer.second_file.file.shown(),
            viewer.environment.shown(),
        ];
        let mut loading = [NOT_LOADING; 4];
        for (place, shown) in loading.iter_mut().zip(shown.into_iter().flatten()) {
            *place = shown;
        }
        Self {
            loading,
            loading_count: shown.iter().flatten().count(),
            environment: viewer.session.surroundings.environment_name(),
            sheet: viewer.rows.sheet.with_clip(&viewer.session),
        }
    }
}

/// All that the panels show.
fn view<'a>(viewer: &'a Viewer, stage: &Stage, gathered: &'a Gathered<'_>) -> View<'a> {
    let Viewer {
        session,
        rows,
        times,
        analyst,
        ..
    } = viewer;
    View {
        model: ModelView {
            generation: session.model_generation(),
            name: &session.model().name,
            scenes: &rows.scenes,
            scene: session.actor().scene(),
            variants: &rows.variants,
            variant: session.variant(),
        },
        clips: ClipsView {
            rows: &rows.clips,
            prefix: rows.clip_prefix,
            odd: analyst.odd_clips(),
            ground_speeds: analyst.ground_speeds(),
            chosen: session.clip(),
        },
        nodes: NodesView {
            rows: rows.nodes.list(),
            selected: session.selected.map(NodeId::index),
            selection: selection(session),
            hiding: session.actor().hiding(),
            details: &rows.details.details,
        },
        playback: session.playback_view(),
        timeline: session.timeline_view(
            rows.key_times.secs(),
            (analyst.markers(session), analyst.ground_speed(session)),
            &gathered.sheet,
        ),
        skeleton: session.skeleton_view(),
        posing: session.posing_view(),
        history: session.history_view(),
        shown: shown(session),
        statistics: Statistics {
            draws: stage.renderer.draw_count(),
            gpu_bytes: stage.renderer.model_bytes(),
            ..statistics(session, times, rows.statistics)
        },
        diagnostics: &rows.diagnostics,
        message: session.message(),
        loading: LoadingView {
            files: &gathered.loading[..gathered.loading_count],
            can_drop: viewer.can_drop,
            drop_kind: stage.drop_kind(),
        },
        saving: session.saving_view(),
        files: session.files_view(),
        light: LightView {
            settings: session.surroundings.light,
            is_simple_by_itself: session.surroundings.is_light_simple_by_itself(),
            misses_adapter: session.surroundings.misses_adapter,
            dimming: session.dimming(),
            backdrop: session.surroundings.backdrop,
            environment: gathered.environment.as_deref(),
        },
        surfaces: SurfacesView {
            mode: session.shown.view_mode,
            inspectable: rows.inspectable,
            weight_colors: session.shown.weight_colors,
        },
        motion: session.motion_view(),
        mix: rows.mix.view(session),
        morphs: rows.morphs.view(session),
        camera: rows.camera.pane(session),
        compare: session.compare_view(),
    }
}

/// Runs the panels on a view. egui may run them twice for a frame, when sizes had to be measured first: all their commands count.
fn paint_panels(
    ui_state: &mut UiState,
    view: &View<'_>,
    stage: &mut Stage,
    now: Instant,
) -> (Vec<Command>, PanelLayout, PaintJob) {
    let mut commands = Vec::new();
    let mut layout = PanelLayout::default();
    let (size, scale) = (stage.surface.size(), stage.scale_factor);
    let time_secs = (now - stage.started).as_secs_f64();
    let job = stage
        .painter
        .run(&stage.window, size, scale, time_secs, |ui| {
            let (more, new_layout) = interface_ui(ui, ui_state, view);
            commands.extend(more);
            layout = new_layout;
        });
    (commands, layout, job)
}

/// What is switched on.
fn shown(session: &Session) -> Shown {
    let shown = &session.shown;
    Shown {
        skeleton: shown.skeleton,
        has_skeleton: !session.actor().skeleton().is_empty(),
        grid: shown.grid,
        lines: shown.lines,
        scene_panel: shown.scene_panel,
        inspector_panel: shown.inspector_panel,
        keys: shown.keys,
        world_figures: shown.world_figures,
        dark: shown.dark,
    }
}

/// What a frame costs besides the renderer's part; `of_model` is what does not change from frame to frame.
fn statistics<'a>(
    session: &Session,
    times: &'a FrameTimes,
    of_model: Statistics<'a>,
) -> Statistics<'a> {
    let actor = session.actor();
    let crowd = actor.crowd();
    Statistics {
        crowd: crowd.map(|crowd| (crowd.in_sight(), crowd.len())),
        crowd_joints: actor.layout().matrices_per_instance(),
        palette_bytes: actor.palette_bytes(),
        pose_micros: 1e6 * (times.pose + times.crowd).as_secs_f32(),
        frame_millis: 1e3 * times.frame.as_secs_f32(),
        frames_per_sec: times.recent.len() as f32,
        costs: times.costs.recent(),
        ..of_model
    }
}

/// Where the chosen node is.
fn selection(session: &Session) -> Option<Selection> {
    let node = session.selected?;
    let pose = session.actor().pose();
    let world_from_node = &pose.world[node.index()];
    let world = Transform::from_affine(world_from_node);
    let placement = |transform: Transform, is_sheared| Placement {
        translation: transform.translation.to_array(),
        rotation: transform.rotation.to_array(),
        rotation_degrees: euler_degrees(transform.rotation),
        scale: transform.scale.to_array(),
        is_sheared,
    };
    let size = world.scale.abs().max_element();
    let again = world.to_affine().matrix3;
    let is_sheared = !again.abs_diff_eq(world_from_node.matrix3, 1e-3 * size);
    Some(Selection {
        local: placement(pose.locals[node.index()], false),
        world: placement(world, is_sheared),
    })
}

/// Draws the scene and the interface over it, and presents them. False if there was nothing to draw into.
fn show(
    session: &Session,
    stage: &mut Stage,
    viewport: Viewport,
    job: &PaintJob,
    times: &mut FrameTimes,
) -> bool {
    let texture = match stage.surface.acquire(&stage.gpu) {
        Acquired::Texture(texture) => texture,
        Acquired::Skip => return false,
        Acquired::Lost => {
            stage.mark_lost();
            return false;
        }
    };
    // Until here the time went to waiting for the screen.
    let started = Instant::now();
    let view = texture.texture.create_view(&Default::default());
    let mut encoder = stage.gpu.device.create_command_encoder(&Default::default());
    let size = [viewport.width, viewport.height];
    // Nobody else looks at them; of two subjects they would be those of one.
    let is_timed = session.shown.inspector_panel && session.split().is_none();
    stage.renderer.time_passes(&stage.gpu, is_timed);
    let (gpu, renderer, target) = (&stage.gpu, &mut stage.renderer, &mut stage.target);
    times.crowd = Duration::ZERO;
    let pair = session.with_pair(|pair| {
        renderer.draw_pair(gpu, &mut encoder, pair, target, &view, viewport);
    });
    if pair.is_none() {
        target.resize(gpu, size);
        let (model, frame) = (session.model(), session.frame());
        let posing = Instant::now();
        renderer.write_palette(gpu, model, &frame);
        // A crowd is posed while it is brought to the GPU.
        times.crowd = frame.crowd.map_or(Duration::ZERO, |_| posing.elapsed());
        renderer.draw_written(
            gpu,
            &mut encoder,
            model,
            &frame,
            Destination {
                scene: target,
                output: &view,
                viewport,
            },
        );
    }
    let (device, queue) = (&stage.gpu.device, &stage.gpu.queue);
    stage.painter.paint(device, queue, &mut encoder, &view, job);
    queue.submit([encoder.finish()]);
    let cost = &mut times.costs.now;
    cost.pose += millis(times.crowd);
    cost.drawing = millis(started.elapsed().saturating_sub(times.crowd));
    let passes = stage.renderer.pass_millis(&stage.gpu);
    cost.gpu = passes.map(|passes| passes.iter().sum::<f64>() as f32);
    stage.window.pre_present_notify();
    queue.present(texture);
    if !std::mem::replace(&mut stage.is_ready, true) {
        log::info!("ready");
    }
    true
}

/// A part of the interface in the surface's pixels: at least one, and inside it.
fn to_pixels(rect: egui::Rect, stage: &Stage) -> Viewport {
    let scale = stage.pixels_per_point();
    let [width, height] = stage.surface.size();
    let clamp = |points: f32, most: u32| (points * scale).round().clamp(0.0, most as f32) as u32;
    let (left, right) = (clamp(rect.left(), width - 1), clamp(rect.right(), width));
    let (top, bottom) = (clamp(rect.top(), height - 1), clamp(rect.bottom(), height));
    Viewport {
        x: left,
        y: top,
        width: right.saturating_sub(left).max(1),
        height: bottom.saturating_sub(top).max(1),
    }
}

/// Writes to the log where the parts of the interface are, in pixels, whenever that changes: the end-to-end tests read it.
fn log_layout(stage: &mut Stage, layout: PanelLayout) {
    if !log::log_enabled!(log::Level::Debug) || stage.layout.as_ref() == Some(&layout) {
        return;
    }
    let scale = stage.pixels_per_point();
    let old = stage.layout.take().unwrap_or_default();
    let gone = old
        .named
        .iter()
        .filter(|(name, _)| layout.named.iter().all(|(other, _)| other != name))
        .map(|&(name, _)| (name, egui::Rect::ZERO));
    for (name, rect) in layout.named.iter().copied().chain(gone) {
        if !old.named.contains(&(name, rect)) {
            let [x, y] = [rect.left(), rect.top()].map(|points| points * scale);
            let [width, height] = [rect.width(), rect.height()].map(|points| points * scale);
            log::debug!("layout {name} {x:.0},{y:.0},{width:.0},{height:.0}");
        }
    }
    stage.layout = Some(layout);
}

fn next_wake(viewer: &Viewer, stage: &Stage, was_shown: bool) -> Option<Duration> {
    if stage.is_hidden() {
        // Nobody sees it; time goes on when the window comes back.
        return None;
    }
    if stage.is_lost() {
        // The next frame makes everything anew.
        return Some(Duration::ZERO);
    }
    if !was_shown {
        // No event may tell when there is room again, and without a picture to wait for, asking at once would never rest.
        return Some(SKIP_PAUSE);
    }
    let loading = viewer.is_reading().then_some(PROGRESS_PAUSE);
    let moving = viewer.session.is_moving().then_some(Duration::ZERO);
    let interface = stage.painter.repaint_after();
    let interface = (interface < Duration::from_secs(3600)).then_some(interface);
    [moving, loading, interface].into_iter().flatten().min()
}

/// How long things took, for the clock and for the statistics.
#[derive(Debug, Default)]
pub(super) struct FrameTimes {
    /// When the last frame was drawn in which time ran.
    last_tick: Option<Instant>,
    pose: Duration,
    /// What is left to do for a crowd when its picture is drawn.
    crowd: Duration,
    frame: Duration,
    costs: Costs,
    /// When the frames of the last second were drawn.
    recent: VecDeque<Instant>,
}

impl FrameTimes {
    /// Time since the last frame; zero if the clock stood still then.
    fn elapsed_secs(&mut self, now: Instant, session: &Session) -> f64 {
        let last = self.last_tick.take();
        self.last_tick = session.is_moving().then_some(now);
        let elapsed = last.map_or(Duration::ZERO, |last| now - last);
        elapsed.as_secs_f64().min(MAX_STEP_SECS)
    }

    fn finish(&mut self, started: Instant) {
        self.frame = started.elapsed();
        self.costs.finish();
        self.recent.push_back(started);
        while let Some(&oldest) = self.recent.front()
            && started - oldest > Duration::from_secs(1)
        {
            self.recent.pop_front();
        }
    }
}
