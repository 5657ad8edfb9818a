//! The WGSL sources, put together: each module is some files one after the other, without a preprocessor.

use super::layout::{MAP_COUNT, texture_slots};

const BRIGHTEST: &str = include_str!("../../shaders/brightest.wgsl");
const FRAME: &str = include_str!("../../shaders/frame.wgsl");
const SKINNING: &str = include_str!("../../shaders/skinning.wgsl");
const DUAL_QUATERNION: &str = include_str!("../../shaders/dual_quaternion.wgsl");
const MESH: &str = include_str!("../../shaders/mesh.wgsl");
const POSITIONS: &str = include_str!("../../shaders/positions.wgsl");
const ENVIRONMENT: &str = include_str!("../../shaders/environment.wgsl");
const SHADOW: &str = include_str!("../../shaders/shadow.wgsl");
const SHADOW_CASTER: &str = include_str!("../../shaders/shadow_caster.wgsl");
const GROUND: &str = include_str!("../../shaders/ground.wgsl");
const PREFILTER: &str = include_str!("../../shaders/prefilter.wgsl");
const MATERIAL_DATA: &str = include_str!("../../shaders/material_data.wgsl");
const NORMALS: &str = include_str!("../../shaders/normals.wgsl");
const SURFACE_LINES: &str = include_str!("../../shaders/surface_lines.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const MICROFACETS: &str = include_str!("../../shaders/microfacets.wgsl");
const IRIDESCENCE: &str = include_str!("../../shaders/iridescence.wgsl");
const LIGHTING: &str = include_str!("../../shaders/lighting.wgsl");
const TRANSMISSION: &str = include_str!("../../shaders/transmission.wgsl");
const MATERIAL: &str = include_str!("../../shaders/material.wgsl");
const SCENE_COLORS: &str = include_str!("../../shaders/scene_colors.wgsl");
const MATERIAL_COLORS: &str = include_str!("../../shaders/material_colors.wgsl");
const OVERLAY: &str = include_str!("../../shaders/overlay.wgsl");
const LINES: &str = include_str!("../../shaders/lines.wgsl");
const GRID: &str = include_str!("../../shaders/grid.wgsl");
const SRGB: &str = include_str!("../../shaders/srgb.wgsl");
const TONE_CURVES: &str = include_str!("../../shaders/tone.wgsl");
const UNTONED: &str = include_str!("../../shaders/untoned.wgsl");
const BACKDROP: &str = include_str!("../../shaders/backdrop.wgsl");
const TONEMAP: &str = include_str!("../../shaders/tonemap.wgsl");
const WEIGHTED_SUMS: &str = include_str!("../../shaders/weighted.wgsl");
const GHOST: &str = include_str!("../../shaders/ghost.wgsl");
const MIPMAP: &str = include_str!("../../shaders/mipmap.wgsl");
const VIEWS: &str = include_str!("../../shaders/views.wgsl");
const POSE_VERTICES: &str = include_str!("../../shaders/pose_vertices.wgsl");

/// A shader module: its name and the files it is made of.
#[derive(Debug, Clone, Copy)]
pub struct Shader {
    /// Its name, for labels and messages.
    pub name: &'static str,
    parts: &'static [&'static str],
}

impl Shader {
    /// The whole source.
    pub fn source(&self) -> String {
        self.parts.join("\n")
    }

    /// The source for materials of so many textures: without the lines of slots beyond, which each stand alone.
    pub fn source_for(&self, slots: usize) -> String {
        let names = |line: &str, slot: usize| {
            let ends = [":", ","].into_iter();
            let mut names = ends
                .flat_map(|end| ["texture", "sampler"].map(|kind| format!("{kind}_{slot}{end}")));
            names.any(|name| line.contains(&name))
        };
        let source = self.source();
        let is_kept = |line: &&str| !(slots..MAP_COUNT).any(|slot| names(line, slot));
        source
            .lines()
            .filter(is_kept)
            .fold(String::new(), |all, line| all + line + "\n")
    }

    pub(super) fn module(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        let slots = texture_slots(&device.limits());
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.source_for(slots).into()),
        })
    }
}

/// Meshes: morphing, skinning, materials, light.
pub const MESHES: Shader = Shader {
    name: "Shader::meshes",
    parts: &MESH_PARTS,
};
/// [`MESHES`] in scenes that hold colours which are shown as they are. Apart, since most models need none of it.
pub const MESHES_OF_COLORS: Shader = Shader {
    name: "Shader::meshes_of_colors",
    parts: &MESH_AND_COLOR_PARTS,
};

