//! A model's file as it is: its JSON text, its binary chunk, and the files that it names, for those who add something to it.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use anyhow::Context as _;
use serde_json::value::RawValue;

use super::{
    base::{
        barrier, budget::Budget, consent::Consent, diagnostics::Diagnostics, progress::Progress,
    },
    files::{
        bytes::Bytes,
        container, package,
        sandbox::{self, FileRange, Files, Terms},
    },
    json::{fields::Fields, unicode},
    surface::images,
};
use crate::model::Image;

/// What a file is made of, before anything was made of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Original {
    /// The JSON text, as it stands in the file but for halves of characters, which no text can hold.
    pub json: String,
    /// The binary chunk, if the file is a GLB that has one.
    pub bin: Option<Vec<u8>>,
    /// Further chunks of a GLB by their kinds, in their order: they belong to extensions (glTF 2.0 §4.4.3).
    pub chunks: Vec<([u8; 4], Vec<u8>)>,
    /// The bytes behind the URIs of buffers and images; of `data:` URIs only those of buffers. What cannot be read is not
    /// there.
    pub named: BTreeMap<String, Vec<u8>>,
    /// Why what cannot be read of these cannot be, in words.
    pub unread: BTreeSet<String>,
}

impl Original {
    /// The pictures of the file as it has them, which are looked at one by one.
    pub fn pictures<'o>(&'o self, progress: &'o Progress) -> Pictures<'o> {
        let lists = ["images", "bufferViews", "buffers"];
        let root = Fields::of_those(&self.json, |name| lists.contains(&name));
        let [objects, views, buffers] = lists.map(|name| {
            let list = root.as_ref().map(|root| root.list(name));
            list.unwrap_or_default()
        });
        Pictures {
            original: self,
            progress,
            objects,
            views,
            buffers,
        }
    }

    /// The bytes of the image with this text.
    fn picture(&self, object: &str, views: &[&str], buffers: &[&str]) -> Option<Cow<'_, [u8]>> {
        let object = Fields::of(object)?;
        if let Some(uri) = object.text("uri") {
            return match sandbox::data_uri(&uri) {
                Some(decoded) => decoded.ok().map(Cow::Owned),
                None => self.named.get(&*uri).map(|bytes| Cow::Borrowed(&**bytes)),
            };
        }
        let view = Fields::of(views.get(object.index("bufferView")?)?)?;
        let index = view.index("buffer")?;
        let uri = Fields::of(buffers.get(index)?)?.text("uri");
        let buffer = match uri {
            Some(uri) => self.named.get(&*uri)?,
            None => self.bin.as_ref().filter(|_| index == 0)?,
        };
        let start = view.index("byteOffset").unwrap_or(0);
        let end = start.checked_add(view.index("byteLength")?)?;
        let is_plain = !view.has("extensions");
        let bytes = buffer.get(start..end).filter(|_| is_plain)?;
        Some(Cow::Borrowed(bytes))
    }
}

/// The pictures of a file, as it has them.
#[derive(Debug)]
pub struct Pictures<'o> {
    original: &'o Original,
    progress: &'o Progress,
    /// Texts of images, of buffer views, and of buffers.
    objects: Vec<&'o str>,
    views: Vec<&'o str>,
    buffers: Vec<&'o str>,
}

impl Pictures<'_> {
    /// The bytes of an image by its index; none of one that is damaged, or no more as it was decoded, that was a placeholder
    /// then, or that is in a compressed view. Fails if asked to stop.
    pub fn bytes_of(&self, index: usize, image: &Image) -> anyhow::Result<Option<Cow<'_, [u8]>>> {
        self.progress.check()?;
        let object = self.objects.get(index).filter(|_| !image.is_placeholder);
        let bytes =
            object.and_then(|object| self.original.picture(object, &self.views, &self.buffers));
        Ok(bytes.filter(|bytes| is_picture_of(bytes, image)))
    }
}

/// Whether an image is what these bytes are decoded to, with nothing wrong about them.
fn is_picture_of(bytes: &[u8], image: &Image) -> bool {
    let decoded = barrier::catch_panic(|| {
        let has_its_size = images::stated_size(bytes) == Some((image.width, image.height));
        Ok(has_its_size.then(|| images::decode_sound(bytes)).flatten())
    });
    let decoded = decoded.ok().flatten();
    decoded.is_some_and(|it| it.format == image.format && it.levels == image.levels)
}

