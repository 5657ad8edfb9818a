//! Many models in one call: names, shares, failures, interruptions.

use std::{fs, path::Path, process::Command};

use crate::{
    common::{self, gpu},
    folder, names, render,
};

#[test]
fn a_failure_ends_nothing_and_shares_add_up() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("batch");
    let models = folder.join("models");
    for place in ["one", "two"] {
        fs::create_dir_all(models.join(place)).unwrap();
    }
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let copy = |from: &str, to: &str| fs::copy(assets.join(from), models.join(to)).unwrap();
    copy("pip.glb", "one/model.glb");
    copy("windmill.glb", "two/model.glb");
    copy("windmill.glb", "Mill.glb");
    fs::write(models.join("broken.glb"), b"glTF\x02\0\0\0").unwrap();
    let list = folder.join("list.txt");
    let all = [
        "one/model.glb",
        "broken.glb",
        "two/model.glb",
        "Mill.glb",
        "one/model.glb",
    ];
    let paths = all.map(|name| models.join(name).to_str().unwrap().to_owned());
    fs::write(&list, paths[2..].join("\n")).unwrap();
    let draw = |out: &str, more: &[&str]| {
        let out = folder.join(out);
        let typed = ["--size", "64x48", "--out-dir", out.to_str().unwrap()];
        let given = [&*paths[0], &*paths[1], "--list", list.to_str().unwrap()];
        render(&[&given[..], &typed, more].concat()).unwrap()
    };
    assert_eq!(draw("whole", &[]), 2);
    let whole = folder.join("whole");
    assert_eq!(
        names(&whole),
        ["Mill.png", "one-model.glb.png", "two-model.glb.png"]
    );
    let codes = ["0/3", "1/3", "2/3"].map(|shard| draw("shares", &["--shard", shard]));
    assert_eq!(codes, [0, 2, 0]);
    let shares = folder.join("shares");
    assert_eq!(names(&shares), names(&whole));
    for name in names(&whole) {
        let [a, b] = [&whole, &shares].map(|folder| fs::read(folder.join(&name)).unwrap());
        assert!(a == b, "{name}");
    }
}

/// The next picture would find no more room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_it() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("batch-full");
    let pip = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    let models = ["a.glb", "b.glb"].map(|name| folder.join(name));
    for model in &models {
        fs::copy(&pip, model).unwrap();
    }
    let out = folder.join("out");
    fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink("/dev/full", out.join("a.png")).unwrap();
    let [a, b] = models.each_ref().map(|path| path.to_str().unwrap());
    let typed = [a, b, "--out-dir", out.to_str().unwrap(), "--size", "32x32"];
    let error = render(&typed).unwrap_err();
    assert!(rigscope::app::is_of_machine(&error), "{error:#}");
    assert_eq!(names(&out), ["a.png"]);
}

/// What looks like a frame's number belongs to the model's name; a list may begin with a byte order mark.
#[test]
fn names_of_models_are_no_patterns() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("batch-names");
    let pip = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    let model = folder.join("Pip{}.glb");
    fs::copy(pip, &model).unwrap();
    let list = folder.join("list.txt");
    fs::write(&list, format!("\u{feff}{}\n", model.display())).unwrap();
    let out = folder.join("out");
    let [list, out_dir] = [&list, &out].map(|path| path.to_str().unwrap());
    let typed = ["--list", list, "--out-dir", out_dir, "--size", "32x32"];
    assert_eq!(render(&typed).unwrap(), 0);
    assert_eq!(names(&out), ["Pip{}.png"]);
}

/// Of several frames the row names the first.
#[test]
fn rows_name_files_that_are_there() {
    if gpu().is_none() {
        return;
    }
    let out = folder("batch-rows").join("out");
    let typed = [
        "render",
        "builtin:Pip",
        "--clip",
        "Walk",
        "--frames",
        "2",
        "--size",
        "16",
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = command
        .args(typed)
        .arg("--out-dir")
        .arg(&out)
        .output()
        .unwrap();
    let rows = String::from_utf8(output.stdout).unwrap();
    let columns: Vec<_> = rows.trim_end().split('\t').collect();
    assert_eq!(columns[..2], ["drawn", "builtin:Pip"], "{rows}");
    assert!(Path::new(columns[2]).exists(), "{rows}");
    assert_eq!(names(&out).len(), 2);
}

/// What is wrong for all models is said before the first is loaded, once.
#[test]
fn what_no_model_could_be_drawn_with_is_refused_at_once() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("batch-refused");
    let out = folder.join("out");
    let missing = folder.join("missing.hdr");
    let [out, missing] = [&out, &missing].map(|path| path.to_str().unwrap());
    let no_model = folder.join("none.glb");
    let refused = |more: &[&str]| {
        let given = [no_model.to_str().unwrap(), "--out-dir", out];
        let refusal = render(&[&given[..], more].concat());
        format!(
            "{:#}",
            refusal.expect_err("a code would say that models failed")
        )
    };
    let environment = refused(&["--environment", missing]);
    assert!(environment.contains("missing.hdr"), "{environment}");
    for wrong in [
        ["--fov", "0"],
        ["--orbit", "0,90,0"],
        ["--camera", "0,10,-1"],
    ] {
        let refusal = refused(&wrong);
        assert!(refusal.contains(wrong[0]), "{refusal}");
    }
    let both = refused(&["--camera", "front", "--fov", "20"]);
    assert!(both.starts_with("--fov needs"), "{both}");
}

