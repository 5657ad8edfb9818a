//! Tangents that are computed where a file has none.

use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::{Vec3, Vec4};
use rigscope::{
    import::{self, Import, Progress},
    model::Primitive,
};
use serde_json::{Value, json};

use super::file::{File, UNSIGNED_BYTE, assert_found};
use crate::common::folder;

/// A mesh with a normal map: positions, texture coordinates and triangles; all normals are +Z.
pub(super) fn mapped(positions: &[[f32; 2]], coordinates: &[[f32; 2]], triangles: &[u16]) -> File {
    let mut file = File::triangle();
    let flat = positions.iter().flat_map(|&[x, y]| [x, y, 0.0]);
    let positions = file.floats("VEC3", &flat.collect::<Vec<_>>());
    let normals = [0.0, 0.0, 1.0].repeat(coordinates.len());
    let normals = file.floats("VEC3", &normals);
    let coordinates = file.floats("VEC2", &coordinates.concat());
    let indices = file.shorts(triangles);
    *file.primitive() = json!({
        "attributes": {"POSITION": positions, "NORMAL": normals, "TEXCOORD_0": coordinates},
        "indices": indices, "material": 0
    });
    file.json["textures"] = json!([{}]);
    file.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    file
}

pub(super) fn quad() -> File {
    mapped(
        &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        &[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]],
        &[0, 1, 2, 0, 2, 3],
    )
}

/// Two quads beside each other whose map is mirrored at the edge between them, vertices 1 and 4.
pub(super) fn mirrored() -> File {
    let corners = [0.0, 1.0, 2.0].map(|x| [x, 0.0]);
    let more = [0.0, 1.0, 2.0].map(|x| [x, 1.0]);
    let coordinates = [
        [0.0, 1.0],
        [1.0, 1.0],
        [0.0, 1.0],
        [0.0, 0.0],
        [1.0, 0.0],
        [0.0, 0.0],
    ];
    let triangles = [0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4];
    mapped(&[corners, more].concat(), &coordinates, &triangles)
}

pub(super) fn primitive(import: &Import) -> &Primitive {
    &import.model.meshes[0].primitives[0]
}

#[test]
fn follow_u_and_point_against_v() {
    let import = quad().load();
    assert_eq!(
        primitive(&import).vertices.tangents,
        [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]
    );
    // v the other way round: the bitangent, cross(normal, tangent) * w, turns about.
    let mut file = quad();
    let upside_down = file.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
    file.primitive()["attributes"]["TEXCOORD_0"] = upside_down.into();
    let import = file.load();
    assert_eq!(
        primitive(&import).vertices.tangents,
        [Vec4::new(1.0, 0.0, 0.0, -1.0); 4]
    );
}

#[test]
fn belong_to_the_coordinates_and_the_transform_of_the_normal_map() {
    let mut file = quad();
    file.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    let swapped = file.floats("VEC2", &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    file.primitive()["attributes"]["TEXCOORD_1"] = swapped.into();
    file.json["materials"][0]["normalTexture"]["texCoord"] = 1.into();
    // u grows from +Y to −Y, v from +X to −X.
    let along = |import: &Import| primitive(import).vertices.tangents[0];
    assert_eq!(along(&file.load()), Vec4::new(0.0, -1.0, 0.0, 1.0));
    let rotation = json!({"KHR_texture_transform": {"rotation": std::f32::consts::FRAC_PI_2}});
    file.json["materials"][0]["normalTexture"]["extensions"] = rotation;
    // By a quarter turn, what was v is u.
    assert!(along(&file.load()).abs_diff_eq(Vec4::new(-1.0, 0.0, 0.0, 1.0), 1e-6));
}

#[test]
fn are_computed_only_where_they_are_needed_and_can_be() {
    let has_tangents = |change: &dyn Fn(&mut File)| {
        let mut file = quad();
        change(&mut file);
        !primitive(&file.load()).vertices.tangents.is_empty()
    };
    assert!(has_tangents(&|_| {}));
    let remove = |name: &'static str| {
        move |file: &mut File| {
            let attributes = file.primitive()["attributes"].as_object_mut().unwrap();
            attributes.remove(name);
        }
    };
    assert!(!has_tangents(&remove("NORMAL")));
    assert!(!has_tangents(&remove("TEXCOORD_0")));
    assert!(!has_tangents(&|file| file.json["materials"] = json!([{}])));
    assert!(!has_tangents(&|file| file.primitive()["mode"] = 1.into()));
    for extension in [
        json!({"KHR_materials_anisotropy": {}}),
        json!({"KHR_materials_clearcoat": {"clearcoatNormalTexture": {"index": 0}}}),
    ] {
        let extended = |file: &mut File| {
            file.json["materials"] = json!([{"extensions": extension.clone()}]);
        };
        assert!(has_tangents(&extended));
    }
}

