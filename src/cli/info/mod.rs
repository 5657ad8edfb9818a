//! `rigscope info`: what is in a file.

mod json;
mod limit;

use std::path::PathBuf;

use clap::Args;

use super::{Opening, open, plain, print_text};
use crate::{
    anim::{
        PaletteForm, PaletteLayout,
        analysis::{Analyzer, ClipAnalysis, oddities},
        crowd::CrowdClip,
        guess_frame_rate,
    },
    app::Actor,
    import::{Diagnostic, Severity, counted},
    model::{Clip, Hierarchy, Length, Model},
};

use limit::AnalysisLimit;

pub use json::describe;

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
        let value = describe(&mut actor, &import.diagnostics);
        serde_json::to_string_pretty(&value)? + "\n"
    } else {
        to_text(&mut actor, &import.diagnostics)
    };
    print_text(&text)
}

fn joint_count(model: &Model) -> usize {
    model.skins.iter().map(|skin| skin.joints.len()).sum()
}

/// Keys of all clips that are laid out for a crowd to see in which form, with the nodes and matrices that each clip asks to be
/// looked at: a second's work.
const MAX_LAID_OUT: usize = 1 << 22;

/// What an instance of a crowd takes, and what compact matrices save of that.
fn palette_text(model: &Model, layout: &PaletteLayout) -> String {
    let matrices = layout.matrices_per_instance();
    let keys = model.clips.iter().map(Clip::key_count).sum::<usize>();
    let each = model.hierarchy.len().saturating_add(matrices);
    let cost = keys.saturating_add(model.clips.len().saturating_mul(each));
    let told = if cost <= MAX_LAID_OUT {
        model.clips.len()
    } else {
        0
    };
    let forms = (0..told).map(|clip| CrowdClip::form_of(model, layout, clip));
    let compact = forms.filter(|form| *form == PaletteForm::Compact).count();
    let [full, small] = [PaletteForm::Full, PaletteForm::Compact].map(|it| matrices * it.bytes());
    let mut text = format!("{matrices} matrices, {full} bytes an instance of a crowd");
    if compact > 0 {
        let clips = model.clips.len();
        text += &format!("; {small} in {compact} of {clips} clips");
    }
    text
}

/// Properties that a clip moves which are listed; JSON has all of them.
const MAX_LISTED: usize = 20;

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
    line("palette", palette_text(model, actor.layout()));
    line("clips", model.clips.len().to_string());
    let analyzer = Analyzer::new(model);
    let limit = AnalysisLimit::of(model, actor.layout());
    for (index, clip) in model.clips.iter().enumerate() {
        lines.extend(clip_lines(&model.hierarchy, index, clip));
        let most = limit
            .placements(index)
            .filter(|_| clip.duration_secs() > 0.0);
        let analysis = most.map(|most| analyzer.analyze_motion(clip, most));
        let motion = analysis.map(|analysis| motion_lines(clip, &analysis, &model.hierarchy));
        lines.extend(motion.into_iter().flatten());
    }
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity <= Severity::Warning)
        .count();
    if errors > 0 {
        let found = counted(errors, "error or warning", "errors and warnings");
        lines.push(format!("  {found}: see `rigscope check`"));
    }
    plain::lines(&lines)
}

/// A clip, and the properties that it moves besides nodes.
fn clip_lines(hierarchy: &Hierarchy, index: usize, clip: &Clip) -> Vec<String> {
    let rate = guess_frame_rate(clip).map_or(String::new(), |rate| {
        // Rates of television have a fraction without an end.
        format!(", {} fps", (rate * 1000.0).round() / 1000.0)
    });
    let [step, linear, cubic] = clip.interpolation_counts();
    let kinds = [(step, "STEP"), (linear, "LINEAR"), (cubic, "CUBICSPLINE")]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect::<Vec<_>>();
    let mut lines = vec![format!(
        "    {index}: {:?}  {:.3} s, {} keys, {}{rate}",
        clip.name(),
        clip.duration_secs(),
        clip.key_count(),
        kinds.join(", ")
    )];
    let properties = clip.properties().iter();
    lines.extend(properties.take(MAX_LISTED).map(|track| {
        let pointer = track.target().pointer(hierarchy);
        format!("       moves {pointer}")
    }));
    if let Some(more) = clip.properties().len().checked_sub(MAX_LISTED + 1) {
        lines.push(format!("       and {} more", more + 1));
    }
    lines
}

/// How a clip goes over the ground, and what is odd in its motion.
fn motion_lines(clip: &Clip, analysis: &ClipAnalysis, hierarchy: &Hierarchy) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(travel) = analysis.travel() {
        let speed = Length(travel.units_per_sec);
        let way = match travel.of_root {
            None => "stays on the spot; its feet go".to_owned(),
            Some(root) => {
                let turn = root.turn_degrees;
                let turn = turn.map(|degrees| format!(" and turns it by {degrees:.1}°"));
                let displacement = Length(root.displacement);
                let turn = turn.unwrap_or_default();
                format!("takes its root {displacement} along{turn}:")
            }
        };
        lines.push(format!("       {way} {speed} a second"));
    }
    let oddities = oddities::of(analysis, f64::from(clip.duration_secs()));
    if let Some(summary) = oddities::Summary::of(&oddities, hierarchy) {
        lines.push(format!("       odd: {}", summary.words()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Mesh, Node};

    #[test]
    fn clips_that_go_somewhere_say_how_fast() {
        let mut actor = Actor::new(crate::app::built_in::load("Pip").unwrap().model);
        let text = to_text(&mut actor, &[]);
        let after = |name: &str| {
            let mut lines = text.lines();
            let _ = lines.find(|line| line.contains(&format!("{name:?}")));
            lines.next().unwrap_or_default().trim().to_owned()
        };
        // To two digits what the animator meant: `tests/motion.rs` has the exact ones.
        let walk = after("Walk");
        assert!(
            walk.starts_with("stays on the spot; its feet go 0.5"),
            "{text}"
        );
        assert!(!after("Idle").contains("go"), "{text}");
    }

    /// Clips without a key cost what the nodes do.
    #[test]
    fn clips_of_many_nodes_are_not_laid_out() {
        let node = Node {
            mesh: Some(0),
            ..Node::default()
        };
        let weights = vec![Vec::new(); 1000];
        let hierarchy = Hierarchy::new(vec![node; 1000], &[None; 1000], &weights).unwrap();
        let text = |clips: usize| {
            let model = Model {
                hierarchy: hierarchy.clone(),
                meshes: vec![Mesh::default()].into(),
                clips: vec![Clip::default(); clips],
                ..Model::default()
            };
            palette_text(&model, &PaletteLayout::of_all_nodes(&model))
        };
        assert!(text(20).ends_with("in 20 of 20 clips"), "{}", text(20));
        assert!(!text(3000).contains("clips"), "{}", text(3000));
    }
}
