//! Which joints of a rig are which bones of a person.
//!
//! What the file says ([`crate::model::Model::human_joints`]) comes before names, which say the rest. By names the person is
//! all that hangs beside or below the hips or the spine: of several the one of whom most bones are known, or else the first;
//! a bone whose name several joints have is the first of them. Where nobody is called hips, they are the joint of the spine
//! that the legs hang from; where nobody is called neck or head, they are the first and the last joint of the spine above
//! the one that the arms hang from. So it is in Rigify's rigs, where all these are called `spine`.
//!
//! A rig is a person's if it has hips or a spine, and an upper arm or an upper leg, and no leg of an animal.

mod names;
#[cfg(test)]
mod tests;

pub(super) use names::bones_by_name;

use std::collections::{HashMap, HashSet};

use crate::model::{BodySide, Hierarchy, HumanBone, HumanJoint, NodeId};

/// The bones of a rig that is a person's.
#[derive(Debug)]
pub(super) struct Human {
    /// What each node is.
    bones: Vec<Option<HumanBone>>,
    /// Which node each bone is, but for those of the spine.
    nodes: HashMap<HumanBone, NodeId>,
    /// The joints of the spine, the lowest first.
    spine: Vec<NodeId>,
    /// Whether the file says which nodes they are.
    is_told: bool,
}

impl Human {
    /// The person that a rig is, if it is one; `told` is what the file says.
    pub(super) fn find(hierarchy: &Hierarchy, told: &[HumanJoint]) -> Option<Self> {
        let mut bones = bones_by_name(hierarchy);
        let told_bones: HashSet<HumanBone> = told.iter().map(|joint| joint.bone).collect();
        for bone in &mut bones {
            *bone = bone.filter(|bone| !told_bones.contains(bone));
        }
        for joint in told.iter().rev() {
            bones[joint.node.index()] = Some(joint.bone);
        }
        keep_body(hierarchy, &mut bones);
        let above = spine_above(hierarchy, &bones);
        name_spine(hierarchy, &above, &mut bones);
        let mut nodes = HashMap::new();
        for ((id, _), bone) in hierarchy.iter().zip(&bones) {
            if let Some(bone) = bone.filter(|bone| *bone != HumanBone::Spine) {
                nodes.entry(bone).or_insert(id);
            }
        }
        let this = Self {
            spine: spine(hierarchy, &above, &bones, &nodes),
            bones,
            nodes,
            is_told: !told.is_empty(),
        };
        let has = |bone| this.nodes.contains_key(&bone);
        let limbs = [HumanBone::UpperArm, HumanBone::UpperLeg];
        let has_limb = |side| limbs.iter().any(|limb| has(limb(side)));
        let is_person = (has(HumanBone::Hips) || !this.spine.is_empty())
            && BodySide::BOTH.into_iter().any(has_limb)
            && (this.is_told || !has_animal_joints(hierarchy, &this.bones));
        is_person.then_some(this)
    }

    /// What a node is, if it is a bone.
    pub(super) fn bone(&self, node: NodeId) -> Option<HumanBone> {
        self.bones[node.index()]
    }

    /// Which joints of this person are which ones of another. The spine goes by the share of the way: its ends to the ends,
    /// each joint between them to the nearest, and none to two.
    pub(super) fn counterparts(&self, other: &Self) -> Vec<(NodeId, NodeId)> {
        let pairs = self.nodes.iter();
        let pairs = pairs.filter_map(|(bone, node)| Some((*node, *other.nodes.get(bone)?)));
        let spine = spread(self.spine.len(), other.spine.len());
        let spine = spine.map(|(own, others)| (self.spine[own], other.spine[others]));
        pairs.chain(spine).collect()
    }

    /// Whether a node cannot be meant by one of another person, be they called the same: it is another bone, and that
    /// person has this one elsewhere, or both files say so.
    pub(super) fn contradicts(&self, node: NodeId, other: &Self, others: NodeId) -> bool {
        let [Some(own), Some(there)] = [self.bones[node.index()], other.bones[others.index()]]
        else {
            return false;
        };
        let has = match there {
            HumanBone::Spine => !self.spine.is_empty(),
            bone => self.nodes.contains_key(&bone),
        };
        own != there && (has || self.is_told && other.is_told)
    }
}

/// Pairs of places in two rows, of `own` and of `others` places: from end to end of both, as many as the shorter one has.
fn spread(own: usize, others: usize) -> impl Iterator<Item = (usize, usize)> {
    let (few, many) = (own.min(others), own.max(others));
    let last = few.saturating_sub(1).max(1);
    (0..few).map(move |place| {
        let nearest = (2 * place * (many - 1) + last) / (2 * last);
        match few == own {
            // The first of one alone.
            _ if few == 1 => (0, 0),
            true => (place, nearest),
            false => (nearest, place),
        }
    })
}

