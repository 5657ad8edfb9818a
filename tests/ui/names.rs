//! What screen readers are told: everything that can be pressed, moved or typed into has a role and a name of its own, in
//! every state of every panel.

use egui::accesskit::{Action, Node, Role};
use rigscope::model::Keyed as _;
use rigscope::scene::SplitWay;
use rigscope::ui::{Picker, PoseKind, SavingKind, SavingView, SheetKind};

use crate::fixture::{Fixture, Window, loading};

/// Whether a person can do anything with it.
fn is_control(node: &Node) -> bool {
    let acts = [
        Action::Click,
        Action::Increment,
        Action::SetValue,
        Action::Focus,
    ];
    let can_act = acts.into_iter().any(|action| node.supports_action(action));
    let is_own = !matches!(
        node.role(),
        // What egui makes of areas that sense where the pointer is, and of its own handles.
        Role::GenericContainer | Role::ScrollBar | Role::Splitter | Role::Window | Role::Label
    );
    can_act && is_own
}

/// Whether its name is more than what it says now. The figure of a slider without a caption of its own is the exception: the
/// slider before it has the name, and egui gives its figure none.
fn is_named(node: &Node, before: Option<&Node>) -> bool {
    let label = node.label().is_some_and(|label| !label.trim().is_empty());
    let follows_slider = before.is_some_and(|before| before.role() == Role::Slider);
    let is_figure = node.role() == Role::SpinButton && follows_slider;
    label || !node.labelled_by().is_empty() || is_figure
}

/// A window of this size in a state, after a click on each of these parts or texts.
pub fn window_in(fixture: &Fixture, clicks: &[&str], (width, height): (f32, f32)) -> Window {
    let mut window = Window::new(width, height);
    window.ctx.enable_accesskit();
    window.settle(fixture);
    for name in clicks {
        let layout = window.layout.as_ref().expect("a frame was drawn");
        let part = layout.named.iter().find(|(part, _)| part == name);
        match part.map(|(_, rect)| rect.center()) {
            Some(place) => drop(window.click(fixture, place)),
            None => drop(window.click_named(fixture, name)),
        }
        for _ in 0..4 {
            window.frame(fixture);
        }
    }
    window
}

/// What is told in a state.
fn check(state: &str, fixture: &Fixture, clicks: &[&str], missing: &mut Vec<String>) -> usize {
    let mut count = 0;
    for (width, height) in [(1280.0, 720.0), (800.0, 500.0)] {
        let mut window = window_in(fixture, clicks, (width, height));
        let (_, output) = window.draw(fixture);
        let update = output.platform_output.accesskit_update;
        let nodes = update.expect("it was enabled").nodes;
        let controls: Vec<_> = nodes.iter().filter(|(_, node)| is_control(node)).collect();
        let mut before = None;
        for (id, node) in &controls {
            let place = format!("{state} at {width}×{height}: {id:?}");
            if !is_named(node, before) || node.role() == Role::Unknown {
                missing.push(format!("{place} has no name or role: {node:?}"));
            }
            before = Some(node);
        }
        // A floor under what can be reached at all: less were a panel that is not there.
        assert!(controls.len() >= 12, "{state}: {}", controls.len());
        count += controls.len();
    }
    count
}

/// Every section of both panels.
pub fn with_everything() -> Fixture {
    let mut fixture = crate::clips::everything().with_diagnostics();
    fixture.scenes = vec!["Indoors".to_owned(), "Outdoors".to_owned()];
    fixture.variants = vec!["Street".to_owned(), "Beach".to_owned()];
    fixture.selected_node = Some(1);
    fixture.details = crate::inspector::details();
    fixture.trails = vec![3, 8];
    fixture
}

/// States of the interface: their names, and what is clicked to come there.
pub fn states() -> Vec<(&'static str, Fixture, Vec<&'static str>)> {
    let plain = Fixture::default;
    let mut states = Vec::new();
    let mut see = |state, fixture: Fixture, clicks: &[&'static str]| {
        states.push((state, fixture, clicks.to_vec()));
    };
    see("as it opens", plain(), &[]);
    see("without a clip", plain().without_clip(), &[]);
    see("all sections", with_everything(), &[]);
    let mut large = with_everything();
    large.details.large = large.details.pictures.first().cloned();
    see("a large picture", large, &[]);
    see("odd clips", crate::odd_clips::with_odd_clips(), &[]);
    see("a message", plain().with_message(), &[]);
    let loading = Fixture {
        loading: loading(0.5),
        ..plain()
    };
    see("loading", loading, &[]);
    for menu in ["view", "Bones", "light", "camera", "Examples"] {
        see(menu, with_everything(), &[menu]);
    }
    see("views of layers", with_everything(), &["view", "Layers"]);
    see("Pose", plain(), &["Pose"]);
    let mut keys = plain();
    keys.shown.keys = true;
    see("the key list", keys, &[]);
    for (state, picker) in [("palette", Picker::Palette), ("recent", Picker::Recent)] {
        let picking = Fixture {
            picker: Some(picker),
            ..plain()
        };
        see(state, picking, &[]);
    }
    for (state, kind) in [("keys", SheetKind::Dope), ("curves", SheetKind::Curves)] {
        see(state, crate::sheet::with_sheet(kind), &[]);
    }
    let saving = Fixture {
        saving: SavingView {
            is_open: true,
            ..SavingView::default()
        },
        ..plain()
    };
    see("saving", saving, &[]);
    let mut pose_clip = crate::saving::open(SavingKind::Pose(PoseKind::Clip));
    pose_clip.saving.compares = true;
    see("saving a clip of one key", pose_clip, &[]);
    see("files that are there", crate::saving::asking(), &[]);
    for &way in SplitWay::ALL {
        see(way.key(), crate::compare::on(way), &[]);
    }
    let compared = crate::compare::on(SplitWay::Wipe);
    see("the menu of comparing", compared, &["Wipe"]);
    for is_open in [false, true] {
        let listed = crate::compare::with_clips(is_open);
        see("clips of two files", listed, &[]);
    }
    let held = Fixture {
        held: Some(rigscope::scene::ReferencePose::Tee),
        ..plain()
    };
    see("a held pose", held, &[]);
    states
}

#[test]
fn whatever_can_be_used_has_a_name_and_a_role() {
    let (mut count, mut missing) = (0, Vec::new());
    for (state, fixture, clicks) in states() {
        let found = check(state, &fixture, &clicks, &mut missing);
        println!("{found:4} {state}");
        count += found;
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 1000, "{count}");
}
