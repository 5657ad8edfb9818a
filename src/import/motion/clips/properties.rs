//! Tracks of what pointers name and plain channels cannot: weights of meshes, and properties that are no node's placement.

use std::{
    collections::HashMap,
    f32::consts::PI,
    sync::{Arc, OnceLock},
};

use gltf::json::accessor::{ComponentType, Type};

use crate::{
    import::{
        base::{
            diagnostics::Fault,
            wording::{counted, shorten, there_are},
        },
        json::{document::Section, fields::Fields},
        motion::pointer::Pointed,
        numbers::components::component_name,
    },
    model::{
        CameraProperty, Interpolation, KeyPart, LightKind, LightProperty, MaterialProperty, NodeId,
        PropertyTarget, PropertyTrack, Track as ModelTrack, TrackError,
    },
};

use super::{DROPPED, Reader, Settled, Track};

/// For each mesh, the nodes that place it and state no weights of their own: found once, when a channel first asks.
#[derive(Debug, Default)]
pub(super) struct Placing(OnceLock<HashMap<usize, Vec<NodeId>>>);

impl Placing {
    fn of(&self, mesh: usize, reader: &Reader<'_, '_>) -> &[NodeId] {
        let find = || {
            let document = &reader.source.document;
            let states_weights = |file_index: usize| {
                let text = document.text(Section::Nodes, file_index);
                Fields::of(text).is_some_and(|node| node.has("weights"))
            };
            let mut nodes: HashMap<usize, Vec<NodeId>> = HashMap::new();
            for (id, node) in reader.hierarchy.iter() {
                let mesh = node.mesh.filter(|_| !node.weights.is_empty());
                if let Some(mesh) = mesh.filter(|_| !states_weights(node.file_index)) {
                    nodes.entry(mesh).or_default().push(id);
                }
            }
            nodes
        };
        let nodes = self.0.get_or_init(find).get(&mesh);
        nodes.map_or(&[], Vec::as_slice)
    }
}

const NOT_STATED: &str = "the file does not state that";

impl Reader<'_, '_> {
    /// The weights of a mesh are those of all nodes that place it and state none of their own (glTF 2.0 §3.7.2.2).
    pub(super) fn read_mesh_weights(
        &mut self,
        track: Track<'_>,
        mesh: usize,
    ) -> Option<Result<(), TrackError>> {
        let placing = self.placing.of(mesh, self);
        let Some(&first) = placing.first() else {
            self.report_unmoved(track);
            return None;
        };
        let width = self.hierarchy.node(first).weights.len();
        let Settled {
            timeline, values, ..
        } = self.weights(track, width)?;
        let size = size_of::<ModelTrack<f32>>();
        self.charge_tracks(track, placing.len(), size, size_of_val(&*values))?;
        let free = self.without_own_channel(track, placing, None);
        for &node in &free {
            // The caller looks why.
            if self.source.progress.is_cancelled() {
                return None;
            }
            let width = self.hierarchy.node(node).weights.len();
            let (interpolation, values) = (track.interpolation, values.clone());
            let added = self
                .builder
                .weights(node, timeline, interpolation, width, values);
            if added.is_err() {
                return Some(added);
            }
        }
        self.builder.of_mesh(mesh, None, free.len());
        Some(Ok(()))
    }

    /// One of the weights of a mesh, for the same nodes.
    pub(super) fn read_mesh_weight(
        &mut self,
        track: Track<'_>,
        mesh: usize,
        weight: usize,
    ) -> Option<Result<(), TrackError>> {
        let placing = self.placing.of(mesh, self);
        let Some(&first) = placing.first() else {
            self.report_unmoved(track);
            return None;
        };
        self.check_weight(track, first, weight)?;
        let Settled {
            timeline, values, ..
        } = self.scalars(track)?;
        let size = size_of::<PropertyTrack>();
        self.charge_tracks(track, placing.len(), size, size_of_val(&*values))?;
        let free = self.without_own_channel(track, placing, Some(weight));
        for &node in &free {
            // The caller looks why.
            if self.source.progress.is_cancelled() {
                return None;
            }
            let target = PropertyTarget::NodeWeight(node, weight);
            let (interpolation, values) = (track.interpolation, values.clone());
            let added = self
                .builder
                .property(target, timeline, interpolation, values);
            if added.is_err() {
                return Some(added);
            }
        }
        self.builder.of_mesh(mesh, Some(weight), free.len());
        Some(Ok(()))
    }

