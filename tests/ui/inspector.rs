//! The inspector: what it shows of what is chosen, and what a click on it asks for.

use rigscope::anim::PosingPart;
use rigscope::ui::{
    ChannelRow, Command, Details, DragCommand, Fact, FactSection, FrameCost, GoTo, InspectCommand,
    NoteText, Picture, PosingCommand,
};

use crate::fixture::{Fixture, Window, settled};

fn part(name: &str, facts: Vec<Fact>) -> FactSection {
    FactSection {
        name: name.to_owned(),
        facts,
    }
}

/// A mesh node with all that may be said of it.
pub fn details() -> Details {
    let picture = |texture: usize| Picture {
        texture,
        size: [8, 8],
        pixels: [200, 90, 40, 160].repeat(64),
    };
    Details {
        file: None,
        node: Some(part(
            "fox",
            vec![
                Fact::new("Kind", "skinned mesh"),
                Fact::new("Parent", "Scene root").goes_to(GoTo::Node(0)),
            ],
        )),
        mesh: Some(part(
            "fox_mesh",
            vec![Fact::new("Primitives", "2"), Fact::new("Vertices", "1 728")],
        )),
        skin: Some(part(
            "rig",
            vec![Fact::new("Joints without weight", "3").hint("tail\near\nbag")],
        )),
        materials: vec![(0, "fur".to_owned()), (4, "eyes".to_owned())],
        material: Some((
            0,
            part(
                "fur",
                vec![
                    Fact::new("Base colour", "1.00 0.50 0.20").swatch([1.0, 0.5, 0.2, 1.0]),
                    Fact::new("Base colour map", "fur.png").goes_to(GoTo::Texture(2)),
                    Fact::new("Normal map", "fur_n.png").goes_to(GoTo::Texture(3)),
                ],
            ),
        )),
        texture: Some((2, part("fur.png", vec![Fact::new("Size", "8 × 8 pixels")]))),
        channels: Some(vec![ChannelRow {
            path: "rotation".to_owned(),
            pointer: None,
            interpolation: "LINEAR",
            keys: 18,
            secs: [0.0, 1.5],
        }]),
        notes: vec![NoteText {
            title: "Extras of the mesh".to_owned(),
            text: "{\n  \"artist\": \"somebody\"\n}".to_owned(),
        }],
        pictures: vec![picture(2), picture(3)],
        large: None,
        generation: 1,
    }
}

/// A node of a mesh is selected.
pub fn fixture() -> Fixture {
    Fixture {
        details: details(),
        selected_node: Some(1),
        ..Fixture::default()
    }
}

/// High enough for all sections.
fn window(fixture: &Fixture) -> Window {
    let mut window = Window::new(1280.0, 2200.0);
    window.settle(fixture);
    window
}

#[test]
fn sections_follow_what_is_chosen() {
    let fixture = fixture();
    let mut window = window(&fixture);
    for name in [
        "Kind: skinned mesh",
        "Vertices: 1 728",
        "Joints without weight: 3",
        "Base colour: 1.00 0.50 0.20",
        "Size: 8 × 8 pixels",
        "rotation: 18 keys · LINEAR",
        "Copy: Extras of the mesh",
    ] {
        assert!(window.find_named(&fixture, name).is_some(), "{name}");
    }
    let nothing = Fixture::default();
    window.settle(&nothing);
    for name in ["Mesh", "Skin", "Material", "Texture", "Extras", "Channels"] {
        assert!(window.find_named(&nothing, name).is_none(), "{name}");
    }
    assert!(window.find_named(&nothing, "Statistics").is_some());
}

#[test]
fn lines_lead_to_what_they_name() {
    let fixture = fixture();
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "Parent: Scene root"),
        [Command::SelectNode(Some(0))]
    );
    assert_eq!(
        window.click_named(&fixture, "Normal map: fur_n.png"),
        [Command::Inspect(InspectCommand::Texture(3))]
    );
    assert_eq!(window.click_named(&fixture, "Material: fur"), []);
    assert_eq!(
        window.click_named(&fixture, "eyes"),
        [Command::Inspect(InspectCommand::Material(4))]
    );
}

