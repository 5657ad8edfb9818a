//! Vertex attributes other than joints and weights (glTF 2.0 §3.7.2.1).

use std::collections::BTreeMap;

use glam::{Vec2, Vec3, Vec4};
use gltf::json::{
    self, Index,
    accessor::{ComponentType, Type},
    mesh::Semantic,
    validation::Checked,
};

use crate::{
    import::{
        arrays::{
            accessor::Accessor,
            source::{Components, Use},
        },
        base::{
            diagnostics::{Diagnostics, Fault},
            wording::{counted, there_are},
        },
        decode::Compression,
    },
    model::{Aabb, Colors, Vertices},
};

use super::{
    far_bounds,
    meshes::{NOT_DRAWN, PrimitiveReader},
};

/// The accessors of a primitive's attributes.
pub(super) type Attributes = BTreeMap<Checked<Semantic>, Index<json::Accessor>>;

/// The validator's name for an attribute in a wrong format.
pub(super) const INVALID_FORMAT: &str = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";

/// The validator's name for an attribute that has not an element for each vertex.
pub(super) const UNEQUAL_COUNT: &str = "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT";

/// How far the length of a normal may be from 1: that of a unit vector in normalised bytes.
const UNIT_VECTOR_TOLERANCE: f32 = 0.006_74;

/// Reads the attributes, and the box around the positions where that is found by the way; none if these cannot be read.
pub(super) fn read(
    primitive: PrimitiveReader<'_, '_>,
    positions: Index<json::Accessor>,
    attributes: &Attributes,
    diagnostics: &mut Diagnostics,
) -> Option<(Vertices, Option<Aabb>)> {
    let PrimitiveReader {
        source,
        mesh,
        place,
        ..
    } = primitive;
    let wanted = Use {
        pointer: format_args!("/meshes/{mesh}/primitives/{place}/attributes/POSITION"),
        format_code: INVALID_FORMAT,
        components: Components::Quantizable,
        loss: NOT_DRAWN,
    };
    let (index, accessor) = primitive.accessor(
        (Some(&Semantic::Positions), positions),
        &[Type::Vec3],
        wanted,
        diagnostics,
    )?;
    if !accessor.has_bounds() {
        diagnostics.error(
            "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
            wanted.pointer,
            format!(
                "accessor {} states no min and max, which positions must have",
                source.accessors.file_index(index)
            ),
            "they are computed",
        );
    }
    let (positions, extent) =
        source.measured_floats(index, wanted, diagnostics, Vec3::from_array)?;
    far_bounds::check(source, index, &positions, diagnostics);
    let count = positions.len();
    let mut reader = AttributeReader {
        primitive,
        attributes,
        count,
        diagnostics,
    };
    let (normals, tangents) = (reader.normals(), reader.tangents());
    let vertices = Vertices {
        positions,
        // glTF 2.0 §3.7.2.1: without normals they must be ignored.
        tangents: if normals.is_empty() {
            Vec::new()
        } else {
            tangents
        },
        normals,
        tex_coords: [reader.tex_coords(0), reader.tex_coords(1)],
        colors: reader.colors(),
    };
    Some((vertices, extent.map(Aabb::from)))
}

/// Says what is wrong with the attributes of a primitive that has no positions. Returns the number of its vertices.
pub(super) fn look_through(
    primitive: PrimitiveReader<'_, '_>,
    attributes: &Attributes,
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let mut each = attributes.iter();
    let count = each.find_map(|(part, index)| primitive.accessor_at(part, *index))?;
    let count = count.count;
    let mut reader = AttributeReader {
        primitive,
        attributes,
        count,
        diagnostics,
    };
    let read = Vertices {
        normals: reader.normals(),
        tangents: reader.tangents(),
        colors: reader.colors(),
        ..Vertices::default()
    };
    // Nobody keeps them.
    primitive.source.budget.give_data_back(1, read.bytes());
    Some(count)
}

/// Reads attributes that a primitive can do without: an empty array is an absent attribute.
struct AttributeReader<'r, 's> {
    primitive: PrimitiveReader<'r, 's>,
    attributes: &'r Attributes,
    count: usize,
    diagnostics: &'r mut Diagnostics,
}

