//! What a clip does to a node.

use crate::{
    app::time::{property_name, tell_apart},
    model::{Model, Moved, NodeId, PropertyTarget},
    ui::ChannelRow,
};

/// The channels of a clip that move a node, or what stands there; none without one of the two.
pub(super) fn of_node(
    model: &Model,
    clip: Option<usize>,
    node: Option<NodeId>,
) -> Option<Vec<ChannelRow>> {
    let (clip, node) = (model.clips.get(clip?)?, node?);
    let heads = clip.heads();
    let heads = heads.filter(|head| head.moved.stands_at(model, node));
    let rows = heads.map(|head| {
        let timeline = &clip.timelines()[head.timeline];
        ChannelRow {
            path: path(model, head.moved),
            pointer: pointer(model, head.moved),
            interpolation: head.interpolation.name(),
            keys: timeline.times_secs().len(),
            secs: [timeline.first_secs(), timeline.last_secs()],
        }
    });
    let mut rows: Vec<_> = rows.collect();
    tell_apart(rows.iter_mut().map(|row| &mut row.path));
    Some(rows)
}

/// What it is called: of a camera, a light or a material with the name of that.
fn path(model: &Model, moved: Moved) -> String {
    match moved {
        Moved::Translation(_) => "translation".to_owned(),
        Moved::Rotation(_) => "rotation".to_owned(),
        Moved::Scale(_) => "scale".to_owned(),
        Moved::Weights(_) => "weights".to_owned(),
        Moved::Property(PropertyTarget::NodeWeight(_, weight)) => format!("weights/{weight}"),
        Moved::Property(PropertyTarget::Visibility(_)) => "visible".to_owned(),
        Moved::Property(target) => property_name(model, target),
    }
}

/// The pointer of what is no node's own.
fn pointer(model: &Model, moved: Moved) -> Option<String> {
    let Moved::Property(target) = moved else {
        return None;
    };
    let is_of_node = target.node().is_some();
    (!is_of_node).then(|| target.pointer(&model.hierarchy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        ClipBuilder, Hierarchy, Interpolation, Material, MaterialProperty, Mesh, Node, Primitive,
        Timeline,
    };

    #[test]
    fn channels_of_materials_of_one_name_are_told_apart() {
        let node = Node {
            mesh: Some(0),
            ..Node::default()
        };
        let primitives = [0, 1].map(|material| Primitive {
            material,
            ..Primitive::default()
        });
        let material = Material {
            name: "Skin".to_owned(),
            ..Material::default()
        };
        let mut clip = ClipBuilder::new("");
        let timeline = clip.timeline(Timeline::new(vec![0.0]).unwrap());
        for index in 0..2 {
            let target = PropertyTarget::Material(index, MaterialProperty::Roughness);
            clip.property(target, timeline, Interpolation::Step, vec![0.5])
                .unwrap();
        }
        let mesh = Mesh {
            primitives: primitives.into(),
            ..Mesh::default()
        };
        let model = Model {
            hierarchy: Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap(),
            meshes: vec![mesh].into(),
            materials: vec![material; 2],
            clips: vec![clip.finish()],
            ..Model::default()
        };
        let rows = of_node(&model, Some(0), Some(NodeId(0))).unwrap();
        let paths: Vec<_> = rows.iter().map(|row| &*row.path).collect();
        assert_eq!(
            paths,
            ["Skin: roughnessFactor", "Skin: roughnessFactor (2)"]
        );
    }
}