/// What is copied by a click on the thing of this name.
pub fn copied(window: &mut Window, fixture: &Fixture, name: &str) -> String {
    let place = window.find_named(fixture, name).expect(name).center();
    window.move_to(place);
    window.frame(fixture);
    let mut copied = String::new();
    for pressed in [true, false] {
        window.button(place, egui::PointerButton::Primary, pressed);
        for command in window.draw(fixture).1.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                copied = text;
            }
        }
    }
    copied
}

#[test]
fn a_long_list_goes_on_in_further_lines() {
    let all = "POSITION · NORMAL · TANGENT · TEXCOORD_0 · TEXCOORD_1 · JOINTS and WEIGHTS × 8";
    let mut fixture = fixture();
    let mesh = fixture.details.mesh.as_mut().unwrap();
    mesh.facts.insert(0, Fact::new("Attributes", all).wrapped());
    let mut window = Window::new(1280.0, 1600.0);
    window.settle(&fixture);
    let value = window.find_text(&fixture, all).expect("all of it");
    let name = window.find_text(&fixture, "Attributes").unwrap();
    let next = window.find_text(&fixture, "Primitives").unwrap();
    assert!(value.height() > 1.5 * name.height(), "{value} {name}");
    assert!(value.left() > name.right() + 4.0, "{value} {name}");
    assert!(value.right() < 1280.0 && value.bottom() < next.top() + 1.0);
    assert!((value.top() - name.top()).abs() < 3.0, "{value} {name}");
}

#[test]
fn figures_are_local_or_in_the_world_and_can_be_copied() {
    let mut fixture = fixture();
    let mut window = window(&fixture);
    for name in [
        "Translation: 0.0000  −12.346  1234.5",
        "Rotation: 0.00°  45.00°  0.00°",
        "Scale: 1.0000  1.0000  1.0000",
        "World position: 0.0000  87.250  0.5000",
    ] {
        assert!(window.find_named(&fixture, name).is_some(), "{name}");
    }
    let switch = Command::Inspect(InspectCommand::SwitchSpace);
    let world = window.click_named(&fixture, "Figures: World");
    assert_eq!(world, std::slice::from_ref(&switch));
    assert_eq!(window.click_named(&fixture, "Figures: Local"), []);
    window.modifiers = egui::Modifiers::COMMAND | egui::Modifiers::CTRL;
    assert_eq!(window.key(&fixture, egui::Key::I), [switch]);
    window.modifiers = egui::Modifiers::NONE;
    let text = copied(&mut window, &fixture, "Rotation: 0.00°  45.00°  0.00°");
    assert_eq!(text, "0.00 45.00 0.00");
    let before = window.find_named(&fixture, "Mesh");

    fixture.shown.world_figures = true;
    fixture.is_sheared = true;
    window.settle(&fixture);
    for name in [
        "Translation: 0.0000  87.250  0.5000",
        "Rotation: 0.00°  0.00°  90.00°",
        "Quaternion: 0.0000  0.0000  0.7071  0.7071",
        "Scale (skewed besides, by a parent's): 2.0000  2.0000  2.0000",
        "Local translation: 0.0000  −12.346  1234.5",
    ] {
        assert!(window.find_named(&fixture, name).is_some(), "{name}");
    }
    assert_eq!(window.find_named(&fixture, "Mesh"), before, "nothing moves");
    let all = copied(&mut window, &fixture, "Copy the figures as text");
    let lines: Vec<_> = all.lines().collect();
    assert_eq!(lines.len(), 4, "{all}");
    assert_eq!(lines[0], "world translation -0.00001 87.25 0.5");
    assert_eq!(lines[3], "world scale 2 2 2");
}

/// What panels ask of the pose.
fn of_poses(commands: Vec<Command>) -> Vec<PosingCommand> {
    let posing = commands.into_iter().filter_map(|command| match command {
        Command::Posing(command) => Some(command),
        _ => None,
    });
    posing.collect()
}

