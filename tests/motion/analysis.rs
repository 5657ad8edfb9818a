//! The analysis of clips: on the built-in walk, whose steps are known, on faults put into it, and on the whole corpus.

use glam::{Quat, Vec3};
use rigscope::anim::analysis::{Analyzer, ClipAnalysis, FootContacts, Property};
use rigscope::anim::bounds::posed_bounds;
use rigscope::anim::{Cursors, Palette, PaletteLayout, Pose, sample};
use rigscope::app::built_in;
use rigscope::model::{Clip, ClipBuilder, Interpolation, Model, NodeId, Timeline, Track};

use crate::{common::folder, corpus};

const MAX_PLACEMENTS: usize = 1 << 20;

pub(super) fn pip() -> Model {
    built_in::load("Pip").unwrap().model
}

pub(super) fn clip_of<'a>(model: &'a Model, name: &str) -> &'a Clip {
    model.clips.iter().find(|clip| clip.name() == name).unwrap()
}

pub(super) fn node(model: &Model, name: &str) -> NodeId {
    let found = model.hierarchy.iter().find(|(_, node)| node.name == name);
    found.unwrap_or_else(|| panic!("no {name}")).0
}

fn analyze(model: &Model, clip: &Clip) -> ClipAnalysis {
    Analyzer::new(model).analyze(clip, MAX_PLACEMENTS)
}

#[test]
fn the_built_in_walk_steps_as_it_was_made_to() {
    let model = pip();
    let walk = analyze(&model, clip_of(&model, "Walk"));
    assert_eq!(walk.frames, 33);
    // Feet go back 0.345 m in 60 % of 32/30 s.
    let [x, z] = walk.ground_velocity;
    assert!(x.abs() < 0.02 && (z + 0.539).abs() < 0.03, "{x}, {z}");
    // The heel rises long before the toes leave.
    for (name, least) in [
        ("foot_L", 0.15),
        ("foot_R", 0.15),
        ("toes_L", 0.3),
        ("toes_R", 0.3),
    ] {
        let id = node(&model, name);
        let foot = walk.contacts.iter().find(|foot| foot.node == id);
        let foot = foot.unwrap_or_else(|| panic!("{name} never stands"));
        let stands: f64 = foot
            .contacts
            .iter()
            .map(|it| it.to_secs - it.from_secs)
            .sum();
        let part = stands / (32.0 / 30.0);
        assert!(
            (least..0.65).contains(&part),
            "{name}: {part}, {:?}",
            foot.contacts
        );
    }
    assert!(walk.pops.is_empty(), "{:?}", walk.pops);
    // It was made to loop, on the spot.
    let widest = walk.seam.joints().map(|joint| joint.distance);
    assert!(widest.fold(0.0, f32::max) < 1e-4);
    assert!(walk.root_motion.unwrap().displacement() < 1e-4);
    assert!(!walk.is_seam_in_place);
}

/// The clip with another value at one key of a node's rotation.
pub(super) fn with_rotation(
    clip: &Clip,
    node: NodeId,
    changed: &dyn Fn(usize, Quat) -> Quat,
) -> Clip {
    let mut copy = ClipBuilder::new(clip.name());
    for timeline in clip.timelines() {
        copy.timeline(timeline.clone());
    }
    for track in clip.rotations() {
        let values = track.values().iter().enumerate().map(|(key, &value)| {
            if track.node() == node {
                changed(key, value)
            } else {
                value
            }
        });
        let (kind, values): (_, Vec<_>) = (track.interpolation(), values.collect());
        copy.rotation(track.node(), track.timeline(), kind, values)
            .unwrap();
    }
    for track in clip.translations() {
        let (kind, values) = (track.interpolation(), track.values().to_vec());
        copy.translation(track.node(), track.timeline(), kind, values)
            .unwrap();
    }
    copy.finish()
}

