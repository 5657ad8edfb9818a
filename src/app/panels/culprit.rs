//! Who is meant by a JSON pointer, and the place there: what a click on a finding chooses.

use crate::{
    anim::analysis::oddities::MotionFinding,
    anim::{LoopSeam, StrayWeights},
    import::{Diagnostic, Place},
    model::{Model, NodeId, Primitive},
    ui::Culprit,
};

/// How far from a node's origin its turns are measured, as a part of the model's size.
const LEVER: f32 = 0.05;
/// Nodes of clips that are looked at for one finding.
const MAX_PLACEMENTS: usize = 1 << 14;

/// What can be chosen to look at what is wrong, at the node and the moment that the finding names; of a clip that does not end
/// as it starts the node that makes most of it, at its end; of stray weights the joint, and how it moves the surface. `size` is
/// that of the model.
pub(super) fn of(model: &Model, finding: &Diagnostic, size: f32) -> Option<Culprit> {
    of_code_at(model, finding.code, (&finding.pointer, finding.place), size)
}

/// [`of`] a finding of such a code at a pointer, about a place there.
fn of_code_at(
    model: &Model,
    code: &str,
    (pointer, place): (&str, Place),
    size: f32,
) -> Option<Culprit> {
    let named = of_pointer(model, pointer)?;
    let node = place.node_index;
    let node = node.and_then(|index| model.hierarchy.by_file_index(index));
    let culprit = Culprit {
        node: node.map(NodeId::index).or(named.node),
        at_secs: place.time_secs.filter(|_| named.clip.is_some()),
        is_in_weights: code == StrayWeights::CODE,
        ..named
    };
    let clip = culprit.clip.filter(|_| code == LoopSeam::CODE);
    let Some(clip) = clip.and_then(|clip| model.clips.get(clip)) else {
        return Some(culprit);
    };
    let seam = LoopSeam::of_loop(model, clip, size);
    let worst = seam.worst_tip(LEVER * size);
    let cause = worst.map(|(node, _)| seam.cause(&model.hierarchy, node, LEVER * size).node);
    Some(Culprit {
        node: cause.map(NodeId::index),
        at_secs: end_of(model, culprit),
        ..culprit
    })
}

/// Where the clip ends, whatever part of it loops.
fn end_of(model: &Model, culprit: Culprit) -> Option<f64> {
    let clip = model.clips.get(culprit.clip?)?;
    Some(f64::from(clip.duration_secs()))
}

/// More of what can be chosen, where one finding is about several objects.
pub(super) fn others_of(model: &Model, finding: &Diagnostic, size: f32) -> Vec<Culprit> {
    let is_seam = finding.code == LoopSeam::CODE;
    let is_long = finding.others.len().saturating_mul(model.hierarchy.len()) > MAX_PLACEMENTS;
    let others = finding.others.iter().filter_map(|(pointer, place)| {
        // Of very many clips it is not looked which node is off.
        if is_seam && is_long {
            let culprit = of_pointer(model, pointer)?;
            return Some(Culprit {
                at_secs: end_of(model, culprit),
                ..culprit
            });
        }
        of_code_at(model, finding.code, (pointer, *place), size)
    });
    others.collect()
}

/// The clip, the node and the moment.
pub(super) fn of_motion(finding: &MotionFinding) -> Culprit {
    Culprit {
        node: Some(finding.node.index()),
        clip: Some(finding.clip),
        at_secs: Some(finding.at_secs),
        ..Culprit::default()
    }
}

/// What can be chosen to look at what a pointer such as `/meshes/0/primitives/1` names: the node that carries it, or the
/// clip. None for what no node carries, and for what only the file's own parts name, such as accessors.
fn of_pointer(model: &Model, pointer: &str) -> Option<Culprit> {
    let mut parts = pointer.split('/').skip(1);
    let (kind, index) = (parts.next()?, parts.next()?.parse::<usize>().ok()?);
    let inner = (parts.next(), parts.next().and_then(|it| it.parse().ok()));
    let culprit = |node: Option<NodeId>| {
        Some(Culprit {
            node: Some(node?.index()),
            ..Culprit::default()
        })
    };
    let carrier = |is_it: &dyn Fn(&crate::model::Node) -> bool| {
        let mut nodes = model.hierarchy.iter();
        nodes.find(|(_, node)| is_it(node)).map(|(id, _)| id)
    };
    match kind {
        "nodes" => culprit(model.hierarchy.by_file_index(index)),
        "meshes" => {
            let found = culprit(carrier(&|node| node.mesh == Some(index)))?;
            let primitives = &model.meshes.get(index)?.primitives;
            let place = inner.1.filter(|_| inner.0 == Some("primitives"));
            let primitive = place.and_then(|place: usize| {
                let mut all = primitives.iter();
                all.find(|primitive| primitive.file_index == place)
            });
            Some(Culprit {
                material: primitive.map(|it| it.material),
                ..found
            })
        }
        "materials" => {
            let uses = |primitive: &Primitive| primitive.materials().any(|it| it == index);
            let found = culprit(carrier(&|node| {
                let mesh = node.mesh.and_then(|mesh| model.meshes.get(mesh));
                mesh.is_some_and(|mesh| mesh.primitives.iter().any(uses))
            }))?;
            Some(Culprit {
                material: Some(index),
                ..found
            })
        }
        "skins" => {
            let skin = model.skins.get(index)?;
            let joint = inner.1.filter(|_| inner.0 == Some("joints"));
            let joint = joint.and_then(|joint: usize| skin.joints.get(joint).copied());
            let skeleton = skin.skeleton.filter(|_| inner.0 == Some("skeleton"));
            let named = joint.or(skeleton);
            culprit(named.or_else(|| carrier(&|node| node.skin == Some(index))))
        }
        "cameras" => culprit(carrier(&|node| node.camera == Some(index))),
        "animations" => (index < model.clips.len()).then(|| Culprit {
            clip: Some(index),
            ..Culprit::default()
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, Hierarchy, Material, Mesh, Node, Skin, VariantMaterial};

    /// As the mark of the timeline leads there.
    #[test]
    fn a_seam_leads_to_the_node_that_is_off_and_to_the_end() {
        let nodes = vec![Node::default(), Node::default()];
        let hierarchy = Hierarchy::new(nodes, &[None, Some(0)], &[vec![], vec![]]).unwrap();
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
            let culprit = of(&model, &finding, 1.0)?;
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
            let others = others_of(&model, &finding, 1.0);
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
        let first = of(&model, &finding, 1.0).unwrap();
        assert_eq!(told(&first), (Some(1), Some(1), Some(0.5)));
        let others = others_of(&model, &finding, 1.0);
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
        for (code, is_in_weights) in [(StrayWeights::CODE, true), ("SKIN_UNUSED_JOINTS", false)] {
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
            assert_eq!(of(&model, &finding, 1.0), Some(expected));
        }
    }

    #[test]
    fn pointers_lead_to_who_carries_what_they_name() {
        // In the file the child comes first.
        let nodes = vec![
            Node {
                mesh: Some(1),
                skin: Some(0),
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
            let culprit = of_pointer(&model, pointer)?;
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
            "/animations/7",
            "/nodes/x",
        ] {
            assert_eq!(found(nobody), None, "{nobody}");
        }
    }
}
