//! Who uses what findings are about, where that is no thing that is seen itself: pictures and samplers of materials, numbers
//! of meshes, clips and skins.

use std::fmt;

use crate::import::{
    base::{
        diagnostics::{Diagnostic, Place},
        extension,
        hashing::HashMap,
        progress::{Cancelled, Progress},
    },
    json::{
        document::{Document, Section},
        fields::{Fields, integer},
    },
};

/// Users that are named for one finding, and objects between it and them that are followed.
const MAX_USERS: usize = 16;
/// Findings about one object whose users are looked for.
const MAX_FINDINGS: usize = 64;
/// How deep textures may lie in a material.
const MAX_DEPTH: usize = 4;

/// An object of the file.
type Object = (Section, usize);

/// What is seen itself, by its place in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Material(usize),
    Primitive(usize, usize),
    Clip(usize),
    Skin(usize),
    Node(usize),
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Material(index) => write!(f, "/materials/{index}"),
            Self::Primitive(mesh, place) => write!(f, "/meshes/{mesh}/primitives/{place}"),
            Self::Clip(index) => write!(f, "/animations/{index}"),
            Self::Skin(index) => write!(f, "/skins/{index}"),
            Self::Node(index) => write!(f, "/nodes/{index}"),
        }
    }
}

/// An object whose users are looked for.
#[derive(Debug, Default)]
struct Sought {
    /// The places of the findings that want to know them; of those that have enough no more.
    places: Vec<usize>,
    /// Who was named last: a primitive may have an accessor in very many targets.
    last: Option<User>,
}

/// The findings, by their places, whose users are looked for.
#[derive(Debug)]
struct Search<'d> {
    found: &'d mut [Diagnostic],
    /// By the object that leads to their users.
    sought: HashMap<Object, Sought>,
    /// By finding, how many more objects are followed.
    left: Vec<usize>,
    /// How many findings have not enough users yet.
    open_count: usize,
}

/// Adds to findings about images, textures, samplers, accessors and views of buffers pointers to the first of the materials,
/// primitives, clips, skins and nodes that use them.
pub(in crate::import) fn add(
    document: &Document<'_>,
    found: &mut [Diagnostic],
    progress: &Progress,
) -> Result<(), Cancelled> {
    let mut search = Search::of(found);
    if search.seeks(&[Section::BufferViews]) {
        search.through_views(document, progress)?;
    }
    if search.seeks(&[Section::Images, Section::Samplers]) {
        search.through_textures(document, progress)?;
    }
    if search.seeks(&[Section::Textures]) {
        search.in_materials(document, progress)?;
    }
    if search.seeks(&[Section::Accessors, Section::BufferViews]) {
        search.in_meshes(document, progress)?;
    }
    if search.seeks(&[Section::Accessors]) {
        search.in_motion(document, progress)?;
    }
    Ok(())
}

/// The object that a JSON pointer leads to or into, if it is seen in its users alone.
fn object_at(pointer: &str) -> Option<Object> {
    let mut parts = pointer.split('/').skip(1);
    let section = Section::of_name(parts.next()?)?;
    let is_used = match section {
        Section::Accessors
        | Section::BufferViews
        | Section::Images
        | Section::Samplers
        | Section::Textures => true,
        Section::Animations
        | Section::Buffers
        | Section::Cameras
        | Section::Materials
        | Section::Meshes
        | Section::Nodes
        | Section::Scenes
        | Section::Skins => false,
    };
    let index = parts.next()?.parse().ok()?;
    is_used.then_some((section, index))
}

fn objects<'a>(
    document: &Document<'a>,
    section: Section,
) -> impl Iterator<Item = (usize, Fields<'a>)> {
    let indices = 0..document.count(section);
    indices.map(move |index| {
        let object = Fields::of(document.text(section, index));
        (index, object.unwrap_or_default())
    })
}

/// What is looked for of an object, if there is a finding that has not enough users yet.
fn sought_of(
    sought: &mut HashMap<Object, Sought>,
    (section, index): (Section, Option<usize>),
) -> Option<&mut Sought> {
    let sought = sought.get_mut(&(section, index?))?;
    (!sought.places.is_empty()).then_some(sought)
}

impl<'d> Search<'d> {
    fn of(found: &'d mut [Diagnostic]) -> Self {
        let mut sought: HashMap<Object, Sought> = HashMap::default();
        let mut open_count: usize = 0;
        for (place, diagnostic) in found.iter().enumerate() {
            let object = object_at(&diagnostic.pointer);
            let object = object.filter(|_| diagnostic.others.len() < MAX_USERS);
            let Some(object) = object else {
                continue;
            };
            let places = &mut sought.entry(object).or_default().places;
            if places.len() < MAX_FINDINGS {
                places.push(place);
                open_count = open_count.saturating_add(1);
            }
        }
        let left = vec![MAX_USERS; found.len()];
        Self {
            found,
            sought,
            left,
            open_count,
        }
    }

    /// Whether all findings have enough users.
    fn is_done(&self) -> bool {
        self.open_count == 0
    }

