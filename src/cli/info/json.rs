//! What `rigscope info --json` prints. The fields are described in `docs/info.md`, which a test holds to be complete.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{joint_count, motion_json, properties, shared_keys::holds_keys};
use crate::{
    anim::{
        PaletteForm, PaletteLayout,
        analysis::{AnalysisLimit, Analyzer},
        crowd::CrowdClip,
        evenness::unevenness,
        guess_frame_rate,
    },
    app::Actor,
    import::Diagnostic,
    model::{
        AlphaMode, Clip, Filter, Image, Material, Mesh, MipFilter, Model, MorphTarget, Note,
        Primitive, Skin, Texture, Track, TrackHead, Wrap,
    },
};

/// Goes up when a field changes its meaning or goes away; new fields leave it as it is.
const VERSION: u32 = 1;

/// Joints that are listed of the seams of all clips, and of any clip: a chain of thousands turns as a whole.
const MAX_SEAM_JOINTS: usize = 1 << 17;
const MIN_SEAM_JOINTS: usize = 16;

/// For each variant how many primitives have another material in it.
fn primitives_of_variants(model: &Model) -> Vec<usize> {
    let mut counts = vec![0; model.variants.len()];
    for other in model
        .primitives()
        .flat_map(|primitive| &primitive.variant_materials)
    {
        if let Some(count) = counts.get_mut(other.variant) {
            *count += 1;
        }
    }
    counts
}

/// All that `rigscope info --json` prints; `docs/info.md` says what each field means.
pub fn describe(actor: &mut Actor, diagnostics: &[Diagnostic]) -> Value {
    let bounds = actor.measure();
    let (model, layout) = (actor.model(), actor.layout());
    let skins = model.skins.iter().enumerate();
    let skins = skins.map(|skin| skin_to_json(skin, model));
    let packets = model.metadata.xmp_packets.iter();
    // The last one is the default material, which no file has.
    let materials = model.materials.iter().enumerate();
    let materials = materials.take(model.materials.len().saturating_sub(1));
    let variants = model.variants.iter().zip(primitives_of_variants(model));
    let variants = variants.enumerate().map(|(variant, (name, primitives))| {
        json!({ "index": variant, "name": name, "primitives": primitives })
    });
    json!({
        "schema": "rigscope-info",
        "schema_version": VERSION,
        "model": model.name,
        "version": model.asset.version,
        "generator": model.asset.generator,
        "copyright": model.asset.copyright,
        "extensions_used": model.asset.extensions_used,
        "extensions_required": model.asset.extensions_required,
        "scenes": model.scenes.iter().map(|scene| &scene.name).collect::<Vec<_>>(),
        "nodes": model.hierarchy.len(),
        "triangles": model.triangle_count(),
        "vertices": model.vertex_count(),
        "joints": joint_count(model),
        "materials": materials.map(material_to_json).collect::<Vec<_>>(),
        "variants": variants.collect::<Vec<_>>(),
        "textures": model.textures.iter().map(texture_to_json).collect::<Vec<_>>(),
        "images": model.images.iter().enumerate().map(image_to_json).collect::<Vec<_>>(),
        "cameras": model.cameras.len(),
        "file_cameras": cameras_to_json(model),
        "lights": model.lights.iter().map(|light| &light.name).collect::<Vec<_>>(),
        "instances": model.instance_count(),
        "clips": clips_to_json(model, layout),
        "skins": skins.collect::<Vec<_>>(),
        "meshes": model.meshes.iter().enumerate().map(mesh_to_json).collect::<Vec<_>>(),
        "title": model.metadata.title,
        "authors": model.metadata.authors,
        "notes": model.metadata.notes.iter().map(note_to_json).collect::<Vec<_>>(),
        "xmp_packets": packets.map(|packet| reread(packet)).collect::<Vec<_>>(),
        "memory": memory_to_json(model),
        "palette": {
            "matrices": layout.matrices_per_instance(),
            "bytes": layout.matrices_per_instance() * PaletteForm::Full.bytes(),
        },
        "bounds": motion_json::bounds_to_json(&bounds),
        "diagnostics": diagnostics,
    })
}

/// Each camera, with the nodes that place it.
fn cameras_to_json(model: &Model) -> Vec<Value> {
    let mut nodes = vec![Vec::new(); model.cameras.len()];
    for (_, node) in model.hierarchy.iter() {
        if let Some(nodes) = node.camera.and_then(|camera| nodes.get_mut(camera)) {
            nodes.push(node.file_index);
        }
    }
    let cameras = model.cameras.iter().zip(nodes).enumerate();
    let cameras = cameras.map(
        |(index, (camera, nodes))| json!({ "index": index, "name": camera.name, "nodes": nodes }),
    );
    cameras.collect()
}

