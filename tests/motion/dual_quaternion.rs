//! Dual quaternion skinning: against its definition in double precision, on a twisted cylinder, and on the corpus.

use std::{f64::consts::TAU, sync::Arc};

use glam::{Affine3A, DMat3, DQuat, DVec3, DVec4, Mat3, Quat, Vec3};
use rigscope::anim::dual_quaternion::{blend_dual_quaternions, nearest_rotation};
use rigscope::anim::{
    Palette, PaletteLayout, PaletteMatrix, Pose, Skinning, skinning, to_palette_matrix,
};
use rigscope::app::Actor;
use rigscope::cli::pose::{PoseOptions, evaluate};
use rigscope::model::{
    Hierarchy, Influences, Keyed as _, Material, Mesh, Model, Node, Primitive, Scene, Skin,
    Transform, Vertices,
};
use rigscope::render::PoseVertices;

use crate::{common, rng::Rng};

/// A motion as it was put together: what a joint's matrix must be taken apart into.
struct Joint {
    rotation: DQuat,
    stretch: DMat3,
    translation: DVec3,
}

impl Joint {
    fn random(rng: &mut Rng, is_stretched: bool) -> Self {
        let number = |rng: &mut Rng| f64::from(rng.float(-0.3, 0.3));
        let (a, b, c) = (number(rng), number(rng), number(rng));
        let mut scale = || f64::from(rng.float(0.8, 2.0));
        let stretch = DMat3::from_cols(
            DVec3::new(scale(), a, b),
            DVec3::new(a, scale(), c),
            DVec3::new(b, c, scale()),
        );
        Self {
            rotation: rng.rotation().as_dquat().normalize(),
            stretch: if is_stretched {
                stretch
            } else {
                DMat3::IDENTITY
            },
            translation: rng.vec3(3.0).as_dvec3(),
        }
    }

    fn matrix(&self) -> PaletteMatrix {
        let linear = DMat3::from_quat(self.rotation) * self.stretch;
        let affine = Affine3A::from_mat3_translation(linear.as_mat3(), self.translation.as_vec3());
        to_palette_matrix(&affine)
    }
}

/// What the definition makes of a vertex: Kavan et al. 2008, algorithm 1, after the mean of what stretches.
fn defined(joints: &[Joint], influences: &Influences, vertex: usize, position: Vec3) -> DVec3 {
    let lanes = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
    let lanes: Vec<_> = lanes
        .map(|lane| {
            (
                f64::from(influences.weights[lane]),
                &joints[usize::from(influences.joints[lane])],
            )
        })
        .collect();
    let heaviest = lanes.iter().fold(
        lanes[0],
        |best, lane| if lane.0 > best.0 { *lane } else { best },
    );
    let mut stretched = DVec3::ZERO;
    let (mut real, mut dual) = (DVec4::ZERO, DVec4::ZERO);
    for (weight, joint) in lanes {
        stretched += weight * (joint.stretch * position.as_dvec3());
        let q = joint.rotation;
        let half = DQuat::from_vec4((joint.translation * 0.5).extend(0.0));
        let sign = if q.dot(heaviest.1.rotation) < 0.0 {
            -weight
        } else {
            weight
        };
        real += sign * DVec4::from(q);
        let vector = half.w * q.xyz() + q.w * half.xyz() + half.xyz().cross(q.xyz());
        dual += sign * vector.extend(-half.xyz().dot(q.xyz()));
    }
    let length = real.length();
    let (real, dual) = (real / length, dual / length);
    let (r, d) = (real.truncate(), dual.truncate());
    stretched
        + 2.0 * r.cross(r.cross(stretched) + real.w * stretched)
        + 2.0 * (real.w * d - dual.w * r + r.cross(d))
}

fn random_influences(
    rng: &mut Rng,
    vertices: usize,
    joints: usize,
    per_vertex: usize,
) -> Influences {
    let mut influences = Influences {
        per_vertex,
        ..Influences::default()
    };
    for _ in 0..vertices {
        let weights: Vec<f32> = (0..per_vertex)
            .map(|_| rng.float(0.0, 1.0).powi(3))
            .collect();
        let sum: f32 = weights.iter().sum();
        influences
            .weights
            .extend(weights.iter().map(|weight| weight / sum));
        influences
            .joints
            .extend((0..per_vertex).map(|_| rng.index(joints) as u16));
    }
    influences
}

