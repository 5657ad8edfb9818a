//! How much there is of everything, and what frames cost.

/// Numbers about the model and the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics<'a> {
    /// Triangles of all meshes.
    pub triangles: usize,
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Nodes of the file.
    pub nodes: usize,
    /// Joints of all skins.
    pub joints: usize,
    /// Skins.
    pub skins: usize,
    /// Meshes.
    pub meshes: usize,
    /// Materials of the file.
    pub materials: usize,
    /// Textures.
    pub textures: usize,
    /// Morph targets of all meshes.
    pub morph_targets: usize,
    /// How many of a crowd are in sight, and how many there are; none if the model is alone.
    pub crowd: Option<(usize, usize)>,
    /// Matrices that each of a crowd has: those of its joints, and of what moves as a whole.
    pub crowd_joints: usize,
    /// Bytes of the matrices in sight, and what they would take as three rows each.
    pub palette_bytes: [u64; 2],
    /// Draw calls of the last frame.
    pub draws: usize,
    /// Bytes in GPU buffers and textures for this model.
    pub gpu_bytes: u64,
    /// Processor time that sampling, world matrices and the palette took for the last frame.
    pub pose_micros: f32,
    /// Processor time of the whole last frame.
    pub frame_millis: f32,
    /// Frames drawn in the last second.
    pub frames_per_sec: f32,
    /// Time from asking for the file to its model.
    pub load_millis: f32,
    /// The size along x, y, z of the model in its own pose, or of the crowd.
    pub size: [f32; 3],
    /// Parts of meshes (primitives), and how many of them have no tangents, no texture coordinates, and no colours.
    pub parts: usize,
    /// See `parts`.
    pub without_tangents: usize,
    /// See `parts`.
    pub without_tex_coords: usize,
    /// See `parts`.
    pub without_colors: usize,
    /// What the last frames cost, the latest last.
    pub costs: &'a [FrameCost],
}

/// What a frame cost, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameCost {
    /// Sampling, world matrices, the palette.
    pub pose: f32,
    /// The panels, and their triangles.
    pub interface: f32,
    /// Telling the GPU what to draw.
    pub drawing: f32,
    /// The passes on the GPU; none where it tells nothing.
    pub gpu: Option<f32>,
}