/// A picture is the same whichever were drawn before it by the same device and renderer.
#[test]
fn corpus_thumbnails_are_the_same_in_shares() {
    let (Some(_), Some(corpus)) = (gpu(), common::folder("RIGSCOPE_CORPUS")) else {
        return;
    };
    let samples = corpus.join("files/khronos-samples");
    let wanted = [
        "Fox",
        "CesiumMan",
        "BrainStem",
        "AnimatedMorphCube",
        "AlphaBlendModeTest",
        "BoxVertexColors",
        "TransmissionTest",
        "UnlitTest",
    ];
    let models: Vec<String> = wanted
        .iter()
        .map(|name| samples.join(format!("{name}/glTF-Binary/{name}.glb")))
        .filter(|path| path.is_file())
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    assert!(models.len() >= 5, "{models:?}");
    let folder = folder("thumbnails");
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    let draw = |out: &str, more: &[&str]| {
        let out = folder.join(out);
        let typed = [
            "--size",
            "96",
            "--transparent",
            "--out-dir",
            out.to_str().unwrap(),
        ];
        render(&[&models[..], &typed, more].concat()).unwrap()
    };
    assert_eq!(draw("whole", &[]), 0);
    for shard in ["0/3", "1/3", "2/3"] {
        assert_eq!(draw("shares", &["--shard", shard]), 0);
    }
    let [whole, shares] = ["whole", "shares"].map(|out| folder.join(out));
    assert_eq!(names(&whole).len(), models.len());
    for name in names(&whole) {
        let [a, b] = [&whole, &shares].map(|folder| image::open(folder.join(&name)).unwrap());
        assert!(a.as_bytes().iter().any(|&byte| byte > 0), "{name} is empty");
        assert!(a == b, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_no_half_file() {
    use std::{
        thread::sleep,
        time::{Duration, Instant},
    };
    if gpu().is_none() {
        return;
    }
    let folder = folder("interrupted");
    let output = folder.join("long.webp");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args([
            "render",
            "builtin:Pip",
            "--turntable",
            "--frames",
            "100000",
            "--size",
            "64",
            "-o",
        ])
        .arg(&output)
        .spawn()
        .unwrap();
    let is_writing = || names(&folder).iter().any(|name| name.ends_with(".part"));
    let begin = Instant::now();
    while !is_writing() {
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "it does not begin"
        );
        assert_eq!(child.try_wait().unwrap(), None);
        sleep(Duration::from_millis(50));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
}

/// As those of `timeout`, which asks the program and all of its group.
#[cfg(unix)]
#[test]
fn who_is_asked_to_stop_twice_says_so_once() {
    use std::{io::Read as _, process::Stdio, thread::sleep, time::Duration};

    let folder = folder("asked-twice");
    let pipe = folder.join("pipe.json");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut child = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["pose", "builtin:Pip", "--save"])
        .arg(&pipe)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It waits for who reads the pipe: nothing but the second signal ends it soon.
    sleep(Duration::from_secs(1));
    for _ in 0..2 {
        let _ = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        sleep(Duration::from_millis(200));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut told = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut told).unwrap();
    assert_eq!(told, "rigscope: stopped; nothing is left half written\n");
}

#[test]
fn pictures_go_into_folders_alone() {
    let folder = folder("no-folder");
    let file = folder.join("there.glb");
    fs::write(&file, "a model").unwrap();
    let typed = ["builtin:Pip", "--out-dir", file.to_str().unwrap()];
    let reason = format!("{:#}", render(&typed).unwrap_err());
    assert!(
        reason.ends_with("this is a file, and no folder"),
        "{reason}"
    );
    assert_eq!(fs::read(&file).unwrap(), b"a model");
}

/// Nobody reads what it is about to write.
#[cfg(unix)]
#[test]
fn an_interruption_ends_what_waits_for_a_pipe() {
    use std::{
        process::Stdio,
        thread::sleep,
        time::{Duration, Instant},
    };
    let folder = folder("unread");
    let pipe = folder.join("pipe.json");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["pose", "builtin:Pip", "--save"])
        .arg(&pipe)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Whether it is held up already or not yet, it ends.
    sleep(Duration::from_secs(1));
    assert_eq!(child.try_wait().unwrap(), None);
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let begin = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it goes on waiting");
        }
        sleep(Duration::from_millis(50));
    };
    assert_eq!(code, Some(130));
}

