//! `rigscope info`: what is in a file.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::{analysis, load, print_text};
use crate::{
    anim::{analysis::Analyzer, guess_frame_rate},
    app::Actor,
    import::{Diagnostic, Severity},
    model::{Clip, Model},
};

/// Placements of nodes that the analysis of all clips computes: a second's work, and a hundred times what most files need.
const MOST_PLACEMENTS: usize = 1 << 22;

/// Arguments of `info`.
#[derive(Debug, Clone, Args)]
pub struct InfoArguments {
    /// The model
    pub model: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(arguments: &InfoArguments) -> anyhow::Result<()> {
    let import = load(&arguments.model)?;
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

fn to_json(actor: &mut Actor, diagnostics: &[Diagnostic]) -> Value {
    let bounds = actor.measure();
    let model = actor.model();
    let analyzer = Analyzer::new(model);
    let clips = model.clips.iter().enumerate().map(|(index, clip)| {
        let most = MOST_PLACEMENTS / model.clips.len();
        let analysis = analyzer.analyze(clip, most);
        let mut value = clip_to_json((index, clip));
        value["analysis"] = analysis::to_json(&analysis, &model.hierarchy);
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
            "vertices": mesh.primitives.iter().map(|p| p.vertices.positions.len()).sum::<usize>(),
            "morph_targets": targets.collect::<Vec<_>>(),
        })
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
        "materials": model.materials.len().saturating_sub(1),
        "textures": model.textures.len(),
        "images": model.images.iter().map(|image| json!({
            "name": image.name, "width": image.width, "height": image.height, "missing": image.is_placeholder,
        })).collect::<Vec<_>>(),
        "cameras": model.cameras.len(),
        "clips": clips,
        "skins": skins.collect::<Vec<_>>(),
        "meshes": meshes.collect::<Vec<_>>(),
        "bounds": analysis::bounds_to_json(&bounds),
        "diagnostics": diagnostics,
    })
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
