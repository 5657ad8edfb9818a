//! Shows that the checker of the layers can fail, and that it does so only when it should, on made-up sources.

use super::{
    import_violations, layer_violations, packages, project, text::lost_twins, text_violations,
};

/// Each expected string is part of one violation, in order, and there are no others.
#[track_caller]
fn check(name: &str, source: &str, expected: &[&str]) {
    let manifest = "[dependencies]\nwgpu = \"30\"\nglam = { version = \"0\" }\negui-winit = \"0\"\nimage = \"0\"\n\
        [target.'cfg(unix)'.dev-dependencies]\nx11rb = \"0\"\n[profile.dev]\ndebug = 1\n";
    let found = layer_violations(name, source, &packages(manifest));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{found} does not say {expected}");
    }
}

#[test]
fn allows_what_the_table_allows() {
    check(
        "anim/pose.rs",
        "use glam::Mat4;\nuse crate::model::{Clip, Skin};\nuse std::fmt;",
        &[],
    );
    check(
        "app/frame.rs",
        "use crate::{anim, render, ui};\nuse wgpu::Device;",
        &[],
    );
    check("lib.rs", "pub mod model;\nuse crate::render::Gpu;", &[]);
    check(
        "ui/painter.rs",
        "use egui_winit::State;\nfn f(d: &wgpu::Device) {}",
        &[],
    );
    check(
        "ui/painter/screen_readers.rs",
        "use egui_winit::accesskit_winit::Adapter;",
        &[],
    );
}

#[test]
fn joins_the_interface_to_the_window_in_the_painter_alone() {
    for name in [
        "ui/painters.rs",
        "ui/painter_of/window.rs",
        "ui/panels/painter.rs",
    ] {
        check(name, "use egui_winit::State;", &["package `egui_winit`"]);
    }
}

#[test]
fn finds_a_layer_in_a_plain_import() {
    check(
        "anim/pose.rs",
        "use crate::scene::Camera;",
        &["src/anim/pose.rs:1: `anim` may not use the layer `scene`"],
    );
}

#[test]
fn finds_layers_in_a_grouped_import() {
    let source = "use crate::{model::{Clip, Skin as S}, render::Gpu, scene};";
    check("anim/pose.rs", source, &["layer `render`", "layer `scene`"]);
}

#[test]
fn allows_single_items_of_a_layer() {
    check("ui/view/mod.rs", "use crate::anim::LoopMode;", &[]);
    check(
        "ui/view/mod.rs",
        "fn f() -> crate::anim::LoopMode { crate::anim::LoopMode::Once }",
        &[],
    );
    check(
        "ui/view/mod.rs",
        "use crate::anim::{Clock, LoopMode};",
        &["layer `anim`: `anim::Clock`"],
    );
    check(
        "ui/view/mod.rs",
        "use crate::anim;",
        &["layer `anim`: `anim`"],
    );
    check(
        "ui/view/mod.rs",
        "use crate::anim::*;",
        &["layer `anim`: `anim::*`"],
    );
}

#[test]
fn finds_everything_imported_at_once() {
    check("model/clip.rs", "use crate::*;", &["layer `*`"]);
}

#[test]
fn finds_a_layer_in_an_inline_path() {
    check(
        "scene/frame.rs",
        "\n\nfn f() -> crate::render::Gpu { g::<u8>() }",
        &["src/scene/frame.rs:3:"],
    );
}

#[test]
fn resolves_super_through_files_and_inline_modules() {
    check(
        "anim/pose.rs",
        "use super::super::render::Gpu;",
        &["layer `render`"],
    );
    check(
        "anim/mod.rs",
        "use super::render::Gpu;",
        &["layer `render`"],
    );
    check(
        "anim/pose.rs",
        "use super::render; mod tests { use super::super::render; }",
        &[],
    );
    check(
        "anim/pose.rs",
        "mod a { mod b { use super::super::super::super::ui::X; } } use super::X;",
        &["layer `ui`"],
    );
}

#[test]
fn finds_packages_however_they_are_named() {
    check("model/mesh.rs", "use wgpu::Device;", &["package `wgpu`"]);
    check(
        "model/mesh.rs",
        "use {glam::Vec3, wgpu as gpu};",
        &["package `wgpu`"],
    );
    check(
        "model/mesh.rs",
        "fn f(d: &wgpu::Device) {}",
        &["package `wgpu`"],
    );
    check(
        "model/mesh.rs",
        "fn f(d: ::wgpu::Device) {}",
        &["package `wgpu`"],
    );
    check(
        "model/mesh.rs",
        "#[derive(wgpu::Pod)] struct S;",
        &["package `wgpu`"],
    );
    check(
        "ui/panels/mod.rs",
        "use egui_winit::State;",
        &["package `egui_winit`"],
    );
    check(
        "ui/panels/mod.rs",
        "mod tests { use x11rb::connect; }",
        &["package `x11rb`"],
    );
}

#[test]
fn a_local_module_may_have_the_name_of_a_package() {
    check(
        "model/mod.rs",
        "mod image;\nfn f() { image::decode(); }",
        &[],
    );
    check(
        "model/mesh.rs",
        "use super::image;\nfn f() { image::decode(); }",
        &[],
    );
    check(
        "model/mesh.rs",
        "use image;\nfn f() { image::decode(); }",
        &["package `image`", "package `image`"],
    );
}

