//! The inspector: what it shows of what is chosen, and what a click on it asks for.

use rigscope::ui::{
    ChannelRow, Command, Details, Fact, GoTo, InspectCommand, NoteText, Part, Picture,
};

use crate::fixture::{Fixture, Window, settled};

fn part(name: &str, facts: Vec<Fact>) -> Part {
    Part {
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

fn fixture() -> Fixture {
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
