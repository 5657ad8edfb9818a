//! `rigscope pose`: where everything is at a time, as JSON.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Args;
use glam::{Affine3A, Mat4, Vec3};
use serde::Serialize;

use super::{
    MachineFault, Moment, Opening, clips_from, find_clip, load, open, parse_skinning, pose_file,
    print_json,
};
use crate::{
    anim::{
        InstanceRecord, Palette, PaletteLayout, PaletteMatrix, Placement, Skinning, joint_matrices,
        skinning, to_affine,
    },
    app::Actor,
    export::{Still, still_glb},
    import::Import,
    model::{Model, Primitive},
    output::PartFile,
    render::{Gpu, PoseVertices},
};

/// Arguments of `pose`.
#[derive(Debug, Clone, Args)]
pub struct PoseArguments {
    /// The model: a file, or a folder or .zip archive with one
    pub model: PathBuf,
    /// Files that the model may name, wherever they lie
    #[arg(value_name = "FILE")]
    pub others: Vec<PathBuf>,
    /// What is agreed to.
    #[command(flatten)]
    pub opening: Opening,
    /// Which moment of it.
    #[command(flatten)]
    pub moment: Moment,
    /// How the joints that move a vertex are blended: linear, as glTF asks, or dual-quaternion
    #[arg(long, value_name = "NAME", default_value = "linear", value_parser = parse_skinning)]
    pub skinning: Skinning,
    /// Take the pose from a file that this command has printed, instead of from a clip
    #[arg(long, value_name = "POSE.json", conflicts_with_all = ["clip", "time"])]
    pub pose: Option<PathBuf>,
    /// Write to a file instead: OUT.glb holds the posed mesh, which needs neither joints nor clips; OUT.json the pose
    #[arg(long, value_name = "OUT", value_parser = parse_saved)]
    pub save: Option<PathBuf>,
    /// Print the posed vertices of all meshes, too
    #[arg(long)]
    pub vertices: bool,
    /// Compute the vertices by the shader's own functions on the GPU (with --vertices)
    #[arg(long)]
    pub gpu: bool,
}

/// What [`evaluate`] is asked.
#[derive(Debug, Clone, Default)]
pub struct PoseOptions {
    /// The clip, by its name or its index; none for the file's own pose.
    pub clip: Option<String>,
    /// The time within the clip.
    pub time_secs: f64,
    /// A file with a pose, which then counts instead of clip and time.
    pub pose: Option<PathBuf>,
    /// How joints are blended.
    pub skinning: Skinning,
    /// Whether the posed vertices are wanted.
    pub vertices: bool,
    /// Whether the GPU shall compute them.
    pub gpu: bool,
}

/// A pose, as it is printed. Matrices are column-major; indices are the file's.
#[derive(Debug, Serialize)]
pub struct PoseReport {
    model: String,
    clip: Option<String>,
    clip_index: Option<usize>,
    time_secs: f64,
    nodes: Vec<NodeReport>,
    skins: Vec<SkinReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meshes: Option<Vec<MeshReport>>,
    bounds: Option<BoundsReport>,
}

#[derive(Debug, Serialize)]
struct NodeReport {
    index: usize,
    name: String,
    /// `world_from_node`.
    world: [f32; 16],
    /// Relative to its parent.
    translation: [f32; 3],
    /// A quaternion x, y, z, w.
    rotation: [f32; 4],
    scale: [f32; 3],
    /// Morph weights in force.
    weights: Vec<f32>,
    /// How many copies of its mesh it places, where it places any by instancing.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<usize>,
}

#[derive(Debug, Serialize)]
struct SkinReport {
    /// The node that carries the skinned mesh.
    node: usize,
    skin: usize,
    /// `world_from_mesh` in the order of the skin's joints.
    joint_matrices: Vec<[f32; 16]>,
}

#[derive(Debug, Serialize)]
struct MeshReport {
    node: usize,
    primitive: usize,
    /// Which of the node's copies of its mesh, where it places any by instancing.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<u32>,
    /// In the world, in file order.
    positions: Vec<[f32; 3]>,
}

#[derive(Debug, Serialize)]
struct BoundsReport {
    min: [f32; 3],
    max: [f32; 3],
}

