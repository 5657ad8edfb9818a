//! A pose that `rigscope pose` has printed or the window has saved, taken again: on the same model, or on another whose nodes
//! have the same names.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    path::Path,
};

use anyhow::{Context as _, anyhow, bail, ensure};
use glam::{Quat, Vec3};
use serde::Deserialize;
use serde_json::error::Category;

use super::{Actor, text_file::read_text_at_most};
use crate::{
    anim::{
        posing::{Offset, Offsets},
        retarget::plain_name,
    },
    import::first_few,
    model::{Hierarchy, Model, NodeId, Transform, shortened},
};

/// With the vertices of all meshes, which nobody reads, a pose may be long: of a million of them some 60 MB.
pub(super) const LARGEST: u64 = 256 << 20;

/// Nodes that the model does not have are named as far as a line holds them.
const MAX_NAMED: usize = 10;

/// What is read of a pose; the rest follows from it.
#[derive(Debug)]
pub struct PoseFile {
    /// The file, as it is said.
    name: String,
    nodes: Vec<NodePose>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a pose")]
struct PoseText {
    nodes: Vec<NodePose>,
}

/// A node of the model that a pose places, where, and what else is said of it.
pub(super) type Placed<'p> = (NodeId, Transform, &'p NodePose);

#[derive(Debug, Deserialize)]
#[serde(expecting = "the pose of a node")]
pub(super) struct NodePose {
    index: usize,
    name: String,
    translation: Vec3Numbers,
    rotation: [f32; 4],
    scale: Vec3Numbers,
    weights: Vec<f32>,
    /// None: as the model's own file has it.
    #[serde(default)]
    hidden: Option<bool>,
}

type Vec3Numbers = [f32; 3];

impl PoseFile {
    /// Reads what `rigscope pose` has printed, or the window has saved; from standard input for `-`.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = read_text_at_most(file, LARGEST)?;
        Self::of_text(&text, file.display().to_string())
    }

    pub(super) fn of_text(text: &[u8], name: String) -> anyhow::Result<Self> {
        match serde_json::from_slice(text) {
            Ok(PoseText { nodes }) => Ok(Self { name, nodes }),
            Err(error) => Err(anyhow!("{name} is no pose: {}", why_no_pose(&error))),
        }
    }

    /// Poses a model. Nodes that are not named stay as the model's own file has them; those that the model does not have are
    /// logged. Fails if none are the same.
    pub fn apply(&self, actor: &mut Actor) -> anyhow::Result<()> {
        let placed = self.placed(actor.model())?;
        actor.pose_by(|_, pose| {
            for (id, place, node) in placed {
                // What stands as the file has it keeps its matrix, which may shear.
                if pose.locals[id.index()] != place {
                    pose.place(id, place);
                }
                let own = pose.weights_of_mut(id);
                let count = own.len().min(node.weights.len());
                own[..count].copy_from_slice(&node.weights[..count]);
                if let Some(hidden) = node.hidden {
                    pose.hidden[id.index()] = hidden;
                }
            }
        });
        Ok(())
    }

    /// [`Self::apply`] as a pose by hand, which stays however often the model is posed.
    pub fn hold(&self, actor: &mut Actor) -> anyhow::Result<()> {
        actor.pose_at(None, 0.0);
        let by_hand = PoseByHand::of(&self.placed(actor.model())?, actor);
        for (place, weight) in by_hand.weights {
            actor.hold_weight(place, Some(weight));
        }
        actor.replace_offsets(by_hand.offsets);
        actor.hide(&by_hand.hidden);
        Ok(())
    }

    /// The nodes of a model that are posed, in the order of its hierarchy; the rest as for [`Self::apply`].
    pub(super) fn placed(&self, model: &Model) -> anyhow::Result<Vec<Placed<'_>>> {
        let (name, hierarchy) = (&self.name, &model.hierarchy);
        let mut placed = Vec::with_capacity(self.nodes.len());
        let mut unknown = Vec::new();
        for (node, found) in self.nodes.iter().zip(bind(&self.nodes, hierarchy)) {
            let place = node.place();
            let place =
                place.with_context(|| format!("{name}: node {} {:?}", node.index, node.name))?;
            match found {
                Some(id) => placed.push((id, place, node)),
                None => unknown.push(format!("{:?}", node.name)),
            }
        }
        if placed.is_empty() && !self.nodes.is_empty() {
            bail!("{name}: {} has none of its nodes", model.name);
        }
        if !unknown.is_empty() {
            let unknown = first_few(unknown.into_iter(), MAX_NAMED);
            log::warn!("{name}: the model has no {unknown}");
        }
        placed.sort_unstable_by_key(|(id, ..)| *id);
        Ok(placed)
    }
}

