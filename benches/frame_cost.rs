//! What a frame of a model costs: 640 × 480 pixels, 4 samples each, everything as the window has it; and what its passes do,
//! by timestamps of the GPU. Then the same with `--quality low`. Where the processor draws, the time that it works for a
//! frame, on all cores together, says more than the clock on a machine with other things to do.
//!
//! Last, crowds of the built-in model: what a joint costs the processor, from the clock to the memory that the GPU copies.
//!
//!     cargo bench --bench frame_cost                 the built-in model
//!     cargo bench --bench frame_cost -- FILE         this one
//!     ... -- [--frames N] [--size WxH] [--crowd N]   other than 60 frames, this size, one of it

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a bench that cannot run shall stop"
)]

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rigscope::{
    app::{Session, built_in},
    render::{Destination, Gpu, Pass, Picture, Renderer, SceneTarget, Viewport},
    scene::{LightSettings, Quality},
};

/// What is drawn, as typed.
struct Subject {
    /// The built-in model, if there is none.
    file: Option<String>,
    frames: usize,
    size: [u32; 2],
    crowd: usize,
}

impl Subject {
    fn typed() -> Self {
        let mut subject = Self {
            file: None,
            frames: 60,
            size: [640, 480],
            crowd: 1,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut next = || arguments.next().unwrap();
            match argument.as_str() {
                "--bench" => {}
                "--frames" => subject.frames = next().parse().unwrap(),
                "--crowd" => subject.crowd = next().parse().unwrap(),
                "--size" => {
                    let size = next();
                    let (width, height) = size.split_once('x').unwrap();
                    subject.size = [width, height].map(|side| side.parse().unwrap());
                }
                _ => subject.file = Some(argument),
            }
        }
        subject
    }

    fn session(&self) -> Session {
        let import = match &self.file {
            Some(file) => rigscope::cli::load(Path::new(file)).unwrap(),
            None => built_in::load("Pip").unwrap(),
        };
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_crowd_size(self.crowd);
        session
    }
}

fn main() {
    let subject = Subject::typed();
    let gpu = Gpu::headless().unwrap();
    let [width, height] = subject.size;
    println!("{}, {width} × {height}", gpu.name());
    for quality in [Quality::Full, Quality::Low] {
        measure(&gpu, &subject, quality);
    }
    crowds(&gpu);
}

/// Frames of each crowd that are timed.
const CROWD_FRAMES: usize = 21;

/// Times what the processor does for the joints of crowds: it finds who is in sight and where in the clip, and writes the
/// matrices to mapped memory, of which the GPU makes its copy. What one instance alone costs is not in it.
fn crowds(gpu: &Gpu) {
    let one = crowd_secs(gpu, 1);
    for count in [100, 1000, 10_000] {
        let crowd = crowd_secs(gpu, count);
        let nanos = |part: usize| 1e9 * (crowd.secs[part] - one.secs[part]) / crowd.joints as f64;
        println!(
            "{count} instances, {} in sight: {:.1} ns a joint to look for, {:.1} ns to write",
            crowd.in_sight,
            nanos(0),
            nanos(1),
        );
    }
}

struct CrowdCost {
    /// The medians of some frames: to look for, to write.
    secs: [f64; 2],
    /// Matrices that were written for those in sight.
    joints: usize,
    in_sight: usize,
}

fn crowd_secs(gpu: &Gpu, count: usize) -> CrowdCost {
    let mut renderer = Renderer::new(gpu, Picture::FORMAT);
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.set_crowd_size(count);
    renderer.set_model(gpu, session.model());
    let mut times = [Vec::new(), Vec::new()];
    for frame in 0..CROWD_FRAMES + 3 {
        let started = Instant::now();
        session.tick(1.0 / 60.0);
        session.update();
        let looked_for = started.elapsed();
        renderer.write_palette(gpu, session.model(), &session.frame());
        let written = started.elapsed() - looked_for;
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .unwrap();
        // The first few make buffers.
        if frame >= 3 {
            times[0].push(looked_for.as_secs_f64());
            times[1].push(written.as_secs_f64());
        }
    }
    let frame = session.frame();
    let in_sight = frame.palette.instance_count();
    CrowdCost {
        secs: times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[CROWD_FRAMES / 2]
        }),
        joints: in_sight * frame.layout.matrices_per_instance(),
        in_sight,
    }
}

fn measure(gpu: &Gpu, subject: &Subject, quality: Quality) {
    let &Subject { frames, size, .. } = subject;
    let mut renderer = Renderer::new(gpu, Picture::FORMAT);
    let has_times = renderer.time_passes(gpu, true);
    let mut session = subject.session();
    session.set_aspect(size[0] as f32 / size[1] as f32);
    session.set_light(LightSettings {
        quality,
        ..LightSettings::default()
    });
    renderer.set_model(gpu, session.model());
    let output = output(gpu, size);
    let scene = SceneTarget::new(gpu, size);
    let mut worked_before = 0.0;
    let (mut times, mut passes) = (Vec::new(), [0.0; Pass::ALL.len()]);
    for frame in 0..frames + 5 {
        let started = Instant::now();
        session.tick(1.0 / 30.0);
        session.update();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let into = Destination {
            scene: &scene,
            output: &output,
            viewport: Viewport {
                x: 0,
                y: 0,
                width: size[0],
                height: size[1],
            },
        };
        renderer.draw(gpu, &mut encoder, session.model(), &session.frame(), into);
        gpu.queue.submit([encoder.finish()]);
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .unwrap();
        let elapsed = started.elapsed().as_secs_f64();
        // The first few make pipelines and buffers.
        if frame < 5 {
            worked_before = worked_secs().unwrap_or(0.0);
            continue;
        }
        times.push(elapsed);
        if has_times {
            let millis = renderer.pass_millis(gpu).unwrap();
            for (sum, millis) in passes.iter_mut().zip(millis) {
                *sum += millis / frames as f64;
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    println!(
        "{quality:?}: {:.1} frames a second (median {:.2} ms, least {:.2} ms)",
        1.0 / median,
        1e3 * median,
        1e3 * times[0]
    );
    if let Some(worked) = worked_secs() {
        let millis = 1e3 * (worked - worked_before) / frames as f64;
        println!("  {millis:.1} ms of the processor's time a frame");
    }
    for (pass, millis) in Pass::ALL.iter().zip(passes) {
        println!("  {pass:?} {millis:.2} ms");
    }
}

/// For how long all threads of this process have worked, where the system says so: fields 14 and 15 of Linux's
/// `/proc/self/stat`, in hundredths of a second.
fn worked_secs() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, which may hold spaces, is in parentheses.
    let (_, fields) = stat.rsplit_once(") ")?;
    let ticks = fields.split(' ').skip(11).take(2);
    let ticks = ticks.filter_map(|field| field.parse::<f64>().ok());
    Some(ticks.sum::<f64>() / 100.0)
}

fn output(gpu: &Gpu, size: [u32; 2]) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("bench::output"),
        size: wgpu::Extent3d {
            width: size[0],
            height: size[1],
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: Picture::FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
