//! What goes on while a file is opened or read again.

use super::*;

/// Else half of a sequence would be of another model.
#[test]
fn what_is_being_saved_is_read_again_afterwards() {
    let (mut desk, _) = with_another("held", true);
    desk.documents.file.follow();
    assert!(!desk.documents.file.hold(true));
    desk.wait("what was begun before", |desk| {
        desk.documents.file.purpose().is_none()
    });
    fs::write(desk.path(), version(2)).unwrap();
    desk.documents.file.follow();
    assert_eq!(desk.documents.file.purpose(), None);
    assert!(desk.is_shown(0));
    assert!(
        desk.documents.file.hold(false),
        "what was missed is made up for"
    );
    desk.wait("the model", |desk| desk.is_shown(2));
}

#[test]
fn what_is_said_of_other_files_stays_when_the_model_comes() {
    let (mut desk, other) = with_another("said", true);
    let message = Message::error("no.hdr cannot surround the model", "");
    desk.session.messages.tell(Topic::Environment, message);
    desk.documents.open(other.clone());
    desk.wait("the other model", |desk| desk.is_shown(1));
    assert!(desk.session.message().is_some(), "it stays");
    // Also when the model is read again meanwhile.
    desk.documents.file.reload();
    desk.wait("it again", |desk| desk.documents.file.purpose().is_none());
    desk.documents.open(other.clone());
    desk.wait("it again", |desk| desk.documents.file.purpose().is_none());
    let said = desk.session.message().expect("it stays");
    assert!(said.title.starts_with("no.hdr"));
    // What is about the model goes with it.
    desk.session
        .tell(Message::error("nothing to compare with", ""));
    desk.documents.open(other);
    desk.wait("it again", |desk| desk.documents.file.purpose().is_none());
    let said = desk.session.message().expect("it stays");
    assert!(said.title.starts_with("no.hdr"));
}
