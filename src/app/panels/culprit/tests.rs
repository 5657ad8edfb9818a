//! Tests of who is meant by findings.

use std::time::Duration;

use super::*;
use crate::model::{
    Clip, Hierarchy, Material, Mesh, Node, Skin, VariantMaterial, processor_time::timed,
};

/// As the mark of the timeline leads there.
#[test]
fn a_seam_leads_to_the_node_that_is_off_and_to_the_end() {
    // Of two that hang on a root, so that what moves one is no motion of the whole.
    let parents = [None, Some(0), Some(0)];
    let hierarchy = Hierarchy::new(vec![Node::default(); 3], &parents, &vec![vec![]; 3]).unwrap();
    let mut builder = crate::model::ClipBuilder::new("lean");
    let times = crate::model::Timeline::new(vec![0.0, 1.0]).unwrap();
    let timeline = builder.timeline(times);
    let values = vec![glam::Vec3::ZERO, glam::Vec3::X];
    let linear = crate::model::Interpolation::Linear;
    builder
        .translation(NodeId(1), timeline, linear, values)
        .unwrap();
    let model = Model {
        hierarchy,
        clips: vec![Clip::default(), builder.finish()],
        ..Model::default()
    };
    let found = |code, pointer: &str| {
        let finding = Diagnostic {
            severity: crate::import::Severity::Info,
            code,
            pointer: pointer.to_owned(),
            message: String::new(),
            action: String::new(),
            place: Place::default(),
            others: Vec::new(),
        };
        let culprit = Culprits::new(&model, 1.0).of(&finding)?;
        Some((culprit.node, culprit.clip, culprit.at_secs))
    };
    let seam = found("ANIMATION_LOOP_SEAM", "/animations/1");
    assert_eq!(seam, Some((Some(1), Some(1), Some(1.0))));
    let other = found("ANIMATION_STARTS_LATE", "/animations/1");
    assert_eq!(other, Some((None, Some(1), None)));
    assert_eq!(found("ANIMATION_LOOP_SEAM", "/animations/7"), None);
}

#[test]
fn a_finding_about_several_clips_leads_to_all_of_them() {
    let model = Model {
        clips: vec![Clip::default(); 3],
        ..Model::default()
    };
    for (code, at_secs) in [
        ("ANIMATION_ROTATION_SIGN_FLIPS", None),
        (LoopSeam::CODE, Some(0.0)),
    ] {
        let finding = Diagnostic {
            severity: crate::import::Severity::Hint,
            code,
            pointer: "/animations/1".to_owned(),
            message: String::new(),
            action: String::new(),
            place: Place::default(),
            others: ["/animations/0", "/animations/2", "/animations/9"]
                .map(|pointer| (pointer.to_owned(), Place::default()))
                .into(),
        };
        let others = Culprits::new(&model, 1.0).others_of(&finding);
        let others: Vec<_> = others.iter().map(|it| (it.clip, it.at_secs)).collect();
        assert_eq!(others, [(Some(0), at_secs), (Some(2), at_secs)]);
    }
}

#[test]
fn a_finding_leads_to_the_node_and_the_moment_that_it_is_about() {
    // In the file the child comes first.
    let nodes = vec![Node::default(), Node::default()];
    let hierarchy = Hierarchy::new(nodes, &[Some(1), None], &[vec![], vec![]]).unwrap();
    let model = Model {
        hierarchy,
        clips: vec![Clip::default(); 3],
        ..Model::default()
    };
    let place = |node_index, time_secs| Place {
        node_index,
        time_secs,
    };
    let finding = Diagnostic {
        severity: crate::import::Severity::Hint,
        code: "ANIMATION_ROTATION_SIGN_FLIPS",
        pointer: "/animations/1".to_owned(),
        message: String::new(),
        action: String::new(),
        place: place(Some(0), Some(0.5)),
        others: vec![
            ("/animations/0".to_owned(), place(Some(1), Some(0.25))),
            ("/animations/2".to_owned(), place(Some(9), None)),
            ("/nodes/1".to_owned(), place(None, Some(0.25))),
        ],
    };
    let told = |culprit: &Culprit| (culprit.clip, culprit.node, culprit.at_secs);
    let first = Culprits::new(&model, 1.0).of(&finding).unwrap();
    assert_eq!(told(&first), (Some(1), Some(1), Some(0.5)));
    let others = Culprits::new(&model, 1.0).others_of(&finding);
    let others: Vec<_> = others.iter().map(told).collect();
    // Without a clip there is no moment.
    assert_eq!(
        others,
        [
            (Some(0), Some(0), Some(0.25)),
            (Some(2), None, None),
            (None, Some(0), None),
        ]
    );
}

#[test]
fn stray_weights_lead_to_the_joint_and_its_colors() {
    let hierarchy = Hierarchy::new(vec![Node::default()], &[None], &[vec![]]).unwrap();
    let model = Model {
        hierarchy,
        skins: vec![Skin {
            joints: vec![NodeId(0)],
            ..Skin::default()
        }],
        ..Model::default()
    };
    for (code, is_in_weights) in [
        (StrayWeights::CODE, true),
        (MisplacedWeights::CODE, true),
        ("SKIN_JOINTS_TURNED", true),
        ("SKIN_UNUSED_JOINTS", false),
    ] {
        let finding = Diagnostic {
            severity: crate::import::Severity::Warning,
            code,
            pointer: "/skins/0/joints/0".to_owned(),
            message: String::new(),
            action: String::new(),
            place: Place::default(),
            others: Vec::new(),
        };
        let expected = Culprit {
            node: Some(0),
            is_in_weights,
            ..Culprit::default()
        };
        assert_eq!(Culprits::new(&model, 1.0).of(&finding), Some(expected));
    }
}

