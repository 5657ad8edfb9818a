//! The window: events in, frames out. What they mean is decided elsewhere.
//!
//! `stage` is what it is drawn on, `event_loop` the window system that serves best, `dialogs` what the system asks for it.

mod dialogs;
mod event_loop;
mod held_keys;
mod rebuilds;
mod stage;
mod user_event;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use winit::{
    application::ApplicationHandler,
    event::{StartCause, WindowEvent},
    event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy},
    window::WindowId,
};

pub(super) use self::{dialogs::answer, stage::Stage, user_event::UserEvent};
use self::{
    event_loop::{can_drop, event_loop},
    held_keys::Dropped,
    rebuilds::{Lost, Rebuilds},
};
use super::{
    Errand, MachineFault, Session, built_in,
    compare::{Looking, SecondFile},
    files::{
        ClipReader, Documents, EnvironmentReader, PoseReader, SecondLook, Source, is_pose_name,
        paths_in_text, take_environment, viewer_consent,
    },
    frame::{self, Aftermath, FrameTimes},
    interrupt::{self, Interrupted},
    panels::Rows,
    saving::Outgoing,
    settings::{Settings, SettingsFile},
    time::Analyst,
};
use crate::{
    anim::Skinning,
    import::{Consent, Import, is_panorama},
    scene::{FormChoice, LightOverrides},
    ui::{LoadKind, Message, UiState, WindowCommand},
};

/// Everything behind the window.
pub(super) struct Viewer {
    pub(super) session: Session,
    pub(super) documents: Documents,
    pub(super) settings: SettingsFile,
    /// The settings that the window is opened with.
    remembered: Settings,
    pub(super) ui_state: UiState,
    pub(super) rows: Rows,
    pub(super) analyst: Analyst,
    pub(super) second_look: SecondLook,
    pub(super) clip_reader: ClipReader,
    pub(super) times: FrameTimes,
    /// Whether the system can drop files on the window.
    pub(super) can_drop: bool,
    pub(super) proxy: EventLoopProxy<UserEvent>,
    pub(super) environment: EnvironmentReader,
    pub(super) pose_reader: PoseReader,
    pub(super) outgoing: Outgoing,
    /// What is compared with, if it is another file.
    pub(super) second_file: SecondFile,
    /// Whether a thread finds out how far two subjects lie apart.
    pub(super) looking: Looking,
    dropped: Dropped,
    pub(super) is_dialog_open: bool,
    must_quit: bool,
    /// When the interface or time wants one, if that is not at once.
    next_frame: Option<Instant>,
    /// Why the window could not be opened, or not be kept: winit's callbacks cannot return it.
    failure: Option<anyhow::Error>,
    rebuilds: Rebuilds,
    pub(super) stage: Option<Stage>,
}

/// What the window is opened with.
#[derive(Debug, Clone)]
pub struct WindowOptions {
    /// What is shown, or what it is made of; none is the built-in model.
    pub files: Vec<PathBuf>,
    /// What it is compared with.
    pub compare: Option<PathBuf>,
    /// What the user has agreed to.
    pub consent: Consent,
    /// Whether Wayland is wanted even where X11 is there, too.
    pub wayland: bool,
    /// How many of the model there are at the start: 1 is the model alone.
    pub crowd_size: usize,
    /// How their matrices go to the graphics adapter.
    pub crowd_form: FormChoice,
    /// The variant of the materials, by its name or its index, where the model has it.
    pub variant: Option<String>,
    /// How joints that move a vertex are blended.
    pub skinning: Skinning,
    /// What is to be different from the light as it was set before.
    pub light: LightOverrides,
    /// The picture of the environment; none is the studio.
    pub environment: Option<PathBuf>,
}

