//! Picking against a brute-force answer: every triangle of every posed mesh of corpus models, by another formula.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod common;

use common::{actor, folder};
use glam::{DVec2, DVec3, Vec3};
use rigscope::{
    anim::skinning,
    app::Actor,
    model::{AlphaMode, Model, Primitive, TexelFormat, Topology, Wrap},
    scene::{Extent, OrbitCamera, Ray, ViewMode, strongest_joint},
};

/// Skinned, morphed, rigid, mirrored, copied, double-sided, with many meshes, with holes.
const MODELS: [&str; 20] = [
    "khronos-samples/Fox/glTF-Binary/Fox.glb",
    "khronos-samples/CesiumMan/glTF-Binary/CesiumMan.glb",
    "sharpgltf/tests/Assets/gltf-GpuMeshInstancing/InstanceTest.glb",
    "khronos-samples/RiggedSimple/glTF-Binary/RiggedSimple.glb",
    "khronos-samples/SimpleSkin/glTF/SimpleSkin.gltf",
    "khronos-samples/RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb",
    "khronos-samples/ClearCoatTest/glTF-Binary/ClearCoatTest.glb",
    "khronos-samples/NegativeScaleTest/glTF-Binary/NegativeScaleTest.glb",
    "khronos-samples/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
    "khronos-samples/MorphStressTest/glTF-Binary/MorphStressTest.glb",
    "khronos-samples/InterpolationTest/glTF-Binary/InterpolationTest.glb",
    "khronos-samples/BoxAnimated/glTF-Binary/BoxAnimated.glb",
    "khronos-samples/CesiumMilkTruck/glTF-Binary/CesiumMilkTruck.glb",
    "khronos-samples/OrientationTest/glTF-Binary/OrientationTest.glb",
    "khronos-samples/SheenChair/glTF/SheenChair.gltf",
    "khronos-samples/AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb",
    "quaternius/animals_pack/Fox.glb",
    "raylib/robot.glb",
    "khronos-samples/AnimatedMorphSphere/glTF-Binary/AnimatedMorphSphere.glb",
    "khronos-samples/BoxVertexColors/glTF-Binary/BoxVertexColors.glb",
];
const RAYS_A_MODEL: usize = 60;

/// Whether alpha cuts a hole at a point of a triangle, of whose corners so much each is in it: in the models above by a texture
/// alone, of four bytes a texel.
fn is_hole(model: &Model, primitive: &Primitive, corners: [u32; 3], parts: [f64; 3]) -> bool {
    let material = &model.materials[primitive.material];
    let AlphaMode::Mask { cutoff } = material.alpha_mode else {
        return false;
    };
    let Some(of) = &material.base_color_texture else {
        return material.base_color.w < cutoff;
    };
    let texture = &model.textures[of.texture];
    let image = &model.images[texture.image];
    if image.format != TexelFormat::Rgba8 {
        return false;
    }
    let uv = corners
        .into_iter()
        .zip(parts)
        .fold(DVec2::ZERO, |sum, (corner, part)| {
            let set = &primitive.vertices.tex_coords[of.tex_coord];
            sum + part * set[corner as usize].as_dvec2()
        });
    let [u, v] = of
        .transform
        .rows()
        .map(|row| row.as_dvec3().dot(uv.extend(1.0)));
    // Each texel within one of the point counts by how near it is, along both axes.
    let (width, height) = (i64::from(image.width), i64::from(image.height));
    let (x, y) = (u * width as f64 - 0.5, v * height as f64 - 0.5);
    let wrap = |at: i64, side: i64, wrap: Wrap| match wrap {
        Wrap::Repeat => at.rem_euclid(side),
        Wrap::MirroredRepeat => {
            let twice = at.rem_euclid(2 * side);
            if twice < side {
                twice
            } else {
                2 * side - 1 - twice
            }
        }
        Wrap::ClampToEdge => at.clamp(0, side - 1),
    };
    let mut alpha = 0.0;
    for row in y.floor() as i64..=y.floor() as i64 + 1 {
        for column in x.floor() as i64..=x.floor() as i64 + 1 {
            let near = (1.0 - (x - column as f64).abs()) * (1.0 - (y - row as f64).abs());
            let place = wrap(row, height, texture.sampler.wrap_v) * width
                + wrap(column, width, texture.sampler.wrap_u);
            alpha += near * f64::from(image.levels[0][4 * place as usize + 3]) / 255.0;
        }
    }
    alpha * f64::from(material.base_color.w) < f64::from(cutoff)
}