#[test]
fn a_fault_is_found_where_it_is() {
    let model = pip();
    let walk = clip_of(&model, "Walk");
    for name in ["thigh_L", "spine", "hips"] {
        let joint = node(&model, name);
        for at in [3, 16, 28] {
            // One key out of line, and everything from a key on.
            let bump = |key: usize, value: Quat| match key == at {
                true => value * Quat::from_rotation_x(0.6),
                false => value,
            };
            let jump = |key: usize, value: Quat| match key >= at {
                true => value * Quat::from_rotation_x(0.6),
                false => value,
            };
            for (is_jump, fault) in [(false, &bump as &dyn Fn(_, _) -> _), (true, &jump)] {
                let faulty = with_rotation(walk, joint, fault);
                let found = analyze(&model, &faulty).pops;
                assert_eq!(found.len(), 1, "{name}, key {at}: {found:?}");
                let start = (at - 1) as f64 / 30.0;
                assert_eq!(found[0].node, joint);
                assert!((found[0].start_secs - start).abs() < 1e-3, "{found:?}");
                let frames = ((found[0].end_secs - found[0].start_secs) * 30.0).round();
                assert_eq!(frames, if is_jump { 1.0 } else { 2.0 });
            }
        }
    }
}

/// All nodes sway, with a key at every `1 / rate` of `secs` seconds; what `bad` says is put on a key of a node.
fn swaying(model: &Model, rate: f64, secs: f64, bad: Option<(NodeId, usize)>) -> Clip {
    let keys = (rate * secs).round() as usize + 1;
    let mut clip = ClipBuilder::new("sways");
    let times = (0..keys).map(|key| (key as f64 / rate) as f32).collect();
    let timeline = clip.timeline(Timeline::new(times).unwrap());
    for node in (0..model.hierarchy.len() as u32).map(NodeId) {
        let turn = |key: usize| {
            let phase = 2.0 * key as f64 / rate + f64::from(node.0);
            let out_of_line = if bad == Some((node, key)) { 0.6 } else { 0.0 };
            Quat::from_rotation_x(0.1 * phase.sin() as f32 + out_of_line)
        };
        let values: Vec<_> = (0..keys).map(turn).collect();
        clip.rotation(node, timeline, Interpolation::Linear, values)
            .unwrap();
    }
    clip.finish()
}

#[test]
fn a_bad_key_is_found_at_any_rate_and_in_clips_of_minutes() {
    let model = pip();
    let spine = node(&model, "spine");
    let five_minutes = 300.0;
    for (rate, secs) in [
        (12.0, 20.0),
        (15.0, 20.0),
        (30.0, five_minutes),
        (60.0, 10.0),
        (240.0, 5.0),
    ] {
        let bad = (0.4 * rate * secs) as usize;
        let clip = swaying(&model, rate, secs, Some((spine, bad)));
        let found = Analyzer::new(&model).analyze_motion(&clip, 100_000);
        let [pop] = &found.pops[..] else {
            panic!("{rate} keys a second, {secs} s: {:?}", found.pops);
        };
        assert_eq!(pop.node, spine, "{rate} keys a second");
        let at = |key: usize| key as f64 / rate;
        assert!((pop.start_secs - at(bad - 1)).abs() < 1e-3, "{pop:?}");
        assert!((pop.end_secs - at(bad + 1)).abs() < 1e-3, "{pop:?}");
        assert_eq!(found.speed_peak.unwrap().node, spine);
        let good = swaying(&model, rate, secs, None);
        let found = Analyzer::new(&model).analyze_motion(&good, 100_000);
        assert_eq!(found.pops, [], "{rate} keys a second");
    }
}

#[test]
fn keys_far_apart_are_poses_and_no_faults() {
    let model = pip();
    let spine = node(&model, "spine");
    // A nod in the middle, between eight seconds of rest on either side.
    for keys in [
        vec![0.0, 8.0, 8.5, 9.0, 17.0],
        (0..35).map(|key| 0.5 * key as f32).collect(),
        (0..86).map(|key| 0.2 * key as f32).collect(),
    ] {
        let mut clip = ClipBuilder::new("nods");
        let nods = (0..keys.len()).map(|key| f32::from(key == keys.len() / 2));
        let turns: Vec<_> = nods.map(|nod| Quat::from_rotation_x(0.4 * nod)).collect();
        let timeline = clip.timeline(Timeline::new(keys).unwrap());
        clip.rotation(spine, timeline, Interpolation::Linear, turns)
            .unwrap();
        assert_eq!(analyze(&model, &clip.finish()).pops, []);
    }
}

