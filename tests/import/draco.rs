//! What files with Draco streams may say beside them.

use glam::Vec3;
use rigscope::{
    import::{self, Consent, Import, Progress, Severity, load},
    model::{Primitive, Topology},
};
use serde_json::{Value, json};

use super::{
    corpus::of_corpus,
    file::{self, File, changed},
    opening::Sandbox,
};

pub(super) const DRACO: &str = "draco/testdata/Box/glTF_Binary/Box_Draco.glb";

#[test]
fn attributes_of_a_draco_primitive_may_share_an_accessor() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let after = changed(&glb, |json| {
        let primitive = &mut json["meshes"][0]["primitives"][0];
        let extension = &primitive["extensions"]["KHR_draco_mesh_compression"];
        let normals = extension["attributes"]["NORMAL"].clone();
        let positions = primitive["attributes"]["POSITION"].clone();
        primitive["attributes"]["_ALSO"] = positions;
        primitive["extensions"]["KHR_draco_mesh_compression"]["attributes"]["_ALSO"] = normals;
    });
    file::assert_sound(&after);
    let text = |import: &Import| format!("{:?}", import.model.meshes);
    assert_eq!(text(&file::load(&glb)), text(&after));
    // Each has what the stream has of it.
    let after = changed(&glb, |json| {
        let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
        attributes["NORMAL"] = attributes["POSITION"].clone();
    });
    file::assert_sound(&after);
    assert_eq!(text(&file::load(&glb)), text(&after));
}

#[test]
fn fractions_in_draco_are_kept_though_whole_numbers_are_stated() {
    let points = CORNERS.map(|corner| corner.map(|number| 0.5 * number));
    for (kind, is_told) in [(5126, false), (5122, true)] {
        let mut file = without_indices(&points, Some(&[[0, 1, 2], [2, 3, 0]]));
        for name in ["extensionsUsed", "extensionsRequired"] {
            let names = file.json[name].as_array_mut().unwrap();
            names.push("KHR_mesh_quantization".into());
        }
        file.json["accessors"][0]["componentType"] = kind.into();
        let import = file.load();
        let mut told = import.diagnostics.iter();
        let told = told.any(|it| it.code == "COMPRESSED_FORMAT_MISMATCH");
        assert_eq!(told, is_told);
        let positions = &import.model.meshes[0].primitives[0].vertices.positions;
        assert_eq!(positions[2], Vec3::new(0.5, 0.5, 0.0));
    }
}

