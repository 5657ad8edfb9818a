//! `rigscope info`: what is in a file.

mod json;
mod motion_json;
mod shared_keys;

use std::path::PathBuf;

use clap::Args;

use super::{Opening, open, plain, print_text};
use crate::{
    anim::{
        PaletteForm, PaletteLayout,
        analysis::{AnalysisLimit, Analyzer, ClipAnalysis, oddities},
        crowd::CrowdClip,
        guess_frame_rate,
    },
    app::Actor,
    import::{Diagnostic, Severity, counted},
    model::{Clip, Hierarchy, Length, Model, Moved, TrackHead, shortened},
};

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
    let count = counted(matrices, "matrix", "matrices");
    let mut text = format!("{count}, {full} bytes an instance of a crowd");
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
        line("made with", shortened(generator).into_owned());
    }
    if let Some(copyright) = &model.asset.copyright {
        line("copyright", shortened(copyright).into_owned());
    }
    if !model.metadata.title.is_empty() {
        line("title", shortened(&model.metadata.title).into_owned());
    }
    if !model.metadata.authors.is_empty() {
        line("authors", listed(&model.metadata.authors));
    }
    if model.scenes.len() > 1 {
        let names = model.scenes.iter().map(|scene| &*scene.name);
        line("scenes", counted_names(names));
    }
    line("nodes", model.hierarchy.len().to_string());
    line(
        "meshes",
        format!(
            "{} ({}, {})",
            model.meshes.len(),
            counted(model.triangle_count(), "triangle", "triangles"),
            counted(model.vertex_count(), "vertex", "vertices")
        ),
    );
    line(
        "skins",
        format!(
            "{} ({})",
            model.skins.len(),
            counted(joint_count(model), "joint", "joints")
        ),
    );
    line(
        "materials",
        model.materials.len().saturating_sub(1).to_string(),
    );
    if !model.variants.is_empty() {
        let names = model.variants.iter().map(String::as_str);
        line("variants", counted_names(names));
    }
    line(
        "textures",
        format!(
            "{} ({})",
            model.textures.len(),
            counted(model.images.len(), "image", "images")
        ),
    );
    if !bounds.is_empty() {
        let size = bounds.max - bounds.min;
        let [x, y, z] = size.to_array().map(Length);
        line("size", format!("{x} × {y} × {z}"));
    }
    if !model.asset.extensions_used.is_empty() {
        line("extensions", listed(&model.asset.extensions_used));
    }
    if model.instance_count() > 0 {
        line("instances", model.instance_count().to_string());
    }
    if !model.cameras.is_empty() {
        let names = model.cameras.iter().map(|camera| &*camera.name);
        line("cameras", counted_names(names));
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
        let motion = analysis.map(|analysis| motion_lines(clip, &analysis));
        lines.extend(motion.into_iter().flatten());
    }
    lines.extend(faults_line(diagnostics));
    plain::lines(&lines)
}

/// How many errors and warnings there are, if any.
fn faults_line(diagnostics: &[Diagnostic]) -> Option<String> {
    let kinds = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
    ];
    let found = kinds.map(|(severity, one, many)| {
        let of_kind = diagnostics.iter().filter(|it| it.severity == severity);
        let count = of_kind.count();
        (count > 0).then(|| counted(count, one, many))
    });
    let found: Vec<String> = found.into_iter().flatten().collect();
    (!found.is_empty()).then(|| format!("  {}: see `rigscope check`", found.join(" and ")))
}

/// How many things there are of these names, and each by its name, shortened, or its index where it has none.
fn counted_names<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let count = names.len();
    let names = names.enumerate().map(|(index, name)| match name {
        "" => index.to_string(),
        name => format!("{:?}", shortened(name)),
    });
    let names: Vec<_> = names.collect();
    format!("{count} ({})", names.join(", "))
}

/// Names, none of them longer than a line bears.
fn listed(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| shortened(name)).collect();
    names.join(", ")
}

/// A clip, and the properties that it moves besides nodes.
fn clip_lines(hierarchy: &Hierarchy, index: usize, clip: &Clip) -> Vec<String> {
    // Rates of television have a fraction without an end.
    let rate =
        guess_frame_rate(clip).map(|rate| format!("{} fps", (rate * 1000.0).round() / 1000.0));
    let counts = clip.channel_counts();
    let [step, linear, cubic] = counts.interpolations;
    let kinds = [(step, "STEP"), (linear, "LINEAR"), (cubic, "CUBICSPLINE")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{count} {kind}"));
    let duration = format!("{:.3} s", clip.duration_secs());
    let keys = counted(counts.keys, "key", "keys");
    let words: Vec<String> = [duration, keys]
        .into_iter()
        .chain(kinds)
        .chain(rate)
        .collect();
    let name = shortened(clip.name());
    let mut lines = vec![format!("    {index}: {name:?}  {}", words.join(", "))];
    let mut properties = properties(clip, hierarchy);
    let listed = properties.by_ref().take(MAX_LISTED);
    lines.extend(listed.map(|(pointer, _)| format!("       moves {pointer}")));
    let more = properties.count();
    if more > 0 {
        lines.push(format!("       and {more} more"));
    }
    lines
}

/// What a clip moves that no channel without a pointer can, as the file names it.
fn properties<'c>(
    clip: &'c Clip,
    hierarchy: &'c Hierarchy,
) -> impl Iterator<Item = (String, TrackHead)> + 'c {
    clip.channels()
        .filter_map(|(head, of_mesh)| match (of_mesh, head.moved) {
            (Some(channel), _) => Some((channel.pointer(), head)),
            (None, Moved::Property(target)) => Some((target.pointer(hierarchy), head)),
            (None, _) => None,
        })
}

