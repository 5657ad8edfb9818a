//! Random glTF files that use what real files seldom do: odd component types, strides, sparse accessors, two sets of
//! joints, uneven weights, shared skins and timelines, single keys, nodes in any order.

use base64::Engine as _;
use glam::{Affine3A, Mat4, Quat, Vec3};
use serde_json::{Map, Value, json};

use super::rng::Rng;

const FLOAT: u64 = 5126;

struct Builder<'a> {
    rng: &'a mut Rng,
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// How an accessor stores its numbers.
#[derive(Clone, Copy)]
struct Storage {
    component: u64,
    normalized: bool,
}

const FLOATS: Storage = Storage {
    component: FLOAT,
    normalized: false,
};

impl Storage {
    fn normalized(component: u64) -> Self {
        Self {
            component,
            normalized: component != FLOAT,
        }
    }

    /// The number that is stored: integers are scaled if they are normalised, and rounded.
    fn stored(self, value: f32) -> f32 {
        let scale = match self.component {
            FLOAT => return value,
            _ if !self.normalized => 1.0,
            5120 => 127.0,
            5121 => 255.0,
            5122 => 32767.0,
            _ => 65535.0,
        };
        (value * scale).round()
    }

    fn encode(self, value: f32) -> Vec<u8> {
        let stored = self.stored(value);
        match self.component {
            5120 => (stored as i8).to_le_bytes().to_vec(),
            5121 => vec![stored as u8],
            5122 => (stored as i16).to_le_bytes().to_vec(),
            5123 => (stored as u16).to_le_bytes().to_vec(),
            5125 => (stored as u32).to_le_bytes().to_vec(),
            _ => stored.to_le_bytes().to_vec(),
        }
    }
}

