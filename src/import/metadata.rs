//! `extras` (glTF 2.0 §3.1), XMP packets (`KHR_xmp_json_ld`), and titles, authors and licences of VRM models.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::model::{Metadata, Note, Owner};

use super::{
    arrays::source::Source,
    base::{
        diagnostics::{Diagnostics, Fault},
        extension,
        progress::Cancelled,
    },
    json::{
        document::Section, extensions::ObjectExtensions, fields::Fields, references::beyond, repair,
    },
};

const XMP: &str = extension::KHR_XMP_JSON_LD;

/// Objects of one kind, and what they are called as owners of notes.
type Kind = (Section, fn(usize) -> Owner);

/// What may be noted on, in the order of [`Owner`].
const OWNERS: [Kind; 6] = [
    (Section::Scenes, Owner::Scene),
    (Section::Nodes, Owner::Node),
    (Section::Meshes, Owner::Mesh),
    (Section::Materials, Owner::Material),
    (Section::Images, Owner::Image),
    (Section::Animations, Owner::Clip),
];

/// Reads all that is noted on objects.
pub(super) fn read(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Metadata, Cancelled> {
    let document = &source.document;
    let root = ObjectExtensions::of_file(document);
    let mut metadata = of_vrm(&root);
    let packets = root.text(XMP).and_then(Fields::of).unwrap_or_default();
    let mut fault = None;
    for packet in packets.list("packets") {
        fault = fault.or(keep(packet, source)
            .map(|text| metadata.xmp_packets.push(text))
            .err());
    }
    let count = metadata.xmp_packets.len();
    let asset = document.root_text("asset").unwrap_or("");
    let mut add = |owner, text, diagnostics: &mut Diagnostics| match note(
        source,
        owner,
        text,
        count,
        diagnostics,
    ) {
        Ok(note) => metadata.notes.extend(note),
        Err(short) => fault = fault.take().or(Some(short)),
    };
    add(Owner::Asset, asset, diagnostics);
    for (section, owner) in OWNERS {
        for index in 0..document.count(section) {
            source.progress.check()?;
            if !document.is_plain(section, index) {
                add(owner(index), document.text(section, index), diagnostics);
            }
        }
    }
    if let Some(fault) = fault {
        diagnostics.fault(fault, "", "not all extras are kept");
    }
    Ok(metadata)
}

/// What is noted on the object with this text; an error if memory is short.
fn note(
    source: &Source<'_>,
    owner: Owner,
    text: &str,
    packet_count: usize,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Note>, Fault> {
    #[derive(Deserialize)]
    struct Reference {
        packet: usize,
    }
    // Most objects have neither, and need not be looked through.
    let extras = if repair::may_name(text, "extras") {
        let extras = Fields::of(text).unwrap_or_default().get("extras");
        extras.filter(|extras| *extras != "null")
    } else {
        None
    };
    let packet = if repair::may_name(text, XMP) {
        let extensions = ObjectExtensions::of(text);
        let read = |text| source.document.read_silently::<Reference>(text);
        let reference = extensions.text(XMP).and_then(read);
        reference.map(|xmp| xmp.packet)
    } else {
        None
    };
    if let Some(packet) = packet
        && packet >= packet_count
    {
        let pointer = format_args!("{owner}/extensions/{XMP}/packet");
        let message = beyond("packets", packet, packet_count);
        diagnostics.error("UNRESOLVED_REFERENCE", pointer, message, "it is ignored");
    }
    let note = Note {
        owner,
        extras: extras.map(|extras| keep(extras, source)).transpose()?,
        xmp_packet: packet.filter(|&packet| packet < packet_count),
    };
    let says_something = note.extras.is_some() || note.xmp_packet.is_some();
    Ok(says_something.then_some(note))
}

/// The text, paid for.
fn keep(text: &str, source: &Source<'_>) -> Result<String, Fault> {
    let size = text.len().saturating_add(size_of::<Note>());
    source.budget.charge(1, size)?;
    Ok(text.to_owned())
}

/// Title, authors and licence in the `meta` object of VRM 1.0 or 0.x.
fn of_vrm(extensions: &ObjectExtensions<'_>) -> Metadata {
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Meta1 {
        name: String,
        authors: Vec<String>,
        license_url: Value,
        other_license_url: Value,
    }
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Meta0 {
        title: String,
        author: String,
        license_name: Value,
        other_license_url: Value,
    }
    fn licence(stated: [&Value; 2]) -> String {
        let stated = stated.into_iter().filter_map(Value::as_str);
        let stated: Vec<_> = stated.filter(|text| !text.is_empty()).collect();
        stated.join(", ")
    }
    fn meta<T: DeserializeOwned>(extensions: &ObjectExtensions<'_>, name: &str) -> Option<T> {
        let meta = Fields::of(extensions.text(name)?)?.get("meta")?;
        serde_json::from_str(meta).ok()
    }
    if let Some(meta) = meta::<Meta1>(extensions, extension::VRMC_VRM) {
        return Metadata {
            licence: licence([&meta.license_url, &meta.other_license_url]),
            title: meta.name,
            authors: meta.authors,
            ..Metadata::default()
        };
    }
    let meta: Meta0 = meta(extensions, extension::VRM).unwrap_or_default();
    let authors = Some(meta.author).filter(|author| !author.is_empty());
    Metadata {
        licence: licence([&meta.license_name, &meta.other_license_url]),
        title: meta.title,
        authors: authors.into_iter().collect(),
        ..Metadata::default()
    }
}
