//! What a frame of the window costs the processor without a graphics processor: the interface with every panel open on 200
//! joints and 50 clips, and scrubbing a clip of 100,000 keys.
//!
//! `interface` is egui's run and its triangles; `session` is the project's own code between a scrub and the picture: clock,
//! pose, bounds, skeleton, names. What many keys cost the interface is the difference between `keys_10` and `keys_100000`.

#![allow(
    missing_docs,
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "criterion's macros have no documentation, a bench that cannot run shall stop, and of what drives the tests of \
              the interface some is used here"
)]

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use rigscope::{
    app::Session,
    import::Import,
    model::{
        ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, Skin, Timeline, Transform,
    },
    ui::{
        Between, ClipRow, Command, DiagnosticRow, FrameCost, MessageKind, MorphRow, NodeKind,
        NodeRow, NumberKind, PictureCommand, PlaybackCommand, SheetKind,
    },
};

#[path = "../tests/ui/accessible.rs"]
mod accessible;
#[path = "../tests/ui/clips.rs"]
mod clips;
#[path = "../tests/ui/driver.rs"]
mod driver;
#[path = "../tests/ui/fixture.rs"]
mod fixture;
#[path = "../tests/ui/inspector.rs"]
mod inspector;
#[path = "../tests/ui/mixed.rs"]
mod mixed;
#[path = "../tests/ui/sheet.rs"]
mod sheet;

use fixture::{Fixture, Window};

const JOINTS: usize = 200;
const CLIPS: usize = 50;

/// Every panel open, and something to show in each.
fn full(sheet: SheetKind) -> Fixture {
    let mut fixture = clips::everything().with_diagnostics();
    fixture.nodes = (0..JOINTS)
        .map(|index| NodeRow {
            name: format!("joint_{index:03}"),
            has_namesake: false,
            file_index: index,
            depth: index % 20,
            descendants: 19 - index % 20,
            kind: NodeKind::Joint,
            is_animated: index % 3 == 0,
            in_scene: true,
        })
        .collect();
    fixture.clips = (0..CLIPS)
        .map(|index| ClipRow {
            name: format!("Clip number {index}"),
            duration_secs: 1.0 + index as f64,
            channel_count: 3 * JOINTS,
            key_count: 1000 * index,
        })
        .collect();
    fixture.selected_node = Some(40);
    fixture.details = inspector::details();
    let some = fixture.diagnostics.clone();
    fixture.diagnostics = (0..500)
        .map(|place| some[place % some.len()].clone())
        .collect();
    fixture.sheet = Some(sheet);
    fixture.sheet_rows = (0..JOINTS)
        .map(|index| {
            let label = format!("joint_{index:03} rotation");
            sheet::row(&label, Between::Linear, NumberKind::Degrees)
        })
        .collect();
    fixture.costs = vec![
        FrameCost {
            pose: 0.1,
            interface: 1.0,
            drawing: 0.5,
            gpu: None,
        };
        120
    ];
    fixture
}

/// A frame of the interface, down to triangles.
fn frame(window: &mut Window, fixture: &Fixture) {
    let (commands, output) = window.draw(fixture);
    let triangles = window
        .ctx
        .tessellate(output.shapes, output.pixels_per_point);
    black_box((commands, triangles));
    window.textures.clear();
}

fn interface(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("interface");
    for (name, kind) in [("keys", SheetKind::Dope), ("curves", SheetKind::Curves)] {
        let fixture = full(kind);
        let mut window = Window::new(1280.0, 720.0);
        for _ in 0..4 {
            frame(&mut window, &fixture);
        }
        group.bench_function(format!("every_panel/{name}"), |bencher| {
            bencher.iter(|| frame(&mut window, &fixture));
        });
    }
    for keys in [10_usize, 100_000] {
        let times: Vec<f32> = (0..keys)
            .map(|key| key as f32 * 100.0 / keys as f32)
            .collect();
        let mut fixture = full(SheetKind::Dope);
        fixture.key_times_secs.clone_from(&times);
        fixture.sheet_numbers.timelines = vec![times.leak()];
        fixture.playback.duration_secs = 100.0;
        for row in &mut fixture.sheet_rows {
            row.key_count = keys;
        }
        let mut window = Window::new(1280.0, 720.0);
        let mut step = 0_u32;
        group.bench_function(format!("scrub/keys_{keys}"), |bencher| {
            bencher.iter(|| {
                step = (step + 1) % 19_997;
                fixture.playback.time_secs = f64::from(step % 997) / 10.0;
                frame(&mut window, &fixture);
            });
        });
    }
    group.finish();
}

/// A rig of 200 joints, each moved by 500 keys, and 50 clips of that kind.
fn rig() -> Model {
    let nodes = (0..JOINTS).map(|index| Node {
        name: format!("joint_{index:03}"),
        rest: Transform {
            translation: Vec3::new(0.0, 0.1, 0.01 * (index % 5) as f32),
            ..Transform::IDENTITY
        },
        ..Node::default()
    });
    let parents: Vec<_> = (0..JOINTS)
        .map(|index| (index % 20 > 0).then(|| index - 1))
        .collect();
    let hierarchy = Hierarchy::new(nodes.collect(), &parents, &vec![vec![]; JOINTS]).unwrap();
    let joints: Vec<NodeId> = hierarchy.iter().map(|(id, _)| id).collect();
    let clips = (0..CLIPS).map(|number| {
        let keys = if number == 0 { 500 } else { 2 };
        let mut clip = ClipBuilder::new(format!("clip {number}"));
        let times: Vec<f32> = (0..keys).map(|key| key as f32 * 0.04).collect();
        let timeline = clip.timeline(Timeline::new(times).unwrap());
        for &joint in &joints {
            let turn = |key: i32| Quat::from_rotation_z((key as f32 * 0.1).sin());
            let values: Vec<_> = (0..keys).map(turn).collect();
            clip.rotation(joint, timeline, Interpolation::Linear, values)
                .unwrap();
        }
        clip.finish()
    });
    Model {
        skins: vec![Skin {
            joint_from_mesh: vec![glam::Affine3A::IDENTITY; joints.len()],
            joints: joints.clone(),
            ..Skin::default()
        }],
        clips: clips.collect(),
        scenes: vec![rigscope::model::Scene {
            roots: hierarchy
                .iter()
                .filter(|(_, node)| node.parent.is_none())
                .map(|(id, _)| id)
                .collect(),
            ..Default::default()
        }],
        hierarchy,
        ..Model::default()
    }
}

fn session(criterion: &mut Criterion) {
    let import = Import {
        model: rig(),
        ..Import::default()
    };
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.5);
    session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
    let keys = session.model().clips[0].key_count();
    let mut step = 0_u32;
    criterion.bench_function(&format!("session/scrub/{keys}_keys"), |bencher| {
        bencher.iter(|| {
            step = (step + 1) % 19_997;
            session.apply(Command::Playback(PlaybackCommand::Seek(
                f64::from(step * 7919 % 19_997) / 1000.0,
            )));
            session.update();
            session.update_labels();
            black_box(session.actor().palette().matrices());
        });
    });
}

criterion_group!(benches, interface, session);
criterion_main!(benches);