impl AttributeReader<'_, '_> {
    fn normals(&mut self) -> Vec<Vec3> {
        let (mut zero, mut uneven) = (0_usize, 0_usize);
        let normals = self.read(
            Semantic::Normals,
            Type::Vec3,
            Components::Quantizable,
            StandIn(Vec3::Y, "their normals are +Y"),
            |n| unit(Vec3::from_array(n), &mut zero, &mut uneven),
        );
        // Where most are missing, flat shading is nearer to the truth.
        let is_kept = zero <= normals.len().div_euclid(2);
        self.report_lengths(Semantic::Normals, zero, uneven, is_kept);
        if is_kept { normals } else { Vec::new() }
    }

    fn tangents(&mut self) -> Vec<Vec4> {
        let (mut zero, mut uneven, mut signs) = (0_usize, 0_usize, 0_usize);
        let make = |[x, y, z, w]: [f32; 4]| {
            if w.abs() != 1.0 {
                signs = signs.saturating_add(1);
            }
            let sign = if w < 0.0 { -1.0 } else { 1.0 };
            unit(Vec3::new(x, y, z), &mut zero, &mut uneven).extend(sign)
        };
        let tangents = self.read(
            Semantic::Tangents,
            Type::Vec4,
            Components::Quantizable,
            StandIn(Vec4::new(1.0, 0.0, 0.0, 1.0), "their tangents are +X"),
            make,
        );
        let is_kept = zero <= tangents.len().div_euclid(2);
        self.report_lengths(Semantic::Tangents, zero, uneven, is_kept);
        if signs > 0 {
            let message = format!("the w of {signs} tangents is neither 1 nor -1");
            let action = "its sign is used";
            self.complain(
                &Semantic::Tangents,
                "ACCESSOR_INVALID_SIGN",
                message,
                action,
            );
        }
        if is_kept { tangents } else { Vec::new() }
    }

    /// Says what is wrong with numbers of an attribute. Those that were compressed nobody wrote so: compressors take
    /// liberties.
    fn complain(
        &mut self,
        semantic: &Semantic,
        code: &'static str,
        message: String,
        action: &'static str,
    ) {
        let PrimitiveReader {
            source,
            mesh,
            place,
            ..
        } = self.primitive;
        let index = self.attributes.get(&Checked::Valid(semantic.clone()));
        let accessor = index.and_then(|index| self.primitive.accessor_at(semantic, *index));
        let is_compressed =
            accessor.is_some_and(|it| it.compression(&source.buffers) != Compression::None);
        let fault = if is_compressed {
            Fault::warning(code, message)
        } else {
            Fault::new(code, message)
        };
        let name = semantic.to_string();
        let pointer = format_args!("/meshes/{mesh}/primitives/{place}/attributes/{name}");
        self.diagnostics.fault(fault, pointer, action);
    }

    fn report_lengths(&mut self, semantic: Semantic, zero: usize, uneven: usize, is_kept: bool) {
        let code = "ACCESSOR_VECTOR3_NON_UNIT";
        if uneven > 0 {
            let vectors = counted(uneven, "vector", "vectors");
            let message = format!("the length of {vectors} is not 1");
            self.complain(&semantic, code, message, "they were normalised");
        }
        if zero > 0 {
            let vectors = counted(zero, "vector has", "vectors have");
            let message = format!("{vectors} no direction");
            let action = if is_kept {
                "another direction stands for theirs"
            } else {
                "the attribute is ignored"
            };
            self.complain(&semantic, code, message, action);
        }
    }

    fn tex_coords(&mut self, set: u32) -> Vec<Vec2> {
        let semantic = Semantic::TexCoords(set);
        let origin = StandIn(Vec2::ZERO, "they are at the corner of the picture");
        let components = Components::TexCoord;
        self.read(semantic, Type::Vec2, components, origin, Vec2::from_array)
    }

