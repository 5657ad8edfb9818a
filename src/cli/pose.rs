//! `rigscope pose`: where everything is at a time, as JSON.

use std::{
    mem,
    path::{Path, PathBuf},
};

use anyhow::ensure;
use clap::Args;
use glam::Vec3;

use super::{
    ForeignClips, Moment, Opening, check_that_time_counts, clips_from, code_of_saved,
    has_extension,
    inputs::Inputs,
    open_by, open_to_pose, print_json,
    saved_pose::{clip_of, mesh_of},
    tell_findings,
};
use crate::{
    anim::{
        InstanceRecord, Palette, PaletteLayout, Placement, Skinning, bounds::posed_bounds_of_file,
        skinning,
    },
    app::{Actor, MachineFault, MeshReport, PoseFile, PoseMoment, PoseReport, interrupt},
    import::{self, Import},
    model::{Model, Primitive},
    output::{check_writable, write_whole},
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
    #[arg(long, value_name = "NAME", default_value = "linear")]
    pub skinning: Skinning,
    /// Take the pose from a file that this command has printed, instead of from a clip; - is standard input
    #[arg(long, value_name = "POSE.json", conflicts_with_all = ["clip", "time", "clips_from", "retarget"])]
    pub pose: Option<PathBuf>,
    /// Write to a file instead: OUT.glb holds the posed mesh, which needs neither joints nor clips; OUT.json the pose
    #[arg(long, value_name = "OUT")]
    pub save: Option<PathBuf>,
    /// Save the whole model as OUT.glb, as its file has it, with the pose added as a clip of this name and of one key
    #[arg(long, value_name = "NAME", requires = "save")]
    pub as_clip: Option<String>,
    /// Print the posed vertices of all meshes, too
    #[arg(long)]
    pub vertices: bool,
    /// Compute the vertices by the shader's own functions on the GPU (with --vertices)
    #[arg(long, requires = "vertices")]
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

/// Runs the command and returns the exit code: 2 if the clip's file lacks data that could not be read.
pub fn run(arguments: &PoseArguments) -> anyhow::Result<u8> {
    arguments.check()?;
    let options = PoseOptions {
        clip: arguments.moment.clip.clone(),
        time_secs: arguments.moment.time,
        pose: arguments.pose.clone(),
        skinning: arguments.skinning,
        vertices: arguments.vertices,
        gpu: arguments.gpu,
    };
    let Some(saved) = &arguments.save else {
        let (mut actor, moment) = posed(read(arguments)?, &options)?;
        print_json(&report(&mut actor, moment, &options)?)?;
        return Ok(0);
    };
    // What only prints may end anywhere.
    interrupt::watch();
    check_writable(saved)?;
    let (mut import, foreign) = read(arguments)?;
    let told = mem::take(&mut import.diagnostics);
    let own_file = import.own_file().map(Path::to_owned);
    let (mut actor, moment) = posed((import, foreign), &options)?;
    let (bytes, is_whole) = match &arguments.as_clip {
        Some(name) => clip_of(&actor, arguments, name, (own_file.as_deref(), &told))?,
        None if has_extension(saved, "glb") => (mesh_of(&actor, arguments)?, true),
        None => {
            let mut json = serde_json::to_vec(&report(&mut actor, moment, &options)?)?;
            json.push(b'\n');
            (json, true)
        }
    };
    interrupt::check()?;
    write_whole(saved, &bytes)?;
    Ok(code_of_saved(saved, is_whole))
}

impl PoseArguments {
    /// Refuses what does not go into the file that is asked for.
    fn check(&self) -> anyhow::Result<()> {
        let is = |extension| {
            let saved = self.save.as_ref();
            saved.is_none_or(|file| has_extension(file, extension))
        };
        let saved = self.save.as_deref().unwrap_or(Path::new("")).display();
        ensure!(
            is("glb") || is("json"),
            "--save {saved}: a pose is saved as .glb or .json"
        );
        if let Some(name) = &self.as_clip {
            ensure!(is("glb"), "--save {saved}: a clip is saved as .glb");
            ensure!(!name.is_empty(), "--as-clip needs a name for the clip");
            ensure!(
                self.skinning == Skinning::Linear,
                "--skinning says how vertices are posed, and a clip has none: leave it out with --as-clip"
            );
            ensure!(
                self.moment.scene.is_none(),
                "--scene says what is shown, and a clip is of the whole file: leave it out with --as-clip"
            );
        }
        ensure!(
            self.moment.added.clips_from.is_empty() || self.moment.clip.is_some(),
            "--clips-from needs --clip, which says which of the clips"
        );
        ensure!(
            !self.vertices || is("json"),
            "--save {saved}: --vertices are printed, or saved as .json"
        );
        Ok(())
    }

    /// Whether what is saved shows what the model looks like.
    fn saves_mesh(&self) -> bool {
        let saved = self.save.as_ref();
        self.as_clip.is_none() && saved.is_some_and(|file| has_extension(file, "glb"))
    }
}

/// The model with the clips that are added; fails if what is saved would replace a file that was read.
fn read(arguments: &PoseArguments) -> anyhow::Result<(Import, ForeignClips)> {
    let (model, others, opening) = (&arguments.model, &arguments.others, arguments.opening);
    let read = if arguments.saves_mesh() {
        import::open
    } else {
        import::open_to_pose
    };
    let mut import = interrupt::load(|progress| open_by(read, model, others, opening, progress))??;
    tell_findings(&import);
    let moment = &arguments.moment;
    let files = &moment.added.clips_from;
    let given = std::iter::once(model).chain(others).chain(files);
    let given = given.chain(&arguments.pose);
    let mut inputs = Inputs::new(given.chain(&import.files));
    let foreign = interrupt::load(|progress| {
        let clip = moment.clip.as_deref();
        clips_from::add_to(&mut import.model, &moment.added, clip, opening, progress)
    })??;
    if let Some(saved) = &arguments.save {
        inputs.extend(&foreign.read);
        inputs.check(saved)?;
    }
    moment.choose_scene(&mut import.model)?;
    Ok((import, foreign))
}

/// The pose of a file, as the command prints it.
pub fn evaluate(path: &Path, options: &PoseOptions) -> anyhow::Result<serde_json::Value> {
    let import = open_to_pose(path, &[], Opening::default())?;
    let (mut actor, moment) = posed((import, ForeignClips::default()), options)?;
    Ok(serde_json::to_value(report(&mut actor, moment, options)?)?)
}

/// The model in the pose that is asked for, and the moment that it is of.
fn posed(
    (import, foreign): (Import, ForeignClips),
    options: &PoseOptions,
) -> anyhow::Result<(Actor, PoseMoment)> {
    let clip = match &options.clip {
        Some(wanted) => Some(foreign.find(&import.model, wanted)?),
        None => {
            check_that_time_counts(&import.model, options.time_secs)?;
            None
        }
    };
    let mut actor = Actor::new(import.model);
    actor.set_skinning(options.skinning);
    match &options.pose {
        Some(file) => PoseFile::read(file)?.apply(&mut actor)?,
        None => actor.pose_at(clip, options.time_secs),
    }
    let moment = PoseMoment {
        clip,
        clip_index: foreign.index_of(clip),
        time_secs: options.time_secs,
    };
    Ok((actor, moment))
}

fn report<'a>(
    actor: &'a mut Actor,
    moment: PoseMoment,
    options: &PoseOptions,
) -> anyhow::Result<PoseReport<'a>> {
    let meshes = match (options.vertices, options.gpu) {
        (false, _) => None,
        (true, false) => Some(Posed::new(actor).mesh_reports(cpu_positions)?),
        (true, true) => Some(Posed::new(actor).mesh_reports(gpu_positions)?),
    };
    // Around what the scene can show; of that also vertices that nothing is drawn with: they are listed, too.
    let (model, pose) = (actor.model(), actor.pose());
    let bounds = posed_bounds_of_file(model, actor.layout(), actor.palette(), pose, 0);
    let report = PoseReport::new(model, pose, bounds, moment, meshes);
    report.check()?;
    if !report.is_finite() {
        log::warn!(
            "{}: some numbers of the pose are beyond single precision, and are null",
            model.name
        );
    }
    Ok(report)
}

