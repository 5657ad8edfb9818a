//! The `asset` object: which version a file is of, and what it says about itself (glTF 2.0 §3.2).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::AssetInfo;

use super::{
    base::{
        consent::Consent, diagnostics::Diagnostics, refusal::Refusal, unsupported::Unsupported,
        wording::shorten,
    },
    json::{deep, document::Document},
};

/// The version is any value at first, since some write a number.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FileAsset {
    version: Option<Box<RawValue>>,
    min_version: Option<Box<RawValue>>,
    generator: Option<String>,
    copyright: Option<String>,
}

/// The validator's name for a version that is another format.
const OTHER_FORMAT: &str = "UNKNOWN_ASSET_MAJOR_VERSION";

/// Reads the asset object; an error if the file is of a version that cannot be read.
pub(super) fn read(
    document: &Document<'_>,
    consent: &Consent,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<AssetInfo> {
    let asset: FileAsset = document.root("asset", diagnostics).unwrap_or_default();
    let version = asset.version.map(|version| text_of(version.get()));
    match version.as_deref() {
        None => diagnostics.error(
            "UNDEFINED_PROPERTY",
            "/asset",
            "the file does not say which version of glTF it is",
            "it is read as glTF 2.0",
        ),
        Some(version) => check_version(version, diagnostics)?,
    }
    let least = asset.min_version.map(|least| text_of(least.get()));
    if let Some(least) = least.as_ref().filter(|least| numbers_of(least).is_none()) {
        diagnostics.error(
            "PATTERN_MISMATCH",
            "/asset/minVersion",
            format!("\"{}\" is no version", shorten(least)),
            "it is ignored",
        );
    }
    if let Some(least) = least
        && numbers_of(&least).is_some_and(|least| least > (2, 0))
    {
        let message = format!(
            "the file needs at least glTF {}; only glTF 2.0 is supported",
            shorten(&least)
        );
        // The next major version will be another format.
        let is_readable = numbers_of(&least).is_some_and(|(major, _)| major == 2);
        if !is_readable || !consent.unknown_features {
            return Err(if is_readable {
                Unsupported(message).into()
            } else {
                Refusal::new(OTHER_FORMAT, "/asset/minVersion", message).into()
            });
        }
        let pointer = "/asset/minVersion";
        let action = "it is read as glTF 2.0, and only where that is asked for";
        diagnostics.warning("UNSUPPORTED_MIN_VERSION", pointer, message, action);
        // A version that cannot be read counts as 2.0.
        let stated = version.as_deref().and_then(numbers_of).unwrap_or((2, 0));
        if numbers_of(&least).is_some_and(|least| least > stated) {
            let message = "it is greater than the version of the file itself";
            let code = "ASSET_MIN_VERSION_GREATER_THAN_VERSION";
            diagnostics.error(code, pointer, message, action);
        }
    }
    let mut names = |key| {
        let names: Option<Vec<String>> = document.root(key, diagnostics);
        names.unwrap_or_default()
    };
    Ok(AssetInfo {
        version: version.unwrap_or_default(),
        generator: asset.generator,
        copyright: asset.copyright,
        extensions_used: names("extensionsUsed"),
        extensions_required: names("extensionsRequired"),
    })
}

/// Without what stands in the lists of extensions for names that are none.
pub(super) fn named(mut asset: AssetInfo) -> AssetInfo {
    for names in [&mut asset.extensions_used, &mut asset.extensions_required] {
        names.retain(|name| !name.is_empty());
    }
    asset
}

fn check_version(version: &str, diagnostics: &mut Diagnostics) -> anyhow::Result<()> {
    match numbers_of(version) {
        Some((2, 0)) => {}
        Some((2, _)) => diagnostics.warning(
            "UNKNOWN_ASSET_MINOR_VERSION",
            "/asset/version",
            format!("the file is glTF {version}"),
            "it is read as glTF 2.0",
        ),
        Some(_) => {
            let message = format!("this is glTF {version}; only glTF 2.0 is supported");
            return Err(Refusal::new(OTHER_FORMAT, "/asset/version", message).into());
        }
        // 1.0.1 was one, too.
        None if leading_number(version).is_some_and(|major| major != 2) => {
            let message = format!(
                "this is glTF \"{}\"; only glTF 2.0 is supported",
                shorten(version)
            );
            return Err(Refusal::new(OTHER_FORMAT, "/asset/version", message).into());
        }
        None => diagnostics.error(
            "PATTERN_MISMATCH",
            "/asset/version",
            format!("\"{}\" is no version", shorten(version)),
            "it is read as glTF 2.0",
        ),
    }
    Ok(())
}

/// What a version says that is stated by this JSON text.
fn text_of(version: &str) -> String {
    // 2 and 2.0 may both be meant as "2.0".
    let of_number = || deep::number(version).map(|number| format!("{number:.1}"));
    let text = serde_json::from_str(version).ok().or_else(of_number);
    text.unwrap_or_else(|| version.to_owned())
}

/// The number that a version begins with, if that ends there or at a dot.
fn leading_number(version: &str) -> Option<u32> {
    let major = version.split('.').next()?;
    let is_plain = major.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| major.parse().ok()).flatten()
}

fn numbers_of(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.split_once('.')?;
    // `parse` takes a sign as well.
    let number = |digits: &str| {
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| digits.parse().ok()).flatten()
    };
    Some((number(major)?, number(minor)?))
}

#[cfg(test)]
mod tests {
    use crate::import::{Progress, load_bytes};

    #[test]
    fn other_versions_are_refused_however_they_are_written() {
        for (version, is_refused) in [
            ("1.0", true),
            ("1.0.1", true),
            ("3.0-draft", true),
            ("2.0.1", false),
            ("two", false),
            ("2.1", false),
        ] {
            let text = format!(r#"{{"asset": {{"version": "{version}"}}}}"#);
            let loaded = load_bytes("a.gltf", text.as_bytes(), &Progress::default());
            assert_eq!(loaded.is_err(), is_refused, "{version}");
            if let Err(error) = loaded {
                let error = format!("{error:#}");
                assert!(error.contains("only glTF 2.0 is supported"), "{error}");
            }
        }
    }
}
