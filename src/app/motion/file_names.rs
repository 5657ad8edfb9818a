//! What files are called beside one another: by their names, and where those are the same also by the folders above, as far up
//! as these are.

use std::{
    ffi::OsStr,
    path::{Component, Path, is_separator},
};

/// A name for each of these paths. Two that are the same have one.
pub(super) fn distinct_names(paths: &[&Path]) -> Vec<String> {
    let parts: Vec<Vec<&OsStr>> = paths.iter().map(|path| parts_from_end(path)).collect();
    let name = |own: &Vec<&OsStr>| {
        let others = parts.iter().filter(|other| *other != own);
        let shared = others.map(|other| own.iter().zip(other).take_while(|(a, b)| a == b).count());
        // One part more than is the same.
        let count = shared.max().unwrap_or(0) + 1;
        let mut shown = String::new();
        for part in own.iter().take(count).rev() {
            let part = part.to_string_lossy();
            // A root is one itself.
            let has_separator = shown.ends_with(is_separator) || part.starts_with(is_separator);
            if !shown.is_empty() && !has_separator {
                shown.push('/');
            }
            shown += &part;
        }
        shown
    };
    parts.iter().map(name).collect()
}

/// The file's name, that of its folder, and so on up to the root, and the drive.
fn parts_from_end(path: &Path) -> Vec<&OsStr> {
    let parts = path.components().rev();
    let named = parts.filter(|part| *part != Component::CurDir);
    named.map(Component::as_os_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_as_far_up_as_they_are_the_same() {
        for (paths, names) in [
            (&["a/anim.glb"][..], &["anim.glb"][..]),
            (&["a/anim.glb", "a/walk.glb"], &["anim.glb", "walk.glb"]),
            (
                &["/x/a/anim.glb", "/x/b/anim.glb", "/x/b/walk.glb"],
                &["a/anim.glb", "b/anim.glb", "walk.glb"],
            ),
            (
                &["/x/a/in/anim.glb", "/x/b/in/anim.glb", "/x/b/anim.glb"],
                &["a/in/anim.glb", "b/in/anim.glb", "b/anim.glb"],
            ),
            (&["anim.glb", "b/anim.glb"], &["anim.glb", "b/anim.glb"]),
            (&["./anim.glb", "anim.glb"], &["anim.glb", "anim.glb"]),
            (&["../anim.glb", "anim.glb"], &["../anim.glb", "anim.glb"]),
            (&["/anim.glb", "anim.glb"], &["/anim.glb", "anim.glb"]),
            (
                &["/a/anim.glb", "a/anim.glb"],
                &["/a/anim.glb", "a/anim.glb"],
            ),
        ] {
            let paths: Vec<_> = paths.iter().map(Path::new).collect();
            assert_eq!(distinct_names(&paths), names);
        }
        if cfg!(windows) {
            let paths = ["C:\\anim.glb", "D:\\anim.glb"].map(Path::new);
            assert_eq!(distinct_names(&paths), ["C:\\anim.glb", "D:\\anim.glb"]);
        }
    }
}
