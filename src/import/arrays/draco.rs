//! `KHR_draco_mesh_compression`: streams are decoded first, and what came out stands for the accessors of their primitives.
//! These alone: others may name the same accessors, with streams of their own or none.

use std::{collections::BTreeMap, fmt};

use gltf::json::{self, Index, accessor::ComponentType};
use serde::Deserialize;

use super::{
    accessor::{Accessors, PrimitivePlace},
    buffers::Buffers,
};
use crate::import::{
    base::{
        budget::Budget,
        diagnostics::{Diagnostics, Fault},
        extension,
        hashing::{HashMap, HashSet},
        progress::Cancelled,
        scope::Scope,
        wording::counted,
    },
    decode::draco::{self, Decoded},
    files::{
        bytes::{Bytes, Start},
        sandbox::Terms,
    },
    json::{
        document::{Document, Section},
        extensions::ObjectExtensions,
        fields::Fields,
        references::beyond,
        repair,
    },
};

const NAME: &str = extension::KHR_DRACO_MESH_COMPRESSION;
/// The modes that can be compressed, and the one that some compress all the same.
const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const POINTS: u32 = 0;
/// How many triangles a stream may have for each vertex where no accessor says how many, or a wrong number. Closed surfaces have two.
const TRIANGLES_PER_VERTEX: usize = 3;
const ACTION: &str = "uncompressed data are used, if there are any";

#[derive(Debug, Deserialize)]
struct FilePrimitive {
    attributes: BTreeMap<String, usize>,
    indices: Option<usize>,
    mode: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    buffer_view: Index<json::buffer::View>,
    attributes: BTreeMap<String, u32>,
}

/// What of a stream an accessor holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum StreamPart {
    Triangles,
    /// Streams hold triangles; what is drawn as a strip gets one made of them.
    Strip,
    /// An attribute by its number.
    Attribute(u32),
}

/// Decodes all streams of a file that are wanted and puts the results where accessors find them. Says whether there are
/// uncompressed data beside any that were decoded.
pub(in crate::import) fn decode_all(
    document: &Document<'_>,
    scope: Scope,
    buffers: &mut Buffers<'_>,
    accessors: &mut Accessors,
    Terms { budget, progress }: Terms<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<bool, Cancelled> {
    // No clip is compressed with it.
    if scope == Scope::Clips {
        return Ok(false);
    }
    let mut has_unread_fallback = false;
    let mut decoder = Decoder {
        document,
        decodings: Decodings {
            free_bytes: buffers.total_length(),
            started: HashSet::default(),
        },
        buffers,
        accessors,
        budget,
        added: HashMap::default(),
    };
    for index in 0..document.count(Section::Meshes) {
        let text = document.text(Section::Meshes, index);
        if !repair::may_name(text, NAME) {
            continue;
        }
        // What cannot be read here cannot be read later on either, and is named then.
        let primitives = Fields::of(text).unwrap_or_default().list("primitives");
        for (place, primitive) in primitives.into_iter().enumerate() {
            progress.check()?;
            let extensions = ObjectExtensions::of(primitive);
            let Some(text) = extensions.text(NAME) else {
                continue;
            };
            let pointer = format_args!("/meshes/{index}/primitives/{place}/extensions/{NAME}");
            let object = document.read(text, pointer, ACTION, diagnostics);
            // What is wrong with it is said once it is read as a whole.
            let (at, unheard) = (format_args!(""), &mut Diagnostics::default());
            let primitive = document.read(primitive, at, "", unheard);
            let Some((object, primitive)) = object.zip(primitive) else {
                continue;
            };
            let has_fallback = decoder.has_fallback(&primitive, &object);
            if has_fallback && scope == Scope::Uncompressed {
                continue;
            }
            has_unread_fallback |= has_fallback;
            check_names(&primitive, &object, pointer, diagnostics);
            let place = (index, place);
            let mode = primitive.mode.unwrap_or(TRIANGLES);
            if !matches!(mode, TRIANGLES | TRIANGLE_STRIP) {
                let action = match mode {
                    POINTS => "points are decoded all the same",
                    _ => ACTION,
                };
                let message = "only triangles and triangle strips can be compressed with it";
                diagnostics.error("COMPRESSION_UNSUPPORTED", pointer, message, action);
                if mode != POINTS {
                    continue;
                }
            }
            if let Err(fault) = decoder.decode(place, &primitive, &object, diagnostics) {
                // The only thing it refers to that may not be there is the view.
                let at = match fault.code {
                    "UNRESOLVED_REFERENCE" => "/bufferView",
                    _ => "",
                };
                diagnostics.fault(fault, format_args!("{pointer}{at}"), ACTION);
            }
        }
    }
    Ok(has_unread_fallback)
}

/// Says which attributes are compressed that the primitive has not: they must be some of its own.
fn check_names(
    primitive: &FilePrimitive,
    object: &Object,
    pointer: fmt::Arguments<'_>,
    diagnostics: &mut Diagnostics,
) {
    let names = object.attributes.keys();
    for name in names.filter(|name| !primitive.attributes.contains_key(*name)) {
        diagnostics.error(
            "COMPRESSED_ATTRIBUTE_UNUSED",
            format_args!("{pointer}/attributes/{}", repair::escape(name)),
            "the primitive itself has no such attribute",
            "it is ignored",
        );
    }
}

/// What a primitive has of a stream: attributes by their names and indices without one, and the accessor of each, if there is
/// one.
fn parts_of<'p>(
    primitive: &'p FilePrimitive,
    object: &'p Object,
) -> Vec<(Option<&'p str>, Option<usize>, StreamPart)> {
    let mut parts = Vec::new();
    // What is drawn is in the stream, whether an accessor says how much of it there is or not. Points need no indices.
    if primitive.indices.is_some() || primitive.mode != Some(POINTS) {
        let shapes = match primitive.mode {
            Some(TRIANGLE_STRIP) => StreamPart::Strip,
            _ => StreamPart::Triangles,
        };
        parts.push((None, primitive.indices, shapes));
    }
    for (name, &id) in &object.attributes {
        // An attribute that only the extension names belongs to nobody.
        let Some(&accessor) = primitive.attributes.get(name) else {
            continue;
        };
        // Accessors that say no more than a type and a count are often one.
        parts.push((Some(&**name), Some(accessor), StreamPart::Attribute(id)));
    }
    parts
}

