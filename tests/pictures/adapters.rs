//! Adapters that cannot draw right are refused, with the way out.

use std::process::Command;

#[test]
fn opengl_alone_is_refused_with_a_hint() {
    let picture = std::env::temp_dir().join(format!("opengl-{}.png", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["render", "builtin:Pip", "--size", "32x32", "-o"])
        .arg(&picture)
        .env("WGPU_BACKEND", "gl")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(!picture.exists());
    if said.contains("no graphics adapter") {
        eprintln!("skipped: there is no OpenGL here: {said}");
        return;
    }
    assert!(said.contains("OpenGL"), "{said}");
    assert!(said.contains("mesa-vulkan-drivers"), "{said}");
}
