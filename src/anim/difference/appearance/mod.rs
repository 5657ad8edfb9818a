//! What two models differ in besides shape and motion: materials and their pictures, lights, cameras, copies of meshes,
//! variants, scenes.

mod matching;
mod materials;
mod pictures;
mod placed;
mod scenes;
mod told;

use std::collections::HashMap;

pub use matching::PartMatch;
pub(super) use matching::match_meshes;
pub use pictures::{PictureDifference, compare_pictures};
pub use told::{PartKind, PropertyDifference, PropertyValue};

use super::{NodeMatch, numbers_apart};
use crate::model::{Model, NamedNumbers, shortened};

/// What two models differ in besides shape and motion.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AppearanceDifference {
    /// Which materials belong together; the default one is no file's.
    pub materials: PartMatch,
    /// Which lights belong together.
    pub lights: PartMatch,
    /// Which cameras belong together.
    pub cameras: PartMatch,
    /// Which variants of the materials belong together.
    pub variants: PartMatch,
    /// Which scenes belong together; a file without any has one of all its roots.
    pub scenes: PartMatch,
    /// Which meshes belong together: those whose name both models have just once; of the others those that the same nodes carry,
    /// then those of one name, and what is left in its order where one has no name or both have as many vertices.
    pub meshes: PartMatch,
    /// What those differ in that belong together, and skins of one index, and what nodes and meshes have of them.
    pub properties: Vec<PropertyDifference>,
}

impl AppearanceDifference {
    /// What belongs together in two models, but for meshes, and nothing yet of what it differs in.
    pub fn matched(models: [&Model; 2]) -> Self {
        let [first, second] = models.map(Parts::of);
        Self {
            materials: PartMatch::new(&first.materials, &second.materials),
            lights: PartMatch::new(&first.lights, &second.lights),
            cameras: PartMatch::new(&first.cameras, &second.cameras),
            variants: PartMatch::new(&first.variants, &second.variants),
            scenes: PartMatch::new(&first.scenes, &second.scenes),
            meshes: PartMatch::default(),
            properties: Vec::new(),
        }
    }

    /// Whether nothing differs.
    pub fn is_none(&self) -> bool {
        let matches = self.matches();
        self.properties.is_empty() && matches.iter().all(|(_, it)| it.is_complete())
    }

    /// What belongs together, by what it is.
    pub fn matches(&self) -> [(PartKind, &PartMatch); 6] {
        [
            (PartKind::Material, &self.materials),
            (PartKind::Light, &self.lights),
            (PartKind::Camera, &self.cameras),
            (PartKind::Variant, &self.variants),
            (PartKind::Scene, &self.scenes),
            (PartKind::Mesh, &self.meshes),
        ]
    }
}

impl PartKind {
    /// What several things of a kind are.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Material => "materials",
            Self::Light => "lights",
            Self::Camera => "cameras",
            Self::Variant => "variants",
            Self::Node => "nodes",
            Self::Mesh => "meshes",
            Self::Skin => "skins",
            Self::Scene => "scenes",
        }
    }

    /// What things of a kind are called in a model, by their indices; unnamed ones are numbered.
    pub fn names(self, model: &Model, indices: &[usize]) -> Vec<String> {
        let name = |&index: &usize| match self.name(model, index) {
            "" => format!("{self} {index}"),
            name => name.to_owned(),
        };
        indices.iter().map(name).collect()
    }

    /// What a thing is, and its name, or else its index.
    pub fn named(self, name: &str, index: usize) -> String {
        match name {
            "" => format!("{self} {index}"),
            name => format!("{self} {:?}", shortened(name)),
        }
    }

    /// The name that a thing has in its file, or nothing.
    pub fn name(self, model: &Model, index: usize) -> &str {
        let name = match self {
            Self::Material => model.materials.get(index).map(|it| &it.name),
            Self::Light => model.lights.get(index).map(|it| &it.name),
            Self::Camera => model.cameras.get(index).map(|it| &it.name),
            Self::Variant => model.variants.get(index),
            Self::Mesh => model.meshes.get(index).map(|it| &it.name),
            Self::Skin => model.skins.get(index).map(|it| &it.name),
            Self::Scene => model.scenes.get(index).map(|it| &it.name),
            Self::Node => {
                let node = model.hierarchy.by_file_index(index);
                node.map(|node| &model.hierarchy.node(node).name)
            }
        };
        name.map_or("", String::as_str)
    }
}

/// Tells pictures apart, by their indices in both models.
pub type ComparePictures<'p> = dyn FnMut([usize; 2]) -> Option<PictureDifference> + 'p;