#[test]
fn of_a_file_are_kept() {
    let mut file = quad();
    let tangents = [0.0, -1.0, 0.0, -1.0].repeat(4);
    let tangents = file.floats("VEC4", &tangents);
    file.primitive()["attributes"]["TANGENT"] = tangents.into();
    let import = file.load();
    assert_eq!(
        primitive(&import).vertices.tangents,
        [Vec4::new(0.0, -1.0, 0.0, -1.0); 4]
    );
}

#[test]
fn add_copies_where_corners_differ() {
    let mut file = mirrored();
    let vertices = 0..6;
    let numbers: Vec<f32> = vertices
        .clone()
        .flat_map(|v| [v as f32, 0.0, 0.0])
        .collect();
    let deltas = file.floats("VEC3", &numbers);
    file.primitive()["targets"] = json!([{"POSITION": deltas, "NORMAL": deltas}]);
    let colors: Vec<f32> = numbers.iter().map(|number| number / 8.0).collect();
    let colors = file.floats("VEC3", &colors);
    let joints: Vec<u8> = vertices.flat_map(|v| [v, 0, 0, 0]).collect();
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 6, &joints);
    let weights = file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6));
    let attributes = &mut file.primitive()["attributes"];
    attributes["COLOR_0"] = colors.into();
    attributes["JOINTS_0"] = joints.into();
    attributes["WEIGHTS_0"] = weights.into();
    let import = file.load();
    let primitive = primitive(&import);
    assert_eq!(
        (primitive.file_vertex_count(), primitive.copies.len()),
        (6, 2)
    );
    assert_eq!(import.model.vertex_count(), 6);
    let vertices = &primitive.vertices;
    let [left, right] = [1.0, -1.0].map(|sign| Vec4::new(sign, 0.0, 0.0, sign));
    assert_eq!(
        vertices.tangents[..6],
        [left, left, right, left, left, right]
    );
    assert_eq!(vertices.tangents[6..], [right, right]);
    // Each copy is its original in all else.
    let joints = &primitive.influences.as_ref().unwrap().joints;
    let target = &primitive.targets[0];
    let mut originals: Vec<usize> = vec![];
    for copy in [6, 7] {
        let original = usize::from(joints[4 * copy]);
        assert_eq!(vertices.positions[copy], vertices.positions[original]);
        assert_eq!(
            vertices.tex_coords[0][copy],
            vertices.tex_coords[0][original]
        );
        assert!(vertices.colors.get(copy).is_some());
        assert_eq!(vertices.colors.get(copy), vertices.colors.get(original));
        let moved = Vec3::new(original as f32, 0.0, 0.0);
        let deltas = [&target.positions, &target.normals];
        assert_eq!(deltas.map(|it| it.get(copy)), [Some(moved); 2]);
        originals.push(original);
    }
    originals.sort_unstable();
    assert_eq!(originals, [1, 4]);
    // The triangles lie where they did.
    let place = |index: u32| vertices.positions[index as usize];
    let before = [0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4];
    assert!(primitive.indices.iter().map(place).eq(before.map(place)));
}

