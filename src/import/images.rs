//! Images: found, recognised by their first bytes, and decoded on all cores (glTF 2.0 §3.8.2).

use std::{
    io::Cursor,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use gltf::json::{self, Index};
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};
use serde::Deserialize;

use crate::model::{BlockFormats, Image};

use super::{
    budget::Budget,
    decode::ktx2,
    diagnostics::{Diagnostics, Fault},
    document::Section,
    parallel,
    progress::{Cancelled, Progress},
    sandbox,
    source::Source,
};

/// Longer sides than this are beyond what GPUs take.
const LONGEST_SIDE: u32 = 32_768;
/// What one decoder may allocate.
const MOST_ALLOCATED: u64 = 1 << 30;

/// Only what is needed: a declared `mimeType` is not believed.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FileImage {
    name: Option<String>,
    uri: Option<String>,
    buffer_view: Option<Index<json::buffer::View>>,
}

/// The bytes of an encoded image, wherever they come from.
enum Encoded<'s> {
    View(&'s [u8]),
    Decoded(Vec<u8>),
    File(Rc<Vec<u8>>),
}

impl Encoded<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::View(bytes) => bytes,
            Self::Decoded(bytes) => bytes,
            Self::File(bytes) => bytes,
        }
    }
}

/// Reads all images; a checkerboard stands for each that cannot be read.
pub(super) fn read(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Image>, Cancelled> {
    let mut names = Vec::new();
    let mut encoded = Vec::new();
    for index in 0..source.document.count(Section::Images) {
        source.progress.check()?;
        let object = source
            .document
            .object::<FileImage>(Section::Images, index, diagnostics)
            .unwrap_or_default();
        encoded.push(find(source, index, &object, diagnostics));
        let file_name = object
            .uri
            .filter(|uri| sandbox::data_uri_head(uri).is_none());
        names.push(object.name.or(file_name).unwrap_or_default());
    }
    let jobs: Vec<_> = encoded
        .iter()
        .map(|bytes| bytes.as_ref().map(Encoded::as_slice).map_err(Fault::clone))
        .collect();
    let images = decode_all(
        &jobs,
        source.progress.block_formats(),
        &source.budget,
        source.progress,
    )?;
    let named = images.into_iter().zip(names).enumerate();
    Ok(named
        .map(|(index, (image, name))| match image {
            Ok((image, complaint)) => {
                if let Some(fault) = complaint {
                    let pointer = format_args!("/images/{index}");
                    let action = "smaller levels are made of the first";
                    diagnostics.fault(fault, pointer, action);
                }
                Image { name, ..image }
            }
            Err(fault) => {
                let pointer = format_args!("/images/{index}");
                diagnostics.fault(fault, pointer, "a checkerboard stands for it");
                placeholder(name)
            }
        })
        .collect())
}

fn find<'s>(
    source: &'s Source<'_>,
    index: usize,
    object: &FileImage,
    diagnostics: &mut Diagnostics,
) -> Result<Encoded<'s>, Fault> {
    if let Some(uri) = &object.uri {
        if let Some(decoded) = sandbox::data_uri(uri) {
            return decoded.map(Encoded::Decoded);
        }
        let bytes = source.files.read(uri, &source.budget)?;
        return Ok(Encoded::File(bytes));
    }
    let Some(view) = object.buffer_view else {
        let message = "it has neither uri nor bufferView";
        return Err(Fault::new("IMAGE_WITHOUT_DATA", message));
    };
    let pointer = format_args!("/images/{index}/bufferView");
    let action = "the image has no data";
    let view = source
        .document
        .reference(Section::BufferViews, view, pointer, action, diagnostics)
        .ok_or_else(|| Fault::new("IMAGE_WITHOUT_DATA", "its buffer view does not exist"))?;
    let (bytes, _) = source.buffers.view(view)?;
    Ok(Encoded::View(bytes))
}

/// An image, and what is wrong with its smaller levels.
type Decoded = Result<(Image, Option<Fault>), Fault>;

/// Decodes on all cores; the order of the results is that of the jobs.
fn decode_all(
    jobs: &[Result<&[u8], Fault>],
    sampled: BlockFormats,
    budget: &Budget,
    progress: &Progress,
) -> Result<Vec<Decoded>, Cancelled> {
    let images = parallel::map(jobs, progress, |job| {
        // A decoder that panics costs its image and no more.
        let decode = |bytes| catch_unwind(AssertUnwindSafe(|| decode(bytes, sampled, budget)));
        job.clone().and_then(|bytes| {
            decode(bytes).unwrap_or_else(|_| {
                let message = "its decoder failed unexpectedly";
                Err(Fault::new("IMAGE_DATA_INVALID", message))
            })
        })
    })?;
    let lost = || Err(Fault::new("IMAGE_DATA_INVALID", "it was not decoded"));
    let images = images.into_iter();
    Ok(images.map(|image| image.unwrap_or_else(lost)).collect())
}

/// The format that the first bytes tell (glTF 2.0 §3.8.2 has them for PNG and JPEG).
fn sniff(bytes: &[u8]) -> Result<ImageFormat, Fault> {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
    const JPEG: &[u8] = &[0xff, 0xd8, 0xff];
    let unsupported = |what: &str| {
        let message = format!("{what} cannot be read");
        Err(Fault::warning("IMAGE_FORMAT_UNSUPPORTED", message))
    };
    if bytes.starts_with(PNG) {
        Ok(ImageFormat::Png)
    } else if bytes.starts_with(JPEG) {
        Ok(ImageFormat::Jpeg)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Ok(ImageFormat::WebP)
    } else if bytes.starts_with(b"DDS ") {
        unsupported("DDS")
    } else if bytes.starts_with(b"GIF8") {
        unsupported("GIF")
    } else if bytes.starts_with(b"BM") {
        unsupported("BMP")
    } else {
        let message = "its first bytes are those of no known image format";
        Err(Fault::warning("IMAGE_UNRECOGNIZED_FORMAT", message))
    }
}

fn decode(bytes: &[u8], sampled: BlockFormats, budget: &Budget) -> Decoded {
    let invalid = |error: image::ImageError| {
        Fault::new(
            "IMAGE_DATA_INVALID",
            format!("it cannot be decoded: {error}"),
        )
    };
    if bytes.starts_with(ktx2::MAGIC) {
        return ktx2::decode(bytes, LONGEST_SIDE, sampled, budget);
    }
    let format = sniff(bytes)?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MOST_ALLOCATED);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(invalid)?;
    let (width, height) = decoder.dimensions();
    let pixels = usize::try_from(u64::from(width).saturating_mul(u64::from(height)));
    budget.charge(pixels.unwrap_or(usize::MAX), 4)?;
    let image = DynamicImage::from_decoder(decoder).map_err(invalid)?;
    // Brings 16 bits a channel to 8 and grey to colour.
    let pixels = image.into_rgba8();
    let image = Image {
        width: pixels.width(),
        height: pixels.height(),
        levels: vec![pixels.into_raw()],
        ..Image::default()
    };
    Ok((image, None))
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
        levels: vec![pixels.collect()],
        is_placeholder: true,
        ..Image::default()
    }
}