/// Whether an attribute of this name may be read.
fn is_read(name: &str) -> bool {
    /// Sets of joints and weights that there may be.
    const SETS: u32 = 64;
    let is_influence = || {
        let joints = name.strip_prefix("JOINTS_");
        let set = joints.or_else(|| name.strip_prefix("WEIGHTS_"));
        let set = set.and_then(|set| set.parse::<u32>().ok());
        set.is_some_and(|set| set < SETS)
    };
    let others = [
        "POSITION",
        "NORMAL",
        "TANGENT",
        "TEXCOORD_0",
        "TEXCOORD_1",
        "COLOR_0",
    ];
    others.contains(&name) || is_influence()
}

/// Says if more or fewer elements were decoded than an accessor states.
fn check_length(index: usize, stated: usize, found: usize, diagnostics: &mut Diagnostics) {
    if found != stated {
        diagnostics.info(
            "COMPRESSED_LENGTH_MISMATCH",
            format_args!("/accessors/{index}"),
            format!(
                "{} stated, and {} decoded",
                counted(stated, "element is", "elements are"),
                counted(found, "was", "were")
            ),
            "all that were decoded are used",
        );
    }
}

struct Decoder<'d, 'a> {
    document: &'d Document<'d>,
    buffers: &'d mut Buffers<'a>,
    accessors: &'d mut Accessors,
    budget: &'d Budget,
    /// What was added: for which accessor, if any, and of which stream, named by its view, what part; nothing where that
    /// failed, which was said.
    added: HashMap<(Option<usize>, usize, StreamPart), Option<usize>>,
    decodings: Decodings,
}

/// What was decoded, whether that succeeded or not.
#[derive(Debug)]
struct Decodings {
    /// How many bytes of streams may be decoded yet whose work is not charged.
    free_bytes: usize,
    /// Where streams begin that were decoded.
    started: HashSet<Start>,
}

/// How much work, by [`draco::work`], a byte of a stream may cause that is not charged: real ones cause 20 to 110.
const WORK_PER_BYTE: usize = 512;

impl Decodings {
    /// Charges a stream and the work to decode it. Most are decoded once, and none lies in another: what is decoded again
    /// and again, or in part, or grows beyond measure, must come to an end.
    fn charge(&mut self, bytes: Bytes<'_>, work: usize, budget: &Budget) -> Result<(), Fault> {
        let length = bytes.len();
        let is_first = self.started.insert(bytes.start());
        let work = match self.free_bytes.checked_sub(length) {
            Some(left) if is_first => {
                self.free_bytes = left;
                work.saturating_sub(length.saturating_mul(WORK_PER_BYTE))
            }
            _ => work.saturating_add(length),
        };
        budget.charge_loaded(work)
    }
}