/// Forgets all but the bones of one body.
fn keep_body(hierarchy: &Hierarchy, bones: &mut [Option<HumanBone>]) {
    // For each node what holds the topmost trunk that it belongs to: no node, or the one at this place less one.
    let mut holders: Vec<Option<usize>> = Vec::with_capacity(bones.len());
    let mut counts = vec![0_usize; bones.len() + 1];
    for (node, bone) in hierarchy.nodes().iter().zip(&*bones) {
        let above = node.parent.and_then(|parent| holders[parent.index()]);
        let is_trunk = matches!(bone, Some(HumanBone::Hips | HumanBone::Spine));
        let begins = is_trunk.then(|| node.parent.map_or(0, |parent| parent.index() + 1));
        let holder = above.or(begins);
        if let (Some(holder), Some(_)) = (holder, bone) {
            counts[holder] += 1;
        }
        holders.push(holder);
    }
    let most = counts.iter().max();
    let body = counts.iter().position(|count| Some(count) == most);
    for (bone, holder) in bones.iter_mut().zip(holders) {
        *bone = bone.filter(|_| holder.is_some() && holder == body);
    }
}

/// For each node the nearest joint of the spine above it.
fn spine_above(hierarchy: &Hierarchy, bones: &[Option<HumanBone>]) -> Vec<Option<NodeId>> {
    let mut above: Vec<Option<NodeId>> = Vec::with_capacity(bones.len());
    for node in hierarchy.nodes() {
        above.push(node.parent.and_then(|parent| {
            let is_spine = bones[parent.index()] == Some(HumanBone::Spine);
            is_spine.then_some(parent).or(above[parent.index()])
        }));
    }
    above
}

/// The first node that is one of these bones.
fn first(bones: &[Option<HumanBone>], wanted: &[HumanBone]) -> Option<NodeId> {
    let is_wanted = |bone: &Option<HumanBone>| bone.is_some_and(|bone| wanted.contains(&bone));
    let place = bones.iter().position(is_wanted)?;
    Some(NodeId(place as u32))
}

/// Finds hips, neck and head among the joints of a spine, where no others are called so.
fn name_spine(hierarchy: &Hierarchy, above: &[Option<NodeId>], bones: &mut [Option<HumanBone>]) {
    let holder = |bones: &[Option<HumanBone>], limbs: &[HumanBone]| {
        first(bones, limbs).and_then(|limb| above[limb.index()])
    };
    let arms = BodySide::BOTH.map(|side| [HumanBone::Shoulder(side), HumanBone::UpperArm(side)]);
    let chest = holder(bones, arms.as_flattened());
    if first(bones, &[HumanBone::Neck, HumanBone::Head]).is_none()
        && let Some(chest) = chest
    {
        let joints = chain(hierarchy, above, bones, chest);
        for joint in &joints {
            bones[joint.index()] = None;
        }
        if let Some(neck) = joints.first() {
            bones[neck.index()] = Some(HumanBone::Neck);
        }
        if let Some(head) = joints.last() {
            bones[head.index()] = Some(HumanBone::Head);
        }
    }
    if first(bones, &[HumanBone::Hips]).is_none()
        && let Some(hips) = holder(bones, &BodySide::BOTH.map(HumanBone::UpperLeg))
    {
        bones[hips.index()] = Some(HumanBone::Hips);
    }
}

/// The joints of the spine above one of them, each the first below the one before.
fn chain(
    hierarchy: &Hierarchy,
    above: &[Option<NodeId>],
    bones: &[Option<HumanBone>],
    from: NodeId,
) -> Vec<NodeId> {
    let mut chain = Vec::new();
    let mut last = from;
    for (id, _) in hierarchy.iter() {
        if bones[id.index()] == Some(HumanBone::Spine) && above[id.index()] == Some(last) {
            chain.push(id);
            last = id;
        }
    }
    chain
}

/// The joints of the spine from the lowest up: those between hips and neck, or what else there is at the upper end.
fn spine(
    hierarchy: &Hierarchy,
    above: &[Option<NodeId>],
    bones: &[Option<HumanBone>],
    nodes: &HashMap<HumanBone, NodeId>,
) -> Vec<NodeId> {
    let [left, right] = BodySide::BOTH;
    let tips = [
        HumanBone::Neck,
        HumanBone::Head,
        HumanBone::Shoulder(left),
        HumanBone::Shoulder(right),
        HumanBone::UpperArm(left),
        HumanBone::UpperArm(right),
    ];
    let tip = tips.iter().find_map(|bone| nodes.get(bone));
    let hips = nodes.get(&HumanBone::Hips);
    let is_spine = |id: &NodeId| bones[id.index()] == Some(HumanBone::Spine);
    let upwards = tip.into_iter().flat_map(|tip| hierarchy.upwards(*tip));
    let below_hips = upwards.take_while(|id| Some(id) != hips);
    let mut joints: Vec<NodeId> = below_hips.filter(is_spine).collect();
    joints.reverse();
    if joints.is_empty()
        && let Some(lowest) = first(bones, &[HumanBone::Spine])
    {
        joints.push(lowest);
        joints.extend(chain(hierarchy, above, bones, lowest));
    }
    joints
}

/// Whether joints below those of a body are called as those of animals are.
fn has_animal_joints(hierarchy: &Hierarchy, bones: &[Option<HumanBone>]) -> bool {
    let mut is_body = vec![false; bones.len()];
    hierarchy.iter().any(|(id, node)| {
        let parent = node.parent.is_some_and(|parent| is_body[parent.index()]);
        is_body[id.index()] = parent || bones[id.index()].is_some();
        is_body[id.index()] && names::is_animals(&node.name)
    })
}
