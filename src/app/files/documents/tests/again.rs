//! The file that is shown is opened once more, and another one.

use super::*;
use crate::{
    anim::PosingPart,
    ui::{DragCommand, NodesCommand, PosingCommand},
};

#[test]
fn what_is_worked_at_stays_when_its_file_is_opened_once_more() {
    let mut desk = Desk::new("once-more");
    fs::write(desk.path(), version(0)).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let session = &mut desk.session;
    let walk = session.model().clips.len() - 1;
    let node = session.model().hierarchy.nodes();
    let node = node.iter().position(|node| node.name == "head").unwrap();
    let turn = DragCommand::Place(PosingPart::Rotation, 1, 40.0);
    for command in [
        Command::SelectClip(Some(walk)),
        Command::Playback(PlaybackCommand::TogglePlay),
        Command::Playback(PlaybackCommand::Seek(0.25)),
        Command::Nodes(NodesCommand::ToggleHidden(2)),
        Command::SelectNode(Some(node)),
        Command::Posing(PosingCommand::Drag(turn)),
    ] {
        session.apply(command);
        session.update();
    }
    let offsets = session.actor().offsets().clone();
    assert!(!offsets.is_empty());
    let (document, clock) = (session.document_generation(), session.clock().clone());
    let undo = session.history_view().undo.map(str::to_owned);

    let outside = [PathBuf::from("/elsewhere/skin.png")];
    let given = |path: PathBuf| Source::Files {
        files: vec![path],
        consent: Consent::default(),
    };
    let allowed = desk.documents.source().unwrap().allowing(&outside).unwrap();
    for source in [allowed, given(desk.path()), given(desk.folder.clone())] {
        desk.session.tell(Message::error("of the file", ""));
        let model = desk.session.model_generation();
        desk.documents.open(source.clone());
        desk.wait("it again", |desk| desk.documents.file.purpose().is_none());
        let session = &desk.session;
        assert_ne!(session.model_generation(), model, "it is read");
        assert_eq!(session.document_generation(), document, "{source:?}");
        assert_eq!(session.message(), None);
        assert_eq!(*session.actor().offsets(), offsets);
        assert_eq!(session.actor().hiding().count, 1);
        assert_eq!(*session.clock(), clock);
        assert_eq!(session.history_view().undo, undo.as_deref());
    }

    // With another one it is gone, and that is said.
    let other = desk.folder.join("other.glb");
    fs::write(&other, version(1)).unwrap();
    desk.documents.open(given(other));
    desk.wait("the other model", |desk| desk.is_shown(1));
    assert_ne!(desk.session.document_generation(), document);
    assert!(desk.session.actor().offsets().is_empty());
    let title = desk.session.message().map(|message| &*message.title);
    let gone = "The pose made by hand is gone with the model before";
    assert_eq!(title, Some(gone));
}
