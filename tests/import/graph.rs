//! Nodes, scenes, cameras and skins.

use glam::{Affine3A, Quat, Vec3};
use rigscope::{
    import::{Import, Severity},
    model::{NodeId, Projection, Transform},
};
use serde_json::json;

use super::file::{File, UNSIGNED_BYTE, assert_clean, assert_error, assert_found, assert_sound};

fn nodes(nodes: serde_json::Value) -> File {
    let mut file = File::empty();
    file.json["nodes"] = nodes;
    file
}

fn parents(file: &File) -> Vec<Option<usize>> {
    let import = file.load();
    let hierarchy = &import.model.hierarchy;
    let parent_of = |index| {
        let node = hierarchy.node(hierarchy.by_file_index(index).unwrap());
        node.parent.map(|parent| hierarchy.node(parent).file_index)
    };
    (0..hierarchy.len()).map(parent_of).collect()
}

#[test]
fn drops_the_edge_that_closes_a_cycle() {
    let file = nodes(json!([{"children": [1]}, {"children": [2]}, {"children": [0]}]));
    assert_eq!(parents(&file), [None, Some(0), Some(1)]);
    assert_error(&file.load(), "NODE_LOOP", "/nodes/0");

    let own = nodes(json!([{}, {"children": [1]}]));
    assert_eq!(parents(&own), [None, None]);
    assert_error(&own.load(), "NODE_LOOP", "/nodes/1");

    // A tail that leads into a cycle, and a second cycle.
    let two = nodes(json!([
        {"children": [3]}, {"children": [2, 0]}, {"children": [1]}, {"children": [4]}, {},
        {"children": [6]}, {"children": [5]}
    ]));
    assert_eq!(
        parents(&two),
        [Some(1), None, Some(1), Some(0), Some(3), None, Some(5)]
    );
}

#[test]
fn keeps_the_first_of_two_parents() {
    let file = nodes(json!([{"children": [2]}, {"children": [2]}, {}]));
    assert_eq!(parents(&file), [None, None, Some(0)]);
    assert_error(&file.load(), "NODE_PARENT_OVERRIDE", "/nodes/1/children/0");
    let twice = nodes(json!([{"children": [1, 1]}, {}]));
    assert_eq!(parents(&twice), [None, Some(0)]);
    assert_error(&twice.load(), "DUPLICATE_ELEMENTS", "/nodes/0/children/1");
}

#[test]
fn drops_edges_to_nowhere() {
    let file = nodes(json!([{"children": [7, 1]}, {}]));
    assert_eq!(parents(&file), [None, Some(0)]);
    assert_error(&file.load(), "UNRESOLVED_REFERENCE", "/nodes/0/children/0");
}

#[test]
fn loads_a_chain_of_100_000_nodes() {
    let count = 100_000;
    let chain: Vec<_> = (1..count)
        .map(|child| json!({"children": [child]}))
        .collect();
    let mut file = nodes(chain.into());
    file.json["nodes"].as_array_mut().unwrap().push(json!({}));
    assert_eq!(file.load().model.hierarchy.len(), count);
    file.json["nodes"][count - 1]["children"] = json!([0]);
    assert_error(&file.load(), "NODE_LOOP", "/nodes/0");
}

#[test]
fn reads_translation_rotation_and_scale() {
    let file = nodes(json!([
        {"translation": [1, 2, 3], "rotation": [0, 0, 1, 0], "scale": [4, 5, 6]}
    ]));
    let import = file.load();
    let expected = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        scale: Vec3::new(4.0, 5.0, 6.0),
    };
    assert_eq!(import.model.hierarchy.nodes()[0].rest, expected);
    assert_clean(&import);
}

