//! What is meant by a name, or by an index; and of names that are not there, which ones may be meant.

use anyhow::{Context as _, anyhow};

use crate::{
    import,
    model::{Clip, Model, NodeId},
};

/// The index of the clip that is meant by `wanted`: its name, or else its index.
pub fn find_clip(model: &Model, wanted: &str) -> anyhow::Result<usize> {
    let names = model.clips.iter().map(Clip::name);
    let others = || format!(", only {}", clip_names(model));
    find(model, ("clip", names), wanted, others)
}

/// The index of the scene that is meant by `wanted`: its name, or else its index.
pub fn find_scene(model: &Model, wanted: &str) -> anyhow::Result<usize> {
    let names = model.scenes.iter().map(|scene| &*scene.name);
    let others = || or_only(wanted, names.clone());
    find(model, ("scene", names.clone()), wanted, others)
}

/// The index of the variant that is meant by `wanted`: its name, or else its index.
pub fn find_variant(model: &Model, wanted: &str) -> anyhow::Result<usize> {
    let names = model.variants.iter().map(String::as_str);
    let others = || or_only(wanted, names.clone());
    find(model, ("variant", names.clone()), wanted, others)
}

/// The index of what is meant by `wanted` among what a model has of a kind, by names: its name, or else its index. `others` ends
/// the message about a name that is not there.
fn find<'n>(
    model: &Model,
    (what, names): (&str, impl ExactSizeIterator<Item = &'n str>),
    wanted: &str,
    others: impl FnOnce() -> String,
) -> anyhow::Result<usize> {
    let count = names.len();
    let named = names.enumerate().filter(|(_, name)| *name == wanted);
    let named = named.map(|(index, _)| (index, index));
    let is_there = |index| index < count;
    let by_index = || wanted.parse().ok().filter(|&index| is_there(index));
    let found = first_of(named, &model.name, what, wanted, is_there).or_else(by_index);
    found.with_context(|| {
        let name = &model.name;
        match count.checked_sub(1) {
            None => format!("{name} has no {what}s, so no {wanted:?}"),
            Some(last) if is_index(wanted) => out_of_range(name, what, wanted, last),
            Some(_) => format!("{name} has no {what} {wanted:?}{}", others()),
        }
    })
}

/// Whether a number was typed.
pub(super) fn is_index(wanted: &str) -> bool {
    wanted.parse::<i64>().is_ok()
}

pub(super) fn out_of_range(name: &str, what: &str, wanted: &str, last: usize) -> String {
    match last {
        0 => format!("{name} has no {what} {wanted}: its only {what} is 0"),
        _ => format!("{name} has no {what} {wanted}: indices go from 0 to {last}"),
    }
}

/// Indices that are listed of what has the same name.
const MAX_OTHERS: usize = 8;

/// The first of all in a `file` that have a name, each with its index there. Says so if there are others, or one with that
/// index.
pub(crate) fn first_of<T>(
    mut named: impl Iterator<Item = (usize, T)>,
    file: &str,
    what: &str,
    name: &str,
    is_there: impl Fn(usize) -> bool,
) -> Option<T> {
    let (index, first) = named.next()?;
    let is_other = |number| number != index && is_there(number);
    if name.parse().is_ok_and(is_other) {
        log::warn!(
            "{file}: the {what} named {name:?} is taken, which is {index}, not the one with that index"
        );
    }
    if let Some(others) = alternatives(named.map(|(index, _)| index)) {
        log::warn!("{file} has several {what}s {name:?}: {index} is taken, not {others}");
    }
    Some(first)
}

/// The first few of some indices, and how many more there are; none if there are none.
pub(crate) fn alternatives(mut indices: impl Iterator<Item = usize>) -> Option<String> {
    let few = indices.by_ref().take(MAX_OTHERS);
    let few: Vec<String> = few.map(|index| format!("{index}")).collect();
    match indices.count() {
        0 => (!few.is_empty()).then(|| few.join(" or ")),
        more => Some(format!("{} or {more} more", few.join(", "))),
    }
}

