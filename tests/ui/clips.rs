//! The list of clips, clips that play together, and morph weights: by the names that screen readers say.

use egui::{Key, Modifiers, vec2};
use rigscope::ui::{
    BorrowedCommand, BorrowedRow, ClipRow, Command, ConflictRow, LoadKind, MixCommand, MixMode,
    MixReference, MixRow, MorphCommand, MorphRow, WindowCommand,
};

use crate::fixture::{Fixture, Window, settled};
use crate::mixed::{Mix, Morphs};

pub fn mixed(clip: usize, mode: MixMode) -> MixRow {
    MixRow {
        clip,
        mode,
        weight: 0.5,
        reference: MixReference::FirstFrame,
        below: None,
        time_secs: 0.25,
    }
}

/// Clips that play together, clips of another file, and morph weights.
pub fn everything() -> Fixture {
    let mut fixture = with_mix();
    fixture.morphs = with_morphs(30).morphs;
    fixture.morphs.values[1] = 1.5;
    fixture.mix.borrowed.push(walks());
    fixture.selected_node = Some(4);
    fixture
}

fn walks() -> BorrowedRow {
    BorrowedRow {
        name: "walks.glb".to_owned(),
        first: 2,
        count: 2,
        is_retargeted: true,
        misfits: vec!["rest poses differ by up to 12°".to_owned()],
        missing: vec!["tail".to_owned()],
        unmoved: Vec::new(),
    }
}

fn with_mix() -> Fixture {
    let conflict = ConflictRow {
        clip: 2,
        names: ["Walk".to_owned(), "Run".to_owned()],
        moved: vec!["hand_R rotation".to_owned(), "hips translation".to_owned()],
        count: 2,
    };
    Fixture {
        mix: Mix {
            clips: vec![mixed(2, MixMode::Together), mixed(0, MixMode::Add)],
            in_step: false,
            round_secs: None,
            conflicts: vec![conflict],
            borrowed: Vec::new(),
        },
        ..Fixture::default()
    }
}

pub fn with_morphs(count: usize) -> Fixture {
    let row = |weight: usize| MorphRow {
        name: format!("shape {weight}"),
        node: 1,
        node_name: "Face".to_owned(),
        weight,
    };
    Fixture {
        morphs: Morphs {
            rows: (0..count).map(row).collect(),
            values: vec![0.25; count],
            held: vec![1],
        },
        ..Fixture::default()
    }
}

fn clips(commands: &[MixCommand]) -> Vec<Command> {
    commands.iter().cloned().map(Command::Mix).collect()
}

#[test]
fn figures_of_clips_stand_in_columns() {
    let mut fixture = Fixture::default();
    fixture.clips[2].key_count = 123_456;
    let mut window = settled(&fixture);
    let is_there = window.find_text(&fixture, "keys").is_some();
    assert!(!is_there, "a long name needs the room");
    fixture.clips.truncate(3);
    window.settle(&fixture);
    let place = |window: &mut Window, words| window.find_text(&fixture, words).unwrap();
    let heading = place(&mut window, "keys");
    let figure = place(&mut window, "123 k");
    assert!((heading.right() - figure.right()).abs() < 1.0);
    assert!(place(&mut window, "length").left() > place(&mut window, "ch.").right());
    fixture.clips.clear();
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "keys").is_none());
}

#[test]
fn a_thousand_clips_are_searched_and_draw_no_more_than_are_seen() {
    let mut fixture = Fixture::default();
    fixture.clips = (0..1000)
        .map(|clip| ClipRow {
            name: format!("move {clip}"),
            ..fixture.clips[0].clone()
        })
        .collect();
    let mut window = settled(&fixture);
    assert!(window.find_text(&fixture, "move 999").is_none());
    let field = window.find_text(&fixture, "Search clips").unwrap();
    window.click(&fixture, field.center());
    window.event(egui::Event::Text("E 99".to_owned()));
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "move 995").is_some());
    assert!(window.find_text(&fixture, "move 2").is_none());
    assert_eq!(
        window.click_text(&fixture, "move 996"),
        [Command::SelectClip(Some(996))]
    );
}