#[test]
fn local_figures_are_typed_and_dragged() {
    let mut fixture = fixture();
    fixture.posing.takes_numbers = true;
    let mut window = window(&fixture);
    let place = window.find_named(&fixture, "Rotation Y").unwrap().center();
    assert_eq!(of_poses(window.click(&fixture, place)), []);
    window.event(egui::Event::Text("-12.5".to_owned()));
    // A clip that plays meanwhile changes the number, and not what is typed.
    fixture.rotation_degrees[1] = 46.0;
    assert_eq!(of_poses(window.frame(&fixture)), []);
    let asked = of_poses(window.key(&fixture, egui::Key::Enter));
    let turned = PosingCommand::Drag(DragCommand::Place(PosingPart::Rotation, 1, -12.5));
    assert_eq!(asked, [turned]);
    // Who only looks asks for nothing, however many digits are not seen.
    let place = window
        .find_named(&fixture, "Translation Y")
        .unwrap()
        .center();
    let mut asked = of_poses(window.click(&fixture, place));
    asked.extend(of_poses(window.key(&fixture, egui::Key::Enter)));
    assert_eq!(asked, []);

    let place = window.find_named(&fixture, "Scale Z").unwrap().center();
    window.move_to(place);
    window.frame(&fixture);
    let mut asked = Vec::new();
    window.button(place, egui::PointerButton::Primary, true);
    asked.extend(of_poses(window.frame(&fixture)));
    for step in 1..=4 {
        window.move_to(place + egui::vec2(5.0 * step as f32, 0.0));
        asked.extend(of_poses(window.frame(&fixture)));
    }
    window.button(
        place + egui::vec2(20.0, 0.0),
        egui::PointerButton::Primary,
        false,
    );
    asked.extend(of_poses(window.frame(&fixture)));
    assert_eq!(asked.first(), Some(&PosingCommand::BeginDrag));
    assert_eq!(asked.last(), Some(&PosingCommand::EndDrag));
    let last = asked[asked.len() - 2];
    let PosingCommand::Drag(DragCommand::Place(PosingPart::Scale, 2, scale)) = last else {
        panic!("{last:?}");
    };
    assert!((1.05..1.15).contains(&scale), "{scale}");

    // In the world they are read, and copied.
    fixture.shown.world_figures = true;
    window.settle(&fixture);
    assert!(window.find_named(&fixture, "Rotation Y").is_none());
}

#[test]
fn what_frames_cost_is_drawn_and_said() {
    let cost = |place: usize| FrameCost {
        pose: 0.5,
        interface: 1.5,
        drawing: if place == 100 { 5.0 } else { 1.0 },
        gpu: None,
    };
    let mut fixture = Fixture::default();
    let mut window = window(&fixture);
    let figure = window.find_named(&fixture, "Pose: 0.00 ms");
    assert!(figure.is_some(), "nothing was drawn yet");
    fixture.costs = (0..300).map(cost).collect();
    let words = "Processor time of the last 120 frames: 3.0 ms in the mean, 3.0 ms at most";
    assert!(window.find_named(&fixture, words).is_some());
    assert!(window.find_named(&fixture, "GPU: 2.50 ms").is_none());
    fixture.costs = (0..110).map(cost).collect();
    let words = "Processor time of the last 110 frames: 3.0 ms in the mean, 7.0 ms at most";
    assert!(window.find_named(&fixture, words).is_some());
    for cost in &mut fixture.costs {
        cost.gpu = Some(2.5);
    }
    for line in [
        words,
        "GPU time of the last 110 frames: 2.5 ms in the mean, 2.5 ms at most",
        "Pose: 0.50 ms",
        "Interface: 1.50 ms",
        "Drawing: 1.00 ms",
        "GPU: 2.50 ms",
    ] {
        assert!(window.find_named(&fixture, line).is_some(), "{line}");
    }
}

#[test]
fn folded_sections_stay_folded_for_other_nodes() {
    let mut fixture = fixture();
    let mut window = window(&fixture);
    assert_eq!(window.click_named(&fixture, "Mesh"), []);
    assert!(window.find_named(&fixture, "Vertices: 1 728").is_none());
    fixture.selected_node = Some(9);
    fixture.details.generation = 2;
    window.settle(&fixture);
    assert!(window.find_named(&fixture, "Vertices: 1 728").is_none());
    window.click_named(&fixture, "Mesh");
    assert!(window.find_named(&fixture, "Vertices: 1 728").is_some());
}

