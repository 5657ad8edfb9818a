//! Three forms of forward kinematics, which must agree: the mathematics under every skinned model.
//!
//! A rigid chain has joints 0, 1, 2, …, each the child of the one before. In the mesh's space the rest position of joint
//! i is xᵢ, and at rest all joints are unturned. A pose gives each joint a rotation qᵢ relative to its parent p.
//!
//! **(a) Absolute rotation and translation about rest positions.** Write what joint i does to a point v of the mesh as
//! v ↦ Qᵢ v + tᵢ. Two things determine it. The joint turns with its parent and then by its own rotation within it:
//!
//! > Qᵢ = Qₚ qᵢ
//!
//! and the joint lands where its parent takes it, Qᵢ xᵢ + tᵢ = Qₚ xᵢ + tₚ, for the place at which two bones meet is one
//! point of both:
//!
//! > tᵢ = Qₚ xᵢ + tₚ − Qᵢ xᵢ
//!
//! The root turns about its own place: t₀ = x₀ − Q₀ x₀. For a child of the root, tₚ = xₚ − Qₚ xₚ, so
//!
//! > tᵢ = −Qᵢ xᵢ + Qₚ xᵢ − Qₚ xₚ + xₚ
//!
//! That closed form is often quoted for every joint. It is wrong deeper down, where the parent's own pivot has moved and
//! tₚ is no longer xₚ − Qₚ xₚ.
//!
//! **(b) Local matrices, parent first.** As glTF has it: joint i is translated by xᵢ − xₚ and turned by qᵢ within its
//! parent, so `world_from_joint(i)` = `world_from_joint(p)` · T(xᵢ − xₚ) · R(qᵢ), and takes v − xᵢ to where v goes.
//! By induction T and R of (b) are those of (a): `world_from_joint(i)` · T(−xᵢ) = (Qᵢ, tᵢ) follows from
//! (Qᵢ, tᵢ) = (Qₚ, tₚ) · T(xᵢ) · R(qᵢ) · T(−xᵢ), whose translation is Qₚ xᵢ + tₚ − Qᵢ xᵢ.
//!
//! **(c) The palette.** `joint_from_mesh(i)` = T(−xᵢ), and `world_from_joint` · `joint_from_mesh` is applied to v.

use glam::{Affine3A, DQuat, DVec3, Quat, Vec3};
use rigscope::anim::{Palette, PaletteLayout, Pose, skinning};
use rigscope::model::{
    Hierarchy, Influences, Mesh, Model, Node, NodeId, Primitive, Scene, Skin, Transform, Vertices,
};

use crate::rng::Rng;

const JOINTS: usize = 50;
/// Rest vertices around each joint.
const VERTICES: usize = 4;

/// A chain at rest, and a pose of it.
struct Chain {
    rest_positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    /// `VERTICES` for each joint, which moves them rigidly.
    vertices: Vec<Vec3>,
    /// For each joint its node's index in the file: parents need not come first there.
    nodes: Vec<usize>,
    /// For each joint its place in the skin: any order will do.
    slots: Vec<usize>,
}

impl Chain {
    fn random(rng: &mut Rng) -> Self {
        let mut rest_positions = vec![rng.vec3(2.0)];
        for _ in 1..JOINTS {
            let bone = rng.rotation() * Vec3::X * rng.float(0.05, 1.0);
            rest_positions.push(rest_positions[rest_positions.len() - 1] + bone);
        }
        let around = rest_positions.iter().flat_map(|&joint| [joint; VERTICES]);
        Self {
            vertices: around.map(|joint| joint + rng.vec3(0.5)).collect(),
            rotations: (0..JOINTS).map(|_| rng.rotation()).collect(),
            nodes: rng.permutation(JOINTS),
            slots: rng.permutation(JOINTS),
            rest_positions,
        }
    }

    fn length(&self) -> f64 {
        let bones = self.rest_positions.windows(2);
        bones.map(|ends| f64::from(ends[0].distance(ends[1]))).sum()
    }

