//! The lights of a file where its nodes have them.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use crate::{
    anim::Pose,
    model::{Aabb, Hierarchy, Light, LightKind, NodeId},
    scene::Lighting,
};

/// White surfaces may be so many times as bright as white before lights are dimmed.
const MAX_BRIGHTNESS: f32 = 8.0;

/// A light in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedLight {
    /// Its index among those of the model; the key light has none.
    pub index: Option<usize>,
    /// How it shines.
    pub kind: LightKind,
    /// Where it stands.
    pub position: Vec3,
    /// Against the way it shines, of length 1.
    pub backward: Vec3,
    /// Lux of directional lights, candela of others, for each colour.
    pub intensity: Vec3,
    /// Beyond this it gives nothing.
    pub range: Option<f32>,
}

/// The nodes of a scene that carry lights, and those that they hang from.
#[derive(Debug, Default)]
pub struct LightNodes {
    /// Parents first.
    links: Vec<Link>,
    /// Room for how each is turned in the world.
    rotations: Vec<Quat>,
}

/// A node that carries a light, or hangs above one that does.
#[derive(Debug)]
struct Link {
    node: NodeId,
    /// The place of its parent among the links.
    parent: Option<usize>,
    /// Index of the light that it carries.
    light: Option<usize>,
}

impl LightNodes {
    /// Those with lights that `in_scene` says of each node to be in the scene.
    pub fn new(hierarchy: &Hierarchy, in_scene: &[bool]) -> Self {
        let light_of = |id: NodeId| {
            let light = hierarchy.node(id).light;
            light.filter(|_| in_scene.get(id.index()).copied().unwrap_or(false))
        };
        let mut leads_there = vec![false; hierarchy.len()];
        for (id, _) in hierarchy.iter() {
            if light_of(id).is_some() {
                // What is marked has all above it marked.
                let above = hierarchy.upwards(id);
                for id in above {
                    if std::mem::replace(&mut leads_there[id.index()], true) {
                        break;
                    }
                }
            }
        }
        let mut places = vec![0; hierarchy.len()];
        let mut links = Vec::new();
        for (id, node) in hierarchy.iter().filter(|(id, _)| leads_there[id.index()]) {
            places[id.index()] = links.len();
            links.push(Link {
                node: id,
                parent: node.parent.map(|parent| places[parent.index()]),
                light: light_of(id),
            });
        }
        Self {
            links,
            rotations: Vec::new(),
        }
    }

    /// Whether none carries a light.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Fills `placed` with those of `lights` that its nodes place which are shown, in their pose.
    pub fn collect(&mut self, lights: &[Light], pose: &Pose, placed: &mut Vec<PlacedLight>) {
        self.gather(lights, pose, |node| pose.shown[node.index()], placed);
    }

    /// Fills `placed` with all of `lights` that its nodes place, shown or not.
    pub fn collect_hidden_too(
        &mut self,
        lights: &[Light],
        pose: &Pose,
        placed: &mut Vec<PlacedLight>,
    ) {
        self.gather(lights, pose, |_| true, placed);
    }

    fn gather(
        &mut self,
        lights: &[Light],
        pose: &Pose,
        counts: impl Fn(NodeId) -> bool,
        placed: &mut Vec<PlacedLight>,
    ) {
        placed.clear();
        self.rotations.clear();
        for link in &self.links {
            let parent = link.parent.map(|parent| self.rotations[parent]);
            let rotation = pose.rotation_under(parent.unwrap_or(Quat::IDENTITY), link.node);
            self.rotations.push(rotation);
            let at = link.node.index();
            let index = link.light.filter(|_| counts(link.node));
            let Some(light) = index.and_then(|index| lights.get(index)) else {
                continue;
            };
            // A light shines along its node's −Z; scale plays no part (KHR_lights_punctual, "Light Types").
            let backward = rotation * Vec3::Z;
            let position = Vec3::from(pose.world[at].translation);
            let intensity = light.color * light.intensity;
            if !(position.is_finite() && intensity.is_finite() && intensity.max_element() > 0.0) {
                continue;
            }
            placed.push(PlacedLight {
                index,
                kind: light.kind,
                position,
                backward: backward.try_normalize().unwrap_or(Vec3::Z),
                intensity,
                range: light.range,
            });
        }
    }
}