#[test]
fn the_blend_is_the_defined_one() {
    let rng = &mut Rng::new(8);
    let mut worst = 0.0_f64;
    for round in 0..400 {
        let per_vertex = if round % 2 == 0 { 4 } else { 8 };
        let joints: Vec<_> = (0..10).map(|_| Joint::random(rng, round % 3 > 0)).collect();
        let matrices: Vec<_> = joints.iter().map(Joint::matrix).collect();
        let rotations: Vec<_> = matrices.iter().map(nearest_rotation).collect();
        let turned: Vec<_> = rotations.iter().map(|rotation| -*rotation).collect();
        let influences = random_influences(rng, 20, joints.len(), per_vertex);
        for vertex in 0..20 {
            let position = rng.vec3(2.0);
            let expected = defined(&joints, &influences, vertex, position);
            for rotations in [&rotations, &turned] {
                let blend = blend_dual_quaternions(&matrices, rotations, &influences, vertex);
                let found = skinning::transform_point(&blend, position).as_dvec3();
                worst = worst.max(found.distance(expected));
            }
        }
    }
    println!("worst of 16,000 vertices: {worst:.2e}, at a size of 10");
    // Two rotations nearly at right angles in four dimensions may be taken the one way or the other: none was.
    assert!(worst < 1e-5, "{worst}");
}

/// Rings of a cylinder around +Y, of radius 1 and 4 high, that a lower and an upper joint share evenly.
const RINGS: usize = 33;
const SIDES: usize = 48;

fn cylinder(per_vertex: usize, armature: Transform) -> Model {
    let node = |rest| Node {
        rest,
        ..Node::default()
    };
    let mut nodes = vec![
        node(armature),
        node(Transform::IDENTITY),
        node(Transform::IDENTITY),
    ];
    nodes[2].rest.translation.y = 2.0;
    nodes.push(Node {
        mesh: Some(0),
        skin: Some(0),
        ..Node::default()
    });
    let parents = [None, Some(0), Some(1), None];
    let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); 4]).unwrap();
    let node = |file_index| hierarchy.by_file_index(file_index).unwrap();
    let skin = Skin {
        joints: vec![node(1), node(2)],
        joint_from_mesh: vec![
            Affine3A::IDENTITY,
            Affine3A::from_translation(Vec3::new(0.0, -2.0, 0.0)),
        ],
        ..Skin::default()
    };
    let (mut vertices, mut indices) = (Vertices::default(), Vec::new());
    let mut influences = Influences {
        per_vertex,
        ..Influences::default()
    };
    for ring in 0..RINGS {
        let share = ring as f32 / (RINGS - 1) as f32;
        for side in 0..SIDES {
            let (sin, cos) = (side as f64 / SIDES as f64 * TAU).sin_cos();
            let normal = Vec3::new(sin as f32, 0.0, cos as f32);
            vertices.positions.push(normal + Vec3::Y * 4.0 * share);
            vertices.normals.push(normal);
            let last = per_vertex - 1;
            for lane in 0..per_vertex {
                // The first lane has no weight, so it must not decide anything.
                let (joint, weight) = match lane {
                    1 => (0, 1.0 - share),
                    _ if lane == last => (1, share),
                    _ => (0, 0.0),
                };
                influences.joints.push(joint);
                influences.weights.push(weight);
            }
            if ring > 0 {
                let at = |ring: usize, side: usize| (ring * SIDES + side % SIDES) as u32;
                let [a, b] = [at(ring - 1, side), at(ring - 1, side + 1)];
                let [c, d] = [at(ring, side), at(ring, side + 1)];
                indices.extend([a, b, c, c, b, d]);
            }
        }
    }
    let primitive = Primitive {
        indices: indices.into(),
        vertices,
        influences: Some(influences),
        ..Primitive::default()
    };
    Model {
        meshes: vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }]
        .into(),
        materials: vec![Material {
            double_sided: true,
            ..Material::default()
        }],
        skins: vec![skin],
        scenes: vec![Scene {
            roots: vec![node(0), node(3)],
            ..Scene::default()
        }],
        hierarchy,
        ..Model::default()
    }
}

/// The palette of the cylinder with its upper joint turned.
fn twisted(model: &Model, turn: Quat, skinning: Skinning) -> (PaletteLayout, Palette) {
    let layout = PaletteLayout::new(model, 0);
    let mut pose = Pose::new(&model.hierarchy);
    let upper = model.hierarchy.by_file_index(2).unwrap();
    pose.locals[upper.index()].rotation = turn;
    pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
    let mut palette = Palette::default();
    palette.set_skinning(skinning);
    palette.clear(&layout, 1);
    palette.push(model, &layout, &pose);
    palette.find_rotations();
    (layout, palette)
}

fn posed(model: &Model, turn: Quat, skinning: Skinning) -> Vec<Vec3> {
    let (layout, palette) = twisted(model, turn, skinning);
    let mut vertices = Vec::new();
    skinning::for_each_posed_vertex(model, &layout, &palette, 0, |vertex| vertices.push(vertex));
    vertices
}

