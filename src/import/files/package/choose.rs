//! Which of several model files is meant.

use std::path::Path;

use anyhow::anyhow;

use super::names::{is_model_name, is_motion_name};

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

/// The model among `models` that is meant, of which motions are none where there are others: the only one; else the one that
/// is named like what holds it, or "scene" as download services write it; and of a .gltf and a .glb of the same name the
/// latter, which needs no other files.
pub(super) fn meant<'m>(models: &'m [String], title: &str) -> Option<&'m String> {
    let is_motion = |model: &String| is_motion_name(Path::new(model));
    let are_motions = models.iter().all(is_motion);
    let models: Vec<_> = models
        .iter()
        .filter(|model| are_motions || !is_motion(model))
        .collect();
    let named = |wanted: &str| -> Vec<&'m String> {
        let named = models.iter().copied();
        let named = named.filter(|model| stem(model).eq_ignore_ascii_case(wanted));
        named.collect()
    };
    let groups = [models.clone(), named(title), named("scene")];
    groups.iter().find_map(|group| only_one(group))
}

/// The only model of some, or the .glb of those that are called the same.
fn only_one<'m>(models: &[&'m String]) -> Option<&'m String> {
    let (&first, others) = models.split_first()?;
    if others.is_empty() {
        return Some(first);
    }
    let is_like_first = |model: &&String| stem(model).eq_ignore_ascii_case(stem(first));
    let is_binary = |model: &&&String| model.to_ascii_lowercase().ends_with(".glb");
    let mut binary = models.iter().filter(is_binary);
    match (binary.next(), binary.next()) {
        (Some(&one), None) if others.iter().all(is_like_first) => Some(one),
        _ => None,
    }
}

/// That it is not clear which of them is meant.
pub(super) fn unclear(models: &[String], holder: &str) -> anyhow::Error {
    if models.is_empty() {
        return anyhow!("there is no .gltf, .glb, .vrm or .vrma file in the {holder}");
    }
    let how = if holder == "archive" {
        "unpack it, and open one of them"
    } else {
        "open one of them"
    };
    let count = models.len();
    anyhow!("{how}: {}", listed(models))
        .context(format!("there are {count} models in the {holder}"))
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
        for name in ["a.glb", "b/c.GLTF", "d.vrm", "e.vrma"] {
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
    fn the_obvious_model_is_meant() {
        let named = |models: &[&str]| models.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        for (models, expected) in [
            (&["cat.gltf"][..], Some("cat.gltf")),
            (&["cat.gltf", "fox.gltf"], Some("fox.gltf")),
            (&["cat.gltf", "fox.gltf", "Fox.glb"], Some("Fox.glb")),
            (&["a/Fox.gltf", "b/Fox.glb"], Some("b/Fox.glb")),
            (&["cat.gltf", "cat.glb"], Some("cat.glb")),
            (&["part.glb", "scene.gltf"], Some("scene.gltf")),
            (&["cat.gltf", "dog.glb"], None),
            (&["cat.gltf", "cat.vrm"], None),
            (&["Fox.vrma", "cat.vrm", "walk.vrma"], Some("cat.vrm")),
            (&["walk.vrma"], Some("walk.vrma")),
            (&["run.vrma", "walk.vrma"], None),
            (&["a/Fox.gltf", "b/Fox.gltf"], None),
            (&[], None),
        ] {
            let models = named(models);
            let found = meant(&models, "Fox").map(String::as_str);
            assert_eq!(found, expected, "{models:?}");
        }
        let said = |models: &[&str], holder| format!("{:#}", unclear(&named(models), holder));
        let message = said(&["cat.gltf", "dog.glb"], "folder");
        assert!(message.contains("2 models in the folder: open one of them: cat.gltf, dog.glb"));
        assert!(said(&["cat.gltf", "dog.glb"], "archive").contains("unpack it"));
        assert!(said(&[], "folder").contains("no .gltf"));
    }

    #[test]
    fn what_lies_deeper_does_not_count() {
        assert_eq!(
            shallowest(&["a/b/c.glb", "d/e.glb", "f/g.glb"]),
            ["d/e.glb", "f/g.glb"]
        );
    }
}