/// What keeps the lights of a file from leaving all white.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dimming {
    /// The factor on all of them, less than 1.
    pub factor: f32,
    /// The index of the one that asks for it, among those of the model: the first of equals.
    pub strongest: usize,
}

/// The factor on lights of the model with which the strongest of them leaves a white surface white, where that would be more
/// than eight times as bright anywhere on what is in the box.
///
/// Units of light are all too easily mixed up (`KHR_lights_punctual`, "Light Types", has lux and candela): where an exporter
/// turns watts into lumens, a lamp of 1,000 W comes to 54,351 candela. Studios and environments know no such units; beside such
/// a lamp they are dark, and all that it lights is white.
pub fn dimming(lights: &[PlacedLight], around: &Aabb) -> Option<Dimming> {
    let illuminances = lights
        .iter()
        .map(|light| (light, light.illuminance_on(around)));
    // Of equals that gives the last.
    let backwards = illuminances.rev();
    let (strongest, illuminance) = backwards.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let brightness = illuminance / PI;
    let leaves_white = brightness > MAX_BRIGHTNESS && brightness.is_finite();
    Some(Dimming {
        factor: brightness.recip(),
        strongest: strongest.index.filter(|_| leaves_white)?,
    })
}

impl PlacedLight {
    /// The most that it gives to what is in a box and faces it, in lux.
    fn illuminance_on(&self, around: &Aabb) -> f32 {
        let intensity = self.intensity.max_element();
        if self.kind == LightKind::Directional {
            return intensity;
        }
        let nearest = self.position.clamp(around.min, around.max);
        let distance = self.position.distance(nearest);
        if self.range.is_some_and(|range| range < distance) || self.misses(around) {
            return 0.0;
        }
        // What stands in the midst is not at no distance.
        intensity / distance.max(0.15 * around.diagonal()).powi(2)
    }

    /// Whether the ball around a box lies outside of the cone.
    fn misses(&self, around: &Aabb) -> bool {
        let LightKind::Spot { outer_radians, .. } = self.kind else {
            return false;
        };
        let (to_center, radius) = (around.center() - self.position, 0.5 * around.diagonal());
        let distance = to_center.length();
        if distance <= radius {
            return false;
        }
        let aside = to_center.angle_between(-self.backward);
        aside > outer_radians + (radius / distance).asin()
    }
}

