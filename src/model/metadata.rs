//! What a file says beyond what glTF itself has a place for. It is kept to be shown, and nothing depends on it.

/// Notes on the objects of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The model's title (VRM), or empty.
    pub title: String,
    /// Who made it (VRM).
    pub authors: Vec<String>,
    /// Under which licence it may be used (VRM), by its name or address, or empty.
    pub licence: String,
    /// What is noted on objects, sorted by them, each at most once.
    pub notes: Vec<Note>,
    /// XMP packets as JSON texts (`KHR_xmp_json_ld`).
    pub xmp_packets: Vec<String>,
}

/// What is noted on an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The object.
    pub owner: Owner,
    /// Its `extras`, a JSON text.
    pub extras: Option<String>,
    /// Index into [`Metadata::xmp_packets`].
    pub xmp_packet: Option<usize>,
}

/// An object of a file, by its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// The file as a whole.
    Asset,
    /// A scene.
    Scene(usize),
    /// A node: not the place in the hierarchy, but [`super::Node::file_index`].
    Node(usize),
    /// A mesh.
    Mesh(usize),
    /// A material.
    Material(usize),
    /// An image.
    Image(usize),
    /// A clip.
    Clip(usize),
}

impl Metadata {
    /// What is noted on an object.
    pub fn of(&self, owner: Owner) -> Option<&Note> {
        let place = self.notes.binary_search_by_key(&owner, |note| note.owner);
        self.notes.get(place.ok()?)
    }
}

impl std::fmt::Display for Owner {
    /// The JSON pointer.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Asset => f.write_str("/asset"),
            Self::Scene(index) => write!(f, "/scenes/{index}"),
            Self::Node(index) => write!(f, "/nodes/{index}"),
            Self::Mesh(index) => write!(f, "/meshes/{index}"),
            Self::Material(index) => write!(f, "/materials/{index}"),
            Self::Image(index) => write!(f, "/images/{index}"),
            Self::Clip(index) => write!(f, "/animations/{index}"),
        }
    }
}