/// Each clip, with what its analysis found where that may be looked for.
fn clips_to_json(model: &Model, layout: &PaletteLayout) -> Vec<Value> {
    let analyzer = Analyzer::new(model);
    let limit = AnalysisLimit::of(model, layout);
    let seam_joints = MAX_SEAM_JOINTS / model.clips.len().max(1);
    let seam_joints = seam_joints.max(MIN_SEAM_JOINTS);
    let clips = model.clips.iter().enumerate().map(|(index, clip)| {
        let mut value = clip_to_json((index, clip));
        let properties = properties(clip, &model.hierarchy);
        value["properties"] = properties
            .map(|(pointer, head)| property_to_json(&pointer, &head, clip))
            .collect();
        (value["palette"], value["analysis"]) = match limit.placements(index) {
            Some(most) => {
                let holds_keys = holds_keys(model, clip);
                let analysis = if holds_keys {
                    analyzer.analyze(clip, most)
                } else {
                    analyzer.analyze_motion(clip, most)
                };
                let palette = || palette_to_json(model, layout, index);
                (
                    holds_keys.then(palette).into(),
                    motion_json::to_json(&analysis, &model.hierarchy, seam_joints),
                )
            }
            None => (Value::Null, Value::Null),
        };
        value
    });
    clips.collect()
}

fn skin_to_json((index, skin): (usize, &Skin), model: &Model) -> Value {
    let joints = skin.joints.iter();
    let nodes = joints.map(|&joint| model.hierarchy.node(joint).file_index);
    json!({
        "index": index,
        "name": skin.name,
        "joints": skin.joints.len(),
        "joint_nodes": nodes.collect::<Vec<_>>(),
    })
}

fn mesh_to_json((index, mesh): (usize, &Mesh)) -> Value {
    let targets = (0..mesh.target_count).map(|target| mesh.target_name(target));
    json!({
        "index": index,
        "name": mesh.name,
        "primitives": mesh.primitives.len(),
        "vertices": mesh.primitives.iter().map(Primitive::file_vertex_count).sum::<usize>(),
        "triangles": mesh.primitives.iter().map(Primitive::triangle_count).sum::<usize>(),
        "influences": mesh.primitives.iter().map(influences_of).max(),
        "morph_targets": targets.collect::<Vec<_>>(),
    })
}

fn material_to_json((index, material): (usize, &Material)) -> Value {
    let alpha_mode = match material.alpha_mode {
        AlphaMode::Opaque => "OPAQUE",
        AlphaMode::Mask { .. } => "MASK",
        AlphaMode::Blend => "BLEND",
    };
    json!({
        "index": index,
        "name": material.name,
        "alpha_mode": alpha_mode,
        "double_sided": material.double_sided,
        "extensions": material.layers(),
    })
}

fn influences_of(primitive: &Primitive) -> usize {
    let influences = primitive.influences.as_ref();
    influences.map_or(0, |influences| influences.per_vertex)
}

fn texture_to_json(texture: &Texture) -> Value {
    let filter = |filter| match filter {
        Filter::Nearest => "nearest",
        Filter::Linear => "linear",
    };
    let wrap = |wrap| match wrap {
        Wrap::Repeat => "repeat",
        Wrap::MirroredRepeat => "mirrored_repeat",
        Wrap::ClampToEdge => "clamp_to_edge",
    };
    let sampler = texture.sampler;
    json!({
        "image": texture.image,
        "magnify": filter(sampler.magnify),
        "minify": filter(sampler.minify),
        "mip": match sampler.mip {
            MipFilter::None => "none",
            MipFilter::Nearest => "nearest",
            MipFilter::Linear => "linear",
        },
        "wrap": [wrap(sampler.wrap_u), wrap(sampler.wrap_v)],
    })
}

fn image_to_json((index, image): (usize, &Image)) -> Value {
    json!({
        "index": index,
        "name": image.name,
        "width": image.width,
        "height": image.height,
        "levels": image.levels.len(),
        "bytes": image_bytes(image),
        "missing": image.is_placeholder,
    })
}

fn image_bytes(image: &Image) -> usize {
    image.levels.iter().map(Vec::len).sum()
}