#[test]
fn copies_are_no_vertices_of_the_pose() {
    let path = std::env::temp_dir().join(format!("rigscope-mirrored-{}.gltf", std::process::id()));
    std::fs::write(&path, mirrored().to_text()).unwrap();
    let options = rigscope::cli::pose::PoseOptions {
        vertices: true,
        ..Default::default()
    };
    let pose = rigscope::cli::pose::evaluate(&path, &options);
    std::fs::remove_file(&path).unwrap();
    let positions = &pose.unwrap()["meshes"][0]["positions"];
    assert_eq!(positions.as_array().unwrap().len(), 6);
    assert_eq!(positions[5], json!([2.0, 1.0, 0.0]));
}

#[test]
fn of_senseless_coordinates_are_some_direction() {
    // All at one place, on a line, in part, far out; and triangles without area.
    for coordinates in [
        [[0.5, 0.5]; 4],
        [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
        [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [1.0, 0.0]],
        [[-3e38, 3e38], [3e38, 3e38], [3e38, -3e38], [-3e38, -3e38]],
        [[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0], [1e-40, 0.0]],
    ] {
        for triangles in [
            vec![0, 1, 2, 0, 2, 3],
            vec![0, 1, 2, 2, 1, 0, 0, 1, 2, 3, 2, 1],
        ] {
            let positions = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
            let import = mapped(&positions, &coordinates, &triangles).load();
            // The loader checks that they are unit vectors.
            assert_eq!(
                primitive(&import).vertices.tangents.len(),
                primitive(&import).vertices.positions.len()
            );
        }
    }
}

/// A fan of triangles around vertex 0, each with vertices of its own on the rim.
fn fan(count: u16) -> File {
    let rim = (0..=count).map(|at| f32::from(at) * std::f32::consts::TAU / f32::from(count));
    let rim = rim.map(|angle| [angle.cos(), angle.sin()]);
    let positions: Vec<_> = std::iter::once([0.0, 0.0]).chain(rim).collect();
    let triangles: Vec<_> = (1..=count).flat_map(|at| [0, at, at + 1]).collect();
    mapped(&positions, &positions, &triangles)
}

#[test]
fn of_great_fans_take_no_time_or_are_left_out() {
    let import = fan(2000).load();
    assert_eq!(primitive(&import).vertices.tangents.len(), 2002);
    let import = fan(60_000).load();
    assert!(primitive(&import).vertices.tangents.is_empty());
    let severity = import::Severity::Info;
    assert_found(
        &import,
        severity,
        "TANGENTS_NOT_COMPUTED",
        "/meshes/0/primitives/0",
    );
}

/// What a file's own tangents and the computed ones have in common.
#[derive(Debug, Default)]
struct Agreement {
    corners: usize,
    /// Those within a degree of each other and with the same sign.
    near: usize,
}

/// Compares the tangents of all corners that have some in both models.
fn compare(own: &Import, computed: &Import) -> Agreement {
    let mut agreement = Agreement::default();
    for (own, computed) in own.model.meshes.iter().zip(computed.model.meshes.iter()) {
        for (own, computed) in own.primitives.iter().zip(&computed.primitives) {
            let of = |primitive: &Primitive| -> Vec<Vec4> {
                let tangents = &primitive.vertices.tangents;
                let indices = primitive.indices.iter();
                indices
                    .filter_map(|index| tangents.get(index as usize).copied())
                    .collect()
            };
            for (own, computed) in of(own).into_iter().zip(of(computed)) {
                let cosine = own.truncate().dot(computed.truncate());
                let has_same_sign = own.w == computed.w;
                agreement.corners += 1;
                let is_near = has_same_sign && cosine > 1_f32.to_radians().cos();
                agreement.near += usize::from(is_near);
            }
        }
    }
    agreement
}

/// The file as one text with all data in it, with a normal map on everything; and the same without tangents.
fn with_and_without(path: &Path) -> Option<[String; 2]> {
    let bytes = std::fs::read(path).ok()?;
    let (json, bin) = if bytes.starts_with(b"glTF") {
        let length = u32::from_le_bytes(*bytes[12..].first_chunk()?) as usize;
        (&bytes[20..20 + length], bytes.get(28 + length..)?)
    } else {
        (&bytes[..], &[][..])
    };
    let mut json: Value = serde_json::from_slice(json).ok()?;
    for buffer in json["buffers"].as_array_mut()? {
        let data = match buffer["uri"].as_str() {
            Some(uri) if uri.starts_with("data:") => continue,
            Some(uri) => std::fs::read(path.parent()?.join(uri)).ok()?,
            None => bin.to_vec(),
        };
        let data = STANDARD.encode(data);
        buffer["uri"] = format!("data:application/octet-stream;base64,{data}").into();
    }
    json["images"] = json!([]);
    json["textures"] = json!([{}]);
    json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    let mut bare = json.clone();
    for (json, keeps) in [(&mut json, true), (&mut bare, false)] {
        for mesh in json["meshes"].as_array_mut()? {
            for primitive in mesh["primitives"].as_array_mut()? {
                primitive["material"] = 0.into();
                let attributes = primitive["attributes"].as_object_mut()?;
                // What has no tangents of its own is no part of the comparison.
                if !attributes.contains_key("TANGENT") {
                    attributes.remove("NORMAL");
                } else if !keeps {
                    attributes.remove("TANGENT");
                }
            }
        }
    }
    Some([json.to_string(), bare.to_string()])
}

#[test]
fn agree_with_those_that_files_bring_along() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    // What wrote these files computed tangents triangle by triangle. (Blender does so for whole quads, and some old
    // samples have the wrong sign, so that others agree less.)
    let khronos = "khronos-samples";
    for (name, least) in [
        (
            format!("{khronos}/AnisotropyStrengthTest/glTF-Binary/AnisotropyStrengthTest.glb"),
            1.0,
        ),
        (
            format!("{khronos}/AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb"),
            1.0,
        ),
        ("draco/testdata/sphere.gltf".to_owned(), 1.0),
        ("hubs/DrawingPen.glb".to_owned(), 0.98),
        (
            "interactivity/Models/BowShooting/glTF-Binary/BowShooting.glb".to_owned(),
            0.92,
        ),
    ] {
        let texts = with_and_without(&corpus.join("files").join(&name)).unwrap();
        let load = |text: &String| {
            import::load_bytes(&name, text.as_bytes(), &Progress::default()).unwrap()
        };
        let [own, computed] = texts.each_ref().map(load);
        let agreement = compare(&own, &computed);
        let share = agreement.near as f64 / agreement.corners as f64;
        println!(
            "{name}: {:.2} % of {} corners",
            100.0 * share,
            agreement.corners
        );
        assert!(agreement.corners > 100 && share >= least, "{name}: {share}");
    }
}

#[test]
fn of_triangles_thrown_together_are_some_direction() {
    // Few places and few coordinates, so that triangles share edges more than twice, turn over, and have no area.
    let mut state = 1_u32;
    let mut random = move |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    for round in 0..400 {
        let count = 3 + random(12);
        let mut pairs = |steps: u32| -> Vec<[f32; 2]> {
            let mut number = || random(steps) as f32 - 1.0;
            (0..count).map(|_| [number(), number()]).collect()
        };
        let (positions, coordinates) = (pairs(4), pairs(3));
        let corners = 3 * (1 + random(30));
        let triangles: Vec<_> = (0..corners).map(|_| random(count) as u16).collect();
        let import = mapped(&positions, &coordinates, &triangles).load();
        let codes = import.diagnostics.iter().map(|found| found.code);
        let is_computed = codes.clone().all(|code| code != "TANGENTS_NOT_COMPUTED");
        assert!(is_computed, "round {round}");
        for primitive in &import.model.meshes[0].primitives {
            assert!(!primitive.vertices.tangents.is_empty(), "round {round}");
        }
    }
}
