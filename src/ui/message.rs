//! What is told once, and what the user may answer.

/// A message to be read and put away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How bad.
    pub kind: MessageKind,
    /// What happened, in a few words.
    pub title: String,
    /// Why, and what to do.
    pub detail: String,
    /// What the user may answer.
    pub offer: Option<Offer>,
    /// Whether it goes by itself once there was time to read it: what it says stands elsewhere, too.
    pub passes: bool,
}

impl Message {
    /// What was done, or is to be known.
    pub fn info(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(MessageKind::Info, title, detail)
    }

    /// What was done in part, or may not be what was meant.
    pub fn warning(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(MessageKind::Warning, title, detail)
    }

    /// What could not be done, and why.
    pub fn error(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(MessageKind::Error, title, detail)
    }

    fn new(kind: MessageKind, title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            kind,
            title: title.into(),
            detail: detail.into(),
            offer: None,
            passes: false,
        }
    }

    /// This message, which goes by itself after a while.
    #[must_use]
    pub fn passing(self) -> Self {
        Self {
            passes: true,
            ..self
        }
    }

    /// This message with something that the user may answer.
    #[must_use]
    pub fn offering(self, offer: Option<Offer>) -> Self {
        Self { offer, ..self }
    }
}

/// What a message offers to do, once and for this file only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Open the file although it requires what is unknown.
    OpenAnyway,
    /// Open the files outside of the model's folder that the message names.
    AllowOnce,
    /// Turn the clips of a file (its place in the list of such files) into the rest pose of this model.
    Retarget(usize),
    /// Bring a pose made by hand back.
    UndoPose,
    /// Compare with the model that was given together with the one that is shown.
    Compare,
}

impl Offer {
    /// The words on its button.
    pub fn label(self) -> &'static str {
        match self {
            Self::OpenAnyway => "Open anyway",
            Self::AllowOnce => "Allow once",
            Self::Retarget(_) => "Retarget",
            Self::UndoPose => "Bring it back",
            Self::Compare => "Compare them",
        }
    }

    /// What it does, in words.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::OpenAnyway => "Open it without what is unknown: it may look wrong",
            Self::AllowOnce => "Open these files for this model, this time",
            Self::Retarget(_) => "Turn these clips into the rest pose of this model",
            Self::UndoPose => "Go on with the pose as it was, at this moment",
            Self::Compare => "Show both beside one another",
        }
    }
}

/// How bad a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageKind {
    /// Something is lost.
    Error,
    /// Something is odd.
    Warning,
    /// Good to know.
    Info,
}
