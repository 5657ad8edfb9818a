//! `KHR_draco_mesh_compression`: streams are decoded first, and the accessors of their primitives then refer to what
//! came out, so that nobody else has to know of it.

use std::{collections::BTreeMap, fmt};

use gltf::json::{self, Index};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::ObjectExtensions;
use crate::import::{
    accessor::Accessors,
    budget::Budget,
    buffers::Buffers,
    decode::draco::{self, Decoded},
    diagnostics::{Diagnostics, Fault, beyond},
    document::{Document, Section},
    hashing::{HashMap, HashSet},
    progress::{Cancelled, Progress},
    repair,
};

/// The name of the extension.
pub(in crate::import) const NAME: &str = "KHR_draco_mesh_compression";
/// The modes that can be compressed.
const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const ACTION: &str = "uncompressed data are used, if there are any";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileMesh<'a> {
    #[serde(borrow)]
    primitives: Vec<&'a RawValue>,
}

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
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
        buffers,
        accessors,
        budget,
        filled: HashMap::default(),
        decoded: HashSet::default(),
    };
    for index in 0..document.count(Section::Meshes) {
        let text = document.text(Section::Meshes, index);
        if !repair::may_name(text, NAME) {
            continue;
        }
        // What cannot be read here cannot be read later on either, and is named then.
        let mesh: FileMesh<'_> = serde_json::from_str(text).unwrap_or_default();
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            progress.check()?;
            let extensions = ObjectExtensions::of(primitive.get());
            let Some(text) = extensions.text(NAME) else {
                continue;
            };
            let pointer = format_args!("/meshes/{index}/primitives/{place}/extensions/{NAME}");
            let object = document.read(text, pointer, ACTION, diagnostics);
            let primitive = repair::read(primitive.get());
            let Some((object, primitive)) = object.zip(primitive) else {
                continue;
            };
            check_names(&primitive, &object, pointer, diagnostics);
            if let Err(fault) = decoder.decode(&primitive, &object, diagnostics) {
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
    /// What accessors hold that were filled, each of a stream that is named by its view.
    filled: HashMap<usize, (usize, Part)>,
    /// Streams that were decoded, by where they begin.
    decoded: HashSet<usize>,
}

impl Decoder<'_, '_> {
    fn decode(
        &mut self,
        primitive: &FilePrimitive,
        object: &Object,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Fault> {
        let shapes = match primitive.mode.unwrap_or(TRIANGLES) {
            TRIANGLES => Part::Triangles,
            TRIANGLE_STRIP => Part::Strip,
            _ => {
                let message = "only triangles and triangle strips can be compressed with it";
                return Err(Fault::new("COMPRESSION_UNSUPPORTED", message));
            }
        };
        let lost = |what: &str| Fault::new("COMPRESSION_UNSUPPORTED", format!("{what} is missing"));
        let indices = primitive.indices.ok_or_else(|| lost("indices"))?;
        let view = object.buffer_view.value();
        let mut wanted = vec![(indices, (view, shapes))];
        let mut known = HashSet::default();
        known.insert(indices);
        for (name, &id) in &object.attributes {
            // An attribute that only the extension names belongs to nobody.
            let Some(&accessor) = primitive.attributes.get(name) else {
                continue;
            };
            // Several attributes may share an accessor; encoders then write its data once for each.
            if known.insert(accessor) {
                wanted.push((accessor, (view, Part::Attribute(id))));
            }
        }
        // Primitives may share all of it.
        wanted.retain(|(accessor, part)| self.filled.get(accessor) != Some(part));
        if wanted.is_empty() {
            return Ok(());
        }
        let count = |index: usize| self.accessors.get(index).map(|accessor| accessor.count);
        let positions = primitive.attributes.get("POSITION");
        let vertices = count(*positions.ok_or_else(|| lost("POSITION"))?)?;
        let triangles = match shapes {
            Part::Strip => count(indices)?.saturating_sub(2),
            _ => count(indices)?.div_ceil(3),
        };
        if view >= self.document.count(Section::BufferViews) {
            let count = self.document.count(Section::BufferViews);
            let message = beyond(Section::BufferViews.name(), view, count);
            return Err(Fault::new("UNRESOLVED_REFERENCE", message));
        }
        let (bytes, _) = self.buffers.view(view)?;
        // Most are decoded once; what is decoded again and again must come to an end.
        if !self.decoded.insert(bytes.start()) {
            self.budget
                .charge_loaded(draco::work(vertices, triangles))?;
        }
        let decoded = draco::decode(&bytes.load(self.budget)?, vertices, triangles, self.budget)?;
        for (accessor, part) in wanted {
            let pointer = format_args!("/accessors/{accessor}");
            match self.fill(accessor, part, &decoded) {
                // Strips can be made of the same triangles in many ways.
                Ok((found, said)) if found != said && part.1 != Part::Strip => diagnostics.info(
                    "COMPRESSED_LENGTH_MISMATCH",
                    pointer,
                    format!("it says {said} elements, and {found} were decoded"),
                    "all that were decoded are used",
                ),
                Ok(_) => {}
                Err(fault) => diagnostics.fault(fault, pointer, ACTION),
            }
        }
        Ok(())
    }

    /// Puts a part of a stream where an accessor finds it; the result is how many elements there are, and how many there
    /// should be.
    fn fill(
        &mut self,
        index: usize,
        part: (usize, Part),
        decoded: &Decoded,
    ) -> Result<(usize, usize), Fault> {
        if self.filled.contains_key(&index) {
            let message = "two compressed primitives have different data for it";
            return Err(Fault::new("ACCESSOR_COMPRESSED_TWICE", message));
        }
        let accessor = self.accessors.get_mut(index)?;
        let (count, bytes) = match part.1 {
            Part::Triangles => {
                accessor.component = json::accessor::ComponentType::U32;
                (decoded.index_count(), decoded.indices(self.budget)?)
            }
            Part::Strip => {
                accessor.component = json::accessor::ComponentType::U32;
                let strip = decoded.strip(self.budget)?;
                (strip.len().div_euclid(size_of::<u32>()), strip)
            }
            Part::Attribute(id) => {
                let multiplicity = accessor.shape.multiplicity();
                let component = accessor.component;
                let bytes = decoded.attribute(id, component, multiplicity, self.budget)?;
                (decoded.vertex_count(), bytes)
            }
        };
        let said = accessor.count;
        self.budget.allow_data_for(bytes.len());
        accessor.set_data(count, self.buffers.add(bytes));
        self.filled.insert(index, part);
        Ok((count, said))
    }
}
