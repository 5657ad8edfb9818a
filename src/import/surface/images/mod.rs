//! Images: found, recognised by their first bytes, and decoded (glTF 2.0 §3.8.2), on all cores.

mod cut;
mod decoding;
mod general;
mod usual;

use std::{collections::BTreeMap, sync::Arc};

use gltf::json::{self, Index};
use image::ImageFormat;
use serde::Deserialize;

use crate::{
    import::{
        arrays::source::Source,
        base::{
            budget::Budget,
            diagnostics::{Diagnostics, Fault, Place},
            hashing::{HashMap, HashSet},
            parallel::{Busy, Cores},
            progress::Cancelled,
            wording::{counted, first_few},
        },
        decode::{BROKEN, Complaint, UNSUPPORTED, jpeg, ktx2, unsupported_picture},
        files::{
            bytes::{Bytes, Kept},
            magic::{self, PictureKind},
            sandbox,
        },
        json::document::Section,
    },
    model::{BlockFormats, Image, TexelFormat},
};

pub(in crate::import) use decoding::Decoding;

/// What becomes of an image that cannot be read, and of several.
pub(super) const STANDS_FOR_IT: &str =
    "a checkerboard stands for it as base colour; materials do without it as any other map";
pub(super) const STANDS_FOR_THEM: &str =
    "a checkerboard stands for them as base colours; materials do without them as any other maps";

/// How many images or textures that have the same fault are named.
pub(super) const NAMED: usize = 3;

/// Longer sides than this are beyond what GPUs take.
const LONGEST_SIDE: u32 = 32_768;

/// What is needed of an image's object: a declared `mimeType` is not believed.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FileImage {
    name: Option<String>,
    uri: Option<String>,
    buffer_view: Option<Index<json::buffer::View>>,
}

/// An image before it is decoded.
pub(in crate::import) struct FoundImage<'s> {
    name: String,
    encoded: Result<Kept<'s>, Fault>,
}

impl FileImage {
    /// What people know it by.
    fn into_name(self) -> String {
        let file_name = self.uri.filter(|uri| sandbox::data_uri_head(uri).is_none());
        self.name.or(file_name).unwrap_or_default()
    }
}

/// Finds the bytes of all images.
pub(in crate::import) fn find_all<'s>(
    source: &'s Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<FoundImage<'s>>, Cancelled> {
    let mut found = Vec::new();
    for index in 0..source.document.count(Section::Images) {
        let object = read(source, index, diagnostics)?;
        let encoded = match &object {
            Some(object) => find(source, index, object, diagnostics),
            None => Err(Fault::new(TOLD, "it cannot be read")),
        };
        let name = object.unwrap_or_default().into_name();
        found.push(FoundImage { name, encoded });
    }
    Ok(found)
}

/// What stands for images that nobody looks at.
pub(in crate::import) fn stand_ins(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Image>, Cancelled> {
    let all = 0..source.document.count(Section::Images);
    all.map(|index| {
        let object = read(source, index, diagnostics)?.unwrap_or_default();
        Ok(placeholder(object.into_name()))
    })
    .collect()
}

/// The bytes of images as they are in the file, which images may share; none of those that cannot be read.
pub(in crate::import) type Undecoded = Vec<Option<Arc<Vec<u8>>>>;

/// The bytes of images, and what stands for them all.
pub(in crate::import) fn undecoded(
    found: Vec<FoundImage<'_>>,
    budget: &Budget,
) -> (Undecoded, (Vec<Image>, LostImages)) {
    let mut lost = LostImages::default();
    let load = |bytes: Result<Bytes<'_>, &Fault>| {
        let bytes = bytes.map_err(Fault::clone)?.load(budget)?;
        budget.charge(bytes.len(), 1)?;
        Ok(Arc::new(bytes.to_vec()))
    };
    let (once, firsts) = decoding::once_each(&found);
    let once = once.into_iter();
    let loaded: HashMap<usize, _> = once.map(|(place, bytes)| (place, load(bytes))).collect();
    let images = found.into_iter().zip(firsts).enumerate();
    let images = images.map(|(index, (FoundImage { name, .. }, first))| {
        let bytes = loaded.get(&first).cloned().transpose();
        let bytes = bytes.map_err(|fault| lost.0.push((index, fault)));
        let bytes = bytes.ok().flatten();
        let stand_in = Image {
            is_placeholder: bytes.is_none(),
            ..placeholder(name)
        };
        (bytes, stand_in)
    });
    let (bytes, images): (_, Vec<_>) = images.unzip();
    (bytes, (images, lost))
}

