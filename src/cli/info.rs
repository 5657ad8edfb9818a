//! `rigscope info`: what is in a file.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::{Opening, analysis, open, print_text};
use crate::{
    anim::{analysis::Analyzer, guess_frame_rate},
    app::Actor,
    import::{Diagnostic, Severity},
    model::{AlphaMode, Clip, Interpolation, Material, Model, Note, Primitive, PropertyTrack},
};

/// Placements of nodes that the analysis of all clips computes: a second's work, and a hundred times what most files need.
const MOST_PLACEMENTS: usize = 1 << 22;
/// Poses that the analysis of any clip computes, however short it is: its ends, and the seam between them.
const LEAST_POSES: usize = 4;

/// Arguments of `info`.
#[derive(Debug, Clone, Args)]
pub struct InfoArguments {
    /// The model: a file, or a folder or .zip archive with one
    pub model: PathBuf,
    /// Files that the model may name, wherever they lie
    #[arg(value_name = "FILE")]
    pub others: Vec<PathBuf>,
    /// What is agreed to.
    #[command(flatten)]
    pub opening: Opening,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(arguments: &InfoArguments) -> anyhow::Result<()> {
    let import = open(&arguments.model, &arguments.others, arguments.opening)?;
    let mut actor = Actor::new(import.model);
    let text = if arguments.json {
        let value = to_json(&mut actor, &import.diagnostics);
        serde_json::to_string_pretty(&value)? + "\n"
    } else {
        to_text(&mut actor, &import.diagnostics)
    };
    print_text(&text)
}

fn joint_count(model: &Model) -> usize {
    model.skins.iter().map(|skin| skin.joints.len()).sum()
}

/// How many primitives have another material in a variant.
fn primitives_in(model: &Model, variant: usize) -> usize {
    let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let materials = primitives.flat_map(|primitive| &primitive.variant_materials);
    materials.filter(|other| other.variant == variant).count()
}

fn to_json(actor: &mut Actor, diagnostics: &[Diagnostic]) -> Value {
    let bounds = actor.measure();
    let model = actor.model();
    let analyzer = Analyzer::new(model);
    let clips = model.clips.iter().enumerate().map(|(index, clip)| {
        let mut value = clip_to_json((index, clip));
        let properties = clip.properties().iter();
        value["properties"] = properties
            .map(|track| property_to_json(track, clip, model))
            .collect();
        let before = index.saturating_mul(LEAST_POSES.saturating_mul(model.hierarchy.len()));
        value["analysis"] = if before <= MOST_PLACEMENTS {
            let most = MOST_PLACEMENTS / model.clips.len();
            analysis::to_json(&analyzer.analyze(clip, most), &model.hierarchy)
        } else {
            Value::Null
        };
        value
    });
    let clips: Vec<_> = clips.collect();
    let skins = model.skins.iter().enumerate().map(
        |(index, skin)| json!({ "index": index, "name": skin.name, "joints": skin.joints.len() }),
    );
    let meshes = model.meshes.iter().enumerate().map(|(index, mesh)| {
        let targets = (0..mesh.target_count).map(|target| mesh.target_name(target));
        json!({
            "index": index,
            "name": mesh.name,
            "primitives": mesh.primitives.len(),
            "vertices": mesh.primitives.iter().map(Primitive::file_vertex_count).sum::<usize>(),
            "morph_targets": targets.collect::<Vec<_>>(),
        })
    });
    let packets = model.metadata.xmp_packets.iter();
    // The last one is the default material, which no file has.
    let materials = model.materials.iter().enumerate();
    let materials = materials.take(model.materials.len().saturating_sub(1));
    let variants = (0..).zip(&model.variants).map(|(variant, name)| {
        json!({ "index": variant, "name": name, "primitives": primitives_in(model, variant) })
    });
    json!({
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
        "textures": model.textures.len(),
        "images": model.images.iter().map(|image| json!({
            "name": image.name, "width": image.width, "height": image.height, "missing": image.is_placeholder,
        })).collect::<Vec<_>>(),
        "cameras": model.cameras.len(),
        "lights": model.lights.iter().map(|light| &light.name).collect::<Vec<_>>(),
        "instances": model.instance_count(),
        "clips": clips,
        "skins": skins.collect::<Vec<_>>(),
        "meshes": meshes.collect::<Vec<_>>(),
        "title": model.metadata.title,
        "authors": model.metadata.authors,
        "notes": model.metadata.notes.iter().map(note_to_json).collect::<Vec<_>>(),
        "xmp_packets": packets.map(|packet| reread(packet)).collect::<Vec<_>>(),
        "bounds": analysis::bounds_to_json(&bounds),
        "diagnostics": diagnostics,
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
    let [step, linear, cubic_spline] = clip.interpolation_counts();
    json!({
        "index": index,
        "name": clip.name(),
        "duration_secs": clip.duration_secs(),
        "first_key_secs": clip.first_key_secs(),
        "channels": clip.track_count(),
        "keys": clip.key_count(),
        "frame_rate": guess_frame_rate(clip),
        "interpolations": { "STEP": step, "LINEAR": linear, "CUBICSPLINE": cubic_spline },
    })
}

/// A track of what is no node's placement.
fn property_to_json(track: &PropertyTrack, clip: &Clip, model: &Model) -> Value {
    json!({
        "pointer": track.target().pointer(&model.hierarchy),
        "keys": clip.timelines()[track.timeline()].times_secs().len(),
        "interpolation": match track.interpolation() {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        },
    })
}

/// Properties that a clip moves which are listed; JSON has all of them.
const MOST_LISTED: usize = 20;

fn to_text(actor: &mut Actor, diagnostics: &[Diagnostic]) -> String {
    let bounds = actor.measure();
    let model = actor.model();
    let mut lines = vec![format!("{} (glTF {})", model.name, model.asset.version)];
    let mut line = |key: &str, value: String| lines.push(format!("  {key:<12}{value}"));
    if let Some(generator) = &model.asset.generator {
        line("made with", generator.clone());
    }
    if let Some(copyright) = &model.asset.copyright {
        line("copyright", copyright.clone());
    }
    if !model.metadata.title.is_empty() {
        line("title", model.metadata.title.clone());
    }
    if !model.metadata.authors.is_empty() {
        line("authors", model.metadata.authors.join(", "));
    }
    line("nodes", model.hierarchy.len().to_string());
    line(
        "meshes",
        format!(
            "{} ({} triangles, {} vertices)",
            model.meshes.len(),
            model.triangle_count(),
            model.vertex_count()
        ),
    );
    line(
        "skins",
        format!("{} ({} joints)", model.skins.len(), joint_count(model)),
    );
    line(
        "materials",
        model.materials.len().saturating_sub(1).to_string(),
    );
    if !model.variants.is_empty() {
        line("variants", model.variants.join(", "));
    }
    line(
        "textures",
        format!("{} ({} images)", model.textures.len(), model.images.len()),
    );
    if !bounds.is_empty() {
        let size = bounds.max - bounds.min;
        line("size", format!("{} × {} × {}", size.x, size.y, size.z));
    }
    if !model.asset.extensions_used.is_empty() {
        line("extensions", model.asset.extensions_used.join(", "));
    }
    if model.instance_count() > 0 {
        line("instances", model.instance_count().to_string());
    }
    if !model.lights.is_empty() {
        line("lights", model.lights.len().to_string());
    }
    line("clips", model.clips.len().to_string());
    for (index, clip) in model.clips.iter().enumerate() {
        let rate = guess_frame_rate(clip).map_or(String::new(), |rate| format!(", {rate} fps"));
        let [step, linear, cubic] = clip.interpolation_counts();
        let kinds = [(step, "STEP"), (linear, "LINEAR"), (cubic, "CUBICSPLINE")]
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect::<Vec<_>>();
        lines.push(format!(
            "    {index}: {:?}  {:.3} s, {} keys, {}{rate}",
            clip.name(),
            clip.duration_secs(),
            clip.key_count(),
            kinds.join(", ")
        ));
        let properties = clip.properties().iter();
        for track in properties.take(MOST_LISTED) {
            let pointer = track.target().pointer(&model.hierarchy);
            lines.push(format!("       moves {pointer}"));
        }
        if let Some(more) = clip.properties().len().checked_sub(MOST_LISTED + 1) {
            lines.push(format!("       and {} more", more + 1));
        }
    }
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity <= Severity::Warning)
        .count();
    if errors > 0 {
        lines.push(format!(
            "  {errors} errors and warnings: see `rigscope check`"
        ));
    }
    lines.join("\n") + "\n"
}