#[test]
fn sanitises_transforms() {
    let file = nodes(json!([
        {"rotation": [0, 0, 0, 0]}, {"rotation": [0, 0, 0, 2]},
        {"translation": [1e39, 0, 0]}, {"matrix": [1e39,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}
    ]));
    let import = file.load();
    let nodes = import.model.hierarchy.nodes();
    for index in [0, 1, 3] {
        assert_eq!(nodes[index].rest, Transform::IDENTITY);
        assert_eq!(nodes[index].fixed_matrix, None);
    }
    assert_eq!(nodes[2].rest.translation, Vec3::new(f32::MAX, 0.0, 0.0));
    assert_error(&import, "ROTATION_NON_UNIT", "/nodes/0/rotation");
    assert_error(&import, "VALUE_NOT_IN_RANGE", "/nodes/1/rotation/3");
    // One fault is one error.
    let of_second = import.diagnostics.iter();
    let of_second = of_second.filter(|it| it.pointer.starts_with("/nodes/1"));
    assert_eq!(of_second.count(), 1);
    // Single precision has no such numbers, which is not the file's fault.
    for place in ["/nodes/2/translation/0", "/nodes/3/matrix"] {
        assert_found(&import, Severity::Warning, "VALUE_NOT_IN_RANGE", place);
    }
}

const SHEAR: [f32; 16] = [
    1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 7.0, 8.0, 9.0, 1.0,
];

#[test]
fn keeps_matrices_exactly() {
    let import = nodes(json!([{"matrix": SHEAR}])).load();
    let exact = Affine3A::from_mat4(glam::Mat4::from_cols_array(&SHEAR));
    let node = &import.model.hierarchy.nodes()[0];
    assert_eq!(node.fixed_matrix, Some(exact));
    // The validator compares the greatest columns, and that of the translation is greater than what is sheared.
    let (code, pointer) = ("NODE_MATRIX_NON_TRS", "/nodes/0/matrix");
    assert_found(&import, Severity::Warning, code, pointer);
    let mut near = SHEAR;
    near[12..15].fill(0.0);
    let import = nodes(json!([{"matrix": near}])).load();
    assert_error(&import, code, pointer);
}

#[test]
fn a_node_has_a_matrix_or_its_parts() {
    let import = nodes(json!([{"matrix": SHEAR, "translation": [1, 2, 3]}])).load();
    assert_error(&import, "NODE_MATRIX_TRS", "/nodes/0/matrix");
    let exact = Affine3A::from_mat4(glam::Mat4::from_cols_array(&SHEAR));
    assert_eq!(import.model.hierarchy.nodes()[0].fixed_matrix, Some(exact));
}

#[test]
fn takes_matrices_of_animated_nodes_apart() {
    let values = [0.0; 6];
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &values);
    file.json["nodes"][0]["matrix"] = json!(SHEAR);
    let import = file.load();
    let node = &import.model.hierarchy.nodes()[0];
    assert_eq!(node.fixed_matrix, None);
    assert_eq!(node.rest.translation, Vec3::new(7.0, 8.0, 9.0));
    let code = "NODE_MATRIX_ANIMATED";
    assert_found(&import, Severity::Warning, code, "/nodes/0/matrix");
}

#[test]
fn makes_a_scene_of_all_roots() {
    let import = nodes(json!([{}, {"children": [0]}, {}])).load();
    let model = &import.model;
    assert_eq!(model.scenes.len(), 1);
    let roots = model.scenes[0].roots.iter();
    let roots: Vec<_> = roots
        .map(|&root| model.hierarchy.node(root).file_index)
        .collect();
    assert_eq!(roots, [1, 2]);
    assert_clean(&import);
}

#[test]
fn shows_the_scene_that_the_file_names() {
    let mut file = nodes(json!([{}]));
    file.json["scenes"] = json!([{"nodes": [0]}, {"name": "second"}]);
    assert_eq!(file.load().model.default_scene, 0);
    file.json["scene"] = 1.into();
    assert_eq!(file.load().model.default_scene, 1);
    file.json["scene"] = 2.into();
    let import = file.load();
    assert_eq!(import.model.default_scene, 0);
    assert_error(&import, "UNRESOLVED_REFERENCE", "/scene");
}

#[test]
fn leaves_missing_nodes_out_of_scenes() {
    let mut file = nodes(json!([{"children": [1]}, {}]));
    file.json["scenes"] = json!([{"nodes": [5, 1]}]);
    let import = file.load();
    assert_eq!(import.model.scenes[0].roots, [NodeId(1)]);
    assert_error(&import, "UNRESOLVED_REFERENCE", "/scenes/0/nodes/0");
    assert_error(&import, "SCENE_NON_ROOT_NODE", "/scenes/0/nodes/1");
}

