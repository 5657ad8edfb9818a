//! The WGSL sources, put together: each module is some files one after the other, without a preprocessor.

const FRAME: &str = include_str!("../../shaders/frame.wgsl");
/// By matrices and by dual quaternions.
const SKINNING: &str = concat!(
    include_str!("../../shaders/skinning.wgsl"),
    include_str!("../../shaders/dual_quaternion.wgsl"),
);
const MESH: &str = include_str!("../../shaders/mesh.wgsl");
const ENVIRONMENT: &str = include_str!("../../shaders/environment.wgsl");
const MATERIAL_DATA: &str = include_str!("../../shaders/material_data.wgsl");
const NORMALS: &str = include_str!("../../shaders/normals.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const MICROFACETS: &str = include_str!("../../shaders/microfacets.wgsl");
const IRIDESCENCE: &str = include_str!("../../shaders/iridescence.wgsl");
const LIGHTING: &str = include_str!("../../shaders/lighting.wgsl");
const TRANSMISSION: &str = include_str!("../../shaders/transmission.wgsl");
const MATERIAL: &str = include_str!("../../shaders/material.wgsl");
const OVERLAY: &str = include_str!("../../shaders/overlay.wgsl");
const GRID: &str = include_str!("../../shaders/grid.wgsl");
const TONEMAP: &str = include_str!("../../shaders/tonemap.wgsl");
const MIPMAP: &str = include_str!("../../shaders/mipmap.wgsl");
const SRGB: &str = include_str!("../../shaders/srgb.wgsl");
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

    pub(super) fn module(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.source().into()),
        })
    }
}

/// Meshes: morphing, skinning, materials, light.
pub const MESHES: Shader = Shader {
    name: "Shader::meshes",
    parts: &[
        FRAME,
        SKINNING,
        MESH,
        ENVIRONMENT,
        MATERIAL_DATA,
        NORMALS,
        SURFACE,
        MICROFACETS,
        IRIDESCENCE,
        LIGHTING,
        TRANSMISSION,
        MATERIAL,
    ],
};
/// Meshes in views for inspection.
pub const MESH_VIEWS: Shader = Shader {
    name: "Shader::mesh_views",
    parts: &[
        FRAME,
        SKINNING,
        MESH,
        MATERIAL_DATA,
        NORMALS,
        SURFACE,
        SRGB,
        VIEWS,
    ],
};
/// The skeleton.
pub const SKELETON: Shader = Shader {
    name: "Shader::skeleton",
    parts: &[FRAME, OVERLAY],
};
/// The ground grid.
pub const GROUND_GRID: Shader = Shader {
    name: "Shader::ground_grid",
    parts: &[FRAME, GRID],
};
/// From the scene to the picture.
pub const TONE: Shader = Shader {
    name: "Shader::tone",
    parts: &[SRGB, TONEMAP],
};
/// Mip levels.
pub const MIPMAPS: Shader = Shader {
    name: "Shader::mipmaps",
    parts: &[MIPMAP],
};
/// Posed vertices, computed.
pub const POSED_VERTICES: Shader = Shader {
    name: "Shader::posed_vertices",
    parts: &[SKINNING, POSE_VERTICES],
};

/// All modules, for tests.
pub const ALL: [Shader; 7] = [
    MESHES,
    MESH_VIEWS,
    SKELETON,
    GROUND_GRID,
    TONE,
    MIPMAPS,
    POSED_VERTICES,
];