/// More of a kind than this are not listed in a message.
const MAX_LISTED: usize = 100;

/// What a model's clips are asked for by.
pub(crate) fn clip_names(model: &Model) -> String {
    clip_names_from(model, 0)
}

/// What a model's clips are asked for by, from one of them on.
pub(crate) fn clip_names_from(model: &Model, first: usize) -> String {
    let names = model.clips.iter().map(Clip::name);
    listed_with_indices(names.enumerate().skip(first))
}

/// What is asked for by these names, in the order of the file: the names, or indices where there are none.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    listed_with_indices(names.enumerate())
}

fn listed_with_indices<'n>(names: impl Iterator<Item = (usize, &'n str)>) -> String {
    let names = names.map(|(index, name)| match name {
        "" => index.to_string(),
        name => format!("{name:?}"),
    });
    import::first_few(names, MAX_LISTED)
}

/// What is said of the names that may be meant by one that is not there; of all if there are none.
pub(super) fn or_only<'n>(wanted: &str, names: impl Iterator<Item = &'n str> + Clone) -> String {
    match &*nearest(wanted, names.clone()) {
        [] => format!(", only {}", listed(names)),
        near => or_meant(near),
    }
}

/// The node that is meant by its name, or by its index in the file.
pub fn find_node(model: &Model, wanted: &str) -> anyhow::Result<NodeId> {
    let nodes = model.hierarchy.iter();
    let named = nodes.filter(|(_, node)| node.name == wanted);
    let named = named.map(|(id, node)| (node.file_index, id));
    let by_index = || model.hierarchy.by_file_index(wanted.parse().ok()?);
    let is_there = |index| model.hierarchy.by_file_index(index).is_some();
    let found = first_of(named, &model.name, "node", wanted, is_there).or_else(by_index);
    found.ok_or_else(|| {
        let name = &model.name;
        let nodes = || model.hierarchy.iter().map(|(_, node)| node);
        match nodes().map(|node| node.file_index).max() {
            None => anyhow!("{name} has no nodes, so no {wanted:?}"),
            Some(last) if is_index(wanted) => anyhow!(out_of_range(name, "node", wanted, last)),
            Some(_) => {
                let names = nearest(wanted, nodes().map(|node| &*node.name));
                anyhow!("{name} has no node {wanted:?}{}", or_meant(&names))
            }
        }
    })
}

/// Names that are told at most.
const MAX_NEAREST: usize = 3;
/// Letters of names that are compared one by one.
const MAX_LETTERS: usize = 64;

/// Which names may be meant by one that is not there, the likeliest first: those that it is a part of, in small or capital
/// letters, and those that it is a slip of, one letter in three at most.
pub(crate) fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let letters = |name: &str| -> Vec<char> { name.to_lowercase().chars().collect() };
    let folded = wanted.to_lowercase();
    let wanted = letters(wanted);
    if wanted.is_empty() {
        return Vec::new();
    }
    let most = (wanted.len() / 3).max(1);
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for name in names.filter(|name| !name.is_empty()) {
        let longer = name.chars().count().abs_diff(wanted.len());
        let slips = if wanted.len() > 1 && name.to_lowercase().contains(&folded) {
            Some(0)
        } else if longer <= most && wanted.len() <= MAX_LETTERS {
            Some(slips(&wanted, &letters(name))).filter(|slips| *slips <= most)
        } else {
            None
        };
        let is_known = found.iter().any(|(_, _, known)| *known == name);
        if let Some(slips) = slips.filter(|_| !is_known) {
            let place = found.partition_point(|it| (it.0, it.1) <= (slips, longer));
            found.insert(place, (slips, longer, name));
            found.truncate(MAX_NEAREST);
        }
    }
    found.into_iter().map(|(_, _, name)| name).collect()
}

