//! Who is meant by a JSON pointer, and the place there: what a click on a finding chooses.

use std::{
    cell::OnceCell,
    collections::{HashMap, hash_map::Entry},
};

use crate::{
    anim::analysis::oddities::MotionFinding,
    anim::{LoopSeam, MisplacedWeights, StrayWeights},
    import::{Diagnostic, Place},
    model::{Model, NodeId, Primitive},
    ui::Culprit,
};

/// How far from a node's origin its turns are measured, as a part of the model's size.
const LEVER: f32 = 0.05;
/// Nodes of clips that are looked at for one finding.
const MAX_PLACEMENTS: usize = 1 << 14;

/// What nodes carry, by its index in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Mesh(usize),
    Material(usize),
    Skin(usize),
    Camera(usize),
    Light(usize),
}

/// Findings about joints that are seen in the bind pose, by the surface that each joint moves.
const IN_WEIGHTS: [&str; 6] = [
    StrayWeights::CODE,
    MisplacedWeights::CODE,
    "SKIN_BIND_POSE_MISFIT",
    "SKIN_JOINTS_MISPLACED",
    "SKIN_JOINTS_TURNED",
    "SKIN_MESH_ELSEWHERE",
];

/// By part the first node that carries it.
type Carriers = HashMap<Part, NodeId>;

/// Where the lights of the file are.
const LIGHTS: &str = "/extensions/KHR_lights_punctual";

/// What is meant by the findings about one model, whose size is `size`.
pub(super) struct Culprits<'m> {
    model: &'m Model,
    size: f32,
    /// Found once for all findings, and only if any needs it.
    carriers: OnceCell<Carriers>,
}

impl<'m> Culprits<'m> {
    /// Of a model of this size.
    pub(super) fn new(model: &'m Model, size: f32) -> Self {
        Self {
            model,
            size,
            carriers: OnceCell::new(),
        }
    }

    /// What can be chosen to look at what is wrong, at the node and the moment that the finding names; of a clip that does not
    /// end as it starts the node that makes most of it, at its end; of stray weights and of matrices that do not fit the joint,
    /// and how it moves the surface; of pictures, accessors and the like the first that uses them.
    pub(super) fn of(&self, finding: &Diagnostic) -> Option<Culprit> {
        if is_seen_in_users(&finding.pointer) {
            let mut users = finding.others.iter();
            return users.find_map(|(user, _)| self.of_pointer(user));
        }
        self.of_code_at(finding.code, (&finding.pointer, finding.place))
    }

    /// [`Self::of`] a finding with `code` at `pointer`, about a place there.
    fn of_code_at(&self, code: &str, (pointer, place): (&str, Place)) -> Option<Culprit> {
        let (model, size) = (self.model, self.size);
        let named = self.of_pointer(pointer)?;
        let node = place.node_index;
        let node = node.and_then(|index| model.hierarchy.by_file_index(index));
        let culprit = Culprit {
            node: node.map(NodeId::index).or(named.node),
            at_secs: place.time_secs.filter(|_| named.clip.is_some()),
            is_in_weights: IN_WEIGHTS.contains(&code),
            ..named
        };
        let clip = culprit.clip.filter(|_| code == LoopSeam::CODE);
        let Some(clip) = clip.and_then(|clip| model.clips.get(clip)) else {
            return Some(culprit);
        };
        let seam = LoopSeam::of_loop(model, clip, size);
        let worst = seam.worst_tip(LEVER * size);
        let cause = worst.map(|(node, _)| seam.cause(&model.hierarchy, node, LEVER * size).node);
        Some(Culprit {
            node: cause.map(NodeId::index),
            at_secs: end_of(model, culprit),
            ..culprit
        })
    }

    /// More of what can be chosen, where one finding is about several objects.
    pub(super) fn others_of(&self, finding: &Diagnostic) -> Vec<Culprit> {
        if is_seen_in_users(&finding.pointer) {
            return Vec::new();
        }
        let is_seam = finding.code == LoopSeam::CODE;
        let is_long = finding
            .others
            .len()
            .saturating_mul(self.model.hierarchy.len())
            > MAX_PLACEMENTS;
        let others = finding.others.iter().filter_map(|(pointer, place)| {
            // Of very many clips it is not looked which node is off.
            if is_seam && is_long {
                let culprit = self.of_pointer(pointer)?;
                return Some(Culprit {
                    at_secs: end_of(self.model, culprit),
                    ..culprit
                });
            }
            self.of_code_at(finding.code, (pointer, *place))
        });
        others.collect()
    }

