//! Light and colours that are shown as they are: what pipelines write into a scene that has both.

use crate::render::targets::scene::SCENE_FORMAT;

/// What a pipeline writes, and into which scenes: where such colours meet what blends, the scene keeps them beside its light,
/// and the tone curve bends one alone (`shaders/scene_colors.wgsl`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) enum ColorKind {
    /// Light, and the scene holds nothing else.
    Light,
    /// Light, and the scene holds shown colours beside it.
    LightBeside,
    /// Colours that are shown as they are.
    Shown,
}

/// Nothing is added, and what is there is dimmed by alpha.
const DIMMED: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Zero,
    dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
    operation: wgpu::BlendOperation::Add,
};
/// Nothing is left of what is there.
const GONE: wgpu::BlendComponent = wgpu::BlendComponent {
    dst_factor: wgpu::BlendFactor::Zero,
    ..DIMMED
};
/// Added to what is there.
pub(super) const SUM: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::One,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Add,
};

/// A blend that treats colour and alpha alike.
pub(super) fn alike(component: wgpu::BlendComponent) -> wgpu::BlendState {
    wgpu::BlendState {
        color: component,
        alpha: component,
    }
}

/// A target of the scene's format.
pub(super) fn scene_target(blend: Option<wgpu::BlendState>) -> Option<wgpu::ColorTargetState> {
    Some(wgpu::ColorTargetState {
        format: SCENE_FORMAT,
        blend,
        write_mask: wgpu::ColorWrites::ALL,
    })
}

impl ColorKind {
    /// Whether the scene holds shown colours.
    pub(in crate::render) fn is_beside(self) -> bool {
        self != Self::Light
    }

    /// That of two entry points which writes so much: light alone, or both.
    pub(super) fn entry(self, [light, both]: [&'static str; 2]) -> &'static str {
        if self.is_beside() { both } else { light }
    }

    /// The targets of what meets the scene's light by `blend`, or covers it.
    pub(super) fn targets(
        self,
        blend: Option<wgpu::BlendState>,
    ) -> Vec<Option<wgpu::ColorTargetState>> {
        let light = scene_target(blend);
        match self {
            Self::Light => vec![light],
            Self::LightBeside => {
                let left = if blend.is_some() { DIMMED } else { GONE };
                vec![light, scene_target(Some(alike(left)))]
            }
            Self::Shown => vec![light.clone(), light],
        }
    }
}
