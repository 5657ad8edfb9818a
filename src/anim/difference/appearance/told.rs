//! A property that two models do not have alike, and how it is told.

use std::fmt;

use crate::model::shortened;

/// What has a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A material.
    Material,
    /// A light.
    Light,
    /// A camera.
    Camera,
    /// A variant of the materials.
    Variant,
    /// A node.
    Node,
    /// A mesh.
    Mesh,
    /// A skin.
    Skin,
    /// A scene.
    Scene,
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Material => "material",
            Self::Light => "light",
            Self::Camera => "camera",
            Self::Variant => "variant",
            Self::Node => "node",
            Self::Mesh => "mesh",
            Self::Skin => "skin",
            Self::Scene => "scene",
        })
    }
}

/// What a property is.
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyValue {
    /// There is none.
    Absent,
    /// Yes or no.
    Flag(bool),
    /// So many objects.
    Count(usize),
    /// A number, or several.
    Numbers(Vec<f32>),
    /// One of those that the specification lists.
    Word(&'static str),
    /// Another part of the file: its name, or empty, and its index.
    Part(String, usize),
    /// What it is called.
    Name(String),
}

impl PropertyValue {
    /// A name, which may be empty.
    pub(super) fn of_name(name: &str) -> Self {
        match name {
            "" => Self::Absent,
            name => Self::Name(name.to_owned()),
        }
    }
}

impl fmt::Display for PropertyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("none"),
            Self::Flag(true) => f.write_str("yes"),
            Self::Flag(false) => f.write_str("no"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Numbers(numbers) => write_numbers(f, numbers),
            Self::Word(word) => f.write_str(word),
            Self::Part(name, index) if name.is_empty() => write!(f, "{index}"),
            Self::Part(name, _) | Self::Name(name) => write!(f, "{:?}", shortened(name)),
        }
    }
}

fn write_numbers(f: &mut fmt::Formatter<'_>, numbers: &[f32]) -> fmt::Result {
    let number = |number: &f32| match *number {
        f32::INFINITY => "∞".to_owned(),
        number => number.to_string(),
    };
    if let [one] = numbers {
        return f.write_str(&number(one));
    }
    let all: Vec<_> = numbers.iter().map(number).collect();
    write!(f, "[{}]", all.join(", "))
}

/// A property that two models do not have alike.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyDifference {
    /// What kind of thing has it.
    pub kind: PartKind,
    /// The index of that thing in each file.
    pub indices: [usize; 2],
    /// Its name in the first, or empty.
    pub name: String,
    /// Where files have the property, relative to that thing.
    pub property: String,
    /// What it is in each.
    pub values: [PropertyValue; 2],
    /// How far numbers differ, above 1 as a part of them; texels, as a part of what a channel holds.
    pub amount: Option<f64>,
    /// What the values do not say, or empty.
    pub note: String,
}

impl PropertyDifference {
    /// The property without the extensions that it belongs to: none has a name twice.
    fn short_property(&self) -> String {
        let mut parts = self.property.split('/');
        let mut kept = Vec::new();
        while let Some(part) = parts.next() {
            match part {
                "pbrMetallicRoughness" => {}
                "extensions" => {
                    // The extension's name says it all where nothing follows.
                    let extension = parts.next().unwrap_or_default();
                    if parts.clone().next().is_none() {
                        kept.push(extension);
                    }
                }
                part => kept.push(part),
            }
        }
        kept.join("/")
    }
}

impl fmt::Display for PropertyDifference {
    /// A line: what differs in what, and both values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            indices: [index, _],
            name,
            values: [first, second],
            note,
            ..
        } = self;
        let whole = kind.named(name, *index);
        write!(f, "{whole}: {} {first} and {second}", self.short_property())?;
        if !note.is_empty() {
            write!(f, ", {note}")?;
        }
        Ok(())
    }
}
