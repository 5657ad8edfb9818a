//! The skeleton: its menu, its keys, names in the picture, the joint under the pointer.

use egui::{Key, Modifiers};
use rigscope::scene::{BoneShape, ControlJoints, JointChoice, ReferencePose, SkeletonSettings};
use rigscope::ui::{Command, InfluenceRow, JointLabel, PictureCommand, SkeletonCommand};

use crate::echo::{mixed, said};
use crate::fixture::{Fixture, Window, settled};

fn set(change: impl FnOnce(&mut SkeletonSettings)) -> Command {
    let mut settings = SkeletonSettings::default();
    change(&mut settings);
    Command::Skeleton(SkeletonCommand::Set(settings))
}

#[test]
fn each_key_changes_its_setting() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let no_modifiers = Modifiers::NONE;
    for (modifiers, key, expected) in [
        (no_modifiers, Key::Y, set(|it| it.names = JointChoice::All)),
        (
            Modifiers::SHIFT,
            Key::Y,
            set(|it| it.axes = JointChoice::Chosen),
        ),
        (Modifiers::SHIFT, Key::B, set(|it| it.x_ray = false)),
        (Modifiers::COMMAND, Key::B, set(|it| it.end_joints = false)),
        (
            no_modifiers,
            Key::B,
            Command::Picture(PictureCommand::ToggleSkeleton),
        ),
        (no_modifiers, Key::W, set(|it| it.trail = true)),
        (Modifiers::SHIFT, Key::W, set(|it| it.onion_skins = true)),
        (
            Modifiers::SHIFT,
            Key::P,
            Command::Skeleton(SkeletonCommand::ToggleHeld),
        ),
    ] {
        window.modifiers = modifiers;
        assert_eq!(
            window.key(&fixture, key),
            [expected],
            "{modifiers:?} {key:?}"
        );
    }
}

#[test]
fn keys_ask_nothing_of_a_file_without_joints() {
    let mut fixture = Fixture::default();
    fixture.shown.has_skeleton = false;
    let mut window = settled(&fixture);
    assert_eq!(window.key(&fixture, Key::Y), []);
    // Trails are of nodes.
    assert_eq!(window.key(&fixture, Key::W), [set(|it| it.trail = true)]);
}

#[test]
fn the_menu_sets_shape_names_and_axes() {
    let fixture = Fixture::default();
    for (words, expected) in [
        ("Sticks", set(|it| it.shape = BoneShape::Sticks)),
        ("Joints only", set(|it| it.shape = BoneShape::Joints)),
        ("X-ray", set(|it| it.x_ray = false)),
        ("End joints", set(|it| it.end_joints = false)),
        ("Hidden", set(|it| it.controls = ControlJoints::Hidden)),
        ("Skeleton", Command::Picture(PictureCommand::ToggleSkeleton)),
        ("Motion trail (select a node)", set(|it| it.trail = true)),
        ("Onion skins", set(|it| it.onion_skins = true)),
        (
            "Bind",
            Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Bind))),
        ),
    ] {
        let mut window = settled(&fixture);
        window.click_text(&fixture, "Bones");
        for _ in 0..4 {
            window.frame(&fixture);
        }
        let commands = window.click_text(&fixture, words);
        assert_eq!(commands, [expected], "{words}");
    }
}

#[test]
fn weights_of_what_is_no_joint_are_said_to_be_none() {
    let mut fixture = Fixture {
        view_mode: rigscope::scene::ViewMode::Weights,
        ..Fixture::default()
    };
    const PROMPT: &str = "Click the model, or a joint in the list";
    for (node, words) in [
        (None, PROMPT.to_owned()),
        (Some(1), format!("fox is no joint of the mesh. {PROMPT}")),
        (
            Some(2),
            format!("Armature is no joint of the mesh. {PROMPT}"),
        ),
    ] {
        fixture.selected_node = node;
        let mut window = settled(&fixture);
        assert!(window.find_text(&fixture, &words).is_some(), "{node:?}");
    }
    // A joint is; so is what moves by its own node.
    for node in [4, 9] {
        fixture.selected_node = Some(node);
        let mut window = settled(&fixture);
        let viewport = window.part("viewport");
        let texts = window.texts_in(&fixture, viewport);
        let name = &fixture.nodes[node].name;
        assert!(texts.iter().any(|(words, _)| words == name), "{texts:?}");
        assert!(texts.iter().all(|(words, _)| !words.contains("no joint")));
    }
}

