//! Names of files: numbered frames, and pictures of many models in one folder.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    path::{Component, Path, PathBuf},
};

use anyhow::{bail, ensure};

/// The names of the files of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameNames {
    folder: PathBuf,
    before: OsString,
    digits: usize,
    after: OsString,
}

impl FrameNames {
    /// Names after a path: `{}` or `{:04}` in it is the number, with so many digits at least; without it four digits stand
    /// before the extension.
    pub fn new(path: &Path) -> Self {
        let pattern = Self::pattern(path).ok().flatten();
        pattern.unwrap_or_else(|| Self::literal(path))
    }

    /// Names after a path in which nothing stands for the number, whatever it says.
    pub fn literal(path: &Path) -> Self {
        let mut before = path.file_stem().unwrap_or_default().to_owned();
        before.push("_");
        let mut after = OsString::new();
        if let Some(extension) = path.extension() {
            after.push(".");
            after.push(extension);
        }
        Self {
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            before,
            digits: 4,
            after,
        }
    }

    /// The path that [`Self::literal`] would number to have this one: `Fox.png` for `Fox_0012.png`. None for what is not
    /// named so, or not in UTF-8.
    pub fn unnumbered(frame: &Path) -> Option<PathBuf> {
        let (name, number) = frame.file_stem()?.to_str()?.rsplit_once('_')?;
        let is_number = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
        let mut name = OsString::from(name);
        if let Some(extension) = frame.extension() {
            name.push(".");
            name.push(extension);
        }
        is_number.then(|| frame.with_file_name(name))
    }

