//! Computed tangents of surfaces that morph targets bend.

use glam::Vec3;
use serde_json::json;

use super::{
    file::File,
    tangents::{mapped, mirrored, primitive, quad},
};

/// What the targets of a quad do to its tangents: all deltas of each target that turns them.
fn followed(mut file: File, targets: &[(&[f32], &[f32])]) -> Vec<Vec<Vec3>> {
    let targets = targets.iter().map(|(positions, normals)| {
        let mut target = json!({"POSITION": file.floats("VEC3", positions)});
        if !normals.is_empty() {
            target["NORMAL"] = file.floats("VEC3", normals).into();
        }
        target
    });
    let targets: Vec<_> = targets.collect();
    file.primitive()["targets"] = targets.into();
    let import = file.load();
    assert!(
        import
            .diagnostics
            .iter()
            .all(|it| it.code != "TANGENTS_NOT_COMPUTED"),
        "{:?}",
        import.diagnostics
    );
    let primitive = primitive(&import);
    let count = primitive.vertices.positions.len();
    let targets = primitive.targets.iter();
    targets
        .map(|target| {
            let tangents = target.tangents.dense(count);
            assert!(tangents.is_empty() || tangents.len() == count);
            tangents.into_owned()
        })
        .collect()
}

/// Vertices that differ in a set of coordinates which the normal map does not look at share their tangents all the same.
#[test]
fn targets_turn_tangents_along_the_seams_of_their_coordinates() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
    let others = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let corners = [corners, others].concat();
    let deltas = |set: usize| {
        let mut file = mapped(&corners, &corners, &[0, 1, 2, 3, 4, 5]);
        let apart: Vec<f32> = (0..12).map(|number| number as f32 / 8.0).collect();
        let apart = file.floats("VEC2", &apart);
        let attributes = &mut file.primitive()["attributes"];
        let wanted = attributes["TEXCOORD_0"].clone();
        attributes[format!("TEXCOORD_{set}")] = wanted;
        attributes[format!("TEXCOORD_{}", 1 - set)] = apart.into();
        file.json["materials"][0]["normalTexture"]["texCoord"] = set.into();
        let mut raised = [0.0; 18];
        raised[5] = 1.0;
        followed(file, &[(&raised, &[])])
    };
    assert_eq!(deltas(0), deltas(1));
}

#[test]
fn morph_targets_turn_computed_tangents() {
    // Corners at (0,0), (1,0), (1,1), (0,1); their tangents are +X.
    let turned_in_the_plane = [
        0.0, 0.0, 0.0, -1.0, 1.0, 0.0, -2.0, 0.0, 0.0, -1.0, -1.0, 0.0,
    ];
    // x goes to −z, and the normal from +Z to +X.
    let turned_about_y = [
        0.0, 0.0, 0.0, -1.0, 0.0, -1.0, -1.0, 0.0, -1.0, 0.0, 0.0, 0.0,
    ];
    let normals_about_y = [1.0, 0.0, -1.0].repeat(4);
    let raised = [0.0, 0.0, 5.0].repeat(4);
    // y grows with x: u goes along (1, 1) afterwards.
    let sheared = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let found = followed(
        quad(),
        &[
            (&turned_in_the_plane, &[]),
            (&turned_about_y, &normals_about_y),
            (&raised, &[]),
            (&sheared, &[]),
        ],
    );
    let half = 0.5_f32.sqrt();
    for (deltas, expected) in [
        (&found[0], Vec3::new(-1.0, 1.0, 0.0)),
        (&found[1], Vec3::new(-1.0, 0.0, -1.0)),
        (&found[3], Vec3::new(half - 1.0, half, 0.0)),
    ] {
        assert_eq!(deltas.len(), 4);
        for delta in deltas {
            assert!(
                delta.distance(expected) < 1e-6,
                "{delta} instead of {expected}"
            );
        }
    }
    assert!(found[2].is_empty(), "what is only moved does not turn");
}

/// As the same coordinates do that are those of the surface itself.
#[test]
fn targets_that_move_coordinates_turn_computed_tangents() {
    let mut file = quad();
    // u is y afterwards, and v is x.
    let deltas = file.floats("VEC2", &[0.0, -1.0, -1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    file.primitive()["targets"] = json!([{"TEXCOORD_0": deltas}]);
    let import = file.load();
    let primitive = primitive(&import);
    let tangents = primitive.targets[0].tangents.dense(4);
    assert_eq!(tangents.len(), 4);
    for delta in tangents.iter() {
        let expected = Vec3::new(-1.0, 1.0, 0.0);
        assert!(delta.distance(expected) < 1e-6, "{delta}");
    }
}

#[test]
fn copies_of_mirrored_vertices_turn_by_their_own_side() {
    // Six vertices, and copies of the two in the middle; the left half is bent up by 90° about the middle edge.
    let mut bend = [0.0; 18];
    for vertex in [0, 3] {
        bend[3 * vertex] = 1.0;
        bend[3 * vertex + 2] = 1.0;
    }
    // On the left u grows towards +X, after the bend towards −Z; laid into the plane of the normal, which the file leaves at
    // +Z, nothing is left of it, so there is nothing to turn to. On the right nothing is bent.
    assert!(followed(mirrored(), &[(&bend, &[])])[0].is_empty());
    // With normals that follow, the left side turns and the right side does not.
    let mut normals = [0.0; 18];
    for vertex in [0, 3] {
        normals[3 * vertex] = 1.0;
        normals[3 * vertex + 2] = -1.0;
    }
    let deltas = followed(mirrored(), &[(&bend, &normals)]).remove(0);
    assert_eq!(deltas.len(), 8);
    for (vertex, delta) in deltas.iter().enumerate() {
        let is_left = vertex == 0 || vertex == 3;
        let expected = if is_left {
            Vec3::new(-1.0, 0.0, -1.0)
        } else {
            Vec3::ZERO
        };
        assert!(
            delta.distance(expected) < 1e-6,
            "{vertex}: {delta} instead of {expected}"
        );
    }
}

#[test]
fn tangents_of_the_file_are_not_touched() {
    let mut file = quad();
    let tangents = file.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(4));
    file.primitive()["attributes"]["TANGENT"] = tangents.into();
    let turned = [
        0.0, 0.0, 0.0, -1.0, 1.0, 0.0, -2.0, 0.0, 0.0, -1.0, -1.0, 0.0,
    ];
    assert!(followed(file, &[(&turned, &[])])[0].is_empty());
}
