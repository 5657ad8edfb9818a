//! What the specification asks of a file and the loader can do without: these checks read the JSON text, report, and
//! never change what is loaded. One concern a file.
//!
//! They run last, so that a fault which the loader named already is not named again.

mod bounds;
mod buffers;
mod cameras;
mod elements;
mod extension_schema;
mod extensions;
mod facts;
mod fallback;
mod features;
mod fields;
mod formats;
mod images;
mod keys;
mod materials;
mod optional;
mod primitives;
mod schema;
mod sparse;
mod tracks;
mod transfer;
mod usage;
mod uses;
mod walk;

use std::{collections::HashSet, fmt, mem};

use crate::{
    import::{
        arrays::source::Source,
        base::{
            diagnostics::{Diagnostics, Severity},
            progress::{Cancelled, Progress},
        },
        json::{
            document::{Document, Section},
            references::beyond,
        },
    },
    model::AssetInfo,
};

use facts::Facts;
use fields::Pointer;
use schema::Object;
use walk::Walker;

/// Where checks leave what they find.
struct Report<'d> {
    diagnostics: &'d mut Diagnostics,
    /// What the loader named so often that nobody knows where it did. Its number is not raised, since most of what is left
    /// would be counted twice.
    full: HashSet<(Severity, &'static str)>,
    /// Says when nobody wants to know any more: what takes long then ends early.
    progress: &'d Progress,
    /// Whether the file is a GLB.
    is_glb: bool,
}

impl Report<'_> {
    fn error(&mut self, code: &'static str, at: &Pointer<'_>, message: impl fmt::Display) {
        self.add(Severity::Error, code, at, message);
    }

    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: &Pointer<'_>,
        message: impl fmt::Display,
    ) {
        if !self.full.contains(&(severity, code)) {
            self.diagnostics
                .add_unless_said(severity, code, at, message);
        }
    }

    /// Says that an index leads nowhere, if it does.
    fn reference(&mut self, index: Option<usize>, name: &str, count: usize, at: &Pointer<'_>) {
        if let Some(index) = index
            && index >= count
        {
            let message = beyond(name, index, count);
            self.error("UNRESOLVED_REFERENCE", at, message);
        }
    }
}

/// Runs all checks, as long as anybody wants to know.
pub(in crate::import) fn run(
    source: &Source<'_>,
    asset: &AssetInfo,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    let (document, progress) = (&source.document, source.progress);
    let used: HashSet<&str> = asset.extensions_used.iter().map(String::as_str).collect();
    let full = diagnostics.full();
    let report = Report {
        diagnostics,
        full,
        progress,
        is_glb: source.buffers.is_glb(),
    };
    let mut walker = Walker {
        used: &used,
        report,
        doubled: document.doubled().clone(),
    };
    walk(document, &mut walker)?;
    mem::take(&mut walker.doubled).report(walker.report.diagnostics);
    let facts = Facts::read(document);
    bounds::check(&facts, &mut walker);
    extensions::check_spots(document, &mut walker);
    let mut report = walker.report;
    extensions::check(document, asset, &facts, &mut report);
    optional::check(source, asset, &mut report);
    progress.check()?;
    buffers::check(document, &facts, &mut report);
    fallback::check(document, &used, &mut report);
    sparse::check(&facts, &mut report);
    progress.check()?;
    let transfers = images::check(source, &used, &mut report);
    cameras::check(document, &mut report);
    materials::check(document, &mut report);
    transfer::check(document, &transfers, &used, &mut report);
    progress.check()?;
    usage::check(document, &facts, &mut report);
    progress.check()?;
    primitives::check(document, &facts, &used, &mut report);
    progress.check()?;
    tracks::check(source, &facts, &mut report);
    elements::check(source, &facts, &mut report);
    progress.check()
}

/// Compares every object with its schema.
fn walk(document: &Document<'_>, walker: &mut Walker<'_, '_>) -> Result<(), Cancelled> {
    for (name, rule) in schema::ROOT.properties {
        if let Some(text) = document.root_text(name) {
            walker.property(text, *rule, &Pointer::Root.key(name));
        }
    }
    for name in document.root_names() {
        if !schema::ROOT.has(name) && Section::of_name(name).is_none() {
            walker.unexpected(&Pointer::Root.key(name));
        }
    }
    if let Some(text) = document.root_text("extensions") {
        walker.extensions(text, &schema::ROOT, &Pointer::Root.key("extensions"));
    }
    for section in Section::ALL {
        let at = &Pointer::Root.key(section.name());
        for index in 0..document.count(section) {
            if !document.is_plain(section, index) {
                walker.report.progress.check()?;
                let text = document.text(section, index);
                walker.object(text, schema_of(section), &at.item(index));
            }
        }
    }
    Ok(())
}

fn schema_of(section: Section) -> &'static Object {
    match section {
        Section::Accessors => &schema::ACCESSOR,
        Section::Animations => &schema::ANIMATION,
        Section::BufferViews => &schema::BUFFER_VIEW,
        Section::Buffers => &schema::BUFFER,
        Section::Cameras => &schema::CAMERA,
        Section::Images => &schema::IMAGE,
        Section::Materials => &schema::MATERIAL,
        Section::Meshes => &schema::MESH,
        Section::Nodes => &schema::NODE,
        Section::Samplers => &schema::SAMPLER,
        Section::Scenes => &schema::SCENE,
        Section::Skins => &schema::SKIN,
        Section::Textures => &schema::TEXTURE,
    }
}
