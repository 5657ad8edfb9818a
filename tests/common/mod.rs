//! What several tests need: a device, folders of test files, pictures.

#![allow(dead_code, reason = "each test uses some of it")]

pub mod processor_time;

use std::{
    path::{Path, PathBuf},
    sync::Mutex,
    thread::{self, ThreadId},
};

use rigscope::{
    app::Actor,
    cli::render::{PictureMaker, RenderArguments, draw},
    render::{Gpu, Picture},
};

/// A device; without one the test is skipped, or fails if `REQUIRE_GPU` is set.
pub fn gpu() -> Option<Gpu> {
    let here = thread::current().id();
    MAKERS.lock().unwrap().retain(|kept| kept.thread != here);
    match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(
                std::env::var_os("REQUIRE_GPU").is_none(),
                "REQUIRE_GPU is set, and {error}"
            );
            println!("skipped: no adapter ({error})");
            None
        }
    }
}

/// The folder that an environment variable names; without it the test is skipped, or fails if `RIGSCOPE_REQUIRE_DATA` is set.
pub fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    let folder = folder.filter(|folder| folder.is_dir());
    if folder.is_none() {
        assert!(
            std::env::var_os("RIGSCOPE_REQUIRE_DATA").is_none(),
            "RIGSCOPE_REQUIRE_DATA is set, and {variable} names no folder"
        );
        println!(
            "skipped: no {}",
            variable.trim_start_matches("RIGSCOPE_").to_lowercase()
        );
    }
    folder
}

/// The folder of files that are made to break loaders: [`folder`], or without a variable of its own what lies beside the corpus.
pub fn hostile_folder() -> Option<PathBuf> {
    const NAME: &str = "RIGSCOPE_HOSTILE";
    let corpus = std::env::var_os("RIGSCOPE_CORPUS").filter(|_| std::env::var_os(NAME).is_none());
    let beside = corpus.map(|corpus| Path::new(&corpus).join("../hostile"));
    let beside = beside.filter(|folder| folder.is_dir());
    beside.or_else(|| folder(NAME))
}

/// The arguments of `rigscope render`, as typed.
pub fn render_arguments(typed: &[&str]) -> RenderArguments {
    use clap::Parser as _;
    let typed = ["rigscope", "render"]
        .iter()
        .chain(typed)
        .chain(&["-o", "unused.png"]);
    match rigscope::cli::Arguments::try_parse_from(typed) {
        Ok(rigscope::cli::Arguments {
            command: Some(rigscope::cli::CliCommand::Render(arguments)),
            ..
        }) => *arguments,
        other => panic!("{other:?}"),
    }
}

/// Makers of the last pictures: the driver makes its shaders once a test.
static MAKERS: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// What a test has drawn by. Devices of different instances take themselves for equal; a test has its thread, and its last one.
struct Kept {
    thread: ThreadId,
    environment: Option<Vec<u8>>,
    maker: PictureMaker,
}

/// Few, since what tests that are over have drawn by would stay.
const MOST_MAKERS: usize = 4;

/// The picture of a model, as `rigscope render` with these arguments draws it.
pub fn picture(gpu: &Gpu, actor: &mut Actor, typed: &[&str]) -> Picture {
    try_picture(gpu, actor, typed).unwrap()
}

/// [`picture`], or why there is none.
pub fn try_picture(gpu: &Gpu, actor: &mut Actor, typed: &[&str]) -> anyhow::Result<Picture> {
    let arguments = render_arguments(typed);
    let environment = arguments.light.environment.as_deref();
    let environment = environment.map(|path| std::fs::read(path).unwrap());
    let thread = thread::current().id();
    let is_it = |kept: &mut Kept| kept.thread == thread && kept.environment == environment;
    let kept = MAKERS.lock().unwrap().extract_if(.., is_it).next();
    let mut maker = match kept {
        Some(kept) => kept.maker,
        None => PictureMaker::new(gpu, &arguments)?,
    };
    let picture = draw(gpu, &mut maker, actor, &arguments);
    let mut makers = MAKERS.lock().unwrap();
    makers.insert(
        0,
        Kept {
            thread,
            environment,
            maker,
        },
    );
    makers.truncate(MOST_MAKERS);
    picture
}

/// A model from a file, in the file's own pose.
pub fn actor(path: &Path) -> Actor {
    let import =
        rigscope::cli::load(path).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
    Actor::new(import.model)
}

/// The folder for what tests leave to be looked at.
pub fn artefacts(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("target")
        .join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A picture as an image.
pub fn to_image(picture: &Picture) -> image::RgbaImage {
    image::RgbaImage::from_raw(picture.width, picture.height, picture.rgba8.clone()).unwrap()
}
