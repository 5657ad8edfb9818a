//! What the objects of glTF 2.0 may hold: types, ranges, and what must be there, as in the schemas of the specification.
//!
//! Only what can be said of one property is here; what depends on several is in the checks beside this file.

/// An object and its properties: all that it may have, beside `extensions` and `extras`, unless it is open.
#[derive(Debug)]
pub(super) struct Object {
    pub place: Place,
    pub required: &'static [&'static str],
    pub properties: &'static [(&'static str, Rule)],
    /// Whether it may have others, which are not looked at.
    pub is_open: bool,
}

/// What an object is, as far as extensions ask: each may stand in some places and in no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    Asset,
    Animation,
    Buffer,
    BufferView,
    ChannelTarget,
    Image,
    Material,
    Mesh,
    Node,
    Primitive,
    Scene,
    Texture,
    TextureInfo,
    /// Anything else, where no extension that is known here may stand.
    Other,
}

/// What a property may be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// What is compared elsewhere.
    Any,
    Flag,
    Text,
    /// One of these texts; another one is no fault of type.
    Choice(&'static [&'static str]),
    Texts,
    Number(Range),
    /// An array of numbers, of one of these lengths or, without any, of any length but zero.
    Numbers(&'static [usize], Range),
    /// A whole number within both limits that is a multiple of the last.
    Integer(u64, u64, u64),
    /// One of these whole numbers; another one is no fault of type.
    Enumerator(&'static [u16]),
    Index,
    /// An array of indices of which none comes twice.
    Indices,
    /// Indices by names of any kind.
    IndexMap,
    IndexMaps,
    Object(&'static Object),
    Objects(&'static Object),
}

/// The numbers that are allowed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub least: f64,
    pub most: f64,
    /// Whether `least` itself is not allowed.
    pub is_open: bool,
}

pub(super) const ANY: Range = Range {
    least: f64::NEG_INFINITY,
    most: f64::INFINITY,
    is_open: false,
};
pub(super) const UNIT: Range = Range {
    least: 0.0,
    most: 1.0,
    is_open: false,
};
pub(super) const NOT_NEGATIVE: Range = Range { least: 0.0, ..ANY };
pub(super) const POSITIVE: Range = Range {
    least: 0.0,
    is_open: true,
    ..ANY
};

pub(super) const ANY_SIZE: Rule = Rule::Integer(0, u64::MAX, 1);
pub(super) const NOT_EMPTY: Rule = Rule::Integer(1, u64::MAX, 1);
const NAME: (&str, Rule) = ("name", Rule::Text);
const COMPONENT: Rule = Rule::Enumerator(&[5120, 5121, 5122, 5123, 5125, 5126]);
const WRAPPING: Rule = Rule::Enumerator(&[33071, 33648, 10497]);

macro_rules! object {
    ($name:ident, $place:ident, [$($required:literal),*], [$($property:expr),* $(,)?]) => {
        pub(super) static $name: Object = Object {
            place: Place::$place,
            required: &[$($required),*],
            properties: &[$($property),*],
            is_open: false,
        };
    };
    (open $name:ident, [$($required:literal),*]) => {
        pub(super) static $name: Object = Object {
            place: Place::Other,
            required: &[$($required),*],
            properties: &[],
            is_open: true,
        };
    };
}
pub(super) use object;

object!(
    ROOT,
    Root,
    [],
    [
        ("extensionsUsed", Rule::Texts),
        ("extensionsRequired", Rule::Texts),
        ("asset", Rule::Object(&ASSET)),
        ("scene", Rule::Index),
    ]
);
object!(
    ASSET,
    Asset,
    [],
    [
        ("copyright", Rule::Text),
        ("generator", Rule::Text),
        ("version", Rule::Text),
        ("minVersion", Rule::Text),
    ]
);
object!(
    ACCESSOR,
    Other,
    ["componentType", "count", "type"],
    [
        NAME,
        ("bufferView", Rule::Index),
        ("byteOffset", ANY_SIZE),
        ("componentType", COMPONENT),
        ("normalized", Rule::Flag),
        ("count", NOT_EMPTY),
        ("type", Rule::Text),
        ("min", Rule::Any),
        ("max", Rule::Any),
        ("sparse", Rule::Object(&SPARSE)),
    ]
);
object!(
    SPARSE,
    Other,
    ["count", "indices", "values"],
    [
        ("count", NOT_EMPTY),
        ("indices", Rule::Object(&SPARSE_INDICES)),
        ("values", Rule::Object(&SPARSE_VALUES)),
    ]
);
object!(
    SPARSE_INDICES,
    Other,
    ["bufferView", "componentType"],
    [
        ("bufferView", Rule::Index),
        ("byteOffset", ANY_SIZE),
        ("componentType", Rule::Any),
    ]
);
object!(
    SPARSE_VALUES,
    Other,
    ["bufferView"],
    [("bufferView", Rule::Index), ("byteOffset", ANY_SIZE),]
);
object!(
    ANIMATION,
    Animation,
    ["channels", "samplers"],
    [
        NAME,
        ("channels", Rule::Objects(&CHANNEL)),
        ("samplers", Rule::Objects(&ANIMATION_SAMPLER)),
    ]
);
object!(
    CHANNEL,
    Other,
    ["sampler", "target"],
    [
        ("sampler", Rule::Index),
        ("target", Rule::Object(&CHANNEL_TARGET)),
    ]
);
object!(
    CHANNEL_TARGET,
    ChannelTarget,
    ["path"],
    [("node", Rule::Index), ("path", Rule::Text),]
);
object!(
    ANIMATION_SAMPLER,
    Other,
    ["input", "output"],
    [
        ("input", Rule::Index),
        ("output", Rule::Index),
        ("interpolation", Rule::Text),
    ]
);
object!(
    BUFFER,
    Buffer,
    ["byteLength"],
    [NAME, ("uri", Rule::Text), ("byteLength", NOT_EMPTY),]
);
object!(
    BUFFER_VIEW,
    BufferView,
    ["buffer", "byteLength"],
    [
        NAME,
        ("buffer", Rule::Index),
        ("byteOffset", ANY_SIZE),
        ("byteLength", NOT_EMPTY),
        ("byteStride", Rule::Integer(4, 252, 4)),
        ("target", Rule::Enumerator(&[34962, 34963])),
    ]
);
object!(
    CAMERA,
    Other,
    ["type"],
    [
        NAME,
        ("type", Rule::Text),
        ("perspective", Rule::Object(&PERSPECTIVE)),
        ("orthographic", Rule::Object(&ORTHOGRAPHIC)),
    ]
);
object!(
    PERSPECTIVE,
    Other,
    ["yfov", "znear"],
    [
        ("aspectRatio", Rule::Number(POSITIVE)),
        ("yfov", Rule::Number(POSITIVE)),
        ("zfar", Rule::Number(POSITIVE)),
        ("znear", Rule::Number(POSITIVE)),
    ]
);
object!(
    ORTHOGRAPHIC,
    Other,
    ["xmag", "ymag", "zfar", "znear"],
    [
        ("xmag", Rule::Number(ANY)),
        ("ymag", Rule::Number(ANY)),
        ("zfar", Rule::Number(POSITIVE)),
        ("znear", Rule::Number(NOT_NEGATIVE)),
    ]
);
object!(
    IMAGE,
    Image,
    [],
    [
        NAME,
        ("uri", Rule::Text),
        ("mimeType", Rule::Text),
        ("bufferView", Rule::Index),
    ]
);
object!(
    MATERIAL,
    Material,
    [],
    [
        NAME,
        ("pbrMetallicRoughness", Rule::Object(&METALLIC_ROUGHNESS)),
        ("normalTexture", Rule::Object(&NORMAL_TEXTURE)),
        ("occlusionTexture", Rule::Object(&OCCLUSION_TEXTURE)),
        ("emissiveTexture", Rule::Object(&TEXTURE_INFO)),
        ("emissiveFactor", Rule::Numbers(&[3], UNIT)),
        ("alphaMode", Rule::Text),
        ("alphaCutoff", Rule::Number(NOT_NEGATIVE)),
        ("doubleSided", Rule::Flag),
    ]
);
object!(
    METALLIC_ROUGHNESS,
    Other,
    [],
    [
        ("baseColorFactor", Rule::Numbers(&[4], UNIT)),
        ("baseColorTexture", Rule::Object(&TEXTURE_INFO)),
        ("metallicFactor", Rule::Number(UNIT)),
        ("roughnessFactor", Rule::Number(UNIT)),
        ("metallicRoughnessTexture", Rule::Object(&TEXTURE_INFO)),
    ]
);
object!(
    TEXTURE_INFO,
    TextureInfo,
    ["index"],
    [("index", Rule::Index), ("texCoord", Rule::Index),]
);
object!(
    NORMAL_TEXTURE,
    TextureInfo,
    ["index"],
    [
        ("index", Rule::Index),
        ("texCoord", Rule::Index),
        ("scale", Rule::Number(ANY)),
    ]
);
object!(
    OCCLUSION_TEXTURE,
    TextureInfo,
    ["index"],
    [
        ("index", Rule::Index),
        ("texCoord", Rule::Index),
        ("strength", Rule::Number(UNIT)),
    ]
);
object!(
    MESH,
    Mesh,
    ["primitives"],
    [
        NAME,
        ("primitives", Rule::Objects(&PRIMITIVE)),
        ("weights", Rule::Numbers(&[], ANY)),
    ]
);
object!(
    PRIMITIVE,
    Primitive,
    ["attributes"],
    [
        ("attributes", Rule::IndexMap),
        ("indices", Rule::Index),
        ("material", Rule::Index),
        ("mode", Rule::Integer(0, 6, 1)),
        ("targets", Rule::IndexMaps),
    ]
);
object!(
    NODE,
    Node,
    [],
    [
        NAME,
        ("camera", Rule::Index),
        ("children", Rule::Indices),
        ("skin", Rule::Index),
        ("matrix", Rule::Numbers(&[16], ANY)),
        ("mesh", Rule::Index),
        (
            "rotation",
            Rule::Numbers(
                &[4],
                Range {
                    least: -1.0,
                    most: 1.0,
                    is_open: false
                }
            )
        ),
        ("scale", Rule::Numbers(&[3], ANY)),
        ("translation", Rule::Numbers(&[3], ANY)),
        ("weights", Rule::Numbers(&[], ANY)),
    ]
);
object!(
    SAMPLER,
    Other,
    [],
    [
        NAME,
        ("magFilter", Rule::Enumerator(&[9728, 9729])),
        (
            "minFilter",
            Rule::Enumerator(&[9728, 9729, 9984, 9985, 9986, 9987])
        ),
        ("wrapS", WRAPPING),
        ("wrapT", WRAPPING),
    ]
);
object!(SCENE, Scene, [], [NAME, ("nodes", Rule::Indices),]);
object!(
    SKIN,
    Other,
    ["joints"],
    [
        NAME,
        ("inverseBindMatrices", Rule::Index),
        ("skeleton", Rule::Index),
        ("joints", Rule::Indices),
    ]
);
object!(
    TEXTURE,
    Texture,
    [],
    [NAME, ("sampler", Rule::Index), ("source", Rule::Index),]
);
