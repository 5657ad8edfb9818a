//! What Windows shows of the program: its icon and its version. For other systems there is nothing to do.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(windows)]
    describe();
}

/// Made on Windows: the tools for it are those of the system's own compiler.
#[cfg(windows)]
fn describe() {
    println!("cargo::rerun-if-changed=assets/icon/rigscope.ico");
    let mut resource = winresource::WindowsResource::new();
    resource
        .set_icon("assets/icon/rigscope.ico")
        .set("FileDescription", "Viewer for animated glTF models")
        .set("LegalCopyright", "MIT or Apache-2.0");
    // The program works without.
    if let Err(error) = resource.compile() {
        println!("cargo::warning=the program has neither icon nor version: {error}");
    }
}
