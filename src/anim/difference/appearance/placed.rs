//! What lights, cameras and skins differ in, what nodes place of them and of meshes, and which materials meshes have.

use std::collections::HashMap;

use super::{
    super::{matrices_apart, units::Units},
    NodeMatch, Pair, PartKind, PropertyValue, Search,
};
use crate::model::{Camera, Light, LightKind, Mesh, Node, NodeId, Primitive, Projection};

impl Search<'_, '_> {
    pub(super) fn lights(&mut self) {
        for indices in self.found.lights.pairs.clone() {
            let pair = (PartKind::Light, indices);
            let lights = [0, 1].map(|side| &self.models[side].lights[indices[side]]);
            self.names(pair);
            let kinds = lights.map(|light| match light.kind {
                LightKind::Directional => "directional",
                LightKind::Point => "point",
                LightKind::Spot { .. } => "spot",
            });
            self.words(pair, "type", kinds);
            // Without a range it is infinite; cones belong to the type.
            let is_told = kinds[0] == kinds[1];
            self.all_numbers(pair, "", lights.map(Light::numbers), is_told);
        }
    }

    pub(super) fn cameras(&mut self) {
        for indices in self.found.cameras.pairs.clone() {
            let pair = (PartKind::Camera, indices);
            let cameras = [0, 1].map(|side| &self.models[side].cameras[indices[side]]);
            self.names(pair);
            let kinds = cameras.map(|camera| match camera.projection {
                Projection::Perspective { .. } => "perspective",
                Projection::Orthographic { .. } => "orthographic",
            });
            self.words(pair, "type", kinds);
            let is_told = kinds[0] == kinds[1];
            self.all_numbers(pair, "", cameras.map(Camera::numbers), is_told);
        }
    }

    pub(super) fn variants(&mut self) {
        for indices in self.found.variants.pairs.clone() {
            self.names((PartKind::Variant, indices));
        }
    }

    pub(super) fn nodes(&mut self, matches: &NodeMatch) {
        let are_shown = self
            .models
            .map(|model| model.nodes_in_scene(model.default_scene));
        let units = Units::new(self.models[0]);
        for &(first, second) in &matches.pairs {
            let ids = [first, second];
            let nodes = [0, 1].map(|side| self.models[side].hierarchy.node(ids[side]));
            let pair = (PartKind::Node, nodes.map(|node| node.file_index));
            let shown = [0, 1].map(|side| are_shown[side][ids[side].index()]);
            self.flags(pair, "in the scene that is shown", shown);
            self.parents(pair, nodes, matches);
            let meshes = nodes.map(|node| node.mesh);
            let is_same = self.found.meshes.is_same(meshes);
            self.placed(pair, "mesh", PartKind::Mesh, meshes, is_same);
            let skins = nodes.map(|node| node.skin);
            self.placed(pair, "skin", PartKind::Skin, skins, skins[0] == skins[1]);
            let cameras = nodes.map(|node| node.camera);
            let is_same = self.found.cameras.is_same(cameras);
            self.placed(pair, "camera", PartKind::Camera, cameras, is_same);
            let lights = nodes.map(|node| node.light);
            let is_same = self.found.lights.is_same(lights);
            let property = "extensions/KHR_lights_punctual/light";
            self.placed(pair, property, PartKind::Light, lights, is_same);
            self.instances(pair, nodes, units.size_in(first, self.size));
        }
    }

    /// Tells what a node hangs on, unless it is the same, or what each model alone has.
    fn parents(&mut self, pair: Pair, nodes: [&Node; 2], matches: &NodeMatch) {
        let parents = nodes.map(|node| node.parent);
        self.named_nodes(pair, "parent", parents, matches);
    }

    /// Tells a node that a thing names, unless it is the same, or what each model alone has.
    fn named_nodes(
        &mut self,
        pair: Pair,
        property: &str,
        nodes: [Option<NodeId>; 2],
        matches: &NodeMatch,
    ) {
        let is_same = match (nodes[0], nodes[1]) {
            (None, None) => true,
            (Some(a), Some(b)) => match matches.second_of(a) {
                Some(same) => same == b,
                None => matches.first_of(b).is_none(),
            },
            (Some(a), None) => matches.second_of(a).is_none(),
            (None, Some(b)) => matches.first_of(b).is_none(),
        };
        let indices =
            [0, 1].map(|side| Some(self.models[side].hierarchy.node(nodes[side]?).file_index));
        self.placed(pair, property, PartKind::Node, indices, is_same);
    }

    /// Compares what skins say besides their joints: the first with the first, and so on.
    pub(super) fn skins(&mut self, matches: &NodeMatch) {
        let [first, second] = self.models.map(|model| &model.skins);
        for (index, (a, b)) in first.iter().zip(second).enumerate() {
            let pair = (PartKind::Skin, [index; 2]);
            self.names(pair);
            let skeletons = [a.skeleton, b.skeleton];
            self.named_nodes(pair, "skeleton", skeletons, matches);
        }
    }