/// Smallest and largest distance from the Y axis.
fn radii(vertices: &[Vec3]) -> [f32; 2] {
    let radii = vertices.iter().map(|vertex| vertex.with_y(0.0).length());
    radii.fold([f32::MAX, 0.0], |[min, max], radius| {
        [min.min(radius), max.max(radius)]
    })
}

#[test]
fn a_twisted_cylinder_keeps_its_radius() {
    for per_vertex in [4, 8] {
        let model = cylinder(per_vertex, Transform::IDENTITY);
        for degrees in [30.0_f32, 90.0, 100.0, 120.0, 179.0, -150.0, 200.0] {
            let turn = Quat::from_rotation_y(degrees.to_radians());
            let [least, most] = radii(&posed(&model, turn, Skinning::DualQuaternion));
            let [least_linear, _] = radii(&posed(&model, turn, Skinning::Linear));
            println!("{degrees}° {per_vertex}: {least}..{most}, linear from {least_linear}");
            assert!(least > 0.99 && most < 1.01, "{degrees}°: {least}..{most}");
            // Halfway up the mean of two matrices shrinks to the cosine of half the angle.
            let expected = (degrees.to_radians() / 2.0).cos().abs();
            assert!(
                (least_linear - expected).abs() < 1e-5,
                "{degrees}°: {least_linear}"
            );
            if degrees.abs() >= 100.0 {
                assert!(least_linear < 0.7, "linear blending loses over 30 %");
            }
        }
    }
}

#[test]
fn what_scales_all_joints_alike_scales_the_cylinder() {
    let turn = Quat::from_rotation_y(2.5);
    let straight = posed(
        &cylinder(4, Transform::IDENTITY),
        turn,
        Skinning::DualQuaternion,
    );
    for scale in [
        Vec3::splat(0.01),
        Vec3::splat(50.0),
        Vec3::splat(-1.0),
        Vec3::new(-1.0, 1.0, 1.0),
    ] {
        let armature = Transform {
            translation: Vec3::new(3.0, -1.0, 2.0),
            rotation: Quat::from_rotation_x(0.7),
            scale,
        };
        let found = posed(&cylinder(4, armature), turn, Skinning::DualQuaternion);
        let world_from_armature = armature.to_affine();
        for (found, straight) in found.iter().zip(&straight) {
            let expected = world_from_armature.transform_point3(*straight);
            let error = found.distance(expected) / scale.max_element().abs().max(1.0);
            assert!(error < 3e-6, "{scale}: {found} instead of {expected}");
        }
    }
}

#[test]
fn poses_without_a_bend_are_those_of_linear_blending() {
    let armature = Transform {
        translation: Vec3::new(3.0, -1.0, 2.0),
        rotation: Quat::from_xyzw(0.1, 0.7, -0.3, 0.5).normalize(),
        scale: Vec3::new(1.0, -3.0, 0.5),
    };
    let model = cylinder(8, armature);
    let linear = posed(&model, Quat::IDENTITY, Skinning::Linear);
    let dual = posed(&model, Quat::IDENTITY, Skinning::DualQuaternion);
    for (linear, dual) in linear.iter().zip(&dual) {
        assert!(linear.distance(*dual) < 1e-5, "{linear} {dual}");
    }
}

#[test]
fn the_shader_blends_as_the_processor_does() {
    let Some(gpu) = common::gpu() else { return };
    let mut posing = PoseVertices::new(&gpu).unwrap();
    let rng = &mut Rng::new(5);
    for per_vertex in [4, 8] {
        let mut model = cylinder(per_vertex, Transform::IDENTITY);
        let primitive = &mut Arc::make_mut(&mut model.meshes)[0].primitives[0];
        let count = primitive.vertices.positions.len();
        primitive.influences = Some(random_influences(rng, count, 2, per_vertex));
        for &skinning in Skinning::ALL {
            let turn = rng.rotation();
            let (_, palette) = twisted(&model, turn, skinning);
            posing.set_palette(&gpu, &palette);
            let primitive = &model.meshes[0].primitives[0];
            let found = posing
                .positions(&gpu, primitive, palette.record(0, 0), true)
                .unwrap();
            let expected = posed(&model, turn, skinning);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                let error = found.distance(*expected);
                assert!(error < 4e-6, "{skinning:?}: {found} instead of {expected}");
            }
        }
    }
}