/// What cannot be used of a camera leaves the rest as it is stated.
#[test]
fn a_bad_number_costs_a_camera_no_other() {
    let mut file = nodes(json!([{"camera": 0}]));
    file.json["cameras"] = json!([
        {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 3, "znear": -1, "zfar": 10}},
        {"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0, "zfar": 10}},
        {"type": "perspective", "perspective": {"yfov": 0.5, "znear": 1, "zfar": 1}},
        {"type": "perspective", "perspective": {"aspectRatio": 2, "znear": 1, "zfar": 2}},
        {"perspective": {"yfov": 0.5, "znear": 0.25}},
        {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 0, "znear": 3, "zfar": 3}},
    ]);
    let import = file.load();
    let cameras = import.model.cameras.iter();
    let found: Vec<_> = cameras.map(|camera| camera.projection).collect();
    let perspective = |fov_y_radians, aspect, near, far| Projection::Perspective {
        fov_y_radians,
        aspect,
        near,
        far,
    };
    let parallel = |half_width, half_height, near, far| Projection::Orthographic {
        half_width,
        half_height,
        near,
        far,
    };
    let expected = [
        parallel(2.0, 3.0, 0.0, 10.0),
        perspective(0.5, None, 0.01, Some(10.0)),
        perspective(0.5, None, 1.0, None),
        perspective(0.8, Some(2.0), 1.0, Some(2.0)),
        perspective(0.5, None, 0.25, None),
        parallel(2.0, 2.0, 3.0, 203.0),
    ];
    assert_eq!(found, expected);
    for (code, place) in [
        ("VALUE_NOT_IN_RANGE", "0/orthographic/znear"),
        ("VALUE_NOT_IN_RANGE", "1/perspective/znear"),
        ("CAMERA_ZFAR_LEQUAL_ZNEAR", "2/perspective"),
        ("UNDEFINED_PROPERTY", "3/perspective"),
        ("UNDEFINED_PROPERTY", "4"),
        ("CAMERA_XMAG_YMAG_ZERO", "5/orthographic/ymag"),
        ("CAMERA_ZFAR_LEQUAL_ZNEAR", "5/orthographic"),
    ] {
        assert_error(&import, code, &format!("/cameras/{place}"));
    }
}

/// What is beyond the near plane in the file is no fault of it where both are the same in single precision.
#[test]
fn planes_that_rounding_makes_one_are_no_error() {
    let mut file = File::triangle();
    let lens = json!({"xmag": 1e7, "ymag": 1e7, "znear": 100_000_000, "zfar": 100_000_001});
    file.json["cameras"] = json!([{"type": "orthographic", "orthographic": lens}]);
    let import = file.load();
    assert_sound(&import);
    let (code, lens) = ("VALUE_NOT_IN_RANGE", "/cameras/0/orthographic");
    assert_found(&import, Severity::Info, code, lens);
    let expected = Projection::Orthographic {
        half_width: 1e7,
        half_height: 1e7,
        near: 1e8,
        far: 1.1e9,
    };
    assert_eq!(import.model.cameras[0].projection, expected);
}

/// The model of a file whose mesh is placed once more, in a skin that lacks the second joint, which costs something.
fn with_smaller_skin(mut file: File) -> Import {
    file.json["skins"] = json!([{"joints": [1, 2]}, {"joints": [1]}]);
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"mesh": 0, "skin": 1}));
    file.json["scenes"] = json!([{"nodes": [0, 1, 3]}]);
    let import = file.load();
    assert_error(&import, "ACCESSOR_JOINTS_INDEX_OOB", "/nodes/3/skin");
    import
}