#[test]
fn a_turned_joint_opens_the_seam_by_as_much() {
    let model = pip();
    let walk = clip_of(&model, "Walk");
    let (spine, foot) = (node(&model, "spine"), node(&model, "foot_L"));
    let faulty = with_rotation(walk, spine, &|key, value| match key {
        32 => value * Quat::from_rotation_x(0.1),
        _ => value,
    });
    let seam = analyze(&model, &faulty).seam;
    let at = |node: NodeId| seam.joints().find(|joint| joint.node == node).unwrap();
    assert!((at(spine).degrees - 0.1_f32.to_degrees()).abs() < 0.02);
    assert!(at(spine).distance < 1e-4);
    let head = at(node(&model, "head"));
    assert!(head.distance > 0.02 && (head.degrees - 5.73).abs() < 0.02);
    assert!(at(foot).distance < 1e-4 && at(foot).degrees < 0.05);
}

/// Pip's walk with hips that go ahead at a speed, in metres a second, and the hips.
fn travelling(model: &Model, speed: f32) -> (Clip, NodeId) {
    let walk = clip_of(model, "Walk");
    let moved = walk.translations().iter().map(Track::node);
    let hips = moved.min().unwrap();
    let mut copy = ClipBuilder::new("travels");
    for timeline in walk.timelines() {
        copy.timeline(timeline.clone());
    }
    for track in walk.rotations() {
        let (kind, values) = (track.interpolation(), track.values().to_vec());
        copy.rotation(track.node(), track.timeline(), kind, values)
            .unwrap();
    }
    for track in walk.translations() {
        let times = walk.timelines()[track.timeline()].times_secs();
        let values = track.values().iter().zip(times).map(|(&value, time)| {
            if track.node() == hips {
                value + Vec3::Z * speed * *time
            } else {
                value
            }
        });
        let (kind, values): (_, Vec<_>) = (track.interpolation(), values.collect());
        copy.translation(track.node(), track.timeline(), kind, values)
            .unwrap();
    }
    (copy.finish(), hips)
}

#[test]
fn a_walk_that_travels_is_compared_in_place() {
    let model = pip();
    let (clip, hips) = travelling(&model, 0.539);
    let found = analyze(&model, &clip);
    assert!(found.is_seam_in_place);
    let motion = found.root_motion.unwrap();
    assert_eq!(motion.root(), hips);
    assert!((motion.mean_speed() - 0.539).abs() < 0.001);
    let widest = found.seam.joints().map(|joint| joint.distance);
    assert!(widest.fold(0.0, f32::max) < 1e-3);
    assert_eq!(found.ground_velocity, [0.0, 0.0]);
    assert!(found.contacts.len() >= 4, "{:?}", found.contacts);
}

#[test]
fn feet_slide_as_far_as_the_root_goes_wrong() {
    let model = pip();
    let farthest = |speed: f32| {
        let found = analyze(&model, &travelling(&model, speed).0);
        assert!(found.is_seam_in_place, "{speed}");
        assert_eq!(found.ground_velocity, [0.0, 0.0], "{speed}");
        let slides = found.contacts.iter().flat_map(FootContacts::slides);
        slides.fold(0.0, f32::max) / found.height
    };
    // Feet go back 0.539 m a second, and stand for up to 0.64 s.
    let right = farthest(0.539);
    assert!(right < 0.04, "{right}");
    for speed in [0.2, 0.9, 1.2, 2.0, 3.0] {
        let slides = farthest(speed);
        assert!(slides > 0.04, "{speed} m/s: {slides} heights");
    }
}

#[test]
fn every_frame_is_within_its_box() {
    let model = pip();
    let layout = PaletteLayout::new(&model, model.default_scene);
    for clip in &model.clips {
        let found = analyze(&model, clip);
        assert_eq!(found.bounds.len(), found.frames);
        let (mut pose, mut palette) = (Pose::new(&model.hierarchy), Palette::default());
        for (frame, bounds) in found.bounds.iter().enumerate() {
            pose.reset(&model.hierarchy);
            let time_secs = found.start_secs + frame as f64 * found.frame_secs;
            sample(clip, time_secs, &mut Cursors::default(), &mut pose);
            pose.update_world(&model.hierarchy, Default::default());
            palette.clear(&layout, 1);
            palette.push(&model, &layout, &pose);
            let exact = posed_bounds(&model, &layout, &palette, &pose, 0);
            let slack = 1e-4 * exact.diagonal();
            assert!((bounds.min - exact.min).max_element() < slack);
            assert!((exact.max - bounds.max).max_element() < slack);
            assert!(found.swept_bounds().union(*bounds) == found.swept_bounds());
        }
    }
}