/// What is not shown is searched only with the sign that parts it from the rest.
#[test]
fn clips_are_searched_by_what_is_shown_or_by_their_whole_names() {
    let mut fixture = Fixture::default();
    let names = (0..30).map(|clip| format!("Rig|move {clip}"));
    let names = names.chain(["Rig|T-Pose".to_owned()]);
    fixture.clips = names
        .map(|name| ClipRow {
            name,
            ..fixture.clips[0].clone()
        })
        .collect();
    for (typed, figure) in [
        ("rig", "0 of 31"),
        ("move 29", "1 of 31"),
        ("rig|move 29", "1 of 31"),
        // The file's own pose is no clip.
        ("own", "0 of 31"),
        ("pose", "1 of 31"),
    ] {
        let mut window = settled(&fixture);
        let own_pose = |window: &mut Window| window.find_text(&fixture, "File's own pose");
        assert!(own_pose(&mut window).is_some());
        let field = window.find_text(&fixture, "Search clips").unwrap();
        window.click(&fixture, field.center());
        window.event(egui::Event::Text(typed.to_owned()));
        window.settle(&fixture);
        assert!(window.find_text(&fixture, figure).is_some(), "{typed}");
        assert!(own_pose(&mut window).is_none(), "{typed}");
    }
}

/// From match to match, as in the search of nodes.
#[test]
fn enter_in_the_search_plays_what_it_finds() {
    let mut fixture = Fixture::default();
    fixture.clips = (0..30)
        .map(|clip| ClipRow {
            name: format!("move {clip}"),
            ..fixture.clips[0].clone()
        })
        .collect();
    fixture.clip = Some(15);
    let mut window = settled(&fixture);
    let field = window.find_text(&fixture, "Search clips").unwrap();
    window.click(&fixture, field.center());
    assert_eq!(window.key(&fixture, Key::Enter), [], "nothing is searched");
    window.click(&fixture, field.center());
    window.event(egui::Event::Text("e 2".to_owned()));
    window.settle(&fixture);
    let mut press = |fixture: &mut Fixture, modifiers| {
        window.modifiers = modifiers;
        let commands = window.key(fixture, Key::Enter);
        let [Command::SelectClip(Some(clip))] = commands[..] else {
            panic!("{commands:?}");
        };
        fixture.clip = Some(clip);
        window.settle(fixture);
        clip
    };
    let (on, back) = (Modifiers::NONE, Modifiers::SHIFT);
    assert_eq!(press(&mut fixture, on), 2, "the first");
    assert_eq!(press(&mut fixture, on), 20);
    assert_eq!(press(&mut fixture, back), 2);
    assert_eq!(press(&mut fixture, back), 29, "round");
    assert_eq!(press(&mut fixture, on), 2);
    window.modifiers = Modifiers::NONE;
    // The keyboard is the window's again: a digit is a clip, and nothing is typed.
    assert_eq!(
        window.key(&fixture, Key::Num4),
        [Command::SelectClip(Some(3))]
    );
    window.click(&fixture, field.center());
    window.event(egui::Event::Text("7".to_owned()));
    window.settle(&fixture);
    let only = [Command::SelectClip(Some(27))];
    assert_eq!(window.key(&fixture, Key::Enter), only);
    fixture.clip = Some(27);
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Enter), [], "it plays already");
}

#[test]
fn the_clip_that_was_found_is_in_sight_when_the_search_ends() {
    let mut fixture = Fixture::default();
    fixture.clips = (0..100)
        .map(|clip| ClipRow {
            name: format!("move {clip}"),
            ..fixture.clips[0].clone()
        })
        .collect();
    fixture.clip = Some(0);
    let mut window = settled(&fixture);
    let field = window.find_text(&fixture, "Search clips").unwrap();
    window.click(&fixture, field.center());
    window.event(egui::Event::Text("77".to_owned()));
    window.settle(&fixture);
    assert_eq!(
        window.key(&fixture, Key::Enter),
        [Command::SelectClip(Some(77))]
    );
    fixture.clip = Some(77);
    window.settle(&fixture);
    window.click_named(&fixture, "Clear the search");
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "move 77").is_some());
    assert!(window.find_text(&fixture, "move 76").is_some());
    assert!(window.find_text(&fixture, "move 1").is_none());
}