    /// Names after a path that says where numbers go; none if it does not. Fails where it tries to, such as by `{:4}`, and
    /// where it says so twice.
    pub fn pattern(path: &Path) -> anyhow::Result<Option<Self>> {
        let name = path.file_name().and_then(OsStr::to_str);
        let (mut before, mut rest) = (String::new(), name.unwrap_or_default());
        let mut place = None;
        while let Some((text, more)) = rest.split_once('{')
            && let Some((inside, after)) = more.split_once('}')
        {
            before.push_str(text);
            if let Some(digits) = digits_of(inside, path)? {
                ensure!(
                    place.is_none(),
                    "{} has several places for a number: leave one",
                    path.display()
                );
                place = Some((before.clone(), digits, after));
            }
            before.extend(["{", inside, "}"]);
            rest = after;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(place.map(|(before, digits, after)| Self {
            folder: folder.to_owned(),
            before: before.into(),
            // File names have at most 255 bytes.
            digits: usize::min(digits, 20),
            after: after.into(),
        }))
    }

    /// The file of a frame.
    pub fn of_frame(&self, frame: u32) -> PathBuf {
        let digits = self.digits;
        let mut name = self.before.clone();
        name.push(format!("{frame:0digits$}"));
        name.push(&self.after);
        self.folder.join(name)
    }
}

/// How many digits a number has at least whose place is written like this between braces; none if it is no place.
fn digits_of(inside: &str, path: &Path) -> anyhow::Result<Option<usize>> {
    let digits = inside.strip_prefix(":0").map(str::parse);
    match (inside, digits) {
        ("", _) => Ok(Some(0)),
        (_, Some(Ok(digits))) => Ok(Some(digits)),
        _ if inside.starts_with(':') => bail!(
            "{{{inside}}} in {} is no place for a number: write {{}} or {{:04}}",
            path.display()
        ),
        _ => Ok(None),
    }
}

/// A name for each of these files, no two alike in any case: the file's own, without its extension; where several have the
/// same, with it, and with as many of its folders before it as tell them apart; where no folder does, with a number. Paths of
/// the same file have one name.
///
/// Names are those of the whole list: whoever makes a part of it gives its files the same ones.
pub fn distinct_names(paths: &[PathBuf]) -> Vec<String> {
    let plain: Vec<PathBuf> = paths.iter().map(|path| lexically(path)).collect();
    let whole = plain.iter().map(|path| name_at(path, usize::MAX));
    let whole: Vec<String> = whole.map(|name| name.to_lowercase()).collect();
    let mut levels = vec![0_usize; paths.len()];
    loop {
        let names: Vec<String> = plain
            .iter()
            .zip(&levels)
            .map(|(path, &level)| name_at(path, level))
            .collect();
        let mut with_name = HashMap::<String, Vec<usize>>::new();
        for (index, name) in names.iter().enumerate() {
            with_name
                .entry(name.to_lowercase())
                .or_default()
                .push(index);
        }
        let mut has_changed = false;
        for alike in with_name.values() {
            // No folder tells them apart.
            if alike.iter().all(|&index| whole[index] == whole[alike[0]]) {
                continue;
            }
            for &index in alike {
                // The whole path is as far as it goes.
                if levels[index] <= plain[index].components().count() {
                    levels[index] += 1;
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            return numbered(&plain, names);
        }
    }
}

/// Numbers those that are still alike: paths that differ only in the case of letters, or in what stands between names.
fn numbered(paths: &[PathBuf], names: Vec<String>) -> Vec<String> {
    let mut owners = HashMap::<String, PathBuf>::new();
    let named = names.into_iter().zip(paths).map(|(name, path)| {
        let mut candidates = (1..).map(|number| match number {
            1 => name.clone(),
            _ => format!("{name}~{number}"),
        });
        let free = candidates.find(|candidate| {
            let owner = owners.entry(candidate.to_lowercase());
            owner.or_insert_with(|| path.clone()) == path
        });
        free.unwrap_or_default()
    });
    named.collect()
}

/// What a path says, without what says nothing.
fn lexically(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components()
        .filter(|part| !matches!(part, Component::CurDir))
        .collect()
}

/// Level 0 is the stem, 1 the file name, and each further one has one more folder before it.
fn name_at(path: &Path, level: usize) -> String {
    let text = |part: &OsStr| part.to_string_lossy().replace([':', '\\', '/'], "-");
    // What ends in `..` has none, nor has a root.
    let unnamed = || "model".to_owned();
    if level == 0 {
        return path.file_stem().map_or_else(unnamed, text);
    }
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(text(name)),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    });
    let mut last: Vec<String> = names.collect();
    last.drain(..last.len().saturating_sub(level));
    if last.is_empty() {
        return unnamed();
    }
    last.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_numbered_where_the_pattern_says() {
        let name = |path: &str, frame| {
            let names = FrameNames::new(Path::new(path));
            names.of_frame(frame).to_string_lossy().replace('\\', "/")
        };
        assert_eq!(name("out/walk_{:04}.png", 7), "out/walk_0007.png");
        assert_eq!(name("walk{}.png", 12), "walk12.png");
        assert_eq!(name("walk.cycle.png", 3), "walk.cycle_0003.png");
        assert_eq!(name("f{:02}", 123), "f123");
        assert_eq!(name("walk{x}.png", 1), "walk{x}_0001.png");
        let pattern = |path: &str| FrameNames::pattern(Path::new(path));
        assert_eq!(pattern("a{:04/x.png").unwrap(), None);
        assert_eq!(pattern("walk{x}.png").unwrap(), None);
        for mistyped in ["walk{:4}.png", "walk{:99}.png", "walk{:}.png", "walk{:0x}"] {
            let error = pattern(mistyped).unwrap_err().to_string();
            assert!(error.contains(mistyped), "{error}");
        }
        let literal = FrameNames::literal(Path::new("Fox{}.png")).of_frame(1);
        assert_eq!(literal, Path::new("Fox{}_0001.png"));
        assert_eq!(name("walk{x}_{:02}.png", 1), "walk{x}_01.png");
        for twice in ["s{}_{:04}.png", "{}{x}{}.png", "{:04}{:4}.png"] {
            let error = pattern(twice).unwrap_err().to_string();
            assert!(error.contains(twice), "{error}");
        }
    }

    #[test]
    fn the_path_of_a_frame_is_found_again() {
        for path in ["out/Fox.png", "walk.cycle.jpg", "Fox_0001.png", "Fox"] {
            for frame in [0, 12, 99_999] {
                let frame = FrameNames::literal(Path::new(path)).of_frame(frame);
                let found = FrameNames::unnumbered(&frame);
                assert_eq!(found.as_deref(), Some(Path::new(path)));
            }
        }
        for other in ["Fox.png", "Fox_001.png", "Fox_00a1.png", "_.png", ""] {
            assert_eq!(FrameNames::unnumbered(Path::new(other)), None);
        }
    }

    #[test]
    fn names_are_told_apart_by_as_little_as_it_takes() {
        let names = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            distinct_names(&paths)
        };
        assert_eq!(names(&["a/Fox.glb", "b/Cat.glb"]), ["Fox", "Cat"]);
        assert_eq!(
            names(&["a/Fox.glb", "a/Fox.gltf", "Cat.glb"]),
            ["Fox.glb", "Fox.gltf", "Cat"]
        );
        assert_eq!(
            names(&["a/x/Fox.glb", "b/x/Fox.glb", "b/x/fox.gltf"]),
            ["a-x-Fox.glb", "b-x-Fox.glb", "fox.gltf"]
        );
        assert_eq!(names(&["a/Fox.glb", "./a/Fox.glb"]), ["Fox", "Fox"]);
        assert_eq!(names(&["a/y.glb", "a/Y.glb"]), ["y", "Y~2"]);
        assert_eq!(
            names(&["a/y.glb", "b/y.glb", "b/Y.glb"]),
            ["a-y.glb", "b-y.glb", "b-Y.glb~2"]
        );
        assert_eq!(names(&["a/.."]), ["model"]);
        assert_eq!(names(&["a/..", "/"]), ["..", "model"]);
        let hard = names(&["a/b.glb", "a-b.glb", "A/b.glb", "a/B.glb"]);
        let mut lower: Vec<_> = hard.iter().map(|name| name.to_lowercase()).collect();
        lower.sort();
        lower.dedup();
        assert_eq!(lower.len(), 4, "{hard:?}");
    }
}
