//! Colours of weights, from none to all.

use crate::model::Keyed;

/// Which colours stand for weights from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WeightColors {
    /// Blue, green, yellow, red.
    #[default]
    Heat,
    /// Dark violet, green, yellow: ordered in brightness, and told apart by colour-blind eyes (S. van der Walt,
    /// N. Smith: viridis, 2015).
    Viridis,
}

impl Keyed for WeightColors {
    const ALL: &'static [Self] = &[Self::Heat, Self::Viridis];

    fn key(self) -> &'static str {
        match self {
            Self::Heat => "heat",
            Self::Viridis => "viridis",
        }
    }
}

impl WeightColors {
    /// The colour of a weight.
    pub fn color(self, weight: f32) -> [f32; 3] {
        let at = weight.clamp(0.0, 1.0) * 4.0;
        let below = (at as usize).min(3);
        let (stops, part) = (self.stops(), at - below as f32);
        [0, 1, 2].map(|lane| {
            let (from, to) = (stops[below][lane], stops[below + 1][lane]);
            from + (to - from) * part
        })
    }

    /// Colours of the weights 0, ¼, ½, ¾ and 1, as on the screen (sRGB, 0..1); between them they mix evenly. Twin:
    /// `weight_color` in `shaders/views.wgsl`.
    pub fn stops(self) -> [[f32; 3]; 5] {
        match self {
            Self::Heat => [
                [0.10, 0.16, 0.60],
                [0.10, 0.62, 0.82],
                [0.25, 0.75, 0.30],
                [0.98, 0.85, 0.20],
                [0.88, 0.12, 0.10],
            ],
            Self::Viridis => [
                [0.267, 0.005, 0.329],
                [0.229, 0.322, 0.546],
                [0.128, 0.567, 0.551],
                [0.369, 0.789, 0.383],
                [0.993, 0.906, 0.144],
            ],
        }
    }
}
