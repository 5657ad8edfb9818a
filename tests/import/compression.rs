//! Compressed files: what comes out of them is what the uncompressed twins hold, and damage is said.

use std::{
    collections::HashMap,
    f32::consts::FRAC_PI_2,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::{Affine3A, Mat4, Vec2, Vec3};
use rigscope::{
    import::{self, Import, Progress, Severity},
    model::{Hierarchy, Model, NodeId, Primitive, Topology},
};
use serde_json::json;

use super::{
    corpus::{ENDLESS, Random, errors, of_corpus, table},
    file::{self, File, changed},
    invariants,
};
use crate::common::folder;

/// The extensions whose files must load.
const EXTENSIONS: [&str; 6] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_quantization",
    "EXT_texture_webp",
    "KHR_texture_basisu",
];

fn files() -> Option<PathBuf> {
    folder("RIGSCOPE_CORPUS").map(|corpus| corpus.join("files"))
}

#[track_caller]
fn load(path: &Path) -> Model {
    let import = import::load(path, &Progress::default()).unwrap();
    let errors = errors(&import);
    assert!(
        errors.is_empty(),
        "{}: {}",
        path.display(),
        errors.join("\n")
    );
    import.model
}

#[test]
fn reads_every_compressed_file() {
    let Some(corpus) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let verdicts = table(&corpus.join("VALIDATOR.tsv"));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (name, row) in table(&corpus.join("MANIFEST.tsv")) {
        let used: Vec<_> = row["extensionsUsed"].split(',').collect();
        let is_known = |name: &&str| EXTENSIONS.contains(name) || !is_compression(name);
        let is_meant =
            used.iter().any(|name| EXTENSIONS.contains(name)) && used.iter().all(is_known);
        if !is_meant || verdicts[&name]["errors"] != "0" {
            continue;
        }
        let model = load(&corpus.join("files").join(&name));
        invariants::check(&model);
        let (found, said) = (model.vertex_count(), row["vertices"].parse().unwrap());
        // Draco splits vertices.
        let most = if row["extensionsUsed"].contains("draco") {
            said * 105 / 100
        } else {
            said
        };
        assert!(
            (said..=most).contains(&found),
            "{name}: {found} of {said} vertices"
        );
        // What is degenerate is not drawn.
        let found = model.hierarchy.nodes().iter();
        let found = found.filter_map(|node| model.meshes.get(node.mesh?));
        let found = found.flat_map(|mesh| &mesh.primitives);
        let found: usize = found.map(|primitive| primitive.indices.len() / 3).sum();
        let said: usize = row["triangles"].parse().unwrap();
        assert!(
            found <= said && found + 1 + said / 100 >= said,
            "{name}: {found} of {said} triangles"
        );
        let placeholders = model.images.iter().filter(|image| image.is_placeholder);
        if row["notes"].is_empty() {
            assert_eq!(placeholders.count(), 0, "{name}");
        }
        for extension in EXTENSIONS {
            if used.contains(&extension) {
                *counts.entry(extension).or_default() += 1;
            }
        }
    }
    println!("{counts:?}");
    assert!(
        EXTENSIONS.iter().all(|name| counts.contains_key(name)),
        "{counts:?}"
    );
}

fn is_compression(name: &str) -> bool {
    ["draco", "meshopt", "basis"]
        .iter()
        .any(|part| name.contains(part))
}

/// A triangle, or what of it does not depend on where it starts: the means over its corners.
#[derive(Debug, Clone, Copy, Default)]
struct Triangle {
    position: Vec3,
    normal: Vec3,
    tex_coord: Vec2,
    /// Mean index of the joints, by their weights.
    joint: f32,
}