#[test]
fn clips_join_by_ctrl_click_by_the_plus_and_by_keys() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let run = window.find_text(&fixture, "Run").unwrap();
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    window.event(egui::Event::ModifiersChanged(window.modifiers));
    let toggled = clips(&[MixCommand::ToggleMixed(2)]);
    assert_eq!(window.click(&fixture, run.center()), toggled);
    window.modifiers = Modifiers::NONE;
    window.event(egui::Event::ModifiersChanged(window.modifiers));
    let plus = run.left_center() - vec2(12.0, 0.0);
    assert_eq!(window.click(&fixture, plus), toggled);
    window.modifiers = Modifiers::SHIFT;
    assert_eq!(window.key(&fixture, Key::Num3), toggled);
    assert_eq!(window.key(&fixture, Key::Num9), [], "there is no ninth");
    assert_eq!(window.key(&fixture, Key::D), [], "nothing is mixed");
    assert_eq!(window.key(&fixture, Key::Num0), [], "nothing is mixed");
    let fixture = with_mix();
    let switched = clips(&[MixCommand::SwitchMode]);
    assert_eq!(window.key(&fixture, Key::D), switched);
    let ended = clips(&[MixCommand::EndMix]);
    assert_eq!(window.key(&fixture, Key::Num0), ended);
}

#[test]
fn the_section_of_the_mix_comes_and_goes_and_its_controls_ask() {
    let mut window = Window::new(1280.0, 1400.0);
    let fixture = Fixture::default();
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Mix").is_none());
    let mut fixture = with_mix();
    fixture.selected_node = Some(4);
    window.settle(&fixture);
    let warning = "Walk and Run both move hand_R rotation, and 1 more";
    assert!(window.find_text(&fixture, warning).is_some());
    for (words, wanted) in [
        ("Blend instead", MixCommand::SetMode(2, MixMode::Blend)),
        ("Back to one clip", MixCommand::EndMix),
        ("In step", MixCommand::SetInStep(true)),
        (
            "Only mixamorig:Spine and below",
            MixCommand::SetBelow(2, Some(4)),
        ),
        ("Add", MixCommand::SetMode(2, MixMode::Add)),
    ] {
        assert_eq!(window.click_text(&fixture, words), clips(&[wanted]));
    }
    assert!(window.find_text(&fixture, "its first frame").is_some());
    let words = "Each starts again when it has ended.";
    assert!(window.find_text(&fixture, words).is_some());
    fixture.mix.round_secs = Some(1.5);
    let words = "A round of all takes 1.50 s.";
    assert!(window.find_text(&fixture, words).is_some());
    fixture.mix.clips[0].below = Some(4);
    let words = "Only mixamorig:Spine and below";
    assert!(window.find_text(&fixture, words).is_some());
}

/// What a click on a way of mixing ends or begins must not move it from under the pointer.
#[test]
fn quarrels_move_no_card() {
    let mut fixture = with_mix();
    let mut window = Window::new(1280.0, 1400.0);
    window.settle(&fixture);
    let mut places = |fixture: &Fixture| {
        window.settle(fixture);
        ["Blend: Run", "Weight of Run", "Add: Survey"]
            .map(|name| window.find_named(fixture, name).expect(name))
    };
    let quarrelling = places(&fixture);
    fixture.mix.conflicts.clear();
    assert_eq!(places(&fixture), quarrelling);
}

#[test]
fn morph_weights_are_dragged_searched_and_released() {
    let mut window = Window::new(1280.0, 1400.0);
    let fixture = with_morphs(40);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "shape 30").is_none());
    let row = window.find_text(&fixture, "shape 2").unwrap();
    let figure = window.find_text(&fixture, "0.25").unwrap();
    // Halfway between the name and the figure is on the slider, right of a quarter.
    let target = egui::pos2(figure.left() - 20.0, row.center().y);
    let commands = window.click(&fixture, target);
    let [Command::Morphs(MorphCommand::Hold(2, value)), ..] = commands[..] else {
        panic!("{commands:?}");
    };
    assert!((0.5..=1.0).contains(&value), "{value}");
    assert_eq!(
        window.click_text(&fixture, "Release all (1)"),
        [Command::Morphs(MorphCommand::ReleaseAll)]
    );
    let field = window.find_text(&fixture, "Search morphs").unwrap();
    window.click(&fixture, field.center());
    window.event(egui::Event::Text("30".to_owned()));
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "shape 30").is_some());
    assert!(window.find_text(&fixture, "shape 2").is_none());
}