fn width_of(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

impl Builder<'_> {
    fn chance(&mut self, one_in: usize) -> bool {
        self.rng.index(one_in) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.rng.index(list.len())]
    }

    /// A view of elements, each `stride` bytes after the one before it; some bytes stand before them.
    fn view(&mut self, elements: &[Vec<u8>], stride: Option<usize>) -> usize {
        let gap = 4 * self.rng.index(3);
        self.bytes
            .resize(self.bytes.len().next_multiple_of(4) + gap, 0xAA);
        let start = self.bytes.len();
        for element in elements {
            self.bytes.extend(element);
            let rest = stride.map_or(0, |stride| stride - element.len());
            self.bytes.resize(self.bytes.len() + rest, 0x55);
        }
        let length = self.bytes.len() - start;
        let mut view = json!({"buffer": 0, "byteOffset": start, "byteLength": length});
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// An accessor of `values`; those of vertices may have a stride, those of floats may be sparse.
    fn put(&mut self, kind: &str, storage: Storage, values: &[f32], is_vertex: bool) -> usize {
        let rows = values.chunks_exact(width_of(kind));
        let row = |row: &[f32]| row.iter().flat_map(|v| storage.encode(*v)).collect();
        let elements: Vec<Vec<u8>> = rows.map(row).collect();
        let tight = elements[0].len().next_multiple_of(4);
        let stride = is_vertex.then(|| tight + 4 * self.rng.index(3));
        let mut accessor = json!({
            "componentType": storage.component, "type": kind, "count": elements.len(),
        });
        if storage.normalized {
            accessor["normalized"] = json!(true);
        }
        if storage.component == FLOAT && self.chance(4) {
            self.sparse(&mut accessor, &elements, stride);
        } else {
            accessor["bufferView"] = json!(self.view(&elements, stride));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Over zeros all elements are replaced, over a view some that are wrong there.
    fn sparse(&mut self, accessor: &mut Value, elements: &[Vec<u8>], stride: Option<usize>) {
        let over_zeros = self.chance(2);
        let mut replaced: Vec<usize> = (0..elements.len()).collect();
        if !over_zeros {
            replaced.retain(|_| self.rng.index(3) == 0);
            replaced.push(elements.len() - 1);
            replaced.dedup();
            let mut wrong = elements.to_vec();
            for &i in &replaced {
                wrong[i].fill(0x3F);
            }
            accessor["bufferView"] = json!(self.view(&wrong, stride));
        }
        let component = self.pick(&[5121, 5123, 5125]);
        let index = Storage {
            component,
            normalized: false,
        };
        let indices: Vec<_> = replaced.iter().map(|&i| index.encode(i as f32)).collect();
        let values: Vec<_> = replaced.iter().map(|&i| elements[i].clone()).collect();
        accessor["sparse"] = json!({
            "count": replaced.len(),
            "indices": {"bufferView": self.view(&indices, None), "componentType": component},
            "values": {"bufferView": self.view(&values, None)},
        });
    }

    /// Like [`Self::put`], with the bounds that positions and key times must state (glTF 2.0 §3.6.2.5): those of the
    /// numbers as they are stored.
    fn put_bounded(&mut self, kind: &str, storage: Storage, values: &[f32]) -> usize {
        let index = self.put(kind, storage, values, kind == "VEC3");
        let width = width_of(kind);
        let stored: Vec<f32> = values.iter().map(|v| storage.stored(*v)).collect();
        for (key, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let axis = |axis| {
                stored
                    .iter()
                    .skip(axis)
                    .step_by(width)
                    .copied()
                    .reduce(pick)
            };
            self.accessors[index][key] = (0..width).map(axis).collect();
        }
        index
    }

    fn scale(&mut self) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| {
            let sign = if self.rng.index(6) == 0 { -1.0 } else { 1.0 };
            sign * self.rng.float(0.6, 1.4)
        }))
    }

    fn matrix(&mut self) -> [f32; 16] {
        let scale = self.scale();
        let (turn, place) = (self.rng.rotation(), self.rng.vec3(2.0));
        let matrix = Affine3A::from_scale_rotation_translation(scale, turn, place);
        Mat4::from(matrix).to_cols_array()
    }

    /// Nodes in any order; every third has a matrix, the rest some of translation, rotation and scale. The first of
    /// them are `tree` nodes under one root, among which the joints are.
    fn nodes(&mut self, count: usize, tree: usize) -> (Vec<Value>, Vec<usize>) {
        let mut nodes = vec![json!({}); count];
        let order = self.rng.permutation(count);
        for (place, &node) in order.iter().enumerate() {
            if self.chance(3) {
                nodes[node]["matrix"] = json!(self.matrix());
            } else {
                if !self.chance(4) {
                    nodes[node]["translation"] = json!(self.rng.vec3(2.0).to_array());
                }
                if !self.chance(4) {
                    nodes[node]["rotation"] = json!(self.rng.rotation().to_array());
                }
                if self.chance(2) {
                    nodes[node]["scale"] = json!(self.scale().to_array());
                }
            }
            if (1..tree).contains(&place) || place > 0 && !self.chance(5) {
                let parent = &mut nodes[order[self.rng.index(place)]];
                match parent["children"].as_array_mut() {
                    Some(children) => children.push(json!(node)),
                    None => parent["children"] = json!([node]),
                }
            }
        }
        (nodes, order[..tree].to_vec())
    }

    fn skin(&mut self, tree: &[usize]) -> Value {
        let joints = tree.len();
        let order = self.rng.permutation(joints).into_iter();
        let mut skin = json!({"joints": order.map(|place| tree[place]).collect::<Vec<_>>()});
        if !self.chance(4) {
            // More matrices than joints are legal.
            let count = joints + self.rng.index(3);
            let matrices: Vec<f32> = (0..count).flat_map(|_| self.matrix()).collect();
            skin["inverseBindMatrices"] = json!(self.put("MAT4", FLOATS, &matrices, false));
        }
        skin
    }

    /// Displacements or positions: floats or, with `KHR_mesh_quantization`, integers as they are or normalised.
    fn positions(&mut self, vertices: usize) -> usize {
        let component = self.pick(&[FLOAT, FLOAT, 5120, 5122]);
        let normalized = component != FLOAT && self.chance(2);
        let reach = if component == FLOAT || normalized {
            1.0
        } else {
            100.0
        };
        let values: Vec<f32> = (0..vertices)
            .flat_map(|_| self.rng.vec3(reach).to_array())
            .collect();
        let storage = Storage {
            component,
            normalized,
        };
        self.put_bounded("VEC3", storage, &values)
    }

    fn primitive(&mut self, targets: usize, joints: usize) -> Value {
        let vertices = 3 * (1 + self.rng.index(12));
        let mut attributes = Map::new();
        attributes.insert("POSITION".to_owned(), json!(self.positions(vertices)));
        let sets = 1 + self.rng.index(2);
        // No vertex may give two weights to one joint (glTF 2.0 §3.7.3.3).
        let orders: Vec<Vec<usize>> = (0..vertices)
            .map(|_| self.rng.permutation(joints))
            .collect();
        for set in 0..sets {
            let entries = 4 * vertices;
            let component = self.pick(&[5121, 5123]);
            let named: Vec<f32> = (0..entries)
                .map(|entry| orders[entry / 4][(4 * set + entry % 4) % joints] as f32)
                .collect();
            let named = self.put(
                "VEC4",
                Storage {
                    component,
                    normalized: false,
                },
                &named,
                true,
            );
            // Every vertex has some weight; what the weights sum to is left to chance.
            let weight = |entry: usize| match 4 * set + entry % 4 {
                place if place >= joints => 0.0,
                0 => self.rng.float(0.1, 1.0),
                _ => self.rng.float(-0.5, 1.0).max(0.0),
            };
            let weights: Vec<f32> = (0..entries).map(weight).collect();
            let storage = Storage::normalized(self.pick(&[FLOAT, 5121, 5123]));
            let weights = self.put("VEC4", storage, &weights, true);
            attributes.insert(format!("JOINTS_{set}"), json!(named));
            attributes.insert(format!("WEIGHTS_{set}"), json!(weights));
        }
        let mut primitive = json!({"attributes": attributes});
        if self.chance(2) {
            let storage = Storage {
                component: self.pick(&[5121, 5123, 5125]),
                normalized: false,
            };
            // Triangles of three vertices in a row, in any order.
            let corners = (0..4).flat_map(|_| {
                let first = self.rng.index(vertices - 2) as f32;
                [first + 2.0, first, first + 1.0]
            });
            let corners: Vec<f32> = corners.collect();
            primitive["indices"] = json!(self.put("SCALAR", storage, &corners, false));
        } else {
            primitive["mode"] = json!(self.pick(&[0, 4, 5]));
        }
        if targets > 0 {
            let list = (0..targets).map(|_| json!({"POSITION": self.positions(vertices)}));
            primitive["targets"] = list.collect();
        }
        primitive
    }

    fn weights(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.rng.float(-0.5, 1.5)).collect()
    }

    /// Key times, and how many.
    fn times(&mut self, count: usize) -> (usize, usize) {
        let mut time = self.rng.float(-0.5, 1.0).max(0.0);
        let mut times = Vec::new();
        for _ in 0..count {
            times.push(time);
            time += self.rng.float(0.02, 0.7);
        }
        (self.put_bounded("SCALAR", FLOATS, &times), count)
    }

    /// Keys of rotations; those of a spline turn little by little, so that it never comes near zero.
    fn rotations(&mut self, keys: usize, is_spline: bool) -> Vec<f32> {
        let mut values = Vec::new();
        let mut before = self.rng.rotation();
        for _ in 0..keys {
            if is_spline {
                before = (before + self.rng.rotation() * 0.4).normalize();
                let tangents = [(); 2].map(|()| self.rng.rotation() * 0.3);
                values.extend([tangents[0], before, tangents[1]].map(|q: Quat| q.to_array()));
            } else {
                values.push(self.rng.rotation().to_array());
            }
        }
        values.concat()
    }

    fn animation(&mut self, nodes: &[Value], targets: usize) -> Value {
        let lengths = [1 + self.rng.index(3), 2 + self.rng.index(8), 2];
        let timelines = lengths.map(|length| self.times(length));
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for (node, data) in nodes.iter().enumerate() {
            for path in ["translation", "rotation", "scale", "weights"] {
                let is_weights = path == "weights";
                let can_move = if is_weights {
                    targets > 0 && data["mesh"].is_u64()
                } else {
                    data["matrix"].is_null()
                };
                if !can_move || self.chance(2) {
                    continue;
                }
                let (input, keys) = self.pick(&timelines);
                let kinds = ["STEP", "LINEAR", "CUBICSPLINE"];
                let interpolation = if keys > 1 {
                    self.pick(&kinds)
                } else {
                    self.pick(&kinds[..2])
                };
                let is_spline = interpolation == "CUBICSPLINE";
                let rows = if is_spline { 3 * keys } else { keys };
                let (kind, values) = match path {
                    "rotation" => ("VEC4", self.rotations(keys, is_spline)),
                    "weights" => (
                        "SCALAR",
                        (0..rows * targets)
                            .map(|_| self.rng.float(0.0, 1.0))
                            .collect(),
                    ),
                    _ => (
                        "VEC3",
                        (0..rows)
                            .flat_map(|_| (self.rng.vec3(0.5) + 0.8).to_array())
                            .collect(),
                    ),
                };
                let storage = match path {
                    "rotation" => Storage::normalized(self.pick(&[FLOAT, FLOAT, 5120, 5122])),
                    "weights" => Storage::normalized(self.pick(&[FLOAT, 5120, 5121, 5122, 5123])),
                    _ => FLOATS,
                };
                let output = self.put(kind, storage, &values, false);
                channels.push(
                    json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}),
                );
                samplers.push(
                    json!({"input": input, "output": output, "interpolation": interpolation}),
                );
            }
        }
        json!({"channels": channels, "samplers": samplers})
    }
}

