//! A file is rewritten in all the ways that programs and accidents have, while watcher, loader and session run without a
//! window.

mod again;
mod folders;
mod meanwhile;
mod outside;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use super::*;
use crate::{
    anim::LoopMode,
    app::files::Purpose,
    import::{Consent, Import},
    ui::{CameraCommand, Command, PictureCommand, PlaybackCommand},
};

/// What reaches the window's thread.
enum Event {
    Loaded(Box<Loaded>),
    Changed,
}

/// A window without a window.
struct Desk {
    folder: PathBuf,
    session: Session,
    documents: Documents,
    events: Receiver<Event>,
}

/// How soon what was written must be shown.
const SOON: Duration = Duration::from_secs(1);
/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

impl Desk {
    fn new(name: &str) -> Self {
        let folder = format!("rigscope-desk-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let (send, events) = mpsc::channel();
        let changes = send.clone();
        let file = Followed::new(
            LoadKind::Model,
            move |loaded| drop(send.send(Event::Loaded(loaded))),
            move || drop(changes.send(Event::Changed)),
        );
        Self {
            folder,
            session: Session::new(Import::default(), None, Duration::ZERO),
            documents: Documents::new(file),
            events,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("model.glb")
    }

    fn open(&mut self) {
        let files = vec![self.path()];
        let consent = Consent::default();
        self.documents.open(Source::Files { files, consent });
    }

    /// Handles what comes until `is_done`, for at most so long, and draws what a window would.
    fn run(&mut self, most: Duration, mut is_done: impl FnMut(&Self) -> bool) -> bool {
        let deadline = Instant::now() + most;
        while !is_done(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(event) = self.events.recv_timeout(left) else {
                return false;
            };
            let was_shown = self.session.model().vertex_count() > 0;
            match event {
                Event::Loaded(loaded) => {
                    self.documents.on_loaded(&mut self.session, *loaded);
                }
                Event::Changed => self.documents.file.follow(),
            }
            self.session.tick(0.01);
            self.session.update();
            let is_shown = !self.session.frame().draws.is_empty();
            assert!(is_shown || !was_shown, "the view is empty");
        }
        true
    }

    #[track_caller]
    fn wait(&mut self, what: &str, is_done: impl FnMut(&Self) -> bool) {
        assert!(self.run(PATIENCE, is_done), "waited in vain: {what}");
    }

    fn is_shown(&self, version: usize) -> bool {
        let scenes = &self.session.model().scenes;
        scenes
            .first()
            .is_some_and(|it| it.name == version_name(version))
    }

    fn is_held(&self) -> bool {
        let message = self.session.message();
        message.is_some_and(|it| it.title.contains("what was read last is shown"))
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn version_name(version: usize) -> String {
    format!("version {version}")
}

/// The built-in model whose scene is named after a version, edited by `edit`.
pub(in crate::app) fn edited(version: usize, edit: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
    let glb = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pip.glb"));
    let length = u32::from_le_bytes(*glb[12..].first_chunk().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    json["scenes"][0]["name"] = version_name(version).into();
    edit(&mut json);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let bin = &glb[20 + length..];
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(((20 + text.len() + bin.len()) as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend(bin);
    bytes
}

fn version(version: usize) -> Vec<u8> {
    edited(version, |_| {})
}

/// Numbers without a pattern (Marsaglia's xorshift, 2003).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// Does something to the file. True if it is the version in the end.
fn rewrite(path: &Path, number: usize, random: &mut Random) -> bool {
    let bytes = version(number);
    let beside = path.with_extension("part");
    let cut = random.below(bytes.len());
    match random.below(8) {
        0 => fs::write(path, &bytes[..cut]).unwrap(),
        1 => drop(fs::remove_file(path)),
        2 => fs::write(path, vec![b'x'; cut]).unwrap(),
        3 => {
            // Its middle is another program's.
            let mut bytes = bytes;
            bytes[cut..].fill(0);
            fs::write(path, bytes).unwrap();
        }
        4 => {
            use std::io::Write as _;
            let mut file = fs::File::create(path).unwrap();
            for part in bytes.chunks(bytes.len() / (2 + random.below(6)) + 1) {
                file.write_all(part).unwrap();
                thread::sleep(Duration::from_millis(random.below(60) as u64));
            }
            return true;
        }
        5 => {
            fs::write(&beside, &bytes).unwrap();
            fs::rename(&beside, path).unwrap();
            return true;
        }
        6 => {
            let _ = fs::rename(path, path.with_extension("old"));
            thread::sleep(Duration::from_millis(random.below(40) as u64));
            fs::write(path, &bytes).unwrap();
            return true;
        }
        _ => {
            fs::write(path, &bytes).unwrap();
            return true;
        }
    }
    false
}

/// As many rewrites as `RIGSCOPE_REWRITES` says. Where it says so, the machine is one to measure on, and the last version
/// must be shown [`SOON`]; elsewhere it must be shown.
#[test]
fn whatever_happens_to_the_file_it_is_shown_as_it_was_or_as_it_is() {
    let count = std::env::var("RIGSCOPE_REWRITES");
    let is_measured = count.is_ok();
    let count = count.map_or(40, |count| count.parse::<usize>().unwrap());
    let mut desk = Desk::new("rewrites");
    let path = desk.path();
    fs::write(&path, version(0)).unwrap();
    desk.open();
    desk.wait("the first version", |desk| desk.is_shown(0));
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut latencies = Vec::new();
    for number in 1..=count {
        let is_good = rewrite(&path, number, &mut random);
        if number % 10 != 0 {
            let pause = Duration::from_millis(random.below(400) as u64 / 2);
            desk.run(pause, |_| false);
            continue;
        }
        if !is_good {
            fs::write(&path, version(number)).unwrap();
        }
        let written = Instant::now();
        desk.wait("the version that was written last", |desk| {
            desk.is_shown(number)
        });
        latencies.push(written.elapsed());
        desk.run(Duration::from_millis(50), |_| false);
        assert!(!desk.is_held(), "the message goes by itself");
    }
    latencies.sort_unstable();
    let (median, worst) = (
        latencies[latencies.len() / 2],
        latencies[latencies.len() - 1],
    );
    println!("{count} rewrites; the last was shown after {median:?}, at worst {worst:?}");
    assert!(!is_measured || worst < SOON, "{latencies:?}");
}

#[test]
fn what_the_user_chose_stays() {
    let mut desk = Desk::new("stays");
    fs::write(desk.path(), version(0)).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let session = &mut desk.session;
    session.set_aspect(1.5);
    let last_clip = session.model().clips.len() - 1;
    let node = session.model().hierarchy.len() - 1;
    for command in [
        Command::SelectClip(Some(last_clip)),
        Command::Playback(PlaybackCommand::TogglePlay),
        Command::Playback(PlaybackCommand::Seek(0.25)),
        Command::Playback(PlaybackCommand::SetSpeed(-0.5)),
        Command::Playback(PlaybackCommand::SetLoopMode(LoopMode::PingPong)),
        Command::SelectNode(Some(node)),
        Command::Picture(PictureCommand::ToggleSkeleton),
        Command::Camera(CameraCommand::Orbit {
            right: 0.2,
            down: 0.1,
        }),
    ] {
        session.apply(command);
    }
    let clip_name = session.model().clips[last_clip].name().to_owned();
    let node_name = session.model().hierarchy.nodes()[node].name.clone();
    let (camera, clock) = (session.camera(), session.clock().clone());
    assert!(!clock.is_playing());
    let document = session.document_generation();
    let model = session.model_generation();

    // Clips and nodes in another order.
    let reversed = edited(1, |json| {
        json["animations"].as_array_mut().unwrap().reverse();
        json["nodes"].as_array_mut().unwrap().swap(36, 37);
    });
    fs::write(desk.path(), reversed).unwrap();
    desk.wait("the next version", |desk| desk.is_shown(1));
    let session = &desk.session;
    assert_eq!(session.clip(), Some(0), "the last clip is the first now");
    assert_eq!(session.model().clips[0].name(), clip_name);
    let selected = session.selected.unwrap();
    assert_eq!(session.model().hierarchy.node(selected).name, node_name);
    assert_ne!(selected.index(), node, "it has another place");
    assert_eq!(session.camera(), camera);
    assert_eq!(*session.clock(), clock);
    assert!(session.shown.skeleton);
    assert_eq!(session.document_generation(), document);
    assert_ne!(session.model_generation(), model, "it is uploaded");

    // The clip is gone: nobody chose the one in its place.
    let fewer = edited(2, |json| {
        json["animations"].as_array_mut().unwrap().truncate(1);
    });
    fs::write(desk.path(), fewer).unwrap();
    desk.wait("fewer clips", |desk| desk.is_shown(2));
    assert_eq!(desk.session.clip(), None);
    assert_eq!(desk.session.clock().duration_secs(), 0.0);
    let message = desk.session.message().expect("it is said");
    assert!(message.title.contains(&clip_name), "{message:?}");
}

#[test]
fn a_broken_save_is_held_back_until_it_is_whole_or_asked_for() {
    let mut desk = Desk::new("broken");
    let whole = version(0);
    fs::write(desk.path(), &whole).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let vertices = desk.session.model().vertex_count();
    let model = desk.session.model_generation();
    // Most of the file is there, so that something could be shown.
    fs::write(desk.path(), &whole[..whole.len() - 1000]).unwrap();
    desk.wait("the message", Desk::is_held);
    assert_eq!(desk.session.model().vertex_count(), vertices);
    assert_eq!(desk.session.model_generation(), model);
    fs::write(desk.path(), version(1)).unwrap();
    desk.wait("the whole file", |desk| desk.is_shown(1));
    assert!(desk.session.message().is_none(), "it goes by itself");

    let cut = version(2);
    fs::write(desk.path(), &cut[..cut.len() - 1000]).unwrap();
    desk.wait("the message", Desk::is_held);
    desk.documents.file.reload();
    desk.wait("the file as it is", |desk| desk.is_shown(2));
    assert!(!desk.is_held());
    // What is wrong is known by now.
    let cut = version(3);
    fs::write(desk.path(), &cut[..cut.len() - 1000]).unwrap();
    desk.wait("the file as it is", |desk| desk.is_shown(3));

    fs::remove_file(desk.path()).unwrap();
    desk.wait("the message", Desk::is_held);
    fs::write(desk.path(), version(4)).unwrap();
    desk.wait("the file again", |desk| desk.is_shown(4));
}

#[test]
fn what_a_model_names_is_watched_also_where_it_is_missing() {
    let mut desk = Desk::new("parts");
    fs::create_dir(desk.folder.join("textures")).unwrap();
    let bytes = edited(0, |json| {
        json["images"] = serde_json::json!([{"uri": "textures/skin.png"}]);
        json["textures"] = serde_json::json!([{"source": 0}]);
    });
    fs::write(desk.path(), bytes).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let generation = desk.session.model_generation();
    let mut picture = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(3, 5)
        .write_to(&mut picture, image::ImageFormat::Png)
        .unwrap();
    fs::write(desk.folder.join("textures/skin.png"), picture.get_ref()).unwrap();
    desk.wait("the picture", |desk| {
        desk.session.model_generation() != generation
    });
    let errors = desk.session.document.findings.iter();
    assert!(errors.clone().all(|it| !it.pointer.starts_with("/images")));
}

/// A model that is shown, and another file beside it, of which the last piece is missing if it is not whole.
fn with_another(name: &str, is_whole: bool) -> (Desk, Source) {
    let mut desk = Desk::new(name);
    fs::write(desk.path(), version(0)).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let path = desk.folder.join("other.glb");
    let bytes = version(1);
    let other = if is_whole { &bytes[..] } else { &bytes[..20] };
    fs::write(&path, other).unwrap();
    let (files, consent) = (vec![path], Consent::default());
    (desk, Source::Files { files, consent })
}

#[test]
fn reading_again_does_not_give_up_what_is_being_opened() {
    let (mut desk, other) = with_another("again", true);
    desk.documents.open(other);
    desk.documents.file.reload();
    desk.wait("the other model", |desk| desk.is_shown(1));
    // It was read just now.
    assert_eq!(desk.documents.file.purpose(), None);
}

#[test]
fn what_could_not_be_read_again_meanwhile_is_when_the_other_file_cannot_be_opened() {
    let (mut desk, other) = with_another("afterwards", false);
    desk.documents.open(other);
    desk.documents.file.reload();
    desk.documents.file.follow();
    assert_eq!(desk.documents.file.purpose(), Some(Purpose::Open));
    desk.wait("the message", |desk| desk.session.message().is_some());
    assert_eq!(desk.documents.file.purpose(), Some(Purpose::Reload));
}

#[test]
fn a_change_is_not_missed_when_an_open_is_cancelled() {
    let (mut desk, other) = with_another("cancelled", true);
    // Files change while another is being opened, or just before.
    for begins_before in [false, true] {
        if begins_before {
            desk.documents.file.follow();
        }
        desk.documents.open(other.clone());
        if !begins_before {
            desk.documents.file.follow();
        }
        desk.documents.file.cancel();
        assert_eq!(desk.documents.file.purpose(), Some(Purpose::Follow));
        desk.wait("the model", |desk| desk.documents.file.purpose().is_none());
        assert!(desk.is_shown(0));
    }
    desk.documents.open(other);
    desk.documents.file.cancel();
    assert_eq!(desk.documents.file.purpose(), None, "nothing was missed");
}

#[test]
fn what_was_asked_for_stays_asked_for_when_files_change_meanwhile() {
    let (mut desk, _) = with_another("asked", true);
    desk.documents.file.reload();
    desk.documents.file.follow();
    assert_eq!(desk.documents.file.purpose(), Some(Purpose::Reload));
}

#[test]
fn what_could_not_be_opened_is_shown_once_it_can_be() {
    let mut desk = Desk::new("late");
    fs::write(desk.path(), b"glTF").unwrap();
    desk.open();
    desk.wait("the message", |desk| desk.session.message().is_some());
    fs::write(desk.path(), version(7)).unwrap();
    desk.wait("the model", |desk| desk.is_shown(7));
    assert!(desk.session.message().is_none());
    assert!(desk.session.clock().is_playing(), "it is new to the user");
}