    /// Whether users of any object of these sections are looked for.
    fn seeks(&self, sections: &[Section]) -> bool {
        let is_sought = |((section, _), sought): (&Object, &Sought)| {
            sections.contains(section) && !sought.places.is_empty()
        };
        !self.is_done() && self.sought.iter().any(is_sought)
    }

    /// Goes on with the users of `user`, if `used` is looked for.
    fn follow(&mut self, used: (Section, Option<usize>), user: Object) {
        let mut next = Vec::new();
        let Some(sought) = sought_of(&mut self.sought, used) else {
            return;
        };
        sought.places.retain(|place| {
            let left = self.left.get_mut(*place).filter(|left| **left > 0);
            let Some(left) = left else {
                return false;
            };
            *left = left.saturating_sub(1);
            next.push(*place);
            true
        });
        if !next.is_empty() {
            let places = &mut self.sought.entry(user).or_default().places;
            let room = MAX_FINDINGS.saturating_sub(places.len());
            places.extend(next.into_iter().take(room));
        }
    }

    /// Names a user, if `used` is looked for.
    fn name(&mut self, used: (Section, Option<usize>), user: User) {
        let sought = sought_of(&mut self.sought, used);
        let Some(sought) = sought.filter(|sought| sought.last != Some(user)) else {
            return;
        };
        sought.last = Some(user);
        let user = user.to_string();
        sought.places.retain(|place| {
            let found = self.found.get_mut(*place).map(|it| &mut it.others);
            let Some(users) = found.filter(|users| users.len() < MAX_USERS) else {
                return false;
            };
            if users.last().is_none_or(|(last, _)| *last != user) {
                users.push((user.clone(), Place::default()));
            }
            let is_open = users.len() < MAX_USERS;
            if !is_open {
                self.open_count = self.open_count.saturating_sub(1);
            }
            is_open
        });
    }

