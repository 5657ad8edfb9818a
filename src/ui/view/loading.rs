//! What panels read of files on their way.

/// Files on their way, and what else can be dropped on the window.
#[derive(Debug, Clone, Copy)]
pub struct LoadingView<'a> {
    /// The files that are being read.
    pub files: &'a [Loading<'a>],
    /// Whether the system can drop files on this window.
    pub can_drop: bool,
    /// For what files are read that are held over it, if they are dropped now.
    pub drop_kind: LoadKind,
}

/// A file on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loading<'a> {
    /// What it is read for.
    pub kind: LoadKind,
    /// Its name.
    pub name: &'a str,
    /// What is being done.
    pub stage: &'a str,
    /// 0..1 of the stages.
    pub fraction: f32,
}

/// What a file is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadKind {
    /// To be shown.
    Model,
    /// To be compared with.
    Compared,
    /// For its clips.
    Clips,
    /// To surround the model.
    Environment,
}

impl LoadKind {
    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Model => "Loading",
            Self::Compared => "To compare with",
            Self::Clips => "For its clips",
            Self::Environment => "To surround the model",
        }
    }
}