/// All triangles as they stand in the world at rest, and turned.
fn triangles(model: &Model, turn: Mat4) -> Vec<Triangle> {
    let mut triangles = Vec::new();
    for node in model.hierarchy.nodes() {
        let Some(mesh) = node.mesh else { continue };
        let id = model.hierarchy.by_file_index(node.file_index).unwrap();
        // The node of a skinned mesh counts for nothing.
        let world = match node.skin {
            Some(_) => Mat4::IDENTITY,
            None => turn * world_from_node(&model.hierarchy, id),
        };
        for primitive in &model.meshes[mesh].primitives {
            assert_eq!(primitive.topology, Topology::Triangles);
            let corners = primitive.indices.triangles();
            triangles.extend(corners.map(|corners| triangle(primitive, world, corners)));
        }
    }
    triangles
}

fn triangle(primitive: &Primitive, world: Mat4, corners: [u32; 3]) -> Triangle {
    let vertices = &primitive.vertices;
    let mut mean = Triangle::default();
    for corner in corners {
        let corner = corner as usize;
        mean.position += world.transform_point3(vertices.positions[corner]) / 3.0;
        if let Some(&normal) = vertices.normals.get(corner) {
            mean.normal += world.transform_vector3(normal).normalize() / 3.0;
        }
        if let Some(&tex_coord) = vertices.tex_coords[0].get(corner) {
            mean.tex_coord += tex_coord / 3.0;
        }
        if let Some(influences) = &primitive.influences {
            let range = corner * influences.per_vertex..(corner + 1) * influences.per_vertex;
            let joints = influences.joints[range.clone()].iter();
            let weights = influences.weights[range].iter();
            mean.joint += joints
                .zip(weights)
                .map(|(&j, w)| f32::from(j) * w)
                .sum::<f32>()
                / 3.0;
        }
    }
    mean
}

fn world_from_node(hierarchy: &Hierarchy, id: NodeId) -> Mat4 {
    let node = hierarchy.node(id);
    let parent = node
        .parent
        .map_or(Mat4::IDENTITY, |id| world_from_node(hierarchy, id));
    let local = node
        .fixed_matrix
        .map_or_else(|| node.rest.to_affine(), Affine3A::from);
    parent * Mat4::from(local)
}

/// Checks that each triangle of `a` has one of its own in `b`, no farther off than the tolerances.
#[track_caller]
fn assert_twins(a: &Model, b: &Model, position: f32, normal: f32, tex_coord: f32) {
    assert_turned_twins(a, b, Mat4::IDENTITY, [position, normal, tex_coord]);
}

#[track_caller]
fn assert_turned_twins(a: &Model, b: &Model, turn: Mat4, tolerances: [f32; 3]) {
    let [position, normal, tex_coord] = tolerances;
    let (a, b) = (triangles(a, turn), triangles(b, Mat4::IDENTITY));
    assert_eq!(a.len(), b.len());
    let cell_of = |point: Vec3| {
        (point / (2.0 * position))
            .floor()
            .to_array()
            .map(|c| c as i32)
    };
    let mut cells: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, triangle) in b.iter().enumerate() {
        cells
            .entry(cell_of(triangle.position))
            .or_default()
            .push(index);
    }
    let mut is_taken = vec![false; b.len()];
    let mut worst = Triangle::default();
    for triangle in &a {
        let center = cell_of(triangle.position);
        let [x, y, z] = center;
        let around = (0..27).map(|i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1]);
        let near = around
            .filter_map(|cell| cells.get(&cell))
            .flatten()
            .copied();
        let distance = |other: &Triangle| {
            let p = triangle.position.distance(other.position);
            let n = triangle.normal.distance(other.normal);
            let t = triangle.tex_coord.distance(other.tex_coord);
            let j = (triangle.joint - other.joint).abs();
            (p, n, t, j)
        };
        let fits = |&index: &usize| {
            let (p, n, t, j) = distance(&b[index]);
            !is_taken[index] && p <= position && n <= normal && t <= tex_coord && j <= 0.02
        };
        let twin = near.filter(fits).min_by(|&x, &y| {
            let sum = |index: usize| {
                let (p, n, t, j) = distance(&b[index]);
                p / position + n / normal + t / tex_coord + j
            };
            sum(x).total_cmp(&sum(y))
        });
        let twin = twin.unwrap_or_else(|| panic!("{triangle:?} has no twin"));
        is_taken[twin] = true;
        let (p, n, t, j) = distance(&b[twin]);
        worst.position.x = worst.position.x.max(p);
        worst.normal.x = worst.normal.x.max(n);
        worst.tex_coord.x = worst.tex_coord.x.max(t);
        worst.joint = worst.joint.max(j);
    }
    println!(
        "{} triangles, farthest off: position {}, normal {}, texture coordinate {}, joint {}",
        a.len(),
        worst.position.x,
        worst.normal.x,
        worst.tex_coord.x,
        worst.joint
    );
}

