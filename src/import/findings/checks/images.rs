//! Images: whether they are what they are said to be, and whether textures may use them (glTF 2.0 §3.8.2 and §3.8.3).

use std::{borrow::Cow, collections::HashSet};

use crate::import::{
    arrays::source::Source,
    base::{diagnostics::Severity, extension, wording::shorten},
    decode::ktx2::{self, Transfer},
    files::{magic::PictureKind, sandbox::DataUri},
    json::document::Section,
};

use super::{
    Report,
    facts::objects,
    features,
    fields::{Fields, Pointer},
};

const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";
const WEBP: &str = "image/webp";
const KTX2: &str = "image/ktx2";

/// A draft that allows all images of that kind; not read here.
const KTX: &str = "KHR_texture_ktx";

/// Media types beyond the specification's own, and the extensions that allow them.
const EXTENSIONS: &[(&str, &str)] = &[
    (WEBP, extension::EXT_TEXTURE_WEBP),
    (KTX2, extension::KHR_TEXTURE_BASISU),
];

/// The result is how each image stores its texels, as far as KTX2 says it.
pub(super) fn check(
    source: &Source<'_>,
    used: &HashSet<&str>,
    report: &mut Report<'_>,
) -> Vec<Option<Transfer>> {
    let document = &source.document;
    let (mut types, mut transfers) = (Vec::new(), Vec::new());
    let root = Pointer::Root;
    let at = &root.key(Section::Images.name());
    for (index, image) in objects(document, Section::Images).enumerate() {
        let first = first_bytes(source, &image);
        transfers.push(first.as_deref().and_then(ktx2::transfer));
        let first = first.as_deref();
        types.push(check_image(&image, first, used, &at.item(index), report));
    }
    let at = &root.key(Section::Textures.name());
    for (index, texture) in objects(document, Section::Textures).enumerate() {
        let at = &at.item(index);
        // Those who know no extension rely on it, whatever else an extension names.
        let image = texture.index("source");
        report.reference(image, "images", types.len(), &at.key("source"));
        check_source(&texture, &types, &[PNG, JPEG], at, report);
        let at = &at.key("extensions");
        for (media, name) in EXTENSIONS {
            if let Some(extension) = texture.extension(name) {
                let at = &at.key(name);
                let image = extension.index("source");
                report.reference(image, "images", types.len(), &at.key("source"));
                check_source(&extension, &types, &[media], at, report);
            }
        }
    }
    transfers
}

/// Whether the image that a texture names is of one of these media types.
fn check_source(
    texture: &Fields<'_>,
    types: &[Option<Cow<'static, str>>],
    allowed: &[&str],
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let found = texture
        .index("source")
        .and_then(|index| types.get(index)?.as_deref());
    if let Some(found) = found
        && !allowed.contains(&found)
    {
        let message = format!(
            "the image is {}, and this may only name {}",
            shorten(found),
            allowed.join(" or ")
        );
        let code = "TEXTURE_INVALID_IMAGE_MIME_TYPE";
        report.error(code, &at.key("source"), message);
    }
}

/// Checks one image, whose first bytes are `first`, and says what it is, or is said to be if nobody knows.
fn check_image(
    image: &Fields<'_>,
    first: Option<&[u8]>,
    used: &HashSet<&str>,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) -> Option<Cow<'static, str>> {
    let uri = image.text("uri");
    if uri.is_some() && image.has("bufferView") {
        let message = "it has both uri and bufferView";
        report.error("ONE_OF_MISMATCH", at, message);
    }
    let declared = image.text("mimeType");
    if image.has("bufferView") && declared.is_none() {
        let message = "an image in a bufferView must have a mimeType";
        report.error("UNSATISFIED_DEPENDENCY", &at.key("bufferView"), message);
    }
    let at_uri = &at.key("uri");
    let data = uri.as_deref().and_then(|uri| report.uri(uri, at_uri));
    let in_uri = data.map(|data| data.media_type()).filter(|media| {
        let is_image = media.starts_with("image/") && media != "image/gif";
        if !is_image {
            let message = format!("{} is no media type of images in glTF", shorten(media));
            report.error("INVALID_URI", at_uri, message);
        }
        is_image
    });
    let in_uri = in_uri.as_deref();
    let actual = first.and_then(media_of);
    if let (Some(_), Some(said), None) = (first, in_uri, actual) {
        let message = format!("it is said to be {}, and its bytes are not", shorten(said));
        report.error("INVALID_URI", at_uri, message);
    }
    for said in [declared.as_deref(), in_uri].into_iter().flatten() {
        if let Some(actual) = actual
            && actual != said
        {
            let message = format!("it is said to be {} and is {actual}", shorten(said));
            report.error("IMAGE_MIME_TYPE_INVALID", at, message);
            break;
        }
    }
    if let Some(unused) = first.and_then(features::unused) {
        let message = format_args!("it has {unused}, which glTF ignores");
        report.add(Severity::Warning, "IMAGE_FEATURES_UNSUPPORTED", at, message);
    }
    let needed = EXTENSIONS.iter().find(|(media, _)| Some(*media) == actual);
    if let Some((media, name)) = needed
        && !used.contains(name)
        && !(*media == KTX2 && used.contains(KTX))
    {
        let message = format!("{media} needs {name}, which extensionsUsed does not list");
        // An extension that is not known here may allow such containers: several do.
        let severity = match actual {
            Some(KTX2) => Severity::Warning,
            _ => Severity::Error,
        };
        report.add(severity, "IMAGE_NON_ENABLED_MIME_TYPE", at, message);
    }
    actual
        .filter(|&actual| actual != KTX2 || used.contains(extension::KHR_TEXTURE_BASISU))
        .map(Cow::Borrowed)
        .or(declared.map(|said| Cow::Owned(said.into_owned())))
}

/// The media type that the first bytes of an image tell.
fn media_of(bytes: &[u8]) -> Option<&'static str> {
    let media = match PictureKind::of(bytes)? {
        PictureKind::Png => PNG,
        PictureKind::Jpeg => JPEG,
        PictureKind::WebP => WEBP,
        PictureKind::Ktx2 => KTX2,
    };
    Some(media)
}

/// The first bytes of an image; none if there are none.
fn first_bytes(source: &Source<'_>, image: &Fields<'_>) -> Option<Vec<u8>> {
    const ENOUGH: usize = features::HEAD;
    let start = |bytes: &[u8]| bytes.get(..ENOUGH.min(bytes.len())).map(<[u8]>::to_vec);
    let Some(uri) = image.text("uri") else {
        let (bytes, _) = source.buffers.view(image.index("bufferView")?).ok()?;
        return start(&bytes.head(ENOUGH).load(&source.budget).ok()?);
    };
    match DataUri::of(&uri) {
        Some(data) => data.ok()?.first_bytes(ENOUGH).ok(),
        None => {
            // The file has been opened for its pixels already.
            let file = source.file(&uri).ok()?;
            start(&file.bytes().head(ENOUGH).load(&source.budget).ok()?)
        }
    }
}