#[test]
fn the_corpus_is_analysed_within_bounds() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (files, _) = corpus::files(&folder);
    let (mut clips, mut with_pops, mut with_contacts, mut travelling) = (0, 0, 0, 0);
    let (mut keys, mut needed, mut sliding) = (0, 0, 0);
    for entry in files.iter().filter(|entry| entry.animated) {
        let Ok(import) = rigscope::cli::load(&entry.path) else {
            continue;
        };
        let model = import.model;
        let analyzer = Analyzer::new(&model);
        for clip in &model.clips {
            let most = MAX_PLACEMENTS / model.clips.len();
            let found = analyzer.analyze(clip, most);
            clips += 1;
            with_contacts += usize::from(!found.contacts.is_empty());
            travelling += usize::from(found.is_seam_in_place);
            let slides = found.contacts.iter().flat_map(FootContacts::slides);
            let farthest = slides.fold(0.0, f32::max) / found.height;
            if found.is_seam_in_place && farthest > 0.04 {
                sliding += 1;
                let (entry, name) = (&entry.name, clip.name());
                println!("{entry} {name:?} travels, and feet slide {farthest:.3} heights");
            }
            if !found.pops.is_empty() {
                with_pops += 1;
                let pop = found.pops[0];
                let name = model.hierarchy.display_name(pop.node);
                println!(
                    "{} {:?}: {} pops, {name} at {:.3}–{:.3} s of {:.2}: {:.3} beside {:.3}",
                    entry.name,
                    clip.name(),
                    found.pops.len(),
                    pop.start_secs,
                    pop.end_secs,
                    clip.duration_secs(),
                    pop.speed,
                    pop.usual_speed
                );
            }
            let Some(tracks) = found.reduction else {
                continue;
            };
            let of_nodes = clip.track_count() - clip.properties().len();
            assert_eq!(tracks.len(), of_nodes, "{}", entry.name);
            for track in tracks {
                assert!(track.keys_needed <= track.keys, "{}: {track:?}", entry.name);
                assert!(track.keys_needed >= 1);
                if track.property == Property::Rotation {
                    assert!(track.error <= 0.1, "{}: {track:?}", entry.name);
                }
                keys += track.keys;
                needed += track.keys_needed;
            }
        }
    }
    println!(
        "{clips} clips: {with_pops} with pops, {with_contacts} with contacts, {travelling} travel, {sliding} of them slide; {needed} of {keys} keys needed"
    );
    assert!(clips > 300, "{clips}");
    assert!(needed < keys);
    // A finding that every other clip has is none.
    assert!(with_pops * 10 < clips, "{with_pops} of {clips} clips pop");
}