#[test]
fn what_is_seen_in_its_users_leads_to_the_first_that_is_there() {
    let model = Model {
        clips: vec![Clip::default(); 2],
        ..Model::default()
    };
    let mut finding = Diagnostic {
        severity: crate::import::Severity::Error,
        code: "ACCESSOR_INVALID_FLOAT",
        pointer: "/accessors/3".to_owned(),
        message: String::new(),
        action: String::new(),
        place: Place::default(),
        others: Vec::new(),
    };
    assert_eq!(Culprits::new(&model, 1.0).of(&finding), None);
    let users = ["/meshes/0/primitives/0", "/animations/1", "/animations/0"];
    finding.others = users.map(|it| (it.to_owned(), Place::default())).into();
    let culprit = Culprits::new(&model, 1.0).of(&finding).unwrap();
    assert_eq!((culprit.clip, culprit.node), (Some(1), None));
    assert_eq!(Culprits::new(&model, 1.0).others_of(&finding), []);
}

/// Each finding names users that nothing has, and each user would be looked for in all nodes.
#[test]
fn users_are_looked_for_once_for_all_findings() {
    const NODES: usize = 2000;
    let node = Node {
        mesh: Some(0),
        ..Node::default()
    };
    let nodes = vec![node; NODES];
    let weights = vec![Vec::new(); NODES];
    let hierarchy = Hierarchy::new(nodes, &vec![None; NODES], &weights).unwrap();
    let mesh = Mesh {
        primitives: vec![Primitive::default(); 500],
        ..Mesh::default()
    };
    let model = Model {
        hierarchy,
        meshes: vec![mesh].into(),
        materials: vec![Material::default(); 17],
        ..Model::default()
    };
    let users = (1..17).map(|index| (format!("/materials/{index}"), Place::default()));
    let finding = Diagnostic {
        severity: crate::import::Severity::Error,
        code: "IO_ERROR",
        pointer: "/images/0".to_owned(),
        message: String::new(),
        action: String::new(),
        place: Place::default(),
        others: users.collect(),
    };
    let (found, time) = timed(|| {
        let culprits = Culprits::new(&model, 1.0);
        let found = (0..64).filter_map(|_| culprits.of(&finding));
        found.count()
    });
    assert_eq!(found, 0);
    assert!(time < Duration::from_secs(1), "{time:?}");
}

#[test]
fn pointers_lead_to_who_carries_what_they_name() {
    // In the file the child comes first.
    let nodes = vec![
        Node {
            mesh: Some(1),
            skin: Some(0),
            light: Some(2),
            ..Node::default()
        },
        Node::default(),
    ];
    let weights = vec![Vec::new(); 2];
    let hierarchy = Hierarchy::new(nodes, &[Some(1), None], &weights).unwrap();
    let joint = hierarchy.by_file_index(1).unwrap();
    let primitive = Primitive {
        file_index: 3,
        material: 1,
        variant_materials: vec![VariantMaterial {
            variant: 0,
            material: 2,
        }],
        ..Primitive::default()
    };
    let model = Model {
        hierarchy,
        meshes: vec![
            Mesh::default(),
            Mesh {
                primitives: vec![primitive],
                ..Mesh::default()
            },
        ]
        .into(),
        materials: vec![Material::default(); 3],
        skins: vec![Skin {
            joints: vec![joint],
            skeleton: Some(joint),
            ..Skin::default()
        }],
        clips: vec![Clip::default(); 2],
        ..Model::default()
    };
    let found = |pointer: &str| {
        let culprit = Culprits::new(&model, 1.0).of_pointer(pointer)?;
        Some((culprit.node, culprit.clip, culprit.material))
    };
    assert_eq!(found("/nodes/1"), Some((Some(0), None, None)));
    assert_eq!(found("/nodes/0/scale"), Some((Some(1), None, None)));
    assert_eq!(found("/meshes/1"), Some((Some(1), None, None)));
    let surface = Some((Some(1), None, Some(1)));
    assert_eq!(found("/meshes/1/primitives/3/attributes/NORMAL"), surface);
    assert_eq!(found("/materials/1/alphaMode"), surface);
    let in_variant = Some((Some(1), None, Some(2)));
    assert_eq!(found("/materials/2/alphaMode"), in_variant);
    assert_eq!(found("/skins/0"), Some((Some(1), None, None)));
    assert_eq!(found("/skins/0/joints/0"), Some((Some(0), None, None)));
    let light = "/extensions/KHR_lights_punctual/lights/2/spot";
    assert_eq!(found(light), Some((Some(1), None, None)));
    assert_eq!(found("/skins/0/skeleton"), Some((Some(0), None, None)));
    assert_eq!(
        found("/animations/1/channels/0"),
        Some((None, Some(1), None))
    );
    for nobody in [
        "",
        "/meshes/0",
        "/nodes/9",
        "/accessors/0",
        "/extensions/KHR_lights_punctual/lights/0",
        "/animations/7",
        "/nodes/x",
    ] {
        assert_eq!(found(nobody), None, "{nobody}");
    }
}
