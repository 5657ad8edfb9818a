//! A pose as a clip of one key, added to the file that the model came from.

use std::collections::{BTreeSet, HashSet};

use anyhow::ensure;

use super::{
    source_file::SourceFile,
    tracks::{AddedClip, WithClip, clip_glb, unit},
};
use crate::{
    anim::Pose,
    model::{
        Clip, ClipBuilder, Interpolation, Model, Moved, NodeId, PropertyTarget, PropertyTrack,
        PropertyValues, Timeline,
    },
};

/// What is added to a file.
#[derive(Debug, Clone, Copy)]
pub struct Keyed<'a> {
    /// The model, as the file gives it.
    pub model: &'a Model,
    /// Where its nodes are.
    pub pose: &'a Pose,
    /// Materials, lights and cameras at that moment.
    pub properties: &'a PropertyValues,
    /// What the clip is called.
    pub name: &'a str,
}

/// A .glb file that holds all of `source`, and a clip with the pose as its only key: of all joints, of all nodes that a clip
/// of the model moves, and of all that do not stand as the file has them. What the pose hides or shows otherwise than the
/// file, the clip does, too (`KHR_node_visibility` by `KHR_animation_pointer`); and what clips move of materials, lights and
/// cameras.
///
/// Fails if the file is not that of the model any more, has a clip of that name, or has nothing that a clip can move.
pub fn keyed_glb(source: SourceFile<'_>, keyed: &Keyed<'_>) -> anyhow::Result<WithClip> {
    let Keyed { model, name, .. } = *keyed;
    let mut builder = ClipBuilder::new(name);
    // One key, at the beginning (glTF 2.0 §3.11).
    let key = builder.timeline(Timeline::new(vec![0.0])?);
    add_nodes(&mut builder, key, keyed)?;
    add_sights(&mut builder, key, keyed)?;
    add_properties(&mut builder, key, keyed)?;
    let clip = &builder.finish();
    ensure!(
        clip.track_count() > 0,
        "{} stands as its file has it, with neither joints nor clips: there is nothing to hold",
        model.name
    );
    clip_glb(source, &AddedClip { model, clip, name })
}

/// What the clip says, node by node.
fn add_nodes(builder: &mut ClipBuilder, key: usize, keyed: &Keyed<'_>) -> anyhow::Result<()> {
    let Keyed { model, pose, .. } = *keyed;
    let heads = model.clips.iter().flat_map(Clip::heads);
    let moved: HashSet<Moved> = heads.map(|head| head.moved).collect();
    let joints = model.skins.iter().flat_map(|skin| &skin.joints);
    let joints: BTreeSet<NodeId> = joints.copied().collect();
    let linear = Interpolation::Linear;
    for (id, node) in model.hierarchy.iter() {
        let (now, rest) = (&pose.locals[id.index()], &node.rest);
        // What a matrix fixes can only be moved where the matrix goes.
        let is_free = node.fixed_matrix.is_none() || now != rest;
        let is_joint = is_free && joints.contains(&id);
        if is_joint
            || moved.contains(&Moved::Translation(id))
            || now.translation != rest.translation
        {
            builder.translation(id, key, linear, [now.translation])?;
        }
        if is_joint || moved.contains(&Moved::Rotation(id)) || now.rotation != rest.rotation {
            builder.rotation(id, key, linear, [unit(now.rotation)])?;
        }
        if moved.contains(&Moved::Scale(id)) || now.scale != rest.scale {
            builder.scale(id, key, linear, [now.scale])?;
        }
        let weights = pose.weights_of(id);
        let at_rest = &model.hierarchy.rest_weights()[node.weights.clone()];
        if moved.contains(&Moved::Weights(id)) || weights != at_rest {
            builder.weights(id, key, linear, weights.len(), weights)?;
        }
    }
    Ok(())
}

/// Whether they are shown by themselves: all nodes that a clip hides or shows, or this pose.
fn add_sights(builder: &mut ClipBuilder, key: usize, keyed: &Keyed<'_>) -> anyhow::Result<()> {
    let Keyed { model, pose, .. } = *keyed;
    let moved: BTreeSet<NodeId> = model.nodes_shown_by_clips().collect();
    for ((id, node), &is_hidden) in model.hierarchy.iter().zip(&pose.hidden) {
        if moved.contains(&id) || node.is_hidden != is_hidden {
            let is_shown = if is_hidden { 0.0 } else { 1.0 };
            let target = PropertyTarget::Visibility(id);
            builder.property(target, key, Interpolation::Step, [is_shown])?;
        }
    }
    Ok(())
}

/// What any clip moves of materials, lights and cameras, each once.
fn add_properties(builder: &mut ClipBuilder, key: usize, keyed: &Keyed<'_>) -> anyhow::Result<()> {
    let mut properties = keyed.properties.clone();
    for target in moved_properties(keyed.model) {
        let numbers = properties.numbers_mut(target);
        // A distance that is not stated is infinite, which no key can say.
        let is_finite = |numbers: &&mut [f32]| numbers.iter().all(|number| number.is_finite());
        if let Some(numbers) = numbers.filter(is_finite) {
            builder.property(target, key, Interpolation::Linear, &*numbers)?;
        }
    }
    Ok(())
}

/// What any clip of a model moves besides places of nodes and all of their weights, each once.
pub(super) fn moved_properties(model: &Model) -> Vec<PropertyTarget> {
    let mut known = HashSet::new();
    let tracks = model.clips.iter().flat_map(Clip::properties);
    let targets = tracks.map(PropertyTrack::target);
    targets.filter(|target| known.insert(*target)).collect()
}
