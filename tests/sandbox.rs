//! The real program, watched by strace: whatever a model names, nothing outside of its folder is opened, and nothing is
//! waited for.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::json;

/// What each run may take: a run takes milliseconds, or for ever, and the machine may have much else to do.
const LIMIT: Duration = Duration::from_secs(60);

/// A folder of models with secrets beside it, for as long as this lives.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Self {
        let root =
            std::env::temp_dir().join(format!("rigscope-watched-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("model/inside")).unwrap();
        let scene = Self(root.canonicalize().unwrap());
        scene.write("canary/secret.bin", &triangle());
        scene.write("canary.bin", &triangle());
        scene.write("model/own.bin", &triangle());
        symlink("../canary.bin", scene.0.join("model/link.bin")).unwrap();
        symlink("../canary", scene.0.join("model/linked")).unwrap();
        symlink("/dev/zero", scene.0.join("model/endless.bin")).unwrap();
        symlink("chain.bin", scene.0.join("model/inside/chain.bin")).unwrap();
        symlink("fifo", scene.0.join("model/to_fifo.bin")).unwrap();
        let made = Command::new("mkfifo")
            .arg(scene.0.join("model/fifo"))
            .status();
        assert!(made.unwrap().success());
        scene
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes a model whose buffer and whose image have this URI.
    fn model(&self, uri: &str) -> PathBuf {
        let json = json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 36, "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
                           "min": [0, 0, 0], "max": [1, 1, 0]}],
            "images": [{"uri": uri}],
            "textures": [{"source": 0}],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "nodes": [{"mesh": 0}],
            "scenes": [{"nodes": [0]}],
        });
        self.write("model/model.gltf", json.to_string().as_bytes())
    }

    /// Runs a command under strace; gives what it said, and which files were opened from the model on.
    fn watch(&self, arguments: &[&str]) -> (Output, Vec<String>) {
        let trace = self.0.join("trace");
        let mut command = Command::new("strace");
        command
            .args([
                "-f",
                "-y",
                "-qq",
                "-s",
                "4096",
                "-e",
                "trace=%file,connect",
                "-o",
            ])
            .arg(&trace)
            .arg(env!("CARGO_BIN_EXE_rigscope"))
            .args(arguments);
        let output = run(command, &format!("{arguments:?}"));
        let trace = fs::read_to_string(trace).unwrap();
        let calls = trace
            .lines()
            .skip_while(|line| !line.contains("model.gltf\", O_RDONLY"));
        let opened: Vec<_> = calls.filter_map(opened).collect();
        assert!(!opened.is_empty(), "the model itself is opened:\n{trace}");
        (output, opened)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn triangle() -> Vec<u8> {
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    corners
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Waits for a command, but not for ever.
fn run(mut command: Command, what: &str) -> Output {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("{what} takes more than {LIMIT:?}");
        }
        sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// What a line of a trace tries to open or to reach, whether it succeeds or not.
fn opened(line: &str) -> Option<String> {
    let call = line.split_once(' ')?.1.trim_start();
    if call.starts_with("connect(") {
        return Some(call.to_owned());
    }
    let is_open = ["open(", "openat(", "openat2(", "creat("];
    if !is_open.iter().any(|name| call.starts_with(name)) {
        return None;
    }
    let path = call.split('"').nth(1)?;
    // A file is taken hold of first, which does nothing to it, and then opened through what is held. What that was is told
    // after the result.
    if call.contains("O_PATH") {
        return None;
    }
    let held = path.starts_with("/proc/self/fd/");
    let result = call.rsplit_once(" = ").filter(|_| held);
    let opened = result.and_then(|(_, result)| result.split_once('<')?.1.strip_suffix('>'));
    Some(opened.unwrap_or(path).to_owned())
}

fn has_strace() -> bool {
    // It may be there and not be allowed to trace.
    let runs = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output();
    let runs = runs.is_ok_and(|output| output.status.success());
    if !runs {
        println!("skipped: no strace, or it may not trace");
    }
    runs
}

/// URIs that lead out of the folder, or to what is no regular file.
fn uris(root: &Path) -> Vec<String> {
    let root = root.display().to_string();
    let mut uris = vec![
        format!("{root}/canary.bin"),
        format!("file://{root}/canary.bin"),
    ];
    uris.push(format!("file:{root}/canary.bin"));
    uris.push(root.replace('/', "%2F") + "%2Fcanary.bin");
    let fixed = [
        "../canary.bin",
        "inside/../../canary.bin",
        "%2e%2e/canary.bin",
        "%2e%2e%2fcanary.bin",
        "..%2Fcanary.bin",
        "%252e%252e%252fcanary.bin",
        "%252e%252e/canary.bin",
        r"..\canary.bin",
        r"..%5Ccanary.bin",
        r"inside\..\..\canary.bin",
        "linked/../canary.bin",
        "link.bin",
        "linked/secret.bin",
        "inside/chain.bin",
        "FILE:../canary.bin",
        "http://localhost/canary.bin",
        "HTTPS://localhost/canary.bin",
        "ftp:canary.bin",
        "//localhost/canary.bin",
        r"\\localhost\canary\secret.bin",
        "%2F%2Flocalhost/canary.bin",
        "C:/canary.bin",
        "fifo",
        "to_fifo.bin",
        "endless.bin",
        "/dev/zero",
        "/dev/stdin",
        "/proc/self/environ",
        "/proc/self/fd/0",
        "../../../../../../proc/self/environ",
        "..",
        ".",
        "",
        "own.bin/../../canary.bin",
        "../model/../canary.bin",
        "../model/link.bin",
        "../model/linked/secret.bin",
        "../model/to_fifo.bin",
        "own.bin\0",
        "%00",
    ];
    uris.extend(fixed.map(str::to_owned));
    uris
}

#[test]
fn nothing_outside_of_the_folder_is_opened() {
    if !has_strace() {
        return;
    }
    let scene = Scene::new("models");
    let own = scene.0.join("model");
    // What the standard library looks at to count the cores.
    let is_counting =
        |path: &str| path == "/proc/self/cgroup" || path.starts_with("/sys/fs/cgroup");
    let uris = uris(&scene.0);
    let mut slowest = Duration::ZERO;
    for uri in &uris {
        let model = scene.model(uri);
        let started = Instant::now();
        let (output, opened) = scene.watch(&["check", model.to_str().unwrap()]);
        slowest = slowest.max(started.elapsed());
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{uri}: {said}");
        assert!(said.contains("/buffers/0"), "{uri}: {said}");
        for path in opened.iter().filter(|path| !is_counting(path)) {
            assert!(Path::new(path).starts_with(&own), "{uri}: {path} is opened");
            assert!(
                !path.contains("canary") && !path.contains("fifo"),
                "{uri}: {path} is opened"
            );
        }
    }
    println!(
        "{} models, the slowest took {slowest:?} under strace",
        uris.len()
    );
}

/// What a folder was given for is what lies in it.
#[test]
fn links_in_a_given_folder_lead_nowhere() {
    if !has_strace() {
        return;
    }
    let scene = Scene::new("given");
    let given = scene.0.join("given");
    fs::create_dir(&given).unwrap();
    symlink("../canary.bin", given.join("a.bin")).unwrap();
    symlink("../canary/secret.bin", given.join("x.gltf")).unwrap();
    let model = scene.model("a.bin");
    for given in [[&model, &given], [&given, &model]] {
        let given = given.map(|path| path.to_str().unwrap());
        let (output, opened) = scene.watch(&["info", given[0], given[1]]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(!said.contains("x.gltf"), "{said}");
        for path in opened {
            assert!(!path.contains("given/"), "{path} is opened");
            assert!(!path.contains("canary"), "{path} is opened");
        }
    }
}

/// The tests above would see it.
#[test]
fn what_is_allowed_is_seen_to_be_opened() {
    if !has_strace() {
        return;
    }
    let scene = Scene::new("allowed");
    for uri in ["../canary.bin", "link.bin", "linked/secret.bin"] {
        let model = scene.model(uri);
        let arguments = ["check", "--allow-outside", model.to_str().unwrap()];
        let (_, opened) = scene.watch(&arguments);
        assert!(
            opened.iter().any(|path| path.contains("canary")),
            "{uri}: {opened:?}"
        );
    }
    let model = scene.model("own.bin");
    let (_, opened) = scene.watch(&["check", model.to_str().unwrap()]);
    assert!(
        opened.iter().any(|path| path.ends_with("model/own.bin")),
        "{opened:?}"
    );
}

/// Consent lets devices and pipes lie.
#[test]
fn nothing_blocks_even_when_all_is_allowed() {
    let scene = Scene::new("blocks");
    for uri in [
        "fifo",
        "to_fifo.bin",
        "endless.bin",
        "/dev/zero",
        "/dev/stdin",
        "/dev/tty",
    ] {
        let model = scene.model(uri);
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.arg("check").arg("--allow-outside").arg(&model);
        let output = run(command, uri);
        assert_eq!(output.status.code(), Some(2), "{uri}");
    }
    for path in ["fifo", "to_fifo.bin", "endless.bin"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.arg("info").arg(scene.0.join("model").join(path));
        let output = run(command, path);
        assert_eq!(output.status.code(), Some(2), "{path}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("regular file"), "{path}: {said}");
    }
}

#[test]
fn the_commands_take_folders_archives_and_several_files() {
    let scene = Scene::new("commands");
    let model = scene.model("elsewhere/data.bin");
    let buffer = scene.write("given/data.bin", &triangle());
    let own = scene.0.join("model");
    let program = |arguments: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.args(arguments);
        let output = run(command, &format!("{arguments:?}"));
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let path = Path::new;
    let given = [&*model, &*buffer];
    for given in [given, [given[1], given[0]]] {
        let (code, said) = program(&[path("info"), path("--json"), given[0], given[1]]);
        assert!(
            code == Some(0) && said.contains(r#""vertices": 3"#),
            "{said}"
        );
        let (code, said) = program(&[path("pose"), path("--vertices"), given[0], given[1]]);
        assert!(code == Some(0) && said.contains("[1.0,0.0,0.0]"), "{said}");
    }
    let (code, said) = program(&[path("info"), &own]);
    assert!(code == Some(0) && said.starts_with("model.gltf"), "{said}");
    // What is unknown is named, refused where it would be shown, and read when that is asked for.
    let text = fs::read_to_string(&model).unwrap();
    let text = text.replacen(
        '{',
        r#"{"extensionsUsed":["ACME_gizmo"],"extensionsRequired":["ACME_gizmo"],"#,
        1,
    );
    fs::write(&model, text).unwrap();
    let (code, said) = program(&[path("check"), &own]);
    assert!(code == Some(2) && said.contains("ACME_gizmo"), "{said}");
    assert_eq!(program(&[path("info"), &own]).0, Some(2));
    assert_eq!(
        program(&[path("info"), path("--open-anyway"), &own]).0,
        Some(0)
    );
    assert_eq!(
        program(&[path("pose"), path("--open-anyway"), &own]).0,
        Some(0)
    );
}