/// Decodes the bytes of an image by themselves.
pub(in crate::import) fn decode_alone(bytes: &[u8]) -> Result<Image, Fault> {
    decode_memory(bytes).map(|(image, _)| image)
}

fn decode_memory(bytes: &[u8]) -> Decoded {
    let (budget, cores) = (Budget::default(), Cores::new());
    budget.allow_for(bytes.len());
    let sampled = BlockFormats::default();
    decode(Bytes::Memory(bytes), sampled, &budget, &|| cores.claim())
}

/// [`decode_alone`] of bytes with which nothing is wrong; that texels have fewer bits is not.
pub(in crate::import) fn decode_sound(bytes: &[u8]) -> Option<Image> {
    let (image, complaints) = decode_memory(bytes).ok()?;
    let is_sound = |it: &Complaint| it.fault.code == general::BIT_DEPTH_REDUCED;
    complaints.iter().all(is_sound).then_some(image)
}

/// Width and height by the header of a picture; none of what has none.
pub(in crate::import) fn stated_size(bytes: &[u8]) -> Option<(u32, u32)> {
    if PictureKind::of(bytes) == Some(PictureKind::Ktx2) {
        return ktx2::stated_size(bytes);
    }
    let budget = Budget::default();
    budget.allow_for(bytes.len());
    general::stated_size(sniff(bytes).ok()?, bytes, &budget)
}

/// The code of images of a format that nothing is known of.
const UNRECOGNIZED: &str = "IMAGE_UNRECOGNIZED_FORMAT";

/// The code of what was told where it was read.
const TOLD: &str = "TYPE_MISMATCH";

/// An image of the file; none, which is told, for one that cannot be read.
fn read(
    source: &Source<'_>,
    index: usize,
    diagnostics: &mut Diagnostics,
) -> Result<Option<FileImage>, Cancelled> {
    source.progress.check()?;
    Ok(source.document.object(Section::Images, index, diagnostics))
}

fn find<'s>(
    source: &'s Source<'_>,
    index: usize,
    object: &FileImage,
    diagnostics: &mut Diagnostics,
) -> Result<Kept<'s>, Fault> {
    if let Some(uri) = &object.uri {
        let pointer = format_args!("/images/{index}/uri");
        let found = match sandbox::data_uri(uri) {
            Some(decoded) => decoded.map(Kept::Here),
            None => {
                let file = source.file(uri);
                source.report_letters(uri, pointer, diagnostics);
                file
            }
        };
        match found {
            // It must have one of both alone, and so the other is as good.
            Err(fault) if object.buffer_view.is_some() => {
                let action = "the image in its buffer view is used";
                diagnostics.fault(fault, pointer, action);
            }
            found => return found,
        }
    }
    let Some(view) = object.buffer_view else {
        let message = "it has neither uri nor bufferView";
        return Err(Fault::new("ONE_OF_MISMATCH", message));
    };
    let pointer = format_args!("/images/{index}/bufferView");
    let action = "the image has no data";
    let view = source
        .document
        .reference(Section::BufferViews, view, pointer, action, diagnostics)
        .ok_or_else(|| Fault::new("IMAGE_WITHOUT_DATA", "its buffer view does not exist"))?;
    let (bytes, _) = source.buffers.view(view)?;
    Ok(Kept::Elsewhere(bytes))
}

/// An image, and what is wrong with it all the same.
type Decoded = Result<(Image, Vec<Complaint>), Fault>;

/// Why images cannot be read, by their indices. What that costs, textures decide.
#[derive(Debug, Default)]
pub(in crate::import) struct LostImages(Vec<(usize, Fault)>);

/// The images by their names; a checkerboard stands for each that cannot be read.
pub(in crate::import) fn named(
    found: Vec<FoundImage<'_>>,
    decoded: Vec<Decoded>,
    diagnostics: &mut Diagnostics,
) -> (Vec<Image>, LostImages) {
    let mut lost = LostImages::default();
    let images = found.into_iter().zip(decoded).enumerate();
    let images = images
        .map(|(index, (FoundImage { name, .. }, image))| match image {
            Ok((image, complaints)) => {
                for Complaint { fault, action } in complaints {
                    diagnostics.fault(fault, format_args!("/images/{index}"), action);
                }
                Image { name, ..image }
            }
            Err(fault) => {
                lost.0.push((index, fault));
                placeholder(name)
            }
        })
        .collect();
    (images, lost)
}

