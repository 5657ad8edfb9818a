//! Clips whose keys all say the same.

use rigscope::import::Severity;

use super::file::File;

/// Poses have one key, or one at each end, and tangents lead away from keys that are all the same.
#[test]
fn a_clip_whose_keys_are_all_the_same_moves_nothing() {
    let code = "ANIMATION_MOVES_NOTHING";
    let (still, moved) = ([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]);
    let (three, two) = (&[0.0, 0.5, 1.0][..], &[0.0, 1.0][..]);
    let (zero, linear, spline) = ([0.0; 3], "LINEAR", "CUBICSPLINE");
    for (times, values, interpolation, is_found) in [
        (three, [still; 3].concat(), linear, true),
        (three, [still, still, moved].concat(), linear, false),
        (two, [still; 2].concat(), linear, false),
        (&[0.0], still.to_vec(), linear, false),
        (three, [zero, still, zero].concat().repeat(3), spline, true),
        (three, [still; 9].concat(), spline, false),
    ] {
        let mut file = File::animated("translation", "VEC3", times, &values);
        file.json["animations"][0]["samplers"][0]["interpolation"] = interpolation.into();
        let import = file.load();
        let found = import.diagnostics.iter().find(|it| it.code == code);
        assert_eq!(found.is_some(), is_found, "{times:?} {values:?}");
        if let Some(found) = found {
            let (severity, pointer) = (found.severity, &*found.pointer);
            assert_eq!((severity, pointer), (Severity::Hint, "/animations/0"));
        }
    }
}
