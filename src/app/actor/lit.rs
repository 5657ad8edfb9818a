//! What shines on the model: the lights that it brings along, dimmed where they would leave all white, or the key light.

use glam::Vec3;

use super::Actor;
use crate::{
    anim::{Palette, PaletteLayout, Pose, bounds},
    model::{Aabb, Clip, Light, LightProperty, Model, PropertyTarget},
    scene::{Dimming, LightNodes, LightSettings, Lighting, Shadow, dimming},
};

impl Actor {
    /// What shines on it: the lights that it brings along, or the key light, whose shadow a ground of this height catches.
    pub fn lighting(
        &self,
        settings: LightSettings,
        in_studio: bool,
        ground: Option<f32>,
    ) -> Lighting<'_> {
        let key = settings.key(in_studio, self.has_lights());
        Lighting {
            settings,
            key,
            lights: &self.lights,
            lights_strength: match self.dimming {
                Some(dimming) if settings.dims_lights => dimming.factor,
                _ => 1.0,
            },
            shadow: (key.is_some() && settings.has_shadows()).then(|| Shadow {
                casters: self.caster_bounds(),
                ground,
            }),
        }
    }

    /// Towards the light whose shadow [`Actor::lighting`] has, of length 1.
    pub fn to_shadow_light(&self, settings: LightSettings, in_studio: bool) -> Option<Vec3> {
        let key = settings.key(in_studio, self.has_lights());
        let key = key.filter(|_| settings.has_shadows());
        key.map(|key| key.backward)
    }

    /// What keeps the lights of the file from leaving all white, where some would.
    pub fn dimming(&self) -> Option<Dimming> {
        self.dimming
    }

    pub(super) fn find_dimming(&mut self) {
        self.dimming = find_dimming(&self.model, &self.layout, &mut self.light_nodes);
    }

    /// Whether the scene ever has lights of the file, be they dark or hidden in this pose.
    fn has_lights(&self) -> bool {
        !self.model.lights.is_empty() && !self.light_nodes.is_empty()
    }

    /// A box around all that throws a shadow in this pose.
    fn caster_bounds(&self) -> Aabb {
        match &self.crowd {
            Some(_) => self.crowd_casters,
            None if self.palette.instance_count() > 0 => self.box_of_joints(),
            None => Aabb::EMPTY,
        }
    }
}

/// The nodes with lights that a scene shows at any time.
pub(super) fn light_nodes(model: &Model, scene: usize) -> LightNodes {
    LightNodes::new(&model.hierarchy, &model.nodes_ever_shown(scene))
}

/// What keeps the lights of a model from leaving all white in the scene that is shown first, where some would.
pub fn dimming_at_first(model: &Model) -> Option<Dimming> {
    if model.lights.is_empty() {
        return None;
    }
    let scene = model.default_scene;
    let layout = PaletteLayout::new(model, scene);
    find_dimming(model, &layout, &mut light_nodes(model, scene))
}

/// What keeps them from it: of all lights that the scene of the layout ever shows, as bright as any clip makes them, around the
/// file's own pose.
fn find_dimming(
    model: &Model,
    layout: &PaletteLayout,
    light_nodes: &mut LightNodes,
) -> Option<Dimming> {
    if model.lights.is_empty() || light_nodes.is_empty() {
        return None;
    }
    let pose = Pose::new(&model.hierarchy);
    let mut palette = Palette::default();
    palette.clear(layout, 1);
    palette.push(model, layout, &pose);
    let around = bounds::posed_bounds(model, layout, &palette, &pose, 0);
    let mut placed = Vec::new();
    light_nodes.collect_hidden_too(&brightest_lights(model), &pose, &mut placed);
    dimming(&placed, &around)
}

/// The lights of a model, each as bright as it is in the file or at any key.
fn brightest_lights(model: &Model) -> Vec<Light> {
    let mut lights = model.lights.clone();
    for track in model.clips.iter().flat_map(Clip::properties) {
        let PropertyTarget::Light(light, property) = track.target() else {
            continue;
        };
        let Some(light) = lights.get_mut(light) else {
            continue;
        };
        let rows = track.values().chunks_exact(track.target().width().max(1));
        let keys = rows.enumerate();
        for (_, key) in keys.filter(|&(row, _)| !track.interpolation().is_tangent(row)) {
            match (property, key) {
                (LightProperty::Intensity, &[intensity]) => {
                    light.intensity = light.intensity.max(intensity);
                }
                (LightProperty::Color, &[red, green, blue]) => {
                    light.color = light.color.max(Vec3::new(red, green, blue));
                }
                _ => {}
            }
        }
    }
    lights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        ClipBuilder, Hierarchy, Interpolation, LightKind, Node, NodeId, Scene, Timeline,
    };

    /// A sun that is dark in the file, or hidden, and bright in a clip; and one that is never bright.
    #[test]
    fn lights_are_dimmed_by_how_bright_they_ever_are() {
        for (is_hidden, intensity, keys, is_dimmed) in [
            (false, 0.0, [0.0, 1000.0], true),
            (true, 1000.0, [0.0, 0.0], true),
            (false, 1.0, [2.0, 3.0], false),
        ] {
            let node = Node {
                light: Some(0),
                is_hidden,
                ..Node::default()
            };
            let sun = Light {
                name: String::new(),
                kind: LightKind::Directional,
                color: Vec3::ONE,
                intensity,
                range: None,
            };
            let mut clip = ClipBuilder::new("Day");
            let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            for (target, values) in [
                (PropertyTarget::Light(0, LightProperty::Intensity), keys),
                (PropertyTarget::Visibility(NodeId(0)), [1.0, 1.0]),
            ] {
                clip.property(target, timeline, Interpolation::Step, values.to_vec())
                    .unwrap();
            }
            let mut model = Model {
                hierarchy: Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap(),
                lights: vec![sun],
                clips: vec![clip.finish()],
                ..Model::default()
            };
            model.scenes = vec![Scene {
                roots: vec![NodeId(0)],
                ..Scene::default()
            }];
            let mut actor = Actor::new(model);
            assert_eq!(actor.dimming().is_some(), is_dimmed, "{keys:?}");
            // As when clips are added.
            actor.renew_scene();
            assert_eq!(actor.dimming().is_some(), is_dimmed, "{keys:?}");
        }
    }
}