    fn colors(&mut self) -> Colors {
        use ComponentType::{U8, U16};
        let mut unclamped = 0_usize;
        let mut clamp = |color: Vec4| {
            let clamped = color.clamp(Vec4::ZERO, Vec4::ONE);
            if clamped != color {
                unclamped = unclamped.saturating_add(1);
            }
            clamped
        };
        let semantic = Semantic::Colors(0);
        let shapes = [Type::Vec3, Type::Vec4];
        let components = Components::FloatOrUnitInterval;
        let colors = self.find(&semantic, &shapes, components, |found| {
            let Attribute { accessor, .. } = found;
            let white = StandIn(Vec4::ONE, WHITE);
            match (accessor.component, accessor.normalized) {
                (U8, true) => found
                    .unit_intervals(u8::MAX, |number| number as u8)
                    .map(Colors::Bytes),
                (U16, true) => found
                    .unit_intervals(u16::MAX, |number| number as u16)
                    .map(Colors::Shorts),
                _ if accessor.shape == Type::Vec3 => found
                    .floats(white, |color| clamp(Vec3::from_array(color).extend(1.0)))
                    .map(Colors::Floats),
                _ => found
                    .floats(white, |color| clamp(Vec4::from_array(color)))
                    .map(Colors::Floats),
            }
        });
        if unclamped > 0 {
            // glTF 2.0 §3.7.2.1: colours must be clamped.
            let message = format!("{unclamped} colours are not in 0..1");
            let (code, action) = ("ACCESSOR_NON_CLAMPED", "they were clamped");
            self.complain(&semantic, code, message, action);
        }
        colors.unwrap_or_default()
    }

    fn read<const N: usize, T: Clone>(
        &mut self,
        semantic: Semantic,
        shape: Type,
        components: Components,
        stand_in: StandIn<T>,
        make: impl FnMut([f32; N]) -> T,
    ) -> Vec<T> {
        let is_direction = matches!(semantic, Semantic::Normals | Semantic::Tangents);
        let values = self.find(&semantic, &[shape], components, |found| {
            let (there, count) = (found.accessor.count, found.count);
            if is_direction && there < count.div_ceil(2) {
                let (wanted, diagnostics) = (found.wanted, found.diagnostics);
                report_lost(there, count, wanted, wanted.loss, diagnostics);
                return None;
            }
            if is_direction && found.accessor.is_all_zero() {
                let index = found.primitive.source.accessors.file_index(found.index);
                let message = format!("accessor {index} has no data, so that all vectors are zero");
                let (code, wanted) = ("ACCESSOR_VECTOR3_NON_UNIT", found.wanted);
                found
                    .diagnostics
                    .warning(code, wanted.pointer, message, wanted.loss);
                return None;
            }
            found.floats(stand_in, make)
        });
        values.unwrap_or_default()
    }

    /// What `read` makes of an attribute that is there, is of such a shape, and has an element for each vertex.
    fn find<R>(
        &mut self,
        semantic: &Semantic,
        shapes: &[Type],
        components: Components,
        read: impl FnOnce(Attribute<'_, '_>) -> Option<R>,
    ) -> Option<R> {
        let PrimitiveReader { mesh, place, .. } = self.primitive;
        let &index = self.attributes.get(&Checked::Valid(semantic.clone()))?;
        let name = semantic.to_string();
        let wanted = Use {
            pointer: format_args!("/meshes/{mesh}/primitives/{place}/attributes/{name}"),
            format_code: INVALID_FORMAT,
            components,
            loss: "the attribute is ignored",
        };
        let (index, accessor) =
            self.primitive
                .accessor((Some(semantic), index), shapes, wanted, self.diagnostics)?;
        let (primitive, count) = (self.primitive, self.count);
        if !primitive.count_fits(UNEQUAL_COUNT, accessor, wanted, self.diagnostics) {
            return None;
        }
        read(Attribute {
            primitive,
            index,
            accessor,
            count,
            wanted,
            diagnostics: self.diagnostics,
        })
    }
}

/// An attribute that can be read.
struct Attribute<'f, 's> {
    primitive: PrimitiveReader<'f, 's>,
    index: usize,
    accessor: &'f Accessor,
    /// How many of its elements are wanted.
    count: usize,
    wanted: Use<'f>,
    diagnostics: &'f mut Diagnostics,
}

