//! What the viewer shows: our own data, independent of glTF's file form and of any GPU.
//!
//! Everything here is checked when it is made ([`crate::import`] does that) and then trusted: indices are in range,
//! arrays that belong together have equal lengths, parents stand before their children, keys are sorted.
//!
//! Reading order: [`Transform`] → [`Hierarchy`] → [`Mesh`] → [`Material`] → [`Skin`] → [`Clip`].
//!
//! Meshes, skins, materials, textures, images, clips, cameras and lights keep the index that they have in the file, so that
//! an index in a message means the same thing to the reader of the file. Nodes are the exception: see [`NodeId`].

use std::{ffi::OsStr, path::Path, sync::Arc};

mod bounds;
mod camera;
mod clip;
mod colors;
mod deltas;
mod euler;
mod facing;
mod hierarchy;
mod humanoid;
mod indices;
mod keyed;
mod length;
mod light;
mod material;
mod mesh;
mod metadata;
mod namesakes;
mod panorama;
#[cfg(test)]
#[path = "../../tests/common/processor_time.rs"]
pub(crate) mod processor_time;
mod property;
mod shortened;
mod skin;
mod transform;
mod vertex_set;

pub use bounds::Aabb;
pub use camera::{Camera, Projection};
pub use clip::{
    ChannelCounts, Clip, ClipBuilder, Interpolation, KeyPart, MeshChannel, Moved, Timeline, Track,
    TrackError, TrackHead, UnreadChannels,
};
pub use colors::Colors;
pub use deltas::Deltas;
pub use euler::{euler_degrees, euler_degrees_near, from_euler_degrees};
pub use facing::Facing;
pub use hierarchy::{Hierarchy, HierarchyError, Node, NodeId};
pub use humanoid::{BodySide, Finger, HumanBone, HumanJoint};
pub use indices::Indices;
pub use keyed::Keyed;
pub use length::{Factor, Length};
pub use light::{Light, LightKind};
pub use material::{
    AlphaMode, Anisotropy, BlockFormats, Clearcoat, DiffuseTransmission, Filter, Image,
    Iridescence, Material, MipFilter, NormalTexture, OcclusionTexture, Sampler, Sheen, Specular,
    SpecularGlossiness, TexelFormat, Texture, TextureRef, TextureTransform, Transmission, Volume,
    Wrap, rgba_of_grey, rgba_of_rgb,
};
pub use mesh::{Influences, Mesh, MorphTarget, Primitive, Topology, VariantMaterial, Vertices};
pub use metadata::{Metadata, Note, Owner};
pub use namesakes::{
    counted_names, distinct_name, free_name, name_or, numbered_names, pair_again, pair_by_name,
    shared_names,
};
pub(crate) use panorama::footprint;
pub use panorama::{HalvingPanorama, Panorama, dimmed_to};
pub(crate) use property::names as property_names;
pub use property::{
    CameraProperty, LightProperty, MaterialProperty, NamedNumbers, PropertyTarget, PropertyTrack,
    PropertyValues, SeenLayers, TextureSlot, TransformProperty,
};
pub use shortened::shortened;
pub use skin::Skin;
pub use transform::{Transform, is_mirroring, mean_stretch, unit_rotation};
pub use vertex_set::VertexSet;

/// A loaded glTF asset.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The file's name without its folder; on the command line with it, as it was typed.
    pub name: String,
    /// What the file says about itself.
    pub asset: AssetInfo,
    /// All nodes of the file, whichever scene shows them.
    pub hierarchy: Hierarchy,
    /// All meshes; one that could not be read is there with no primitives. Shared, since a model's copy for another thread
    /// must not cost its vertices.
    pub meshes: Arc<Vec<Mesh>>,
    /// All skins.
    pub skins: Vec<Skin>,
    /// All materials of the file, and the default material (glTF 2.0 §3.9.6) as the last one.
    pub materials: Vec<Material>,
    /// Names of the variants that primitives may have other materials in (`KHR_materials_variants`).
    pub variants: Vec<String>,
    /// All textures.
    pub textures: Vec<Texture>,
    /// All images, decoded; shared, like meshes.
    pub images: Arc<Vec<Image>>,
    /// All animations.
    pub clips: Vec<Clip>,
    /// All cameras.
    pub cameras: Vec<Camera>,
    /// All lights.
    pub lights: Vec<Light>,
    /// All scenes. A file without any has one made of all root nodes.
    pub scenes: Vec<Scene>,
    /// Which nodes the file calls bones of a person (VRM), each bone once, but for those of the spine.
    pub human_joints: Vec<HumanJoint>,
    /// Which way the model looks.
    pub facing: Facing,
    /// What the file says beyond that.
    pub metadata: Metadata,
    /// Bytes that all this was made of: those of its files, as far as they were read, and what was compressed in them,
    /// unpacked. What takes far more than that to be drawn says the same over and over.
    pub data_bytes: u64,
    /// Index of the scene to show first.
    pub default_scene: usize,
}