#[cfg(unix)]
#[test]
fn a_limit_of_file_sizes_is_as_a_full_disk() {
    let folder = folder("limited");
    let limited = Command::new("sh")
        .args([
            "-c",
            "ulimit -f 8; exec \"$0\" pose builtin:Pip --save \"$1\"",
        ])
        .arg(env!("CARGO_BIN_EXE_rigscope"))
        .arg(folder.join("pip.glb"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(2), "{told}");
    assert!(told.contains("pip.glb cannot be written"), "{told}");
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
}

/// One picture has its place in the whole of its clip, however its number is said.
#[test]
fn a_single_frame_is_framed_as_its_clip() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("one-frame");
    let pip = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    let draw = |name: &str, more: &[&str]| {
        let out = folder.join(name);
        let given = [pip.to_str().unwrap(), "--output", out.to_str().unwrap()];
        let typed = ["--size", "64x64", "--clip", "0", "--time", "0.4"];
        let motion = ["--framing", "motion"];
        assert_eq!(
            render(&[&given[..], &typed, &motion, more].concat()).unwrap(),
            0
        );
        fs::read(out).unwrap()
    };
    let [plain, counted] = [
        draw("plain.png", &[]),
        draw("counted.png", &["--frames", "1"]),
    ];
    assert!(plain == counted);
}

/// Pictures do not take the place of what other models of the call are made of, nor of the list.
#[test]
fn what_another_model_needs_is_not_written_over() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("batch-over");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    fs::copy(assets.join("windmill.glb"), folder.join("skin.glb")).unwrap();
    let text = r#"{ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "nodes": [{}],
        "images": [{ "uri": "skin.png" }], "textures": [{ "source": 0 }] }"#;
    fs::write(folder.join("other.gltf"), text).unwrap();
    fs::write(folder.join("skin.png"), "a texture").unwrap();
    let out_dir = folder.to_str().unwrap();
    let model = folder.join("skin.glb");
    let other = folder.join("other.gltf");
    let [model, other] = [&model, &other].map(|path| path.to_str().unwrap());
    let draw = |given: &[&str]| {
        let typed = ["--out-dir", out_dir, "--size", "32x32"];
        render(&[given, &typed].concat()).unwrap()
    };
    assert_eq!(draw(&[model, other]), 2);
    assert_eq!(fs::read(folder.join("skin.png")).unwrap(), b"a texture");
    // As one file, too.
    let length = |length: usize| (length as u32).to_le_bytes();
    let text = text.to_owned() + &" ".repeat(text.len().next_multiple_of(4) - text.len());
    let headers = [length(2), length(20 + text.len()), length(text.len())].concat();
    let binary = [b"glTF", &headers[..], b"JSON", text.as_bytes()].concat();
    let one = folder.join("one.glb");
    fs::write(&one, binary).unwrap();
    assert_eq!(draw(&[model, one.to_str().unwrap()]), 2);
    assert_eq!(fs::read(folder.join("skin.png")).unwrap(), b"a texture");
    // What nobody needs is.
    assert_eq!(draw(&[model]), 0);
    assert_ne!(fs::read(folder.join("skin.png")).unwrap(), b"a texture");
    let list = folder.join("skin.png");
    fs::write(&list, format!("{model}\n")).unwrap();
    assert_eq!(draw(&["--list", list.to_str().unwrap()]), 2);
    assert_eq!(fs::read(&list).unwrap(), format!("{model}\n").as_bytes());
}

/// Of several pictures their numbered names count: all of them, before the first is written, and no other.
#[test]
fn numbered_pictures_leave_what_another_model_needs() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("batch-numbered");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let model = folder.join("skin.glb");
    fs::copy(assets.join("windmill.glb"), &model).unwrap();
    let with_texture = |texture: &str| {
        let other = folder.join("other.gltf");
        let text = format!(
            r#"{{ "asset": {{ "version": "2.0" }}, "scenes": [{{ "nodes": [0] }}], "nodes": [{{}}],
            "images": [{{ "uri": "{texture}" }}], "textures": [{{ "source": 0 }}] }}"#
        );
        fs::write(&other, text).unwrap();
        fs::write(folder.join(texture), "a texture").unwrap();
        other
    };
    let out_dir = folder.to_str().unwrap();
    let draw = |other: &Path, more: &[&str]| {
        let models = [&model, other].map(|path| path.to_str().unwrap());
        let typed = ["--out-dir", out_dir, "--size", "16", "--turntable"];
        render(&[&models[..], &typed, more].concat()).unwrap();
        let is_of_model = |name: &String| name.starts_with("skin") && !name.ends_with(".glb");
        let written: Vec<String> = names(&folder).into_iter().filter(is_of_model).collect();
        for name in &written {
            let bytes = fs::read(folder.join(name)).unwrap();
            assert_eq!(
                bytes == b"a texture",
                name == "skin_0002.png" || name == "skin.png"
            );
            fs::remove_file(folder.join(name)).unwrap();
        }
        written
    };
    let texture = "skin_0002.png";
    assert_eq!(draw(&with_texture(texture), &["--frames", "3"]), [texture]);
    // How many there are is only known with the model's clip.
    assert_eq!(draw(&with_texture(texture), &["--fps", "1"]), [texture]);
    let spared = draw(&with_texture(texture), &["--frames", "2"]);
    assert_eq!(spared, ["skin_0000.png", "skin_0001.png", texture]);
    let other = draw(&with_texture("skin.png"), &["--frames", "2"]);
    assert_eq!(other, ["skin.png", "skin_0000.png", "skin_0001.png"]);
}
