//! Pip's colours: warm fur against a cool scarf, with one accent of brass.

/// Materials, in the order of the file.
pub const FUR: usize = 0;
/// Muzzle, cheeks, belly, inner ears, tail rings.
pub const CREAM: usize = 1;
/// Gloves, boots, backs of the ears.
pub const BARK: usize = 2;
/// White of the eye.
pub const SCLERA: usize = 3;
/// Coloured part of the eye.
pub const IRIS: usize = 4;
/// Pupil and nose: wet and dark.
pub const INK: usize = 5;
/// The catch-light.
pub const GLINT: usize = 6;
/// Inside of the mouth.
pub const MOUTH: usize = 7;
/// Scarf.
pub const WOOL: usize = 8;
/// Stripes of the scarf.
pub const STRIPE: usize = 9;
/// The bell.
pub const BRASS: usize = 10;

/// Name, linear base colour, metallic, roughness.
#[rustfmt::skip]
pub const MATERIALS: [(&str, [f64; 3], f64, f64); 11] = [
    ("Fur",    [0.76,  0.171, 0.042], 0.0, 0.9),
    ("Cream",  [0.96,  0.83,  0.64],  0.0, 0.9),
    ("Bark",   [0.085, 0.032, 0.02], 0.0, 0.8),
    ("Sclera", [0.98,  0.97,  0.93],  0.0, 0.15),
    ("Iris",   [0.03,  0.28,  0.24],  0.0, 0.12),
    ("Ink",    [0.012, 0.008, 0.008], 0.0, 0.2),
    ("Glint",  [1.0,   1.0,   1.0],   0.0, 0.3),
    ("Mouth",  [0.2,   0.023, 0.033], 0.0, 0.6),
    ("Wool",   [0.013, 0.333, 0.314], 0.0, 0.95),
    ("Stripe", [0.905, 0.527, 0.078], 0.0, 0.95),
    ("Brass",  [0.85,  0.55,  0.16],  0.9, 0.35),
];
