//! [`Model`] → files: what others open again.
//!
//! A posed mesh becomes a static .glb: `posed` computes its vertices as the shader does, `materials` and `textures`
//! say again what the file said of its surfaces, `placed` of its lights and cameras, `lost` what is noted on its objects, and
//! what is not there of it; `glb` lays all of it out as JSON, in which `noted` keeps extras as text, and one block of bytes.
//!
//! A clip becomes one more animation of the file that the model came from: `tracks` adds it to that file, which `source_file`
//! keeps as it is; `from_zero` makes tracks of those that files cannot hold; `references` finds what such a file names in
//! vain. `keyed` makes such a clip of a pose, and `baked` of a motion that is no set of tracks; `unread` says what was lost
//! before.

mod baked;
mod columns;
mod from_zero;
mod glb;
mod keyed;
mod lost;
mod materials;
mod noted;
mod owners;
mod placed;
mod posed;
mod references;
mod source_file;
mod textures;
mod tracks;
mod unread;

use std::{borrow::Cow, collections::BTreeSet};

use serde_json::{Value, json};

use crate::{
    anim::{Palette, PaletteLayout, Pose, Skinning},
    model::{Camera, Image, Light, Material, Model, Owner},
};

pub use baked::{MAX_MOMENTS, Recorded, Recording, moments_taken};
pub use keyed::{Keyed, keyed_glb};
pub use source_file::SourceFile;
pub use tracks::{AddedClip, WithClip, check_addable, clip_glb};
pub use unread::unread_words;

use glb::GlbWriter;
use lost::{Extras, ExtrasWriter, Unmodelled};
use materials::MaterialWriter;
use noted::{Root, RootMember};
use posed::Surfaces;

/// More vertices than this are not written: copies by instancing can ask for any number.
const MAX_VERTICES: usize = 20_000_000;
/// More primitives than this are not written, those of all copies together: each costs a mesh, a node and accessors.
const MAX_PARTS: usize = 50_000;

/// What is written of a model.
#[derive(Debug, Clone, Copy)]
pub struct Still<'a> {
    /// The model.
    pub model: &'a Model,
    /// Index of the scene whose meshes are written.
    pub scene: usize,
    /// The pose, with its world matrices up to date.
    pub pose: &'a Pose,
    /// How joints are blended.
    pub skinning: Skinning,
    /// The materials as they are in the pose: as many as the model's own.
    pub materials: &'a [Material],
    /// The lights as they are in the pose, likewise.
    pub lights: &'a [Light],
    /// The cameras as they are in the pose, likewise.
    pub cameras: &'a [Camera],
    /// In which variant.
    pub variant: Option<usize>,
    /// The JSON text of the model's file, or nothing where that is not to be had.
    pub json: &'a str,
    /// What has the bytes of images in the file, if these are known: what has none is encoded as PNG.
    pub pictures: Option<&'a dyn PictureSource>,
}

/// What has the bytes of a model's images as its file has them.
pub trait PictureSource: std::fmt::Debug {
    /// The bytes of an image, by its index in the model; none if what they are decoded to is another, or is not known.
    ///
    /// # Errors
    /// It was asked to stop.
    fn bytes_of(&self, index: usize, image: &Image) -> anyhow::Result<Option<Cow<'_, [u8]>>>;
}

/// A file with a posed mesh.
#[derive(Debug)]
pub struct StillFile {
    /// The .glb file.
    pub bytes: Vec<u8>,
    /// What it does not have of the model's own file, in words.
    pub left_out: Vec<String>,
}