/// Opens the window and returns when it is closed.
pub fn run_window(options: WindowOptions) -> anyhow::Result<()> {
    let event_loop = event_loop(options.wayland).map_err(MachineFault)?;
    let proxy = event_loop.create_proxy();
    interrupt::watch_with({
        let proxy = proxy.clone();
        move || {
            // Without an event loop the program is about to end.
            let _ = proxy.send_event(UserEvent::Interrupted);
        }
    });
    let mut session = Session::new(Import::default(), None, Duration::ZERO);
    session.set_form_choice(options.crowd_form);
    session.set_crowd_size(options.crowd_size);
    session.want_variant(options.variant);
    session.set_skinning(options.skinning);
    session.set_smooth_camera(true);
    let (mut settings, remembered) = SettingsFile::open();
    remembered.apply(&mut session);
    // What is asked for now counts more than what was set before.
    if options.light.quality.is_some() {
        session.surroundings.settle_quality();
    }
    session.set_light(options.light.over(session.surroundings.light));
    settings.set_asked(&session);
    let mut ui_state = UiState::default();
    ui_state.remember(&remembered.panels());
    let second_file = SecondFile::for_window(&proxy);
    let mut viewer = Viewer {
        session,
        settings,
        remembered,
        documents: Documents::for_window(&proxy),
        ui_state,
        rows: Rows::default(),
        analyst: Analyst::new({
            let proxy = proxy.clone();
            // The window may have closed meanwhile.
            move || drop(proxy.send_event(UserEvent::Analyzed))
        }),
        second_look: SecondLook::new({
            let proxy = proxy.clone();
            move || drop(proxy.send_event(UserEvent::Analyzed))
        }),
        clip_reader: ClipReader::for_window(&proxy),
        times: FrameTimes::default(),
        can_drop: can_drop(&event_loop),
        proxy,
        environment: EnvironmentReader::default(),
        pose_reader: PoseReader::default(),
        outgoing: Outgoing::default(),
        second_file,
        looking: Looking::default(),
        dropped: Dropped::default(),
        is_dialog_open: false,
        must_quit: false,
        next_frame: None,
        failure: None,
        rebuilds: Rebuilds::default(),
        stage: None,
    };
    let (files, mut consent) = (options.files, options.consent);
    let is_alone = files.iter().all(|file| is_panorama(file));
    if is_alone {
        viewer.open(Source::BuiltIn(built_in::NAMES[0]));
    }
    if let Some(path) = options.environment {
        viewer.read_environment(path);
    }
    consent.first_of_several = true;
    viewer.open_given(files, consent.clone());
    if let Some(other) = options.compare {
        viewer.read_second_file(vec![other], consent);
    }
    event_loop
        .run_app(&mut viewer)
        .context("the window system failed")
        .map_err(MachineFault)?;
    viewer.failure.map_or(Ok(()), Err)
}

/// Files, or a built-in model that is written as one.
pub(super) fn source_of(files: Vec<PathBuf>, consent: Consent) -> Source {
    let name = match &*files {
        [file] => built_in::name_of(file),
        _ => None,
    };
    let known = name.and_then(|name| {
        built_in::NAMES
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
    });
    known.map_or(Source::Files { files, consent }, Source::BuiltIn)
}

impl Viewer {
    fn open(&mut self, source: Source) {
        // It was for the model before.
        self.pose_reader.cancel();
        self.documents.open(source);
        self.request_redraw();
    }

    pub(super) fn request_redraw(&self) {
        if let Some(stage) = &self.stage {
            stage.request_redraw();
        }
    }

    /// Does what the session leaves to the window.
    fn run(&mut self, errand: Errand) {
        match errand {
            Errand::Window(command) => self.apply(command),
            Errand::AcceptOffer => {
                if let Some(source) = self.documents.accept_offer() {
                    self.read_second_source(source);
                }
            }
            Errand::LookForRecent => self.look_for_recent(),
            Errand::Save => self.ask_where_to_save(),
            Errand::SaveAt(path) => self.save_at(path),
            Errand::ReplaceSaved => self.replace_saved(),
            Errand::KeepSaved => self.keep_saved(),
            Errand::StopSaving => self.stop_saving(),
        }
        self.request_redraw();
    }

