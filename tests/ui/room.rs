//! Windows of all sizes, and interfaces of all scales: nothing lies over anything else, and nothing is out of reach.

use egui::accesskit::{Action, Node};
use egui::{Rect, pos2, vec2};
use rigscope::model::Keyed as _;
use rigscope::scene::ViewMode;
use rigscope::ui::{Command, Panel, PictureCommand, PoseTool, SheetKind};

use crate::fixture::{Fixture, Window, settled};

/// What can be pressed or moved, by name.
pub fn controls(window: &mut Window, fixture: &Fixture) -> Vec<(String, Rect)> {
    window.ctx.enable_accesskit();
    window.settle(fixture);
    let (_, output) = window.draw(fixture);
    let nodes = output
        .platform_output
        .accesskit_update
        .expect("enabled")
        .nodes;
    let scale = window.ctx.pixels_per_point();
    let place = |node: &Node| {
        let bounds = node.bounds()?;
        let corner = |x: f64, y: f64| pos2(x as f32, y as f32) / scale;
        Some(Rect::from_min_max(
            corner(bounds.x0, bounds.y0),
            corner(bounds.x1, bounds.y1),
        ))
    };
    // The picture reaches below the edges that panels are drawn by.
    let is_control = |node: &&Node| {
        let is_edge = matches!(node.label(), Some("Model" | "Resize panel"));
        node.supports_action(Action::Click) && !is_edge
    };
    let named = nodes.iter().map(|(_, node)| node).filter(is_control);
    let named = named.filter_map(|node| Some((node.label()?.to_owned(), place(node)?)));
    named.collect()
}

/// How far apart controls are at least: less looks like an accident.
const MIN_GAP: f32 = 0.9;

/// Controls that lie over one another or leave the window.
fn faults(window: &mut Window, fixture: &Fixture) -> Vec<String> {
    let controls = controls(window, fixture);
    assert!(controls.len() > 5, "{controls:?}");
    let whole = Rect::from_min_size(egui::Pos2::ZERO, window.size);
    let mut faults = Vec::new();
    for (place, (name, rect)) in controls.iter().enumerate() {
        if !whole.contains_rect(rect.shrink(1.0)) {
            faults.push(format!("{name} leaves the window: {rect:?}"));
        }
        for (other, over) in &controls[place + 1..] {
            let is_within = rect.contains_rect(*over) || over.contains_rect(*rect);
            if rect
                .expand(MIN_GAP / 2.0)
                .intersects(over.expand(MIN_GAP / 2.0))
                && !is_within
            {
                faults.push(format!("{name} {rect:?} lies over {other} {over:?}"));
            }
        }
    }
    faults
}

/// Of bars and menus, since lists scroll: without panels.
fn bare() -> Fixture {
    let mut fixture = Fixture::default();
    fixture.shown.scene_panel = false;
    fixture.shown.inspector_panel = false;
    fixture
}

#[test]
fn bars_and_menus_have_room_in_windows_of_all_sizes() {
    let mut sheet = bare();
    sheet.sheet = Some(SheetKind::Dope);
    let mut posing = bare();
    posing.posing.tool = PoseTool::Reach;
    posing.posing.changed = 12;
    let mut long = bare();
    long.playback.duration_secs = 754.25;
    long.playback.time_secs = 333.333;
    long.playback.speed = -3.75;
    long.playback.frames_per_sec = 29.97;
    let states = [
        ("plain", bare()),
        ("sheet", sheet),
        ("posing", posing),
        ("long", long),
    ];
    let mut found = Vec::new();
    for (state, fixture) in &states {
        for width in (320..1400).step_by(18) {
            for height in [288.0, 360.0, 500.0, 720.0] {
                let mut window = Window::new(width as f32, height);
                let faults = faults(&mut window, fixture);
                let faults = faults.into_iter();
                found.extend(faults.map(|it| format!("{state}, {width} × {height}: {it}")));
            }
        }
    }
    assert!(
        found.is_empty(),
        "{} faults:\n{}",
        found.len(),
        found[..found.len().min(30)].join("\n")
    );
}

