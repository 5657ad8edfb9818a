//! Which layers of materials are ever seen.

use std::collections::HashSet;

use super::{MaterialProperty, PropertyTarget, values::material_numbers};
use crate::model::{Clip, Material, Model};

/// Which layers of materials are ever seen: files have many whose factor is 0, and stays so unless a clip of the model moves it.
#[derive(Debug, Clone, Default)]
pub struct SeenLayers {
    moved: HashSet<(usize, MaterialProperty)>,
}

impl SeenLayers {
    /// For the materials of a model.
    pub fn of(model: &Model) -> Self {
        let tracks = model.clips.iter().flat_map(Clip::properties);
        let moved = tracks.filter_map(|track| match track.target() {
            PropertyTarget::Material(material, property) => Some((material, property)),
            _ => None,
        });
        Self {
            moved: moved.collect(),
        }
    }

    /// Whether a factor of the material with this index is ever other than 0, or a colour other than black: as the file has it,
    /// which `material` says, or since a clip moves it.
    pub fn has(&self, index: usize, material: &Material, property: MaterialProperty) -> bool {
        // Asked of a copy, which costs nothing without its name.
        let name = String::new();
        let mut copy = Material { name, ..*material };
        let numbers = material_numbers(&mut copy, property);
        numbers.is_some_and(|numbers| {
            numbers.iter().any(|number| *number != 0.0) || self.moved.contains(&(index, property))
        })
    }

    /// Whether light ever passes straight through the material with this index.
    pub fn is_glass(&self, index: usize, material: &Material) -> bool {
        !material.unlit
            && material.transmission.is_some()
            && self.has(index, material, MaterialProperty::Transmission)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Sheen, Timeline, Transmission};

    #[test]
    fn layers_are_seen_that_are_there_or_that_a_clip_brings() {
        use MaterialProperty as P;
        let glass = |factor| Material {
            transmission: Some(Transmission {
                factor,
                texture: None,
            }),
            sheen: Some(Sheen {
                color: Vec3::Y * factor,
                ..Sheen::default()
            }),
            ..Material::default()
        };
        let unlit = Material {
            unlit: true,
            ..glass(1.0)
        };
        let mut clip = ClipBuilder::new("clears");
        let times = clip.timeline(Timeline::new(vec![0.0]).unwrap());
        for material in [1, 3] {
            let target = PropertyTarget::Material(material, P::Transmission);
            clip.property(target, times, Interpolation::Step, vec![1.0])
                .unwrap();
        }
        let model = Model {
            materials: vec![
                glass(0.0),
                glass(0.0),
                glass(0.5),
                Material::default(),
                unlit,
            ],
            clips: vec![clip.finish()],
            ..Model::default()
        };
        let seen = SeenLayers::of(&model);
        let all = || model.materials.iter().enumerate();
        let glass: Vec<_> = all().map(|(index, it)| seen.is_glass(index, it)).collect();
        assert_eq!(glass, [false, true, true, false, false]);
        let fibres: Vec<_> = all()
            .map(|(index, it)| seen.has(index, it, P::SheenColor))
            .collect();
        assert_eq!(fibres, [false, false, true, false, true]);
    }
}
