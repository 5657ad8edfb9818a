//! Writes the built-in models and tables into `assets/`: `cargo run --example make_assets [DIRECTORY]`.

mod generator;

fn main() -> std::io::Result<()> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| "assets".into());
    std::fs::create_dir_all(&directory)?;
    for (name, bytes) in generator::assets() {
        let path = std::path::Path::new(&directory).join(name);
        std::fs::write(&path, &bytes)?;
        println!("{}: {} bytes", path.display(), bytes.len());
    }
    Ok(())
}
