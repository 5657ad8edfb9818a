//! What is saved is what was asked for, and the window stays as it is.

mod film;
mod look;

use std::time::Duration;

use image::AnimationDecoder as _;

use super::*;
use crate::{
    app::built_in,
    scene::{Side, SplitWay},
    ui::{
        CameraCommand, Command, CompareCommand, CompareWith, PictureCommand, PlaybackCommand,
        TimelineCommand,
    },
};

fn begin(session: &mut Session, gpu: &Gpu, path: &Path, settings: SavingSettings) -> SavingJob {
    let plan = session.plan_saving(settings);
    job_of(session, gpu, path.to_owned(), plan).unwrap()
}

fn job_of(
    session: &mut Session,
    gpu: &Gpu,
    path: PathBuf,
    plan: SavingPlan,
) -> anyhow::Result<SavingJob> {
    let SavingKind::Picture(kind) = plan.settings.kind else {
        panic!("a pose is no picture");
    };
    SavingJob::new(session, gpu, path, kind, plan)
}

/// While the system's dialog is open all goes on: what it says counts for what was shown when it opened.
#[test]
fn what_is_saved_is_what_was_asked_for() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.0);
    session.apply(Command::SelectClip(Some(1)));
    let settings = SavingSettings {
        kind: SavingKind::Picture(PictureKind::Frames),
        size: [64, 48],
        ..SavingSettings::default()
    };
    let plan = session.plan_saving(settings);
    let path = std::env::temp_dir().join("rigscope-never.png");
    session.clock.set_duration(60.0);
    assert_ne!(session.frames_to_save(&settings), plan.frames);
    let job = job_of(&mut session, &gpu, path.clone(), plan.clone()).unwrap();
    assert_eq!(job.plan.frames, plan.frames, "more would replace unasked");
    session.apply(Command::SelectClip(Some(0)));
    assert!(job_of(&mut session, &gpu, path, plan).is_err());
}

/// Frames are those of the clip, and what is on screen stays as it is.
#[test]
fn what_is_saved_leaves_the_window_alone() {
    let Some(gpu) = Gpu::for_test() else { return };
    let import = built_in::load("Pip").unwrap();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.7);
    session.apply(Command::SelectClip(Some(1)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.update();
    let settings = SavingSettings {
        kind: SavingKind::Picture(PictureKind::Apng),
        size: [64, 48],
        fps: 4.0,
        turntable: false,
        transparent: true,
    };
    let before = (session.clock.clone(), session.camera(), session.aspect());
    let pose = session.actor.pose().world.clone();
    let path = std::env::temp_dir().join(format!("rigscope-{}.apng", std::process::id()));
    let mut job = begin(&mut session, &gpu, &path, settings);
    let mut steps = 0;
    while !job.step(&mut session, &gpu).unwrap() {
        assert!(!path.exists(), "it is there once it is whole");
        steps += 1;
    }
    let after = (session.clock.clone(), session.camera(), session.aspect());
    assert!(before == after && pose == session.actor.pose().world);
    let bytes = std::io::Cursor::new(std::fs::read(&path).unwrap());
    std::fs::remove_file(&path).unwrap();
    let decoder = image::codecs::png::PngDecoder::new(bytes).unwrap();
    let frames = decoder.apng().unwrap().into_frames();
    let frames: Vec<_> = frames.map(|frame| frame.unwrap().into_buffer()).collect();
    // A walk of 1.07 s at 4 a second.
    assert_eq!([frames.len(), steps + 1], [4, 4]);
    assert!(frames[0] != frames[1] && frames[1] != frames[2]);
    let mut renderer = job.renderer;
    let shot = Shot {
        moment: Moment {
            clip_secs: 0.5,
            mix_secs: 0.5,
            crowd_secs: 0.5,
        },
        camera: session.camera.held(),
        size: [64, 48],
    };
    let still = session.picture_at(&gpu, &mut renderer, &shot, &job.plan);
    assert!(still.unwrap().rgba8 == *frames[2].as_raw());
}

/// What a device has refused before is over, and another device takes over where one is lost.
#[test]
fn saving_outlives_errors_and_devices() {
    let Some((first, second)) = Gpu::for_test().zip(Gpu::for_test()) else {
        return;
    };
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.0);
    session.apply(Command::SelectClip(Some(1)));
    let _ = first.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE,
        mapped_at_creation: false,
    });
    assert!(first.first_error().is_some());
    let settings = SavingSettings {
        kind: SavingKind::Picture(PictureKind::Apng),
        size: [64, 48],
        fps: 4.0,
        ..SavingSettings::default()
    };
    let folder = std::env::temp_dir().join(format!("rigscope-renew-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut save = |name: &str, gpus: [&Gpu; 2]| {
        let path = folder.join(name);
        let mut job = begin(&mut session, gpus[0], &path, settings);
        job.step(&mut session, gpus[0]).unwrap();
        job.renew(&session, gpus[1]);
        while !job.step(&mut session, gpus[1]).unwrap() {}
        std::fs::read(path).unwrap()
    };
    let whole = save("whole.apng", [&first, &first]);
    assert!(whole == save("renewed.apng", [&first, &second]));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_model_that_comes_in_between_ends_it() {
    let Some(gpu) = Gpu::for_test() else { return };
    let new = || built_in::load("Windmill").unwrap();
    let mut session = Session::new(new(), None, Duration::ZERO);
    session.set_aspect(1.0);
    let path = std::env::temp_dir().join("rigscope-never.png");
    let mut job = begin(&mut session, &gpu, &path, SavingSettings::default());
    session.replace_model(new(), None, Duration::ZERO);
    assert!(job.step(&mut session, &gpu).is_err() && !path.exists());
}

/// A session with something to compare, at a moment of its clip.
fn session_at_rest() -> Session {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.0);
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
    session.update();
    session
}

