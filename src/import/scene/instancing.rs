//! `EXT_mesh_gpu_instancing`: copies of a node's mesh, each with a placement of its own below the node's.
//!
//! Limits: attributes of the application's own (`_COLOR` and the like) are ignored; of a skinned mesh there are no copies,
//! since the extension does not say where they would be.

use std::collections::BTreeMap;

use glam::{Affine3A, Quat, Vec3};
use gltf::json::{
    self, Index,
    accessor::{ComponentType, Type},
};
use serde::Deserialize;

use crate::{
    import::{
        arrays::source::{Components, Source, Use},
        base::{
            diagnostics::Diagnostics,
            extension,
            wording::{counted, shorten},
        },
        json::{
            document::Section,
            extensions::ObjectExtensions,
            repair::{escape, may_name},
        },
    },
    model::{Node, unit_rotation},
};

const NAME: &str = extension::EXT_MESH_GPU_INSTANCING;
/// The attributes that say where an instance is.
const PLACES: [&str; 3] = ["TRANSLATION", "ROTATION", "SCALE"];
/// How far the length of a quaternion may be from 1: what rounding to signed bytes leaves, which the extension allows.
const ROUNDED: f32 = 0.01;
const DRAWN_ONCE: &str = "the mesh is drawn once";

/// How many copies a file may have: as many matrices fit the smallest buffers of usual graphics adapters.
pub(super) const MAX_INSTANCES: usize = 500_000;

#[derive(Debug, Default, Deserialize)]
struct FileInstancing {
    attributes: Option<BTreeMap<String, Index<json::Accessor>>>,
}

/// The placements of the copies of a node's mesh; none if it has no instancing. `left` is how many the file may still have.
pub(super) fn read(
    source: &Source<'_>,
    index: usize,
    node: &Node,
    extensions: &ObjectExtensions<'_>,
    left: &mut usize,
    diagnostics: &mut Diagnostics,
) -> Vec<Affine3A> {
    let Some(text) = extensions.text(NAME) else {
        return Vec::new();
    };
    let pointer = format_args!("/nodes/{index}/extensions/{NAME}");
    if node.mesh.is_none() {
        let message = "the node has instances and no mesh";
        diagnostics.error(
            "UNSATISFIED_DEPENDENCY",
            pointer,
            message,
            "they are ignored",
        );
        return Vec::new();
    }
    if node.skin.is_some() {
        let message = "where instances of a skinned mesh stand is not defined";
        diagnostics.warning("INSTANCED_SKIN", pointer, message, DRAWN_ONCE);
        return Vec::new();
    }
    let object: Option<FileInstancing> =
        source.document.read(text, pointer, DRAWN_ONCE, diagnostics);
    let has_none = matches!(object, Some(FileInstancing { attributes: None }));
    if has_none && !may_name(text, "attributes") {
        let message = "it has no attributes";
        diagnostics.warning("UNDEFINED_PROPERTY", pointer, message, DRAWN_ONCE);
    }
    let attributes = object.and_then(|object| object.attributes);
    let mut reader = Reader {
        source,
        node: index,
        attributes: attributes.unwrap_or_default(),
        diagnostics,
    };
    let others = reader.others();
    let placements = Placements {
        translations: reader.vectors("TRANSLATION"),
        rotations: reader.rotations(),
        scales: reader.vectors("SCALE"),
    };
    let places = placements.count();
    let all = others.iter().fold(places, |(least, most), &count| {
        (least.min(count), most.max(count))
    });
    // No instance needs a place of its own.
    let (least, most) = if reader.has_places() { places } else { all };
    if most == 0 {
        return Vec::new();
    }
    if all.0 != all.1 {
        let (least, most) = all;
        let message = format!("its attributes have between {least} and {most} elements");
        let action = "so many instances are drawn as all attributes of their places have";
        diagnostics.error("INSTANCING_UNEQUAL_COUNTS", pointer, message, action);
    }
    if least > *left {
        let message = format!("with {least} more, there are over {MAX_INSTANCES} instances");
        let action = "instances beyond that are not drawn";
        diagnostics.error("TOO_MANY_OBJECTS", pointer, message, action);
    }
    let count = least.min(*left);
    *left = left.saturating_sub(count);
    // The model's own, the palette's, and both again on the way to the graphics adapter.
    let size = 4_usize.saturating_mul(size_of::<Affine3A>());
    if let Err(fault) = source.budget.charge(count, size) {
        diagnostics.fault(fault, pointer, DRAWN_ONCE);
        return Vec::new();
    }
    (0..count).map(|place| placements.at(place)).collect()
}

/// The attributes that say where instances are, those that there are.
struct Placements {
    translations: Option<Vec<Vec3>>,
    rotations: Option<Vec<Quat>>,
    scales: Option<Vec<Vec3>>,
}

