//! Views for inspection: what may be drawn instead of the lit surface, and lines over it.

mod influences;
mod inspectable;
mod surface_lines;
mod weight_colors;

pub use influences::{VertexInfluence, influences_at, joint_carrying, joint_color};
pub use inspectable::Inspectable;
pub use surface_lines::SurfaceLines;
pub use weight_colors::WeightColors;

use crate::{
    anim::{PaletteLayout, Placement},
    model::{Keyed, Model, NodeId},
};

/// What the picture shows of the surface. The numbers are those of `VIEW` in `shaders/views.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u32)]
pub enum ViewMode {
    /// The surface in light, as it is meant.
    #[default]
    Lit = 0,
    /// Base colour with its texture and the vertex colours, unlit.
    BaseColor,
    /// Alpha of the base colour: black is 0, white is 1.
    Alpha,
    /// The vertex colours.
    VertexColor,
    /// The normal that light sees, bent by the normal map: x, y, z of the world as red, green, blue, −1..1 as 0..255.
    Normal,
    /// The interpolated normal of the vertices, in the same colours.
    GeometricNormal,
    /// The direction of growing u on the surface, in the same colours; grey where there is none.
    Tangent,
    /// The first set of texture coordinates: u as red, v as green, a chequer of eighths.
    Uv,
    /// Metalness: black is 0, white is 1.
    Metallic,
    /// Perceptual roughness: black is 0, white is 1.
    Roughness,
    /// Occlusion: white is open.
    Occlusion,
    /// What the surface emits.
    Emissive,
    /// Distance from the eye: white at the near end of the model, black at its far end.
    Depth,
    /// The edges of all triangles over a clay surface.
    Wireframe,
    /// Front faces blue, back faces red; both are drawn.
    Faces,
    /// How many joints move each vertex.
    Influences,
    /// Each vertex in the colour of the joint that moves it most.
    Joints,
    /// How much the chosen joint moves each vertex.
    Weights,
    /// How often each pixel is drawn: the brighter, the more often.
    Overdraw,
    /// How far linear blend skinning and dual quaternions place each vertex from one another.
    SkinningDifference,
    /// How much of the surface has a clear coat: black is none.
    Clearcoat,
    /// Perceptual roughness of the clear coat; black where there is none.
    ClearcoatRoughness,
    /// Colour of the sheen; black where there is none.
    Sheen,
    /// Perceptual roughness of the sheen; black where there is none.
    SheenRoughness,
    /// How much of their usual reflection dielectrics have: white is all, as where the material says nothing.
    Specular,
    /// The factor on what dielectrics reflect at normal incidence: white where the material says nothing. By specular and
    /// glossiness what the surface reflects.
    SpecularColor,
    /// How much of the light that is not reflected passes through: black is none.
    Transmission,
    /// How much of the scattered light leaves at the other side: black is none.
    DiffuseTransmission,
    /// Colour of the light that is scattered to the other side; black where none is.
    DiffuseTransmissionColor,
    /// How much of the surface has a thin film: black is none.
    Iridescence,
    /// How much highlights are drawn out: black is not at all.
    Anisotropy,
}

/// What is drawn of the surface and over it, and of which joint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Inspection {
    /// What is drawn.
    pub mode: ViewMode,
    /// And over it.
    pub lines: SurfaceLines,
    /// The joint that [`ViewMode::Weights`] is about.
    pub joint: JointPlaces,
    /// Colours of [`ViewMode::Weights`].
    pub colors: WeightColors,
    /// The distance in world units that [`ViewMode::SkinningDifference`] draws in the last of its colours, which are
    /// [`WeightColors::Viridis`].
    pub difference_scale: f32,
    /// How long normals are as lines, in world units.
    pub normal_length: f32,
    /// Distances from the eye that [`ViewMode::Depth`] draws white and black.
    pub depth_range: [f32; 2],
}

