//! Which of several tracks counts, what a crowd makes of visibility, and what is there between two poses.

use glam::Affine3A;
use rigscope::anim::{Cursors, Palette, PaletteLayout, Pose, Skinning, sample};
use rigscope::app::Actor;
use rigscope::import::{self, Progress};
use rigscope::scene::{Crowd, Repertoire};

use super::{properties::file, property_tables::Channel};

#[test]
fn a_weight_that_a_node_moves_itself_is_not_moved_by_its_mesh() {
    let mut file = file(&[
        ("/nodes/0/weights/1", "SCALAR", &[0.0, 0.5]),
        ("/meshes/0/weights/1", "SCALAR", &[0.0, 1.0]),
    ]);
    let clips = file["animations"].as_array_mut().unwrap();
    let mut of_mesh = clips.pop().unwrap();
    let mut channel = of_mesh["channels"][0].take();
    channel["sampler"] = 1.into();
    let sampler = of_mesh["samplers"][0].take();
    clips[0]["channels"].as_array_mut().unwrap().push(channel);
    clips[0]["samplers"].as_array_mut().unwrap().push(sampler);
    let text = file.to_string();
    let import = import::load_bytes("made", text.as_bytes(), &Progress::default()).unwrap();
    let mut found = import.diagnostics.iter();
    assert!(found.any(|it| it.code == "ANIMATION_DUPLICATE_TARGETS"));
    let mut actor = Actor::new(import.model);
    actor.pose_at(Some(0), 1.0);
    let weight = |node| {
        let node = actor.model().hierarchy.by_file_index(node).unwrap();
        actor.pose().weights_of(node)[1]
    };
    assert_eq!([weight(0), weight(2)], [0.5, 1.0]);
}

/// Everybody of a crowd shows and morphs what the exact evaluator shows and morphs at that time.
#[test]
fn a_crowd_plays_visibility_and_single_weights() {
    let visible = |node| format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
    let (own, above) = (visible(2), visible(0));
    let file = file(&[
        ("/nodes/0/weights/1", "SCALAR", &[0.0, 0.5]),
        ("/nodes/2/weights/0", "SCALAR", &[1.0, 0.0]),
        (&own, "BOOL", &[1.0, 0.0]),
        (&above, "BOOL", &[0.0, 1.0]),
    ]);
    let text = file.to_string();
    let import = import::load_bytes("made", text.as_bytes(), &Progress::default()).unwrap();
    let model = import.model;
    let layout = PaletteLayout::new(&model, model.default_scene);
    let mut crowd = Crowd::on_field(&model, &layout, None, Repertoire::All, 40, |_| None);
    let (mut palette, mut exact) = (Palette::default(), Palette::default());
    let (mut pose, mut cursors) = (Pose::new(&model.hierarchy), Cursors::default());
    let (mut hidden, mut shown, mut on) = (0, 0, 0);
    for crowd_secs in [0.0, 0.3, 1.7] {
        crowd.pose(&model, &layout, crowd_secs, None, &mut palette);
        for (index, individual) in crowd.individuals().iter().enumerate() {
            let clip = &model.clips[individual.clip.unwrap()];
            let duration = f64::from(clip.duration_secs());
            let time = individual.phase_secs + individual.speed * crowd_secs;
            let time = time - (time / duration).floor() * duration;
            pose.reset(&model.hierarchy);
            sample(clip, time, &mut cursors, &mut pose);
            pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
            exact.clear(&layout, 1);
            exact.push(&model, &layout, &pose);
            for placement in 0..layout.placements().len() {
                let record = palette.record(placement, index);
                let at = format!("{index} of {} at {crowd_secs}", clip.name());
                assert_eq!(record.is_hidden(), exact.is_hidden(placement), "{at}");
                if record.is_hidden() {
                    assert!(palette.morphs_of(record).is_empty());
                    hidden += 1;
                    continue;
                }
                shown += 1;
                let found = palette.morphs_of(record);
                let expected = exact.morphs_of(exact.record(placement, 0));
                assert_eq!(found.len(), expected.len(), "{at}");
                for (found, expected) in found.iter().zip(expected) {
                    assert_eq!(found.target, expected.target, "{at}");
                    assert!((found.weight - expected.weight).abs() < 1e-6, "{at}");
                    on += 1;
                }
            }
        }
    }
    assert!(
        hidden > 20 && shown > 20 && on > 20,
        "{hidden} {shown} {on}"
    );
}

/// The room that a crowd is given is there also where its clip hides all of it.
#[test]
fn a_crowd_is_measured_as_the_file_shows_it() {
    let hidden = |node| format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
    let all = [hidden(0), hidden(1), hidden(2), hidden(3)];
    let mut file = file(&all.each_ref().map(|pointer| {
        let channel: Channel<'_> = (pointer, "BOOL", &[0.0, 0.0]);
        channel
    }));
    // All in one clip.
    let clips = file["animations"].as_array_mut().unwrap();
    for index in 1..4 {
        let mut other = clips.remove(1);
        let mut channel = other["channels"][0].take();
        channel["sampler"] = index.into();
        let sampler = other["samplers"][0].take();
        clips[0]["channels"].as_array_mut().unwrap().push(channel);
        clips[0]["samplers"].as_array_mut().unwrap().push(sampler);
    }
    let text = file.to_string();
    let import = import::load_bytes("made", text.as_bytes(), &Progress::default()).unwrap();
    let mut actor = Actor::new(import.model);
    actor.set_crowd(Repertoire::One(Some(0)), 4);
    assert!(!actor.crowd().unwrap().bounds().is_empty());
}

/// What the palette holds fits the way of blending before.
#[test]
fn measuring_between_a_new_way_of_blending_and_the_next_pose_finds_the_pose_before() {
    let pip = include_bytes!("../../assets/pip.glb");
    let import = import::load_bytes("pip", pip, &Progress::default()).unwrap();
    let mut actor = Actor::new(import.model);
    let before = actor.measure();
    actor.set_skinning(Skinning::DualQuaternion);
    assert_eq!(actor.measure(), before);
    actor.pose_at(None, 0.0);
    assert!(!actor.palette().rotations().is_empty());
    actor.measure();
}