impl Decoder<'_, '_> {
    /// Whether all that a stream has is there without it.
    fn has_fallback(&self, primitive: &FilePrimitive, object: &Object) -> bool {
        let attributes = object.attributes.keys();
        let attributes = attributes.filter_map(|name| primitive.attributes.get(name));
        let has_positions = primitive.attributes.contains_key("POSITION");
        let mut parts = attributes.chain(&primitive.indices);
        let has_data = |index: &usize| {
            let accessor = self.accessors.get(*index);
            accessor.is_ok_and(|accessor| !accessor.is_all_zero())
        };
        has_positions && parts.all(has_data)
    }

    fn decode(
        &mut self,
        place: PrimitivePlace,
        primitive: &FilePrimitive,
        object: &Object,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Fault> {
        let view = object.buffer_view.value();
        let mut wanted = parts_of(primitive, object);
        // Primitives may share all of it.
        wanted.retain(|part| !self.use_added(place, view, part));
        if wanted.is_empty() {
            return Ok(());
        }
        let [vertices, triangles] = self.stated_counts(primitive)?;
        if view >= self.document.count(Section::BufferViews) {
            let count = self.document.count(Section::BufferViews);
            let message = beyond(Section::BufferViews.name(), view, count);
            return Err(Fault::new("UNRESOLVED_REFERENCE", message));
        }
        let decoded = self.decode_stream(view, vertices, triangles)?;
        for wanted in wanted {
            let (_, accessor, part) = wanted;
            // A cloud of points is drawn in its own order.
            let is_needless = accessor.is_none() && decoded.is_cloud();
            if is_needless || self.use_added(place, view, &wanted) {
                continue;
            }
            let said = accessor.and_then(|index| self.accessors.even_if_lost(index).ok());
            let said = said.map(|said| (said.count, said.component));
            match self.add(accessor, part, &decoded) {
                Ok((added, found)) => {
                    self.added.insert((accessor, view, part), Some(added));
                    self.use_added(place, view, &wanted);
                    // Strips can be made of the same triangles in many ways.
                    if let (Some(index), Some((count, component))) = (accessor, said)
                        && part != StreamPart::Strip
                    {
                        check_length(index, count, found, diagnostics);
                        let own = self.accessors.get(added);
                        let is_alike = own.is_ok_and(|own| own.component == component);
                        if !is_alike && matches!(part, StreamPart::Attribute(_)) {
                            diagnostics.error(
                                "COMPRESSED_FORMAT_MISMATCH",
                                format_args!("/accessors/{index}"),
                                "integers are stated, and the stream has floats that are none",
                                "these are used",
                            );
                        }
                    }
                }
                Err(fault) => match accessor {
                    // An accessor that is not there is reported with the attribute that refers to it.
                    Some(index) if self.accessors.even_if_lost(index).is_err() => {}
                    Some(index) => {
                        self.added.insert((accessor, view, part), None);
                        diagnostics.fault(fault, format_args!("/accessors/{index}"), ACTION);
                    }
                    None => return Err(fault),
                },
            }
        }
        Ok(())
    }

    /// Lets a primitive use a part of the stream in a view, if that was added already, and says whether that was tried. Names
    /// that nobody asks for are not kept: a file may have very many.
    fn use_added(
        &mut self,
        place: PrimitivePlace,
        view: usize,
        &(name, accessor, part): &(Option<&str>, Option<usize>, StreamPart),
    ) -> bool {
        let added = self.added.get(&(accessor, view, part));
        if let Some(&Some(added)) = added
            && name.is_none_or(is_read)
        {
            self.accessors.use_in(place, name, added);
        }
        added.is_some()
    }

    /// How many vertices and triangles the file says that a stream has.
    fn stated_counts(&self, primitive: &FilePrimitive) -> Result<[usize; 2], Fault> {
        let count = |index: usize| {
            self.accessors
                .even_if_lost(index)
                .map(|accessor| accessor.count)
        };
        let positions = primitive.attributes.get("POSITION").ok_or_else(|| {
            let message = "POSITION is missing";
            Fault::new("COMPRESSION_UNSUPPORTED", message)
        })?;
        let vertices = count(*positions)?;
        let triangles = match (primitive.indices, primitive.mode) {
            (None, _) => vertices.saturating_mul(TRIANGLES_PER_VERTEX),
            (Some(indices), Some(TRIANGLE_STRIP)) => count(indices)?.saturating_sub(2),
            (Some(indices), _) => count(indices)?.div_ceil(3),
        };
        Ok([vertices, triangles])
    }

    /// Decodes the stream in a view. Where it has more triangles than are stated these may be as many as the vertices allow:
    /// a wrong count of indices costs no more than one of vertices does.
    fn decode_stream(
        &mut self,
        view: usize,
        vertices: usize,
        stated: usize,
    ) -> Result<Decoded, Fault> {
        let (bytes, _) = self.buffers.view(view)?;
        let mut decode = |triangles| {
            let work = draco::work(vertices, triangles);
            self.decodings.charge(bytes, work, self.budget)?;
            draco::decode(&bytes.load(self.budget)?, vertices, triangles, self.budget)
        };
        let most = vertices.saturating_mul(TRIANGLES_PER_VERTEX);
        match decode(stated) {
            Err(fault) if fault.message == draco::MORE_THAN_SAID && most > stated => decode(most),
            decoded => decoded,
        }
    }

    /// Adds an accessor for a part of a stream, which may stand for the one at `index`. The result is which it is, and how
    /// many elements it has.
    fn add(
        &mut self,
        index: Option<usize>,
        part: StreamPart,
        decoded: &Decoded,
    ) -> Result<(usize, usize), Fault> {
        let accessor = index
            .map(|index| self.accessors.even_if_lost(index))
            .transpose()?;
        let (component, count, bytes) = match (part, accessor) {
            (StreamPart::Attribute(id), Some(accessor)) => {
                let multiplicity = accessor.shape.multiplicity();
                let stated = (accessor.component, accessor.normalized);
                let (component, bytes) =
                    decoded.attribute(id, stated, multiplicity, self.budget)?;
                (component, decoded.vertex_count(), bytes)
            }
            (StreamPart::Strip, _) => {
                let strip = decoded.strip(self.budget)?;
                let count = strip.len().div_euclid(size_of::<u32>());
                (ComponentType::U32, count, strip)
            }
            (StreamPart::Triangles | StreamPart::Attribute(_), _) => {
                let indices = decoded.indices(self.budget)?;
                (ComponentType::U32, decoded.index_count(), indices)
            }
        };
        self.budget.allow_data_for(bytes.len());
        let view = self.buffers.add(bytes);
        Ok((self.accessors.add(index, component, count, view)?, count))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::OnceCell;

    use super::*;
    use crate::import::json::grammar;

    #[test]
    fn names_are_kept_of_what_is_read() {
        for name in ["POSITION", "TEXCOORD_1", "COLOR_0", "JOINTS_0", "WEIGHTS_1"] {
            assert!(is_read(name), "{name}");
        }
        for name in [
            "indices",
            "_POSITION",
            "TEXCOORD_2",
            "COLOR_1",
            "JOINTS_64",
            "WEIGHTS_",
        ] {
            assert!(!is_read(name), "{name}");
        }
    }

    #[test]
    fn a_part_that_failed_is_not_tried_again() {
        let text = r#"{"asset": {"version": "2.0"}, "bufferViews": [{}], "accessors": [
            {"componentType": 5126, "type": "VEC3", "count": 3},
            {"componentType": 5126, "type": "VEC2", "count": 3}
        ]}"#;
        let (budget, diagnostics) = (&Budget::default(), &mut Diagnostics::default());
        let room = OnceCell::new();
        let document = &grammar::parse(text, &room, budget, diagnostics).unwrap();
        let mut buffers = Buffers::default();
        let view = buffers.add(draco::tests::corners());
        let mut decoder = Decoder {
            document,
            decodings: Decodings {
                free_bytes: buffers.total_length(),
                started: HashSet::default(),
            },
            buffers: &mut buffers,
            accessors: &mut Accessors::read(document, diagnostics),
            budget,
            added: HashMap::default(),
        };
        let primitive = r#"{"attributes": {"POSITION": 0, "_0": 1}}"#;
        let primitive = &serde_json::from_str(primitive).unwrap();
        let object = r#"{"bufferView": 0, "attributes": {"POSITION": 0, "_0": 0}}"#;
        let object = &serde_json::from_str(object).unwrap();
        let decoded = decoder.decode((0, 0), primitive, object, diagnostics);
        decoded.unwrap();
        let mut is_tried = |accessor, id| {
            let part = (Some("_1"), Some(accessor), StreamPart::Attribute(id));
            decoder.use_added((0, 1), view, &part)
        };
        assert!(is_tried(0, 0) && is_tried(1, 0) && !is_tried(1, 1));
    }
}
