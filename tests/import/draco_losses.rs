//! What Draco streams have, and not as the file says.

use rigscope::import::Severity;
use serde_json::{Value, json};

use super::{
    draco::without_indices,
    file::{File, SHORT},
};

/// A triangle in a stream, with these bounds; what is said of them.
fn said_of_bounds(
    points: [[f32; 3]; 3],
    [min, max]: [Value; 2],
    change: impl Fn(&mut File),
) -> Vec<(Severity, &'static str)> {
    let mut file = without_indices(&points, Some(&[[0, 1, 2]]));
    file.json["accessors"][0]["min"] = min;
    file.json["accessors"][0]["max"] = max;
    change(&mut file);
    let import = file.load();
    let primitive = &import.model.meshes[0].primitives[0];
    assert_eq!(primitive.vertices.positions[1].to_array(), points[1]);
    let found = import.diagnostics.iter();
    let found =
        found.filter(|it| matches!(it.code, "ACCESSOR_MIN_MISMATCH" | "ACCESSOR_MAX_MISMATCH"));
    found.map(|it| (it.severity, it.code)).collect()
}

/// Quantisation moves corners, and thereby the box, by a part of a step.
#[test]
fn bounds_far_from_what_a_stream_has_are_told() {
    // In steps of a 64th of the size.
    let fine = [[0.0, 0.0, 0.0], [1.0, 0.015_625, 0.0], [1.0, 1.0, 0.0]];
    // No encoder takes so few that these could be two of them.
    let coarse = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    for (points, min, max, code) in [
        (fine, [0.0, 0.0, 0.0], [1.0, 1.0, 0.0], None),
        (fine, [-0.01, 0.0, 0.0], [1.015, 1.0, 0.01], None),
        (
            fine,
            [-5.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            Some("ACCESSOR_MIN_MISMATCH"),
        ),
        (
            fine,
            [0.0, 0.0, 0.0],
            [1.0, 1.1, 0.0],
            Some("ACCESSOR_MAX_MISMATCH"),
        ),
        (coarse, [0.0, 0.0, 0.0], [1.0, 1.0, 0.0], None),
        (
            coarse,
            [0.0, 0.0, 0.0],
            [1.0, 1.9, 0.0],
            Some("ACCESSOR_MAX_MISMATCH"),
        ),
    ] {
        let found = said_of_bounds(points, [json!(min), json!(max)], |_| {});
        let told = code.map(|code| (Severity::Warning, code));
        assert_eq!(found, Vec::from_iter(told), "{min:?} {max:?}");
    }
}

/// That the stream has others is said already.
#[test]
fn bounds_of_integers_say_nothing_of_floats_in_a_stream() {
    let points = [[-1.0, 0.0, 0.0], [1.0, 0.25, 0.0], [1.0, 0.5, 0.0]];
    let bounds = [json!([-32767, 0, 0]), json!([32767, 16384, 0])];
    let found = said_of_bounds(points, bounds, |file| {
        let accessor = &mut file.json["accessors"][0];
        accessor["componentType"] = SHORT.into();
        accessor["normalized"] = true.into();
        for key in ["extensionsUsed", "extensionsRequired"] {
            let names = file.json[key].as_array_mut().unwrap();
            names.push("KHR_mesh_quantization".into());
        }
    });
    assert!(found.is_empty(), "{found:?}");
}