/// Reads the file of the model among `given`, as [`super::open`] would find it, and all that it names.
pub fn read_original(
    given: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Original> {
    barrier::catch_panic(|| {
        let budget = Budget::default();
        let mut diagnostics = Diagnostics::default();
        let package = package::open(given, consent, &budget, progress, &mut diagnostics)?;
        let parts = (&**package.bytes, package.bin.as_ref());
        let terms = Terms {
            budget: &budget,
            progress,
        };
        take_apart(parts, &package.files, terms).with_context(|| package.name.clone())
    })
}

/// [`read_original`] of a file in memory, which names no others.
pub fn original_of_bytes(bytes: &[u8]) -> anyhow::Result<Original> {
    barrier::catch_panic(|| {
        let budget = Budget::default();
        budget.allow_for(bytes.len());
        let terms = Terms {
            budget: &budget,
            progress: &Progress::default(),
        };
        take_apart((bytes, None), &Files::none(), terms)
    })
}

fn take_apart(
    (bytes, bin): (&[u8], Option<&FileRange>),
    files: &Files,
    terms: Terms<'_>,
) -> anyhow::Result<Original> {
    // What is wrong with the file was said when it was opened.
    let mut diagnostics = Diagnostics::default();
    let container = match bin {
        Some(bin) => container::of_parts(bytes, bin, &mut diagnostics)?,
        None => container::split(bytes, &mut diagnostics)?,
    };
    let json = unicode::text(container.json, &mut diagnostics);
    let odd = "the JSON text cannot be taken as it is";
    let checked: &RawValue = serde_json::from_str(&json).context(odd)?;
    let lists = Fields::of_those(checked.get(), |name| matches!(name, "buffers" | "images"));
    let lists = lists.context(odd)?;
    let is_first_a_file = container.bin.is_none();
    let [buffers, images] = ["buffers", "images"].map(|name| lists.list(name));
    let buffer_count = buffers.len();
    let (mut named, mut unread) = (BTreeMap::new(), BTreeSet::new());
    for (place, object) in buffers.into_iter().chain(images).enumerate() {
        let Some(uri) = Fields::of(object).and_then(|object| object.text("uri")) else {
            continue;
        };
        let uri = uri.into_owned();
        let is_buffer = place < buffer_count;
        if let Some(known) = named.get(&uri).map(Vec::len) {
            // Images of one URI share their bytes, buffers do not.
            if is_buffer {
                charge(known, is_buffer, terms)?;
            }
            continue;
        }
        let bytes = match sandbox::data_uri(&uri) {
            Some(decoded) if is_buffer && (place > 0 || is_first_a_file) => decoded,
            Some(_) => continue,
            None => match files.read(&uri, terms) {
                Ok(bytes) => {
                    // Many URIs may name one file.
                    charge(bytes.len(), is_buffer, terms)?;
                    Ok(bytes.to_vec())
                }
                Err(fault) => Err(fault),
            },
        };
        terms.progress.check()?;
        match bytes {
            Ok(bytes) => drop(named.insert(uri, bytes)),
            Err(fault) => drop(unread.insert(fault.message)),
        }
    }
    let bin = container.bin.map(|bin| whole(bin, terms)).transpose()?;
    let mut chunks = Vec::new();
    for (kind, chunk) in container.others {
        let cost = chunk.len().saturating_add(size_of::<([u8; 4], Vec<u8>)>());
        charge(cost, false, terms)?;
        chunks.push((kind, chunk.to_vec()));
    }
    Ok(Original {
        json: json.into_owned(),
        bin,
        chunks,
        named,
        unread,
    })
}

/// Takes memory for bytes that are named; those of a buffer become text, which is copied on its way into the file.
fn charge(length: usize, is_buffer: bool, terms: Terms<'_>) -> anyhow::Result<()> {
    let copies = if is_buffer { 3 } else { 1 };
    let charged = terms.budget.charge(length, copies);
    charged.map_err(|fault| anyhow::anyhow!("{}", fault.message))
}

/// All of a binary chunk, in memory.
fn whole(bin: Bytes<'_>, terms: Terms<'_>) -> anyhow::Result<Vec<u8>> {
    let loaded = bin.load(terms.budget);
    let loaded = loaded.map_err(|fault| anyhow::anyhow!("{}", fault.message))?;
    Ok(loaded.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::is_cancelled;

    #[test]
    fn a_file_comes_with_what_it_names() {
        let folder = std::env::temp_dir().join(format!("rigscope-original-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a b.bin"), [1, 2, 3, 4]).unwrap();
        // Of a key that is there twice the last one counts.
        for name in ["b.bin", "gone.png", "c.png"] {
            std::fs::write(folder.join(name), [5]).unwrap();
        }
        let json = r#"{"asset":{"version":"2.0"},"images":[{"uri":"b.bin"}],
            "buffers":[{"byteLength":4,"uri":"a%20b.bin"}],
            "images":[{"uri":"gone.png","uri":"c.png"},{"uri":"lost.png"},{"uri":"data:image/png;base64,AAAA"}]}"#;
        let path = folder.join("model.gltf");
        std::fs::write(&path, json).unwrap();
        let read = read_original(&[path], &Consent::default(), &Progress::default()).unwrap();
        assert_eq!(read.json, json);
        assert_eq!(read.bin, None);
        assert!(read.unread.first().unwrap().contains("lost.png"));
        assert_eq!(read.unread.len(), 1);
        assert_eq!(
            read.named,
            BTreeMap::from([
                ("a%20b.bin".to_owned(), vec![1, 2, 3, 4]),
                ("c.png".to_owned(), vec![5])
            ])
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// They are looked at one by one, and by their headers first.
    #[test]
    fn pictures_are_handed_on_if_nothing_is_wrong_with_them() {
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8 | 1
        };
        let texels: Vec<u8> = (0..3 * 64 * 64).map(|_| noise()).collect();
        let mut sound = std::io::Cursor::new(Vec::new());
        let (color, format) = (image::ColorType::Rgb8, image::ImageFormat::Png);
        image::write_buffer_with_format(&mut sound, &texels, 64, 64, color, format).unwrap();
        let sound = sound.into_inner();
        let cut = sound[..sound.len() * 3 / 4].to_vec();
        let json = r#"{"images":[{"uri":"sound"},{"uri":"cut"},{"uri":"lost"}]}"#.to_owned();
        let named = [("sound", &sound), ("cut", &cut)];
        let named = named.map(|(name, bytes)| (name.to_owned(), bytes.clone()));
        let original = Original {
            json,
            named: named.into(),
            ..Original::default()
        };
        let progress = Progress::default();
        let pictures = original.pictures(&progress);
        let images = [&sound, &cut, &sound].map(|bytes| images::decode_alone(bytes).unwrap());
        let found = |index: usize, image: &Image| pictures.bytes_of(index, image);
        let kept = found(0, &images[0]).unwrap();
        assert_eq!(kept.as_deref(), Some(&*sound));
        for (index, image) in images.iter().enumerate().skip(1) {
            assert_eq!(found(index, image).unwrap(), None, "{index}");
        }
        let smaller = Image {
            width: 32,
            ..images[0].clone()
        };
        let unread = Image {
            is_placeholder: true,
            ..images[0].clone()
        };
        for other in [smaller, unread, images[1].clone()] {
            assert_eq!(found(0, &other).unwrap(), None);
        }
        progress.cancel();
        let stopped = found(0, &images[0]).unwrap_err();
        assert!(is_cancelled(&stopped));
    }

    #[test]
    fn a_file_that_is_named_again_and_again_is_not_copied_without_end() {
        let name = format!("rigscope-named-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.bin"), vec![0; 2 << 20]).unwrap();
        let path = folder.join("model.gltf");
        let read = |section: &str, uris: Vec<String>| {
            let uris: Vec<_> = uris
                .iter()
                .map(|uri| format!(r#"{{"uri":"{uri}"}}"#))
                .collect();
            let json = format!(
                r#"{{"asset":{{"version":"2.0"}},"{section}":[{}]}}"#,
                uris.join(",")
            );
            std::fs::write(&path, json).unwrap();
            let given = std::slice::from_ref(&path);
            read_original(given, &Consent::default(), &Progress::default())
        };
        let spelled = |count| (0..count).map(|dots| "./".repeat(dots) + "a.bin").collect();
        let same = |count| vec!["a.bin".to_owned(); count];
        for section in ["buffers", "images"] {
            assert_eq!(read(section, spelled(10)).unwrap().named.len(), 10);
            assert!(read(section, spelled(300)).is_err(), "{section}");
        }
        assert!(read("buffers", same(300)).is_err());
        assert_eq!(read("images", same(300)).unwrap().named.len(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