    /// Form (a) in double precision, with a choice of the translation of joints below the root.
    fn absolute(&self, translation: impl Fn(&Parent, DVec3, DQuat) -> DVec3) -> Vec<DVec3> {
        let mut moved = Vec::new();
        // The root's parent does nothing, to itself or to anything.
        let mut parent = Parent {
            rest_position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            translation: DVec3::ZERO,
        };
        for (joint, x) in self.rest_positions.iter().map(|x| x.as_dvec3()).enumerate() {
            let rotation = parent.rotation * self.rotations[joint].as_dquat().normalize();
            let translation = translation(&parent, x, rotation);
            let vertices = &self.vertices[joint * VERTICES..][..VERTICES];
            moved.extend(
                vertices
                    .iter()
                    .map(|v| rotation * v.as_dvec3() + translation),
            );
            parent = Parent {
                rest_position: x,
                rotation,
                translation,
            };
        }
        moved
    }

    /// The chain as a model with one skinned mesh, whose node is somewhere else to show that this does not matter.
    fn model(&self) -> Model {
        let at = |translation| Transform {
            translation,
            ..Transform::IDENTITY
        };
        let mut nodes = vec![Node::default(); JOINTS];
        let mut parents = vec![None; JOINTS + 1];
        let mut before = Vec3::ZERO;
        for (joint, &x) in self.rest_positions.iter().enumerate() {
            nodes[self.nodes[joint]].rest = at(x - before);
            parents[self.nodes[joint]] = joint.checked_sub(1).map(|parent| self.nodes[parent]);
            before = x;
        }
        nodes.push(Node {
            rest: at(Vec3::splat(100.0)),
            mesh: Some(0),
            skin: Some(0),
            ..Node::default()
        });
        let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); JOINTS + 1]).unwrap();
        let mut skin = Skin {
            joints: vec![NodeId(0); JOINTS],
            joint_from_mesh: vec![Affine3A::IDENTITY; JOINTS],
            ..Skin::default()
        };
        for (joint, &slot) in self.slots.iter().enumerate() {
            skin.joints[slot] = self.node(&hierarchy, joint);
            skin.joint_from_mesh[slot] = Affine3A::from_translation(-self.rest_positions[joint]);
        }
        let influences = Influences {
            per_vertex: 4,
            joints: (0..self.vertices.len())
                .flat_map(|vertex| [self.slots[vertex / VERTICES] as u16, 0, 0, 0])
                .collect(),
            weights: [1.0, 0.0, 0.0, 0.0].repeat(self.vertices.len()),
        };
        let primitive = Primitive {
            vertices: Vertices {
                positions: self.vertices.clone(),
                ..Vertices::default()
            },
            influences: Some(influences),
            ..Primitive::default()
        };
        let mesh = Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        };
        let roots = hierarchy.iter().filter(|(_, node)| node.parent.is_none());
        let scene = Scene {
            roots: roots.map(|(id, _)| id).collect(),
            ..Scene::default()
        };
        Model {
            meshes: vec![mesh].into(),
            skins: vec![skin],
            scenes: vec![scene],
            hierarchy,
            ..Model::default()
        }
    }

    fn node(&self, hierarchy: &Hierarchy, joint: usize) -> NodeId {
        hierarchy.by_file_index(self.nodes[joint]).unwrap()
    }

    fn pose(&self, hierarchy: &Hierarchy) -> Pose {
        let mut pose = Pose::new(hierarchy);
        for (joint, &rotation) in self.rotations.iter().enumerate() {
            pose.locals[self.node(hierarchy, joint).index()].rotation = rotation;
        }
        pose.update_world(hierarchy, Affine3A::IDENTITY);
        pose
    }
}

/// What form (a) knows of the joint before.
struct Parent {
    rest_position: DVec3,
    rotation: DQuat,
    translation: DVec3,
}

