//! Which of several tracks counts, what a crowd makes of visibility, and what is there between two poses.

use rigscope::anim::Skinning;
use rigscope::app::Actor;
use rigscope::import::{self, Progress};
use rigscope::scene::Repertoire;

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

/// What a crowd shows does not come and go, and neither does the room that it is given.
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
