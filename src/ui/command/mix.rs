//! What users ask for about clips that play together.

/// The greatest weight: what is added may be exaggerated.
pub const MAX_ADDED: f32 = 2.0;

/// A wish about clips together. Clips are named by their index.
#[derive(Debug, Clone, PartialEq)]
pub enum MixCommand {
    /// Play a clip beside the chosen one, or stop that.
    ToggleMixed(usize),
    /// Say how a clip of the mix goes over the others.
    SetMode(usize, MixMode),
    /// Set how much there is of a clip of the mix.
    SetWeight(usize, f32),
    /// Confine a clip of the mix to a node and what is below it, or to nothing.
    SetBelow(usize, Option<usize>),
    /// Say what an added clip is the difference from.
    SetReference(usize, MixReference),
    /// Make the clip that joined last an added one, or one that is blended.
    SwitchMode,
    /// Play clips of different length in step with the chosen one, or each in its own time.
    SetInStep(bool),
    /// Play all clips beside the chosen one, but for those that move what another does.
    PlayAll,
    /// Back to the chosen clip alone.
    EndMix,
}

/// How a clip of a mix goes over those below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MixMode {
    /// It moves what it has tracks for, and leaves everything else alone.
    #[default]
    Together,
    /// It is mixed with what is below, by its weight.
    Blend,
    /// Its difference from a reference pose is added.
    Add,
}

/// What an added clip is the difference from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum MixReference {
    /// The clip's own first frame.
    #[default]
    FirstFrame,
    /// The pose that the model is in without a clip.
    RestPose,
    /// The clip's own frame at a time in seconds.
    Frame(f64),
}
