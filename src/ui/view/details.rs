//! What the inspector says of the chosen things: plain values, made anew only when another thing is chosen.

use std::borrow::Cow;

use crate::scene::srgb_from_linear;

/// What there is to say of what is chosen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Details {
    /// The file as a whole, if nothing is chosen.
    pub file: Option<FactSection>,
    /// The chosen node.
    pub node: Option<FactSection>,
    /// Its mesh.
    pub mesh: Option<FactSection>,
    /// Its skin.
    pub skin: Option<FactSection>,
    /// Materials to choose among, by their index and name: those of the mesh, or else all of the file.
    pub materials: Vec<(usize, String)>,
    /// The one that is shown, and its index.
    pub material: Option<(usize, FactSection)>,
    /// The texture that is shown, of those of the material.
    pub texture: Option<(usize, FactSection)>,
    /// What the clip of the timeline does to the node; none without a clip or a node.
    pub channels: Option<Vec<ChannelRow>>,
    /// What the file notes on all these.
    pub notes: Vec<NoteText>,
    /// Pictures of the material's textures.
    pub pictures: Vec<Picture>,
    /// The texture that is shown, large; none while it is not asked for.
    pub large: Option<Picture>,
    /// Another number whenever the pictures are others.
    pub generation: u64,
}

/// A section of the inspector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactSection {
    /// What it is called.
    pub name: String,
    /// What is known of it.
    pub facts: Vec<Fact>,
}

/// A line of a section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub name: Cow<'static, str>,
    /// What is so.
    pub value: String,
    /// More of it, for who asks.
    pub hint: String,
    /// A colour, in sRGB with alpha that is not premultiplied.
    pub swatch: Option<[u8; 4]>,
    /// Where a click leads.
    pub goes_to: Option<GoTo>,
    /// Whether it is odd.
    pub is_odd: bool,
    /// Whether a long value goes on in further lines; else its middle is left out.
    pub wraps: bool,
}

/// Where a line leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoTo {
    /// A node, by its place in the hierarchy.
    Node(usize),
    /// A material.
    Material(usize),
    /// A texture.
    Texture(usize),
}

/// What can be chosen to look at what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Culprit {
    /// The node that carries it, by its place in the hierarchy.
    pub node: Option<usize>,
    /// The clip.
    pub clip: Option<usize>,
    /// The material.
    pub material: Option<usize>,
    /// When it is seen in the clip.
    pub at_secs: Option<f64>,
    /// Whether it is seen in the colours of weights.
    pub is_in_weights: bool,
}

/// A channel of the timeline's clip that moves the chosen node, or its camera, its light or a material of its mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelRow {
    /// What it moves, such as `rotation`, or `lamp: intensity`.
    pub path: String,
    /// Where the file has that, if it is no node's own.
    pub pointer: Option<String>,
    /// How values between keys are found, as the file calls it.
    pub interpolation: &'static str,
    /// Number of its keys.
    pub keys: usize,
    /// Times of its first and last key.
    pub secs: [f32; 2],
}

/// What the file notes on an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteText {
    /// Such as `Extras of the mesh`.
    pub title: String,
    /// JSON, indented; its end is left out if it is long.
    pub text: String,
}

/// A picture to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The texture that it shows.
    pub texture: usize,
    /// Pixels across and down.
    pub size: [usize; 2],
    /// Red, green, blue and alpha, sRGB, not premultiplied.
    pub pixels: Vec<u8>,
}

impl Fact {
    /// A line.
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            ..Self::default()
        }
    }

    /// With more for who asks.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// A click leads there.
    #[must_use]
    pub fn goes_to(mut self, to: GoTo) -> Self {
        self.goes_to = Some(to);
        self
    }

    /// With a linear colour, shown as far as a screen can.
    #[must_use]
    pub fn swatch(mut self, linear: [f32; 4]) -> Self {
        let encode = |linear: f32| (255.0 * srgb_from_linear(linear)).round() as u8;
        let [r, g, b, a] = linear;
        let alpha = (255.0 * a.clamp(0.0, 1.0)).round() as u8;
        self.swatch = Some([encode(r), encode(g), encode(b), alpha]);
        self
    }

    /// A long value goes on in further lines.
    #[must_use]
    pub fn wrapped(mut self) -> Self {
        self.wraps = true;
        self
    }

    /// Marked as odd, if it is.
    #[must_use]
    pub fn odd_if(mut self, is_odd: bool) -> Self {
        self.is_odd = is_odd;
        self
    }
}