impl Attribute<'_, '_> {
    fn floats<const N: usize, T: Clone>(
        self,
        stand_in: StandIn<T>,
        make: impl FnMut([f32; N]) -> T,
    ) -> Option<Vec<T>> {
        let Self {
            primitive,
            index,
            wanted,
            diagnostics,
            ..
        } = self;
        let values = primitive.source.floats(index, wanted, diagnostics, make)?;
        primitive.fill(values, self.count, stand_in, wanted, diagnostics)
    }

    /// Colours of unsigned integers of which `one` stands for 1; alpha is that where there is none.
    fn unit_intervals<T: Copy>(self, one: T, narrow: impl Fn(u32) -> T) -> Option<Vec<[T; 4]>> {
        let Self {
            primitive,
            index,
            wanted,
            diagnostics,
            ..
        } = self;
        let source = primitive.source;
        let values = if self.accessor.shape == Type::Vec3 {
            source.integers(index, wanted, diagnostics, |color: [u32; 3]| {
                let [red, green, blue] = color.map(&narrow);
                [red, green, blue, one]
            })
        } else {
            source.integers(index, wanted, diagnostics, |color: [u32; 4]| {
                color.map(&narrow)
            })
        };
        let white = StandIn([one; 4], WHITE);
        primitive.fill(values?, self.count, white, wanted, diagnostics)
    }
}

/// What an element counts as that is lost, and how that is said.
pub(super) struct StandIn<T>(pub T, pub &'static str);

/// How it is said that lost colours count as white.
const WHITE: &str = "they are white";

impl PrimitiveReader<'_, '_> {
    /// Whether the file states an element for each vertex; says so by this code if it does not state just as many. What of
    /// them is lost has been said.
    pub(super) fn count_fits(
        self,
        code: &'static str,
        accessor: &Accessor,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let (found, vertices) = (accessor.stated_count, self.stated);
        if found != vertices {
            let action = if found < vertices {
                wanted.loss
            } else {
                "those beyond are ignored"
            };
            diagnostics.error(
                code,
                wanted.pointer,
                format!(
                    "{} for {}",
                    there_are(found, "element", "elements"),
                    counted(vertices, "vertex", "vertices")
                ),
                action,
            );
        }
        found >= vertices
    }

    /// As many values as there are vertices: others stand for those that are lost.
    pub(super) fn fill<T: Clone>(
        self,
        mut values: Vec<T>,
        count: usize,
        StandIn(value, action): StandIn<T>,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<T>> {
        values.truncate(count);
        let found = values.len();
        if found < count {
            let missing = count.saturating_sub(found);
            if let Err(fault) = self.source.budget.charge_data(missing, size_of::<T>()) {
                diagnostics.fault(fault, wanted.pointer, wanted.loss);
                self.give_back(size_of_val(&values[..]));
                return None;
            }
            report_lost(found, count, wanted, action, diagnostics);
            values.reserve_exact(missing);
            values.resize(count, value);
        }
        Some(values)
    }
}

/// Says that only the first `found` of `count` vertices have an element, since its accessor is cut.
pub(super) fn report_lost(
    found: usize,
    count: usize,
    wanted: Use<'_>,
    action: &str,
    diagnostics: &mut Diagnostics,
) {
    let message = match count.saturating_sub(found) {
        1 => format!("the element of vertex {found} is lost"),
        lost => format!("the elements of the last {lost} vertices are lost"),
    };
    diagnostics.warning("ACCESSOR_TOO_LONG", wanted.pointer, message, action);
}

/// A vector of length 1, counting those that were not.
fn unit(vector: Vec3, zero: &mut usize, uneven: &mut usize) -> Vec3 {
    let length = vector.length();
    if (length - 1.0).abs() <= UNIT_VECTOR_TOLERANCE {
        return vector;
    }
    // The square of a length may be too large or too small for a float where the length itself is not.
    let largest = vector.abs().max_element();
    match vector.map(|number| number / largest).try_normalize() {
        Some(unit) => {
            *uneven = uneven.saturating_add(1);
            unit
        }
        None => {
            *zero = zero.saturating_add(1);
            Vec3::Y
        }
    }
}