/// How a clip goes over the ground, and what is odd in its motion.
fn motion_lines(clip: &Clip, analysis: &ClipAnalysis) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(travel) = analysis.travel() {
        let speed = match travel.of_sides {
            None => Length(travel.units_per_sec).to_string(),
            Some([least, most]) => format!("{} to {}", Length(least), Length(most)),
        };
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
    if let Some(summary) = oddities::Summary::of(&oddities) {
        lines.push(format!("       odd: {}", summary.words()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Place;
    use crate::model::{
        Camera, ClipBuilder, Interpolation, Mesh, Node, NodeId, Projection, Scene, Timeline,
    };

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

    #[test]
    fn what_options_choose_is_named_as_they_take_it() {
        let scenes = ["Stage", ""].map(|name| Scene {
            name: name.to_owned(),
            ..Scene::default()
        });
        let cameras = ["", "Front"].map(|name| Camera {
            name: name.to_owned(),
            projection: Projection::Perspective {
                fov_y_radians: 1.0,
                aspect: None,
                near: 0.1,
                far: None,
            },
        });
        let mut actor = Actor::new(Model {
            scenes: scenes.to_vec(),
            cameras: cameras.to_vec(),
            variants: ["", "Night"].map(str::to_owned).to_vec(),
            ..Model::default()
        });
        let text = to_text(&mut actor, &[]);
        assert!(text.contains("  scenes      2 (\"Stage\", 1)\n"), "{text}");
        assert!(text.contains("  cameras     2 (0, \"Front\")\n"), "{text}");
        assert!(text.contains("  variants    2 (0, \"Night\")\n"), "{text}");
    }

    #[test]
    fn one_is_not_several() {
        let found = |severity| Diagnostic {
            severity,
            code: "A",
            pointer: String::new(),
            message: String::new(),
            action: String::new(),
            place: Place::default(),
            others: Vec::new(),
        };
        let [error, warning] = [Severity::Error, Severity::Warning].map(found);
        let told = |found: &[Diagnostic]| faults_line(found).unwrap_or_default();
        assert_eq!(told(&[]), "");
        assert_eq!(
            told(std::slice::from_ref(&warning)),
            "  1 warning: see `rigscope check`"
        );
        let several = told(&[error.clone(), error, warning]);
        assert_eq!(several, "  2 errors and 1 warning: see `rigscope check`");
        let clip = |times: Vec<f32>| {
            let mut clip = ClipBuilder::new("a".repeat(100));
            if !times.is_empty() {
                let count = times.len();
                let timeline = clip.timeline(Timeline::new(times).unwrap());
                let values = vec![Default::default(); count];
                clip.translation(NodeId(0), timeline, Interpolation::Step, values)
                    .unwrap();
            }
            clip_lines(&Hierarchy::default(), 0, &clip.finish()).remove(0)
        };
        let name = format!("    0: \"{}…\"", "a".repeat(80));
        assert_eq!(clip(Vec::new()), format!("{name}  0.000 s, 0 keys"));
        assert_eq!(clip(vec![0.0]), format!("{name}  0.000 s, 1 key, 1 STEP"));
        let several = clip(vec![0.0, 0.5, 1.0, 1.5]);
        assert!(
            several.starts_with(&format!("{name}  1.500 s, 4 keys, 1 STEP")),
            "{several}"
        );
    }

    #[test]
    fn sizes_have_no_digits_that_say_nothing() {
        let at = |translation| Node {
            rest: crate::model::Transform {
                translation,
                ..Default::default()
            },
            ..Node::default()
        };
        let corner = glam::Vec3::new(2.0, 1.999_999_8, 0.000_408_43);
        let nodes = vec![at(glam::Vec3::ZERO), at(corner)];
        let hierarchy = Hierarchy::new(nodes, &[None; 2], &[const { Vec::new() }; 2]).unwrap();
        let mut actor = Actor::new(Model {
            hierarchy,
            ..Model::default()
        });
        let text = to_text(&mut actor, &[]);
        assert!(text.contains(" 2.000 × 2.000 × 4.08e-4"), "{text}");
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