    /// One of the weights of a node.
    pub(super) fn read_weight(
        &mut self,
        track: Track<'_>,
        node: NodeId,
        weight: usize,
    ) -> Option<Result<(), TrackError>> {
        self.check_weight(track, node, weight)?;
        self.read_property(track, PropertyTarget::NodeWeight(node, weight))
    }

    /// Checks that the node has that many weights; none if not.
    fn check_weight(&mut self, track: Track<'_>, node: NodeId, weight: usize) -> Option<()> {
        let count = self.hierarchy.node(node).weights.len();
        if weight >= count {
            let message = there_are(count, "weight of the node", "weights of the node");
            self.report_undefined(track, &message);
            return None;
        }
        Some(())
    }

    /// Says that a pointer names what is not there, and why.
    pub(super) fn report_undefined(&mut self, track: Track<'_>, why: &str) {
        let (clip, channel) = (self.clip, track.channel.index);
        let pointer = format_args!(
            "/animations/{clip}/channels/{channel}/target/extensions/KHR_animation_pointer/pointer"
        );
        let message = format!("\"{}\" names nothing: {why}", named(track));
        let code = "ANIMATION_POINTER_UNRESOLVED";
        self.diagnostics.error(code, pointer, message, DROPPED);
    }

    /// Whether a property that the model has not may be in the file all the same, and is not seen.
    fn is_unseen(&self, target: PropertyTarget) -> bool {
        match target {
            // A cutoff has a value in every mode, and is seen in one (glTF 2.0 §5.19).
            PropertyTarget::Material(_, MaterialProperty::AlphaCutoff) => true,
            // Unlit surfaces show their base colour alone.
            PropertyTarget::TextureTransform(material, slot, _) => {
                let material = self.properties.materials.get(material);
                slot.is_of_specular_glossiness() && material.is_some_and(|it| it.unlit)
            }
            _ => false,
        }
    }