/// A valid file of its own for every state of `rng`.
pub fn document(rng: &mut Rng) -> Value {
    let mut b = Builder {
        rng,
        bytes: Vec::new(),
        views: Vec::new(),
        accessors: Vec::new(),
    };
    let node_count = 6 + b.rng.index(14);
    let (targets, joints) = (b.rng.index(4), 2 + b.rng.index(node_count - 1));
    let (mut nodes, tree) = b.nodes(node_count, joints);
    let meshes: Vec<Value> = (0..2)
        .map(|_| {
            let primitives: Vec<Value> = (0..1 + b.rng.index(2))
                .map(|_| b.primitive(targets, joints))
                .collect();
            let mut mesh = json!({"primitives": primitives});
            if targets > 0 && b.chance(2) {
                mesh["weights"] = json!(b.weights(targets));
            }
            mesh
        })
        .collect();
    let skins: Vec<Value> = (0..2).map(|_| b.skin(&tree)).collect();
    for _ in 0..1 + b.rng.index(3) {
        let node = &mut nodes[b.rng.index(node_count)];
        node["mesh"] = json!(b.rng.index(2));
        if !b.chance(3) {
            node["skin"] = json!(b.rng.index(2));
        }
        if targets > 0 && b.chance(2) {
            node["weights"] = json!(b.weights(targets));
        }
    }
    let animations: Vec<Value> = (0..2).map(|_| b.animation(&nodes, targets)).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(&b.bytes);
    json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_mesh_quantization"],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "nodes": nodes, "meshes": meshes, "skins": skins, "animations": animations,
        "accessors": b.accessors, "bufferViews": b.views,
        "buffers": [{
            "byteLength": b.bytes.len(),
            "uri": format!("data:application/octet-stream;base64,{data}"),
        }],
    })
}