/// A .glb file with the meshes that a pose shows, as they stand in the world, and what shines on them and looks at them: no
/// joints, no morph targets, no clips.
///
/// Fails if nothing can be seen, or if there is more of it than a file can hold.
pub fn still_glb(still: &Still<'_>) -> anyhow::Result<StillFile> {
    let model = still.model;
    let layout = PaletteLayout::new(model, still.scene);
    let mut palette = Palette::default();
    palette.clear(&layout, 1);
    palette.set_skinning(still.skinning);
    palette.push(model, &layout, still.pose);
    palette.find_rotations();
    let surfaces = Surfaces {
        model,
        layout: &layout,
        palette: &palette,
    };
    anyhow::ensure!(
        surfaces.vertex_count() <= MAX_VERTICES,
        "{} has copies with {} vertices in all; at most {MAX_VERTICES} are written",
        model.name,
        surfaces.vertex_count()
    );
    anyhow::ensure!(
        surfaces.part_count() <= MAX_PARTS,
        "{} has copies with {} parts in all; at most {MAX_PARTS} are written",
        model.name,
        surfaces.part_count()
    );
    let mut glb = GlbWriter::default();
    let said = Unmodelled::of(still.json);
    let mut materials = MaterialWriter::new(still, &said);
    let extras = Extras::new(&model.metadata);
    let mut extras = ExtrasWriter::new(&extras);
    let (mut meshes, mut nodes, mut written) = (Vec::new(), Vec::new(), BTreeSet::new());
    for index in 0..layout.placements().len() {
        let placement = &layout.placements()[index];
        let node = model.hierarchy.node(placement.node);
        let name = &node.name;
        for copy in surfaces.copies_shown(index) {
            let mut primitives = Vec::new();
            for primitive in &model.meshes[placement.mesh].primitives {
                let Some(mut surface) = surfaces.pose(index, copy, primitive) else {
                    log::warn!("{name:?}: a part of its mesh has no finite place, and is left out");
                    continue;
                };
                let material = primitive.material_in(still.variant);
                let needed = still.materials[material].tangent_texture();
                if needed.is_some_and(|it| !primitive.has_tangents_of(&it)) {
                    // Whoever reads it computes its own.
                    surface.leave_out_tangents();
                }
                let material = materials.add(material, surface.thickness_scale, &mut glb)?;
                let sets = materials.tex_coord_sets(material);
                primitives.push(surface.write(primitive, material, sets, &mut glb)?);
            }
            if primitives.is_empty() {
                continue;
            }
            let value = named(json!({ "mesh": meshes.len() }), name);
            nodes.push(extras.noted(Owner::Node(node.file_index), value));
            let mut value = json!({});
            value["primitives"] = Value::Array(primitives);
            let value = named(value, &model.meshes[placement.mesh].name);
            meshes.push(extras.noted(Owner::Mesh(placement.mesh), value));
            written.insert(placement.mesh);
        }
    }
    anyhow::ensure!(
        !nodes.is_empty(),
        "{} shows no mesh in this pose",
        model.name
    );
    let mut asset = json!({
        "version": "2.0",
        "generator": concat!("rigscope ", env!("CARGO_PKG_VERSION")),
    });
    if let Some(copyright) = copyright(model) {
        asset["copyright"] = json!(copyright);
    }
    let asset = extras.noted(Owner::Asset, asset);
    let mut root = Root::from([
        ("asset", RootMember::Object(asset)),
        ("meshes", RootMember::List(meshes)),
        ("scene", json!(0).into()),
    ]);
    let mut used = materials.finish(&mut extras, &mut root);
    placed::write(still, &mut extras, &mut nodes, &mut root, &mut used);
    if !used.is_empty() {
        root.insert("extensionsUsed", json!(used).into());
    }
    let roots: Vec<_> = (0..nodes.len()).collect();
    let scene = extras.noted(Owner::Scene(still.scene), json!({ "nodes": roots }));
    root.insert("scenes", RootMember::List(vec![scene]));
    root.insert("nodes", RootMember::List(nodes));
    Ok(StillFile {
        bytes: glb.finish(root)?,
        left_out: lost::left_out(model, &written, &said, &extras),
    })
}

/// Whose the model is, and under which licence it may be used, where the file says so.
fn copyright(model: &Model) -> Option<String> {
    let authors = model.metadata.authors.join(", ");
    let licence = &model.metadata.licence;
    let stated = [
        model.asset.copyright.clone(),
        (!authors.is_empty()).then(|| format!("Author: {authors}")),
        (!licence.is_empty()).then(|| format!("Licence: {licence}")),
    ];
    let stated: Vec<_> = stated.into_iter().flatten().collect();
    (!stated.is_empty()).then(|| stated.join("; "))
}

/// An object with its name, if it has one.
fn named(mut object: Value, name: &str) -> Value {
    if !name.is_empty() {
        object["name"] = json!(name);
    }
    object
}