impl LostImages {
    /// Says why. `replaced` are the images for which other ones are taken. All of one format that is not read are told once.
    pub(in crate::import) fn report(
        self,
        replaced: &HashSet<usize>,
        diagnostics: &mut Diagnostics,
    ) {
        let untold = self.0.into_iter().filter(|(_, fault)| fault.code != TOLD);
        let action = |is_replaced: bool, is_one: bool| match (is_replaced, is_one) {
            (true, true) => "the other image of its texture is used",
            (true, false) => "the other images of their textures are used",
            (false, true) => STANDS_FOR_IT,
            (false, false) => STANDS_FOR_THEM,
        };
        let mut of_formats: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, fault) in untold {
            let is_replaced = replaced.contains(&index);
            if [UNRECOGNIZED, UNSUPPORTED].contains(&fault.code) {
                let format = (fault.code, fault.message, is_replaced);
                of_formats.entry(format).or_default().push(index);
            } else {
                let action = action(is_replaced, true);
                diagnostics.fault(fault, format_args!("/images/{index}"), action);
            }
        }
        for ((code, message, is_replaced), alike) in of_formats {
            let [first, others @ ..] = alike.as_slice() else {
                continue;
            };
            let as_others = match others {
                [] => String::new(),
                _ => {
                    let count = counted(others.len(), "other image", "other images");
                    let which = first_few(others.iter().map(ToString::to_string), NAMED);
                    format!(", as with {count}: {which}")
                }
            };
            let pointer = |index: &usize| format!("/images/{index}");
            let message = format!("{message}{as_others}");
            diagnostics.fault(
                Fault::warning(code, message),
                pointer(first),
                action(is_replaced, others.is_empty()),
            );
            let others = others
                .iter()
                .map(|index| (pointer(index), Place::default()));
            diagnostics.also_about(code, others);
        }
    }
}

/// The format that the first bytes tell, of those that the `image` crate decodes.
fn sniff(bytes: &[u8]) -> Result<ImageFormat, Fault> {
    let unsupported = |what: &str| Err(unsupported_picture(what));
    match PictureKind::of(bytes) {
        Some(PictureKind::Png) => Ok(ImageFormat::Png),
        Some(PictureKind::Jpeg) => Ok(ImageFormat::Jpeg),
        Some(PictureKind::WebP) => Ok(ImageFormat::WebP),
        _ if bytes.starts_with(b"DDS ") => unsupported("DDS"),
        _ if bytes.starts_with(b"GIF8") => unsupported("GIF"),
        _ if bytes.starts_with(b"BM") => unsupported("BMP"),
        _ => {
            let message = if magic::is_avif(bytes) {
                "it is an AVIF picture, which is not read here"
            } else {
                "its first bytes are those of no known image format"
            };
            Err(Fault::warning(UNRECOGNIZED, message))
        }
    }
}

/// The image that bytes are of; of those that end too early it is said so.
fn decode<'b>(
    bytes: Bytes<'_>,
    sampled: BlockFormats,
    budget: &Budget,
    free_core: &dyn Fn() -> Option<Busy<'b>>,
) -> Decoded {
    let decoded = decode_whole(bytes, sampled, budget, free_core);
    decoded.map_err(|fault| {
        if fault.code != BROKEN || bytes.len() > cut::MOST {
            return fault;
        }
        match bytes.load(budget) {
            Ok(bytes) if cut::is_cut(&bytes) => Fault {
                code: cut::UNEXPECTED_END,
                ..fault
            },
            _ => fault,
        }
    })
}