#[test]
fn meshopt_agrees_with_uncompressed_data() {
    let Some(files) = files() else { return };
    let extensions = files.join("gltf-pipeline/extensions");
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let whole = extensions.join(extension).join("meshopt-fallback");
        let path = whole.join("meshopt-fallback.gltf");
        let decoded = load(&path);
        let bare = extensions
            .join(extension)
            .join("meshopt-no-fallback/meshopt-no-fallback.gltf");
        let text = |model: &Model| format!("{:?}", model.meshes);
        assert_eq!(text(&load(&bare)), text(&decoded));
        // Under another name, the extension is not looked at.
        let json = fs::read_to_string(&path).unwrap();
        let copy =
            std::env::temp_dir().join(format!("rigscope-{extension}-{}", std::process::id()));
        fs::create_dir_all(&copy).unwrap();
        for file in ["meshopt-fallback.bin", "meshopt-fallback.fallback.bin"] {
            fs::copy(whole.join(file), copy.join(file)).unwrap();
        }
        let other = copy.join("model.gltf");
        fs::write(&other, json.replace(extension, "EXT_another")).unwrap();
        // The uncompressed normals are not unit vectors: the file's maker forgot the filter.
        let uncompressed = import::load(&other, &Progress::default()).unwrap().model;
        fs::remove_dir_all(&copy).unwrap();
        assert_twins(&decoded, &uncompressed, 1e-6, 2.0, 1e-6);
    }
    // The same duck with fewer bits for each number; texture coordinates have another scale each.
    let duck = |bits| {
        let name = format!("Duck-vp-{bits}-vt-{bits}-vn-{bits}.glb");
        load(
            &files
                .join("cesium-native/CesiumGltfReader/test/data/DucksMeshopt")
                .join(name),
        )
    };
    let step = |bits: i32| 1.655 / (2_f32.powi(bits) - 1.0);
    assert_twins(&duck(12), &duck(9), step(9), 0.05, 1.0);
}

#[test]
fn draco_agrees_with_uncompressed_data() {
    let Some(files) = files() else { return };
    let twins = [
        (
            "khronos-samples/Box/glTF-Draco/Box.gltf",
            "khronos-samples/Box/glTF/Box.gltf",
            1e-3,
        ),
        (
            "draco/testdata/Box/glTF_Binary/Box_Draco.glb",
            "khronos-samples/Box/glTF/Box.gltf",
            1e-3,
        ),
        (
            "khronos-samples/RiggedSimple/glTF-Draco/RiggedSimple.gltf",
            "khronos-samples/RiggedSimple/glTF/RiggedSimple.gltf",
            1e-2,
        ),
        (
            "khronos-samples/CesiumMan/glTF-Draco/CesiumMan.gltf",
            "khronos-samples/CesiumMan/glTF-Binary/CesiumMan.glb",
            1e-3,
        ),
        (
            "cesium-native/CesiumGltfReader/test/data/DracoCompressed/CesiumMilkTruck.gltf",
            "draco/testdata/CesiumMilkTruck/glTF/CesiumMilkTruck.gltf",
            1e-2,
        ),
        (
            "khronos-samples/CesiumMilkTruck/glTF-Draco/CesiumMilkTruck.gltf",
            "khronos-samples/CesiumMilkTruck/glTF-Binary/CesiumMilkTruck.glb",
            1e-2,
        ),
    ];
    for (name, uncompressed, position) in twins {
        println!("{name}");
        let compressed = load(&files.join(name));
        let uncompressed = load(&files.join(uncompressed));
        // One maker turned the whole truck.
        let is_turned = name.starts_with("cesium-native");
        let turn = if is_turned {
            Mat4::from_rotation_y(FRAC_PI_2)
        } else {
            Mat4::IDENTITY
        };
        assert_turned_twins(&compressed, &uncompressed, turn, [position, 0.05, 0.01]);
    }
}

