//! A row of the sheet: what it is called, and what its numbers are.

use std::collections::HashMap;

use crate::{
    anim::Channel,
    model::{
        Clip, Interpolation, MaterialProperty, Model, NodeId, PropertyTarget, TransformProperty,
        name_or,
    },
    ui::{Between, NumberKind, SheetRow},
};

/// The row of a channel. Rotations have degrees about the axes, or `quaternions`.
pub(super) fn channel_row(
    model: &Model,
    clip: &Clip,
    channel: Channel,
    quaternions: bool,
) -> SheetRow {
    let timeline = channel.timeline(clip);
    let morph = |node: NodeId, target: usize| {
        let mesh = model
            .hierarchy
            .node(node)
            .mesh
            .and_then(|mesh| model.meshes.get(mesh));
        mesh.map_or_else(
            || format!("weight {target}"),
            |mesh| mesh.target_name(target),
        )
    };
    let mut pointer = None;
    let (label, numbers) = match channel {
        Channel::Translation(_) => ("Translation".to_owned(), NumberKind::Axes(3)),
        Channel::Rotation(_) if quaternions => ("Rotation".to_owned(), NumberKind::Quaternion),
        Channel::Rotation(_) => ("Rotation".to_owned(), NumberKind::Degrees),
        Channel::Scale(_) => ("Scale".to_owned(), NumberKind::Axes(3)),
        Channel::Weight(track, target) => {
            (morph(clip.weights()[track].node(), target), NumberKind::One)
        }
        Channel::Property(track) => match clip.properties()[track].target() {
            PropertyTarget::NodeWeight(node, target) => (morph(node, target), NumberKind::One),
            PropertyTarget::Visibility(_) => ("Visible".to_owned(), NumberKind::One),
            target => {
                pointer = Some(target.pointer(&model.hierarchy));
                (property_name(model, target), number_kind(target))
            }
        },
    };
    SheetRow {
        label,
        pointer,
        node: None,
        timelines: vec![timeline],
        between: match channel.interpolation(clip) {
            Interpolation::Step => Between::Step,
            Interpolation::Linear => Between::Linear,
            Interpolation::CubicSpline => Between::Cubic,
        },
        key_count: clip.timelines()[timeline].times_secs().len(),
        numbers,
    }
}

/// What it belongs to, and what it is called in the file.
pub(in crate::app) fn property_name(model: &Model, target: PropertyTarget) -> String {
    let pointer = target.pointer(&model.hierarchy);
    let (path, last) = pointer.rsplit_once('/').unwrap_or(("", &pointer));
    let material = |index: usize| {
        let material = model.materials.get(index);
        name_or(material.map_or("", |it| &it.name), "material", index)
    };
    let owner = match target {
        PropertyTarget::Camera(index, _) => {
            let camera = model.cameras.get(index);
            name_or(camera.map_or("", |it| &it.name), "camera", index)
        }
        PropertyTarget::Light(index, _) => {
            let light = model.lights.get(index);
            name_or(light.map_or("", |it| &it.name), "light", index)
        }
        PropertyTarget::Material(index, _) => material(index),
        PropertyTarget::TextureTransform(index, ..) => {
            let texture = path.strip_suffix("/extensions/KHR_texture_transform");
            let texture = texture.and_then(|path| path.rsplit('/').next());
            return format!(
                "{}: {} {last}",
                material(index),
                texture.unwrap_or_default()
            );
        }
        PropertyTarget::Visibility(node) | PropertyTarget::NodeWeight(node, _) => {
            model.hierarchy.display_name(node)
        }
    };
    format!("{owner}: {last}")
}

/// Numbers labels that are alike, as those of morph targets may be: the label is what says whose curves are shown.
pub(in crate::app) fn tell_apart<'l>(labels: impl Iterator<Item = &'l mut String>) {
    let mut seen = HashMap::<String, usize>::new();
    for label in labels {
        let count = seen.entry(label.clone()).or_default();
        *count += 1;
        if *count > 1 {
            *label = format!("{label} ({count})");
        }
    }
}

fn number_kind(target: PropertyTarget) -> NumberKind {
    match (target, target.width()) {
        (_, 1) => NumberKind::One,
        (
            PropertyTarget::TextureTransform(
                ..,
                TransformProperty::Offset | TransformProperty::Scale,
            ),
            width,
        ) => NumberKind::Axes(width),
        (PropertyTarget::Material(_, MaterialProperty::BaseColor), _) => NumberKind::Color(4),
        (_, width) => NumberKind::Color(width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Material, TextureSlot, Timeline};

    #[test]
    fn rows_say_what_they_belong_to_and_no_two_are_alike() {
        let targets = [
            PropertyTarget::Material(0, MaterialProperty::BaseColor),
            PropertyTarget::Material(1, MaterialProperty::BaseColor),
            PropertyTarget::Material(2, MaterialProperty::BaseColor),
            PropertyTarget::TextureTransform(0, TextureSlot::Normal, TransformProperty::Offset),
        ];
        let mut clip = ClipBuilder::new("");
        let timeline = clip.timeline(Timeline::new(vec![0.0]).unwrap());
        for target in targets {
            let values = vec![0.5; target.width()];
            clip.property(target, timeline, Interpolation::Step, values)
                .unwrap();
        }
        let material = |name: &str| Material {
            name: name.to_owned(),
            ..Material::default()
        };
        let model = Model {
            hierarchy: Hierarchy::new(vec![], &[], &[]).unwrap(),
            materials: vec![material("Skin"), material(""), material("Skin")],
            ..Model::default()
        };
        let clip = clip.finish();
        let rows = Channel::all(&clip).map(|channel| channel_row(&model, &clip, channel, false));
        let mut rows: Vec<_> = rows.collect();
        tell_apart(rows.iter_mut().map(|row| &mut row.label));
        let labels: Vec<_> = rows.iter().map(|row| &*row.label).collect();
        assert_eq!(
            labels,
            [
                "Skin: baseColorFactor",
                "material 1: baseColorFactor",
                "Skin: baseColorFactor (2)",
                "Skin: normalTexture offset",
            ]
        );
        let pointer = "/materials/0/normalTexture/extensions/KHR_texture_transform/offset";
        assert_eq!(rows[3].pointer.as_deref(), Some(pointer));
    }
}
