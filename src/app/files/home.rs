//! Paths as people write them: what lies in the user's own folder begins with `~`.

use std::path::{Path, PathBuf};

/// The user's own folder.
pub(in crate::app) fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| !home.as_os_str().is_empty())
}

/// A path to be shown.
pub(in crate::app) fn with_tilde(path: &Path) -> PathBuf {
    shortened(path, home().as_deref())
}

/// The path that is meant by what somebody wrote.
pub(in crate::app) fn without_tilde(written: &Path) -> PathBuf {
    lengthened(written, home().as_deref())
}

fn shortened(path: &Path, home: Option<&Path>) -> PathBuf {
    let below_home = home.and_then(|home| path.strip_prefix(home).ok());
    match below_home {
        Some(rest) if rest.as_os_str().is_empty() => PathBuf::from("~"),
        Some(rest) => Path::new("~").join(rest),
        None => path.to_owned(),
    }
}

fn lengthened(written: &Path, home: Option<&Path>) -> PathBuf {
    let below_home = written.strip_prefix("~").ok().zip(home);
    below_home.map_or_else(|| written.to_owned(), |(rest, home)| home.join(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_folder_is_written_as_a_tilde() {
        let home = Some(Path::new("/home/ada"));
        for (path, written) in [
            ("/home/ada/rigs", "~/rigs"),
            ("/home/ada", "~"),
            ("/home/adam", "/home/adam"),
            ("rigs", "rigs"),
        ] {
            assert_eq!(shortened(Path::new(path), home), Path::new(written));
            assert_eq!(lengthened(Path::new(written), home), Path::new(path));
        }
        for kept in ["a/~/b", "~ada/b"] {
            assert_eq!(lengthened(Path::new(kept), home), Path::new(kept));
        }
        assert_eq!(lengthened(Path::new("~/a"), None), Path::new("~/a"));
    }
}