#[test]
fn quantized_agrees_with_floats() {
    let Some(files) = files() else { return };
    let cube = files.join("khronos-samples/AnimatedMorphCube");
    let floats = load(&cube.join("glTF/AnimatedMorphCube.gltf"));
    let quantized = load(&cube.join("glTF-Quantized/AnimatedMorphCube.gltf"));
    assert_twins(&floats, &quantized, 1e-3, 0.02, 1e-3);
    let targets = |model: &Model| model.meshes[0].primitives[0].targets.len();
    assert_eq!(targets(&floats), targets(&quantized));
}

/// The bytes of a damaged file: a few bits flipped past the JSON text, or the end cut off.
fn damage(bytes: &[u8], from: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(8) {
        let place = from + random.below(bytes.len() - from);
        match random.below(12) {
            0 if place > from => bytes.truncate(place),
            1 => bytes[place] = random.below(256) as u8,
            _ => bytes[place] ^= 1 << random.below(8),
        }
    }
    bytes
}

/// Compressed GLB files of the corpus: small ones, and each kind.
const DAMAGED: [&str; 6] = [
    "cesium-native/CesiumGltfReader/test/data/DucksMeshopt/Duck-vp-3-vt-3-vn-3.glb",
    "draco/testdata/Box/glTF_Binary/Box_Draco.glb",
    "vrm/vrm/broken/draco.vrm",
    "quaternius/ultimate_space_pack/Enemy_Flying-transformed.glb",
    "cesium-native/CesiumGltfReader/test/data/CesiumBalloon/CesiumBalloonKTX2.glb",
    "loaders.gl/modules/3d-tiles/test/data/CesiumJS/VNext/agi-ktx2/0/0.glb",
];

#[test]
fn survives_damaged_data() {
    let Some(files) = files() else { return };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for name in DAMAGED {
        let original = fs::read(files.join(name)).unwrap();
        let json = u32::from_le_bytes(*original[12..].first_chunk().unwrap());
        let from = 20 + json as usize + 8;
        let (mut said, mut slowest) = (0, Duration::ZERO);
        const ROUNDS: usize = 100;
        for _ in 0..ROUNDS {
            let bytes = damage(&original, from, &mut random);
            let start = Instant::now();
            let import = import::load_bytes(name, &bytes, &Progress::default());
            slowest = slowest.max(start.elapsed());
            let import: Import = import.unwrap();
            invariants::check(&import.model);
            let mut diagnostics = import.diagnostics.iter();
            let has_panicked = diagnostics.any(|found| found.message.contains("unexpectedly"));
            assert!(!has_panicked, "{name}: {:?}", import.diagnostics);
            said += usize::from(!errors(&import).is_empty());
        }
        println!("{name}: {said} of {ROUNDS} said, slowest {slowest:?}");
        assert!(said > 0 && slowest < ENDLESS, "{name}: {slowest:?}");
    }
}

const MESHOPT: &str =
    "cesium-native/CesiumGltfReader/test/data/DucksMeshopt/Duck-vp-12-vt-12-vn-12.glb";