#[test]
fn the_picture_is_that_of_the_chosen_way() {
    let Some(gpu) = common::gpu() else { return };
    for per_vertex in [4, 8] {
        let mut model = cylinder(per_vertex, Transform::IDENTITY);
        // The rest pose is the twisted one.
        let mut nodes = model.hierarchy.nodes().to_vec();
        nodes[2].rest.rotation = Quat::from_rotation_y(179_f32.to_radians());
        let parents = [None, Some(0), Some(1), None];
        model.hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); 4]).unwrap();
        let mut actor = Actor::new(model);
        let mut middle = |skinning: Skinning, view: &str| {
            actor.set_skinning(skinning);
            actor.pose_at(None, 0.0);
            let typed = [
                "--size",
                "200x200",
                "--background",
                "none",
                "--orbit",
                "0,90,10",
                "--target",
                "0,2,0",
                "--view",
                view,
            ];
            let picture = common::to_image(&common::picture(&gpu, &mut actor, &typed));
            let row: Vec<_> = (0..200).map(|x| picture[(x, 100)].0).collect();
            let covered = row.iter().filter(|pixel| pixel[3] == 255).count();
            (covered, row[100])
        };
        let (wide, normal) = middle(Skinning::DualQuaternion, "geometric-normal");
        let (narrow, _) = middle(Skinning::Linear, "geometric-normal");
        println!("{wide} and {narrow} pixels wide; the normal is {normal:?}");
        assert!(wide > 45 && narrow < wide / 10, "{wide} and {narrow}");
        // It looks at the camera, along +Z.
        let [red, green, blue, _] = normal;
        assert!(
            red.abs_diff(128) < 8 && green.abs_diff(128) < 8 && blue > 250,
            "{normal:?}"
        );
        assert!(middle(Skinning::DualQuaternion, "lit").0.abs_diff(wide) <= 1);
    }
}

/// The corpus: shader and processor agree, and where each vertex hangs on one joint, or the pose is at rest, both ways do.
#[test]
fn the_corpus_poses_alike_on_both() {
    let Some(folder) = common::folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let has_gpu = common::gpu().is_some();
    let mut compared = 0;
    for name in [
        "CesiumMan/glTF-Binary/CesiumMan.glb",
        "Fox/glTF-Binary/Fox.glb",
    ] {
        let path = folder.join("files/khronos-samples").join(name);
        if !path.is_file() {
            continue;
        }
        let report = |skinning, gpu| {
            let options = PoseOptions {
                clip: Some("0".to_owned()),
                time_secs: 0.4,
                skinning,
                vertices: true,
                gpu,
                ..PoseOptions::default()
            };
            evaluate(&path, &options).unwrap()
        };
        let positions = |report: serde_json::Value| -> Vec<DVec3> {
            let meshes = report["meshes"].as_array().unwrap().clone();
            let points = meshes
                .iter()
                .flat_map(|mesh| mesh["positions"].as_array().unwrap());
            points
                .map(|p| DVec3::from_array(std::array::from_fn(|axis| p[axis].as_f64().unwrap())))
                .collect()
        };
        let linear = positions(report(Skinning::Linear, false));
        let dual = positions(report(Skinning::DualQuaternion, false));
        let low = linear.iter().copied().reduce(DVec3::min).unwrap();
        let high = linear.iter().copied().reduce(DVec3::max).unwrap();
        let size = low.distance(high);
        let apart = |a: &[DVec3], b: &[DVec3]| {
            assert_eq!(a.len(), b.len());
            let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b) / size);
            distances.fold(0.0, f64::max)
        };
        let of_ways = apart(&linear, &dual);
        assert!(
            (1e-4..0.1).contains(&of_ways),
            "{name}: the ways are {of_ways} of the size apart"
        );
        if has_gpu {
            let error = apart(&dual, &positions(report(Skinning::DualQuaternion, true)));
            println!("{name}: ways {of_ways:.4} apart, shader {error:.1e} from the processor");
            assert!(error < 2e-6, "{name}: {error}");
        }
        compared += 1;
    }
    assert!(compared > 0, "the corpus has none of the models");
}

/// A joint that scales alone still is where its own matrix takes it.
#[test]
fn vertices_of_one_joint_are_exact_under_any_matrix() {
    let rng = &mut Rng::new(3);
    for _ in 0..200 {
        let linear = Mat3::from_cols(rng.vec3(2.0), rng.vec3(2.0), rng.vec3(2.0));
        let matrix = to_palette_matrix(&Affine3A::from_mat3_translation(linear, rng.vec3(5.0)));
        let influences = Influences {
            per_vertex: 4,
            joints: vec![0; 4],
            weights: vec![1.0, 0.0, 0.0, 0.0],
        };
        let rotations = [nearest_rotation(&matrix)];
        let blend = blend_dual_quaternions(&[matrix], &rotations, &influences, 0);
        let position = rng.vec3(2.0);
        let found = skinning::transform_point(&blend, position);
        let expected = skinning::transform_point(&matrix, position);
        assert!(
            found.distance(expected) < 1e-5,
            "{found} instead of {expected}"
        );
    }
}
