//! How far away from the eye primitives are.

use glam::Affine3A;

use crate::{
    model::Aabb,
    scene::{Frame, OrientedBox},
};

/// Where a primitive is, seen from the eye.
#[derive(Debug, Clone, Copy)]
pub(in crate::render) struct Distances {
    /// Distance of its middle; of several copies that of the first.
    pub(super) distance: f32,
    /// Distances of the nearest and the farthest point of its box in the world; of several copies they are not known.
    pub(super) range: [f32; 2],
    /// Its box, if there is one copy alone and it is known: joints and morph targets move it out of the box it has at rest.
    pub(super) oriented: Option<OrientedBox>,
    /// Whether it may enclose others: closed all around, with room in it, and seen from outside.
    pub(super) is_shell: bool,
}

impl Distances {
    /// Of what is drawn in no order, and of several copies.
    pub(super) const UNKNOWN: Self = Self {
        distance: 0.0,
        range: [0.0, f32::INFINITY],
        oriented: None,
        is_shell: false,
    };

    /// That of several copies, of which this is the first.
    pub(super) fn of_first(self) -> Self {
        Self {
            distance: self.distance,
            ..Self::UNKNOWN
        }
    }

    /// This distance for what may have left its box a little.
    pub(in crate::render) fn about(self) -> Self {
        Self {
            oriented: None,
            is_shell: false,
            ..self
        }
    }

    /// This place of a surface that is closed all around, or is not.
    pub(in crate::render) fn of_surface(self, is_closed: bool) -> Self {
        let is_outside = self.range[0] > 0.0;
        let has_room = self.oriented.is_some_and(|it| !it.is_flat());
        Self {
            is_shell: is_closed && is_outside && has_room,
            ..self
        }
    }

    /// The place of the image of `bounds`, as that of a sheet.
    pub(in crate::render) fn of(
        bounds: &Aabb,
        world_from_bounds: &Affine3A,
        frame: &Frame<'_>,
    ) -> Self {
        let middle = world_from_bounds.transform_point3(bounds.center());
        let in_world = bounds.transformed(world_from_bounds);
        Self {
            distance: frame.camera.distance(middle),
            range: frame.camera.distances(&in_world),
            oriented: Some(OrientedBox::new(bounds, world_from_bounds)),
            is_shell: false,
        }
    }
}
