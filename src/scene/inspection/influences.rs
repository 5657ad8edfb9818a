//! What moves a vertex: the joints with their weights, and the colours that stand for joints.

use crate::{
    anim::PaletteLayout,
    model::{Model, NodeId},
    scene::SurfaceHit,
};

/// A joint's share of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexInfluence {
    /// The joint.
    pub node: NodeId,
    /// Its place among the joints of the skin.
    pub place: u32,
    /// Above 0; those of a vertex sum to 1.
    pub weight: f32,
}

/// The vertex that is nearest to `hit` by its parts, by its number in the file, and what moves it, the strongest first;
/// nothing if its primitive has no joints.
pub fn influences_at(
    model: &Model,
    layout: &PaletteLayout,
    hit: &SurfaceHit,
) -> (u32, Vec<VertexInfluence>) {
    let [a, b, c] = hit.parts;
    let corner = if a >= b && a >= c {
        0
    } else if b >= c {
        1
    } else {
        2
    };
    let index = hit.vertices[corner];
    let placement = &layout.placements()[hit.placement];
    let primitive = &model.meshes[placement.mesh].primitives[hit.primitive];
    let vertex = primitive.file_vertex(index);
    let skin = placement.skin.map(|slot| &model.skins[slot.skin]);
    let (Some(skin), Some(influences)) = (skin, &primitive.influences) else {
        return (vertex, Vec::new());
    };
    let first = index as usize * influences.per_vertex;
    let mut found: Vec<VertexInfluence> = Vec::new();
    for lane in first..first + influences.per_vertex {
        let (joint, weight) = (influences.joints[lane], influences.weights[lane]);
        if weight <= 0.0 {
            continue;
        }
        let place = u32::from(joint);
        // A file may name a joint twice.
        match found.iter_mut().find(|known| known.place == place) {
            Some(known) => known.weight += weight,
            None => found.push(VertexInfluence {
                node: skin.joints[joint as usize],
                place,
                weight,
            }),
        }
    }
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    (vertex, found)
}

/// The joint that moves a whole mesh without a skin of its own: the nearest one at or above the node that carries it.
pub fn joint_carrying(model: &Model, node: NodeId) -> Option<NodeId> {
    let is_joint = model.joint_nodes();
    let mut nodes = model.hierarchy.upwards(node);
    nodes.find(|node| is_joint[node.index()])
}

/// The colour of a joint by its place in the skin, on the screen (sRGB, 0..1). Twin: `joint_color` in `shaders/views.wgsl`.
pub fn joint_color(place: u32) -> [f32; 3] {
    let hue = (place as f32 * 0.618_034 + 0.05).fract();
    let lightness = 0.62 + 0.25 * (place / 3 % 3) as f32 / 2.0;
    [0.0, 2.0, 1.0].map(|offset: f32| {
        let pure = ((hue + offset / 3.0).fract() * 6.0 - 3.0).abs() - 1.0;
        (0.45 + (pure.clamp(0.0, 1.0) - 0.45) * 0.72) * lightness
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Hierarchy, Influences, Mesh, Node, Primitive, Skin};

    #[test]
    fn the_nearest_vertex_says_what_moves_it() {
        let node = |mesh| Node {
            mesh,
            skin: mesh,
            ..Node::default()
        };
        let nodes = vec![node(None), node(None), node(Some(0))];
        let hierarchy = Hierarchy::new(nodes, &[None, Some(0), None], &[]).unwrap();
        let primitive = Primitive {
            influences: Some(Influences {
                per_vertex: 4,
                joints: vec![0, 0, 0, 0, 1, 0, 1, 0],
                weights: vec![1.0, 0.0, 0.0, 0.0, 0.25, 0.45, 0.3, 0.0],
            }),
            ..Primitive::default()
        };
        let model = Model {
            hierarchy,
            meshes: vec![Mesh {
                primitives: vec![primitive],
                ..Mesh::default()
            }]
            .into(),
            skins: vec![Skin {
                joints: vec![NodeId(1), NodeId(0)],
                joint_from_mesh: vec![glam::Affine3A::IDENTITY; 2],
                ..Skin::default()
            }],
            scenes: vec![crate::model::Scene {
                roots: vec![NodeId(0), NodeId(2)],
                ..Default::default()
            }],
            ..Model::default()
        };
        assert_eq!(joint_carrying(&model, NodeId(1)), Some(NodeId(1)));
        assert_eq!(joint_carrying(&model, NodeId(2)), None);
        let layout = PaletteLayout::new(&model, 0);
        let hit = |parts| SurfaceHit {
            distance: 1.0,
            placement: 0,
            primitive: 0,
            vertices: [0, 1, 0],
            parts,
        };
        let (vertex, found) = influences_at(&model, &layout, &hit([0.3, 0.4, 0.3]));
        assert_eq!(vertex, 1);
        let expected = [(NodeId(0), 1, 0.55), (NodeId(1), 0, 0.45)];
        assert_eq!(found.len(), expected.len());
        for (found, (node, place, weight)) in found.iter().zip(expected) {
            assert_eq!((found.node, found.place), (node, place));
            assert!((found.weight - weight).abs() < 1e-6);
        }
        let (vertex, found) = influences_at(&model, &layout, &hit([0.6, 0.2, 0.2]));
        assert_eq!((vertex, found.len(), found[0].weight), (0, 1, 1.0));
    }
}
