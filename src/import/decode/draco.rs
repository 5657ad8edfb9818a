//! Draco: a stream → triangles, if it has any, and the attributes of vertices. The decoding itself is that of `draco-core`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use draco_core::{
    AttributeValueIndex, DataType, DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder,
    PointAttribute, PointIndex,
};
use gltf::json::accessor::ComponentType;

use super::invalid;
use crate::import::base::{
    budget::Budget,
    diagnostics::Fault,
    wording::{counted, there_are},
};

/// What the decoder needs for each vertex and triangle while it works, in bytes.
const WORK_PER_VERTEX: usize = 128;
const WORK_PER_TRIANGLE: usize = 128;

/// A decoded stream.
pub(in crate::import) struct Decoded {
    mesh: Mesh,
    is_cloud: bool,
}

/// Where a stream says whether it has triangles or is a cloud of points, and how it says the latter.
const KIND_PLACE: usize = 7;
const CLOUD: u8 = 0;

/// What is said of a stream that has more triangles, or more of anything, than it may have.
pub(in crate::import) const MORE_THAN_SAID: &str = "there is more in it than the file says";

/// Decodes a stream, if it has no more triangles than these, and not many more vertices than the file says.
pub(in crate::import) fn decode(
    bytes: &[u8],
    said_vertices: usize,
    most_triangles: usize,
    budget: &Budget,
) -> Result<Decoded, Fault> {
    let most_vertices = most_vertices(said_vertices, most_triangles, budget)?;
    let work = work(most_vertices, most_triangles);
    let wide = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let limits = DecodeLimits::default()
        .with_max_points(wide(most_vertices))
        .with_max_faces(wide(most_triangles))
        .with_max_decoded_bytes(wide(work));
    let decoded = catch_unwind(|| {
        let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
        let mut mesh = Mesh::new();
        MeshDecoder::new()
            .decode(&mut buffer, &mut mesh)
            .map(|()| mesh)
    });
    match decoded {
        Ok(Ok(mesh)) if mesh.num_points() > most_vertices => {
            let vertices = there_are(mesh.num_points(), "vertex", "vertices");
            Err(invalid(format!("{vertices}, more than the file says")))
        }
        Ok(Ok(mesh)) => Ok(Decoded {
            mesh,
            is_cloud: bytes.get(KIND_PLACE) == Some(&CLOUD),
        }),
        Ok(Err(error)) if error.kind() == ErrorKind::LimitExceeded => Err(invalid(MORE_THAN_SAID)),
        Ok(Err(error)) => Err(invalid(format!("it cannot be decoded: {error}"))),
        Err(_) => Err(failed()),
    }
}

/// What decoding takes, in bytes of memory.
pub(in crate::import) fn work(vertices: usize, triangles: usize) -> usize {
    let of_vertices = vertices.saturating_mul(WORK_PER_VERTEX);
    of_vertices.saturating_add(triangles.saturating_mul(WORK_PER_TRIANGLE))
}

/// How many vertices there may be. Encoders split vertices, and some forget to say so; more than the corners of triangles
/// are not needed. Where there is not the memory for so many, it must be as many as the file says.
fn most_vertices(said: usize, triangles: usize, budget: &Budget) -> Result<usize, Fault> {
    let corners = said.max(triangles.saturating_mul(3));
    if budget.check(work(corners, triangles)).is_ok() {
        return Ok(corners);
    }
    budget.check(work(said, triangles))?;
    Ok(said)
}

/// The fault of a decoder that panics.
fn failed() -> Fault {
    Fault::new("DECODER_FAILED", "its decoder failed unexpectedly")
}

impl Decoded {
    /// Whether it is a cloud of points, of which no shapes are made.
    pub(in crate::import) fn is_cloud(&self) -> bool {
        self.is_cloud
    }

    /// The number of vertices.
    pub(in crate::import) fn vertex_count(&self) -> usize {
        self.mesh.num_points()
    }