#[test]
fn legends_leave_the_other_menus_alone() {
    let mut found = Vec::new();
    for &mode in ViewMode::ALL {
        let mut fixture = bare();
        fixture.view_mode = mode;
        fixture.selected_node = Some(1);
        fixture.without = 2;
        for width in [282.0, 330.0, 400.0, 430.0, 500.0, 640.0, 1000.0] {
            let mut window = Window::new(width, 500.0);
            let faults = faults(&mut window, &fixture);
            found.extend(
                faults
                    .into_iter()
                    .map(|it| format!("{mode:?}, {width}: {it}")),
            );
            let [view, light, camera] = ["view", "light", "camera"].map(|name| window.part(name));
            let names = window.texts_in(&fixture, window.part("viewport"));
            for (words, rect) in names {
                for menu in [view, light, camera] {
                    let covers = rect.intersects(menu) && !menu.expand(1.0).contains_rect(rect);
                    if covers {
                        found.push(format!(
                            "{mode:?}, {width}: \"{words}\" {rect:?} lies over {menu:?}"
                        ));
                    }
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "{} faults:\n{}",
        found.len(),
        found[..found.len().min(30)].join("\n")
    );
}

/// What lies in a corner is as wide as it needs, be it less that lay there before.
#[test]
fn buttons_that_come_back_are_in_one_line() {
    let fixture = bare();
    let high = vec2(380.0, 500.0);
    let mut fresh = Window::new(high.x, high.y);
    fresh.settle(&fixture);
    let expected = ["camera", "light"].map(|name| fresh.part(name));
    for height in (180..340).step_by(8) {
        let mut window = Window::new(high.x, height as f32);
        window.settle(&fixture);
        window.size = high;
        window.settle(&fixture);
        let found = ["camera", "light"].map(|name| window.part(name));
        assert_eq!(found, expected, "after a height of {height}");
    }
}

/// As in a window of 1280 × 800 at twice the size.
#[test]
fn camera_and_light_are_side_by_side_where_they_have_room() {
    for (width, is_beside) in [(356.0, true), (280.0, false)] {
        let fixture = bare();
        let mut window = Window::new(width, 500.0);
        window.settle(&fixture);
        let [camera, light] = ["camera", "light"].map(|name| window.part(name));
        assert_eq!(camera.top() == light.top(), is_beside, "{width}");
        let pose = window.find_named(&fixture, "Pose").expect("a button");
        assert!(pose.right() + 8.0 < camera.left(), "{pose} {camera}");
        if !is_beside {
            let apart = (camera.width() - light.width()).abs();
            assert!(apart < 1.0, "{camera} {light}");
        }
    }
}

#[test]
fn the_hint_is_just_above_camera_and_light() {
    let fixture = Fixture {
        can_drop: true,
        ..bare()
    };
    for width in [356.0, 280.0] {
        let mut window = Window::new(width, 500.0);
        window.settle(&fixture);
        let hint = "Drop a model here   ·   ?: all keys";
        let hint = window.find_text(&fixture, hint).expect("a hint");
        let gap = window.part("camera").top() - hint.bottom();
        assert!((0.0..36.0).contains(&gap), "{width}: {gap}");
    }
}

/// A window of 1280 × 720 whose interface is two and a half times as large has this many points.
const AT_250_PERCENT: [f32; 2] = [512.0, 288.0];

#[test]
fn at_two_and_a_half_times_the_size_panels_and_sheet_can_be_had() {
    let [width, height] = AT_250_PERCENT;
    let fixture = Fixture::default();
    let mut window = Window::new(width, height);
    window.settle(&fixture);
    assert!(
        window.find_text(&fixture, "Walk").is_some(),
        "the list of clips"
    );
    assert!(window.part("viewport").width() >= 270.0);
    // The other panel comes in its place.
    assert_eq!(window.click_named(&fixture, "Inspector"), []);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Walk").is_none());
    assert!(
        window.find_text(&fixture, "Node").is_some(),
        "the inspector"
    );
    let commands = window.click_named(&fixture, "Inspector");
    assert_eq!(commands, [Command::TogglePanel(Panel::Inspector)]);

    let mut fixture = bare();
    fixture.sheet = Some(SheetKind::Dope);
    fixture.sheet_rows = vec![crate::sheet::row(
        "Hips rotation",
        rigscope::ui::Between::Linear,
        rigscope::ui::NumberKind::Degrees,
    )];
    let mut window = Window::new(width, height);
    window.settle(&fixture);
    assert!(window.part("sheet").height() >= 36.0);
    assert!(window.find_text(&fixture, "Hips rotation").is_some());
    assert!(window.part("viewport").height() >= 40.0);

    // A panel beside the picture ends where the sheet begins.
    fixture.shown.scene_panel = true;
    let mut beside = Window::new(width, height);
    beside.settle(&fixture);
    let (_, output) = beside.draw(&fixture);
    let lower_edge = beside.part("viewport").bottom();
    let clip = |clipped: &egui::epaint::ClippedShape| clipped.clip_rect;
    let lists = output.shapes.iter().map(clip).filter(|rect| {
        let is_beside = rect.left() > 1.0 && rect.right() < 240.0;
        is_beside && rect.top() > 42.0 && rect.top() < lower_edge
    });
    let lists: Vec<_> = lists.collect();
    assert!(!lists.is_empty());
    let lowest = lists.iter().map(Rect::bottom);
    let lowest = lowest.fold(0.0, f32::max);
    assert!(lowest <= lower_edge + 8.0, "{lowest} {lower_edge}");

    // Where it is too low even for that, the button says so.
    let mut low = Window::new(width, 260.0);
    low.settle(&fixture);
    let name = "The window is too low for keys and curves";
    assert!(low.accessible(&fixture, name).expect(name).is_disabled());
}

#[test]
fn low_windows_show_some_of_every_list() {
    let mut fixture = Fixture::default();
    let clip = fixture.clips[0].clone();
    fixture.clips = (0..8)
        .map(|number| rigscope::ui::ClipRow {
            name: format!("Clip {number}"),
            ..clip.clone()
        })
        .collect();
    let mut window = Window::new(800.0, 500.0);
    window.settle(&fixture);
    let panel_bottom = window.part("viewport").bottom();
    let mut seen = |name: &str| {
        let rect = window.find_text(&fixture, name);
        rect.is_some_and(|rect| rect.bottom() <= panel_bottom)
    };
    let [root, third] = [0, 2].map(|place| fixture.nodes[place].name.clone());
    assert!(seen("Clip 0") && seen("Clip 1"));
    assert!(seen(&root) && seen(&third), "three rows of the tree");
}

/// A flat grey model looks like a fault.
#[test]
fn views_without_data_say_that_there_is_none() {
    let mut fixture = Fixture::default();
    for (mode, what) in [
        (ViewMode::Tangent, "tangents"),
        (ViewMode::Uv, "texture coordinates"),
        (ViewMode::VertexColor, "colours"),
    ] {
        fixture.view_mode = mode;
        let some = format!("2 of 3 parts of meshes have no {what}");
        let all = format!("These meshes have no {what}");
        for without in [0, 2, 3] {
            fixture.without = without;
            let mut window = settled(&fixture);
            assert_eq!(window.find_text(&fixture, &some).is_some(), without == 2);
            assert_eq!(window.find_text(&fixture, &all).is_some(), without == 3);
        }
    }
}

/// What a key has done is said above the legend, which stands at the left of a picture of this width.
#[test]
fn hints_do_not_cover_legends() {
    let fixture = Fixture {
        view_mode: ViewMode::Influences,
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    window.key(&fixture, egui::Key::Num9);
    window.settle(&fixture);
    let viewport = window.part("viewport");
    let id = egui::Id::unique("rigscope_view_menu");
    let legend = window.ctx.memory(|memory| memory.area_rect(id));
    let legend = legend.expect("a legend");
    let mut seen = 0;
    for (words, rect) in window.texts_in(&fixture, viewport) {
        let is_of_menus = legend.contains_rect(rect);
        assert!(is_of_menus || !legend.intersects(rect), "{words}: {rect}");
        seen += usize::from(!is_of_menus && rect.center().y > viewport.center().y);
    }
    assert!(seen > 0, "something is said");
}

/// All that the menu of views offers is in sight in a window of usual height.
#[test]
fn the_menu_of_views_fits_a_usual_window() {
    let fixture = Fixture::default();
    for height in [704.0, 800.0, 1000.0] {
        let mut window = Window::new(1280.0, height);
        window.settle(&fixture);
        let button = window.part("view").center();
        window.click(&fixture, button);
        window.settle(&fixture);
        for words in [
            "Lit",
            "Overdraw",
            "Edges of triangles",
            "All clips in the crowd",
        ] {
            let row = window.find_text(&fixture, words).expect(words);
            assert!(
                row.top() > 0.0 && row.bottom() < height - 4.0,
                "{words}: {row}"
            );
        }
    }
}

/// Views of layers are in a menu of their own, which fits beside it.
#[test]
fn views_of_layers_are_in_a_menu_of_their_own() {
    let fixture = Fixture::default();
    let mut window = Window::new(1280.0, 704.0);
    window.settle(&fixture);
    let button = window.part("view").center();
    window.click(&fixture, button);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Anisotropy").is_none());
    window.click_text(&fixture, "Layers");
    window.settle(&fixture);
    for &mode in ViewMode::ALL.iter().filter(|mode| mode.is_about_layers()) {
        let words = mode.label();
        let row = window.find_text(&fixture, words).expect(words);
        assert!(row.top() > 0.0 && row.bottom() < 700.0, "{words}: {row}");
    }
    let chosen = Command::Picture(PictureCommand::SetViewMode(ViewMode::Anisotropy));
    assert_eq!(window.click_text(&fixture, "Anisotropy"), [chosen]);
}

/// The options stand above the clips, of which there may be many.
#[test]
fn options_of_comparing_stand_above_the_clips() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.click_text(&fixture, "Compare");
    window.settle(&fixture);
    let mut top = |words: &str| window.find_text(&fixture, words).expect("a row").top();
    assert!(top("Clips begin and end together") < top("B is"));
}