/// Two boxes, the second of which is compressed otherwise. Blender lets such meshes name the same accessors.
fn two_boxes() -> Option<(File, Vec<Primitive>)> {
    const OTHER: &str = "khronos-samples/Box/glTF-Draco/Box";
    let glb = of_corpus(DRACO)?;
    let length = u32::from_le_bytes(*glb[12..].first_chunk().unwrap()) as usize;
    let mut file = File {
        json: serde_json::from_slice(&glb[20..20 + length]).unwrap(),
        bin: glb[28 + length..].to_vec(),
    };
    let other: Value = serde_json::from_slice(&of_corpus(&format!("{OTHER}.gltf"))?).unwrap();
    let view = file.view(&of_corpus(&format!("{OTHER}.bin"))?);
    let mut mesh = other["meshes"][0].clone();
    let primitive = &mut mesh["primitives"][0];
    primitive["attributes"] = file.primitive()["attributes"].clone();
    primitive["extensions"]["KHR_draco_mesh_compression"]["bufferView"] = view.into();
    let alone = [file.json["meshes"][0].clone(), mesh.clone()].map(|mesh| {
        let mut json = file.json.clone();
        json["meshes"] = json!([mesh]);
        let bin = file.bin.clone();
        File { json, bin }.load().model.meshes[0].primitives[0].clone()
    });
    file.json["meshes"].as_array_mut().unwrap().push(mesh);
    file.json["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!({"mesh": 1}));
    assert_ne!(alone[0].indices, alone[1].indices);
    Some((file, alone.into()))
}

fn surfaces(primitives: &[Primitive]) -> Vec<String> {
    let surfaces = primitives.iter().map(|it| (&it.vertices, &it.indices));
    surfaces.map(|it| format!("{it:?}")).collect()
}

#[test]
fn primitives_that_name_the_same_accessors_have_their_own_draco_streams() {
    let Some((file, alone)) = two_boxes() else {
        return;
    };
    let import = file.load();
    file::assert_sound(&import);
    let meshes = import.model.meshes.iter();
    let both: Vec<_> = meshes.map(|mesh| mesh.primitives[0].clone()).collect();
    assert_eq!(surfaces(&both), surfaces(&alone));
}

#[test]
fn what_is_not_compressed_is_read_though_a_draco_primitive_names_it_too() {
    let Some((mut file, alone)) = two_boxes() else {
        return;
    };
    let plain = &alone[1];
    let bytes = |numbers: &[Vec3]| -> Vec<u8> {
        let numbers = numbers.iter().flat_map(Vec3::to_array);
        numbers.flat_map(f32::to_le_bytes).collect()
    };
    let indices: Vec<u8> = plain.indices.iter().map(|index| index as u8).collect();
    for (accessor, bytes) in [
        (0, indices),
        (1, bytes(&plain.vertices.positions)),
        (2, bytes(&plain.vertices.normals)),
    ] {
        file.json["accessors"][accessor]["bufferView"] = file.view(&bytes).into();
    }
    let second = &mut file.json["meshes"][1]["primitives"][0];
    second.as_object_mut().unwrap().remove("extensions");
    let import = file.load();
    let meshes = import.model.meshes.iter();
    let both: Vec<_> = meshes.map(|mesh| mesh.primitives[0].clone()).collect();
    assert_eq!(surfaces(&both), surfaces(&alone));
}

#[test]
fn a_wrong_count_of_indices_does_not_cost_a_draco_primitive() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let whole = file::load(&glb);
    let length = u32::from_le_bytes(*glb[12..].first_chunk().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let indices = json["meshes"][0]["primitives"][0]["indices"]
        .as_u64()
        .unwrap() as usize;
    for count in [33, 3, 39] {
        let import = changed(&glb, |json| {
            json["accessors"][indices]["count"] = count.into();
        });
        let found = import.diagnostics.iter();
        let told = found.map(ToString::to_string).collect::<Vec<_>>();
        let words = format!("{count} elements are stated, and 36 were decoded");
        assert!(told.len() == 1 && told[0].contains(&words), "{told:#?}");
        let text = |import: &Import| format!("{:?}", import.model.meshes);
        assert_eq!(text(&whole), text(&import));
    }
    // Of vertices there are as few.
    let import = changed(&glb, |json| {
        json["accessors"][indices]["count"] = 3.into();
        for accessor in json["accessors"].as_array_mut().unwrap() {
            accessor["count"] = 3.into();
        }
    });
    let words = "there is more in it than the file says";
    assert_eq!(file::message(&import, "COMPRESSED_DATA_INVALID"), words);
}

#[test]
fn what_a_draco_primitive_states_must_fit_though_it_is_not_needed() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let indices = "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT";
    let count = "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT";
    for (accessor, name, value, code, place) in [
        (0, "componentType", 5122, indices, "indices"),
        (1, "count", 25, count, "attributes/NORMAL"),
    ] {
        let import = changed(&glb, |json| {
            json["accessors"][accessor][name] = value.into();
        });
        file::assert_error(&import, code, &format!("/meshes/0/primitives/0/{place}"));
    }
}

#[test]
fn attributes_in_draco_are_some_of_the_primitives_own() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    let import = changed(&glb, |json| {
        let attributes = json.pointer_mut(&format!("{at}/attributes")).unwrap();
        attributes["_MORE"] = attributes["NORMAL"].clone();
    });
    let place = format!("{at}/attributes/_MORE");
    file::assert_error(&import, "COMPRESSED_ATTRIBUTE_UNUSED", &place);
    assert_eq!(import.model.triangle_count(), 12);
    let import = changed(&glb, |json| {
        json.pointer_mut(at).unwrap()["bufferView"] = 99.into();
    });
    let mut found = import.diagnostics.iter();
    assert!(found.any(|it| it.message.contains("/99, but there ")));
}

