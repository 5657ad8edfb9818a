//! Options that have but a few values, each of which has a key: a word that people type and files keep.

/// The values of an option, by the words of the command line and of settings.
///
/// The window has words of its own, which may change and are not read back: these are called `label` wherever there are any.
pub trait Keyed: Copy + 'static {
    /// All of them, in the order of menus and of help.
    const ALL: &'static [Self];

    /// What it is called on the command line and in files: this never changes.
    fn key(self) -> &'static str;

    /// That of a key, in capital letters or small ones.
    fn from_key(key: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|it| it.key().eq_ignore_ascii_case(key))
    }
}
