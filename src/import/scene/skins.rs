//! Skins: joints and their inverse bind matrices (glTF 2.0 §3.7.3).

use glam::{Affine3A, Mat4};
use gltf::json::{self, accessor::Type};

use crate::{
    import::{
        arrays::source::{Components, Source, Use},
        base::{
            diagnostics::{Diagnostics, Fault},
            progress::Cancelled,
            wording::{counted, shorten, there_are},
        },
        json::document::Section,
    },
    model::{Hierarchy, NodeId, Skin},
};

/// Joints of one skin that are read at most; more than a vertex could name.
pub(in crate::import) const MAX_JOINTS: usize = 65_536;
/// Joints that a skin may lack: one that lacks more is not used, and so each mesh can have a list of them.
const MAX_MISSING: usize = 64;
const IGNORED: &str = "it is ignored";

/// A skin whose joints are still indices in the file; all of them exist.
#[derive(Debug)]
pub(in crate::import) struct FileSkin {
    name: String,
    /// Another one stands for each that is missing.
    nodes: Vec<usize>,
    joints: Joints,
    skeleton: Option<usize>,
    joint_from_mesh: Vec<Affine3A>,
}

/// Which joints a vertex may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::import) struct Joints {
    count: usize,
    /// The places that hold no joint, in order; not all of them where skins lack many together.
    missing: Vec<u32>,
}

impl Joints {
    pub(in crate::import) fn new(count: usize, missing: Vec<u32>) -> Self {
        Self { count, missing }
    }

    /// How many there are, those that are missing among them.
    pub(in crate::import) fn count(&self) -> usize {
        self.count
    }

    /// What is said of a joint that is none of these: `none of the 3 of the skin`.
    pub(in crate::import) fn none_of_these(&self) -> String {
        match self.count {
            1 => "not the one of the skin".to_owned(),
            count => format!("none of the {count} of the skin"),
        }
    }

    pub(in crate::import) fn are_all_there(&self) -> bool {
        self.missing.is_empty()
    }

    pub(in crate::import) fn has(&self, joint: u32) -> bool {
        let is_in_range = usize::try_from(joint).is_ok_and(|joint| joint < self.count);
        is_in_range && self.missing.binary_search(&joint).is_err()
    }

    /// The first of some joints, which rise, that is none of these.
    pub(in crate::import) fn first_lacking(&self, joints: &[u32]) -> Option<u32> {
        let is_in_range = |joint: &u32| usize::try_from(*joint).is_ok_and(|it| it < self.count);
        let beyond = joints.partition_point(is_in_range);
        let mut missing = self.missing.iter();
        let missing = missing.find(|joint| joints.binary_search(joint).is_ok());
        missing.or_else(|| joints.get(beyond)).copied()
    }

    /// Adds those that others have.
    pub(in crate::import) fn unite(&mut self, others: &Self) {
        if *self == *others {
            return;
        }
        // What lies beyond the end of one is missing there.
        let is_other_there = |joint: u32| others.has(joint);
        let missing = self.missing.iter().copied();
        let mut missing: Vec<u32> = missing.filter(|&joint| !is_other_there(joint)).collect();
        let beyond = others.missing.iter().copied();
        let own_count = self.count;
        missing
            .extend(beyond.filter(|&joint| usize::try_from(joint).is_ok_and(|it| it >= own_count)));
        self.missing = missing;
        self.count = self.count.max(others.count);
    }
}

impl FileSkin {
    /// One without names and matrices.
    #[cfg(test)]
    pub(in crate::import) fn of(joints: Joints) -> Self {
        Self {
            name: String::new(),
            nodes: Vec::new(),
            joints,
            skeleton: None,
            joint_from_mesh: Vec::new(),
        }
    }

    /// The joints that vertices may name.
    pub(in crate::import) fn joints(&self) -> &Joints {
        &self.joints
    }

    /// The skin with its joints found in the hierarchy.
    pub(in crate::import) fn finish(self, hierarchy: &Hierarchy) -> Skin {
        let joints = self.nodes.iter();
        let skeleton = self.skeleton;
        Skin {
            name: self.name,
            joints: joints
                .filter_map(|&joint| hierarchy.by_file_index(joint))
                .collect(),
            skeleton: skeleton.and_then(|node| hierarchy.by_file_index(node)),
            joint_from_mesh: self.joint_from_mesh,
        }
    }
}