/// The specification of the extension allows triangles and triangle strips.
#[test]
fn strips_in_draco_are_their_triangles() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let in_mode = |mode: u32| {
        changed(&glb, |json| {
            json["meshes"][0]["primitives"][0]["mode"] = mode.into();
        })
    };
    let import = in_mode(5);
    file::assert_clean(&import);
    let meshes = |import: &Import| format!("{:?}", import.model.meshes);
    assert_eq!(meshes(&import), meshes(&in_mode(4)));
    let at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    file::assert_error(&in_mode(6), "COMPRESSION_UNSUPPORTED", at);
}

/// Streams in files of their own are as little the same as those in one file.
#[test]
fn draco_streams_may_lie_in_many_files() {
    const LARGE: &str = "pmndrs/viking-ship/src/thor_and_the_midgard_serpent-transformed.glb";
    const FILES: usize = 24;
    let Some(glb) = of_corpus(LARGE) else {
        return;
    };
    let length = u32::from_le_bytes(*glb[12..].first_chunk().unwrap()) as usize;
    let mut json: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let primitive = json["meshes"][0]["primitives"][0].clone();
    let extension = &primitive["extensions"]["KHR_draco_mesh_compression"];
    let view = &json["bufferViews"][extension["bufferView"].as_u64().unwrap() as usize];
    let number = |name: &str| view[name].as_u64().unwrap_or(0) as usize;
    let stream = &glb[28 + length + number("byteOffset")..][..number("byteLength")];
    let sandbox = Sandbox::new("draco-files");
    let (mut buffers, mut views, mut primitives) = (Vec::new(), Vec::new(), Vec::new());
    for file in 0..FILES {
        let uri = format!("{file}.bin");
        sandbox.write(&format!("model/{uri}"), stream);
        buffers.push(json!({"uri": uri, "byteLength": stream.len()}));
        views.push(json!({"buffer": file, "byteLength": stream.len()}));
        let mut primitive = primitive.clone();
        primitive["extensions"]["KHR_draco_mesh_compression"]["bufferView"] = file.into();
        primitives.push(primitive);
    }
    json["buffers"] = buffers.into();
    json["bufferViews"] = views.into();
    json["meshes"] = json!([{"primitives": primitives}]);
    json["nodes"] = json!([{"mesh": 0}]);
    json["scenes"] = json!([{"nodes": [0]}]);
    for name in ["materials", "textures", "images", "animations", "skins"] {
        json.as_object_mut().unwrap().remove(name);
    }
    let accessors = json["accessors"].as_array_mut().unwrap();
    for accessor in accessors {
        accessor.as_object_mut().unwrap().remove("bufferView");
    }
    let path = sandbox.write("model/a.gltf", json.to_string().as_bytes());
    let import = load(&path, &Progress::default()).unwrap();
    assert_eq!(import.model.meshes[0].primitives.len(), FILES);
}

/// A stream of a triangle's three corners as they stand, with these faces or, without any, as a cloud of points.
fn stream(points: &[[f32; 3]], faces: Option<&[[u8; 3]]>) -> Vec<u8> {
    let count = u8::try_from(points.len()).unwrap();
    let mut stream = b"DRACO\x02".to_vec();
    match faces {
        Some(faces) => {
            stream.extend([2, 1, 0, 0, 0]);
            // Indices are not compressed.
            stream.extend([u8::try_from(faces.len()).unwrap(), count, 1]);
            stream.extend(faces.as_flattened());
        }
        None => {
            stream.extend([3, 0, 0, 0, 0]);
            stream.extend(u32::from(count).to_le_bytes());
        }
    }
    // One attribute: positions, floats, three of them, not normalised, number 0, stored as they are.
    stream.extend([1, 1, 0, 9, 3, 0, 0, 0]);
    let numbers = points.as_flattened().iter();
    stream.extend(numbers.flat_map(|number| number.to_le_bytes()));
    stream
}

