//! What is read of a file, by what is asked for: the steps from images and materials to scenes, in their order.

use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{Image, Material, Model, NodeId, PropertyValues};

use super::{
    arrays::source::Source,
    base::{diagnostics::Diagnostics, scope::Scope},
    geometry::{meshes, skinning, tangents},
    json::document::Section,
    metadata,
    motion::{channels, clips},
    scene::{cameras, humanoid, lights, nodes, scenes, skins},
    surface::{
        images::{self, LostImages, Undecoded},
        materials, variants,
    },
};

/// A model, and of each of its nodes the root that it hangs under.
pub(super) type Rooted = (Model, Vec<NodeId>);

/// All that is shown. `length` is that of the JSON text.
pub(super) fn read_shown(
    name: &str,
    length: usize,
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Rooted> {
    let progress = source.progress;
    let found = images::find_all(source, diagnostics)?;
    let decoding = images::Decoding::new(&found, &source.budget, &source.cores, progress);
    let rest = {
        let diagnostics = Mutex::new(&mut *diagnostics);
        decoding.beside(length, || {
            let mut diagnostics = diagnostics.lock().unwrap_or_else(PoisonError::into_inner);
            let rest = read_rest(name, source, Scope::Shown, &mut diagnostics);
            progress.set_stage("decoding images", 0.9);
            rest
        })
    };
    let ((model, roots), decoded) = (rest?, decoding.finish()?);
    let images = images::named(found, decoded, diagnostics);
    let model = with_images(model, images, source, diagnostics)?;
    progress.set_stage("done", 1.0);
    Ok((model, roots))
}

/// The model with its images, and without the maps that are lost.
fn with_images(
    mut model: Model,
    (mut images, lost): (Vec<Image>, LostImages),
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Model> {
    let (textures, replaced) = materials::read_textures(source, &mut images, diagnostics)?;
    lost.report(&replaced, diagnostics);
    materials::leave_out_lost(&mut model.materials, &textures, &images);
    Ok(Model {
        images: Arc::new(images),
        textures,
        ..model
    })
}

/// A model that nobody looks at.
pub(super) fn read_posed(
    name: &str,
    scope: Scope,
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Rooted> {
    let (model, roots) = read_rest(name, source, scope, diagnostics)?;
    let mut images = images::stand_ins(source, diagnostics)?;
    let (textures, _) = materials::read_textures(source, &mut images, diagnostics)?;
    let model = Model {
        images: Arc::new(images),
        textures,
        ..model
    };
    Ok((model, roots))
}

/// [`read_posed`], and the model's images as they are in the file.
pub(super) fn read_compared(
    name: &str,
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<(Model, Undecoded)> {
    let (model, _) = read_rest(name, source, Scope::Compared, diagnostics)?;
    let found = images::find_all(source, diagnostics)?;
    let (undecoded, images) = images::undecoded(found, &source.budget);
    let model = with_images(model, images, source, diagnostics)?;
    Ok((model, undecoded))
}

/// A model whose clips are all that counts.
pub(super) fn read_clips(
    name: &str,
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Model> {
    let (mut model, _) = read_rest(name, source, Scope::Clips, diagnostics)?;
    // What refers to images that are not there.
    model.materials.fill(Material::default());
    Ok(model)
}

/// Everything but images, and what refers to them.
fn read_rest(
    name: &str,
    source: &Source<'_>,
    scope: Scope,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Rooted> {
    let progress = source.progress;
    progress.set_stage("reading nodes", 0.1);
    let materials = materials::read(source, diagnostics)?;
    let lights = lights::read(&source.document, diagnostics);
    let channels = channels::read(source, lights.len(), diagnostics)?;
    let moved = channels::moved_nodes(source, &channels);
    let skins = skins::read(source, diagnostics)?;
    let mut nodes = nodes::read(source, &moved, &skins, lights.len(), diagnostics)?;
    let variants = variants::names(&source.document, diagnostics);
    let all = &mut nodes.nodes;
    let joints = skinning::joints_of_meshes(source.document.count(Section::Meshes), all, &skins);
    let mut meshes = meshes::read(source, &joints, variants.len(), scope, diagnostics)?;
    let of_skins = (&skins[..], &joints[..]);
    let bare =
        skinning::take_small_skins(all, of_skins, &mut meshes.meshes, progress, diagnostics)?;
    if scope == Scope::Shown {
        tangents::complete(source, &materials, &mut meshes.meshes, diagnostics)?;
    }
    let hierarchy = nodes::finish(source, nodes, &meshes.meshes, &meshes.weights, diagnostics)?;
    let roots = hierarchy.roots();
    skins::check(&skins, (&hierarchy, &roots), diagnostics);
    skinning::check(&meshes, &hierarchy, &bare, diagnostics);
    let properties = PropertyValues {
        materials,
        lights,
        cameras: cameras::read(source, diagnostics)?,
    };
    let clips = clips::read(source, channels, &hierarchy, &properties, diagnostics)?;
    let PropertyValues {
        materials,
        lights,
        cameras,
    } = properties;
    let (scenes, default_scene) = scenes::read(source, &hierarchy, diagnostics)?;
    let metadata = metadata::read(source, diagnostics)?;
    let (human_joints, facing) = humanoid::read(&source.document, &hierarchy, diagnostics);
    let skins = skins.into_iter();
    let model = Model {
        name: name.to_owned(),
        skins: skins
            .map(|skin| skin.map_or_else(Default::default, |skin| skin.finish(&hierarchy)))
            .collect(),
        hierarchy,
        meshes: Arc::new(meshes.meshes),
        materials,
        variants,
        clips,
        cameras,
        lights,
        scenes,
        default_scene,
        human_joints,
        facing,
        metadata,
        ..Model::default()
    };
    Ok((model, roots))
}