    /// Does what is asked of the window itself.
    fn apply(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::OpenDialog(kind) => self.open_dialog(kind),
            WindowCommand::PastePath => self.paste_path(),
            WindowCommand::Open(files) => self.open_given(files, viewer_consent()),
            WindowCommand::OpenBuiltIn(name) => self.open(Source::BuiltIn(name)),
            WindowCommand::Reload => self.reload(),
            WindowCommand::StepFile(steps) => self.step_file(steps),
            WindowCommand::CancelLoading(kind) => self.cancel(kind),
            WindowCommand::ScaleUi(steps) => {
                if let Some(stage) = &self.stage {
                    stage.scale_ui(steps);
                }
            }
            WindowCommand::CopyRenderCommand => self.copy_render_command(),
            WindowCommand::UseAdapter => self.use_adapter(),
            WindowCommand::Quit => self.must_quit = self.may_close(),
        }
    }

    /// Reads files that were chosen or dropped.
    fn read(&mut self, mut files: Vec<PathBuf>, kind: LoadKind) {
        match kind {
            LoadKind::Model => self.open_given(files, viewer_consent()),
            LoadKind::Clips => self.read_clips(files),
            LoadKind::Compared => self.read_second_file(files, viewer_consent()),
            LoadKind::Environment => {
                if let Some(path) = files.pop() {
                    self.read_environment(path);
                }
            }
        }
    }

    /// Opens the model among these files, and puts it into the environment among them; takes the pose that is alone.
    fn open_given(&mut self, mut files: Vec<PathBuf>, consent: Consent) {
        if let Some(path) = take_environment(&mut files) {
            self.read_environment(path);
        }
        match &*files {
            [] => {}
            [file] if is_pose_name(file) => self.read_pose(file.clone(), consent),
            _ => self.open(source_of(files, consent)),
        }
    }

    fn paste_path(&mut self) {
        let text = self.stage.as_mut().and_then(Stage::clipboard_text);
        let files = text.as_deref().and_then(paths_in_text);
        match files {
            Some(files) => self.open_given(files, viewer_consent()),
            None => self.session.tell(Message::error(
                "Nothing to open",
                "The clipboard holds no path.",
            )),
        }
    }

    /// Does as the adapter can.
    fn suit(&mut self, stage: &Stage) {
        let formats = stage.gpu.block_formats();
        self.documents.file.set_block_formats(formats);
        self.second_file.file.set_block_formats(formats);
        self.session.suit_adapter(stage.gpu.is_software());
    }

    /// Draws with the graphics adapter again, which was given up.
    fn use_adapter(&mut self) {
        self.rebuilds.ask_for_hardware();
        if let Some(stage) = &mut self.stage {
            stage.mark_lost();
        }
    }

    /// Gives up: the window closes, and the program ends with `failure`.
    fn fail(&mut self, event_loop: &ActiveEventLoop, failure: anyhow::Error) {
        self.failure = Some(MachineFault(failure).into());
        event_loop.exit();
    }

    fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        if let Some(lost) = self.stage.take_if(|stage| stage.is_lost()) {
            let kind = lost.gpu.kind();
            let is_device = lost.gpu.is_lost();
            let next = self
                .rebuilds
                .replacement(Lost { kind, is_device }, Instant::now());
            let Some(preferred) = next else {
                let failure = anyhow::anyhow!("the graphics device is lost again and again");
                return self.fail(event_loop, failure);
            };
            match lost.rebuild(preferred) {
                Ok(stage) => {
                    self.suit(&stage);
                    self.renew_saving(&stage);
                    if self.rebuilds.misses_hardware(kind, stage.gpu.kind()) {
                        self.session.tell_of_given_up_adapter();
                    }
                    self.stage = Some(stage);
                }
                Err(error) => return self.fail(event_loop, error),
            }
        }
        let Some(mut stage) = self.stage.take() else {
            return;
        };
        let Aftermath { errands, wake } = frame::draw(self, &mut stage);
        self.stage = Some(stage);
        for errand in errands {
            self.run(errand);
        }
        if self.must_quit {
            event_loop.exit();
            return;
        }
        self.keep_settings(false);
        self.next_frame = match wake {
            // The next frame is asked for at once; presenting waits for the screen.
            Some(Duration::ZERO) => {
                self.request_redraw();
                None
            }
            pause => pause.map(|pause| Instant::now() + pause),
        };
        self.wait(event_loop);
    }

    /// Sleeps until something happens, or is due.
    fn wait(&self, event_loop: &ActiveEventLoop) {
        let due = [self.next_frame, self.settings.due_at()];
        let first = due.into_iter().flatten().min();
        event_loop.set_control_flow(first.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}

impl ApplicationHandler<UserEvent> for Viewer {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.stage.is_some() {
            return;
        }
        match Stage::open(event_loop, &self.remembered, self.proxy.clone()) {
            Ok(stage) => {
                stage.request_redraw();
                self.suit(&stage);
                self.stage = Some(stage);
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        match event {
            UserEvent::Interrupted => {
                self.failure = Some(Interrupted.into());
                event_loop.exit();
            }
            UserEvent::Loaded(loaded) => {
                if let Some(source) = self.documents.on_loaded(&mut self.session, *loaded) {
                    self.on_opened(&source);
                }
                self.request_redraw();
            }
            UserEvent::Missing(paths) => self.on_missing(&paths),
            UserEvent::SaveTo(asked) => self.on_save_to(asked),
            UserEvent::SavedSome(done, all) => self.on_saved_some(done, all),
            UserEvent::SavedAside(saved) => self.on_saved_aside(*saved),
            UserEvent::FilesChanged => {
                self.documents.file.follow();
                self.request_redraw();
            }
            UserEvent::SecondFileChanged => {
                self.second_file.file.follow();
                self.request_redraw();
            }
            UserEvent::Chosen(kind, files) => {
                self.end_dialog();
                self.read(files, kind);
            }
            UserEvent::NoDialog => self.on_no_dialog(),
            UserEvent::Clips(news) => self.on_clips(news),
            UserEvent::Differences(found) => self.on_differences(*found),
            UserEvent::SecondFile(read) => self.on_second_file(*read),
            UserEvent::Environment(read) => self.on_environment(*read),
            UserEvent::Pose(read) => self.on_pose(*read),
            UserEvent::NoPose(other) => {
                if self.pose_reader.ends(other.ticket) {
                    self.open(source_of(vec![other.path], other.consent));
                }
            }
            UserEvent::Analyzed => self.request_redraw(),
            UserEvent::ScreenReader(event) => {
                if let Some(stage) = &mut self.stage {
                    stage.painter.on_screen_reader_event(event);
                    stage.request_redraw();
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(stage) = &mut self.stage else { return };
        if stage.on_window_event(&event) {
            stage.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => self.close(event_loop),
            WindowEvent::RedrawRequested => self.redraw(event_loop),
            WindowEvent::DroppedFile(file) => self.dropped.push(file, stage),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.hold_arrivals();
        if let Some((files, kind)) = self.dropped.take() {
            self.read(files, kind);
        }
        // Not in redraw: windows that are minimised or covered may not be drawn, and are saved from nevertheless.
        if self.step_saving() {
            event_loop.set_control_flow(ControlFlow::Poll);
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        match cause {
            StartCause::ResumeTimeReached { .. } => {
                self.keep_settings(false);
                // Until the frame says when the next one is wanted: some systems hold frames of hidden windows back, and a
                // time that has passed would wake the loop over and over.
                let is_due = self.next_frame.take_if(|at| *at <= Instant::now());
                if is_due.is_some() {
                    self.request_redraw();
                }
                self.wait(event_loop);
            }
            // There may be nothing left to do at once.
            StartCause::Poll => self.wait(event_loop),
            StartCause::Init | StartCause::WaitCancelled { .. } => {}
        }
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        self.keep_settings(true);
        self.outgoing.finish();
        // While the event loop and the display are still there.
        self.stage = None;
    }
}