/// A pose as it is made by hand.
#[derive(Debug)]
pub(super) struct PoseByHand {
    /// What is added to nodes.
    pub(super) offsets: Offsets,
    /// Morph weights, by their places among all of the model.
    pub(super) weights: Vec<(usize, f32)>,
    /// Nodes that are hidden, and are not by themselves.
    pub(super) hidden: Vec<NodeId>,
}

impl PoseByHand {
    /// What is to be added by hand to the pose that a model has, so that it has this one. What this shows and the model's own
    /// file or a clip hides stays hidden.
    pub(super) fn of(placed: &[Placed<'_>], actor: &Actor) -> Self {
        let pose = actor.pose();
        let mut found = Self {
            offsets: actor.offsets().clone(),
            weights: Vec::new(),
            hidden: Vec::new(),
        };
        for (id, place, node) in placed {
            let now = &pose.locals[id.index()];
            if now != place {
                let offset = found.offsets.get(*id).then(&Offset::between(now, place));
                found.offsets.set(*id, offset);
            }
            let first = actor.model().hierarchy.node(*id).weights.start;
            let weights = pose.weights_of(*id).iter().zip(&node.weights).enumerate();
            let other = weights.filter(|(_, (now, wanted))| now != wanted);
            let other = other.map(|(place, (_, wanted))| (first + place, *wanted));
            found.weights.extend(other);
            if node.hidden == Some(true) && !pose.hidden[id.index()] {
                found.hidden.push(*id);
            }
        }
        found
    }
}

impl NodePose {
    /// Its placement, if all numbers are finite and the rotation is one.
    fn place(&self) -> anyhow::Result<Transform> {
        let mut place = Transform {
            translation: Vec3::from(self.translation),
            rotation: Quat::from_array(self.rotation),
            scale: Vec3::from(self.scale),
        };
        let is_finite = place.translation.is_finite() && place.scale.is_finite();
        let are_finite = self.weights.iter().all(|weight| weight.is_finite());
        ensure!(
            is_finite && are_finite && place.rotation.is_finite(),
            "some of its numbers are beyond single precision"
        );
        let length = place.rotation.length();
        // What was printed is taken to the bit; what was typed has few digits.
        if (length - 1.0).abs() > 5e-4 {
            ensure!(
                (length - 1.0).abs() <= 0.1,
                "its rotation is no unit quaternion: its length is {length}"
            );
            place.rotation = place.rotation.normalize();
        }
        Ok(place)
    }
}

/// Why a text is no pose.
fn why_no_pose(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => "its text ends in the midst of it".to_owned(),
        Category::Syntax if (error.line(), error.column()) == (1, 1) => "it is not JSON".to_owned(),
        Category::Data => {
            let text = error.to_string();
            // Its place comes first here.
            let reason = text.rsplit_once(" at line ");
            let reason = reason.map_or(&*text, |(reason, _)| reason);
            format!(
                "line {}, column {} is not what `rigscope pose` prints ({}): an object with nodes, each with index, name, \
                 translation, rotation, scale and weights",
                error.line(),
                error.column(),
                shortened(reason)
            )
        }
        Category::Syntax | Category::Io => error.to_string(),
    }
}

/// Which nodes of a model are meant, each by one at most: those of the same index and name, then the only ones of their name,
/// then the only ones left of a name that differs in prefix, case and separators alone.
fn bind(nodes: &[NodePose], hierarchy: &Hierarchy) -> Vec<Option<NodeId>> {
    let mut is_taken = HashSet::new();
    let found = nodes.iter().map(|node| {
        let same = hierarchy.by_file_index(node.index);
        same.filter(|&id| hierarchy.node(id).name == node.name && is_taken.insert(id))
    });
    let mut found: Vec<_> = found.collect();
    let names = hierarchy.iter().map(|(id, node)| (node.name.as_str(), id));
    let by_name = only_ones(names);
    for (node, found) in nodes.iter().zip(&mut found) {
        if found.is_none() {
            let only = by_name.get(node.name.as_str()).copied().flatten();
            *found = only.filter(|&id| is_taken.insert(id));
        }
    }
    let free = hierarchy.iter().filter(|(id, _)| !is_taken.contains(id));
    let mut free = only_ones(free.map(|(id, node)| (plain_name(&node.name), id)));
    for (node, found) in nodes.iter().zip(&mut found) {
        if found.is_none() {
            *found = free.remove(&plain_name(&node.name)).flatten();
        }
    }
    found
}