const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
];

/// A primitive in a stream, whose indices no accessor states.
pub(super) fn without_indices(points: &[[f32; 3]], faces: Option<&[[u8; 3]]>) -> File {
    let mut file = File::triangle();
    let view = file.view(&stream(points, faces));
    file.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    file.json["extensionsRequired"] = file.json["extensionsUsed"].clone();
    let positions = &mut file.json["accessors"][0];
    positions.as_object_mut().unwrap().remove("bufferView");
    positions["count"] = points.len().into();
    positions["max"] = json!([1, 1, 0]);
    file.primitive()["extensions"] = json!({
        "KHR_draco_mesh_compression": {"bufferView": view, "attributes": {"POSITION": 0}}
    });
    file
}

fn drawn(import: &Import) -> (Topology, Vec<u32>, usize) {
    let primitive = &import.model.meshes[0].primitives[0];
    let indices = primitive.indices.iter().collect();
    (
        primitive.topology,
        indices,
        primitive.vertices.positions.len(),
    )
}

#[test]
fn faces_in_draco_are_drawn_though_no_accessor_states_indices() {
    let faces = [[0, 1, 2], [2, 3, 0]];
    let list = faces.as_flattened().iter().map(|&it| it.into());
    let list: Vec<u32> = list.collect();
    for mode in [4, 5] {
        let mut file = without_indices(&CORNERS, Some(&faces));
        file.primitive()["mode"] = mode.into();
        let import = file.load();
        file::assert_sound(&import);
        assert_eq!(drawn(&import), (Topology::Triangles, list.clone(), 4));
    }
    // A second primitive with the same stream.
    let mut file = without_indices(&CORNERS, Some(&faces));
    let again = file.primitive().clone();
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(again);
    let import = file.load();
    let both = surfaces(&import.model.meshes[0].primitives);
    assert_eq!(both[0], both[1]);
}

/// An accessor of a stream need not have a view at all, and so none that is there.
#[test]
fn a_stream_is_drawn_though_an_accessor_names_a_view_that_is_not_there() {
    let faces = [[0, 1, 2], [2, 3, 0]];
    let mut file = without_indices(&CORNERS, Some(&faces));
    let indices = file.shorts(&[0, 1, 2, 2, 3, 0]);
    file.primitive()["indices"] = indices.into();
    let whole = surfaces(&file.load().model.meshes[0].primitives);
    for accessor in [0, indices] {
        let mut file = File {
            json: file.json.clone(),
            bin: file.bin.clone(),
        };
        file.json["accessors"][accessor]["bufferView"] = 99.into();
        let import = file.load();
        let at = format!("/accessors/{accessor}/bufferView");
        file::assert_error(&import, "UNRESOLVED_REFERENCE", &at);
        let errors = import.diagnostics.iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        assert_eq!(errors.count(), 1, "{:?}", import.diagnostics);
        assert_eq!(surfaces(&import.model.meshes[0].primitives), whole);
    }
    let at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    file.primitive()["extensions"]["KHR_draco_mesh_compression"]["bufferView"] = 99.into();
    let at = format!("{at}/bufferView");
    file::assert_error(&file.load(), "UNRESOLVED_REFERENCE", &at);
}

#[test]
fn clouds_of_points_in_draco_are_drawn_in_their_order() {
    let mut file = without_indices(&CORNERS[..3], None);
    let import = file.load();
    file::assert_sound(&import);
    assert_eq!(drawn(&import), (Topology::Triangles, vec![0, 1, 2], 3));
    // The extension allows triangles alone; others draw points all the same.
    let code = "COMPRESSION_UNSUPPORTED";
    let at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    file.primitive()["mode"] = 0.into();
    let import = file.load();
    file::assert_error(&import, code, at);
    assert_eq!(drawn(&import), (Topology::Points, vec![0, 1, 2], 3));
    // Indices that the stream has not are those of the accessor.
    let mut file = without_indices(&CORNERS, None);
    let indices = file.shorts(&[0, 2, 3]);
    file.primitive()["indices"] = indices.into();
    let import = file.load();
    let at = format!("/accessors/{indices}");
    file::assert_error(&import, "COMPRESSED_DATA_INVALID", &at);
    assert_eq!(drawn(&import), (Topology::Triangles, vec![0, 2, 3], 4));
}