#[test]
fn trails_are_kept_by_menu_and_key() {
    let keep = |node| Command::Skeleton(SkeletonCommand::KeepTrail(node));
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.modifiers = Modifiers::COMMAND;
    assert_eq!(window.key(&fixture, Key::W), [], "of which node?");
    fixture.selected_node = Some(8);
    assert_eq!(window.key(&fixture, Key::W), [keep(8)]);
    window.modifiers = Modifiers::NONE;
    fixture.trails = vec![3, 4];
    window.settle(&fixture);
    window.click_text(&fixture, "Bones");
    for _ in 0..4 {
        window.frame(&fixture);
    }
    let box_ = "Keep that of mixamorig:Head";
    assert_eq!(window.click_named(&fixture, box_), [keep(8)]);
    assert!(window.find_text(&fixture, "2 trails kept").is_some());
    let forget = Command::Skeleton(SkeletonCommand::ForgetTrails);
    let name = "Release all trails that are kept";
    assert_eq!(window.click_named(&fixture, name), [forget]);
}

/// A message is wide: what is noted in the corner of a narrow picture lies below it.
#[test]
fn a_message_hides_no_note() {
    let mut fixture = Fixture::default().with_message();
    fixture.skeleton.trail = true;
    fixture.selected_node = None;
    for size in [(1280.0, 800.0), (800.0, 500.0)] {
        let mut window = Window::new(size.0, size.1);
        window.settle(&fixture);
        let note = window.find_text(&fixture, "Motion trail: select a node");
        let (note, message) = (note.unwrap(), window.part("message"));
        assert!(!note.intersects(message), "{note:?} {message:?}");
    }
}

/// No node helps where trails are not drawn, and what is off need not say so.
#[test]
fn what_draws_motion_says_that_it_does_not_in_a_mix() {
    let mut fixture = Fixture {
        selected_node: None,
        ..Fixture::default()
    };
    let hint = "Motion trail: select a node";
    for (is_mix, is_on, words) in [
        (
            false,
            true,
            ["Motion trail on: select a node", "Onion skins on"],
        ),
        (false, false, ["Motion trail off", "Onion skins off"]),
        (
            true,
            true,
            [
                "Motion trail on, but not in a mix",
                "Onion skins on, but not in a mix",
            ],
        ),
        (true, false, ["Motion trail off", "Onion skins off"]),
    ] {
        fixture.mix.clips = if is_mix { mixed(0) } else { Vec::new() };
        fixture.skeleton.trail = is_on;
        fixture.skeleton.onion_skins = is_on;
        let found = [false, true].map(|shift| said(&fixture, shift, Key::W));
        assert_eq!(found, words.map(|it| [it]), "{is_mix} {is_on}");
        let is_hinted = settled(&fixture).find_text(&fixture, hint).is_some();
        assert_eq!(is_hinted, is_on && !is_mix, "{is_mix} {is_on}");
    }
}

#[test]
fn the_t_pose_is_offered_or_refused_in_words() {
    let open = |fixture: &Fixture| {
        let mut window = settled(fixture);
        window.click_text(fixture, "Bones");
        for _ in 0..4 {
            window.frame(fixture);
        }
        window
    };
    let mut fixture = Fixture::default();
    let tee = Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Tee)));
    let commands = open(&fixture).click_named(&fixture, "Pose: T");
    assert_eq!(commands, [tee]);
    fixture.why_no_t_pose = Some("The body does not stand upright");
    let mut window = open(&fixture);
    let name = "Pose: T (The body does not stand upright)";
    assert!(window.accessible(&fixture, name).expect(name).is_disabled());
    assert_eq!(window.click_named(&fixture, name), []);
}

fn label(node: usize, at: [f32; 2]) -> JointLabel {
    JointLabel {
        node,
        at,
        rank: 1.0,
        is_chosen: false,
        is_hovered: false,
    }
}