/// The `asset` object of a file, and the extensions it names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetInfo {
    /// glTF version, such as "2.0".
    pub version: String,
    /// The tool that wrote the file.
    pub generator: Option<String>,
    /// Whom to credit.
    pub copyright: Option<String>,
    /// `extensionsUsed`, in file order.
    pub extensions_used: Vec<String>,
    /// `extensionsRequired`, in file order.
    pub extensions_required: Vec<String>,
}

/// A set of root nodes that are shown together (glTF 2.0 §3.5.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scene {
    /// The scene's name, or empty.
    pub name: String,
    /// Its root nodes.
    pub roots: Vec<NodeId>,
}

impl Model {
    /// Adds clips. Nodes that they move lose exact matrices, which cannot be moved.
    pub fn append_clips(&mut self, clips: Vec<Clip>) {
        for clip in &clips {
            for node in clip.placed_nodes() {
                self.hierarchy.let_move(node);
            }
        }
        self.clips.extend(clips);
    }

    /// A name to show for a clip: its own, or `clip 3`; where several are called so, `Walk (clip 3)`.
    pub fn clip_name(&self, clip: usize) -> String {
        let name = self.clips.get(clip).map_or("", Clip::name);
        let same = self.clips.iter().filter(|other| other.name() == name);
        distinct_name(name, ("clip", clip), same.take(2).count() > 1)
    }

    /// What a file calls a clip, or what it is if it has no name.
    pub fn own_clip_name(&self, clip: usize) -> String {
        match self.clips.get(clip).map_or("", Clip::name) {
            "" => self.clip_name(clip),
            name => name.to_owned(),
        }
    }

    /// The names to show in a list of all clips, beside which no index is read: where several are called so, `Walk (2nd)`.
    pub fn clip_names(&self) -> Vec<String> {
        numbered_names(self.clips.iter().map(Clip::name), "clip")
    }

    /// How long a clip is, in seconds; 0 without one, as for the file's own pose.
    pub fn clip_secs(&self, clip: Option<usize>) -> f64 {
        let clip = clip.and_then(|clip| self.clips.get(clip));
        clip.map_or(0.0, |clip| f64::from(clip.duration_secs()))
    }

    /// For each node, whether it is a joint of any skin.
    pub fn joint_nodes(&self) -> Vec<bool> {
        let mut is_joint = vec![false; self.hierarchy.len()];
        for joint in self.skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.index()] = true;
        }
        is_joint
    }

    /// For each node, whether `scene` shows it.
    pub fn nodes_in_scene(&self, scene: usize) -> Vec<bool> {
        let mut shown = vec![false; self.hierarchy.len()];
        if let Some(scene) = self.scenes.get(scene) {
            for root in &scene.roots {
                shown[root.index()] = true;
            }
        }
        for (id, node) in self.hierarchy.iter() {
            if let Some(parent) = node.parent {
                shown[id.index()] |= shown[parent.index()];
            }
        }
        shown
    }

    /// For each node, whether `scene` shows it at any time: as the file has it, or because a clip says so.
    pub fn nodes_ever_shown(&self, scene: usize) -> Vec<bool> {
        let mut is_revealed = vec![false; self.hierarchy.len()];
        for node in self.nodes_shown_by_clips() {
            is_revealed[node.index()] = true;
        }
        let mut shown = self.nodes_in_scene(scene);
        let mut is_never = vec![false; self.hierarchy.len()];
        for (id, node) in self.hierarchy.iter() {
            let is_parent_never = node.parent.is_some_and(|parent| is_never[parent.index()]);
            is_never[id.index()] = is_parent_never || (node.is_hidden && !is_revealed[id.index()]);
            shown[id.index()] &= !is_never[id.index()];
        }
        shown
    }

    /// The nodes that clips show or hide, some of them several times.
    pub fn nodes_shown_by_clips(&self) -> impl Iterator<Item = NodeId> + '_ {
        let tracks = self.clips.iter().flat_map(Clip::properties);
        tracks.filter_map(|track| match track.target() {
            PropertyTarget::Visibility(node) => Some(node),
            _ => None,
        })
    }

    /// The primitives of all meshes.
    pub fn primitives(&self) -> impl Iterator<Item = &Primitive> + Clone {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }

    /// The file's name without its folder.
    pub fn file_name(&self) -> &str {
        let name = Path::new(&self.name).file_name();
        name.and_then(OsStr::to_str).unwrap_or(&self.name)
    }

    /// For each material, whether a primitive names it, in any variant.
    pub fn named_materials(&self) -> Vec<bool> {
        let mut is_named = vec![false; self.materials.len()];
        for material in self.primitives().flat_map(Primitive::materials) {
            is_named[material] = true;
        }
        is_named
    }

    /// Number of copies of meshes that nodes place by instancing.
    pub fn instance_count(&self) -> usize {
        let nodes = self.hierarchy.nodes().iter();
        nodes.map(|node| node.node_from_instances.len()).sum()
    }

    /// Number of triangles of all meshes together, each counted once however often it is placed.
    pub fn triangle_count(&self) -> usize {
        self.primitives().map(Primitive::triangle_count).sum()
    }

    /// Number of vertices of all meshes together, each counted once however often it is placed.
    pub fn vertex_count(&self) -> usize {
        self.primitives().map(Primitive::file_vertex_count).sum()
    }
}