/// How many letters have to be put in, left out, changed or swapped with the next to make one name of the other.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut rows = [const { Vec::new() }; 3];
    rows[0] = (0..=b.len()).collect::<Vec<usize>>();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[0][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[0][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[1][j - 2] + 1);
            }
            row.push(least);
        }
        rows.rotate_right(1);
        rows[0] = row;
    }
    rows[0][b.len()]
}

/// What is said of them, if there are any.
pub(crate) fn or_meant(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => format!("; {only:?} comes nearest"),
        several => {
            let names: Vec<_> = several.iter().map(|name| format!("{name:?}")).collect();
            format!("; {} come nearest", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::built_in, model::Scene};

    #[test]
    fn slips_are_counted() {
        let count = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|it| it.chars().collect::<Vec<_>>());
            slips(&a, &b)
        };
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("head", "hed", 1),
            ("chek", "check", 1),
            ("lefthnad", "lefthand", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((count(a, b), count(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn others_of_the_same_name_are_counted() {
        let told = |count: usize| alternatives(2..2 + count).unwrap_or_default();
        assert_eq!((told(0), told(1)), (String::new(), "2".to_owned()));
        assert_eq!(told(8), "2 or 3 or 4 or 5 or 6 or 7 or 8 or 9");
        assert_eq!(told(73), "2, 3, 4, 5, 6, 7, 8, 9 or 65 more");
    }

    #[test]
    fn names_that_may_be_meant_are_told() {
        let names = [
            "mixamorig:LeftHand",
            "LeftHandIndex1",
            "RightHand",
            "Hips",
            "Hips",
        ];
        let meant = |wanted: &str| nearest(wanted, names.into_iter());
        assert_eq!(meant("lefthand"), ["LeftHandIndex1", "mixamorig:LeftHand"]);
        assert_eq!(meant("RihgtHand"), ["RightHand"]);
        assert_eq!(meant("hip"), ["Hips"]);
        assert!(meant("tail").is_empty() && meant("").is_empty());
        let model = built_in::load("Pip").unwrap().model;
        let told = |found: anyhow::Result<usize>| found.unwrap_err().to_string();
        let node = |wanted| told(find_node(&model, wanted).map(NodeId::index));
        assert_eq!(
            node("haed"),
            "Pip has no node \"haed\"; \"head\" comes nearest"
        );
        let last = model.hierarchy.len() - 1;
        let range = format!("Pip has no node 9999: indices go from 0 to {last}");
        assert_eq!(node("9999"), range);
        let clip = |wanted| told(find_clip(&model, wanted));
        assert_eq!(clip("9"), "Pip has no clip 9: indices go from 0 to 5");
        assert_eq!(clip("-1"), "Pip has no clip -1: indices go from 0 to 5");
        let scene = told(find_scene(&model, "1"));
        assert_eq!(scene, "Pip has no scene 1: its only scene is 0");
        assert!(clip("walk").contains("only \"Idle\", \"Walk\""));
        let scenes = ["", "Stage"].map(|name| Scene {
            name: name.to_owned(),
            ..Scene::default()
        });
        let model = Model {
            scenes: scenes.to_vec(),
            variants: ["midnight", "street", "1", "street"]
                .map(str::to_owned)
                .to_vec(),
            ..model
        };
        let variant = |wanted| find_variant(&model, wanted);
        let found = ["midnight", "street", "1", "0", "3"].map(|it| variant(it).unwrap());
        assert_eq!(found, [0, 1, 2, 0, 3]);
        assert_eq!(
            told(variant("mdinight")),
            "Pip has no variant \"mdinight\"; \"midnight\" comes nearest"
        );
        let scene = |wanted| told(find_scene(&model, wanted));
        assert_eq!(scene("x"), "Pip has no scene \"x\", only 0, \"Stage\"");
        let range = "Pip has no variant 4: indices go from 0 to 3";
        assert_eq!(told(variant("4")), range);
    }
}
