//! What a model guarantees, whatever file it comes from.

use rigscope::model::{Influences, Interpolation, Model, Primitive, Topology, Track};

/// Checks everything that the rest of the program relies on.
#[track_caller]
pub(crate) fn check(model: &Model) {
    check_nodes(model);
    for (index, mesh) in model.meshes.iter().enumerate() {
        let users = model.hierarchy.nodes().iter();
        let skins = users.filter(|node| node.mesh == Some(index));
        let skins = skins.filter_map(|node| node.skin);
        let joints = skins.map(|skin| model.skins[skin].joints.len()).min();
        for primitive in &mesh.primitives {
            assert_eq!(primitive.targets.len(), mesh.target_count);
            assert!(primitive.material < model.materials.len());
            check_primitive(primitive, joints);
        }
    }
    for skin in &model.skins {
        assert_eq!(skin.joints.len(), skin.joint_from_mesh.len());
        assert!(
            skin.joints
                .iter()
                .all(|joint| joint.index() < model.hierarchy.len())
        );
        assert!(skin.joint_from_mesh.iter().all(glam::Affine3A::is_finite));
    }
    check_materials(model);
    check_clips(model);
    assert!(model.default_scene < model.scenes.len());
    let mut roots = model.scenes.iter().flat_map(|scene| &scene.roots);
    assert!(roots.all(|root| root.index() < model.hierarchy.len()));
}

fn check_nodes(model: &Model) {
    let hierarchy = &model.hierarchy;
    let mut next_weight = 0;
    for (id, node) in hierarchy.iter() {
        assert!(node.parent.is_none_or(|parent| parent < id));
        assert_eq!(hierarchy.by_file_index(node.file_index), Some(id));
        let rest = &node.rest;
        assert!(rest.translation.is_finite() && rest.scale.is_finite());
        assert!(rest.rotation.is_normalized());
        assert!(node.fixed_matrix.is_none_or(|matrix| matrix.is_finite()));
        assert!(
            node.camera
                .is_none_or(|camera| camera < model.cameras.len())
        );
        if let Some(skin) = node.skin {
            assert!(node.mesh.is_some());
            assert!(!model.skins[skin].joints.is_empty());
        }
        let targets = node.mesh.map_or(0, |mesh| model.meshes[mesh].target_count);
        assert_eq!(node.weights, next_weight..next_weight + targets);
        next_weight = node.weights.end;
    }
    assert_eq!(hierarchy.rest_weights().len(), next_weight);
    assert!(
        hierarchy
            .rest_weights()
            .iter()
            .all(|weight| weight.is_finite())
    );
}

fn check_primitive(primitive: &Primitive, joints: Option<usize>) {
    let vertices = &primitive.vertices;
    let count = vertices.positions.len();
    let corners = match primitive.topology {
        Topology::Points => 1,
        Topology::Lines => 2,
        Topology::Triangles => 3,
    };
    assert!(!primitive.indices.is_empty() && primitive.indices.len().is_multiple_of(corners));
    assert!(
        primitive
            .indices
            .iter()
            .all(|index| (index as usize) < count)
    );
    let is_length = |length: usize| length == 0 || length == count;
    assert!(
        vertices
            .positions
            .iter()
            .all(|position| position.is_finite())
    );
    assert!(is_length(vertices.normals.len()));
    let is_unit = |length: f32| (length - 1.0).abs() < 0.01;
    assert!(
        vertices
            .normals
            .iter()
            .all(|normal| is_unit(normal.length()))
    );
    assert!(is_length(vertices.tangents.len()));
    assert!(vertices.tangents.is_empty() || !vertices.normals.is_empty());
    for tangent in &vertices.tangents {
        assert!(is_unit(tangent.truncate().length()) && tangent.w.abs() == 1.0);
    }
    for tex_coords in &vertices.tex_coords {
        assert!(is_length(tex_coords.len()));
        assert!(tex_coords.iter().all(|tex_coord| tex_coord.is_finite()));
    }
    assert!(is_length(vertices.colors.len()));
    let mut parts = vertices.colors.iter().flat_map(|it| it.to_array());
    assert!(parts.all(|part| (0.0..=1.0).contains(&part)));
    for target in &primitive.targets {
        for deltas in [&target.positions, &target.normals, &target.tangents] {
            assert!(is_length(deltas.dense(count).len()));
            assert!(deltas.iter().is_sorted_by(|(one, _), (next, _)| one < next));
            assert!(
                deltas
                    .iter()
                    .all(|(vertex, delta)| vertex < count && delta.is_finite())
            );
        }
        assert!(target.normals.is_empty() || !vertices.normals.is_empty());
        assert!(target.tangents.is_empty() || !vertices.tangents.is_empty());
    }
    if let Some(influences) = &primitive.influences {
        check_influences(influences, count, joints);
    }
}

