//! A glTF document as its poses need it: nodes, meshes, skins and the channels of clips.

use std::path::Path;

use serde_json::Value;

use super::extensions::{hidden, instances, targets};
use super::file::{Elements, File, array, int, numbers};
use super::math::{self, Mat4, Quat, Vec3};

pub struct Document {
    pub file: File,
    pub nodes: Vec<Node>,
    /// Nodes ordered so that parents come before their children, each with its parent.
    pub order: Vec<(usize, Option<usize>)>,
    /// For each node whether the default scene shows it.
    pub shown: Vec<bool>,
    pub meshes: Vec<Result<Vec<Primitive>, String>>,
    pub skins: Vec<Skin>,
}

pub struct Node {
    pub local: Local,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// Where copies of its mesh stand below it, if they are drawn instead.
    pub instances: Option<Vec<Mat4>>,
    weights: Option<Vec<f64>>,
}

#[derive(Clone)]
pub enum Local {
    Matrix(Mat4),
    Trs {
        translation: Vec3,
        rotation: Quat,
        scale: Vec3,
    },
}

pub struct Primitive {
    /// Its place in the mesh's list; primitives without positions or shapes are left out.
    pub index: usize,
    pub positions: Vec<Vec3>,
    /// Position displacements of each morph target.
    pub targets: Vec<Vec<Vec3>>,
    /// Over all sets of joints and weights.
    pub influences: Option<Influences>,
}

/// Joints and weights of each vertex.
pub type Influences = Vec<Vec<(usize, f64)>>;

pub struct Skin {
    pub joints: Vec<usize>,
    pub joint_from_mesh: Option<Vec<Mat4>>,
}

pub struct Clip {
    pub channels: Vec<Channel>,
}

pub struct Channel {
    pub node: usize,
    pub path: String,
    pub interpolation: String,
    pub times: Vec<f64>,
    /// One row of numbers for each key, three (in-tangent, value, out-tangent) for each of a cubic spline.
    pub rows: Elements,
}

impl Document {
    /// Opens a file; `Err` says what leaves its poses undefined.
    pub fn open(path: &Path) -> Result<Self, String> {
        Self::read(File::open(path)?)
    }

    /// Reads a document that is JSON alone.
    pub fn from_json(json: Value, folder: &Path) -> Result<Self, String> {
        Self::read(File::from_json(json, None, folder))
    }

