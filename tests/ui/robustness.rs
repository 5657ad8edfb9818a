//! Sizes, numbers and names that no sensible file or window has, and how long a frame takes with them.

use egui::{Key, pos2};
use rigscope::ui::{NodeKind, NodeRow};

use crate::{
    fixture::{Fixture, Window, loading, settled},
    processor_time::timed,
};

#[test]
fn the_picture_always_has_room() {
    let fixture = Fixture::default().with_diagnostics().with_message();
    for width in (1..2600).step_by(97) {
        for height in [1.0, 30.0, 199.0, 300.0, 480.0, 1400.0] {
            let mut window = Window::new(width as f32, height);
            for _ in 0..2 {
                window.frame(&fixture);
            }
            let viewport = window.part("viewport");
            assert!(
                viewport.width() >= (width as f32).min(240.0),
                "{width} × {height}: {viewport:?}"
            );
            assert!(
                viewport.height() >= height.min(60.0),
                "{width} × {height}: {viewport:?}"
            );
        }
    }
}

#[test]
fn tiny_windows_do_not_panic() {
    let mut keys = Fixture::default();
    keys.shown.keys = true;
    keys.loading = loading(f32::NAN);
    for fixture in [
        Fixture::default().with_message(),
        keys,
        Fixture::default().without_clip(),
    ] {
        for size in [[1.0, 1.0], [40.0, 30.0], [141.0, 221.0], [300.0, 230.0]] {
            let mut window = Window::new(size[0], size[1]);
            for scale in [1.0, 2.5] {
                window.ctx.set_pixels_per_point(scale);
                for _ in 0..3 {
                    window.frame(&fixture);
                }
                window.click(&fixture, pos2(size[0] / 2.0, size[1] / 2.0));
            }
        }
    }
}

#[test]
fn strange_numbers_do_not_panic() {
    for strange in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-9, 1e12] {
        let mut fixture = Fixture::default();
        fixture.playback.duration_secs = strange;
        fixture.playback.time_secs = strange;
        fixture.key_times_secs = vec![f32::NAN, 0.0, f32::INFINITY];
        fixture.selected_node = Some(usize::MAX);
        fixture.clip = Some(usize::MAX);
        let mut window = Window::new(1280.0, 800.0);
        for _ in 0..3 {
            window.frame(&fixture);
        }
        window.click(&fixture, window.part("timeline").center());
        fixture.playback.duration_secs = 2.0;
        fixture.playback.speed = strange;
        fixture.playback.frames_per_sec = strange;
        window.frame(&fixture);
        window.key(&fixture, Key::Minus);
    }
}

#[test]
fn hostile_names_stay_in_their_rows() {
    let hostile = [
        "x".repeat(2_000_000),
        "\u{202e}\u{2066}".repeat(500_000),
        format!("a\n{}\u{0}\u{7}\r\n\t", "\n".repeat(3000)),
        format!("Z{}", "\u{310}\u{489}".repeat(20_000)),
        "𒈙".repeat(4000),
        String::new(),
    ];
    let mut fixture = Fixture::default().with_diagnostics().with_message();
    for (place, name) in hostile.iter().enumerate() {
        fixture.nodes[place].name.clone_from(name);
        let clip = fixture.clips[0].clone();
        fixture.clips.push(clip);
        fixture.clips[place].name.clone_from(name);
        fixture.diagnostics[0].message.clone_from(name);
        fixture.diagnostics[0].pointer.clone_from(name);
        fixture.model_name.clone_from(name);
        let message = fixture.message.as_mut().expect("it has one");
        message.title.clone_from(name);
        message.detail.clone_from(name);
    }
    fixture.scenes = hostile.to_vec();
    fixture.variants = hostile.to_vec();
    fixture.selected_node = Some(0);
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    assert!(viewport.width() > 600.0, "{viewport:?}");
    let frames = 20;
    let (_, took) = timed(|| {
        for frame in 0..frames {
            // Over the lists, for their tooltips.
            window.move_to(pos2(100.0, 60.0 + 25.0 * frame as f32));
            window.frame(&fixture);
        }
    });
    let millis = took.as_secs_f32() * 1000.0 / frames as f32;
    println!("{millis:.1} ms a frame with hostile names");
    assert!(millis < 100.0, "{millis} ms a frame");
}

#[test]
fn a_hundred_thousand_nodes_are_smooth() {
    let mut fixture = Fixture::default();
    let count = 100_000;
    fixture.nodes = (0..count)
        .map(|index| NodeRow {
            name: format!("node {index}"),
            has_namesake: false,
            file_index: index,
            depth: index % 10,
            descendants: 9 - index % 10,
            kind: NodeKind::Joint,
            is_animated: index % 3 == 0,
            in_scene: true,
        })
        .collect();
    let mut window = settled(&fixture);
    let frame_millis = |window: &mut Window, fixture: &Fixture| {
        let frames = 10;
        let (_, took) = timed(|| {
            for _ in 0..frames {
                window.frame(fixture);
            }
        });
        took.as_secs_f32() * 1000.0 / frames as f32
    };
    let unfolded = frame_millis(&mut window, &fixture);
    window.click_text(&fixture, "Search nodes");
    window.event(egui::Event::Text("99".to_owned()));
    let searching = frame_millis(&mut window, &fixture);
    fixture.selected_node = Some(99_999);
    let chosen = frame_millis(&mut window, &fixture);
    println!(
        "{count} nodes: {unfolded:.2} ms a frame, {searching:.2} ms searching, {chosen:.2} ms with a choice"
    );
    assert!(
        window.find_text(&fixture, "node 99999").is_some(),
        "what is chosen is in sight"
    );
    for millis in [unfolded, searching, chosen] {
        assert!(millis < 50.0, "{millis} ms a frame");
    }
}

#[test]
fn an_idle_interface_does_not_ask_to_be_drawn() {
    let fixture = Fixture::default();
    let mut window = Window::new(1280.0, 800.0);
    window.settle(&fixture);
    // The hint at the start goes by itself.
    window.time_secs += 10.0;
    for _ in 0..30 {
        window.frame(&fixture);
    }
    let (_, output) = window.draw(&fixture);
    let delay = output.viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    assert!(delay > std::time::Duration::from_secs(3600), "{delay:?}");
}
