//! Morph targets (glTF 2.0 §3.7.2.2).

use glam::Vec3;
use gltf::json::{self, Index, accessor::Type};
use serde_json::value::RawValue;

use crate::model::{Mesh, MorphTarget, Vertices};

use super::{
    diagnostics::Diagnostics,
    meshes::{NOT_DRAWN, PrimitiveReader},
    source::{Components, Use},
    vertices::{INVALID_FORMAT, count_fits},
};

/// Morph targets of one primitive that are read at most.
const MOST_TARGETS: usize = 4096;

/// Reads the targets of a primitive; none if the primitive has to go.
pub(super) fn read(
    primitive: PrimitiveReader<'_, '_>,
    objects: Option<&[json::mesh::MorphTarget]>,
    vertices: &Vertices,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<MorphTarget>> {
    let PrimitiveReader {
        source,
        mesh,
        place,
    } = primitive;
    let objects = objects.unwrap_or_default();
    let pointer = format_args!("/meshes/{mesh}/primitives/{place}/targets");
    if objects.len() > MOST_TARGETS {
        let message = format!("there are {} morph targets", objects.len());
        diagnostics.error("TOO_MANY_OBJECTS", pointer, message, NOT_DRAWN);
        return None;
    }
    if let Err(fault) = source
        .budget
        .charge(objects.len(), size_of::<MorphTarget>())
    {
        diagnostics.fault(fault, pointer, NOT_DRAWN);
        return None;
    }
    let count = vertices.positions.len();
    let targets = objects.iter().enumerate().map(|(target, object)| {
        let mut read = |accessor, name, has_base| {
            let attribute = Attribute {
                primitive,
                target,
                name,
                count,
            };
            attribute.read(accessor, has_base, diagnostics)
        };
        MorphTarget {
            positions: read(object.positions, "POSITION", true),
            normals: read(object.normals, "NORMAL", !vertices.normals.is_empty()),
            tangents: read(object.tangents, "TANGENT", !vertices.tangents.is_empty()),
        }
    });
    Some(targets.collect())
}

/// One attribute of one target.
#[derive(Debug, Clone, Copy)]
struct Attribute<'r, 's> {
    primitive: PrimitiveReader<'r, 's>,
    target: usize,
    name: &'static str,
    count: usize,
}

impl Attribute<'_, '_> {
    /// Reads what is added to each vertex; empty if nothing is.
    fn read(
        self,
        accessor: Option<Index<json::Accessor>>,
        has_base: bool,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Vec3> {
        let PrimitiveReader {
            source,
            mesh,
            place,
        } = self.primitive;
        let Self { target, name, .. } = self;
        let wanted = Use {
            pointer: format_args!("/meshes/{mesh}/primitives/{place}/targets/{target}/{name}"),
            format_code: INVALID_FORMAT,
            components: Components::Quantizable,
            loss: "the target leaves the attribute alone",
        };
        let Some(accessor) = accessor else {
            return Vec::new();
        };
        let found = source.accessor(accessor, &[Type::Vec3], wanted, diagnostics);
        let Some((index, accessor)) = found else {
            return Vec::new();
        };
        if !has_base {
            let message = "the primitive itself does not have the attribute";
            let code = "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR";
            diagnostics.error(code, wanted.pointer, message, wanted.loss);
            return Vec::new();
        }
        // glTF 2.0 §3.7.2.2 asks for them as for those of the primitive.
        if name == "POSITION" && accessor.bounds.is_none() {
            diagnostics.error(
                "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
                wanted.pointer,
                format!("accessor {index} states no min and max, which positions must have"),
                "they are computed",
            );
        }
        let fits = count_fits(accessor.count, self.count, wanted, diagnostics);
        if !fits || accessor.is_all_zero() {
            return Vec::new();
        }
        let deltas = source.floats(index, wanted, diagnostics, Vec3::from_array);
        let mut deltas = deltas.unwrap_or_default();
        deltas.truncate(self.count);
        deltas
    }
}

/// Sees to it that all primitives of a mesh have the same number of targets, as they must. `counts` are those that the
/// file states, for primitives that are not drawn too.
pub(super) fn even_out(
    index: usize,
    counts: &[usize],
    mesh: &mut Mesh,
    diagnostics: &mut Diagnostics,
) {
    let least = counts.iter().copied().min().unwrap_or(0);
    let most = counts.iter().copied().max().unwrap_or(0);
    mesh.target_count = most.min(MOST_TARGETS);
    if least != most {
        diagnostics.error(
            "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT",
            format_args!("/meshes/{index}/primitives"),
            format!("primitives have {least} to {most} morph targets"),
            "missing targets change nothing",
        );
    }
    for primitive in &mut mesh.primitives {
        let targets = &mut primitive.targets;
        targets.resize_with(mesh.target_count, MorphTarget::default);
    }
}

/// The names that most exporters leave in `extras.targetNames` (glTF 2.0 §3.7.2.2, implementation note).
pub(super) fn target_names(extras: Option<&RawValue>) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Extras {
        #[serde(rename = "targetNames")]
        target_names: Vec<String>,
    }
    extras
        .and_then(|extras| serde_json::from_str::<Extras>(extras.get()).ok())
        .map(|extras| extras.target_names)
        .unwrap_or_default()
}