/// Neighbours may have one name, and targets of one name.
#[test]
fn morph_weights_are_told_apart_by_their_nodes() {
    let mut fixture = with_morphs(2);
    for (place, row) in fixture.morphs.rows.iter_mut().enumerate() {
        row.name = "smile".to_owned();
        row.node = 1 + place;
        row.node_name = format!("Face (node {})", 7 + place);
    }
    let mut window = Window::new(1280.0, 1400.0);
    window.settle(&fixture);
    for node in ["Face (node 7)", "Face (node 8)"] {
        assert!(window.find_text(&fixture, node).is_some(), "{node}");
        for name in [
            format!("smile of {node}"),
            format!("Value of smile of {node}"),
        ] {
            assert!(window.find_named(&fixture, &name).is_some(), "{name}");
        }
    }
}

/// Sliders that move nothing seem broken.
#[test]
fn a_crowd_does_not_heed_morph_weights_and_the_list_says_so() {
    let words = "In a crowd they go by the clips alone.";
    let mut fixture = with_morphs(3);
    let mut window = settled(&fixture);
    assert_eq!(window.find_text(&fixture, words), None);
    fixture.crowd = Some((3, 4));
    window.settle(&fixture);
    assert!(window.find_text(&fixture, words).is_some());
}

/// Typing takes a while, in which the clip moves the weight.
#[test]
fn a_typed_morph_weight_is_kept_while_a_clip_moves_it() {
    let mut fixture = with_morphs(3);
    let mut window = Window::new(1280.0, 1400.0);
    window.settle(&fixture);
    assert_eq!(window.click_named(&fixture, "Value of shape 2"), []);
    let moved = |fixture: &mut Fixture| fixture.morphs.values[2] += 0.01;
    for typed in ["0", ".", "7"] {
        moved(&mut fixture);
        window.event(egui::Event::Text(typed.to_owned()));
        assert_eq!(window.frame(&fixture), []);
    }
    moved(&mut fixture);
    let mut commands = window.key(&fixture, Key::Enter);
    moved(&mut fixture);
    commands.extend(window.frame(&fixture));
    assert_eq!(commands, [Command::Morphs(MorphCommand::Hold(2, 0.7))]);
    assert!(window.find_text(&fixture, "0.30").is_some(), "the clip's");
}

#[test]
fn every_control_has_a_name() {
    let mut fixture = with_mix();
    fixture.morphs = with_morphs(3).morphs;
    fixture.mix.borrowed.push(walks());
    let mut window = Window::new(1280.0, 1400.0);
    window.ctx.enable_accesskit();
    window.settle(&fixture);
    let (_, output) = window.draw(&fixture);
    let tree = output.platform_output.accesskit_update.unwrap();
    let names: Vec<_> = tree
        .nodes
        .iter()
        .filter_map(|(_, node)| node.label().map(str::to_owned))
        .collect();
    for name in [
        "Weight of Run",
        "Take Run out of the mix",
        "Take the clips of walks.glb out",
        "Blend: Run",
        "Reference pose of Survey",
        "shape 2",
        "Value of shape 2",
        "Release shape 1",
        "Walk, 0.71 s",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
}

#[test]
fn clips_of_other_files_stand_below_the_files_name() {
    let mut fixture = Fixture::default();
    fixture.mix.borrowed.push(walks());
    let mut window = settled(&fixture);
    let [above, file, below] = ["Walk", "walks.glb", "Run"]
        .map(|words| window.find_text(&fixture, words).unwrap().center().y);
    assert!(above < file && file < below);
    assert_eq!(
        window.click_text(&fixture, "Retarget"),
        [Command::Borrowed(BorrowedCommand::SetRetarget(0, false))]
    );
    let switch = window.find_text(&fixture, "Retarget").unwrap();
    let out = window.click(&fixture, switch.right_center() + vec2(30.0, 0.0));
    let taken_out = [Command::Borrowed(BorrowedCommand::TakeOut(0))];
    assert_eq!(out, taken_out);
    let asked = [Command::Window(WindowCommand::OpenDialog(LoadKind::Clips))];
    assert_eq!(window.click_text(&fixture, "Add clips from files…"), asked);
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL | Modifiers::SHIFT;
    assert_eq!(window.key(&fixture, Key::O), asked);
}
