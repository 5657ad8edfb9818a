//! From nothing to the first picture, without a window: device, model, upload, 1280 × 720 pixels in memory.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros have no documentation, and a bench that cannot run shall stop"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use rigscope::{
    app::{Actor, built_in},
    cli::render::{PictureMaker, RenderArguments, draw},
    render::Gpu,
};

fn arguments() -> RenderArguments {
    use clap::Parser as _;
    let typed = ["rigscope", "render", "-o", "unused.png"];
    match rigscope::cli::Arguments::parse_from(typed).command {
        Some(rigscope::cli::CliCommand::Render(arguments)) => *arguments,
        other => unreachable!("{other:?}"),
    }
}

fn first_frame(criterion: &mut Criterion) {
    let arguments = arguments();
    let mut group = criterion.benchmark_group("first_frame");
    group.sample_size(10);
    group.bench_function("pip", |bencher| {
        bencher.iter(|| {
            let gpu = Gpu::headless().unwrap();
            let mut actor = Actor::new(built_in::load("Pip").unwrap().model);
            let mut maker = PictureMaker::new(&gpu, &arguments).unwrap();
            draw(&gpu, &mut maker, &mut actor, &arguments).unwrap()
        });
    });
    group.finish();
}

criterion_group!(benches, first_frame);
criterion_main!(benches);
