//! What the box for saving shows.

use egui::PointerButton;
use rigscope::ui::{Command, PictureKind, SavingCommand, SavingKind};

use crate::{fixture::settled, saving::open};

/// What is below the kinds is known of the kind in force: of the chosen one half would be seen for a frame.
#[test]
fn all_of_the_box_changes_with_the_kind() {
    let fixture = open(SavingKind::Picture(PictureKind::Still));
    let mut window = settled(&fixture);
    let gif = window.find_text(&fixture, "GIF").expect("it").center();
    window.move_to(gif);
    window.frame(&fixture);
    window.button(gif, PointerButton::Primary, true);
    window.frame(&fixture);
    window.button(gif, PointerButton::Primary, false);
    let (asked, output) = window.draw(&fixture);
    let [Command::Saving(SavingCommand::Set(settings))] = asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!(settings.kind, SavingKind::Picture(PictureKind::Gif));
    let mut seen = Vec::new();
    for clipped in &output.shapes {
        crate::driver::visit(&clipped.shape, &mut |shape| {
            if let egui::Shape::Text(text) = shape {
                seen.push(text.galley.text().to_owned());
            }
        });
    }
    assert!(seen.iter().any(|words| words == "Transparent"), "{seen:?}");
    let of_gif = "Goes once around the model";
    assert!(!seen.iter().any(|words| words == of_gif), "{seen:?}");
}

/// The folder's own name is what tells it from others.
#[test]
fn of_a_long_folder_the_end_is_seen() {
    const FOLDER: &str =
        "/home/somebody/projects/of the last years/animations/walks and runs/reviews of this week";
    let mut fixture = open(SavingKind::Picture(PictureKind::Still));
    fixture.saving.folder = FOLDER;
    fixture.saving.file_name = "Pip.png";
    let mut window = settled(&fixture);
    let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, window.size);
    let texts = window.texts_in(&fixture, whole);
    let is_short = |words: &str| words.contains('…') && words.ends_with("reviews of this week");
    let short = texts.iter().find(|(words, _)| is_short(words));
    let short = short.unwrap_or_else(|| panic!("{texts:?}")).1;
    // Who types there sees what is there.
    window.click(&fixture, short.center());
    window.settle(&fixture);
    let texts = window.texts_in(&fixture, whole);
    assert!(!texts.iter().any(|(words, _)| is_short(words)), "{texts:?}");
}