fn compare(session: &mut Session, command: CompareCommand) {
    session.apply(Command::Compare(command));
    session.update();
}

/// What a picture of this size holds.
fn picture(session: &mut Session, gpu: &Gpu, size: [u32; 2]) -> Vec<u8> {
    let plan = session.plan_saving(SavingSettings {
        size,
        ..SavingSettings::default()
    });
    let mut renderer = renderer_for(session, gpu, &plan);
    let shot = Shot {
        moment: session.present_moment(),
        camera: session.camera.held(),
        size,
    };
    let picture = session.picture_at(gpu, &mut renderer, &shot, &plan);
    picture.unwrap().rgba8
}

/// Some columns of a picture that is 96 pixels wide.
fn columns(rgba8: &[u8], range: std::ops::Range<usize>) -> Vec<u8> {
    let rows = rgba8.chunks_exact(4 * 96);
    rows.flat_map(|row| &row[4 * range.start..4 * range.end])
        .copied()
        .collect()
}

/// Both are saved as they are seen, whatever B is; and the window goes on as before.
#[test]
fn two_that_are_compared_are_saved_as_they_are_seen() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mut session = session_at_rest();
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    // Who saw all of A is led to where both are seen: from there on the camera stays.
    session.set_aspects([0.5, 0.5]);
    session.update();
    let [first, half] = [0, 1].map(|clip| {
        compare(&mut session, CompareCommand::Show(None));
        session.apply(Command::SelectClip(Some(clip)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        session.update();
        picture(&mut session, &gpu, [48, 96])
    });
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    session.set_aspects([0.5, 0.5]);
    assert!(session.saving_view().compares);
    let before = (session.camera(), session.aspect(), session.compare.split);
    let beside = picture(&mut session, &gpu, [96; 2]);
    // The box around both says where the camera's planes are, so the last bits may be others.
    let is_near = |a: &[u8], b: &[u8]| {
        let off = a.iter().zip(b).filter(|(a, b)| a.abs_diff(**b) > 2);
        a.len() == b.len() && off.count() < a.len() / 200
    };
    assert!(
        is_near(&columns(&beside, 0..48), &first),
        "A is on the left"
    );
    assert!(
        is_near(&columns(&beside, 48..96), &half),
        "B is on the right"
    );
    assert!(!is_near(&first, &half));
    compare(&mut session, CompareCommand::Swap);
    let swapped = picture(&mut session, &gpu, [96; 2]);
    assert!(columns(&swapped, 48..96) == columns(&beside, 0..48));
    compare(&mut session, CompareCommand::Swap);
    let after = (session.camera(), session.aspect(), session.compare.split);
    assert_eq!(before, after);

    let overlaid = CompareCommand::Show(Some(SplitWay::Overlay));
    compare(&mut session, overlaid);
    session.set_aspects([1.0, 1.0]);
    let lines = session.actor.overlay().lines.len();
    let over = picture(&mut session, &gpu, [96; 2]);
    assert!(over != beside);
    assert_eq!(session.actor.overlay().lines.len(), lines);
    compare(&mut session, CompareCommand::Show(None));
    session.set_aspect(1.0);
    let alone = picture(&mut session, &gpu, [96; 2]);
    assert!(over != alone);

    // Another file: its meshes are its own.
    session.compare_with(built_in::load("Windmill").unwrap());
    compare(&mut session, CompareCommand::Show(Some(SplitWay::Wipe)));
    session.set_aspects([1.0, 1.0]);
    let wiped = picture(&mut session, &gpu, [96; 2]);
    assert!(is_near(&columns(&wiped, 0..48), &columns(&alone, 0..48)));
    assert!(!is_near(&columns(&wiped, 48..96), &columns(&alone, 48..96)));
}

/// Halves that are narrower than those on screen show as much from side to side.
#[test]
fn halves_show_what_was_seen() {
    let mut session = session_at_rest();
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    session.set_aspects([0.8, 0.8]);
    let pair = session.kept_pair().unwrap();
    assert!((pair.step_back(0.4) - 2.0).abs() < 1e-6);
    assert_eq!(pair.step_back(1.5), 1.0, "nor nearer");
    compare(&mut session, CompareCommand::Show(Some(SplitWay::Wipe)));
    assert_eq!(session.kept_pair().unwrap().step_back(0.4), 1.0);
}

/// The user may go on with something else while frames are drawn.
#[test]
fn what_is_compared_meanwhile_changes_nothing() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mut session = session_at_rest();
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    session.set_aspects([0.5, 0.5]);
    let settings = SavingSettings {
        kind: SavingKind::Picture(PictureKind::Apng),
        size: [64, 48],
        fps: 2.0,
        turntable: true,
        ..SavingSettings::default()
    };
    let folder = std::env::temp_dir().join(format!("rigscope-pair-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut save = |name: &str, between: &dyn Fn(&mut Session)| {
        let path = folder.join(name);
        let mut job = begin(&mut session, &gpu, &path, settings);
        job.step(&mut session, &gpu).unwrap();
        between(&mut session);
        while !job.step(&mut session, &gpu).unwrap() {}
        std::fs::read(path).unwrap()
    };
    let whole = save("whole.apng", &|_| ());
    let interrupted = save("other.apng", &|session| {
        compare(session, CompareCommand::MoveLine(0.2));
        compare(session, CompareCommand::With(CompareWith::Skinning));
        compare(session, CompareCommand::Show(None));
    });
    assert!(whole == interrupted);
    assert!(session.split().is_none(), "A alone is shown still");
    // Another file in the place of that which is saved is an end.
    session.compare_with(built_in::load("Windmill").unwrap());
    session.update();
    let mut job = begin(&mut session, &gpu, &folder.join("never.apng"), settings);
    job.step(&mut session, &gpu).unwrap();
    session.compare_with(built_in::load("Pip").unwrap());
    session.update();
    assert!(job.step(&mut session, &gpu).is_err());
    drop(job);
    let left = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(left, 2, "nothing half written");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The frames of an APNG.
fn frames_of(path: &Path) -> Vec<image::RgbaImage> {
    let bytes = std::io::Cursor::new(std::fs::read(path).unwrap());
    let decoder = image::codecs::png::PngDecoder::new(bytes).unwrap();
    let frames = decoder.apng().unwrap().into_frames();
    frames.map(|frame| frame.unwrap().into_buffer()).collect()
}

/// Saves an animation, after whose first frame something happens.
fn saved(
    session: &mut Session,
    gpu: &Gpu,
    settings: SavingSettings,
    meanwhile: impl FnOnce(&mut Session),
) -> Vec<image::RgbaImage> {
    let name = format!("rigscope-{:?}.apng", std::thread::current().id());
    let path = std::env::temp_dir().join(name);
    let mut job = begin(session, gpu, &path, settings);
    job.step(session, gpu).unwrap();
    meanwhile(session);
    while !job.step(session, gpu).unwrap() {}
    let frames = frames_of(&path);
    std::fs::remove_file(&path).unwrap();
    frames
}

const SMALL: SavingSettings = SavingSettings {
    kind: SavingKind::Picture(PictureKind::Apng),
    size: [96, 96],
    fps: 4.0,
    turntable: false,
    transparent: true,
};

/// Nothing is behind it: the grid of the window neither.
#[test]
fn a_transparent_picture_holds_the_model_alone() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mut session = session_at_rest();
    session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
    let transparent = |session: &mut Session| {
        let frames = saved(session, &gpu, SMALL, |_| ());
        let pixels = frames[0].pixels();
        pixels.filter(|pixel| pixel[3] == 0).count()
    };
    assert!(session.shown.grid);
    let with_grid = transparent(&mut session);
    session.apply(Command::Picture(PictureCommand::ToggleGrid));
    assert_eq!(with_grid, transparent(&mut session));
    session.apply(Command::Picture(PictureCommand::ToggleGrid));
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    session.set_aspects([0.5, 0.5]);
    let with_grid = transparent(&mut session);
    session.apply(Command::Picture(PictureCommand::ToggleGrid));
    assert_eq!(with_grid, transparent(&mut session));
}

/// Who stands out of sight of the window may stand before the camera that goes around.
#[test]
fn a_crowd_is_saved_as_the_saved_camera_sees_it() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.0);
    session.set_crowd_size(30);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.update();
    let shown = |session: &Session| session.actor.crowd().unwrap().in_sight();
    let all = shown(&session);
    let around = SavingSettings {
        turntable: true,
        fps: 1.0,
        ..SMALL
    };
    let whole = saved(&mut session, &gpu, around, |_| ());
    let looked_away = saved(&mut session, &gpu, around, |session| {
        session.apply(Command::Camera(CameraCommand::ToggleProjection));
        session.apply(Command::Camera(CameraCommand::Zoom {
            notches: 30.0,
            toward: [0.9; 2],
        }));
        session.update();
        assert!(shown(session) < all / 2, "{}", shown(session));
    });
    assert!(whole == looked_away);
    assert!(shown(&session) < all / 2, "the window sees what it saw");
}