#[test]
fn info_prints_what_is_documented() {
    let viewer = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["info", "--json"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pip.glb"))
        .output()
        .unwrap();
    let printed: serde_json::Value = serde_json::from_slice(&viewer.stdout).unwrap();
    let model = pip();
    let walk = printed["clips"].as_array().unwrap().iter();
    let walk = walk.clone().find(|clip| clip["name"] == "Walk").unwrap();
    let analysis = &walk["analysis"];
    let keys = |value: &serde_json::Value| {
        let keys = value.as_object().unwrap().keys();
        keys.map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        keys(analysis),
        "bounds foot_contacts frame_secs frames ground_velocity jitters loop_seam pops reduction root_motion speed_peak uneven_steps"
    );
    assert_eq!(keys(&analysis["bounds"]), "max min");
    assert_eq!(
        keys(&analysis["root_motion"]),
        "displacement heading_degrees mean_speed node path_length shift turning"
    );
    let hips = model.hierarchy.node(node(&model, "hips")).file_index;
    assert_eq!(analysis["root_motion"]["node"], hips);
    assert_eq!(
        keys(&analysis["loop_seam"]),
        "cause degrees distance in_place joints weights"
    );
    assert_eq!(keys(&analysis["foot_contacts"][0]), "node slides spans");
    assert_eq!(keys(&analysis["reduction"]), "channels keys keys_needed");
    assert_eq!(
        keys(&analysis["reduction"]["channels"][0]),
        "error keys keys_needed node path"
    );
    assert_eq!(analysis["reduction"]["keys"], walk["keys"]);
    assert_eq!(analysis["frames"], 33);
}

#[test]
fn clips_of_minutes_stay_within_the_limit() {
    // Ten minutes at 30 frames a second of 40 joints: 720,000 quaternions.
    let model = pip();
    let keys = 18_000;
    let mut long = ClipBuilder::new("long");
    let times = (0..keys).map(|key| key as f32 / 30.0).collect();
    let timeline = long.timeline(Timeline::new(times).unwrap());
    let nodes = model.hierarchy.len() as u32;
    for node in (0..nodes).map(NodeId) {
        let turn = |key: usize| Quat::from_rotation_x(0.3 * (key as f32 * 0.01).sin());
        let values: Vec<_> = (0..keys).map(turn).collect();
        long.rotation(node, timeline, Interpolation::Linear, values)
            .unwrap();
    }
    let long = long.finish();
    for most in [10_000, 100_000] {
        let found = Analyzer::new(&model).analyze(&long, most);
        assert!(found.frames * nodes as usize <= most, "{}", found.frames);
        assert!(found.frames > most / 200);
        let last = found.frame_secs * (found.frames - 1) as f64;
        assert!((last - f64::from(long.duration_secs())).abs() < 1e-6);
        let tracks = found.reduction.unwrap();
        assert!(tracks.iter().all(|track| track.keys_needed < keys / 10));
    }
}

#[test]
fn an_empty_clip_and_one_of_a_moment_say_nothing() {
    let model = pip();
    let mut still = ClipBuilder::new("");
    let timeline = still.timeline(Timeline::new(vec![0.0]).unwrap());
    let values = vec![Quat::IDENTITY];
    still
        .rotation(NodeId(3), timeline, Interpolation::Linear, values)
        .unwrap();
    for clip in [ClipBuilder::new("").finish(), still.finish()] {
        for most in [0, MAX_PLACEMENTS] {
            let found = Analyzer::new(&model).analyze(&clip, most);
            assert!(found.pops.is_empty() && found.contacts.is_empty());
            assert_eq!((found.frames, found.frame_secs), (2, 0.0));
        }
    }
    let nothing = Model::default();
    let found = Analyzer::new(&nothing).analyze(&ClipBuilder::new("").finish(), 100);
    assert!(found.swept_bounds().is_empty() && found.root_motion.is_none());
}

/// Each clip costs a few poses, however short it is.
#[test]
fn info_does_not_analyse_more_clips_than_it_has_time_for() {
    const NODES: usize = 4000;
    let joints: Vec<_> = (1..NODES).collect();
    let mut nodes = vec![serde_json::json!({}); NODES];
    nodes[0] = serde_json::json!({ "children": joints });
    let clip = serde_json::json!({
        "samplers": [{"input": 0, "output": 1}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
    });
    let file = serde_json::json!({
        "asset": {"version": "2.0"}, "nodes": nodes, "scenes": [{"nodes": [0]}], "animations": vec![clip; 300],
        "accessors": [
            {"componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0]},
            {"componentType": 5126, "type": "VEC3", "count": 1},
        ],
    });
    let path =
        std::env::temp_dir().join(format!("rigscope-many-clips-{}.gltf", std::process::id()));
    std::fs::write(&path, file.to_string()).unwrap();
    let viewer = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["info", "--json"])
        .arg(&path)
        .output()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    let printed: serde_json::Value = serde_json::from_slice(&viewer.stdout).unwrap();
    let clips = printed["clips"].as_array().unwrap();
    assert_eq!(clips.len(), 300);
    let analysed = clips.iter().filter(|clip| clip["analysis"].is_object());
    let analysed = analysed.count();
    assert!((1..300).contains(&analysed), "{analysed} are analysed");
    assert!(clips[0]["analysis"].is_object() && clips[299]["analysis"].is_null());
}