/// Compares two models of which the first is so large. Numbers may differ by `tolerance`, those above 1 by that part of
/// them. Each two pictures are compared once, and only where materials show them in the same place.
pub fn compare_appearance(
    models: [&Model; 2],
    nodes: &NodeMatch,
    size: f64,
    tolerance: f64,
    pictures: &mut ComparePictures<'_>,
) -> AppearanceDifference {
    let mut search = Search {
        models,
        size,
        tolerance,
        pictures,
        known_pictures: HashMap::new(),
        found: AppearanceDifference {
            meshes: match_meshes(models, nodes),
            ..AppearanceDifference::matched(models)
        },
    };
    search.materials();
    search.lights();
    search.cameras();
    search.variants();
    search.scenes(nodes);
    search.nodes(nodes);
    search.skins(nodes);
    search.meshes();
    search.found
}

/// The names of what is matched.
struct Parts<'m> {
    materials: Vec<&'m str>,
    lights: Vec<&'m str>,
    cameras: Vec<&'m str>,
    variants: Vec<&'m str>,
    scenes: Vec<&'m str>,
}

impl<'m> Parts<'m> {
    fn of(model: &'m Model) -> Self {
        let own = model.materials.len().saturating_sub(1);
        let materials = model.materials[..own].iter();
        Self {
            materials: materials.map(|it| &*it.name).collect(),
            lights: model.lights.iter().map(|it| &*it.name).collect(),
            cameras: model.cameras.iter().map(|it| &*it.name).collect(),
            variants: model.variants.iter().map(String::as_str).collect(),
            scenes: model.scenes.iter().map(|it| &*it.name).collect(),
        }
    }
}

struct Search<'s, 'p> {
    models: [&'s Model; 2],
    size: f64,
    tolerance: f64,
    pictures: &'s mut ComparePictures<'p>,
    known_pictures: HashMap<[usize; 2], Option<PictureDifference>>,
    found: AppearanceDifference,
}

/// Two things that are the same, by what they are and their indices in both files.
type Pair = (PartKind, [usize; 2]);

impl Search<'_, '_> {
    fn tell(&mut self, (kind, indices): Pair, property: &str, values: [PropertyValue; 2]) {
        self.found.properties.push(PropertyDifference {
            kind,
            indices,
            name: kind.name(self.models[0], indices[0]).to_owned(),
            property: property.to_owned(),
            values,
            amount: None,
            note: String::new(),
        });
    }

    /// Tells a difference, with what the values do not say.
    fn tell_more(
        &mut self,
        pair: Pair,
        property: &str,
        values: [PropertyValue; 2],
        (amount, note): (Option<f64>, String),
    ) {
        self.tell(pair, property, values);
        if let Some(told) = self.found.properties.last_mut() {
            (told.amount, told.note) = (amount, note);
        }
    }

    fn names(&mut self, pair: Pair) {
        let (kind, indices) = pair;
        let names = [0, 1].map(|side| kind.name(self.models[side], indices[side]));
        if names[0] != names[1] {
            self.tell(pair, "name", names.map(PropertyValue::of_name));
        }
    }

    fn words(&mut self, pair: Pair, property: &str, words: [&'static str; 2]) {
        if words[0] != words[1] {
            self.tell(pair, property, words.map(PropertyValue::Word));
        }
    }

    fn flags(&mut self, pair: Pair, property: &str, flags: [bool; 2]) {
        if flags[0] != flags[1] {
            self.tell(pair, property, flags.map(PropertyValue::Flag));
        }
    }

    /// Compares numbers that both have, under a name behind a place.
    fn numbers(&mut self, pair: Pair, property: [&str; 2], numbers: [&[f32]; 2]) {
        let pairs = numbers[0].iter().zip(numbers[1]);
        let amount = pairs
            .map(|(a, b)| numbers_apart(*a, *b))
            .fold(0.0, f64::max);
        if amount > self.tolerance {
            let values = numbers.map(|it| PropertyValue::Numbers(it.to_vec()));
            let more = (Some(amount), String::new());
            self.tell_more(pair, &property.concat(), values, more);
        }
    }

    /// Compares all numbers of two things. What one alone has is told where `tells_lacks`, and else follows from something
    /// that is told.
    fn all_numbers(
        &mut self,
        pair: Pair,
        place: &str,
        all: [impl Iterator<Item = NamedNumbers>; 2],
        tells_lacks: bool,
    ) {
        let [first, second] = all;
        for ((name, first), (_, second)) in first.zip(second) {
            match [first, second] {
                [Some(first), Some(second)] => {
                    self.numbers(pair, [place, name], [&first, &second]);
                }
                values if tells_lacks && values != [None, None] => {
                    let value = |numbers: Option<_>| {
                        numbers.map_or(PropertyValue::Absent, PropertyValue::Numbers)
                    };
                    self.tell(pair, &[place, name].concat(), values.map(value));
                }
                _ => {}
            }
        }
    }

    /// A part of each model as the value of a property.
    fn parts(&self, kind: PartKind, indices: [Option<usize>; 2]) -> [PropertyValue; 2] {
        [0, 1].map(|side| match indices[side] {
            None => PropertyValue::Absent,
            Some(index) => {
                let name = kind.name(self.models[side], index);
                PropertyValue::Part(name.to_owned(), index)
            }
        })
    }
}

#[cfg(test)]
mod tests;
