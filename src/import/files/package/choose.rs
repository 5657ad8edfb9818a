//! Which of several model files is meant.

use std::path::Path;

use anyhow::{Context as _, bail};

use super::names::is_model_name;

/// How many models a message lists.
const MAX_LISTED: usize = 20;

/// Whether a path in a folder or an archive, with slashes, is that of a model.
pub(super) fn is_model(path: &str) -> bool {
    !path.starts_with("__MACOSX/") && is_model_name(Path::new(path))
}

/// The paths that lie nearest to the root.
pub(super) fn shallowest(paths: &[&str]) -> Vec<String> {
    let depth = |path: &str| path.matches('/').count();
    let least = paths.iter().map(|path| depth(path)).min();
    let paths = paths.iter().filter(|path| Some(depth(path)) == least);
    paths.map(|&path| path.to_owned()).collect()
}

/// The model among `models` that is meant: the only one; else the one that is named like what holds it, or "scene" as
/// download services write it; and of a .gltf and a .glb of the same name the latter, which needs no other files.
pub(super) fn choose(models: &[String], title: &str, holder: &str) -> anyhow::Result<String> {
    if models.is_empty() {
        bail!("there is no .gltf, .glb or .vrm file in the {holder}");
    }
    let named = |wanted: &str| -> Vec<&String> {
        let mut named = Vec::new();
        for model in models {
            if stem(model).eq_ignore_ascii_case(wanted) {
                named.push(model);
            }
        }
        named
    };
    fn first_stem<'m>(group: &[&'m String]) -> &'m str {
        group.first().map_or("", |model| stem(model))
    }
    let groups = [models.iter().collect(), named(title), named("scene")];
    for group in groups {
        if let [one] = *group {
            return Ok(one.clone());
        }
        let is_like_first = |model: &&String| stem(model).eq_ignore_ascii_case(first_stem(&group));
        let is_one_name = group.iter().all(is_like_first);
        let mut binary = group
            .iter()
            .filter(|model| model.to_ascii_lowercase().ends_with(".glb"));
        if let (true, Some(&one), None) = (is_one_name, binary.next(), binary.next()) {
            return Ok(one.clone());
        }
    }
    let how = if holder == "archive" {
        "unpack it, and open one of them"
    } else {
        "open one of them"
    };
    Err(anyhow::anyhow!("{how}: {}", listed(models)))
        .with_context(|| format!("there are {} models in the {holder}", models.len()))
}

/// Names for a message.
pub(super) fn listed(names: &[String]) -> String {
    let mut text = names
        .iter()
        .take(MAX_LISTED)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    let more = names.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_models_by_their_names() {
        for name in ["a.glb", "b/c.GLTF", "d.vrm"] {
            assert!(is_model(name), "{name}");
        }
        for name in [
            "a.bin",
            "glb",
            ".glb",
            "b/._c.glb",
            "__MACOSX/a.glb",
            "a.glb/b",
        ] {
            assert!(!is_model(name), "{name}");
        }
    }

    #[test]
    fn the_obvious_model_is_chosen() {
        let choose = |models: &[&str]| {
            let models: Vec<_> = models.iter().map(|&model| model.to_owned()).collect();
            choose(&models, "Fox", "folder")
        };
        for (models, chosen) in [
            (&["cat.gltf"][..], "cat.gltf"),
            (&["cat.gltf", "fox.gltf"], "fox.gltf"),
            (&["cat.gltf", "fox.gltf", "Fox.glb"], "Fox.glb"),
            (&["a/Fox.gltf", "b/Fox.glb"], "b/Fox.glb"),
            (&["cat.gltf", "cat.glb"], "cat.glb"),
            (&["part.glb", "scene.gltf"], "scene.gltf"),
        ] {
            let found = choose(models).unwrap();
            let expected = if models.len() == 3 { "Fox.glb" } else { chosen };
            assert_eq!(found, expected, "{models:?}");
        }
        let error = format!("{:#}", choose(&["cat.gltf", "dog.glb"]).unwrap_err());
        assert!(error.contains("cat.gltf, dog.glb"), "{error}");
        let packed = ["cat.gltf", "dog.glb"].map(str::to_owned);
        let error = format!(
            "{:#}",
            super::choose(&packed, "Fox", "archive").unwrap_err()
        );
        assert!(error.contains("unpack it"), "{error}");
        assert!(choose(&["a/Fox.gltf", "b/Fox.gltf"]).is_err());
        assert!(choose(&[]).is_err());
    }

    #[test]
    fn what_lies_deeper_does_not_count() {
        assert_eq!(
            shallowest(&["a/b/c.glb", "d/e.glb", "f/g.glb"]),
            ["d/e.glb", "f/g.glb"]
        );
    }
}