/// What is there beside a stream is for those who cannot decode it, and must be right.
#[test]
fn what_stands_beside_a_stream_is_checked() {
    let make = |indices: [u16; 3]| {
        let mut file = File::triangle();
        let points = CORNERS[..3].to_vec();
        let view = file.view(&stream(&points, Some(&[[0, 1, 2]])));
        file.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
        let bytes: Vec<u8> = points
            .as_flattened()
            .iter()
            .flat_map(|it| it.to_le_bytes())
            .collect();
        file.json["accessors"][0]["bufferView"] = file.view(&bytes).into();
        file.json["accessors"][0]["max"] = json!([1, 1, 0]);
        let indices = file.shorts(&indices);
        file.primitive()["indices"] = indices.into();
        file.primitive()["extensions"] = json!({
            "KHR_draco_mesh_compression": {"bufferView": view, "attributes": {"POSITION": 0}}
        });
        file
    };
    let sandbox = Sandbox::new("draco-fallback");
    let check = |file: &File| {
        let path = sandbox.write("model/a.gltf", file.to_text().as_bytes());
        let found = import::check(&[path], &Consent::default(), &Progress::default());
        let found = found.unwrap().into_iter();
        let found = found.filter(|it| it.severity <= Severity::Warning);
        found.map(|it| (it.code, it.pointer)).collect::<Vec<_>>()
    };
    assert_eq!(check(&make([0, 1, 2])), []);
    let at = "/meshes/0/primitives/0/indices".to_owned();
    assert_eq!(check(&make([0, 1, 7])), [("ACCESSOR_INDEX_OOB", at)]);
    // Where some of it lies in the stream alone, that is all there is, and the extension must be required.
    let mut file = make([0, 1, 7]);
    let positions = file.json["accessors"][0].as_object_mut().unwrap();
    positions.remove("bufferView");
    let at = "/extensionsUsed/0".to_owned();
    assert_eq!(check(&file), [("NON_REQUIRED_EXTENSION", at)]);
}

#[test]
fn a_stream_has_attributes() {
    let mut file = without_indices(&CORNERS[..3], None);
    let at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    file.json.pointer_mut(at).unwrap()["attributes"] = json!({});
    let import = file.load();
    file::assert_error(&import, "EMPTY_ENTITY", &format!("{at}/attributes"));
}

/// Who must know the extension reads the stream, and nobody what lies beside it.
#[test]
fn data_beside_a_stream_that_is_required_are_told() {
    let (code, at) = (
        "KHR_DRACO_MESH_COMPRESSION_UNUSED_DATA",
        "/extensionsRequired/0",
    );
    let is_told = |file: &File| {
        let import = file.load();
        import.diagnostics.iter().any(|it| it.code == code)
    };
    let mut file = without_indices(&CORNERS[..3], Some(&[[0, 1, 2]]));
    assert!(!is_told(&file));
    file.json["accessors"][0]["bufferView"] = 0.into();
    file::assert_found(&file.load(), Severity::Warning, code, at);
    // Another primitive may read them.
    let plain = json!({"attributes": {"POSITION": 0}});
    primitives_of(&mut file).push(plain);
    assert!(!is_told(&file));
    primitives_of(&mut file).pop();
    file.json["extensionsRequired"] = json!([]);
    assert!(!is_told(&file));
}

fn primitives_of(file: &mut File) -> &mut Vec<Value> {
    let primitives = &mut file.json["meshes"][0]["primitives"];
    primitives.as_array_mut().unwrap()
}