/// Distance, placement and primitive of the first drawn face.
fn brute_force(actor: &Actor, ray: &Ray) -> Option<(f64, usize, usize)> {
    let (model, layout, palette) = (actor.model(), actor.layout(), actor.palette());
    let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let mut first: Option<(f64, usize, usize)> = None;
    for (index, placement) in layout.placements().iter().enumerate() {
        for copy in 0..placement.copies as usize {
            let record = palette.record_of_copy(index, copy, 0);
            for (place, primitive) in model.meshes[placement.mesh].primitives.iter().enumerate() {
                if primitive.topology != Topology::Triangles {
                    continue;
                }
                let is_skinned = placement.skin.is_some() && primitive.influences.is_some();
                let rows =
                    palette.matrices()[record.rigid as usize].map(|row| row.truncate().as_dvec3());
                let is_mirrored = if is_skinned {
                    actor.draws().is_mirrored(index, place, true)
                } else {
                    rows[0].dot(rows[1].cross(rows[2])) < 0.0
                };
                let mut posed = Vec::new();
                skinning::for_each_posed_position(
                    primitive,
                    palette,
                    record,
                    is_skinned,
                    |point| {
                        posed.push(point.as_dvec3());
                    },
                );
                let both = model.materials[primitive.material].double_sided;
                for corners in primitive.indices.triangles() {
                    let [a, b, c] = corners.map(|corner| posed[corner as usize]);
                    let normal = (b - a).cross(c - a);
                    let away = normal.dot(direction);
                    let is_back = (away > 0.0) != is_mirrored;
                    if away == 0.0 || (is_back && !both) {
                        continue;
                    }
                    let distance = normal.dot(a - origin) / away;
                    let point = origin + distance * direction;
                    let is_inside =
                        [(a, b), (b, c), (c, a)]
                            .into_iter()
                            .all(|(from, to): (DVec3, DVec3)| {
                                (to - from).cross(point - from).dot(normal) >= 0.0
                            });
                    let whole = normal.length();
                    let parts = [(b, c), (c, a), (a, b)]
                        .map(|(from, to)| (to - from).cross(point - from).length() / whole);
                    if is_inside && is_hole(model, primitive, corners, parts) {
                        continue;
                    }
                    if distance > 0.0 && is_inside && first.is_none_or(|first| distance < first.0) {
                        first = Some((distance, index, place));
                    }
                }
            }
        }
    }
    first
}

#[test]
fn picks_are_those_of_brute_force() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (mut rays, mut hits, mut edges) = (0, 0, 0);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        // xorshift64 (G. Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1_u64 << 24) as f32
    };
    for (name, flatness) in MODELS
        .into_iter()
        .flat_map(|name| [(name, 0.0), (name, 1.0)])
    {
        let mut actor = actor(&folder.join("files").join(name));
        let clip = actor.model().clips.first();
        let time = clip.map_or(0.0, |clip| 0.37 * f64::from(clip.duration_secs()));
        actor.pose_at(Some(0), time);
        let mut camera = OrbitCamera {
            azimuth_radians: random() * std::f32::consts::TAU,
            polar_radians: 0.3 + random() * 2.4,
            flatness,
            ..OrbitCamera::default()
        };
        actor.frame_camera(&mut camera, 1.0);
        let extent = Extent {
            model: actor.bounds(),
            ..Extent::default()
        };
        let view = camera.view_of(1.0, &extent);
        for _ in 0..RAYS_A_MODEL {
            let ray = view.ray([1.1 * random() - 0.55, 1.1 * random() - 0.55]);
            let found = actor.surfaces(None, ViewMode::Lit).pick(&ray);
            let expected = brute_force(&actor, &ray);
            rays += 1;
            match (found, expected) {
                (None, None) => {}
                (Some(found), Some((distance, placement, primitive))) => {
                    hits += 1;
                    let error = (f64::from(found.distance) - distance).abs() / distance;
                    assert!(
                        error < 1e-5,
                        "{name}: {} instead of {distance}",
                        found.distance
                    );
                    // Of two faces in one place either is right.
                    if (found.placement, found.primitive) != (placement, primitive) {
                        edges += 1;
                    }
                    let sum: f32 = found.parts.iter().sum();
                    assert!((sum - 1.0).abs() < 1e-5, "{name}: {:?}", found.parts);
                }
                // A ray through the very edge of a silhouette.
                other => {
                    edges += 1;
                    println!("{name}: {other:?}");
                }
            }
        }
    }
    println!("{rays} rays, {hits} meet a surface, {edges} another than by brute force");
    assert!(rays >= 1000 && hits > 300, "{rays} rays, {hits} hits");
    assert_eq!(edges, 0);
}

/// The strongest joint at a point is one of those of the triangle, and the one that a plain sum finds.
#[test]
fn the_strongest_joint_is_that_of_a_plain_sum() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let mut actor = actor(&folder.join("files").join(MODELS[1]));
    let mut camera = OrbitCamera::default();
    actor.frame_camera(&mut camera, 1.0);
    let view = camera.view(1.0);
    let mut hits = 0;
    for step in 0..400 {
        let at = [
            (step % 20) as f32 / 10.0 - 0.95,
            (step / 20) as f32 / 10.0 - 0.95,
        ];
        let (model, layout) = (actor.model(), actor.layout());
        let Some(hit) = actor.surfaces(None, ViewMode::Lit).pick(&view.ray(at)) else {
            continue;
        };
        hits += 1;
        let placement = &layout.placements()[hit.placement];
        let skin = &model.skins[placement.skin.unwrap().skin];
        let primitive = &model.meshes[placement.mesh].primitives[hit.primitive];
        let influences = primitive.influences.as_ref().unwrap();
        let mut sums = vec![0.0; skin.joints.len()];
        for (vertex, part) in hit.vertices.into_iter().zip(hit.parts) {
            for lane in 0..influences.per_vertex {
                let at = vertex as usize * influences.per_vertex + lane;
                sums[influences.joints[at] as usize] += part * influences.weights[at];
            }
        }
        let joint = strongest_joint(model, layout, &hit).unwrap();
        let place = skin
            .joints
            .iter()
            .position(|other| *other == joint)
            .unwrap();
        let greatest = sums.iter().copied().fold(0.0_f32, f32::max);
        assert!(sums[place] >= greatest - 1e-6, "{sums:?}: {place}");
        // The point itself lies on the ray.
        assert!(Vec3::from(hit.parts).min_element() >= 0.0);
    }
    assert!(hits > 40, "{hits}");
}