/// Of what no vertex has weight for nothing is seen.
#[test]
fn a_smaller_skin_stays_where_joints_that_it_has_not_have_no_weight() {
    // Of few vertices and of many.
    for count in [3, 3 << 10] {
        let mut file = File::skinned(&[1, 0, 0, 0].repeat(3), &[0.0, 1.0, 0.0, 0.0].repeat(3));
        let joints = [1, 0, 0, 0].repeat(count);
        let joints = file.accessor("VEC4", UNSIGNED_BYTE, count, &joints);
        let weights = file.floats("VEC4", &[0.0, 1.0, 0.0, 0.0].repeat(count));
        let positions = file.floats("VEC3", &[0.0; 3].repeat(count));
        file.primitive()["attributes"] =
            json!({"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights});
        let import = with_smaller_skin(file);
        let mut nodes = import.model.hierarchy.iter();
        let small = nodes.find(|(_, node)| node.file_index == 3);
        assert_eq!(small.unwrap().1.skin, Some(1));
        let primitive = &import.model.meshes[0].primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        assert!(influences.joints.iter().all(|&joint| joint == 0));
        assert_eq!(influences.weights[..4], [0.0, 1.0, 0.0, 0.0]);
    }
}

#[test]
fn a_smaller_skin_takes_no_joints_from_a_larger_one() {
    let joints = [1, 0, 0, 0].repeat(3);
    let file = File::skinned(&joints, &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let import = with_smaller_skin(file);
    let mut others = import.diagnostics.iter();
    assert!(
        others
            .all(|it| !it.pointer.starts_with("/meshes")
                && it.code != "NODE_SKINNED_MESH_WITHOUT_SKIN"),
        "{:?}",
        import.diagnostics
    );
    let model = &import.model;
    let influences = model.meshes[0].primitives[0].influences.as_ref().unwrap();
    assert_eq!((influences.joints[0], influences.weights[0]), (1, 1.0));
    let skin = |node: usize| {
        let id = model.hierarchy.by_file_index(node).unwrap();
        model.hierarchy.node(id).skin
    };
    assert_eq!((skin(0), skin(3)), (Some(0), None));
}

#[test]
fn reads_cameras() {
    let mut file = nodes(json!([{"camera": 0}, {"camera": 5}]));
    file.json["cameras"] = json!([
        {"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}},
        {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1, "znear": 0, "zfar": 10}},
        {"type": "perspective", "perspective": {"yfov": 0.5, "znear": 2, "zfar": 1}},
        {"type": "perspective", "perspective": {"yfov": 5.5, "znear": 2, "zfar": 1}},
        {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1, "znear": 0, "zfar": 1e39}}
    ]);
    let import = file.load();
    let cameras = &import.model.cameras;
    let expected = Projection::Perspective {
        fov_y_radians: 0.5,
        aspect: None,
        near: 0.1,
        far: None,
    };
    assert_eq!(cameras[0].projection, expected);
    let expected = Projection::Orthographic {
        half_width: 2.0,
        half_height: 1.0,
        near: 0.0,
        far: 10.0,
    };
    assert_eq!(cameras[1].projection, expected);
    let expected = Projection::Orthographic {
        half_width: 2.0,
        half_height: 1.0,
        near: 0.0,
        far: f32::MAX,
    };
    assert_eq!(cameras[4].projection, expected);
    assert!(
        import
            .diagnostics
            .iter()
            .filter(|it| it.pointer.starts_with("/cameras/4"))
            .all(|it| it.severity > Severity::Error)
    );
    assert_error(
        &import,
        "CAMERA_ZFAR_LEQUAL_ZNEAR",
        "/cameras/2/perspective",
    );
    // A yfov that is only warned of does not stand before it.
    assert_error(
        &import,
        "CAMERA_ZFAR_LEQUAL_ZNEAR",
        "/cameras/3/perspective",
    );
    assert_error(&import, "UNRESOLVED_REFERENCE", "/nodes/1/camera");
    assert_eq!(import.model.hierarchy.nodes()[0].camera, Some(0));
}

const HALVES: [f32; 12] = [0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0];

#[test]
fn gives_skins_without_matrices_identities() {
    let import = File::skinned(&[0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0], &HALVES).load();
    let skin = &import.model.skins[0];
    assert_eq!(skin.joint_from_mesh, [Affine3A::IDENTITY; 2]);
    let joints = skin.joints.iter();
    let joints: Vec<_> = joints
        .map(|&joint| import.model.hierarchy.node(joint).file_index)
        .collect();
    assert_eq!(joints, [1, 2]);
    assert_clean(&import);
}

#[test]
fn pads_short_lists_of_matrices() {
    let mut file = File::skinned(&[0; 12], &HALVES);
    let matrix = glam::Mat4::from_translation(Vec3::X);
    let matrices = file.floats("MAT4", &matrix.to_cols_array());
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    let import = file.load();
    let expected = [Affine3A::from_translation(Vec3::X), Affine3A::IDENTITY];
    assert_eq!(import.model.skins[0].joint_from_mesh, expected);
    let pointer = "/skins/0/inverseBindMatrices";
    assert_error(&import, "INVALID_IBM_ACCESSOR_COUNT", pointer);
}

#[test]
fn drops_a_skin_without_any_joint() {
    let mut file = File::skinned(&[0; 12], &HALVES);
    file.json["skins"][0]["joints"] = json!([8, 9]);
    let import = file.load();
    assert!(import.model.skins[0].joints.is_empty());
    let mesh_node = import.model.hierarchy.by_file_index(0).unwrap();
    assert_eq!(import.model.hierarchy.node(mesh_node).skin, None);
    assert_error(&import, "UNRESOLVED_REFERENCE", "/skins/0/joints/1");
    assert_error(&import, "EMPTY_ENTITY", "/skins/0/joints");
    assert_error(&import, "SKIN_UNREADABLE", "/nodes/0/skin");
}

#[test]
fn names_joints_that_hang_apart() {
    let mut file = File::skinned(&[0; 12], &HALVES);
    file.json["skins"][0]["skeleton"] = 2.into();
    assert_error(&file.load(), "SKIN_SKELETON_INVALID", "/skins/0/skeleton");
    file.json["skins"][0]["skeleton"] = 1.into();
    assert!(
        file.load()
            .diagnostics
            .iter()
            .all(|found| found.code != "SKIN_SKELETON_INVALID")
    );
    // However long the way up is.
    let chain = (0..3000).map(|node| match node {
        0 => json!({"mesh": 0, "skin": 0}),
        2999 => json!({}),
        node => json!({ "children": [node + 1] }),
    });
    file.json["nodes"] = chain.collect();
    file.json["scenes"][0]["nodes"] = json!([0, 1]);
    file.json["skins"][0]["joints"] = json!([1, 2999]);
    let import = file.load();
    assert!(
        import
            .diagnostics
            .iter()
            .all(|it| it.code != "SKIN_SKELETON_INVALID")
    );
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {}, {}]);
    file.json["skins"][0]["joints"] = json!([1, 2]);
    assert_error(&file.load(), "SKIN_NO_COMMON_ROOT", "/skins/0/joints");
    // The validator begins anew after the second, and accepts what follows.
    for (joints, skeleton, common, own) in [
        (json!([1, 2, 3]), 3, Severity::Warning, Severity::Warning),
        (json!([1, 2, 3]), 1, Severity::Warning, Severity::Error),
        (json!([3, 4, 1]), 3, Severity::Error, Severity::Error),
        (json!([1, 3, 4]), 4, Severity::Warning, Severity::Warning),
    ] {
        let nodes = json!([{"mesh": 0, "skin": 0}, {}, {}, {"children": [4]}, {}]);
        file.json["nodes"] = nodes;
        file.json["skins"][0]["joints"] = joints;
        file.json["skins"][0]["skeleton"] = json!(skeleton);
        let import = file.load();
        assert_found(&import, common, "SKIN_NO_COMMON_ROOT", "/skins/0/joints");
        assert_found(&import, own, "SKIN_SKELETON_INVALID", "/skins/0/skeleton");
    }
}