    fn read(file: File) -> Result<Self, String> {
        let json = &file.json;
        let nodes = array(&json["nodes"]).iter();
        let nodes: Vec<Node> = nodes
            .map(|node| Node::read(&file, node))
            .collect::<Result<_, _>>()?;
        let order = parents_first(array(&json["nodes"]))?;
        let meshes = array(&json["meshes"])
            .iter()
            .map(|mesh| read_mesh(&file, mesh))
            .collect();
        let skins = array(&json["skins"])
            .iter()
            .map(|skin| read_skin(&file, skin))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            shown: shown(json, &order),
            order,
            nodes,
            meshes,
            skins,
            file,
        })
    }

    pub fn clip_count(&self) -> usize {
        array(&self.file.json["animations"]).len()
    }

    /// Reads a clip; `Err` says what leaves its poses undefined.
    pub fn clip(&self, index: usize) -> Result<Clip, String> {
        let animation = &self.file.json["animations"][index];
        let mut channels = Vec::new();
        for (i, channel) in array(&animation["channels"]).iter().enumerate() {
            for (node, path) in targets(self, channel) {
                let read = self
                    .channel(animation, channel, node, path)
                    .map_err(|e| format!("channel {i}: {e}"))?;
                let Some(read) = read else { continue };
                if channels
                    .iter()
                    .any(|other: &Channel| (other.node, &other.path) == (read.node, &read.path))
                {
                    return Err(format!("channel {i}: the target of another channel"));
                }
                channels.push(read);
            }
        }
        Ok(Clip { channels })
    }

    /// A channel, or `None` if it moves nothing that nodes have by core glTF: another property, weights of a node without
    /// morph targets.
    fn channel(
        &self,
        animation: &Value,
        channel: &Value,
        node: usize,
        path: String,
    ) -> Result<Option<Channel>, String> {
        let target = self.nodes.get(node).ok_or("no such node")?;
        let width = match path.as_str() {
            "translation" | "scale" => 3,
            "rotation" => 4,
            "weights" => self.target_count(target),
            _ => return Ok(None),
        };
        if width == 0 {
            return Ok(None);
        }
        if path != "weights" && matches!(target.local, Local::Matrix(_)) {
            return Err("an animated node has a matrix".to_owned());
        }
        let sampler = int(&channel["sampler"])
            .and_then(|s| animation["samplers"].get(s))
            .ok_or("no sampler")?;
        let read = |key: &str| {
            self.file
                .accessor(int(&sampler[key]).ok_or(format!("sampler without {key}"))?)
        };
        let (times, rows) = (read("input")?, read("output")?);
        let interpolation = sampler["interpolation"]
            .as_str()
            .unwrap_or("LINEAR")
            .to_owned();
        let keys = times.len();
        let per_key = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
        if rows.values.len() != keys * per_key * width {
            return Err(format!(
                "{} numbers for {keys} keys of {per_key}x{width}",
                rows.values.len()
            ));
        }
        if times.values.windows(2).any(|t| t[1] <= t[0])
            && rows.values.iter().any(|v| *v != rows.values[0])
        {
            return Err("key times do not rise".to_owned());
        }
        let rows = Elements {
            width,
            values: rows.values,
        };
        Ok(Some(Channel {
            node,
            path,
            interpolation,
            times: times.values,
            rows,
        }))
    }

    /// All primitives of a mesh have as many morph targets (glTF 2.0 §3.7.2.2).
    fn target_count(&self, node: &Node) -> usize {
        let mesh = node
            .mesh
            .and_then(|mesh| self.file.json["meshes"].get(mesh));
        let primitives = mesh.map_or(&[][..], |mesh| array(&mesh["primitives"]));
        let counts = primitives
            .iter()
            .map(|primitive| array(&primitive["targets"]).len());
        counts.max().unwrap_or(0)
    }

    /// node.weights over mesh.weights over zeros (glTF 2.0 §3.7.2.2).
    pub fn rest_weights(&self, node: &Node) -> Vec<f64> {
        let of_mesh = || numbers(&self.file.json["meshes"][node.mesh?]["weights"]);
        let mut weights = node.weights.clone().or_else(of_mesh).unwrap_or_default();
        weights.resize(self.target_count(node), 0.0);
        weights
    }
}

impl Node {
    fn read(file: &File, node: &Value) -> Result<Self, String> {
        let local = match numbers(&node["matrix"]) {
            Some(values) => Local::Matrix(math::mat4(&values)),
            None => {
                let vec3 = |key: &str, or: f64| {
                    numbers(&node[key]).map_or([or; 3], |v| [v[0], v[1], v[2]])
                };
                let rotation = numbers(&node["rotation"])
                    .map_or([0.0, 0.0, 0.0, 1.0], |v| [v[0], v[1], v[2], v[3]]);
                let rotation = math::normalize(rotation);
                Local::Trs {
                    translation: vec3("translation", 0.0),
                    rotation,
                    scale: vec3("scale", 1.0),
                }
            }
        };
        let (mesh, skin, weights) = (
            int(&node["mesh"]),
            int(&node["skin"]),
            numbers(&node["weights"]),
        );
        Ok(Self {
            local,
            mesh,
            skin,
            instances: instances(file, node)?,
            weights,
        })
    }
}