/// The node of each name; none for a name that several have.
fn only_ones<N>(names: impl Iterator<Item = (N, NodeId)>) -> HashMap<N, Option<NodeId>>
where
    N: AsRef<str> + Eq + Hash,
{
    let mut by_name = HashMap::new();
    for (name, id) in names.filter(|(name, _)| !name.as_ref().is_empty()) {
        by_name
            .entry(name)
            .and_modify(|found| *found = None)
            .or_insert(Some(id));
    }
    by_name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Node;

    fn at(index: usize, name: &str, rotation: [f32; 4]) -> NodePose {
        NodePose {
            index,
            name: name.to_owned(),
            translation: [0.0; 3],
            rotation,
            scale: [1.0; 3],
            weights: Vec::new(),
            hidden: None,
        }
    }

    #[test]
    fn nodes_are_found_by_names_that_are_alike() {
        let bound = |posed: &[&str], names: &[&str]| {
            let nodes = names.iter().map(|name| Node {
                name: (*name).to_owned(),
                ..Node::default()
            });
            let nodes: Vec<_> = nodes.collect();
            let (parents, weights) = (vec![None; nodes.len()], vec![Vec::new(); nodes.len()]);
            let hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
            let posed = posed.iter().enumerate();
            let posed: Vec<_> = posed
                .map(|(index, name)| at(9 + index, name, [0.0; 4]))
                .collect();
            let found = bind(&posed, &hierarchy).into_iter();
            found.map(|id| id.map(NodeId::index)).collect::<Vec<_>>()
        };
        let own = ["mixamorig:Hips", "mixamorig:LeftArm"];
        assert_eq!(
            bound(&["left_arm", "Hips", "tail"], &own),
            [Some(1), Some(0), None]
        );
        // The same name comes first, and each is meant once.
        assert_eq!(
            bound(&["Hips", "hips"], &["hips", "HIPS"]),
            [Some(1), Some(0)]
        );
        assert_eq!(bound(&["Hips", "HIPS"], &["hips"]), [Some(0), None]);
        assert_eq!(bound(&["Hips", "Hips"], &["Hips"]), [Some(0), None]);
        let mut own = [""; 11];
        own[10] = "Hips";
        assert_eq!(bound(&["Hips", "Hips"], &own), [None, Some(10)]);
        // Of several nobody knows which one is meant.
        assert_eq!(bound(&["Hips", ""], &["hips", "HIPS", ""]), [None, None]);
        assert_eq!(bound(&["Hips"], &["Hips", "Hips"]), [None]);
    }

    #[test]
    fn what_is_no_pose_is_told_what_is_expected() {
        let told = |text: &str| {
            let read: Result<PoseText, _> = serde_json::from_str(text);
            why_no_pose(&read.unwrap_err())
        };
        assert_eq!(told("{"), "its text ends in the midst of it");
        assert_eq!(told("glTF\u{2}"), "it is not JSON");
        let few = r#"{"nodes": [{"index": 0, "name": "a", "translation": [0, 0]}]}"#;
        for (text, reason) in [
            ("[]", "invalid length 0, expected a pose"),
            ("{}", "missing field `nodes`"),
            (r#"{"nodes": [{}]}"#, "missing field `index`"),
            (
                r#"{"nodes": 1}"#,
                "invalid type: integer `1`, expected a sequence",
            ),
            (few, "invalid length 2, expected an array of length 3"),
        ] {
            let told = told(text);
            let expected = format!("is not what `rigscope pose` prints ({reason}): an object");
            assert!(told.starts_with("line 1, column "), "{told}");
            assert!(told.contains(&expected), "{told}");
        }
        let long = told(&format!(r#"{{"nodes": "{}"}}"#, "a".repeat(10_000)));
        assert!(long.len() < 1000, "{}", long.len());
    }

    #[test]
    fn rotations_may_have_few_digits() {
        let place = |rotation: [f32; 4]| {
            let node = at(0, "", rotation);
            node.place().map(|place| place.rotation.to_array())
        };
        // As it is printed, to the bit.
        let printed = [0.0, 0.6, 0.0, 0.800_01];
        assert_eq!(place(printed).unwrap(), printed);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let [x, y, z, w] = place([0.0, 0.71, 0.0, 0.71]).unwrap();
        assert_eq!([x, z], [0.0; 2]);
        assert!((y - half).abs() < 1e-6 && (w - half).abs() < 1e-6);
        for wrong in [[0.0; 4], [0.0, 0.0, 0.0, 2.0]] {
            let error = place(wrong).unwrap_err().to_string();
            assert!(error.contains("no unit quaternion"), "{error}");
        }
    }
}