#[test]
fn takes_joints_in_any_order() {
    let mut file = File::skinned(&[0; 12], &HALVES);
    file.json["skins"][0]["joints"] = json!([2, 1]);
    let import = file.load();
    let hierarchy = &import.model.hierarchy;
    let joints = import.model.skins[0].joints.iter();
    let joints: Vec<_> = joints.map(|&id| hierarchy.node(id).file_index).collect();
    assert_eq!(joints, [2, 1]);
}

#[test]
fn takes_morph_weights_from_the_node_before_the_mesh() {
    let mut file = File::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.json["nodes"] = json!([{"mesh": 0}]);
    assert_eq!(file.load().model.hierarchy.rest_weights(), [0.0, 0.0]);
    file.json["meshes"][0]["weights"] = json!([0.5, 0.25]);
    assert_eq!(file.load().model.hierarchy.rest_weights(), [0.5, 0.25]);
    file.json["nodes"][0]["weights"] = json!([1, 0]);
    assert_eq!(file.load().model.hierarchy.rest_weights(), [1.0, 0.0]);
    file.json["nodes"][0]["weights"] = json!([1]);
    let import = file.load();
    assert_eq!(import.model.hierarchy.rest_weights(), [1.0, 0.0]);
    assert_error(&import, "NODE_WEIGHTS_INVALID", "/nodes/0/weights");
}
