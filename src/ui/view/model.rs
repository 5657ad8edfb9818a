//! What panels read of the model as a whole.

/// The model that is shown, its scenes and its variants.
#[derive(Debug, Clone, Copy)]
pub struct ModelView<'a> {
    /// Another number for every model that is shown, so that what was folded or searched in the last one is forgotten.
    pub generation: u64,
    /// Its name, such as `Fox.glb`.
    pub name: &'a str,
    /// Names of the file's scenes.
    pub scenes: &'a [String],
    /// Index of the scene that is shown.
    pub scene: usize,
    /// Names of the variants of the file's materials.
    pub variants: &'a [String],
    /// Index of the variant that is shown; none for the file's own choice.
    pub variant: Option<usize>,
}