fn check_influences(influences: &Influences, vertices: usize, joints: Option<usize>) {
    let Influences {
        per_vertex,
        joints: found,
        weights,
    } = influences;
    assert!([4, 8].contains(per_vertex));
    assert_eq!(found.len(), vertices * per_vertex);
    assert_eq!(weights.len(), found.len());
    if let Some(joints) = joints {
        assert!(found.iter().all(|&joint| usize::from(joint) < joints));
    }
    assert!(weights.iter().all(|&weight| weight >= 0.0));
    for weights in weights.chunks(*per_vertex) {
        let sum: f32 = weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{weights:?}");
    }
}

fn check_materials(model: &Model) {
    for material in &model.materials {
        let references = [
            material.base_color_texture,
            material.metallic_roughness_texture,
            material.emissive_texture,
            material.normal_texture.map(|normal| normal.texture),
            material
                .occlusion_texture
                .map(|occlusion| occlusion.texture),
        ];
        for reference in references.into_iter().flatten() {
            assert!(reference.texture < model.textures.len() && reference.tex_coord < 2);
        }
        assert!(material.base_color.is_finite() && material.emissive.is_finite());
        assert!((0.0..=1.0).contains(&material.metallic));
        assert!((0.0..=1.0).contains(&material.roughness));
    }
    for texture in &model.textures {
        assert!(texture.image < model.images.len());
    }
    for image in model.images.iter() {
        assert!(image.width >= 1 && image.height >= 1);
        assert!(!image.levels.is_empty());
        for (level, texels) in image.levels.iter().enumerate() {
            let (width, height) = image.level_size(level);
            assert_eq!(texels.len(), image.format.size(width, height));
        }
    }
}

fn check_clips(model: &Model) {
    for clip in &model.clips {
        for timeline in clip.timelines() {
            let times = timeline.times_secs();
            assert!(!times.is_empty() && times.is_sorted());
            assert!(times.iter().all(|time| time.is_finite()));
        }
        let keys = |timeline: usize| clip.timelines()[timeline].times_secs().len();
        for track in clip.translations().iter().chain(clip.scales()) {
            check_track(model, track, keys(track.timeline()));
            assert!(track.values().iter().all(|value| value.is_finite()));
        }
        for track in clip.rotations() {
            check_track(model, track, keys(track.timeline()));
            assert!(track.values().iter().all(|value| value.is_finite()));
            if track.interpolation() != Interpolation::CubicSpline {
                assert!(track.values().iter().all(|value| value.is_normalized()));
            }
        }
        for track in clip.weights() {
            check_track(model, track, keys(track.timeline()));
            assert_eq!(
                track.width(),
                model.hierarchy.node(track.node()).weights.len()
            );
            assert!(track.values().iter().all(|value| value.is_finite()));
        }
    }
}

fn check_track<T>(model: &Model, track: &Track<T>, keys: usize) {
    assert!(track.node().index() < model.hierarchy.len());
    let per_key = match track.interpolation() {
        Interpolation::CubicSpline => 3 * track.width(),
        Interpolation::Step | Interpolation::Linear => track.width(),
    };
    assert_eq!(track.values().len(), keys * per_key);
}