/// Reads all skins; one that cannot be used is none.
pub(in crate::import) fn read(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Option<FileSkin>>, Cancelled> {
    let mut skins = Vec::new();
    for index in 0..source.document.count(Section::Skins) {
        source.progress.check()?;
        skins.push(read_skin(source, index, diagnostics));
    }
    Ok(skins)
}

fn read_skin(source: &Source<'_>, index: usize, diagnostics: &mut Diagnostics) -> Option<FileSkin> {
    const LOST: &str = "the skin is not used";
    let document = &source.document;
    let object: json::Skin = document.object(Section::Skins, index, diagnostics)?;
    let pointer = format_args!("/skins/{index}/joints");
    if object.joints.is_empty() {
        diagnostics.error("EMPTY_ENTITY", pointer, "the skin has no joints", LOST);
        return None;
    }
    if object.joints.len() > MAX_JOINTS {
        let message = format!("the skin has {} joints", object.joints.len());
        diagnostics.error("TOO_MANY_OBJECTS", pointer, message, LOST);
        return None;
    }
    let per_joint = size_of::<(usize, Affine3A)>();
    if let Err(fault) = source.budget.charge_data(object.joints.len(), per_joint) {
        diagnostics.fault(fault, pointer, LOST);
        return None;
    }
    let mut found = Vec::with_capacity(object.joints.len());
    for (place, &joint) in object.joints.iter().enumerate() {
        let pointer = format_args!("/skins/{index}/joints/{place}");
        let action = "it moves no vertex";
        found.push(document.reference(Section::Nodes, joint, pointer, action, diagnostics));
    }
    let Some(&any) = found.iter().flatten().next() else {
        diagnostics.error("EMPTY_ENTITY", pointer, "no joint of it is a node", LOST);
        return None;
    };
    let missing = (0_u32..).zip(&found).filter(|(_, found)| found.is_none());
    let missing: Vec<_> = missing.map(|(place, _)| place).collect();
    if missing.len() > MAX_MISSING {
        let message = format!("{} of its joints are no nodes", missing.len());
        diagnostics.error("SKIN_JOINTS_MISSING", pointer, message, LOST);
        return None;
    }
    let joints = Joints::new(found.len(), missing);
    let nodes: Vec<_> = found.into_iter().map(|node| node.unwrap_or(any)).collect();
    let skeleton = object.skeleton.and_then(|skeleton| {
        let pointer = format_args!("/skins/{index}/skeleton");
        document.reference(Section::Nodes, skeleton, pointer, IGNORED, diagnostics)
    });
    let matrices = object
        .inverse_bind_matrices
        .and_then(|accessor| read_matrices(source, index, accessor, nodes.len(), diagnostics));
    let mut joint_from_mesh = matrices.unwrap_or_default();
    joint_from_mesh.resize(nodes.len(), Affine3A::IDENTITY);
    Some(FileSkin {
        name: object.name.unwrap_or_default(),
        nodes,
        joints,
        skeleton,
        joint_from_mesh,
    })
}

/// Checks how joints lie in the tree, whose [`Hierarchy::roots`] are `roots`. Nothing of it matters for drawing, but other
/// programs may rely on it.
pub(in crate::import) fn check(
    skins: &[Option<FileSkin>],
    (hierarchy, roots): (&Hierarchy, &[NodeId]),
    diagnostics: &mut Diagnostics,
) {
    let ends = ends_of_subtrees(hierarchy);
    for (index, skin) in skins.iter().enumerate() {
        let Some(skin) = skin else {
            continue;
        };
        let nodes = skin.nodes.iter();
        let nodes = nodes.filter_map(|&joint| hierarchy.by_file_index(joint));
        let joint_roots = nodes.clone().map(|joint| roots.get(joint.index()));
        let together = last_together(joint_roots).map(|(start, _)| start);
        if together != Some(0) {
            let fault = fault_of(
                together,
                "SKIN_NO_COMMON_ROOT",
                "the joints do not hang under one root node",
            );
            let pointer = format_args!("/skins/{index}/joints");
            diagnostics.fault(fault, pointer, "the skin is used all the same");
        }
        let skeleton = skin.skeleton.and_then(|node| hierarchy.by_file_index(node));
        let end = skeleton.and_then(|skeleton| ends.get(skeleton.index()));
        let Some((skeleton, end)) = skeleton.zip(end) else {
            continue;
        };
        let outside = nodes.clone().enumerate().filter(|(_, joint)| {
            let is_under = *joint >= skeleton && joint.index() < *end;
            !is_under
        });
        if let Some((last, _)) = outside.last() {
            let fault = fault_of(
                together.filter(|&start| last < start),
                "SKIN_SKELETON_INVALID",
                &format!(
                    "not all joints hang under {}",
                    node_name(hierarchy, skeleton)
                ),
            );
            let pointer = format_args!("/skins/{index}/skeleton");
            diagnostics.fault(fault, pointer, IGNORED);
        }
    }
}

/// The validator goes from joint to joint with the nodes that all hang under, and where there is none any more it begins
/// anew with the next joint: what comes before is accepted. Gives where it began last, and with which root; none if nothing
/// is left at the end.
pub(super) fn last_together<T: PartialEq>(roots: impl Iterator<Item = T>) -> Option<(usize, T)> {
    let mut together: Option<(usize, T)> = None;
    for (place, root) in roots.enumerate() {
        together = match together {
            None => Some((place, root)),
            Some((start, common)) if common == root => Some((start, common)),
            Some(_) => None,
        };
    }
    together
}

/// What breaks glTF 2.0 §3.7.3.1 is an error, unless the validator accepts it.
fn fault_of(accepted: Option<usize>, code: &'static str, message: &str) -> Fault {
    if accepted.is_some() {
        Fault::warning(code, message)
    } else {
        Fault::new(code, message)
    }
}

/// `node "hip"`, or `node 3` if it has no name.
fn node_name(hierarchy: &Hierarchy, id: NodeId) -> String {
    match &*hierarchy.node(id).name {
        "" => hierarchy.display_name(id),
        name => format!("node \"{}\"", shorten(name)),
    }
}

/// For each node the place behind all that hangs under it: a node's descendants follow it at once.
fn ends_of_subtrees(hierarchy: &Hierarchy) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..=hierarchy.len()).collect();
    for (index, node) in hierarchy.nodes().iter().enumerate().rev() {
        let end = ends.get(index).copied().unwrap_or_default();
        let of_parent = node.parent.and_then(|parent| ends.get_mut(parent.index()));
        if let Some(of_parent) = of_parent {
            *of_parent = end.max(*of_parent);
        }
    }
    ends
}

