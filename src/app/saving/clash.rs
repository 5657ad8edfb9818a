//! Which files saving would replace.

use std::{
    collections::HashSet,
    ffi::OsString,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use crate::{
    output::FrameNames,
    ui::{Clash, PictureKind, SavingKind},
};

/// Of more files than these the folder is asked once, and not each of them: over a network that takes its time.
const MAX_ASKED: u32 = 100;

/// The names in a folder.
struct Listed {
    names: HashSet<OsString>,
    /// As systems read them for which capital letters are the same.
    lowered: HashSet<String>,
}

impl Listed {
    /// Those beside a file; none where that is not told.
    fn beside(file: &Path) -> Option<Self> {
        let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
        let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let names = names.collect::<Result<HashSet<_>, _>>().ok()?;
        let lowered = names.iter().filter_map(|name| name.to_str());
        let lowered = lowered.map(str::to_ascii_lowercase).collect();
        Some(Self { names, lowered })
    }

    /// Whether there is such a file.
    fn has(&self, file: &Path) -> bool {
        let name = file.file_name().unwrap_or_default();
        // Letters that are no ASCII may be written in several ways.
        let is_out =
            |name: &str| name.is_ascii() && !self.lowered.contains(&name.to_ascii_lowercase());
        self.names.contains(name) || !name.to_str().is_some_and(is_out) && is_there(file)
    }
}

/// Whether something has this name, or may have it: where nobody can say so, it is asked about and not replaced.
fn is_there(file: &Path) -> bool {
    use ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    let found = fs::symlink_metadata(file).map_err(|error| error.kind());
    !matches!(found, Err(NotFound | NotADirectory | InvalidFilename))
}

/// Whether two paths lead to one file. Some disks, as those in memory on Windows, cannot say where a path leads: there it
/// counts how they are written.
fn is_same_file(a: &Path, b: &Path) -> bool {
    let places = [a, b].map(fs::canonicalize);
    let written = [a, b].map(std::path::absolute);
    match (places, written) {
        ([Ok(a), Ok(b)], _) | (_, [Ok(a), Ok(b)]) => a == b,
        _ => false,
    }
}

/// The first of some names in a folder by which saving would replace no file.
pub(super) fn first_free(
    folder: &Path,
    mut names: impl Iterator<Item = String>,
    kind: SavingKind,
    frames: u32,
) -> Option<String> {
    let first = names.next()?;
    let place = folder.join(&first);
    if find_clash(&place, false, kind, frames, None).is_none() {
        return Some(first);
    }
    // To ask for each name would take its time: the folder is read once.
    let listed = Listed::beside(&place)?;
    let is_there = |file: &Path| listed.has(file);
    names.find(|name| {
        let place = folder.join(name);
        if kind == SavingKind::Picture(PictureKind::Frames) {
            let names = FrameNames::new(&place);
            !(0..frames).any(|frame| is_there(&names.of_frame(frame)))
        } else {
            !is_there(&place)
        }
    })
}

/// The files that saving would replace without anybody having been asked, and the file of the model that is shown.
pub(super) fn find_clash(
    path: &Path,
    was_asked: bool,
    kind: SavingKind,
    frames: u32,
    shown: Option<&Path>,
) -> Option<Clash> {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    if kind == SavingKind::Picture(PictureKind::Frames) {
        let names = FrameNames::new(path);
        let listed = (frames > MAX_ASKED).then(|| Listed::beside(&names.of_frame(0)));
        let listed = listed.flatten();
        let is_there = |file: &PathBuf| match &listed {
            Some(listed) => listed.has(file),
            None => is_there(file),
        };
        let mut there = (0..frames)
            .map(|frame| names.of_frame(frame))
            .filter(is_there);
        let first = name(&there.next()?);
        let count = 1 + there.count();
        let is_model = false;
        return Some(Clash {
            count,
            first,
            is_model,
        });
    }
    if !is_there(path) {
        return None;
    }
    let is_model = shown.is_some_and(|shown| is_same_file(path, shown));
    (is_model || !was_asked).then(|| Clash {
        count: 1,
        first: name(path),
        is_model,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::PoseKind;

    /// A link that leads nowhere is in the list of its folder, and no file for who asks for it.
    #[cfg(unix)]
    #[test]
    fn a_free_name_is_looked_up_in_the_list_of_the_folder() {
        let folder = std::env::temp_dir().join(format!("rigscope-listed-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("fox.png"), "there").unwrap();
        std::os::unix::fs::symlink("nowhere", folder.join("fox 2.png")).unwrap();
        let free = |names: &[&str], kind| {
            let names = names.iter().map(|name| (*name).to_owned());
            first_free(&folder, names, SavingKind::Picture(kind), 4)
        };
        let still = PictureKind::Still;
        let numbered = ["fox.png", "fox 2.png", "fox 3.png"];
        assert_eq!(free(&numbered, still).as_deref(), Some("fox 3.png"));
        assert_eq!(free(&["cat.png"], still).as_deref(), Some("cat.png"));
        assert_eq!(free(&numbered[..2], still), None);
        fs::write(folder.join("fox_0001.png"), "there").unwrap();
        fs::write(folder.join("fox 2_0003.png"), "there").unwrap();
        let frames = free(&numbered, PictureKind::Frames);
        assert_eq!(frames.as_deref(), Some("fox 3.png"));
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A link to itself is there, and leads nowhere: so is every file of a disk that cannot say where its paths lead.
    #[cfg(unix)]
    #[test]
    fn what_is_there_is_asked_about_where_nobody_knows_where_it_leads() {
        let folder = std::env::temp_dir().join(format!("rigscope-round-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("fox.glb");
        std::os::unix::fs::symlink("fox.glb", &file).unwrap();
        let mesh = SavingKind::Pose(PoseKind::Mesh);
        let is_model = |path: &Path, was_asked, shown: Option<&Path>| {
            find_clash(path, was_asked, mesh, 1, shown).map(|clash| clash.is_model)
        };
        assert_eq!(is_model(&file, false, None), Some(false));
        assert_eq!(is_model(&file, true, None), None);
        let other = folder.join("cat.glb");
        assert_eq!(is_model(&file, true, Some(&other)), None);
        assert_eq!(is_model(&file, true, Some(&file)), Some(true));
        assert_eq!(is_model(&other, false, None), None);
        let names = ["fox.glb", "cat.glb"].map(str::to_owned).into_iter();
        let free = first_free(&folder, names, mesh, 1);
        assert_eq!(free.as_deref(), Some("cat.glb"));
        // Nor is there anything below what is no folder.
        fs::write(&other, "there").unwrap();
        assert_eq!(is_model(&other.join("a.glb"), false, None), None);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn files_that_nobody_was_asked_about_are_asked_about() {
        let folder = std::env::temp_dir().join(format!("rigscope-clash-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["walk_0001.png", "walk_0002.png", "walk_0009.png", "fox.glb"] {
            fs::write(folder.join(name), "there").unwrap();
        }
        let clash = |name: &str, was_asked, kind, shown: Option<&str>| {
            let shown = shown.map(|shown| folder.join(shown));
            let clash = find_clash(&folder.join(name), was_asked, kind, 4, shown.as_deref());
            clash.map(|clash| (clash.count, clash.first, clash.is_model))
        };
        let (frames, mesh) = (
            SavingKind::Picture(PictureKind::Frames),
            SavingKind::Pose(PoseKind::Mesh),
        );
        let two = Some((2, "walk_0001.png".to_owned(), false));
        assert_eq!(
            clash("walk.png", true, frames, None),
            two,
            "the dialog knows of walk.png alone"
        );
        assert_eq!(clash("run.png", true, frames, None), None);
        // Very many are not asked one by one.
        let of_many = |name: &str| {
            let clash = find_clash(&folder.join(name), true, frames, 100_000, None);
            clash.map(|clash| (clash.count, clash.first))
        };
        assert_eq!(of_many("walk.png"), Some((3, "walk_0001.png".to_owned())));
        assert_eq!(of_many("run.png"), None);
        fs::write(folder.join("gång_0007.png"), "there").unwrap();
        fs::write(folder.join("HOP_0003.PNG"), "there").unwrap();
        assert_eq!(of_many("gång.png"), Some((1, "gång_0007.png".to_owned())));
        let is_alike = folder.join("hop_0003.png").exists();
        assert_eq!(of_many("hop.png").is_some(), is_alike);
        let one = |is_model| Some((1, "fox.glb".to_owned(), is_model));
        assert_eq!(clash("fox.glb", false, mesh, None), one(false));
        assert_eq!(clash("fox.glb", true, mesh, Some("cat.glb")), None);
        assert_eq!(clash("fox.glb", true, mesh, Some("fox.glb")), one(true));
        fs::remove_dir_all(&folder).unwrap();
    }
}