/// The distance that is drawn in the last colour for a model of this size: 1, 2 or 5 times a power of ten, at least a
/// hundredth of it, so that one scale does for all poses of a model.
pub fn difference_scale(size: f32) -> f32 {
    let least = f64::from(size) / 100.0;
    if !(least > 0.0 && least.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powi(least.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps
        .into_iter()
        .find(|step| step * power >= least * (1.0 - 1e-6));
    (step.unwrap_or(10.0) * power) as f32
}

/// In how many skins and on how many meshes of one model a node is looked for.
const MAX_PLACES: usize = 8;

/// Where a node's matrices are in each instance's share of the palette: one for each skin that has it as a joint, and its
/// own if it carries a mesh, or those of all copies of that mesh. A joint has those of the meshes that hang on it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JointPlaces {
    ranges: [[u32; 2]; MAX_PLACES],
    len: usize,
}

impl JointPlaces {
    /// The places of `node`. Of a joint of more than eight skins and meshes the first eight.
    pub fn of(model: &Model, layout: &PaletteLayout, node: NodeId) -> Self {
        let in_skins = layout.skins().iter().filter_map(|slot| {
            let joints = &model.skins[slot.skin].joints;
            let joint = joints.iter().position(|joint| *joint == node)?;
            Some([slot.first + joint as u32, 1])
        });
        let carried = carried_by(model, node);
        let is_moved =
            |it: &Placement| it.node == node || it.skin.is_none() && carried[it.node.index()];
        let moved = layout.placements().iter().filter(|it| is_moved(it));
        let of_meshes = moved.filter_map(|it| Some([it.rigid?, it.copies]));
        let mut this = Self::default();
        for range in in_skins.chain(of_meshes) {
            let last = this.ranges[..this.len].last_mut();
            if let Some(last) = last.filter(|last| last[0] + last[1] == range[0]) {
                last[1] += range[1];
            } else if this.len < MAX_PLACES {
                this.ranges[this.len] = range;
                this.len += 1;
            }
        }
        this
    }

    /// The place of the first and the number of those that follow one another, it included.
    pub fn ranges(&self) -> &[[u32; 2]] {
        &self.ranges[..self.len]
    }
}

/// For each node whether a mesh on it is moved by `node` as by a joint: it hangs on it, and on no other joint nearer by
/// ([`super::joint_carrying`]). Nobody hangs so on what is no joint.
fn carried_by(model: &Model, node: NodeId) -> Vec<bool> {
    let is_joint = model.joint_nodes();
    let mut carried = vec![false; model.hierarchy.len()];
    for (id, data) in model.hierarchy.iter() {
        carried[id.index()] = if is_joint[id.index()] {
            id == node
        } else {
            data.parent.is_some_and(|parent| carried[parent.index()])
        };
    }
    carried
}

impl Keyed for ViewMode {
    const ALL: &'static [Self] = &[
        Self::Lit,
        Self::Wireframe,
        Self::Faces,
        Self::BaseColor,
        Self::Alpha,
        Self::VertexColor,
        Self::Metallic,
        Self::Roughness,
        Self::Occlusion,
        Self::Emissive,
        Self::Clearcoat,
        Self::ClearcoatRoughness,
        Self::Sheen,
        Self::SheenRoughness,
        Self::Specular,
        Self::SpecularColor,
        Self::Transmission,
        Self::DiffuseTransmission,
        Self::DiffuseTransmissionColor,
        Self::Iridescence,
        Self::Anisotropy,
        Self::Normal,
        Self::GeometricNormal,
        Self::Tangent,
        Self::Uv,
        Self::Weights,
        Self::Joints,
        Self::Influences,
        Self::SkinningDifference,
        Self::Depth,
        Self::Overdraw,
    ];

    fn key(self) -> &'static str {
        match self {
            Self::Lit => "lit",
            Self::BaseColor => "base-color",
            Self::Alpha => "alpha",
            Self::VertexColor => "vertex-color",
            Self::Normal => "normal",
            Self::GeometricNormal => "geometric-normal",
            Self::Tangent => "tangent",
            Self::Uv => "uv",
            Self::Metallic => "metallic",
            Self::Roughness => "roughness",
            Self::Occlusion => "occlusion",
            Self::Emissive => "emissive",
            Self::Clearcoat => "clearcoat",
            Self::ClearcoatRoughness => "clearcoat-roughness",
            Self::Sheen => "sheen",
            Self::SheenRoughness => "sheen-roughness",
            Self::Specular => "specular",
            Self::SpecularColor => "specular-color",
            Self::Transmission => "transmission",
            Self::DiffuseTransmission => "diffuse-transmission",
            Self::DiffuseTransmissionColor => "diffuse-transmission-color",
            Self::Iridescence => "iridescence",
            Self::Anisotropy => "anisotropy",
            Self::Depth => "depth",
            Self::Wireframe => "wireframe",
            Self::Faces => "faces",
            Self::Influences => "influences",
            Self::Joints => "joints",
            Self::Weights => "weights",
            Self::Overdraw => "overdraw",
            Self::SkinningDifference => "skinning-difference",
        }
    }
}