/// Dims the lights of both of what is compared by one factor, the lesser, so that they look as different as they are.
pub fn dim_alike(pair: [&mut Lighting<'_>; 2]) {
    let least = pair[0].lights_strength.min(pair[1].lights_strength);
    for lighting in pair {
        lighting.lights_strength = least;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Node, Transform};

    #[test]
    fn lights_shine_along_the_rotation_of_their_nodes_whatever_these_scale() {
        let turn = Quat::from_rotation_x(-1.0);
        for scale in [
            Vec3::ONE,
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::new(1.0, 1.0, -1.0),
            Vec3::new(5.0, 0.1, 2.0),
            Vec3::ZERO,
        ] {
            let node = |light, rotation, scale| Node {
                light,
                rest: Transform {
                    rotation,
                    scale,
                    translation: Vec3::X,
                },
                ..Node::default()
            };
            let parent = node(None, Quat::from_rotation_z(0.5), scale);
            let nodes = vec![parent, node(Some(0), turn, scale)];
            let tree = Hierarchy::new(nodes, &[None, Some(0)], &[vec![], vec![]]).unwrap();
            let light = Light {
                name: String::new(),
                kind: LightKind::Directional,
                color: Vec3::ONE,
                intensity: 1.0,
                range: None,
            };
            let mut placed = Vec::new();
            let pose = Pose::new(&tree);
            LightNodes::new(&tree, &[true, true]).collect(&[light], &pose, &mut placed);
            let backward = Quat::from_rotation_z(0.5) * turn * Vec3::Z;
            let found = placed[0].backward;
            assert!(found.abs_diff_eq(backward, 1e-6), "{scale}: {found}");
        }
    }

    /// Those without light, and all that hangs below, are not looked at.
    #[test]
    fn a_light_costs_what_it_hangs_from() {
        let node = |light| Node {
            light,
            ..Node::default()
        };
        let mut nodes = vec![node(None), node(None), node(Some(0)), node(Some(0))];
        nodes.resize(1000, Node::default());
        let parents: Vec<_> = (0..1000)
            .map(|node| [None, Some(0), Some(1), Some(1)].get(node).copied())
            .map(|parent| parent.unwrap_or(Some(2)))
            .collect();
        let tree = Hierarchy::new(nodes, &parents, &vec![vec![]; 1000]).unwrap();
        let mut in_scene = vec![true; 1000];
        let linked = |in_scene: &[bool]| LightNodes::new(&tree, in_scene).links.len();
        assert_eq!(linked(&in_scene), 4);
        let place = |node| tree.by_file_index(node).unwrap().index();
        in_scene[place(3)] = false;
        assert_eq!(linked(&in_scene), 3);
        in_scene[place(2)] = false;
        assert!(LightNodes::new(&tree, &in_scene).is_empty());
    }

    /// A lamp of 1,000 W, as Blender states it, five units away; and lamps that are as bright as they should be.
    #[test]
    fn lamps_that_would_leave_all_white_are_dimmed() {
        let lamp = |intensity: f32, x: f32| PlacedLight {
            index: Some(intensity as usize),
            kind: LightKind::Point,
            position: Vec3::X * x,
            backward: Vec3::Z,
            intensity: Vec3::new(0.5, 1.0, 0.25) * intensity,
            range: None,
        };
        let sun = |intensity: f32| PlacedLight {
            kind: LightKind::Directional,
            ..lamp(intensity, 0.0)
        };
        let around = Aabb::of_points([Vec3::NEG_ONE, Vec3::ONE]);
        let dimmed = |lights: &[PlacedLight]| dimming(lights, &around).map_or(1.0, |it| it.factor);
        let expected = 16.0 * PI / 54_351.0;
        assert!((dimmed(&[sun(PI), lamp(54_351.0, 5.0)]) / expected - 1.0).abs() < 1e-5);
        let strongest = dimming(&[sun(PI), lamp(54_351.0, 5.0), lamp(9.0, 5.0)], &around);
        assert_eq!(strongest.unwrap().strongest, 54_351);
        let numbered = |index| PlacedLight {
            index: Some(index),
            ..lamp(54_351.0, 5.0)
        };
        let first = dimming(&[sun(PI), numbered(7), numbered(8)], &around);
        assert_eq!(first.unwrap().strongest, 7);
        assert!((dimmed(&[sun(1000.0)]) * 1000.0 / PI - 1.0).abs() < 1e-5);
        assert_eq!(dimmed(&[sun(3.0), lamp(20.0, 5.0)]), 1.0);
        assert_eq!(dimmed(&[]), 1.0);
        // What gives nothing: it ends before, or looks aside.
        let near = PlacedLight {
            range: Some(3.9),
            ..lamp(54_351.0, 5.0)
        };
        let spot = |backward: Vec3| PlacedLight {
            kind: LightKind::spot(0.1, 0.2),
            backward,
            ..lamp(54_351.0, 5.0)
        };
        assert_eq!(dimmed(&[near, spot(Vec3::NEG_X), spot(Vec3::Y)]), 1.0);
        assert!(dimmed(&[spot(Vec3::X)]) < 1.0);
        assert!(
            dimmed(&[PlacedLight {
                range: Some(4.1),
                ..near
            }]) < 1.0
        );
        // In the midst of the model, and where there is none.
        let inside = dimmed(&[lamp(100.0, 0.0)]);
        assert!(inside > 0.0 && inside < 1.0, "{inside}");
        assert_eq!(dimming(&[lamp(1e30, 0.0)], &Aabb::EMPTY), None);
    }
}
