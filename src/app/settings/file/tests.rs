//! That no file is lost by what goes wrong with it.

use super::*;

fn place(name: &str) -> PathBuf {
    let folder = format!("rigscope-settings-file-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn changed(settings: &Settings) -> Settings {
    Settings {
        dark: !settings.dark,
        ..settings.clone()
    }
}

/// Whoever edits it by hand while a window is open finds the work again.
#[test]
fn what_breaks_while_a_window_is_open_is_put_aside() {
    let folder = place("meanwhile");
    let (mut file, settings) = SettingsFile::open_in(Some(folder.clone()));
    fs::write(folder.join("settings.json"), "{\"dark\": fal").unwrap();
    file.keep(changed(&settings));
    let aside = fs::read_to_string(folder.join("settings.broken.json"));
    assert_eq!(aside.ok().as_deref(), Some("{\"dark\": fal"));
    let (_, read) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(read.dark, !settings.dark);
    fs::remove_dir_all(&folder).unwrap();
}

/// A disk that does not answer at the start may hold a fine file.
#[test]
fn what_cannot_be_read_at_the_start_is_not_replaced_later() {
    let folder = place("unread");
    let path = folder.join("settings.json");
    // A folder of its name can neither be read, nor is it a broken file.
    fs::create_dir(&path).unwrap();
    let (mut file, settings) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(settings, Settings::default());
    fs::remove_dir(&path).unwrap();
    fs::write(&path, "{\"grid\": false}").unwrap();
    file.keep(changed(&settings));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"grid\": false}");
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_goes_on_leading_to_the_file() {
    let folder = place("link");
    let path = folder.join("settings.json");
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let target = elsewhere.join("kept.json");
    std::os::unix::fs::symlink("elsewhere/kept.json", &path).unwrap();
    let (mut file, settings) = SettingsFile::open_in(Some(folder.clone()));
    let mut settings = settings;
    // First there is nothing where it leads to, then there is.
    for _ in 0..2 {
        settings = changed(&settings);
        file.keep(settings.clone());
        assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        assert_eq!(read(&target).unwrap().dark, settings.dark);
    }
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
    fs::remove_dir_all(&folder).unwrap();
}

/// Neither is who may read it changed, nor is a link on the way lost.
#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_and_all_its_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = place("mode");
    let target = folder.join("kept.json");
    symlink("second", folder.join("settings.json")).unwrap();
    symlink("kept.json", folder.join("second")).unwrap();
    let (mut file, settings) = SettingsFile::open_in(Some(folder.clone()));
    // At first the second link leads nowhere.
    let settings = changed(&settings);
    file.keep(settings.clone());
    assert!(target.is_file());
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    file.keep(changed(&settings));
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{mode:o}");
    for link in ["settings.json", "second"] {
        let data = fs::symlink_metadata(folder.join(link)).unwrap();
        assert!(data.is_symlink(), "{link}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn nothing_is_left_beside_a_file_that_could_not_be_written() {
    let folder = place("part");
    let path = folder.join("settings.json");
    fs::create_dir(&path).unwrap();
    assert!(write(&path, &Settings::default()).is_err());
    let names = fs::read_dir(&folder).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["settings.json"]);
    fs::remove_dir_all(&folder).unwrap();
}
