//! How long files take to load and what memory that needs: rigscope beside the gltf crate's own `import`, and beside the
//! least that any loader must do. Each load has a process of its own, and loaders take turns.
//!
//!     cargo run --release --manifest-path benches/peers/Cargo.toml -- [--rounds N] [FILE...]
//!
//! Without files: a made-up one of two million triangles and four images of 2048 × 2048, and, with `RIGSCOPE_CORPUS`, the
//! ten largest of the corpus, one of each folder. `digest FILE...` prints a number for what is read of each file, which
//! changes of the importer for the sake of speed must not change.

mod floor;
mod made_up;
mod readers;

use std::{
    collections::HashSet,
    env,
    error::Error,
    fmt::Write as _,
    fs,
    hash::Hasher as _,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use rigscope::import::{self, Progress};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Loads that are compared, by the name that a child process is called with. `gltf` leaves vertices as bytes, `readers`
/// reads them too, as a viewer must.
const LOADERS: [&str; 4] = ["rigscope", "gltf", "readers", "floor"];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [loader, file] = &arguments[..]
        && let Some(loader) = loader.strip_prefix("load-with-")
    {
        return child(loader, Path::new(file));
    }
    if let [mode, files @ ..] = &arguments[..]
        && mode == "digest"
    {
        return digest(files);
    }
    let mut rounds = 7;
    let mut files = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--rounds" {
            rounds = arguments.next().unwrap_or_default().parse()?;
        } else {
            files.push(PathBuf::from(argument));
        }
    }
    if files.is_empty() {
        files.push(made_up::file()?);
        files.extend(largest_of_corpus(10)?);
    }
    println!(
        "| file | MB | rigscope ms | MiB | gltf ms | MiB | times | with readers ms | MiB | times | floor ms | times \
         | read | images | vertices | text |"
    );
    println!("|{}", "---|".repeat(16));
    for file in files {
        println!("{}", compare(&file, rounds)?);
    }
    Ok(())
}

/// Prints a number for all that is read of each file, to compare two versions of the importer by.
fn digest(files: &[String]) -> Outcome<()> {
    struct Sum(std::hash::DefaultHasher);
    impl std::fmt::Write for Sum {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    for file in files {
        let loaded = import::load(Path::new(file), &Progress::default());
        let mut sum = Sum(std::hash::DefaultHasher::new());
        match loaded {
            Ok(loaded) => write!(sum, "{loaded:?}")?,
            Err(error) => write!(sum, "{error:#}")?,
        }
        println!("{:016x} {file}", sum.0.finish());
    }
    Ok(())
}

/// Does one load and prints its figures: times in milliseconds, then in KiB the most memory, and how much of it is the
/// program itself: pages of its files that others may share, more or fewer as its code happens to be laid out.
fn child(loader: &str, file: &Path) -> Outcome<()> {
    let start = Instant::now();
    let since = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    let times = match loader {
        "rigscope" => {
            let loaded = import::load(file, &Progress::default())?;
            let time = since(start);
            std::mem::forget(loaded);
            vec![time]
        }
        "gltf" => {
            let loaded = gltf::import(file)?;
            let time = since(start);
            std::mem::forget(loaded);
            vec![time]
        }
        "readers" => {
            let loaded = gltf::import(file)?;
            let read = readers::read(&loaded.0, &loaded.1);
            let time = since(start);
            std::mem::forget((loaded, read));
            vec![time]
        }
        _ => floor::measure(file)?,
    };
    let times: Vec<_> = times.iter().map(f64::to_string).collect();
    let (peak, program) = (status_kib("VmHWM:"), status_kib("RssFile:"));
    println!("{} {peak} {program}", times.join(" "));
    Ok(())
}

fn status_kib(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kib.unwrap_or(0)
}

/// A row of the table: medians.
fn compare(file: &Path, rounds: usize) -> Outcome<String> {
    let mut figures: [Vec<Vec<f64>>; 4] = Default::default();
    for round in 0..=rounds {
        for (loader, figures) in LOADERS.iter().zip(&mut figures) {
            let output = Command::new(env::current_exe()?)
                .args([format!("load-with-{loader}").as_ref(), file.as_os_str()])
                .output()?;
            let text = String::from_utf8(output.stdout)?;
            let numbers = text.split_whitespace().map(str::parse);
            // The first round is for the file cache.
            if output.status.success() && round > 0 {
                figures.push(numbers.collect::<Result<_, _>>()?);
            }
        }
    }
    let [rigscope, gltf, readers, floor] = figures;
    let median = |figures: &[Vec<f64>], column: usize| {
        let mut column: Vec<f64> = figures.iter().map(|row| row[column]).collect();
        column.sort_by(f64::total_cmp);
        column.get(column.len() / 2).copied()
    };
    let show = |number: Option<f64>| number.map_or("–".to_owned(), |it| format!("{it:.1}"));
    let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
    // All of it, and without the program.
    let mib = |figures: &[Vec<f64>]| {
        let (peak, program) = (median(figures, 1), median(figures, 2));
        let own = peak.zip(program).map(|(peak, program)| peak - program);
        let [peak, own] = [peak, own].map(|kib| show(kib.map(|kib| kib / 1024.0)));
        format!("{peak} ({own})")
    };
    let (ours, theirs) = (median(&rigscope, 0), median(&gltf, 0));
    let [read, images, vertices, text] = [0, 1, 2, 3].map(|column| median(&floor, column));
    let least = read.zip(images).zip(vertices);
    let least = least.map(|((read, images), vertices)| read.max(images) + vertices);
    let cells = [
        file.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        format!("{:.1}", fs::metadata(file)?.len() as f64 / 1e6),
        show(ours),
        mib(&rigscope),
        show(theirs),
        mib(&gltf),
        show(ratio(theirs, ours)),
        show(median(&readers, 0)),
        mib(&readers),
        show(ratio(median(&readers, 0), ours)),
        show(least),
        show(ratio(ours, least)),
        show(read),
        show(images),
        show(vertices),
        show(text),
    ];
    Ok(format!("| {} |", cells.join(" | ")))
}

fn largest_of_corpus(count: usize) -> Outcome<Vec<PathBuf>> {
    let Some(corpus) = env::var_os("RIGSCOPE_CORPUS").map(PathBuf::from) else {
        return Ok(Vec::new());
    };
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv"))?;
    let mut files: Vec<(u64, PathBuf)> = Vec::new();
    for line in manifest.lines().skip(1) {
        let mut cells = line.split('\t');
        if let (Some(name), Some(_), Some(size)) = (cells.next(), cells.next(), cells.next()) {
            files.push((size.parse()?, corpus.join("files").join(name)));
        }
    }
    files.sort_by(|a, b| b.cmp(a));
    // Files of one folder are often the same model once more.
    let mut folders = HashSet::new();
    files.retain(|(_, path)| folders.insert(path.parent().map(Path::to_owned)));
    Ok(files
        .into_iter()
        .take(count)
        .map(|(_, path)| path)
        .collect())
}
