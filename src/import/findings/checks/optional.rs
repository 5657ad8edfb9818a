//! Extensions that hold what is nowhere else: they must be required, or who does not know them finds nothing. And the other
//! way round: of what is required, nobody needs a second form.

use std::collections::{HashMap, HashSet};

use crate::{
    import::{
        arrays::{accessor::Accessor, source::Source},
        base::{diagnostics::Severity, extension, wording::counted},
        json::{
            document::{Document, Section},
            repair,
        },
    },
    model::AssetInfo,
};

use super::{
    Report,
    facts::objects,
    fields::{Fields, Pointer, integer},
};

const DRACO: &str = extension::KHR_DRACO_MESH_COMPRESSION;
/// Each does the work of the other.
const OF_VIEWS: [&str; 2] = [
    extension::KHR_MESHOPT_COMPRESSION,
    extension::EXT_MESHOPT_COMPRESSION,
];
const OF_TEXTURES: [&str; 2] = [extension::KHR_TEXTURE_BASISU, extension::EXT_TEXTURE_WEBP];

pub(super) fn check(source: &Source<'_>, asset: &AssetInfo, report: &mut Report<'_>) {
    let document = &source.document;
    let (used, required) = (&asset.extensions_used, &asset.extensions_required);
    let required: HashSet<&str> = required.iter().map(String::as_str).collect();
    let is_required = |name: &str| required.contains(name);
    if let Some(place) = asset.extensions_required.iter().position(|it| it == DRACO) {
        let count = uncompressed_beside(document);
        if count > 0 {
            let what = counted(count, "primitive", "primitives");
            let message = format!(
                "{DRACO} is required, so that nobody reads the uncompressed data that {what} also have"
            );
            let at = &Pointer::Root.key("extensionsRequired");
            let code = "KHR_DRACO_MESH_COMPRESSION_UNUSED_DATA";
            report.add(Severity::Warning, code, &at.item(place), message);
        }
    }
    let place_of = |name: &str| used.iter().position(|it| it == name);
    let at = &Pointer::Root.key("extensionsUsed");
    let mut say = |severity, place, name: &str, what: &str, loss: &str| {
        let message = format!("extensionsRequired lacks {name}, which alone has {what}: {loss}");
        let code = "NON_REQUIRED_EXTENSION";
        report.add(severity, code, &at.item(place), message);
    };
    if let Some(place) = place_of(DRACO).filter(|_| !is_required(DRACO)) {
        let count = compressed_alone(source);
        if count > 0 {
            let what = counted(count, "primitive's data", "primitives' data");
            let loss = "a program without it draws nothing of that";
            // The extension forbids it; the validator does not look, and there are such files.
            say(Severity::Warning, place, DRACO, &what, loss);
        }
    }
    for name in OF_VIEWS {
        if let Some(place) = place_of(name).filter(|_| !is_required(name)) {
            let mut others = OF_VIEWS.into_iter().filter(|other| is_required(other));
            let count = views_alone(source, name, others.next());
            if count > 0 {
                let what = counted(count, "buffer view's data", "buffer views' data");
                let loss = "a program without it finds nothing there";
                say(Severity::Error, place, name, &what, loss);
            }
        }
    }
    for name in OF_TEXTURES {
        if let Some(place) = place_of(name).filter(|_| !is_required(name)) {
            let count = textures_alone(document, name, &required);
            if count > 0 {
                let what = counted(count, "texture's image", "textures' images");
                let loss = "a program without it shows nothing of that";
                say(Severity::Error, place, name, &what, loss);
            }
        }
    }
}

/// How many primitives have no data but those that Draco compressed.
fn compressed_alone(source: &Source<'_>) -> usize {
    count_streams(&source.document, |index| {
        let accessor = source.accessors.get(index);
        accessor.is_ok_and(Accessor::is_all_zero)
    })
}