    /// What can be chosen to look at what a pointer such as `/meshes/0/primitives/1` names: the node that carries it, or the
    /// clip. None for what no node carries, and for what only the file's own parts name, such as accessors.
    fn of_pointer(&self, pointer: &str) -> Option<Culprit> {
        let model = self.model;
        let pointer = pointer.strip_prefix(LIGHTS).unwrap_or(pointer);
        let mut parts = pointer.split('/').skip(1);
        let (kind, index) = (parts.next()?, parts.next()?.parse::<usize>().ok()?);
        let inner = (parts.next(), parts.next().and_then(|it| it.parse().ok()));
        let culprit = |node: Option<NodeId>| {
            Some(Culprit {
                node: Some(node?.index()),
                ..Culprit::default()
            })
        };
        let carrier = |part| self.carriers().get(&part).copied();
        match kind {
            "nodes" => culprit(model.hierarchy.by_file_index(index)),
            "meshes" => {
                let found = culprit(carrier(Part::Mesh(index)))?;
                let primitives = &model.meshes.get(index)?.primitives;
                let place = inner.1.filter(|_| inner.0 == Some("primitives"));
                let primitive = place.and_then(|place: usize| {
                    let mut all = primitives.iter();
                    all.find(|primitive| primitive.file_index == place)
                });
                Some(Culprit {
                    material: primitive.map(|it| it.material),
                    ..found
                })
            }
            "materials" => {
                let found = culprit(carrier(Part::Material(index)))?;
                Some(Culprit {
                    material: Some(index),
                    ..found
                })
            }
            "skins" => {
                let skin = model.skins.get(index)?;
                let joint = inner.1.filter(|_| inner.0 == Some("joints"));
                let joint = joint.and_then(|joint: usize| skin.joints.get(joint).copied());
                let skeleton = skin.skeleton.filter(|_| inner.0 == Some("skeleton"));
                let named = joint.or(skeleton);
                culprit(named.or_else(|| carrier(Part::Skin(index))))
            }
            "cameras" => culprit(carrier(Part::Camera(index))),
            "lights" => culprit(carrier(Part::Light(index))),
            "animations" => (index < model.clips.len()).then(|| Culprit {
                clip: Some(index),
                ..Culprit::default()
            }),
            _ => None,
        }
    }

    fn carriers(&self) -> &Carriers {
        self.carriers.get_or_init(|| carriers(self.model))
    }
}

/// The first node of the hierarchy that carries each part; of a material the first with a primitive that has it, be it in a
/// variant.
fn carriers(model: &Model) -> Carriers {
    let mut first = Carriers::new();
    for (id, node) in model.hierarchy.iter() {
        let parts = [
            node.skin.map(Part::Skin),
            node.camera.map(Part::Camera),
            node.light.map(Part::Light),
        ];
        for part in parts.into_iter().flatten() {
            first.entry(part).or_insert(id);
        }
        let Some(mesh) = node.mesh else {
            continue;
        };
        // What shares a mesh shares its materials.
        if let Entry::Vacant(entry) = first.entry(Part::Mesh(mesh)) {
            entry.insert(id);
            let mesh = model.meshes.get(mesh);
            let primitives = mesh.into_iter().flat_map(|mesh| &mesh.primitives);
            for material in primitives.flat_map(Primitive::materials) {
                first.entry(Part::Material(material)).or_insert(id);
            }
        }
    }
    first
}

/// Whether a JSON pointer names what is seen in what uses it alone.
fn is_seen_in_users(pointer: &str) -> bool {
    let section = pointer.split('/').nth(1).unwrap_or_default();
    let used = ["accessors", "bufferViews", "images", "samplers", "textures"];
    used.contains(&section)
}

/// Where the clip ends, whatever part of it loops.
fn end_of(model: &Model, culprit: Culprit) -> Option<f64> {
    let clip = model.clips.get(culprit.clip?)?;
    Some(f64::from(clip.duration_secs()))
}

/// The clip, the node and the moment.
pub(super) fn of_motion(finding: &MotionFinding) -> Culprit {
    Culprit {
        node: Some(finding.node.index()),
        clip: Some(finding.clip),
        at_secs: Some(finding.at_secs),
        ..Culprit::default()
    }
}

#[cfg(test)]
mod tests;