    fn through_views(
        &mut self,
        document: &Document<'_>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        for (index, accessor) in objects(document, Section::Accessors) {
            progress.check()?;
            let sparse = accessor.object("sparse");
            let parts = ["indices", "values"].map(|part| sparse.object(part).index("bufferView"));
            for view in parts.into_iter().chain([accessor.index("bufferView")]) {
                self.follow((Section::BufferViews, view), (Section::Accessors, index));
            }
        }
        for (index, image) in objects(document, Section::Images) {
            progress.check()?;
            let view = image.index("bufferView");
            self.follow((Section::BufferViews, view), (Section::Images, index));
        }
        Ok(())
    }

    fn through_textures(
        &mut self,
        document: &Document<'_>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        for (index, texture) in objects(document, Section::Textures) {
            progress.check()?;
            let user = (Section::Textures, index);
            self.follow((Section::Samplers, texture.index("sampler")), user);
            self.follow((Section::Images, texture.index("source")), user);
            for (_, text) in texture.object("extensions").iter() {
                let source = Fields::of(text).and_then(|it| it.index("source"));
                self.follow((Section::Images, source), user);
            }
        }
        Ok(())
    }

    fn in_materials(
        &mut self,
        document: &Document<'_>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        for (index, material) in objects(document, Section::Materials) {
            progress.check()?;
            self.in_material(&material, index, MAX_DEPTH);
        }
        Ok(())
    }

    fn in_material(&mut self, part: &Fields<'_>, index: usize, depth: usize) {
        for (key, text) in part.iter() {
            let is_part = text.starts_with('{') && key != "extras" && depth > 0;
            let Some(inner) = is_part.then(|| Fields::of(text)).flatten() else {
                continue;
            };
            if key.ends_with("Texture") {
                let used = (Section::Textures, inner.index("index"));
                self.name(used, User::Material(index));
            } else {
                self.in_material(&inner, index, depth.saturating_sub(1));
            }
        }
    }

    fn in_meshes(&mut self, document: &Document<'_>, progress: &Progress) -> Result<(), Cancelled> {
        for (index, mesh) in objects(document, Section::Meshes) {
            progress.check()?;
            let primitives = mesh.list("primitives").into_iter();
            for (place, primitive) in primitives.enumerate() {
                progress.check()?;
                if self.is_done() {
                    return Ok(());
                }
                let primitive = Fields::of(primitive).unwrap_or_default();
                let user = User::Primitive(index, place);
                self.name((Section::Accessors, primitive.index("indices")), user);
                self.name_attributes(&primitive.object("attributes"), user);
                for target in primitive.list("targets") {
                    self.name_attributes(&Fields::of(target).unwrap_or_default(), user);
                }
                let draco = primitive.extension(extension::KHR_DRACO_MESH_COMPRESSION);
                let view = draco.and_then(|it| it.index("bufferView"));
                self.name((Section::BufferViews, view), user);
            }
        }
        Ok(())
    }

    fn name_attributes(&mut self, attributes: &Fields<'_>, user: User) {
        for (_, text) in attributes.iter() {
            let index = integer(text).and_then(|index| usize::try_from(index).ok());
            self.name((Section::Accessors, index), user);
        }
    }

    fn in_motion(&mut self, document: &Document<'_>, progress: &Progress) -> Result<(), Cancelled> {
        for (index, clip) in objects(document, Section::Animations) {
            progress.check()?;
            for sampler in clip.list("samplers") {
                let sampler = Fields::of(sampler).unwrap_or_default();
                for key in ["input", "output"] {
                    let used = (Section::Accessors, sampler.index(key));
                    self.name(used, User::Clip(index));
                }
            }
        }
        for (index, skin) in objects(document, Section::Skins) {
            progress.check()?;
            let used = (Section::Accessors, skin.index("inverseBindMatrices"));
            self.name(used, User::Skin(index));
        }
        for (index, node) in objects(document, Section::Nodes) {
            progress.check()?;
            if let Some(copies) = node.extension(extension::EXT_MESH_GPU_INSTANCING) {
                let user = User::Node(index);
                self.name_attributes(&copies.object("attributes"), user);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::OnceCell, time::Duration};

    use super::*;
    use crate::{
        import::{
            base::{budget::Budget, diagnostics::Diagnostics},
            json::grammar,
            load_bytes,
        },
        model::processor_time::timed,
    };

    #[test]
    fn users_are_found_through_what_lies_between() {
        let text = r#"{
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [
                {"attributes": {"POSITION": 9}},
                {"attributes": {"POSITION": 0}, "material": 0}
            ]}],
            "animations": [{
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 1, "output": 0}]
            }],
            "materials": [{}, {"extensions": {"KHR_materials_clearcoat": {"clearcoatTexture": {"index": 1}}}}],
            "textures": [{"source": 0}, {"sampler": 0, "source": 1}],
            "samplers": [{"wrapS": 7}],
            "images": [{"uri": "unused.png"}, {"uri": "gone.png"}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                {"bufferView": 1, "componentType": 5126, "count": 3, "type": "SCALAR"}
            ],
            "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteLength": 9999}],
            "buffers": [{"byteLength": 36}]
        }"#;
        let (budget, mut diagnostics) = (Budget::default(), Diagnostics::default());
        budget.allow_for(text.len());
        let mended = OnceCell::new();
        let document = grammar::parse(text, &mended, &budget, &mut diagnostics).unwrap();
        let users = |pointer: &str| {
            let mut diagnostics = Diagnostics::default();
            diagnostics.error("ODD", pointer, "it is odd", "");
            let mut found = diagnostics.finish();
            add(&document, &mut found, &Progress::default()).unwrap();
            let others = found[0].others.iter();
            others.map(|(user, _)| user.clone()).collect::<Vec<_>>()
        };
        let clip = "/animations/0";
        for (pointer, expected) in [
            ("/accessors/0/count", vec!["/meshes/0/primitives/1", clip]),
            ("/accessors/1", vec![clip]),
            ("/bufferViews/0", vec!["/meshes/0/primitives/1", clip]),
            ("/bufferViews/1", vec![clip]),
            ("/samplers/0/wrapS", vec!["/materials/1"]),
            ("/images/1", vec!["/materials/1"]),
            ("/textures/1", vec!["/materials/1"]),
            ("/images/0", vec![]),
            ("/accessors/7", vec![]),
            ("/nodes/0", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(users(pointer), expected, "{pointer}");
        }
        // A load names them.
        let import = load_bytes("users.gltf", text.as_bytes(), &Progress::default()).unwrap();
        let mut lost = import.diagnostics.iter();
        let lost = lost.find(|it| it.pointer.starts_with("/images/1"));
        assert_eq!(lost.unwrap().others[0].0, "/materials/1");
    }

    /// Findings about one accessor, as many as are looked for.
    fn about_an_accessor() -> Vec<Diagnostic> {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error("ODD", "/accessors/0/min", "it is odd", "");
        let found = diagnostics.finish();
        vec![found[0].clone(); MAX_FINDINGS]
    }

    /// A primitive may have the accessor in each of its targets.
    #[test]
    fn who_is_named_already_costs_nothing() {
        let mut found = about_an_accessor();
        let mut search = Search::of(&mut found);
        let used = (Section::Accessors, Some(0));
        let ((), time) = timed(|| {
            for _ in 0..1_000_000 {
                search.name(used, User::Primitive(0, 0));
            }
        });
        assert!(time < Duration::from_secs(1), "{time:?}");
        assert!(search.found.iter().all(|it| it.others.len() == 1));
        // Nothing is looked for any more once all have enough.
        for place in 1..MAX_USERS {
            assert!(search.seeks(&[Section::Accessors]));
            search.name(used, User::Primitive(0, place));
        }
        assert!(search.is_done() && !search.seeks(&[Section::Accessors]));
    }

    #[test]
    fn the_search_ends_when_the_load_is_cancelled() {
        let text = r#"{
            "asset": {"version": "2.0"},
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}]
        }"#;
        let (budget, mut diagnostics) = (Budget::default(), Diagnostics::default());
        budget.allow_for(text.len());
        let mended = OnceCell::new();
        let document = grammar::parse(text, &mended, &budget, &mut diagnostics).unwrap();
        let progress = Progress::default();
        progress.cancel();
        let mut found = about_an_accessor();
        assert_eq!(add(&document, &mut found, &progress), Err(Cancelled));
    }
}
