//! The dialog that saves, and the bar of what is being saved.

use egui::Key;
use rigscope::ui::{Command, SavingCommand, SavingKind, SavingSettings, SavingView};

use crate::fixture::{Fixture, settled};

fn saving(command: SavingCommand) -> Command {
    Command::Saving(command)
}

#[test]
fn ctrl_s_opens_the_dialog_and_its_buttons_ask() {
    let mut fixture = Fixture::default();
    let mut robot = settled(&fixture);
    robot.modifiers = egui::Modifiers::CTRL | egui::Modifiers::COMMAND;
    assert_eq!(robot.key(&fixture, Key::S), [saving(SavingCommand::Toggle)]);
    robot.modifiers = egui::Modifiers::NONE;
    fixture.saving = SavingView {
        is_open: true,
        ..SavingView::default()
    };
    robot.frame(&fixture);
    let mut click = |fixture: &Fixture, words: &str| {
        let place = robot.find_text(fixture, words);
        let place = place.unwrap_or_else(|| panic!("no {words}"));
        robot.click(fixture, place.center())
    };
    let gif = SavingSettings {
        kind: SavingKind::Gif,
        ..SavingSettings::default()
    };
    assert_eq!(click(&fixture, "GIF")[0], saving(SavingCommand::Set(gif)));
    let square = SavingSettings {
        size: [512; 2],
        ..SavingSettings::default()
    };
    assert_eq!(
        click(&fixture, "512²")[0],
        saving(SavingCommand::Set(square))
    );
    assert_eq!(click(&fixture, "Save…")[0], saving(SavingCommand::Choose));
    assert_eq!(click(&fixture, "Cancel")[0], saving(SavingCommand::Toggle));
}

#[test]
fn what_is_being_saved_can_be_stopped() {
    let fixture = Fixture {
        saving: SavingView {
            job: Some(("walk.gif", 3, 12)),
            ..SavingView::default()
        },
        ..Fixture::default()
    };
    let mut robot = settled(&fixture);
    let stop = robot.find_text(&fixture, "Stop").unwrap();
    assert_eq!(
        robot.click(&fixture, stop.center()),
        [saving(SavingCommand::Stop)]
    );
}