#[test]
fn a_click_enlarges_the_picture_and_another_puts_it_away() {
    let mut fixture = fixture();
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "Enlarge the picture of fur.png"),
        [Command::Inspect(InspectCommand::Enlarge(true))]
    );
    let large = fixture.details.pictures[0].clone();
    fixture.details.large = Some(large);
    fixture.details.generation = 2;
    window.settle(&fixture);
    assert_eq!(
        window.click_named(&fixture, "Close the picture"),
        [Command::Inspect(InspectCommand::Enlarge(false))]
    );
    let commands = window.key(&fixture, egui::Key::Escape);
    assert_eq!(commands, [Command::CloseFront]);
}

#[test]
fn a_large_picture_is_put_away_without_the_inspector() {
    let mut fixture = fixture();
    fixture.details.large = Some(fixture.details.pictures[0].clone());
    let mut window = window(&fixture);
    assert!(window.find_named(&fixture, "Close the picture").is_some());
    fixture.shown.inspector_panel = false;
    fixture.details.large = None;
    fixture.details.generation += 1;
    window.settle(&fixture);
    assert!(window.find_named(&fixture, "Close the picture").is_none());
}

/// As after the device was lost: what was uploaded is gone with the old one.
#[test]
fn a_new_context_is_given_all_pictures_anew() {
    let fixture = fixture();
    let mut window = window(&fixture);
    window.textures.clear();
    window.ctx = egui::Context::default();
    window.settle(&fixture);
    let known = window.ctx.tex_manager().read().allocated().count();
    // Besides the font's.
    assert_eq!(known, 1 + fixture.details.pictures.len());
}

#[test]
fn five_hundred_materials_cost_what_is_seen_of_them() {
    let mut fixture = fixture();
    fixture.details.materials = (0..500)
        .map(|index| (index, format!("material {index}")))
        .collect();
    let mut window = settled(&fixture);
    window.settle(&fixture);
    let before = window.shape_count(&fixture);
    window.click_named(&fixture, "Material: material 0");
    let open = window.shape_count(&fixture);
    assert!(open > before, "the list is open");
    assert!(open < before + 80, "{before} shapes became {open}");
}

#[test]
fn a_crowd_has_figures() {
    let mut fixture = Fixture {
        crowd: Some((2_000, 10_000)),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    let culled = "Culled: 8\u{2009}000";
    for figure in [
        "In sight: 2\u{2009}000 of 10\u{2009}000",
        culled,
        // 12.4 µs for 2000 with 42 matrices each.
        "Pose of a joint: 0.1 ns",
    ] {
        assert!(window.find_named(&fixture, figure).is_some(), "{figure}");
    }
    fixture.crowd = None;
    window.settle(&fixture);
    assert!(window.find_named(&fixture, culled).is_none());
}

/// What does not fit beside its name stands below it.
#[test]
fn figures_do_not_lie_over_their_names() {
    let fixture = Fixture {
        size: [0.4, 1.6, 0.3],
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    for (name, figure) in [
        ("Size of own pose", "0.4000 × 1.6000 × 0.3000"),
        ("Triangles", "1\u{2009}234\u{2009}567"),
    ] {
        let [name, figure] = [name, figure].map(|words| {
            let rect = window.find_text(&fixture, words);
            rect.unwrap_or_else(|| panic!("no {words}"))
        });
        assert!(!name.expand(2.0).intersects(figure), "{name} {figure}");
    }
}

#[test]
fn a_tree_that_is_hidden_is_not_spoken_of() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let words = "Select a node in the tree";
    assert!(window.find_text(&fixture, words).is_some());
    fixture.shown.scene_panel = false;
    window.settle(&fixture);
    assert!(window.find_text(&fixture, words).is_none());
    assert!(window.find_text(&fixture, "Select a node").is_some());
}