/// How many primitives have data beside those that Draco compressed, and that no other primitive reads.
fn uncompressed_beside(document: &Document<'_>) -> usize {
    let accessors = objects(document, Section::Accessors);
    let have_views: Vec<bool> = accessors.map(|it| it.has("bufferView")).collect();
    let has_view = |index: usize| have_views.get(index) == Some(&true);
    if count_streams(document, has_view) == 0 {
        return 0;
    }
    let read = read_uncompressed(document);
    count_streams(document, |index| has_view(index) && !read.contains(&index))
}

/// The accessors that primitives read as they are.
fn read_uncompressed(document: &Document<'_>) -> HashSet<usize> {
    let mut read = HashSet::new();
    for mesh in objects(document, Section::Meshes) {
        for primitive in mesh.list("primitives") {
            let primitive = Fields::of(primitive).unwrap_or_default();
            let stream = primitive.extension(DRACO);
            let indices = primitive.get("indices").filter(|_| stream.is_none());
            let names = stream.unwrap_or_default().object("attributes");
            let names: HashSet<&str> = names.iter().map(|(name, _)| name).collect();
            let attributes = primitive.object("attributes");
            let attributes = attributes.iter().filter(|(name, _)| !names.contains(name));
            let attributes = attributes.map(|(_, text)| text);
            read.extend(attributes.chain(indices).filter_map(index_of));
        }
    }
    read
}

fn index_of(text: &str) -> Option<usize> {
    usize::try_from(integer(text)?).ok()
}

/// How many primitives have an accessor of this kind whose data are those of a Draco stream.
fn count_streams(document: &Document<'_>, is_counted: impl Fn(usize) -> bool) -> usize {
    let mut count = 0_usize;
    for index in 0..document.count(Section::Meshes) {
        let text = document.text(Section::Meshes, index);
        if !repair::may_name(text, DRACO) {
            continue;
        }
        for primitive in Fields::of(text).unwrap_or_default().list("primitives") {
            let primitive = Fields::of(primitive).unwrap_or_default();
            let Some(stream) = primitive.extension(DRACO) else {
                continue;
            };
            let (names, attributes) = (stream.object("attributes"), primitive.object("attributes"));
            // There may be tens of thousands of both.
            let attributes: HashMap<&str, &str> = attributes.iter().collect();
            let of_names = names.iter().filter_map(|(name, _)| attributes.get(name));
            let of_names = of_names.copied();
            let all = of_names.chain(primitive.get("indices"));
            if all.filter_map(index_of).any(&is_counted) {
                count = count.saturating_add(1);
            }
        }
    }
    count
}

/// How many views have no data but those that this extension compressed; `other` is required, and may have compressed them
/// too.
fn views_alone(source: &Source<'_>, name: &str, other: Option<&str>) -> usize {
    let document = &source.document;
    let has_chunk = source.buffers.has_chunk();
    let buffers = objects(document, Section::Buffers).enumerate();
    let have_bytes: Vec<bool> = buffers
        .map(|(index, buffer)| buffer.has("uri") || (index == 0 && has_chunk))
        .collect();
    let is_alone = |index: &usize| {
        let text = document.text(Section::BufferViews, *index);
        if !repair::may_name(text, name) {
            return false;
        }
        let view = Fields::of(text).unwrap_or_default();
        let buffer = view.index("buffer").and_then(|it| have_bytes.get(it));
        view.extension(name).is_some()
            && buffer == Some(&false)
            && other.is_none_or(|other| view.extension(other).is_none())
    };
    let views = 0..document.count(Section::BufferViews);
    views.filter(is_alone).count()
}

/// How many textures have no image but that of this extension: any other extension may have one, if it is required.
fn textures_alone(document: &Document<'_>, name: &str, required: &HashSet<&str>) -> usize {
    let has_source = |text: &str| Fields::of(text).is_some_and(|it| it.has("source"));
    let is_alone = |texture: &Fields<'_>| {
        let extensions = texture.object("extensions");
        let mut others = extensions.iter().filter(|(other, _)| *other != name);
        extensions.get(name).is_some_and(has_source)
            && !texture.has("source")
            && !others.any(|(other, text)| required.contains(other) && has_source(text))
    };
    let textures = objects(document, Section::Textures);
    textures.filter(is_alone).count()
}