    /// The number of indices, three for each triangle.
    pub(in crate::import) fn index_count(&self) -> usize {
        self.mesh.faces().len().saturating_mul(3)
    }

    /// The indices, of 32 bits each.
    pub(in crate::import) fn indices(&self, budget: &Budget) -> Result<Vec<u8>, Fault> {
        self.check_shapes()?;
        budget.charge(self.index_count(), size_of::<u32>())?;
        let indices = self.mesh.faces().iter().flatten();
        Ok(indices.flat_map(|index| index.0.to_le_bytes()).collect())
    }

    /// The indices of a strip with the same triangles, the same way round. Flat triangles join them.
    pub(in crate::import) fn strip(&self, budget: &Budget) -> Result<Vec<u8>, Fault> {
        const EACH: usize = 6;
        self.check_shapes()?;
        let count = self.mesh.faces().len().saturating_mul(EACH);
        budget.charge(count, size_of::<u32>())?;
        let faces = self.mesh.faces().iter();
        // At even places, since every other triangle of a strip is turned.
        let indices =
            faces.flat_map(|&[first, second, third]| [first, first, first, second, third, third]);
        Ok(indices.flat_map(|index| index.0.to_le_bytes()).collect())
    }

    fn check_shapes(&self) -> Result<(), Fault> {
        if self.is_cloud {
            return Err(invalid("it is a cloud of points, which has no indices"));
        }
        Ok(())
    }

    /// The values of an attribute for all vertices, in vectors of `multiplicity` components, and the type that they have: that
    /// which is stated, unless the stream has floats that are no such integers. Normalised ones of −1 to 1 are what they say.
    pub(in crate::import) fn attribute(
        &self,
        id: u32,
        (component, normalized): (ComponentType, bool),
        multiplicity: usize,
        budget: &Budget,
    ) -> Result<(ComponentType, Vec<u8>), Fault> {
        let Some(attribute) = self.mesh.attribute_by_unique_id(id) else {
            return Err(invalid(format!("there is no attribute {id} in it")));
        };
        if usize::from(attribute.num_components()) != multiplicity {
            let found = counted(attribute.num_components(), "component", "components");
            let message = format!("attribute {id} has {found}, not {multiplicity}");
            return Err(invalid(message));
        }
        let element = component.size().saturating_mul(multiplicity);
        let count = self.vertex_count();
        let held = budget.hold(count.saturating_mul(element))?;
        if same_type(component, attribute.data_type()) {
            let bytes = copied(attribute, count, element)
                .ok_or_else(|| invalid(format!("attribute {id} has no value for some vertex")))?;
            held.keep();
            return Ok((component, bytes));
        }
        budget.check(
            count
                .saturating_mul(multiplicity)
                .saturating_mul(size_of::<f32>()),
        )?;
        let read = || attribute.read_f32s(count, multiplicity);
        let floats = catch_unwind(AssertUnwindSafe(read)).map_err(|_| failed())?;
        let is_float = matches!(attribute.data_type(), DataType::Float32 | DataType::Float64);
        let is_unit = normalized && floats.iter().all(|float| float.abs() <= 1.0);
        // Encoders that quantise leave integers a little off.
        let is_whole = |float: &f32| (float - float.round()).abs() <= 0.0625;
        if component == ComponentType::F32 || !is_float {
            held.keep();
            return Ok((component, converted(&floats, component)));
        }
        if !is_unit && floats.iter().all(is_whole) {
            let floats: Vec<f32> = floats.iter().map(|float| float.round()).collect();
            held.keep();
            return Ok((component, converted(&floats, component)));
        }
        let more = size_of::<f32>().saturating_sub(component.size());
        budget.charge(count.saturating_mul(multiplicity), more)?;
        held.keep();
        Ok((ComponentType::F32, converted(&floats, ComponentType::F32)))
    }
}