    /// Tells what a node places, unless it is the same.
    fn placed(
        &mut self,
        pair: Pair,
        property: &str,
        kind: PartKind,
        indices: [Option<usize>; 2],
        is_same: bool,
    ) {
        if !is_same {
            let values = self.parts(kind, indices);
            self.tell(pair, property, values);
        }
    }

    /// Compares the copies of a mesh: the first with the first, and so on. The model is so large in the units of the node.
    fn instances(&mut self, pair: Pair, nodes: [&Node; 2], size: f64) {
        const PROPERTY: &str = "extensions/EXT_mesh_gpu_instancing";
        let [first, second] = nodes.map(|node| &node.node_from_instances[..]);
        let counts = [first, second].map(|all| PropertyValue::Count(all.len()));
        if first.len() != second.len() {
            return self.tell(pair, PROPERTY, counts);
        }
        let (mut count, mut most, mut farthest) = (0_usize, 0.0, 0.0);
        for (a, b) in first.iter().zip(second) {
            let amount = matrices_apart(a, b, size);
            if amount > self.tolerance {
                count += 1;
                most = f64::max(most, amount);
                let distance = f64::from(a.translation.distance(b.translation));
                farthest = f64::max(farthest, distance / size);
            }
        }
        let of_them = match count {
            0 => return,
            1 => "1 of them is".to_owned(),
            _ => format!("{count} of them are"),
        };
        let note = if farthest > self.tolerance {
            format!(
                "{of_them} elsewhere by up to {:.3}% of the size",
                100.0 * farthest
            )
        } else {
            format!("{of_them} turned or scaled otherwise by up to {most:.3}")
        };
        self.tell_more(pair, PROPERTY, counts, (Some(most), note));
    }

    pub(super) fn meshes(&mut self) {
        for indices in self.found.meshes.pairs.clone() {
            let pair = (PartKind::Mesh, indices);
            let [first, second] = [0, 1].map(|side| &self.models[side].meshes[indices[side]]);
            self.names(pair);
            self.target_names(pair, [first, second]);
            for primitives in first.primitives.iter().zip(&second.primitives) {
                self.primitives(pair, primitives.into());
            }
        }
    }

    /// Compares what morph targets are called, by which applications find them.
    fn target_names(&mut self, pair: Pair, meshes: [&Mesh; 2]) {
        let [first, second] = meshes;
        let count = first.target_count.min(second.target_count);
        for target in 0..count {
            let names = meshes.map(|mesh| mesh.own_target_name(target));
            if names[0] != names[1] {
                let property = format!("extras/targetNames/{target}");
                self.tell(pair, &property, names.map(PropertyValue::of_name));
            }
        }
    }

    /// Compares the material that a primitive has, and those that it has in variants.
    fn primitives(&mut self, pair: Pair, primitives: [&Primitive; 2]) {
        let place = format!("primitives/{}", primitives[0].file_index);
        let own = primitives.map(|primitive| primitive.material);
        self.used_materials(pair, &format!("{place}/material"), own, String::new());
        // The other material that each has in a variant of the first model.
        let mut others: HashMap<usize, [Option<usize>; 2]> = HashMap::new();
        for other in &primitives[0].variant_materials {
            others.entry(other.variant).or_default()[0] = Some(other.material);
        }
        for other in &primitives[1].variant_materials {
            if let Some(variant) = self.found.variants.first_of(other.variant) {
                others.entry(variant).or_default()[1] = Some(other.material);
            }
        }
        let mut others: Vec<_> = others.into_iter().collect();
        others.sort_unstable_by_key(|(variant, _)| *variant);
        let place = format!("{place}/extensions/KHR_materials_variants");
        for (variant, materials) in others {
            if self.found.variants.second_of(variant).is_some() {
                let materials = [0, 1].map(|side| materials[side].unwrap_or(own[side]));
                let name = &self.models[0].variants[variant];
                let note = format!("in the variant {name:?}");
                self.used_materials(pair, &place, materials, note);
            }
        }
    }

    /// Tells a material that a primitive has, unless it is the same; the default one is that which no file has.
    fn used_materials(&mut self, pair: Pair, property: &str, materials: [usize; 2], note: String) {
        let materials = [0, 1].map(|side| {
            let default = self.models[side].materials.len().saturating_sub(1);
            Some(materials[side]).filter(|material| *material < default)
        });
        if !self.found.materials.is_same(materials) {
            let values = self.parts(PartKind::Material, materials);
            self.tell_more(pair, property, values, (None, note));
        }
    }
}
