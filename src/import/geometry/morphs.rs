//! Morph targets (glTF 2.0 §3.7.2.2).

use std::fmt;

use glam::{Vec2, Vec3, Vec4};
use gltf::json::{self, Index, accessor::Type};
use serde::{
    Deserialize,
    de::{Deserializer, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use crate::{
    import::{
        arrays::source::{Components, Source, Use},
        base::{
            budget::Held,
            diagnostics::{Diagnostics, Fault},
        },
        json::{document::Document, fields::Fields, repair},
    },
    model::{Deltas, Mesh, MorphTarget, Vertices},
};

use super::{
    meshes::{NOT_DRAWN, PrimitiveReader},
    vertices::{INVALID_FORMAT, StandIn},
};

/// Morph targets of one primitive that are read at most.
const MAX_TARGETS: usize = 4096;

/// Whose vertices targets move.
#[derive(Debug, Clone, Copy)]
pub(super) enum Owner {
    /// Those of a primitive.
    One,
    /// Those that primitives take theirs of: each counts the zeros that it leaves out.
    Many,
}

/// Reads the targets of a primitive; none if the primitive has to go.
pub(super) fn read(
    primitive: PrimitiveReader<'_, '_>,
    objects: Option<&[json::mesh::MorphTarget]>,
    looks: &[LookTarget],
    vertices: &Vertices,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<MorphTarget>> {
    let owner = Owner::One;
    let keep = |target| target;
    read_each(
        (primitive, owner),
        objects,
        looks,
        vertices,
        diagnostics,
        keep,
    )
}

/// Reads the targets of a primitive, one after the other, and makes something of each.
pub(super) fn read_each<T>(
    (primitive, owner): (PrimitiveReader<'_, '_>, Owner),
    objects: Option<&[json::mesh::MorphTarget]>,
    looks: &[LookTarget],
    vertices: &Vertices,
    diagnostics: &mut Diagnostics,
    mut make: impl FnMut(MorphTarget) -> T,
) -> Option<Vec<T>> {
    let PrimitiveReader {
        source,
        mesh,
        place,
        ..
    } = primitive;
    let objects = objects.unwrap_or_default();
    let pointer = format_args!("/meshes/{mesh}/primitives/{place}/targets");
    if objects.len() > MAX_TARGETS {
        let message = format!("there are {} morph targets", objects.len());
        let action = format!("the first {MAX_TARGETS} are read");
        diagnostics.error("TOO_MANY_OBJECTS", pointer, message, action);
    }
    let objects = objects.get(..MAX_TARGETS).unwrap_or(objects);
    if let Err(fault) = source.budget.charge_data(objects.len(), size_of::<T>()) {
        diagnostics.fault(fault, pointer, NOT_DRAWN);
        return None;
    }
    let count = vertices.positions.len();
    let targets = objects.iter().enumerate().map(|(target, object)| {
        let mut read = |accessor, name, has_base| {
            let attribute = Attribute {
                primitive,
                owner,
                target,
                name,
                count,
            };
            let form = Form {
                shapes: &[Type::Vec3],
                components: Components::Quantizable,
            };
            attribute.read(accessor, has_base, form, diagnostics, Vec3::from_array)
        };
        let [positions, normals, tangents] = [
            read(object.positions, "POSITION", true),
            read(object.normals, "NORMAL", !vertices.normals.is_empty()),
            read(object.tangents, "TANGENT", !vertices.tangents.is_empty()),
        ];
        let look = looks.get(target).copied().unwrap_or_default();
        let attribute = |name| Attribute {
            primitive,
            owner,
            target,
            name,
            count,
        };
        make(MorphTarget {
            positions,
            normals,
            tangents,
            tex_coords: look.read_tex_coords(attribute, vertices, diagnostics),
            colors: look.read_colors(attribute("COLOR_0"), vertices, diagnostics),
        })
    });
    Some(targets.collect())
}

/// How many bytes the targets of a primitive of so many vertices take at most, as they are kept.
pub(super) fn most_bytes(
    source: &Source<'_>,
    objects: Option<&[json::mesh::MorphTarget]>,
    looks: &[LookTarget],
    vertices: usize,
) -> usize {
    let find = |index: Index<json::Accessor>| source.accessors.get(index.value()).ok();
    let objects = objects.unwrap_or_default();
    let objects = objects.get(..MAX_TARGETS).unwrap_or(objects);
    // Targets that are all zero take something, too.
    let heads = size_of::<MorphTarget>().saturating_mul(objects.len());
    let of_vectors = objects
        .iter()
        .flat_map(|target| [target.positions, target.normals, target.tangents])
        .flatten()
        .filter_map(find)
        .map(|accessor| accessor.bytes_of_deltas::<Vec3>(vertices));
    let of_tex_coords = looks
        .iter()
        .flat_map(|look| [look.first_tex_coord, look.second_tex_coord])
        .flatten()
        .filter_map(find)
        .map(|accessor| accessor.bytes_of_deltas::<Vec2>(vertices));
    let of_colors = looks
        .iter()
        .filter_map(|look| find(look.color?))
        .map(|accessor| accessor.bytes_of_deltas::<Vec4>(vertices));
    let all = of_vectors.chain(of_tex_coords).chain(of_colors);
    all.fold(heads, usize::saturating_add)
}

/// What a target changes of how the surface looks: attributes that the gltf crate leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
pub(super) struct LookTarget {
    #[serde(rename = "COLOR_0")]
    color: Option<Index<json::Accessor>>,
    #[serde(rename = "TEXCOORD_0")]
    first_tex_coord: Option<Index<json::Accessor>>,
    #[serde(rename = "TEXCOORD_1")]
    second_tex_coord: Option<Index<json::Accessor>>,
}

impl LookTarget {
    /// What each target in the text of a primitive changes.
    pub(super) fn of(document: &Document<'_>, primitive: &str) -> Vec<Self> {
        #[derive(Default, Deserialize)]
        struct Targets {
            #[serde(default)]
            targets: Vec<LookTarget>,
        }
        // Hundreds of targets that move positions alone are the rule.
        let fields = Fields::of_those(primitive, |name| name == "targets");
        let targets = fields.and_then(|fields| fields.get("targets"));
        let may_name = |name| targets.is_some_and(|targets| repair::may_name(targets, name));
        if !(may_name("COLOR_0") || may_name("TEXCOORD_")) {
            return Vec::new();
        }
        if let Some(targets) = document.read_silently::<Targets>(primitive) {
            return targets.targets;
        }
        // An attribute that is broken takes no other along.
        let Ok(mut primitive) = document.value(primitive) else {
            return Vec::new();
        };
        let targets = primitive.get_mut("targets").and_then(Value::as_array_mut);
        let each = targets.into_iter().flatten().map(|target| {
            if let Some(attributes) = target.as_object_mut() {
                attributes.values_mut().for_each(repair::numbers_of_index);
                attributes.retain(|_, index| index.is_u64());
            }
            serde_json::from_value(target.take()).unwrap_or_default()
        });
        each.collect()
    }

    /// How many attributes it changes.
    pub(super) fn count(&self) -> usize {
        let all = [self.color, self.first_tex_coord, self.second_tex_coord];
        all.into_iter().flatten().count()
    }

    fn read_tex_coords<'r, 's: 'r>(
        self,
        attribute: impl Fn(&'static str) -> Attribute<'r, 's>,
        vertices: &Vertices,
        diagnostics: &mut Diagnostics,
    ) -> [Deltas<Vec2>; 2] {
        let form = Form {
            shapes: &[Type::Vec2],
            components: Components::TexCoordDelta,
        };
        let [first, second] = vertices.tex_coords.each_ref().map(|set| !set.is_empty());
        [
            (self.first_tex_coord, "TEXCOORD_0", first),
            (self.second_tex_coord, "TEXCOORD_1", second),
        ]
        .map(|(accessor, name, has_base)| {
            // What has no base is said by the checks of the primitive.
            let accessor = accessor.filter(|_| has_base);
            attribute(name).read(accessor, has_base, form, diagnostics, Vec2::from_array)
        })
    }

    fn read_colors(
        self,
        attribute: Attribute<'_, '_>,
        vertices: &Vertices,
        diagnostics: &mut Diagnostics,
    ) -> Deltas<Vec4> {
        let has_base = !vertices.colors.is_empty();
        let color = self.color.filter(|_| has_base);
        let accessors = &attribute.primitive.source.accessors;
        let accessor = color.and_then(|index| accessors.get(index.value()).ok());
        let form = |shape| Form {
            shapes: shape,
            components: Components::FloatOrNormalized,
        };
        if accessor.is_some_and(|accessor| accessor.shape == Type::Vec3) {
            let form = form(&[Type::Vec3]);
            // Alpha stays as it is.
            let make = |delta| Vec3::from_array(delta).extend(0.0);
            return attribute.read(color, has_base, form, diagnostics, make);
        }
        let form = form(&[Type::Vec4]);
        attribute.read(color, has_base, form, diagnostics, Vec4::from_array)
    }
}

/// What the elements of an attribute may be.
#[derive(Debug, Clone, Copy)]
struct Form {
    shapes: &'static [Type],
    components: Components,
}

/// One attribute of one target.
#[derive(Debug, Clone, Copy)]
struct Attribute<'r, 's> {
    primitive: PrimitiveReader<'r, 's>,
    owner: Owner,
    target: usize,
    name: &'static str,
    count: usize,
}

impl<'r> Attribute<'r, '_> {
    /// Reads what is added to vertices.
    fn read<const N: usize, T: Copy + Default + PartialEq>(
        self,
        accessor: Option<Index<json::Accessor>>,
        has_base: bool,
        form: Form,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([f32; N]) -> T,
    ) -> Deltas<T> {
        let PrimitiveReader {
            source,
            mesh,
            place,
            ..
        } = self.primitive;
        let Self { target, name, .. } = self;
        let wanted = Use {
            pointer: format_args!("/meshes/{mesh}/primitives/{place}/targets/{target}/{name}"),
            format_code: INVALID_FORMAT,
            components: form.components,
            loss: "the target leaves the attribute alone",
        };
        let Some(accessor) = accessor else {
            return Deltas::default();
        };
        let found = source.accessor(accessor, form.shapes, wanted, diagnostics);
        let Some((index, accessor)) = found else {
            return Deltas::default();
        };
        // Where the primitive never had the attribute, `checks` says so.
        if !has_base {
            return Deltas::default();
        }
        // glTF 2.0 §3.7.2.2 asks for them as for those of the primitive.
        if name == "POSITION" && !accessor.has_bounds() {
            diagnostics.error(
                "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
                wanted.pointer,
                format!("accessor {index} states no min and max, which positions must have"),
                "they are computed",
            );
        }
        let code = "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT";
        let primitive = self.primitive;
        let fits = primitive.count_fits(code, accessor, wanted, diagnostics);
        if !fits || accessor.is_all_zero() {
            return Deltas::default();
        }
        let are_few = accessor.count >= self.count && accessor.replaces_few::<T>();
        if are_few && let Ok(zeros) = self.hold_zeros(size_of::<T>()) {
            let rows = source.few_floats(index, wanted, diagnostics, make);
            let few = self.few(rows.unwrap_or_default());
            if !few.is_empty() {
                zeros.keep();
            }
            return few;
        }
        let deltas = source.floats(index, wanted, diagnostics, make);
        let none = StandIn(T::default(), "the target leaves them alone");
        let deltas =
            deltas.and_then(|deltas| primitive.fill(deltas, self.count, none, wanted, diagnostics));
        deltas.unwrap_or_default().into()
    }

    /// Counts the zeros that few values of so many bytes leave out: adapters have a value for each vertex all the same, so that
    /// they are not without end either.
    fn hold_zeros(self, size: usize) -> Result<Held<'r>, Fault> {
        let count = match self.owner {
            Owner::One => self.count,
            Owner::Many => 0,
        };
        let source = self.primitive.source;
        source.budget.hold_zeros(count.saturating_mul(size))
    }

    /// What is not zero, of vertices that are there.
    fn few<T: Copy + Default + PartialEq>(self, mut rows: Vec<(u32, T)>) -> Deltas<T> {
        let before = size_of_val(&rows[..]);
        rows.retain(|(vertex, delta)| {
            let is_there = usize::try_from(*vertex).is_ok_and(|vertex| vertex < self.count);
            is_there && *delta != T::default()
        });
        rows.shrink_to_fit();
        let after = size_of_val(&rows[..]);
        let budget = &self.primitive.source.budget;
        budget.let_data_go(before.saturating_sub(after));
        if rows.is_empty() {
            return Deltas::default();
        }
        Deltas::Few(rows)
    }
}

/// Sees to it that all primitives of a mesh have the same number of targets, as they must. `counts` are those that the
/// file states, for primitives that are not drawn too.
pub(super) fn even_out(
    source: &Source<'_>,
    index: usize,
    counts: &[usize],
    mesh: &mut Mesh,
    diagnostics: &mut Diagnostics,
) {
    let least = counts.iter().copied().min().unwrap_or(0);
    let most = counts.iter().copied().max().unwrap_or(0);
    mesh.target_count = most.min(MAX_TARGETS);
    let is_other = |count| counts.first() != Some(count);
    if let Some(place) = counts.iter().position(is_other) {
        diagnostics.error(
            "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT",
            format_args!("/meshes/{index}/primitives/{place}/targets"),
            format!("primitives have {least} to {most} morph targets"),
            "missing targets change nothing",
        );
    }
    let count = mesh.target_count;
    mesh.primitives.retain_mut(|primitive| {
        let targets = &mut primitive.targets;
        let missing = count.saturating_sub(targets.len());
        if let Err(fault) = source.budget.charge_data(missing, size_of::<MorphTarget>()) {
            let place = primitive.file_index;
            let pointer = format_args!("/meshes/{index}/primitives/{place}/targets");
            diagnostics.fault(fault, pointer, NOT_DRAWN);
            return false;
        }
        targets.resize_with(count, MorphTarget::default);
        true
    });
}

/// The names that most exporters leave in `extras.targetNames` of a mesh (glTF 2.0 §3.7.2.2, implementation note), and some,
/// as those of avatars, in that of its primitives.
pub(super) fn target_names(extras: Option<&RawValue>) -> Vec<String> {
    #[derive(Deserialize)]
    struct Extras {
        #[serde(rename = "targetNames")]
        target_names: Names,
    }
    let extras = extras.and_then(|extras| serde_json::from_str::<Extras>(extras.get()).ok());
    extras.map_or_else(Vec::new, |extras| extras.target_names.0)
}

/// Names of as many targets as are read.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamesVisitor;

        impl<'de> Visitor<'de> for NamesVisitor {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = array.next_element::<&RawValue>()? {
                    if names.len() < MAX_TARGETS {
                        // What is no text has no name, and takes none from the others.
                        names.push(serde_json::from_str(name.get()).unwrap_or_default());
                    }
                }
                Ok(Names(names))
            }
        }

        deserializer.deserialize_seq(NamesVisitor)
    }
}