/// The specification of the extension: the stride of the view must be that of the elements.
#[test]
fn strides_in_meshopt_are_those_of_the_views() {
    let Some(glb) = of_corpus(MESHOPT) else {
        return;
    };
    let meshes = |import: &Import| format!("{:?}", import.model.meshes);
    let before = file::load(&glb);
    let import = changed(&glb, |json| {
        json["bufferViews"][1]["byteStride"] = 12.into();
    });
    let at = "/bufferViews/1/extensions/EXT_meshopt_compression";
    file::assert_error(&import, "COMPRESSED_STRIDE_MISMATCH", at);
    assert_eq!(meshes(&import), meshes(&before));
}

/// The second version of the codec is of `KHR_meshopt_compression` alone.
#[test]
fn what_other_decoders_of_meshopt_refuse_is_said() {
    let text = include_str!("data/meshopt.tsv");
    for (name, extension, is_told) in [
        ("attributes_v0", "EXT_meshopt_compression", false),
        ("attributes_v1", "EXT_meshopt_compression", true),
        ("attributes_v1", "KHR_meshopt_compression", false),
    ] {
        let cells = text.lines().find(|line| line.starts_with(name)).unwrap();
        let cells: Vec<_> = cells.split('\t').collect();
        let stream = STANDARD.decode(cells[5]).unwrap();
        let [count, stride] = [cells[3], cells[4]].map(|cell| cell.parse::<usize>().unwrap());
        let mut file = File::triangle();
        let view = file.view(&stream);
        let mut compressed = file.json["bufferViews"][view].clone();
        compressed["byteStride"] = stride.into();
        compressed["count"] = count.into();
        compressed["mode"] = cells[1].into();
        file.json["bufferViews"][view] = json!({
            "buffer": 0,
            "byteLength": stride * count,
            "byteStride": stride,
            "extensions": {extension: compressed},
        });
        file.json["extensionsUsed"] = json!([extension]);
        let import = file.load();
        let at = format!("/bufferViews/{view}/extensions/{extension}");
        let mut found = import.diagnostics.iter();
        let told = found.find(|it| it.pointer == at);
        assert_eq!(told.is_some(), is_told, "{told:?}");
        let is_error = told.is_none_or(|it| it.severity == Severity::Error);
        assert!(is_error, "{told:?}");
    }
}

/// A buffer that is said to hold what compressed views say uncompressed must hold nothing else.
#[test]
fn fallback_buffers_of_meshopt_are_for_what_is_compressed() {
    let mut file = File::triangle();
    let extension = "EXT_meshopt_compression";
    let code = "BUFFER_FALLBACK_MISUSED";
    file.json["extensionsUsed"] = json!([extension]);
    let mut json = serde_json::from_str::<serde_json::Value>(&file.to_text()).unwrap();
    json["buffers"][0]["extensions"] = json!({extension: {"fallback": true}});
    let import = file::load(json.to_string().as_bytes());
    file::assert_error(&import, code, "/bufferViews/0/buffer");
    json["bufferViews"][0]["extensions"] = json!({extension: {
        "buffer": 0, "byteLength": 36, "byteStride": 12, "count": 3, "mode": "ATTRIBUTES",
    }});
    let import = file::load(json.to_string().as_bytes());
    let at = format!("/bufferViews/0/extensions/{extension}/buffer");
    file::assert_error(&import, code, &at);
    json["buffers"][0]["extensions"][extension]["fallback"] = false.into();
    let import = file::load(json.to_string().as_bytes());
    assert!(!import.diagnostics.iter().any(|it| it.code == code));
}

/// One view or buffer has one of the two names of meshopt's compression.
#[test]
fn meshopt_has_one_name_at_a_time() {
    let mut file = File::triangle();
    let names = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
    file.json["extensionsUsed"] = json!(names);
    let mut json = serde_json::from_str::<serde_json::Value>(&file.to_text()).unwrap();
    for list in ["bufferViews", "buffers"] {
        json[list][0]["extensions"] = json!({names[0]: {}, names[1]: {}});
        let import = file::load(json.to_string().as_bytes());
        file::assert_error(&import, "ONE_OF_MISMATCH", &format!("/{list}/0/extensions"));
    }
}