/// What a crowd's instance takes of the palette in a clip, and what keeps it from taking less.
fn palette_to_json(model: &Model, layout: &PaletteLayout, clip: usize) -> Value {
    let uneven = unevenness(model, layout, model.clips.get(clip));
    let form = CrowdClip::form_of(model, layout, clip);
    let node = uneven.node.filter(|_| uneven.bound > 0.0);
    json!({
        "form": match form {
            PaletteForm::Full => "full",
            PaletteForm::Compact => "compact",
        },
        "bytes": layout.matrices_per_instance() * form.bytes(),
        // What mirrors has no bound, and JSON no infinity.
        "unevenness": uneven.bound.is_finite().then_some(uneven.bound),
        "uneven_node": node.map(|node| model.hierarchy.node(node).file_index),
    })
}

/// Bytes that the model takes once it is read.
fn memory_to_json(model: &Model) -> Value {
    let primitives = || model.primitives();
    let vertices = primitives().map(|primitive| primitive.vertices.bytes());
    let influences = primitives().filter_map(|primitive| primitive.influences.as_ref());
    let influences =
        influences.map(|of| size_of_val(&of.joints[..]) + size_of_val(&of.weights[..]));
    let indices = primitives().map(|primitive| primitive.indices.bytes());
    let targets = primitives().flat_map(|primitive| &primitive.targets);
    json!({
        "vertices": vertices.sum::<usize>() + influences.sum::<usize>(),
        "indices": indices.sum::<usize>(),
        "morph_targets": targets.map(MorphTarget::bytes).sum::<usize>(),
        "images": images_bytes(&model.images),
        "clips": model.clips.iter().map(clip_bytes).sum::<usize>(),
    })
}

/// Texels that images share count once.
fn images_bytes(images: &[Image]) -> usize {
    let mut counted = HashSet::new();
    let new = images.iter();
    let new = new.filter(|image| counted.insert(image.place_of_texels()));
    new.map(image_bytes).sum()
}

/// Values that tracks share count once.
fn clip_bytes(clip: &Clip) -> usize {
    fn bytes<T>(tracks: &[Track<T>], counted: &mut HashSet<*const u8>) -> usize {
        let values = tracks.iter().map(Track::values);
        values.map(|values| bytes_once(values, counted)).sum()
    }
    fn bytes_once<T>(values: &[T], counted: &mut HashSet<*const u8>) -> usize {
        let is_new = counted.insert(values.as_ptr().cast());
        if is_new { size_of_val(values) } else { 0 }
    }
    let counted = &mut HashSet::new();
    let times = clip.timelines().iter();
    let properties = clip.properties().iter();
    times
        .map(|times| size_of_val(times.times_secs()))
        .sum::<usize>()
        + bytes(clip.translations(), counted)
        + bytes(clip.rotations(), counted)
        + bytes(clip.scales(), counted)
        + bytes(clip.weights(), counted)
        + properties
            .map(|track| bytes_once(track.values(), counted))
            .sum::<usize>()
}

fn note_to_json(note: &Note) -> Value {
    json!({
        "object": note.owner.to_string(),
        "extras": note.extras.as_deref().map(reread),
        "xmp_packet": note.xmp_packet,
    })
}

/// What a JSON text says; what is nested too deep to be read again is shown as text.
fn reread(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

fn clip_to_json((index, clip): (usize, &Clip)) -> Value {
    let counts = clip.channel_counts();
    let [step, linear, cubic_spline] = counts.interpolations;
    json!({
        "index": index,
        "name": clip.name(),
        "duration_secs": clip.duration_secs(),
        "first_key_secs": clip.first_key_secs(),
        "channels": counts.channels,
        "keys": counts.keys,
        "frame_rate": guess_frame_rate(clip),
        "interpolations": { "STEP": step, "LINEAR": linear, "CUBICSPLINE": cubic_spline },
    })
}

/// A channel with this pointer.
fn property_to_json(pointer: &str, head: &TrackHead, clip: &Clip) -> Value {
    json!({
        "pointer": pointer,
        "keys": clip.timelines()[head.timeline].times_secs().len(),
        "interpolation": head.interpolation.name(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_that_images_share_take_memory_once() {
        let image = || Image {
            levels: vec![vec![7; 8], vec![7; 2]].into(),
            ..Image::default()
        };
        let first = image();
        let images = [first.clone(), first, image()];
        assert_eq!(images.each_ref().map(image_bytes), [10; 3]);
        assert_eq!(images_bytes(&images), 20);
    }
}