impl Clip {
    /// All key times, sorted, each once.
    pub fn key_times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self
            .channels
            .iter()
            .flat_map(|channel| channel.times.iter().copied())
            .collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

fn parents_first(nodes: &[Value]) -> Result<Vec<(usize, Option<usize>)>, String> {
    let mut parents = vec![None; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        for child in array(&node["children"]) {
            let parent = int(child)
                .and_then(|c| parents.get_mut(c))
                .ok_or("no such child node")?;
            if parent.replace(i).is_some() {
                return Err("a node has two parents".to_owned());
            }
        }
    }
    let mut order: Vec<(usize, Option<usize>)> = (0..nodes.len())
        .filter(|i| parents[*i].is_none())
        .map(|i| (i, None))
        .collect();
    let mut next = 0;
    while next < order.len() {
        let node = order[next].0;
        order.extend(
            array(&nodes[node]["children"])
                .iter()
                .filter_map(int)
                .map(|child| (child, Some(node))),
        );
        next += 1;
    }
    if order.len() < nodes.len() {
        Err("the nodes form a cycle".to_owned())
    } else {
        Ok(order)
    }
}

/// The default scene's roots and what hangs under them. Where no scene is the default it is the first, and where there
/// are none all nodes are shown: glTF 2.0 §3.5.1 leaves both to the viewer.
fn shown(json: &Value, order: &[(usize, Option<usize>)]) -> Vec<bool> {
    let scene = json["scenes"].get(int(&json["scene"]).unwrap_or(0));
    let mut shown = vec![scene.is_none(); order.len()];
    for root in scene.map_or(&[][..], |scene| array(&scene["nodes"])) {
        if let Some(shown) = int(root).and_then(|root| shown.get_mut(root)) {
            *shown = true;
        }
    }
    for &(node, parent) in order {
        shown[node] |= parent.is_some_and(|parent| shown[parent]);
    }
    let hidden = hidden(json, order);
    let visible = shown.into_iter().zip(hidden);
    visible.map(|(shown, hidden)| shown && !hidden).collect()
}

/// Whether indices or vertices suffice for a point, a line or a triangle (glTF 2.0 §3.7.2.1).
fn has_shapes(file: &File, primitive: &Value, vertices: usize) -> bool {
    let least = match int(&primitive["mode"]) {
        Some(0) => 1,
        Some(1..=3) => 2,
        _ => 3,
    };
    let indices = int(&primitive["indices"]).and_then(|i| file.json["accessors"].get(i));
    indices.map_or(Some(vertices), |accessor| int(&accessor["count"])) >= Some(least)
}

fn read_mesh(file: &File, mesh: &Value) -> Result<Vec<Primitive>, String> {
    let mut primitives = Vec::new();
    for (index, primitive) in array(&mesh["primitives"]).iter().enumerate() {
        let Some(positions) = int(&primitive["attributes"]["POSITION"]) else {
            continue;
        };
        let positions = file.accessor(positions)?.vec3()?;
        if !has_shapes(file, primitive, positions.len()) {
            continue;
        }
        let target = |target: &Value| match int(&target["POSITION"]) {
            Some(accessor) => file.accessor(accessor)?.vec3(),
            None => Ok(Vec::new()),
        };
        let targets: Vec<Vec<Vec3>> = array(&primitive["targets"])
            .iter()
            .map(target)
            .collect::<Result<_, String>>()?;
        if targets
            .iter()
            .any(|target| !target.is_empty() && target.len() != positions.len())
        {
            return Err("a morph target of another length than its mesh".to_owned());
        }
        let influences = read_influences(file, &primitive["attributes"], positions.len())?;
        primitives.push(Primitive {
            index,
            positions,
            targets,
            influences,
        });
    }
    Ok(primitives)
}

fn read_influences(
    file: &File,
    attributes: &Value,
    vertices: usize,
) -> Result<Option<Influences>, String> {
    let mut influences = None;
    for set in 0.. {
        let names = [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")];
        let [Some(joints), Some(weights)] = names.map(|name| int(&attributes[name])) else {
            break;
        };
        let (joints, weights) = (file.accessor(joints)?, file.accessor(weights)?);
        if joints.len() != vertices || weights.len() != vertices {
            return Err("joints or weights of another length than the positions".to_owned());
        }
        let lists = influences.get_or_insert_with(|| vec![Vec::new(); vertices]);
        for (vertex, list) in lists.iter_mut().enumerate() {
            let pairs = joints.get(vertex).iter().zip(weights.get(vertex));
            // A weight of 0 makes its joint irrelevant, even one out of range.
            list.extend(
                pairs
                    .map(|(joint, weight)| (*joint as usize, *weight))
                    .filter(|(_, weight)| *weight != 0.0),
            );
        }
    }
    Ok(influences)
}

fn read_skin(file: &File, skin: &Value) -> Result<Skin, String> {
    let joints: Vec<usize> = array(&skin["joints"]).iter().filter_map(int).collect();
    let joint_from_mesh = match int(&skin["inverseBindMatrices"]) {
        Some(accessor) => {
            let matrices = file.accessor(accessor)?;
            if matrices.width != 16 || matrices.len() < joints.len() {
                return Err("too few inverse bind matrices".to_owned());
            }
            Some(matrices.values.chunks_exact(16).map(math::mat4).collect())
        }
        None => None,
    };
    Ok(Skin {
        joints,
        joint_from_mesh,
    })
}