#[test]
fn comments_strings_and_lifetimes_do_not_count() {
    let source = r####"
        // use wgpu::Device;
        /* crate::render /* wgpu::Device */ wgpu::Queue */
        //! [`wgpu::Device`]
        fn f<'wgpu>(_: &'wgpu str) -> impl Sized + use<'wgpu> {
            ("wgpu::Device \" crate::render::Gpu", r#"use wgpu::Device; "quoted" "#, b'\'', '"', '\u{41}', "\\")
        }
        fn g() { a.wgpu::<u8>(); Kind::wgpu::x(); }
    "####;
    check("model/mesh.rs", source, &[]);
    let after_literals = "const A: (char, &str) = ('\"', r\"\\\");\nuse wgpu::Device;";
    check("model/mesh.rs", after_literals, &["src/model/mesh.rs:2:"]);
}

#[test]
fn finds_a_layer_without_a_row() {
    check("network/mod.rs", "", &["`network` is no layer"]);
    check("helpers.rs", "", &["`helpers` is no layer"]);
}

#[test]
fn only_the_app_reads_the_clock() {
    check(
        "anim/clock.rs",
        "fn f() { std::time::Instant::now(); }",
        &["system clock"],
    );
    check(
        "cli/pose.rs",
        "use std::time::SystemTime;\nfn f() { SystemTime::now(); }",
        &["system clock"],
    );
    check("app/frame.rs", "fn f() { Instant::now(); }", &[]);
    check(
        "anim/clock.rs",
        "mod tests { fn f() { Instant::now(); } }",
        &[],
    );
}

#[test]
fn finds_long_nameless_and_unfinished_files() {
    assert_eq!(
        text_violations("src/a.rs", "//! A thing.\nfn f() { /* todo!() */ }\n"),
        Vec::<String>::new()
    );
    assert_eq!(
        text_violations("shaders/a.wgsl", "// A thing.\n"),
        Vec::<String>::new()
    );
    let long = "//! A thing.\n".repeat(501);
    assert_eq!(
        text_violations("src/a.rs", &long),
        ["src/a.rs: 501 lines, more than 500"]
    );
    assert!(text_violations("src/a.rs", "fn f() {}")[0].contains("first line"));
    let unfinished = text_violations(
        "src/a.rs",
        "//! A thing.\nfn f() { todo!(); dbg!(1); unimplemented!() }",
    );
    assert_eq!(unfinished.len(), 3, "{unfinished:?}");
    assert!(unfinished[0].starts_with("src/a.rs:2: todo!"));
}

#[test]
fn finds_docs_without_a_subject() {
    let docs = "//! A thing.\n/// It. The same to all.\nfn f() {}\n    /// The same for g.\n";
    let found = text_violations("src/a.rs", docs);
    assert!(found.len() == 1 && found[0].contains(":4:"), "{found:?}");
}

#[test]
fn finds_twins_that_are_gone() {
    for (said, is_lost) in [
        ("Twin: layers/text.rs `lost_twins`.", true),
        ("Twin: tests/layers/text.rs `lost_twins`.", false),
        (
            "Twin: tests/layers/text.rs `lost_twin`. `leaning` is another.",
            true,
        ),
        ("Twin of `lost_twins` in `tests/layers/text.rs`.", false),
        ("Twin:\n// tests/layers/text.rs\n// `leaning`. More.", false),
        ("Twin: model::Transform.", false),
        ("Twin: model::Transfer.", true),
        ("Twin: `dimmed_to` of the shaders.", false),
        ("Twin: `dimmer_to` of the shaders.", true),
        ("Twin: somewhere.", true),
    ] {
        let found = lost_twins("a.wgsl", &format!("// A thing. {said}"), &project());
        assert_eq!(!found.is_empty(), is_lost, "{said}: {found:?}");
    }
}

#[test]
fn finds_folders_of_import_below() {
    for (name, source, expected) in [
        (
            "json/plain.rs",
            "use crate::import::{base::progress::Progress, json::deep};",
            None,
        ),
        (
            "json/plain.rs",
            "use super::super::files::bytes::Bytes;",
            None,
        ),
        (
            "json/plain.rs",
            "use crate::{import::{base, arrays::source::Source}, model::Clip};",
            Some("arrays"),
        ),
        (
            "json/plain.rs",
            "use super::{document, super::motion};",
            Some("motion"),
        ),
        (
            "json/repair/mod.rs",
            "use super::super::scene::skins;",
            Some("scene"),
        ),
        (
            "json/plain.rs",
            "fn f() -> crate::import::scene::skins::Joints {}",
            Some("scene"),
        ),
        ("json/plain.rs", "pub(in crate::import) fn f() {}", None),
        (
            "json/plain.rs",
            "mod tests { use crate::import::load_bytes; use super::super::super::scene; }",
            None,
        ),
        (
            "json/plain.rs",
            "use crate::import::Consent;",
            Some("Consent"),
        ),
        ("json/plain.rs", "use crate::import;", Some("*")),
        ("asset.rs", "use super::{findings::checks, Consent};", None),
        ("other/plain.rs", "", Some("other")),
    ] {
        let found = import_violations(&format!("import/{name}"), source);
        let says = |what: &str| found.len() == 1 && found[0].contains(what);
        let is_right = expected.map_or(found.is_empty(), says);
        assert!(is_right, "{name}: {source}: {found:?}");
    }
}
