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
        hashing::{HashMap, HashSet},
        progress::{Cancelled, Progress},
    },
    decode::draco::{self, Decoded},
    files::bytes::{Bytes, Start},
    json::{
        document::{Document, Section},
        extensions::ObjectExtensions,
        fields::Fields,
        references::beyond,
        repair,
    },
};

/// The name of the extension.
pub(in crate::import) const NAME: &str = "KHR_draco_mesh_compression";
/// The modes that can be compressed.
const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
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

/// Decodes all streams of a file and puts the results where accessors find them.
pub(in crate::import) fn decode_all(
    document: &Document<'_>,
    buffers: &mut Buffers<'_>,
    accessors: &mut Accessors,
    budget: &Budget,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
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
            check_names(&primitive, &object, pointer, diagnostics);
            let place = (index, place);
            if let Err(fault) = decoder.decode(place, &primitive, &object, diagnostics) {
                diagnostics.fault(fault, pointer, ACTION);
            }
        }
    }
    Ok(())
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

struct Decoder<'d, 'a> {
    document: &'d Document<'d>,
    buffers: &'d mut Buffers<'a>,
    accessors: &'d mut Accessors,
    budget: &'d Budget,
    /// What was added: for which accessor, and of which stream, named by its view, what part.
    added: HashMap<(usize, usize, StreamPart), usize>,
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
    /// Charges a stream and the work to decode it. Most are decoded once, and none lies in another: what is decoded again and
    /// again, or in part, or grows beyond measure, must come to an end.
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
    fn decode(
        &mut self,
        place: PrimitivePlace,
        primitive: &FilePrimitive,
        object: &Object,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Fault> {
        let shapes = match primitive.mode.unwrap_or(TRIANGLES) {
            TRIANGLES => StreamPart::Triangles,
            TRIANGLE_STRIP => StreamPart::Strip,
            _ => {
                let message = "only triangles and triangle strips can be compressed with it";
                return Err(Fault::new("COMPRESSION_UNSUPPORTED", message));
            }
        };
        let lost = |what: &str| Fault::new("COMPRESSION_UNSUPPORTED", format!("{what} is missing"));
        let indices = primitive.indices.ok_or_else(|| lost("indices"))?;
        let view = object.buffer_view.value();
        let mut wanted = vec![(indices, shapes)];
        let mut known = HashSet::default();
        known.insert(indices);
        for (name, &id) in &object.attributes {
            // An attribute that only the extension names belongs to nobody.
            let Some(&accessor) = primitive.attributes.get(name) else {
                continue;
            };
            // Several attributes may share an accessor; encoders then write its data once for each.
            if known.insert(accessor) {
                wanted.push((accessor, StreamPart::Attribute(id)));
            }
        }
        // Primitives may share all of it.
        wanted.retain(|&(accessor, part)| {
            let added = self.added.get(&(accessor, view, part));
            if let Some(&added) = added {
                self.accessors.use_in(place, accessor, added);
            }
            added.is_none()
        });
        if wanted.is_empty() {
            return Ok(());
        }
        let count = |index: usize| self.accessors.get(index).map(|accessor| accessor.count);
        let positions = primitive.attributes.get("POSITION");
        let vertices = count(*positions.ok_or_else(|| lost("POSITION"))?)?;
        let triangles = match shapes {
            StreamPart::Strip => count(indices)?.saturating_sub(2),
            _ => count(indices)?.div_ceil(3),
        };
        if view >= self.document.count(Section::BufferViews) {
            let count = self.document.count(Section::BufferViews);
            let message = beyond(Section::BufferViews.name(), view, count);
            return Err(Fault::new("UNRESOLVED_REFERENCE", message));
        }
        let (bytes, _) = self.buffers.view(view)?;
        let work = draco::work(vertices, triangles);
        self.decodings.charge(bytes, work, self.budget)?;
        let decoded = draco::decode(&bytes.load(self.budget)?, vertices, triangles, self.budget)?;
        for (accessor, part) in wanted {
            let pointer = format_args!("/accessors/{accessor}");
            let said = self.accessors.get(accessor).map_or(0, |it| it.count);
            match self.add(accessor, part, &decoded) {
                Ok((added, found)) => {
                    self.accessors.use_in(place, accessor, added);
                    self.added.insert((accessor, view, part), added);
                    // Strips can be made of the same triangles in many ways.
                    if found != said && part != StreamPart::Strip {
                        diagnostics.info(
                            "COMPRESSED_LENGTH_MISMATCH",
                            pointer,
                            format!("{said} elements are stated, and {found} were decoded"),
                            "all that were decoded are used",
                        );
                    }
                }
                Err(fault) => diagnostics.fault(fault, pointer, ACTION),
            }
        }
        Ok(())
    }

    /// Adds an accessor for a part of a stream, which may stand for the one at `index`. The result is which it is, and how
    /// many elements it has.
    fn add(
        &mut self,
        index: usize,
        part: StreamPart,
        decoded: &Decoded,
    ) -> Result<(usize, usize), Fault> {
        let accessor = self.accessors.get(index)?;
        let (component, count, bytes) = match part {
            StreamPart::Triangles => {
                let indices = decoded.indices(self.budget)?;
                (ComponentType::U32, decoded.index_count(), indices)
            }
            StreamPart::Strip => {
                let strip = decoded.strip(self.budget)?;
                let count = strip.len().div_euclid(size_of::<u32>());
                (ComponentType::U32, count, strip)
            }
            StreamPart::Attribute(id) => {
                let multiplicity = accessor.shape.multiplicity();
                let component = accessor.component;
                let bytes = decoded.attribute(id, component, multiplicity, self.budget)?;
                (component, decoded.vertex_count(), bytes)
            }
        };
        self.budget.allow_data_for(bytes.len());
        let view = self.buffers.add(bytes);
        Ok((self.accessors.add(index, component, count, view)?, count))
    }
}