/// More vertices than this are not printed: copies and nodes that share a mesh can ask for any number.
const MAX_VERTICES: usize = 20_000_000;
/// More primitives than this are not printed, those of all copies together.
const MAX_PARTS: usize = 250_000;
/// More vertices of morph targets in force than this are not added up: a few seconds' work.
const MAX_MORPHED: usize = 1_000_000_000;

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
        self.check_size()?;
        let mut reports: Vec<_> = self
            .posed()
            .zip(positions(self)?)
            .map(|(posed, positions)| {
                let node = self.model.hierarchy.node(posed.placement.node);
                let of_file = posed.primitive.own_vertex_count();
                MeshReport {
                    node: node.file_index,
                    primitive: posed.primitive.file_index,
                    instance: (!node.node_from_instances.is_empty()).then_some(posed.copy),
                    vertices: posed.primitive.file_vertices.clone(),
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

    /// Fails if there is more than can be printed.
    fn check_size(&self) -> anyhow::Result<()> {
        let sizes = skinning::vertex_counts(self.model);
        let (mut vertices, mut parts, mut morphed) = (0_usize, 0_usize, 0_usize);
        for (index, placement) in self.layout.placements().iter().enumerate() {
            let copies = placement.copies as usize;
            let primitives = self.model.meshes[placement.mesh].primitives.len();
            let of_copies = copies.saturating_mul(sizes[placement.mesh]);
            let morphs = self.palette.record(index, 0).morph_count as usize;
            vertices = vertices.saturating_add(of_copies);
            parts = parts.saturating_add(copies.saturating_mul(primitives));
            morphed = morphed.saturating_add(of_copies.saturating_mul(morphs));
        }
        let name = &self.model.name;
        ensure!(
            vertices <= MAX_VERTICES,
            "{name} has nodes and copies with {vertices} vertices in all; at most {MAX_VERTICES} are printed"
        );
        ensure!(
            parts <= MAX_PARTS,
            "{name} has nodes and copies with {parts} parts in all; at most {MAX_PARTS} are printed"
        );
        ensure!(
            morphed <= MAX_MORPHED,
            "{name} has nodes and copies with {morphed} vertices of morph targets in force; at most {MAX_MORPHED} are added up"
        );
        Ok(())
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

#[cfg(test)]
mod tests {
    use glam::Affine3A;

    use super::*;
    use crate::model::{Hierarchy, Mesh, MorphTarget, Node, Vertices};

    /// Nodes, copies on each, primitives of their mesh, vertices of a primitive, and targets in force.
    type Sizes = [usize; 5];

    /// Why the vertices of a model of these sizes are not printed.
    fn refusal([nodes, copies, primitives, vertices, targets]: Sizes) -> Option<String> {
        let points = vec![Vec3::ONE; vertices];
        let target = MorphTarget {
            positions: points.clone().into(),
            ..MorphTarget::default()
        };
        let primitive = Primitive {
            vertices: Vertices {
                positions: points,
                ..Vertices::default()
            },
            targets: vec![target; targets],
            ..Primitive::default()
        };
        let node = Node {
            mesh: Some(0),
            node_from_instances: vec![Affine3A::IDENTITY; copies],
            ..Node::default()
        };
        let (parents, weights) = (vec![None; nodes], vec![vec![1.0; targets]; nodes]);
        let model = Model {
            name: "many".to_owned(),
            hierarchy: Hierarchy::new(vec![node; nodes], &parents, &weights).unwrap(),
            meshes: vec![Mesh {
                primitives: vec![primitive; primitives],
                target_count: targets,
                ..Mesh::default()
            }]
            .into(),
            ..Model::default()
        };
        let mut actor = Actor::new(model);
        let options = PoseOptions {
            vertices: true,
            ..PoseOptions::default()
        };
        let refused = report(&mut actor, PoseMoment::default(), &options).err();
        refused.map(|error| error.to_string())
    }

    #[test]
    fn more_vertices_than_anybody_could_read_are_not_printed() {
        assert_eq!(refusal([10, 0, 2, 1000, 1]), None);
        assert_eq!(refusal([1, 10, 2, 1000, 1]), None);
        let vertices = "21000000 vertices in all; at most 20000000 are printed";
        let parts = "300000 parts in all; at most 250000 are printed";
        let targets =
            "1010000000 vertices of morph targets in force; at most 1000000000 are added up";
        for (sizes, end) in [
            ([10_500, 0, 2, 1000, 0], vertices),
            ([1, 10_500, 2, 1000, 0], vertices),
            ([300, 0, 1000, 1, 0], parts),
            ([10_000, 0, 1, 1000, 101], targets),
        ] {
            let reason = format!("many has nodes and copies with {end}");
            assert_eq!(refusal(sizes), Some(reason));
        }
    }
}
