//! Lines over surfaces, in light as in views for inspection.

/// Which lines are drawn over surfaces, hidden by what is before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SurfaceLines {
    /// The edges of all triangles.
    pub wires: bool,
    /// The normals of vertices.
    pub normals: bool,
}
