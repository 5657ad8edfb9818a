//! What is saved is what was asked for, and the window stays as it is.

use std::time::Duration;

use image::AnimationDecoder as _;

use super::*;
use crate::{
    app::built_in,
    scene::SplitWay,
    ui::{CompareCommand, CompareWith},
};

fn begin(session: &mut Session, gpu: &Gpu, path: &Path, settings: SavingSettings) -> SavingJob {
    let plan = session.plan_saving(settings);
    SavingJob::new(session, gpu, path.to_owned(), plan).unwrap()
}

/// While the system's dialog is open all goes on: what it says counts for what was shown when it opened.
#[test]
fn what_is_saved_is_what_was_asked_for() {
    let Ok(gpu) = Gpu::headless() else { return };
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.0);
    session.apply(Command::SelectClip(Some(1)));
    let settings = SavingSettings {
        kind: SavingKind::Frames,
        size: [64, 48],
        ..SavingSettings::default()
    };
    let plan = session.plan_saving(settings);
    let path = std::env::temp_dir().join("rigscope-never.png");
    session.clock.set_duration(60.0);
    assert_ne!(session.frames_to_save(&settings), plan.frames);
    let job = SavingJob::new(&mut session, &gpu, path.clone(), plan).unwrap();
    assert_eq!(job.frames, plan.frames, "more would replace unasked");
    session.apply(Command::SelectClip(Some(0)));
    assert!(SavingJob::new(&mut session, &gpu, path, plan).is_err());
}

/// Frames are those of the clip, and what is on screen stays as it is.
#[test]
fn what_is_saved_leaves_the_window_alone() {
    let Ok(gpu) = Gpu::headless() else {
        assert!(std::env::var_os("REQUIRE_GPU").is_none(), "no adapter");
        println!("skipped: no adapter");
        return;
    };
    let import = built_in::load("Pip").unwrap();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.7);
    session.apply(Command::SelectClip(Some(1)));
    session.apply(Command::Seek(0.3));
    session.update();
    let settings = SavingSettings {
        kind: SavingKind::Apng,
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
    let still = session.picture_at(
        &gpu,
        &mut renderer,
        Some(0.5),
        before.1,
        [64, 48],
        &settings,
    );
    assert!(still.unwrap().rgba8 == *frames[2].as_raw());
}

/// What a device has refused before is over, and another device takes over where one is lost.
#[test]
fn saving_outlives_errors_and_devices() {
    let devices = || Gpu::headless().ok().zip(Gpu::headless().ok());
    let Some((first, second)) = devices() else {
        assert!(std::env::var_os("REQUIRE_GPU").is_none(), "no adapter");
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
        kind: SavingKind::Apng,
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
    let Ok(gpu) = Gpu::headless() else { return };
    let new = || built_in::load("Windmill").unwrap();
    let mut session = Session::new(new(), None, Duration::ZERO);
    session.set_aspect(1.0);
    let path = std::env::temp_dir().join("rigscope-never.png");
    let mut job = begin(&mut session, &gpu, &path, SavingSettings::default());
    session.replace_model(new(), None, Duration::ZERO);
    assert!(job.step(&mut session, &gpu).is_err() && !path.exists());
}

/// Of two that are compared A is saved, and nothing of B is drawn on it.
#[test]
fn a_is_saved_as_if_it_were_alone() {
    let Ok(gpu) = Gpu::headless() else { return };
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_aspect(1.0);
    session.apply(Command::TogglePlay);
    session.apply(Command::ToggleSkeleton);
    session.update();
    let settings = SavingSettings {
        size: [96, 96],
        ..SavingSettings::default()
    };
    let picture = |session: &mut Session| {
        let mut renderer = renderer_for(session, &gpu);
        let camera = session.camera();
        let picture = session.picture_at(&gpu, &mut renderer, None, camera, [96; 2], &settings);
        picture.unwrap().rgba8
    };
    let alone = picture(&mut session);
    let with = CompareCommand::With(CompareWith::Clip(1));
    session.apply(Command::Compare(with));
    let overlaid = CompareCommand::Show(Some(SplitWay::Overlay));
    session.apply(Command::Compare(overlaid));
    session.update();
    let lines = session.actor.overlay().clone();
    assert!(session.saving_view().leaves_out_b);
    assert!(picture(&mut session) == alone);
    assert!(session.split().is_some());
    assert!(session.actor.overlay().lines.len() == lines.lines.len());
}
