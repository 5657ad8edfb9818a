//! What vertices differ in that stand in the same place: normals, tangents, texture coordinates, colours.

use glam::Vec4;

use super::numbers_apart;
use crate::model::{Primitive, Vertices};

/// What a vertex has besides its place and its weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SurfaceAttribute {
    /// Out of the surface.
    #[default]
    Normal,
    /// Along it, where the file has one.
    Tangent,
    /// The first set of texture coordinates.
    TexCoord0,
    /// The second one.
    TexCoord1,
    /// Colour and alpha.
    Color,
}

impl SurfaceAttribute {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Normal,
        Self::Tangent,
        Self::TexCoord0,
        Self::TexCoord1,
        Self::Color,
    ];

    /// Its name in files (glTF 2.0 §3.7.2.1).
    pub fn semantic(self) -> &'static str {
        match self {
            Self::Normal => "NORMAL",
            Self::Tangent => "TANGENT",
            Self::TexCoord0 => "TEXCOORD_0",
            Self::TexCoord1 => "TEXCOORD_1",
            Self::Color => "COLOR_0",
        }
    }

    /// How far two numbers of it are apart.
    fn numbers_apart(self, a: f32, b: f32) -> f64 {
        match self {
            Self::TexCoord0 | Self::TexCoord1 if a.is_finite() && b.is_finite() => {
                (f64::from(a) - f64::from(b)).abs()
            }
            _ => numbers_apart(a, b),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Normal => "normals",
            Self::Tangent => "tangents",
            Self::TexCoord0 => "texture coordinates",
            Self::TexCoord1 => "texture coordinates of the second set",
            Self::Color => "colours",
        }
    }

    /// That of a vertex; none if the vertices have none.
    fn of(self, vertices: &Vertices, vertex: usize) -> Option<Vec4> {
        let [first, second] = &vertices.tex_coords;
        match self {
            Self::Normal => vertices.normals.get(vertex).map(|it| it.extend(0.0)),
            Self::Tangent => vertices.tangents.get(vertex).copied(),
            Self::TexCoord0 => first.get(vertex).map(|it| it.extend(0.0).extend(0.0)),
            Self::TexCoord1 => second.get(vertex).map(|it| it.extend(0.0).extend(0.0)),
            Self::Color => vertices.colors.get(vertex),
        }
    }
}

/// How many vertices of a mesh have another attribute.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AttributeDifference {
    /// Which attribute differs.
    pub attribute: SurfaceAttribute,
    /// How many vertices have another, or have one in one mesh alone.
    pub vertices: usize,
    /// By how much a number of it differs at most; infinite where one alone has it. Of colours above 1 as a part of them: a
    /// picture that is tiled a hundred times is shifted by as much as one that is not.
    pub amount: f64,
}

/// None of any.
pub(super) fn none() -> [AttributeDifference; SurfaceAttribute::ALL.len()] {
    SurfaceAttribute::ALL.map(|attribute| AttributeDifference {
        attribute,
        ..AttributeDifference::default()
    })
}

impl AttributeDifference {
    /// What differs, in words.
    pub(super) fn words(self) -> String {
        let what = self.attribute.words();
        let vertices = match self.vertices {
            1 => "1 vertex has".to_owned(),
            count => format!("{count} vertices have"),
        };
        if self.amount.is_finite() {
            format!("{vertices} other {what} by up to {:.3}", self.amount)
        } else {
            format!("{vertices} {what} in one alone")
        }
    }

    /// Compares a vertex of the first with those of the second that may be the same: with the one that is most like it.
    pub(super) fn look_at(
        &mut self,
        primitives: [&Primitive; 2],
        vertex: usize,
        others: &[usize],
        least: f64,
    ) {
        let [a, b] = primitives.map(|primitive| &primitive.vertices);
        let own = self.attribute.of(a, vertex);
        let apart = others
            .iter()
            .map(|&other| match (own, self.attribute.of(b, other)) {
                (None, None) => 0.0,
                (Some(own), Some(other)) => {
                    let numbers = own.to_array().into_iter().zip(other.to_array());
                    let apart = numbers.map(|(a, b)| self.attribute.numbers_apart(a, b));
                    apart.fold(0.0, f64::max)
                }
                _ => f64::INFINITY,
            });
        let apart = apart.min_by(f64::total_cmp).unwrap_or_default();
        if apart > least {
            self.vertices += 1;
            self.amount = self.amount.max(apart);
        }
    }
}
