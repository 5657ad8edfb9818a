//! Objects in which properties of materials are: what a clip moves is not defined without them.

use serde_json::value::to_raw_value;

use super::source_file::Members;

/// Adds the objects that are missing along a path, and says whether all of them are there now: not where another value or a
/// missing texture is in the way, which adds nothing. `is_in_extensions` says that the first name is that of an extension.
/// Extensions that were added go to `extensions`.
pub(super) fn add<'n>(
    members: &mut Members,
    path: &[&'n str],
    is_in_extensions: bool,
    extensions: &mut Vec<&'n str>,
) -> anyhow::Result<bool> {
    let [name, rest @ ..] = path else {
        return Ok(true);
    };
    let stated = members.get(*name);
    let mut object = match stated {
        Some(text) => match serde_json::from_str::<Members>(text.get()) {
            Ok(object) => object,
            Err(_) => return Ok(false),
        },
        None if is_in_extensions || ["extensions", "pbrMetallicRoughness"].contains(name) => {
            Members::new()
        }
        None => return Ok(false),
    };
    let is_new_extension = is_in_extensions && stated.is_none();
    if !add(&mut object, rest, *name == "extensions", extensions)? {
        return Ok(false);
    }
    if is_new_extension {
        extensions.push(name);
    }
    members.insert((*name).to_owned(), to_raw_value(&object)?);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_is_moved_of_a_material_gets_the_object_that_it_is_in() {
        let added = |material: &str, path: &str| {
            let mut members: Members = serde_json::from_str(material).unwrap();
            let path: Vec<&str> = path.split('/').collect();
            let mut extensions = Vec::new();
            add(&mut members, &path, false, &mut extensions).unwrap();
            let extensions = extensions.join(" ");
            (serde_json::to_value(members).unwrap(), extensions)
        };
        let (ior, transform) = ("KHR_materials_ior", "KHR_texture_transform");
        let of_texture = format!("emissiveTexture/extensions/{transform}");
        let of_coat =
            format!("extensions/KHR_materials_clearcoat/clearcoatTexture/extensions/{transform}");
        let texture = r#"{"name": "b", "emissiveTexture": {"index": 0}}"#;
        for (material, path, expected, extension) in [
            (
                "{}",
                "pbrMetallicRoughness",
                json!({"pbrMetallicRoughness": {}}),
                "",
            ),
            (
                "{}",
                &format!("extensions/{ior}"),
                json!({"extensions": {ior: {}}}),
                ior,
            ),
            (
                texture,
                &of_texture,
                json!({"name": "b", "emissiveTexture": {"index": 0, "extensions": {transform: {}}}}),
                transform,
            ),
            ("{}", &of_texture, json!({}), ""),
            ("{}", &of_coat, json!({}), ""),
            (
                r#"{"extensions": 1}"#,
                &format!("extensions/{ior}"),
                json!({"extensions": 1}),
                "",
            ),
        ] {
            let expected: (Value, String) = (expected, extension.to_owned());
            assert_eq!(added(material, path), expected, "{path}");
        }
    }
}