fn read_matrices(
    source: &Source<'_>,
    skin: usize,
    accessor: json::Index<json::Accessor>,
    joints: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Affine3A>> {
    let wanted = Use {
        pointer: format_args!("/skins/{skin}/inverseBindMatrices"),
        format_code: "SKIN_IBM_INVALID_FORMAT",
        components: Components::Float,
        loss: "identity matrices are used",
    };
    let (accessor, found) = source.accessor(accessor, &[Type::Mat4], wanted, diagnostics)?;
    // Where all elements are zero, an extension may say what they are.
    let is_stated = !found.is_all_zero();
    let mut not_affine = 0_usize;
    let matrices = source.floats(accessor, wanted, diagnostics, |columns: [f32; 16]| {
        let matrix = Mat4::from_cols_array(&columns);
        // glTF 2.0 §3.7.3.1 allows nothing else, however near.
        if matrix.row(3) != glam::Vec4::W {
            not_affine = not_affine.saturating_add(1);
        }
        Affine3A::from_mat4(matrix)
    })?;
    if not_affine > 0 && is_stated {
        let matrices = counted(not_affine, "matrix", "matrices");
        let message = format!("the fourth row of {matrices} is not 0, 0, 0, 1");
        diagnostics.error(
            "ACCESSOR_INVALID_IBM",
            wanted.pointer,
            message,
            "the row is ignored",
        );
    }
    if matrices.len() < joints {
        let found = there_are(matrices.len(), "matrix", "matrices");
        let message = format!("{found} for {}", counted(joints, "joint", "joints"));
        let action = "identity matrices stand for those that are missing";
        diagnostics.error(
            "INVALID_IBM_ACCESSOR_COUNT",
            wanted.pointer,
            message,
            action,
        );
    }
    Some(matrices)
}