fn same_type(component: ComponentType, found: DataType) -> bool {
    matches!(
        (component, found),
        (ComponentType::I8, DataType::Int8)
            | (ComponentType::U8, DataType::Uint8)
            | (ComponentType::I16, DataType::Int16)
            | (ComponentType::U16, DataType::Uint16)
            | (ComponentType::U32, DataType::Uint32)
            | (ComponentType::F32, DataType::Float32)
    )
}

/// The bytes of each vertex's value, one after the other.
fn copied(attribute: &PointAttribute, count: usize, element: usize) -> Option<Vec<u8>> {
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let data = attribute.buffer().data();
    let mut bytes = Vec::with_capacity(count.saturating_mul(element));
    for vertex in 0..u32::try_from(count).ok()? {
        let AttributeValueIndex(value) = attribute.mapped_index(PointIndex(vertex));
        let start = usize::try_from(value).ok()?.checked_mul(stride)?;
        bytes.extend_from_slice(data.get(start..start.checked_add(element)?)?);
    }
    Some(bytes)
}

/// Numbers in another type than the stream has them in; those beyond its range become its least or greatest.
fn converted(floats: &[f32], component: ComponentType) -> Vec<u8> {
    let floats = floats.iter();
    match component {
        ComponentType::I8 => floats.map(|&f| (f as i8).cast_unsigned()).collect(),
        ComponentType::U8 => floats.map(|&f| f as u8).collect(),
        ComponentType::I16 => floats.flat_map(|&f| (f as i16).to_le_bytes()).collect(),
        ComponentType::U16 => floats.flat_map(|&f| (f as u16).to_le_bytes()).collect(),
        ComponentType::U32 => floats.flat_map(|&f| (f as u32).to_le_bytes()).collect(),
        ComponentType::F32 => floats.flat_map(|&f| f.to_le_bytes()).collect(),
    }
}

#[cfg(test)]
pub(in crate::import) mod tests {
    use super::*;

    /// A stream of a triangle's corners as they stand: attribute 0, three floats each.
    pub(in crate::import) fn corners() -> Vec<u8> {
        let mut stream = b"DRACO\x02\x02\x01\0\0\0\x01\x03\x01\0\x01\x02".to_vec();
        stream.extend([1, 1, 0, 9, 3, 0, 0, 0]);
        stream.extend([0.5_f32; 9].iter().flat_map(|number| number.to_le_bytes()));
        stream
    }

    /// How much memory may be taken yet.
    fn left(budget: &Budget) -> usize {
        let bits = (0..48).rev().map(|bit| 1 << bit);
        bits.fold(0, |sum, bit| {
            let more = sum | bit;
            if budget.check(more).is_ok() {
                more
            } else {
                sum
            }
        })
    }

    #[test]
    fn an_attribute_that_fails_takes_no_memory() {
        let budget = Budget::default();
        let decoded = decode(&corners(), 3, 1, &budget).unwrap();
        let read = |component| decoded.attribute(0, (component, false), 3, &budget);
        let before = left(&budget);
        assert_eq!(read(ComponentType::F32).unwrap().1.len(), 36);
        assert_eq!(left(&budget), before - 36);
        // Enough for what is stated, and not for what the stream has.
        let _others = budget.hold(before - 36 - 20).unwrap();
        assert!(read(ComponentType::U8).is_err());
        assert_eq!(left(&budget), 20);
    }

    #[test]
    fn split_vertices_are_allowed_for_where_there_is_the_memory() {
        let budget = Budget::default();
        assert_eq!(most_vertices(10, 20, &budget).unwrap(), 60);
        assert_eq!(most_vertices(100, 20, &budget).unwrap(), 100);
        // As in a real file of 690 kB: so many corners would cost 290 MiB, the vertices that it says cost 109.
        assert_eq!(most_vertices(297_679, 595_410, &budget).unwrap(), 297_679);
        assert!(most_vertices(2_000_000, 595_410, &budget).is_err());
    }
}