    /// Why the file has no such property; none if it has it, and it is not seen.
    pub(super) fn why_undefined(&self, target: PropertyTarget) -> Option<&'static str> {
        if self.is_unseen(target) {
            let path = target.pointer(self.hierarchy);
            let document = &self.source.document;
            let missing = self.owners.missing(document, Section::Materials, &path);
            return missing.map(|_| NOT_STATED);
        }
        let PropertyTarget::Light(light, property) = target else {
            return Some(NOT_STATED);
        };
        let kind = self.properties.lights.get(light).map(|light| light.kind);
        Some(match (property, kind) {
            (LightProperty::Range, Some(LightKind::Directional)) => {
                "directional lights have no range"
            }
            (
                LightProperty::InnerConeAngle | LightProperty::OuterConeAngle,
                Some(LightKind::Directional | LightKind::Point),
            ) => "only spot lights have cones",
            _ => NOT_STATED,
        })
    }

    /// Says that the object which has a property is not in the file, so that the property is not defined, if it is so.
    /// `section` has those that matter: no light or camera can be without it.
    pub(super) fn check_owner(
        &mut self,
        track: Track<'_>,
        section: Section,
        target: PropertyTarget,
    ) {
        let path = target.pointer(self.hierarchy);
        let document = &self.source.document;
        let Some(missing) = self.owners.missing(document, section, &path) else {
            return;
        };
        let (clip, channel) = (self.clip, track.channel.index);
        let pointer = format_args!(
            "/animations/{clip}/channels/{channel}/target/extensions/KHR_animation_pointer/pointer"
        );
        let message = format!("\"{}\" is not defined without {missing}", named(track));
        let code = "ANIMATION_POINTER_UNRESOLVED";
        let action = "it is moved all the same";
        self.diagnostics.error(code, pointer, message, action);
    }

    /// Says that a pointer to weights of a mesh moves none.
    fn report_unmoved(&mut self, track: Track<'_>) {
        let (clip, channel) = (self.clip, track.channel.index);
        let pointer = format_args!(
            "/animations/{clip}/channels/{channel}/target/extensions/KHR_animation_pointer/pointer"
        );
        let named = named(track);
        let message =
            format!("\"{named}\" moves nothing: no node that places the mesh takes its weights");
        let code = "ANIMATION_POINTER_UNRESOLVED";
        self.diagnostics.info(code, pointer, message, DROPPED);
    }

    /// Takes memory for tracks of `size` bytes that share `values` bytes, one for each of `count` nodes, in a list that grows by
    /// doubling; none if there is not so much.
    fn charge_tracks(
        &mut self,
        track: Track<'_>,
        count: usize,
        size: usize,
        values: usize,
    ) -> Option<()> {
        self.charge_shared(track, count, values)?;
        self.charge(track, count, size.saturating_mul(2))
    }

    /// The nodes whose weights, or the one `weight` of which, no other channel of the clip moves: a channel that names the
    /// node itself comes first.
    fn without_own_channel(
        &mut self,
        track: Track<'_>,
        nodes: &[NodeId],
        weight: Option<usize>,
    ) -> Vec<NodeId> {
        let is_free = |id: &NodeId| {
            let node = self.hierarchy.node(*id).file_index;
            let is_own = |weight| self.moved.contains_key(&Pointed::Weight(node, weight));
            !self.moved.contains_key(&Pointed::Weights(node)) && !weight.is_some_and(is_own)
        };
        let free: Vec<NodeId> = nodes.iter().copied().filter(is_free).collect();
        let moved = nodes.len().saturating_sub(free.len());
        if moved > 0 {
            let (clip, channel) = (self.clip, track.channel.index);
            self.diagnostics.info(
                "ANIMATION_DUPLICATE_TARGETS",
                format_args!("/animations/{clip}/channels/{channel}"),
                match moved {
                    1 => "a node that places the mesh has a channel of its own".to_owned(),
                    _ => format!("{moved} nodes that place the mesh have channels of their own"),
                },
                "that one moves them",
            );
        }
        free
    }

    pub(super) fn read_property(
        &mut self,
        track: Track<'_>,
        target: PropertyTarget,
    ) -> Option<Result<(), TrackError>> {
        let mut track = track;
        if matches!(target, PropertyTarget::Visibility(_)) {
            track.interpolation = self.check_flags(track)?;
        }
        let Settled {
            timeline, values, ..
        } = match target.width() {
            1 => self.scalars(track)?,
            2 => self.numbers::<2>(track, Type::Vec2)?,
            3 => self.numbers::<3>(track, Type::Vec3)?,
            _ => self.numbers::<4>(track, Type::Vec4)?,
        };
        let values = self.without_signs(track, target, values)?;
        self.check_legal(track, target, &values);
        let interpolation = track.interpolation;
        Some(
            self.builder
                .property(target, timeline, interpolation, values),
        )
    }

    /// What is said of a channel that hides and shows: its values are no numbers, but yes and no. The result is how it is
    /// played; none if it cannot be.
    fn check_flags(&mut self, track: Track<'_>) -> Option<Interpolation> {
        let (clip, sampler) = (self.clip, track.channel.sampler_index);
        let pointer = format_args!("/animations/{clip}/samplers/{sampler}");
        if track.interpolation != Interpolation::Step {
            let pointer = format_args!("{pointer}/interpolation");
            let message = "there is nothing between hidden and shown: it must be STEP";
            let is_spline = track.interpolation == Interpolation::CubicSpline;
            let action = if is_spline {
                DROPPED
            } else {
                "each key holds until the next"
            };
            self.diagnostics
                .error("VALUE_NOT_IN_LIST", pointer, message, action);
            if is_spline {
                return None;
            }
        }
        let output = track.channel.sampler.output.value();
        let accessor = self.source.accessors.get(output);
        let component = accessor.map_or(ComponentType::U8, |accessor| accessor.component);
        if component != ComponentType::U8 {
            let found = component_name(component);
            let message = format!(
                "accessor {output} has components of type {found}; yes and no must be UNSIGNED_BYTE"
            );
            let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT";
            let pointer = format_args!("{pointer}/output");
            let action = "what is not 0 is shown";
            self.diagnostics.error(code, pointer, message, action);
        }
        Some(Interpolation::Step)
    }

    /// What is played of the sides of a parallel projection: a negative one counts as positive, as in the camera itself. That is
    /// so of keys: between one of each sign, no side passes 0.
    fn without_signs(
        &mut self,
        track: Track<'_>,
        target: PropertyTarget,
        values: Arc<[f32]>,
    ) -> Option<Arc<[f32]>> {
        let is_side = matches!(
            target,
            PropertyTarget::Camera(_, CameraProperty::HalfWidth | CameraProperty::HalfHeight)
        );
        let interpolation = track.interpolation;
        let value = interpolation.place(0, KeyPart::Value);
        let is_negative = |key: &[f32]| key.get(value).is_some_and(|value| *value < 0.0);
        let keys = values.chunks(interpolation.parts_per_key());
        let count = keys.filter(|key| is_side && is_negative(key)).count();
        if count == 0 {
            return Some(values);
        }
        self.charge(track, values.len(), size_of::<f32>())?;
        let mut sides = values.to_vec();
        for key in sides.chunks_mut(interpolation.parts_per_key()) {
            if is_negative(key) {
                // The tangents of a spline change their sides with it.
                for number in key {
                    *number = -*number;
                }
            }
        }
        let (clip, sampler) = (self.clip, track.channel.sampler_index);
        let pointer = format_args!("/animations/{clip}/samplers/{sampler}/output");
        let keys = counted(count, "key has", "keys have");
        let message = format!("{keys} a negative xmag or ymag, which should not be used");
        let code = "CAMERA_XMAG_YMAG_NEGATIVE";
        let action = "it counts as positive at its key";
        self.diagnostics.warning(code, pointer, message, action);
        Some(sides.into())
    }

    /// Says how many values there are that a property may not have.
    fn check_legal(&mut self, track: Track<'_>, target: PropertyTarget, values: &[f32]) {
        if matches!(target, PropertyTarget::Visibility(_)) {
            return;
        }
        let is_legal = target.is_legal();
        let is_fov = matches!(target, PropertyTarget::Camera(_, CameraProperty::FovY));
        let (mut illegal, mut too_wide) = ((0_usize, 0.0), (0_usize, 0.0));
        let vectors = values.chunks(target.width().max(1)).enumerate();
        for (_, vector) in vectors.filter(|(place, _)| !track.is_tangent(*place, 1)) {
            let Some(&number) = vector.iter().find(|number| !is_legal(**number)) else {
                continue;
            };
            let is_too_wide = is_fov && number >= PI;
            let (count, first) = if is_too_wide {
                &mut too_wide
            } else {
                &mut illegal
            };
            if *count == 0 {
                *first = number;
            }
            *count = count.saturating_add(1);
        }
        let (clip, sampler) = (self.clip, track.channel.sampler_index);
        let pointer = format_args!("/animations/{clip}/samplers/{sampler}/output");
        let action = "the nearest that it may have is used";
        let keys = |count| counted(count, "key has a value", "keys have values");
        if let (count @ 1.., first) = illegal {
            let keys = keys(count);
            let message = format!("{keys} that the property may not have, such as {first}");
            self.diagnostics
                .error("VALUE_NOT_IN_RANGE", pointer, message, action);
        }
        // It should be less than π, and need not (glTF 2.0 §5.14): said as it is of the camera itself.
        if let (count @ 1.., first) = too_wide {
            let message = format!("{} not less than pi, such as {first}", keys(count));
            let fault = Fault::warning("CAMERA_YFOV_GEQUAL_PI", message);
            self.diagnostics.fault(fault, pointer, action);
        }
    }
}

/// The pointer of a channel that has one.
fn named(track: Track<'_>) -> String {
    let pointer = track.channel.pointer.as_deref();
    shorten(pointer.unwrap_or_default()).to_string()
}