impl ViewMode {
    /// Whether it shows what extensions of glTF lay over a material, or change of what it is made of.
    pub fn is_about_layers(self) -> bool {
        matches!(
            self,
            Self::Clearcoat
                | Self::ClearcoatRoughness
                | Self::Sheen
                | Self::SheenRoughness
                | Self::Specular
                | Self::SpecularColor
                | Self::Transmission
                | Self::DiffuseTransmission
                | Self::DiffuseTransmissionColor
                | Self::Iridescence
                | Self::Anisotropy
        )
    }

    /// Whether it shows what joints do.
    pub fn is_about_joints(self) -> bool {
        matches!(self, Self::Weights | Self::Joints | Self::Influences)
    }

    /// Whether it draws both sides of every face, also where the material has only one: what such a view is about is from
    /// which side a face is seen.
    pub fn shows_both_sides(self) -> bool {
        self == Self::Faces
    }

    /// Whether it draws what the alpha of a material cuts out: the whole mesh.
    pub fn shows_cut_outs(self) -> bool {
        self == Self::Wireframe
    }

    /// What its colours stand for where they are few, as on the screen (sRGB, 0..1). Twins: `count_color` and `face_color` in
    /// `shaders/views.wgsl`.
    pub fn swatches(self) -> &'static [(&'static str, [f32; 3])] {
        match self {
            Self::Influences => &[
                ("0", [0.45, 0.45, 0.45]),
                ("1", [0.20, 0.55, 0.85]),
                ("2", [0.25, 0.70, 0.40]),
                ("3", [0.90, 0.80, 0.25]),
                ("4", [0.90, 0.45, 0.15]),
                ("more", [0.80, 0.20, 0.70]),
            ],
            Self::Faces => &[("front", [0.25, 0.45, 0.90]), ("back", [0.85, 0.22, 0.20])],
            _ => &[],
        }
    }

    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::Lit => "Lit",
            Self::BaseColor => "Base colour",
            Self::Alpha => "Alpha",
            Self::VertexColor => "Vertex colours",
            Self::Normal => "Shading normals",
            Self::GeometricNormal => "Vertex normals",
            Self::Tangent => "Tangents",
            Self::Uv => "UV chequer",
            Self::Metallic => "Metallic",
            Self::Roughness => "Roughness",
            Self::Occlusion => "Occlusion",
            Self::Emissive => "Emissive",
            Self::Clearcoat => "Clear coat",
            Self::ClearcoatRoughness => "Clear coat's roughness",
            Self::Sheen => "Sheen",
            Self::SheenRoughness => "Sheen's roughness",
            Self::Specular => "Specular strength",
            Self::SpecularColor => "Specular colour",
            Self::Transmission => "Transmission",
            Self::DiffuseTransmission => "Diffuse transmission",
            Self::DiffuseTransmissionColor => "Diffuse transmission's colour",
            Self::Iridescence => "Iridescence",
            Self::Anisotropy => "Anisotropy",
            Self::Depth => "Depth",
            Self::Wireframe => "Wireframe",
            Self::Faces => "Face orientation",
            Self::Influences => "Influences per vertex",
            Self::Joints => "Strongest joint",
            Self::Weights => "Weights of the selected joint",
            Self::Overdraw => "Overdraw",
            Self::SkinningDifference => "Skinning difference",
        }
    }

    /// What it shows, in words.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Lit => "The surface as it is meant",
            Self::BaseColor => "Colour and texture without light",
            Self::Alpha => "Black is see-through, white is solid",
            Self::VertexColor => "Colours that the vertices carry",
            Self::Normal => "With the normal map; x, y, z as red, green, blue",
            Self::GeometricNormal => "Without the normal map; x, y, z as red, green, blue",
            Self::Tangent => "Where u grows; x, y, z as red, green, blue",
            Self::Uv => "u grows in red, v in green; eight squares a tile",
            Self::Metallic => "Black is not metal, white is metal",
            Self::Roughness => "Black is smooth, white is rough",
            Self::Occlusion => "Black is hidden from light, white is open",
            Self::Emissive => "Light that the surface gives",
            Self::Clearcoat => "Black has no clear coat, white all of it",
            Self::ClearcoatRoughness => "Of the clear coat: black is smooth, white is rough",
            Self::Sheen => "Colour of the sheen; black is none",
            Self::SheenRoughness => "Of the sheen: black is smooth, white is rough",
            Self::Specular => "How much of its reflection the non-metal has; white is usual",
            Self::SpecularColor => "Colour of what the non-metal reflects; white is usual",
            Self::Transmission => "Black lets no light through, white all",
            Self::DiffuseTransmission => "Light scattered to the other side; black is none",
            Self::DiffuseTransmissionColor => "Colour of light scattered to the other side",
            Self::Iridescence => "Black has no thin film, white all of it",
            Self::Anisotropy => "How much highlights are drawn out; black is not",
            Self::Depth => "White is near, black is far",
            Self::Wireframe => "The edges of all triangles",
            Self::Faces => "Front faces are blue, back faces red",
            Self::Influences => "How many joints move each vertex",
            Self::Joints => "A colour for the joint that moves each vertex most",
            Self::Weights => "How much the selected joint moves each vertex",
            Self::SkinningDifference => {
                "How far linear blend and dual quaternions place a vertex apart"
            }
            Self::Overdraw => "The brighter, the more often a pixel is drawn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_and_of_the_models_size() {
        for (size, scale) in [
            (100.0, 1.0),
            (101.0, 2.0),
            (1.8, 0.02),
            (0.0, 1.0),
            (f32::NAN, 1.0),
            (4000.0, 50.0),
        ] {
            assert!(
                (difference_scale(size) - scale).abs() <= 1e-6 * scale,
                "{size}: {}",
                difference_scale(size)
            );
        }
    }

    /// A hat on a head is moved by the head as its vertices are.
    #[test]
    fn what_hangs_on_a_joint_has_all_of_its_weight() {
        use crate::model::{Hierarchy, Mesh, Node, Primitive, Scene, Skin};
        let hat = || Node {
            mesh: Some(0),
            ..Node::default()
        };
        // hips, and on them the head, on which a group with two hats lies; and a hat on the ground.
        let nodes = vec![
            Node::default(),
            Node::default(),
            Node::default(),
            hat(),
            hat(),
            hat(),
        ];
        let parents = [None, Some(0), Some(1), Some(2), Some(2), None];
        let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); 6]).unwrap();
        let model = Model {
            hierarchy,
            meshes: vec![Mesh {
                primitives: vec![Primitive::default()],
                ..Mesh::default()
            }]
            .into(),
            skins: vec![Skin {
                joints: vec![NodeId(0), NodeId(1)],
                joint_from_mesh: vec![glam::Affine3A::IDENTITY; 2],
                ..Skin::default()
            }],
            scenes: vec![Scene {
                roots: vec![NodeId(0), NodeId(5)],
                ..Scene::default()
            }],
            ..Model::default()
        };
        let layout = PaletteLayout::new(&model, 0);
        let covers = |node: u32| {
            let places = JointPlaces::of(&model, &layout, NodeId(node));
            let is_covered = |it: &&Placement| {
                let mut ranges = places.ranges().iter();
                ranges.any(|[first, count]| {
                    it.rigid
                        .is_some_and(|at| (*first..first + count).contains(&at))
                })
            };
            let covered = layout.placements().iter().filter(is_covered);
            covered.map(|it| it.node.index()).collect::<Vec<_>>()
        };
        assert_eq!(covers(1), [3, 4]);
        assert_eq!(covers(3), [3]);
        assert!(
            covers(0).is_empty(),
            "the head moves them, and the hips the head"
        );
        assert!(covers(2).is_empty(), "no joint");
    }

    #[test]
    fn all_lists_each_once_by_a_name_of_its_own() {
        for (place, mode) in ViewMode::ALL.iter().copied().enumerate() {
            let mut before = ViewMode::ALL[..place].iter();
            let is_new = before.all(|other| *other != mode && other.key() != mode.key());
            assert!(is_new, "{mode:?} twice");
        }
        let mut numbers: Vec<_> = ViewMode::ALL.iter().map(|mode| *mode as u32).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..31).collect::<Vec<_>>());
    }
}