const MESH_PARTS: [&str; 17] = [
    BRIGHTEST,
    FRAME,
    SKINNING,
    DUAL_QUATERNION,
    MESH,
    ENVIRONMENT,
    SHADOW,
    TONE_CURVES,
    UNTONED,
    MATERIAL_DATA,
    NORMALS,
    SURFACE,
    MICROFACETS,
    IRIDESCENCE,
    LIGHTING,
    TRANSMISSION,
    MATERIAL,
];
const MESH_AND_COLOR_PARTS: [&str; 19] = {
    let mut parts = [SCENE_COLORS; 19];
    let (of_meshes, rest) = parts.split_at_mut(17);
    of_meshes.copy_from_slice(&MESH_PARTS);
    rest[1] = MATERIAL_COLORS;
    parts
};
/// Meshes in views for inspection, and lines over surfaces.
pub const MESH_VIEWS: Shader = Shader {
    name: "Shader::mesh_views",
    parts: &[
        BRIGHTEST,
        FRAME,
        SKINNING,
        DUAL_QUATERNION,
        MESH,
        ENVIRONMENT,
        SHADOW,
        MATERIAL_DATA,
        NORMALS,
        SURFACE,
        SRGB,
        TONE_CURVES,
        UNTONED,
        SCENE_COLORS,
        VIEWS,
        SURFACE_LINES,
    ],
};
/// The skeleton.
pub const SKELETON: Shader = Shader {
    name: "Shader::skeleton",
    parts: &[
        BRIGHTEST,
        FRAME,
        TONE_CURVES,
        UNTONED,
        SCENE_COLORS,
        OVERLAY,
    ],
};
/// Lines over the scene.
pub const OVERLAY_LINES: Shader = Shader {
    name: "Shader::overlay_lines",
    parts: &[BRIGHTEST, FRAME, TONE_CURVES, UNTONED, SCENE_COLORS, LINES],
};
/// Meshes as the key light sees them.
pub const SHADOWS: Shader = Shader {
    name: "Shader::shadows",
    parts: &[
        FRAME,
        SKINNING,
        DUAL_QUATERNION,
        MESH,
        POSITIONS,
        MATERIAL_DATA,
        SHADOW_CASTER,
    ],
};
/// The environment behind everything.
pub const BACKDROPS: Shader = Shader {
    name: "Shader::backdrops",
    parts: &[
        BRIGHTEST,
        FRAME,
        ENVIRONMENT,
        SHADOW,
        SCENE_COLORS,
        BACKDROP,
    ],
};
/// Shadows on the ground.
pub const GROUND_SHADOW: Shader = Shader {
    name: "Shader::ground_shadow",
    parts: &[FRAME, SHADOW, SRGB, SCENE_COLORS, GROUND],
};
/// The ground grid.
pub const GROUND_GRID: Shader = Shader {
    name: "Shader::ground_grid",
    parts: &[BRIGHTEST, FRAME, TONE_CURVES, UNTONED, SCENE_COLORS, GRID],
};
/// From the scene to the picture.
pub const TONE: Shader = Shader {
    name: "Shader::tone",
    parts: &[BRIGHTEST, SRGB, TONE_CURVES, TONEMAP],
};
/// Blended surfaces that were summed up, over the scene.
pub const WEIGHTED: Shader = Shader {
    name: "Shader::weighted",
    parts: &[BRIGHTEST, SCENE_COLORS, WEIGHTED_SUMS],
};
/// Mip levels.
pub const MIPMAPS: Shader = Shader {
    name: "Shader::mipmaps",
    parts: &[MIPMAP],
};
/// Posed vertices, computed.
pub const POSED_VERTICES: Shader = Shader {
    name: "Shader::posed_vertices",
    parts: &[SKINNING, DUAL_QUATERNION, POSE_VERTICES],
};

/// The environment, as lobes of a roughness see it.
pub const PREFILTERING: Shader = Shader {
    name: "Shader::prefiltering",
    parts: &[PREFILTER],
};

/// A second scene over the first.
pub const GHOSTS: Shader = Shader {
    name: "Shader::ghosts",
    parts: &[SCENE_COLORS, GHOST],
};

/// All modules, for tests.
pub const ALL: [Shader; 15] = [
    MESHES,
    MESHES_OF_COLORS,
    MESH_VIEWS,
    SHADOWS,
    BACKDROPS,
    GROUND_SHADOW,
    SKELETON,
    OVERLAY_LINES,
    GROUND_GRID,
    TONE,
    WEIGHTED,
    MIPMAPS,
    POSED_VERTICES,
    PREFILTERING,
    GHOSTS,
];