/// tᵢ = Qₚ xᵢ + tₚ − Qᵢ xᵢ
fn lands_where_its_parent_takes_it(parent: &Parent, x: DVec3, rotation: DQuat) -> DVec3 {
    parent.rotation * x + parent.translation - rotation * x
}

/// tᵢ = −Qᵢ xᵢ + Qₚ xᵢ − Qₚ xₚ + xₚ
fn closed_form(parent: &Parent, x: DVec3, rotation: DQuat) -> DVec3 {
    let pivot = parent.rest_position;
    parent.rotation * x - rotation * x - parent.rotation * pivot + pivot
}

/// Form (b): each vertex from its joint's space, through the crate's world matrices.
fn concatenated(chain: &Chain, model: &Model) -> Vec<DVec3> {
    let pose = chain.pose(&model.hierarchy);
    let moved = chain.vertices.iter().enumerate().map(|(vertex, &v)| {
        let joint = vertex / VERTICES;
        let node = chain.node(&model.hierarchy, joint);
        pose.world[node.index()].transform_point3(v - chain.rest_positions[joint])
    });
    moved.map(Vec3::as_dvec3).collect()
}

/// Form (c): the rest vertices through the crate's palette and skinning.
fn through_the_palette(chain: &Chain, model: &Model) -> Vec<DVec3> {
    let layout = PaletteLayout::new(model, 0);
    let mut palette = Palette::default();
    palette.clear(&layout, 1);
    palette.push(model, &layout, &chain.pose(&model.hierarchy));
    let mut moved = Vec::new();
    skinning::for_each_posed_vertex(model, &layout, &palette, 0, |v| moved.push(v.as_dvec3()));
    moved
}

/// The largest distance between vertices of the joints `range`.
fn worst(a: &[DVec3], b: &[DVec3], joints: std::ops::Range<usize>) -> f64 {
    assert_eq!(a.len(), b.len());
    let vertices = joints.start * VERTICES..joints.end * VERTICES;
    let pairs = a[vertices.clone()].iter().zip(&b[vertices]);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn three_forms_of_forward_kinematics_agree() {
    let mut worst_of_all = [0.0_f64; 3];
    for seed in 0..200 {
        let chain = Chain::random(&mut Rng::new(seed));
        let model = chain.model();
        let a = chain.absolute(lands_where_its_parent_takes_it);
        let b = concatenated(&chain, &model);
        let c = through_the_palette(&chain, &model);
        assert_eq!(a.len(), JOINTS * VERTICES);
        let all = 0..JOINTS;
        let errors = [(&a, &b), (&a, &c), (&b, &c)]
            .map(|(one, other)| worst(one, other, all.clone()) / chain.length());
        for (worst, error) in worst_of_all.iter_mut().zip(errors) {
            *worst = worst.max(error);
        }
    }
    let [ab, ac, bc] = worst_of_all;
    println!(
        "200 chains of {JOINTS}: a-b {ab:.1e}, a-c {ac:.1e}, b-c {bc:.1e} of the chain's length"
    );
    assert!(
        worst_of_all.iter().all(|error| *error < 1e-5),
        "{worst_of_all:?}"
    );
}

#[test]
fn the_closed_form_is_right_for_children_of_the_root_and_wrong_deeper_down() {
    for seed in 0..20 {
        let chain = Chain::random(&mut Rng::new(seed));
        let right = chain.absolute(lands_where_its_parent_takes_it);
        let quoted = chain.absolute(closed_form);
        assert!(worst(&right, &quoted, 0..2) < 1e-12);
        assert!(worst(&right, &quoted, 2..JOINTS) > 0.1);
    }
}

#[test]
fn a_chain_at_rest_leaves_its_vertices_alone() {
    let mut chain = Chain::random(&mut Rng::new(7));
    chain.rotations.fill(Quat::IDENTITY);
    let rest: Vec<DVec3> = chain.vertices.iter().map(|v| v.as_dvec3()).collect();
    let moved = through_the_palette(&chain, &chain.model());
    assert!(worst(&rest, &moved, 0..JOINTS) < 1e-5 * chain.length());
}