/// Runs the command.
pub fn run(arguments: &PoseArguments) -> anyhow::Result<()> {
    let options = PoseOptions {
        clip: arguments.moment.clip.clone(),
        time_secs: arguments.moment.time,
        pose: arguments.pose.clone(),
        skinning: arguments.skinning,
        vertices: arguments.vertices,
        gpu: arguments.gpu,
    };
    let mut import = open(&arguments.model, &arguments.others, arguments.opening)?;
    let files = &arguments.moment.clips_from;
    clips_from::add_to(&mut import.model, files, arguments.opening)?;
    let (mut actor, clip) = posed(import, &options)?;
    match &arguments.save {
        Some(file) if has_extension(file, "glb") => {
            let still = Still {
                model: actor.model(),
                scene: actor.scene(),
                pose: actor.pose(),
                skinning: options.skinning,
                materials: &actor.properties().values().materials,
                variant: None,
            };
            write_whole(file, &still_glb(&still)?)
        }
        Some(file) => {
            let mut json = serde_json::to_vec(&report(&mut actor, clip, &options)?)?;
            json.push(b'\n');
            write_whole(file, &json)
        }
        None => print_json(&report(&mut actor, clip, &options)?),
    }
}

fn has_extension(file: &Path, extension: &str) -> bool {
    let found = file.extension();
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn parse_saved(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    let is_known = ["glb", "json"]
        .iter()
        .any(|known| has_extension(&file, known));
    is_known
        .then_some(file)
        .ok_or_else(|| "a pose is saved as .glb or .json".to_owned())
}

/// Writes a file beside its place first, so that what is there is whole whatever happens.
fn write_whole(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = PartFile::create(file)?;
    let written = part.sink().write_all(bytes);
    written.with_context(|| format!("{} cannot be written", file.display()))?;
    part.finish()
}

/// The pose of a file, as the command prints it.
pub fn evaluate(path: &Path, options: &PoseOptions) -> anyhow::Result<serde_json::Value> {
    let (mut actor, clip) = posed(load(path)?, options)?;
    Ok(serde_json::to_value(report(&mut actor, clip, options)?)?)
}

/// The model in the pose that is asked for, and the clip that it is of.
fn posed(import: Import, options: &PoseOptions) -> anyhow::Result<(Actor, Option<usize>)> {
    let clip = match &options.clip {
        Some(wanted) => Some(find_clip(&import.model, wanted)?),
        None => None,
    };
    let mut actor = Actor::new(import.model);
    actor.set_skinning(options.skinning);
    match &options.pose {
        Some(file) => pose_file::apply(file, &mut actor)?,
        None => actor.pose_at(clip, options.time_secs),
    }
    Ok((actor, clip))
}

fn report(
    actor: &mut Actor,
    clip: Option<usize>,
    options: &PoseOptions,
) -> anyhow::Result<PoseReport> {
    let meshes = match (options.vertices, options.gpu) {
        (false, _) => None,
        (true, false) => Some(Posed::new(actor).mesh_reports(cpu_positions)?),
        (true, true) => Some(Posed::new(actor).mesh_reports(gpu_positions)?),
    };
    Ok(describe(actor, clip, options, meshes))
}

fn describe(
    actor: &mut Actor,
    clip: Option<usize>,
    options: &PoseOptions,
    meshes: Option<Vec<MeshReport>>,
) -> PoseReport {
    let bounds = actor.measure();
    let (model, pose) = (actor.model(), actor.pose());
    let nodes = (0..model.hierarchy.len())
        .filter_map(|index| model.hierarchy.by_file_index(index))
        .map(|id| {
            let node = model.hierarchy.node(id);
            NodeReport {
                index: node.file_index,
                name: node.name.clone(),
                world: columns(&pose.world[id.index()]),
                translation: pose.locals[id.index()].translation.to_array(),
                rotation: pose.locals[id.index()].rotation.to_array(),
                scale: pose.locals[id.index()].scale.to_array(),
                weights: pose.weights_of(id).to_vec(),
                instances: Some(node.node_from_instances.len()).filter(|&count| count > 0),
            }
        });
    let mut skins: Vec<_> = model
        .hierarchy
        .nodes()
        .iter()
        .filter_map(|node| {
            let skin = node.skin.filter(|_| node.mesh.is_some())?;
            let matrices = joint_matrices(&model.skins[skin], pose);
            Some(SkinReport {
                node: node.file_index,
                skin,
                joint_matrices: matrices.map(|matrix| columns_of_rows(&matrix)).collect(),
            })
        })
        .collect();
    skins.sort_by_key(|report| report.node);
    PoseReport {
        model: model.name.clone(),
        clip: clip.map(|clip| model.clips[clip].name().to_owned()),
        clip_index: clip,
        time_secs: options.time_secs,
        nodes: nodes.collect(),
        skins,
        meshes,
        bounds: (!bounds.is_empty()).then(|| BoundsReport {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
        }),
    }
}

/// The meshes of all nodes, whichever scene shows them, with the matrices of a pose.
struct Posed<'a> {
    model: &'a Model,
    layout: PaletteLayout,
    palette: Palette,
}

