//! More pictures for looking at: the menu of the skeleton, figures in the world, what frames cost.

use super::{gpu, picture};
use crate::fixture::{Fixture, Window};

#[test]
#[ignore = "for looking at, not for judging by machine"]
fn desk() {
    let Some(gpu) = gpu() else {
        println!("skipped: no adapter");
        return;
    };
    let cost = |place: usize| rigscope::ui::FrameCost {
        pose: 0.4 + 0.2 * (place as f32 * 0.3).sin(),
        interface: 1.6,
        drawing: if place == 80 { 4.0 } else { 1.1 },
        gpu: Some(2.0 + (place as f32 * 0.1).cos()),
    };
    for (width, height) in [(1280.0, 720.0), (800.0, 500.0)] {
        for dark in [true, false] {
            let mut fixture = Fixture {
                dark,
                costs: (0..120).map(cost).collect(),
                selected_node: Some(8),
                trails: vec![3, 8],
                why_no_t_pose: Some("The body does not stand upright"),
                ..Fixture::default()
            };
            let name = |what: &str| {
                let theme = if dark { "dark" } else { "light" };
                format!("{what}_{theme}_{width}")
            };
            let mut menu = Window::new(width, height);
            menu.settle(&fixture);
            menu.click_text(&fixture, "Bones");
            picture(&gpu, &name("bones"), &mut menu, &fixture, 1.0);
            fixture.shown.world_figures = true;
            let mut world = Window::new(width, height);
            world.settle(&fixture);
            picture(&gpu, &name("world"), &mut world, &fixture, 1.0);
            // High enough for the statistics.
            let mut costs = Window::new(width, 1100.0);
            costs.settle(&fixture);
            picture(&gpu, &name("costs"), &mut costs, &fixture, 1.0);
        }
    }
}
