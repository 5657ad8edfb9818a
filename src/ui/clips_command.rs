//! What users ask for about clips together, clips of other files, and morph weights.

/// A wish about clips. Clips are named by their index.
#[derive(Debug, Clone, PartialEq)]
pub enum ClipsCommand {
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
    /// Turn clips that came from a file (its place in the list of such files) into the rest pose of this model, or leave
    /// them as they are there.
    SetRetarget(usize, bool),
    /// Take the clips of such a file out.
    TakeOut(usize),
}

/// A wish about morph weights, which are named by their place among all of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MorphCommand {
    /// Hold it at a value, whatever clips say.
    Hold(usize, f32),
    /// Let clips have it again.
    Release(usize),
    /// Let clips have all of them again.
    ReleaseAll,
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