fn decode_whole<'b>(
    bytes: Bytes<'_>,
    sampled: BlockFormats,
    budget: &Budget,
    free_core: &dyn Fn() -> Option<Busy<'b>>,
) -> Decoded {
    let head = bytes.head(magic::LONGEST).load(budget)?;
    // The bytes of a file are counted when they are loaded.
    if let Bytes::Memory(bytes) = bytes {
        budget.charge_loaded(bytes.len())?;
    }
    if PictureKind::of(&head) == Some(PictureKind::Ktx2) {
        return ktx2::decode(&bytes.load(budget)?, LONGEST_SIDE, sampled, budget);
    }
    // Nothing more is read of what no decoder takes.
    let format = sniff(&head)?;
    let paid = bytes.pay(budget)?;
    if format == ImageFormat::Png
        && let Some(decoded) = usual::png(bytes, budget, free_core)?
    {
        return Ok(decoded);
    }
    let bytes = &*paid.load()?;
    let mut is_broken = false;
    if format == ImageFormat::Jpeg {
        match usual::jpeg(bytes, budget, free_core)? {
            Ok(image) => return Ok((image, Vec::new())),
            Err(odd) => is_broken = odd == jpeg::Odd::Broken,
        }
    }
    let (image, mut complaints) = general::decode(format, bytes, budget)?;
    if is_broken {
        complaints.push(Complaint::salvaged("its data are wrong, or end too early"));
    }
    Ok((image, complaints))
}

/// An image of one level.
fn of_one_level((width, height): (u32, u32), format: TexelFormat, texels: Vec<u8>) -> Image {
    Image {
        width,
        height,
        format,
        levels: vec![texels].into(),
        ..Image::default()
    }
}

/// A checkerboard in magenta and black, which nobody takes for a texture.
pub(super) fn placeholder(name: String) -> Image {
    const SIDE: u32 = 8;
    let pixels = (0..SIDE * SIDE).flat_map(|pixel| {
        let is_odd = (pixel ^ (pixel >> SIDE.ilog2())) & 1 == 1;
        if is_odd {
            [255, 0, 255, 255]
        } else {
            [0, 0, 0, 255]
        }
    });
    Image {
        name,
        width: SIDE,
        height: SIDE,
        levels: vec![pixels.collect()].into(),
        is_placeholder: true,
        ..Image::default()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::ColorType;

    use super::*;
    use crate::import::base::{budget::EXCEEDED, diagnostics::Severity};

    /// A picture all of one colour, of a side in pixels.
    fn flat(side: u32, color: ColorType) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        let texels = vec![7; side as usize * side as usize * usize::from(color.bytes_per_pixel())];
        let format = ImageFormat::Png;
        image::write_buffer_with_format(&mut file, &texels, side, side, color, format).unwrap();
        file.into_inner()
    }

    #[test]
    fn pictures_without_room_are_read_smaller_and_that_is_said() {
        for (color, format, left, side) in [
            (ColorType::L8, TexelFormat::Grey8, 255, 256),
            (ColorType::Rgb8, TexelFormat::Rgb8, 767, 256),
            (ColorType::Rgba8, TexelFormat::Rgba8, 300, 256),
            (ColorType::Rgba8, TexelFormat::Rgba8, 255, 128),
        ] {
            let file = flat(512, color);
            let budget = Budget::default();
            let [all, _] = budget.left();
            budget.charge(all - (left << 10), 1).unwrap();
            let decode = || {
                let formats = BlockFormats::default();
                decode(Bytes::Memory(&file), formats, &budget, &|| None)
            };
            let (image, complaints) = decode().unwrap();
            assert_eq!((image.width, image.height), (side, side));
            assert_eq!(image.format, format);
            assert_eq!(*image.levels, [vec![7; format.size(side, side)]]);
            let [Complaint { fault, action }] = complaints.as_slice() else {
                panic!("{complaints:?}");
            };
            assert_eq!((fault.code, fault.severity), (EXCEEDED, Severity::Warning));
            let message = "there is not enough memory for 512 × 512 texels";
            assert_eq!(fault.message, message);
            assert_eq!(*action, format!("it is read at {side} × {side}"));
            // It costs what it takes.
            let size = format.size(side, side);
            assert!(budget.charge((left << 10) - size, 1).is_ok());
            assert!(budget.charge(1, 1).is_err());
        }
    }

    #[test]
    fn images_cost_what_is_kept_of_them() {
        let cost = |color: ColorType| {
            let file = flat(64, color);
            let (budget, free_core) = (Budget::default(), || None);
            let [before, _] = budget.left();
            decode(
                Bytes::Memory(&file),
                BlockFormats::default(),
                &budget,
                &free_core,
            )
            .unwrap();
            let [after, _] = budget.left();
            (before - after) >> 10
        };
        assert_eq!(cost(ColorType::Rgba8), 4 * 4);
        assert_eq!(cost(ColorType::Rgb8), 3 * 4);
        assert_eq!(cost(ColorType::L8), 4);
        assert_eq!(cost(ColorType::L16), 4);
    }
}