/// A primitive of a copy of a placement.
struct PosedPrimitive<'a> {
    placement: &'a Placement,
    primitive: &'a Primitive,
    copy: u32,
    record: &'a InstanceRecord,
}

/// Where the vertices of every primitive of every copy of every placement are.
type Positions = Vec<Vec<Vec3>>;

impl<'a> Posed<'a> {
    fn new(actor: &'a Actor) -> Self {
        let model = actor.model();
        let layout = PaletteLayout::of_all_nodes(model);
        let mut palette = Palette::default();
        palette.clear(&layout, 1);
        palette.set_skinning(actor.palette().skinning());
        palette.push(model, &layout, actor.pose());
        palette.find_rotations();
        Self {
            model,
            layout,
            palette,
        }
    }

    fn mesh_reports(
        &self,
        positions: fn(&Self) -> anyhow::Result<Positions>,
    ) -> anyhow::Result<Vec<MeshReport>> {
        let mut reports: Vec<_> = self
            .posed()
            .zip(positions(self)?)
            .map(|(posed, positions)| {
                let node = self.model.hierarchy.node(posed.placement.node);
                let of_file = posed.primitive.file_vertex_count();
                MeshReport {
                    node: node.file_index,
                    primitive: posed.primitive.file_index,
                    instance: (!node.node_from_instances.is_empty()).then_some(posed.copy),
                    positions: positions
                        .into_iter()
                        .take(of_file)
                        .map(Vec3::into)
                        .collect(),
                }
            })
            .collect();
        reports.sort_by_key(|report| (report.node, report.primitive, report.instance));
        Ok(reports)
    }

    /// Every primitive of every copy of every placement.
    fn posed(&self) -> impl Iterator<Item = PosedPrimitive<'_>> {
        let placements = self.layout.placements().iter().enumerate();
        placements.flat_map(move |(index, placement)| {
            let copies = self.layout.copies_of(placement).iter().enumerate();
            copies.flat_map(move |(place, &copy)| {
                let record = self.palette.record_of_copy(index, place, 0);
                let primitives = self.model.meshes[placement.mesh].primitives.iter();
                primitives.map(move |primitive| PosedPrimitive {
                    placement,
                    primitive,
                    copy,
                    record,
                })
            })
        })
    }
}

/// By the CPU.
fn cpu_positions(posed: &Posed<'_>) -> anyhow::Result<Positions> {
    let mut all = Vec::new();
    for of in posed.posed() {
        let mut positions = Vec::with_capacity(of.primitive.vertices.positions.len());
        let is_skinned = of.placement.skin.is_some();
        let visit = |position| positions.push(position);
        let palette = &posed.palette;
        skinning::for_each_posed_position(of.primitive, palette, of.record, is_skinned, visit);
        all.push(positions);
    }
    Ok(all)
}

/// By the shader's own functions on the GPU.
fn gpu_positions(posed: &Posed<'_>) -> anyhow::Result<Positions> {
    let gpu = Gpu::headless().map_err(|error| MachineFault(error.into()))?;
    let mut posing = PoseVertices::new(&gpu).map_err(MachineFault)?;
    posing.set_palette(&gpu, &posed.palette);
    let mut all = Vec::new();
    for of in posed.posed() {
        let is_skinned = of.placement.skin.is_some();
        let positions = posing.positions(&gpu, of.primitive, of.record, is_skinned);
        all.push(positions.map_err(MachineFault)?);
    }
    Ok(all)
}

fn columns(matrix: &Affine3A) -> [f32; 16] {
    Mat4::from(*matrix).to_cols_array()
}

fn columns_of_rows(matrix: &PaletteMatrix) -> [f32; 16] {
    columns(&to_affine(matrix))
}
