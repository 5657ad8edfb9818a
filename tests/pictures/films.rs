//! Thin films seen along the surface, where they take light from what would be reflected without them.

use serde_json::json;

use super::{environment::ggx, light::light, lobe_twins::film, quad::quad};
use crate::common::gpu;

/// A lamp mirrored in a film on a black dielectric and on a metal, straight on and from ever further aside: what its lobe
/// returns is the film's reflectance.
#[test]
fn films_reflect_what_their_formula_says_at_all_angles() {
    let Some(gpu) = gpu() else { return };
    let roughness = 0.25_f64;
    for (metallic, base) in [(0.0, 0.04), (1.0, 0.8)] {
        for thickness in [150.0, 250.0, 400.0, 700.0] {
            for degrees in [5.0_f64, 45.0, 68.75, 75.0] {
                let cosine = degrees.to_radians().cos();
                let lobe = ggx(roughness * roughness, cosine, cosine, 1.0) * cosine;
                let expected = film(cosine, 1.33, thickness, base).map(|it| it.clamp(0.0, 1.0));
                let brightest = expected.iter().copied().fold(0.0, f64::max);
                let illuminance = 0.6 / (lobe * brightest);
                let color = if metallic == 0.0 { 0.0 } else { base };
                let material = json!({
                    "pbrMetallicRoughness": {
                        "baseColorFactor": [color, color, color, 1.0],
                        "metallicFactor": metallic,
                        "roughnessFactor": roughness
                    },
                    "extensions": { "KHR_materials_iridescence": {
                        "iridescenceFactor": 1.0,
                        "iridescenceIor": 1.33,
                        "iridescenceThicknessMaximum": thickness
                    } }
                });
                // Turned about Y, so that it shines from the side that the eye is not on.
                let half = -degrees.to_radians() / 2.0;
                let lamp = json!({ "type": "directional", "intensity": illuminance });
                let mut quad = quad(&[
                    (
                        "extensionsUsed",
                        json!(["KHR_lights_punctual", "KHR_materials_iridescence"]),
                    ),
                    (
                        "extensions",
                        json!({ "KHR_lights_punctual": { "lights": [lamp] } }),
                    ),
                    (
                        "nodes",
                        json!([{ "mesh": 0, "children": [1] }, {
                            "rotation": [0.0, half.sin(), 0.0, half.cos()],
                            "extensions": { "KHR_lights_punctual": { "light": 0 } }
                        }]),
                    ),
                    ("materials", json!([material])),
                ]);
                // From so far that all pixels are seen from one direction.
                let orbit = format!("{degrees},90,100");
                let more = ["--tone", "none", "--environment-strength", "0"];
                let found = light(&gpu, &mut quad, &more, &orbit, [32, 32]);
                let found = found.map(|it| it / (lobe * illuminance));
                println!("{metallic} {thickness} from {degrees}: {found:.3?}, {expected:.3?}");
                for (found, expected) in found.iter().zip(expected) {
                    // What one bounce between facets loses is given back: a little more than the formula.
                    let tolerance = 0.015 + 0.08 * expected;
                    assert!(
                        (found - expected).abs() < tolerance,
                        "{metallic} {thickness} from {degrees}: {found:.3}, not {expected:.3}"
                    );
                }
            }
        }
    }
}