/// What is followed keeps its place in the saved frames, too, also if it is let go meanwhile.
#[test]
fn what_is_followed_is_followed_in_what_is_saved() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.0);
    let model = session.model();
    let node = |name: &str| {
        let mut nodes = model.hierarchy.iter();
        nodes.find(|(_, node)| node.name == name).unwrap().0
    };
    let head = node("head");
    session.apply(Command::SelectNode(Some(head.index())));
    session.apply(Command::SelectClip(Some(1)));
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.apply(Command::Camera(CameraCommand::ToggleFollow));
    session.update();
    let settings = SavingSettings { fps: 12.0, ..SMALL };
    let frames = saved(&mut session, &gpu, settings, |_| ());
    let at = |session: &mut Session, frame: usize| {
        session.apply(Command::Playback(PlaybackCommand::Seek(
            frame as f64 / 12.0,
        )));
        session.update();
        let settings = SavingSettings {
            kind: SavingKind::Picture(PictureKind::Still),
            ..settings
        };
        let plan = session.plan_saving(settings);
        let mut job = job_of(session, &gpu, PathBuf::new(), plan.clone()).unwrap();
        let shot = Shot {
            moment: plan.now,
            camera: plan.camera,
            size: settings.size,
        };
        session
            .picture_at(&gpu, &mut job.renderer, &shot, &plan)
            .unwrap()
            .rgba8
    };
    for frame in [0, 4, 8] {
        let shown = at(&mut session, frame);
        assert!(*frames[frame].as_raw() == shown, "frame {frame}");
    }
    session.apply(Command::Playback(PlaybackCommand::Seek(0.0)));
    session.update();
    let let_go = saved(&mut session, &gpu, settings, |session| {
        session.apply(Command::Camera(CameraCommand::ToggleFollow));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        session.apply(Command::Timeline(TimelineCommand::MarkIn));
    });
    assert!(let_go == frames);
}

/// Who chooses the moment and then types a name gets that moment.
#[test]
fn a_picture_is_of_the_moment_in_which_it_was_asked_for() {
    let Some(gpu) = Gpu::for_test() else { return };
    let mut session = session_at_rest();
    let shown = picture(&mut session, &gpu, [64, 64]);
    let settings = SavingSettings {
        size: [64, 64],
        ..SavingSettings::default()
    };
    let plan = session.plan_saving(settings);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.tick(0.4);
    session.apply(Command::Camera(CameraCommand::LookFrom(Side::Left)));
    session.tick(1.0);
    session.update();
    let clock = session.clock.clone();
    assert!(
        picture(&mut session, &gpu, [64, 64]) != shown,
        "all goes on"
    );
    let mut renderer = renderer_for(&session, &gpu, &plan);
    let shot = Shot {
        moment: plan.now,
        camera: plan.camera,
        size: [64, 64],
    };
    let saved = session.picture_at(&gpu, &mut renderer, &shot, &plan);
    assert!(saved.unwrap().rgba8 == shown);
    assert_eq!(session.clock, clock);
}
