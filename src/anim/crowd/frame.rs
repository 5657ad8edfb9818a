//! Frames that nodes are looked at in, and what is found there of their tracks and bind matrices: see [`super::bake`].

use glam::{Affine3A, DMat3, DQuat, DVec3, Quat, Vec3};

use crate::{
    anim::{PaletteLayout, compact::nearly_even},
    model::{Clip, Interpolation, Model, PropertyTarget, Track, Transform},
};

pub(super) use crate::anim::compact::TOLERANCE;

/// For each node the tracks that move it, as indices into the clip's.
pub(super) struct Tracks {
    pub rotations: Vec<Option<usize>>,
    pub translations: Vec<Option<usize>>,
    pub scales: Vec<Option<usize>>,
    pub weights: Vec<Option<usize>>,
    /// Among the clip's properties, those that say whether a node is shown. The last one is in force, as in
    /// [`crate::anim::sample()`].
    pub visibilities: Vec<Option<usize>>,
    /// Single weights of a node and the tracks among the clip's properties that move them, in the order of the tracks.
    pub single_weights: Vec<Vec<(u32, usize)>>,
}

impl Tracks {
    pub(super) fn new(nodes: usize, clip: Option<&Clip>) -> Self {
        fn by_node<T>(nodes: usize, tracks: &[Track<T>]) -> Vec<Option<usize>> {
            let mut found = vec![None; nodes];
            for (index, track) in tracks.iter().enumerate() {
                found[track.node().index()] = Some(index);
            }
            found
        }
        let empty = Clip::default();
        let clip = clip.unwrap_or(&empty);
        let mut visibilities = vec![None; nodes];
        let mut single_weights = vec![Vec::new(); nodes];
        for (index, track) in clip.properties().iter().enumerate() {
            match track.target() {
                PropertyTarget::Visibility(node) => visibilities[node.index()] = Some(index),
                PropertyTarget::NodeWeight(node, weight) => {
                    single_weights[node.index()].push((weight as u32, index));
                }
                _ => {}
            }
        }
        Self {
            rotations: by_node(nodes, clip.rotations()),
            translations: by_node(nodes, clip.translations()),
            scales: by_node(nodes, clip.scales()),
            weights: by_node(nodes, clip.weights()),
            visibilities,
            single_weights,
        }
    }

    /// The transform of a node that no track moves, or only to where it is already.
    pub(super) fn fixed(
        &self,
        node: usize,
        clip: Option<&Clip>,
        rest: &Transform,
    ) -> Option<Transform> {
        let mut fixed = *rest;
        let Some(clip) = clip else { return Some(fixed) };
        let is_near =
            |a: Vec3, b: Vec3| f64::from(a.distance(b)) <= TOLERANCE * f64::from(b.length());
        if let Some(track) = self.translations[node] {
            fixed.translation = only_value(&clip.translations()[track], is_near)?;
        }
        if let Some(track) = self.scales[node] {
            fixed.scale = only_value(&clip.scales()[track], is_near)?;
        }
        if let Some(track) = self.rotations[node] {
            let is_near = |a: Quat, b: Quat| {
                let (a, b) = (a.as_dquat(), b.as_dquat());
                let off = a - b * a.dot(b).signum();
                off.length() <= 0.25 * TOLERANCE
            };
            fixed.rotation = only_value(&clip.rotations()[track], is_near)?;
        }
        Some(fixed)
    }
}

/// The value that a track has all the time.
fn only_value<T: Copy>(track: &Track<T>, is_near: impl Fn(T, T) -> bool) -> Option<T> {
    let first = *track.values().first()?;
    let is_fixed = track.interpolation() != Interpolation::CubicSpline
        && track.values().iter().all(|&value| is_near(value, first));
    is_fixed.then_some(first)
}

/// For each node what is to be written from it.
pub(super) struct Binds {
    /// Places of the palette, and `node_from_mesh`.
    pub of_node: Vec<Vec<(u32, Affine3A)>>,
    /// The factor that most likely all inverse bind matrices have: that of the first which has one.
    pub factor: f64,
}

impl Binds {
    pub(super) fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let mut of_node = vec![Vec::new(); model.hierarchy.len()];
        let skins = layout.skins().iter().map(|slot| &model.skins[slot.skin]);
        let mut matrices = skins.flat_map(|skin| &skin.joint_from_mesh);
        let first = matrices.find_map(|bind| similarity(bind.matrix3.as_dmat3()));
        let factor = first.map_or(1.0, |(_, factor)| factor);
        for slot in layout.skins() {
            let skin = &model.skins[slot.skin];
            let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
            for (place, (joint, &joint_from_mesh)) in (slot.first..).zip(joints) {
                of_node[joint.index()].push((place, joint_from_mesh));
            }
        }
        for placement in layout.placements() {
            let of_node = &mut of_node[placement.node.index()];
            let instances = &model.hierarchy.node(placement.node).node_from_instances;
            let Some(rigid) = placement.rigid else {
                continue;
            };
            if instances.is_empty() {
                of_node.push((rigid, Affine3A::IDENTITY));
            }
            of_node.extend((rigid..).zip(instances.iter().copied()));
        }
        Self { of_node, factor }
    }
}

/// Rotation and factor of a matrix that turns and scales evenly.
pub(super) fn similarity(linear: DMat3) -> Option<(DQuat, f64)> {
    let (rotation, factor, off) = nearly_even(linear)?;
    (off <= TOLERANCE).then_some((rotation, factor))
}

/// The factor of an even scale; none if it is uneven, or no factor to divide by.
pub(super) fn even(scale: DVec3) -> Option<f64> {
    let factor = scale.element_sum() / 3.0;
    let is_even = (scale - factor).abs().max_element() <= TOLERANCE * factor.abs();
    (is_even && (1e-9..1e9).contains(&factor.abs())).then_some(factor)
}

/// The frame that a node is looked at in: `node_from_frame` is a turn and a factor, after a shift in the frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub turn: DQuat,
    pub factor: f64,
    /// The node's origin in the frame: 0 but for a node that is looked at in the frame of one above it.
    pub shift: DVec3,
}

impl Frame {
    pub(super) const IDENTITY: Self = Self {
        turn: DQuat::IDENTITY,
        factor: 1.0,
        shift: DVec3::ZERO,
    };

    /// A vector of the node in the frame.
    pub(super) fn vector(&self, vector: DVec3) -> DVec3 {
        self.turn.inverse() * vector / self.factor
    }

    /// A point of the node in the frame.
    pub(super) fn point(&self, point: DVec3) -> DVec3 {
        self.vector(point) + self.shift
    }

    /// This frame as seen by a node that stands still under this one, `translation`, `rotation` and an even scale away.
    pub(super) fn of_child(&self, translation: DVec3, rotation: DQuat, scale: f64) -> Self {
        Self {
            turn: rotation.inverse() * self.turn,
            factor: self.factor / scale,
            shift: self.point(translation),
        }
    }

    /// A matrix of the node in the frame.
    pub(super) fn matrix(&self, matrix: DMat3) -> DMat3 {
        DMat3::from_quat(self.turn.inverse()) * matrix * self.factor.recip()
    }
}