#[test]
fn names_stand_beside_their_joints() {
    let fixture = Fixture {
        labels: vec![label(3, [0.0, 0.0]), label(8, [0.5, 0.5])],
        ..Fixture::default()
    };
    let mut window = Window::new(1280.0, 800.0);
    window.settle(&fixture);
    let viewport = window.part("viewport");
    // The name space that all joints share is left out.
    let hips = window.find_text(&fixture, "Hips").expect("a name");
    assert!((hips.center().y - viewport.center().y).abs() < 3.0);
    let gap = hips.left() - viewport.center().x;
    assert!((4.0..24.0).contains(&gap), "{gap}");
    let head = window.find_text(&fixture, "Head").expect("a name");
    assert!(head.center().y < hips.center().y && head.left() > hips.left());
}

#[test]
fn the_pointer_over_the_picture_asks_for_the_joint_under_it() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    window.move_to(viewport.center());
    window.frame(&fixture);
    window.frame(&fixture);
    assert_eq!(window.hovers, [Some([0.0, 0.0])]);
    // Nobody asks while the skeleton is hidden.
    fixture.shown.skeleton = false;
    window.frame(&fixture);
    assert_eq!(window.hovers, []);
    // What was under it until then is so no more.
    fixture.hovered_joint = Some(4);
    window.frame(&fixture);
    assert_eq!(window.hovers, [None]);
    fixture.hovered_joint = None;
    fixture.shown.skeleton = true;
    // Once the pointer has left, that is said until it is known.
    window.move_to(egui::pos2(5.0, 5.0));
    window.frame(&fixture);
    window.frame(&fixture);
    assert_eq!(window.hovers, []);
    fixture.hovered_joint = Some(4);
    window.frame(&fixture);
    assert_eq!(window.hovers, [None]);
}

#[test]
fn a_held_pose_is_said_and_given_back_by_a_click() {
    let fixture = Fixture {
        held: Some(ReferencePose::Bind),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    assert!(window.find_text(&fixture, "Bind pose").is_some());
    let back = window.click_text(&fixture, "Back to the clip");
    assert_eq!(back, [Command::Skeleton(SkeletonCommand::Hold(None))]);
    let mut window = settled(&Fixture::default());
    assert!(window.find_text(&Fixture::default(), "Bind pose").is_none());
}

#[test]
fn the_card_beside_the_pointer_lists_what_moves_the_vertex() {
    let row = |node, weight| InfluenceRow {
        node,
        weight,
        color: Some([0.5; 3]),
    };
    let fixture = Fixture {
        influences: Some(vec![row(12, 0.75), row(11, 0.25)]),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    assert!(
        window.find_text(&fixture, "0.750").is_none(),
        "no pointer over the picture"
    );
    let viewport = window.part("viewport");
    for pointer in [
        viewport.center(),
        viewport.right_bottom() - egui::vec2(20.0, 70.0),
    ] {
        window.move_to(pointer);
        window.frame(&fixture);
        let strong = window.find_text(&fixture, "0.750").expect("a weight");
        let weak = window.find_text(&fixture, "0.250").expect("a weight");
        assert!(strong.top() < weak.top() && viewport.contains_rect(strong.union(weak)));
        assert!(strong.expand(8.0).distance_to_pos(pointer) > 4.0);
        let name = window
            .find_text(&fixture, "mixamorig:LeftForeArm")
            .expect("a name");
        assert!((name.center().y - strong.center().y).abs() < 3.0);
    }
}

/// A helmet without a skin is moved by the joint that it hangs on.
#[test]
fn the_card_names_the_joint_that_moves_a_whole_mesh() {
    let mut fixture = Fixture {
        influences: Some(Vec::new()),
        moved_by: Some(8),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    window.move_to(window.part("viewport").center());
    window.frame(&fixture);
    let words = window.find_text(&fixture, "Moved as a whole by");
    let card = words.expect("a card").expand(40.0);
    let texts = window.texts_in(&fixture, card).into_iter();
    let name = |(words, _): &(String, egui::Rect)| words == "mixamorig:Head";
    assert_eq!(texts.filter(name).count(), 1);
    fixture.moved_by = None;
    assert!(window.find_text(&fixture, "No joint moves it").is_some());
}