impl Placements {
    /// How many elements the shortest has, and the longest.
    fn count(&self) -> (usize, usize) {
        let lengths = [
            self.translations.as_ref().map(Vec::len),
            self.rotations.as_ref().map(Vec::len),
            self.scales.as_ref().map(Vec::len),
        ];
        let lengths = lengths.into_iter().flatten();
        lengths.fold((usize::MAX, 0), |(least, most), length| {
            (least.min(length), most.max(length))
        })
    }

    fn at(&self, place: usize) -> Affine3A {
        let vector = |values: &Option<Vec<Vec3>>, usual: Vec3| {
            let value = values.as_ref().and_then(|values| values.get(place));
            value.copied().unwrap_or(usual)
        };
        let rotation = self.rotations.as_ref();
        let rotation = rotation.and_then(|values| values.get(place));
        let matrix = Affine3A::from_scale_rotation_translation(
            vector(&self.scales, Vec3::ONE),
            rotation.copied().unwrap_or(Quat::IDENTITY),
            vector(&self.translations, Vec3::ZERO),
        );
        // Scales near the end of what a float holds.
        if matrix.is_finite() {
            matrix
        } else {
            Affine3A::IDENTITY
        }
    }
}

struct Reader<'r, 's> {
    source: &'r Source<'s>,
    node: usize,
    attributes: BTreeMap<String, Index<json::Accessor>>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_, '_> {
    /// Whether instances are said to differ in where they are.
    fn has_places(&self) -> bool {
        let mut places = PLACES.iter();
        places.any(|&name| self.attributes.contains_key(name))
    }

    /// How many elements the attributes have that are not read. Those of applications begin with an underscore, as those of
    /// vertices do.
    fn others(&mut self) -> Vec<usize> {
        let node = self.node;
        let mut counts = Vec::new();
        for (name, &index) in &self.attributes {
            if PLACES.contains(&&**name) {
                continue;
            }
            let name = escape(name);
            let pointer = format_args!("/nodes/{node}/extensions/{NAME}/attributes/{name}");
            let action = "it is ignored";
            if !name.starts_with('_') {
                let message = format_args!("\"{}\" is no attribute of instances", shorten(&name));
                let code = "INSTANCING_INVALID_ATTRIBUTE";
                self.diagnostics.warning(code, pointer, message, action);
            }
            let (document, section) = (&self.source.document, Section::Accessors);
            let index = document.reference(section, index, pointer, action, self.diagnostics);
            let accessor = index.and_then(|index| self.source.accessors.get(index).ok());
            if accessor.is_some_and(|accessor| accessor.component == ComponentType::U32) {
                let message = "components of type UNSIGNED_INT are for indices alone";
                let code = "INSTANCING_INVALID_ATTRIBUTE";
                self.diagnostics.warning(code, pointer, message, action);
            }
            counts.extend(accessor.map(|accessor| accessor.stated_count));
        }
        counts
    }

    fn vectors(&mut self, name: &str) -> Option<Vec<Vec3>> {
        self.values(name, Type::Vec3, Components::Float, Vec3::from_array)
    }

    fn rotations(&mut self) -> Option<Vec<Quat>> {
        let mut uneven = 0_usize;
        let make = |quaternion: [f32; 4]| {
            let quaternion = Quat::from_array(quaternion);
            if (quaternion.length() - 1.0).abs() > ROUNDED {
                uneven = uneven.saturating_add(1);
            }
            unit_rotation(quaternion).unwrap_or(Quat::IDENTITY)
        };
        let components = Components::FloatOrSigned;
        let rotations = self.values("ROTATION", Type::Vec4, components, make);
        if uneven > 0 {
            let node = self.node;
            self.diagnostics.error(
                "ROTATION_NON_UNIT",
                format_args!("/nodes/{node}/extensions/{NAME}/attributes/ROTATION"),
                format!(
                    "the length of {} is not 1",
                    counted(uneven, "quaternion", "quaternions")
                ),
                "they are normalised, and zero means no rotation",
            );
        }
        rotations
    }

    fn values<const N: usize, T>(
        &mut self,
        name: &str,
        shape: Type,
        components: Components,
        make: impl FnMut([f32; N]) -> T,
    ) -> Option<Vec<T>> {
        let accessor = *self.attributes.get(name)?;
        let node = self.node;
        let wanted = Use {
            pointer: format_args!("/nodes/{node}/extensions/{NAME}/attributes/{name}"),
            format_code: "INSTANCING_ACCESSOR_INVALID_FORMAT",
            components,
            loss: "the attribute is ignored",
        };
        let (index, _) = self
            .source
            .accessor(accessor, &[shape], wanted, self.diagnostics)?;
        self.source.floats(index, wanted, self.diagnostics, make)
    }
}
